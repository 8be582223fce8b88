/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files, once each: `fuzz_vcd FILE...`.  The name is printed before
 * the run, so that the last one is the culprit.  With a mutator (mutate.h), `fuzz_tap -m 20
 * FILE...` also runs 20 mutants of each file, always the same.
 */
#include "fuzz.h"
#ifdef PC_FUZZ_MUTATOR
#include "mutate.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PC_FUZZ_MUTATOR

enum { MUTANT_MAX = 1 << 16 };
static unsigned long taken, run; /* mutants */

static uint32_t random_below(uint32_t below)
{
    static uint64_t state = 57;

    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

/* Changes a byte, adds one or takes one away. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    const uint32_t how = random_below(3);

    if (how == 0 && size > 1)
        return size - 1;
    if (how == 1 && size < max_size)
        data[size++] = (uint8_t)random_below(256);
    if (size > 0)
        data[random_below((uint32_t)size)] ^= (uint8_t)(1u << random_below(8));
    return size;
}

/* Runs mutants of the file; every fourth is made of the one before.  whole: the file is taken. */
static size_t run_mutants(const uint8_t *data, size_t size, unsigned count, bool whole)
{
    static uint8_t mutant[MUTANT_MAX];
    size_t n = 0, differ = 0;
    const unsigned long before = fuzz_taken;

    for (unsigned i = 0; i < count && size <= MUTANT_MAX / 2; i++) {
        if (i % 4 != 3)
            memcpy(mutant, data, n = size);
        n = LLVMFuzzerCustomMutator(mutant, n, MUTANT_MAX, i);
        FUZZ_CHECK(n <= MUTANT_MAX);
        differ += n != size || memcmp(mutant, data, size) != 0;
        uint8_t *exact = malloc(n ? n : 1);
        FUZZ_CHECK(exact != NULL);
        memcpy(exact, mutant, n);
        LLVMFuzzerTestOneInput(exact, n);
        free(exact);
    }
    taken += whole ? fuzz_taken - before : 0;
    run += whole ? count : 0;
    return differ;
}

/* A mutator that breaks the form of nearly all that it touches is none that knows it. */
static bool judge(size_t differing)
{
    printf("of files that are taken, %lu of %lu mutants are\n", taken, run);
    return differing > 0 && taken > run / 4;
}

#else

static bool judge(size_t differing)
{
    return differing == 0;
}

static size_t run_mutants(const uint8_t *data, size_t size, unsigned count, bool whole)
{
    (void)data, (void)size, (void)count, (void)whole;
    return 0;
}

#endif

static size_t differing;

static bool replay(const char *path, unsigned mutants)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t size = 0, n = 0;

    if (!file)
        return false;
    do {
        uint8_t *more = realloc(data, size + 65536);
        if (!more)
            break;
        data = more;
        n = fread(data + size, 1, 65536, file);
        size += n;
    } while (n > 0);
    bool good = data != NULL && n == 0 && !ferror(file);
    fclose(file);
    if (good) {
        /* a copy of its own size: reading past its end is then seen by the sanitizer */
        uint8_t *exact = realloc(data, size ? size : 1);
        if (exact)
            data = exact;
        const unsigned long before = fuzz_taken;
        LLVMFuzzerTestOneInput(data, size);
        differing += run_mutants(data, size, mutants, fuzz_taken > before);
    }
    free(data);
    return good;
}

int main(int argc, char **argv)
{
    const bool mutate = argc > 2 && strcmp(argv[1], "-m") == 0;
    const unsigned mutants = mutate ? (unsigned)strtoul(argv[2], NULL, 10) : 0;

    for (int i = mutate ? 3 : 1; i < argc; i++) {
        printf("%s\n", argv[i]);
        fflush(stdout);
        if (!replay(argv[i], mutants)) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
    }
    if (argc < 2)
        fprintf(stderr, "usage: %s [-m MUTANTS] FILE...\n", argv[0]);
    if (mutants > 0 && !judge(differing)) {
        fputs("the mutants do not differ, or few of them are taken\n", stderr);
        return 1;
    }
    return argc < 2;
}
