/* SPDX-License-Identifier: MIT */
/* Values of options that several verbs have. */
#include "regs_text.h"

#include <ctype.h>
#include <string.h>

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
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", words[i]);
    }
    return cli_usage(verb, "%s takes %s; not \"%s\"", option, known, text);
}

int cli_parse_sample(const char *verb, const char *text, bool *post_edge)
{
    static const char *const words[] = { "pre-edge", "post-edge", NULL };
    int i = 0, code = cli_parse_word(verb, "--sample", text, words, &i);

    *post_edge = i == 1;
    return code;
}

int cli_parse_jobs(const char *verb, const char *text, unsigned *out)
{
    uint32_t n;

    if (!cli_parse_u32(text, &n) || n == 0 || n > CLI_MAX_JOBS)
        return cli_usage(verb, "-j takes 1 to %d threads, not \"%s\"", CLI_MAX_JOBS, text);
    *out = n;
    return CLI_OK;
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

enum cli_format cli_format_of(const char *output)
{
    if (output && ends_in(output, ".csv"))
        return CLI_CSV;
    if (output && ends_in(output, ".json"))
        return CLI_JSON;
    return CLI_TEXT;
}

bool cli_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' ||
                   toupper((unsigned char)*pattern) == toupper((unsigned char)*text)) {
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
