/* SPDX-License-Identifier: MIT */
/* See ten.h. */
#include "text/ten.h"

#include <string.h>

#include "pcounter/base.h"

/* Reads "e6", "e-3", or nothing; NULL: no digit follows the e. */
static const char *read_exponent(const char *text, int *out)
{
    const bool minus = text[0] && text[1] == '-';
    int n = 0;

    if (*text != 'e' && *text != 'E')
        return text;
    text += 1 + (text[1] == '-' || text[1] == '+');
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++)
        n = n < 1000 ? 10 * n + (*text - '0') : n; /* more makes no difference */
    *out += minus ? -n : n;
    return text;
}

const char *cli_read_decimal(const char *text, double *out)
{
    struct pc_decimal d;
    size_t used;

    if (pc_decimal_parse(text, strlen(text), &d, &used) != PC_OK)
        return NULL;
    const char *rest = read_exponent(text + used, &d.exponent);
    if (rest)
        *out = d.number ? cli_times_ten_to((double)d.number, d.exponent) : 0;
    return rest;
}
