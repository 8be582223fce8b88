/* SPDX-License-Identifier: MIT */
/*
 * `pcounter idle` over made waveforms against a recount that looks at each clock alone:
 * windows of clocks and of time, clears and exact polls, every mode, x values, passes, the
 * governor and its sums (D-76 to D-85, D-76a).
 *
 *   idle_recount PROGRAM
 */
#include "scene.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS_MAX = 4000, COLUMNS = 24 };

static const char *program;
static struct scene s;

static unsigned bit_of(unsigned engine)
{
    return scene_bit(&s, engine);
}

/* --- recounting --- */

struct window {
    uint64_t start, end;
    size_t first, clocks;
    bool whole, polled_before;
};
static struct window window[WINDOWS_MAX];
static size_t windows;

static void add_window(uint64_t start, uint64_t end, size_t first, size_t clocks, bool whole)
{
    bool before = false;

    for (size_t i = 0; i < windows; i++)
        before |= window[i].clocks > 0;
    assert_true(windows < WINDOWS_MAX);
    window[windows++] = (struct window){ start, end, first, clocks, whole, before };
}

static void cut_time(void)
{
    uint64_t start = s.time[0] / s.time_window * s.time_window, end;
    uint64_t last = s.time[s.clocks - 1];
    uint64_t next = s.clocks > 1 ? last + (last - s.time[s.clocks - 2]) : 0;

    for (size_t t = 0; t < s.clocks; start = end) {
        size_t first = t;
        end = start + s.time_window;
        while (t < s.clocks && s.time[t] < end)
            t++;
        add_window(start, end, first, t - first, t < s.clocks || next >= end);
    }
}

static void cut_windows(void)
{
    windows = 0;
    if (s.time_window) {
        cut_time();
        return;
    }
    uint64_t length = s.clock_window ? s.clock_window : s.clocks;
    for (uint64_t t = 0; t < s.clocks; t += length) {
        uint64_t n = s.clocks - t < length ? s.clocks - t : length;
        add_window(t, t + n, (size_t)t, (size_t)n, n == length);
    }
}

/* Does a counter count with these wires? */
static bool counts(uint32_t mask, unsigned mode, uint32_t wires)
{
    if (mode == 2)
        return s.cleared ? (wires & mask) == 0 : (wires & mask) != mask;
    return mode == 3 || (mode == 1 && (wires & mask) == mask);
}

/* The wires of a clock, where unknown signals take the bits of `guess`. */
static uint32_t wires_at(size_t t, uint32_t guess)
{
    uint32_t wires = s.absent_idle ? UINT32_MAX : 0;

    for (unsigned e = 0; e < s.engines; e++) {
        uint32_t level = s.level[e][t] == 2 ? guess >> e & 1 : s.level[e][t];
        wires &= ~(UINT32_C(1) << bit_of(e));
        wires |= (level ^ s.inverted[e]) << bit_of(e);
    }
    return wires;
}

static bool depends_on_unknown(uint32_t mask, unsigned mode, size_t t)
{
    bool some = false, all = true;

    for (uint32_t guess = 0; guess < UINT32_C(1) << ENGINES; guess++) {
        bool c = counts(mask, mode, wires_at(t, guess));
        some |= c;
        all &= c;
    }
    return some && !all;
}

/* The first clock of a window that counts: the clear of the poll before takes one (D-81). */
static size_t first_clock(const struct window *w)
{
    return !s.exact && w->polled_before ? 1 : 0;
}

static uint64_t recount(uint32_t mask, unsigned mode, const struct window *w)
{
    uint64_t n = 0;

    for (size_t t = first_clock(w); t < w->clocks; t++)
        n += counts(mask, mode, wires_at(w->first + t, s.x == 2 ? UINT32_MAX : 0));
    return n;
}

static uint64_t recount_tainted(uint32_t mask, unsigned mode, const struct window *w)
{
    uint64_t n = 0;

    for (size_t t = first_clock(w); t < w->clocks && s.x == 0; t++)
        n += depends_on_unknown(mask, mode, w->first + t);
    return n;
}

/* --- rows --- */

enum column {
    TRACE,
    CHIP,
    WINDOW,
    START,
    END,
    UNIT,
    WHOLE,
    KIND,
    NAME,
    PASS,
    COUNTER,
    MASK,
    MODE,
    COUNT,
    TOTAL,
    PERCENT,
    STATE,
    TAINTED,
    AVERAGE,
    LEVEL,
    MHZ,
    NEXT,
    LOST,
    SAVED
};

/* Cuts a line without quotes into its fields. */
static void cut_row(char *line, char *field[COLUMNS])
{
    size_t n = 0;

    for (char *p = line;; p++) {
        assert_true(n < COLUMNS);
        field[n++] = p;
        p = strchr(p, ',');
        if (!p)
            break;
        *p = '\0';
    }
    assert_int_equal(n, COLUMNS);
}

static uint64_t number(const char *text)
{
    char *end;
    uint64_t n = strtoull(text, &end, 0);

    assert_true(*text && *end == '\0');
    return n;
}

static unsigned mode_number(const char *text)
{
    unsigned mode = 0;

    while (mode < 4 && strcmp(scene_modes[mode], text) != 0)
        mode++;
    assert_true(mode < 4);
    return mode;
}

struct tally {
    uint64_t rows, busy, total; /* of the current window */
    bool seen[ENGINES], slot[8][8];
    uint64_t level, average, lost, saved;
    uint64_t level_clocks[15];
};

static void check_meter(char **f, const struct window *w, struct tally *tally)
{
    uint32_t mask = (uint32_t)number(f[MASK]);
    unsigned mode = mode_number(f[MODE]);
    uint64_t pass = number(f[PASS]) - 1, counter = number(f[COUNTER]);

    assert_true(pass < 8 && counter < scene_counters(&s));
    if (w == window) { /* each counter is used once */
        assert_false(tally->slot[pass][counter]);
        tally->slot[pass][counter] = true;
        for (unsigned e = 0; e < s.engines; e++)
            if (strcmp(f[NAME], scene_engines[e]) == 0) {
                tally->seen[e] = true;
                assert_int_equal(mask, UINT32_C(1) << bit_of(e));
                assert_int_equal(mode, 2);
            }
    }
    if (pass == 0 && s.counter[counter].used) {
        assert_int_equal(mask, s.counter[counter].mask);
        assert_int_equal(mode, s.counter[counter].mode);
    }
    if (w->clocks == 0) {
        assert_string_equal(f[STATE], "unmeasured");
        assert_string_equal(f[COUNT], "");
        return;
    }
    uint64_t tainted = recount_tainted(mask, mode, w);
    assert_int_equal(number(f[COUNT]), recount(mask, mode, w));
    assert_int_equal(number(f[TOTAL]), recount(0, 3, w));
    assert_int_equal(number(f[TAINTED]), tainted);
    assert_string_equal(f[STATE], tainted ? "tainted" : "exact");
    if (strcmp(f[NAME], "busy") == 0) {
        tally->busy = number(f[COUNT]);
        tally->total = number(f[TOTAL]);
    }
}

static void check_governor(char **f, const struct window *w, struct tally *t)
{
    static const uint64_t mhz[15] = { 72,  108, 180, 252, 324, 396, 468, 540,
                                      612, 648, 684, 708, 756, 804, 852 };
    uint64_t offered = (uint64_t)w->clocks * (mhz[t->level] * 1000) / 852000;
    uint64_t busy = w->clocks ? t->busy : 0;
    int next = (int)t->level;

    assert_int_equal(number(f[LEVEL]), t->level);
    assert_int_equal(number(f[MHZ]), mhz[t->level]);
    assert_int_equal(number(f[LOST]), busy > offered ? busy - offered : 0);
    assert_int_equal(number(f[SAVED]), w->clocks - offered);
    t->lost += number(f[LOST]);
    t->saved += number(f[SAVED]);
    t->level_clocks[t->level] += w->clocks;
    if (w->whole && w->clocks > 0) {
        uint64_t load = t->total ? 100 * t->busy / t->total : 0;
        assert_int_equal(number(f[PERCENT]), load);
        t->average = (t->average + load) / 2;
        int average = (int)t->average;
        next += average > 90 ? 5 : (average - 70) * 10 / 70 / 2;
        next = next < 0 ? 0 : next > 14 ? 14 : next;
    } else {
        assert_string_equal(f[PERCENT], "");
    }
    assert_int_equal(number(f[AVERAGE]), t->average);
    assert_int_equal(number(f[NEXT]), next);
    t->level = (uint64_t)next;
}

static void check_row(char **f, struct tally *tally)
{
    if (strcmp(f[KIND], "level") == 0) {
        uint64_t level = number(f[LEVEL]);
        assert_true(level < 15);
        assert_int_equal(number(f[COUNT]), tally->level_clocks[level]);
        return;
    }
    if (strcmp(f[KIND], "all") == 0) {
        assert_int_equal(number(f[COUNT]), s.clocks);
        assert_string_equal(f[WHOLE], "1");
        if (s.governed) {
            assert_int_equal(number(f[LOST]), tally->lost);
            assert_int_equal(number(f[SAVED]), tally->saved);
        }
        return;
    }
    uint64_t n = number(f[WINDOW]);
    assert_in_range(n, 1, windows);
    const struct window *w = &window[n - 1];
    tally->rows++;
    assert_int_equal(number(f[START]), w->start);
    assert_int_equal(number(f[END]), w->end);
    assert_string_equal(f[UNIT], s.time_window ? "1ns" : "clock");
    assert_int_equal(number(f[WHOLE]), w->whole);
    if (strcmp(f[KIND], "governor") == 0)
        check_governor(f, w, tally);
    else
        check_meter(f, w, tally);
}

static void check_output(char *text)
{
    struct tally tally = { .rows = 0 };
    bool head = true, all = false;

    for (char *line = text; *line;) {
        char *end = strstr(line, "\r\n");
        char *field[COLUMNS];
        assert_non_null(end);
        *end = '\0';
        cut_row(line, field);
        all |= strcmp(field[KIND], "all") == 0;
        if (!head)
            check_row(field, &tally);
        head = false;
        line = end + 2;
    }
    assert_true(all);
    assert_true(tally.rows > 0 && tally.rows % windows == 0);
    for (unsigned e = 0; e < s.engines; e++)
        assert_true(tally.seen[e]);
}

/* --- JSON --- */

static uint64_t json_count(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    assert_true(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

/* Compares the counts in JSON, which are in the order of "counters". */
static void check_json(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);

    if (!root)
        fail_msg("line %d: %s", error.line, error.text);
    const json_t *meters = json_object_get(root, "counters");
    const json_t *list = json_object_get(root, "windows");
    assert_int_equal(json_array_size(list), windows);
    assert_int_equal(json_count(root, "clocks"), s.clocks);
    assert_true(json_is_true(json_object_get(root, "complete")));
    for (size_t i = 0; i < windows; i++) {
        const json_t *counts_of = json_object_get(json_array_get(list, i), "counts");
        assert_int_equal(json_array_size(counts_of), json_array_size(meters));
        for (size_t m = 0; m < json_array_size(meters) && window[i].clocks > 0; m++) {
            const json_t *meter = json_array_get(meters, m);
            uint32_t mask = (uint32_t)number(json_string_value(json_object_get(meter, "mask")));
            unsigned mode = mode_number(json_string_value(json_object_get(meter, "mode")));
            assert_int_equal(json_count(json_array_get(counts_of, m), "value"),
                             recount(mask, mode, &window[i]));
        }
    }
    json_decref(root);
}

/* --- tests --- */

/* Verifies every count of 200 random scenes. */
static void random_scenes(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);

    (void)state;
    print_message("seed %" PRIu64 "\n", seed);
    for (int i = 0; i < 200; i++) {
        struct made_call call;
        char *output;
        scene_make(&s, &rng);
        cut_windows();
        scene_write(&s);
        scene_call(&s, "csv", &call);
        assert_int_equal(made_run(program, &call, &output), 0);
        check_output(output);
        free(output);
        if (i % 10 != 0)
            continue;
        scene_call(&s, "json", &call);
        assert_int_equal(made_run(program, &call, &output), 0);
        check_json(output);
        free(output);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_scenes) };

    if (argc != 2)
        return 2;
    program = argv[1];
    made_folder();
    int failed = cmocka_run_group_tests_name("idle recount", tests, NULL, NULL);
    made_remove();
    return failed;
}
