/* SPDX-License-Identifier: MIT */
/*
 * Accesses as rows of a file, through a mapping that is moved on: what was written there stays when
 * the process is killed.  The room of a piece is taken before it is mapped, as a full disk would
 * end the process otherwise; its last row is kept for saying so.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    int file; /* opened if `row` is not NULL */
    off_t piece;
    struct card_row *row; /* the piece that is mapped */
    size_t used;
    bool lost;
    bool forked;
} log_file;

/* log.1, or the next that is not there yet; a descriptor */
static int make_file(void)
{
    const char *root = getenv(CARD_ROOT);
    char path[PATH_MAX];

    for (unsigned n = 1; root && n < UINT_MAX; n++) {
        if (snprintf(path, sizeof path, "%s/" CARD_LOG ".%u", root, n) >= PATH_MAX)
            break;
        const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    errno = ENOENT;
    return -1;
}

/* The piece of the file; NULL with errno: there is no room. */
static struct card_row *map_piece(int file, off_t piece)
{
    const size_t size = CARD_ROWS * sizeof(struct card_row);
    const int error = posix_fallocate(file, piece * (off_t)size, (off_t)size);

    if (error) {
        errno = error;
        return NULL;
    }
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, piece * (off_t)size);
    return at == MAP_FAILED ? NULL : at;
}

static void cannot(const char *what)
{
    char text[200];

    snprintf(text, sizeof text, "--log: %s: %s", what, strerror(errno));
    card_give_up(text);
}

static void put(const struct card_row *row, uint8_t size)
{
    struct card_row *to = &log_file.row[log_file.used++];

    to->ns = row->ns;
    to->value = row->value;
    to->address = row->address;
    to->write = row->write;
    atomic_store_explicit(&to->size, size, memory_order_release);
}

static void next_piece(void)
{
    struct card_row *next = map_piece(log_file.file, log_file.piece + 1);

    if (!next) {
        put(&(struct card_row){ .value = (uint64_t)errno }, CARD_ROW_LOST);
        log_file.lost = true;
        return;
    }
    munmap(log_file.row, CARD_ROWS * sizeof *log_file.row);
    log_file.row = next;
    log_file.piece++;
    log_file.used = 0;
}

/* A new file, with the rows so far of the one that the parent goes on with. */
static void copy_parent(void)
{
    const int from = log_file.file, to = make_file();
    const size_t size = CARD_ROWS * sizeof(struct card_row);

    if (to < 0)
        cannot("no file for a process");
    for (off_t piece = 0; piece <= log_file.piece; piece++) {
        struct card_row *old = map_piece(from, piece), *copy = map_piece(to, piece);
        if (!old || !copy)
            cannot("no room for a copy of the accesses");
        memcpy(copy, old, size);
        munmap(old, size);
        if (piece < log_file.piece) {
            munmap(copy, size);
            continue;
        }
        memset(copy + log_file.used, 0, (CARD_ROWS - log_file.used) * sizeof *copy);
        munmap(log_file.row, size);
        log_file.row = copy;
    }
    close(from);
    log_file.file = to;
    log_file.forked = false;
}

static void need_file(void)
{
    if (log_file.forked)
        copy_parent();
    if (log_file.row)
        return;
    log_file.file = make_file();
    if (log_file.file < 0)
        cannot("no file for the accesses");
    log_file.row = map_piece(log_file.file, 0);
    if (!log_file.row)
        cannot("no room for the accesses");
}

void card_log_forked(void)
{
    log_file.forked = log_file.row != NULL;
}

void card_log(void *ctx, const struct card_access *a)
{
    const struct card_row row = {
        .ns = a->ns, .value = a->value, .address = a->address, .write = a->write
    };

    (void)ctx;
    if (log_file.lost)
        return;
    need_file();
    if (log_file.used == CARD_ROWS - 1)
        next_piece();
    if (!log_file.lost)
        put(&row, a->size);
}
