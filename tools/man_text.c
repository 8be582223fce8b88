/* SPDX-License-Identifier: MIT */
#include "man_text.h"

#include <ctype.h>
#include <string.h>

const char *line_end(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));

    return newline ? newline : end;
}

const char *next_line(const char *p, const char *end)
{
    p = line_end(p, end);
    return p < end ? p + 1 : end;
}

bool starts(const char *p, const char *end, const char *text)
{
    return (size_t)(end - p) >= strlen(text) && strncmp(p, text, strlen(text)) == 0;
}

/* Characters that mean something to roff; `code` in quotes, which may reach over several lines. */
static void print_quoted(FILE *f, const char *p, const char *end, bool *open)
{
    if (p < end && (*p == '.' || *p == '\''))
        fputs("\\&", f);
    for (; p < end; p++)
        if (*p == '\\')
            fputs("\\e", f);
        else if (*p == '-')
            fputs("\\-", f);
        else if (*p == '`')
            fputs((*open = !*open) ? "\\(oq" : "\\(cq", f);
        else
            fputc(*p, f);
}

void print_escaped(FILE *f, const char *p, const char *end)
{
    bool open = false;

    print_quoted(f, p, end, &open);
}

/* Does a sentence end with this word?  The next one begins a new line in mdoc. */
static bool ends_sentence(const char *begin, const char *end, const char *text_end)
{
    const char *next = end + strspn(end, " ");

    return end > begin + 1 && end[-1] == '.' && end[-2] != '.' && next < text_end &&
           (isupper((unsigned char)*next) || *next == '-' || *next == '`');
}

/* Word by word, on lines of a moderate length. */
void print_sentences(FILE *f, const char *p, const char *end)
{
    enum { WIDTH = 58 }; /* escapes make it longer */
    char line[8192];
    size_t n = 0;
    bool open = false;

    while (p < end) {
        const size_t word =
            strcspn(p, " ") < (size_t)(end - p) ? strcspn(p, " ") : (size_t)(end - p);
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%.*s", n ? " " : "", (int)word, p);
        const bool ended = ends_sentence(p, p + word, end);
        p += word;
        p += p < end ? strspn(p, " ") : 0;
        if (p < end && !ended && n < WIDTH)
            continue;
        print_quoted(f, line, line + n, &open);
        fputc('\n', f);
        n = 0;
    }
}

static bool is_heading(const char *p, const char *end)
{
    const char *stop = line_end(p, end);

    if (stop - p < 3 || !isupper((unsigned char)*p))
        return false;
    for (; p < stop; p++)
        if (!isupper((unsigned char)*p) && !strchr(" ,-", *p))
            return false;
    return true;
}

bool is_indented(const char *p, const char *end)
{
    return starts(p, end, "  ");
}

void print_text(FILE *f, struct part t, bool begun)
{
    const char *p = t.begin;
    bool apart = false; /* a blank line came before */

    while (p < t.end) {
        const char *stop;
        if (*p == '\n') {
            apart = begun;
            p++;
        } else if (is_indented(p, t.end)) {
            fprintf(f, ".Bd -literal%s\n", apart || !begun ? "" : " -compact");
            for (; p < t.end && is_indented(p, t.end); p = next_line(p, t.end)) {
                print_escaped(f, p + 2, line_end(p, t.end));
                fputc('\n', f);
            }
            fputs(".Ed\n", f);
            begun = true;
            apart = false;
        } else {
            if (apart)
                fputs(".Pp\n", f);
            char joined[8192];
            size_t n = 0;
            for (; p < t.end && *p != '\n' && !is_indented(p, t.end); p = next_line(p, t.end)) {
                stop = line_end(p, t.end);
                n += (size_t)snprintf(joined + n, sizeof joined - n, "%s%.*s", n ? " " : "",
                                      (int)(stop - p), p);
            }
            print_sentences(f, joined, joined + n);
            begun = true;
            apart = false;
        }
    }
}

struct part first_part(struct part t)
{
    const char *p = t.begin;

    while (p < t.end && !is_heading(p, t.end) && !starts(p, t.end, "Exit codes:") &&
           !starts(p, t.end, "See also"))
        p = next_line(p, t.end);
    return part_of(t.begin, p);
}
