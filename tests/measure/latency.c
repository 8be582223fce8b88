/* SPDX-License-Identifier: MIT */
/*
 * Latencies against a list that is searched from its begin: the definitions of
 * ../shared/spec/bus.md, section 3, word by word.
 */
#include "heap.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 6, WORDS = 20, CYCLES = BLOCKS * WORDS * 64, ID_BITS = 3 };

/* What is open, oldest first. */
struct model {
    struct {
        uint64_t cycle, id;
    } open[CYCLES];
    size_t n;
    uint64_t took[CYCLES], took_id[CYCLES], before[CYCLES];
    size_t ends, cycles;
    struct pc_latency_figures f;
};

static void model_cycle(struct model *m, uint64_t cycle, const bool now[2], const uint64_t id[2],
                        const bool known[2])
{
    m->f.cycles++;
    m->before[m->cycles++] = m->n;
    if (now[0] && known[0]) {
        m->f.started++;
        m->open[m->n].cycle = cycle;
        m->open[m->n++].id = id[0];
    }
    m->f.unknown_id += now[0] && !known[0];
    m->f.unknown_id += now[1] && !known[1];
    if (now[1] && known[1]) {
        size_t i = 0;
        while (i < m->n && m->open[i].id != id[1])
            i++;
        if (i == m->n) {
            m->f.orphans++;
        } else {
            m->f.completed++;
            m->took_id[m->ends] = id[1];
            m->took[m->ends++] = cycle - m->open[i].cycle;
            m->n--;
            memmove(&m->open[i], &m->open[i + 1], (m->n - i) * sizeof m->open[0]);
        }
    }
    if (m->n > m->f.most_outstanding)
        m->f.most_outstanding = m->n;
}

/* The distribution has each of these values as often. */
static void expect_dist(struct pc_dist *dist, const uint64_t *value, size_t n)
{
    struct pc_dist_figures f;
    struct pc_wide at;
    uint64_t times, sum = 0, found = 0;

    test_ok(pc_dist_get_figures(dist, &f, NULL), NULL);
    assert_int_equal(f.count, n);
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    assert_int_equal(f.sum.low, sum);
    for (size_t i = 0; pc_dist_value(dist, i, &at, &times); i++) {
        uint64_t is = 0;
        for (size_t k = 0; k < n; k++)
            is += value[k] == at.low;
        assert_int_equal(is, times);
        found += times;
    }
    assert_int_equal(found, n);
}

struct planes {
    uint64_t now[2][WORDS], id[2][ID_BITS][WORDS], id_unknown[2][ID_BITS][WORDS];
    const uint64_t *ids[2][ID_BITS], *unknowns[2][ID_BITS];
};

static void fill(struct planes *p, struct test_rng *rng, const unsigned often[2])
{
    memset(p, 0, sizeof *p);
    for (unsigned c = 0; c < 64 * WORDS; c++)
        for (unsigned k = 0; k < 2; k++)
            p->now[k][c / 64] |= (uint64_t)(test_rand_below(rng, often[k]) == 0) << c % 64;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned b = 0; b < ID_BITS; b++) {
            for (unsigned w = 0; w < WORDS; w++) {
                p->id[k][b][w] = test_rand(rng);
                p->id_unknown[k][b][w] =
                    test_rand(rng) & test_rand(rng) & test_rand(rng) & test_rand(rng);
            }
            p->ids[k][b] = p->id[k][b];
            p->unknowns[k][b] = p->id_unknown[k][b];
        }
}

static void go_through(struct model *m, const struct planes *p, unsigned bits, uint64_t from,
                       uint64_t cycles)
{
    for (uint64_t c = 0; c < cycles; c++) {
        bool now[2], known[2] = { true, true };
        uint64_t id[2] = { 0, 0 };
        for (unsigned k = 0; k < 2; k++)
            now[k] = p->now[k][c / 64] >> c % 64 & 1;
        for (unsigned k = 0; k < 2; k++)
            for (unsigned b = 0; b < bits; b++) {
                id[k] |= (p->id[k][b][c / 64] >> c % 64 & 1) << b;
                known[k] = known[k] && !(p->id_unknown[k][b][c / 64] >> c % 64 & 1);
            }
        model_cycle(m, from + c, now, id, known);
    }
}

static void expect_figures(struct pc_latency *l, const struct model *m, unsigned bits)
{
    struct pc_latency_figures f;
    uint64_t id, some[CYCLES], all = 0;
    struct pc_dist *dist;

    pc_latency_get_figures(l, &f);
    assert_int_equal(f.cycles, m->f.cycles);
    assert_int_equal(f.started, m->f.started);
    assert_int_equal(f.completed, m->f.completed);
    assert_int_equal(f.unfinished, m->n);
    assert_int_equal(f.orphans, m->f.orphans);
    assert_int_equal(f.unknown_id, m->f.unknown_id);
    assert_int_equal(f.most_outstanding, m->f.most_outstanding);
    assert_int_equal(f.started, f.completed + f.unfinished);
    expect_dist(pc_latency_dist(l), m->took, m->ends);
    expect_dist(pc_latency_outstanding(l), m->before, m->cycles);
    for (size_t i = 0; (dist = pc_latency_of_id(l, i, &id)) != NULL; i++) {
        size_t n = 0;
        for (size_t k = 0; k < m->ends; k++)
            if (m->took_id[k] == id)
                some[n++] = m->took[k];
        expect_dist(dist, some, n);
        all += n;
    }
    assert_int_equal(all, bits > 0 ? m->ends : 0);
}

static void random_traffic(void **state)
{
    static struct model m;
    static struct planes p;
    struct test_rng rng = test_rng_start(73, NULL);

    (void)state;
    for (unsigned k = 0; k < 60; k++) {
        const unsigned bits = k % 3 ? ID_BITS : 0;
        const unsigned often[2] = { 1 + test_rand_below(&rng, 30), 1 + test_rand_below(&rng, 30) };
        struct pc_latency *l;
        uint64_t from = 0;
        test_ok(
            pc_latency_create(
                &(struct pc_latency_desc){ .start_id_bits = bits, .end_id_bits = bits }, &l, NULL),
            NULL);
        memset(&m, 0, sizeof m);
        for (unsigned b = 0; b < BLOCKS; b++) {
            const uint64_t cycles = test_rand_below(&rng, 64 * WORDS + 1);
            fill(&p, &rng, often);
            const struct pc_latency_block block = {
                .cycles = cycles,
                .start = p.now[0],
                .end = p.now[1],
                .start_id = p.ids[0],
                .start_id_unknown = p.unknowns[0],
                .end_id = p.ids[1],
                .end_id_unknown = p.unknowns[1],
            };
            test_ok(pc_latency_add(l, &block, NULL), NULL);
            go_through(&m, &p, bits, from, cycles);
            from += cycles;
        }
        expect_figures(l, &m, bits);
        pc_latency_destroy(l);
    }
}

/* ---- limits ---- */

static struct pc_latency_block one_word(const uint64_t *start, const uint64_t *end)
{
    return (struct pc_latency_block){ .cycles = 64, .start = start, .end = end };
}

static void limits(void **state)
{
    const uint64_t ones = UINT64_MAX, none = 0;
    const struct pc_latency_block b = one_word(&ones, &none);
    struct pc_latency *l;
    struct pc_error err = { 0 };

    (void)state;
    assert_int_equal(pc_latency_create(&(struct pc_latency_desc){ .start_id_bits = 65 }, &l, &err),
                     PC_EINPUT);
    assert_int_equal(err.code, 1801);
    test_ok(pc_latency_create(&(struct pc_latency_desc){ .most_open = 70 }, &l, NULL), NULL);
    test_ok(pc_latency_add(l, &b, NULL), NULL);
    assert_int_equal(pc_latency_add(l, &b, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1802);
    pc_latency_destroy(l);
    pc_latency_destroy(NULL);
}

/* Identifiers that come and go, many of them: those with a distribution are few. */
static void many_ids(void **state)
{
    enum { BITS = 16, IDS = 1 << BITS };
    static uint64_t plane[BITS][IDS / 64], start[IDS / 64], end[IDS / 64];
    const uint64_t *ids[BITS], *known[BITS];
    static const uint64_t none[IDS / 64];
    struct pc_latency *l;
    struct pc_latency_figures f;

    (void)state;
    for (unsigned k = 0; k < BITS; k++) {
        for (uint64_t c = 0; c < IDS; c++)
            plane[k][c / 64] |= (c / 2 >> k & 1) << c % 64;
        ids[k] = plane[k];
        known[k] = none;
    }
    for (unsigned w = 0; w < IDS / 64; w++) {
        start[w] = UINT64_C(0x5555555555555555);
        end[w] = UINT64_C(0xaaaaaaaaaaaaaaaa);
    }
    const struct pc_latency_block b = { .cycles = IDS,
                                        .start = start,
                                        .end = end,
                                        .start_id = ids,
                                        .start_id_unknown = known,
                                        .end_id = ids,
                                        .end_id_unknown = known };
    test_ok(pc_latency_create(&(struct pc_latency_desc){ .start_id_bits = BITS,
                                                         .end_id_bits = BITS,
                                                         .most_ids = 100 },
                              &l, NULL),
            NULL);
    test_ok(pc_latency_add(l, &b, NULL), NULL);
    pc_latency_get_figures(l, &f);
    assert_int_equal(f.completed, IDS / 2);
    assert_int_equal(f.ids, 100);
    assert_false(f.all_ids);
    pc_latency_destroy(l);
}

static enum pc_status all_of_it(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    const uint64_t ones = UINT64_MAX, none = 0, plane[6] = { 2, 3, 5, 7, 11, 13 };
    const uint64_t *ids[6], *known[6];
    struct pc_latency *l = NULL;
    struct pc_latency_block b = one_word(&ones, &plane[5]);
    struct pc_latency_figures latency;
    struct pc_dist_figures f;
    uint64_t id;
    enum pc_status status = pc_latency_create(
        &(struct pc_latency_desc){ .alloc = alloc, .start_id_bits = 6, .end_id_bits = 6 }, &l, err);

    (void)ctx;
    for (unsigned k = 0; k < 6; k++) {
        ids[k] = &plane[k];
        known[k] = &none;
    }
    b.start_id = b.end_id = ids;
    b.start_id_unknown = b.end_id_unknown = known;
    for (unsigned k = 0; k < 4 && status == PC_OK; k++)
        status = pc_latency_add(l, &b, err);
    if (status == PC_OK)
        status = pc_dist_get_figures(pc_latency_dist(l), &f, err);
    if (status == PC_OK)
        status = pc_dist_get_figures(pc_latency_outstanding(l), &f, err);
    if (status == PC_OK)
        pc_latency_get_figures(l, &latency);
    for (size_t i = 0; status == PC_OK && i < latency.ids; i++)
        status = pc_dist_get_figures(pc_latency_of_id(l, i, &id), &f, err);
    pc_latency_destroy(l);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    test_refuse_each(all_of_it, NULL, 8);
}

/* Verifies that ages that got no memory are not those of the call before. */
static void ages_without_memory(void **state)
{
    struct test_heap heap = { 0 };
    const struct pc_alloc alloc = { test_heap_resize, &heap };
    struct pc_latency *l = NULL;

    (void)state;
    test_ok(pc_latency_create(&(struct pc_latency_desc){ .alloc = &alloc }, &l, NULL), NULL);
    assert_non_null(pc_latency_open_ages(l));
    heap.fail_at = heap.calls + 1;
    assert_null(pc_latency_open_ages(l));
    assert_non_null(pc_latency_open_ages(l));
    pc_latency_destroy(l);
    assert_int_equal(heap.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(limits),
        cmocka_unit_test(many_ids),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(ages_without_memory),
    };

    return cmocka_run_group_tests_name("lang/measure/latency", tests, NULL, NULL);
}
