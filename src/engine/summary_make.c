/* SPDX-License-Identifier: MIT */
/*
 * A summary of a chunk: which finite states its lead can leave a domain in, and the effect of
 * the chunk for each.  States that have become equal are run once from there on.
 *
 * Nothing here has to be complete for the result to be right: the state that a unit really
 * has is looked up among the cases when the summary is applied.
 */
#include "engine/summary.h"

#include <stddef.h>
#include <string.h>

struct maker {
    struct pc_unit *u; /* a copy: a place to run in */
    struct pc_engine *e;
    struct pc_run run;
    const struct pc_summary_chunk *chunk;
    struct pc_summary *out;
};

static bool settled(const struct pc_unit *u, uint32_t mask)
{
    static const struct pc_pending nothing;

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (mask >> x & 1 && memcmp(&u->state.domain[x].pending, &nothing, sizeof nothing) != 0)
            return false;
    return !eg_unsettled(u, mask);
}

/* --- the states a chunk can begin in --- */

static void add_case(struct eg_domain_summary *s, const struct eg_key *key)
{
    for (unsigned i = 0; i < s->cases; i++)
        if (eg_key_equal(&s->of[i].enters, key))
            return;
    if (s->cases < EG_CASES)
        s->of[s->cases++].enters = *key;
}

/*
 * Can the machine be in this state after `cycles`, if it is as in d now?  PRE and STOP count down
 * to 0, by one a cycle at most, and go on with the one after that.
 */
static bool reachable(const struct pc_domain *d, unsigned state, uint64_t cycles)
{
    const unsigned now = d->single_state;

    if (d->control.mode != PC_MODE_SINGLE || now == PC_INACTIVE)
        return state == now;
    if (now == PC_WAIT_PRE && (state == PC_WAIT_PRE || d->visible.pre >= cycles))
        return state == PC_WAIT_PRE;
    return state == PC_INACTIVE ? d->visible.stop < cycles : state != PC_WAIT_PRE;
}

/* Can the flag be this sooner or later?  Nothing else than a table that is not 0 changes it. */
static bool flag_reachable(const struct pc_domain *d, bool flag)
{
    return d->flag_cur == flag || d->flag_next == flag ||
           (d->op[flag ? PC_IN_SETFLAG : PC_IN_CLRFLAG] & 0xffff) != 0;
}

/* From the lead's second cycle on, with each state of the flag and of the machine. */
static void lead_of(struct maker *m, unsigned x, bool flag, bool one_flag,
                    struct eg_domain_summary *s)
{
    struct pc_domain *d = &m->u->state.domain[x];
    const struct pc_domain kept = *d;
    uint16_t periodic = d->periodic;
    uint32_t mask = 1u << x;

    if (!PC_GET(m->u->state.gctrl, GCTRL, PERIODIC_RESET))
        periodic = (uint16_t)(periodic + m->chunk->at - m->chunk->lead);
    struct pc_domain start = *d;
    start.flag_cur = start.flag_next = flag;
    start.periodic = periodic;
    start.visible.pre = start.visible.stop = UINT32_MAX;
    *d = start;
    eg_step(m->u, &m->run, mask, 0, 1);
    struct pc_domain second = *d;
    for (unsigned i = 0; i < 4 * 4; i++) {
        if (!reachable(&kept, i / 4, m->chunk->at) ||
            (one_flag && ((i & 1) != flag || (i >> 1 & 1) != flag)))
            continue;
        *d = second;
        d->flag_cur = i & 1;
        d->flag_next = i >> 1 & 1;
        d->single_state = (uint8_t)(i / 4);
        eg_step(m->u, &m->run, mask, 1, m->chunk->lead);
        struct eg_key key = eg_key_of(d);
        add_case(s, &key);
    }
    *d = kept;
}

static void find_cases(struct maker *m, unsigned x, struct eg_domain_summary *s)
{
    struct pc_domain *d = &m->u->state.domain[x], kept = *d;

    if (m->chunk->at == 0) {
        struct eg_key key = eg_key_of(d);
        add_case(s, &key);
        return;
    }
    for (unsigned flag = 0; flag < 2; flag++) {
        if (!flag_reachable(&kept, flag))
            continue;
        lead_of(m, x, flag, !flag_reachable(&kept, !flag), s);
    }
}

/* --- their effects --- */

/* Cycles [from, to) of all cases; those that have come to the same state share one run. */
static void go(struct maker *m, unsigned x, struct eg_domain_summary *s, uint64_t from, uint64_t to)
{
    struct eg_effect piece[EG_CASES];
    unsigned same[EG_CASES];

    for (unsigned i = 0; i < s->cases; i++) {
        const struct eg_key *key = &s->of[i].whole.leaves;
        for (same[i] = 0; same[i] < i; same[i]++)
            if (same[same[i]] == same[i] && eg_key_equal(&s->of[same[i]].whole.leaves, key))
                break;
        if (same[i] == i)
            piece[i] = eg_probe(m->u, m->e, &m->run, x, key, from, to);
    }
    for (unsigned i = 0; i < s->cases; i++)
        eg_effect_then(m->u, &m->u->state.domain[x], &s->of[i].whole, &piece[same[i]]);
}

static unsigned distinct(const struct eg_domain_summary *s)
{
    unsigned n = 0;

    for (unsigned i = 0; i < s->cases; i++) {
        unsigned k = 0;
        while (!eg_key_equal(&s->of[k].whole.leaves, &s->of[i].whole.leaves))
            k++;
        n += k == i;
    }
    return n;
}

static void summarise(struct maker *m, unsigned x)
{
    struct eg_domain_summary *s = &m->out->domain[x];
    uint64_t at = m->chunk->lead, tail = m->chunk->cycles - EG_SUMMARY_TAIL, piece = 4096;

    find_cases(m, x, s);
    for (unsigned i = 0; i < s->cases; i++)
        s->of[i].whole = eg_effect_none(&s->of[i].enters);
    while (at < tail) {
        uint64_t to = distinct(s) == 1 || tail - at < piece ? tail : at + piece;
        go(m, x, s, at, to);
        at = to;
        piece *= 4;
    }
    for (unsigned i = 0; i < s->cases; i++)
        s->of[i].most = s->of[i].whole;
    go(m, x, s, tail, m->chunk->cycles);
}

static enum pc_status check(const struct pc_unit *u, const struct pc_summary_chunk *c,
                            uint32_t mask, struct pc_error *err)
{
    uint64_t own = c->cycles - c->lead;

    if (c->lead > c->cycles || own < PC_SUMMARY_CYCLES)
        return pc_fail(err, 415, "the chunk has %llu cycles behind its lead of %llu; it needs %u",
                       (unsigned long long)(c->lead > c->cycles ? 0 : own),
                       (unsigned long long)c->lead, PC_SUMMARY_CYCLES);
    if (c->at == 0 && (c->lead != 0 || !settled(u, mask)))
        return pc_fail(err, 415, "%s",
                       c->lead != 0
                           ? "the first chunk has a lead"
                           : "something was written to the unit that its next cycle acts on");
    if (c->at != 0 && (c->lead < PC_SUMMARY_LEAD || c->lead > c->at))
        return pc_fail(err, 415, "the chunk at cycle %llu has a lead of %llu cycles; it needs %u",
                       (unsigned long long)c->at, (unsigned long long)c->lead, PC_SUMMARY_LEAD);
    return PC_OK;
}

/* Not with several clocks: the chunk's cycles are those of every domain. */
static bool summable(const struct pc_unit *u, const struct pc_summary_chunk *c, uint32_t mask)
{
    for (unsigned x = 0; x < u->chip->domains; x++) {
        const struct pc_domain *d = &u->state.domain[x];
        if (mask >> x & 1 && (c->domain[x].edge || !eg_independent(u, x) || d->record.wedged ||
                              d->record.busy || d->record.pending))
            return false;
    }
    return true;
}

/* What the first cycle of the run makes of what was written before it. */
static void consume(struct maker *m, uint32_t mask)
{
    static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_state *s = &m->u->state;

    for (unsigned x = 0; x < m->u->chip->domains; x++)
        s->domain[x].pulse[0] = s->domain[x].pulse[1] = 0;
    pc_unit_step(m->u, mask, raw);
    for (unsigned x = 0; x < m->u->chip->domains; x++)
        if (!PC_GET(s->gctrl, GCTRL, PERIODIC_RESET))
            s->domain[x].periodic--; /* as if it were before that cycle */
}

static void fill(struct maker *m, uint32_t mask)
{
    struct pc_summary *s = m->out;
    const struct pc_summary_chunk *c = m->chunk;

    memcpy(s->magic, "pcsum01", 8);
    s->at = c->at;
    s->cycles = c->cycles - c->lead;
    s->features = m->u->chip->features;
    s->domains = m->u->chip->domains;
    s->holds = summable(m->u, c, mask);
    if (s->holds && c->at != 0)
        consume(m, mask);
    s->registers = eg_digest(m->u, mask);
    for (unsigned x = 0; x < s->domains; x++) {
        s->domain[x].still = !(mask >> x & 1);
        s->domain[x].control = m->u->state.domain[x].control;
        s->domain[x].threshold = m->u->state.domain[x].threshold;
        for (unsigned t = 0; t < EG_SUMMARY_TAIL; t++)
            eg_gather(&c->domain[x], c->cycles - EG_SUMMARY_TAIL + t, s->raw[t][x]);
        if (s->holds && !s->domain[x].still)
            summarise(m, x);
    }
}

enum pc_status pc_summary_create(const struct pc_unit *unit, struct pc_engine *engine,
                                 const struct pc_summary_chunk *chunk, struct pc_summary **out,
                                 struct pc_error *err)
{
    const struct pc_alloc *alloc = &unit->alloc;
    uint32_t mask = 0;

    for (unsigned x = 0; x < unit->chip->domains; x++)
        mask |= (uint32_t)!chunk->domain[x].still << x;
    enum pc_status status = check(unit, chunk, mask, err);
    if (status != PC_OK)
        return status;
    struct pc_unit *copy = pc_calloc(alloc, 1, sizeof *copy);
    struct pc_summary *s = pc_calloc(alloc, 1, sizeof *s);
    if (!copy || !s) {
        pc_free(alloc, copy, sizeof *copy);
        pc_free(alloc, s, sizeof *s);
        return pc_fail(err, 100, "no memory for a summary (%zu bytes)", sizeof *copy + sizeof *s);
    }
    *copy = *unit;
    if (unit->chip == &unit->of_set)
        copy->chip = &copy->of_set;
    s->alloc = *alloc;
    struct maker m = { .u = copy,
                       .e = engine,
                       .run = { .cycles = chunk->cycles, .domain = chunk->domain },
                       .chunk = chunk,
                       .out = s };
    fill(&m, mask);
    pc_free(alloc, copy, sizeof *copy);
    *out = s;
    return PC_OK;
}
