/* SPDX-License-Identifier: MIT */
/* How much time the cycles of a clock stand for, and what is said where samples differ in it. */
#ifndef PC_CLI_TIME_COUNTED_H
#define PC_CLI_TIME_COUNTED_H

#include "pcounter/pcounter.h"

/* Returns the time units between two times in which dumping was off, as far as the waveform was
 * read. */
uint64_t cli_time_off(const struct pc_wave *wave, uint64_t from, uint64_t to);

/* Writes a number of time units as --clock 'every ...' takes it: "2.5ns", or "25" where the unit is
 * not known. */
void cli_period_text(const struct pc_wave_info *info, uint64_t units, char out[48]);
/* A time of a waveform: "1,520 ns", or "time 1520" where its unit has no name; returns out. */
enum { CLI_TIME_TEXT = 64 };
const char *cli_time_text(const struct pc_wave_info *info, uint64_t time, char out[CLI_TIME_TEXT]);

/* Returns true if timestamps were evenly spaced but for their last digit, as those of a rate that
 * no unit divides.
 */
bool cli_is_rounded(const struct pc_wave_totals *stamps);
/* Were the timestamps that were samples not evenly spaced? */
bool cli_is_uneven(const struct pc_wave_totals *stamps);
/* Says so, of --clock sample, with the clock that fits. */
void cli_note_uneven(const struct pc_wave *wave, const char *path);

#endif
