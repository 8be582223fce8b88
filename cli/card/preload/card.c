/* SPDX-License-Identifier: MIT */
/* The card of a program: opened by the first access, told of at the end. */
#define _GNU_SOURCE
#include "preload.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct card_device *device;
static bool accessed; /* by this process */

void card_give_up(const char *why)
{
    fprintf(stderr, "pcounter card: %s\n", why);
    _exit(2);
}

bool card_is_here(void)
{
    return getenv(CARD_DESC) != NULL;
}

static void take_lock(void)
{
    pthread_mutex_lock(&lock);
}

static void give_lock(void)
{
    pthread_mutex_unlock(&lock);
}

/* The child has a copy of the card, and tells of it if it accesses that. */
static void forked(void)
{
    give_lock();
    accessed = false;
    card_log_forked();
}

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status)
        card_give_up(err->text);
}

/* What the command line says of clocks and signals; it is known to be right. */
static void set_up(void)
{
    const char *root = getenv(CARD_ROOT);
    char path[PATH_MAX], *text = NULL;
    struct pc_error err;
    size_t size = 0;

    if (!root || snprintf(path, sizeof path, "%s/" CARD_SETUP, root) >= PATH_MAX)
        card_give_up("the environment names no folder");
    FILE *file = fopen(path, "re");
    if (!file)
        card_give_up("the card's setup cannot be read: has pcounter card ended?");
    const ssize_t got = getdelim(&text, &size, '\0', file); /* -1: it is empty */
    fclose(file);
    struct pc_script_stimulus stimulus = { .text = text, .size = (size_t)(got < 0 ? 0 : got) };
    must(card_device_setup(device, &stimulus, &err), &err);
    for (unsigned i = 0;
         snprintf(path, sizeof path, "%s/" CARD_SAMPLES ".%u", root, i) < PATH_MAX &&
         (file = fopen(path, "rbe"));
         i++)
        must(card_device_feed(device, file, &err), &err);
    free(text);
}

static void open_device(void)
{
    const char *text = getenv(CARD_DESC);
    struct card_device_desc desc = { .chip = NULL };
    struct pc_error err;
    unsigned log = 0;
    char chip[32];

    if (!text || sscanf(text, "%31s %" SCNu64 " %u", chip, &desc.access_ns, &log) != 3 ||
        !(desc.chip = pc_chip_find(chip)))
        card_give_up("the environment names no card");
    if (log)
        desc.access = card_log;
    must(card_device_open(&desc, &device, &err), &err);
    (void)pthread_atfork(take_lock, give_lock, forked);
    set_up();
}

/* With the lock */
static void need_device(void)
{
    take_lock();
    if (!device)
        open_device();
    accessed = true;
}

/* Of an access that has `left` bytes to go: transactions have 1, 2, 4 or 8. */
static unsigned some_of(unsigned left)
{
    return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

void card_read(uint64_t address, unsigned size, uint8_t *bytes)
{
    struct pc_error err;
    uint64_t value;

    need_device();
    for (unsigned at = 0, some; at < size; at += some) {
        some = some_of(size - at);
        must(card_device_read(device, (uint32_t)(address + at), some, &value, &err), &err);
        memcpy(bytes + at, &value, some);
    }
    give_lock();
}

void card_write(uint64_t address, unsigned size, const uint8_t *bytes)
{
    struct pc_error err;

    need_device();
    for (unsigned at = 0, some; at < size; at += some) {
        uint64_t value = 0;
        some = some_of(size - at);
        memcpy(&value, bytes + at, some);
        must(card_device_write(device, (uint32_t)(address + at), some, value, &err), &err);
    }
    give_lock();
}

__attribute__((destructor)) static void tell(void)
{
    const char *root = getenv(CARD_ROOT);
    char path[PATH_MAX];

    if (!accessed)
        return;
    FILE *file = root && snprintf(path, sizeof path, "%s/" CARD_REPORT, root) < PATH_MAX
                     ? fopen(path, "ae")
                     : NULL;
    card_device_tell(device, file ? file : stderr); /* `pcounter card` has ended before this one */
    if (file)
        fclose(file);
}
