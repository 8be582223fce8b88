/* SPDX-License-Identifier: MIT */
/*
 * What every test shares, on top of cmocka:
 *   - a fixed seed, printed when a test fails, changed by PC_SEED=n;
 *   - the path of a file in the folder of measured data, and a loud SKIP without it.
 */
#ifndef PC_TEST_H
#define PC_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <cmocka.h>

#include "pcounter/pcounter.h"

/* A small deterministic generator (xorshift64*), one a test. */
struct test_rng {
    uint64_t state;
};
/* Seeded from PC_SEED if set, else from `fallback`; *seed tells which. */
struct test_rng test_rng_start(uint64_t fallback, uint64_t *seed);
/* Another of the same seed, for each `stream`: PC_SEED must not make parts of a test the same. */
void test_rng_stream(struct test_rng *rng, uint64_t stream);
uint64_t test_rand(struct test_rng *rng);
uint32_t test_rand_below(struct test_rng *rng, uint32_t limit); /* limit > 0 */

/* Is the long form wanted?  PC_TEST_LONG is set, and not empty. */
bool test_long(void);

/* Path of a file of the measured data; NULL, after saying SKIP, if it is not there. */
const char *test_shared(const char *relative, char *buffer, size_t size);

/* Prints "SKIP name: reason" where nobody overlooks it. */
void test_say_skip(const char *name, const char *reason);

/*
 * Another process that writes the text into a pipe, in pieces of so many bytes; to be waited for.
 * The reading end.
 */
int test_pipe(const char *text, size_t size, size_t piece, pid_t *writer);

/* A pc_expr_lookup_fn: s2a is signal 0x2a, wherever. */
enum pc_status test_signal(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err);

/* Fails the test with the error's text if status is not PC_OK. */
void test_ok(enum pc_status status, const struct pc_error *err);

#endif
