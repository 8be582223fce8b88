/* SPDX-License-Identifier: MIT */
/*
 * The VCD reader on small texts: every kind of section and record, and where it refuses; what it
 * makes of a header is in vcd_header.c.
 */
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scalar a, a vector v and an end of the header. */
#define HEAD                                                                                       \
    "$timescale 1ns $end $var wire 1 ! a $end $var wire 4 # v [3:0] $end "                         \
    "$enddefinitions $end\n"

static void scalars(void **state)
{
    (void)state;
    assert_string_equal(text_history(HEAD "#0 0! #1 1! #2 x! #3 0! #4 Z! #5 1!", "a"),
                        "0:0 1:1 2:x 3:0 4:x 5:1");
    /* VHDL: H and L are 1 and 0, all else unknown */
    assert_string_equal(text_history(HEAD "#0 l! #1 h! #2 u! #3 H! #4 w! #5 L! #6 -!", "a"),
                        "0:0 1:1 2:x 3:1 4:x 5:0 6:x");
    assert_string_equal(text_history(HEAD "#0 1 ! #1 0  !\n#2\t1\t!", "a"), "0:1 1:0 2:1");
}

static void left_extension(void **state)
{
    (void)state;
    assert_string_equal(text_history(HEAD "#0 b1 # #1 b0 # #2 bx # #3 bz1 # #4 B1010 #", "v"),
                        "0:0001 1:0000 2:xxxx 3:xxx1 4:1010");
    assert_string_equal(text_history(HEAD "#0 bx0 # #1 b11 # #2 1# #3 x#", "v"),
                        "0:xxx0 1:0011 2:0001 3:xxxx");
    /* longer than the variable: the right end counts */
    assert_string_equal(text_history(HEAD "#0 b00001100 # #1 b10101 #", "v"), "0:1100 1:0101");
}

static void layout_does_not_matter(void **state)
{
    const char *expected = "0:0001 7:0010 9:1111";

    (void)state;
    assert_string_equal(text_history(HEAD "#0\nb1 #\n#7\nb10 #\n#9\nb1111 #\n", "v"), expected);
    assert_string_equal(text_history(HEAD "#0\r\nb1 #\r\n#7\r\nb10 #\r\n#9\r\nb1111 #\r\n", "v"),
                        expected);
    assert_string_equal(text_history(HEAD "#0 b1 # #7 b10 # #9 b1111 #", "v"), expected);
    assert_string_equal(text_history(HEAD "#0\n\nb1\n#\n#7\tb10\t\t#\n\n #9\nb1111 #", "v"),
                        expected);
    /* a byte order mark and blanks before the first section */
    assert_string_equal(text_history("\xef\xbb\xbf\n " HEAD "#0 b1 # #7 b10 # #9 b1111 #", "v"),
                        expected);
}

/* What is unknown then is so because nobody looked, and that is told. */
static void dumping_off(void **state)
{
    static const char text[] = HEAD "#0 0! #4 $dumpoff x! $end #6 $dumpon 1! $end #7 0! "
                                    "#8 $dumpportsoff x! $end #9 $dumpall 1! $end\n";
    struct pc_wave_totals totals;
    struct pc_wave *wave = text_open(text);
    struct pc_error err;

    (void)state;
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_string_equal(pc_wave_warning(wave, 0),
                        "dumping was switched off 2 times, first at time 4");
    assert_null(pc_wave_warning(wave, 1));
    pc_wave_close(wave);
}

/* The comment with which a simulator stops at its $dumplimit, as Icarus Verilog words it. */
static void dump_limit(void **state)
{
    static const char *const text[] = {
        HEAD "#0 0! #4 1! $comment Dump file limit (30000 bytes) exceeded. $end\n\n",
        HEAD "#0 0! #4 1! $comment $dumplimit: LIMIT reached $end\n",
        HEAD "#0 0! $comment Dump file limit (30000 bytes) exceeded. $end #4 1!\n",
        HEAD "#0 0! $comment a limit $end $comment the limiter $end #4 1! $comment no more $end\n",
    };
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;

    (void)state;
    for (unsigned i = 0; i < sizeof text / sizeof text[0]; i++) {
        struct pc_wave *wave = text_open(text[i]);
        test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
        assert_int_equal(totals.changes, 2);
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.unfinished, i < 2);
        assert_int_equal(info.warnings, i < 2);
        if (i < 2)
            assert_non_null(strstr(pc_wave_warning(wave, 0), "($dumplimit) at time 4"));
        pc_wave_close(wave);
    }
}

static void dump_sections(void **state)
{
    (void)state;
    assert_string_equal(text_history(HEAD "#0 $dumpvars 0! bx # $end #1 $dumpoff x! $end "
                                          "#2 $dumpon 1! $end #3 $dumpall 1! $end",
                                     "a"),
                        "0:0 1:x 2:1");
    /* a section that nobody knows, and a comment that looks like values */
    assert_string_equal(text_history(HEAD "#0 0! $comment #5 1! $end #6 $strange 1! $end 1!", "a"),
                        "0:0 6:1");
    assert_string_equal(text_history("$comment #5 1! b0 $var $scope $end " HEAD "#0 0!", "a"),
                        "0:0");
    /* nobody closed $dumpvars */
    assert_string_equal(text_history(HEAD "$dumpvars #4 0! #16 1!", "a"), "4:0 16:1");
}

static void stamps(void **state)
{
    (void)state;
    assert_string_equal(text_history(HEAD "#0 0! #5 1! #5 x! #6 0!", "a"), "0:0 5:x 6:0");
    assert_string_equal(text_history(HEAD "#18446744073709551615 1!", "a"),
                        "18446744073709551615:1");
    assert_string_equal(text_history(HEAD "#3.2 0! #6.0 1! #6.9 x!", "a"), "32:0 60:1 69:x");
    text_refused(HEAD "#0 0!\n#18446744073709551616 1!", 609, 3);
    text_refused(HEAD "#0 0!\n#-4 1!", 609, 3);
    text_refused(HEAD "#0 0!\n#12ab 1!", 609, 3);
    text_refused(HEAD "# 0!", 609, 2);
    text_refused(HEAD "#9 0!\n#8\n", 610, 3);
}

/* Values before the first stamp are there before its edges, and are no stamp. */
static void values_before_time(void **state)
{
    static const char text[] = HEAD "$dumpvars 0! b101 # $end #5 1! b110 # #6 0!";
    struct pc_wave *wave = text_open(text);
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit v[3] = { { 1, 0 }, { 1, 1 }, { 1, 2 } };
    struct pc_wave_instant at;
    struct pc_wave_totals totals;
    struct pc_error err;
    unsigned stream;

    (void)state;
    test_ok(pc_wave_bind(wave, &clock, v, 3, &stream, &err), &err);
    test_ok(pc_wave_step(wave, &at, &err), &err);
    assert_int_equal(at.time, 5);
    assert_int_equal(at.value[0][0], 5);
    assert_int_equal(at.unknown[0][0], 0);
    assert_int_equal(pc_wave_step(wave, &at, &err), PC_END);
    pc_wave_close(wave);

    wave = text_open(text);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_first, 5);
    assert_int_equal(totals.time_stamps, 2);
    assert_int_equal(totals.changes, 5);
    pc_wave_close(wave);
}

static void other_kinds(void **state)
{
    struct pc_wave *wave =
        text_open("$timescale 1 ns $end $var real 64 r volts $end $var string 0 s text $end "
                  "$var event 1 e go $end $var wire 2 w bits $end $enddefinitions $end\n"
                  "#0 r1.5e-3 r R-nan r sa\\040b s s s 1e #1 1e smisplaced w\n");
    struct pc_var_activity a[4];
    struct pc_wave_totals totals;
    struct pc_error err;

    (void)state;
    test_ok(pc_wave_scan(wave, &totals, a, &err), &err);
    assert_int_equal(totals.changes, 7);
    assert_int_equal(a[0].changes, 2);
    assert_int_equal(a[1].changes, 2);
    assert_int_equal(a[2].changes, 2);
    assert_int_equal(a[3].changes, 1);
    assert_true(a[3].ever_unknown); /* a string for a vector of bits */
    assert_non_null(strstr(pc_wave_warning(wave, 0), "does not fit"));
    pc_wave_close(wave);
}

static void extended_vcd(void **state)
{
    static const char text[] = "$timescale 1ns $end $var port 1 <0 p $end "
                               "$var port [1:4] <1 q $end $var port 3 <2 r[2:0] $end "
                               "$enddefinitions $end #0 $dumpports pD 6 0 <0 pLHXT 6666 0000 <1 "
                               "$end #1 pU 0 6 <0 p01?F 6 6 <1 #2 pZ 0 0 <0 pduAf 1 1 <1 "
                               "pN 6 6 <2 $vcdclose #3 $end";
    struct pc_wave *wave = text_open(text);
    struct pc_wave_info info;

    (void)state;
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.format, PC_WAVE_EVCD);
    pc_wave_close(wave);
    assert_string_equal(text_history(text, "p"), "0:0 1:1 2:x");
    assert_string_equal(text_history(text, "q"), "0:01xx");
    assert_string_equal(text_history(text, "r"), "0:xxx");
}

static void undeclared_identifiers(void **state)
{
    struct pc_wave *wave = text_open(HEAD "#0 0! 1? b11 nobody 1# 1!!!!!!! 1\x7f\n");
    struct pc_wave_totals totals;
    struct pc_error err;

    (void)state;
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.changes, 2);
    assert_non_null(strstr(pc_wave_warning(wave, 0), "line 2"));
    assert_non_null(strstr(pc_wave_warning(wave, 0), "\"?\""));
    assert_non_null(strstr(pc_wave_warning(wave, 0), "4 such"));
    assert_null(pc_wave_warning(wave, 1));
    pc_wave_close(wave);
    text_refused("$timescale 1ns $end $enddefinitions $end\n#0\n0!", 607, 3);
}

static void aliases(void **state)
{
    static const char text[] = "$timescale 1 ns $end $var wire 4 ! v $end $var wire 4 ! w $end "
                               "$var wire 2 ! low $end $var wire 6 ! wide $end "
                               "$enddefinitions $end #0 b1011 ! #1 b1110 !";
    struct pc_wave *wave = text_open(text);
    struct pc_wave_info info;

    (void)state;
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.vars, 4);
    assert_int_equal(info.codes, 1);
    assert_int_equal(info.warnings, 2);
    assert_non_null(strstr(pc_wave_warning(wave, 0), "declared with 4 bits"));
    pc_wave_close(wave);
    assert_string_equal(text_history(text, "v"), "0:1011 1:1110");
    assert_string_equal(text_history(text, "low"), "0:11 1:10");
    assert_string_equal(text_history(text, "wide"), "0:001011 1:001110");
}

static void incomplete_files(void **state)
{
    struct pc_wave_info info;
    struct pc_wave_totals totals;
    struct pc_error err;

    (void)state;
    /* the header ends the file, or values begin without $enddefinitions */
    struct pc_wave *wave = text_open("$timescale 1 ns $end $var wire 1 ! a $end");
    pc_wave_get_info(wave, &info);
    assert_true(info.unfinished);
    assert_int_equal(info.warnings, 1);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_false(totals.has_time);
    pc_wave_close(wave);
    assert_string_equal(text_history("$var wire 1 ! a $end #0 0! #1 1!", "a"), "0:0 1:1");
    assert_string_equal(text_history("$var wire 1 ! a $end $enddefinitions #0 0! #1 1!", "a"),
                        "0:0 1:1");
    /* the writer was stopped inside a record */
    wave = text_open(HEAD "#0 0! #1 b101");
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.changes, 1);
    assert_int_equal(totals.time_last, 1);
    pc_wave_get_info(wave, &info);
    assert_true(info.unfinished);
    pc_wave_close(wave);
}

/* The writer was stopped inside a timestamp: what is there of it may be an earlier time. */
static void cut_stamps(void **state)
{
    static const char *const last[] = { "#", "#3", "#30", "#29" };
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "#295 0! #300 1! %s", last[i]);
        struct pc_wave *wave = text_open(text);
        test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
        assert_int_equal(totals.time_stamps, 2);
        assert_int_equal(totals.time_last, 300);
        pc_wave_get_info(wave, &info);
        assert_true(info.unfinished);
        assert_int_equal(info.warnings, 1);
        assert_non_null(strstr(pc_wave_warning(wave, 0), "inside a timestamp"));
        pc_wave_close(wave);
        assert_string_equal(text_history(text, "a"), "295:0 300:1");
    }
    text_refused(HEAD "#295 0! #300 1! #3\n", 610, 2); /* whole, and wrong */
    text_refused(HEAD "#295 0! #300 1! #\n", 609, 2);
}

/* In a format or an encoding that no reader takes: what to do is told by name. */
static void strange_encoding(void **state)
{
    static const struct {
        const char *head, *tool;
    } cases[] = { { "\x13\x80", "lxt2vcd FILE" },
                  { "VZ", "vzt2vcd FILE" },
                  { "\x01\x38", "GTKWave" },
                  { "\x04\x22\x4d\x18", "lz4 -dc FILE" },
                  { "LZIP", "lzip -dc FILE" },
                  { "\x1f\x9d", "gzip -dc FILE" },
                  { "7z\xbc\xaf\x27\x1c", "7z x -so FILE" },
                  { "\n (SAIFILE\n", "VCD or FST" },
                  { "(SAIFILE\n", "VCD or FST" },
                  { "<SALEAE>", "CSV" },
                  { "\xff\xfe$", "iconv -f UTF-16" },
                  { "\xfe\xff$", "iconv -f UTF-16" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_error err = { 0 };
        assert_int_equal(text_read_all(cases[i].head, strlen(cases[i].head), NULL, &err),
                         PC_EUNSUP);
        assert_int_equal(err.code, 503);
        assert_non_null(strstr(err.hint, cases[i].tool));
    }
    /* what Verilator writes next, after a file that has the header */
    struct pc_error err = { 0 };
    assert_int_equal(text_read_all("#200\n1!\n", 8, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 502);
    assert_non_null(strstr(err.hint, "cat FIRST.vcd NEXT.vcd"));
    assert_int_equal(text_read_all("#!/bin/sh\n", 10, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 502);
    assert_null(strstr(err.hint, "Verilator"));
}

/* What GHDL leaves out of a VCD it names in comments. */
static void left_out(void **state)
{
    static const char text[] =
        "$scope module tb $end $var reg 1 ! clk $end "
        "$comment rc is not handled $end $comment memory is not handled $end "
        "$comment is not handled $end $comment all is well $end "
        "$upscope $end $enddefinitions $end";
    static const struct {
        const char *name;
        bool told;
    } rows[] = { { "rc", true },           { "tb.rc.valid", true }, { "tb.memory[2][3]", true },
                 { "tb.memory.x", true },  { "memor", false },      { "tb.rcs", false },
                 { "tb.clk.rc[1]", true }, { "clj", false },        { "tb", false } };
    struct pc_wave *wave = text_open(text);
    uint32_t hi, lo;
    struct pc_error err;
    size_t v;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pc_wave_find(wave, rows[i].name, &v, &hi, &lo, &err), PC_ENOENT);
        if (rows[i].told != (strstr(err.hint, "left out \"") != NULL))
            fail_msg("%s: %s", rows[i].name, err.hint);
    }
    pc_wave_close(wave);
}

static void refusals(void **state)
{
    (void)state;
    text_refused("", 507, 0);
    text_refused("hello, world", 502, 0);
    text_refused("PK\x03\x04 and so on", 719, 0);
    text_refused("$", 602, 1);
    text_refused("$date\n today", 602, 2);
    text_refused("$comment\n\n never closed", 602, 3);
    text_refused("$unheard of\n", 602, 2);
    text_refused("$timescale 1ns $end", 602, 1);
    text_refused("$date x $end\n#0", 600, 2);
    text_refused("$scope module top\n$var wire 1 ! a $end", 603, 2);
    text_refused("$scope $end", 602, 1);
    text_refused("$var port [0000001:0] $end", 602, 1); /* it fills 16 bytes, and ends there */
    text_refused("$timescale 1ns $end\n$timescale 1ps $end", 642, 2);
    text_refused("$var wire 4294967296 ! a $end", 514, 1);
    text_refused("$var port [4294967295:0] ! a $end", 514, 1);
    text_refused("$var wire 99999999999999999999999 ! a $end", 514, 1);
    text_refused(HEAD "#0 0!\n=hello\n", 608, 3);
    text_refused(HEAD "#0 b012 #", 608, 2);
    text_refused(HEAD "#0\n$var wire 1 $ b $end", 613, 3);
}

/* Lines are counted right where there are many of them, in one window and in several. */
static void line_numbers(void **state)
{
    static char text[400000];

    (void)state;
    for (unsigned lines = 1; lines < 390000; lines = lines * 5 / 2 + 3) {
        memcpy(text, "$end", 4);
        memset(text + 4, '\n', lines);
        snprintf(text + 4 + lines, sizeof text - 4 - lines, "$nonsense");
        text_refused(text, 602, lines + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),
        cmocka_unit_test(left_extension),
        cmocka_unit_test(layout_does_not_matter),
        cmocka_unit_test(dump_sections),
        cmocka_unit_test(dumping_off),
        cmocka_unit_test(dump_limit),
        cmocka_unit_test(stamps),
        cmocka_unit_test(values_before_time),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(extended_vcd),
        cmocka_unit_test(undeclared_identifiers),
        cmocka_unit_test(aliases),
        cmocka_unit_test(incomplete_files),
        cmocka_unit_test(cut_stamps),
        cmocka_unit_test(strange_encoding),
        cmocka_unit_test(left_out),
        cmocka_unit_test(refusals),
        cmocka_unit_test(line_numbers),
    };

    return cmocka_run_group_tests_name("wave/vcd", tests, NULL, NULL);
}
