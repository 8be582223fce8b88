/* SPDX-License-Identifier: MIT */
/* libjansson's functions by name, from the shared library that the build was made against. */
#include "diff/diff_jansson.h"
#include "process/library.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>

/*
 * A library that goes on after it was refused memory (2.14 writes past a string that did not grow)
 * is left at once, by a jump, and what it has taken is given back.
 */
static bool refused, at_limit;
static uint64_t left; /* bytes that it may still ask for, whatever it gives back */
static jmp_buf *away; /* where to; NULL: it is not reading */

struct block {
    struct block *next, *previous;
};
static struct block taken = { &taken, &taken }; /* the newest first */

static void *allocate(size_t size)
{
    const uint64_t bytes = size + 16; /* what an allocator adds */
    struct block *b = NULL;

    at_limit |= bytes > left;
    if (!at_limit && size <= SIZE_MAX - sizeof *b) {
        left -= bytes;
        b = malloc(sizeof *b + size);
    }
    refused |= b == NULL;
    if (!b && away)
        longjmp(*away, 1);
    if (!b)
        return NULL;
    *b = (struct block){ taken.next, &taken };
    b->next->previous = b;
    taken.next = b;
    return b + 1;
}

static void release(void *p)
{
    struct block *b = p;

    if (!p)
        return;
    b--;
    b->next->previous = b->previous;
    b->previous->next = b->next;
    free(b);
}

json_t *diff_jansson_parse(const struct diff_jansson *j, const char *text, size_t size,
                           json_error_t *wrong)
{
    const struct block *const oldest = taken.next; /* this, and what is older, stays */
    jmp_buf here;

    if (setjmp(here)) {
        away = NULL;
        while (taken.next != oldest)
            release(taken.next + 1);
        return NULL;
    }
    away = &here;
    json_t *json = j->loadb(text, size, JSON_REJECT_DUPLICATES, wrong);
    away = NULL;
    return json;
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
        j->set_alloc_funcs(allocate, release);
    return missing;
}

void diff_jansson_unload(struct diff_jansson *j)
{
    diff_jansson_limit(UINT64_MAX); /* who else uses it in this process has none */
    if (j->library)
        dlclose(j->library);
    j->library = NULL;
}
