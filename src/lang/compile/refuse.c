/* SPDX-License-Identifier: MIT */
/*
 * Why a request does not fit, found by trying: which input does not fit even alone, or which
 * two do not fit together; and then what would: another input, a later chip, one cycle
 * later through the flag.
 */
#include "lang/compile/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTE_SIZE 200

struct hint {
    char text[sizeof((struct pc_error *)NULL)->hint];
};

static struct cm_want only(const struct cm_want *w, unsigned first, unsigned second)
{
    struct cm_want out = *w;

    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        out.wanted[i] = w->wanted[i] && (i == first || i == second);
    return out;
}

static bool solves(const struct cm_want *w)
{
    struct cm_found found;

    return cm_solve(w, &found);
}

/* Returns true if the input fits without what the sum reserves: is it the input alone that does not
 * fit? */
static bool fits_alone(const struct cm_want *w, unsigned input, bool reserved)
{
    struct cm_want alone = only(w, input, input);

    for (unsigned i = 0; i < CM_SELECTORS && !reserved; i++)
        alone.reserved[i] = PC_NO_SIGNAL;
    return solves(&alone);
}

static bool fits_at(const struct cm_want *w, unsigned from, unsigned to)
{
    struct cm_want moved = only(w, from, from);

    moved.wanted[from] = false;
    moved.wanted[to] = true;
    moved.func[to] = w->func[from];
    return solves(&moved);
}

/* Returns the first later chip that takes what is wanted; NULL: none does. Those whose inputs are
 * the same as of one that was tried are passed over. */
static const struct pc_chip *later_chip(const struct cm_want *w)
{
    const uint32_t of_inputs = PC_F_SETFLAG_ARG | PC_F_OWN_FLAG_SRC | PC_F_ARG23_DELAY | PC_F_GF100;
    uint32_t tried = w->target.features & of_inputs;
    const struct pc_chip *chip;

    for (size_t i = 0; (chip = pc_chip_at(i)) != NULL; i++) {
        struct cm_want there = *w;
        if (chip->order <= w->target.chip->order || chip->layout == PC_LAYOUT_NONE)
            continue;
        if ((chip->features & of_inputs) == tried)
            continue;
        tried = chip->features & of_inputs;
        there.target.features = chip->features;
        if (solves(&there))
            return chip;
    }
    return NULL;
}

/* Adds to a hint, after a semicolon if something stands there. */
static void also(struct hint *h, const char *fmt, ...) PC_PRINTF(2, 3);
static void also(struct hint *h, const char *fmt, ...)
{
    size_t used = strlen(h->text);
    va_list args;

    if (used > 0 && used + 2 < sizeof h->text) {
        memcpy(h->text + used, "; ", 3);
        used += 2;
    }
    va_start(args, fmt);
    vsnprintf(h->text + used, sizeof h->text - used, fmt, args);
    va_end(args);
}

/* Suggests other counters of quad mode; in single mode each input has a meaning of its own. */
static void suggest_slots(const struct cm_want *w, unsigned input, struct hint *h)
{
    char slots[NOTE_SIZE] = "";

    for (unsigned i = PC_INPUT_PRE; i <= PC_INPUT_STOP; i++)
        if (i != input && fits_at(w, input, i))
            snprintf(slots + strlen(slots), sizeof slots - strlen(slots), "%s%s",
                     slots[0] ? ", " : "", pc_input_name(i));
    if (slots[0])
        also(h, "it fits %s of this chip", slots);
}

static void suggest(const struct pc_compile_request *r, const struct cm_want *w, unsigned input,
                    struct pc_error *err)
{
    const struct pc_expr *e = r->input[input];
    struct cm_want alone = only(w, input, input);
    struct hint h = { "" };
    char text[sizeof h.text];

    if (!e->func.deep && !e->func.unknown_end && e->func.inputs <= PC_CHAIN_INPUTS) {
        if (r->mode == PC_COUNT_QUAD && input <= PC_INPUT_STOP)
            suggest_slots(w, input, &h);
        const struct pc_chip *chip = later_chip(&alone);
        if (chip)
            also(&h, "it fits %s of %s and later", pc_input_name(input), chip->name);
    }
    if (cm_through_text(&alone, e, input, text, sizeof text))
        also(&h, "%s", text);
    if (!h.text[0])
        also(&h, "no input of any chip takes it, nor does the flag help: count parts of it, or let "
                 "a signal be computed before the counter");
    pc_hint(err, "%s", h.text);
}

static unsigned late_atoms(const struct ex_func *f)
{
    unsigned n = 0;

    for (size_t i = 0; i < f->inputs; i++)
        n += f->atom[i].delay;
    return n;
}

/* Refuses one input that does not fit alone. */
static enum pc_status refuse_input(const struct pc_compile_request *r, const struct cm_want *w,
                                   unsigned input, struct pc_error *err)
{
    const struct ex_func *f = &r->input[input]->func;
    bool chains = cm_chains(input) && (w->target.features & PC_F_SETFLAG_ARG);
    unsigned most = chains ? PC_CHAIN_INPUTS : 4;
    const char *name = pc_input_name(input), *chip = w->target.chip->name;
    enum pc_status status;

    if (f->unknown_end)
        return pc_fail_at(err, 324, input + 1, f->unknown_begin + 1,
                          "%s asks for unknown values, which hardware does not have", name);
    if (f->deep) {
        status = pc_fail_at(err, 322, input + 1, f->deep_begin + 1,
                            "%s looks back more than one cycle here", name);
    } else if (f->inputs > most) {
        status = pc_fail_at(err, 343, input + 1, f->atom[most].begin + 1,
                            "the expression needs %s%zu signals; %s of %s has %u",
                            f->inputs > EX_MAX_ATOMS ? "more than " : "",
                            f->inputs > EX_MAX_ATOMS ? (size_t)EX_MAX_ATOMS : f->inputs, name, chip,
                            most);
    } else if (f->inputs > 4) {
        status = pc_fail_at(err, 343, input + 1, f->atom[4].begin + 1,
                            "%zu signals need SETFLAG as an argument, and no four of them can be "
                            "put into one bit for %s of %s",
                            f->inputs, name, chip);
    } else {
        const struct ex_atom *last = &f->atom[0];
        for (size_t i = 0; i < f->inputs; i++)
            if (f->atom[i].delay)
                last = &f->atom[i];
        status = pc_fail_at(err, 343, input + 1, last->begin + 1,
                            "%u signals one cycle late; %s of %s has flops for SRC0 and SRC1",
                            late_atoms(f), name, chip);
    }
    suggest(r, w, input, err);
    return status;
}

/* Suggests another counter for one of them, or another chip. */
static void suggest_together(const struct pc_compile_request *r, const struct cm_want *w,
                             struct pc_error *err)
{
    const struct pc_chip *chip = later_chip(w);
    struct hint h = { "" };

    for (unsigned i = PC_INPUT_PRE; i <= PC_INPUT_STOP && r->mode == PC_COUNT_QUAD; i++)
        for (unsigned k = PC_INPUT_PRE; k <= PC_INPUT_STOP && !h.text[0]; k++) {
            struct cm_want moved = *w;
            if (!w->wanted[i] || w->wanted[k])
                continue;
            moved.wanted[i] = false;
            moved.wanted[k] = true;
            moved.func[k] = w->func[i];
            if (!cm_event_loops(&moved) && solves(&moved))
                also(&h, "with the expression of %s on %s instead they fit", pc_input_name(i),
                     pc_input_name(k));
        }
    if (chip)
        also(&h, "they fit together on %s and later", chip->name);
    if (!h.text[0])
        also(&h, "no chip takes them together: count them in passes of their own");
    pc_hint(err, "%s", h.text);
}

static enum pc_status refuse_together(const struct pc_compile_request *r, const struct cm_want *w,
                                      struct pc_error *err)
{
    enum pc_status status;
    unsigned last = 0;

    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        for (unsigned k = i + 1; k < PC_INPUT_COUNT; k++) {
            struct cm_want two = only(w, i, k);
            if (!w->wanted[i] || !w->wanted[k] || solves(&two))
                continue;
            status = pc_fail_at(err, 344, k + 1, 1,
                                "%s and %s do not fit together on %s, each does alone",
                                pc_input_name(i), pc_input_name(k), r->chip->name);
            suggest_together(r, w, err);
            return status;
        }
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (w->wanted[i])
            last = i;
    status = pc_fail_at(err, 344, last + 1, 1,
                        "the inputs do not fit together on %s; any two of them do", r->chip->name);
    suggest_together(r, w, err);
    return status;
}

/* Returns where the text of EVENT looks at a signal in the present. */
static uint32_t begin_of(const struct pc_compile_request *r, uint32_t signal)
{
    const struct ex_func *f = &r->input[PC_INPUT_EVENT]->func;

    for (size_t i = 0; i < f->inputs; i++)
        if (f->atom[i].wire == signal && f->atom[i].delay == 0)
            return f->atom[i].begin;
    return 0;
}

enum pc_status cm_refuse(const struct pc_compile_request *r, const struct cm_want *w,
                         struct pc_error *err)
{
    struct cm_atom own = { (uint8_t)w->target.own_event, false };

    if (w->target.own_event >= 0 && w->wanted[PC_INPUT_EVENT] &&
        cm_find_atom(&w->func[PC_INPUT_EVENT], own) >= 0) {
        enum pc_status status =
            pc_fail_at(err, 346, PC_INPUT_EVENT + 1, begin_of(r, own.signal) + 1,
                       "EVENT selects its own output, signal 0x%02x", (unsigned)own.signal);
        pc_hint(err, "prev() of it has a flop in between");
        return status;
    }
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        struct cm_func f;
        if (w->wanted[i] && !r->input[i])
            return pc_fail_at(err, 344, PC_INPUT_EVENT + 1, 1,
                              "%s adds the number in cycles of %s, which cannot be that condition",
                              w->ctr_mode ? w->ctr_mode : "", pc_input_name(i));
        if (w->wanted[i] && (!cm_func_of(r->input[i], &f) || !fits_alone(w, i, false)))
            return refuse_input(r, w, i, err);
    }
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (w->wanted[i] && !fits_alone(w, i, true)) {
            enum pc_status status =
                pc_fail_at(err, 344, i + 1, 1, "%s needs sources that the sum or the record has",
                           pc_input_name(i));
            struct hint h = { "" };
            if (r->mode == PC_COUNT_QUAD && i <= PC_INPUT_STOP && !r->number[i].bits)
                suggest_slots(w, i, &h);
            also(&h, "count them in passes of their own");
            pc_hint(err, "%s", h.text);
            return status;
        }
    return refuse_together(r, w, err);
}
