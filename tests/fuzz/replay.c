/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files, once each: `fuzz_vcd FILE...`.  The name is printed before
 * the run, so that the last one is the culprit.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static bool replay(const char *path)
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
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return good;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        printf("%s\n", argv[i]);
        fflush(stdout);
        if (!replay(argv[i])) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
    }
    if (argc < 2)
        fprintf(stderr, "usage: %s FILE...\n", argv[0]);
    return argc < 2;
}
