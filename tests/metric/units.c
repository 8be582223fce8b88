/* SPDX-License-Identifier: MIT */
/* Units of metrics: which fit, what values are in, and formulas over other metrics. */
#include "metric_test.h"

#include <math.h>

static void units(void **state)
{
    static const struct {
        const char *text, *unit, *base;
        double size;
        enum pc_metric_kind kind;
    } cases[] = {
        { "m = a", "count", "count", 1, PC_METRIC_AMOUNT },
        { "m = cycles - a", "count", "count", 1, PC_METRIC_AMOUNT },
        { "m = a * b / c", "count", "count", 1, PC_METRIC_AMOUNT },
        { "m = 3", "count", "count", 1, PC_METRIC_NUMBER },
        { "m = 3 / 4", "ratio", "ratio", 1, PC_METRIC_NUMBER },
        { "m = a / b", "ratio", "ratio", 1, PC_METRIC_RATIO },
        { "m = 1 / a", "ratio", "ratio", 1, PC_METRIC_RATIO },
        { "m = (a / b) / (b / c)", "ratio", "ratio", 1, PC_METRIC_RATIO },
        { "m = a / 8", "ratio", "ratio", 1, PC_METRIC_PART },
        { "m = a / 8 count", "count", "count", 1, PC_METRIC_AMOUNT },
        { "m = a / 8 + b", "count", "count", 1, PC_METRIC_AMOUNT },
        { "m = b / c - a / 8", "ratio", "ratio", 1, PC_METRIC_RATIO },
        { "m = a / b %", "%", "ratio", 0.01, PC_METRIC_RATIO },
        { "m = 1 - a / b %", "%", "ratio", 0.01, PC_METRIC_RATIO },
        { "m = seconds", "s", "s", 1, PC_METRIC_TIME },
        { "m = seconds / a", "s", "s", 1, PC_METRIC_TIME },
        { "m = max(seconds, 1) ms", "ms", "s", 1e-3, PC_METRIC_TIME },
        { "m = seconds * a / cycles ns", "ns", "s", 1e-9, PC_METRIC_TIME },
        { "m = 5 ns", "ns", "s", 1e-9, PC_METRIC_TIME },
        { "m = a / seconds", "count/s", "count/s", 1, PC_METRIC_RATE },
        { "m = 1 / seconds", "count/s", "count/s", 1, PC_METRIC_RATE },
        { "m = 1 / (seconds / a) MHz", "MHz", "Hz", 1e6, PC_METRIC_RATE },
        { "m = a / seconds /s", "count/s", "count/s", 1, PC_METRIC_RATE },
        { "m = a / seconds Hz", "Hz", "Hz", 1, PC_METRIC_RATE },
        { "m = 4 * a / seconds MB/s", "MB/s", "B/s", 1e6, PC_METRIC_BYTE_RATE },
        { "m = 4 * a / seconds MiB/s", "MiB/s", "B/s", 1048576, PC_METRIC_BYTE_RATE },
        { "m = a B", "B", "B", 1, PC_METRIC_BYTES },
        { "m = a * 64 B", "B", "B", 1, PC_METRIC_BYTES },
        { "m = (a * 64) KiB", "KiB", "B", 1024, PC_METRIC_BYTES },
        { "m = a bytes", "B", "B", 1, PC_METRIC_BYTES },
        { "m = a / seconds bytes/s", "B/s", "B/s", 1, PC_METRIC_BYTE_RATE },
        { "m = a / b / seconds %/s", "%/s", "ratio/s", 0.01, PC_METRIC_RATIO_RATE },
        { "m = a / b / seconds", "ratio/s", "ratio/s", 1, PC_METRIC_RATIO_RATE },
        { "m = max(a, 2) cycles", "cycles", "cycles", 1, PC_METRIC_AMOUNT },
        { "m = seconds * seconds / seconds s", "s", "s", 1, PC_METRIC_TIME },
    };
    struct pc_metric info;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metrics *m = load(cases[i].text);
        assert_true(pc_metrics_at(m, 0, &info));
        if (strcmp(info.unit, cases[i].unit) != 0 || strcmp(info.base, cases[i].base) != 0 ||
            info.size != cases[i].size || info.kind != cases[i].kind)
            fail_msg("%s: %s, %s, %g, %s", cases[i].text, info.unit, info.base, info.size,
                     pc_metric_kind_text(info.kind));
        assert_string_equal(info.name, "m");
        pc_metrics_close(m);
    }
    assert_string_equal(pc_metric_kind_text((enum pc_metric_kind)99), "");
}

/* A unit or a sum that does not fit is an error where it stands. */
static void misfits(void **state)
{
    static const struct {
        const char *text;
        unsigned code, column;
    } cases[] = {
        { "m = a s", 1526, 7 },
        { "m = a %", 1526, 7 },
        { "m = a / b B", 1526, 11 },
        { "m = a / b ns", 1526, 11 },
        { "m = a Hz", 1526, 7 },
        { "m = a /s", 1526, 7 },
        { "m = a / seconds s", 1526, 17 },
        { "m = a / seconds %", 1526, 17 },
        { "m = seconds cycles", 1526, 13 },
        { "m = seconds / a Hz", 1526, 17 },
        { "m = seconds * a", 1526, 5 },
        { "m = seconds * a s", 1526, 5 },
        { "m = a / seconds / seconds", 1526, 5 },
        { "m = a + seconds", 1527, 9 },
        { "m = a + a / b", 1527, 9 },
        { "m = a / b - c", 1527, 13 },
        { "m = max(a, a / seconds)", 1527, 12 },
        { "m = a * (seconds - cycles)", 1527, 20 },
        { "m = a / b + 5 %", 1528, 13 },
        { "m = a / b * 5 %", 1528, 13 },
        { "m = a * 64 kB", 1528, 9 },
        { "m = seconds + 5 ns", 1528, 15 },
        { "m = 1e308 GB", 1520, 5 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metrics *m = NULL;
        struct pc_error err;
        assert_int_equal(pc_metrics_load(NULL, cases[i].text, strlen(cases[i].text), &m, &err),
                         PC_EINPUT);
        if (err.code != cases[i].code || err.line != 1 || err.column != cases[i].column)
            fail_msg("\"%s\": %u at %u:%u: %s", cases[i].text, err.code, err.line, err.column,
                     err.text);
    }
}

/* Values are in base units; a number alone is in its unit, to the last bit. */
static void base_values(void **state)
{
    static const struct pc_metric_input in[] = { { 333, 0 }, { 1000, 0 } };
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        { "m = a / b %", 0.333 },
        { "m = 33.3 %", 0.333 },
        { "m = -33.3 %", -0.333 },
        { "m = 500 ns", 5e-7 },
        { "m = 0.25 GHz", 0.25e9 },
        { "m = 1.5 KiB", 1536 },
        { "m = 2 * 5 %", 0.1 },
        { "m = a / 3 %", 111 },
        { "m = 100 * a / b %", 33.3 },
        { "m = a kB", 333 },
        { "m = 70 %", 0.7 },
        { "m = 0.1 us", 1e-7 },
        { "m = seconds / b ns", 5e-4 },
        { "m = (a + 3 * 5) MiB", 348 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metric_value v = eval(cases[i].text, in);
        if (v.state != PC_VALUE_EXACT || v.value != cases[i].value)
            fail_msg("%s: %.17g", cases[i].text, v.value);
    }
}

static void hundreds(void **state)
{
    static const struct {
        const char *text;
        bool hundred;
    } cases[] = {
        { "m = 100 * a / b %", true },
        { "m = a * 100 / b %", true },
        { "m = a / b * 100 %", true },
        { "m = 1e2 * (a - b) / a %", true },
        { "m = 100 - 100 * a / b %", true },
        { "m = 100.0 * a / b", false },
        { "m = a / b %", false },
        { "m = 1000 * a / b %", false },
        { "m = 100 %", false },
        { "m = 100 * a / (b * 100) %", true },
        { "m = 100 * a / b / 100 %", false },
        { "m = 100 * a / seconds Hz", false },
    };
    struct pc_metric info;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metrics *m = load(cases[i].text);
        assert_true(pc_metrics_at(m, 0, &info));
        if (info.hundred != cases[i].hundred)
            fail_msg("%s: %d", cases[i].text, info.hundred);
        pc_metrics_close(m);
    }
}

/* Formulas over metrics: their units go with them. */
static void over_metrics(void **state)
{
    static const struct pc_metric_input in[] = { { 3, 0 }, { 4, 0 } };
    static const struct {
        const char *text;
        double value; /* with a = 3, b = 4, 0.5 s */
        const char *unit;
    } cases[] = {
        { "m = rate", 0.75, "%" },
        { "m = rate + 5", 0.8, "%" },
        { "m = 5 + rate", 0.8, "%" },
        { "m = (2 + 3) + rate", 0.8, "%" },
        { "m = rate + 2 * 3", 0.81, "%" },
        { "m = max(rate, 80)", 0.8, "%" },
        { "m = 2 * rate - 50", 1, "%" },
        { "m = rate + 5 %", 0.8, "%" },
        { "m = rate - a / b", 0, "%" },
        { "m = rate * a", 2.25, "count" },
        { "m = rate ratio", 0.75, "ratio" },
        { "m = limit + 1", 6e-9, "ns" },
        { "m = seconds / limit", 1e8, "ratio" },
        { "m = plain + a", 10, "count" },
        { "m = data / seconds MB/s", 384, "MB/s" },
        { "m = data / data", 1, "ratio" },
        { "m = eighth + a", 3.375, "count" },
        { "m = eighth + a / b", 1.125, "ratio" },
    };
    struct pc_metrics *known =
        load("rate = a / b %\nlimit = 5 ns\nplain = 7\ndata = a * 64 B\neighth = a / 8\n");
    const struct pc_metric_ref ref[] = {
        { known, 0 }, { known, 1 }, { known, 2 }, { known, 3 }, { known, 4 }
    };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metrics *m = NULL;
        struct pc_metric_input event[2];
        struct pc_metric_value v;
        struct pc_metric info;
        test_ok(pc_metrics_load_over(NULL, cases[i].text, strlen(cases[i].text), ref, 5, &m, &err),
                &err);
        assert_true(pc_metrics_at(m, 0, &info) && info.events <= 2);
        for (size_t k = 0; k < info.events; k++)
            event[k] = in[info.event[k][0] - 'a'];
        pc_metrics_eval(m, 0, event, 1000, 0.5, &v);
        if (fabs(v.value - cases[i].value) > 1e-12 * fabs(cases[i].value) + 1e-15 ||
            strcmp(info.unit, cases[i].unit) != 0)
            fail_msg("%s: %.17g %s", cases[i].text, v.value, info.unit);
        pc_metrics_close(m);
    }
    static const char *const wrong[] = { "m = rate + a", "m = rate ns", "m = data + limit",
                                         "m = data cycles" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pc_metrics *m = NULL;
        assert_int_equal(pc_metrics_load_over(NULL, wrong[i], strlen(wrong[i]), ref, 5, &m, &err),
                         PC_EINPUT);
    }
    pc_metrics_close(known);
}

/* What is divided by is told, wherever the formula stands. */
static void over_nothing(void **state)
{
    static const char text[] = "m = 1 + first - second";
    static const struct pc_metric_input in[] = { { 3, 0 }, { 0, 0 } };
    struct pc_metrics *known = load("first = a / cycles\nsecond = a / (b * 2)\n"), *m = NULL;
    const struct pc_metric_ref ref[] = { { known, 0 }, { known, 1 } };
    struct pc_metric_value v;
    struct pc_error err;

    (void)state;
    test_ok(pc_metrics_load_over(NULL, text, strlen(text), ref, 2, &m, &err), &err);
    pc_metrics_close(known); /* is not needed any more */
    pc_metrics_eval(m, 0, in, 1000, 0.5, &v);
    assert_int_equal(v.state, PC_VALUE_UNMEASURED);
    assert_string_equal(v.why, "division by 0: (b * 2) is 0");
    pc_metrics_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),    cmocka_unit_test(misfits),      cmocka_unit_test(base_values),
        cmocka_unit_test(hundreds), cmocka_unit_test(over_metrics), cmocka_unit_test(over_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
