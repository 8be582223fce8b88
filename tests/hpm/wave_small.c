/* SPDX-License-Identifier: MIT */
/*
 * `pcounter check` on waveforms that the tests make: a design of their own after random
 * wires, sound or with one defect, with and without its ports.
 */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <pcounter/pcounter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CORE "cv64a6_imafdc_sv39"

static struct wave_ran ran;

static void check_as(const struct wave_made *m, const char *core, const char *profile)
{
    wave_run(&ran, "check", "--core", core, "--profile", profile, "-k", "--format", "json", m->path,
             NULL);
}

static int64_t group(const char *like)
{
    int64_t n = 0;
    const json_t *groups = json_object_get(ran.json, "groups");

    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *g = json_array_get(groups, i);
        if (strcmp(wave_text(g, "like"), like) == 0)
            n += wave_number(g, "count");
    }
    return n;
}

/* Verifies that a sound design agrees with the profile rtl in every register at every edge. */
static void sound_designs_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const struct wave_plan plan = { .clocks = 1500, .reset = seed % 4 ? 5 : 0, .seed = seed };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, CORE, "rtl");
        if (ran.code != 0)
            fail_msg("seed %u: %s%s", (unsigned)seed, ran.out, ran.errors);
        /* without a reset the model takes its first state from the design */
        const int64_t edges = plan.clocks - plan.reset, first = plan.reset ? 0 : 1;
        assert_int_equal(wave_number(ran.json, "compared"), 14 * (edges - first) + edges);
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies that the profile spec finds the differences of the RTL, all of them, each by name. */
static void spec_finds_what_rtl_does_otherwise(void **state)
{
    uint64_t or_ports = 0, ret_any_rs1 = 0, trap_freezes = 0;

    (void)state;
    for (uint64_t seed = 21; seed <= 26; seed++) {
        const bool four = seed % 2;
        const struct wave_plan plan = {
            .clocks = 3000, .reset = 3, .seed = seed, .ways = four ? 4 : 8
        };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, four ? "cv64a6_imafdcv_sv39" : CORE, "spec");
        assert_int_equal(ran.code, 1);
        assert_int_equal(m.evict_ff > 0, four);
        assert_int_equal(group("or_ports"), m.or_ports);
        assert_int_equal(group("ret_any_rs1"), m.ret_any_rs1);
        assert_int_equal(group("evict_ff"), m.evict_ff);
        assert_int_equal(group("trap_freezes"), m.trap_freezes);
        assert_int_equal(wave_number(ran.json, "differences"),
                         m.or_ports + m.ret_any_rs1 + m.evict_ff + m.others + m.trap_freezes);
        or_ports += m.or_ports;
        trap_freezes += m.trap_freezes;
        ret_any_rs1 += m.ret_any_rs1;
        wave_done(&ran);
        wave_remove(&m);
    }
    assert_true(or_ports > 200 && ret_any_rs1 > 50 &&
                trap_freezes > 10); /* there was something to find */
}

/* Verifies numbers of registers with 6 bits: 33 is neither x1 nor missing. */
static void wide_numbers_of_registers_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 41; seed <= 44; seed++) {
        const struct wave_plan plan = {
            .clocks = 3000, .reset = 5, .seed = seed, .wide_registers = true
        };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, CORE, "rtl");
        assert_int_equal(ran.code, 0);
        assert_null(strstr(ran.errors, "not in the waveform"));
        assert_int_equal(wave_number(ran.json, "compared"), 15 * (plan.clocks - plan.reset));
        wave_done(&ran);
        check_as(&m, CORE, "spec");
        assert_true(m.ret_any_rs1 > 0);
        assert_int_equal(group("ret_any_rs1"), m.ret_any_rs1);
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies XLEN 32: halves of counters are written and read, and hpmcounter3h reads 0 in RTL. */
static void halves_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 61; seed <= 64; seed++) {
        const struct wave_plan plan = { .clocks = 3000, .reset = 5, .seed = seed, .rv32 = true };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, "cv32a6_imac_sv32", "rtl");
        assert_int_equal(ran.code, 0);
        wave_done(&ran);
        check_as(&m, "cv32a6_imac_sv32", "spec");
        assert_true(m.shadow3h > 20);
        assert_int_equal(group("shadow3h_zero"), m.shadow3h);
        assert_int_equal(wave_number(ran.json, "differences"),
                         m.or_ports + m.ret_any_rs1 + m.others + m.shadow3h);
        wave_done(&ran);
        wave_run(&ran, "check", "--core", "cv64a6_imafdc_sv39", m.path, NULL);
        assert_int_equal(ran.code, 2);
        assert_non_null(strstr(ran.errors, "data_o has 32 bits"));
        wave_remove(&m);
    }
}

static const struct {
    enum wave_defect defect;
    const char *clause, *like;
} defects[] = {
    { WAVE_FLIP, NULL, "" },
    { WAVE_EXTRA, NULL, "" },
    { WAVE_LOST_WRITE, "HPM.COUNT.2", "" },
    { WAVE_SELECTOR, "HPM.MAP.9", "" },
    { WAVE_READ, NULL, "" },
    { WAVE_UNKNOWN, NULL, "" },
    { WAVE_MCYCLE, NULL, "" },
    { WAVE_IGNORE_INHIBIT, "HPM.INHIBIT.1", "" },
    { WAVE_DEBUG_COUNTS, "HPM.DEBUG.1", "debug_runs" },
    { WAVE_NO_FREEZE, "HPM.STROBE.1", "write_freezes_all" },
};

static void expect_register(const char *got, enum wave_defect defect, unsigned counter)
{
    char name[40];

    snprintf(name, sizeof name, defect == WAVE_SELECTOR ? "mhpmevent%u" : "mhpmcounter%u", counter);
    assert_string_equal(got, defect == WAVE_READ     ? "data_o"
                             : defect == WAVE_MCYCLE ? "mcycle"
                                                     : name);
}

/* Verifies that one defect is seen at its very edge, with its register, time and rule. */
static void defects_are_caught_at_their_edge(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++)
        for (unsigned at = 401; at < 1000; at += 149) {
            const struct wave_plan plan = {
                .clocks = 1500, .reset = 5, .seed = 77 + at, .defect = defects[i].defect, .at = at
            };
            struct wave_made m;
            wave_make(&plan, &m);
            assert_true(m.hit >= at && m.hit < plan.clocks - 1);
            wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json", m.path,
                     NULL);
            if (ran.code != 1)
                fail_msg("defect %zu at %u: exit %d %s", i, at, ran.code, ran.errors);
            const json_t *first = json_array_get(json_object_get(ran.json, "shown"), 0);
            const int64_t edge = (int64_t)m.hit + (defects[i].defect != WAVE_READ);
            assert_int_equal(wave_number(first, "edge"), edge);
            assert_int_equal(wave_number(first, "time"), 10 * edge + 5);
            expect_register(wave_text(first, "register"), defects[i].defect, m.hit_counter);
            if (defects[i].clause)
                assert_string_equal(wave_text(first, "clause"), defects[i].clause);
            assert_string_equal(wave_text(first, "like"), defects[i].like);
            assert_int_equal(wave_number(ran.json, "differences"), 1);
            wave_done(&ran);
            wave_remove(&m);
        }
}

/* Verifies what a difference looks like, as text and as CSV. */
static void a_difference_is_told_with_its_reasons(void **state)
{
    static const char *const lines[] = {
        ": difference at edge 700 (7,005 ns): mhpmcounter",
        "\n  design  0x",
        "\n  model   0x",
        "\n  clock   mcountinhibit 0x",
        ", selector ",
        "\n  writes  ",
        "; mhpmevent",
        "\n  rule    HPM.",
        "\n  mhpmevent8             1,495              0  ",
        " values compared, 1 difference\n",
        "\n  differences by rule\n               1  HPM.",
        "first at edge 700; mhpmcounter",
    };
    const struct wave_plan plan = {
        .clocks = 1500, .reset = 5, .seed = 4, .defect = WAVE_FLIP, .at = 699
    };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "-k", m.path, NULL);
    assert_int_equal(ran.code, 1);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(ran.out, lines[i]))
            fail_msg("no \"%s\" in: %s", lines[i], ran.out);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "-k", "--format", "csv", m.path,
             NULL);
    assert_int_equal(ran.code, 1);
    assert_ptr_equal(strstr(ran.out, "file,core,profile,scope,register,compared,differences,"),
                     ran.out);
    assert_non_null(strstr(ran.out, "perf_counters_i,mcycle,1495,0,,,,,,,,,\r\n"));
    assert_non_null(strstr(ran.out, ",1495,1,700,7005,0x"));
    wave_remove(&m);
}

/* Verifies that the model goes on from the design's value: a defect of one clock is told once. */
static void a_difference_is_told_once(void **state)
{
    const struct wave_plan plan = {
        .clocks = 1200, .reset = 5, .seed = 5, .defect = WAVE_EXTRA, .at = 600
    };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    check_as(&m, CORE, "rtl");
    assert_int_equal(ran.code, 1);
    assert_int_equal(wave_number(ran.json, "differences"), 1);
    assert_int_equal(wave_number(ran.json, "edges"), 1200);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that a write of mcycle, which does not pass through perf_counters, is taken over. */
static void writes_of_mcycle_are_taken_over(void **state)
{
    const struct wave_plan plan = { .clocks = 600, .reset = 5, .seed = 6, .mcycle_write = 300 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    check_as(&m, CORE, "rtl");
    assert_int_equal(ran.code, 0);
    assert_non_null(strstr(
        ran.errors, "note[PC-N1044]: writes of mcycle or minstret taken over from the design: 1"));
    const json_t *mcycle = wave_find(json_object_get(ran.json, "registers"), "name", "mcycle");
    assert_int_equal(wave_number(mcycle, "compared"), 594);
    assert_in_range(wave_number(mcycle, "last"), 12345678 + 200, 12345678 + 299);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that an instruction which only reads mcycle is no write of it, where the trace tells. */
static void a_read_of_mcycle_is_no_write(void **state)
{
    /* also as the last clock of a word, and of a block */
    static const unsigned at[] = { 300, 319, 320, 64 * PC_BLOCK_WORDS - 1 };
    static const unsigned op[] = { 33, 34, 35, 36 };

    (void)state;
    for (size_t i = 0; i < 4 * 4; i++) {
        const bool reads = op[i % 4] == 34;
        const struct wave_plan plan = { .clocks = at[i / 4] + 280,
                                        .reset = 5,
                                        .seed = 6,
                                        .calm = 300,
                                        .mcycle_write = at[i / 4],
                                        .mcycle_op = op[i % 4] };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, CORE, "rtl");
        assert_int_equal(ran.code, reads ? 1 : 0);
        assert_int_equal(wave_number(ran.json, "differences"), reads ? 1 : 0);
        if (reads) {
            const json_t *shown = json_array_get(json_object_get(ran.json, "shown"), 0);
            assert_string_equal(wave_text(shown, "register"), "mcycle");
            assert_int_equal(wave_number(shown, "edge"), plan.mcycle_write + 1);
        }
        assert_true(reads == !strstr(ran.errors, "taken over from the design: 1"));
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies XLEN 32: of a written half of mcycle the other one is compared. */
static void the_half_that_is_not_written_is_compared(void **state)
{
    const struct wave_plan plan = {
        .clocks = 600, .reset = 5, .seed = 6, .rv32 = true, .mcycle_write = 300, .mcycle_high = true
    };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    check_as(&m, "cv32a6_imac_sv32", "rtl");
    assert_int_equal(ran.code, 0);
    assert_non_null(strstr(ran.errors, "taken over from the design: 1"));
    wave_done(&ran);
    wave_run(&ran, "check", "--core", "cv32a6_imac_sv32", "--quirk", "half_write_ticks=off",
             "--profile", "rtl", "-k", "--format", "json", m.path, NULL);
    assert_int_equal(ran.code, 1);
    assert_int_equal(wave_number(ran.json, "differences"), 1);
    assert_int_equal(group("half_write_ticks"), 1);
    const json_t *shown = json_array_get(json_object_get(ran.json, "shown"), 0);
    assert_string_equal(wave_text(shown, "register"), "mcycle");
    assert_string_equal(wave_text(shown, "clause"), "HPM.HALF.2");
    assert_int_equal(wave_number(shown, "edge"), 301);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that a sound waveform cannot pass without anything having been compared. */
static void comparing_nothing_is_no_success(void **state)
{
    const struct wave_plan plans[] = {
        { .clocks = 40, .reset = 40, .seed = 3 },
        { .clocks = 40, .reset = 4, .seed = 3, .no_changes = true },
        { .clocks = 40, .reset = 4, .seed = 3, .omit = { "we_i", "^.mcycle", "^.minstret" } },
    };
    static const char *const says[] = { "never leaves reset", "no edge", "missing: we_i" };

    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct wave_made m;
        wave_make(&plans[i], &m);
        wave_run(&ran, "check", "--core", CORE, m.path, NULL);
        assert_int_equal(ran.code, 2);
        assert_non_null(strstr(ran.errors, "error[PC-E1036]"));
        if (!strstr(ran.errors, says[i]))
            fail_msg("%s", ran.errors);
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies what is told beside a success: counters that never count, selectors cut to 5 bits. */
static void doubtful_successes_have_notes(void **state)
{
    const struct wave_plan idle = { .clocks = 11, .reset = 5, .seed = 4 };
    const struct wave_plan wide = { .clocks = 400, .reset = 5, .seed = 4, .wide_selectors = true };
    struct wave_made m;

    (void)state;
    wave_make(&idle, &m);
    check_as(&m, CORE, "rtl");
    assert_int_equal(ran.code, 0);
    assert_non_null(strstr(ran.errors, "note[PC-N1046]: no event counter counts"));
    wave_done(&ran);
    wave_remove(&m);
    wave_make(&wide, &m);
    check_as(&m, CORE, "rtl");
    assert_int_equal(ran.code, 0);
    assert_null(strstr(ran.errors, "PC-N1046"));
    assert_non_null(strstr(ran.errors, "keeps 5 bits: 0x10005, written at edge 12, selects 5"));
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that scopes are found by their ports, and that what is not clear is asked back. */
static void scopes_are_found_or_asked_for(void **state)
{
    const struct wave_plan one = { .clocks = 300, .reset = 5, .seed = 2, .instance = "hpm" };
    const struct wave_plan two = { .clocks = 300, .reset = 5, .seed = 2, .cores = 2 };
    struct wave_made m;

    (void)state;
    wave_make(&one, &m);
    check_as(&m, CORE, "rtl");
    assert_int_equal(ran.code, 0);
    assert_string_equal(wave_text(ran.json, "scope"), "top.core0.hpm");
    wave_done(&ran);
    wave_run(&ran, "check", "--core", CORE, "--scope", "hpn", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1032]", "perf_counters is in: top.core0.hpm");
    wave_run(&ran, "check", "--core", "cv64a6_imafdc_sv38", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1000]", "cv64a6_imafdc_sv39");
    wave_run(&ran, "check", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1020]", "--core");
    wave_run(&ran, "check", "--core", "cv32a6_imac_sv32", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1035]", "data_o has 64 bits");
    wave_run(&ran, "check", "--core", "cv32a60x", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1030]",
                      "no scope of the waveform has the ports of csr_regfile");
    wave_remove(&m);

    wave_make(&two, &m);
    wave_run(&ran, "check", "--core", CORE, m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1031]",
                      "top.core0.perf_counters_i, top.core1.perf_counters_i");
    wave_run(&ran, "check", "--core", CORE, "--scope", "perf_counters_i", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1031]", "matches 2 scopes");
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--scope", "core1.perf_counters_i",
             m.path, NULL);
    assert_int_equal(ran.code, 0);
    assert_non_null(strstr(ran.out, "scope top.core1.perf_counters_i"));
    wave_done(&ran);
    wave_remove(&m);
}

/* ---- maps ---- */

static const char *write_map(const char *text)
{
    static char path[40];

    snprintf(path, sizeof path, "/tmp/pcounter-map-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void check_map(const struct wave_made *m, const char *text)
{
    const char *path = write_map(text);

    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--map", path, "--format", "json",
             m->path, NULL);
    unlink(path);
}

/* Verifies what a map can say, and that each mistake in one is shown with its place. */
static void maps_are_read_and_doubted(void **state)
{
    static const struct {
        const char *text, *code, *says;
    } bad[] = {
        { "we_j = we_i\n", "error[PC-E1034]", "did you mean we_i" },
        { "# only\n\n", "error[PC-E1033]", "names no port" },
        { "we_i\n", "error[PC-E1033]", ":1:1" },
        { "\n  we_i =  # nothing\n", "error[PC-E1033]", ":2:" },
        { "we_i = 2\n", "error[PC-E1033]", "has 1 bits" },
        { "we_i = we_i\nwe_i = we_i\n", "error[PC-E1033]", "first in line 1" },
        { "we_i = wee_i\n", "error[PC-E0520]", ":1:8" },
        { "we_i = addr_i\n", "error[PC-E1035]", "has 12 bits" },
        { "we_i = addr_i[12]\n", "error[PC-E05", ":1:8" },
    };
    const struct wave_plan plan = { .clocks = 300, .reset = 5, .seed = 8 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_map(&m, bad[i].text);
        wave_expect_error(&ran, bad[i].code, bad[i].says);
    }
    wave_run(&ran, "check", "--core", CORE, "--map", "/nonexistent.map", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E0906]", "/nonexistent.map");
    check_map(&m, "we_i = we_i[0] # a slice\r\ndata_o = data_o[63:0]\nex_i.valid = ex_i.valid");
    assert_int_equal(ran.code, 0);
    wave_done(&ran);
    check_map(&m, "l1_icache_miss_i = l1_dcache_miss_i\nl1_dcache_miss_i = 0\n");
    assert_int_equal(ran.code, 1); /* the wrong wires are found out */
    wave_done(&ran);
    wave_remove(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_designs_agree),
        cmocka_unit_test(spec_finds_what_rtl_does_otherwise),
        cmocka_unit_test(wide_numbers_of_registers_agree),
        cmocka_unit_test(halves_agree),
        cmocka_unit_test(defects_are_caught_at_their_edge),
        cmocka_unit_test(a_difference_is_told_with_its_reasons),
        cmocka_unit_test(a_difference_is_told_once),
        cmocka_unit_test(writes_of_mcycle_are_taken_over),
        cmocka_unit_test(a_read_of_mcycle_is_no_write),
        cmocka_unit_test(the_half_that_is_not_written_is_compared),
        cmocka_unit_test(comparing_nothing_is_no_success),
        cmocka_unit_test(doubtful_successes_have_notes),
        cmocka_unit_test(scopes_are_found_or_asked_for),
        cmocka_unit_test(maps_are_read_and_doubted),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
