/* SPDX-License-Identifier: MIT */
/*
 * A stack of the card's own.  The kernel puts what it tells of a fault onto the program's alternate
 * stack, or onto the stack that it runs on; nothing else is laid there.  One thread at a time is on
 * the card's: they wait for the card anyway.
 *
 * An alternate stack may be smaller than what this processor's kernel puts there.  Such a one is
 * never reached by a program whose signals do not come; with a card, each access is a signal.  So
 * the kernel is given a larger one in its place.
 */
#include "interpose.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK = 256 * 1024, PAGE = 4096, LEAST = 2048 /* that the kernel takes */ };

static _Alignas(PAGE) uint8_t stack[STACK];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void card_run_on(void (*function)(void *), void *ctx, void *top);
__asm__(".text\n"
        ".type card_run_on, @function\n"
        ".hidden card_run_on\n"
        "card_run_on:\n"
        ".cfi_startproc\n"
        "    pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset 6, -16\n"
        "    movq %rsp, %rbp\n"
        ".cfi_def_cfa_register 6\n"
        "    movq %rdi, %rax\n"
        "    movq %rsi, %rdi\n"
        "    movq %rdx, %rsp\n"
        "    callq *%rax\n"
        "    movq %rbp, %rsp\n"
        "    popq %rbp\n"
        ".cfi_def_cfa 7, 8\n"
        "    retq\n"
        ".cfi_endproc\n"
        ".size card_run_on, . - card_run_on\n");

void card_on_own_stack(void (*function)(void *), void *ctx)
{
    pthread_mutex_lock(&lock);
    card_run_on(function, ctx, stack + STACK);
    pthread_mutex_unlock(&lock);
}

void card_in_peace(void (*function)(void *), void *ctx)
{
    const uint64_t all = UINT64_MAX;
    uint64_t before;

    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    card_on_own_stack(function, ctx);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

/* Around fork(): no handler of the program may want the card meanwhile in this thread. */
static uint64_t before_fork;

static void take(void)
{
    const uint64_t all = UINT64_MAX;
    uint64_t before;

    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    pthread_mutex_lock(&lock);
    before_fork = before;
}

static void give(void)
{
    const uint64_t before = before_fork;

    pthread_mutex_unlock(&lock);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

/* ---- alternate stacks ---- */

/* The alternate stack that the program has asked for in this thread, if the kernel has another one.
 */
static __thread struct {
    void *at; /* NULL: it has not */
    size_t size;
    stack_t asked;
} replaced;

static pthread_key_t at_end;

__attribute__((constructor)) static void begin(void);

static void drop(void *at)
{
    (void)at;
    if (replaced.at)
        munmap(replaced.at, replaced.size);
    replaced.at = NULL;
}

/* A thread that ends has no signals to come on that stack. */
static void end_thread(void *at)
{
    const stack_t none = { .ss_flags = SS_DISABLE };

    if (replaced.at && syscall(SYS_sigaltstack, &none, NULL) == 0)
        drop(at);
}

static void begin(void)
{
    pthread_key_create(&at_end, end_thread);
    pthread_atfork(take, give, give);
}

/* Returns the bytes that a handler of the program needs in which the card is accessed. */
static size_t least(void)
{
    const size_t frame = getauxval(AT_MINSIGSTKSZ); /* 0: the kernel is old, and does not say */

    return 2 * (frame > LEAST ? frame : LEAST) + 8192;
}

/* Gives the kernel a larger one. */
static int replace(const stack_t *to)
{
    const size_t size = (least() + to->ss_size + PAGE - 1) / PAGE * PAGE;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const stack_t mine = { .ss_sp = at, .ss_size = size, .ss_flags = to->ss_flags };

    if (at == MAP_FAILED)
        return -1;
    if (syscall(SYS_sigaltstack, &mine, NULL) != 0) {
        const int error = errno;
        munmap(at, size);
        errno = error;
        return -1;
    }
    drop(NULL);
    replaced.at = at;
    replaced.size = size;
    replaced.asked = *to;
    pthread_setspecific(at_end, at);
    return 0;
}

PUBLIC int sigaltstack(const stack_t *restrict to, stack_t *restrict old)
{
    const bool was_replaced = replaced.at != NULL;
    const stack_t asked = replaced.asked;
    stack_t was;
    int result = 0;

    if (!card_is_here())
        return (int)syscall(SYS_sigaltstack, to, old);
    if (syscall(SYS_sigaltstack, NULL, &was) != 0)
        return -1;
    if (to && !(to->ss_flags & SS_DISABLE) && to->ss_size >= LEAST && to->ss_size < least()) {
        result = replace(to);
    } else if (to) {
        result = (int)syscall(SYS_sigaltstack, to, NULL);
        if (result == 0)
            drop(NULL);
    }
    if (result == 0 && old && was_replaced) {
        *old = asked;
        old->ss_flags |= was.ss_flags & SS_ONSTACK;
    } else if (result == 0 && old) {
        *old = was;
    }
    return result;
}
