/* SPDX-License-Identifier: MIT */
/* Facts about what was counted, and how: a list of names and texts. */
#include "timeline.h"

#include <inttypes.h>

void timeline_say(struct timeline_facts *f, const char *name, const char *value)
{
    f->fact[f->count++] = (struct timeline_fact){ name, value };
}

void timeline_say_number(struct timeline_facts *f, const char *name, uint64_t value)
{
    char *text = f->text[f->count];

    snprintf(text, sizeof f->text[0], "%" PRIu64, value);
    timeline_say(f, name, text);
}

void timeline_say_complete(struct timeline_facts *f, const char *cut)
{
    f->cut = cut;
    if (cut)
        snprintf(f->text[f->count], sizeof f->text[0], "no: %s", cut);
    timeline_say(f, "complete", cut ? f->text[f->count] : "yes");
}
