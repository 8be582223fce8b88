/* SPDX-License-Identifier: MIT */
/*
 * Signals that have one path.  They are pieces of one vector, declared apart, if no index is in two
 * of them; or simulators of two languages declared one name twice, and the order tells them apart.
 */
#include "wave/find.h"

#define MOST 1000 /* of one path that are looked at: each is held against those before it */

/* All of one path, in the order of declaration. */
struct namesakes {
    const struct pc_wave *wave;
    struct wv_piece path;
    uint32_t var, split; /* the next ones + 1 */
    unsigned count;
};

static struct namesakes begin(const struct pc_wave *wave, struct wv_signal first, bool splits)
{
    const struct wv_piece path = wv_path_of(wv_hier_of(wave), first);

    return (struct namesakes){
        .wave = wave,
        .path = path,
        .var = wv_first_of_path(wave, path.at, path.length),
        .split = splits && wave->splits ? *wv_split_head(wave, path.at, path.length) : 0,
    };
}

static bool next(struct namesakes *n, struct wv_signal *out)
{
    while ((n->var || n->split) && n->count < MOST) {
        const struct wv_split_vector *r = n->split ? &n->wave->split[n->split - 1] : NULL;
        if (r && (!n->var || r->first < n->var - 1)) {
            *out = (struct wv_signal){ r->first, r };
            n->split = r->next;
        } else {
            *out = (struct wv_signal){ n->var - 1, NULL };
            n->var = wv_next_of_path(n->wave, n->var);
        }
        if (wv_compare_paths(wv_path_of(wv_hier_of(n->wave), *out), n->path, true) == 2) {
            n->count++;
            return true;
        }
    }
    return false;
}

static bool same(const struct wv_hier *h, struct wv_signal a, struct wv_signal b)
{
    return wv_same_stream(h, a, b) && wv_same_bounds(h, a, b);
}

/* Returns true if the like of it was declared before it. */
static bool is_again(const struct pc_wave *wave, struct wv_signal s, bool splits)
{
    struct namesakes n = begin(wave, s, splits);
    struct wv_signal other;

    while (next(&n, &other) && other.var < s.var)
        if (same(wv_hier_of(wave), other, s))
            return true;
    return false;
}

bool wv_find_turn(const struct pc_wave *wave, struct wv_signal first, uint32_t turn, bool splits,
                  struct wv_signal *out)
{
    struct namesakes n = begin(wave, first, splits);
    struct wv_signal s;

    while (turn > 0 && next(&n, &s))
        if (!is_again(wave, s, splits) && --turn == 0)
            *out = s;
    return turn == 0;
}

static bool inside(struct wv_range r, int64_t index)
{
    return r.left >= r.right ? index <= r.left && index >= r.right
                             : index >= r.left && index <= r.right;
}

static bool has_one_dimension(const struct wv_hier *h, struct wv_signal s)
{
    return s.split || (h->var[s.var].kind == PC_VAR_BITS && h->var[s.var].width > 0 &&
                       !strstr(h->names + h->var[s.var].range, "]["));
}

static struct pc_wave_bit bit_of(const struct wv_hier *h, struct wv_signal s, int64_t index)
{
    const struct wv_range r = wv_bounds_of(h, s);
    const size_t from_right = (size_t)(r.left >= r.right ? index - r.right : r.right - index);

    return s.split ? (struct pc_wave_bit){ s.var + s.split->count - 1 - from_right, 0 }
                   : (struct pc_wave_bit){ s.var, (uint32_t)from_right };
}

/* Adds one more place of the bit; false: another than before. */
static bool add_bit(const struct wv_hier *h, struct pc_wave_bit bit, bool *found,
                    struct pc_wave_bit *out)
{
    const bool other =
        *found && (h->var[bit.var].code != h->var[out->var].code || bit.bit != out->bit);

    if (!*found)
        *out = bit;
    *found = true;
    return !other;
}

bool wv_piece_bit(const struct pc_wave *wave, struct wv_signal first, int64_t index, bool splits,
                  struct pc_wave_bit *out)
{
    const struct wv_hier *h = wv_hier_of(wave);
    struct namesakes n = begin(wave, first, splits);
    struct wv_signal s;
    bool found = false;

    while (next(&n, &s))
        if (has_one_dimension(h, s) && inside(wv_bounds_of(h, s), index) &&
            !add_bit(h, bit_of(h, s, index), &found, out))
            return false;
    return found;
}

bool wv_pieces(const struct pc_wave *wave, struct wv_signal first, bool splits,
               struct wv_range *bounds)
{
    const struct wv_hier *h = wv_hier_of(wave);
    struct namesakes n = begin(wave, first, splits);
    bool falls = false, rises = false;
    int64_t low = INT64_MAX, high = INT64_MIN, bits = 0;
    struct wv_signal s;

    while (next(&n, &s)) {
        const struct wv_range r = wv_bounds_of(h, s);
        if (!has_one_dimension(h, s))
            return false;
        if (is_again(wave, s, splits))
            continue;
        falls = falls || r.left > r.right;
        rises = rises || r.left < r.right;
        low = r.left < low ? r.left : low;
        low = r.right < low ? r.right : low;
        high = r.left > high ? r.left : high;
        high = r.right > high ? r.right : high;
        bits += wv_width_of(h, s);
    }
    *bounds = rises ? (struct wv_range){ low, high } : (struct wv_range){ high, low };
    return n.count < MOST && !(falls && rises) && high - low + 1 == bits;
}
