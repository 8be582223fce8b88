/* SPDX-License-Identifier: MIT */
/*
 * What the commands do (pcounter-script(7)), seen through registers only: scripts against
 * the model, their output, their expectations and their mistakes at run time.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Domain 1 of G84 in quad mode counts signal 10 on EVENT; SWAP swaps. */
#define G84                                                                                        \
    "chip G84\n"                                                                                   \
    "latency 0\n"                                                                                  \
    "w a7c4 1\n"                                                                                   \
    "w a484 10\n"                                                                                  \
    "w a4a4 aaaa\n"                                                                                \
    "w a424 0\n" /* swaps in the next cycle */                                                     \
    "run 1\n"
#define SWAP   "w a424 0\nrun 1\n"
#define EVENTS "r a684\n"
#define CYCLES "r a604\n"

/* Verifies that `set` holds a level from the next cycle on. */
static void test_set(void **state)
{
    (void)state;
    assert_output(G84 "run 10\nset 1 10 1\nrun 7\nset 1 10 0\nrun 5\n" SWAP EVENTS CYCLES,
                  "00a684 00000007\n00a604 00000017\n");
}

/* Verifies that `play` gives one level a cycle, and that the last one holds. */
static void test_play(void **state)
{
    (void)state;
    assert_output(G84 "play 1 10 0110101\nrun 10\n" SWAP EVENTS, "00a684 00000007\n");
    assert_output(G84 "play 1 10 0110100\nrun 10\n" SWAP EVENTS, "00a684 00000003\n");
    assert_output(G84 "play 1 10 1\nplay 1 10 10\nrun 10\n" SWAP EVENTS, "00a684 00000001\n");
}

/* Verifies that a pulse is one cycle in every domain, its next one. */
static void test_pulse(void **state)
{
    (void)state;
    /* PM_TRIGGER is what SWAP_SRC selects at reset (D-33). */
    assert_output(G84 "pulse pm_trigger\nrun 20\npulse pm_trigger\nrun 1\n" CYCLES,
                  "00a604 00000014\n");
    assert_output("chip G84\nlatency 0\nw a7c4 1\nw a484 ee\nw a4a4 aaaa\nw a424 0\nrun 5\n"
                  "pulse wrcache_flush\nrun 5\npulse wrcache_flush\nrun 5\n" SWAP EVENTS,
                  "00a684 00000002\n");
}

/* Verifies that `w8` and `w16` are one access of a part: the other bytes stay (U-028). */
static void test_parts(void **state)
{
    (void)state;
    assert_output("chip G84\nw a484 11223344\nw8 a485 aa\nr a484\nw16 a486 bbcc\nr a484\n",
                  "00a484 1122aa44\n00a484 bbccaa44\n");
}

/* Verifies that `w` with a mask changes these bits only. */
static void test_masked_write(void **state)
{
    (void)state;
    assert_output("chip G84\nw a484 11223344\nw a484 aabb5566 00ff00f0\nr a484\n",
                  "00a484 11bb3364\n");
    assert_output("chip G84\nw a484 1\nrepeat 2 w a484 6 6\nw a484 0 1\nr a484\n",
                  "00a484 00000006\n");
}

/* Verifies that accesses take the latency of the script, one cycle a write at first. */
static void test_latency(void **state)
{
    (void)state;
    assert_output("chip G84\nw a7c4 1\nw a424 0\nw 200 0\nw a424 0\n" CYCLES, "00a604 00000002\n");
    assert_output("chip G84\nw a7c4 1\nlatency 10 100\nw a424 0\nr 200\nw 200 ffffffff\nr 0\nw "
                  "a424 0\n" CYCLES,
                  "000200 ffffffff\n000000 084000a1\n00a604 000000dc\n");
    assert_output("chip G84\nlatency 3\nw a7c4 1\nw a424 0\nrepeat 7 w 200 0\nw a424 0\n" CYCLES,
                  "00a604 00000018\n");
}

/* Verifies that `run` counts the cycles of its domain and that the others follow their clocks. */
static void test_clock_and_run(void **state)
{
#define TWO "chip G84\nlatency 0\nclock 0 10 3\nclock 1 25\n"
    (void)state;
    /* Edges of domain 1 at 0, 25, ...: the swap is the first. Domain 0: at 3, 13, ..., 993. */
    assert_output(TWO "w a7c4 1\nw a424 0\nrun 1 1\nrun 100\nw a424 0\nrun 1 1\n" CYCLES,
                  "00a604 00000028\n");
    assert_output(TWO "w a7c4 1\nw a424 0\nrun 1 1\nrun 64 1\nw a424 0\nrun 1 1\n" CYCLES,
                  "00a604 00000041\n");
    /* In Hz: 100 MHz and 40 MHz are periods 10 and 25; all at once have edges together. */
#define HERTZ "chip G84\nlatency 0\nclock 0 100MHz\nclock 1 40000kHz\n"
    assert_output(HERTZ "w a7c4 1\nw a424 0\nrun 1 1\nrun 64 1\nw a424 0\nrun 1 1\n" CYCLES,
                  "00a604 00000041\n");
    assert_output("chip GF108\nlatency 0\nclock all 27MHz\nrun 1000\nr 180070\n",
                  "180070 00000000\n");
}

/* Verifies that `idle` drives the PDAEMON counters, in clocks of their own (D-76a). */
static void test_idle(void **state)
{
#define IDLE                                                                                       \
    "w 10a504 1\nw 10a50c 2\n" /* counter 0: the first engine is busy */                           \
    "w 10a51c 3\n"             /* counter 1: always */
    (void)state;
    assert_output("chip GT215\nlatency 0\n" IDLE
                  "run 1\nw 10a508 80000000\nw 10a518 80000000\nrun 1\n"
                  "idle 0\nrun 30\nidle 1\nrun 70\nr 10a508\nr 10a518\n",
                  "10a508 0000001e\n10a518 00000064\n");
    /* One PDAEMON clock in ten cycles of the domains. */
    assert_output("chip GT215\nlatency 0\nclock pdaemon 10\nw 10a51c 3\nrun 1000\nr 10a518\n",
                  "10a518 00000064\n");
}

/* Verifies that a difference is reported with its place and that the script goes on. */
static void test_mismatch(void **state)
{
    struct outcome o;

    (void)state;
    run_script(
        "chip G84\nw a484 12345678\n r a484 12340678 # no\nr a484 ff345678 00ffffff\nr a484\n", &o);
    assert_string_equal(o.text, "00a484 12345678\n00a484 12345678\n00a484 12345678\n");
    assert_int_equal(o.result.reads, 3);
    assert_int_equal(o.result.writes, 1);
    assert_int_equal(o.result.expectations, 2);
    assert_int_equal(o.result.failed, 1);
    assert_int_equal(o.mismatches, 1);
    assert_int_equal(o.mismatch[0].code, 821);
    assert_int_equal(o.mismatch[0].line, 3);
    assert_int_equal(o.mismatch[0].column, 9);
    assert_non_null(strstr(o.mismatch[0].text, "reads 0x12345678, expected 0x12340678"));
    assert_non_null(strstr(o.mismatch[0].text, "EVENT_SRC[1]"));
    assert_string_equal(o.result.first_failure.text, o.mismatch[0].text);
    run_script("chip G84\nw a7c4 1\nr a7c4 2 3\n", &o);
    assert_non_null(strstr(o.mismatch[0].text, "in the bits 0x00000003"));
    assert_non_null(strstr(o.mismatch[0].hint, "MODE is QUAD, expected RECORD"));
    run_script("chip G84\nr 123450 1\n", &o);
    assert_non_null(strstr(o.mismatch[0].text, "0x123450 reads"));
}

/* Verifies that a repeat prints nothing, checks each read, and reports the first difference. */
static void test_repeat(void **state)
{
    struct outcome o;

    (void)state;
    run_script("chip G84\nrepeat 5 r 200 0\nrepeat 3 r 200 ffffffff\nrepeat 2 r 200\n"
               "repeat 0 r 200 0\nrepeat 4 w 200 7\nr 200 7\nrepeat 2 r 200 6\n",
               &o);
    assert_string_equal(o.text, "000200 00000007\n");
    assert_int_equal(o.result.reads, 5 + 3 + 2 + 1 + 2);
    assert_int_equal(o.result.writes, 4);
    assert_int_equal(o.result.expectations, 5 + 3 + 1 + 2);
    assert_int_equal(o.result.failed, 5 + 2);
    assert_int_equal(o.mismatches, 2);
    assert_int_equal(o.mismatch[0].line, 2);
    assert_int_equal(o.mismatch[1].line, 8);
}

/* Verifies that nothing runs if any line is wrong, and that the result stays untouched. */
static void test_fails_early(void **state)
{
    struct outcome o;

    (void)state;
    run_script_with("chip G84\nr 200\nrun 10\nw a7c0\n", NULL, NULL, &o);
    assert_int_equal(o.status, PC_EINPUT);
    assert_int_equal(o.err.line, 4);
    assert_string_equal(o.text, "");
    assert_int_equal(o.result.reads, 0);
    run_script_with("chip G84\n  option no-such=1\n", NULL, NULL, &o);
    assert_int_equal(o.status, PC_ENOENT);
    assert_int_equal(o.err.line, 2);
    assert_int_equal(o.err.column, 10);
    run_script_with("chip G84\noption host-bus=maybe\n", NULL, NULL, &o);
    assert_int_equal(o.status, PC_EARG);
    assert_int_equal(o.err.line, 2);
    /* the idle counters came later, and an option of theirs is none of another part */
    run_script_with("chip G84\noption idle-overflow=wrap\n", NULL, NULL, &o);
    assert_int_equal(o.err.code, 412);
    assert_int_equal(o.err.line, 2);
    for (unsigned name = 0; name < 2; name++)
        for (unsigned size = 79; size <= 80; size++) {
            char text[200], word[81];
            memset(word, 'x', size);
            word[size] = '\0';
            snprintf(text, sizeof text, "chip G84\noption %s=%s\n", name ? word : "host-bus",
                     name ? "on" : word);
            run_script_with(text, NULL, NULL, &o);
            assert_int_equal(o.err.code, size == 80 ? 813 : name ? 403 : 404);
            assert_int_equal(o.err.line, 2);
        }
}

/* The output of a script with a value in the place of its %s. */
static void assert_output_with(const char *text, const char *value, const char *expected)
{
    char script[400];

    assert_true((size_t)snprintf(script, sizeof script, text, value) < sizeof script);
    assert_output(script, expected);
}

/* Verifies that a read takes no time, also right after a pulse: the swap is seen after the pulse's
 * own cycle; and that READ of `latency` gives it time, after it.  PC.REG.10, D-18, D-18a */
static void test_reads_take_no_time(void **state)
{
    const char *text = "chip G92\nlatency 0 %s\nw a7c0 1\nrun 3\npulse pm_trigger\nr a7c0\nr a600\n"
                       "r a7c0\nrun 1\nr a7c0\nr a600\n";

    (void)state;
    assert_output_with(text, "0",
                       "00a7c0 00000001\n00a600 00000000\n00a7c0 00000001\n00a7c0 01000001\n"
                       "00a600 00000003\n");
    assert_output_with(text, "1",
                       "00a7c0 00000001\n00a600 00000003\n00a7c0 01000001\n00a7c0 01000001\n"
                       "00a600 00000003\n");
}

/* Verifies that options reach the model: D-34's trigger takes as long as the option says. */
static void test_option(void **state)
{
    const char *text = "chip G80\noption pm-trigger-latency=%s\nlatency 0\nw a7c4 1\n"
                       "pulse pm_trigger\nrun 1\nw 400084 20\nrun 30\n" CYCLES;

    (void)state;
    assert_output_with(text, "1", "00a604 00000002\n");
    assert_output_with(text, "9", "00a604 0000000a\n");
}

/* Verifies the pair at 00a7f4 and 00a7f8: C51 has nothing else, all its reads are 0; MCP73 has it
 * beside its unit.  The switch takes it away.  PC.CHIP.2, D-09, D-94 */
static void test_igp_pair(void **state)
{
    const char *c51 = "chip C51\noption igp-pair=%s\nw a7f4 deadbeef\nw a7f8 12345678\nr a7f4\n"
                      "r a7f8\nw a7c4 1\npulse pm_trigger\nw 400084 20\nr a7c4\nr 0\n";
    const char *mcp73 = "chip MCP73\noption igp-pair=%s\nw a7f4 deadbeef\nr a7f4\nr a7f8\n"
                        "w a7c4 1\nr a7c4\n";

    (void)state;
    assert_output_with(c51, "stored",
                       "00a7f4 deadbeef\n00a7f8 12345678\n00a7c4 00000000\n000000 04e000a1\n");
    assert_output_with(c51, "off",
                       "00a7f4 00000000\n00a7f8 00000000\n00a7c4 00000000\n000000 04e000a1\n");
    assert_output_with(mcp73, "stored", "00a7f4 deadbeef\n00a7f8 00000000\n00a7c4 00000001\n");
    assert_output_with(mcp73, "off", "00a7f4 00000000\n00a7f8 00000000\n00a7c4 00000001\n");
    assert_output("chip C51\nr a7f4\n", "00a7f4 00000000\n"); /* nothing is left of another run */
    assert_output("chip MCP67\nw a7f4 1\nr a7f4\n", "00a7f4 00000000\n");
}

/* Verifies the switch of D-90: bit 8 of GCTRL, never stored, pulses both signals of PGRAPH, four
 * cycles later, or neither.  START counts WRCACHE_FLUSH, PM_TRIGGER swaps.  D-90, D-94 */
static void test_gctrl_trigger(void **state)
{
    const char *text = "chip G92\noption gctrl-trigger=%s\nlatency 0\nw a7c4 1\n"
                       "w a444 eeeeeeee\nw a464 aaaa\npulse pm_trigger\nrun 1\nw a7a8 100\n"
                       "r a7a8\nrun 30\npulse pm_trigger\nrun 1\n" CYCLES "r a6c4\n";

    (void)state;
    assert_output_with(text, "on", "00a7a8 00000000\n00a604 0000001a\n00a6c4 00000001\n");
    assert_output_with(text, "off", "00a7a8 00000000\n00a604 0000001f\n00a6c4 00000000\n");
}

/* Verifies that a switch that changes the meaning of CTRL does so at once: MODE 3 counts nothing,
 * then as QUAD.  D-41, D-94 */
static void test_option_after_ctrl(void **state)
{
    (void)state;
    assert_output("chip G92\nlatency 0\nw a7c4 3\nrun 5 1\noption mode-reserved=quad\nrun 7 1\n"
                  "pulse pm_trigger\nrun 1 1\n" CYCLES,
                  "00a604 00000007\n");
}

/* Verifies the switches of D-49 and D-56: what the way into and out of quad mode leaves of it, and
 * that a write that stays in the mode is neither. */
static void test_quad_mode_switches(void **state)
{
    const char *out =
        "chip G92\noption quad-exit=%s\nlatency 0\nw a7c4 1\npulse pm_trigger\nrun 1\n"
        "w a7c4 1\nrun 1\nr a7c4\nw a7c4 0\nrun 1\nr a7c4\n";
    const char *in = "chip G92\noption quad-entry=%s\nlatency 0\nw a7c4 1\nrun 3 1\nw a7c4 0\n"
                     "run 1 1\nw a7c4 1\nrun 2 1\npulse pm_trigger\nrun 1 1\n" CYCLES;

    (void)state;
    assert_output_with(out, "keep", "00a7c4 01000001\n00a7c4 01000000\n");
    assert_output_with(out, "empty", "00a7c4 01000001\n00a7c4 00000000\n");
    assert_output_with(in, "keep", "00a604 00000005\n"); /* 3 and 2 */
    assert_output_with(in, "clear", "00a604 00000002\n");
}

/* Verifies the switch of D-31: 16000 cycles have 15 periods of 1024, twice 8000 have 7 each. */
static void test_periodic_restart(void **state)
{
    const char *text = "chip G92\noption periodic-restart=%s\nlatency 0\nw a7c4 00200001\n"
                       "w a404 ed\nw a424 aaaa\nrun 8000 1\nw a7c4 00200001\nrun 8000 1\n"
                       "pulse pm_trigger\nrun 1 1\nr a704\n";

    (void)state;
    assert_output_with(text, "off", "00a704 0000000f\n");
    assert_output_with(text, "on", "00a704 0000000e\n");
}

/* Verifies the switch of D-70a.  No channel is bound, so the first packet faults; then one is, and
 * a second packet either goes out or not; and quad mode, which a wedge leaves alone, counts or not.
 */
static void test_record_fault(void **state)
{
    const char *text =
        "chip G84\noption record-fault=%s\nlatency 0\nw a4c4 20\nw a4e4 aaaa\n"
        "w a7c4 2\nw a724 fff0\nw a764 1000\nrun 1 1\nplay 1 20 10\nrun 3 1\n"
        "r a6e4\nw a7a4 42\nw a7a0 80001234\nplay 1 20 10\nrun 3 1\nr a6e4\nw a7c4 1\n"
        "run 5 1\npulse pm_trigger\nrun 1 1\n" CYCLES;

    (void)state;
    assert_output_with(text, "wedge", "00a6e4 00001001\n00a6e4 00001001\n00a604 00000005\n");
    assert_output_with(text, "drop", "00a6e4 00001001\n00a6e4 00001021\n00a604 00000005\n");
    assert_output_with(text, "hang", "00a6e4 00001001\n00a6e4 00001001\n00a604 00000000\n");
}

struct calls {
    unsigned prepared, inspected, writes, reads;
    uint64_t times;
    uint32_t memory;
};

static enum pc_status prepare(void *ctx, struct pc_gpu *gpu, struct pc_error *err)
{
    struct calls *c = ctx;

    c->prepared++;
    return pc_gpu_option(gpu, "host-bus", "off", err);
}

static void see_access(void *ctx, const struct pc_script_access *access)
{
    struct calls *c = ctx;

    assert_int_equal(c->prepared, 1);
    assert_int_equal(c->inspected, 0);
    *(access->write ? &c->writes : &c->reads) += 1;
    c->times += access->count;
    if (access->line == 2) {
        assert_true(access->write);
        assert_int_equal(access->address, 0x200);
        assert_int_equal(access->value, 5);
    }
    if (access->line == 4)
        assert_int_equal(access->value, 5);
}

static void inspect(void *ctx, struct pc_gpu *gpu)
{
    struct calls *c = ctx;

    c->inspected++;
    c->memory = pc_gpu_read32(gpu, 0x200);
}

static void test_callbacks(void **state)
{
    const char *text = "chip G80\nw 200 5\nrepeat 3 w 200 5\nrepeat 2 r 200\nrepeat 0 w 200 0\n";
    struct calls calls = { 0 };
    struct pc_script_result result;
    struct pc_error err;
    struct pc_script_desc desc = { .text = text,
                                   .size = strlen(text),
                                   .prepare = prepare,
                                   .access = see_access,
                                   .inspect = inspect };

    (void)state;
    test_ok(pc_script_run(&desc, NULL, &calls, &result, &err), &err);
    assert_int_equal(calls.prepared, 1);
    assert_int_equal(calls.inspected, 1);
    assert_int_equal(calls.writes, 2);
    assert_int_equal(calls.reads, 1);
    assert_int_equal(calls.times, 6);
    assert_int_equal(calls.memory, 5);
}

/* Which callback says PC_END, and where. */
enum ender { NOBODY, PREPARES, PLACES, OPENS };
struct ending {
    enum ender who;
    unsigned inspected;
};

static enum pc_status end_prepare(void *ctx, struct pc_gpu *gpu, struct pc_error *err)
{
    const struct ending *e = ctx;

    (void)gpu;
    (void)err;
    return e->who == PREPARES ? PC_END : PC_OK;
}

static enum pc_status end_place(void *ctx, const struct pc_script_place *place,
                                struct pc_error *err)
{
    const struct ending *e = ctx;

    (void)err;
    return e->who == PLACES && place->line == 3 ? PC_END : PC_OK;
}

static enum pc_status end_names(void *ctx, const struct pc_chip *chip, struct pc_names **out,
                                struct pc_error *err)
{
    const struct ending *e = ctx;

    return e->who == OPENS ? PC_END : pc_names_open(NULL, chip, out, err);
}

static void end_inspect(void *ctx, struct pc_gpu *gpu)
{
    struct ending *e = ctx;

    (void)gpu;
    e->inspected++;
}

/* Verifies that a callback that ends the script without an error does not make it a whole one. */
static void test_callbacks_end(void **state)
{
    static const enum pc_status expected[] = { PC_OK, PC_END, PC_END, PC_EARG };
    const char *text = "chip G84\nset 1 s10 1\nr 0\n";
    struct pc_script_desc desc = { .text = text,
                                   .size = strlen(text),
                                   .prepare = end_prepare,
                                   .inspect = end_inspect,
                                   .names = end_names,
                                   .place = end_place };

    (void)state;
    for (enum ender who = NOBODY; who <= OPENS; who++) {
        struct ending ending = { who, 0 };
        struct pc_script_result result = { .reads = 77 };
        struct pc_error err = { .code = 0 };
        assert_int_equal(pc_script_run(&desc, NULL, &ending, &result, &err), expected[who]);
        assert_int_equal(ending.inspected, who == NOBODY);
        assert_int_equal(result.reads, who == NOBODY ? 1 : 77);
        assert_int_equal(err.code, who == OPENS ? 822 : 0);
    }
}

static enum pc_status refuse(void *ctx, const char *data, size_t size)
{
    unsigned *left = ctx;

    (void)data;
    (void)size;
    return (*left)-- > 0 ? PC_OK : PC_EIO;
}

/* Verifies that output that cannot be written ends the script. */
static void test_writer_fails(void **state)
{
    const char *text = "chip G84\nr 0\nr 0\nr 0\n";
    unsigned left = 2;
    struct pc_script_result result = { .reads = 77 };
    struct pc_error err = { 0 };
    struct pc_script_desc desc = { .text = text, .size = strlen(text), .out = { refuse, &left } };

    (void)state;
    assert_int_equal(pc_script_run(&desc, NULL, NULL, &result, &err), PC_EIO);
    assert_int_equal(err.code, 820);
    assert_int_equal(err.line, 4);
    assert_int_equal(result.reads, 77);
}

/* Verifies that memory running out at any point is PC_ENOMEM, and that nothing leaks. */
static void test_allocator_fails(void **state)
{
    char text[] = G84 "play 1 10 0101\nplay 1 11 11\nrun 3\nset 1 10 0\nrun 3\n" SWAP EVENTS;

    (void)state;
    test_refuse_each(run_with, text, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_play),
        cmocka_unit_test(test_pulse),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_masked_write),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_clock_and_run),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_fails_early),
        cmocka_unit_test(test_reads_take_no_time),
        cmocka_unit_test(test_option),
        cmocka_unit_test(test_quad_mode_switches),
        cmocka_unit_test(test_record_fault),
        cmocka_unit_test(test_periodic_restart),
        cmocka_unit_test(test_gctrl_trigger),
        cmocka_unit_test(test_igp_pair),
        cmocka_unit_test(test_option_after_ctrl),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_callbacks_end),
        cmocka_unit_test(test_writer_fails),
        cmocka_unit_test(test_allocator_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
