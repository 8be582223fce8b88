/* SPDX-License-Identifier: MIT */
/*
 * How the mask scanner finds the identifiers of selected signals: by nibbles of their first
 * characters in eight buckets (struct vcd_looks), so that few others pass, and by a table of
 * keys, in which few have not their first place.
 */
#include "wave/vcd_fast.h"

#include <string.h>


enum {
    LONGEST_KEY = 7,   /* characters, for one word with what is behind them */
    MOST_CHOSEN = 128, /* identifiers, for which it is thought about their buckets */
    MOST_ASKED = 4096, /* identifiers that are not selected: whether they would pass */
    NIBBLES = 4
};

/* The values that each of the nibbles may have for an identifier: sets of 0 to 15. */
struct nibbles {
    uint16_t set[NIBBLES];
};

/* What the fourth nibble may be. */
struct other {
    uint8_t at, shift;
};

/* Character `at` of an identifier, of which the last is what ends the line; -1: any. */
static int character(const struct vcd *v, const struct vcd_id *id, uint32_t at)
{
    if (at < id->length)
        return ((const uint8_t *)v->ids.text)[id->text + at];
    return at == id->length ? v->fast->sets.end : -1;
}

static struct nibbles nibbles_of(const struct vcd *v, const struct vcd_id *id, struct other other)
{
    const unsigned first = (unsigned)character(v, id, 0), second = (unsigned)character(v, id, 1);
    const int c = character(v, id, other.at);

    return (
        struct nibbles){ { (uint16_t)(1u << (first & 15)), (uint16_t)(1u << (first >> 4)),
                           (uint16_t)(1u << (second & 15)),
                           c < 0 ? 0xffff : (uint16_t)(1u << ((unsigned)c >> other.shift & 15)) } };
}

static struct nibbles joined(struct nibbles a, struct nibbles b)
{
    for (unsigned k = 0; k < NIBBLES; k++)
        a.set[k] |= b.set[k];
    return a;
}

static unsigned ones(uint16_t set)
{
    unsigned n = 0;

    for (unsigned x = set; x; x &= x - 1)
        n++;
    return n;
}

/* How many combinations pass through a bucket of these. */
static unsigned combinations(struct nibbles n)
{
    unsigned product = 1;

    for (unsigned k = 0; k < NIBBLES; k++)
        product *= ones(n.set[k]);
    return product;
}

/* All buckets, without one of the slots. */
static void fill_buckets(const struct vcd_fast *f, const struct nibbles *of, size_t without,
                         struct nibbles bucket[8])
{
    memset(bucket, 0, 8 * sizeof *bucket);
    for (size_t i = 0; i < f->slots; i++)
        if (i != without)
            bucket[f->slot[i].bucket] = joined(bucket[f->slot[i].bucket], of[i]);
}

/* Buckets through which few combinations pass that are not looked for: one move at a time. */
static void choose_buckets(struct vcd_fast *f, const struct nibbles *of)
{
    struct nibbles bucket[8];
    bool moved = true;

    for (unsigned round = 0; moved && round < 4; round++) {
        moved = false;
        for (size_t i = 0; i < f->slots; i++) {
            unsigned best = f->slot[i].bucket, least = UINT32_MAX;
            fill_buckets(f, of, i, bucket);
            for (unsigned k = 0; k < 8; k++) {
                const unsigned more =
                    combinations(joined(bucket[k], of[i])) - combinations(bucket[k]);
                if (more < least || (more == least && k == f->slot[i].bucket)) {
                    least = more;
                    best = k;
                }
            }
            moved |= best != f->slot[i].bucket;
            f->slot[i].bucket = (uint8_t)best;
        }
    }
}

/* Of the identifiers that nobody selected, or some of them: how many pass. */
static size_t passing(const struct vcd *v, const struct nibbles bucket[8], struct other other)
{
    const size_t step = v->ids.count / MOST_ASKED + 1;
    size_t n = 0;

    for (size_t code = 0; code < v->ids.count; code += step) {
        const struct nibbles own = nibbles_of(v, &v->ids.id[code], other);
        bool pass = false;
        for (unsigned k = 0; k < 8; k++) {
            bool all = true;
            for (unsigned i = 0; i < NIBBLES; i++)
                all &= (bucket[k].set[i] & own.set[i]) != 0;
            pass |= all;
        }
        n += pass;
    }
    return n;
}

static void set_looks(struct vcd_looks *looks, const struct nibbles bucket[8], struct other other)
{
    uint8_t *const table[NIBBLES] = { looks->first_low, looks->first_high, looks->second_low,
                                      looks->other };

    memset(looks, 0, sizeof *looks);
    looks->other_at = other.at;
    looks->other_shift = other.shift;
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < NIBBLES; i++)
            for (unsigned value = 0; value < 16; value++)
                table[i][value] |= (uint8_t)((bucket[k].set[i] >> value & 1u) << k);
}

void vcd_choose_looks(struct vcd *v)
{
    static const struct other OTHERS[] = { { 0, 2 }, { 1, 4 }, { 1, 2 }, { 2, 0 }, { 2, 2 } };
    struct vcd_fast *f = v->fast;
    size_t least = SIZE_MAX;
    struct nibbles bucket[8], of[MOST_CHOSEN];

    for (size_t k = 0; k < sizeof OTHERS / sizeof OTHERS[0]; k++) {
        const bool few = f->slots <= MOST_CHOSEN;
        memset(bucket, 0, sizeof bucket);
        for (size_t i = 0; i < f->slots; i++) {
            const struct vcd_id *id = &v->ids.id[f->slot[i].code];
            const struct nibbles n = nibbles_of(v, id, OTHERS[k]);
            f->slot[i].bucket = (uint8_t)character(v, id, 0) & 7;
            bucket[f->slot[i].bucket] = joined(bucket[f->slot[i].bucket], n);
            if (few)
                of[i] = n;
        }
        if (few) {
            choose_buckets(f, of);
            fill_buckets(f, of, SIZE_MAX, bucket);
        }
        const size_t n = passing(v, bucket, OTHERS[k]);
        if (n < least) {
            least = n;
            set_looks(&f->sets.looks, bucket, OTHERS[k]);
        }
    }
}

/* The first two characters, of which the second may be the line's end. */
static uint32_t pair_of(const struct vcd *v, const struct vcd_id *id)
{
    return (uint32_t)character(v, id, 0) | (uint32_t)character(v, id, 1) << 8;
}

/* A key, its slot left open. */
static struct vcd_scan_key make_key(const struct vcd *v, const struct vcd_id *id)
{
    struct vcd_scan_key k = { .mask = UINT64_MAX >> (56 - 8 * id->length) };

    for (uint32_t i = 0; i <= id->length; i++)
        k.key |= (uint64_t)character(v, id, i) << 8 * i;
    return k;
}

/*
 * All keys with one multiplier; returns how many have not their first place.  Longer
 * identifiers have no key, but who comes to their place must look further.
 */
static size_t fill_keys(struct vcd *v, uint32_t factor)
{
    struct vcd_fast *f = v->fast;
    size_t crowded = 0;

    f->sets.key_factor = factor;
    for (size_t i = 0; i < f->keys; i++)
        f->key[i] = (struct vcd_scan_key){ .key = 1, .direct = true }; /* nothing is equal to it */
    for (size_t i = 0; i < f->slots; i++) {
        const struct vcd_scan_slot *slot = &f->slot[i];
        const struct vcd_id *id = &v->ids.id[slot->code];
        struct vcd_scan_key *k = &f->key[pair_of(v, id) * factor >> f->sets.key_shift];
        const bool is_long = id->length > LONGEST_KEY, taken = k->mask != 0;
        crowded += taken;
        if (taken || is_long)
            k->direct = false;
        while (k->mask)
            k++;
        if (is_long)
            continue;
        const bool alone = k->direct;
        *k = make_key(v, id);
        k->slot = (uint32_t)i;
        k->direct = alone && slot->width == 1 && slot->taps == 1 && !slot->clock;
        if (k->direct)
            k->what = f->tap[slot->tap].signal << 2;
    }
    return crowded;
}

void vcd_choose_keys(struct vcd *v)
{
    uint32_t factor = 0x9e3779b1u, best = factor;
    size_t least = SIZE_MAX;

    for (unsigned i = 0; i < 16 && least > 0; i++, factor = factor * 0x2c1b3c6du + 0x3ade68b2u) {
        const size_t crowded = fill_keys(v, factor | 1);
        if (crowded < least) {
            least = crowded;
            best = factor | 1;
        }
    }
    (void)fill_keys(v, best);
}
