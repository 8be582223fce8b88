/* SPDX-License-Identifier: MIT */
/* Are the first bytes of a file those of a CSV?  Nothing in it says so: two lines have to fit. */
#include "base/text.h"
#include "wave/reader.h"

#include <string.h>

/* The line at *at (quoted line ends are part of it) and what follows it; false if cut. */
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

/* Is one of the separators in both lines? */
static bool same_separator(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length)
{
    for (const char *s = ",;\t"; *s; s++)
        if (memchr(a, *s, a_length) && memchr(b, *s, b_length))
            return true;
    return false;
}

/* Could the row of one column be a value, if perhaps a wrong one? */
static bool is_value(const uint8_t *row, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char ch = (char)row[i];
        if (!pc_is_word(ch) && !pc_is_one_of(ch, "?+-.\",;\t"))
            return false;
    }
    return true;
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
        comment = names_length > 0 && (names[0] == ';' || names[0] == '#');
    } while (names_length == 0 || comment);
    if (!whole)
        return size >= 4000 && same_separator(names, names_length, names, names_length);
    do {
        if (at == size)
            return false; /* names alone may be any text */
        take_line(p, size, &at, &row, &row_length);
    } while (row_length == 0);
    if (!pc_is_one_of((char)row[0], "0123456789-+.xXzZuUhHlLwW?\" ,;\t"))
        return false;
    if (same_separator(names, names_length, names, names_length))
        return same_separator(names, names_length, row, row_length);
    return is_value(row, row_length); /* one column */
}
