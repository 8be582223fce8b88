/* SPDX-License-Identifier: MIT */
/*
 * A function that does not fit an input may fit through the flag.  With CLRFLAG the opposite of
 * SETFLAG the flag is what SETFLAG was two cycles ago (D-23), and SETFLAG looks at signals now and
 * one cycle ago.  So atoms that are two and three cycles old can come in as one bit, S; with the
 * whole count some cycles later, younger atoms are as old.  F = G(A, S(B)) with S by its own is
 * what chain.c splits; here A are atoms that the input can look at itself, and B those that the
 * flag brings.
 */
#include "lang/compile/compile.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { FLAG_DELAY = 2, MOST_LATER = 2, TEXT_SIZE = 160 };

struct through {
    const struct cm_want *want;
    const struct ex_func *f;
    unsigned input;
    int flag;             /* position of the own flag */
    unsigned direct, via; /* masks of atoms */
    struct cm_through *out;
};

/* Atoms of a split are numbers of atoms of f; these are they, `ago` cycles less far back. */
static bool real_atoms(const struct through *t, struct cm_func *func, unsigned count,
                       unsigned allowed, int shift)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned number = func->atom[i].signal;
        if (!(allowed >> number & 1))
            return false;
        func->atom[i].signal = (uint8_t)t->f->atom[number].wire;
        func->atom[i].late = (int)t->f->atom[number].delay + shift == 1;
    }
    return true;
}

static bool visit(void *ctx, const struct cm_split *split)
{
    struct through *t = ctx;
    struct cm_want *w = &t->out->want;
    struct cm_func set = split->set, rest = split->rest[0];
    int later = (int)t->out->later;

    if (!real_atoms(t, &set, set.atoms, t->via, later - FLAG_DELAY) ||
        !real_atoms(t, &rest, rest.atoms - 1, t->direct, later))
        return false;
    rest.atom[rest.atoms - 1] = (struct cm_atom){ (uint8_t)t->flag, false };
    *w = *t->want;
    w->wanted[PC_INPUT_SETFLAG] = w->wanted[PC_INPUT_CLRFLAG] = w->wanted[t->input] = true;
    w->func[PC_INPUT_SETFLAG] = w->func[PC_INPUT_CLRFLAG] = set;
    for (unsigned row = 0; row < 1u << set.atoms; row++)
        w->func[PC_INPUT_CLRFLAG].row[0] ^= UINT64_C(1) << row;
    w->func[t->input] = rest;
    return !cm_event_loops(w) && cm_solve(w, &t->out->found);
}

/* Sorts the atoms by how old they are when everything is `later` cycles later; false: one is too
 * old. */
static bool sort_atoms(struct through *t, unsigned later)
{
    t->direct = t->via = 0;
    for (unsigned i = 0; i < t->f->inputs; i++) {
        unsigned delay = t->f->atom[i].delay + later;
        if (delay < FLAG_DELAY)
            t->direct |= 1u << i;
        else if (delay < FLAG_DELAY + 2)
            t->via |= 1u << i;
        else
            return false;
    }
    return t->via != 0;
}

bool cm_through_flag(const struct cm_want *want, const struct ex_func *f, unsigned input,
                     struct cm_through *out)
{
    const struct cm_target *t = &want->target;
    struct cm_func func = { .atoms = (unsigned)f->inputs };
    struct through through = { want, f, input, -1, 0, 0, out };

    if (f->far || f->inputs > CM_ATOMS || input > PC_INPUT_STOP || want->wanted[PC_INPUT_SETFLAG] ||
        want->wanted[PC_INPUT_CLRFLAG])
        return false;
    through.flag = pc_chip_signal_position(t->chip, t->domain, PC_SIG_DOM_FLAG, t->domain);
    if (through.flag < 0)
        return false;
    for (unsigned i = 0; i < func.atoms; i++)
        func.atom[i].signal = (uint8_t)i;
    for (unsigned row = 0; row < 1u << func.atoms; row++)
        func.row[row / 64] |= (f->table[row / 64] >> (row % 64) & 1) << (row % 64);
    for (out->later = 0; out->later <= MOST_LATER; out->later++)
        if (sort_atoms(&through, out->later) && cm_for_splits(&func, NULL, NULL, visit, &through))
            return true;
    return false;
}

/* --- in words --- */

struct names {
    const struct pc_expr *e;
    unsigned flag;
};

/* As the text calls it, if that is one signal; else by position. */
static void name_signal(void *ctx, unsigned signal, char *out, size_t size)
{
    const struct names *n = ctx;

    snprintf(out, size, signal == n->flag ? "flag" : "s%02x", signal);
    for (size_t i = 0; i < n->e->nodes; i++) {
        const struct ex_node *node = &n->e->node[i];
        if (node->op == EX_NAME && node->width == 1 && n->e->wire[node->first_wire] == signal)
            snprintf(out, size, "%.*s", (int)(node->end - node->begin), n->e->text + node->begin);
    }
}

static bool input_text(const struct cm_through *t, const struct names *n, unsigned input,
                       char out[TEXT_SIZE])
{
    uint32_t src[PC_INPUT_COUNT] = { 0 };
    char name[16];

    for (unsigned i = 0; i < CM_SELECTORS; i++)
        if (t->found.selector[i] != PC_NO_SIGNAL)
            src[i / 4] |= (uint32_t)t->found.selector[i] << (8 * (i % 4));
    snprintf(name, sizeof name, "%s", pc_input_name((enum pc_input_id)input));
    for (size_t i = 0; name[i]; i++)
        name[i] = pc_lower(name[i]);
    int used = snprintf(out, TEXT_SIZE, "%s='", name);
    if (used < 0 ||
        pc_decompile(t->want.target.chip, src, t->found.op, (enum pc_input_id)input, name_signal,
                     (void *)(uintptr_t)n, out + used, TEXT_SIZE - (size_t)used - 1, NULL) != PC_OK)
        return false;
    memcpy(out + strlen(out), "'", 2); /* there is room: it was given one byte less */
    return true;
}

bool cm_through_text(const struct cm_want *want, const struct pc_expr *e, unsigned input, char *out,
                     size_t size)
{
    struct cm_through t = { .later = 0 };
    char text[3][TEXT_SIZE];

    if (!cm_through_flag(want, &e->func, input, &t))
        return false;
    const struct cm_target *target = &want->target;
    struct names names = { e, (unsigned)pc_chip_signal_position(target->chip, target->domain,
                                                                PC_SIG_DOM_FLAG, target->domain) };
    if (!input_text(&t, &names, PC_INPUT_SETFLAG, text[0]) ||
        !input_text(&t, &names, PC_INPUT_CLRFLAG, text[1]) ||
        !input_text(&t, &names, input, text[2]))
        return false;
    int n =
        t.later == 0
            ? snprintf(out, size, "through the flag it fits: %s %s %s", text[0], text[1], text[2])
            : snprintf(out, size, "%u cycle%s later, through the flag, it fits: %s %s %s", t.later,
                       t.later == 1 ? "" : "s", text[0], text[1], text[2]);
    return n > 0 && (size_t)n < size;
}
