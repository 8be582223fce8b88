/* SPDX-License-Identifier: MIT */
/*
 * What nets do over time.  The last change of a net waits until there is one at a later time, since
 * only the last value of a time counts; then the step from the value before it is taken, bit by
 * bit, or of all bits of a net at once where their sum is wanted.
 */
#include "lang/measure/dist.h"

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/activity.h"

#include <string.h>

enum level { L0, L1, LX, LZ };

/* A bit, or the sum of the bits of a net. */
struct row {
    uint64_t began; /* when it took its level; of a sum: when it changed last */
    uint64_t rose;  /* the last rise */
    uint64_t t[4];  /* by level */
    uint64_t rises, falls;
    uint64_t x_to_1, x_to_0, known_to_x;
    uint32_t is[4]; /* bits of each level now; of one bit: 1 and 0 */
    uint8_t level;  /* of one bit */
    bool edge;      /* it took its level by a rise or a fall */
    bool has_risen; /* and was not unknown since */
};

struct net {
    uint64_t at;      /* time of the value that waits */
    size_t row, word; /* its first ones */
    uint32_t width;
    bool waits;
};

/* Words of a net: what it was before the value that waits, and that one. */
enum { WAS, WAS_UNKNOWN, NOW, NOW_UNKNOWN, PLANES };

enum dist { PERIOD, HIGH, LOW, DISTS };

/* Different widths of all rows together, about, and of each, at least. */
enum { ALL_DISTINCT = 1 << 24, LEAST_DISTINCT = 256 };

struct pc_activity {
    struct pc_alloc alloc;
    bool bits, widths;
    uint64_t from, to;
    struct net *net;
    struct row *row;
    uint64_t *word;
    struct pc_dist **dist; /* DISTS of each row; NULL: not wanted, or none yet */
    size_t nets, rows, words, most;
    uint64_t first; /* the first time stamp */
    uint64_t start; /* of the figures */
    uint64_t end;
    bool no_memory; /* for a distribution */
};

static size_t words_of(uint32_t width)
{
    return (width + (size_t)63) / 64;
}

/* Is its row the sum of several bits? */
static bool is_sum(const struct pc_activity *a, const struct net *n)
{
    return !a->bits && n->width > 1;
}

/* How many are in each byte. */
static uint64_t ones_of_bytes(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static unsigned ones(uint64_t x)
{
    return (unsigned)(ones_of_bytes(x) * UINT64_C(0x0101010101010101) >> 56);
}

/* Of the lower and of the upper half. */
static void ones_of_halves(uint64_t x, unsigned *lower, unsigned *upper)
{
    x = ones_of_bytes(x);
    *lower = (uint32_t)x * UINT32_C(0x01010101) >> 24;
    *upper = (uint32_t)(x >> 32) * UINT32_C(0x01010101) >> 24;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- making ---- */

static bool make_rows(struct pc_activity *a, const struct pc_activity_desc *desc)
{
    a->net = pc_calloc(&a->alloc, a->nets + 1, sizeof *a->net);
    for (size_t i = 0; a->net && i < a->nets; i++) {
        struct net *n = &a->net[i];
        const uint32_t width = desc->width[i];
        *n = (struct net){ .row = a->rows, .word = a->words, .width = width };
        a->rows += width > 1 && !a->bits ? 1 : width;
        a->words += PLANES * words_of(width);
    }
    if (!a->net)
        return false;
    a->row = pc_calloc(&a->alloc, a->rows + 1, sizeof *a->row);
    a->word = pc_calloc(&a->alloc, a->words + 1, sizeof *a->word);
    if (a->widths)
        a->dist = pc_calloc(&a->alloc, a->rows + 1, DISTS * sizeof(struct pc_dist *));
    return a->row && a->word && (a->dist || !a->widths);
}

static void drop_dists(struct pc_activity *a)
{
    for (size_t i = 0; a->dist && i < DISTS * a->rows; i++) {
        pc_dist_destroy(a->dist[i]);
        a->dist[i] = NULL;
    }
}

void pc_activity_destroy(struct pc_activity *a)
{
    if (!a)
        return;
    const struct pc_alloc alloc = a->alloc;
    drop_dists(a);
    pc_free(&alloc, a->dist, (a->rows + 1) * DISTS * sizeof(struct pc_dist *));
    pc_free(&alloc, a->word, (a->words + 1) * sizeof *a->word);
    pc_free(&alloc, a->row, (a->rows + 1) * sizeof *a->row);
    pc_free(&alloc, a->net, (a->nets + 1) * sizeof *a->net);
    pc_free(&alloc, a, sizeof *a);
}

enum pc_status pc_activity_create(const struct pc_activity_desc *desc, struct pc_activity **out,
                                  struct pc_error *err)
{
    const struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_activity *a = pc_calloc(&alloc, 1, sizeof *a);

    if (a)
        *a = (struct pc_activity){ .alloc = alloc,
                                   .bits = desc->bits,
                                   .widths = desc->widths,
                                   .from = desc->from,
                                   .to = desc->to ? desc->to : UINT64_MAX,
                                   .nets = desc->nets };
    if (!a || !make_rows(a, desc)) {
        pc_activity_destroy(a);
        return pc_fail(err, 100, "no memory for the activity of %zu nets", desc->nets);
    }
    const size_t share = ALL_DISTINCT / (DISTS * a->rows + 1);
    a->most = share < LEAST_DISTINCT ? LEAST_DISTINCT : share;
    pc_activity_clear(a);
    *out = a;
    return PC_OK;
}

/* All of a net are x, and no value waits. */
static void forget_values(struct pc_activity *a, struct net *n)
{
    const size_t words = words_of(n->width);
    uint64_t *word = &a->word[n->word];

    n->waits = false;
    memset(word, 0, PLANES * words * sizeof *word);
    for (size_t w = 0; w < words; w++) {
        const uint32_t left = n->width - (uint32_t)(64 * w);
        word[WAS_UNKNOWN * words + w] = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    }
}

void pc_activity_clear(struct pc_activity *a)
{
    drop_dists(a);
    a->no_memory = false;
    a->first = a->end = 0;
    a->start = a->from;
    memset(a->row, 0, a->rows * sizeof *a->row);
    for (size_t i = 0; i < a->rows; i++) {
        a->row[i].level = LX;
        a->row[i].is[LX] = 1;
    }
    for (size_t i = 0; i < a->nets; i++) {
        forget_values(a, &a->net[i]);
        if (is_sum(a, &a->net[i]))
            a->row[a->net[i].row].is[LX] = a->net[i].width;
    }
}

/* ---- one bit ---- */

static void add_width(struct pc_activity *a, struct row *r, enum dist which, uint64_t width)
{
    if (!a->dist)
        return;
    struct pc_dist **d = &a->dist[DISTS * (size_t)(r - a->row) + which];
    if (!*d) {
        if (pc_dist_create(&a->alloc, false, d, NULL)) {
            a->no_memory = true;
            return;
        }
        pc_dist_limit(*d, a->most);
    }
    pc_dist_add(*d, width, 1);
}

static void rise(struct pc_activity *a, struct row *r, uint64_t at)
{
    r->rises++;
    if (r->edge)
        add_width(a, r, LOW, at - r->began);
    if (r->has_risen)
        add_width(a, r, PERIOD, at - r->rose);
    r->rose = at;
    r->edge = r->has_risen = true;
}

static void fall(struct pc_activity *a, struct row *r, uint64_t at)
{
    r->falls++;
    if (r->edge)
        add_width(a, r, HIGH, at - r->began);
    r->edge = true;
}

/* From or to x or z. */
static void step_unknown(const struct pc_activity *a, struct row *r, enum level to, uint64_t at)
{
    r->known_to_x += r->level < LX && to >= LX;
    if (at != a->first) { /* before that there was no value */
        r->x_to_1 += to == L1;
        r->x_to_0 += to == L0;
    }
    r->edge = r->has_risen = false;
}

static void step(struct pc_activity *a, struct row *r, enum level to, uint64_t at, bool counts)
{
    if (counts) {
        r->t[r->level] += at - later(r->began, a->start);
        if (r->level == L0 && to == L1)
            rise(a, r, at);
        else if (r->level == L1 && to == L0)
            fall(a, r, at);
        else
            step_unknown(a, r, to, at);
    }
    r->level = (uint8_t)to;
    r->began = at;
}

/* ---- the sum of several bits ---- */

static void pass(const struct pc_activity *a, struct row *r, uint64_t at)
{
    const uint64_t time = at - later(r->began, a->start);

    for (unsigned l = L0; l <= LZ; l++)
        r->t[l] += r->is[l] * time;
    r->began = at;
}

/* Bits that were and are known, of one word. */
static void step_known_word(struct row *r, uint64_t was, uint64_t now, bool counts)
{
    const unsigned rises = ones(now & ~was), falls = ones(was & ~now);

    r->is[L1] += rises - falls;
    r->is[L0] -= rises - falls;
    r->rises += counts ? rises : 0;
    r->falls += counts ? falls : 0;
}

/* The other ones. */
static void step_unknown_word(struct row *r, const uint64_t plane[PLANES], bool counts, bool leaves)
{
    const uint64_t was = plane[WAS_UNKNOWN], now = plane[NOW_UNKNOWN];

    for (unsigned l = L0; l <= LZ; l++) {
        const uint64_t value = l == L1 || l == LZ ? UINT64_MAX : 0;
        const uint64_t unknown = l >= LX ? UINT64_MAX : 0;
        r->is[l] += ones((was | now) & ~(plane[NOW] ^ value) & ~(now ^ unknown));
        r->is[l] -= ones((was | now) & ~(plane[WAS] ^ value) & ~(was ^ unknown));
    }
    if (!counts)
        return;
    r->known_to_x += ones(now & ~was);
    if (leaves) {
        r->x_to_1 += ones(was & ~now & plane[NOW]);
        r->x_to_0 += ones(was & ~now & ~plane[NOW]);
    }
}

static void step_sum(const struct pc_activity *a, const struct net *n, const uint64_t *word,
                     size_t words, bool counts)
{
    struct row *r = &a->row[n->row];

    if (counts)
        pass(a, r, n->at);
    else
        r->began = n->at;
    for (size_t w = 0; w < words; w++) {
        const uint64_t plane[PLANES] = { word[w], word[words + w], word[2 * words + w],
                                         word[3 * words + w] };
        if (plane[WAS] == plane[NOW] && plane[WAS_UNKNOWN] == plane[NOW_UNKNOWN])
            continue;
        const uint64_t odd = plane[WAS_UNKNOWN] | plane[NOW_UNKNOWN];
        step_known_word(r, plane[WAS] & ~odd, plane[NOW] & ~odd, counts);
        if (odd)
            step_unknown_word(r, plane, counts, n->at != a->first);
    }
}

/* ---- nets ---- */

static enum level level_of(uint64_t value, uint64_t unknown, unsigned bit)
{
    return (enum level)((value >> bit & 1) + 2 * (unknown >> bit & 1));
}

static void step_bits(struct pc_activity *a, const struct net *n, const uint64_t *word,
                      size_t words, bool counts)
{
    for (size_t w = 0; w < words; w++) {
        const uint64_t now = word[NOW * words + w], unknown = word[NOW_UNKNOWN * words + w];
        uint64_t other = (word[w] ^ now) | (word[WAS_UNKNOWN * words + w] ^ unknown);
        for (; other; other &= other - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(other);
            step(a, &a->row[n->row + 64 * w + bit], level_of(now, unknown, bit), n->at, counts);
        }
    }
}

/* The value that waits is the one of its time. */
static void settle(struct pc_activity *a, struct net *n, bool counts)
{
    const size_t words = words_of(n->width);
    uint64_t *word = &a->word[n->word], other = 0;

    n->waits = false;
    for (size_t w = 0; w < 2 * words; w++)
        other |= word[w] ^ word[NOW * words + w];
    if (other == 0)
        return;
    if (is_sum(a, n))
        step_sum(a, n, word, words, counts);
    else
        step_bits(a, n, word, words, counts);
    for (size_t w = 0; w < 2 * words; w++)
        word[w] = word[NOW * words + w];
}

static void put(struct pc_activity *a, struct net *n, uint64_t at, const uint64_t *value,
                const uint64_t *unknown)
{
    const size_t words = words_of(n->width);
    uint64_t *now = &a->word[n->word + NOW * words];

    n->waits = true;
    n->at = at;
    memcpy(now, value, words * sizeof *now);
    if (unknown)
        memcpy(now + words, unknown, words * sizeof *now);
    else
        memset(now + words, 0, words * sizeof *now);
}

void pc_activity_before(struct pc_activity *a, size_t net, const uint64_t *value,
                        const uint64_t *unknown)
{
    put(a, &a->net[net], 0, value, unknown);
    settle(a, &a->net[net], false);
}

void pc_activity_begin(struct pc_activity *a, uint64_t time)
{
    a->first = time;
    a->start = a->end = later(a->from, time);
}

/* Of one bit: changes up to the last one that may still be followed by one at its time. */
static void add_bit(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                    const uint64_t *value, const uint64_t *unknown)
{
    uint64_t *word = &a->word[n->word];
    struct row *r = &a->row[n->row];
    enum level now = level_of(word[NOW], word[NOW_UNKNOWN], 0);
    uint64_t at = n->at;
    bool waits = n->waits;

    for (size_t i = 0; i < count; i++) {
        if (waits && time[i] != at && now != (enum level)r->level)
            step(a, r, now, at, at >= a->from);
        now = (enum level)(value[i] | (unknown ? unknown[i] << 1 : 0));
        at = time[i];
        waits = true;
    }
    n->at = at;
    n->waits = waits;
    word[WAS] = r->level & 1;
    word[WAS_UNKNOWN] = r->level >> 1;
    word[NOW] = now & 1;
    word[NOW_UNKNOWN] = now >> 1;
}

static void count_steps(const struct net *n, const uint64_t *was, const uint64_t *now,
                        unsigned *rises, unsigned *falls)
{
    const size_t words = words_of(n->width);

    *rises = *falls = 0;
    if (n->width <= 32)
        ones_of_halves((*now & ~*was) | (*was & ~*now) << 32, rises, falls);
    for (size_t w = 0; n->width > 32 && w < words; w++) {
        *rises += ones(now[w] & ~was[w]);
        *falls += ones(was[w] & ~now[w]);
    }
}

/*
 * The sum of several bits, all of which were, are and become known: values are compared where they
 * are, and only the last two are kept.
 */
static void add_known(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                      const uint64_t *value)
{
    const size_t words = words_of(n->width);
    struct row *r = &a->row[n->row];
    uint64_t *word = &a->word[n->word], at = n->at;
    const uint64_t *was = word, *now = word + NOW * words;
    uint64_t began = r->began, t0 = r->t[L0], t1 = r->t[L1], rises = r->rises, falls = r->falls;
    uint32_t high = r->is[L1];
    bool waits = n->waits;

    for (size_t i = 0; i < count; i++, now = value, value += words, at = time[i - 1]) {
        unsigned up, down;
        if (!waits || time[i] == at) {
            waits = true;
            continue;
        }
        count_steps(n, was, now, &up, &down);
        was = now;
        if (up + down == 0)
            continue;
        if (at >= a->from) {
            const uint64_t passed = at - later(began, a->start);
            t0 += (n->width - high) * passed;
            t1 += high * passed;
            rises += up;
            falls += down;
        }
        began = at;
        high += up - down;
    }
    n->at = at;
    n->waits = waits;
    r->began = began;
    r->t[L0] = t0;
    r->t[L1] = t1;
    r->rises = rises;
    r->falls = falls;
    r->is[L0] = n->width - high;
    r->is[L1] = high;
    for (size_t w = 0; w < words; w++) { /* `was` may be where `now` is to go */
        word[w] = was[w];
        word[NOW * words + w] = now[w];
    }
}

static bool knows_all(const struct pc_activity *a, const struct net *n)
{
    const size_t words = words_of(n->width);
    const uint64_t *word = &a->word[n->word];
    uint64_t odd = 0;

    for (size_t w = 0; w < words; w++)
        odd |= word[WAS_UNKNOWN * words + w] | word[NOW_UNKNOWN * words + w];
    return odd == 0;
}

/* Of several bits, as long as some are unknown. */
static void add_any(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                    const uint64_t *value, const uint64_t *unknown)
{
    const size_t words = words_of(n->width);

    for (size_t i = 0; i < count; i++) {
        if (!unknown && is_sum(a, n) && knows_all(a, n)) {
            add_known(a, n, count - i, time + i, value + i * words);
            return;
        }
        if (n->waits && time[i] != n->at)
            settle(a, n, n->at >= a->from);
        put(a, n, time[i], value + i * words, unknown ? unknown + i * words : NULL);
    }
}

void pc_activity_add(struct pc_activity *a, size_t net, size_t count, const uint64_t *time,
                     const uint64_t *value, const uint64_t *unknown)
{
    struct net *n = &a->net[net];

    while (count > 0 && time[count - 1] >= a->to)
        count--;
    if (n->width == 1)
        add_bit(a, n, count, time, value, unknown);
    else if (!unknown && is_sum(a, n) && knows_all(a, n))
        add_known(a, n, count, time, value);
    else
        add_any(a, n, count, time, value, unknown);
}

/* ---- figures ---- */

static enum pc_status check_times(const struct pc_activity *a, struct pc_error *err)
{
    const uint64_t duration = a->end - a->start;

    for (size_t i = 0; i < a->nets; i++)
        if (is_sum(a, &a->net[i]) && duration > UINT64_MAX / a->net[i].width)
            return pc_fail(err, 1803,
                           "the times of %lu bits over %llu time units are more than 64 bits",
                           (unsigned long)a->net[i].width, (unsigned long long)duration);
    return PC_OK;
}

enum pc_status pc_activity_end(struct pc_activity *a, uint64_t time, struct pc_error *err)
{
    a->end = later(a->start, time);
    for (size_t i = 0; i < a->nets; i++) {
        struct net *n = &a->net[i];
        if (n->waits)
            settle(a, n, n->at >= a->from);
        if (is_sum(a, n))
            pass(a, &a->row[n->row], a->end);
        for (size_t b = 0; !is_sum(a, n) && b < n->width; b++) {
            struct row *r = &a->row[n->row + b];
            r->t[r->level] += a->end - later(r->began, a->start);
        }
    }
    if (a->no_memory)
        return pc_fail(err, 100, "no memory for the widths of pulses");
    return check_times(a, err);
}

void pc_activity_get(const struct pc_activity *a, size_t net, uint32_t bit,
                     struct pc_activity_figures *out)
{
    const size_t row = a->net[net].row + bit;
    const struct row *r = &a->row[row];

    *out = (struct pc_activity_figures){
        .duration = a->end - a->start,
        .t0 = r->t[L0],
        .t1 = r->t[L1],
        .tx = r->t[LX],
        .tz = r->t[LZ],
        .rises = r->rises,
        .falls = r->falls,
        .x_to_1 = r->x_to_1,
        .x_to_0 = r->x_to_0,
        .known_to_x = r->known_to_x,
    };
    if (a->dist) {
        out->period = a->dist[DISTS * row + PERIOD];
        out->high = a->dist[DISTS * row + HIGH];
        out->low = a->dist[DISTS * row + LOW];
    }
}

void pc_activity_next(struct pc_activity *a)
{
    drop_dists(a);
    a->start = a->end;
    for (size_t i = 0; i < a->rows; i++) {
        struct row *r = &a->row[i];
        memset(r->t, 0, sizeof r->t);
        r->rises = r->falls = r->x_to_1 = r->x_to_0 = r->known_to_x = 0;
    }
}
