/* SPDX-License-Identifier: MIT */
/* See unfinished.h. */
#include "process/unfinished.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli.h"

enum { UNFINISHED = 64 };

/* Temporary files to remove if a signal ends the program; NULL: none. */
static const char *volatile unfinished[UNFINISHED];

void cli_remove_unfinished(void)
{
    for (size_t i = 0; i < UNFINISHED; i++)
        if (unfinished[i] && unlink(unfinished[i]) != 0)
            rmdir(unfinished[i]);
}

/* Ctrl-\ is to have its core file. */
static void end_without_them(int signal_number)
{
    cli_remove_unfinished();
    if (signal_number != SIGQUIT)
        _exit(CLI_INTERRUPTED);
    signal(SIGQUIT, SIG_DFL);
    raise(SIGQUIT);
}

/* Those that others send, or a limit of time does, and that end a program. */
static const int signals[] = { SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGALRM,
                               SIGXCPU, SIGPROF, SIGVTALRM, SIGUSR1, SIGUSR2 };

void cli_hold_signals(sigset_t *before)
{
    sigset_t held;

    sigemptyset(&held);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&held, signals[i]);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void cli_catch_signals(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
            now.sa_handler = end_without_them;
            sigaction(signals[i], &now, NULL);
        }
    }
}

void cli_remove_at_signal(const char *temporary)
{
    size_t at = 0;

    while (at < UNFINISHED && unfinished[at])
        at++;
    if (at < UNFINISHED)
        unfinished[at] = temporary;
    cli_catch_signals();
}

void cli_keep_at_signal(const char *temporary)
{
    for (size_t i = 0; i < UNFINISHED; i++)
        if (unfinished[i] == temporary)
            unfinished[i] = NULL;
}
