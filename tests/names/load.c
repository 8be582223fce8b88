/* SPDX-License-Identifier: MIT */
/*
 * Tables of the user's: what they add and replace, what is refused and where, and that nothing is
 * kept of a table with a mistake, nor when memory runs out.
 */
#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pc_names *open_names(const char *chip)
{
    struct pc_names *n;
    struct pc_error err;

    test_ok(pc_names_open(NULL, pc_chip_find(chip), &n, &err), &err);
    return n;
}

static size_t load(struct pc_names *n, const char *text)
{
    struct pc_error err;
    size_t added = 0;

    test_ok(pc_names_load(n, text, strlen(text), &added, &err), &err);
    return added;
}

static struct pc_signal find(const struct pc_names *n, unsigned domain, const char *name)
{
    struct pc_signal s;
    struct pc_error err;

    test_ok(pc_names_find(n, domain, name, &s, &err), &err);
    return s;
}

static void a_row_adds_a_name(void **state)
{
    struct pc_names *n = open_names("NV40");
    size_t before = pc_names_count(n, 1);

    (void)state;
    assert_int_equal(load(n, "chip,domain,position,name,description,mux\r\n"
                             "# measured with a logic analyser\r\n"
                             "\r\n"
                             "NV40, 1, s2a, idle.any, \"idle, \"\"any\"\" unit\"\r\n"
                             "G92,1,0x2b,other.chip\r\n"
                             "*,1,44,Every.Chip[3],,0x400c0c=0x3 nv50_zcull\r\n"),
                     2);
    struct pc_signal s = find(n, 1, "idle.any");
    assert_int_equal(s.position, 0x2a);
    assert_int_equal(s.confidence, PC_CONF_USER);
    assert_string_equal(s.origin, "user");
    assert_string_equal(s.about, "idle, \"any\" unit");
    s = find(n, 1, "every.chip[3]");
    assert_int_equal(s.position, 44);
    assert_string_equal(s.mux, "0x400c0c=0x3 nv50_zcull");
    assert_int_equal(pc_names_count(n, 1), before + 2);
    assert_true(pc_names_position(n, 1, 0x2b, &s));
    assert_string_equal(s.name, "s2b");
    pc_names_close(n);
}

/* By position and by name, in its domain alone; a later table replaces an earlier one. */
static void a_row_replaces(void **state)
{
    struct pc_names *n = open_names("MCP77");
    struct pc_signal s;
    struct pc_error err;

    (void)state;
    assert_int_equal(find(n, 1, "pc01_vfetch_00").position, 0x66);
    assert_int_equal(load(n, "MCP77,1,0x66,right.name\nMCP77,1,3,pgraph.idle\n"), 2);
    assert_int_equal(pc_names_find(n, 1, "pc01_vfetch_00", &s, &err), PC_ENOENT);
    assert_true(pc_names_position(n, 1, 0x66, &s));
    assert_string_equal(s.name, "right.name");
    assert_int_equal(find(n, 1, "pgraph.idle").position, 3);
    assert_int_equal(load(n, "MCP77,1,4,right.name\n"), 1);
    assert_int_equal(find(n, 1, "right.name").position, 4);
    assert_true(pc_names_position(n, 1, 0x66, &s));
    assert_string_equal(s.name, "s66");
    pc_names_close(n);
}

/* What the unit drives keeps its names beside the user's. */
static void a_driven_signal_keeps_its_name(void **state)
{
    struct pc_names *n = open_names("GT215");
    struct pc_signal s;
    unsigned position = find(n, 3, "user_0").position;
    char text[80];

    (void)state;
    snprintf(text, sizeof text, "GT215,3,%u,frame.start\n", position);
    assert_int_equal(load(n, text), 1);
    assert_int_equal(find(n, 3, "frame.start").position, position);
    assert_int_equal(find(n, 3, "frame.start").kind, PC_SIG_USER);
    assert_int_equal(find(n, 3, "user_0").position, position);
    assert_true(pc_names_position(n, 3, position, &s));
    assert_string_equal(s.name, "frame.start");
    pc_names_close(n);
}

static void a_row_for_all_units(void **state)
{
    struct pc_names *n = open_names("GF100");
    struct pc_signal s;
    unsigned domain;

    (void)state;
    assert_int_equal(load(n, "GF100,gpc0,0x14,all.gpcs\nGF100,part1.0,0x14,one.part\n"), 2);
    test_ok(pc_chip_find_domain(pc_names_chip(n), "gpc3.0", &domain, NULL), NULL);
    assert_int_equal(find(n, domain, "all.gpcs").position, 0x14);
    assert_int_equal(find(n, PC_NAMES_ANY, "all.gpcs").position, 0x14);
    test_ok(pc_chip_find_domain(pc_names_chip(n), "part1.0", &domain, NULL), NULL);
    assert_int_equal(find(n, domain, "one.part").position, 0x14);
    test_ok(pc_chip_find_domain(pc_names_chip(n), "part2.0", &domain, NULL), NULL);
    assert_true(pc_names_position(n, domain, 0x14, &s));
    assert_string_not_equal(s.name, "one.part");
    pc_names_close(n);
}

static const struct {
    const char *text;
    unsigned code, line, column;
    const char *says;
} bad[] = {
    { "G84", 1410, 1, 1, "the domain is missing" },
    { "G84,1,2", 1410, 1, 7, "the name is missing" },
    { "G84,,2,a", 1410, 1, 5, "the domain is missing" },
    { "G84,1,2,a,b,,g", 1410, 1, 14, "seventh" },
    { "# x\n\nG84,1,2,\"a", 1411, 3, 9, "not closed" },
    { "G84,1,2,\"a\"b", 1411, 1, 12, "comma" },
    { "G84,1,2,\"a\"  b", 1411, 1, 14, "comma" },
    { "G84,1,2,a\"b", 1411, 1, 10, "quotation mark" },
    { "G84,1,2,a,x\ty", 1411, 1, 11, "control" },
    { "G85,1,2,a", 1412, 1, 1, "\"G85\" is not a chip" },
    { "G84,1,2,ab.c\nG84,8,2,b", 1413, 2, 5, "no domain \"8\"" },
    { "GF100,gpc1,2,b", 1413, 1, 7, "no domain \"gpc1\"" },
    { "GT215,pdaemon,2,b", 1413, 1, 7, "no domain \"pdaemon\"" },
    { "G84,1,x,b", 1414, 1, 7, "not a position" },
    { "G84,1,-1,b", 1414, 1, 7, "not a position" },
    { "G84,1,0x,b", 1414, 1, 7, "not a position" },
    { "G84,1,256,b", 1414, 1, 7, "outside" },
    { "G84,1,99999999999999999999,b", 1414, 1, 7, "outside" },
    { "G84,0,0x60,b", 1414, 1, 7, "outside" },
    { "*,0,0x100,b", 1414, 1, 5, "outside" },
    { "G84,1,2,dead", 1415, 1, 9, "hexadecimal number" },
    { "G84,1,2,s2b", 1415, 1, 9, "by its position" },
    { "G84,1,2,s[7]", 1415, 1, 9, "by its position" },
    { "G84,1,2,a..b", 1415, 1, 9, "not a name" },
    { "G84,1,2,a.", 1415, 1, 9, "not a name" },
    { "G84,1,2,.a", 1415, 1, 9, "not a name" },
    { "G84,1,2,a b", 1415, 1, 9, "not a name" },
    { "G84,1,2,a[x]", 1415, 1, 9, "not a name" },
    { "G84,1,2,a[1", 1415, 1, 9, "not a name" },
    { "G84,1,2,9a.x", 1415, 1, 9, "not a name" },
    { "G84,1,2,a[1]x", 1415, 1, 9, "not a name" },
    { "G84,1,2,a[1]x.y", 1415, 1, 9, "not a name" },
    { "G84,1,2,flag", 1415, 1, 9, "drives itself" },
    { "G84,1,2,xy\nG84,1,s02,yz", 1416, 2, 7, "line 1" },
    { "G84,1,2,xy\nG84,1,3,XY", 1416, 2, 9, "line 1" },
    { "G84,1,2,xy,,g84_vfetc", 1417, 1, 13, "neither a source" },
    { "G84,1,2,xy,,0x400c0c=1 0x400c=", 1417, 1, 31, "not a value" },
    { "G84,1,2,xy,,g84_vfetch=1x", 1417, 1, 24, "not a value" },
    { "G84,1,2,xy,,g84_vfetch=010", 1417, 1, 24, "not a value" },
    { "G84,1,2,xy,,0x400c0c", 1417, 1, 13, "ADDRESS=VALUE" },
};

static void refusals_say_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct pc_names *n = open_names("G84");
        size_t count = pc_names_count(n, 1), added = 1234;
        struct pc_error err;
        enum pc_status status = pc_names_load(n, bad[i].text, strlen(bad[i].text), &added, &err);
        if (status == PC_OK || err.code != bad[i].code || err.line != bad[i].line ||
            err.column != bad[i].column || !strstr(err.text, bad[i].says))
            fail_msg("%s: %u at %u:%u: %s", bad[i].text, err.code, err.line, err.column, err.text);
        assert_int_equal(added, 1234);
        assert_int_equal(pc_names_count(n, 1), count);
        pc_names_close(n);
    }
}

/* The mark of UTF-8, blanks before a row and after quotation marks, a last line without its end.
 */
static void what_may_stand_around(void **state)
{
    struct pc_names *n = open_names("G84");

    (void)state;
    assert_int_equal(
        load(n, "\xef\xbb\xbf"
                "chip,domain,position,name\n  G84,1,2,\"xy\"  ,about  \n   \n G84,1,3,yz"),
        2);
    assert_int_equal(find(n, 1, "xy").position, 2);
    assert_string_equal(find(n, 1, "xy").about, "about");
    assert_int_equal(find(n, 1, "yz").position, 3);
    assert_int_equal(load(n, "\xef\xbb\xbf"), 0);
    assert_int_equal(load(n, ""), 0);
    pc_names_close(n);
}

/* `before`, `count` times the letter x, `after`: code and column, 0 where it is taken. */
static void check_size(const char *before, int count, const char *behind, unsigned code,
                       unsigned column)
{
    struct pc_names *n = open_names("G84");
    struct pc_error err = { .code = 0 };
    char text[1100], many[1024];

    memset(many, 'x', sizeof many);
    int size = snprintf(text, sizeof text, "%s%.*s%s", before, count, many, behind);
    enum pc_status status = pc_names_load(n, text, (size_t)size, NULL, &err);
    if ((status == PC_OK) != (code == 0) || err.code != code || (code && err.column != column))
        fail_msg("%s, %d x, %s: %u, column %u: %s", before, count, behind, err.code,
                 (unsigned)err.column, err.text);
    pc_names_close(n);
}

static void sizes_end_where_they_say(void **state)
{
    struct pc_names *n = open_names("G84");
    enum { LARGEST = 16 << 20 };
    char *blanks = malloc(LARGEST + 1);
    struct pc_error err;

    (void)state;
    check_size("G84,1,2,", 63, "", 0, 0);
    check_size("G84,1,2,", 64, "", 1415, 9);
    check_size("G84,1,2,xy,", 511, "", 0, 0);
    check_size("G84,1,2,xy,", 512, "", 1411, 12);
    check_size("G84,1,2,xy,\"", 511, "\"", 0, 0);
    check_size("G84,1,2,xy,\"", 512, "\"", 1411, 12);
    check_size("G84,1,2,xy,\"\"\"", 510, "\"", 0, 0);
    assert_non_null(blanks);
    memset(blanks, ' ', LARGEST + 1);
    test_ok(pc_names_load(n, blanks, LARGEST, NULL, &err), &err);
    assert_int_equal(pc_names_load(n, blanks, LARGEST + 1, NULL, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1418);
    free(blanks);
    pc_names_close(n);
}

static void near_names_are_offered(void **state)
{
    struct pc_names *n = open_names("G84");
    struct pc_error err;
    static const char source[] = "G84,1,2,xy,,g84_vfetc", chip[] = "G9,1,2,xy",
                      nul[] = "G84,1,2,x\0y\n";

    (void)state;
    assert_int_equal(pc_names_load(n, source, sizeof source - 1, NULL, &err), PC_EINPUT);
    assert_non_null(strstr(err.hint, "g84_vfetch"));
    assert_int_equal(pc_names_load(n, chip, sizeof chip - 1, NULL, &err), PC_EINPUT);
    assert_non_null(strstr(err.hint, "G9"));
    assert_int_equal(pc_names_load(n, nul, sizeof nul - 1, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 1411);
    assert_int_equal(err.column, 10);
    pc_names_close(n);
}

static enum pc_status load_all(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    static const char text[] = "G84,1,2,xy,about,g84_vfetch\nG84,2,2,yz\n";
    struct pc_names *n = NULL;
    enum pc_status status = pc_names_open(alloc, pc_chip_find("G84"), &n, err);

    (void)ctx;
    /* as many rows as make the arrays grow */
    for (size_t i = 0; status == PC_OK && i < 100; i++) {
        char row[100];
        snprintf(row, sizeof row, "G84,1,%zu,name_that_takes_some_room_in.x%zu\n", i, i);
        status = pc_names_load(n, row, strlen(row), NULL, err);
    }
    if (status == PC_OK)
        status = pc_names_load(n, text, sizeof text - 1, NULL, err);
    pc_names_close(n);
    return status;
}

static void memory_that_runs_out(void **state)
{
    (void)state;
    test_refuse_each(load_all, NULL, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_adds_a_name),
        cmocka_unit_test(a_row_replaces),
        cmocka_unit_test(a_driven_signal_keeps_its_name),
        cmocka_unit_test(a_row_for_all_units),
        cmocka_unit_test(refusals_say_where),
        cmocka_unit_test(what_may_stand_around),
        cmocka_unit_test(sizes_end_where_they_say),
        cmocka_unit_test(near_names_are_offered),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
