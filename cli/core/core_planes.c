/* SPDX-License-Identifier: MIT */
/*
 * Blocks of a waveform as the inputs of the model, and as numbers of single clocks.
 * Encodings are those of CVA6's ariane_pkg: fu_op ADD is 0, JALR 19 and CSR_READ 34 (csrrs and
 * csrrc that write nothing).
 */
#include "core.h"
#include "core_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OP_ADD = 0, OP_JALR = 19, OP_CSR_READ = 34, OP_BITS = 8 };

typedef uint64_t plane[PC_BLOCK_WORDS];

struct core_planes {
    plane ones;
    plane csr_read; /* of commit_instr_i[0].op */
    struct {
        plane op_add, op_jalr; /* of commit_instr_i[].op */
        plane rd_top, rs1_top; /* of .rd and .rs1, where they have 6 bits */
        plane fu[3], rd;       /* of load_event and its like */
    } port[PC_HPM_MAX_PORTS];
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

/* Clocks in which the port, of `bits` bits, is `value`. */
static void equals(const struct core *c, enum core_port port, unsigned bits, unsigned value,
                   uint64_t *out)
{
    const size_t words = (c->block.cycles + 63) / 64;

    for (size_t w = 0; w < words; w++)
        out[w] = UINT64_MAX;
    for (unsigned b = 0; b < bits; b++) {
        const uint64_t *p = core_plane(c, port, b);
        for (size_t w = 0; w < words; w++)
            out[w] &= value >> b & 1 ? word(p, w) : ~word(p, w);
    }
}

/* Bit 4 of the number of a register.  A bit 5 counts as well: 33 is not x1. */
static const uint64_t *top_bit(const struct core *c, enum core_port port, uint64_t *out)
{
    const size_t words = (c->block.cycles + 63) / 64;
    const uint64_t *low = core_plane(c, port, 4), *high = core_plane(c, port, 5);

    if (!high)
        return low;
    for (size_t w = 0; w < words; w++)
        out[w] = word(low, w) | high[w];
    return out;
}

/* One commit port, from commit_instr_i. */
static void fill_port(struct core *c, unsigned i)
{
    const unsigned step = (CORE_FU_1 - CORE_FU_0) * i;
    struct core_port_planes *p = &c->in.port[i];

    for (unsigned b = 0; b < 4; b++)
        p->fu[b] = core_plane(c, CORE_FU_0 + step, b);
    for (unsigned b = 0; b < 4; b++) {
        p->rd[b] = core_plane(c, CORE_RD_0 + step, b);
        p->rs1[b] = core_plane(c, CORE_RS1_0 + step, b);
    }
    p->rd[4] = top_bit(c, CORE_RD_0 + step, c->planes->port[i].rd_top);
    p->rs1[4] = top_bit(c, CORE_RS1_0 + step, c->planes->port[i].rs1_top);
    p->rs1_known = c->port[CORE_RS1_0 + step].present ? c->planes->ones : NULL;
    if (!c->port[CORE_OP_0 + step].present)
        return;
    equals(c, CORE_OP_0 + step, OP_BITS, OP_ADD, c->planes->port[i].op_add);
    equals(c, CORE_OP_0 + step, OP_BITS, OP_JALR, c->planes->port[i].op_jalr);
    p->op_add = c->planes->port[i].op_add;
    p->op_jalr = c->planes->port[i].op_jalr;
}

/*
 * One commit port, from load_event and its like: an instruction of that class.  A call is a
 * jal with rd=x1, a return a jalr with rd=x0 whose rs1 is not known.
 */
static void fill_class(struct core *c, unsigned i)
{
    const size_t words = (c->block.cycles + 63) / 64;
    const uint64_t *load = core_plane(c, CORE_LOAD, i), *store = core_plane(c, CORE_STORE, i),
                   *branch = core_plane(c, CORE_BRANCH, i), *integer = core_plane(c, CORE_INT, i),
                   *fp = core_plane(c, CORE_FP, i), *call = core_plane(c, CORE_CALL, i);
    struct core_port_planes *p = &c->in.port[i];

    for (size_t w = 0; w < words; w++) {
        c->planes->port[i].fu[0][w] = word(load, w) | word(integer, w) | word(fp, w);
        c->planes->port[i].fu[1][w] = word(store, w) | word(integer, w) | word(fp, w);
        c->planes->port[i].fu[2][w] = word(branch, w) | word(call, w) | word(fp, w);
        c->planes->port[i].rd[w] = word(call, w);
    }
    for (unsigned b = 0; b < 3; b++)
        p->fu[b] = c->planes->port[i].fu[b];
    p->rd[0] = c->planes->port[i].rd;
    p->op_add = call;
    p->op_jalr = core_plane(c, CORE_RETURN, i);
}

static void fill_ways(struct core *c)
{
    const unsigned ways = c->options->config->dcache_ways;
    const uint64_t *eviction = core_plane(c, CORE_EVICTION, 0);

    for (unsigned b = 0; b < ways && b < 32; b++) {
        for (unsigned i = 0; i < 3; i++)
            c->in.way_valid[i][b] = core_plane(c, CORE_WAYS_0 + i, b);
        if (c->port[CORE_EVICTION].present) { /* it stands for a miss with a full set */
            c->in.way_valid[0][b] = eviction;
            c->in.way_valid[1][b] = c->in.way_valid[2][b] = NULL;
        }
    }
    if (c->port[CORE_EVICTION].present && !c->port[CORE_DCACHE_MISS].present)
        c->in.line[PC_HPM_DCACHE_MISS] = eviction;
}

enum pc_status core_next(struct core *c, struct pc_error *err)
{
    bool classes = false;
    enum pc_status status = pc_wave_next(c->wave, &c->block, err);

    if (status != PC_OK)
        return status;
    core_invert_block(c);
    c->in = (struct core_inputs){ .debug = core_plane(c, CORE_DEBUG, 0) };
    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        c->in.line[i] = core_plane(c, CORE_LINE_0 + i, 0);
    for (unsigned i = CORE_LOAD; i <= CORE_FP; i++)
        classes |= c->port[i].present;
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++) {
        c->in.port[i].ack = core_plane(c, CORE_ACK, i);
        if (c->options->inputs_only) /* events alone, by core_count.c */
            continue;
        if (classes)
            fill_class(c, i);
        else
            fill_port(c, i);
    }
    if (c->port[CORE_OP_0].present)
        equals(c, CORE_OP_0, OP_BITS, OP_CSR_READ, c->planes->csr_read);
    fill_ways(c);
    return PC_OK;
}

/* ---- numbers ---- */

/* Bit c of a[r] becomes bit r of a[c]: swaps halves, then quarters ... */
static void transpose(uint64_t a[64])
{
    uint64_t mask = UINT32_MAX;

    for (unsigned half = 32; half > 0; half /= 2, mask ^= mask << half)
        for (unsigned r = 0; r < 64; r = ((r | half) + 1) & ~half) {
            uint64_t swap = (a[r] >> half ^ a[r | half]) & mask;
            a[r] ^= swap << half;
            a[r | half] ^= swap;
        }
}

void core_numbers(const uint64_t *const *planes, unsigned bits, size_t w, uint64_t out[64])
{
    uint64_t constant = 0;
    bool moves = false;

    for (unsigned b = 0; b < bits; b++) {
        out[b] = word(planes[b], w);
        moves |= out[b] != 0 && out[b] != UINT64_MAX;
        constant |= (out[b] & 1) << b;
    }
    if (moves) {
        memset(out + bits, 0, (64 - bits) * sizeof *out);
        transpose(out);
    } else {
        for (unsigned t = 0; t < 64; t++)
            out[t] = constant;
    }
}

void core_port_numbers(const struct core *c, enum core_port port, size_t w, uint64_t out[64])
{
    const uint64_t *planes[64];

    for (unsigned b = 0; b < 64; b++)
        planes[b] = core_plane(c, port, b);
    core_numbers(planes, c->port[port].present ? c->port[port].bits : 0, w, out);
}

uint64_t core_csr_reads(const struct core *c, size_t w)
{
    return c->port[CORE_OP_0].present ? c->planes->csr_read[w] : 0;
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
        unknown |=
            core_port_unknown(c, (enum core_port)i, w) & word(c->in.port[i >= CORE_FU_1].ack, w);
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
