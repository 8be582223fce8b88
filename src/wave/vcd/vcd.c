/* SPDX-License-Identifier: MIT */
/*
 * The VCD reader as wave.c sees it: IEEE 1364 four-state and extended VCD, with the
 * extensions of GTKWave, GHDL, nvc and Verilator.  Streams the file through one window, so
 * memory depends on what is declared and selected, never on the length of the trace.
 * Strengths of extended VCD are not kept; real and string values are changes without bits.
 */
#include "wave/vcd/vcd.h"

#include <string.h>

static enum pc_status vcd_select(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err)
{
    struct vcd *v = (struct vcd *)r;

    (void)err;
    if (v->base.hier.codes > 0)
        memcpy(v->wanted, wanted, v->base.hier.codes);
    return PC_OK;
}

static void vcd_progress(const struct wv_reader *r, uint64_t *done, uint64_t *total)
{
    wv_input_progress(((const struct vcd *)r)->in, done, total);
}

static void vcd_close(struct wv_reader *r)
{
    struct vcd *v = (struct vcd *)r;
    struct pc_alloc a = v->alloc;

    vcd_fast_free(v); /* its threads read the input */
    vcd_activity_free(v);
    wv_input_close(v->in);
    vcd_ids_free(&v->ids, &a);
    if (v->text.buf)
        pc_free(&a, v->text.buf, v->text.capacity + VCD_SLACK);
    pc_free(&a, v->section, v->section_capacity);
    pc_free(&a, v->wanted, v->base.hier.codes);
    pc_free(&a, v->change, v->changes_capacity * sizeof *v->change);
    pc_free(&a, v->bits, v->bits_capacity);
    pc_free(&a, v, sizeof *v);
}

/* Neither the end of the group that comes next nor more bytes are there. */
static bool vcd_waits(const struct wv_reader *r)
{
    const struct vcd *v = (const struct vcd *)r;
    const struct vcd_text *t = &v->text;
    const uint8_t *at = t->buf + (v->pending ? v->stamp : t->at), *end = t->buf + t->end;

    if (v->away || v->finished || t->eof)
        return false;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL && ++at < end)
        if (*at == '#' && memchr(at, '\n', (size_t)(end - at)))
            return false;
    return wv_input_waits(v->in);
}

static const struct wv_reader_ops vcd_ops = {
    .select = vcd_select,
    .next = vcd_next,
    .waits = vcd_waits,
    .scan = vcd_scan_activity,
    .plan = vcd_plan,
    .stretch = vcd_stretch,
    .edge_times = vcd_edge_times,
    .edge_distances = vcd_edge_distances,
    .progress = vcd_progress,
    .close = vcd_close,
};

/* A value of the widest variable, and its identifier, must fit the window. */
static enum pc_status widen_window(struct vcd *v, struct pc_error *err)
{
    size_t widest = 0, need;

    for (size_t i = 0; i < v->base.hier.codes; i++)
        if (v->base.hier.code[i].width > widest)
            widest = v->base.hier.code[i].width;
    if (!pc_size_mul(widest, 2, &need) || !pc_size_add(need, VCD_WINDOW / 2, &need))
        return pc_fail(err, 100, "not enough memory for values of %zu bits", widest);
    return need > v->text.capacity ? vcd_text_open(v, need, err) : PC_OK;
}

/* Makes the tables after the header, and what info prints. */
static enum pc_status prepare(struct vcd *v, const struct pc_wave_desc *desc, struct pc_error *err)
{
    struct wv_hier *h = &v->base.hier;
    struct pc_wave_info *info = &v->base.info;
    enum pc_status status = vcd_ids_finish(&v->ids, &v->alloc, err);
    size_t unused;

    if (status == PC_OK)
        status = widen_window(v, err);
    if (status == PC_OK)
        status = wv_add_text(h, "", 0, &unused, err); /* so that the arena exists */
    if (status)
        return status;
    if (h->codes > 0) {
        v->wanted = pc_calloc(&v->alloc, h->codes, 1);
        if (!v->wanted)
            return pc_fail(err, 100, "not enough memory for %zu value streams", h->codes);
    }
    info->format = v->evcd ? PC_WAVE_EVCD : PC_WAVE_VCD;
    info->encoding = wv_input_encoding(v->in);
    info->date = h->names + v->date;
    info->version = h->names + v->version;
    info->comment = h->names + v->comment;
    if (!v->has_timescale) {
        info->timescale_factor = v->declared_factor = 1;
        info->timescale_exponent = v->declared_exponent = -9;
        wv_warn(h, "no $timescale; one time unit is taken as 1 ns");
    }
    if (h->vars == 0)
        wv_warn(h, "the file declares no variable");
    return vcd_find_unit(v, desc, err);
}

/* Skips a byte order mark that an editor left. */
static enum pc_status skip_mark(struct vcd *v, struct pc_error *err)
{
    enum pc_status status = vcd_refill(v, 0, err);

    while (status == PC_OK && v->text.end < 3 && !v->text.eof)
        status = vcd_refill(v, 0, err);
    if (status == PC_OK && v->text.end >= 3 && memcmp(v->text.buf, "\xef\xbb\xbf", 3) == 0)
        v->text.at = 3;
    return status;
}

enum pc_status wv_vcd_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_wave_limits limits = wv_limits(&desc->limits);
    struct vcd *v = pc_calloc(&alloc, 1, sizeof *v);

    if (!v) {
        wv_input_close(in);
        return pc_fail(err, 100, "not enough memory to open a VCD");
    }
    v->base.ops = &vcd_ops;
    v->base.tolerate_time_backwards = desc->tolerate_time_backwards;
    v->strict = desc->strict;
    v->live = desc->live;
    v->threads = desc->threads;
    v->alloc = alloc;
    v->in = in;
    wv_hier_init(&v->base.hier, &alloc, &limits);
    v->base.hier.texts = desc->texts;
    size_t window = VCD_WINDOW;
    if (limits.max_name_bytes > window / 2 && limits.max_name_bytes < SIZE_MAX / 4)
        window = 2 * (size_t)limits.max_name_bytes;
    enum pc_status status = vcd_text_open(v, window, err);
    if (status == PC_OK)
        status = skip_mark(v, err);
    if (status == PC_OK)
        status = vcd_header(v, err);
    if (status == PC_OK)
        status = prepare(v, desc, err);
    if (status) {
        /* close frees everything but the hierarchy, which `codes` sizes */
        struct wv_hier hier = v->base.hier;
        vcd_close(&v->base);
        wv_hier_free(&hier);
        return status;
    }
    *out = &v->base;
    return PC_OK;
}
