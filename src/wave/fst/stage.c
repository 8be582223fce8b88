/* SPDX-License-Identifier: MIT */
/* Changes of one chain into the window, as the chain gives them, as far as there is room. */
#include "wave/fst/chain.h"

#define BITS_MAX ((size_t)1 << 28) /* of one timestamp */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline bool fits(const struct fst_window *w, size_t bits)
{
    return w->changes < w->changes_room && w->bits_used + bits <= w->bits_room;
}

/* Room for one more change, and for `bits` more bits; *full if the window is to be narrower. */
static __attribute__((noinline)) enum pc_status make_room(struct fst *f, size_t bits, bool *full,
                                                          struct pc_error *err)
{
    struct fst_window *w = &f->window;
    bool narrowest = w->end - w->begin == 1;
    uint64_t most = f->reader.hier.limits.max_vars;

    if (w->changes >= FST_CHANGES_AIM || w->bits_used + bits > FST_BITS_AIM) {
        *full = !narrowest;
        if (*full)
            return PC_OK;
        if (w->changes >= FST_CHANGES_AIM && w->changes >= most)
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
                            narrowest ? w->changes + 1 : FST_CHANGES_AIM);
    w->bits_room = least(w->bits_capacity, narrowest ? w->bits_used + bits : FST_BITS_AIM);
    return PC_OK;
}

/* Writes '0' or '1' for each bit; eight copies of a byte, each shifted by one more, have them on
 * top. */
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
static inline bool take_value(const struct fst *f, const struct fst_stream *s,
                              const struct wv_code *code, uint64_t head, struct fst_cursor *c,
                              char *to)
{
    bool characters = head & 1;
    uint64_t length = s->form == FST_TEXT ? fst_number(c)
                      : characters        ? s->length
                                          : (s->length + (uint64_t)7) / 8;
    const uint8_t *from = fst_take(c, length);

    if (!from || code->kind != PC_VAR_BITS)
        return false;
    if (code->coding == WV_CODED_TEXT)
        wv_put_text((const char *)from, length, false, to);
    else if (code->coding == WV_CODED_REAL)
        wv_put_real(fst_double(f, from), to);
    else if (characters)
        fst_write_states(s, code->width, from, to);
    else
        write_packed(code->width, from, to);
    return true;
}

enum pc_status fst_walk_until(struct fst *f, struct fst_walk *w, bool *full, struct pc_error *err)
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
        } else if (take_value(f, s, code, head, &c, win->bits + win->bits_used)) {
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
