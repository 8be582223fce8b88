/* SPDX-License-Identifier: MIT */
/* pcounter check --require: registers of a waveform that have to be compared. */
#include "check_wave.h"
#include "text/regs_text.h"

#include <string.h>

static const struct {
    const char *name, *about;
    uint32_t regs;
} names[] = {
    { "none", "whatever there is", 0 },
    { "counters", "mhpmcounter3 .. 8", WAVE_COUNTERS },
    { "selectors", "mhpmevent3 .. 8", (1u << WAVE_RDATA) - (1u << WAVE_SELECTORS) },
    { "all", "perf_counters' registers, mcycle and minstret", WAVE_ALL },
    { "mcycle", "clocks", 1u << 0 },
    { "minstret", "instructions", 1u << 2 },
    { "mhpmcounter3", "an event counter", 1u << 3 },
    { "mhpmcounter4", "an event counter", 1u << 4 },
    { "mhpmcounter5", "an event counter", 1u << 5 },
    { "mhpmcounter6", "an event counter", 1u << 6 },
    { "mhpmcounter7", "an event counter", 1u << 7 },
    { "mhpmcounter8", "an event counter", 1u << 8 },
    { "mhpmevent3", "its selector", 1u << WAVE_SELECTORS },
    { "mhpmevent4", "its selector", 1u << (WAVE_SELECTORS + 1) },
    { "mhpmevent5", "its selector", 1u << (WAVE_SELECTORS + 2) },
    { "mhpmevent6", "its selector", 1u << (WAVE_SELECTORS + 3) },
    { "mhpmevent7", "its selector", 1u << (WAVE_SELECTORS + 4) },
    { "mhpmevent8", "its selector", 1u << (WAVE_SELECTORS + 5) },
    { "data_o", "what a read gives", 1u << WAVE_RDATA },
    { "csr", "csr_regfile's registers, and its answers", WAVE_CSR },
    { "mcountinhibit", "what stands still", 1u << WAVE_INHIBIT },
    { "mcounteren", "what S and U may read", 1u << WAVE_MCOUNTEREN },
    { "scounteren", "what U may read", 1u << WAVE_SCOUNTEREN },
    { "hcounteren", "what VS and VU may read", 1u << WAVE_HCOUNTEREN },
    { "csr_rdata_o", "what an access gives", 1u << WAVE_CSR_RDATA },
    { "csr_exception", "which accesses trap", 1u << WAVE_CSR_TRAP },
};
enum { NAMES = sizeof names / sizeof names[0] };

const char *check_required_at(size_t i, const char **about)
{
    if (i >= NAMES)
        return NULL;
    *about = names[i].about;
    return names[i].name;
}

static int take_name(const char *text, uint32_t *regs)
{
    const char *known[NAMES + 1] = { NULL };
    char near[200];

    for (size_t i = 0; i < NAMES; i++) {
        known[i] = names[i].name;
        if (strcmp(text, names[i].name) == 0) {
            *regs |= names[i].regs;
            return CLI_OK;
        }
    }
    cli_near(text, known, near, sizeof near);
    return cli_usage(
        "check",
        "--require takes registers (mcycle, minstret, mhpmcounter3 .. 8, mhpmevent3 .. "
        "8, data_o, mcountinhibit, mcounteren ...), counters, selectors, csr, all or none, not "
        "\"%s\"%s%s%s",
        text, near[0] ? "; did you mean " : "", near, near[0] ? "?" : "");
}

int check_take_required(const char *text, struct check_options *o)
{
    char name[WAVE_NAME];
    int code = CLI_OK;

    o->requires = true;
    for (size_t n; code == CLI_OK; text += n + 1) {
        n = strcspn(text, ",");
        if (n >= sizeof name)
            return take_name(text, &o->required);
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        code = take_name(name, &o->required);
        if (!text[n])
            break;
    }
    return code;
}

int check_required(const struct check_options *o)
{
    uint32_t said = o->required; /* what a group has beyond the core is not asked for */
    if ((said & WAVE_ALL) == WAVE_ALL)
        said &= ~WAVE_ALL;
    if ((said & WAVE_CSR) == WAVE_CSR)
        said &= ~WAVE_CSR;
    const uint32_t lacks = o->core ? said & ~wave_regs_of(o->core) : 0;
    char name[WAVE_NAME];
    unsigned r = 0;

    if (!lacks)
        return CLI_OK;
    while (!(lacks >> r & 1))
        r++;
    return cli_usage("check", "--require: %s has no %s", o->core->name, wave_reg_name(r, name));
}
