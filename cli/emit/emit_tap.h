/* SPDX-License-Identifier: MIT */
/* The options of `pcounter emit tap`. */
#ifndef PC_CLI_EMIT_TAP_H
#define PC_CLI_EMIT_TAP_H

#include "opt/opt.h"

struct emit_tap {
    struct opt_texts clock, event, file; /* -c, -e, -f */
    const char *map, *description;       /* of buses, of a core; NULL: none */
    const char *scope;                   /* TOP or TOP.PATH: where names begin */
    const char *timescale;               /* "1ns/1ps"; NULL: that of the files before it */
    const char *path;
};
/* An exit code. */
int emit_tap(const struct emit_tap *t);

#endif
