/* SPDX-License-Identifier: MIT */
/*
 * A filter of system calls: a list of what is refused, as what is needed depends on libc.  The
 * calls fail, so that what tries one by mistake says so.  What is a file to a filter, the memory of
 * other processes under /proc, is refused by Landlock, where the kernel has it.
 */
#define _GNU_SOURCE /* syscall */
#include "process/sandbox.h"

/* With registers of 64 bits, low half first: what the filter takes for granted. */
#if defined PC_SANDBOX && defined __linux__ && defined __LP64__ &&                                 \
    (defined __x86_64__ || defined __AARCH64EL__)

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif
#define X32 0x40000000 /* the bit of its numbers */

/* clang-format off */
#define LOAD(member)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define IF(test, k)     BPF_JUMP(BPF_JMP | BPF_##test | BPF_K, k, 0, 1) /* the next one, or not */
#define UNLESS(test, k) BPF_JUMP(BPF_JMP | BPF_##test | BPF_K, k, 1, 0)
#define SKIP_UNLESS(test, k, n) BPF_JUMP(BPF_JMP | BPF_##test | BPF_K, k, 0, n)
#define FAIL(error)     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static const struct sock_filter head[] = {
    LOAD(arch), UNLESS(JEQ, ARCH), FAIL(EPERM),
    LOAD(nr), IF(JGE, X32), FAIL(EPERM),
    /* Threads go on: libc, told that there is no clone3, asks clone, whose flags a filter can see. */
    IF(JEQ, SYS_clone3), FAIL(ENOSYS),
    SKIP_UNLESS(JEQ, SYS_clone, 4),
    LOAD(args[0]), UNLESS(JSET, CLONE_THREAD), FAIL(EPERM), ALLOW,
    /* typing commands into the terminal, for the shell to run them later */
    SKIP_UNLESS(JEQ, SYS_ioctl, 6),
    LOAD(args[1]), IF(JEQ, TIOCSTI), FAIL(EPERM), IF(JEQ, TIOCLINUX), FAIL(EPERM), ALLOW,
};

/* After `head`, with the number of this process: signals for itself, as abort() sends, are allowed. */
#define OWN_ONLY(number) { LOAD(nr), SKIP_UNLESS(JEQ, number, 4),                                  \
    LOAD(args[0]), UNLESS(JEQ, 0), FAIL(EPERM), ALLOW }
static const struct sock_filter own[][6] = {
    OWN_ONLY(SYS_kill), OWN_ONLY(SYS_tgkill), OWN_ONLY(SYS_prlimit64),
};
/* signals that the kernel sends to others when a file is ready */
static const struct sock_filter last[] = {
    LOAD(nr), SKIP_UNLESS(JEQ, SYS_fcntl, 8),
    LOAD(args[1]), IF(JEQ, F_SETOWN), FAIL(EPERM), IF(JEQ, F_SETOWN_EX), FAIL(EPERM),
    IF(JEQ, F_SETSIG), FAIL(EPERM), ALLOW,
    LOAD(nr),
};

static const unsigned refused[] = {
    /* programs, connections, and what connects without a call of its own */
    SYS_execve, SYS_execveat, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_socket, SYS_socketpair, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4,
    /* other processes, and the kernel */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_reboot,
    /* signals for others, by the other numbers; files that are processes */
    SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal,
    SYS_kcmp, SYS_move_pages, SYS_migrate_pages,
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
#ifdef SYS_process_mrelease
    SYS_process_mrelease,
#endif
    /* other views of the files */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_open_tree,
    SYS_move_mount, SYS_mount_setattr, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
    SYS_open_by_handle_at, SYS_swapon,
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
};
/* clang-format on */
enum {
    HEAD = sizeof head / sizeof head[0],
    OWN = sizeof own / sizeof own[0][0],
    LAST = sizeof last / sizeof last[0],
    REFUSED = sizeof refused / sizeof refused[0]
};

/* Landlock's numbers, of newer kernels than the headers may be. */
enum { LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT = 446, LANDLOCK_VERSION = 1 };

/*
 * A process in a domain of Landlock may look at no memory outside of it, not by ptrace and not
 * under /proc; from version 6 on it may also be kept from signals and abstract sockets.  A domain
 * has to be about something: about programs, which are refused anyway.
 */
static void enter_domain(void)
{
    const struct {
        uint64_t files, net, scoped;
    } rules = { 1 /* execute */, 0, 3 /* abstract sockets, signals */ };
    const long version = syscall(LANDLOCK_CREATE, NULL, 0UL, (unsigned long)LANDLOCK_VERSION);

    if (version < 1)
        return;
    const size_t size = version >= 6 ? sizeof rules : sizeof rules.files;
    const int fd = (int)syscall(LANDLOCK_CREATE, &rules, size, 0UL);
    if (fd < 0)
        return;
    (void)syscall(LANDLOCK_RESTRICT, fd, 0UL);
    close(fd);
}

static int by_number(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return (x > y) - (x < y);
}

/*
 * Numbers in order as a tree; the instructions it has.  The kernel tries every number when it is
 * given the filter, to know those that it need not ask about: a list takes it 0.08 ms.
 */
static size_t make_tree(struct sock_filter *f, const unsigned *number, size_t count)
{
    if (count == 1) {
        const struct sock_filter leaf[] = { IF(JEQ, number[0]), FAIL(EPERM), ALLOW };
        memcpy(f, leaf, sizeof leaf);
        return sizeof leaf / sizeof leaf[0];
    }
    const size_t half = count / 2, left = make_tree(f + 1, number, half);
    const struct sock_filter node = SKIP_UNLESS(JGE, number[half], 0);
    f[0] = node;
    f[0].jt = (uint8_t)left;
    return 1 + left + make_tree(f + 1 + left, number + half, count - half);
}

void cli_confine(void)
{
    struct sock_filter filter[HEAD + OWN + LAST + 4 * REFUSED];
    struct sock_fprog program = { HEAD + OWN + LAST, filter };
    unsigned number[REFUSED];

    _Static_assert(REFUSED <= 128, "a jump has 8 bits");
    memcpy(filter, head, sizeof head);
    memcpy(filter + HEAD, own, sizeof own);
    memcpy(filter + HEAD + OWN, last, sizeof last);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        filter[HEAD + 6 * i + 3].k = (uint32_t)getpid();
    memcpy(number, refused, sizeof number);
    qsort(number, REFUSED, sizeof number[0], by_number);
    program.len += (unsigned short)make_tree(filter + program.len, number, REFUSED);
    /* SPEC_ALLOW: kernels before 5.16 would make all of the program slower, as if it ran code of
     * strangers. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0)
        return;
    enter_domain();
    (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

#else

void cli_confine(void)
{
}

#endif
