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

/* Fills in what is beyond each block, up to the stamp at `limit`. */
static inline void link_blocks(struct vcd_scan *s, size_t limit)
{
    const size_t last = limit / 64;
    struct vcd_mark *m = s->mark;
    uint32_t edges = 0;

    if (s->sets->own_values) {
        for (size_t k = 0; k <= last; k++) {
            m[k].beyond = edges;
            if (m[k].stamps)
                edges = m[k].before + edges_in(m[k].edges & below(highest(m[k].stamps)));
        }
        return;
    }
    for (size_t k = last + 1; k-- > 0;) {
        const uint64_t low = m[k].stamps & (0 - m[k].stamps);
        const uint32_t any = (uint32_t)0 - (low != 0); /* no branch */
        m[k].beyond = edges;
        edges = (edges & ~any) | ((m[k].before + edges_in(m[k].edges & (low - 1))) & any);
    }
}

/* Edges before a change at bit `bit` of a block takes effect. */
ALWAYS_INLINE uint32_t cycle_of(const struct vcd_mark *m, unsigned bit, const bool own_values)
{
    if (own_values) {
        const uint64_t before = m->stamps & below(bit);
        return before ? m->before + edges_in(m->edges & below(highest(before))) : m->beyond;
    }
    /* Below the first stamp behind it.  Whether there is one, nobody can guess: no branch asks. */
    const uint64_t after = m->stamps & ~below(bit);
    const uint32_t here = m->before + edges_in(m->edges & ((after & (0 - after)) - 1));
    const uint32_t there = m->beyond;
    return here + ((there - here) & ((uint32_t)0 - (after == 0)));
}

/*
 * Candidates at their identifiers; returns how many could be done.  Many are nothing, and
 * nobody can guess which: their event is written, and the next one takes its place.
 */
ALWAYS_INLINE size_t take_candidates(struct vcd_scan *s, const uint32_t *place, size_t n,
                                     const bool own_values)
{
    const struct vcd_sets *sets = s->sets;
    const uint8_t *text = s->text;
    const struct vcd_mark *mark = s->mark;
    struct wv_event *event = s->event;
    size_t events = s->events, i = 0;

    for (; i < n; i++) {
        const uint32_t cycle = cycle_of(&mark[place[i] / 64], place[i] % 64, own_values);
        const uint8_t *id = text + place[i];
        const uint64_t word = load_text(id);
        const struct vcd_scan_key *k = first_key(sets, word);
        const bool found = (word & k->mask) == k->key;
        if (k->crowded | (found & (!k->scalar | (id[-1] == ' ')))) {
            s->events = events;
            if (!take_other(s, id, cycle))
                break;
            events = s->events;
            continue;
        }
        event[events] = (struct wv_event){ cycle, k->signal << 2 | level_of_scalar(id[-1]) };
        events += found;
    }
    s->events = events;
    return i;
}

/* Pass 3.  Returns `limit`, or the stamp of a group with a candidate that cannot be taken. */
static inline size_t collect(struct vcd_scan *s, size_t limit)
{
    uint32_t place[SPAN_PLACES];
    size_t count = 0;

    s->events = 0;
    link_blocks(s, limit);
    for (size_t from = 0; from < limit; from += SPAN) {
        const size_t to = limit - from < SPAN ? limit : from + SPAN;
        const size_t n = s->many_candidates ? flatten(s, false, 4, from, to, place)
                                            : flatten(s, false, 0, from, to, place);
        count += n;
        if (s->events_capacity - s->events < SPAN_PLACES) /* one event each, at least */
            return stamp_before(s, from);
        const size_t done = s->sets->own_values ? take_candidates(s, place, n, true)
                                                : take_candidates(s, place, n, false);
        if (done < n)
            return stamp_before(s, place[done] - 1);
    }
    const struct vcd_mark *m = &s->mark[limit / 64];
    s->many_candidates = count > limit / 256;
    s->edges = m->before + edges_in(m->edges & below(limit % 64));
    return limit;
}

#endif
