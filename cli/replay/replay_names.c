/* SPDX-License-Identifier: MIT */
/* Describes the register of an access: one of the unit, or of the card around it. */
#include "text/card_regs.h"
#include "replay.h"

#include <string.h>

#define BOOT_ID_MASK 0x1ff00000u /* the chip; the rest is its stepping */

void replay_name(const struct pc_chip *chip, struct replay_access *a)
{
    a->effect = "";
    a->bits = a->size < 8 ? (UINT64_C(1) << 8 * a->size) - 1 : UINT64_MAX;
    if (a->size != 4 || a->address % 4 != 0) {
        a->bits &= a->address == 0 ? BOOT_ID_MASK : UINT64_MAX;
        return; /* a part of a register, or of two */
    }
    a->known = pc_reg_at(chip, a->address, &a->reg, NULL) == PC_OK;
    a->card = !a->known && cli_card_at(chip, a->address, &a->reg);
    if (!a->known && !a->card)
        return;
    a->name = cli_reg_name(&a->reg);
    if (a->write)
        a->effect = a->known ? a->reg.effect : cli_card_effect(chip, &a->reg, (uint32_t)a->value);
    if (a->card &&
        (strcmp(a->reg.name, "COUNTER_MASK") == 0 || strcmp(a->reg.name, "COUNTER_MODE") == 0))
        a->config = UINT32_MAX;
    if (a->address == 0)
        a->bits = BOOT_ID_MASK;
}
