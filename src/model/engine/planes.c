/* SPDX-License-Identifier: MIT */
/*
 * Steps 2 to 6, 8 and 9 of a domain's cycles for a whole block: each selected source as a
 * plane or a constant, each input as a logic operation over them (program.c), the flag as a chain.
 * The block starts far enough after the last write that nothing is pending and what is constant has
 * been so for some cycles.
 */
#include "model/engine/engine.h"

#include <string.h>

#include "model/rules/flag.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"
#include "model/rules/table.h"

/* Planes of constants that are at least that long, EG_WORDS at most */
static void make_levels(struct pc_engine *e, size_t words)
{
    if (words <= e->levels)
        return;
    memset(e->zeros + e->levels, 0, (words - e->levels) * sizeof e->zeros[0]);
    memset(e->ones + e->levels, 0xff, (words - e->levels) * sizeof e->ones[0]);
    e->levels = words;
}

const uint64_t *eg_plane(const struct eg_block *b, struct eg_signal s)
{
    if (s.plane)
        return s.plane;
    make_levels(b->e, b->words);
    return s.level ? b->e->ones : b->e->zeros;
}

/* --- sources --- */

/* PC.PERIODIC.1: one in that many cycles. */
static const uint64_t *periodic(struct eg_block *b)
{
    uint32_t clocks = pc_period_clocks(b->d->control.periodic);
    uint64_t cycles = (uint64_t)b->words * 64;
    uint64_t *plane = b->e->lone.periodic;

    memset(plane, 0, b->words * sizeof *plane);
    for (uint64_t t = clocks - 1 - (b->d->periodic & (clocks - 1)); t < cycles; t += clocks)
        plane[t / 64] |= UINT64_C(1) << (t % 64);
    return plane;
}

/* Sets the sources but the own FLAG. */
static void open_block(struct eg_block *b)
{
    const struct eg_program *p = b->program;
    const uint64_t *period = p->periodics || p->swap_is_periodic ? periodic(b) : NULL;

    for (unsigned s = 0; s < EG_SELECTORS; s++) {
        b->source[s] = p->source[s];
        if (p->raw >> s & 1)
            b->source[s].plane += b->first;
        else if (p->periodics >> s & 1)
            b->source[s].plane = period;
    }
    b->swap = p->swap;
    if (b->swap.plane)
        b->swap.plane += b->first;
    if (p->swap_is_periodic)
        b->swap.plane = period;
    b->known = 0;
    b->late = 0;
    b->counted = false;
    memset(b->counts, 0, sizeof b->counts);
}

/* Sets the sources that are the own FLAG, whose plane is known. */
static void set_flag_sources(struct eg_block *b)
{
    for (unsigned i = 0; i < EG_SELECTORS; i++)
        if (b->program->flags >> i & 1)
            b->source[i] = b->flag;
    if (b->program->swap_is_flag)
        b->swap = b->flag;
}

struct eg_signal eg_late(struct eg_block *b, unsigned selector)
{
    struct eg_signal s = b->source[selector];
    uint64_t *out = b->e->lone.late[selector];

    if (!s.plane)
        return s;
    if (!(b->late >> selector & 1))
        (void)b->k->late(out, s.plane, b->d->late >> selector & 1, b->words);
    b->late |= UINT32_C(1) << selector;
    return (struct eg_signal){ out, false };
}

/* --- inputs --- */

static void calculate_plane(struct eg_block *b, enum pc_input input); /* SETFLAG, as an argument */

static struct eg_signal argument(struct eg_block *b, struct pc_argument a)
{
    if (!a.setflag)
        return a.late ? eg_late(b, a.selector) : b->source[a.selector];
    calculate_plane(b, PC_IN_SETFLAG);
    return b->input[PC_IN_SETFLAG];
}

/* Makes the operation of an input on planes; what is constant in this block goes into the table. */
static struct pc_lut_op plane_operation(struct eg_block *b, enum pc_input input)
{
    const struct eg_operation *from = &b->program->op[input];
    struct pc_lut_op op = { .table = from->table };

    for (unsigned i = 0; i < from->arguments; i++) {
        const struct eg_signal s = argument(b, from->arg[i]);
        op.arg[i] = s.plane;
        if (!s.plane)
            op.table = pc_table_fix(op.table, i, s.level);
    }
    return op;
}

/* Calculates SETFLAG, CLRFLAG, EVENT ... where it is not known yet. */
static void calculate_plane(struct eg_block *b, enum pc_input input)
{
    if (b->known >> input & 1)
        return;
    b->known |= (uint8_t)(1u << input);
    const struct pc_lut_op op = plane_operation(b, input);
    if (op.table == 0 || op.table == 0xffff) {
        b->input[input] = eg_constant(op.table != 0);
        return;
    }
    /* One that is a plane itself is not copied. */
    if (op.table == pc_table_of(0)) {
        b->input[input] = (struct eg_signal){ op.arg[0], false };
        return;
    }
    uint64_t *out = b->e->lone.input[input];
    b->k->lut(out, &op, b->words, b->e->prefetch.asks ? PC_AHEAD_FAR : 0);
    b->input[input] = (struct eg_signal){ out, false };
}

/* The signal is the register one cycle later (D-23). */
static void calculate_flag(struct eg_block *b)
{
    const struct pc_domain *d = b->d;
    struct eg_signal set = eg_constant(false), clear = eg_constant(false);
    uint64_t *out = b->e->lone.flag;

    b->flag = eg_constant(d->flag_next);
    b->flag_after = eg_flag_before(d);
    if (b->program->flag_constant)
        return;
    if (b->program->listens) {
        calculate_plane(b, PC_IN_SETFLAG);
        calculate_plane(b, PC_IN_CLRFLAG);
        set = b->input[PC_IN_SETFLAG];
        clear = b->input[PC_IN_CLRFLAG];
    }
    if (!set.plane && !clear.plane && d->flag_cur == d->flag_next && d->last_flag == d->flag_cur &&
        pc_flag_next(d->flag_next, set.level, clear.level) == d->flag_next)
        return;
    b->k->flag(out, eg_plane(b, set), eg_plane(b, clear), &b->flag_after, b->words);
    b->flag = (struct eg_signal){ out, false };
}

static void count_still(struct eg_block *b)
{
    const struct eg_operation *op = b->program->op;

    for (unsigned i = PC_IN_PRE; i <= PC_IN_STOP; i++)
        b->counts[i] = op[i].table & 1 ? (uint64_t)b->words * 64 : 0;
    b->event.odd ^= op[PC_IN_EVENT].table & !b->event.level;
    b->event.level = op[PC_IN_EVENT].table & 1;
}

/* Counts PRE, START, EVENT and STOP straight from the sources, with no planes in between. */
static void count_inputs(struct eg_block *b)
{
    struct pc_lut_op op[4];

    for (unsigned i = PC_IN_PRE; i <= PC_IN_STOP; i++)
        if (!(b->known >> i & 1))
            op[i] = plane_operation(b, (enum pc_input)i);
        else if (b->input[i].plane)
            op[i] = (struct pc_lut_op){ pc_table_of(0), { b->input[i].plane } };
        else
            op[i] = (struct pc_lut_op){ (uint16_t)(b->input[i].level ? 0xffff : 0), { NULL } };
    b->event = (struct pc_rise){ b->d->last_event, b->d->event_toggle };
    if (b->program->still)
        count_still(b);
    else
        b->k->quad(op, b->words, b->counts, &b->event);
    b->counted = true;
}

static void calculate_inputs(struct eg_block *b)
{
    const unsigned mode = b->d->control.mode, state = b->d->single_state;
    const bool single = mode == PC_MODE_SINGLE; /* looks at few of them at a time */

    if (eg_only_counts(b->d) && !b->swap.plane && !b->swap.level) {
        count_inputs(b);
        return;
    }
    calculate_plane(b, PC_IN_EVENT);
    if (mode == PC_MODE_RECORD) { /* whose packets have the sources */
        calculate_plane(b, PC_IN_STOP);
        return;
    }
    if (!single || state == PC_WAIT_PRE)
        calculate_plane(b, PC_IN_PRE);
    if (!single || state == PC_WAIT_START || state == PC_COUNTING) {
        calculate_plane(b, PC_IN_STOP);
        calculate_plane(b, PC_IN_START);
    }
}

void eg_block_all(struct eg_block *b)
{
    open_block(b);
    calculate_flag(b);
    set_flag_sources(b);
    calculate_inputs(b);
}

/* --- the end of a block --- */

void eg_block_remember(struct eg_block *b)
{
    struct pc_domain *d = b->d;
    bool reset = PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET);
    uint64_t cycles = (uint64_t)b->words * 64;
    uint32_t late = 0;

    if (!b->counted)
        b->event = (struct pc_rise){ eg_last_level(b, b->input[PC_IN_EVENT]),
                                     d->event_toggle !=
                                         eg_odd_rises(b, b->input[PC_IN_EVENT], d->last_event) };
    d->event_toggle = b->event.odd;
    d->last_event = b->event.level;
    d->in.event = d->last_event; /* others may sample it before the next cycle */
    d->flag_toggle ^= b->flag_after.shown.odd;
    d->last_flag = b->flag_after.shown.level;
    d->flag_cur = b->flag_after.cur;
    d->flag_next = b->flag_after.next;
    for (unsigned s = 0; s < eg_selectors(b->u); s++)
        if (b->late >> s & 1 || !b->source[s].plane) /* other memory is not touched */
            late |= (uint32_t)eg_last_level(b, b->source[s]) << s;
    d->late = late;
    d->periodic = reset ? pc_period_next(d->periodic, true) : (uint16_t)(d->periodic + cycles);
    d->cycle += cycles;
}
