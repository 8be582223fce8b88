/* SPDX-License-Identifier: MIT */
/*
 * pcounter: hardware performance counters as software.
 *
 * This header is the whole public interface, in the order of a manual:
 *
 *    1. base.h        every function speaks through these
 *    2. chips.h       which counter unit a chip has
 *    3. registers.h   name <-> address, decode, encode
 *    4. unit.h        one PCOUNTER domain set, cycle by cycle
 *    5. run.h         many cycles of a unit at once
 *    6. live.h        the same one cycle at a time, for emulators
 *    7. summary.h     a long run in chunks that are looked at apart
 *    8. gpu.h         the MMIO device around a unit
 *    9. idle.h        PDAEMON idle counters
 *   10. wave.h        signals from a waveform file: VCD, FST, sigrok, CSV
 *   11. expr.h        logic expressions over signals
 *   12. compile.h     what inputs are to mean, to registers and back
 *   13. plan.h        many events onto the counters of a chip, in few passes
 *   14. metric.h      formulas with units over counted events
 *   15. script.h      driver sequences as text
 *   16. hpm.h         CVA6's CSR counters
 *   17. trace.h       register accesses that a kernel wrote down
 *   18. names.h       signals, multiplexers and known configurations by name
 *
 * Contract for all of it: the library never prints, exits or keeps globals.
 * It allocates only in functions named open, create, compile, parse or load
 * (waves: also bind, and while reading for what one time stamp holds),
 * through the caller's allocator.  Results come last and stay untouched when a
 * call fails.  One handle belongs to one thread at a time; const data is shared.
 */
#ifndef PCOUNTER_H
#define PCOUNTER_H

/* clang-format off: the order of the manual */
#include "pcounter/base.h"
#include "pcounter/chips.h"
#include "pcounter/registers.h"
#include "pcounter/unit.h"
#include "pcounter/run.h"
#include "pcounter/live.h"
#include "pcounter/summary.h"
#include "pcounter/gpu.h"
#include "pcounter/idle.h"
#include "pcounter/wave.h"
#include "pcounter/expr.h"
#include "pcounter/compile.h"
#include "pcounter/plan.h"
#include "pcounter/metric.h"
#include "pcounter/script.h"
#include "pcounter/hpm.h"
#include "pcounter/trace.h"
#include "pcounter/names.h"
/* clang-format on */

#endif
