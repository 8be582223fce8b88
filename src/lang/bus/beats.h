/* SPDX-License-Identifier: MIT */
#ifndef PC_BUS_BEATS_H
#define PC_BUS_BEATS_H

#include "pcounter/unstable/bus.h"

/*
 * Finds where a bus takes something, on any of its channels: a bit a cycle, of that many words of
 * planes, by the rules of its protocol without a reset. PC_ENOMEM, or what the rules refuse it for.
 */
enum pc_status pc_bus_beats(const struct pc_bus_desc *desc, const uint64_t *const *value,
                            const uint64_t *const *unknown, size_t words, uint64_t *beats);

#endif
