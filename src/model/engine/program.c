/* SPDX-License-Identifier: MIT */
/*
 * Steps 2 to 6, 8 and 9 of a domain's cycles, block by block, for a domain whose sources are
 * known beforehand.  A segment has no writes, and starts far enough after the last one that
 * nothing is pending; so all that registers decide is decided once (eg_program_compile).
 */
#include "model/engine/program.h"

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

/* A signal that is neither PERIODIC nor the own FLAG, the only node that is looked at here. */
static struct eg_signal signal_of(const struct eg_block *b, struct eg_pick pick)
{
    return pick.kind == EG_RAW ? raw(b, pick.number)
                               : eg_constant(pick.kind == EG_LEVEL && pick.number);
}

static void find_sources(struct eg_program *p, const struct eg_block *b)
{
    const struct eg_pick *pick = b->e->graph.pick[b->domain];

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

/* What an argument is if it is a constant, else -1. */
static int constant_of(const struct eg_program *p, struct pc_argument a)
{
    uint32_t bit = UINT32_C(1) << a.selector;

    if (a.setflag)
        return p->op[PC_IN_SETFLAG].arguments ? -1 : p->op[PC_IN_SETFLAG].table & 1;
    if ((p->raw | p->periodics) & bit || (p->flags & bit && !p->flag_constant))
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
        const struct pc_argument a = args.of[i];
        int level = constant_of(p, a);
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

/* Neither SETFLAG nor CLRFLAG can move it any more, and its flops agree. */
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

/* Does EVENT or STOP look at SETFLAG? */
static bool uses_setflag(const struct eg_program *p)
{
    for (unsigned n = PC_IN_EVENT; n <= PC_IN_STOP; n++)
        for (unsigned i = 0; i < p->op[n].arguments; i++)
            if (p->op[n].arg[i].setflag)
                return true;
    return false;
}

void eg_program_compile(struct eg_program *p, const struct eg_block *b)
{
    memset(p, 0, sizeof *p);
    find_sources(p, b);
    p->listens = eg_listens(b->u, b->d);
    find_operation(p, b, PC_IN_SETFLAG);
    find_operation(p, b, PC_IN_CLRFLAG);
    p->flag_constant = flag_is_constant(p, b);
    for (unsigned s = 0; s < EG_SELECTORS; s++)
        if (p->flags >> s & 1)
            p->source[s].level = b->d->flag_cur;
    if (p->swap_is_flag)
        p->swap.level = b->d->flag_cur;
    find_operation(p, b, PC_IN_EVENT);
    find_operation(p, b, PC_IN_STOP);
    find_operation(p, b, PC_IN_PRE);
    find_operation(p, b, PC_IN_START);
    const struct pc_control *c = &b->d->control;
    p->counts = c->mode == PC_MODE_QUAD && c->ctr_mode == PC_CTR_SIMPLE && !p->swap.plane &&
                !p->swap.level && !p->swap_is_periodic && (!p->swap_is_flag || p->flag_constant);
    p->streams = p->counts && p->flag_constant && !p->late && !p->periodics && !uses_setflag(p);
    p->still =
        !p->raw && !p->periodics && !p->swap.plane && !p->swap_is_periodic && p->flag_constant;
}

/* --- each block --- */

/* PC.PERIODIC.1: one in so many cycles. */
static void periodic(struct eg_block *b)
{
    uint32_t clocks = pc_period_clocks(b->d->control.periodic);
    uint64_t cycles = (uint64_t)b->words * 64;

    memset(b->e->lone.periodic, 0, b->words * sizeof b->e->lone.periodic[0]);
    for (uint64_t t = clocks - 1 - (b->d->periodic & (clocks - 1)); t < cycles; t += clocks)
        b->e->lone.periodic[t / 64] |= UINT64_C(1) << (t % 64);
}

static void late_source(struct eg_block *b, unsigned s)
{
    (void)b->k->late(b->e->lone.late[s], eg_plane(b, b->source[s]), b->d->late >> s & 1, b->words);
}

static struct pc_lut_op operation(const struct eg_block *b, const struct eg_operation *from)
{
    struct pc_lut_op op = { .table = from->table };

    for (unsigned i = 0; i < from->arguments; i++) {
        struct pc_argument a = from->arg[i];
        op.arg[i] = a.setflag ? eg_plane(b, b->input[PC_IN_SETFLAG])
                    : a.late  ? b->e->lone.late[a.selector]
                              : b->source[a.selector].plane;
    }
    return op;
}

/* An input that is one of the planes themselves is not copied. */
static void calculate(const struct eg_program *p, struct eg_block *b, enum pc_input input)
{
    const struct eg_operation *from = &p->op[input];
    struct pc_lut_op op = operation(b, from);

    if (from->arguments == 0) {
        b->input[input] = eg_constant(from->table & 1);
    } else if (from->table == pc_table_of(0)) {
        b->input[input] = (struct eg_signal){ op.arg[0], false };
    } else {
        b->k->lut(b->e->lone.input[input], &op, b->words, b->e->prefetch.asks ? PC_AHEAD_FAR : 0);
        b->input[input] = (struct eg_signal){ b->e->lone.input[input], false };
    }
}

/* The signal is the register one cycle later (D-23). */
static void calculate_flag(const struct eg_program *p, struct eg_block *b)
{
    const struct eg_signal never = eg_constant(false);
    const struct eg_signal set = p->listens ? b->input[PC_IN_SETFLAG] : never;
    const struct eg_signal clear = p->listens ? b->input[PC_IN_CLRFLAG] : never;
    uint64_t *out = b->e->lone.flag;

    b->flag = eg_constant(b->d->flag_next);
    if (p->flag_constant)
        return;
    b->flag_after = eg_flag_before(b->d);
    b->k->flag(out, eg_plane(b, set), eg_plane(b, clear), &b->flag_after, b->words);
    b->flag = (struct eg_signal){ out, false };
}

static void count_still(const struct eg_program *p, struct eg_block *b)
{
    for (unsigned i = PC_IN_PRE; i <= PC_IN_STOP; i++)
        b->counts[i] = p->op[i].table & 1 ? (uint64_t)b->words * 64 : 0;
    b->event.odd ^= p->op[PC_IN_EVENT].table & !b->event.level;
    b->event.level = p->op[PC_IN_EVENT].table & 1;
}

/* PRE, START, EVENT and STOP straight from the sources, with no planes in between. */
static void count_inputs(const struct eg_program *p, struct eg_block *b)
{
    struct pc_lut_op op[4];

    for (unsigned i = PC_IN_PRE; i <= PC_IN_STOP; i++)
        op[i] = operation(b, &p->op[i]);
    for (unsigned i = 0; i < 4; i++)
        b->counts[i] = 0;
    b->event = (struct pc_rise){ b->d->last_event, b->d->event_toggle };
    if (p->still)
        count_still(p, b);
    else
        b->k->quad(op, b->words, b->counts, &b->event);
    b->counted = true;
}

static void find_block_sources(const struct eg_program *p, struct eg_block *b)
{
    if (p->periodics || p->swap_is_periodic)
        periodic(b);
    for (unsigned s = 0; s < EG_SELECTORS; s++) {
        b->source[s] = p->source[s];
        if (p->raw >> s & 1)
            b->source[s].plane += b->first;
        else if (p->periodics >> s & 1)
            b->source[s].plane = b->e->lone.periodic;
    }
}

/* The flag as a source, and what comes late: its late form, and that of all others before. */
static void flag_sources(const struct eg_program *p, struct eg_block *b)
{
    for (unsigned s = 0; s < EG_SELECTORS && p->flags; s++)
        if (p->flags >> s & 1) {
            b->source[s] = b->flag;
            if (p->late >> s & 1)
                late_source(b, s);
        }
}

void eg_program_block(const struct eg_program *p, struct eg_block *b)
{
    find_block_sources(p, b);
    for (unsigned s = 0; s < EG_SELECTORS && p->late; s++)
        if (p->late >> s & 1 && !(p->flags >> s & 1))
            late_source(b, s);
    if (!p->streams) {
        calculate(p, b, PC_IN_SETFLAG);
        calculate(p, b, PC_IN_CLRFLAG);
    }
    calculate_flag(p, b);
    flag_sources(p, b);
    b->swap = p->swap;
    if (b->swap.plane)
        b->swap.plane += b->first;
    if (p->swap_is_flag)
        b->swap = b->flag;
    if (p->swap_is_periodic)
        b->swap.plane = b->e->lone.periodic;
    if (p->counts) {
        count_inputs(p, b);
        return;
    }
    calculate(p, b, PC_IN_EVENT);
    if (b->d->control.mode == PC_MODE_RECORD) { /* whose packets have the sources */
        calculate(p, b, PC_IN_STOP);
        return;
    }
    bool single = b->d->control.mode == PC_MODE_SINGLE; /* looks at few of them at a time */
    unsigned state = b->d->single_state;
    if (!single || state == PC_WAIT_PRE)
        calculate(p, b, PC_IN_PRE);
    if (!single || state == PC_WAIT_START || state == PC_COUNTING) {
        calculate(p, b, PC_IN_STOP);
        calculate(p, b, PC_IN_START);
    }
}

void eg_program_remember(const struct eg_program *p, struct eg_block *b)
{
    struct pc_domain *d = b->d;
    bool reset = PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET);
    uint64_t cycles = (uint64_t)b->words * 64;

    if (b->counted) {
        d->event_toggle = b->event.odd;
        d->last_event = b->event.level;
    } else {
        d->event_toggle ^= eg_odd_rises(b, b->input[PC_IN_EVENT], d->last_event);
        d->last_event = eg_last_level(b, b->input[PC_IN_EVENT]);
    }
    if (!p->flag_constant) {
        d->flag_toggle ^= b->flag_after.shown.odd;
        d->last_flag = b->flag_after.shown.level;
        d->flag_cur = b->flag_after.cur;
        d->flag_next = b->flag_after.next;
    }
    uint32_t late = 0;
    for (unsigned s = 0; s < eg_selectors(b->u); s++)
        if (p->late >> s & 1 || !b->source[s].plane) /* no memory is touched for the others */
            late |= (uint32_t)eg_last_level(b, b->source[s]) << s;
    d->late = late;
    d->periodic = reset ? pc_period_next(d->periodic, true) : (uint16_t)(d->periodic + cycles);
    d->cycle += cycles;
}
