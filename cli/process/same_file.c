/* SPDX-License-Identifier: MIT */
/*
 * Keeps a call from replacing its inputs by its outputs: each file is noted when it is opened, by
 * its number on the disk, whatever name it was given by.  Waveforms are opened by cli_wave_open(),
 * other files by cli_read_file() or after cli_claim_input(), outputs by cli_out_open();
 * tests/tree/opens.sh looks for others.
 */
#include "cli.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Only files have contents to lose; "-" is the stream of that number. */
static bool number_of(const char *path, int stream, struct number *out)
{
    const bool standard = strcmp(path, "-") == 0;
    struct stat info;

    if ((standard ? fstat(stream, &info) : stat(path, &info)) != 0 || !S_ISREG(info.st_mode))
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

    for (size_t i = 0; i < count; i++)
        if (equal(&files[i], n))
            return;
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

    if (!number_of(path, STDIN_FILENO, &n))
        return true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < WRITTEN; i++)
        free_of_it &= !written[i].owner || !equal(&written[i].number, &n);
    keep(&n);
    pthread_mutex_unlock(&lock);
    return free_of_it;
}

void cli_will_read(char *const *path, size_t paths)
{
    for (size_t i = 0; i < paths; i++)
        cli_reads(path[i]);
}

bool cli_writes(const void *owner, const char *path)
{
    struct number n;
    size_t at = 0;
    bool free_of_it = true;

    if (!number_of(path, STDOUT_FILENO, &n))
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

int cli_check_output(const char *path)
{
    const bool standard = !path || strcmp(path, "-") == 0;
    const bool free_of_it = cli_writes(&path, standard ? "-" : path);

    cli_written_to(&path);
    return free_of_it ? CLI_OK : cli_would_replace(standard ? "standard output" : path);
}

enum pc_status cli_replaced(const char *path, struct pc_error *err)
{
    return cli_fail(err, 908, "%.300s is read by this call, and would be replaced", path);
}

int cli_would_replace(const char *path)
{
    struct pc_error err;

    cli_replaced(path, &err);
    return cli_error(&err, NULL, NULL);
}
