/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_pass() and pc_unit_advance() equal the reference where most domains are dormant: units as
 * after a reset, of which now and then a register is written, a signal moves, a pulse comes, or
 * the state is loaded.  PC_TEST_LONG: 25 times as many.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "make_unit.h"
#include "random_unit.h"

enum { HUB = 0x1b0000 }; /* its domains' registers */

struct trial {
    struct test_rng *rng;
    struct pc_unit *a, *b; /* b is stepped */
    void *state_a, *state_b, *state_kept;
    bool kept;
    uint32_t edges;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    uint64_t slept, cycles; /* of domains */
};

/* A register that is there, and a value that is often one of few. */
static void write_one(struct trial *t)
{
    static const uint32_t often[] = { 0, 1, 2, 3, 0xffff, 0xaaaa, 0x8000, 0x03020100 };
    const bool gf100 = t->a->chip->layout == PC_LAYOUT_GF100;
    const uint32_t base = gf100 ? HUB : PC_REG_BEGIN;
    const uint32_t address = base + 4 * test_rand_below(t->rng, 0x400);
    const uint32_t value = test_rand_below(t->rng, 3)
                               ? often[test_rand_below(t->rng, sizeof often / sizeof often[0])]
                               : (uint32_t)test_rand(t->rng);

    pc_unit_write(t->a, address, value);
    pc_unit_write(t->b, address, value);
}

static void pulse(struct trial *t)
{
    const enum pc_pulse which =
        test_rand_below(t->rng, 2) ? PC_PULSE_PM_TRIGGER : PC_PULSE_WRCACHE_FLUSH;
    const uint32_t delay = test_rand_below(t->rng, 6);

    pc_unit_pulse(t->a, which, delay);
    pc_unit_pulse(t->b, which, delay);
}

static void flip_signal(struct trial *t)
{
    const unsigned x = test_rand_below(t->rng, t->a->chip->domains);

    t->raw[x][test_rand_below(t->rng, PC_SIG_WORDS)] ^= UINT64_C(1) << test_rand_below(t->rng, 64);
}

/* An earlier state, or the present one shortly before PERIODIC. */
static void reload(struct trial *t)
{
    const size_t size = pc_unit_state_size(t->b);
    struct pc_error err;

    if (t->kept && test_rand_below(t->rng, 2)) {
        test_ok(pc_unit_load(t->a, t->state_kept, size, &err), &err);
        test_ok(pc_unit_load(t->b, t->state_kept, size, &err), &err);
        return;
    }
    pc_unit_save(t->b, t->state_kept);
    t->kept = true;
    for (unsigned x = 0; x < t->b->chip->domains; x++) {
        t->b->state.domain[x].periodic |= 0x3f0;
        t->a->state.domain[x].periodic = t->b->state.domain[x].periodic;
    }
}

static void disturb(struct trial *t)
{
    struct pc_error err;
    const char *value = test_rand_below(t->rng, 2) ? "signal" : "register";

    switch (test_rand_below(t->rng, 12)) {
    case 0:
        pulse(t);
        break;
    case 1:
    case 2:
        flip_signal(t);
        break;
    case 3:
        t->edges = test_rand_below(t->rng, 2) ? 0xff : (uint32_t)test_rand(t->rng) & 0xff;
        break;
    case 4:
    case 5:
        reload(t);
        break;
    case 6:
        test_ok(pc_unit_option(t->a, "flag-import", value, &err), &err);
        test_ok(pc_unit_option(t->b, "flag-import", value, &err), &err);
        break;
    default:
        for (unsigned n = 1 + test_rand_below(t->rng, 3); n > 0; n--)
            write_one(t);
        break;
    }
}

static void pass(struct trial *t)
{
    const uint64_t(*raw)[PC_SIG_WORDS] = (const uint64_t(*)[PC_SIG_WORDS])t->raw;
    const bool leap = test_rand_below(t->rng, 3) == 0;
    const unsigned cycles =
        1 + test_rand_below(t->rng, leap && test_rand_below(t->rng, 8) == 0 ? 3000 : 12);

    if (leap)
        pc_unit_advance(t->a, cycles, t->edges, raw);
    for (unsigned i = 0; i < cycles; i++) {
        if (!leap)
            pc_unit_pass(t->a, t->edges, raw);
        pc_unit_step(t->b, t->edges, raw);
    }
    t->slept += (unsigned)__builtin_popcount(t->a->dormant);
    t->cycles += t->a->chip->domains;
}

static void compare(struct trial *t, uint64_t seed, unsigned n)
{
    const size_t size = pc_unit_state_size(t->a);

    pc_unit_save(t->a, t->state_a);
    pc_unit_save(t->b, t->state_b);
    if (memcmp(t->state_a, t->state_b, size) != 0)
        fail_msg("PC_SEED=%llu unit %u, %s", (unsigned long long)seed, n, t->a->chip->name);
}

static void try_unit(struct trial *t, uint64_t seed, unsigned n)
{
    const struct pc_chip *chip = random_chip(t->rng);

    if (test_rand_below(t->rng, 4)) {
        t->a = make_unit(chip);
        t->b = make_unit(chip);
    } else {
        random_units(t->rng, chip, &t->a, &t->b);
    }
    t->a->mem_write = t->b->mem_write = NULL;
    memset(t->raw, 0, sizeof t->raw);
    t->edges = 0xff;
    t->state_a = malloc(pc_unit_state_size(t->a));
    t->state_b = malloc(pc_unit_state_size(t->b));
    t->state_kept = malloc(pc_unit_state_size(t->a));
    t->kept = false;
    assert_non_null(t->state_kept);
    assert_non_null(t->state_a);
    assert_non_null(t->state_b);
    for (unsigned i = 0; i < 150; i++) {
        disturb(t);
        for (unsigned times = test_rand_below(t->rng, 4); times > 0; times--) {
            pass(t);
            compare(t, seed, n);
        }
    }
    free(t->state_kept);
    free(t->state_a);
    free(t->state_b);
    pc_unit_destroy(t->a);
    pc_unit_destroy(t->b);
}

static void equals_steps(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(14, &seed);
    struct trial t = { .rng = &rng };

    (void)state;
    for (unsigned n = 0; n < (test_long() ? 10000 : 200); n++)
        try_unit(&t, seed, n);
    /* A good part of all this was about what it is for. */
    assert_in_range(100 * t.slept / t.cycles, 20, 95);
}

/* After a reset nothing has to be done; a write wakes its domain alone. */
static void sleeps_and_wakes(void **state)
{
    static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_unit *u = make_unit(pc_chip_find("G92"));

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        pc_unit_pass(u, 0xff, raw);
    assert_int_equal(u->dormant, 0xff);
    pc_unit_write(u, 0xa7c8, 1);
    assert_int_equal(u->dormant, 0xfb);
    for (unsigned i = 0; i < 5; i++)
        pc_unit_pass(u, 0xff, raw);
    assert_int_equal(u->dormant, 0xfb); /* quad mode counts its cycles */
    assert_int_equal(pc_unit_cycle(u, 0), 10);
    pc_unit_destroy(u);
}

static void write_both(struct pc_unit *a, struct pc_unit *b, uint32_t address, uint32_t value)
{
    pc_unit_write(a, address, value);
    pc_unit_write(b, address, value);
}

/* A domain that sleeps sees the FLAG that another one set by itself in the call before. */
static void wakes_by_one_that_has_no_edge_now(void **state)
{
    static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_unit *passed = make_unit(pc_chip_find("G92")), *stepped = make_unit(passed->chip);

    (void)state;
    write_both(passed, stepped, 0xa7c4, 1); /* CTRL[1]: quad */
    for (unsigned i = 0; i < 20; i++) {
        const uint32_t edges = i < 8 ? 0xff : i % 2 ? 1 : 2;
        if (i == 8)
            write_both(passed, stepped, 0xa504, 0xffff); /* SETFLAG_OP[1] */
        pc_unit_pass(passed, edges, raw);
        pc_unit_step(stepped, edges, raw);
        assert_memory_equal(&passed->state, &stepped->state, sizeof passed->state);
    }
    pc_unit_destroy(passed);
    pc_unit_destroy(stepped);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(equals_steps),
                                        cmocka_unit_test(sleeps_and_wakes),
                                        cmocka_unit_test(wakes_by_one_that_has_no_edge_now) };

    return cmocka_run_group_tests_name("engine_dormant", tests, NULL, NULL);
}
