/* SPDX-License-Identifier: MIT */
/*
 * Gives readers the bytes of a waveform.  Below it, each on top of the one before:
 *   input_file.c    a file, a pipe or standard input ("-")
 *   input_decode.c  its bytes, decompressed if they are gzip, zstd, xz or bzip2 (input_codec.h)
 *   input_ring.c    the same by a thread of its own, from a megabyte on
 *   input_members.c the same by several, where members tell their ends and a reader asks for it
 * Memory is bounded, and nothing is put on disk.
 */
#include "wave/input.h"
#include "wave/input_codec.h"
#include "wave/input_file.h"
#include "wave/input_members.h"
#include "wave/input_ring.h"
#include "wave/reader.h"

#include <stdio.h>
#include <string.h>

#define AHEAD_SIZE ((size_t)1 << 12)
#define RING_WORTH ((uint64_t)1 << 20) /* bytes, before a thread is started */
#define HOLD_FIRST ((size_t)1 << 17)
#define HOLD_LIMIT ((size_t)UINT32_MAX) /* of an input that has to be held whole */

struct wv_input {
    struct pc_alloc alloc;
    struct wv_file file;
    struct wv_decoder decoder;
    bool strict; /* an odd end is an error */
    struct wv_input_end *end, own_end;
    bool alone;                 /* no other thread: the caller wants none, or there was none */
    struct wv_ring *ring;       /* NULL: not (yet) needed; else the decoder is its thread's */
    struct wv_members *members; /* NULL: not asked for, or there are none */
    bool by_members;            /* they have the next bytes; else the decoder has */
    uint64_t at;                /* the place of the next bytes */

    uint8_t *ahead; /* decoded by peek, not yet read: ahead[ahead_at .. ahead_end) */
    size_t ahead_at, ahead_end;
    uint8_t *held;
    size_t held_capacity;
};

enum pc_status wv_input_open(const struct pc_wave_desc *desc, struct wv_input_end *end,
                             struct wv_input **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct wv_input *in = pc_calloc(&alloc, 1, sizeof *in);

    if (!in)
        return pc_fail(err, 100, "not enough memory to open a waveform");
    in->alloc = alloc;
    in->file.fd = -1;
    in->strict = desc->strict;
    in->end = end ? end : &in->own_end;
    in->alone = desc->threads == 1;
    in->ahead = alloc.resize(alloc.ctx, NULL, 0, AHEAD_SIZE);
    enum pc_status status = PC_OK;
    if (!in->ahead)
        status = pc_fail(err, 100, "not enough memory to open a waveform");
    if (status == PC_OK)
        status = desc->socket > 0 ? wv_file_take(&in->file, desc->socket, err)
                                  : wv_file_open(&in->file, desc->path, err);
    if (status == PC_OK)
        status = wv_decoder_open(&in->decoder, &in->file, &alloc,
                                 desc->limits.max_ratio ? desc->limits.max_ratio : 1000, err);
    if (status) {
        wv_input_close(in);
        return status;
    }
    *out = in;
    return PC_OK;
}

void wv_input_close(struct wv_input *in)
{
    if (!in)
        return;
    struct pc_alloc alloc = in->alloc;
    wv_ring_stop(in->ring);
    wv_members_close(in->members);
    wv_decoder_close(&in->decoder);
    wv_file_close(&in->file);
    pc_free(&alloc, in->held, in->held_capacity);
    pc_free(&alloc, in->ahead, AHEAD_SIZE);
    pc_free(&alloc, in, sizeof *in);
}

enum pc_status wv_input_peek(struct wv_input *in, const uint8_t **data, size_t want, size_t *size,
                             struct pc_error *err)
{
    if (want > AHEAD_SIZE)
        want = AHEAD_SIZE;
    if (in->ahead_at > 0) {
        memmove(in->ahead, in->ahead + in->ahead_at, in->ahead_end - in->ahead_at);
        in->ahead_end -= in->ahead_at;
        in->ahead_at = 0;
    }
    while (in->ahead_end < want) {
        size_t got;
        enum pc_status status = wv_decoder_read(&in->decoder, in->ahead + in->ahead_end,
                                                AHEAD_SIZE - in->ahead_end, &got, err);
        if (status)
            return status;
        if (got == 0)
            break;
        in->ahead_end += got;
    }
    *data = in->ahead;
    *size = in->ahead_end < want ? in->ahead_end : want;
    return PC_OK;
}

void wv_input_end_tell(const struct wv_input_end *end)
{
    if (!end->text[0] || !end->reader)
        return;
    wv_warn(&end->reader->hier, "%s", end->text);
    end->reader->info.unfinished |= end->cut;
}

/* PC_END.  The decoder's thread, if there is one, is past its last use of it. */
static enum pc_status take_end(struct wv_input *in, struct pc_error *err)
{
    const struct wv_decoder *d = &in->decoder;
    struct wv_input_end *end = in->end;
    const bool again = end->text[0] != '\0';

    if (d->endless)
        snprintf(end->text, sizeof end->text,
                 "the gzip data ends at byte %llu without the empty block that bgzip writes last: "
                 "blocks may be missing",
                 (unsigned long long)d->bytes_in);
    else if (d->cut)
        snprintf(end->text, sizeof end->text,
                 "the %s data ends early, at byte %llu: what would follow is missing",
                 d->codec->name, (unsigned long long)d->bytes_in);
    else if (d->foreign)
        snprintf(end->text, sizeof end->text,
                 "the %s data ends at byte %llu: what follows is no %s data, and is left out",
                 d->codec->name, (unsigned long long)d->bytes_in, d->codec->name);
    end->cut = d->cut;
    if (end->text[0] && in->strict)
        return pc_fail_byte(err, 516, d->bytes_in, "%s", end->text);
    if (!again)
        wv_input_end_tell(end);
    return PC_END;
}

static void leave_ring(struct wv_input *in)
{
    wv_ring_stop(in->ring);
    in->ring = NULL;
}

/* Goes from the members to the decoder: it comes to the place of the next bytes. */
static enum pc_status leave_members(struct wv_input *in, struct pc_error *err)
{
    uint64_t byte, place;
    enum pc_status status = PC_OK;

    in->by_members = false;
    wv_members_before(in->members, in->at, &byte, &place);
    wv_decoder_seek(&in->decoder, byte, place);
    for (size_t got = 1; status == PC_OK && place < in->at && got > 0; place += got) {
        const uint64_t left = in->at - place;
        status = wv_decoder_read(&in->decoder, in->ahead, left < AHEAD_SIZE ? left : AHEAD_SIZE,
                                 &got, err);
    }
    return status;
}

/* Reads the next bytes, whoever has them; 0 at the end. */
static enum pc_status read_next(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                                struct pc_error *err)
{
    *got = in->by_members ? wv_members_read(in->members, in->at, to, size) : 0;
    if (*got > 0)
        return PC_OK;
    enum pc_status status = in->by_members ? leave_members(in, err) : PC_OK;
    if (status)
        return status;
    if (!in->alone && !in->ring && in->decoder.codec && in->decoder.bytes_out >= RING_WORTH) {
        in->ring = wv_ring_start(&in->decoder);
        in->alone = !in->ring; /* not tried again */
    }
    return in->ring ? wv_ring_read(in->ring, to, size, got, err)
                    : wv_decoder_read(&in->decoder, to, size, got, err);
}

enum pc_status wv_input_read(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                             struct pc_error *err)
{
    size_t n = in->ahead_end - in->ahead_at;
    enum pc_status status = PC_OK;

    if (n == 0) {
        status = read_next(in, to, size, &n, err);
    } else {
        n = n < size ? n : size;
        memcpy(to, in->ahead + in->ahead_at, n);
        in->ahead_at += n;
    }
    if (status)
        return status;
    in->at += n;
    *got = n;
    return n == 0 ? take_end(in, err) : PC_OK;
}

bool wv_input_waits(const struct wv_input *in)
{
    const struct wv_decoder *d = &in->decoder;

    return !d->codec && in->ahead_at == in->ahead_end && d->raw_at == d->raw_end &&
           wv_file_waits(&in->file);
}

bool wv_input_cut(const struct wv_input *in)
{
    return in->end->cut;
}

const char *wv_input_encoding(const struct wv_input *in)
{
    return wv_decoder_encoding(&in->decoder);
}

void wv_input_progress(const struct wv_input *in, uint64_t *done, uint64_t *total)
{
    uint64_t place;

    *total = in->file.size;
    if (in->by_members)
        wv_members_before(in->members, in->at, done, &place);
    else
        *done = in->ring ? wv_ring_consumed(in->ring) : wv_decoder_consumed(&in->decoder);
}

enum pc_status wv_input_hold(struct wv_input *in, const uint8_t **data, size_t *size,
                             struct pc_error *err)
{
    size_t used = 0;

    for (;;) {
        size_t got;
        if (used >= HOLD_LIMIT)
            return pc_fail(err, 506, "the input has more than 4 GiB, which would all be held");
        if (used == in->held_capacity &&
            !pc_grow(&in->alloc, (void **)&in->held, &in->held_capacity,
                     used ? used + 1 : HOLD_FIRST, 1))
            return pc_fail(err, 100, "not enough memory to hold the waveform");
        enum pc_status status =
            wv_input_read(in, in->held + used, in->held_capacity - used, &got, err);
        if (status == PC_END)
            break;
        if (status)
            return status;
        used += got;
    }
    *data = in->held;
    *size = used;
    return PC_OK;
}

enum pc_status wv_input_answer(struct wv_input *in, const uint8_t *data, size_t size,
                               struct pc_error *err)
{
    return wv_file_answer(&in->file, data, size, err);
}

uint64_t wv_input_extent(const struct wv_input *in)
{
    return !in->decoder.codec && wv_file_has_places(&in->file) ? in->file.size : 0;
}

bool wv_input_again(const struct wv_input *in)
{
    return wv_file_has_places(&in->file);
}

enum pc_status wv_input_read_at(const struct wv_input *in, uint64_t at, uint8_t *to, size_t size,
                                size_t *got, struct pc_error *err)
{
    size_t more = 1;

    if (!in->members)
        return wv_file_read_at(&in->file, at, to, size, got, err);
    for (*got = 0; *got < size && more > 0; *got += more)
        more = wv_members_read(in->members, at + *got, to + *got, size - *got);
    return PC_OK;
}

enum pc_status wv_input_take_at(const struct wv_input *in, uint64_t at, uint8_t *to, size_t size,
                                struct pc_error *err)
{
    return wv_file_take_at(&in->file, at, to, size, err);
}

enum pc_status wv_input_seek(struct wv_input *in, uint64_t at, struct pc_error *err)
{
    (void)err;
    in->ahead_at = in->ahead_end = 0;
    in->at = at;
    in->by_members = in->members;
    if (in->members)
        leave_ring(in);
    else
        wv_decoder_seek(&in->decoder, at, 0);
    return PC_OK;
}

bool wv_input_spread(struct wv_input *in, unsigned threads)
{
    if (!in->members)
        in->members = wv_members_open(&in->decoder, &in->alloc, threads);
    if (!in->members)
        return false;
    leave_ring(in); /* what it has not handed out comes again */
    in->by_members = true;
    return true;
}

enum pc_status wv_input_gather(struct wv_input *in, struct pc_error *err)
{
    return in->by_members ? leave_members(in, err) : PC_OK;
}
