/* SPDX-License-Identifier: MIT */
/* Decimal numbers of a text, digit by digit: exact, where a double or 64 bits would not be. */
#ifndef PC_BASE_DECIMAL_H
#define PC_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Significant digits, and the power of ten of the last one. */
struct pc_digits {
    char digit[40];
    unsigned digits; /* 0: the number is zero */
    int exponent;
    bool minus;
    bool cut; /* digits that are not 0 had no room */
};

/*
 * Reads digits with at most one point, or one comma if that is allowed, somewhere among them.
 * Returns what is after them; NULL if there is no digit, or a second point.
 */
const char *pc_digits_read(const char *p, const char *end, bool comma, struct pc_digits *d);

/* Reads "e-07", and adds it to *exponent.  Returns p if no e is there, NULL if no digit follows. */
const char *pc_exponent_read(const char *p, const char *end, int *exponent);

/*
 * Converts digits to *number * 10^*exponent, without zeros at the end of what comes after the
 * point.  Returns false if the number has more than 64 bits.
 */
bool pc_digits_number(const struct pc_digits *d, uint64_t *number, int *exponent);

#endif
