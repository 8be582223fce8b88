/* SPDX-License-Identifier: MIT */
/* `pcounter check` on waveforms that lack ports: what is not compared, and that it is told. */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#define CORE "cv64a6_imafdc_sv39"

static struct wave_ran ran;

/* Verifies that a missing port stops the counters that need it, says so, and no others. */
static void missing_ports_are_told(void **state)
{
    const struct wave_plan plan = { .clocks = 1500,
                                    .reset = 5,
                                    .seed = 9,
                                    .omit = { "miss_vld_bits_i[1]", "commit_instr_i[1].fu" } };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "-k", "--format", "json", m.path,
             NULL);
    assert_int_equal(ran.code, 0);
    assert_non_null(strstr(ran.errors, "commit_instr_i[1].fu, miss_vld_bits_i[1]"));
    const json_t *regs = json_object_get(ran.json, "registers");
    const int64_t compared = wave_number(wave_find(regs, "name", "mhpmcounter3"), "compared");
    assert_in_range(compared, 1000, 1494); /* where the other wires do not decide it is not */
    assert_int_equal(wave_number(wave_find(regs, "name", "mhpmevent3"), "compared"), 1495);
    wave_done(&ran);
    wave_run(&ran, "stat", "--core", CORE, "-e", "LOAD", m.path, NULL);
    assert_int_equal(ran.code, 2);
    assert_non_null(strstr(ran.errors, "error[PC-E1037]"));
    assert_non_null(strstr(ran.errors, "missing: commit_instr_i[1].fu"));
    wave_done(&ran);
    wave_remove(&m);
}

/*
 * Verifies that a counter is not compared where an unknown input decides, that this is said, and
 * that the description does the same.
 */
static void unknown_inputs_are_no_verdict(void **state)
{
    static struct wave_ran described;
    int64_t lost = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct wave_plan plan = {
            .clocks = 450, .reset = 5, .seed = 60 + seed, .unknown_miss = 400
        };
        struct wave_made m;
        wave_make(&plan, &m);
        wave_run(&ran, "emit", "core", "--core", CORE, "--wave", m.path, "-o", "unknown.yaml",
                 NULL);
        assert_int_equal(ran.code, 0);
        wave_done(&ran);
        wave_run(&described, "check", "--core", "unknown.yaml", "--format", "json", m.path, NULL);
        wave_run(&ran, "check", "--core", CORE, "--format", "json", m.path, NULL);
        assert_int_equal(ran.code, 0);
        assert_int_equal(described.code, 0);
        assert_non_null(strstr(ran.errors, "note[PC-N1043]: unknown inputs in 1 clock: what they "
                                           "decide is not compared"));
        lost += 15 * (plan.clocks - plan.reset) - wave_number(ran.json, "compared");
        for (unsigned c = 3; c <= 8; c++) {
            char name[32];
            snprintf(name, sizeof name, "mhpmcounter%u", c);
            assert_int_equal(
                wave_number(wave_find(json_object_get(ran.json, "registers"), "name", name),
                            "compared"),
                wave_number(wave_find(json_object_get(described.json, "registers"), "name", name),
                            "compared"));
        }
        wave_done(&described);
        wave_done(&ran);
        wave_remove(&m);
    }
    remove("unknown.yaml");
    assert_in_range(lost, 1, 40 * 6); /* each time at most the counters, at one edge */
}

/* Verifies what is said of a waveform without some port that is not an event's, and its verdict. */
static void ports_of_the_module_may_be_missing(void **state)
{
    static const struct {
        const char *omit;
        int code;
        const char *says;
    } rows[] = {
        { "commit_ack_i", 0, "taken over from the design: 1" },
        { "we_i", 2, "not in the waveform: we_i; no event counter is compared" },
        { "addr_i", 1, "  writes  not known: addr_i is not in the waveform" },
        { "rst_ni", 0, "does not begin in reset, as far as is seen without rst_ni" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct wave_plan plan = { .clocks = 600, .reset = 5, .seed = 6, .mcycle_write = 300 };
        struct wave_made m;
        plan.omit[0] = rows[i].omit;
        wave_make(&plan, &m);
        wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", m.path, NULL);
        assert_int_equal(ran.code, rows[i].code);
        if (!strstr(ran.errors, rows[i].says) && !strstr(ran.out, rows[i].says))
            fail_msg("%s: %s%s", rows[i].omit, ran.errors, ran.out);
        assert_true(strcmp(rows[i].omit, "we_i") != 0 || !strstr(ran.errors, "PC-N1046"));
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies what `stat` says of a port whose absence lets it count more, and where it says nothing.
 */
static void stat_tells_what_counts_too(void **state)
{
    static const struct {
        const char *omit, *says;
    } rows[] = {
        { "ex_i.valid", "ex_i.valid is not in the waveform: instructions are also counted in "
                        "clocks with exceptions" },
        { "debug_mode_i",
          "debug_mode_i is not in the waveform: clocks in debug mode are also counted" },
        { "rst_ni", "rst_ni is not in the waveform: clocks in reset are also counted" },
        { "commit_ack_i", "commit_ack_i is not in the waveform: instructions are not counted" },
        { "sb_full_i", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct wave_plan plan = { .clocks = 100, .reset = 5, .seed = 6 };
        struct wave_made m;
        plan.omit[0] = rows[i].omit;
        wave_make(&plan, &m);
        wave_run(&ran, "stat", "--core", CORE, "-e", "L1I_MISS", m.path, NULL);
        assert_int_equal(ran.code, 0);
        assert_true((strstr(ran.errors, "PC-N1041") != NULL) == (rows[i].says != NULL));
        if (rows[i].says && !strstr(ran.errors, rows[i].says))
            fail_msg("%s: %s", rows[i].omit, ran.errors);
        wave_done(&ran);
        wave_run(&ran, "stat", "--core", CORE, "--profile", "rtl", "--quirk", "debug_runs=on", "-e",
                 "L1I_MISS", m.path, NULL);
        assert_true(strcmp(rows[i].omit, "debug_mode_i") != 0 || !strstr(ran.errors, "PC-N1041"));
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies that instructions that were asked for are an error where they cannot be counted. */
static void no_instructions_without_commits(void **state)
{
    static const char *const names[] = { "instret", "MINSTRET", "cycles,instructions" };
    struct wave_plan plan = { .clocks = 100, .reset = 5, .seed = 6, .omit = { "commit_ack_i" } };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        wave_run(&ran, "stat", "--core", CORE, "-e", names[i], m.path, NULL);
        assert_int_equal(ran.code, 2);
        assert_non_null(strstr(ran.errors, "error[PC-E1037]: minstret cannot be counted"));
        assert_non_null(strstr(ran.errors, "missing: commit_ack_i;"));
        wave_done(&ran);
    }
    wave_run(&ran, "stat", "--core", CORE, "-e", "cycles", m.path, NULL);
    assert_int_equal(ran.code, 0);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that returns without rs1 are told to be those of the RTL, where they would be others. */
static void returns_without_rs1_are_told(void **state)
{
    static const char note[] =
        "note[PC-N1041]: commit_instr_i[1].rs1 is not in the waveform: RETURN_INSTRUCTIONS_RETIRED "
        "is every jalr with rd=x0, whatever rs1 is";
    static const struct {
        const char *verb, *profile, *event;
        bool told;
    } rows[] = {
        { "stat", "spec", "RETURN", true }, { "stat", "rtl", "RETURN", false },
        { "stat", "spec", "CALL", false },  { "check", "spec", NULL, true },
        { "check", "rtl", NULL, false },
    };
    const struct wave_plan plan = {
        .clocks = 100, .reset = 5, .seed = 6, .omit = { "commit_instr_i[1].rs1" }
    };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wave_run(&ran, rows[i].verb, "--core", CORE, "--profile", rows[i].profile, m.path,
                 rows[i].event ? "-e" : NULL, rows[i].event, NULL);
        assert_true((strstr(ran.errors, "PC-N1041") != NULL) == rows[i].told);
        assert_true((strstr(ran.errors, note) != NULL) == rows[i].told);
        wave_done(&ran);
    }
    wave_remove(&m);
}

/* Verifies that valid bits of another number of ways than the core's are told, and no others. */
static void another_number_of_ways_is_told(void **state)
{
    static const char *const verbs[] = { "check", "stat" };
    static const char note[] = "note[PC-N1050]: miss_vld_bits_i[0] has 4 bits, and the D-cache of "
                               "cv64a6_imafdc_sv39 8 ways";

    (void)state;
    for (unsigned ways = 4; ways <= 8; ways += 4) {
        const struct wave_plan plan = { .clocks = 100, .reset = 5, .seed = 6, .ways = ways };
        struct wave_made m;
        wave_make(&plan, &m);
        for (unsigned i = 0; i < 2; i++) {
            wave_run(&ran, verbs[i], "--core", CORE, m.path, NULL);
            assert_true((strstr(ran.errors, "PC-N1050") != NULL) == (ways == 4));
            assert_true(ways != 4 || strstr(ran.errors, note));
            wave_done(&ran);
        }
        wave_remove(&m);
    }
}

/* Verifies that a scope with few of the ports is shown where none is taken for the counters'. */
static void a_scope_with_few_ports_is_shown(void **state)
{
    static const char hint[] =
        ".perf_counters_i has 3 of the ports that identify perf_counters: if "
        "it is one, name it with --scope";
    struct wave_plan plan = { .clocks = 100,
                              .reset = 5,
                              .seed = 6,
                              .omit = { "mcountinhibit_i", "stall_issue_i", "i_tlb_flush_i",
                                        "l1_dcache_miss_i", "l1_icache_miss_i", "if_empty_i",
                                        "sb_full_i" } };
    struct wave_made m;
    FILE *f = fopen("few.map", "w");

    (void)state;
    assert_non_null(f);
    fputs("mcountinhibit_i = 0\n", f);
    fclose(f);
    wave_make(&plan, &m);
    wave_run(&ran, "check", "--core", CORE, m.path, NULL);
    assert_non_null(strstr(ran.errors, hint));
    wave_expect_error(&ran, "PC-E1030", "no scope of the waveform has the ports");
    wave_run(&ran, "stat", "--core", CORE, "--map", "few.map", m.path, NULL);
    assert_non_null(strstr(ran.errors, hint));
    wave_expect_error(&ran, "PC-E1030", "no clock: the map has no signal for clk_i");
    f = fopen("few.map", "a");
    assert_non_null(f);
    fputs("clk_i = perf_counters_i.clk_i\n", f);
    fclose(f);
    wave_run(&ran, "stat", "--core", CORE, "--map", "few.map", m.path, NULL);
    assert_int_equal(ran.code, 0);
    assert_non_null(strstr(ran.errors, "note[PC-N1041]: ports are looked for by the map alone: "));
    assert_non_null(strstr(ran.errors, hint));
    wave_done(&ran);
    /* as it says */
    wave_run(&ran, "stat", "--core", CORE, "--map", "few.map", "--scope", "perf_counters_i", m.path,
             NULL);
    assert_int_equal(ran.code, 0);
    assert_null(strstr(ran.errors, "map alone"));
    assert_non_null(strstr(ran.out, "instructions"));
    wave_done(&ran);
    wave_remove(&m);
    remove("few.map");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_ports_are_told),
        cmocka_unit_test(unknown_inputs_are_no_verdict),
        cmocka_unit_test(ports_of_the_module_may_be_missing),
        cmocka_unit_test(stat_tells_what_counts_too),
        cmocka_unit_test(no_instructions_without_commits),
        cmocka_unit_test(another_number_of_ways_is_told),
        cmocka_unit_test(returns_without_rs1_are_told),
        cmocka_unit_test(a_scope_with_few_ports_is_shown),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
