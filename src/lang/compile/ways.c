/* SPDX-License-Identifier: MIT */
/*
 * "Input selection", steps 1 to 8, backwards: ARG[0..3] are SRC[0..3]; ARG[0], ARG[1] can be
 * the same one cycle late; from G92 on ARG[2], ARG[3] can be SRC[0], SRC[1] one cycle late
 * (bit positions: D-12); ARG[3] of EVENT and STOP can be SETFLAG on NV30 and later.  Each
 * atom that matters needs an argument of its own and no more than one, so the ways are the
 * injections of the atoms into the arguments: at most 24.
 */
#include "lang/compile/compile.h"

#include "model/rules/sources.h"

/* Asks for a signal at a selector; false if the way has another one there. */
static bool ask(struct cm_way *way, unsigned selector, uint8_t signal)
{
    unsigned shift = 8 * (selector % 8);
    uint64_t *taken = &way->needs.taken[selector / 8], *signals = &way->needs.signal[selector / 8];

    if (*taken >> shift & 1)
        return (*signals >> shift & 0xff) == signal;
    *taken |= UINT64_C(0xff) << shift;
    *signals |= (uint64_t)signal << shift;
    return true;
}

/* Gives an atom to an argument; false if the argument cannot carry it. */
static bool give(const struct cm_target *t, enum pc_input_id input, struct cm_atom atom,
                 unsigned arg, struct cm_way *way)
{
    bool high = cm_chains(input) || (t->features & PC_F_GF100);

    if (!atom.late)
        return ask(way, pc_source_selector(t->features, input, arg), atom.signal);
    if (arg >= 2 && !(t->features & PC_F_ARG23_DELAY))
        return false;
    way->op |= arg < 2 ? 1u << (16 + arg) : 1u << ((high ? 17 : 16) + arg);
    return ask(way, pc_source_selector(t->features, input, arg & 1), atom.signal);
}

/* Returns the table of the arguments; one without an atom does not matter. */
static uint32_t table_of(const struct cm_func *f, const unsigned arg[4])
{
    uint32_t table = 0;

    for (unsigned i = 0; i < 16; i++) {
        unsigned row = 0;
        for (unsigned a = 0; a < f->atoms; a++)
            row |= (i >> arg[a] & 1) << a;
        table |= (uint32_t)cm_row(f, row) << i;
    }
    return table;
}

static bool make_way(const struct cm_target *t, const struct cm_func *f, enum pc_input_id input,
                     bool chained, const unsigned arg[4], struct cm_way *way)
{
    *way = (struct cm_way){ .op = chained ? 1u << 18 : 0 };
    for (unsigned a = 0; a < f->atoms; a++) {
        bool is_setflag = chained && a == f->atoms - 1;
        if (is_setflag != (chained && arg[a] == 3))
            return false;
        if (!is_setflag && !give(t, input, f->atom[a], arg[a], way))
            return false;
    }
    way->op |= table_of(f, arg);
    return true;
}

void cm_find_ways(const struct cm_target *t, const struct cm_func *f, enum pc_input_id input,
                  bool chained, struct cm_ways *out)
{
    out->count = 0;
    if (f->atoms > 4)
        return;
    for (unsigned code = 0; code < 1u << (2 * f->atoms); code++) {
        unsigned arg[4] = { 0 }, taken = 0;
        bool distinct = true;
        for (unsigned a = 0; a < f->atoms; a++) {
            arg[a] = code >> (2 * (f->atoms - 1 - a)) & 3; /* in order first, as people do */
            distinct = distinct && !(taken >> arg[a] & 1);
            taken |= 1u << arg[a];
        }
        if (distinct && make_way(t, f, input, chained, arg, &out->way[out->count]))
            out->count++;
    }
}
