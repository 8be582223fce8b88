/* SPDX-License-Identifier: MIT */
#ifndef PC_BUS_BEATS_H
#define PC_BUS_BEATS_H

#include "pcounter/unstable/bus.h"

/*
 * Finds where a bus takes something, on any of its channels: a bit a cycle, of that many words of
 * planes, by the rules of its protocol without a reset. false: there is no memory, or the rules
 * refuse it.
 */
bool pc_bus_beats(const struct pc_bus_desc *desc, const uint64_t *const *value,
                  const uint64_t *const *unknown, size_t words, uint64_t *beats);

#endif
