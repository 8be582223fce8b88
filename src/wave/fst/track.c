/* SPDX-License-Identifier: MIT */
/*
 * One chain into the bit planes of the signals that are bits of its value.  Each change is
 * compared with the value before it; bits that differ are toggled in the plane, in the cycle
 * that sees the change first.  Values of 0 and 1 have loops of their own (known*.c); of
 * long ones only the 64 characters around a wanted bit are looked at.
 */
#include "wave/fst/direct.h"

/* ---- values ---- */

/* Loads 64 bits of a packed value from byte `at` on; `end` is that of the chain, and may be
 * near. */
static inline uint64_t load_packed(const uint8_t *from, size_t at, const uint8_t *end)
{
    const size_t left = (size_t)(end - from);
    uint64_t value = 0;

    if (left >= at + 8)
        return pc_load_high_first(from + at);
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

/* The record at `at`, after one of time index `last`, could not be read: again, for the reason. */
static enum pc_status bad_head(const struct fst_along *a, const uint8_t *at, uint64_t last,
                               struct pc_error *err)
{
    struct fst_walk *w = &a->t->walk;

    w->now.at = at;
    struct fst_cursor c = fst_walk_cursor(a->f, w);
    (void)fst_read_head(&c, a->f->stream[w->code].form == FST_BIT, a->f->loaded.now.times, last,
                        &w->now);
    return fst_bad_record(a->f, w, &c, last, err);
}

static enum pc_status bad_value(const struct fst_along *a, const uint8_t *at, uint64_t length,
                                uint64_t index, struct pc_error *err)
{
    struct fst_walk *w = &a->t->walk;

    w->now.at = at;
    struct fst_cursor c = fst_walk_cursor(a->f, w);
    (void)fst_take(&c, length);
    return fst_bad_record(a->f, w, &c, index, err);
}

/* Takes a number; *at is left alone where it is not whole. */
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

/* Steps to the next record's number; false if that is wrong, and nothing has moved. */
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
    *index += delta; /* both are below 2^63 */
    if (*index >= times) {
        *index -= delta;
        *at = start;
        return false;
    }
    *head = number;
    return true;
}

static enum pc_status walk_bit(const struct fst_along *a, struct fst_place *now,
                               struct pc_error *err)
{
    struct fst_part *p = a->part;

    while (now->next < a->piece->sure) {
        if (!(now->head & 1) && !p->unknown) {
            a->planes->loops->bit(a, now);
        } else {
            const uint64_t state = fst_state_of_head(now->head);
            fst_set_part(a->planes, p, (uint64_t)(state == WV_1) << 63,
                         (uint64_t)(state > WV_1) << 63,
                         fst_cycle_at(a->piece, now->next - a->piece->begin));
        }
        if (!next_head(&now->at, a->t->walk.end, true, a->f->loaded.now.times, &now->next,
                       &now->head))
            return bad_head(a, now->at, now->next, err);
    }
    return PC_OK;
}

/* Returns how long a value is. */
static inline uint64_t value_bytes(const struct fst_stream *s, uint64_t head)
{
    return head & 1 ? s->length : (s->length + (uint64_t)7) / 8;
}

static void take_part(const struct fst_along *a, const struct fst_stream *s, uint64_t head,
                      const uint8_t *at, const struct fst_part *p, uint64_t *value,
                      uint64_t *unknown)
{
    if (head & 1) {
        load_states(s, a->f->reader.hier.code[a->t->walk.code].width, at, p, value, unknown);
        *unknown &= p->wanted;
    } else {
        *value = load_packed(at, 8 * (size_t)p->word, a->t->walk.end);
        *unknown = 0;
    }
    *value &= p->wanted;
}

/* Takes one record of a value of several bits, whatever it is; *now is past it. */
static enum pc_status take_record(const struct fst_along *a, struct fst_place *now,
                                  struct pc_error *err)
{
    const struct fst_walk *w = &a->t->walk;
    const struct fst_stream *s = &a->f->stream[w->code];
    const uint64_t bytes = value_bytes(s, now->head);
    struct fst_part *p = a->part;
    uint64_t value, unknown;

    if (bytes > (uint64_t)(w->end - now->at))
        return bad_value(a, now->at, bytes, now->next, err);
    take_part(a, s, now->head, now->at, p, &value, &unknown);
    if (now->next < a->piece->sure) {
        fst_set_part(a->planes, p, value, unknown,
                     fst_cycle_at(a->piece, now->next - a->piece->begin));
    } else {
        p->later_value = value;
        p->later_unknown = unknown;
    }
    now->at += bytes;
    if (!next_head(&now->at, w->end, false, a->f->loaded.now.times, &now->next, &now->head))
        return bad_head(a, now->at, now->next, err);
    return PC_OK;
}

static enum pc_status walk_bits(const struct fst_along *a, struct fst_place *now,
                                struct pc_error *err)
{
    const struct fst_walk *w = &a->t->walk;
    const size_t packed = (size_t)value_bytes(&a->f->stream[w->code], 0);
    enum pc_status status = PC_OK;

    while (now->next < a->piece->sure && status == PC_OK) {
        const size_t left = (size_t)(w->end - now->at);
        if (now->head & 1 || a->part->unknown || left < (packed == 1 ? 1 : packed + 8)) {
            status = take_record(a, now, err);
            continue;
        }
        if (packed == 1)
            a->planes->loops->bytes(a, now);
        else
            a->planes->loops->packed(a, now, packed);
        if (!next_head(&now->at, w->end, false, a->f->loaded.now.times, &now->next, &now->head))
            status = bad_head(a, now->at, now->next, err);
    }
    return status;
}

/* Takes a record of one bit in the stamp that is open. */
static enum pc_status take_later_bit(const struct fst_along *a, struct fst_place *now,
                                     struct pc_error *err)
{
    struct fst_part *p = a->part;
    const uint64_t state = fst_state_of_head(now->head);

    p->later_value = (uint64_t)(state == WV_1) << 63;
    p->later_unknown = (uint64_t)(state > WV_1) << 63;
    if (!next_head(&now->at, a->t->walk.end, true, a->f->loaded.now.times, &now->next, &now->head))
        return bad_head(a, now->at, now->next, err);
    return PC_OK;
}

/* Walks cycles that are known, and then the stamp that is open. */
static enum pc_status walk_part(const struct fst_along *a, struct fst_place *now,
                                struct pc_error *err)
{
    const bool single = a->f->stream[a->t->walk.code].form == FST_BIT;
    struct fst_part *p = a->part;
    enum pc_status status = PC_OK;

    if (a->piece->later_known)
        fst_set_part(a->planes, p, p->later_value, p->later_unknown, a->piece->later_at);
    if (now->next < a->piece->sure)
        status = single ? walk_bit(a, now, err) : walk_bits(a, now, err);
    if (a->piece->later_known) {
        p->later_value = p->value;
        p->later_unknown = p->unknown;
    }
    while (now->next < a->piece->end && status == PC_OK)
        status = single ? take_later_bit(a, now, err) : take_record(a, now, err);
    return status;
}

enum pc_status fst_track_run(const struct fst *f, struct fst_bound_stream *l, struct fst_track *t,
                             const struct fst_piece *piece, struct fst_rows *rows,
                             struct pc_error *err)
{
    const unsigned set = (unsigned)(piece->block % l->sets);
    struct fst_place now = t->walk.now;

    for (size_t i = 0; i < t->parts; i++) {
        const struct fst_along a = { f, &l->planes[set], t, &l->part[t->part + i], piece, rows };
        now = t->walk.now;
        enum pc_status status = walk_part(&a, &now, err);
        if (status)
            return status;
    }
    t->walk.now = now;
    if (piece->to == WV_BLOCK_CYCLES)
        fst_track_finish(l, t, set, piece->to);
    return PC_OK;
}
