/* SPDX-License-Identifier: MIT */
/* A verb of the program on what a target gives it; see verb.c for what it must keep. */
#ifndef PC_FUZZ_VERB_H
#define PC_FUZZ_VERB_H

#include "cli.h"
#include "fuzz.h"

enum { VERB_WORDS = 24 };

struct verb_said {
    char *out, *err; /* NUL-terminated; free() them */
    size_t out_size, err_size;
};

/* words: the verb first, up to a NULL.  Returns the exit code, which has been checked. */
int verb_run(const struct cli_verb *verb, const char *const *words, struct verb_said *said);
void verb_free(struct verb_said *said);

#endif
