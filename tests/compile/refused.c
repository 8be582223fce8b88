/* SPDX-License-Identifier: MIT */
/* Complete: what the compiler refuses, no encoding computes (exhaustive.c). */
#include "exhaustive.h"

#include <stdio.h>
#include <stdlib.h>

static void plain_inputs(void **state)
{
    static const char *const chips[] = { "NV10", "NV20", "NV40", "G92", "GF100" };
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);
    unsigned tries = test_long() ? 20000 : 1500, refused = 0;

    (void)state;
    for (unsigned i = 0; i < tries; i++) {
        const struct pc_chip *chip = pc_chip_find(chips[i % 5]);
        struct cm_want w = want_nothing(chip);
        struct cm_found found;
        unsigned input = test_rand_below(&rng, 2) ? PC_INPUT_PRE : PC_INPUT_CLRFLAG;
        w.wanted[input] = true;
        want_random(&rng, 1 + test_rand_below(&rng, 4), 0, EXHAUSTIVE_SIGNALS, &w.func[input]);
        bool fits = cm_solve(&w, &found);
        if (fits != exhaustive_plain(&w.func[input], 0, chip->features & PC_F_ARG23_DELAY))
            fail_msg("seed %llu, try %u: %s", (unsigned long long)seed, i, chip->name);
        refused += !fits;
    }
    printf("%u of %u refused, none has an encoding\n", refused, tries);
    assert_true(refused > tries / 100);
}

/* Five atoms that all matter, every second time some of them late. */
static void chained_inputs(void **state)
{
    static const char *const chips[] = { "NV40", "G92", "GF100" };
    uint64_t seed;
    struct test_rng rng = test_rng_start(13, &seed);
    unsigned tries = test_long() ? 400 : 18, refused = 0;

    (void)state;
    for (unsigned i = 0; i < tries; i++) {
        struct cm_want w = want_nothing(pc_chip_find(chips[i / 2 % 3]));
        unsigned input = i % 4 < 2 ? PC_INPUT_EVENT : PC_INPUT_STOP;
        struct cm_func *f = &w.func[input];
        struct cm_found found;
        w.wanted[input] = true;
        want_random(&rng, 5, 0, 8, f);
        for (unsigned a = 0; a < 5 && i % 2 == 0; a++)
            f->atom[a] = (struct cm_atom){ (uint8_t)a, false };
        bool arg23 = w.target.features & PC_F_ARG23_DELAY;
        bool fits = cm_solve(&w, &found);
        if (fits != exhaustive_chain(f, arg23))
            fail_msg("seed %llu, try %u", (unsigned long long)seed, i);
        refused += !fits;
    }
    printf("%u of %u refused, none has a chain\n", refused, tries);
    assert_true(refused > 0 && refused < tries);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(plain_inputs),
                                        cmocka_unit_test(chained_inputs) };

    return cmocka_run_group_tests_name("compile_refused", tests, NULL, NULL);
}
