/* SPDX-License-Identifier: MIT */
/*
 * Finds names of a node riscv,pmu that OpenSBI does not read, which have no effect, and which
 * event each selector was meant for.
 */
#include "check_devicetree_rules.h"
#include "text/regs_text.h"

#include <inttypes.h>
#include <string.h>

enum { SELECTORS = 32, RESERVED_FIRST = 23 };

/* ---- properties ---- */

/* Those that any node may have, and the ones that Linux' binding of it had. */
static bool is_of_any_node(const char *name)
{
    static const char *const names[] = { "phandle",          "linux,phandle",       "name",
                                         "status",           "device_type",         "interrupts",
                                         "interrupt-parent", "interrupts-extended", "bootph-all" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void check_other(const struct dt_checking *c, const struct dt_other *o)
{
    const char *names[DT_PROPERTIES + 1] = { NULL };
    const enum dt_property old = dt_old_property(o->name, strlen(o->name));
    char near[120], why[240];

    if (is_of_any_node(o->name))
        return;
    if (old != DT_PROPERTIES) {
        snprintf(why, sizeof why,
                 "OpenSBI of 2021 had that name; it is %s now, and nothing reads these rows",
                 dt_property_name(old));
        dt_found(c, "old-prefix", false, o->line, why, "the node has %s", o->name);
        return;
    }
    for (int i = 0; i < DT_PROPERTIES; i++)
        names[i] = dt_property_name((enum dt_property)i);
    cli_near(o->name, names, near, sizeof near);
    char *second = strstr(near, ", "); /* the names have commas without a blank */
    if (second)
        *second = '\0';
    snprintf(why, sizeof why, "OpenSBI does not read it: what it says is ignored%s%s%s",
             near[0] ? "; did you mean " : "", near, near[0] ? "?" : "");
    dt_found(c, "unknown-property", false, o->line, why, "the node has %s", o->name);
}

void dt_check_names(const struct dt_checking *c)
{
    for (size_t i = 0; i < c->pmu->others && i < DT_MAX_OTHERS; i++)
        check_other(c, &c->pmu->other[i]);
    if (c->pmu->others > DT_MAX_OTHERS)
        dt_found(c, "unknown-property", false, c->pmu->line, "OpenSBI does not read them",
                 "%zu more properties", c->pmu->others - DT_MAX_OTHERS);
    if (!dt_cells_of(c, DT_SELECTORS)->present && !dt_cells_of(c, DT_COUNTERS)->present &&
        !dt_cells_of(c, DT_RAW)->present)
        dt_found(c, "maps-nothing", false, c->pmu->line,
                 "no event has a counter: OpenSBI offers cycles and instructions only, as "
                 "without the node",
                 "the node has neither %s nor %s", dt_property_name(DT_COUNTERS),
                 dt_property_name(DT_RAW));
}

/* ---- selectors that have changed places ---- */

static const struct emit_sbi_row *usual_of(const struct dt_checking *c, uint32_t index)
{
    const struct emit_sbi_row *row = NULL;

    for (size_t i = 0; (row = emit_sbi_at(c->r->config, i)) != NULL && row->index != index; i++)
        ;
    return row;
}

/* An event of the node that has another selector than its usual one, which is `selector`. */
static const struct emit_sbi_row *deprived_of(const struct dt_checking *c, uint32_t selector)
{
    uint32_t line;

    for (size_t i = 0; i < dt_rows_of(c, DT_SELECTORS); i++) {
        const uint32_t *row = dt_row_of(c, DT_SELECTORS, i, &line);
        const struct emit_sbi_row *usual = usual_of(c, row[0]);
        if (usual && usual->event == selector && row[2] % SELECTORS != selector)
            return usual;
    }
    return NULL;
}

/* An event that has a usual selector, and another one here. */
void dt_check_meaning(const struct dt_checking *c, uint32_t line, const uint32_t *row)
{
    const struct emit_sbi_row *usual = usual_of(c, row[0]);
    const uint32_t kept = row[2] % SELECTORS;
    char why[240];

    if (usual && usual->event != kept && kept > 0 && kept < RESERVED_FIRST) {
        const struct emit_sbi_row *other = deprived_of(c, kept);
        if (other)
            snprintf(why, sizeof why,
                     "that is the selector of %s, which has another one here: %s "
                     "is selector 0x%02x, %s",
                     other->name, usual->name, usual->event, dt_counts_as(usual->event));
        else
            snprintf(why, sizeof why, "%s is selector 0x%02x, %s", usual->name, usual->event,
                     dt_counts_as(usual->event));
        dt_found(c, other ? "exchanged-events" : "other-meaning", !other, line, why,
                 "event 0x%05" PRIx32 " counts %s", row[0], dt_counts_as(row[2]));
    }
    if (row[0] == EMIT_SBI_CYCLES || row[0] == EMIT_SBI_INSTRUCTIONS)
        dt_found(c, "fixed-event", false, line,
                 "no selector of CVA6 counts clocks or instructions: mcycle and minstret do",
                 "event %s has a selector", dt_event_text(c, row[0]).text);
}
