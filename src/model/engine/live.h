/* SPDX-License-Identifier: MIT */
/*
 * The live step.  While it is quick, a unit's counters and flops are spread over this
 * structure; live_settle() and live_leave() bring them back.  Two things keep it equal to the
 * reference: it is entered only after a step of the reference with nothing pending, and what
 * a cycle leaves besides counts (vector, inputs, flops) is made by the reference's own
 * functions out of the last cycle's signals (pc_unit_remember).
 *
 *   live.c          the interface, and when to be quick
 *   live_program.c  what registers ask for; entering and leaving
 *   live_access.c   registers
 *   live_core.h     the cycle, compiled for any CPU (live_any.c) and for x86-64-v3 (live_v3.c)
 */
#ifndef PC_ENGINE_LIVE_H
#define PC_ENGINE_LIVE_H

#include "model/unit/state.h"
#include "pcounter/live.h"

/*
 * Selectors as bits, as in pc_domain.selected; where SETFLAG and CLRFLAG have no sources of
 * their own, those of others follow at bits 16 and 20, so that input n is nibble n everywhere.
 */
struct live_domain {
    struct pc_domain *d;

    /* worked out from registers */
    uint8_t low[2][16], high[2][16], bit[2][16]; /* byte of raw[0..1], [2..3], and bit in it */
    uint8_t signal[24];                          /* of each selector */
    uint32_t raw;                                /* selectors of raw signals */
    uint32_t on_flag, on_periodic, on_always;    /* selectors of FLAG, PERIODIC, and of ones */
    uint32_t now, late, late_high;               /* arguments; late_high: two places up */
    uint32_t chained;                            /* arguments that are SETFLAG */
    uint32_t table[PC_INPUTS];                   /* twice in a word */
    uint32_t periodic_mask;
    unsigned swap_word;
    uint64_t swap_mask;
    bool own_sources;  /* of SETFLAG and CLRFLAG */
    bool driven;       /* some selector has FLAG or PERIODIC */
    bool needs_set;    /* EVENT or STOP look at SETFLAG */
    bool gated;        /* GF100+ */
    bool none_listens; /* FLAG moves in a mode that counts nothing */
    uint8_t mode, ctr_mode;

    /* flops */
    uint32_t seen, before; /* selectors of the last cycle, and of the one before */
    bool flag_moves, flag_next, flag_cur;
    bool listened;            /* the flag, in the last cycle */
    uint64_t events, flags;   /* EVENT and FLAG; bit k: k cycles ago */
    bool event_odd, flag_odd; /* rises since entering, but of the last cycles (live_fold) */

    /* what is to be added to counters */
    uint64_t cycles, event, start, pre, stop;
    uint64_t four[3]; /* record mode: the counters themselves, four to a word */
    uint32_t room;    /* cycles in which none of these can come to 0xf000 */
};

/* One domain's cycle, before anything is changed. */
struct live_inputs {
    uint32_t wide;
    uint32_t pre, start, event, stop, set, clear; /* 0 or 1 */
};

enum live_read {
    LIVE_READ_SLOW,
    LIVE_READ_STORED,
    LIVE_READ_COUNTER,
    LIVE_READ_HIGH,
    LIVE_READ_NOW
};
/* Only stored; stored, and looked at anew; and single mode also goes INACTIVE. */
enum live_write { LIVE_WRITE_SLOW, LIVE_WRITE_STORED, LIVE_WRITE_CONFIG, LIVE_WRITE_ABORTS };

/* An address that was decoded; 32 bytes, of which most accesses look at few. */
struct live_register {
    uint32_t address;
    uint32_t often_read; /* the same, where it is the low word of a counter */
    uint32_t mask;       /* of what is written */
    uint8_t read, write;
    uint8_t domain;
    uint8_t aborts; /* bit of the domain, where a write aborts and does nothing else; or 0 */
    uint32_t *stored;
    uint64_t *counter;
};
enum { LIVE_REGISTERS = 256, LIVE_CALM = 2 };

typedef void live_step_fn(struct pc_live *live, uint32_t edges,
                          const uint64_t (*raw)[PC_SIG_WORDS]);

struct live_steps {
    live_step_fn *any;
    live_step_fn *quads;                    /* for plain ones in quad mode */
    live_step_fn *one[PC_MODE_NONE + 1][2]; /* for one domain in this mode; [1]: a plain one */
};

struct pc_live {
    live_step_fn *step; /* for what runs; live_slow_step if that is not quick */
    struct pc_unit *unit;
    const struct live_steps *steps; /* for this CPU */
    bool quick;                     /* the state is in here */
    bool moving;                    /* and so are counters that a read shows: single mode's */
    uint8_t aborted; /* domains that a write aborted since the last cycle: another only stores */
    bool possible;   /* what registers ask for can be quick; known if calm is LIVE_CALM */
    uint32_t calm;   /* steps with the same edges since the last write */
    uint32_t edges;  /* of the last step */
    uint64_t cycles; /* since entering */
    unsigned domains;
    uint8_t number[PC_MAX_DOMAINS]; /* of the unit, of each domain[] */
    struct live_domain domain[PC_MAX_DOMAINS];
    struct live_domain *of[PC_MAX_DOMAINS];     /* by number; NULL: it stands still */
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS]; /* of the last cycle, by number */
    struct live_register reg[LIVE_REGISTERS];
};

/* live_program.c */
/* Enters from the unit into here, if nothing is under way in it. */
bool live_enter(struct pc_live *live);
/* A unit whose domains in `edges` have nothing pending, no pulse and no user signal that falls:
 * quick, or as soon as it can be; false: never, with these registers. */
bool live_begin(struct pc_live *live, struct pc_unit *u, uint32_t edges);
/* Returns to the unit. */
void live_leave(struct pc_live *live);
/* Settles the counters alone. */
void live_settle(const struct pc_unit *u, struct live_domain *f);
/* The cycle by the reference; and quick again after it, if possible. */
live_step_fn live_slow_step;
/* Notes that something was done to the unit that changes what its registers ask for. */
void live_disturb(struct pc_live *live);
/* Folds, every 32 cycles: rises of EVENT and FLAG are counted before they are forgotten. */
void live_fold(struct pc_live *live);

extern const struct live_steps pc_live_steps_any;
#if defined(__x86_64__)
extern const struct live_steps pc_live_steps_v3;
#endif

#endif
