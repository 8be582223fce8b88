/* SPDX-License-Identifier: MIT */
/*
 * inject KIND N ONCE COUNTS PROGRAM ARGUMENT...: runs a program whose n-th system call of a kind
 * fails; with ONCE 0 all after it, too; with N 0 none.  COUNTS is a file for the number of calls of
 * the kind. Kinds: read write open rename close fsync mmap clone connect.
 *
 * Counting begins with the mark of tests/cli/refuse.c, which $PC_INJECT_PRELOAD has loaded into
 * the program: what fails before that is the loader's.  Writes to standard error, and to
 * descriptors from 200 on, which are the test's own, never fail, and are not counted; of the others
 * a failed close still closes.  The exit code is that of the program, 128 and more if a signal
 * ended it, and 99 if nothing can be traced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

enum { CANNOT = 99, MOST_THREADS = 64, MOST_NUMBERS = 8, OWN_FILES = 200, MARK = 0x50434654 };

struct kind {
    const char *name;
    int error;
    long numbers[MOST_NUMBERS]; /* -1 ends them */
};

static const struct kind kinds[] = {
    { "read", EIO, { SYS_read, SYS_pread64, SYS_readv, SYS_preadv, -1 } },
    { "write", ENOSPC, { SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, -1 } },
    { "open", EMFILE, { SYS_openat, SYS_open, SYS_memfd_create, -1 } },
    { "rename", EACCES, { SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat, -1 } },
    { "close", EIO, { SYS_close, -1 } },
    { "fsync", EIO, { SYS_fsync, SYS_fdatasync, SYS_sync_file_range, -1 } },
    { "mmap", ENOMEM, { SYS_mmap, SYS_mremap, -1 } },
    { "clone", EAGAIN, { SYS_clone, SYS_clone3, SYS_fork, SYS_vfork, -1 } },
    { "connect", ECONNREFUSED, { SYS_connect, SYS_socket, SYS_socketpair, -1 } },
};

struct fault {
    const struct kind *kind;
    unsigned long n, seen;
    bool once, begun;
};

struct thread {
    pid_t id;
    bool inside;  /* of a system call */
    bool failing; /* this call is to fail: its result is written at its end */
};

static struct thread threads[MOST_THREADS];

static struct thread *thread_of(pid_t id)
{
    struct thread *unused = NULL;

    for (int i = 0; i < MOST_THREADS; i++) {
        if (threads[i].id == id)
            return &threads[i];
        if (!threads[i].id && !unused)
            unused = &threads[i];
    }
    if (!unused) {
        fprintf(stderr, "inject: too many threads\n");
        exit(CANNOT);
    }
    *unused = (struct thread){ .id = id };
    return unused;
}

static bool is_of(const struct kind *kind, const struct user_regs_struct *r)
{
    const long number = (long)r->orig_rax;

    for (int i = 0; kind->numbers[i] >= 0; i++)
        if (kind->numbers[i] == number)
            return !((number == SYS_write || number == SYS_writev) && r->rdi == STDERR_FILENO) &&
                   !((number == SYS_write || number == SYS_close) && r->rdi >= OWN_FILES);
    return false;
}

static bool begins(const struct user_regs_struct *r)
{
    return (long)r->orig_rax == SYS_prctl && r->rdi == MARK;
}

static void enter(struct fault *f, struct thread *t, struct user_regs_struct *r)
{
    f->begun = f->begun || begins(r);
    if (!f->begun || !is_of(f->kind, r))
        return;
    f->seen++;
    if (f->n && (f->once ? f->seen == f->n : f->seen >= f->n)) {
        t->failing = true;
        if ((long)r->orig_rax != SYS_close) { /* no call has this number */
            r->orig_rax = (unsigned long long)-1;
            ptrace(PTRACE_SETREGS, t->id, NULL, r);
        }
    }
}

static void stopped_at_call(struct fault *f, struct thread *t)
{
    struct user_regs_struct r;

    if (ptrace(PTRACE_GETREGS, t->id, NULL, &r) != 0)
        return; /* it was killed meanwhile */
    if (!t->inside) {
        enter(f, t, &r);
    } else if (t->failing) {
        r.rax = (unsigned long long)-f->kind->error;
        ptrace(PTRACE_SETREGS, t->id, NULL, &r);
        t->failing = false;
    }
    t->inside = !t->inside;
}

/* Follows all threads and processes until the first one ends; returns its status. */
static int follow(struct fault *f, pid_t first)
{
    int status, result = 0;
    pid_t id;

    while ((id = waitpid(-1, &status, __WALL)) > 0) {
        int pass = 0;

        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (id == first)
                result = status;
            thread_of(id)->id = 0;
            continue;
        }
        /* another program: what fails there is not this one's */
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8) && id != first) {
            thread_of(id)->id = 0;
            ptrace(PTRACE_DETACH, id, NULL, NULL);
            continue;
        }
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            stopped_at_call(f, thread_of(id));
        else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP)
            pass = WSTOPSIG(status);
        ptrace(PTRACE_SYSCALL, id, NULL, (void *)(long)pass);
    }
    return result;
}

static int usage(void)
{
    fprintf(stderr, "usage: inject KIND N ONCE COUNTS PROGRAM ARGUMENT...\n");
    return CANNOT;
}

int main(int argc, char **argv)
{
    struct fault f = { 0 };
    int status;

    if (argc < 6)
        return usage();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, argv[1]) == 0)
            f.kind = &kinds[i];
    f.n = strtoul(argv[2], NULL, 10);
    f.once = strcmp(argv[3], "0") != 0;
    if (!f.kind)
        return usage();
    const pid_t first = fork();
    if (first == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        if (getenv("PC_INJECT_PRELOAD"))
            setenv("LD_PRELOAD", getenv("PC_INJECT_PRELOAD"), 1);
        raise(SIGSTOP);
        execv(argv[5], argv + 5);
        _exit(CANNOT);
    }
    if (first < 0 || waitpid(first, &status, 0) != first || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, first, NULL,
               (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                        PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)) != 0) {
        perror("inject");
        return CANNOT;
    }
    ptrace(PTRACE_SYSCALL, first, NULL, NULL);
    status = follow(&f, first);
    FILE *counts = fopen(argv[4], "w");
    if (!counts || fprintf(counts, "%lu\n", f.seen) < 0 || fclose(counts) != 0)
        return CANNOT;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
