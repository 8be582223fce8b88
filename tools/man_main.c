/* SPDX-License-Identifier: MIT */
/*
 * Man pages of the verbs, of their rows of options and their texts: pcounter-VERB.1 for each, and
 * pcounter.1, which has the list of verbs in place of its line `.\" VERBS`.  The build runs it.
 *   man_main FOLDER DATE PCOUNTER.1
 *
 * A paragraph that begins with "Exit codes:" becomes the section of that.
 */
#include "man_text.h"
#include "opt/opt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define G(title) { title, NULL },
#define V(name)  { NULL, &cli_verb_##name },
static const struct {
    const char *title;
    const struct cli_verb *verb;
} verbs[] = {
#include "verbs.def"
};
#undef V
#undef G
enum { VERBS = sizeof verbs / sizeof verbs[0] };

/* Lines of the head: of usage, examples (indented) or paragraphs. */
enum kind { USAGE, EXAMPLE, PARAGRAPH };

static enum kind kind_of(const char *p, const char *end, enum kind before)
{
    if (starts(p, end, "usage: ") || (before == USAGE && starts(p, end, "       ")))
        return USAGE;
    return is_indented(p, end) ? EXAMPLE : PARAGRAPH;
}

static size_t print_head(FILE *f, struct part head, enum kind wanted)
{
    char *text = calloc(1, (size_t)(head.end - head.begin) + 1);
    size_t n = 0, lines = 0;
    enum kind kind = PARAGRAPH;

    if (!text)
        exit(CLI_LIMIT);
    for (const char *p = head.begin; p < head.end; p = next_line(p, head.end)) {
        const char *stop = next_line(p, head.end);
        if (*p != '\n')
            kind = kind_of(p, head.end, kind);
        if (kind != wanted)
            continue;
        if (wanted == USAGE && *p != '\n') {
            fputs(".Nm pcounter\n", f);
            print_escaped(f, p + 7 + strlen("pcounter "), line_end(p, head.end));
            fputc('\n', f);
            lines++;
            continue;
        }
        memcpy(text + n, p, (size_t)(stop - p));
        n += (size_t)(stop - p);
        lines += *p != '\n';
    }
    if (wanted != USAGE)
        print_text(f, part_of(text, text + n), false);
    free(text);
    return lines;
}

/* --- options --- */

static void print_value(FILE *f, const struct opt *row)
{
    const char *value = opt_value(row);

    if (!value)
        return;
    fputs(row->flags & OPT_MAYBE ? " Ns Oo = Ns Ar " : " Ar ", f);
    print_escaped(f, value, value + strlen(value));
    if (row->flags & OPT_MAYBE)
        fputs(" Oc", f);
}

static void print_options(FILE *f, const struct opt *rows)
{
    char brief[1000];

    fputs(".Bl -tag -width Ds\n", f);
    for (const struct opt *row = rows; row->name; row++) {
        opt_brief(row, brief, sizeof brief);
        fputs(".It ", f);
        if (row->letter)
            fprintf(f, "Fl %c , ", row->letter);
        fprintf(f, "Fl \\-%s", row->name);
        print_value(f, row);
        fputc('\n', f);
        print_sentences(f, brief, brief + strlen(brief));
        opt_more(row, brief, sizeof brief);
        if (brief[0]) {
            fputs(".br\n", f);
            print_sentences(f, brief, brief + strlen(brief));
        }
    }
    fputs(".El\n", f);
}

/* --- SEE ALSO --- */

enum { MOST = 40 };
struct references {
    char name[MOST][40]; /* "7 pcounter-expr" */
    size_t count;
};

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* pcounter-expr(7) in a text. */
static void find_references(struct references *r, const char *text, const char *own)
{
    for (const char *p = text; (p = strstr(p, "pcounter-")) != NULL; p++) {
        const size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz-");
        char name[40];
        bool known = false;
        if (p[n] != '(' || !isdigit((unsigned char)p[n + 1]) || p[n + 2] != ')' || n > 30)
            continue;
        snprintf(name, sizeof name, "%c %.*s", p[n + 1], (int)n, p);
        for (size_t i = 0; i < r->count; i++)
            known |= strcmp(r->name[i], name) == 0;
        if (!known && strcmp(name + 2, own) != 0 && r->count < MOST)
            memcpy(r->name[r->count++], name, sizeof name);
    }
}

static void print_references(FILE *f, struct references *r)
{
    qsort(r->name, r->count, sizeof r->name[0], compare);
    fputs(".Sh SEE ALSO\n", f);
    for (size_t i = 0; i < r->count; i++)
        fprintf(f, ".Xr %s %c%s\n", r->name[i] + 2, r->name[i][0], i + 1 < r->count ? " ," : "");
}

/* --- pages --- */

/* Sections of a text, those with headings and at last the exit codes. */
static void print_sections(FILE *f, struct part t, const char *macro, struct part *exit_codes)
{
    const char *p = first_part(t).end;

    while (p < t.end) {
        if (starts(p, t.end, "Exit codes:")) {
            const struct part rest = first_part(part_of(next_line(p, t.end), t.end));
            *exit_codes = part_of(p + strlen("Exit codes: "), rest.end);
            p = rest.end;
            continue;
        }
        if (starts(p, t.end, "See also")) { /* SEE ALSO has them */
            p = first_part(part_of(next_line(p, t.end), t.end)).end;
            continue;
        }
        const char *stop = line_end(p, t.end);
        fprintf(f, "%s %.*s\n", macro, (int)(stop - p), p);
        const struct part body = first_part(part_of(next_line(p, t.end), t.end));
        print_text(f, body, false);
        p = body.end;
    }
}

static struct part text_of(const struct cli_verb *verb, const struct opt_line *line,
                           struct part *head)
{
    static const char mark[] = "\nOPTIONS\n";
    const char *text = opt_help_text(line->help ? line->help : verb->name);
    const char *options = strstr(text, mark);

    *head = part_of(text, options + 1);
    return part_of(options + strlen(mark), text + strlen(text));
}

static void print_exit_codes(FILE *f, struct part codes)
{
    if (!codes.begin)
        return;
    fputs(".Sh EXIT STATUS\n", f);
    print_text(f, codes, false);
}

static void print_page(FILE *f, const struct cli_verb *verb, const char *date)
{
    struct part head, other, codes = { NULL, NULL }, none;
    const struct part body = text_of(verb, verb->line, &head);
    struct references references = { .name = { "1 pcounter" }, .count = 1 };
    char own[40];

    snprintf(own, sizeof own, "pcounter-%s", verb->name);
    fprintf(f, ".\\\" Made of cli/%s by tools/man_main.c.\n.Dd %s\n.Dt PCOUNTER-", verb->name,
            date);
    for (const char *p = verb->name; *p; p++)
        fputc(toupper((unsigned char)*p), f);
    fprintf(f, " 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", own);
    print_escaped(f, verb->summary, verb->summary + strlen(verb->summary));
    fputs("\n.Sh SYNOPSIS\n", f);
    (void)print_head(f, head, USAGE);
    fputs(".Sh DESCRIPTION\n", f);
    const size_t lines = print_head(f, head, PARAGRAPH);
    print_text(f, first_part(body), lines > 0);
    fputs(".Sh OPTIONS\n", f);
    print_options(f, verb->line->row);
    print_sections(f, body, ".Sh", &codes);
    find_references(&references, head.begin, own);
    if (verb->other) {
        const struct part more = text_of(verb, verb->other, &other);
        fprintf(f, ".Sh OPTIONS WITH \\-\\-%s\n", verb->other->form + 2);
        (void)print_head(f, other, PARAGRAPH);
        print_options(f, verb->other->row);
        print_text(f, first_part(more), true);
        print_sections(f, more, ".Ss", &none);
        find_references(&references, other.begin, own);
    }
    print_exit_codes(f, codes);
    fputs(".Sh EXAMPLES\n", f);
    (void)print_head(f, head, EXAMPLE);
    if (verb->other)
        (void)print_head(f, other, EXAMPLE);
    for (const struct opt *row = verb->line->row; row->name; row++) {
        char brief[1000];
        opt_brief(row, brief, sizeof brief);
        find_references(&references, brief, own);
        opt_more(row, brief, sizeof brief);
        find_references(&references, brief, own);
    }
    print_references(f, &references);
}

static void print_verbs(FILE *f)
{
    for (size_t i = 0; i < VERBS; i++) {
        const struct cli_verb *verb = verbs[i].verb;
        if (!verb) {
            fprintf(f, "%s%s:\n.Bl -tag -width decode\n", i > 0 ? ".El\n.Pp\n" : "",
                    verbs[i].title);
            continue;
        }
        fprintf(f, ".It Cm %s\n", verb->name);
        print_escaped(f, verb->summary, verb->summary + strlen(verb->summary));
        fprintf(f, "\n");
    }
    fputs(".El\n", f);
}

/* --- files --- */

static FILE *open_page(const char *folder, const char *name)
{
    char path[CLI_PATH];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "man_main: cannot write %s\n", path);
        exit(CLI_INPUT);
    }
    return f;
}

static void close_page(FILE *f)
{
    if (fclose(f) != 0)
        exit(CLI_INPUT);
}

static void print_overview(const char *folder, const char *source)
{
    FILE *in = fopen(source, "r"), *f = open_page(folder, "pcounter.1");
    char line[1000];

    if (!in) {
        fprintf(stderr, "man_main: cannot read %s\n", source);
        exit(CLI_INPUT);
    }
    while (fgets(line, sizeof line, in))
        if (strcmp(line, ".\\\" VERBS\n") == 0)
            print_verbs(f);
        else
            fputs(line, f);
    fclose(in);
    close_page(f);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: man_main FOLDER DATE PCOUNTER.1\n", stderr);
        return CLI_INPUT;
    }
    for (size_t i = 0; i < VERBS; i++) {
        char name[60];
        if (!verbs[i].verb || !verbs[i].verb->line)
            continue;
        snprintf(name, sizeof name, "pcounter-%s.1", verbs[i].verb->name);
        FILE *f = open_page(argv[1], name);
        print_page(f, verbs[i].verb, argv[2]);
        close_page(f);
    }
    print_overview(argv[1], argv[3]);
    return CLI_OK;
}
