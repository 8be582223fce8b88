/* SPDX-License-Identifier: MIT */
/*
 * Steps 2 to 6, 8 and 9 of a domain's cycles for a whole block: each selected source as a
 * plane or a constant, each input as a logic operation over them, the flag as a chain.
 * For a domain that looks at others, or that others look at; one by itself has program.c.
 * The block starts far enough after the last write that nothing is pending and what is constant
 * has been so for some cycles.
 */
#include "model/engine/engine.h"

#include <string.h>

#include "model/rules/table.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"
#include "model/rules/sources.h"

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

/* PC.PERIODIC.1: one in so many cycles. */
static struct eg_signal periodic(struct eg_block *b)
{
    bool reset = PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET);
    uint32_t clocks = pc_period_clocks(b->d->control.periodic);
    uint64_t cycles = (uint64_t)b->words * 64, *plane = b->lane->periodic;

    if (clocks == 0 || reset)
        return eg_constant(false);
    memset(plane, 0, b->words * sizeof *plane);
    for (uint64_t t = clocks - 1 - (b->d->periodic & (clocks - 1)); t < cycles; t += clocks)
        plane[t / 64] |= UINT64_C(1) << (t % 64);
    return (struct eg_signal){ plane, false };
}

static struct eg_signal raw(const struct eg_block *b, unsigned signal)
{
    if (b->run->plane && b->run->plane[signal])
        return (struct eg_signal){ b->run->plane[signal] + b->first, false };
    return eg_constant(b->run->level && (b->run->level[signal / 64] >> (signal % 64) & 1));
}

/* Sets all sources that look at this. */
static void select_source(struct eg_block *b, struct eg_pick what, struct eg_signal s)
{
    const struct eg_pick *pick = b->e->graph.pick[b->domain];

    for (unsigned i = 0; i <= EG_SWAP; i++)
        if (pick[i].kind == what.kind && pick[i].number == what.number)
            *(i == EG_SWAP ? &b->swap : &b->source[i]) = s;
}

void eg_block_known(struct eg_block *b, unsigned node)
{
    bool own = node % PC_MAX_DOMAINS == b->domain;
    struct eg_pick what = { EG_NODE, (uint8_t)node };

    if (own)
        select_source(b, what, node < PC_MAX_DOMAINS ? b->input[PC_IN_EVENT] : b->flag);
    else if (b->e->graph.looks[b->domain] >> node & 1)
        select_source(b, what, eg_imported(b, node));
}

void eg_block_open(struct eg_block *b, uint32_t nodes)
{
    const struct eg_pick *pick = b->e->graph.pick[b->domain];
    bool has_period = false;

    for (unsigned i = 0; i <= EG_SWAP; i++) {
        struct eg_signal *s = i == EG_SWAP ? &b->swap : &b->source[i];
        *s = eg_constant(false);
        if (pick[i].kind == EG_RAW)
            *s = raw(b, pick[i].number);
        else if (pick[i].kind == EG_LEVEL)
            *s = eg_constant(pick[i].number);
        has_period = has_period || pick[i].kind == EG_PERIODIC;
    }
    if (has_period)
        select_source(b, (struct eg_pick){ EG_PERIODIC, 0 }, periodic(b));
    nodes &= b->e->graph.looks[b->domain];
    for (unsigned n = 0; nodes >> n; n++)
        if (nodes >> n & 1)
            eg_block_known(b, n);
    b->known = 0;
    b->counted = false;
    memset(b->counts, 0, sizeof b->counts);
}

struct eg_signal eg_late(struct eg_block *b, unsigned selector)
{
    struct eg_signal s = b->source[selector];
    uint64_t *out = b->lane->late[selector];

    if (!s.plane)
        return s;
    (void)b->k->late(out, s.plane, b->d->late >> selector & 1, b->words);
    return (struct eg_signal){ out, false };
}

/* --- inputs --- */

static void block_input(struct eg_block *b, enum pc_input input); /* of SETFLAG, as an argument */

/* D-21a: SETFLAG that EVENT takes looks at the own EVENT of the last cycle.  It is late then, too,
 * if EVENT's table makes nothing of it. */
static bool is_late(const struct eg_block *b, enum pc_input input, unsigned selector)
{
    const struct eg_pick *pick = &b->e->graph.pick[b->domain][selector];

    return input == PC_IN_SETFLAG && pick->kind == EG_NODE && pick->number == EG_EVENT(b->domain) &&
           pc_event_takes_setflag(b->d->op[PC_IN_EVENT], b->u->chip->features);
}

/*
 * The arguments of an input; constants go into the table.  What does not matter is not looked
 * at: SETFLAG, of an EVENT that ignores it, may hang on nodes that are not known yet.
 */
static struct pc_lut_op operation(struct eg_block *b, enum pc_input input)
{
    const struct pc_arguments args = pc_arguments(b->d->op[input], input, b->u->chip->features);
    struct pc_lut_op op = { .table = (uint16_t)b->d->op[input] };

    for (unsigned i = 0; i < 4; i++) {
        const struct pc_argument a = args.of[i];
        struct eg_signal s;
        if (!pc_table_depends(op.table, i))
            continue;
        if (a.setflag) {
            block_input(b, PC_IN_SETFLAG);
            s = b->input[PC_IN_SETFLAG];
        } else {
            const bool late = a.late || is_late(b, input, a.selector);
            s = late ? eg_late(b, a.selector) : b->source[a.selector];
        }
        op.arg[i] = s.plane;
        if (!s.plane)
            op.table = pc_table_fix(op.table, i, s.level);
    }
    return op;
}

/* SETFLAG, CLRFLAG, EVENT ... where it is not known yet. */
static void block_input(struct eg_block *b, enum pc_input input)
{
    uint64_t *out = b->lane->input[input];

    if (b->known >> input & 1)
        return;
    struct pc_lut_op op = operation(b, input);
    b->known |= (uint8_t)(1u << input);
    if (op.table == 0 || op.table == 0xffff) {
        b->input[input] = eg_constant(op.table != 0);
        return;
    }
    if (input == PC_IN_EVENT)
        out = eg_words_of(b, &b->lane->shown[EG_SHOWN_EVENT]);
    b->k->lut(out, &op, b->words, PC_AHEAD_FAR);
    b->input[input] = (struct eg_signal){ out, false };
}

/* The signal is the register one cycle later (D-23). */
static void calculate_flag(struct eg_block *b)
{
    bool listens = eg_listens(b->u, b->d);
    struct eg_signal set = eg_constant(false), clear = eg_constant(false);
    uint64_t *out = eg_words_of(b, &b->lane->shown[EG_SHOWN_FLAG]);

    if (listens) {
        block_input(b, PC_IN_SETFLAG);
        block_input(b, PC_IN_CLRFLAG);
        set = b->input[PC_IN_SETFLAG];
        clear = b->input[PC_IN_CLRFLAG];
    }
    b->flag_after = eg_flag_before(b->d);
    if (!set.plane && !clear.plane && b->d->flag_cur == b->d->flag_next) {
        bool level = b->d->flag_next, moves = clear.level ? level : set.level && !level;
        if (!moves) {
            b->flag = eg_constant(level);
            return;
        }
    }
    b->k->flag(out, eg_plane(b, set), eg_plane(b, clear), &b->flag_after, b->words);
    b->flag = (struct eg_signal){ out, false };
}

void eg_block_node(struct eg_block *b, unsigned node)
{
    bool event = node < PC_MAX_DOMAINS;

    if (event)
        block_input(b, PC_IN_EVENT);
    else
        calculate_flag(b);
    if (!(b->e->graph.shown >> node & 1))
        return;
    struct eg_signal s = event ? b->input[PC_IN_EVENT] : b->flag;
    struct eg_window *w = &b->lane->shown[event ? EG_SHOWN_EVENT : EG_SHOWN_FLAG];
    if (!s.plane)
        memset(eg_words_of(b, w), s.level ? 0xff : 0, b->words * sizeof w->word[0]);
    if (b->e->graph.pulsed >> node & 1)
        eg_show_toggle(b, node);
}

/* PRE, START, EVENT and STOP straight from the sources, with no planes in between. */
static void count_inputs(struct eg_block *b)
{
    struct pc_rise edge = { false, false }; /* seen to in eg_block_remember() */
    struct pc_lut_op op[4];

    for (unsigned i = PC_IN_PRE; i <= PC_IN_STOP; i++)
        op[i] = operation(b, (enum pc_input)i);
    if (b->input[PC_IN_EVENT].plane)
        op[PC_IN_EVENT] =
            (struct pc_lut_op){ 0xaaaa, { b->input[PC_IN_EVENT].plane, NULL, NULL, NULL } };
    b->k->quad(op, b->words, b->counts, &edge);
    b->counted = true;
}

void eg_block_inputs(struct eg_block *b)
{
    if (b->d->control.mode == PC_MODE_QUAD && b->d->control.ctr_mode == PC_CTR_SIMPLE &&
        !b->swap.plane && !b->swap.level) {
        count_inputs(b);
        return;
    }
    if (b->d->control.mode != PC_MODE_RECORD) { /* whose packets have the sources */
        block_input(b, PC_IN_PRE);
        block_input(b, PC_IN_START);
    }
    block_input(b, PC_IN_STOP);
}

/* --- the end of a block --- */

void eg_block_remember(struct eg_block *b)
{
    struct pc_domain *d = b->d;
    bool reset = PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET);
    uint64_t cycles = (uint64_t)b->words * 64;

    d->event_toggle ^= eg_odd_rises(b, b->input[PC_IN_EVENT], d->last_event);
    d->last_event = eg_last_level(b, b->input[PC_IN_EVENT]);
    d->in.event = d->last_event; /* others may sample it before the next cycle */
    d->flag_toggle ^= eg_odd_rises(b, b->flag, d->last_flag);
    d->last_flag = eg_last_level(b, b->flag);
    /* The signal of the next cycle is the register of the last one. */
    d->flag_cur = b->flag.plane ? b->flag_after.cur : b->flag.level;
    d->flag_next = b->flag_after.next;
    d->late = 0;
    for (unsigned s = 0; s < eg_selectors(b->u); s++)
        d->late |= (uint32_t)eg_last_level(b, b->source[s]) << s;
    d->selected = d->late;
    d->periodic = reset ? pc_period_next(d->periodic, true) : (uint16_t)(d->periodic + cycles);
    d->cycle += cycles;
}
