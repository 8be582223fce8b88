/* SPDX-License-Identifier: MIT */
/* Decimals, and powers of ten: pow() would be all that is wanted of libm, which every start would
 * load. */
#ifndef PC_CLI_TEN_H
#define PC_CLI_TEN_H

/* Returns x * 10^exponent; what is multiplied or divided by is exact up to 10^22. */
static inline double cli_times_ten_to(double x, int exponent)
{
    const int digits = exponent < 0 ? -exponent : exponent;
    double power = 1;

    for (int i = 0; i < digits; i++)
        power *= 10;
    return exponent < 0 ? x / power : x * power;
}

/* Reads "500", "0.5" or "500e6" from the start of a text, without a sign.  Returns what is after
 * it; NULL: it is not a number, or it has more than 64 bits. */
const char *cli_read_decimal(const char *text, double *out);

#endif
