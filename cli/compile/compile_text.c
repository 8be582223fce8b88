/* SPDX-License-Identifier: MIT */
/* Numbers on the command line of `pcounter compile`, and what is wrong at a place of it. */
#include "compile.h"

#include <stdarg.h>

int compile_error_at(const char *label, const char *whole, size_t at, unsigned code,
                     const char *hint, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code ? code : 301, fmt, args);
    va_end(args);
    err.line = 1;
    err.column = (uint32_t)at + 1;
    snprintf(err.hint, sizeof err.hint, "%s", hint ? hint : "");
    return cli_error(&err, label, whole);
}

int compile_too_long(const char *label, const char *whole, size_t at, size_t length)
{
    return compile_error_at(label, whole, at, 304, "",
                            "an expression to compile has %d characters at most, not %zu",
                            COMPILE_TEXT_MAX - 1, length);
}

int compile_error(const struct compile_text *t, const struct pc_error *err)
{
    struct pc_error placed = *err;

    placed.line = 1;
    if (!placed.column) /* the whole text */
        placed.column = (uint32_t)t->offset + 1;
    else
        placed.column += (uint32_t)t->parsed_offset;
    return cli_error(&placed, t->label, t->whole);
}

int compile_number(const char *option, const char *text, uint64_t limit, uint64_t *out)
{
    const char *end = "";

    if (cli_read_number(text, &end, out) && *end == '\0' && *out <= limit)
        return CLI_OK;
    return cli_usage("compile", "%s takes a number up to 0x%llx, 0x1f or 31, not \"%s\"", option,
                     (unsigned long long)limit, text);
}
