/* SPDX-License-Identifier: MIT */
/*
 * Nothing of a unit's state is missing in what it saves: one that loads it into a unit out of
 * reset has the same state, member by member, and goes on alike.
 */
#include "random_unit.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 4, LONG_TRIALS = 100, WRITES = 30, REGISTERS = 4096, CYCLES = 1000 };

struct kind {
    struct pc_unit_desc desc;
    uint32_t address[REGISTERS];
    size_t addresses;
};

/* What a packet meets depends on its address alone: two units meet the same. */
static enum pc_mem_result on_packet(void *ctx, unsigned domain, uint64_t address,
                                    const uint8_t *data, size_t size)
{
    (void)ctx, (void)domain, (void)data, (void)size;
    return (enum pc_mem_result)((address >> 4) % 64 / 62);
}

static struct pc_unit *make(const struct kind *k)
{
    struct pc_unit *u;
    struct pc_error err;

    test_ok(pc_unit_create(&k->desc, &u, &err), &err);
    return u;
}

static void list_registers(struct kind *k)
{
    struct pc_reg_info reg;

    k->addresses = 0;
    for (size_t i = 0; k->addresses < REGISTERS; i++) {
        if (pc_reg_enum(k->desc.chip, i, &reg) != PC_OK)
            break;
        if (reg.set == k->desc.set && reg.writable)
            k->address[k->addresses++] = reg.address;
    }
}

static void step(struct test_rng *rng, struct pc_unit *a, struct pc_unit *b)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    const uint32_t edges = test_rand_below(rng, 4) ? 0xff : (uint32_t)test_rand(rng) & 0xff;

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            raw[x][w] = test_rand(rng);
    pc_unit_step(a, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
    if (b)
        pc_unit_step(b, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
}

/* A life that leaves something everywhere. */
static void live(struct test_rng *rng, const struct kind *k, struct pc_unit *u)
{
    for (unsigned i = 0; i < WRITES; i++) {
        for (size_t r = 0; r < k->addresses; r++)
            if (test_rand_below(rng, 8) == 0)
                pc_unit_write(u, k->address[r], (uint32_t)(test_rand(rng) & test_rand(rng)));
        for (unsigned mode = 1; mode < 5 && i % 4 == 0; mode++)
            pc_unit_write(u, 0xa7c0 + 4 * test_rand_below(rng, 4), test_rand_below(rng, 4));
        if (test_rand_below(rng, 4) == 0)
            pc_unit_pulse(u, PC_PULSE_PM_TRIGGER, test_rand_below(rng, 64));
        if (test_rand_below(rng, 4) == 0)
            pc_unit_record_done(u, test_rand_below(rng, 8), test_rand_below(rng, 2));
        for (uint32_t n = test_rand_below(rng, 20); n > 0; n--)
            step(rng, u, NULL);
    }
}

/* Into a unit out of reset, in which no padding has been touched. */
static void load_and_compare(const struct pc_unit *from, struct pc_unit *to)
{
    const size_t size = pc_unit_state_size(from);
    uint8_t *saved = malloc(size), *again = malloc(size);
    struct pc_error err;

    assert_true(saved && again);
    pc_unit_save(from, saved);
    test_ok(pc_unit_load(to, saved, size, &err), &err);
    pc_unit_save(to, again);
    assert_memory_equal(saved, again, size);
    assert_memory_equal(&from->state, &to->state, sizeof to->state);
    free(saved);
    free(again);
}

static void trial(struct test_rng *rng, const struct kind *k)
{
    struct pc_unit *from = make(k), *to = make(k);

    live(rng, k, from);
    load_and_compare(from, to);
    for (unsigned i = 0; i < CYCLES; i++)
        step(rng, from, to);
    assert_memory_equal(&from->state, &to->state, sizeof to->state);
    pc_unit_destroy(from);
    pc_unit_destroy(to);
}

static void each_kind(void (*check)(struct test_rng *rng, const struct kind *k))
{
    static struct kind k;
    struct test_rng rng = test_rng_start(371, NULL);
    const struct pc_chip *chip;

    for (size_t c = 0; (chip = pc_chip_at(c)) != NULL; c++)
        for (size_t s = 0; s == 0 || pc_chip_set(chip, s); s++) {
            const struct pc_set_info *set = pc_chip_set(chip, s);
            k.desc = (struct pc_unit_desc){ .chip = chip, .mem_write = on_packet };
            if (set)
                k.desc.set = set->set;
            k.desc.record_latency = test_rand_below(&rng, 2) * 5;
            struct pc_unit *u;
            if (pc_unit_create(&k.desc, &u, NULL) != PC_OK)
                continue;
            pc_unit_destroy(u);
            list_registers(&k);
            check(&rng, &k);
        }
}

static void trials(struct test_rng *rng, const struct kind *k)
{
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS); i++)
        trial(rng, k);
}

static void goes_on_alike(void **state)
{
    (void)state;
    each_kind(trials);
}

static void random_states(void **state)
{
    struct test_rng rng = test_rng_start(372, NULL);

    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        struct pc_unit *from, *to;
        random_units(&rng, random_chip(&rng), &from, &to);
        pc_unit_reset(to);
        load_and_compare(from, to);
        for (unsigned n = 0; n < CYCLES; n++)
            step(&rng, from, to);
        assert_memory_equal(&from->state, &to->state, sizeof to->state);
        pc_unit_destroy(from);
        pc_unit_destroy(to);
    }
}

/* All bytes of all members are 1, but for those that cannot be. */
static void fill(struct test_rng *rng, const struct kind *k)
{
    struct pc_unit *from = make(k), *to = make(k);
    const struct pc_state reset = from->state;
    const struct pc_counters counters = { 0x10101, 0x10101, 0x10101, 0x10101, 0x10101 };

    (void)rng;
    memset(&from->state, 1, sizeof from->state);
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        struct pc_domain *d = &from->state.domain[x];
        if (x >= from->chip->domains) {
            *d = reset.domain[x];
            continue;
        }
        d->visible = d->shadow = counters;
        d->threshold = d->record.cycles = 0x10101;
        d->record.position = d->record_start = d->record_limit = 0x1010;
    }
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding) /* gcc has it: without it, trials() has to do */
    __builtin_clear_padding(&from->state);
    load_and_compare(from, to);
#endif
#endif
    pc_unit_destroy(from);
    pc_unit_destroy(to);
}

static void every_member_is_saved(void **state)
{
    (void)state;
    each_kind(fill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_saved),
        cmocka_unit_test(random_states),
        cmocka_unit_test(goes_on_alike),
    };

    return cmocka_run_group_tests_name("save", tests, NULL, NULL);
}
