/* SPDX-License-Identifier: MIT */
/* The engine itself: its scratch memory, and the loops that suit this CPU. */
#include "model/engine/engine.h"

#include <stddef.h>
#include <string.h>

enum pc_status pc_engine_create(const struct pc_engine_desc *desc, struct pc_engine **out,
                                struct pc_error *err)
{
    const struct pc_kernel *kernel = pc_kernel_best(), *k;
    struct pc_alloc alloc = pc_alloc_or_libc(desc ? desc->alloc : NULL);

    if (desc && desc->kernel) {
        kernel = NULL;
        for (size_t i = 0; (k = pc_kernel_at(i)) != NULL; i++)
            if (strcmp(k->name, desc->kernel) == 0)
                kernel = k;
        if (!kernel || !kernel->usable())
            return pc_fail(err, 414, "the kernel \"%s\" %s", desc->kernel,
                           kernel ? "needs another CPU" : "does not exist");
    }
    struct pc_engine *e = (struct pc_engine *)alloc.resize(alloc.ctx, NULL, 0, sizeof *e);
    if (!e)
        return pc_fail(err, 100, "no memory for the engine (%zu bytes)", sizeof *e);
    memset(e, 0, offsetof(struct pc_engine, zeros));
    e->alloc = alloc;
    e->kernel = kernel;
    e->block = EG_WORDS;
    e->part = EG_RECORD_WORDS;
    e->live.steps = &pc_live_steps_any;
#if defined(__x86_64__) && !defined(PC_PORTABLE)
    if (kernel != &pc_kernel_portable) /* the CPU has what this needs */
        e->live.steps = &pc_live_steps_v3;
#endif
    e->prefetch.asks = e->prefetch.pays = true;
    *out = e;
    return PC_OK;
}

void pc_engine_destroy(struct pc_engine *e)
{
    if (!e)
        return;
    struct pc_alloc alloc = e->alloc;
    pc_free(&alloc, e, sizeof *e);
}

uint64_t pc_plane_ones(const uint64_t *plane, size_t words)
{
    return pc_kernel_best()->count(plane, words);
}

uint64_t pc_engine_packet_cycle(const struct pc_engine *e, unsigned domain)
{
    return domain < PC_MAX_DOMAINS ? e->packet_cycle[domain] : 0;
}
