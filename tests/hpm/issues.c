/* SPDX-License-Identifier: MIT */
/*
 * Reported behaviour of the core and what software does with it: for each issue a sequence
 * that the model must tell right from wrong.  #n are openhwgroup/cva6.
 */
#include "hpm_test.h"

#include <string.h>

/*
 * riscv-tests instret_overflow (riscv-isa-manual#1255): a write to minstret suppresses its own
 * increment, and on RV32 so does a write of either half for the whole.
 */
static void instret_overflow(void **state)
{
    struct pc_hpm *spec = hpm_new(RV32, "spec", 0, 0), *rtl = hpm_new(RV32, "rtl", 0, 0);

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pc_hpm *h = i ? rtl : spec;
        csrw(h, 0xb82, 0);
        csrw(h, B02, UINT32_MAX);
        assert_int_equal(csrr(h, B02), UINT32_MAX); /* case 2: both pass */
        assert_int_equal(csrr(h, 0xb82), 1);        /* the reader retired: it wrapped */
    }
    csrw(spec, B02, UINT32_MAX);
    csrw(rtl, B02, UINT32_MAX);
    csrw(spec, 0xb82, 0);
    csrw(rtl, 0xb82, 0);
    assert_int_equal(csrr(spec, B02), UINT32_MAX); /* case 3 */
    assert_int_equal(csrr(rtl, B02), 0);           /* the RTL's low half ticked, carry lost */
    poke(spec, 2, UINT32_MAX);
    poke(rtl, 2, UINT32_MAX);
    csrw(spec, B02, UINT32_MAX);
    csrw(rtl, B02, UINT32_MAX);
    assert_int_equal(csrr(spec, 0xb82), 0);
    assert_int_equal(csrr(rtl, 0xb82), 1); /* and the other way round the carry leaks */
    pc_hpm_destroy(spec);
    pc_hpm_destroy(rtl);
}

/* #2464: without event counters mcountinhibit neither traps nor inhibits anything. */
static void inhibit_without_counters(void **state)
{
    struct pc_hpm *h = hpm_new(FPGA, "rtl", 0, 0);

    (void)state;
    csrw(h, INHIBIT, UINT32_MAX);
    assert_int_equal(csrr(h, INHIBIT), 0);
    pc_hpm_advance(h, NULL, 5);
    assert_int_equal(peek(h, 0), 7);
    assert_int_equal(peek(h, 2), 2);
    pc_hpm_destroy(h);
}

/* #2297: the counters stop in debug mode although dcsr.stopcount reads 0; the flag undoes it. */
static void debug_and_stopcount(void **state)
{
    struct pc_hpm *stops = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm *runs = hpm_new(RV64, "rtl", PC_HPM_Q_DEBUG_RUNS, 0);
    struct pc_hpm_in in = { .mode = { .privilege = 3, .debug = true } };

    (void)state;
    in.port[0] = port_of(PC_HPM_FU_ALU, PC_HPM_OP_OTHER, 1);
    clock_of(stops, &in);
    clock_of(runs, &in);
    assert_int_equal(peek(stops, 0) + peek(stops, 2), 0);
    assert_int_equal(peek(runs, 0) + peek(runs, 2), 2);
    pc_hpm_destroy(stops);
    pc_hpm_destroy(runs);
}

/* #3323: RV32 reads a counter as high-low-high through the user shadows; counter 3 is broken. */
static void high_shadow_of_counter_3(void **state)
{
    struct pc_hpm *spec = hpm_new(RV32, "spec", 0, 0), *rtl = hpm_new(RV32, "rtl", 0, 0);
    const uint64_t value = UINT64_C(0x300000005);

    (void)state;
    for (unsigned n = 3; n <= 8; n++)
        for (unsigned i = 0; i < 2; i++) {
            struct pc_hpm *h = i ? rtl : spec;
            poke(h, n, value);
            uint64_t high = csrr(h, 0xc80 + n), low = csrr(h, 0xc00 + n);
            uint64_t seen = high << 32 | low;
            assert_true(seen == (h == rtl && n == 3 ? 5 : value));
        }
    assert_int_equal(csrr(rtl, 0xb83), 3); /* M-mode's own register is right */
    pc_hpm_destroy(spec);
    pc_hpm_destroy(rtl);
}

static void enable_all_but(struct pc_hpm *h, unsigned absent)
{
    csrw(h, MCEN, absent == MCEN ? 0 : UINT32_MAX);
    csrw(h, SCEN, absent == SCEN ? 0 : UINT32_MAX);
    csrw(h, HCEN, absent == HCEN ? 0 : UINT32_MAX);
}

/* #3055, #3398: with H, one closed gate above U or VU is enough to trap; the RTL needs both. */
static void one_closed_gate(void **state)
{
    struct pc_hpm *spec = hpm_new(RV64H, "spec", 0, 0), *rtl = hpm_new(RV64H, "rtl", 0, 0);
    static const struct {
        unsigned closed;
        bool v;
        int spec, rtl;
    } rows[] = {
        { MCEN, false, 2, 0 }, { SCEN, false, 2, 0 }, { HCEN, false, 0, 0 },
        { MCEN, true, 2, 0 },  { SCEN, true, 22, 0 }, { HCEN, true, 22, 22 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pc_hpm_mode mode = mode_of(0, rows[i].v);
        enable_all_but(spec, rows[i].closed);
        enable_all_but(rtl, rows[i].closed);
        assert_int_equal(csr_try(spec, mode, PC_HPM_CSR_READ, 0xc02, 0), rows[i].spec);
        assert_int_equal(csr_try(rtl, mode, PC_HPM_CSR_READ, 0xc02, 0), rows[i].rtl);
    }
    pc_hpm_destroy(spec);
    pc_hpm_destroy(rtl);
}

/* #3466: a virtual-instruction trap must not write; and RV64 has no high halves to virtualise. */
static void virtual_trap_writes(void **state)
{
    struct pc_hpm *spec = hpm_new(RV64H, "spec", 0, 0), *rtl = hpm_new(RV64H, "rtl", 0, 0);
    struct pc_hpm_state s;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pc_hpm *h = i ? rtl : spec;
        enable_all_but(h, 0);
        assert_int_equal(csr_try(h, mode_of(0, true), PC_HPM_CSR_WRITE, SCEN, 7), 22);
        assert_int_equal(csr_try(h, mode_of(0, true), PC_HPM_CSR_CLEAR, HCEN, 0xf0), 22);
        assert_int_equal(csr_try(h, mode_of(0, true), PC_HPM_CSR_WRITE, MCEN, 7), 2);
        pc_hpm_get_state(h, &s);
        assert_int_equal(s.scounteren, h == rtl ? 7 : UINT32_MAX);
        assert_int_equal(s.hcounteren, h == rtl ? 0xffffff0f : UINT32_MAX);
        assert_int_equal(s.mcounteren, UINT32_MAX);
        enable_all_but(h, HCEN);
        assert_int_equal(csr_try(h, mode_of(1, true), PC_HPM_CSR_READ, 0xc80, 0),
                         h == rtl ? 22 : 2);
        assert_int_equal(csr_try(h, mode_of(1, true), PC_HPM_CSR_WRITE, 0xc00, 0),
                         h == rtl ? 22 : 2);
    }
    pc_hpm_destroy(spec);
    pc_hpm_destroy(rtl);
}

/* #3273: firmware leaves scounteren = TM alone, so rdinstret in a user program is illegal. */
static void user_reads_under_firmware(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);

    (void)state;
    csrw(h, MCEN, UINT32_MAX);
    csrw(h, SCEN, 2);
    assert_int_equal(csr_try(h, mode_of(0, false), PC_HPM_CSR_READ, 0xc02, 0), PC_HPM_ILLEGAL);
    assert_int_equal(csr_try(h, mode_of(1, false), PC_HPM_CSR_READ, 0xc02, 0), PC_HPM_NO_TRAP);
    csrw(h, SCEN, 7);
    assert_int_equal(csr_try(h, mode_of(0, false), PC_HPM_CSR_READ, 0xc02, 0), PC_HPM_NO_TRAP);
    pc_hpm_destroy(h);
}

/* What firmware does at boot to find out which counters there are: writes 1, swaps back. */
static uint32_t probe_counters(struct pc_hpm *h)
{
    uint32_t found = 0;

    for (unsigned n = 3; n < 32; n++) {
        uint64_t old = csrr(h, 0xb00 + n), seen = 0;
        const struct pc_hpm_access swap = { PC_HPM_CSR_WRITE, (uint16_t)(0xb00 + n), old };
        csrw(h, 0xb00 + n, 1);
        assert_int_equal(pc_hpm_csr(h, mode_m(), &swap, &seen), 0);
        found |= (uint32_t)(seen == 1) << n;
    }
    return found;
}

static void firmware_finds_six_counters(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0), *none = hpm_new(FPGA, "rtl", 0, 0);

    (void)state;
    assert_int_equal(probe_counters(h), 0x1f8);
    assert_int_equal(probe_counters(none), 0);
    csrw(h, 0xb03, UINT64_MAX);
    assert_true(csrr(h, 0xb03) == UINT64_MAX); /* 64 bits wide */
    csrw(h, INHIBIT, 0xfffffff8);
    assert_int_equal(csrr(h, INHIBIT), 0x1f8); /* start believes it when the bit sticks */
    csrw(h, 0x323, UINT64_C(3) << 62);
    assert_int_equal(csrr(h, 0x323), 0); /* no overflow bit, and so no event */
    pc_hpm_destroy(h);
    pc_hpm_destroy(none);
}

/* An SBI event index written as it is selects whatever its low five bits say. */
static void event_index_in_the_selector(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    static const uint32_t rows[][2] = { { 0x5, 5 }, { 0x10009, 9 }, { 0x10019, 25 } };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        csrw(h, 0x324, rows[i][0]);
        assert_int_equal(csrr(h, 0x324), rows[i][1]);
    }
    pc_hpm_destroy(h);
}

/* #1096: the fixed-function counters of the old chapter are gone: B03 counts what 323 selects. */
static void no_fixed_functions(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_in in = { .lines = 1u << PC_HPM_ICACHE_MISS };

    (void)state;
    clock_of(h, &in);
    for (unsigned n = 3; n <= 0x10; n++)
        assert_int_equal(csrr(h, 0xb00 + n), 0);
    csrw(h, 0x323, 1);
    clock_of(h, &in);
    assert_int_equal(csrr(h, 0xb03), 1);
    pc_hpm_destroy(h);
}

/* Bare metal: select, clear, run, read; the clearing write loses no event of a later clock. */
static void bare_metal_pattern(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "rtl", 0, 0);
    static const uint32_t loop[] = { 0x00052583 /* lw */, 0x00b62023 /* sw */,
                                     0x00158593 /* addi */, 0xfe059ce3 /* bnez */ };
    struct pc_error err;

    (void)state;
    csrw(h, 0x323, 5);
    csrw(h, 0x324, 6);
    csrw(h, 0x325, 9);
    csrw(h, 0x326, 20);
    for (unsigned n = 3; n <= 6; n++)
        csrw(h, 0xb00 + n, 0);
    for (unsigned i = 0; i < 100; i++)
        for (unsigned k = 0; k < 4; k += 2)
            test_ok(pc_hpm_retire(h, mode_m(), loop + k, 2, 0, &err), &err);
    for (unsigned n = 3; n <= 6; n++)
        assert_int_equal(csrr(h, 0xb00 + n), 100);
    pc_hpm_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instret_overflow),
        cmocka_unit_test(inhibit_without_counters),
        cmocka_unit_test(debug_and_stopcount),
        cmocka_unit_test(high_shadow_of_counter_3),
        cmocka_unit_test(one_closed_gate),
        cmocka_unit_test(virtual_trap_writes),
        cmocka_unit_test(user_reads_under_firmware),
        cmocka_unit_test(firmware_finds_six_counters),
        cmocka_unit_test(event_index_in_the_selector),
        cmocka_unit_test(no_fixed_functions),
        cmocka_unit_test(bare_metal_pattern),
    };
    return cmocka_run_group_tests_name("hpm issues", tests, NULL, NULL);
}
