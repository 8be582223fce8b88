/* SPDX-License-Identifier: MIT */
/*
 * The register map (HPM.MAP.*, HPM.RESET.1): every address of every configuration, against
 * the table of the specification restated here; bits that keep what is written; reset.
 */
#include "hpm_test.h"

#include <string.h>

/* What the specification's table says of one address: bits that stick, and that it exists. */
struct expected {
    bool exists;
    uint64_t sticks;
};

static struct expected expect(const struct pc_hpm_config *c, unsigned a)
{
    const uint64_t x = c->xlen == 64 ? UINT64_MAX : UINT32_MAX;
    const bool rv32 = c->xlen == 32;

    if (a == 0xb00 || a == 0xb02)
        return (struct expected){ true, x };
    if (a == 0xb80 || a == 0xb82)
        return (struct expected){ rv32, x };
    if (a >= 0xb03 && a <= 0xb08)
        return (struct expected){ true, c->perf_counter_en ? x : 0 };
    if (a >= 0xb83 && a <= 0xb88)
        return (struct expected){ rv32, c->perf_counter_en ? x : 0 };
    if (a >= 0xb09 && a <= 0xb1f)
        return (struct expected){ true, 0 };
    if (a >= 0xb89 && a <= 0xb9f)
        return (struct expected){ rv32, 0 };
    if (a >= 0x323 && a <= 0x328)
        return (struct expected){ true, c->perf_counter_en ? 0x1f : 0 };
    if (a >= 0x329 && a <= 0x33f)
        return (struct expected){ true, 0 };
    if (a == 0x320)
        return (struct expected){ true, c->perf_counter_en ? 0x1fd : 0 };
    if (a == 0x306 || a == 0x106 || a == 0x606)
        return (struct expected){ a == 0x306 ? c->rvu : a == 0x106 ? c->rvs : c->rvh, UINT32_MAX };
    if (a == 0xc00 || a == 0xc02)
        return (struct expected){ c->zicntr, 0 };
    if (a == 0xc80 || a == 0xc82)
        return (struct expected){ c->zicntr && rv32, 0 };
    if (a >= 0xc03 && a <= 0xc1f)
        return (struct expected){ c->zihpm, 0 };
    if (a >= 0xc83 && a <= 0xc9f)
        return (struct expected){ c->zihpm && rv32, 0 };
    return (struct expected){ false, 0 };
}

/* Verifies that exactly the registers of the table exist, in every preset: 4096 addresses each. */
static void addresses_of_every_configuration(void **state)
{
    (void)state;
    for (size_t i = 0; pc_hpm_config_at(i); i++) {
        const struct pc_hpm_config *c = pc_hpm_config_at(i);
        struct pc_hpm *h = hpm_of(c, "spec", 0, 0);
        for (unsigned a = 0; a < 4096; a++) {
            const struct expected e = expect(c, a);
            struct pc_hpm_reg reg;
            enum pc_hpm_cause cause = csr_try(h, mode_m(), PC_HPM_CSR_READ, a, 0);
            if ((cause == PC_HPM_NO_TRAP) != e.exists)
                fail_msg("%s: csrr %03x: cause %d", c->name, a, (int)cause);
            if ((pc_hpm_reg_at(c, a, &reg, NULL) == PC_OK) != e.exists)
                fail_msg("%s: pc_hpm_reg_at(%03x)", c->name, a);
            if (e.exists && reg.writable != e.sticks)
                fail_msg("%s: %s keeps %llx", c->name, reg.name, (unsigned long long)reg.writable);
            if (e.exists)
                assert_true(pc_hpm_owns(a));
        }
        pc_hpm_destroy(h);
    }
}

static bool is_user(unsigned a)
{
    return a >= 0xc00;
}

/* Counters are inhibited where they can be, so that what is read is what was written. */
static uint64_t write_and_read(struct pc_hpm *h, unsigned a, uint64_t value)
{
    struct pc_hpm_state s;

    csrw(h, a, value);
    pc_hpm_get_state(h, &s);
    switch (a) {
    case 0xb00:
        return s.counter[0];
    case 0xb02:
        return s.counter[2];
    case 0xb80:
        return s.counter[0] >> 32;
    case 0xb82:
        return s.counter[2] >> 32;
    default:
        return csrr(h, a);
    }
}

/* Verifies that ones and zeros stick in exactly the writable bits (bit scan), and trap in none. */
static void bits_that_stick(void **state)
{
    (void)state;
    for (size_t i = 0; pc_hpm_config_at(i); i++) {
        const struct pc_hpm_config *c = pc_hpm_config_at(i);
        for (unsigned a = 0; a < 4096; a++) {
            const struct expected e = expect(c, a);
            if (!e.exists || is_user(a))
                continue;
            struct pc_hpm *h = hpm_of(c, "spec", 0, 0);
            const uint64_t mask = c->xlen == 64 ? UINT64_MAX : UINT32_MAX;
            uint64_t ones = write_and_read(h, a, UINT64_MAX) & mask;
            uint64_t zeros = write_and_read(h, a, 0) & mask;
            if (ones != e.sticks || zeros != 0)
                fail_msg("%s: %03x: ones read %llx, zeros %llx", c->name, a,
                         (unsigned long long)ones, (unsigned long long)zeros);
            pc_hpm_destroy(h);
        }
    }
}

/* Verifies HPM.MAP.7 where Zicntr and Zihpm differ, as no shipped configuration has them. */
static void shadows_need_their_extension(void **state)
{
    struct pc_hpm_config c = *pc_hpm_config_find(RV32);

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        c.zicntr = i & 1;
        c.zihpm = i >> 1;
        struct pc_hpm *h = hpm_of(&c, "spec", 0, 0);
        for (unsigned a = 0xc00; a < 0xca0; a++) {
            bool there = csr_try(h, mode_m(), PC_HPM_CSR_READ, a, 0) == PC_HPM_NO_TRAP;
            assert_int_equal(there, expect(&c, a).exists);
        }
        pc_hpm_destroy(h);
    }
}

/* Verifies HPM.MAP.6 in cores with fewer modes than those shipped: U alone has no scounteren. */
static void enables_need_their_mode(void **state)
{
    static const unsigned addresses[] = { 0x106, 0x306, 0x606 };
    struct pc_hpm_config c = *pc_hpm_config_find(RV64);

    (void)state;
    for (unsigned modes = 0; modes < 4; modes++) { /* M, MU, MSU, MSUH */
        c.rvu = modes >= 1;
        c.rvs = modes >= 2;
        c.rvh = modes >= 3;
        struct pc_hpm *h = hpm_of(&c, "spec", 0, 0);
        for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
            const struct expected e = expect(&c, addresses[i]);
            enum pc_hpm_cause cause =
                csr_try(h, mode_m(), PC_HPM_CSR_WRITE, addresses[i], UINT64_MAX);
            assert_int_equal(cause, e.exists ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL);
            if (e.exists)
                assert_true(csrr(h, addresses[i]) == e.sticks);
        }
        pc_hpm_destroy(h);
    }
}

/* Verifies HPM.RESET.1: every register is 0; mcycle is 1 after the first clock. */
static void reset_is_zero(void **state)
{
    struct pc_hpm *h = hpm_new(RV32, "spec", 0, 0);
    struct pc_hpm_state s, zero;

    (void)state;
    memset(&zero, 0, sizeof zero);
    pc_hpm_get_state(h, &s);
    assert_memory_equal(&s, &zero, sizeof s);
    pc_hpm_advance(h, NULL, 1);
    assert_int_equal(peek(h, 0), 1);
    csrw(h, INHIBIT, 0x1fd);
    csrw(h, 0x323, 7);
    csrw(h, 0xb03, 99);
    csrw(h, MCEN, 5);
    csrw(h, SCEN, 5);
    pc_hpm_reset(h);
    pc_hpm_get_state(h, &s);
    assert_memory_equal(&s, &zero, sizeof s);
    pc_hpm_destroy(h);
}

/* Verifies the same of every register that a preset has. */
static void reset_of_all(void **state)
{
    const struct pc_hpm_config *c;

    (void)state;
    for (size_t i = 0; (c = pc_hpm_config_at(i)) != NULL; i++) {
        struct pc_hpm_desc desc = { .config = c };
        struct pc_hpm_state full, zero, got;
        struct pc_hpm *h;
        struct pc_error err;

        memset(&full, 0, sizeof full);
        memset(&zero, 0, sizeof zero);
        full.counter[0] = full.counter[2] = UINT64_MAX;
        for (unsigned n = 3; n <= 8 && c->perf_counter_en; n++) {
            full.counter[n] = UINT64_MAX;
            full.selector[n] = 31;
        }
        full.inhibit = c->perf_counter_en ? 0x1fd : 0;
        full.mcounteren = c->rvu ? UINT32_MAX : 0;
        full.scounteren = c->rvs ? UINT32_MAX : 0;
        full.hcounteren = c->rvh ? UINT32_MAX : 0;
        test_ok(pc_hpm_create(&desc, &h, &err), &err);
        test_ok(pc_hpm_set_state(h, &full, &err), &err);
        pc_hpm_reset(h);
        pc_hpm_get_state(h, &got);
        assert_memory_equal(&got, &zero, sizeof got);
        pc_hpm_destroy(h);
    }
}

/* Verifies that event counters stay still after reset although nothing inhibits them. */
static void selector_0_counts_nothing(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "rtl", 0, 0);
    struct pc_hpm_in in = { .lines = UINT32_MAX, .way_valid = { 255, 255, 255 } };

    (void)state;
    in.port[0] = in.port[1] = port_of(PC_HPM_FU_LOAD, PC_HPM_OP_JALR, 0);
    for (unsigned i = 0; i < 10; i++)
        clock_of(h, &in);
    for (unsigned c = 3; c <= 8; c++)
        assert_int_equal(peek(h, c), 0);
    pc_hpm_destroy(h);
}

/* Verifies HPM.MAP.9: selectors store every 5-bit value, legalise none, and drop the rest. */
static void selectors_keep_five_bits(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);

    (void)state;
    for (unsigned n = 3; n <= 8; n++)
        for (unsigned v = 0; v < 64; v++) {
            csrw(h, 0x320 + n, v | UINT64_C(0xdead0000c0000000));
            assert_int_equal(csrr(h, 0x320 + n), v & 31);
        }
    pc_hpm_destroy(h);
}

/* Verifies that names and addresses lead to each other. */
static void names_and_addresses(void **state)
{
    const struct pc_hpm_config *c = pc_hpm_config_find(RV32);
    static const struct {
        const char *name;
        unsigned address, privilege;
    } some[] = {
        { "mcycle", 0xb00, 3 },        { "mcycleh", 0xb80, 3 },       { "minstret", 0xb02, 3 },
        { "minstreth", 0xb82, 3 },     { "mhpmcounter3", 0xb03, 3 },  { "mhpmcounter8h", 0xb88, 3 },
        { "mhpmcounter31", 0xb1f, 3 }, { "mhpmevent3", 0x323, 3 },    { "mhpmevent31", 0x33f, 3 },
        { "mcountinhibit", 0x320, 3 }, { "mcounteren", 0x306, 3 },    { "scounteren", 0x106, 1 },
        { "cycle", 0xc00, 0 },         { "cycleh", 0xc80, 0 },        { "instret", 0xc02, 0 },
        { "hpmcounter3", 0xc03, 0 },   { "hpmcounter31h", 0xc9f, 0 },
    };
    struct pc_hpm_reg reg, again;
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        test_ok(pc_hpm_reg_find(c, some[i].name, &reg, &err), &err);
        assert_int_equal(reg.address, some[i].address);
        assert_int_equal(reg.privilege, some[i].privilege);
        assert_string_equal(reg.name, some[i].name);
    }
    for (unsigned a = 0; a < 4096; a++)
        if (pc_hpm_reg_at(c, a, &reg, NULL) == PC_OK) {
            test_ok(pc_hpm_reg_find(c, reg.name, &again, &err), &err);
            assert_int_equal(again.address, a);
        }
    test_ok(pc_hpm_reg_find(c, "0xB03", &reg, &err), &err);
    assert_int_equal(reg.address, 0xb03);
    assert_int_equal(pc_hpm_reg_find(c, "time", &reg, &err), PC_ENOENT);
    assert_int_equal(pc_hpm_reg_find(c, "hcounteren", &reg, &err), PC_ENOENT);
    assert_int_equal(pc_hpm_reg_find(c, "0xb03x", &reg, &err), PC_ENOENT);
    assert_int_equal(pc_hpm_reg_find(c, "", &reg, &err), PC_ENOENT);
    assert_int_equal(pc_hpm_reg_at(c, 0x1b03, &reg, &err), PC_ENOENT);
    assert_int_equal(err.code, 1005);
}

/* Verifies which addresses a front end hands over: counters of later extensions trap here. */
static void owned_addresses(void **state)
{
    static const uint16_t yes[] = { 0xb01, 0xb81, 0xc01, 0xc81, 0x321, 0x322, 0x721, 0x73f, 0xda0 };
    static const uint16_t no[] = { 0x300, 0x305, 0x307, 0x100, 0x105, 0x341, 0x7a0, 0xf14, 0x600 };

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        assert_true(pc_hpm_owns(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        assert_false(pc_hpm_owns(no[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_every_configuration),
        cmocka_unit_test(bits_that_stick),
        cmocka_unit_test(shadows_need_their_extension),
        cmocka_unit_test(enables_need_their_mode),
        cmocka_unit_test(reset_is_zero),
        cmocka_unit_test(reset_of_all),
        cmocka_unit_test(selector_0_counts_nothing),
        cmocka_unit_test(selectors_keep_five_bits),
        cmocka_unit_test(names_and_addresses),
        cmocka_unit_test(owned_addresses),
    };
    return cmocka_run_group_tests_name("hpm map", tests, NULL, NULL);
}
