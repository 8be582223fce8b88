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
        cmocka_unit_test(instruments),
        cmocka_unit_test(dialects),
    };

    return cmocka_run_group_tests_name("wave/csv_forms", tests, NULL, NULL);
}
