/* SPDX-License-Identifier: MIT */
/*
 * What is offered through the flag computes what was asked for, so many cycles later: random
 * expressions that look back up to three cycles, their registers in the model.
 */
#include "text.h"
#include "want.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/expr/expr.h"

enum { CYCLES = 48, SETTLE = 8 };

static const char *const chips[] = { "NV10", "NV20", "NV40", "G84", "G92", "GF100", "GK104" };

static void write_program(struct pc_unit *unit, const struct pc_chip *chip,
                          const struct cm_through *t)
{
    struct pc_compile_request r = { .chip = chip,
                                    .mode = chip->features & PC_F_QUAD ? PC_COUNT_QUAD
                                                                       : PC_COUNT_SINGLE };
    struct pc_program program;
    struct pc_error err;

    test_ok(cm_program(&r, &t->want, &t->found, &program, &err), &err);
    for (size_t i = 0; i < program.writes; i++)
        pc_unit_write(unit, program.write[i].address, program.write[i].value);
}

static bool input_of(const struct pc_unit_inputs *in, unsigned input)
{
    const bool value[] = { in->pre, in->start, in->event, in->stop };

    return value[input];
}

static void run(struct test_rng *rng, const struct pc_chip *chip, const struct text *text,
                unsigned input, const struct cm_through *t)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } }, past[TEXT_PAST] = { 0 };
    struct pc_chip_domain place;
    struct pc_unit *unit;
    struct pc_error err;

    assert_true(pc_chip_get_domain(chip, 0, &place));
    struct pc_unit_desc desc = { .chip = chip, .set = place.set, .index = place.unit };
    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    write_program(unit, chip, t);
    for (unsigned c = 0; c < CYCLES; c++) {
        struct pc_unit_inputs in;
        memmove(past + 1, past, sizeof past - sizeof past[0]);
        past[0] = test_rand(rng) & UINT64_C(0xff) << TEXT_FIRST;
        raw[place.domain][0] = past[0];
        pc_unit_step(unit, 1u << place.domain, (const uint64_t(*)[PC_SIG_WORDS])raw);
        pc_unit_get_inputs(unit, place.domain, &in);
        if (c >= SETTLE && input_of(&in, input) != text_value(text, past + t->later)) {
            char s[TEXT_SIZE];
            text_print(text, TEXT_PCOUNTER, s);
            fail_msg("%s, cycle %u: %s, %u later: %s", chip->name, c, pc_input_name(input),
                     t->later, s);
        }
    }
    pc_unit_destroy(unit);
}

static struct cm_want target_of(const struct pc_chip *chip, struct pc_chip *of_set)
{
    struct cm_want w = want_nothing(chip);
    struct pc_error err;

    test_ok(cm_target_of(chip, 0, of_set, &w.target, &err), &err);
    return w;
}

static void computed_through_the_flag(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(31, &seed);
    unsigned tries = test_long() ? 40000 : 3000, offered = 0, later = 0;

    (void)state;
    for (unsigned i = 0; i < tries; i++) {
        const struct pc_chip *chip = pc_chip_find(chips[i % (sizeof chips / sizeof chips[0])]);
        struct pc_chip of_set;
        struct cm_want w = target_of(chip, &of_set);
        /* a STOP of single mode ends the process, and the flag stands still (PC.FLAG.5) */
        unsigned input =
            chip->features & PC_F_QUAD ? test_rand_below(&rng, 4) : (unsigned)PC_INPUT_EVENT;
        struct cm_through t;
        struct text text;
        text_random(&rng, 1 + test_rand_below(&rng, 6), 5, &text);
        struct pc_expr *e = text_parse(&text);
        if (cm_through_flag(&w, &e->func, input, &t)) {
            run(&rng, chip, &text, input, &t);
            offered++;
            later += t.later > 0;
        }
        pc_expr_free(e);
    }
    printf("seed %llu: %u of %u go through the flag, %u of them come later\n",
           (unsigned long long)seed, offered, tries, later);
    assert_true(offered > tries / 10 && later > tries / 20 && offered > later);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(computed_through_the_flag) };

    return cmocka_run_group_tests_name("compile_through", tests, NULL, NULL);
}
