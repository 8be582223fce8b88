/* SPDX-License-Identifier: MIT */
/* Messages between the ranks of pcounter-mpi: kinds, ends, and what goes wrong. */
#include "process/ranks.h"

#include <stdlib.h>
#include <string.h>

const struct cli_ranks *cli_ranks;

/* How a rank ended; its messages follow. */
struct end {
    uint32_t kind;
    int32_t code;
};

static bool ended[CLI_RANKS_MAX];

bool cli_ranks_first(void)
{
    return !cli_ranks || cli_ranks->rank == 0;
}

static int fail(unsigned code, int exit_code, const char *fmt, unsigned rank)
{
    struct pc_error err = { .status = pc_explain(code)->status, .code = code };

    snprintf(err.text, sizeof err.text, fmt, rank, cli_ranks->size);
    int own = cli_error(&err, NULL, NULL);
    return exit_code ? exit_code : own;
}

void cli_ranks_send_end(int code, const char *messages, size_t size)
{
    const struct end head = { .kind = CLI_RANK_END, .code = code };
    char *bytes = malloc(sizeof head + size);

    if (!bytes) {
        cli_ranks->send(&head, sizeof head);
        return;
    }
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, messages, size);
    cli_ranks->send(bytes, sizeof head + size);
    free(bytes);
}

static bool is_failure(int code)
{
    return code != CLI_OK && code != CLI_NO;
}

/* A rank ended that should not have. */
static int show_end(unsigned from, const char *bytes, size_t size)
{
    struct end head;

    memcpy(&head, bytes, sizeof head);
    ended[from] = true;
    if (!is_failure(head.code))
        return fail(904, 0, "rank %u of %u ended before the others did", from);
    fwrite(bytes + sizeof head, 1, size - sizeof head, stderr);
    return fail(903, head.code, "rank %u of %u failed; nothing was written", from);
}

int cli_ranks_receive(unsigned from, uint32_t kind, size_t least, void **bytes, size_t *size)
{
    uint32_t found = 0;
    int code;

    *bytes = ended[from] ? NULL : cli_ranks->receive(from, size);
    if (!*bytes)
        return fail(904, CLI_LIMIT, "no message of rank %u of %u", from);
    if (*size >= sizeof found)
        memcpy(&found, *bytes, sizeof found);
    if (found == kind && *size >= least)
        return CLI_OK;
    if (found == CLI_RANK_END && *size >= sizeof(struct end))
        code = show_end(from, *bytes, *size);
    else
        code = fail(904, 0, "rank %u of %u sent something else than was asked for", from);
    free(*bytes);
    *bytes = NULL;
    return code;
}

/* --- the end --- */

/* Takes whatever the rank still sends, and waits for its end. */
static int wait_for(unsigned from, bool quiet)
{
    while (!ended[from]) {
        struct end head = { 0 };
        size_t size;
        char *bytes = cli_ranks->receive(from, &size);
        if (!bytes)
            return fail(904, CLI_LIMIT, "no message of rank %u of %u", from);
        if (size >= sizeof head)
            memcpy(&head, bytes, sizeof head);
        int code = CLI_OK;
        ended[from] = head.kind == CLI_RANK_END;
        if (ended[from] && is_failure(head.code) && !quiet)
            code = show_end(from, bytes, size);
        else if (!ended[from])
            cli_ranks->give(from, CLI_NO_FILE); /* what it found is not wanted */
        free(bytes);
        if (code)
            return code;
    }
    return CLI_OK;
}

int cli_ranks_wait(unsigned from)
{
    return wait_for(from, false);
}

static void stop_all(void)
{
    static bool stopped;

    for (unsigned to = 1; to < cli_ranks->size && !stopped; to++)
        cli_ranks->stop(to);
    stopped = true;
}

int cli_ranks_end(int code)
{
    if (!cli_ranks || cli_ranks->rank > 0)
        return code;
    for (unsigned from = 1; from < cli_ranks->size; from++) {
        if (is_failure(code))
            stop_all();
        int other = wait_for(from, is_failure(code));
        if (other)
            code = other;
    }
    stop_all();
    return code;
}
