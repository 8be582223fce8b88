/* SPDX-License-Identifier: MIT */
/*
 * The frame of the first block: the value of every stream at the block's begin, as
 * characters, one stream after the other in the order of their numbers.  Its values are
 * those before the first timestamp, as what a VCD has before its first #:
 *
 *   - if the block begins before its first timestamp, all of them;
 *   - otherwise the first stamp has written its own values, and the frame matters only to
 *     streams that it left alone and that are known.
 *
 * The frames of later blocks repeat what the chains before them made.
 */
#include "wave/fst/fst.h"

#define CARRY_BITS_MAX ((size_t)UINT32_MAX / 4)

enum pc_status fst_carry(struct fst *f, const struct wv_change *change, size_t changes,
                         const char *bits, struct pc_error *err)
{
    const struct wv_code *code = f->reader.hier.code;
    size_t need;

    if (!pc_size_add(f->carried, changes, &need) ||
        !pc_grow(&f->alloc, (void **)&f->carry, &f->carry_capacity, need, sizeof *f->carry))
        return fst_no_memory(err, "a timestamp");
    for (size_t i = 0; i < changes; i++) {
        struct wv_change c = change[i];
        size_t width = code[c.code].kind == PC_VAR_BITS ? code[c.code].width : 0;
        need = f->carry_bits_used + width;
        if (need > CARRY_BITS_MAX)
            return pc_fail_byte(err, 718, f->block[f->loaded.now.block].at,
                                "values of more than %zu bits at one timestamp", CARRY_BITS_MAX);
        if (!pc_grow(&f->alloc, (void **)&f->carry_bits, &f->carry_bits_capacity, need + 1, 1))
            return fst_no_memory(err, "a timestamp");
        memcpy(f->carry_bits + f->carry_bits_used, bits + c.at, width);
        c.at = (uint32_t)f->carry_bits_used;
        f->carry_bits_used = need;
        f->carry[f->carried++] = c;
    }
    return PC_OK;
}

static bool is_unknown(const char *bits, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (bits[i] != 'x')
            return false;
    return true;
}

/* Adds one wanted stream's value; `changes_at_once`: the first stamp has one too. */
static enum pc_status add_value(struct fst *f, uint32_t stream, const uint8_t *from, bool all,
                                bool changes_at_once, struct pc_error *err)
{
    const struct wv_code *code = &f->reader.hier.code[stream];
    struct wv_change change = { .code = stream };
    size_t width = code->kind == PC_VAR_BITS ? code->width : 0;

    if (!pc_grow(&f->alloc, (void **)&f->window.bits, &f->window.bits_capacity, width + 1, 1))
        return fst_no_memory(err, "initial values");
    if (code->coding == WV_CODED_REAL)
        wv_put_real(fst_double(f, from), f->window.bits);
    else
        fst_write_states(&f->stream[stream], (uint32_t)width, from, f->window.bits);
    if (!all && (changes_at_once || is_unknown(f->window.bits, width)))
        return PC_OK;
    return fst_carry(f, &change, 1, f->window.bits, err);
}

/* Adds all of them, from the cursor on. */
static enum pc_status add_values(struct fst *f, struct fst_cursor c, struct pc_error *err)
{
    const struct fst_now *n = &f->loaded.now;
    const bool all = n->clock != f->block[n->block].begin;
    enum pc_status status = PC_OK;
    size_t next = 0, walk = 0;

    for (uint32_t i = 0; i < n->frame_streams && status == PC_OK; i++) {
        bool text = f->stream[i].form == FST_TEXT;
        const uint8_t *from = fst_take(&c, f->stream[i].length);
        if (!from)
            return fst_fail(&c, err, 717, "the frame ends before value stream %lu of %llu",
                            (unsigned long)i, (unsigned long long)n->frame_streams);
        if (next == f->wanteds || f->wanted[next] != i)
            continue;
        next++;
        while (walk < f->loaded.walks && f->loaded.walk[walk].code < i)
            walk++;
        bool at_once = walk < f->loaded.walks && f->loaded.walk[walk].code == i &&
                       f->loaded.walk[walk].now.next == 0;
        if (!text)
            status = add_value(f, i, from, all, at_once, err);
    }
    if (status == PC_OK && fst_left(&c) > 0)
        return fst_fail(&c, err, 717, "%zu bytes of the frame belong to no value stream",
                        fst_left(&c));
    return status;
}

enum pc_status fst_load_frame(struct fst *f, struct pc_error *err)
{
    struct fst_now *n = &f->loaded.now;
    struct fst_buffer stored = { 0 }, unpacked = { 0 };
    struct fst_cursor c, values;

    f->carried = f->carry_bits_used = 0;
    if (n->times == 0)
        return PC_OK;
    enum pc_status status = fst_read_buffer(f, n->frame, &stored, &c, err);
    values = c;
    if (status == PC_OK && n->frame_size != fst_left(&c))
        status = fst_unpack_buffer(f, &c, FST_ZLIB, n->frame_size, &n->budget, &unpacked, &values,
                                   err, "frame");
    if (status == PC_OK)
        status = add_values(f, values, err);
    fst_free_buffer(f, &stored);
    fst_free_buffer(f, &unpacked);
    f->initial = f->carried > 0;
    return status;
}
