/* SPDX-License-Identifier: MIT */
/* See decimal.h. */
#include "base/decimal.h"
#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

const char *pc_digits_read(const char *p, const char *end, bool comma, struct pc_digits *d)
{
    bool point = false, any = false;

    *d = (struct pc_digits){ .minus = false };
    for (; p < end; p++) {
        if (*p == '.' || (*p == ',' && comma)) {
            if (point)
                return NULL;
            point = true;
            continue;
        }
        if (!pc_is_digit(*p))
            break;
        any = true;
        d->exponent -= point;
        if (d->digits == 0 && *p == '0')
            continue;
        if (d->digits < sizeof d->digit) {
            d->digit[d->digits++] = *p;
            continue;
        }
        d->exponent++;
        d->cut = d->cut || *p != '0';
    }
    return any ? p : NULL;
}

const char *pc_exponent_read(const char *p, const char *end, int *exponent)
{
    bool minus = false;
    int n = 0;

    if (p == end || pc_lower(*p) != 'e')
        return p;
    p++;
    if (p < end && (*p == '-' || *p == '+'))
        minus = *p++ == '-';
    if (p == end || !pc_is_digit(*p))
        return NULL;
    for (; p < end && pc_is_digit(*p); p++)
        n = n < 10000 ? 10 * n + (*p - '0') : n; /* more makes no difference */
    *exponent += minus ? -n : n;
    return p;
}

bool pc_digits_number(const struct pc_digits *d, uint64_t *number, int *exponent)
{
    unsigned digits = d->digits;
    uint64_t n = 0;
    int e = digits ? d->exponent : 0;

    if (d->cut)
        return false;
    for (; digits > 0 && e < 0 && d->digit[digits - 1] == '0'; digits--)
        e++;
    for (unsigned i = 0; i < digits; i++) {
        const uint64_t digit = (uint64_t)(d->digit[i] - '0');
        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = 10 * n + digit;
    }
    for (; e > 0; e--, n *= 10)
        if (n > UINT64_MAX / 10)
            return false;
    *number = n;
    *exponent = e;
    return true;
}

enum pc_status pc_decimal_parse(const char *text, size_t length, struct pc_decimal *out,
                                size_t *used)
{
    struct pc_digits d;

    if (!text || !out || !used)
        return PC_EARG;
    *used = 0;
    if (length == 0 || !pc_is_digit(text[0]))
        return PC_EINPUT;
    while (*used < length && pc_is_digit(text[*used]))
        ++*used;
    if (*used < length && text[*used] == '.') {
        const size_t point = (*used)++;
        while (*used < length && pc_is_digit(text[*used]))
            ++*used;
        if (*used == point + 1)
            return PC_EINPUT;
    }
    pc_digits_read(text, text + *used, false, &d);
    return pc_digits_number(&d, &out->number, &out->exponent) ? PC_OK : PC_ELIMIT;
}
