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

#include "card/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct card_device *device;

void card_give_up(const char *why)
{
    fprintf(stderr, "pcounter card: %s\n", why);
    _exit(2);
}

bool card_is_here(void)
{
    return getenv(CARD_DESC) != NULL;
}

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status)
        card_give_up(err->text);
}

/* "G92 1000 500000000": the chip, ns an access (0: wall clock), Hz of all domains */
static void need_device(void)
{
    const char *text = getenv(CARD_DESC);
    struct card_device_desc desc;
    struct pc_error err;
    char chip[32];

    if (device)
        return;
    if (!text || sscanf(text, "%31s %" SCNu64 " %" SCNu64, chip, &desc.access_ns, &desc.hz) != 3 ||
        !(desc.chip = pc_chip_find(chip)))
        card_give_up("the environment names no card");
    must(card_device_open(&desc, &device, &err), &err);
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

    pthread_mutex_lock(&lock);
    need_device();
    for (unsigned at = 0, some; at < size; at += some) {
        some = some_of(size - at);
        must(card_device_read(device, (uint32_t)(address + at), some, &value, &err), &err);
        memcpy(bytes + at, &value, some);
    }
    pthread_mutex_unlock(&lock);
}

void card_write(uint64_t address, unsigned size, const uint8_t *bytes)
{
    struct pc_error err;

    pthread_mutex_lock(&lock);
    need_device();
    for (unsigned at = 0, some; at < size; at += some) {
        uint64_t value = 0;
        some = some_of(size - at);
        memcpy(&value, bytes + at, some);
        must(card_device_write(device, (uint32_t)(address + at), some, value, &err), &err);
    }
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void tell(void)
{
    const char *root = getenv(CARD_ROOT);
    char path[PATH_MAX];

    if (!device)
        return;
    FILE *file = root && snprintf(path, sizeof path, "%s/" CARD_REPORT, root) < PATH_MAX
                     ? fopen(path, "ae")
                     : NULL;
    card_device_tell(device, file ? file : stderr); /* `pcounter card` has ended before this one */
    if (file)
        fclose(file);
}
