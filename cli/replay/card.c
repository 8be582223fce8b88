/* SPDX-License-Identifier: MIT */
/* The card of a trace. */
#include "card.h"

#include <inttypes.h>

#define VENDOR 0x10deu

enum pc_status card_take_pcidev(struct card_place *card, const struct pc_trace_event *e,
                                struct pc_error *err)
{
    uint64_t base = e->bar[0] & ~UINT64_C(0xf);

    if (e->vendor != VENDOR || e->bar_size[0] < CARD_REGISTERS)
        return PC_OK;
    if (card->found && card->base != base) {
        *err = (struct pc_error){ .status = PC_EAMBIG, .code = 1205, .line = e->line };
        snprintf(err->text, sizeof err->text,
                 "registers of one card are at 0x%" PRIx64 " (line %" PRIu32
                 "), of another at 0x%" PRIx64,
                 card->base, card->line, base);
        return err->status;
    }
    *card = (struct card_place){ .found = true, .base = base, .line = e->line };
    return PC_OK;
}
