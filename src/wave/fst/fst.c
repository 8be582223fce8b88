/* SPDX-License-Identifier: MIT */
/*
 * FST as a wave reader (reader.h).  Reads what the format's public descriptions establish:
 * all kinds of value change blocks, zlib, LZ4 and FastLZ, wrapped and unfinished files.
 * Only chains of wanted streams are unpacked, so wv_group.records counts wanted records.
 * Real values, texts and events are changes without bits; $timezero is told in a warning;
 * attributes (enumerations, source lines) are passed over.
 */
#include "wave/fst/fst.h"

#include <stdlib.h>

static struct fst *fst_of(struct wv_reader *r)
{
    return (struct fst *)r;
}

static enum pc_status fst_select(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err)
{
    struct fst *f = fst_of(r);

    f->wanteds = 0;
    for (size_t i = 0; i < f->streams; i++) {
        if (!wanted[i])
            continue;
        if (!pc_grow(&f->alloc, (void **)&f->wanted, &f->wanted_capacity, f->wanteds + 1,
                     sizeof *f->wanted))
            return fst_no_memory(err, "the selection");
        f->wanted[f->wanteds++] = (uint32_t)i;
    }
    return PC_OK;
}

/* Bytes of an error in a wrapped file are not those of the file on disk. */
static enum pc_status tell_wrapped(const struct fst *f, enum pc_status status, struct pc_error *err)
{
    if (f->wrapped && err && err->has_byte && err->hint[0] == '\0')
        pc_hint(err, "the file is packed whole: bytes count in what it unpacks to");
    return status;
}

static enum pc_status fst_read_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err)
{
    struct fst *f = fst_of(r);
    enum pc_status status = fst_next(f, out, err);

    return status == PC_OK || status == PC_END ? status : tell_wrapped(f, status, err);
}

static enum pc_status fst_read_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                                    struct pc_error *err)
{
    enum pc_status status = fst_fill(r, wave, stream, err);

    return status == PC_OK || status == PC_END ? status : tell_wrapped(fst_of(r), status, err);
}

static void fst_stop_threads(struct wv_reader *r)
{
    fst_stop_direct(fst_of(r));
}

static void fst_progress(const struct wv_reader *r, uint64_t *done, uint64_t *total)
{
    const struct fst *f = (const struct fst *)r;
    const struct fst_now *n = &f->loaded.now;

    *total = f->size;
    *done = 0;
    if (n->block >= f->blocks)
        return;
    const struct fst_block *b = &f->block[n->block];
    double part = n->times > 0 ? (double)n->index / (double)n->times : 1;
    *done = b->at + (uint64_t)(part * (double)b->size);
    if (n->block + 1 == f->blocks && n->index == n->times)
        *done = f->size;
}

static void free_window(const struct fst *f)
{
    const struct fst_window *w = &f->window;
    const struct pc_alloc *a = &f->alloc;

    pc_free(a, w->first, w->first_capacity * sizeof *w->first);
    pc_free(a, w->change, w->change_capacity * sizeof *w->change);
    pc_free(a, w->staged, w->staged_capacity * sizeof *w->staged);
    pc_free(a, w->slot, w->slot_capacity * sizeof *w->slot);
    pc_free(a, w->bits, w->bits_capacity);
}

static void fst_close(struct wv_reader *r)
{
    struct fst *f = fst_of(r);
    struct pc_alloc a = f->alloc;

    wv_team_destroy(f->team);
    fst_direct_free(f);
    fst_unpack_close(f);
    free_window(f);
    fst_free_buffer(f, &f->unwrapped);
    fst_free_loaded(f, &f->loaded);
    pc_free(&a, f->block, f->block_capacity * sizeof *f->block);
    pc_free(&a, f->stream, f->stream_capacity * sizeof *f->stream);
    pc_free(&a, f->wanted, f->wanted_capacity * sizeof *f->wanted);
    pc_free(&a, f->carry, f->carry_capacity * sizeof *f->carry);
    pc_free(&a, f->carry_bits, f->carry_bits_capacity);
    wv_input_close(f->in);
    pc_free(&a, f, sizeof *f);
}

static const struct wv_reader_ops ops = {
    .select = fst_select,
    .next = fst_read_next,
    .fill = fst_read_fill,
    .fills_every = true,
    .scan = fst_activity,
    .listen = fst_listen,
    .stop_threads = fst_stop_threads,
    .progress = fst_progress,
    .close = fst_close,
};

static enum pc_status set_encoding(struct fst *f, struct pc_error *err)
{
    static const char *const name[] = {
        [FST_ZLIB] = "zlib", [FST_GZIP] = "gzip", [FST_LZ4] = "lz4", [FST_FASTLZ] = "fastlz"
    };
    enum fst_packing packing = FST_ZLIB;
    enum pc_status status = PC_OK;

    f->reader.info.encoding = f->wrapped ? "gzip-wrapped" : "plain";
    if (f->wrapped || f->blocks == 0)
        return PC_OK;
    status = fst_block_packing(f, 0, &packing, err);
    if (status == PC_OK)
        f->reader.info.encoding = name[packing];
    return status;
}

static enum pc_status load(struct fst *f, const struct pc_wave_desc *desc, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    size_t held = 0;

    f->size = wv_input_extent(f->in);
    if (f->size == 0) {
        status = wv_input_hold(f->in, &f->data, &held, err);
        f->size = held;
    }
    if (status == PC_OK)
        status = fst_load_blocks(f, err);
    if (status == PC_OK)
        status = fst_load_hierarchy(f, desc, err);
    if (status == PC_OK)
        status = set_encoding(f, err);
    f->reader.info.format = PC_WAVE_FST;
    f->reader.info.date = f->date;
    f->reader.info.version = f->version;
    f->reader.info.comment = f->comment;
    f->loaded.now.block = SIZE_MAX; /* before the first */
    return status;
}

enum pc_status wv_fst_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct fst *f = pc_calloc(&alloc, 1, sizeof *f);

    if (!f) {
        wv_input_close(in);
        return fst_no_memory(err, "a reader");
    }
    f->alloc = alloc;
    f->in = in;
    f->whole_table = FST_WHOLE_TABLE;
    f->team = wv_team_create(&alloc, desc->threads);
    if (!f->team || !fst_unpack_open(f, wv_team_size(f->team))) {
        fst_close(&f->reader);
        return fst_no_memory(err, "a reader");
    }
    f->reader.ops = &ops;
    f->reader.tolerate_time_backwards = desc->tolerate_time_backwards;
    struct pc_wave_limits limits = wv_limits(&desc->limits);
    wv_hier_init(&f->reader.hier, &alloc, &limits);
    f->reader.hier.texts = desc->texts;
    enum pc_status status = load(f, desc, err);
    if (status) {
        tell_wrapped(f, status, err);
        wv_hier_free(&f->reader.hier);
        fst_close(&f->reader);
        return status;
    }
    *out = &f->reader;
    return PC_OK;
}
