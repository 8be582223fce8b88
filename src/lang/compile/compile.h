/* SPDX-License-Identifier: MIT */
/*
 * Inside of the compiler.  An input is wanted as a function of atoms: signals, now or one
 * cycle ago.  A *way* is one encoding of it: signals for some of the domain's selectors, and
 * the *_OP word that goes with them.
 *
 *   func.c     functions of atoms, from expressions
 *   ways.c     all ways to give a function to one input
 *   chain.c    a function of up to seven atoms as one of four whose last one is SETFLAG
 *   search.c   one way for each input so that no selector is wanted twice differently
 *   solve.c    which inputs are chained; a way for each
 *   sums.c     counter modes that add numbers
 *   want.c     what a request wants, checked
 *   through.c  what an input cannot take, two cycles old through the flag
 *   refuse.c   why not, and what instead
 *   verify.c   the proof: the rules over all states of each cone
 *   program.c  registers in the order of writing
 *   inputs.c   from a request to registers, each expression on its input
 *   events.c   ... and which counter takes which event
 *   decompile.c  a *_OP word back to an expression
 *   products.c   a truth table as a sum of products
 */
#ifndef PC_COMPILE_COMPILE_H
#define PC_COMPILE_COMPILE_H

#include "base/error.h"
#include "lang/expr/expr.h"
#include "pcounter/pcounter.h"

#define CM_ATOMS     PC_CHAIN_INPUTS
#define CM_SELECTORS (PC_INPUT_COUNT * 4)
#define CM_MAX_WAYS  24 /* four atoms over four arguments */
#define CM_WORDS     (CM_SELECTORS / 8)
_Static_assert(CM_SELECTORS % 8 == 0, "a byte a selector");

/* Signals at selectors: byte i % 8 of word i / 8 is selector i; it is taken (ff) or free (0, and so
 * is its signal). */
struct cm_bytes {
    uint64_t taken[CM_WORDS], signal[CM_WORDS];
};

struct cm_atom {
    uint8_t signal;
    bool late;
};

/* Bit i of row[]: the value for inputs i, atom 0 is bit 0 of i. */
struct cm_func {
    unsigned atoms;
    struct cm_atom atom[CM_ATOMS];
    uint64_t row[(1u << CM_ATOMS) / 64];
};

struct cm_way {
    uint32_t op;
    struct cm_bytes needs;
};

struct cm_ways {
    unsigned count;
    struct cm_way way[CM_MAX_WAYS];
};

/* The chip as the compiler sees it. */
struct cm_target {
    const struct pc_chip *chip; /* as the domain's set sees it */
    unsigned domain;            /* within the set */
    uint32_t features;
    int own_event; /* position of the domain's own EVENT, or -1 */
};

static inline bool cm_row(const struct cm_func *f, unsigned i)
{
    return f->row[i / 64] >> (i % 64) & 1;
}

static inline bool cm_chains(enum pc_input_id input)
{
    return input == PC_INPUT_EVENT || input == PC_INPUT_STOP;
}

/* false: more than CM_ATOMS atoms, or it looks back too far. */
bool cm_func_of(const struct pc_expr *e, struct cm_func *out);
int cm_find_atom(const struct cm_func *f, struct cm_atom atom); /* -1: not there */

/*
 * Finds all ways. `chained`: ARG3 is SETFLAG, which is atom number f->atoms - 1 whatever its signal
 * says.
 */
void cm_find_ways(const struct cm_target *t, const struct cm_func *f, enum pc_input_id input,
                  bool chained, struct cm_ways *out);

/* One split: the atoms that stay in EVENT and STOP, those of SETFLAG, and the functions. */
struct cm_split {
    struct cm_func set;     /* SETFLAG */
    struct cm_func rest[2]; /* EVENT, STOP: last atom is SETFLAG; atoms 0 where it is not chained */
};
/*
 * Goes through the splits of the functions of EVENT and STOP (NULL: not chained).  `fixed`:
 * SETFLAG is this function; NULL: any.  visit() returns true to stop there.
 */
typedef bool cm_visit_fn(void *ctx, const struct cm_split *split);
bool cm_for_splits(const struct cm_func *event, const struct cm_func *stop,
                   const struct cm_func *fixed, cm_visit_fn *visit, void *ctx);

/* Converts signals at selectors, PC_NO_SIGNAL where none is, to bytes and back. */
struct cm_bytes cm_bytes_of(const int16_t selector[CM_SELECTORS]);
void cm_put_bytes(const struct cm_bytes *b, int16_t selector[CM_SELECTORS]);
/* One input by itself: the first way that needs fewest selectors besides those in use; -1. */
int cm_best_way(const struct cm_bytes *now, const struct cm_ways *ways, struct cm_bytes *with);
/*
 * Picks a way for each input (NULL: none wanted) beside what selector[] has already; the fewest
 * selectors win.  true: selector[] and pick[], a number of a way, are filled in, and *selectors is
 * how many are taken; false: they do not fit together, and nothing is changed.
 */
bool cm_search(const struct cm_ways *const ways[PC_INPUT_COUNT], int16_t selector[CM_SELECTORS],
               unsigned pick[PC_INPUT_COUNT], unsigned *selectors);

/* The wanted operation of a domain, names resolved. */
struct cm_want {
    struct cm_target target;
    bool wanted[PC_INPUT_COUNT];
    struct cm_func func[PC_INPUT_COUNT];
    int16_t reserved[CM_SELECTORS]; /* by the sum; PC_NO_SIGNAL: free */
    const char *ctr_mode;           /* that adds numbers; NULL: none */
    uint8_t gate[PC_INPUT_COUNT];   /* 0: the counter adds in cycles of its input; 1 + another's */
    uint8_t dead;                   /* bit i: the counter of input i cannot count events */
};
#define CM_NO_GATE 0xff /* it adds in every cycle */
struct cm_found {
    int16_t selector[CM_SELECTORS];
    uint32_t op[PC_INPUT_COUNT];
    bool chained[PC_INPUT_COUNT];
    unsigned selectors;
};
bool cm_solve(const struct cm_want *want, struct cm_found *out);
/* Returns true if EVENT looks at its own output, undelayed (D-21). */
bool cm_event_loops(const struct cm_want *want);

/* A request checked and its expressions as functions; *small: none has too many atoms. */
enum pc_status cm_want_of(const struct pc_compile_request *r, struct pc_chip *of_set,
                          struct cm_want *out, bool *small, struct pc_error *err);
/* Proves it and writes it down. */
enum pc_status cm_finish(const struct pc_compile_request *r, const struct cm_want *want,
                         const struct cm_found *found, struct pc_program *out,
                         struct pc_error *err);

/* Returns true if the chip has counter mode m, one of enum pc_ctr_mode up to KEPLER_7. */
bool cm_mode_exists(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m);
/* Returns a bit for each counter, PRE to STOP, that counts its own input in counter mode m. */
unsigned cm_mode_counts(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m);
/*
 * Returns a bit for each counter that adds a number of that many bits in counter mode m, in the
 * cycles of a condition; `always`: the condition is 1.
 */
unsigned cm_mode_adds(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m,
                      unsigned bits, bool always);
bool cm_is_one(const struct cm_func *f);
/* Puts the numbers of the request onto the selectors of counter mode m.  false: it adds others. */
bool cm_take_mode(const struct pc_compile_request *r, unsigned m, struct cm_want *w);
/* Sets what an input counts, where the counter mode wants it.  false: it cannot be there. */
bool cm_want_input(struct cm_want *w, unsigned input, const struct cm_func *f);
/* Finds the counter mode for the numbers of the request; *w: all else that is wanted. */
enum pc_status cm_take_sums(const struct pc_compile_request *r, struct cm_want *w, bool small,
                            struct pc_error *err);

enum pc_status cm_target_of(const struct pc_chip *chip, unsigned device_domain,
                            struct pc_chip *of_set, struct cm_target *out, struct pc_error *err);
enum pc_status cm_refuse(const struct pc_compile_request *r, const struct cm_want *want,
                         struct pc_error *err);

/* An input in two parts: one is what SETFLAG was two cycles ago. */
struct cm_through {
    unsigned later; /* cycles that the input comes after what was asked for */
    struct cm_want want;
    struct cm_found found;
};
/* f: of `input`; what else is wanted stays so.  false: that does not fit either. */
bool cm_through_flag(const struct cm_want *want, const struct ex_func *f, unsigned input,
                     struct cm_through *out);
/* Writes the same as a text to use instead; also false if it needs more than `size` bytes. */
bool cm_through_text(const struct cm_want *want, const struct pc_expr *e, unsigned input, char *out,
                     size_t size);

/* Returns true if the program computes what is wanted; *cone: bits of the largest cone. */
bool cm_verify(const struct cm_want *want, const struct cm_found *found, unsigned *cone);

enum pc_status cm_program(const struct pc_compile_request *r, const struct cm_want *want,
                          const struct cm_found *found, struct pc_program *out,
                          struct pc_error *err);

/* --- back --- */

#define CM_VARIABLE_SIZE 512
struct cm_variable {
    char text[CM_VARIABLE_SIZE];
};
/* late[v]: the variable that v is one cycle ago, or -1.  false: it needs more than `size` bytes. */
bool cm_products(uint16_t table, unsigned count, const struct cm_variable variable[4],
                 const int late[4], char *out, size_t size);

#endif
