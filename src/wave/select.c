/* SPDX-License-Identifier: MIT */
/* Bits and slices after names, in the bounds of declarations. */
#include "wave/find.h"

#include <string.h>

static bool parse_index(const char **at, int64_t *out)
{
    const bool minus = **at == '-';
    const char *p = *at + minus;
    int64_t n = 0;

    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        n = n * 10 + (*p - '0');
        if (n > INT32_MAX)
            n = (int64_t)INT32_MAX + 1; /* out of every bound */
    }
    *at = p;
    *out = minus ? -n : n;
    return true;
}

bool wv_cut_select(struct wv_piece *name, struct wv_range *out)
{
    size_t end = name->length, open;

    while (end > 0 && name->at[end - 1] == ' ')
        end--;
    if (end == 0 || name->at[end - 1] != ']')
        return false;
    for (open = end - 1; open > 0 && name->at[open] != '['; open--)
        ;
    if (open == 0)
        return false;
    const char *p = name->at + open + 1;
    if (!parse_index(&p, &out->left))
        return false;
    out->right = out->left;
    if (*p == ':') {
        p++;
        if (!parse_index(&p, &out->right))
            return false;
    }
    if (p != name->at + end - 1)
        return false;
    name->length = open;
    return true;
}

size_t wv_dimensions(const struct wv_hier *h, struct wv_signal s,
                     struct wv_range out[WV_DIMENSIONS])
{
    const char *p = s.split ? "" : h->names + h->var[s.var].range;
    const int64_t width = wv_width_of(h, s);
    int64_t bits = 1;
    size_t n = 0;

    for (; *p == '[' && n < WV_DIMENSIONS; p++, n++) {
        p++;
        if (!parse_index(&p, &out[n].left) || *p++ != ':' || !parse_index(&p, &out[n].right) ||
            *p != ']' || wv_length_of(out[n]) > width)
            break;
        bits *= wv_length_of(out[n]);
        if (bits > width)
            break;
    }
    if (*p == '\0' && bits == width && n > 1)
        return n;
    out[0] = wv_bounds_of(h, s);
    return 1;
}

enum pc_status wv_positions(const char *name, struct wv_range declared, struct wv_range asked,
                            int64_t *hi, int64_t *lo, struct pc_error *err)
{
    const int64_t left = declared.left, right = declared.right;
    const bool falls = left >= right;

    *hi = falls ? asked.left - right : right - asked.left;
    *lo = falls ? asked.right - right : right - asked.right;
    if (*hi < 0 || *lo < 0 || *hi >= wv_length_of(declared) || *lo >= wv_length_of(declared)) {
        enum pc_status status = pc_fail(err, 522, "\"%.200s\" reaches beyond the signal", name);
        pc_hint(err, "it is declared [%ld:%ld]", (long)left, (long)right);
        return status;
    }
    if (*hi < *lo) {
        enum pc_status status =
            pc_fail(err, 523, "the slice of \"%.200s\" is the wrong way round", name);
        pc_hint(err, "the signal is declared [%ld:%ld]; write [%ld:%ld]", (long)left, (long)right,
                (long)asked.right, (long)asked.left);
        return status;
    }
    return PC_OK;
}
