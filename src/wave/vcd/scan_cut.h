/* SPDX-License-Identifier: MIT */
/*
 * Pass 0 of the mask scanner: lines of vectors that are not selected are cut out, and the other
 * passes look at what is left.  Part of scan_loop.h.
 *
 * Only runs of lines "b0101 id" of one shape, that many digits and characters of the identifier,
 * are worth it: a line like the one before needs a comparison and a look at a table, and who
 * guesses that it comes is right.  Lines of other lengths, of x and z, and those that are not sure
 * to be of such a shape stay where they are.
 *
 * A line of very many digits is worth it alone.  If somebody wants it, its digits become words
 * here, and go: what is left of it is "b id", whose words pass 3 finds by its place.
 */
#ifndef PC_WAVE_VCD_SCAN_CUT_H
#define PC_WAVE_VCD_SCAN_CUT_H

enum {
    LONGEST_ID = 3,
    WIDE = VCD_LEAST_CUT, /* digits of a line that is worth it alone */
    CUT_WORTH = 192,      /* bytes that must go for each place that is tried, */
    CUT_TRIES = 32,       /* but for that many */
    CUT_PAUSE = 31,       /* scans without, after one in which little went, */
    CUT_SHORT = 8192,     /* of more than that many bytes */
};

/* Shapes differ in how many blocks of characters are compared. */
static inline size_t shape_blocks(const struct shape *like)
{
    return (like->length + SHAPE_BLOCK - 1) / SHAPE_BLOCK;
}

static inline void expect(struct shape *like, uint8_t mask, uint8_t want)
{
    like->mask[like->length] = mask;
    like->want[like->length++] = want;
}

/* Measures the shape of the line at `p`, which ends before `end`; false if it is none to be cut
 * out. */
static bool measure(const uint8_t *p, const uint8_t *end, struct shape *like)
{
    const size_t most = (size_t)(end - p) < SHAPE_MOST ? (size_t)(end - p) : SHAPE_MOST;
    size_t digits = 0, id = 0;

    while (1 + digits < most && (p[1 + digits] & 0xfe) == '0')
        digits++;
    const size_t at = digits + 2;
    while (at + id < most && id <= LONGEST_ID && p[at + id] > ' ')
        id++;
    if (digits == 0 || p[1 + digits] != ' ' || id == 0 || id > LONGEST_ID || at + id >= most ||
        p[at + id] != '\n')
        return false;
    *like = (struct shape){ .id_at = at, .id_last = at + id - 1 };
    expect(like, 0xff, 'b');
    for (size_t i = 0; i < digits; i++)
        expect(like, 0xfe, '0');
    expect(like, 0xff, ' ');
    for (size_t i = 0; i < id; i++)
        expect(like, 0, 0);
    expect(like, 0xff, '\n');
    return true;
}

/* Returns true if the identifier may be selected. Also of characters that are none. */
static inline bool is_wanted(const uint64_t *wanted, const uint8_t *id)
{
    const unsigned pair = (id[0] | (unsigned)id[1] << 8) & 0x7f7f;

    return wanted[pair / 64] >> pair % 64 & 1;
}

/* Counts the lines from `p` on that are of this shape, one after the other, and not selected. */
ALWAYS_INLINE size_t count_like(const uint8_t *p, const uint8_t *end, const struct shape *like,
                                const struct vcd_sets *sets, const size_t blocks)
{
    const uint8_t *const begin = p;
    const size_t length = like->length, at = like->id_at, last = like->id_last;
    const uint64_t *wanted = sets->wanted[last > at];

    while ((size_t)(end - p) >= length && like_shape(p, like, blocks) && p[last] > ' ' &&
           !is_wanted(wanted, p + at)) {
        __builtin_prefetch(p + AHEAD_OF_LINES);
        p += length;
    }
    return (size_t)(p - begin) / length;
}

static size_t lines_like(const uint8_t *p, const uint8_t *end, const struct shape *like,
                         const struct vcd_sets *sets)
{
    switch (shape_blocks(like)) {
    case 0:
        return 0;
    case 1:
        return count_like(p, end, like, sets, 1);
    case 2:
        return count_like(p, end, like, sets, 2);
    default:
        return count_like(p, end, like, sets, 3);
    }
}

/* Returns true if there are that many digits that the line is looked at alone. */
static inline bool is_wide(const uint8_t *p, const uint8_t *end)
{
    uint64_t one, unknown;

    return (size_t)(end - p) > 1 + WIDE && digits_at(p + 1, &one, &unknown) == UINT64_MAX &&
           digits_at(p + 1 + WIDE - 64, &one, &unknown) == UINT64_MAX;
}

/*
 * Returns the first character from `p` on that is not a digit, or `end`.  Which are 1 of the digits
 * is put to `ones`, 64 each, as long as there is room; *some: some are unknown.
 */
static inline const uint8_t *digits_end(const uint8_t *p, const uint8_t *end, uint64_t *ones,
                                        size_t room, bool *some)
{
    uint64_t one, unknown, unknowns = 0;

    for (size_t i = 0; p < end; p += 64, i++) {
        __builtin_prefetch(p + AHEAD);
        const bool known = known_digits_at(p, &one);
        if (i < room)
            ones[i] = one;
        if (known)
            continue;
        const uint64_t others = ~digits_at(p, &one, &unknown);
        unknowns |= unknown;
        if (others) {
            p = (size_t)(end - p) > lowest(others) ? p + lowest(others) : end;
            break;
        }
    }
    *some = unknowns != 0;
    return p < end ? p : end;
}

/* Text that is cut out: from one place to another; the words of its digits. */
struct going {
    const uint8_t *from, *to;
    size_t lines, words;
};

/* Cuts out a wide line at `p`; false: it stays. */
static bool wide_line(struct vcd_scan *s, const uint8_t *p, const uint8_t *end, struct going *go)
{
    const size_t room = s->words_capacity - s->words, first = room / 2;
    uint64_t *ones = s->word + s->words + first; /* after the words that they become */
    bool some;
    const uint8_t *blank = digits_end(p + 1, end, ones, room - first, &some);
    const uint8_t *newline = blank < end ? memchr(blank, '\n', (size_t)(end - blank)) : NULL;

    if (!newline || blank[0] != ' ' || blank[1] <= ' ')
        return false;
    for (const uint8_t *id = blank + 1; id < newline; id++)
        if (*id <= ' ')
            return false;
    const uint32_t number = find_slot(s->sets, blank + 1, (size_t)(end - blank - 1));
    if (number == UINT32_MAX) {
        *go = (struct going){ p, newline + 1, 1, 0 };
        return true;
    }
    const struct vcd_scan_slot *slot = &s->sets->slot[number];
    *go = (struct going){ p + 1, blank, 0, s->words + 1 };
    const size_t count = (size_t)(blank - p - 1);
    if (!slot->is_vector || slot->taps > 0 || count > slot->width)
        return false;
    if (!some && WV_WORDS_OF(count) < first)
        put_ones(s, ones, count);
    else if (take_digits(s, blank, slot->width) != count)
        return false;
    s->wide = s->words;
    return true;
}

/* Keeps text up to `to`; what is from there to `next` was cut out. */
static inline void keep(struct vcd_scan *s, size_t *kept, const uint8_t **from, const uint8_t *to,
                        const uint8_t *next)
{
    memmove(s->kept + *kept, *from, (size_t)(to - *from));
    *kept += (size_t)(to - *from);
    *from = next;
}

/* Counts the lines from `p` on that go; `like` becomes the shape of these, if it was another. */
static size_t lines_to_cut(const struct vcd_sets *sets, const uint8_t *p, const uint8_t *end,
                           struct shape *like)
{
    const size_t lines = lines_like(p, end, like, sets);

    return lines == 0 && measure(p, end, like) ? lines_like(p, end, like, sets) : lines;
}

/* Returns what is cut out of the text from the 'b' at `p` on. */
static struct going what_goes(struct vcd_scan *s, const uint8_t *p, const uint8_t *end,
                              struct shape *like)
{
    struct going go;

    if (is_wide(p, end) && wide_line(s, p, end, &go))
        return go;
    const size_t lines = lines_to_cut(s->sets, p, end, like);
    return (struct going){ p, p + lines * like->length, lines, 0 };
}

/* Pass 0.  Text and size become those of what is left. */
static void cut_out(struct vcd_scan *s)
{
    const uint8_t *from = s->text, *p = from + 1, *const end = from + s->size;
    size_t kept = 0, gone = 0, gone_lines = 0, tries = 0;
    struct shape like = { .length = 0 };

    while (s->cuts < s->cuts_room && tries < CUT_TRIES + gone / CUT_WORTH &&
           (p = find_vector(p, end)) < end) {
        struct going go = what_goes(s, p, end, &like);
        const size_t bytes = (size_t)(go.to - go.from);
        tries++;
        if (bytes >= VCD_LEAST_CUT) {
            gone += bytes;
            gone_lines += go.lines;
            keep(s, &kept, &from, go.from, go.to);
            s->cut[s->cuts++] = (struct vcd_cut){ (uint32_t)kept, (uint32_t)gone,
                                                  (uint32_t)gone_lines, (uint32_t)go.words };
        }
        p = bytes > 0 ? go.to : p + 1;
    }
    s->gone += gone;
    if (s->size > CUT_SHORT) {
        s->mostly_cut = gone > s->size / 4 * 3;
        s->cut_pause = gone < s->size / 8 ? CUT_PAUSE : 0;
    }
    if (s->cuts == 0)
        return;
    keep(s, &kept, &from, end, end);
    memset(s->kept + kept, '\n', VCD_SCAN_SLACK);
    s->text = s->kept;
    s->size = kept;
}

#endif
