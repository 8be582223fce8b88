/* SPDX-License-Identifier: MIT */
/*
 * What a domain's registers ask for, worked out once a stretch: each selected source is a
 * plane, a constant, PERIODIC or the own FLAG; each input an operation over no more of them than it
 * depends on.  program.c computes them block by block.
 */
#ifndef PC_ENGINE_PROGRAM_H
#define PC_ENGINE_PROGRAM_H

#include "engine/engine.h"

struct eg_argument {
    uint8_t selector;
    bool late, setflag;
};

/* Arguments that the table depends on, in front; none: table is 0 or ffff. */
struct eg_operation {
    uint16_t table;
    uint8_t arguments;
    struct eg_argument arg[4];
};

struct eg_program {
    struct eg_signal source[EG_SELECTORS]; /* planes from the run's first word on */
    uint32_t raw, flags, periodics;        /* selectors with a plane of the run, FLAG, PERIODIC */
    uint32_t late;                         /* selectors that some input sees one cycle late */
    struct eg_operation op[PC_INPUTS];
    struct eg_signal swap;
    bool swap_is_flag, swap_is_periodic;
    bool listens; /* the flag's register moves */
    bool flag_constant;
    bool counts;  /* quad mode that only counts: no plane is made of what is counted */
    bool streams; /* ... nor of anything else: a block may have any length */
    bool still;   /* nothing that the domain looks at ever changes */
};

/* b: the first block. */
void eg_program_compile(struct eg_program *p, const struct eg_block *b);
/* Sources, inputs, flag and swap of the block; changes nothing in the domain. */
void eg_program_block(const struct eg_program *p, struct eg_block *b);
/* What the domain remembers of the block besides its counters. */
void eg_program_remember(const struct eg_program *p, struct eg_block *b);

#endif
