/* SPDX-License-Identifier: MIT */
#include "wave/library.h"

#include <dlfcn.h>
#include <string.h>

enum pc_status wv_library_load(const char *soname, unsigned code, void **out, struct pc_error *err)
{
    const char *why;

    *out = dlopen(soname, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (*out)
        return PC_OK;
    why = dlerror();
    return pc_fail(err, code, "%.300s", why ? why : soname);
}

void wv_library_unload(void *library)
{
    if (library)
        dlclose(library);
}

/* POSIX has pointers to functions and to data of one size; C does not convert them. */
void wv_library_find(void *library, const char *name, void *function, const char **missing)
{
    void *symbol = dlsym(library, name);

    if (!symbol)
        *missing = name;
    memcpy(function, &symbol, sizeof symbol);
}
