/* SPDX-License-Identifier: MIT */
/* libzip's functions by name, from the shared library that the build was made against. */
#include "wave/sigrok/libzip.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

/* POSIX has pointers to functions and to data of one size; C does not convert them. */
static void find(const struct sr_libzip *z, const char *name, void *function, const char **missing)
{
    void *symbol = dlsym(z->library, name);

    if (!symbol)
        *missing = name;
    memcpy(function, &symbol, sizeof symbol);
}

enum pc_status sr_libzip_load(struct sr_libzip *z, struct pc_error *err)
{
    const char *missing = NULL, *why;

    /* It stays for the next session: to load it takes longer than to read a small one. */
    z->library = dlopen(PC_LIBZIP, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!z->library) {
        why = dlerror();
        return pc_fail(err, 728, "%.300s", why ? why : PC_LIBZIP);
    }
#define SR_FIND(name) find(z, "zip_" #name, &z->name, &missing);
    SR_LIBZIP_FUNCTIONS(SR_FIND)
#undef SR_FIND
    return missing ? pc_fail(err, 728, "%s has no %s", PC_LIBZIP, missing) : PC_OK;
}

void sr_libzip_unload(struct sr_libzip *z)
{
    if (z->library)
        dlclose(z->library);
    z->library = NULL;
}
