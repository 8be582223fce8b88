/* SPDX-License-Identifier: MIT */
/* Functions of a shared library by their names. */
#include "process/library.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX has pointers to functions and to data of one size; C does not convert them. */
void cli_library_find(void *library, const char *name, void *function, const char **missing)
{
    void *symbol = dlsym(library, name);

    if (!symbol)
        *missing = name;
    memcpy(function, &symbol, sizeof symbol);
}
