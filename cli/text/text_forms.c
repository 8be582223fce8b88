/* SPDX-License-Identifier: MIT */
/*
 * Names and numbers in each form of output.  Files and arguments can hold any bytes: what is not
 * UTF-8 is \xHH for people, U+FFFD in CSV and JSON, which have to be UTF-8; control characters
 * reach neither terminals nor JSON.
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

/* Length of the valid UTF-8 sequence at p, or 0. */
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

/* Of ASCII, and those of U+0080 to U+009F, which some terminals obey as well. */
static bool is_control(const unsigned char *p)
{
    return *p < ' ' || *p == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0);
}

size_t cli_utf8_length(const char *text)
{
    return utf8_length((const unsigned char *)text);
}

size_t cli_character(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    return is_control(p) ? 0 : utf8_length(p);
}

void cli_print_name(FILE *file, const char *name)
{
    const unsigned char *p = (const unsigned char *)name;

    while (*p) {
        size_t n = utf8_length(p);
        if (n == 0 || is_control(p)) {
            n = n ? n : 1;
            for (size_t i = 0; i < n; i++)
                fprintf(file, "\\x%02x", p[i]);
        } else {
            fwrite(p, 1, n, file);
        }
        p += n;
    }
}

size_t cli_columns(const char *name)
{
    const unsigned char *p = (const unsigned char *)name;
    size_t columns = 0;

    while (*p) {
        size_t n = utf8_length(p);
        columns += n == 0 ? 4 : is_control(p) ? 4 * n : 1;
        p += n ? n : 1;
    }
    return columns;
}

void cli_print_padded(FILE *file, const char *name, size_t width)
{
    size_t columns = cli_columns(name);

    cli_print_name(file, name);
    if (columns < width)
        fprintf(file, "%*s", (int)(width - columns), "");
}

void cli_json_string(FILE *file, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    fputc('"', file);
    while (*p) {
        size_t n = utf8_length(p);
        if (n == 0) {
            fputs("\\ufffd", file);
            p++;
        } else if (is_control(p)) {
            fprintf(file, "\\u%04x", p[n - 1]); /* U+0080 to U+009F are C2 80 to C2 9F */
            p += n;
        } else {
            if (*p == '"' || *p == '\\')
                fputc('\\', file);
            fwrite(p, 1, n, file);
            p += n;
        }
    }
    fputc('"', file);
}
