/* SPDX-License-Identifier: MIT */
/* The mutator of `sigrok`: lines of the metadata and pieces of samples (sigrok.c). */
#include "mutate.h"

#include <string.h>

enum { LINE = 1, PIECE };

static bool take(struct fields *f, struct input *in)
{
    const uint8_t *nul;

    if (in->end - in->at > 2 && memcmp(in->at, "PK", 2) == 0)
        return false; /* an archive as it is */
    (void)take_number(f, in, FIELD_U8);
    nul = memchr(in->at, 0, (size_t)(in->end - in->at));
    while (nul && in->at < nul) {
        const uint8_t *end = memchr(in->at, '\n', (size_t)(nul - in->at));
        const uint8_t *equals = memchr(in->at, '=', (size_t)((end ? end : nul) - in->at));
        take_record(f, LINE);
        if (equals)
            (void)take_bytes(f, in, (size_t)(equals + 1 - in->at));
        (void)take_bytes(f, in, (size_t)((end ? end + 1 : nul) - in->at));
    }
    take_record(f, 0);
    (void)take_number(f, in, FIELD_U8);
    while (in->at < in->end && !f->full) {
        take_record(f, PIECE);
        (void)take_number(f, in, FIELD_U8);
        const uint64_t size = take_length(f, in, FIELD_U16);
        (void)take_bytes(f, in, (size_t)size);
    }
    return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fields_mutate(take, data, size, max_size, seed);
}
