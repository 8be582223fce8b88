/* SPDX-License-Identifier: MIT */
/*
 * The proof of a program: for each input, the rules of src/model/rules/lut.h over every state of
 * every signal, now and one cycle ago, that the registers or the expression look at.
 * A selector that is free holds signal 0, which then is part of the cone too: whatever is
 * there must not matter.
 */
#include "lang/compile/compile.h"

#include "model/rules/lut.h"
#include "model/rules/sources.h"

#define MAX_CONE 20

struct cone {
    unsigned count;
    struct cm_atom atom[MAX_CONE];
    bool full;
};

static unsigned place(struct cone *c, struct cm_atom atom)
{
    for (unsigned i = 0; i < c->count; i++)
        if (c->atom[i].signal == atom.signal && c->atom[i].late == atom.late)
            return i;
    if (c->count == MAX_CONE) {
        c->full = true;
        return 0;
    }
    c->atom[c->count] = atom;
    return c->count++;
}

/* Where an input's arguments are in the cone; SETFLAG: -1. */
struct wires {
    int at[4];
    uint32_t op;
};

static struct wires wires_of(const struct cm_want *w, const struct cm_found *f, unsigned input,
                             struct cone *cone)
{
    struct wires out = { .op = f->op[input] };
    const struct pc_arguments args = pc_arguments(f->op[input], input, w->target.features);

    for (unsigned i = 0; i < 4; i++) {
        const struct pc_argument a = args.of[i];
        int16_t signal = f->selector[a.selector];
        if (a.setflag)
            out.at[i] = -1;
        else
            out.at[i] =
                (int)place(cone, (struct cm_atom){ (uint8_t)(signal < 0 ? 0 : signal), a.late });
    }
    return out;
}

static bool value(const struct wires *w, uint32_t state, bool setflag)
{
    bool arg[4];

    for (unsigned i = 0; i < 4; i++)
        arg[i] = w->at[i] < 0 ? setflag : state >> w->at[i] & 1;
    return pc_lut4(w->op, arg[0], arg[1], arg[2], arg[3]);
}

static bool verify_input(const struct cm_want *w, const struct cm_found *f, unsigned input,
                         unsigned *bits)
{
    const struct cm_func *func = &w->func[input];
    struct cone cone = { .count = 0 };
    struct wires own = wires_of(w, f, input, &cone);
    struct wires set = wires_of(w, f, PC_INPUT_SETFLAG, &cone);
    unsigned at[CM_ATOMS];

    for (unsigned a = 0; a < func->atoms; a++)
        at[a] = place(&cone, func->atom[a]);
    if (cone.full)
        return false;
    if (cone.count > *bits)
        *bits = cone.count;
    for (uint32_t state = 0; state < UINT32_C(1) << cone.count; state++) {
        unsigned row = 0;
        for (unsigned a = 0; a < func->atoms; a++)
            row |= (unsigned)(state >> at[a] & 1) << a;
        if (value(&own, state, value(&set, state, false)) != cm_row(func, row))
            return false;
    }
    return true;
}

bool cm_verify(const struct cm_want *want, const struct cm_found *found, unsigned *cone)
{
    *cone = 0;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (want->wanted[i] && !verify_input(want, found, i, cone))
            return false;
    return true;
}
