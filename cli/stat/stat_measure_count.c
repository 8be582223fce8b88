/* SPDX-License-Identifier: MIT */
/*
 * Blocks of the waveform into what --value, --latency, --states and --level measure.  Expressions
 * see each block whole, as they look back; what counts of it is then a run of cycles, which is
 * moved to the begin of a word where the window begins within one.
 */
#include "stat_count.h"
#include "stat_machine.h"
#include "wave/time_counted.h"
#include "text/ones.h"

#include <stdlib.h>
#include <string.h>

/* Planes of a vector or two, of two expressions, of what is unknown in one, and of all wires. */
enum { START = 4 * STAT_VECTOR, END, TAINT, UNTIL, RESET, PLANES };

static uint64_t *plane_at(const struct stat_measures *all, size_t n)
{
    return all->room + n * PC_BLOCK_WORDS;
}

int stat_measure_begin(struct stat_job *j, const struct stat_wires *wires)
{
    struct stat_measures *all = &j->measures;
    const bool parts = j->o->interval.text != NULL;
    const size_t copies = parts ? 2 * wires->count : j->o->x == OPT_X_ONE ? wires->count : 0;

    if (all->count == 0)
        return CLI_OK;
    for (size_t i = 0; i < all->count; i++)
        all->item[i].percentile = &j->o->measures.percentile;
    all->room = calloc((PLANES + copies) * PC_BLOCK_WORDS, sizeof *all->room);
    all->planes = calloc(2 * wires->count + 1, sizeof *all->planes);
    all->even = true;
    if (!all->room || !all->planes)
        return cli_no_memory();
    return parts ? stat_measure_begin_parts(j) : CLI_OK;
}

/* The values of all wires; with --x one an unknown bit is 1. */
static const uint64_t *const *values_of(const struct stat_job *j, const struct stat_wires *wires,
                                        const struct pc_wave_block *block)
{
    const struct stat_measures *all = &j->measures;
    const size_t words = (block->cycles + 63) / 64;

    if (j->o->x != OPT_X_ONE || !block->any_unknown)
        return block->value;
    for (size_t i = 0; i < wires->count; i++) {
        uint64_t *out = plane_at(all, PLANES + i);
        for (size_t w = 0; w < words; w++)
            out[w] = block->value[i][w] | block->unknown[i][w];
        all->planes[i] = out;
    }
    return all->planes;
}

/* Cycles [from, to) of a plane from bit 0 on; what is in place already is not copied. */
static const uint64_t *part_of(const struct stat_measures *all, size_t room, const uint64_t *plane,
                               uint64_t from, uint64_t to)
{
    const size_t first = (size_t)(from / 64), words = (size_t)((to - from + 63) / 64);
    const unsigned shift = from % 64;

    if (shift == 0)
        return plane + first;
    uint64_t *out = plane_at(all, room);
    for (size_t w = 0; w < words; w++) {
        out[w] = plane[first + w] >> shift;
        if ((first + w + 1) * 64 < to)
            out[w] |= plane[first + w + 1] << (64 - shift);
    }
    return out;
}

/* The part of the block that counts. */
struct part {
    struct stat_job *j;
    const struct stat_wires *wires;
    const struct pc_wave_block *block;
    const uint64_t *const *value;
    uint64_t from, to;
    bool known; /* unknown values are taken as 0 or 1 */
};

static int unknown_error(const struct part *p, const struct stat_piece *piece,
                         const uint64_t *unknown)
{
    uint64_t at = 0;

    while (!(unknown[at / 64] >> at % 64 & 1))
        at++;
    return cli_error_at(335, &piece->place, 1, NULL,
                        "%.100s depends on an unknown value in cycle %llu (counted from 0)",
                        piece->text, (unsigned long long)(p->block->first_cycle + p->from + at));
}

static uint64_t ones_of(const uint64_t *plane, uint64_t cycles)
{
    const uint64_t ones = pc_plane_ones(plane, (size_t)(cycles / 64));
    const uint64_t rest = cycles % 64;

    return rest ? ones + cli_ones(plane[cycles / 64] & ((UINT64_C(1) << rest) - 1)) : ones;
}

/* The cycles in which the expression is 1; of unknown ones into TAINT, if unknown is not NULL. */
static int evaluate(const struct part *p, struct stat_piece *piece, size_t room,
                    const uint64_t **out, const uint64_t **unknown)
{
    const struct stat_measures *all = &p->j->measures;
    const bool look = p->block->any_unknown && !p->known;
    const size_t words = (p->block->cycles + 63) / 64;

    pc_expr_eval(piece->expr, p->value, look ? p->block->unknown : NULL, words,
                 (uint32_t)p->block->cycles, plane_at(all, room),
                 look ? plane_at(all, TAINT) : NULL);
    *out = part_of(all, room, plane_at(all, room), p->from, p->to);
    *unknown = look ? part_of(all, TAINT, plane_at(all, TAINT), p->from, p->to) : NULL;
    const uint64_t tainted = look ? ones_of(*unknown, p->to - p->from) : 0;
    piece->tainted += tainted;
    return tainted && p->j->o->x == OPT_X_ERROR ? unknown_error(p, piece, *unknown) : CLI_OK;
}

/* Planes of a vector, `room` of which are there. */
static void take_vector(const struct part *p, const struct stat_piece *piece, size_t room,
                        const uint64_t **value, const uint64_t **unknown)
{
    static const uint64_t none[PC_BLOCK_WORDS];
    const struct stat_measures *all = &p->j->measures;

    for (size_t i = 0; i < piece->wires && p->from < p->to; i++) {
        const uint32_t w = piece->wire[i];
        value[i] = part_of(all, room + i, p->value[w], p->from, p->to);
        unknown[i] =
            p->known ? none
                     : part_of(all, room + STAT_VECTOR + i, p->block->unknown[w], p->from, p->to);
    }
}

/* --- values --- */

/* All bits that are unknown somewhere. */
static const uint64_t *any_unknown(const struct part *p, const struct stat_piece *piece,
                                   const uint64_t *const *unknown)
{
    uint64_t *out = plane_at(&p->j->measures, TAINT);
    const size_t words = (size_t)((p->to - p->from + 63) / 64);

    memset(out, 0, words * sizeof *out);
    for (size_t i = 0; i < piece->wires; i++)
        for (size_t w = 0; w < words; w++)
            out[w] |= unknown[i][w];
    return out;
}

static uint64_t value_at(const struct stat_piece *piece, const uint64_t *const *value, uint64_t at)
{
    const size_t bits = piece->expr ? 1 : piece->wires;
    uint64_t v = 0;

    for (size_t i = 0; i < bits; i++)
        v |= (value[i][at / 64] >> at % 64 & 1) << i;
    if (piece->is_signed && bits < 64 && v >> (bits - 1) & 1)
        v |= UINT64_MAX << bits;
    return v;
}

/* The first value that is known, and the last. */
static void note_ends(struct stat_measure *m, const struct part *p, const uint64_t *const *value,
                      const uint64_t *unknown)
{
    const uint64_t cycles = p->to - p->from;
    uint64_t at = 0;

    while (!m->ends.any && at < cycles && unknown && unknown[at / 64] >> at % 64 & 1)
        at++;
    if (!m->ends.any && at < cycles) {
        m->ends.any = true;
        m->ends.first = value_at(&m->piece[0], value, at);
    }
    for (at = cycles; at > 0 && unknown && unknown[(at - 1) / 64] >> (at - 1) % 64 & 1;)
        at--;
    if (at > 0)
        m->ends.last = value_at(&m->piece[0], value, at - 1);
}

/* Planes of what --value and --states look at; *some: cycles in which a bit is unknown, or NULL. */
static int take_values(const struct part *p, struct stat_piece *piece, const uint64_t **value,
                       const uint64_t **unknown, const uint64_t **some)
{
    static const uint64_t none[PC_BLOCK_WORDS];

    *some = NULL;
    if (piece->expr) {
        const int code = evaluate(p, piece, START, &value[0], some);
        unknown[0] = *some ? *some : none;
        return code;
    }
    take_vector(p, piece, 0, value, unknown);
    if (p->block->any_unknown && !p->known)
        *some = any_unknown(p, piece, unknown);
    return *some && p->j->o->x == OPT_X_ERROR && ones_of(*some, p->to - p->from)
               ? unknown_error(p, piece, *some)
               : CLI_OK;
}

static int add_values(struct stat_measure *m, const struct part *p)
{
    const uint64_t *value[STAT_VECTOR], *unknown[STAT_VECTOR], *some;
    const int code = take_values(p, &m->piece[0], value, unknown, &some);

    if (code)
        return code;
    note_ends(m, p, value, some);
    pc_values_add(m->values, value, unknown, NULL, p->to - p->from);
    return CLI_OK;
}

static int add_states(struct stat_measure *m, const struct part *p)
{
    const uint64_t *value[STAT_VECTOR], *unknown[STAT_VECTOR], *some;
    const int code = take_values(p, &m->piece[0], value, unknown, &some);

    return code ? code : stat_machine_add(m, value, unknown, p->to - p->from);
}

/* No cycle of the block counts: expressions may look back at it. */
static void look_with(const struct part *p, struct stat_piece *piece)
{
    const struct stat_measures *all = &p->j->measures;
    const size_t words = (p->block->cycles + 63) / 64;

    if (piece->expr)
        pc_expr_eval(piece->expr, p->value,
                     p->block->any_unknown && !p->known ? p->block->unknown : NULL, words,
                     (uint32_t)p->block->cycles, plane_at(all, START), plane_at(all, TAINT));
}

static void look_at(struct stat_job *j, const struct part *p)
{
    const struct stat_measures *all = &j->measures;

    for (size_t i = 0; i < all->count; i++) {
        for (unsigned k = 0; k < all->item[i].pieces; k++)
            look_with(p, &all->item[i].piece[k]);
        for (unsigned k = 0; k < STAT_DROPS; k++)
            look_with(p, &all->item[i].drop[k]);
    }
}

/* --- latencies --- */

/* Adds the cycles in which something is unknown to those of a level. */
static void note_unknown(const struct part *p, const uint64_t *unknown)
{
    uint64_t *all = plane_at(&p->j->measures, END);
    const size_t words = (size_t)((p->to - p->from + 63) / 64);

    for (size_t w = 0; unknown && w < words; w++)
        all[w] |= unknown[w];
}

/* Where what is in flight is dropped; an unknown reset is one. */
static int find_drops(struct stat_measure *m, const struct part *p, struct pc_latency_block *block)
{
    const size_t words = (size_t)((p->to - p->from + 63) / 64);
    const uint64_t *unknown;
    int code = CLI_OK;

    if (m->drop[STAT_UNTIL].text)
        code = evaluate(p, &m->drop[STAT_UNTIL], UNTIL, &block->until, &unknown);
    if (code == CLI_OK && m->drop[STAT_UNTIL].text)
        note_unknown(p, unknown);
    if (code || !m->drop[STAT_RESET].text)
        return code;
    code = evaluate(p, &m->drop[STAT_RESET], RESET, &block->reset, &unknown);
    if (code || !unknown)
        return code;
    uint64_t *both = plane_at(&p->j->measures, RESET);
    for (size_t w = 0; w < words; w++)
        both[w] = block->reset[w] | unknown[w];
    block->reset = both;
    return CLI_OK;
}

static int add_latencies(struct stat_measure *m, const struct part *p)
{
    const uint64_t *id[2][STAT_VECTOR], *id_unknown[2][STAT_VECTOR], *ignored;
    struct pc_latency_block block = { .cycles = p->to - p->from };
    struct pc_error err;
    int code = evaluate(p, &m->piece[STAT_START], START, &block.start, &ignored);

    if (code == CLI_OK)
        code = evaluate(p, &m->piece[STAT_END], END, &block.end, &ignored);
    for (unsigned k = 0; k < 2 && m->pieces > STAT_START_ID; k++)
        take_vector(p, &m->piece[STAT_START_ID + k], 2 * k * STAT_VECTOR, id[k], id_unknown[k]);
    if (code == CLI_OK)
        code = find_drops(m, p, &block);
    if (code)
        return code;
    block.start_id = id[0];
    block.start_id_unknown = id_unknown[0];
    block.end_id = id[1];
    block.end_id_unknown = id_unknown[1];
    block.time = p->block->time ? p->block->time + p->from : NULL;
    return pc_latency_add(m->latency, &block, &err) ? cli_library_error_at(&err, &m->piece[0].place)
                                                    : CLI_OK;
}

/* --- levels --- */

static const char level_hint[] = "give the level at the start, 'q = 4 +push -pop', or a reset, "
                                 "--reset '!rst_n'";

/* "q cannot be at edge 12 (counted from 0, 120 ns): ..." */
static int level_error(const struct part *p, const struct stat_measure *m, uint64_t cycle,
                       const struct pc_error *err)
{
    const struct cli_place place = { m->label, m->argument, 0 };
    const uint64_t at = p->from + cycle;
    struct pc_wave_info info;
    const bool below = err->code == 1804;
    char time[CLI_TIME_TEXT] = "its time is not known";

    pc_wave_get_info(p->wires->wave, &info);
    if (p->block->time)
        cli_time_text(&info, p->block->time[at], time);
    return cli_error_at(err->code, &place, 1, below ? level_hint : NULL,
                        "%.100s %s at edge %llu (counted from 0), %s: %s", m->name,
                        below ? "falls below 0" : "is too large",
                        (unsigned long long)(p->block->first_cycle + at), time, err->text);
}

/* Planes of what comes in or goes out, from `room` on. */
static int take_term(const struct part *p, struct stat_piece *piece, size_t room,
                     const uint64_t **value)
{
    const uint64_t *unknown[STAT_VECTOR], *some;
    int code = CLI_OK;

    if (piece->expr) {
        code = evaluate(p, piece, room, value, &some);
        note_unknown(p, some);
        return code;
    }
    take_vector(p, piece, room, value, unknown);
    if (!p->block->any_unknown || p->known)
        return CLI_OK;
    some = any_unknown(p, piece, unknown);
    note_unknown(p, some);
    return p->j->o->x == OPT_X_ERROR && ones_of(some, p->to - p->from)
               ? unknown_error(p, piece, some)
               : CLI_OK;
}

static int add_levels(struct stat_measure *m, const struct part *p)
{
    const uint64_t *value[STAT_LEVEL_BITS];
    struct pc_level_term term[STAT_PIECES];
    struct pc_latency_block drops = { .cycles = 0 };
    struct pc_error err;
    uint64_t at = 0;
    size_t bits = 0;
    int code = CLI_OK;

    memset(plane_at(&p->j->measures, END), 0, PC_BLOCK_WORDS * sizeof(uint64_t));
    for (unsigned k = 0; k < m->pieces && code == CLI_OK; k++) {
        const unsigned width = m->piece[k].expr ? 1 : (unsigned)m->piece[k].wires;
        code = take_term(p, &m->piece[k], bits, value + bits);
        term[k] = (struct pc_level_term){ value + bits, width, m->piece[k].out };
        bits += width;
    }
    if (code == CLI_OK)
        code = find_drops(m, p, &drops);
    if (code)
        return code;
    for (size_t w = 0; drops.reset && w < (p->to - p->from + 63) / 64; w++)
        plane_at(&p->j->measures, END)[w] &= ~drops.reset[w]; /* nothing else matters then */
    m->tainted += ones_of(plane_at(&p->j->measures, END), p->to - p->from);
    const struct pc_level_block block = { .cycles = p->to - p->from,
                                          .term = term,
                                          .terms = m->pieces,
                                          .until = drops.until,
                                          .reset = drops.reset };
    return pc_level_add(m->level, &block, &at, &err) ? level_error(p, m, at, &err) : CLI_OK;
}

/* Checks if the clock is regular: only the first and the last edge of a block are known. */
void stat_measure_clock(struct stat_measures *all, const struct pc_wave_block *b)
{
    const uint64_t steps = b->cycles - 1, span = b->last_time - b->first_time;

    if (all->clocked && all->period == 0)
        all->period = b->first_time - all->last_time;
    if (all->period == 0 && steps > 0)
        all->period = span / steps;
    all->even &= span == steps * all->period &&
                 (!all->clocked || b->first_time - all->last_time == all->period);
    all->last_time = b->last_time;
    all->clocked = true;
}

int stat_measure_block(struct stat_job *j, const struct stat_wires *wires,
                       const struct pc_wave_block *block, uint64_t from, uint64_t to)
{
    struct stat_measures *all = &j->measures;
    const bool known = j->o->x == OPT_X_ZERO || j->o->x == OPT_X_ONE;
    int code = CLI_OK;

    if (all->count == 0)
        return CLI_OK;
    const struct part p = { .j = j,
                            .wires = wires,
                            .block = block,
                            .value = values_of(j, wires, block),
                            .from = from,
                            .to = to,
                            .known = known };
    if (from == to)
        look_at(j, &p);
    static int (*const add[])(struct stat_measure * m,
                              const struct part *p) = { [STAT_VALUE] = add_values,
                                                        [STAT_LATENCY] = add_latencies,
                                                        [STAT_STATES] = add_states,
                                                        [STAT_LEVEL] = add_levels };

    for (size_t i = 0; i < all->count && from < to && code == CLI_OK; i++)
        code = add[all->item[i].kind](&all->item[i], &p);
    for (size_t i = 0; i < all->count; i++)
        all->item[i].cycles += to - from;
    return code;
}

/* From the lead on, that many cycles, which are not more than a block has. */
static int take_piece(struct stat_job *j, const struct stat_wires *wires,
                      const struct stat_stretch *s, uint64_t from, uint64_t cycles, bool counts)
{
    static const uint64_t none[PC_BLOCK_WORDS];
    struct stat_measures *all = &j->measures;
    const size_t n = wires->count;
    const uint64_t begin = 64 * s->lead + from, end = begin + cycles;

    for (size_t i = 0; i < n; i++) {
        all->planes[i] = part_of(all, PLANES + i, s->value[i], begin, end);
        all->planes[n + i] =
            s->any_unknown ? part_of(all, PLANES + n + i, s->unknown[i], begin, end) : none;
    }
    const struct pc_wave_block block = { .first_cycle = j->measures.first_cycle + s->first + from,
                                         .cycles = (uint32_t)cycles,
                                         .value = all->planes,
                                         .unknown = all->planes + n,
                                         .any_unknown = s->any_unknown,
                                         .time = s->time ? s->time + from : NULL };
    return stat_measure_block(j, wires, &block, counts ? 0 : cycles, cycles);
}

int stat_measure_stretch(struct stat_job *j, const struct stat_wires *wires,
                         const struct stat_stretch *s, uint64_t from, uint64_t to, bool counts)
{
    int code = CLI_OK;

    for (uint64_t n; from < to && j->measures.count > 0 && code == CLI_OK; from += n) {
        n = to - from < 64 * PC_BLOCK_WORDS ? to - from : 64 * PC_BLOCK_WORDS;
        code = take_piece(j, wires, s, from, n, counts);
    }
    return code;
}
