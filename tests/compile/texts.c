/* SPDX-License-Identifier: MIT */
/*
 * Random expressions as people write them, with delays, one to three inputs at once: either
 * they compile, and the model with these registers computes what the text says, cycle by
 * cycle; or they are refused, and for small ones no encoding exists.
 */
#include "exhaustive.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 40, LEAVES = 8 };

static const char *const chips[] = { "NV10", "NV15", "NV20",  "NV30",  "NV40", "G80",
                                     "G84",  "G92",  "GT215", "GF100", "GK104" };

struct tally {
    unsigned fit, refused, confirmed, deep;
};

struct sample {
    const struct pc_chip *chip;
    struct text text[PC_INPUT_COUNT];
    bool wanted[PC_INPUT_COUNT];
    unsigned inputs, signals;
    uint64_t seed;
    unsigned number;
};

static void describe(const struct sample *s)
{
    char text[TEXT_SIZE];

    printf("seed %llu, number %u, %s\n", (unsigned long long)s->seed, s->number, s->chip->name);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (s->wanted[i]) {
            text_print(&s->text[i], TEXT_PCOUNTER, text);
            printf("  %s=%s\n", pc_input_name((enum pc_input_id)i), text);
        }
}

static void make_sample(struct test_rng *rng, struct sample *s)
{
    s->chip = pc_chip_find(chips[s->number % (sizeof chips / sizeof chips[0])]);
    s->inputs = 1 + test_rand_below(rng, 3) * test_rand_below(rng, 2);
    s->signals = 2 + test_rand_below(rng, 5);
    memset(s->wanted, 0, sizeof s->wanted);
    for (unsigned i = 0; i < s->inputs; i++) {
        unsigned input = test_rand_below(rng, PC_INPUT_COUNT);
        s->wanted[input] = true;
        text_random(rng, 1 + test_rand_below(rng, LEAVES), s->signals, &s->text[input]);
    }
}

static bool input_of(const struct pc_unit_inputs *in, unsigned input)
{
    const bool value[PC_INPUT_COUNT] = { in->pre,  in->start,   in->event,
                                         in->stop, in->setflag, in->clrflag };

    return value[input];
}

static void run(struct test_rng *rng, const struct sample *s, const struct pc_program *p)
{
    struct pc_chip_domain place;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } }, past[TEXT_PAST] = { 0 };
    struct pc_unit *unit;
    struct pc_error err;

    assert_true(pc_chip_get_domain(s->chip, 0, &place));
    struct pc_unit_desc desc = { .chip = s->chip, .set = place.set, .index = place.unit };
    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    for (size_t i = 0; i < p->writes; i++)
        pc_unit_write(unit, p->write[i].address, p->write[i].value);
    for (unsigned t = 0; t < CYCLES; t++) {
        struct pc_unit_inputs in;
        memmove(past + 1, past, sizeof past - sizeof past[0]);
        past[0] = test_rand(rng) & UINT64_C(0xff) << TEXT_FIRST;
        raw[place.domain][0] = past[0];
        pc_unit_step(unit, 1u << place.domain, (const uint64_t(*)[PC_SIG_WORDS])raw);
        pc_unit_get_inputs(unit, place.domain, &in);
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
            if (s->wanted[i] && input_of(&in, i) != text_value(&s->text[i], past)) {
                describe(s);
                fail_msg("cycle %u: %s differs", t, pc_input_name((enum pc_input_id)i));
            }
    }
    pc_unit_destroy(unit);
}

/* One input, few signals: is there really no encoding?  false: too large to go through. */
static bool confirm(const struct sample *s)
{
    uint32_t features = s->chip->features;
    bool arg23 = features & PC_F_ARG23_DELAY;
    struct cm_func f;
    unsigned input = 0;

    while (!s->wanted[input])
        input++;
    if (s->inputs > 1 || s->signals > EXHAUSTIVE_SIGNALS ||
        !text_function(&s->text[input], s->signals, &f))
        return false;
    bool chains = cm_chains((enum pc_input_id)input) && (features & PC_F_SETFLAG_ARG);
    if (chains && f.atoms > 5)
        return false;
    if (exhaustive_plain(&f, TEXT_FIRST, arg23) || (chains && exhaustive_chain(&f, arg23))) {
        describe(s);
        fail_msg("it was refused, and there is an encoding");
    }
    return true;
}

static void one(struct test_rng *rng, struct sample *s, struct tally *tally)
{
    struct pc_compile_request r = { .chip = NULL };
    struct pc_expr *e[PC_INPUT_COUNT] = { NULL };
    struct pc_program program;
    struct pc_error err;

    make_sample(rng, s);
    r.chip = s->chip;
    r.mode = s->chip->features & PC_F_QUAD ? PC_COUNT_QUAD : PC_COUNT_SINGLE;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (s->wanted[i])
            r.input[i] = e[i] = text_parse(&s->text[i]);
    enum pc_status status = pc_compile(&r, &program, &err);
    if (status == PC_OK) {
        run(rng, s, &program);
        tally->fit++;
    } else {
        if (status != PC_EUNFIT) {
            describe(s);
            fail_msg("%s", err.text);
        }
        assert_true(err.text[0] && err.hint[0] && err.line >= 1 && err.line <= PC_INPUT_COUNT &&
                    s->wanted[err.line - 1]);
        tally->refused++;
        tally->deep += err.code == 322;
        if (err.code != 322 && confirm(s))
            tally->confirmed++;
    }
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        pc_expr_free(e[i]);
}

static void compiled_or_refused(void **state)
{
    struct sample s;
    struct test_rng rng = test_rng_start(23, &s.seed);
    unsigned tries = test_long() ? 100000 : 4000;
    struct tally tally = { 0 };

    (void)state;
    for (s.number = 0; s.number < tries; s.number++)
        one(&rng, &s, &tally);
    printf("seed %llu: of %u requests %u fit and compute their texts in the model; %u refused, %u "
           "of them look back too far, for %u no encoding exists\n",
           (unsigned long long)s.seed, tries, tally.fit, tally.refused, tally.deep,
           tally.confirmed);
    assert_true(tally.fit > tries / 3 && tally.refused > tries / 50);
    assert_true(tally.confirmed > tries / 400 && tally.deep > tries / 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(compiled_or_refused) };

    return cmocka_run_group_tests_name("compile_texts", tests, NULL, NULL);
}
