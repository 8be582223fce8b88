/* SPDX-License-Identifier: MIT */
/*
 * Inside the reader of sigrok sessions (.sr), which are zip archives:
 *
 *     version       "1" or "2"
 *     metadata      sections with key = value: sample rate, size of a sample, names of probes
 *     logic-1       samples, `unitsize` bytes each: bit n-1 is probe n
 *     logic-1-1 ..  or in pieces
 *     analog-1-..   not read
 *
 * zip.c finds members (libzip itself is loaded by libzip.c), read.c reads
 * those with samples one after the other, and with several threads some of them at once,
 * meta.c takes the metadata apart, sigrok.c makes timestamps of samples, fill.c
 * makes bit planes of them.
 *
 * One time unit is one sample.  Memory does not depend on what the archive declares, so the
 * limit max_ratio is not asked for: an idle line packs a thousand to one.
 */
#ifndef PC_WAVE_SIGROK_H
#define PC_WAVE_SIGROK_H

#include "wave/input.h"
#include "wave/reader.h"
#include "wave/sigrok/libzip.h"
#include "wave/team.h"

#define SR_UNIT_MAX 512                 /* bytes of a sample */
#define SR_BUFFER   ((size_t)1 << 17)   /* bytes of samples that are held */
#define SR_BEYOND   8                   /* bytes after them that may be looked at */
#define SR_RUN_MAX  ((uint64_t)1 << 24) /* samples of one stamp: somebody waits for Ctrl-C */

/* A member with samples. */
struct sr_chunk {
    zip_uint64_t member;
    uint64_t number; /* 0: the only one, without a number */
    uint64_t size, packed;
};

struct sr_span {
    const char *at;
    size_t length;
};

/* The metadata; spans are parts of its text. */
enum { SR_ONCE = 5 };

struct sr_meta {
    char *text;
    size_t size;
    struct sr_span version, driver, capture;
    uint64_t unit, probes, analogs, rate; /* 0: not said */
    uint64_t last_probe;                  /* highest number of a named one */
    struct sr_span once[SR_ONCE];         /* what keys said that say one thing */
};

/* A plain file that libzip reads as it needs it. */
struct sr_archive {
    const struct sr_libzip *libzip;
    const struct wv_input *in;
    uint64_t at, size;
    zip_error_t error;
};

/* A chunk on its way out of the archive. */
struct sr_source {
    const struct sigrok *session;
    struct sr_archive archive;
    zip_t *zip;
    zip_file_t *file;
    uint8_t *data; /* read ahead: [at, end) */
    size_t at, end;
    enum pc_status status; /* why there is no more */
    struct pc_error error;
};

struct sigrok {
    struct wv_reader base; /* first */
    struct pc_alloc alloc;
    struct wv_input *in;
    const uint8_t *data; /* the archive; NULL: a plain file, which is read as needed */
    size_t size;
    struct sr_libzip libzip;
    struct sr_archive archive;
    zip_t *zip;
    char format; /* '1' or '2' */
    struct sr_meta meta;
    size_t unit; /* bytes of a sample */
    size_t channels;

    struct sr_chunk *chunk; /* in order */
    size_t chunks, chunk_capacity;
    size_t now; /* the chunk being read */
    bool open;
    uint64_t file_left;       /* bytes of it */
    struct sr_source *source; /* one a thread: each reads a chunk, the first as it is asked for */
    unsigned sources, turn;   /* turn: whose chunk is being read */
    size_t first;             /* the chunk of the first one */
    size_t room;              /* bytes of the others' memory */
    struct wv_team *team;
    bool working;                 /* the others are */
    uint64_t packed, packed_done; /* bytes of the archive, for progress */

    /* SR_BUFFER + SR_BEYOND bytes, of which [at, end) are samples to come */
    uint8_t *buffer;
    size_t at, end;
    bool ended;
    /* Eight samples each: the current one, and the bits of it that are looked at. */
    uint8_t *same, *mask;
    uint8_t *wanted;          /* by channel */
    struct wv_change *change; /* one a channel */
    bool started;
    uint64_t time;
    struct sr_fill *fill; /* NULL: not in use */
};

/* read.c: reads on until `want` bytes of samples are held; PC_END if fewer are left. */
enum pc_status sr_buffer(struct sigrok *s, size_t want, struct pc_error *err);

/* fill.c: the next block of samples (reader.h, `fill`). */
enum pc_status sr_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                       struct pc_error *err);
void sr_fill_free(struct sigrok *s);

/* zip.c */
enum pc_status sr_open_archive(struct sigrok *s, struct pc_error *err);
/* Opens the archive once more, for another thread. */
enum pc_status sr_open_zip(const struct sigrok *s, struct sr_archive *a, zip_t **zip,
                           struct pc_error *err);
enum pc_status sr_fail_zip(const struct sr_libzip *z, struct pc_error *err, const char *what,
                           zip_error_t *error);
/* After the last byte that was declared: there must be no more, and its sum be right. */
enum pc_status sr_finish_file(const struct sr_libzip *z, zip_file_t *file, const char *name,
                              struct pc_error *err);
/* Reads the text of the member `name`, at most `limit` bytes; PC_END if there is none. */
enum pc_status sr_read_text(struct sigrok *s, const char *name, size_t limit, char **text,
                            size_t *size, struct pc_error *err);
/* Finds the members that hold samples, and puts them in order. */
enum pc_status sr_find_chunks(struct sigrok *s, struct pc_error *err);

/* read.c: `threads` read, if the system gives so many and there are chunks for them. */
enum pc_status sr_open_sources(struct sigrok *s, unsigned threads, struct pc_error *err);
void sr_close_sources(struct sigrok *s);
/* Reads up to `size` > 0 bytes of samples from one chunk after the other; PC_END after the last. */
enum pc_status sr_read(struct sigrok *s, uint8_t *to, size_t size, size_t *got,
                       struct pc_error *err);

/* meta.c */
/* Takes meta.text apart. */
enum pc_status sr_parse_meta(struct sigrok *s, struct pc_error *err);
/* Declares the channels, of which there are s->channels. */
enum pc_status sr_declare(struct sigrok *s, struct pc_error *err);

#endif
