/* SPDX-License-Identifier: MIT */
/*
 * The signals of faults are the card's, what is not of the card is handed on to what the program
 * wants of them.  SIGBUS and SIGTRAP, by which accesses come, are never blocked: a fault while its
 * signal is blocked ends a process.
 */
#include "interpose.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An access; the step after one; and a fault of the program's own in the midst of a step. */
static const int own[] = { SIGSEGV, SIGBUS, SIGTRAP, SIGFPE };
enum { OWN = sizeof own / sizeof own[0], OPEN = 3 /* the first of them */ };

/* As the kernel has it */
struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

static struct sigaction wanted[OWN]; /* by the program */
static bool taken;

static struct sigaction *wanted_of(int number)
{
    for (int i = 0; i < OWN; i++)
        if (own[i] == number)
            return &wanted[i];
    return NULL;
}

static void keep_open(sigset_t *set)
{
    for (int i = 0; i < OPEN; i++)
        sigdelset(set, own[i]);
}

/* Returns the bits as the kernel has sets. */
static uint64_t open_bits(void)
{
    uint64_t bits = 0;

    for (int i = 0; i < OPEN; i++)
        bits |= UINT64_C(1) << (own[i] - 1);
    return bits;
}

static const sigset_t *opened(const sigset_t *set, sigset_t *room)
{
    if (!set || !card_is_here())
        return set;
    *room = *set;
    keep_open(room);
    return room;
}

static void set_mask(int how, const sigset_t *set)
{
    syscall(SYS_rt_sigprocmask, how, set, NULL, (size_t)8);
}

/* ---- taking them ---- */

typedef int sigaction_fn(int number, const struct sigaction *to, struct sigaction *old);

/* Returns libc's function, not that of a sanitizer, which may refuse it. */
static sigaction_fn *libc_sigaction(void)
{
    sigaction_fn *function;
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void *found = libc ? dlsym(libc, "sigaction") : NULL;

    if (!found)
        card_give_up("cannot find sigaction() of libc");
    memcpy(&function, &found, sizeof function);
    return function;
}

/* No other signal comes meanwhile, nor one of libc's own (cancelling a thread). */
static void hold_all_others(int number)
{
    struct kernel_action now;

    if (syscall(SYS_rt_sigaction, number, NULL, &now, (size_t)8) != 0)
        return;
    now.mask = ~open_bits();
    syscall(SYS_rt_sigaction, number, &now, NULL, (size_t)8);
}

void card_signals_take(void)
{
    const struct sigaction mine = { .sa_sigaction = card_on_signal,
                                    .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK };
    sigaction_fn *set = libc_sigaction();
    struct sigaction now;

    for (int i = 0; i < OWN; i++) {
        if (set(own[i], NULL, &now) != 0 || now.sa_sigaction == card_on_signal)
            continue;
        wanted[i] = now; /* also of a sanitizer, which asks the kernel itself */
        set(own[i], &mine, NULL);
        hold_all_others(own[i]);
    }
    taken = true;
}

/* Whoever has started the program may have blocked them. */
__attribute__((constructor)) static void begin(void)
{
    const uint64_t set = open_bits();

    if (!card_is_here())
        return;
    card_signals_take();
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, NULL, sizeof set);
}

/* ---- handing them on ---- */

/* Ends the program by that signal, as it would have ended. */
static void end_by(int number, siginfo_t *info)
{
    const struct kernel_action none = { .handler = NULL };
    const uint64_t set = UINT64_C(1) << (number - 1);

    syscall(SYS_rt_sigaction, number, &none, NULL, (size_t)8);
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, NULL, (size_t)8);
}

void card_signal_pass(int number, siginfo_t *info, void *context)
{
    struct sigaction *kept = wanted_of(number), to = *kept;
    const bool sent = info->si_code <= 0; /* by a process */
    const ucontext_t *c = context;
    sigset_t mask;

    if (to.sa_handler == SIG_IGN && sent)
        return;
    if (to.sa_handler == SIG_DFL || to.sa_handler == SIG_IGN) {
        end_by(number, info);
        return;
    }
    if (to.sa_flags & (int)SA_RESETHAND)
        kept->sa_handler = SIG_DFL;
    sigemptyset(&mask);
    memcpy(&mask, &c->uc_sigmask, 8); /* all that the kernel has there */
    sigorset(&mask, &mask, &to.sa_mask);
    if (!(to.sa_flags & SA_NODEFER))
        sigaddset(&mask, number);
    keep_open(&mask);
    set_mask(SIG_SETMASK, &mask);
    if (to.sa_flags & SA_SIGINFO)
        to.sa_sigaction(number, info, context);
    else
        to.sa_handler(number);
}

/* ---- what the program says of signals ---- */

PUBLIC int sigaction(int number, const struct sigaction *to, struct sigaction *old)
{
    struct sigaction *kept = taken ? wanted_of(number) : NULL, copy;

    REAL(sigaction)
    if (!kept) {
        if (!to || !card_is_here())
            return function(number, to, old);
        copy = *to;
        keep_open(&copy.sa_mask);
        return function(number, &copy, old);
    }
    copy = *kept;
    if (to)
        *kept = *to;
    if (old)
        *old = copy;
    return 0;
}
PUBLIC int __sigaction(int number, const struct sigaction *to, struct sigaction *old)
{
    return sigaction(number, to, old);
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags)
{
    struct sigaction to = { .sa_handler = handler, .sa_flags = flags }, old;

    return sigaction(number, &to, &old) == 0 ? old.sa_handler : SIG_ERR;
}

#define HANDLER(name, flags)                                                                       \
    PUBLIC sighandler_t name(int number, sighandler_t handler)                                     \
    {                                                                                              \
        return set_handler(number, handler, (int)(flags));                                         \
    }
HANDLER(signal, SA_RESTART)
HANDLER(bsd_signal, SA_RESTART)
HANDLER(ssignal, SA_RESTART)
HANDLER(sysv_signal, SA_RESETHAND | SA_NODEFER)
HANDLER(__sysv_signal, SA_RESETHAND | SA_NODEFER)

/* X/Open's sigset(): sets a handler, or blocks the signal */
PUBLIC sighandler_t sigset(int number, sighandler_t handler)
{
    struct sigaction old;

    REAL_OF("sigset", sighandler_t(int, sighandler_t))
    if (!card_is_here() || !wanted_of(number))
        return function(number, handler);
    if (handler != SIG_HOLD)
        return set_handler(number, handler, 0);
    return sigaction(number, NULL, &old) == 0 ? old.sa_handler : SIG_ERR;
}

PUBLIC int sighold(int number)
{
    REAL_OF("sighold", int(int))
    const bool open = number == SIGSEGV || number == SIGBUS || number == SIGTRAP;
    return card_is_here() && open ? 0 : function(number);
}

PUBLIC int sigignore(int number)
{
    return set_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

/* ---- what it blocks ---- */

#define MASK(name, failed)                                                                         \
    PUBLIC int name(int how, const sigset_t *to, sigset_t *old)                                    \
    {                                                                                              \
        sigset_t room;                                                                             \
        to = how == SIG_UNBLOCK ? to : opened(to, &room);                                          \
        return syscall(SYS_rt_sigprocmask, how, to, old, (size_t)8) == 0 ? 0 : (failed);           \
    }
MASK(sigprocmask, -1)
MASK(pthread_sigmask, errno)

static int mask_word(int how, int word)
{
    sigset_t set, old;
    int was = 0;

    sigemptyset(&set);
    for (int number = 1; number < 32; number++)
        if ((unsigned)word >> (number - 1) & 1)
            sigaddset(&set, number);
    if (sigprocmask(how, &set, &old) != 0)
        return -1;
    for (int number = 1; number < 32; number++)
        if (sigismember(&old, number) == 1)
            was |= (int)(1U << (number - 1));
    return was;
}
PUBLIC int sigblock(int word)
{
    return mask_word(SIG_BLOCK, word);
}
PUBLIC int sigsetmask(int word)
{
    return mask_word(SIG_SETMASK, word);
}

PUBLIC int pthread_attr_setsigmask_np(pthread_attr_t *attr, const sigset_t *set)
{
    sigset_t room;

    REAL_OF("pthread_attr_setsigmask_np", int(pthread_attr_t *, const sigset_t *))
    return function(attr, opened(set, &room));
}

/* ---- ... while it waits ---- */

#define SUSPEND(name)                                                                              \
    PUBLIC int name(const sigset_t *set)                                                           \
    {                                                                                              \
        sigset_t room;                                                                             \
        REAL_OF("sigsuspend", int(const sigset_t *))                                               \
        return function(opened(set, &room));                                                       \
    }
SUSPEND(sigsuspend)
SUSPEND(__sigsuspend)

PUBLIC int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time,
                 const sigset_t *set)
{
    sigset_t room;

    REAL(ppoll)
    return function(files, count, time, opened(set, &room));
}
PUBLIC int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *time,
                       const sigset_t *set, size_t size)
{
    sigset_t room;

    REAL_OF("__ppoll_chk",
            int(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t))
    return function(files, count, time, opened(set, &room), size);
}
PUBLIC int pselect(int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *time,
                   const sigset_t *set)
{
    sigset_t room;

    REAL(pselect)
    return function(count, in, out, other, time, opened(set, &room));
}
PUBLIC int epoll_pwait(int file, struct epoll_event *events, int most, int time,
                       const sigset_t *set)
{
    sigset_t room;

    REAL(epoll_pwait)
    return function(file, events, most, time, opened(set, &room));
}
PUBLIC int epoll_pwait2(int file, struct epoll_event *events, int most, const struct timespec *time,
                        const sigset_t *set)
{
    sigset_t room;

    REAL(epoll_pwait2)
    return function(file, events, most, time, opened(set, &room));
}
