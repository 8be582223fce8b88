/* SPDX-License-Identifier: MIT */
/*
 * The registers of GF100+: the lists in every block of every chip, and no other; blocks that a
 * chip has and lacks; names with their place; what they say about wrong ones.
 */
#include "test.h"
#include "facts_gf100.h"
#include "model/regs/rows.h"

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static unsigned each_chip(void (*check)(const struct pc_chip *chip))
{
    unsigned chips = 0;

    for (size_t i = 0; i < pc_chip_count(); i++)
        if (pc_chip_set(pc_chip_at(i), 0)) {
            check(pc_chip_at(i));
            chips++;
        }
    return chips;
}

/* ---- the lists ---- */

/* The list in one block; returns how many registers the chip has there. */
static unsigned check_block(const struct pc_chip *chip, uint32_t base, const char *place,
                            const struct gf100_fact *facts, size_t count)
{
    struct pc_reg_info reg;
    struct pc_error err;
    unsigned here = 0;

    for (size_t i = 0; i < count; i++) {
        const struct gf100_fact *f = &facts[i];
        if (chip->order < pc_chip_find(f->from)->order) {
            assert_int_equal(pc_reg_at(chip, base + f->offset, &reg, &err), PC_ENOENT);
            continue;
        }
        test_ok(pc_reg_at(chip, base + f->offset, &reg, &err), &err);
        assert_string_equal(reg.name, f->name);
        assert_string_equal(reg.place, place);
        assert_int_equal(reg.index[0], f->index);
        assert_int_equal(reg.index[1], -1);
        assert_int_equal(reg.readable, strchr(f->access, 'r') != NULL);
        assert_int_equal(reg.writable, strchr(f->access, 'w') != NULL);
        if (reg.rw_mask != f->mask)
            fail_msg("%s: %s keeps 0x%08x, the lists say 0x%08x", chip->name, f->name,
                     (unsigned)reg.rw_mask, (unsigned)f->mask);
        assert_int_equal(reg.range[0] == 'G' && strncmp(reg.range, f->from, 5) == 0, 1);
        here++;
    }
    return here;
}

/* GPCs and partitions are 0x1000 apart, domains and sets 0x200. */
static unsigned check_set(const struct pc_chip *chip, const struct pc_set_info *set)
{
    static const char *const name[] = { "", "hub", "gpc", "part" };
    static const uint32_t domains[] = { 0, 0x1b0000, 0x180000, 0x1a0000 };
    static const uint32_t sets[] = { 0, 0x1be000, 0x1b8000, 0x1bc000 };
    unsigned listed = 0;
    char place[16];

    for (unsigned unit = 0; unit < set->units; unit++) {
        bool hub = set->set == PC_SET_HUB;
        snprintf(place, sizeof place, hub ? "%s" : "%s%u", name[set->set], unit % 100);
        listed += check_block(chip, sets[set->set] + unit * 0x200, place, gf100_set_facts,
                              COUNT(gf100_set_facts));
        for (unsigned d = 0; d < set->domains; d++) {
            snprintf(place, sizeof place, hub ? "%s%u" : "%s%u.%u", name[set->set],
                     hub ? d % 100 : unit % 100, d % 100);
            listed += check_block(chip, domains[set->set] + unit * 0x1000 + d * 0x200, place,
                                  gf100_domain_facts, COUNT(gf100_domain_facts));
        }
    }
    return listed;
}

static void check_lists(const struct pc_chip *chip)
{
    const struct pc_set_info *set;
    struct pc_reg_hit hit;
    unsigned hits = 0,
             listed = check_block(chip, 0x1b4000, "", gf100_main_facts, COUNT(gf100_main_facts));

    for (size_t i = 0; (set = pc_chip_set(chip, i)) != NULL; i++)
        listed += check_set(chip, set);
    for (uint32_t address = 0; address < 0x200000; address += 4)
        hits += pc_regs_hit(chip, address, &hit);
    assert_int_equal(hits, listed);
    struct pc_reg_info reg;
    assert_int_equal(pc_reg_enum(chip, listed - 1, &reg), PC_OK);
    assert_int_equal(pc_reg_enum(chip, listed, &reg), PC_END);
}

static void every_block_has_the_registers_of_the_lists(void **state)
{
    (void)state;
    assert_int_equal(each_chip(check_lists), 18);
}

/* ---- blocks ---- */

static struct pc_reg_hit hit_at(const char *chip, uint32_t address)
{
    struct pc_reg_hit hit;

    if (!pc_regs_hit(pc_chip_find(chip), address, &hit))
        hit.id = PC_R_COUNT;
    return hit;
}

static void blocks_are_where_the_chip_has_units(void **state)
{
    const struct pc_chip *gk104 = pc_chip_find("GK104"); /* 4 GPCs of 3, 4 partitions of 2 */

    (void)state;
    assert_true(pc_regs_block(gk104, 0x183400));
    assert_false(pc_regs_block(gk104, 0x183600));
    assert_false(pc_regs_block(gk104, 0x184000));
    assert_true(pc_regs_block(gk104, 0x1a3200));
    assert_false(pc_regs_block(gk104, 0x1a4000));
    assert_true(pc_regs_block(gk104, 0x1b0e00));
    assert_false(pc_regs_block(gk104, 0x1b1000));
    assert_true(pc_regs_block(gk104, 0x1b41ff));
    assert_false(pc_regs_block(gk104, 0x1b4200));
    assert_false(pc_regs_block(gk104, 0x1b8800));
    assert_false(pc_regs_block(gk104, 0x1be200));
    assert_false(pc_regs_block(gk104, 0x1c0000));
    assert_false(pc_regs_block(gk104, 0x17fffc));
    /* GF119 has one GPC, GK20A half a hub, G92 no such range */
    assert_false(pc_regs_block(pc_chip_find("GF119"), 0x181000));
    assert_true(pc_regs_block(pc_chip_find("GK20A"), 0x1b0600));
    assert_false(pc_regs_block(pc_chip_find("GK20A"), 0x1b0800));
    assert_false(pc_regs_block(pc_chip_find("G92"), 0x180000));
    assert_false(pc_regs_block(pc_chip_find("GK210"), 0x180000));

    struct pc_reg_hit hit = hit_at("GK104", 0x1a229c);
    assert_int_equal(hit.id, PC_R_CTRL_GF100);
    assert_int_equal(hit.set, PC_SET_PART);
    assert_int_equal(hit.unit, 2);
    assert_int_equal(hit.domain, 1);
    hit = hit_at("GK104", 0x1b4024);
    assert_int_equal(hit.id, PC_R_MAIN_UNK);
    assert_int_equal(hit.set, PC_SET_ALL);
    assert_int_equal(hit.index, 9);
    assert_int_equal(hit_at("GF100", 0x1be018).id, PC_R_COUNT); /* SLCG: GK104 and later */
    assert_int_equal(hit_at("GK104", 0x1be018).id, PC_R_DSET_SLCG);
}

/* D-62: config writes do not abort, PRE_OP starts nothing */
static void write_effects(void **state)
{
    static const struct {
        uint32_t offset;
        enum pc_effect effect;
    } rows[] = {
        { 0x040, PC_FX_NONE },         { 0x044, PC_FX_NONE }, { 0x04c, PC_FX_NONE },
        { 0x054, PC_FX_NONE },         { 0x060, PC_FX_NONE }, { 0x06c, PC_FX_NONE },
        { 0x08c, PC_FX_NONE },         { 0x090, PC_FX_NONE }, { 0x094, PC_FX_SINGLE_ABORT },
        { 0x098, PC_FX_NONE },         { 0x09c, PC_FX_NONE }, { 0x0a0, PC_FX_ACK },
        { 0x0e0, PC_FX_SINGLE_BEGIN }, { 0x0ec, PC_FX_USER }, { 0x100, PC_FX_NONE },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(hit_at("GF100", 0x1b0000 + rows[i].offset).effect, rows[i].effect);
}

/* D-12: the delays of arguments 2 and 3 are bits 19 and 20 in all six; earlier, four have 18, 19 */
static void operations_have_their_own_bits(void **state)
{
    static const char *const names[] = { "PRE_OP",  "START_OP",   "EVENT_OP",
                                         "STOP_OP", "SETFLAG_OP", "CLRFLAG_OP" };
    struct pc_reg_info reg;
    struct pc_error err;
    char name[32];

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        bool chain = i == 2 || i == 3;
        uint32_t word = 0;
        snprintf(name, sizeof name, "gpc0.0.%s", names[i]);
        test_ok(pc_reg_find(pc_chip_find("GF108"), name, &reg, &err), &err);
        test_ok(pc_reg_set_field(&reg, "ARG2_SRC0D", "1", &word, &err), &err);
        assert_int_equal(word, 1u << 19);
        test_ok(pc_reg_set_field(&reg, "ARG3_SRC1D", "1", &word, &err), &err);
        assert_int_equal(word, 3u << 19);
        test_ok(pc_reg_set_field(&reg, chain ? "ARG3_SETFLAG" : "UNK18", "1", &word, &err), &err);
        assert_int_equal(word, 7u << 18);
    }
}

/* MAIN is there once, and no block of it is any set's. */
static void main_is_of_no_set(void **state)
{
    (void)state;
    assert_int_equal(pc_regs_block_address(PC_BLOCK_MAIN, PC_SET_ALL, 0, 0), 0x1b4000);
    assert_int_equal(pc_regs_block_address(PC_BLOCK_MAIN, PC_SET_HUB, 0, 0), 0);
}

/* ---- names ---- */

static void names_with_places(void **state)
{
    static const struct {
        const char *chip, *name;
        uint32_t address;
    } rows[] = {
        { "GK104", "hub0.CTRL", 0x1b009c },
        { "GK104", "PCOUNTER.Gpc0.1.ctrl", 0x18029c },
        { "GK110", "gpc4.3.EVENT_SRC", 0x184650 },
        { "GF100", "part5.1.SIG_STATUS[3]", 0x1a520c },
        { "GF100", "hub.DSET_CTRL", 0x1be000 },
        { "GF100", "gpc2.DSET_VSTATUS_1", 0x1b8414 },
        { "GF100", "part0.DSET_CTRL", 0x1bc000 },
        { "GF100", "MAIN_CONTROL", 0x1b4000 },
        { "GF100", "pcounter.MAIN_UNK[9]", 0x1b4024 },
    };
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        test_ok(pc_reg_find(pc_chip_find(rows[i].chip), rows[i].name, &reg, &err), &err);
        assert_int_equal(reg.address, rows[i].address);
    }
}

static void expect_find(const char *chip, const char *name, enum pc_status status, unsigned code,
                        const char *says)
{
    struct pc_reg_info reg, before;
    struct pc_error err;

    memset(&before, 0x5a, sizeof before);
    reg = before;
    assert_int_equal(pc_reg_find(pc_chip_find(chip), name, &reg, &err), status);
    assert_int_equal(err.code, code);
    assert_memory_equal(&reg, &before, sizeof reg); /* untouched on failure */
    if (!strstr(err.hint, says) && !strstr(err.text, says))
        fail_msg("%s on %s: \"%s\" (%s) lacks \"%s\"", name, chip, err.text, err.hint, says);
    assert_int_equal(pc_reg_find(pc_chip_find(chip), name, &reg, NULL), status);
}

static void wrong_names(void **state)
{
    (void)state;
    expect_find("GK104", "CTRL", PC_EAMBIG, 204, "gpc0.0 to gpc3.2");
    expect_find("GF108", "CTRL", PC_EAMBIG, 204, "hub0 to hub7, gpc0.0, part0.0 to part0.1");
    expect_find("GK104", "DSET_CTRL", PC_EAMBIG, 204, "hub, gpc0 to gpc3, part0 to part3");
    expect_find("GK104", "gpc4.0.CTRL", PC_ENOENT, 205, "gpc0.0 to gpc3.2");
    expect_find("GK104", "gpc0.3.CTRL", PC_ENOENT, 205, "gpc0.0 to gpc3.2");
    expect_find("GK20A", "hub4.CTRL", PC_ENOENT, 205, "hub0 to hub3");
    expect_find("GK104", "hub.CTRL", PC_ENOENT, 205, "no domain hub");
    expect_find("GK104", "pdaemon.CTRL", PC_ENOENT, 205, "no domain pdaemon");
    expect_find("GK104", "hub0.DSET_CTRL", PC_ENOENT, 205, "no domain set hub0");
    expect_find("GK104", "part4.DSET_CTRL", PC_ENOENT, 205, "part0 to part3");
    expect_find("GK104", "hub0.MAIN_CONTROL", PC_ENOENT, 205, "no prefix");
    expect_find("GK104", "hub0.SIG_STATUS", PC_EAMBIG, 204, "0 to 7");
    expect_find("GK104", "hub0.SIG_STATUS[8]", PC_ENOENT, 205, "0 to 7");
    expect_find("GK104", "hub0.SIG_STATUS[0][0]", PC_ENOENT, 205, "one index");
    expect_find("GK104", "hub0.CTRL[1]", PC_ENOENT, 205, "gpc0.1.CTRL");
    expect_find("GK104", "MAIN_UNK", PC_EAMBIG, 204, "4 to 6");
    expect_find("GK104", "MAIN_UNK[3]", PC_ENOENT, 205, "4 to 6");
    expect_find("GF100", "MAIN_UNK[73]", PC_ENOENT, 205, "64 to 69");
    expect_find("GF110", "MAIN_SLCG", PC_ENOENT, 203, "GK104-");
    expect_find("GF110", "hub.DSET_SLCG", PC_ENOENT, 203, "GK104-");
    expect_find("GF100", "GCTRL", PC_ENOENT, 203, "nv40 layout");
    expect_find("GF100", "hub0.SETFLAG_SRC", PC_ENOENT, 203, "nv10 layout");
    expect_find("G92", "STATE", PC_ENOENT, 203, "gf100 layout");
    expect_find("GF100", "hub0.SWAP_SCR", PC_ENOENT, 203, "SWAP_SRC");
    expect_find("GF100", "hub0..CTRL", PC_ENOENT, 205, "hub0.");
    expect_find("GF100", ".CTRL", PC_EINPUT, 206, "hub0.CTRL");
    expect_find("GF100", "hub0.", PC_EINPUT, 206, "hub0.CTRL");
    expect_find("GF100", "a_place_that_is_too_long.CTRL", PC_EINPUT, 206, "hub0.CTRL");
    expect_find("G92", "hub0.CTRL", PC_EINPUT, 206, "CTRL[1]");
}

static void expect_at(const char *chip, uint32_t address, const char *says)
{
    struct pc_reg_info reg;
    struct pc_error err;

    assert_int_equal(pc_reg_at(pc_chip_find(chip), address, &reg, &err), PC_ENOENT);
    assert_int_equal(err.code, 202);
    if (!strstr(err.hint, says))
        fail_msg("%s 0x%06x: hint \"%s\" lacks \"%s\"", chip, (unsigned)address, err.hint, says);
}

static void wrong_addresses(void **state)
{
    (void)state;
    expect_at("GK104", 0x180020, "0x020 of gpc0.0"); /* D-05: SIG_STATUS ends at 01c */
    expect_at("GK104", 0x1be004, "0x004 of hub");
    expect_at("GK104", 0x1b4004, "0x004 of MAIN");
    expect_at("GK104", 0x184000, "gpc0.0 to gpc3.2");
    expect_at("GK104", 0x1b9000, "hub, gpc0 to gpc3, part0 to part3");
    expect_at("GK104", 0x00a400, "0x180000 to 0x1bffff");
    expect_at("GK104", 0x1b009e, "0x1b009c");
}

/* ---- domains of a chip ---- */

static void check_domains(const struct pc_chip *chip)
{
    struct pc_chip_domain d;
    struct pc_error err;
    unsigned found, count = 0;

    for (; pc_chip_get_domain(chip, count, &d); count++) {
        test_ok(pc_chip_find_domain(chip, d.name, &found, &err), &err);
        assert_int_equal(found, count);
    }
    assert_in_range(count, 7, PC_GPU_DOMAINS);
}

static void domains_by_number_and_by_name(void **state)
{
    const struct pc_chip *gk104 = pc_chip_find("GK104");
    struct pc_chip_domain d;
    struct pc_error err;
    unsigned found;

    (void)state;
    each_chip(check_domains);
    test_ok(pc_chip_find_domain(gk104, "part1.0", &found, &err), &err);
    assert_int_equal(found, 8 + 4 * 3 + 2);
    assert_true(pc_chip_get_domain(gk104, found, &d));
    assert_int_equal(d.set, PC_SET_PART);
    assert_int_equal(d.unit, 1);
    assert_int_equal(d.domain, 0);
    /* it has a clock, but no signals: pc_gpu_find_domain() */
    assert_int_equal(pc_chip_find_domain(gk104, "pdaemon", &found, &err), PC_ENOENT);
    test_ok(pc_chip_find_domain(pc_chip_find("G92"), "7", &found, &err), &err);
    assert_int_equal(found, 7);
    assert_int_equal(pc_chip_find_domain(pc_chip_find("G92"), "8", &found, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "0 to 7"));
    assert_int_equal(pc_chip_find_domain(pc_chip_find("G92"), "pdaemon", &found, NULL), PC_ENOENT);
    assert_int_equal(pc_chip_find_domain(gk104, "hub8", &found, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "hub0 to hub7, gpc0.0 to gpc3.2"));
    assert_int_equal(pc_chip_find_domain(gk104, "0", &found, &err), PC_ENOENT);
    assert_int_equal(pc_chip_find_domain(pc_chip_find("GK210"), "hub0", &found, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "not known"));
    assert_false(pc_chip_get_domain(pc_chip_find("GK210"), 0, &d));
    assert_false(pc_chip_get_domain(pc_chip_find("C51"), 0, &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_has_the_registers_of_the_lists),
        cmocka_unit_test(blocks_are_where_the_chip_has_units),
        cmocka_unit_test(write_effects),
        cmocka_unit_test(operations_have_their_own_bits),
        cmocka_unit_test(main_is_of_no_set),
        cmocka_unit_test(names_with_places),
        cmocka_unit_test(wrong_names),
        cmocka_unit_test(wrong_addresses),
        cmocka_unit_test(domains_by_number_and_by_name),
    };
    return cmocka_run_group_tests_name("regs_gf100", tests, NULL, NULL);
}
