/* SPDX-License-Identifier: MIT */
/*
 * `pcounter idle` with damaged maps, scripts and arguments: it says what is wrong (2), that
 * a limit was hit (4), or counts (0), and neither dies nor runs for ever; a refused run
 * prints nothing on standard output.
 *
 *   idle_hostile PROGRAM
 */
#include "made.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program;
static struct test_rng rng;

static const char wave[] = "$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n"
                           "$var wire 1 a busy $end\n$var wire 4 b v [3:0] $end\n$upscope $end\n"
                           "$enddefinitions $end\n#0\n0!\n0a\nb0 b\n#10\n1!\n#15\n0!\n1a\nb101 b\n"
                           "#20\n1!\n#25\n0!\nxa\n#30\n1!\n#35\n0!\n0a\n#40\n1!\n";
static const char map[] = "# engines\nGR = !busy\nPCOPY2_IDLE = v[0] == 1 & !prev(busy)\n\n"
                          "PVLD = sum(v[3:0]) == 0\n";
static const char script[] = "chip GK20A\noption idle-absent=idle\nw 10a504 00200001\n"
                             "w 10a50c 2 # busy\nw 10a57c 3\nidle 00200000\nrun 30000\n"
                             "idle 200001\nrun 70000\nr 10a508 7530\nw 10a508 80000000\n";

/* Words that the languages know, and what is just beyond them. */
static const char *const scraps[] = {
    "GR",
    "|",
    "=",
    ",",
    ":",
    "mask=",
    "mode=",
    "all",
    "0x",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999",
    "-1",
    "0",
    "(",
    "!",
    "\\",
    "iff",
    "posedge",
    "run",
    "idle",
    "chip",
    "\t",
    "\n",
    "\x01",
    "\xff\xfe",
    "%s%n",
    "ms",
    "c",
    "#",
    "w",
    "[",
    "]",
    "prev(",
};

/* One to four random changes of a text. */
static size_t damage(char *text, size_t size, size_t capacity)
{
    for (unsigned n = 1 + test_rand_below(&rng, 4); n > 0; n--) {
        size_t at = test_rand_below(&rng, (uint32_t)size + 1);
        const char *scrap = scraps[test_rand_below(&rng, sizeof scraps / sizeof scraps[0])];
        size_t length = strlen(scrap);
        size_t cut = test_rand_below(&rng, 6);
        if (cut > size - at)
            cut = size - at;
        switch (test_rand_below(&rng, 3)) {
        case 0: /* something is missing */
            memmove(text + at, text + at + cut, size - at - cut);
            size -= cut;
            break;
        case 1: /* something else is there */
            if (size + length < capacity) {
                memmove(text + at + length, text + at, size - at);
                memcpy(text + at, scrap, length);
                size += length;
            }
            break;
        default: /* a byte is another one */
            if (at < size)
                text[at] = (char)test_rand_below(&rng, 256);
            break;
        }
    }
    return size;
}

static void must_survive(const struct made_call *c)
{
    char *output;
    int code = made_run(program, c, &output);

    if (code != 0 && code != 2 && code != 4)
        fail_msg("exit code %d", code);
    if (code == 2)
        assert_string_equal(output, "");
    if (code == 0)
        assert_true(strlen(output) > 20);
    free(output);
}

static void damaged_files(void **state)
{
    (void)state;
    made_write("wave.vcd", wave, sizeof wave - 1);
    for (int i = 0; i < 150; i++) {
        bool is_map = i % 2;
        const char *good = is_map ? map : script;
        char text[1000];
        size_t size = strlen(good);
        struct made_call c = { .args = 0 };
        memcpy(text, good, size);
        size = damage(text, size, sizeof text);
        made_write("text", text, size);
        made_add(&c, "idle");
        if (is_map) {
            made_add(&c, "--map");
            made_add(&c, "%s", made_path("text"));
            made_add(&c, "--clock=clk");
            made_add(&c, "%s", made_path("wave.vcd"));
        } else {
            made_add(&c, "--script");
            made_add(&c, "--window=25000c");
            made_add(&c, "%s", made_path("text"));
        }
        must_survive(&c);
    }
}

static void damaged_arguments(void **state)
{
    static const char *const options[][2] = {
        { "--counter", "1:mask=GR|PVLD,mode=not-all" },
        { "--window", "20ns" },
        { "--governor", "gk20a,target=60,max=80,smooth=3" },
        { "--levels", "72,108,852" },
        { "--start-level", "2" },
        { "--clock", "posedge top.clk iff !top.busy" },
        { "--map", "PCOPY0=!busy & v[1]" },
        { "--option", "idle-not-all=cleared" },
    };
    const size_t count = sizeof options / sizeof options[0];

    (void)state;
    made_write("wave.vcd", wave, sizeof wave - 1);
    for (size_t i = 0; i < 200; i++) {
        struct made_call c = { .args = 0 };
        made_add(&c, "idle");
        made_add(&c, "--max-windows=1000");
        made_add(&c, "--map=GR=!busy");
        for (size_t n = 0; n < count; n++) {
            char text[MADE_TEXT];
            size_t size = strlen(options[n][1]);
            memcpy(text, options[n][1], size + 1);
            if (n == i % count) {
                size = damage(text, size, sizeof text - 1);
                text[size] = '\0';
            }
            made_add(&c, "%s", options[n][0]);
            made_add(&c, "%s", text);
        }
        made_add(&c, "%s", made_path("wave.vcd"));
        must_survive(&c);
    }
}

/* Verifies that a gap of 2^62 ns ends at the limit and not with the disk. */
static void gap_in_time(void **state)
{
    static const char gap[] = "$timescale 1ns $end\n$var wire 1 ! clk $end\n$enddefinitions $end\n"
                              "#0\n0!\n#1\n1!\n#2\n0!\n#4611686018427387904\n1!\n";
    struct made_call c = { .args = 0 };
    char *output;

    (void)state;
    made_write("gap.vcd", gap, sizeof gap - 1);
    made_add(&c, "idle");
    made_add(&c, "--map=GR=clk");
    made_add(&c, "--clock=clk");
    made_add(&c, "--window=1ns");
    made_add(&c, "--max-windows=500");
    made_add(&c, "%s", made_path("gap.vcd"));
    assert_int_equal(made_run(program, &c, &output), 4);
    free(output);
}

/* Verifies that 2^64 - 1 clocks are counted at once, and that a count knows that it went round. */
static void all_the_clocks(void **state)
{
    static const char longest[] = "chip GK20A\nidle 0\nrun 18446744073709551615\n";
    struct made_call c = { .args = 0 };
    char *output;

    (void)state;
    made_write("text", longest, sizeof longest - 1);
    made_add(&c, "idle");
    made_add(&c, "--script");
    made_add(&c, "--format=csv");
    made_add(&c, "%s", made_path("text"));
    assert_int_equal(made_run(program, &c, &output), 0);
    /* 2^64 - 1 is 2^31 - 1 in the lowest 31 bits */
    assert_non_null(strstr(output, ",always,2147483647,2147483647,100.00,wrapped,"));
    assert_non_null(strstr(output, "18446744073709551615"));
    free(output);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(damaged_arguments),
        cmocka_unit_test(gap_in_time),
        cmocka_unit_test(all_the_clocks),
    };

    if (argc != 2)
        return 2;
    program = argv[1];
    rng = test_rng_start(5, NULL);
    made_folder();
    int failed = cmocka_run_group_tests_name("idle hostile", tests, NULL, NULL);
    made_remove();
    return failed;
}
