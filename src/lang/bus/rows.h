/* SPDX-License-Identifier: MIT */
/* Shorthands for the rows of protocols. */
#ifndef PC_BUS_ROWS_H
#define PC_BUS_ROWS_H

#include "lang/bus/rules.h"

#define BIT(n)   (UINT32_C(1) << (n))
#define STATE(s) BIT(PC_BUS_##s)
#define ROLE(...)                                                                                  \
    {                                                                                              \
        .role = { __VA_ARGS__ }                                                                    \
    }

/* Four states of two wires. */
#define VALID_READY(v, r)                                                                          \
    .states = 4, .valid = (v),                                                                     \
    .state = {                                                                                     \
        { PC_BUS_BEAT, BIT(v) | BIT(r), 0 },                                                       \
        { PC_BUS_STALL, BIT(v), BIT(r) },                                                          \
        { PC_BUS_STARVE, BIT(r), BIT(v) },                                                         \
        { PC_BUS_IDLE, 0, BIT(v) | BIT(r) },                                                       \
    }
#define PAIR (BUS_RUNS | BUS_PAUSES | BUS_DROPS | BUS_UNSTABLE)
/* An event that is a beat of a channel. */
#define BEAT_OF(c)                                                                                 \
    {                                                                                              \
        .is = BUS_WHEN, .channel = (c), .states = STATE(BEAT)                                      \
    }

/* A channel of two wires, the n-th pair of them. */
#define AXI_PAIR(v, r)                                                                             \
    { .role = { v } },                                                                             \
    {                                                                                              \
        .role = { r }, .absent = true                                                              \
    }
#define AXI_CHANNEL(n, name_, v, ...)                                                              \
    {                                                                                              \
        .name = (name_), .flags = PAIR | BUS_WAITING, .there = (v),                                \
        VALID_READY(2 * (n), 2 * (n) + 1), .payload = {                                            \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

#endif
