/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *text_file(const void *bytes, size_t size)
{
    static char name[64];

    strcpy(name, "wave-test-XXXXXX");
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, (const char *)bytes + done, size - done);
        assert_true(n > 0);
        done += (size_t)n;
    }
    close(fd);
    return name;
}

struct pc_wave *text_try(const void *bytes, size_t size, const struct pc_wave_desc *desc,
                         struct pc_error *err)
{
    struct pc_wave_desc full = { 0 };
    struct pc_wave *wave = NULL;

    if (desc)
        full = *desc;
    full.path = text_file(bytes, size);
    enum pc_status status = pc_wave_open(&full, &wave, err);
    unlink(full.path);
    assert_true((status == PC_OK) == (wave != NULL));
    return wave;
}

struct pc_wave *text_open(const char *text)
{
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(text, strlen(text), NULL, &err);

    test_ok(err.status, &err);
    return wave;
}

size_t text_find(const struct pc_wave *wave, const char *name)
{
    struct pc_error err;
    size_t var = 0;
    uint32_t hi, lo;

    test_ok(pc_wave_find(wave, name, &var, &hi, &lo, &err), &err);
    return var;
}

/* Binds all bits of the variable to every timestamp. */
static uint32_t bind_all(struct pc_wave *wave, const char *name)
{
    struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct pc_wave_bit bit[4096];
    struct pc_wave_var var;
    struct pc_error err;
    unsigned stream;
    const size_t v = text_find(wave, name);

    assert_int_equal(pc_wave_get_var(wave, v, &var), PC_OK);
    assert_true(var.width <= 4096);
    for (uint32_t i = 0; i < var.width; i++)
        bit[i] = (struct pc_wave_bit){ v, i };
    test_ok(pc_wave_bind(wave, &every, bit, var.width, &stream, &err), &err);
    return var.width;
}

const char *text_history(const char *text, const char *name)
{
    static char out[8192];
    char now[4097], before[4097] = "";
    struct pc_wave *wave = text_open(text);
    struct pc_wave_instant at;
    struct pc_error err;
    enum pc_status status;
    uint32_t width = bind_all(wave, name);
    size_t used = 0;

    out[0] = '\0';
    while ((status = pc_wave_step(wave, &at, &err)) == PC_OK) {
        for (uint32_t i = 0; i < width; i++) {
            bool value = at.value[0][i / 64] >> i % 64 & 1;
            bool unknown = at.unknown[0][i / 64] >> i % 64 & 1;
            now[width - 1 - i] = unknown ? 'x' : value ? '1' : '0';
        }
        now[width] = '\0';
        if (strcmp(now, before) != 0)
            used += (size_t)snprintf(out + used, sizeof out - used, "%s%" PRIu64 ":%s",
                                     used ? " " : "", at.time, now);
        strcpy(before, now);
    }
    if (status != PC_END)
        test_ok(status, &err);
    pc_wave_close(wave);
    return out;
}

enum pc_status text_read_all(const void *bytes, size_t size, const struct pc_wave_desc *desc,
                             struct pc_error *err)
{
    struct pc_wave *wave = text_try(bytes, size, desc, err);
    struct pc_wave_totals totals;
    struct pc_wave_info info;

    if (!wave)
        return err->status;
    pc_wave_get_info(wave, &info);
    struct pc_var_activity *activity = calloc(info.codes + 1, sizeof *activity);
    assert_non_null(activity);
    enum pc_status status = pc_wave_scan(wave, &totals, activity, err);
    free(activity);
    pc_wave_close(wave);
    return status;
}

void text_refused(const char *text, unsigned code, unsigned line)
{
    struct pc_error err = { 0 };
    enum pc_status status = text_read_all(text, strlen(text), NULL, &err);

    if (status == PC_OK || err.code != code || err.line != line || (line && !err.has_byte))
        fail_msg("expected PC-E%04u at line %u, got %s PC-E%04u at line %u: %s\nin: %s", code, line,
                 pc_status_name(status), err.code, err.line, err.text, text);
    assert_int_equal(err.status, status);
    assert_true(err.text[0] != '\0');
}

enum pc_status text_read_with(void *bytes, const struct pc_alloc *alloc, struct pc_error *err)
{
    const struct text_bytes *t = bytes;
    const struct pc_wave_desc desc = { .alloc = alloc };

    return text_read_all(t->bytes, t->size, &desc, err);
}

const char *text_variables(const char *text)
{
    static char out[2000];
    struct pc_wave *wave = text_open(text);
    struct pc_wave_var v;
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; pc_wave_get_var(wave, i, &v) == PC_OK; i++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s:%s%u", i ? " " : "", v.name,
                                 v.kind == PC_VAR_BITS ? "" : v.type, v.width);
    pc_wave_close(wave);
    return out;
}

void text_refused_at(const char *text, unsigned code, unsigned line, unsigned column)
{
    struct pc_error err = { 0 };
    enum pc_status status = text_read_all(text, strlen(text), NULL, &err);

    if (status == PC_OK || err.code != code || err.line != line || err.column != column)
        fail_msg("expected PC-E%04u at %u:%u, got %s PC-E%04u at %" PRIu32 ":%" PRIu32
                 ": %s\nin: %.300s",
                 code, line, column, pc_status_name(status), err.code, err.line, err.column,
                 err.text, text);
}
