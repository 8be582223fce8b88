/* SPDX-License-Identifier: MIT */
/* Mapped waveforms: where the handler of SIGBUS finds them. */
#include "process/maps.h"
#include "cli.h"

#include <signal.h>

/* As long as the process, like the handler; and the one before it. */
static struct pc_wave_maps *maps;
static struct sigaction before;

static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (pc_wave_maps_mend(maps, info->si_addr))
        return;
    cli_remove_unfinished();
    sigaction(signal_number, &before, NULL); /* what raised it does so again */
}

void cli_maps_begin(void)
{
    struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

    if (maps || pc_wave_maps_create(NULL, &maps, NULL) != PC_OK)
        return;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &before) == 0)
        return;
    pc_wave_maps_destroy(maps);
    maps = NULL;
}

struct pc_wave_maps *cli_maps(void)
{
    return maps;
}
