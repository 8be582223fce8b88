/* SPDX-License-Identifier: MIT */
/*
 * Every kernel of the build computes what the rules say, whichever one this CPU would choose;
 * the ones whose instructions it lacks are skipped, and say so.
 */
#include "test.h"

#include "kernel_check.h"

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
    struct CMUnitTest tests[2 + MAX_KERNELS] = { cmocka_unit_test(the_best_kernel_is_usable),
                                                 test_of(&kernel_eight) };
    size_t n = 0;

    for (; n < MAX_KERNELS && pc_kernel_at(n); n++)
        tests[2 + n] = test_of(pc_kernel_at(n));
    return _cmocka_run_group_tests("kernels", tests, 2 + n, NULL, NULL);
}
