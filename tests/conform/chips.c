/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Introduction": which chips have PCOUNTER, their order, domains and features.
 * The lists are typed here from the document and the decisions, not read from the library.
 */
#include "support.h"

#include <string.h>

struct range {
    const char *first, *last; /* both included */
    uint32_t features;
};

enum {
    ALL_NV10 = PC_F_OWN_FLAG_SRC | PC_F_CTR40,
    ALL_NV15 = ALL_NV10 | PC_F_PERIOD_ALL,
    ALL_NV20 = ALL_NV15 | PC_F_DOM_FLAGS,
    ALL_NV30 = PC_F_PERIOD_ALL | PC_F_DOM_FLAGS | PC_F_QUAD | PC_F_SETFLAG_ARG,
    ALL_NV40 = ALL_NV30 | PC_F_WIDE_MODES | PC_F_DOM_EVENTS | PC_F_PULSE_IMPORT,
    ALL_G84 = ALL_NV40 | PC_F_RECORD | PC_F_SWAP_SRC | PC_F_PREOP_SWAP | PC_F_PERIODIC,
    ALL_G92 = ALL_G84 | PC_F_ARG23_DELAY | PC_F_RECORD_HIGH | PC_F_CTRL30,
    ALL_GT215 = ALL_G92 | PC_F_USER
};
static const struct range ranges[] = {
    { "NV10", "NV10", ALL_NV10 }, { "NV15", "NV18", ALL_NV15 },   { "NV20", "NV28", ALL_NV20 },
    { "NV30", "NV34", ALL_NV30 }, { "NV40", "G80", ALL_NV40 },    { "G84", "G86", ALL_G84 },
    { "G92", "MCP79", ALL_G92 },  { "GT215", "MCP89", ALL_GT215 }
};

static const struct pc_chip *chip(const char *name)
{
    const struct pc_chip *c = pc_chip_find(name);

    if (!c)
        fail_msg("%s is missing", name);
    return c;
}

static bool is_excluded(const char *name)
{
    static const char *const excluded[] = { "NV1A", "NV11", "NV17", "NV18", "C51" };

    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++)
        if (strcmp(name, excluded[i]) == 0)
            return true;
    return false;
}

/* Verifies that the chips stand in the order that ranges are about.  PC.CHIP.3, D-10 */
static void order_is_the_feature_order(void **state)
{
    static const char *const order[] = {
        "NV10",  "NV15",  "NV1A",  "NV11",  "NV17",  "NV1F",  "NV18",  "NV20", "NV2A",  "NV25",
        "NV28",  "NV30",  "NV35",  "NV31",  "NV36",  "NV34",  "NV40",  "NV45", "NV41",  "NV42",
        "NV43",  "NV44",  "NV44A", "G70",   "G71",   "G73",   "G72",   "C51",  "MCP61", "MCP67",
        "MCP68", "MCP73", "RSX",   "G80",   "G84",   "G86",   "G92",   "G94",  "G96",   "G98",
        "G200",  "MCP77", "MCP79", "GT215", "GT216", "GT218", "MCP89", "GF100"
    };

    (void)state;
    for (size_t i = 1; i < sizeof order / sizeof order[0]; i++)
        if (chip(order[i - 1])->order >= chip(order[i])->order)
            fail_msg("%s does not come before %s", order[i - 1], order[i]);
}

/* Verifies that the excluded chips have no unit and that the error says so.  PC.CHIP.1, PC.CHIP.2,
 * D-08, D-09 */
static void excluded_chips_have_no_unit(void **state)
{
    static const char *const excluded[] = { "NV1A", "NV11", "NV17", "NV18", "C51" };

    (void)state;
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        struct pc_unit_desc desc = { .chip = chip(excluded[i]) };
        struct pc_error err = { 0 };
        struct pc_unit *unit = NULL;

        assert_int_equal(pc_unit_create(&desc, &unit, &err), PC_ENOUNIT);
        assert_null(unit);
        assert_int_equal(err.status, PC_ENOUNIT);
        if (!strstr(err.text, "no PCOUNTER"))
            fail_msg("%s: the error does not say \"no PCOUNTER\": %s", excluded[i], err.text);
    }
}

/* Verifies that every other chip from NV10 on has one, and needs no enabling.  PC.CHIP.1,
 * PC.CHIP.5, D-89 */
static void other_chips_have_a_unit(void **state)
{
    (void)state;
    for (unsigned o = chip("NV10")->order; o < chip("GF100")->order; o++)
        for (size_t i = 0; i < pc_chip_count(); i++) {
            const struct pc_chip *c = pc_chip_at(i);
            struct rig rig;

            if (c->order != o || is_excluded(c->name))
                continue;
            rig_open(&rig, c, 0, 0);
            rig_start_single(&rig, 0, 0, 0);
            rig_play(&rig, "p s . . . x");
            assert_int_equal(rig_count(&rig, CTR_CYCLES), 4);
            rig_close(&rig);
        }
}

/* Verifies that GF100 is not taken for one set of domains of these layouts.  PC.CHIP.7, D-10 */
static void gf100_is_not_of_this_layout(void **state)
{
    struct pc_unit_desc desc = { .chip = chip("GF100") };
    struct pc_error err = { 0 };
    struct pc_unit *unit = NULL;

    (void)state;
    assert_int_equal(desc.chip->layout, PC_LAYOUT_GF100);
    assert_int_not_equal(pc_unit_create(&desc, &unit, &err), PC_OK);
    assert_null(unit);
    assert_true(err.text[0] != '\0');
}

/* Verifies the layout and the features of each range.  PC.CHIP.3, PC.CHIP.6, D-10 */
static void ranges_have_their_features(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
        for (size_t i = 0; i < pc_chip_count(); i++) {
            const struct pc_chip *c = pc_chip_at(i);
            bool nv40 = c->order >= chip("NV40")->order;

            if (c->order < chip(ranges[r].first)->order || c->order > chip(ranges[r].last)->order ||
                is_excluded(c->name))
                continue;
            if (c->layout != (nv40 ? PC_LAYOUT_NV40 : PC_LAYOUT_NV10))
                fail_msg("%s: layout %d", c->name, (int)c->layout);
            if (c->features != ranges[r].features)
                fail_msg("%s: features %05" PRIx32 ", not %05" PRIx32, c->name, c->features,
                         ranges[r].features);
        }
}

/* Verifies the number of domains and that the last 32 signals of each are its trailer.  PC.CHIP.4,
 * PC.TRAIL.1, D-15 */
static void domains_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *c = pc_chip_at(i);
        if (c->order >= chip("GF100")->order || is_excluded(c->name))
            continue;
        if (c->order < chip("NV20")->order)
            assert_int_equal(c->domains, 1);
        else if (c->order < chip("NV40")->order)
            assert_int_equal(c->domains, 2);
        else
            assert_in_range(c->domains, 4, 8);
        for (unsigned d = 0; d < c->domains; d++) {
            assert_in_range(c->domain[d].size, 0x20, 0x100);
            assert_int_equal(c->domain[d].trailer_base % 0x20, 0);
            assert_int_equal(c->domain[d].trailer_base + 0x20, c->domain[d].size);
        }
    }
}

/* Verifies the number of domains that the lists of signals give to single chips.  PC.CHIP.4, D-15
 */
static void domains_of_known_chips(void **state)
{
    static const struct {
        const char *name;
        unsigned domains;
    } known[] = { { "NV10", 1 },  { "NV1F", 1 },  { "NV34", 2 },  { "NV40", 5 }, { "NV44", 4 },
                  { "MCP73", 4 }, { "G80", 5 },   { "G84", 8 },   { "G98", 8 },  { "G200", 8 },
                  { "MCP77", 7 }, { "MCP79", 7 }, { "GT215", 8 }, { "MCP89", 8 } };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(chip(known[i].name)->domains, known[i].domains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_the_feature_order), cmocka_unit_test(excluded_chips_have_no_unit),
        cmocka_unit_test(other_chips_have_a_unit),    cmocka_unit_test(gf100_is_not_of_this_layout),
        cmocka_unit_test(ranges_have_their_features), cmocka_unit_test(domains_are_counted),
        cmocka_unit_test(domains_of_known_chips),
    };

    return cmocka_run_group_tests_name("chips", tests, NULL, NULL);
}
