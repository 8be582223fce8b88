/* SPDX-License-Identifier: MIT */
/*
 * Registers that a trace of the counters has and the register tables do not: PMC, PGRAPH's
 * trigger, unit counts, the PDAEMON idle counters (registers sections 6 and 7).
 */
#include "replay.h"

#define IDLE_FIRST   0x10a500u
#define IDLE_MASK    4u /* offsets in a counter's 16 bytes, behind COUNTER_SIGNALS */
#define IDLE_COUNT   8u
#define IDLE_MODE    12u
#define PM_TRIGGER   0x20u
#define BOOT_ID_MASK 0x1ff00000u /* the chip; the rest is its stepping */

static const struct {
    uint32_t address;
    const char *name;
} single[] = { { 0x000000, "PMC.BOOT_ID" },      { 0x000200, "PMC.ENABLE" },
               { 0x022430, "GPC_COUNT" },        { 0x022438, "PART_COUNT" },
               { 0x022504, "GPC_DISABLED[0]" },  { 0x022584, "GPC_DISABLED[1]" },
               { 0x022548, "PART_DISABLED[0]" }, { 0x0225c8, "PART_DISABLED[1]" },
               { 0x400084, "PGRAPH.DEBUG_1" } };

static void set_name(struct replay_access *a, const char *name, unsigned index)
{
    snprintf(a->name.text, sizeof a->name.text, "PDAEMON.%s[%u]", name, index);
}

static void name_idle(const struct pc_chip *chip, struct replay_access *a)
{
    uint32_t offset = a->address - IDLE_FIRST;
    unsigned i = (offset - 4) / 16;

    if (a->address < IDLE_FIRST || !chip->idle_counters)
        return;
    if (offset == 0)
        snprintf(a->name.text, sizeof a->name.text, "PDAEMON.COUNTER_SIGNALS");
    if (offset < 4 || i >= chip->idle_counters)
        return;
    switch ((offset - 4) % 16 + 4) {
    case IDLE_MASK:
        set_name(a, "COUNTER_MASK", i);
        a->config = UINT32_MAX;
        break;
    case IDLE_COUNT:
        set_name(a, "COUNTER_COUNT", i);
        a->effect = a->write ? a->value >> 31 ? "the counter goes to 0" : "nothing" : "";
        break;
    case IDLE_MODE:
        set_name(a, "COUNTER_MODE", i);
        a->config = UINT32_MAX;
        break;
    }
}

void replay_name(const struct pc_chip *chip, struct replay_access *a)
{
    a->effect = "";
    a->bits = UINT32_MAX;
    a->known = pc_reg_at(chip, a->address, &a->reg, NULL) == PC_OK;
    if (a->known) {
        a->name = cli_reg_name(&a->reg);
        a->effect = a->write ? a->reg.effect : "";
        return;
    }
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (single[i].address == a->address)
            snprintf(a->name.text, sizeof a->name.text, "%s", single[i].name);
    name_idle(chip, a);
    if (a->address == 0)
        a->bits = BOOT_ID_MASK;
    if (a->address == 0x400084 && a->write && chip->layout != PC_LAYOUT_GF100 &&
        a->value & PM_TRIGGER)
        a->effect = "PM_TRIGGER: a pulse in every domain";
}
