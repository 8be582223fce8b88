/* SPDX-License-Identifier: MIT */
/* Parts of the FST reader on their own: numbers through the cursor, and FastLZ. */
#include <string.h>

#include "fst_make.h"
#include "test.h"
#include "wave/fst/cursor.h"
#include "wave/fst/fastlz.h"

static void numbers_survive_the_round_trip(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 64; shift++)
        for (int around = -1; around <= 1; around++) {
            uint64_t value = ((uint64_t)1 << shift) + (uint64_t)(int64_t)around;
            struct mk m = { 0 };
            mk_number(&m, value);
            struct fst_cursor c = fst_cursor_on(m.data, m.used, 0);
            assert_true(fst_number(&c) == value);
            assert_int_equal(c.fault, FST_NO_FAULT);
            assert_int_equal(fst_left(&c), 0);
            mk_free(&m);
        }
}

static void signed_numbers_survive_the_round_trip(void **state)
{
    static const int64_t value[] = { 0,    1,    -1,    63,    64,        -64,      -65,
                                     8191, 8192, -8192, -8193, INT64_MAX, INT64_MIN };

    (void)state;
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        struct mk m = { 0 };
        mk_signed(&m, value[i]);
        struct fst_cursor c = fst_cursor_on(m.data, m.used, 0);
        assert_true(fst_signed(&c) == value[i]);
        assert_int_equal(c.fault, FST_NO_FAULT);
        assert_int_equal(fst_left(&c), 0);
        mk_free(&m);
    }
}

/* CVE-2023-35702 to 35704: continuation bytes without end. */
static void a_number_stops_after_ten_bytes(void **state)
{
    uint8_t bytes[16];

    (void)state;
    memset(bytes, 0x80, sizeof bytes);
    struct fst_cursor c = fst_cursor_on(bytes, sizeof bytes, 100);
    assert_true(fst_number(&c) == 0);
    assert_int_equal(c.fault, FST_LONG_NUMBER);
    assert_ptr_equal(c.at, bytes);
    memset(bytes, 0xff, 9);
    bytes[9] = 0x01;
    c = fst_cursor_on(bytes, sizeof bytes, 0);
    assert_true(fst_number(&c) == UINT64_MAX);
    assert_int_equal(c.fault, FST_NO_FAULT);
    bytes[9] = 0x02; /* bit 64 */
    c = fst_cursor_on(bytes, sizeof bytes, 0);
    fst_number(&c);
    assert_int_equal(c.fault, FST_LONG_NUMBER);
}

static void a_number_that_is_cut_is_a_fault_at_its_begin(void **state)
{
    const uint8_t bytes[] = { 7, 0x81, 0x82 };
    struct fst_cursor c = fst_cursor_on(bytes, sizeof bytes, 0);

    (void)state;
    assert_true(fst_number(&c) == 7);
    assert_true(fst_number(&c) == 0);
    assert_int_equal(c.fault, FST_ENDS);
    assert_ptr_equal(c.at, bytes + 1);
}

static void a_fault_sticks(void **state)
{
    const uint8_t bytes[] = { 1, 2, 3 };
    struct fst_cursor c = fst_cursor_on(bytes, sizeof bytes, 0);
    size_t length = 0;

    (void)state;
    assert_true(fst_u64(&c) == 0);
    assert_int_equal(c.fault, FST_ENDS);
    assert_int_equal(fst_u8(&c), 0);
    assert_null(fst_take(&c, 1));
    assert_null(fst_text(&c, &length));
    assert_ptr_equal(c.at, bytes);
}

static void texts_need_their_nul(void **state)
{
    const uint8_t bytes[] = { 'a', 'b', 0, 'c', 'd' };
    struct fst_cursor c = fst_cursor_on(bytes, sizeof bytes, 0);
    size_t length = 0;

    (void)state;
    assert_string_equal(fst_text(&c, &length), "ab");
    assert_int_equal(length, 2);
    assert_null(fst_text(&c, &length));
    assert_int_equal(c.fault, FST_ENDS);
}

struct packed {
    const char *name;
    size_t length;
    const char *from;
    size_t size;
    const char *to;
};

static const struct packed fastlz_good[] = {
    { "one literal", 2, "\x00z", 1, "z" },
    { "short match: M = 1 copies 3", 6,
      "\x02"
      "abc"
      "\x20\x02",
      6, "abcabc" },
    { "overlapping match", 4,
      "\x00"
      "a"
      "\x60\x00",
      6, "aaaaaa" },
    { "long match: N + 9", 5,
      "\x00"
      "a"
      "\xe0\x01\x00",
      11, "aaaaaaaaaaa" },
    { "level 2, the same", 5,
      "\x20"
      "a"
      "\xe0\x01\x00",
      11, "aaaaaaaaaaa" },
    { "literals behind a match", 6,
      "\x00"
      "a"
      "\x20\x00\x00"
      "b",
      5, "aaaab" },
};

static const struct packed fastlz_bad[] = {
    { "nothing", 0, "", 1, NULL },
    { "a level that does not exist", 2, "\x40z", 1, NULL },
    { "literals past the input", 2, "\x05z", 6, NULL },
    { "literals past the output", 4,
      "\x02"
      "abc",
      2, NULL },
    { "distance before the begin", 4,
      "\x00"
      "a"
      "\x20\x01",
      4, NULL },
    { "distance far before the begin", 4,
      "\x00"
      "a"
      "\x3f\xff",
      4, NULL },
    { "match past the output", 4,
      "\x00"
      "a"
      "\x60\x00",
      5, NULL },
    { "match without its distance", 3,
      "\x00"
      "a"
      "\x20",
      4, NULL },
    { "long match without its length", 3,
      "\x00"
      "a"
      "\xe0",
      11, NULL },
    { "too little", 2, "\x00z", 2, NULL },
    { "level 2: a length that never ends", 5,
      "\x20"
      "a"
      "\xe0\xff\xff",
      600, NULL },
    { "level 2: far distance cut", 5,
      "\x20"
      "a"
      "\x3f\xff\x00",
      4, NULL },
};

static void fastlz_unpacks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fastlz_good / sizeof fastlz_good[0]; i++) {
        const struct packed *p = &fastlz_good[i];
        uint8_t to[32];
        if (!fst_fastlz_unpack((const uint8_t *)p->from, p->length, to, p->size) ||
            memcmp(to, p->to, p->size) != 0)
            fail_msg("%s", p->name);
    }
}

static void fastlz_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fastlz_bad / sizeof fastlz_bad[0]; i++) {
        const struct packed *p = &fastlz_bad[i];
        uint8_t to[600];
        if (fst_fastlz_unpack((const uint8_t *)p->from, p->length, to, p->size))
            fail_msg("%s", p->name);
    }
}

/* Level 2 alone: lengths in steps of 255, and distances beyond 8191. */
static void fastlz_level_2_reaches_far(void **state)
{
    enum { RUN = 9000 };
    static uint8_t to[2 + RUN + 3];
    struct mk m = { 0 };

    (void)state;
    mk_bytes(&m,
             "\x21"
             "ab",
             3); /* two literals at level 2 */
    mk_u8(&m, 0xe0);
    size_t more = RUN - 9;
    for (; more >= 255; more -= 255)
        mk_u8(&m, 255);
    mk_u8(&m, (unsigned)more);
    mk_u8(&m, 1);                        /* distance 2: abab... */
    mk_bytes(&m, "\x3f\xff\x03\x29", 4); /* 3 bytes from 8192 + 256 * 3 + 41 = 9001 back */
    assert_true(fst_fastlz_unpack(m.data, m.used, to, sizeof to));
    for (size_t i = 0; i < sizeof to - 3; i++)
        assert_int_equal(to[i], i % 2 ? 'b' : 'a');
    assert_memory_equal(to + RUN + 2, "bab", 3);
    mk_free(&m);
}

/* Whatever the bytes are, nothing outside is touched: for the sanitizers. */
static void fastlz_bears_noise(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(31, &seed);
    uint8_t from[64], to[257];

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t length = test_rand_below(&rng, sizeof from), size = test_rand_below(&rng, 257);
        for (size_t i = 0; i < length; i++)
            from[i] = (uint8_t)test_rand(&rng);
        if (length > 0)
            from[0] &= 0x3f;
        to[size] = 0xa5;
        fst_fastlz_unpack(from, length, to, size);
        assert_int_equal(to[size], 0xa5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_survive_the_round_trip),
        cmocka_unit_test(signed_numbers_survive_the_round_trip),
        cmocka_unit_test(a_number_stops_after_ten_bytes),
        cmocka_unit_test(a_number_that_is_cut_is_a_fault_at_its_begin),
        cmocka_unit_test(a_fault_sticks),
        cmocka_unit_test(texts_need_their_nul),
        cmocka_unit_test(fastlz_unpacks),
        cmocka_unit_test(fastlz_refuses),
        cmocka_unit_test(fastlz_level_2_reaches_far),
        cmocka_unit_test(fastlz_bears_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
