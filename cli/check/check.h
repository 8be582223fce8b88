/* SPDX-License-Identifier: MIT */
/* Shared by the kinds of `pcounter check`: options, input, and how a difference is reported. */
#ifndef PC_CLI_CHECK_H
#define PC_CLI_CHECK_H

#include "opt/opt_wave.h"
#include "report/report.h"
#include "wave/goto.h"

struct check_options {
    struct rep_request report;
    const struct pc_hpm_profile *profile; /* NULL: the default */
    uint32_t quirks_on, quirks_off;
    bool keep_going; /* past the first difference */
    unsigned threads;
    /* waveforms */
    const struct pc_hpm_config *core; /* NULL: none was named */
    const char *scope, *map;          /* may be NULL */
    const char *description;          /* --core FILE; NULL: it is none */
    const char *require_text[16];     /* --require, as it was given */
    size_t require_texts;
    bool requires;     /* --require was given ... */
    uint32_t required; /* ... these registers, as wave_regs_of(); 0: none */
    struct cli_goto go;
    struct cli_read_options read;
    const char *read_option; /* one of these that was given; NULL: none */
};

/*
 * A text file, plain or gzip, line by line through one big buffer.  Lines end in a newline
 * that is still there; the pointer lives until the next line is asked for.
 */
struct check_input {
    const char *path;
    struct check_reader *reader;
    char *buffer;
    size_t used, at; /* bytes in the buffer, and where the next line starts */
    uint64_t line;   /* number of the line last given, from 1 */
    bool ended;      /* nothing more to read from the file */
};

/* An exit code, after saying what went wrong.  "-" is standard input. */
int check_open(struct check_input *in, const char *path);
/* PC_END after the last one; an error has been filled in otherwise. */
enum pc_status check_line(struct check_input *in, const char **line, struct pc_error *err);
/* Does the input start with this?  Consumes nothing. */
bool check_starts_with(const struct check_input *in, const char *text);
void check_close(struct check_input *in);

/* Fills in an error of the input at its present line; column 0 is none. */
enum pc_status check_fail(struct pc_error *err, unsigned code, const struct check_input *in,
                          unsigned column, const char *fmt, ...) PC_PRINTF(5, 6);

/* One kind of input a function: an exit code.  The input is at its first line. */
/* check_require.c: the names of --require; and whether the core has those registers. */
int check_take_required(const char *text, struct check_options *o);
int check_required(const struct check_options *o);
/* Name i of those that it takes, and what it stands for; NULL past the end. */
const char *check_required_at(size_t i, const char **about);

extern const struct rep_def check_vectors_report, check_wave_report, check_devicetree_report;
int check_vectors(struct check_input *in, const struct check_options *options);
/* check_core.c: the same by a description. */
extern const struct rep_def check_core_report;
int check_described(const char *path, const struct check_options *options);
/* Warns of a run in which nearly all edges are in reset. */
void check_warn_reset(const char *path, uint64_t edges, uint64_t in_reset, const char *reset);
/* A waveform is opened by its path: its readers are those of the library. */
int check_wave(const char *path, const struct check_options *options);

/* --- check_goto.c: exit codes --- */

/* Where the first difference is, and the signals that are shown. */
struct check_place {
    const struct pc_wave *wave;
    const char *name; /* what differs; NULL: nothing does, or the time is not known */
    uint64_t time, edge;
    const struct pc_wave_bit *clock; /* NULL: it is one of the bits */
    const struct pc_wave_bit *bit;
    size_t bits;
};
int check_goto_options(const struct check_options *o, size_t files);
/* Can a viewer open it? */
int check_goto_wave(const struct check_options *o, const char *path, const struct pc_wave *wave);
/* Writes the file if the call asks for it. */
int check_goto(const struct check_options *o, const char *path, const struct check_place *place);

#endif
