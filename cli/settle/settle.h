/* SPDX-License-Identifier: MIT */
/*
 * Experiments: questions that the documents leave open, each with a script whose reads differ by
 * the answer (data/experiments). cmd_settle.c      the call experiments.c     the files, which the
 * build embeds: what they say of themselves experiment_run.c  an experiment as a script of a chip,
 * by the model and on a card settle_table.c    settle -a: what the model reads for each answer
 *   settle_card.c     settle --card: what a card reads, and which answer that is
 *   settle_file.c     the file of answers
 *   answers.c         ... read by `run --answers`
 *
 * What a file says of itself, in comments that begin with #: --
 *   question NAME     an option of the model, or a number of docs/hardware/unknowns.md
 *   ask SENTENCE
 *   chips NAME|FROM:TO|FROM- ...    ranges are open at the right, in the order of features
 *   values VALUE ...  of an option that is a range: those that are told apart, and what each stands
 *                     for, up to the next
 *   same VALUE ...    answers that read the same on every chip
 *   answer NAME WORD ...     of a question that no option has: what another answer would read
 *   idle WORD         signals of PDAEMON's idle counters that the model is given: an idle card's
 *   together          the accesses of this one may meet in one cycle
 *   first             it is asked before all others, which change what it looks at
 *   once              it cannot be repeated: what it does stays in the card
 *   hangs             a domain hangs afterwards, until the card is reset (--may-hang)
 *   memory            record mode writes to memory: --record says where
 * and at the end of a line with #=, several with ; between them --
 *   only CHIPS        the line is left out on other chips
 *   src DOM NAME ...  the value selects these signals of a domain, from the low byte on
 *   channel, buffer   the value is that of --record
 *   bits MASK         these bits of the read are compared
 *   is VALUE [MASK]   compared is whether it is this
 *   same              compared is whether it is what the read before it was
 * A read without one of them is kept, and not compared.
 */
#ifndef PC_CLI_SETTLE_H
#define PC_CLI_SETTLE_H

#include "cli.h"
#include "pci/pci.h"
#include "report/report.h"

enum { SETTLE_READS = 32, SETTLE_ANSWERS = 64, SETTLE_NAME = 40, SETTLE_EXPERIMENTS = 96 };

/* The part of a read that is compared. */
enum settle_kind { SETTLE_NOTHING, SETTLE_BITS, SETTLE_IS, SETTLE_SAME };
struct settle_read {
    enum settle_kind kind;
    uint32_t value, mask;
};

struct settle_answer {
    char name[SETTLE_NAME];
    uint32_t sign[SETTLE_READS]; /* of an answer that no option gives: what would be compared */
    size_t signs;
};

struct experiment {
    const char *name, *text;
    char question[SETTLE_NAME], ask[200], chips[200], same[80];
    const struct pc_option_info *option; /* NULL: a question of unknowns.md */
    struct settle_answer answer[SETTLE_ANSWERS];
    size_t answers;
    bool range; /* answers are representatives of a range */
    bool has_idle, together, first, once, hangs, memory;
    uint32_t idle;
    struct settle_read read[SETTLE_READS]; /* of each `r` of its own */
    size_t reads;
};

/* Returns the i-th experiment; false past the end. An error in one is a mistake of the build, and
 * ends the program.
 */
bool settle_experiment(size_t i, struct experiment *out);
bool settle_suits(const struct experiment *e, const struct pc_chip *chip);
/* Returns true if the chip is in the list, "NV40:GF100 GK104". */
bool settle_in_chips(const char *at, const char *end, const struct pc_chip *chip);

/* The value of --record. */
struct settle_memory {
    bool given;
    uint32_t channel, buffer;
};

/* The words that were read, and the parts of them that are compared. */
struct settle_reading {
    uint32_t word[SETTLE_READS], sign[SETTLE_READS];
    size_t words, signs;
};
bool settle_equal(const struct settle_reading *a, const struct settle_reading *b);

/* Returns the experiment as a script of the chip, which free() gives back; an exit code. */
int settle_script(const struct experiment *e, const struct pc_chip *chip,
                  const struct settle_memory *memory, char **out);
/* Reads on the model with that answer, at the pace of a card. */
enum pc_status settle_predict(const struct experiment *e, const struct pc_chip *chip,
                              const char *script, size_t answer, struct settle_reading *out,
                              struct pc_error *err);
/* Reads on the card, and restores its registers. */
enum pc_status settle_measure(const struct experiment *e, struct pci_card *card, const char *script,
                              struct settle_reading *out, struct pc_error *err);

struct settle_options {
    const struct pc_chip *chip;
    char **name; /* of experiments; none: all */
    size_t names;
    bool script;
    struct rep_request report;
    const char *output; /* of --card */
    struct pci_options card;
    uint32_t repeat;
    bool may_hang;
    struct settle_memory memory;
};
/* Returns true if it is asked for. */
bool settle_wanted(const struct settle_options *o, const struct experiment *e);
/* Checks that each of the names is that of an experiment for the chip, and that of --script one. An
 * exit code.
 */
int settle_check_names(const struct settle_options *o, const struct pc_chip *chip);
extern const struct rep_def settle_report;
int settle_table(struct settle_options *o);
int settle_card(const struct settle_options *o);

/* How an experiment on a card came out. */
struct settle_verdict {
    const struct experiment *e;
    struct settle_reading reading; /* the last */
    bool equal[SETTLE_ANSWERS];    /* answers that would read the same */
    size_t equals;
    const char *answer; /* NULL: undecided */
    char why[200];      /* undecided */
    bool asked;         /* it has readings */
};
/* Writes the answers. */
void settle_write(FILE *f, const struct settle_options *o, const struct pci_card *card,
                  const struct settle_verdict *verdict, size_t count);

#endif
