/* SPDX-License-Identifier: MIT */
/* The input is an FST file: its first byte is the type of its first block. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && size <= 1 << 16 && (data[0] == 0 || data[0] == 254))
        fuzz_wave_file(data, size);
    return 0;
}
