/* SPDX-License-Identifier: MIT */
/* See section.h. */
#include "wave/section.h"

#include <string.h>

enum { LEAST = 1 << 14, WORDS = 1 << 17, STAMPS = 1 << 16 };

void wv_section_begin(struct wv_section *s, const struct wv_hier *h,
                      const struct pc_wave_listener *listener)
{
    /* who ends a section may look at every stream: at most once a change */
    *s = (struct wv_section){ .h = h,
                              .listener = listener,
                              .most = h->codes > LEAST ? h->codes : LEAST };
}

void wv_section_free(struct wv_section *s)
{
    pc_free(&s->h->alloc, s->waiting, s->capacity * sizeof *s->waiting);
    pc_free(&s->h->alloc, s->word, s->words_capacity * sizeof *s->word);
    *s = (struct wv_section){ .h = s->h };
}

static size_t words_of(const struct wv_section *s, uint32_t code)
{
    return (s->h->code[code].width + (size_t)63) / 64;
}

void wv_section_over(struct wv_section *s)
{
    const struct pc_wave_listener *l = s->listener;
    const uint64_t *word = s->word;

    if (!s->begun)
        return;
    l->section(l->ctx, s->last, false);
    for (size_t i = 0; i < s->count; i++) {
        const struct wv_waiting *w = &s->waiting[i];
        const size_t words = w->event ? 0 : words_of(s, w->code);
        const struct pc_wave_changes c = { .code = w->code,
                                           .count = 1,
                                           .time = &w->time,
                                           .value = w->event ? NULL : word,
                                           .unknown = w->any_unknown ? word + words : NULL };
        l->take(l->ctx, &c);
        word += words + (w->any_unknown ? words : 0);
    }
    l->section(l->ctx, s->last, true);
    s->count = s->words = s->stamps = 0;
    s->begun = false;
}

void wv_section_stamp(struct wv_section *s, uint64_t time)
{
    const struct pc_wave_listener *l = s->listener;
    const bool cut = l->cut && l->in_order && l->cut(l->ctx, time);

    if (cut || s->count >= s->most || s->words >= WORDS || s->stamps >= STAMPS)
        wv_section_over(s);
    s->begun = true;
    s->stamps++;
    s->last = time;
}

bool wv_section_keep(struct wv_section *s, const struct pc_wave_changes *c)
{
    const size_t words = c->value ? words_of(s, c->code) : 0, both = c->unknown ? 2 * words : words;
    void *waiting = s->waiting, *word = s->word;
    const bool room =
        pc_grow(&s->h->alloc, &waiting, &s->capacity, s->count + 1, sizeof *s->waiting) &&
        pc_grow(&s->h->alloc, &word, &s->words_capacity, s->words + both + 1, sizeof *s->word);

    s->waiting = waiting;
    if (!room) /* the first may have grown all the same */
        return false;
    s->word = word;
    s->waiting[s->count++] = (struct wv_waiting){ .time = *c->time,
                                                  .code = c->code,
                                                  .any_unknown = c->unknown != NULL,
                                                  .event = c->value == NULL };
    if (words > 0)
        memcpy(s->word + s->words, c->value, words * sizeof *s->word);
    if (both > words)
        memcpy(s->word + s->words + words, c->unknown, words * sizeof *s->word);
    s->words += both;
    return true;
}
