/* SPDX-License-Identifier: MIT */
/* The mutator of `mmio`: actions change places, and fields of one action change. */
#include "mmio.h"
#include "mutate.h"

enum { ACTION = 1 };

static bool take(struct fields *f, struct input *in)
{
    for (unsigned i = 0; i < MMIO_HEAD; i++)
        (void)take_number(f, in, FIELD_U8);
    while (in->end - in->at >= MMIO_ACTION && !f->full) {
        take_record(f, ACTION);
        (void)take_number(f, in, FIELD_U8); /* what */
        (void)take_number(f, in, FIELD_U8); /* how many bytes */
        (void)take_bytes(f, in, 2);
        (void)take_number(f, in, FIELD_U16); /* where */
        (void)take_number(f, in, FIELD_U8);
        (void)take_number(f, in, FIELD_U8);
        (void)take_number(f, in, FIELD_U32); /* the value */
        (void)take_number(f, in, FIELD_U32);
    }
    return !in->short_of;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fields_mutate(take, data, size, max_size, seed);
}
