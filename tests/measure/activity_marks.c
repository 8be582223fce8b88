/* SPDX-License-Identifier: MIT */
/*
 * Activity of which marks say what counts, against plain arrays: the level of each bit and whether
 * it counts are kept for each time, and every figure is counted from its definition.
 */
#include "pcounter/unstable/activity.h"
#include "test.h"

#include <string.h>

enum { NETS = 4, TIMES = 120, BITS = 70, WORDS = 2 };
static const uint32_t widths[NETS] = { 1, 5, 5, BITS };
static const uint32_t doubts[NETS] = { 3, 0, 4, 3 }; /* one change of so many has x or z */

struct plain {
    char level[NETS][BITS][TIMES + 2]; /* [t + 1] is at t */
    bool changes[NETS][TIMES + 1], counts[TIMES + 1], edge[TIMES + 1];
    uint64_t value[NETS][TIMES + 1][WORDS], unknown[NETS][TIMES + 1][WORDS];
    uint64_t first, last;
};

static void change(struct test_rng *rng, struct plain *p, size_t n, uint64_t t)
{
    const bool known = doubts[n] == 0 || test_rand_below(rng, doubts[n]) > 0;

    p->changes[n][t] = true;
    for (uint32_t bit = 0; bit < widths[n]; bit++) {
        const uint32_t value = test_rand_below(rng, 2),
                       unknown = !known && test_rand_below(rng, 2) == 0;
        p->value[n][t][bit / 64] |= (uint64_t)value << bit % 64;
        p->unknown[n][t][bit / 64] |= (uint64_t)unknown << bit % 64;
        for (uint64_t later = t; later <= TIMES; later++)
            p->level[n][bit][later + 1] = "01xz"[2 * unknown + value];
    }
}

static void make(struct test_rng *rng, struct plain *p)
{
    const uint32_t still = 1 + test_rand_below(rng, 4), gaps = 1 + test_rand_below(rng, 20);

    memset(p, 0, sizeof *p);
    memset(p->level, 'x', sizeof p->level);
    p->first = test_rand_below(rng, 5);
    p->last = p->first + 1 + test_rand_below(rng, TIMES - 10);
    for (uint64_t t = p->first; t <= p->last; t++) {
        const bool before = t > p->first && p->counts[t - 1];
        p->counts[t] = test_rand_below(rng, gaps) ? before : test_rand_below(rng, 3) > 0;
        p->edge[t] = test_rand_below(rng, 6) == 0;
        for (size_t n = 0; n < NETS; n++)
            if (t == p->first || test_rand_below(rng, still) == 0)
                change(rng, p, n, t);
    }
}

static bool known(char level)
{
    return level == '0' || level == '1';
}

struct want {
    struct pc_activity_figures f;
    uint64_t width[3], widths[3]; /* sums and numbers of periods, high and low */
};

static void add_width(struct want *w, int which, uint64_t begin, uint64_t end)
{
    w->width[which] += begin == UINT64_MAX ? 0 : end - begin;
    w->widths[which] += begin != UINT64_MAX;
}

static void count_levels(const struct plain *p, const char *level, struct want *w)
{
    uint64_t edge = UINT64_MAX, rose = UINT64_MAX;

    for (uint64_t t = p->first; t <= p->last; t++) {
        const char was = level[t], now = level[t + 1];
        if (!p->counts[t]) {
            edge = rose = UINT64_MAX;
            continue;
        }
        if (was != now && known(was) && known(now)) {
            w->f.rises += now == '1';
            w->f.falls += now == '0';
            add_width(w, now == '0' ? 1 : 2, edge, t);
            edge = t;
            if (now == '1') {
                add_width(w, 0, rose, t);
                rose = t;
            }
        } else if (was != now) {
            w->f.known_to_x += known(was);
            w->f.x_to_1 += now == '1' && t != p->first;
            w->f.x_to_0 += now == '0' && t != p->first;
            edge = rose = UINT64_MAX;
        }
        if (t == p->last)
            break;
        w->f.duration++;
        w->f.t0 += now == '0';
        w->f.t1 += now == '1';
        w->f.tx += now == 'x';
        w->f.tz += now == 'z';
    }
}

/* Counts settled and outside, and the cycles themselves. */
static void count_cycles(const struct plain *p, const char *level, struct want *w,
                         struct pc_activity_cycles *cycles)
{
    uint64_t toggles = 0;
    char began = 'x';
    bool whole = false;

    *cycles = (struct pc_activity_cycles){ .time = w->f.duration };
    for (uint64_t t = p->first; t <= p->last; t++) {
        const char was = level[t], now = level[t + 1];
        if (p->edge[t]) {
            w->f.settled += whole && known(was) && known(began) && was != began;
            w->f.outside += whole ? 0 : toggles;
            cycles->whole += whole;
            cycles->begun += p->counts[t];
            whole = true;
            toggles = 0;
            began = was;
        }
        whole = whole && p->counts[t];
        toggles += p->counts[t] && known(was) && known(now) && was != now;
    }
    w->f.outside += toggles;
}

static void add_want(struct want *sum, const struct want *w)
{
    uint64_t *to = (uint64_t *)&sum->f.t0;
    const uint64_t *from = &w->f.t0;

    sum->f.duration = w->f.duration;
    for (size_t i = 0; i < 9; i++) /* from t0 to known_to_x */
        to[i] += from[i];
    sum->f.settled += w->f.settled;
    sum->f.outside += w->f.outside;
}

static void expect(const struct pc_activity_figures *is, const struct want *w)
{
    const struct pc_activity_figures *want = &w->f;

    assert_int_equal(is->duration, want->duration);
    assert_int_equal(is->t0, want->t0);
    assert_int_equal(is->t1, want->t1);
    assert_int_equal(is->tx, want->tx);
    assert_int_equal(is->tz, want->tz);
    assert_int_equal(is->rises, want->rises);
    assert_int_equal(is->falls, want->falls);
    assert_int_equal(is->x_to_1, want->x_to_1);
    assert_int_equal(is->x_to_0, want->x_to_0);
    assert_int_equal(is->known_to_x, want->known_to_x);
    assert_int_equal(is->settled, want->settled);
    assert_int_equal(is->outside, want->outside);
}

static void expect_widths(const struct pc_activity_figures *is, const struct want *w)
{
    struct pc_dist *const dist[] = { is->period, is->high, is->low };

    for (int i = 0; i < 3; i++) {
        struct pc_dist_figures f = { 0 };
        if (w->widths[i] == 0) {
            assert_null(dist[i]);
            continue;
        }
        test_ok(pc_dist_get_figures(dist[i], &f, NULL), NULL);
        assert_int_equal(f.count, w->widths[i]);
        assert_int_equal(f.sum.low, w->width[i]);
    }
}

/* Adds the changes of a net in [from, to), one by one or several at once. */
static void add(struct test_rng *rng, struct pc_activity *a, const struct plain *p, size_t n,
                uint64_t from, uint64_t to)
{
    const size_t words = (widths[n] + 63) / 64;
    uint64_t time[TIMES + 1], value[WORDS * (TIMES + 1)], unknown[WORDS * (TIMES + 1)], any = 0;
    size_t count = 0;

    for (uint64_t t = from; t < to; t++) {
        if (p->changes[n][t]) {
            time[count] = t;
            for (size_t w = 0; w < words; w++) {
                value[count * words + w] = p->value[n][t][w];
                unknown[count * words + w] = p->unknown[n][t][w];
                any |= p->unknown[n][t][w];
            }
            count++;
        }
        if (t + 1 == to || test_rand_below(rng, 4) == 0) {
            pc_activity_add(a, n, count, time, value, any ? unknown : NULL);
            count = any = 0;
        }
    }
}

static void add_sections(struct test_rng *rng, struct pc_activity *a, const struct plain *p)
{
    struct pc_activity_mark mark[TIMES + 1];

    pc_activity_begin(a, p->first);
    for (uint64_t from = p->first, to; from <= p->last; from = to) {
        size_t marks = 0;
        to = from + 1 + test_rand_below(rng, 40);
        to = to > p->last ? p->last + 1 : to;
        for (uint64_t t = from; t < to; t++) {
            const bool before = t > p->first && p->counts[t - 1];
            if (p->edge[t] || p->counts[t] != before || test_rand_below(rng, 10) == 0)
                mark[marks++] = (struct pc_activity_mark){ t, p->counts[t], p->edge[t] };
        }
        test_ok(pc_activity_section(a, mark, marks, NULL), NULL);
        for (size_t n = 0; n < NETS; n++)
            add(rng, a, p, n, from, to);
        pc_activity_section_end(a);
    }
    test_ok(pc_activity_end(a, p->last, NULL), NULL);
}

static void expect_net(const struct pc_activity *a, const struct plain *p, size_t n,
                       const struct pc_activity_desc *desc)
{
    struct pc_activity_cycles cycles = { 0 }, is_cycles;
    struct pc_activity_figures is;
    struct want sum = { .f = { 0 } };
    const bool bits = desc->bits || widths[n] == 1;

    for (uint32_t bit = 0; bit < widths[n]; bit++) {
        struct want w = { .f = { 0 } };
        count_levels(p, p->level[n][bit], &w);
        count_cycles(p, p->level[n][bit], &w, &cycles);
        if (!desc->cycles)
            w.f.settled = w.f.outside = 0;
        add_want(&sum, &w);
        if (!bits)
            continue;
        pc_activity_get(a, n, bit, &is);
        expect(&is, &w);
        expect_widths(&is, &w);
    }
    if (!bits) {
        pc_activity_get(a, n, 0, &is);
        expect(&is, &sum);
    }
    pc_activity_get_cycles(a, &is_cycles);
    assert_int_equal(is_cycles.time, sum.f.duration);
    assert_int_equal(is_cycles.begun, cycles.begun);
    assert_int_equal(is_cycles.whole, cycles.whole);
}

static void marks(void **state)
{
    static struct plain p;
    uint64_t seed;
    struct test_rng rng = test_rng_start(26, &seed);

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        const struct pc_activity_desc desc = { .width = widths,
                                               .nets = NETS,
                                               .bits = round & 1,
                                               .cycles = round & 2,
                                               .marked = true,
                                               .widths = true };
        struct pc_activity *a;
        test_ok(pc_activity_create(&desc, &a, NULL), NULL);
        for (int again = 0; again < 2; again++) {
            make(&rng, &p);
            add_sections(&rng, a, &p);
            for (size_t n = 0; n < NETS; n++)
                expect_net(a, &p, n, &desc);
            pc_activity_clear(a);
        }
        pc_activity_destroy(a);
    }
}

/* Triggers of an event variable, all of them at once: in a window, and between marks. */
static void triggers(void **state)
{
    static const uint64_t time[] = { 0, 10, 10, 15, 20, 30 }, value[6] = { 0 };
    const uint8_t event = true;
    const struct pc_activity_mark mark[] = {
        { 0, false, false }, { 10, true, false }, { 20, false, false }, { 30, true, false }
    };

    (void)state;
    for (int marked = 0; marked < 2; marked++) {
        const struct pc_activity_desc desc = { .width = widths,
                                               .nets = 1,
                                               .event = &event,
                                               .from = marked ? 0 : 10,
                                               .to = marked ? 0 : 30,
                                               .marked = marked };
        struct pc_activity_figures f;
        struct pc_activity *a;
        test_ok(pc_activity_create(&desc, &a, NULL), NULL);
        pc_activity_begin(a, 0);
        if (marked)
            test_ok(pc_activity_section(a, mark, 4, NULL), NULL);
        pc_activity_add(a, 0, 6, time, value, NULL);
        test_ok(pc_activity_end(a, 40, NULL), NULL);
        pc_activity_get(a, 0, 0, &f);
        assert_int_equal(f.triggers, 4); /* 10, 10, 15, and 20 or 30 */
        pc_activity_destroy(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(marks), cmocka_unit_test(triggers) };

    return cmocka_run_group_tests_name("measure/activity_marks", tests, NULL, NULL);
}
