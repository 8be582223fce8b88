/* SPDX-License-Identifier: MIT */
/*
 * Measures with the library how long something takes in a waveform, and which values a vector has:
 *
 *   latency FILE CLOCK START END [IDS IDE]
 *   latency FILE CLOCK VECTOR [when WHEN]
 *
 * START, END and WHEN are expressions; IDS and IDE are vectors that say which end belongs to which
 * start.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcounter/pcounter.h"

enum { BITS = 512 };

struct job {
    struct pc_wave *wave;
    struct pc_wave_bit bit[BITS];
    size_t bits;
    struct pc_error err;
};

static _Noreturn void stop(const struct job *j)
{
    fprintf(stderr, "latency: %s\n", j->err.text);
    exit(2);
}

static void must(const struct job *j, enum pc_status status)
{
    if (status != PC_OK)
        stop(j);
}

/* Adds the bits of a name to the planes of the blocks. */
static enum pc_status lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                             size_t *count, bool *is_signed, struct pc_error *err)
{
    struct job *j = ctx;
    enum pc_status status =
        pc_wave_find_bits(j->wave, name, j->bit + j->bits, BITS - j->bits, count, err);

    if (status != PC_OK)
        return status;
    *is_signed = pc_wave_is_signed(j->wave, name);
    for (size_t i = 0; i < *count && i < capacity && j->bits < BITS; i++)
        wires[i] = (uint32_t)j->bits++;
    return PC_OK;
}

static struct pc_expr *expression(struct job *j, const char *text)
{
    struct pc_expr *e = NULL;

    must(j, pc_expr_parse(NULL, text, &e, &j->err));
    must(j, pc_expr_resolve(e, lookup, j, &j->err));
    return e;
}

/* Finds the first plane and the width of a vector. */
static size_t vector(struct job *j, const char *name, unsigned *width, bool *is_signed)
{
    uint32_t wires[64];
    const size_t first = j->bits;
    size_t count = 0;

    must(j, lookup(j, name, wires, 64, &count, is_signed, &j->err));
    if (count > 64) {
        fprintf(stderr, "latency: %s has %zu bits, and values have up to 64\n", name, count);
        exit(2);
    }
    *width = (unsigned)count;
    return first;
}

/* "latency.values 2:79 3:32": 2 was there 79 times, and so on. */
static void say_each_value(const char *name, const struct pc_dist *dist)
{
    char text[PC_WIDE_TEXT];
    struct pc_wide value;
    uint64_t times;

    printf("%s.values", name);
    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++) {
        pc_wide_text(value, text);
        printf(" %s:%" PRIu64, text, times);
    }
    putchar('\n');
}

static void say_dist(const char *name, struct pc_dist *dist)
{
    struct pc_dist_figures f;
    struct pc_error err;
    char text[PC_WIDE_TEXT];

    if (pc_dist_get_figures(dist, &f, &err) != PC_OK) {
        fprintf(stderr, "latency: %s\n", err.text);
        exit(2);
    }
    pc_wide_text(f.sum, text);
    printf("%s.count %" PRIu64 "\n%s.sum %s\n", name, f.count, name, text);
    const struct {
        const char *name;
        struct pc_wide value;
    } rows[] = { { "min", f.min },
                 { "p50", f.rank[PC_P50] },
                 { "p90", f.rank[PC_P90] },
                 { "p99", f.rank[PC_P99] },
                 { "max", f.max } };
    for (size_t i = 0; f.count > 0 && i < sizeof rows / sizeof rows[0]; i++) {
        pc_wide_text(rows[i].value, text);
        printf("%s.%s %s\n", name, rows[i].name, text);
    }
    if (f.complete && f.count > 0)
        say_each_value(name, dist);
}

static void evaluate(struct pc_expr *e, const struct pc_wave_block *b, uint64_t *plane)
{
    pc_expr_eval(e, b->value, b->unknown, (b->cycles + 63) / 64, b->cycles, plane, NULL);
}

/* Sets the clock from a name with or without posedge before it. */
static void bind(struct job *j, const char *clock)
{
    struct pc_wave_clock c = { .edge = PC_EDGE_POS };
    unsigned stream;
    size_t count;

    must(j, pc_wave_find_bits(j->wave, clock, &c.clock, 1, &count, &j->err));
    must(j, pc_wave_bind(j->wave, &c, j->bit, j->bits, &stream, &j->err));
}

static void values(struct job *j, const char *clock, const char *name, const char *condition)
{
    static uint64_t plane[PC_BLOCK_WORDS];
    struct pc_expr *when = condition ? expression(j, condition) : NULL;
    const size_t first = j->bits;
    struct pc_wave_block b;
    struct pc_values *v;
    enum pc_status status;
    unsigned width;
    bool is_signed = false;

    (void)vector(j, name, &width, &is_signed);
    must(j, pc_values_create(NULL, width, is_signed, &v, &j->err));
    bind(j, clock);
    while ((status = pc_wave_next(j->wave, &b, &j->err)) == PC_OK) {
        if (when)
            evaluate(when, &b, plane);
        pc_values_add(v, b.value + first, b.unknown + first, when ? plane : NULL, b.cycles);
    }
    if (status != PC_END)
        stop(j);
    printf("unknown %" PRIu64 "\n", pc_values_unknown(v));
    say_dist("value", pc_values_dist(v));
    pc_values_destroy(v);
    pc_expr_free(when);
}

static void say_latencies(struct pc_latency *l)
{
    struct pc_latency_figures f;
    struct pc_dist *dist;
    uint64_t id;

    pc_latency_get_figures(l, &f);
    printf("cycles %" PRIu64 "\nstarted %" PRIu64 "\ncompleted %" PRIu64 "\nunfinished %" PRIu64
           "\norphans %" PRIu64 "\nunknown_id %" PRIu64 "\nmost_outstanding %" PRIu64 "\n",
           f.cycles, f.started, f.completed, f.unfinished, f.orphans, f.unknown_id,
           f.most_outstanding);
    say_dist("latency", pc_latency_dist(l));
    say_dist("outstanding", pc_latency_outstanding(l));
    for (size_t i = 0; (dist = pc_latency_of_id(l, i, &id)) != NULL; i++) {
        char name[40];
        snprintf(name, sizeof name, "id.%" PRIu64, id);
        say_dist(name, dist);
    }
    if (!f.all_ids)
        fprintf(stderr, "latency: only the first %zu identifiers have lines of their own\n", f.ids);
}

static void latencies(struct job *j, const char *clock, const char *const text[4])
{
    static uint64_t plane[2][PC_BLOCK_WORDS];
    struct pc_expr *when[2] = { expression(j, text[0]), expression(j, text[1]) };
    struct pc_latency_desc desc = { .alloc = NULL };
    struct pc_latency *l;
    struct pc_wave_block b;
    enum pc_status status;
    size_t id[2] = { 0, 0 };
    bool is_signed;

    if (text[2]) {
        id[0] = vector(j, text[2], &desc.start_id_bits, &is_signed);
        id[1] = vector(j, text[3], &desc.end_id_bits, &is_signed);
    }
    must(j, pc_latency_create(&desc, &l, &j->err));
    bind(j, clock);
    while ((status = pc_wave_next(j->wave, &b, &j->err)) == PC_OK) {
        for (unsigned k = 0; k < 2; k++)
            evaluate(when[k], &b, plane[k]);
        const struct pc_latency_block block = { .cycles = b.cycles,
                                                .start = plane[0],
                                                .end = plane[1],
                                                .start_id = b.value + id[0],
                                                .start_id_unknown = b.unknown + id[0],
                                                .end_id = b.value + id[1],
                                                .end_id_unknown = b.unknown + id[1] };
        must(j, pc_latency_add(l, &block, &j->err));
    }
    if (status != PC_END)
        stop(j);
    say_latencies(l);
    pc_latency_destroy(l);
    for (unsigned k = 0; k < 2; k++)
        pc_expr_free(when[k]);
}

int main(int argc, char **argv)
{
    static struct job j;

    const bool of_vector = argc == 4 || (argc == 6 && strcmp(argv[4], "when") == 0);
    if (!of_vector && argc != 5 && argc != 7) {
        fputs("usage: latency FILE CLOCK START END [IDS IDE]\n"
              "       latency FILE CLOCK VECTOR [when WHEN]\n",
              stderr);
        return 2;
    }
    must(&j, pc_wave_open(&(struct pc_wave_desc){ .path = argv[1] }, &j.wave, &j.err));
    if (of_vector)
        values(&j, argv[2], argv[3], argc == 6 ? argv[5] : NULL);
    else
        latencies(&j, argv[2],
                  (const char *const[4]){ argv[3], argv[4], argc == 7 ? argv[5] : NULL,
                                          argc == 7 ? argv[6] : NULL });
    pc_wave_close(j.wave);
    return 0;
}
