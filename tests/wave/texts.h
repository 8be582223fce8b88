/* SPDX-License-Identifier: MIT */
/* Waveforms written by a test: a temporary file for as long as it takes to open it. */
#ifndef PC_TESTS_WAVE_TEXTS_H
#define PC_TESTS_WAVE_TEXTS_H

#include "heap.h"

/* Writes the bytes into a file in the working folder; the name lives until the next call. */
const char *text_file(const void *bytes, size_t size);

/* Opens the bytes as a waveform; NULL and *err if refused.  The file is gone afterwards. */
struct pc_wave *text_try(const void *bytes, size_t size, const struct pc_wave_desc *desc,
                         struct pc_error *err);
/* Does the same for a text that must open. */
struct pc_wave *text_open(const char *text);

/* The variable of that name, which must be there. */
size_t text_find(const struct pc_wave *wave, const char *name);

/*
 * What a variable is at each timestamp: "0:x 5:1 10:10zx" (unknown bits as x), where it
 * changes or at the first stamp.  The text lives until the next call.
 */
const char *text_history(const char *text, const char *name);

/* Opens, reads everything and closes: PC_OK or the status of what failed first. */
enum pc_status text_read_all(const void *bytes, size_t size, const struct pc_wave_desc *desc,
                             struct pc_error *err);

/* The text must be refused, in open or in scan, with this code at this line (0: none). */
void text_refused(const char *text, unsigned code, unsigned line);

/* A test_scenario: text_read_all() of a struct text_bytes. */
struct text_bytes {
    const void *bytes;
    size_t size;
};
enum pc_status text_read_with(void *bytes, const struct pc_alloc *alloc, struct pc_error *err);

/* Names and widths of all variables: "clk:1 count:8" */
const char *text_variables(const char *text);
/* Fails unless reading it does, with this error at this place. */
void text_refused_at(const char *text, unsigned code, unsigned line, unsigned column);

#endif
