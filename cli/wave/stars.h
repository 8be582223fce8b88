/* SPDX-License-Identifier: MIT */
/*
 * Names with stars: 'port[*].valid & port[*].ready' is an expression for each text that the star
 * can stand for. The n-th star of every name stands for the same text; a star has no dot in it.
 */
#ifndef PC_CLI_STARS_H
#define PC_CLI_STARS_H

#include "wave/event_list.h"
#include "pcounter/pcounter.h"

enum { CLI_STARS = 8, CLI_STAR_ROWS = 4096 };

/* Returns true if a name of the text has a star. */
bool cli_has_star(const char *text);
/*
 * Gives each expression for which the waveform has all names, in the order of its variables, with
 * what the stars stand for: ".0", ".0.cpu". None, or more than CLI_STAR_ROWS, is an error. The
 * texts are the caller's to free. An exit code.
 */
int cli_expand_stars(const struct pc_wave *wave, const struct cli_place *place, const char *text,
                     int (*take)(void *ctx, char *text, const char *stars), void *ctx);

#endif
