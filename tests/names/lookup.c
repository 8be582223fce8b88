/* SPDX-License-Identifier: MIT */
/*
 * Names of all chips against themselves: in order, inside of their domains, each found again by
 * its name, its aliases and its position; what is not there is refused with near names.
 */
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static struct pc_names *open_names(const char *chip)
{
    struct pc_names *n;
    struct pc_error err;

    assert_non_null(pc_chip_find(chip));
    test_ok(pc_names_open(NULL, pc_chip_find(chip), &n, &err), &err);
    return n;
}

static unsigned domain_of(const char *chip, const char *name)
{
    struct pc_error err;
    unsigned domain;

    test_ok(pc_chip_find_domain(pc_chip_find(chip), name, &domain, &err), &err);
    return domain;
}

/* A name may stand in an expression: words with dots and indices, and no number. */
static void check_spelling(const char *name)
{
    bool digits = true;

    assert_in_range(strlen(name), 1, 60);
    assert_true(islower((unsigned char)name[0]));
    for (const char *c = name; *c; c++) {
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || strchr("_.[]", *c));
        assert_false(c[0] == '.' && (c[1] == '.' || c[1] == '\0'));
        digits = digits && isxdigit((unsigned char)*c);
    }
    assert_false(digits);
}

static void check_found(const struct pc_names *n, const char *name, const struct pc_signal *want)
{
    struct pc_signal got;
    struct pc_error err;

    test_ok(pc_names_find(n, want->domain, name, &got, &err), &err);
    assert_int_equal(got.position, want->position);
    assert_string_equal(got.name, want->name);
}

static void check_signal(const struct pc_names *n, const struct pc_signal *s)
{
    struct pc_signal got;
    char alias[64];

    check_spelling(s->name);
    check_found(n, s->name, s);
    for (const char *a = s->aliases; *a; a += strspn(a, " ")) {
        size_t size = strcspn(a, " ");
        snprintf(alias, sizeof alias, "%.*s", (int)size, a);
        check_spelling(alias);
        check_found(n, alias, s);
        a += size;
    }
    assert_true(pc_names_position(n, s->domain, s->position, &got));
    assert_string_equal(got.name, s->name);
    snprintf(alias, sizeof alias, "s%02x", s->position);
    check_found(n, alias, s);
    snprintf(alias, sizeof alias, "s[%u]", s->position);
    check_found(n, alias, s);
    assert_in_range(s->confidence, PC_CONF_DOC, PC_CONF_SUSPECT);
    assert_true(s->origin[0] != '\0');
}

static void every_name_of_every_chip(void **state)
{
    size_t total = 0;

    (void)state;
    for (size_t c = 0; c < pc_chip_count(); c++) {
        const struct pc_chip *chip = pc_chip_at(c);
        struct pc_names *n = open_names(chip->name);
        struct pc_chip_domain place;
        struct pc_chip of_set;
        struct pc_signal s;
        unsigned d = 0;
        assert_ptr_equal(pc_names_chip(n), chip);
        for (; pc_chip_get_domain(chip, d, &place); d++) {
            int last = -1;
            test_ok(pc_chip_of_set(chip, place.set, &of_set, NULL), NULL);
            for (size_t i = 0; pc_names_at(n, d, i, &s); i++, total++) {
                assert_int_equal(s.domain, d);
                assert_true((int)s.position > last);
                assert_true(s.position < of_set.domain[place.domain].size);
                assert_int_equal(s.kind, pc_chip_signal(&of_set, place.domain, s.position).kind);
                last = (int)s.position;
                check_signal(n, &s);
            }
            assert_false(pc_names_at(n, d, pc_names_count(n, d), &s));
        }
        assert_int_equal(pc_names_count(n, d), 0);
        assert_false(pc_names_at(n, d, 0, &s));
        pc_names_close(n);
    }
    assert_true(total > 5000);
}

/* Everything that the unit drives is listed, at the place where the unit has it. */
static void what_the_unit_drives(void **state)
{
    struct pc_names *n = open_names("G92");
    struct pc_signal s;
    struct pc_error err;
    const struct {
        const char *name;
        enum pc_signal_kind kind;
        unsigned index;
    } want[] = {
        { "dom[3].flag", PC_SIG_DOM_FLAG, 3 },
        { "dom3.flag", PC_SIG_DOM_FLAG, 3 },
        { "flag", PC_SIG_DOM_FLAG, 1 },
        { "dom[7].event", PC_SIG_DOM_EVENT, 7 },
        { "periodic", PC_SIG_PERIODIC, 0 },
        { "zero", PC_SIG_ZERO, 0 },
        { "pm_trigger", PC_SIG_PM_TRIGGER, 0 },
        { "pgraph.pm_trigger", PC_SIG_PM_TRIGGER, 0 },
        { "wrcache_flush", PC_SIG_WRCACHE_FLUSH, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        test_ok(pc_names_find(n, 1, want[i].name, &s, &err), &err);
        assert_int_equal(s.kind, want[i].kind);
        assert_int_equal(s.position, pc_chip_signal_position(pc_chip_find("G92"), 1, want[i].kind,
                                                             want[i].index));
        assert_string_equal(s.origin, "unit");
    }
    pc_names_close(n);
}

static void names_of_gf100(void **state)
{
    struct pc_names *n = open_names("GF100");
    struct pc_signal s;
    struct pc_error err;
    unsigned gpc2 = domain_of("GF100", "gpc2.0"), hub0 = domain_of("GF100", "hub0");

    (void)state;
    test_ok(pc_names_find(n, gpc2, "GPC.TPC.L1.MUX_0", &s, &err), &err);
    assert_int_equal(s.position, 2);
    assert_int_equal(s.filter, 0x16);
    assert_string_equal(s.mux, "gf100_l1");
    assert_string_equal(s.aliases, "gpc00_l1_02");
    assert_string_equal(s.origin, "doc nouveau");
    test_ok(pc_names_find(n, PC_NAMES_ANY, "gpc00_l1_02", &s, &err), &err);
    assert_int_equal(s.domain, domain_of("GF100", "gpc0.0"));
    /* the size of hub0 is assumed, so its trailer signals are */
    test_ok(pc_names_find(n, hub0, "paused", &s, &err), &err);
    assert_int_equal(s.confidence, PC_CONF_ASSUMED);
    test_ok(pc_names_find(n, hub0, "main.b3", &s, &err), &err);
    assert_int_equal(s.position, 0xc0 + 0x26);
    assert_int_equal(s.kind, PC_SIG_RAW);
    pc_names_close(n);
}

static void without_a_name(void **state)
{
    struct pc_names *n = open_names("G84");
    struct pc_signal s;
    struct pc_error err;

    (void)state;
    assert_true(pc_names_position(n, 2, 0x90 - 1, &s)); /* 8f: PM_TRIGGER */
    assert_true(pc_names_position(n, 0, 0x3f, &s));
    assert_string_equal(s.name, "s3f");
    assert_int_equal(s.confidence, PC_CONF_UNKNOWN);
    assert_false(pc_names_position(n, 0, 0x60, &s));
    assert_false(pc_names_position(n, 8, 0, &s));
    test_ok(pc_names_find(n, 0, "s[63]", &s, &err), &err);
    assert_int_equal(s.position, 63);
    assert_int_equal(pc_names_find(n, 0, "s60", &s, &err), PC_ENOENT);
    assert_int_equal(err.code, 1403);
    assert_int_equal(pc_names_find(n, 0, "s[4294967299]", &s, &err), PC_ENOENT);
    assert_int_equal(err.code, 1403);
    pc_names_close(n);
}

static void refusals(void **state)
{
    struct pc_names *n = open_names("G84");
    struct pc_signal s = { .position = 1234 };
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_names_find(n, 1, "pgraph.idel", &s, &err), PC_ENOENT);
    assert_int_equal(err.code, 1400);
    assert_non_null(strstr(err.hint, "pgraph.idle"));
    assert_int_equal(pc_names_find(n, 0, "pgraph.idle", &s, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "domain 1 has it"));
    assert_int_equal(pc_names_find(n, 1, "pc01_vfetch_1g", &s, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "pc01_vfetch_1"));
    assert_int_equal(pc_names_find(n, 8, "flag", &s, &err), PC_ENOENT);
    assert_int_equal(err.code, 1402);
    assert_int_equal(pc_names_find(n, PC_NAMES_ANY, "flag", &s, &err), PC_EAMBIG);
    assert_int_equal(err.code, 1401);
    assert_int_equal(pc_names_find(n, PC_NAMES_ANY, "nothing", &s, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "list signals -a G84"));
    /* what is nearly a position is not taken for one */
    static const char *const nearly[] = { "s[", "s[x]", "s[1", "s[1]x", "s[1]]",
                                          "s2", "sxy",  "s2x", "s2a1" };
    for (size_t i = 0; i < sizeof nearly / sizeof nearly[0]; i++) {
        assert_int_equal(pc_names_find(n, 1, nearly[i], &s, &err), PC_ENOENT);
        assert_int_equal(err.code, 1400);
    }
    assert_int_equal(pc_names_find(n, 1, "S7", &s, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "two hexadecimal digits: s07"));
    /* nothing like it here, but elsewhere; and the unit that it nearly names */
    assert_int_equal(pc_names_find(n, 0, "pc01_vfetch_1g", &s, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "did you mean pc01_vfetch_1"));
    assert_int_equal(s.position, 1234); /* untouched */
    assert_string_equal(pc_confidence_name((enum pc_confidence)99), "?");
    pc_names_close(n);
}

/* Verifies that a position without a domain is that of the only domain, and in doubt where there
 * are several. */
static void positions_anywhere(void **state)
{
    static const struct {
        const char *chip, *name;
        enum pc_status status;
        unsigned domain, position;
    } cases[] = {
        { "NV10", "s10", PC_OK, 0, 0x10 },     { "NV10", "S[16]", PC_OK, 0, 0x10 },
        { "NV10", "sff", PC_ENOENT, 77, 77 },  { "NV10", "s[999]", PC_ENOENT, 77, 77 },
        { "G92", "s10", PC_EAMBIG, 77, 77 },   { "G92", "s[16]", PC_EAMBIG, 77, 77 },
        { "GK104", "s10", PC_EAMBIG, 77, 77 }, { "GK104", "sff", PC_OK, 9, 0xff }, /* gpcN.1 */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_signal s = { .domain = 77, .position = 77 };
        struct pc_names *n;
        struct pc_error err = { .text = "" };

        test_ok(pc_names_open(NULL, pc_chip_find(cases[i].chip), &n, &err), &err);
        if (pc_names_find(n, PC_NAMES_ANY, cases[i].name, &s, &err) != cases[i].status)
            fail_msg("%s %s: %s", cases[i].chip, cases[i].name, err.text);
        assert_int_equal(s.domain, cases[i].domain);
        assert_int_equal(s.position, cases[i].position);
        pc_names_close(n);
    }
}

/* D-93: on MCP77 nouveau uses the table of G84, which the documents contradict */
static void suspect_rows_say_so(void **state)
{
    struct pc_names *n = open_names("MCP77");
    struct pc_signal s;
    struct pc_error err;

    (void)state;
    test_ok(pc_names_find(n, 1, "pc01_vfetch_00", &s, &err), &err);
    assert_int_equal(s.confidence, PC_CONF_SUSPECT);
    assert_string_equal(pc_confidence_name(s.confidence), "suspect");
    pc_names_close(n);
}

static void settings(void **state)
{
    static const struct {
        const char *chip, *text;
        struct pc_setting want;
        unsigned code; /* 0: it is fine */
    } cases[] = {
        { "G92", "g84_vfetch=1", { 0x400c0c, 3, 1 }, 0 },
        { "G92", "pgraph_vfetch_unk0c.unk0=0x3", { 0x400c0c, 3, 3 }, 0 },
        { "G80", "pgraph_vfetch_unk0c.unk0=1", { 0x400c0c, 1, 1 }, 0 }, /* one bit there */
        { "G92", "pgraph_rop0_zrop_pm_mux.sel1=5", { 0x40708c, 0x800f0000, 0x80050000 }, 0 },
        { "NV40", "0x400c0c=0x10", { 0x400c0c, UINT32_MAX, 0x10 }, 0 },
        { "G80", "pgraph_vfetch_unk0c.unk0=2", { 0 }, 1406 },
        { "G92", "g84_vfetch=4", { 0 }, 1406 },
        { "G92", "g84_vfetch=-1", { 0 }, 1406 },
        { "G92", "g84_vfetch= 1", { 0 }, 1406 },
        { "G92", "g84_vfetch=1x", { 0 }, 1406 },
        { "G92", "g84_vfetch=", { 0 }, 1406 },
        { "G92", "g84_vfetch", { 0 }, 1406 },
        { "G92", "=1", { 0 }, 1406 },
        { "G92", "", { 0 }, 1406 },
        { "G92", "0x=1", { 0 }, 1406 },
        { "G92", "0x12g=1", { 0 }, 1406 },
        { "G92", "0x100000000=1", { 0 }, 1406 },
        { "G92", "0x400c0e=1", { 0 }, 1406 },
        { "G92", "0x400c0c=0x100000000", { 0 }, 1406 },
        { "G92", "g84_vfetch=010", { 0 }, 1406 }, /* neither 8 nor 10 */
        { "G92", "0x400c0c=00000010", { 0 }, 1406 },
        { "G92", "nv50_zrop=1", { 0 }, 1407 },
        { "G92", "nv50_vfetch=1", { 0 }, 1408 },
        { "NV40", "g84_vfetch=1", { 0 }, 1408 },
        { "G92", "g84_vfech=1", { 0 }, 1404 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_setting got = { 7, 8, 9 };
        struct pc_error err = { .code = 0 };
        enum pc_status status =
            pc_setting_parse(pc_chip_find(cases[i].chip), cases[i].text, &got, &err);
        if (status == PC_OK ? cases[i].code != 0 : err.code != cases[i].code)
            fail_msg("%s %s: %u %s", cases[i].chip, cases[i].text, err.code, err.text);
        assert_int_equal(got.address, status ? 7 : cases[i].want.address);
        assert_int_equal(got.mask, status ? 8 : cases[i].want.mask);
        assert_int_equal(got.value, status ? 9 : cases[i].want.value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_of_every_chip),
        cmocka_unit_test(what_the_unit_drives),
        cmocka_unit_test(names_of_gf100),
        cmocka_unit_test(without_a_name),
        cmocka_unit_test(refusals),
        cmocka_unit_test(positions_anywhere),
        cmocka_unit_test(suspect_rows_say_so),
        cmocka_unit_test(settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
