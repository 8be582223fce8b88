/* SPDX-License-Identifier: MIT */
/* A bus of the list as what is judged: its bits, and the clocks around it. */
#ifndef PC_BUS_PROOF_H
#define PC_BUS_PROOF_H

#include "lang/bus/list.h"

enum { BUS_SUBJECT_BITS = 4 * PC_BUS_ROLES };
#define BUS_FAR UINT32_MAX

/* A class of clocks, as the bus sees it. */
struct bus_rank {
    size_t clock;      /* the name that says most; SIZE_MAX: none */
    unsigned distance; /* BUS_FAR: in no scope around it */
    unsigned fit;
    uint64_t changes; /* of the bus after its first edge */
    uint64_t hits;    /* of these at one of its edges */
    uint64_t late[2]; /* as long after one as most of that bit are; as one of a few such times */
    uint64_t of[2];   /* of that many */
    uint64_t again;   /* changes of a bit that changed before in the same cycle */
};

struct bus_subject {
    struct pc_bus_list *list;
    struct bus_entry *entry;
    const struct bus_candidate *c;
    size_t bit[BUS_SUBJECT_BITS];
    size_t bits;
    uint64_t moves;        /* of the bit that moves most */
    struct bus_rank *rank; /* by class */
    bool is_alias;         /* clocks around another name of it are ranked */
};

/* clock_proof.c: the class of its clock, into entry->clock; or entry->unsure. */
uint32_t pc_bus_prove_clock(struct bus_subject *s);
/* reset_proof.c; false: there is no memory. */
bool pc_bus_prove_reset(struct bus_subject *s, const struct bus_class *k, uint32_t class);

#endif
