/* SPDX-License-Identifier: MIT */
/* pcounter stat -I --format vcd: intervals as a waveform. */
#ifndef PC_CLI_STAT_VCD_H
#define PC_CLI_STAT_VCD_H

#include "stat_interval.h"

struct stat_vcd {
    FILE *out;
    const struct stat_options *o;
    const struct stat_plan *plan;
    int exponent; /* a unit is 10^this seconds, */
    double unit;  /* so many */
    uint64_t end; /* of the last interval */
};

/* An exit code: intervals whose times a VCD cannot have. */
int stat_vcd_check(const struct stat_options *o, const struct stat_timeline *t);
void stat_vcd_open(struct stat_vcd *v, FILE *out, const struct stat_options *o,
                   const struct stat_plan *plan, const struct stat_timeline *t);
/* Before the first one. */
void stat_vcd_begin(struct stat_vcd *v);
void stat_vcd_add(struct stat_vcd *v, const struct stat_result *result);
/* Behind the last one. */
void stat_vcd_end(struct stat_vcd *v);

#endif
