/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: the description of the core, in memory, on the ports that the waveform has.
 * A port that is missing is unknown, and what depends on it is not compared.
 */
#include "check_wave.h"
#include "emit/emit.h"

#include <stdlib.h>
#include <string.h>

/* ---- wires ---- */

enum core_port wave_port_of(unsigned reg)
{
    if (reg == 0)
        return CORE_MCYCLE;
    if (reg == 2)
        return CORE_MINSTRET;
    if (reg == WAVE_RDATA)
        return CORE_RDATA;
    if (reg >= WAVE_INHIBIT)
        return reg <= WAVE_HCOUNTEREN  ? CORE_MCOUNTINHIBIT + (reg - WAVE_INHIBIT)
               : reg == WAVE_CSR_RDATA ? CORE_CSR_RDATA
                                       : CORE_CSR_TRAP;
    return reg < WAVE_SELECTORS ? CORE_COUNTER_3 + (reg - PC_HPM_FIRST)
                                : CORE_SELECTOR_3 + (reg - WAVE_SELECTORS);
}

/* Numbers of wires after those of the waveform: 0, 1, x, and bits that a register has besides. */
enum { NOTHING, ALWAYS, UNSEEN, PRIVATE };

/* The port of a name without its scope, and the bits asked of it; NULL: there is none. */
static const struct core_source *find_port(const struct core *c, const char *name, unsigned *hi,
                                           unsigned *lo)
{
    static const char *const other[][2] = { { "cycle_q", "mcycle" },
                                            { "instret_q", "minstret" },
                                            { "debug_mode_q", "debug_mode_i" } };
    const char scope[] = "csr_regfile_i.";

    if (strncmp(name, scope, sizeof scope - 1) == 0)
        name += sizeof scope - 1;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (strcmp(name, other[i][0]) == 0)
            name = other[i][1];
    for (unsigned i = 0; i < CORE_PORTS; i++) {
        const char *port = core_port_name((enum core_port)i);
        const size_t n = strlen(port);
        if (strncmp(name, port, n) != 0 || (name[n] != '\0' && name[n] != '['))
            continue;
        *hi = core_port_bits((enum core_port)i) - 1;
        *lo = 0;
        if (name[n] == '[') {
            char *end;
            *hi = *lo = (unsigned)strtoul(name + n + 1, &end, 10);
            if (*end == ':')
                *lo = (unsigned)strtoul(end + 1, NULL, 10);
        }
        return &c->port[i];
    }
    return NULL;
}

/* Is the port a register that is compared?  Then no two of them may have a wire in common. */
static bool is_output(enum core_port port)
{
    return (port >= CORE_COUNTER_3 && port <= CORE_MINSTRET) ||
           (port >= CORE_MCOUNTINHIBIT && port <= CORE_HCOUNTEREN);
}

/* Bits that the description gives the register of the port. */
static unsigned described_bits_of(enum core_port port)
{
    return port >= CORE_SELECTOR_3 && port <= CORE_SELECTOR_8 ? 5
           : port == CORE_MCOUNTINHIBIT                       ? 9
           : port > CORE_MCOUNTINHIBIT                        ? 32
                                                              : 64;
}

static uint32_t private_wire(struct wave_check *k, enum core_port port, unsigned bit, bool one)
{
    uint32_t *wire = &k->private_wire[port][bit];

    if (*wire == 0) {
        *wire = (uint32_t)(k->core.wires + PRIVATE + k->privates++);
        k->value[*wire] = one ? k->ones : k->zeros;
        k->unknown[*wire] = k->zeros;
    }
    return *wire;
}

static uint32_t wire_of(struct wave_check *k, const struct core_source *s, unsigned bit)
{
    const enum core_port port = (enum core_port)(s - k->core.port);
    const bool one = s->constant && bit < 64 && (s->value >> bit & 1);

    if (!s->present)
        return (uint32_t)k->core.wires + UNSEEN;
    if (!s->constant && bit < s->bits)
        return s->wire + bit;
    if (is_output(port) && (bit < s->bits || bit < described_bits_of(port)))
        return private_wire(k, port, bit, one);
    return (uint32_t)k->core.wires + (one ? ALWAYS : NOTHING);
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, int32_t *low, struct pc_error *err)
{
    struct wave_check *k = ctx;
    unsigned hi = 0, port_lo = 0;
    const struct core_source *s = find_port(&k->core, name, &hi, &port_lo);
    const bool unseen = strcmp(name, EMIT_UNSEEN) == 0;

    *low = 0;
    if (!s && !unseen) /* the description names nothing but ports */
        return cli_fail(err, 306, "%s is not a port", name);
    *count = hi - port_lo + 1;
    for (size_t i = 0; i < *count && i < capacity; i++)
        wires[i] = unseen ? (uint32_t)k->core.wires + UNSEEN : wire_of(k, s, port_lo + (unsigned)i);
    return PC_OK;
}

bool wave_make_wires(struct wave_check *k)
{
    const size_t count = k->core.wires + PRIVATE + (size_t)CORE_PORTS * CORE_MOST_BITS;

    k->value = calloc(count, sizeof *k->value);
    k->unknown = calloc(count, sizeof *k->unknown);
    k->last = calloc(k->core.wires + 1, sizeof *k->last);
    k->bit = calloc(k->core.wires + PRIVATE, sizeof *k->bit);
    k->bit_plane = calloc(k->core.wires + PRIVATE, sizeof *k->bit_plane);
    if (!k->value || !k->unknown || !k->last || !k->bit || !k->bit_plane)
        return false;
    memset(k->ones, 0xff, sizeof k->ones);
    for (unsigned i = 0; i < PRIVATE; i++) {
        k->value[k->core.wires + i] = i == ALWAYS ? k->ones : k->zeros;
        k->unknown[k->core.wires + i] = i == UNSEEN ? k->ones : k->zeros;
    }
    return true;
}

void wave_take_block(struct wave_check *k)
{
    const struct pc_wave_block *block = &k->core.block;

    for (size_t i = 0; i < k->core.wires; i++) {
        k->value[i] = block->value[i];
        k->unknown[i] = block->any_unknown ? block->unknown[i] : k->zeros;
    }
}

/* ---- descriptions ---- */

static char *text_of(const struct wave_check *k, uint32_t quirks)
{
    const struct emit_ports ports = {
        .core = &k->core,
        .quirks = quirks,
        .csr = k->csr,
        .data_o = k->outputs >> WAVE_RDATA & 1 && k->core.port[CORE_ADDRESS].present,
    };
    const struct emit_request r = { .config = k->core.options->config,
                                    .profile = k->core.options->profile,
                                    .ports = &ports };
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (file)
        emit_core_description(&r, file);
    if (file && cli_collected(file, &text))
        return text;
    free(text);
    return NULL;
}

unsigned wave_reg_named(const char *text)
{
    char name[WAVE_NAME];

    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (i != 1 && strcmp(wave_reg_name(i, name), text) == 0)
            return i;
    return WAVE_REGS;
}

/* Registers have the bits that the waveform shows of them; what it does not show is hidden. */
static void fit_registers(const struct wave_check *k, struct described *d)
{
    for (size_t i = 0; i < d->desc.regs; i++) {
        const unsigned reg = wave_reg_named(d->reg[i].name);
        if (reg >= WAVE_REGS)
            continue;
        const enum core_port port = wave_port_of(reg);
        if (!(k->outputs >> reg & 1))
            d->reg[i].is = NULL;
        else if (k->core.port[port].bits > d->reg[i].width)
            d->reg[i].width = k->core.port[port].bits;
    }
}

/* Makes the core of a text, which becomes the description's own. */
static int describe(struct wave_check *k, char *text, struct described *d)
{
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct pc_error err;
    const int code = described_read_text(d, "check", k->core.options->config->name, text);

    if (code)
        return code;
    fit_registers(k, d);
    d->desc.answers = true;
    if (described_prepare(d, &place, &err) || pc_core_resolve(d->core, look_up, k, &place, &err))
        return described_fail(d, &place, &err);
    return CLI_OK;
}

int wave_describe(struct wave_check *k, uint32_t quirks, struct described *d)
{
    char *text = text_of(k, quirks);

    k->text = text ? strdup(text) : NULL;
    if (text && k->text)
        return describe(k, text, d);
    free(text);
    return cli_no_memory();
}

bool wave_describe_other(struct wave_check *k, uint32_t quirks, struct described *d)
{
    char *text = text_of(k, quirks);

    *d = (struct described){ .name = NULL };
    if (text && strcmp(text, k->text) != 0)
        return describe(k, text, d) == CLI_OK;
    free(text);
    return false;
}

/* Returns the value that a check's name stands for: "trap: privilege", "data_o: counters". */
unsigned wave_value_of_check(const char *name)
{
    return strncmp(name, "trap: ", 6) == 0   ? WAVE_CSR_TRAP
           : strncmp(name, "read: ", 6) == 0 ? WAVE_CSR_RDATA
                                             : WAVE_RDATA;
}

bool wave_index(struct wave_check *k)
{
    const struct pc_core_desc *d = &k->d.desc;

    k->reg_of = calloc(d->regs + 1, sizeof *k->reg_of);
    k->check_of = calloc(d->checks + 1, sizeof *k->check_of);
    for (unsigned i = 0; i < WAVE_REGS; i++)
        k->item_of[i] = SIZE_MAX;
    if (!k->reg_of || !k->check_of)
        return false;
    for (size_t i = 0; i < d->regs; i++) {
        k->reg_of[i] = (uint8_t)wave_reg_named(d->reg[i].name);
        if (k->reg_of[i] < WAVE_REGS)
            k->item_of[k->reg_of[i]] = i;
    }
    for (size_t i = 0; i < d->checks; i++)
        k->check_of[i] = (uint8_t)wave_value_of_check(d->check[i].name);
    return true;
}
