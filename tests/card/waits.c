/* SPDX-License-Identifier: MIT */
/*
 * Signals of a program, and the card: handlers that access it while all others wait, alternate
 * stacks of any size, faults of the program's own in the midst of an access.
 */
#define _GNU_SOURCE
#include "own.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <ucontext.h>

static volatile int handled;

static void look(int number)
{
    (void)number;
    handled += *word(0) == BOOT_0;
}

/* A signal comes in a while, as SIGALRM alone may. */
#define COMES(what, ...)                                                                           \
    do {                                                                                           \
        handled = 0;                                                                               \
        ualarm(20000, 0);                                                                          \
        __VA_ARGS__;                                                                               \
        expect(what, (uint64_t)handled, 1);                                                        \
    } while (0)

static void waits(void)
{
    const struct timespec long_time = { 20, 0 };
    struct sigaction all = { .sa_handler = look };
    struct epoll_event event;
    sigset_t set;

    sigfillset(&set);
    sigdelset(&set, SIGALRM);
    signal(SIGALRM, look);
    COMES("sigsuspend", sigsuspend(&set));
    COMES("ppoll", ppoll(NULL, 0, &long_time, &set));
    COMES("pselect", pselect(0, NULL, NULL, NULL, &long_time, &set));
    const int queue = epoll_create1(0);
    COMES("epoll_pwait", epoll_pwait(queue, &event, 1, 20000, &set));
    close(queue);
    sigfillset(&all.sa_mask);
    sigaction(SIGALRM, &all, NULL);
    COMES("a handler that blocks all", pause());
    sigset(SIGALRM, look);
    COMES("sigset", pause());
    sysv_signal(SIGALRM, look);
    COMES("sysv_signal", pause());
    sigset(SIGBUS, SIG_HOLD);
    sighold(SIGTRAP);
    sigsetmask(-1);
    expect("all blocked", *word(0), BOOT_0);
    __asm__ volatile("pushq %%rax\n movd (%0), %%xmm0\n popq %%rax"
                     :
                     : "r"(word(0))
                     : "xmm0", "memory");
    sigsetmask(0);
}

/* ---- alternate stacks ---- */

static uint8_t area[1 << 18];

static size_t touched(void)
{
    size_t low = 0;

    while (low < sizeof area && area[low] == 0xa5)
        low++;
    return low;
}

static volatile uintptr_t handler_stack;

static void look_there(int number)
{
    int here;

    handler_stack = (uintptr_t)&here;
    look(number);
}

static void alternate(void)
{
    static const size_t sizes[] = { 2048, 4096, 8192, 16384, 65536 };
    struct sigaction there = { .sa_handler = look_there, .sa_flags = SA_ONSTACK };
    stack_t mine = { .ss_sp = area + sizeof area / 2 }, old;

    sigaction(SIGUSR1, &there, NULL);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        memset(area, 0xa5, sizeof area);
        mine.ss_size = sizes[i];
        expect("sigaltstack", (uint64_t)sigaltstack(&mine, NULL), 0);
        expect("with an alternate stack", *word(0), BOOT_0);
        expect("below it", touched() < sizeof area / 2, 0);
        handled = 0;
        raise(SIGUSR1);
        expect("a handler on it", (uint64_t)handled, 1);
        expect("below it, after a handler", touched() < sizeof area / 2, 0);
        sigaltstack(NULL, &old);
        expect("what is said of it", (uintptr_t)old.ss_sp, (uintptr_t)mine.ss_sp);
        expect("... its size", old.ss_size, mine.ss_size);
    }
    expect("the handler was there", handler_stack - (uintptr_t)mine.ss_sp < mine.ss_size, 1);
    mine.ss_flags = SS_DISABLE;
    sigaltstack(&mine, NULL);
    sigaltstack(NULL, &old);
    expect("none", (uint64_t)old.ss_flags, SS_DISABLE);
}

static void *thread(void *arg)
{
    uint8_t room[4096];
    stack_t small = { .ss_sp = room, .ss_size = sizeof room };

    sigaltstack(&small, NULL);
    expect("a thread", *word(0), BOOT_0);
    *word(KEEPS) |= 1;
    small.ss_flags = SS_DISABLE;
    sigaltstack(&small, NULL);
    return arg;
}

static void threads(void)
{
    pthread_t other[4];
    pthread_attr_t attr;
    sigset_t set;

    sigfillset(&set);
    pthread_attr_init(&attr);
    pthread_attr_setsigmask_np(&attr, &set);
    for (unsigned i = 0; i < 4; i++)
        if (pthread_create(&other[i], i % 2 ? &attr : NULL, thread, NULL) != 0)
            exit(1);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(other[i], NULL);
    pthread_attr_destroy(&attr);
}

/* ---- faults of the program's own ---- */

static volatile uint64_t seen_register;

static void on_divide(int number, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;

    (void)info;
    fault_number = number;
    seen_register = (uint64_t)c->uc_mcontext.gregs[REG_RCX];
    siglongjmp(back, 1);
}

static void faults(void)
{
    struct sigaction divide = { .sa_sigaction = on_divide, .sa_flags = SA_SIGINFO };
    FILE *file = tmpfile();

    if (!file || ftruncate(fileno(file), 1) != 0)
        exit(1);
    expect_faults();
    uint8_t *map = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, fileno(file), 0);
    FAULTS("a file's end", SIGBUS, map + PAGE, (void)*(volatile uint8_t *)(map + PAGE));
    sigaction(SIGFPE, &divide, NULL);
    *word(KEEPS) = 0;
    if (sigsetjmp(back, 1) == 0) {
        uint64_t low = 1, high = 0;
        __asm__ volatile("divl (%%rcx)"
                         : "+a"(low), "+d"(high)
                         : "c"(word(KEEPS))
                         : "cc", "memory");
        expect("a division by zero", 1, 0);
    } else {
        expect("a division: signal", (uint64_t)fault_number, SIGFPE);
        expect("its register", seen_register, (uintptr_t)word(KEEPS));
    }
    expect("the card goes on", *word(0), BOOT_0);
    struct sigaction once = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_RESETHAND };
    sigaction(SIGBUS, &once, NULL);
    FAULTS("once", SIGBUS, map + PAGE, (void)*(volatile uint8_t *)(map + PAGE));
    sigaction(SIGBUS, NULL, &once);
    expect("and no more", once.sa_handler == SIG_DFL, 1);
    expect("the card goes on", *word(0), BOOT_0);
    fclose(file);
}

int main(void)
{
    open_bar0();
    expect("the first access", *word(0), BOOT_0);
    waits();
    alternate();
    threads();
    faults();
    return end();
}
