/* SPDX-License-Identifier: MIT */
/* The Verilog domain as C sees it: set up once, then so many cycles of a ring of samples. */
#ifndef PC_BENCH_PEER_H
#define PC_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct peer;

struct peer *peer_open_full(const uint8_t select[16], const uint16_t table[4]);
void peer_close(struct peer *peer);
/* Clears the counters, then clocks through sample 0 to cycles - 1, eight words of 32 each. */
void peer_run_full(struct peer *peer, const uint32_t (*sample)[8], size_t cycles,
                   uint32_t counters[4]);

#ifdef __cplusplus
}
#endif

#endif
