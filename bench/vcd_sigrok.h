/* SPDX-License-Identifier: MIT */
/* The VCD benchmark's peer sigrok-cli: what it says of the same signals. */
#ifndef PC_BENCH_VCD_SIGROK_H
#define PC_BENCH_VCD_SIGROK_H

#include <stdbool.h>

#include "vcd_make.h"

enum { VCD_SIGROK_TEXT = 64 };

/*
 * Its option -I for the first channels of a file, the selected signals and the clock among them:
 * it can leave out none in front of the last one.
 */
void vcd_sigrok_channels(const struct vcd_made *made, char text[VCD_SIGROK_TEXT]);

/*
 * Are the samples that it writes of such a file, as the bench has it written (-O binary), the
 * same signals: is each as often 1 in front of the clock's rising edges?  One more run of it.
 */
bool vcd_sigrok_is_right(const char *path, const struct vcd_made *made);

#endif
