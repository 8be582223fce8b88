/* SPDX-License-Identifier: MIT */
/*
 * Names in envytools' nv10_pcounter.xml and nv40_pcounter.xml of what the document, and so
 * pcounter, calls otherwise.
 */
#ifndef PC_CLI_EMIT_RNNDB_NAMES_H
#define PC_CLI_EMIT_RNNDB_NAMES_H

#include "cli.h"

/* Returns the name of a register; `run`: of those in two runs of words, which are registers of
 * their own there. */
const char *emit_rnndb_register(const char *name, bool in_runs, unsigned run);

struct emit_rnndb_field {
    const char *reg; /* a pattern */
    const char *field;
    const char *name;     /* theirs */
    unsigned shift_right; /* of what is shown; 0: none */
    unsigned values;      /* theirs; 0: ours */
    const char *value[8];
};
/* NULL: nothing is otherwise. */
const struct emit_rnndb_field *emit_rnndb_field(const char *reg, const char *field);

#endif
