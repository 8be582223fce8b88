/* SPDX-License-Identifier: MIT */
/*
 * Pass 1 of the mask scanner: where lines, time stamps, the clock's lines and identifiers that
 * may be selected begin; whatever has no known shape stops it.  Part of vcd_scan_loop.h.
 *
 * A span of text is classified at once; then its masks are worked on as arrays, with loops that
 * the compiler makes vectors of.  What most spans do not have (blanks, unknown values, control
 * characters) is only asked for where a span turns out to have it.
 */
#ifndef PC_WAVE_VCD_SCAN_MARK_H
#define PC_WAVE_VCD_SCAN_MARK_H

/* What a span leaves to the next, besides word 0 of the masks. */
struct carry {
    uint64_t inside; /* all ones: of a line of a word */
    uint64_t high;   /* 1: the clock's level */
    bool any;        /* no line of the clock yet, and its level may be what suits it */
};

/* Where pass 1 is, and what stays the same. */
struct marking {
    struct vcd_scan *s;
    size_t digits;
    uint64_t ids_of_clock; /* all ones: the clock's lines are looked at as others are */
    bool falling;
};

/* Part 1 of a span: lines by their first character. */
ALWAYS_INLINE void begin_lines(struct masks *m, size_t words, const enum how how,
                               uint64_t ids_of_clock, uint64_t *restrict clocks)
{
    for (size_t i = 1; i <= words; i++) {
        const uint64_t line = m->newline[i] << 1 | m->newline[i - 1] >> 63;
        const uint64_t end = how == FULL ? m->end[i] : m->newline[i];
        uint64_t scalar = m->binary[i], known = m->binary[i] | m->hash[i] | end, blank = 0;
        if (how != PLAIN) {
            scalar |= m->unknown[i];
            known |= m->unknown[i] | m->word[i];
            blank = m->blank[i];
        }
        const uint64_t clock = line & m->clock[i];
        clocks[i - 1] = clock;
        m->stamps[i] = line & m->hash[i];
        m->front[i] = (line & scalar & (~clock | ids_of_clock)) | blank;
        m->bad[i] = line & ~known;
    }
}

/* Part 2: what stands behind the first character. */
ALWAYS_INLINE uint64_t behind_begin(struct masks *m, size_t words, const enum how how,
                                    size_t digits, uint64_t *restrict stamps,
                                    uint64_t *restrict candidates)
{
    const unsigned up = (unsigned)digits + 1, down = 63 - (unsigned)digits;
    uint64_t any = 0;

    for (size_t i = 1; i <= words; i++) {
        const uint64_t id = m->front[i] << 1 | m->front[i - 1] >> 63;
        const uint64_t end = how == FULL ? m->end[i] : m->newline[i];
        const uint64_t due = m->stamps[i] << up | m->stamps[i - 1] >> down;
        uint64_t no_id = m->newline[i] | end, bad = m->bad[i];
        if (how != PLAIN)
            no_id |= m->blank[i];
        if (how == FULL) {
            no_id |= m->control[i];
            bad |= m->control[i] & ~end;
        }
        bad |= (id & no_id) | (due & ~end);
        stamps[i - 1] = m->stamps[i];
        candidates[i - 1] = id & ~m->no_look[i];
        m->bad[i] = bad;
        any |= bad;
    }
    return any;
}

/* A line of a word has one blank, all others none: the parity tells inside from outside. */
ALWAYS_INLINE void check_words(struct masks *m, size_t words, struct carry *carry)
{
    for (size_t i = 1; i <= words; i++) {
        const uint64_t line = m->newline[i] << 1 | m->newline[i - 1] >> 63;
        const uint64_t inside = prefix_xor((line & m->word[i]) | m->blank[i]) ^ carry->inside;
        carry->inside = (uint64_t)0 - (inside >> 63);
        m->bad[i] |= inside & (m->blank[i] | m->newline[i]);
    }
}

/* Lines end in two characters: the first of them stands in front of each newline, only there. */
static inline void check_ends(struct masks *m, size_t words)
{
    for (size_t i = 1; i <= words; i++)
        m->bad[i] |= (m->end[i] << 1 | m->end[i - 1] >> 63) ^ m->newline[i];
}

/*
 * The clock's lines must alternate.  If they do, zeros minus ones is the mask of where it is
 * high: each 1 borrows from there to the next 0.  Below the first that does not, that is true
 * all the same.  Edges are those of the lines that count.
 */
ALWAYS_INLINE void check_clock(const struct marking *k, struct masks *m, size_t words,
                               const uint64_t *restrict clocks, uint64_t *restrict edges,
                               struct carry *carry)
{
    uint64_t high = carry->high;

    for (size_t i = 1; carry->any && i <= words; i++) {
        if (clocks[i - 1]) {
            carry->any = false;
            high = ~m->odd[i] >> lowest(clocks[i - 1]) & 1;
        }
    }
    for (size_t i = 1; i <= words; i++) {
        const uint64_t clock = clocks[i - 1], ones = clock & m->odd[i], zeros = clock & ~m->odd[i];
        const uint64_t level = zeros - ones - high;
        high = level >> 63;
        edges[i - 1] = k->falling ? zeros : ones;
        m->bad[i] |= (level & clock) ^ ones;
    }
    carry->high = high;
}

/* A span as `how`; true if something in it is bad.  *seen is what classify() says. */
ALWAYS_INLINE bool look_as(const struct marking *k, struct masks *m, size_t at, size_t words,
                           const enum how how, const unsigned length, struct carry *carry,
                           unsigned *seen)
{
    const struct vcd_sets *sets = k->s->sets;
    const struct vcd_marks *mark = &k->s->mark;
    const size_t first = at / 64;

    *seen = classify(k->s->text + at, words, sets, length, how, m);
    begin_lines(m, words, how, k->ids_of_clock, mark->clocks + first);
    if (how != PLAIN)
        check_words(m, words, carry);
    if (how == FULL && sets->end != '\n')
        check_ends(m, words);
    check_clock(k, m, words, mark->clocks + first, mark->edges + first, carry);
    return behind_begin(m, words, how, k->digits, mark->stamps + first, mark->candidates + first);
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

/* Has the span what makes it WORDY? */
static inline bool has_words(const struct masks *m, size_t words)
{
    uint64_t any = 0;

    for (size_t i = 1; i <= words; i++)
        any |= m->blank[i] | ((m->newline[i] << 1 | m->newline[i - 1] >> 63) & m->unknown[i]);
    return any != 0;
}

/* How far pass 1 looked, and the newlines up to there. */
struct marked {
    size_t end, lines;
    bool plain; /* no blank, no unknown value */
};

/* Sums over a span's words; they go on from those before. */
ALWAYS_INLINE void add_up(const struct vcd_scan *s, const struct masks *m, size_t at, size_t words,
                          uint32_t *edges, size_t *lines)
{
    const uint64_t *restrict edge = s->mark.edges + at / 64;
    uint32_t *restrict before = s->mark.before + at / 64;
    uint32_t sum = *edges;
    size_t newlines = 0;

    for (size_t i = 0; i < words; i++) {
        before[i] = sum;
        sum += (uint32_t)__builtin_popcountll(edge[i]);
        newlines += (size_t)__builtin_popcountll(m->newline[i + 1]);
    }
    *edges = sum;
    *lines += newlines;
}

static inline void next_span(struct masks *m, size_t words, bool ends)
{
    m->newline[0] = m->newline[words];
    m->stamps[0] = m->stamps[words];
    m->front[0] = m->front[words];
    if (ends)
        m->end[0] = m->end[words];
}

/*
 * Pass 1.  Returns the place of the first character that does not fit, or the size.  What is
 * marked behind it means nothing.
 */
static size_t mark(struct vcd_scan *s, size_t digits, struct marked *out)
{
    const struct marking k = { s, digits, s->sets->clock_selected ? UINT64_MAX : 0,
                               s->sets->edge != '1' };
    struct carry carry = { .high = s->clock == VCD_CLOCK_HIGH, .any = s->clock == VCD_CLOCK_ANY };
    const bool ends = s->sets->end != '\n';
    struct masks m;
    uint32_t edges = 0;

    m.newline[0] = (uint64_t)1 << 63;
    m.stamps[0] = m.front[0] = m.end[0] = 0;
    *out = (struct marked){ 0, 0, true };
    for (size_t at = 0; at < s->size; at += SPAN) {
        const size_t left = (s->size - at + 63) / 64;
        size_t words = left < SPAN_WORDS ? left : SPAN_WORDS, stop = 0;
        enum how how = ends ? FULL : s->wordy || carry.inside ? WORDY : PLAIN;
        const bool bad = look_at_span(&k, &m, at, &how, &carry);
        if (bad) {
            for (words = 1; !m.bad[words]; words++)
                ;
            stop = at + 64 * (words - 1) + lowest(m.bad[words]);
        }
        add_up(s, &m, at, words, &edges, &out->lines);
        out->end = at + 64 * words;
        out->plain = out->plain && how == PLAIN;
        s->wordy = how != PLAIN && has_words(&m, words);
        if (bad)
            return stop < s->size ? stop : s->size;
        next_span(&m, words, ends);
    }
    return s->size;
}

#endif
