/* SPDX-License-Identifier: MIT */
/* Steps over the records of a VCD, for those who parse them. */
#ifndef PC_WAVE_VCD_RECORDS_H
#define PC_WAVE_VCD_RECORDS_H

#include "wave/vcd/vcd.h"

#include <string.h>

/* How far a step came. */
enum vcd_step {
    VCD_STEP_ON,    /* past the record */
    VCD_STEP_MORE,  /* the word at text.at reaches the window's end */
    VCD_STEP_SKIP,  /* after the name of a section that means nothing here */
    VCD_STEP_EMIT,  /* a timestamp is complete */
    VCD_STEP_CUT,   /* the file ends inside a record */
    VCD_STEP_FAILED /* v->failed says how */
};

struct vcd_records {
    struct vcd *v;
    const uint8_t *p;   /* at the record, then after it */
    const uint8_t *end; /* of the window; *end is a blank */
    enum pc_status status;
    struct pc_error *err;
};

static inline enum vcd_step vcd_failed(struct vcd_records *s, enum pc_status status)
{
    s->status = status;
    return VCD_STEP_FAILED;
}

static inline size_t vcd_offset(const struct vcd_records *s, const uint8_t *p)
{
    return (size_t)(p - s->v->text.buf);
}

/*
 * Past blanks to the next word, or to a byte that no text has, which cuts off what stands in front
 * of it; false if the window ends before it.
 */
static inline bool vcd_next_word(const struct vcd_records *s, const uint8_t **p)
{
    const uint8_t *q = *p;

    while (q < s->end && *q <= ' ' && !vcd_is_hole(*q))
        q++;
    *p = q;
    return q < s->end;
}

/* Eight bytes at a time while none of them is a blank; text.buf has room after its end. */
static inline const uint8_t *vcd_word_end(const uint8_t *p)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t w;

    for (;; p += sizeof w) {
        memcpy(&w, p, sizeof w);
        if ((w - ones * ('!')) & ~w & (ones << 7))
            break;
    }
    while (*p > ' ')
        p++;
    return p;
}

/* stamps.c: a timestamp, at its # */
enum vcd_step vcd_stamp(struct vcd_records *s);
/* section.c: a word with $ */
enum vcd_step vcd_keyword(struct vcd_records *s);

#endif
