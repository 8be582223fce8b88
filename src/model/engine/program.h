/* SPDX-License-Identifier: MIT */
/*
 * What a domain's registers ask for, worked out once a segment: each selected source is a
 * plane, a constant, PERIODIC or the own FLAG; each input an operation over no more of them than it
 * depends on.  program.c computes them block by block.
 */
#ifndef PC_ENGINE_PROGRAM_H
#define PC_ENGINE_PROGRAM_H

#include "model/engine/engine.h"

/* b: the first block. */
void eg_program_compile(struct eg_program *p, const struct eg_block *b);
/* Sources, inputs, flag and swap of the block; changes nothing in the domain. */
void eg_program_block(const struct eg_program *p, struct eg_block *b);
/* What the domain remembers of the block besides its counters. */
void eg_program_remember(const struct eg_program *p, struct eg_block *b);

#endif
