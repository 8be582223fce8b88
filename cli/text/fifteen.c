/* SPDX-License-Identifier: MIT */
/* See fifteen.h. */
#include "text/fifteen.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 15, SMALLEST = -13, SMALLEST_PLAIN = -4 };

#define DIGITS_BEGIN UINT64_C(100000000000000)
#define DIGITS_END   UINT64_C(1000000000000000)

const char cli_two_digits[200] = "0001020304050607080910111213141516171819"
                                 "2021222324252627282930313233343536373839"
                                 "4041424344454647484950515253545556575859"
                                 "6061626364656667686970717273747576777879"
                                 "8081828384858687888990919293949596979899";

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

struct parts {
    uint64_t digits; /* fifteen */
    int exponent;    /* of the first, to ten */
};

/* Powers of five. */
static const uint64_t fives[] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* Returns number * 10^scale, cut, or to the nearest and of two to the even one. */
static uint64_t scaled(uint64_t mantissa, int shift, int scale, bool nearest)
{
    const wide product = (wide)mantissa * fives[scale];
    const int down = shift - scale;
    uint64_t whole = (uint64_t)(product >> down);
    const wide half = (wide)1 << (down - 1), rest = product & (half * 2 - 1);
    if (nearest && (rest > half || (rest == half && whole % 2 == 1)))
        whole++;
    return whole;
}

/* Splits a number of 10^-13 to 10^15: a mantissa of 53 bits times at most 5^27, which has 63. */
static bool take_apart(struct parts *p, double number)
{
    if (!(number >= 1e-13 && number < 1e15))
        return false;
    int two;
    const uint64_t mantissa = (uint64_t)(frexp(number, &two) * 9007199254740992.0); /* 2^53 */
    const int shift = 53 - two;
    /* by the first bit: not above the exponent of ten, at most two below */
    p->exponent = (two + 64) * 1233 / 4096 - 20;
    while (p->exponent < DIGITS &&
           (p->exponent < SMALLEST ||
            scaled(mantissa, shift, DIGITS - 1 - p->exponent, false) >= DIGITS_END))
        p->exponent++;
    if (p->exponent == DIGITS)
        return false;
    p->digits = scaled(mantissa, shift, DIGITS - 1 - p->exponent, true);
    if (p->digits == DIGITS_END) {
        p->digits = DIGITS_BEGIN;
        p->exponent++;
    }
    return p->digits >= DIGITS_BEGIN && p->exponent < DIGITS;
}

/* Without zeros at the end, and without a point if nothing follows it. */
static size_t put(char out[CLI_FIFTEEN], const struct parts *p)
{
    const bool power = p->exponent < SMALLEST_PLAIN;
    const int zeros = p->exponent < 0 && !power ? -p->exponent : 0;
    const int before = power || p->exponent < 0 ? 1 : p->exponent + 1; /* digits before the point */
    char digits[DIGITS + 4];
    uint64_t rest = p->digits;
    int n = zeros + DIGITS;

    memset(digits, '0', sizeof digits);
    for (; rest % 1000 == 0; rest /= 1000) /* zeros at the end are there */
        n -= 3;
    int at = n;
    for (; at >= zeros + 2; rest /= 100)
        memcpy(digits + (at -= 2), cli_two_digits + 2 * (rest % 100), 2);
    if (at > zeros)
        digits[zeros] = (char)('0' + rest);
    while (n > before && digits[n - 1] == '0')
        n--;
    memcpy(out, digits, (size_t)before);
    size_t size = (size_t)before;
    if (n > before) {
        out[size++] = '.';
        memcpy(out + size, digits + before, (size_t)(n - before));
        size += (size_t)(n - before);
    }
    if (power) {
        out[size++] = 'e';
        out[size++] = '-';
        out[size++] = (char)('0' + -p->exponent / 10);
        out[size++] = (char)('0' + -p->exponent % 10);
    }
    out[size] = '\0';
    return size;
}
#endif

size_t cli_fifteen_digits(char out[CLI_FIFTEEN], double number)
{
#ifdef __SIZEOF_INT128__
    struct parts p;

    if (take_apart(&p, number))
        return put(out, &p);
#endif
    return (size_t)snprintf(out, CLI_FIFTEEN, "%.*g", DIGITS, number);
}
