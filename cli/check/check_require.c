/* SPDX-License-Identifier: MIT */
/* pcounter check --require: registers of a waveform that have to be compared. */
#include "check_wave.h"
#include "text/regs_text.h"

#include <string.h>

enum { GROUPS = 4 };

static const struct {
    const char *name;
    uint32_t regs;
} groups[GROUPS] = {
    { "none", 0 },
    { "counters", WAVE_COUNTERS },
    { "selectors", (1u << WAVE_RDATA) - (1u << WAVE_SELECTORS) },
    { "all", (1u << WAVE_REGS) - 1 - 2 },
};

/* One name of the list: a register, or several by one name. */
static int take_name(const char *text, uint32_t *regs)
{
    char name[WAVE_REGS][WAVE_NAME], near[200];
    const char *known[WAVE_REGS + GROUPS + 1] = { NULL };
    size_t n = 0;

    for (size_t i = 0; i < GROUPS; i++) {
        known[n++] = groups[i].name;
        if (strcmp(text, groups[i].name) == 0) {
            *regs |= groups[i].regs;
            return CLI_OK;
        }
    }
    for (unsigned r = 0; r < WAVE_REGS; r++) {
        if (r == 1)
            continue;
        known[n] = wave_reg_name(r, name[r]);
        if (strcmp(text, known[n++]) == 0) {
            *regs |= 1u << r;
            return CLI_OK;
        }
    }
    cli_near(text, known, near, sizeof near);
    return cli_usage(
        "check",
        "--require takes registers (mcycle, minstret, mhpmcounter3 .. 8, mhpmevent3 .. "
        "8, data_o), counters, selectors, all or none, not \"%s\"%s%s%s",
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
    const uint32_t all = groups[GROUPS - 1].regs;
    const uint32_t lacks = o->core && o->required != all ? o->required & ~wave_regs_of(o->core) : 0;
    char name[WAVE_NAME];
    unsigned r = 0;

    if (!lacks)
        return CLI_OK;
    while (!(lacks >> r & 1))
        r++;
    return cli_usage("check", "--require: %s has no %s", o->core->name, wave_reg_name(r, name));
}
