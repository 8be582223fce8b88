/* SPDX-License-Identifier: MIT */
/* See json_lines.h. */
#include "json_lines.h"

#include <inttypes.h>
#include <stdlib.h>

struct cli_lines *cli_lines_new(void)
{
    struct cli_lines *lines = calloc(1, sizeof *lines);

    if (!lines)
        cli_no_memory();
    return lines;
}

void cli_lines_free(struct cli_lines *lines)
{
    free(lines);
}

static void fail(struct cli_lines *l)
{
    if (!l->failed)
        cli_no_memory();
    l->failed = true;
}

FILE *cli_line_open(struct cli_lines *l, FILE *out, const char *type)
{
    l->out = out;
    l->text = NULL;
    l->line = l->failed ? NULL : open_memstream(&l->text, &l->size);
    if (l->line)
        fprintf(l->line, "{ \"type\": \"%s\", \"seq\": %" PRIu64, type, l->seq);
    else
        fail(l);
    return l->line;
}

FILE *cli_line_begin(struct cli_lines *l, FILE *out, const char *schema)
{
    l->seq = 0;
    FILE *f = cli_line_open(l, out, "begin");
    if (f)
        fprintf(f, ", \"$schema\": \"%s\"", schema);
    return f;
}

FILE *cli_line_item(struct cli_lines *l, FILE *out, const char *name)
{
    FILE *f = cli_line_open(l, out, "item");

    if (f)
        fprintf(f, ", \"%s\": ", name);
    return f;
}

FILE *cli_line_end(struct cli_lines *l, FILE *out, bool partial)
{
    FILE *f = cli_line_open(l, out, "end");

    if (f)
        fprintf(f, ", \"items\": %" PRIu64 ", \"partial\": %s", l->seq - 1,
                partial ? "true" : "false");
    return f;
}

/*
 * Blanks and ends of lines outside of strings are one blank: a string has no end of a line.  In
 * place, with an end of the line after it; the size that is left.
 */
static size_t put_on_one_line(char *text, size_t size)
{
    bool quoted = false;
    size_t to = 0;

    for (size_t i = 0; i < size; i++) {
        const char c = text[i] == '\n' ? ' ' : text[i];
        if (!quoted && c == ' ' && to > 0 && text[to - 1] == ' ')
            continue;
        text[to++] = c;
        if (quoted && c == '\\' && i + 1 < size)
            text[to++] = text[++i];
        else if (c == '"')
            quoted = !quoted;
    }
    text[to++] = '\n'; /* a stream in memory has room for a NUL there */
    return to;
}

void cli_line_close(struct cli_lines *l)
{
    fputs(" }", l->line);
    if (cli_collected(l->line, &l->text))
        fwrite(l->text, 1, put_on_one_line(l->text, l->size), l->out);
    else
        fail(l);
    free(l->text);
    l->line = NULL;
    l->seq++;
    cli_flush(l->out);
}
