/* SPDX-License-Identifier: MIT */
/*
 * Files that another program cuts off while they are read: FST and sigrok, which jump about in
 * them.  What was read before counts; what is missing is an error, never a signal.
 */
#include <unistd.h>

#include "fst_small.h"
#include "fst_support.h"
#include "zip_make.h"

static struct pc_wave *open_bound(const char *path, unsigned threads, const char *clock)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads };
    struct pc_wave_clock role = { .edge = PC_EDGE_POS };
    struct pc_wave *wave = NULL;
    struct pc_wave_bit bit = { 0 };
    struct pc_error err;
    unsigned stream;
    uint32_t hi, lo;

    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_find(wave, clock, &bit.var, &hi, &lo, &err), &err);
    bit.bit = lo;
    role.clock = bit;
    test_ok(pc_wave_bind(wave, &role, &bit, 1, &stream, &err), &err);
    return wave;
}

/* To the end, in blocks or instant by instant. */
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
        cmocka_unit_test(a_session),
    };

    return cmocka_run_group_tests_name("wave/cut", tests, NULL, remove_file);
}
