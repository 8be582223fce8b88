/* SPDX-License-Identifier: MIT */
/*
 * --goto: a file for a viewer of waveforms, which opens at a place with signals: a save file
 * (.gtkw) or a script (.tcl) of GTKWave, or a command file of Surfer (.sucl).
 */
#ifndef PC_CLI_GOTO_H
#define PC_CLI_GOTO_H

#include "opt/opt.h"

enum cli_viewer { CLI_GTKWAVE, CLI_GTKWAVE_TCL, CLI_SURFER };

struct cli_goto {
    const char *text; /* as given; NULL: it was not */
    enum cli_viewer viewer;
    bool named; /* the text is the file */
};
extern const struct opt_kind cli_opt_goto;
#define CLI_GOTO_ROW(S, member)                                                                    \
    {                                                                                              \
        .name = "goto", OPT_OF(cli_opt_goto, S, struct cli_goto, member), .flags = OPT_ONCE        \
    }

/* Checks that a viewer can open the waveform. An exit code. */
int cli_goto_check(const struct cli_goto *g, const char *verb, const char *path,
                   const struct pc_wave_info *info);

struct cli_goto_signals {
    size_t *var; /* variables of the waveform, each once */
    size_t count, capacity;
};
/* Adds the signal of a name, which may have a slice, or ! before it; what is none is left out.
 * false: no memory. */
bool cli_goto_add(struct cli_goto_signals *s, const struct pc_wave *wave, const char *name);
bool cli_goto_add_var(struct cli_goto_signals *s, size_t var);
/* Adds those of an expression in the same way; one that is wrong has none. */
bool cli_goto_add_expression(struct cli_goto_signals *s, const struct pc_wave *wave,
                             const char *text);
void cli_goto_free(struct cli_goto_signals *s);

struct cli_goto_place {
    const char *what;  /* "the longest transaction of tb.ddr" */
    uint64_t from, to; /* time units; the marker is at `from` */
    uint64_t least;    /* time units around it that are shown at least */
};
/* Writes the file, and a note of how to open it; an exit code. */
int cli_goto_write(const struct cli_goto *g, const char *path, const struct pc_wave *wave,
                   const struct cli_goto_signals *signals, const struct cli_goto_place *place);

#endif
