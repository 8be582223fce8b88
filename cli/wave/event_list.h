/* SPDX-License-Identifier: MIT */
/* Lists of events on the command line, as stat and plan take them, and carets into arguments. */
#ifndef PC_CLI_EVENT_LIST_H
#define PC_CLI_EVENT_LIST_H

#include "cli.h"

/* Where a piece of text stands on the command line, for carets. */
struct cli_place {
    const char *label;    /* "-e", "--clock"; or of cli_line_label() */
    const char *argument; /* the whole argument */
    uint32_t offset;      /* of the piece in it */
};

/* Returns the label of an argument that begins at that column of that line of a file: free() it.
 * NULL: no memory. */
char *cli_line_label(const char *path, uint32_t line, uint32_t column);
/* Returns the label `offset` characters further on; NULL also if it is not the label of a line. */
char *cli_line_label_at(const char *label, size_t offset);
/* An error of the catalogue that the CLI finds itself; column from 1, 0 for none. */
int cli_error_at(unsigned code, const struct cli_place *place, uint32_t column, const char *hint,
                 const char *fmt, ...) PC_PRINTF(5, 6);
/* Reports an error of the library in a piece of the command line. */
int cli_library_error_at(const struct pc_error *err, const struct cli_place *place);

/* Grows an array; false if memory runs out. */
bool cli_grow(void **array, size_t *capacity, size_t need, size_t size);
/* Makes one more element, of zeros; NULL if memory runs out. */
void *cli_one_more(void **array, size_t *capacity, size_t *count, size_t size);
/* Makes a copy of text[0..length) with a NUL; NULL if memory runs out. */
char *cli_copy(const char *text, size_t length);
/* Skips the text in quotes at `at`, which may hold anything. */
size_t cli_skip_text(const char *text, size_t at);
/* Makes a copy without blanks, as expressions pass names on. */
char *cli_copy_name(const char *text, size_t length);

/* One event of a list: [@CLOCK] [NAME[:SLOT]=]EXPRESSION[:SLOT]. */
struct cli_event_text {
    struct cli_place place;  /* of the expression */
    const char *name, *text; /* in the argument, not ended; name NULL: none was given */
    size_t name_size, text_size;
    unsigned slots; /* bits of the counters that it is pinned to; 0: any */
    unsigned group; /* events of one group share a pass; every event has one */
    struct cli_place clock_place;
    const char *clock; /* in the argument, without the @; NULL: none was given */
    size_t clock_size;
};

/* "@CLOCK" at the beginning of text[0..length), after blanks: where what follows it begins, 0:
 * there is none.  The name is *clock, without the @. */
size_t cli_clock_before(const char *text, size_t length, const char **clock, size_t *size);

/*
 * Reads a list, commas between its events, braces around those that share a pass, and gives
 * each to `take`, which returns an exit code.  *group: the next number of a group.
 */
int cli_parse_events(const char *label, const char *argument, unsigned *group,
                     int (*take)(void *ctx, const struct cli_event_text *event), void *ctx);

/* "NAME =": where the name begins, its length, and where what it is called begins; 0: no name. */
size_t cli_name_before_equals(const char *text, size_t *begin, size_t *after);
/* Its name means something else in formulas and reports: cycles, seconds. */
int cli_event_reserved(const struct cli_event_text *event);
/* There are more than a plan takes: said before each is compared with all before it. */
int cli_event_too_many(const struct cli_event_text *event);
/* Reports that another event of that name was given before, with another text (NULL: it has none
 * any more). */
int cli_event_twice(const struct cli_event_text *event, const char *name, const char *text);

#endif
