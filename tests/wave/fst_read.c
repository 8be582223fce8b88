/* SPDX-License-Identifier: MIT */
/* Reading right FST files, of all kinds that the format has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fst_small.h"
#include "fst_support.h"

static void expect_text(const struct mk *file, const char *text, const char *what)
{
    struct mk got = { 0 };
    struct fst_scan s;

    fst_scan_bytes(file, &got, &s);
    if (s.status != PC_END)
        fail_msg("%s: PC-E%04u byte %llu: %s", what, s.err.code, (unsigned long long)s.err.byte,
                 s.err.text);
    mk_u8(&got, 0);
    if (strcmp((const char *)got.data, text) != 0)
        fail_msg("%s: read\n%s instead of\n%s", what, (const char *)got.data, text);
    mk_free(&got);
    fst_scan_free(&s);
}

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
        expect_text(&file, small_text, what);
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
    expect_text(&wrapped, small_text, "wrapped");
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

/* Every time stamp is there, and the chains of others are not even looked at. */
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

/* A block that begins before its first time: the frame is the first stamp's. */
static void an_early_frame_gives_the_initial_values(void **state)
{
    static const uint64_t times[] = { 5, 10, 20, 30 };
    struct small_first first;
    struct mk file = { 0 };

    (void)state;
    small_first(&first, &usual);
    first.changes.time = times;
    small_with(&file, &first);
    expect_text(&file,
                "#5 0=x 1=xxxx 2= 4= 5=xxxxxxxxxx 6=10 0=0 1=1010 2=\n"
                "#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n#30 0=x 2= 4=\n",
                "early frame");
    small_first_free(&first);
    mk_free(&file);
}

static void a_frame_may_be_packed_or_cover_fewer_streams(void **state)
{
    struct small_first first;
    struct mk file = { 0 }, frame = { 0 };

    (void)state;
    small_first(&first, &usual);
    first.changes.frame_streams = 2; /* those declared when it was taken */
    first.changes.frame = "x1111";
    first.changes.frame_size = 5;
    small_with(&file, &first);
    expect_text(&file,
                "#0 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n#30 0=x 2= 4=\n",
                "short frame");
    file.used = 0;
    mk_pack(&frame, 'Z', (const uint8_t *)"xxxxx00000000xxxxxxxxxxx01", 26);
    first.changes.frame_streams = SMALL_STREAMS;
    first.changes.frame = (const char *)frame.data;
    first.changes.frame_size = frame.used;
    first.changes.claim_frame = 26;
    small_with(&file, &first);
    expect_text(
        &file, "#0 6=01 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n#30 0=x 2= 4=\n",
        "packed frame");
    small_first_free(&first);
    mk_free(&file);
    mk_free(&frame);
}

static void a_time_that_is_written_twice_is_one_stamp(void **state)
{
    static const uint64_t times[] = { 0, 10, 10, 30 };
    struct small_first first;
    struct mk file = { 0 };

    (void)state;
    small_first(&first, &usual);
    first.changes.time = times;
    small_with(&file, &first);
    expect_text(&file,
                "#0 6=10 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011 0=0 1=01zx\n#30 0=x 2= 4=\n",
                "time twice");
    small_first_free(&first);
    mk_free(&file);
}

/* The second block begins when the first ends, but its first time is later, or it has none. */
static void a_stamp_held_for_the_next_block_is_handed_out(void **state)
{
    static const uint64_t later[] = { 35, 50 };
    struct small_first first, second;
    struct mk file = { 0 }, entries = { 0 };

    (void)state;
    small_entries(&entries);
    for (int times = 0; times <= 2; times += 2) {
        small_first(&first, &usual);
        small_first(&second, &usual);
        for (int i = 0; i < SMALL_STREAMS; i++)
            second.stream[i].role = MK_NONE;
        second.changes.begin = 30;
        second.changes.end = 50;
        second.changes.time = later;
        second.changes.times = (size_t)times;
        second.changes.streams = 3; /* the others are declared later */
        second.changes.frame_size = second.changes.frame_streams = 0;
        mk_header(&file, -9);
        mk_changes(&file, &first.changes);
        mk_changes(&file, &second.changes);
        mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
        mk_hierarchy(&file, 4, &entries);
        expect_text(&file,
                    times ? "#0 6=10 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n"
                            "#30 0=x 2= 4=\n#35\n#50\n"
                          : "#0 6=10 0=0 1=1010 2=\n#10 0=1 3= 4= 5=1100000011\n#20 0=0 1=01zx\n"
                            "#30 0=x 2= 4=\n",
                    "held stamp");
        file.used = 0;
        small_first_free(&first);
        small_first_free(&second);
    }
    mk_free(&file);
    mk_free(&entries);
}

/* Without times there is no stamp that the frame could belong to. */
static void a_frame_without_times_is_left_out(void **state)
{
    struct small_first first;
    struct mk file = { 0 };

    (void)state;
    small_first(&first, &usual);
    for (int i = 0; i < SMALL_STREAMS; i++)
        first.stream[i].role = MK_NONE;
    first.changes.times = 0;
    small_with(&file, &first);
    expect_text(&file, "", "no times");
    small_first_free(&first);
    mk_free(&file);
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
    first.changes.frame_size = first.changes.frame_streams = 0;
    small_with(&file, &first);
    expect_text(&file, one_bit_text, "states");
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
    expect_text(&file, "#0 0=01xz0101xz0101xzxxxxxxz\n", "ports");
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
        expect_text(&file, "#7 0=1 1=1 2=1\n", "aliases");
        mk_free(&file);
        mk_free(&entries);
        mk_free(&position);
    }
    mk_free(&chain);
}

/* More changes than a window holds: it narrows and widens again, nothing is lost. */
static void a_dense_block_reads_in_windows(void **state)
{
    enum { STREAMS = 50, TIMES = 20000 };
    static uint64_t time[TIMES];
    static uint32_t length[STREAMS];
    static struct mk_stream stream[STREAMS];
    struct mk file = { 0 }, entries = { 0 }, chain = { 0 };
    struct fst_scan s;

    (void)state;
    for (unsigned i = 0; i < TIMES; i++) {
        time[i] = 3 * i;
        mk_number(&chain, (i > 0 ? 4u : 0) | (i & 1) << 1);
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        stream[i] = (struct mk_stream){ i ? MK_ALIAS : MK_CHAIN, &chain, 0 };
        length[i] = 1;
        mk_var(&entries, 16, "x", 1, 0);
    }
    mk_header(&file, -9);
    mk_changes(&file, &(struct mk_changes){ .type = 8,
                                            .end = 3 * TIMES,
                                            .packing = '4',
                                            .stream = stream,
                                            .streams = STREAMS,
                                            .time = time,
                                            .times = TIMES,
                                            .pack_times = true });
    mk_geometry(&file, true, length, STREAMS);
    mk_hierarchy(&file, 6, &entries);
    fst_scan_bytes(&file, NULL, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    assert_int_equal(s.stamps, TIMES);
    assert_int_equal(s.records, (uint64_t)TIMES * STREAMS);
    for (unsigned i = 0; i < STREAMS; i++) {
        assert_int_equal(s.rises[i], TIMES / 2);
        assert_int_equal(s.falls[i], TIMES / 2 - 1);
    }
    fst_scan_free(&s);
    mk_free(&file);
    mk_free(&entries);
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

static void time_may_go_back_if_that_is_tolerated(void **state)
{
    struct small_first first;
    struct mk file = { 0 }, got = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &usual);
    mk_header(&file, -9);
    small_second(&file, &usual);       /* 30 to 50 */
    mk_changes(&file, &first.changes); /* 0 to 30 */
    mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
    struct mk entries = { 0 };
    small_entries(&entries);
    mk_hierarchy(&file, 4, &entries);
    assert_int_equal(fst_error_of(&file, NULL), 716);
    fst_scan(fst_temp(&file, ""), NULL, NULL, true, &got, &s);
    test_ok(s.status == PC_END ? PC_OK : s.status, &s.err);
    mk_u8(&got, 0);
    assert_string_equal((const char *)got.data,
                        "#30 0=1 4=\n#40 5=1010xxxxxz\n"
                        "#50 0=z 4= 0=0 1=1010 2= 0=1 3= 4= 5=1100000011 0=0 1=01zx 0=x 2= 4=\n");
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&entries);
    mk_free(&file);
    mk_free(&got);
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
    fst_scan_free(&s);
    mk_free(&file);
}

static int teardown(void **state)
{
    (void)state;
    fst_temp_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_block_and_packing_reads_the_same),
        cmocka_unit_test(a_wrapped_file_reads_the_same),
        cmocka_unit_test(names_types_and_widths_are_told),
        cmocka_unit_test(time_units_become_1_10_or_100),
        cmocka_unit_test(a_selection_leaves_the_rest_out),
        cmocka_unit_test(an_early_frame_gives_the_initial_values),
        cmocka_unit_test(a_frame_may_be_packed_or_cover_fewer_streams),
        cmocka_unit_test(a_time_that_is_written_twice_is_one_stamp),
        cmocka_unit_test(a_stamp_held_for_the_next_block_is_handed_out),
        cmocka_unit_test(a_frame_without_times_is_left_out),
        cmocka_unit_test(states_of_one_bit),
        cmocka_unit_test(ports_give_their_states),
        cmocka_unit_test(an_alias_of_an_alias_and_of_nothing),
        cmocka_unit_test(a_dense_block_reads_in_windows),
        cmocka_unit_test(an_unfinished_file_needs_its_side_file),
        cmocka_unit_test(a_begun_block_before_the_geometry_is_passed),
        cmocka_unit_test(time_may_go_back_if_that_is_tolerated),
        cmocka_unit_test(blackouts_and_unknown_blocks_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
