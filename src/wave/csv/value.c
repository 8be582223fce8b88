/* SPDX-License-Identifier: MIT */
/*
 * Values of a CSV.  A value of w bits is one of
 *     0 1 x z (h l u w - ? as in VCD), for all bits if it is unknown; empty: unknown
 *     0x1f      0b101x      exactly w binary digits, if w > 1      17, -1
 * in that order: 0x1 is hexadecimal also in a column of three bits.  Decimal digits with zeros
 * in front that could be binary ones are refused.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static enum pc_status fail_value(const struct csv *c, const struct csv_field *f, unsigned code,
                                 const struct csv_column *column, struct pc_error *err)
{
    char text[48];

    csv_quote(c, f, text);
    if (code == 764)
        return csv_fail(c, f->at, err, 764, "%s does not fit into %lu bit%s", text,
                        (unsigned long)column->width, column->width == 1 ? "" : "s");
    return csv_fail(c, f->at, err, code, "\"%s\" is not a value of %lu bit%s", text,
                    (unsigned long)column->width, column->width == 1 ? "" : "s");
}

char csv_level_word(const char *p, size_t length)
{
    static const char *const words[] = { "low", "high", "false", "true", "off", "on" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = 0;
        while (n < length && words[i][n] && pc_lower(p[n]) == words[i][n])
            n++;
        if (n == length && words[i][n] == '\0' && n > 0)
            return i % 2 ? '1' : '0';
    }
    return '\0';
}

bool csv_is_nan(const char *p, size_t length)
{
    return length == 3 && pc_lower(p[0]) == 'n' && pc_lower(p[1]) == 'a' && pc_lower(p[2]) == 'n';
}

char csv_level_number(const char *p, size_t length)
{
    size_t i = length > 0 && (p[0] == '-' || p[0] == '+'), points = 0;
    const bool minus = i == 1 && p[0] == '-';

    if (i == length || !pc_is_one_of(p[i], "01"))
        return '\0';
    const char level = p[i++];
    for (; i < length && pc_is_one_of(p[i], ".,0"); i++)
        if (p[i] != '0' ? points++ > 0 : points == 0)
            return '\0'; /* 1.0.0, 00 */
    if (i < length && (p[i] == 'e' || p[i] == 'E')) {
        i++;
        i += i < length && pc_is_one_of(p[i], "+-");
        const size_t first = i;
        while (i < length && (p[i] == '0' || (level == '0' && pc_is_digit(p[i]))))
            i++;
        if (i == first)
            return '\0';
        points++;
    }
    return i == length && points > 0 && !(minus && level == '1') ? level : '\0';
}

/* Takes digits of `per` bits each, from the right; what sticks out on the left must be 0. */
static unsigned take_digits(const char *p, size_t length, unsigned per, uint32_t width, char *bits)
{
    size_t left = width;
    char fill = '0';

    for (size_t i = length; i-- > 0;) {
        unsigned digit = per > 1 ? (unsigned)pc_hex_digit(p[i]) : 0;
        char level = per == 1 ? wv_state_of(p[i]) : '0';
        if (digit >= 1u << per || level == '\0')
            return 763;
        for (unsigned b = 0; b < per; b++) {
            char bit = per == 1 ? level : digit >> b & 1 ? '1' : '0';
            if (left > 0)
                bits[--left] = bit;
            else if (bit != '0')
                return 764;
        }
    }
    if (per == 1 && length > 0 && (wv_state_of(p[0]) == 'x' || wv_state_of(p[0]) == 'z'))
        fill = wv_state_of(p[0]); /* as VCD extends on the left */
    memset(bits, fill, left);
    return 0;
}

static bool is_binary(const char *p, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (wv_state_of(p[i]) == '\0' || p[i] == '-')
            return false;
    return true;
}

/* Returns 763, 764, or 0. */
static unsigned take_decimal(const char *p, size_t length, uint32_t width, char *bits)
{
    const bool minus = length > 1 && p[0] == '-';
    uint64_t n = 0;

    for (size_t i = minus; i < length; i++) {
        if (p[i] < '0' || p[i] > '9')
            return 763;
        if (n > (UINT64_MAX - (uint64_t)(p[i] - '0')) / 10)
            return 764;
        n = 10 * n + (uint64_t)(p[i] - '0');
    }
    const uint64_t top = width < 64 ? UINT64_C(1) << width : 0; /* 0: 2^64 or more */
    if (minus ? (top ? n > top / 2 : n > UINT64_C(1) << 63) : top && n >= top)
        return 764;
    uint64_t value = minus ? 0 - n : n;
    for (uint32_t i = 0; i < width; i++)
        bits[width - 1 - i] = (i < 64 ? value >> i & 1 : minus && n) ? '1' : '0';
    return 0;
}

/* Takes digits of a radix that a row of units gives: 763, 764, or 0. */
static unsigned take_radix(const char *p, size_t length, unsigned radix, uint32_t width, char *bits)
{
    if (radix == 10)
        return take_decimal(p, length, width, bits);
    return take_digits(p, length, radix == 16 ? 4 : radix == 8 ? 3 : 1, width, bits);
}

enum pc_status csv_value(const struct csv *c, const struct csv_field *f,
                         const struct csv_column *column, char *bits, struct pc_error *err)
{
    const char *p = c->text.buf + f->at;
    const uint32_t width = column->width;
    size_t length = f->length;
    unsigned code;

    if (length > 1 && p[0] == '+' && pc_is_digit(p[1])) {
        p++;
        length--;
    }
    char level = length == 1 ? wv_state_of(p[0]) : width == 1 ? csv_level_word(p, length) : '\0';
    if (!level && width == 1)
        level = csv_level_number(p, length);
    if (level) {
        memset(bits, level == '1' || level == '0' ? '0' : level, width);
        bits[width - 1] = level;
        return PC_OK;
    }
    if (length == 0 || csv_is_nan(p, length)) {
        memset(bits, 'x', width);
        return PC_OK;
    }
    if (length > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && pc_is_hex(p[2]))
        code = take_digits(p + 2, length - 2, 4, width, bits);
    else if (column->radix)
        code = take_radix(p, length, column->radix, width, bits);
    else if (length > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B'))
        code = take_digits(p + 2, length - 2, 1, width, bits);
    else if (length == width && is_binary(p, width))
        code = take_digits(p, width, 1, width, bits);
    else if (p[0] == '0' && is_binary(p, length))
        code = 763;
    else
        code = take_decimal(p, length, width, bits);
    return code ? fail_value(c, f, code, column, err) : PC_OK;
}
