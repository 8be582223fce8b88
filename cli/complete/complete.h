/* SPDX-License-Identifier: MIT */
/*
 * Shell completion: `pcounter complete`, which the scripts of `pcounter --generate` call.
 *   complete.c         what the word at the cursor is: a verb, an option, a value, an argument
 *   complete_value.c   candidates that kinds of options name: lists of the library, files
 *   complete_signal.c  names in expressions: those of a waveform, or of a chip
 *   complete_offer.c   the list of these candidates
 *   complete_line.c    bash: a line to words, and candidates in the quotes that the line has open
 *   complete_script.c  the scripts themselves
 * Nothing of it reads standard input or prints a message, and after two seconds it gives up.
 */
#ifndef PC_CLI_COMPLETE_H
#define PC_CLI_COMPLETE_H

#include <stddef.h>

#include "cli.h"

/* `pcounter complete ...` and `pcounter --generate ...`; argv[0] is that word.  Exit codes. */
int complete_main(const struct cli_verb *const *verbs, size_t count, int argc, char **argv);
int complete_generate(int argc, char **argv);

struct complete_candidate {
    char *text; /* for the part of the word from `from` on */
    char *about;
};

/* The word at the cursor and what is known of it. */
struct complete {
    const struct cli_verb *const *verbs;
    size_t verb_count;
    const struct cli_verb *verb; /* NULL: none yet */
    char *word;                  /* as far as it is typed */
    /* what stands before it */
    char **operand;
    size_t operands;
    const char **given; /* long option, value, long option, value, ... */
    size_t givens;

    size_t from; /* where in the word the candidates begin */
    bool fold;   /* in any case */
    bool files;  /* files are wanted, whatever else */
    struct complete_candidate *candidate;
    size_t count, capacity;
};

/* --- complete_offer.c --- */

/* A candidate for the word from `from` on, unless it does not fit.  about: NULL has none. */
void complete_offer(struct complete *c, const char *text, const char *about);
/* Value of an option that was given before, the last one; NULL. */
const char *complete_given(const struct complete *c, const char *option);

/* --- complete_value.c --- */

/* Lists of the library, by name. */
void complete_chips(struct complete *c);
void complete_cores(struct complete *c);
void complete_profiles(struct complete *c);
void complete_quirks(struct complete *c); /* NAME=on, NAME=off */
void complete_registers(struct complete *c);
void complete_domains(struct complete *c); /* of the chip that was given */
void complete_metrics(struct complete *c);
void complete_swaps(struct complete *c);
/* SOURCE=, and INPUT=EXPRESSION of a chip. */
void complete_sources(struct complete *c);
void complete_inputs(struct complete *c);
/* NAME=EXPRESSION over the waveform: nothing before the equals sign. */
void complete_after_equals(struct complete *c);
/* Restricts the candidates that follow to the part after the last comma. */
void complete_last_of_list(struct complete *c);
/* NAME=VALUE of `pcounter list options`. */
void complete_model_options(struct complete *c);
/* FIELD=VALUE of the register that is the first argument. */
void complete_fields(struct complete *c);
/* Those of the shell. */
void complete_files(struct complete *c);
/* --- complete_signal.c --- */

/* Names at the end of the expression in the word from c->from on. */
void complete_wave_names(struct complete *c);
void complete_chip_names(struct complete *c);

/* --- complete_line.c --- */

enum complete_quote { COMPLETE_BARE, COMPLETE_SINGLE, COMPLETE_DOUBLE };

/* A line of bash up to the cursor. */
struct complete_line {
    char **word; /* without quotes, the last one is at the cursor; complete_line_free() */
    size_t words;
    size_t kept;               /* bytes of the last word that bash leaves as they are */
    enum complete_quote quote; /* after them */
    bool target;               /* the last word is where a redirection goes */
};
/* `replaced` is the end of the line that bash replaces.  false: not understood. */
bool complete_line_split(const char *line, const char *replaced, struct complete_line *out);
void complete_line_free(struct complete_line *l);
/* Prints a text so that bash, with this quote open, reads that text; false if it cannot be. */
bool complete_line_print(FILE *file, const char *text, enum complete_quote quote);

#endif
