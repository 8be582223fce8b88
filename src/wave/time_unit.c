/* SPDX-License-Identifier: MIT */
/* The units of time, by name and by power of ten. */
#include "pcounter/wave.h"

#include <string.h>

static const char *const units[] = { "s", "ms", "us", "ns", "ps", "fs", "as", "zs" };

const char *pc_time_unit(int exponent)
{
    const int i = -exponent / 3;

    return exponent <= 0 && exponent % 3 == 0 && i < (int)(sizeof units / sizeof units[0])
               ? units[i]
               : NULL;
}

bool pc_time_unit_find(const char *text, size_t length, int *exponent)
{
    for (int e = 0; e >= PC_TIME_UNIT_LEAST; e -= 3) {
        const char *name = pc_time_unit(e);
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            *exponent = e;
            return true;
        }
    }
    return false;
}
