/* SPDX-License-Identifier: MIT */
/* Blocks of a waveform: planes of the ports, which of them are unknown, and the times of edges. */
#include "core.h"
#include "core_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct core_planes {
    uint64_t ones[PC_BLOCK_WORDS];
};

/* ---- opening ---- */

static struct pc_wave_clock core_clock(const struct core *c)
{
    const struct core_source *clk = &c->port[CORE_CLOCK];

    return (struct pc_wave_clock){ .edge = clk->inverted ? PC_EDGE_NEG : PC_EDGE_POS,
                                   .clock = clk->bit[0] };
}

static enum pc_status bind_ports(struct core *c, struct pc_error *err)
{
    const struct pc_wave_clock clock = core_clock(c);
    struct pc_wave_bit *bits = calloc((size_t)CORE_PORTS * CORE_MOST_BITS, sizeof *bits);
    unsigned stream;

    c->planes = calloc(1, sizeof *c->planes);
    if (!bits || !c->planes) {
        free(bits);
        return cli_fail(err, 100, "no memory for the signals of the core");
    }
    memset(c->planes->ones, 0xff, sizeof c->planes->ones);
    for (unsigned i = 0; i < CORE_PORTS; i++) {
        c->port[i].wire = (uint32_t)c->wires;
        if (!core_wanted(c, i))
            continue;
        for (uint32_t b = 0; b < c->port[i].bits; b++)
            bits[c->wires++] = c->port[i].bit[b];
    }
    enum pc_status status = pc_wave_bind(c->wave, &clock, bits, c->wires, &stream, err);
    free(bits);
    return status == PC_OK ? core_invert_open(c, err) : status;
}

int core_open(struct core *c, const struct core_options *o)
{
    struct pc_wave_desc desc = cli_wave_desc(o->read, o->path);
    struct pc_error err;

    desc.threads = o->threads;
    *c = (struct core){ .options = o };
    if (cli_claim_input(o->verb, o->path) != CLI_OK)
        return CLI_INPUT;
    if (cli_wave_open(&desc, &c->wave, &err) != PC_OK)
        return cli_error(&err, o->path, NULL);
    int code = core_find_ports(c);
    if (code == CLI_OK && bind_ports(c, &err) != PC_OK)
        code = cli_error(&err, o->path, NULL);
    return code;
}

void core_close(struct core *c)
{
    pc_wave_close(c->wave);
    core_invert_close(c);
    free(c->scope);
    free(c->bit);
    free(c->planes);
    *c = (struct core){ .options = NULL };
}

/* ---- planes ---- */

const uint64_t *core_plane(const struct core *c, enum core_port port, unsigned bit)
{
    const struct core_source *s = &c->port[port];

    if (!s->present || bit >= s->bits)
        return NULL;
    if (s->constant)
        return s->value >> bit & 1 ? c->planes->ones : NULL;
    return core_wanted(c, port) ? c->block.value[s->wire + bit] : NULL;
}

static uint64_t word(const uint64_t *p, size_t w)
{
    return p ? p[w] : 0;
}

enum pc_status core_next(struct core *c, struct pc_error *err)
{
    const enum pc_status status = pc_wave_next(c->wave, &c->block, err);

    if (status == PC_OK)
        core_invert_block(c);
    return status;
}

uint64_t core_port_unknown(const struct core *c, enum core_port port, size_t w)
{
    const struct core_source *s = &c->port[port];
    uint64_t unknown = 0;

    for (unsigned b = 0; core_wanted(c, port) && b < s->bits; b++)
        unknown |= c->block.unknown[s->wire + b][w];
    return unknown;
}

/* Valid bits of the D-cache are looked at where it misses, and where nothing stands for them. */
static uint64_t unknown_ways(const struct core *c, size_t w)
{
    uint64_t unknown = 0;

    if (c->port[CORE_EVICTION].present)
        return 0;
    for (unsigned i = 0; i < 3; i++)
        unknown |= core_port_unknown(c, CORE_WAYS_0 + i, w);
    return unknown & word(core_plane(c, CORE_DCACHE_MISS, 0), w);
}

uint64_t core_unknown(const struct core *c, size_t w)
{
    if (!c->block.any_unknown)
        return 0;
    uint64_t unknown = core_port_unknown(c, CORE_DEBUG, w) | core_port_unknown(c, CORE_WRITE, w) |
                       core_port_unknown(c, CORE_INHIBIT, w) | core_port_unknown(c, CORE_ACK, w);

    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        unknown |= core_port_unknown(c, CORE_LINE_0 + i, w);
    for (unsigned i = CORE_LOAD; i <= CORE_CSR_OP; i++)
        unknown |= core_port_unknown(c, (enum core_port)i, w);
    for (unsigned i = CORE_FU_0; i <= CORE_RS1_1; i++)
        unknown |= core_port_unknown(c, (enum core_port)i, w) &
                   word(core_plane(c, CORE_ACK, i >= CORE_FU_1), w);
    return unknown | unknown_ways(c, w) |
           (word(core_plane(c, CORE_WRITE, 0), w) &
            (core_port_unknown(c, CORE_ADDRESS, w) | core_port_unknown(c, CORE_WDATA, w)));
}

uint64_t core_out_of_reset(const struct core *c, size_t w)
{
    return c->port[CORE_RESET].present ? word(core_plane(c, CORE_RESET, 0), w) : UINT64_MAX;
}

/* ---- times ---- */

/* The edges once more, without any signal. */
static enum pc_status open_edges(const struct core *c, struct pc_wave **out, struct pc_error *err)
{
    const struct pc_wave_clock clock = core_clock(c);
    const struct pc_wave_bit bit = clock.clock;
    const struct pc_wave_desc desc = cli_wave_desc(c->options->read, c->options->path);
    unsigned stream;

    if (cli_read_once(c->options->path))
        return cli_fail(err, 1039, "%s cannot be read twice for the times of edges",
                        cli_input_name(c->options->path));
    enum pc_status status = cli_wave_open(&desc, out, err);
    return status == PC_OK ? pc_wave_bind(*out, &clock, &bit, 1, &stream, err) : status;
}

bool core_edge_times(const struct core *c, const uint64_t *cycle, size_t count, uint64_t *time)
{
    struct pc_wave *wave = NULL;
    struct pc_wave_instant now;
    struct pc_error err;
    enum pc_status status = open_edges(c, &wave, &err);
    size_t done = 0;

    for (uint64_t n = 0; status == PC_OK && done < count; n++) {
        status = pc_wave_step(wave, &now, &err);
        while (status == PC_OK && done < count && cycle[done] == n)
            time[done++] = now.time;
    }
    pc_wave_close(wave);
    return done == count;
}

int core_find_window(const struct core *c, struct cli_window *w)
{
    const struct pc_wave_desc desc = cli_wave_desc(c->options->read, c->options->path);
    const struct pc_wave_clock clock = core_clock(c);
    struct pc_wave_info info;

    pc_wave_get_info(c->wave, &info);
    return cli_window_find(w, &info, &desc, &clock);
}

int core_switch_quirk(const char *verb, const char *text, uint32_t *on, uint32_t *off)
{
    const char *equals = strchr(text, '=');
    char name[64];
    uint32_t bit;
    struct pc_error err;

    if (!equals || (strcmp(equals, "=on") != 0 && strcmp(equals, "=off") != 0))
        return cli_usage(verb, "--quirk takes NAME=on or NAME=off, not \"%s\"", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    if (pc_hpm_quirk_find(name, &bit, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    *on &= ~bit;
    *off &= ~bit;
    *(equals[2] == 'n' ? on : off) |= bit;
    return CLI_OK;
}

const char *const core_profiles[] = { "rtl", "spec", NULL };

const struct pc_hpm_profile *core_profile(const struct pc_hpm_profile *given)
{
    return given ? given : pc_hpm_profile_at(0);
}

void core_switched(uint32_t on, uint32_t off, char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; pc_hpm_quirk_at(i); i++) {
        const struct pc_hpm_quirk_info *q = pc_hpm_quirk_at(i);
        if ((on | off) & q->bit && n < size)
            n += (size_t)snprintf(out + n, size - n, " %c%s", off & q->bit ? '-' : '+', q->name);
    }
}
