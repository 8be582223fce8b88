/* SPDX-License-Identifier: MIT */
/* Numbers of formulas, digit by digit: strtod's point depends on the locale. */
#include "base/decimal.h"
#include "base/text.h"
#include "lang/metric/parser.h"

#include <float.h>

/* Returns where a second point is, among digits that begin there; NULL: there is none. */
static const char *second_point(const char *at, const char *end)
{
    bool point = false;

    for (; at < end && (pc_is_digit(*at) || *at == '.'); at++) {
        if (*at == '.' && point)
            return at;
        point = point || *at == '.';
    }
    return NULL;
}

/* Takes digits with at most one point: their value without it, and the power of ten of the last. */
static enum pc_status take_digits(struct me_parser *p, double *value, int *exponent)
{
    const char *const begin = p->line + p->at, *const end = p->line + p->size,
                      *second = second_point(begin, end);
    struct pc_digits d;

    if (second)
        return me_fail(p, (size_t)(second - p->line), "a number has one point");
    const char *rest = pc_digits_read(begin, end, false, &d);
    if (!rest || rest - begin >= 64)
        return me_fail(p, p->at, "expected a number of up to 63 digits");
    p->at = (size_t)(rest - p->line);
    *value = 0;
    *exponent = d.exponent;
    for (unsigned i = 0; i < d.digits; i++)
        *value = *value * 10 + (d.digit[i] - '0');
    return PC_OK;
}

/* Takes "e3", "E-6" after the digits, or nothing. */
static enum pc_status take_exponent(struct me_parser *p, int *exponent)
{
    const char *const begin = p->line + p->at, *const end = p->line + p->size,
                      *rest = pc_exponent_read(begin, end, exponent);
    const size_t sign = begin + 1 < end && (begin[1] == '-' || begin[1] == '+');

    if (!rest || (rest > begin && rest < end && *rest == '.'))
        return me_fail(p, rest ? (size_t)(rest - p->line) : p->at + 1 + sign,
                       "an exponent is a whole number: 1e3, 2.5e-6");
    p->at = (size_t)(rest - p->line);
    return PC_OK;
}

/* In one step as far as powers of ten are exact, so that 2.5e-6 is the double nearest to it. */
double me_decimal(double value, int exponent)
{
    while (exponent != 0) {
        const int n = exponent > 22 ? 22 : exponent < -22 ? -22 : exponent;
        double power = 1;
        for (int i = 0; i < n || i < -n; i++)
            power *= 10;
        value = n < 0 ? value / power : value * power;
        exponent -= n;
    }
    return value;
}

enum pc_status me_take_number(struct me_parser *p, struct me_step *out)
{
    const size_t begin = p->at;
    double digits = 0, value;
    int exponent = 0;

    *out = (struct me_step){ .op = ME_NUMBER };
    enum pc_status status = take_digits(p, &digits, &exponent);

    if (status == PC_OK)
        status = take_exponent(p, &exponent);
    if (status)
        return status;
    value = me_decimal(digits, exponent);
    if (value > DBL_MAX)
        return me_fail(p, begin, "a number is less than 1.8e308");
    if (value < DBL_MIN && digits > 0)
        return me_fail(p, begin, "a number is 0, or 2.3e-308 and more");
    p->last.begin = begin;
    p->last.end = p->at;
    p->last.has_unit = false;
    *out = (struct me_step){ .op = ME_NUMBER, .number = value, .digits = digits, .ten = exponent };
    return PC_OK;
}
