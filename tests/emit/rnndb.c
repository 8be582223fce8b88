/* SPDX-License-Identifier: MIT */
/*
 * Verifies that `pcounter emit rnndb` says of every register of every chip before GF100 what
 * the library says: its place, name, indices, access, fields and values, read as envytools reads
 * them.
 */
#include "rnn.h"
#include "test.h"

#include "../../cli/emit/emit.h"
#include "../../cli/emit/emit_rnndb_names.h"

#include <stdlib.h>
#include <string.h>

static struct rnn db;

static char *written(const struct pc_chip *chip)
{
    struct emit_request r = { .chip = chip };
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    assert_non_null(file);
    assert_int_equal(emit_rnndb(&r, file), 0);
    fclose(file);
    return text;
}

static void parse(char *text)
{
    if (!rnn_parse(&db, text))
        fail_msg("not what rnn reads: %s", db.problem);
}

/* The children of a node with a tag that the chip has: the next after `last`; -1: none. */
static int next_child(int parent, const char *tag, const struct pc_chip *chip, int last)
{
    for (int i = last + 1; i < db.nodes; i++)
        if (db.node[i].parent == parent && strcmp(db.node[i].tag, tag) == 0 &&
            rnn_has(&db, i, chip))
            return i;
    return -1;
}

static void check_values(const struct pc_chip *chip, int field, const struct pc_field_info *info,
                         const struct emit_rnndb_field *theirs)
{
    int value = field;

    for (unsigned i = 0; theirs && i < theirs->values && !info->values; i++) {
        value = next_child(field, "value", chip, value);
        assert_true(value >= 0);
        assert_string_equal(rnn_attribute(&db, value, "name"), theirs->value[i]);
        assert_int_equal(rnn_number(&db, value, "value", UINT32_MAX), i);
    }

    for (size_t i = 0; info->values && i < info->value_count; i++) {
        if (info->values[i][0] == '\0')
            continue;
        value = next_child(field, "value", chip, value);
        assert_true(value >= 0);
        assert_string_equal(rnn_attribute(&db, value, "name"),
                            theirs && i < theirs->values ? theirs->value[i] : info->values[i]);
        assert_int_equal(rnn_number(&db, value, "value", UINT32_MAX), i);
    }
    assert_int_equal(next_child(field, "value", chip, value), -1);
}

static void check_fields(const struct pc_chip *chip, int node, const struct pc_reg_info *reg)
{
    int field = node;

    if (reg->field_count == 1 && reg->fields[0].bits == 32) {
        assert_int_equal(next_child(node, "bitfield", chip, node), -1);
        return;
    }
    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *info = &reg->fields[i];
        field = next_child(node, "bitfield", chip, field);
        assert_true(field >= 0);
        const struct emit_rnndb_field *theirs = emit_rnndb_field(reg->name, info->name);
        assert_string_equal(rnn_attribute(&db, field, "name"), theirs ? theirs->name : info->name);
        assert_int_equal(rnn_number(&db, field, "shr", 0), theirs ? theirs->shift_right : 0);
        assert_int_equal(rnn_number(&db, field, "low", 99), info->shift);
        assert_int_equal(rnn_number(&db, field, "high", 99), info->shift + info->bits - 1);
        check_values(chip, field, info, theirs);
    }
    assert_int_equal(next_child(node, "bitfield", chip, field), -1);
}

static void check_register(const struct pc_chip *chip, const struct pc_reg_info *reg)
{
    struct rnn_place place = rnn_decode(&db, chip, reg->address);
    const char *access;

    if (place.node < 0)
        fail_msg("%s: %s at 0x%x is not found", chip->name, reg->name, (unsigned)reg->address);
    /* words 4 and on of the nv10 layout are a register of their own in envytools */
    const bool in_runs = chip->layout == PC_LAYOUT_NV10 && reg->index[1] >= 0;
    const unsigned run = in_runs ? (unsigned)reg->index[1] / 4 : 0;
    assert_string_equal(rnn_attribute(&db, place.node, "name"),
                        emit_rnndb_register(reg->name, in_runs, run));
    access = rnn_attribute(&db, place.node, "access");
    assert_string_equal(access ? access : "rw", !reg->writable ? "r" : reg->readable ? "rw" : "w");
    if (reg->index[0] < 0) {
        assert_int_equal(place.indices, 0);
    } else {
        assert_int_equal(place.index[0], reg->index[0]);
        assert_int_equal(place.indices, reg->index[1] < 0 ? 1 : 2);
    }
    if (reg->index[1] >= 0)
        assert_int_equal(4 * run + place.index[1], reg->index[1]);
    check_fields(chip, place.node, reg);
}

/* Words 6 and 7 of domain 1 are not there (D-04); the array has no hole for them. */
static bool is_overlap(const struct pc_chip *chip, uint32_t address)
{
    return chip->layout == PC_LAYOUT_NV10 && (address == 0xa738 || address == 0xa73c);
}

static void check_chip(const struct pc_chip *chip)
{
    struct pc_reg_info reg;

    for (uint32_t address = 0xa000; address < 0xb000; address += 4) {
        if (pc_reg_at(chip, address, &reg, NULL) == PC_OK)
            check_register(chip, &reg);
        else if (rnn_decode(&db, chip, address).node >= 0 && !is_overlap(chip, address))
            fail_msg("%s has nothing at 0x%x", chip->name, (unsigned)address);
    }
}

static void test_registers(void **state)
{
    char *text = written(NULL);
    unsigned chips = 0;

    (void)state;
    parse(text);
    for (size_t i = 0; i < pc_chip_count(); i++)
        if (pc_chip_at(i)->layout != PC_LAYOUT_GF100) {
            check_chip(pc_chip_at(i));
            chips++;
        }
    assert_true(chips > 40);
    free(text);
}

/* One layout alone: its chips have their registers, the others none. */
static void test_one_layout(void **state)
{
    const struct pc_chip *nv34 = pc_chip_find("NV34"), *g92 = pc_chip_find("G92");
    char *text = written(nv34);

    (void)state;
    parse(text);
    check_chip(nv34);
    assert_int_equal(rnn_decode(&db, g92, 0xa7c4).node, -1);
    free(text);
    text = written(g92);
    parse(text);
    check_chip(g92);
    assert_int_equal(rnn_decode(&db, nv34, 0xa400).node, -1);
    free(text);
}

/* The reader of this test does refuse. */
static void test_reader(void **state)
{
    static const char *const bad[] = {
        "<database>",
        "<database></domain></database>",
        "<database><domain name=\"X\"/></database></database>",
        "<database><domain nam=\"X\"/></database>",
        "<database><reg32 name=\"X\"/></database>",
        "<database><domain name=X/></database>",
        "<database>text</database>",
        "<database><domain name=\"a<b\"/></database>",
        "<spectype/>",
    };
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s", bad[i]);
        if (rnn_parse(&db, text))
            fail_msg("taken: %s", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_one_layout),
        cmocka_unit_test(test_reader),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
