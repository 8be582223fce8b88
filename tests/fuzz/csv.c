/* SPDX-License-Identifier: MIT */
/*
 * The input is a CSV, after two names so that most inputs are taken for one; if its first byte
 * is a newline it is the whole file.
 */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t text[(1 << 16) + 64];
    static const char names[] = "time,a,b[7:0]\n0,";

    if (size == 0 || size > 1 << 16)
        return 0;
    if (data[0] == '\n') {
        fuzz_wave_file(data + 1, size - 1);
        return 0;
    }
    memcpy(text, names, sizeof names - 1);
    memcpy(text + sizeof names - 1, data, size);
    fuzz_wave_file(text, sizeof names - 1 + size);
    return 0;
}
