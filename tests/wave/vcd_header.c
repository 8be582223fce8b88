/* SPDX-License-Identifier: MIT */
/* The header of a VCD on small texts: its sections, and the variables and identifiers of it. */
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void timescales(void **state)
{
    static const struct {
        const char *text;
        uint64_t factor;
        int exponent;
    } good[] = {
        { "1ps", 1, -12 },     { "10 ns", 10, -9 },   { "100\n us", 100, -6 },
        { "1 s", 1, 0 },       { "0.1ps", 100, -15 }, { "0.01 ns", 10, -12 },
        { "244 ns", 244, -9 }, { "1000ps", 1, -9 },   { "10000 fs", 10, -12 },
    };
    static const struct {
        const char *text;
        uint64_t factor;
        int exponent;
        const char *warning;
    } bad[] = {
        { "", 1, -9, "has no unit; one time unit is taken as 1 ns" },
        { "ps", 1, -12, "has no number; one time unit is taken as 1 ps" },
        { "1", 1, -9, "has no unit; one time unit is taken as 1 ns" },
        { "100", 100, -9, "has no unit; one time unit is taken as 100 ns" },
        { "0ps", 1, -12, "is a unit of no length; one time unit is taken as 1 ps" },
        { "0 ns", 1, -9, "is a unit of no length" },
        { "10PS", 10, -12, "has its unit in capitals; one time unit is taken as 10 ps" },
        { "1 Ms", 1, -3, "has its unit in capitals; one time unit is taken as 1 ms" },
        { "1 parsec", 1, -9, "is not a timescale; one time unit is taken as 1 ns" },
        { "1.0.0 ns", 1, -9, "is not a timescale" },
        { "-1 ns", 1, -9, "is not a timescale" },
        { "9999999999999 ns", 1, -9, "is not a timescale" },
    };
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct pc_wave_info info;
        snprintf(text, sizeof text, "$timescale %s $end $enddefinitions $end", good[i].text);
        struct pc_wave *wave = text_open(text);
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.timescale_factor, good[i].factor);
        assert_int_equal(info.timescale_exponent, good[i].exponent);
        pc_wave_close(wave);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct pc_wave_info info;
        snprintf(text, sizeof text, "$date $end\n$timescale %s $end $var wire 1 ! a $end",
                 bad[i].text);
        struct pc_wave *wave = text_open(text);
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.timescale_factor, bad[i].factor);
        assert_int_equal(info.timescale_exponent, bad[i].exponent);
        assert_non_null(strstr(pc_wave_warning(wave, 0), "line 2: the timescale"));
        assert_non_null(strstr(pc_wave_warning(wave, 0), bad[i].warning));
        pc_wave_close(wave);
    }
}

static void header_texts(void **state)
{
    struct pc_wave *wave = text_open("$date  Mon\n 1 \n$end $version A\tB $end $comment one $end "
                                     "$comment two $end $timescale 1ns $end $var wire 1 ! a $end "
                                     "$var wire 4 # v [3:0] $end $enddefinitions $end\n");
    struct pc_wave_info info;

    (void)state;
    pc_wave_get_info(wave, &info);
    assert_string_equal(info.date, "Mon 1");
    assert_string_equal(info.version, "A B");
    assert_string_equal(info.comment, "one");
    assert_int_equal(info.format, PC_WAVE_VCD);
    assert_string_equal(info.encoding, "plain");
    assert_int_equal(info.vars, 2);
    assert_int_equal(info.codes, 2);
    assert_int_equal(info.scopes, 0);
    assert_int_equal(info.warnings, 0);
    assert_false(info.unfinished);
    pc_wave_close(wave);
}

static void variables(void **state)
{
    static const struct pc_wave_var expected[] = {
        { "top.clk", "", "wire", PC_VAR_BITS, 1, 0, 0, 0, false },
        { "top.bus", "[7:0]", "reg", PC_VAR_BITS, 8, 7, 0, 1, false },
        { "top.up", "[0:3]", "logic", PC_VAR_BITS, 4, 0, 3, 2, false },
        { "top.high", "[7:4]", "wire", PC_VAR_BITS, 4, 7, 4, 3, false },
        { "top.tight", "[-1:-2]", "wire", PC_VAR_BITS, 2, -1, -2, 4, false },
        { "top.bit[3]", "", "wire", PC_VAR_BITS, 1, 0, 0, 5, false },
        { "top.mem[2]", "[7:0]", "reg", PC_VAR_BITS, 8, 7, 0, 6, false },
        { "top.grid", "[1:0][3:0]", "logic", PC_VAR_BITS, 8, 7, 0, 7, false },
        { "top.u0.clk", "", "wire", PC_VAR_BITS, 1, 0, 0, 0, false },
        { "top.u0.\\odd[1:0]", "", "wire", PC_VAR_BITS, 2, 1, 0, 8, false },
        { "top.u0.\\even[1:0]", "[1:0]", "wire", PC_VAR_BITS, 2, 1, 0, 9, false },
        { "top.u0.two words", "", "wire", PC_VAR_BITS, 1, 0, 0, 10, false },
        { "top.volts", "", "real", PC_VAR_REAL, 64, 63, 0, 11, false },
        { "top.text", "", "string", PC_VAR_STRING, 0, 0, 0, 12, false },
        { "top.go", "", "event", PC_VAR_EVENT, 1, 0, 0, 13, false },
        { "top.thing", "", "unknown", PC_VAR_BITS, 3, 2, 0, 14, false },
    };
    struct pc_wave *wave = text_open(
        "$scope module top $end $var wire 1 ! clk $end $var reg 8 $ bus [7:0] $end\n"
        "$var logic 4 # up [0:3] $end $var wire 4 % high [7:4] $end\n"
        "$var wire 2 & tight[-1:-2] $end $var wire 1 ' bit [3] $end\n"
        "$var reg 8 ( mem [2][7:0] $end $var logic 8 ) grid [1:0][3:0] $end\n"
        "$attrbegin misc 02 STRING 1040 $end $scope begin u0 $end $var wire 1 ! clk $end\n"
        "$var wire 2 * \\odd[1:0] $end $var wire 2 + \\even[1:0] [1:0] $end\n"
        "$var wire 1 , two\twords $end $upscope $end $var real 64 - volts $end\n"
        "$var string 0 . text $end $var event 1 / go $end $var gizmo 3 0 thing $end\n"
        "$upscope $end $timescale 1 ns $end $enddefinitions $end");
    struct pc_wave_var v;
    size_t i = 0;

    (void)state;
    for (; pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        assert_true(i < sizeof expected / sizeof expected[0]);
        assert_string_equal(v.name, expected[i].name);
        assert_string_equal(v.range, expected[i].range);
        assert_string_equal(v.type, expected[i].type);
        assert_int_equal(v.kind, expected[i].kind);
        assert_int_equal(v.width, expected[i].width);
        assert_int_equal(v.msb, expected[i].msb);
        assert_int_equal(v.lsb, expected[i].lsb);
        assert_int_equal(v.code, expected[i].code);
    }
    assert_int_equal(i, sizeof expected / sizeof expected[0]);
    pc_wave_close(wave);
}

/* The bounds of a port stand in front of its name; bits are numbered by them. */
static void extended_bounds(void **state)
{
    static const char text[] =
        "$timescale 1ns $end $var port [7:4] <0 p $end "
        "$var port [0:3] <1 \\q $end $var port [2:0] <2 r[2:0] $end "
        "$var port [5:5] <3 s $end $var port [-1:-4] <4 n $end "
        "$var port [1:-2] <5 \\e[3:0] $end $enddefinitions $end #0 $dumpports "
        "pUDDD 6000 0666 <0 pUDDD 6000 0666 <1 pUDD 600 066 <2 pU 6 0 <3 "
        "pUDDD 6000 0666 <4 pUDDD 6000 0666 <5 $end";

    static const struct {
        const char *name;
        int32_t msb, lsb;
        const char *history;
    } expected[] = {
        { "p", 7, 4, "0:1000" }, { "\\q", 0, 3, "0:1000" }, { "r", 2, 0, "0:100" },
        { "s", 5, 5, "0:1" },    { "n", -1, -4, "0:1000" }, { "\\e[3:0]", 1, -2, "0:1000" },
    };
    struct pc_wave *wave = text_open(text);

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct pc_wave_var v;
        assert_int_equal(pc_wave_get_var(wave, text_find(wave, expected[i].name), &v), PC_OK);
        assert_int_equal(v.msb, expected[i].msb);
        assert_int_equal(v.lsb, expected[i].lsb);
        assert_string_equal(text_history(text, expected[i].name), expected[i].history);
    }
    pc_wave_close(wave);
}

/* Identifiers: counted with either end first, long, scattered, any printable character. */
static void identifiers(void **state)
{
    static const char *const sets[][3] = {
        { "!", "\"", "#" },
        { "!!", "\"!", "!\"" },
        { "abcd", "abce", "abcf" },
        { "n0", "n1", "n10" },
        { "a-very-long-one", "b", "~~~~~~~~~~~~~~~~" },
        { "end", "$end2", "#7" },
        { "\xc3\xa4", "\xc3\xb6", "x" },
    };
    char text[400];

    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (int k = 0; k < 3; k++) {
            static const char *const names[] = { "a", "b", "c" };
            const char *const *id = sets[i];
            snprintf(text, sizeof text,
                     "$timescale 1ns $end $var wire 1 %s a $end $var wire 1 %s b $end "
                     "$var wire 1 %s c $end $enddefinitions $end #0 0%s 0%s 0%s #1 1%s #2 b0 %s",
                     id[0], id[1], id[2], id[0], id[1], id[2], id[k], id[k]);
            assert_string_equal(text_history(text, names[k]), "0:0 1:1 2:0");
            assert_string_equal(text_history(text, names[(k + 1) % 3]), "0:0");
        }
    }
}

enum { MANY = 12000 };

/* Makes identifiers of one to five characters, or not of ASCII alone, in the orders that writers
 * have. */
static size_t many_id(unsigned i, unsigned how, char out[8])
{
    char turned[8];
    size_t n = 0;

    for (unsigned k = i;; k = k / 94 - 1) {
        turned[n++] = (char)('!' + k % 94);
        if (k < 94)
            break;
    }
    for (size_t k = 0; k < n; k++)
        out[k] = how == 1 ? turned[n - 1 - k] : turned[k];
    for (; how == 2 && i % 3 == 0 && n < 5; n++)
        out[n] = i % 2 ? '~' : '\xb5';
    return n;
}

/* So many that the short ones have a table: each is a stream of its own, also when it comes again.
 */
static void many_identifiers(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        char *text = malloc((size_t)MANY * 96), id[8];
        size_t used = (size_t)sprintf(text, "$timescale 1 ns $end\n");
        assert_non_null(text);
        for (unsigned i = 0; i < MANY; i++)
            for (unsigned again = 0; again <= (i % 7 == 0); again++)
                used += (size_t)sprintf(text + used, "$var wire 1 %.*s s%u%c $end\n",
                                        (int)many_id(i, how, id), id, i, "ab"[again]);
        used += (size_t)sprintf(text + used, "$enddefinitions $end\n#0\n");
        for (unsigned i = 0; i < MANY; i++)
            used +=
                (size_t)sprintf(text + used, "%u%.*s\n", i % 5 == 0, (int)many_id(i, how, id), id);
        struct pc_wave *wave = text_open(text);
        struct pc_wave_info info;
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.codes, MANY);
        struct pc_var_activity *a = calloc(MANY, sizeof *a);
        struct pc_wave_totals totals;
        struct pc_wave_var var;
        struct pc_error err;
        test_ok(pc_wave_scan(wave, &totals, a, &err), &err);
        for (size_t i = 0; pc_wave_get_var(wave, i, &var) == PC_OK; i++)
            assert_int_equal(var.code, strtoul(strchr(var.name, 's') + 1, NULL, 10));
        for (unsigned i = 0; i < MANY; i++)
            assert_int_equal(a[i].changes, 1);
        assert_null(pc_wave_warning(wave, 0));
        pc_wave_close(wave);
        free(a);
        free(text);
    }
}

static void limits(void **state)
{
    static const char two[] = "$scope module one $end $scope module two $end "
                              "$var wire 9 ! name $end $var wire 1 $ b $end $enddefinitions $end";
    static const struct {
        struct pc_wave_limits limits;
        unsigned code;
    } rows[] = {
        { { .max_vars = 1 }, 510 },         { { .max_name_bytes = 11 }, 511 },
        { { .max_names_total = 20 }, 512 }, { { .max_depth = 1 }, 513 },
        { { .max_width = 8 }, 514 },
    };
    static const struct pc_wave_limits enough = {
        .max_vars = 2, .max_name_bytes = 12, .max_names_total = 30, .max_depth = 2, .max_width = 9
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_wave_desc desc = { .limits = rows[i].limits };
        struct pc_error err = { 0 };
        assert_null(text_try(two, strlen(two), &desc, &err));
        assert_int_equal(err.code, rows[i].code);
        assert_int_equal(err.status, PC_ELIMIT);
    }
    struct pc_wave_desc desc = { .limits = enough };
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(two, strlen(two), &desc, &err);
    test_ok(err.status, &err);
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timescales),  cmocka_unit_test(header_texts),
        cmocka_unit_test(variables),   cmocka_unit_test(extended_bounds),
        cmocka_unit_test(identifiers), cmocka_unit_test(many_identifiers),
        cmocka_unit_test(limits),
    };

    return cmocka_run_group_tests_name("wave/vcd_header", tests, NULL, NULL);
}
