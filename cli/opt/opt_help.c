/* SPDX-License-Identifier: MIT */
/*
 * -h and --help: the text of cli/VERB/NAME.help, with the rows in place of its line OPTIONS.  What
 * comes after that line, and rare options, are for --help.
 */
#include "opt/opt.h"

#include <string.h>

/* Made by the build. */
#include "help.inc"

enum { COLUMN = 23, MORE = COLUMN + 2, WIDTH = 79 };

const char *opt_help_text(const char *name)
{
    for (size_t i = 0; i < sizeof help_rows / sizeof help_rows[0]; i++)
        if (strcmp(help_rows[i].name, name) == 0)
            return help_text + help_rows[i].begin;
    return NULL;
}

const char *opt_value(const struct opt *row)
{
    return row->value ? row->value : row->kind->value;
}

/* "taint, zero, one or error" */
static void list_words(const struct opt *row, char *out, size_t size)
{
    const char *word;
    size_t used = 0;

    for (size_t i = 0; (word = row->kind->word(row, i)) != NULL && used < size; i++) {
        const char *joint = i == 0 ? "" : row->kind->word(row, i + 1) ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", joint, word);
    }
}

void opt_brief(const struct opt *row, char *out, size_t size)
{
    const char *brief = row->brief ? row->brief : row->kind->brief;

    out[0] = '\0';
    if (brief)
        snprintf(out, size, "%s", brief);
    else if (row->kind->word)
        list_words(row, out, size);
}

void opt_more(const struct opt *row, char *out, size_t size)
{
    const char *more = row->more || row->brief ? row->more : row->kind->more;

    out[0] = '\0';
    if (more)
        snprintf(out, size, "%s", more);
    else if (row->kind->add)
        row->kind->add(row, out, size);
}

void opt_head(const struct opt *row, char *out, size_t size)
{
    const char *value = opt_value(row);
    const bool maybe = row->flags & OPT_MAYBE;
    size_t n = 0;

    if (row->letter)
        n = (size_t)snprintf(out, size, "-%c, ", row->letter);
    n += (size_t)snprintf(out + n, size - n, "--%s", row->name);
    if (value)
        snprintf(out + n, size - n, "%s%s%s", maybe ? "[=" : " ", value, maybe ? "]" : "");
}

/* Prints the words of the text from column `left` on; the line is at `column`. */
static void print_wrapped(FILE *file, const char *text, size_t column, size_t left)
{
    bool begun = false;

    while (*text) {
        const size_t n = strcspn(text, " ");
        if ((begun && column + 1 + n > WIDTH) || (!begun && column + 2 > left)) {
            fputc('\n', file);
            column = 0;
            begun = false;
        }
        column +=
            (size_t)fprintf(file, "%*s%.*s", begun ? 1 : (int)(left - column), "", (int)n, text);
        begun = true;
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', file);
}

static void print_row(FILE *file, const struct opt *row, bool full)
{
    char head[100], brief[1000];

    opt_head(row, head, sizeof head);
    opt_brief(row, brief, sizeof brief);
    print_wrapped(file, brief, (size_t)fprintf(file, "  %s%s", row->letter ? "" : "    ", head),
                  COLUMN);
    opt_more(row, brief, sizeof brief);
    if (full && brief[0])
        print_wrapped(file, brief, 0, MORE);
}

void opt_print_help(FILE *file, const struct cli_verb *verb, const struct opt_line *line, bool full)
{
    static const char mark[] = "\nOPTIONS\n";
    const char *text = opt_help_text(line->help ? line->help : verb->name);
    const char *options = strstr(text, mark);

    fwrite(text, 1, (size_t)(options - text) + 1, file);
    for (const struct opt *row = line->row; row->name; row++)
        if (full || !(row->flags & OPT_RARE))
            print_row(file, row, full);
    if (full)
        fputs(options + sizeof mark - 1, file);
}
