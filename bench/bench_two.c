/* SPDX-License-Identifier: MIT */
#include "bench_two.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_read.h"

enum { STEPS = 6000000, MOST = 32 };

/* Half of the work. */
struct half {
    const uint64_t *plane[MOST];
    unsigned planes; /* 0: arithmetic */
    size_t words;
    uint64_t result;
    double cpu;
};

/* Four chains that do not wait for each other, and nothing that could be done ahead. */
static uint64_t calculate(uint64_t seed)
{
    uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;

    for (unsigned i = 0; i < STEPS; i++) {
        a += b ^ i;
        b += c & a;
        c += d | i;
        d += a ^ c;
    }
    return a ^ b ^ c ^ d;
}

static void *do_half(void *ctx)
{
    struct half *h = ctx;
    const double start = bench_cpu();

    h->result = h->planes ? bench_sum(h->plane, h->planes, h->words) : calculate(h->words);
    h->cpu = bench_cpu() - start;
    return NULL;
}

static double compare(struct half half[2])
{
    uint64_t result[2];
    double alone = 0;
    pthread_t thread;

    for (unsigned i = 0; i < 2; i++) {
        do_half(&half[i]);
        alone += half[i].cpu;
        result[i] = half[i].result;
    }
    if (pthread_create(&thread, NULL, do_half, &half[1]) != 0) {
        fprintf(stderr, "no thread\n");
        exit(2);
    }
    do_half(&half[0]);
    pthread_join(thread, NULL);
    if (half[0].result != result[0] || half[1].result != result[1]) {
        fprintf(stderr, "two threads calculate otherwise\n");
        exit(1);
    }
    return alone / (half[0].cpu > half[1].cpu ? half[0].cpu : half[1].cpu);
}

double bench_two_arithmetic(void)
{
    struct half half[2] = { { .words = 1 }, { .words = 2 } };

    return compare(half);
}

double bench_two_read(const uint64_t *const *plane, unsigned n, size_t words)
{
    struct half half[2] = { { .planes = n < MOST ? n : MOST, .words = words / 2 } };

    half[1] = half[0];
    for (unsigned i = 0; i < half[0].planes; i++) {
        half[0].plane[i] = plane[i];
        half[1].plane[i] = plane[i] + words / 2;
    }
    return compare(half);
}
