/* SPDX-License-Identifier: MIT */
/* Unstable. Metrics: formulas with units over counted events (see pcounter.h) */
#ifndef PCOUNTER_METRIC_H
#define PCOUNTER_METRIC_H

#include "pcounter/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a number can be trusted, best first; a result is as good as its worst operand. */
enum pc_value_state {
    PC_VALUE_EXACT,
    PC_VALUE_TAINTED,   /* unknown inputs mattered */
    PC_VALUE_SATURATED, /* a counter stopped at its maximum: the true number is larger */
    PC_VALUE_WRAPPED,   /* a counter wrapped around */
    PC_VALUE_LOST,      /* counts were lost */
    PC_VALUE_UNMEASURED /* there is no number: an event was not counted, or a division by 0 */
};
PC_API const char *pc_value_state_name(enum pc_value_state state); /* "exact" .. "unmeasured" */

/* The kind of number that a formula gives. */
enum pc_metric_kind {
    PC_METRIC_NUMBER, /* a number without a unit: it takes the unit beside it */
    PC_METRIC_AMOUNT, /* events, cycles */
    PC_METRIC_BYTES,  /* an amount in bytes */
    PC_METRIC_RATIO,  /* an amount over an amount */
    PC_METRIC_TIME,
    PC_METRIC_RATE,       /* an amount over a time */
    PC_METRIC_BYTE_RATE,  /* one in bytes */
    PC_METRIC_RATIO_RATE, /* a ratio over a time */
    PC_METRIC_PART        /* an amount over a number: an amount or a ratio */
};
/* Returns the name of a kind: "an amount", "a time"; "a number". */
PC_API const char *pc_metric_kind_text(enum pc_metric_kind kind);

/*
 * A metric: `name = formula unit`.  A formula has numbers, names of events, + - * / and
 * parentheses, min(a, b) and max(a, b); `cycles` are the cycles counted, `seconds` the time they
 * took.  The unit is what the formula is shown in:
 *   of an amount          count  cycles  B kB MB GB  KiB MiB GiB
 *   of a ratio            ratio  %  (1/100: a / b % is 50 where a / b is 0.5)
 *   of a time             s  ms us ns ps fs
 *   of an amount a time   count/s  cycles/s  Hz kHz MHz GHz  B/s kB/s .. GiB/s
 *   of a ratio a time     ratio/s  %/s
 * or another word: bytes and bytes/s (B, B/s), /s (count/s; "a /s" has a unit, "a/s" divides).
 * Without one it is count, ratio, s, count/s or ratio/s.  Events and cycles are amounts; an amount
 * over an amount (or a number) is a ratio, over seconds an amount a time.  Numbers are factors; in
 * + - min max they take the unit beside them; a number alone is in the unit at the end (5 % is
 * 0.05).  A unit that does not fit is an error, and so is a sum of different kinds.
 */
struct pc_metric {
    const char *name, *formula, *unit; /* the unit as listed above */
    const char *const *event;          /* names that the formula reads, each once */
    size_t events;
    /* the unit of values: ratio count cycles B s Hz, or one with /s; one `unit` is `size` of it */
    const char *base;
    double size;
    enum pc_metric_kind kind;
    bool has_unit; /* written, or that of a metric whose name is in it */
    bool hundred;  /* a ratio in % with a factor of 100, which is perhaps a mistake */
};

/* Returns true if they can be compared: a number with all, a count with bytes. */
PC_API bool pc_metric_match(const struct pc_metric *a, const struct pc_metric *b);

struct pc_metrics;
/*
 * Loads a file of metrics, one per line; # starts a comment. PC_EINPUT with line and column; a name
 * may be defined only once.
 */
PC_API PC_MUST_CHECK enum pc_status pc_metrics_load(const struct pc_alloc *alloc, const char *text,
                                                    size_t size, struct pc_metrics **out,
                                                    struct pc_error *err);
/*
 * Does the same, but formulas may also use the names of other metrics (of equal names the first). A
 * metric, also times numbers, has its unit, and a number beside it in + - min max is in that unit:
 * hit_rate + 5 is 5 % more.
 */
struct pc_metric_ref {
    const struct pc_metrics *metrics;
    size_t index; /* less than pc_metrics_count() */
};
PC_API PC_MUST_CHECK enum pc_status pc_metrics_load_over(const struct pc_alloc *alloc,
                                                         const char *text, size_t size,
                                                         const struct pc_metric_ref *known,
                                                         size_t count, struct pc_metrics **out,
                                                         struct pc_error *err);
PC_API void pc_metrics_close(struct pc_metrics *metrics); /* NULL is fine */
PC_API size_t pc_metrics_count(const struct pc_metrics *metrics);
/* Gets a metric, in the order of the file; false past the end. */
PC_API bool pc_metrics_at(const struct pc_metrics *metrics, size_t i, struct pc_metric *out);
/* Finds a metric by name; PC_ENOENT with similar names. */
PC_API PC_MUST_CHECK enum pc_status pc_metrics_find(const struct pc_metrics *metrics,
                                                    const char *name, size_t *out,
                                                    struct pc_error *err);

struct pc_metric_input {
    double value;
    enum pc_value_state state;
};
struct pc_metric_value {
    double value; /* in pc_metric.base; only if the state is not PC_VALUE_UNMEASURED */
    enum pc_value_state state;
    char why[120]; /* why it is not exact: "inst was saturated", "divided by cycles, which is 0" */
};
/*
 * Evaluates metric i, less than pc_metrics_count(), from its events, event[] in the order of
 * pc_metric.event. seconds: 0 if not known. What cannot be calculated is PC_VALUE_UNMEASURED, with
 * the reason.
 */
PC_API void pc_metrics_eval(const struct pc_metrics *metrics, size_t i,
                            const struct pc_metric_input *event, double cycles, double seconds,
                            struct pc_metric_value *out);

/*
 * Metrics of vendors whose formula is certain from their names and events, as text for
 * pc_metrics_load(): the rows for one chip ("GF108"; those for all chips come too).  Allocates.
 * Metrics that are known by name alone are in pc_profiler_metric_at() (names.h), not here.
 */
PC_API PC_MUST_CHECK enum pc_status pc_metrics_load_known(const struct pc_alloc *alloc,
                                                          const char *chip, struct pc_metrics **out,
                                                          struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif
