/* SPDX-License-Identifier: MIT */
/*
 * A trace as a stream of lines: bytes come decompressed from src/wave/input.c, and the
 * longest line decides how much memory is used (64 KiB at first, RP_LINE_MAX at most).
 */
#include "wave/trace/replay.h"
#include "base/text.h"

#include <string.h>

#include "wave/input.h"
#include "wave/reader.h"

#define FIRST_SIZE ((size_t)1 << 16)

struct pc_trace {
    struct pc_alloc alloc;
    struct wv_input *input;
    struct wv_input_end input_end;
    char *buffer; /* buffer[at .. end) is not yet handed out */
    size_t capacity, at, end;
    bool ended;
    uint32_t line;
};

enum pc_status pc_trace_open(const struct pc_trace_desc *desc, struct pc_trace **out,
                             struct pc_error *err)
{
    if (!desc || !desc->path)
        return pc_fail(err, 400, "no trace was given");

    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_trace *trace = pc_calloc(&alloc, 1, sizeof *trace);
    struct pc_wave_desc input = { .path = desc->path,
                                  .alloc = desc->alloc,
                                  .limits = { .max_ratio = desc->max_ratio } };
    if (!trace)
        return pc_fail(err, 100, "no memory to open a trace");
    trace->alloc = alloc;
    enum pc_status status =
        pc_grow(&alloc, (void **)&trace->buffer, &trace->capacity, FIRST_SIZE, 1)
            ? wv_input_open(&input, &trace->input_end, &trace->input, err)
            : pc_fail(err, 100, "no memory for the lines of a trace");
    if (status) {
        pc_trace_close(trace);
        return status;
    }
    *out = trace;
    return PC_OK;
}

void pc_trace_close(struct pc_trace *trace)
{
    if (!trace)
        return;
    struct pc_alloc alloc = trace->alloc;
    wv_input_close(trace->input);
    pc_free(&alloc, trace->buffer, trace->capacity);
    pc_free(&alloc, trace, sizeof *trace);
}

/* Reads more bytes after those that are left, which move to the front. */
static enum pc_status fill(struct pc_trace *t, struct pc_error *err)
{
    size_t got = 0;

    memmove(t->buffer, t->buffer + t->at, t->end - t->at);
    t->end -= t->at;
    t->at = 0;
    if (t->end >= RP_LINE_MAX)
        return pc_fail_at(err, 1203, t->line + 1, 0, "a line of more than %zu bytes", RP_LINE_MAX);
    if (t->end == t->capacity &&
        !pc_grow(&t->alloc, (void **)&t->buffer, &t->capacity, 2 * t->capacity, 1))
        return pc_fail(err, 100, "no memory for a line of %zu bytes", t->end);
    enum pc_status status =
        wv_input_read(t->input, (uint8_t *)t->buffer + t->end, t->capacity - t->end, &got, err);
    t->ended = status == PC_END;
    t->end += status == PC_OK ? got : 0;
    return t->ended ? PC_OK : status;
}

/* Reads the next line without its newline, and whether there was one; PC_END after the last. */
static enum pc_status next_line(struct pc_trace *t, const char **text, size_t *size, bool *whole,
                                struct pc_error *err)
{
    size_t looked = 0;
    const char *newline = NULL;

    for (;;) {
        size_t left = t->end - t->at - looked;
        newline = left ? memchr(t->buffer + t->at + looked, '\n', left) : NULL;
        if (newline || t->ended)
            break;
        looked += left;
        enum pc_status status = fill(t, err);
        if (status)
            return status;
    }
    if (!newline && (t->at == t->end || wv_input_cut(t->input)))
        return PC_END; /* where compressed data ends early, of the last line some may be missing */
    if (t->line == UINT32_MAX)
        return pc_fail(err, 1203, "a trace of more than %lu lines", (unsigned long)UINT32_MAX);
    if (t->line++ == 0 && t->end - t->at >= 3 && memcmp(t->buffer + t->at, "\xef\xbb\xbf", 3) == 0)
        t->at += 3; /* the byte order mark of some editors */
    *text = t->buffer + t->at;
    *size = newline ? (size_t)(newline - *text) : t->end - t->at;
    t->at += *size + (newline != NULL);
    *whole = newline != NULL;
    return PC_OK;
}

/*
 * Returns true if the value is the last thing in a line of an access. Where the file also
 * ends there, it is unknown whether all digits are there: the kernel writes them without leading
 * zeros.
 */
static bool ends_in_value(const struct pc_trace_event *event, const char *text, size_t size)
{
    enum { FIELDS = 6 }; /* R, width, time, map, address, value */
    bool blank = true;
    unsigned fields = 0;

    if (event->kind != PC_TRACE_READ && event->kind != PC_TRACE_WRITE)
        return false;
    for (size_t i = 0; i < size; i++) {
        const bool before = blank;
        blank = pc_is_blank(text[i]);
        fields += before && !blank;
    }
    return fields == FIELDS && !blank;
}

const char *pc_trace_warning(const struct pc_trace *trace)
{
    return trace && trace->input_end.text[0] ? trace->input_end.text : NULL;
}

enum pc_status pc_trace_next(struct pc_trace *trace, struct pc_trace_event *out,
                             struct pc_error *err)
{
    struct pc_trace_event event;
    const char *text = NULL;
    size_t size = 0;
    bool whole = true;
    enum pc_status status;

    do {
        status = next_line(trace, &text, &size, &whole, err);
        if (status)
            return status;
        status = rp_parse_line(text, size, trace->line, &event, err);
    } while (status == PC_END);
    if (status == PC_OK && !whole && ends_in_value(&event, text, size))
        return pc_fail_at(err, 1201, trace->line, (uint32_t)size + 1,
                          "the trace ends within this line: its value may have lost digits");
    if (status == PC_OK)
        *out = event;
    return status;
}
