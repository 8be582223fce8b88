/* SPDX-License-Identifier: MIT */
/* What a waveform has, made of bytes, and its files: for the target `pair`. */
#ifndef PC_FUZZ_CONTENT_H
#define PC_FUZZ_CONTENT_H

#include "fst_make.h"
#include "fuzz.h"

enum { CONTENT_SIGNALS = 6, CONTENT_CHANGES = 1200, CONTENT_WIDTH = 70 };

struct content_change {
    uint32_t stamp; /* index of its time */
    uint8_t signal;
    char value[CONTENT_WIDTH]; /* a character a bit */
};

struct content {
    unsigned signals, clock; /* clock: a signal of one bit */
    uint32_t width[CONTENT_SIGNALS];
    uint64_t time[CONTENT_CHANGES];
    uint32_t stamps;
    struct content_change change[CONTENT_CHANGES];
    size_t changes;
    /* of the FST */
    unsigned type;   /* of its blocks: 1, 5, 8 */
    char packing;    /* of chains: '4', 'Z', 'F'; 0: none */
    uint32_t blocks; /* stamps of a block */
    bool pack_times, wrap;
};

void content_make(struct content *c, struct fuzz_bytes *in);
void content_vcd(const struct content *c, struct mk *out);
void content_fst(const struct content *c, struct mk *out);

#endif
