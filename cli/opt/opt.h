/* SPDX-License-Identifier: MIT */
/*
 * Options by rows.  A verb has an array of them beside the struct that their values go to; the
 * parser, -h and --help and completion read the rows, and only the parser runs.
 *
 *   opt_read.c     the words of a call, by getopt_long(), into the verb's struct
 *   opt_refuse.c   what is wrong with a word that is no option
 *   opt_kind.c     what values there are: switches, words, numbers, names of the library
 *   opt_wave.c     ... of verbs that read waveforms
 *   opt_help.c     -h and --help
 *
 * A row defines what a user may write; the struct does not change after opt_read().
 */
#ifndef PC_CLI_OPT_H
#define PC_CLI_OPT_H

#include <stddef.h>

#include "cli.h"
#include "text/regs_text.h"
#include "text/signal_names.h"
#include "wave/metric_set.h"

struct complete;
struct opt;

/* A kind of value.  Shared kinds are below; a verb may have kinds of its own. */
struct opt_kind {
    const char *value; /* its word in the help, like FILE; NULL: a switch, without a value */
    const char *brief; /* of rows that have none of their own; NULL: the words */
    const char *more;  /* that --help adds to the brief; NULL: nothing */
    /* Takes the value (NULL: a switch, or none was given) into the field; an exit code, told. */
    int (*take)(const char *verb, const struct opt *row, const char *text, void *field);
    /* The words that it can be, if these are a few: for completion and the help.  NULL past the
     * end. */
    const char *(*word)(const struct opt *row, size_t i);
    void (*offer)(struct complete *c); /* candidates for completion that are no such words */
    /* Writes what --help adds, where that depends on the row. */
    void (*add)(const struct opt *row, char *out, size_t size);
    /* When all words are read; was the option there?  An exit code, told. */
    int (*end)(const char *verb, const struct opt *row, bool given, void *field);
};

enum {
    OPT_ONCE = 1 << 0,   /* another value than the first is an error */
    OPT_RARE = 1 << 1,   /* --help shows it, -h does not */
    OPT_LETTER = 1 << 2, /* messages call it by its letter */
    OPT_MAYBE = 1 << 3,  /* the value may be left out: --multiplex, --multiplex=100 */
    OPT_NEXT = 1 << 4,   /* ... and then the next word is handed over, which stays an argument */
    OPT_READ = 1 << 5,   /* is about how a waveform is read */
    OPT_MARK = 1 << 8,   /* this and higher ones: the verb's own, for opt_marked() */
};

struct opt {
    char letter;
    const char *name; /* NULL ends the rows */
    const struct opt_kind *kind;
    const char *value; /* instead of the kind's */
    const char *brief; /* instead of the kind's: at most 60 characters */
    const char *more;  /* instead of the kind's: that --help adds to the brief */
    size_t field;      /* where in the struct the value goes */
    const void *of;    /* what the kind has to know */
    unsigned flags;
};

/* The arguments that are no options. */
struct opt_operand {
    void (*first)(struct complete *c), (*rest)(struct complete *c); /* candidates; NULL: none */
    unsigned least, most;                                           /* most 0: any number */
    /* The messages for too few and too many; %s in `extra` is the first that is too many. */
    const char *missing, *extra;
};

/* The command line of a verb, or of one of its forms. */
struct opt_line {
    const char *name; /* how messages call the verb: "diff", "check --devicetree" */
    const char *help; /* file of its text, without .help; NULL: the verb's name */
    const char *form; /* the option that makes it this form, with dashes; NULL: none */
    const struct opt *row;
    const struct opt_operand *operand; /* NULL: there are none */
};

/* The facts about a call that are not values of options. */
struct opt_said {
    const struct opt_line *line;
    uint64_t given; /* a bit a row */
    char **operand;
    size_t operands;
};

enum { OPT_ROWS = 60 }; /* at most, of a line */

/*
 * Reads a call of the verb into `values`, which has the defaults.  An exit code (-h and --help have
 * been printed, or it was told what is wrong), or -1 to go on.
 */
int opt_read(const struct cli_verb *verb, const struct opt_line *line, int argc, char **argv,
             void *values, struct opt_said *said);
/* The line of the verb that a call is about: its other form, if the word of that is there. */
const struct opt_line *opt_line_of(const struct cli_verb *verb, int argc, char *const *argv);
/* Was the option there?  By its long name. */
bool opt_given(const struct opt_said *said, const char *name);
/* How messages call the first row with one of these flags that was there; NULL: none was. */
const char *opt_marked(const struct opt_said *said, unsigned flags);
/* "--clock", "-o": how messages call it. */
const char *opt_called(const struct opt *row);
/* Says what is wrong with arguments that do not fit; or CLI_OK. */
int opt_check_operands(const struct opt_said *said);

/* --- fields --- */

/* The place of a member, which has to be of that type. */
#define OPT_FIELD(struct_type, type, member)                                                       \
    (offsetof(struct_type, member) + 0 * sizeof(1 ? (type *)0 : &((struct_type *)0)->member))

#define OPT_OF(kind_, struct_type, type, member)                                                   \
    .kind = &(kind_), .field = OPT_FIELD(struct_type, type, member)

#define OPT_SWITCH(S, member)      OPT_OF(opt_switch, S, bool, member)
#define OPT_TEXT(S, member)        OPT_OF(opt_text, S, const char *, member)
#define OPT_FILE(S, member)        OPT_OF(opt_file, S, const char *, member)
#define OPT_TEXTS(S, member)       OPT_OF(opt_texts_kind, S, struct opt_texts, member)
#define OPT_WORD(S, member, words) OPT_OF(opt_word, S, int, member), .of = (words)
#define OPT_U32(S, member, range)  OPT_OF(opt_u32, S, uint32_t, member), .of = (range)
#define OPT_CHIP(S, member)        OPT_OF(opt_chip, S, const struct pc_chip *, member)
#define OPT_CORE(S, member)        OPT_OF(opt_core, S, const struct pc_hpm_config *, member)
#define OPT_PROFILE(S, member)     OPT_OF(opt_profile, S, const struct pc_hpm_profile *, member)
#define OPT_DOMAIN(S, member)      OPT_OF(opt_domain, S, const char *, member)
#define OPT_METRIC(S, member)      OPT_OF(opt_metric, S, struct cli_metric_options, member)
#define OPT_METRICS(S, member)     OPT_OF(opt_metrics, S, struct cli_metric_options, member)
#define OPT_SIGNALS(S, member)     OPT_OF(opt_signals, S, struct cli_name_files, member)
#define OPT_MEMORY(S, member)      OPT_OF(opt_memory, S, size_t, member)
#define OPT_JOBS(S, member)        OPT_OF(opt_jobs, S, unsigned, member)
#define OPT_RATIO(S, member)       OPT_OF(opt_ratio, S, uint32_t, member)

/* Words that a row with OPT_WORD can be, NULL at the end; the value is the index of one. */
typedef const char *const opt_words[];

/* Values of an option that may stand there several times. */
struct opt_texts {
    const char **text;
    size_t count, capacity;
};
/* One more; an exit code. */
int opt_texts_add(struct opt_texts *t, const char *text);
void opt_texts_free(struct opt_texts *t);

struct opt_range {
    uint32_t least, most;
    const char *what; /* " cycles", with the blank; "": just numbers */
};

/* Converts a decimal * 10^shift; returns 0 if that is 0, not a whole number, or above `most`. */
uint64_t opt_whole(const struct pc_decimal *d, int shift, uint64_t most);
/* Reads "27000000", "27M", "32.768kHz"; returns 0 if it is not one, or above `most`. */
uint64_t opt_parse_hertz(const char *text, uint64_t most);

extern const struct opt_kind opt_switch, opt_text, opt_file, opt_texts_kind, opt_word, opt_u32;
extern const struct opt_kind opt_hertz;   /* a uint64_t */
extern const struct opt_kind opt_setting; /* struct opt_texts of NAME=VALUE: options of the model */
extern const struct opt_kind opt_chip, opt_core, opt_profile, opt_memory, opt_jobs, opt_ratio;
extern const struct opt_kind opt_signals, opt_domain, opt_metric, opt_metrics;

/* For kinds of a verb's own whose values are texts: const char *, struct opt_texts. */
int opt_take_text(const char *verb, const struct opt *row, const char *text, void *field);
int opt_take_texts(const char *verb, const struct opt *row, const char *text, void *field);

/* The option of a verb's other form, in the rows of the first one. */
extern const struct opt_kind opt_form, opt_form_alone; /* alone: without a value */
/* -q, --quiet and -h, --help */
extern const struct opt_kind opt_quiet, opt_help;
#define OPT_QUIET_OF(what)                                                                         \
    {                                                                                              \
        .letter = 'q', .name = "quiet", .kind = &opt_quiet, .brief = what                          \
    }
#define OPT_QUIET OPT_QUIET_OF("no notes")
/* -o FILE, of verbs that have no report */
#define OPT_OUTPUT(S, member, brief_)                                                              \
    {                                                                                              \
        .letter = 'o', .name = "output", OPT_FILE(S, member), .brief = brief_,                     \
        .flags = OPT_ONCE | OPT_LETTER                                                             \
    }
/* All that some verbs have: an output, -q and -h. */
struct opt_output_alone {
    const char *output;
};
extern const struct opt opt_output_alone[];
#define OPT_HELP                                                                                   \
    {                                                                                              \
        .letter = 'h', .name = "help", .kind = &opt_help,                                          \
        .brief = "-h: summary; --help: full manual"                                                \
    }

/* --- opt_help.c --- */

void opt_print_help(FILE *file, const struct cli_verb *verb, const struct opt_line *line,
                    bool full);
/* The text of cli/VERB/NAME.help, which the build embeds; NULL: there is none. */
const char *opt_help_text(const char *name);
/* Writes the help of a row. */
void opt_brief(const struct opt *row, char *out, size_t size);
/* Writes what --help and the man page add to it, or "". */
void opt_more(const struct opt *row, char *out, size_t size);
/* "-o, --output FILE" */
void opt_head(const struct opt *row, char *out, size_t size);
/* The word for its value; NULL: it has none. */
const char *opt_value(const struct opt *row);

#endif
