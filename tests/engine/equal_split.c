/* SPDX-License-Identifier: MIT */
/*
 * A run in pieces is the run: run(a + b) = run(a), run(b), for pieces of any length, also such
 * as begin and end around the borders of words and blocks, and for cuts anywhere, with writes in
 * between.  Each piece has planes of its own.  PC_TEST_LONG: fifty times as many.
 */
#include "equal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12000 };

static struct equal_part part;
static struct equal_pool pool;

/* A piece of a run. */
struct piece {
    uint64_t planes[PC_MAX_DOMAINS][EQUAL_PLANES][EQUAL_WORDS], edges[PC_MAX_DOMAINS][EQUAL_WORDS];
    const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    uint64_t at[PC_MAX_DOMAINS]; /* cycles of the domain before the piece */
    struct pc_run_write write[EQUAL_WRITES];
};

static void shift(uint64_t *out, const uint64_t *in, uint64_t from, uint64_t bits)
{
    const uint64_t *word = in + from / 64;
    unsigned by = (unsigned)(from % 64);

    for (uint64_t w = 0; w * 64 < bits; w++)
        out[w] = by ? word[w] >> by | word[w + 1] << (64 - by) : word[w];
}

static uint64_t count(const uint64_t *plane, uint64_t bits)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < bits; i++)
        n += plane[i / 64] >> (i % 64) & 1;
    return n;
}

/* Domains with the same clock must have one plane of edges. */
static unsigned clock_of(const struct equal_trial *t, unsigned x)
{
    unsigned y = 0;

    while (t->domain[y].edge != t->domain[x].edge)
        y++;
    return y;
}

/* Those before a cycle of the piece; those after the run are the last piece's. */
static size_t writes_of(struct piece *p, const struct equal_trial *t, uint64_t from,
                        uint64_t cycles)
{
    bool last = from + cycles == t->run.cycles;
    size_t n = 0;

    for (size_t i = 0; i < t->run.writes; i++) {
        struct pc_run_write w = t->write[i];
        if (w.cycle < from || (w.cycle >= from + cycles && !last))
            continue;
        w.cycle -= from;
        p->write[n++] = w;
    }
    return n;
}

static void run_piece(struct piece *p, const struct equal_trial *t, struct pc_unit *unit,
                      struct pc_engine *engine, uint64_t from, uint64_t cycles)
{
    const struct pc_run run = { .cycles = cycles,
                                .domain = p->domain,
                                .write = p->write,
                                .writes = writes_of(p, t, from, cycles) };

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        const struct pc_run_domain *d = &t->domain[x];
        p->domain[x] = *d;
        p->domain[x].plane = p->plane[x];
        for (unsigned s = 0; s < EQUAL_PLANES; s++) {
            p->plane[x][s] = d->plane[s] ? p->planes[x][s] : NULL;
            if (d->plane[s] && !d->still)
                shift(p->planes[x][s], d->plane[s], p->at[x], cycles);
        }
        uint64_t had = cycles;
        if (d->edge) {
            p->domain[x].edge = p->edges[clock_of(t, x)];
            shift(p->edges[x], d->edge, from, cycles);
            had = count(p->edges[x], cycles);
        }
        p->at[x] += had;
    }
    pc_unit_run(unit, engine, &run);
}

/* Pieces of one length, or (0) of any: mostly of a few cycles, now and then of many. */
static void in_pieces(struct piece *p, struct equal_trial *t, struct test_rng *rng,
                      struct pc_engine *engine, uint64_t length)
{
    memset(p->at, 0, sizeof p->at);
    for (uint64_t from = 0, n; from < t->run.cycles; from += n) {
        uint64_t left = t->run.cycles - from;
        n = length                    ? length
            : test_rand_below(rng, 3) ? 1 + test_rand_below(rng, 200)
                                      : 1 + test_rand_below(rng, 5000);
        n = left < n ? left : n;
        run_piece(p, t, t->wide, engine, from, n);
    }
}

static void one_split(struct test_rng *rng, struct pc_engine *engine, uint64_t seed,
                      unsigned number, uint64_t length)
{
    static struct piece piece;
    struct equal_trial t;

    equal_begin(rng, &pool, &t);
    t.run.cycles = length > 0 && length < 128 ? 1000 : MOST - test_rand_below(rng, 100);
    equal_step(t.step, &t.run);
    in_pieces(&piece, &t, rng, engine, length);
    equal_compare(&t, seed, number);
    equal_end(&t);
}

static void pieces_equal_whole(void **state)
{
    static const uint64_t borders[] = { 63,  64,  65,   127,  128,  255,  256,  257, 319,
                                        320, 511, 4095, 4096, 4097, 8191, 8256, MOST };
    uint64_t seed;
    struct test_rng rng = test_rng_start(77, &seed);
    struct pc_engine *engine = equal_engine(NULL);
    unsigned number = 0;

    (void)state;
    test_rng_stream(&rng, part.part);
    equal_fill(&rng, &pool);
    for (unsigned rounds = test_long() ? 50 : 1; rounds > 0; rounds--) {
        for (unsigned i = 0; i < 65 + sizeof borders / sizeof borders[0]; i++) {
            uint64_t length = i < 65 ? i + 1 : borders[i - 65];
            for (unsigned again = 0; again < (length < 128 ? 1 : 6); again++)
                one_split(&rng, engine, seed, number++, length);
        }
        for (unsigned i = 0; i < 100; i++)
            one_split(&rng, engine, seed, number++, 0);
    }
    pc_engine_destroy(engine);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pieces_equal_whole) };

    part = equal_part(argc, argv);
    return cmocka_run_group_tests_name("engine_split", tests, NULL, NULL);
}
