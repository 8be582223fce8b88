/* SPDX-License-Identifier: MIT */
/*
 * The input is a script of a core's CSR accesses.  What must hold: a mistake has its line, the
 * figures of the result agree with what the callbacks saw, lines ascend, a reason is never missing,
 * and the same script gives the same answers twice.
 */
#include "fuzz.h"
#include "pcounter/unstable/script.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

struct seen {
    uint64_t reads, writes, failed, hash;
    uint32_t line;
};

static enum pc_status access(void *ctx, const struct pc_csr_access *a, struct pc_error *err)
{
    struct seen *s = ctx;

    (void)err;
    FUZZ_CHECK(a->line >= s->line && a->name && a->reason);
    FUZZ_CHECK(a->cause == PC_HPM_NO_TRAP || a->cause == PC_HPM_ILLEGAL ||
               a->cause == PC_HPM_VIRTUAL);
    FUZZ_CHECK(a->cause == PC_HPM_NO_TRAP || a->value == 0);
    s->line = a->line;
    s->reads += a->op == PC_HPM_CSR_READ;
    s->writes += a->op != PC_HPM_CSR_READ;
    s->failed += a->failed;
    s->hash = 31 * s->hash + a->value + (uint64_t)a->cause;
    return PC_OK;
}

static enum pc_status run(const char *text, size_t size, struct seen *s)
{
    const struct pc_csr_script_desc desc = { .text = text, .size = size, .access = access };
    struct pc_script_result r;
    struct pc_error err;

    *s = (struct seen){ .line = 0 };
    const enum pc_status status = pc_csr_script_run(&desc, s, &r, &err);
    if (status == PC_OK)
        FUZZ_CHECK(r.failed == s->failed && r.reads + r.writes == s->reads + s->writes);
    else
        FUZZ_CHECK(err.status == status && (status == PC_ENOMEM || err.line > 0));
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen one, other;
    char text[TEXT_MAX + 1];

    if (size > TEXT_MAX)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!pc_csr_script_is(text, size))
        return 0;
    const enum pc_status status = run(text, size, &one);
    FUZZ_CHECK(run(text, size, &other) == status);
    FUZZ_CHECK(one.hash == other.hash && one.line == other.line);
    return 0;
}
