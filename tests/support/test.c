/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void warm_up(struct test_rng *rng)
{
    if (rng->state == 0)
        rng->state = 1;
    for (int i = 0; i < 8; i++)
        test_rand(rng);
}

struct test_rng test_rng_start(uint64_t fallback, uint64_t *seed)
{
    const char *text = getenv("PC_SEED");
    uint64_t s = text ? strtoull(text, NULL, 0) : fallback;
    struct test_rng rng = { s * 0x9e3779b97f4a7c15u + 0x123456789u };

    if (seed)
        *seed = s;
    warm_up(&rng);
    return rng;
}

void test_rng_stream(struct test_rng *rng, uint64_t stream)
{
    rng->state += stream * 0xd1342543de82ef95u;
    warm_up(rng);
}

bool test_long(void)
{
    const char *text = getenv("PC_TEST_LONG");

    return text && *text;
}

uint64_t test_rand(struct test_rng *rng)
{
    uint64_t x = rng->state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    rng->state = x;
    return x * 0x2545f4914f6cdd1du;
}

uint32_t test_rand_below(struct test_rng *rng, uint32_t limit)
{
    return (uint32_t)((test_rand(rng) >> 32) * limit >> 32);
}

void test_say_skip(const char *name, const char *reason)
{
    fprintf(stderr, "\n*** SKIP %s: %s ***\n\n", name, reason);
}

const char *test_shared(const char *relative, char *buffer, size_t size)
{
    int n = snprintf(buffer, size, "%s/%s", PC_SHARED_DIR, relative);

    if (n < 0 || (size_t)n >= size || access(buffer, R_OK) != 0) {
        test_say_skip(relative, "the folder of measured data is not beside the project");
        return NULL;
    }
    return buffer;
}

void test_ok(enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return;
    fail_msg("%s PC-E%04u line %" PRIu32 " column %" PRIu32 " byte %" PRIu64 ": %s (%s)",
             pc_status_name(status), err->code, err->line, err->column, err->byte, err->text,
             err->hint);
}

enum pc_status test_signal(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)ctx;
    (void)err;
    *count = 1;
    if (capacity > 0)
        wires[0] = (uint32_t)strtoul(name + 1, NULL, 16); /* s2a */
    return PC_OK;
}

int test_pipe(const char *text, size_t size, size_t piece, pid_t *writer)
{
    int end[2];

    assert_int_equal(pipe(end), 0);
    *writer = fork();
    assert_true(*writer >= 0);
    if (*writer == 0) {
        close(end[0]);
        for (size_t at = 0; at < size; at += piece)
            if (write(end[1], text + at, size - at < piece ? size - at : piece) < 0)
                break;
        _exit(0);
    }
    close(end[1]);
    return end[0];
}
