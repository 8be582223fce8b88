/* SPDX-License-Identifier: MIT */
/*
 * Activity against plain arrays: the level of each bit at each time is kept, and every figure is
 * counted from the definitions, time unit by time unit.
 */
#include "heap.h"
#include "pcounter/unstable/activity.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { NETS = 3, TIMES = 300, BITS = 70, WORDS = 2 };
static const uint32_t widths[NETS] = { 1, 5, BITS };

/* Levels '0', '1', 'x', 'z' of a bit at each time unit, and before the first. */
struct plain {
    char level[NETS][BITS][TIMES + 1]; /* [t + 1] is at t */
    bool before[NETS];                 /* it had a value before the first timestamp */
    uint64_t first, last;
};

struct change {
    uint64_t time, value[WORDS], unknown[WORDS];
    size_t net;
    bool any_unknown;
};
struct changes {
    struct change of[4 * TIMES];
    size_t count;
    bool before[NETS];
    struct change at_first[NETS];
};

static struct change random_change(struct test_rng *rng, size_t net, uint64_t time)
{
    struct change c = { .time = time, .net = net };
    const bool known = test_rand_below(rng, 3) > 0;

    for (uint32_t bit = 0; bit < widths[net]; bit++) {
        c.value[bit / 64] |= (uint64_t)test_rand_below(rng, 2) << bit % 64;
        c.unknown[bit / 64] |= (uint64_t)(!known && test_rand_below(rng, 4) == 0) << bit % 64;
    }
    c.any_unknown = c.unknown[0] || c.unknown[1];
    return c;
}

static char level_of(const struct change *c, uint32_t bit)
{
    const unsigned value = c->value[bit / 64] >> bit % 64 & 1,
                   unknown = c->unknown[bit / 64] >> bit % 64 & 1;

    return "01xz"[2 * unknown + value];
}

/* From `time` on */
static void set(struct plain *p, const struct change *c, uint64_t time)
{
    for (uint32_t bit = 0; bit < widths[c->net]; bit++)
        for (uint64_t t = time; t <= TIMES; t++)
            p->level[c->net][bit][t] = level_of(c, bit);
}

static void make(struct test_rng *rng, struct plain *p, struct changes *c)
{
    memset(p->level, 'x', sizeof p->level);
    c->count = 0;
    p->first = test_rand_below(rng, 20);
    p->last = p->first + 1 + test_rand_below(rng, TIMES - 30);
    for (size_t n = 0; n < NETS; n++) {
        p->before[n] = c->before[n] = test_rand_below(rng, 2);
        c->at_first[n] = random_change(rng, n, 0);
        if (c->before[n])
            set(p, &c->at_first[n], 0);
    }
    const uint32_t stay = 1 + test_rand_below(rng, 6);
    for (uint64_t t = p->first; t <= p->last; t += test_rand_below(rng, 2 * stay))
        if (c->count < 4 * TIMES - 1) { /* several at one time, too */
            c->of[c->count] = random_change(rng, test_rand_below(rng, NETS), t);
            set(p, &c->of[c->count++], t + 1);
        } else {
            break;
        }
}

static bool known(char level)
{
    return level == '0' || level == '1';
}

/* The figures of one bit in [from, to), or to the last time; widths are those that end in it. */
struct want {
    struct pc_activity_figures f;
    uint64_t width[3][TIMES];
    size_t widths[3];
};
enum { PERIOD, HIGH, LOW };

static void add_width(struct want *w, int which, uint64_t begin, uint64_t end)
{
    if (begin != UINT64_MAX)
        w->width[which][w->widths[which]++] = end - begin;
}

/* window: edges before `from` are no begin of a pulse; before: there was a value before `first` */
static void count(const char *level, bool before, uint64_t first, uint64_t from, uint64_t to,
                  bool last, bool window, struct want *w)
{
    uint64_t edge = UINT64_MAX, rose = UINT64_MAX;

    for (uint64_t t = first; last ? t <= to : t < to; t++) {
        const char was = level[t], now = level[t + 1]; /* was: before t */
        const bool counts = t >= from;
        if (was != now && known(was) && known(now)) {
            if (counts) {
                w->f.rises += now == '1';
                w->f.falls += now == '0';
                add_width(w, now == '0' ? HIGH : LOW, edge, t);
                if (now == '1')
                    add_width(w, PERIOD, rose, t);
            }
            if (counts || !window) {
                edge = t;
                rose = now == '1' ? t : rose;
            }
        } else if (was != now) {
            if (counts) {
                w->f.known_to_x += known(was) && !known(now);
                w->f.x_to_1 += !known(was) && now == '1' && (t != first || before);
                w->f.x_to_0 += !known(was) && now == '0' && (t != first || before);
            }
            if (known(was) || known(now))
                edge = rose = UINT64_MAX;
        }
        if (counts && t < to) {
            w->f.duration++;
            w->f.t0 += now == '0';
            w->f.t1 += now == '1';
            w->f.tx += now == 'x';
            w->f.tz += now == 'z';
        }
    }
}

static void add_figures(struct pc_activity_figures *sum, const struct pc_activity_figures *f)
{
    sum->t0 += f->t0;
    sum->t1 += f->t1;
    sum->tx += f->tx;
    sum->tz += f->tz;
    sum->rises += f->rises;
    sum->falls += f->falls;
    sum->x_to_1 += f->x_to_1;
    sum->x_to_0 += f->x_to_0;
    sum->known_to_x += f->known_to_x;
    sum->duration = f->duration;
}

static void expect_figures(const struct pc_activity_figures *is,
                           const struct pc_activity_figures *want)
{
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
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void expect_dist(struct pc_dist *dist, uint64_t *width, size_t count_)
{
    struct pc_wide value;
    uint64_t times;
    size_t at = 0;
    struct pc_dist_figures f;

    if (count_ == 0) {
        assert_null(dist);
        return;
    }
    assert_non_null(dist);
    test_ok(pc_dist_get_figures(dist, &f, NULL), NULL);
    assert_int_equal(f.count, count_);
    qsort(width, count_, sizeof *width, ascending);
    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++)
        for (uint64_t k = 0; k < times; k++)
            assert_int_equal(value.low, width[at++]);
    assert_int_equal(at, count_);
}

static void expect_net(const struct pc_activity *a, size_t net, bool bits, const struct plain *p,
                       const uint64_t span[2], bool last, bool window)
{
    struct pc_activity_figures is, sum = { 0 };
    static struct want w;

    for (uint32_t bit = 0; bit < widths[net]; bit++) {
        memset(&w, 0, sizeof w);
        count(p->level[net][bit], p->before[net], p->first, span[0], span[1], last, window, &w);
        add_figures(&sum, &w.f);
        if (!bits && widths[net] > 1)
            continue;
        pc_activity_get(a, net, bit, &is);
        expect_figures(&is, &w.f);
        expect_dist(is.period, w.width[PERIOD], w.widths[PERIOD]);
        expect_dist(is.high, w.width[HIGH], w.widths[HIGH]);
        expect_dist(is.low, w.width[LOW], w.widths[LOW]);
    }
    if (bits || widths[net] == 1)
        return;
    pc_activity_get(a, net, 0, &is);
    expect_figures(&is, &sum);
    assert_null(is.period);
}

static void begin(struct pc_activity *a, const struct plain *p, const struct changes *c)
{
    for (size_t n = 0; n < NETS; n++)
        if (c->before[n])
            pc_activity_before(a, n, c->at_first[n].value,
                               c->at_first[n].any_unknown ? c->at_first[n].unknown : NULL);
    pc_activity_begin(a, p->first);
}

static void add(struct pc_activity *a, const struct change *c)
{
    pc_activity_add(a, c->net, 1, &c->time, c->value, c->any_unknown ? c->unknown : NULL);
}

/* Figures of a window, with a row for each bit and for each net; and once more after clear(). */
static void windows(void **state)
{
    static struct plain p;
    static struct changes c;
    uint64_t seed;
    struct test_rng rng = test_rng_start(20, &seed);

    (void)state;
    for (int round = 0; round < 400; round++) {
        make(&rng, &p, &c);
        const bool whole = test_rand_below(&rng, 2);
        const uint64_t from = whole ? 0 : p.first + test_rand_below(&rng, 30);
        const uint64_t to = whole ? 0 : from + 1 + test_rand_below(&rng, TIMES);
        const struct pc_activity_desc desc = {
            .width = widths, .nets = NETS, .from = from, .to = to, .bits = round % 2, .widths = true
        };
        if (from > p.last)
            continue;
        const bool cut = to > 0 && to <= p.last;
        const uint64_t span[2] = { from > p.first ? from : p.first, cut ? to : p.last };
        struct pc_activity *a;
        test_ok(pc_activity_create(&desc, &a, NULL), NULL);
        for (int again = 0; again < 2; again++) {
            begin(a, &p, &c);
            for (size_t i = 0; i < c.count; i++)
                add(a, &c.of[i]);
            test_ok(pc_activity_end(a, span[1], NULL), NULL);
            for (size_t n = 0; n < NETS; n++)
                expect_net(a, n, desc.bits, &p, span, !cut, true);
            pc_activity_clear(a);
        }
        pc_activity_destroy(a);
    }
}

/* Parts that follow each other. */
static void parts(void **state)
{
    static struct plain p;
    static struct changes c;
    uint64_t seed;
    struct test_rng rng = test_rng_start(21, &seed);

    (void)state;
    for (int round = 0; round < 200; round++) {
        const struct pc_activity_desc desc = {
            .width = widths, .nets = NETS, .bits = round % 2, .widths = true
        };
        struct pc_activity *a;
        size_t at = 0;
        make(&rng, &p, &c);
        test_ok(pc_activity_create(&desc, &a, NULL), NULL);
        begin(a, &p, &c);
        for (uint64_t from = p.first, to; from <= p.last; from = to) {
            to = from + 1 + test_rand_below(&rng, 60);
            const bool last = to > p.last;
            const uint64_t span[2] = { from, last ? p.last : to };
            for (; at < c.count && c.of[at].time < to; at++)
                add(a, &c.of[at]);
            test_ok(pc_activity_end(a, span[1], NULL), NULL);
            for (size_t n = 0; n < NETS; n++)
                expect_net(a, n, desc.bits, &p, span, last, false);
            pc_activity_next(a);
        }
        pc_activity_destroy(a);
    }
}

/* Changes of one net at once, as readers hand them over. */
static void at_once(void **state)
{
    static const uint64_t time[] = { 0, 10, 10, 15, 30 }, value[] = { 0, 0, 1, 0, 1 };
    const uint32_t width = 1;
    const struct pc_activity_desc desc = { .width = &width, .nets = 1, .widths = true };
    struct pc_activity_figures f;
    struct pc_activity *a;

    (void)state;
    test_ok(pc_activity_create(&desc, &a, NULL), NULL);
    pc_activity_begin(a, 0);
    pc_activity_add(a, 0, 5, time, value, NULL);
    test_ok(pc_activity_end(a, 40, NULL), NULL);
    pc_activity_get(a, 0, 0, &f);
    expect_figures(&f, &(struct pc_activity_figures){
                           .duration = 40, .t0 = 25, .t1 = 15, .rises = 2, .falls = 1 });
    pc_activity_destroy(a);
}

/* Bits of a wide net that change alone: 0, 1 and then x, each at times of its own. */
static void one_bit_of_many(void **state)
{
    enum { MANY = 200 };
    static const uint32_t width = MANY;
    const struct pc_activity_desc desc = { .width = &width, .nets = 1, .bits = true };
    uint64_t value[(MANY + 63) / 64] = { 0 }, unknown[(MANY + 63) / 64] = { 0 };
    struct pc_activity_figures f;
    struct pc_activity *a;

    (void)state;
    test_ok(pc_activity_create(&desc, &a, NULL), NULL);
    pc_activity_before(a, 0, value, NULL);
    pc_activity_begin(a, 0);
    for (uint64_t i = 0; i < MANY; i++) {
        const uint64_t time[2] = { 10 * i + 10, 10 * i + 15 };
        value[i / 64] |= UINT64_C(1) << i % 64;
        pc_activity_add(a, 0, 1, &time[0], value, i ? unknown : NULL);
        unknown[i / 64] |= UINT64_C(1) << i % 64;
        pc_activity_add(a, 0, 1, &time[1], value, unknown);
    }
    test_ok(pc_activity_end(a, 10 * MANY + 10, NULL), NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        pc_activity_get(a, 0, i, &f);
        if (f.rises != 1 || f.known_to_x + f.falls != 1 || f.t1 != 5 || f.t0 != 10 * i + 10)
            fail_msg("bit %u: %u rises, %u to x, t0 %u, t1 %u", i, (unsigned)f.rises,
                     (unsigned)f.known_to_x, (unsigned)f.t0, (unsigned)f.t1);
    }
    pc_activity_destroy(a);
}

/* Many nets share the widths that are kept; counts stay exact. */
static void too_many_widths(void **state)
{
    enum { MANY = 30000, CHANGES = 2000 };
    static uint32_t width[MANY];
    struct pc_activity_desc desc = { .width = width, .nets = MANY, .widths = true };
    struct pc_activity_figures f;
    struct pc_dist_figures d;
    struct pc_activity *a;
    uint64_t time = 0;

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        width[i] = 1;
    test_ok(pc_activity_create(&desc, &a, NULL), NULL);
    pc_activity_begin(a, 0);
    for (uint64_t i = 0; i < CHANGES; i++) {
        time += 1 + i;
        pc_activity_add(a, 7, 1, &time, &(uint64_t){ i % 2 }, NULL);
    }
    test_ok(pc_activity_end(a, time, NULL), NULL);
    pc_activity_get(a, 7, 0, &f);
    test_ok(pc_dist_get_figures(f.high, &d, NULL), NULL);
    assert_false(d.complete);
    assert_int_equal(d.count, CHANGES / 2 - 1);
    assert_int_equal(d.min.low, 3); /* a fall at the i-th change, from 2 on, is i + 1 later */
    assert_int_equal(d.max.low, CHANGES - 1);
    pc_activity_destroy(a);
}

/* Times of all bits of a net. */
static void too_long(void **state)
{
    const uint32_t width = 4;
    struct pc_activity_desc desc = { .width = &width, .nets = 1 };
    struct pc_activity *a;
    struct pc_error err;

    (void)state;
    test_ok(pc_activity_create(&desc, &a, NULL), NULL);
    pc_activity_begin(a, 0);
    assert_int_equal(pc_activity_end(a, UINT64_MAX / 2, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1803);
    pc_activity_destroy(a);
    for (unsigned more = 0; more < 2; more++) {
        test_ok(pc_activity_create(&desc, &a, NULL), NULL);
        pc_activity_begin(a, 0);
        assert_int_equal(pc_activity_end(a, UINT64_MAX / 4 + more, &err), more ? PC_ELIMIT : PC_OK);
        pc_activity_destroy(a);
    }
    desc.bits = true;
    test_ok(pc_activity_create(&desc, &a, NULL), NULL);
    pc_activity_begin(a, 0);
    test_ok(pc_activity_end(a, UINT64_MAX, &err), &err);
    pc_activity_destroy(a);
}

static enum pc_status few(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    const struct pc_activity_desc desc = {
        .alloc = alloc, .width = widths, .nets = NETS, .bits = true, .widths = true
    };
    struct pc_activity_figures f;
    struct pc_dist_figures d;
    struct pc_activity *a;
    enum pc_status status = pc_activity_create(&desc, &a, err);

    (void)ctx;
    if (status)
        return status;
    pc_activity_begin(a, 0);
    for (uint64_t t = 0; t < 40; t++)
        pc_activity_add(a, 0, 1, &t, &(uint64_t){ t & 1 }, NULL);
    status = pc_activity_end(a, 50, err);
    pc_activity_get(a, 0, 0, &f);
    if (status == PC_OK)
        status = pc_dist_get_figures(f.period, &d, err);
    if (status == PC_OK)
        status = pc_dist_get_figures(f.high, &d, err);
    if (status == PC_OK)
        status = pc_dist_get_figures(f.low, &d, err);
    pc_activity_destroy(a);
    return status;
}

/* Marks, cycles and pulses. */
static enum pc_status few_marked(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    const struct pc_activity_pulse rule = { PC_ACTIVITY_HIGH, 1, 2 };
    const struct pc_activity_desc desc = {
        .alloc = alloc, .width = widths, .nets = NETS, .cycles = true, .pulse = &rule, .pulses = 1
    };
    const struct pc_activity_mark mark[] = { { 0, true, true },
                                             { 10, true, true },
                                             { 30, false, false } };
    struct pc_activity_figures f;
    struct pc_activity_cycles cycles;
    struct pc_activity *a;
    enum pc_status status = pc_activity_create(&desc, &a, err);

    (void)ctx;
    if (status)
        return status;
    pc_activity_begin(a, 0);
    status = pc_activity_section(a, mark, 3, err);
    for (uint64_t t = 0; status == PC_OK && t < 40; t++)
        pc_activity_add(a, 0, 1, &t, &(uint64_t){ t & 1 }, NULL);
    if (status == PC_OK) {
        pc_activity_section_end(a);
        status = pc_activity_end(a, 50, err);
        pc_activity_get(a, 0, 0, &f);
        pc_activity_get_cycles(a, &cycles);
    }
    if (status == PC_OK) {
        assert_int_equal(cycles.time, 30);
        assert_int_equal(cycles.begun, 2);
        assert_int_equal(cycles.whole, 1);
        assert_int_equal(f.t0 + f.t1, 30);
        assert_int_equal(f.rises + f.falls, 29); /* from 1 on; x before 0 */
        assert_int_equal(f.settled, 0);          /* x at the first edge, which is before all */
        assert_int_equal(f.outside, 20);         /* from 10 on, whose cycle is cut */
        assert_int_equal(f.pulses->valid, 14);
        assert_int_equal(f.pulses->other, 0);
    }
    pc_activity_destroy(a);
    return status;
}

static void no_memory(void **state)
{
    (void)state;
    test_refuse_each(few, NULL, 6);
    test_refuse_each(few_marked, NULL, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),         cmocka_unit_test(parts),
        cmocka_unit_test(at_once),         cmocka_unit_test(one_bit_of_many),
        cmocka_unit_test(too_many_widths), cmocka_unit_test(too_long),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
