/* SPDX-License-Identifier: MIT */
/*
 * pcounter compile.
 *   cmd_compile.c      options and help
 *   compile_text.c     numbers and errors; compile_expression.c expressions and sums
 *   compile_request.c  inputs, multiplexers and record buffers to a request
 *   compile_events.c   the list of events after -e
 *   compile_names.c    names of signals to their positions in a domain
 *   compile_print.c    the program as text, script, C, and for programs
 */
#ifndef PC_CLI_COMPILE_H
#define PC_CLI_COMPILE_H

#include "opt/opt.h"
#include "report/report.h"

/* A domain whose signals are named. */
struct compile_names {
    const struct pc_chip *chip;
    struct pc_chip of_set; /* the chip as the domain's set sees it */
    struct pc_chip_domain place;
    unsigned domain;             /* as the device numbers it */
    struct pc_names *table;      /* the caller's, set before compile_names_of() */
    uint64_t used[PC_SIG_WORDS]; /* positions that were asked for by a name of the table */
};

enum pc_status compile_names_of(const struct pc_chip *chip, unsigned domain,
                                struct compile_names *out, struct pc_error *err);
/* Looks a name up for pc_expr_resolve(); ctx is a struct compile_names. */
enum pc_status compile_lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err);
/* Reads an element of a list of signals: a name, or 0 for a signal that always is. */
enum pc_status compile_element(struct compile_names *names, const char *name,
                               uint32_t wires[PC_MAX_SIGNALS], size_t *count, struct pc_error *err);
/* Reads one signal, and no more. */
enum pc_status compile_signal(struct compile_names *names, const char *name, uint8_t *out,
                              struct pc_error *err);
/* Writes the name of a signal: "pgraph.idle", "user_0", "dom[1].flag", "s2a". */
void compile_name(const struct compile_names *names, unsigned signal, char *out, size_t size);

/* The request in the words of the command line, for the output to repeat. */
struct compile_asked {
    const struct compile_names *names;
    const char *mode;                  /* "QUAD" */
    const char *input[PC_INPUT_COUNT]; /* texts; NULL: not wanted */
    const char *name[PC_INPUT_COUNT];  /* of the event that the input counts, or NULL */
};
extern const struct rep_def compile_report;
/* An exit code. */
int compile_print(const struct rep_request *wanted, const struct compile_asked *asked,
                  const struct pc_program *p);

/* --- the request --- */

enum { COMPILE_TEXT_MAX = 4096, COMPILE_EVENTS = 4 };

/* One expression of the command line, and where it stands there. */
struct compile_text {
    const char *label, *whole;     /* "-e" and its list; "EVENT" and what is after the = */
    size_t offset;                 /* of `text` in it */
    char text[COMPILE_TEXT_MAX];   /* as it was written: the event, sum and all */
    char name[64];                 /* of an event; else empty */
    char parsed[COMPILE_TEXT_MAX]; /* what is compiled: without the sum */
    size_t parsed_offset;          /* of it in `whole` */
    struct pc_expr *expr;
};

/* Options of the call. */
struct compile_buffer { /* --record-buffer */
    uint64_t start, limit;
    bool is_short;
};
struct compile_options {
    const struct pc_chip *chip;
    const char *domain_name, *swap, *events, *record;
    struct rep_request report;
    struct opt_texts mux;
    struct compile_buffer buffer;
    bool has_buffer;
    const char *single_option; /* one that is about single mode; NULL: none */
    uint64_t pre_count, stop_count, threshold;
    int period, mode; /* mode: -1: as the chip and the other options have it */
    struct cli_name_files name_files;
};

struct compile_job {
    const struct compile_options *o;
    int mode; /* enum pc_count_mode */
    struct compile_names names;
    struct pc_compile_request request;
    struct pc_mux mux_value[PC_PROGRAM_MUXES * 4];
    struct compile_text input[PC_INPUT_COUNT];
    struct compile_text event[COMPILE_EVENTS];
    struct pc_compile_event pinned[COMPILE_EVENTS]; /* the same, for the library */
    unsigned event_count;
};

/* All of them return exit codes, and have said what is wrong. */
int compile_number(const char *option, const char *text, uint64_t limit, uint64_t *out);
int compile_record_buffer(const char *argument, struct compile_buffer *out);
/* --mux, and what the names in use say of theirs; after everything else is known. */
int compile_muxes(struct compile_job *j);
/* Reads what needs the names of the domain: swap, record, inputs (INPUT=EXPRESSION), events, muxes.
 */
int compile_request(struct compile_job *j, char **input, int inputs);
int compile_events(struct compile_job *j, const char *list);
/* A text whose `text`, `whole` and `offset` are set to its expression; a sum goes to the request.
 * `input`: where the text is to be counted, or PC_ANY_INPUT; a sum sets it to EVENT. */
int compile_expression(struct compile_job *j, struct compile_text *t, int *input);
/* --record: signals of PRE_SRC0, PRE_SRC1 and so on. */
int compile_record_list(struct compile_job *j);
/* An error at a column of t->parsed (0: of nothing). */
int compile_error(const struct compile_text *t, const struct pc_error *err);
/* An error at a place of t->whole, counted from 0; code 0: a syntax error. */
int compile_error_at(const char *label, const char *whole, size_t at, unsigned code,
                     const char *hint, const char *fmt, ...) PC_PRINTF(6, 7);
/* Fails for an expression that is longer than a compile_text has room for. */
int compile_too_long(const char *label, const char *whole, size_t at, size_t length);

#endif
