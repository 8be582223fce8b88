/* SPDX-License-Identifier: MIT */
/*
 * `pcounter check` of a waveform, with any number of threads: what is printed has to be the same to
 * the byte, and the defect is found at its edge, wherever it is: next to the borders of words, of
 * the parts that the engine takes at once, and of blocks.
 */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "cli.h"

enum { BLOCK = 64 * PC_BLOCK_WORDS, AFTER = 200 };

/* What one run said, and how it ended. */
struct told {
    char *report, *notes;
    int code;
};

static struct told run(const char *path, const char *profile, unsigned threads, bool going)
{
    struct check_options o = { .keep_going = going, .threads = threads };
    struct told t = { NULL, NULL, 0 };
    size_t size, more;
    FILE *report = open_memstream(&t.report, &size), *notes = open_memstream(&t.notes, &more);

    assert_true(report && notes);
    assert_int_equal(pc_hpm_config_get("cv64a6_imafdc_sv39", &o.core, NULL), PC_OK);
    assert_int_equal(pc_hpm_profile_find(profile, &o.profile, NULL), PC_OK);
    cli_redirect(report, notes);
    t.code = check_wave(path, &o);
    cli_redirect(NULL, NULL);
    fclose(report);
    fclose(notes);
    return t;
}

static void release(struct told *t)
{
    free(t->report);
    free(t->notes);
}

static void expect_told(const char *path, unsigned threads, const struct told *t,
                        const struct told *want)
{
    if (t->code != want->code)
        fail_msg("%s, %u threads: exit %d, not %d", path, threads, t->code, want->code);
    assert_string_equal(t->report, want->report);
    assert_string_equal(t->notes, want->notes);
}

/* All ways say the same; there is a difference at that edge, if it is not 0. */
static int expect_same(const char *path, const char *profile, uint64_t edge)
{
    struct told first = run(path, profile, 1, true), alone;
    const int code = first.code;
    char says[80];

    for (unsigned threads = 2; threads <= 4; threads += 2) {
        struct told t = run(path, profile, threads, true);
        expect_told(path, threads, &t, &first);
        release(&t);
    }
    release(&first);
    /* up to the first difference */
    alone = run(path, profile, 1, false);
    first = run(path, profile, 4, false);
    expect_told(path, 4, &first, &alone);
    snprintf(says, sizeof says, ": difference at edge %s (", cli_grouped(edge));
    if (edge != 0 && (code != 1 || !strstr(alone.report, says)))
        fail_msg("no \"%s\" in: %s%s", says, alone.report, alone.notes);
    release(&first);
    release(&alone);
    return code;
}

/* Can files be turned into FST? */
static bool has_fst(void)
{
    static int has = -1;

    if (has < 0) {
        has = system("command -v vcd2fst >/dev/null") == 0;
        if (!has)
            test_say_skip("hpm_wave_wide, FST files", "vcd2fst (gtkwave) is not installed");
    }
    return has;
}

/* As FST, which takes less time to read, if that can be. */
static void expect_code(const struct wave_made *m, const char *profile, uint64_t edge, int code)
{
    char fst[80], line[300];

    if (!has_fst()) {
        assert_int_equal(expect_same(m->path, profile, edge), code);
        return;
    }
    snprintf(fst, sizeof fst, "%s.fst", m->path);
    snprintf(line, sizeof line, "vcd2fst -4 %s %s >/dev/null 2>&1", m->path, fst);
    assert_int_equal(system(line), 0);
    assert_int_equal(expect_same(fst, profile, edge), code);
    unlink(fst);
}

static void expect_code_in_both(const struct wave_made *m, const char *profile, int code)
{
    assert_int_equal(expect_same(m->path, profile, 0), code);
    if (has_fst())
        expect_code(m, profile, 0, code);
}

/* Verifies that sound designs agree, calm and busy ones, also where a counter overflows. */
static void sound_designs_agree(void **state)
{
    static const unsigned calm[] = { 0, 20, 400, 30000 };

    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        const struct wave_plan plan = { .clocks = 1500 + (unsigned)seed * 3007,
                                        .reset = seed % 3 ? 5 : 0,
                                        .seed = 900 + seed,
                                        .calm = calm[seed % 4] };
        struct wave_made m;
        wave_make(&plan, &m);
        expect_code_in_both(&m, "rtl", 0);
        wave_remove(&m);
    }
}

/* Verifies that thousands of differences are the same ones. */
static void many_differences_are_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        const struct wave_plan plan = {
            .clocks = 20000, .reset = 3, .seed = 70 + seed, .calm = seed ? 2000 : 0
        };
        struct wave_made m;
        wave_make(&plan, &m);
        expect_code_in_both(&m, "spec", 1);
        wave_remove(&m);
    }
}

static const enum wave_defect defects[] = { WAVE_FLIP, WAVE_EXTRA,   WAVE_SELECTOR,
                                            WAVE_READ, WAVE_UNKNOWN, WAVE_MCYCLE };

static void expect_defect(unsigned border, unsigned at, enum wave_defect defect)
{
    const struct wave_plan plan = { .clocks = border + AFTER,
                                    .reset = 5,
                                    .seed = 3 * at + defect,
                                    .calm = 20000,
                                    .defect = defect,
                                    .at = at };
    struct wave_made m;

    wave_make(&plan, &m);
    assert_int_equal(m.hit, at);
    expect_code(&m, "rtl", at + (defect != WAVE_READ), 1);
    wave_remove(&m);
}

/* Verifies defects at the borders: the clock before, the first, the one after. */
static void defects_at_borders_are_the_same(void **state)
{
    static const unsigned border[] = { 64, 1024, BLOCK - 64, BLOCK + 64 };
    const size_t kinds = sizeof defects / sizeof defects[0];

    (void)state;
    for (size_t i = 0; i < sizeof border / sizeof border[0]; i++)
        for (unsigned k = 0; k < 3; k++)
            expect_defect(border[i], border[i] + k - 2, defects[(3 * i + k) % kinds]);
    for (size_t k = 0; k < kinds; k++) /* a block begins with it */
        expect_defect(BLOCK, BLOCK - (defects[k] != WAVE_READ), defects[k]);
}

/* Verifies that an answer is wrong for one clock in the middle of a long read of one register. */
static void long_reads_are_the_same(void **state)
{
    (void)state;
    for (unsigned at = 840; at < 856; at++) /* read in clocks 832 to 847, then the next one */
        expect_defect(1000, at, WAVE_READ);
}

/* Verifies the last word, which is not whole, and the very last clock. */
static void defects_at_the_end_are_the_same(void **state)
{
    (void)state;
    for (unsigned clocks = BLOCK + 63; clocks <= BLOCK + 66; clocks++)
        for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++) {
            const bool read = defects[i] == WAVE_READ;
            const struct wave_plan plan = { .clocks = clocks,
                                            .reset = 5,
                                            .seed = clocks + i,
                                            .calm = 20000,
                                            .defect = defects[i],
                                            .at = clocks - (read ? 1 : 2) };
            struct wave_made m;
            wave_make(&plan, &m);
            assert_int_equal(m.hit, plan.at);
            expect_code(&m, "rtl", m.hit + !read, 1);
            wave_remove(&m);
        }
}

/* Verifies it where ports are missing: counters that are not there, reads that cannot be seen. */
static void missing_ports_are_the_same(void **state)
{
    static const char *const omit[][8] = {
        { "generic_counter_q[2]" },     { "data_o" },
        { "^.mcycle", "^.minstret" },   { "miss_vld_bits_i[1]", "commit_instr_i[1].fu" },
        { "rst_ni", "mhpmevent_q[3]" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof omit / sizeof omit[0]; i++) {
        struct wave_plan plan = { .clocks = BLOCK + 500, .reset = 5, .seed = 40 + i, .calm = 300 };
        struct wave_made m;
        memcpy(plan.omit, omit[i], sizeof omit[i]);
        wave_make(&plan, &m);
        expect_same(m.path, "rtl", 0);
        wave_remove(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_designs_agree),
        cmocka_unit_test(many_differences_are_the_same),
        cmocka_unit_test(defects_at_borders_are_the_same),
        cmocka_unit_test(long_reads_are_the_same),
        cmocka_unit_test(defects_at_the_end_are_the_same),
        cmocka_unit_test(missing_ports_are_the_same),
    };

    (void)argc;
    (void)argv;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
