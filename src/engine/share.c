/* SPDX-License-Identifier: MIT */
/*
 * See share.h.  N(S) is in how many cycles all planes of S are 1.  A table over up to four planes
 * is 1 in as many cycles as a sum of N(S) over their subsets says, each with a coefficient that is
 * the table's alternating sum over the subsets of S; so 15 counts are enough for any number of
 * tables over the same four planes, and N({a}) serves all sets with a.
 *
 * EVENT's rises, of which it is only wanted whether they are odd, are no sum of N(S), but one
 * modulo 2 of products of two cycles: of many tables over the same planes from the pairs of these
 * (kernel/kernel.h), else EVENT is computed, once for all that have the same one.
 */
#include "engine/program.h"

#include <string.h>

/* What an operation of so many planes costs, and a conjunction: half instructions a vector.  RISES:
 * what an operation costs more if they are looked for; PAIRS: what a set's cost, in the same time.
 */
static const unsigned OPERATION[5] = { 0, 14, 18, 23, 30 }, CONJUNCTION[5] = { 0, 14, 18, 22, 26 };
enum { RISES = 20, PAIRS = 1100 };
static const uint16_t ALL_OF[5] = { 0xffff, 0xaaaa, 0x8888, 0x8080, 0x8000 };

/* LEAST_USES: of each plane. */
enum { LEAST_USES = 6 };

/* --- finding what is the same --- */

void eg_share_begin(struct eg_share *s)
{
    s->ops = s->sets = s->pairs = 1;
    s->sharers = s->planes = s->uses = 0;
    memset(s->chain, 0, sizeof s->chain);
}

static unsigned chain_of(const uint64_t *const plane[4], unsigned planes)
{
    uint64_t h = planes;

    for (unsigned k = 0; k < planes; k++)
        h = (h ^ (uintptr_t)plane[k]) * UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(h >> 32) % EG_SHARED_CHAINS;
}

/* The set of these planes; 0: there is no room. */
static unsigned set_of(struct eg_share *s, const uint64_t *const plane[4], unsigned planes)
{
    unsigned chain = chain_of(plane, planes);

    for (unsigned i = s->chain[chain]; i != 0; i = s->set[i].next)
        if (s->set[i].planes == planes &&
            memcmp(s->set[i].plane, plane, planes * sizeof plane[0]) == 0)
            return i;
    if (s->sets == EG_SHARED_OPS)
        return 0;
    struct eg_shared_set *set = &s->set[s->sets];
    *set = (struct eg_shared_set){ .planes = (uint8_t)planes, .next = s->chain[chain] };
    memcpy(set->plane, plane, planes * sizeof plane[0]);
    s->chain[chain] = (uint16_t)s->sets;
    return s->sets++;
}

/* False: there is no room. */
static bool has_plane(struct eg_share *s, const uint64_t *plane)
{
    const uint64_t *const one[4] = { plane };
    unsigned sets = s->sets, set = set_of(s, one, 1);

    s->planes += set == sets;
    return set != 0;
}

static unsigned find_op(const struct eg_share *s, unsigned set, unsigned table)
{
    unsigned i = s->set[set].first;

    while (i != 0 && s->op[i].table != table)
        i = s->op[i].next;
    return i;
}

/* The operation; 0: there is no room. */
static unsigned op_of(struct eg_share *s, unsigned set, unsigned table)
{
    unsigned i = find_op(s, set, table);

    if (i != 0 || set == 0 || s->ops == EG_SHARED_OPS)
        return i;
    i = s->ops++;
    s->op[i] = (struct eg_shared_op){ .table = (uint16_t)table,
                                      .set = (uint16_t)set,
                                      .next = s->set[set].first };
    s->set[set].first = (uint16_t)i;
    return i;
}

/* Bit i of the result is that bit of the table whose number has bit k where i has bit at[k]. */
static unsigned reorder(unsigned table, const unsigned at[4])
{
    unsigned out = 0;

    for (unsigned i = 0; i < 16; i++) {
        unsigned from = 0;
        for (unsigned k = 0; k < 4; k++)
            from |= (i >> at[k] & 1) << k;
        out |= (table >> from & 1) << i;
    }
    return out;
}

/* An operation over planes by address, each once.  0: there is no room. */
static unsigned find_or_make(struct eg_share *s, const struct pc_lut_op *op, unsigned arguments)
{
    const uint64_t *plane[4] = { NULL };
    unsigned planes = 0, at[4] = { 0, 1, 2, 3 };

    for (unsigned k = 0; k < arguments; k++) {
        unsigned i = 0;
        while (i < planes && (uintptr_t)plane[i] < (uintptr_t)op->arg[k])
            i++;
        if (i < planes && plane[i] == op->arg[k])
            continue;
        memmove(plane + i + 1, plane + i, (planes - i) * sizeof plane[0]);
        plane[i] = op->arg[k];
        planes++;
        if (!has_plane(s, op->arg[k]))
            return 0;
    }
    for (unsigned k = 0; k < arguments; k++)
        for (at[k] = 0; plane[at[k]] != op->arg[k];)
            at[k]++;
    /* Arguments that the table does not depend on may stand anywhere. */
    return op_of(s, set_of(s, plane, planes), reorder(op->table, at));
}

bool eg_share_join(struct pc_engine *e, struct pc_unit *u, unsigned domain,
                   const struct eg_program *program)
{
    struct eg_share *s = &e->share;
    struct eg_sharer one = { .u = u, .program = program, .domain = domain };

    if (!program->streams || program->still || s->sharers == EG_SHARERS ||
        pc_hangs(u, &u->state.domain[domain]))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        const struct eg_operation *from = &program->op[PC_IN_PRE + i];
        struct pc_lut_op op = { .table = from->table };
        for (unsigned k = 0; k < from->arguments; k++)
            op.arg[k] = program->source[from->arg[k].selector].plane;
        s->uses += from->arguments;
        one.op[i] = (uint16_t)find_or_make(s, &op, from->arguments);
        if (one.op[i] == 0)
            return false;
    }
    s->op[one.op[PC_IN_EVENT - PC_IN_PRE]].edges = true;
    s->sharer[s->sharers++] = one;
    return true;
}

/* Going operation by operation, a tile comes from memory more slowly than unit by unit. */
bool eg_share_pays(const struct eg_share *s)
{
    return s->uses >= LEAST_USES * s->planes;
}

/* --- what is counted --- */

/* The conjunction of some planes of a set: a set of its own. */
static unsigned subset(struct eg_share *s, const struct eg_shared_set *set, unsigned mask)
{
    const uint64_t *plane[4] = { NULL };
    unsigned n = 0;

    for (unsigned k = 0; k < 4 && k < set->planes; k++)
        if (mask >> k & 1)
            plane[n++] = set->plane[k];
    return set_of(s, plane, n);
}

struct cost {
    unsigned counts, edges; /* of operations without and with rises */
};

static struct cost cost_of(const struct eg_share *s, const struct eg_shared_set *set)
{
    struct cost cost = { 0, 0 };

    for (unsigned i = set->first; i != 0; i = s->op[i].next)
        if (s->op[i].edges)
            cost.edges += OPERATION[set->planes] + RISES;
        else if (s->op[i].table != ALL_OF[set->planes])
            cost.counts += OPERATION[set->planes];
    return cost;
}

/* Conjunctions are counted in the place of the set's operations; with pairs, for their rises, too.
 */
static void take(struct eg_share *s, struct eg_shared_set *set, const unsigned where[16],
                 bool pairs)
{
    for (unsigned mask = 1; mask < 1u << set->planes; mask++)
        set->part[mask] = (uint16_t)op_of(s, where[mask], ALL_OF[__builtin_popcount(mask)]);
    for (unsigned i = set->first; i != 0; i = s->op[i].next)
        s->op[i].derived = (pairs || !s->op[i].edges) && s->op[i].table != ALL_OF[set->planes];
    if (pairs) {
        s->pair[s->pairs] = (struct pc_lut_pairs){ .last = { 0 } };
        memcpy(s->pair[s->pairs].plane, set->plane, sizeof set->plane);
        set->pairs = (uint16_t)s->pairs++;
    }
}

static void choose(struct eg_share *s, struct eg_shared_set *set)
{
    const struct cost cost = cost_of(s, set);
    const unsigned all = (1u << set->planes) - 1;
    unsigned conjunctions = 0, where[16];

    if (cost.counts == 0 && cost.edges < PAIRS)
        return;
    for (unsigned mask = 1; mask <= all; mask++) {
        unsigned planes = (unsigned)__builtin_popcount(mask);
        where[mask] = subset(s, set, mask);
        if (where[mask] == 0)
            return;
        conjunctions += find_op(s, where[mask], ALL_OF[planes]) ? 0 : CONJUNCTION[planes];
    }
    if (s->ops + all > EG_SHARED_OPS)
        return;
    bool counts = conjunctions < cost.counts, room = s->pairs < EG_SHARED_PAIRS;
    unsigned best = counts ? conjunctions : cost.counts;
    if (set->planes == 4 && room && conjunctions + PAIRS < best + cost.edges)
        take(s, set, where, true);
    else if (counts)
        take(s, set, where, false);
}

/* The largest sets first: what is counted for them is there for their subsets. */
static void choose_all(struct eg_share *s)
{
    for (unsigned planes = 4; planes > 0; planes--)
        for (unsigned i = 1, sets = s->sets; i < sets; i++)
            if (s->set[i].planes == planes)
                choose(s, &s->set[i]);
}

/* --- counting --- */

/* Gives each plane its place. */
static void find_places(struct eg_share *s)
{
    unsigned n = 0;

    for (unsigned i = 1; i < s->sets; i++)
        if (s->set[i].planes == 1) {
            s->set[i].place = (uint16_t)n;
            s->staged[n++] = s->set[i].plane[0];
        }
}

/* The planes of a set where they are read. */
static void read_from(struct eg_share *s, const struct eg_shared_set *set, const uint64_t *plane[4])
{
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t *const one[4] = { set->plane[k] };
        plane[k] = set->plane[k];
        if (s->stages && k < set->planes)
            plane[k] = eg_share_place(s, s->set[set_of(s, one, 1)].place);
    }
}

/* Those of one kind, set by set, so that their planes stay in the first-level cache. */
static void make_some(struct eg_share *s, unsigned inputs, bool edges)
{
    for (unsigned i = 1; i < s->sets; i++)
        for (unsigned n = s->set[i].first; n != 0; n = s->op[n].next) {
            struct pc_lut_op op = { .table = s->op[n].table };
            if (s->op[n].derived || s->set[i].planes == 0)
                continue;
            if ((s->op[n].edges && s->set[i].pairs == 0) != edges)
                continue;
            read_from(s, &s->set[i], op.arg);
            const struct pc_lut_job job = pc_lut_job(&op, edges);
            if (job.inputs != inputs)
                continue;
            s->job[s->jobs] = job;
            s->op[n].job = (uint16_t)s->jobs++;
        }
}

/* Kind by kind, which is what a kernel goes through at once. */
static void make_jobs(struct eg_share *s)
{
    s->jobs = 0;
    for (unsigned inputs = 0; inputs <= 4; inputs++) {
        make_some(s, inputs, false);
        make_some(s, inputs, true);
    }
}

static void derive(struct eg_share *s, struct eg_shared_op *op, uint64_t cycles)
{
    const struct eg_shared_set *set = &s->set[op->set];
    int64_t sum[16];

    for (unsigned i = 0; i < 16; i++)
        sum[i] = op->table >> i & 1;
    for (unsigned bit = 1; bit < 16; bit *= 2)
        for (unsigned i = 0; i < 16; i++)
            sum[i] -= i & bit ? sum[i ^ bit] : 0;
    int64_t ones = sum[0] * (int64_t)cycles;
    for (unsigned mask = 1; mask < 1u << set->planes; mask++)
        ones += sum[mask] * (int64_t)s->op[set->part[mask]].ones;
    op->ones = (uint64_t)ones;
}

static void find_ones(struct eg_share *s, uint64_t cycles)
{
    for (unsigned i = 1; i < s->ops; i++)
        if (s->set[s->op[i].set].planes == 0)
            s->op[i].ones = s->op[i].table & 1 ? cycles : 0;
        else if (!s->op[i].derived)
            s->op[i].ones = s->job[s->op[i].job].ones;
    for (unsigned i = 1; i < s->ops; i++)
        if (s->op[i].derived)
            derive(s, &s->op[i], cycles);
}

/* --- what each gets --- */

/* What an operation is in a cycle. */
static bool level_at(const struct eg_share *s, const struct eg_shared_op *op, size_t word,
                     unsigned bit)
{
    const struct eg_shared_set *set = &s->set[op->set];
    unsigned index = 0;

    for (unsigned k = 0; k < 4 && k < set->planes; k++)
        index |= (unsigned)(set->plane[k][word] >> bit & 1) << k;
    return op->table >> index & 1;
}

/* The coefficients of a table's products of planes, by sets of these: it is their sum modulo 2. */
static unsigned coefficients_of(unsigned table)
{
    for (unsigned bit = 0; bit < 4; bit++)
        for (unsigned i = 0; i < 16; i++)
            if (i >> bit & 1)
                table ^= (table >> (i ^ 1u << bit) & 1) << i;
    return table;
}

/*
 * e rises where e(t) (1 + e(t - 1)) is 1.  Modulo 2 that is a sum over e's ones, and over pairs of
 * its products; where e has a constant product, over both ends and the number of cycles, which is
 * even.
 */
static struct pc_rise rise_of_pairs(const struct eg_share *s, const struct eg_shared_op *op,
                                    bool first, bool level)
{
    const struct pc_lut_pairs *pairs = &s->pair[s->set[op->set].pairs];
    unsigned coefficients = coefficients_of(op->table), odd = op->ones & 1;

    if (coefficients & 1)
        odd ^= (unsigned)first ^ level ^ 1;
    for (unsigned i = 1; i < 16; i++)
        for (unsigned k = i; coefficients >> i & 1 && k < 16; k++)
            if (coefficients >> k & 1)
                odd ^= (unsigned)__builtin_popcountll(pairs->odd[i][k]);
    return (struct pc_rise){ level, odd & 1 };
}

static struct pc_rise rise_of(const struct eg_share *s, const struct eg_shared_op *op, size_t word,
                              size_t end, const struct pc_domain *d)
{
    bool first = level_at(s, op, word, 0);

    if (s->set[op->set].planes == 0)
        return (struct pc_rise){ first, d->event_toggle ^ (first && !d->last_event) };
    struct pc_rise rise = s->set[op->set].pairs
                              ? rise_of_pairs(s, op, first, level_at(s, op, end - 1, 63))
                              : s->job[op->job].edge;
    rise.odd ^= (first && d->last_event) ^ d->event_toggle;
    return rise;
}

static void end_pairs(const struct pc_kernel *kernel, struct pc_lut_pairs *pairs)
{
    static const uint64_t none;

    for (unsigned k = 0; k < 4; k++)
        pairs->plane[k] = &none;
    kernel->pairs(pairs, 0, 1);
}

/* What is counted, and where it is read. */
static void prepare(struct pc_engine *e, size_t length, size_t most)
{
    struct eg_share *s = &e->share;

    if (length >= EG_SHARE_LONG)
        choose_all(s);
    find_places(s);
    eg_share_choose_tile(s, e->kernel, length, most);
    make_jobs(s);
    for (unsigned i = 1; i < s->sets; i++)
        if (s->set[i].pairs)
            read_from(s, &s->set[i], s->pair[s->set[i].pairs].plane);
}

void eg_share_run(struct pc_engine *e, const struct pc_run *run, size_t first, size_t end,
                  size_t most)
{
    struct eg_share *s = &e->share;

    prepare(e, end - first, most);
    eg_share_tiles(e, first, end);
    for (unsigned i = 1; i < s->pairs; i++)
        end_pairs(e->kernel, &s->pair[i]);
    find_ones(s, (uint64_t)(end - first) * 64);
    for (unsigned i = 0; i < s->sharers; i++) {
        const struct eg_sharer *one = &s->sharer[i];
        uint64_t counts[4];
        for (unsigned k = 0; k < 4; k++)
            counts[k] = s->op[one->op[k]].ones;
        struct pc_rise rise = rise_of(s, &s->op[one->op[PC_IN_EVENT - PC_IN_PRE]], first, end,
                                      &one->u->state.domain[one->domain]);
        eg_solo_counted(one->program, one->u, e, run, one->domain, first, end, counts, rise);
    }
}
