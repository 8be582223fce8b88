/* SPDX-License-Identifier: MIT */
/*
 * The register rows test themselves, on every chip: places and masks against the lists of
 * the document, fields inside their word and apart, names and addresses there and back.
 */
#include "test.h"
#include "facts.h"
#include "model/regs/regs.h"

#include <stdio.h>
#include <string.h>

enum { FIRST = 0xa000, PAST = 0xb000 };

static bool has_unit(const struct pc_chip *chip)
{
    return chip->layout == PC_LAYOUT_NV10 || chip->layout == PC_LAYOUT_NV40 || pc_chip_set(chip, 0);
}

/* Calls the check for each chip that has registers; at least one of each layout. */
static void each_chip(void (*check)(const struct pc_chip *chip))
{
    unsigned layouts = 0;

    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        if (!has_unit(chip))
            continue;
        layouts |= 1u << chip->layout;
        check(chip);
    }
    assert_int_equal(layouts, 1u << PC_LAYOUT_NV10 | 1u << PC_LAYOUT_NV40 | 1u << PC_LAYOUT_GF100);
}

static void each_register(void (*check)(const struct pc_chip *chip, const struct pc_reg_info *reg),
                          const struct pc_chip *chip)
{
    struct pc_reg_info reg;
    size_t count = 0;

    while (pc_reg_enum(chip, count, &reg) == PC_OK) {
        check(chip, &reg);
        count++;
    }
    assert_true(count > 30);
}

static void name_of(const struct pc_reg_info *reg, char *out, size_t size)
{
    int n = snprintf(out, size, "%s%s%s", reg->place, reg->place[0] ? "." : "", reg->name);

    for (int i = 0; i < 2 && reg->index[i] >= 0; i++)
        n += snprintf(out + n, size - (size_t)n, "[%d]", reg->index[i]);
}

/* ---- against the lists ---- */

static bool applies(const struct fact *fact, const struct pc_chip *chip)
{
    return chip->order >= pc_chip_find(fact->from)->order &&
           chip->order < pc_chip_find(fact->to)->order;
}

static void check_fact(const struct pc_chip *chip, const struct fact *fact, unsigned place)
{
    uint32_t address = FIRST + fact->offset + place * fact->stride;
    struct pc_reg_info reg;
    struct pc_error err;

    test_ok(pc_reg_at(chip, address, &reg, &err), &err);
    assert_string_equal(reg.name, fact->name);
    assert_int_equal(reg.index[0], fact->stride ? (int)place : -1);
    assert_int_equal(reg.index[1], strcmp(fact->name, "SIG_STATUS") ? -1 : (int)fact->word);
    assert_int_equal(reg.readable, strchr(fact->access, 'r') != NULL);
    assert_int_equal(reg.writable, strchr(fact->access, 'w') != NULL);
    if (reg.rw_mask != fact->mask)
        fail_msg("%s: %s keeps 0x%08x, the document says 0x%08x", chip->name, fact->name,
                 (unsigned)reg.rw_mask, (unsigned)fact->mask);
}

/* Every register of the lists is where they say, and there is no other. */
static void check_lists(const struct pc_chip *chip)
{
    if (chip->layout == PC_LAYOUT_GF100)
        return; /* gf100.c */
    bool nv10 = chip->layout == PC_LAYOUT_NV10;
    const struct fact *facts = nv10 ? nv10_facts : nv40_facts;
    size_t count =
        nv10 ? sizeof nv10_facts / sizeof nv10_facts[0] : sizeof nv40_facts / sizeof nv40_facts[0];
    unsigned listed = 0, hits = 0;
    struct pc_reg_hit hit;

    for (size_t i = 0; i < count; i++) {
        if (!applies(&facts[i], chip))
            continue;
        for (unsigned place = 0; place < facts[i].places; place++)
            check_fact(chip, &facts[i], place);
        listed += facts[i].places;
    }
    for (uint32_t address = FIRST; address < PAST; address += 4)
        hits += pc_regs_hit(chip, address, &hit);
    assert_int_equal(hits, listed);
}

static void places_and_masks_are_those_of_the_lists(void **state)
{
    (void)state;
    each_chip(check_lists);
}

/* ---- fields ---- */

static void check_fields(const struct pc_chip *chip, const struct pc_reg_info *reg)
{
    uint32_t taken = 0, kept = 0;

    (void)chip;
    assert_true(reg->field_count > 0);
    assert_true(reg->field_count <= PC_MAX_FIELDS);
    assert_true(reg->clause && reg->clause[0]);
    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *f = &reg->fields[i];
        assert_true(f->bits > 0 && f->shift + f->bits <= 32);
        uint32_t mask = UINT32_MAX >> (32 - f->bits) << f->shift;
        assert_int_equal(taken & mask, 0);
        assert_true(i == 0 || mask > taken); /* ascending */
        taken |= mask;
        if (f->writable)
            kept |= mask;
        assert_false(f->writable && f->strobe);
        assert_true(f->clause && f->clause[0]);
        assert_true(f->value_count <= (size_t)1 << (f->bits < 31 ? f->bits : 31));
        assert_true((f->value_count > 0) == (f->values != NULL));
        for (size_t v = 0; v < f->value_count; v++)
            assert_true(f->values[v] && (!f->value_notes || f->value_notes[v]));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(f->name, reg->fields[j].name);
    }
    assert_int_equal(kept, reg->rw_mask);
    assert_true(reg->writable || kept == 0);
}

static void check_all_fields(const struct pc_chip *chip)
{
    each_register(check_fields, chip);
}

static void fields_lie_in_their_word_and_apart(void **state)
{
    (void)state;
    each_chip(check_all_fields);
}

/* ---- there and back ---- */

static void check_names(const struct pc_chip *chip, const struct pc_reg_info *reg)
{
    struct pc_reg_info by_name, by_address;
    struct pc_error err;
    struct pc_chip set = *chip;
    char name[64], full[64], prefixed[80];

    if (chip->layout == PC_LAYOUT_GF100 && reg->set != PC_SET_ALL)
        test_ok(pc_chip_of_set(chip, reg->set, &set, &err), &err);
    assert_true(reg->domain < (int)set.domains);
    name_of(reg, name, sizeof name);
    pc_reg_full_name(reg, full, sizeof full);
    assert_string_equal(full, name);
    snprintf(prefixed, sizeof prefixed, "pcounter.%s", name);
    test_ok(pc_reg_find(chip, name, &by_name, &err), &err);
    assert_memory_equal(&by_name, reg, sizeof *reg);
    test_ok(pc_reg_find(chip, prefixed, &by_name, &err), &err);
    assert_int_equal(by_name.address, reg->address);
    test_ok(pc_reg_at(chip, reg->address, &by_address, &err), &err);
    assert_memory_equal(&by_address, reg, sizeof *reg);
}

static void check_all_names(const struct pc_chip *chip)
{
    struct pc_reg_info reg;
    uint32_t last = 0;

    each_register(check_names, chip);
    for (size_t i = 0; pc_reg_enum(chip, i, &reg) == PC_OK; i++) {
        assert_true(reg.address > last);
        last = reg.address;
    }
}

static void names_and_addresses_go_there_and_back(void **state)
{
    (void)state;
    each_chip(check_all_names);
}

static void check_set(const struct pc_reg_info *reg, const struct pc_field_info *f, uint32_t value,
                      uint32_t background)
{
    uint32_t mask = UINT32_MAX >> (32 - f->bits), word = background;
    struct pc_error err;
    char text[16];

    snprintf(text, sizeof text, value & 1 ? "0x%x" : "%u", (unsigned)value);
    test_ok(pc_reg_set_field(reg, f->name, text, &word, &err), &err);
    assert_int_equal(word >> f->shift & mask, value);
    assert_int_equal(word & ~(mask << f->shift), background & ~(mask << f->shift));
    if (value < f->value_count && f->values[value][0]) {
        word = background;
        test_ok(pc_reg_set_field(reg, f->name, f->values[value], &word, &err), &err);
        assert_int_equal(word >> f->shift & mask, value);
    }
}

/* Small fields: every value; large ones: each bit and the ends. */
static void check_encode(const struct pc_chip *chip, const struct pc_reg_info *reg)
{
    /* GF100+ has many places, all alike: one of each kind is enough */
    if (chip->layout == PC_LAYOUT_GF100 && strncmp(reg->place, "hub", 3) != 0 && reg->place[0])
        return;
    if (chip->layout == PC_LAYOUT_GF100 && reg->domain > 0)
        return;
    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *f = &reg->fields[i];
        uint32_t mask = UINT32_MAX >> (32 - f->bits), word = 0x12345678;
        struct pc_error err;
        char text[24];
        if (!f->writable && !f->strobe) {
            assert_int_equal(pc_reg_set_field(reg, f->name, "0", &word, &err), PC_EINPUT);
            assert_int_equal(err.code, 213);
            assert_int_equal(word, 0x12345678);
            continue;
        }
        for (uint32_t v = 0; f->bits <= 8 && v <= mask; v++)
            check_set(reg, f, v, v & 2 ? UINT32_MAX : 0);
        for (unsigned b = 0; b < f->bits; b++)
            check_set(reg, f, 1u << b, 0xa5a5a5a5);
        check_set(reg, f, mask, 0);
        snprintf(text, sizeof text, "%llu", (unsigned long long)mask + 1);
        if (f->bits < 3) { /* 8 is no name of a PERIODIC_PERIOD, but be sure of no name at all */
            assert_int_equal(pc_reg_set_field(reg, f->name, text, &word, &err), PC_EINPUT);
            assert_int_equal(err.code, 212);
        }
    }
}

static void check_all_encode(const struct pc_chip *chip)
{
    each_register(check_encode, chip);
}

static void decode_undoes_encode(void **state)
{
    (void)state;
    each_chip(check_all_encode);
}

/* ---- the look-up ---- */

static void check_hit(const struct pc_chip *chip, uint32_t address)
{
    bool gf100 = chip->layout == PC_LAYOUT_GF100;
    struct pc_reg_info reg;
    struct pc_reg_hit hit;
    bool is = pc_regs_hit(chip, address, &hit);

    assert_int_equal(is, pc_reg_at(chip, address, &reg, NULL) == PC_OK);
    for (uint32_t off = 1; off < 4; off++) {
        struct pc_reg_hit none;
        assert_false(pc_regs_hit(chip, address + off, &none));
        assert_int_equal(pc_reg_at(chip, address + off, &reg, NULL), PC_ENOENT);
    }
    if (!is)
        return;
    assert_int_equal(pc_reg_at(chip, address, &reg, NULL), PC_OK);
    int word = reg.index[gf100 ? 0 : 1];
    assert_int_equal(hit.domain, reg.domain < 0 ? 0 : reg.domain);
    assert_int_equal(hit.index, word < 0 ? 0 : word);
    assert_int_equal(hit.set, reg.set);
    assert_int_equal(hit.rw_mask, reg.rw_mask);
    assert_int_equal(hit.readable, reg.readable);
    assert_int_equal(hit.writable, reg.writable);
    assert_int_equal(hit.effect != PC_FX_NONE, reg.effect[0] != '\0');
}

static void check_hits(const struct pc_chip *chip)
{
    bool gf100 = chip->layout == PC_LAYOUT_GF100;
    uint32_t first = gf100 ? 0x180000 : FIRST, past = gf100 ? 0x1c0000 : PAST;
    struct pc_reg_hit hit;

    for (uint32_t address = first; address < past; address += 4)
        if (!gf100 || pc_regs_block(chip, address))
            check_hit(chip, address);
        else
            assert_false(pc_regs_hit(chip, address, &hit));
    static const uint32_t outside[] = { 0,        0x400,      FIRST - 4,     PAST,
                                        0x17a400, 0x8000a400, 0xffffa400,    0x17fffc,
                                        0x1c0000, 0x8019c000, UINT32_MAX - 3 };
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_false(pc_regs_hit(chip, outside[i], &hit));
}

static void the_fast_look_up_agrees_with_the_full_one(void **state)
{
    (void)state;
    each_chip(check_hits);
}

static struct pc_reg_hit hit_at(const char *chip, uint32_t address)
{
    struct pc_reg_hit hit = { .id = PC_R_COUNT };

    if (!pc_regs_hit(pc_chip_find(chip), address, &hit))
        hit.id = PC_R_COUNT;
    return hit;
}

/* D-04: the list puts SIG_STATUS[1] words 6, 7 where QUAD_ACK_TRIGGER and CTRL are. */
static void nv10_words_that_the_list_names_twice(void **state)
{
    (void)state;
    assert_int_equal(hit_at("NV34", 0xa738).id, PC_R_QUAD_ACK_TRIGGER_NV30);
    assert_int_equal(hit_at("NV34", 0xa73c).id, PC_R_CTRL_NV10);
    assert_int_equal(hit_at("NV20", 0xa738).id, PC_R_COUNT);
    assert_int_equal(hit_at("NV34", 0xa734).id, PC_R_SIG_STATUS);
    assert_int_equal(hit_at("NV34", 0xa734).domain, 1);
    assert_int_equal(hit_at("NV34", 0xa734).index, 5);
    assert_int_equal(hit_at("NV34", 0xa63c).index, 7);
}

/* D-07 */
static void spec_src_comes_with_g84(void **state)
{
    (void)state;
    assert_int_equal(hit_at("G80", 0xa560).id, PC_R_COUNT);
    assert_int_equal(hit_at("G84", 0xa560).id, PC_R_SPEC_SRC);
}

/* D-09, D-60: a hit beyond the chip's domains, and nothing at all on C51 */
static void slots_of_absent_domains_are_hits(void **state)
{
    (void)state;
    assert_int_equal(pc_chip_find("MCP73")->domains, 4);
    assert_int_equal(hit_at("MCP73", 0xa7f4).id, PC_R_QUAD_ACK_TRIGGER_NV40);
    assert_int_equal(hit_at("MCP73", 0xa7f4).domain, 5);
    assert_int_equal(hit_at("MCP73", 0xa7f8).domain, 6);
    assert_int_equal(hit_at("NV10", 0xa500).domain, 1);
    assert_int_equal(hit_at("C51", 0xa7f4).id, PC_R_COUNT);
    assert_int_equal(hit_at("GF100", 0xa400).id, PC_R_COUNT);
}

/* D-45, D-45a: which writes abort a running single-mode process */
static void write_effects(void **state)
{
    static const struct {
        uint32_t address;
        enum pc_effect effect;
    } rows[] = {
        { 0xa404, PC_FX_ABORTS },     { 0xa424, PC_FX_PRE_OP },      { 0xa464, PC_FX_ABORTS },
        { 0xa504, PC_FX_ABORTS },     { 0xa564, PC_FX_ABORTS },      { 0xa584, PC_FX_USER },
        { 0xa604, PC_FX_CTR_ABORTS }, { 0xa6a4, PC_FX_NONE },        { 0xa704, PC_FX_ABORTS },
        { 0xa724, PC_FX_NONE },       { 0xa744, PC_FX_ABORTS },      { 0xa764, PC_FX_RECORD_START },
        { 0xa784, PC_FX_ABORTS },     { 0xa7a0, PC_FX_RECORD_CHAN }, { 0xa7a4, PC_FX_NONE },
        { 0xa7a8, PC_FX_NONE },       { 0xa7c4, PC_FX_CTRL },        { 0xa7e4, PC_FX_ACK },
        { 0xa820, PC_FX_NONE },       { 0xa544, PC_FX_NONE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(hit_at("GT215", rows[i].address).effect, rows[i].effect);
    assert_int_equal(hit_at("NV34", 0xa73c).effect, PC_FX_CTRL);
    assert_int_equal(hit_at("NV34", 0xa738).effect, PC_FX_ACK);
    assert_int_equal(hit_at("NV20", 0xa62c).effect, PC_FX_ABORTS);
}

static void field_macros(void **state)
{
    uint32_t word = 0x01a02921;

    (void)state;
    assert_int_equal(PC_GET(word, CTRL_NV40, MODE), 1);
    assert_int_equal(PC_GET(word, CTRL_NV40, CTR_MODE), 2);
    assert_int_equal(PC_GET(word, CTRL_NV40, PERIODIC_PERIOD), 5);
    assert_int_equal(PC_PUT(word, CTRL_NV40, MODE, 2), 0x01a02922);
    assert_int_equal(PC_PUT(word, CTRL_NV40, MODE, 7), 0x01a02923);
    assert_int_equal(PC_PUT(word, THRESHOLD, VALUE, 0xdeadbeef), 0xdeadbeef);
    assert_int_equal(PC_GET(UINT32_MAX, RECORD_LIMIT, ADDRESS), 0x0fffffff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_masks_are_those_of_the_lists),
        cmocka_unit_test(fields_lie_in_their_word_and_apart),
        cmocka_unit_test(names_and_addresses_go_there_and_back),
        cmocka_unit_test(decode_undoes_encode),
        cmocka_unit_test(the_fast_look_up_agrees_with_the_full_one),
        cmocka_unit_test(nv10_words_that_the_list_names_twice),
        cmocka_unit_test(spec_src_comes_with_g84),
        cmocka_unit_test(slots_of_absent_domains_are_hits),
        cmocka_unit_test(write_effects),
        cmocka_unit_test(field_macros),
    };
    return cmocka_run_group_tests_name("regs", tests, NULL, NULL);
}
