/* SPDX-License-Identifier: MIT */
/*
 * Finds an item of a list by its keys.  Lists of nets or values may be long and in another order,
 * so from some length on there is a table of the items by a hash of their keys.
 */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT = 32 /* items that are looked at one after the other */ };

static bool is_same_key(const struct rep_tree *x, const struct rep_tree *y)
{
    for (size_t i = 0; i < x->children; i++)
        if (x->child[i].field->adds == REP_KEY && !merge_is_same(&x->child[i], &y->child[i]))
            return false;
    return true;
}

static bool fits(const struct rep_tree *list, const struct rep_tree *item,
                 const struct rep_tree *like)
{
    return list->what == TREE_MAP ? strcmp(item->key, like->key) == 0 : is_same_key(item, like);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const struct rep_tree *list, const struct rep_tree *item)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (list->what == TREE_MAP)
        return hash_text(hash, item->key);
    for (size_t i = 0; i < item->children; i++) {
        const struct rep_tree *key = &item->child[i];
        if (key->field->adds != REP_KEY)
            continue;
        if (key->what == TREE_TEXT)
            hash = hash_text(hash, key->text);
        else if (key->what != TREE_REAL) /* reals may be the same with other bits */
            hash = (hash ^ (uint64_t)key->n) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash ^ hash >> 31;
}

static void put(struct merge_index *x, size_t at)
{
    size_t slot = hash_of(x->list, &x->list->child[at]) & (x->slots - 1);

    while (x->slot[slot])
        slot = (slot + 1) & (x->slots - 1);
    x->slot[slot] = at + 1;
}

bool merge_index(struct merge_index *x, const struct rep_tree *list, size_t more)
{
    const size_t most = list->children + more;

    *x = (struct merge_index){ .list = list };
    if (list->children <= SHORT && more <= SHORT)
        return true;
    for (x->slots = 64; x->slots < 2 * most;)
        x->slots *= 2;
    x->slot = calloc(x->slots, sizeof *x->slot);
    for (size_t i = 0; x->slot && i < list->children; i++)
        put(x, i);
    return x->slot != NULL;
}

void merge_index_last(struct merge_index *x)
{
    if (x->slot)
        put(x, x->list->children - 1);
}

struct rep_tree *merge_find(const struct merge_index *x, const struct rep_tree *like, size_t near)
{
    const struct rep_tree *list = x->list;
    const size_t n = list->children;
    size_t best = SIZE_MAX;

    for (size_t i = 0; !x->slot && i < n; i++)
        if (fits(list, &list->child[(near + i) % n], like))
            return &list->child[(near + i) % n];
    if (!x->slot || n == 0)
        return NULL;
    for (size_t slot = hash_of(list, like) & (x->slots - 1); x->slot[slot];
         slot = (slot + 1) & (x->slots - 1)) {
        const size_t at = x->slot[slot] - 1, after = (at + n - near % n) % n;
        if (after < best && fits(list, &list->child[at], like))
            best = after;
    }
    return best == SIZE_MAX ? NULL : &list->child[(near + best) % n];
}

void merge_index_free(struct merge_index *x)
{
    free(x->slot);
    *x = (struct merge_index){ .list = NULL };
}
