/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <stdio.h>
#include <string.h>

static enum pc_status keep(void *ctx, const char *data, size_t size)
{
    struct outcome *o = ctx;

    if (size >= sizeof o->text - o->used)
        return PC_EIO;
    memcpy(o->text + o->used, data, size);
    o->used += size;
    o->text[o->used] = '\0';
    return PC_OK;
}

static void keep_mismatch(void *ctx, const struct pc_error *what)
{
    struct outcome *o = ctx;

    if (o->mismatches < sizeof o->mismatch / sizeof o->mismatch[0])
        o->mismatch[o->mismatches] = *what;
    o->mismatches++;
}

void run_script_with(const char *text, const struct pc_alloc *alloc, const char *folder,
                     struct outcome *out)
{
    memset(out, 0, sizeof *out);
    struct pc_script_desc desc = { .text = text,
                                   .size = strlen(text),
                                   .alloc = alloc,
                                   .out = { .write = keep, .ctx = out },
                                   .directory = folder };
    out->status = pc_script_run(&desc, keep_mismatch, out, &out->result, &out->err);
}

void run_script(const char *text, struct outcome *out)
{
    run_script_with(text, NULL, NULL, out);
    test_ok(out->status, &out->err);
}

uint32_t read_value(const struct outcome *o, size_t i, uint32_t address)
{
    const char *line = o->text;
    unsigned at = 0, value = 0;

    for (size_t k = 0; k < i && line; k++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line || sscanf(line, "%6x %8x\n", &at, &value) != 2 || at != address)
        fail_msg("line %zu of the output is not a read of %06x:\n%s", i + 1, (unsigned)address,
                 o->text);
    return value;
}

void assert_output(const char *script, const char *expected)
{
    struct outcome o;

    run_script(script, &o);
    assert_string_equal(o.text, expected);
}

enum pc_status run_with(void *text, const struct pc_alloc *alloc, struct pc_error *err)
{
    struct outcome o;

    run_script_with(text, alloc, NULL, &o);
    *err = o.err;
    return o.status;
}
