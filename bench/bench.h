/* SPDX-License-Identifier: MIT */
/*
 * What every benchmark shares: thread CPU time, interleaved rounds, medians of ratios within a
 * round, the result verified while timed, and rows on stdout with the goal beside each figure:
 * those that users decide by.  With PC_BENCH_JSON=file each row is also appended there as one JSON
 * object a line, and so is what only this project asks for (bench/run.sh makes bench.json of them).
 */
#ifndef PC_BENCH_H
#define PC_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_MAX_ROUNDS = 15 };

/* One thing to time: run() returns what it computed, and this must be `want`. */
struct bench_case {
    const char *name;
    uint64_t (*run)(void *ctx);
    void *ctx;
    uint64_t want;
    double units;                     /* cycles or bytes of one run */
    unsigned repeat;                  /* runs in one timing; 0: 1 */
    double seconds[BENCH_MAX_ROUNDS]; /* of one run; filled in */
};

/* CPU seconds of this thread; seconds that passed. */
double bench_cpu(void);
double bench_wall(void);

/* PC_BENCH_ROUNDS, or 5; and the median of that many values, which are sorted. */
unsigned bench_round_count(void);
double bench_median(double *values, unsigned n);

/* Runs each case once a round, in turn, PC_BENCH_ROUNDS (or 5) times.  Ends the program if a
 * result is wrong. */
void bench_rounds(struct bench_case *cases, size_t n);

/* Median over the rounds of units a second. */
double bench_rate(const struct bench_case *c);
/* Median over the rounds of how often `c` does its units in the time `base` does one. */
double bench_ratio(const struct bench_case *c, const struct bench_case *base);

/* One row; goal 0: none.  at_most: the goal is an upper limit. */
void bench_row(const char *what, double value, const char *unit, double goal, bool at_most);
/* One row for the file alone, unless it misses its goal. */
void bench_more(const char *what, double value, const char *unit, double goal, bool at_most);
/* For the file: machine, kernel, version of a peer. */
void bench_fact(const char *name, const char *value);
/* Machine and CPU features. */
void bench_machine(void);
/* A heading, printed in front of the first row, and the name of the program in JSON. */
void bench_begin(const char *program, const char *title);
/* 0, or 1 where PC_BENCH_STRICT is set and a goal was missed. */
int bench_end(void);

/* Memory from the bench's own pages, on 64-byte lines; ends the program where there is none. */
void *bench_memory(size_t size);
/* A small generator for inputs. */
uint64_t bench_random(uint64_t *state);

#endif
