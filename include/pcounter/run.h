/* SPDX-License-Identifier: MIT */
/* Run: many cycles at once (see pcounter.h) */
#ifndef PCOUNTER_RUN_H
#define PCOUNTER_RUN_H

#include "pcounter/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scratch memory and the loops that suit this CPU.  One engine serves many units, one at a time. */
struct pc_engine;

struct pc_engine_desc {
    const struct pc_alloc *alloc;
    const char *kernel; /* NULL: the fastest here; "portable", "avx2" */
};
/* Creates an engine; PC_EARG for an unknown kernel, or one that this CPU cannot run. */
PC_API PC_MUST_CHECK enum pc_status pc_engine_create(const struct pc_engine_desc *desc,
                                                     struct pc_engine **out, struct pc_error *err);
PC_API void pc_engine_destroy(struct pc_engine *engine); /* NULL is fine */

/*
 * Returns, while a run calls the unit's memory, in which of its cycles of this run, counted from 0,
 * the domain sends the packet. 0 for a domain that does not exist.
 */
PC_API uint64_t pc_engine_packet_cycle(const struct pc_engine *engine, unsigned domain);

/* Counts the ones in that many words of a plane, with the loops that suit this CPU. */
PC_API uint64_t pc_plane_ones(const uint64_t *plane, size_t words);

/* The inputs of a domain during a run. */
struct pc_run_domain {
    /*
     * plane[s], s < PC_MAX_SIGNALS: bit t%64 of word t/64 is raw signal s in the domain's
     * cycle t of this run; NULL: the signal keeps its level.  NULL: all do.
     */
    const uint64_t *const *plane;
    const uint64_t *level; /* PC_SIG_WORDS words, as raw[] of pc_unit_step(); NULL: all 0 */
    bool still;            /* the domain has no cycles */
    /*
     * Bit i%64 of word i/64: the domain has an edge at instant i of the run, so that its cycle t
     * ends at the t-th such instant.  NULL: it has one at every instant.  Domains with the
     * same clock share one plane.
     */
    const uint64_t *edge;
};

/* A register write before instant `cycle` of the run, or after the last instant if the run is
 * shorter. */
struct pc_run_write {
    uint64_t cycle;
    uint32_t address, value;
};

struct pc_run {
    uint64_t cycles; /* instants: cycles of every domain that is not still and has no edge plane */
    const struct pc_run_domain *domain; /* one for each domain of the unit */
    const struct pc_run_write *write;   /* in order of their cycles */
    size_t writes;
};

/*
 * Does what `cycles` calls of pc_unit_step() would do, each with the domains that have an edge
 * then: state, counters and packets are the same, bit for bit.  Words after the last cycle of a
 * plane are not read.  All domains share one time, and what a domain sees of another one with a
 * different clock is sampled at its own edges (docs/adr/003).  Packets come in the order of time,
 * but other domains may already be further on: the receiver must not touch the unit.
 */
PC_API void pc_unit_run(struct pc_unit *unit, struct pc_engine *engine, const struct pc_run *run);

/*
 * How the domain would run with its registers as they are now: WIDE, 64 cycles a word, where it has
 * nothing to do with other domains and nothing of it depends on itself; STEP, cycle by cycle.
 */
enum pc_run_how { PC_RUN_WIDE, PC_RUN_STEP };
/* Returns how a run would go; why: a sentence, which is never freed. */
PC_API enum pc_run_how pc_unit_explain(const struct pc_unit *unit, unsigned domain,
                                       const char **why);
/* Explains the same for a run, in which some domains stand still. */
PC_API enum pc_run_how pc_run_explain(const struct pc_unit *unit, const struct pc_run *run,
                                      unsigned domain, const char **why);
PC_API const char *pc_run_how_name(enum pc_run_how how); /* "wide", "step" */

#ifdef __cplusplus
}
#endif

#endif
