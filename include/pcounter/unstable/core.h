/* SPDX-License-Identifier: MIT */
/*
 * Unstable. Cores: counters of any design, described by registers and the rules that change them,
 * held against the design's own registers in a waveform (see pcounter.h).  The language is that of
 * pcounter-core(5), which a program reads; here its parts stand, `for` written out.
 *
 * All rules look at values just before an edge, and act at it.  A register that is compared has the
 * design's value there, so whatever differs is found at the edge that made it.
 */
#ifndef PCOUNTER_CORE_H
#define PCOUNTER_CORE_H

#include "pcounter/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PC_CORE_WIDTH     4096 /* bits of a register */
#define PC_CORE_REGISTERS 4096
#define PC_CORE_RULES     65536

enum pc_core_action { PC_CORE_KEEP, PC_CORE_SET, PC_CORE_ADD, PC_CORE_MAX };

/* Texts are expressions of pcounter-core(5). */
struct pc_core_rule {
    const char *when; /* NULL: always */
    enum pc_core_action action;
    const char *value; /* not of KEEP */
    bool sliced;       /* SET: bits hi to lo, not all */
    uint32_t hi, lo;
    bool go_on; /* later rules are also evaluated */
};
struct pc_core_register {
    const char *name;
    uint32_t width;
    const char *is;    /* what it is compared with; NULL: nothing */
    const char *reset; /* a number; NULL: unknown until rules have set all bits */
    const struct pc_core_rule *rule;
    size_t rules;
};
struct pc_core_let {
    const char *name, *value;
};
struct pc_core_vector {
    const char *name;
    const char *const *element; /* element 0 first */
    size_t elements;
    const char *const *called; /* NULL, or a name for each element, which may be NULL */
};
struct pc_core_check {
    const char *name, *when, *that; /* when NULL: always */
};
struct pc_core_desc {
    const struct pc_alloc *alloc;
    const char *reset; /* NULL: there is none */
    const struct pc_core_let *let;
    size_t lets;
    const struct pc_core_vector *vector;
    size_t vectors;
    const struct pc_core_register *reg;
    size_t regs;
    const struct pc_core_check *check;
    size_t checks;
    bool answers; /* a check a == b fails, too, where a is unknown and b is not, as a register does
                   */
};

/* Which text of the description an error is about. */
enum pc_core_text {
    PC_CORE_NOWHERE,
    PC_CORE_RESET,
    PC_CORE_LET,    /* item: its index */
    PC_CORE_VECTOR, /* part: the element */
    PC_CORE_IS,     /* item: the register */
    PC_CORE_RESET_VALUE,
    PC_CORE_WIDTH_OF,
    PC_CORE_WHEN, /* part: the rule */
    PC_CORE_VALUE,
    PC_CORE_CHECK_WHEN, /* item: the check */
    PC_CORE_CHECK_THAT
};
struct pc_core_place {
    enum pc_core_text what;
    size_t item, part;
};

struct pc_core;

/*
 * Parses all texts.  PC_EINPUT with the column in the text that `place` (may be NULL) names.  The
 * description is copied.
 */
PC_API PC_MUST_CHECK enum pc_status pc_core_create(const struct pc_core_desc *desc,
                                                   struct pc_core **out,
                                                   struct pc_core_place *place,
                                                   struct pc_error *err);
PC_API void pc_core_destroy(struct pc_core *core); /* NULL is fine */

/* Lists the names that are signals of the design, once for each use. */
PC_API void pc_core_signals(const struct pc_core *core, void (*take)(void *ctx, const char *name),
                            void *ctx);

/* Sets the values of names for the signals of the design, as pc_expr_values(), from the next
 * pc_core_resolve() on. */
PC_API void pc_core_values(struct pc_core *core, pc_expr_value_fn *value, const void *ctx);

/*
 * The wires of a signal of the design, from least to most significant, numbered by the caller from
 * 0 on: the planes of a block.  `low` is the declared index of the first.
 */
typedef enum pc_status pc_core_lookup_fn(void *ctx, const char *name, uint32_t *wires,
                                         size_t capacity, size_t *count, int32_t *low,
                                         struct pc_error *err);
/*
 * Resolves names to wires: registers, vectors and lets first, then signals. PC_EINPUT with the
 * column: unknown, of another width, driven twice, lets in a circle, ...
 */
PC_API PC_MUST_CHECK enum pc_status pc_core_resolve(struct pc_core *core, pc_core_lookup_fn *lookup,
                                                    void *ctx, struct pc_core_place *place,
                                                    struct pc_error *err);

/*
 * Finds the wires of a let, a vector, an element or a register of a resolved core: signals have the
 * caller's numbers, what the core calculates the ones after all of these. *is_signed: its value can
 * be below 0. PC_ENOENT: the description has no such name.
 */
PC_API PC_MUST_CHECK enum pc_status pc_core_find(struct pc_core *core, const char *name,
                                                 uint32_t *wires, size_t capacity, size_t *count,
                                                 bool *is_signed, struct pc_error *err);
/* Returns the number of the caller's wires: those of the core have this number and more. */
PC_API size_t pc_core_signal_wires(const struct pc_core *core);
/*
 * Computes only the planes of such wires for the next cycles, instead of pc_core_run(), with planes
 * as there. value[i] and unknown[i] get those of wire[i], (cycles + 63) / 64 words each.
 */
PC_API void pc_core_planes(struct pc_core *core, uint64_t cycles, const uint64_t *const *value,
                           const uint64_t *const *unknown, size_t count, const uint32_t *wire,
                           uint64_t *const *out_value, uint64_t *const *out_unknown);

/* A number of `width` bits in words from the right; a bit of `unknown` is 1: it is x. */
struct pc_core_value {
    uint32_t width;
    const uint64_t *value, *unknown;
};
#define PC_CORE_NO_RULE SIZE_MAX

struct pc_core_difference {
    uint64_t edge;
    bool of_check;
    size_t item; /* the register, or the check */
    /* of a check: its both sides, if it is ==; else no bits */
    struct pc_core_value design, model, before; /* before: the register's at the edge before */
    bool was_reset;                             /* the edge before was one in reset */
    size_t rule;  /* the last one that acted at the edge before; PC_CORE_NO_RULE: none */
    bool written; /* a rule that sets has acted since the last reset: ... */
    uint64_t written_edge;
    struct pc_core_value written_value; /* ... what it made of the register */
};
/*
 * Callbacks of a run.  `differs` ends it by false.  `reset_between` is asked about edges that
 * do not agree, and the first one, in their order: was the reset active at any time after the edge
 * before (for the first: ever) and before this one?  NULL: it is not known, so no.
 */
struct pc_core_watch {
    bool (*differs)(void *ctx, const struct pc_core_difference *difference);
    bool (*reset_between)(void *ctx, uint64_t edge);
    /*
     * NULL, or asked before `differs` about a register: is the design's value taken as it is?  Then
     * it is no difference, and was not compared: a write that the description cannot see.
     */
    bool (*takes)(void *ctx, const struct pc_core_difference *difference);
    bool unwatched; /* pc_core_get_untried() is not going to be called: that takes less time */
    void *ctx;
};
/*
 * Runs the next cycles of the design: edges of its clock, planes as of struct pc_wave_block.
 * PC_END: `differs` has ended it.
 */
PC_API PC_MUST_CHECK enum pc_status pc_core_run(struct pc_core *core, uint64_t cycles,
                                                const uint64_t *const *value,
                                                const uint64_t *const *unknown,
                                                const struct pc_core_watch *watch,
                                                struct pc_error *err);

struct pc_core_counts {
    uint64_t edges, in_reset, resets_between;
    uint64_t compared, differences;
    uint64_t unknown; /* a register or check that an unknown input decided at an edge */
    bool adopted; /* the first edge was out of reset: registers began with the design's values */
};
PC_API void pc_core_get_counts(const struct pc_core *core, struct pc_core_counts *out);
/* Counts of one register or check: values compared or looked at, and those that differ or fail. */
struct pc_core_figures {
    uint64_t compared, differences, unknown;
};
PC_API void pc_core_get_register(const struct pc_core *core, size_t reg,
                                 struct pc_core_figures *out);
PC_API void pc_core_get_check(const struct pc_core *core, size_t check,
                              struct pc_core_figures *out);
/* Gives the model's value after the last edge that was run; it is valid until the next call. */
PC_API void pc_core_get_last(struct pc_core *core, size_t reg, struct pc_core_value *out);
/* Returns the number of edges at which the rule has acted. */
PC_API uint64_t pc_core_rule_acted(const struct pc_core *core, size_t reg, size_t rule);

/* A part that no cycle out of reset has tried: a description that is wrong there looks right. */
struct pc_core_untried {
    enum {
        PC_CORE_NEVER_MOVED,  /* a register, place PC_CORE_WIDTH_OF: it had one value */
        PC_CORE_NEVER_CHOSEN, /* an element of a vector that others of are chosen by a selector */
        PC_CORE_NEVER_TRUE,   /* a condition: a term of a rule's `when`, or what is before ?: */
        PC_CORE_NEVER_FALSE
    } what;
    struct pc_core_place place; /* the text that it stands in */
    const char *text;           /* `length` bytes: the register, the element, the condition */
    size_t length;
};
typedef void pc_core_untried_fn(void *ctx, const struct pc_core_untried *untried);
/*
 * Gives all there is of the cycles that were run, but for conditions of rules that never acted and
 * those of constants.  An element counts as chosen where all that & joins with v[i], or with
 * v & mask, is true.
 */
PC_API void pc_core_get_untried(const struct pc_core *core, pc_core_untried_fn *take, void *ctx);

/*
 * Gets the i-th name in the rule's `when` and value, and what it was at the edge before the
 * difference that is being reported; of v[i] the element that was picked, "v[3] (miss)". False:
 * there is none.
 */
PC_API bool pc_core_term(struct pc_core *core, size_t reg, size_t rule, size_t i, const char **name,
                         struct pc_core_value *out);

/*
 * In a callback, about another register than the one that is asked about or told: what the model
 * has at that edge, and what the register was at that edge or the one before.  Valid until the next
 * such call.
 */
PC_API void pc_core_get_model(struct pc_core *core, size_t reg, struct pc_core_value *out);
PC_API void pc_core_get_value(struct pc_core *core, size_t reg, bool before,
                              struct pc_core_value *out);
/* The last write of it before that edge, as in struct pc_core_difference; false: none. */
PC_API bool pc_core_get_write(struct pc_core *core, size_t reg, uint64_t *edge,
                              struct pc_core_value *out);

/*
 * While a difference is told, by another description of the same registers whose names were looked
 * up alike: what its rules make of the register at the edge before, from what the registers were
 * there.  False: it is not known, or comes of a reset.
 */
PC_API bool pc_core_otherwise(struct pc_core *core, struct pc_core *other, size_t reg,
                              struct pc_core_value *out);
/* The same of a check of the other description, at the edge that is told. */
enum pc_core_verdict { PC_CORE_NOT_LOOKED, PC_CORE_HOLDS, PC_CORE_FAILS };
PC_API enum pc_core_verdict pc_core_check_otherwise(struct pc_core *core, struct pc_core *other,
                                                    size_t check);

/*
 * An explanation of the difference of a register that is being reported: other rules that act at
 * the edge before.  `but_for` is what the rule's condition lacked, "!inhibit[3], !debug"; "":
 * nothing.
 */
struct pc_core_cause {
    enum {
        PC_CORE_NO_CAUSE,
        PC_CORE_AS_IF_NONE,     /* no rule had acted */
        PC_CORE_AS_IF_ALONE,    /* this one had acted instead */
        PC_CORE_AS_IF_TOO,      /* this one had acted as well */
        PC_CORE_AS_IF_WITHOUT,  /* this one had not acted */
        PC_CORE_AS_IF_ONLY,     /* this one alone, of those that acted */
        PC_CORE_AS_IF_ADDED,    /* this one had added `added` */
        PC_CORE_AS_IF_KEPT,     /* bits hi to lo had kept their values */
        PC_CORE_AS_IF_NO_CARRY, /* this one had added, and the carry into bit lo were lost */
        PC_CORE_AS_IF_BIT,      /* bit lo of what this one sets were inverted */
        /* this one, which adds, had acted as well in the clock after `write`, which sets */
        PC_CORE_AS_IF_AFTER_WRITE
    } what;
    size_t rule, write;
    int64_t added;
    uint32_t hi, lo;
};
PC_API void pc_core_find_cause(struct pc_core *core, size_t reg, struct pc_core_cause *out,
                               char *but_for, size_t size);

/*
 * The i-th register that the conditions of the rules name, and what it would have to be, before the
 * difference that is being told, for the rules to make the design's value: another event in a
 * selector, a bit of an inhibit.  False: there are not so many.
 */
struct pc_core_instead {
    size_t reg;
    uint64_t values;   /* bit n: n; of a register of up to 6 bits */
    uint64_t alone;    /* bit n: bit n were 1 and no other; of a wider one, its first 64 */
    uint64_t inverted; /* bit n: bit n were the other way; of the first 64 */
    size_t as;         /* a register of the same kind that is one of `values`; SIZE_MAX: none */
};
PC_API bool pc_core_find_instead(struct pc_core *core, size_t reg, size_t i,
                                 struct pc_core_instead *out);

#ifdef __cplusplus
}
#endif

#endif
