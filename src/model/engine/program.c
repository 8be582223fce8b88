/* SPDX-License-Identifier: MIT */
/*
 * Works out what a domain's registers ask for.  A segment has no writes, and starts far enough
 * after the last one that nothing is pending; so all that registers decide is decided before a
 * block is calculated.
 */
#include "model/engine/engine.h"

#include <string.h>

#include "model/rules/flag.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"
#include "model/rules/sources.h"
#include "model/rules/table.h"

/* --- once a segment --- */

static struct eg_signal raw(const struct eg_block *b, unsigned signal)
{
    if (b->run->plane && b->run->plane[signal])
        return (struct eg_signal){ b->run->plane[signal], false };
    return eg_constant(b->run->level && (b->run->level[signal / 64] >> (signal % 64) & 1));
}

static bool is_periodic(const struct eg_block *b, struct eg_pick pick)
{
    return pick.kind == EG_PERIODIC && !PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET) &&
           pc_period_clocks(b->d->control.periodic) != 0;
}

/* Makes a signal that is neither PERIODIC nor the own FLAG. */
static struct eg_signal signal_of(const struct eg_block *b, struct eg_pick pick)
{
    return pick.kind == EG_RAW ? raw(b, pick.number)
                               : eg_constant(pick.kind == EG_LEVEL && pick.number);
}

static void find_sources(struct eg_program *p, const struct eg_block *b)
{
    const struct eg_pick *pick = b->e->picks.of[b->domain];

    for (unsigned s = 0; s < EG_SELECTORS; s++) {
        uint32_t bit = UINT32_C(1) << s;
        if (pick[s].kind == EG_NODE)
            p->flags |= bit;
        else if (is_periodic(b, pick[s]))
            p->periodics |= bit;
        else
            p->source[s] = signal_of(b, pick[s]);
        if (p->source[s].plane)
            p->raw |= bit;
    }
    p->swap_is_flag = pick[EG_SWAP].kind == EG_NODE;
    p->swap_is_periodic = is_periodic(b, pick[EG_SWAP]);
    p->swap = signal_of(b, pick[EG_SWAP]);
}

/* Returns the level of an argument that is a constant, else -1. */
static int constant_of(const struct eg_program *p, struct pc_argument a)
{
    uint32_t bit = UINT32_C(1) << a.selector;

    if (a.setflag)
        return p->op[PC_IN_SETFLAG].arguments ? -1 : p->op[PC_IN_SETFLAG].table & 1;
    if ((p->raw | p->periodics | p->flags) & bit)
        return -1;
    return p->source[a.selector].level;
}

static void find_operation(struct eg_program *p, const struct eg_block *b, enum pc_input input)
{
    const struct pc_arguments args = pc_arguments(b->d->op[input], input, b->u->chip->features);
    struct eg_operation *op = &p->op[input];
    uint16_t table = (uint16_t)b->d->op[input];

    op->arguments = 0;
    for (unsigned i = 0; i < 4; i++) {
        struct pc_argument a = args.of[i];
        int level = constant_of(p, a);
        a.late = !a.setflag && a.late;
        if (level >= 0)
            table = pc_table_fix(table, op->arguments, level);
        if (pc_table_depends(table, op->arguments)) {
            op->arg[op->arguments++] = a;
            if (a.late)
                p->late |= UINT32_C(1) << a.selector;
        } else {
            table = pc_table_without(table, op->arguments);
        }
    }
    op->table = table;
}

/* Returns true if neither SETFLAG nor CLRFLAG can move it any more, and its flops agree. */
static bool flag_is_constant(const struct eg_program *p, const struct eg_block *b)
{
    const struct pc_domain *d = b->d;
    const struct eg_operation *set = &p->op[PC_IN_SETFLAG], *clear = &p->op[PC_IN_CLRFLAG];

    if (d->flag_next != d->flag_cur || d->flag_cur != d->last_flag)
        return false;
    if (!p->listens)
        return true;
    if (set->arguments == 0 && clear->arguments == 0)
        return pc_flag_next(d->flag_next, set->table & 1, clear->table & 1) == d->flag_next;
    bool never_set = set->arguments == 0 && set->table == 0;
    bool never_clear = clear->arguments == 0 && clear->table == 0;
    return d->flag_next ? never_clear : never_set;
}

/* Returns true if EVENT or STOP looks at SETFLAG. */
static bool uses_setflag(const struct eg_program *p)
{
    for (unsigned n = PC_IN_EVENT; n <= PC_IN_STOP; n++)
        for (unsigned i = 0; i < p->op[n].arguments; i++)
            if (p->op[n].arg[i].setflag)
                return true;
    return false;
}

/* Makes the own FLAG a constant where it does not move. */
static void settle_flag(struct eg_program *p, const struct eg_block *b)
{
    for (unsigned s = 0; s < EG_SELECTORS; s++)
        if (p->flags >> s & 1)
            p->source[s].level = b->d->flag_cur;
    if (p->swap_is_flag)
        p->swap.level = b->d->flag_cur;
    p->flags = 0;
    p->swap_is_flag = false;
}

void eg_program_compile(struct eg_program *p, const struct eg_block *b)
{
    memset(p, 0, sizeof *p);
    find_sources(p, b);
    p->listens = eg_listens(b->u, b->d);
    find_operation(p, b, PC_IN_SETFLAG);
    find_operation(p, b, PC_IN_CLRFLAG);
    p->flag_constant = flag_is_constant(p, b);
    if (p->flag_constant)
        settle_flag(p, b);
    find_operation(p, b, PC_IN_EVENT);
    find_operation(p, b, PC_IN_STOP);
    find_operation(p, b, PC_IN_PRE);
    find_operation(p, b, PC_IN_START);
    p->streams = eg_only_counts(b->d) && !p->swap.plane && !p->swap.level && !p->swap_is_periodic &&
                 !p->swap_is_flag && !p->flags && p->flag_constant && !p->late && !p->periodics &&
                 !uses_setflag(p);
    p->still = !p->raw && !p->periodics && !p->flags && !p->swap.plane && !p->swap_is_periodic &&
               !p->swap_is_flag && p->flag_constant;
}
