/* SPDX-License-Identifier: MIT */
/* pcounter list cores, events, quirks: CVA6's counters. */
#include "list.h"

#include <string.h>

static const char *yes(bool b)
{
    return b ? "yes" : "no";
}

int list_cores(const struct list_request *r)
{
    static const char *const titles[] = { "CORE",   "XLEN", "PORTS",      "COUNTERS", "MODES",
                                          "DCACHE", "WAYS", "SHARED TLB", "CNTR",     "HPM" };
    static const int widths[] = { -30, 4, 5, 8, -7, -22, 4, -10, -4, -3 };
    struct list_table t = { r, titles, widths, 10, 0, NULL };

    list_table_begin(&t);
    for (size_t i = 0; pc_hpm_config_at(i); i++) {
        const struct pc_hpm_config *c = pc_hpm_config_at(i);
        char xlen[8], ports[8], ways[8], modes[8];
        snprintf(xlen, sizeof xlen, "%u", (unsigned)c->xlen);
        snprintf(ports, sizeof ports, "%u", (unsigned)c->commit_ports);
        snprintf(ways, sizeof ways, "%u", (unsigned)c->dcache_ways);
        snprintf(modes, sizeof modes, "M%s%s%s", c->rvs ? " S" : "", c->rvu ? " U" : "",
                 c->rvh ? " H" : "");
        const char *cell[] = { c->name,        xlen,
                               ports,          c->perf_counter_en ? "6" : "0",
                               modes,          pc_hpm_dcache_name(c->dcache),
                               ways,           yes(c->shared_tlb),
                               yes(c->zicntr), yes(c->zihpm),
                               yes(c->debug),  yes(c->rvc),
                               yes(c->rvf),    yes(c->mmu),
                               c->aliases,     c->notes };
        if (list_wanted(r, c->name, c->aliases))
            list_table_row(&t, cell);
    }
    return list_table_end(&t, "core");
}

static const char *unit_name(enum pc_hpm_unit unit)
{
    return unit == PC_HPM_CLOCKS        ? "clock"
           : unit == PC_HPM_RETIREMENTS ? "retirement"
                                        : "occurrence";
}

static const char *topic_name(enum pc_hpm_topic topic)
{
    static const char *const name[] = { "memory", "instructions", "microarch" };

    return name[topic];
}

int list_events(const struct list_request *r)
{
    static const char *const titles[] = { "ID", "NAME", "MANUAL", "TOPIC", "UNIT", "COUNTS" };
    static const int widths[] = { 2, -35, -27, -12, -10, -1 };
    const bool text = r->text;
    const struct pc_hpm_profile *rtl = NULL;
    struct list_table t = { r, titles, widths, 6, 0, NULL };
    struct pc_error err;

    if (pc_hpm_profile_find("rtl", &rtl, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    list_table_begin(&t);
    for (unsigned id = 1; pc_hpm_event_at(id); id++) {
        const struct pc_hpm_event *e = pc_hpm_event_at(id);
        const char *about = r->core ? pc_hpm_event_about(r->core, id) : e->about;
        const char *never = r->core ? pc_hpm_event_never(r->core, rtl->quirks, id) : NULL;
        char number[8], line[400];
        snprintf(number, sizeof number, "%u", id);
        snprintf(line, sizeof line, "NEVER: %s", never ? never : "");
        const char *cell[] = { number,
                               e->name,
                               e->seed_name,
                               topic_name(e->topic),
                               unit_name(e->unit),
                               text && never ? line : about,
                               never ? never : "",
                               e->line };
        if (list_wanted(r, e->name, e->seed_name))
            list_table_row(&t, cell);
    }
    return list_table_end(&t, "event");
}

int list_quirks(const struct list_request *r)
{
    static const char *const titles[] = { "QUIRK", "SPEC", "RTL", "CLAUSE", "ABOUT" };
    static const int widths[] = { -18, -4, -3, -12, -1 };
    struct list_table t = { r, titles, widths, 5, 0, NULL };

    list_table_begin(&t);
    for (size_t i = 0; pc_hpm_quirk_at(i); i++) {
        const struct pc_hpm_quirk_info *q = pc_hpm_quirk_at(i);
        const char *cell[] = { q->name, q->in_spec ? "on" : "off", q->in_rtl ? "on" : "off",
                               q->clause, q->about };
        if (list_wanted(r, q->name, q->clause))
            list_table_row(&t, cell);
    }
    return list_table_end(&t, "quirk");
}
