/* SPDX-License-Identifier: MIT */
/* See fst_small.h. */
#include "fst_small.h"

#include <string.h>

const char small_text[] =
    "initial 6=10\n" /* from the frame; it never changes */
    "#0 0=0 1=1010 2=\n"
    "#10 0=1 3= 4= 5=1100000011\n"
    "#20 0=0 1=01zx\n"
    "#30 0=x 2= 4= 0=1 4=\n" /* the last of one block, the first of the next */
    "#40 5=1010xxxxxz\n"
    "#50 0=z 4=\n";

const uint32_t small_lengths[SMALL_STREAMS] = { 1, 4, 0, UINT32_MAX, 1, 10, 2 };

static const uint64_t first_times[] = { 0, 10, 20, 30 };
static const uint64_t second_times[] = { 30, 40, 50 };

void small_entries(struct mk *m)
{
    mk_scope(m, "top");
    mk_var(m, 16, "a", 1, 0);
    mk_var(m, 5, "v [3:0]", 4, 0);
    mk_u8(m, 252); /* an attribute: enumeration table */
    mk_u8(m, 0);
    mk_u8(m, 7);
    mk_text(m, "states 2 IDLE RUN 0 1");
    mk_number(m, 1);
    mk_var(m, 3, "r", 8, 0);
    mk_var(m, 21, "s", 0, 0);
    mk_var(m, 0, "e", 1, 0);
    mk_scope(m, "sub");
    mk_var(m, 16, "b", 1, SMALL_A + 1);
    mk_var(m, 23, "w[9:0]", 10, 0);
    mk_var(m, 2, "P [1:0]", 2, 0);
    mk_upscope(m);
    mk_u8(m, 253); /* end of an attribute */
    mk_upscope(m);
}

static void fill_chains(struct mk *c)
{
    const double one = 1.0;

    mk_number(&c[SMALL_A], 0 << 2 | 0 << 1);     /* index 0: 0 */
    mk_number(&c[SMALL_A], 1 << 2 | 1 << 1);     /* 1: 1 */
    mk_number(&c[SMALL_A], 1 << 2 | 0 << 1);     /* 2: 0 */
    mk_number(&c[SMALL_A], 1 << 4 | 0 << 1 | 1); /* 3: x */
    mk_number(&c[SMALL_V], 0 << 1 | 0);
    mk_u8(&c[SMALL_V], 0xa0); /* 1010 packed */
    mk_number(&c[SMALL_V], 2 << 1 | 1);
    mk_bytes(&c[SMALL_V], "01zx", 4);
    mk_number(&c[SMALL_R], 0 << 1 | 1);
    mk_bytes(&c[SMALL_R], &one, 8);
    mk_number(&c[SMALL_R], 3 << 1 | 0);
    mk_u8(&c[SMALL_R], 0x55); /* a double of '0' and '1' bytes alone */
    mk_number(&c[SMALL_S], 1 << 1);
    mk_number(&c[SMALL_S], 5);
    mk_bytes(&c[SMALL_S], "hello", 5);
    mk_number(&c[SMALL_E], 1 << 2 | 1 << 1);
    mk_number(&c[SMALL_E], 2 << 2 | 1 << 1);
    mk_number(&c[SMALL_W], 1 << 1 | 0);
    mk_bytes(&c[SMALL_W], "\xc0\xc0", 2); /* 11000000 11...... */
}

void small_first(struct small_first *b, const struct small_dress *dress)
{
    memset(b, 0, sizeof *b);
    fill_chains(b->chain);
    for (int i = 0; i < SMALL_STREAMS; i++)
        b->stream[i] = (struct mk_stream){ b->chain[i].used ? MK_CHAIN : MK_NONE, &b->chain[i], 0 };
    b->changes = (struct mk_changes){
        .type = dress->changes,
        .begin = 0,
        .end = 30,
        .packing = dress->packing,
        .frame = "x"
                 "xxxx"
                 "--------"
                 "x"
                 "xxxxxxxxxx"
                 "10",
        .frame_size = 26,
        .frame_streams = SMALL_STREAMS,
        .stream = b->stream,
        .streams = SMALL_STREAMS,
        .time = first_times,
        .times = 4,
        .pack_times = dress->pack_times,
    };
}

void small_first_free(struct small_first *b)
{
    for (int i = 0; i < SMALL_STREAMS; i++)
        mk_free(&b->chain[i]);
}

void small_second(struct mk *m, const struct small_dress *dress)
{
    struct mk a = { 0 }, w = { 0 };
    struct mk_stream stream[SMALL_STREAMS] = { 0 };

    mk_number(&a, 0 << 2 | 1 << 1);
    mk_number(&a, 2 << 4 | 1 << 1 | 1); /* z */
    mk_number(&w, 1 << 1 | 1);
    mk_bytes(&w, "hlHLuw-?xz", 10);
    stream[SMALL_A] = (struct mk_stream){ MK_CHAIN, &a, 0 };
    stream[SMALL_E] =
        dress->changes == 1 ? stream[SMALL_A] : (struct mk_stream){ MK_ALIAS, NULL, SMALL_A };
    stream[SMALL_W] = (struct mk_stream){ MK_CHAIN, &w, 0 };
    mk_changes(m, &(struct mk_changes){ .type = dress->changes,
                                        .begin = 30,
                                        .end = 50,
                                        .packing = dress->packing,
                                        .stream = stream,
                                        .streams = SMALL_STREAMS,
                                        .time = second_times,
                                        .times = 3,
                                        .pack_times = dress->pack_times });
    mk_free(&a);
    mk_free(&w);
}

static void add_end(struct mk *m, const struct small_dress *dress)
{
    struct mk entries = { 0 };

    small_entries(&entries);
    mk_geometry(m, dress->pack_geometry, small_lengths, SMALL_STREAMS);
    if (dress->hierarchy)
        mk_hierarchy(m, dress->hierarchy, &entries);
    mk_free(&entries);
}

void small_file(struct mk *m, const struct small_dress *dress)
{
    struct small_first first;

    small_first(&first, dress);
    mk_header(m, -9);
    mk_changes(m, &first.changes);
    small_second(m, dress);
    add_end(m, dress);
    small_first_free(&first);
}

void small_with(struct mk *m, const struct small_first *first)
{
    mk_header(m, -9);
    mk_changes(m, &first->changes);
    add_end(m, &(struct small_dress){ .hierarchy = 4 });
}
