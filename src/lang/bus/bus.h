/* SPDX-License-Identifier: MIT */
/* A monitor: what it keeps of its channels and its transactions. */
#ifndef PC_BUS_BUS_H
#define PC_BUS_BUS_H

#include "base/ones.h"
#include "lang/bus/rules.h"
#include "lang/measure/match.h"

enum { BUS_STATES = PC_BUS_UNKNOWN + 1 };

/* Up to 64 cycles of a block, bit 0 the first. */
struct bus_word {
    size_t at; /* index of the word in the block's planes */
    unsigned cycles;
    uint64_t first;                           /* number of its first edge */
    uint64_t cycle;                           /* those that there are */
    uint64_t live;                            /* of these those that are not in reset */
    uint64_t one[BUS_WIRES], zero[BUS_WIRES]; /* where a wire is known to be so */
    uint64_t state[BUS_CHANNELS][BUS_STATES];
};

struct bus_wires {
    uint32_t width;
    uint32_t *wire; /* NULL: not looked at */
    bool inverted;
    /* a number: its planes in the word of that number, and where one of them is unknown */
    uint64_t word, unknown, *plane;
};

/* Beats up to a mark: packets and bursts. */
struct bus_group_of_beats {
    uint64_t beats, first;
};

/* An edge, and when it was. */
struct bus_mark {
    uint64_t edge, time;
};

struct bus_channel_state {
    const struct bus_channel *rule; /* NULL: there is no such channel */
    uint64_t count[PC_BUS_COUNTS];
    struct pc_dist *dist[PC_BUS_DISTS];
    enum { BUS_AFTER_RESET, BUS_IN_BEATS, BUS_IN_STALLS, BUS_IN_OTHERS } last;
    uint64_t run, stalls, pause; /* lengths of what is going on */
    bool had_beat;               /* since the reset */
    bool stalled;                /* in the cycle before */
    uint64_t waiting;            /* stalls up to now, without anything between */
    struct bus_mark waits_from;  /* the first of these */
    bool looks_at_payload;
    uint32_t *payload; /* planes */
    uint8_t *before;   /* of each of them the last value of the block before: 1, and unknown: 2 */
    size_t payloads;
    struct bus_group_of_beats packet, burst;
    uint64_t credits;
};

/* An outstanding transaction, by its slot. */
struct bus_open {
    uint64_t first, next; /* cycles: of its first data; of the start after it */
    uint64_t burst;       /* number of its burst, of BUS_OWNED */
    uint64_t len, beats, bytes;
    bool has_next, has_len, error, error_last;
    enum { BUS_UNKNOWN_WAY, BUS_WRITE, BUS_READ } way;
};

struct bus_burst {
    uint64_t first, last, beats, bytes;
    bool ended, done; /* its data are complete; it is not asked for any more */
};

enum { BUS_OCTAVES = 40 };

/* How well responses fit to requests, as one way of pairing them has it. */
struct bus_fit {
    bool asked;                  /* there was a request since the reset */
    bool answered;               /* a response came */
    bool failed;                 /* it was wrong: nothing is measured any more */
    bool many;                   /* ... as too many requests were open */
    uint64_t failed_at;          /* ... at this edge */
    uint64_t orphans, completed; /* when it was looked at last */
    /* How many were open after the 2^k-th to the one before the 2^(k+1)-th response. */
    uint32_t most[BUS_OCTAVES], least[BUS_OCTAVES];
};

struct bus_transfer_state {
    const struct bus_transfer *rule;
    struct pc_match match;
    struct bus_fit fit;           /* of BUS_PAIRED */
    uint64_t words_left;          /* BUS_SIZED: of the request that is under way */
    struct pc_bus_longest oldest; /* of what is open at the end */
    uint64_t count[PC_BUS_COUNTS];
    struct pc_dist *dist[PC_BUS_DISTS];
    uint64_t response[PC_BUS_CODES], response_unknown;
    struct bus_open *open;
    size_t open_capacity;
    bool clean; /* nothing is in flight */
    /* the last start: its slot, or when it ended */
    uint32_t last_slot;
    bool last_ended;
    uint64_t last_end;
    /* bursts that are owned, numbered from the reset on; a ring */
    struct bus_burst *burst;
    size_t bursts; /* a power of two, or 0 */
    uint64_t first_burst, starts, burst_now;
};

struct pc_bus {
    struct pc_alloc alloc;
    const struct pc_bus_protocol *protocol;
    struct bus_wires role[PC_BUS_ROLES + 1]; /* by the numbers of rows */
    uint64_t words;                          /* that many were begun: 0 is none */
    bool has_reset, reset_low;
    uint32_t reset;
    uint32_t credit_init;
    const uint64_t *const *value, *const *unknown; /* of the block */
    const uint64_t *time;                          /* NULL: not known */
    const uint64_t *block_time;                    /* the same of the block that is added */
    uint64_t block_first;                          /* its first edge */
    struct bus_mark moved;                         /* the last beat, or the last edge in reset */
    bool finished;
    char why[200]; /* no pairing fits */
    struct pc_bus_edges edges;
    struct bus_channel_state channel[BUS_CHANNELS];
    struct bus_transfer_state *transfer;
    unsigned transfers; /* those that there are */
    unsigned chosen;    /* of BUS_PAIRED, when it is finished; transfers: none */
    struct bus_word word;
};

/* wires.c: Reads the wires and states of the word; and what a role is in a cycle of it. */
void pc_bus_look(struct pc_bus *bus);
/* False: a bit of it is unknown, or there is no such role; *out is then 0. */
bool pc_bus_number(struct pc_bus *bus, unsigned role, unsigned cycle, uint64_t *out);
/* Returns where bit `bit` of the role is 1. */
uint64_t pc_bus_ones(const struct pc_bus *bus, unsigned role, unsigned bit);
uint64_t pc_bus_event(const struct pc_bus *bus, const struct bus_event *event);
/* Returns the bytes of beats in these cycles: the strobe's bits that are 1, else of the width. */
uint64_t pc_bus_bytes(const struct pc_bus *bus, unsigned strobe, unsigned width, uint64_t beats);
/* Returns true if the bus has the roles that give bytes. */
bool pc_bus_has_bytes(const struct pc_bus *bus, unsigned strobe, unsigned width);

/* channel.c */
enum pc_status pc_bus_channel_open(struct pc_bus *bus, unsigned n, struct pc_error *err);
void pc_bus_channel_close(struct pc_bus *bus, unsigned n);
void pc_bus_channel_word(struct pc_bus *bus, unsigned n);
void pc_bus_channel_block_end(struct pc_bus *bus, unsigned n);
void pc_bus_channel_finish(struct pc_bus *bus, unsigned n);

/* transfer.c: those whose roles there are. */
enum pc_status pc_bus_transfers_open(struct pc_bus *bus, const struct pc_bus_desc *desc,
                                     struct pc_error *err);
void pc_bus_transfers_close(struct pc_bus *bus);
enum pc_status pc_bus_transfer_word(struct pc_bus *bus, unsigned n, struct pc_error *err);
/* At the end: how old is what is open. */
void pc_bus_transfer_finish(struct pc_bus *bus, unsigned n);

/* figures.c: at the end, of all pairings the one that fits. */
bool pc_bus_is_told(const struct pc_bus *bus, unsigned transfer);

/* pairing.c: after what happened at an edge; at the end. */
void pc_bus_pair_look(struct bus_transfer_state *t, uint64_t edge);
void pc_bus_pair_choose(struct pc_bus *bus);

/* sized.c: of BUS_SIZED, beats of the request that begins, and of its response; these may be other
 * ones once the response begins; is it the response to a request? */
void pc_bus_sized_request(struct pc_bus *bus, const struct bus_transfer *rule, unsigned cycle,
                          uint64_t *words, uint64_t *answers);
uint64_t pc_bus_sized_response(struct pc_bus *bus, const struct bus_transfer *rule, unsigned cycle,
                               uint64_t expected);
bool pc_bus_sized_is_response(struct pc_bus *bus, const struct bus_transfer *rule, unsigned cycle);

/* burst.c: data that come without identifiers. */
enum pc_status pc_bus_burst_claim(struct pc_bus *bus, struct bus_transfer_state *t,
                                  uint64_t *number, bool owned, struct pc_error *err);
enum pc_status pc_bus_burst_data(struct pc_bus *bus, struct bus_transfer_state *t, uint64_t cycle,
                                 bool last, struct pc_error *err);
/* The transaction ends; NULL: its data have not. */
const struct bus_burst *pc_bus_burst_end(struct bus_transfer_state *t, uint64_t number);
void pc_bus_burst_trim(struct bus_transfer_state *t);
void pc_bus_burst_forget(struct bus_transfer_state *t);

/* An edge of the block with its time. */
static inline struct bus_mark pc_bus_mark(const struct pc_bus *b, uint64_t edge)
{
    return (struct bus_mark){ edge, b->block_time ? b->block_time[edge - b->block_first] : 0 };
}

/* Returns the cycles of a word before `cycle`. */
static inline uint64_t bus_before(unsigned cycle)
{
    return cycle < 64 ? (UINT64_C(1) << cycle) - 1 : ~UINT64_C(0);
}

#endif
