/* SPDX-License-Identifier: MIT */
#include "process/interrupt.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static int end_of_input = -1; /* a descriptor that reads nothing */

/* Standard input ends here, so that a reader waiting for more of it comes back. */
static void on_interrupt(int number)
{
    const int saved = errno;

    (void)number;
    if (interrupted) {
        cli_remove_unfinished();
        _exit(CLI_INTERRUPTED);
    }
    interrupted = 1;
    if (end_of_input >= 0)
        (void)dup2(end_of_input, STDIN_FILENO);
    errno = saved;
}

void cli_catch_interrupt(const char *path)
{
    struct sigaction action = { .sa_handler = on_interrupt };

    if (end_of_input < 0 && strcmp(path, "-") == 0)
        end_of_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_interrupted(void)
{
    return interrupted;
}
