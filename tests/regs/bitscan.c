/* SPDX-License-Identifier: MIT */
/*
 * Every word of the range is written with ones, with zeros and with a pattern through a
 * unit that never gets a clock, and read back: what stays must be the declared mask.
 * D-51: strobes and holes read 0.  D-60: so do the slots of absent domains.  CTR_PRE and
 * CTR_STOP keep the write out of sight (D-46).  GF100+: through the device, all units and
 * MAIN; blocks that the chip lacks read badf1100, and all of it badf1200 when disabled (D-51).
 */
#include "test.h"
#include "model/regs/regs.h"

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

/* ---- GF100+ ---- */

static struct pc_gpu *make_gpu(const struct pc_chip *chip)
{
    struct pc_gpu_desc desc = { .chip = chip, .memory_limit = 4096 };
    struct pc_gpu *gpu = NULL;
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    pc_gpu_latency(gpu, 0, 0);
    return gpu;
}

/* Bits that show state, whatever is written. */
static uint32_t state_bits(const struct pc_reg_info *reg)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < reg->field_count; i++)
        if (!reg->fields[i].writable && !reg->fields[i].strobe)
            bits |= UINT32_MAX >> (32 - reg->fields[i].bits) << reg->fields[i].shift;
    return bits;
}

static void check_word(const struct pc_chip *chip, struct pc_gpu *gpu, uint32_t address,
                       uint32_t pattern)
{
    struct pc_reg_info reg;
    bool is = pc_reg_at(chip, address, &reg, NULL) == PC_OK;
    bool hidden = is && (strcmp(reg.name, "CTR_PRE") == 0 || strcmp(reg.name, "CTR_STOP") == 0);
    uint32_t want = is && reg.readable && !hidden ? pattern & reg.rw_mask : 0;
    uint32_t got = pc_gpu_read32(gpu, address) & ~(is ? state_bits(&reg) : 0);

    if (got != want)
        fail_msg("%s 0x%06x %s: wrote 0x%08x, read 0x%08x, expected 0x%08x", chip->name,
                 (unsigned)address, is ? reg.name : "-", (unsigned)pattern, (unsigned)got,
                 (unsigned)want);
}

static void scan_gf100(const struct pc_chip *chip, struct pc_gpu *gpu, uint32_t pattern)
{
    for (uint32_t address = 0x180000; address < 0x1c0000; address += 4) {
        if (!pc_regs_block(chip, address)) {
            pc_gpu_write32(gpu, address, pattern);
            assert_int_equal(pc_gpu_read32(gpu, address), 0xbadf1100);
            address |= 0x1fc; /* to the last word of the block */
            continue;
        }
        pc_gpu_write32(gpu, address, pattern);
        check_word(chip, gpu, address, pattern);
    }
}

static void gf100_keeps_the_declared_bits_in_every_block(void **state)
{
    unsigned chips = 0;

    (void)state;
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        if (!pc_chip_set(chip, 0))
            continue;
        struct pc_gpu *gpu = make_gpu(chip);
        scan_gf100(chip, gpu, UINT32_MAX);
        scan_gf100(chip, gpu, 0);
        scan_gf100(chip, gpu, 0xa5a5a5a5);
        scan_gf100(chip, gpu, 0x5a5a5a5a);
        pc_gpu_destroy(gpu);
        chips++;
    }
    assert_int_equal(chips, 18);
}

/* Each register of all units keeps its own value; D-88: PMC bit 28 hides and resets them. */
static void gf100_registers_do_not_share_storage(void **state)
{
    const struct pc_chip *chip = pc_chip_find("GK104");
    struct pc_gpu *gpu = make_gpu(chip);
    struct pc_reg_info reg;

    (void)state;
    for (size_t r = 0; pc_reg_enum(chip, r, &reg) == PC_OK; r++)
        pc_gpu_write32(gpu, reg.address, reg.address * 0x9e3779b1u);
    for (size_t r = 0; pc_reg_enum(chip, r, &reg) == PC_OK; r++)
        check_word(chip, gpu, reg.address, reg.address * 0x9e3779b1u);
    pc_gpu_write32(gpu, 0x200, 0xefffffff);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b009c), 0xbadf1200);
    pc_gpu_write32(gpu, 0x1b009c, 2);
    pc_gpu_write32(gpu, 0x200, 0xffffffff);
    for (size_t r = 0; pc_reg_enum(chip, r, &reg) == PC_OK; r++)
        check_word(chip, gpu, reg.address, 0);
    pc_gpu_destroy(gpu);
}

/* ---- NV10:GF100 ---- */

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
        cmocka_unit_test(gf100_keeps_the_declared_bits_in_every_block),
        cmocka_unit_test(gf100_registers_do_not_share_storage),
    };
    return cmocka_run_group_tests_name("regs_bitscan", tests, NULL, NULL);
}
