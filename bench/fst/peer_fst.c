/* SPDX-License-Identifier: MIT */
/* See peer_fst.h. */
#include "peer_fst.h"

#include <fstapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* ---- writing ---- */

static fstHandle declare(void *w, const char *kind, unsigned number, uint32_t width)
{
    char name[32];

    if (width == 1 && *kind == 'c')
        snprintf(name, sizeof name, "clk");
    else
        snprintf(name, sizeof name, "%s%u", kind, number);
    return fstWriterCreateVar(w, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0);
}

/* In how many of 256 cycles a signal changes: few do often. */
static unsigned rate_of(unsigned number, unsigned kinds)
{
    static const unsigned rates[] = { 128, 64, 40, 24, 16, 8, 4, 1, 60, 32, 10, 2 };

    return rates[number % kinds];
}

static void write_cycles(void *w, const fstHandle *handle, uint64_t cycles)
{
    uint64_t seed = 12345, scalars[(PEER_SCALARS + 63) / 64] = { 0 };

    for (uint64_t c = 0; c < cycles; c++) {
        fstWriterEmitTimeChange(w, 10 * c + 5);
        fstWriterEmitValueChange(w, handle[0], "1");
        for (unsigned i = 0; i < PEER_SCALARS; i++) {
            if ((bench_random(&seed) >> 50 & 255) >= rate_of(i, 12))
                continue;
            scalars[i / 64] ^= UINT64_C(1) << i % 64;
            fstWriterEmitValueChange(w, handle[1 + i], scalars[i / 64] >> i % 64 & 1 ? "1" : "0");
        }
        for (unsigned i = 0; i < PEER_VECTORS; i++)
            if ((bench_random(&seed) >> 50 & 255) < rate_of(i, 11))
                fstWriterEmitValueChange32(w, handle[1 + PEER_SCALARS + i], 32,
                                           (uint32_t)(bench_random(&seed) >> 32));
        fstWriterEmitTimeChange(w, 10 * c + 10);
        fstWriterEmitValueChange(w, handle[0], "0");
    }
}

bool peer_fst_write(const char *path, uint64_t cycles)
{
    static const char zeros[33] = "00000000000000000000000000000000";
    fstHandle handle[PEER_SIGNALS];
    void *w = fstWriterCreate(path, 1);

    if (!w)
        return false;
    fstWriterSetPackType(w, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(w, "1ns");
    fstWriterSetScope(w, FST_ST_VCD_MODULE, "top", NULL);
    handle[0] = declare(w, "clk", 0, 1);
    for (unsigned i = 0; i < PEER_SCALARS; i++)
        handle[1 + i] = declare(w, "s", i, 1);
    for (unsigned i = 0; i < PEER_VECTORS; i++)
        handle[1 + PEER_SCALARS + i] = declare(w, "v", i, 32);
    fstWriterSetUpscope(w);
    fstWriterEmitTimeChange(w, 0);
    for (unsigned i = 0; i < PEER_SIGNALS; i++)
        fstWriterEmitValueChange(w, handle[i], zeros + (i <= PEER_SCALARS ? 31 : 0));
    write_cycles(w, handle, cycles);
    fstWriterClose(w);
    return true;
}

/* ---- repeating ---- */

struct repeating {
    void *w;
    fstHandle *handle; /* of the copy, by handle of the original */
    uint64_t offset, last;
    bool any;
};

static void copy_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct repeating *r = user;

    if (!r->any || time + r->offset != r->last)
        fstWriterEmitTimeChange(r->w, time + r->offset);
    r->any = true;
    r->last = time + r->offset;
    fstWriterEmitValueChange(r->w, r->handle[handle], value);
}

static void copy_hierarchy(void *f, struct repeating *r)
{
    struct fstHier *h;

    while ((h = fstReaderIterateHier(f)) != NULL)
        if (h->htyp == FST_HT_SCOPE) {
            fstWriterSetScope(r->w, h->u.scope.typ, h->u.scope.name, NULL);
        } else if (h->htyp == FST_HT_UPSCOPE) {
            fstWriterSetUpscope(r->w);
        } else if (h->htyp == FST_HT_VAR) {
            const fstHandle old = h->u.var.handle;
            const fstHandle new =
                fstWriterCreateVar(r->w, h->u.var.typ, h->u.var.direction, h->u.var.length,
                                   h->u.var.name, h->u.var.is_alias ? r->handle[old] : 0);
            if (!h->u.var.is_alias)
                r->handle[old] = new;
        }
}

bool peer_fst_repeat(const char *from, const char *to, unsigned times, uint64_t period)
{
    struct repeating r = { .w = NULL };
    void *f = fstReaderOpen(from);

    if (!f)
        return false;
    r.handle = calloc(fstReaderGetMaxHandle(f) + 1, sizeof *r.handle);
    r.w = fstWriterCreate(to, 1);
    bool fine = r.handle && r.w;
    if (fine) {
        fstWriterSetPackType(r.w, FST_WR_PT_LZ4);
        fstWriterSetTimescale(r.w, fstReaderGetTimescale(f));
        copy_hierarchy(f, &r);
        fstReaderSetFacProcessMaskAll(f);
    }
    for (unsigned i = 0; fine && i < times; i++) {
        r.offset = i * period;
        fine = fstReaderIterBlocks(f, copy_change, &r, NULL);
    }
    if (r.w)
        fstWriterClose(r.w);
    fstReaderClose(f);
    free(r.handle);
    return fine;
}

/* ---- reading ---- */

struct signal {
    uint64_t weight, ones, since; /* ones: bits that are 1 from cycle `since` on */
};

struct change {
    size_t signal;
    uint64_t ones;
};

/*
 * The reader calls back change by change, by time; what it gives of one time stamp is kept
 * until the stamp is over, because the clock may be anywhere among it.
 */
struct reading {
    struct signal *of; /* by handle; weight 0: none */
    fstHandle clock;
    char level, before;
    uint64_t time, cycles, sum;
    struct change change[PEER_SIGNALS];
    size_t changes;
};

static void end_stamp(struct reading *r)
{
    r->cycles += r->before == '0' && r->level == '1';
    r->before = r->level;
    for (size_t i = 0; i < r->changes; i++) {
        struct signal *s = &r->of[r->change[i].signal];
        r->sum += s->weight * s->ones * (r->cycles - s->since);
        s->ones = r->change[i].ones;
        s->since = r->cycles;
    }
    r->changes = 0;
}

static void on_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct reading *r = user;

    if (time != r->time) {
        end_stamp(r);
        r->time = time;
    }
    if (handle == r->clock)
        r->level = (char)value[0];
    if (r->of[handle].weight == 0)
        return;
    uint64_t ones = 0;
    for (const unsigned char *p = value; *p; p++)
        ones += *p == '1';
    if (r->changes == PEER_SIGNALS)
        exit(1); /* every signal changes at most once in a stamp of this file */
    r->change[r->changes++] = (struct change){ handle, ones };
}

static bool wants(const char *name, const char *const *names, size_t count, size_t *which)
{
    for (*which = 0; *which < count; ++*which)
        if (strcmp(names[*which], name) == 0)
            return true;
    return false;
}

static void select_signals(void *f, struct reading *r, const char *const *names, size_t count)
{
    struct fstHier *h;
    size_t which;

    fstReaderClrFacProcessMaskAll(f);
    while ((h = fstReaderIterateHier(f)) != NULL) {
        if (h->htyp != FST_HT_VAR)
            continue;
        const fstHandle handle = h->u.var.handle;
        if (strcmp(h->u.var.name, "clk") == 0)
            r->clock = handle;
        else if (wants(h->u.var.name, names, count, &which))
            r->of[handle].weight = which + 1;
        else
            continue;
        fstReaderSetFacProcessMask(f, handle);
    }
}

bool peer_fst_read(const char *path, const char *const *names, size_t count,
                   struct peer_fst_result *out)
{
    struct reading r = { .time = UINT64_MAX };
    void *f = fstReaderOpen(path);

    if (!f)
        return false;
    const size_t handles = fstReaderGetMaxHandle(f) + 1;
    r.of = calloc(handles, sizeof *r.of);
    if (!r.of)
        exit(1);
    select_signals(f, &r, names, count);
    bool ok = fstReaderIterBlocks(f, on_change, &r, NULL);
    end_stamp(&r);
    for (size_t i = 0; i < handles; i++)
        r.sum += r.of[i].weight * r.of[i].ones * (r.cycles - r.of[i].since);
    *out = (struct peer_fst_result){ r.cycles, r.sum };
    free(r.of);
    fstReaderClose(f);
    return ok;
}
