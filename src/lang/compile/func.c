/* SPDX-License-Identifier: MIT */
/* Inputs and their functions of atoms, from expressions whose wires are positions of signals. */
#include "lang/compile/compile.h"

#include <string.h>

const char *pc_input_name(enum pc_input_id input)
{
    static const char *const names[PC_INPUT_COUNT] = { "PRE",  "START",   "EVENT",
                                                       "STOP", "SETFLAG", "CLRFLAG" };

    return (unsigned)input < PC_INPUT_COUNT ? names[input] : "";
}

bool cm_func_of(const struct pc_expr *e, struct cm_func *out)
{
    const struct ex_func *f = &e->func;

    memset(out, 0, sizeof *out);
    if (f->deep || f->unknown_end || f->inputs > CM_ATOMS)
        return false;
    out->atoms = (unsigned)f->inputs;
    for (unsigned i = 0; i < out->atoms; i++)
        out->atom[i] = (struct cm_atom){ (uint8_t)f->atom[i].wire, f->atom[i].delay != 0 };
    for (unsigned i = 0; i < 1u << out->atoms; i++)
        out->row[i / 64] |= (f->table[i / 64] >> (i % 64) & 1) << (i % 64);
    return true;
}

int cm_find_atom(const struct cm_func *f, struct cm_atom atom)
{
    for (unsigned i = 0; i < f->atoms; i++)
        if (f->atom[i].signal == atom.signal && f->atom[i].late == atom.late)
            return (int)i;
    return -1;
}
