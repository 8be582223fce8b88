/* SPDX-License-Identifier: MIT */
/* Variables of a waveform, and the set of their bits that events look at, each of which is a wire.
 */
#include "stat.h"
#include "wave/wave_bits.h"

#include <stdlib.h>

enum pc_status stat_find_bits(const struct pc_wave *wave, const char *name,
                              struct pc_wave_bit *bits, size_t capacity, size_t *count,
                              struct pc_error *err)
{
    return cli_find_bits(wave, name, bits, capacity, count, 336, err);
}

static size_t hash(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key ^ key >> 29);
}

/* Place of the key, or the free place where it belongs. */
static size_t probe(const struct stat_wires *w, uint64_t key)
{
    size_t at = hash(key) & (w->slots - 1);

    while (w->slot[at] && w->key[w->slot[at] - 1] != key)
        at = (at + 1) & (w->slots - 1);
    return at;
}

/* Keeps the table at most half full. */
static bool grow_table(struct stat_wires *w)
{
    if (2 * (w->count + 1) <= w->slots)
        return true;
    size_t slots = w->slots ? 2 * w->slots : 64;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(w->slot);
    w->slot = slot;
    w->slots = slots;
    for (size_t i = 0; i < w->count; i++)
        w->slot[probe(w, w->key[i])] = (uint32_t)i + 1;
    return true;
}

bool stat_add_wire(struct stat_wires *w, struct pc_wave_bit bit, uint32_t *out)
{
    struct pc_wave_var info = { .code = 0 };
    void *bits = w->bit, *keys = w->key;
    uint32_t place = bit.bit;

    if (pc_wave_get_var(w->wave, bit.var, &info)) { /* a comparison */
        info.code = UINT32_MAX;
        place = (uint32_t)bit.var;
    }
    const uint64_t key = (uint64_t)info.code << 32 | place;

    if (!grow_table(w))
        return false;
    size_t at = probe(w, key);
    if (!w->slot[at]) {
        if (!cli_grow(&bits, &w->capacity, w->count + 1, sizeof *w->bit))
            return false;
        w->bit = bits;
        if (!cli_grow(&keys, &w->keys_capacity, w->count + 1, sizeof *w->key))
            return false;
        w->key = keys;
        w->bit[w->count] = bit;
        w->key[w->count] = key;
        w->slot[at] = (uint32_t)++w->count;
    }
    *out = w->slot[at] - 1;
    return true;
}

bool stat_add_room(struct stat_wires *w, struct pc_wave_bit bit, uint32_t *out)
{
    void *bits = w->bit, *keys = w->key;

    if (!grow_table(w) || !cli_grow(&bits, &w->capacity, w->count + 1, sizeof *w->bit))
        return false;
    w->bit = bits;
    if (!cli_grow(&keys, &w->keys_capacity, w->count + 1, sizeof *w->key))
        return false;
    w->key = keys;
    w->bit[w->count] = bit;
    w->key[w->count] = UINT64_MAX - w->count; /* a bit of no variable */
    w->slot[probe(w, w->key[w->count])] = (uint32_t)w->count + 1;
    *out = (uint32_t)w->count++;
    return true;
}

void stat_free_wires(struct stat_wires *w)
{
    free(w->bit);
    free(w->key);
    free(w->slot);
}
