/* SPDX-License-Identifier: MIT */
/*
 * Random trials: registers straight into the state, counters near their ends, machines in any
 * state, signals from sparse to dense, domains that look at each other, clocks of any ratio,
 * writes in between.
 */
#include "equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_unit.h"
#include "model/regs/regs.h"

static const char *const chips[] = { "NV10", "NV15", "NV20", "NV30",  "NV40",
                                     "G80",  "G84",  "G92",  "GT215", "GF100" };

/* --- signals and clocks --- */

static uint64_t clock_word(struct test_rng *rng, unsigned kind, unsigned w)
{
    static const uint8_t period[] = { 2, 3, 7, 50 };
    uint64_t word = 0;

    if (kind == 0)
        return test_rand(rng) | test_rand(rng); /* three edges of four instants */
    if (kind == 1)
        return test_rand(rng) & test_rand(rng) & test_rand(rng);
    for (unsigned i = 0; i < 64; i++)
        word |= (uint64_t)((w * 64 + i) % period[kind - 2] == 1) << i;
    return word;
}

void equal_fill(struct test_rng *rng, struct equal_pool *pool)
{
    for (unsigned p = 0; p < EQUAL_PLANES; p++) {
        unsigned sparse = p % 6;
        for (unsigned w = 0; w < EQUAL_WORDS; w++) {
            uint64_t word = test_rand(rng);
            for (unsigned i = 0; i < sparse * 2; i++)
                word &= test_rand(rng);
            pool->plane[p][w] = p % 5 == 4 ? ~word : word;
        }
    }
    for (unsigned c = 0; c < EQUAL_CLOCKS; c++)
        for (unsigned w = 0; w < EQUAL_WORDS; w++)
            pool->clock[c][w] = clock_word(rng, c, w);
}

/* --- units --- */

/*
 * A signal: mostly one with a plane, now and then anything; EVENTs and FLAGs, the own ones
 * among them, where the trial has `coupling`, of 40.
 */
static uint32_t signal_number(struct test_rng *rng, const struct equal_trial *t, unsigned domain)
{
    const struct pc_unit *u = t->wide;
    const struct pc_slots *slots = &u->slots[domain];
    unsigned kind = test_rand_below(rng, 40), x = test_rand_below(rng, u->chip->domains);

    if (kind == 0)
        return test_rand_below(rng, 256);
    if (kind == 1 && slots->periodic >= 0)
        return (uint32_t)slots->periodic;
    if (kind == 2 && slots->flag[domain] >= 0)
        return (uint32_t)slots->flag[domain];
    if (kind >= 40 - t->coupling) {
        int16_t signal =
            (kind & 1 ? slots->flag : slots->event)[test_rand_below(rng, 3) ? x : domain];
        if (signal >= 0)
            return (uint32_t)signal;
    }
    return test_rand_below(rng, EQUAL_PLANES);
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
static void random_domain(struct test_rng *rng, struct equal_trial *t, unsigned x)
{
    struct pc_unit *u = t->wide;
    struct pc_domain *d = &u->state.domain[x];
    bool quad = u->chip->features & PC_F_QUAD;

    for (unsigned i = 0; i < PC_INPUTS; i++) {
        d->src[i] = 0;
        for (unsigned k = 0; k < 4; k++)
            d->src[i] |= signal_number(rng, t, x) << (8 * k);
        d->op[i] = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : 0x1fffff);
        if (test_rand_below(rng, 6) == 0)
            d->op[i] = test_rand_below(rng, 2) ? 0xffff : 0;
        if (test_rand_below(rng, 6) == 0) /* ARG3 is there, and does not matter */
            d->op[i] = (d->op[i] & 0x1f00ff) | (d->op[i] & 0xff) << 8;
    }
    d->control.mode = test_rand_below(rng, 8) == 0      ? PC_MODE_NONE
                      : quad && test_rand_below(rng, 2) ? PC_MODE_QUAD
                                                        : PC_MODE_SINGLE;
    d->control.ctr_mode =
        (uint8_t)(test_rand_below(rng, 3) ? PC_CTR_SIMPLE : test_rand_below(rng, PC_CTR_NONE + 1));
    d->control.event_pulse = test_rand_below(rng, 2);
    d->control.flag_pulse = test_rand_below(rng, 2);
    d->control.period_all = test_rand_below(rng, 2);
    d->control.periodic = (uint8_t)(u->slots[x].periodic >= 0 ? test_rand_below(rng, 8) : 0);
    d->spec_src = signal_number(rng, t, x);
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
    for (unsigned i = 0; i < 4; i++)
        d->user_pulse[i] = d->user[i] && test_rand_below(rng, 4) == 0;
}

static void random_writes(struct test_rng *rng, struct equal_trial *t)
{
    t->run.write = t->write;
    t->run.writes = test_rand_below(rng, 3) ? 0 : test_rand_below(rng, EQUAL_WRITES + 1);
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

/* All domains with one clock, all with some, or each with its own. */
static void random_clocks(struct test_rng *rng, const struct equal_pool *pool,
                          struct equal_trial *t)
{
    unsigned one = test_rand_below(rng, EQUAL_CLOCKS);

    t->clocks = test_rand_below(rng, 3) == 0;
    for (unsigned x = 0; t->clocks && x < PC_MAX_DOMAINS; x++)
        switch (test_rand_below(rng, 4)) {
        case 0:
            t->domain[x].edge = pool->clock[one];
            break;
        case 1:
            t->domain[x].edge = NULL;
            break;
        default:
            t->domain[x].edge = pool->clock[test_rand_below(rng, EQUAL_CLOCKS)];
            break;
        }
}

static void random_signals(struct test_rng *rng, const struct equal_pool *pool,
                           struct equal_trial *t)
{
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        for (unsigned s = 0; s < EQUAL_PLANES; s++)
            t->plane[x][s] = test_rand_below(rng, 5) ? pool->plane[(s + x) % EQUAL_PLANES] : NULL;
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            t->level[x][w] = test_rand(rng);
        t->domain[x].plane = t->plane[x];
        t->domain[x].level = test_rand_below(rng, 4) ? t->level[x] : NULL;
        t->domain[x].still = test_rand_below(rng, t->coupling ? 2 : 3) != 0;
    }
}

void equal_begin(struct test_rng *rng, const struct equal_pool *pool, struct equal_trial *t)
{
    equal_begin_on(rng, pool, chips[test_rand_below(rng, sizeof chips / sizeof chips[0])], t);
}

void equal_begin_on(struct test_rng *rng, const struct equal_pool *pool, const char *chip,
                    struct equal_trial *t)
{
    memset(t, 0, sizeof *t);
    t->chip = pc_chip_find(chip);
    t->wide = make_unit(t->chip);
    t->coupling = test_rand_below(rng, 2) ? 0 : 1 + test_rand_below(rng, 12);
    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        random_domain(rng, t, x);
    random_signals(rng, pool, t);
    random_clocks(rng, pool, t);
    if (test_rand_below(rng, 4) == 0)
        pc_unit_pulse(t->wide, PC_PULSE_PM_TRIGGER, test_rand_below(rng, 64));
    t->run.domain = t->domain;
    unsigned length = test_rand_below(rng, 16);
    t->run.cycles = test_rand_below(rng, length == 0 ? EQUAL_CYCLES : length < 4 ? 40000 : 6000);
    random_writes(rng, t);
    t->step = make_unit(t->chip);
    t->wide->options.halted_flag_follows = test_rand_below(rng, 8) == 0;
    t->step->options = t->wide->options;
    t->step->state = t->wide->state;
    equal_record(rng, t->wide, t->step, &t->wide_sink, &t->step_sink);
}

void equal_connect(struct equal_trial *t)
{
    t->step->state = t->wide->state;
    t->step->options = t->wide->options;
    equal_sinks_take(t->wide, t->step, &t->wide_sink, &t->step_sink);
}

void equal_end(struct equal_trial *t)
{
    pc_unit_destroy(t->wide);
    pc_unit_destroy(t->step);
}

/* --- the definition --- */

static bool has_edge(const struct pc_run_domain *d, uint64_t instant)
{
    return !d->still && (!d->edge || (d->edge[instant / 64] >> (instant % 64) & 1));
}

/* Rows to columns: bit i of word k becomes bit k of word i. */
static void turn(uint64_t m[64])
{
    uint64_t low = UINT64_MAX;

    for (unsigned by = 32; by > 0; by >>= 1) {
        low ^= low << by; /* the lower half of each 2 * by bits */
        for (unsigned k = 0; k < 64; k = (k + by + 1) & ~by) {
            uint64_t other = (m[k] >> by ^ m[k + by]) & low;
            m[k] ^= other << by;
            m[k + by] ^= other;
        }
    }
}

/* 64 signals of a domain in each cycle of a word: levels, and planes where there are.  False: they
 * do not move. */
static bool signals_of(const struct pc_run_domain *d, uint64_t word, unsigned of, uint64_t out[64])
{
    const uint64_t *const *plane = d->plane + (size_t)64 * of;
    bool moves = false;

    for (unsigned s = 0; s < 64; s++)
        moves |= plane[s] != NULL;
    for (unsigned s = 0; s < 64 && moves; s++)
        if (plane[s])
            out[s] = plane[s][word];
        else
            out[s] = d->level && d->level[of] >> s & 1 ? UINT64_MAX : 0;
    if (moves)
        turn(out);
    return moves;
}

/* What a domain's signals are in its cycle t, into raw. */
static void signals_at(const struct pc_run_domain *d, uint64_t t, uint64_t word[PC_SIG_WORDS][64],
                       uint32_t *moving, uint64_t raw[PC_SIG_WORDS])
{
    for (unsigned of = 0; of < PC_SIG_WORDS; of++) {
        if (t % 64 == 0 && !signals_of(d, t / 64, of, word[of]))
            *moving &= ~(1u << of);
        if (*moving >> of & 1)
            raw[of] = word[of][t % 64];
    }
}

void equal_step_telling(struct pc_unit *u, const struct pc_run *run, uint64_t cycle[PC_MAX_DOMAINS])
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };
    uint64_t word[PC_MAX_DOMAINS][PC_SIG_WORDS][64];
    uint32_t moving[PC_MAX_DOMAINS];
    size_t next = 0;

    for (unsigned x = 0; x < u->chip->domains; x++) {
        cycle[x] = UINT64_MAX;
        moving[x] = UINT32_MAX;
        if (run->domain[x].level)
            memcpy(raw[x], run->domain[x].level, sizeof raw[x]);
    }
    for (uint64_t i = 0; i < run->cycles; i++) {
        uint32_t edges = 0;
        for (; next < run->writes && run->write[next].cycle <= i; next++)
            pc_unit_write(u, run->write[next].address, run->write[next].value);
        for (unsigned x = 0; x < u->chip->domains; x++)
            if (has_edge(&run->domain[x], i)) {
                edges |= 1u << x;
                signals_at(&run->domain[x], ++cycle[x], word[x], &moving[x], raw[x]);
            }
        pc_unit_step(u, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
    for (; next < run->writes; next++)
        pc_unit_write(u, run->write[next].address, run->write[next].value);
}

void equal_step(struct pc_unit *u, const struct pc_run *run)
{
    uint64_t cycle[PC_MAX_DOMAINS];

    equal_step_telling(u, run, cycle);
}

uint64_t equal_domain_cycles(const struct equal_trial *t)
{
    uint64_t n = 0;

    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        for (uint64_t i = 0; i < t->run.cycles; i++)
            n += has_edge(&t->domain[x], i);
    return n;
}

/* --- comparing --- */

static void tell_domain(const struct equal_trial *t, unsigned x)
{
    const struct pc_domain *p = &t->wide->state.domain[x], *q = &t->step->state.domain[x];
    size_t byte = 0;

    while (((const char *)p)[byte] == ((const char *)q)[byte])
        byte++;
    printf("%s domain %u, first difference at byte %zu: mode %u ctr_mode %u state %u/%u, cycles "
           "%llu/%llu, EVENT %llu/%llu\n",
           t->chip->name, x, byte, p->control.mode, p->control.ctr_mode, p->single_state,
           q->single_state, (unsigned long long)p->visible.cycles,
           (unsigned long long)q->visible.cycles, (unsigned long long)p->visible.event,
           (unsigned long long)q->visible.event);
}

void equal_compare(const struct equal_trial *t, uint64_t seed, unsigned number)
{
    const struct pc_state *a = &t->wide->state, *b = &t->step->state;

    if (memcmp(a, b, sizeof *a) == 0 && equal_sinks(&t->wide_sink, &t->step_sink))
        return;
    if (!equal_sinks(&t->wide_sink, &t->step_sink))
        printf("packets: %llu, must be %llu\n", (unsigned long long)t->wide_sink.packets,
               (unsigned long long)t->step_sink.packets);
    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        if (memcmp(&a->domain[x], &b->domain[x], sizeof a->domain[x]) != 0)
            tell_domain(t, x);
    fail_msg("PC_SEED=%llu trial %u: %llu cycles on %s, %zu writes, coupling %u%s",
             (unsigned long long)seed, number, (unsigned long long)t->run.cycles, t->chip->name,
             t->run.writes, t->coupling, t->clocks ? ", several clocks" : "");
}

/* --- programs --- */

struct equal_part equal_part(int argc, char **argv)
{
    struct equal_part p = { 0, 1 };
    char *end = NULL;

    if (argc > 1) {
        p.part = (unsigned)strtoul(argv[1], &end, 10);
        p.parts = *end == '/' ? (unsigned)strtoul(end + 1, NULL, 10) : 0;
    }
    if (p.part >= p.parts) {
        fprintf(stderr, "usage: %s PART/PARTS\n", argv[0]);
        exit(2);
    }
    return p;
}

void equal_blocks(struct test_rng *rng, struct pc_engine *engine)
{
    engine->block = test_rand_below(rng, 4) ? 1 + test_rand_below(rng, 200) : EG_WORDS;
    engine->part = test_rand_below(rng, 4) ? 1 + test_rand_below(rng, 200) : EG_RECORD_WORDS;
}

struct pc_engine *equal_engine(const char *kernel)
{
    struct pc_engine_desc desc = { .kernel = kernel };
    struct pc_engine *engine = NULL;
    struct pc_error err;
    enum pc_status status = pc_engine_create(&desc, &engine, &err);

    if (status == PC_EARG && kernel)
        test_say_skip(kernel, err.text);
    else
        test_ok(status, &err);
    return engine;
}
