/* SPDX-License-Identifier: MIT */
/* Writes random VCD files for the tests, in all the ways that writers have. */
#ifndef PC_TEST_VCD_WRITER_H
#define PC_TEST_VCD_WRITER_H

#include "test.h"

enum { MOST_VARS = 40, MOST_DIGITS = 600, TEXT = 1 << 21 };

struct text {
    char *at;
    size_t used;
};

struct writer {
    struct text out;
    struct test_rng rng;
    const char *end; /* of a line */
    unsigned vars;
    char id[MOST_VARS][12];
    unsigned width[MOST_VARS];
    unsigned oddity;    /* one in so many lines is odd; 0: none */
    unsigned fractions; /* one in so many stamps has a fraction; 0: none */
    bool clock_last, upper;
    bool plain;    /* nothing but 0 and 1 */
    unsigned wide; /* most vectors have so many digits, and all are written; 0: any */
};

/* Less than n, from the writer's own numbers. */
uint32_t writer_below(struct writer *w, uint32_t n);
void writer_put(struct writer *w, const char *text);

/* Declares variables. */
void writer_header(struct writer *w);
/* Changes of them, in so many groups. */
void writer_body(struct writer *w, unsigned groups);
/* A whole file of so many groups; some are cut off or damaged. */
void writer_file(struct writer *w, unsigned groups);
/*
 * Timestamps of all lengths, in steps of all sizes, so that any of their digits moves while the
 * others go on or back; some are not later, and some are no numbers.
 */
void writer_stamps(struct writer *w, unsigned count);

#endif
