/* SPDX-License-Identifier: MIT */
/*
 * BAR0 as a program sees it: memory that nobody may touch.  Each access faults; what the
 * instruction wants is done to the card.  Plain moves are done here, all others in step.c.  Faults
 * elsewhere are the program's own.
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <ucontext.h>

#include "decode.h"

enum { MOST_MAPS = 64, PAGE = 4096, WRITE_FAULT = 2 };

static struct map {
    uint8_t *at;
    size_t length;
    uint64_t offset;
    int protection; /* that the program has asked for */
} maps[MOST_MAPS];

/* What the program wants of these signals. */
static struct sigaction segv, trap;

static const struct map *map_of(const void *at)
{
    const uint8_t *byte = at;

    for (size_t i = 0; i < MOST_MAPS; i++)
        if (maps[i].at && byte >= maps[i].at && byte < maps[i].at + maps[i].length)
            return &maps[i];
    return NULL;
}

bool card_address(const void *at, uint64_t *address)
{
    const struct map *map = map_of(at);

    if (map)
        *address = map->offset + (uint64_t)((const uint8_t *)at - map->at);
    return map != NULL;
}

/* Has the program asked for what it does there? */
static bool may(const void *at, const ucontext_t *c)
{
    const bool write = c->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;

    return map_of(at)->protection & (write ? PROT_WRITE : PROT_READ);
}

/* ---- moves ---- */

static uint64_t reg_get(const ucontext_t *c, int reg)
{
    return (uint64_t)c->uc_mcontext.gregs[reg];
}

/* A register gets `size` bytes: four clear what is above, fewer do not. */
static void reg_set(ucontext_t *c, const struct decoded *d, uint64_t value)
{
    uint64_t old = reg_get(c, d->reg);

    if (d->high) /* ah, bh, ch, dh */
        value = (old & ~UINT64_C(0xff00)) | (value & 0xff) << 8;
    else if (d->reg_size == 1)
        value = (old & ~UINT64_C(0xff)) | (value & 0xff);
    else if (d->reg_size == 2)
        value = (old & ~UINT64_C(0xffff)) | (value & 0xffff);
    else if (d->reg_size == 4)
        value &= UINT32_MAX;
    c->uc_mcontext.gregs[d->reg] = (greg_t)value;
}

static uint64_t extend(uint64_t value, unsigned size, bool sign)
{
    const unsigned bits = 8 * size;

    if (!sign || size >= 8 || !(value >> (bits - 1) & 1))
        return value;
    return value | UINT64_MAX << bits;
}

/*
 * The instruction there, if it is a plain move.  A loop has the same ones again and again: they are
 * remembered by their place and their bytes.
 */
static bool find_move(const uint8_t *code, struct decoded *out)
{
    enum { KNOWN = 64, BYTES = 15 };
    static __thread struct known {
        const uint8_t *code;
        uint8_t bytes[BYTES];
        struct decoded d;
    } known[KNOWN];
    struct known *k = &known[(uintptr_t)code % KNOWN];

    if (k->code == code && memcmp(k->bytes, code, k->d.length) == 0) {
        *out = k->d;
        return true;
    }
    k->code = NULL;
    if (!decode(code, out))
        return false;
    k->d = *out;
    memcpy(k->bytes, code, out->length);
    k->code = code;
    return true;
}

static void move(ucontext_t *c, const struct decoded *d, uint64_t address)
{
    uint8_t bytes[8] = { 0 };
    uint64_t value = 0;

    if (d->kind == DECODED_LOAD) {
        card_read(address, d->size, bytes);
        memcpy(&value, bytes, sizeof value);
        reg_set(c, d, extend(value, d->size, d->sign));
    } else {
        value = d->kind == DECODED_STORE_IMMEDIATE ? d->immediate
                                                   : reg_get(c, d->reg) >> (d->high ? 8 : 0);
        memcpy(bytes, &value, sizeof bytes);
        card_write(address, d->size, bytes);
    }
    c->uc_mcontext.gregs[REG_RIP] += (greg_t)d->length;
}

/* ---- signals ---- */

/* A fault while its signal is blocked would end the program. */
static void card_keep_open(sigset_t *set)
{
    sigdelset(set, SIGSEGV);
    sigdelset(set, SIGTRAP);
}

static void set_mask(int how, const sigset_t *set)
{
    syscall(SYS_rt_sigprocmask, how, set, NULL, (size_t)8);
}

static void pass_on(const struct sigaction *to, int number, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    sigset_t mask;

    sigemptyset(&mask);
    memcpy(&mask, &c->uc_sigmask, 8); /* all that the kernel has there */
    sigorset(&mask, &mask, &to->sa_mask);
    card_keep_open(&mask);
    set_mask(SIG_SETMASK, &mask);
    if (to->sa_flags & SA_SIGINFO) {
        to->sa_sigaction(number, info, context);
    } else if (to->sa_handler == SIG_DFL || to->sa_handler == SIG_IGN) {
        signal(number, SIG_DFL); /* the instruction faults again, and ends the program */
        raise(number);
    } else {
        to->sa_handler(number);
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    uint64_t address;
    struct decoded d;
    const int error = errno;

    if (info->si_code <= 0 || !card_address(info->si_addr, &address) || !may(info->si_addr, c)) {
        card_step_undo(context);
        pass_on(&segv, number, info, context);
        return;
    }
    if (find_move((const void *)(uintptr_t)c->uc_mcontext.gregs[REG_RIP], &d))
        move(c, &d, address);
    else if (!card_step_begin(context, info->si_addr))
        card_give_up("an instruction accesses the card in a way that is not known here");
    errno = error;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    if (!card_step_end(context))
        pass_on(&trap, number, info, context);
}

static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

static void find_real(void)
{
    void *found = dlsym(RTLD_NEXT, "sigaction");

    memcpy(&real_sigaction, &found, sizeof real_sigaction);
}

static bool taken;

static void take_signals(void)
{
    struct sigaction mine = { .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK };

    if (taken)
        return;
    taken = true;
    find_real();
    mine.sa_sigaction = on_fault;
    sigfillset(
        &mine.sa_mask); /* a handler of the program that reads the card would wait for ever */
    card_keep_open(&mine.sa_mask);
    real_sigaction(SIGSEGV, &mine, &segv);
    mine.sa_sigaction = on_trap;
    real_sigaction(SIGTRAP, &mine, &trap);
}

/* The program sets these for itself, and gets what is its own. */
__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction *to,
                                                     struct sigaction *old)
{
    struct sigaction *kept = number == SIGSEGV ? &segv : number == SIGTRAP ? &trap : NULL;

    if (!real_sigaction)
        find_real();
    if (!kept || !taken) {
        struct sigaction open_one;
        if (!to || !card_is_here())
            return real_sigaction(number, to, old);
        open_one = *to;
        card_keep_open(&open_one.sa_mask);
        return real_sigaction(number, &open_one, old);
    }
    if (old)
        *old = *kept;
    if (to)
        *kept = *to;
    return 0;
}

__attribute__((visibility("default"))) sighandler_t signal(int number, sighandler_t handler)
{
    const struct sigaction to = { .sa_handler = handler, .sa_flags = SA_RESTART };
    struct sigaction old;

    return sigaction(number, &to, &old) == 0 ? old.sa_handler : SIG_ERR;
}

#define MASK(name, failed)                                                                         \
    __attribute__((visibility("default"))) int name(int how, const sigset_t *to, sigset_t *old)    \
    {                                                                                              \
        sigset_t set;                                                                              \
        if (to && how != SIG_UNBLOCK && card_is_here()) {                                          \
            set = *to;                                                                             \
            card_keep_open(&set);                                                                  \
            to = &set;                                                                             \
        }                                                                                          \
        return syscall(SYS_rt_sigprocmask, how, to, old, (size_t)8) == 0 ? 0 : (failed);           \
    }
MASK(sigprocmask, -1)
MASK(pthread_sigmask, errno)

/* ---- mappings ---- */

static struct map *free_map(void)
{
    for (size_t i = 0; i < MOST_MAPS; i++)
        if (!maps[i].at)
            return &maps[i];
    return NULL;
}

void *card_map(size_t length, int protection, uint64_t offset)
{
    struct map *map = free_map();
    const size_t whole = (length + PAGE - 1) / PAGE * PAGE;

    if (length == 0 || offset % PAGE || offset > CARD_BAR0 || whole > CARD_BAR0 - offset || !map) {
        errno = map ? EINVAL : ENOMEM;
        return MAP_FAILED;
    }
    const long at = syscall(SYS_mmap, NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == -1)
        return MAP_FAILED;
    take_signals();
    *map = (struct map){ (uint8_t *)at, whole, offset, protection };
    return (void *)at;
}

void card_unmap(void *at, size_t length)
{
    uint8_t *from = at, *to = from + (length + PAGE - 1) / PAGE * PAGE;

    for (size_t i = 0; i < MOST_MAPS; i++) {
        struct map *m = &maps[i], whole = *m, *rest;
        uint8_t *end = whole.at + whole.length;
        if (!whole.at || to <= whole.at || from >= end)
            continue;
        m->at = NULL;
        if (from > whole.at) /* what is before it stays, */
            *m =
                (struct map){ whole.at, (size_t)(from - whole.at), whole.offset, whole.protection };
        if (to < end && (rest = free_map())) /* and what is after it */
            *rest = (struct map){ to, (size_t)(end - to), whole.offset + (uint64_t)(to - whole.at),
                                  whole.protection };
    }
}
