#!/bin/sh
# SPDX-License-Identifier: MIT
# Inside of the program the kernel refuses processes, sockets and more, and threads go on: asked by a library
# that is loaded into it, before main() and when the verb looks at its options.
#   sandbox.sh PROGRAM CC
set -u
program=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 passed=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
cat >"$work/inside.c" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static void say(const char *when, const char *what, long result)
{
    const char *word = result >= 0 ? "done" : errno == EPERM ? "refused" : errno == ENOSYS ? "unknown" : "failed";

    printf("%s %s %s\n", when, what, word);
}

static void *thread(void *at)
{
    *(int *)at = 1;
    return NULL;
}

/* by libc, by the two older numbers */
static void processes(const char *when)
{
    for (int how = 0; how < 3; how++) {
        static const char *const name[] = { "fork", "clone", "vfork-number" };
        fflush(stdout);
        long pid = how == 0 ? fork() : how == 1 ? syscall(SYS_clone, 17, 0, 0, 0, 0) :
#ifdef SYS_fork
                   syscall(SYS_fork);
#else
                   fork();
#endif
        if (pid == 0)
            _exit(0);
        say(when, name[how], pid);
        if (pid > 0)
            waitpid((pid_t)pid, NULL, 0);
    }
}

#ifdef __x86_64__
static sigjmp_buf back;

static void fault(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* getpid of 32 bits; where there are no such calls at all, the instruction itself may fault */
static long getpid32(void)
{
    void (*was)(int) = signal(SIGSEGV, fault);
    volatile long got = -ENOSYS;

    if (sigsetjmp(back, 1) == 0) {
        long result;
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
        got = result;
    }
    signal(SIGSEGV, was);
    return got;
}
#endif

static void ask(const char *when)
{
    char *none[] = { NULL };
    char command = 'x';
    pthread_t t;
    int ran = 0;

    processes(when);
    say(when, "execve", syscall(SYS_execve, "/nowhere/at/all", none, none));
    say(when, "execveat", syscall(SYS_execveat, -1, "/nowhere/at/all", none, none, 0));
    say(when, "socket", syscall(SYS_socket, 1, 2, 0));
    say(when, "internet", syscall(SYS_socket, 2, 1, 0));
    int pair[2];
    say(when, "socketpair", syscall(SYS_socketpair, 1, 1, 0, pair));
    say(when, "connect", syscall(SYS_connect, -1, NULL, 0));
    say(when, "bind", syscall(SYS_bind, -1, NULL, 0));
    say(when, "listen", syscall(SYS_listen, -1, 0));
    say(when, "accept", syscall(SYS_accept, -1, NULL, NULL));
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    const int mem = open(path, O_RDWR);
    errno = mem < 0 && errno == EACCES ? EPERM : errno;
    say(when, "memory-of-others", mem);
    say(when, "own-memory", open("/proc/self/mem", O_RDONLY));
    say(when, "kill", kill(getppid(), 0));
    say(when, "kill-group", kill(0, 0));
    say(when, "kill-all", kill(-1, 0));
    say(when, "kill-self", kill(getpid(), 0));
    say(when, "raise", raise(0));
    say(when, "tkill", syscall(SYS_tkill, getppid(), 0));
    say(when, "tgkill", syscall(SYS_tgkill, getppid(), getppid(), 0));
    say(when, "sigqueue", sigqueue(getppid(), 0, (union sigval){ 0 }));
    say(when, "pidfd", syscall(SYS_pidfd_open, getppid(), 0));
    say(when, "pidfd-signal", syscall(SYS_pidfd_send_signal, -1, 0, NULL, 0));
    say(when, "pidfd-getfd", syscall(SYS_pidfd_getfd, -1, 0, 0));
    say(when, "process_madvise", syscall(SYS_process_madvise, -1, NULL, 0, 0, 0));
    say(when, "setown", fcntl(0, F_SETOWN, getppid()));
    say(when, "getfl", fcntl(0, F_GETFL));
    say(when, "prlimit", syscall(SYS_prlimit64, getppid(), 7, NULL, NULL));
    say(when, "prlimit-self", syscall(SYS_prlimit64, getpid(), 7, NULL, NULL));
    say(when, "process_vm_readv", syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0));
    say(when, "ptrace", syscall(SYS_ptrace, 2, -1, 0, 0));
    say(when, "io_uring", syscall(SYS_io_uring_setup, 0, NULL));
    say(when, "bpf", syscall(SYS_bpf, -1, NULL, 0));
    say(when, "perf", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    say(when, "keyctl", syscall(SYS_keyctl, -1, 0, 0, 0, 0));
    say(when, "module", syscall(SYS_finit_module, -1, "", 0));
    say(when, "mount", syscall(SYS_mount, NULL, NULL, NULL, 0, NULL));
    say(when, "unshare", syscall(SYS_unshare, 0));
    say(when, "mount_setattr", syscall(SYS_mount_setattr, -1, NULL, 0, NULL, 0));
    say(when, "clone3", syscall(SYS_clone3, NULL, 0));
    say(when, "terminal", ioctl(-1, 0x5412, &command)); /* TIOCSTI */
    say(when, "window", ioctl(-1, 0x5413, &command));   /* TIOCGWINSZ */
#ifdef __x86_64__
    say(when, "x32", syscall(0x40000000 + 39)); /* getpid */
    const long old = getpid32();
    errno = old < 0 ? (int)-old : 0;
    say(when, "i386", old);
#endif
    say(when, "file", syscall(SYS_openat, -100, "/dev/null", 0, 0));
    int code = pthread_create(&t, NULL, thread, &ran);
    if (code == 0)
        pthread_join(t, NULL);
    printf("%s thread %s\n", when, code == 0 && ran ? "done" : "failed");
    printf("%s privileges %s\n", when, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "fixed" : "open");
    say(when, "landlock", syscall(444, NULL, 0, 1));
    printf("%s filter %s\n", when, prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2 ? "on" : "off");
    fflush(stdout);
}

__attribute__((constructor)) static void before(void)
{
    ask("before");
}

int getopt_long(int argc, char *const argv[], const char *letters, const struct option *o, int *at)
{
    (void)argc, (void)argv, (void)letters, (void)o, (void)at;
    ask("after");
    _exit(0);
}
END
"$cc" -shared -fPIC -o "$work/inside.so" "$work/inside.c" -lpthread || fail "$cc makes no library"
LD_PRELOAD="$work/inside.so" "$program" list chips >"$work/said" 2>"$work/err" || fail 'the program ended with an error'
# is WHEN WHAT WORD
is() {
    if grep -qx "$1 $2 $3" "$work/said"; then passed=$((passed + 1)); else
        fail "$3 was expected: $(grep "^$1 $2 " "$work/said" || echo "nothing of $1 $2")"; fi
}
[ "$bad" -eq 0 ] || { cat "$work/err" >&2; exit 1; }
if grep -qx 'after filter off' "$work/said" && ! grep -q errno /proc/sys/kernel/seccomp/actions_avail 2>/dev/null; then
    echo '*** SKIP what the kernel refuses the program: this one has no seccomp ***' >&2
    exit 77
fi
# Records what this system allows before main(), so that the program is the one that refuses later.
if grep -q 'before .* refused' "$work/said"; then
    echo "*** SKIP some of what the program is refused, as the system refuses it already: $(sed -n \
        's/before \(.*\) refused/\1/p' "$work/said" | tr '\n' ' ')***" >&2
fi
is before filter off
is before thread 'done'
is after filter on
is after privileges fixed
# the memory of others is a file to the filter: Landlock refuses it, where there is one
landlock=$(sed -n 's/^after landlock //p' "$work/said")
[ "$landlock" = 'done' ] && is after memory-of-others refused
[ "$landlock" = 'done' ] || echo '*** SKIP /proc/PID/mem: this kernel has no Landlock ***' >&2
for call in own-memory kill-self raise getfl prlimit-self; do
    is after $call 'done'
done
for call in kill kill-group kill-all tkill tgkill sigqueue pidfd pidfd-signal pidfd-getfd process_madvise setown prlimit \
    fork clone vfork-number execve execveat socket internet socketpair connect bind listen accept \
    process_vm_readv ptrace terminal io_uring bpf perf keyctl module mount unshare mount_setattr; do
    is after $call refused
done
case $(uname -m) in
x86_64)
    is after x32 refused
    # (a kernel without programs of 32 bits: no such call at all)
    grep -q 'before i386 done' "$work/said" && is after i386 refused ;;
esac
is after clone3 unknown
is after window failed # the descriptor is bad; the call as such is allowed
is after file 'done'
is after thread 'done'
[ "$bad" -eq 0 ] || { cat "$work/said" >&2; exit 1; }
echo "$passed passed, 0 failed"
