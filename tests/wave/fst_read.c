/* SPDX-License-Identifier: MIT */
/* Reading right FST files, of all kinds that the format has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fst_small.h"
#include "fst_support.h"

static void every_kind_of_block_and_packing_reads_the_same(void **state)
{
    static const unsigned changes[] = { 1, 5, 8 }, hierarchy[] = { 4, 6, 7 };
    static const char packing[] = { 0, '4', 'Z', 'F' };

    (void)state;
    for (unsigned i = 0; i < 3 * 3 * 4 * 4; i++) {
        struct small_dress d = { changes[i % 3], packing[i / 9 % 4], hierarchy[i / 3 % 3],
                                 i / 36 & 1, i / 72 & 1 };
        struct mk file = { 0 };
        char what[100];
        snprintf(what, sizeof what, "blocks %u, chains %d, hierarchy %u, geometry %d, times %d",
                 d.changes, d.packing, d.hierarchy, d.pack_geometry, d.pack_times);
        small_file(&file, &d);
        fst_expect_text(&file, small_text, what);
        mk_free(&file);
    }
}

static const struct small_dress usual = { .changes = 8, .packing = 'Z', .hierarchy = 4 };

static void a_wrapped_file_reads_the_same(void **state)
{
    struct mk file = { 0 }, wrapped = { 0 };
    struct fst_scan s;

    (void)state;
    small_file(&file, &usual);
    mk_wrap(&wrapped, &file);
    fst_expect_text(&wrapped, small_text, "wrapped");
    fst_scan_bytes(&wrapped, NULL, &s);
    assert_string_equal(s.encoding, "gzip-wrapped");
    fst_scan_free(&s);
    mk_free(&file);
    mk_free(&wrapped);
}

static void names_types_and_widths_are_told(void **state)
{
    static const struct {
        const char *name, *type;
        enum pc_var_kind kind;
        uint32_t width, code;
        int32_t msb;
    } expect[] = {
        { "top.a", "wire", PC_VAR_BITS, 1, SMALL_A, 0 },
        { "top.v", "reg", PC_VAR_BITS, 4, SMALL_V, 3 },
        { "top.r", "real", PC_VAR_REAL, 64, SMALL_R, 63 },
        { "top.s", "string", PC_VAR_STRING, 0, SMALL_S, 0 },
        { "top.e", "event", PC_VAR_EVENT, 1, SMALL_E, 0 },
        { "top.sub.b", "wire", PC_VAR_BITS, 1, SMALL_A, 0 },
        { "top.sub.w", "logic", PC_VAR_BITS, 10, SMALL_W, 9 },
        { "top.sub.P", "parameter", PC_VAR_BITS, 2, SMALL_P, 1 },
    };
    struct mk file = { 0 };
    struct fst_scan s;

    (void)state;
    small_file(&file, &usual);
    fst_scan_bytes(&file, NULL, &s);
    assert_int_equal(s.vars, sizeof expect / sizeof expect[0]);
    assert_int_equal(s.codes, SMALL_STREAMS);
    assert_int_equal(s.scopes, 2);
    assert_int_equal(s.warnings, 0);
    assert_false(s.unfinished);
    assert_string_equal(s.version, "test writer");
    assert_string_equal(s.date, "Mon Jan  1 00:00:00 2024");
    assert_string_equal(s.encoding, "zlib");
    for (size_t i = 0; i < s.vars; i++) {
        const struct wv_var *v = &s.hier.var[i];
        assert_string_equal(s.hier.names + v->name, expect[i].name);
        assert_string_equal(wv_type_names[v->type], expect[i].type);
        assert_int_equal(v->kind, expect[i].kind);
        assert_int_equal(v->width, expect[i].width);
        assert_int_equal(v->code, expect[i].code);
        assert_int_equal(v->msb, expect[i].msb);
    }
    fst_scan_free(&s);
    mk_free(&file);
}

static void time_units_become_1_10_or_100(void **state)
{
    static const struct {
        int exponent, unit;
        unsigned factor;
    } expect[] = { { 0, 0, 1 },     { 1, 0, 10 },      { 2, 0, 100 },    { -1, -3, 100 },
                   { -9, -9, 1 },   { -10, -12, 100 }, { -11, -12, 10 }, { -12, -12, 1 },
                   { -15, -15, 1 }, { -13, -15, 100 } };

    (void)state;
    for (size_t i = 0; i < sizeof expect / sizeof expect[0]; i++) {
        struct mk file = { 0 };
        struct fst_scan s;
        small_file(&file, &usual);
        file.data[73] = (uint8_t)expect[i].exponent;
        fst_scan_bytes(&file, NULL, &s);
        assert_int_equal(s.exponent, expect[i].unit);
        assert_int_equal(s.factor, expect[i].factor);
        fst_scan_free(&s);
        mk_free(&file);
    }
}

static bool only_w(const char *name)
{
    return strcmp(name, "top.sub.w") == 0;
}

static bool nothing(const char *name)
{
    (void)name;
    return false;
}

/* Every timestamp is there, and the chains of others are not even looked at. */
static void a_selection_leaves_the_rest_out(void **state)
{
    struct small_first first;
    struct mk file = { 0 }, got = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &usual);
    mk_u8(&first.chain[SMALL_A], 0xff); /* damage that only a reader of stream a sees */
    small_with(&file, &first);
    assert_int_equal(fst_error_of(&file, NULL), 701);
    fst_scan(fst_temp(&file, ""), only_w, NULL, false, &got, &s);
    assert_int_equal(s.status, PC_END);
    mk_u8(&got, 0);
    assert_string_equal((const char *)got.data, "#0\n#10 5=1100000011\n#20\n#30\n");
    fst_scan_free(&s);
    fst_scan(fst_temp(&file, ""), nothing, NULL, false, NULL, &s);
    assert_int_equal(s.status, PC_END);
    assert_int_equal(s.stamps, 4);
    assert_int_equal(s.records, 0);
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&file);
    mk_free(&got);
}

static const char one_bit_text[] = "#0 0=x 0=z 0=1 0=x 0=x 0=0 0=x 0=x 0=0 0=1\n";

/* All states of one bit, several times at one stamp: they stay in their order. */
static void states_of_one_bit(void **state)
{
    struct small_first first;
    struct mk file = { 0 }, chain = { 0 };

    (void)state;
    small_first(&first, &usual);
    for (unsigned i = 0; i < 8; i++)
        mk_number(&chain, i << 1 | 1); /* x z h u w l - ? */
    mk_number(&chain, 0 << 1);
    mk_number(&chain, 1 << 1);
    for (int i = 0; i < SMALL_STREAMS; i++)
        first.stream[i].role = MK_NONE;
    first.stream[SMALL_A] = (struct mk_stream){ MK_CHAIN, &chain, 0 };
    first.changes.times = 1;
    first.changes.frame_size = 0;
    first.changes.frame_streams = 0;
    small_with(&file, &first);
    fst_expect_text(&file, one_bit_text, "states");
    small_first_free(&first);
    mk_free(&file);
    mk_free(&chain);
}

/* Ports of EVCD files: a state a bit, then strengths. */
static void ports_give_their_states(void **state)
{
    static const uint64_t time[] = { 0 };
    static const char value[] = "DUNZduLHXTlh01?FAaBbCcf";
    const uint32_t length = 3 * 23 + 2;
    struct mk file = { 0 }, entries = { 0 }, chain = { 0 };
    struct mk_stream stream = { MK_CHAIN, &chain, 0 };

    (void)state;
    mk_number(&chain, 0 << 1 | 1);
    mk_bytes(&chain, value, 23);
    for (unsigned i = 23; i < length; i++)
        mk_u8(&chain, i == 23 || i == 47 ? ' ' : '6');
    mk_var(&entries, 18, "port", length, 0);
    mk_header(&file, -9);
    mk_changes(&file, &(struct mk_changes){
                          .type = 8, .stream = &stream, .streams = 1, .time = time, .times = 1 });
    mk_geometry(&file, false, &length, 1);
    mk_hierarchy(&file, 4, &entries);
    fst_expect_text(&file, "#0 0=01xz0101xz0101xzxxxxxxz\n", "ports");
    mk_free(&file);
    mk_free(&entries);
    mk_free(&chain);
}

static void an_alias_of_an_alias_and_of_nothing(void **state)
{
    static const uint64_t time[] = { 7 };
    static const uint32_t length[5] = { 1, 1, 1, 1, 1 };
    struct mk chain = { 0 };

    (void)state;
    mk_number(&chain, 1 << 1);
    for (unsigned type = 5; type <= 8; type += 3) {
        struct mk file = { 0 }, entries = { 0 }, position = { 0 };
        struct mk_stream stream[5] = { { MK_CHAIN, &chain, 0 } };
        for (int i = 0; i < 5; i++)
            mk_var(&entries, 16, "x", 1, 0);
        for (int i = 1; i < 5; i++) /* 0: chain, 1: alias of 0, 2: of 1, 3: nothing, 4: of 3 */
            stream[i] = (struct mk_stream){ i == 3 ? MK_NONE : MK_ALIAS, NULL, (unsigned)i - 1 };
        mk_header(&file, -9);
        struct mk_changes v = { .type = type,
                                .begin = 7,
                                .end = 7,
                                .stream = stream,
                                .streams = 5,
                                .time = time,
                                .times = 1 };
        if (type == 8) { /* the same alias again is written as 0 */
            mk_signed(&position, 1 * 2 + 1);
            mk_signed(&position, -1 * 2 + 1);
            mk_signed(&position, 0 * 2 + 1);
            mk_number(&position, 1 << 1);
            mk_signed(&position, -4 * 2 + 1);
            v.position = &position;
        }
        mk_changes(&file, &v);
        mk_geometry(&file, false, length, 5);
        mk_hierarchy(&file, 4, &entries);
        fst_expect_text(&file, "#7 0=1 1=1 2=1\n", "aliases");
        mk_free(&file);
        mk_free(&entries);
        mk_free(&position);
    }
    mk_free(&chain);
}

static void an_unfinished_file_needs_its_side_file(void **state)
{
    struct small_dress d = usual;
    struct mk file = { 0 }, side = { 0 }, got = { 0 };
    struct small_first first;
    struct fst_scan s;

    (void)state;
    small_first(&first, &d);
    small_entries(&side);
    mk_header(&file, -9);
    mk_changes(&file, &first.changes);
    small_second(&file, &d);
    mk_u8(&file, 255); /* the next block was begun */
    mk_u64(&file, 0);
    mk_bytes(&file, "0123456789", 10);
    assert_int_equal(fst_error_of(&file, &s.err), 709);
    assert_non_null(strstr(s.err.hint, ".hier"));
    fst_temp(&side, ".hier");
    fst_scan(fst_temp(&file, ""), NULL, NULL, false, &got, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_true(s.unfinished);
    assert_int_equal(s.warnings, 1);
    mk_u8(&got, 0);
    assert_string_equal((const char *)got.data, small_text);
    fst_scan_free(&s);
    mk_u8(&side, 99); /* no entry has that tag */
    fst_temp(&side, ".hier");
    assert_int_equal(fst_error_of(&file, &s.err), 708);
    assert_int_equal(s.err.byte, side.used - 1);
    assert_non_null(strstr(s.err.hint, ".hier"));
    fst_temp_close();
    small_first_free(&first);
    mk_free(&file);
    mk_free(&side);
    mk_free(&got);
}

/* A simulation that was begun, and its first block of values. */
static void a_begun_file_says_so(void **state)
{
    struct small_dress d = usual;
    struct small_first first;
    struct mk file = { 0 }, side = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &d);
    small_entries(&side);
    fst_temp(&side, ".hier");
    mk_header(&file, -9);
    for (unsigned blocks = 0; blocks < 2; blocks++) {
        fst_scan(fst_temp(&file, ""), NULL, NULL, false, NULL, &s);
        test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
        assert_true(s.unfinished);
        assert_int_equal(s.warnings, 1);
        fst_scan_free(&s);
        mk_changes(&file, &first.changes);
    }
    fst_temp_close();
    small_first_free(&first);
    mk_free(&file);
    mk_free(&side);
}

/* A writer that saw no change leaves a begun block in front of the geometry. */
static void a_begun_block_before_the_geometry_is_passed(void **state)
{
    struct mk file = { 0 }, entries = { 0 };
    struct fst_scan s;

    (void)state;
    small_entries(&entries);
    mk_header(&file, -9);
    mk_u8(&file, 255);
    for (int i = 0; i < 4; i++)
        mk_u64(&file, 0);
    mk_bytes(&file, "\x02\x02\x02xx", 5);
    mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
    mk_hierarchy(&file, 6, &entries);
    fst_scan_bytes(&file, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_int_equal(s.codes, SMALL_STREAMS);
    assert_int_equal(s.stamps, 0);
    assert_false(s.unfinished);
    fst_scan_free(&s);
    mk_free(&file);
    mk_free(&entries);
}

/* What stands behind a begun block is none of it where it is no geometry that is there as a whole.
 */
static void a_begun_block_before_a_cut_geometry_is_the_end(void **state)
{
    struct mk file = { 0 }, side = { 0 };
    struct fst_scan s;

    (void)state;
    small_entries(&side);
    fst_temp(&side, ".hier");
    mk_header(&file, -9);
    mk_u8(&file, 255);
    for (int i = 0; i < 4; i++)
        mk_u64(&file, 0);
    mk_bytes(&file, "\x02\x02\x02xx", 5);
    mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
    for (unsigned cut = 1; cut < 4; cut++) {
        file.used--;
        fst_scan(fst_temp(&file, ""), NULL, NULL, false, NULL, &s);
        test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
        assert_true(s.unfinished);
        assert_int_equal(s.warnings, 1);
        assert_non_null(strstr(wv_warning(&s.hier, 0), "still being written"));
        fst_scan_free(&s);
    }
    fst_temp_close();
    mk_free(&file);
    mk_free(&side);
}

static void blackouts_and_unknown_blocks_are_told(void **state)
{
    struct mk file = { 0 };
    struct fst_scan s;

    (void)state;
    small_file(&file, &usual);
    size_t at = mk_begin(&file, 2);
    mk_bytes(&file, "\x02\x00\x05\x01\x05", 5); /* off at 5, on at 10 */
    mk_end(&file, at);
    at = mk_begin(&file, 77);
    mk_end(&file, at);
    fst_scan_bytes(&file, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_int_equal(s.warnings, 2);
    assert_non_null(strstr(wv_warning(&s.hier, 1), "off 1 time, first at time 5"));
    assert_int_equal(s.hier.gaps, 1);
    assert_int_equal(s.hier.gap[0].from, 5);
    assert_int_equal(s.hier.gap[0].to, 10);
    fst_scan_free(&s);
    mk_free(&file);
}

static int teardown(void **state)
{
    (void)state;
    fst_temp_close();
    return 0;
}

/* What VHDL calls the type of the variable after it. */
static void add_typed(struct mk *m, unsigned data_type, unsigned type, const char *name,
                      uint64_t length)
{
    mk_u8(m, 252);
    mk_u8(m, 0);
    mk_u8(m, 2);
    mk_text(m, "t");
    mk_number(m, 3 << 10 | data_type);
    mk_var(m, type, name, length, 0);
}

/* Types of variables, and attributes of VHDL's; integers of one bit are warned of. */
static void signed_variables(void **state)
{
    static const uint32_t length[] = { 32, 32, 8, 8, 8, 32, 1, 1, 1, 16 };
    static const bool wanted[] = {
        true, true, true, false, false, true, false, false, false, true
    };
    struct mk file = { 0 }, entries = { 0 };
    struct pc_wave *wave = NULL;
    struct pc_wave_var v;
    struct pc_error err;

    (void)state;
    mk_scope(&entries, "top");
    mk_var(&entries, 1, "integer", 32, 0);
    mk_var(&entries, 24, "int", 32, 0);
    add_typed(&entries, 9, 16, "signed [7:0]", 8);
    mk_var(&entries, 16, "behind it", 8, 0);
    add_typed(&entries, 8, 16, "unsigned", 8);
    add_typed(&entries, 10, 16, "vhdl_integer", 32);
    add_typed(&entries, 10, 1, "cut", 1);
    mk_var(&entries, 1, "cut_too", 1, 0);
    add_typed(&entries, 9, 16, "one [0:0]", 1);
    mk_var(&entries, 25, "shortint", 16, 0);
    mk_upscope(&entries);
    mk_header(&file, -9);
    mk_geometry(&file, false, length, sizeof length / sizeof length[0]);
    mk_hierarchy(&file, 4, &entries);
    const struct pc_wave_desc desc = { .path = fst_temp(&file, "") };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_int_equal(pc_wave_get_var(wave, i, &v), PC_OK);
        if (v.is_signed != wanted[i])
            fail_msg("%s: signed %d", v.name, v.is_signed);
    }
    const char *warning = pc_wave_warning(wave, 0);
    assert_non_null(warning);
    if (!strstr(warning,
                "2 variables are of a type of integers with one bit, the first \"top.cut\""))
        fail_msg("%s", warning);
    pc_wave_close(wave);
    fst_temp_close();
    mk_free(&file);
    mk_free(&entries);
}

/* With texts a string is a vector of its characters, unknown before its first value. */
static void texts_are_bits(void **state)
{
    static const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    static const char want[] = "hello";
    struct pc_wave_bit bits[8 * PC_WAVE_TEXT];
    struct pc_wave_totals totals;
    struct pc_wave_instant now;
    struct pc_wave *wave = NULL;
    struct mk file = { 0 };
    struct pc_error err;
    unsigned stream;
    size_t count;

    (void)state;
    small_file(&file, &usual);
    const struct pc_wave_desc desc = { .path = fst_temp(&file, ""), .texts = true };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_find_bits(wave, "top.s", bits, 8 * PC_WAVE_TEXT, &count, &err), &err);
    assert_int_equal(count, 8 * PC_WAVE_TEXT);
    test_ok(pc_wave_bind(wave, &every, bits, count, &stream, &err), &err);
    for (unsigned k = 0; k < 6; k++) {
        test_ok(pc_wave_step(wave, &now, &err), &err);
        for (size_t b = 0; b < count; b++) {
            const size_t at = b / 8;
            const unsigned character = at < 5 ? (unsigned char)want[4 - at] : 0;
            assert_int_equal(now.unknown[0][b / 64] >> b % 64 & 1, k == 0);
            if (k > 0)
                assert_int_equal(now.value[0][b / 64] >> b % 64 & 1, character >> b % 8 & 1);
        }
    }
    pc_wave_close(wave);
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_last, 50);
    pc_wave_close(wave);
    fst_temp_close();
    mk_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_block_and_packing_reads_the_same),
        cmocka_unit_test(a_wrapped_file_reads_the_same),
        cmocka_unit_test(names_types_and_widths_are_told),
        cmocka_unit_test(time_units_become_1_10_or_100),
        cmocka_unit_test(a_selection_leaves_the_rest_out),
        cmocka_unit_test(states_of_one_bit),
        cmocka_unit_test(ports_give_their_states),
        cmocka_unit_test(an_alias_of_an_alias_and_of_nothing),
        cmocka_unit_test(an_unfinished_file_needs_its_side_file),
        cmocka_unit_test(a_begun_file_says_so),
        cmocka_unit_test(a_begun_block_before_the_geometry_is_passed),
        cmocka_unit_test(a_begun_block_before_a_cut_geometry_is_the_end),
        cmocka_unit_test(blackouts_and_unknown_blocks_are_told),
        cmocka_unit_test(signed_variables),
        cmocka_unit_test(texts_are_bits),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
