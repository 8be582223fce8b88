/* SPDX-License-Identifier: MIT */
/* A VCD as another writer would have written it: with the same values under other declarations. */
#ifndef PC_TESTS_HPM_WAVE_REWRITE_H
#define PC_TESTS_HPM_WAVE_REWRITE_H

#include <stdbool.h>

struct wave_rewrite {
    bool bits;  /* "x [3:0]" becomes "x [3]", "x [2]" ...: a variable a bit */
    bool index; /* "x" of one bit becomes "x [0]" */
    /* variables whose name ends in _n and whose values are the inverse, up to a NULL; may be NULL
     */
    const char *const *invert;
    const char *scope; /* of those; NULL: everywhere */
    const char
        *twice; /* with `bits`: this one is also declared whole, but never changes; or NULL */
};

/* from: plain or gzip.  to: room for 64 bytes; the caller unlinks it. */
void wave_rewrite(const struct wave_rewrite *how, const char *from, char to[64]);

#endif
