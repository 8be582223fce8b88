/* SPDX-License-Identifier: MIT */
/* See fst_two.h. */
#include "fst_two.h"

#include <stdlib.h>

#include "fst_support.h"
#include "wave/fst/fst.h"
#include "wave/wave.h"

void fst_two_open(struct fst_two *m, size_t room)
{
    *m = (struct fst_two){ .times = 0 };
    m->time = calloc(room, sizeof *m->time);
    m->level = calloc(room, 1);
    assert_true(m->time && m->level);
    mk_header(&m->file, -9);
}

void fst_two_free(struct fst_two *m)
{
    free(m->time);
    free(m->level);
    mk_free(&m->file);
}

void fst_two_block(struct fst_two *m, size_t first, const struct mk *clock, const struct mk *signal,
                   bool pack_times, uint64_t claim_time_size)
{
    const struct mk_stream stream[] = {
        { .role = MK_CHAIN, .chain = clock },
        { .role = signal ? MK_CHAIN : MK_NONE, .chain = signal },
    };
    const struct mk_changes changes = {
        .type = 8,
        .begin = m->time[first],
        .end = m->time[m->times - 1],
        .packing = '4',
        .frame = "xx",
        .frame_size = 2,
        .frame_streams = 2,
        .stream = stream,
        .streams = 2,
        .time = m->time + first,
        .times = m->times - first,
        .pack_times = pack_times,
        .claim_time_size = claim_time_size,
    };

    mk_changes(&m->file, &changes);
}

void fst_two_end(struct fst_two *m)
{
    static const uint32_t length[] = { 1, 1 };
    struct mk entries = { 0 };

    mk_geometry(&m->file, false, length, 2);
    mk_scope(&entries, "top");
    mk_var(&entries, 16, "clk", 1, 0);
    mk_var(&entries, 16, "s", 1, 0);
    mk_upscope(&entries);
    mk_hierarchy(&m->file, 4, &entries);
    mk_free(&entries);
}

void fst_two_check(const struct fst_two *m, unsigned threads, uint64_t whole)
{
    const struct pc_wave_desc desc = { .path = fst_temp(&m->file, ""), .threads = threads };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    const struct pc_wave_bit bit = { 1, 0 };
    struct pc_wave_block b;
    struct pc_wave *wave = NULL;
    struct pc_error err;
    uint64_t cycles = 0;
    unsigned stream;
    enum pc_status status = pc_wave_open(&desc, &wave, &err);

    test_ok(status, &err);
    ((struct fst *)wave->reader)->whole_table = whole;
    test_ok(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err);
    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
        assert_int_equal(b.first_cycle, cycles);
        cycles += b.cycles;
        assert_true(2 * cycles <= m->times);
        assert_int_equal(b.first_time, m->time[2 * b.first_cycle + 1]);
        assert_int_equal(b.last_time, m->time[2 * cycles - 1]);
        for (uint32_t t = 0; t < b.cycles; t++)
            assert_int_equal(b.value[0][t / 64] >> t % 64 & 1, m->level[2 * (b.first_cycle + t)]);
    }
    test_ok(status == PC_END ? PC_OK : status, &err);
    assert_int_equal(cycles, m->times / 2);
    pc_wave_close(wave);
}
