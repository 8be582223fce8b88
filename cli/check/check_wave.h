/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: the comparison (check_wave.c) and how it is told (check_wave_tell.c). */
#ifndef PC_CLI_CHECK_WAVE_H
#define PC_CLI_CHECK_WAVE_H

#include "check.h"
#include "core/core.h"

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
    WAVE_QUIRKS = 32
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
    struct pc_hpm_state gates;           /* mcounteren and its like before it */
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
    uint64_t proofs;  /* comparisons of registers, be it by a read: not those of a constant 0 */
    uint64_t counted; /* clocks in which an event counter counted */
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

/* ---- check_wave_word.c ---- */

/* The inputs of 64 clocks as numbers, and the registers of the design. */
struct wave_word {
    uint64_t packed[64], ways[3][64];
    uint64_t address[64], wdata[64], inhibit[64];
    uint64_t out[WAVE_REGS][64], unknown[WAVE_REGS];
    uint64_t csr_reads; /* clocks in which the instruction on port 0 is a CSR's mere read */
    bool csr;           /* what follows is known: csr_op_i, csr_addr_i ... */
    uint64_t op[64], csr_address[64], csr_wdata[64], privilege[64], virtualised[64], cause[64];
};

/* One clock of the design, and the model before it. */
struct wave_clock {
    struct pc_hpm_in in;
    struct pc_hpm_strobe strobe;
    struct pc_hpm_state module, fixed;
    uint32_t events;
    bool csr_read; /* as csr_reads, if the waveform has the operation */
};

enum core_port wave_port_of(unsigned reg);
/* Word w of the present block; `outputs` are the registers that the waveform has. */
void wave_read_word(const struct core *c, uint32_t outputs, size_t w, struct wave_word *out);
/* The inputs of the last clock of word w of the present block. */
void wave_read_last(const struct core *c, size_t w, struct wave_clock *out);
/* The inputs of clock t of the word. */
void wave_read_clock(const struct wave_word *x, unsigned t, struct wave_clock *out);

/* ---- check_wave_look.c ---- */

/* A port in the whole words of the present block. */
struct wave_bits {
    const uint64_t *const *plane; /* of those bits that move */
    uint64_t moves, level;        /* bit b: it is not the same all along; else what it is */
};

struct wave_planes {
    struct wave_bits out[WAVE_REGS], inhibit, address;
    uint64_t reads[PC_BLOCK_WORDS]; /* clocks in which a register is read, if data_o is there */
    /*
     * Clocks that make a word one to be taken clock by clock: in reset, with a write, with another
     * mcountinhibit than the one before, with something unknown; and reads, if there are counters
     * that the waveform does not have.
     */
    uint64_t single[PC_BLOCK_WORDS];
    bool any_read;
    bool usable; /* the block has words, and the waveform what every counter needs */
};

/* Plane of a bit of a port, one of 0s if it is not there. */
const uint64_t *wave_plane(const struct core *c, enum core_port port, unsigned bit);
/* Returns the value of a port in clock t of word w. */
uint64_t wave_value(const struct wave_bits *bits, size_t w, unsigned t);

/* ---- check_wave_wide.c ---- */

/* Words that are looked at together, from `word` on, and what the models add in them. */
struct wave_run {
    size_t word, words;
    uint32_t inhibit;
    struct pc_hpm_state module, fixed; /* before it */
    uint64_t add[PC_HPM_LAST + 1][2][PC_BLOCK_WORDS];
    uint32_t adds, twice;           /* bit c: counter c is added to; by both commit ports */
    uint64_t moves[PC_BLOCK_WORDS]; /* of the present bit, by the model */
    uint64_t wrong[PC_BLOCK_WORDS]; /* clocks in which a register is not what the model has */
};

/* ---- check_wave_reset.c ---- */

/* A second read of the waveform: where rst_ni begins or ends between two edges of the clock */
struct wave_falls {
    struct pc_wave *wave; /* up to its `edges`-th edge of the clock; NULL: not open */
    bool opened;          /* once, though it may have ended */
    bool inverted, ran;   /* rst_ni is; the last value of it was that of no reset */
    uint64_t edges;
    bool before, behind; /* something of the kind between the last two edges, and since */
};
void wave_close_falls(struct wave_falls *f);

/* ---- check_wave.c ---- */

struct wave_check {
    const struct check_options *o;
    struct core core;
    struct pc_hpm *module, *fixed;     /* event counters; mcycle and minstret */
    struct pc_hpm *other[WAVE_QUIRKS]; /* each with one quirk the other way */
    const struct pc_hpm_quirk_info *quirk[WAVE_QUIRKS];
    struct core_counting *counting; /* what the events add, many clocks at once */
    bool stops;                     /* nothing counts in debug mode */
    struct wave_planes planes;
    struct wave_run run;
    size_t differs_at; /* a word of the present block in which something does; SIZE_MAX: none */
    size_t most;       /* words to be tried at once: few for a while where much differs */
    struct wave_word word;
    uint32_t known;             /* bit r: the model's register r is that of the design */
    uint32_t outputs;           /* bit r: the waveform has it */
    bool driven;                /* the wires that every event counter needs are there */
    bool csr;                   /* and those of accesses to csr_regfile */
    uint64_t beyond[WAVE_REGS]; /* bits of the design's register that the model's cannot have */
    struct wave_clock before;   /* the clock that led to the present state */
    bool has_before;
    bool owes_before; /* of `before`, only the states are there: it is clock 63 of ... */
    size_t owed_word; /* ... this word of the present block */
    struct wave_write written[WAVE_REGS];
    struct wave_falls falls;
    struct wave_result result;
};

/* check_wave_differ.c: `c` is the clock that decided, NULL for the first one out of reset. */
void wave_differ(struct wave_check *k, unsigned reg, uint64_t design, uint64_t model, bool unknown,
                 const struct wave_clock *c);
/* The value that a model makes of the register in the clock. */
uint64_t wave_replay(struct pc_hpm *hpm, const struct wave_clock *c, unsigned reg,
                     uint64_t fallback);
/* "event 6 ... were selected", what would explain all differences of the register; "": nothing. */
void wave_guess_text(const struct wave_result *r, unsigned reg, char *out, size_t size);

void wave_set_state(struct pc_hpm *hpm, const struct pc_hpm_state *s);

/* ---- check_wave_csr.c ---- */

/* Is the register one of csr_regfile's model, wave_check.fixed? */
bool wave_is_fixed(unsigned reg);
/* Its value in the models' states. */
uint64_t wave_value_in(const struct pc_hpm_state *module, const struct pc_hpm_state *fixed,
                       unsigned reg);
/* Clock t of the word: the access to csr_regfile, and who makes it. */
void wave_read_access(const struct wave_word *x, unsigned t, struct pc_hpm_in *out);
/* The registers of csr_regfile but mcycle and minstret; true: the state has been changed. */
bool wave_compare_csr(struct wave_check *k, unsigned t, struct pc_hpm_state *fixed);
/* Before the clock: what the access will find in the event counters. */
void wave_show_counters(struct wave_check *k, struct wave_clock *now);
/* The answer of an access, read data and trap, and what it has written. */
void wave_compare_access(struct wave_check *k, unsigned t, const struct wave_clock *now,
                         const struct pc_hpm_out *out);
/* Clocks of the block with an access to a counter CSR. */
void wave_add_accesses(const struct core *c, size_t words, uint64_t *single);

/* A register of the design against the model's; true: the model has to take it over. */
bool wave_compare(struct wave_check *k, unsigned reg, unsigned t, uint64_t model);
/* Is the model sure of what stands at the address? */
bool wave_readable(const struct wave_check *k, unsigned address);

/*
 * check_wave_reset.c: was the core in reset between the edge before and this one, clock t of the
 * word, with none between them?  `now` has the model's state.
 */
bool wave_reset_between(struct wave_check *k, unsigned t, const struct wave_clock *now);
/*
 * Finds a reset where the scope has no rst_ni: every register that is seen is 0, the model's are
 * not, and either they were 0 all along or several become it at once.
 */
bool wave_reset_assumed(const struct wave_check *k, unsigned t, const struct wave_clock *now);

/* check_wave_look.c: at the beginning of a block. */
void wave_look_at_block(struct wave_check *k);

/*
 * check_wave_wide.c: words from w on in which nothing is written, nothing unknown and everything
 * agrees; the models are then past them.  0: the word has to be taken clock by clock.
 */
size_t wave_agree(struct wave_check *k, size_t w);
/* Before a clock is looked at by itself, and before the block changes: completes `before`. */
void wave_settle(struct wave_check *k);

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
