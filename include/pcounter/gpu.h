/* SPDX-License-Identifier: MIT */
/* Gpu: the MMIO device around a unit (see pcounter.h) */
#ifndef PCOUNTER_GPU_H
#define PCOUNTER_GPU_H

#include "pcounter/run.h"
#include "pcounter/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * PMC boot id and enable, PCOUNTER, the PGRAPH trigger register, the bus signals
 * of the host domain, domain clocks, and a sparse memory for record mode.
 * Raw signals are levels held by the device; time advances by run and step.
 */
struct pc_gpu;
struct pc_idle;

/*
 * Domains of the device are numbered from 0: on NV10:GF100 as the unit has them, on GF100+
 * those of the hub, then of each GPC, then of each partition.
 */
#define PC_GPU_DOMAINS 64
#define PC_DOM_PDAEMON 0x10000u /* in place of a domain's number, for clocks and runs: PDAEMON */
#define PC_NOTICE_TEXT 240
#define PC_DOM_EVERY   0x10001u /* for pc_gpu_clock_hz(): all domains, and PDAEMON */

/*
 * An access of a register (32 bits, a multiple of 4) that is no part of the device: another engine
 * of the card.  Either it sets *value to what is read, or *value is written.  False: nothing is
 * there.
 */
typedef bool pc_gpu_other_fn(void *ctx, uint32_t address, bool is_write, uint32_t *value);

/* Zero fields are defaults, but for chip. */
struct pc_gpu_desc {
    const struct pc_chip *chip;
    const struct pc_alloc *alloc;
    size_t memory_limit; /* bytes of record memory; 0: 64 MiB */
    uint32_t stepping;   /* bits 19:0 of PMC.BOOT_0, with the chip's number above; 0: 0xa1 (D-95) */
    /*
     * Takes the packets of record mode, as of a unit; NULL: the device's memory does, which
     * pc_gpu_memory_read() shows.  On GF100+ the ring has decided then whether there is room, and
     * what is returned does not matter.
     */
    pc_mem_write_fn *mem_write;
    void *mem_ctx;
    pc_gpu_other_fn *other; /* NULL: nothing is there */
    void *other_ctx;
    /*
     * PTIMER is a part of the device: 0x9200, 0x9210, and the time in ns at 0x9400 and 0x9410,
     * which is that of pc_gpu_now_ns() until it is written (U-029).  It drives the signal
     * ptimer.time_b12 where a chip has that.  False: `other` is asked for it.
     */
    bool ptimer;
};

/* Returns true if there is a device of the chip: a unit, or at least the two registers of C51
 * (D-09). */
PC_API bool pc_gpu_possible(const struct pc_chip *chip);
/* Returns true if the device, not a unit, keeps the word at that address: MCP73's pair where it has
 * no domain (D-09; unless option igp-pair says no), and what drivers read around the units. */
PC_API bool pc_gpu_keeps(const struct pc_chip *chip, uint32_t address);
/*
 * Creates all units of the chip, reset, and their memory. PC_ENOUNIT if the chip has no device,
 * PC_EUNSUP if its domains are not known, PC_EARG for a stepping of more than 20 bits.
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_create(const struct pc_gpu_desc *desc,
                                                  struct pc_gpu **out, struct pc_error *err);
PC_API void pc_gpu_destroy(struct pc_gpu *gpu); /* NULL is fine */
/*
 * Sets all registers and counters as after pc_gpu_create(), and no access waits. What comes from
 * outside stays: options, latencies, clocks, callbacks, levels and what plays; so do time and what
 * is in record memory.
 */
PC_API void pc_gpu_reset(struct pc_gpu *gpu);
PC_API const struct pc_chip *pc_gpu_chip(const struct pc_gpu *gpu);
/* Returns the first unit, or the only one, which belongs to the gpu. NULL on C51. */
PC_API struct pc_unit *pc_gpu_unit(struct pc_gpu *gpu);

struct pc_gpu_domain_info {
    struct pc_unit *unit;
    enum pc_set set;
    unsigned index;  /* of the GPC or partition */
    unsigned domain; /* within the unit */
};
/* Domains of the device, and what each is; for a number past the end, the first. */
PC_API unsigned pc_gpu_domain_count(const struct pc_gpu *gpu);
PC_API void pc_gpu_get_domain_info(const struct pc_gpu *gpu, unsigned domain,
                                   struct pc_gpu_domain_info *out);
/* Does what pc_chip_find_domain() does for the device's chip; "pdaemon" is PC_DOM_PDAEMON if it has
 * idle counters. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_find_domain(const struct pc_gpu *gpu, const char *name,
                                                       unsigned *domain, struct pc_error *err);
/* Returns the PDAEMON idle counters of the chip (idle.h), or NULL. They have a clock of their own:
 * PC_DOM_PDAEMON. */
PC_API struct pc_idle *pc_gpu_idle(struct pc_gpu *gpu);
/* Sets COUNTER_SIGNALS from the next PDAEMON clock on. PC_ENOUNIT without idle counters. */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_set_idle(struct pc_gpu *gpu, uint32_t signals,
                                                    struct pc_error *err);

/*
 * Sets an option of the units, of the idle counters or of the device ("pm-trigger-latency",
 * "host-bus"): pc_option_at() lists them. PC_ENOENT for an unknown name, PC_EARG for an unknown
 * value.
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_option(struct pc_gpu *gpu, const char *name,
                                                  const char *value, struct pc_error *err);
/* Sets the cycles that pass in every domain after each write and each read; default 1 and 0. With
 * different clocks the slowest domain has that many cycles, the others more; PDAEMON's clock is not
 * waited for. */
PC_API void pc_gpu_latency(struct pc_gpu *gpu, uint32_t write_cycles, uint32_t read_cycles);
/*
 * Sets the edges of a domain: at phase, phase + period, ... in one common unit; default 1 and 0. in
 * one common unit; default 1 and 0. If time has already passed, it is about the edges still to
 * come; the clocks of other domains do not matter. PC_ENOENT for a domain that does not exist,
 * PC_EARG for a period of 0 and for either above UINT32_MAX.
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_clock(struct pc_gpu *gpu, unsigned domain,
                                                 uint64_t period, uint64_t phase,
                                                 struct pc_error *err);

/*
 * Sets the frequency of a domain, of PDAEMON (PC_DOM_PDAEMON) or of all (PC_DOM_EVERY), from now
 * on; it is 500 MHz at first, which is what period 1 of pc_gpu_clock() means then. The frequencies
 * of others stay as they are, but where the new one asks for another unit of time, and with
 * PC_DOM_EVERY, all clocks begin anew with an edge, and phases count from now. PC_ENOENT for a
 * domain that does not exist; PC_EARG for 0 Hz, above UINT32_MAX, and for frequencies with so
 * little in common that no unit of 2^-60 s or longer has a whole period of at most UINT32_MAX for
 * each.
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_clock_hz(struct pc_gpu *gpu, unsigned domain,
                                                    uint64_t hz, struct pc_error *err);
/*
 * Lets that many nanoseconds pass: each clock has its edges of that time.  What is left of an edge
 * counts for the next call, so that many short times are exactly one long.  It comes on top of
 * what accesses and runs take: set pc_gpu_latency() to 0 where this is all the time there is.
 * PC_EARG with pc_gpu_external_time(); else as pc_gpu_run().
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_elapse(struct pc_gpu *gpu, uint64_t ns,
                                                  struct pc_error *err);
/* Nanoseconds since pc_gpu_create(), those of whole units of the clocks' time: what passed by
 * elapse, runs and latencies, not by pc_gpu_edge() and pc_gpu_edges(), which have no length. */
PC_API uint64_t pc_gpu_now_ns(const struct pc_gpu *gpu);

/*
 * Accesses of the card's MMIO, byte addresses in BAR0.  Each is one transaction of 1 to 8 bytes (a
 * size above that is taken as 8) at any address: the signals of the bus tell of one access, and
 * then the time of pc_gpu_latency() passes, so a read is no const function.  The low byte comes
 * first.  Registers have 32 bits; the bytes of one that a write does not reach stay as they read
 * (U-028).
 * At an address that nothing decodes a write is dropped, and a read is 0; on GF100+ 0xbadf1100
 * outside of all blocks, 0xbadf1200 while PMC has the engine switched off (D-51, D-88).
 */
PC_API void pc_gpu_write(struct pc_gpu *gpu, uint32_t address, unsigned size, uint64_t value);
PC_API uint64_t pc_gpu_read(struct pc_gpu *gpu, uint32_t address, unsigned size);
/* Accesses of 4 bytes */
PC_API void pc_gpu_write32(struct pc_gpu *gpu, uint32_t address, uint32_t value);
PC_API uint32_t pc_gpu_read32(struct pc_gpu *gpu, uint32_t address);
/* Returns true if there is a register of the device, not of pc_gpu_desc.other, at that byte. */
PC_API bool pc_gpu_decodes(const struct pc_gpu *gpu, uint32_t address);
/*
 * Accesses of PDAEMON's own processor to its I[] addresses (PC_IDLE_IO of idle.h): no bus signal
 * tells of them, and they take the same time.  A write is dropped, and a read is 0, where there is
 * no such register, and while PDAEMON is off (on GF100+ 0xbadf1200 then).
 */
PC_API void pc_gpu_io_write32(struct pc_gpu *gpu, uint32_t address, uint32_t value);
PC_API uint32_t pc_gpu_io_read32(struct pc_gpu *gpu, uint32_t address);
/*
 * Numbers of the bits that switch an engine on, as all are at first: of PMC.ENABLE (0x000200) on
 * GF100+, of 0x022210 before, where PDAEMON alone has one (D-88, U-024).
 */
enum { PC_PMC_PDAEMON_BIT = 13, PC_PMC_PCOUNTER_BIT = 28, PC_PDAEMON_ENABLE_BIT = 0 };
/* Returns the bits of PGRAPH DEBUG_1 (0x400084) that keep what is written, by family; 0 from G80
 * on. PM_TRIGGER, bit 5, is never one of them. */
PC_API uint32_t pc_gpu_debug1_mask(const struct pc_chip *chip);
/*
 * Returns what the model noticed that hardware does not report (enum pc_diag), in words: a sentence
 * a domain and kind.  Not PC_DIAG_SWAP_LOST, which QUAD_STATE shows, and PC_DIAG_UNDECODED.  *out:
 * the i-th, in the order of domains; false: there are no more.
 */
struct pc_gpu_notice {
    enum pc_diag what;
    unsigned domain;
    char text[PC_NOTICE_TEXT]; /* "domain part0.0: a selection of signal c7 reads 0: ..." */
};
PC_API bool pc_gpu_get_notice(const struct pc_gpu *gpu, size_t i, struct pc_gpu_notice *out);
/* Returns true if there was an undecoded access since the device was created. *address: the first
 * one. */
PC_API bool pc_gpu_undecoded(const struct pc_gpu *gpu, uint32_t *address);

/*
 * Sets the level of a raw signal from the next cycle on. PC_ENOENT for a domain or signal that does
 * not exist, PC_EARG for one that the unit drives.
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_set(struct pc_gpu *gpu, unsigned domain, unsigned signal,
                                               bool level, struct pc_error *err);
/*
 * Plays one level per cycle (levels[i]: 0 or 1) from the next cycle on; then the last one is kept.
 * The levels are copied; without any (count 0) nothing changes. Errors as of pc_gpu_set().
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_play(struct pc_gpu *gpu, unsigned domain,
                                                unsigned signal, const uint8_t *levels,
                                                size_t count, struct pc_error *err);
/*
 * Makes a pulse of one cycle in every domain: the domain's next cycle. Reads take no time (D-18a):
 * to see its effect, let a cycle pass first.
 */
PC_API void pc_gpu_pulse(struct pc_gpu *gpu, enum pc_pulse pulse);

/*
 * Runs until `domain` (or PC_DOM_PDAEMON) has had `cycles` more cycles; the others run by their
 * clocks.  PC_ENOENT for a domain that does not exist, PC_ELIMIT if record mode filled the memory
 * of the device, or, with nothing done, if the run would come to instant 2^63, or the latency of an
 * access before it would have; and what pc_gpu_external_time() returns.
 */
PC_API PC_MUST_CHECK enum pc_status pc_gpu_run(struct pc_gpu *gpu, unsigned domain, uint64_t cycles,
                                               struct pc_error *err);

/*
 * Returns how a domain of the device would run for long with its present registers, signals and
 * clocks (run.h). Where time comes from outside: by pc_gpu_edges(), each domain with a clock of its
 * own. *why: a sentence; lives for ever.
 */
PC_API enum pc_run_how pc_gpu_explain(const struct pc_gpu *gpu, unsigned domain, const char **why);

/*
 * Advances time from outside instead of by clocks: one instant with edges in the given domains.
 * raw[d] replaces the bits of mask[d] in the held levels for this edge; one row a domain of the
 * device. Both NULL: all are held.
 */
PC_API void pc_gpu_edge(struct pc_gpu *gpu, uint64_t edges, const uint64_t (*raw)[PC_SIG_WORDS],
                        const uint64_t (*mask)[PC_SIG_WORDS]);
/*
 * Takes many instants at once, as pc_unit_run() does: one row a domain of the device.
 * Signals without a plane keep the level that the device holds (rows have none); it is what
 * pc_gpu_edge() would do instant by instant, and much faster from some hundred of them on.
 */
PC_API void pc_gpu_edges(struct pc_gpu *gpu, uint64_t instants, const struct pc_run_domain *domain);
/*
 * With a callback set, whenever the device wants time to pass (access latency, bus
 * pulses, run) it asks for it here: let `cycles` edges pass in `domain`, or in every
 * domain if `domain` is negative, by calling pc_gpu_edge() or pc_gpu_edges().  Return PC_END when
 * time has run out.  They do not drive PDAEMON's clock (PC_DOM_PDAEMON, which only pc_gpu_run()
 * asks for): call pc_idle_run() of pc_gpu_idle() for it.
 */
typedef enum pc_status pc_gpu_time_fn(void *ctx, int domain, uint64_t cycles, struct pc_error *err);
PC_API void pc_gpu_external_time(struct pc_gpu *gpu, pc_gpu_time_fn *advance, void *ctx);

/*
 * Saves and loads the whole device as a snapshot, with record memory and what plays:
 * pc_gpu_state_size() bytes at that moment, as of pc_unit_save(); same chip only. Set options,
 * latency and pc_gpu_external_time() as they were. Older versions of the format are also read.
 * pc_gpu_load() checks what it is given; if it refuses, nothing has changed: PC_EINPUT, PC_ELIMIT
 * for more record memory than memory_limit, PC_ENOMEM.
 */
PC_API size_t pc_gpu_state_size(const struct pc_gpu *gpu);
PC_API void pc_gpu_save(const struct pc_gpu *gpu, void *state);
PC_API PC_MUST_CHECK enum pc_status pc_gpu_load(struct pc_gpu *gpu, const void *state, size_t size,
                                                struct pc_error *err);

/* Reads record memory: bytes never written read 0. *written is true if any of them was. */
PC_API void pc_gpu_memory_read(const struct pc_gpu *gpu, uint64_t address, uint8_t *out,
                               size_t size, bool *written);

#ifdef __cplusplus
}
#endif

#endif
