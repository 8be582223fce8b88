/* SPDX-License-Identifier: MIT */
/*
 * Proof that the tests can fail: built with -DPC_MUTANT=k, rule k is wrong in one small
 * way and the suite must turn red.  0 is the real thing.  With -DPC_MUTANT=env the environment
 * variable PC_MUTANT says which when a program begins: tools/mutants.sh tries every k so.
 */
#ifndef PC_RULES_MUTANT_H
#define PC_RULES_MUTANT_H

#if !defined(PC_MUTANT) && defined(PC_BUILDING)
#include "mutant_number.h" /* written by CMake, so that k rebuilds no more than has rules */
#elif !defined(PC_MUTANT)
#define PC_MUTANT 0
#endif

/* With -DPC_MUTANT=env (mutant.c). */
int pc_mutant(void);

/* `bad` if this is mutant k, else `good`. */
#define PC_MUT(k, good, bad) (PC_MUTANT == (k) ? (bad) : (good))

/* Number of the last mutant; k runs from 1, not without gaps. */
#define PC_MUTANT_LAST 91

#endif
