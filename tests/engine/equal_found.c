/* SPDX-License-Identifier: MIT */
/*
 * What trials of 10^9 cycles found, so that it is found in the first one:
 *   - EVENT ignored SETFLAG, which looked at the own EVENT and FLAG, and STOP did not.  What does
 *     not matter must not be calculated, as it may hang on what is not known yet.
 *   - A packet that had waited for the slot went out in the first cycle of a tile of words in
 *     which STOP was not yet calculated: it is counted in that cycle, too.
 */
#include "equal.h"
#include "model/rules/table.h"

enum { TRIALS = 200, CYCLES = 1500 };

static struct equal_pool pool;

/* SETFLAG looks at what START and PRE look at: the own EVENT and FLAG, among others. */
static void coupled(struct test_rng *rng, struct equal_trial *t)
{
    const uint32_t setflag = UINT32_C(1) << 18;

    for (unsigned x = 0; x < t->wide->chip->domains; x++) {
        const struct pc_slots *slots = &t->wide->slots[x];
        struct pc_domain *d = &t->wide->state.domain[x];
        if (slots->event[x] < 0 || slots->flag[x] < 0)
            continue;
        d->src[PC_IN_START] = (d->src[PC_IN_START] & 0xffffff) | (uint32_t)(uint16_t)slots->flag[x]
                                                                     << 24;
        d->src[PC_IN_PRE] = (d->src[PC_IN_PRE] & UINT32_C(0xffffff00)) | (uint16_t)slots->event[x];
        d->src[PC_IN_EVENT] = (uint32_t)test_rand(rng) & 0x07070707;
        d->op[PC_IN_EVENT] =
            setflag | pc_table_fix((uint16_t)d->op[PC_IN_EVENT], 3, test_rand_below(rng, 2));
        d->op[PC_IN_STOP] |= setflag;
        d->control.mode = PC_MODE_QUAD;
        d->control.ctr_mode = PC_CTR_SIMPLE;
        t->domain[x].edge = NULL;
        t->domain[x].still = false;
    }
    t->run.cycles = CYCLES;
    t->run.writes = 0;
    t->step->state = t->wide->state;
}

static void ignored_arguments(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(61, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    equal_fill(&rng, &pool);
    for (unsigned i = 0; i < TRIALS; i++) {
        struct equal_trial t;
        equal_begin(&rng, &pool, &t);
        coupled(&rng, &t);
        pc_unit_run(t.wide, engine, &t.run);
        equal_step(t.step, &t.run);
        equal_compare(&t, seed, i);
        equal_end(&t);
    }
    pc_engine_destroy(engine);
}

/* A packet every 64 cycles, in any of the first four of a word. */
static void packets_after_waiting(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(62, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    equal_fill(&rng, &pool);
    for (unsigned first = 0; first < 8; first++) {
        struct equal_trial t;
        equal_begin_on(&rng, &pool, "G84", &t);
        struct pc_domain *d = &t.wide->state.domain[0];
        for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
            t.wide->state.domain[x].control.mode = PC_MODE_NONE;
            t.domain[x].still = x > 0;
            t.domain[x].edge = NULL;
        }
        for (unsigned s = 0; s < EQUAL_PLANES; s++)
            t.plane[0][s] = pool.plane[s];
        d->control.mode = PC_MODE_RECORD;
        for (unsigned i = 0; i < PC_INPUTS; i++)
            d->src[i] = (uint32_t)test_rand(&rng) & 0x07070707;
        d->spec_src = 0;
        d->src[PC_IN_STOP] = 0; /* every other cycle or so */
        d->op[PC_IN_STOP] = 0xaaaa;
        d->record = (struct pc_record){ .valid = true, .busy = 64 + first / 2 };
        d->record_limit = UINT32_MAX;
        t.wide->state.bound = true;
        t.wide->state.gctrl = 0;
        t.wide->options.record_latency = 63;
        t.run.cycles = 40000;
        t.run.writes = 0;
        equal_connect(&t);
        pc_unit_run(t.wide, engine, &t.run);
        equal_step(t.step, &t.run);
        assert_true(t.step_sink.packets > 500);
        equal_compare(&t, seed, first);
        equal_end(&t);
    }
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ignored_arguments),
        cmocka_unit_test(packets_after_waiting),
    };

    return cmocka_run_group_tests_name("engine_found", tests, NULL, NULL);
}
