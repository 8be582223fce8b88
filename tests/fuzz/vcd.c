/* SPDX-License-Identifier: MIT */
/* The input is a file that may be a VCD, plain or packed; FST files are the other target's. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && size <= 1 << 16 && data[0] != 0)
        fuzz_wave_file(data, size);
    return 0;
}
