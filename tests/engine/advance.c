/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_advance() equals as many steps, in random states of every chip and mode; for numbers
 * that nobody can step, it equals itself in pieces, and pc_unit_run().  PC_TEST_LONG: 25 times
 * as many.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/engine/engine.h"
#include "equal_record.h"
#include "random_unit.h"

struct trial {
    struct pc_unit *a, *b;
    struct equal_sink sink_a, sink_b;
    uint32_t edges;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
};

static void open_trial(struct test_rng *rng, struct trial *t, bool packets)
{
    memset(t, 0, sizeof *t);
    random_units(rng, random_chip(rng), &t->a, &t->b);
    equal_record(rng, t->a, t->b, &t->sink_a, &t->sink_b);
    if (!packets)
        t->a->mem_write = t->b->mem_write = NULL;
    t->edges = test_rand_below(rng, 2) ? 1u : (uint32_t)test_rand(rng) & 0xff;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            t->raw[x][w] = test_rand(rng);
    if (test_rand_below(rng, 4) == 0) {
        pc_unit_pulse(t->a, PC_PULSE_PM_TRIGGER, 9);
        pc_unit_pulse(t->b, PC_PULSE_PM_TRIGGER, 9);
    }
    if (test_rand_below(rng, 4) == 0) {
        pc_unit_write(t->a, 0xa420, 5);
        pc_unit_write(t->b, 0xa420, 5);
    }
}

static void advance(struct pc_unit *u, const struct trial *t, uint64_t cycles)
{
    pc_unit_advance(u, cycles, t->edges, (const uint64_t(*)[PC_SIG_WORDS])t->raw);
}

static void close_trial(struct trial *t, uint64_t seed, unsigned n, uint64_t cycles)
{
    bool same = memcmp(&t->a->state, &t->b->state, sizeof t->a->state) == 0;

    for (unsigned x = 0; x < t->a->chip->domains && !same; x++) {
        const char *p = (const char *)&t->a->state.domain[x];
        const char *q = (const char *)&t->b->state.domain[x];
        for (size_t i = 0; i < sizeof(struct pc_domain); i++)
            if (p[i] != q[i]) {
                printf("byte %zu of domain %u, mode %u\n", i, x,
                       t->a->state.domain[x].control.mode);
                break;
            }
    }
    if (!same || !equal_sinks(&t->sink_a, &t->sink_b))
        fail_msg("PC_SEED=%llu trial %u on %s, %llu cycles", (unsigned long long)seed, n,
                 t->a->chip->name, (unsigned long long)cycles);
    pc_unit_destroy(t->a);
    pc_unit_destroy(t->b);
}

static uint64_t effort(void)
{
    return test_long() ? 60 : 1;
}

static void equals_steps(void **state)
{
    uint64_t seed, stepped = 0, limit = 800000 * effort();
    struct test_rng rng = test_rng_start(11, &seed);

    (void)state;
    for (unsigned n = 0; stepped < limit; n++) {
        struct trial t;
        uint64_t cycles = test_rand_below(&rng, test_rand_below(&rng, 30) ? 3000 : 400000);
        open_trial(&rng, &t, true);
        advance(t.a, &t, cycles);
        for (uint64_t i = 0; i < cycles; i++)
            pc_unit_step(t.b, t.edges, (const uint64_t(*)[PC_SIG_WORDS])t.raw);
        stepped += cycles;
        close_trial(&t, seed, n, cycles);
    }
}

/* Record mode in which STOP is high while a packet is outgoing, or low until an event counter is
 * full. */
static bool records(struct test_rng *rng, struct trial *t, bool stops, uint32_t cycles)
{
    bool any = false;

    for (unsigned x = 0; x < t->a->chip->domains; x++) {
        struct pc_domain *d = &t->a->state.domain[x];
        if (d->control.mode != PC_MODE_RECORD)
            continue;
        any = true;
        t->edges |= 1u << x;
        d->op[PC_IN_STOP] = stops ? 0xffff : 0;
        d->record.busy = stops ? cycles : 0;
        d->record.pending = d->record.wedged = false;
        d->record.stop = stops ? (uint16_t)(PC_RECORD_STOP_MAX - test_rand_below(rng, cycles)) : 0;
        for (unsigned i = 0; i < 12; i++)
            d->record.event[i] =
                (uint16_t)(PC_RECORD_EVENT_FLUSH - 1 - test_rand_below(rng, 4 * cycles));
    }
    t->b->state = t->a->state;
    return any;
}

static void records_equal_steps(void **state)
{
    enum { CYCLES = 3000 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(14, &seed);
    unsigned trials = 0;

    (void)state;
    for (unsigned n = 0; trials < 150 * effort(); n++) {
        struct trial t;
        const uint64_t cycles = 1 + test_rand_below(&rng, CYCLES);
        open_trial(&rng, &t, true);
        if (records(&rng, &t, n % 2 == 0, CYCLES)) {
            trials++;
            advance(t.a, &t, cycles);
            for (uint64_t i = 0; i < cycles; i++)
                pc_unit_step(t.b, t.edges, (const uint64_t(*)[PC_SIG_WORDS])t.raw);
            close_trial(&t, seed, n, cycles);
        } else {
            pc_unit_destroy(t.a);
            pc_unit_destroy(t.b);
        }
    }
}

/* Where one piece ends, the next one begins in the middle of what the whole leaps over. */
static void equals_pieces(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(12, &seed);

    (void)state;
    for (unsigned n = 0; n < 60 * effort(); n++) {
        struct trial t;
        uint64_t cycles = test_rand(&rng) >> (6 + test_rand_below(&rng, 40));
        open_trial(&rng, &t, false);
        advance(t.a, &t, cycles);
        for (uint64_t left = cycles; left > 0;) {
            uint64_t part = test_rand(&rng) >> test_rand_below(&rng, 60);
            part = part < left ? part : left;
            advance(t.b, &t, part);
            left -= part;
            if (test_rand_below(&rng, 4) == 0) {
                advance(t.b, &t, left);
                left = 0;
            }
        }
        close_trial(&t, seed, n, cycles);
    }
}

/* The engine's blocks, of planes that stand still. */
static void equals_run(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(13, &seed);
    struct pc_engine *engine;
    struct pc_error err;

    (void)state;
    test_ok(pc_engine_create(NULL, &engine, &err), &err);
    for (unsigned n = 0; n < 30 * effort(); n++) {
        struct trial t;
        struct pc_run_domain domain[PC_MAX_DOMAINS] = { 0 };
        struct pc_run run = { .cycles = 200000 + test_rand_below(&rng, 1000000), .domain = domain };
        const char *why;
        open_trial(&rng, &t, true);
        t.edges = 1;
        for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
            domain[x] = (struct pc_run_domain){ .level = t.raw[x], .still = x != 0 };
        if (pc_unit_explain(t.a, 0, &why) != PC_RUN_WIDE)
            run.cycles = 5000;
        advance(t.a, &t, run.cycles);
        pc_unit_run(t.b, engine, &run);
        close_trial(&t, seed, n, run.cycles);
    }
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(equals_steps),
                                        cmocka_unit_test(records_equal_steps),
                                        cmocka_unit_test(equals_pieces),
                                        cmocka_unit_test(equals_run) };

    return cmocka_run_group_tests_name("engine_advance", tests, NULL, NULL);
}
