/* SPDX-License-Identifier: MIT */
/* The edges at which a description's counters count, as text for --clock of `stat`. */
#include "described/described.h"

#include <stdlib.h>
#include <string.h>

/* Is the text one name, with a ! before it or not? */
static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_$.[]:";

    text += *text == '!';
    return *text != '\0' && text[strspn(text, letters)] == '\0';
}

/* Writes that the expression does not hold. */
static void put_not(FILE *out, const char *text)
{
    if (!is_name(text))
        fprintf(out, "!(%s)", text);
    else if (*text == '!')
        fputs(text + 1, out);
    else
        fprintf(out, "!%s", text);
}

char *described_clock_text(const struct described_wires *w)
{
    const struct described *d = w->d;
    const char *reset = d->desc.reset, *stopped = d->stopped;
    char path[DESCRIBED_PATH], *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    described_path(w, d->clock, path);
    fprintf(out, "%s%s%s", d->negative ? "negedge " : "", path, reset || stopped ? " iff " : "");
    if (reset)
        put_not(out, reset);
    if (reset && stopped)
        fputs(" & ", out);
    if (stopped)
        put_not(out, stopped);
    if (cli_collected(out, &text))
        return text;
    free(text);
    return NULL;
}
