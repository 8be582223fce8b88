/* SPDX-License-Identifier: MIT */
/*
 * Inside of `pcounter replay`: cmd_replay.c has the command line, replay_drive.c plays a
 * trace to the model, replay_names.c knows registers, replay_compare.c says what of a read can be
 * compared and how it differs, replay_report.c prints.
 */
#ifndef PC_CLI_REPLAY_H
#define PC_CLI_REPLAY_H

#include "card.h"
#include "cli.h"
#include "pci/pci.h"
#include "report/report.h"

struct replay_options {
    const char *path, *with;
    const struct pc_chip *chip; /* NULL: the trace tells */
    bool has_base, has_window, expect, strict, annotate, keep_going;
    uint64_t base;
    uint64_t from, to; /* addresses, half-open; if has_window */
    uint64_t from_line, to_line;
    uint64_t clock; /* Hz; 0: timestamps are not looked at */
    struct pci_options card;
    struct opt_texts ignore;
    struct rep_request report;
    uint32_t max_ratio; /* 0: the usual one */
    size_t memory;      /* that record mode writes to, in bytes; 0: the usual size */
};

enum replay_verdict { REPLAY_NOT_COMPARED, REPLAY_SAME, REPLAY_DIFFERS };

/* One access of the window, after it was made. */
struct replay_access {
    uint32_t line;
    uint64_t time_ns;
    bool write, known, card; /* known: reg is set; card: it is one around the unit */
    uint32_t address;
    unsigned size; /* bytes; not 4, or at no multiple of 4, only in a log of a card */
    uint64_t value, model;
    struct pc_reg_info reg;
    struct cli_reg_name name; /* "" if it has none */
    const char *effect;       /* of a write besides storing; "" if nothing is known */
    uint64_t bits;            /* that can be compared at all */
    uint32_t config;          /* those of configuration, where there is no reg */
    uint64_t mask;            /* bits that were compared */
    enum replay_verdict verdict;
};

struct replay_counts {
    uint64_t reads, writes, compared, differ;
    uint64_t outside;     /* accesses of the card outside of the window */
    uint64_t elsewhere;   /* accesses outside of the card's registers */
    uint64_t odd;         /* accesses in the window that are not 4 bytes */
    uint64_t other_lines; /* accesses in the window that --from-line or --to-line leave out */
    uint64_t rows;        /* printed */
};

struct replay {
    const struct replay_options *options;
    bool *ignored; /* by each --ignore: some read that would have been compared */
    struct rep *rep;
    const struct pc_chip *chip; /* NULL as long as it is not known */
    uint32_t stepping;          /* bits 19:0 of the boot id, as the card has them */
    struct pc_gpu *gpu;         /* NULL before the first access */
    struct pci_card hardware;   /* --card: instead of gpu, if options->card.address */
    uint64_t begun_ns;          /* --card: this machine's time at the first access */
    bool own_log;               /* it is a log that this program wrote: */
    bool of_card;               /* ... `pcounter card`: its stamps are the card's time */
    uint64_t stamp_ns;          /* of a card: the last one */
    bool mapped;                /* a line MAP was seen */
    bool incomplete;            /* something is missing in it, which was told */
    struct card_place card;
    struct card_gaps gaps;
    bool timed;
    uint64_t first_ns; /* of the first access, if timed */
    struct replay_counts counts;
    bool begun; /* the report */
};

/* The whole trace; an exit code. */
int replay_drive(struct replay *r);

/* ---- a real card (replay_pci.c): exit codes ---- */
int replay_pci_open(struct replay *r);
void replay_pci_close(struct replay *r);
/* A command of a log, of which a card can wait alone. */
int replay_pci_mark(struct replay *r, const char *text, size_t size, uint32_t line);
/* Time that passes before an access. */
int replay_pci_pass(struct replay *r, const struct pc_trace_event *e);
int replay_pci_access(struct replay *r, struct replay_access *a);

/* Sets what is known of the register: from known to config, but not model. */
void replay_name(const struct pc_chip *chip, struct replay_access *a);
/* Bits of a read that can be compared; 0: nothing. */
uint64_t replay_mask(const struct replay *r, const struct replay_access *a);
/* " MODE=QUAD CTR_MODE=1": fields that are not 0; "" if there are none. */
void replay_fields(const struct replay_access *a, char *out, size_t size);
/* "QUAD_STATE VALID vs EMPTY, ...": trace and model; "" if the register is a plain number. */
void replay_difference(const struct replay_access *a, char *out, size_t size);

extern const struct rep_def replay_report;
void replay_report_begin(struct replay *r);
void replay_report_access(struct replay *r, const struct replay_access *a);
/* complete: neither an error nor the first difference ended the replay. */
void replay_report_end(const struct replay *r, bool complete);

#endif
