/* SPDX-License-Identifier: MIT */
/*
 * Pass 1 of the mask scanner: where lines, timestamps, the clock's lines and identifiers that
 * may be selected begin; whatever has no known shape stops it.  Part of scan_loop.h.
 *
 * A span of text is classified at once; then its masks are worked on as arrays, with loops that
 * the compiler makes vectors of.  What most spans do not have (blanks, unknown values, control
 * characters) is only asked for where a span turns out to have it.
 */
#ifndef PC_WAVE_VCD_SCAN_MARK_H
#define PC_WAVE_VCD_SCAN_MARK_H

/* Where pass 1 is, and what stays the same. */
struct marking {
    struct vcd_scan *s;
    size_t digits;
    uint64_t ids_of_clock; /* all ones: the clock's lines are looked at as others are */
    bool falling;
    uint64_t every; /* all ones: stamps are edges */
};

/*
 * Returns where something is on, between a bit of `from` and the next of `to`: `to` minus `from`,
 * as numbers of 64 bits, because each bit of `from` borrows from there to the next of `to`. If the
 * two do not alternate, the first that is wrong differs from that, and all below it is right. This
 * is the part of it that does not depend on the words in front; levels_by_word() does the rest.
 */
static inline uint64_t begin_level(uint64_t from, uint64_t to)
{
    return to - from;
}

/* Returns the bits of either that are wrong. */
static inline uint64_t not_alternate(uint64_t level, uint64_t from, uint64_t to)
{
    return (level & (from | to)) ^ from;
}

static inline void find_newlines(struct masks *m, size_t words)
{
    for (size_t i = 1; i <= words; i++)
        m->newline[i] = m->sign[i] & m->two[i] & ~m->odd[i];
}

/* Part 1 of a span: lines by their first character. */
ALWAYS_INLINE void begin_lines(const struct marking *k, struct masks *m, size_t words,
                               const enum how how, uint64_t *restrict clocks,
                               uint64_t *restrict edges)
{
    const uint64_t ids_of_clock = k->ids_of_clock, falling = (uint64_t)0 - k->falling,
                   every = k->every;

    for (size_t i = 1; i <= words; i++) {
        const uint64_t line = m->newline[i] << 1 | m->newline[i - 1] >> 63;
        const uint64_t binary = m->sign[i] & ~m->two[i], odd = m->odd[i];
        uint64_t scalar = binary, known = m->sign[i], blank = 0;
        if (how != PLAIN) {
            scalar |= m->unknown[i];
            known |= m->unknown[i] | m->word[i];
            blank = m->blank[i];
            m->words[i] = line & m->word[i];
            m->inside[i] = begin_level(line & m->word[i], blank);
        }
        if (how == FULL)
            known |= m->end[i];
        const uint64_t clock = line & binary & m->clock[i];
        clocks[i - 1] = clock;
        m->high[i] = begin_level(clock & odd, clock & ~odd);
        m->stamps[i] = line & m->sign[i] & m->two[i] & odd;
        edges[i - 1] = (clock & (odd ^ falling)) | (m->stamps[i] & every);
        m->front[i] = (line & scalar & (~clock | ids_of_clock)) | blank;
        m->bad[i] = line & ~known;
    }
}

/* Part 3: what must be so in front of the first that is bad. */
ALWAYS_INLINE uint64_t behind_begin(struct masks *m, size_t words, const enum how how,
                                    size_t digits, struct vcd_marks *restrict mark)
{
    const unsigned up = (unsigned)digits + 1, down = 63 - (unsigned)digits;
    uint64_t any = 0;

    for (size_t i = 1; i <= words; i++) {
        const uint64_t id = m->front[i] << 1 | m->front[i - 1] >> 63;
        const uint64_t end = how == FULL ? m->end[i] : m->newline[i];
        const uint64_t due = m->stamps[i] << up | m->stamps[i - 1] >> down;
        const uint64_t clock = mark->clocks[i - 1], odd = m->odd[i];
        uint64_t no_id = m->newline[i] | end, bad = m->bad[i];
        bad |= not_alternate(m->high[i], clock & odd, clock & ~odd);
        if (how != PLAIN) {
            no_id |= m->blank[i];
            bad |= not_alternate(m->inside[i], m->words[i], m->blank[i]);
            bad |= m->inside[i] & m->newline[i];
        }
        if (how == FULL) {
            no_id |= m->control[i];
            bad |= m->control[i] & ~end;
        }
        bad |= (id & no_id) | (due & ~end);
        mark->stamps[i - 1] = m->stamps[i];
        mark->candidates[i - 1] = id & ~m->filtered_out[i];
        m->bad[i] = bad;
        any |= bad;
    }
    return any;
}

/* Lines end in two characters: the first of them stands in front of each newline, only there. */
static inline void check_ends(struct masks *m, size_t words)
{
    for (size_t i = 1; i <= words; i++)
        m->bad[i] |= (m->end[i] << 1 | m->end[i - 1] >> 63) ^ m->newline[i];
}

/* Looks at a span as `how`; true if something in it is bad. *seen is what classify() says. */
ALWAYS_INLINE bool look_as(const struct marking *k, struct masks *m, size_t at, size_t words,
                           const enum how how, const unsigned length, struct carry *carry,
                           unsigned *seen)
{
    const struct vcd_sets *sets = k->s->sets;
    struct vcd_marks *restrict mark = &k->s->mark[at / SPAN];

    *seen = classify(k->s->text + at, words, sets, length, how, m);
    find_newlines(m, words);
    begin_lines(k, m, words, how, mark->clocks, mark->edges);
    if (how == FULL && sets->end != '\n')
        check_ends(m, words);
    levels(m, words, how, mark, carry);
    return behind_begin(m, words, how, k->digits, mark) != 0;
}

ALWAYS_INLINE bool look_with(const struct marking *k, struct masks *m, size_t at,
                             const enum how how, const unsigned length, struct carry *carry,
                             unsigned *seen)
{
    const size_t words = (k->s->size - at + 63) / 64;

    return words >= SPAN_WORDS ? look_as(k, m, at, SPAN_WORDS, how, length, carry, seen)
                               : look_as(k, m, at, words, how, length, carry, seen);
}

static bool look(const struct marking *k, struct masks *m, size_t at, enum how how,
                 struct carry *carry, unsigned *seen)
{
    const unsigned length = k->s->sets->clock_length;

    if (how == FULL)
        return look_with(k, m, at, FULL, length, carry, seen);
    if (how == WORDY)
        return length == 1   ? look_with(k, m, at, WORDY, 1, carry, seen)
               : length == 2 ? look_with(k, m, at, WORDY, 2, carry, seen)
                             : look_with(k, m, at, WORDY, length, carry, seen);
    return length == 1   ? look_with(k, m, at, PLAIN, 1, carry, seen)
           : length == 2 ? look_with(k, m, at, PLAIN, 2, carry, seen)
                         : look_with(k, m, at, PLAIN, length, carry, seen);
}

/* Looks at a span until it was asked for all that it has; true if something in it is bad. */
static inline bool look_at_span(const struct marking *k, struct masks *m, size_t at, enum how *how,
                                struct carry *carry)
{
    const struct carry before = *carry;

    for (;;) {
        unsigned seen;
        const bool bad = look(k, m, at, *how, carry, &seen);
        if (*how == FULL)
            return bad;
        if (seen & SEEN_CONTROL)
            *how = FULL;
        else if (*how == PLAIN && (bad || seen))
            *how = WORDY;
        else
            return bad;
        *carry = before;
    }
}

/* Returns true if the span has what makes it WORDY. */
static inline bool has_words(const struct masks *m, size_t words)
{
    uint64_t any = 0;

    for (size_t i = 1; i <= words; i++)
        any |= m->blank[i] | ((m->newline[i] << 1 | m->newline[i - 1] >> 63) & m->unknown[i]);
    return any != 0;
}

static inline void find_words(struct vcd_marks *mark, size_t words)
{
    if (words == SPAN_WORDS) {
        mark->with_stamps = not_empty(mark->stamps, SPAN_WORDS);
        mark->with_candidates = not_empty(mark->candidates, SPAN_WORDS);
    } else {
        mark->with_stamps = not_empty(mark->stamps, words);
        mark->with_candidates = not_empty(mark->candidates, words);
    }
}

static inline void next_span(struct masks *m, size_t words, bool ends)
{
    m->newline[0] = m->newline[words];
    m->stamps[0] = m->stamps[words];
    m->front[0] = m->front[words];
    if (ends)
        m->end[0] = m->end[words];
}

/* How far pass 1 looked, and the newlines up to there. */
struct marked {
    size_t end, lines;
    bool plain; /* no blank, no unknown value */
};

/*
 * Pass 1, and pass 2 after it.  Returns the place of the first character that does not fit, or
 * the size, or where it was when pass 2 found something wrong.  What is marked after it means
 * nothing.
 */
static size_t mark(struct vcd_scan *s, struct ordering *order, struct marked *out)
{
    const struct marking k = { s, order->like.digits, s->sets->clock_selected ? UINT64_MAX : 0,
                               s->sets->edge != '1', s->sets->every ? UINT64_MAX : 0 };
    struct carry carry = { .high = s->clock == VCD_CLOCK_HIGH, .any = s->clock == VCD_CLOCK_ANY };
    const bool ends = s->sets->end != '\n';
    struct masks m;

    m.newline[0] = (uint64_t)1 << 63;
    m.stamps[0] = m.front[0] = m.end[0] = 0;
    *out = (struct marked){ 0, 0, true };
    for (size_t at = 0; at < s->size; at += SPAN) {
        const size_t left = (s->size - at + 63) / 64, words = left < SPAN_WORDS ? left : SPAN_WORDS;
        enum how how = ends ? FULL : s->wordy || carry.inside ? WORDY : PLAIN;
        const bool bad = look_at_span(&k, &m, at, &how, &carry);
        find_words(&s->mark[at / SPAN], words);
        out->lines = carry.lines;
        out->end = at + 64 * words;
        out->plain = out->plain && how == PLAIN;
        s->wordy = how != PLAIN && has_words(&m, words);
        if (bad) {
            size_t first = 1;
            while (!m.bad[first])
                first++;
            const size_t stop = at + 64 * (first - 1) + lowest(m.bad[first]);
            return stop < s->size ? stop : s->size;
        }
        if (!order_to(order, s, at))
            return out->end < s->size ? out->end : s->size;
        next_span(&m, words, ends);
    }
    return s->size;
}

#endif
