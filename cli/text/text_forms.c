/* SPDX-License-Identifier: MIT */
/*
 * Names and numbers in each form of output.  Files and arguments can hold any bytes.
 * cli_character() tells which of these may be shown; all else is \xHH, and in JSON \uHHHH, or
 * U+FFFD where it is no UTF-8.
 */
#include "cli.h"

#include <inttypes.h>
#include <string.h>

const char *cli_grouped(uint64_t value)
{
    static _Thread_local char ring[8][32];
    static _Thread_local unsigned next;
    char digits[24];
    char *out = ring[next++ % 8];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, value);
    int at = 0;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

const char *cli_count(uint64_t value, const char *noun)
{
    static _Thread_local char ring[8][64];
    static _Thread_local unsigned next;
    char *out = ring[next++ % 8];
    size_t n = strlen(noun);
    const char *more = value == 1 ? "" : n > 0 && noun[n - 1] == 's' ? "es" : "s";

    snprintf(out, sizeof ring[0], "%s %s%s", cli_grouped(value), noun, more);
    return out;
}

/* Returns the length of the valid UTF-8 sequence at p, or 0. */
static size_t utf8_length(const unsigned char *p)
{
    size_t n = p[0] < 0x80             ? 1
               : (p[0] & 0xe0) == 0xc0 ? 2
               : (p[0] & 0xf0) == 0xe0 ? 3
               : (p[0] & 0xf8) == 0xf0 ? 4
                                       : 0;

    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if (n == 2 && p[0] < 0xc2)
        return 0;
    if (n == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)))
        return 0;
    if (n == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || p[0] > 0xf4 || (p[0] == 0xf4 && p[1] > 0x8f)))
        return 0;
    return n;
}

static uint32_t code_point(const unsigned char *p, size_t n)
{
    uint32_t code = n < 2 ? p[0] : p[0] & (0x7fu >> n);

    for (size_t i = 1; i < n; i++)
        code = code << 6 | (p[i] & 0x3f);
    return code;
}

/*
 * Tells whether it drives what shows it: control characters (some terminals obey U+0080 to U+009F
 * as well), ends of lines, marks that turn the order of what stands around them; and U+FFFE and
 * U+FFFF, which are no characters of XML.
 */
static bool is_hidden(uint32_t code)
{
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code | 1) == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           (code | 1) == 0xffff;
}

size_t cli_character(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t n = utf8_length(p);

    return n == 0 || is_hidden(code_point(p, n)) ? 0 : n;
}

size_t cli_hidden(const char *text, char out[CLI_HIDDEN])
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n = utf8_length(p);

    n = n ? n : 1;
    for (size_t i = 0; i < n; i++)
        snprintf(out + 4 * i, 5, "\\x%02x", p[i]);
    return n;
}

size_t cli_hidden_json(const char *text, char out[CLI_HIDDEN])
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t n = utf8_length(p);

    snprintf(out, CLI_HIDDEN, "\\u%04" PRIx32, n ? code_point(p, n) : 0xfffd);
    return n ? n : 1;
}

void cli_print_name(FILE *file, const char *name)
{
    char hidden[CLI_HIDDEN];

    while (*name) {
        size_t n = cli_character(name);
        if (n == 0) {
            n = cli_hidden(name, hidden);
            fputs(hidden, file);
        } else {
            fwrite(name, 1, n, file);
        }
        name += n;
    }
}

void cli_print_between(FILE *file, const char *before, const char *name, const char *after)
{
    fputs(before, file);
    cli_print_name(file, name);
    fputs(after, file);
}

size_t cli_columns(const char *name)
{
    char hidden[CLI_HIDDEN];
    size_t columns = 0;

    while (*name) {
        size_t n = cli_character(name);
        if (n == 0) {
            n = cli_hidden(name, hidden);
            columns += 4 * n;
        } else {
            columns++;
        }
        name += n;
    }
    return columns;
}

void cli_json_inside(FILE *file, const char *text)
{
    char hidden[CLI_HIDDEN];

    while (*text) {
        size_t n = cli_character(text);
        if (n == 0) {
            n = cli_hidden_json(text, hidden);
            fputs(hidden, file);
        } else {
            if (*text == '"' || *text == '\\')
                fputc('\\', file);
            fwrite(text, 1, n, file);
        }
        text += n;
    }
}

void cli_json_string(FILE *file, const char *text)
{
    fputc('"', file);
    cli_json_inside(file, text);
    fputc('"', file);
}

static bool is_shown(const char *text)
{
    for (size_t n; *text; text += n)
        if ((n = cli_character(text)) == 0)
            return false;
    return true;
}

void cli_yaml_string(FILE *file, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

    if (!is_shown(text)) {
        cli_json_string(file, text);
        return;
    }
    if (text[0] && strspn(text, plain) == strlen(text) && !strchr("0123456789.-", text[0])) {
        fputs(text, file);
        return;
    }
    fputc('\'', file);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', file);
        fputc(*text, file);
    }
    fputc('\'', file);
}
