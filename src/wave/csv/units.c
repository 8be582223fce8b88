/* SPDX-License-Identifier: MIT */
/*
 * The row of units that instruments write below the names:
 *     second,Volt,              Keysight        (us),(V)               PicoScope
 *     Sequence,Volt,-3e-3,5e-7  Rigol: the last two are begin and step of the times
 *     Radix - UNSIGNED,HEX      Vivado: what the digits of the columns mean
 * It is one if each of its cells is such a word or empty, and numbers follow below its units: a
 * column of states may also have the word A.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <string.h>

/* Finds the n-th cell of a line, without its blanks and quotes; false if there is none. */
static bool cell_of(const char *line, size_t length, char separator, size_t n, const char **cell,
                    size_t *size)
{
    const char *end = line + length;

    for (; n > 0; n--) {
        line = memchr(line, separator, (size_t)(end - line));
        if (!line)
            return false;
        line++;
    }
    const char *after = memchr(line, separator, (size_t)(end - line));
    end = after ? after : end;
    while (line < end && (csv_is_blank(*line) || *line == '"'))
        line++;
    while (end > line && (csv_is_blank(end[-1]) || end[-1] == '"' || end[-1] == '\r'))
        end--;
    *cell = line;
    *size = (size_t)(end - line);
    return true;
}

static bool is_listed(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

static bool take_radix(const char *name, uint8_t *radix)
{
    static const struct {
        const char *name;
        uint8_t radix;
    } words[] = {
        { "hex", 16 },     { "hexadecimal", 16 }, { "binary", 2 },
        { "bin", 2 },      { "unsigned", 10 },    { "signed", 10 },
        { "decimal", 10 }, { "octal", 8 },        { "ascii", CSV_ASCII },
    };

    if (strncmp(name, "radix-", 6) == 0)
        name += 6;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].name, name) == 0) {
            *radix = words[i].radix;
            return true;
        }
    }
    return false;
}

static struct csv_unit unit_of(const char *cell, size_t size)
{
    static const char *const times[] = { "second", "seconds", "sec", "s", NULL };
    static const char *const levels[] = { "logic", "digital", "flag", NULL };
    static const char *const others[] = { "v",   "mv",   "uv",   "kv",   "volt",   "volts", "a",
                                          "ma",  "ua",   "amp",  "amps", "ampere", "db",    "dbm",
                                          "dbv", "hz",   "khz",  "mhz",  "ghz",    "%",     "ohm",
                                          "mw",  "watt", "degc", NULL };
    struct csv_unit u = { .what = CSV_UNIT_NONE };
    char name[64];

    if (size == 0)
        return (struct csv_unit){ .what = CSV_UNIT_EMPTY };
    const bool state = size == 1 && wv_state_of(cell[0]);
    if (size > 2 &&
        ((cell[0] == '(' && cell[size - 1] == ')') || (cell[0] == '[' && cell[size - 1] == ']'))) {
        cell++;
        size -= 2;
    }
    if (state || csv_plain(cell, size, name) == 0)
        return u;
    if (take_radix(name, &u.radix))
        u.what = CSV_UNIT_RADIX;
    else if (csv_time_unit(name, &u.exponent) || is_listed(name, times))
        u.what = CSV_UNIT_TIME;
    else if (strcmp(name, "sequence") == 0)
        u.what = CSV_UNIT_SEQUENCE;
    else if (is_listed(name, levels))
        u.what = CSV_UNIT_LEVEL;
    else if (is_listed(name, others))
        u.what = CSV_UNIT_OTHER;
    return u;
}

struct csv_unit csv_unit_at(const char *line, size_t length, char separator, size_t n)
{
    const char *cell;
    size_t size;

    return cell_of(line, length, separator, n, &cell, &size)
               ? unit_of(cell, size)
               : (struct csv_unit){ .what = CSV_UNIT_END };
}

uint64_t csv_rate_at(const char *line, size_t length, char separator, size_t n)
{
    const char *cell;
    size_t size;

    return cell_of(line, length, separator, n, &cell, &size)
               ? csv_rate_of(cell, size, separator != ',')
               : 0;
}

/* Returns the length of the line at *at; *at goes on to the next one that is not empty. */
static size_t take_line(const char *text, size_t size, size_t *at)
{
    const char *begin = text + *at, *end = memchr(begin, '\n', size - *at);
    const size_t length = end ? (size_t)(end - begin) : size - *at;

    *at += length + (end != NULL);
    while (*at < size && pc_is_one_of(text[*at], "\r\n"))
        ++*at;
    return length;
}

static bool is_number(const char *p, size_t length)
{
    if (csv_is_nan(p, length))
        return true;
    for (size_t i = 0; i < length; i++)
        if (pc_is_digit(p[i]))
            return true;
    return length == 0;
}

bool csv_units(const char *text, size_t size, char separator, size_t *length, size_t *behind)
{
    size_t at = 0, cells = 0, n = 0;
    bool sequence = false;

    *length = take_line(text, size, &at);
    *behind = at;
    if (at == size)
        return false; /* no row of values */
    const char *row = text + at, *cell;
    const size_t row_length = take_line(text, size, &at);
    size_t cell_size;
    for (;; n++) {
        const struct csv_unit u = csv_unit_at(text, *length, separator, n);
        if (u.what == CSV_UNIT_END)
            break;
        sequence = sequence || u.what == CSV_UNIT_SEQUENCE;
        cells += u.what != CSV_UNIT_EMPTY;
        if (u.what == CSV_UNIT_EMPTY || u.what == CSV_UNIT_RADIX)
            continue;
        if (!cell_of(u.what == CSV_UNIT_NONE ? text : row,
                     u.what == CSV_UNIT_NONE ? *length : row_length, separator, n, &cell,
                     &cell_size) ||
            !is_number(cell, cell_size) || (u.what == CSV_UNIT_NONE && !sequence))
            return false;
    }
    return cells > 0;
}
