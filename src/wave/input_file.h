/* SPDX-License-Identifier: MIT */
/*
 * The lowest layer of an input: the bytes of a file, a pipe or standard input as they are.
 */
#ifndef PC_WAVE_INPUT_FILE_H
#define PC_WAVE_INPUT_FILE_H

#include "base/error.h"
#include "pcounter/pcounter.h"

struct wv_file {
    int fd; /* -1: not open */
    bool is_stdin, regular, socket;
    bool borrowed;     /* not ours to close */
    uint64_t size;     /* 0: unknown */
    uint64_t consumed; /* bytes that wv_file_read() is past */

    /* Asked now and then while a pipe is silent: false ends the wait.  NULL: it is waited for. */
    bool (*wanted)(void *ctx);
    void *wanted_ctx;
};

/* Opens a file; "-" is standard input. */
enum pc_status wv_file_open(struct wv_file *f, const char *path, struct pc_error *err);
/* Takes a socket that is open, and stays so. */
enum pc_status wv_file_take(struct wv_file *f, int socket, struct pc_error *err);
void wv_file_close(struct wv_file *f);
/* Reads the next bytes, up to `size`; *got is 0 at the end only, or when they are not wanted any
 * more. */
enum pc_status wv_file_read(struct wv_file *f, uint8_t *to, size_t size, size_t *got,
                            struct pc_error *err);

/* Sends bytes back through a socket; nothing where it is not a socket, or its other end is closed.
 */
enum pc_status wv_file_answer(const struct wv_file *f, const uint8_t *data, size_t size,
                              struct pc_error *err);

/* Returns true if it is a pipe that has nothing at the moment, and did not end. */
bool wv_file_waits(const struct wv_file *f);

/* Returns true if parts of it can be read in any order. */
static inline bool wv_file_has_places(const struct wv_file *f)
{
    return f->regular && !f->is_stdin;
}

/* Reads bytes of such a file from a place, in any thread; fewer than asked only at its end. */
enum pc_status wv_file_read_at(const struct wv_file *f, uint64_t at, uint8_t *to, size_t size,
                               size_t *got, struct pc_error *err);
/* Reads all of them, or fails if the file became shorter since it was opened. */
enum pc_status wv_file_take_at(const struct wv_file *f, uint64_t at, uint8_t *to, size_t size,
                               struct pc_error *err);

/* input_pipe.c: where the system lets it, so that writer and reader wait for each other less often.
 */
void wv_pipe_widen(int fd);

#endif
