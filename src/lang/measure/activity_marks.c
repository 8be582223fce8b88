/* SPDX-License-Identifier: MIT */
/*
 * Only what marks say counts, and cycles from edge to edge.  Times of rows are then those that
 * count, one after the other, as if the rest had never been: a level lasts as long as such time
 * passes, and what changes between two stretches has no duration.
 *
 * Of a net that changes in a cycle it is kept what it was at the edge before; at its next change in
 * a later cycle, or at the end of the section, both edges are compared.  What does not change costs
 * nothing.
 */
#include "lang/measure/activity.h"

#include "base/error.h"

#include <string.h>

void pc_activity_free_marks(struct pc_activity *a)
{
    pc_free(&a->alloc, a->marks.mark, a->marks.capacity * sizeof *a->marks.mark);
    pc_free(&a->alloc, a->marks.whole, a->marks.whole_capacity);
}

void pc_activity_clear_marks(struct pc_activity *a)
{
    struct marks *m = &a->marks;

    m->count = 0;
    m->edges = m->begun = 0;
    m->section = 0;
    m->whole_now = false;
    a->begun = a->whole = 0;
    if (a->of_cycles)
        memset(a->of_cycles, 0, a->rows * sizeof *a->of_cycles);
}

/* ---- marks ---- */

static struct mark last_mark(const struct marks *m)
{
    return m->count > 0 ? m->mark[m->count - 1] : (struct mark){ .time = 0 };
}

static uint64_t passed_at(const struct mark *m, uint64_t time)
{
    return m->passed + (m->counts && time > m->time ? time - m->time : 0);
}

uint64_t pc_activity_passed(const struct pc_activity *a, uint64_t time)
{
    const struct mark last = last_mark(&a->marks);

    return passed_at(&last, time);
}

static void add_mark(struct pc_activity *a, const struct pc_activity_mark *from)
{
    struct marks *m = &a->marks;
    struct mark *new = &m->mark[m->count++];

    *new = new[-1];
    new->passed = passed_at(&new[-1], from->time);
    new->time = from->time;
    new->stretch += from->counts && !new[-1].counts;
    new->counts = from->counts;
    if (from->edge) {
        new->edges++;
        m->whole[new->edges - m->edges - 1] = m->whole_now;
        a->whole += m->whole_now;
        m->begun += from->counts;
        m->whole_now = true;
    }
    m->whole_now &= from->counts;
}

enum pc_status pc_activity_section(struct pc_activity *a, const struct pc_activity_mark *mark,
                                   size_t count, struct pc_error *err)
{
    struct marks *m = &a->marks;
    const struct mark last = last_mark(m);

    if (!pc_grow(&a->alloc, (void **)&m->mark, &m->capacity, count + 1, sizeof *m->mark) ||
        !pc_grow(&a->alloc, (void **)&m->whole, &m->whole_capacity, count + 1, 1))
        return pc_fail(err, 100, "no memory for %zu marks", count);
    m->section++;
    m->edges = last.edges;
    m->mark[0] = last;
    m->count = 1;
    for (size_t i = 0; i < count; i++)
        add_mark(a, &mark[i]);
    return PC_OK;
}

const struct mark *pc_activity_mark_at(const struct pc_activity *a, struct net *n, uint64_t time)
{
    const struct marks *m = &a->marks;
    size_t at = n->section == m->section ? n->mark : 0, step = 1, end;

    while (at + step < m->count && m->mark[at + step].time <= time) {
        at += step;
        step *= 2;
    }
    end = at + step < m->count ? at + step : m->count;
    while (end - at > 1) {
        const size_t middle = at + (end - at) / 2;
        if (m->mark[middle].time <= time)
            at = middle;
        else
            end = middle;
    }
    n->section = m->section;
    n->mark = (uint32_t)at;
    return &m->mark[at];
}

/* ---- cycles ---- */

/* Ends the cycle in which the net changed: what it was at its ends, if all of it counts. */
static void end_cycle(struct pc_activity *a, struct net *n)
{
    const size_t words = words_of(n->width);
    const uint64_t *word = &a->word[n->word];
    struct of_cycles *c = &a->of_cycles[n->row];
    const bool sum = is_sum(a, n), whole = a->marks.whole[n->cycle - a->marks.edges];

    n->pending = false;
    if (!whole && (sum || n->width == 1)) {
        const struct row *r = &a->row[n->row];
        c->outside += r->rises + r->falls - c->before;
        return;
    }
    for (size_t w = 0; w < words; w++) {
        const uint64_t known =
            ~(word[WAS_UNKNOWN * words + w] | word[WHEN_BEGUN_UNKNOWN * words + w]);
        uint64_t bits =
            whole ? (word[w] ^ word[WHEN_BEGUN * words + w]) & known : word[TOGGLED * words + w];
        if (sum) {
            c->settled += pc_ones(bits);
            continue;
        }
        for (; bits; bits &= bits - 1) {
            const size_t bit = 64 * w + (unsigned)__builtin_ctzll(bits);
            const struct row *r = &a->row[n->row + bit];
            c[bit].settled += whole;
            c[bit].outside += whole ? 0 : r->rises + r->falls - c[bit].before;
        }
    }
}

static void begin_cycle(struct pc_activity *a, struct net *n, uint64_t cycle)
{
    const size_t words = words_of(n->width);
    uint64_t *word = &a->word[n->word];
    const struct row *r = &a->row[n->row];

    n->cycle = cycle;
    n->pending = true;
    a->of_cycles[n->row].before = r->rises + r->falls;
    memcpy(word + WHEN_BEGUN * words, word, 2 * words * sizeof *word);
    memset(word + TOGGLED * words, 0, words * sizeof *word);
}

/* Notes the bits that change for the first time in their cycle. */
static void note_bits(struct pc_activity *a, const struct net *n)
{
    const size_t words = words_of(n->width);
    uint64_t *word = &a->word[n->word];

    for (size_t w = 0; w < words; w++) {
        uint64_t new = ((word[w] ^ word[NOW * words + w]) |
                        (word[WAS_UNKNOWN * words + w] ^ word[NOW_UNKNOWN * words + w])) &
                       ~word[TOGGLED * words + w];
        word[TOGGLED * words + w] |= new;
        for (; new; new &= new - 1) {
            const size_t row = n->row + 64 * w + (unsigned)__builtin_ctzll(new);
            a->of_cycles[row].before = a->row[row].rises + a->row[row].falls;
        }
    }
}

/* Takes the step to the value that waits, if it is another one. */
static void settle(struct pc_activity *a, struct net *n)
{
    if (!end_wait(a, n))
        return;
    const struct mark *mark = pc_activity_mark_at(a, n, n->at);
    if (a->cycles) {
        if (n->pending && n->cycle != mark->edges)
            end_cycle(a, n);
        if (!n->pending)
            begin_cycle(a, n, mark->edges);
        if (!is_sum(a, n))
            note_bits(a, n);
    }
    pc_activity_take(a, n,
                     (struct moment){ .at = passed_at(mark, n->at),
                                      .stretch = mark->stretch,
                                      .passes = true,
                                      .counts = mark->counts,
                                      .leaves = n->at != a->first });
}

/* ---- sums of few bits that are known ---- */

/* The net of such a sum, while its changes are added. */
struct sum {
    struct row row;
    struct of_cycles cycles;
    uint64_t was, now, begun; /* begun: when the cycle began */
    const struct mark *mark;
};

/* Returns true if it is one whose values are one word each, all of them known. */
static bool is_word(const struct pc_activity *a, const struct net *n)
{
    const uint64_t *word = &a->word[n->word];

    return is_sum(a, n) && n->width <= 64 && pc_activity_knows_all(a, n) &&
           (!n->pending || word[WHEN_BEGUN_UNKNOWN] == 0);
}

static inline void end_word(const struct pc_activity *a, const struct net *n, struct sum *s)
{
    if (a->marks.whole[n->cycle - a->marks.edges])
        s->cycles.settled += pc_ones(s->was ^ s->begun);
    else
        s->cycles.outside += s->row.rises + s->row.falls - s->cycles.before;
}

static inline void step_word(const struct pc_activity *a, struct net *n, struct sum *s)
{
    const struct mark *m = s->mark, *end = a->marks.mark + a->marks.count;
    struct row *r = &s->row;

    if (m + 1 < end && m[1].time <= n->at) {
        n->mark = (uint32_t)(m - a->marks.mark);
        m = m + 2 < end && m[2].time <= n->at ? pc_activity_mark_at(a, n, n->at) : m + 1;
        s->mark = m;
    }
    if (a->cycles && (!n->pending || n->cycle != m->edges)) {
        if (n->pending)
            end_word(a, n, s);
        n->pending = true;
        n->cycle = m->edges;
        s->begun = s->was;
        s->cycles.before = r->rises + r->falls;
    }
    const uint64_t at = passed_at(m, n->at), passed = at - later(r->began, a->start);
    const unsigned up = pc_ones(s->now & ~s->was), down = pc_ones(s->was & ~s->now);
    r->t[L0] += r->is[L0] * passed;
    r->t[L1] += r->is[L1] * passed;
    r->rises += m->counts ? up : 0;
    r->falls += m->counts ? down : 0;
    r->is[L1] += up - down;
    r->is[L0] -= up - down;
    r->began = at;
    s->was = s->now;
}

static void add_words(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                      const uint64_t *value)
{
    struct of_cycles *const cycles = a->cycles ? &a->of_cycles[n->row] : NULL;
    uint64_t *word = &a->word[n->word];
    struct net net = *n;
    struct sum s = { .row = a->row[n->row],
                     .was = word[WAS],
                     .now = word[NOW],
                     .begun = a->cycles ? word[WHEN_BEGUN] : 0 };

    if (cycles)
        s.cycles = *cycles;
    s.mark = pc_activity_mark_at(a, &net, 0); /* where the last search ended */
    for (size_t i = 0; i < count; i++) {
        if (net.waits && time[i] != net.at && s.now != s.was)
            step_word(a, &net, &s);
        s.now = value[i];
        net.at = time[i];
        net.waits = true;
    }
    net.mark = (uint32_t)(s.mark - a->marks.mark);
    *n = net;
    a->row[n->row] = s.row;
    word[WAS] = s.was;
    word[NOW] = s.now;
    if (cycles) {
        *cycles = s.cycles;
        word[WHEN_BEGUN] = s.begun;
    }
    if (cycles && n->pending)
        word[WHEN_BEGUN_UNKNOWN] = 0;
}

void pc_activity_add_marked(struct pc_activity *a, struct net *n, size_t count,
                            const uint64_t *time, const uint64_t *value, const uint64_t *unknown)
{
    const size_t words = words_of(n->width);

    for (size_t i = 0; i < count; i++) {
        if (!unknown && is_word(a, n)) {
            add_words(a, n, count - i, time + i, value + i);
            return;
        }
        if (n->waits && time[i] != n->at)
            settle(a, n);
        pc_activity_put(a, n, time[i], value + i * words, unknown ? unknown + i * words : NULL);
    }
}

void pc_activity_edge(struct pc_activity *a)
{
    for (size_t i = 0; i < a->nets; i++)
        if (a->net[i].pending)
            end_cycle(a, &a->net[i]);
}

void pc_activity_section_end(struct pc_activity *a)
{
    const uint64_t edges = last_mark(&a->marks).edges;

    for (size_t i = 0; i < a->nets; i++) {
        struct net *n = &a->net[i];
        if (n->waits)
            settle(a, n);
        if (n->pending && n->cycle != edges)
            end_cycle(a, n);
    }
    a->begun += a->marks.begun;
    a->marks.begun = 0;
}
