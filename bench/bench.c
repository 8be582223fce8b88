/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    const char *program;
    FILE *json;
    const char *title; /* NULL: printed */
    unsigned missed;
} report;

double bench_cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_wall(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

unsigned bench_round_count(void)
{
    const char *text = getenv("PC_BENCH_ROUNDS");
    const unsigned long n = text ? strtoul(text, NULL, 10) : 5;

    return n < 1 ? 1 : n > BENCH_MAX_ROUNDS ? BENCH_MAX_ROUNDS : (unsigned)n;
}

static void time_one(struct bench_case *c, unsigned round)
{
    const unsigned repeat = c->repeat ? c->repeat : 1;
    const double start = bench_cpu();

    for (unsigned i = 0; i < repeat; i++) {
        const uint64_t got = c->run(c->ctx);
        if (got != c->want) {
            fprintf(stderr, "%s: computed %" PRIu64 ", must be %" PRIu64 "\n", c->name, got,
                    c->want);
            exit(1);
        }
    }
    c->seconds[round] = (bench_cpu() - start) / repeat;
}

void bench_rounds(struct bench_case *cases, size_t n)
{
    const unsigned rounds = bench_round_count();

    for (size_t i = 0; i < n; i++)
        time_one(&cases[i], 0); /* warms up; overwritten */
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < n; i++)
            time_one(&cases[i], round);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(double *values, unsigned n)
{
    qsort(values, n, sizeof values[0], by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double bench_rate(const struct bench_case *c)
{
    double rate[BENCH_MAX_ROUNDS];
    const unsigned rounds = bench_round_count();

    for (unsigned i = 0; i < rounds; i++)
        rate[i] = c->units / c->seconds[i];
    return bench_median(rate, rounds);
}

double bench_ratio(const struct bench_case *c, const struct bench_case *base)
{
    double ratio[BENCH_MAX_ROUNDS];
    const unsigned rounds = bench_round_count();

    for (unsigned i = 0; i < rounds; i++)
        ratio[i] = c->units / c->seconds[i] / (base->units / base->seconds[i]);
    return bench_median(ratio, rounds);
}

static void json_string(const char *text)
{
    putc('"', report.json);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(report.json, "\\%c", *text);
        else if ((unsigned char)*text >= ' ')
            putc(*text, report.json);
    putc('"', report.json);
}

static void json_start(const char *key, const char *value)
{
    fputs("{\"program\": ", report.json);
    json_string(report.program);
    fprintf(report.json, ", \"%s\": ", key);
    json_string(value);
}

static void print_row(const char *what, double value, const char *unit, double goal, bool at_most,
                      bool met)
{
    if (report.title)
        printf("\n%s\n", report.title);
    report.title = NULL;
    printf("  %-72s%9.3g %-6s", what, value, unit);
    if (goal != 0)
        printf(" %s %-5.3g %s", at_most ? "<=" : ">=", goal, met ? "met" : "MISSED");
    putchar('\n');
    fflush(stdout);
}

static void row(const char *what, double value, const char *unit, double goal, bool at_most,
                bool on_page)
{
    const bool met = goal == 0 || (at_most ? value <= goal : value >= goal);

    if (on_page || !met)
        print_row(what, value, unit, goal, at_most, met);
    report.missed += !met;
    if (!report.json)
        return;
    json_start("what", what);
    fprintf(report.json, ", \"value\": %.6g, \"unit\": ", value);
    json_string(unit);
    if (goal != 0)
        fprintf(report.json, ", \"goal\": %.6g, \"at_most\": %s, \"met\": %s", goal,
                at_most ? "true" : "false", met ? "true" : "false");
    fputs("}\n", report.json);
}

void bench_row(const char *what, double value, const char *unit, double goal, bool at_most)
{
    row(what, value, unit, goal, at_most, true);
}

void bench_more(const char *what, double value, const char *unit, double goal, bool at_most)
{
    row(what, value, unit, goal, at_most, false);
}

void bench_fact(const char *name, const char *value)
{
    if (!report.json)
        return;
    json_start("fact", name);
    fputs(", \"value\": ", report.json);
    json_string(value);
    fputs("}\n", report.json);
}

/* The text behind "key : " in /proc/cpuinfo, or what stands there for a machine without. */
static void cpu_line(const char *key, char *out, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[4096];

    snprintf(out, size, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", colon[1] ? colon + 2 : "");
        break;
    }
    if (f)
        fclose(f);
}

void bench_machine(void)
{
    static const char *const features[] = { "popcnt",          "avx2",    "bmi2",
                                            "pclmulqdq",       "avx512f", "avx512bw",
                                            "avx512_vpopcntdq" };
    char text[256], flags[4096], have[256] = "";
    size_t used = 0;

    cpu_line("model name", text, sizeof text);
    bench_fact("machine", text);
    cpu_line("flags", flags, sizeof flags - 1);
    strcat(flags, " ");
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        char word[32];
        snprintf(word, sizeof word, " %s ", features[i]);
        if (strstr(flags, word))
            used += (size_t)snprintf(have + used, sizeof have - used, "%s ", features[i]);
    }
    bench_fact("CPU features", have);
    snprintf(text, sizeof text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    bench_fact("CPUs", text);
}

void bench_begin(const char *program, const char *title)
{
    const char *path = getenv("PC_BENCH_JSON");

    report.program = program;
    report.json = path ? fopen(path, "a") : NULL;
    report.title = title;
}

int bench_end(void)
{
    if (report.json)
        fclose(report.json);
    return getenv("PC_BENCH_STRICT") && report.missed ? 1 : 0;
}

void *bench_memory(size_t size)
{
    void *p = aligned_alloc(64, (size + 63) / 64 * 64);

    if (!p) {
        fprintf(stderr, "no memory for %zu MiB\n", size >> 20);
        exit(1);
    }
    return p;
}

uint64_t bench_random(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}
