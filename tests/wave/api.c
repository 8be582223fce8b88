/* SPDX-License-Identifier: MIT */
/*
 * What pcounter/wave.h promises of any format: calls that are wrong, periods as text, warnings
 * beyond the sixteenth, gaps, texts and reals as bits.
 */
#include "texts.h"
#include "base/alloc.h"
#include "wave/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "$timescale 10ns $end $scope module m $end $var wire 1 ! c $end $var wire 4 # v $end "         \
    "$var real 64 % r $end $var event 1 & e $end $upscope $end $enddefinitions $end\n"
static const char plain[] = HEAD "#0 0! b0 # r1 %\n#1 1! b1x # 1&\n#2 0!\n#5 1!\n";

static void is_wrong(enum pc_status status, const struct pc_error *err)
{
    assert_int_equal(status, PC_EARG);
    assert_true(err->code == 530 || err->code == 533);
}

static void wrong_calls(void **state)
{
    struct pc_wave *wave = text_open(plain), *none = NULL;
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = { 0, 0 } };
    const struct pc_wave_listener listener = { .wanted = NULL };
    struct pc_wave_bit bit = { 0, 0 };
    struct pc_wave_totals totals;
    struct pc_wave_block block;
    struct pc_wave_instant now;
    struct pc_wave_clock period;
    struct pc_wave_var var;
    struct pc_error err;
    uint32_t hi, lo;
    unsigned stream;
    size_t n;

    (void)state;
    is_wrong(pc_wave_open(NULL, &none, &err), &err);
    is_wrong(pc_wave_open(&(struct pc_wave_desc){ .path = NULL }, &none, &err), &err);
    is_wrong(pc_wave_open(&(struct pc_wave_desc){ .path = "x" }, NULL, &err), &err);
    is_wrong(pc_wave_find(NULL, "c", &n, &hi, &lo, &err), &err);
    is_wrong(pc_wave_find(wave, NULL, &n, &hi, &lo, &err), &err);
    is_wrong(pc_wave_find(wave, "c", NULL, &hi, &lo, &err), &err);
    is_wrong(pc_wave_find_bits(NULL, "c", &bit, 1, &n, &err), &err);
    is_wrong(pc_wave_find_bits(wave, "c", NULL, 1, &n, &err), &err);
    is_wrong(pc_wave_find_bits(wave, "c", &bit, 1, NULL, &err), &err);
    is_wrong(pc_wave_parse_period(NULL, "1", 1, &period, &err), &err);
    is_wrong(pc_wave_parse_period(wave, NULL, 1, &period, &err), &err);
    is_wrong(pc_wave_parse_period(wave, "1", 1, NULL, &err), &err);
    is_wrong(pc_wave_find_clock(NULL, "c", 1, &period, &err), &err);
    is_wrong(pc_wave_find_clock(wave, NULL, 1, &period, &err), &err);
    is_wrong(pc_wave_bind(NULL, &clock, &bit, 1, &stream, &err), &err);
    is_wrong(pc_wave_bind(wave, NULL, &bit, 1, &stream, &err), &err);
    is_wrong(pc_wave_bind(wave, &clock, NULL, 1, &stream, &err), &err);
    is_wrong(pc_wave_bind(wave, &clock, &bit, 1, NULL, &err), &err);
    is_wrong(pc_wave_next(NULL, &block, &err), &err);
    is_wrong(pc_wave_next(wave, NULL, &err), &err);
    is_wrong(pc_wave_step(NULL, &now, &err), &err);
    is_wrong(pc_wave_step(wave, NULL, &err), &err);
    is_wrong(pc_wave_scan(NULL, &totals, NULL, &err), &err);
    is_wrong(pc_wave_scan(wave, NULL, NULL, &err), &err);
    is_wrong(pc_wave_scan_until(wave, 1, NULL, NULL, &err), &err);
    is_wrong(pc_wave_listen(NULL, &listener, &totals, &err), &err);
    is_wrong(pc_wave_listen(wave, NULL, &totals, &err), &err);
    assert_int_equal(pc_wave_get_vector(NULL, 0, &var, &n), PC_EARG);
    assert_int_equal(pc_wave_get_vector(wave, 0, NULL, &n), PC_EARG);
    assert_int_equal(pc_wave_get_vector(wave, 0, &var, &n), PC_END);
    assert_int_equal(pc_wave_get_var(wave, 4, &var), PC_END);
    assert_int_equal(pc_wave_scope_length(wave, 0), 1);
    assert_int_equal(pc_wave_scope_length(wave, 4), 0);
    assert_int_equal(pc_wave_gap(wave, 0, &(uint64_t){ 0 }, &(uint64_t){ 0 }), PC_END);
    assert_int_equal(pc_wave_triggers_left(wave, 0, 0), 0);
    assert_null(pc_time_unit(-2));
    assert_null(pc_time_unit(3));
    assert_null(pc_time_unit(-24));
    pc_wave_close(wave);
    pc_wave_close(NULL);
}

/* Clocks, conditions and signals that cannot be bound; then as many streams as there can be. */
static void wrong_binds(void **state)
{
    static const struct {
        struct pc_wave_clock clock;
        struct pc_wave_bit bit;
        unsigned code;
    } cases[] = {
        { { .edge = (enum pc_edge)9 }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_PERIOD }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_PERIOD, .period = UINT64_MAX / 2 + 1 }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_PERIOD, .period = UINT64_MAX / 4, .period_per = 3 }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_POS, .clock = { 4, 0 } }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_POS, .clock = { 1, 4 } }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_POS, .clock = { 2, 0 } }, { 0, 0 }, 531 },
        { { .edge = PC_EDGE_POS, .clock = { 2, PC_WAVE_REAL } }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_POS, .clock = { 3, PC_WAVE_TRIGGERS } }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_POS, .has_iff = true, .iff = { 9, 0 } }, { 0, 0 }, 530 },
        { { .edge = PC_EDGE_POS }, { 4, 0 }, 530 },
        { { .edge = PC_EDGE_POS }, { 1, 4 }, 530 },
        { { .edge = PC_EDGE_POS }, { 2, 0 }, 531 },
    };
    struct pc_wave *wave = text_open(plain);
    struct pc_wave_instant now;
    struct pc_error err;
    unsigned stream;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const enum pc_status status =
            pc_wave_bind(wave, &cases[i].clock, &cases[i].bit, 1, &stream, &err);
        if (status == PC_OK || err.code != cases[i].code)
            fail_msg("case %zu: %u %s", i, status ? err.code : 0, status ? err.text : "");
    }
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = { 0, 0 } };
    const struct pc_wave_bit bit = { 1, 3 };
    for (unsigned i = 0; i < 32; i++) {
        test_ok(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err);
        assert_int_equal(stream, i);
    }
    assert_int_equal(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), PC_ELIMIT);
    assert_int_equal(err.code, 532);
    test_ok(pc_wave_step(wave, &now, &err), &err);
    assert_int_equal(now.streams, UINT32_MAX);
    assert_int_equal(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), PC_EARG);
    assert_int_equal(err.code, 533);
    struct pc_wave_block block;
    assert_int_equal(pc_wave_next(wave, &block, &err), PC_EARG); /* step and next are not mixed */
    assert_int_equal(err.code, 533);
    pc_wave_close(wave);
}

/* An error stays: whoever reads on gets it again. */
static void errors_stay(void **state)
{
    struct pc_wave *wave = text_open(HEAD "#0 0! b0 #\n#1 1!\n#0 0!\n");
    const struct pc_wave_clock clock = { .edge = PC_EDGE_EVERY };
    struct pc_wave_instant now;
    struct pc_error err;
    unsigned stream;

    (void)state;
    test_ok(pc_wave_bind(wave, &clock, NULL, 0, &stream, &err), &err);
    while (pc_wave_step(wave, &now, &err) == PC_OK)
        continue;
    for (unsigned i = 0; i < 2; i++) {
        err.line = 0;
        assert_int_equal(pc_wave_step(wave, &now, &err), PC_EINPUT);
        assert_int_equal(err.line, 4);
        assert_int_equal(pc_wave_step(wave, &now, NULL), PC_EINPUT);
    }
    pc_wave_close(wave);
}

static void periods(void **state)
{
    static const struct {
        const char *scale; /* of the VCD */
        const char *text;
        uint64_t period;
        uint32_t per, column; /* per 0: an error */
        const char *says;
    } cases[] = {
        { "1ns", "10ns", 10, 1, 0, NULL },
        { "1ns", "2.5 us", 2500, 1, 0, NULL },
        { "1ns", "1.5ns", 3, 2, 0, NULL },
        { "1ns", "40ps", 1, 25, 0, NULL },
        { "10ns", "1\tus", 100, 1, 0, NULL },
        { "10ns", "25", 25, 1, 0, NULL },
        { "1s", "1s", 1, 1, 0, NULL },
        { "1fs", "1s", UINT64_C(1000000000000000), 1, 0, NULL },
        { "1ns", "0", 0, 0, 1, "longer than 0" },
        { "1ns", "0.0ns", 0, 0, 1, "longer than 0" },
        { "1ns", "", 0, 0, 1, "expected a period" },
        { "1ns", "-1ns", 0, 0, 1, "expected a period" },
        { "1ns", "5.ns", 0, 0, 3, "expected a period" },
        { "1ns", "2.5", 0, 0, 4, "whole time units" },
        { "1ns", "3 weeks", 0, 0, 3, "unknown unit" },
        { "1ns", "3 as", 0, 0, 3, "unknown unit" },
        { "1ns", "18446744073709551616", 0, 0, 1, "more than 64 bits" },
        { "1ns", "18446744073709551615", 0, 0, 1, "too long" },
        { "1fs", "100000s", 0, 0, 1, "too long" },
        { "1s", "1fs", 0, 0, 1, "too small" },
        { "1ns", "0.0000000001ns", 0, 0, 1, "too small" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
        struct pc_error err = { .text = "" };
        char text[200];
        snprintf(text, sizeof text,
                 "$timescale %s $end $var wire 1 ! c $end $enddefinitions $end #0 0!\n",
                 cases[i].scale);
        struct pc_wave *wave = text_open(text);
        const enum pc_status status =
            pc_wave_parse_period(wave, cases[i].text, strlen(cases[i].text), &clock, &err);
        if (cases[i].per ? status || clock.edge != PC_EDGE_PERIOD ||
                               clock.period != cases[i].period || clock.period_per != cases[i].per
                         : status != PC_EINPUT || err.column != cases[i].column ||
                               !strstr(err.text, cases[i].says) || clock.edge != PC_EDGE_POS)
            fail_msg("%s of %s: %u %s", cases[i].text, cases[i].scale, (unsigned)err.column,
                     err.text);
        pc_wave_close(wave);
    }
}

static void warnings_beyond_the_sixteenth(void **state)
{
    const struct pc_alloc alloc = pc_alloc_or_libc(NULL);
    const struct pc_wave_limits limits = { .max_vars = 1 };
    struct wv_hier h;

    (void)state;
    wv_hier_init(&h, &alloc, &limits);
    for (unsigned i = 0; i < 18; i++) {
        char text[20];
        wv_warn(&h, "number %u", i);
        wv_note(&h, "note %u", i);
        snprintf(text, sizeof text, "number %u", i);
        if (i < 16) {
            assert_string_equal(wv_warning(&h, i), text);
            assert_null(wv_warning(&h, i + 1));
        } else {
            assert_string_equal(wv_warning(&h, 16), i == 16 ? "1 more warning is not listed"
                                                            : "2 more warnings are not listed");
        }
    }
    assert_null(wv_warning(&h, 17));
    wv_hier_free(&h);
}

/* Stretches without dumping are kept up to a number; the first that is not is a warning. */
static void many_gaps(void **state)
{
    enum { MOST = 65536, EACH = 60 };
    char *text = malloc((size_t)(MOST + 2) * EACH + 200);
    struct pc_wave_totals totals;
    uint64_t from, to;
    struct pc_error err;
    size_t size = 0;

    (void)state;
    assert_non_null(text);
    size += (size_t)snprintf(text, 200, "%s", HEAD "#0 0!\n");
    for (unsigned i = 0; i < MOST + 1; i++)
        size += (size_t)snprintf(text + size, EACH, "#%u $dumpoff x! $end\n#%u $dumpon 1! $end\n",
                                 2 * i + 1, 2 * i + 2);
    struct pc_wave *wave = text_try(text, size, NULL, &err);
    free(text);
    assert_non_null(wave);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(pc_wave_gap(wave, MOST - 1, &from, &to), PC_OK);
    assert_int_equal(from, 2 * MOST - 1);
    assert_int_equal(to, 2 * MOST);
    assert_int_equal(pc_wave_gap(wave, MOST, &from, &to), PC_END);
    const char *warning = pc_wave_warning(wave, 0);
    assert_non_null(warning);
    assert_non_null(strstr(warning, "dumping was switched off 65536 times"));
    pc_wave_close(wave);
}

/* Texts of a VCD: eight bits a character, the last one lowest; C's escapes are one character. */
static void texts_as_bits(void **state)
{
    static const struct {
        const char *text;
        bool escapes;
        const char *is;
    } cases[] = {
        { "ab", true, "ab" },      { "a\\nb", true, "a\nb" }, { "a\\nb", false, "a\\nb" },
        { "\\x41z", true, "Az" },  { "\\x4", true, "\4" },    { "\\x414", true, "A4" },
        { "\\101", true, "A" },    { "\\1018", true, "A8" },  { "\\7", true, "\7" },
        { "\\78", true, "\0078" }, { "\\8", true, "8" },      { "\\\\", true, "\\" },
        { "a\\", true, "a\\" },    { "\\q", true, "q" },      { "", true, "" },
    };
    char digits[WV_TEXT_BITS], longer[WV_TEXT + 2];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t length = strlen(cases[i].is);
        char want[WV_TEXT_BITS];
        memset(want, '0', sizeof want);
        for (size_t k = 0; k < length; k++)
            for (unsigned b = 0; b < 8; b++)
                want[WV_TEXT_BITS - 8 * (length - k) + b] =
                    (char)('0' + ((unsigned char)cases[i].is[k] >> (7 - b) & 1));
        wv_put_text(cases[i].text, strlen(cases[i].text), cases[i].escapes, digits);
        if (memcmp(digits, want, sizeof want) != 0)
            fail_msg("\"%s\"", cases[i].text);
    }
    memset(longer, 'l', sizeof longer);
    wv_put_text(longer, WV_TEXT, true, digits);
    assert_int_equal(digits[1], '1');
    wv_put_text(longer, WV_TEXT + 1, true, digits); /* too long: it is not known */
    for (size_t i = 0; i < WV_TEXT_BITS; i++)
        assert_int_equal(digits[i], 'x');
}

/* Reads reals as strtod does in the C locale; what is none is refused. */
static void reals(void **state)
{
    static const char *const good[] = { "0",       "-0",
                                        "1",       "-1.5",
                                        "+2.25",   "1e22",
                                        "1e23",    "3.5e-7",
                                        "1E+5",    "5e-324",
                                        "1e-400",  "1e400",
                                        "-1e400",  ".5",
                                        "5.",      "123456789012345678901234567890",
                                        "0.1e-10", "9007199254740993",
                                        "1e-22",   "1e-23",
                                        "1e308" };
    static const char *const bad[] = { "",  "-",  "+",    ".",   "1.2.3", "1e", "1e+",
                                       "x", "1x", "infi", "-na", "0x10",  "1 " };
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(wv_read_real(good[i], strlen(good[i]), &value));
        if (value != strtod(good[i], NULL))
            fail_msg("%s is %.17g", good[i], value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (wv_read_real(bad[i], strlen(bad[i]), &value))
            fail_msg("\"%s\" is %g", bad[i], value);
    assert_true(wv_read_real("inf", 3, &value) && value == INFINITY);
    assert_true(wv_read_real("-Inf", 4, &value) && value == -INFINITY);
    assert_true(wv_read_real("+NaN", 4, &value) && isnan(value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_calls),   cmocka_unit_test(wrong_binds),
        cmocka_unit_test(errors_stay),   cmocka_unit_test(periods),
        cmocka_unit_test(many_gaps),     cmocka_unit_test(warnings_beyond_the_sixteenth),
        cmocka_unit_test(texts_as_bits), cmocka_unit_test(reals),
    };

    return cmocka_run_group_tests_name("wave/api", tests, NULL, NULL);
}
