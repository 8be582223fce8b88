/* SPDX-License-Identifier: MIT */
/*
 * Counts what value streams do in a piece of a VCD, without knowing what was before it, so that
 * pieces can be counted by several threads and put together in their order (docs/adr/011).
 */
#ifndef PC_WAVE_VCD_LINE_COUNTS_H
#define PC_WAVE_VCD_LINE_COUNTS_H

#include "wave/vcd/vcd.h"

/*
 * One stream, 64 bytes.  Whether its first value rises or falls depends on what was before, so that
 * is kept apart: rises, falls and periods are of the values after it.
 */
struct vcd_id_counts {
    uint64_t first_time;
    uint64_t first_rise, last_rise; /* times, if there are rises */
    uint64_t least, most;           /* periods, as in pc_var_activity; least > most: none */
    uint32_t changes, rises, falls;
    uint8_t first;  /* enum vcd_level; VCD_NONE: no value of one bit */
    uint8_t was;    /* the last */
    uint8_t rose;   /* since it was unknown */
    uint8_t broken; /* it was unknown before it rose */
    uint8_t unknown;
};
enum vcd_level { VCD_NONE, VCD_X, VCD_0, VCD_1 };

/* Whole timestamps with what is under them. */
struct vcd_line_counts {
    const struct vcd *v;
    struct vcd_id_counts *of; /* by value stream: see vcd_counts_clear() */
    uint64_t begin, end;      /* bytes of the file: the first stamp, and the one after the last */
    uint64_t first_time, last_time, next_time; /* of these, and of the last */
    struct pc_wave_totals distances;           /* between them: step, least, most */
    uint64_t stamps, lines;
    uint64_t lines_before, bits; /* of the last stamp: lines before it, bits of its vectors */
    bool any;                    /* there was a stamp */
};

/* Clears the counts of `codes` streams, before the first line. */
void vcd_counts_clear(struct vcd_id_counts *of, size_t codes);

/*
 * Counts the lines of [at, end), the first of which is a stamp or goes on under one. `place` is the
 * byte of the file at `at`; the first stamp at or after `last` ends it, and is the piece's `end`.
 * Gives the line that is not taken, with *over where that is this stamp; NULL: a line that only
 * values.c knows what to make of. After `end` there is one newline or more, and eight bytes that
 * may be read.
 */
const uint8_t *vcd_count_lines(struct vcd_line_counts *t, const uint8_t *at, const uint8_t *end,
                               uint64_t place, uint64_t last, bool *over);

/* Adds what `t` says of a stream after what *a and *was say of it. */
void vcd_counts_add(const struct vcd_id_counts *t, struct pc_var_activity *a, uint8_t *was);

#endif
