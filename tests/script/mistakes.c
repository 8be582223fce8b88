/* SPDX-License-Identifier: MIT */
/*
 * Mistakes in scripts (pcounter-script(7)): every error with its line and column, and text that is
 * no script at all.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"

/* The whole text, without running it. */
static enum pc_status check(const char *text, size_t size, bool *has_wave, struct pc_error *err)
{
    struct sc_parser p = { .text = text, .size = size };
    enum pc_status status = sc_check(&p, has_wave, err);

    sc_end(&p);
    return status;
}

#define WAVE "chip G84\nwave x.vcd\n"

struct mistake {
    const char *text;
    unsigned code;
    uint32_t line, column;
    const char *says; /* part of the text or of the hint; may be NULL */
};

#define G "chip G84\n"
#define K "chip GK104\n"

static const struct mistake mistakes[] = {
    /* the chip */
    { "", 801, 1, 0, "no command" },
    { "# only\n# comments\n", 801, 2, 0, "no command" },
    { "\n  w 200 0", 801, 2, 3, "first command" },
    { G "chip G84", 801, 2, 1, "G84" },
    { "chip", 803, 1, 5, "name of a chip" },
    { "chip   ", 803, 1, 8, "chip NAME" },
    { "chip G85", 807, 1, 6, "G84" },
    { "chip NV17", 808, 1, 6, "no PCOUNTER" },
    { "chip C51\nset 0 0 1", 810, 2, 5, "no domain 0" },
    { "chip C51\nclock 4000000000 1", 810, 2, 7, "no domain" },
    { "chip GK210", 809, 1, 6, "not known" },
    { "chip G84 G92", 804, 1, 10, "G92" },
    /* commands */
    { G "  write a7c0 1", 802, 2, 3, "\"write\"" },
    { G "rnu 10", 802, 2, 1, "did you mean run" },
    { G "W a7c0 1", 802, 2, 1, "did you mean w" },
    { G "\"w\" a7c0 1", 802, 2, 1, NULL },
    { G "\x1b[2J", 818, 2, 1, "0x1b" },
    { G "w a7c0 \"1", 818, 2, 8, "not closed" },
    { G "wave \"a\"b", 818, 2, 9, "blank" },
    { G "wave \"a\x01\"", 818, 2, 8, "0x01" },
    { G "w a7c0 1\v", 818, 2, 9, "0x0b" },
    /* option, latency */
    { G "option", 803, 2, 7, "NAME=VALUE" },
    { G "option record-bogus-packet on", 813, 2, 8, "one word" },
    { G "option =on", 813, 2, 8, NULL },
    { G "option x=", 813, 2, 8, NULL },
    { G "latency", 803, 2, 8, "write" },
    { G "latency x", 805, 2, 9, "decimal" },
    { G "latency -1", 805, 2, 9, "decimal" },
    { G "latency 4294967296", 806, 2, 9, "4294967295" },
    { G "latency 1 0x10", 805, 2, 11, "16 if this is hexadecimal" },
    { G "latency 1 2 3", 804, 2, 13, "\"3\"" },
    /* clock */
    { G "clock", 803, 2, 6, "a domain" },
    { G "clock 8 1", 810, 2, 7, "domains 0 to 7" },
    { "chip NV10\nclock 1 1", 810, 2, 7, "domain 0 only" },
    { G "clock hub0 1", 810, 2, 7, "not on this chip" },
    { G "clock gpc0.1 1", 810, 2, 7, "GF100" },
    { G "clock part1.0 1", 810, 2, 7, NULL },
    { G "clock a 1", 805, 2, 7, "decimal" },
    { G "clock 99999999999999999999999 1", 810, 2, 7, NULL },
    { G "clock 0", 803, 2, 8, "period" },
    { G "clock 0 0", 806, 2, 9, "at least 1" },
    { G "clock 0 4294967296", 806, 2, 9, NULL },
    { G "clock 0 1 4294967296", 806, 2, 11, NULL },
    { G "clock 0 0Hz", 806, 2, 9, "1 to 4294967295 Hz" },
    { G "clock 0 5GHz", 806, 2, 9, "1 to 4294967295 Hz" },
    { G "clock 0 Hz", 805, 2, 9, "not a frequency" },
    { G "clock 0 1.5MHz", 805, 2, 9, "decimal" },
    { G "clock 0 1MHz 1", 804, 2, 14, NULL },
    { G "clock 0 \"1MHz\"", 805, 2, 9, "decimal" },
    { G "clock 0 z", 805, 2, 9, "decimal" },
    { G "clock all 1", 813, 2, 11, "500MHz" },
    { G "clock 0 1 1 1", 804, 2, 13, NULL },
    { WAVE "clock 0 1", 815, 3, 1, "time comes from the wave" },
    /* domains of GF100 and later */
    { K "clock gpc4.0 1", 810, 2, 7, "gpc0.0 to gpc3.2" },
    { K "clock hub8 1", 810, 2, 7, "hub0 to hub7" },
    { K "clock 0 1", 810, 2, 7, "hub0 to hub7" },
    { K "clock \"hub0\" 1", 810, 2, 7, NULL },
    { K "clock idle 1", 805, 2, 7, "hub0, gpc0.1" },
    { K "set pdaemon 1 1", 805, 2, 5, "not a domain" },
    { K "set hub1 40 1", 811, 2, 10, "0 to 3f" },
    { K "set hub0 60 1", 811, 2, 10, "domain hub0 of GK104" },
    { K "set part0.0 pm_trigger 1", 812, 2, 13, "0x4d of domain part0.0" },
    { K "set gpc0.1 user_3 1", 812, 2, 12, "0xea" },
    { K "set gpc0.2 paused 1", 812, 2, 12, "0x6c" },
    { K "set gpc0.0 wrcache_flush 1", 811, 2, 12, "0 to df" },
    { K "wave x.vcd\nrun 1 pdaemon", 815, 3, 1, "PDAEMON" },
    { K "wave x.vcd\nbind hub0 clock c\nrun 1 gpc3.2", 815, 4, 1, "gpc3.2 is not bound" },
    { K "wave x.vcd\nbind gpc3.2 clock c\nbind gpc3.2 clock c", 816, 4, 1, "gpc3.2" },
    { K "wave x.vcd\nbind part3.1 1 c\nbind part3.1 1 c", 816, 4, 14, "part3.1" },
    { K "wave x.vcd\nbind part3.1 1 c\nbind hub0 clock c\nrun end", 815, 3, 1, "part3.1" },
    /* set, play, pulse, idle */
    { G "set 0", 803, 2, 6, "a signal" },
    { G "set 0 60 1", 811, 2, 7, "0 to 5f" },
    { G "set 0 123456789abcdef01234 1", 811, 2, 7, NULL },
    { G "set 1 idle 1", 811, 2, 7, "pgraph.idle" },
    { G "set 1 nothing.near 1", 811, 2, 7, "hexadecimal" },
    { G "set 0 pgraph.idle 1", 811, 2, 7, "is not a signal of domain 0" },
    { G "play 1 s[256] 1", 811, 2, 8, NULL },
    { G "set 1 trailer.zero 1", 812, 2, 7, "zero" },
    { G "set 1 ef 1", 812, 2, 7, "pm_trigger" },
    { G "set 1 pgraph.pm_trigger 1", 812, 2, 7, "use `pulse pm_trigger`" },
    { G "set 1 wrcache_flush 1", 812, 2, 7, "0xee" },
    { G "set 1 zero 1", 812, 2, 7, NULL },
    { G "set 1 pcounter.periodic 1", 812, 2, 7, NULL },
    { G "set 1 dom3.flag 1", 812, 2, 7, "0xfc" },
    { G "set 1 dom0.event 1", 812, 2, 7, "0xf7" },
    { G "set 1 user_0 1", 811, 2, 7, NULL },
    { "chip GT215\nset 1 user_0 1", 812, 2, 7, "0x69" },
    { "chip NV10\nset 0 70 1", 812, 2, 7, "use `pulse pm_trigger`" },
    { G "set 1 c8", 803, 2, 9, "0 or 1" },
    { G "set 1 c8 2", 813, 2, 10, "0 or 1" },
    { G "set 1 c8 1 1", 804, 2, 12, NULL },
    { G "play 1 c8", 803, 2, 10, NULL },
    { G "play 1 c8 0102", 813, 2, 14, "'2'" },
    { G "play 1 c8 \"\"", 813, 2, 11, NULL },
    { G "pulse", 803, 2, 6, "pm_trigger or wrcache_flush" },
    { G "pulse flush", 813, 2, 7, "\"flush\"" },
    { "chip NV10\npulse wrcache_flush", 811, 2, 7, "NV10 has no signal wrcache_flush" },
    { "chip G80\npulse wrcache_flush", 811, 2, 7, "G84 to MCP89" },
    { "chip GF100\n pulse wrcache_flush", 811, 2, 8, "GF100 has no signal wrcache_flush" },
    { "chip C51\npulse wrcache_flush", 811, 2, 7, "C51 has no signal wrcache_flush" },
    { G "idle", 803, 2, 5, NULL },
    { G "idle 0", 808, 2, 1, "no PDAEMON" },
    { "chip GT215\n idle x", 805, 2, 7, "hexadecimal" },
    { G " clock pdaemon 1", 808, 2, 2, "no PDAEMON" },
    { "chip GT215\nset pdaemon 1 1", 805, 2, 5, "not a domain" },
    /* accesses */
    { G "w", 803, 2, 2, "address" },
    { G "w a7c0", 803, 2, 7, "a value" },
    { G "w a7c0 100000000", 806, 2, 8, "32 bits" },
    { G "w a7c0 0x", 805, 2, 8, "hexadecimal" },
    { G "w zz 0", 805, 2, 3, "address" },
    { G "w a7c1 0", 814, 2, 3, "multiple of 4" },
    { G "w 1000000 0", 814, 2, 3, "16 MiB" },
    { G "w a7c0 0 g", 805, 2, 10, "mask" },
    { G "w a7c0 0 0 0", 804, 2, 12, NULL },
    { G "w8", 803, 2, 3, "address" },
    { G "w8 a7c0", 803, 2, 8, "a value" },
    { G "w8 a7c0 ff 1", 804, 2, 12, "w8 ADDR VALUE" },
    { G "w8 a7c0 100", 806, 2, 9, "0x100 is more than 8 bits" },
    { G "w8 a7c0 g", 805, 2, 9, "a value" },
    { G "w16 a7c1 0", 814, 2, 5, "multiple of 2" },
    { G "w16 a7c0 10000", 806, 2, 10, "0x10000 is more than 16 bits" },
    { G "w16 1000000 0", 814, 2, 5, "16 MiB" },
    { G "w8 I[14300] 0", 805, 2, 4, "address" },
    { G "r I[14300]", 808, 2, 1, "no PDAEMON" },
    { "chip GT215\nr I[14304]", 880, 2, 3, "begin at I[" },
    { "chip GT215\nr I[z]", 805, 2, 5, "address" },
    { "chip GT215\nr I[", 805, 2, 3, "address" },
    { "chip GT215\nr I[5", 805, 2, 3, "address" },
    { G "r", 803, 2, 2, "address" },
    { G "r a7c0 g", 805, 2, 8, "expected value" },
    { G "r a7c0 0 g", 805, 2, 10, "mask" },
    { G "r a7c0 0 0 0", 804, 2, 12, "EXPECTED" },
    { G "repeat", 803, 2, 7, NULL },
    { G "repeat 4294967297 r 200", 806, 2, 8, "4294967296" },
    { G "repeat 3", 803, 2, 9, "w or r" },
    { G "repeat 3 run 1", 813, 2, 10, "w or r" },
    { G "repeat 3 repeat 3 r 0", 813, 2, 10, NULL },
    { G "repeat 3 w 200", 803, 2, 15, "a value" },
    /* run, wave, bind */
    { G "run", 803, 2, 4, "cycles" },
    { G "run ten", 805, 2, 5, NULL },
    { G "run 0x3e8", 805, 2, 5, "1000 if" },
    { G "run 281474976710657", 806, 2, 5, "281474976710656" },
    { G "run 1 9", 810, 2, 7, NULL },
    { G "run 1 2 3", 804, 2, 9, NULL },
    { G "run end", 815, 2, 5, "never end" },
    { G "wave", 803, 2, 5, NULL },
    { G "wave \"\"", 813, 2, 6, NULL },
    { G "wave a b", 804, 2, 8, NULL },
    { G "wave a\n wave b", 815, 3, 2, "second" },
    { G "run 1\nwave a", 815, 3, 1, "after the first `run`" },
    { G "bind 0 clock c", 815, 2, 1, "before `wave`" },
    { WAVE "bind 0", 803, 3, 7, "`clock` or a signal" },
    { WAVE "bind 0 clock", 331, 3, 13, NULL },
    { WAVE "bind 0 clock posedge", 331, 3, 21, NULL },
    { WAVE "bind 0 clock c if x", 331, 3, 16, "iff" },
    { WAVE "bind 0 clock c iff", 331, 3, 19, "after iff" },
    { WAVE "bind 0 clock c iff !", 331, 3, 21, "after iff" },
    { WAVE "bind 0 clock c iff x y", 804, 3, 21, "one signal" },
    { WAVE "bind 0 clock c\nbind 0 clock d", 816, 4, 1, "already" },
    { WAVE "bind 0 1 a\nbind 0 01 b", 816, 4, 8, "already" },
    { WAVE "bind 0 1", 803, 3, 9, "signal of the wave" },
    { WAVE "bind 0 4d a", 812, 3, 8, "periodic" },
    { WAVE "bind 0 clock c\nrun 1\nbind 0 1 a", 815, 5, 1, "after the first" },
    { WAVE "run 1", 815, 3, 1, "no clock" },
    { WAVE "run end", 815, 3, 1, "no clock" },
    { WAVE "bind 0 clock c\nrun 1 1", 815, 4, 1, "never advance" },
    { WAVE "bind 0 clock c\nbind 1 2 a\nrun 1", 815, 4, 1, "domain 1" },
    { WAVE "bind 0 clock c\nrun end 0", 804, 4, 9, NULL },
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const struct mistake *m = &mistakes[i];
        struct pc_error err = { 0 };
        bool has_wave;
        enum pc_status status = check(m->text, strlen(m->text), &has_wave, &err);
        const struct pc_error_info *info = pc_explain(m->code);

        assert_non_null(info);
        if (status != info->status || err.code != m->code || err.line != m->line ||
            err.column != m->column)
            fail_msg("\"%s\": PC-E%04u at %u:%u (%s), expected PC-E%04u at %u:%u", m->text,
                     err.code, err.line, err.column, err.text, m->code, m->line, m->column);
        if (m->says && !strstr(err.text, m->says) && !strstr(err.hint, m->says))
            fail_msg("\"%s\": neither \"%s\" nor \"%s\" says \"%s\"", m->text, err.text, err.hint,
                     m->says);
        if (strchr(err.text, '\n') || strchr(err.text, '\x1b'))
            fail_msg("\"%s\": the error's text has control characters", m->text);
    }
}

static void test_line_too_long(void **state)
{
    size_t head = strlen(G "play 1 c8 "), size = head + SC_LINE_MAX + 1;
    char *text = malloc(size);
    struct pc_error err = { 0 };
    bool has_wave;

    (void)state;
    assert_non_null(text);
    memset(text, '1', size);
    memcpy(text, G "play 1 c8 ", head);
    assert_int_equal(check(text, size, &has_wave, &err), PC_ELIMIT);
    assert_int_equal(err.code, 817);
    assert_int_equal(err.line, 2);
    size_t longest = strlen(G) + SC_LINE_MAX;
    test_ok(check(text, longest, &has_wave, &err), &err);
    assert_int_equal(check(text, longest + 1, &has_wave, &err), PC_ELIMIT);
    free(text);
}

/* Lines of random words and of random bytes: an answer, with a place, and no fault. */
static void test_garbage(void **state)
{
    static const char *const words[] = {
        "chip",    "G84",   "NV10",    "option",   "latency",    "clock",  "set",
        "play",    "pulse", "w",       "r",        "run",        "wave",   "bind",
        "end",     "iff",   "!",       "!x",       "pm_trigger", "repeat", "0",
        "1",       "7",     "a7c0",    "ffffffff", "0x1F",       "c8",     "\"",
        "\"a b\"", "#",     "hub0",    "user_0",   "=",          "a=b",    "99999999999999999999",
        "0x",      "-1",    "posedge", "negedge",  "idle",
    };
    uint64_t seed;
    struct test_rng rng = test_rng_start(0x5c, &seed);
    char text[1000];
    unsigned ran = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t n = round % 2 ? 0 : (size_t)snprintf(text, sizeof text, G);
        for (unsigned k = test_rand_below(&rng, 24); k > 0; k--) {
            const char *word = words[test_rand_below(&rng, sizeof words / sizeof words[0])];
            if (test_rand_below(&rng, 10) == 0)
                text[n++] = (char)test_rand(&rng);
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%c", word,
                                  test_rand_below(&rng, 4) ? ' ' : '\n');
        }
        char *exact = malloc(n ? n : 1); /* so that a sanitizer sees a read past the end */
        assert_non_null(exact);
        memcpy(exact, text, n);
        struct pc_error err = { 0 };
        bool has_wave;
        enum pc_status status = check(exact, n, &has_wave, &err);
        if (status != PC_OK &&
            (err.code / 100 != 8 || err.line == 0 || pc_explain(err.code) == NULL))
            fail_msg("seed %llu round %d: PC-E%04u at line %u", (unsigned long long)seed, round,
                     err.code, err.line);
        if (status == PC_OK && ran < 300) { /* the counts among the words are small: it can run */
            struct pc_script_desc desc = { .text = exact, .size = n };
            struct pc_script_result result;
            ran++;
            status = pc_script_run(&desc, NULL, NULL, &result, &err);
            if (status != PC_OK && (err.line == 0 || pc_explain(err.code) == NULL))
                fail_msg("seed %llu round %d: PC-E%04u at line %u", (unsigned long long)seed, round,
                         err.code, err.line);
        }
        free(exact);
    }
    assert_in_range(ran, 10, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_line_too_long),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
