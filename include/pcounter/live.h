/* SPDX-License-Identifier: MIT */
/* Live: one cycle at a time, in nanoseconds, for emulators and scripts (see pcounter.h) */
#ifndef PCOUNTER_LIVE_H
#define PCOUNTER_LIVE_H

#include "pcounter/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A unit inside a running emulator: pc_unit_step(), pc_unit_read() and pc_unit_write() with the
 * same results, packets and diagnostics, only faster.  What the registers ask for is worked out
 * when they are written, and a cycle then takes as few operations as possible; whatever is out of
 * the ordinary (the cycles after a write, a swap, a packet) is left to pc_unit_step().
 *
 * These always go the slow way: domains that look at an EVENT or at the FLAG of another domain,
 * and calls whose `edges` differ from the last ones.
 */
struct pc_live;

/*
 * Opens a unit for live steps; the unit remains the caller's, and belongs to `live` until
 * pc_live_close(): go through pc_live_unit() for everything that has no function here. It must not
 * be a unit of a device (gpu.h), which steps its units itself. PC_ENOMEM.
 */
PC_API PC_MUST_CHECK enum pc_status pc_live_open(struct pc_unit *unit, struct pc_live **out,
                                                 struct pc_error *err);
/* Leaves the unit as if it had been stepped; NULL is fine. */
PC_API void pc_live_close(struct pc_live *live);

/* Does what pc_unit_step() does: one rising edge in every domain whose bit is set. */
PC_API void pc_live_step(struct pc_live *live, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS]);

/* Does what the pc_unit_ functions of the same names do. */
PC_API void pc_live_write(struct pc_live *live, uint32_t address, uint32_t value);
PC_API uint32_t pc_live_read(struct pc_live *live, uint32_t address);
PC_API void pc_live_pulse(struct pc_live *live, enum pc_pulse pulse, uint32_t delay);
PC_API void pc_live_record_done(struct pc_live *live, unsigned domain, bool fault);

/*
 * Returns the unit in its present state. Anything but destroying it is allowed until the next call
 * of a pc_live_ function.
 */
PC_API struct pc_unit *pc_live_unit(struct pc_live *live);

#ifdef __cplusplus
}
#endif

#endif
