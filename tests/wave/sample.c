/* SPDX-License-Identifier: MIT */
/*
 * Binding and sampling: what a clock edge sees.  Small cases by hand, then random traces
 * against a model of three lines, in blocks and in steps.
 */
#include "texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "$timescale 1ns $end $var wire 1 c clk $end $var wire 1 d d $end "                             \
    "$var wire 1 e en $end $enddefinitions $end\n"

/* The samples of d as a text, with x for unknown. */
static const char *samples(const char *text, const struct pc_wave_clock *how, bool gated)
{
    static char out[4096];
    struct pc_wave *wave = text_open(text);
    struct pc_wave_clock clock = *how;
    struct pc_wave_bit d = { text_find(wave, "d"), 0 };
    struct pc_wave_block b;
    struct pc_error err;
    enum pc_status status;
    unsigned stream;
    size_t n = 0;

    clock.clock.var = text_find(wave, "clk");
    clock.has_iff = gated;
    clock.iff.var = text_find(wave, "en");
    test_ok(pc_wave_bind(wave, &clock, &d, 1, &stream, &err), &err);
    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK)
        for (uint32_t t = 0; t < b.cycles && n < sizeof out - 1; t++)
            out[n++] = b.unknown[0][t / 64] >> t % 64 & 1 ? 'x'
                       : b.value[0][t / 64] >> t % 64 & 1 ? '1'
                                                          : '0';
    assert_int_equal(status, PC_END);
    pc_wave_close(wave);
    out[n] = '\0';
    return out;
}

/* Icarus writes the clock first in a stamp, Verilator last: flip-flops see the same. */
static void order_in_the_stamp(void **state)
{
    static const char clock_first[] =
        HEAD "#0 0c 0d #5 1c 1d #10 0c #15 1c 0d #20 0c #25 1c #30 0c #35 1c xd #40 0c #45 1c";
    static const char clock_last[] =
        HEAD "#0 0d 0c #5 1d 1c #10 0c #15 0d 1c #20 0c #25 1c #30 0c #35 xd 1c #40 0c #45 1c";
    struct pc_wave_clock pre = { .edge = PC_EDGE_POS }, post = pre, neg = { .edge = PC_EDGE_NEG };

    (void)state;
    post.post_edge = true;
    assert_string_equal(samples(clock_first, &pre, false), "0100x");
    assert_string_equal(samples(clock_last, &pre, false), "0100x");
    assert_string_equal(samples(clock_first, &post, false), "100xx");
    assert_string_equal(samples(clock_last, &post, false), "100xx");
    assert_string_equal(samples(clock_first, &neg, false), "100x");
}

static void unknown_clock(void **state)
{
    struct pc_wave_clock pos = { .edge = PC_EDGE_POS }, neg = { .edge = PC_EDGE_NEG };
    static const char text[] = HEAD "#0 1c 0d #1 xc #2 1c #3 0c 1d #4 zc #5 1c #6 xc #7 0c #8 1c";

    (void)state;
    /* neither x to 1 at the start, nor 0, z, 1, count; only 0 to 1 at 8 does */
    assert_string_equal(samples(text, &pos, false), "1");
    assert_string_equal(samples(text, &neg, false), "0");
}

/* Each 0 to 1 among a stamp's clock records is an edge; all of them see the same values. */
static void glitches(void **state)
{
    struct pc_wave_clock pos = { .edge = PC_EDGE_POS };

    (void)state;
    assert_string_equal(samples(HEAD "#0 0c 1d #1 1c 0d 0c 1c #2 0c 1c 0c #3 0c 0c", &pos, false),
                        "110");
    /* a stamp that is given twice is one */
    assert_string_equal(samples(HEAD "#0 0c 1d #1 1c 0d #1 0c #1 1c #2", &pos, false), "11");
}

static void condition(void **state)
{
    static const char text[] = HEAD "#0 0c 1d xe #1 1c #2 0c 0e #3 1c 1e 0d #4 0c #5 1c 1d #6 0c "
                                    "#7 1c 0e #8 0c #9 1c ze #10 0c #11 1c";
    struct pc_wave_clock high = { .edge = PC_EDGE_POS }, low = high, post = high;

    (void)state;
    low.iff_low = true;
    post.post_edge = true;
    assert_string_equal(samples(text, &high, false), "110111");
    assert_string_equal(samples(text, &high, true), "01"); /* at 5 and 7 */
    assert_string_equal(samples(text, &low, true), "11");  /* at 3 and 9 */
    assert_string_equal(samples(text, &post, true), "01"); /* at 3 and 5 */
}

static void every_stamp(void **state)
{
    struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };

    (void)state;
    assert_string_equal(samples(HEAD "0d #5 1d #6 #8 0d xd #9 0c #9 1d", &every, false), "11x1");
    assert_string_equal(samples(HEAD "#1 0d 1e #2 0e #3 1d #4 1e", &every, true), "01");
    assert_string_equal(samples(HEAD "0d 1c", &every, false), "");
}

/* A clock that is a bit of a vector, and a signal that is the clock itself. */
static void bits_of_a_vector(void **state)
{
    struct pc_wave *wave =
        text_open("$timescale 1ns $end $var wire 70 v bus [69:0] $end $enddefinitions $end "
                  "#0 b0 v #1 b101 v #2 b1010 v #3 b1111 v");
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = { 0, 2 } };
    struct pc_wave_bit bits[] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 69 } };
    struct pc_wave_block b;
    struct pc_error err;
    unsigned stream = 9;

    (void)state;
    test_ok(pc_wave_bind(wave, &clock, bits, 5, &stream, &err), &err);
    assert_int_equal(stream, 0);
    test_ok(pc_wave_next(wave, &b, &err), &err);
    assert_int_equal(b.cycles, 2); /* at 1 and 3 */
    assert_int_equal(b.first_time, 1);
    assert_int_equal(b.last_time, 3);
    assert_int_equal(b.value[0][0], 0);
    assert_int_equal(b.value[1][0], 2);
    assert_int_equal(b.value[2][0], 0);
    assert_int_equal(b.value[3][0], 2);
    assert_int_equal(b.value[4][0], 0);
    assert_int_equal((uintptr_t)b.value[4] % 64, 0);
    assert_int_equal(pc_wave_next(wave, &b, &err), PC_END);
    assert_int_equal(pc_wave_next(wave, &b, &err), PC_END);
    pc_wave_close(wave);
}

static void wrong_calls(void **state)
{
    struct pc_wave *wave = text_open("$timescale 1ns $end $var wire 2 v v $end "
                                     "$var real 64 r r $end $enddefinitions $end #0 b0 v");
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = { 0, 1 } }, bad = clock;
    struct pc_wave_bit bit = { 0, 2 };
    struct pc_wave_block b;
    struct pc_wave_instant at;
    struct pc_wave_totals totals;
    struct pc_error err;
    unsigned stream;

    (void)state;
    assert_int_equal(pc_wave_next(wave, &b, &err), PC_EARG); /* nothing bound */
    assert_int_equal(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), PC_EARG);
    bit.var = 1;
    assert_int_equal(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), PC_EINPUT);
    assert_int_equal(err.code, 531);
    bit.var = 2;
    assert_int_equal(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), PC_EARG);
    bad.clock.bit = 2;
    assert_int_equal(pc_wave_bind(wave, &bad, NULL, 0, &stream, &err), PC_EARG);
    bad = clock;
    bad.edge = (enum pc_edge)(PC_EDGE_PERIOD + 1);
    assert_int_equal(pc_wave_bind(wave, &bad, NULL, 0, &stream, &err), PC_EARG);
    bad = (struct pc_wave_clock){ .edge = PC_EDGE_PERIOD };
    assert_int_equal(pc_wave_bind(wave, &bad, NULL, 0, &stream, &err), PC_EARG);
    bad.period = UINT64_MAX / 2;
    bad.period_per = 2;
    assert_int_equal(pc_wave_bind(wave, &bad, NULL, 0, &stream, &err), PC_EARG);
    bad = clock;
    bad.has_iff = true;
    bad.iff.var = 5;
    assert_int_equal(pc_wave_bind(wave, &bad, NULL, 0, &stream, &err), PC_EARG);
    assert_int_equal(pc_wave_bind(wave, &clock, NULL, 1, &stream, &err), PC_EARG);
    for (unsigned i = 0; i < 32; i++) {
        test_ok(pc_wave_bind(wave, &clock, NULL, 0, &stream, &err), &err);
        assert_int_equal(stream, i);
    }
    assert_int_equal(pc_wave_bind(wave, &clock, NULL, 0, &stream, &err), PC_ELIMIT);
    assert_int_equal(pc_wave_next(wave, &b, &err), PC_END);
    assert_int_equal(pc_wave_step(wave, &at, &err), PC_EARG);
    assert_int_equal(pc_wave_scan(wave, &totals, NULL, &err), PC_EARG);
    assert_int_equal(pc_wave_bind(wave, &clock, NULL, 0, &stream, &err), PC_EARG);
    pc_wave_close(wave);
}

/* An error in the middle of the file comes back however often one asks. */
static void errors_stay(void **state)
{
    struct pc_wave *wave = text_open(HEAD "#0 0c #1 1c #2 0c\n=");
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_block b;
    struct pc_error err;
    unsigned stream;

    (void)state;
    test_ok(pc_wave_bind(wave, &clock, NULL, 0, &stream, &err), &err);
    for (int i = 0; i < 3; i++) {
        memset(&err, 0, sizeof err);
        assert_int_equal(pc_wave_next(wave, &b, &err), PC_EINPUT);
        assert_int_equal(err.code, 608);
        assert_int_equal(err.line, 3);
    }
    pc_wave_close(wave);
}

/* ------------------------------------------------------------------ */

#define WIRES     9 /* 0 to 2: clocks, 3: condition, the rest data */
#define STREAMS   7
#define EDGES_MAX 70000

/* A random trace and, edge by edge, what a simulator's flip-flops would have seen. */
struct model {
    char *text;
    size_t used, capacity;
    char now[WIRES], before[WIRES];
    struct {
        uint64_t time;
        char seen[WIRES];
    } * edge[STREAMS];
    size_t edges[STREAMS];
    uint64_t periods[STREAMS]; /* edges of a period, gated ones, too */
};

static const struct pc_wave_clock model_clocks[STREAMS] = {
    { .edge = PC_EDGE_POS, .clock = { 0, 0 } },
    { .edge = PC_EDGE_NEG, .clock = { 1, 0 }, .has_iff = true, .iff = { 3, 0 } },
    { .edge = PC_EDGE_POS,
      .clock = { 2, 0 },
      .has_iff = true,
      .iff = { 3, 0 },
      .iff_low = true,
      .post_edge = true },
    { .edge = PC_EDGE_EVERY },
    { .edge = PC_EDGE_PERIOD, .period = 700 },
    { .edge = PC_EDGE_PERIOD, .period = 2500, .period_per = 3, .has_iff = true, .iff = { 3, 0 } },
    { .edge = PC_EDGE_PERIOD, .period = 7500, .period_per = 9 },
};

static void write_text(struct model *m, const char *text)
{
    size_t n = strlen(text);

    assert_true(m->used + n < m->capacity);
    memcpy(m->text + m->used, text, n + 1);
    m->used += n;
}

static void model_edge(struct model *m, unsigned s, uint64_t time, const char *seen)
{
    const struct pc_wave_clock *c = &model_clocks[s];

    if ((c->has_iff && seen[c->iff.var] != (c->iff_low ? '0' : '1')) || m->edges[s] == EDGES_MAX)
        return;
    m->edge[s][m->edges[s]].time = time;
    memcpy(m->edge[s][m->edges[s]++].seen, seen, WIRES);
}

/* Edges of periods before a stamp; the first one is at 0. */
static void model_periods(struct model *m, uint64_t time)
{
    for (unsigned s = 0; s < STREAMS; s++) {
        const struct pc_wave_clock *c = &model_clocks[s];
        const uint64_t per = c->period_per ? c->period_per : 1;
        for (; c->edge == PC_EDGE_PERIOD && m->periods[s] * c->period < time * per; m->periods[s]++)
            model_edge(m, s, m->periods[s] * c->period / per, m->now);
    }
}

/* The edges of one stamp, from the sequence of records of each stream's clock. */
static void model_stamp(struct model *m, uint64_t time, const unsigned *hits)
{
    for (unsigned s = 0; s < STREAMS; s++) {
        const struct pc_wave_clock *c = &model_clocks[s];
        const char *seen = c->post_edge || c->edge == PC_EDGE_EVERY ? m->now : m->before;
        for (unsigned i = 0; i < hits[s]; i++)
            model_edge(m, s, time, seen);
    }
}

static void model_run(struct model *m, struct test_rng *rng, unsigned stamps)
{
    static const char digits[] = "0101010101xz";
    char record[32];
    uint64_t time = 0;

    for (unsigned n = 0; n < stamps; n++) {
        unsigned hits[STREAMS] = { 0, 0, 0, 1 };
        unsigned records = test_rand_below(rng, 5);
        snprintf(record, sizeof record, "#%" PRIu64 "\n", time);
        write_text(m, record);
        model_periods(m, time);
        for (unsigned i = 0; i < records; i++) {
            unsigned wire =
                test_rand_below(rng, 3) ? test_rand_below(rng, 3) : test_rand_below(rng, WIRES);
            char to = digits[test_rand_below(rng, wire < 3 ? 10 : 12)], from = m->now[wire];
            hits[0] += wire == 0 && from == '0' && to == '1';
            hits[1] += wire == 1 && from == '1' && to == '0';
            hits[2] += wire == 2 && from == '0' && to == '1';
            m->now[wire] = to;
            snprintf(record, sizeof record, "%c%c\n", to, 'A' + (int)wire);
            write_text(m, record);
        }
        model_stamp(m, time, hits);
        memcpy(m->before, m->now, WIRES);
        time += 1 + test_rand_below(rng, 1000);
    }
}

static void model_create(struct model *m, uint64_t seed, unsigned stamps)
{
    struct test_rng rng = test_rng_start(seed, NULL);
    char line[64];

    memset(m, 0, sizeof *m);
    m->capacity = (size_t)stamps * 64 + 4096;
    m->text = malloc(m->capacity);
    assert_non_null(m->text);
    for (unsigned s = 0; s < STREAMS; s++) {
        m->edge[s] = calloc(EDGES_MAX, sizeof *m->edge[s]);
        assert_non_null(m->edge[s]);
    }
    memset(m->now, 'x', WIRES);
    memset(m->before, 'x', WIRES);
    write_text(m, "$timescale 1ns $end\n");
    for (int w = 0; w < WIRES; w++) {
        snprintf(line, sizeof line, "$var wire 1 %c w%d $end\n", 'A' + w, w);
        write_text(m, line);
    }
    write_text(m, "$enddefinitions $end\n");
    model_run(m, &rng, stamps);
}

static void model_free(struct model *m)
{
    for (unsigned s = 0; s < STREAMS; s++)
        free(m->edge[s]);
    free(m->text);
}

static struct pc_wave *model_open(const struct model *m)
{
    struct pc_wave_bit bits[WIRES];
    struct pc_wave *wave = text_open(m->text);
    struct pc_error err;

    for (size_t w = 0; w < WIRES; w++)
        bits[w] = (struct pc_wave_bit){ w, 0 };
    for (unsigned s = 0; s < STREAMS; s++) {
        unsigned stream;
        struct pc_wave_clock clock = model_clocks[s];
        clock.times = true;
        test_ok(pc_wave_bind(wave, &clock, bits, WIRES, &stream, &err), &err);
        assert_int_equal(stream, s);
    }
    return wave;
}

static char char_of(bool value, bool unknown)
{
    assert_false(value && unknown);
    return unknown ? 'x' : value ? '1' : '0';
}

static void check_sample(const struct model *m, unsigned s, size_t i, unsigned wire, char got)
{
    char want = m->edge[s][i].seen[wire];

    if (got != (want == 'z' ? 'x' : want))
        fail_msg("stream %u, cycle %zu, wire %u: %c, expected %c", s, i, wire, got, want);
}

static void check_block(const struct model *m, const struct pc_wave_block *b)
{
    const size_t first = (size_t)b->first_cycle;

    assert_true(b->cycles > 0 && b->cycles <= PC_BLOCK_WORDS * 64);
    assert_true(first + b->cycles <= m->edges[b->stream]);
    assert_int_equal(b->first_time, m->edge[b->stream][first].time);
    assert_int_equal(b->last_time, m->edge[b->stream][first + b->cycles - 1].time);
    for (uint32_t t = 0; t < b->cycles; t++)
        assert_int_equal(b->time[t], m->edge[b->stream][first + t].time);
    for (unsigned w = 0; w < WIRES; w++) {
        for (uint32_t t = 0; t < b->cycles; t++)
            check_sample(
                m, b->stream, first + t, w,
                char_of(b->value[w][t / 64] >> t % 64 & 1, b->unknown[w][t / 64] >> t % 64 & 1));
        if (b->cycles % 64) {
            assert_int_equal(b->value[w][b->cycles / 64] >> b->cycles % 64, 0);
            assert_int_equal(b->unknown[w][b->cycles / 64] >> b->cycles % 64, 0);
        }
    }
}

static void blocks_equal_model(void **state)
{
    struct model m;
    struct pc_wave_block b;
    struct pc_error err;
    enum pc_status status;

    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        size_t cycles[STREAMS] = { 0 };
        model_create(&m, seed, seed < 6 ? 300 : 60000);
        struct pc_wave *wave = model_open(&m);
        while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
            assert_int_equal(b.first_cycle, cycles[b.stream]);
            cycles[b.stream] += b.cycles;
            check_block(&m, &b);
        }
        assert_int_equal(status, PC_END);
        for (unsigned s = 0; s < STREAMS; s++)
            assert_int_equal(cycles[s], m.edges[s]);
        pc_wave_close(wave);
        model_free(&m);
    }
}

static void steps_equal_model(void **state)
{
    struct model m;
    struct pc_wave_instant at;
    struct pc_error err;
    enum pc_status status;

    (void)state;
    for (uint64_t seed = 11; seed <= 16; seed++) {
        size_t cycle[STREAMS] = { 0 };
        uint64_t last = 0;
        model_create(&m, seed, seed < 16 ? 300 : 20000);
        struct pc_wave *wave = model_open(&m);
        while ((status = pc_wave_step(wave, &at, &err)) == PC_OK) {
            assert_true(at.time >= last && at.streams != 0);
            last = at.time;
            for (unsigned s = 0; s < STREAMS; s++) {
                if (!(at.streams >> s & 1))
                    continue;
                assert_true(cycle[s] < m.edges[s]);
                assert_int_equal(at.time, m.edge[s][cycle[s]].time);
                for (unsigned w = 0; w < WIRES; w++)
                    check_sample(&m, s, cycle[s], w,
                                 char_of(at.value[s][0] >> w & 1, at.unknown[s][0] >> w & 1));
                cycle[s]++;
            }
        }
        assert_int_equal(status, PC_END);
        for (unsigned s = 0; s < STREAMS; s++)
            assert_int_equal(cycle[s], m.edges[s]);
        pc_wave_close(wave);
        model_free(&m);
    }
}

/* More edges in one stamp than a block holds. */
static void storm(void **state)
{
    static char text[600000];
    size_t used = (size_t)snprintf(text, sizeof text, HEAD "#0 0c 1d\n#1 xd\n");
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit d = { 1, 0 };
    struct pc_wave_block b;
    struct pc_error err;
    unsigned stream;
    uint64_t cycles = 0;

    (void)state;
    for (int i = 0; i < 50000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "1c 0c ");
    snprintf(text + used, sizeof text - used, "\n#2 1c");
    struct pc_wave *wave = text_open(text);
    test_ok(pc_wave_bind(wave, &clock, &d, 1, &stream, &err), &err);
    while (pc_wave_next(wave, &b, &err) == PC_OK) {
        cycles += b.cycles;
        if (cycles == 50001) {
            /* the last edge is at 2, and sees what came at 1 */
            assert_int_equal(b.cycles, 50001 % 16384);
            assert_int_equal(b.unknown[0][(b.cycles - 1) / 64], (uint64_t)1 << (b.cycles - 1) % 64);
        } else {
            assert_int_equal(b.value[0][255], UINT64_MAX);
        }
    }
    assert_int_equal(cycles, 50001);
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_in_the_stamp),
        cmocka_unit_test(unknown_clock),
        cmocka_unit_test(glitches),
        cmocka_unit_test(condition),
        cmocka_unit_test(every_stamp),
        cmocka_unit_test(bits_of_a_vector),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(errors_stay),
        cmocka_unit_test(blocks_equal_model),
        cmocka_unit_test(steps_equal_model),
        cmocka_unit_test(storm),
    };

    return cmocka_run_group_tests_name("wave/sample", tests, NULL, NULL);
}
