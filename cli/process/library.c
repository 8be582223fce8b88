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

bool cli_library_no_memory(const char *why)
{
    static const char *const words[] = { "memory", "allocate", "cannot create", "map segment",
                                         "zero-fill" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(why, words[i]))
            return true;
    return false;
}
