/* SPDX-License-Identifier: MIT */
/* Notes of a core's waveform beside what is counted or compared in it. */
#include "core.h"

void core_note_rs1(const struct core *c, uint32_t quirks)
{
    const unsigned step = CORE_RS1_1 - CORE_RS1_0;

    const struct pc_hpm_event *e = pc_hpm_event_at(0);

    while (e && !e->strict[0])
        e = pc_hpm_event_at(e->id + 1);
    if (!e || (quirks & PC_HPM_Q_RET_ANY_RS1) || !(c->events >> e->id & 1) ||
        c->port[CORE_RETURN].present)
        return;
    for (unsigned i = 0; i < c->options->config->commit_ports; i++)
        if (!c->port[CORE_RS1_0 + step * i].present)
            cli_note(1041,
                     "%s is not in the waveform: %s is every jalr with rd=x0, whatever rs1 is; "
                     "--map can name it",
                     core_port_name((enum core_port)(CORE_RS1_0 + step * i)), e->name);
}

/* Event 18 looks at the configuration's ways; the design's may be others. */
static void note_ways(const struct core *c)
{
    const struct pc_hpm_config *config = c->options->config;

    if (!config->perf_counter_en || c->port[CORE_EVICTION].present)
        return;
    for (unsigned i = CORE_WAYS_0; i <= CORE_WAYS_2; i++) {
        const struct core_source *s = &c->port[i];
        if (s->present && !s->constant && s->bits != config->dcache_ways) {
            cli_note(1050,
                     "%s has %s, and the D-cache of %s %s: L1_CACHE_LINE_EVICTION is counted by "
                     "the latter",
                     core_port_name((enum core_port)i), cli_count(s->bits, "bit"), config->name,
                     cli_count(config->dcache_ways, "way"));
            return;
        }
    }
}

/* Ports that the scope has not. */
static void note_around(const struct core *c)
{
    char text[1000];
    struct core_list l = { .out = text, .size = sizeof text, .before = "" };

    for (unsigned i = 0; i < CORE_PORTS; i++) /* mcycle and minstret are never inside */
        if (c->port[i].around && i != CORE_MCYCLE && i != CORE_MINSTRET && i < CORE_CSR_0)
            core_list_add(&l, core_port_name((enum core_port)i));
    core_list_end(&l);
    if (l.count)
        cli_note(1051, "found in the scopes around %s: %s", c->scope, text);
}

void core_warn(const struct core *c)
{
    note_around(c);
    if (c->hint[0]) /* there is a map, which may be meant for all ports */
        cli_note(1041, "ports are looked for by the map alone: %s", c->hint);
    note_ways(c);
    cli_wave_warnings(c->wave, c->options->path);
}
