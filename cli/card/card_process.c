/* SPDX-License-Identifier: MIT */
/* A command's process: found, started, told of signals, waited for. */
#define _GNU_SOURCE
#include "card/card.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool card_find_command(const char *name, char *out, size_t size)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/'))
        return (size_t)snprintf(out, size, "%s", name) < size && access(out, X_OK) == 0;
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        const size_t length = strcspn(path, ":");
        struct stat what;
        if ((size_t)snprintf(out, size, "%.*s/%s", (int)length, length ? path : ".", name) < size &&
            access(out, X_OK) == 0 && stat(out, &what) == 0 && S_ISREG(what.st_mode))
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static volatile sig_atomic_t child;

/* Tells the command, and waits for its end. What a terminal sends it has had itself. */
static void hand_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (child > 0 && info->si_code <= 0)
        kill((pid_t)child, number);
}

static const int handed_on[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
enum { HANDED_ON = sizeof handed_on / sizeof handed_on[0] };

/* As nohup does. */
static bool is_ignored(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void card_hold_signals(sigset_t *before)
{
    sigset_t held;

    sigemptyset(&held);
    for (size_t i = 0; i < HANDED_ON; i++)
        sigaddset(&held, handed_on[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

pid_t card_start(const char *file, char **command, const sigset_t *before,
                 void (*in_child)(const void *ctx), const void *ctx)
{
    const struct sigaction hand = { .sa_sigaction = hand_on, .sa_flags = SA_SIGINFO };
    const pid_t pid = fork();

    if (pid < 0)
        cli_usage("card", "no process: %s", strerror(errno));
    if (pid < 0)
        return pid;
    if (pid == 0) {
        signal(SIGPIPE, SIG_DFL); /* which main() ignores */
        signal(SIGXFSZ, SIG_DFL);
        for (size_t i = 0; i < HANDED_ON; i++) /* an output may have handlers */
            if (!is_ignored(handed_on[i]))
                signal(handed_on[i], SIG_DFL);
        sigprocmask(SIG_SETMASK, before, NULL);
        in_child(ctx);
        execv(file, command);
        cli_usage("card", "%s: %s", file, strerror(errno));
        _exit(CLI_INPUT);
    }
    child = pid;
    for (size_t i = 0; i < HANDED_ON; i++)
        if (!is_ignored(handed_on[i]))
            sigaction(handed_on[i], &hand, NULL);
    sigprocmask(SIG_SETMASK, before, NULL);
    return pid;
}

int card_wait(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return CLI_INPUT;
    child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
