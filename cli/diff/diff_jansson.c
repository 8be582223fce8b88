/* SPDX-License-Identifier: MIT */
/* libjansson's functions by name, from the shared library that the build was made against. */
#include "diff/diff_jansson.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX has pointers to functions and to data of one size; C does not convert them. */
static void find(const struct diff_jansson *j, const char *name, void *function,
                 const char **missing)
{
    void *symbol = dlsym(j->library, name);

    if (!symbol)
        *missing = name;
    memcpy(function, &symbol, sizeof symbol);
}

const char *diff_jansson_load(struct diff_jansson *j)
{
    const char *missing = NULL;

    j->library = dlopen(PC_LIBJANSSON, RTLD_LAZY | RTLD_LOCAL);
    if (!j->library) {
        const char *why = dlerror();
        return why ? why : PC_LIBJANSSON;
    }
#define DIFF_FIND(name) find(j, "json_" #name, &j->name, &missing);
    DIFF_JANSSON_FUNCTIONS(DIFF_FIND)
#undef DIFF_FIND
    return missing;
}

void diff_jansson_unload(struct diff_jansson *j)
{
    if (j->library)
        dlclose(j->library);
    j->library = NULL;
}
