/* SPDX-License-Identifier: MIT */
/*
 * Several processes that do one job, as pcounter-mpi has them.  Every rank runs the same verb with
 * the same arguments; rank 0 alone prints, all others send it what they found, in the order in
 * which it asks for it, and at last how they ended.
 */
#ifndef PC_CLI_RANKS_H
#define PC_CLI_RANKS_H

#include "cli.h"

enum { CLI_RANKS_MAX = 4096 };

struct cli_ranks {
    unsigned rank, size;
    /* Sends to rank 0; the bytes may be used again at once. */
    void (*send)(const void *bytes, size_t size);
    /* From a rank to rank 0; the caller frees.  NULL: no memory. */
    void *(*receive)(unsigned from, size_t *size);
    /* Rank 0: is there a message of another rank, and of which?  Does not wait. */
    bool (*arrived)(unsigned *from);
    /* From rank 0 to another one: the number of a file.  That other one waits for it. */
    void (*give)(unsigned to, uint64_t number);
    uint64_t (*take)(void);
    /* From rank 0 to another one, once: it may end. */
    void (*stop)(unsigned to);
};

/* NULL: one process, as in pcounter. */
extern const struct cli_ranks *cli_ranks;

/* The first word of every message. */
enum { CLI_RANK_FILE = 1, CLI_RANK_END };
/* Instead of the number of a file: there are no more. */
#define CLI_NO_FILE UINT64_MAX

/* Rank 0 reads and prints. */
bool cli_ranks_first(void);

/*
 * Takes the next message of a rank, which must be of this kind and `least` bytes: an exit code,
 * after saying what went wrong. The caller frees.
 */
int cli_ranks_receive(unsigned from, uint32_t kind, size_t least, void **bytes, size_t *size);
/* Waits until a rank that has nothing to do any more has ended: an exit code. */
int cli_ranks_wait(unsigned from);
/* Sends the last message: an exit code of the verb, and what it had to say. */
void cli_ranks_send_end(int code, const char *messages, size_t size);
/*
 * Rank 0, before anything is written and at the end: waits for the others.  An exit code: the one
 * given, or if that was none of a failure the one of a rank that failed.  Elsewhere the one given.
 */
int cli_ranks_end(int code);

#endif
