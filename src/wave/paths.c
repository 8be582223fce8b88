/* SPDX-License-Identifier: MIT */
/* Paths and what they say of signals, held against each other. */
#include "wave/find.h"

uint32_t wv_name_hash(const char *path, size_t length)
{
    size_t from = length;

    while (from > 0 && path[from - 1] != '.')
        from--;
    return wv_path_hash(path + from, length - from);
}

uint32_t wv_path_hash(const char *path, size_t length)
{
    const char *end = path + length;
    uint32_t h = 2166136261u;

    for (const char *p = path; p < end; p++)
        if (*p != ' ' && *p != '\\')
            h = (h ^ (uint8_t)*p) * 16777619u;
    return h ^ h >> 15;
}

static bool is_skipped(char c, bool exactly)
{
    return c == ' ' || (c == '\\' && !exactly);
}

int wv_compare_paths(struct wv_piece path, struct wv_piece wanted, bool exactly)
{
    const char *p = path.at + path.length, *w = wanted.at + wanted.length;

    for (;;) {
        while (p > path.at && is_skipped(p[-1], exactly))
            p--;
        while (w > wanted.at && is_skipped(w[-1], exactly))
            w--;
        if (w == wanted.at)
            return p == path.at ? 2 : p[-1] == '.' ? 1 : 0;
        if (p == path.at || p[-1] != w[-1])
            return 0;
        p--;
        w--;
    }
}

bool wv_same_stream(const struct wv_hier *h, struct wv_signal a, struct wv_signal b)
{
    const size_t vars = a.split ? a.split->count : 1;

    if (!a.split != !b.split || wv_width_of(h, a) != wv_width_of(h, b))
        return false;
    for (size_t i = 0; i < vars; i++)
        if (h->var[a.var + i].code != h->var[b.var + i].code)
            return false;
    return true;
}

/* Returns the range of a packed array; of others it says no more than the bounds, and may be left
 * out. */
static const char *shape_of(const struct wv_hier *h, struct wv_signal s)
{
    const char *range = s.split ? "" : h->names + h->var[s.var].range;

    return strstr(range, "][") ? range : "";
}

bool wv_same_bounds(const struct wv_hier *h, struct wv_signal a, struct wv_signal b)
{
    const struct wv_range x = wv_bounds_of(h, a), y = wv_bounds_of(h, b);

    return x.left == y.left && x.right == y.right && strcmp(shape_of(h, a), shape_of(h, b)) == 0;
}
