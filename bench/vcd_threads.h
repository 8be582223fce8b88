/* SPDX-License-Identifier: MIT */
/* One reading of a VCD through the library, with the CPU time of each thread. */
#ifndef PC_BENCH_VCD_THREADS_H
#define PC_BENCH_VCD_THREADS_H

#include "vcd_make.h"

struct vcd_threads {
    const char *path;
    unsigned threads; /* 1 or 2 */
    const struct vcd_made *of;
    double slowest; /* CPU seconds of the thread that has the most */
};

/* Ends the program if the counts are wrong. */
void vcd_read_threads(struct vcd_threads *t);

#endif
