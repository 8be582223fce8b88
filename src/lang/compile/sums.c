/* SPDX-License-Identifier: MIT */
/*
 * Counters that add numbers: the special counter modes (PC.MODE.2 to PC.MODE.5, PC.GF.31 to
 * PC.GF.34).  A mode says of which selectors a counter takes its number, in whose cycles, and
 * which counters then count nothing.  The first mode that has all the numbers of a request, and
 * in which the rest fits, is taken.
 */
#include "lang/compile/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
#include "chip_order.inc"
};

enum { PRE = PC_INPUT_PRE, START = PC_INPUT_START, EVENT = PC_INPUT_EVENT, STOP = PC_INPUT_STOP };
#define AT(input, i) (4 * (input) + (i))
#define B4           AT(START, 0), AT(START, 1), AT(START, 2), AT(START, 3)
#define EVERY_CYCLE  (-1)

struct number {
    uint8_t input, bits;
    int8_t gate;                   /* the input in whose cycles it is added */
    uint8_t selector[PC_SUM_BITS]; /* least significant first */
};

enum where { ANY, FROM_NV40, NV40_ONLY, FROM_GF100, FROM_GK104 };

struct mode {
    const char *name;
    enum where where;
    bool quad, single;
    uint8_t dead; /* inputs whose counters stand still */
    unsigned numbers;
    struct number number[2];
};

static const struct mode modes[] = {
    { "EVENT_B4", ANY, true, true, 0, 1, { { EVENT, 4, EVENT, { B4 } } } },
    { "EVENT_B6",
      FROM_NV40,
      true,
      true,
      0,
      1,
      { { EVENT, 6, EVENT, { B4, AT(EVENT, 2), AT(EVENT, 3) } } } },
    /* D-39: in every cycle, of single mode in every COUNTING one; D-63: only in those of START */
    { "EXTRA_B4", NV40_ONLY, true, false, 0, 1, { { START, 4, EVERY_CYCLE, { B4 } } } },
    { "EXTRA_B4", NV40_ONLY, false, true, 0, 1, { { PRE, 4, EVERY_CYCLE, { B4 } } } },
    { "EXTRA_B4", FROM_GF100, true, false, 0, 1, { { START, 4, START, { B4 } } } },
    { "EXTRA_B6_EVENT_B2",
      NV40_ONLY,
      true,
      false,
      0,
      2,
      { { START, 6, EVERY_CYCLE, { B4, AT(EVENT, 2), AT(EVENT, 3) } },
        { EVENT, 2, EVERY_CYCLE, { AT(EVENT, 0), AT(EVENT, 1) } } } },
    { "EXTRA_B6_EVENT_B2",
      NV40_ONLY,
      false,
      true,
      0,
      2,
      { { PRE, 6, EVERY_CYCLE, { B4, AT(EVENT, 2), AT(EVENT, 3) } },
        { EVENT, 2, EVERY_CYCLE, { AT(EVENT, 0), AT(EVENT, 1) } } } },
    { "EXTRA_B6_EVENT_B2",
      FROM_GF100,
      true,
      false,
      0,
      2,
      { { START, 6, START, { B4, AT(EVENT, 2), AT(EVENT, 3) } },
        { EVENT, 2, EVENT, { AT(EVENT, 0), AT(EVENT, 1) } } } },
    { "KEPLER_5",
      FROM_GK104,
      true,
      false,
      1u << START | 1u << STOP,
      2,
      { { PRE,
          6,
          PRE,
          { AT(STOP, 1), AT(STOP, 2), AT(STOP, 3), AT(PRE, 1), AT(PRE, 2), AT(PRE, 3) } },
        { EVENT,
          6,
          EVENT,
          { AT(EVENT, 0), AT(EVENT, 1), AT(EVENT, 2), AT(EVENT, 3), AT(START, 0),
            AT(START, 1) } } } },
    { "KEPLER_6",
      FROM_GK104,
      true,
      false,
      1u << START,
      1,
      { { PRE,
          6,
          PRE,
          { AT(PRE, 0), AT(PRE, 1), AT(PRE, 2), AT(PRE, 3), AT(START, 0), AT(START, 1) } } } },
    { "KEPLER_7",
      FROM_GK104,
      true,
      false,
      1u << START,
      1,
      { { EVENT, 4, START, { AT(EVENT, 0), AT(EVENT, 1), AT(EVENT, 2), AT(EVENT, 3) } } } },
};
enum { MODES = sizeof modes / sizeof modes[0] };

static bool exists(const struct mode *m, const struct pc_chip *chip, enum pc_count_mode mode)
{
    bool gf100 = chip->layout == PC_LAYOUT_GF100;

    if (mode == PC_COUNT_RECORD || !(mode == PC_COUNT_QUAD ? m->quad : m->single))
        return false;
    switch (m->where) {
    case ANY:
        return true;
    case FROM_NV40:
        return chip->layout != PC_LAYOUT_NV10;
    case NV40_ONLY:
        return chip->layout == PC_LAYOUT_NV40;
    case FROM_GF100:
        return gf100;
    case FROM_GK104:
        return gf100 && chip->order >= PC_ORDER_GK104;
    }
    return false;
}

static struct pc_compile_sum sum_of(const struct pc_compile_request *r, unsigned input)
{
    struct pc_compile_sum out = { .bits = r->sum_bits };

    if (input != EVENT || r->sum_bits == 0)
        return r->number[input];
    memcpy(out.signal, r->sum, sizeof out.signal);
    return out;
}

static bool is_one(const struct cm_func *f)
{
    return f->atoms == 0 && cm_row(f, 0);
}

bool cm_want_input(struct cm_want *w, unsigned input, const struct cm_func *f)
{
    unsigned gate = w->gate[input] ? w->gate[input] - 1u : input;

    if (w->dead >> input & 1)
        return false;
    if (w->gate[input] == CM_NO_GATE)
        return is_one(f);
    if (w->wanted[gate])
        return false;
    w->wanted[gate] = true;
    w->func[gate] = *f;
    return true;
}

/* The numbers of the request onto the selectors of a mode; false: it is not what they want. */
static bool take_mode(const struct pc_compile_request *r, const struct mode *m, struct cm_want *w)
{
    unsigned found = 0;

    for (unsigned n = 0; n < m->numbers; n++) {
        const struct number *number = &m->number[n];
        struct pc_compile_sum sum = sum_of(r, number->input);
        if (sum.bits == 0) { /* it counts something else then, which nobody can want */
            w->dead |= (uint8_t)(1u << number->input);
            continue;
        }
        if (sum.bits != number->bits)
            return false;
        found |= 1u << number->input;
        for (unsigned i = 0; i < sum.bits; i++)
            w->reserved[number->selector[i]] = (int16_t)sum.signal[i];
        if (number->gate == EVERY_CYCLE)
            w->gate[number->input] = CM_NO_GATE;
        else if (number->gate != number->input)
            w->gate[number->input] = (uint8_t)(1 + number->gate);
    }
    for (unsigned i = 0; i <= PC_INPUT_STOP; i++)
        if (sum_of(r, i).bits && !(found >> i & 1))
            return false;
    /* a counter that a gate is taken from counts no event of its own */
    w->dead |= m->dead;
    w->ctr_mode = m->name;
    return true;
}

/* All that the request wants in this mode (NULL: none), if the counters are free for it. */
static bool take_all(const struct pc_compile_request *r, const struct mode *m,
                     const struct cm_want *plain, struct cm_want *out)
{
    *out = *plain;
    memset(out->wanted, 0, sizeof out->wanted);
    if (m && !take_mode(r, m, out))
        return false;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (plain->wanted[i] && !cm_want_input(out, i, &plain->func[i]))
            return false;
    return true;
}

/* --- why not --- */

struct hint {
    char text[sizeof((struct pc_error *)NULL)->hint];
};

static void add(struct hint *h, const char *fmt, ...) PC_PRINTF(2, 3);
static void add(struct hint *h, const char *fmt, ...)
{
    size_t used = strlen(h->text);
    va_list args;

    va_start(args, fmt);
    vsnprintf(h->text + used, sizeof h->text - used, fmt, args);
    va_end(args);
}

static enum pc_status no_mode(const struct pc_compile_request *r, struct pc_error *err)
{
    struct hint h = { "" };
    unsigned first = 0;

    while (sum_of(r, first).bits == 0)
        first++;
    enum pc_status status =
        pc_fail_at(err, 345, first + 1, 1,
                   "no counter mode of %s adds these numbers and counts the rest as it is wanted",
                   r->chip->name);
    for (unsigned m = 0; m < MODES; m++) {
        if (!exists(&modes[m], r->chip, r->mode))
            continue;
        add(&h, "%s%s adds", h.text[0] ? "; " : "", modes[m].name);
        for (unsigned n = 0; n < modes[m].numbers; n++) {
            const struct number *number = &modes[m].number[n];
            add(&h, "%s %u bits to %s%s", n ? " and" : "", number->bits,
                pc_input_name((enum pc_input_id)number->input),
                number->gate == EVERY_CYCLE ? " in every cycle" : "");
        }
    }
    pc_hint(err, "%s", h.text[0] ? h.text : "record mode adds no numbers");
    return status;
}

static enum pc_status check(const struct pc_compile_request *r, bool *any, struct pc_error *err)
{
    *any = false;
    for (unsigned i = 0; i <= PC_INPUT_STOP; i++) {
        struct pc_compile_sum sum = sum_of(r, i);
        *any = *any || sum.bits;
        if (sum.bits != 0 && sum.bits != 2 && sum.bits != 4 && sum.bits != PC_SUM_BITS)
            return pc_fail_at(err, 341, i + 1, 1, "a number has 2, 4 or 6 bits, not %u", sum.bits);
        for (unsigned k = 0; k < sum.bits; k++)
            if (sum.signal[k] >= PC_MAX_SIGNALS)
                return pc_fail_at(err, 342, i + 1, 1, "signal %u: selectors have 8 bits",
                                  sum.signal[k]);
    }
    if (*any && r->ctr_mode)
        return pc_fail(err, 341, "a number has a CTR_MODE of its own; %s is another", r->ctr_mode);
    return PC_OK;
}

enum pc_status cm_take_sums(const struct pc_compile_request *r, struct cm_want *w, bool small,
                            struct pc_error *err)
{
    struct cm_want first = { .dead = 0 }, trial;
    struct cm_found found;
    bool any, have = false;
    enum pc_status status = check(r, &any, err);

    if (status || !any)
        return status;
    for (unsigned m = 0; m < MODES; m++) {
        if (!exists(&modes[m], r->chip, r->mode) || !take_all(r, &modes[m], w, &trial))
            continue;
        if (small && cm_solve(&trial, &found)) {
            *w = trial;
            return PC_OK;
        }
        if (!have)
            first = trial;
        have = true;
    }
    if (!have)
        return no_mode(r, err);
    *w = first; /* which does not fit, and it can be said why */
    return PC_OK;
}

/* --- and back --- */

bool pc_decompile_sum(const struct pc_chip *chip, enum pc_count_mode mode, const char *ctr_mode,
                      const uint32_t src[PC_INPUT_COUNT], enum pc_input_id input,
                      struct pc_compile_sum *out, int *gate)
{
    for (unsigned m = 0; m < MODES; m++) {
        if (!exists(&modes[m], chip, mode) || strcmp(modes[m].name, ctr_mode) != 0)
            continue;
        if (modes[m].dead >> input & 1) {
            *out = (struct pc_compile_sum){ .bits = 0 };
            *gate = (int)input;
            return true;
        }
        for (unsigned n = 0; n < modes[m].numbers; n++) {
            const struct number *number = &modes[m].number[n];
            if (number->input != (unsigned)input)
                continue;
            *out = (struct pc_compile_sum){ .bits = number->bits };
            for (unsigned i = 0; i < number->bits; i++)
                out->signal[i] =
                    src[number->selector[i] / 4] >> (8 * (number->selector[i] % 4)) & 0xff;
            *gate = number->gate;
            return true;
        }
    }
    return false;
}
