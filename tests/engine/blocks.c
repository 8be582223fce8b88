/* SPDX-License-Identifier: MIT */
/*
 * Runs of several blocks of the usual length, in which memory is asked ahead or not (docs/adr/014),
 * are as the same in short blocks, which the other tests of the engine hold against the reference.
 */
#include "model/engine/engine.h"
#include "equal_record.h"
#include "random_unit.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

enum { BLOCKS = 7, WORDS = BLOCKS * EG_WORDS + 777, PLANES = 16, TRIALS = 8 };

static uint64_t pool[PLANES][WORDS];

/* Verifies that three blocks go with and three without, of which the first counts for nothing, that
 * the faster way holds for the round, and what was faster before until then. */
static void the_faster_way_is_taken(void **state)
{
    struct eg_prefetch pace = { .asks = true, .pays = true };
    bool before = true;

    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        const bool asking_is_slow = round != 1;
        for (unsigned block = 0; block < 128; block++) {
            eg_prefetch_begin(&pace);
            if (block < 6)
                assert_true(pace.asks == (block < 3));
            else
                assert_true(pace.asks == !asking_is_slow);
            const bool first = block == 0 || block == 3;
            if (first ? pace.asks != asking_is_slow : pace.asks == asking_is_slow)
                pace.began -= UINT64_C(60000000000); /* as if it had taken a minute */
            eg_prefetch_end(&pace);
            /* a run may end here, and blocks that are not timed come next */
            assert_true(pace.asks == (block < 5 ? before : !asking_is_slow));
        }
        before = !asking_is_slow;
    }
}

/* START, STOP and what the flag looks at are rare; the flag is none of its own sources. */
static void program(struct test_rng *rng, struct pc_unit *u, unsigned mode)
{
    static const uint32_t source[PC_INPUTS] = { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c };
    struct pc_domain *d = &u->state.domain[0];

    for (unsigned i = 0; i < PC_INPUTS; i++) {
        d->src[i] = i <= PC_IN_STOP ? source[i] : 0x0e060a02;
        d->op[i] = 0x8000;
    }
    d->op[PC_IN_EVENT] = (uint32_t)test_rand(rng) & 0x1fffff;
    const int flag = u->slots[0].flag[0];
    if (flag >= 0)
        d->src[PC_IN_EVENT] = (d->src[PC_IN_EVENT] & ~0xffu) | (unsigned)flag;
    if (test_rand_below(rng, 2))
        d->op[PC_IN_SETFLAG] = d->op[PC_IN_CLRFLAG] = 0xaaaa;
    if (test_rand_below(rng, 4) == 0)
        d->op[PC_IN_STOP] = 0;
    d->control.mode = (uint8_t)mode;
    d->control.ctr_mode = PC_CTR_SIMPLE;
    d->single_state = test_rand_below(rng, 2) ? PC_WAIT_START : PC_COUNTING;
    d->visible.stop = UINT32_MAX;
    d->spec_src = 0xff;
    d->record = (struct pc_record){ .valid = true };
    d->record_limit = UINT32_MAX;
    u->state.bound = true;
    u->state.gctrl = 0;
    u->options.import_register = false;
    u->options.record_fault = PC_FAULT_WEDGE; /* where a fault hangs, time comes in windows */
    u->options.record_latency = test_rand_below(rng, 2) ? 0 : test_rand_below(rng, 3000);
}

static void run(struct pc_unit *u, bool is_short, struct test_rng *rng)
{
    const uint64_t *plane[PC_MAX_SIGNALS] = { NULL };
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = plane } };
    const struct pc_engine_desc desc = { .kernel = NULL };
    struct pc_engine *e;
    struct pc_error err;

    for (unsigned s = 0; s < PLANES; s++)
        plane[s] = pool[s];
    for (unsigned x = 1; x < PC_MAX_DOMAINS; x++)
        domain[x].still = true;
    test_ok(pc_engine_create(&desc, &e, &err), &err);
    if (is_short) {
        e->block = 1 + test_rand_below(rng, 200);
        e->part = 1 + test_rand_below(rng, 200);
    }
    pc_unit_run(u, e, &(struct pc_run){ .cycles = (uint64_t)WORDS * 64 - 1, .domain = domain });
    /* It did go by blocks of the usual length, beyond those that are timed. */
    assert_int_equal(e->prefetch.block, is_short ? 0 : BLOCKS);
    assert_true(e->wide_cycles > (uint64_t)(WORDS - 100) * 64);
    pc_engine_destroy(e);
}

static void compare(struct test_rng *rng, const char *chip, unsigned mode, uint64_t seed)
{
    for (unsigned i = 0; i < TRIALS; i++) {
        struct pc_unit *a, *b;
        struct equal_sink sink[2];
        random_units(rng, pc_chip_find(chip), &a, &b);
        program(rng, a, mode);
        b->options = a->options;
        b->state = a->state;
        equal_sinks_take(a, b, &sink[0], &sink[1]);
        run(a, false, rng);
        run(b, true, rng);
        if (memcmp(&a->state, &b->state, sizeof a->state) != 0 || !equal_sinks(&sink[0], &sink[1]))
            fail_msg("%s, mode %u: PC_SEED=%llu trial %u", chip, mode, (unsigned long long)seed, i);
        if (mode == PC_MODE_RECORD || mode == PC_MODE_STREAM)
            assert_true(sink[0].packets > 0 || a->state.domain[0].op[PC_IN_STOP] == 0);
        pc_unit_destroy(a);
        pc_unit_destroy(b);
    }
}

static void long_blocks_are_as_short_ones(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(38, &seed);

    (void)state;
    for (unsigned p = 0; p < PLANES; p++)
        for (unsigned w = 0; w < WORDS; w++) {
            pool[p][w] = test_rand(&rng);
            for (unsigned i = 0; i < 2 && p / 4 % 2; i++) /* of START and STOP */
                pool[p][w] &= test_rand(&rng);
        }
    compare(&rng, "G80", PC_MODE_SINGLE, seed);
    compare(&rng, "G80", PC_MODE_QUAD, seed);
    compare(&rng, "G84", PC_MODE_RECORD, seed);
    compare(&rng, "GF100", PC_MODE_STREAM, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_faster_way_is_taken),
        cmocka_unit_test(long_blocks_are_as_short_ones),
    };

    return cmocka_run_group_tests_name("engine_blocks", tests, NULL, NULL);
}
