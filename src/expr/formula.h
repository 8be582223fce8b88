/* SPDX-License-Identifier: MIT */
/* The shortest formula of a truth table; see formula.c. */
#ifndef PC_EXPR_FORMULA_H
#define PC_EXPR_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PC_FORMULA_VARIABLES = 3 };

/*
 * Bit i of `table` is the value where variable v is bit v of i.  Writes text of the
 * language with names as they are given, which must be operands; false if it needs more
 * than `size` bytes.
 */
bool pc_formula_shortest(uint8_t table, const char *const name[PC_FORMULA_VARIABLES], char *out,
                         size_t size);

#endif
