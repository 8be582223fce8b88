/* SPDX-License-Identifier: MIT */
/*
 * What the compiler finds, run by the model: the registers are written, random signals go
 * in, and each input is what its function says, cycle by cycle.  Functions have up to seven
 * atoms, some one cycle late, and up to six inputs are wanted at once.
 */
#include "want.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 48, SIGNALS = 8, FIRST = 16 };

static const char *const chips[] = { "NV10", "NV15", "NV20", "NV30", "NV40",
                                     "G80",  "G84",  "G92",  "GT215" };

static void write_program(struct pc_unit *unit, const struct cm_want *w, const struct cm_found *f)
{
    struct pc_compile_request r = { .chip = w->target.chip,
                                    .mode = w->target.features & PC_F_QUAD ? PC_COUNT_QUAD
                                                                           : PC_COUNT_SINGLE };
    struct pc_program program;
    struct pc_error err;

    test_ok(cm_program(&r, w, f, &program, &err), &err);
    for (size_t i = 0; i < program.writes; i++)
        pc_unit_write(unit, program.write[i].address, program.write[i].value);
}

static bool input_of(const struct pc_unit_inputs *in, unsigned input)
{
    const bool value[PC_INPUT_COUNT] = { in->pre,  in->start,   in->event,
                                         in->stop, in->setflag, in->clrflag };

    return value[input];
}

static void run(struct test_rng *rng, const struct cm_want *w, const struct cm_found *f)
{
    struct pc_unit_desc desc = { .chip = w->target.chip };
    struct pc_unit *unit;
    struct pc_error err;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } }, before[PC_SIG_WORDS] = { 0 };

    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    write_program(unit, w, f);
    for (unsigned t = 0; t < CYCLES; t++) {
        struct pc_unit_inputs in;
        raw[0][0] = test_rand(rng) & UINT64_C(0xff) << FIRST;
        pc_unit_step(unit, 1, (const uint64_t(*)[PC_SIG_WORDS])raw);
        pc_unit_get_inputs(unit, 0, &in);
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
            if (w->wanted[i])
                assert_int_equal(input_of(&in, i), want_value(&w->func[i], raw[0], before));
        memcpy(before, raw[0], sizeof before);
    }
    pc_unit_destroy(unit);
}

static void compiled_is_computed(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7, &seed);
    unsigned tries = test_long() ? 100000 : 4000;
    unsigned fits = 0, chained = 0, several = 0;

    (void)state;
    for (unsigned i = 0; i < tries; i++) {
        const struct pc_chip *chip = pc_chip_find(chips[i % (sizeof chips / sizeof chips[0])]);
        struct cm_want w = want_nothing(chip);
        struct cm_found found;
        unsigned cone, inputs = 1 + test_rand_below(&rng, 3);
        for (unsigned k = 0; k < inputs; k++) {
            unsigned input = test_rand_below(&rng, PC_INPUT_COUNT);
            unsigned most = cm_chains(input) ? 7 : 4;
            w.wanted[input] = true;
            want_random(&rng, 1 + test_rand_below(&rng, most), FIRST, SIGNALS, &w.func[input]);
        }
        if (!cm_solve(&w, &found))
            continue;
        assert_true(cm_verify(&w, &found, &cone));
        fits++;
        chained += found.chained[PC_INPUT_EVENT] || found.chained[PC_INPUT_STOP];
        several += inputs > 1;
        run(&rng, &w, &found);
    }
    printf("seed %llu: %u of %u fit, %u of them with a chain, %u with several inputs\n",
           (unsigned long long)seed, fits, tries, chained, several);
    assert_true(fits > tries / 10 && chained > tries / 100 && several > tries / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(compiled_is_computed) };

    return cmocka_run_group_tests_name("compile_model", tests, NULL, NULL);
}
