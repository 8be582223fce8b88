/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* accept4, mkdtemp, pipe2 */
#include "process/simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* The simulation of this call. */
static struct {
    bool ready, started, stop;
    pid_t keeper;
    int orders, outcome;
    struct simulation_keeper place; /* its folder, to be removed if the keeper was killed */
    const char *name;
} simulation = { .orders = -1, .outcome = -1 };

static int no_simulation(const char *verb, const char *doing)
{
    return cli_usage(verb, "cannot start a simulation: %s: %s", doing, strerror(errno));
}

/* Returns true if the report goes to a file. */
static bool has_output(int argc, char *const *argv)
{
    for (int i = 2; i < argc; i++)
        if ((argv[i][0] == '-' && argv[i][1] == 'o') || strncmp(argv[i], "--output", 8) == 0)
            return true;
    return false;
}

/* Opens a socket in a folder that no other user can enter. */
static bool listen_in_folder(struct simulation_keeper *k)
{
    const char *parent = getenv("XDG_RUNTIME_DIR");
    struct sockaddr_un at = { .sun_family = AF_UNIX };

    if (!parent || strlen(parent) > 40 || access(parent, W_OK | X_OK) != 0)
        parent = "/tmp";
    snprintf(k->folder, sizeof k->folder, "%s/pcounter-XXXXXX", parent);
    if (!mkdtemp(k->folder)) {
        k->folder[0] = '\0';
        return false;
    }
    snprintf(k->socket, sizeof k->socket, "%s/tap", k->folder);
    snprintf(at.sun_path, sizeof at.sun_path, "%s", k->socket);
    k->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return k->listener >= 0 && bind(k->listener, (const struct sockaddr *)&at, sizeof at) == 0 &&
           listen(k->listener, 8) == 0;
}

void simulation_remove_folder(const struct simulation_keeper *k)
{
    if (k->socket[0])
        (void)unlink(k->socket);
    if (k->folder[0])
        (void)rmdir(k->folder);
}

/* Returns the call with "-" as its first argument, and without the command. */
static char **without_command(char **argv, int words)
{
    static char dash[] = "-";
    char **out = calloc((size_t)words + 2, sizeof *out);

    if (!out)
        return NULL;
    out[0] = argv[0];
    out[1] = argv[1];
    out[2] = dash;
    memcpy(out + 3, argv + 2, (size_t)(words - 2) * sizeof *out);
    return out;
}

static int command_at(int argc, char *const *argv)
{
    int i = 2;

    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    return i;
}

/* As ever after "--": a file whose name begins with a dash, or any that is not a program. */
static bool is_a_waveform(const char *word)
{
    struct stat info;

    return word[0] == '-' || (stat(word, &info) == 0 && S_ISREG(info.st_mode) &&
                              !(info.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)));
}

/* Forks the keeper, and makes the stream standard input. */
static int divide(const char *verb, struct simulation_keeper *k)
{
    int stream[2], orders[2], outcome[2];

    if (!listen_in_folder(k) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) != 0 ||
        pipe2(orders, O_CLOEXEC) != 0 || pipe2(outcome, O_CLOEXEC) != 0)
        return no_simulation(verb, "no socket");
    k->input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    k->stream = stream[1];
    k->orders = orders[0];
    k->outcome = outcome[1];
    fflush(NULL);
    simulation.keeper = fork();
    if (simulation.keeper < 0)
        return no_simulation(verb, "no process");
    if (simulation.keeper == 0) {
        close(stream[0]);
        close(orders[1]);
        close(outcome[0]);
        simulation_keep(k);
    }
    close(k->listener);
    close(stream[1]);
    close(orders[0]);
    close(outcome[1]);
    if (k->input >= 0)
        close(k->input);
    simulation.orders = orders[1];
    simulation.outcome = outcome[0];
    if (dup2(stream[0], STDIN_FILENO) < 0)
        return no_simulation(verb, "no standard input");
    close(stream[0]);
    return CLI_OK;
}

int cli_simulation_begin(const struct cli_verb *verb, int *argc, char ***argv)
{
    const int at = command_at(*argc, *argv);

    if (!verb || !verb->reads_simulations || at == *argc ||
        (at + 1 < *argc && is_a_waveform((*argv)[at + 1])))
        return CLI_OK;
    if (at + 1 == *argc)
        return cli_usage(verb->name, "no command after --");
    struct simulation_keeper *k = &simulation.place;
    k->command = *argv + at + 1;
    k->keeps_output = has_output(at, *argv);
    simulation.name = strrchr(k->command[0], '/') ? strrchr(k->command[0], '/') + 1 : k->command[0];
    char **words = without_command(*argv, at);
    if (!words)
        return cli_no_memory();
    const int code = divide(verb->name, k);
    if (code) {
        simulation_remove_folder(k);
        return code;
    }
    simulation.ready = true;
    *argv = words;
    *argc = at + 1;
    return CLI_OK;
}

void cli_simulation_start(void)
{
    if (!simulation.ready || simulation.started)
        return;
    simulation.started = true;
    if (write(simulation.orders, "g", 1) != 1) { /* the keeper goes, or has gone: reading says so */
        close(simulation.orders);
        simulation.orders = -1;
    }
}

void cli_simulation_start_for_all(void)
{
    static const unsigned char all[] = { 'W', 0xff, 0xff, 0xff, 0xff };

    if (simulation.ready && !simulation.started)
        (void)!write(STDIN_FILENO, all, sizeof all);
    cli_simulation_start();
}

void cli_simulation_stop_early(void)
{
    simulation.stop = true;
}

const char *cli_simulation_name(void)
{
    return simulation.ready ? simulation.name : NULL;
}

/* Reads the command's status, as of waitpid(); false: it did not end by itself. */
static bool read_outcome(int *status)
{
    ssize_t got;

    do
        got = read(simulation.outcome, status, sizeof *status);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *status;
}

/* Counts are there, but the command did not end well. */
static int judge(int status)
{
    char how[60];

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CLI_OK;
    if (WIFEXITED(status))
        snprintf(how, sizeof how, "ended with %d", WEXITSTATUS(status));
    else
        snprintf(how, sizeof how, "was killed by signal %d", WTERMSIG(status));
    cli_warning(530, "%s %s: the report has what it sent until then", simulation.name, how);
    return CLI_NO;
}

int cli_simulation_end(int code)
{
    int status = 0;

    if (!simulation.ready)
        return code;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (simulation.stop)
        (void)!write(STDIN_FILENO, "X", 1);
    if (nothing >= 0)
        (void)dup2(nothing,
                   STDIN_FILENO); /* the simulation learns that pcounter does not read any more */
    const bool counted = simulation.started && (code == CLI_OK || code == CLI_NO);
    if (counted && read_outcome(&status)) {
        const int judged = judge(status);
        code = code ? code : judged;
    }
    close(simulation.orders); /* which ends what still runs */
    while (waitpid(simulation.keeper, NULL, 0) < 0 && errno == EINTR)
        ;
    simulation_remove_folder(&simulation.place);
    simulation.ready = false;
    return code;
}
