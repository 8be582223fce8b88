/* SPDX-License-Identifier: MIT */
/* The list of candidates, and the words that the line has so far: shared by all kinds of
 * candidates. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST = 20000 };

static bool fits(const struct complete *c, const char *text)
{
    const char *typed = c->word + c->from;
    const size_t n = strlen(typed);

    for (const char *p = text; *p;) { /* what cannot be shown is not offered */
        size_t size = cli_character(p);
        if (size == 0)
            return false;
        p += size;
    }
    return c->fold ? strncasecmp(text, typed, n) == 0 : strncmp(text, typed, n) == 0;
}

void complete_offer(struct complete *c, const char *text, const char *about)
{
    if (c->count == MOST || !fits(c, text) ||
        (c->count > 0 && strcmp(c->candidate[c->count - 1].text, text) == 0))
        return;
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        void *more = realloc(c->candidate, capacity * sizeof *c->candidate);
        if (!more)
            return;
        c->candidate = more;
        c->capacity = capacity;
    }
    struct complete_candidate *added = &c->candidate[c->count];
    added->text = strdup(text);
    added->about = strdup(about ? about : "");
    if (added->text && added->about) {
        c->count++;
    } else {
        free(added->text);
        free(added->about);
    }
}

const char *complete_given(const struct complete *c, const char *option)
{
    for (size_t i = c->givens; i-- > 0;)
        if (strcmp(c->given[2 * i], option) == 0)
            return c->given[2 * i + 1];
    return NULL;
}
