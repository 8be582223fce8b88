/* SPDX-License-Identifier: MIT */
/* A plan for people: pass by pass, what counts what and why it is not fewer. */
#include "plan.h"

#include <inttypes.h>
#include <string.h>

#define CONFLICTS 8 /* shown in text */
#define REASONS   3 /* of one pass */

/* "domain 1", "gpc0.1" */
static void print_place(FILE *out, const struct plan_job *j, unsigned domain)
{
    struct pc_chip_domain place;

    (void)pc_chip_get_domain(j->chip, domain, &place);
    fprintf(out, "%s%s", j->chip->layout == PC_LAYOUT_GF100 ? "" : "domain ", place.name);
}

/* --- source groups without a value --- */

static bool in_list(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (; list && *list; list += strcspn(list, " "), list += strspn(list, " "))
        if (strcspn(list, " ") == n && strncmp(list, word, n) == 0)
            return true;
    return false;
}

/* The event says itself what the register is to be. */
static bool sets(const struct plan_event *e, const struct pc_source *s)
{
    char reg[16];

    snprintf(reg, sizeof reg, "0x%06" PRIx32, s->address);
    for (size_t i = 0; i < e->muxes; i++)
        if (strcmp(e->mux[i].reg, reg) == 0 && (e->mux[i].mask & s->mask << s->shift))
            return true;
    return false;
}

bool plan_unset_at(const struct plan_job *j, size_t pass, size_t i, struct pc_source *out)
{
    for (size_t k = 0; pc_source_at(k, out); k++) {
        bool wanted = false;
        for (size_t n = 0; n < j->events && !wanted; n++)
            wanted = in_list(j->event[n].unset, out->group) && !sets(&j->event[n], out) &&
                     pc_names_chip_listed(out->chips, j->chip->name) &&
                     pc_plan_place_of(j->plan, n).pass == pass;
        if (wanted && i-- == 0)
            return true;
    }
    return false;
}

/* --- text --- */

/* Nobody said the value; another event of the pass may have said one. */
static void print_unset(FILE *out, const struct plan_job *j, size_t pass, const struct pc_source *s)
{
    uint32_t mask = plan_source_mask(s);
    struct pc_plan_mux m;
    char reg[16];

    snprintf(reg, sizeof reg, "0x%06" PRIx32, s->address);
    fprintf(out, "  set first  %s, bits 0x%08" PRIx32 " (%s): its value is for --mux to say", reg,
            mask, s->name);
    for (size_t i = 0; pc_plan_mux_at(j->plan, pass, i, &m); i++)
        if (strcmp(m.reg, reg) == 0 && (m.mask & mask))
            fprintf(out, "; others need 0x%08" PRIx32, m.value & mask);
    fputc('\n', out);
}

static void print_mux(FILE *out, const struct plan_job *j, size_t pass)
{
    struct pc_plan_mux m;
    struct pc_source s;

    for (size_t i = 0; pc_plan_mux_at(j->plan, pass, i, &m); i++) {
        fprintf(out, "  set first  %s = ", m.reg);
        if (m.unknown)
            fputs("a value that is not known", out);
        else
            fprintf(out, "0x%08" PRIx32, m.value);
        if (m.mask != UINT32_MAX)
            fprintf(out, ", only the bits 0x%08" PRIx32, m.mask);
        fputc('\n', out);
    }
    for (size_t i = 0; plan_unset_at(j, pass, i, &s); i++)
        print_unset(out, j, pass, &s);
}

static int name_width(const struct plan_job *j)
{
    int width = 4;

    for (size_t n = 0; n < j->events; n++) {
        int w = (int)strlen(j->event[n].name);
        width = w > width && w <= 36 ? w : width;
    }
    return width;
}

static void print_writes(FILE *out, const struct plan_job *j, size_t pass, unsigned domain)
{
    struct pc_program program;
    struct pc_error err;

    if (pc_plan_compile(j->plan, pass, domain, &program, &err) != PC_OK)
        return;
    for (size_t i = 0; i < program.writes; i++)
        fprintf(out, "    0x%06" PRIx32 "  0x%08" PRIx32 "  %s\n", program.write[i].address,
                program.write[i].value, program.write[i].name);
    if (program.swap.mask)
        fprintf(out, "    each swap: 0x%06" PRIx32 "  0x%08" PRIx32 "  %s\n", program.swap.address,
                program.swap.value, program.swap.name);
}

static void print_domain(FILE *out, const struct plan_job *j, size_t pass, unsigned domain,
                         const struct pc_plan_domain *d)
{
    int width = name_width(j);

    fputs("  ", out);
    print_place(out, j, domain);
    fprintf(out, ", %s\n", d->ctr_mode);
    for (unsigned s = 0; s < PLAN_SLOTS; s++) {
        if (d->event[s] < 0)
            continue;
        const struct plan_event *e = &j->event[d->event[s]];
        fprintf(out, "    %-5s  ", pc_input_name((enum pc_input_id)s));
        if (strcmp(e->name, e->text) == 0)
            cli_print_name(out, e->text);
        else
            fprintf(out, "%-*s  %s", width, e->name, e->text);
        fputc('\n', out);
    }
    if (j->o->writes)
        print_writes(out, j, pass, domain);
}

/* Why the pass is not one with those before it; each reason once. */
static void print_reasons(FILE *out, const struct plan_job *j, size_t pass)
{
    char reason[REASONS][400];
    unsigned shown = 0;

    for (size_t p = 0; p < pass && shown < REASONS; p++) {
        bool again = false;
        pc_plan_why(j->plan, p, pass, reason[shown], sizeof reason[shown]);
        for (unsigned i = 0; i < shown; i++)
            again |= strcmp(reason[i], reason[shown]) == 0;
        if (again || !reason[shown][0])
            continue;
        fprintf(out, "  not in pass %zu: %s\n", p + 1, reason[shown]);
        shown++;
    }
}

static void print_conflicts(FILE *out, const struct plan_job *j)
{
    size_t count = 0;
    char why[400];

    for (size_t a = 0; a < j->events; a++)
        for (size_t b = a + 1; b < j->events; b++) {
            if (!pc_plan_conflict(j->plan, a, b, why, sizeof why))
                continue;
            if (count == 0)
                fputs("\nnever in one pass\n", out);
            if (count++ < CONFLICTS)
                fprintf(out, "  %s, %s: %s\n", j->event[a].name, j->event[b].name, why);
        }
    if (count > CONFLICTS)
        fprintf(out, "  and %zu more pairs; --format json has all\n", count - CONFLICTS);
}

static void print_metrics(FILE *out, const struct plan_job *j)
{
    int width = 0;

    for (size_t i = 0; i < j->metrics.count; i++) {
        int w = (int)strlen(j->metrics.metric[i].info.name);
        width = w > width && w <= 36 ? w : width;
    }
    if (j->metrics.count)
        fputs("\nmetrics\n", out);
    for (size_t i = 0; i < j->metrics.count; i++) {
        const struct cli_metric *m = &j->metrics.metric[i];
        fprintf(out, "  %-*s  = ", width, m->info.name);
        cli_print_name(out, m->info.formula);
        fprintf(out, " %s", m->info.unit);
        if (m->info.events)
            fprintf(out, "   (pass %u)\n", pc_plan_place_of(j->plan, m->event[0]).pass + 1);
        else
            fputc('\n', out);
    }
}

void plan_print(FILE *out, const struct plan_job *j)
{
    size_t passes = pc_plan_passes(j->plan), bound = pc_plan_bound(j->plan);
    struct pc_plan_domain d;
    struct pc_chip_domain place;

    fprintf(out, "%s: %zu %s in %zu %s", j->chip->name, j->events,
            j->events == 1 ? "event" : "events", passes, passes == 1 ? "pass" : "passes");
    if (passes != bound)
        fprintf(out, "; no plan has fewer than %zu", bound);
    else if (passes > 1)
        fputs(", the minimum", out);
    if (bound > 1)
        fprintf(out, ": %s", pc_plan_bound_reason(j->plan));
    fputc('\n', out);
    for (size_t p = 0; p < passes; p++) {
        fprintf(out, "\npass %zu\n", p + 1);
        print_reasons(out, j, p);
        print_mux(out, j, p);
        for (unsigned k = 0; pc_chip_get_domain(j->chip, k, &place); k++)
            if (pc_plan_domain_at(j->plan, p, k, &d))
                print_domain(out, j, p, k, &d);
    }
    print_metrics(out, j);
    print_conflicts(out, j);
}
