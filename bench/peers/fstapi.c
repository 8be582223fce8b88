/* SPDX-License-Identifier: MIT */
/*
 * The format's reference code, as Verilator's package ships it.
 *   fstapi ones FILE CLOCK SIGNAL...       cycles, and in how many of them each signal of one bit
 * is 1, by the process mask of the reader; names are the last parts of paths fstapi repeat FROM TO
 * TIMES PERIOD     a waveform so many times in a row, each PERIOD later
 */
#include <fstapi.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

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

static bool repeat(const char *from, const char *to, unsigned times, uint64_t period)
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

/* ---- counting ---- */

/* What changes in a time stamp counts from the next edge on: the clock may be anywhere among it. */
struct reading {
    unsigned *place; /* by handle: of the clock 1, of the signals 2 ...; 0: not asked for */
    uint64_t time, cycles, ones[MOST];
    bool level[MOST], next[MOST];
    unsigned count;
};

static void end_stamp(struct reading *r)
{
    if (r->next[0] && !r->level[0]) {
        r->cycles++;
        for (unsigned i = 1; i < r->count; i++)
            r->ones[i] += r->level[i];
    }
    memcpy(r->level, r->next, sizeof r->level);
}

static void on_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct reading *r = user;

    if (time != r->time) {
        end_stamp(r);
        r->time = time;
    }
    if (r->place[handle])
        r->next[r->place[handle] - 1] = value[0] == '1';
}

static void choose(void *f, struct reading *r, char *const *names)
{
    struct fstHier *h;
    bool found[MOST] = { false };

    fstReaderClrFacProcessMaskAll(f);
    while ((h = fstReaderIterateHier(f)) != NULL)
        for (unsigned i = 0; h->htyp == FST_HT_VAR && i < r->count; i++)
            if (strcmp(h->u.var.name, names[i]) == 0 && !found[i]) {
                found[i] = true;
                r->place[h->u.var.handle] = i + 1;
                fstReaderSetFacProcessMask(f, h->u.var.handle);
            }
}

static bool ones(const char *path, unsigned count, char *const *names)
{
    struct reading r = { .count = count };
    void *f = fstReaderOpen(path);

    r.place = f ? calloc(fstReaderGetMaxHandle(f) + 1, sizeof *r.place) : NULL;
    if (!r.place)
        return false;
    choose(f, &r, names);
    const bool fine = fstReaderIterBlocks(f, on_change, &r, NULL);
    end_stamp(&r);
    printf("%" PRIu64, r.cycles);
    for (unsigned i = 1; i < count; i++)
        printf(" %" PRIu64, r.ones[i]);
    printf("\n");
    free(r.place);
    fstReaderClose(f);
    return fine;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "repeat") == 0)
        return repeat(argv[2], argv[3], (unsigned)strtoul(argv[4], NULL, 10),
                      strtoull(argv[5], NULL, 10))
                   ? 0
                   : 1;
    if (argc >= 4 && argc - 3 <= MOST && strcmp(argv[1], "ones") == 0)
        return ones(argv[2], (unsigned)argc - 3, argv + 3) ? 0 : 1;
    return 2;
}
