/* SPDX-License-Identifier: MIT */
/* Keeps the warnings and notes of a reader: what is odd in a file, how it was read. */
#include "wave/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WARNINGS_MAX (sizeof((struct wv_hier *)0)->warning / sizeof(char *))

/* Counts a warning that is not kept: that there are more is said. */
static void count_more(struct wv_hier *h)
{
    h->more_warnings++;
    snprintf(h->more_text, sizeof h->more_text, "%llu more warning%s not listed",
             (unsigned long long)h->more_warnings, h->more_warnings == 1 ? " is" : "s are");
}

bool wv_warns(struct wv_hier *h)
{
    if (h->warnings < WARNINGS_MAX)
        return true;
    count_more(h);
    return false;
}

/* Keeps a text; returns false if there is no memory, which a warning is not worth failing for. */
static bool keep(struct wv_hier *h, const char *text, char **list, size_t *count)
{
    const size_t size = strlen(text) + 1;
    char *copy = h->alloc.resize(h->alloc.ctx, NULL, 0, size);

    if (!copy)
        return false;
    memcpy(copy, text, size);
    list[(*count)++] = copy;
    return true;
}

void wv_warn(struct wv_hier *h, const char *fmt, ...)
{
    char text[400];
    va_list args;

    if (!wv_warns(h))
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!keep(h, text, h->warning, &h->warnings))
        count_more(h);
}

void wv_note(struct wv_hier *h, const char *fmt, ...)
{
    char text[400];
    va_list args;

    if (h->notes == sizeof h->note / sizeof h->note[0])
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    (void)keep(h, text, h->note, &h->notes);
}

const char *wv_warning(const struct wv_hier *h, size_t i)
{
    if (i < h->warnings)
        return h->warning[i];
    return i == h->warnings && h->more_warnings ? h->more_text : NULL;
}
