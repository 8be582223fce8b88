/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: the comparison (check_wave.c) and how it is told (check_wave_tell.c). */
#ifndef PC_CLI_CHECK_WAVE_H
#define PC_CLI_CHECK_WAVE_H

#include "check.h"
#include "core/core.h"
#include "described/described.h"

/* Values that are compared: 0, 2..8 are the counters of that number. */
enum {
    WAVE_SELECTORS = 9, /* .. + 5: mhpmevent3..8 */
    WAVE_RDATA = 15,
    /* csr_regfile: its registers, and the answers of accesses */
    WAVE_INHIBIT,
    WAVE_MCOUNTEREN,
    WAVE_SCOUNTEREN,
    WAVE_HCOUNTEREN,
    WAVE_CSR_RDATA,
    WAVE_CSR_TRAP,
    WAVE_REGS,
    WAVE_SHOWN = 20,  /* differences told one by one */
    WAVE_GROUPS = 64, /* kinds of differences told apart */
    WAVE_NAME = 32,   /* bytes for the name of a register */
    WAVE_QUIRKS = 32,
    WAVE_CSR_READ_OP = 34 /* of fu_op in ariane_pkg: csrrs and csrrc that write nothing */
};

/* Bits of a mask of registers: the event counters. */
#define WAVE_COUNTERS ((1u << (PC_HPM_LAST + 1)) - (1u << PC_HPM_FIRST))

/* perf_counters with mcycle and minstret; the rest of csr_regfile */
#define WAVE_ALL (((1u << (WAVE_RDATA + 1)) - 1) & ~2u)
#define WAVE_CSR ((1u << WAVE_REGS) - (1u << WAVE_INHIBIT))
/* Values that are not registers: they are compared in the clock in which they are read. */
#define WAVE_ANSWERS (1u << WAVE_RDATA | 1u << WAVE_CSR_RDATA | 1u << WAVE_CSR_TRAP)

struct wave_write {
    bool any;
    uint64_t cycle, value;
};

/* A difference, seen at the edge that ends the clock before `cycle` (data_o: in `cycle`). */
struct wave_diff {
    uint64_t cycle;
    unsigned reg;
    bool unknown; /* the design's value has x or z in it */
    uint64_t design, model;
    const struct pc_hpm_rule *rule;       /* NULL: the first clock out of reset */
    const struct pc_hpm_quirk_info *like; /* switching it would explain the design's value */
    uint8_t selector;                     /* of an event counter in that clock */
    uint32_t inhibit;
    uint32_t events; /* bit e: event e's line was 1 */
    unsigned address;
    struct pc_hpm_access csr; /* of csr_regfile, in that clock, and who made it */
    struct pc_hpm_mode mode;
    uint32_t mcounteren, scounteren, hcounteren; /* before it */
    struct wave_write written, selected; /* last writes of the register and of its selector */
};

struct wave_group {
    const struct pc_hpm_rule *rule;
    const struct pc_hpm_quirk_info *like;
    uint64_t count, first;
    uint32_t regs; /* bit r: register r differed */
};

/* Events that would give all differences of an event counter. */
struct wave_guess {
    uint64_t differences;
    uint32_t events;                /* bit e: event e, were it selected */
    bool as_inhibited, as_counting; /* mcountinhibit's bit 1, or 0 */
};

struct wave_result {
    uint64_t edges, in_reset, unknown_inputs;
    uint64_t between;      /* resets that no edge of the clock saw */
    uint64_t unasked;      /* edges before which one may be, in what is read once */
    uint64_t unasked_edge; /* the first of them */
    bool adopted;  /* the trace does not begin in reset: the model began with its registers */
    bool undriven; /* a wire that every event counter needs is missing: none is compared */
    uint64_t fixed_writes; /* of mcycle and minstret, taken over from the design */
    uint64_t compared[WAVE_REGS], differences[WAVE_REGS];
    uint64_t last[WAVE_REGS]; /* the model's value at the end */
    struct wave_diff shown[WAVE_SHOWN];
    size_t shown_count;
    struct wave_group group[WAVE_GROUPS];
    size_t groups;
    uint64_t proofs; /* comparisons of registers, be it by a read: not those of a constant 0 */
    bool counted;    /* an event counter counted */
    struct wave_write cut; /* the first write of a selector of which bits 47:5 were lost */
    uint64_t total_compared, total_differences;
    uint32_t quirks; /* in force */
    bool stopped;
    struct wave_guess guess[WAVE_REGS];
    uint32_t read;         /* bit r: register r was compared where data_o reads it */
    uint64_t assumed;      /* clocks taken as reset, for want of rst_ni */
    uint64_t assumed_edge; /* the first of them */
    bool rtl_agrees;       /* the profile rtl has no difference */
};

/* ---- check_wave.c ---- */

/* The description with a quirk the other way. */
struct wave_other {
    struct described d;
    bool tried, works;
};

struct wave_check {
    const struct check_options *o;
    struct core core;
    struct described d;        /* of the core, by the quirks in force */
    uint8_t *reg_of;           /* of each of its registers: which value; WAVE_REGS: none */
    uint8_t *check_of;         /* of each of its checks */
    size_t item_of[WAVE_REGS]; /* its register; SIZE_MAX: it has none */
    char *text;                /* of the description */
    struct wave_other other[WAVE_QUIRKS];
    const struct pc_hpm_quirk_info *quirk[WAVE_QUIRKS];
    struct core_counting *counting; /* what events add in a clock */
    bool stops;                     /* nothing counts in debug mode */
    uint32_t outputs;               /* bit r: the waveform has it, and what it needs */
    bool driven;                    /* the wires that every event counter needs are there */
    bool csr;                       /* and those of accesses to csr_regfile */
    /* wires by their numbers, of the present block: those of the core, and constants */
    const uint64_t **value, **unknown;
    uint32_t private_wire[CORE_PORTS][CORE_MOST_BITS]; /* 0: none */
    uint32_t privates;
    uint64_t zeros[PC_BLOCK_WORDS], ones[PC_BLOCK_WORDS];
    uint8_t *last;              /* of each wire, at the end of the block before */
    uint64_t *bit;              /* of each wire, in one clock ... */
    const uint64_t **bit_plane; /* ... as planes */
    uint64_t told;              /* the edge that is told */
    struct described_resets resets;
    struct wave_result result;
};

/* ---- check_wave_describe.c ---- */

enum core_port wave_port_of(unsigned reg);
/* Prepares the wires once the core is open; false: no memory. */
bool wave_make_wires(struct wave_check *k);
/* The planes of the present block. */
void wave_take_block(struct wave_check *k);
/* Describes the core with these quirks; an exit code. */
int wave_describe(struct wave_check *k, uint32_t quirks, struct described *d);
/* Describes the core with other quirks; false: they are the same description, or there is no
 * memory. */
bool wave_describe_other(struct wave_check *k, uint32_t quirks, struct described *d);
/* Finds which register and check is which value; false: no memory. */
bool wave_index(struct wave_check *k);
/* The value of a name: "mhpmcounter3"; WAVE_REGS: none. */
unsigned wave_reg_named(const char *text);
/* The value that a check of that name is about. */
unsigned wave_value_of_check(const char *name);

/* ---- check_wave_clock.c ---- */

/* The value of a port at the edge that is told, or at the one before. */
uint64_t wave_port_at(const struct wave_check *k, enum core_port port, bool before);
/* Keeps the last clock of the block. */
void wave_keep_last(struct wave_check *k);
/* Events that add something in the clock before: bit e; and those that both ports add to. */
uint32_t wave_events_before(struct wave_check *k, uint32_t *twice);
/* A number of up to 64 bits; unknown bits are 0. */
uint64_t wave_number_of(const struct pc_core_value *v);
/* Selects the value of a register: at the edge that is reported, before it, or by the model. */
enum wave_when { WAVE_NOW, WAVE_BEFORE, WAVE_MODEL };
uint64_t wave_value(const struct wave_check *k, unsigned reg, enum wave_when when);
struct wave_write wave_last_write(const struct wave_check *k, unsigned reg);
/* Writes the access to csr_regfile into the difference. */
void wave_access(const struct wave_check *k, bool before, struct wave_diff *d);

/* ---- check_wave_differ.c: for struct pc_core_watch ---- */

bool wave_differs(void *ctx, const struct pc_core_difference *d);
/* Writes of mcycle and minstret that no wire shows. */
bool wave_takes(void *ctx, const struct pc_core_difference *d);
/* "event 6 ... were selected", what would explain all differences of the register; "": nothing. */
void wave_guess_text(const struct wave_result *r, unsigned reg, char *out, size_t size);

/*
 * check_wave_reset.c, for struct pc_core_watch: was the core in reset between the edge before and
 * this one?  Without rst_ni of its own: every register that is seen is 0, the model's are not, and
 * either they were 0 all along or several become it at once.
 */
bool wave_reset_between(void *ctx, uint64_t edge);
/* Prepares the search for resets between two edges, once the core is open. */
void wave_resets_begin(struct wave_check *k);

/* ---- check_wave_names.c ---- */

const char *wave_reg_name(unsigned reg, char out[WAVE_NAME]);
/* NULL is the rule of the first clock out of reset. */
const char *wave_clause_of(const struct pc_hpm_rule *rule);
const char *wave_about_of(const struct pc_hpm_rule *rule);

/* ---- check_wave_need.c ---- */

/* Registers that a core of the configuration has: bit r. */
uint32_t wave_regs_of(const struct pc_hpm_config *config);
/* Returns the same, without csr_regfile's where the waveform has nothing of it. */
uint32_t wave_regs_seen(const struct core *c);
/* Registers that were compared, be it where they are read. */
uint32_t wave_compared(const struct wave_result *r);
/* Why the register was not compared at every edge; "": it was. */
const char *wave_why_not(const struct core *c, const struct wave_result *r, unsigned reg, char *out,
                         size_t size);
/* Was what had to be compared compared?  An exit code, after saying what was not. */
int wave_check_need(const struct check_options *o, const struct core *c,
                    const struct wave_result *r);

/* ---- check_wave_report.c ---- */

void wave_put(struct rep *rep, const struct check_options *o, const struct core *c,
              const struct wave_result *r, const uint64_t *time);

/* ---- check_wave_tell.c ---- */

/* An exit code. */
int wave_tell(const struct check_options *o, const struct core *c, const struct wave_result *r);

#endif
