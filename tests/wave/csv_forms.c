/* SPDX-License-Identifier: MIT */
/* CSV files in the forms of instruments and spreadsheets, what is told of them, and what is not
 * read. */
#include "texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Forms of instruments and spreadsheets, and the notes that tell how they were read. */
static void instruments(void **state)
{
    static const struct {
        const char *text, *variables, *name, *history, *note;
    } cases[] = {
        { "x-axis,D0,D1\nsecond,,\n1E-06,+1,0\n2E-06,+0,1\n", "D0:1 D1:1", "D0",
          "1000000:1 2000000:0", "one of units" },
        { "Time,D0,A\n(us),,(V)\n\n0.0,1,1.5\n0.5,0,1.6\n", "D0:1 A:real64", "D0", "0:1 500000:0",
          "one of units" },
        { "Zeit;Kanal A;D0\n(ms);(V);\n\n0,5;1,5;0\n1,0;1,6;1\n", "Kanal A:real64 D0:1", "D0",
          "500000000:0 1000000000:1", "one of units" },
        { "t,state,d\ns,,\n0,A,0\n1,B,1\n", "state:string0 d:1", "d", "0:0 1000000000000:1",
          "one of units" },
        { "X,D1,Start,Increment,\nSequence,Volt,0,2.5e-07\n0,1,,\n1,0,,\n", "D1:1", "D1", "0:1 1:0",
          "one of units" },
        { "Sample in Buffer,TRIGGER,u/s[3:0],u/v,o,b[1:0]\n"
          "Radix - UNSIGNED,UNSIGNED,HEX,HEX,OCTAL,BINARY\n0,0,a,1,17,10\n1,1,5,0,1,1\n",
          "TRIGGER:1 u.s:4 u.v:1 o:6 b:2", "u.s", "0:1010 1:0101", "radixes" },
        { "n\nUNSIGNED\n10\n11\n", "n:64", "n",
          "0:0000000000000000000000000000000000000000000000000000000000001010 "
          "1:0000000000000000000000000000000000000000000000000000000000001011",
          "radixes" },
        { "sep=;\na;b\n0;1\n1;1\n", "a:1 b:1", "a", "0:0 1:1", "sep=" },
        { "\"sep=\t\"\r\na\tb\r\n0\t1\r\n1\t1\r\n", "a:1 b:1", "a", "0:0 1:1", "sep=" },
        { "a,b\nTRUE,high\nfalse,LOW\n", "a:1 b:1", "a", "0:1 1:0", "TRUE" },
        { "a,b\non,1\n,0\noff,0\n", "a:1 b:1", "a", "0:1 1:x 2:0", "ON" },
        { "t [s];a\n0,5;0\n1;1\n", "a:1", "a", "500000000000:0 1000000000000:1", "commas" },
        { "t,a\n1,0\n1,1\n", "a:1", "a", "1:0 1:1", "1 row has the time" },
        { "d,a\n,A\n1,B\n", "d:1 a:string0", "d", "0:x 1:1", NULL }, /* states, no amperes */
        { "a,b\non,1\nidle,0\n", "a:string0 b:1", "b", "0:1 1:0", NULL },
        { "a,b\non,1\n2,0\n", "a:string0 b:1", "b", "0:1 1:0", NULL },
        { "V1,V2\n0.5,0.25\n1.5,2.5\n", "V1:real64 V2:real64", NULL, NULL, "NR > 1 { $1" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_wave *wave = text_open(cases[i].text);
        struct pc_wave_totals totals = { 0 };
        struct pc_error err;
        test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
        const char *note = pc_wave_note(wave, 0);
        if (cases[i].note ? !note || !strstr(note, cases[i].note) : note != NULL)
            fail_msg("note %s of: %s", note ? note : "(none)", cases[i].text);
        pc_wave_close(wave);
        assert_string_equal(text_variables(cases[i].text), cases[i].variables);
        if (cases[i].name)
            assert_string_equal(text_history(cases[i].text, cases[i].name), cases[i].history);
    }
    text_refused_at("Radix\nHEX\n1f\n1g\n", 763, 4, 1);
    text_refused_at("a[3:0],b\nHEX,HEX\n1,0\n1f,0\n", 764, 4, 1);
    text_refused_at("t,a\n(us),\n\n0,1\n\n1,1\n", 762, 6, 1);
}

/* A first line of nothing but values is a row; names may be in the last comment. */
static void without_names(void **state)
{
    static const struct {
        const char *text, *variables, *name, *history, *note;
    } cases[] = {
        { "0.136,0\n0.139,1\n0.143,0\n", "column2:1", "column2",
          "136000000000:0 139000000000:1 143000000000:0", "column2" },
        { "0,0,1\n1e-6,1,1\n2e-6,0,1\n", "column2:1 column3:1", "column2",
          "0:0 1000000:1 2000000:0", "column2" },
        { "0,5;1,5\n1,0;2,0\n2,0;1,5\n", "column2:real64", NULL, NULL, "column2" },
        { "0,5;0\n1,5;1\n2,5;0\n", "column2:1", "column2",
          "500000000000:0 1500000000000:1 2500000000000:0", "column2" },
        { "0.5\t1\r\n1.5\t0\r\n2.5\t1\r\n", "column2:1", "column2",
          "500000000000:1 1500000000000:0 2500000000000:1", "column2" },
        { "\xef\xbb\xbf"
          "-1.5 us,1\n-1 us,0\n",
          "column2:1", "column2", "0:1 500000:0", "column2" },
        { "2024-01-01T00:00:00Z,0\n2024-01-01T00:00:01Z,1\n", "column2:1", "column2",
          "0:0 1000000000000:1", "column2" },
        { "10,0\n20,1\n30,0\n", "column2:1", "column2", "10:0 20:1 30:0", "column2" },
        { "0.5,IDLE\n0.6,RUN\n0.7,IDLE\n", "column2:string0", NULL, NULL, "column2" },
        { "1.5,TRUE,0x1f\n2.5,FALSE,0x00\n3.5,TRUE,\n", "column2:1 column3:8", "column3",
          "1500000000000:00011111 2500000000000:00000000 3500000000000:xxxxxxxx", "column2" },
        { "# Time [s],D0,D1\n0.0,0,1\n0.5,1,1\n", "D0:1 D1:1", "D0", "0:0 500000000000:1",
          "last comment, Time [s]" },
        { "# made by hand\n# D0,D1\n0,1\n1,1\n0,1\n", "D0:1 D1:1", "D0", "0:0 1:1 2:0",
          "last comment" },
        { "# t;D0\n0,5;1\n1,5;0\n", "D0:1", "D0", "500000000000:1 1500000000000:0",
          "last comment" },
        { "#,Time (s),D0\n0,0.0,0\n1,0.5,1\n", "#:1 D0:1", "D0", "0:0 500000000000:1",
          "last comment, #" },
        /* a comment that has a comma, and is no line of names: what grows is the time */
        { "# of Monday, noon\n0.5,0\n1.5,1\n2.5,1\n", "noon:1", "noon",
          "500000000000:0 1500000000000:1", "last comment" },
        { "#CHANNEL:A,B\n#CLOCK=2.0uS,,\n#SIZE=2\n#UNITS:V\n\n0,1\n1,0\n0,1\n", "A:1 B:1", "A",
          "0:0 1:1 2:0", NULL },
        { "#CHANNEL:A\n#CLOCK=1uS\n0.0,1\n1e-06,0\n2e-06,1\n", "A:1", "A",
          "0:1 1000000:0 2000000:1", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_wave *wave = text_open(cases[i].text);
        const char *note = pc_wave_note(wave, 0);
        if (cases[i].note ? !note || !strstr(note, cases[i].note) : note != NULL)
            fail_msg("note %s of: %s", note ? note : "(none)", cases[i].text);
        pc_wave_close(wave);
        assert_string_equal(text_variables(cases[i].text), cases[i].variables);
        if (cases[i].name)
            assert_string_equal(text_history(cases[i].text, cases[i].name), cases[i].history);
    }
    text_refused_at("0.5,1.2\n0.3,1.1\n0.6,1\n", 760, 1, 1);          /* nothing grows */
    text_refused_at("0.5,1\n0.6,0\n", 760, 1, 1);                     /* two rows show nothing */
    text_refused_at("0,1,2\n0.0,1,0\n1.5,0,1\n2.5,0,1\n", 760, 1, 1); /* pandas' columns? */
    text_refused_at("0.5\n1.5\n2.5\n", 760, 1, 1);
    text_refused_at("# a,,b\n0,1,0\n1,1,0\n", 760, 2, 1);
    text_refused_at("# 0.5,1\n0.5,1\n0.4,0\n", 760, 2, 1); /* a row that is commented out */
    text_refused_at("#CHANNEL:A,B\n0.0,1\n0.5,0\n1.5,1\n", 760, 2, 1);
}

static struct pc_wave_info info_of(const char *text, char warning[200])
{
    struct pc_wave *wave = text_open(text);
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    snprintf(warning, 200, "%s", info.warnings ? pc_wave_warning(wave, 0) : "");
    pc_wave_close(wave);
    return info;
}

/* Names that are those of times if the cells grow, and what is warned about otherwise. */
static void likely_times(void **state)
{
    static const char *const times[] = { "Second",  "sec", "Elapsed (s)", "X", "x-axis", "Elapsed",
                                         "seconds", "s",   "Duration (s)" };
    static const struct {
        const char *text, *warning;
    } signals[] = {
        { "V(s),d\n0.5,0\n1.5,1\n2.5,1\n", "column 1, V(s), grows like a time" },
        { "ramp,d\n0.5,0\n1.5,1\n2.5,1\n", "column 1, ramp, grows like a time" },
        { "ramp,d\n0.5,0\n1.5,1\n", "" },
        { "ramp,d\n0.5,0\n0.5,1\n2.5,1\n", "" },
        { "index,d\n0,0\n1,1\n2,1\n", "" },
        { "X,d\n0,0\n1,1\n2,1\n", "" },      /* a counter of a screen */
        { "second,d\n2,0\n2,1\n3,1\n", "" }, /* of a clock */
        { "name,start_time\n\"SPI\",0.1\n\"SPI\",0.2\n",
          "column 2, start_time, grows like a time" },
        { "samples,uptime\n0,0.1\n0,0.2\n0,0.3\n", "column 2, uptime, grows like a time" },
    };
    char text[200], warning[200];

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        snprintf(text, sizeof text, "%s,d\n0.0,0\n0.5,1\n1.5,0\n", times[i]);
        assert_string_equal(text_history(text, "d"), "0:0 500000000000:1 1500000000000:0");
        assert_int_equal(info_of(text, warning).vars, 1);
        assert_string_equal(warning, "");
    }
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        info_of(signals[i].text, warning);
        if (signals[i].warning[0] ? !strstr(warning, signals[i].warning) : warning[0])
            fail_msg("warning %s of: %s", warning, signals[i].text);
    }
    /* numbers of samples beside a time */
    assert_string_equal(text_history("Sample,Time (s),d\n0,0.0,0\n1,0.5,1\n", "d"),
                        "0:0 500000000000:1");
    assert_string_equal(text_history("samples,d,Time (s)\n0,0,0.0\n0,1,0.5\n", "d"),
                        "0:0 500000000000:1");
    assert_string_equal(text_history("Sample,d\n5,0\n7,1\n", "d"), "5:0 7:1");
    /* of several columns with a unit of time the one that is called so */
    assert_string_equal(text_history("RefTime,d,Time\nms,Flag,ms\n0,1.0,5\n0,0.0,6\n", "d"),
                        "5000000000:1 6000000000:0");
    assert_int_equal(info_of("#CLOCK=2.5uS,,\na,b\n0,1\n1,0\n", warning).sample_rate, 400000);
    assert_int_equal(info_of("#CLOCK=soon\na,b\n0,1\n1,0\n", warning).sample_rate, 0);
    assert_non_null(strstr(warning, "\"soon\" is not understood"));
}

/* Columns of nothing but 0.0 and 1.0 are levels, as numpy and pandas write them. */
static void levels_with_fractions(void **state)
{
    static const struct {
        const char *text, *variables, *history; /* of a */
    } cases[] = {
        { "a,b\n0.0,1.0\n1.0,1.00\n0.0,0.\n", "a:1 b:1", "0:0 1:1 2:0" },
        { "a,b\n1.000000000000000000e+00,0\n0.000000000000000000e+00,1\n", "a:1 b:1", "0:1 1:0" },
        { "a;b\n1,0;-0,0\n0,0;1\n", "a:1 b:1", "0:1 1:0" },
        { "a,b\n1.0,0\nNaN,1\n,1\n0.0,1\n", "a:1 b:1", "0:1 1:x 3:0" },
        { "a,b\n1,nan\n0,NaN\n", "a:1 b:real64", "0:1 1:0" },
        { "a,b\n1,0.0\n0,0.5\n", "a:1 b:real64", "0:1 1:0" },
        { "a,b\n1,0.0\n0,2\n", "a:1 b:real64", "0:1 1:0" },
        { "a,b\n1,-1.0\n0,1e1\n", "a:1 b:real64", "0:1 1:0" },
        { "a,b\n,V\n1,0.0\n0,1.0\n", "a:1 b:real64", "0:1 1:0" },
        { "a,b (V)\n1,0.0\n0,1.0\n", "a:1 b (V):real64", "0:1 1:0" },
        { "a,b\nFlag,Flag\n1.0,0.0\n0.0,0.0\n", "a:1 b:1", "0:1 1:0" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(text_variables(cases[i].text), cases[i].variables);
        assert_string_equal(text_history(cases[i].text, "a"), cases[i].history);
    }
}

/* Times and samples of unknown length get the unit that is given. */
static void given_units(void **state)
{
    static const struct {
        const char *text;
        uint64_t factor;
        int exponent;
        uint64_t want, rate;
        const char *warning;
    } cases[] = {
        { "t,a\n1,0\n3,1\n", 10, -9, 10, 0, NULL },
        { "a,b\n1,0\n0,1\n", 1, -6, 1, 1000000, NULL },
        { "a,b\n1,0\n0,1\n", 100, -9, 1, 10000000, NULL },
        { "a,b\n1,0\n0,1\n", 10, 0, 0, 0, "not a whole rate" },
        { "t [ns],a\n1,0\n3,1\n", 1, -9, 1, 0, "the file says its time unit" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pc_wave_desc desc = { .unit_factor = cases[i].factor,
                                           .unit_exponent = cases[i].exponent };
        struct pc_wave_info info;
        struct pc_error err;
        struct pc_wave *wave = text_try(cases[i].text, strlen(cases[i].text), &desc, &err);
        assert_non_null(wave);
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.timescale_factor, cases[i].want);
        assert_int_equal(info.sample_rate, cases[i].rate);
        assert_int_equal(info.warnings, cases[i].warning != NULL);
        assert_true(!cases[i].warning || strstr(pc_wave_warning(wave, 0), cases[i].warning));
        pc_wave_close(wave);
    }
}

/* What is not read says whose form it seems to be. */
static void dialects(void **state)
{
    static const struct {
        const char *text, *hint;
    } cases[] = {
        { "Model,MSO58\nFirmware Version,1.2\n\nTIME,CH1\n0,1\n", "Tektronix" },
        { "LECROYWS3024,2,Waveform\nSegments,1,SegmentSize,500\n", "sed -n '/^Time,/" },
        { "Record Length,Analog:7000\nSample Interval,1e-9\n", "Siglent" },
        { "Record Length,2.5e+03,,-0.1,0.08\nSample Interval,4e-6,,-0.1,0.08\n", "Tektronix" },
        { "Unit:(V),CH1\nFrequency,=1.000 kHz\nindex,CH1\n0,1\n", "OWON" },
        { "Quartus Prime SignalTap II Logic Analyzer data export file\nTime unit: ns\n\nGroups:\n",
          "Signal Tap" },
        { ";Rate: 1000\n;Channels: 8\n00000000@0\n00000001@1\n", "OpenBench" },
        { "a,b\nthe rest is prose, too\n", "looks like a table" },
    };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        err = (struct pc_error){ .code = 0 };
        assert_int_not_equal(text_read_all(cases[i].text, strlen(cases[i].text), NULL, &err),
                             PC_OK);
        assert_int_equal(err.code, 502);
        if (!strstr(err.hint, cases[i].hint))
            fail_msg("hint %s of: %s", err.hint, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruments),  cmocka_unit_test(without_names),
        cmocka_unit_test(likely_times), cmocka_unit_test(levels_with_fractions),
        cmocka_unit_test(given_units),  cmocka_unit_test(dialects),
    };

    return cmocka_run_group_tests_name("wave/csv_forms", tests, NULL, NULL);
}
