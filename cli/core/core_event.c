/* SPDX-License-Identifier: MIT */
/* Events of CVA6 as expressions over the ports of perf_counters: those of the events' rows. */
#include "core.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

bool core_next_name(const char **at, unsigned port, char out[CORE_NAME])
{
    const char *p = *at;
    size_t n = 0;

    while (*p && !islower((unsigned char)*p))
        if (isdigit((unsigned char)*p)) /* of a number: 1, 32'hff */
            while (isalnum((unsigned char)*p) || *p == '\'')
                p++;
        else
            p++;
    for (; islower((unsigned char)*p) || isdigit((unsigned char)*p) || (*p && strchr("_.[]%", *p));
         p++)
        if (n + 1 < CORE_NAME)
            out[n++] = *p == '%' ? (char)('0' + port) : *p;
    out[n] = '\0';
    *at = p;
    return strcmp(out, "inside") == 0 ? core_next_name(at, port, out) : n > 0;
}

/* Writes an expression of a row for a commit port. */
static void put(FILE *file, const char *text, unsigned port, uint32_t ways, uint32_t full)
{
    for (; *text; text++) {
        if (*text == '%') {
            fprintf(file, "%u", port);
        } else if (strncmp(text, "WAYS", 4) == 0 || strncmp(text, "FULL", 4) == 0) {
            fprintf(file, "32'h%" PRIx32, *text == 'W' ? ways : full);
            text += 3;
        } else {
            fputc(*text, file);
        }
    }
}

void core_put_port(FILE *file, const struct pc_hpm_config *config, uint32_t quirks,
                   const struct pc_hpm_event *event, unsigned port, bool strict)
{
    const uint32_t ways =
        config->dcache_ways >= 32 ? UINT32_MAX : (UINT32_C(1) << config->dcache_ways) - 1;
    const uint32_t full = quirks & PC_HPM_Q_EVICT_FF ? 0xff : ways;

    if (event->unit == PC_HPM_RETIREMENTS)
        fprintf(file, "commit_ack_i[%u] & ", port);
    put(file, event->expression, port, ways, full);
    if (event->strict[0] && strict && !(quirks & PC_HPM_Q_RET_ANY_RS1)) {
        fputs(" & ", file);
        put(file, event->strict, port, ways, full);
    }
}

void core_put_event(FILE *file, const struct pc_hpm_config *config, uint32_t quirks,
                    const struct pc_hpm_event *event, bool strict)
{
    const char *join = quirks & PC_HPM_Q_OR_PORTS ? ") | (" : ") + (";

    if (event->unit != PC_HPM_RETIREMENTS) {
        core_put_port(file, config, quirks, event, 0, strict);
        return;
    }
    for (unsigned p = 0; p < config->commit_ports; p++) {
        fputs(p ? join : "(", file);
        core_put_port(file, config, quirks, event, p, strict);
    }
    fputc(')', file);
}

const struct core_source *core_find_named(const struct core *c, const char *name, bool *bit)
{
    const size_t n = strlen(name);

    for (unsigned i = 0; i < CORE_PORTS; i++) {
        const char *port = core_port_name((enum core_port)i);
        const size_t k = strlen(port);
        *bit = n == k + 3 && name[k] == '[';
        if (strncmp(name, port, k) == 0 && (n == k || *bit))
            return &c->port[i];
    }
    return NULL;
}

bool core_by_wire(const struct core *c, const struct pc_hpm_event *e)
{
    const struct pc_hpm_event *other;
    bool bit, any = e->wire[0] && core_find_named(c, e->wire, &bit)->present;

    for (size_t i = 0; e->unit == PC_HPM_RETIREMENTS && (other = pc_hpm_event_at(i)); i++)
        any |= other->unit == PC_HPM_RETIREMENTS && core_find_named(c, other->wire, &bit)->present;
    return any;
}

void core_put_seen(FILE *file, const struct core *c, uint32_t quirks, const struct pc_hpm_event *e,
                   unsigned port)
{
    const unsigned step = CORE_RS1_1 - CORE_RS1_0;

    if (!core_by_wire(c, e))
        core_put_port(file, c->options->config, quirks, e, port,
                      c->port[CORE_RS1_0 + step * port].present);
    else if (e->unit == PC_HPM_RETIREMENTS)
        fprintf(file, "commit_ack_i[%u] & %s[%u]", port, e->wire, port);
    else
        fprintf(file, "%s%s", c->port[CORE_DCACHE_MISS].present ? "l1_dcache_miss_i & " : "",
                e->wire);
}

void core_put_seen_event(FILE *file, const struct core *c, uint32_t quirks,
                         const struct pc_hpm_event *e)
{
    const unsigned ports = e->unit == PC_HPM_RETIREMENTS ? c->options->config->commit_ports : 1;

    for (unsigned p = 0; p < ports; p++) {
        fputs(p == 0 ? "(" : quirks & PC_HPM_Q_OR_PORTS ? ") | (" : ") + (", file);
        core_put_seen(file, c, quirks, e, p);
    }
    fputc(')', file);
}
