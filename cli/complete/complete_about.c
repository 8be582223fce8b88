/* SPDX-License-Identifier: MIT */
/* What a verb's help says about an option: the text behind it, of one line. */
#include "complete.h"

#include <string.h>

static bool ends_name(char c)
{
    return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
}

/* Where "--option" stands in a line that begins with an option; NULL: it does not. */
static const char *find_in_line(const char *line, size_t size, const char *option)
{
    const size_t length = strlen(option), blanks = strspn(line, " ");

    if (blanks == 0 || blanks >= size || line[blanks] != '-')
        return NULL;
    for (const char *p = line + blanks; p + 2 + length <= line + size; p++)
        if (p[-1] == ' ' && p[0] == '-' && p[1] == '-' && strncmp(p + 2, option, length) == 0 &&
            ends_name(p[2 + length]))
            return p + 2 + length;
    return NULL;
}

/* The text behind the option and the word for its value, or in the next line. */
static void take(const char *behind, char *out, size_t size)
{
    const char *end = behind + strcspn(behind, "\n"), *text = behind;

    while (text < end && !(text[0] == ' ' && text[1] == ' '))
        text++;
    if (text == end && behind[0] == ' ') /* no column: "-M, --metric METRICS formulas ..." */
        text = behind + 1 + strcspn(behind + 1, " \n");
    if (text[0] != ' ' || (text[1] == '-' && text[2] != ' ')) /* another option */
        text = end[0] == '\n' && end[1] == ' ' ? end + 1 : end;
    text += strspn(text, " ");
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
}

void complete_about(const struct cli_verb *verb, const char *option, char *out, size_t size)
{
    const char *const parts[] = { verb->brief, verb->full, verb->rest };

    out[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && out[0] == '\0'; i++)
        for (const char *line = parts[i]; line && *line; line += strcspn(line, "\n")) {
            line += *line == '\n';
            const char *behind = find_in_line(line, strcspn(line, "\n"), option);
            if (behind) {
                take(behind, out, size);
                break;
            }
        }
}
