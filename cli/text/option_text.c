/* SPDX-License-Identifier: MIT */
/* Options: their values that several verbs have, and what is wrong with a call. */
#include "text/regs_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/*
 * Edits between two names, of their first 63 letters.  Letters count as they are: options have no
 * others.  (The library's own, for names of signals and the like, is src/base/near.c.)
 */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[64];
    size_t n = 0;

    for (; n < 63 && b[n]; n++)
        row[n] = (unsigned)n;
    row[n] = (unsigned)n;
    for (size_t i = 0; a[i]; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t k = 0; k < n; k++) {
            unsigned change = diagonal + (a[i] != b[k]),
                     best = row[k] < row[k + 1] ? row[k] : row[k + 1];
            diagonal = row[k + 1];
            row[k + 1] = change < best + 1 ? change : best + 1;
        }
    }
    return row[n];
}

/* Counts edits between two names; one that begins with the other is one edit away. */
static unsigned edits_between(const char *wanted, const char *name)
{
    const size_t n = strlen(wanted);

    return n >= 2 && strlen(name) > n && strncmp(wanted, name, n) == 0 ? 1 : distance(wanted, name);
}

void cli_near(const char *wanted, const char *const *names, char *out, size_t size)
{
    enum { LONGEST = 100 }; /* nothing has a name of that length */
    const unsigned most = (unsigned)strnlen(wanted, LONGEST) / 3 + 1;
    size_t used = 0, shown = 0;

    out[0] = '\0';
    if (strnlen(wanted, LONGEST) == LONGEST)
        return;
    for (unsigned edits = 0; edits <= most && shown < 4; edits++)
        for (size_t i = 0; names[i] && shown < 4; i++) {
            if (edits_between(wanted, names[i]) != edits || used + strlen(names[i]) + 3 > size)
                continue;
            used += (size_t)snprintf(out + used, size - used, "%s%s", shown ? ", " : "", names[i]);
            shown++;
        }
}

void cli_near_clock(const char *wanted, struct pc_error *err)
{
    static const char *const words[] = { "sample", "posedge", "negedge", "every", NULL };
    static const char asked[] = "did you mean: ";
    char near[40], signals[sizeof err->hint];

    if (err->code == 520 && strncmp(wanted, "every", 5) == 0 &&
        (wanted[5] == '\0' || (wanted[5] == '.' && isdigit((unsigned char)wanted[6])))) {
        snprintf(err->hint, sizeof err->hint,
                 "after `every` comes a period that begins with a digit, like 10ns or 0.5us");
        return;
    }
    cli_near(wanted, words, near, sizeof near);
    if (err->code != 520 || !near[0])
        return;
    snprintf(signals, sizeof signals, "%s",
             strncmp(err->hint, asked, sizeof asked - 1) == 0 ? err->hint + sizeof asked - 1 : "");
    snprintf(err->hint, sizeof err->hint, "%s%s%s%.*s", asked, near, signals[0] ? ", " : "",
             (int)(sizeof err->hint - sizeof asked - sizeof near - 2), signals);
}

int cli_take_once(const char *verb, const char *option, const char *value, const char **slot)
{
    if (*slot && strcmp(*slot, value) != 0)
        return cli_usage(verb, "%s can be given once; here it is \"%s\" and \"%s\"", option, *slot,
                         value);
    *slot = value;
    return CLI_OK;
}

int cli_parse_word(const char *verb, const char *option, const char *text, const char *const *words,
                   int *out)
{
    char known[100] = "";
    size_t used = 0;

    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return CLI_OK;
        }
        const char *joint = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", joint, words[i]);
    }
    return cli_usage(verb, "%s takes %s, not \"%s\"", option, known, text);
}

int cli_check_sample(const char *verb, const struct pc_wave_clock *clock)
{
    if (clock->edge == PC_EDGE_EVERY)
        return cli_usage(verb, "--sample is about the edges of a clock; --clock sample has none");
    return clock->edge != PC_EDGE_PERIOD
               ? CLI_OK
               : cli_usage(verb, "--sample is about the edges of a signal; those of --clock "
                                 "'every ...' see the values of their own time");
}

bool cli_has_suffix(const char *path, const char *suffix)
{
    size_t n = path ? strlen(path) : 0, m = strlen(suffix);

    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

bool cli_has_any_suffix(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    const char *point = name ? strrchr(name, '.') : NULL;

    return point && point > name && point[1];
}

int cli_refuse_suffix(const char *verb, const char *output, const char *known)
{
    return cli_has_any_suffix(output)
               ? cli_usage(verb, "-o %s: unknown suffix; known are %s, or give --format", output,
                           known)
               : CLI_OK;
}

static bool same(char a, char b, bool any_case)
{
    return a == b || (any_case && toupper((unsigned char)a) == toupper((unsigned char)b));
}

static bool matches(const char *pattern, const char *text, bool any_case)
{
    const char *star = NULL, *retry = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' || same(*pattern, *text, any_case)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool cli_matches(const char *pattern, const char *text)
{
    return matches(pattern, text, true);
}

bool cli_matches_path(const char *pattern, const char *path)
{
    return matches(pattern, path, false);
}

bool cli_matches_part(const char *pattern, const char *path)
{
    const char *dot = strrchr(path, '.');

    if (!strpbrk(pattern, "*?"))
        return strstr(path, pattern) != NULL;
    return cli_matches_path(pattern, path) || (dot && cli_matches_path(pattern, dot + 1));
}

bool cli_matches_one(const char *const *pattern, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (cli_matches_part(pattern[i], path))
            return true;
    return count == 0;
}
