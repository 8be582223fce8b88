/* SPDX-License-Identifier: MIT */
/* Signals that are clocks and resets by their names. */
#include "lang/bus/find.h"

#include <string.h>

/* The token that is a word of that kind, with at most a short prefix glued to it. */
static bool is_clock_word(const char *token, const char *word, size_t *prefix, const char **after)
{
    const char *at = strstr(token, word);

    if (!at || at - token > 8)
        return false;
    *prefix = (size_t)(at - token);
    *after = at + strlen(word);
    return true;
}

static bool is_clock(const struct bus_words *w, struct bus_clock *c, size_t *tokens, size_t *glued)
{
    static const char *const word[] = { "clock", "clk", "reset", "rst" };

    for (size_t t = w->count; t-- > 0;) {
        const char *after;
        for (size_t k = 0; k < 4; k++) {
            if (!is_clock_word(w->token[t], word[k], glued, &after))
                continue;
            c->is_reset = k >= 2;
            c->low = c->is_reset && (strcmp(after, "n") == 0 || strcmp(after, "ni") == 0 ||
                                     (*glued == 1 && w->token[t][0] == 'n'));
            *tokens = t;
            return *after == '\0' || pc_bus_is_number(after) || c->low;
        }
        if (!pc_bus_is_one_of(w->token[t], "i o n b ni no in l") && !pc_bus_is_number(w->token[t]))
            return false;
    }
    return false;
}

void pc_bus_read_clock(struct bus_finder *f, size_t signal)
{
    const char *name = f->signal[signal].name, *dot = strrchr(name, '.');
    const size_t scope = dot ? (size_t)(dot - name) + 1 : 0;
    struct bus_clock c = { .signal = signal };
    struct bus_words w;
    size_t token, glued;
    char prefix[BUS_LEAF + BUS_TOKENS] = "";

    if (f->signal[signal].width != 1 || !pc_bus_split(name + scope, strlen(name + scope), &w) ||
        w.count == 0 || !is_clock(&w, &c, &token, &glued))
        return;
    for (size_t t = token + 1; t < w.count; t++)
        c.low = c.low || (c.is_reset && pc_bus_is_one_of(w.token[t], "n b ni no l"));
    for (size_t t = 0; t < token; t++)
        if (t > 0 || !pc_bus_is_one_of(w.token[t], "i o"))
            strcat(prefix, w.token[t]);
    if (glued > 0 && !(glued == 1 && strchr("ahpn", w.token[token][0])))
        strncat(prefix, w.token[token], glued);
    c.scope = pc_bus_text(f, name, scope);
    c.prefix = pc_bus_text(f, prefix, strlen(prefix));
    if (f->no_memory || !pc_grow(&f->alloc, (void **)&f->clock, &f->clock_capacity, f->clocks + 1,
                                 sizeof *f->clock)) {
        f->no_memory = true;
        return;
    }
    f->clock[f->clocks++] = c;
}
