/* SPDX-License-Identifier: MIT */
/* How pcounter idle says what is wrong with a piece of text. */
#include "idle.h"

#include <stdarg.h>

int idle_library_error(const struct pc_error *err, const struct idle_place *place)
{
    struct pc_error moved = *err;

    if (!place)
        return cli_error(err, NULL, NULL);
    moved.line = place->line;
    moved.column = place->offset + (err->column ? err->column : 1);
    return cli_error(&moved, place->label, place->text);
}

int idle_fail(unsigned code, const struct idle_place *place, uint32_t column, const char *hint,
              const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    err.column = column;
    if (hint)
        snprintf(err.hint, sizeof err.hint, "%s", hint);
    return idle_library_error(&err, place);
}
