/* SPDX-License-Identifier: MIT */
/*
 * Mutators that know the form of an input: it is taken apart into fields, fields or whole records
 * change, and it is put together again with lengths and counts that fit.  libFuzzer calls
 * LLVMFuzzerCustomMutator(); replay.c does so in the tests (`fuzz_tap -m 20 FILE...`), with an
 * LLVMFuzzerMutate() of its own.
 */
#ifndef PC_FUZZ_MUTATE_H
#define PC_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
/* Changes bytes without knowledge of their form; returns the new size. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum field_kind {
    FIELD_BYTES,
    FIELD_U8,
    FIELD_U16, /* low byte first, as is all that is not LEB128 */
    FIELD_U32,
    FIELD_U32_HIGH, /* high byte first */
    FIELD_LEB,      /* LEB128: seven bits a byte, low ones first */
    FIELD_SLEB      /* ... in two's complement */
};
enum field_role {
    FIELD_PLAIN,
    FIELD_LENGTH, /* bytes of the field after it */
    FIELD_COUNT   /* records of the kind `of` */
};

struct field {
    enum field_kind kind;
    enum field_role role;
    unsigned of;     /* COUNT */
    unsigned record; /* fields next to each other with the same number are a record */
    unsigned tag;    /* what kind of record; 0: it stays where it is */
    uint64_t value;  /* not BYTES */
    size_t at, size; /* BYTES: in `bytes` */
};

enum { FIELDS = 3000, FIELD_BYTES_MAX = 1 << 17 };

struct fields {
    struct field field[FIELDS];
    size_t count;
    uint8_t bytes[FIELD_BYTES_MAX];
    size_t used;
    unsigned records;
    bool full;       /* more than there is room for: no use */
    uint64_t random; /* the state of random numbers */
    bool lies;       /* lengths and counts stay as they were */
};

/* --- taking apart: a parser calls these in turn --- */

struct input {
    const uint8_t *at, *end;
    bool short_of; /* there was not enough */
    bool high;     /* FIELD_U32_HIGH, not FIELD_U32 */
};
/* Begins a record. */
void take_record(struct fields *f, unsigned tag);
/* Adds a field and returns its value; 0 at the end of the input. */
uint64_t take_number(struct fields *f, struct input *in, enum field_kind kind);
uint64_t take_length(struct fields *f, struct input *in, enum field_kind kind);
void take_count(struct fields *f, struct input *in, unsigned of);
const uint8_t *take_bytes(struct fields *f, struct input *in, size_t size);
void take_rest(struct fields *f, struct input *in);

/* --- changing, putting together --- */

void fields_begin(struct fields *f, unsigned seed);
uint32_t fields_random(struct fields *f, uint32_t below);
/* Makes one to four changes. */
void fields_change(struct fields *f);
/* Returns the size, or 0 if it is more than `most`. */
size_t fields_write(const struct fields *f, uint8_t *out, size_t most);

/* Takes an input apart, changes it and puts it together.  `take` returns false for an input
 * that is of another form: its bytes are changed then. */
typedef bool take_fn(struct fields *f, struct input *in);
size_t fields_mutate(take_fn *take, uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
