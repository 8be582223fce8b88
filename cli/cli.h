/* SPDX-License-Identifier: MIT */
/*
 * The part that all subcommands share.  stdout is payload only, stderr has diagnostics; exit
 * codes follow grep and diff: 0 yes, 1 a negative answer, 2 usage or input error,
 * 3 cannot be expressed on this chip, 4 a resource limit, 130 interrupted.
 */
#ifndef PC_CLI_H
#define PC_CLI_H

#include <stdarg.h>
#include <stdio.h>

#include "pcounter/pcounter.h"

enum { CLI_OK = 0, CLI_NO = 1, CLI_INPUT = 2, CLI_UNFIT = 3, CLI_LIMIT = 4, CLI_INTERRUPTED = 130 };

struct opt_line;
struct rep_def;
struct cli_verb {
    const char *name;
    const char *summary;                  /* one line of the list of verbs */
    int (*run)(int argc, char **argv);    /* argv[0] is the verb; returns an exit code */
    const struct opt_line *line;          /* its options (opt/opt.h) */
    const struct opt_line *other;         /* those of its other form; NULL: it has none */
    const struct rep_def *const *reports; /* what it prints for programs (report/report.h), up to
                                             NULL; NULL: it prints none */
    bool starts_programs;                 /* so it cannot be confined */
    bool reads_simulations;               /* "-- COMMAND" in place of a waveform */
};

/* cli_verb_NAME of each verb: cmd_NAME.c defines it. */
#define G(title)
#define V(name) extern const struct cli_verb cli_verb_##name;
#include "verbs.def"
#undef V
#undef G

/* A wrong call: "pcounter: error[PC-E0900]: ..." and where to read more.  Returns CLI_INPUT. */
int cli_usage(const char *verb, const char *fmt, ...) PC_PRINTF(2, 3);

/*
 * Prints an error of the library, with the place in `path` (NULL: none) and, if `text`
 * is the source that err->line and err->column count in, the line with a caret.
 * Returns the exit code that belongs to the status.
 */
int cli_error(const struct pc_error *err, const char *path, const char *text);
/* Returns true if the hint of an error suggests similar names. */
bool cli_suggests(const struct pc_error *err);
/* An error with the status of its row, at no place, without a hint. */
void cli_set_error(struct pc_error *err, unsigned code, const char *fmt, va_list args);
/* Sets such an error from a format and its arguments; returns the status. */
enum pc_status cli_fail(struct pc_error *err, unsigned code, const char *fmt, ...) PC_PRINTF(3, 4);

/*
 * Where payload and messages of this thread go: stdout and stderr, or what collects them while
 * several files are on their way (batch.h).
 */
FILE *cli_stdout(void);
FILE *cli_stderr(void);
void cli_redirect(FILE *out, FILE *err); /* NULL: stdout, stderr */
/* Closes a stream of open_memstream() that had &text: is all that was written in it? */
bool cli_collected(FILE *file, char *const *text);
/* fflush() before the end of an output; why the first that failed did, as errno, 0 if none has. */
void cli_flush(FILE *file);
int cli_flush_failed(void);
struct cli_streams {
    FILE *out, *err;
};
struct cli_streams cli_streams(void); /* what was said last, to go back to it */

/* Says so, and returns CLI_LIMIT. */
int cli_no_memory(void);

/* A line of progress stands on the terminal; a message clears it first. */
extern bool cli_progress_shown;

/* "pcounter: note[PC-N0101]: ...", none under -q (cli_quiet), and warning[PC-W....]. */
extern bool cli_quiet;
void cli_note(unsigned code, const char *fmt, ...) PC_PRINTF(2, 3);
void cli_warning(unsigned code, const char *fmt, ...) PC_PRINTF(2, 3);

/* A note or warning as `pcounter explain` describes it; rows in remarks.def. */
struct cli_remark {
    char letter; /* 'N' or 'W' */
    unsigned code;
    const char *title, *why;
};
const struct cli_remark *cli_remark_at(size_t i); /* NULL past the end */

/*
 * Output that is whole or not there: a file is written beside its final name and
 * renamed by cli_out_commit(); "-" or NULL is stdout.  Where the folder takes no other file, or the
 * name is not to be replaced (a mount), the file itself is written, in the end and after a note.
 * cli_out_commit() returns an exit code (CLI_OK, or CLI_INPUT after saying what went wrong);
 * cli_out_abort() leaves nothing.
 */
enum { CLI_PATH = 4096 };
struct cli_out {
    FILE *file;               /* stays where it is until commit or abort: so does this struct */
    const char *path;         /* NULL: stdout, or a device or pipe that is written to directly */
    bool close;               /* ... which is ours to close */
    bool in_place;            /* it has no name, and is copied into the target in the end */
    char target[CLI_PATH];    /* the file at the end of all links; the name of a device or pipe */
    char temporary[CLI_PATH]; /* beside it; empty: it has no name yet */
};
int cli_out_open(struct cli_out *out, const char *path);
/* Would two outputs (NULL and "-": standard output) be one file, by whatever names? */
bool cli_same_output(const char *a, const char *b);
/*
 * Before all else: a standard stream that was closed would become the next file that is opened,
 * and messages would go into it.  /dev/null, the wrong way round, takes its place: using it
 * remains an error.
 */
void cli_hold_streams(void);
int cli_out_commit(struct cli_out *out);
/* Commits several outputs of a call: none gets its name before all are whole. */
int cli_out_commit_all(struct cli_out *const *out, size_t count);
void cli_out_abort(struct cli_out *out);
/* Removes also this file or empty folder if a signal ends the program; the path stays there. */
void cli_remove_at_signal(const char *path);
void cli_remove_unfinished(void); /* for handlers of signals that end the program */
/*
 * Does the work with its payload, cli_stdout(), in that file ("-" or NULL: where it goes anyway),
 * which is there in the end if the exit code is CLI_OK or CLI_NO.  Returns the exit code.
 */
int cli_into(const char *path, int (*work)(void *ctx), void *ctx);
/*
 * Noted as a file that is read ("-": standard input); as one that is written to ("-": standard
 * output), until cli_written_to().  false if it is the other already: cli_would_replace() says so,
 * and returns the exit code; cli_replaced() makes the error.
 */
bool cli_reads(const char *path);
bool cli_writes(const void *owner, const char *path);
void cli_written_to(const void *owner);
enum pc_status cli_replaced(const char *path, struct pc_error *err);
int cli_would_replace(const char *path);
/* Notes files that will be read after an output has been opened. */
void cli_will_read(char *const *path, size_t paths);
/* As cli_out_open(), before a run that takes long; an exit code. */
int cli_check_output(const char *path);
/* The code, or CLI_INPUT if not all of stdout could be written: said here unless a verb has. */
int cli_written(int code);

/*
 * Standard input, "-", can be read once.  Verbs count the files of a call that are it (NULL: not
 * given) and refuse more than one; whoever reads claims it, in case it was not seen before, and
 * with it a file that -o must not replace.  Exit codes.
 */
unsigned cli_dashes(const char *const *path, size_t count);
int cli_check_dashes(const char *verb, unsigned dashes);
int cli_claim_input(const char *verb, const char *path);
/* Standard input, a pipe of any name, a device: a second read finds nothing, or waits for ever. */
bool cli_read_once(const char *path);
/* How messages call an input: its path, or "standard input". */
const char *cli_input_name(const char *path);
/* How reports call it: the path as it was given, or the command that simulates. */
const char *cli_input_label(const char *path);
/* Takes away the mark of UTF-8 before a text with a NUL after it; the size that is left. */
size_t cli_drop_mark(char *text, size_t size);
/*
 * The whole of a file ("-": standard input) of at most that many bytes, NUL-terminated beyond its
 * size; free() it.  An exit code; errors are told.
 */
int cli_read_file(const char *verb, const char *path, size_t most, char **data, size_t *size);
/* Reads a text file in the same way, and removes a UTF-8 mark at its beginning. */
int cli_read_text(const char *verb, const char *path, char **text, size_t *size);
/* Does a text have nothing but blanks, and comments from # to the end of a line? */
bool cli_says_nothing(const char *text, size_t size);

/*
 * Bytes of the character there that every format may show; 0: a control character, a mark that
 * turns the order of text, no character of XML, or no UTF-8.  So no file can drive the terminal.
 */
size_t cli_character(const char *text);
/*
 * Writes the replacement of a character that may not be shown, and returns how many bytes of `text`
 * it stands for: \xHH for each byte, or in JSON \uHHHH, U+FFFD for a byte that is not UTF-8.
 */
enum { CLI_HIDDEN = 20 };
size_t cli_hidden(const char *text, char out[CLI_HIDDEN]);
size_t cli_hidden_json(const char *text, char out[CLI_HIDDEN]);
/* A name with these, and the same between texts of pcounter's own.  Columns that this takes. */
void cli_print_name(FILE *file, const char *name);
void cli_print_between(FILE *file, const char *before, const char *name, const char *after);
size_t cli_columns(const char *name);

/* "1,234,567" in a static ring of buffers. */
const char *cli_grouped(uint64_t value);
/* "1 cycle", "2,000 cycles", "3 passes": the noun is that of one; in a ring as well. */
const char *cli_count(uint64_t value, const char *noun);

/* JSON string with quotes and escapes. */
void cli_json_string(FILE *file, const char *text);
/* Writes the same without the quotes. */
void cli_json_inside(FILE *file, const char *text);
/* Text of YAML: plain, in quotes where YAML takes it for something else, or as JSON. */
void cli_yaml_string(FILE *file, const char *text);

#endif
