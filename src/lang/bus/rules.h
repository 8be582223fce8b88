/* SPDX-License-Identifier: MIT */
/*
 * A protocol: its roles; its wires, which are bits of roles joined; its channels, whose
 * states are told by wires; and its transactions, which begin and end with states or wires.  The
 * monitors (channel.c, transfer.c) know no protocol.
 */
#ifndef PC_BUS_RULES_H
#define PC_BUS_RULES_H

#include "pcounter/unstable/bus.h"

enum { BUS_WIRES = 16, BUS_CHANNELS = 5, BUS_STATE_ROWS = 5, BUS_PAYLOADS = 8, BUS_TRANSFERS = 12 };

/* Numbers of roles in rows are those of the list of roles, plus 1: 0 is none. */

enum bus_role_kind {
    BUS_NO_ROLE,
    BUS_BIT,
    BUS_CODE,    /* up to 4 bits */
    BUS_NUMBER,  /* up to 64 bits */
    BUS_STROBE,  /* a bit a byte */
    BUS_PAYLOAD, /* any width; looked at for `unstable` */
    BUS_NAMED    /* any width; not looked at */
};

struct bus_role {
    const char *name;
    enum bus_role_kind kind;
    unsigned char needed; /* bit 0, 1: of the one or the other set that a bus has to have whole */
};

struct bus_wire {
    enum { BUS_ALL, BUS_ANY } how; /* of the roles that there are */
    unsigned char role[3], bit;
    bool inverted;
    bool absent;             /* its value where there is none of the roles */
    unsigned char otherwise; /* a role that takes their place where there is none of them */
};

/* The cycle is in this state if all of these wires are 1 and all of those 0. */
struct bus_state {
    enum pc_bus_count state; /* of PC_BUS_BEAT to PC_BUS_IDLE */
    uint32_t ones, zeros;    /* a bit a wire */
};

/* A cycle in one of these states of the channel, all of these wires 1 and those 0. */
struct bus_event {
    enum {
        BUS_NEVER,
        BUS_WHEN,
        BUS_IF_NONE, /* only where nothing was open before the cycle */
        BUS_IF_SOME, /* only where something was */
        BUS_BY_LEN   /* the end: with as many data as were asked for */
    } is;
    unsigned char channel;
    uint32_t states; /* bit s: enum pc_bus_count; 0: any cycle */
    uint32_t ones, zeros;
};

enum {
    BUS_RUNS = 1 << 0,     /* has runs */
    BUS_PAUSES = 1 << 1,   /* ... gaps and waits */
    BUS_DROPS = 1 << 2,    /* counts what is dropped */
    BUS_UNSTABLE = 1 << 3, /* ... and what is unstable */
    BUS_BURSTS = 1 << 4,   /* a beat begins a burst, unless bit 0 of `burst` is 1 */
    BUS_CREDIT = 1 << 5,   /* states are told by a count of credits */
    BUS_WAITING = 1 << 6   /* tells how long a beat has been waiting at the end */
};

struct bus_channel {
    const char *name;
    unsigned flags;
    unsigned char valid; /* a wire: what is withdrawn when the channel drops something */
    unsigned char there; /* a role: without it there is no such channel */
    size_t states;
    struct bus_state state[BUS_STATE_ROWS];
    unsigned char payload[BUS_PAYLOADS]; /* roles */
    unsigned char strobe, data; /* bytes of beats: the strobe's bits that are 1, else the width */
    unsigned char last;         /* a role: there are packets */
    unsigned char burst;        /* a role, of BUS_BURSTS */
    unsigned char credit;       /* a role, of BUS_CREDIT */
};

enum {
    BUS_DELAY = 1 << 0,
    BUS_OWNED = 1 << 1,        /* data have no identifiers: the n-th start owns the n-th burst */
    BUS_LEN_OF_ENDED = 1 << 2, /* len is of what is completed, else of all starts */
    BUS_WAITS = 1 << 3,        /* has wait states: latency - 1 */
    BUS_DROPPED = 1 << 4,      /* what `abort` aborts also counts as dropped */
    BUS_ERRORS_LAST = 1 << 5,
    BUS_RETRIES = 1 << 6,
    BUS_BOTH_BEATS = 1 << 7, /* has read_beats and write_beats */
    BUS_CODES = 1 << 8,      /* counts responses by their code */
    BUS_BEATS = 1 << 9,      /* has beats */
    BUS_PAIRED = 1 << 10,    /* of the rows that have this, the first that fits; see pairing.c */
    BUS_SIZED = 1 << 11      /* TileLink: opcode and size say how many beats both sides have */
};

struct bus_transfer {
    const char *name;
    const char *how; /* BUS_PAIRED: which requests are paired; NULL: each, with one response */
    unsigned flags;
    unsigned char there[2]; /* roles: without them there are no such transactions */
    struct bus_event start, data, last, end, abort; /* last: the data that end a burst */
    unsigned char start_id, end_id;                 /* roles; data have that of ends */
    unsigned char len, len_plus;                    /* a role, and what is added to its value */
    unsigned char answers;                          /* that many data each; 0: another rule */
    unsigned char opcode, size, ropcode, word; /* roles, of BUS_SIZED; word: data of one beat */
    unsigned char response;                    /* a role */
    uint32_t errors;                           /* bit c: code c is an error */
    unsigned char retry;                       /* a wire's number plus 1, at the end */
    unsigned char write;                       /* a role, at the start */
    unsigned char strobe, width;               /* bytes of data, as in a channel */
    struct bus_event writes;                   /* beats, of BUS_BOTH_BEATS */
};

struct pc_bus_protocol {
    const char *name;
    const struct bus_role *role;
    size_t wires, channels, transfers;
    struct bus_wire wire[BUS_WIRES];
    struct bus_channel channel[BUS_CHANNELS];
    struct bus_transfer transfer[BUS_TRANSFERS];
};

/* rules.c, requests.c */
extern const struct pc_bus_protocol pc_bus_rules[], pc_bus_requests[];
extern const size_t pc_bus_rule_count, pc_bus_request_count;

#endif
