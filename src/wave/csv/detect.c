/* SPDX-License-Identifier: MIT */
/* Are the first bytes of a file those of a CSV?  Nothing in it says so: two lines have to fit. */
#include "base/text.h"
#include "wave/csv/csv.h"

#include <string.h>

/* Takes the line at *at (quoted line ends are part of it) and what follows it; false if cut. */
static bool take_line(const uint8_t *p, size_t size, size_t *at, const uint8_t **line,
                      size_t *length)
{
    size_t end = *at;
    bool quoted = false;

    for (; end < size && (p[end] != '\n' || quoted); end++)
        quoted ^= p[end] == '"';
    *line = p + *at;
    *length = end - *at;
    *at = end < size ? end + 1 : size;
    while (*length > 0 && ((*line)[*length - 1] == '\r' || (*line)[*length - 1] == ' '))
        (*length)--;
    return end < size;
}

static bool is_text(const uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((p[i] < ' ' && p[i] != '\t' && p[i] != '\n' && p[i] != '\r') || p[i] == 0x7f)
            return false;
    return true;
}

/* Returns true if one of the separators is in both lines. */
static bool same_separator(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length)
{
    for (const char *s = ",;\t"; *s; s++)
        if (memchr(a, *s, a_length) && memchr(b, *s, b_length))
            return true;
    return false;
}

/* Returns true if the row of one column could be a value, if perhaps a wrong one. */
static bool is_value(const uint8_t *row, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char ch = (char)row[i];
        if (!pc_is_word(ch) && !pc_is_one_of(ch, "?+-.\",;\t"))
            return false;
    }
    return true;
}

/* Returns true for "sep=;". */
static bool is_separator_line(const uint8_t *line, size_t length)
{
    const size_t quoted = length > 0 && line[0] == '"';

    return length >= 5 + quoted && length <= 5 + 2 * quoted &&
           pc_lower((char)line[quoted]) == 's' && pc_lower((char)line[quoted + 1]) == 'e' &&
           pc_lower((char)line[quoted + 2]) == 'p' && line[quoted + 3] == '=' &&
           pc_is_one_of((char)line[quoted + 4], ",;\t");
}

/* Where the rows of values begin: after a row of units, if there is one. */
static size_t skip_units(const uint8_t *p, size_t size, size_t at, const uint8_t *names,
                         size_t names_length)
{
    size_t length, behind;

    for (const char *s = ",;\t"; *s; s++)
        if (memchr(names, *s, names_length) &&
            csv_units((const char *)p + at, size - at, *s, &length, &behind))
            return at + behind;
    return at;
}

/* Returns true if HIGH, false, and so on, are in the first field. */
static bool is_level_word(const uint8_t *row, size_t length)
{
    size_t n = 0;

    while (n < length && !pc_is_one_of((char)row[n], ",;\t"))
        n++;
    return csv_level_word((const char *)row, n) != '\0';
}

bool wv_csv_looks(const uint8_t *p, size_t size)
{
    const uint8_t *names = NULL, *row = NULL;
    size_t at = 0, names_length = 0, row_length = 0;

    if (size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        at = 3;
    if (!is_text(p + at, size - at))
        return false;
    bool whole = true, comment = false;
    do {
        if (at == size)
            return comment && !whole; /* nothing but the beginning of comments */
        whole = take_line(p, size, &at, &names, &names_length);
        comment = names_length > 0 &&
                  (names[0] == ';' || names[0] == '#' || is_separator_line(names, names_length));
    } while (names_length == 0 || comment);
    if (!whole)
        return size >= 4000 && same_separator(names, names_length, names, names_length);
    at = skip_units(p, size, at, names, names_length);
    do {
        if (at == size)
            return false; /* names alone may be any text */
        take_line(p, size, &at, &row, &row_length);
    } while (row_length == 0);
    if (!pc_is_one_of((char)row[0], "0123456789-+.xXzZuUhHlLwW?\" ,;\t") &&
        !is_level_word(row, row_length))
        return false;
    if (same_separator(names, names_length, names, names_length))
        return same_separator(names, names_length, row, row_length);
    return is_value(row, row_length); /* one column */
}

/* Finds text as instruments write it that is not read: told by the first word. */
const struct wv_csv_dialect *wv_csv_dialect(const uint8_t *p, size_t size)
{
    static const char vcd[] = "have it export VCD, which is read";
    static const struct {
        const char *word;
        struct wv_csv_dialect is;
    } dialects[] = {
        { "Model,", { "a CSV of a Tektronix oscilloscope", "TIME,", NULL } },
        { "\"Model\",", { "a CSV of a Tektronix oscilloscope", "TIME,", NULL } },
        { "Record Length,Analog", { "a CSV of a Siglent oscilloscope", "Second,", NULL } },
        { "Record Length,", { "a CSV of a Tektronix oscilloscope", NULL, NULL } },
        { "LECROY", { "a CSV of a LeCroy oscilloscope", "Time,", NULL } },
        { "Header Size", { "a CSV of a Yokogawa oscilloscope", NULL, NULL } },
        { "HEADER SIZE", { "a CSV of a Yokogawa oscilloscope", NULL, NULL } },
        { "\"Header Size\"", { "a CSV of a Yokogawa oscilloscope", NULL, NULL } },
        { "Waveform Type", { "a CSV of a Keysight oscilloscope", NULL, NULL } },
        { "Revision", { "a CSV of a Keysight oscilloscope", NULL, NULL } },
        { "Unit:", { "a CSV of an OWON oscilloscope", NULL, NULL } },
        { "Quartus", { "a table of Signal Tap (Quartus)", NULL, vcd } },
        { ";Rate:", { "a capture of the OpenBench Logic Sniffer (.ols)", NULL, vcd } },
    };

    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        const size_t n = strlen(dialects[i].word);
        if (size > n && memcmp(p, dialects[i].word, n) == 0 && is_text(p, size))
            return &dialects[i].is;
    }
    return NULL;
}

bool wv_csv_separated(const uint8_t *p, size_t size)
{
    const uint8_t *names, *row;
    size_t at = 0, names_length, row_length;

    if (!is_text(p, size) || !take_line(p, size, &at, &names, &names_length) || at == size)
        return false;
    take_line(p, size, &at, &row, &row_length);
    return same_separator(names, names_length, row, row_length);
}
