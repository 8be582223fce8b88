/* SPDX-License-Identifier: MIT */
/* Random functions of signals, for the compiler's tests. */
#ifndef PC_TEST_WANT_H
#define PC_TEST_WANT_H

#include "test.h"

#include "lang/compile/compile.h"

/* Nothing wanted, nothing reserved, domain 0 of the chip. */
struct cm_want want_nothing(const struct pc_chip *chip);

/*
 * A function that depends on each of its atoms; their signals are among `signals` ones from
 * position `first` on.
 */
void want_random(struct test_rng *rng, unsigned atoms, unsigned first, unsigned signals,
                 struct cm_func *out);

/* Value of f where bit s of now, before is signal s's. */
bool want_value(const struct cm_func *f, const uint64_t *now, const uint64_t *before);

#endif
