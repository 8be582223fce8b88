/* SPDX-License-Identifier: MIT */
/* Random units, for tests that hold something fast to pc_unit_step(). */
#ifndef RANDOM_UNIT_H
#define RANDOM_UNIT_H

#include "model/unit/state.h"
#include "test.h"

const struct pc_chip *random_chip(struct test_rng *rng);
/* Two alike. */
void random_units(struct test_rng *rng, const struct pc_chip *chip, struct pc_unit **a,
                  struct pc_unit **b);

#endif
