/* SPDX-License-Identifier: MIT */
/*
 * Each quirk alone flips its behaviour and no other: one probe a quirk, whose answer is known
 * for the bit clear and set; and every probe under every other quirk, where it must not move.
 */
#include "hpm_test.h"

#include <string.h>

/* half_write_ticks: minstret of 0x00000005ffffffff after writing all ones to its low half. */
static uint64_t probe_half(struct pc_hpm *h)
{
    poke(h, 2, UINT64_C(0x5ffffffff));
    csrw(h, B02, 0xffffffff);
    return peek(h, 2) >> 32;
}

/* write_freezes_all: events that another counter loses to a write of mhpmcounter3. */
static uint64_t probe_freeze(struct pc_hpm *h)
{
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_FETCH_EMPTY };

    select_event(h, 4, 15);
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb03, 0 };
    clock_of(h, &in);
    return 1 - peek(h, 4);
}

/* trap_freezes: the same for a write of b83, which traps. */
static uint64_t probe_trap(struct pc_hpm *h)
{
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_FETCH_EMPTY };

    select_event(h, 3, 7);
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb83, 0 };
    assert_int_equal(clock_of(h, &in).cause, PC_HPM_ILLEGAL);
    return 1 - peek(h, 3);
}

/* or_ports: loads counted of two that retire together. */
static uint64_t probe_ports(struct pc_hpm *h)
{
    struct pc_hpm_in in = { .mode = mode_m() };

    select_event(h, 3, 5);
    in.port[0] = in.port[1] = port_of(PC_HPM_FU_LOAD, PC_HPM_OP_OTHER, 7);
    clock_of(h, &in);
    return peek(h, 3);
}

static uint64_t probe_shadow(struct pc_hpm *h)
{
    poke(h, 3, UINT64_C(0x7700000000));
    poke(h, 4, UINT64_C(0x8800000000));
    assert_int_equal(csrr(h, 0xc84), 0x88); /* 4h and above are right either way */
    return csrr(h, 0xc83);
}

/* evict_ff: evictions of a full 4-way set; without a miss there is none (HPM.LINE.18). */
static uint64_t probe_evict(struct pc_hpm *h)
{
    struct pc_hpm_in in = { .mode = mode_m() };

    select_event(h, 3, 18);
    in.way_valid[1] = 0xf;
    clock_of(h, &in);
    in.lines = 1u << PC_HPM_DCACHE_MISS;
    clock_of(h, &in);
    return peek(h, 3);
}

/* ret_any_rs1: returns counted of `jr a0`. */
static uint64_t probe_return(struct pc_hpm *h)
{
    static const uint32_t jr_a0 = 0x00050067;
    struct pc_error err;

    select_event(h, 3, 13);
    test_ok(pc_hpm_retire(h, mode_m(), &jr_a0, 1, 0, &err), &err);
    return peek(h, 3);
}

static uint64_t probe_debug(struct pc_hpm *h)
{
    struct pc_hpm_in in = { .mode = { .privilege = 3, .debug = true } };

    clock_of(h, &in);
    return peek(h, 0);
}

/* u_needs_scounteren: U reads cycle with mcounteren set, no S-mode. */
static uint64_t probe_u(struct pc_hpm *h)
{
    csrw(h, MCEN, UINT32_MAX);
    return csr_try(h, mode_of(0, false), PC_HPM_CSR_READ, 0xc00, 0);
}

/* h_gate_and: VU reads cycle with m and h, without s. */
static uint64_t probe_gate(struct pc_hpm *h)
{
    csrw(h, MCEN, 1);
    csrw(h, SCEN, 0);
    csrw(h, HCEN, 1);
    return csr_try(h, mode_of(0, true), PC_HPM_CSR_READ, 0xc00, 0);
}

/* h_trap_writes: hcounteren after VS tried to write it. */
static uint64_t probe_trap_write(struct pc_hpm *h)
{
    struct pc_hpm_state s;

    csrw(h, HCEN, 0);
    assert_int_equal(csr_try(h, mode_of(1, true), PC_HPM_CSR_WRITE, HCEN, 0xabc), PC_HPM_VIRTUAL);
    assert_int_equal(csr_try(h, mode_of(1, true), PC_HPM_CSR_READ, HCEN, 0), PC_HPM_VIRTUAL);
    pc_hpm_get_state(h, &s);
    return s.hcounteren;
}

/* h_high_virtual: VS reads cycleh, which RV64 does not have, with m and not h. */
static uint64_t probe_high(struct pc_hpm *h)
{
    csrw(h, MCEN, 1);
    csrw(h, HCEN, 0);
    return csr_try(h, mode_of(1, true), PC_HPM_CSR_READ, 0xc80, 0);
}

static const struct {
    uint32_t bit;
    const char *config; /* "mu": 32 bits without S */
    uint64_t (*probe)(struct pc_hpm *h);
    uint64_t clear, set;
} probes[] = {
    { PC_HPM_Q_HALF_WRITE_TICKS, RV32, probe_half, 5, 6 },
    { PC_HPM_Q_WRITE_FREEZES_ALL, RV64, probe_freeze, 0, 1 },
    { PC_HPM_Q_TRAP_FREEZES, RV64, probe_trap, 0, 1 },
    { PC_HPM_Q_OR_PORTS, RV64, probe_ports, 2, 1 },
    { PC_HPM_Q_SHADOW3H_ZERO, RV32, probe_shadow, 0x77, 0 },
    { PC_HPM_Q_EVICT_FF, "cv64a6_imafdcv_sv39", probe_evict, 1, 0 },
    { PC_HPM_Q_RET_ANY_RS1, RV64, probe_return, 0, 1 },
    { PC_HPM_Q_DEBUG_RUNS, RV64, probe_debug, 0, 1 },
    { PC_HPM_Q_U_NEEDS_SCOUNTEREN, "mu", probe_u, 0, 2 },
    { PC_HPM_Q_H_GATE_AND, RV64H, probe_gate, 22, 0 },
    { PC_HPM_Q_H_TRAP_WRITES, RV64H, probe_trap_write, 0, 0xabc },
    { PC_HPM_Q_H_HIGH_VIRTUAL, RV64H, probe_high, 2, 22 },
};
#define PROBES (sizeof probes / sizeof probes[0])

static uint64_t probe(size_t i, uint32_t quirks)
{
    struct pc_hpm_config mu = *pc_hpm_config_find(RV32);
    const bool is_mu = strcmp(probes[i].config, "mu") == 0;

    mu.rvs = false;
    struct pc_hpm *h =
        hpm_of(is_mu ? &mu : pc_hpm_config_find(probes[i].config), "spec", quirks, ~quirks);
    assert_int_equal(pc_hpm_get_quirks(h), quirks);
    uint64_t answer = probes[i].probe(h);
    pc_hpm_destroy(h);
    return answer;
}

/* Verifies that each flag by itself changes what its row says. */
static void each_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROBES; i++) {
        uint64_t clear = probe(i, 0), set = probe(i, probes[i].bit);
        if (clear != probes[i].clear || set != probes[i].set)
            fail_msg("%s: %llx clear, %llx set", pc_hpm_quirk_at(i)->name,
                     (unsigned long long)clear, (unsigned long long)set);
    }
}

/* Verifies that no other flag moves a probe: the flags are independent. */
static void none_moves_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROBES; i++)
        for (size_t j = 0; j < PROBES; j++) {
            if (i == j)
                continue;
            uint64_t clear = probe(i, probes[j].bit);
            uint64_t set = probe(i, probes[i].bit | probes[j].bit);
            if (clear != probes[i].clear || set != probes[i].set)
                fail_msg("%s moves %s", pc_hpm_quirk_at(j)->name, pc_hpm_quirk_at(i)->name);
        }
}

/* Verifies the two profiles flag by flag, and that each flag has a row, a probe and a name. */
static void profiles(void **state)
{
    const struct pc_hpm_profile *spec, *rtl;
    struct pc_error err;
    uint32_t all = 0, bit;

    (void)state;
    test_ok(pc_hpm_profile_find("spec", &spec, &err), &err);
    test_ok(pc_hpm_profile_find("rtl", &rtl, &err), &err);
    assert_ptr_equal(rtl, pc_hpm_profile_at(0)); /* the default */
    assert_null(pc_hpm_profile_at(2));
    for (size_t i = 0; pc_hpm_quirk_at(i); i++) {
        const struct pc_hpm_quirk_info *q = pc_hpm_quirk_at(i);
        assert_int_equal(q->bit, probes[i].bit);
        assert_int_equal(q->in_spec, (spec->quirks & q->bit) != 0);
        assert_int_equal(q->in_rtl, (rtl->quirks & q->bit) != 0);
        test_ok(pc_hpm_quirk_find(q->name, &bit, &err), &err);
        assert_int_equal(bit, q->bit);
        all |= q->bit;
    }
    assert_int_equal(all, (1u << PROBES) - 1);
    assert_int_equal(spec->quirks, PC_HPM_Q_WRITE_FREEZES_ALL);
    assert_int_equal(rtl->quirks, all & ~(uint32_t)PC_HPM_Q_DEBUG_RUNS);
    assert_int_equal(pc_hpm_quirk_find("or_port", &bit, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "or_ports"));
    assert_int_equal(pc_hpm_profile_find("RTL", &rtl, &err), PC_ENOENT);
    assert_int_equal(err.code, 1003);
}

/* Verifies HPM.STROBE.1 with the flag clear: the written counter itself is still held. */
static void without_freeze_the_written_one_is_held(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, PC_HPM_Q_WRITE_FREEZES_ALL);
    struct pc_hpm_in in = { .mode = mode_m(), .lines = 1u << PC_HPM_FETCH_EMPTY };

    (void)state;
    for (unsigned c = 3; c <= 8; c++)
        select_event(h, c, 15);
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0xb05, 40 };
    struct pc_hpm_out out = clock_of(h, &in);
    assert_int_equal(peek(h, 5), 40);
    assert_int_equal(out.changed & 0x1f8, 0x1f8);
    in.csr = (struct pc_hpm_access){ PC_HPM_CSR_WRITE, 0x325, 15 };
    clock_of(h, &in); /* a selector holds nobody */
    assert_int_equal(peek(h, 5), 41);
    pc_hpm_destroy(h);
}

/* Verifies the same of the module's raw strobe, at every address: no other register holds anybody.
 */
static void without_freeze_only_counters_are_held(void **state)
{
    static const char *const config[] = { RV32, RV64 };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct pc_hpm *h = hpm_new(config[i], "spec", 0, PC_HPM_Q_WRITE_FREEZES_ALL);
        const struct pc_hpm_in in = { .lines = 1u << PC_HPM_FETCH_EMPTY };
        for (unsigned c = 3; c <= 8; c++)
            select_event(h, c, 15);
        for (unsigned a = 0; a < 4096; a++) {
            const struct pc_hpm_strobe strobe = { .write = true,
                                                  .address = (uint16_t)a,
                                                  .wdata = 15 };
            const bool low = a >= 0xb03 && a <= 0xb08, high = a >= 0xb83 && a <= 0xb88 && i == 0;
            struct pc_hpm_out out;
            for (unsigned c = 3; c <= 8; c++)
                poke(h, c, i == 0 ? UINT64_C(0xf0000000f) : 0xf); /* writes change nothing */
            pc_hpm_step_module(h, &in, &strobe, &out);
            unsigned expected = 0x1f8 & ~(low || high ? 1u << (a & 31) : 0);
            if (out.changed != expected)
                fail_msg("%s: a strobe of %03x: %03x counted, not %03x", config[i], a, out.changed,
                         expected);
        }
        pc_hpm_destroy(h);
    }
}

/* Verifies event 13 where rs1 is not known: the RTL's reading is all there is, in both profiles. */
static void unknown_rs1(void **state)
{
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };

    (void)state;
    in.port[0] = port_of(PC_HPM_FU_CTRL_FLOW, PC_HPM_OP_JALR, 0);
    assert_true(clock_of(h, &in).events >> 13 & 1);
    in.port[0].rs1_known = true;
    for (unsigned rs1 = 0; rs1 < 32; rs1++) {
        in.port[0].rs1 = (uint8_t)rs1;
        assert_int_equal(clock_of(h, &in).events >> 13 & 1, rs1 == 1 || rs1 == 5);
    }
    pc_hpm_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_alone),
        cmocka_unit_test(none_moves_another),
        cmocka_unit_test(profiles),
        cmocka_unit_test(without_freeze_the_written_one_is_held),
        cmocka_unit_test(without_freeze_only_counters_are_held),
        cmocka_unit_test(unknown_rs1),
    };
    return cmocka_run_group_tests_name("hpm quirks", tests, NULL, NULL);
}
