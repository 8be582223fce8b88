/* SPDX-License-Identifier: MIT */
/*
 * VCD identifiers: any printable characters, any length.  Simulators number them in base
 * 94, so short ones become an index into a table; Icarus and Verilator count with the first
 * character fastest, others with the last, and the order that gives the smaller table wins.
 * Files with long or scattered identifiers go through a hash table.  While they are declared all
 * do; but where there are many, the short ones have a table of their own.
 */
#define _DEFAULT_SOURCE 1 /* getentropy() */
#include "wave/vcd/vcd.h"

#include <string.h>
#include <unistd.h>

#define DIRECT_CHARS 4
#define DIRECT_MAX   ((uint64_t)1 << 24) /* entries of the table */
#define BRIEF_CHARS  3
#define BRIEF_SIZE   ((size_t)95 * 95 * 95)
#define BRIEF_LEAST  4096 /* identifiers that there are */

/* Frees what identifiers do not need once they have numbers. */
static void free_tables(struct vcd_ids *ids, const struct pc_alloc *alloc)
{
    pc_free(alloc, ids->slot, ids->slots * sizeof *ids->slot);
    pc_free(alloc, ids->brief, BRIEF_SIZE * sizeof *ids->brief);
    ids->slot = ids->brief = NULL;
    ids->slots = 0;
}

void vcd_ids_free(struct vcd_ids *ids, const struct pc_alloc *alloc)
{
    pc_free(alloc, ids->text, ids->text_capacity);
    pc_free(alloc, ids->id, ids->capacity * sizeof *ids->id);
    free_tables(ids, alloc);
    pc_free(alloc, ids->direct, ids->directs * sizeof *ids->direct);
    memset(ids, 0, sizeof *ids);
}

/* Returns another number in each process: no file can be written whose identifiers all meet in one
 * slot. */
static uint64_t any_seed(const struct vcd_ids *ids)
{
    uint64_t seed;

    if (getentropy(&seed, sizeof seed) != 0)
        seed = (uint64_t)(uintptr_t)ids;
    return seed;
}

static uint32_t hash(const struct vcd_ids *ids, const char *id, size_t length)
{
    uint64_t h = ids->seed ^ 0x9e3779b97f4a7c15u ^ length;

    for (size_t i = 0; i < length; i++)
        h = (h ^ (uint8_t)id[i]) * 0x2545f4914f6cdd1du;
    h ^= h >> 29;
    return (uint32_t)(h * 0x9e3779b97f4a7c15u >> 33);
}

/* Returns where `id` is in the table, or the free slot where it would go. */
static size_t probe(const struct vcd_ids *ids, const char *id, size_t length, uint32_t h)
{
    size_t at = h & (ids->slots - 1);

    for (;; at = (at + 1) & (ids->slots - 1)) {
        if (ids->slot[at] == 0)
            return at;
        const struct vcd_id *other = &ids->id[ids->slot[at] - 1];
        if (other->hash == h && other->length == length &&
            memcmp(ids->text + other->text, id, length) == 0)
            return at;
    }
}

/* Returns the identifier as a number; digits are 1 to 94, so that lengths do not collide. */
static uint64_t number(const char *id, size_t length, enum vcd_order order)
{
    uint64_t n = 0;

    if (length > DIRECT_CHARS)
        return UINT64_MAX;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = (uint8_t)id[order == VCD_LOW_FIRST ? length - 1 - i : i];
        if (c < '!' || c > '~')
            return UINT64_MAX;
        n = n * 94 + (uint64_t)(c - ' ');
    }
    return n;
}

/* Returns where a short one is in its table; NULL: it has none, or is none. */
static uint32_t *brief_place(const struct vcd_ids *ids, const char *id, size_t length)
{
    size_t n = 0;

    if (!ids->brief || length > BRIEF_CHARS)
        return NULL;
    for (size_t i = length; i-- > 0;) {
        if (id[i] < '!' || id[i] > '~')
            return NULL;
        n = n * 95 + (size_t)(id[i] - ' ');
    }
    return &ids->brief[n];
}

static bool make_brief(struct vcd_ids *ids, const struct pc_alloc *alloc)
{
    if (ids->brief || ids->count < BRIEF_LEAST)
        return true;
    ids->brief = pc_calloc(alloc, BRIEF_SIZE, sizeof *ids->brief);
    for (size_t i = 0; ids->brief && i < ids->count; i++) {
        uint32_t *place = brief_place(ids, ids->text + ids->id[i].text, ids->id[i].length);
        if (place)
            *place = (uint32_t)i + 1;
    }
    return ids->brief != NULL;
}

uint32_t vcd_ids_find(const struct vcd_ids *ids, const char *id, size_t length)
{
    if (ids->order != VCD_HASH) {
        const uint64_t n = number(id, length, ids->order);
        return n < ids->directs ? ids->direct[n] - 1 : VCD_NO_CODE;
    }
    const uint32_t *place = brief_place(ids, id, length);
    if (place)
        return *place - 1;
    if (ids->slots == 0)
        return VCD_NO_CODE;
    uint32_t found = ids->slot[probe(ids, id, length, hash(ids, id, length))];
    return found ? found - 1 : VCD_NO_CODE;
}

/* Keeps the hash table at most half full. */
static bool grow_table(struct vcd_ids *ids, const struct pc_alloc *alloc)
{
    size_t slots = ids->slots ? ids->slots * 2 : 64;

    if (ids->hashed * 2 < ids->slots)
        return true;
    uint32_t *slot = pc_calloc(alloc, slots, sizeof *slot);
    if (!slot)
        return false;
    if (!ids->slots)
        ids->seed = any_seed(ids);
    pc_free(alloc, ids->slot, ids->slots * sizeof *slot);
    ids->slot = slot;
    ids->slots = slots;
    for (size_t i = 0; i < ids->count; i++) {
        if (!ids->id[i].hashed)
            continue;
        size_t at = ids->id[i].hash & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    return true;
}

enum pc_status vcd_ids_add(struct vcd_ids *ids, const struct pc_alloc *alloc, const char *id,
                           size_t length, struct pc_error *err)
{
    size_t need;

    if (!pc_size_add(ids->text_used, length, &need) ||
        !pc_grow(alloc, (void **)&ids->text, &ids->text_capacity, need, 1) ||
        !pc_grow(alloc, (void **)&ids->id, &ids->capacity, ids->count + 1, sizeof *ids->id) ||
        !make_brief(ids, alloc) || !grow_table(ids, alloc))
        return pc_fail(err, 100, "not enough memory for %zu identifiers", ids->count + 1);
    memcpy(ids->text + ids->text_used, id, length);
    struct vcd_id *new = &ids->id[ids->count];
    *new = (struct vcd_id){ .text = ids->text_used, .length = (uint32_t)length };
    ids->text_used = need;
    uint32_t *place = brief_place(ids, id, length);
    if (!place) {
        new->hashed = true;
        new->hash = hash(ids, id, length) & 0x7fffffff;
        place = &ids->slot[probe(ids, id, length, new->hash)];
        ids->hashed++;
    }
    *place = (uint32_t)++ids->count;
    return PC_OK;
}

static uint64_t number_of(const struct vcd_ids *ids, size_t code, enum vcd_order order)
{
    return number(ids->text + ids->id[code].text, ids->id[code].length, order);
}

static uint64_t largest(const struct vcd_ids *ids, enum vcd_order order)
{
    uint64_t max = 0;

    for (size_t i = 0; i < ids->count; i++) {
        uint64_t n = number_of(ids, i, order);
        if (n > max)
            max = n;
    }
    return max;
}

enum pc_status vcd_ids_finish(struct vcd_ids *ids, const struct pc_alloc *alloc,
                              struct pc_error *err)
{
    uint64_t low = largest(ids, VCD_LOW_FIRST), high = largest(ids, VCD_HIGH_FIRST);
    uint64_t max = low <= high ? low : high;

    ids->order = VCD_HASH;
    if (ids->count == 0 || max >= DIRECT_MAX || max / 64 > ids->count + 1024)
        return PC_OK;
    ids->directs = (size_t)max + 1;
    ids->direct = pc_calloc(alloc, ids->directs, sizeof *ids->direct);
    if (!ids->direct) {
        ids->directs = 0;
        return pc_fail(err, 100, "not enough memory for a table of identifiers");
    }
    ids->order = low <= high ? VCD_LOW_FIRST : VCD_HIGH_FIRST;
    for (size_t i = 0; i < ids->count; i++)
        ids->direct[number_of(ids, i, ids->order)] = (uint32_t)i + 1;
    free_tables(ids, alloc);
    return PC_OK;
}
