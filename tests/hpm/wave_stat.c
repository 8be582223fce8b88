/* SPDX-License-Identifier: MIT */
/* `pcounter stat --core` on waveforms that the tests make: every event, and windows. */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CORE "cv64a6_imafdc_sv39"

static struct wave_ran ran;

/* Verifies that every event is counted as the design sees it, over all and while enabled. */
static void events_are_counted(void **state)
{
    (void)state;
    for (uint64_t seed = 31; seed < 35; seed++) {
        const struct wave_plan plan = { .clocks = 2000, .reset = 7, .seed = seed };
        struct wave_made m;
        wave_make(&plan, &m);
        for (int enabled = 0; enabled < 2; enabled++) {
            wave_run(&ran, "stat", "--core", CORE, "--profile", "rtl", "--format", "json", "-e",
                     "all", m.path, enabled ? "--while-enabled" : NULL, NULL);
            assert_int_equal(ran.code, 0);
            const json_t *all = json_object_get(ran.json, "all");
            assert_int_equal(wave_number(ran.json, "passes"), 4);
            for (unsigned e = 1; e < 23; e++) {
                const json_t *row = json_array_get(json_object_get(all, "events"), e - 1);
                assert_int_equal(wave_number(row, "id"), e);
                assert_int_equal(wave_number(row, "value"), enabled ? m.enabled[e] : m.event[e]);
            }
            if (!enabled)
                assert_int_equal(wave_number(all, "instructions"), m.instructions);
            wave_done(&ran);
        }
        wave_remove(&m);
    }
}

/* The waveform's events by the configuration and by its description: each of them, and the cycles.
 */
static void same_counts(const char *core, const char *profile, const char *path)
{
    static struct wave_ran described;
    char yaml[100];

    snprintf(yaml, sizeof yaml, "%s.yaml", path);
    wave_run(&ran, "emit", "core", "--core", core, "--profile", profile, "--wave", path, "-o", yaml,
             NULL);
    assert_int_equal(ran.code, 0);
    wave_done(&ran);
    wave_run(&ran, "stat", "--core", core, "--profile", profile, "--format", "json", "-e", "all",
             path, NULL);
    wave_run(&described, "stat", "--core", yaml, "--format", "json", "-e", "all", path, NULL);
    if (ran.code != 0 || described.code != 0)
        fail_msg("%s%s", ran.errors, described.errors);
    assert_string_equal(wave_text(described.json, "profile"), profile);
    const json_t *all = json_object_get(ran.json, "all"), *events = json_object_get(all, "events");
    assert_int_equal(wave_number(all, "cycles"), wave_number(described.json, "cycles"));
    assert_int_equal(json_array_size(events), 22);
    for (size_t i = 0; i < 22; i++) {
        const json_t *one = json_array_get(events, i);
        const char *name = wave_text(one, "name");
        const json_t *other = wave_find(json_object_get(described.json, "events"), "name", name);
        if (!other || wave_number(one, "value") != wave_number(other, "value"))
            fail_msg("%s: %s: %d and %d", path, name, (int)wave_number(one, "value"),
                     other ? (int)wave_number(other, "value") : -1);
    }
    wave_done(&described);
    wave_done(&ran);
    unlink(yaml);
}

/* Verifies that a configuration and its description count the same: out of reset and debug mode. */
static void name_and_description_agree(void **state)
{
    static const struct {
        const char *core;
        struct wave_plan plan;
    } rows[] = {
        { CORE, { .clocks = 2000, .reset = 7, .seed = 51 } },
        { CORE, { .clocks = 900, .reset = 0, .seed = 52 } },
        { CORE, { .clocks = 900, .reset = 130, .seed = 53, .pulse = 400 } },
        { CORE, { .clocks = 900, .reset = 64, .seed = 54, .calm = 50 } },
        { CORE, { .clocks = 900, .reset = 5, .seed = 55, .unknown_miss = 300 } },
        { "cv32a6_imac_sv32", { .clocks = 2000, .reset = 7, .seed = 56, .rv32 = true } },
    };
    struct wave_made m;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wave_make(&rows[i].plan, &m);
        same_counts(rows[i].core, "rtl", m.path);
        same_counts(rows[i].core, "spec", m.path);
        wave_remove(&m);
    }
}

/* Verifies the same of CVA6 running programs. */
static void name_and_description_agree_on_programs(void **state)
{
    static const char *const files[] = {
        "median", "towers", "multiply", "dhrystone", "towers_fullcore",
    };
    char relative[80], path[600], copy[100];

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(relative, sizeof relative, "waves/cva6/cva6_%s.fst", files[i]);
        if (!test_shared(relative, path, sizeof path))
            continue;
        snprintf(copy, sizeof copy, "/tmp/pcounter-core-%ld.fst", (long)getpid());
        assert_int_equal(symlink(path, copy), 0);
        same_counts(CORE, "rtl", copy);
        same_counts(CORE, "spec", copy);
        unlink(copy);
    }
}

static int64_t stalls(const char *from, const char *to, const char *path)
{
    wave_run(&ran, "stat", "--core", CORE, "--format", "json", "-e", "PIPELINE_STALL", "--from",
             from, "--to", to, path, NULL);
    assert_int_equal(ran.code, 0);
    const json_t *all = json_object_get(ran.json, "all");
    const json_t *row = json_array_get(json_object_get(all, "events"), 0);
    int64_t n = wave_number(row, "value");
    wave_done(&ran);
    return n;
}

/* Verifies that windows join without a gap, by edges and by times, and that empty ones fail. */
static void windows_join(void **state)
{
    const struct wave_plan plan = { .clocks = 900, .reset = 7, .seed = 41 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    const int64_t all = stalls("0", "900", m.path);
    assert_int_equal(all, m.event[22]);
    for (unsigned at = 10; at < 900; at += 127) {
        char edge[20], time[20];
        snprintf(edge, sizeof edge, "%u", at);
        snprintf(time, sizeof time, "%u.%02uus", (10 * at + 5) / 1000, (10 * at + 5) % 1000 / 10);
        const int64_t before = stalls("0", edge, m.path);
        assert_int_equal(before + stalls(edge, "900", m.path), all);
        /* the time is cut to 10 ns, so it lies before the edge and after the one before */
        assert_int_equal(before, stalls("0ns", time, m.path));
    }
    wave_run(&ran, "stat", "--core", CORE, "-e", "LOAD", "--from", "900", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1039]", "nothing was counted");
    wave_run(&ran, "stat", "--core", CORE, "-e", "LOAD", "--from", "9 parsecs", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E0900]", "--from takes cycles");
    wave_run(&ran, "stat", "--core", CORE, "-e", "LODE", m.path, NULL);
    wave_expect_error(&ran, "error[PC-E1004]", "LOAD");
    wave_remove(&m);
}

/* Verifies that a count over an unknown wire says so, in every format, in its window alone. */
static void unknown_wires_taint(void **state)
{
    const struct wave_plan plan = { .clocks = 300, .reset = 7, .seed = 43, .unknown_miss = 100 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (unsigned at = 100; at < 102; at++) {
        const char *want = at == 100 ? "tainted" : "exact";
        char from[20], end[24];
        snprintf(from, sizeof from, "%u", at);
        snprintf(end, sizeof end, ",%s,\r\n", want);
        wave_run(&ran, "stat", "-q", "--core", CORE, "--format", "json", "-e", "L1I_MISS", "--from",
                 from, m.path, NULL);
        assert_int_equal(ran.code, 0);
        const json_t *all = json_object_get(ran.json, "all");
        assert_string_equal(wave_text(all, "state"), want);
        assert_int_equal(wave_number(all, "unknown_clocks"), at == 100);
        assert_string_equal(wave_text(json_array_get(json_object_get(all, "events"), 0), "state"),
                            want);
        wave_done(&ran);
        wave_run(&ran, "stat", "-q", "--core", CORE, "--format", "csv", "-e", "L1I_MISS", "--from",
                 from, m.path, NULL);
        assert_non_null(strstr(ran.out, end));
        wave_done(&ran);
        wave_run(&ran, "stat", "-q", "--core", CORE, "-e", "L1I_MISS", "--from", from, m.path,
                 NULL);
        assert_true((strstr(ran.out, "tainted: unknown inputs in 1 clock") != NULL) == (at == 100));
        wave_done(&ran);
    }
    wave_remove(&m);
}

/* Verifies that valid bits of the D-cache that are x taint in the clocks of its misses alone. */
static void unknown_ways_taint(void **state)
{
    const struct wave_plan plan = { .clocks = 300, .reset = 7, .seed = 45, .unknown_ways = 100 };
    struct wave_made m;
    char note[80];

    (void)state;
    wave_make(&plan, &m);
    assert_true(m.ways_unknown > 0 && m.ways_unknown < 200);
    snprintf(note, sizeof note, "note[PC-N1043]: unknown inputs in %u clocks",
             (unsigned)m.ways_unknown);
    wave_run(&ran, "stat", "--core", CORE, "--format", "json", "-e", "L1_EVICTION", m.path, NULL);
    assert_int_equal(ran.code, 0);
    const json_t *all = json_object_get(ran.json, "all");
    assert_int_equal(wave_number(all, "unknown_clocks"), m.ways_unknown);
    assert_string_equal(wave_text(all, "state"), "tainted");
    assert_non_null(strstr(ran.errors, note));
    wave_done(&ran);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "-k", m.path, NULL);
    assert_non_null(strstr(ran.errors, note));
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that the report names the quirks that were switched: its profile is not the whole. */
static void switched_quirks_are_named(void **state)
{
    const struct wave_plan plan = { .clocks = 100, .reset = 7, .seed = 46 };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    for (int on = 0; on < 2; on++) {
        wave_run(&ran, "stat", "--core", CORE, "-e", "LOAD", m.path, on ? "--quirk" : NULL,
                 "or_ports=off", NULL);
        assert_non_null(
            strstr(ran.out, on ? ", profile rtl -or_ports, 1 pass" : ", profile rtl, 1 pass"));
        wave_done(&ran);
        wave_run(&ran, "stat", "--core", CORE, "-e", "LOAD", "--format", "json", m.path,
                 on ? "--quirk" : NULL, "or_ports=off", NULL);
        assert_string_equal(wave_text(ran.json, "switched"), on ? "-or_ports" : "");
        wave_done(&ran);
        wave_run(&ran, "stat", "--core", CORE, "-e", "LOAD", "--format", "csv", m.path,
                 on ? "--quirk" : NULL, "or_ports=off", NULL);
        assert_non_null(strstr(ran.out, ",state,switched\r\n"));
        assert_non_null(strstr(ran.out, on ? ",exact,-or_ports\r\n" : ",exact,\r\n"));
        wave_done(&ran);
    }
    wave_remove(&m);
}

/* Verifies that nothing per instruction is told where there was none: 0 / 0 is no 0. */
static void nothing_per_no_instruction(void **state)
{
    const struct wave_plan plan = { .clocks = 300, .reset = 7, .seed = 44 };
    struct wave_made m;
    char from[20], to[20];
    unsigned at = 7;

    (void)state;
    wave_make(&plan, &m);
    for (int64_t instructions = 1; instructions != 0; at++) {
        assert_true(at < 300);
        snprintf(from, sizeof from, "%u", at);
        snprintf(to, sizeof to, "%u", at + 1);
        wave_run(&ran, "stat", "--core", CORE, "--format", "json", "-e", "L1I_MISS", "--from", from,
                 "--to", to, m.path, NULL);
        assert_int_equal(ran.code, 0);
        const json_t *all = json_object_get(ran.json, "all");
        instructions = wave_number(all, "instructions");
        const json_t *row = json_array_get(json_object_get(all, "events"), 0);
        const json_t *per = json_object_get(json_object_get(row, "derived"), "per_instruction");
        assert_int_equal(json_is_null(per), instructions == 0);
        wave_done(&ran);
    }
    wave_run(&ran, "stat", "--core", CORE, "--format", "csv", "-e", "L1I_MISS", "--from", from,
             "--to", to, m.path, NULL);
    assert_non_null(strstr(ran.out, ",mcycle,cycles,1,1,0,,1.000000,exact,\r\n"));
    wave_done(&ran);
    wave_run(&ran, "stat", "--core", CORE, "-e", "L1I_MISS", "--from", from, "--to", to, m.path,
             NULL);
    assert_non_null(strstr(ran.out, "        - per 1000 instructions"));
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that a 0 which the core's configuration makes certain is told, and no other one. */
static void a_certain_0_is_told(void **state)
{
    static const char no_fp[] = "commit_instr_i[0].fu = 3\ncommit_instr_i[1].fu = 3\n"
                                "branch_exceptions_i.valid = 0\nitlb_miss_i = 0\n";
    static const struct {
        const char *core;
        bool rv32, mapped, fp, branch;
    } rows[] = {
        { "cv32a6_imac_sv32", true, true, true, true },
        { CORE, false, true, false, true },
        { "cv32a6_imac_sv32", true, false, false, false }, /* a design that is another one */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct wave_plan plan = {
            .clocks = 300, .reset = 5, .seed = 51, .rv32 = rows[i].rv32
        };
        struct wave_made m;
        char map[64] = "/tmp/pcounter-map-XXXXXX";
        const int fd = mkstemp(map);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, no_fp, sizeof no_fp - 1), sizeof no_fp - 1);
        close(fd);
        wave_make(&plan, &m);
        wave_run(&ran, "stat", "--core", rows[i].core, "-e", "21,11,3,20", m.path,
                 rows[i].mapped ? "--map" : NULL, map, NULL);
        assert_int_equal(ran.code, 0);
        const char *fp =
            strstr(ran.errors, "note[PC-N1049]: FLOATING_POINT_INSTRUCTIONS_RETIRED is "
                               "always 0 on cv32a6_imac_sv32: this core has no "
                               "floating-point unit\n");
        const char *branch = strstr(ran.errors, "note[PC-N1049]: BRANCH_EXCEPTIONS is always 0");
        assert_true(rows[i].fp == (fp != NULL));
        assert_true(rows[i].branch == (branch != NULL));
        assert_null(strstr(ran.errors, "ITLB_MISSES is always"));
        wave_done(&ran);
        unlink(map);
        wave_remove(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_and_description_agree),
        cmocka_unit_test(name_and_description_agree_on_programs),
        cmocka_unit_test(events_are_counted),
        cmocka_unit_test(windows_join),
        cmocka_unit_test(unknown_wires_taint),
        cmocka_unit_test(nothing_per_no_instruction),
        cmocka_unit_test(a_certain_0_is_told),
        cmocka_unit_test(unknown_ways_taint),
        cmocka_unit_test(switched_quirks_are_named),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
