/* SPDX-License-Identifier: MIT */
/*
 * The live step equals pc_unit_step(): random states of every chip and mode, then cycles,
 * register accesses, pulses and looks at the whole state in random order, on a live unit and
 * on a stepped one.  PC_TEST_LONG: a hundred times as many.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/live.h"
#include "equal_record.h"
#include "regs/regs.h"

static const char *const chips[] = { "NV10", "NV20", "NV30",  "NV40",  "G80",
                                     "G84",  "G92",  "GT215", "GF100", "GK104" };

struct trial {
    const struct pc_chip *chip;
    struct pc_unit *unit, *step;
    struct pc_live *live;
    struct equal_sink sink, step_sink;
    uint32_t edges;
    unsigned mostly; /* how often a signal is 1, of 8 */
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
};

static uint64_t quick_cycles, cycles, packets;

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

static uint32_t signal_number(struct test_rng *rng, const struct pc_unit *u, unsigned x,
                              bool imports)
{
    const struct pc_slots *slots = &u->slots[x];
    unsigned kind = test_rand_below(rng, 24);

    if (kind == 0 && slots->flag[x] >= 0)
        return (uint32_t)slots->flag[x];
    if (kind == 1 && slots->periodic >= 0)
        return (uint32_t)slots->periodic;
    if (kind == 2 && slots->user[0] >= 0)
        return (uint32_t)slots->user[0];
    if (kind == 3 && imports)
        return test_rand_below(rng, 256);
    do
        kind = test_rand_below(rng, 256);
    while (!imports && !(slots->raw[kind / 64] >> (kind % 64) & 1));
    return kind;
}

static uint64_t near_end(struct test_rng *rng, uint64_t end)
{
    return test_rand_below(rng, 3) ? test_rand_below(rng, 200) : end - test_rand_below(rng, 300);
}

static void random_counters(struct test_rng *rng, const struct pc_unit *u, struct pc_counters *c)
{
    uint64_t wide = u->chip->features & PC_F_CTR40 ? (UINT64_C(1) << 40) - 1 : UINT32_MAX;

    *c = (struct pc_counters){ .cycles = near_end(rng, wide),
                               .event = near_end(rng, wide),
                               .start = near_end(rng, wide),
                               .pre = near_end(rng, UINT32_MAX),
                               .stop = near_end(rng, UINT32_MAX) };
}

static void random_flops(struct test_rng *rng, const struct pc_unit *u, struct pc_domain *d,
                         unsigned x)
{
    d->single_state = (uint8_t)test_rand_below(rng, 4);
    d->quad_state = (uint8_t)(test_rand_below(rng, 3) * 3 / 2);
    d->flag_next = test_rand_below(rng, 2);
    d->flag_cur = test_rand_below(rng, 2);
    d->last_flag = test_rand_below(rng, 2);
    d->last_event = test_rand_below(rng, 2);
    d->late =
        (uint32_t)test_rand(rng) & (u->chip->features & PC_F_OWN_FLAG_SRC ? 0xffffff : 0xffff);
    d->periodic = (uint16_t)test_rand(rng);
    d->event_toggle = test_rand_below(rng, 2);
    d->flag_toggle = test_rand_below(rng, 2);
    for (unsigned i = 0; i < 4; i++)
        d->user[i] = u->slots[x].user[i] >= 0 && test_rand_below(rng, 2);
}

static void random_domain(struct test_rng *rng, struct pc_unit *u, unsigned x)
{
    struct pc_domain *d = &u->state.domain[x];
    bool quad = u->chip->features & PC_F_QUAD, imports = test_rand_below(rng, 10) == 0;

    for (unsigned i = 0; i < PC_INPUTS; i++) {
        d->src[i] = 0;
        for (unsigned k = 0; k < 4; k++)
            d->src[i] |= signal_number(rng, u, x, imports) << (8 * k);
        d->op[i] = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : 0x1fffff);
        if (test_rand_below(rng, 5) == 0)
            d->op[i] = test_rand_below(rng, 2) ? 0x8000 : 0;
    }
    d->control.mode = test_rand_below(rng, 12) == 0     ? PC_MODE_NONE
                      : quad && test_rand_below(rng, 2) ? PC_MODE_QUAD
                                                        : PC_MODE_SINGLE;
    d->control.ctr_mode =
        (uint8_t)(test_rand_below(rng, 2) ? PC_CTR_SIMPLE : test_rand_below(rng, PC_CTR_NONE + 1));
    d->control.period_all = test_rand_below(rng, 2);
    d->control.periodic = (uint8_t)(u->slots[x].periodic >= 0 ? test_rand_below(rng, 8) : 0);
    d->spec_src = test_rand_below(rng, 3) ? 0xff : signal_number(rng, u, x, imports);
    d->threshold = test_rand_below(rng, 40);
    random_counters(rng, u, &d->visible);
    random_counters(rng, u, &d->shadow);
    random_flops(rng, u, d, x);
}

static void open_trial(struct test_rng *rng, struct trial *t)
{
    struct pc_error err;

    memset(t, 0, sizeof *t);
    t->chip = pc_chip_find(chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);
    t->unit = make_unit(t->chip);
    t->step = make_unit(t->chip);
    for (unsigned x = 0; x < t->unit->chip->domains; x++)
        random_domain(rng, t->unit, x);
    t->step->state = t->unit->state;
    equal_record(rng, t->unit, t->step, &t->sink, &t->step_sink);
    t->edges = test_rand_below(rng, 2) ? 1u : (uint32_t)test_rand(rng) & 0xff;
    t->mostly = test_rand_below(rng, 8);
    test_ok(pc_live_open(t->unit, &t->live, &err), &err);
    if (test_rand_below(rng, 3) == 0) /* what every CPU has */
        t->live->steps = &live_steps_any;
}

static void cycle(struct test_rng *rng, struct trial *t)
{
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        for (unsigned w = 0; w < PC_SIG_WORDS; w++) {
            uint64_t word = test_rand(rng);
            for (unsigned i = 0; i < t->mostly; i++)
                word = i == 3 ? word | test_rand(rng) : word & test_rand(rng);
            t->raw[x][w] = word;
        }
    pc_live_step(t->live, t->edges, (const uint64_t(*)[PC_SIG_WORDS])t->raw);
    pc_unit_step(t->step, t->edges, (const uint64_t(*)[PC_SIG_WORDS])t->raw);
    quick_cycles += t->live->quick && t->live->cycles > 0;
    cycles++;
}

static uint32_t random_address(struct test_rng *rng, const struct trial *t)
{
    struct pc_reg_info reg;

    if (test_rand_below(rng, 40) == 0)
        return 0xa000 + 4 * test_rand_below(rng, 1024);
    while (pc_reg_enum(t->chip, test_rand_below(rng, 300), &reg) != PC_OK)
        continue;
    return reg.address;
}

/* Writes are rare: each of them stops the quick step for some cycles. */
static bool act(struct test_rng *rng, struct trial *t)
{
    unsigned kind = test_rand_below(rng, 2000);
    uint32_t address, value;

    if (kind < 1800) {
        cycle(rng, t);
        return true;
    }
    address = random_address(rng, t);
    if (kind < 1960)
        return pc_live_read(t->live, address) == pc_unit_read(t->step, address);
    if (kind < 1980) {
        value = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : UINT32_MAX);
        pc_live_write(t->live, address, value);
        pc_unit_write(t->step, address, value);
    } else if (kind < 1985) {
        value = test_rand_below(rng, 70);
        pc_live_pulse(t->live, PC_PULSE_PM_TRIGGER, value);
        pc_unit_pulse(t->step, PC_PULSE_PM_TRIGGER, value);
    } else if (kind < 1990) {
        pc_live_record_done(t->live, 0, false);
        pc_unit_record_done(t->step, 0, false);
    } else if (kind < 1992) {
        t->edges = (uint32_t)test_rand(rng) & 0xff;
    } else if (kind < 1996) {
        return memcmp(&pc_live_unit(t->live)->state, &t->step->state, sizeof t->step->state) == 0;
    }
    return true;
}

static void close_trial(struct trial *t, uint64_t seed, unsigned n)
{
    pc_live_close(t->live);
    if (memcmp(&t->unit->state, &t->step->state, sizeof t->step->state) != 0) {
        for (unsigned x = 0; x < t->unit->chip->domains; x++) {
            const char *p = (const char *)&t->unit->state.domain[x];
            const char *q = (const char *)&t->step->state.domain[x];
            for (size_t i = 0; i < sizeof(struct pc_domain); i++)
                if (p[i] != q[i]) {
                    printf("byte %zu of domain %u, mode %u\n", i, x,
                           t->unit->state.domain[x].control.mode);
                    break;
                }
        }
        fail_msg("PC_SEED=%llu trial %u on %s: another state at the end", (unsigned long long)seed,
                 n, t->chip->name);
    }
    assert_true(equal_sinks(&t->sink, &t->step_sink));
    packets += t->sink.packets;
    pc_unit_destroy(t->unit);
    pc_unit_destroy(t->step);
}

static void live_equals_step(void **state)
{
    uint64_t seed, limit = getenv("PC_TEST_LONG") ? 100000000 : 1000000;
    struct test_rng rng = test_rng_start(9, &seed);

    (void)state;
    for (unsigned n = 0; cycles < limit; n++) {
        struct trial t;
        open_trial(&rng, &t);
        for (unsigned left = test_rand_below(&rng, 4000); left > 0; left--)
            if (!act(&rng, &t))
                fail_msg("PC_SEED=%llu trial %u on %s, %u actions before the end",
                         (unsigned long long)seed, n, t.chip->name, left);
        close_trial(&t, seed, n);
    }
    printf("%llu cycles, %llu of them quick, %llu packets\n", (unsigned long long)cycles,
           (unsigned long long)quick_cycles, (unsigned long long)packets);
    assert_true(quick_cycles > cycles / 3);
    assert_true(packets > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(live_equals_step) };

    return cmocka_run_group_tests_name("engine_live", tests, NULL, NULL);
}
