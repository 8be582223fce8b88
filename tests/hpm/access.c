/* SPDX-License-Identifier: MIT */
/*
 * Who may do what (HPM.PRIV.*, HPM.GATE.*), what an instruction writes (HPM.OP.*), and that a
 * trap changes nothing.  The tables are those of the specification, row by row.
 */
#include "hpm_test.h"

#include <string.h>

/* Sets bit n of the enables to m, s, h; the other bits to the opposite. */
static void enable(struct pc_hpm *h, unsigned n, unsigned m, unsigned s, unsigned hyp)
{
    const struct pc_hpm_config *c = pc_hpm_get_config(h);
    struct pc_hpm_state st;
    struct pc_error err;
    const uint32_t bit = UINT32_C(1) << n;

    pc_hpm_get_state(h, &st);
    st.mcounteren = !c->rvu ? 0 : m ? bit : ~bit;
    st.scounteren = !c->rvs ? 0 : s ? bit : ~bit;
    st.hcounteren = !c->rvh ? 0 : hyp ? bit : ~bit;
    test_ok(pc_hpm_set_state(h, &st, &err), &err);
}

/* Causes for the bits m s h = 000, 001, ... 111. */
struct gate_row {
    unsigned privilege;
    bool v;
    uint8_t cause[8];
};

static void check_gates(const char *config, const char *profile, uint32_t on,
                        const struct gate_row *rows, size_t count)
{
    struct pc_hpm *h = hpm_new(config, profile, on, 0);

    for (size_t r = 0; r < count; r++)
        for (unsigned n = 0; n < 32; n++)
            for (unsigned bits = 0; bits < 8; bits++) {
                if (n == 1)
                    continue;
                enable(h, n, bits >> 2 & 1, bits >> 1 & 1, bits & 1);
                enum pc_hpm_cause cause = csr_try(h, mode_of(rows[r].privilege, rows[r].v),
                                                  PC_HPM_CSR_READ, 0xc00 + n, 0);
                if (cause != rows[r].cause[bits])
                    fail_msg("%s %s: privilege %u v %d, hpmcounter%u, msh %u%u%u: %d, not %d",
                             config, profile, rows[r].privilege, rows[r].v, n, bits >> 2 & 1,
                             bits >> 1 & 1, bits & 1, (int)cause, rows[r].cause[bits]);
            }
    pc_hpm_destroy(h);
}

/* Verifies HPM.GATE.1 to .3 in cores without H, bits 9..31 of unimplemented counters included. */
static void gates_without_h(void **state)
{
    static const struct gate_row rows[] = {
        { 3, false, { 0, 0, 0, 0, 0, 0, 0, 0 } },
        { 1, false, { 2, 2, 2, 2, 0, 0, 0, 0 } },
        { 0, false, { 2, 2, 2, 2, 2, 2, 0, 0 } },
        { 1, true, { 2, 2, 2, 2, 0, 0, 0, 0 } }, /* V means nothing without H */
    };

    (void)state;
    check_gates(RV64, "spec", 0, rows, 4);
    check_gates(RV64, "rtl", 0, rows, 4);
    check_gates(RV32, "spec", 0, rows, 4);
    check_gates(RV32, "rtl", 0, rows, 4);
    check_gates(FPGA, "spec", 0, rows, 4);
}

/* Verifies HPM.GATE.1 to .5 as the hypervisor chapter has them. */
static void gates_with_h_spec(void **state)
{
    static const struct gate_row rows[] = {
        { 3, false, { 0, 0, 0, 0, 0, 0, 0, 0 } },   { 1, false, { 2, 2, 2, 2, 0, 0, 0, 0 } },
        { 0, false, { 2, 2, 2, 2, 2, 2, 0, 0 } },   { 1, true, { 2, 2, 2, 2, 22, 0, 22, 0 } },
        { 0, true, { 2, 2, 2, 2, 22, 22, 22, 0 } },
    };

    (void)state;
    check_gates(RV64H, "spec", 0, rows, 5);
}

/* Verifies h_gate_and (#3055, #3398): what the RTL lets through in U and VU. */
static void gates_with_h_rtl(void **state)
{
    static const struct gate_row rows[] = {
        { 3, false, { 0, 0, 0, 0, 0, 0, 0, 0 } },  { 1, false, { 2, 2, 2, 2, 0, 0, 0, 0 } },
        { 0, false, { 2, 2, 0, 0, 0, 0, 0, 0 } },  { 1, true, { 2, 2, 2, 2, 22, 0, 22, 0 } },
        { 0, true, { 0, 2, 0, 0, 22, 0, 22, 0 } },
    };

    (void)state;
    check_gates(RV64H, "rtl", 0, rows, 5);
    check_gates(RV64H, "spec", PC_HPM_Q_H_GATE_AND, rows, 5);
}

/* Verifies that user shadows read the counter they shadow, in M-mode without any enable. */
static void shadows_read_their_counter(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "spec", 0, 0);

    (void)state;
    csrw(h, INHIBIT, 0x1fd);
    for (unsigned n = 0; n <= 8; n++)
        if (n != 1)
            poke(h, n, UINT64_C(0x1111111122222200) * (n + 1));
    for (unsigned n = 0; n < 32; n++) {
        uint64_t v = n == 1 || n > 8 ? 0 : UINT64_C(0x1111111122222200) * (n + 1);
        if (n == 1)
            continue;
        assert_int_equal(csrr(h, 0xc00 + n), v & UINT32_MAX);
        assert_int_equal(csrr(h, 0xc80 + n), v >> 32);
        assert_int_equal(csrr(h, 0xb00 + n), v & UINT32_MAX);
        assert_int_equal(csrr(h, 0xb80 + n), v >> 32);
    }
    pc_hpm_destroy(h);
}

/* Verifies HPM.PRIV.1: each level reaches what address bits 9:8 allow and no more. */
static void privilege_of_addresses(void **state)
{
    static const unsigned addresses[] = { 0xb00, 0xb03, 0x320, 0x323, 0x306, 0x106, 0x606 };
    struct pc_hpm *h = hpm_new(RV64H, "spec", 0, 0);

    (void)state;
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        for (unsigned who = 0; who < 5; who++) {
            static const unsigned privilege[] = { 3, 1, 0, 1, 0 };
            static const unsigned level[] = { 3, 2, 0, 1, 0 };
            const bool v = who >= 3;
            const unsigned needed = addresses[i] >> 8 & 3;
            int expected = needed <= level[who] ? 0 : v && needed < 3 ? 22 : 2;
            for (int op = PC_HPM_CSR_WRITE; op <= PC_HPM_CSR_READ; op++)
                assert_int_equal(
                    csr_try(h, mode_of(privilege[who], v), (enum pc_hpm_csr_op)op, addresses[i], 0),
                    expected);
        }
    pc_hpm_destroy(h);
}

/* Verifies that a core with M-mode alone does not look at privilege. */
static void machine_only(void **state)
{
    struct pc_hpm *h = hpm_new(M32, "rtl", 0, 0);

    (void)state;
    assert_int_equal(csr_try(h, mode_of(0, false), PC_HPM_CSR_WRITE, 0xb00, 7), 0);
    assert_int_equal(peek(h, 0), 7);
    assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_READ, MCEN, 0), PC_HPM_ILLEGAL);
    assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_READ, 0xc00, 0), PC_HPM_ILLEGAL);
    pc_hpm_destroy(h);
}

/* Verifies HPM.PRIV.3: writes to shadows trap in every mode, pure reads do not. */
static void shadows_are_read_only(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "spec", 0, 0);

    (void)state;
    for (unsigned a = 0xc00; a < 0xca0; a++) {
        if ((a & 31) == 1)
            continue;
        assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_WRITE, a, 0), PC_HPM_ILLEGAL);
        assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_SET, a, 0), PC_HPM_ILLEGAL);
        assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_CLEAR, a, 0), PC_HPM_ILLEGAL);
        bool exists = (a & 127) < 32;
        assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_READ, a, 0), exists ? 0 : 2);
    }
    pc_hpm_destroy(h);
}

/* Verifies HPM.MAP.8, HPM.GATE.7: time traps whatever TM says; 22 where the hypervisor emulates. */
static void time_always_traps(void **state)
{
    struct pc_hpm *h = hpm_new(RV64H, "spec", 0, 0), *rtl = hpm_new(RV64H, "rtl", 0, 0);

    (void)state;
    for (unsigned bits = 0; bits < 8; bits++) {
        enable(h, 1, bits >> 2 & 1, bits >> 1 & 1, bits & 1);
        enable(rtl, 1, bits >> 2 & 1, bits >> 1 & 1, bits & 1);
        const int guest = bits == 4 || bits == 6 ? 22 : 2;
        for (unsigned v = 0; v < 2; v++)
            for (unsigned p = 0; p < 2; p++) {
                struct pc_hpm_mode mode = mode_of(p, v);
                assert_int_equal(csr_try(h, mode, PC_HPM_CSR_READ, 0xc01, 0), v ? guest : 2);
                assert_int_equal(csr_try(rtl, mode, PC_HPM_CSR_READ, 0xc01, 0), v ? guest : 2);
                assert_int_equal(csr_try(h, mode, PC_HPM_CSR_READ, 0xc81, 0), 2);
                assert_int_equal(csr_try(h, mode, PC_HPM_CSR_WRITE, 0xc01, 0), 2);
            }
        assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_READ, 0xc01, 0), 2);
    }
    pc_hpm_destroy(h);
    pc_hpm_destroy(rtl);
}

/* Verifies that an access that traps changes no register and reads as 0. */
static void traps_change_nothing(void **state)
{
    struct test_rng rng = test_rng_start(11, NULL);
    struct pc_hpm *h = hpm_new(RV64H, "spec", 0, 0);
    unsigned trapped = 0;

    (void)state;
    csrw(h, INHIBIT, 0x1fd);
    for (unsigned i = 0; i < 20000; i++) {
        struct pc_hpm_in in = { .mode = mode_of(test_rand_below(&rng, 2), test_rand(&rng) & 1) };
        struct pc_hpm_state before, after;
        in.csr = (struct pc_hpm_access){
            .op = (enum pc_hpm_csr_op)(1 + test_rand_below(&rng, 4)),
            .address = (uint16_t)test_rand_below(&rng, 4096),
            .operand = test_rand(&rng),
        };
        pc_hpm_get_state(h, &before);
        struct pc_hpm_out out = clock_of(h, &in);
        pc_hpm_get_state(h, &after);
        if (out.cause == 0)
            continue;
        trapped++;
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(out.rdata, 0);
        assert_true(out.events >> 7 & 1);
    }
    assert_true(trapped > 10000);
    pc_hpm_destroy(h);
}

/* Verifies HPM.OP.1: old value and operand of the three kinds of write, all registers 64 bits. */
static void what_an_instruction_writes(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    const uint64_t old = UINT64_C(0xff00ff00ff00ff00), x = UINT64_C(0x0ff00ff00ff00ff0);
    static const struct {
        enum pc_hpm_csr_op op;
        uint64_t result;
    } rows[] = {
        { PC_HPM_CSR_WRITE, UINT64_C(0x0ff00ff00ff00ff0) },
        { PC_HPM_CSR_SET, UINT64_C(0xfff0fff0fff0fff0) },
        { PC_HPM_CSR_CLEAR, UINT64_C(0xf000f000f000f000) },
        { PC_HPM_CSR_READ, UINT64_C(0xff00ff00ff00ff00) },
    };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const struct pc_hpm_access a = { .op = rows[i].op, .address = 0xb05, .operand = x };
        uint64_t rdata = 0;
        poke(h, 5, old);
        assert_int_equal(pc_hpm_csr(h, mode_m(), &a, &rdata), 0);
        assert_true(rdata == old);
        assert_true(peek(h, 5) == rows[i].result);
    }
    pc_hpm_destroy(h);
}

/* Verifies that old is the value before the clock's own increment: csrrs mcycle, 1 at even. */
static void set_sees_the_old_value(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);

    (void)state;
    poke(h, 0, 0x100);
    assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_SET, B00, 0x10), 0);
    assert_int_equal(peek(h, 0), 0x110);
    poke(h, 0, 0x1ff);
    assert_int_equal(csr_try(h, mode_m(), PC_HPM_CSR_CLEAR, B00, 0), 0);
    assert_int_equal(peek(h, 0), 0x1ff); /* a write of the same value: not incremented */
    pc_hpm_destroy(h);
}

/* Verifies HPM.DEBUG.2: debug mode has M's rights whatever the privilege bits say. */
static void debug_mode_reaches_everything(void **state)
{
    struct pc_hpm *h = hpm_new(RV64H, "rtl", 0, 0), *none = hpm_new(M32, "rtl", 0, 0);
    struct pc_hpm_mode mode = { .privilege = 0, .virtualised = true, .debug = true };

    (void)state;
    assert_int_equal(csr_try(h, mode, PC_HPM_CSR_WRITE, 0xb04, 77), 0);
    assert_int_equal(peek(h, 4), 77);
    assert_int_equal(csr_try(h, mode, PC_HPM_CSR_READ, 0xc00, 0), 0);
    assert_int_equal(peek(h, 0), 0); /* and nothing counted */
    csr_try(none, mode, PC_HPM_CSR_READ, B00, 0);
    assert_int_equal(peek(none, 0), 1); /* a core without debug mode is never in it */
    pc_hpm_destroy(h);
    pc_hpm_destroy(none);
}

/* Verifies HPM.OP.2 at the instruction word: the number of rs1 decides, not its value. */
static void instruction_words(void **state)
{
    static const struct {
        uint32_t insn;
        uint64_t rs1;
        int op; /* -1: none of ours */
        unsigned address;
        uint64_t operand;
    } rows[] = {
        { 0xb0009073, 5, PC_HPM_CSR_WRITE, 0xb00, 5 },  /* csrw mcycle, x1 */
        { 0xb0001073, 0, PC_HPM_CSR_WRITE, 0xb00, 0 },  /* csrw mcycle, x0 */
        { 0xb0302573, 9, PC_HPM_CSR_READ, 0xb03, 9 },   /* csrr x10, mhpmcounter3 */
        { 0xb030a573, 0, PC_HPM_CSR_SET, 0xb03, 0 },    /* csrrs x10, mhpmcounter3, x1 = 0 */
        { 0x3200b073, 3, PC_HPM_CSR_CLEAR, 0x320, 3 },  /* csrc mcountinhibit, x1 */
        { 0x32003573, 0, PC_HPM_CSR_READ, 0x320, 0 },   /* csrrc x10, mcountinhibit, x0 */
        { 0x3232d073, 99, PC_HPM_CSR_WRITE, 0x323, 5 }, /* csrwi mhpmevent3, 5 */
        { 0x32305073, 99, PC_HPM_CSR_WRITE, 0x323, 0 }, /* csrwi mhpmevent3, 0 */
        { 0x32006073, 99, PC_HPM_CSR_READ, 0x320, 0 },  /* csrsi mcountinhibit, 0 */
        { 0x3202e073, 99, PC_HPM_CSR_SET, 0x320, 5 },
        { 0x3202f073, 99, PC_HPM_CSR_CLEAR, 0x320, 5 },
        { 0xc0002573, 0, PC_HPM_CSR_READ, 0xc00, 0 }, /* rdcycle x10 */
        { 0x30009073, 5, -1, 0, 0 },                  /* csrw mstatus */
        { 0x00000073, 0, -1, 0, 0 },                  /* ecall */
        { 0xb0000033, 0, -1, 0, 0 },                  /* no SYSTEM */
        { 0xb0004073, 0, -1, 0, 0 },                  /* funct3 4 is no CSR instruction */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_hpm_access a;
        bool ours = pc_hpm_csr_decode(rows[i].insn, rows[i].rs1, &a);
        assert_int_equal(ours, rows[i].op >= 0);
        if (!ours)
            continue;
        if ((int)a.op != rows[i].op || a.address != rows[i].address ||
            (a.op != PC_HPM_CSR_READ && a.operand != rows[i].operand))
            fail_msg("%08x: op %d address %03x", (unsigned)rows[i].insn, (int)a.op, a.address);
    }
}

/* A read of the next clock is what that clock then reads, in every mode, and changes nothing. */
static void a_read_in_advance_is_that_of_the_clock(void **state)
{
    static const char *const cores[] = { RV64, RV64H, RV32, FPGA, M32 };
    struct test_rng rng = test_rng_start(42, NULL);

    (void)state;
    for (size_t i = 0; i < 2 * sizeof cores / sizeof cores[0]; i++) {
        struct pc_hpm *h = hpm_new(cores[i / 2], i % 2 ? "rtl" : "spec", 0, 0);
        for (unsigned n = 0; n < 20000; n++) {
            struct pc_hpm_in in = { .lines = 0 };
            struct pc_hpm_state before, after;
            uint64_t value;
            random_in(&rng, &in);
            in.mode.privilege = (uint8_t[]){ 0, 1, 3 }[test_rand_below(&rng, 3)];
            in.mode.virtualised = test_rand(&rng) & 1;
            in.csr.address = (uint16_t)test_rand_below(&rng, 4096);
            if (n % 4)
                in.csr.address = (uint16_t)(0xc00 + (in.csr.address & 0x9f));
            in.csr.op = n % 3 ? PC_HPM_CSR_READ : PC_HPM_CSR_WRITE;
            in.csr.operand = test_rand(&rng);
            if (in.csr.op == PC_HPM_CSR_WRITE && n % 2)
                in.csr.address = n % 5 ? MCEN : SCEN;
            pc_hpm_get_state(h, &before);
            const enum pc_hpm_cause cause = pc_hpm_read_at(h, in.mode, in.csr.address, &value);
            pc_hpm_get_state(h, &after);
            assert_memory_equal(&before, &after, sizeof before);
            const struct pc_hpm_out out = clock_of(h, &in);
            if (in.csr.op != PC_HPM_CSR_READ)
                continue;
            assert_int_equal(cause, out.cause);
            assert_int_equal(value, out.rdata);
            assert_int_equal(cause, pc_hpm_read_at(h, in.mode, in.csr.address, NULL));
        }
        pc_hpm_destroy(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_in_advance_is_that_of_the_clock),
        cmocka_unit_test(gates_without_h),
        cmocka_unit_test(gates_with_h_spec),
        cmocka_unit_test(gates_with_h_rtl),
        cmocka_unit_test(shadows_read_their_counter),
        cmocka_unit_test(privilege_of_addresses),
        cmocka_unit_test(machine_only),
        cmocka_unit_test(shadows_are_read_only),
        cmocka_unit_test(time_always_traps),
        cmocka_unit_test(traps_change_nothing),
        cmocka_unit_test(what_an_instruction_writes),
        cmocka_unit_test(set_sees_the_old_value),
        cmocka_unit_test(debug_mode_reaches_everything),
        cmocka_unit_test(instruction_words),
    };
    return cmocka_run_group_tests_name("hpm access", tests, NULL, NULL);
}
