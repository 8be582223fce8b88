/* SPDX-License-Identifier: MIT */
#include "device_pair.h"

#include <string.h>

#include "model/gpu/gpu.h"

void pair_begin(struct pair *p, const char *chip)
{
    p->chip = pc_chip_find(chip);
    struct pc_gpu_desc desc = { .chip = p->chip, .memory_limit = 1 << 20 };
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &p->fast, &err), &err);
    test_ok(pc_gpu_create(&desc, &p->slow, &err), &err);
    p->domains = pc_gpu_domain_count(p->fast);
}

void pair_end(struct pair *p)
{
    pc_gpu_destroy(p->fast);
    pc_gpu_destroy(p->slow);
}

void pair_both(struct pair *p, pair_change_fn *change, const uint32_t *with)
{
    assert_int_equal(change(p->fast, with), change(p->slow, with));
}

void pair_write(struct pair *p, uint32_t address, uint32_t value)
{
    pc_gpu_write32(p->fast, address, value);
    pc_gpu_write32(p->slow, address, value);
}

static enum pc_status set_clock(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_clock(gpu, with[0], with[1], with[2], NULL);
}

void pair_random_clocks(struct test_rng *rng, struct pair *p)
{
    for (unsigned x = 0; x < p->domains; x++) {
        const uint32_t with[] = { x, 1 + test_rand_below(rng, 5), test_rand_below(rng, 4) };
        if (test_rand_below(rng, 2))
            pair_both(p, set_clock, with);
    }
}

void pair_random_program(struct test_rng *rng, struct pair *p)
{
    struct pc_reg_info reg;

    for (size_t i = 0; pc_reg_enum(p->chip, i, &reg) == PC_OK; i++) {
        uint32_t value = (uint32_t)test_rand(rng);
        if (strstr(reg.name, "SRC"))
            value &= 0x07070707;
        else if (strstr(reg.name, "OP"))
            value &= 0xffff;
        else if (strcmp(reg.name, "CTRL") == 0)
            value = test_rand_below(rng, 4);
        else if (test_rand_below(rng, 8))
            continue;
        pair_write(p, reg.address, value);
    }
}

void pair_random_access(struct test_rng *rng, struct pair *p)
{
    struct pc_reg_info reg;

    if (pc_reg_enum(p->chip, test_rand_below(rng, 200), &reg) != PC_OK)
        return;
    if (test_rand_below(rng, 2)) {
        pair_write(p, reg.address, (uint32_t)test_rand(rng));
        return;
    }
    uint32_t read = pc_gpu_read32(p->fast, reg.address);
    assert_int_equal(read, pc_gpu_read32(p->slow, reg.address));
}

void pair_run(struct test_rng *rng, struct pair *p, uint32_t most)
{
    unsigned domain = test_rand_below(rng, p->domains);
    uint32_t cycles = test_rand_below(rng, most);
    struct pc_error err;

    test_ok(pc_gpu_run(p->fast, domain, cycles, &err), &err);
    for (uint32_t i = 0; i < cycles; i++)
        test_ok(pc_gpu_run(p->slow, domain, 1, &err), &err);
}

static void compare_packets(const struct pc_gpu *a, const struct pc_gpu *b)
{
    assert_memory_equal(&a->pma, &b->pma, sizeof a->pma);
    assert_int_equal(a->memory.full, b->memory.full);
    assert_int_equal(a->memory.used, b->memory.used);
    if (a->memory.used > 0)
        assert_memory_equal(a->memory.pool, b->memory.pool,
                            a->memory.used * sizeof *a->memory.pool);
}

void pair_compare(const struct pair *p, uint64_t seed, unsigned trial)
{
    for (unsigned i = 0; i < p->fast->units; i++)
        if (memcmp(&p->fast->unit[i]->state, &p->slow->unit[i]->state,
                   sizeof p->fast->unit[i]->state) != 0)
            fail_msg("PC_SEED=%llu trial %u: unit %u of %s differs", (unsigned long long)seed,
                     trial, i, p->chip->name);
    compare_packets(p->fast, p->slow);
    assert_int_equal(p->fast->plays, p->slow->plays);
    assert_int_equal(p->fast->idle_cycles, p->slow->idle_cycles);
    for (unsigned x = 0; x < p->domains; x++) {
        assert_int_equal(p->fast->domain[x].next_edge, p->slow->domain[x].next_edge);
        assert_memory_equal(p->fast->domain[x].level, p->slow->domain[x].level,
                            sizeof p->fast->domain[x].level);
    }
}

/* --- time from outside --- */

static uint64_t rarely(struct test_rng *rng, unsigned rare)
{
    uint64_t word = UINT64_MAX;

    while (rare-- > 0)
        word &= test_rand(rng);
    return word;
}

void outside_random(struct test_rng *rng, const struct pair *p, unsigned rare, struct outside *o)
{
    memset(o, 0, sizeof *o);
    o->instants = test_rand_below(rng, test_rand_below(rng, 3) ? EDGE_WORDS * 64 : 600);
    for (unsigned w = 0; w < EDGE_WORDS; w++) {
        o->clock[0][w] = test_rand(rng);
        o->clock[1][w] = o->clock[0][w]; /* the same in another place */
        o->clock[2][w] = test_rand(rng) | test_rand(rng);
    }
    for (unsigned x = 0; x < p->domains; x++) {
        unsigned clock = test_rand_below(rng, 5);
        o->domain[x].plane = o->plane[x];
        o->domain[x].edge = clock < 3 ? o->clock[clock] : NULL;
        o->domain[x].still = test_rand_below(rng, 3) == 0;
        for (unsigned i = 0; i < SIGNALS; i++) {
            for (unsigned w = 0; w < EDGE_WORDS; w++)
                o->planes[x][i][w] = rarely(rng, rare);
            o->plane[x][i] = test_rand_below(rng, 3) ? o->planes[x][i] : NULL;
        }
    }
}

static void edge_by_edge(const struct pair *p, const struct outside *o)
{
    static uint64_t raw[PC_GPU_DOMAINS][PC_SIG_WORDS], mask[PC_GPU_DOMAINS][PC_SIG_WORDS];
    uint64_t cycle[PC_GPU_DOMAINS] = { 0 };

    for (uint64_t t = 0; t < o->instants; t++) {
        uint64_t edges = 0;
        for (unsigned x = 0; x < p->domains; x++) {
            const uint64_t *edge = o->domain[x].edge;
            if (o->domain[x].still || (edge && !(edge[t / 64] >> (t % 64) & 1)))
                continue;
            raw[x][0] = mask[x][0] = 0;
            for (unsigned i = 0; i < SIGNALS; i++)
                if (o->plane[x][i]) {
                    mask[x][0] |= UINT64_C(1) << i;
                    raw[x][0] |= (o->plane[x][i][cycle[x] / 64] >> (cycle[x] % 64) & 1) << i;
                }
            cycle[x]++;
            edges |= UINT64_C(1) << x;
        }
        if (edges)
            pc_gpu_edge(p->slow, edges, (const uint64_t(*)[PC_SIG_WORDS])raw,
                        (const uint64_t(*)[PC_SIG_WORDS])mask);
    }
}

void outside_run(struct pair *p, const struct outside *o)
{
    pc_gpu_edges(p->fast, o->instants, o->domain);
    edge_by_edge(p, o);
}
