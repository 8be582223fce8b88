/* SPDX-License-Identifier: MIT */
/* What only this folder asks of a distribution (dist.c). */
#ifndef PC_MEASURE_DIST_H
#define PC_MEASURE_DIST_H

#include "pcounter/measure.h"

/* Different values that are kept, at most, instead of PC_DIST_DISTINCT.  Before the first value. */
void pc_dist_limit(struct pc_dist *dist, size_t most);

#endif
