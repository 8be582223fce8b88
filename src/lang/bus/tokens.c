/* SPDX-License-Identifier: MIT */
/* The words of a name, cut at what is no letter and at changes of case. */
#include "lang/bus/find.h"

#include <string.h>

/* Returns true for ASCII letters and digits, whatever the locale. */
static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_boundary(const char *s, size_t i)
{
    return i > 0 && is_lower(s[i - 1]) && is_upper(s[i]);
}

bool pc_bus_split(const char *name, size_t length, struct bus_words *out)
{
    size_t used = 0;
    bool open = false;

    out->count = 0;
    if (length > BUS_LEAF)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        const bool letter = is_lower(c) || is_upper(c) || is_digit(c);
        if (open && (!letter || is_boundary(name, i))) {
            out->text[used++] = '\0';
            out->end[out->count++] = i;
            open = false;
        }
        if (!letter)
            continue;
        if (!open && out->count == BUS_TOKENS)
            return false;
        if (!open) {
            out->token[out->count] = out->text + used;
            out->start[out->count] = i;
        }
        open = true;
        out->text[used++] = is_upper(c) ? (char)(c - 'A' + 'a') : c;
    }
    if (open) {
        out->text[used] = '\0';
        out->end[out->count++] = length;
    }
    return true;
}

bool pc_bus_is_one_of(const char *word, const char *words)
{
    const size_t n = strlen(word);

    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == n && strncmp(at, word, n) == 0)
            return true;
    return false;
}

bool pc_bus_is_number(const char *word)
{
    return word[strspn(word, "0123456789")] == '\0';
}
