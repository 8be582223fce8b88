/* SPDX-License-Identifier: MIT */
/*
 * Metrics: values and states of formulas, errors with their columns, hostile text; and
 * the known formulas read exactly the events that the vendor's table lists for them.
 */
#include "metric_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void values(void **state)
{
    static const struct pc_metric_input in[] = { { 6, 0 }, { 3, 0 }, { 2, 0 }, { 0, 0 } };
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        { "m = a + b * c", 12 },
        { "m = (a + b) * c", 18 },
        { "m = a - b - c", 1 },
        { "m = a / b / c ratio", 1 },
        { "m = -a + b", -3 },
        { "m = a * -b", -18 },
        { "m = - - a", 6 },
        { "m = 100*(a-b)/a %", 50 },
        { "m = 1.5 * a", 9 },
        { "m = .25*a", 1.5 },
        { "m = 1e3 * a", 6000 },
        { "m = 25E-1 * a", 15 },
        { "m = 2.5e+1*a", 150 },
        { "m = 1.e0*a", 6 },
        { "m = a-1e0-a", -1 },
        { "m = 1e1-1 count", 9 },
        { "m = 0e999999999999 + a", 6 },
        { "m = 2e1 + e.a", 26 },
        { "m = 1e2cycles", 100 },
        { "m = min(a, b) + max(b, c + 2)", 7 },
        { "m = min(min(a,b),max(b,c))", 3 },
        { "m = a / cycles", 0.006 },
        { "m = a / seconds /s", 12 },
        { "m = top.x.a", 6 },
        { "m=a+d", 6 },
        { "m = a / seconds Hz", 12 },
        { "  m = a # a comment", 6 },
        { "\n\n# only a comment\nm = a\n", 6 },
        { "m = ((((a))))", 6 },
        { "m = 2 * 3 + 4 * 5 - 6 / 3", 24 },
        { "m = a - (b - (c - 1))", 4 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metric_value v = eval(cases[i].text, in);
        if (v.state != PC_VALUE_EXACT || fabs(v.value - cases[i].value) > 1e-12)
            fail_msg("%s: %g, %s", cases[i].text, v.value, pc_value_state_name(v.state));
        assert_string_equal(v.why, "");
    }
}

/* Decimal numbers are the doubles nearest to them, as a compiler reads them. */
static void numbers(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        { "m = 0.1", 0.1 },      { "m = 2.5e-6", 2.5e-6 },
        { "m = 1e22", 1e22 },    { "m = 123456e-9", 123456e-9 },
        { "m = 1e-22", 1e-22 },  { "m = 3.3e9", 3.3e9 },
        { "m = 0.000001e6", 1 }, { "m = 100000e-5", 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metric_value v = eval(cases[i].text, NULL);
        assert_int_equal(v.state, PC_VALUE_EXACT);
        if (v.value != cases[i].value)
            fail_msg("%s: %.17g, not %.17g", cases[i].text, v.value, cases[i].value);
    }
    struct pc_metric_value v = eval("m = 1.5e308 count", NULL); /* powers beyond 22 round */
    assert_true(fabs(v.value / 1.5e308 - 1) < 1e-14);
    v = eval("m = 2.5e-308 count", NULL);
    assert_true(fabs(v.value / 2.5e-308 - 1) < 1e-14);
}

/* A result is as good as its worst operand. */
static void states(void **state)
{
    struct pc_metric_input in[3] = { { 6, 0 }, { 3, 0 }, { 2, 0 } };

    (void)state;
    for (unsigned a = 0; a <= PC_VALUE_UNMEASURED; a++)
        for (unsigned b = 0; b <= PC_VALUE_UNMEASURED; b++) {
            in[0].state = (enum pc_value_state)a;
            in[2].state = (enum pc_value_state)b;
            struct pc_metric_value v = eval("m = a + b * c", in);
            assert_int_equal(v.state, a > b ? a : b);
            assert_int_equal(v.value, v.state == PC_VALUE_UNMEASURED ? 0 : 12);
            assert_int_equal(v.why[0] != '\0', v.state != PC_VALUE_EXACT);
        }
    in[0].state = PC_VALUE_SATURATED;
    in[2].state = PC_VALUE_EXACT;
    assert_string_equal(eval("m = x.a * c", in).why, "x.a was saturated");
}

/* What cannot be computed is unmeasured and says why, never 0. */
static void no_number(void **state)
{
    static const struct pc_metric_input in[] = { { 6, 0 }, { 0, 0 }, { 0, PC_VALUE_UNMEASURED } };
    struct pc_metric_value v = eval("m = a / (b * 2)", in);

    (void)state;
    assert_int_equal(v.state, PC_VALUE_UNMEASURED);
    assert_string_equal(v.why, "division by 0: (b * 2) is 0");
    v = eval("m = b / b", in);
    assert_string_equal(v.why, "division by 0: b is 0");
    v = eval("m = a + a * a / (a - a) + c", in);
    assert_string_equal(v.why, "division by 0: (a - a) is 0");
    assert_string_equal(eval("m = a * c", in).why, "c is unmeasured");
    struct pc_metrics *m = load("m = 1 / seconds");
    pc_metrics_eval(m, 0, NULL, 1000, 0, &v);
    assert_int_equal(v.state, PC_VALUE_UNMEASURED);
    assert_string_equal(v.why, "the time is not known");
    pc_metrics_close(m);
}

static void errors(void **state)
{
    static const struct {
        const char *text;
        unsigned code, line, column;
    } cases[] = {
        { "= a", 1520, 1, 1 },
        { "m a", 1520, 1, 3 },
        { "m =", 1520, 1, 4 },
        { "m = a +", 1520, 1, 8 },
        { "m = a + * b", 1520, 1, 9 },
        { "m = (a", 1520, 1, 5 },
        { "m = a)", 1520, 1, 6 },
        { "m = a b", 1520, 1, 7 },
        { "m = (a b)", 1520, 1, 8 },
        { "m = 1.2.3", 1520, 1, 8 },
        { "m = .", 1520, 1, 5 },
        { "m = .e3", 1520, 1, 5 },
        { "m = 1e", 1520, 1, 7 },
        { "m = 1e+", 1520, 1, 8 },
        { "m = 1e-a", 1520, 1, 8 },
        { "m = 1 e3", 1520, 1, 7 },
        { "m = 1e 3", 1520, 1, 7 },
        { "m = 1e--3", 1520, 1, 8 },
        { "m = 1e1.5", 1520, 1, 8 },
        { "m = 1e2e3", 1520, 1, 8 },
        { "m = 1.5.e3", 1520, 1, 8 },
        { "m = a * 1e309", 1520, 1, 9 },
        { "m = a * 1e99999999999999999999", 1520, 1, 9 },
        { "m = a / 1e-400", 1520, 1, 9 },
        { "m = a / 1e-99999999999999999999", 1520, 1, 9 },
        { "m = sqrt(a)", 1520, 1, 5 },
        { "m = min(a)", 1520, 1, 10 },
        { "m = min(a, b, c)", 1520, 1, 13 },
        { "m = a, b", 1520, 1, 6 },
        { "m = (a, b)", 1520, 1, 7 },
        { "m = a furlongs", 1520, 1, 7 },
        { "x = a\nm = b\n\nx = c\n", 1522, 4, 1 },
        { "x = a\n$m = b\n", 1520, 2, 1 }, /* events may be so called, metrics not */
        { "m = a * ?b", 1520, 1, 9 },
        { "m = a & b", 1520, 1, 7 },
        { "\xc3\xa9 = a", 1520, 1, 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_metrics *m = NULL;
        struct pc_error err;
        assert_int_not_equal(pc_metrics_load(NULL, cases[i].text, strlen(cases[i].text), &m, &err),
                             PC_OK);
        assert_null(m);
        if (err.code != cases[i].code || err.line != cases[i].line || err.column != cases[i].column)
            fail_msg("\"%s\": %u at %u:%u: %s", cases[i].text, err.code, err.line, err.column,
                     err.text);
    }
}

/* head, `count` times the piece, tail: the code of its error, 0 for none; the metrics it makes. */
static size_t load_many(const char *head, const char *piece, size_t count, const char *tail,
                        unsigned code)
{
    char *text = malloc(strlen(head) + count * (strlen(piece) + 20) + strlen(tail) + 1), *at = text;
    struct pc_metrics *m = NULL;
    struct pc_error err = { .code = 0 };
    size_t made = 0;

    assert_non_null(text);
    at += sprintf(at, "%s", head);
    for (size_t i = 0; i < count; i++) {
        const char *number = strchr(piece, '@'); /* stands for the number of the piece */
        at += number ? sprintf(at, "%.*s%zu%s", (int)(number - piece), piece, i, number + 1)
                     : sprintf(at, "%s", piece);
    }
    at += sprintf(at, "%s", tail);
    enum pc_status status = pc_metrics_load(NULL, text, (size_t)(at - text), &m, &err);
    if (err.code != code || (status == PC_OK) != (code == 0))
        fail_msg("%s, %zu times %s, %s: %u %s", head, count, piece, tail, err.code, err.text);
    if (status == PC_OK)
        made = pc_metrics_count(m);
    pc_metrics_close(m);
    free(text);
    return made;
}

static void limits(void **state)
{
    (void)state;
    assert_int_equal(load_many("m = 0", " + e@", 64, "", 0), 1);
    load_many("m = 0", " + e@", 65, "", 1520);
    assert_int_equal(load_many("m = 0", " + e@", 64, " + e7", 0), 1); /* not another one */
    assert_int_equal(load_many("m = a", " + a", 127, "", 0), 1);      /* 255 steps */
    load_many("m = a", " + a", 128, "", 1520);
    assert_int_equal(load_many("m = ", "1", 63, "", 0), 1);
    load_many("m = ", "1", 64, "", 1520);
    assert_int_equal(load_many("m = 1", " ", 4000, "+ 1", 0), 1);
    assert_int_equal(load_many("m = ", " ", 4095 - 5, "a", 0), 1);
    load_many("m = ", " ", 4096 - 5, "a", 1521);
    assert_int_equal(load_many("", "m@ = a\n", 4096, "", 0), 4096);
    load_many("", "m@ = a\n", 4097, "", 1521);
}

/* A NUL is no text; what no double can hold is no result. */
static void no_text_no_result(void **state)
{
    static const char nul[] = "x = a\nm = a\0\n";
    static const struct pc_metric_input large[] = { { 1e200, 0 }, { 2, 0 } };
    struct pc_metrics *m = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_metrics_load(NULL, nul, sizeof nul - 1, &m, &err), PC_EINPUT);
    assert_int_equal(err.code, 1520);
    assert_int_equal(err.line, 2);
    assert_null(m);
    struct pc_metric_value v = eval("m = a * a", large);
    assert_int_equal(v.state, PC_VALUE_UNMEASURED);
    assert_int_equal(v.value, 0);
    assert_string_equal(v.why, "the result is larger than any number");
    v = eval("m = a * a / a / a", large);
    assert_int_equal(v.state, PC_VALUE_UNMEASURED);
    v = eval("m = a * a - a * a", large); /* not a number */
    assert_int_equal(v.state, PC_VALUE_UNMEASURED);
    assert_int_equal(eval("m = min(a * a, b)", large).value, 2);
    assert_int_equal(eval("m = min(b, a * a)", large).value, 2);
    assert_string_equal(pc_value_state_name((enum pc_value_state)99), "");
}

/* Nothing is printed as -0. */
static void zero_has_no_sign(void **state)
{
    static const struct pc_metric_input none[] = { { 0, 0 }, { 5, 0 } };
    static const char *const zeros[] = { "m = -a", "m = a * (a - b)", "m = -(a / b)",
                                         "m = min(-a, a)" };

    (void)state;
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        struct pc_metric_value v = eval(zeros[i], none);
        assert_int_equal(v.state, PC_VALUE_EXACT);
        assert_true(v.value == 0 && !signbit(v.value));
    }
    assert_true(eval("m = a - b", none).value == -5);
}

/* Any text: an error or metrics that can be evaluated. */
static void hostile(void **state)
{
    static const char *const pieces[] = { "m",   " = ",  "a",   "b",   "+",       "-",  "*",
                                          "/",   "(",    ")",   ",",   "1",       ".",  " ",
                                          "\n",  "min(", "%",   "#",   "seconds", "ns", "MB/s",
                                          " kB", "100",  "\t",  "max", "/s",      "=",  "x",
                                          "0",   "\r",   "\x80" };
    struct test_rng rng = test_rng_start(3, &(uint64_t){ 0 });
    unsigned good = 0;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        char text[256] = "m = ";
        for (unsigned n = test_rand_below(&rng, 24); n > 0; n--)
            strcat(text, pieces[test_rand_below(&rng, sizeof pieces / sizeof pieces[0])]);
        struct pc_metrics *m = NULL;
        struct pc_error err;
        struct pc_metric info;
        if (pc_metrics_load(NULL, text, strlen(text), &m, &err) != PC_OK) {
            assert_true(err.text[0] && err.line >= 1);
            continue;
        }
        for (size_t i = 0; pc_metrics_at(m, i, &info); i++) {
            struct pc_metric_input in[64] = { { 1, 0 } };
            struct pc_metric_value v;
            pc_metrics_eval(m, i, in, 10, 1, &v);
            good++;
        }
        pc_metrics_close(m);
    }
    assert_true(good > 500);
    char deep[300] = "m = ";
    memset(deep + 4, '(', sizeof deep - 5);
    deep[sizeof deep - 1] = '\0';
    struct pc_metrics *m = NULL;
    assert_int_equal(pc_metrics_load(NULL, deep, strlen(deep), &m, NULL), PC_EINPUT);
}

/* --- the table --- */

/* Is the word in the list, with blanks between? */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t k = strcspn(at, " \r\n");
        if (k == n && strncmp(at, word, n) == 0)
            return true;
        at += k;
        if (*at == '\r' || *at == '\n')
            break;
    }
    return false;
}

static size_t count_words(const char *list)
{
    size_t n = 0;

    for (const char *at = list; *at && *at != '\n' && *at != '\r';) {
        at += strspn(at, " ");
        size_t k = strcspn(at, " \r\n");
        n += k > 0;
        at += k;
    }
    return n;
}

static void known_formulas(void **state)
{
    char path[4096], line[4096], *cell[5];
    const char *name = test_shared("facts/cupti_metrics.csv", path, sizeof path);
    unsigned found = 0, rows = 0;

    (void)state;
    if (!name)
        skip();
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *at = line;
        for (unsigned i = 0; i < 5; i++) {
            cell[i] = at;
            at += strcspn(at, ",\r\n");
            if (*at)
                *at++ = '\0';
        }
        struct pc_metrics *m = NULL;
        struct pc_metric info;
        struct pc_error err;
        size_t i;
        rows++;
        test_ok(pc_metrics_load_known(NULL, cell[0], &m, &err), &err);
        if (pc_metrics_find(m, cell[1], &i, &err) == PC_OK) {
            found++;
            assert_true(pc_metrics_at(m, i, &info));
            for (size_t e = 0; e < info.events; e++)
                if (!has_word(cell[4], info.event[e]))
                    fail_msg("%s of %s reads %s", cell[1], cell[0], info.event[e]);
            assert_int_equal(count_words(cell[4]), info.events);
            if (cell[3][0] == '%')
                assert_string_equal(info.unit, "%");
        }
        pc_metrics_close(m);
    }
    fclose(file);
    print_message("%u of %u metrics have a formula\n", found, rows);
    assert_true(found > 100);
}

static void near_names(void **state)
{
    struct pc_metrics *m = NULL;
    struct pc_error err;
    size_t i;

    (void)state;
    test_ok(pc_metrics_load_known(NULL, "gf108", &m, &err), &err);
    assert_int_equal(pc_metrics_find(m, "branch_eficiency", &i, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "branch_efficiency"));
    pc_metrics_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),           cmocka_unit_test(numbers),
        cmocka_unit_test(states),           cmocka_unit_test(no_number),
        cmocka_unit_test(errors),           cmocka_unit_test(hostile),
        cmocka_unit_test(known_formulas),   cmocka_unit_test(near_names),
        cmocka_unit_test(limits),           cmocka_unit_test(no_text_no_result),
        cmocka_unit_test(zero_has_no_sign),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
