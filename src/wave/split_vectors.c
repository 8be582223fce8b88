/* SPDX-License-Identifier: MIT */
/*
 * Vectors whose bits a file declares one by one: "x [7]", "x [6]" and so on, one after the other,
 * are x[7:0], the first declared its leftmost, as viewers take them.  Only where each bit
 * between the ends is there once, or all of them again: all else stays single bits.  Not of
 * captures, whose channels stand in the order of their numbers, which says nothing about a vector.
 */
#include "wave/wave.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_SIZE sizeof "[-2147483648:-2147483648]"

/* Returns where the index at the end of a name begins. */
static size_t base_length(const char *name)
{
    return (size_t)(strrchr(name, '[') - name);
}

static int64_t index_of(const char *name)
{
    return strtol(name + base_length(name) + 1, NULL, 10); /* held against int32_t by hier.c */
}

static bool same_base(const char *a, const char *b)
{
    const size_t n = base_length(a);

    return base_length(b) == n && memcmp(a, b, n) == 0;
}

/* Bits that stand one after the other: `times` vectors of `each`, or of no vector if `step` is 0.
 */
struct stretch {
    size_t each, times;
    int64_t step;
};

/* Measures from `first` on. A vector may be declared several times, each time with all of its
 * bits. */
static struct stretch measure(const struct wv_hier *h, size_t first)
{
    const char *name = h->names + h->var[first].name;
    const int64_t left = index_of(name);
    struct stretch s = { .each = 0 };
    bool follows = true;
    size_t n = 1;

    for (; first + n < h->vars && h->var[first + n].indexed; n++) {
        const char *next = h->names + h->var[first + n].name;
        if (!same_base(name, next))
            break;
        const int64_t index = index_of(next);
        if (n == 1)
            s.step = index - left;
        else if (index == left && s.each == 0)
            s.each = n;
        follows = follows && index == left + s.step * (int64_t)(s.each ? n % s.each : n);
    }
    if (s.each == 0)
        s.each = n;
    s.times = n / s.each;
    if (!follows || n % s.each != 0 || (s.step != 1 && s.step != -1))
        s = (struct stretch){ .each = n, .times = 1 };
    return s;
}

static bool add_vector(struct pc_wave *wave, size_t first, size_t count, int64_t step)
{
    const char *name = wv_hier_of(wave)->names + wv_hier_of(wave)->var[first].name;
    const int64_t left = index_of(name);

    if (!pc_grow(&wave->alloc, (void **)&wave->split, &wave->splits_capacity, wave->splits + 1,
                 sizeof *wave->split))
        return false;
    wave->split[wave->splits++] =
        (struct wv_split_vector){ .first = (uint32_t)first,
                                  .count = (uint32_t)count,
                                  .base = (uint32_t)base_length(name),
                                  .left = (int32_t)left,
                                  .right = (int32_t)(left + step * (int64_t)(count - 1)) };
    return true;
}

/* Writes names and ranges as those of variables, each with its NUL. */
static bool write_names(struct pc_wave *wave)
{
    const struct wv_hier *h = wv_hier_of(wave);
    size_t size = 0, used = 0;

    for (size_t i = 0; i < wave->splits; i++)
        if (!pc_size_add(size, wave->split[i].base + 1 + RANGE_SIZE, &size))
            return false;
    wave->split_text = pc_calloc(&wave->alloc, 1, size);
    if (!wave->split_text)
        return false;
    wave->split_text_size = size;
    for (size_t i = 0; i < wave->splits; i++) {
        struct wv_split_vector *r = &wave->split[i];
        r->name = used;
        memcpy(wave->split_text + used, h->names + h->var[r->first].name, r->base);
        used += r->base + 1;
        r->range = used;
        used += (size_t)snprintf(wave->split_text + used, size - used, "[%" PRId32 ":%" PRId32 "]",
                                 r->left, r->right) +
                1;
    }
    return true;
}

bool wv_find_split_vectors(struct pc_wave *wave)
{
    const struct wv_hier *h = wv_hier_of(wave);
    const enum pc_wave_format format = wave->reader->info.format;
    size_t heads = 16;

    if (format == PC_WAVE_SIGROK || format == PC_WAVE_CSV)
        return true;
    for (size_t i = 0; i < h->vars;) {
        struct stretch s = { .each = 1, .times = 1 };
        if (h->var[i].indexed)
            s = measure(h, i);
        for (size_t t = 0; t < s.times; t++, i += s.each)
            if (s.step != 0 && !add_vector(wave, i, s.each, s.step))
                return false;
    }
    if (wave->splits == 0)
        return true;
    if (!write_names(wave))
        return false;
    while (heads < wave->splits)
        heads *= 2;
    wave->split_head = pc_calloc(&wave->alloc, heads, sizeof *wave->split_head);
    if (!wave->split_head)
        return false;
    wave->split_heads = heads;
    for (size_t i = wave->splits; i-- > 0;) {
        struct wv_split_vector *r = &wave->split[i];
        uint32_t *head = wv_split_head(wave, h->names + h->var[r->first].name, r->base);
        r->next = *head;
        *head = (uint32_t)i + 1;
    }
    return true;
}

void wv_free_split_vectors(struct pc_wave *wave)
{
    pc_free(&wave->alloc, wave->split, wave->splits_capacity * sizeof *wave->split);
    pc_free(&wave->alloc, wave->split_text, wave->split_text_size);
    pc_free(&wave->alloc, wave->split_head, wave->split_heads * sizeof *wave->split_head);
}
