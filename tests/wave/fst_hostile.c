/* SPDX-License-Identifier: MIT */
/*
 * FST files that are wrong: one test for each class of defect that readers of this format
 * are known for (the CVE numbers are those of the class), files cut at every byte, files
 * with bytes changed at random.  Always an error that tells the place, or success; never
 * more memory than the file's size explains.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fst_small.h"
#include "fst_support.h"

#define MIB ((size_t)1 << 20)

static const struct small_dress plain = { .changes = 8, .hierarchy = 4 };
static const struct small_dress zlib = { .changes = 8, .packing = 'Z', .hierarchy = 4 };

/* The error of a file, which has to tell a byte inside of it. */
static unsigned error_of(const struct mk *file)
{
    struct pc_error err;
    unsigned code;

    fst_memory = (struct fst_memory){ .limit = 64 * MIB };
    code = fst_error_of(file, &err);
    if (code != 0) {
        assert_true(code >= 500 && code < 800);
        assert_true(err.text[0] != '\0');
        assert_true(err.has_byte);
        assert_true(err.byte <= file->used);
    }
    return code;
}

static void expect(const struct mk *file, unsigned code, const char *what)
{
    unsigned got = error_of(file);

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
            first.changes.frame_streams = (size_t)count[i];
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
            unsigned code = error_of(&file);
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
    expect_with(&first, 706, "time table of one byte less");
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
        { 8, 711, { 10000 * 2 + 1, INT64_MIN }, "a chain past the block" },
        { 8, 711, { INT64_MAX, INT64_MIN }, "a chain past everything" },
        { 1, 711, { 1 * 2 + 1, 0 * 2 + 1, INT64_MIN }, "two chains at one place" },
        { 1, 711, { 1 * 2 + 1, INT64_MAX, INT64_MIN }, "a place that wraps" },
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

/* 8 MiB of zeros in some KiB: max_ratio has the say, before anything is allocated. */
static void data_that_unpacks_to_too_much(void **state)
{
    enum { SIZE = 8 << 20 };
    struct pc_wave_limits tight = { .max_ratio = 100 };
    struct small_first first;
    struct mk file = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &zlib);
    for (int i = 0; i < SIZE; i++)
        mk_u8(&first.chain[SMALL_E], 0); /* at the last index, again and again */
    small_with(&file, &first);
    assert_true(file.used < SIZE / 500);
    fst_memory = (struct fst_memory){ 0 };
    fst_scan(fst_temp(&file, ""), NULL, &tight, false, NULL, &s);
    assert_int_equal(s.status, PC_ELIMIT);
    assert_int_equal(s.err.code, 707);
    assert_true(fst_memory.peak < MIB);
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&file);
}

/* All changes of one stamp are held at once: there is a limit to that too. */
static void a_stamp_with_too_many_changes(void **state)
{
    struct pc_wave_limits few = { .max_vars = 1000 };
    struct small_first first;
    struct mk file = { 0 };
    struct fst_scan s;

    (void)state;
    small_first(&first, &zlib);
    for (int i = 0; i < 400000; i++)
        mk_u8(&first.chain[SMALL_E], 2);
    small_with(&file, &first);
    fst_memory = (struct fst_memory){ 0 };
    fst_scan(fst_temp(&file, ""), NULL, NULL, false, NULL, &s);
    assert_int_equal(s.status, PC_END);
    assert_int_equal(s.records, 13 + 400000);
    fst_scan_free(&s);
    fst_scan(fst_temp(&file, ""), NULL, &few, false, NULL, &s);
    assert_int_equal(s.err.code, 718);
    fst_scan_free(&s);
    small_first_free(&first);
    mk_free(&file);
}

static void cut_everywhere(const struct mk *file)
{
    for (size_t size = 1; size < file->used; size++) {
        struct mk cut = *file;
        cut.used = size;
        if (error_of(&cut) == 0)
            fail_msg("cut at byte %zu of %zu, and it reads", size, file->used);
        assert_true(fst_memory.peak < 4 * MIB);
    }
}

static void a_file_cut_at_every_byte(void **state)
{
    struct mk file = { 0 }, wrapped = { 0 };

    (void)state;
    small_file(&file, &(struct small_dress){ 8, '4', 7, true, true });
    cut_everywhere(&file);
    mk_wrap(&wrapped, &file);
    cut_everywhere(&wrapped);
    mk_free(&file);
    mk_free(&wrapped);
}

/* Changes a few bytes at a time; the file is as it was afterwards. */
static void flip(struct mk *file, struct test_rng *rng, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        size_t at[4];
        uint8_t was[4];
        unsigned n = 1 + test_rand_below(rng, 4);
        for (unsigned k = 0; k < n; k++) {
            at[k] = test_rand_below(rng, (uint32_t)file->used);
            was[k] = file->data[at[k]];
            file->data[at[k]] ^= (uint8_t)(1u << test_rand_below(rng, 8));
            if (test_rand_below(rng, 4) == 0)
                file->data[at[k]] = test_rand_below(rng, 2) ? 0xff : 0;
        }
        error_of(file);
        while (n-- > 0)
            file->data[at[n]] = was[n];
    }
}

static void bytes_changed_at_random(void **state)
{
    static const unsigned changes[] = { 1, 5, 8 }, hierarchy[] = { 4, 6, 7 };
    static const char packing[] = { 0, '4', 'Z', 'F' };
    uint64_t seed;
    struct test_rng rng = test_rng_start(7, &seed);

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned i = 0; i < 12; i++) {
        struct small_dress d = { changes[i % 3], packing[i % 4], hierarchy[i % 3], i & 1, i & 2 };
        struct mk file = { 0 };
        small_file(&file, &d);
        flip(&file, &rng, 500);
        mk_free(&file);
    }
}

/* Hierarchies are always packed: damage that gets past that has to be made before. */
static void entries_changed_at_random(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(13, &seed);
    struct mk entries = { 0 };

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    small_entries(&entries);
    for (int i = 0; i < 3000; i++) {
        struct mk file = { 0 };
        uint32_t at = test_rand_below(&rng, (uint32_t)entries.used);
        uint8_t was = entries.data[at];
        entries.data[at] = (uint8_t)test_rand(&rng);
        mk_header(&file, -9);
        if (i & 1)
            mk_geometry(&file, false, small_lengths, SMALL_STREAMS);
        mk_hierarchy(&file, 6, &entries);
        error_of(&file);
        entries.data[at] = was;
        mk_free(&file);
    }
    mk_free(&entries);
}

/* The same over files of real simulators. */
static void bytes_of_real_files_changed(void **state)
{
    static const char *const name[] = {
        "gtkwave/basic.fst",
        "gtkwave/timezero.fst",
        "gtkwave/evcd.fst",
        "gtkwave/ghdl_basic.fst",
        "wellen/verilator/many_sv_datatypes.fst",
        "wellen/nvc/shortstring.fst",
        "wellen/nvc/manytypes2.fst",
        "wellen/icarus/pull_67_event_example.fst",
        "wellen/sigrok/libsigrok.vcd.fst",
        "wellen/ghdl/alu.vcd.fst",
        "wellen/my-hdl/Simple_Memory.vcd.fst",
    };
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        char relative[128], path[4096];
        static uint8_t bytes[1 << 16];
        snprintf(relative, sizeof relative, "waves/corpus/%s", name[i]);
        if (!test_shared(relative, path, sizeof path))
            skip();
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        struct mk file = { 0 };
        mk_bytes(&file, bytes, fread(bytes, 1, sizeof bytes, f));
        fclose(f);
        flip(&file, &rng, 200);
        mk_free(&file);
    }
}

/* Every allocation fails once: PC_ENOMEM and nothing left behind. */
static void no_memory_at_any_call(void **state)
{
    struct mk file = { 0 };
    unsigned long call = 0;
    struct fst_scan s;

    (void)state;
    small_file(&file, &(struct small_dress){ 8, 'Z', 7, true, true });
    do {
        fst_memory = (struct fst_memory){ .fail_at = ++call };
        fst_scan_bytes(&file, NULL, &s);
        enum pc_status status = s.status;
        fst_scan_free(&s);
        assert_int_equal(fst_memory.live, 0);
        if (fst_memory.calls < call) {
            assert_int_equal(status, PC_END);
            break;
        }
        if (status != PC_ENOMEM)
            fail_msg("call %lu fails: %s", call, pc_status_name(status));
    } while (call < 10000);
    assert_true(call > 20 && call < 10000);
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
        cmocka_unit_test(stream_counts_that_no_memory_holds),
        cmocka_unit_test(numbers_without_end),
        cmocka_unit_test(sizes_that_packed_data_does_not_have),
        cmocka_unit_test(sizes_of_frame_and_time_table),
        cmocka_unit_test(position_tables_that_lead_nowhere),
        cmocka_unit_test(time_tables_that_contradict),
        cmocka_unit_test(changes_outside_of_the_time_table),
        cmocka_unit_test(frames_that_do_not_fit_the_widths),
        cmocka_unit_test(widths_beyond_the_limit),
        cmocka_unit_test(hierarchies_that_are_wrong),
        cmocka_unit_test(scopes_too_deep_or_with_names_too_long),
        cmocka_unit_test(ports_of_an_impossible_length),
        cmocka_unit_test(blocks_out_of_place),
        cmocka_unit_test(a_wrapper_in_a_wrapper),
        cmocka_unit_test(data_that_unpacks_to_too_much),
        cmocka_unit_test(a_stamp_with_too_many_changes),
        cmocka_unit_test(a_file_cut_at_every_byte),
        cmocka_unit_test(bytes_changed_at_random),
        cmocka_unit_test(entries_changed_at_random),
        cmocka_unit_test(bytes_of_real_files_changed),
        cmocka_unit_test(no_memory_at_any_call),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
