/* SPDX-License-Identifier: MIT */
/* The input is a GHW. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && size <= 1 << 16)
        fuzz_wave_file(data, size);
    return 0;
}
