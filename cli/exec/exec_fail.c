/* SPDX-License-Identifier: MIT */
/* Errors of pcounter exec: a program that cannot be loaded, a machine that does not go on. */
#include "exec.h"

#include <stdarg.h>
#include <string.h>

enum pc_status exec_fail(struct pc_error *err, unsigned code, const char *fmt, ...)
{
    const struct pc_error_info *info = pc_explain(code);
    va_list args;

    memset(err, 0, sizeof *err);
    err->status = info ? info->status : PC_EINPUT;
    err->code = code;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    return err->status;
}
