/* SPDX-License-Identifier: MIT */
/*
 * Streams of taps that say something wrong, each with its error, and rare forms that are right:
 * events, clocks without signals, inverted conditions, many variables.
 */
#include "texts.h"

#include <stdlib.h>
#include <string.h>

#include "pcounter/pcounter.h"

#define NAMED       "H\x0c\6a test"
#define CLK         "V\0\0\4wire\1\0\0\3clk"   /* variable 0 */
#define V           "V\0\2\4wire\x0a\x12\0\1v" /* variable 1: [9:0] */
#define E           "V\3\0\5event\1\0\0\1e"    /* variable 2 */
#define ALL         NAMED CLK V E
#define TOO_MUCH    "\x80\x80\x80\x80\x80\x80\x80\x80\x80\2"
#define MOST        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1" /* 2^64 - 1 */
#define BYTES(text) text, sizeof(text) - 1

static struct pc_wave *open_bytes(const char *bytes, size_t size, struct pc_error *err)
{
    uint8_t whole[4096];
    const struct pc_wave_desc desc = { .limits = { .max_name_bytes = 100 } };

    assert_true(PC_TAP_HEAD + size <= sizeof whole);
    memcpy(whole, PC_TAP_MAGIC, PC_TAP_HEAD);
    memcpy(whole + PC_TAP_HEAD, bytes, size);
    return text_try(whole, PC_TAP_HEAD + size, &desc, err);
}

static void declarations(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        unsigned code;
        const char *says;
    } cases[] = {
        { BYTES("R"), 790, "no simulator has named itself" },
        { BYTES(""), 790, "the simulation ended before its signals were declared" },
        { BYTES(ALL), 790, "the simulation ended before its signals were declared" },
        { BYTES("H\x10\1s"), 790, "the precision is 10^-16 s" },
        { BYTES(NAMED NAMED), 790, "a second simulator names itself" },
        { BYTES(NAMED "U"), 790, "no scope is open" },
        { BYTES(NAMED "Z"), 790, "a record 0x5a, which declares nothing" },
        { BYTES(NAMED "S\x65"), 511, "a name has more than 100 bytes" },
        { BYTES(NAMED "S" TOO_MUCH), 790, "a number has more than 64 bits" },
        { BYTES(NAMED "V\4\0\1t\1\0\0\1a"), 790, "a variable is of no known kind" },
        { BYTES(NAMED "V\0\0\x20"
                      "abcdefghijklmnopqrstuvwxyz012345"
                      "\1\0\0\1a"),
          790, "a variable is of no known kind" },
        { BYTES(NAMED "V\0\0\4wire\0\0\0\1a"), 790, "a variable has 0 bits" },
        { BYTES(NAMED "V\0\0\4wire\x80\x80\x80\x80\x10\0\0\1a"), 790,
          "a variable has 4294967296 bits" },
        { BYTES(NAMED "V\0\2\4wire\1\x80\x80\x80\x80\x10\0\1a"), 790,
          "a bound of a range has more than 32 bits" },
        { BYTES(NAMED "V\0\2\4wire\1\0\x83\x80\x80\x80\x10\1a"), 790,
          "a bound of a range has more than 32 bits" },
        { BYTES(ALL "V\0\4\4wire\1\0\0\1a\3"), 790, "unknown variable 3" },
        { BYTES(ALL "V\0\4\4wire\2\0\0\1a\0"), 790,
          "a variable is another one, which is not alike" },
        { BYTES(ALL "V\0\4\4wire\1\0\0\1a\2"), 790,
          "a variable is another one, which is not alike" },
        { BYTES(ALL "K\3\0\0"), 790, "unknown variable 3" },
        { BYTES(ALL "K\1\0\0"), 790, "a clock has more than one bit, or there are too many" },
        { BYTES(ALL "K\2\0\0"), 790, "a clock has more than one bit, or there are too many" },
        { BYTES(ALL "K\0\0\x81\x80\x40"), 790,
          "a clock has more than one bit, or there are too many" },
        { BYTES(ALL "K\0\0\2\1\2"), 790,
          "a row has more than 1048576 bits, or a variable without bits" },
        { BYTES(ALL "F\1\0"), 791, "the simulation failed, and gave no reason" },
        { BYTES("F\0\4away"), 794, "away" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_error err = { .code = 0 };
        struct pc_wave *wave = open_bytes(cases[i].bytes, cases[i].size, &err);
        if (wave || err.code != cases[i].code || strcmp(err.text, cases[i].says) != 0)
            fail_msg("case %zu: %u %s", i, err.code, err.text);
    }
}

static void too_many_clocks(void **state)
{
    char bytes[400] = ALL;
    size_t size = sizeof ALL - 1;
    struct pc_error err;

    (void)state;
    memcpy(bytes, ALL, size);
    for (unsigned i = 0; i < 33; i++, size += 4)
        memcpy(bytes + size, "K\0\0\0", 4);
    assert_null(open_bytes(bytes, size, &err));
    assert_int_equal(err.code, 790);
    bytes[size - 4] = 'R'; /* 32 are possible */
    struct pc_wave *wave = open_bytes(bytes, size - 3, &err);
    assert_non_null(wave);
    pc_wave_close(wave);
}

/* The declarations are right; the changes after them are not. */
static void wrong_changes(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } cases[] = {
        { BYTES("@\0?"), "no change of a value" },
        { BYTES("@\0\0"), "no change of a value" },
        { BYTES("@\0"
                "0\1."),
          "a value is not one of its variable" },
        { BYTES("@\0"
                "1\2."),
          "a value is not one of its variable" },
        { BYTES("@\0"
                "e\0."),
          "a value is not one of its variable" },
        { BYTES("@\0"
                "0\3."),
          "unknown variable 3" },
        { BYTES("@\0"
                "q\1"
                "01010!0101."),
          "a digit of a value is 0x21" },
        { BYTES("@\0.@\0."), "timestamp 0 comes twice" },
        { BYTES("@\5.@" MOST "."), "a time has more than 64 bits" },
        { BYTES("@" TOO_MUCH "."), "a number has more than 64 bits" },
        { BYTES("X"), "a record 0x58, which does not belong here" },
        { BYTES("@\0.T\0\0"), "a record 0x54, which does not belong here" },
        { BYTES("@\5.E" MOST), "a time has more than 64 bits" },
        { BYTES("@\5.F\1\4gone"), "gone" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char bytes[200] = "";
        const size_t head = sizeof ALL "R" - 1;
        struct pc_wave_totals totals;
        struct pc_error err = { .code = 0 };
        memcpy(bytes, ALL "R", head);
        memcpy(bytes + head, cases[i].bytes, cases[i].size);
        struct pc_wave *wave = open_bytes(bytes, head + cases[i].size, &err);
        assert_non_null(wave);
        if (pc_wave_scan(wave, &totals, NULL, &err) != PC_EINPUT ||
            strcmp(err.text, cases[i].says) != 0)
            fail_msg("case %zu: %s", i, err.text);
        pc_wave_close(wave);
    }
}

static void events_and_ends(void **state)
{
    static const char bytes[] = ALL "R@\0"
                                    "0\0"
                                    "e\2.@\2"
                                    "e\2"
                                    "e\2.E\0";
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;

    (void)state;
    struct pc_wave *wave = open_bytes(bytes, sizeof bytes - 1, &err);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_stamps, 2);
    assert_int_equal(totals.time_last, 2); /* no time has passed since */
    pc_wave_get_info(wave, &info);
    assert_false(info.unfinished);
    assert_string_equal(info.version, "a test");
    pc_wave_close(wave);

    wave = open_bytes(BYTES("H\xff\0" CLK "RE\7"), &err); /* no precision, no name, no change */
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_last, 7);
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.timescale_factor, 0);
    assert_string_equal(info.version, "");
    pc_wave_close(wave);
}

/* --- rows --- */

static struct pc_wave_bit bit_named(const struct pc_wave *wave, const char *name, unsigned bit)
{
    return (struct pc_wave_bit){ text_find(wave, name), bit };
}

/* Counts the cycles of the clock, at which v[0] is 0 if `low`; *err says what ends them. */
static uint64_t cycles_of(const char *bytes, size_t size, bool low, bool *unfinished,
                          struct pc_error *err)
{
    struct pc_wave *wave = open_bytes(bytes, size, err);
    struct pc_wave_block block;
    struct pc_wave_info info;
    uint64_t cycles = 0;
    unsigned stream;
    enum pc_status status;

    assert_non_null(wave);
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS,
                                         .clock = bit_named(wave, "clk", 0),
                                         .has_iff = low,
                                         .iff_low = low,
                                         .iff = bit_named(wave, "v", 0) };
    test_ok(pc_wave_bind(wave, &clock, NULL, 0, &stream, err), err);
    while ((status = pc_wave_next(wave, &block, err)) == PC_OK)
        cycles += block.cycles;
    err->status = status;
    pc_wave_get_info(wave, &info);
    *unfinished = info.unfinished;
    pc_wave_close(wave);
    return cycles;
}

#define ROW  "\0\0\0\0\0\0\0"
#define OF_V ALL "K\0\0\1\1R" /* rows of v */

static void rows(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool low, unfinished;
        uint64_t cycles;
        const char *says; /* NULL: no error */
    } cases[] = {
        { BYTES(ALL "K\0\0\0RT\0\1T\0\1T\0\1E\0"), false, false, 3, NULL }, /* without signals */
        { BYTES(OF_V "T\0\1\1" ROW "T\0\1\2" ROW "E\0"), false, false, 2, NULL },
        { BYTES(OF_V "T\0\1\1" ROW "T\0\1\2" ROW "E\0"), true, false, 1, NULL },
        { BYTES(OF_V "T\0\1\0" ROW "t\0\1\0" ROW "\1" ROW "E\0"), true, false, 1, NULL },
        { BYTES(OF_V "T\0\1\0" ROW "t\0\1\0" ROW "\2" ROW "E\0"), true, false, 2, NULL },
        { BYTES(OF_V "T\0\1\0" ROW), false, true, 1, NULL },
        { BYTES(OF_V "T\0\1\0" ROW "T\0\1\0\0"), false, true, 1, NULL }, /* cut in a row */
        { BYTES(OF_V "T\0\1\0" ROW "t\0\1\0" ROW "\1"), false, true, 1, NULL },
        { BYTES(OF_V "T\0\1\0" ROW "T"), false, true, 1, NULL },
        { BYTES(OF_V "T\1\1\0" ROW "E\0"), false, false, 0,
          "a row of a clock that was not declared" },
        { BYTES(OF_V "T\0\1\0" ROW "T\0" MOST "\0" ROW), false, false, 0,
          "a time has more than 64 bits" },
        { BYTES(OF_V "@\0.E\0"), false, false, 0, "a record 0x40, which does not belong here" },
        { BYTES(OF_V "F\1\4gone"), false, false, 0, "gone" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_error err = { .code = 0 };
        bool unfinished;
        const uint64_t cycles =
            cycles_of(cases[i].bytes, cases[i].size, cases[i].low, &unfinished, &err);
        if (cycles != cases[i].cycles || unfinished != cases[i].unfinished ||
            err.status != (cases[i].says ? PC_EINPUT : PC_END) ||
            (cases[i].says && strcmp(err.text, cases[i].says) != 0))
            fail_msg("case %zu: %u cycles, %d, %s", i, (unsigned)cycles, unfinished, err.text);
    }
}

/* A test_scenario: reads rows of v. */
static enum pc_status read_rows(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    static const char bytes[] = PC_TAP_MAGIC "\0" OF_V "T\0\1\1" ROW "E\0";
    const struct pc_wave_desc desc = { .alloc = alloc };
    struct pc_wave *wave = text_try(bytes, sizeof bytes - 1, &desc, err);
    struct pc_wave_block block;
    unsigned stream;

    (void)ctx;
    if (!wave)
        return err->status;
    const struct pc_wave_bit bit = { text_find(wave, "v"), 3 };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = { 0, 0 } };
    enum pc_status status = pc_wave_bind(wave, &clock, &bit, 1, &stream, err);
    while (status == PC_OK)
        status = pc_wave_next(wave, &block, err);
    pc_wave_close(wave);
    return status;
}

static void memory(void **state)
{
    (void)state;
    test_refuse_each(read_rows, NULL, 12);
}

/* More than fit into one piece of the answer that selects them. */
static void many_variables(void **state)
{
    enum { MANY = 3000, EACH = sizeof "V\0\0\4wire\1\0\0\5v0000" - 1 };
    const size_t head = PC_TAP_HEAD + sizeof NAMED - 1;
    char *bytes = calloc(head + (size_t)MANY * EACH + 16, 1);
    struct pc_var_activity *activity = calloc(MANY, sizeof *activity);
    struct pc_wave_totals totals;
    struct pc_error err;
    size_t size = head;

    (void)state;
    assert_true(bytes && activity);
    memcpy(bytes, PC_TAP_MAGIC, PC_TAP_HEAD);
    memcpy(bytes + PC_TAP_HEAD, NAMED, sizeof NAMED - 1);
    for (unsigned i = 0; i < MANY; i++, size += EACH) {
        memcpy(bytes + size, "V\0\0\4wire\1\0\0\5v0000", EACH);
        for (unsigned d = 0, n = i; d < 4; d++, n /= 10)
            bytes[size + EACH - 1 - d] = (char)('0' + n % 10);
    }
    memcpy(bytes + size,
           "R@\0"
           "1\xb7\x17"
           ".E\1",
           9); /* v2999 */
    struct pc_wave *wave = text_try(bytes, size + 9, NULL, &err);
    assert_non_null(wave);
    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    assert_int_equal(totals.changes, 1);
    assert_int_equal(activity[MANY - 1].changes, 1);
    assert_int_equal(activity[0].changes, 0);
    pc_wave_close(wave);
    free(activity);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations),  cmocka_unit_test(too_many_clocks),
        cmocka_unit_test(wrong_changes), cmocka_unit_test(events_and_ends),
        cmocka_unit_test(rows),          cmocka_unit_test(many_variables),
        cmocka_unit_test(memory),
    };

    return cmocka_run_group_tests_name("tap_wrong", tests, NULL, NULL);
}
