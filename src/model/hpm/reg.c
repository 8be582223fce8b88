/* SPDX-License-Identifier: MIT */
/* CVA6's counter CSRs by address and by name (HPM.MAP.*); pc_hpm_place_at() has the map. */
#include "model/hpm/hpm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const struct pc_hpm_rule rules[] = {
#define HPM_RULE(id, clause, about) { clause, about },
#include "model/hpm/rules.def"
#undef HPM_RULE
};

const struct pc_hpm_rule *pc_hpm_rule_at(size_t i)
{
    return i < HPM_RULE_COUNT ? &rules[i] : NULL;
}

/* "mhpmcounter3h"; the privilege letter of the enables.  No counter 1 (time) exists. */
static void name_it(const struct pc_hpm_place *p, char *out, size_t size)
{
    const bool high = p->kind == PC_HPM_REG_COUNTER_HIGH || p->kind == PC_HPM_REG_SHADOW_HIGH;
    const bool shadow = p->kind == PC_HPM_REG_SHADOW || p->kind == PC_HPM_REG_SHADOW_HIGH;
    const char *m = shadow ? "" : "m", *h = high ? "h" : "";

    if (p->kind == PC_HPM_REG_INHIBIT)
        snprintf(out, size, "mcountinhibit");
    else if (p->kind == PC_HPM_REG_ENABLE)
        snprintf(out, size, "%ccounteren", p->index == 3 ? 'm' : p->index == 1 ? 's' : 'h');
    else if (p->kind == PC_HPM_REG_SELECTOR)
        snprintf(out, size, "mhpmevent%u", (unsigned)p->index);
    else if (p->index == 0)
        snprintf(out, size, "%scycle%s", m, h);
    else if (p->index == 2)
        snprintf(out, size, "%sinstret%s", m, h);
    else
        snprintf(out, size, "%shpmcounter%u%s", m, (unsigned)p->index, h);
}

static uint64_t writable(const struct pc_hpm_config *c, const struct pc_hpm_place *p)
{
    if (!p->live || p->user)
        return 0;
    switch (p->kind) {
    case PC_HPM_REG_SELECTOR:
        return PC_HPM_SELECTOR_MASK;
    case PC_HPM_REG_INHIBIT:
        return PC_HPM_INHIBIT_MASK;
    case PC_HPM_REG_COUNTER:
        return c->xlen == 64 ? UINT64_MAX : UINT32_MAX;
    default:
        return UINT32_MAX;
    }
}

enum pc_status pc_hpm_reg_at(const struct pc_hpm_config *config, unsigned address,
                             struct pc_hpm_reg *out, struct pc_error *err)
{
    const struct pc_hpm_place p = pc_hpm_place_at(config, address);

    if (!p.exists)
        return pc_fail(err, 1005, "%s has no counter register at %03x: %s",
                       config->name ? config->name : "the core", address, rules[p.rule].about);
    *out = (struct pc_hpm_reg){
        .address = (uint16_t)address,
        .kind = p.kind,
        .index = p.index,
        .privilege = address >> 8 & 3,
        .writable = writable(config, &p),
        .clause = rules[p.rule].clause,
    };
    name_it(&p, out->name, sizeof out->name);
    return PC_OK;
}

/* Groups of 32 addresses that may hold a counter's register. */
static const uint16_t groups[] = { 0xb00, 0xb80, 0x320, 0x300, 0x100, 0x600, 0xc00, 0xc80 };

bool pc_hpm_owns(unsigned address)
{
    static const uint16_t others[] = { 0x720, 0xba0, 0xca0, 0xda0 }; /* later extensions' */

    if (address == 0x106 || address == 0x306 || address == 0x606)
        return true;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if ((address & ~31u) == groups[i] && (groups[i] >= 0xb00 || groups[i] == 0x320))
            return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if ((address & ~31u) == others[i])
            return true;
    return false;
}

enum pc_status pc_hpm_reg_find(const struct pc_hpm_config *config, const char *name,
                               struct pc_hpm_reg *out, struct pc_error *err)
{
    struct pc_hpm_reg reg;

    if (name[0] == '0' && pc_lower(name[1]) == 'x') {
        char *end;
        unsigned long address = strtoul(name + 2, &end, 16);
        if (*end == '\0' && end > name + 2 && address <= 0xfff)
            return pc_hpm_reg_at(config, (unsigned)address, out, err);
        return pc_fail(err, 1005, "\"%s\" is not a CSR address", name);
    }
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (unsigned i = 0; i < 32; i++)
            if (pc_hpm_reg_at(config, groups[g] + i, &reg, NULL) == PC_OK &&
                pc_same_text(name, reg.name)) {
                *out = reg;
                return PC_OK;
            }
    return pc_fail(err, 1005, "%s has no counter register \"%s\"",
                   config->name ? config->name : "the core", name);
}
