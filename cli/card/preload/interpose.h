/* SPDX-License-Identifier: MIT */
/*
 * For files whose functions stand before those of libc.  They have the types of libc, as it is: not
 * as headers rename or wrap it.  Included before all others.
 */
#ifndef PC_CARD_INTERPOSE_H
#define PC_CARD_INTERPOSE_H

#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE

#include <dlfcn.h>
#include <string.h>

#include "preload.h"

/* Some have no prototype in a header. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define PUBLIC __attribute__((visibility("default")))

/* Returns the function that has that name without these. */
static inline void *real_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        card_give_up("libc lacks a function that the card needs");
    return found;
}
#define REAL_OF(name, type)                                                                        \
    static __typeof__(type) *function;                                                             \
    if (!function) {                                                                               \
        void *found = real_function(name);                                                         \
        memcpy(&function, &found, sizeof function);                                                \
    }
#define REAL(name) REAL_OF(#name, name)

#endif
