/* SPDX-License-Identifier: MIT */
/*
 * The DPI-C entry points of the lock-step check: collects a clock's inputs, compares the
 * RTL's registers with the model's, steps the model.  What a clock did to a register is seen
 * before the next edge; the difference is reported with the number of the clock that made it,
 * from 0 after reset.  mcycle, minstret and privilege are no business of perf_counters; another
 * handle compares those of csr_regfile.
 */
#include "pcounter/pcounter_dpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcounter/pcounter.h"

/* Registers of csr_regfile. */
static const struct {
    uint32_t address;
    const char *name;
} csr[] = { { 0xb00, "mcycle" },     { 0xb02, "minstret" },   { 0x320, "mcountinhibit" },
            { 0x306, "mcounteren" }, { 0x106, "scounteren" }, { 0x606, "hcounteren" } };
#define CSRS (sizeof csr / sizeof csr[0])

struct check {
    struct pc_hpm *hpm;
    struct pc_hpm_in in;     /* of this clock, as it comes in */
    struct pc_hpm_state rtl; /* of perf_counters */
    uint64_t csr[CSRS];      /* of csr_regfile, with all bits that it has */
    /* the clock before: to say which rule decided */
    struct pc_hpm_state before;
    struct pc_hpm_in last;
    struct pc_hpm_strobe strobe;
    uint64_t clock;
    bool stepped;
    uint32_t differences;
    size_t length; /* of the text: lines of six counters, six selectors and data_o at most */
    char text[8192];
};

void *pcounter_dpi_open(const char *core, const char *profile)
{
    struct pc_hpm_desc desc = { .config = pc_hpm_config_find(core) };
    struct check *c = calloc(1, sizeof *c);

    if (!c || !desc.config || pc_hpm_profile_find(profile, &desc.profile, NULL) != PC_OK ||
        pc_hpm_create(&desc, &c->hpm, NULL) != PC_OK) {
        free(c);
        return NULL;
    }
    return c;
}

void pcounter_dpi_close(void *check)
{
    struct check *c = check;

    if (c)
        pc_hpm_destroy(c->hpm);
    free(c);
}

void pcounter_dpi_reset(void *check)
{
    struct check *c = check;

    if (!c)
        return;
    pc_hpm_reset(c->hpm);
    c->clock = 0;
    c->stepped = false;
}

void pcounter_dpi_port(void *check, uint32_t number, uint32_t bits)
{
    struct check *c = check;

    if (!c || number >= PC_HPM_MAX_PORTS)
        return;
    c->in.port[number] = (struct pc_hpm_port){
        .ack = bits & 1,
        .fu = bits >> 1 & 15,
        .op = bits >> 6 & 1   ? PC_HPM_OP_JALR
              : bits >> 5 & 1 ? PC_HPM_OP_ADD
                              : PC_HPM_OP_OTHER,
        .rd = bits >> 7 & 31,
        .rs1_known = bits >> 12 & 1,
        .rs1 = bits >> 13 & 31,
    };
}

void pcounter_dpi_ways(void *check, uint32_t number, uint32_t valid)
{
    struct check *c = check;

    if (c && number < 3)
        c->in.way_valid[number] = valid;
}

void pcounter_dpi_register(void *check, uint32_t number, uint64_t value, uint32_t event)
{
    struct check *c = check;

    if (!c || number < PC_HPM_FIRST || number > PC_HPM_LAST)
        return;
    c->rtl.counter[number] = value;
    c->rtl.selector[number] = event & 31;
}

static void differ(struct check *c, uint64_t clock, const char *what, unsigned number, uint64_t dut,
                   uint64_t model, const struct pc_hpm_rule *rule)
{
    const size_t room = sizeof c->text - c->length;
    const int n = snprintf(c->text + c->length, room,
                           "%spcounter: clock %" PRIu64 ": %s%.0u is 0x%" PRIx64
                           ", the model has 0x%" PRIx64 "%s%s%s%s",
                           c->differences++ > 0 ? "\n" : "", clock, what, number, dut, model,
                           rule ? "; " : "", rule ? rule->clause : "", rule ? ": " : "",
                           rule ? rule->about : "");

    c->length = n > 0 && (size_t)n < room ? c->length + (size_t)n : sizeof c->text - 1;
}

static struct pc_hpm_mode mode_of(uint32_t mode)
{
    return (struct pc_hpm_mode){ .privilege = mode & 3,
                                 .virtualised = mode >> 2 & 1,
                                 .debug = mode >> 3 & 1 };
}

/* Returns the rule that decided about a counter in the clock before: mcycle and minstret have no
 * strobe. */
static const struct pc_hpm_rule *rule_of(struct check *c, unsigned counter,
                                         const struct pc_hpm_state *now)
{
    if (!c->stepped || pc_hpm_set_state(c->hpm, &c->before, NULL) != PC_OK)
        return NULL;
    const struct pc_hpm_rule *rule = pc_hpm_why(
        c->hpm, &c->last, counter < PC_HPM_FIRST ? NULL : &c->strobe, PC_HPM_COUNTER + counter);
    return pc_hpm_set_state(c->hpm, now, NULL) == PC_OK ? rule : NULL;
}

/* The registers before this edge are what the clock before made of them. */
static void compare_registers(struct check *c)
{
    const uint64_t clock = c->clock - (c->stepped ? 1 : 0);
    struct pc_hpm_state model;

    pc_hpm_get_state(c->hpm, &model);
    for (unsigned n = PC_HPM_FIRST; n <= PC_HPM_LAST; n++) {
        if (c->rtl.selector[n] != model.selector[n])
            differ(c, clock, "mhpmevent", n, c->rtl.selector[n], model.selector[n], NULL);
        if (c->rtl.counter[n] != model.counter[n])
            differ(c, clock, "mhpmcounter", n, c->rtl.counter[n], model.counter[n],
                   rule_of(c, n, &model));
    }
    if (c->differences > 0) {
        memcpy(model.counter + PC_HPM_FIRST, c->rtl.counter + PC_HPM_FIRST,
               (PC_HPM_LAST - PC_HPM_FIRST + 1) * sizeof model.counter[0]);
        memcpy(model.selector + PC_HPM_FIRST, c->rtl.selector + PC_HPM_FIRST,
               (PC_HPM_LAST - PC_HPM_FIRST + 1) * sizeof model.selector[0]);
        if (pc_hpm_set_state(c->hpm, &model, NULL) != PC_OK)
            c->length = (size_t)snprintf(
                c->text, sizeof c->text,
                "pcounter: clock %" PRIu64 ": registers that no CVA6 can have", clock);
    }
}

uint32_t pcounter_dpi_clock(void *check, uint32_t lines, uint32_t debug, uint32_t inhibit,
                            uint32_t write, uint32_t address, uint64_t wdata, uint64_t answer)
{
    struct check *c = check;
    struct pc_hpm_out out;

    if (!c)
        return 0;
    c->differences = 0;
    c->length = 0;
    c->text[0] = '\0';
    compare_registers(c);
    pc_hpm_get_state(c->hpm, &c->before);
    c->in.lines = lines;
    c->in.mode.debug = debug != 0;
    c->strobe = (struct pc_hpm_strobe){
        .write = write != 0, .address = address & 0xfff, .wdata = wdata, .inhibit = inhibit
    };
    c->last = c->in;
    pc_hpm_step_module(c->hpm, &c->in, &c->strobe, &out);
    if (out.rdata != answer) {
        char what[32];
        snprintf(what, sizeof what, "data_o of 0x%03" PRIx32, address & 0xfff);
        differ(c, c->clock, what, 0, answer, out.rdata, NULL);
    }
    c->clock++;
    c->stepped = true;
    return c->differences;
}

/* ---- csr_regfile ---- */

static uint64_t csr_value(const struct pc_hpm_state *s, size_t i)
{
    const uint64_t value[CSRS] = { s->counter[0], s->counter[2], s->inhibit,
                                   s->mcounteren, s->scounteren, s->hcounteren };

    return value[i];
}

static void set_csr(struct pc_hpm_state *s, size_t i, uint64_t value)
{
    if (i < 2)
        s->counter[2 * i] = value;
    else
        *(i == 2   ? &s->inhibit
          : i == 3 ? &s->mcounteren
          : i == 4 ? &s->scounteren
                   : &s->hcounteren) = (uint32_t)value;
}

void pcounter_dpi_csr_register(void *check, uint32_t address, uint64_t value)
{
    struct check *c = check;

    for (size_t i = 0; c && i < CSRS; i++)
        if (csr[i].address == address)
            c->csr[i] = value;
}

static bool in_csr_regfile(const struct check *c, size_t i)
{
    struct pc_hpm_reg reg;

    return pc_hpm_reg_at(pc_hpm_get_config(c->hpm), csr[i].address, &reg, NULL) == PC_OK;
}

/* Compares; a value that differs is the RTL's from here on, as far as the model's registers can
 * have it. */
static void compare_csrs(struct check *c)
{
    const uint64_t clock = c->clock - (c->stepped ? 1 : 0);
    struct pc_hpm_state model;

    pc_hpm_get_state(c->hpm, &model);
    for (size_t i = 0; i < CSRS; i++) {
        const uint64_t rtl = c->csr[i], own = csr_value(&model, i);
        struct pc_hpm_state now = model;
        if (!in_csr_regfile(c, i) || rtl == own)
            continue;
        differ(c, clock, csr[i].name, 0, rtl, own,
               i < 2 ? rule_of(c, 2 * (unsigned)i, &model) : NULL);
        set_csr(&now, i, i == 2 ? rtl & 0x1fd : rtl);
        if (pc_hpm_set_state(c->hpm, &now, NULL) == PC_OK)
            model = now;
    }
}

/* Returns true if the register that is read there is one of csr_regfile's own. */
static bool reads_csr(uint32_t address)
{
    const uint32_t counter = address & 0xf1f & ~0x80u, high = address & 0xf60;

    if (high == 0xb00 || high == 0xc00)
        return (counter & 0x1f) == 0 || (counter & 0x1f) == 2;
    for (size_t i = 2; i < CSRS; i++)
        if (csr[i].address == address)
            return true;
    return false;
}

static void compare_access(struct check *c, const struct pc_hpm_out *out, uint64_t rdata,
                           uint64_t cause)
{
    const struct pc_hpm_access *a = &c->in.csr;
    char what[48];

    if (a->op == PC_HPM_CSR_NONE)
        return;
    snprintf(what, sizeof what, "the trap of 0x%03x", (unsigned)a->address);
    if (cause != out->cause)
        differ(c, c->clock, what, 0, cause, out->cause, NULL);
    snprintf(what, sizeof what, "csr_rdata_o of 0x%03x", (unsigned)a->address);
    if (cause == 0 && out->cause == 0 && reads_csr(a->address) && rdata != out->rdata)
        differ(c, c->clock, what, 0, rdata, out->rdata, NULL);
}

uint32_t pcounter_dpi_csr_clock(void *check, uint32_t exception, uint32_t mode, uint32_t op,
                                uint32_t address, uint64_t operand, uint64_t rdata, uint64_t cause)
{
    struct check *c = check;
    struct pc_hpm_out out;

    if (!c)
        return 0;
    c->differences = 0;
    c->length = 0;
    c->text[0] = '\0';
    compare_csrs(c);
    pc_hpm_get_state(c->hpm, &c->before);
    c->in.lines = exception ? 1u << PC_HPM_EXCEPTION : 0;
    c->in.mode = mode_of(mode);
    c->in.csr = (struct pc_hpm_access){ .op = op <= PC_HPM_CSR_READ && pc_hpm_owns(address & 0xfff)
                                                  ? (enum pc_hpm_csr_op)op
                                                  : PC_HPM_CSR_NONE,
                                        .address = address & 0xfff,
                                        .operand = operand };
    c->last = c->in;
    pc_hpm_step(c->hpm, &c->in, &out);
    compare_access(c, &out, rdata, cause);
    if ((cause == 0) != (out.cause == 0)) { /* the clock is the RTL's, whatever it should be */
        c->in.csr.op = PC_HPM_CSR_NONE;
        if (pc_hpm_set_state(c->hpm, &c->before, NULL) == PC_OK)
            pc_hpm_step(c->hpm, &c->in, &out);
    }
    c->clock++;
    c->stepped = true;
    return c->differences;
}

const char *pcounter_dpi_text(void *check)
{
    const struct check *c = check;

    return c ? c->text : "";
}

uint32_t pcounter_dpi_read_at(void *check, uint32_t mode, uint32_t address, uint64_t *value)
{
    const struct check *c = check;

    *value = 0;
    return c ? pc_hpm_read_at(c->hpm, mode_of(mode), address, value) : 0;
}

uint32_t pcounter_dpi_step(void *check, uint32_t lines, uint32_t mode, uint32_t op,
                           uint32_t address, uint64_t operand)
{
    struct check *c = check;
    struct pc_hpm_out out;

    if (!c)
        return 0;
    c->in.lines = lines;
    c->in.mode = mode_of(mode);
    c->in.csr = (struct pc_hpm_access){ .op = op <= PC_HPM_CSR_READ ? (enum pc_hpm_csr_op)op
                                                                    : PC_HPM_CSR_NONE,
                                        .address = address & 0xfff,
                                        .operand = operand };
    pc_hpm_step(c->hpm, &c->in, &out);
    c->clock++;
    return out.cause;
}
