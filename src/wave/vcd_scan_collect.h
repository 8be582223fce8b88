/* SPDX-License-Identifier: MIT */
/*
 * Pass 3 of the mask scanner: places of identifiers that may be selected become events.  Part
 * of vcd_scan_loop.h, which includes it.
 */
#ifndef PC_WAVE_VCD_SCAN_COLLECT_H
#define PC_WAVE_VCD_SCAN_COLLECT_H

static inline uint32_t edges_in(uint64_t bits)
{
    return (uint32_t)__builtin_popcountll(bits);
}

/* 0, 1, 2 for unknown; 3 if the character is no such value. */
static inline uint32_t level_of(uint8_t c)
{
    uint8_t small = c | 0x20;

    return (c & 0xfe) == '0' ? c & 1u : small == 'x' || small == 'z' ? 2u : 3u;
}

/* The same of one of 0 1 x X z Z: the letters have bit 6. */
static inline uint32_t level_of_scalar(uint8_t c)
{
    return (c >> 5 & 2u) | (c & ~((uint32_t)c >> 6) & 1u);
}

static inline const struct vcd_scan_key *first_key(const struct vcd_sets *sets, uint64_t text)
{
    return &sets->key[(uint32_t)(text & 0xffff) * sets->key_factor >> sets->key_shift];
}

/* Slot of a longer identifier, or of one that the keys do not tell. */
static inline uint32_t find_long(const struct vcd_sets *sets, const uint8_t *id)
{
    size_t n = 0;

    while (id[n] > ' ')
        n++;
    const uint32_t code = vcd_ids_find(sets->ids, (const char *)id, n);
    return code == VCD_NO_CODE ? UINT32_MAX : sets->slot_of[code] - 1;
}

/* The digits of "b0101 id", whose identifier stands at `id`; false if they are not 01xz or too
 * many. */
static inline bool vector_digits(const uint8_t *id, uint32_t width, const uint8_t **digit,
                                 size_t *count)
{
    const uint8_t *end = id - 1, *p = end;

    while (level_of(p[-1]) < 3)
        p--;
    *digit = p;
    *count = (size_t)(end - p);
    return *count > 0 && *count <= width && (p[-1] | 0x20) == 'b' && p[-2] == '\n';
}

/* A change of a slot, whose identifier stands at `id`; false if this cannot be done here. */
static inline bool take_slot(struct vcd_scan *s, uint32_t number, const uint8_t *id, uint32_t cycle)
{
    const struct vcd_sets *sets = s->sets;
    const struct vcd_scan_slot *slot = &sets->slot[number];
    const struct vcd_scan_tap *tap = &sets->tap[slot->tap];
    const uint8_t *digit = id - 1;
    size_t count = 1;

    if (s->events + slot->taps + SPAN_PLACES > s->events_capacity ||
        (slot->clock && level_of(id[-1]) > 1) ||
        (id[-1] == ' ' && !vector_digits(id, slot->width, &digit, &count)))
        return false;
    struct wv_event *to = &s->event[s->events];
    s->events += slot->taps;
    const uint32_t left = digit[0] == '1' && slot->width > 1 ? 0 : level_of(digit[0]);
    for (size_t i = 0; i < slot->taps; i++) {
        const uint32_t level = tap[i].bit < count ? level_of(digit[count - 1 - tap[i].bit]) : left;
        to[i] = (struct wv_event){ cycle, tap[i].signal << 2 | level };
    }
    return true;
}

/* The same for a candidate that take_candidates() cannot do by itself. */
static bool take_other(struct vcd_scan *s, const uint8_t *id, uint32_t cycle)
{
    const struct vcd_sets *sets = s->sets;
    const uint64_t text = load_text(id);
    const struct vcd_scan_key *k = first_key(sets, text);

    while (k->mask && (text & k->mask) != k->key)
        k++;
    const uint32_t number = k->mask ? k->slot : find_long(sets, id);
    return number == UINT32_MAX || take_slot(s, number, id, cycle);
}

/* Fills in what is beyond each word, up to the stamp at `limit`. */
static inline void link_words(struct vcd_scan *s, size_t limit)
{
    const uint64_t *restrict stamps = s->mark.stamps, *restrict edge = s->mark.edges;
    const uint32_t *restrict before = s->mark.before;
    uint32_t *restrict beyond = s->mark.beyond;
    const size_t last = limit / 64;
    uint32_t edges = 0;

    if (s->sets->own_values) {
        for (size_t k = 0; k <= last; k++) {
            beyond[k] = edges;
            if (stamps[k])
                edges = before[k] + edges_in(edge[k] & below(highest(stamps[k])));
        }
        return;
    }
    for (size_t k = last + 1; k-- > 0;) {
        const uint64_t first = stamps[k], up_to = first ^ (first - 1);
        const uint32_t here = before[k] + edges_in(edge[k] & up_to);
        const uint32_t any = (uint32_t)0 - (first != 0); /* no branch */
        beyond[k] = edges;
        edges ^= (edges ^ here) & any;
    }
}

/* Edges before a change at `at` takes effect. */
ALWAYS_INLINE uint32_t cycle_of(const struct vcd_marks *m, uint32_t at, const bool own_values)
{
    const size_t k = at / 64;

    if (own_values) {
        const uint64_t before = m->stamps[k] & below(at % 64);
        return before ? m->before[k] + edges_in(m->edges[k] & below(highest(before)))
                      : m->beyond[k];
    }
    /* Below the first stamp behind it.  Whether there is one, nobody can guess: no branch asks. */
    const uint64_t after = m->stamps[k] & UINT64_MAX << at % 64;
    const uint32_t here = m->before[k] + edges_in(m->edges[k] & (after ^ (after - 1)));
    const uint32_t there = m->beyond[k];
    return here + ((there - here) & ((uint32_t)0 - (after == 0)));
}

/*
 * Candidates at their identifiers; returns how many could be done.  Those that are nothing
 * write an event as well, and the next one takes its place.  `plain`: all values are 0 or 1.
 */
ALWAYS_INLINE size_t take_candidates(struct vcd_scan *s, const uint32_t *place, size_t n,
                                     const bool plain, const bool own_values)
{
    const struct vcd_sets *sets = s->sets;
    const struct vcd_marks mark = s->mark;
    const uint8_t *text = s->text;
    struct wv_event *event = s->event;
    size_t events = s->events, i = 0;

    for (; i < n; i++) {
        const uint32_t cycle = cycle_of(&mark, place[i], own_values);
        const uint8_t *id = text + place[i];
        const uint64_t word = load_text(id);
        const struct vcd_scan_key *k = first_key(sets, word);
        const bool found = (word & k->mask) == k->key;
        if (!(k->direct & (plain | !found | (id[-1] != ' ')))) {
            s->events = events;
            if (!take_other(s, id, cycle))
                break;
            events = s->events;
            continue;
        }
        const uint32_t level = plain ? id[-1] & 1u : level_of_scalar(id[-1]);
        event[events] = (struct wv_event){ cycle, k->what | level };
        events += found;
    }
    s->events = events;
    return i;
}

static inline size_t take_places(struct vcd_scan *s, const uint32_t *place, size_t n, bool plain)
{
    if (s->sets->own_values)
        return plain ? take_candidates(s, place, n, true, true)
                     : take_candidates(s, place, n, false, true);
    return plain ? take_candidates(s, place, n, true, false)
                 : take_candidates(s, place, n, false, false);
}

/* Pass 3.  Returns `limit`, or the stamp of a group with a candidate that cannot be taken. */
static inline size_t collect(struct vcd_scan *s, size_t limit, bool plain)
{
    uint32_t place[SPAN_PLACES];
    size_t count = 0;

    s->events = 0;
    link_words(s, limit);
    for (size_t from = 0; from < limit; from += SPAN) {
        const size_t to = limit - from < SPAN ? limit : from + SPAN;
        const size_t n = s->usual_candidates == 0 ? flatten(s->mark.candidates, 0, from, to, place)
                         : s->usual_candidates == 1
                             ? flatten(s->mark.candidates, 1, from, to, place)
                             : flatten(s->mark.candidates, 3, from, to, place);
        count += n;
        if (s->events_capacity - s->events < SPAN_PLACES) /* one event each, at least */
            return stamp_before(s, from);
        const size_t done = take_places(s, place, n, plain);
        if (done < n)
            return stamp_before(s, place[done] - 1);
    }
    s->usual_candidates = count < limit / 300 ? 0 : count < limit / 128 ? 1 : 3;
    s->edges = s->mark.before[limit / 64] + edges_in(s->mark.edges[limit / 64] & below(limit % 64));
    return limit;
}

#endif
