/* SPDX-License-Identifier: MIT */
/*
 * What a call reads is not replaced by what it writes: each file is noted when it is opened, by its
 * number on the disk, whatever name it was given by.
 */
#include "cli.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct number {
    dev_t device;
    ino_t file;
};

enum { WRITTEN = 64 };

static struct {
    const void *owner; /* NULL: free */
    struct number number;
} written[WRITTEN];
static struct number *files; /* that are read */
static size_t count, capacity;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all these */

/* Only files have contents to lose; "-" is none of them. */
static bool number_of(const char *path, struct number *out)
{
    struct stat info;

    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    *out = (struct number){ info.st_dev, info.st_ino };
    return true;
}

static bool equal(const struct number *a, const struct number *b)
{
    return a->device == b->device && a->file == b->file;
}

static void keep(const struct number *n)
{
    const size_t more = capacity ? 2 * capacity : 16;
    struct number *grown = count < capacity ? files : realloc(files, more * sizeof *files);

    if (!grown)
        return; /* who has no memory for this comes to no output */
    capacity = count < capacity ? capacity : more;
    files = grown;
    files[count++] = *n;
}

bool cli_reads(const char *path)
{
    struct number n;
    bool free_of_it = true;

    if (!number_of(path, &n))
        return true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < WRITTEN; i++)
        free_of_it &= !written[i].owner || !equal(&written[i].number, &n);
    keep(&n);
    pthread_mutex_unlock(&lock);
    return free_of_it;
}

bool cli_writes(const void *owner, const char *path)
{
    struct number n;
    size_t at = 0;
    bool free_of_it = true;

    if (!number_of(path, &n))
        return true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        free_of_it &= !equal(&files[i], &n);
    while (at < WRITTEN && written[at].owner)
        at++;
    if (at < WRITTEN && free_of_it) {
        written[at].owner = owner;
        written[at].number = n;
    }
    pthread_mutex_unlock(&lock);
    return free_of_it;
}

void cli_written_to(const void *owner)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < WRITTEN; i++)
        if (written[i].owner == owner)
            written[i].owner = NULL;
    pthread_mutex_unlock(&lock);
}

int cli_would_replace(const char *path)
{
    struct pc_error err = { .status = PC_EARG, .code = 908 };

    snprintf(err.text, sizeof err.text, "%.300s is read by this call, and would be replaced", path);
    return cli_error(&err, NULL, NULL);
}
