/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: what was not compared and why, and whether that is enough: by --require, or
 * without it an event counter where the core has them, else any register.
 */
#include "check_wave.h"

#include <string.h>

enum { FIXED = 1u << 0 | 1u << 2 };

uint32_t wave_regs_of(const struct pc_hpm_config *config)
{
    return (config->perf_counter_en ? WAVE_ALL : FIXED) | 1u << WAVE_INHIBIT |
           1u << WAVE_CSR_RDATA | 1u << WAVE_CSR_TRAP | (uint32_t)config->rvu << WAVE_MCOUNTEREN |
           (uint32_t)config->rvs << WAVE_SCOUNTEREN | (uint32_t)config->rvh << WAVE_HCOUNTEREN;
}

uint32_t wave_regs_seen(const struct core *c)
{
    const uint32_t regs = wave_regs_of(c->options->config);

    for (unsigned p = CORE_CSR_0; p < CORE_PORTS; p++) /* the others are also nets of the core */
        if (c->port[p].present && p != CORE_CSR_ADDRESS && p != CORE_PRIVILEGE &&
            p != CORE_MCOUNTINHIBIT)
            return regs;
    return regs & ~WAVE_CSR;
}

uint32_t wave_compared(const struct wave_result *r)
{
    uint32_t regs = r->read;

    for (unsigned i = 0; i < WAVE_REGS; i++)
        regs |= (uint32_t)(r->compared[i] > 0) << i;
    return regs;
}

/* Wires without which the register cannot be predicted. */
static size_t needs_of(const struct core *c, unsigned reg, enum core_port *need)
{
    size_t n = 0;

    need[n++] = wave_port_of(reg);
    if (reg >= WAVE_INHIBIT) {
        static const enum core_port csr[] = { CORE_CSR_OP, CORE_CSR_ADDRESS, CORE_CSR_WDATA,
                                              CORE_PRIVILEGE, CORE_VIRTUAL };
        for (size_t i = 0; i < sizeof csr / sizeof csr[0]; i++)
            need[n++] = csr[i];
        if (c->options->config->debug)
            need[n++] = CORE_DEBUG;
        need[n] = CORE_PORTS;
        return n;
    }
    if (reg >= PC_HPM_FIRST) {
        need[n++] = CORE_WRITE;
        need[n++] = CORE_ADDRESS;
        need[n++] = CORE_WDATA;
    }
    need[n++] = CORE_INHIBIT;
    if (c->options->config->debug)
        need[n++] = CORE_DEBUG;
    if (reg == 2) {
        need[n++] = CORE_ACK;
        need[n++] = CORE_EXCEPTION;
    }
    need[n] = CORE_PORTS;
    return n;
}

const char *wave_why_not(const struct core *c, const struct wave_result *r, unsigned reg, char *out,
                         size_t size)
{
    enum core_port need[12];
    char missing[200];

    needs_of(c, reg, need);
    out[0] = '\0';
    if (r->compared[reg] > 0)
        return out;
    const size_t n = core_missing(c, need, missing, sizeof missing);
    if (n > 0)
        snprintf(out, size, "%s %s not in the waveform%s", missing, n > 1 ? "are" : "is",
                 r->read >> reg & 1 ? ": only where data_o reads it" : "");
    else if (r->stopped)
        snprintf(out, size, "the run ended before");
    else if (WAVE_ANSWERS >> reg & 1)
        snprintf(out, size, "no CSR of the counters is accessed");
    else
        snprintf(out, size, "never known: an event whose wires are missing, or no value");
    return out;
}

int wave_check_need(const struct check_options *o, const struct core *c,
                    const struct wave_result *r)
{
    const bool counters = c->options->config->perf_counter_en;
    const uint32_t compared = wave_compared(r);
    const uint32_t lacks = o->required & wave_regs_of(c->options->config) & ~compared;
    struct pc_error err;
    char missing[300], name[WAVE_NAME];
    struct core_list l = { .out = missing, .size = sizeof missing, .before = "" };

    if (!o->requires && counters && !(compared & WAVE_COUNTERS)) {
        cli_fail(&err, 1041, "no event counter was compared");
        snprintf(err.hint, sizeof err.hint,
                 "the report says why not; --map can name the ports, and --require none takes what "
                 "there is");
        return cli_error(&err, c->options->path, NULL);
    }
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (lacks >> i & 1)
            core_list_add(&l, wave_reg_name(i, name));
    core_list_end(&l);
    if (!lacks)
        return CLI_OK;
    cli_fail(&err, 1041, "--require: not compared: %s", missing);
    snprintf(err.hint, sizeof err.hint, "%s", "the report says why not; --map can name the ports");
    return cli_error(&err, c->options->path, NULL);
}
