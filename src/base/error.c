/* SPDX-License-Identifier: MIT */
/* The error catalogue (errors.def) and the functions that fill in a struct pc_error. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_names[PC_STATUS_COUNT] = {
    [PC_OK] = "PC_OK",         [PC_END] = "PC_END",         [PC_ENOMEM] = "PC_ENOMEM",
    [PC_EARG] = "PC_EARG",     [PC_EINPUT] = "PC_EINPUT",   [PC_ENOENT] = "PC_ENOENT",
    [PC_EAMBIG] = "PC_EAMBIG", [PC_EIO] = "PC_EIO",         [PC_ELIMIT] = "PC_ELIMIT",
    [PC_EUNFIT] = "PC_EUNFIT", [PC_ENOUNIT] = "PC_ENOUNIT", [PC_EUNSUP] = "PC_EUNSUP",
};

#define E(code, status, title, why, todo) { code, status, title, why, todo },
static const struct pc_error_info catalogue[] = {
#include "base/errors.def"
};
#undef E

const char *pc_status_name(enum pc_status status)
{
    if ((unsigned)status >= PC_STATUS_COUNT)
        return "PC_?";
    return status_names[status];
}

const struct pc_error_info *pc_explain_all(size_t *count)
{
    *count = sizeof catalogue / sizeof catalogue[0];
    return catalogue;
}

const struct pc_error_info *pc_explain(unsigned code)
{
    for (size_t i = 0; i < sizeof catalogue / sizeof catalogue[0]; i++)
        if (catalogue[i].code == code)
            return &catalogue[i];
    return NULL;
}

/* A code without a row is a mistake of ours; tests/tree/codes.sh looks for them. */
static enum pc_status begin_error(struct pc_error *err, unsigned code)
{
    const struct pc_error_info *info = pc_explain(code);
    enum pc_status status = info ? info->status : PC_EARG;

    if (err) {
        memset(err, 0, sizeof *err);
        err->status = status;
        err->code = code;
    }
    return status;
}

/*
 * Names of files and signals come from anywhere: in a text of one line that may end up on a
 * terminal they have no control characters.
 */
static void put_printable(char *out, size_t size, const char *fmt, va_list args)
{
    vsnprintf(out, size, fmt, args);
    for (unsigned char *p = (unsigned char *)out; *p; p++)
        if (*p < ' ' || *p == 0x7f)
            *p = '?';
}

enum pc_status pc_fail(struct pc_error *err, unsigned code, const char *fmt, ...)
{
    enum pc_status status = begin_error(err, code);

    if (err) {
        va_list args;
        va_start(args, fmt);
        put_printable(err->text, sizeof err->text, fmt, args);
        va_end(args);
    }
    return status;
}

enum pc_status pc_fail_at(struct pc_error *err, unsigned code, uint32_t line, uint32_t column,
                          const char *fmt, ...)
{
    enum pc_status status = begin_error(err, code);

    if (err) {
        va_list args;
        err->line = line;
        err->column = column;
        va_start(args, fmt);
        put_printable(err->text, sizeof err->text, fmt, args);
        va_end(args);
    }
    return status;
}

enum pc_status pc_fail_byte(struct pc_error *err, unsigned code, uint64_t byte, const char *fmt,
                            ...)
{
    enum pc_status status = begin_error(err, code);

    if (err) {
        va_list args;
        err->byte = byte;
        err->has_byte = true;
        va_start(args, fmt);
        put_printable(err->text, sizeof err->text, fmt, args);
        va_end(args);
    }
    return status;
}

void pc_hint(struct pc_error *err, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return;
    va_start(args, fmt);
    put_printable(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
}
