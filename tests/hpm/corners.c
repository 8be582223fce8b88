/* SPDX-License-Identifier: MIT */
/*
 * What the library answers at its corners: names that nobody has, addresses beyond a CSR's twelve
 * bits, configurations of one's own that no preset is like, and values outside an enumeration.
 */
#include "hpm_test.h"

#include <string.h>

/* A core with U and without S, without a name, and with a D-cache that nobody named. */
static struct pc_hpm_config own(void)
{
    struct pc_hpm_config c = *pc_hpm_config_find(M32);

    c.name = NULL;
    c.rvu = true;
    c.rvs = c.rvh = false;
    c.perf_counter_en = true;
    c.dcache = PC_HPM_DCACHE_UNKNOWN;
    return c;
}

static void expect_error(enum pc_status status, const struct pc_error *err, const char *text)
{
    assert_int_not_equal(status, PC_OK);
    if (!strstr(err->text, text))
        fail_msg("\"%s\" does not say \"%s\"", err->text, text);
}

static void no_configuration(void **state)
{
    const struct pc_hpm_config *c = NULL;
    struct pc_error err;

    (void)state;
    expect_error(pc_hpm_config_get(NULL, &c, &err), &err, "unknown CVA6 configuration \"\"");
    assert_null(c);
    assert_int_equal(pc_hpm_config_get(RV32, &c, &err), PC_OK);
    assert_string_equal(c->name, RV32);
    assert_string_equal(pc_hpm_dcache_name((enum pc_hpm_dcache)99), "unknown");
    assert_string_equal(pc_hpm_dcache_name(PC_HPM_DCACHE_WB), "write-back");
}

static void no_profile_and_no_quirk(void **state)
{
    const struct pc_hpm_profile *profile = NULL;
    struct pc_error err;
    uint32_t bit = 0;

    (void)state;
    expect_error(pc_hpm_profile_find(NULL, &profile, &err), &err, "no profile \"\"");
    expect_error(pc_hpm_profile_find("RTL", &profile, &err), &err, "no profile \"RTL\"");
    assert_null(profile);
    expect_error(pc_hpm_quirk_find("half_write_tick", &bit, &err), &err, "no quirk");
    assert_non_null(strstr(err.hint, "half_write_ticks"));
    expect_error(pc_hpm_quirk_find("zzzzzzzzzzzz", &bit, &err), &err, "no quirk");
    assert_string_equal(err.hint, "");
    assert_int_equal(bit, 0);
}

/* HPM.PRIV.1: S of a core that has none is taken as M, U stays U. */
static void a_mode_that_the_core_lacks(void **state)
{
    const struct pc_hpm_config c = own();
    struct pc_hpm *h = hpm_of(&c, "spec", 0, 0);

    (void)state;
    assert_int_equal(csr_try(h, mode_of(1, false), PC_HPM_CSR_READ, B00, 0), PC_HPM_NO_TRAP);
    assert_int_equal(csr_try(h, mode_of(1, true), PC_HPM_CSR_READ, B00, 0), PC_HPM_NO_TRAP);
    assert_int_equal(csr_try(h, mode_of(0, false), PC_HPM_CSR_READ, B00, 0), PC_HPM_ILLEGAL);
    pc_hpm_destroy(h);
}

static unsigned number_of(const char *text)
{
    const struct pc_hpm_event *e = NULL;

    if (pc_hpm_event_find(text, &e, NULL) != PC_OK)
        return 0;
    for (unsigned i = 1;; i++)
        if (pc_hpm_event_at(i) == e)
            return i;
}

static void events_by_number(void **state)
{
    static const char *const none[] = {
        "", "0x", "0", "23", "0x1f", "32", "0x1g", "1a", "99999999999999999999", "-1", "00x5"
    };
    const struct pc_hpm_event *e = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(number_of("0x16"), 22);
    assert_int_equal(number_of("0X0a"), 10);
    assert_int_equal(number_of("09"), 9);
    assert_int_equal(number_of("1"), 1);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(number_of(none[i]), 0);
    expect_error(pc_hpm_event_find("0", &e, &err), &err, "0 is not an event");
    expect_error(pc_hpm_event_find("0x17", &e, &err), &err, "23 is reserved");
    expect_error(pc_hpm_event_find("32", &e, &err), &err, "no event \"32\"");
    assert_null(pc_hpm_event_at(PC_HPM_EVENTS));
}

/* Each name that an event has, short, long and of the seed, finds it. */
static void events_by_each_name(void **state)
{
    (void)state;
    for (unsigned i = 1; i < PC_HPM_EVENTS; i++) {
        const struct pc_hpm_event *e = pc_hpm_event_at(i);
        assert_int_equal(number_of(e->name), i);
        assert_int_equal(number_of(e->short_name), i);
        if (e->seed_name[0])
            assert_int_equal(number_of(e->seed_name), i);
    }
}

static void what_an_unknown_cache_counts(void **state)
{
    struct pc_hpm_config c = own();

    (void)state;
    assert_string_equal(pc_hpm_event_about(&c, 2), pc_hpm_event_at(2)->about);
    assert_null(pc_hpm_event_never(&c, PC_HPM_Q_EVICT_FF, 18));
    c.dcache = PC_HPM_DCACHE_WB;
    assert_non_null(strstr(pc_hpm_event_about(&c, 2), "stores and the page walker"));
    assert_non_null(pc_hpm_event_never(&c, 0, 18));
    assert_string_equal(pc_hpm_event_about(&c, PC_HPM_EVENTS),
                        "nothing: a reserved selector value");
}

/* An event of the page walker has another text where the TLB is shared, and no other event has. */
static void what_a_shared_tlb_counts(void **state)
{
    struct pc_hpm_config c = own();
    unsigned others = 0;

    (void)state;
    for (unsigned i = 1; i < PC_HPM_EVENTS; i++) {
        const struct pc_hpm_event *e = pc_hpm_event_at(i);
        c.shared_tlb = false;
        assert_string_equal(pc_hpm_event_about(&c, i), e->about);
        c.shared_tlb = true;
        const bool other = strcmp(pc_hpm_event_about(&c, i), e->about) != 0;
        assert_int_equal(other, e->about_shared_tlb[0] != '\0');
        others += other;
    }
    assert_in_range(others, 1, 4);
}

static void what_a_core_without_the_part_never_counts(void **state)
{
    struct pc_hpm_config c = own();

    (void)state;
    for (unsigned i = 1; i < PC_HPM_EVENTS; i++) {
        const char need = (char)pc_hpm_event_at(i)->need;
        c.mmu = c.rvf = true;
        c.rvc = false;
        assert_null(pc_hpm_event_never(&c, 0, i));
        c.mmu = c.rvf = false;
        c.rvc = true;
        assert_int_equal(pc_hpm_event_never(&c, 0, i) != NULL, need == PC_HPM_NEEDS_MMU ||
                                                                   need == PC_HPM_NEEDS_FPU ||
                                                                   need == PC_HPM_NEEDS_MISALIGNED);
    }
    c.perf_counter_en = false;
    assert_non_null(pc_hpm_event_never(&c, 0, 1));
    assert_non_null(pc_hpm_event_never(&c, 0, 0));
    assert_non_null(pc_hpm_event_never(&c, 0, PC_HPM_EVENTS));
}

/* One clock of the module with event 5 at counter 3; returns what counter 3 added. */
static uint64_t module_adds(const char *config, uint32_t quirks, bool enabled, unsigned address)
{
    struct pc_hpm_config c = *pc_hpm_config_find(config);
    const struct pc_hpm_strobe strobe = { .address = (uint16_t)address, .write = true };
    struct pc_hpm_in in = { .mode = mode_m() };
    struct pc_hpm_out out;

    c.perf_counter_en = enabled;
    struct pc_hpm *h = hpm_of(&c, "spec", quirks, 0);
    if (enabled)
        select_event(h, 3, 5);
    const uint64_t before = peek(h, 3);
    in.port[0] = port_of(PC_HPM_FU_LOAD, PC_HPM_OP_OTHER, 1);
    pc_hpm_step_module(h, &in, &strobe, &out);
    const uint64_t added = peek(h, 3) - before;
    pc_hpm_destroy(h);
    return added;
}

/* HPM.STROBE.3: b83 does not exist on RV64; its strobe holds counter 3 by the quirk alone. */
static void a_strobe_that_traps(void **state)
{
    (void)state;
    assert_int_equal(module_adds(RV64, 0, true, 0xb83), 1);
    assert_int_equal(
        module_adds(RV64, PC_HPM_Q_TRAP_FREEZES | PC_HPM_Q_WRITE_FREEZES_ALL, true, 0xb83), 0);
    assert_int_equal(module_adds(RV64, 0, false, 0xb04), 0);
}

static void registers_by_address(void **state)
{
    static const char *const none[] = { "0x", "0x1000", "0xb00g", "0xb01", "b00", "0", "" };
    const struct pc_hpm_config c = own();
    struct pc_hpm_reg reg;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_hpm_reg_find(&c, "0xb00", &reg, NULL), PC_OK);
    assert_int_equal(pc_hpm_reg_find(&c, "0XB02", &reg, NULL), PC_OK);
    assert_string_equal(reg.name, "minstret");
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (pc_hpm_reg_find(&c, none[i], &reg, NULL) == PC_OK)
            fail_msg("\"%s\" is %s", none[i], reg.name);
    expect_error(pc_hpm_reg_find(&c, "0x1b00", &reg, &err), &err,
                 "\"0x1b00\" is not a CSR address");
    expect_error(pc_hpm_reg_find(&c, "mcycles", &reg, &err), &err,
                 "the core has no counter register");
    expect_error(pc_hpm_reg_at(&c, 0x1b00, &reg, &err), &err,
                 "the core has no counter register at 1b00");
    expect_error(pc_hpm_reg_at(&c, 0xb01, &reg, &err), &err,
                 "the core has no counter register at b01");
    expect_error(pc_hpm_reg_at(pc_hpm_config_find(M32), 0xb01, &reg, &err), &err, M32 " has no");
}

/* HPM.MAP.1 to .5: the clause of each register says why it is there. */
static void the_clause_of_each_register(void **state)
{
    static const struct {
        const char *name, *clause;
    } rows[] = {
        { "mcycle", "HPM.MAP.1" },        { "minstret", "HPM.MAP.1" },
        { "mhpmcounter3", "HPM.MAP.2" },  { "mhpmcounter8", "HPM.MAP.2" },
        { "mhpmcounter9", "HPM.MAP.3" },  { "mhpmcounter31", "HPM.MAP.3" },
        { "mcountinhibit", "HPM.MAP.5" },
    };
    const struct pc_hpm_config c = own();
    struct pc_hpm_reg reg;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pc_hpm_reg_find(&c, rows[i].name, &reg, NULL), PC_OK);
        assert_string_equal(reg.clause, rows[i].clause);
    }
}

/* A clock retires at most one instruction a port. */
static void too_many_retire(void **state)
{
    static const uint32_t nops[PC_HPM_MAX_PORTS + 1] = { 0x13, 0x13, 0x13 };
    const struct pc_hpm_config c = own();
    struct pc_hpm *h = hpm_of(&c, "spec", 0, 0);
    struct pc_error err;
    const unsigned ports = c.commit_ports;

    (void)state;
    expect_error(pc_hpm_retire(h, mode_m(), nops, ports + 1, 0, &err), &err,
                 "the core retires at most");
    assert_int_equal(pc_hpm_retire(h, mode_m(), nops, ports, 0, &err), PC_OK);
    assert_int_equal(peek(h, 2), ports);
    pc_hpm_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_configuration),
        cmocka_unit_test(no_profile_and_no_quirk),
        cmocka_unit_test(what_a_shared_tlb_counts),
        cmocka_unit_test(what_a_core_without_the_part_never_counts),
        cmocka_unit_test(a_strobe_that_traps),
        cmocka_unit_test(a_mode_that_the_core_lacks),
        cmocka_unit_test(events_by_number),
        cmocka_unit_test(events_by_each_name),
        cmocka_unit_test(what_an_unknown_cache_counts),
        cmocka_unit_test(registers_by_address),
        cmocka_unit_test(too_many_retire),
        cmocka_unit_test(the_clause_of_each_register),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
