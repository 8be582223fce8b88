/* SPDX-License-Identifier: MIT */
/* Bytes, numbers, texts and times of a tap's stream, and its end. */
#include "wave/tap/tap.h"

#include "pcounter/tap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum pc_status tap_fail(struct tap *t, struct pc_error *err, const char *fmt, ...)
{
    char what[160];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return pc_fail_byte(err, 790, t->passed + t->at, "%s", what);
}

static enum pc_status refill(struct tap *t, struct pc_error *err)
{
    size_t got = 0;
    const enum pc_status status = wv_input_read(t->in, t->buf, TAP_WINDOW, &got, err);

    if (status)
        return status;
    t->passed += t->end;
    t->at = 0;
    t->end = got;
    return PC_OK;
}

enum pc_status tap_byte(struct tap *t, uint8_t *out, struct pc_error *err)
{
    if (t->at == t->end) {
        const enum pc_status status = refill(t, err);
        if (status)
            return status;
    }
    *out = t->buf[t->at++];
    return PC_OK;
}

enum pc_status tap_bytes(struct tap *t, uint8_t *out, size_t size, struct pc_error *err)
{
    while (size > 0) {
        const enum pc_status status = t->at == t->end ? refill(t, err) : PC_OK;
        if (status)
            return status;
        const size_t some = size < t->end - t->at ? size : t->end - t->at;
        memcpy(out, t->buf + t->at, some);
        t->at += some;
        out += some;
        size -= some;
    }
    return PC_OK;
}

enum pc_status tap_number(struct tap *t, uint64_t *out, struct pc_error *err)
{
    uint8_t byte = 0x80;

    *out = 0;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        const enum pc_status status = tap_byte(t, &byte, err);
        if (status)
            return status;
        if (shift > 63 || (shift == 63 && byte > 1))
            return tap_fail(t, err, "a number has more than 64 bits");
        *out |= (uint64_t)(byte & 0x7f) << shift;
    }
    return PC_OK;
}

enum pc_status tap_variable(struct tap *t, uint32_t *out, struct pc_error *err)
{
    uint64_t number;
    const enum pc_status status = tap_number(t, &number, err);

    if (status == PC_OK && number >= t->base.hier.codes)
        return tap_fail(t, err, "unknown variable %" PRIu64, number);
    *out = (uint32_t)(status ? 0 : number);
    return status;
}

enum pc_status tap_text(struct tap *t, size_t *length, struct pc_error *err)
{
    const uint64_t most = t->base.hier.limits.max_name_bytes;
    uint64_t size;
    enum pc_status status = tap_number(t, &size, err);

    if (status)
        return status;
    if (size > most)
        return pc_fail(err, 511, "a name has more than %" PRIu64 " bytes", most);
    if (!pc_grow(&t->alloc, (void **)&t->text, &t->text_capacity, (size_t)size + 1, 1))
        return pc_fail(err, 100, "not enough memory for the names of a tap");
    status = tap_bytes(t, (uint8_t *)t->text, (size_t)size, err);
    t->text[size] = '\0';
    *length = (size_t)size;
    return status;
}

enum pc_status tap_later(struct tap *t, struct pc_error *err)
{
    uint64_t later;
    const enum pc_status status = tap_number(t, &later, err);

    if (status == PC_OK && later > UINT64_MAX - t->time)
        return tap_fail(t, err, "a time has more than 64 bits");
    t->time += status ? 0 : later;
    return status;
}

enum pc_status tap_failure(struct tap *t, struct pc_error *err)
{
    size_t length;
    uint8_t why = 0;
    enum pc_status status = tap_byte(t, &why, err);

    if (status == PC_OK)
        status = tap_text(t, &length, err);
    if (status)
        return status;
    return pc_fail(err, why == PC_TAP_NOT_STARTED ? 794 : 791, "%.400s",
                   t->text[0] ? t->text : "the simulation failed, and gave no reason");
}

void tap_end(struct tap *t, bool whole)
{
    if (!t->over && !whole) {
        t->base.info.unfinished = true;
        wv_warn(&t->base.hier, "the simulation stopped sending before its end");
    }
    t->over = true;
}

enum pc_status tap_last(struct tap *t, uint8_t what, struct pc_error *err)
{
    if (what == 'F')
        return tap_failure(t, err);
    if (what != 'E')
        return tap_fail(t, err, "a record 0x%02x, which does not belong here", what);
    const enum pc_status status = tap_later(t, err);
    if (status == PC_OK)
        tap_end(t, true);
    return status;
}
