/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: the comparison (check_wave.c) and how it is told (check_wave_tell.c). */
#ifndef PC_CLI_CHECK_WAVE_H
#define PC_CLI_CHECK_WAVE_H

#include "check.h"
#include "core/core.h"

/* What is compared: 0, 2..8 are the counters of that number. */
enum {
    WAVE_SELECTORS = 9, /* .. + 5: mhpmevent3..8 */
    WAVE_RDATA = 15,
    WAVE_REGS,
    WAVE_SHOWN = 20,  /* differences told one by one */
    WAVE_GROUPS = 64, /* kinds of differences told apart */
    WAVE_NAME = 32,   /* bytes for the name of a register */
    WAVE_QUIRKS = 32,
    WAVE_LOW = 8 /* bits of a counter; those above seldom change */
};

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
    struct wave_write written, selected; /* last writes of the register and of its selector */
};

struct wave_group {
    const struct pc_hpm_rule *rule;
    const struct pc_hpm_quirk_info *like;
    uint64_t count, first;
    uint32_t regs; /* bit r: register r differed */
};

struct wave_result {
    uint64_t edges, in_reset, unknown_inputs;
    bool adopted; /* the trace does not begin in reset: the model began with its registers */
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
    bool stopped;
};

/* ---- check_wave_word.c ---- */

/* The inputs of 64 clocks as numbers, and the registers of the design. */
struct wave_word {
    uint64_t packed[64], ways[3][64];
    uint64_t address[64], wdata[64], inhibit[64];
    uint64_t out[WAVE_REGS][64], unknown[WAVE_REGS];
};

/* One clock of the design, and the model before it. */
struct wave_clock {
    struct pc_hpm_in in;
    struct pc_hpm_strobe strobe;
    struct pc_hpm_state module, fixed;
    uint32_t events;
};

enum core_port wave_port_of(unsigned reg);
/* Word w of the present block; `outputs` are the registers that the waveform has. */
void wave_read_word(const struct core *c, uint32_t outputs, size_t w, struct wave_word *out);
/* The inputs of clock t of the word. */
void wave_read_clock(const struct wave_word *x, unsigned t, struct wave_clock *out);

/* ---- check_wave.c ---- */

enum wave_moves { WAVE_MOVES_LOW = 1, WAVE_MOVES_HIGH = 2 };

/* Planes of the present block; NULL is 0 all along. */
struct wave_planes {
    const uint64_t *out[WAVE_REGS][64];
    uint64_t still[WAVE_REGS], level[WAVE_REGS]; /* bit b: out[][b] is the same all along; which */
    /* what changes in word w, or between the one before and it: enum wave_moves */
    uint8_t moves[PC_HPM_LAST + 1][PC_BLOCK_WORDS];
    const uint64_t *address[12], *inhibit[32], *write;
    uint32_t inhibits; /* the value of mcountinhibit, if that is the same all along */
    bool inhibit_still;
    bool usable; /* no bit of the block is unknown */
};

struct wave_check {
    const struct check_options *o;
    struct core core;
    struct pc_hpm *module, *fixed;     /* event counters; mcycle and minstret */
    struct pc_hpm *other[WAVE_QUIRKS]; /* each with one quirk the other way */
    const struct pc_hpm_quirk_info *quirk[WAVE_QUIRKS];
    struct wave_planes planes;
    struct wave_word word;
    uint32_t known;           /* bit r: the model's register r is that of the design */
    uint32_t outputs;         /* bit r: the waveform has it */
    bool driven;              /* the wires that every event counter needs are there */
    struct wave_clock before; /* the clock that led to the present state */
    bool has_before;
    bool owes_before; /* of `before`, only the states are there: it is clock 63 of ... */
    size_t owed_word; /* ... this word of the present block */
    struct wave_write written[WAVE_REGS];
    struct wave_result result;
};

/* ---- check_wave_wide.c ---- */

void wave_set_state(struct pc_hpm *hpm, const struct pc_hpm_state *s);
/* At the beginning of a block. */
void wave_look_at_block(struct wave_check *k);
/*
 * 64 clocks at once, where nothing is written, nothing unknown and everything agrees: the
 * models are then behind them.  Otherwise false, and nothing has happened.
 */
bool wave_agrees(struct wave_check *k, size_t w);
/* Before a clock is looked at by itself, and before the block changes: completes `before`. */
void wave_settle(struct wave_check *k);

/* ---- check_wave_tell.c ---- */

const char *wave_reg_name(unsigned reg, char out[WAVE_NAME]);
/* Which clause and, where there is one, which defect of CVA6 a quirk stands for. */
const char *wave_quirk_reference(uint32_t quirk);

void wave_tell(const struct check_options *o, const struct core *c, const struct wave_result *r);

#endif
