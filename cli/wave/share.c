/* SPDX-License-Identifier: MIT */
/* Shares as metrics.  See share.h. */
#include "wave/share.h"

#include <stdlib.h>
#include <string.h>

int cli_share_of(struct cli_shares *s, const char *name, bool level)
{
    void *array = s->of;
    struct cli_share_of *new = cli_one_more(&array, &s->capacity, &s->count, sizeof *new);

    s->of = array;
    if (!new)
        return cli_no_memory();
    *new = (struct cli_share_of){ name, level };
    return CLI_OK;
}

/* Returns true if a metric can be called so. */
static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '$';
}

/* Returns true if there is a line for the word already. */
static bool is_there(const struct cli_shares *s, const char *word, size_t size)
{
    fflush(s->out);
    for (const char *at = s->text; at && *at; at = strchr(at, '\n') + 1)
        if (strncmp(at, word, size) == 0 && at[size] == ' ')
            return true;
    return false;
}

static bool ends_with(const char *word, size_t size, const char *end)
{
    const size_t n = strlen(end);

    return size > n && memcmp(word + size - n, end, n) == 0;
}

/* Writes "fsm.IDLE.share = fsm.IDLE.cycles / fsm.samples ratio" for a word that is one. */
static void add_share(const struct cli_shares *s, const char *word, size_t size)
{
    static const char share[] = ".share", full[] = ".full";

    for (size_t i = 0; i < s->count; i++) {
        const char *name = s->of[i].name;
        const size_t n = strlen(name);
        if (size <= n || strncmp(word, name, n) != 0 || word[n] != '.' || is_there(s, word, size))
            continue;
        if (s->of[i].level && size == n + sizeof full - 1 && ends_with(word, size, full))
            fprintf(s->out, "%.*s = %s.full_cycles / %s.count ratio\n", (int)size, word, name,
                    name);
        if (!s->of[i].level && size > n + sizeof share && ends_with(word, size, share))
            fprintf(s->out, "%.*s = %.*s.cycles / %s.samples ratio\n", (int)size, word,
                    (int)(size - (sizeof share - 1)), word, name);
    }
}

int cli_share_words(struct cli_shares *s, const char *text)
{
    if (s->count > 0 && !s->out && !(s->out = open_memstream(&s->text, &s->size)))
        return cli_no_memory();
    while (s->count > 0 && *text) {
        size_t n = 0;
        while (in_name(text[n]))
            n++;
        if (n > 0 && (text[0] == '_' || text[0] > '9') && !strchr("[]", text[n] ? text[n] : ' '))
            add_share(s, text, n);
        text += n ? n : 1;
    }
    return CLI_OK;
}

int cli_shares_end(struct cli_shares *s, struct pc_metrics **out)
{
    struct pc_error err;
    int code = CLI_OK;

    *out = NULL;
    if (s->out && !cli_collected(s->out, &s->text))
        code = cli_no_memory();
    else if (s->out && s->size > 0 && pc_metrics_load(NULL, s->text, s->size, out, &err))
        code = cli_error(&err, NULL, NULL);
    free(s->text);
    free(s->of);
    return code;
}
