/* SPDX-License-Identifier: MIT */
/*
 * The process between `pcounter card` and its command.  It adopts what the command's children leave
 * behind, hands signals on to the command, and ends all of them when the command has ended, or when
 * `pcounter card` was killed: nothing is left then, whoever was killed.  If the keeper itself is
 * killed, `pcounter card` adopts and ends them.
 */
#define _GNU_SOURCE
#include "card/serve.h"

#ifdef PC_HAVE_CARD

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- all that are left ---- */

/* Returns the parent of a process, by /proc; 0: it is gone. */
static pid_t parent_of(const char *pid)
{
    char path[300], text[512];
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    const char *after = strrchr(text, ')'); /* a name may have anything in it */
    if (!after || sscanf(after, ") %*c %d", &parent) != 1)
        return 0;
    return (pid_t)parent;
}

/* Sends a signal to each child of this process; how many there are. */
static unsigned signal_children(int number)
{
    DIR *all = opendir("/proc");
    const struct dirent *one;
    unsigned count = 0;

    while (all && (one = readdir(all)))
        if (isdigit((unsigned char)one->d_name[0]) && parent_of(one->d_name) == getpid()) {
            kill((pid_t)atoi(one->d_name), number);
            count++;
        }
    if (all)
        closedir(all);
    return count;
}

/* Takes the ends of children; false: there are no more. */
static bool reap(void)
{
    pid_t pid;

    do
        pid = waitpid(-1, NULL, WNOHANG);
    while (pid > 0);
    return pid == 0;
}

/* Waits until there are no children, for some ms; false: there are. */
static bool all_end(unsigned ms)
{
    for (unsigned i = 0; i < ms; i++) {
        if (!reap())
            return true;
        (void)poll(NULL, 0, 1);
    }
    return !reap();
}

unsigned card_end_children(bool at_once)
{
    enum { OWN_MS = 100, TERM_MS = 1000, KILL_MS = 100, ROUNDS = 100 };
    unsigned count = 0;

    if (!at_once) {
        if (all_end(OWN_MS))
            return 0;
        count = signal_children(SIGTERM);
        if (all_end(TERM_MS))
            return count;
    }
    for (int i = 0; i < ROUNDS && reap(); i++) { /* each may leave some more */
        const unsigned now = signal_children(SIGKILL);
        count = now > count ? now : count;
        (void)all_end(KILL_MS);
    }
    return count;
}

/* ---- the keeper ---- */

struct keeping {
    pid_t command;
    int signals, link;
    struct card_end end;
    bool ended; /* the command has, and `link` was told */
};

static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Takes the ends of all children that have ended. */
static void take_ends(struct keeping *k)
{
    int status;
    pid_t pid;
    bool over = false;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == k->command) {
            k->end.code = code_of(status);
            over = true;
        }
    if (!over)
        return;
    k->end.ended = card_end_children(false);
    k->ended = true;
    if (write(k->link, &k->end, sizeof k->end) != (ssize_t)sizeof k->end)
        (void)shutdown(k->link, SHUT_RDWR); /* as if this process had been killed */
}

/* A signal of the terminal has reached the command as well, and is not handed on. */
static void take_signal(struct keeping *k)
{
    struct signalfd_siginfo info;

    if (read(k->signals, &info, sizeof info) != (ssize_t)sizeof info || info.ssi_signo == SIGCHLD)
        take_ends(k);
    else if (info.ssi_code <= 0 && !k->ended)
        kill(k->command, (int)info.ssi_signo);
}

__attribute__((noreturn)) static void keep(struct keeping *k)
{
    struct pollfd at[] = { { .fd = k->signals, .events = POLLIN },
                           { .fd = k->link, .events = POLLIN } };

    for (;;) {
        if (poll(at, 2, -1) < 0 && errno != EINTR)
            break;
        if (at[1].revents) /* `pcounter card` has ended, or was killed */
            break;
        if (at[0].revents)
            take_signal(k);
    }
    (void)card_end_children(true);
    cli_remove_unfinished();
    _exit(0);
}

void card_keep(const void *ctx)
{
    const struct card_keeper *keeper = ctx;
    struct keeping k = { .link = keeper->link[1] };
    sigset_t all;

    close(keeper->link[0]);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    k.signals = signalfd(-1, &all, SFD_CLOEXEC);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    k.command = fork();
    if (k.command == 0) {
        sigprocmask(SIG_SETMASK, &keeper->before, NULL);
        return;
    }
    if (k.command < 0 || k.signals < 0) {
        cli_usage("card", "no process: %s", strerror(errno));
        (void)card_end_children(true);
        k.end.code = CLI_INPUT;
        (void)!write(k.link, &k.end, sizeof k.end);
    }
    keep(&k);
}

#endif
