/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run() equals pc_unit_step(): random registers, random states with counters near
 * their ends, random signals from sparse to dense, writes in between, any kernel; the whole
 * state is compared, byte by byte, and the seed is printed.  PC_TEST_LONG: a hundred times as many
 * cycles.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "equal_record.h"
#include "regs/regs.h"

enum { MAX_CYCLES = 40000, WORDS = MAX_CYCLES / 64 + 2, PLANES = 24, MAX_WRITES = 6 };

static const char *const chips[] = { "NV10", "NV15", "NV20", "NV30",  "NV40",
                                     "G80",  "G84",  "G92",  "GT215", "GF100" };

struct trial {
    const struct pc_chip *chip;
    struct pc_unit *wide, *step;
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    uint64_t level[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_run_write write[MAX_WRITES];
    struct pc_run run;
    struct equal_sink wide_sink, step_sink;
};

static uint64_t pool[PLANES][WORDS];

static uint64_t went_wide, all_domains; /* cycles */
static uint64_t packets;

static void fill_pool(struct test_rng *rng)
{
    for (unsigned p = 0; p < PLANES; p++) {
        unsigned sparse = p % 6;
        for (unsigned w = 0; w < WORDS; w++) {
            uint64_t word = test_rand(rng);
            for (unsigned i = 0; i < sparse * 2; i++)
                word &= test_rand(rng);
            pool[p][w] = p % 5 == 4 ? ~word : word;
        }
    }
}

static struct pc_unit *make_unit(const struct pc_chip *chip)
{
    struct pc_unit_desc desc = { .chip = chip };
    struct pc_unit *unit;
    struct pc_error err;

    if (chip->layout == PC_LAYOUT_GF100)
        desc.set = PC_SET_HUB;
    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    return unit;
}

/* A signal: mostly one with a plane, now and then anything, the own flag among it. */
static uint32_t signal_number(struct test_rng *rng, const struct pc_unit *u, unsigned domain)
{
    unsigned kind = test_rand_below(rng, 40);

    if (kind == 0)
        return test_rand_below(rng, 256);
    if (kind == 1 && u->slots[domain].flag[domain] >= 0)
        return (uint32_t)u->slots[domain].flag[domain];
    if (kind == 2 && u->slots[domain].periodic >= 0)
        return (uint32_t)u->slots[domain].periodic;
    return test_rand_below(rng, PLANES);
}

static uint64_t near_end(struct test_rng *rng, uint64_t end)
{
    switch (test_rand_below(rng, 4)) {
    case 0:
        return end - test_rand_below(rng, 3000);
    case 1:
        return test_rand_below(rng, 50);
    default:
        return test_rand_below(rng, 20000);
    }
}

static void random_counters(struct test_rng *rng, const struct pc_unit *u, struct pc_counters *c)
{
    uint64_t wide = u->chip->features & PC_F_CTR40 ? (UINT64_C(1) << 40) - 1 : UINT32_MAX;

    c->cycles = near_end(rng, wide);
    c->event = near_end(rng, wide);
    c->start = near_end(rng, wide);
    c->pre = near_end(rng, UINT32_MAX);
    c->stop = near_end(rng, UINT32_MAX);
}

/* Straight into the state: registers by their decoded form, and machines in any state. */
static void random_domain(struct test_rng *rng, struct pc_unit *u, unsigned x)
{
    struct pc_domain *d = &u->state.domain[x];
    bool quad = u->chip->features & PC_F_QUAD;

    for (unsigned i = 0; i < PC_INPUTS; i++) {
        d->src[i] = 0;
        for (unsigned k = 0; k < 4; k++)
            d->src[i] |= signal_number(rng, u, x) << (8 * k);
        d->op[i] = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : 0x1fffff);
        if (test_rand_below(rng, 6) == 0)
            d->op[i] = test_rand_below(rng, 2) ? 0xffff : 0;
    }
    d->control.mode = test_rand_below(rng, 8) == 0      ? PC_MODE_NONE
                      : quad && test_rand_below(rng, 2) ? PC_MODE_QUAD
                                                        : PC_MODE_SINGLE;
    d->control.ctr_mode =
        (uint8_t)(test_rand_below(rng, 3) ? PC_CTR_SIMPLE : test_rand_below(rng, 5));
    d->control.period_all = test_rand_below(rng, 2);
    d->control.periodic = (uint8_t)(u->slots[x].periodic >= 0 ? test_rand_below(rng, 8) : 0);
    d->spec_src = signal_number(rng, u, x);
    d->threshold = test_rand_below(rng, 40);
    random_counters(rng, u, &d->visible);
    random_counters(rng, u, &d->shadow);
    d->single_state = (uint8_t)test_rand_below(rng, 4);
    d->quad_state = (uint8_t)(test_rand_below(rng, 3) * 3 / 2);
    d->flag_next = test_rand_below(rng, 2);
    d->flag_cur = test_rand_below(rng, 2);
    d->last_flag = test_rand_below(rng, 2);
    d->last_event = test_rand_below(rng, 2);
    d->late = (uint32_t)test_rand(rng) & 0xffffff;
    d->periodic = (uint16_t)test_rand(rng);
    for (unsigned i = 0; i < 4; i++)
        d->user[i] = u->slots[x].user[i] >= 0 && test_rand_below(rng, 2);
}

static void random_writes(struct test_rng *rng, struct trial *t)
{
    t->run.write = t->write;
    t->run.writes = test_rand_below(rng, 3) ? 0 : test_rand_below(rng, MAX_WRITES + 1);
    uint64_t cycle = 0;
    for (size_t i = 0; i < t->run.writes; i++) {
        struct pc_reg_info reg;
        cycle += test_rand_below(rng, (uint32_t)(t->run.cycles / 3 + 2));
        t->write[i].cycle = cycle;
        unsigned number = test_rand_below(rng, 60);
        if (pc_reg_enum(t->chip, number, &reg) != PC_OK)
            reg.address = 0xa400;
        t->write[i].address = reg.address;
        t->write[i].value =
            (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : UINT32_MAX);
    }
}

static void random_trial(struct test_rng *rng, struct trial *t)
{
    memset(t, 0, sizeof *t);
    t->chip = pc_chip_find(chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);
    t->wide = make_unit(t->chip);
    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        random_domain(rng, t->wide, x);
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        for (unsigned s = 0; s < PLANES; s++)
            t->plane[x][s] = test_rand_below(rng, 5) ? pool[(s + x) % PLANES] : NULL;
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            t->level[x][w] = test_rand(rng);
        t->domain[x].plane = t->plane[x];
        t->domain[x].level = test_rand_below(rng, 4) ? t->level[x] : NULL;
        t->domain[x].still = test_rand_below(rng, 3) != 0;
    }
    if (test_rand_below(rng, 4) == 0)
        pc_unit_pulse(t->wide, PC_PULSE_PM_TRIGGER, test_rand_below(rng, 64));
    t->run.domain = t->domain;
    t->run.cycles =
        test_rand_below(rng, 4) ? test_rand_below(rng, 6000) : test_rand_below(rng, MAX_CYCLES);
    random_writes(rng, t);
    t->step = make_unit(t->chip);
    t->step->state = t->wide->state;
    equal_record(rng, t->wide, t->step, &t->wide_sink, &t->step_sink);
}

/* The definition. */
static void step_all(struct pc_unit *u, const struct pc_run *run)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    size_t next = 0;

    for (uint64_t t = 0; t < run->cycles; t++) {
        uint32_t edges = 0;
        for (; next < run->writes && run->write[next].cycle <= t; next++)
            pc_unit_write(u, run->write[next].address, run->write[next].value);
        for (unsigned x = 0; x < u->chip->domains; x++) {
            const struct pc_run_domain *d = &run->domain[x];
            edges |= (uint32_t)!d->still << x;
            for (unsigned w = 0; w < PC_SIG_WORDS; w++)
                raw[x][w] = d->level ? d->level[w] : 0;
            for (unsigned s = 0; s < PLANES; s++)
                if (d->plane[s]) {
                    raw[x][0] &= ~(UINT64_C(1) << s);
                    raw[x][0] |= (d->plane[s][t / 64] >> (t % 64) & 1) << s;
                }
        }
        pc_unit_step(u, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
    for (; next < run->writes; next++)
        pc_unit_write(u, run->write[next].address, run->write[next].value);
}

static void compare(const struct trial *t, uint64_t seed, unsigned n)
{
    const struct pc_state *a = &t->wide->state, *b = &t->step->state;

    if (memcmp(a, b, sizeof *a) == 0 && equal_sinks(&t->wide_sink, &t->step_sink))
        return;
    if (!equal_sinks(&t->wide_sink, &t->step_sink))
        printf("packets: %llu, must be %llu\n", (unsigned long long)t->wide_sink.packets,
               (unsigned long long)t->step_sink.packets);
    for (unsigned x = 0; x < t->wide->chip->domains; x++) {
        const struct pc_domain *p = &a->domain[x], *q = &b->domain[x];
        if (memcmp(p, q, sizeof *p) == 0)
            continue;
        for (size_t i = 0; i < sizeof *p; i++)
            if (((const char *)p)[i] != ((const char *)q)[i]) {
                printf("byte %zu of domain %u\n", i, x);
                break;
            }
        printf("%s domain %u mode %u ctr_mode %u state %u/%u cycles %llu/%llu event %llu/%llu\n",
               t->chip->name, x, p->control.mode, p->control.ctr_mode, p->single_state,
               q->single_state, (unsigned long long)p->visible.cycles,
               (unsigned long long)q->visible.cycles, (unsigned long long)p->visible.event,
               (unsigned long long)q->visible.event);
    }
    fail_msg("PC_SEED=%llu trial %u: %llu cycles on %s, %zu writes", (unsigned long long)seed, n,
             (unsigned long long)t->run.cycles, t->chip->name, t->run.writes);
}

/* Cycles of all domains that run. */
static uint64_t domain_cycles(const struct trial *t)
{
    uint64_t n = 0;

    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        n += t->domain[x].still ? 0 : t->run.cycles;
    return n;
}

static void run_equals_step(void **state)
{
    uint64_t seed, cycles = 0, limit = getenv("PC_TEST_LONG") ? 300000000 : 3000000;
    struct test_rng rng = test_rng_start(5, &seed);
    unsigned n = 0;

    (void)state;
    fill_pool(&rng);
    for (; cycles < limit; n++) {
        struct trial t;
        struct pc_engine *engine = NULL;
        struct pc_error err;
        const struct pc_kernel *k = pc_kernel_at(n % 3);
        struct pc_engine_desc desc = { .kernel = k && k->usable() ? k->name : NULL };
        test_ok(pc_engine_create(&desc, &engine, &err), &err);
        random_trial(&rng, &t);
        pc_unit_run(t.wide, engine, &t.run);
        step_all(t.step, &t.run);
        compare(&t, seed, n);
        cycles += t.run.cycles;
        went_wide += engine->wide_cycles;
        packets += t.wide_sink.packets;
        all_domains += domain_cycles(&t);
        pc_unit_destroy(t.wide);
        pc_unit_destroy(t.step);
        pc_engine_destroy(engine);
    }
    printf("%u trials, %llu cycles; of %llu cycles of domains %llu went wide\n", n,
           (unsigned long long)cycles, (unsigned long long)all_domains,
           (unsigned long long)went_wide);
    printf("%llu packets\n", (unsigned long long)packets);
    assert_true(went_wide > all_domains / 4);
    assert_true(packets > cycles / 10000);
}

static void kernels_by_name(void **state)
{
    struct pc_engine_desc desc = { .kernel = "portable" };
    struct pc_engine *engine;
    struct pc_error err;

    (void)state;
    test_ok(pc_engine_create(&desc, &engine, &err), &err);
    assert_string_equal(pc_engine_kernel(engine), "portable");
    pc_engine_destroy(engine);
    desc.kernel = "mmx";
    assert_int_equal(pc_engine_create(&desc, &engine, &err), PC_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(kernels_by_name),
                                        cmocka_unit_test(run_equals_step) };

    return cmocka_run_group_tests_name("engine_equal", tests, NULL, NULL);
}
