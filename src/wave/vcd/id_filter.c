/* SPDX-License-Identifier: MIT */
/*
 * How the mask scanner finds the identifiers of selected signals: by nibbles of their first
 * characters in eight buckets (struct vcd_id_filter), so that few others pass, and by a table of
 * keys, in which few have not their first place.
 */
#include "wave/vcd/fast.h"

#include <string.h>

enum {
    LONGEST_KEY = 6,  /* characters, for one word with what is around them */
    MOST_CHOSEN = 64, /* identifiers, for which it is thought about their buckets */
    MOST_ASKED = 256, /* identifiers that are not selected: whether they would pass */
    BUCKETS = 8
};

/* A place of the fourth nibble. */
struct other {
    uint8_t at, shift;
};

/*
 * The nibbles of identifiers as one number: four sets of 0 to 15, the bits of the first at the
 * right.  That of a bucket has those of all its identifiers.
 */
struct choice {
    struct other other;
    uint64_t slot[MOST_CHOSEN], asked[MOST_ASKED];
    size_t slots, askeds;
    uint8_t of[MOST_CHOSEN]; /* bucket of a slot */
};

/* Returns character `at` of an identifier, of which the last is what ends the line; -1: any. */
static int character(const struct vcd *v, const struct vcd_id *id, uint32_t at)
{
    if (at < id->length)
        return ((const uint8_t *)v->ids.text)[id->text + at];
    return at == id->length ? v->fast->sets.end : -1;
}

/* Returns the first two characters, of which the second may be the line's end. */
static uint32_t pair_of(const struct vcd *v, const struct vcd_id *id)
{
    return (uint32_t)character(v, id, 0) | (uint32_t)character(v, id, 1) << 8;
}

/* `any`: the set of a nibble that can have all values. */
static uint64_t nibbles_of(const struct vcd *v, const struct vcd_id *id, struct other other,
                           uint64_t any)
{
    const unsigned first = (unsigned)character(v, id, 0), second = (unsigned)character(v, id, 1);
    const int c = character(v, id, other.at);

    return UINT64_C(1) << (first & 15) | UINT64_C(1) << (16 + (first >> 4)) |
           UINT64_C(1) << (32 + (second & 15)) |
           (c < 0 ? any : UINT64_C(1) << ((unsigned)c >> other.shift & 15)) << 48;
}

/* Counts those that are not selected and pass through a bucket. */
static size_t passing(const struct choice *c, uint64_t bucket)
{
    size_t n = 0;

    for (size_t i = 0; i < c->askeds; i++)
        n += (bucket & c->asked[i]) == c->asked[i];
    return n;
}

/* Fills all buckets, without one of the slots. */
static void fill_buckets(const struct choice *c, size_t without, uint64_t bucket[BUCKETS])
{
    memset(bucket, 0, BUCKETS * sizeof *bucket);
    for (size_t i = 0; i < c->slots; i++)
        if (i != without)
            bucket[c->of[i]] |= c->slot[i];
}

/* Counts through all buckets, some counted twice. */
static size_t passing_all(const struct choice *c)
{
    uint64_t bucket[BUCKETS];
    size_t n = 0;

    fill_buckets(c, SIZE_MAX, bucket);
    for (unsigned k = 0; k < BUCKETS; k++)
        n += passing(c, bucket[k]);
    return n;
}

/* Buckets through which few pass that are not looked for: one move after the other. */
static void improve(struct choice *c)
{
    uint64_t bucket[BUCKETS];
    size_t now[BUCKETS] = { 0 };
    bool moved = true;

    for (unsigned round = 0; moved && round < 4; round++) {
        moved = false;
        for (size_t i = 0; i < c->slots; i++) {
            size_t least = SIZE_MAX;
            unsigned best = c->of[i];
            fill_buckets(c, i, bucket);
            for (unsigned k = 0; k < BUCKETS; k++)
                if (i == 0 || k == c->of[i] || k == c->of[i - 1])
                    now[k] = passing(c, bucket[k]);
            for (unsigned k = 0; k < BUCKETS; k++) {
                const size_t more = passing(c, bucket[k] | c->slot[i]) - now[k];
                if (more < least || (more == least && k == c->of[i])) {
                    least = more;
                    best = k;
                }
            }
            moved |= best != c->of[i];
            c->of[i] = (uint8_t)best;
        }
    }
}

static void begin_choice(const struct vcd *v, struct other other, struct choice *c)
{
    const struct vcd_fast *f = v->fast;
    const size_t step = v->ids.count / MOST_ASKED + 1;

    c->other = other;
    c->slots = f->slots < MOST_CHOSEN ? f->slots : MOST_CHOSEN;
    c->askeds = 0;
    for (size_t i = 0; i < c->slots; i++) {
        c->slot[i] = nibbles_of(v, &v->ids.id[f->slot[i].code], other, 0xffff);
        c->of[i] = (uint8_t)(i % BUCKETS);
    }
    for (size_t code = 0; code < v->ids.count; code += step)
        if (!f->slot_of[code])
            c->asked[c->askeds++] = nibbles_of(v, &v->ids.id[code], other, 0);
}

/* Slots beyond those that were thought about join the others by turns. */
static void set_filter(struct vcd *v, const struct choice *c)
{
    struct vcd_id_filter *filter = &v->fast->sets.filter;
    uint8_t *const table[4] = { filter->first_low, filter->first_high, filter->second_low,
                                filter->other };
    uint64_t bucket[BUCKETS];

    fill_buckets(c, SIZE_MAX, bucket);
    for (size_t i = c->slots; i < v->fast->slots; i++)
        bucket[i % BUCKETS] |= nibbles_of(v, &v->ids.id[v->fast->slot[i].code], c->other, 0xffff);
    memset(filter, 0, sizeof *filter);
    filter->other_at = c->other.at;
    filter->other_shift = c->other.shift;
    for (unsigned k = 0; k < BUCKETS; k++)
        for (unsigned bit = 0; bit < 64; bit++)
            table[bit / 16][bit % 16] |= (uint8_t)((bucket[k] >> bit & 1) << k);
}

/* Sets whole characters, for those who have no use of nibbles. */
static void set_whole(struct vcd_id_filter *filter)
{
    for (unsigned c = 0; c < 256; c++) {
        uint8_t *const of[3] = { &filter->whole[0][c], &filter->whole[1][c], &filter->whole[2][c] };
        *of[0] = filter->first_low[c & 15] & filter->first_high[c >> 4];
        *of[1] = filter->second_low[c & 15];
        *of[2] = 0xff;
        *of[filter->other_at] &= filter->other[c >> filter->other_shift & 15];
    }
}

/* Sets what is wanted for lines that are cut out: what is no identifier is left for others to look
 * at. */
static void set_wanted(struct vcd *v)
{
    struct vcd_sets *sets = &v->fast->sets;

    for (unsigned i = 0; i < VCD_PAIRS; i++) {
        const unsigned second = i / 4;
        const uint64_t blanks = i % 4 ? 0 : UINT64_MAX >> (63 - ' ');
        sets->wanted[0][i] = second == '\n' ? blanks : UINT64_MAX;
        sets->wanted[1][i] = second > ' ' ? blanks : UINT64_MAX;
    }
    for (size_t i = 0; i < v->fast->slots; i++) {
        const struct vcd_id *id = &v->ids.id[v->fast->slot[i].code];
        const unsigned pair = pair_of(v, id);
        sets->wanted[id->length > 1][pair / 64] |= UINT64_C(1) << pair % 64;
    }
}

void vcd_choose_id_filter(struct vcd *v)
{
    static const struct other OTHERS[] = { { 0, 2 }, { 1, 4 }, { 2, 0 }, { 1, 2 }, { 2, 2 } };
    struct choice c, best = { .slots = 0 };
    size_t least = SIZE_MAX;

    for (size_t k = 0; k < sizeof OTHERS / sizeof OTHERS[0]; k++) {
        begin_choice(v, OTHERS[k], &c);
        if (least <= c.askeds / 64) /* good enough */
            break;
        improve(&c);
        const size_t n = passing_all(&c);
        if (n < least) {
            least = n;
            best = c;
        }
    }
    set_wanted(v);
    set_filter(v, &best);
    set_whole(&v->fast->sets.filter);
}

/* Makes a key, its slot left open. */
static struct vcd_scan_key make_key(const struct vcd *v, const struct vcd_id *id)
{
    struct vcd_scan_key k = { .mask = UINT64_MAX >> (56 - 8 * id->length) << 8 };

    for (uint32_t i = 0; i <= id->length; i++)
        k.key |= (uint64_t)character(v, id, i) << 8 * (i + 1);
    return k;
}

/*
 * Fills all keys with one multiplier; returns how many have not their first place. Longer
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
