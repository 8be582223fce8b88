/* SPDX-License-Identifier: MIT */
/* The mutator of `tap`: records of the stream (src/wave/tap/tap.h), without its head. */
#include "mutate.h"

#include <string.h>

enum { MOST_VARIABLES = 256, MOST_CLOCKS = 32, ALIAS = 4 };

struct tap {
    struct fields *f;
    struct input *in;
    uint64_t width[MOST_VARIABLES];
    size_t variables, clocks;
    uint64_t bits[MOST_CLOCKS]; /* of a row */
};

static void number(struct tap *t)
{
    (void)take_number(t->f, t->in, FIELD_LEB);
}

static void text(struct tap *t)
{
    const uint64_t size = take_length(t->f, t->in, FIELD_LEB);

    (void)take_bytes(t->f, t->in, (size_t)size);
}

static void variable(struct tap *t)
{
    (void)take_number(t->f, t->in, FIELD_U8);
    const uint64_t flags = take_number(t->f, t->in, FIELD_U8);
    text(t);
    const uint64_t width = take_number(t->f, t->in, FIELD_LEB);
    number(t);
    number(t);
    text(t);
    if (flags & ALIAS)
        number(t);
    else if (t->variables < MOST_VARIABLES)
        t->width[t->variables++] = width;
}

static uint64_t width_of(const struct tap *t, uint64_t variable)
{
    return variable < t->variables ? t->width[variable] : 1;
}

static void clock(struct tap *t)
{
    uint64_t bits = 0;

    number(t);
    number(t);
    const uint64_t count = take_number(t->f, t->in, FIELD_LEB);
    for (uint64_t i = 0; i < count && !t->in->short_of; i++)
        bits += width_of(t, take_number(t->f, t->in, FIELD_LEB));
    if (t->clocks < MOST_CLOCKS)
        t->bits[t->clocks++] = bits;
}

static void vector(struct tap *t, bool packed)
{
    const uint64_t width = width_of(t, take_number(t->f, t->in, FIELD_LEB));

    (void)take_bytes(t->f, t->in, (size_t)(packed ? (width + 7) / 8 : width));
}

static void row(struct tap *t, unsigned planes)
{
    const uint64_t clock = take_number(t->f, t->in, FIELD_LEB);
    const uint64_t words = clock < t->clocks ? (t->bits[clock] + 63) / 64 : 0;

    number(t);
    (void)take_bytes(t->f, t->in, (size_t)(words * 8 * planes));
}

/* What stands after the letter of a record. */
static void contents(struct tap *t, uint64_t letter)
{
    switch (letter) {
    case 'H':
    case 'F':
        (void)take_number(t->f, t->in, FIELD_U8);
        text(t);
        break;
    case 'S':
        text(t);
        break;
    case 'V':
        variable(t);
        break;
    case 'K':
        clock(t);
        break;
    case '@':
    case 'E':
    case '0':
    case '1':
    case 'x':
    case 'z':
    case 'e':
        number(t);
        break;
    case 'b':
    case 'q':
        vector(t, letter == 'b');
        break;
    case 'T':
    case 't':
        row(t, letter == 'T' ? 1 : 2);
        break;
    default: /* U, R, the end of a timestamp */
        break;
    }
}

static bool take(struct fields *f, struct input *in)
{
    struct tap t = { .f = f, .in = in };

    while (in->at < in->end && !f->full && !in->short_of) {
        const uint64_t letter = *in->at;
        take_record(f, letter == 'H' || letter == 'R' ? 0 : (unsigned)letter + 1);
        (void)take_number(f, in, FIELD_U8);
        contents(&t, letter);
    }
    return f->count > 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fields_mutate(take, data, size, max_size, seed);
}
