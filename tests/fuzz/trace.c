/* SPDX-License-Identifier: MIT */
/*
 * The input is a file that may be a trace of register accesses, plain or packed.  What must
 * hold: lines ascend, widths and kinds are among those that exist, and the texts lie within
 * what was read.
 */
#include "fuzz.h"
#include "pcounter/unstable/trace.h"

#include <string.h>

#define MAX_EVENTS 20000
#define MEMORY_MAX                                                                                 \
    ((size_t)160                                                                                   \
     << 20) /* the head of a zstd frame or an xz block may ask for a window of 128 MiB */

static void check_event(const struct pc_trace_event *e, uint32_t line_before)
{
    bool access = e->kind == PC_TRACE_READ || e->kind == PC_TRACE_WRITE;

    FUZZ_CHECK(e->line > line_before);
    FUZZ_CHECK((unsigned)e->kind <= PC_TRACE_UNKNOWN);
    if (access)
        FUZZ_CHECK(e->width == 1 || e->width == 2 || e->width == 4 || e->width == 8);
    else
        FUZZ_CHECK(e->width == 0 && (e->value == 0 || e->kind == PC_TRACE_LOST));
    if (e->kind == PC_TRACE_MARK) {
        FUZZ_CHECK(e->text != NULL);
        /* touches every byte of it */
        FUZZ_CHECK(e->text_size == 0 || memchr(e->text, '\n', e->text_size) == NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_heap heap = { .limit = MEMORY_MAX };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_trace_desc desc = { .alloc = &alloc };
    struct pc_trace *trace = NULL;
    struct pc_trace_event event = { .line = 0 };
    struct pc_error err = { 0 };
    uint32_t line = 0;

    if (size > 1 << 16)
        return 0;
    desc.path = fuzz_file(data, size);
    enum pc_status status = pc_trace_open(&desc, &trace, &err);
    FUZZ_CHECK((status == PC_OK) == (trace != NULL));
    for (unsigned n = 0; status == PC_OK && n < MAX_EVENTS; n++) {
        status = pc_trace_next(trace, &event, &err);
        if (status == PC_OK)
            check_event(&event, line);
        line = event.line;
    }
    const char *warning = pc_trace_warning(trace);
    FUZZ_CHECK(!warning || (status != PC_OK && strlen(warning) > 0));
    FUZZ_CHECK(status != PC_ENOMEM);
    fuzz_check_error(status, &err);
    pc_trace_close(trace);
    fuzz_all_returned(&heap);
    return 0;
}
