/* SPDX-License-Identifier: MIT */
/*
 * Vectors in stretches: a change comes as words, and only digits that differ from those of the
 * change before become changes of signals.  Where something else has changed the signals since, all
 * digits are looked at; one that does not differ from its signal's level changes nothing.
 */
#include "wave/plane.h"

#include <string.h>

#define NO_TAP UINT32_MAX

static uint64_t digit(uint32_t bit)
{
    return UINT64_C(1) << (63 - bit % 64);
}

/* Returns the bits of the slot's value stream, if it has several, and signals or comparisons want
 * it. */
static uint32_t width_of(const struct pc_wave *wave, const struct wv_slot *slot)
{
    const uint32_t width = wv_hier_of(wave)->code[wave->tap[slot->begin].code].width;
    bool wanted = slot->signals < slot->end;

    for (size_t i = slot->begin; i < slot->signals; i++)
        wanted = wanted || wave->tap[i].signal == WV_WHOLE;
    return width > 1 && wanted ? width : 0;
}

static bool allocate(struct pc_wave *wave)
{
    const struct pc_alloc *a = &wave->alloc;
    struct wv_vectors *v = &wave->bulk.vectors;

    for (size_t i = 0; i < wave->slots; i++) {
        const uint32_t width = width_of(wave, &wave->slot[i]);
        v->capacity += width > 0;
        v->words += 3 * WV_WORDS_OF(width);
        v->firsts += width;
    }
    if (v->capacity == 0)
        return true;
    v->taps = wave->taps;
    v->vector = pc_calloc(a, v->capacity, sizeof *v->vector);
    v->code = pc_calloc(a, v->capacity, sizeof *v->code);
    v->word = pc_calloc(a, v->words, sizeof *v->word);
    v->first = pc_calloc(a, v->firsts, sizeof *v->first);
    v->next = pc_calloc(a, v->taps, sizeof *v->next);
    return v->vector && v->code && v->word && v->first && v->next;
}

void wv_vectors_free(struct pc_wave *wave)
{
    const struct pc_alloc *a = &wave->alloc;
    struct wv_vectors *v = &wave->bulk.vectors;

    pc_free(a, v->vector, v->capacity * sizeof *v->vector);
    pc_free(a, v->code, v->capacity * sizeof *v->code);
    pc_free(a, v->word, v->words * sizeof *v->word);
    pc_free(a, v->first, v->firsts * sizeof *v->first);
    pc_free(a, v->next, v->taps * sizeof *v->next);
    memset(v, 0, sizeof *v);
}

/* Sorts the slot's taps by their bits. */
static void sort_taps(struct pc_wave *wave, const struct wv_slot *slot, struct wv_vector *to)
{
    for (size_t i = slot->end; i-- > slot->signals;) {
        const uint32_t bit = wave->tap[i].bit;
        wave->bulk.vectors.next[i] = to->first[bit];
        to->first[bit] = (uint32_t)i;
        to->followed[bit / 64] |= digit(bit);
        to->signals = true;
    }
}

bool wv_vectors_make(struct pc_wave *wave)
{
    struct wv_vectors *v = &wave->bulk.vectors;

    if (!allocate(wave))
        return false;
    uint64_t *word = v->word;
    uint32_t *first = v->first;
    for (size_t i = 0; i < wave->slots; i++) {
        const struct wv_slot *slot = &wave->slot[i];
        const uint32_t width = width_of(wave, slot);
        const size_t words = WV_WORDS_OF(width);
        if (width == 0)
            continue;
        struct wv_vector *to = &v->vector[v->count];
        *to = (struct wv_vector){ .words = words,
                                  .value = word,
                                  .unknown = word + words,
                                  .followed = word + 2 * words,
                                  .last = ~(width % 64 ? UINT64_MAX >> width % 64 : 0),
                                  .first = first };
        for (size_t k = 0; k < words; k++)
            to->unknown[k] = k + 1 < words ? UINT64_MAX : to->last;
        v->code[v->count++] = wave->tap[slot->begin].code;
        for (uint32_t bit = 0; bit < width; bit++)
            first[bit] = NO_TAP;
        sort_taps(wave, slot, to);
        word += 3 * words;
        first += width;
    }
    wv_compares_begin(wave);
    return true;
}

void wv_vectors_forget(struct pc_wave *wave)
{
    for (size_t i = 0; i < wave->bulk.vectors.count; i++)
        wave->bulk.vectors.vector[i].fresh = false;
}

/* Changes digits of word k that may differ. */
static void change_digits(struct pc_wave *wave, const struct wv_vector *v, size_t k,
                          uint64_t digits, uint32_t cycle)
{
    for (; digits; digits &= digits - 1) {
        const unsigned at = (unsigned)__builtin_ctzll(digits);
        const uint32_t level =
            (uint32_t)(v->value[k] >> at & 1) | (uint32_t)(v->unknown[k] >> at & 1) << 1;
        for (uint32_t i = v->first[64 * k + 63 - at]; i != NO_TAP; i = wave->bulk.vectors.next[i])
            wv_change_at(&wave->stream[0], wave->tap[i].signal, cycle, (uint8_t)level);
    }
}

/* Takes a vector that is only compared, all of whose digits are there and known, as those
 * before. */
static bool take_known(struct wv_vector *v, const uint64_t *word)
{
    uint64_t differ = 0;

    for (size_t k = 0; k < v->words; k++) {
        differ |= word[k] ^ v->value[k];
        v->value[k] = word[k];
    }
    return differ;
}

void wv_take_words(struct pc_wave *wave, uint32_t vector, const uint64_t *word, uint32_t cycle)
{
    struct wv_vector *v = &wave->bulk.vectors.vector[vector];

    if (v->known && !v->signals && word[0] == v->words) {
        if (take_known(v, word + 1))
            wv_compare_at(wave, vector, cycle);
        return;
    }
    const size_t n = (uint32_t)word[0];
    const uint64_t *some = word[0] & WV_WORDS_UNKNOWN ? word + 1 + n : NULL;
    const uint64_t left = word[0] & WV_WORDS_LEFT ? UINT64_MAX : 0;
    const uint64_t any = v->fresh ? 0 : UINT64_MAX;
    uint64_t differ = 0, unknowns = 0;

    for (size_t k = 0; k < v->words; k++) {
        const uint64_t there = k + 1 < v->words ? UINT64_MAX : v->last;
        const uint64_t value = k < n ? word[1 + k] : 0;
        const uint64_t unknown = (k >= n ? left : some ? some[k] : 0) & there;
        const uint64_t changed = (value ^ v->value[k]) | (unknown ^ v->unknown[k]);
        v->value[k] = value;
        v->unknown[k] = unknown;
        differ |= changed;
        unknowns |= unknown;
        change_digits(wave, v, k, (changed | any) & v->followed[k], cycle);
    }
    v->fresh = true;
    v->known = unknowns == 0;
    if (differ && v->compared)
        wv_compare_at(wave, vector, cycle);
}

void wv_take_digits(struct pc_wave *wave, uint32_t code, const char *bits)
{
    struct wv_vectors *all = &wave->bulk.vectors;
    uint32_t i = 0;

    while (i < all->count && (all->code[i] != code || !all->vector[i].compared))
        i++;
    if (i == all->count)
        return;
    const uint32_t width = wv_hier_of(wave)->code[code].width;
    struct wv_vector *v = &all->vector[i];
    v->known = false;
    memset(v->value, 0, v->words * sizeof *v->value);
    memset(v->unknown, 0, v->words * sizeof *v->unknown);
    for (uint32_t bit = 0; bit < width; bit++) {
        const enum wv_level level = wv_level_of(bits[width - 1 - bit]);
        v->value[bit / 64] |= level == WV_1 ? digit(bit) : 0;
        v->unknown[bit / 64] |= level == WV_X ? digit(bit) : 0;
    }
    wv_compare_at(wave, i, wave->stream[0].cycles);
}
