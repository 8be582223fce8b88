/* SPDX-License-Identifier: MIT */
/*
 * Chains of two bytes in turn that are not unpacked: what is said to be one has the bytes that LZ4
 * would make of it, and what LZ4's own compressor makes of one is found; one with a flaw, or whose
 * packed bytes are damaged, is not, unless LZ4 makes the same of it.
 */
#include <lz4.h>
#include <stdio.h>
#include <string.h>

#include "fst_direct.h"
#include "fst_support.h"
#include "wave/fst/direct.h"

enum { MOST = 400000, PREFIX = 200 };

static uint8_t plain[MOST], unpacked[MOST], packed[LZ4_COMPRESSBOUND(MOST)];

static size_t make_chain(struct test_rng *rng)
{
    const size_t size = 4 * FST_PACKED_CLOCK + test_rand_below(rng, MOST - 4 * FST_PACKED_CLOCK),
                 prefix = test_rand_below(rng, 3) ? test_rand_below(rng, 3)
                                                  : test_rand_below(rng, PREFIX);
    uint8_t two[2] = { (uint8_t)(test_rand_below(rng, 3) ? 4 : test_rand_below(rng, 256)),
                       (uint8_t)(test_rand_below(rng, 3) ? 6 : test_rand_below(rng, 256)) };

    two[1] ^= two[0] == two[1]; /* else LZ4 repeats one */
    for (size_t i = 0; i < size; i++)
        plain[i] = i < prefix ? (uint8_t)test_rand_below(rng, 256) : two[i % 2];
    return size;
}

/* Reads as the clock's loop does, by steps of any size. */
static void expect_bytes(struct fst_packed_clock *t, struct test_rng *rng, const uint8_t *want,
                         size_t size)
{
    struct fst_cursor c = fst_cursor_on(t->data, (size_t)t->size, 0);
    size_t at = 0;

    while (at < size) {
        fst_packed_clock_more(t, &c);
        assert_true(fst_left(&c) > 0);
        size_t n = 1 + test_rand_below(rng, 2 * FST_STRETCH);
        n = n < fst_left(&c) ? n : fst_left(&c);
        assert_int_equal(c.skipped + (uint64_t)(c.at - c.begin), at);
        assert_true(n <= size - at);
        assert_memory_equal(c.at, want + at, n);
        c.at += n;
        at += n;
    }
    fst_packed_clock_more(t, &c);
    assert_int_equal(fst_left(&c), 0);
}

static bool find(struct fst_packed_clock *t, size_t length, size_t size)
{
    const struct fst_cursor c = fst_cursor_on(packed, length, 0);

    return fst_packed_clock_find(t, &c, size);
}

static size_t pack(size_t size)
{
    const int n =
        LZ4_compress_default((const char *)plain, (char *)packed, (int)size, sizeof packed);

    assert_true(n > 0);
    return (size_t)n;
}

static void every_clock_is_found(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(21, &seed);
    struct fst_packed_clock t;

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned i = 0; i < (test_long() ? 3000u : 60u); i++) {
        const size_t size = make_chain(&rng), length = pack(size);
        assert_true(find(&t, length, size));
        expect_bytes(&t, &rng, plain, size);
        assert_false(find(&t, length, size + 1));
        assert_false(find(&t, length, size - 1));
        assert_false(find(&t, length - 1, size));
    }
}

static void a_flaw_is_seen(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(22, &seed);
    struct fst_packed_clock t;

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned i = 0; i < (test_long() ? 3000u : 60u); i++) {
        const size_t size = make_chain(&rng);
        const size_t at =
            i % 3 == 0
                ? size - 1 - test_rand_below(&rng, 20)
                : FST_PACKED_CLOCK + test_rand_below(&rng, (uint32_t)(size - FST_PACKED_CLOCK));
        plain[at] ^= (uint8_t)(1 + test_rand_below(&rng, 255));
        assert_false(find(&t, pack(size), size));
    }
}

static void damage_is_left_to_lz4(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(23, &seed);
    struct fst_packed_clock t;
    unsigned found = 0;

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned i = 0; i < (test_long() ? 20000u : 400u); i++) {
        const size_t size = make_chain(&rng), length = pack(size);
        for (unsigned n = 1 + test_rand_below(&rng, 3); n > 0; n--)
            packed[test_rand_below(&rng, (uint32_t)length)] = (uint8_t)test_rand_below(&rng, 256);
        if (!find(&t, length, size))
            continue;
        found++;
        assert_int_equal(
            LZ4_decompress_safe((const char *)packed, (char *)unpacked, (int)length, (int)size),
            size);
        expect_bytes(&t, &rng, unpacked, size);
    }
    assert_true(found > 0); /* bytes of the prefix */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_clock_is_found),
        cmocka_unit_test(a_flaw_is_seen),
        cmocka_unit_test(damage_is_left_to_lz4),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
