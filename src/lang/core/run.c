/* SPDX-License-Identifier: MIT */
/* A block of the waveform, in parts of some words: calculated, compared, told. */
#include "lang/core/core.h"

#include <string.h>

static size_t words_of(const struct pc_core *c)
{
    return (c->cycles + 63) / 64;
}

/* Returns the bits of the cycles of the part. */
static uint64_t valid(const struct pc_core *c, size_t word)
{
    const size_t left = c->cycles - 64 * word;

    return left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

/* Planes move on by one cycle: word i, after the bit `carry` and the words before it. */
static uint64_t late(const uint64_t *plane, size_t i, uint64_t carry)
{
    return plane[i] << 1 | (i > 0 ? plane[i - 1] >> 63 : carry & 1);
}

/* --- beginning --- */

static void find_reset(struct pc_core *c, size_t words)
{
    uint64_t v[CORE_WORDS] = { 0 }, u[CORE_WORDS] = { 0 };

    memset(c->restart, 0, sizeof c->restart);
    for (size_t at = 0; c->reset && at < words; at += c->reset->words) {
        const size_t some = words - at < c->reset->words ? words - at : c->reset->words;
        ex_evaluate(c->reset, c->value, c->unknown, at, 0, (struct ex_part){ some, 63, NULL });
        const struct ex_row row = ex_row(c->reset, ex_root(c->reset), 0);
        memcpy(v + at, row.v, some * sizeof *v);
        memcpy(u + at, row.u, some * sizeof *u);
    }
    for (size_t i = 0; i < words; i++) {
        c->in_reset[i] = (v[i] | u[i]) & valid(c, i);
        c->running[i] = ~c->in_reset[i] & valid(c, i);
    }
}

static void find_restarts(struct pc_core *c, size_t words)
{
    for (size_t i = 0; i < words; i++)
        c->restart[i] = late(c->in_reset, i, c->reset_before) | c->between[i];
    if (c->counts.edges == 0)
        c->restart[0] |= 1;
}

/* Before the first edge: the reset values if there was a reset, else what the design has. */
static void begin(struct pc_core *c, const struct pc_core_watch *watch)
{
    const bool runs = c->running[0] & 1;
    const bool was_reset =
        c->reset && watch->reset_between && (!runs || watch->reset_between(watch->ctx, 0));

    c->counts.resets_between += was_reset && runs;
    c->counts.adopted = !was_reset && runs;
    c->asked = 1;
    for (size_t i = 0; i < c->regs; i++) {
        struct core_register *r = &c->reg[i];
        for (uint32_t b = 0; b < r->width; b++) {
            r->carry_v[b] = was_reset && core_reset_bit(r, b);
            r->carry_u[b] = !was_reset || !r->reset;
            r->unset[b] = was_reset && !r->reset;
        }
    }
}

static void save(struct pc_core *c)
{
    for (size_t i = 0; i < c->histories; i++)
        memcpy(c->history[i].saved, c->history[i].expr->history, c->history[i].expr->histories);
    for (size_t i = 0; i < c->regs; i++) {
        struct core_register *r = &c->reg[i];
        memcpy(r->saved_v, r->carry_v, r->width * sizeof *r->saved_v);
        memcpy(r->saved_u, r->carry_u, r->width * sizeof *r->saved_u);
        memcpy(r->saved_unset, r->unset, r->width);
    }
    core_watch_save(c);
}

static void restore(struct pc_core *c)
{
    for (size_t i = 0; i < c->histories; i++)
        memcpy(c->history[i].expr->history, c->history[i].saved, c->history[i].expr->histories);
    for (size_t i = 0; i < c->regs; i++) {
        struct core_register *r = &c->reg[i];
        memcpy(r->carry_v, r->saved_v, r->width * sizeof *r->saved_v);
        memcpy(r->carry_u, r->saved_u, r->width * sizeof *r->saved_u);
        memcpy(r->unset, r->saved_unset, r->width);
    }
    core_watch_restore(c);
}

/* --- calculating --- */

static void calculate_lets(struct pc_core *c, size_t words)
{
    core_look_in(c, c->running, c->running);
    for (size_t i = 0; i < c->lets; i++) {
        const struct core_let *let = &c->let[c->order[i]];
        if (!let->stepped)
            core_evaluate(c, let->value, let->width, words,
                          (struct core_planes){ c->plane.v + let->plane * c->words,
                                                c->plane.u + let->plane * c->words });
    }
}

/* Calculates a register that the design shows after each cycle: by its rules, else as it is. */
static void calculate_register(struct pc_core *c, struct core_register *r, size_t words)
{
    uint64_t any = 0;

    memset(r->own, 0, r->width);
    core_apply(c, r, words, CORE_ALL, r->next, c->running);
    for (size_t i = 0; i < words; i++)
        any |= c->in_reset[i];
    for (uint32_t b = 0; any && b < r->width; b++) {
        const uint64_t level = core_reset_bit(r, b) ? UINT64_MAX : 0;
        core_own(c, r, b, words);
        for (size_t i = 0; i < words; i++) {
            uint64_t *v = &r->next.v[b * c->words + i], *u = &r->next.u[b * c->words + i];
            *v = (*v & ~c->in_reset[i]) | (level & c->in_reset[i]);
            *u &= ~c->in_reset[i];
        }
    }
}

/* The planes of a bit: what the model makes in each cycle, and the design has. */
struct pair {
    const uint64_t *v, *u, *design, *unknown;
};

/* Of a register that is stepped, whose planes are those before each cycle. */
static void compare_stepped(const struct pair *p, size_t words, uint64_t *restrict differs,
                            uint64_t *restrict unknown)
{
    for (size_t i = 0; i < words; i++) {
        unknown[i] |= p->u[i];
        differs[i] |= (p->v[i] ^ p->design[i]) | p->unknown[i];
    }
}

/* Of one that is not: the planes move on by a cycle. */
static void compare_late(const struct pair *p, size_t words, uint64_t first_v, uint64_t first_u,
                         uint64_t *restrict differs, uint64_t *restrict unknown)
{
    const uint64_t *v = p->v, *u = p->u, *design = p->design, *x = p->unknown;

    unknown[0] |= u[0] << 1 | first_u;
    differs[0] |= ((v[0] << 1 | first_v) ^ design[0]) | x[0];
    for (size_t i = 1; i < words; i++) {
        unknown[i] |= u[i] << 1 | u[i - 1] >> 63;
        differs[i] |= ((v[i] << 1 | v[i - 1] >> 63) ^ design[i]) | x[i];
    }
}

/* The same with resets between two edges. */
static void compare_reset(const struct pc_core *c, const struct pair *p, size_t words,
                          const struct core_register *r, uint32_t b, uint64_t *restrict differs,
                          uint64_t *restrict unknown)
{
    const uint64_t level = core_reset_bit(r, b) ? UINT64_MAX : 0;

    for (size_t i = 0; i < words; i++) {
        const uint64_t between = c->between[i];
        const uint64_t v = (late(p->v, i, r->carry_v[b]) & ~between) | (level & between);
        unknown[i] |= late(p->u, i, r->carry_u[b]) & ~between;
        differs[i] |= (v ^ p->design[i]) | p->unknown[i];
    }
}

static void compare(struct pc_core *c, struct core_register *r, size_t words)
{
    uint64_t differs[CORE_WORDS] = { 0 }, unknown[CORE_WORDS] = { 0 }, between = 0;

    for (size_t i = 0; i < words; i++)
        between |= c->between[i];
    for (uint32_t b = 0; r->design && b < r->width; b++) {
        const struct pair p = { core_next_v(c, r, b), core_next_u(c, r, b), c->value[r->design[b]],
                                c->unknown[r->design[b]] };
        if (r->stepped)
            compare_stepped(&p, words, differs, unknown);
        else if (between)
            compare_reset(c, &p, words, r, b, differs, unknown);
        else
            compare_late(&p, words, r->carry_v[b] & 1, r->carry_u[b] & 1, differs, unknown);
    }
    for (size_t i = 0; i < words; i++) {
        r->compared[i] = r->design ? c->running[i] & ~unknown[i] : 0;
        r->differs[i] = r->compared[i] & differs[i];
    }
}

void core_look_at_check(struct pc_core *c, struct core_check *k, size_t words)
{
    uint64_t wv[CORE_WORDS], wu[CORE_WORDS] = { 0 }, tv[CORE_WORDS] = { 0 }, tu[CORE_WORDS] = { 0 },
                             dark[CORE_WORDS] = { 0 }, any = 0;

    memset(wv, 0xff, sizeof wv);
    if (k->when)
        core_evaluate(c, k->when, 1, words, (struct core_planes){ wv, wu });
    for (size_t i = 0; i < words; i++)
        any |= c->running[i] & wv[i] & ~wu[i];
    if (any || k->that->watch || k->that->histories > 0) /* else nothing asks for it */
        core_evaluate_check(c, k->that, words, (struct core_planes){ tv, tu }, dark);
    for (size_t i = 0; i < words; i++) {
        const uint64_t look = c->running[i] & wv[i] & ~wu[i], unknown = tu[i] & ~dark[i];
        k->looked[i] = look & ~unknown;
        k->fails[i] = look & ((~tv[i] & ~tu[i]) | dark[i]);
        k->unknown[i] = (look & unknown) | (c->running[i] & wu[i]);
    }
}

static void calculate(struct pc_core *c, size_t words)
{
    find_restarts(c, words);
    calculate_lets(c, words);
    if (c->steps)
        core_step(c);
    for (size_t i = 0; i < c->regs; i++) {
        if (!c->reg[i].stepped)
            calculate_register(c, &c->reg[i], words);
        else if (!core_is_stepped(&c->reg[i]))
            core_apply(c, &c->reg[i], words, CORE_HOLD, c->reg[i].next, c->running);
        compare(c, &c->reg[i], words);
    }
}

/* --- resets between edges --- */

/* Returns the first edge that does not agree and has not been asked for; false: there is none. */
static bool first_to_ask(const struct pc_core *c, size_t words, uint64_t *cycle)
{
    for (size_t w = 0; w < words; w++) {
        uint64_t any = 0;
        for (size_t i = 0; i < c->regs; i++)
            any |= c->reg[i].differs[w];
        any &= ~late(c->in_reset, w, c->reset_before);
        for (; any; any &= any - 1) {
            *cycle = 64 * w + (unsigned)__builtin_ctzll(any);
            if (c->first + *cycle >= c->asked)
                return true;
        }
    }
    return false;
}

static void find_between(struct pc_core *c, size_t words, const struct pc_core_watch *watch)
{
    uint64_t cycle;

    while (c->reset && watch->reset_between && first_to_ask(c, words, &cycle)) {
        c->asked = c->first + cycle + 1;
        c->told_edge = cycle;
        if (!watch->reset_between(watch->ctx, c->first + cycle))
            continue;
        c->between[cycle / 64] |= UINT64_C(1) << cycle % 64;
        c->counts.resets_between++;
        restore(c);
        calculate(c, words);
    }
}

/* --- counting --- */

static uint64_t ones(const uint64_t *words, const uint64_t *some, size_t count)
{
    uint64_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += (uint64_t)__builtin_popcountll(words[i] & some[i]);
    return n;
}

static void count_register(struct pc_core *c, struct core_register *r, const uint64_t *some,
                           size_t words)
{
    uint64_t unknown[CORE_WORDS] = { 0 };

    for (size_t i = 0; i < words; i++)
        unknown[i] = c->running[i] & ~r->compared[i];
    if (c->counts.edges == 0)
        unknown[0] &= ~UINT64_C(1); /* it is not known there without a reset */
    r->figures.compared += ones(r->compared, some, words);
    if (r->design && r->reset)
        r->figures.unknown += ones(unknown, some, words);
    for (size_t k = 0; k < r->rules; k++)
        r->rule[k].acted += ones(r->rule[k].acts, some, words);
}

/* Counts the first `cycles` of the part. */
static void count(struct pc_core *c, size_t cycles)
{
    const size_t words = words_of(c);
    uint64_t some[CORE_WORDS];

    for (size_t i = 0; i < words; i++)
        some[i] = cycles >= 64 * i + 64 ? UINT64_MAX
                  : cycles > 64 * i     ? (UINT64_C(1) << (cycles - 64 * i)) - 1
                                        : 0;
    c->counts.in_reset += ones(c->in_reset, some, words);
    for (size_t i = 0; i < c->regs; i++)
        count_register(c, &c->reg[i], some, words);
    for (size_t i = 0; i < c->checks; i++) {
        c->check[i].figures.compared += ones(c->check[i].looked, some, words);
        c->check[i].figures.unknown += ones(c->check[i].unknown, some, words);
    }
}

static enum pc_status run_part(struct pc_core *c, const struct pc_core_watch *watch)
{
    const size_t words = words_of(c);

    c->first = c->counts.edges;
    c->watching = !watch->unwatched;
    memset(c->between, 0, sizeof c->between);
    find_reset(c, words);
    if (c->first == 0)
        begin(c, watch);
    save(c);
    calculate(c, words);
    find_between(c, words, watch);
    core_look_in(c, c->running, c->running);
    for (size_t i = 0; i < c->checks; i++)
        core_look_at_check(c, &c->check[i], words);
    for (size_t i = 0; i < c->regs; i++)
        if (!c->reg[i].moved && (c->reg[i].design || core_is_stepped(&c->reg[i])))
            core_look_at_moves(c, &c->reg[i], words);
    c->watching = false; /* what is calculated once more for a difference is not one of the run */
    for (size_t i = 0; i < c->histories; i++)
        memcpy(c->history[i].after, c->history[i].expr->history, c->history[i].expr->histories);
    const enum pc_status status = core_tell(c, watch);
    for (size_t i = 0; i < c->histories; i++)
        memcpy(c->history[i].expr->history, c->history[i].after, c->history[i].expr->histories);
    count(c, status == PC_END ? (size_t)c->told_edge + 1 : c->cycles);
    core_keep(c);
    c->reset_before = core_bit(c->in_reset, c->cycles - 1);
    c->counts.edges += status == PC_END ? c->told_edge + 1 : c->cycles;
    return status;
}

/* Takes words from `word` on of the caller's planes as those of the part. */
static void take_planes(struct pc_core *c, const uint64_t *const *value,
                        const uint64_t *const *unknown, size_t word)
{
    for (size_t i = 0; i < c->wires; i++) {
        c->value[i] = value[i] + word;
        c->unknown[i] = unknown ? unknown[i] + word : c->zero;
    }
}

size_t pc_core_signal_wires(const struct pc_core *c)
{
    return c->wires;
}

void pc_core_planes(struct pc_core *c, uint64_t cycles, const uint64_t *const *value,
                    const uint64_t *const *unknown, size_t count, const uint32_t *wire,
                    uint64_t *const *out_value, uint64_t *const *out_unknown)
{
    const struct pc_core_watch nobody = { .ctx = NULL };

    for (uint64_t at = 0; at < cycles && c->resolved; at += 64 * c->words) {
        c->cycles = cycles - at < 64 * c->words ? (size_t)(cycles - at) : 64 * c->words;
        c->first = c->counts.edges;
        const size_t words = words_of(c);
        take_planes(c, value, unknown, at / 64);
        memset(c->between, 0, sizeof c->between);
        find_reset(c, words);
        if (c->first == 0)
            begin(c, &nobody);
        find_restarts(c, words);
        calculate_lets(c, words);
        if (c->steps)
            core_step(c);
        for (size_t i = 0; i < count; i++) {
            memcpy(out_value[i] + at / 64, c->value[wire[i]], words * sizeof **out_value);
            memcpy(out_unknown[i] + at / 64, c->unknown[wire[i]], words * sizeof **out_unknown);
        }
        c->reset_before = core_bit(c->in_reset, c->cycles - 1);
        c->counts.edges += c->cycles;
    }
}

enum pc_status pc_core_run(struct pc_core *c, uint64_t cycles, const uint64_t *const *value,
                           const uint64_t *const *unknown, const struct pc_core_watch *watch,
                           struct pc_error *err)
{
    enum pc_status status = PC_OK;

    if (!c->resolved)
        return pc_fail(err, 307, "the names of the core have not been looked up");
    for (uint64_t at = 0; at < cycles && status == PC_OK; at += 64 * c->words) {
        c->cycles = cycles - at < 64 * c->words ? (size_t)(cycles - at) : 64 * c->words;
        take_planes(c, value, unknown, at / 64);
        status = run_part(c, watch);
    }
    return status;
}

/* --- what there was --- */

void pc_core_get_counts(const struct pc_core *c, struct pc_core_counts *out)
{
    *out = c->counts;
    for (size_t i = 0; i < c->regs; i++) {
        out->compared += c->reg[i].figures.compared;
        out->differences += c->reg[i].figures.differences;
        out->unknown += c->reg[i].figures.unknown;
    }
    for (size_t i = 0; i < c->checks; i++) {
        out->differences += c->check[i].figures.differences;
        out->unknown += c->check[i].figures.unknown;
    }
}

void pc_core_get_register(const struct pc_core *c, size_t reg, struct pc_core_figures *out)
{
    *out = c->reg[reg].figures;
}

void pc_core_get_check(const struct pc_core *c, size_t check, struct pc_core_figures *out)
{
    *out = c->check[check].figures;
}

uint64_t pc_core_rule_acted(const struct pc_core *c, size_t reg, size_t rule)
{
    return c->reg[reg].rule[rule].acted;
}
