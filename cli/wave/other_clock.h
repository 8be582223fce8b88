/* SPDX-License-Identifier: MIT */
/* Signals that change with another clock than the one that counts them. */
#ifndef PC_CLI_OTHER_CLOCK_H
#define PC_CLI_OTHER_CLOCK_H

#include "pcounter/pcounter.h"

#define CLI_NO_CLOCK SIZE_MAX

/*
 * other[i]: the variable of a clock with whose edges bit[i] changes, and not with those of `clock`,
 * or CLI_NO_CLOCK.  Clocks are told by their names.  `wave` is open on the file of `desc`, the
 * beginning of which is read a second time, if there is another clock in it; what does not change
 * there is not told.  false: nothing is known, of a pipe for instance.
 */
bool cli_other_clocks(const struct pc_wave *wave, const struct pc_wave_desc *desc,
                      const struct pc_wave_clock *clock, const struct pc_wave_bit *bit, size_t bits,
                      size_t *other);

#endif
