/* SPDX-License-Identifier: MIT */
/*
 * Inside of described cores (pcounter/unstable/core.h).
 *
 *   create.c   texts to expressions
 *   names.c    names to registers, vectors and lets, or signals
 *   resolve.c  wires and planes for all of them
 *   rules.c    what the rules of a register make of it in some words of cycles
 *   step.c     the same cycle by cycle, for registers that the design does not show
 *   run.c      a block of the waveform: parts of some words, compared
 *   tell.c     a difference, with what led to it
 *   cause.c    what would explain it
 *   lack.c     an expression in one cycle, and what a condition lacked there
 *   otherwise.c   what another description makes of it
 *   untried.c  what no cycle has tried
 *
 * A register that the design shows has, at each edge, the design's value: the model's, if both
 * agree, and from there on if not.  So its state is nothing but planes of the waveform, and all
 * cycles of a part are calculated at once.  Others are `stepped`: their planes fill up cycle by
 * cycle.
 */
#ifndef PC_CORE_CORE_H
#define PC_CORE_CORE_H

#include "lang/expr/expr.h"
#include "pcounter/unstable/core.h"

enum {
    CORE_WORDS = EX_WORDS,    /* of a part */
    CORE_MANY_BITS = 1 << 16, /* of registers: from there on a part is one word */
    CORE_MANY = 1 << 10,      /* expressions: the same, and they share their planes */
    CORE_VALUE_WORDS = PC_CORE_WIDTH / 64
};
#define CORE_OWN 0x80000000u /* of a wire while names are looked up: one of the core's planes */

/* Planes, one after the other: bit b is `words` words from b * words on. */
struct core_planes {
    uint64_t *v, *u;
};

struct core_rule {
    struct pc_expr *when, *value; /* NULL: there is none */
    enum pc_core_action action;
    bool go_on;
    uint32_t hi, lo;
    uint64_t *acts; /* in the present part */
    uint64_t acted;
};

struct core_register {
    char *name;
    uint32_t width;
    struct pc_expr *is;    /* NULL: the design does not show it */
    struct pc_expr *reset; /* a number; NULL: none */
    struct core_rule *rule;
    size_t rules;
    uint64_t *acts; /* of its rules */
    bool stepped;
    bool moved;       /* it had several values out of reset */
    bool read;        /* a rule, let or check looks at it */
    uint32_t *design; /* wires; NULL as `is` is */
    uint32_t state;   /* stepped: first of its planes among the core's */
    struct core_planes
        next;     /* after each cycle of the part; stepped: before it, as the model has it */
    uint8_t *own; /* not stepped: the bit has planes in `next`; else it is the design's all along */
    uint64_t *carry_v, *carry_u; /* bit 0: the value before the part, as the model has it */
    uint8_t *unset;              /* stepped: bits that no rule has set since the reset */
    uint64_t *saved_v, *saved_u; /* stepped: of carry and unset, when the part began */
    uint8_t *saved_unset;
    uint64_t compared[CORE_WORDS], differs[CORE_WORDS];
    struct pc_core_figures figures;
    uint64_t asked; /* by otherwise.c, in the part that begins there: its first edge + 1 */
    /* at the end of the part before */
    size_t last_rule;
    bool written;
    uint64_t written_edge;
    uint64_t *written_value;
};

/* A part of an expression that is true or false: bit 0 of `seen`, it was false, bit 1, true. */
struct core_condition {
    uint32_t node;
    uint8_t seen, saved;
};

/* v[by], or v & by. */
struct core_choice {
    uint32_t node, by;
    size_t vector;
};

/* A part of an expression that is watched; conditions of a rule's `when` come first, the whole at
 * first. */
struct core_watch {
    struct pc_core_place place;
    const struct pc_expr *expr;
    struct core_condition *condition;
    size_t conditions, of_when;
    struct core_choice *choice;
    size_t choices;
    bool seen_all; /* of the conditions */
};

/* A let, or an element of a vector. */
struct core_let {
    char *name; /* NULL: an element that has none */
    struct pc_expr *value;
    struct pc_core_place place;
    uint32_t plane, width; /* among the core's */
    bool stepped;
    bool constant;             /* no signal or register is in it */
    bool chosen, saved_chosen; /* an element: by a selector */
};

struct core_vector {
    char *name;
    size_t first, elements; /* among the lets */
    uint32_t bits;          /* of the widest element */
    uint32_t plane;         /* `bits` for each element, zeros above the narrower */
    bool stepped;
    bool chosen_from; /* a selector looks at it */
};

struct core_check {
    struct pc_expr *when, *that;
    uint64_t looked[CORE_WORDS], fails[CORE_WORDS], unknown[CORE_WORDS];
    struct pc_core_figures figures;
    uint64_t asked; /* as of a register */
};

enum core_kind { CORE_REGISTER, CORE_LET, CORE_VECTOR };
struct core_name {
    const char *name;
    enum core_kind kind;
    size_t item;
};

/* The histories of an expression at the beginning of a part. */
struct core_history {
    struct pc_expr *expr;
    uint8_t *saved, *after; /* after: at its end, while differences are told */
};

struct pc_core {
    struct pc_alloc alloc;
    pc_expr_value_fn *value_of;
    const void *value_ctx;
    struct pc_expr *reset;
    struct core_let *let;
    size_t lets;
    size_t *order; /* of the lets: what one needs stands before it */
    struct core_vector *vector;
    size_t vectors;
    struct core_register *reg;
    size_t regs;
    struct core_check *check;
    size_t checks;
    bool answers;           /* of struct pc_core_desc */
    struct core_name *name; /* sorted */
    size_t names;
    struct core_history *history;
    size_t histories;
    struct core_watch *watch;
    size_t watches;
    struct core_condition *condition; /* of all expressions */
    size_t conditions;
    struct core_choice *choice;
    size_t choices;
    bool watching;              /* the run is one whose untried parts are told: */
    const uint64_t *look_at[2]; /* in these cycles of the part conditions and choices count */
    struct ex_scratch room;     /* of all expressions, where there are many */
    bool many;                  /* expressions: a part is one word */
    bool resolved, steps;       /* steps: a register is stepped */
    size_t words;               /* of a part, at most */
    size_t wires;               /* of the caller */
    size_t own;                 /* planes of the core */
    uint32_t constant;          /* the first of two of them: always 0, always 1 */
    struct core_planes plane, scratch; /* scratch: the value of a rule */
    struct core_planes step;           /* a register in one cycle */
    const uint64_t **value, **unknown; /* wires + own pointers: planes of the present part */
    uint8_t *before; /* of each of them: bit 0 and 1, at the end of the part before */
    uint64_t *zero;  /* a plane */
    /* the present part */
    uint64_t first; /* its first edge */
    size_t cycles;
    uint64_t running[CORE_WORDS], in_reset[CORE_WORDS], restart[CORE_WORDS], between[CORE_WORDS];
    bool reset_before; /* the edge before the part was one in reset */
    uint64_t asked;    /* edges before this one have been asked for */
    struct pc_core_counts counts;
    /* the difference that is being told */
    uint64_t told_edge;
    uint64_t text[5][2][CORE_VALUE_WORDS];
    /* of another description (otherwise.c) */
    uint64_t one[2];   /* planes of a cycle, 0 and 1 */
    uint64_t taken_of; /* the part whose planes it has: its first edge + 1; 0: none */
    char element[200]; /* a term that is one of a vector */
};

/* names.c */
enum pc_status core_index_names(struct pc_core *c, struct pc_core_place *place,
                                struct pc_error *err);
const struct core_name *core_find_name(const struct pc_core *c, const char *name, size_t length);
/* Finds what the name begins with, and the bits asked of it; hi -1: all. */
const struct core_name *core_find_part(const struct pc_core *c, const char *name, long *hi,
                                       long *lo);
struct core_lookup {
    struct pc_core *core;
    pc_core_lookup_fn *signal;
    void *ctx;
    bool stepped; /* a name was found that is */
};
enum pc_status core_look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                            size_t *count, bool *is_signed, struct pc_error *err);
enum pc_status core_elements(void *ctx, const char *name, uint32_t *bits, int32_t *low,
                             struct pc_error *err);
enum pc_status core_order_lets(struct pc_core *c, struct pc_core_place *place,
                               struct pc_error *err);

/* resolve.c */
void core_free_planes(struct pc_core *c);

/* rules.c: Evaluates `bits` bits of the result in the words of the part, into out. */
void core_evaluate(struct pc_core *c, struct pc_expr *e, uint32_t bits, size_t words,
                   struct core_planes out);
/* The same of a check: where a of a == b is unknown and b is not, into `dark`. */
void core_evaluate_check(struct pc_core *c, struct pc_expr *e, size_t words, struct core_planes out,
                         uint64_t *dark);
/*
 * Applies the rules to `now`, in the cycles that run; `words` words, or with `step` the one cycle
 * of that number.  `acts` of the rules is set.
 */
/* The bit gets planes of its own in `next`, if it has none: those of the design to begin with. */
void core_own(const struct pc_core *c, struct core_register *r, uint32_t bit, size_t words);
#define CORE_ALL UINT32_MAX
/* As `step`: evaluate the rules' conditions alone. */
#define CORE_HOLD (UINT32_MAX - 1)
void core_apply(struct pc_core *c, struct core_register *r, size_t words, uint32_t step,
                struct core_planes now, const uint64_t *running);
bool core_reset_bit(const struct core_register *r, uint32_t bit);

/* run.c: in which cycles of the part the check is looked at, fails or is not known. */
void core_look_at_check(struct pc_core *c, struct core_check *k, size_t words);

/* untried.c: after the names are resolved; false: no memory. */
bool core_watch_all(struct pc_core *c);
void core_watch_free(struct pc_core *c);
/* Brings back what had been seen at the last save. */
void core_watch_save(struct pc_core *c);
void core_watch_restore(struct pc_core *c);
/* The expression was calculated: what its conditions and choices are in the cycles of the masks. */
void core_look(struct pc_core *c, const struct pc_expr *e, const uint64_t *conditions,
               const uint64_t *choices, size_t words);
void core_look_at_moves(struct pc_core *c, struct core_register *r, size_t words);
/* The cycles for the expressions that are calculated next. */
static inline void core_look_in(struct pc_core *c, const uint64_t *conditions,
                                const uint64_t *choices)
{
    c->look_at[0] = conditions;
    c->look_at[1] = choices;
}

/* step.c: the planes of all stepped registers and lets in the part. */
void core_step(struct pc_core *c);

/*
 * lack.c: Evaluates the expression in cycle t of the part, once more from its beginning; the word
 * of the expression's own planes that has that cycle.
 */
size_t core_evaluate_at(struct pc_core *c, struct pc_expr *e, size_t t);
/* Writes the parts of a & b & c that do not hold, "!inhibit[3], !debug". */
void core_tell_lack(struct pc_core *c, struct pc_expr *e, size_t t, char *out, size_t size);
/* Returns true if a part that does not hold looks at a signal, and not at registers alone, as an
 * inhibit does. */
bool core_lacks_signal(struct pc_core *c, struct pc_expr *e, size_t t);

/* tell.c: PC_END: that was enough. */
enum pc_status core_tell(struct pc_core *c, const struct pc_core_watch *watch);
/* Keeps what the next part needs to know of this one. */
void core_keep(struct pc_core *c);

/* Nobody needs the value of what is neither shown nor looked at, only how often its rules hold. */
static inline bool core_is_stepped(const struct core_register *r)
{
    return r->stepped && (r->design || r->read);
}

static inline uint64_t core_bit(const uint64_t *plane, uint64_t cycle)
{
    return plane[cycle / 64] >> (cycle % 64) & 1;
}

/* The planes of a bit after each cycle; stepped: before it. */
static inline const uint64_t *core_next_v(const struct pc_core *c, const struct core_register *r,
                                          uint32_t bit)
{
    return r->stepped || r->own[bit] ? r->next.v + bit * c->words : c->value[r->design[bit]];
}
static inline const uint64_t *core_next_u(const struct pc_core *c, const struct core_register *r,
                                          uint32_t bit)
{
    return r->stepped || r->own[bit] ? r->next.u + bit * c->words : c->unknown[r->design[bit]];
}

/* Returns the wire of a bit of a register's state. */
static inline uint32_t core_wire(const struct pc_core *c, const struct core_register *r,
                                 uint32_t bit)
{
    return r->stepped ? (uint32_t)c->wires + r->state + bit : r->design[bit];
}

static inline const uint64_t *core_v(const struct pc_core *c, struct core_planes p, uint32_t bit)
{
    return p.v + bit * c->words;
}

#endif
