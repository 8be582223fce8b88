/* SPDX-License-Identifier: MIT */
/* TileLink: how many beats the messages of a request and of its response have. */
#include "lang/bus/bus.h"

/* Codes of channel A: 0 and 1 put data, 2 and 3 are atomic, 4 gets data, 5 is a hint. */
enum { A_PUT_PARTIAL = 1, A_LAST_WITH_DATA = 3, A_HINT = 5 };
enum { D_DATA = 1, D_GRANT_DATA = 5, D_RELEASE_ACK = 6 };

/* Returns the beats of 2^size bytes of data. */
static uint64_t words_of(struct pc_bus *b, const struct bus_transfer *rule, unsigned cycle)
{
    const uint64_t word = b->role[rule->word].width / 8;
    uint64_t size;

    if (word == 0 || !pc_bus_number(b, rule->size, cycle, &size))
        return 1;
    const uint64_t bytes = UINT64_C(1) << size;
    return bytes > word ? bytes / word : 1;
}

void pc_bus_sized_request(struct pc_bus *b, const struct bus_transfer *rule, unsigned cycle,
                          uint64_t *words, uint64_t *answers)
{
    const uint64_t all = words_of(b, rule, cycle);
    uint64_t opcode;

    *words = 1;
    *answers = all;
    if (!pc_bus_number(b, rule->opcode, cycle, &opcode))
        return;
    if (opcode <= A_LAST_WITH_DATA)
        *words = all;
    if (opcode <= A_PUT_PARTIAL || opcode == A_HINT)
        *answers = 1;
}

uint64_t pc_bus_sized_response(struct pc_bus *b, const struct bus_transfer *rule, unsigned cycle,
                               uint64_t expected)
{
    uint64_t opcode;

    if (!pc_bus_number(b, rule->ropcode, cycle, &opcode))
        return expected;
    return opcode == D_DATA || opcode == D_GRANT_DATA ? expected : 1;
}

bool pc_bus_sized_is_response(struct pc_bus *b, const struct bus_transfer *rule, unsigned cycle)
{
    uint64_t opcode;

    return !pc_bus_number(b, rule->ropcode, cycle, &opcode) || opcode != D_RELEASE_ACK;
}
