/* SPDX-License-Identifier: MIT */
/* Errors of pcounter exec: a program that cannot be loaded, a machine that does not go on. */
#include "exec.h"

#include <stdarg.h>

enum pc_status exec_fail(struct pc_error *err, unsigned code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cli_set_error(err, code, fmt, args);
    va_end(args);
    return err->status;
}
