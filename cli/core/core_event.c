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
