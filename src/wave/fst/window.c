/* SPDX-License-Identifier: MIT */
/*
 * Chains are one stream over all times; a reader hands out one time over all streams.  The
 * block is turned around in windows of time indices: every chain is decoded as far as the
 * window reaches and the changes are sorted by index, counting first.  The window's width
 * follows the density of changes, so that memory does not depend on the length of the
 * block: if a window overflows, the chains go back to where they were and it is halved.
 */
#include "wave/fst/chain.h"

#define CHANGES_AIM ((size_t)1 << 18) /* a window with more is tried again, narrower */
#define BITS_AIM    ((size_t)1 << 23)
#define BITS_MAX    ((size_t)1 << 28) /* of one time stamp */
#define SPAN_FIRST  ((uint32_t)1 << 12)
#define SPAN_MAX    ((uint32_t)1 << 18)

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline bool fits(const struct fst_window *w, size_t bits)
{
    return w->changes < w->changes_room && w->bits_used + bits <= w->bits_room;
}

/* Room for one more change, and for `bits` more bits; *full if the window is to be narrower. */
static enum pc_status make_room(struct fst *f, size_t bits, bool *full, struct pc_error *err)
{
    struct fst_window *w = &f->window;
    bool narrowest = w->end - w->begin == 1;
    uint64_t most = f->reader.hier.limits.max_vars;

    if (w->changes >= CHANGES_AIM || w->bits_used + bits > BITS_AIM) {
        *full = !narrowest;
        if (*full)
            return PC_OK;
        if (w->changes >= CHANGES_AIM && w->changes >= most)
            return pc_fail_byte(err, 718, f->block[f->loaded.now.block].at,
                                "more than %llu changes at time index %llu of the block",
                                (unsigned long long)most, (unsigned long long)w->begin);
        if (w->bits_used + bits > BITS_MAX)
            return pc_fail_byte(err, 718, f->block[f->loaded.now.block].at,
                                "values of more than %zu bits at time index %llu of the block",
                                BITS_MAX, (unsigned long long)w->begin);
    }
    if (!pc_grow(&f->alloc, (void **)&w->staged, &w->staged_capacity, w->changes + 1,
                 sizeof *w->staged) ||
        !pc_grow(&f->alloc, (void **)&w->slot, &w->slot_capacity, w->changes + 1,
                 sizeof *w->slot) ||
        !pc_grow(&f->alloc, (void **)&w->bits, &w->bits_capacity, w->bits_used + bits, 1))
        return fst_no_memory(err, "a span of time");
    w->changes_room = least(least(w->staged_capacity, w->slot_capacity),
                            narrowest ? w->changes + 1 : CHANGES_AIM);
    w->bits_room = least(w->bits_capacity, narrowest ? w->bits_used + bits : BITS_AIM);
    return PC_OK;
}

/* ---- from a chain to the window ---- */

/* '0' or '1' for each bit; eight copies of a byte, each shifted by one more, have them on top. */
static void write_packed(uint32_t width, const uint8_t *from, char *to)
{
    const uint64_t tops = UINT64_C(0x8080808080808080), zeros = UINT64_C(0x3030303030303030);
    uint32_t i = 0;

    for (; i + 8 <= width; i += 8) {
        const uint64_t bits = from[i / 8] * UINT64_C(0x8040201008040201) & tops;
        const uint64_t states = zeros | bits >> 7;
        for (unsigned k = 0; k < 8; k++)
            to[i + k] = (char)(states >> 8 * k & 0xff);
    }
    for (; i < width; i++)
        to[i] = (char)('0' + (from[i >> 3] >> (7 - (i & 7)) & 1));
}

/* Takes a value of several characters, or a text; true if its states are wanted. */
static inline bool take_value(const struct fst_stream *s, const struct wv_code *code, uint64_t head,
                              struct fst_cursor *c, char *to)
{
    bool characters = head & 1;
    uint64_t length = s->form == FST_TEXT ? fst_number(c)
                      : characters        ? s->length
                                          : (s->length + (uint64_t)7) / 8;
    const uint8_t *from = fst_take(c, length);

    if (!from || code->kind != PC_VAR_BITS)
        return false;
    if (characters)
        fst_write_states(s, code->width, from, to);
    else
        write_packed(code->width, from, to);
    return true;
}

/* Stages what of the chain comes before the window's end, or as much as may be. */
static enum pc_status walk_until(struct fst *f, struct fst_walk *w, bool *full,
                                 struct pc_error *err)
{
    struct fst_window *win = &f->window;
    const struct fst_stream *s = &f->stream[w->code];
    const struct wv_code *code = &f->reader.hier.code[w->code];
    bool single = s->form == FST_BIT;
    size_t bits = single ? 0 : code->width;
    struct fst_cursor c = fst_walk_cursor(f, w);

    while (w->now.next < win->end) {
        uint64_t head = w->now.head, index = w->now.next;
        size_t at = 0;
        if (!fits(win, bits)) {
            enum pc_status status = make_room(f, bits, full, err);
            if (status || *full)
                return status;
        }
        if (single) {
            at = fst_state_of_head(head);
        } else if (take_value(s, code, head, &c, win->bits + win->bits_used)) {
            at = win->bits_used;
            win->bits_used += bits;
        }
        win->staged[win->changes] = (struct wv_change){ .code = w->code, .at = (uint32_t)at };
        win->slot[win->changes++] = (uint32_t)(index - win->begin);
        if (c.fault || !fst_read_head(&c, single, f->loaded.now.times, index, &w->now))
            return fst_bad_record(f, w, &c, index, err);
    }
    return PC_OK;
}

/* ---- all chains ---- */

/* Decodes what lies in the window; *full if it was too wide, and nothing has moved. */
static enum pc_status stage_all(struct fst *f, bool *full, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    size_t i;

    f->window.changes = f->window.changes_room = 0;
    f->window.bits_used = sizeof FST_STATES - 1;
    *full = false;
    for (i = 0; i < f->loaded.walks && status == PC_OK && !*full; i++) {
        struct fst_walk *w = &f->loaded.walk[i];
        w->was = w->now;
        if (w->now.next < f->window.end)
            status = walk_until(f, w, full, err);
    }
    while (*full && i-- > 0)
        f->loaded.walk[i].now = f->loaded.walk[i].was;
    return status;
}

/* Stable: changes of one index stay in the order of their streams. */
static enum pc_status sort(struct fst *f, struct pc_error *err)
{
    struct fst_window *w = &f->window;
    size_t slots = (size_t)(w->end - w->begin);

    if (!pc_grow(&f->alloc, (void **)&w->first, &w->first_capacity, slots + 2, sizeof *w->first) ||
        !pc_grow(&f->alloc, (void **)&w->change, &w->change_capacity, w->changes,
                 sizeof *w->change))
        return fst_no_memory(err, "a span of time");
    memset(w->first, 0, (slots + 2) * sizeof *w->first);
    for (size_t i = 0; i < w->changes; i++)
        w->first[w->slot[i] + 2]++;
    for (size_t i = 2; i < slots + 2; i++)
        w->first[i] += w->first[i - 1];
    for (size_t i = 0; i < w->changes; i++) /* first[s + 1] grows from s's begin to its end */
        w->change[w->first[w->slot[i] + 1]++] = w->staged[i];
    return PC_OK;
}

enum pc_status fst_load_window(struct fst *f, struct pc_error *err)
{
    struct fst_window *w = &f->window;
    bool full;

    if (w->span == 0)
        w->span = SPAN_FIRST;
    if (!pc_grow(&f->alloc, (void **)&w->bits, &w->bits_capacity, sizeof FST_STATES, 1))
        return fst_no_memory(err, "a span of time");
    memcpy(w->bits, FST_STATES, sizeof FST_STATES);
    w->begin = f->loaded.now.index;
    for (;;) {
        uint64_t left = f->loaded.now.times - w->begin;
        w->end = w->begin + (left < w->span ? left : w->span);
        enum pc_status status = stage_all(f, &full, err);
        if (status)
            return status;
        if (!full)
            break;
        w->span = (uint32_t)(w->end - w->begin) / 2;
    }
    if (w->changes < CHANGES_AIM / 4 && w->bits_used < BITS_AIM / 4 && w->span < SPAN_MAX)
        w->span *= 2;
    return sort(f, err);
}
