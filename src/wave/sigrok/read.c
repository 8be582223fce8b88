/* SPDX-License-Identifier: MIT */
/*
 * Samples as one stream of bytes over all chunks.  With several threads a round of chunks is
 * read at once: the first by the caller, as it is asked for, the others into memory, or as much
 * of them as there is room for.  What comes out, errors included, is the same.
 */
#include "wave/sigrok/sigrok.h"

#include <inttypes.h>
#include <string.h>

#define ROOM_MAX ((size_t)4 << 20) /* sigrok's own chunks are no larger */

static size_t largest_chunk(const struct sigrok *s)
{
    size_t size = 1;

    for (size_t i = 0; i < s->chunks; i++)
        if (s->chunk[i].size > size)
            size = s->chunk[i].size < ROOM_MAX ? (size_t)s->chunk[i].size : ROOM_MAX;
    return size;
}

/* The first has no memory: what it reads goes to the caller. */
static enum pc_status open_others(struct sigrok *s, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    for (unsigned i = 1; i < s->sources && status == PC_OK; i++) {
        struct sr_source *source = &s->source[i];
        source->session = s;
        source->data = s->alloc.resize(s->alloc.ctx, NULL, 0, s->room);
        if (!source->data)
            return pc_fail(err, 100, "not enough memory to read with %u threads", s->sources);
        status = sr_open_zip(s, &source->archive, &source->zip, err);
    }
    return status;
}

enum pc_status sr_open_sources(struct sigrok *s, unsigned threads, struct pc_error *err)
{
    s->team = wv_team_create(&s->alloc, threads < s->chunks ? threads : (unsigned)s->chunks);
    s->sources = s->team ? wv_team_size(s->team) : 0;
    s->source = pc_calloc(&s->alloc, s->sources, sizeof *s->source);
    if (!s->team || !s->source)
        return pc_fail(err, 100, "not enough memory to read a zip archive");
    s->source[0].session = s;
    s->source[0].zip = s->zip;
    s->room = largest_chunk(s);
    return open_others(s, err);
}

static void wait_for_others(struct sigrok *s)
{
    if (s->working)
        wv_team_end(s->team);
    s->working = false;
}

void sr_close_sources(struct sigrok *s)
{
    const struct pc_alloc *a = &s->alloc;
    const struct sr_libzip *z = &s->libzip;

    wait_for_others(s);
    wv_team_destroy(s->team);
    for (unsigned i = 0; s->source && i < s->sources; i++) {
        struct sr_source *source = &s->source[i];
        if (source->file)
            z->fclose(source->file);
        if (source->zip && i > 0)
            z->discard(source->zip);
        pc_free(a, source->data, s->room);
    }
    pc_free(a, s->source, s->sources * sizeof *s->source);
    if (s->zip)
        z->discard(s->zip);
    s->source = NULL;
    s->zip = NULL;
    sr_libzip_unload(&s->libzip);
}

static const char *name_of(const struct sr_source *source, const struct sr_chunk *c)
{
    return source->session->libzip.get_name(source->zip, c->member, 0);
}

static enum pc_status open_file(struct sr_source *source, const struct sr_chunk *c,
                                struct pc_error *err)
{
    const struct sr_libzip *z = &source->session->libzip;

    source->at = source->end = 0;
    source->status = PC_OK;
    source->file = z->fopen_index(source->zip, c->member, 0);
    if (!source->file)
        return sr_fail_zip(z, err, name_of(source, c), z->get_error(source->zip));
    return PC_OK;
}

/* Reads a chunk of the round into memory; where it cannot go on, the caller is told in its turn. */
static enum pc_status read_ahead(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    struct sigrok *s = ctx;
    struct sr_source *source = &s->source[task + 1];
    const size_t n = s->first + task + 1;

    (void)worker, (void)err;
    if (n >= s->chunks)
        return PC_OK;
    const struct sr_chunk *c = &s->chunk[n];
    const size_t most = c->size < s->room ? (size_t)c->size : s->room;
    source->status = open_file(source, c, &source->error);
    while (!source->status && source->end < most) {
        zip_int64_t got =
            s->libzip.fread(source->file, source->data + source->end, most - source->end);
        if (got < 0)
            source->status = sr_fail_zip(&s->libzip, &source->error, name_of(source, c),
                                         s->libzip.file_get_error(source->file));
        if (got <= 0)
            break;
        source->end += (size_t)got;
    }
    return PC_OK;
}

static enum pc_status open_chunk(struct sigrok *s, struct pc_error *err)
{
    const struct sr_chunk *c = &s->chunk[s->now];

    s->file_left = c->size;
    s->open = true;
    wait_for_others(s); /* not if this is the first of a round */
    if (s->turn > 0)
        return PC_OK;
    s->first = s->now;
    if (s->sources > 1 && s->now + 1 < s->chunks) {
        s->working = true;
        wv_team_begin(s->team, read_ahead, s);
    }
    return open_file(&s->source[0], c, err);
}

static enum pc_status close_chunk(struct sigrok *s, struct sr_source *source, struct pc_error *err)
{
    enum pc_status status =
        source->status
            ? source->status
            : sr_finish_file(&s->libzip, source->file, name_of(source, &s->chunk[s->now]), err);

    if (status) {
        if (source->status)
            *err = source->error;
        return status;
    }
    s->libzip.fclose(source->file);
    source->file = NULL;
    s->packed_done += s->chunk[s->now].packed;
    s->open = false;
    s->now++;
    s->turn = (s->turn + 1) % s->sources;
    return PC_OK;
}

/* Reads more of the open chunk, of which some is left. */
static enum pc_status read_chunk(struct sigrok *s, struct sr_source *source, uint8_t *to,
                                 size_t size, size_t *got, struct pc_error *err)
{
    const struct sr_chunk *c = &s->chunk[s->now];
    zip_int64_t n = 0;

    if (source->at < source->end) {
        *got = size < source->end - source->at ? size : source->end - source->at;
        memcpy(to, source->data + source->at, *got);
        source->at += *got;
        s->file_left -= *got;
        return PC_OK;
    }
    if (source->status) {
        *err = source->error;
        return source->status;
    }
    n = s->libzip.fread(source->file, to, size < s->file_left ? size : s->file_left);
    if (n < 0)
        return sr_fail_zip(&s->libzip, err, name_of(source, c),
                           s->libzip.file_get_error(source->file));
    if (n == 0)
        return pc_fail_byte(err, 726, c->size - s->file_left,
                            "%.200s has fewer bytes than the archive declares", name_of(source, c));
    s->file_left -= (uint64_t)n;
    *got = (size_t)n;
    return PC_OK;
}

enum pc_status sr_read(struct sigrok *s, uint8_t *to, size_t size, size_t *got,
                       struct pc_error *err)
{
    while (s->now < s->chunks) {
        enum pc_status status = s->open ? PC_OK : open_chunk(s, err);
        struct sr_source *source = &s->source[s->turn];
        if (status)
            return status;
        if (s->file_left > 0)
            return read_chunk(s, source, to, size, got, err);
        status = close_chunk(s, source, err);
        if (status)
            return status;
    }
    return PC_END;
}

enum pc_status sr_buffer(struct sigrok *s, size_t want, struct pc_error *err)
{
    size_t got;

    memmove(s->buffer, s->buffer + s->at, s->end - s->at);
    s->end -= s->at;
    s->at = 0;
    while (!s->ended && s->end - s->at < want) {
        enum pc_status status = sr_read(s, s->buffer + s->end, SR_BUFFER - s->end, &got, err);
        if (status == PC_END)
            s->ended = true;
        else if (status)
            return status;
        else
            s->end += got;
    }
    return s->end - s->at < want ? PC_END : PC_OK;
}
