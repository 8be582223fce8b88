/* SPDX-License-Identifier: MIT */
/*
 * Every kernel of the build computes what the rules say, whichever one this CPU would choose;
 * the ones whose instructions it lacks are skipped, and say so.
 */
#include "test.h"

#include <string.h>

#include "kernel_check.h"
#include "kernel/products.h"

/* Planes that begin one word after the other: 16 unlike ones of little memory. */
static void make_operations(struct pc_lut_op op[4], const uint64_t *memory, struct test_rng *rng)
{
    for (unsigned k = 0; k < 4; k++) {
        op[k].table = (uint16_t)test_rand(rng);
        for (unsigned i = 0; i < 4; i++)
            op[k].arg[i] = memory + 4 * k + i;
    }
}

/* Kernels may take turns of many words with unlike planes. */
static void hold_long_quad(const struct pc_kernel *kernel)
{
    enum { WORDS = 2 * 65536 + 77, PIECE = 501 };
    uint64_t *memory = test_malloc((WORDS + 16) * sizeof *memory), seed;
    uint64_t all[4] = { 0 }, pieces[4] = { 0 };
    struct pc_rise edge = { true, false }, last = { true, false };
    struct pc_lut_op op[4], piece[4];

    struct test_rng rng = test_rng_start(2, &seed);
    for (size_t w = 0; w < WORDS + 16; w++)
        memory[w] = test_rand(&rng);
    make_operations(op, memory, &rng);
    kernel->quad(op, WORDS, all, &edge);
    for (size_t w = 0; w < WORDS; w += PIECE) {
        for (unsigned k = 0; k < 4; k++)
            piece[k] = pc_lut_at(&op[k], w);
        pc_kernel_portable.quad(piece, WORDS - w < PIECE ? WORDS - w : PIECE, pieces, &last);
    }
    if (memcmp(all, pieces, sizeof all) != 0)
        fail_msg("a long quad of %s differs (PC_SEED=%llu)", kernel->name,
                 (unsigned long long)seed);
    assert_int_equal(edge.level, last.level);
    assert_int_equal(edge.odd, last.odd);
    test_free(memory);
}

static void hold(const struct pc_kernel *kernel)
{
    uint64_t seed;
    size_t words = 0;

    test_rng_start(1, &seed);
    const char *wrong = kernel_check(kernel, seed, 1500, &words);
    if (wrong)
        fail_msg("%s of %s differs with %zu words (PC_SEED=%llu)", wrong, kernel->name, words,
                 (unsigned long long)seed);
    wrong = kernel_check_tables(kernel);
    if (wrong)
        fail_msg("%s of %s differs for a truth table", wrong, kernel->name);
    hold_long_quad(kernel);
}

/* The kernel in the test's name, or a SKIP if this CPU cannot run it. */
static void kernel_obeys_the_rules(void **state)
{
    const struct pc_kernel *kernel = *state;

    if (!kernel->usable()) {
        test_say_skip(kernel->name, "this CPU does not have its instructions");
        skip();
    }
    hold(kernel);
}

static void the_best_kernel_is_usable(void **state)
{
    const struct pc_kernel *best = pc_kernel_best();

    (void)state;
    assert_true(best->usable());
    print_message("kernel of this CPU: %s\n", best->name);
    for (size_t i = 0; pc_kernel_at(i); i++)
        if (pc_kernel_at(i) == best)
            return;
    fail_msg("%s is no kernel of this build", best->name);
}

static struct CMUnitTest test_of(const struct pc_kernel *kernel)
{
    union {
        const struct pc_kernel *shared;
        void *state;
    } as = { .shared = kernel };

    return (struct CMUnitTest){ .name = kernel->name,
                                .test_func = kernel_obeys_the_rules,
                                .initial_state = as.state };
}

int main(void)
{
    enum { MAX_KERNELS = 8 };
    struct CMUnitTest tests[1 + MAX_KERNELS] = { cmocka_unit_test(the_best_kernel_is_usable) };
    size_t n = 0;

    for (; n < MAX_KERNELS && pc_kernel_at(n); n++)
        tests[1 + n] = test_of(pc_kernel_at(n));
    return _cmocka_run_group_tests("kernels", tests, 1 + n, NULL, NULL);
}
