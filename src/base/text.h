/* SPDX-License-Identifier: MIT */
/*
 * Characters of names and numbers.  ctype.h and strtod ask the locale that the caller's program has
 * set, in which I may have another small letter and a number a comma: what these texts mean must
 * not depend on that.  ASCII; bytes of 128 and more are no letters.
 */
#ifndef PC_BASE_TEXT_H
#define PC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline char pc_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool pc_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the value of a hexadecimal digit, 0 to 15, or -1. */
static inline int pc_hex_digit(char c)
{
    const char low = pc_lower(c);

    if (pc_is_digit(c))
        return c - '0';
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

static inline bool pc_is_hex(char c)
{
    return pc_hex_digit(c) >= 0;
}

/* Returns true for a letter, a digit or _. */
static inline bool pc_is_word(char c)
{
    return pc_is_digit(c) || c == '_' || (pc_lower(c) >= 'a' && pc_lower(c) <= 'z');
}

/* Returns true for what is between the words of a line, which may end with "\r\n". */
static inline bool pc_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the same where a text may go on in the next line. */
static inline bool pc_is_space(char c)
{
    return pc_is_blank(c) || c == '\n';
}

/* Not for NUL, which strchr() finds in every set: a text with a length may hold one. */
static inline bool pc_is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Returns true if the texts are equal except for capitals: whole texts, and the first n characters
 * of a with all of b. */
static inline bool pc_same_text(const char *a, const char *b)
{
    while (*a && pc_lower(*a) == pc_lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

static inline bool pc_same_start(const char *a, size_t n, const char *b)
{
    for (size_t i = 0; i < n; i++)
        if (b[i] == '\0' || pc_lower(a[i]) != pc_lower(b[i]))
            return false;
    return b[n] == '\0';
}

/*
 * Reads all n characters as a number of 32 bits: decimal, or hexadecimal after 0x. Zeros in front
 * are refused: C reads 010 as 8, and traces write hexadecimal as 00000010.
 */
static inline bool pc_read_u32(const char *text, size_t n, uint32_t *out)
{
    const bool prefix = n > 2 && text[0] == '0' && pc_lower(text[1]) == 'x';
    const unsigned base = prefix ? 16 : 10;
    uint64_t value = 0;

    if (n == 0 || (text[0] == '0' && n > 1 && !prefix))
        return false;
    for (size_t i = prefix ? 2 : 0; i < n; i++) {
        const int digit = pc_hex_digit(text[i]);
        if (digit < 0 || (unsigned)digit >= base)
            return false;
        value = value * base + (unsigned)digit;
        if (value > UINT32_MAX)
            return false;
    }
    *out = (uint32_t)value;
    return true;
}

/*
 * Returns how long "(3)" or "(3)(-1)" is, with a dot after it; else 0. So VHDL's generates and
 * PyMTL3 name the elements of an array of scopes; after the call of a function there is no dot.
 */
static inline size_t pc_scope_index(const char *text)
{
    size_t n = 0;

    while (text[n] == '(') {
        const size_t digits = n + 1 + (text[n + 1] == '-');
        for (n = digits; pc_is_digit(text[n]); n++)
            continue;
        if (n == digits || text[n++] != ')')
            return 0;
    }
    return text[n] == '.' ? n : 0;
}

#endif
