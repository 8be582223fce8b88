/* SPDX-License-Identifier: MIT */
/* 7. Summaries: a run cut into chunks that are looked at apart (see pcounter.h) */
#ifndef PCOUNTER_SUMMARY_H
#define PCOUNTER_SUMMARY_H

#include "pcounter/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a chunk of a long run does to a unit, whatever state the unit comes in: made by a
 * thread or a machine that has seen nothing of the chunks before.  Summaries of neighbours
 * combine, in any tree, and applying one is the same as running its cycles.
 *
 * A summary knows the states that the chunk's lead can have left behind.  Where the effect
 * hangs on more than that (a count of PRE or STOP that is used up, a threshold over all periods
 * that is crossed, record mode, a domain that looks at another), it does not hold, and the
 * chunk itself must be run: pc_summary_apply() says so and changes nothing.
 */
struct pc_summary;

#define PC_SUMMARY_LEAD   64 /* cycles, at least, before a chunk */
#define PC_SUMMARY_CYCLES 64 /* of a chunk, at least */

struct pc_summary_chunk {
    const struct pc_run_domain *domain; /* one for each domain of the unit */
    uint64_t cycles;                    /* that the planes have */
    uint64_t lead; /* so many of them, at the beginning, belong to the chunk before */
    uint64_t at;   /* cycles from the unit's state to the chunk's first cycle, behind the lead */
};

/*
 * `unit` is the unit as it stands before the whole run, with nothing written to it that its
 * next cycle would act on; it is only looked at.  A chunk with at = 0 has no lead and holds for
 * just that state.  PC_EARG for a chunk or a lead that is too short.
 */
PC_API PC_MUST_CHECK enum pc_status pc_summary_create(const struct pc_unit *unit,
                                                      struct pc_engine *engine,
                                                      const struct pc_summary_chunk *chunk,
                                                      struct pc_summary **out,
                                                      struct pc_error *err);
PC_API void pc_summary_destroy(struct pc_summary *summary); /* NULL is fine */

/* first then second; PC_EARG unless they are of one configuration and adjoin. */
PC_API PC_MUST_CHECK enum pc_status pc_summary_create_combined(const struct pc_summary *first,
                                                               const struct pc_summary *second,
                                                               struct pc_summary **out,
                                                               struct pc_error *err);

/*
 * Does to the unit what the chunk's cycles would, bit for bit, and returns true; or returns
 * false and leaves the unit alone: then run the cycles with pc_unit_run().
 */
PC_API PC_MUST_CHECK bool pc_summary_apply(const struct pc_summary *summary, struct pc_unit *unit);

/* Of the chunk, or of both together. */
PC_API uint64_t pc_summary_cycles(const struct pc_summary *summary);

/*
 * For another process of the same build: the bytes of a summary, which live as long as it
 * does, and a summary from such bytes, for a unit of the same chip with the same registers.  What
 * arrives is checked: PC_EINPUT if it is not one.
 */
PC_API const void *pc_summary_bytes(const struct pc_summary *summary, size_t *size);
PC_API PC_MUST_CHECK enum pc_status pc_summary_load(const struct pc_unit *unit, const void *bytes,
                                                    size_t size, struct pc_summary **out,
                                                    struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif
