/* SPDX-License-Identifier: MIT */
/* Values that are texts, as bits: eight a character, the last one lowest, as in Verilog. */
#include "wave/reader.h"

#include "base/text.h"

#include <string.h>

char wv_escaped(const char **at, const char *end)
{
    static const char letters[] = "abfnrtv", means[] = "\a\b\f\n\r\t\v";
    unsigned code = 0, digits = 0;

    if (++*at == end)
        return '\\';
    const char c = *(*at)++;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (letter)
        return means[letter - letters];
    if (c == 'x') {
        for (; digits < 2 && *at < end && pc_is_hex(**at); digits++, ++*at)
            code = code * 16 + (unsigned)pc_hex_digit(**at);
        return (char)code;
    }
    if (c < '0' || c > '7')
        return c;
    for (code = (unsigned)(c - '0'); digits < 2 && *at < end && **at >= '0' && **at <= '7';
         digits++)
        code = code * 8 + (unsigned)(*(*at)++ - '0');
    return (char)code;
}

void wv_put_text(const char *text, size_t length, bool escapes, char *digits)
{
    const char *at = text, *end = text + length;
    char character[WV_TEXT];
    size_t n = 0;

    while (at < end && n < WV_TEXT)
        character[n++] = escapes && *at == '\\' ? wv_escaped(&at, end) : *at++;
    memset(digits, at < end ? 'x' : '0', WV_TEXT_BITS);
    for (size_t i = 0; i < n && at == end; i++)
        for (unsigned b = 0; b < 8; b++)
            digits[WV_TEXT_BITS - 8 * (n - i) + b] =
                (unsigned char)character[i] >> (7 - b) & 1 ? '1' : '0';
}
