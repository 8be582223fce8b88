/* SPDX-License-Identifier: MIT */
/*
 * Every word of the range is written with ones, with zeros and with a pattern through a
 * unit that never gets a clock, and read back: what stays must be the declared mask.
 * D-51: strobes and holes read 0.  D-60: so do the slots of absent domains.  CTR_PRE and
 * CTR_STOP keep the write out of sight (D-46).
 */
#include "test.h"
#include "regs/regs.h"

#include <string.h>

static struct pc_unit *make(const struct pc_chip *chip)
{
    struct pc_unit_desc desc = { .chip = chip };
    struct pc_unit *unit = NULL;
    struct pc_error err;

    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    return unit;
}

static uint32_t expected(const struct pc_chip *chip, uint32_t address, uint32_t written)
{
    struct pc_reg_hit hit;

    if (!pc_regs_hit(chip, address, &hit) || hit.domain >= chip->domains || !hit.readable)
        return 0;
    if (hit.id == PC_R_CTR_PRE || hit.id == PC_R_CTR_STOP)
        return 0;
    return written & hit.rw_mask;
}

/* State that shows a stored field at once, without a cycle: the position of record mode. */
static bool shows_another_register(const struct pc_chip *chip, uint32_t address)
{
    struct pc_reg_hit hit;

    return pc_regs_hit(chip, address, &hit) && hit.id == PC_R_RECORD_STATUS;
}

static void scan(const struct pc_chip *chip, uint32_t pattern)
{
    struct pc_unit *unit = make(chip);

    for (uint32_t address = 0xa000; address < 0xb000; address += 4) {
        struct pc_reg_hit hit;
        if (shows_another_register(chip, address))
            continue;
        pc_unit_write(unit, address, pattern);
        uint32_t got = pc_unit_read(unit, address), want = expected(chip, address, pattern);
        if (got != want)
            fail_msg("%s 0x%06x: wrote 0x%08x, read 0x%08x, expected 0x%08x (register %d)",
                     chip->name, (unsigned)address, (unsigned)pattern, (unsigned)got,
                     (unsigned)want, pc_regs_hit(chip, address, &hit) ? (int)hit.id : -1);
    }
    pc_unit_destroy(unit);
}

static void each_bit_that_is_declared_stays_and_no_other(void **state)
{
    unsigned chips = 0;

    (void)state;
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        if (chip->domains == 0)
            continue;
        scan(chip, UINT32_MAX);
        scan(chip, 0);
        scan(chip, 0xa5a5a5a5);
        scan(chip, 0x5a5a5a5a);
        chips++;
    }
    assert_int_equal(chips, 42);
}

/* A write into one register is visible in no other. */
static void registers_do_not_share_storage(void **state)
{
    static const char *const names[] = { "NV10", "NV20", "NV34", "NV40",
                                         "G80",  "G84",  "G92",  "GT215" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct pc_chip *chip = pc_chip_find(names[i]);
        struct pc_unit *unit = make(chip);
        struct pc_reg_info reg;
        for (size_t r = 0; pc_reg_enum(chip, r, &reg) == PC_OK; r++)
            pc_unit_write(unit, reg.address, reg.address * 0x9e3779b1u);
        for (size_t r = 0; pc_reg_enum(chip, r, &reg) == PC_OK; r++)
            if (!shows_another_register(chip, reg.address))
                assert_int_equal(pc_unit_read(unit, reg.address),
                                 expected(chip, reg.address, reg.address * 0x9e3779b1u));
        pc_unit_destroy(unit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_that_is_declared_stays_and_no_other),
        cmocka_unit_test(registers_do_not_share_storage),
    };
    return cmocka_run_group_tests_name("regs_bitscan", tests, NULL, NULL);
}
