/* SPDX-License-Identifier: MIT */
/* libjansson's functions by name, from the shared library that the build was made against. */
#include "diff/diff_jansson.h"
#include "process/library.h"

#include <dlfcn.h>
#include <stdlib.h>

/* A request was refused: the library goes on in places with what is cut, or calls it a mistake. */
static bool refused, at_limit;
static uint64_t left; /* bytes that it may still ask for, whatever it gives back */

static void *allocate(size_t size)
{
    const uint64_t taken = size + 16; /* what an allocator adds */
    void *p = NULL;

    at_limit |= taken > left;
    if (!at_limit) {
        left -= taken;
        p = malloc(size);
    }
    refused |= p == NULL;
    return p;
}

bool diff_jansson_refused(void)
{
    return refused;
}

bool diff_jansson_at_limit(void)
{
    return at_limit;
}

void diff_jansson_limit(uint64_t bytes)
{
    left = bytes;
    refused = at_limit = false;
}

const char *diff_jansson_load(struct diff_jansson *j)
{
    const char *missing = NULL;

    j->library = dlopen(PC_LIBJANSSON, RTLD_LAZY | RTLD_LOCAL);
    if (!j->library) {
        const char *why = dlerror();
        return why ? why : PC_LIBJANSSON;
    }
#define DIFF_FIND(name) cli_library_find(j->library, "json_" #name, &j->name, &missing);
    DIFF_JANSSON_FUNCTIONS(DIFF_FIND)
#undef DIFF_FIND
    if (!missing)
        j->set_alloc_funcs(allocate, free);
    return missing;
}

void diff_jansson_unload(struct diff_jansson *j)
{
    if (j->set_alloc_funcs)
        j->set_alloc_funcs(malloc, free); /* another user of it in this process has no limit */
    if (j->library)
        dlclose(j->library);
    j->library = NULL;
}
