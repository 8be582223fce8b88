/* SPDX-License-Identifier: MIT */
/*
 * The chain of a clock that changes at every index: two bytes in turn, millions of them, which LZ4
 * has packed into runs.  Where that can be seen from the runs it is not unpacked; its begin is
 * kept, and read again and again.
 */
#include "wave/fst/direct.h"

#include <limits.h>
#include <lz4.h>

enum { LAST_LITERALS = 5, LAST_MATCH = 12 }; /* of LZ4: what ends a block */

/* An LZ4 block on its way: byte `out` of what it unpacks to is next. */
struct runs {
    const uint8_t *at, *end;
    uint64_t out;
};

/* Reads the bytes after a length of 15; false: the block ends in them. */
static bool read_length(struct runs *r, uint64_t *length)
{
    uint8_t more = *length < 15 ? 0 : 255;

    while (more == 255) {
        if (r->at == r->end)
            return false;
        more = *r->at++;
        *length += more;
    }
    return true;
}

/* Takes literals after the bytes that are kept, which have to be theirs. */
static bool take_literals(struct runs *r, const struct fst_packed_clock *t, uint64_t length)
{
    if (length > (uint64_t)(r->end - r->at))
        return false;
    for (uint64_t i = 0; i < length; i++, r->out++, r->at++)
        if (r->out >= t->size && *r->at != t->data[t->from + (r->out - t->from) % 2])
            return false;
    return true;
}

/*
 * Returns true if all after the bytes that are kept is a repetition of their end. Asks for more
 * than LZ4 does: what is refused here is unpacked.
 */
static bool repeats(const struct fst_packed_clock *t, const uint8_t *packed, size_t length,
                    uint64_t size)
{
    struct runs r = { packed, packed + length, 0 };

    while (r.at < r.end) {
        const uint8_t token = *r.at++;
        uint64_t literals = token >> 4, match = token & 15;
        if (!read_length(&r, &literals) || !take_literals(&r, t, literals))
            return false;
        if (r.at == r.end)
            return r.out == size;
        if (r.out + LAST_MATCH > size || r.end - r.at < 2)
            return false;
        const uint64_t offset = r.at[0] | (uint64_t)r.at[1] << 8;
        r.at += 2;
        if (offset == 0 || offset > r.out || !read_length(&r, &match))
            return false;
        match += 4;
        if (match > size || r.out + match + LAST_LITERALS > size)
            return false;
        const uint64_t behind = r.out > t->size ? r.out : t->size;
        if (r.out + match > t->size && (offset % 2 != 0 || behind - offset < t->from))
            return false;
        r.out += match;
    }
    return false;
}

bool fst_packed_clock_find(struct fst_packed_clock *t, const struct fst_cursor *packed,
                           uint64_t size)
{
    const size_t length = fst_left(packed);

    if (size < 4 * FST_PACKED_CLOCK || length > INT_MAX)
        return false;
    t->size = FST_PACKED_CLOCK - size % 2; /* so that the rest is even */
    if (LZ4_decompress_safe_partial((const char *)packed->at, (char *)t->data, (int)length,
                                    (int)t->size, (int)t->size) != (int)t->size)
        return false;
    for (t->from = t->size - 2; t->from > 0 && t->data[t->from - 1] == t->data[t->from + 1];)
        t->from--;
    t->again = size - t->size;
    return t->from < t->size / 4 && repeats(t, packed->at, length, size);
}

void fst_packed_clock_back(struct fst_packed_clock *t, struct fst_cursor *c)
{
    const uint64_t read = (uint64_t)(c->at - t->data) - t->from;
    const uint64_t back = fst_least(read, t->again) / 2 * 2;

    c->at -= back;
    c->skipped += back;
    t->again -= back;
}

bool fst_leave_packed(struct fst *f, const struct fst_cursor *packed, uint64_t size)
{
    return fst_packed_clock_find(&f->direct->packed_clock, packed, size);
}

struct fst_cursor fst_packed_clock_cursor(const struct fst *f, const struct fst_walk *w)
{
    const struct fst_packed_clock *t = &f->direct->packed_clock;
    struct fst_cursor c = fst_cursor_on(t->data, (size_t)t->size, f->loaded.chain[w->chain].at);

    c.packed = true;
    c.at = w->now.at;
    return c;
}

enum pc_status fst_begin_packed_clock(struct fst *f, struct fst_walk *w, struct pc_error *err)
{
    w->now.at = f->direct->packed_clock.data;
    struct fst_cursor c = fst_packed_clock_cursor(f, w);
    if (!fst_read_head(&c, true, f->loaded.now.times, 0, &w->now))
        return fst_bad_record(f, w, &c, 0, err);
    return PC_OK;
}
