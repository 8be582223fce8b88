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
    /* To rank 0; the bytes may be used again at once. */
    void (*send)(const void *bytes, size_t size);
    /* From a rank to rank 0; the caller frees.  NULL: no memory. */
    void *(*receive)(unsigned from, size_t *size);
    /* From rank 0 to another one, once: it need not go on.  Has it arrived? */
    void (*stop)(unsigned to);
    bool (*stopped)(void);
};

/* NULL: one process, as in pcounter. */
extern const struct cli_ranks *cli_ranks;

/* The first word of every message. */
enum { CLI_RANK_STRETCH = 1, CLI_RANK_FILE, CLI_RANK_END, CLI_RANK_PIECE };

/* Rank 0 reads and prints. */
bool cli_ranks_first(void);

/*
 * The next message of a rank, which must be of this kind and `least` bytes: an exit code, after
 * saying what went wrong.  The caller frees.
 */
int cli_ranks_receive(unsigned from, uint32_t kind, size_t least, void **bytes, size_t *size);
/*
 * For pc_wave_desc: ranks that read one waveform; NULL in one process.  A failure of receive() has
 * been told already: cli_ranks_wave_code() is its exit code, CLI_OK if there was none.
 */
const struct pc_wave_share *cli_ranks_wave(void);
int cli_ranks_wave_code(void);
/* The last message: an exit code of the verb, and what it had to say. */
void cli_ranks_send_end(int code, const char *messages, size_t size);
/*
 * Rank 0, before anything is written and at the end: waits for the others.  An exit code: the one
 * given, or if that was none of a failure the one of a rank that failed.  Elsewhere the one given.
 */
int cli_ranks_end(int code);

#endif
