/* SPDX-License-Identifier: MIT */
/*
 * When an interval began, as text.  A double has the first 15 digits of it; what has more is
 * told by its digits.
 */
#include "stat_interval.h"
#include "text/fifteen.h"

#include <inttypes.h>
#include <string.h>

_Static_assert((int)STAT_TIME_TEXT >= (int)CLI_FIFTEEN, "a double has room");

/* Whole and part after each other; the power of ten of the last digit. */
static int digits_of(const struct stat_long_time *at, char out[STAT_TIME_TEXT])
{
    const int n = snprintf(out, STAT_TIME_TEXT, "%" PRIu64, at->tick.whole);

    if (at->decimals > 0)
        snprintf(out + n, (size_t)(STAT_TIME_TEXT - n), "%0*" PRIu64, at->decimals, at->tick.part);
    return at->exponent - at->decimals;
}

void stat_time_text(const struct stat_interval *interval, char out[STAT_TIME_TEXT])
{
    char digits[STAT_TIME_TEXT];

    if (interval->at.tick.whole == 0) {
        cli_fifteen_digits(out, interval->time);
        return;
    }
    int power = digits_of(&interval->at, digits);
    for (size_t n = strlen(digits); power < 0 && digits[n - 1] == '0'; power++)
        digits[--n] = '\0';
    timeline_point(digits, -power, out);
}

/* Cuts some digits, which are not all, and rounds those that are left; there is room for a 1. */
static void cut(char *digits, size_t drop)
{
    size_t n = strlen(digits) - drop;
    bool up = digits[n] >= '5';

    digits[n] = '\0';
    for (size_t i = n; up && i-- > 0;) {
        up = digits[i] == '9';
        digits[i] = up ? '0' : (char)(digits[i] + 1);
    }
    if (up) {
        memmove(digits + 1, digits, n + 1);
        digits[0] = '1';
    }
}

void stat_time_in(const struct stat_interval *interval, int exponent, int decimals,
                  char out[STAT_TIME_TEXT])
{
    char digits[STAT_TIME_TEXT];
    int more = digits_of(&interval->at, digits) - (exponent - decimals);

    for (size_t n = strlen(digits); more > 0; more--, n++)
        memcpy(digits + n, "0", 2);
    if (more < 0)
        cut(digits, (size_t)-more);
    timeline_point(digits, decimals, out);
}
