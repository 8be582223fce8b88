/* SPDX-License-Identifier: MIT */
/*
 * Fits an expression onto one input of a counter: steps 1 to 8 of "Input selection"
 * backwards.  ARG[0..3] are SRC[0..3]; ARG[0], ARG[1] can be the same one cycle late;
 * from G92 on ARG[2], ARG[3] can be SRC[0], SRC[1] one cycle late (bit positions: D-12).
 * All ways of giving at most four inputs to four arguments are tried.
 *
 * Not done here: SETFLAG as ARG[3], which chains two inputs into one of seven.
 */
#include "lang/expr/expr.h"

static const char *const slot_names[] = { "PRE", "START", "EVENT", "STOP" };

/* Which bit of *_OP makes ARG[2] SRC[0] delayed; ARG[3] is the next one. */
static unsigned arg2_delay_bit(const struct pc_chip *chip, enum pc_slot slot)
{
    bool above_setflag =
        chip->layout == PC_LAYOUT_GF100 || slot == PC_SLOT_EVENT || slot == PC_SLOT_STOP;

    return above_setflag ? 19 : 18;
}

/* Connects input i of the expression to ARG[arg[i]]. False if an argument cannot carry its
 * input. */
static bool connect(const struct ex_func *f, const unsigned arg[4], const struct pc_chip *chip,
                    enum pc_slot slot, struct pc_expr_input *out)
{
    *out = (struct pc_expr_input){ .source = { PC_NO_WIRE, PC_NO_WIRE, PC_NO_WIRE, PC_NO_WIRE } };
    for (size_t i = 0; i < f->inputs; i++) {
        if (arg[i] >= 2)
            continue;
        out->source[arg[i]] = f->atom[i].wire;
        out->op |= f->atom[i].delay << (16 + arg[i]);
    }
    for (size_t i = 0; i < f->inputs; i++) {
        if (arg[i] < 2)
            continue;
        if (f->atom[i].delay == 0) {
            out->source[arg[i]] = f->atom[i].wire;
            continue;
        }
        uint32_t *source = &out->source[arg[i] - 2];
        if (!(chip->features & PC_F_ARG23_DELAY) ||
            (*source != PC_NO_WIRE && *source != f->atom[i].wire))
            return false;
        *source = f->atom[i].wire;
        out->op |= 1u << (arg2_delay_bit(chip, slot) + arg[i] - 2);
    }
    return true;
}

/* The table of the arguments: an argument without an input does not matter. */
static uint32_t arrange_table(const struct ex_func *f, const unsigned arg[4])
{
    uint32_t table = 0;

    for (unsigned i = 0; i < 16; i++) {
        unsigned row = 0;
        for (size_t a = 0; a < f->inputs; a++)
            row |= (i >> arg[a] & 1) << a;
        table |= (uint32_t)(f->table[0] >> row & 1) << i;
    }
    return table;
}

static unsigned selectors_used(const struct pc_expr_input *in)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 4; i++)
        n += in->source[i] != PC_NO_WIRE;
    return n;
}

/* Finds the first way with the fewest selectors; false if there is none. */
static bool search(const struct ex_func *f, const struct pc_chip *chip, enum pc_slot slot,
                   struct pc_expr_input *out)
{
    unsigned best = 5;

    for (unsigned way = 0; way < 256; way++) {
        unsigned arg[4] = { way >> 6, way >> 4 & 3, way >> 2 & 3, way & 3 };
        unsigned taken = 0;
        bool distinct = true;
        for (size_t i = 0; i < 4; i++) {
            distinct = distinct && !(taken >> arg[i] & 1);
            taken |= 1u << arg[i];
        }
        struct pc_expr_input in;
        if (!distinct || !connect(f, arg, chip, slot, &in) || selectors_used(&in) >= best)
            continue;
        best = selectors_used(&in);
        in.op |= arrange_table(f, arg);
        *out = in;
    }
    return best < 5;
}

static enum pc_status too_many_inputs(const struct pc_expr *e, const struct pc_chip *chip,
                                      enum pc_slot slot, struct pc_error *err)
{
    const struct ex_func *f = &e->func;
    char quote[EX_QUOTE_SIZE];
    enum pc_status status = EX_FAIL(
        err, 320, f->atom[4].begin, "the expression needs %s%zu inputs; %s of %s has 4",
        f->inputs > EX_MAX_ATOMS ? "more than " : "",
        f->inputs > EX_MAX_ATOMS ? (size_t)EX_MAX_ATOMS : f->inputs, slot_names[slot], chip->name);

    pc_hint(err, "the fifth distinct input is in \"%s\"",
            ex_quote(e, f->atom[4].begin, f->atom[4].end, quote));
    return status;
}

static enum pc_status too_many_delays(const struct pc_expr *e, const struct pc_chip *chip,
                                      enum pc_slot slot, struct pc_error *err)
{
    const struct ex_func *f = &e->func;
    const struct ex_atom *last = &f->atom[0];
    unsigned late = 0;

    for (size_t i = 0; i < f->inputs; i++) {
        late += f->atom[i].delay;
        if (f->atom[i].delay)
            last = &f->atom[i];
    }
    enum pc_status status =
        EX_FAIL(err, 321, last->begin,
                "the expression needs %u signals one cycle late; %s of %s has 2 flops", late,
                slot_names[slot], chip->name);
    pc_hint(err, "use fewer of rise, fall, edge and prev in one event");
    return status;
}

enum pc_status pc_expr_place(const struct pc_expr *e, const struct pc_chip *chip, enum pc_slot slot,
                             struct pc_expr_input *out, struct pc_error *err)
{
    const struct ex_func *f = &e->func;
    char quote[EX_QUOTE_SIZE];

    if (!e->resolved || (unsigned)slot > PC_SLOT_STOP)
        return pc_fail(err, 307, "the expression cannot be placed before its names are resolved");
    if (chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 323, "%s has no PCOUNTER", chip->name);
    if (f->unknown_end)
        return EX_FAIL(err, 324, f->unknown_begin, "\"%s\" is not a signal of hardware",
                       ex_quote(e, f->unknown_begin, f->unknown_end, quote));
    if (f->deep)
        return EX_FAIL(err, 322, f->deep_begin,
                       "\"%s\" is inside of another rise, fall, edge or prev",
                       ex_quote(e, f->deep_begin, f->deep_end, quote));
    if (f->inputs > 4)
        return too_many_inputs(e, chip, slot, err);
    if (!search(f, chip, slot, out))
        return too_many_delays(e, chip, slot, err);
    return PC_OK;
}
