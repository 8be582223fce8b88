/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of whole vectors by their words, when one of them changes: each gives one signal.
 * Words have their digits as text does (struct wv_stretch): the leftmost is in the lowest bit.
 */
#include "wave/plane.h"

#include <string.h>

/* --- what is compared --- */

static bool is_vector(const struct pc_wave *wave, size_t var)
{
    const struct wv_hier *h = wv_hier_of(wave);

    return var < h->vars && h->var[var].kind == PC_VAR_BITS && h->var[var].width > 1 &&
           h->code[h->var[var].code].kind == PC_VAR_BITS &&
           h->code[h->var[var].code].width == h->var[var].width;
}

static uint32_t width_of(const struct pc_wave *wave, size_t var)
{
    return wv_hier_of(wave)->var[var].width;
}

static bool same(const struct wv_compare *a, const struct wv_compare *b)
{
    if (a->is.less != b->is.less || a->is.negated != b->is.negated ||
        a->is.swapped != b->is.swapped || a->is.left != b->is.left)
        return false;
    if (!a->number != !b->number || a->words != b->words)
        return false;
    return a->number ? memcmp(a->number, b->number, a->words * sizeof *a->number) == 0
                     : a->is.right == b->is.right;
}

static bool put_number(const struct pc_wave *wave, struct wv_compare *c)
{
    const uint32_t width = width_of(wave, c->is.left);

    if (!c->is.number)
        return true;
    c->words = WV_WORDS_OF(width);
    c->number = pc_calloc(&wave->alloc, c->words, sizeof *c->number);
    for (uint32_t bit = 0; c->number && bit < width; bit++)
        c->number[bit / 64] |= (uint64_t)(c->is.number[bit] & 1) << (63 - bit % 64);
    return c->number;
}

static void drop(const struct pc_wave *wave, struct wv_compare *c)
{
    pc_free(&wave->alloc, c->number, c->words * sizeof *c->number);
}

enum pc_status pc_wave_compare(struct pc_wave *wave, const struct pc_wave_comparison *comparison,
                               struct pc_wave_bit *out, struct pc_error *err)
{
    struct wv_compare c = { .signal = UINT32_MAX };
    size_t i = 0;

    if (!wave || !comparison || !out)
        return pc_fail(err, 530, "pc_wave_compare needs a waveform, a comparison and a result");
    c.is = *comparison;
    if (!wave->reader->ops->plan || !is_vector(wave, c.is.left) ||
        (!c.is.number &&
         (!is_vector(wave, c.is.right) || width_of(wave, c.is.left) != width_of(wave, c.is.right))))
        return PC_EUNFIT;
    if (!put_number(wave, &c))
        return pc_fail(err, 100, "not enough memory for a comparison");
    c.is.number = NULL;
    while (i < wave->compares && !same(&wave->compare[i], &c))
        i++;
    *out = (struct pc_wave_bit){ wv_hier_of(wave)->vars + i, 0 };
    if (i < wave->compares) {
        drop(wave, &c);
        return PC_OK;
    }
    if (wave->streams > 0) {
        drop(wave, &c);
        return pc_fail(err, 533, "pc_wave_compare after a stream was bound");
    }
    if (!pc_grow(&wave->alloc, (void **)&wave->compare, &wave->compares_capacity,
                 wave->compares + 1, sizeof *wave->compare)) {
        drop(wave, &c);
        return pc_fail(err, 100, "not enough memory for a comparison");
    }
    wave->compare[wave->compares++] = c;
    return PC_OK;
}

void wv_compares_free(struct pc_wave *wave)
{
    for (size_t i = 0; i < wave->compares; i++)
        drop(wave, &wave->compare[i]);
    pc_free(&wave->alloc, wave->compare, wave->compares_capacity * sizeof *wave->compare);
}

/* --- levels --- */

/* A side of a comparison. */
struct side {
    const uint64_t *value, *unknown; /* unknown NULL: it is a number */
};

static struct side side_of(const struct pc_wave *wave, const struct wv_compare *c, unsigned i)
{
    const bool right = (i == 1) != c->is.swapped;

    if (right && c->number)
        return (struct side){ c->number, NULL };
    const struct wv_vector *v = &wave->bulk.vectors.vector[c->side[right]];
    return (struct side){ v->value, v->unknown };
}

static uint64_t unknown_in(struct side s, size_t k)
{
    return s.unknown ? s.unknown[k] : 0;
}

/* Compares for equality; known to differ, if a digit that is known on both sides does. */
static uint8_t equal(struct side a, struct side b, size_t words)
{
    uint64_t some = 0, differ = 0;

    for (size_t k = 0; k < words; k++) {
        const uint64_t d = a.value[k] ^ b.value[k], u = unknown_in(a, k) | unknown_in(b, k);
        if (d & ~u)
            return 0;
        some |= u;
        differ |= d;
    }
    return (uint8_t)((differ == 0) | (some != 0) << 1);
}

/* Compares a < b, where unknown digits of either are 1 if it says so; else 0. */
static bool less_if(struct side a, bool a_most, struct side b, bool b_most, size_t words)
{
    for (size_t k = words; k-- > 0;) {
        const uint64_t x = a.value[k] | (a_most ? unknown_in(a, k) : 0);
        const uint64_t y = b.value[k] | (b_most ? unknown_in(b, k) : 0);
        const uint64_t d = x ^ y;
        if (d)
            return y & d & (0 - d);
    }
    return false;
}

/* It is known if the least and the most that both can be say the same. */
static uint8_t less(struct side a, struct side b, size_t words)
{
    const bool always = less_if(a, true, b, false, words), once = less_if(a, false, b, true, words);

    return (uint8_t)(less_if(a, false, b, false, words) | (always != once) << 1);
}

uint8_t wv_compare_level(const struct pc_wave *wave, const struct wv_compare *c)
{
    const size_t words = wave->bulk.vectors.vector[c->side[0]].words;
    const struct side a = side_of(wave, c, 0), b = side_of(wave, c, 1);

    return (c->is.less ? less(a, b, words) : equal(a, b, words)) ^ c->is.negated;
}

static size_t vector_of(const struct pc_wave *wave, size_t var)
{
    const struct wv_vectors *v = &wave->bulk.vectors;
    size_t i = 0;

    while (v->code[i] != wv_hier_of(wave)->var[var].code)
        i++;
    return i;
}

static void begin_at(const struct pc_wave *wave, uint32_t signal, uint8_t level)
{
    const struct wv_stream *st = &wave->stream[0];

    st->level[signal] = st->began[signal] = level;
    if (level & 1)
        st->now[signal / 64] |= UINT64_C(1) << signal % 64;
    if (!(level & 2))
        st->now[(st->signals + 63) / 64 + signal / 64] &= ~(UINT64_C(1) << signal % 64);
}

void wv_compares_begin(struct pc_wave *wave)
{
    for (size_t i = 0; i < wave->compares; i++) {
        struct wv_compare *c = &wave->compare[i];
        if (c->signal == UINT32_MAX)
            continue;
        c->side[0] = vector_of(wave, c->is.left);
        c->side[1] = c->number ? c->side[0] : vector_of(wave, c->is.right);
        wave->bulk.vectors.vector[c->side[0]].compared = true;
        wave->bulk.vectors.vector[c->side[1]].compared = true;
    }
    for (size_t i = 0; i < wave->compares; i++) {
        const struct wv_compare *c = &wave->compare[i];
        if (c->signal != UINT32_MAX)
            begin_at(wave, c->signal, wv_compare_level(wave, c));
    }
}

void wv_compare_at(struct pc_wave *wave, uint32_t vector, uint32_t cycle)
{
    for (size_t i = 0; i < wave->compares; i++) {
        const struct wv_compare *c = &wave->compare[i];
        if (c->signal != UINT32_MAX && (c->side[0] == vector || c->side[1] == vector))
            wv_set_level(wave, &wave->stream[0], c->signal, cycle, wv_compare_level(wave, c));
    }
}
