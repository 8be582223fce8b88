/* SPDX-License-Identifier: MIT */
/*
 * Files of the writers that people use: GTKWave's vcd2fst with each of its packings, and the
 * reference code with what that leaves out (blocks of all sizes, files that are never closed).  All
 * of them, with any number of threads, have the blocks of the VCD file they were made from.
 */
#include "fst_blocks.h"
#include "fst_direct.h"
#include "fst_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CYCLES = 40000, SEEDS = 4 }; /* more than two blocks of samples */

static char vcd[64], fst[64];
static struct fst_direct_seen want;

static int setup(void **state)
{
    (void)state;
    snprintf(vcd, sizeof vcd, "./written-%ld.vcd", (long)getpid());
    snprintf(fst, sizeof fst, "./written-%ld.fst", (long)getpid());
    scene_write_vcd(vcd, CYCLES);
    fst_read_direct(vcd, 1, NULL, &want);
    return want.status != PC_END || want.cycles[0] != CYCLES || want.cycles[1] == 0;
}

static int teardown(void **state)
{
    char hierarchy[sizeof fst + 8];

    (void)state;
    snprintf(hierarchy, sizeof hierarchy, "%s.hier", fst);
    remove(hierarchy);
    remove(vcd);
    remove(fst);
    return 0;
}

static void check_format(const char *format)
{
    const struct pc_wave_desc desc = { .path = fst };
    struct pc_wave_info info;
    struct pc_wave *wave;
    struct pc_error err;

    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    pc_wave_get_info(wave, &info);
    if (strcmp(info.encoding, format) != 0)
        fail_msg("packed by %s, not %s", info.encoding, format);
    pc_wave_close(wave);
}

static void check_blocks(const char *what)
{
    for (unsigned threads = 1; threads <= 5; threads += 1 + threads / 3) {
        struct fst_direct_seen got;
        fst_read_direct(fst, threads, NULL, &got);
        if (got.status != PC_END)
            fail_msg("%s, %u threads: %s", what, threads, got.err.text);
        if (got.hash != want.hash)
            fail_msg("%s, %u threads: not what the VCD file has", what, threads);
        assert_memory_equal(got.cycles, want.cycles, sizeof want.cycles);
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        blocks_agree(fst, seed);
}

static void files_of_vcd2fst(void **state)
{
    static const struct {
        const char *options, *format;
    } ways[] = {
        { "-F", "fastlz" },
        { "-4", "lz4" },
        { "-Z", "zlib" },
        { "-4 -p", "lz4" },
        { "-Z -c", "gzip-wrapped" },
        { "-F -c", "gzip-wrapped" },
    };

    (void)state;
    if (system("command -v vcd2fst >/dev/null") != 0) {
        test_say_skip("fst_written", "vcd2fst (gtkwave) is not installed");
        skip();
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "vcd2fst %s %s %s >/dev/null 2>&1", ways[i].options, vcd, fst);
        assert_int_equal(system(line), 0);
        check_format(ways[i].format);
        check_blocks(ways[i].options);
    }
}

/* A VCD may begin with values and no #: they are known before the first edge, whose time is 5. */
static void values_before_the_first_time(void **state)
{
    static const char *const first[] = { "0!\n1\"\nb101 #\n", "1!\n1\"\nb101 #\n",
                                         "1!\n0\"\nb110 #\n" };
    static const char names[] = "$timescale 1 ns $end\n$scope module top $end\n"
                                "$var wire 1 ! clk $end\n$var wire 1 \" on $end\n"
                                "$var wire 3 # a [2:0] $end\n"
                                "$upscope $end\n$enddefinitions $end\n$dumpvars\n";
    char line[256];

    (void)state;
    if (system("command -v vcd2fst >/dev/null") != 0)
        skip(); /* as above */
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        struct fst_direct_seen text, got;
        FILE *f = fopen(vcd, "w");
        assert_non_null(f);
        fprintf(f, "%s%s$end\n#5\n%c!\nb11 #\n#10\n%c!\n1\"\n#15\n%c!\nb0 #\n#20\n%c!\n", names,
                first[i], "100"[i], "011"[i], "100"[i], "011"[i]);
        assert_int_equal(fclose(f), 0);
        snprintf(line, sizeof line, "vcd2fst %s %s >/dev/null 2>&1", vcd, fst);
        assert_int_equal(system(line), 0);
        fst_read_direct(vcd, 1, NULL, &text);
        fst_read_direct(fst, 1, NULL, &got);
        assert_int_equal(text.status, PC_END);
        assert_int_equal(got.status, PC_END);
        assert_memory_equal(got.cycles, text.cycles, sizeof text.cycles);
        assert_int_equal(got.hash, text.hash);
        blocks_agree(fst, i);
    }
}

static void files_of_the_reference_code(void **state)
{
    (void)state;
#ifdef PC_HAVE_FSTAPI
    static const struct scene_writer ways[] = {
        { "zlib, blocks of 3000 cycles", 0, false, 3000, false },
        { "FastLZ, blocks of 700 cycles", 1, false, 700, false },
        { "LZ4, wrapped, blocks of 16384 cycles", 2, true, 16384, false },
        { "zlib, in one", 0, false, 0, false },
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        remove(fst);
        scene_write_fst(fst, CYCLES, &ways[i]);
        check_blocks(ways[i].name);
    }
#else
    test_say_skip("fst_written", "built without fstapi.c of Verilator's package");
    skip();
#endif
}

/* What was written so far, and it is said that there is no end. */
static void a_file_that_was_never_closed(void **state)
{
    (void)state;
#ifdef PC_HAVE_FSTAPI
    const struct scene_writer how = { "left", 2, false, 3000, true };
    const struct pc_wave_desc desc = { .path = fst };
    struct fst_direct_seen got;
    struct pc_wave_info info;
    struct pc_wave *wave;
    struct pc_error err;

    remove(fst);
    scene_write_fst(fst, CYCLES, &how);
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    pc_wave_get_info(wave, &info);
    assert_true(info.unfinished);
    pc_wave_close(wave);
    fst_read_both(fst, NULL, &got);
    assert_int_equal(got.status, PC_END);
    assert_in_range(got.cycles[0], CYCLES / 2, CYCLES - 1);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        assert_true(blocks_agree(fst, seed));
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_vcd2fst), cmocka_unit_test(files_of_the_reference_code),
        cmocka_unit_test(a_file_that_was_never_closed),
        cmocka_unit_test(values_before_the_first_time), /* writes another file */
    };

    blocks_skipped();
    return cmocka_run_group_tests(tests, setup, teardown);
}
