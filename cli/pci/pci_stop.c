/* SPDX-License-Identifier: MIT */
#include "pci/pci.h"

#include <signal.h>

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

void pci_catch_signals(void)
{
    const struct sigaction action = { .sa_handler = on_signal };

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

bool pci_stopped(void)
{
    return stopped;
}
