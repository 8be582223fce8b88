/* SPDX-License-Identifier: MIT */
/* The reading thread of `pcounter check`: two pieces, one being filled while one is parsed. */
#include "check_reader.h"
#include "process/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct piece {
    char data[CHECK_PIECE];
    size_t count;
    bool failed; /* could not be read */
    bool full;   /* belongs to the parsing side */
};

struct check_reader {
    gzFile file;
    pthread_t thread;
    bool ahead;           /* there is one; else a piece is read when it is wanted */
    pthread_mutex_t lock; /* of `full` and `stop`; a piece belongs to one side at a time */
    pthread_cond_t turn;
    struct piece piece[2];
    unsigned next; /* the piece that check_reader_next() takes */
    bool stop;     /* the reader is being closed */
    struct check_reason why;
};

static void because(struct check_reason *why, unsigned code, const char *what, const char *text)
{
    why->code = code;
    snprintf(why->text, sizeof why->text, "%s: %s", what, text);
}

/* A piece of 0 bytes is the end. */
static void fill(struct check_reader *r, struct piece *p)
{
    int code = Z_OK;
    const int n = gzread(r->file, p->data, CHECK_PIECE);
    const char *text = gzerror(r->file, &code);

    p->count = n > 0 ? (size_t)n : 0;
    p->failed = n < 0 || (code != Z_OK && code != Z_STREAM_END);
    if (p->failed)
        because(&r->why, code == Z_MEM_ERROR ? 100 : 1023, "cannot read",
                code == Z_ERRNO ? strerror(errno) : text);
}

static void *read_ahead(void *arg)
{
    struct check_reader *r = arg;
    bool more = true;

    for (unsigned i = 0; more; i ^= 1) {
        struct piece *p = &r->piece[i];
        pthread_mutex_lock(&r->lock);
        while (p->full && !r->stop)
            pthread_cond_wait(&r->turn, &r->lock);
        bool stop = r->stop;
        pthread_mutex_unlock(&r->lock);
        if (stop)
            break;
        fill(r, p);
        more = !p->failed && p->count > 0;
        pthread_mutex_lock(&r->lock);
        p->full = true;
        pthread_cond_signal(&r->turn);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

struct check_reader *check_reader_open(const char *path, struct check_reason *why)
{
    struct check_reader *r = malloc(sizeof *r);

    if (!r) {
        because(why, 100, "no memory to read it", strerror(ENOMEM));
        return NULL;
    }
    memset(r, 0, sizeof *r);
    r->file = strcmp(path, "-") == 0 ? gzdopen(dup(0), "rb") : gzopen(path, "rb");
    if (!r->file) {
        because(why, errno == ENOMEM ? 100 : 1023, "cannot read", strerror(errno));
        free(r);
        return NULL;
    }
    gzbuffer(r->file, CHECK_PIECE);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->turn, NULL);
    r->ahead = cli_thread(&r->thread, read_ahead, r) == 0;
    return r;
}

bool check_reader_next(struct check_reader *r, char *out, size_t *count, struct check_reason *why)
{
    struct piece *p = &r->piece[r->next];

    if (!r->ahead && !p->full) {
        fill(r, p);
        p->full = true;
    }
    pthread_mutex_lock(&r->lock);
    while (!p->full)
        pthread_cond_wait(&r->turn, &r->lock);
    pthread_mutex_unlock(&r->lock);
    if (p->failed) {
        *why = r->why;
        return false;
    }
    memcpy(out, p->data, p->count);
    *count = p->count;
    if (p->count == 0)
        return true; /* the end stays the end */
    pthread_mutex_lock(&r->lock);
    p->full = false;
    r->next ^= 1;
    pthread_cond_signal(&r->turn);
    pthread_mutex_unlock(&r->lock);
    return true;
}

void check_reader_close(struct check_reader *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->turn);
    pthread_mutex_unlock(&r->lock);
    if (r->ahead)
        pthread_join(r->thread, NULL);
    gzclose(r->file);
    pthread_cond_destroy(&r->turn);
    pthread_mutex_destroy(&r->lock);
    free(r);
}
