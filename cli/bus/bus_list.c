/* SPDX-License-Identifier: MIT */
/* --list: what was found, as a map that --map takes; and the protocols with their signals. */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

static void put_member(FILE *out, int depth, const char *name, const char *value)
{
    fprintf(out, "%*s%s: ", 2 * depth, "", name);
    cli_yaml_string(out, value);
    fputc('\n', out);
}

/* Prints what the data say, as comments. */
static void put_evidence(FILE *out, const struct bus_item *item)
{
    for (size_t i = 0; item->proof && i < item->proof->aliases; i++) {
        fputs("    # the same: ", out);
        cli_print_name(out, item->proof->alias[i]);
        fputc('\n', out);
    }
    for (unsigned i = 0; item->proof && i < BUS_LINES; i++)
        if (item->proof->line[i]) {
            fputs("    # ", out);
            cli_print_name(out, item->proof->line[i]);
            fputc('\n', out);
        }
}

/* The clocks that it may be: who knows takes the mark away before one of them. */
static void put_choice(FILE *out, const struct bus_item *item)
{
    for (size_t i = 0; i < 2; i++)
        if (item->proof->candidate[i]) {
            fputs("    # clock: ", out);
            cli_yaml_string(out, item->proof->candidate[i]);
            fputc('\n', out);
        }
}

void bus_list_text(struct bus_run *run, FILE *out)
{
    struct pc_bus_role role;

    fputs("buses:\n", out);
    for (size_t i = 0; i < run->items; i++) {
        const struct bus_item *item = &run->item[i];
        fputs("  ", out);
        cli_yaml_string(out, item->name);
        fputs(":\n", out);
        put_member(out, 2, "protocol", pc_bus_protocol_name(item->protocol));
        put_evidence(out, item);
        if (item->clock && !(bus_is_unsure(item) && !item->proof->data.unsure_of_reset))
            put_member(out, 2, "clock", item->clock);
        else if (!item->clock)
            fputs("    # no clock was found\n", out);
        else
            put_choice(out, item);
        if (item->reset) {
            put_member(out, 2, "reset", item->reset);
            fprintf(out, "    reset_active: %d\n", !item->reset_low);
        }
        if (strcmp(pc_bus_protocol_name(item->protocol), "credit") == 0)
            fprintf(out, "    credit_init: %u\n", item->credit_init);
        fputs("    signals:\n", out);
        for (size_t k = 0; pc_bus_role_at(item->protocol, k, &role); k++)
            if (item->role[k])
                put_member(out, 3, role.name, item->role[k]);
    }
}

void bus_list_protocols(FILE *out)
{
    const struct pc_bus_protocol *p;
    struct pc_bus_role role;

    for (size_t i = 0; (p = pc_bus_protocol_at(i)) != NULL; i++) {
        int column = fprintf(out, "%-20s", pc_bus_protocol_name(p));
        for (size_t k = 0; pc_bus_role_at(p, k, &role); k++) {
            if (column + (int)strlen(role.name) + 1 > 80)
                column = fprintf(out, "\n%20s", "") - 1;
            column += fprintf(out, " %s", role.name);
        }
        fputc('\n', out);
    }
}
