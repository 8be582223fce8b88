/* SPDX-License-Identifier: MIT */
/* Lines of a plain or gzip file in big pieces, for `pcounter check`. */
#include "check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check_reader.h"

enum { BUFFER = 4 * CHECK_PIECE, LONGEST_LINE = BUFFER - CHECK_PIECE };

enum pc_status check_fail(struct pc_error *err, unsigned code, const struct check_input *in,
                          unsigned column, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cli_set_error(err, code, fmt, args);
    va_end(args);
    err->line = in->line > UINT32_MAX ? UINT32_MAX : (uint32_t)in->line;
    err->column = column;
    return err->status;
}

/* Moves what is left to the front and adds the next piece. */
static enum pc_status refill(struct check_input *in, struct pc_error *err)
{
    const size_t left = in->used - in->at;
    struct check_reason why;
    size_t count;

    if (left > LONGEST_LINE)
        return check_fail(err, 1021, in, 0, "a line is longer than %d bytes", LONGEST_LINE);
    memmove(in->buffer, in->buffer + in->at, left);
    in->at = 0;
    in->used = left;
    if (!check_reader_next(in->reader, in->buffer + left, &count, &why))
        return check_fail(err, why.code, in, 0, "%s", why.text);
    in->used += count;
    if (count == 0) {
        in->ended = true;
        if (in->used > 0) /* a last line without a newline gets one */
            in->buffer[in->used++] = '\n';
    }
    return PC_OK;
}

int check_open(struct check_input *in, const char *path)
{
    struct pc_error err;
    enum pc_status status = PC_OK;
    struct check_reason why;

    memset(in, 0, sizeof *in);
    in->path = path;
    if (cli_claim_input("check", path) != CLI_OK)
        return CLI_INPUT;
    in->buffer = malloc(BUFFER + 1);
    if (!in->buffer)
        status = check_fail(&err, 100, in, 0, "no memory to read %s", path);
    else if (!(in->reader = check_reader_open(path, &why)))
        status = check_fail(&err, why.code, in, 0, "%s", why.text);
    if (status == PC_OK)
        status = refill(in, &err);
    if (status == PC_OK) {
        in->at = check_starts_with(in, "\xef\xbb\xbf") ? 3 : 0; /* the mark of some editors */
        return CLI_OK;
    }
    check_close(in);
    return cli_error(&err, path, NULL);
}

enum pc_status check_line(struct check_input *in, const char **line, struct pc_error *err)
{
    for (;;) {
        char *start = in->buffer + in->at;
        char *end = memchr(start, '\n', in->used - in->at);
        if (end) {
            in->at = (size_t)(end + 1 - in->buffer);
            in->line++;
            *line = start;
            return PC_OK;
        }
        if (in->ended)
            return PC_END;
        enum pc_status status = refill(in, err);
        if (status != PC_OK)
            return status;
    }
}

bool check_starts_with(const struct check_input *in, const char *text)
{
    const size_t length = strlen(text);

    return in->used - in->at >= length && memcmp(in->buffer + in->at, text, length) == 0;
}

void check_close(struct check_input *in)
{
    check_reader_close(in->reader);
    free(in->buffer);
    in->reader = NULL;
    in->buffer = NULL;
}
