/* SPDX-License-Identifier: MIT */
/*
 * The text of a VCD through a window of fixed size: words, and the place (line, column, byte) of
 * an error.  VCD is not line-based; lines are counted for people
 * only, and only in what leaves the window.
 */
#include "wave/vcd/vcd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum pc_status vcd_text_open(struct vcd *v, size_t capacity, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t old_bytes = t->buf ? t->capacity + VCD_SLACK : 0;
    uint8_t *buf = v->alloc.resize(v->alloc.ctx, t->buf, old_bytes, capacity + VCD_SLACK);

    if (!buf)
        return pc_fail(err, 100, "not enough memory for a window of %zu bytes", capacity);
    t->buf = buf;
    t->capacity = capacity;
    memset(t->buf + t->end, '\n', VCD_SLACK);
    return PC_OK;
}

/* Returns the bytes of the line in front of buf[at]. */
static uint64_t column_of(const struct vcd_text *t, size_t at)
{
    size_t begin = at;

    while (begin > 0 && t->buf[begin - 1] != '\n')
        begin--;
    return begin > 0 ? at - begin : t->column + at;
}

enum pc_status vcd_fail(const struct vcd *v, size_t at, struct pc_error *err, unsigned code,
                        const char *fmt, ...)
{
    char text[300];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    enum pc_status status = pc_fail_byte(err, code, v->text.byte + at, "%s", text);
    if (err) {
        uint64_t line = vcd_line(v, at);
        uint64_t column = column_of(&v->text, at) + 1;
        err->line = line > UINT32_MAX ? 0 : (uint32_t)line;
        err->column = column > UINT32_MAX ? 0 : (uint32_t)column;
    }
    return status;
}

const char *vcd_quote(char out[48], const char *word, size_t length)
{
    size_t n = length < 40 ? length : 40;

    memcpy(out, word, n);
    memcpy(out + n, length > 40 ? "..." : "", length > 40 ? 4 : 1);
    return out;
}

/* Compressed data that ends early: the word at its end may have been longer. */
static void leave_out_last(struct vcd_text *t)
{
    while (t->end > t->at && t->buf[t->end - 1] > ' ')
        t->end--;
    if (t->counted > t->end)
        t->counted = t->end;
    memset(t->buf + t->end, '\n', VCD_SLACK);
}

enum pc_status vcd_refill(struct vcd *v, size_t keep, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t got;

    if (keep == 0 && t->end == t->capacity) {
        char quoted[48];
        return vcd_fail(v, 0, err, 611, "a word begins with \"%s\" and has more than %zu bytes",
                        vcd_quote(quoted, (const char *)t->buf, t->end), t->capacity);
    }
    if (t->counted < keep)
        vcd_count(t, keep, 0, keep);
    t->counted -= keep;
    t->column = column_of(t, keep);
    t->byte += keep;
    memmove(t->buf, t->buf + keep, t->end - keep);
    t->end -= keep;
    t->at = t->at > keep ? t->at - keep : 0;
    t->buf[t->end] = '\n';
    enum pc_status status = wv_input_read(v->in, t->buf + t->end, t->capacity - t->end, &got, err);
    if (status == PC_END) {
        t->eof = true;
        if (wv_input_cut(v->in))
            leave_out_last(t);
        return PC_OK;
    }
    if (status)
        return status;
    t->end += got;
    memset(t->buf + t->end, '\n', VCD_SLACK);
    return PC_OK;
}

enum pc_status vcd_move(struct vcd *v, uint64_t place, uint64_t lines, struct pc_error *err)
{
    struct vcd_text *t = &v->text;

    t->byte = place;
    t->lines = lines;
    t->at = t->end = t->counted = 0;
    t->column = 0;
    t->eof = false;
    t->buf[0] = '\n';
    v->stamp = 0;
    v->away = true;
    return wv_input_seek(v->in, place, err);
}

enum pc_status vcd_arrive(struct vcd *v, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t at = 0;

    for (v->away = false; at == t->end && !t->eof;) {
        enum pc_status status = vcd_refill(v, 0, err);
        if (status)
            return status;
        while (at < t->end && t->buf[at] > ' ')
            at++;
    }
    t->at = at;
    return PC_OK;
}

size_t vcd_find_word(struct vcd *v, size_t *from)
{
    struct vcd_text *t = &v->text;

    for (; *from < t->end && t->buf[*from] <= ' '; ++*from) {
        t->newline |= t->buf[*from] == '\n';
        if (vcd_is_hole(t->buf[*from]))
            vcd_hole(v, *from);
    }
    size_t to = *from;
    while (t->buf[to] > ' ')
        to++;
    return to;
}

bool vcd_is_glued(const void *word, size_t length)
{
    return length > 4 && memcmp((const char *)word + length - 4, "$end", 4) == 0;
}

enum pc_status vcd_word(struct vcd *v, const char **word, size_t *length, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t from = t->at;

    t->newline = false;
    for (;;) {
        const size_t to = vcd_find_word(v, &from);
        if (to < t->end || t->eof) {
            t->at = to;
            *word = (const char *)t->buf + from;
            *length = to - from;
            return to > from ? PC_OK : PC_END;
        }
        enum pc_status status = vcd_refill(v, from, err);
        if (status)
            return status;
        from = 0;
    }
}
