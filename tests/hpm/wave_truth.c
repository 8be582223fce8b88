/* SPDX-License-Identifier: MIT */
/*
 * `pcounter check` and `pcounter stat --core` on waveforms of CVA6 running programs, against
 * counts that were made otherwise (waves/cva6/<run>.truth.json): every register at every edge,
 * every event over whole runs and over windows, the same run in six encodings.
 */
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORE "cv64a6_imafdc_sv39"

static struct wave_ran ran;

static const char *wave_path(const char *name)
{
    static char path[1000];
    char relative[200];

    snprintf(relative, sizeof relative, "waves/cva6/%s", name);
    if (!test_shared(relative, path, sizeof path))
        skip();
    return path;
}

static json_t *truth(const char *name)
{
    json_t *out = json_load_file(wave_path(name), 0, NULL);

    if (!out)
        fail_msg("%s is not JSON", name);
    return out;
}

/* A run of the program that must succeed and print JSON. */
static void must(const char *what)
{
    if (ran.code != 0 || !ran.json)
        fail_msg("%s: exit %d: %s%s", what, ran.code, ran.out, ran.errors);
}

static int64_t last(const char *name)
{
    return wave_number(wave_find(json_object_get(ran.json, "registers"), "name", name), "last");
}

/* Every register was compared at every edge out of reset, and ends as the design's does. */
static void expect_whole(const char *file, const json_t *t)
{
    const int64_t edges = wave_number(t, "posedges_out_of_reset");
    const json_t *regs = json_object_get(ran.json, "registers");
    const json_t *hw = json_object_get(t, "final_hw");
    const json_t *counter = json_object_get(hw, "generic_counter_q");
    const json_t *selector = json_object_get(hw, "mhpmevent_q");

    must(file);
    assert_int_equal(wave_number(ran.json, "edges"), wave_number(t, "posedges_total"));
    assert_int_equal(wave_number(ran.json, "differences"), 0);
    assert_true(json_array_size(regs) >= 15); /* after them those of csr_regfile, if it is there */
    for (size_t i = 0; i < 15; i++)
        assert_int_equal(wave_number(json_array_get(regs, i), "compared"), edges);
    for (unsigned i = 0; i < 6; i++) {
        char name[40];
        snprintf(name, sizeof name, "mhpmcounter%u", i + 3);
        assert_int_equal(last(name), json_integer_value(json_array_get(counter, i)));
        snprintf(name, sizeof name, "mhpmevent%u", i + 3);
        assert_int_equal(last(name), json_integer_value(json_array_get(selector, i)));
    }
    assert_int_equal(last("mcycle"), wave_number(hw, "mcycle"));
    assert_int_equal(last("minstret"), wave_number(hw, "minstret"));
}

static const char *const runs[] = { "median", "towers", "multiply", "dhrystone" };

/* Verifies that the profile rtl agrees with the RTL in every register at every edge of each run. */
static void runs_agree_with_rtl(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char file[60], about[60];
        snprintf(file, sizeof file, "cva6_%s.fst", runs[i]);
        snprintf(about, sizeof about, "cva6_%s.truth.json", runs[i]);
        json_t *t = truth(about);
        wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json",
                 wave_path(file), NULL);
        expect_whole(file, t);
        wave_done(&ran);
        json_decref(t);
    }
}

/*
 * Verifies that the profile spec differs in these runs nowhere: no counter of theirs counts in
 * a clock in which two instructions of its class retire, or a jr of another register.
 */
static void runs_have_nothing_that_spec_sees(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char file[60];
        snprintf(file, sizeof file, "cva6_%s.fst", runs[i]);
        wave_run(&ran, "check", "--core", CORE, "-k", "--format", "json", wave_path(file), NULL);
        must(file);
        assert_int_equal(wave_number(ran.json, "differences"), 0);
        wave_done(&ran);
    }
}

/* Verifies that every encoding of one run is read alike, the flat one through its map. */
static void encodings_agree(void **state)
{
    static const struct {
        const char *file, *map;
    } encodings[] = {
        { "cva6_towers_verilator.vcd.gz", NULL },
        { "cva6_towers_gtkwave_zlib.fst", NULL },
        { "cva6_towers_gtkwave_fastlz.fst", NULL },
        { "cva6_towers_gtkwave_gzwrapped.fst", NULL },
        { "cva6_towers_fullcore.fst", NULL },
        { "cva6_towers_flat.fst", PC_SOURCE_DIR "/examples/cva6/flat.map" },
    };
    json_t *t = truth("cva6_towers.truth.json");

    (void)state;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        const char *path = wave_path(encodings[i].file);
        wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json", path,
                 encodings[i].map ? "--map" : NULL, encodings[i].map, NULL);
        expect_whole(encodings[i].file, t);
        wave_done(&ran);
    }
    json_decref(t);
}

/*
 * Verifies that of a core without event counters what csr_regfile has is compared, and that this
 * design is none: its mcountinhibit keeps bits.
 */
static void fixed_counters_are_compared_alone(void **state)
{
    (void)state;
    wave_run(&ran, "check", "--core", "cv64a6_mmu", "--profile", "rtl", "--format", "json", "-k",
             wave_path("cva6_towers_fullcore.fst"), NULL);
    assert_int_equal(ran.code, 1);
    const json_t *regs = json_object_get(ran.json, "registers");
    assert_int_equal(json_array_size(regs), 7);
    assert_int_equal(wave_number(wave_find(regs, "name", "mcycle"), "differences"), 0);
    assert_int_equal(wave_number(wave_find(regs, "name", "minstret"), "differences"), 0);
    assert_int_equal(wave_number(wave_find(regs, "name", "mcountinhibit"), "differences"), 2);
    assert_int_equal(wave_number(wave_find(regs, "name", "csr_exception"), "differences"), 0);
    assert_int_equal(wave_number(wave_find(regs, "name", "mcycle"), "compared"), 30352);
    assert_int_equal(wave_number(wave_find(regs, "name", "minstret"), "compared"), 30352);
    assert_int_equal(json_array_size(json_object_get(ran.json, "not_compared")), 0);
    assert_non_null(strstr(wave_text(ran.json, "scope"), "csr_regfile_i"));
    wave_done(&ran);
}

/* Verifies that without its map the flat file is compared in part, and says so. */
static void without_a_map_less_is_compared(void **state)
{
    (void)state;
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json",
             wave_path("cva6_towers_flat.fst"), NULL);
    must("flat");
    const json_t *regs = json_object_get(ran.json, "registers");
    assert_non_null(strstr(ran.errors, "not in the waveform: ex_i.valid"));
    assert_null(wave_find(regs, "name", "minstret"));
    assert_string_equal(
        wave_text(wave_find(json_object_get(ran.json, "not_compared"), "name", "minstret"), "why"),
        "ex_i.valid is not in the waveform");
    assert_int_equal(wave_number(wave_find(regs, "name", "mhpmevent3"), "compared"), 30352);
    /* 25244 without a clock in which its event is selected; the others where known wires decide */
    assert_in_range(wave_number(wave_find(regs, "name", "mhpmcounter3"), "compared"), 25244, 30351);
    wave_done(&ran);
}

/* ---- events ---- */

/* "0x05_load": the number in front. */
static void expect_events(const char *what, const json_t *window, const json_t *t)
{
    const json_t *rows = json_object_get(window, "events");
    const json_t *expected = json_object_get(t, "event_cycles");
    void *at = json_object_iter((json_t *)(uintptr_t)expected);
    unsigned events = 0;

    for (; at; at = json_object_iter_next((json_t *)(uintptr_t)expected, at), events++) {
        char id[5];
        snprintf(id, sizeof id, "%s", json_object_iter_key(at));
        const json_t *row = json_array_get(rows, (size_t)strtol(id, NULL, 16) - 1);
        if (wave_number(row, "value") != json_integer_value(json_object_iter_value(at)))
            fail_msg("%s: %s is %lld", what, json_object_iter_key(at),
                     (long long)wave_number(row, "value"));
    }
    assert_int_equal(events, 22);
}

/* Verifies all 22 events of whole runs. */
static void events_of_runs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char file[60], about[60];
        snprintf(file, sizeof file, "cva6_%s.fst", runs[i]);
        snprintf(about, sizeof about, "cva6_%s.truth.json", runs[i]);
        json_t *t = truth(about);
        wave_run(&ran, "stat", "--core", CORE, "--profile", "rtl", "--format", "json", "-e", "all",
                 wave_path(file), NULL);
        must(file);
        const json_t *all = json_object_get(ran.json, "all");
        assert_int_equal(wave_number(all, "cycles"), wave_number(t, "posedges_out_of_reset"));
        assert_int_equal(wave_number(all, "instructions"), wave_number(t, "commit_ack_ones"));
        expect_events(file, all, t);
        wave_done(&ran);
        json_decref(t);
    }
}

/* Verifies the windows in which mcountinhibit is 0, through a map of wires of another name. */
static void windows_of_a_long_run(void **state)
{
    static const struct {
        const char *wire;
        unsigned event;
    } events[] = {
        { "ev_l1_icache_miss", 1 },
        { "ev_l1_dcache_miss", 2 },
        { "ev_load", 5 },
        { "ev_store", 6 },
        { "ev_branch", 9 },
        { "ev_mispredict", 10 },
        { "ev_call", 12 },
        { "ev_return", 13 },
        { "ev_sb_full", 14 },
        { "ev_if_empty", 15 },
        { "ev_icache_req", 16 },
        { "ev_dcache_req", 17 },
        { "ev_dcache_eviction", 18 },
        { "ev_int", 20 },
        { "ev_fp", 21 },
        { "ev_stall_issue", 22 },
    };
    json_t *t = truth("cva6_dhrystone_long_events.truth.json");
    const json_t *windows = json_object_get(t, "windows_with_mcountinhibit_zero");

    (void)state;
    wave_run(&ran, "stat", "--core", CORE, "--profile", "rtl", "--format", "json", "-e", "all",
             "--while-enabled", "--map", PC_SOURCE_DIR "/examples/cva6/events.map",
             wave_path("cva6_dhrystone_long_events.fst"), NULL);
    must("long_events");
    const json_t *mine = json_object_get(ran.json, "windows");
    assert_int_equal(json_array_size(mine), json_array_size(windows));
    for (size_t i = 0; i < json_array_size(windows); i++) {
        const json_t *w = json_array_get(windows, i), *m = json_array_get(mine, i);
        const json_t *rows = json_object_get(m, "events");
        assert_int_equal(wave_number(m, "first_edge"), wave_number(w, "first_posedge") - 1);
        assert_int_equal(wave_number(m, "edges"), wave_number(w, "edges"));
        for (size_t k = 0; k < sizeof events / sizeof events[0]; k++)
            assert_int_equal(wave_number(json_array_get(rows, events[k].event - 1), "value"),
                             wave_number(json_object_get(w, "events"), events[k].wire));
    }
    wave_done(&ran);
    json_decref(t);
}

/* Verifies that a file of event wires alone cannot be checked, with or without a map. */
static void event_wires_are_not_enough_to_check(void **state)
{
    const char *path = wave_path("cva6_dhrystone_long_events.fst");

    (void)state;
    wave_run(&ran, "check", "--core", CORE, path, NULL);
    assert_int_equal(ran.code, 2);
    assert_non_null(strstr(ran.errors, "error[PC-E1030]"));
    wave_run(&ran, "check", "--core", CORE, "--map", PC_SOURCE_DIR "/examples/cva6/events.map",
             path, NULL);
    assert_int_equal(ran.code, 2);
    assert_non_null(strstr(ran.errors, "missing: generic_counter_q[1], mhpmevent_q[1], data_o"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_agree_with_rtl),
        cmocka_unit_test(runs_have_nothing_that_spec_sees),
        cmocka_unit_test(encodings_agree),
        cmocka_unit_test(fixed_counters_are_compared_alone),
        cmocka_unit_test(without_a_map_less_is_compared),
        cmocka_unit_test(events_of_runs),
        cmocka_unit_test(windows_of_a_long_run),
        cmocka_unit_test(event_wires_are_not_enough_to_check),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
