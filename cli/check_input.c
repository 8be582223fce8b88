/* SPDX-License-Identifier: MIT */
/* Lines of a plain or gzip file in big pieces, for `pcounter check`. */
#include "check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 1 << 20, INFLATE_BUFFER = 1 << 18 };

enum pc_status check_fail(struct pc_error *err, unsigned code, const struct check_input *in,
                          unsigned column, const char *fmt, ...)
{
    const struct pc_error_info *info = pc_explain(code);
    va_list args;

    memset(err, 0, sizeof *err);
    err->status = info ? info->status : PC_EINPUT;
    err->code = code;
    err->line = in->line > UINT32_MAX ? UINT32_MAX : (uint32_t)in->line;
    err->column = column;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    return err->status;
}

static enum pc_status read_failed(struct check_input *in, struct pc_error *err)
{
    int code = 0;
    const char *text = gzerror(in->file, &code);

    return check_fail(err, 1023, in, 0, "%s", code == Z_ERRNO ? strerror(errno) : text);
}

/* Moves what is left to the front and fills the rest. */
static enum pc_status refill(struct check_input *in, struct pc_error *err)
{
    const size_t left = in->used - in->at;

    memmove(in->buffer, in->buffer + in->at, left);
    in->at = 0;
    in->used = left;
    if (left == BUFFER)
        return check_fail(err, 1021, in, 0, "a line is longer than %d bytes", BUFFER);
    const int n = gzread(in->file, in->buffer + left, (unsigned)(BUFFER - left));
    int code = Z_OK;
    gzerror(in->file, &code);
    if (n < 0 || (code != Z_OK && code != Z_STREAM_END))
        return read_failed(in, err);
    in->used += (size_t)n;
    if (n == 0) {
        in->ended = true;
        if (in->used > 0) /* a last line without a newline gets one */
            in->buffer[in->used++] = '\n';
    }
    return PC_OK;
}

bool check_open(struct check_input *in, const char *path)
{
    struct pc_error err;
    enum pc_status status = PC_OK;

    memset(in, 0, sizeof *in);
    in->path = path;
    in->buffer = malloc(BUFFER + 1);
    in->file = strcmp(path, "-") == 0 ? gzdopen(dup(0), "rb") : gzopen(path, "rb");
    if (!in->buffer)
        status = check_fail(&err, 100, in, 0, "no memory to read %s", path);
    else if (!in->file)
        status = check_fail(&err, 1023, in, 0, "%s", strerror(errno));
    else
        gzbuffer(in->file, INFLATE_BUFFER);
    if (status == PC_OK)
        status = refill(in, &err);
    if (status == PC_OK)
        return true;
    cli_error(&err, path, NULL);
    check_close(in);
    return false;
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
    if (in->file)
        gzclose(in->file);
    free(in->buffer);
    in->file = NULL;
    in->buffer = NULL;
}
