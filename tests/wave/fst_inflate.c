/* SPDX-License-Identifier: MIT */
/*
 * The quick inflater against zlib: streams of every level, window and strategy come out alike, in
 * parts of any size; of damaged and cut ones it takes none that zlib does not take, nor otherwise.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "test.h"
#include "wave/fst_inflate.h"

enum { MOST = 150000, ROOM = 2 * MOST + 1000 };

static uint8_t plain[MOST], packed[ROOM], got[MOST], want[MOST];
static struct fst_inflate ours;

/* From one long run to noise; what is far back, too. */
static void fill(struct test_rng *rng, size_t size)
{
    const unsigned kind = test_rand_below(rng, 6);

    for (size_t i = 0; i < size; i++) {
        const uint8_t any = (uint8_t)test_rand(rng);
        const bool seldom = test_rand_below(rng, 200) == 0;
        plain[i] = kind == 0                ? 5
                   : kind == 1              ? (uint8_t)(i % 7)
                   : kind == 2              ? any
                   : kind == 3              ? (seldom ? any % 4 : 5)
                   : kind == 4 && i > 30000 ? plain[i - 30000]
                   : seldom || i == 0       ? any
                                            : plain[i - 1];
    }
}

static size_t pack(struct test_rng *rng, size_t size)
{
    z_stream z = {
        .next_in = plain, .avail_in = (uInt)size, .next_out = packed, .avail_out = ROOM
    };
    const int level = (int)test_rand_below(rng, 10), window = 9 + (int)test_rand_below(rng, 7),
              memory = 1 + (int)test_rand_below(rng, 9), strategy = (int)test_rand_below(rng, 5);

    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, window, memory, strategy), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return ROOM - z.avail_out;
}

/* In a buffer of its own, so that a read past the end is seen. */
static bool read_ours(struct test_rng *rng, const uint8_t *data, size_t length, size_t size)
{
    uint8_t *copy = malloc(length > 0 ? length : 1);
    bool fine = copy != NULL;

    assert_non_null(copy);
    memcpy(copy, data, length);
    fine = fst_inflate_begin(&ours, copy, length);
    for (size_t at = 0, n; fine && at < size; at += n) {
        n = 1 + test_rand_below(rng, FST_INFLATE_PART);
        n = n < size - at ? n : size - at;
        fine = fst_inflate_next(&ours, got + at, n, at + n == size);
    }
    free(copy);
    return fine;
}

static bool read_zlib(const uint8_t *data, size_t length, size_t size)
{
    uLongf made = size;

    return uncompress(want, &made, data, length) == Z_OK && made == size;
}

static void streams(void **state)
{
    struct test_rng rng = test_rng_start(1201, NULL);
    const unsigned rounds = test_long() ? 3000 : 200;

    (void)state;
    for (unsigned r = 0; r < rounds; r++) {
        const size_t size = 1 + test_rand_below(&rng, r % 3 ? MOST : 300);
        fill(&rng, size);
        const size_t length = pack(&rng, size);
        assert_true(read_ours(&rng, packed, length, size));
        assert_memory_equal(got, plain, size);
    }
}

static void damage(void **state)
{
    struct test_rng rng = test_rng_start(1202, NULL);
    const unsigned rounds = test_long() ? 3000 : 200;
    unsigned taken = 0;

    (void)state;
    for (unsigned r = 0; r < rounds; r++) {
        const size_t size = 2 + test_rand_below(&rng, r % 3 ? 300 : 20000);
        fill(&rng, size);
        const size_t length = pack(&rng, size);
        for (unsigned k = 0; k < 20; k++) {
            const size_t at = test_rand_below(&rng, (uint32_t)length);
            const uint8_t bit = (uint8_t)(1u << test_rand_below(&rng, 8));
            const size_t cut = k % 3 == 0 ? at : length, claim = k % 7 == 0 ? size - 1 : size;
            packed[at] ^= bit;
            const bool fine = read_zlib(packed, cut, claim);
            assert_int_equal(read_ours(&rng, packed, cut, claim), fine);
            if (fine)
                assert_memory_equal(got, want, claim);
            taken += fine;
            packed[at] ^= bit;
        }
    }
    assert_in_range(taken, 1, 20 * rounds / 2); /* bits that nobody looks at */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams),
        cmocka_unit_test(damage),
    };

    return cmocka_run_group_tests_name("wave/fst_inflate", tests, NULL, NULL);
}
