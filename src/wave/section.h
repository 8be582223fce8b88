/* SPDX-License-Identifier: MIT */
/*
 * Sections of a waveform that is read in the order of time (pc_wave_listener.first): changes of the
 * other streams wait until those that come first were told.
 */
#ifndef PC_WAVE_SECTION_H
#define PC_WAVE_SECTION_H

#include "wave/reader.h"

/* A change that waits; its words follow those of the one before. */
struct wv_waiting {
    uint64_t time;
    uint32_t code;
    bool any_unknown, event;
};

struct wv_section {
    const struct wv_hier *h;
    const struct pc_wave_listener *listener;
    struct wv_waiting *waiting;
    uint64_t *word;
    size_t count, capacity, words, words_capacity;
    size_t most;   /* a section ends where it has that many, */
    size_t stamps; /* or many timestamps, as those that come first are kept by who hears them */
    bool begun;
    uint64_t last; /* its last timestamp */
};

void wv_section_begin(struct wv_section *s, const struct wv_hier *h,
                      const struct pc_wave_listener *listener);
void wv_section_free(struct wv_section *s);
/* A timestamp begins: ends the section before it, if it is long enough or the listener says so. */
void wv_section_stamp(struct wv_section *s, uint64_t time);
/* Keeps a change of one of the other streams; false: no memory. */
bool wv_section_keep(struct wv_section *s, const struct pc_wave_changes *c);
/* Tells what waits, as the end of a section; nothing if none was begun. */
void wv_section_over(struct wv_section *s);

#endif
