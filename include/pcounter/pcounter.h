/* SPDX-License-Identifier: MIT */
/*
 * pcounter: hardware performance counters as software.
 *
 * This header is the public interface, in the order of a manual:
 *
 *    1. base.h         status codes, errors, memory and output
 *    2. chips.h        which counter unit a chip has
 *    3. registers.h    name <-> address, decode, encode
 *    4. unit.h         one PCOUNTER domain set, cycle by cycle
 *    5. run.h          many cycles of a unit at once
 *    6. live.h         the same one cycle at a time, for emulators
 *    7. gpu.h          the MMIO device around a unit
 *    8. idle.h         PDAEMON idle counters
 *    9. hpm.h          CVA6's CSR counters
 *   10. wave.h         signals from a waveform file: VCD, FST, GHW, sigrok, CSV
 *   11. measure.h      distributions of values, latencies, state machines and levels
 *   12. expr.h         logic expressions over signals
 *   13. compile.h      from expressions to registers, and back
 *   14. names.h        signals, multiplexers and known configurations by name
 *   15. tap.h          a running simulation as a waveform: how its module finds who reads
 *
 * It is what is promised: from 1.0 on it changes as semantic versions say.  The headers of
 * pcounter/unstable/ are in the library for the program alone: they may change or go with any
 * version, and are included one by one.
 *
 *       plan.h         many events on the counters of a chip, in few passes
 *       metric.h       formulas with units over counted events
 *       script.h       driver sequences as text
 *       trace.h        register accesses from a kernel's log
 *       activity.h     how long nets are 0 and 1, how often they toggle, widths of pulses
 *       bus.h          handshakes, transactions and traffic of buses; where they are in a waveform
 *       core.h         counters of any core, by the rules of their registers
 *
 * Contract for all of it, unless a function says otherwise:
 *
 * - The library never prints, exits or keeps globals.  One handle belongs to one thread at a time;
 *   handles that were made apart share nothing that changes.  Tables are const: pointers into them
 *   (chips, errors, events) live for ever and may be used by any thread.
 * - Memory comes from the caller's allocator.  These functions allocate, and may return PC_ENOMEM:
 *   those named open, create, compile, parse or load; pc_wave_bind(), and reading a waveform, for
 *   what one time stamp holds; pc_expr_resolve(), pc_gpu_play(), pc_script_run(),
 *   pc_script_run_stimulus() and pc_trace_next(); distributions, with new values,
 * pc_states_add(), pc_activity_add(), pc_activity_section(), pc_bus_add() and pc_bus_find(),
 * pc_core_resolve().  What writes registers, steps or runs never allocates.  Only libdeflate
 * (blocks of an FST) and libzip (sessions of sigrok) take a little from malloc().
 * - A caller who makes a handle ends it with the function of the same group named destroy, close or
 *   free.  These take NULL; no other function does.  Descriptions are copied; a comment says what
 *   is kept by pointer (chips, contexts of callbacks).
 * - Results come last and stay untouched when a call fails.  `err` may be NULL; it is filled in
 *   whenever the status is neither PC_OK nor PC_END.
 * - A string or array that a function returns lives as long as its handle; without a handle it
 *   lives for ever.  Text written to `out, size` always ends in NUL and is cut off if there is no
 *   room.
 * - Start a struct that goes in (`_desc`, `_request`) with all members 0: 0 means the behaviour
 *   from before members were added.  Enumerators keep their numbers.  Structs keep their layout
 *   until the first number of the version changes; the soname of the shared library has that
 *   number, so that an old program is never run with a new layout.
 *
 * A statement about the hardware has its clause (PC.IN.7, docs/hardware/clauses.md; HPM.INSTRET.2,
 * docs/hardware/clauses-cva6.md) or the decision about it (D-17a, docs/hardware/decisions.md).  The
 * code and the tests have the same ids.
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
#include "pcounter/gpu.h"
#include "pcounter/idle.h"
#include "pcounter/hpm.h"
#include "pcounter/wave.h"
#include "pcounter/measure.h"
#include "pcounter/expr.h"
#include "pcounter/compile.h"
#include "pcounter/names.h"
#include "pcounter/tap.h"
/* clang-format on */

#endif
