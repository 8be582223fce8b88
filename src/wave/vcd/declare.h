/* SPDX-License-Identifier: MIT */
/* The sections of a VCD's declarations, as words with one blank between them. */
#ifndef PC_WAVE_VCD_DECLARE_H
#define PC_WAVE_VCD_DECLARE_H

#include "wave/vcd/vcd.h"

/* words.c */
bool vcd_is(const char *word, size_t length, const char *what);
/* Returns true if it is a section of the declarations. */
bool vcd_is_section(const char *word, size_t length);
/* Reads the words up to $end into v->section.  `is_free`: any text, of which a part is kept. */
enum pc_status vcd_read_section(struct vcd *v, const char *name, bool is_free,
                                struct pc_error *err);
/* Adds a word to it; at most `limit` bytes in all. */
enum pc_status vcd_append_word(struct vcd *v, const char *word, size_t length, size_t limit,
                               struct pc_error *err);
/* Takes the next word off the section; an empty one at its end. */
const char *vcd_take(const struct vcd *v, size_t *from, size_t *length);
/* Reports an error of the hierarchy that happened at the section just read. */
enum pc_status vcd_placed(const struct vcd *v, enum pc_status status, struct pc_error *err);

/* var.c */
enum pc_status vcd_var(struct vcd *v, struct pc_error *err);

#endif
