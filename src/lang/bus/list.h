/* SPDX-License-Identifier: MIT */
/*
 * The list of buses that were found, and what was watched of them.  list.c has the list and its
 * texts, watch.c what bits did, planes.c the same as planes of the edges of a clock, clock_proof.c
 * and reset_proof.c what that says of clocks and resets, judge.c all of it.
 */
#ifndef PC_BUS_LIST_H
#define PC_BUS_LIST_H

#include "lang/bus/find.h"

#define BUS_NO_CLASS UINT32_MAX

/* A bit of a signal that is watched. */
struct bus_bit {
    uint64_t id; /* of its net and its place in it: they are sorted by it */
    size_t signal;
    uint32_t bit;
    uint32_t class; /* of the clocks with the same edges; BUS_NO_CLASS: it is no clock */
    uint32_t moves; /* changes that are kept */
    bool reset, valid;
};

/* Bit `bit` became `value` (1: known to be 1, 2: unknown) at a timestamp. */
struct bus_change {
    uint32_t bit;
    uint32_t stamp : 30;
    uint32_t value : 2;
};

/* Clocks that rise at the same timestamps. */
struct bus_class {
    uint32_t *rise; /* timestamps */
    size_t rises, capacity;
    size_t members, rose; /* rose: of the members in this timestamp */
    uint64_t *at;         /* by timestamp, a bit: does it rise? */
    uint32_t *before;     /* by word of `at`, rises before it */
    bool regular;
};

struct bus_watch {
    struct bus_bit *bit;
    size_t bits, bit_capacity;
    uint64_t *value, *unknown; /* of the last timestamp */
    uint64_t *time;
    size_t stamps, time_capacity;
    struct bus_change *change;
    size_t changes, change_capacity, most_changes;
    struct bus_class *class;
    size_t classes, class_capacity, most_rises;
    size_t unmoved; /* bits of handshakes that changed less than 64 times */
    /* when all is read: changes are in the order of the bits, from these on */
    size_t *first;
    uint64_t *resets; /* by timestamp: did a reset change? */
};

/* A bus of the list: a candidate, or a lane of one. */
struct bus_entry {
    size_t candidate;
    uint32_t lane;
    bool counts;         /* it is a bit of a number, and no bus */
    size_t clock, reset; /* of the finder's; SIZE_MAX: none */
    bool reset_low;
    uint64_t values;
    struct pc_bus_proof proof; /* but for its texts: */
    size_t other;              /* a clock of the finder's; SIZE_MAX: none */
    size_t pair[2];            /* candidates: of clocks or resets */
    size_t refused;            /* a reset */
    const char *unsure;        /* a text that lives on */
};

struct pc_bus_list {
    struct pc_alloc alloc;
    struct bus_finder f;
    struct bus_watch watch;
    struct bus_entry *entry;
    size_t entries, entry_capacity;
    /* texts of all that is found */
    char *text;
    size_t texts, text_capacity;
    struct pc_bus_found *bus;
    size_t buses, capacity;
    bool no_memory;
};

/* list.c: makes the texts. */
void pc_bus_list_make(struct pc_bus_list *list);
/* Returns the first bit of a lane from the right, and how many there are. */
static inline uint32_t bus_lane_bit(const struct pc_bus_signal *s, uint32_t lanes, uint32_t lane,
                                    uint32_t *width)
{
    const uint32_t part = lanes ? s->width / lanes : 0;

    *width = part ? part : s->width; /* a bit may be of all lanes */
    return !part ? 0 : s->msb >= s->lsb ? lane * part : s->width - (lane + 1) * part;
}

/* watch.c */
bool pc_bus_watch_open(struct pc_bus_list *list);
void pc_bus_watch_close(struct pc_bus_list *list);
/* After the last timestamp; false: there is no memory. */
bool pc_bus_watch_settle(struct pc_bus_list *list);
/* SIZE_MAX: it is not watched. */
size_t pc_bus_watched(const struct pc_bus_list *list, size_t signal, uint32_t bit);

/* Returns the number of edges of the class before a timestamp. */
static inline size_t bus_rises_before(const struct bus_class *k, uint32_t stamp)
{
    const uint64_t below = (UINT64_C(1) << stamp % 64) - 1;

    return k->before[stamp / 64] + (size_t)__builtin_popcountll(k->at[stamp / 64] & below);
}

static inline bool bus_rises_at(const struct bus_class *k, uint32_t stamp)
{
    return k->at[stamp / 64] >> stamp % 64 & 1;
}

/* planes.c: values of a bit just before the edges of a class, 64 a word. */
void pc_bus_plane(const struct pc_bus_list *list, size_t bit, const struct bus_class *k,
                  uint64_t *value, uint64_t *unknown);

#endif
