/* SPDX-License-Identifier: MIT */
/* Doubles as "%.15g" prints them, without printf where 128 bits have the number exactly. */
#ifndef PC_CLI_FIFTEEN_H
#define PC_CLI_FIFTEEN_H

#include <stddef.h>

enum { CLI_FIFTEEN = 32 }; /* room of a text: its sign, digits, point and exponent */

/* "00" to "99" */
extern const char cli_two_digits[200];

/* Returns the length of the text. */
size_t cli_fifteen_digits(char out[CLI_FIFTEEN], double number);

#endif
