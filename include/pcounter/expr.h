/* SPDX-License-Identifier: MIT */
/* Expr: logic expressions over signals (see pcounter.h) */
#ifndef PCOUNTER_EXPR_H
#define PCOUNTER_EXPR_H

#include "pcounter/chips.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The language is described in pcounter-expr(7). */
struct pc_expr;

/* Parses the syntax only. Error: PC_EINPUT with the column. */
PC_API PC_MUST_CHECK enum pc_status pc_expr_parse(const struct pc_alloc *alloc, const char *text,
                                                  struct pc_expr **out, struct pc_error *err);
PC_API void pc_expr_free(struct pc_expr *expr); /* NULL is fine */

/*
 * Gives each name its wires.  The callback gets `name` as in the text, with its slice and the
 * backslash of an escape, without blanks.  It returns the wires from least to most significant,
 * numbered as the caller likes; a *count above the capacity is an error.  *is_signed comes as
 * false; set it where the wires are a signed number (pc_wave_is_signed()).  Scalars and comparisons
 * are one bit; a vector where one bit is needed is PC_EINPUT.  Errors have the column.  Allocates,
 * as parse does.  May be called again with another lookup; after an error the expression is
 * unresolved.
 */
typedef enum pc_status pc_expr_lookup_fn(void *ctx, const char *name, uint32_t *wires,
                                         size_t capacity, size_t *count, bool *is_signed,
                                         struct pc_error *err);
PC_API PC_MUST_CHECK enum pc_status pc_expr_resolve(struct pc_expr *expr, pc_expr_lookup_fn *lookup,
                                                    void *ctx, struct pc_error *err);

/*
 * Names of values, as an enumeration has them: from the next pc_expr_resolve() on the callback is
 * asked for the value `word` of each signal that is compared with a name, also in inside { }.
 * PC_OK: *count bits, a byte each from the lowest on.  PC_END: the word is a name like others. What
 * else it returns is the error if no signal has that name.  For a text, "run", it
 * is also asked, and for a number with = before it, "=2.5": PC_OK says that the signal is a real,
 * and pc_expr_lookup_fn is then asked for "=name", whose wires compare as the real does.
 * pc_wave_find_value() is one such, with the waveform as ctx.
 */
typedef enum pc_status pc_expr_value_fn(const void *ctx, const char *signal, const char *word,
                                        uint8_t *bits, size_t capacity, size_t *count,
                                        bool *is_signed, struct pc_error *err);
PC_API void pc_expr_values(struct pc_expr *expr, pc_expr_value_fn *value, const void *ctx);

/*
 * Comparisons that the caller may have as one wire each, whose names are then not looked up: from
 * the next pc_expr_resolve() on it is offered those of two names, and of a name with a number
 * (also !x, |x and &x).  The wire is what the comparison would be if both are unsigned and x is 0;
 * where it is unknown it depends on an x.  Without an offer (NULL) all is as ever.
 */
struct pc_expr_whole {
    bool less;             /* left < right; else left == right */
    bool swapped;          /* right < left */
    bool negated;          /* the opposite */
    const char *left;      /* names as pc_expr_lookup_fn has them */
    const char *right;     /* NULL: a number, */
    bool ones;             /* all of its bits are 1, or */
    const uint8_t *number; /* a byte a bit, from the lowest on; above `digits` of them it is 0 */
    uint32_t digits;
};
typedef bool pc_expr_offer_fn(void *ctx, const struct pc_expr_whole *comparison, uint32_t *wire);
PC_API void pc_expr_offer(struct pc_expr *expr, pc_expr_offer_fn *offer, void *ctx);

/*
 * Evaluates 64 cycles a word.  value[wire], unknown[wire] are planes of `words` words as in a
 * block (wave.h); unknown NULL: everything is known.  `out` is the value with unknown inputs taken
 * as the planes have them, `tainted` (may be NULL) the cycles whose result depends on an unknown
 * input; `words` words each, bits from `cycles` on are 0.  prev() and the like carry their last
 * cycle inside the expression; pc_expr_restart() forgets it: before the first cycle every signal
 * was 0, as the flops of the hardware are at reset.
 */
PC_API void pc_expr_eval(struct pc_expr *expr, const uint64_t *const *value,
                         const uint64_t *const *unknown, size_t words, uint32_t cycles,
                         uint64_t *out, uint64_t *tainted);
PC_API void pc_expr_restart(struct pc_expr *expr);

#define PC_NO_WIRE UINT32_MAX
/* Returns the wire of a resolved expression that is a signal and nothing else; or PC_NO_WIRE. */
PC_API uint32_t pc_expr_signal(const struct pc_expr *expr);
/* Returns true if the expression contains rise, fall, edge or prev. May be asked before its names
 * are resolved. */
PC_API bool pc_expr_looks_back(const struct pc_expr *expr);

/*
 * The first comparison of a signal with a number whose result is the same for every value of the
 * signal: the number needs more bits, or x is unsigned in x < 0.  False if there is none, or the
 * expression is not resolved.
 */
struct pc_expr_comparison {
    uint32_t begin, end; /* bytes of the text, half-open */
    uint32_t width;      /* of the signal */
    bool value;          /* that it always has */
    bool is_signed;      /* both sides are: the comparison is one of signed numbers */
};
PC_API bool pc_expr_decided(const struct pc_expr *expr, struct pc_expr_comparison *out);

/*
 * Finds the first comparison of a signed value with an unsigned one, where a value below 0 is taken
 * as a large unsigned one: `begin` and `end` are those of the whole comparison, `width` that of the
 * signed side. False if there is none whose result this can change.
 */
PC_API bool pc_expr_mixed(const struct pc_expr *expr, struct pc_expr_comparison *out);

/*
 * One counter input of a chip: at most four signals through a truth table.
 * source[i] is the wire at SRC[i] or PC_NO_WIRE; op is the *_OP word.
 */
struct pc_expr_input {
    uint32_t source[4];
    uint32_t op;
};
enum pc_slot { PC_SLOT_PRE, PC_SLOT_START, PC_SLOT_EVENT, PC_SLOT_STOP };
/* Places the expression in a slot of the chip; PC_EUNFIT, with the reason, if the slot cannot
 * compute it. */
PC_API PC_MUST_CHECK enum pc_status pc_expr_place(const struct pc_expr *expr,
                                                  const struct pc_chip *chip, enum pc_slot slot,
                                                  struct pc_expr_input *out, struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif
