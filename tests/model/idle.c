/* SPDX-License-Identifier: MIT */
/*
 * Conformance of the PDAEMON idle counters (docs/hardware/clauses-pdaemon.md):
 * only registers and clocks, through both address spaces.
 */
#include "test.h"

#include <string.h>

static struct pc_idle *make(const char *chip)
{
    struct pc_idle_desc desc = { .chip = pc_chip_find(chip) };
    struct pc_idle *idle = NULL;
    struct pc_error err;

    test_ok(pc_idle_create(&desc, &idle, &err), &err);
    return idle;
}

static uint32_t rd(const struct pc_idle *idle, uint32_t address)
{
    uint32_t v = 0xdead;

    assert_true(pc_idle_read(idle, PC_IDLE_HOST, address, &v));
    return v;
}

static void wr(struct pc_idle *idle, uint32_t address, uint32_t value)
{
    assert_true(pc_idle_write(idle, PC_IDLE_HOST, address, value));
}

/* Verifies that 4 counters exist on GT215:GF100 and 8 on GF100+, none before.  PD.NUMBER.1,
 * PD.NUMBER.2, PD.MASK.1, D-85 */
static void number_of_counters(void **state)
{
    struct pc_idle_desc none = { .chip = pc_chip_find("MCP79") };
    struct pc_idle *idle = NULL, *small = make("MCP89"), *big = make("GF100");
    struct pc_error err;
    uint32_t v;

    (void)state;
    assert_int_equal(pc_idle_create(&none, &idle, &err), PC_ENOUNIT);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t mask = 0x10a504 + 0x10 * i;
        assert_int_equal(pc_idle_write(small, PC_IDLE_HOST, mask, i + 1), i < 4);
        assert_int_equal(pc_idle_read(small, PC_IDLE_HOST, mask, &v), i < 4);
        assert_int_equal(v, i < 4 ? i + 1 : 0);
        assert_true(pc_idle_write(big, PC_IDLE_HOST, mask, i + 1));
        assert_int_equal(rd(big, mask), i + 1);
    }
    pc_idle_destroy(small);
    pc_idle_destroy(big);
}

/* Verifies modes 0 to 3 for all masks and wires of two engines, and that another counter stays.
 * PD.MODE.1, PD.MODE.2, PD.MODE.3, PD.MODE.4, PD.MODE.5, PD.COUNT.1, PD.CLOCK.1, PD.MASK.1, D-76a,
 * D-78, D-79, D-82 */
static void modes(void **state)
{
    struct pc_error err;

    (void)state;
    for (unsigned literal = 0; literal < 2; literal++) {
        for (unsigned n = 0; n < 64; n++) {
            struct pc_idle *idle = make("GT215");
            uint32_t mask = n >> 2 & 3, wires = n >> 4 & 3, mode = n & 3;
            /* GR_IDLE is bit 0, PVLD_IDLE bit 4 */
            uint32_t m = (mask & 1) | (mask & 2) << 3, s = (wires & 1) | (wires & 2) << 3;
            /* an empty mask is never "not all", by either reading (D-79) */
            bool all = (s & m) == m, not_all = literal ? m != 0 && (s & m) == 0 : !all;
            const bool expected[4] = { false, all, not_all, true };

            test_ok(pc_idle_option(idle, "idle-not-all", literal ? "cleared" : "any", &err), &err);
            wr(idle, 0x10a514, m);
            wr(idle, 0x10a51c, mode);
            pc_idle_run(idle, s, 10);
            pc_idle_run(idle, s, 1);
            assert_int_equal(rd(idle, 0x10a518), expected[mode] ? 11 : 0);
            assert_int_equal(rd(idle, 0x10a508), 0);
            pc_idle_destroy(idle);
        }
    }
}

/* Verifies modes 0 and 3 with FILTER set, which is stored and changes nothing, over any wires and
 * for masks of several: never, and exactly 1 a clock, under both readings of mode 2.  PD.MODE.3,
 * PD.MODE.4, PD.MODE.6, D-78, D-83 */
static void never_and_always(void **state)
{
    static const uint32_t wires[] = { 0, 0x1, 0x200010, 0x200011, 0xffffffff };
    struct pc_error err;

    (void)state;
    for (unsigned literal = 0; literal < 2; literal++) {
        struct pc_idle *idle = make("GK20A");
        test_ok(pc_idle_option(idle, "idle-not-all", literal ? "cleared" : "any", &err), &err);
        for (unsigned i = 0; i < 8; i++) {
            wr(idle, 0x10a504 + 0x10 * i, i & 1 ? 0x200011 : 0);
            wr(idle, 0x10a50c + 0x10 * i, (i & 2 ? 3 : 0) | (i & 4 ? 4 : 0));
        }
        for (unsigned k = 0; k < 5; k++) {
            pc_idle_run(idle, wires[k], 10);
            for (unsigned i = 0; i < 8; i++)
                assert_int_equal(rd(idle, 0x10a508 + 0x10 * i), i & 2 ? 10 * (k + 1) : 0);
        }
        pc_idle_destroy(idle);
    }
}

/* Verifies that only bit 31 clears, at the next clock, whose own increment is lost.  PD.CLEAR.1,
 * PD.CLEAR.2, PD.COUNT.2, D-81 */
static void clear(void **state)
{
    struct pc_idle *idle = make("GK20A");

    (void)state;
    wr(idle, 0x10a57c, 3);
    pc_idle_run(idle, 0, 100);
    wr(idle, 0x10a578, 0x7fffffff);
    pc_idle_run(idle, 0, 1);
    assert_int_equal(rd(idle, 0x10a578), 101);
    wr(idle, 0x10a578, 0x80000005);
    assert_int_equal(rd(idle, 0x10a578), 101); /* until the next clock */
    pc_idle_run(idle, 0, 1);
    assert_int_equal(rd(idle, 0x10a578), 0);
    pc_idle_run(idle, 0, 7);
    assert_int_equal(rd(idle, 0x10a578), 7);
    wr(idle, 0x10a578, 0x80000000);
    pc_idle_run(idle, 0, 5);
    assert_int_equal(rd(idle, 0x10a578), 4);
    pc_idle_destroy(idle);
}

/* Verifies 31 bits, wrapping by default with a sticky flag, or saturating by switch.  PD.COUNT.3,
 * D-80 */
static void overflow(void **state)
{
    struct pc_error err;

    (void)state;
    for (int saturate = 0; saturate < 2; saturate++) {
        struct pc_idle *idle = make("GF119");
        test_ok(pc_idle_option(idle, "idle-overflow", saturate ? "saturate" : "wrap", &err), &err);
        wr(idle, 0x10a50c, 3);
        pc_idle_run(idle, 0, 0x7fffffff);
        assert_int_equal(rd(idle, 0x10a508), 0x7fffffff);
        assert_int_equal(pc_idle_overflowed(idle), 0);
        pc_idle_run(idle, 0, 3);
        assert_int_equal(rd(idle, 0x10a508), saturate ? 0x7fffffff : 2);
        assert_int_equal(pc_idle_overflowed(idle), 1);
        pc_idle_run(idle, 0, UINT64_C(0x380000005));
        assert_int_equal(rd(idle, 0x10a508), saturate ? 0x7fffffff : 7);
        wr(idle, 0x10a508, 0x80000000);
        pc_idle_run(idle, 0, 1);
        assert_int_equal(rd(idle, 0x10a508), 0);
        assert_int_equal(pc_idle_overflowed(idle), 1); /* the flag is sticky */
        pc_idle_reset(idle);
        assert_int_equal(pc_idle_overflowed(idle), 0);
        pc_idle_destroy(idle);
    }
}

/* Verifies both address spaces, and that I[] equals the host offset from GF119 on.  PD.ADDR.1,
 * PD.ADDR.2, PD.ADDR.3, PD.ADDR.4, PD.MODE.6, D-14 */
static void address_spaces(void **state)
{
    struct pc_idle *old = make("GT218"), *fermi = make("GF108"), *fresh = make("GF117");
    uint32_t v;

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        wr(fermi, 0x10a504 + 0x10 * i, 0x11 + i);
        assert_true(pc_idle_read(fermi, PC_IDLE_IO, 0x14100 + 0x400 * i, &v));
        assert_int_equal(v, 0x11 + i);
        assert_true(pc_idle_write(fermi, PC_IDLE_IO, 0x14300 + 0x400 * i, 3));
        pc_idle_run(fermi, 0, 5);
        assert_true(pc_idle_read(fermi, PC_IDLE_IO, 0x14200 + 0x400 * i, &v));
        assert_int_equal(v, 5);
        assert_int_equal(rd(fermi, 0x10a508 + 0x10 * i), 5);
    }
    pc_idle_run(old, 0x10, 1);
    assert_true(pc_idle_read(old, PC_IDLE_IO, 0x14000, &v));
    assert_int_equal(v, 0x10);
    assert_int_equal(rd(old, 0x10a500), 0x10);
    assert_false(pc_idle_read(old, PC_IDLE_IO, 0x500, &v));
    assert_false(pc_idle_read(fresh, PC_IDLE_IO, 0x14000, &v));
    wr(old, 0x10a504, 0x10); /* live terms: counter 0, idle, and 1 to 3, whose masks are empty */
    wr(old, 0x10a514, 0x20);
    assert_true(pc_idle_read(old, PC_IDLE_IO, 0x17200, &v));
    assert_int_equal(v, 0x10 | 0x04 | 0x02);
    assert_int_equal(rd(old, 0x10a5c8), v);
    assert_false(pc_idle_read(old, PC_IDLE_IO, 0x5c8, &v));
    assert_true(pc_idle_read(fresh, PC_IDLE_IO, 0x5c8, &v));
    assert_int_equal(v, 0x1e);
    assert_false(pc_idle_read(fresh, PC_IDLE_IO, 0x17200, &v));
    assert_true(pc_idle_write(fresh, PC_IDLE_IO, 0x57c, 7));
    assert_int_equal(rd(fresh, 0x10a57c), 7); /* FILTER is stored from GF119 on: D-83 */
    wr(old, 0x10a50c, 7);
    assert_int_equal(rd(old, 0x10a50c), 3);
    assert_false(pc_idle_read(old, PC_IDLE_HOST, 0x10a502, &v));
    assert_false(pc_idle_read(old, PC_IDLE_HOST, 0x10a510, &v));
    pc_idle_destroy(old);
    pc_idle_destroy(fermi);
    pc_idle_destroy(fresh);
}

/* Verifies for each address of both spaces that it is a register in both or in neither, that the
 * addresses are each other's, and that what is written by the one is read by the other.  PD.ADDR.2,
 * PD.ADDR.3, PD.ADDR.4, D-14 */
static void addresses_of_both_spaces(void **state)
{
    static const struct {
        const char *chip;
        uint32_t first, end; /* of I[] */
    } cases[] = { { "GT215", 0x13f00, 0x18000 },
                  { "GF110", 0x13f00, 0x18000 },
                  { "GF119", 0x400, 0x700 } };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct pc_idle *idle = make(cases[c].chip);
        const struct pc_chip *chip = pc_chip_find(cases[c].chip);
        unsigned registers = 0;
        for (uint32_t io = cases[c].first; io < cases[c].end; io++) {
            uint32_t host = 0, back = 0, v;
            const bool there = pc_idle_address(chip, PC_IDLE_IO, io, &host);
            assert_int_equal(pc_idle_read(idle, PC_IDLE_IO, io, &v), there);
            if (!there)
                continue;
            registers++;
            assert_true(pc_idle_address(chip, PC_IDLE_HOST, host, &back));
            assert_int_equal(back, io);
            assert_true(pc_idle_write(idle, PC_IDLE_IO, io, 1 + io % 3));
            assert_true(pc_idle_read(idle, PC_IDLE_IO, io, &v));
            assert_int_equal(rd(idle, host), v);
        }
        assert_int_equal(registers, 2 + 3 * chip->idle_counters);
        for (uint32_t host = 0x10a400; host < 0x10a700; host++) {
            uint32_t io, v;
            assert_int_equal(pc_idle_address(chip, PC_IDLE_HOST, host, &io),
                             pc_idle_read(idle, PC_IDLE_HOST, host, &v));
        }
        pc_idle_destroy(idle);
    }
    assert_false(pc_idle_address(pc_chip_find("G92"), PC_IDLE_HOST, 0x10a500, &(uint32_t){ 0 }));
}

/* Verifies wires by chip, masks by name, absent engines, and the live terms, none of which a write
 * changes.  PD.SIGNALS.1, PD.SIGNALS.2, PD.SIGNALS.3, PD.SIGNALS.4, PD.TERMS.1, D-77, D-84 */
static void wires(void **state)
{
    struct pc_idle *idle = make("GT215");
    const struct pc_chip *gt215 = pc_chip_find("GT215"), *gk20a = pc_chip_find("GK20A");
    struct pc_error err;
    uint32_t mask = 0;

    (void)state;
    test_ok(pc_idle_mask(gk20a, "GR|PCOPY2_IDLE", &mask, &err), &err);
    assert_int_equal(mask, 0x200001);
    assert_int_equal(pc_idle_mask(gt215, "GR|PCOPY2", &mask, &err), PC_ENOENT);
    assert_int_equal(err.column, 4);
    assert_non_null(strstr(err.hint, "PCOPY0_IDLE"));
    test_ok(pc_idle_mask(gt215, "MC", &mask, &err), &err);
    assert_int_equal(mask, 0x100);
    assert_int_equal(pc_idle_mask(gt215, "0x1_", &mask, &err), PC_ENOENT);
    assert_int_equal(pc_idle_mask(gt215, "010", &mask, &err), PC_ENOENT); /* neither 8 nor 10 */
    assert_non_null(strstr(err.hint, "no leading zeros"));
    pc_idle_run(idle, 0xffffffff, 1);
    assert_int_equal(rd(idle, 0x10a500), 0x00080171);
    test_ok(pc_idle_option(idle, "idle-absent", "idle", &err), &err);
    pc_idle_run(idle, 0, 1);
    assert_int_equal(rd(idle, 0x10a500), 0xfff7fe8e);
    wr(idle, 0x10a504, 0x1);
    wr(idle, 0x10a524, 0x10);
    pc_idle_run(idle, 0x1, 1);
    assert_int_equal(rd(idle, 0x10a5c8), 0x10 | 0x08 | 0x02); /* 0, 1 and 3; not 2 */
    const uint32_t signals = rd(idle, 0x10a500);
    wr(idle, 0x10a500, ~signals);
    wr(idle, 0x10a5c8, 0);
    assert_int_equal(rd(idle, 0x10a500), signals);
    assert_int_equal(rd(idle, 0x10a5c8), 0x10 | 0x08 | 0x02);
    pc_idle_destroy(idle);
}

/* Verifies that a reset leaves nothing but the switches: counters, masks, modes, a clear that
 * waits, and who overflowed.  PD.RESET.1 */
static void reset(void **state)
{
    struct pc_idle *idle = make("GT215"), *fresh = make("GT215");
    struct pc_error err;

    (void)state;
    test_ok(pc_idle_option(idle, "idle-overflow", "saturate", &err), &err);
    wr(idle, 0x10a504, 0x1);
    wr(idle, 0x10a50c, 3);
    wr(idle, 0x10a51c, 1);
    pc_idle_run(idle, 1, UINT64_C(0x90000000));
    wr(idle, 0x10a508, 0x80000000); /* clears with the next clock */
    assert_int_equal(pc_idle_overflowed(idle), 3);
    pc_idle_reset(idle);
    assert_int_equal(pc_idle_overflowed(idle), 0);
    for (uint32_t address = 0x10a500; address < 0x10a600; address += 4) {
        uint32_t v = 1, w = 2;
        bool there = pc_idle_read(idle, PC_IDLE_HOST, address, &v);
        assert_int_equal(pc_idle_read(fresh, PC_IDLE_HOST, address, &w), there);
        if (there && v != w)
            fail_msg("%06x is %x, %x in a new one", (unsigned)address, (unsigned)v, (unsigned)w);
    }
    wr(idle, 0x10a50c, 3);
    pc_idle_run(idle, 0, 1);
    assert_int_equal(rd(idle, 0x10a508), 1); /* no clear was left */
    pc_idle_run(idle, 0, UINT64_C(0x90000000));
    assert_int_equal(rd(idle, 0x10a508), 0x7fffffff); /* the switch was */
    pc_idle_destroy(idle);
    pc_idle_destroy(fresh);
}

/* Verifies that counters that are given the state of others go on as they do, in any state. */
static void state_goes_on(void **state)
{
    static const char *const chips[] = { "GT215", "GF100", "GF119", "GK20A" };
    struct test_rng rng = test_rng_start(5, NULL);

    (void)state;
    for (unsigned n = 0; n < 400; n++) {
        struct pc_idle *one = make(chips[n % 4]), *other = make(chips[n % 4]);
        struct pc_idle_state s, t;
        struct pc_error err;

        for (unsigned i = 0; i < 200; i++) {
            const uint32_t address = 0x10a500 + 4 * test_rand_below(&rng, 32);
            const uint32_t value = (uint32_t)test_rand(&rng), wires = (uint32_t)test_rand(&rng);
            const uint64_t clocks = test_rand(&rng) >> (28 + test_rand_below(&rng, 36));
            if (i == 100) {
                pc_idle_get_state(one, &s);
                test_ok(pc_idle_set_state(other, &s, &err), &err);
            }
            (void)pc_idle_write(one, PC_IDLE_HOST, address, value);
            pc_idle_run(one, wires, clocks);
            if (i < 100)
                continue;
            (void)pc_idle_write(other, PC_IDLE_HOST, address, value);
            pc_idle_run(other, wires, clocks);
        }
        pc_idle_get_state(one, &s);
        pc_idle_get_state(other, &t);
        assert_memory_equal(&s, &t, sizeof s);
        assert_int_equal(pc_idle_overflowed(one), pc_idle_overflowed(other));
        pc_idle_destroy(one);
        pc_idle_destroy(other);
    }
}

/* Verifies that a state that no counters can be in is refused, and changes nothing. */
static void states_refused(void **state)
{
    struct pc_idle *four = make("GT215"), *eight = make("GF119");
    struct pc_idle_state s, now;
    struct pc_error err;

    (void)state;
    wr(four, 0x10a50c, 3);
    pc_idle_run(four, 0, 5);
    pc_idle_get_state(four, &now);
#define REFUSED(idle, member, value)                                                               \
    do {                                                                                           \
        memset(&s, 0, sizeof s);                                                                   \
        s.member = value;                                                                          \
        assert_int_equal(pc_idle_set_state(idle, &s, &err), PC_EINPUT);                            \
        assert_int_equal(err.code, 1115);                                                          \
    } while (0)
    REFUSED(four, mask[4], 1);
    REFUSED(four, count[7], 1);
    REFUSED(four, mode[4], 1);
    REFUSED(four, count[0], 0x80000000);
    REFUSED(four, mode[0], 4);
    REFUSED(eight, mode[0], 8);
    REFUSED(four, clear, 0x10);
    REFUSED(four, overflowed, 0x10);
    REFUSED(eight, clear, 0x100);
    REFUSED(four, signals, 0x80000000);
#undef REFUSED
    pc_idle_get_state(four, &s);
    assert_memory_equal(&s, &now, sizeof s);
    memset(&s, 0, sizeof s);
    s.mode[0] = 7;
    s.count[7] = 0x7fffffff;
    test_ok(pc_idle_set_state(eight, &s, &err), &err);
    assert_int_equal(rd(eight, 0x10a578), 0x7fffffff);
    test_ok(pc_idle_option(four, "idle-absent", "idle", &err), &err);
    pc_idle_run(four, 0, 1);
    pc_idle_get_state(four, &s);
    assert_int_not_equal(s.signals, 0);
    test_ok(pc_idle_set_state(four, &s, &err), &err);
    pc_idle_destroy(four);
    pc_idle_destroy(eight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_of_counters),
        cmocka_unit_test(modes),
        cmocka_unit_test(never_and_always),
        cmocka_unit_test(clear),
        cmocka_unit_test(overflow),
        cmocka_unit_test(address_spaces),
        cmocka_unit_test(addresses_of_both_spaces),
        cmocka_unit_test(wires),
        cmocka_unit_test(reset),
        cmocka_unit_test(state_goes_on),
        cmocka_unit_test(states_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
