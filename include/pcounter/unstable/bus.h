/* SPDX-License-Identifier: MIT */
/*
 * Unstable. Buses: what the handshakes of a protocol say about traffic, from planes of a waveform's
 * cycles (see pcounter.h), and where buses are among the names of a waveform.
 *
 * A cycle is an edge of the clock at which the reset is known to be inactive.  Reset drops all that
 * is in flight: no figure spans one.  Only a known 1 is true.
 */
#ifndef PCOUNTER_BUS_H
#define PCOUNTER_BUS_H

#include "pcounter/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- protocols ---- */

struct pc_bus_protocol;

#define PC_BUS_ROLES 40 /* of a protocol, at most */

/* Returns a protocol: "axi4", "obi", ...; NULL past the end. */
PC_API const struct pc_bus_protocol *pc_bus_protocol_at(size_t i);
/* Finds a protocol; PC_ENOENT, with similar names. */
PC_API PC_MUST_CHECK enum pc_status
pc_bus_protocol_find(const char *name, const struct pc_bus_protocol **out, struct pc_error *err);
PC_API const char *pc_bus_protocol_name(const struct pc_bus_protocol *protocol);

struct pc_bus_role {
    const char *name; /* "arvalid" */
    uint32_t most;    /* bits, at most */
    bool needed;      /* there is no such bus without it; AXI has two directions, one suffices */
    enum {
        PC_BUS_FOR_FIGURES,
        PC_BUS_FOR_UNSTABLE, /* but for its width, this alone: its wires may be left out */
        PC_BUS_FOR_NOTHING   /* it can be named, and is not looked at */
    } use;
};
/* Gets a role; false past the end. */
PC_API bool pc_bus_role_at(const struct pc_bus_protocol *protocol, size_t i,
                           struct pc_bus_role *out);
/* Finds a role; PC_ENOENT, with similar names. */
PC_API PC_MUST_CHECK enum pc_status pc_bus_role_find(const struct pc_bus_protocol *protocol,
                                                     const char *name, size_t *out,
                                                     struct pc_error *err);

/* ---- monitors ---- */

struct pc_bus;

/* The bits of a role among the planes of a block. */
struct pc_bus_wires {
    uint32_t width;       /* 0: the bus has no such signal */
    const uint32_t *wire; /* indices of planes, bit 0 first; NULL: not looked at */
    bool inverted;
};

struct pc_bus_desc {
    const struct pc_alloc *alloc;
    const struct pc_bus_protocol *protocol;
    struct pc_bus_wires role[PC_BUS_ROLES]; /* in the order of pc_bus_role_at() */
    bool has_reset, reset_low;
    uint32_t reset;       /* index of its plane */
    uint32_t credit_init; /* credits after a reset, and at the beginning */
    size_t most_open;     /* [1 Mi] transactions outstanding at once */
    size_t most_ids;      /* [4096] identifiers with a distribution of their own */
};

/* Creates a bus; PC_EINPUT: a needed role is missing, or one has too many bits. */
PC_API PC_MUST_CHECK enum pc_status pc_bus_create(const struct pc_bus_desc *desc,
                                                  struct pc_bus **out, struct pc_error *err);
PC_API void pc_bus_destroy(struct pc_bus *bus); /* NULL is fine */
/*
 * Adds the next block. Planes as of struct pc_wave_block; an unknown bit has the value 0.
 * PC_ELIMIT: more than most_open are outstanding. PC_ENOMEM.
 */
PC_API PC_MUST_CHECK enum pc_status pc_bus_add(struct pc_bus *bus, uint64_t cycles,
                                               const uint64_t *const *value,
                                               const uint64_t *const *unknown,
                                               struct pc_error *err);
/* Sets the times of the edges of the next block; without them the times below are 0. */
PC_API void pc_bus_times(struct pc_bus *bus, const uint64_t *time);
/* Runs and bursts that are open end: after the last block. */
PC_API void pc_bus_finish(struct pc_bus *bus);

struct pc_bus_edges {
    uint64_t edges, reset_edges, reset_unknown, cycles;
};
PC_API void pc_bus_get_edges(const struct pc_bus *bus, struct pc_bus_edges *out);

/* The counts of a group, and its distributions. */
enum pc_bus_count {
    /* of a channel: its states, which add up to the cycles */
    PC_BUS_BEAT,
    PC_BUS_STALL,
    PC_BUS_STARVE,
    PC_BUS_SETUP,
    PC_BUS_BLOCKED,
    PC_BUS_IDLE,
    PC_BUS_UNKNOWN,
    PC_BUS_DROPPED,   /* stalls after which valid was withdrawn */
    PC_BUS_UNSTABLE,  /* stalls after which the payload was another one */
    PC_BUS_OVERRUN,   /* beats without a credit */
    PC_BUS_OPEN_WAIT, /* stalls up to the last cycle: what waits then may go on waiting */
    /* of a channel, of packets, of transactions */
    PC_BUS_BYTES,
    PC_BUS_BUS_BYTES,     /* beats times width */
    PC_BUS_PARTIAL_BEATS, /* of packets that were open at a reset or at the end */
    /* of transactions */
    PC_BUS_STARTED,
    PC_BUS_COMPLETED,
    PC_BUS_ABORTED,
    PC_BUS_UNFINISHED,
    PC_BUS_ORPHANS,
    PC_BUS_UNKNOWN_ID,
    PC_BUS_WITHOUT_DATA,
    PC_BUS_LEN_MISMATCH,
    PC_BUS_ERRORS,
    PC_BUS_ERRORS_LAST,
    PC_BUS_RETRIES,
    PC_BUS_WRITES,
    PC_BUS_READS,
    PC_BUS_READ_BEATS,
    PC_BUS_WRITE_BEATS,
    PC_BUS_COUNTS
};

enum pc_bus_dist {
    /* of a channel */
    PC_BUS_RUNS,
    PC_BUS_GAPS,
    PC_BUS_WAIT,
    PC_BUS_BURSTS,
    PC_BUS_CREDITS,
    /* of packets */
    PC_BUS_PACKET_BEATS,
    PC_BUS_DURATION,
    /* of transactions */
    PC_BUS_LATENCY,
    PC_BUS_OUTSTANDING, /* open before each cycle */
    PC_BUS_FIRST_DATA,
    PC_BUS_LAST_DATA,
    PC_BUS_DELAY,
    PC_BUS_LEN,
    PC_BUS_BEATS,
    PC_BUS_WAIT_STATES,
    PC_BUS_TRANSACTION_BYTES, /* of the data of each */
    PC_BUS_OPEN_AGES,         /* after pc_bus_finish(): cycles since the start of what is open */
    PC_BUS_DISTS
};
/* Returns the name of a count: "beat", "latency". */
PC_API const char *pc_bus_count_name(enum pc_bus_count count);
PC_API const char *pc_bus_dist_name(enum pc_bus_dist dist);

#define PC_BUS_CODES 16 /* of a response */

/* The first of the transactions that took longest. */
struct pc_bus_longest {
    bool any; /* one was completed */
    uint64_t id, latency;
    uint64_t start; /* its first edge, from 0 */
    uint64_t start_time, end_time;
};

struct pc_bus_group {
    const char *name; /* of a channel "", "ar", ...; "packets"; "read", "write", "transactions" */
    enum pc_bus_kind { PC_BUS_CHANNEL, PC_BUS_PACKETS, PC_BUS_TRANSACTIONS } kind;
    uint32_t has; /* bit c: count c is one of this bus, and was measured */
    uint64_t count[PC_BUS_COUNTS];
    struct pc_dist *dist[PC_BUS_DISTS]; /* NULL: none of this bus */
    /* of transactions */
    uint64_t most_outstanding; /* the largest number after a cycle */
    bool has_responses;
    uint64_t response[PC_BUS_CODES], response_unknown; /* how often each code was */
    size_t ids;                                        /* identifiers; pc_bus_of_id() */
    bool has_ids;
    struct pc_bus_longest longest;
    struct pc_bus_longest oldest; /* of what is open at the end; its latency is its age */
    /* Its number before pc_bus_finish(), which drops pairings that do not fit. */
    size_t place;
};
/* Gets a group; PC_END past the last. Distributions live as long as the bus. */
PC_API enum pc_status pc_bus_group_at(struct pc_bus *bus, size_t i, struct pc_bus_group *out);
/* Latencies of the i-th identifier of that group, in the order in which they came first. */
PC_API struct pc_dist *pc_bus_of_id(struct pc_bus *bus, size_t group, size_t i, uint64_t *id);

/*
 * How requests and responses were paired, after pc_bus_finish(): where no rule of the protocol says
 * which belong together, several ways are tried, and the first one is told in which no response
 * comes with nothing open and what is open does not grow.  If none fits there is no group.
 */
struct pc_bus_pairing {
    bool guessed; /* several were tried; else the others say nothing */
    bool fits;
    const char *how; /* "reads alone (writes have no response)"; NULL: each has one */
    const char *why; /* none fits: "the response at edge 24 has no request that is open" */
};
PC_API void pc_bus_get_pairing(const struct pc_bus *bus, struct pc_bus_pairing *out);

/* Transactions in flight at the end, after pc_bus_finish(). */
struct pc_bus_end {
    bool waits;      /* a transaction is open, or a sender waits */
    uint64_t waited; /* for that many cycles, of several the one that waits longest */
    bool stuck;      /* ... and nothing has moved for more than half of the edges */
    uint64_t since;  /* the first edge after which nothing moved while it waited, from 0 */
    uint64_t since_time;
};
PC_API void pc_bus_get_end(const struct pc_bus *bus, struct pc_bus_end *out);

/* ---- buses by the names of signals ---- */

/* A signal of a waveform. */
struct pc_bus_signal {
    const char *name; /* "tb.dut.s_axi_arvalid" */
    uint32_t width;
    int32_t msb, lsb;
    uint32_t net; /* equal for signals that are one, under several names */
};

/*
 * Finds the buses: signals whose names have one stem and words of one protocol.  Aliases are one
 * bus, named by the highest scope; vectors of handshakes are as many buses as they have bits.
 * Signals and their names have to live as long as the list.
 */
struct pc_bus_list;

/* Returns true if the last part of this path is the name of a clock, by whole
 * words: "clk_en" is not. */
PC_API bool pc_bus_is_clock_name(const char *path);
/* Returns true if it is the name of a reset; *low: of one that is active at 0. */
PC_API bool pc_bus_is_reset_name(const char *path, bool *low);

/*
 * Evidence for a clock: how long after its last edge a bit changed, and how often so.  Of more than
 * PC_DELAYS different delays the later ones are in `all` alone.
 */
enum { PC_DELAYS = 16 };
struct pc_delays {
    uint64_t delay[PC_DELAYS], count[PC_DELAYS], all;
    size_t different;
};
/* Adds a change; delays that differ by at most `slack` are one. */
PC_API void pc_delays_add(struct pc_delays *delays, uint64_t delay, uint64_t slack);
/* Returns how many changes had the most common delay, and that in *delay (may be NULL). */
PC_API uint64_t pc_delays_most(const struct pc_delays *delays, uint64_t *delay);
/*
 * Returns where `word`, in small letters, is in the last part of a path as a whole word, whatever
 * its case; valid, ready, vld and rdy may end one, "arvalid". Digits may follow. NULL: nowhere.
 */
PC_API const char *pc_bus_word_in(const char *path, const char *word);

PC_API PC_MUST_CHECK enum pc_status pc_bus_find(const struct pc_alloc *alloc,
                                                const struct pc_bus_signal *signal, size_t count,
                                                struct pc_bus_list **out, struct pc_error *err);
PC_API void pc_bus_list_destroy(struct pc_bus_list *list); /* NULL is fine */

/* How the reset of a bus was told, or why there is none. */
enum pc_bus_reset_proof {
    PC_BUS_RESET_NONE,      /* no signal is called so */
    PC_BUS_RESET_HOLDS,     /* nothing is taken while it is active */
    PC_BUS_RESET_STILL,     /* it stands at the level that its name says is inactive */
    PC_BUS_RESET_OF_OTHERS, /* ... but it is that of more buses that take nothing then */
    /* there is none: */
    PC_BUS_RESET_TAKES, /* something is taken while the one that is called so is active */
    PC_BUS_RESET_LONG,  /* it is active for more than half of the edges */
    PC_BUS_RESET_TOGGLES,
    PC_BUS_RESET_UNMOVED /* it stands at its active level */
};

/* Evidence for the clock and the reset of a bus; all 0 before pc_bus_judge(). */
struct pc_bus_proof {
    uint64_t changes, explained; /* of its signals, and of these with an edge of the clock */
    size_t clocks;               /* different clocks that were compared; 1: there was no choice */
    const char *other;           /* the best one of the others, NULL: none */
    uint64_t other_explained;
    /* Why it cannot be told what the clock or the reset is, NULL: it can; and the two that fit. */
    const char *unsure, *candidate[2];
    bool unsure_of_reset;
    enum pc_bus_reset_proof reset;
    const char *refused;         /* what is called a reset, and is none of this bus */
    uint64_t edges, reset_edges; /* of the clock in what was read; with the reset, or that one */
    uint64_t reset_beats;        /* in these */
    size_t resets;               /* different signals that may be one by their names */
    bool reset_against_name;     /* its name says the other level */
};

struct pc_bus_found {
    const char *name; /* "tb.s_axi", "tb.in[2]" */
    const struct pc_bus_protocol *protocol;
    /* By role: a signal, one of its bits or a part of it, "tb.in_valid[2]"; after '!' its inverse;
     * NULL: there is none.  Clock and reset NULL: none was found. */
    const char *role[PC_BUS_ROLES];
    const char *clock, *reset;
    bool reset_low;
    const char *alias; /* other names of its nets, one after the other, each with its 0 */
    size_t aliases;    /* their number */
    uint64_t values; /* after pc_bus_judge(), equal for buses whose signals had the same values all
                        the time; 0: they moved too little to say so */
    struct pc_bus_proof proof;
};
/* Gets a bus, in the order of their names; PC_END past the last. Strings live as long as the list,
 * and until pc_bus_judge(). */
PC_API enum pc_status pc_bus_list_at(const struct pc_bus_list *list, size_t i,
                                     struct pc_bus_found *out);

/*
 * Names propose, data decide: what these bits did at each time stamp of the begin of the waveform
 * is handed over, then pc_bus_judge() chooses clocks and resets, and drops vectors that count.
 */
struct pc_bus_bit {
    size_t signal; /* of those that pc_bus_find() got */
    uint32_t bit;  /* from the right */
};
/* Gets a bit to watch; PC_END past the last. */
PC_API enum pc_status pc_bus_list_bit(const struct pc_bus_list *list, size_t i,
                                      struct pc_bus_bit *out);
enum pc_bus_evidence {
    PC_BUS_TOO_LITTLE, /* go on */
    PC_BUS_SOME,       /* 4,096 edges of a clock, but a bus moved less than 64 times */
    PC_BUS_ENOUGH,     /* each bus moved 64 times */
    PC_BUS_FULL        /* no more is kept */
};
/* Adds values of the bits, the i-th in bit i % 64 of word i / 64; an unknown one is 1 in
 * `unknown`. */
PC_API PC_MUST_CHECK enum pc_status pc_bus_watch(struct pc_bus_list *list, uint64_t time,
                                                 const uint64_t *value, const uint64_t *unknown,
                                                 enum pc_bus_evidence *out, struct pc_error *err);
/* Decides, once, after the last time stamp. */
PC_API PC_MUST_CHECK enum pc_status pc_bus_judge(struct pc_bus_list *list, struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif
