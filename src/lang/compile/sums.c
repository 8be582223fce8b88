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

#include "model/rules/ctr_modes.h"

enum {
#include "chip_order.inc"
};

enum { EVENT = PC_INPUT_EVENT, EVERY_CYCLE = -1 };

/* Modes are tried in this order. */
enum { FIRST = PC_CTR_EVENT_B4, END = PC_CTR_NONE };

/*
 * Returns the number that the counter of an input takes in a counter mode; `bits` of it is 0 if it
 * counts as ever. In single mode CTR_EVENT counts, and CTR_PRE what is extra.
 */
static const struct pc_number *number_of(enum pc_count_mode mode, unsigned m, unsigned input)
{
    const bool extra = mode == PC_COUNT_SINGLE && input == PC_INPUT_PRE;

    return &pc_ctr_modes[m].of[extra ? (unsigned)PC_CTR_EXTRA : input];
}

static bool adds(enum pc_count_mode mode, unsigned m, unsigned input)
{
    return number_of(mode, m, input)->bits > 0 &&
           (mode == PC_COUNT_QUAD || input != PC_INPUT_START);
}

/* Returns true if its counter stands still. */
static bool is_dead(enum pc_count_mode mode, unsigned m, unsigned input)
{
    return mode == PC_COUNT_QUAD && pc_ctr_modes[m].of[input].gate == PC_GATE_NEVER;
}

/* Returns true if it adds in every cycle (of single mode in every COUNTING one). */
static bool adds_always(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m,
                        unsigned input)
{
    return pc_number_is_loose(number_of(mode, m, input), chip->layout == PC_LAYOUT_GF100);
}

/* Returns whether the chip has the mode; the extra of single mode is known of NV40's layout alone.
 */
bool cm_mode_exists(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m)
{
    const bool gf100 = chip->layout == PC_LAYOUT_GF100;

    if (mode == PC_COUNT_RECORD)
        return false;
    switch (pc_ctr_modes[m].since) {
    case PC_CTR_SINCE_NV10:
        return true;
    case PC_CTR_SINCE_NV40:
        return chip->layout != PC_LAYOUT_NV10 &&
               (mode == PC_COUNT_QUAD || !gf100 || pc_ctr_modes[m].of[PC_CTR_EXTRA].bits == 0);
    case PC_CTR_SINCE_GK104:
        return gf100 && chip->order >= PC_ORDER_GK104 && mode == PC_COUNT_QUAD;
    }
    return false;
}

unsigned cm_mode_counts(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m)
{
    unsigned out = 0;

    for (unsigned input = 0; input <= PC_INPUT_STOP && cm_mode_exists(chip, mode, m); input++)
        if (!is_dead(mode, m, input) && !adds(mode, m, input))
            out |= 1u << input;
    return out;
}

unsigned cm_mode_adds(const struct pc_chip *chip, enum pc_count_mode mode, unsigned m,
                      unsigned bits, bool always)
{
    unsigned out = 0;

    for (unsigned input = 0; input <= PC_INPUT_STOP && cm_mode_exists(chip, mode, m); input++)
        if (adds(mode, m, input) && number_of(mode, m, input)->bits == bits &&
            (always || !adds_always(chip, mode, m, input)))
            out |= 1u << input;
    return out;
}

static struct pc_compile_sum sum_of(const struct pc_compile_request *r, unsigned input)
{
    struct pc_compile_sum out = { .bits = r->sum_bits };

    if (input != EVENT || r->sum_bits == 0)
        return r->number[input];
    memcpy(out.signal, r->sum, sizeof out.signal);
    return out;
}

bool cm_is_one(const struct cm_func *f)
{
    return f->atoms == 0 && cm_row(f, 0);
}

bool cm_want_input(struct cm_want *w, unsigned input, const struct cm_func *f)
{
    unsigned gate = w->gate[input] ? w->gate[input] - 1u : input;

    if (w->dead >> input & 1)
        return false;
    if (w->gate[input] == CM_NO_GATE)
        return cm_is_one(f);
    if (w->wanted[gate])
        return false;
    w->wanted[gate] = true;
    w->func[gate] = *f;
    return true;
}

bool cm_take_mode(const struct pc_compile_request *r, unsigned m, struct cm_want *w)
{
    for (unsigned input = 0; input <= PC_INPUT_STOP; input++) {
        const struct pc_number *number = number_of(r->mode, m, input);
        const struct pc_compile_sum sum = sum_of(r, input);
        if (is_dead(r->mode, m, input))
            w->dead |= (uint8_t)(1u << input);
        if (!adds(r->mode, m, input)) {
            if (sum.bits)
                return false;
            continue;
        }
        if (sum.bits == 0) { /* it would count something else, which is no answer */
            w->dead |= (uint8_t)(1u << input);
            continue;
        }
        if (sum.bits != number->bits)
            return false;
        for (unsigned i = 0; i < sum.bits && i < PC_NUMBER_BITS; i++)
            w->reserved[number->bit[i]] = (int16_t)sum.signal[i];
        if (adds_always(r->chip, r->mode, m, input))
            w->gate[input] = CM_NO_GATE;
        else if (number->gate != input)
            w->gate[input] = (uint8_t)(1 + number->gate);
    }
    w->ctr_mode = pc_ctr_mode_names[m];
    return true;
}

/* Takes all that the request wants in this mode, if the counters are free for it. */
static bool take_all(const struct pc_compile_request *r, unsigned m, const struct cm_want *plain,
                     struct cm_want *out)
{
    *out = *plain;
    memset(out->wanted, 0, sizeof out->wanted);
    if (!cm_take_mode(r, m, out))
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
    for (unsigned m = FIRST; m < END; m++) {
        const char *between = "";
        if (!cm_mode_exists(r->chip, r->mode, m))
            continue;
        add(&h, "%s%s adds", h.text[0] ? "; " : "", pc_ctr_mode_names[m]);
        for (unsigned input = 0; input <= PC_INPUT_STOP; input++) {
            if (!adds(r->mode, m, input))
                continue;
            add(&h, "%s %u bits to %s%s", between, number_of(r->mode, m, input)->bits,
                pc_input_name((enum pc_input_id)input),
                adds_always(r->chip, r->mode, m, input) ? " in every cycle" : "");
            between = " and";
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
    for (unsigned m = FIRST; m < END; m++) {
        if (!cm_mode_exists(r->chip, r->mode, m) || !take_all(r, m, w, &trial))
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
    for (unsigned m = FIRST; m < END; m++) {
        const struct pc_number *number = number_of(mode, m, (unsigned)input);
        if (!cm_mode_exists(chip, mode, m) || strcmp(pc_ctr_mode_names[m], ctr_mode) != 0)
            continue;
        if (is_dead(mode, m, (unsigned)input)) {
            *out = (struct pc_compile_sum){ .bits = 0 };
            *gate = (int)input;
            return true;
        }
        if (!adds(mode, m, (unsigned)input))
            return false;
        *out = (struct pc_compile_sum){ .bits = number->bits };
        for (unsigned i = 0; i < number->bits && i < PC_NUMBER_BITS; i++)
            out->signal[i] = src[number->bit[i] / 4] >> (8 * (number->bit[i] % 4)) & 0xff;
        *gate = adds_always(chip, mode, m, (unsigned)input) ? EVERY_CYCLE : (int)number->gate;
        return true;
    }
    return false;
}
