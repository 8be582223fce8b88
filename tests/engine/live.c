/* SPDX-License-Identifier: MIT */
/*
 * The live step equals pc_unit_step(): random states of every chip and mode, then cycles,
 * register accesses, pulses and looks at the whole state in random order, on a live unit and
 * on a stepped one.  PC_TEST_LONG: forty times as many.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/engine/live.h"
#include "equal_record.h"
#include "random_unit.h"
#include "model/regs/regs.h"

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

static void open_trial(struct test_rng *rng, struct trial *t)
{
    struct pc_error err;

    memset(t, 0, sizeof *t);
    t->chip = random_chip(rng);
    random_units(rng, t->chip, &t->unit, &t->step);
    equal_record(rng, t->unit, t->step, &t->sink, &t->step_sink);
    t->edges = test_rand_below(rng, 2) ? 1u : (uint32_t)test_rand(rng) & 0xff;
    t->mostly = test_rand_below(rng, 8);
    test_ok(pc_live_open(t->unit, &t->live, &err), &err);
    if (test_rand_below(rng, 3) == 0) /* what every CPU has */
        t->live->steps = &pc_live_steps_any;
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

/* Looking registers up is slow: those of a chip, and some by what writing them does, are kept. */
enum { MOST_CHIPS = 16, MOST_REGISTERS = 300 };

struct addresses {
    const struct pc_chip *chip;
    unsigned count;
    uint32_t address[MOST_REGISTERS];
    uint32_t aborts, pre_op, single_begin; /* of the first domain; 0: nothing is there */
};

static void keep_register(const struct trial *t, uint32_t address, struct addresses *a)
{
    struct pc_reg_hit hit;

    if (a->count < MOST_REGISTERS)
        a->address[a->count++] = address;
    if (!pc_regs_hit(t->chip, address, &hit) || hit.domain != 0 ||
        hit.set != (uint8_t)t->unit->set || hit.unit != t->unit->index)
        return;
    uint32_t *kept = hit.effect == PC_FX_ABORTS         ? &a->aborts
                     : hit.effect == PC_FX_PRE_OP       ? &a->pre_op
                     : hit.effect == PC_FX_SINGLE_BEGIN ? &a->single_begin
                                                        : NULL;
    if (kept && *kept == 0)
        *kept = address;
}

/* Trials of one chip all have the same unit of it. */
static const struct addresses *addresses_of(const struct trial *t)
{
    static struct addresses all[MOST_CHIPS];
    struct addresses *a = all;
    struct pc_reg_info reg;

    while (a < all + MOST_CHIPS - 1 && a->chip && a->chip != t->chip)
        a++;
    assert_true(!a->chip || a->chip == t->chip);
    if (a->chip)
        return a;
    a->chip = t->chip;
    for (size_t i = 0; pc_reg_enum(t->chip, i, &reg) == PC_OK; i++)
        keep_register(t, reg.address, a);
    return a;
}

static uint32_t random_address(struct test_rng *rng, const struct trial *t)
{
    const struct addresses *a = addresses_of(t);

    if (test_rand_below(rng, 40) == 0)
        return 0xa000 + 4 * test_rand_below(rng, 1024);
    return a->address[test_rand_below(rng, a->count)];
}

static void write_both(struct test_rng *rng, struct trial *t, uint32_t address)
{
    uint32_t value = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : UINT32_MAX);

    pc_live_write(t->live, address, value);
    pc_unit_write(t->step, address, value);
}

/*
 * Many accesses between two cycles, with few addresses: that a write aborts single mode, that
 * another starts it again, and in which order, is seen only later.  PC.SINGLE.15 PC.SINGLE.20
 */
static bool accesses(struct test_rng *rng, struct trial *t)
{
    const struct addresses *a = addresses_of(t);
    uint32_t address[5] = { a->aborts, a->pre_op, a->single_begin };

    for (unsigned i = 3; i < 5; i++)
        address[i] = random_address(rng, t);
    for (unsigned left = test_rand_below(rng, 20); left > 0; left--) {
        uint32_t at = address[test_rand_below(rng, 5)];
        if (test_rand_below(rng, 2))
            write_both(rng, t, at);
        else if (pc_live_read(t->live, at) != pc_unit_read(t->step, at))
            return false;
    }
    return true;
}

/* Writes are rare: each of them stops the quick step for some cycles. */
static bool act(struct test_rng *rng, struct trial *t)
{
    unsigned kind = test_rand_below(rng, 2000);
    uint32_t address;

    if (kind < 1800) {
        cycle(rng, t);
        return true;
    }
    address = random_address(rng, t);
    if (kind < 1960)
        return pc_live_read(t->live, address) == pc_unit_read(t->step, address);
    if (kind < 1980) {
        write_both(rng, t, address);
    } else if (kind < 1983) {
        return accesses(rng, t);
    } else if (kind < 1985) {
        uint32_t value = test_rand_below(rng, 70);
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
    uint64_t seed, limit = test_long() ? 40000000 : 1000000;
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
