/* SPDX-License-Identifier: MIT */
/* Bytes, numbers and strings of a GHW. */
#include "wave/ghw/ghw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum pc_status ghw_fail(struct ghw *g, struct pc_error *err, const char *fmt, ...)
{
    char what[160];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return pc_fail(err, 780, "at byte %llu: %s", (unsigned long long)(g->passed + g->at), what);
}

enum pc_status ghw_byte(struct ghw *g, uint8_t *out, struct pc_error *err)
{
    if (g->at == g->end) {
        size_t got = 0;
        const enum pc_status status = wv_input_read(g->in, g->buf, GHW_WINDOW, &got, err);
        if (status) {
            g->cut |= status == PC_END;
            return status;
        }
        g->passed += g->end;
        g->at = 0;
        g->end = got;
    }
    *out = g->buf[g->at++];
    return PC_OK;
}

enum pc_status ghw_bytes(struct ghw *g, uint8_t *out, size_t size, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    for (size_t i = 0; i < size && status == PC_OK; i++)
        status = ghw_byte(g, &out[i], err);
    return status;
}

uint64_t ghw_word(const struct ghw *g, const uint8_t *bytes, unsigned size)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < size; i++)
        word |= (uint64_t)bytes[g->big_endian ? size - 1 - i : i] << 8 * i;
    return word;
}

enum pc_status ghw_unsigned(struct ghw *g, uint32_t *out, struct pc_error *err)
{
    uint64_t value = 0;
    uint8_t byte = 0x80;

    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        const enum pc_status status = ghw_byte(g, &byte, err);
        if (status)
            return status;
        if (shift > 28 || (shift == 28 && byte & 0x70))
            return ghw_fail(g, err, "a number has more than 32 bits");
        value |= (uint64_t)(byte & 0x7f) << shift;
    }
    *out = (uint32_t)value;
    return PC_OK;
}

enum pc_status ghw_signed(struct ghw *g, int64_t *out, struct pc_error *err)
{
    uint64_t value = 0;
    uint8_t byte = 0x80;
    unsigned shift = 0;

    for (; byte & 0x80; shift += 7) {
        const enum pc_status status = ghw_byte(g, &byte, err);
        if (status)
            return status;
        if (shift > 63)
            return ghw_fail(g, err, "a number has more than 64 bits");
        value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (byte & 0x40 && shift < 64)
        value |= UINT64_MAX << shift;
    *out = (int64_t)value;
    return PC_OK;
}

const char *ghw_text(const struct ghw *g, uint32_t string)
{
    return string < g->strings ? g->text + g->string[string] : "";
}

enum pc_status ghw_string(struct ghw *g, uint32_t *out, struct pc_error *err)
{
    const enum pc_status status = ghw_unsigned(g, out, err);

    if (status == PC_OK && *out >= g->strings)
        return ghw_fail(g, err, "there is no string %lu", (unsigned long)*out);
    return status;
}

static enum pc_status put(struct ghw *g, char c, struct pc_error *err)
{
    if (g->text_used >= g->base.hier.limits.max_names_total)
        return pc_fail(err, 512, "all strings together have more than %llu bytes",
                       (unsigned long long)g->base.hier.limits.max_names_total);
    if (!pc_grow(&g->alloc, (void **)&g->text, &g->text_capacity, g->text_used + 1, 1))
        return pc_fail(err, 100, "not enough memory for the strings of a GHW");
    g->text[g->text_used++] = c;
    return PC_OK;
}

/* Takes one string, of which the first `shared` bytes are those of the one before; how many the
 * next one shares stands at its end. */
static enum pc_status take_string(struct ghw *g, size_t *shared, struct pc_error *err)
{
    const size_t before = g->strings ? g->string[g->strings - 1] : 0;
    const size_t begin = g->text_used;
    enum pc_status status = PC_OK;
    uint8_t c = 0;

    if (*shared > (begin > before ? begin - before - 1 : 0))
        return ghw_fail(g, err, "a string shares more bytes than the one before has");
    if (!pc_grow(&g->alloc, (void **)&g->string, &g->strings_capacity, g->strings + 1,
                 sizeof *g->string))
        return pc_fail(err, 100, "not enough memory for the strings of a GHW");
    for (size_t i = 0; i < *shared && status == PC_OK; i++)
        status = put(g, g->text[before + i], err);
    for (;;) {
        if (status == PC_OK)
            status = ghw_byte(g, &c, err);
        if (status)
            return status;
        if (c < 32 || (c >= 128 && c < 160))
            break;
        status = put(g, (char)c, err);
    }
    *shared = c & 0x1f;
    for (unsigned shift = 5; c >= 128; shift += 5) {
        status = ghw_byte(g, &c, err);
        if (status)
            return status;
        if (shift > 25)
            return ghw_fail(g, err, "a string is too long");
        *shared |= (size_t)(c & 0x1f) << shift;
    }
    g->string[g->strings++] = begin;
    return put(g, '\0', err);
}

enum pc_status ghw_strings(struct ghw *g, struct pc_error *err)
{
    uint8_t head[12], tail[4];
    size_t shared = 0;
    enum pc_status status = ghw_bytes(g, head, sizeof head, err);

    if (status)
        return status;
    const uint64_t count = ghw_word(g, head + 4, 4);
    if (g->strings > 0)
        return ghw_fail(g, err, "a second section of strings");
    status = put(g, '\0', err); /* string 0 has no name */
    if (status == PC_OK &&
        !pc_grow(&g->alloc, (void **)&g->string, &g->strings_capacity, 1, sizeof *g->string))
        status = pc_fail(err, 100, "not enough memory for the strings of a GHW");
    if (status)
        return status;
    g->string[g->strings++] = 0;
    for (uint64_t i = 0; i < count && status == PC_OK; i++)
        status = take_string(g, &shared, err);
    if (status == PC_OK)
        status = ghw_bytes(g, tail, sizeof tail, err);
    if (status == PC_OK && memcmp(tail, "EOS", 4) != 0)
        return ghw_fail(g, err, "the strings do not end where they should");
    return status;
}
