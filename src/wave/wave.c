/* SPDX-License-Identifier: MIT */
/*
 * An open waveform, whatever its format: opening, what it says of itself, its variables.
 * The format is told by content.
 */
#include "pcounter/tap.h"
#include "wave/wave.h"

#include <stdlib.h>
#include <string.h>

#define PEEK 4096

/* An FST begins with its header block (type 0, 329 bytes), or is wrapped whole (type 254, gzip). */
static bool looks_like_fst(const uint8_t *p, size_t size)
{
    static const uint8_t head[9] = { 0, 0, 0, 0, 0, 0, 0, 1, 0x49 };

    return (size >= sizeof head && memcmp(p, head, sizeof head) == 0) ||
           (size >= 19 && p[0] == 254 && p[17] == 0x1f && p[18] == 0x8b);
}

static bool looks_like_zip(const uint8_t *p, size_t size)
{
    return size >= 4 && (memcmp(p, "PK\x03\x04", 4) == 0 || memcmp(p, "PK\x05\x06", 4) == 0);
}

static bool looks_like_vcd(const uint8_t *p, size_t size)
{
    size_t i = 0;

    if (size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        i = 3; /* a byte order mark that an editor left */
    while (i < size && (p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r')))
        i++;
    return i < size && p[i] == '$';
}

static enum pc_status tell_format(struct wv_input *in, const struct pc_wave_desc *desc,
                                  struct wv_reader **out, struct pc_error *err)
{
    const uint8_t *p = NULL;
    size_t size = 0;
    enum pc_status status = wv_input_peek(in, &p, PC_TAP_HEAD, &size, err);

    /* Who taps a simulation waits for an answer after its first bytes. */
    if (status == PC_OK && size >= 5 && memcmp(p, PC_TAP_MAGIC, 5) == 0)
        return wv_tap_open(in, desc, out, err);
    if (status == PC_OK)
        status = wv_input_peek(in, &p, PEEK, &size, err);
    if (status == PC_OK && looks_like_fst(p, size))
        return wv_fst_open(in, desc, out, err);
    if (status == PC_OK && size >= 8 && memcmp(p, "GHDLwave", 8) == 0)
        return wv_ghw_open(in, desc, out, err);
    if (status == PC_OK && looks_like_vcd(p, size))
        return wv_vcd_open(in, desc, out, err);
    if (status == PC_OK && looks_like_zip(p, size))
        return wv_sigrok_open(in, desc, out, err);
    if (status == PC_OK)
        status = wv_refuse_stranger(p, size, err);
    if (status == PC_OK && size > 0 && wv_csv_looks(p, size))
        return wv_csv_open(in, desc, out, err);
    if (status == PC_OK && size == 0)
        status = pc_fail(err, 507, "the input is empty");
    if (status == PC_OK)
        status = wv_refuse_unknown(p, size, desc->path, err);
    wv_input_close(in);
    return status;
}

static enum pc_status open_reader(const struct pc_wave_desc *desc, struct pc_wave *wave,
                                  struct pc_error *err)
{
    struct wv_input *in;
    enum pc_status status = wv_input_open(desc, &wave->end, &in, err);

    if (status == PC_OK)
        status = tell_format(in, desc, &wave->reader, err);
    wave->end.reader = wave->reader;
    if (status == PC_OK) {
        wv_unit(wave->reader, desc);
        wv_input_end_tell(&wave->end);
    } else if (status == PC_EINPUT && wave->end.cut && err && err->code != 516)
        pc_hint(err, "%s", wave->end.text);
    return status;
}

static void close_reader(struct wv_reader *r)
{
    struct wv_hier hier = r->hier; /* it outlives the reader it is part of */

    r->ops->close(r);
    wv_hier_free(&hier);
}

/* Returns true if very many variables have one last part, as "valid" in each of thousands of
 * modules. */
static bool has_long_chain(const struct pc_wave *wave, size_t vars)
{
    enum { LONG = 64 };

    for (size_t head = 0; head < wave->name_heads && vars > LONG; head++) {
        size_t length = 0;
        for (uint32_t at = wave->name_head[head]; at && length <= LONG; length++)
            at = wave->name_next[at - 1];
        if (length > LONG)
            return true;
    }
    return false;
}

/* Builds a hash table over whole paths, with as many heads. */
static bool index_paths(struct pc_wave *wave)
{
    const struct wv_hier *h = wv_hier_of(wave);

    wave->path_head = pc_calloc(&wave->alloc, wave->name_heads, sizeof *wave->path_head);
    wave->path_next = pc_calloc(&wave->alloc, h->vars + 1, sizeof *wave->path_next);
    if (!wave->path_head || !wave->path_next)
        return false;
    for (size_t i = h->vars; i-- > 0;) {
        const char *name = h->names + h->var[i].name;
        size_t at = wv_path_hash(name, strlen(name)) & (wave->name_heads - 1);
        wave->path_next[i] = wave->path_head[at];
        wave->path_head[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Builds a hash table over the last part of each path; at least as many heads as variables. */
static bool index_names(struct pc_wave *wave)
{
    const struct wv_hier *h = wv_hier_of(wave);
    size_t heads = 16;

    while (heads < h->vars)
        heads *= 2;
    wave->name_heads = heads;
    wave->name_head = pc_calloc(&wave->alloc, heads, sizeof *wave->name_head);
    wave->name_next = pc_calloc(&wave->alloc, h->vars + 1, sizeof *wave->name_next);
    if (!wave->name_head || !wave->name_next)
        return false;
    for (size_t i = h->vars; i-- > 0;) {
        const char *name = h->names + h->var[i].name;
        size_t at = wv_name_hash(name, strlen(name)) & (heads - 1);
        wave->name_next[i] = wave->name_head[at];
        wave->name_head[at] = (uint32_t)i + 1;
    }
    return !has_long_chain(wave, h->vars) || index_paths(wave);
}

enum pc_status pc_wave_open(const struct pc_wave_desc *desc, struct pc_wave **out,
                            struct pc_error *err)
{
    if (!desc || !desc->path || !out)
        return pc_fail(err, 530, "pc_wave_open needs a path and a place for its result");
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_wave_desc full = *desc;
    full.alloc = &alloc;
    full.limits = wv_limits(&desc->limits);
    struct pc_wave *wave = pc_calloc(&alloc, 1, sizeof *wave);
    if (!wave)
        return pc_fail(err, 100, "not enough memory to open a waveform");
    wave->alloc = alloc;
    wave->progress = desc->progress;
    wave->progress_ctx = desc->progress_ctx;
    wave->live = desc->live;
    wave->refuses = desc->refuse_oddities;
    enum pc_status status = open_reader(&full, wave, err);
    if (status == PC_OK && (!index_names(wave) || !wv_find_split_vectors(wave)))
        status = pc_fail(err, 100, "not enough memory for the names of the waveform");
    if (status == PC_OK && wv_judge(wave, PC_OK)) {
        status = wave->failure;
        if (err)
            *err = wave->error;
    }
    if (status) {
        pc_wave_close(wave);
        return status;
    }
    *out = wave;
    return PC_OK;
}

void pc_wave_close(struct pc_wave *wave)
{
    if (!wave)
        return;
    struct pc_alloc a = wave->alloc;
    if (wave->reader && wave->reader->ops->stop_threads)
        wave->reader->ops->stop_threads(wave->reader);
    wv_bind_free(wave);
    if (wave->name_head)
        pc_free(&a, wave->name_head, wave->name_heads * sizeof *wave->name_head);
    pc_free(&a, wave->path_head, wave->name_heads * sizeof *wave->path_head);
    if (wave->path_next)
        pc_free(&a, wave->path_next, (wv_hier_of(wave)->vars + 1) * sizeof *wave->path_next);
    if (wave->name_next)
        pc_free(&a, wave->name_next, (wv_hier_of(wave)->vars + 1) * sizeof *wave->name_next);
    wv_free_split_vectors(wave);
    wv_compares_free(wave);
    if (wave->reader)
        close_reader(wave->reader);
    pc_free(&a, wave, sizeof *wave);
}

void pc_wave_get_info(const struct pc_wave *wave, struct pc_wave_info *out)
{
    const struct wv_hier *h = wv_hier_of(wave);

    *out = wave->reader->info;
    out->date = out->date ? out->date : "";
    out->version = out->version ? out->version : "";
    out->comment = out->comment ? out->comment : "";
    out->scopes = h->scopes;
    out->vars = h->vars;
    out->codes = h->codes;
    out->warnings = wave->refuses ? 0 : h->warnings + (h->more_warnings > 0);
}

const char *pc_wave_warning(const struct pc_wave *wave, size_t i)
{
    return wave->refuses ? NULL : wv_warning(wv_hier_of(wave), i);
}

const char *pc_wave_note(const struct pc_wave *wave, size_t i)
{
    const struct wv_hier *h = wv_hier_of(wave);

    return i < h->notes ? h->note[i] : NULL;
}

enum pc_status pc_wave_get_var(const struct pc_wave *wave, size_t i, struct pc_wave_var *out)
{
    const struct wv_hier *h = wv_hier_of(wave);

    if (i >= h->vars)
        return PC_END;
    const struct wv_var *v = &h->var[i];
    *out = (struct pc_wave_var){
        .name = h->names + v->name,
        .range = h->names + v->range,
        .type = wv_type_names[v->type],
        .kind = (enum pc_var_kind)v->kind,
        .width = v->width,
        .msb = v->msb,
        .lsb = v->lsb,
        .code = v->code,
        .is_signed = v->is_signed,
    };
    return PC_OK;
}

size_t pc_wave_scope_length(const struct pc_wave *wave, size_t var)
{
    const struct wv_hier *h = wv_hier_of(wave);

    return var < h->vars ? h->var[var].scope : 0;
}

enum pc_status pc_wave_get_vector(const struct pc_wave *wave, size_t i, struct pc_wave_var *out,
                                  size_t *first)
{
    if (!wave || !out || !first)
        return PC_EARG;
    if (i >= wave->splits)
        return PC_END;
    const struct wv_split_vector *r = &wave->split[i];
    const enum pc_status status = pc_wave_get_var(wave, r->first, out); /* type, kind, code */
    out->name = wave->split_text + r->name;
    out->range = wave->split_text + r->range;
    out->width = r->count;
    out->msb = r->left;
    out->lsb = r->right;
    *first = r->first;
    return status;
}

void pc_wave_progress(const struct pc_wave *wave, uint64_t *done, uint64_t *total)
{
    wave->reader->ops->progress(wave->reader, done, total);
}

enum pc_status wv_may_begin(struct pc_wave *wave, enum wv_mode mode, struct pc_error *err)
{
    static const char *const names[] = { [WV_NEXT] = "pc_wave_next",
                                         [WV_STEP] = "pc_wave_step",
                                         [WV_SCAN] = "pc_wave_scan",
                                         [WV_LISTEN] = "pc_wave_listen" };

    if (wave->reader->edges_only && mode != WV_NEXT)
        return pc_fail(err, 792, "the tap has samples at edges only, and this wants all changes");
    if (wave->mode == WV_IDLE || (wave->mode == mode && mode < WV_SCAN))
        return PC_OK;
    return pc_fail(err, 533, "%s after %s: a waveform is read once, in one way", names[mode],
                   names[wave->mode]);
}

/* "line 12: text" as an error with its place. */
static enum pc_status refuse(const char *text, struct pc_error *err)
{
    static const char line[] = "line ";
    const size_t n = sizeof line - 1;
    unsigned long long number;
    char *end;

    if (strncmp(text, line, n) != 0)
        return pc_fail(err, 640, "%s", text);
    number = strtoull(text + n, &end, 10);
    return *end == ':' && number <= UINT32_MAX
               ? pc_fail_at(err, 640, (uint32_t)number, 0, "%s", end + 2)
               : pc_fail(err, 640, "%s", text);
}

enum pc_status wv_judge(struct pc_wave *wave, enum pc_status status)
{
    if ((status == PC_OK || status == PC_END) && wave->refuses && wv_hier_of(wave)->warnings > 0)
        status = refuse(wv_hier_of(wave)->warning[0], &wave->error);
    if (status && status != PC_END)
        wave->failure = status;
    return status;
}

enum pc_status wv_read_group(struct pc_wave *wave, struct pc_error *err)
{
    if (wave->failure) {
        if (err)
            *err = wave->error;
        return wave->failure;
    }
    memset(&wave->group, 0, sizeof wave->group);
    enum pc_status status =
        wv_judge(wave, wave->reader->ops->next(wave->reader, &wave->group, &wave->error));
    if (status && status != PC_END && err)
        *err = wave->error;
    return status;
}

unsigned wv_first_begun(const struct pc_wave *wave)
{
    unsigned s = 0;

    while (s < wave->streams && wave->stream[s].cycles == 0)
        s++;
    return s;
}

bool wv_waits(const struct pc_wave *wave)
{
    return wave->live && wave->reader->ops->waits && wv_first_begun(wave) < wave->streams &&
           wave->reader->ops->waits(wave->reader);
}
