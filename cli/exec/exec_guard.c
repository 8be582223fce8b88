/* SPDX-License-Identifier: MIT */
/*
 * Where Unicorn gets no memory it ends the program with exit(1), or goes on with a null pointer.
 * While it runs both are what they are: out of memory, with the exit code for that.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

static volatile sig_atomic_t inside;
static struct sigaction before;

static void out_of_memory(void)
{
    static const char text[] = "pcounter: error[PC-E0100]: out of memory inside Unicorn\n"
                               "help: give the process more memory: `exec` takes 1.2 GB of "
                               "addresses, most of them never touched\n";

    cli_remove_unfinished();
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(CLI_LIMIT);
    _exit(CLI_LIMIT);
}

static void at_exit(void)
{
    if (inside)
        out_of_memory();
}

/* A member of what is not there; all else is the fault that it was. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    enum { MEMBERS = 16 << 20 };

    (void)context;
    if (inside && (uintptr_t)info->si_addr < MEMBERS)
        out_of_memory();
    signal(number, SIG_DFL);
}

enum pc_status exec_guard_begin(struct pc_error *err)
{
    const size_t buffer = (size_t)1 << 30; /* of translated code: addresses, no pages */
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    static bool registered;
    void *probe = mmap(NULL, buffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (probe == MAP_FAILED)
        return cli_fail(err, 100, "no memory for Unicorn, which takes 1 GB of addresses");
    munmap(probe, buffer);
    if (!registered && atexit(at_exit) != 0)
        return cli_fail(err, 100, "out of memory");
    registered = true;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
    inside = 1;
    return PC_OK;
}

void exec_guard_end(void)
{
    if (inside)
        sigaction(SIGSEGV, &before, NULL);
    inside = 0;
}

#endif
