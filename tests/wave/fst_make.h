/* SPDX-License-Identifier: MIT */
/*
 * A small FST writer for the tests: files of any shape, right or wrong on purpose, so that
 * they also run where no measured waveform is at hand.  Memory failures end the test.
 */
#ifndef PC_TEST_FST_MAKE_H
#define PC_TEST_FST_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mk {
    uint8_t *data;
    size_t used, capacity;
};

void mk_free(struct mk *m);
void mk_u8(struct mk *m, unsigned value);
void mk_u64(struct mk *m, uint64_t value);
void mk_number(struct mk *m, uint64_t value);
void mk_signed(struct mk *m, int64_t value);
void mk_bytes(struct mk *m, const void *from, size_t size);
void mk_text(struct mk *m, const char *text); /* with its NUL */

/* Type and length of a block; mk_end() fills in the length. */
size_t mk_begin(struct mk *m, unsigned type);
void mk_end(struct mk *m, size_t begin);

void mk_header(struct mk *m, int exponent);

/* Entries of a hierarchy. */
void mk_scope(struct mk *m, const char *name);
void mk_upscope(struct mk *m);
void mk_var(struct mk *m, unsigned type, const char *name, uint64_t length, uint64_t alias);
/* The block of them: type 4 gzip, 6 LZ4, 7 LZ4 twice. */
void mk_hierarchy(struct mk *m, unsigned type, const struct mk *entries);
void mk_geometry(struct mk *m, bool packed, const uint32_t *length, size_t count);

enum mk_role { MK_NONE, MK_CHAIN, MK_ALIAS };
struct mk_stream {
    enum mk_role role;
    const struct mk *chain; /* its records */
    unsigned alias;         /* stream whose chain it shares */
};

/* A value change block.  claim_*: what it says instead of the truth, if not 0. */
struct mk_changes {
    unsigned type; /* 1, 5, 8 */
    uint64_t begin, end;
    char packing; /* '4' 'Z' 'F'; 0: chains are stored as they are */
    const char *frame;
    size_t frame_size;
    uint64_t frame_streams;
    const struct mk_stream *stream;
    size_t streams;
    const uint64_t *time;
    size_t times;
    bool pack_times;
    uint64_t claim_times, claim_time_size, claim_time_packed, claim_chain, claim_frame,
        claim_frame_packed, claim_streams, claim_position_size;
    const struct mk *position;   /* instead of the right position table */
    const struct mk *time_table; /* instead of the right one; plain */
};
void mk_changes(struct mk *m, const struct mk_changes *v);

/* The whole file in one block 254. */
void mk_wrap(struct mk *m, const struct mk *file);

/* Packs `from` after what is in `m`, by packing letter, 'G' for gzip. */
void mk_pack(struct mk *m, char packing, const uint8_t *from, size_t size);

#endif
