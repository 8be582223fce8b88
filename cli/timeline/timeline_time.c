/* SPDX-License-Identifier: MIT */
/* Times of timelines as decimal text: all of their digits, where a double has fewer. */
#include "timeline.h"

#include <inttypes.h>
#include <string.h>

void timeline_point(const char *digits, int decimals, char out[TIMELINE_TEXT])
{
    const int length = (int)strlen(digits), before = length - decimals;

    if (decimals <= 0)
        snprintf(out, TIMELINE_TEXT, "%s%.*d", digits, -decimals, 0);
    else if (before > 0)
        snprintf(out, TIMELINE_TEXT, "%.*s.%s", before, digits, digits + before);
    else
        snprintf(out, TIMELINE_TEXT, "0.%.*d%s", -before, 0, digits);
}

void timeline_text(const struct timeline_axis *axis, struct timeline_time time, int exponent,
                   char out[TIMELINE_TEXT])
{
    char digits[TIMELINE_TEXT];
    int decimals = exponent - axis->exponent + axis->decimals;
    const char *first = digits;
    size_t n = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, time.whole);

    if (axis->decimals > 0)
        n += (size_t)snprintf(digits + n, sizeof digits - n, "%0*" PRIu64, axis->decimals,
                              time.part);
    for (; decimals > 0 && n > 1 && digits[n - 1] == '0'; decimals--)
        digits[--n] = '\0';
    while (first[0] == '0' && first[1])
        first++;
    if (strcmp(first, "0") == 0)
        decimals = 0;
    timeline_point(first, decimals, out);
}

/* Parts of a unit. */
static uint64_t per(const struct timeline_axis *axis)
{
    uint64_t n = 1;

    for (int i = 0; i < axis->decimals; i++)
        n *= 10;
    return n;
}

uint64_t timeline_units(double units)
{
    return units < 18446744073709549568.0 ? (uint64_t)(units + 0.5) : UINT64_MAX;
}

struct timeline_time timeline_end_of(const struct timeline_axis *axis,
                                     const struct timeline_row *row)
{
    static const struct timeline_time last = { UINT64_MAX, 0 };
    const uint64_t parts = per(axis);

    if (row->length >= 18446744073709549568.0)
        return last;
    const uint64_t whole = (uint64_t)row->length;
    const double left = row->length - (double)whole;
    const uint64_t part = row->begin.part + (uint64_t)(left * (double)parts + 0.5);
    const uint64_t more = whole + part / parts;

    return more > UINT64_MAX - row->begin.whole
               ? last
               : (struct timeline_time){ row->begin.whole + more, part % parts };
}

struct timeline_time timeline_between(const struct timeline_axis *axis, struct timeline_time a,
                                      struct timeline_time b)
{
    const bool borrow = b.part < a.part;

    return (struct timeline_time){ b.whole - a.whole - borrow,
                                   b.part + (borrow ? per(axis) : 0) - a.part };
}
