/* SPDX-License-Identifier: MIT */
/*
 * Summaries: a run cut anywhere into chunks, each summarised from its own planes, combined in
 * any tree and sent as bytes, equals the run in one go: the whole state, byte by byte.
 * PC_TEST_LONG: a hundred times as many runs.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "make_unit.h"

enum { MAX_CYCLES = 30000, WORDS = MAX_CYCLES / 64 + 2, PLANES = 24, MAX_CHUNKS = 9 };

static const char *const chips[] = { "NV10", "NV15", "NV20", "NV30",  "NV40",
                                     "G80",  "G84",  "G92",  "GT215", "GF100" };

static uint64_t pool[PLANES][WORDS];
static uint64_t applied, refused;

struct trial {
    struct pc_unit *start, *whole, *parts;
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    uint64_t level[PC_SIG_WORDS];
    uint64_t cycles;
    uint64_t cut[MAX_CHUNKS + 2];
    unsigned chunks;
};

static void fill_pool(struct test_rng *rng)
{
    for (unsigned p = 0; p < PLANES; p++)
        for (unsigned w = 0; w < WORDS; w++) {
            uint64_t word = test_rand(rng);
            for (unsigned i = 0; i < p % 8 * 2; i++)
                word &= test_rand(rng);
            pool[p][w] = p % 5 == 4 ? ~word : word;
        }
}

static uint32_t signal_number(struct test_rng *rng, const struct pc_unit *u, unsigned x)
{
    unsigned kind = test_rand_below(rng, 60);

    if (kind == 0)
        return test_rand_below(rng, 256);
    if (kind < 6 && u->slots[x].flag[x] >= 0)
        return (uint32_t)u->slots[x].flag[x];
    if (kind == 6 && u->slots[x].periodic >= 0)
        return (uint32_t)u->slots[x].periodic;
    if (kind == 7 && u->slots[x].event[x] >= 0)
        return (uint32_t)u->slots[x].event[x];
    return test_rand_below(rng, PLANES);
}

static uint64_t level_of(struct test_rng *rng, uint64_t end)
{
    uint32_t kind = test_rand_below(rng, 3);

    return kind == 0 ? end - test_rand_below(rng, 4000) : test_rand_below(rng, 9000);
}

static void random_counters(struct test_rng *rng, const struct pc_unit *u, struct pc_counters *c)
{
    bool forty = u->chip->features & PC_F_CTR40;
    uint64_t end = forty ? (UINT64_C(1) << (39 + test_rand_below(rng, 2))) - 1 : UINT32_MAX;

    c->cycles = level_of(rng, end);
    c->event = level_of(rng, end);
    c->start = level_of(rng, end);
    c->pre = level_of(rng, UINT32_MAX);
    c->stop = level_of(rng, UINT32_MAX);
}

static void random_domain(struct test_rng *rng, struct pc_unit *u, unsigned x)
{
    struct pc_domain *d = &u->state.domain[x];
    unsigned mode = test_rand_below(rng, 12);

    for (unsigned i = 0; i < PC_INPUTS; i++) {
        for (unsigned k = 0; k < 4; k++)
            d->src[i] |= signal_number(rng, u, x) << (8 * k);
        d->op[i] = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : 0x1fffff);
        if (test_rand_below(rng, 3) == 0) /* a rare one: two or three signals at once */
            d->op[i] = test_rand_below(rng, 2) ? 0x8000 : 0x0080;
    }
    d->control.mode = mode == 0                                     ? PC_MODE_NONE
                      : mode < 6 && (u->chip->features & PC_F_QUAD) ? PC_MODE_QUAD
                                                                    : PC_MODE_SINGLE;
    d->control.ctr_mode = (uint8_t)(test_rand_below(rng, 2) ? 0 : test_rand_below(rng, 5));
    d->control.period_all = test_rand_below(rng, 2);
    d->control.periodic = (uint8_t)(u->slots[x].periodic >= 0 ? test_rand_below(rng, 8) : 0);
    d->spec_src = signal_number(rng, u, x);
    d->threshold = test_rand_below(rng, 2) ? test_rand_below(rng, 40) : test_rand_below(rng, 9000);
    random_counters(rng, u, &d->visible);
    random_counters(rng, u, &d->shadow);
    d->single_state = (uint8_t)test_rand_below(rng, 4);
    d->quad_state = (uint8_t)(test_rand_below(rng, 3) * 3 / 2);
    d->flag_next = test_rand_below(rng, 2);
    d->flag_cur = test_rand_below(rng, 2);
    d->late = (uint32_t)test_rand(rng) & 0xffffff;
    d->periodic = (uint16_t)test_rand(rng);
    for (unsigned i = 0; i < 4; i++)
        d->user[i] = u->slots[x].user[i] >= 0 && test_rand_below(rng, 2);
}

static void random_cuts(struct test_rng *rng, struct trial *t)
{
    uint64_t at = 0;

    t->cut[t->chunks = 0] = 0;
    while (t->chunks < MAX_CHUNKS && t->cycles - at >= 4 * PC_SUMMARY_CYCLES) {
        uint64_t room = t->cycles - at - 2 * PC_SUMMARY_CYCLES;
        at += PC_SUMMARY_CYCLES + test_rand_below(rng, (uint32_t)room);
        t->cut[++t->chunks] = at;
    }
    t->cut[++t->chunks] = t->cycles;
}

static void random_trial(struct test_rng *rng, struct trial *t)
{
    const struct pc_chip *chip =
        pc_chip_find(chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);

    memset(t, 0, sizeof *t);
    t->start = make_unit(chip);
    t->whole = make_unit(chip);
    t->parts = make_unit(chip);
    for (unsigned x = 0; x < t->start->chip->domains; x++) {
        random_domain(rng, t->start, x);
        t->domain[x].still = test_rand_below(rng, 3) == 0;
        t->domain[x].plane = t->plane[x];
        t->domain[x].level = t->level;
        for (unsigned s = 0; s < PLANES; s++)
            t->plane[x][s] = test_rand_below(rng, 6) ? pool[(s + x) % PLANES] : NULL;
    }
    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        t->level[w] = test_rand(rng);
    t->cycles = 4 * PC_SUMMARY_CYCLES + test_rand_below(rng, MAX_CYCLES - 4 * PC_SUMMARY_CYCLES);
    t->whole->state = t->parts->state = t->start->state;
    random_cuts(rng, t);
}

/* Planes from a word boundary on. */
static void shift(const struct trial *t, uint64_t from, struct pc_run_domain *domain,
                  const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS])
{
    for (unsigned x = 0; x < t->start->chip->domains; x++) {
        domain[x] = t->domain[x];
        domain[x].plane = plane[x];
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
            plane[x][s] = t->plane[x][s] ? t->plane[x][s] + from / 64 : NULL;
    }
}

static struct pc_summary *summary_of(const struct trial *t, struct pc_engine *e, unsigned chunk)
{
    static const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    uint64_t at = t->cut[chunk], from = at == 0 ? 0 : (at - PC_SUMMARY_LEAD) / 64 * 64;
    struct pc_summary *s, *sent;
    struct pc_error err;
    size_t size;

    shift(t, from, domain, plane);
    struct pc_summary_chunk c = { domain, t->cut[chunk + 1] - from, at - from, at };
    test_ok(pc_summary_create(t->start, e, &c, &s, &err), &err);
    const void *bytes = pc_summary_bytes(s, &size);
    test_ok(pc_summary_load(t->start, bytes, size, &sent, &err), &err);
    pc_summary_destroy(s);
    return sent;
}

/* Two neighbours become one, as often as it goes. */
static void combine_some(struct test_rng *rng, struct pc_summary **s, uint64_t *cut, unsigned *n)
{
    for (unsigned k = test_rand_below(rng, *n); k > 0; k--) {
        unsigned i = test_rand_below(rng, *n - 1);
        struct pc_summary *both;
        struct pc_error err;
        test_ok(pc_summary_create_combined(s[i], s[i + 1], &both, &err), &err);
        pc_summary_destroy(s[i]);
        pc_summary_destroy(s[i + 1]);
        s[i] = both;
        memmove(s + i + 1, s + i + 2, (*n - i - 2) * sizeof *s);
        memmove(cut + i + 1, cut + i + 2, (*n - i - 1) * sizeof *cut);
        (*n)--;
    }
}

/* The cycles of a chunk themselves, from any cycle on. */
static void rerun(const struct trial *t, struct pc_unit *u, uint64_t from, uint64_t to)
{
    struct pc_run run = { .cycles = to, .domain = t->domain };
    uint32_t mask = 0;

    for (unsigned x = 0; x < u->chip->domains; x++)
        mask |= (uint32_t)!t->domain[x].still << x;
    eg_step(u, &run, mask, from, to);
}

static void trial(struct test_rng *rng, uint64_t seed, unsigned number)
{
    struct pc_summary *s[MAX_CHUNKS + 2];
    struct pc_engine *e;
    struct pc_error err;
    struct trial t;

    const struct pc_kernel *k = pc_kernel_at(number % 3);
    struct pc_engine_desc desc = { .kernel = k && k->usable() ? k->name : NULL };
    test_ok(pc_engine_create(&desc, &e, &err), &err);
    random_trial(rng, &t);
    struct pc_run run = { .cycles = t.cycles, .domain = t.domain };
    pc_unit_run(t.whole, e, &run);
    for (unsigned i = 0; i < t.chunks; i++)
        s[i] = summary_of(&t, e, i);
    unsigned n = t.chunks;
    combine_some(rng, s, t.cut, &n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(pc_summary_cycles(s[i]), t.cut[i + 1] - t.cut[i]);
        if (pc_summary_apply(s[i], t.parts)) {
            applied++;
        } else {
            rerun(&t, t.parts, t.cut[i], t.cut[i + 1]);
            refused++;
        }
        pc_summary_destroy(s[i]);
    }
    for (unsigned x = 0; x < t.whole->chip->domains; x++)
        if (memcmp(&t.whole->state.domain[x], &t.parts->state.domain[x],
                   sizeof t.whole->state.domain[x]) != 0) {
            const struct pc_domain *p = &t.whole->state.domain[x], *q = &t.parts->state.domain[x];
            size_t at = 0;
            while (((const char *)p)[at] == ((const char *)q)[at])
                at++;
            fail_msg("PC_SEED=%llu trial %u: %s domain %u of %u chunks, byte %zu, mode %u",
                     (unsigned long long)seed, number, t.whole->chip->name, x, n, at,
                     p->control.mode);
        }
    assert_memory_equal(&t.whole->state, &t.parts->state, sizeof t.whole->state);
    pc_unit_destroy(t.start);
    pc_unit_destroy(t.whole);
    pc_unit_destroy(t.parts);
    pc_engine_destroy(e);
}

static void chunks_equal_the_run(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);
    unsigned trials = test_long() ? 10000 : 100;

    (void)state;
    fill_pool(&rng);
    for (unsigned n = 0; n < trials; n++)
        trial(&rng, seed, n);
    printf("%u runs: %llu summaries held, %llu did not\n", trials, (unsigned long long)applied,
           (unsigned long long)refused);
    assert_true(applied > refused);
}

/* What a worker without the first chunk sees: registers just written, PRE_OP last. */
static void a_start_that_is_pending(void **state)
{
    const struct pc_chip *chip = pc_chip_find("G92");
    struct pc_unit *u = make_unit(chip), *w = make_unit(chip);
    static const uint64_t *plane[PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = plane } };
    struct pc_engine *e;
    struct pc_error err;
    struct pc_summary *s;

    (void)state;
    test_ok(pc_engine_create(NULL, &e, &err), &err);
    for (unsigned x = 1; x < chip->domains; x++)
        domain[x].still = true;
    for (unsigned i = 0; i < PLANES; i++)
        plane[i] = pool[i];
    pc_unit_write(u, 0xa400 + 0x40 * 0, 0x03020100); /* PRE_SRC .. */
    u->state.domain[0].op[PC_IN_PRE] = u->state.domain[0].op[PC_IN_START] = 0xffff;
    u->state.domain[0].op[PC_IN_EVENT] = 0x6996;
    u->state.domain[0].src[PC_IN_EVENT] = 0x03020100;
    u->state.domain[0].pending.start = true;
    w->state = u->state;
    struct pc_summary_chunk c = { domain, 6400, 0, 0 };
    assert_int_equal(pc_summary_create(u, e, &c, &s, &err), PC_EARG);
    c = (struct pc_summary_chunk){ domain, 6400, 640, 640 };
    test_ok(pc_summary_create(u, e, &c, &s, &err), &err);
    struct pc_run first = { .cycles = 640, .domain = domain },
                  all = { .cycles = 6400, .domain = domain };
    pc_unit_run(u, e, &first);
    assert_true(pc_summary_apply(s, u));
    pc_unit_run(w, e, &all);
    assert_memory_equal(&u->state, &w->state, sizeof u->state);
    assert_true(u->state.domain[0].visible.event > 2000);
    pc_summary_destroy(s);
    pc_unit_destroy(u);
    pc_unit_destroy(w);
    pc_engine_destroy(e);
}

/*
 * A machine with PRE, START and STOP in every cycle, in a state; does the summary of 1000 cycles
 * from `at` on hold?  *then: where the machine is when they begin.
 */
static bool holds_behind(uint64_t at, enum pc_single_state machine, uint64_t pre, uint64_t stop,
                         unsigned *then)
{
    const struct pc_chip *chip = pc_chip_find("G80");
    struct pc_unit *u = make_unit(chip), *w = make_unit(chip);
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { 0 } };
    struct pc_domain *d = &u->state.domain[0];
    struct pc_summary *s;
    struct pc_engine *e;
    struct pc_error err;

    test_ok(pc_engine_create(NULL, &e, &err), &err);
    for (unsigned x = 1; x < chip->domains; x++)
        domain[x].still = true;
    d->op[PC_IN_PRE] = d->op[PC_IN_START] = d->op[PC_IN_STOP] = d->op[PC_IN_EVENT] = 0xffff;
    d->control.mode = PC_MODE_SINGLE;
    d->single_state = (uint8_t)machine;
    d->visible.pre = pre;
    d->visible.stop = stop;
    w->state = u->state;
    const struct pc_summary_chunk c = { domain, 1000 + PC_SUMMARY_LEAD, PC_SUMMARY_LEAD, at };
    test_ok(pc_summary_create(u, e, &c, &s, &err), &err);
    struct pc_run run = { .cycles = at, .domain = domain };
    pc_unit_run(u, e, &run);
    *then = d->single_state;
    const bool holds = pc_summary_apply(s, u);
    run.cycles = at + 1000;
    pc_unit_run(w, e, &run);
    if (holds)
        assert_memory_equal(&u->state, &w->state, sizeof u->state);
    pc_summary_destroy(s);
    pc_unit_destroy(u);
    pc_unit_destroy(w);
    pc_engine_destroy(e);
    return holds;
}

/* Counts are used up before the chunk, in it, or never. */
static void counts_that_run_out(void **state)
{
    unsigned then, left = 0, ended = 0;

    (void)state;
    for (unsigned pre = 630; pre < 650; pre++) {
        const bool holds = holds_behind(640, PC_WAIT_PRE, pre, UINT32_MAX, &then);
        assert_int_equal(holds, then != PC_WAIT_PRE);
        left += holds;
    }
    for (unsigned stop = 310; stop < 330; stop++) { /* a period is two cycles */
        const bool holds = holds_behind(640, PC_WAIT_START, 0, stop, &then);
        assert_int_equal(holds, then == PC_INACTIVE);
        ended += holds;
    }
    assert_in_range(left, 5, 15);
    assert_in_range(ended, 5, 15);
    assert_false(holds_behind(640, PC_WAIT_START, 0, 700, &then)); /* cannot be at rest before */
    assert_true(holds_behind(640, PC_WAIT_START, 0, UINT32_MAX, &then));
    assert_true(holds_behind(640, PC_WAIT_PRE, 100000, UINT32_MAX, &then));
}

/* The same registers, but a switch of the model decides what the flag does in a mode that counts
 * nothing (D-25). */
static void another_option(void **state)
{
    struct pc_unit_desc desc = { .chip = pc_chip_find("GK104"), .set = PC_SET_PART };
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { 0 } };
    const struct pc_summary_chunk c = { domain, 1000, 0, 0 };
    struct pc_unit *u[2];
    struct pc_summary *s;
    struct pc_engine *e;
    struct pc_error err;

    (void)state;
    test_ok(pc_engine_create(NULL, &e, &err), &err);
    for (unsigned i = 0; i < 2; i++) {
        test_ok(pc_unit_create(&desc, &u[i], &err), &err);
        test_ok(pc_unit_option(u[i], "gf100-halted-flag", i ? "follows" : "frozen", &err), &err);
        for (unsigned x = 0; x < pc_unit_chip(u[i])->domains; x++) {
            u[i]->state.domain[x].control.mode = PC_MODE_NONE;
            u[i]->state.domain[x].op[PC_IN_SETFLAG] = 0xffff;
        }
    }
    test_ok(pc_summary_create(u[0], e, &c, &s, &err), &err);
    assert_false(pc_summary_apply(s, u[1]));
    assert_true(pc_summary_apply(s, u[0]));
    pc_summary_destroy(s);
    pc_unit_destroy(u[0]);
    pc_unit_destroy(u[1]);
    pc_engine_destroy(e);
}

static void bad_calls(void **state)
{
    struct pc_unit *u = make_unit(pc_chip_find("G92")), *other = make_unit(pc_chip_find("NV40"));
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { 0 } };
    struct pc_summary *a, *b, *bad = NULL;
    struct pc_engine *e;
    struct pc_error err;
    size_t size;

    (void)state;
    test_ok(pc_engine_create(NULL, &e, &err), &err);
    struct pc_summary_chunk c = { domain, 63, 0, 0 };
    assert_int_equal(pc_summary_create(u, e, &c, &bad, &err), PC_EARG);
    c = (struct pc_summary_chunk){ domain, 1000, 63, 100 };
    assert_int_equal(pc_summary_create(u, e, &c, &bad, &err), PC_EARG);
    c = (struct pc_summary_chunk){ domain, 1000, 2000, 2000 };
    assert_int_equal(pc_summary_create(u, e, &c, &bad, &err), PC_EARG);
    c = (struct pc_summary_chunk){ domain, 1000, 0, 0 };
    test_ok(pc_summary_create(u, e, &c, &a, &err), &err);
    c = (struct pc_summary_chunk){ domain, 1000, 64, 1064 };
    test_ok(pc_summary_create(u, e, &c, &b, &err), &err);
    assert_int_equal(pc_summary_create_combined(a, b, &bad, &err), PC_EARG);
    const uint8_t *bytes = pc_summary_bytes(a, &size);
    assert_int_equal(pc_summary_load(u, bytes, size - 1, &bad, &err), PC_EINPUT);
    assert_int_equal(pc_summary_load(other, bytes, size, &bad, &err), PC_EINPUT);
    assert_false(pc_summary_apply(a, other));
    assert_null(bad);
    pc_summary_destroy(a);
    pc_summary_destroy(b);
    pc_unit_destroy(u);
    pc_unit_destroy(other);
    pc_engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(chunks_equal_the_run),
                                        cmocka_unit_test(a_start_that_is_pending),
                                        cmocka_unit_test(counts_that_run_out),
                                        cmocka_unit_test(another_option),
                                        cmocka_unit_test(bad_calls) };

    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
