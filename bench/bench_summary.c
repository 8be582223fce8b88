/* SPDX-License-Identifier: MIT */
/*
 * One long run by two threads: pc_unit_run() over the first half, a summary of the second half
 * meanwhile, then applied; against one thread over all of it.  What counts is the CPU time of the
 * thread that had more of it.  Then summaries of many chunks, combined in trees of every shape,
 * which must all leave the state that the run leaves.
 *
 * And `pcounter stat -j2` as a process: the reading thread or all others together, whichever took
 * more, against all of -j1; memory of the two.  The report is the same or the bench ends.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bench_unit.h"
#include "bench_two.h"
#include "pcounter/pcounter.h"
#include "vcd_make.h"
#include "verb_cost.h"

enum { PLANES = 16, WORDS = 1 << 21, CHUNKS = 24, TREES = 40, ROUNDS = 7, EVENTS = 12 };

#define LONG_TRACE ((uint64_t)400 << 20) /* bytes, as bench_vcd has */

static const uint64_t *plane[PC_MAX_SIGNALS]; /* one domain's */

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

/* --- units --- */

static struct pc_unit *make_unit(bool single)
{
    static const uint32_t quad[][2] = {
        { 0xa7c0, 1 },          { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 },
        { 0xa480, 0x0b0a0908 }, { 0xa4c0, 0x0f0e0d0c }, { 0xa460, 0x6ac9 },
        { 0xa4a0, 0x3be5 },     { 0xa4e0, 0x95d2 },     { 0xa420, 0x7e81 },
    };
    /* periods from START to STOP; EVENT looks at the flag */
    static const uint32_t one[][2] = {
        { 0xa7c0, 0 },          { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 },
        { 0xa480, 0x0b0a095f }, { 0xa4c0, 0x0f0e0d0c }, { 0xa460, 0x8000 },
        { 0xa4a0, 0x3be5 },     { 0xa4e0, 0x8000 },     { 0xa500, 0xaaaa },
        { 0xa520, 0xaaaa },     { 0xa740, UINT32_MAX }, { 0xa420, 0xffff },
    };
    const uint32_t(*write)[2] = single ? one : quad;
    size_t writes = single ? sizeof one / sizeof one[0] : sizeof quad / sizeof quad[0];
    const struct pc_unit_desc desc = { .chip = pc_chip_find("G80") };
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_unit *unit = bench_unit(&desc);

    for (size_t i = 0; i < writes; i++)
        pc_unit_write(unit, write[i][0], write[i][1]);
    for (unsigned t = 0; t < 4; t++) /* what the writes do is done, PRE has passed */
        pc_unit_step(unit, 1, nothing);
    return unit;
}

static void save(const struct pc_unit *unit, void **state, size_t *size)
{
    *size = pc_unit_state_size(unit);
    *state = malloc(*size);
    if (!*state)
        fail("no memory");
    pc_unit_save(unit, *state);
}

static bool same_state(const struct pc_unit *a, const struct pc_unit *b)
{
    void *x, *y;
    size_t n, m;

    save(a, &x, &n);
    save(b, &y, &m);
    bool same = n == m && memcmp(x, y, n) == 0;
    free(x);
    free(y);
    return same;
}

/* --- parts of the run --- */

struct part {
    const struct pc_unit *start;
    struct pc_unit *unit; /* that runs the part; NULL: a summary of it is made */
    struct pc_summary *summary;
    struct pc_engine *engine;
    uint64_t from, to; /* words */
    double cpu;
};

/* One a thread, made once: their memory is touched in the first round. */
static struct pc_engine *engine_of[2];

static struct pc_engine *make_engine(void)
{
    struct pc_engine *engine;
    struct pc_error err;

    if (pc_engine_create(NULL, &engine, &err) != PC_OK)
        fail(err.text);
    return engine;
}

static void *do_part(void *ctx)
{
    struct part *p = ctx;
    const double start = bench_cpu();
    const uint64_t lead = p->unit || p->from == 0 ? 0 : PC_SUMMARY_LEAD;
    const uint64_t *from[PC_MAX_SIGNALS] = { NULL };
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = from } };
    struct pc_error err;

    for (unsigned x = 1; x < PC_MAX_DOMAINS; x++)
        domain[x].still = true;
    for (unsigned s = 0; s < PLANES; s++)
        from[s] = plane[s] + p->from - lead / 64;
    const uint64_t cycles = 64 * (p->to - p->from);
    const struct pc_run run = { .cycles = cycles, .domain = domain };
    const struct pc_summary_chunk chunk = { domain, cycles + lead, lead, 64 * p->from };
    if (p->unit)
        pc_unit_run(p->unit, p->engine, &run);
    else if (pc_summary_create(p->start, p->engine, &chunk, &p->summary, &err) != PC_OK)
        fail(err.text);
    p->cpu = bench_cpu() - start;
    return NULL;
}

/* CPU seconds of one thread over everything. */
static double by_one(struct pc_unit *unit)
{
    struct part all = { .unit = unit, .engine = engine_of[0], .to = WORDS };

    do_part(&all);
    return all.cpu;
}

/* ... of the busier of two. */
static double by_two(const struct pc_unit *start, struct pc_unit *unit)
{
    const uint64_t cut = WORDS / 2;
    struct part first = { .unit = unit, .engine = engine_of[0], .to = cut },
                second = { .start = start, .engine = engine_of[1], .from = cut, .to = WORDS };
    pthread_t thread;

    if (pthread_create(&thread, NULL, do_part, &second) != 0)
        fail("no thread");
    do_part(&first);
    pthread_join(thread, NULL);
    const double begin = bench_cpu();
    if (!pc_summary_apply(second.summary, unit))
        fail("the summary does not hold");
    pc_summary_destroy(second.summary);
    first.cpu += bench_cpu() - begin;
    return first.cpu > second.cpu ? first.cpu : second.cpu;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return values[n / 2];
}

static void halves(bool single, const char *name)
{
    double ratio[ROUNDS], read[ROUNDS];
    char what[100];

    for (unsigned r = 0; r < ROUNDS; r++) {
        struct pc_unit *start = make_unit(single), *one = make_unit(single),
                       *two = make_unit(single);
        double alone = by_one(one);
        ratio[r] = alone / by_two(start, two);
        read[r] = bench_two_read(plane, PLANES, WORDS);
        if (!same_state(one, two))
            fail("two threads leave another state");
        pc_unit_destroy(start);
        pc_unit_destroy(one);
        pc_unit_destroy(two);
    }
    snprintf(what, sizeof what, "%s, %d Mcycles, two threads: less CPU time on the slower", name,
             WORDS * 64 >> 20);
    bench_row(what, median(ratio, ROUNDS), "x", 1.9, false);
    bench_row("... the same of a plain read of the planes, in the same rounds",
              median(read, ROUNDS), "x", 0, false);
}

/* --- trees --- */

/* Neighbours become one until one is left; shape 0 from the left, 1 from the right, else any. */
static struct pc_summary *combine(struct pc_summary *const *leaf, unsigned shape, uint64_t *seed)
{
    struct pc_summary *s[CHUNKS];
    bool made[CHUNKS] = { false };
    struct pc_error err;

    memcpy(s, leaf, sizeof s);
    for (unsigned n = CHUNKS; n > 1; n--) {
        unsigned i = shape == 0 ? 0 : shape == 1 ? n - 2 : (unsigned)(bench_random(seed) % (n - 1));
        struct pc_summary *both;
        if (pc_summary_create_combined(s[i], s[i + 1], &both, &err) != PC_OK)
            fail(err.text);
        for (unsigned k = i; k < i + 2; k++)
            if (made[k])
                pc_summary_destroy(s[k]);
        s[i] = both;
        made[i] = true;
        memmove(s + i + 1, s + i + 2, (n - i - 2) * sizeof *s);
        memmove(made + i + 1, made + i + 2, (n - i - 2) * sizeof *made);
    }
    return s[0];
}

static void trees(bool single, const char *name)
{
    struct pc_unit *start = make_unit(single), *whole = make_unit(single);
    struct pc_summary *leaf[CHUNKS];
    uint64_t seed = 5, at = 0;
    unsigned equal = 0;
    char what[100];

    by_one(whole);
    for (unsigned i = 0; i < CHUNKS; i++) {
        uint64_t left = WORDS - at, to = at + 16 + bench_random(&seed) % (2 * left / (CHUNKS - i));
        struct part p = {
            .start = start, .engine = engine_of[0], .from = at, .to = i == CHUNKS - 1 ? WORDS : to
        };
        if (p.to > WORDS - (CHUNKS - 1 - i) * 16)
            p.to = WORDS - (CHUNKS - 1 - i) * 16;
        do_part(&p);
        leaf[i] = p.summary;
        at = p.to;
    }
    for (unsigned t = 0; t < TREES; t++) {
        struct pc_summary *all = combine(leaf, t, &seed);
        struct pc_unit *unit = make_unit(single);
        equal += pc_summary_apply(all, unit) && same_state(unit, whole);
        pc_unit_destroy(unit);
        pc_summary_destroy(all);
    }
    for (unsigned i = 0; i < CHUNKS; i++)
        pc_summary_destroy(leaf[i]);
    pc_unit_destroy(start);
    pc_unit_destroy(whole);
    snprintf(what, sizeof what, "%s: trees of %d summaries that equal the run, of %d", name, CHUNKS,
             TREES);
    bench_row(what, equal, "", TREES, false);
}

/* --- the program --- */

static struct verb_cost measure(char *path, char *events, bool two)
{
    char verb[] = "stat", e[] = "-e", clock[] = "--clock", clk[] = "clk", quiet[] = "-q",
         jobs[] = "-j1";
    char *argv[] = { verb, quiet, jobs, clock, clk, e, events, path, NULL };

    jobs[2] = two ? '2' : '1';
    return verb_measure(&cli_verb_stat, argv);
}

static void compare(const char *name, char *path, char *events)
{
    double less[ROUNDS], memory[ROUNDS], machine[ROUNDS];
    char what[100];

    for (unsigned r = 0; r < ROUNDS; r++) {
        const struct verb_cost one = measure(path, events, false),
                               two = measure(path, events, true);
        if (one.report != two.report)
            fail("-j 2 prints something else");
        less[r] = one.all / verb_slower(&two);
        memory[r] = two.memory / one.memory;
        machine[r] = bench_two_arithmetic();
    }
    snprintf(what, sizeof what, "stat -j2, %s: less CPU time on the slower thread", name);
    bench_row(what, median(less, ROUNDS), "x", 1.9, false);
    bench_row("... the same of arithmetic in registers, in the same rounds",
              median(machine, ROUNDS), "x", 0, false);
    snprintf(what, sizeof what, "stat -j2, %s: memory of -j1", name);
    bench_row(what, median(memory, ROUNDS), "x", 2, true);
}

static void program(void)
{
    static const struct vcd_kind kind = { "200 signals", 200, 0, 100 };
    char path[] = "pcounter-bench-XXXXXX", events[EVENTS * 40] = "";
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    struct vcd_made made;
    size_t used = 0;

    if (!file)
        fail("no temporary file");
    vcd_make(file, &kind, LONG_TRACE, &made);
    if (fclose(file) != 0)
        fail("no room for a temporary file");
    char event[] = "s0 & !s13";
    compare("VCD, 1 event", path, event);
    for (unsigned i = 0; i < EVENTS; i++)
        used += (size_t)snprintf(events + used, sizeof events - used, "%srise(s%u) & !s%u",
                                 i ? "," : "", 13 * i, 13 * i + 5);
    compare("VCD, 12 events", path, events);
    unlink(path);
}

int main(void)
{
    uint64_t seed = 1;

    bench_begin("summary", "chunks of a run, made apart");
    bench_machine();
    program(); /* first: its processes are small as long as this one is */
    uint64_t *memory = bench_memory((size_t)PLANES * (WORDS + 8) * sizeof *memory);
    for (unsigned s = 0; s < PLANES; s++)
        plane[s] = memory + (size_t)s * (WORDS + 8);
    for (size_t i = 0; i < (size_t)PLANES * (WORDS + 8); i++)
        memory[i] = bench_random(&seed);
    for (unsigned i = 0; i < 2; i++)
        engine_of[i] = make_engine();
    halves(false, "quad");
    halves(true, "single with FLAG");
    trees(false, "quad");
    trees(true, "single with FLAG");
    for (unsigned i = 0; i < 2; i++)
        pc_engine_destroy(engine_of[i]);
    return bench_end();
}
