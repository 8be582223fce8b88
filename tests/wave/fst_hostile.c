/* SPDX-License-Identifier: MIT */
/*
 * FST files that are wrong: one test for each class of defect that readers of this format
 * are known for (the CVE numbers are those of the class).  Always an error that tells the
 * place; never more memory than the file's size explains.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fst_small.h"
#include "fst_support.h"

static const struct small_dress plain = { .changes = 8, .hierarchy = 4 };
static const struct small_dress zlib = { .changes = 8, .packing = 'Z', .hierarchy = 4 };

static void expect(const struct mk *file, unsigned code, const char *what)
{
    unsigned got = fst_located_error_of(file);

    if (got != code)
        fail_msg("%s: error %u, not %u", what, got, code);
}

/* Builds the usual file with its first block changed, and expects an error. */
static void expect_with(struct small_first *first, unsigned code, const char *what)
{
    struct mk file = { 0 };

    small_with(&file, first);
    expect(&file, code, what);
    mk_free(&file);
}

/* CVE-2023-32650: the number of streams of the geometry; 35992: of a block. */
static void stream_counts_that_no_memory_holds(void **state)
{
    static const uint64_t count[] = {
        1, 8, UINT32_MAX, (uint64_t)UINT32_MAX + 1, (uint64_t)1 << 61, (uint64_t)1 << 63, UINT64_MAX
    };

    (void)state;
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
        struct mk file = { 0 }, entries = { 0 };
        struct small_first first;
        mk_header(&file, -9);
        size_t begin = mk_begin(&file, 3);
        mk_u64(&file, 7);
        mk_u64(&file, count[i]);
        mk_bytes(&file, "\x01\x04\x00\x01\x01\x0a\x02", 7);
        mk_end(&file, begin);
        small_entries(&entries);
        mk_hierarchy(&file, 4, &entries);
        expect(&file, 710, "geometry");
        small_first(&first, &plain);
        first.changes.claim_streams = count[i];
        expect_with(&first, 711, "value change block");
        first.changes.claim_streams = 0;
        if (count[i] != 1) { /* fewer are right */
            first.changes.frame_streams = count[i];
            expect_with(&first, 711, "frame");
        }
        small_first_free(&first);
        mk_free(&file);
        mk_free(&entries);
    }
}

/* CVE-2023-35702 to 35704: numbers of more than ten bytes, wherever one is read. */
static void numbers_without_end(void **state)
{
    static const char endless[16] =
        "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01";
    struct mk number = { 0 };
    struct small_first first;

    (void)state;
    mk_bytes(&number, endless, sizeof endless);
    small_first(&first, &plain);
    first.changes.position = &number;
    expect_with(&first, 702, "position table");
    number.data[0] = 0x81; /* odd: a signed number */
    expect_with(&first, 702, "position table, signed");
    first.changes.position = NULL;
    first.changes.time_table = &number;
    expect_with(&first, 702, "time table");
    first.changes.time_table = NULL;
    mk_bytes(&first.chain[SMALL_A], endless, sizeof endless);
    expect_with(&first, 702, "chain of bits");
    small_first_free(&first);
    small_first(&first, &plain);
    mk_number(&first.chain[SMALL_S], 0);
    mk_bytes(&first.chain[SMALL_S], endless, sizeof endless);
    expect_with(&first, 702, "length of a text");
    small_first_free(&first);
    mk_free(&number);
}

/* CVE-2023-35955 to 35958: what data unpacks to is not what was declared. */
static void sizes_that_packed_data_does_not_have(void **state)
{
    static const char packing[] = { 'Z', '4', 'F' };

    (void)state;
    for (size_t i = 0; i < sizeof packing; i++) {
        struct small_dress d = { .changes = 8, .packing = packing[i], .hierarchy = 4 };
        struct small_first first;
        unsigned codes = 0;
        small_first(&first, &d);
        for (uint64_t claim = 1; claim < 40; claim++) {
            struct mk file = { 0 };
            first.changes.claim_chain = claim;
            small_with(&file, &first);
            unsigned code = fst_located_error_of(&file);
            assert_true(code == 705 || code == 706);
            codes++;
            mk_free(&file);
        }
        assert_int_equal(codes, 39);
        first.changes.claim_chain = (uint64_t)1 << 40;
        expect_with(&first, 706, "a chain of 1 TiB");
        first.changes.claim_chain = UINT64_MAX;
        expect_with(&first, 706, "a chain of 2^64 - 1 bytes");
        small_first_free(&first);
    }
}

static void sizes_of_frame_and_time_table(void **state)
{
    struct small_first first;

    (void)state;
    small_first(&first, &zlib);
    first.changes.claim_frame = 27; /* then it has to be packed, and is not */
    expect_with(&first, 705, "frame");
    first.changes.claim_frame = (uint64_t)1 << 62;
    expect_with(&first, 706, "frame of 2^62 bytes");
    first.changes.claim_frame = 0;
    first.changes.claim_frame_packed = (uint64_t)1 << 62;
    expect_with(&first, 701, "frame past the block");
    first.changes.claim_frame_packed = 0;
    first.changes.pack_times = true;
    first.changes.claim_time_size = 3;
    expect_with(&first, 713, "time table of fewer bytes than times");
    first.changes.claim_time_size = 5;
    expect_with(&first, 706, "time table of one byte more");
    first.changes.claim_time_size = UINT64_MAX;
    expect_with(&first, 706, "time table of 2^64 - 1 bytes");
    first.changes.claim_time_size = 0;
    first.changes.claim_time_packed = 1 << 20;
    expect_with(&first, 713, "time table before the block");
    first.changes.claim_time_packed = UINT64_MAX - 30;
    expect_with(&first, 713, "time table whose place wraps");
    first.changes.claim_time_packed = 0;
    first.changes.claim_position_size = 1 << 20;
    expect_with(&first, 711, "position table before the block");
    first.changes.claim_position_size = UINT64_MAX - 40;
    expect_with(&first, 711, "position table whose place wraps");
    small_first_free(&first);
}

/* CVE-2023-35969, 35970, 36915, 36916: entries of the position table. */
static void position_tables_that_lead_nowhere(void **state)
{
    static const struct {
        unsigned type, code;
        int64_t entry[8]; /* odd ones signed at kind 8; ends with INT64_MIN */
        const char *what;
    } expected[] = {
        { 8, 712, { -1 * 2 + 1, INT64_MIN }, "alias of itself" },
        { 8, 712, { 1 << 1, -3 * 2 + 1, INT64_MIN }, "alias of a later stream" },
        { 8, 712, { -8 * 2 + 1, INT64_MIN }, "alias of as many streams as there are" },
        { 8, 712, { INT64_MIN + 1, INT64_MIN }, "alias of the last stream that a number can name" },
        { 8, 712, { 0 * 2 + 1, INT64_MIN }, "the same alias again, before there was one" },
        { 5, 712, { 0, 1, INT64_MIN }, "alias of itself" },
        { 5, 712, { 1 << 1, 0, 3, INT64_MIN }, "alias of a later stream" },
        { 5, 712, { 1 << 1, 0, 0, INT64_MIN }, "alias of stream -1" },
        { 5, 712, { 0, 8, INT64_MIN }, "alias of as many streams as there are" },
        { 8, 711, { 8 << 1, INT64_MIN }, "more streams without changes than there are" },
        { 8, 711, { 7 << 1, 1 * 2 + 1, INT64_MIN }, "a chain for one stream too many" },
        { 5, 711, { 7 << 1, 0, 1, INT64_MIN }, "an alias for one stream too many" },
        { 8, 711, { 6 << 1, INT64_MIN }, "one stream too few" },
        { 8, 711, { INT64_MIN }, "nothing" },
        { 8, 711, { 10000 * 2 + 1, 6 << 1, INT64_MIN }, "a chain past the block" },
        { 8, 711, { INT64_MAX, INT64_MIN }, "a chain past everything" },
        { 1, 711, { 1 * 2 + 1, 0 * 2 + 1, 5 << 1, INT64_MIN }, "two chains at one place" },
        { 1, 711, { 1 * 2 + 1, INT64_MAX, 5 << 1, INT64_MIN }, "a place that wraps" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct small_dress d = { .changes = expected[i].type, .hierarchy = 4 };
        struct small_first first;
        struct mk position = { 0 };
        for (const int64_t *e = expected[i].entry; *e != INT64_MIN; e++)
            if (expected[i].type == 8 && *e & 1)
                mk_signed(&position, *e);
            else
                mk_number(&position, (uint64_t)*e);
        small_first(&first, &d);
        first.changes.position = &position;
        expect_with(&first, expected[i].code, expected[i].what);
        small_first_free(&first);
        mk_free(&position);
    }
}

/* The last place for a chain is the last byte before the position table. */
static void a_chain_at_the_very_end(void **state)
{
    struct small_first first;
    struct mk position = { 0 };
    size_t last = 0;

    (void)state;
    small_first(&first, &plain);
    for (int i = 0; i < SMALL_STREAMS; i++)
        if (first.stream[i].role == MK_CHAIN)
            last += 1 + first.chain[i].used;
    mk_signed(&position, (int64_t)last * 2 + 1);
    mk_number(&position, 6 << 1);
    first.changes.position = &position;
    expect_with(&first, 701, "a chain whose size goes on behind it"); /* its byte is 0xc0 */
    position.used = 0;
    mk_signed(&position, (int64_t)last * 2 + 3);
    mk_number(&position, 6 << 1);
    expect_with(&first, 711, "a chain behind it");
    small_first_free(&first);
    mk_free(&position);
}

/* CVE-2023-35128: entries of the time table; 36746, 36747: times that contradict. */
static void time_tables_that_contradict(void **state)
{
    static const uint64_t count[] = { 5, UINT32_MAX, (uint64_t)1 << 61, UINT64_MAX };
    struct small_first first;
    struct mk wrap = { 0 };

    (void)state;
    small_first(&first, &plain);
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
        first.changes.claim_times = count[i];
        expect_with(&first, 713, "more times than bytes");
    }
    first.changes.claim_times = 0;
    first.changes.begin = 31;
    expect_with(&first, 713, "begins behind its end");
    first.changes.end = 50;
    expect_with(&first, 713, "begins behind its first time");
    first.changes.begin = 0;
    first.changes.end = 20;
    expect_with(&first, 713, "ends before its last time");
    first.changes.end = UINT64_MAX;
    first.changes.time_table = &wrap;
    mk_number(&wrap, 1);
    mk_number(&wrap, UINT64_MAX);
    mk_number(&wrap, 1);
    mk_number(&wrap, 1);
    expect_with(&first, 713, "times that wrap");
    small_first_free(&first);
    mk_free(&wrap);
}

/* CVE-2023-35994 to 35997: changes at a time that the table does not have. */
static void changes_outside_of_the_time_table(void **state)
{
    static const uint64_t delta[] = { 1, 2, 100, UINT32_MAX, UINT64_MAX >> 5 };

    (void)state;
    for (size_t i = 0; i < sizeof delta / sizeof delta[0]; i++)
        for (int stream = SMALL_A; stream <= SMALL_W; stream++) {
            struct small_first first;
            small_first(&first, &plain);
            unsigned shift = stream == SMALL_A || stream == SMALL_E ? 2 : 1;
            mk_number(&first.chain[stream], (delta[i] + 2) << shift);
            if (delta[i] > 1 || stream != SMALL_W) /* w stands at index 1 of 4 */
                expect_with(&first, 714, "delta past the table");
            small_first_free(&first);
        }
    struct small_first first;
    small_first(&first, &plain);
    first.changes.times = 0;
    expect_with(&first, 714, "changes without any time");
    small_first_free(&first);
}

/* CVE-2023-36864: the widths of all streams together. */
static void frames_that_do_not_fit_the_widths(void **state)
{
    struct small_first first;

    (void)state;
    small_first(&first, &plain);
    first.changes.frame_size = 25;
    expect_with(&first, 717, "a byte too few");
    first.changes.frame_size = 27; /* with the literal's NUL */
    expect_with(&first, 717, "a byte too many");
    first.changes.frame_size = 0;
    expect_with(&first, 717, "nothing for seven streams");
    small_first_free(&first);
}

static void widths_beyond_the_limit(void **state)
{
    static const uint32_t wide[] = { (1u << 20) + 1, UINT32_MAX / 2, UINT32_MAX - 1 };

    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        struct mk file = { 0 }, entries = { 0 };
        mk_var(&entries, 16, "wide", wide[i], 0);
        mk_header(&file, -9);
        mk_geometry(&file, false, &wide[i], 1);
        mk_hierarchy(&file, 4, &entries);
        expect(&file, 514, "width");
        mk_free(&file);
        mk_free(&entries);
    }
}

static void hierarchies_that_are_wrong(void **state)
{
    static const struct {
        unsigned code;
        size_t size;
        const char *bytes, *what;
    } expected[] = {
        { 708, 1, "\xff", "closes what is not open" },
        { 708, 1, "\x1e", "variable type 30" },
        { 708, 1, "\xfb", "tag 251" },
        { 701, 4, "\xfe\0ab", "scope's name without end" },
        { 701, 5, "\xfe\0ab\0", "scope without a component" },
        { 701, 3, "\x10\0a", "variable's name without end" },
        { 701, 5, "\x10\0a\0\x01", "variable without an alias" },
        { 712, 6, "\x10\0a\0\x01\x01", "alias of itself" },
        { 712, 15, "\x10\0a\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "alias 2^64 - 1" },
        { 702, 16, "\x10\0a\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
          "length without end" },
        { 701, 4, "\xfc\0\0x", "attribute without end" },
        { 710, 6, "\x10\0a\0\x01\0", "a stream too few" },
        { 710, 12, "\x10\0a\0\x01\0\x10\0b\0\x01", "never reached" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0] - 1; i++) {
        static const uint32_t length[] = { 1, 1 };
        struct mk file = { 0 }, entries = { 0 };
        mk_bytes(&entries, expected[i].bytes, expected[i].size);
        mk_header(&file, -9);
        mk_geometry(&file, false, length, 2);
        mk_hierarchy(&file, 6, &entries);
        expect(&file, expected[i].code, expected[i].what);
        mk_free(&file);
        mk_free(&entries);
    }
}

static void scopes_too_deep_or_with_names_too_long(void **state)
{
    static char name[70000];
    struct mk file = { 0 }, entries = { 0 };

    (void)state;
    for (int i = 0; i < 5000; i++)
        mk_scope(&entries, "s");
    mk_header(&file, -9);
    mk_hierarchy(&file, 4, &entries);
    expect(&file, 513, "scopes");
    file.used = entries.used = 0;
    memset(name, 'n', sizeof name - 1);
    mk_var(&entries, 16, name, 1, 0);
    mk_header(&file, -9);
    mk_hierarchy(&file, 6, &entries);
    expect(&file, 511, "name");
    mk_free(&file);
    mk_free(&entries);
}

static void ports_of_an_impossible_length(void **state)
{
    static const uint32_t length[] = { 1, 2, 4, 6, 7 };

    (void)state;
    for (size_t i = 0; i < sizeof length / sizeof length[0]; i++) {
        struct mk file = { 0 }, entries = { 0 };
        mk_var(&entries, 18, "p", length[i], 0);
        mk_header(&file, -9);
        mk_geometry(&file, false, &length[i], 1);
        mk_hierarchy(&file, 4, &entries);
        expect(&file, 710, "port");
        mk_free(&file);
        mk_free(&entries);
    }
}

static void blocks_out_of_place(void **state)
{
    struct mk file = { 0 };

    (void)state;
    small_file(&file, &plain);
    mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
    expect(&file, 703, "a second geometry");
    file.used = 0;
    small_file(&file, &plain);
    file.data[25] ^= 1;
    expect(&file, 700, "magic");
    file.data[25] ^= 1;
    file.data[73] = 100;
    expect(&file, 704, "time unit");
    file.data[73] = 0;
    file.data[7] = 0; /* 329 becomes 73 */
    expect(&file, 700, "length of the header");
    file.used = 0;
    mk_bytes(&file, "\xfe\0\0\0\0\0\0\xff\xff\0\0\0\0\0\0\x10\0\x1f\x8b", 19);
    expect(&file, 703, "wrapper past the file");
    file.data[7] = 0;
    file.data[8] = 18;
    expect(&file, 705, "wrapper that does not unpack");
    file.data[9] = 0x7f;
    expect(&file, 706, "wrapper of 2^63 bytes");
    mk_free(&file);
}

/* A wrapper in a wrapper is no FST file: unwrapping never repeats. */
static void a_wrapper_in_a_wrapper(void **state)
{
    struct mk file = { 0 }, once = { 0 }, twice = { 0 };

    (void)state;
    small_file(&file, &plain);
    mk_wrap(&once, &file);
    mk_wrap(&twice, &once);
    expect(&twice, 700, "wrapped twice");
    mk_free(&file);
    mk_free(&once);
    mk_free(&twice);
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
        cmocka_unit_test(stream_counts_that_no_memory_holds),
        cmocka_unit_test(numbers_without_end),
        cmocka_unit_test(sizes_that_packed_data_does_not_have),
        cmocka_unit_test(sizes_of_frame_and_time_table),
        cmocka_unit_test(position_tables_that_lead_nowhere),
        cmocka_unit_test(a_chain_at_the_very_end),
        cmocka_unit_test(time_tables_that_contradict),
        cmocka_unit_test(changes_outside_of_the_time_table),
        cmocka_unit_test(frames_that_do_not_fit_the_widths),
        cmocka_unit_test(widths_beyond_the_limit),
        cmocka_unit_test(hierarchies_that_are_wrong),
        cmocka_unit_test(scopes_too_deep_or_with_names_too_long),
        cmocka_unit_test(ports_of_an_impossible_length),
        cmocka_unit_test(blocks_out_of_place),
        cmocka_unit_test(a_wrapper_in_a_wrapper),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
