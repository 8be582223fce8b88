/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: a difference, the rule that decided, and what would explain the design: a
 * description in which a quirk is the other way, another event, another bit of mcountinhibit.
 */
#include "check_wave.h"

#include <string.h>

static const struct pc_hpm_rule *rule_named(const char *clause)
{
    const struct pc_hpm_rule *rule = NULL;

    for (size_t i = 0; clause && (rule = pc_hpm_rule_at(i)) && strcmp(rule->clause, clause) != 0;
         i++)
        ;
    return rule;
}

/* ---- mcycle and minstret where no wire shows their writes ---- */

/* Was it written by the CSR instruction of the clock before, as far as is seen? */
static bool is_written(const struct wave_check *k, unsigned reg, const struct pc_core_difference *d)
{
    const struct core_source *p = k->core.port;

    if (d->was_reset || k->csr || reg >= PC_HPM_FIRST || !p[CORE_ADDRESS].present ||
        (wave_port_at(k, CORE_ADDRESS, true) & ~UINT64_C(0x80)) != 0xb00 + reg)
        return false;
    if (p[CORE_OP_0].present && wave_port_at(k, CORE_OP_0, true) == WAVE_CSR_READ_OP)
        return false;
    return !p[CORE_FU_0].present ||
           (wave_port_at(k, CORE_FU_0, true) == PC_HPM_FU_CSR &&
            (!p[CORE_ACK].present || (wave_port_at(k, CORE_ACK, true) & 1)));
}

/*
 * Returns what the write makes of the register, if it wrote what the design has now.  On XLEN 64
 * that is the design's value; on XLEN 32 the other half goes on or stands still (HPM.HALF.2).
 */
static uint64_t after_write(const struct wave_check *k, const struct pc_core_difference *d,
                            bool ticks)
{
    const uint64_t design = wave_number_of(&d->design),
                   other = wave_number_of(ticks ? &d->model : &d->before);

    if (k->core.options->config->xlen == 64)
        return design;
    return wave_port_at(k, CORE_ADDRESS, true) & 0x80 ? (design >> 32 << 32) | (other & UINT32_MAX)
                                                      : (other >> 32 << 32) | (design & UINT32_MAX);
}

static bool ticks(const struct wave_check *k)
{
    return k->result.quirks & PC_HPM_Q_HALF_WRITE_TICKS;
}

bool wave_takes(void *ctx, const struct pc_core_difference *d)
{
    struct wave_check *k = ctx;
    const unsigned reg = k->reg_of[d->item];

    k->told = d->edge;
    if (reg >= WAVE_REGS || !is_written(k, reg, d))
        return false;
    k->result.fixed_writes++;
    return d->design.unknown[0] || after_write(k, d, ticks(k)) == d->design.value[0];
}

/* ---- the rule that decided ---- */

/* The clause of what stands at the address, for a read of it. */
static const char *clause_at(const struct wave_check *k, unsigned address, const char *clause)
{
    const struct pc_hpm_config *config = k->core.options->config;
    struct pc_hpm_reg reg;

    if (strcmp(clause, "HPM.MAP.3") != 0 && strcmp(clause, "HPM.READ.1") != 0)
        return clause;
    if (pc_hpm_reg_at(config, address, &reg, NULL) != PC_OK)
        return "HPM.MAP.8";
    return clause;
}

/* Returns the clause of the event that a counter counts. */
static const char *clause_of_event(unsigned selector, uint32_t twice)
{
    const struct pc_hpm_event *e = selector > 0 ? pc_hpm_event_at(selector) : NULL;

    if (!e)
        return "HPM.COUNT.3";
    if (twice >> selector & 1)
        return "HPM.PORTS.1";
    return e->strict[0]                         ? "HPM.LINE.13"
           : e->need == PC_HPM_NEEDS_VALID_BITS ? "HPM.LINE.18"
                                                : "HPM.COUNT.1";
}

/* No rule made anything of the counter: why it stands still. */
static const char *clause_of_still(const struct wave_check *k, const struct wave_diff *d)
{
    if (k->stops && wave_port_at(k, CORE_DEBUG, true) & 1)
        return "HPM.DEBUG.1";
    if (d->inhibit >> d->reg & 1)
        return "HPM.INHIBIT.1";
    return d->reg == 2 ? "HPM.INSTRET.2" : "HPM.COUNT.1";
}

static const char *clause_of(const struct wave_check *k, const struct pc_core_difference *d,
                             const struct wave_diff *told, uint32_t twice)
{
    const char *said = d->of_check ? k->d.check_said[d->item].clause
                                   : described_rule_said(&k->d, d->item, d->rule)->clause;
    const unsigned reg = told->reg;

    if (d->of_check)
        return reg == WAVE_CSR_TRAP
                   ? said
                   : clause_at(k, reg == WAVE_RDATA ? told->address : told->csr.address,
                               said ? said : "");
    if (d->was_reset)
        return NULL;
    if (reg >= WAVE_SELECTORS && reg < WAVE_RDATA)
        return "HPM.MAP.9";
    if (reg >= WAVE_INHIBIT)
        return reg == WAVE_INHIBIT ? "HPM.MAP.5" : "HPM.MAP.6";
    if (reg < PC_HPM_FIRST && is_written(k, reg, d))
        return k->core.options->config->xlen == 32 ? "HPM.HALF.2" : "HPM.OP.1";
    if (!said || (strncmp(said, "HPM.STROBE", 10) == 0 && k->stops &&
                  (wave_port_at(k, CORE_DEBUG, true) & 1)))
        said = clause_of_still(k, told);
    return reg >= PC_HPM_FIRST && strcmp(said, "HPM.COUNT.1") == 0
               ? clause_of_event(told->selector, twice)
               : said;
}

/* ---- a quirk that would explain it ---- */

/* The description with the quirk the other way, made where it is first asked for; NULL: none. */
static struct described *other_of(struct wave_check *k, unsigned i)
{
    struct wave_other *o = &k->other[i];

    if (!o->tried) {
        o->tried = true;
        o->works = wave_describe_other(k, k->result.quirks ^ k->quirk[i]->bit, &o->d);
    }
    return o->works ? &o->d : NULL;
}

/* Do its checks of the same value find no fault? */
static bool checks_hold(struct wave_check *k, const struct described *other, unsigned reg)
{
    bool any = false;

    for (size_t i = 0; i < other->desc.checks; i++) {
        if (wave_value_of_check(other->check[i].name) != reg)
            continue;
        switch (pc_core_check_otherwise(k->d.core, other->core, i)) {
        case PC_CORE_FAILS:
            return false;
        case PC_CORE_HOLDS:
            any = true;
            break;
        case PC_CORE_NOT_LOOKED:
            break;
        }
    }
    return any;
}

static bool explains(struct wave_check *k, const struct pc_core_difference *d, unsigned i,
                     const struct wave_diff *told)
{
    const struct described *other;
    struct pc_core_value v;

    if (!d->of_check && is_written(k, told->reg, d)) /* no description has that write */
        return k->quirk[i]->bit == PC_HPM_Q_HALF_WRITE_TICKS &&
               after_write(k, d, !ticks(k)) == told->design;
    other = other_of(k, i);
    if (!other)
        return false;
    if (d->of_check)
        return checks_hold(k, other, told->reg);
    return pc_core_otherwise(k->d.core, other->core, d->item, &v) &&
           wave_number_of(&v) == told->design;
}

static void add_to_group(struct wave_result *r, const struct wave_diff *d)
{
    struct wave_group *g = r->group;

    for (; g < r->group + r->groups; g++)
        if (g->rule == d->rule && g->like == d->like)
            break;
    if (g == r->group + WAVE_GROUPS)
        return;
    if (g == r->group + r->groups) {
        r->groups++;
        *g = (struct wave_group){ .rule = d->rule, .like = d->like, .first = d->cycle };
    }
    g->count++;
    g->regs |= 1u << d->reg;
}

/*
 * Finds what else the design could do, if no quirk explains it: the events of which every
 * difference of the counter is what one of them would have given, and mcountinhibit's bit the other
 * way.
 */
static void guess(struct wave_check *k, const struct wave_diff *d, uint64_t before)
{
    const uint32_t visible = k->core.events & ((1u << PC_HPM_EVENTS) - 2);
    struct wave_guess *g = &k->result.guess[d->reg];

    if (d->reg < PC_HPM_FIRST || d->reg >= WAVE_SELECTORS || d->like || d->unknown)
        return;
    const uint64_t added = d->design - before;
    const bool inhibited = d->inhibit >> d->reg & 1, moves = added == 1 || added == 2;
    const uint32_t lines = moves ? d->events : added == 0 ? ~d->events : 0;
    if (g->differences++ == 0)
        *g = (struct wave_guess){ 1, visible, true, true };
    g->events &= inhibited || wave_port_at(k, CORE_WRITE, true) ? 0 : lines & ~(1u << d->selector);
    g->as_inhibited &= !inhibited && added == 0;
    g->as_counting &= inhibited && moves;
}

void wave_guess_text(const struct wave_result *r, unsigned reg, char *out, size_t size)
{
    enum { FEW = 3 };
    const struct wave_guess *g = &r->guess[reg];
    char names[200], one[80];
    struct core_list l = { .out = names, .size = sizeof names, .before = "" };

    out[0] = '\0';
    if (g->differences < 2)
        return;
    if (g->as_inhibited || g->as_counting) {
        snprintf(out, size, "bit %u of mcountinhibit were %u", reg, g->as_inhibited ? 1U : 0U);
        return;
    }
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        if (g->events >> e & 1) {
            snprintf(one, sizeof one, "%u %s", e, pc_hpm_event_at(e)->name);
            core_list_add(&l, one);
        }
    core_list_end(&l);
    if (l.count > 0 && l.count <= FEW)
        snprintf(out, size, "%s%s were selected", l.count > 1 ? "one of the events " : "event ",
                 names);
}

/* The clock that decided: of a register the one before, of an answer that of the edge itself. */
static void look_at_clock(struct wave_check *k, const struct pc_core_difference *d,
                          struct wave_diff *told, uint32_t *twice)
{
    const unsigned reg = told->reg;
    const bool before = !d->of_check;

    *twice = 0;
    if (d->was_reset)
        return;
    told->inhibit = (uint32_t)wave_port_at(k, CORE_INHIBIT, before);
    told->address = (unsigned)wave_port_at(k, CORE_ADDRESS, before);
    wave_access(k, before, told);
    if (reg < PC_HPM_FIRST || reg >= WAVE_SELECTORS)
        return;
    told->events = wave_events_before(k, twice);
    told->selector = (uint8_t)wave_value(k, WAVE_SELECTORS + reg - PC_HPM_FIRST, WAVE_BEFORE);
}

/* The run ends here: what the models had. */
static void keep_models(struct wave_check *k, const struct wave_diff *d)
{
    for (unsigned i = 0; i < WAVE_REGS; i++)
        k->result.last[i] = wave_value(k, i, WAVE_MODEL);
    k->result.last[d->reg] = d->design;
}

bool wave_differs(void *ctx, const struct pc_core_difference *d)
{
    struct wave_check *k = ctx;
    struct wave_result *r = &k->result;
    const unsigned reg = d->of_check ? k->check_of[d->item] : k->reg_of[d->item];
    struct wave_diff told = { .reg = reg, .cycle = d->edge };
    const uint64_t before = d->of_check ? 0 : wave_number_of(&d->before);
    uint32_t twice;

    k->told = d->edge;
    told.design = wave_number_of(&d->design);
    told.unknown = d->design.width && d->design.unknown[0];
    told.model = !d->of_check && is_written(k, reg, d) ? after_write(k, d, ticks(k))
                                                       : wave_number_of(&d->model);
    look_at_clock(k, d, &told, &twice);
    told.rule = rule_named(clause_of(k, d, &told, twice));
    for (unsigned i = 0; i < WAVE_QUIRKS && k->quirk[i] && !told.like && !told.unknown; i++)
        if (!d->was_reset && explains(k, d, i, &told))
            told.like = k->quirk[i];
    told.written = wave_last_write(k, reg);
    if (reg >= PC_HPM_FIRST && reg < WAVE_SELECTORS)
        told.selected = wave_last_write(k, WAVE_SELECTORS + reg - PC_HPM_FIRST);
    if (!d->was_reset)
        guess(k, &told, before);
    r->differences[reg]++;
    r->total_differences++;
    add_to_group(r, &told);
    if (r->shown_count < WAVE_SHOWN)
        r->shown[r->shown_count++] = told;
    r->stopped = !k->o->keep_going;
    if (r->stopped)
        keep_models(k, &told);
    return k->o->keep_going;
}
