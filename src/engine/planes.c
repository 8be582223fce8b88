/* SPDX-License-Identifier: MIT */
/*
 * Steps 2 to 6, 8 and 9 of a domain's cycles for a whole block: each selected source as a
 * plane or a constant, each input as a logic operation over them, the flag as a chain.
 * The block starts far enough behind the last write that nothing is pending and what is constant
 * has been so for some cycles.
 */
#include "engine/engine.h"

#include <string.h>

#include "rules/lut.h"
#include "rules/period.h"
#include "rules/sources.h"

const uint64_t *eg_plane(const struct eg_block *b, struct eg_signal s)
{
    return s.plane ? s.plane : s.level ? b->e->ones : b->e->zeros;
}

static struct eg_signal constant(bool level)
{
    return (struct eg_signal){ NULL, level };
}

/* PC.PERIODIC.1: one in so many cycles. */
static struct eg_signal periodic(struct eg_block *b)
{
    bool reset = PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET);
    uint32_t clocks = pc_period_clocks(b->d->control.periodic);
    uint64_t cycles = (uint64_t)b->words * 64;

    if (clocks == 0 || reset)
        return constant(false);
    memset(b->e->periodic, 0, b->words * sizeof b->e->periodic[0]);
    for (uint64_t t = clocks - 1 - (b->d->periodic & (clocks - 1)); t < cycles; t += clocks)
        b->e->periodic[t / 64] |= UINT64_C(1) << (t % 64);
    return (struct eg_signal){ b->e->periodic, false };
}

/* A signal of the domain, but its own FLAG. */
static struct eg_signal signal_of(struct eg_block *b, unsigned signal)
{
    const struct pc_slots *slots = &b->u->slots[b->domain];

    if (slots->raw[signal / 64] >> (signal % 64) & 1) {
        if (b->run->plane && b->run->plane[signal])
            return (struct eg_signal){ b->run->plane[signal] + b->first, false };
        return constant(b->run->level && (b->run->level[signal / 64] >> (signal % 64) & 1));
    }
    if ((int)signal == slots->periodic)
        return periodic(b);
    for (unsigned i = 0; i < 4; i++)
        if ((int)signal == slots->user[i])
            return constant(b->d->user[i]);
    return constant(false); /* absent, or a pulse: there is none in a block */
}

static bool is_own_flag(const struct eg_block *b, unsigned signal)
{
    return (int)signal == b->u->slots[b->domain].flag[b->domain];
}

static unsigned selected_signal(const struct eg_block *b, unsigned selector)
{
    return b->d->src[selector / 4] >> (8 * (selector % 4)) & 0xff;
}

static unsigned selectors(const struct eg_block *b)
{
    return pc_has(b->u, PC_F_OWN_FLAG_SRC) ? EG_SELECTORS : PC_IN_SETFLAG * 4;
}

/* A selected source one cycle late (D-19: the flop is behind the selector). */
static struct eg_signal late(struct eg_block *b, unsigned selector)
{
    struct eg_signal s = b->source[selector];

    if (!s.plane)
        return s;
    (void)b->k->late(b->e->late[selector], s.plane, b->d->late >> selector & 1, b->words);
    return (struct eg_signal){ b->e->late[selector], false };
}

/* The arguments of an input; constants go into the table. */
static struct pc_lut_op operation(struct eg_block *b, enum pc_input input)
{
    uint32_t features = b->u->chip->features;
    bool chained = input == PC_IN_EVENT || input == PC_IN_STOP;
    struct pc_args args = pc_op_args(b->d->op[input], chained, features);
    struct pc_lut_op op = { .table = (uint16_t)b->d->op[input] };
    static const uint16_t high[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };

    for (unsigned i = 0; i < 4; i++) {
        struct eg_signal s;
        if (args.from[i] == PC_ARG_SETFLAG)
            s = b->input[PC_IN_SETFLAG];
        else if (args.from[i] == PC_ARG_SRC)
            s = b->source[pc_source_selector(features, input, i)];
        else
            s = late(b, pc_source_selector(features, input, args.from[i] == PC_ARG_SRC1_LATE));
        op.arg[i] = s.plane;
        if (!s.plane) {
            unsigned half = s.level ? op.table & high[i] : (unsigned)op.table & ~(unsigned)high[i];
            unsigned shift = 1u << i;
            op.table = (uint16_t)(half | (s.level ? half >> shift : half << shift));
        }
    }
    return op;
}

static void calculate(struct eg_block *b, enum pc_input input)
{
    struct pc_lut_op op = operation(b, input);

    if (op.table == 0 || op.table == 0xffff) {
        b->input[input] = constant(op.table != 0);
        return;
    }
    b->k->lut(b->e->input[input], &op, b->words);
    b->input[input] = (struct eg_signal){ b->e->input[input], false };
}

/* Does the flag's register move in this mode?  D-25 */
static bool listens(const struct eg_block *b)
{
    if (b->d->control.mode == PC_MODE_SINGLE)
        return b->d->single_state != PC_INACTIVE;
    return b->d->control.mode != PC_MODE_NONE || !pc_has(b->u, PC_F_GF100);
}

/* The signal is the register one cycle later (D-23). */
static void calculate_flag(struct eg_block *b)
{
    struct eg_signal set = b->input[PC_IN_SETFLAG], clear = b->input[PC_IN_CLRFLAG];
    bool still = !listens(b) || (!set.plane && !clear.plane);

    b->flag_register = b->d->flag_next;
    if (still && b->d->flag_cur == b->d->flag_next) {
        bool moves =
            listens(b) && (clear.level ? b->flag_register : set.level && !b->flag_register);
        if (!moves) {
            b->flag = constant(b->flag_register);
            return;
        }
    }
    if (listens(b)) {
        b->flag_register =
            b->k->flag(b->e->reg, eg_plane(b, set), eg_plane(b, clear), b->d->flag_next, b->words);
        (void)b->k->late(b->e->flag, b->e->reg, b->d->flag_cur, b->words);
    } else {
        memcpy(b->e->reg, b->d->flag_next ? b->e->ones : b->e->zeros,
               b->words * sizeof b->e->reg[0]);
        (void)b->k->late(b->e->flag, b->e->reg, b->d->flag_cur, b->words);
    }
    b->flag = (struct eg_signal){ b->e->flag, false };
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

void eg_block_planes(struct eg_block *b)
{
    for (unsigned s = 0; s < selectors(b); s++)
        b->source[s] = signal_of(b, selected_signal(b, s));
    calculate(b, PC_IN_SETFLAG);
    calculate(b, PC_IN_CLRFLAG);
    calculate_flag(b);
    for (unsigned s = 0; s < selectors(b); s++)
        if (is_own_flag(b, selected_signal(b, s)))
            b->source[s] = b->flag;
    b->swap = constant(false);
    if (pc_has(b->u, PC_F_SWAP_SRC)) {
        unsigned signal = PC_GET(b->d->spec_src, SPEC_SRC, SWAP);
        b->swap = is_own_flag(b, signal) ? b->flag : signal_of(b, signal);
    }
    calculate(b, PC_IN_EVENT);
    if (b->d->control.mode == PC_MODE_QUAD && b->d->control.ctr_mode == PC_CTR_SIMPLE &&
        !b->swap.plane && !b->swap.level) {
        count_inputs(b);
        return;
    }
    if (b->d->control.mode != PC_MODE_RECORD) { /* whose packets have the sources */
        calculate(b, PC_IN_PRE);
        calculate(b, PC_IN_START);
    }
    calculate(b, PC_IN_STOP);
}

static bool last_level(const struct eg_block *b, struct eg_signal s)
{
    return s.plane ? s.plane[b->words - 1] >> 63 : s.level;
}

/* Does the signal rise an odd number of times?  Its toggle flop has turned over then. */
static bool odd_rises(struct eg_block *b, struct eg_signal s, bool before)
{
    if (!s.plane)
        return s.level && !before;
    (void)b->k->late(b->e->scratch[0], s.plane, before, b->words);
    struct pc_lut_op rises = { 0x2222, { s.plane, b->e->scratch[0], NULL, NULL } };
    return b->k->count_lut(&rises, b->words) & 1;
}

void eg_block_remember(struct eg_block *b)
{
    struct pc_domain *d = b->d;
    bool reset = PC_GET(b->u->state.gctrl, GCTRL, PERIODIC_RESET);
    uint64_t cycles = (uint64_t)b->words * 64;

    d->event_toggle ^= odd_rises(b, b->input[PC_IN_EVENT], d->last_event);
    d->last_event = last_level(b, b->input[PC_IN_EVENT]);
    d->flag_toggle ^= odd_rises(b, b->flag, d->last_flag);
    d->last_flag = last_level(b, b->flag);
    /* The signal of the next cycle is the register of the last one. */
    d->flag_cur = b->flag.plane ? b->e->reg[b->words - 1] >> 63 : b->flag.level;
    d->flag_next = b->flag_register;
    d->late = 0;
    for (unsigned s = 0; s < selectors(b); s++)
        d->late |= (uint32_t)last_level(b, b->source[s]) << s;
    d->selected = d->late;
    d->periodic = reset ? pc_period_next(d->periodic, true) : (uint16_t)(d->periodic + cycles);
    d->cycle += cycles;
}
