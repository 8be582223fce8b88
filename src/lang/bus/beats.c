/* SPDX-License-Identifier: MIT */
#include "lang/bus/beats.h"

#include "lang/bus/bus.h"

enum pc_status pc_bus_beats(const struct pc_bus_desc *desc, const uint64_t *const *value,
                            const uint64_t *const *unknown, size_t words, uint64_t *beats)
{
    struct pc_bus *b;
    const enum pc_status status = pc_bus_create(desc, &b, NULL);

    if (status != PC_OK)
        return status;
    b->value = value;
    b->unknown = unknown;
    for (size_t i = 0; i < words; i++) {
        b->word.at = i;
        b->words++;
        b->word.live = ~UINT64_C(0);
        pc_bus_look(b);
        beats[i] = 0;
        for (size_t c = 0; c < b->protocol->channels; c++)
            if (b->channel[c].rule)
                beats[i] |= b->word.state[c][PC_BUS_BEAT];
    }
    pc_bus_destroy(b);
    return PC_OK;
}
