/* SPDX-License-Identifier: MIT */
/*
 * The text of a VCD through a window of fixed size: words, skipped sections, and the place
 * (line, column, byte) of an error.  VCD is not line-based; lines are counted for people
 * only, and only in what leaves the window.
 */
#include "wave/vcd/vcd.h"

#include "base/text.h"

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

/* Eight bytes at a time: each byte of `sums` counts the newlines of its column. */
static uint64_t count_lines(const uint8_t *p, size_t n)
{
    const uint64_t ones = 0x0101010101010101u, low7 = 0x7f * ones;
    uint64_t lines = 0;

    while (n >= 8) {
        size_t words = n / 8 < 255 ? n / 8 : 255;
        uint64_t sums = 0;
        for (size_t i = 0; i < words; i++, p += 8) {
            uint64_t w;
            memcpy(&w, p, sizeof w);
            w ^= '\n' * ones;
            sums += ~(((w & low7) + low7) | w | low7) >> 7; /* 1 where a byte is zero */
        }
        const uint64_t pairs = 0x00ff00ff00ff00ffu;
        uint64_t wide = (sums & pairs) + (sums >> 8 & pairs);
        lines += wide * 0x0001000100010001u >> 48;
        n -= words * 8;
    }
    for (; n > 0; n--)
        lines += *p++ == '\n';
    return lines;
}

uint64_t vcd_line(const struct vcd *v, size_t at)
{
    const struct vcd_text *t = &v->text;

    if (at < t->counted)
        return t->lines - count_lines(t->buf + at, t->counted - at) + 1;
    return t->lines + count_lines(t->buf + t->counted, at - t->counted) + 1;
}

void vcd_count(struct vcd_text *t, size_t from, size_t lines, size_t at)
{
    t->lines += count_lines(t->buf + t->counted, from - t->counted) + lines;
    t->counted = at;
}

/* Bytes of the line in front of buf[at]. */
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

/* The next word from *from on begins at *from and ends where it says, or behind the window. */
static size_t find_word(const struct vcd_text *t, size_t *from)
{
    while (*from < t->end && t->buf[*from] <= ' ')
        ++*from;
    size_t to = *from;
    while (t->buf[to] > ' ')
        to++;
    return to;
}

enum pc_status vcd_word(struct vcd *v, const char **word, size_t *length, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t from = t->at;

    for (;;) {
        const size_t to = find_word(t, &from);
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

/* "$comment Dump file limit (30000 bytes) exceeded. $end": the text is each simulator's own. */
static bool is_limit(const uint8_t *word, size_t length)
{
    static const char limit[] = "limit";
    size_t i = 0;

    while (i < length && i < sizeof limit - 1 && pc_lower((char)word[i]) == limit[i])
        i++;
    return i == sizeof limit - 1;
}

enum pc_status vcd_skip_section(struct vcd *v, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t from = t->at;
    bool limit = false;

    for (;;) {
        const size_t to = find_word(t, &from);
        if (to < t->end || t->eof) {
            t->at = to;
            if (to == from)
                return PC_END;
            if (to - from == 4 && memcmp(t->buf + from, "$end", 4) == 0) {
                v->limited = limit;
                v->limit_time = v->time;
                v->limit_records = v->records;
                return PC_OK;
            }
            limit = limit || is_limit(t->buf + from, to - from);
            from = to;
            continue;
        }
        /* A word of more than a few bytes is not $end: its beginning may go. */
        if (to - from > 8)
            from = to - 5;
        t->at = from;
        enum pc_status status = vcd_refill(v, from, err);
        if (status)
            return status;
        from = 0;
    }
}
