/* SPDX-License-Identifier: MIT */
/* The file of answers that `settle --card` writes, for `run --answers`. */
#ifndef PC_CLI_SETTLE_ANSWERS_H
#define PC_CLI_SETTLE_ANSWERS_H

#include "cli.h"
#include "opt/opt.h"

/* The content of the file. */
struct answers {
    char chip[24];           /* "": it does not say */
    struct opt_texts option; /* NAME=VALUE */
    char *memory;            /* of these texts */
};

/* Reads the file: answers that are options of the model, checked.  An exit code; free with
 * answers_free(). */
int answers_read(const char *verb, const char *path, struct answers *out);
void answers_free(struct answers *a);

#endif
