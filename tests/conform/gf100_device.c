/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: the device around the domain sets.  Where the blocks are, what answers
 * beside them, PMC.ENABLE, unit counts, MAIN's stored registers, and that units do not hear
 * each other.  The stream of MAIN stands in gf100_stream.c.
 */
#include "gf100_card.h"

static const char *const chips[] = { "GF100", "GF108", "GF119", "GK104", "GK110", "GK20A" };

static void for_all_chips(void (*run)(struct pc_gpu *, const struct pc_chip *))
{
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pc_gpu *gpu = card_open(chips[i]);
        run(gpu, pc_chip_find(chips[i]));
        pc_gpu_destroy(gpu);
    }
}

/* ---- where the blocks are ---- */

static void sets_are_as_listed(struct pc_gpu *gpu, const struct pc_chip *chip)
{
    unsigned count = 0;

    for (size_t i = 0; pc_chip_set(chip, i); i++) {
        const struct pc_set_info *set = pc_chip_set(chip, i);
        assert_in_range(set->domains, 1, 8);
        for (unsigned n = 0; n < set->units * set->domains; n++, count++) {
            struct pc_gpu_domain_info info;
            pc_gpu_get_domain_info(gpu, count, &info);
            assert_int_equal(info.set, set->set);
            assert_int_equal(info.index, n / set->domains);
            assert_int_equal(info.domain, n % set->domains);
        }
    }
    assert_int_equal(count, pc_gpu_domain_count(gpu));
    assert_null(pc_chip_set(chip, 3));
}

/* Verifies one set for the hub, one a GPC, one a partition, in this order.  PC.GF.1, D-15 */
static void one_set_a_unit(void **state)
{
    (void)state;
    for_all_chips(sets_are_as_listed);
    const struct pc_set_info *hub = pc_chip_set(pc_chip_find("GF100"), 0);
    assert_int_equal(hub->set, PC_SET_HUB);
    assert_int_equal(hub->domains, 8);
    assert_int_equal(pc_chip_set(pc_chip_find("GF100"), 1)->domains, 1);
    assert_int_equal(pc_chip_set(pc_chip_find("GK104"), 1)->domains, 3);
    assert_int_equal(pc_chip_set(pc_chip_find("GK110"), 1)->domains, 4);
}

/* What an address reads as while nothing was written. */
static uint32_t nothing_at(const struct pc_chip *chip, uint32_t address)
{
    if (address - 0x1b4000 < 0x200)
        return 0; /* MAIN */
    for (size_t i = 0; pc_chip_set(chip, i); i++) {
        const struct pc_set_info *set = pc_chip_set(chip, i);
        for (unsigned u = 0; u < set->units; u++) {
            if (address - gf_set_base(set->set, u) < 0x200)
                return 0;
            for (unsigned d = 0; d < set->domains; d++)
                if (address - gf_domain_base(set->set, u, d) < 0x200)
                    return 0;
        }
    }
    return 0xbadf1100;
}

/* Blocks are 200h apart: one address of each, and a place in it that no register has. */
static void blocks_answer(struct pc_gpu *gpu, const struct pc_chip *chip)
{
    for (uint32_t block = 0x180000; block < 0x1c0000; block += 0x200) {
        uint32_t want = nothing_at(chip, block), first = pc_gpu_read32(gpu, block);
        uint32_t hole = pc_gpu_read32(gpu, block + 0x1fc);
        if (first != want || hole != want)
            fail_msg("%s: %06x reads %08x, %06x reads %08x, not %08x", chip->name, (unsigned)block,
                     (unsigned)first, (unsigned)block + 0x1fc, (unsigned)hole, (unsigned)want);
    }
}

/* Verifies that present blocks answer, with 0 where they have no register, and absent ones read
 * badf1100.  PC.GF.2, PC.GF.3, PC.REG.5, D-51, D-60 */
static void blocks_and_what_is_beside_them(void **state)
{
    (void)state;
    for_all_chips(blocks_answer);
}

static void writes_are_dropped(struct pc_gpu *gpu, const struct pc_chip *chip)
{
    uint32_t address;

    assert_int_equal(nothing_at(chip, 0x19f044), 0xbadf1100); /* GPC 31 */
    pc_gpu_write32(gpu, 0x19f044, 0xffff);
    assert_int_equal(pc_gpu_read32(gpu, 0x19f044), 0xbadf1100);
    assert_true(pc_gpu_undecoded(gpu, &address));
    assert_int_equal(address, 0x19f044);
}

/* Verifies that a write to an absent block is lost, and reported.  PC.GF.3, PC.DIAG.4, D-51 */
static void absent_blocks_drop_writes(void **state)
{
    (void)state;
    for_all_chips(writes_are_dropped);
}

static void counts_are_right(struct pc_gpu *gpu, const struct pc_chip *chip)
{
    assert_int_equal(pc_gpu_read32(gpu, 0x022430), pc_chip_set(chip, 1)->units);
    assert_int_equal(pc_gpu_read32(gpu, 0x022438), pc_chip_set(chip, 2)->units);
    assert_int_equal(pc_gpu_read32(gpu, 0x022504), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0x022548), 0);
}

/* Verifies the unit counts that drivers ask for.  PC.GF.5 */
static void unit_counts(void **state)
{
    (void)state;
    for_all_chips(counts_are_right);
}

/* ---- PMC.ENABLE ---- */

enum { PMC_ENABLE = 0x000200, PCOUNTER_BIT = 1 << 28 };

/* Verifies that bit 28 hides the engine and its going down resets everything.  PC.GF.4, D-50,
 * D-51, D-88 */
static void enable_hides_and_resets(void **state)
{
    static const uint32_t kept[] = { 0x1b0040, 0x180098, 0x1a0098, 0x1b8000, 0x1be000,
                                     0x1b4020, 0x1b4074, 0x1b00bc, 0x1b00ec };
    enum { KEPT = sizeof kept / sizeof kept[0] };
    struct pc_gpu *gpu = card_open("GK104");

    (void)state;
    for (unsigned i = 0; i < KEPT; i++)
        pc_gpu_write32(gpu, kept[i], 0x20);
    for (unsigned i = 0; i < KEPT; i++)
        assert_int_equal(pc_gpu_read32(gpu, kept[i]), 0x20);
    uint32_t enable = pc_gpu_read32(gpu, PMC_ENABLE);
    assert_true(enable & PCOUNTER_BIT);
    pc_gpu_write32(gpu, PMC_ENABLE, enable & ~(uint32_t)PCOUNTER_BIT);
    for (uint32_t block = 0x180000; block < 0x1c0000; block += 0x200)
        assert_int_equal(pc_gpu_read32(gpu, block), 0xbadf1200);
    pc_gpu_write32(gpu, kept[0], 0x40);
    pc_gpu_write32(gpu, PMC_ENABLE, enable);
    for (unsigned i = 0; i < KEPT; i++)
        assert_int_equal(pc_gpu_read32(gpu, kept[i]), 0);
    pc_gpu_destroy(gpu);
}

/* Verifies that nothing counts while the engine is off.  PC.GF.4, D-88 */
static void disabled_does_not_count(void **state)
{
    struct pc_gpu *gpu = card_open("GF100");
    struct pc_error err = { 0 };

    (void)state;
    pc_gpu_write32(gpu, 0x1b009c, 2);
    pc_gpu_write32(gpu, 0x1b006c, 0x7f);
    test_ok(pc_gpu_run(gpu, 0, 10, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b00bc), 10);
    uint32_t enable = pc_gpu_read32(gpu, PMC_ENABLE);
    pc_gpu_write32(gpu, PMC_ENABLE, enable & ~(uint32_t)PCOUNTER_BIT);
    test_ok(pc_gpu_run(gpu, 0, 10, &err), &err);
    pc_gpu_write32(gpu, PMC_ENABLE, enable);
    test_ok(pc_gpu_run(gpu, 0, 10, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b00bc), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b009c), 0);
    pc_gpu_destroy(gpu);
}

/* Verifies that the engine is held in reset as long as it is off: time passes by it.  PC.GF.4,
 * PC.PERIODIC.3, D-88 */
static void disabled_is_held_in_reset(void **state)
{
    struct pc_gpu *gpu = card_open("GF100");
    struct pc_error err = { 0 };

    (void)state;
    uint32_t enable = pc_gpu_read32(gpu, PMC_ENABLE);
    pc_gpu_write32(gpu, PMC_ENABLE, enable & ~(uint32_t)PCOUNTER_BIT);
    pc_gpu_pulse(gpu, PC_PULSE_PM_TRIGGER);
    test_ok(pc_gpu_run(gpu, 0, 100, &err), &err);
    pc_gpu_write32(gpu, PMC_ENABLE, enable);
    uint32_t gpc = gf_domain_base(PC_SET_GPC, 0, 0); /* 100h signals: PERIODIC is ee */
    pc_gpu_write32(gpu, gpc + GF_CTRL, GF_PERIODIC);
    test_ok(pc_gpu_run(gpu, 0, 0x3ff, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, gpc + 4 * 7) >> 14 & 1, 0);
    test_ok(pc_gpu_run(gpu, 0, 1, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, gpc + 4 * 7) >> 14 & 1, 1);
    pc_gpu_destroy(gpu);
}

/* ---- units ---- */

/* Verifies that EVENT and FLAG stay in their set: no unit sees another one's.  PC.GF.9 */
static void units_do_not_hear_each_other(void **state)
{
    struct pc_gpu *gpu = card_open("GK104");
    struct pc_error err = { 0 };
    unsigned others = 0;

    (void)state;
    pc_gpu_write32(gpu, 0x180054, 0xffff); /* gpc0.0: EVENT and SETFLAG constant 1 */
    pc_gpu_write32(gpu, 0x180060, 0xffff);
    pc_gpu_write32(gpu, 0x18009c, 2);
    test_ok(pc_gpu_run(gpu, 0, 20, &err), &err);
    for (unsigned i = 0; i < pc_gpu_domain_count(gpu); i++) {
        struct pc_gpu_domain_info info;
        pc_gpu_get_domain_info(gpu, i, &info);
        bool same = info.set == PC_SET_GPC && info.index == 0;
        unsigned last = pc_unit_chip(info.unit)->domain[info.domain].size - 1u;
        uint32_t base = gf_domain_base(info.set, info.index, info.domain);
        uint32_t status = pc_gpu_read32(gpu, base + 4 * (last / 32));
        assert_int_equal(status >> 31, same);
        assert_int_equal(status >> 23 & 1, same);
        others += !same;
    }
    assert_int_equal(others, 8 + 3 * 3 + 4 * 2);
    pc_gpu_destroy(gpu);
}

/* Verifies that PERIODIC_RESET of a set leaves the other sets alone.  PC.GF.16, D-31 */
static void set_controls_are_the_sets_own(void **state)
{
    struct pc_gpu *gpu = card_open("GF100");
    struct pc_error err = { 0 };

    (void)state;
    for (unsigned g = 0; g < 2; g++) {
        uint32_t base = gf_domain_base(PC_SET_GPC, g, 0);
        pc_gpu_write32(gpu, base + 0x09c, 1 << 21 | 2);
        pc_gpu_write32(gpu, base + 0x050, 0xee); /* EVENT = PERIODIC */
        pc_gpu_write32(gpu, base + 0x054, 0xaaaa);
        pc_gpu_write32(gpu, base + 0x06c, 0xef); /* no swaps */
    }
    pc_gpu_write32(gpu, 0x1b8000, 0x10);
    test_ok(pc_gpu_run(gpu, 0, 0x1000, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, 0x1800a4), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0x1810a4), 4);
    pc_gpu_destroy(gpu);
}

/* Verifies that the trigger reaches every domain of every unit, once.  PC.GF.10, PC.TRIGGER.1,
 * D-13, D-34 */
static void trigger_reaches_every_unit(void **state)
{
    struct pc_gpu *gpu = card_open("GK104");
    struct pc_error err = { 0 };
    struct pc_gpu_domain_info info;

    (void)state;
    for (unsigned i = 0; i < pc_gpu_domain_count(gpu); i++) {
        pc_gpu_get_domain_info(gpu, i, &info);
        uint32_t base = gf_domain_base(info.set, info.index, info.domain);
        unsigned size = pc_unit_chip(info.unit)->domain[info.domain].size;
        pc_gpu_write32(gpu, base + 0x06c, size - 0x40 + 0x2d);
        pc_gpu_write32(gpu, base + 0x09c, 2);
    }
    pc_gpu_pulse(gpu, PC_PULSE_PM_TRIGGER);
    test_ok(pc_gpu_run(gpu, 0, 10, &err), &err);
    for (unsigned i = 0; i < pc_gpu_domain_count(gpu); i++) {
        pc_gpu_get_domain_info(gpu, i, &info);
        uint32_t base = gf_domain_base(info.set, info.index, info.domain);
        assert_int_equal(pc_gpu_read32(gpu, base + 0x09c) >> 24 & 3, 1);
    }
    pc_gpu_destroy(gpu);
}

/* ---- MAIN ---- */

static bool is_stored_main(uint32_t offset, bool kepler)
{
    if (offset == 0x124)
        return kepler;
    if (offset >= 0x100)
        return offset <= 0x114;
    if (offset == 0x008 || offset == 0x08c)
        return true;
    if (offset >= 0x060)
        return offset <= 0x06c;
    return offset >= 0x010 && offset % 16 != 12;
}

static void main_keeps(struct pc_gpu *gpu, const struct pc_chip *chip)
{
    static const uint32_t patterns[] = { 0xffffffff, 0, 0x55555555, 0xaaaaaaaa };
    bool kepler = chip->order >= pc_chip_find("GK104")->order;

    for (uint32_t offset = 0; offset < 0x200; offset += 4) {
        uint32_t mask = is_stored_main(offset, kepler) ? 0xffffffff : 0, look = 0xffffffff;
        if (offset == 0x000)
            mask = 0x00000005;
        else if (offset == 0x070)
            mask = 0xbfffffff;
        else if (offset == 0x074 || offset == 0x07c)
            mask = 0xffffffe0;
        else if (offset == 0x078)
            mask = 0x000000ff;
        else if (offset == 0x0a4)
            mask = 0x00000100, look = 0xffffff00;
        else if (offset == 0x080)
            continue; /* RECORD_POS follows what was written to RECORD_START */
        for (unsigned i = 0; i < 4; i++) {
            pc_gpu_write32(gpu, 0x1b4000 + offset, patterns[i]);
            uint32_t got = pc_gpu_read32(gpu, 0x1b4000 + offset) & look;
            if (got != (patterns[i] & mask))
                fail_msg("%s: %06x: wrote %08x, read %08x", chip->name,
                         (unsigned)(0x1b4000 + offset), (unsigned)patterns[i], (unsigned)got);
        }
    }
}

/* Verifies which bits MAIN's registers keep.  PC.GF.2, PC.GF.6, PC.GF.39, D-52 */
static void main_registers_keep_their_bits(void **state)
{
    (void)state;
    for_all_chips(main_keeps);
}

/* Verifies that the writes by which drivers set MAIN up change no count.  PC.GF.39 */
static void driver_setup_of_main_is_harmless(void **state)
{
    static const uint32_t setup[][2] = {
        { 0x50, 0 },           { 0x54, 0 },          { 0x58, 0 },          { 0x00, 4 },
        { 0x00, 0 },           { 0x20, 0xffffffff }, { 0x40, 0xffffffff }, { 0x28, 0xffffffff },
        { 0x48, 0xffffffff },  { 0x24, 0xffffffff }, { 0x44, 0xffffffff }, { 0x08, 0x701 },
        { 0x104, 0xffffffff },
    };
    struct pc_gpu *gpu = card_open("GK104");
    struct pc_error err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof setup / sizeof setup[0]; i++)
        pc_gpu_write32(gpu, 0x1b4000 + setup[i][0], setup[i][1]);
    pc_gpu_latency(gpu, 0, 0);
    pc_gpu_write32(gpu, 0x1b006c, 0x4f);
    pc_gpu_write32(gpu, 0x1b009c, 0x00040002);
    pc_gpu_write32(gpu, 0x1b0054, 0xffff);
    test_ok(pc_gpu_run(gpu, 0, 100, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b00bc), 100);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b00a4), 100);
    pc_gpu_destroy(gpu);
}

/* Verifies where the trailer of GPC domain 0 begins: signals before it come from outside, and its
 * 2d does not.  D-13, D-15a */
static void gpc_domains_have_their_size(void **state)
{
    static const struct {
        const char *chip;
        unsigned size;
    } known[] = { { "GF100", 0x100 }, { "GF104", 0x100 }, { "GF110", 0x100 },
                  { "GF114", 0x100 }, { "GF116", 0x100 }, { "GF108", 0xe0 } };
    enum { GPC0_0 = 8 }; /* after the hub's */

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct pc_gpu_desc desc = { .chip = pc_chip_find(known[i].chip) };
        const unsigned trailer = known[i].size - 0x40;
        struct pc_gpu *gpu;
        struct pc_error err;

        test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
        assert_int_equal(pc_gpu_set(gpu, GPC0_0, trailer - 1, true, &err), PC_OK);
        assert_int_equal(pc_gpu_set(gpu, GPC0_0, trailer + 0x2d, true, &err), PC_EARG);
        assert_int_equal(err.code, 408);
        pc_gpu_destroy(gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_set_a_unit),
        cmocka_unit_test(gpc_domains_have_their_size),
        cmocka_unit_test(blocks_and_what_is_beside_them),
        cmocka_unit_test(absent_blocks_drop_writes),
        cmocka_unit_test(unit_counts),
        cmocka_unit_test(enable_hides_and_resets),
        cmocka_unit_test(disabled_does_not_count),
        cmocka_unit_test(disabled_is_held_in_reset),
        cmocka_unit_test(units_do_not_hear_each_other),
        cmocka_unit_test(set_controls_are_the_sets_own),
        cmocka_unit_test(trigger_reaches_every_unit),
        cmocka_unit_test(main_registers_keep_their_bits),
        cmocka_unit_test(driver_setup_of_main_is_harmless),
    };

    return cmocka_run_group_tests_name("gf100_device", tests, NULL, NULL);
}
