/* SPDX-License-Identifier: MIT */
/*
 * VERB ... -- COMMAND: the verb reads what a simulation sends while it runs.  Standard input of
 * this process becomes one end of a pair of sockets; whoever the command starts with a tap in it is
 * handed the other one.  A process of its own, the keeper, starts the command, as this one confines
 * itself (sandbox.h).  It listens on a socket in a folder that only this user can enter, and ends
 * everything when this process ends, however that comes.
 *
 *   simulation.c         this process: its words, its beginning, its end
 *   simulation_keeper.c  the keeper
 */
#ifndef PC_CLI_SIMULATION_H
#define PC_CLI_SIMULATION_H

#include "cli.h"

enum { SIMULATION_FOLDER = 80 };

/* The arguments of the keeper; descriptors are its own. */
struct simulation_keeper {
    char **command;
    char folder[SIMULATION_FOLDER], socket[SIMULATION_FOLDER + 8];
    int listener;
    int stream;        /* for the simulator */
    int orders;        /* from the verb: 'g' begins; its end ends everything */
    int outcome;       /* to the verb: the command's status, as an int */
    int input;         /* standard input of the command */
    bool keeps_output; /* its standard output stays: the report goes to a file */
};
/* Never returns. */
_Noreturn void simulation_keep(const struct simulation_keeper *k);
/* Removes socket and folder, if they are there. */
void simulation_remove_folder(const struct simulation_keeper *k);

/*
 * If the call has a command after "--" and the verb reads waveforms: makes everything ready, and
 * puts "-" in its place.  *argv is then a copy.  Call it before the process is confined.  Exit
 * codes.
 */
int cli_simulation_begin(const struct cli_verb *verb, int *argc, char ***argv);
/* The verb is about to read standard input: starts the command, if there is one. */
void cli_simulation_start(void);
/* Does the same for a verb that copies the stream before it knows which signals it wants: all. */
void cli_simulation_start_for_all(void);
/* --stop: the simulation ends once the verb has read enough. */
void cli_simulation_stop_early(void);
/* Returns how messages call it; NULL: there is none. */
const char *cli_simulation_name(void);
/* After the verb, with its exit code: waits for the command's end; returns the exit code. */
int cli_simulation_end(int code);

#endif
