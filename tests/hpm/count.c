/* SPDX-License-Identifier: MIT */
/*
 * What a clock counts (HPM.CYCLE.*, .INSTRET.*, .COUNT.*, .INHIBIT.*, .STROBE.*, .DEBUG.*)
 * and the 22 event lines one by one (HPM.LINE.*).
 */
#include "hpm_test.h"

#include <string.h>

/* Verifies HPM.CYCLE.1 and the wrap modulo 2^64 of mcycle, in XLEN 32 over both halves. */
static void mcycle_counts_and_wraps(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "spec", 0, 0);

    (void)state;
    pc_hpm_advance(h, NULL, 10);
    assert_int_equal(peek(h, 0), 10);
    poke(h, 0, UINT64_C(0x1ffffffff));
    assert_int_equal(csrr(h, B00), 0xffffffff);
    assert_true(peek(h, 0) == UINT64_C(0x200000000));
    poke(h, 0, UINT64_MAX);
    pc_hpm_advance(h, NULL, 2);
    assert_int_equal(peek(h, 0), 1);
    pc_hpm_destroy(h);
}

/* Verifies HPM.INSTRET.1, .2: acknowledges of the clock, none with an exception. */
static void minstret_counts_acknowledges(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };

    (void)state;
    clock_of(h, &in);
    assert_int_equal(peek(h, 2), 0);
    in.port[0].ack = true;
    clock_of(h, &in);
    assert_int_equal(peek(h, 2), 1);
    in.port[1].ack = true;
    clock_of(h, &in);
    assert_int_equal(peek(h, 2), 3);
    in.lines = 1u << PC_HPM_EXCEPTION;
    struct pc_hpm_out out = clock_of(h, &in);
    assert_int_equal(peek(h, 2), 3);
    assert_int_equal(out.changed, 1); /* mcycle alone */
    pc_hpm_destroy(h);
    h = hpm_new(FPGA, "spec", 0, 0); /* one port: the second is not there */
    in.lines = 0;
    clock_of(h, &in);
    assert_int_equal(peek(h, 2), 1);
    pc_hpm_destroy(h);
}

/* Verifies that reading instret gives the instructions before the reader, exactly. */
static void reader_is_not_in_its_own_count(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    static const uint32_t nop[2] = { 0x00000013, 0x00000013 };
    struct pc_error err;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        test_ok(pc_hpm_retire(h, mode_m(), nop, 2, 0, &err), &err);
    assert_int_equal(csrr(h, 0xc02), 6);
    assert_int_equal(csrr(h, 0xc02), 7);
    assert_int_equal(csrr(h, 0xc00), 5);
    pc_hpm_destroy(h);
}

/* Verifies HPM.INSTRET.3: after csrw minstret,x the next read is x, in both profiles. */
static void writer_does_not_count(void **state)
{
    static const char *const profile[] = { "spec", "rtl" };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pc_hpm *h = hpm_new(RV64, profile[i], 0, 0);
        csrw(h, B02, 1000);
        assert_int_equal(csrr(h, B02), 1000);
        assert_int_equal(csrr(h, B02), 1001);
        csrw(h, B00, 500);
        assert_int_equal(csrr(h, B00), 500);
        pc_hpm_destroy(h);
    }
}

/* Verifies HPM.INHIBIT.1: a write of mcountinhibit acts from the next clock on. */
static void inhibit_acts_a_clock_later(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_in in = { .lines = 1u << PC_HPM_FETCH_EMPTY };

    (void)state;
    select_event(h, 3, 15);
    in.mode = mode_m();
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, INHIBIT, 0xd };
    in.port[0] = port_of(PC_HPM_FU_CSR, PC_HPM_OP_OTHER, 0);
    clock_of(h, &in); /* itself still counted by all three */
    assert_int_equal(peek(h, 0), 1);
    assert_int_equal(peek(h, 2), 1);
    assert_int_equal(peek(h, 3), 1);
    in.csr.operand = 0;
    clock_of(h, &in); /* the one that releases them is not */
    assert_int_equal(peek(h, 0), 1);
    assert_int_equal(peek(h, 2), 1);
    assert_int_equal(peek(h, 3), 1);
    in.csr.op = PC_HPM_CSR_NONE;
    clock_of(h, &in);
    assert_int_equal(peek(h, 0), 2);
    assert_int_equal(peek(h, 2), 2);
    assert_int_equal(peek(h, 3), 2);
    pc_hpm_destroy(h);
}

/* Verifies that each bit of mcountinhibit holds its counter and no other. */
static void each_inhibit_bit(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit <= 8; bit++) {
        struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
        struct pc_hpm_in in = { .lines = 1u << PC_HPM_ISSUE_STALL };
        in.port[0].ack = true;
        csrw(h, INHIBIT, 1u << bit);
        for (unsigned c = 3; c <= 8; c++)
            select_event(h, c, 22);
        struct pc_hpm_out out = clock_of(h, &in);
        assert_int_equal(out.changed, 0x1fd & ~(1u << bit));
        pc_hpm_destroy(h);
    }
}

/* Verifies that a selector, too, acts from the next clock on. */
static void selector_acts_a_clock_later(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, PC_HPM_Q_WRITE_FREEZES_ALL);
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_FETCH_EMPTY };

    (void)state;
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0x323, 15 };
    clock_of(h, &in);
    assert_int_equal(peek(h, 3), 0);
    in.csr.operand = 0;
    clock_of(h, &in);
    assert_int_equal(peek(h, 3), 1);
    in.csr.op = PC_HPM_CSR_NONE;
    clock_of(h, &in);
    assert_int_equal(peek(h, 3), 1);
    pc_hpm_destroy(h);
}

/* One write with an event on every counter; the counters that lost it. */
static unsigned lost(struct pc_hpm *h, enum pc_hpm_csr_op op, unsigned address)
{
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_FETCH_EMPTY };
    unsigned held = 0;

    for (unsigned c = 3; c <= 8; c++) {
        select_event(h, c, 15);
        poke(h, c, 100);
    }
    in.csr = (struct pc_hpm_access){ op, (uint16_t)address, 100 };
    clock_of(h, &in);
    for (unsigned c = 3; c <= 8; c++)
        held |= (unsigned)(peek(h, c) == 100) << c;
    return held;
}

/* Verifies HPM.STROBE.1: which writes hold the event counters, over the whole group. */
static void writes_that_freeze(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "rtl", 0, 0);

    (void)state;
    for (unsigned n = 3; n < 32; n++) {
        assert_int_equal(lost(h, PC_HPM_CSR_WRITE, 0xb00 + n), 0x1f8);
        assert_int_equal(lost(h, PC_HPM_CSR_SET, 0xb00 + n) & (n == 3 ? 0 : 8), n == 3 ? 0 : 8);
        assert_int_equal(lost(h, PC_HPM_CSR_WRITE, 0x320 + n), 0x1f8);
        assert_int_equal(lost(h, PC_HPM_CSR_CLEAR, 0x320 + n), 0x1f8);
        assert_int_equal(lost(h, PC_HPM_CSR_READ, 0xb00 + n), 0);
        assert_int_equal(lost(h, PC_HPM_CSR_READ, 0x320 + n), 0);
    }
    assert_int_equal(lost(h, PC_HPM_CSR_WRITE, 0xb89), 0x1f8);
    static const unsigned harmless[] = { B00, B02, 0xb80, 0xb82, MCEN, SCEN };
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        assert_int_equal(lost(h, PC_HPM_CSR_WRITE, harmless[i]), 0);
    static const unsigned absent[] = { 0xb01, 0x321, 0x721, 0xba3, 0xc03, 0xda3 };
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert_int_equal(lost(h, PC_HPM_CSR_WRITE, absent[i]), 0); /* they trap: no strobe */
    pc_hpm_destroy(h);
}

/* Verifies that a refused write (below M) raises no strobe. */
static void refused_writes_do_not_freeze(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_in in = { .mode = mode_of(1, false), .lines = 1u << PC_HPM_FETCH_EMPTY };

    (void)state;
    select_event(h, 3, 15);
    select_event(h, 4, 7);
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb05, 1 };
    struct pc_hpm_out out = clock_of(h, &in);
    assert_int_equal(out.cause, 2);
    assert_int_equal(peek(h, 3), 1);
    assert_int_equal(peek(h, 4), 1); /* the trap itself is event 7 */
    pc_hpm_destroy(h);
}

/* Verifies HPM.COUNT.2: a written counter holds the value; XLEN 32: other half kept, no carry. */
static void written_counters(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "rtl", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_FETCH_EMPTY };

    (void)state;
    select_event(h, 6, 15);
    poke(h, 6, UINT64_C(0x1234ffffffff));
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb06, 5 };
    clock_of(h, &in);
    assert_true(peek(h, 6) == UINT64_C(0x123400000005));
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb86, 0xabcd };
    clock_of(h, &in);
    assert_true(peek(h, 6) == UINT64_C(0xabcd00000005));
    in.csr.op = PC_HPM_CSR_NONE;
    poke(h, 6, UINT64_MAX);
    clock_of(h, &in);
    assert_int_equal(peek(h, 6), 0); /* silent wrap */
    pc_hpm_destroy(h);
}

/* Verifies HPM.DEBUG.1: nothing counts in debug mode; the entering clock still does. */
static void debug_mode_stops(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_EXCEPTION };

    (void)state;
    select_event(h, 3, 7);
    select_event(h, 4, 8);
    clock_of(h, &in); /* the debug request */
    assert_int_equal(peek(h, 3), 1);
    in.mode.debug = true;
    in.lines = 1u << PC_HPM_ERET; /* dret */
    in.port[0].ack = in.port[1].ack = true;
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(clock_of(h, &in).changed, 0);
    assert_int_equal(peek(h, 0), 1);
    assert_int_equal(peek(h, 4), 0);
    pc_hpm_destroy(h);
}

/* ---- events ---- */

struct line_case {
    unsigned event;
    uint32_t lines;
    struct pc_hpm_port port;
    uint32_t valid; /* of each D-cache port in turn */
};

#define ON(line) (1u << PC_HPM_##line)
#define RETIRES(f, o, r)                                                                           \
    {                                                                                              \
        .ack = true, .fu = PC_HPM_FU_##f, .op = PC_HPM_OP_##o, .rd = r                             \
    }

/* Counts a case; the other events must not fire, but for those listed in `also`. */
static void check_line(const struct line_case *c, uint32_t also)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);

    for (unsigned p = 0; p < (c->port.ack ? 2u : 1u); p++) {
        struct pc_hpm_in in = { .mode = mode_m(), .lines = c->lines };
        in.port[p] = c->port;
        in.way_valid[c->event % 3] = c->valid;
        select_event(h, 3 + p, c->event);
        struct pc_hpm_out out = clock_of(h, &in);
        if (out.events != (1u << c->event | also))
            fail_msg("event %u, port %u: events %08x", c->event, p, (unsigned)out.events);
        assert_int_equal(peek(h, 3 + p), 1);
        if (c->port.ack) { /* the same without the acknowledge is nothing */
            in.port[p].ack = false;
            assert_int_equal(clock_of(h, &in).events, 0);
        }
    }
    pc_hpm_destroy(h);
}

/* Verifies HPM.LINE.1 to .22 one at a time: what fires each, and nothing else with it. */
static void each_line(void **state)
{
    static const struct line_case cases[] = {
        { 1, ON(ICACHE_MISS), { 0 }, 0 },
        { 2, ON(DCACHE_MISS), { 0 }, 0x7f },
        { 3, ON(ITLB_MISS), { 0 }, 0 },
        { 4, ON(DTLB_MISS), { 0 }, 0 },
        { 5, 0, RETIRES(LOAD, OTHER, 1), 0 },
        { 6, 0, RETIRES(STORE, OTHER, 0), 0 },
        { 7, ON(EXCEPTION), { 0 }, 0 },
        { 8, ON(ERET), { 0 }, 0 },
        { 9, 0, RETIRES(CTRL_FLOW, OTHER, 0), 0 },
        { 9, 0, RETIRES(CTRL_FLOW, OTHER, 1), 0 },
        { 9, 0, RETIRES(CTRL_FLOW, ADD, 0), 0 },
        { 9, 0, RETIRES(CTRL_FLOW, ADD, 2), 0 },
        { 9, 0, RETIRES(CTRL_FLOW, JALR, 4), 0 },
        { 10, ON(RESOLVED) | ON(MISPREDICT), { 0 }, 0 },
        { 11, ON(BRANCH_EXCEPTION), { 0 }, 0 },
        { 14, ON(SCOREBOARD_FULL), { 0 }, 0 },
        { 15, ON(FETCH_EMPTY), { 0 }, 0 },
        { 16, ON(ICACHE_REQUEST), { 0 }, 0 },
        { 17, ON(DCACHE_REQUEST_0), { 0 }, 0 },
        { 17, ON(DCACHE_REQUEST_1), { 0 }, 0 },
        { 17, ON(DCACHE_REQUEST_2), { 0 }, 0 },
        { 17, ON(DCACHE_REQUEST_0) | ON(DCACHE_REQUEST_1) | ON(DCACHE_REQUEST_2), { 0 }, 0 },
        { 19, ON(TLB_FLUSH), { 0 }, 0 },
        { 20, 0, RETIRES(ALU, OTHER, 3), 0 },
        { 20, 0, RETIRES(ALU, ADD, 1), 0 },
        { 20, 0, RETIRES(MULT, OTHER, 3), 0 },
        { 21, 0, RETIRES(FPU, OTHER, 3), 0 },
        { 21, 0, RETIRES(FPU_VEC, OTHER, 3), 0 },
        { 22, ON(ISSUE_STALL), { 0 }, 0 },
    };
    static const struct line_case calls[] = {
        { 12, 0, RETIRES(CTRL_FLOW, ADD, 1), 0 },  { 12, 0, RETIRES(CTRL_FLOW, ADD, 5), 0 },
        { 12, 0, RETIRES(CTRL_FLOW, JALR, 1), 0 }, { 12, 0, RETIRES(CTRL_FLOW, JALR, 5), 0 },
        { 13, 0, RETIRES(CTRL_FLOW, JALR, 0), 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_line(&cases[i], 0);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        check_line(&calls[i], 1u << 9);
    for (unsigned event = 18; event < 21; event++) { /* each port's vector in turn */
        struct pc_hpm_in in = { .lines = ON(DCACHE_MISS) };
        struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
        in.way_valid[event - 18] = 0xff;
        assert_int_equal(clock_of(h, &in).events, 1u << 2 | 1u << 18);
        in.lines = 0;
        assert_int_equal(clock_of(h, &in).events, 0);
        in.lines = ON(DCACHE_MISS);
        in.way_valid[event - 18] = 0xfe;
        assert_int_equal(clock_of(h, &in).events, 1u << 2);
        pc_hpm_destroy(h);
    }
}

/* Verifies that these retire without any event: CSR, AES, coprocessors, nothing known. */
static void classes_without_event(void **state)
{
    static const uint8_t none[] = { PC_HPM_FU_NONE, PC_HPM_FU_CSR, PC_HPM_FU_CVXIF, PC_HPM_FU_ACCEL,
                                    PC_HPM_FU_AES };
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);

    (void)state;
    for (size_t i = 0; i < sizeof none; i++) {
        struct pc_hpm_in in = { .mode = mode_m() };
        in.port[0] = port_of((enum pc_hpm_fu)none[i], PC_HPM_OP_OTHER, 1);
        assert_int_equal(clock_of(h, &in).events, 0);
    }
    struct pc_hpm_in half = { .lines = ON(RESOLVED) };
    assert_int_equal(clock_of(h, &half).events, 0); /* resolved, predicted right */
    half.lines = ON(MISPREDICT);
    assert_int_equal(clock_of(h, &half).events, 0); /* the flag means nothing by itself */
    pc_hpm_destroy(h);
}

/* Verifies HPM.LINE.13: the RTL's return line looks at op and rd, not at the unit. */
static void return_does_not_look_at_the_unit(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };

    (void)state;
    in.port[1] = port_of(PC_HPM_FU_ALU, PC_HPM_OP_JALR, 0);
    assert_int_equal(clock_of(h, &in).events, 1u << 13 | 1u << 20);
    pc_hpm_destroy(h);
}

/* Verifies HPM.COUNT.3: reserved selectors keep their value and the counter stays. */
static void reserved_selectors(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    struct pc_hpm_in in = { .lines = UINT32_MAX >> (32 - PC_HPM_LINES),
                            .way_valid = { 255, 255, 255 } };

    (void)state;
    in.port[0] = in.port[1] = port_of(PC_HPM_FU_CTRL_FLOW, PC_HPM_OP_JALR, 0);
    for (unsigned e = 23; e < 32; e++) {
        csrw(h, 0x328, e);
        clock_of(h, &in);
        assert_int_equal(csrr(h, 0x328), e);
        assert_int_equal(peek(h, 8), 0);
    }
    pc_hpm_destroy(h);
}

/* Verifies that a line held at 1 counts once a clock, and all six counters the same event. */
static void levels_count_clocks(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m(), .lines = ON(SCOREBOARD_FULL) };

    (void)state;
    for (unsigned c = 3; c <= 8; c++)
        select_event(h, c, 14);
    for (unsigned i = 0; i < 7; i++)
        clock_of(h, &in);
    pc_hpm_advance(h, &in, 1000);
    for (unsigned c = 3; c <= 8; c++)
        assert_int_equal(peek(h, c), 1007);
    pc_hpm_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mcycle_counts_and_wraps),
        cmocka_unit_test(minstret_counts_acknowledges),
        cmocka_unit_test(reader_is_not_in_its_own_count),
        cmocka_unit_test(writer_does_not_count),
        cmocka_unit_test(inhibit_acts_a_clock_later),
        cmocka_unit_test(each_inhibit_bit),
        cmocka_unit_test(selector_acts_a_clock_later),
        cmocka_unit_test(writes_that_freeze),
        cmocka_unit_test(refused_writes_do_not_freeze),
        cmocka_unit_test(written_counters),
        cmocka_unit_test(debug_mode_stops),
        cmocka_unit_test(each_line),
        cmocka_unit_test(classes_without_event),
        cmocka_unit_test(return_does_not_look_at_the_unit),
        cmocka_unit_test(reserved_selectors),
        cmocka_unit_test(levels_count_clocks),
    };
    return cmocka_run_group_tests_name("hpm count", tests, NULL, NULL);
}
