/* SPDX-License-Identifier: MIT */
/* Characters of what a user writes, whatever the locale: ASCII. */
#ifndef PC_CLI_CHARS_H
#define PC_CLI_CHARS_H

#include <stdbool.h>

/* Between the words of a line, which may end with "\r\n" */
static inline bool cli_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The same where a text may go on in the next line */
static inline bool cli_is_space(char c)
{
    return cli_is_blank(c) || c == '\n';
}

static inline bool cli_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A letter, a digit or _ */
static inline bool cli_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || cli_is_digit(c) || c == '_';
}

#endif
