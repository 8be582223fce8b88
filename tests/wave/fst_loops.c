/* SPDX-License-Identifier: MIT */
/*
 * The loops over known records (fst/direct.h), each that this CPU can run against the portable
 * ones: pseudo-random chains, dense and sparse, with several records in a cycle, along a piece
 * whose clock changes at every index; they make the same toggles and stop at the same place.
 */
#include <stdio.h>
#include <string.h>

#include "fst_support.h"
#include "wave/fst/direct.h"

enum { SIGNALS = 64, MOST = 20000, CYCLES = 16000 };

static uint8_t chain[16 * MOST];
static uint64_t words[2][2 * SIGNALS * WV_PLANE_WORDS];
static uint8_t has[2 * SIGNALS];

struct outcome {
    struct fst_place now;
    struct fst_part part;
};

static uint64_t distance(struct test_rng *rng, unsigned mood)
{
    switch (test_rand_below(rng, 40) ? mood : 4) {
    case 0:
        return 2;
    case 1:
        return 2 * test_rand_below(rng, 6);
    case 2:
        return test_rand_below(rng, 5);
    case 3:
        return test_rand_below(rng, 64);
    default:
        return test_rand_below(rng, 200);
    }
}

static size_t number(uint64_t x, uint8_t *to)
{
    to[0] = (uint8_t)(x & 0x7f) | (uint8_t)(x > 0x7f ? 0x80 : 0);
    to[1] = (uint8_t)(x >> 7);
    return x > 0x7f ? 2 : 1;
}

/* Bytes of a value each, 0: one bit; the first number is left out. */
static size_t make_chain(struct test_rng *rng, unsigned bytes, size_t records)
{
    const unsigned mood = test_rand_below(rng, 5);
    size_t n = 0;

    for (size_t i = 0; i < records; i++) {
        const bool bit = test_rand_below(rng, 2);
        const bool odd = test_rand_below(rng, 3000) == 0; /* not known: they stop there */
        const uint64_t d = distance(rng, mood);
        if (i > 0)
            n += number(bytes ? d << 1 | odd : d << 2 | (uint64_t)bit << 1 | odd, chain + n);
        for (unsigned k = 0; k < bytes; k++)
            chain[n++] = (uint8_t)test_rand(rng);
    }
    return n;
}

static struct outcome walk(const struct fst_loops *loops, const struct fst_part *part,
                           const struct fst_piece *piece, unsigned bytes, size_t size,
                           uint64_t index, uint64_t *word)
{
    static struct fst_rows rows;
    struct outcome out = { { chain, bytes ? 4 : 6, index }, *part };
    struct fst_planes planes = {
        .kernel = &pc_kernel_portable, .loops = loops, .word = word, .has = has
    };
    struct fst_track track = { .walk.end = chain + size };
    const struct fst_along along = {
        .planes = &planes, .t = &track, .part = &out.part, .piece = piece, .rows = &rows
    };

    memset(word, 0, sizeof words[0]);
    memset(has, FST_PLANE_ZERO, sizeof has);
    if (bytes == 0)
        loops->bit(&along, &out.now);
    else if (bytes == 1)
        loops->bytes(&along, &out.now);
    else
        loops->packed(&along, &out.now, bytes);
    return out;
}

static void compare(struct test_rng *rng, const struct fst_loops *loops)
{
    const unsigned bytes = test_rand_below(rng, 12);
    const size_t size = make_chain(rng, bytes, 20 + test_rand_below(rng, MOST - 20));
    const uint64_t first = test_rand_below(rng, 100);
    const struct fst_piece piece = { .begin = first,
                                     .sure = first + 600 + test_rand_below(rng, 2 * CYCLES),
                                     .regular = true,
                                     .bias = test_rand_below(rng, 500) };
    struct fst_part part = { .value = test_rand(rng),
                             .wanted = test_rand(rng) | UINT64_C(1) << 63 };

    if (bytes == 0)
        part.wanted = UINT64_C(1) << 63;
    else if (bytes == 1)
        part.wanted &= UINT64_MAX << 56;
    part.value &= part.wanted;
    for (unsigned i = 0; i < 64; i++)
        part.signal[i] = 63 - i;
    const uint64_t index = first + test_rand_below(rng, 500);
    const struct outcome want =
                             walk(&fst_loops_portable, &part, &piece, bytes, size, index, words[0]),
                         got = walk(loops, &part, &piece, bytes, size, index, words[1]);
    assert_ptr_equal(got.now.at, want.now.at);
    assert_int_equal(got.now.next, want.now.next);
    assert_int_equal(got.now.head, want.now.head);
    assert_true(got.part.value == want.part.value);
    assert_memory_equal(words[1], words[0], sizeof words[0]);
}

static void all_make_the_same(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(31, &seed);

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 1; fst_loops_at(i); i++) {
        if (!fst_loops_at(i)->usable()) {
            test_say_skip(fst_loops_at(i)->name, "this CPU has no such instructions");
            continue;
        }
        for (unsigned n = 0; n < (test_long() ? 20000u : 1000u); n++)
            compare(&rng, fst_loops_at(i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_make_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
