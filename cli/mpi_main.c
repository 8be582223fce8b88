/* SPDX-License-Identifier: MIT */
/*
 * pcounter-mpi stat|check: the verbs of pcounter by several processes.  Every rank runs the verb;
 * what a rank other than 0 prints goes nowhere, what it has to say goes to rank 0 if it fails.
 *
 * MPI itself ends the run if a process dies (MPI_ERRORS_ARE_FATAL); rank 0 writes nothing before
 * all others have ended well.
 */
#include "cli.h"
#include "complete/complete.h"
#include "process/ranks.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_SIZE = 1, TAG_BYTES, TAG_NUMBER, TAG_STOP, PIECE = 1 << 30 };

static const struct cli_verb *const verbs[] = { &cli_verb_stat, &cli_verb_check };
#define VERB_COUNT (sizeof verbs / sizeof verbs[0])

/* --- messages --- */

static void send(const void *bytes, size_t size)
{
    const uint64_t length = size;
    const char *p = bytes;

    MPI_Send(&length, 1, MPI_UINT64_T, 0, TAG_SIZE, MPI_COMM_WORLD);
    for (size_t at = 0; at < size; at += PIECE)
        MPI_Send(p + at, (int)(size - at < PIECE ? size - at : PIECE), MPI_BYTE, 0, TAG_BYTES,
                 MPI_COMM_WORLD);
}

static void *receive(unsigned from, size_t *size)
{
    uint64_t length;

    MPI_Recv(&length, 1, MPI_UINT64_T, (int)from, TAG_SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    char *bytes = length < SIZE_MAX ? malloc((size_t)length + 1) : NULL;
    if (!bytes)
        return NULL;
    *size = (size_t)length;
    for (size_t at = 0; at < *size; at += PIECE)
        MPI_Recv(bytes + at, (int)(*size - at < PIECE ? *size - at : PIECE), MPI_BYTE, (int)from,
                 TAG_BYTES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return bytes;
}

static void stop(unsigned to)
{
    MPI_Send(NULL, 0, MPI_BYTE, (int)to, TAG_STOP, MPI_COMM_WORLD);
}

static bool arrived(unsigned *from)
{
    MPI_Status status;
    int there = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, TAG_SIZE, MPI_COMM_WORLD, &there, &status);
    *from = there ? (unsigned)status.MPI_SOURCE : 0;
    return there;
}

static void give(unsigned to, uint64_t number)
{
    MPI_Send(&number, 1, MPI_UINT64_T, (int)to, TAG_NUMBER, MPI_COMM_WORLD);
}

static uint64_t take(void)
{
    uint64_t number;

    MPI_Recv(&number, 1, MPI_UINT64_T, 0, TAG_NUMBER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return number;
}

/* --- the program --- */

static int usage(FILE *out, int code)
{
    fputs("usage: mpirun -n RANKS pcounter-mpi stat|check [OPTION]... FILE...\n\n"
          "The verbs of pcounter by several processes, with the same output: each file goes to a\n"
          "process that is free.  See pcounter-mpi(1); `pcounter-mpi stat -h` shows the options.\n",
          out);
    return code;
}

static int run_verb(int argc, char **argv)
{
    if (argc < 2)
        return usage(cli_stderr(), CLI_INPUT);
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
        return usage(cli_stdout(), CLI_OK);
    if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
        fprintf(cli_stdout(), "pcounter-mpi %s\n", pc_version());
        return CLI_OK;
    }
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(argv[1], verbs[i]->name) == 0)
            return verbs[i]->run(argc - 1, argv + 1);
    fprintf(cli_stderr(), "pcounter-mpi: error[PC-E0900]: unknown verb \"%s\"\n", argv[1]);
    return usage(cli_stderr(), CLI_INPUT);
}

/* Rank 1 and above: silent; the end of the verb is a message too. */
static void run_silent(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *nowhere = fopen("/dev/null", "w"), *messages = open_memstream(&text, &size);
    int code = CLI_LIMIT;

    if (nowhere && messages) {
        cli_redirect(nowhere, messages);
        code = run_verb(argc, argv);
        cli_redirect(NULL, NULL);
    }
    if (nowhere)
        fclose(nowhere);
    if (messages)
        fclose(messages);
    cli_ranks_send_end(code, text, text ? size : 0);
    free(text);
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static struct cli_ranks ranks = { .send = send,
                                      .receive = receive,
                                      .stop = stop,
                                      .arrived = arrived,
                                      .give = give,
                                      .take = take };
    int rank, size, provided, code = CLI_OK;

    cli_hold_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc > 1 && strcmp(argv[1], "complete") == 0) /* someone pressed a key */
        return cli_written(complete_main(verbs, VERB_COUNT, argc - 1, argv + 1));
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > CLI_RANKS_MAX) {
        if (rank == 0)
            fprintf(stderr, "pcounter-mpi: error[PC-E0900]: at most %d ranks\n", CLI_RANKS_MAX);
        MPI_Finalize();
        return CLI_INPUT;
    }
    ranks.rank = (unsigned)rank;
    ranks.size = (unsigned)size;
    cli_ranks = &ranks;
    if (rank == 0) {
        code = run_verb(argc, argv);
        code = cli_ranks_end(code == CLI_OK || code == CLI_NO ? cli_written(code) : code);
    } else {
        run_silent(argc, argv);
    }
    MPI_Finalize();
    return code;
}
