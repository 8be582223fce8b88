/* SPDX-License-Identifier: MIT */
/* The card of a program: the model of a chip, with time that passes by accesses or by the clock. */
#define _GNU_SOURCE
#include "preload.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pcounter/pcounter.h"

enum { MOST_UNDECODED = 16 };

static struct {
    pthread_mutex_t lock;
    struct pc_gpu *gpu;
    const struct pc_chip *chip;
    uint64_t access_ns; /* 0: the wall clock is followed */
    uint64_t hz;
    uint64_t last_ns; /* of the wall clock */
    uint64_t reads, writes;
    struct {
        uint32_t address;
        uint64_t count;
    } undecoded[MOST_UNDECODED];
    size_t addresses;
    uint64_t others; /* accesses of addresses beyond these */
} card = { .lock = PTHREAD_MUTEX_INITIALIZER };

void card_give_up(const char *why)
{
    fprintf(stderr, "pcounter card: %s\n", why);
    _exit(2);
}

bool card_is_here(void)
{
    return getenv(CARD_DESC) != NULL;
}

static void take_note(uint32_t address)
{
    for (size_t i = 0; i < card.addresses; i++)
        if (card.undecoded[i].address == address) {
            card.undecoded[i].count++;
            return;
        }
    if (card.addresses == MOST_UNDECODED) {
        card.others++;
        return;
    }
    card.undecoded[card.addresses].address = address;
    card.undecoded[card.addresses++].count = 1;
}

static bool other(void *ctx, uint32_t address, bool is_write, uint32_t *value)
{
    (void)ctx, (void)is_write, (void)value;
    take_note(address);
    return false;
}

static uint64_t wall_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status != PC_OK && status != PC_ELIMIT) /* full record memory is the program's */
        card_give_up(err->text);
}

/* "G92 1000 500000000": the chip, ns an access (0: wall clock), Hz of all domains */
static void open_card(void)
{
    const char *desc = getenv(CARD_DESC);
    char chip[32];
    struct pc_error err;

    if (!desc || sscanf(desc, "%31s %" SCNu64 " %" SCNu64, chip, &card.access_ns, &card.hz) != 3 ||
        !(card.chip = pc_chip_find(chip)))
        card_give_up("the environment names no card");
    const struct pc_gpu_desc gpu = { .chip = card.chip, .ptimer = true, .other = other };
    must(pc_gpu_create(&gpu, &card.gpu, &err), &err);
    pc_gpu_latency(card.gpu, 0, 0);
    must(pc_gpu_clock_hz(card.gpu, PC_DOM_EVERY, card.hz, &err), &err);
    card.last_ns = wall_ns();
}

/* The time of an access; of the wall clock, that since the last one. */
static void pass_time(void)
{
    uint64_t ns = card.access_ns;
    struct pc_error err;

    if (ns == 0) {
        const uint64_t now = wall_ns();
        ns = now - card.last_ns;
        card.last_ns = now;
    }
    must(pc_gpu_elapse(card.gpu, ns, &err), &err);
}

/* Larger ones than 8 bytes are several. */
void card_read(uint64_t address, unsigned size, uint8_t *bytes)
{
    pthread_mutex_lock(&card.lock);
    if (!card.gpu)
        open_card();
    for (unsigned at = 0; at < size; at += 8) {
        const unsigned some = size - at < 8 ? size - at : 8;
        if (card.access_ns == 0)
            pass_time();
        const uint64_t value = pc_gpu_read(card.gpu, (uint32_t)(address + at), some);
        memcpy(bytes + at, &value, some);
        card.reads++;
        if (card.access_ns)
            pass_time();
    }
    pthread_mutex_unlock(&card.lock);
}

void card_write(uint64_t address, unsigned size, const uint8_t *bytes)
{
    pthread_mutex_lock(&card.lock);
    if (!card.gpu)
        open_card();
    for (unsigned at = 0; at < size; at += 8) {
        const unsigned some = size - at < 8 ? size - at : 8;
        uint64_t value = 0;
        memcpy(&value, bytes + at, some);
        if (card.access_ns == 0)
            pass_time();
        pc_gpu_write(card.gpu, (uint32_t)(address + at), some, value);
        card.writes++;
        if (card.access_ns)
            pass_time();
    }
    pthread_mutex_unlock(&card.lock);
}

/* One line of a process that has used the card, and what was not there. */
static void tell_in(FILE *file)
{
    fprintf(file, "pcounter card: %s: %" PRIu64 " reads, %" PRIu64 " writes", card.chip->name,
            card.reads, card.writes);
    for (size_t i = 0; i < card.addresses; i++)
        fprintf(file, "%s0x%06" PRIx32 " (%" PRIu64 ")", i ? ", " : "; nothing decodes ",
                card.undecoded[i].address, card.undecoded[i].count);
    if (card.others)
        fprintf(file, ", and others (%" PRIu64 ")", card.others);
    fputc('\n', file);
}

__attribute__((destructor)) static void tell(void)
{
    const char *root = getenv(CARD_ROOT);
    char path[PATH_MAX];

    if (!card.gpu || card.reads + card.writes == 0)
        return;
    FILE *file = root && snprintf(path, sizeof path, "%s/" CARD_REPORT, root) < PATH_MAX
                     ? fopen(path, "ae")
                     : NULL;
    tell_in(file ? file : stderr); /* `pcounter card` has ended before its command's child */
    if (file)
        fclose(file);
}
