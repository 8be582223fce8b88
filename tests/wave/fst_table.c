/* SPDX-License-Identifier: MIT */
/*
 * Long time tables with numbers of any length, which are unpacked on the way through them: the
 * blocks of one clock have the cycles, times and values that were written, and damage anywhere in
 * a table is seen alike by any number of threads.
 */
#include <stdlib.h>
#include <string.h>

#include "fst_direct.h"
#include "fst_make.h"
#include "wave/fst.h"
#include "wave/wave.h"

struct made {
    uint64_t *time;
    uint8_t *level; /* of the signal, behind each index */
    size_t times;
    struct mk file, clock, signal;
};

/* The clock changes at every index: odd ones are edges. */
static void make(struct made *m, struct test_rng *rng, size_t times, unsigned bytes)
{
    uint64_t time = 3, last = 0;

    *m = (struct made){ .times = times };
    m->time = calloc(times, sizeof *m->time);
    m->level = calloc(times, 1);
    assert_true(m->time && m->level);
    for (size_t i = 0; i < times; i++) {
        m->time[i] = time;
        time += 1 + test_rand_below(rng, 1u << 7 * test_rand_below(rng, bytes));
        mk_number(&m->clock, (i > 0 ? 4u : 0u) | (i & 1) << 1);
        if (i > 0)
            m->level[i] = m->level[i - 1];
        if (i > 0 && test_rand_below(rng, 3) > 0)
            continue;
        m->level[i] ^= 1;
        mk_number(&m->signal, (i - last) << 2 | (uint64_t)m->level[i] << 1);
        last = i;
    }
}

/* claim: bytes that the table says it unpacks to, 0 for the truth. */
static void write_file(struct made *m, bool pack, uint64_t claim)
{
    static const uint32_t length[] = { 1, 1 };
    struct mk entries = { 0 };
    const struct mk_stream stream[] = {
        { .role = MK_CHAIN, .chain = &m->clock },
        { .role = MK_CHAIN, .chain = &m->signal },
    };
    const struct mk_changes changes = {
        .type = 8,
        .begin = m->time[0],
        .end = m->time[m->times - 1],
        .packing = '4',
        .frame = "xx",
        .frame_size = 2,
        .frame_streams = 2,
        .stream = stream,
        .streams = 2,
        .time = m->time,
        .times = m->times,
        .pack_times = pack,
        .claim_time_size = claim,
    };

    m->file.used = 0;
    mk_header(&m->file, -9);
    mk_changes(&m->file, &changes);
    mk_geometry(&m->file, false, length, 2);
    mk_scope(&entries, "top");
    mk_var(&entries, 16, "clk", 1, 0);
    mk_var(&entries, 16, "s", 1, 0);
    mk_upscope(&entries);
    mk_hierarchy(&m->file, 4, &entries);
    mk_free(&entries);
}

static void free_made(struct made *m)
{
    free(m->time);
    free(m->level);
    mk_free(&m->file);
    mk_free(&m->clock);
    mk_free(&m->signal);
}

/* whole: tables of so many bytes are unpacked at once. */
static void check_blocks(const struct made *m, unsigned threads, uint64_t whole)
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

static void long_tables(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7121, &seed);

    (void)state;
    for (unsigned bytes = 1; bytes <= 4; bytes++) {
        struct made m;
        make(&m, &rng, 400000 + test_rand_below(&rng, 300000), bytes);
        for (unsigned pack = 0; pack < 2; pack++) {
            write_file(&m, pack, 0);
            for (unsigned threads = 1; threads <= 3; threads++) {
                check_blocks(&m, threads, 0);
                check_blocks(&m, threads, FST_WHOLE_TABLE);
            }
        }
        free_made(&m);
    }
}

/* Any byte of the table, which is stored with the chains before it and its sizes behind it. */
static void damage(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7122, &seed);
    struct fst_direct_seen seen;
    struct made m;
    unsigned failed = 0;

    (void)state;
    make(&m, &rng, 150000, 3);
    for (unsigned i = 0; i < 24; i++) {
        write_file(&m, true, 0);
        const size_t at = m.file.used / 2 + test_rand_below(&rng, (uint32_t)m.file.used / 2);
        m.file.data[at] ^= (uint8_t)(1u << test_rand_below(&rng, 8));
        fst_read_both(fst_temp(&m.file, ""), NULL, &seen);
        failed += seen.status != PC_END;
    }
    assert_true(failed > 12); /* adler32 and sizes see to that */
    free_made(&m);
}

static void wrong_sizes(void **state)
{
    static const int off[] = { -1, 1, -40000, 40000 };
    uint64_t seed, bytes = 0;
    struct test_rng rng = test_rng_start(7123, &seed);
    struct fst_direct_seen seen;
    struct made m;

    (void)state;
    make(&m, &rng, 200000, 3);
    for (size_t i = 0; i < m.times; i++) {
        uint64_t delta = m.time[i] - (i ? m.time[i - 1] : 0);
        for (; delta > 0; delta >>= 7)
            bytes++;
    }
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        write_file(&m, true, (uint64_t)((int64_t)bytes + off[i]));
        fst_read_both(fst_temp(&m.file, ""), NULL, &seen);
        assert_int_equal(seen.status, PC_EINPUT);
        assert_int_equal(seen.err.code, 706);
    }
    free_made(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_tables),
        cmocka_unit_test(damage),
        cmocka_unit_test(wrong_sizes),
    };

    const int failed = cmocka_run_group_tests_name("wave/fst_table", tests, NULL, NULL);

    fst_temp_close();
    return failed;
}
