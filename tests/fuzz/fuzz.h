/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share.  A target is one function, LLVMFuzzerTestOneInput(); it is
 * linked with libFuzzer, or with replay.c, which runs it over the files of its corpus.
 * A broken promise ends the program: FUZZ_CHECK prints the sentence and aborts.
 */
#ifndef PC_FUZZ_H
#define PC_FUZZ_H

#include "pcounter/pcounter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_broken(__FILE__, __LINE__, #condition);                                           \
    } while (0)
/* Inputs that what reads them took, so far: by it the tests judge a mutator (mutate.h). */
extern unsigned long fuzz_taken;
_Noreturn void fuzz_broken(const char *file, int line, const char *what);

/* The input, taken byte by byte; zeros after its end. */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};
uint8_t fuzz_u8(struct fuzz_bytes *in);
uint32_t fuzz_u32(struct fuzz_bytes *in); /* little-endian */
uint64_t fuzz_u64(struct fuzz_bytes *in);
/* Up to the next newline, which is taken as well; cut where the buffer ends. */
void fuzz_line(struct fuzz_bytes *in, char *out, size_t size);
/* All that is left. */
void fuzz_rest(struct fuzz_bytes *in, char *out, size_t size);

/*
 * An allocator that knows what is out: old sizes must be those that were given, everything
 * must come back, and `limit` bytes at once are the most that is lent.
 */
struct fuzz_heap {
    size_t live, limit;
};
struct pc_alloc fuzz_alloc(struct fuzz_heap *heap);
void fuzz_all_returned(const struct fuzz_heap *heap);

/* A failed call has told why: the same status, a code of the catalogue, one line of text. */
void fuzz_check_error(enum pc_status status, const struct pc_error *err);

/* A chip for any number. */
const struct pc_chip *fuzz_chip(unsigned number);

/* Name of a file with these bytes; the same one, with other bytes, at the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* For targets that need several at once. */
enum { FUZZ_FILES = 2 };
const char *fuzz_file_of(unsigned which, const uint8_t *data, size_t size);

/* wave_file.c: reads the bytes as a waveform in every way there is. */
void fuzz_wave_file(const uint8_t *data, size_t size);

#endif
