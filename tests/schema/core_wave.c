/* SPDX-License-Identifier: MIT */
/*
 * usage: core_wave SEED DEFECT AT
 *
 * A waveform of a perf_counters of the tests' own, for calls of pcounter with --core; prints its
 * path.  DEFECT is a number of enum wave_defect, AT the clock in which it happens.
 */
#include "wave_make.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct wave_made made;

    if (argc != 4)
        return 2;
    const struct wave_plan plan = { .clocks = 900,
                                    .reset = 5,
                                    .seed = strtoull(argv[1], NULL, 10),
                                    .defect = (enum wave_defect)strtoul(argv[2], NULL, 10),
                                    .at = (unsigned)strtoul(argv[3], NULL, 10) };
    wave_make(&plan, &made);
    puts(made.path);
    return 0;
}
