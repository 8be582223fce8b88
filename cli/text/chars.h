/* SPDX-License-Identifier: MIT */
/* Characters of what a user writes, whatever the locale: ASCII. */
#ifndef PC_CLI_CHARS_H
#define PC_CLI_CHARS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true for what is between the words of a line, which may end with "\r\n". */
static inline bool cli_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the same where a text may go on in the next line. */
static inline bool cli_is_space(char c)
{
    return cli_is_blank(c) || c == '\n';
}

static inline bool cli_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns true for a letter, a digit or _. */
static inline bool cli_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || cli_is_digit(c) || c == '_';
}

/*
 * Returns how long "(3)" or "(3)(-1)" is, with a dot after it; else 0. So VHDL's generates and
 * PyMTL3 name the elements of an array of scopes; after the call of a function there is no dot.
 */
static inline size_t cli_scope_index(const char *text)
{
    size_t n = 0;

    while (text[n] == '(') {
        const size_t digits = n + 1 + (text[n + 1] == '-');
        for (n = digits; cli_is_digit(text[n]); n++)
            continue;
        if (n == digits || text[n++] != ')')
            return 0;
    }
    return text[n] == '.' ? n : 0;
}

#endif
