/* SPDX-License-Identifier: MIT */
/* Compile: from expressions for the inputs of a domain to registers, and back (see pcounter.h)
 */
#ifndef PCOUNTER_COMPILE_H
#define PCOUNTER_COMPILE_H

#include "pcounter/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The six inputs of a domain, in the document's order. */
enum pc_input_id {
    PC_INPUT_PRE,
    PC_INPUT_START,
    PC_INPUT_EVENT,
    PC_INPUT_STOP,
    PC_INPUT_SETFLAG,
    PC_INPUT_CLRFLAG,
    PC_INPUT_COUNT
};
PC_API const char *pc_input_name(enum pc_input_id input); /* "PRE" .. "CLRFLAG" */

enum pc_count_mode { PC_COUNT_SINGLE, PC_COUNT_QUAD, PC_COUNT_RECORD };

#define PC_SUM_BITS       6
#define PC_NO_SIGNAL      (-1)
#define PC_RECORD_SIGNALS 12
#define PC_PROGRAM_MAX    40 /* writes */
#define PC_PROGRAM_MUXES  16 /* registers among them that are multiplexers */
#define PC_CHAIN_INPUTS   7  /* signals of EVENT or STOP with SETFLAG as their fourth argument */

/*
 * A multiplexer register, to be set before everything else, so that a named signal reaches the
 * domain.  Bits of `mask` become those of `value`, the others stay; mask 0: the whole register.
 */
struct pc_mux {
    uint32_t address, mask, value;
};

/* A number that a counter adds: 2, 4 or 6 signals, least significant first.  bits is 0: none. */
struct pc_compile_sum {
    unsigned bits;
    uint32_t signal[PC_SUM_BITS];
};

/*
 * The wanted operation of a domain.  Members that are 0 take their defaults; only chip must be
 * given.  An input without an expression is 0; PRE and START of single mode are then 1.  Wires of
 * the expressions are positions of signals in the domain.
 */
struct pc_compile_request {
    const struct pc_chip *chip;
    unsigned domain; /* as the device numbers them: pc_chip_get_domain() */
    const struct pc_expr *input[PC_INPUT_COUNT];
    enum pc_count_mode mode;
    /*
     * CTR_EVENT adds the number that these signals make, least significant first, in
     * cycles where EVENT is 1: 4 bits are EVENT_B4, 6 bits EVENT_B6.  0: it counts EVENT.
     */
    unsigned sum_bits;
    uint32_t sum[PC_SUM_BITS];
    /*
     * The number that the counter of each input adds, PRE to STOP: EXTRA_B4 and EXTRA_B6_EVENT_B2
     * add to START (single mode: to PRE), modes 5 to 7 of GK104 to PRE and EVENT.  Where a mode
     * adds in every cycle the input's expression must be 1.
     */
    struct pc_compile_sum number[PC_INPUT_STOP + 1];
    /*
     * CTR_MODE by name or decimal number, where the sum does not imply it; and the signals for
     * selectors that such a mode counts as numbers.
     */
    const char *ctr_mode;           /* NULL: SIMPLE, or the sum's */
    int16_t pinned[4][4];           /* PRE_SRC0.. STOP_SRC3 or PC_NO_SIGNAL; only with ctr_mode */
    bool period_all;                /* EVENT_CTR_PERIOD = ALL */
    uint64_t threshold;             /* THRESHOLD, single mode */
    uint32_t pre_count, stop_count; /* CTR_PRE, CTR_STOP of single mode: that many more events */
    /*
     * Quad mode: the signal of the SWAP input, where it can be chosen.  Otherwise it is USER_0 of
     * the domain on GF100+, and is left alone on earlier chips: PM_TRIGGER after a reset.
     */
    bool has_swap;
    bool keep_swap; /* also leave it alone on GF100+ (signal 0 after a reset); not with has_swap */
    uint8_t swap;
    /* Record mode: signals counted at PRE_SRC0.. EVENT_SRC3 in that order, and the buffer. */
    unsigned record_signals;
    uint32_t record[PC_RECORD_SIGNALS];
    uint64_t record_start, record_limit; /* byte addresses, of 16 */
    bool record_short;
    /* Written first; fields of one register become one write. */
    const struct pc_mux *mux;
    size_t muxes;
};

/* mask UINT32_MAX: a write; else read it, change these bits, write it back. */
struct pc_program_write {
    uint32_t address, value, mask;
    char name[32]; /* of the register: "EVENT_SRC[1]"; "mux" where it has none here */
};

struct pc_program {
    uint32_t op[PC_INPUT_COUNT];
    int16_t source[PC_INPUT_COUNT]
                  [4];            /* signals at SRC[0..3], PC_NO_SIGNAL: free; NV30+: four inputs */
    bool chained[PC_INPUT_COUNT]; /* EVENT, STOP: ARG3 is SETFLAG */
    uint32_t ctrl;                /* word of the CTRL register that the domain is in */
    unsigned selectors;           /* in use */
    unsigned cone_bits;           /* of the largest input: it was proven over 2^cone_bits states */
    size_t writes;                /* in the order that the hardware needs: muxes, .. PRE_OP */
    struct pc_program_write write[PC_PROGRAM_MAX];
    struct pc_program_write swap; /* makes one swap, where a USER signal does; mask 0: none */
};

/*
 * Finds registers that compute all inputs together.  The search is complete: what is refused cannot
 * be done.  SETFLAG is chained into EVENT or STOP only where there is no other way; without a chain
 * the program has the fewest selectors possible.  Before the program is returned, each input is
 * evaluated by the rules for every state of the signals it depends on.  PC_EUNFIT with the reason
 * and what the chip, or another, could do; the error's line is the input, 1 for PRE to 6 for
 * CLRFLAG, its column a place in that input's text.  PC_EARG where the request has members of
 * another mode, or both has_swap and keep_swap: nothing is silently dropped.
 */
PC_API PC_MUST_CHECK enum pc_status pc_compile(const struct pc_compile_request *request,
                                               struct pc_program *out, struct pc_error *err);

/* An event and the counter for it: PC_INPUT_PRE .. PC_INPUT_STOP, or any. */
#define PC_ANY_INPUT (-1)
struct pc_compile_event {
    const struct pc_expr *expr;
    int input;
};
/*
 * Does what pc_compile() does in quad mode, with these events on counters that the request leaves
 * free, all of them together; input[i] is the counter of event i. All assignments are tried: one
 * without a chain comes before one with, then the fewest selectors, then the order of the counters.
 * The line of an error is that of pc_compile(), or PC_INPUT_COUNT + 1 + i for event i.
 */
PC_API PC_MUST_CHECK enum pc_status pc_compile_events(const struct pc_compile_request *request,
                                                      const struct pc_compile_event *event,
                                                      size_t events, enum pc_input_id *input,
                                                      struct pc_program *out, struct pc_error *err);

/* --- and back --- */

/* Names for the sources and the SETFLAG input, as operands of the language. */
struct pc_decompile_names {
    const char *source[4];
    const char *setflag;
};
/*
 * Writes the word of a *_OP register as an expression: rise, fall, edge and prev, ^ where two
 * variables matter only by their difference, else a shortest sum of products or its complement; "0"
 * or "1". Sources with equal names are one signal. PC_ELIMIT if it needs more than `size` bytes.
 */
PC_API PC_MUST_CHECK enum pc_status pc_decompile_op(const struct pc_chip *chip,
                                                    enum pc_input_id input, uint32_t op,
                                                    const struct pc_decompile_names *names,
                                                    char *out, size_t size, struct pc_error *err);

#define PC_SIGNAL_NAME 128 /* bytes of a name, with its NUL */
/* Writes the name of the signal at a position of the domain: "s2a". */
typedef void pc_signal_name_fn(void *ctx, unsigned signal, char *out, size_t size);
/*
 * Writes one input of a domain from its SRC and OP words; on NV30+ SETFLAG and CLRFLAG find their
 * sources in those of PRE and START, and src[] of their own is not looked at. Where ARG3 is SETFLAG
 * its expression stands in brackets in its place.
 */
PC_API PC_MUST_CHECK enum pc_status
pc_decompile(const struct pc_chip *chip, const uint32_t src[PC_INPUT_COUNT],
             const uint32_t op[PC_INPUT_COUNT], enum pc_input_id input, pc_signal_name_fn *name,
             void *ctx, char *out, size_t size, struct pc_error *err);

/*
 * Writes the number that the counter of an input adds in a counter mode, by the mode's name; false
 * if it counts 1. A number without bits: the counter does not count. *gate: it adds in the cycles
 * of this input; PC_ANY_INPUT: in every cycle.
 */
PC_API bool pc_decompile_sum(const struct pc_chip *chip, enum pc_count_mode mode,
                             const char *ctr_mode, const uint32_t src[PC_INPUT_COUNT],
                             enum pc_input_id input, struct pc_compile_sum *out, int *gate);

#ifdef __cplusplus
}
#endif

#endif
