/* SPDX-License-Identifier: MIT */
/*
 * The bench on which the conformance tests put a counter unit.
 *
 * Cases know the document and the public interface, nothing else: registers are found by
 * an address table of their own (address.c), signals are driven as levels, and time passes
 * cycle by cycle.  A case is one clause; the runner repeats it over the chips and domains
 * where the clause exists and names each run by its path, "g92/dom3/quad/name".
 *
 * Levels are played as text: one token a cycle, one letter an input.
 *     p PRE   s START   e EVENT   x STOP   f SETFLAG   c CLRFLAG   w SWAP   . nothing
 * "p s e ex" is four cycles.  rig_wire() connects the letters.
 */
#ifndef PC_CONFORM_SUPPORT_H
#define PC_CONFORM_SUPPORT_H

#include "test.h"

#include <inttypes.h>
#include <stdio.h>

/* Registers of both layouts, in the order of the document's tables. */
enum reg {
    PRE_SRC,
    PRE_OP,
    START_SRC,
    START_OP,
    EVENT_SRC,
    EVENT_OP,
    STOP_SRC,
    STOP_OP,
    SETFLAG_SRC,
    SETFLAG_OP,
    CLRFLAG_SRC,
    CLRFLAG_OP,
    SRC_STATUS,
    SPEC_SRC,
    USER_TRIGGER,
    CTR_CYCLES,
    CTR_CYCLES_HI,
    CTR_CYCLES_ALT,
    CTR_CYCLES_ALT_HI,
    CTR_EVENT,
    CTR_EVENT_HI,
    CTR_START,
    CTR_START_HI,
    CTR_PRE,
    CTR_STOP,
    THRESHOLD,
    THRESHOLD_HI,
    RECORD_ADDRESS_HIGH,
    RECORD_STATUS,
    RECORD_LIMIT,
    RECORD_START,
    RECORD_CHAN,
    RECORD_DMA,
    GCTRL,
    CTRL,
    QUAD_ACK_TRIGGER,
    REG_COUNT
};

/* Truth tables that pick one argument, and the constants. */
enum { OP_ZERO = 0x0000, OP_ONE = 0xffff };
enum { OP_ARG0 = 0xaaaa, OP_ARG1 = 0xcccc, OP_ARG2 = 0xf0f0, OP_ARG3 = 0xff00 };

enum mode { MODE_SINGLE, MODE_QUAD, MODE_RECORD };
enum ctr_mode { SIMPLE, EVENT_B4, EVENT_B6, EXTRA_B4, EXTRA_B6_EVENT_B2 };
enum single_state { INACTIVE, WAIT_PRE, WAIT_START, COUNTING };
enum quad_state { EMPTY = 0, VALID = 1, OVERFLOW = 3 };

/* Further bits of CTRL; only CTRL_ALL exists on the nv10 layout. */
enum {
    CTRL_ALL = 1 << 8,
    CTRL_EVENT_PULSE = 1 << 11,
    CTRL_FLAG_PULSE = 1 << 13,
    CTRL_SHORT = 1 << 20,
    CTRL_PERIODIC = 1 << 21, /* times 0..7 */
    CTRL_FAULT_CLEAR = 1 << 27
};

/* The letters of rig_play() as ordinary signals of the domain; LINE_SPARE and up are free. */
enum line { LINE_P, LINE_S, LINE_E, LINE_X, LINE_F, LINE_C, LINE_ZERO, LINE_SPARE };

enum { RIG_RAW = 16 };

struct packet {
    unsigned domain;
    uint64_t address;
    size_t size;
    uint8_t data[32];
};
enum { RIG_PACKETS = 16 };

struct rig {
    const struct pc_chip *chip;
    unsigned dom; /* the domain under test */
    struct pc_unit *unit;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    uint8_t raw_signal[PC_MAX_DOMAINS][RIG_RAW]; /* the first ordinary signals */
    unsigned raw_count[PC_MAX_DOMAINS];          /* how many of them there are */
    enum pc_mem_result answer;                   /* of the memory, from the next packet on */
    unsigned before;                             /* so many packets arrive before that answer */
    unsigned packets; /* how many arrived; the first RIG_PACKETS are kept */
    struct packet packet[RIG_PACKETS];
    bool changed; /* by an option: the unit is not for other cases */
};

/* address.c: where the document puts a register. */
const char *reg_name(enum reg reg);
/* The chip has it: 0xa000 and up; otherwise 0.  Global registers take any domain. */
uint32_t reg_address(const struct pc_chip *chip, enum reg reg, unsigned dom);
bool reg_per_domain(const struct pc_chip *chip, enum reg reg);
uint32_t sig_status_address(const struct pc_chip *chip, unsigned dom, unsigned i); /* 0: none */
bool chip_has(const struct pc_chip *chip, uint32_t features);                      /* all of them */

/* support.c: the bench. */
void rig_open(struct rig *rig, const struct pc_chip *chip, unsigned dom, uint32_t latency);
void rig_close(struct rig *rig);
void rig_restart(struct rig *rig); /* as after power-up, levels 0 */
void rig_option(struct rig *rig, const char *decision, const char *value);

void rig_write(struct rig *rig, enum reg reg, uint32_t value);
void rig_write_dom(struct rig *rig, unsigned dom, enum reg reg, uint32_t value);
uint32_t rig_read(const struct rig *rig, enum reg reg);
uint32_t rig_read_dom(const struct rig *rig, unsigned dom, enum reg reg);
uint64_t rig_count(const struct rig *rig, enum reg counter); /* with its _HI half */
void rig_select(struct rig *rig, enum reg src, unsigned s0, unsigned s1, unsigned s2, unsigned s3);

unsigned rig_raw(const struct rig *rig, unsigned k); /* number of the k-th ordinary signal */
unsigned rig_raw_dom(const struct rig *rig, unsigned dom, unsigned k);
unsigned chip_raw_count(const struct pc_chip *chip, unsigned dom);
void rig_set(struct rig *rig, unsigned dom, unsigned sig, bool level);
void rig_line(struct rig *rig, unsigned line, bool level);          /* rig_set of rig_raw(line) */
bool rig_signal(const struct rig *rig, unsigned dom, unsigned sig); /* through SIG_STATUS */
unsigned event_slot(const struct rig *rig, unsigned viewer, unsigned dom);
unsigned flag_slot(const struct rig *rig, unsigned viewer, unsigned dom);
bool rig_flag(const struct rig *rig);  /* own FLAG signal in the last cycle */
bool rig_event(const struct rig *rig); /* own EVENT signal in the last cycle, NV40 and up */

void rig_step(struct rig *rig, unsigned n);     /* cycles of the domain under test */
void rig_step_all(struct rig *rig, unsigned n); /* of all domains, on one clock */
void rig_edges(struct rig *rig, uint32_t edges);

/* The letters' selections and truth tables; PRE_OP is left alone, as writing it acts. */
void rig_wire(struct rig *rig);
void rig_play(struct rig *rig, const char *tokens);
void rig_repeat(struct rig *rig, const char *token, unsigned n);
void rig_ctrl(struct rig *rig, enum mode mode, enum ctr_mode ctr, uint32_t more);
enum single_state rig_single_state(const struct rig *rig);
enum quad_state rig_quad_state(const struct rig *rig);

/* Wires the letters and starts single mode with the given initial values: now WAIT_PRE. */
void rig_start_single(struct rig *rig, uint32_t pre, uint32_t stop, uint32_t ctrl);
/* Wires the letters and enters quad mode with clean shadows; PRE follows p. */
void rig_start_quad(struct rig *rig, enum ctr_mode ctr);

/* runner.c: cases over chips and domains. */
enum {
    CASE_UNIT = 1,       /* once a chip, not once a domain */
    CASE_EVERY_CHIP = 2, /* all chips with a unit, not one a range */
    CASE_FRESH = 4       /* a unit that no other case has used */
};
struct conform_case {
    const char *name;
    void (*run)(struct rig *rig);
    uint32_t need, lack; /* features of the chips it is for */
    unsigned flags;
    unsigned domains; /* least number of domains; 0: 1 */
    unsigned signals; /* least number of ordinary signals of the domain */
};
int conform_run(const char *chapter, const struct conform_case *cases, size_t count);

/* One row of a case table: CASE(name) for a clause that all chips have. */
#define CASE(fn)                                                                                   \
    {                                                                                              \
        .name = #fn, .run = fn                                                                     \
    }
#define CASE_ON(fn, wanted)                                                                        \
    {                                                                                              \
        .name = #fn, .run = fn, .need = (wanted)                                                   \
    }
#define CASE_NOT(fn, wanted, unwanted)                                                             \
    {                                                                                              \
        .name = #fn, .run = fn, .need = (wanted), .lack = (unwanted)                               \
    }

#endif
