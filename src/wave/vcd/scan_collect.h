/* SPDX-License-Identifier: MIT */
/*
 * Pass 3 of the mask scanner: places of identifiers that may be selected become events.  Part
 * of scan_loop.h, which includes it.
 */
#ifndef PC_WAVE_VCD_SCAN_COLLECT_H
#define PC_WAVE_VCD_SCAN_COLLECT_H

/* Returns 0, 1, 2 for unknown; 3 if the character is no such value. */
static inline uint32_t level_of(uint8_t c)
{
    uint8_t small = c | 0x20;

    return (c & 0xfe) == '0' ? c & 1u : small == 'x' || small == 'z' ? 2u : 3u;
}

/* Returns the level of one of 0 1 x X z Z: the letters have bit 6. */
static inline uint32_t level_of_scalar(uint8_t c)
{
    return (c >> 5 & 2u) | (c & ~((uint32_t)c >> 6) & 1u);
}

/* Takes the words of a slot's value, whose identifier stands at `id`; false if it is none for
 * it. */
static inline bool words_of(struct vcd_scan *s, const struct vcd_scan_slot *slot, const uint8_t *id,
                            size_t *place)
{
    if (id[-1] != ' ') {
        *place = s->words;
        return take_digits(s, id, slot->width) == 1;
    }
    if ((id[-2] | 0x20) == 'b' && id[-3] == '\n')
        return find_cut(s, (size_t)(id - 1 - s->text), place);
    *place = s->words;
    const size_t count = take_digits(s, id - 1, slot->width);
    return count > 0 && (id[-2 - (ptrdiff_t)count] | 0x20) == 'b' &&
           id[-3 - (ptrdiff_t)count] == '\n';
}

/* Takes a change of a slot, whose identifier stands at `id`; false if this cannot be done here. */
static inline bool take_slot(struct vcd_scan *s, uint32_t number, const uint8_t *id, uint32_t cycle)
{
    const struct vcd_sets *sets = s->sets;
    const struct vcd_scan_slot *slot = &sets->slot[number];
    const struct vcd_scan_tap *tap = &sets->tap[slot->tap];
    size_t place;

    if (s->events + slot->taps + 2 + SPAN_PLACES > s->events_capacity ||
        (slot->clock && level_of(id[-1]) > 1) || !words_of(s, slot, id, &place))
        return false;
    struct wv_event *to = &s->event[s->events];
    for (size_t i = 0; i < slot->taps; i++)
        *to++ =
            (struct wv_event){ cycle, tap[i].signal << 2 | level_in(s->word + place, tap[i].bit) };
    if (slot->is_vector) {
        *to++ = (struct wv_event){ cycle, slot->vector << 2 | WV_EVENT_WORDS };
        *to++ = (struct wv_event){ (uint32_t)place, 0 };
    } else {
        s->words = place;
    }
    s->events = (size_t)(to - s->event);
    return true;
}

/* Takes a candidate that take_candidates() cannot take by itself. */
static bool take_other(struct vcd_scan *s, const uint8_t *id, uint32_t cycle)
{
    const size_t at = (size_t)(id - s->text), left = at < s->size ? s->size - at : 0;
    const uint32_t number = find_slot(s->sets, id, left);

    return number == UINT32_MAX || take_slot(s, number, id, cycle);
}

/* Returns the edges before the first stamp of word k; own_values: before its last. */
static inline uint32_t edges_at_stamp(const struct vcd_marks *m, size_t k, const bool own_values)
{
    const uint64_t stamps = m->stamps[k];
    const uint64_t before = own_values ? below(highest(stamps)) : stamps ^ (stamps - 1);

    return m->before[k] + bits_in(m->edges[k] & before);
}

/* Fills in what is outside each span, up to the stamp at `limit`. */
static inline void link_spans(struct vcd_scan *s, size_t limit)
{
    const size_t spans = limit / SPAN + 1;
    const bool own_values = s->sets->own_values;
    uint32_t edges = 0;

    for (size_t i = 0; i < spans; i++) {
        struct vcd_marks *m = &s->mark[own_values ? i : spans - 1 - i];
        m->outside = edges;
        if (m->with_stamps)
            edges = edges_at_stamp(m, own_values ? highest(m->with_stamps) : lowest(m->with_stamps),
                                   own_values);
    }
}

/* Fills in what is beyond the words that have candidates. */
ALWAYS_INLINE void link_words(struct vcd_marks *m, const bool own_values)
{
    for (uint64_t some = m->with_candidates; some; some &= some - 1) {
        const unsigned k = lowest(some);
        const uint64_t there = m->with_stamps & (own_values ? below(k) : UINT64_MAX << 1 << k);
        m->beyond[k] =
            there ? edges_at_stamp(m, own_values ? highest(there) : lowest(there), own_values)
                  : m->outside;
    }
}

/* Returns the edges before a change at `at` takes effect. */
ALWAYS_INLINE uint32_t cycle_of(const struct vcd_marks *m, uint32_t at, const bool own_values)
{
    const size_t k = at / 64;

    if (own_values) {
        const uint64_t before = m->stamps[k] & below(at % 64);
        return before ? m->before[k] + bits_in(m->edges[k] & below(highest(before))) : m->beyond[k];
    }
    /* Below the first stamp after it.  It cannot be predicted if there is one, so no branch asks.
     */
    const uint64_t after = m->stamps[k] & UINT64_MAX << at % 64;
    const uint32_t here = m->before[k] + bits_in(m->edges[k] & (after ^ (after - 1)));
    const uint32_t there = m->beyond[k];
    return here + ((there - here) & ((uint32_t)0 - (after == 0)));
}

/*
 * Candidates of the span at `from`; returns how many could be done.  Those that are nothing
 * write an event as well, and the next one takes its place.  `plain`: all values are 0 or 1.
 */
ALWAYS_INLINE size_t take_candidates(struct vcd_scan *s, size_t from, const uint32_t *place,
                                     size_t n, const bool plain, const bool own_values)
{
    const struct vcd_scan_key *keys = s->sets->key;
    const uint32_t factor = s->sets->key_factor;
    const unsigned shift = s->sets->key_shift;
    struct vcd_marks *m = &s->mark[from / SPAN];
    const uint8_t *text = s->text + from;
    struct wv_event *to = s->event + s->events;
    size_t i = 0;

    link_words(m, own_values);
    for (; i < n; i++) {
        const uint32_t cycle = cycle_of(m, place[i], own_values);
        const uint64_t word = pc_load_low_first(text + place[i] - 1);
        const uint8_t value = (uint8_t)word;
        const struct vcd_scan_key *k = first_key(keys, word, factor, shift);
        const bool is_key = (word & k->mask) == k->key;
        if (!(k->direct & (plain | !is_key | (value != ' ')))) {
            s->events = (size_t)(to - s->event);
            if (!take_other(s, text + place[i], cycle))
                return i;
            to = s->event + s->events;
            continue;
        }
        const uint32_t level = plain ? value & 1u : level_of_scalar(value);
        *to = (struct wv_event){ cycle, k->what | level };
        to += is_key;
    }
    s->events = (size_t)(to - s->event);
    return i;
}

static inline size_t take_found(struct vcd_scan *s, size_t from, const uint32_t *place, size_t n,
                                bool plain)
{
    if (s->sets->own_values)
        return plain ? take_candidates(s, from, place, n, true, true)
                     : take_candidates(s, from, place, n, false, true);
    return plain ? take_candidates(s, from, place, n, true, false)
                 : take_candidates(s, from, place, n, false, false);
}

/* Pass 3.  Returns `limit`, or the stamp of a group with a candidate that cannot be taken. */
static inline size_t collect(struct vcd_scan *s, size_t limit, bool plain)
{
    uint32_t place[SPAN_PLACES];
    size_t count = 0;

    s->events = s->next_cut = 0;
    s->words = s->wide;
    if (limit == 0)
        return 0;
    link_spans(s, limit);
    for (size_t from = 0; from < limit; from += SPAN) {
        const struct vcd_marks *m = &s->mark[from / SPAN];
        const size_t n = find_candidates(s, m, from, limit - from, place);
        count += n;
        if (s->events_capacity - s->events < SPAN_PLACES) /* one event each, at least */
            return stamp_before(s, from);
        const size_t done = take_found(s, from, place, n, plain);
        if (done < n)
            return stamp_before(s, from + place[done] - 1);
    }
    s->usual_candidates = count < limit / 128 ? 1 : 3;
    const struct vcd_marks *last = &s->mark[limit / SPAN];
    const size_t k = limit % SPAN / 64;
    s->edges = last->before[k] + bits_in(last->edges[k] & below(limit % 64));
    return limit;
}

#endif
