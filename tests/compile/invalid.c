/* SPDX-License-Identifier: MIT */
/* Requests that no program can be for, whatever their expressions say: codes and places. */
#include "test.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct pc_expr *parse(const char *text)
{
    struct pc_expr *e;
    struct pc_error err;

    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    return e;
}

static struct pc_expr *expr(const char *text)
{
    struct pc_expr *e = parse(text);
    struct pc_error err;

    test_ok(pc_expr_resolve(e, test_signal, NULL, &err), &err);
    return e;
}

static struct pc_compile_request request(const char *chip)
{
    return (struct pc_compile_request){ .chip = pc_chip_find(chip), .mode = PC_COUNT_QUAD };
}

/* The code, and that the program is untouched. */
static void refuses(const struct pc_compile_request *r, unsigned code, unsigned line)
{
    struct pc_program program = { .ctrl = 1234 };
    struct pc_error err = { .code = 0 };
    enum pc_status status = pc_compile(r, &program, &err);

    if (status == PC_OK || err.code != code || err.line != line)
        fail_msg("%u line %u instead of %u line %u: %s", err.code, (unsigned)err.line, code, line,
                 err.text);
    assert_int_equal(err.status, status);
    assert_int_equal(pc_compile(r, &program, NULL), status);
}

static void takes(const struct pc_compile_request *r)
{
    struct pc_program program;
    struct pc_error err;

    test_ok(pc_compile(r, &program, &err), &err);
    assert_true(program.writes > 0);
}

static void chips_and_domains(void **state)
{
    struct pc_compile_request r = request("G92");
    bool none = false;

    (void)state;
    refuses(NULL, 400, 0);
    refuses(&(struct pc_compile_request){ .chip = NULL }, 400, 0);
    r.domain = 7;
    takes(&r);
    r.domain = 8;
    refuses(&r, 340, 0);
    r.domain = 0;
    for (size_t i = 0; i < pc_chip_count(); i++)
        if (pc_chip_at(i)->layout == PC_LAYOUT_NONE) {
            r.chip = pc_chip_at(i);
            refuses(&r, 323, 0);
            none = true;
        }
    assert_true(none);
}

static void expressions(void **state)
{
    struct pc_compile_request r = request("G92");
    struct pc_expr *raw = parse("s10"), *far = expr("s100"), *last = expr("sff");

    (void)state;
    r.input[PC_INPUT_STOP] = raw;
    refuses(&r, 307, 0);
    r.input[PC_INPUT_STOP] = far;
    refuses(&r, 342, PC_INPUT_STOP + 1);
    r.input[PC_INPUT_STOP] = last;
    takes(&r);
    pc_expr_free(raw);
    pc_expr_free(far);
    pc_expr_free(last);
}

static void numbers(void **state)
{
    struct pc_compile_request r = request("G92");

    (void)state;
    for (unsigned bits = 1; bits < 9; bits++) {
        r.number[PC_INPUT_EVENT].bits = bits;
        if (bits != 2 && bits != 4 && bits != 6)
            refuses(&r, 341, PC_INPUT_EVENT + 1);
    }
    r.number[PC_INPUT_EVENT] = (struct pc_compile_sum){ 4, { 1, 2, 3, 256 } };
    refuses(&r, 342, PC_INPUT_EVENT + 1);
    for (r.sum_bits = 7; r.sum_bits < 1000; r.sum_bits += 31)
        refuses(&r, 341, PC_INPUT_EVENT + 1);
    r.sum_bits = UINT_MAX;
    refuses(&r, 341, PC_INPUT_EVENT + 1);
}

static void pins(void **state)
{
    static const int16_t none[] = { INT16_MIN, -120, -2, PC_MAX_SIGNALS, INT16_MAX };
    struct pc_compile_request r = request("G92");

    (void)state;
    memset(r.pinned, 0xff, sizeof r.pinned); /* PC_NO_SIGNAL */
    r.ctr_mode = "SIMPLE";
    takes(&r);
    r.pinned[PC_INPUT_EVENT][1] = PC_MAX_SIGNALS - 1;
    takes(&r);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        r.pinned[PC_INPUT_EVENT][1] = none[i];
        refuses(&r, 342, PC_INPUT_EVENT + 1);
    }
}

/* What one mode has is not dropped in another. */
static void modes(void **state)
{
    struct pc_compile_request r = request("G92");
    const struct pc_compile_request quad = r;

    (void)state;
    for (unsigned mode = PC_COUNT_RECORD + 1; mode < 40; mode++) {
        r.mode = (enum pc_count_mode)mode;
        refuses(&r, 393, 0);
    }
    r = quad;
    r.threshold = 1;
    refuses(&r, 393, 0);
    r.mode = PC_COUNT_SINGLE;
    takes(&r);
    r = quad;
    r.pre_count = 1;
    refuses(&r, 393, 0);
    r = quad;
    r.stop_count = 1;
    refuses(&r, 393, 0);
    r = quad;
    r.record_limit = 0x1000;
    refuses(&r, 393, 0);
    r.mode = PC_COUNT_RECORD;
    takes(&r);
    r = quad;
    r.record_short = true;
    refuses(&r, 393, 0);
    r = quad;
    r.has_swap = r.keep_swap = true;
    refuses(&r, 393, 0);
}

static void record(void **state)
{
    struct pc_compile_request r = request("G92");

    (void)state;
    r.record_signals = 1;
    refuses(&r, 341, 0); /* in quad mode */
    r.mode = PC_COUNT_RECORD;
    takes(&r);
    r.record_signals = PC_RECORD_SIGNALS;
    takes(&r);
    r.record[11] = 256;
    refuses(&r, 342, 0);
    r.record_signals = PC_RECORD_SIGNALS + 1;
    refuses(&r, 341, 0);
    r = request("G92");
    r.mode = PC_COUNT_RECORD;
    r.record_start = 0x8;
    refuses(&r, 347, 0);
    r.record_start = 0xff00000000;
    r.record_limit = 0xfffffffff0;
    takes(&r); /* G92 has the high word */
    r.chip = pc_chip_find("G84");
    refuses(&r, 347, 0);
    r.chip = pc_chip_find("G92");
    r.record_start = 0xfe00000000; /* another 4 GiB */
    refuses(&r, 347, 0);
    r.record_start = r.record_limit = 0x10000000000;
    refuses(&r, 347, 0);
}

static void registers(void **state)
{
    struct pc_mux mux[PC_PROGRAM_MUXES + 1];
    struct pc_compile_request r = request("G92");

    (void)state;
    r.mode = PC_COUNT_SINGLE;
    r.threshold = UINT32_MAX;
    takes(&r);
    r.threshold++;
    refuses(&r, 347, 0);
    r.chip = pc_chip_find("NV20"); /* 40 bits */
    takes(&r);
    r.threshold = UINT64_C(1) << 40;
    refuses(&r, 347, 0);
    r = request("NV34");
    r.has_swap = true;
    refuses(&r, 345, 0);
    r.chip = pc_chip_find("G92");
    takes(&r);
    r.has_swap = false;
    r.mux = mux;
    for (unsigned i = 0; i <= PC_PROGRAM_MUXES; i++)
        mux[i] = (struct pc_mux){ 0x400000 + 4 * i, 0, i };
    r.muxes = PC_PROGRAM_MUXES;
    takes(&r);
    r.muxes++;
    refuses(&r, 391, 0);
    mux[PC_PROGRAM_MUXES].address = mux[0].address; /* no further register, but 16 is not 0 */
    refuses(&r, 390, 0);
    mux[PC_PROGRAM_MUXES].value = mux[0].value;
    takes(&r);
    r.muxes = 1;
    mux[0].address = 0x400002;
    refuses(&r, 391, 0);
    mux[0].address = 0x1000000;
    refuses(&r, 391, 0);
    mux[0] = (struct pc_mux){ 0x400000, 0xff, 0x100 };
    refuses(&r, 391, 0);
}

/* ---- pc_compile_events ---- */

static void refuses_events(const struct pc_compile_request *r, const struct pc_compile_event *event,
                           size_t events, unsigned code, unsigned line)
{
    enum pc_input_id input[8] = { PC_INPUT_COUNT };
    struct pc_program program;
    struct pc_error err = { .code = 0 };

    assert_int_not_equal(pc_compile_events(r, event, events, input, &program, &err), PC_OK);
    if (err.code != code || err.line != line)
        fail_msg("%u line %u instead of %u line %u: %s", err.code, (unsigned)err.line, code, line,
                 err.text);
    assert_int_equal(input[0], PC_INPUT_COUNT);
}

static void events(void **state)
{
    struct pc_compile_request r = request("G92");
    struct pc_expr *raw = parse("s10"), *far = expr("s100"), *one = expr("s10");
    struct pc_compile_event event[5];

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        event[i] = (struct pc_compile_event){ one, PC_ANY_INPUT };
    refuses_events(&r, event, 5, 392, 0);
    event[1].expr = NULL;
    refuses_events(&r, event, 2, 307, PC_INPUT_COUNT + 2);
    event[1].expr = raw;
    refuses_events(&r, event, 2, 307, PC_INPUT_COUNT + 2);
    event[1].expr = far;
    refuses_events(&r, event, 2, 342, PC_INPUT_COUNT + 2);
    event[1].expr = one;
    event[1].input = PC_INPUT_SETFLAG;
    refuses_events(&r, event, 2, 307, PC_INPUT_COUNT + 2);
    event[1].input = -2;
    refuses_events(&r, event, 2, 307, PC_INPUT_COUNT + 2);
    event[0].input = event[1].input = PC_INPUT_START;
    refuses_events(&r, event, 2, 392, PC_INPUT_COUNT + 2);
    r.input[PC_INPUT_START] = one;
    refuses_events(&r, event, 1, 392, PC_INPUT_COUNT + 1);
    r.input[PC_INPUT_START] = NULL;
    r.mode = PC_COUNT_SINGLE;
    refuses_events(&r, event, 1, 345, 0);
    r.mode = PC_COUNT_QUAD;
    r.input[PC_INPUT_STOP] = raw;
    refuses_events(&r, event, 1, 307, 0);
    pc_expr_free(raw);
    pc_expr_free(far);
    pc_expr_free(one);
}

/*
 * Two functions that four arguments cannot make each take SETFLAG as their fourth, and there is
 * one SETFLAG: each fits alone, the two do not.
 */
static void events_that_exclude_each_other(void **state)
{
    struct pc_compile_request r = request("G92");
    struct pc_expr *a = expr("(s10 & s11 | s12 & s13) ^ s14"),
                   *b = expr("(s20 & s21 | s22 & s23) ^ s24");
    struct pc_expr *small = expr("s30");
    const struct pc_compile_event event[3] = { { small, PC_ANY_INPUT },
                                               { a, PC_ANY_INPUT },
                                               { b, PC_ANY_INPUT } };
    enum pc_input_id input[3];
    struct pc_program program;
    struct pc_error err;

    (void)state;
    test_ok(pc_compile_events(&r, event, 2, input, &program, &err), &err);
    assert_true(program.chained[input[1]]);
    test_ok(pc_compile_events(&r, &event[2], 1, input, &program, &err), &err);
    refuses_events(&r, event, 3, 392, PC_INPUT_COUNT + 3);
    pc_expr_free(a);
    pc_expr_free(b);
    pc_expr_free(small);
}

/* SWAP_SRC of GF100+ is USER_0 before quad mode begins, unless the request has something else; no
 * earlier chip is told.  PC.GF.21 */
static void swap(void **state)
{
    struct pc_compile_request r = request("GF108");
    struct pc_program p;
    struct pc_error err;

    (void)state;
    test_ok(pc_chip_find_domain(r.chip, "gpc0.0", &r.domain, &err), &err); /* of e0 signals */
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_string_equal(p.write[0].name, "gpc0.0.SWAP_SRC");
    assert_int_equal(p.write[0].address, 0x18006c);
    assert_int_equal(p.write[0].value, 0xc7);
    assert_string_equal(p.write[1].name, "gpc0.0.CTRL");
    assert_string_equal(p.swap.name, "gpc0.0.USER_TRIGGER");
    assert_int_equal(p.swap.address, 0x1800ec);
    assert_int_equal(p.swap.value, 0x11);
    assert_int_equal(p.swap.mask, UINT32_MAX);
    r.has_swap = true;
    r.swap = 0xca; /* USER_3 */
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_int_equal(p.write[0].value, 0xca);
    assert_int_equal(p.swap.value, 0x88);
    r.swap = 0xcd; /* PM_TRIGGER: a write does not make it */
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_int_equal(p.write[0].value, 0xcd);
    assert_int_equal(p.swap.mask, 0);
    r.has_swap = false;
    r.keep_swap = true;
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_string_equal(p.write[0].name, "gpc0.0.CTRL");
    assert_int_equal(p.swap.mask, 0);
    r.keep_swap = false;
    r.mode = PC_COUNT_SINGLE;
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_string_equal(p.write[0].name, "gpc0.0.CTRL");
    r = request("GT215");
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_string_equal(p.write[0].name, "CTRL[0]");
    assert_int_equal(p.swap.mask, 0);
    r.has_swap = true;
    r.swap = (uint8_t)pc_chip_signal_position(r.chip, 0, PC_SIG_USER, 1);
    test_ok(pc_compile(&r, &p, &err), &err);
    assert_string_equal(p.write[0].name, "SPEC_SRC[0]");
    assert_string_equal(p.swap.name, "USER_TRIGGER[0]");
    assert_int_equal(p.swap.value, 0xa);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_and_domains),
        cmocka_unit_test(expressions),
        cmocka_unit_test(numbers),
        cmocka_unit_test(pins),
        cmocka_unit_test(modes),
        cmocka_unit_test(record),
        cmocka_unit_test(registers),
        cmocka_unit_test(swap),
        cmocka_unit_test(events),
        cmocka_unit_test(events_that_exclude_each_other),
    };

    return cmocka_run_group_tests_name("compile_invalid", tests, NULL, NULL);
}
