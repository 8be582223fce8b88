/* SPDX-License-Identifier: MIT */
/*
 * Reals as bits that compare as they do: of a double that is not negative the sign is turned, of
 * one that is, all bits are.  So a comparison of reals is one of unsigned numbers, as of any
 * vector.
 */
#include "wave/reader.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"

void wv_put_real(double value, char *digits)
{
    uint64_t bits;

    if (isnan(value)) {
        memset(digits, 'x', WV_REAL_BITS);
        return;
    }
    value = value == 0 ? 0 : value; /* -0.0 equals 0.0 */
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
    for (unsigned i = 0; i < WV_REAL_BITS; i++)
        digits[i] = bits >> (WV_REAL_BITS - 1 - i) & 1 ? '1' : '0';
}

/*
 * Up to 15 digits and powers of ten up to 22 are exact, so that the one operation rounds as it
 * should; otherwise a wider type is as near as can be.
 */
static double value_of(const struct pc_digits *d)
{
    enum { MOST = 19 }; /* the 20th digit and later ones say nothing */
    const unsigned digits = d->digits < MOST ? d->digits : MOST;
    const int exponent = d->exponent + (int)(d->digits - digits), e = exponent < -400  ? -400
                                                                      : exponent > 400 ? 400
                                                                                       : exponent;
    uint64_t whole = 0;
    double power = 1;

    for (unsigned i = 0; i < digits; i++)
        whole = 10 * whole + (uint64_t)(d->digit[i] - '0');
    if (whole == 0)
        return 0;
    if (whole < UINT64_C(1) << 53 && e >= -22 && e <= 22) {
        for (int i = 0; i < e || i < -e; i++)
            power *= 10;
        return e < 0 ? (double)whole / power : (double)whole * power;
    }
    long double wide = (long double)whole;
    for (int left = e; left != 0;) {
        const int n = left > 27 ? 27 : left < -27 ? -27 : left;
        long double ten = 1;
        for (int i = 0; i < n || i < -n; i++)
            ten *= 10;
        wide = n < 0 ? wide / ten : wide * ten;
        left -= n;
    }
    return (double)wide;
}

static bool is_word(const char *p, const char *end, const char *word)
{
    return (size_t)(end - p) == strlen(word) && pc_same_start(p, strlen(word), word);
}

bool wv_read_real(const char *text, size_t length, double *out)
{
    const char *p = text, *end = text + length;
    const bool minus = p < end && *p == '-';
    struct pc_digits d = { .digits = 0 };

    p += p < end && (*p == '-' || *p == '+');
    if (is_word(p, end, "inf") || is_word(p, end, "nan")) {
        *out = pc_lower(*p) == 'n' ? NAN : minus ? -INFINITY : INFINITY;
        return true;
    }
    p = pc_digits_read(p, end, false, &d);
    p = p ? pc_exponent_read(p, end, &d.exponent) : NULL;
    *out = minus ? -value_of(&d) : value_of(&d);
    return p == end && p;
}
