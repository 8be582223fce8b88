/* SPDX-License-Identifier: MIT */
/*
 * The reader of sigrok sessions as wave.c sees it (parts: sigrok.h).  A timestamp is a
 * sample in which a wanted channel differs from the one before; those up to the next are its
 * repeats.  Eight samples at once are compared with the current one, so that an idle line
 * costs little more than its decompression.
 */
#include "wave/sigrok/sigrok.h"
#include "base/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char bits[] = "01"; /* of all changes */

/* Repeats the bytes eight times, so that words of 64 bits can be compared. */
static void repeat_eight(uint8_t *to, const uint8_t *sample, size_t unit)
{
    for (size_t i = 0; i < 8; i++)
        memcpy(to + i * unit, sample, unit);
}

/* Returns how many of the samples at p equal the current one, as far as it is looked at. */
static size_t count_equal(const struct sigrok *s, const uint8_t *p, size_t samples)
{
    const size_t unit = s->unit;
    size_t n = 0;
    uint64_t differs = 0;

    for (; samples - n >= 8; n += 8) {
        for (size_t w = 0; w < unit; w++)
            differs |=
                (pc_load_low_first(p + n * unit + 8 * w) ^ pc_load_low_first(s->same + 8 * w)) &
                pc_load_low_first(s->mask + 8 * w);
        if (differs)
            break;
    }
    for (; n < samples; n++)
        for (size_t b = 0; b < unit; b++)
            if ((p[n * unit + b] ^ s->same[b]) & s->mask[b])
                return n;
    return n;
}

static void add_change(struct sigrok *s, size_t channel, unsigned level, struct wv_group *out)
{
    out->records++;
    if (s->wanted[channel])
        s->change[out->changes++] = (struct wv_change){ (uint32_t)channel, level };
}

/* Takes the channels in which the sample at p differs from the current one, or all of them. */
static void take_sample(struct sigrok *s, const uint8_t *p, struct wv_group *out)
{
    for (size_t b = 0; b < s->unit; b++) {
        unsigned differs = s->started ? (unsigned)((p[b] ^ s->same[b]) & s->mask[b]) : 0xff;
        for (size_t i = 0; differs; i++, differs >>= 1)
            if ((differs & 1) && 8 * b + i < s->channels)
                add_change(s, 8 * b + i, p[b] >> i & 1, out);
    }
    repeat_eight(s->same, p, s->unit);
    s->started = true;
}

static enum pc_status sr_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err)
{
    struct sigrok *s = (struct sigrok *)r;
    enum pc_status status = s->end - s->at < s->unit ? sr_buffer(s, s->unit, err) : PC_OK;

    if (status)
        return status;
    out->time = s->time;
    out->change = s->change;
    out->bits = bits;
    take_sample(s, s->buffer + s->at, out);
    s->at += s->unit;
    s->time++;
    while (status == PC_OK && out->repeats < SR_RUN_MAX) {
        size_t samples = (s->end - s->at) / s->unit;
        size_t equal = count_equal(s, s->buffer + s->at, samples);
        s->at += equal * s->unit;
        s->time += equal;
        out->repeats += equal;
        if (equal < samples)
            break;
        status = sr_buffer(s, s->unit, err);
    }
    return status == PC_END ? PC_OK : status;
}

/* Looks at the wanted channels; at all of them if none is, since somebody counts records. */
static enum pc_status sr_select(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err)
{
    struct sigrok *s = (struct sigrok *)r;
    bool any = memchr(wanted, 1, s->channels) != NULL;

    (void)err;
    memcpy(s->wanted, wanted, s->channels);
    memset(s->mask, 0, 8 * s->unit);
    for (size_t i = 0; i < s->channels; i++)
        if (wanted[i] || !any)
            s->mask[i / 8] |= (uint8_t)(1u << i % 8);
    for (size_t i = 1; i < 8; i++)
        memcpy(s->mask + i * s->unit, s->mask, s->unit);
    return PC_OK;
}

static void sr_progress(const struct wv_reader *r, uint64_t *done, uint64_t *total)
{
    const struct sigrok *s = (const struct sigrok *)r;

    *total = s->packed;
    *done = s->packed_done;
    if (s->open && s->chunk[s->now].size > 0) {
        const struct sr_chunk *c = &s->chunk[s->now];
        *done += (uint64_t)((double)c->packed * (double)(c->size - s->file_left) / (double)c->size);
    }
}

static void sr_close(struct wv_reader *r)
{
    struct sigrok *s = (struct sigrok *)r;
    struct pc_alloc a = s->alloc;

    sr_close_sources(s);
    wv_input_close(s->in);
    if (s->meta.text)
        pc_free(&a, s->meta.text, s->meta.size + 1);
    pc_free(&a, s->chunk, s->chunk_capacity * sizeof *s->chunk);
    sr_fill_free(s);
    pc_free(&a, s->buffer, SR_BUFFER + SR_BEYOND);
    pc_free(&a, s->same, 8 * s->unit);
    pc_free(&a, s->mask, 8 * s->unit);
    pc_free(&a, s->wanted, s->channels);
    pc_free(&a, s->change, s->channels * sizeof *s->change);
    pc_free(&a, s, sizeof *s);
}

static const struct wv_reader_ops ops = {
    .select = sr_select,
    .next = sr_next,
    .fill = sr_fill,
    .fills_every = true,
    .progress = sr_progress,
    .close = sr_close,
};

/* Returns true if a member's name begins like this. */
static bool has_member(const struct sigrok *s, const char *begin)
{
    const zip_int64_t members = s->libzip.get_num_entries(s->zip, 0);

    for (zip_int64_t i = 0; i < members; i++) {
        const char *name = s->libzip.get_name(s->zip, (zip_uint64_t)i, 0);
        if (name && strncmp(name, begin, strlen(begin)) == 0)
            return true;
    }
    return false;
}

/* Captures of other programs that are also zip archives. */
static enum pc_status refuse_others(const struct sigrok *s, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    if (has_member(s, "meta.json") && (has_member(s, "digital-") || has_member(s, "analog-"))) {
        status = pc_fail(err, 503, "this looks like a capture of Saleae Logic 2 (.sal)");
        pc_hint(err, "export it there as CSV: File, Export Data");
    } else if (has_member(s, "header") && (has_member(s, "L-") || has_member(s, "A-") ||
                                           has_member(s, "O-") || has_member(s, "data"))) {
        status = pc_fail(err, 503, "this looks like a capture of DSView (.dsl)");
        pc_hint(err, "export it there as VCD or as a session of sigrok: File, Export; dsl2sigrok "
                     "converts it as well");
    }
    return status;
}

/* A zip archive without the text `name`: what it has instead. */
static enum pc_status no_session(const struct sigrok *s, const char *name, struct pc_error *err)
{
    const zip_int64_t members = s->libzip.get_num_entries(s->zip, 0);
    const char *first = members > 0 ? s->libzip.get_name(s->zip, 0, 0) : NULL;
    char more[40] = "";

    const enum pc_status status = refuse_others(s, err);

    if (status)
        return status;
    if (!first)
        return pc_fail(err, 720, "a zip archive, and there is nothing in it");
    if (members > 1)
        snprintf(more, sizeof more, " and %" PRIu64 " more", (uint64_t)members - 1);
    return pc_fail(err, 720,
                   "a zip archive, but no session of sigrok: no %s is in it, but %.150s%s", name,
                   first, more);
}

static enum pc_status read_version(struct sigrok *s, struct pc_error *err)
{
    char *text;
    size_t size;
    enum pc_status status = sr_read_text(s, "version", 64, &text, &size, err);

    if (status == PC_END)
        return no_session(s, "version", err);
    if (status)
        return status;
    size_t digits = strspn(text, "0123456789");
    if (digits != 1 || (text[0] != '1' && text[0] != '2') || text[1 + strspn(text + 1, " \r\n")])
        status = pc_fail(err, 721, "the session says version \"%.20s\"", text);
    s->format = text[0];
    pc_free(&s->alloc, text, size + 1);
    return status;
}

/* Makes what info prints: one time unit is one sample. */
static enum pc_status tell(struct sigrok *s, struct pc_error *err)
{
    struct pc_wave_info *info = &s->base.info;
    const struct sr_meta *m = &s->meta;
    char text[300];
    size_t version, comment;

    int n = snprintf(text, sizeof text, "sigrok %.*s, session version %c",
                     (int)(m->version.length < 200 ? m->version.length : 200),
                     m->version.length ? m->version.at : "", s->format);
    enum pc_status status = wv_add_text(&s->base.hier, text, (size_t)n, &version, err);
    if (status == PC_OK)
        status = wv_add_text(&s->base.hier, m->driver.length ? m->driver.at : "", m->driver.length,
                             &comment, err);
    if (status)
        return status;
    info->format = PC_WAVE_SIGROK;
    info->version = s->base.hier.names + version;
    info->comment = s->base.hier.names + comment;
    wv_sampled(info, m->rate);
    return PC_OK;
}

static enum pc_status allocate(struct sigrok *s, struct pc_error *err)
{
    const struct pc_alloc *a = &s->alloc;

    s->buffer = pc_calloc(a, SR_BUFFER + SR_BEYOND, 1);
    s->same = pc_calloc(a, 8, s->unit);
    s->mask = pc_calloc(a, 8, s->unit);
    s->wanted = pc_calloc(a, s->channels, 1);
    s->change = pc_calloc(a, s->channels, sizeof *s->change);
    if (!s->buffer || !s->same || !s->mask || !s->wanted || !s->change)
        return pc_fail(err, 100, "not enough memory for %zu channels", s->channels);
    return PC_OK;
}

static enum pc_status load(struct sigrok *s, unsigned threads, struct pc_error *err)
{
    enum pc_status status = sr_open_archive(s, err);

    if (status == PC_OK)
        status = read_version(s, err);
    if (status == PC_OK)
        status = sr_read_text(s, "metadata", (size_t)1 << 20, &s->meta.text, &s->meta.size, err);
    if (status == PC_END)
        return no_session(s, "metadata", err);
    if (status == PC_OK)
        status = sr_parse_meta(s, err);
    if (status == PC_OK)
        status = allocate(s, err);
    if (status == PC_OK)
        status = sr_find_chunks(s, err);
    if (status == PC_OK)
        status = sr_open_sources(s, threads, err);
    if (status == PC_OK)
        status = sr_declare(s, err);
    return status == PC_OK ? tell(s, err) : status;
}

enum pc_status wv_sigrok_open(struct wv_input *in, const struct pc_wave_desc *desc,
                              struct wv_reader **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_wave_limits limits = wv_limits(&desc->limits);
    struct sigrok *s = pc_calloc(&alloc, 1, sizeof *s);

    if (!s) {
        wv_input_close(in);
        return pc_fail(err, 100, "not enough memory to open a session of sigrok");
    }
    s->alloc = alloc;
    s->in = in;
    s->base.ops = &ops;
    wv_hier_init(&s->base.hier, &alloc, &limits);
    enum pc_status status = load(s, desc->threads, err);
    if (status) {
        struct wv_hier hier = s->base.hier;
        sr_close(&s->base);
        wv_hier_free(&hier);
        return status;
    }
    *out = &s->base;
    return PC_OK;
}
