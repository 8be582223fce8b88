/* SPDX-License-Identifier: MIT */
/* The way of a program to the card: `pcounter card` has it and answers what is asked in a slot. */
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PATIENCE_MS = 100 };

static struct card_link *_Atomic shared;

static __thread unsigned preferred; /* a slot that this thread has used before, from 1 on */
static __thread unsigned held;      /* the slot of card_hold(), from 1 on; 0: none */

void card_say(const char *what)
{
    fprintf(stderr, "pcounter card: %s\n", what);
}

void card_give_up(const char *why)
{
    card_say(why);
    _exit(2);
}

/* Maps what is shared; NULL: this is no program of `pcounter card`. */
static struct card_link *find_link(void)
{
    struct card_link *found = atomic_load_explicit(&shared, memory_order_acquire);
    const int error = errno;

    if (found)
        return found;
    const long file = syscall(SYS_openat, AT_FDCWD, CARD_LINK, O_RDWR | O_CLOEXEC);
    if (file >= 0) {
        const long at =
            syscall(SYS_mmap, NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        syscall(SYS_close, file);
        found = at == -1 ? NULL : (struct card_link *)(uintptr_t)at;
    }
    atomic_store_explicit(&shared, found, memory_order_release);
    errno = error;
    return found;
}

/* Before the program changes what a path leads to. */
__attribute__((constructor)) static void begin(void)
{
    (void)find_link();
}

bool card_is_here(void)
{
    return find_link() != NULL;
}

static struct card_link *need_link(void)
{
    struct card_link *found = find_link();

    if (!found)
        card_give_up("the card is not reached: " CARD_LINK " cannot be opened");
    return found;
}

enum card_file card_file_of(int file)
{
    const struct card_link *link = find_link();
    struct stat info;

    if (!link || file < 0 || fstat(file, &info) != 0)
        return CARD_FILE_OTHER;
    for (int i = 0; i < CARD_FILES; i++)
        if (link->file[i].inode == info.st_ino && link->file[i].device == info.st_dev)
            return (enum card_file)i;
    return CARD_FILE_OTHER;
}

/* ---- asking ---- */

/* Checks that there is still somebody who answers. */
static void check_serving(struct card_link *link)
{
    if (pthread_mutex_trylock(&link->serving) != EBUSY)
        card_give_up("pcounter card has ended, and the card with it");
}

static void wait_for_answer(struct card_link *link, struct card_slot *slot)
{
    if (card_spin(&slot->state, CARD_ASKED, atomic_load(&link->processor)))
        return;
    atomic_store(&slot->waits, 1);
    while (atomic_load(&slot->state) == CARD_ASKED) {
        card_sleep(&slot->state, CARD_ASKED, PATIENCE_MS);
        if (atomic_load(&slot->state) == CARD_ASKED)
            check_serving(link);
    }
    atomic_store(&slot->waits, 0);
}

/* Waits until the request in the slot is answered. */
static void have_answered(struct card_link *link, unsigned index)
{
    struct card_slot *slot = &link->slot[index];

    atomic_fetch_or(&link->asked, UINT32_C(1) << index);
    if (atomic_load(&link->sleeps))
        card_wake(&link->asked);
    wait_for_answer(link, slot);
    if (atomic_load(&slot->state) == CARD_FAILED)
        card_give_up(link->failure);
}

static uint64_t ask(struct card_link *link, unsigned index, enum card_ask what, uint64_t address,
                    unsigned size, uint64_t value)
{
    struct card_slot *slot = &link->slot[index];

    slot->ask = what;
    slot->address = (uint32_t)address;
    slot->size = size;
    slot->value = value;
    slot->processor = sched_getcpu();
    atomic_store_explicit(&slot->state, CARD_ASKED, memory_order_release);
    have_answered(link, index);
    return slot->value;
}

/* Takes over a slot whose owner has died: what that asked is answered, and what it held is free. */
static void take_over(struct card_link *link, unsigned index)
{
    pthread_mutex_consistent(&link->slot[index].owner);
    if (atomic_load(&link->slot[index].state) == CARD_ASKED)
        have_answered(link, index);
    ask(link, index, CARD_RELEASE, 0, 0, 0);
}

static unsigned take_slot(struct card_link *link)
{
    if (!preferred)
        preferred = 1 + (unsigned)syscall(SYS_gettid) % CARD_SLOTS;
    for (unsigned i = 0; i <= CARD_SLOTS; i++) {
        const unsigned index = (preferred - 1 + i) % CARD_SLOTS;
        pthread_mutex_t *owner = &link->slot[index].owner;
        /* all of them were owned: one is waited for */
        const int got = i < CARD_SLOTS ? pthread_mutex_trylock(owner) : pthread_mutex_lock(owner);
        if (got != 0 && got != EOWNERDEAD)
            continue;
        preferred = 1 + index;
        if (got == EOWNERDEAD)
            take_over(link, index);
        return index;
    }
    card_give_up("no slot to ask the card in");
}

static unsigned begin_access(struct card_link *link)
{
    return held ? held - 1 : take_slot(link);
}

static void end_access(struct card_link *link, unsigned index)
{
    if (!held)
        pthread_mutex_unlock(&link->slot[index].owner);
}

/* Returns how many of `left` bytes the next transaction has: 1, 2, 4 or 8. */
static unsigned some_of(unsigned left)
{
    return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

void card_read(uint64_t address, unsigned size, uint8_t *bytes)
{
    struct card_link *link = need_link();
    const unsigned index = begin_access(link);

    for (unsigned at = 0, some; at < size; at += some) {
        some = some_of(size - at);
        const uint64_t value = ask(link, index, CARD_READ, address + at, some, 0);
        memcpy(bytes + at, &value, some);
    }
    end_access(link, index);
}

void card_write(uint64_t address, unsigned size, const uint8_t *bytes)
{
    struct card_link *link = need_link();
    const unsigned index = begin_access(link);

    for (unsigned at = 0, some; at < size; at += some) {
        uint64_t value = 0;
        some = some_of(size - at);
        memcpy(&value, bytes + at, some);
        ask(link, index, CARD_WRITE, address + at, some, value);
    }
    end_access(link, index);
}

void card_hold(void)
{
    struct card_link *link = need_link();
    const unsigned index = take_slot(link);

    ask(link, index, CARD_HOLD, 0, 0, 0);
    held = 1 + index;
}

void card_release(void)
{
    struct card_link *link = need_link();
    const unsigned index = held - 1;

    ask(link, index, CARD_RELEASE, 0, 0, 0);
    held = 0;
    pthread_mutex_unlock(&link->slot[index].owner);
}

void card_settle(void)
{
    struct card_link *link = need_link();
    const unsigned index = begin_access(link);

    ask(link, index, CARD_SETTLE, 0, 0, 0);
    end_access(link, index);
}
