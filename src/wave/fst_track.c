/* SPDX-License-Identifier: MIT */
/*
 * One chain into the bit planes of the signals that are bits of its value.  Each change is
 * compared with the value before it; bits that differ are toggled in the plane, in the cycle
 * that sees the change first.  Values of one bit, nearly all of them 0 or 1, have a loop of
 * their own; of longer ones only the 64 characters around a wanted bit are looked at.
 */
#include "wave/fst_direct.h"

/* Number of the lowest bit that is 1, x != 0: a window of 6 bits of this sequence is unique. */
static unsigned lowest(uint64_t x)
{
    static const uint8_t number[64] = {
        0,  1,  48, 2,  57, 49, 28, 3,  61, 58, 50, 42, 38, 29, 17, 4,  62, 55, 59, 36, 53, 51,
        43, 22, 45, 39, 33, 30, 24, 18, 12, 5,  63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21,
        44, 32, 23, 11, 46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6,
    };

    return number[(x & (0 - x)) * UINT64_C(0x03f79d71b4cb0a89) >> 58];
}

/* ---- planes ---- */

static uint64_t *plane_of(const struct fst_lane *l, size_t plane)
{
    return l->stream->planes + plane * PC_BLOCK_WORDS;
}

/* The first toggle of a block in these planes (which: 0 of values, 1 of unknowns). */
static void begin_toggles(struct fst_lane *l, struct fst_part *p, unsigned which, uint64_t bits)
{
    const uint64_t now = which ? p->unknown : p->value;

    p->toggled[which] |= bits;
    p->first[which] = (p->first[which] & ~bits) | (now & bits);
    for (; bits; bits &= bits - 1) {
        size_t plane = 2 * (size_t)p->signal[lowest(bits)] + which;
        if (l->plane[plane] != FST_PLANE_ZERO)
            memset(plane_of(l, plane), 0, PC_BLOCK_WORDS * sizeof(uint64_t));
        l->plane[plane] = FST_PLANE_TOGGLES;
    }
}

static inline void toggle(struct fst_lane *l, struct fst_part *p, unsigned which, uint64_t bits,
                          uint32_t cycle)
{
    if (bits & ~p->toggled[which])
        begin_toggles(l, p, which, bits & ~p->toggled[which]);
    for (; bits; bits &= bits - 1) {
        size_t plane = 2 * (size_t)p->signal[lowest(bits)] + which;
        plane_of(l, plane)[cycle / 64] ^= UINT64_C(1) << cycle % 64;
    }
}

static inline void set_part(struct fst_lane *l, struct fst_part *p, uint64_t value,
                            uint64_t unknown, uint32_t cycle)
{
    if (value != p->value) {
        toggle(l, p, 0, value ^ p->value, cycle);
        p->value = value;
    }
    if (unknown != p->unknown) {
        toggle(l, p, 1, unknown ^ p->unknown, cycle);
        p->unknown = unknown;
    }
}

/* The same level in all cycles of the block. */
static void fill_plane(struct fst_lane *l, size_t plane, bool level, uint32_t cycles)
{
    const enum fst_plane has = (enum fst_plane)l->plane[plane];
    const bool whole = cycles == WV_BLOCK_CYCLES;
    uint64_t *words = plane_of(l, plane);

    if (!level && has != FST_PLANE_ZERO)
        memset(words, 0, PC_BLOCK_WORDS * sizeof *words);
    if (level && (has != FST_PLANE_ONES || !whole)) {
        memset(words, 0, PC_BLOCK_WORDS * sizeof *words);
        memset(words, 0xff, cycles / 64 * sizeof *words);
        if (cycles % 64)
            words[cycles / 64] = UINT64_MAX >> (64 - cycles % 64);
    }
    l->plane[plane] = (uint8_t)(!level ? FST_PLANE_ZERO : whole ? FST_PLANE_ONES : FST_PLANE_MIXED);
}

/* Toggles to levels. */
static void level_plane(struct fst_lane *l, size_t plane, bool first, uint32_t cycles)
{
    const size_t words = (cycles + (size_t)63) / 64;
    uint64_t *word = plane_of(l, plane);

    l->kernel->toggle(word, word, first, words);
    memset(word + words, 0, (PC_BLOCK_WORDS - words) * sizeof *word);
    if (cycles % 64)
        word[words - 1] &= UINT64_MAX >> (64 - cycles % 64);
    l->plane[plane] = FST_PLANE_MIXED;
}

static bool finish_part(struct fst_lane *l, struct fst_part *p, uint32_t cycles)
{
    bool any_unknown = false;

    for (uint64_t left = p->wanted; left; left &= left - 1) {
        const unsigned bit = lowest(left);
        for (unsigned which = 0; which < 2; which++) {
            const size_t plane = 2 * (size_t)p->signal[bit] + which;
            if (p->toggled[which] >> bit & 1)
                level_plane(l, plane, p->first[which] >> bit & 1, cycles);
            else
                fill_plane(l, plane, (which ? p->unknown : p->value) >> bit & 1, cycles);
        }
        any_unknown |= l->plane[2 * (size_t)p->signal[bit] + 1] != FST_PLANE_ZERO;
    }
    p->toggled[0] = p->toggled[1] = 0;
    return any_unknown;
}

void fst_track_finish(struct fst_lane *l, struct fst_track *t, uint32_t cycles)
{
    t->any_unknown = false;
    for (size_t i = 0; i < t->parts; i++)
        t->any_unknown |= finish_part(l, &l->part[t->part + i], cycles);
}

/* ---- values ---- */

static uint64_t load_8(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

/* 64 bits of a packed value; `end` is that of the chain, and may be near. */
static inline uint64_t load_packed(const uint8_t *from, uint32_t word, const uint8_t *end)
{
    const size_t at = 8 * (size_t)word, left = (size_t)(end - from);
    uint64_t value = 0;

    if (left >= at + 8)
        return load_8(from + at);
    for (size_t i = 0; i < 8; i++)
        value = value << 8 | (at + i < left ? from[at + i] : 0);
    return value;
}

static void load_states(const struct fst_stream *s, uint32_t width, const uint8_t *from,
                        const struct fst_part *p, uint64_t *value, uint64_t *unknown)
{
    *value = *unknown = 0;
    for (uint32_t k = 64 * p->word; k < width && k / 64 == p->word; k++) {
        enum wv_level level = wv_level_of(fst_state_of(s, from[k]));
        *value |= (uint64_t)(level == WV_1) << (63 - k % 64);
        *unknown |= (uint64_t)(level == WV_X) << (63 - k % 64);
    }
}

/* ---- walks ---- */

/* A walk: what its loop has in hand. */
struct along {
    const struct fst *f;
    struct fst_lane *l;
    struct fst_track *t;
    const struct fst_piece *piece;
};

/* The record at `at`, after one of time index `last`, could not be read: again, for the reason. */
static enum pc_status bad_head(const struct along *a, const uint8_t *at, uint64_t last,
                               struct pc_error *err)
{
    struct fst_walk *w = &a->t->walk;

    w->now.at = at;
    struct fst_cursor c = fst_walk_cursor(a->f, w);
    (void)fst_read_head(&c, a->f->stream[w->code].form == FST_BIT, a->f->now.times, last, &w->now);
    return fst_bad_record(a->f, w, &c, last, err);
}

static enum pc_status bad_value(const struct along *a, const uint8_t *at, uint64_t length,
                                uint64_t index, struct pc_error *err)
{
    struct fst_walk *w = &a->t->walk;

    w->now.at = at;
    struct fst_cursor c = fst_walk_cursor(a->f, w);
    (void)fst_take(&c, length);
    return fst_bad_record(a->f, w, &c, index, err);
}

/* A number; *at is left alone where it is not whole. */
static inline bool take_number(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
    if (**at < 0x80) {
        *number = *(*at)++;
        return true;
    }
    struct fst_cursor c = { .at = *at, .end = end, .begin = *at };
    *number = fst_number(&c);
    if (c.fault)
        return false;
    *at = c.at;
    return true;
}

/* To the next record's number; false if that is wrong, and nothing has moved. */
static inline bool next_head(const uint8_t **at, const uint8_t *end, bool single, uint64_t times,
                             uint64_t *index, uint64_t *head)
{
    const uint8_t *const start = *at;
    uint64_t number;

    if (start == end) {
        *index = FST_NEVER;
        return true;
    }
    if (!take_number(at, end, &number))
        return false;
    const uint64_t delta = !single ? number >> 1 : number & 1 ? number >> 4 : number >> 2;
    if (delta >= times - *index) {
        *at = start;
        return false;
    }
    *index += delta;
    *head = number;
    return true;
}

/* Toggles of one plane, a word at a time. */
struct pen {
    uint64_t *plane;
    uint64_t word;
    size_t at;
};

static inline void pen_toggle(struct pen *pen, uint32_t cycle, uint64_t bit)
{
    if (cycle / 64 != pen->at) {
        pen->plane[pen->at] ^= pen->word;
        pen->word = 0;
        pen->at = cycle / 64;
    }
    pen->word ^= bit << cycle % 64;
}

/* Values of one bit, as long as they are 0 or 1. */
static bool walk_known(const struct along *a, struct fst_place *now)
{
    const uint64_t times = a->f->now.times, until = a->piece->sure, begin = a->piece->begin;
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct fst_part *p = &a->l->part[a->t->part];
    uint64_t index = now->next, head = now->head, level = p->value >> 63;
    struct pen pen = { plane_of(a->l, 2 * (size_t)p->signal[63]), 0, 0 };
    bool fine = true;

    if (!(p->toggled[0] >> 63))
        begin_toggles(a->l, p, 0, UINT64_C(1) << 63);
    while (index < until && !(head & 1)) {
        const uint64_t next = head >> 1 & 1;
        pen_toggle(&pen, a->piece->cycle[index - begin], level ^ next);
        level = next;
        fine = next_head(&at, end, true, times, &index, &head);
        if (!fine)
            break;
    }
    pen.plane[pen.at] ^= pen.word;
    p->value = level << 63;
    *now = (struct fst_place){ .at = at, .head = head, .next = index };
    return fine;
}

static enum pc_status walk_bit(const struct along *a, struct pc_error *err)
{
    struct fst_walk *w = &a->t->walk;
    struct fst_part *p = &a->l->part[a->t->part];

    while (w->now.next < a->piece->sure) {
        struct fst_place now = w->now;
        if (!(now.head & 1) && !p->unknown) {
            if (!walk_known(a, &now))
                return bad_head(a, now.at, now.next, err);
        } else {
            const uint64_t state = fst_state_of_head(now.head);
            set_part(a->l, p, (uint64_t)(state == WV_1) << 63, (uint64_t)(state > WV_1) << 63,
                     a->piece->cycle[now.next - a->piece->begin]);
            if (!next_head(&now.at, w->end, true, a->f->now.times, &now.next, &now.head))
                return bad_head(a, now.at, now.next, err);
        }
        w->now = now;
    }
    return PC_OK;
}

/* How long a value is. */
static inline uint64_t value_bytes(const struct fst_stream *s, uint64_t head)
{
    return head & 1 ? s->length : (s->length + (uint64_t)7) / 8;
}

static inline void take_part(const struct along *a, const struct fst_stream *s, uint64_t head,
                             const uint8_t *at, const struct fst_part *p, uint64_t *value,
                             uint64_t *unknown)
{
    if (head & 1) {
        load_states(s, a->f->reader.hier.code[a->t->walk.code].width, at, p, value, unknown);
        *unknown &= p->wanted;
    } else {
        *value = load_packed(at, p->word, a->t->walk.end);
        *unknown = 0;
    }
    *value &= p->wanted;
}

/* Values of several bits. */
static enum pc_status walk_bits(const struct along *a, struct pc_error *err)
{
    const uint64_t times = a->f->now.times, until = a->piece->sure;
    struct fst_walk *w = &a->t->walk;
    const struct fst_stream *s = &a->f->stream[w->code];
    struct fst_part *const part = &a->l->part[a->t->part];
    const uint8_t *at = w->now.at;
    uint64_t index = w->now.next, head = w->now.head, value, unknown;

    while (index < until) {
        const uint32_t cycle = a->piece->cycle[index - a->piece->begin];
        const uint64_t bytes = value_bytes(s, head);
        if (bytes > (uint64_t)(w->end - at))
            return bad_value(a, at, bytes, index, err);
        for (size_t i = 0; i < a->t->parts; i++) {
            take_part(a, s, head, at, &part[i], &value, &unknown);
            set_part(a->l, &part[i], value, unknown, cycle);
        }
        at += bytes;
        if (!next_head(&at, w->end, false, times, &index, &head))
            return bad_head(a, at, index, err);
    }
    w->now = (struct fst_place){ .at = at, .head = head, .next = index };
    return PC_OK;
}

/* The stamp that is open: its values are seen in a cycle that is not known yet. */
static enum pc_status walk_later(const struct along *a, struct pc_error *err)
{
    struct fst_walk *w = &a->t->walk;
    const struct fst_stream *s = &a->f->stream[w->code];
    struct fst_part *const part = &a->l->part[a->t->part];
    const bool single = s->form == FST_BIT;

    while (w->now.next < a->piece->end) {
        struct fst_place now = w->now;
        const uint64_t bytes = single ? 0 : value_bytes(s, now.head);
        if (bytes > (uint64_t)(w->end - now.at))
            return bad_value(a, now.at, bytes, now.next, err);
        if (single) {
            const uint8_t state = fst_state_of_head(now.head);
            part->later_value = (uint64_t)(state == WV_1) << 63;
            part->later_unknown = (uint64_t)(state > WV_1) << 63;
        }
        for (size_t i = 0; !single && i < a->t->parts; i++)
            take_part(a, s, now.head, now.at, &part[i], &part[i].later_value,
                      &part[i].later_unknown);
        now.at += bytes;
        if (!next_head(&now.at, w->end, single, a->f->now.times, &now.next, &now.head))
            return bad_head(a, now.at, now.next, err);
        w->now = now;
    }
    return PC_OK;
}

enum pc_status fst_track_run(const struct fst *f, struct fst_lane *l, struct fst_track *t,
                             const struct fst_piece *piece, struct pc_error *err)
{
    const struct along a = { f, l, t, piece };
    struct fst_part *const part = &l->part[t->part];
    enum pc_status status = PC_OK;

    for (size_t i = 0; piece->later_known && i < t->parts; i++)
        set_part(l, &part[i], part[i].later_value, part[i].later_unknown, piece->later_at);
    if (t->walk.now.next < piece->sure)
        status = f->stream[t->walk.code].form == FST_BIT ? walk_bit(&a, err) : walk_bits(&a, err);
    for (size_t i = 0; piece->later_known && i < t->parts; i++) {
        part[i].later_value = part[i].value;
        part[i].later_unknown = part[i].unknown;
    }
    if (status == PC_OK && t->walk.now.next < piece->end)
        status = walk_later(&a, err);
    if (status == PC_OK && piece->to == WV_BLOCK_CYCLES)
        fst_track_finish(l, t, piece->to);
    return status;
}
