/* SPDX-License-Identifier: MIT */
/* Rows that processes with the card have left in its folder (preload/log.c), as traces. */
#include "card/card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void write_lines(struct replay_log *log, const char *line)
{
    for (const char *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        replay_log_command(log, line, (size_t)(end - line));
    }
}

void card_log_begin(struct replay_log *log, const struct card_options *o,
                    const struct card_setup *setup)
{
    replay_log_begin_card(log, o->chip);
    write_lines(log, setup->commands);
    write_lines(log, setup->waves);
}

#ifdef PC_HAVE_CARD

#include "card/preload/names.h"

enum { PROCESSES = 10000 };

static FILE *open_rows(const char *folder, unsigned number)
{
    char path[CLI_PATH];

    if (snprintf(path, sizeof path, "%s/" CARD_LOG ".%u", folder, number) >= CLI_PATH)
        return NULL;
    return fopen(path, "rbe");
}

static int write_rows(const struct card_options *o, const struct card_setup *setup, FILE *rows,
                      struct replay_log *out)
{
    struct card_row row;
    uint64_t number = 0;

    card_log_begin(out, o, setup);
    while (fread(&row, sizeof row, 1, rows) == 1) {
        const bool last = ++number % CARD_ROWS == 0; /* of a piece */
        if (row.size == 0 && last)
            continue;
        if (row.size == 0)
            break;
        if (row.size == CARD_ROW_LOST) {
            struct pc_error err = { .status = PC_EIO, .code = 901 };
            snprintf(err.text, sizeof err.text,
                     "cannot write %.300s: no room for the accesses in the temporary folder: %s",
                     o->log, strerror((int)row.value));
            return cli_error(&err, NULL, NULL);
        }
        out->ns = row.ns;
        replay_log_transaction(out, row.write, row.size, row.address, row.value);
    }
    replay_log_end(out);
    return CLI_OK;
}

/* FILE.2, ..., beside the first */
static int open_next(const struct card_options *o, unsigned number, struct replay_log *out)
{
    char path[CLI_PATH];

    if (snprintf(path, sizeof path, "%s.%u", o->log, number) >= CLI_PATH)
        return cli_usage("card", "--log: %s is too long a name", o->log);
    return replay_log_open(out, path);
}

struct logs {
    struct replay_log **log; /* the first is the caller's */
    size_t count;
};

static int write_next(const struct card_options *o, const struct card_setup *setup, FILE *rows,
                      struct logs *all)
{
    struct replay_log **grown = realloc(all->log, (all->count + 1) * sizeof *grown);
    struct replay_log *next = calloc(1, sizeof *next);

    if (grown)
        all->log = grown;
    if (!grown || !next) {
        free(next);
        return cli_no_memory();
    }
    const int code = open_next(o, (unsigned)all->count + 1, next);
    if (code) {
        free(next);
        return code;
    }
    all->log[all->count++] = next;
    return write_rows(o, setup, rows, next);
}

/* Whole, all of them; or none. */
static int end_logs(struct logs *all, int code)
{
    struct cli_out **outs = calloc(all->count + 1, sizeof *outs);

    for (size_t i = 0; i < all->count; i++)
        if (outs && code == CLI_OK)
            outs[i] = &all->log[i]->out;
        else
            cli_out_abort(&all->log[i]->out);
    if (!outs)
        code = cli_no_memory();
    else if (code == CLI_OK)
        code = cli_out_commit_all(outs, all->count);
    for (size_t i = 1; i < all->count; i++)
        free(all->log[i]);
    free(outs);
    free(all->log);
    return code;
}

int card_log_write(const struct card_options *o, const struct card_setup *setup, const char *folder,
                   struct replay_log *out)
{
    struct logs all = { .log = calloc(1, sizeof *all.log) };
    int code = CLI_OK;

    if (!all.log) {
        cli_out_abort(&out->out);
        return cli_no_memory();
    }
    all.log[all.count++] = out;
    for (unsigned number = 1; number < PROCESSES && code == CLI_OK; number++) {
        FILE *rows = open_rows(folder, number);
        if (!rows && number == 1) {
            card_log_begin(out, o, setup);
            replay_log_end(out);
        }
        if (!rows)
            break;
        code = number == 1 ? write_rows(o, setup, rows, out) : write_next(o, setup, rows, &all);
        fclose(rows);
    }
    if (code == CLI_OK && all.count == 2)
        cli_note(830, "2 processes used the card: the other is in %s.2", o->log);
    else if (code == CLI_OK && all.count > 2)
        cli_note(830, "%zu processes used the card: the others are in %s.2 to %s.%zu", all.count,
                 o->log, o->log, all.count);
    return end_logs(&all, code);
}

#endif
