/* SPDX-License-Identifier: MIT */
/*
 * Every VCD and FST of the corpus against its truth: scopes, variables, value streams,
 * timescale, times, value changes, and the rises and falls of the busiest scalars.
 * Where pcounter refuses a file, or the truth counts something else, a row below says why.
 */
#include "test.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS "waves/corpus/"

/* Files that are refused, when opened or when read, and by which error. */
static const struct {
    const char *file;
    unsigned code;
    const char *reason;
} refusals[] = {
    { "gtkwave/error_empty.vcd", 507, "it has no bytes" },
    { "wellen/wellen/issue_5.vcd", 610, "time runs from 4 back to 1; refused by default" },
};

/* Figures of the truth that mean something else than ours. */
static const struct {
    const char *file;
    const char *field;
    int64_t ours;
    const char *reason;
} exceptions[] = {
    { "wellen/migen/migen_original.vcd", "time_first", 0, "$enddefinitions is missing" },
    { "wellen/migen/migen_original.vcd", "time_last", 15, "$enddefinitions is missing" },
    { "wellen/migen/migen_original.vcd", "time_stamps", 6, "$enddefinitions is missing" },
    { "wellen/migen/migen_original.vcd", "value_change_records", 15, "$enddefinitions is missing" },
    { "wellen/migen/fractional_time_stamp.vcd", "time_last", 150,
      "\"#3.2\" has the unit change to 1/10 of the $timescale" },
    { "wellen/sigrok/libsigrok.vcd", "value_change_records", 11383,
      "several changes stand in one line, and the truth counted lines" },
    { "wellen/github_issues/issue28.vcd", "time_stamps", 200,
      "the last stamp is given twice, and is one for us" },
    { "wellen/surfer/picorv32.vcd.fst", "value_change_records", 44894,
      "as in its VCD; fst2vcd leaves out the values of 77 parameters" },
    { "gtkwave/evcd.fst", "value_change_records", 6, "the truth did not count port changes" },
    { "gtkwave/evcd.vcd", "value_change_records", 6, "the truth did not count port changes" },
};

/* Streams whose rises and falls the truth counted wrongly. */
static const struct {
    const char *file;
    const char *reason;
} uncounted[] = {
    { "wellen/sigrok/libsigrok.vcd",
      "several changes stand in one line, and the truth saw the last of them" },
    { "gtkwave/ghdl_basic.fst", "L to H is 0 to 1 for us; the truth knew 0 and 1 only" },
};

/* Scopes without a name: the truth took their type for one. */
static const char *const nameless_scopes[] = {
    "wellen/jtag/atxmega256a3u-bmda-jtag.vcd",
    "wellen/surfer/verilator_empty_scope.vcd",
    "wellen/surfer/verilator_empty_scope.vcd.fst",
};

static unsigned checked, differing;

static void complain(const char *file, const char *field, const char *expected, const char *got)
{
    fprintf(stderr, "%s: %s is %s, the truth says %s\n", file, field, got, expected);
    differing++;
}

static void compare(const char *file, json_t *truth, const char *field, bool has, uint64_t got)
{
    json_t *j = json_object_get(truth, field);
    double expected = json_is_number(j) ? json_number_value(j) : -1;
    char a[32], b[32];

    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (strcmp(exceptions[i].file, file) == 0 && strcmp(exceptions[i].field, field) == 0)
            expected = (double)exceptions[i].ours;
    double ours = has ? (double)got : -1;
    if (fabs(ours - expected) < 0.5)
        return;
    snprintf(a, sizeof a, "%.0f", expected);
    snprintf(b, sizeof b, "%.0f", ours);
    complain(file, field, a, b);
}

static void compare_timescale(const char *file, json_t *truth, const struct pc_wave_info *info)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "ps", "fs" };
    const char *text = json_string_value(json_object_get(truth, "timescale"));
    char *unit, got[64];
    double seconds;

    if (!text || !*text)
        return;
    seconds = strtod(text, &unit);
    while (*unit == ' ')
        unit++;
    for (int i = 0; i < 6; i++)
        if (strcmp(unit, units[i]) == 0)
            seconds *= pow(1000, -i);
    double ours = (double)info->timescale_factor * pow(10, info->timescale_exponent);
    if (fabs(ours / seconds - 1) < 1e-9)
        return;
    snprintf(got, sizeof got, "%" PRIu64 "e%d", info->timescale_factor, info->timescale_exponent);
    complain(file, "timescale", text, got);
}

static const char *our_name(const char *file, const char *name)
{
    for (size_t i = 0; i < sizeof nameless_scopes / sizeof nameless_scopes[0]; i++)
        if (strcmp(nameless_scopes[i], file) == 0 && strncmp(name, "module.", 7) == 0)
            return name + 7;
    return name;
}

static void compare_busiest(const char *file, json_t *truth, const struct pc_wave *wave,
                            const struct pc_var_activity *activity)
{
    json_t *all = json_object_get(truth, "busiest_scalars"), *row;
    const char *name;

    for (size_t i = 0; i < sizeof uncounted / sizeof uncounted[0]; i++)
        if (strcmp(uncounted[i].file, file) == 0)
            return;
    json_object_foreach(all, name, row)
    {
        struct pc_error err;
        struct pc_wave_var var;
        size_t v;
        uint32_t hi, lo;
        char want[64], got[64];
        if (pc_wave_find(wave, our_name(file, name), &v, &hi, &lo, &err)) {
            complain(file, name, "a signal", err.text);
            continue;
        }
        pc_wave_get_var(wave, v, &var);
        const struct pc_var_activity *a = &activity[var.code];
        snprintf(want, sizeof want, "%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT,
                 json_integer_value(json_object_get(row, "rises_0_to_1")),
                 json_integer_value(json_object_get(row, "falls_1_to_0")));
        snprintf(got, sizeof got, "%" PRIu64 "/%" PRIu64, a->rises, a->falls);
        if (strcmp(want, got) != 0)
            complain(file, name, want, got);
    }
}

static void check_contents(const char *file, json_t *truth, struct pc_wave *wave)
{
    struct pc_wave_info info;
    struct pc_wave_totals totals;
    struct pc_error err;

    pc_wave_get_info(wave, &info);
    struct pc_var_activity *activity = calloc(info.codes + 1, sizeof *activity);
    assert_non_null(activity);
    if (pc_wave_scan(wave, &totals, activity, &err)) {
        complain(file, "scan", "readable", err.text);
        free(activity);
        return;
    }
    compare(file, truth, "scopes", true, info.scopes);
    compare(file, truth, "vars", true, info.vars);
    compare(file, truth, "distinct_codes", true, info.codes);
    compare(file, truth, "time_first", totals.has_time, totals.time_first);
    compare(file, truth, "time_last", totals.has_time, totals.time_last);
    compare(file, truth, "time_stamps", true, totals.time_stamps);
    compare(file, truth, "value_change_records", true, totals.changes);
    compare_timescale(file, truth, &info);
    compare_busiest(file, truth, wave, activity);
    free(activity);
}

/* A listed file must fail with its code, in open or in scan. */
static void check_refusal(const char *file, const char *path, unsigned code)
{
    struct pc_wave_desc desc = { .path = path };
    struct pc_wave_totals totals;
    struct pc_error err = { 0 };
    struct pc_wave *wave = NULL;
    char got[500];

    enum pc_status status = pc_wave_open(&desc, &wave, &err);
    if (status == PC_OK)
        status = pc_wave_scan(wave, &totals, NULL, &err);
    pc_wave_close(wave);
    if (status && err.code == code)
        return;
    snprintf(got, sizeof got, "%s PC-E%04u %s", pc_status_name(status), err.code, err.text);
    complain(file, "refusal", "another error", got);
}

static void check_file(const char *file, json_t *truth)
{
    char path[4096];
    struct pc_wave_desc desc = { .path = path };
    struct pc_wave *wave = NULL;
    struct pc_error err;

    snprintf(path, sizeof path, "%s/" CORPUS "%s", PC_SHARED_DIR, file);
    checked++;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        if (strcmp(refusals[i].file, file) == 0) {
            check_refusal(file, path, refusals[i].code);
            return;
        }
    }
    if (pc_wave_open(&desc, &wave, &err)) {
        complain(file, "open", "readable", err.text);
        return;
    }
    check_contents(file, truth, wave);
    pc_wave_close(wave);
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);

    return n >= m && strcmp(name + n - m, suffix) == 0;
}

static json_t *load_truth(void)
{
    char path[4096];
    json_error_t err;

    if (!test_shared(CORPUS "truth.json", path, sizeof path))
        return NULL;
    json_t *all = json_load_file(path, 0, &err);
    assert_non_null(all);
    return all;
}

static void check_suffix(const char *suffix, unsigned at_least)
{
    json_t *all = load_truth(), *row;
    const char *file;

    if (!all)
        skip();
    checked = differing = 0;
    json_object_foreach(all, file, row)
    {
        /* rows without figures: formats and files that the truth's own tools failed on */
        if (ends_in(file, suffix) && json_object_get(row, "vars"))
            check_file(file, row);
    }
    json_decref(all);
    assert_int_equal(differing, 0);
    assert_true(checked >= at_least);
}

static void every_vcd(void **state)
{
    (void)state;
    check_suffix(".vcd", 83);
}

static void every_fst(void **state)
{
    (void)state;
    check_suffix(".fst", 72);
}

/* The file that runs backwards is readable when that is tolerated. */
static void backwards_tolerated(void **state)
{
    char path[4096];
    struct pc_wave_desc desc = { .path = path, .tolerate_time_backwards = true };
    struct pc_wave_totals totals;
    struct pc_wave *wave;
    struct pc_error err;

    (void)state;
    if (!test_shared(CORPUS "wellen/wellen/issue_5.vcd", path, sizeof path))
        skip();
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_first, 4);
    assert_int_equal(totals.time_last, 5);
    assert_int_equal(totals.changes, 3);
    assert_non_null(pc_wave_warning(wave, 0));
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vcd),
        cmocka_unit_test(every_fst),
        cmocka_unit_test(backwards_tolerated),
    };

    return cmocka_run_group_tests_name("wave/corpus", tests, NULL, NULL);
}
