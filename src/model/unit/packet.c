/* SPDX-License-Identifier: MIT */
/* A packet of record mode from its bytes; how they come about is in record.c (PC.REC.1, PC.REC.2).
 */
#include "pcounter/unit.h"

static unsigned half_word(const uint8_t *bytes, unsigned i)
{
    return bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8;
}

bool pc_packet_decode(const uint8_t *bytes, size_t size, struct pc_packet *out)
{
    if (size != PC_PACKET_LONG && size != PC_PACKET_SHORT)
        return false;
    const unsigned stop = half_word(bytes, 3);
    *out = (struct pc_packet){
        .cycles = half_word(bytes, 0) | (uint64_t)half_word(bytes, 1) << 16 |
                  (uint64_t)half_word(bytes, 2) << 32,
        .stop = (uint16_t)(stop & PC_PACKET_STOP_MAX),
        .unused = (uint8_t)(stop >> 12),
        .events = size == PC_PACKET_LONG ? (unsigned)PC_PACKET_EVENTS : 4u,
    };
    for (unsigned i = 0; i < out->events; i++)
        out->event[i] = (uint16_t)half_word(bytes, 4 + i);
    return true;
}
