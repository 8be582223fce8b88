/* SPDX-License-Identifier: MIT */
/*
 * pcounter record --cut: chosen signals and times of a waveform, written as a VCD.
 *
 *   record_cut.c          the options, and the order of things
 *   record_cut_names.c    which signals, and their declarations
 *   record_cut_values.c   their values
 * What makes an FST of it is process/converter.h.
 */
#ifndef PC_CLI_RECORD_CUT_H
#define PC_CLI_RECORD_CUT_H

#include "cli.h"
#include "opt/opt_wave.h"
#include "text/vcd.h"
#include "wave/time_scale.h"

struct cut_options {
    const char *file, *output;
    const char *const *glob;
    size_t globs;
    bool cut;
    struct cli_span from, to;
    struct cli_read_options read;
};

/* How the values of a stream are written; CUT_NOT: it is not wanted. */
enum cut_form { CUT_NOT, CUT_BITS, CUT_REAL, CUT_TEXT, CUT_EVENT };
struct cut_net {
    size_t number; /* of its code */
    size_t at;     /* of its value in cut.word: value, then unknown */
    uint32_t width;
    uint8_t form;
    bool known; /* it had a value before the window */
};

enum { CUT_BUFFER = 1 << 16 };
struct cut {
    const struct cut_options *o;
    struct pc_wave *wave;
    struct pc_wave_info info;
    FILE *out;
    bool fst;     /* by vcd2fst */
    char *buffer; /* CUT_BUFFER bytes, `used` of them are not written yet */
    size_t used;
    struct cut_net *net;  /* by value stream */
    size_t codes, chosen; /* chosen: variables */
    uint64_t *word;
    size_t words;
    struct cli_time_scale scale;
    uint64_t from, to;    /* time units; 0: not given */
    bool held, begun;     /* a first timestamp was there; the window was begun */
    bool after;           /* it begins after the first timestamp */
    uint64_t first, last; /* times: where the window begins; that was written last */
    size_t gap;
    bool off; /* dumping is, as written */
    uint64_t long_texts, beyond;
    size_t enumerated, retyped, no_bits;
};

/* --- record_cut_names.c --- */

/* Finds the variables that the call asks for; an exit code. */
int cut_find(struct cut *c);
/* Finds how times are written; an exit code.  And writes the declarations. */
int cut_find_scale(struct cut *c);
void cut_declare(struct cut *c);

/* --- record_cut_values.c --- */

/* Reads the waveform and writes the values; an exit code. */
int cut_values(struct cut *c);

/* --- record_cut.c --- */

/* Says what a VCD does not have of what was chosen, also in its head. */
void cut_say_losses(struct cut *c);
extern const struct opt_line record_cut_line;
/* The call of this form; an exit code. */
int record_cut(const struct cli_verb *verb, int argc, char **argv);

#endif
