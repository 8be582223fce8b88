/* SPDX-License-Identifier: MIT */
/*
 * The input is an executable for `pcounter exec`; it is taken apart, not run.  What must hold:
 * segments lie within the file, and memory holds what the file has of them.
 */
#include "fuzz.h"

#include "exec/exec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct exec_image image;
    struct pc_error err = { 0 };
    enum pc_status status = exec_read_elf(data, size, &image, &err);
    unsigned sum = 0;

    fuzz_check_error(status, &err);
    if (status)
        return 0;
    FUZZ_CHECK(image.xlen == 32 || image.xlen == 64);
    FUZZ_CHECK(image.segments > 0 && image.segments <= EXEC_MAX_SEGMENTS);
    for (size_t i = 0; i < image.segments; i++) {
        const struct exec_segment *s = &image.segment[i];
        FUZZ_CHECK(s->memory_size > 0 && s->file_size <= s->memory_size);
        FUZZ_CHECK(s->file_size <= size && s->data >= data);
        FUZZ_CHECK((size_t)(s->data - data) <= size - s->file_size);
        for (size_t k = 0; k < s->file_size; k += 61)
            sum += s->data[k];
    }
    return sum == 0x7fffffff;
}
