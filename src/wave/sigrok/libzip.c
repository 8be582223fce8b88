/* SPDX-License-Identifier: MIT */
/* libzip's functions by name, from the shared library that the build was made against. */
#include "wave/sigrok/libzip.h"

#include "wave/library.h"

enum pc_status sr_libzip_load(struct sr_libzip *z, struct pc_error *err)
{
    const char *missing = NULL;
    enum pc_status status = wv_library_load(PC_LIBZIP, 728, &z->library, err);

    if (status)
        return status;
#define SR_FIND(name) wv_library_find(z->library, "zip_" #name, &z->name, &missing);
    SR_LIBZIP_FUNCTIONS(SR_FIND)
#undef SR_FIND
    return missing ? pc_fail(err, 728, "%s has no %s", PC_LIBZIP, missing) : PC_OK;
}

void sr_libzip_unload(struct sr_libzip *z)
{
    wv_library_unload(z->library);
    z->library = NULL;
}
