/* SPDX-License-Identifier: MIT */
/* The scene by the format's reference code, as Verilator's package ships it. */
#include <fstapi.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fst_scene.h"
#include "test.h"

struct writing {
    void *w;
    fstHandle handle[SCENE_SIGNALS];
    uint64_t flush_every, flush_at;
};

static void api_time(void *ctx, uint64_t time)
{
    struct writing *x = ctx;

    if (x->flush_every > 0 && time >= x->flush_at) {
        fstWriterFlushContext(x->w);
        x->flush_at = time + x->flush_every;
    }
    fstWriterEmitTimeChange(x->w, time);
}

static void api_change(void *ctx, unsigned signal, const char *bits)
{
    struct writing *x = ctx;

    fstWriterEmitValueChange(x->w, x->handle[signal], bits);
}

static void write_all(const char *path, unsigned cycles, const struct scene_writer *how)
{
    struct writing x = { .w = fstWriterCreate(path, 1) };
    const struct scene_sink sink = { api_time, api_change, &x };

    if (!x.w)
        _exit(1);
    x.flush_every = x.flush_at = (uint64_t)10 * how->flush_every;
    fstWriterSetPackType(x.w, (enum fstWriterPackType)how->pack);
    fstWriterSetRepackOnClose(x.w, how->wrap);
    fstWriterSetTimescale(x.w, -9);
    fstWriterSetScope(x.w, FST_ST_VCD_MODULE, "top", NULL);
    for (unsigned i = 0; i < SCENE_SIGNALS; i++)
        x.handle[i] = fstWriterCreateVar(x.w, FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                                         scene_signals[i].width, scene_signals[i].name, 0);
    fstWriterSetUpscope(x.w);
    scene_play(&sink, cycles);
    if (!how->leave)
        fstWriterClose(x.w);
    fflush(NULL);
}

/* In a process of its own, which may end in the middle. */
void scene_write_fst(const char *path, unsigned cycles, const struct scene_writer *how)
{
    int result = -1;

    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_all(path, cycles, how);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}
