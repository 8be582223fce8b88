/* SPDX-License-Identifier: MIT */
/* Finds what of a core is in the waveform: missing ports, events that can be seen, widths that fit.
 */
#include "core.h"
#include "wave/wave_bits.h"

#include <string.h>

void core_list_add(struct core_list *l, const char *name)
{
    enum { TAIL = 24 }; /* ", and 1000 more" */
    const char *separator = l->used ? ", " : l->before;
    const size_t need = strlen(separator) + strlen(name);

    l->count++;
    if (l->left_out || l->used + need + TAIL > l->size) {
        l->left_out++;
        return;
    }
    l->used += (size_t)snprintf(l->out + l->used, l->size - l->used, "%s%s", separator, name);
}

void core_list_end(const struct core_list *l)
{
    if (l->left_out)
        snprintf(l->out + l->used, l->size - l->used, "%s%zu more", l->used ? ", and " : l->before,
                 l->left_out);
}

size_t core_missing(const struct core *c, const enum core_port *want, char *out, size_t size)
{
    struct core_list l = { .out = out, .size = size, .before = "" };

    out[0] = '\0';
    for (; *want != CORE_PORTS; want++)
        if (!c->port[*want].present && core_looks_at(c, *want))
            core_list_add(&l, core_port_name(*want));
    core_list_end(&l);
    return l.count;
}

/* Does one of the ports' events stand in for commit_instr_i? */
static bool by_class(const struct core *c)
{
    for (unsigned i = CORE_LOAD; i <= CORE_FP; i++)
        if (c->port[i].present)
            return true;
    return false;
}

static uint32_t port_events(const struct core *c)
{
    static const uint8_t event[] = { 5, 6, 9, 12, 13, 20, 21 }; /* of CORE_LOAD .. CORE_FP */
    const struct core_source *p = c->port;
    const bool two = c->options->config->commit_ports > 1;
    uint32_t events = 0;

    if (!p[CORE_ACK].present)
        return 0;
    if (by_class(c)) {
        for (unsigned i = 0; i < sizeof event; i++)
            events |= (uint32_t)p[CORE_LOAD + i].present << event[i];
        return events;
    }
    const bool fu = p[CORE_FU_0].present && (!two || p[CORE_FU_1].present);
    const bool op = p[CORE_OP_0].present && (!two || p[CORE_OP_1].present);
    const bool rd = p[CORE_RD_0].present && (!two || p[CORE_RD_1].present);
    if (fu)
        events |= 1u << 5 | 1u << 6 | 1u << 9 | 1u << 20 | 1u << 21;
    if (op && rd)
        events |= 1u << 13 | (uint32_t)fu << 12;
    return events;
}

static uint32_t line_events(const struct core *c)
{
    static const struct {
        uint8_t event, line;
    } one[] = {
        { 1, PC_HPM_ICACHE_MISS },       { 2, PC_HPM_DCACHE_MISS },      { 3, PC_HPM_ITLB_MISS },
        { 4, PC_HPM_DTLB_MISS },         { 7, PC_HPM_EXCEPTION },        { 8, PC_HPM_ERET },
        { 11, PC_HPM_BRANCH_EXCEPTION }, { 14, PC_HPM_SCOREBOARD_FULL }, { 15, PC_HPM_FETCH_EMPTY },
        { 16, PC_HPM_ICACHE_REQUEST },   { 19, PC_HPM_TLB_FLUSH },       { 22, PC_HPM_ISSUE_STALL },
    };
    const struct core_source *p = c->port;
    uint32_t events = 1; /* selector 0 needs nothing */

    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        events |= (uint32_t)p[CORE_LINE_0 + one[i].line].present << one[i].event;
    if (p[CORE_RESOLVED].present && p[CORE_MISPREDICT].present)
        events |= 1u << 10;
    if (p[CORE_DCACHE_REQUEST_0].present && p[CORE_DCACHE_REQUEST_1].present &&
        p[CORE_DCACHE_REQUEST_2].present)
        events |= 1u << 17;
    if (p[CORE_EVICTION].present || (p[CORE_DCACHE_MISS].present && p[CORE_WAYS_0].present &&
                                     p[CORE_WAYS_1].present && p[CORE_WAYS_2].present))
        events |= 1u << 18;
    return events;
}

static bool fits(const struct core_source *s, unsigned bits)
{
    return s->constant || (s->padded ? s->bits <= bits : s->bits == bits);
}

/* A waveform of another configuration than the one that was named. */
int core_check_widths(const struct core *c)
{
    const struct pc_hpm_config *config = c->options->config;
    const struct core_source *ack = &c->port[CORE_ACK], *data = &c->port[CORE_RDATA];
    struct pc_error err;

    if (ack->present && !fits(ack, config->commit_ports))
        cli_fail(&err, 1035, "commit_ack_i has %s; %s has %s", cli_count(ack->bits, "bit"),
                 config->name, cli_count(config->commit_ports, "commit port"));
    else if (data->present && !fits(data, config->xlen))
        cli_fail(&err, 1035, "data_o has %u bits; %s has XLEN %u", data->bits, config->name,
                 (unsigned)config->xlen);
    else
        return CLI_OK;
    snprintf(err.hint, sizeof err.hint,
             "--core names the configuration of the design (`pcounter list cores` has them); where "
             "the dump left out bits that are always 0, a map has them: NAME = {0, SIGNAL}");
    return cli_error(&err, c->options->path, NULL);
}

/* Ports that are a variable and, in the same scope, a vector of other ones: neither was taken. */
int core_check_clear(const struct core *c)
{
    struct pc_wave_bit bits[CORE_MOST_BITS];
    struct pc_wave_var var;
    struct pc_error err;
    char path[1024];
    uint32_t hi, lo;
    size_t i, count;

    for (unsigned port = 0; port < CORE_MCYCLE && c->scope[0]; port++) {
        if (!c->port[port].present &&
            snprintf(path, sizeof path, "%s.%s", c->scope, core_port_name((enum core_port)port)) <
                (int)sizeof path &&
            pc_wave_find(c->wave, path, &i, &hi, &lo, NULL) == PC_OK &&
            pc_wave_get_var(c->wave, i, &var) == PC_OK && core_same_name(var.name, path) &&
            cli_find_bits(c->wave, path, bits, CORE_MOST_BITS, &count, 1035, &err) == PC_EAMBIG)
            return cli_error(&err, c->options->path, NULL);
    }
    return CLI_OK;
}

uint32_t core_events(const struct core *c)
{
    return port_events(c) | line_events(c);
}
