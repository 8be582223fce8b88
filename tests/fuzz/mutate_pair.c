/* SPDX-License-Identifier: MIT */
/* The mutator of `pair`: changes of the content change places (content.c takes them in this form).
 */
#include "mutate.h"

enum { CHANGE = 1 };

static bool take(struct fields *f, struct input *in)
{
    (void)take_number(f, in, FIELD_U8);
    (void)take_number(f, in, FIELD_U8);
    const uint64_t signals = take_number(f, in, FIELD_U8) % 6;
    for (uint64_t i = 0; i <= signals; i++) /* widths, and the first time */
        (void)take_number(f, in, FIELD_U8);
    while (in->at < in->end && !f->full) {
        take_record(f, CHANGE);
        const uint64_t what = take_number(f, in, FIELD_U8);
        if (what & 0x10)
            (void)take_number(f, in, FIELD_U8);
        (void)take_number(f, in, FIELD_U8);
        if (what & 0x40)
            (void)take_number(f, in, FIELD_U8);
    }
    return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fields_mutate(take, data, size, max_size, seed);
}
