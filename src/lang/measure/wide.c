/* SPDX-License-Identifier: MIT */
#include "lang/measure/wide.h"

/* Returns the product of 64 bits and 64 bits, by halves. */
static struct pc_wide product(uint64_t a, uint64_t b)
{
    const uint64_t half = UINT32_MAX, a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    const uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & half);

    return (struct pc_wide){ other << 32 | (low & half),
                             (int64_t)(a1 * b1 + (middle >> 32) + (other >> 32)) };
}

struct pc_wide pc_wide_times(struct pc_wide a, uint64_t times)
{
    struct pc_wide p = product(a.low, times);

    p.high = (int64_t)((uint64_t)p.high + (uint64_t)a.high * times);
    return p;
}

double pc_wide_double(struct pc_wide value)
{
    const struct pc_wide positive =
        value.high < 0 ? pc_wide_sub((struct pc_wide){ 0, 0 }, value) : value;
    const double size =
        (double)(uint64_t)positive.high * 18446744073709551616.0 + (double)positive.low; /* 2^64 */

    return value.high < 0 ? -size : size;
}

/* Divides by 10 and gives the rest. */
static unsigned digit_of(struct pc_wide *value)
{
    uint32_t part[4] = { (uint32_t)((uint64_t)value->high >> 32), (uint32_t)value->high,
                         (uint32_t)(value->low >> 32), (uint32_t)value->low };
    uint64_t rest = 0;

    for (unsigned i = 0; i < 4; i++) {
        const uint64_t now = rest << 32 | part[i];
        part[i] = (uint32_t)(now / 10);
        rest = now % 10;
    }
    *value = (struct pc_wide){ (uint64_t)part[2] << 32 | part[3],
                               (int64_t)((uint64_t)part[0] << 32 | part[1]) };
    return (unsigned)rest;
}

void pc_wide_text(struct pc_wide value, char text[PC_WIDE_TEXT])
{
    const bool negative = value.high < 0;
    char digit[PC_WIDE_TEXT];
    unsigned n = 0;

    if (negative)
        value = pc_wide_sub((struct pc_wide){ 0, 0 }, value);
    do
        digit[n++] = (char)('0' + digit_of(&value));
    while (value.low != 0 || value.high != 0);
    if (negative)
        digit[n++] = '-';
    for (unsigned i = 0; i < n; i++)
        text[i] = digit[n - 1 - i];
    text[n] = '\0';
}
