/* SPDX-License-Identifier: MIT */
/* Step 7 for a block: what counts it, by the domain's mode. */
#include "model/engine/engine.h"

void eg_count_block(struct eg_block *b)
{
    if (pc_hangs(b->u, b->d))
        return;
    if (b->d->control.mode != PC_MODE_RECORD) /* D-66; record mode looks at the slot itself */
        pc_slot_pass(b->d, (uint64_t)b->words * 64);
    switch ((enum pc_mode)b->d->control.mode) {
    case PC_MODE_QUAD:
        eg_quad(b);
        break;
    case PC_MODE_SINGLE:
        eg_single(b);
        break;
    case PC_MODE_RECORD:
        eg_record(b);
        break;
    case PC_MODE_STREAM:
        eg_stream(b);
        break;
    default:
        break;
    }
}
