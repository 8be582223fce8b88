/* SPDX-License-Identifier: MIT */
/*
 * Finding buses.  vocabulary.c has the words of protocols; words.c takes a name apart:
 * "slv_req.ar_valid" reads as arvalid of the bus slv. groups.c puts together what reads as signals
 * of one bus, clocks.c says what clocks it, and find.c decides which of these are buses, and drops
 * aliases.
 */
#ifndef PC_BUS_FIND_H
#define PC_BUS_FIND_H

#include "base/alloc.h"
#include "pcounter/unstable/bus.h"

enum bus_family {
    FAMILY_AXI,
    FAMILY_AHB,
    FAMILY_APB,
    FAMILY_WISHBONE,
    FAMILY_AVALON,
    FAMILY_TILELINK,
    FAMILY_OBI,
    FAMILY_STREAM,
    FAMILY_PAIR,
    FAMILIES
};

/* A word of a protocol. */
struct bus_word {
    const char *text;
    unsigned char family;
    const char *role;
    enum { BUS_FORWARD, BUS_BACKWARD } flow; /* driven by who asks, by who answers */
    unsigned char rank;
    bool inverted;
};
enum { BUS_FULL = 6, BUS_ENABLE = 8 }; /* ranks from which "full" and "en" are */

/* A signal as one of a bus. */
struct bus_reading {
    size_t signal, key;         /* key: offset of "scope stem" among the texts of the finder */
    const char *key_text;       /* the same, when all are read */
    size_t name;                /* offset of what the bus would be called */
    unsigned char family, role; /* role: of the family's protocol */
    unsigned char side;         /* 0: no direction is known, 1: of who asks, 2: of who answers */
    unsigned char rank;         /* of several that read as the same the lowest is taken */
    bool inverted, is_struct;   /* the bus is of several scopes: "slv_req", "slv_resp" */
    bool next;                  /* "_n": a next value, or active at 0 */
};

/* Signals of one bus, by roles. */
struct bus_candidate {
    size_t name; /* of what it is called */
    const char *key;
    unsigned char family, side;
    bool is_struct;
    const struct pc_bus_protocol *protocol;
    size_t role[PC_BUS_ROLES]; /* readings; SIZE_MAX: none */
    unsigned handshakes;       /* valid signals that it has */
    unsigned depth;            /* scopes around it */
    uint32_t lanes;            /* 0: handshakes are single bits */
    bool taken;
    size_t alias, aliases; /* the next name of the same net, the first; SIZE_MAX: none */
};

/* A signal whose name is that of a clock or a reset. */
struct bus_clock {
    size_t signal, scope, domain; /* offsets of texts; domain: "ethrx" of eth_rx_clk */
    const char *scope_text;
    bool is_reset, low;
    size_t bit; /* of what is watched */
};

struct bus_finder {
    struct pc_alloc alloc;
    const struct pc_bus_signal *signal;
    size_t signals;
    char *text;
    size_t texts, text_capacity;
    struct bus_reading *reading;
    size_t readings, reading_capacity;
    struct bus_candidate *candidate;
    size_t candidates, candidate_capacity;
    struct bus_clock *clock;
    size_t clocks, clock_capacity;
    bool no_memory;
};

enum { BUS_TOKENS = 24, BUS_LEAF = 200, BUS_DIGITS = 4 };

/* The words of a name: "s_axi_ARValid" is s, axi, ar, valid. */
struct bus_words {
    char text[BUS_LEAF + BUS_TOKENS + BUS_DIGITS + 1];
    const char *token[BUS_TOKENS];
    size_t end[BUS_TOKENS]; /* bytes of the name up to the end of the token */
    size_t start[BUS_TOKENS];
    size_t count;
};
/* False: it has too many. */
bool pc_bus_split(const char *name, size_t length, struct bus_words *out);

/* vocabulary.c: NULL past the end; the protocol of a family; the number of a role in it. */
const struct bus_word *pc_bus_word_at(size_t i);
const char *pc_bus_family_protocol(enum bus_family family);
size_t pc_bus_word_role(const struct bus_word *word);

/* halves.c: what a word says of a direction, "i" and "out"; what a scope counts as. */
enum side { NO_SIDE, IN, OUT };
enum side pc_bus_direction(const char *word);
bool pc_bus_whole_of(const char *name, size_t scope, char *out, size_t size, enum side *direction);

/* words.c: adds its readings. */
void pc_bus_read_signal(struct bus_finder *f, size_t signal);
/* Returns the key that a signal without a word of its own has: "req_q" of req_valid_q. SIZE_MAX:
 * none. */
size_t pc_bus_bare_key(struct bus_finder *f, size_t signal);
size_t pc_bus_text(struct bus_finder *f, const char *text, size_t length);
bool pc_bus_is_one_of(const char *word, const char *words); /* with blanks between them */
bool pc_bus_is_number(const char *word);

/* clock_names.c: it may be a clock or a reset. */
void pc_bus_read_clock(struct bus_finder *f, size_t signal);

/* groups.c: candidates out of the readings, in the order in which they are to be tried. */
void pc_bus_group(struct bus_finder *f);

/* find.c: which candidates are buses: those that are not taken. */
bool pc_bus_choose(struct bus_finder *f);

/* clocks.c */
void pc_bus_sort_clocks(struct bus_finder *f);
/* A clock or reset in a scope around a bus. */
struct bus_near {
    size_t clock;
    unsigned distance; /* scopes between them */
    unsigned fit;      /* 2: its domain is that of the bus, 1: it names none, 0: another one */
};
/* Calls `tell` for each of them, the nearest scope first; false from it ends that. */
void pc_bus_each_near(const struct bus_finder *f, const struct bus_candidate *c, bool reset,
                      bool (*tell)(void *ctx, const struct bus_near *near), void *ctx);
/* Found by names alone; SIZE_MAX: there is none. */
size_t pc_bus_clock_of(const struct bus_finder *f, const struct bus_candidate *c, bool reset);
/* Returns true if the stem of the bus begins with this domain. */
bool pc_bus_fits(const char *domain, const struct bus_candidate *c);

#endif
