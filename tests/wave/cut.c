/* SPDX-License-Identifier: MIT */
/*
 * Files that another program cuts off while they are read: FST and sigrok, which jump about in
 * them.  What was read before counts; what is missing is an error, never a signal.
 */
#include <unistd.h>

#include "fst_small.h"
#include "fst_support.h"
#include "zip_make.h"

enum { BITS = 64 };

/* Opens it, and binds all bits there are at a clock. */
static struct pc_wave *open_bound(const char *path, unsigned threads, const char *clock)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads };
    struct pc_wave_clock role = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bits[BITS];
    struct pc_wave *wave = NULL;
    struct pc_wave_var v;
    struct pc_error err;
    unsigned stream;
    uint32_t hi, lo;
    size_t n = 0;

    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_find(wave, clock, &role.clock.var, &hi, &lo, &err), &err);
    for (size_t i = 0; pc_wave_get_var(wave, i, &v) == PC_OK; i++)
        for (uint32_t b = 0; v.kind == PC_VAR_BITS && b < v.width && n < BITS; b++)
            bits[n++] = (struct pc_wave_bit){ i, b };
    test_ok(pc_wave_bind(wave, &role, bits, n, &stream, &err), &err);
    return wave;
}

/* Reads to the end, in blocks or instant by instant. */
static enum pc_status read_on(struct pc_wave *wave, bool blocks, struct pc_error *err)
{
    struct pc_wave_instant instant;
    struct pc_wave_block block;
    enum pc_status status = PC_OK;

    while (status == PC_OK)
        status = blocks ? pc_wave_next(wave, &block, err) : pc_wave_step(wave, &instant, err);
    return status;
}

/* Cuts it to `length` once it is open; the code of the error, 0 for none. */
static unsigned cut_to(const struct mk *file, const char *clock, size_t length, unsigned threads,
                       bool blocks)
{
    const char *path = fst_temp(file, "");
    struct pc_wave *wave = open_bound(path, threads, clock);
    struct pc_error err = { 0 };

    assert_int_equal(truncate(path, (off_t)length), 0);
    const enum pc_status status = read_on(wave, blocks, &err);
    pc_wave_close(wave);
    assert_int_equal(status, err.code == 0 ? PC_END : PC_EIO);
    return err.code;
}

static void an_fst(void **state)
{
    const struct small_dress dress = { .changes = 8, .packing = '4', .hierarchy = 4 };
    struct mk file = { 0 };
    unsigned whole = 0;

    (void)state;
    small_file(&file, &dress);
    for (size_t length = 0; length <= file.used; length++)
        for (unsigned way = 0; way < 3; way++) {
            const unsigned code = cut_to(&file, "a", length, way == 1 ? 3 : 1, way < 2);
            assert_true(code == 0 || code == 508);
            assert_true(code == 508 || length > file.used / 4);
            whole += code == 0;
        }
    assert_true(whole >= 3 && whole < file.used); /* names have been read; changes have not */
    mk_free(&file);
}

/* ---- chains that are read in two parts ---- */

enum { TIMES = 12000, BLOCKS = 2 };

/* A clock that changes at every time, a byte of noise, and the same once more. */
static void add_large_block(struct mk *m, unsigned block, char packing, struct test_rng *rng)
{
    static uint64_t time[TIMES];
    struct mk clock = { 0 }, noise = { 0 };

    for (unsigned i = 0; i < TIMES; i++) {
        time[i] = (uint64_t)block * TIMES + i;
        mk_number(&clock, (i > 0 ? 4u : 0u) | i % 2 << 1);
        mk_number(&noise, i > 0 ? 2u : 0u);
        mk_u8(&noise, test_rand_below(rng, 256));
    }
    const struct mk_stream stream[] = { { MK_CHAIN, &clock, 0 },
                                        { MK_CHAIN, &noise, 0 },
                                        { MK_ALIAS, NULL, 1 } };
    mk_changes(m, &(struct mk_changes){ .type = 8,
                                        .begin = time[0],
                                        .end = time[TIMES - 1],
                                        .packing = packing,
                                        .frame = "xxxxxxxxxxxxxxxxx",
                                        .frame_size = 17,
                                        .frame_streams = 3,
                                        .stream = stream,
                                        .streams = 3,
                                        .time = time,
                                        .times = TIMES,
                                        .pack_times = true });
    mk_free(&clock);
    mk_free(&noise);
}

static void large_file(struct mk *m, char packing, struct test_rng *rng)
{
    static const uint32_t lengths[] = { 1, 8, 8 };
    struct mk entries = { 0 };

    mk_header(m, -9);
    for (unsigned i = 0; i < BLOCKS; i++)
        add_large_block(m, i, packing, rng);
    mk_geometry(m, true, lengths, 3);
    mk_scope(&entries, "top");
    mk_var(&entries, 16, "clk", 1, 0);
    mk_var(&entries, 16, "noise [7:0]", 8, 0);
    mk_var(&entries, 16, "again [7:0]", 8, 0);
    mk_upscope(&entries);
    mk_hierarchy(m, 4, &entries);
    mk_free(&entries);
}

/* The rising edges, and how many ones the two bytes have at them. */
static void count_ones(const char *path, unsigned threads, bool blocks, uint64_t ones[2],
                       uint64_t *cycles)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads };
    struct pc_wave_bit bits[16];
    struct pc_wave_instant instant;
    struct pc_wave_block block;
    struct pc_wave *wave = NULL;
    enum pc_status status;
    struct pc_error err;
    unsigned stream;

    for (unsigned i = 0; i < 16; i++)
        bits[i] = (struct pc_wave_bit){ 1 + i / 8, i % 8 };
    ones[0] = ones[1] = *cycles = 0;
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(
        pc_wave_bind(wave, &(struct pc_wave_clock){ .edge = PC_EDGE_POS }, bits, 16, &stream, &err),
        &err);
    while ((status = blocks ? pc_wave_next(wave, &block, &err)
                            : pc_wave_step(wave, &instant, &err)) == PC_OK) {
        const uint32_t here = blocks ? block.cycles : 1;
        *cycles += here;
        for (unsigned i = 0; i < 16; i++)
            for (uint32_t t = 0; t < here; t++)
                ones[i / 8] += blocks ? block.value[i][t / 64] >> t % 64 & 1
                                      : instant.value[stream][i / 64] >> i % 64 & 1;
    }
    assert_int_equal(status, PC_END);
    pc_wave_close(wave);
}

static void large_chains(void **state)
{
    struct test_rng rng = test_rng_start(25, NULL);

    (void)state;
    for (const char *packing = "4ZF"; packing; packing = *packing ? packing + 1 : NULL) {
        struct mk file = { 0 };
        uint64_t first[2], ones[2], cycles;
        large_file(&file, *packing, &rng);
        const char *path = fst_temp(&file, "");
        count_ones(path, 1, true, first, &cycles);
        assert_int_equal(cycles, BLOCKS * TIMES / 2);
        assert_in_range(first[0], 1, 8 * cycles);
        assert_int_equal(first[0], first[1]);
        for (unsigned way = 0; way < 2; way++) {
            count_ones(path, way == 0 ? 3 : 1, way == 0, ones, &cycles);
            assert_memory_equal(ones, first, sizeof ones);
        }
        for (size_t length = 0; length <= file.used; length += 997)
            for (unsigned way = 0; way < 3; way++) {
                const unsigned code = cut_to(&file, "clk", length, way == 1 ? 3 : 1, way < 2);
                assert_true(code == 508 || (code == 0 && length > file.used / 2));
            }
        mk_free(&file);
    }
}

static void a_session(void **state)
{
    struct zip_made z = { 0 };

    (void)state;
    zip_small_session(&z);
    struct mk file = { .data = z.bytes, .used = z.size };
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        assert_int_equal(cut_to(&file, "CLK", z.size, threads, true), 0);
        assert_int_equal(cut_to(&file, "CLK", 0, threads, true), 508);
        assert_int_equal(cut_to(&file, "CLK", 60, threads, true), 508);
    }
    zip_free(&z);
}

static int remove_file(void **state)
{
    (void)state;
    fst_temp_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_fst),
        cmocka_unit_test(large_chains),
        cmocka_unit_test(a_session),
    };

    return cmocka_run_group_tests_name("wave/cut", tests, NULL, remove_file);
}
