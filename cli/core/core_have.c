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

/* Is the port of that name there, a bit of it or the whole? */
static bool has_port(const struct core *c, const char *name)
{
    bool bit;
    const struct core_source *s = core_find_named(c, name, &bit);

    return s && s->present;
}

/* Is all there that the event looks at? */
static bool has_event(const struct core *c, const struct pc_hpm_event *e)
{
    const bool retires = e->unit == PC_HPM_RETIREMENTS;
    char name[CORE_NAME];

    if ((retires && !c->port[CORE_ACK].present) || e->id == 0)
        return e->id == 0; /* which needs nothing */
    if (core_by_wire(c, e))
        return has_port(c, e->wire);
    for (unsigned p = 0; p < (retires ? c->options->config->commit_ports : 1u); p++)
        for (const char *at = e->expression; core_next_name(&at, p, name);)
            if (!has_port(c, name))
                return false;
    return true;
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
    uint32_t events = 0;

    for (unsigned e = 0; e < PC_HPM_EVENTS; e++)
        events |= (uint32_t)has_event(c, pc_hpm_event_at(e)) << e;
    return events;
}
