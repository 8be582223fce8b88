/* SPDX-License-Identifier: MIT */
/*
 * Steps of nets from one value to the next, bit by bit, or of all bits of a net at once where their
 * sum is wanted.
 */
#include "lang/measure/activity.h"

#include <string.h>

/* Counts the ones of the lower and of the upper half. */
static void ones_of_halves(uint64_t x, unsigned *lower, unsigned *upper)
{
    x = pc_ones_of_bytes(x);
    *lower = (uint32_t)x * UINT32_C(0x01010101) >> 24;
    *upper = (uint32_t)(x >> 32) * UINT32_C(0x01010101) >> 24;
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

/* Steps from or to x or z. */
static void step_unknown(struct row *r, enum level to, bool leaves)
{
    r->known_to_x += r->level < LX && to >= LX;
    if (leaves || r->before) { /* else there was no value before that */
        r->x_to_1 += to == L1;
        r->x_to_0 += to == L0;
    }
    r->edge = r->has_risen = false;
}

static void step(struct pc_activity *a, struct row *r, enum level to, const struct moment *m)
{
    if (a->pulse && (r->level < LX || to < LX)) /* x to z: it is unknown, and stays so */
        pc_activity_pulse_step(a, (size_t)(r - a->row), r->level, m);
    if (m->passes)
        r->t[r->level] += m->at - later(r->began, a->start);
    if (m->counts) {
        if (r->stretch != m->stretch)
            r->edge = r->has_risen = false;
        r->stretch = m->stretch;
        if (r->level == L0 && to == L1)
            rise(a, r, m->at);
        else if (r->level == L1 && to == L0)
            fall(a, r, m->at);
        else
            step_unknown(r, to, m->leaves);
    }
    r->level = (uint8_t)to;
    r->began = m->at;
}

/* ---- the sum of several bits ---- */

void pc_activity_pass(const struct pc_activity *a, struct row *r, uint64_t at)
{
    const uint64_t time = at - later(r->began, a->start);

    for (unsigned l = L0; l <= LZ; l++)
        r->t[l] += r->is[l] * time;
    r->began = at;
}

/* Steps bits that were and are known, of one word. */
static void step_known_word(struct row *r, uint64_t was, uint64_t now, bool counts)
{
    const unsigned rises = pc_ones(now & ~was), falls = pc_ones(was & ~now);

    r->is[L1] += rises - falls;
    r->is[L0] -= rises - falls;
    r->rises += counts ? rises : 0;
    r->falls += counts ? falls : 0;
}

/* Steps the other words. */
static void step_unknown_word(struct row *r, const uint64_t plane[PLANES], bool counts, bool leaves)
{
    const uint64_t was = plane[WAS_UNKNOWN], now = plane[NOW_UNKNOWN];

    for (unsigned l = L0; l <= LZ; l++) {
        const uint64_t value = l == L1 || l == LZ ? UINT64_MAX : 0;
        const uint64_t unknown = l >= LX ? UINT64_MAX : 0;
        r->is[l] += pc_ones((was | now) & ~(plane[NOW] ^ value) & ~(now ^ unknown));
        r->is[l] -= pc_ones((was | now) & ~(plane[WAS] ^ value) & ~(was ^ unknown));
    }
    if (!counts)
        return;
    r->known_to_x += pc_ones(now & ~was);
    if (leaves) {
        r->x_to_1 += pc_ones(was & ~now & plane[NOW]);
        r->x_to_0 += pc_ones(was & ~now & ~plane[NOW]);
    }
}

static void step_sum(const struct pc_activity *a, const struct net *n, const uint64_t *word,
                     size_t words, const struct moment *m)
{
    struct row *r = &a->row[n->row];

    if (m->passes)
        pc_activity_pass(a, r, m->at);
    else
        r->began = m->at;
    for (size_t w = 0; w < words; w++) {
        const uint64_t plane[PLANES] = { word[w], word[words + w], word[2 * words + w],
                                         word[3 * words + w] };
        if (plane[WAS] == plane[NOW] && plane[WAS_UNKNOWN] == plane[NOW_UNKNOWN])
            continue;
        const uint64_t odd = plane[WAS_UNKNOWN] | plane[NOW_UNKNOWN];
        step_known_word(r, plane[WAS] & ~odd, plane[NOW] & ~odd, m->counts);
        if (odd)
            step_unknown_word(r, plane, m->counts, m->leaves || r->before);
    }
}

/* ---- nets ---- */

static enum level level_of(uint64_t value, uint64_t unknown, unsigned bit)
{
    return (enum level)((value >> bit & 1) + 2 * (unknown >> bit & 1));
}

static void step_bits(struct pc_activity *a, const struct net *n, const uint64_t *word,
                      size_t words, const struct moment *m)
{
    for (size_t w = 0; w < words; w++) {
        const uint64_t now = word[NOW * words + w], unknown = word[NOW_UNKNOWN * words + w];
        uint64_t other = (word[w] ^ now) | (word[WAS_UNKNOWN * words + w] ^ unknown);
        for (; other; other &= other - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(other);
            step(a, &a->row[n->row + 64 * w + bit], level_of(now, unknown, bit), m);
        }
    }
}

void pc_activity_take(struct pc_activity *a, struct net *n, struct moment m)
{
    const size_t words = words_of(n->width);
    uint64_t *word = &a->word[n->word];

    if (is_sum(a, n))
        step_sum(a, n, word, words, &m);
    else
        step_bits(a, n, word, words, &m);
    for (size_t w = 0; w < 2 * words; w++)
        word[w] = word[NOW * words + w];
}

void pc_activity_put(struct pc_activity *a, struct net *n, uint64_t at, const uint64_t *value,
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

void pc_activity_add_bit(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                         const uint64_t *value, const uint64_t *unknown)
{
    uint64_t *word = &a->word[n->word];
    struct row *r = &a->row[n->row];
    enum level now = level_of(word[NOW], word[NOW_UNKNOWN], 0);
    uint64_t at = n->at;
    bool waits = n->waits;

    for (size_t i = 0; i < count; i++) {
        if (waits && time[i] != at && now != (enum level)r->level) {
            const struct moment m = moment_of(a, at);
            step(a, r, now, &m);
        }
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
        *rises += pc_ones(now[w] & ~was[w]);
        *falls += pc_ones(was[w] & ~now[w]);
    }
}

void pc_activity_add_known(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
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

bool pc_activity_knows_all(const struct pc_activity *a, const struct net *n)
{
    const size_t words = words_of(n->width);
    const uint64_t *word = &a->word[n->word];
    uint64_t odd = 0;

    for (size_t w = 0; w < words; w++)
        odd |= word[WAS_UNKNOWN * words + w] | word[NOW_UNKNOWN * words + w];
    return odd == 0;
}
