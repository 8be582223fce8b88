/* SPDX-License-Identifier: MIT */
/*
 * The card of a command and of all processes that it starts: here it is, and what they ask by the
 * file that all of them map (preload/link.h) a thread answers, one after the other.  An answer is
 * given before the access's time passes for the card, so that both sides work at once.
 */
#define _GNU_SOURCE
#include "card/serve.h"

#ifdef PC_HAVE_CARD

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "card/preload/link.h"

#define CONFIG CARD_FOLDER "/config"
#define ROM    CARD_FOLDER "/rom"

#define STOP (UINT32_C(1) << CARD_SLOTS)
enum { PATIENCE_MS = 100, NOBODY = -1 };

/* ---- the files ---- */

/* Makes a file have these bytes again, and no others. */
static void restore(int file, const uint8_t *data, size_t size)
{
    const ssize_t done = pwrite(file, data, size, 0);

    if (done < 0 || ftruncate(file, (off_t)size) != 0)
        cli_usage("card", "a file of the card cannot be written: %s", strerror(errno));
}

/*
 * Takes what a program has written to config: bits that can be written are the card's now, and the
 * file says what the card has.
 */
static void settle_config(struct card_server *s)
{
    uint8_t now[CARD_CONFIG];
    const ssize_t got = pread(s->config_file, now, sizeof now, 0);
    struct stat info;

    for (ssize_t i = 0; i < got; i++)
        if (now[i] != s->config.byte[i])
            card_config_write(&s->config, (uint32_t)i, 1, now[i]);
    if (got != CARD_CONFIG || memcmp(now, s->config.byte, sizeof now) != 0 ||
        fstat(s->config_file, &info) != 0 || info.st_size != CARD_CONFIG)
        restore(s->config_file, s->config.byte, sizeof s->config.byte);
    atomic_store(&s->decodes, card_config_decodes(&s->config));
}

/* A ROM stays as it is; writing 1 to it enables it on a real card. */
static void settle_rom(struct card_server *s)
{
    const struct card_rom *rom = &s->options->rom;
    uint8_t first = 0;
    struct stat info;

    if (s->rom_file < 0)
        return;
    const bool same = fstat(s->rom_file, &info) == 0 && info.st_size == (off_t)rom->size &&
                      pread(s->rom_file, &first, 1, 0) == 1 && first == rom->data[0];
    if (!same)
        restore(s->rom_file, rom->data, rom->size);
}

void card_server_settle(struct card_server *s)
{
    pthread_mutex_lock(&s->lock);
    settle_config(s);
    settle_rom(s);
    pthread_mutex_unlock(&s->lock);
}

/* ---- answers ---- */

static bool is_access(const struct card_slot *slot)
{
    const uint32_t size = slot->size;

    return (size == 1 || size == 2 || size == 4 || size == 8) && slot->address <= CARD_BAR0 - size;
}

/* Answers an access; *passes: time does. */
static enum pc_status access_card(struct card_server *s, struct card_slot *slot, bool *passes,
                                  struct pc_error *err)
{
    const bool is_write = slot->ask == CARD_WRITE;

    slot->value = is_write ? slot->value : UINT64_MAX;
    if (!is_access(slot))
        return PC_OK;
    const bool decodes = atomic_load(&s->decodes);
    s->missed += !decodes;
    if (!decodes)
        return PC_OK;
    *passes = true;
    return is_write ? card_device_write(s->device, slot->address, slot->size, slot->value, err)
                    : card_device_read(s->device, slot->address, slot->size, &slot->value, err);
}

static void tell_answer(struct card_slot *slot, enum card_state state)
{
    atomic_store(&slot->state, state);
    if (atomic_load(&slot->waits))
        card_wake(&slot->state);
}

static void fail(struct card_server *s, const struct pc_error *err)
{
    s->failed = true;
    snprintf(s->link->failure, sizeof s->link->failure, "%s", err->text);
}

/*
 * Goes to another processor if it is that of who asks: two that wait for each other would take
 * turns there, where they can work at once.
 */
static void make_way(struct card_server *s, int processor)
{
    cpu_set_t others = s->processors;

    if (processor >= 0 && processor == sched_getcpu() && CPU_ISSET((size_t)processor, &others) &&
        CPU_COUNT(&others) > 1) {
        CPU_CLR((size_t)processor, &others);
        (void)sched_setaffinity(0, sizeof others, &others);
    }
    s->asker = processor;
    atomic_store_explicit(&s->link->processor, sched_getcpu(), memory_order_relaxed);
}

static void answer(struct card_server *s, int index)
{
    struct card_slot *slot = &s->link->slot[index];
    enum pc_status status = PC_OK;
    struct pc_error err;
    bool passes = false;

    if (atomic_load(&slot->state) != CARD_ASKED)
        return;
    switch (slot->ask) {
    case CARD_READ:
    case CARD_WRITE:
        if (!s->failed)
            status = access_card(s, slot, &passes, &err);
        break;
    case CARD_HOLD:
        s->holder = index;
        break;
    case CARD_RELEASE:
        s->holder = s->holder == index ? NOBODY : s->holder;
        break;
    case CARD_SETTLE:
        card_server_settle(s);
        break;
    default:
        break;
    }
    if (status)
        fail(s, &err);
    tell_answer(slot, s->failed ? CARD_FAILED : CARD_ANSWERED);
    make_way(s, slot->processor);
    if (passes && !status && card_device_pass(s->device, &err))
        fail(s, &err);
}

/* The owner of the slot that holds the card may have been killed. */
static void check_holder(struct card_server *s)
{
    if (s->holder == NOBODY)
        return;
    pthread_mutex_t *owner = &s->link->slot[s->holder].owner;
    const int got = pthread_mutex_trylock(owner);
    if (got == EBUSY)
        return;
    if (got == EOWNERDEAD)
        pthread_mutex_consistent(owner);
    if (got == EOWNERDEAD || got == 0)
        pthread_mutex_unlock(owner);
    s->holder = NOBODY;
}

/* Slots that may be answered now. */
static uint32_t open_slots(const struct card_server *s)
{
    return STOP | (s->holder == NOBODY ? STOP - 1 : UINT32_C(1) << s->holder);
}

/* Waits until something else is asked than what waits for the holder. */
static void wait_for_asked(struct card_server *s, uint32_t put_off)
{
    struct card_link *link = s->link;

    if (card_spin(&link->asked, put_off, s->asker))
        return;
    atomic_store(&link->sleeps, 1);
    card_sleep(&link->asked, put_off, s->holder == NOBODY ? 1000 * PATIENCE_MS : PATIENCE_MS);
    atomic_store(&link->sleeps, 0);
    check_holder(s);
}

static void *serve(void *ctx)
{
    struct card_server *s = ctx;

    for (;;) {
        const uint32_t asked = atomic_load(&s->link->asked), now = asked & open_slots(s);
        if (now & STOP)
            return NULL;
        if (!now) {
            wait_for_asked(s, asked);
            continue;
        }
        const int index = __builtin_ctz(now);
        atomic_fetch_and(&s->link->asked, ~(UINT32_C(1) << index));
        answer(s, index);
    }
}

/* ---- begin and end ---- */

static void log_access(void *ctx, const struct card_access *access)
{
    struct replay_log *log = ctx;

    log->ns = access->ns;
    replay_log_transaction(log, access->write, access->size, access->address, access->value);
}

/* Makes the slots, of which none is owned; this thread holds `serving` until it ends. */
static bool make_link(struct card_link *link)
{
    pthread_mutexattr_t kind;

    if (pthread_mutexattr_init(&kind) != 0)
        return false;
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    bool fine =
        pthread_mutex_init(&link->serving, &kind) == 0 && pthread_mutex_lock(&link->serving) == 0;
    for (int i = 0; i < CARD_SLOTS && fine; i++)
        fine = pthread_mutex_init(&link->slot[i].owner, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return fine;
}

static void name_file(struct card_link *link, enum card_file which, const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return;
    link->file[which].device = info.st_dev;
    link->file[which].inode = info.st_ino;
}

static bool open_files(struct card_server *s)
{
    const int file = open(CARD_LINK, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    void *at = MAP_FAILED;

    if (file >= 0 && fchmod(file, 0666) == 0 && ftruncate(file, sizeof *s->link) == 0)
        at = mmap(NULL, sizeof *s->link, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (at == MAP_FAILED)
        return false;
    s->link = at;
    if (sched_getaffinity(0, sizeof s->processors, &s->processors) != 0)
        CPU_ZERO(&s->processors); /* then it stays where it is */
    name_file(s->link, CARD_FILE_BAR0, CARD_FOLDER "/resource0");
    name_file(s->link, CARD_FILE_CONFIG, CONFIG);
    name_file(s->link, CARD_FILE_ROM, ROM);
    s->config_file = open(CONFIG, O_RDWR | O_CLOEXEC);
    s->rom_file = open(ROM, O_RDWR | O_CLOEXEC);
    s->changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (s->changes >= 0 && s->rom_file >= 0)
        (void)inotify_add_watch(s->changes, ROM, IN_MODIFY);
    return s->config_file >= 0 && s->changes >= 0 &&
           inotify_add_watch(s->changes, CONFIG, IN_MODIFY) >= 0 && make_link(s->link);
}

int card_server_open(struct card_server *s, struct card_setup *setup)
{
    const struct card_options *o = s->options;
    const struct card_device_desc desc = { .chip = o->chip,
                                           .access_ns = o->access_ns,
                                           .access = s->log ? log_access : NULL,
                                           .ctx = s->log,
                                           .rom = o->rom.data,
                                           .rom_size = o->rom.size };
    struct pc_error err;

    s->holder = NOBODY;
    s->config_file = s->rom_file = s->changes = -1;
    card_config_reset(&s->config, o);
    card_config_place(&s->config);
    atomic_store(&s->decodes, true);
    if (card_device_open(&desc, &s->device, &err) || card_setup_apply(setup, s->device, &err))
        return cli_error(&err, "card", NULL);
    const int code = card_files_make(o, &s->config);
    if (code)
        return code;
    if (!open_files(s))
        return cli_usage("card", "the card's files cannot be opened: %s", strerror(errno));
    return CLI_OK;
}

bool card_server_start(struct card_server *s)
{
    sigset_t all, before;

    sigfillset(&all); /* signals are for the calling thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    s->started = pthread_create(&s->thread, NULL, serve, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s->started;
}

void card_server_stop(struct card_server *s)
{
    if (!s->started)
        return;
    atomic_fetch_or(&s->link->asked, STOP);
    card_wake(&s->link->asked);
    pthread_join(s->thread, NULL);
    s->started = false;
}

void card_server_tell(struct card_server *s, FILE *file)
{
    card_device_tell(s->device, file);
    if (s->missed > 0)
        fprintf(file,
                "pcounter card: %" PRIu64 " accesses while config had switched memory off or BAR0 "
                "elsewhere: they read ones and wrote nothing\n",
                s->missed);
}

void card_server_close(struct card_server *s)
{
    card_server_stop(s);
    if (s->link) {
        pthread_mutex_unlock(&s->link->serving);
        munmap(s->link, sizeof *s->link);
    }
    if (s->config_file >= 0)
        close(s->config_file);
    if (s->rom_file >= 0)
        close(s->rom_file);
    if (s->changes >= 0)
        close(s->changes);
    card_device_close(s->device);
}

#endif
