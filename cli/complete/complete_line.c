/* SPDX-License-Identifier: MIT */
/*
 * Quoting of bash, there and back.  Nothing is expanded: a variable stays as it is written, and a
 * line with a substitution of a command is not understood.
 */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

struct splitter {
    const char *at;
    const char *replaced; /* bash replaces from here on */
    struct complete_line *out;
    char *buffer; /* of the present word; as long as the line is */
    size_t used;
    bool in_word, target;
    enum complete_quote quote;
};

static bool end_word(struct splitter *s)
{
    struct complete_line *l = s->out;

    if (!s->in_word)
        return true;
    s->buffer[s->used] = '\0';
    l->word[l->words] = strdup(s->buffer);
    if (!l->word[l->words++])
        return false;
    s->in_word = false;
    s->used = 0;
    if (s->target) { /* is no word of the program */
        free(l->word[--l->words]);
        s->target = false;
    }
    return true;
}

static void add(struct splitter *s, char c)
{
    s->in_word = true;
    s->buffer[s->used++] = c;
}

/* Notes that the part of the word that bash keeps ends here. */
static void mark(struct splitter *s)
{
    if (s->at == s->replaced) {
        s->out->kept = s->used;
        s->out->quote = s->quote;
    }
}

/* A redirection: its number, if it has one, and where it goes are no words of the program. */
static bool redirect(struct splitter *s)
{
    if (s->in_word && strspn(s->buffer, "0123456789") >= s->used)
        s->in_word = false, s->used = 0;
    if (!end_word(s))
        return false;
    while (s->at[1] == '>' || s->at[1] == '<' || s->at[1] == '&' || s->at[1] == '|')
        s->at++;
    s->target = true;
    return true;
}

static bool bare(struct splitter *s)
{
    const char c = *s->at;

    if (c == ' ' || c == '\t' || c == '\n')
        return end_word(s);
    if (c == '<' || c == '>')
        return redirect(s);
    if (strchr("`;&|()", c) || (c == '$' && s->at[1] && strchr("('\"{[", s->at[1])))
        return false;
    if (c == '\'' || c == '"') {
        s->quote = c == '"' ? COMPLETE_DOUBLE : COMPLETE_SINGLE;
        s->in_word = true;
    } else if (c != '\\') {
        add(s, c);
    } else if (s->at[1]) {
        add(s, *++s->at);
    }
    return true;
}

static bool quoted(struct splitter *s)
{
    const char c = *s->at;

    if (c == (s->quote == COMPLETE_SINGLE ? '\'' : '"')) {
        s->quote = COMPLETE_BARE;
        return true;
    }
    if (s->quote == COMPLETE_DOUBLE && (c == '`' || (c == '$' && s->at[1] == '(')))
        return false;
    if (s->quote == COMPLETE_DOUBLE && c == '\\' && s->at[1] && strchr("$`\"\\", s->at[1]))
        s->at++;
    add(s, *s->at);
    return true;
}

bool complete_line_split(const char *line, const char *replaced, struct complete_line *out)
{
    const size_t size = strlen(line), end = strlen(replaced);
    struct splitter s = { .at = line, .out = out };
    bool ok = end <= size && strcmp(line + size - end, replaced) == 0;

    *out = (struct complete_line){ .words = 0 };
    s.buffer = malloc(size + 1);
    out->word = calloc(size + 2, sizeof *out->word); /* no more words than characters */
    ok = ok && s.buffer && out->word;
    for (s.replaced = line + size - end; ok && *s.at; s.at++) {
        mark(&s);
        ok = s.quote == COMPLETE_BARE ? bare(&s) : quoted(&s);
    }
    if (ok) {
        mark(&s);
        out->target = s.target;
        s.in_word = true; /* the one at the cursor, even if nothing of it is there */
        s.target = false;
        if (out->kept > s.used)
            out->kept = s.used;
        ok = end_word(&s);
    }
    free(s.buffer);
    if (!ok)
        complete_line_free(out);
    return ok;
}

void complete_line_free(struct complete_line *l)
{
    for (size_t i = 0; i < l->words; i++)
        free(l->word[i]);
    free(l->word);
    *l = (struct complete_line){ .words = 0 };
}

static bool needs_backslash(char c, bool first)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        (unsigned char)c >= 0x80)
        return false;
    return !strchr("_./:=,+@%-", c) || (first && c == '=');
}

bool complete_line_print(FILE *file, const char *text, enum complete_quote quote)
{
    if (quote == COMPLETE_DOUBLE && strchr(text, '!'))
        return false; /* bash looks for it in its history, and a backslash would stay */
    for (const char *p = text; *p; p++) {
        if (quote == COMPLETE_SINGLE && *p == '\'') {
            fputs("'\\''", file);
            continue;
        }
        if (quote == COMPLETE_DOUBLE ? strchr("$`\"\\", *p) != NULL
                                     : quote == COMPLETE_BARE && needs_backslash(*p, p == text))
            fputc('\\', file);
        fputc(*p, file);
    }
    return true;
}
