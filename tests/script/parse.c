/* SPDX-License-Identifier: MIT */
/*
 * The grammar of scripts (pcounter-script(7)): every command with every form of its arguments.
 * What is wrong is in mistakes.c.
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

static struct sc_command parse_on(const char *head, const char *line)
{
    char text[600];
    struct pc_error err;
    struct sc_command cmd;

    snprintf(text, sizeof text, "%s%s", head, line);
    /* The words point into the text: a copy that outlives this call. */
    static char kept[600];
    memcpy(kept, text, sizeof kept);
    struct sc_parser p = { .text = kept, .size = strlen(kept) };
    enum pc_status status;
    do
        status = sc_next(&p, &cmd, &err);
    while (status == PC_OK && p.at < p.size);
    sc_end(&p);
    test_ok(status, &err);
    return cmd;
}

/* Parses "chip G84" and one more line; returns the second command. */
static struct sc_command parse(const char *line)
{
    return parse_on("chip G84\n", line);
}

static void assert_word(const struct sc_text *word, const char *expected)
{
    assert_int_equal(word->size, strlen(expected));
    assert_memory_equal(word->at, expected, word->size);
}

static void test_option(void **state)
{
    (void)state;
    struct sc_command c = parse("option pm-trigger-latency=7");
    assert_int_equal(c.verb, SC_OPTION);
    assert_word(&c.name, "pm-trigger-latency");
    assert_word(&c.text, "7");
    assert_int_equal(c.text.column, 27);
}

static void test_latency_and_clock(void **state)
{
    (void)state;
    struct sc_command c = parse("latency 3");
    assert_int_equal(c.verb, SC_LATENCY);
    assert_int_equal(c.latency[0], 3);
    assert_int_equal(c.latency[1], 0);
    c = parse("latency 0 4294967295");
    assert_int_equal(c.latency[0], 0);
    assert_int_equal(c.latency[1], UINT32_MAX);
    c = parse("clock 7 1234567 89");
    assert_int_equal(c.verb, SC_CLOCK);
    assert_int_equal(c.domain, 7);
    assert_int_equal(c.period, 1234567);
    assert_int_equal(c.phase, 89);
    c = parse_on("chip GT215\n", "clock pdaemon 3 1");
    assert_int_equal(c.domain, PC_DOM_PDAEMON);
    assert_int_equal(c.period, 3);
    c = parse_on("chip GT215\n", "clock pdaemon 32768Hz");
    assert_int_equal(c.domain, PC_DOM_PDAEMON);
    assert_int_equal(c.hz, 32768);
    c = parse("clock all 4GHz");
    assert_int_equal(c.domain, PC_DOM_EVERY);
    assert_true(c.hz == 4000000000);
    c = parse("clock 0 1");
    assert_int_equal(c.hz, 0);
    assert_int_equal(c.phase, 0);
}

static void test_levels(void **state)
{
    (void)state;
    struct sc_command c = parse("set 1 0xC8 1");
    assert_int_equal(c.verb, SC_SET);
    assert_int_equal(c.domain, 1);
    assert_int_equal(c.signal, 0xc8);
    assert_true(c.level);
    c = parse("set 1 c8 0");
    assert_false(c.level);
    c = parse("set 1 PGRAPH.idle 1"); /* by name, nouveau's name, s2a */
    assert_int_equal(c.signal, 0xbd);
    c = parse("set 1 pc01_gr_idle 1");
    assert_int_equal(c.signal, 0xbd);
    c = parse("play 2 s1b 0110");
    assert_int_equal(c.signal, 0x1b);
    c = parse_on("chip GF100\n", "set gpc1.0 gpc.tpc.tex.mux_a_2 1");
    assert_int_equal(c.signal, 0x5d);
    c = parse("play 2 1b 0110");
    assert_int_equal(c.verb, SC_PLAY);
    assert_int_equal(c.domain, 2);
    assert_int_equal(c.signal, 0x1b);
    assert_word(&c.text, "0110");
    c = parse("pulse pm_trigger");
    assert_int_equal(c.verb, SC_PULSE);
    assert_int_equal(c.pulse, PC_PULSE_PM_TRIGGER);
    c = parse_on("chip GT215\n", "idle 00200001");
    assert_int_equal(c.verb, SC_IDLE);
    assert_int_equal(c.value, 0x200001);
    c = parse("pulse wrcache_flush");
    assert_int_equal(c.pulse, PC_PULSE_WRCACHE_FLUSH);
}

static void test_accesses(void **state)
{
    (void)state;
    struct sc_command c = parse("  w 00A7c4\t0X00000001   # CTRL[1]\r\n");
    assert_int_equal(c.verb, SC_WRITE);
    assert_int_equal(c.line, 2);
    assert_int_equal(c.column, 3);
    assert_int_equal(c.address, 0xa7c4);
    assert_int_equal(c.value, 1);
    assert_int_equal(c.count, 1);
    assert_false(c.repeated);
    c = parse("r a700");
    assert_int_equal(c.verb, SC_READ);
    assert_false(c.expects);
    c = parse("r fffffc ffffffff");
    assert_int_equal(c.address, 0xfffffc);
    assert_true(c.expects);
    assert_int_equal(c.value, UINT32_MAX);
    assert_int_equal(c.mask, UINT32_MAX);
    assert_int_equal(c.text.column, 10);
    c = parse("r a700 3e9 ffff");
    assert_int_equal(c.mask, 0xffff);
    c = parse("repeat 4294967296 r 200");
    assert_int_equal(c.verb, SC_READ);
    assert_true(c.repeated);
    assert_true(c.count == (uint64_t)1 << 32);
    c = parse("repeat 0 w 000200 ffffffff");
    assert_int_equal(c.verb, SC_WRITE);
    assert_int_equal(c.count, 0);
    assert_int_equal(c.value, UINT32_MAX);
}

static void test_run(void **state)
{
    (void)state;
    struct sc_command c = parse("run 281474976710656");
    assert_int_equal(c.verb, SC_RUN);
    assert_true(c.count == (uint64_t)1 << 48);
    assert_int_equal(c.domain, 0);
    assert_false(c.to_end);
    c = parse("run 10 5");
    assert_int_equal(c.domain, 5);
}

/* GF100+: numbered as the device does, hub, GPCs, partitions. */
static void test_domains(void **state)
{
    static const struct {
        const char *line;
        unsigned domain, signal;
    } rows[] = {
        { "set hub0 1 1", 0, 1 },          { "set hub7 1e 1", 7, 0x1e },
        { "set gpc0.0 0x9f 1", 8, 0x9f },  { "play gpc3.2 7 01", 8 + 11, 7 },
        { "set part0.0 c 1", 8 + 12, 12 }, { "set part3.1 1f 0", 8 + 12 + 7, 0x1f },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sc_command c = parse_on("chip GK104\n", rows[i].line);
        assert_int_equal(c.domain, rows[i].domain);
        assert_int_equal(c.signal, rows[i].signal);
    }
    assert_int_equal(parse_on("chip GK104\n", "run 5").domain, 0);
    assert_int_equal(parse_on("chip GK104\n", "run 5 part0.1").domain, 21);
    assert_int_equal(parse_on("chip GK104\n", "run 5 pdaemon").domain, PC_DOM_PDAEMON);
    assert_int_equal(parse_on("chip GK110\n", "clock part5.1 2").domain, 39);
    /* numbers above 32 in a set of domains */
    assert_int_equal(
        parse_on("chip GK110\nwave x\nbind part5.1 clock c\nbind part5.0 clock c\n", "run 5")
            .domain,
        38);
}

#define WAVE "chip G84\nwave x.vcd\n"

static void test_wave(void **state)
{
    (void)state;
    struct sc_command c = parse("wave dump.vcd# of the day");
    assert_int_equal(c.verb, SC_WAVE);
    assert_word(&c.name, "dump.vcd");
    c = parse("wave \"a b #1.vcd\" # quoted");
    assert_word(&c.name, "a b #1.vcd");
    c = parse_on(WAVE, "bind 1 clock top.clk");
    assert_int_equal(c.verb, SC_BIND_CLOCK);
    assert_int_equal(c.domain, 1);
    assert_word(&c.name, "top.clk");
    c = parse_on(WAVE, "bind 1 clock  negedge clk iff ! \"r #s\"\t# of the bus");
    assert_word(&c.name, "negedge clk iff ! \"r #s\"");
    assert_int_equal(c.name.column, 15);
    c = parse_on(WAVE, "bind 1 7c top.dut.count[3]");
    assert_int_equal(c.verb, SC_BIND);
    assert_int_equal(c.signal, 0x7c);
    assert_word(&c.name, "top.dut.count[3]");
    /* Without a domain, run counts in the first whose clock is bound. */
    c = parse_on(WAVE "bind 5 clock c\nbind 3 clock c\n", "run 9");
    assert_int_equal(c.domain, 3);
    c = parse_on(WAVE "bind 5 clock c\n", "run end");
    assert_true(c.to_end);
}

/* Blank lines, comments, line ends of other systems, a byte order mark, no newline at the end. */
static void test_lines(void **state)
{
    bool has_wave = true;
    struct pc_error err;
    const char *text = "\xef\xbb\xbf# head\r\n\n \t \n#\nchip nv84 # alias\r\nrun 1\r\n\n# tail";

    (void)state;
    test_ok(check(text, strlen(text), &has_wave, &err), &err);
    assert_false(has_wave);
    struct sc_parser p = { .text = text, .size = strlen(text) };
    struct sc_command cmd;
    assert_int_equal(sc_next(&p, &cmd, &err), PC_OK);
    assert_int_equal(cmd.line, 5);
    assert_string_equal(p.chip->name, "G84");
    assert_int_equal(sc_next(&p, &cmd, &err), PC_OK);
    assert_int_equal(cmd.line, 6);
    assert_int_equal(sc_next(&p, &cmd, &err), PC_END);
    assert_int_equal(sc_next(&p, &cmd, &err), PC_END);
    text = WAVE;
    test_ok(check(text, strlen(text), &has_wave, &err), &err);
    assert_true(has_wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_option), cmocka_unit_test(test_latency_and_clock),
        cmocka_unit_test(test_levels), cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_run),    cmocka_unit_test(test_domains),
        cmocka_unit_test(test_wave),   cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
