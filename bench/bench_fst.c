/* SPDX-License-Identifier: MIT */
/*
 * The FST reader, from opening the file to the last block of samples, against the format's
 * reference code with its process mask.  The file is made here: 279 signals, half of them of
 * 32 bits, 600,000 cycles, and for two threads four times as many: what they are for, as a file is
 * opened, and its first block loaded, by one.  Every reading counts ones before the edges, and all
 * counts must be the same.  Measured runs are read too, where they are (PC_SHARED, ../shared).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench.h"
#include "bench_two.h"
#include "kernel/kernel.h"
#include "pcounter/pcounter.h"
#ifdef PC_HAVE_FSTAPI
#include "peer_fst.h"
#endif

enum { CYCLES = 600000, LONG_CYCLES = 4 * CYCLES, MAX_NAMES = 32, MAX_BITS = 1024 };

struct job {
    const char *path, *clock;
    char names[MAX_NAMES][32];
    size_t count;
    unsigned threads;
    uint64_t cycles, bytes_peak, bytes;
};

static void die(const char *what, const struct pc_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err ? err->text : "failed");
    exit(1);
}

/* ---- our reader ---- */

static void *count_bytes(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct job *job = ctx;

    job->bytes += new_size - (p ? old_size : 0);
    if (job->bytes > job->bytes_peak)
        job->bytes_peak = job->bytes;
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

static size_t bind(struct pc_wave *wave, const struct job *job, uint64_t *weight)
{
    struct pc_wave_bit bits[MAX_BITS];
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_error err;
    uint32_t hi, lo;
    size_t var, n = 0;
    unsigned stream;

    if (pc_wave_find(wave, job->clock, &clock.clock.var, &hi, &lo, &err))
        die(job->clock, &err);
    for (size_t i = 0; i < job->count; i++) {
        if (pc_wave_find(wave, job->names[i], &var, &hi, &lo, &err))
            die(job->names[i], &err);
        for (uint32_t b = lo; b <= hi && n < MAX_BITS; b++) {
            weight[n] = i + 1;
            bits[n++] = (struct pc_wave_bit){ var, b };
        }
    }
    if (pc_wave_bind(wave, &clock, bits, n, &stream, &err))
        die(job->path, &err);
    return n;
}

static uint64_t read_ours(void *ctx)
{
    struct job *job = ctx;
    const struct pc_alloc alloc = { .resize = count_bytes, .ctx = job };
    const struct pc_wave_desc desc = { .path = job->path,
                                       .threads = job->threads,
                                       .alloc = &alloc };
    const struct pc_kernel *kernel = pc_kernel_best();
    uint64_t weight[MAX_BITS], sum = 0;
    struct pc_wave_block block;
    struct pc_wave *wave = NULL;
    struct pc_error err;
    enum pc_status status = pc_wave_open(&desc, &wave, &err);

    if (status)
        die(job->path, &err);
    size_t n = bind(wave, job, weight);
    job->cycles = 0;
    while ((status = pc_wave_next(wave, &block, &err)) == PC_OK) {
        for (size_t i = 0; i < n; i++)
            sum += weight[i] * kernel->count(block.value[i], (block.cycles + (size_t)63) / 64);
        job->cycles += block.cycles;
    }
    if (status != PC_END)
        die(job->path, &err);
    pc_wave_close(wave);
    return sum + job->cycles;
}

/* ---- threads ---- */

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of the slower one of two threads, and of one alone, in turn. */
static void compare_threads(const char *what, const struct job *like, uint64_t want)
{
    enum { ROUNDS = 9 };
    struct job one = *like, two = *like;
    double ratio[ROUNDS], machine[ROUNDS];
    char text[100];

    one.threads = 1;
    two.threads = 2;
    for (unsigned i = 0; i < ROUNDS; i++) {
        double start = bench_cpu();
        uint64_t got = read_ours(&one);
        const double alone = bench_cpu() - start, all = seconds(CLOCK_PROCESS_CPUTIME_ID);
        start = bench_cpu();
        if (got != want || read_ours(&two) != want)
            die("two threads count otherwise", NULL);
        const double mine = bench_cpu() - start;
        const double other = seconds(CLOCK_PROCESS_CPUTIME_ID) - all - mine;
        ratio[i] = alone / (mine > other ? mine : other);
        machine[i] = bench_two_arithmetic();
    }
    snprintf(text, sizeof text, "%s, 2 threads: CPU time of one / of the slower", what);
    bench_row(text, bench_median(ratio, ROUNDS), "x", 1.9, false);
    bench_row("... the same of arithmetic in registers, in the same rounds",
              bench_median(machine, ROUNDS), "x", 0, false);
    snprintf(text, sizeof text, "%s, 2 threads: memory of one's", what);
    bench_row(text, (double)two.bytes_peak / (double)one.bytes_peak, "x", 2, true);
    snprintf(text, sizeof text, "%s, memory", what);
    bench_row(text, (double)one.bytes_peak / 1048576, "MiB", 0, false);
}

/* ---- the file that is made ---- */

#ifdef PC_HAVE_FSTAPI
static uint64_t read_peer(void *ctx)
{
    const struct job *job = ctx;
    struct peer_fst_result r;

    const char *names[MAX_NAMES];

    for (size_t i = 0; i < job->count; i++)
        names[i] = job->names[i];
    if (!peer_fst_read(job->path, names, job->count, &r))
        die(job->path, NULL);
    return r.ones + r.cycles;
}

static void add_names(struct job *job, const char *kind, unsigned count, unsigned step)
{
    for (unsigned i = 0; i < count; i++)
        snprintf(job->names[job->count++], sizeof job->names[0], "%s%u", kind, i * step);
}

static void against_peer(const char *what, const char *long_run, struct job *job, double goal)
{
    char text[100];
    struct bench_case c[] = {
        { "reference", read_peer, job, 0, CYCLES, 1, { 0 } },
        { "ours", read_ours, job, 0, CYCLES, 1, { 0 } },
    };

    c[0].want = c[1].want = read_peer(job);
    bench_rounds(c, 2);
    snprintf(text, sizeof text, "%s, the reference reader", what);
    bench_row(text, bench_rate(&c[0]) * 1e-6, "Mcycle/s", 0, false);
    snprintf(text, sizeof text, "%s, ours", what);
    bench_row(text, bench_rate(&c[1]) * 1e-6, "Mcycle/s", 0, false);
    snprintf(text, sizeof text, "%s, ours of the reference reader", what);
    bench_row(text, bench_ratio(&c[1], &c[0]), "x", goal, false);
    job->path = long_run;
    compare_threads(what, job, read_peer(job));
}

static void make_file(char *path, size_t size, const char *folder, unsigned cycles)
{
    struct stat st;

    snprintf(path, size, "%s/bench_fst_%u.fst", folder, cycles);
    if (stat(path, &st) != 0 && !peer_fst_write(path, cycles))
        die(path, NULL);
}

static void made_files(const char *folder)
{
    char path[4200], long_run[4200];
    struct job scalars = { .path = path, .clock = "clk", .threads = 1 };
    struct job mixed = scalars;

    make_file(path, sizeof path, folder, CYCLES);
    make_file(long_run, sizeof long_run, folder, LONG_CYCLES);
    add_names(&scalars, "s", 16, 8);
    add_names(&mixed, "s", 8, 16);
    add_names(&mixed, "v", 8, 17);
    against_peer("17 of 279 signals", long_run, &scalars, 3);
    against_peer("17 of 279, 8 of 32 bits", long_run, &mixed, 3);
}
#endif

/* ---- measured runs ---- */

static void measured_run(const char *shared)
{
    static const char *const names[] = {
        "ev_branch_valid", "ev_stall_issue", "ev_icache_req", "ev_if_empty", "ev_l1_icache_miss",
    };
    char path[4096];
    struct stat st;
    struct job job = { .clock = "TOP.clk_i", .threads = 1 };

    snprintf(path, sizeof path, "%s/waves/cva6/cva6_dhrystone_long_events.fst", shared);
    if (stat(path, &st) != 0) {
        printf("  SKIP CVA6's long run: %s is not there\n", path);
        return;
    }
    job.path = path;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        snprintf(job.names[job.count++], sizeof job.names[0], "%s", names[i]);
    struct bench_case c = { "cva6", read_ours, &job, read_ours(&job), 1, 1, { 0 } };
    c.units = (double)job.cycles;
    bench_rounds(&c, 1);
    bench_row("CVA6 dhrystone, long run, 6 of 40 signals", bench_rate(&c) * 1e-6, "Medge/s", 50,
              false);
    compare_threads("CVA6 dhrystone, long run", &job, c.want);
}

int main(int argc, char **argv)
{
    const char *shared = getenv("PC_SHARED");
    char folder[4096];

    (void)argc;
    snprintf(folder, sizeof folder, "%s", argv[0]);
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, sizeof folder - (size_t)(slash ? slash - folder : 0), "%s",
             slash ? "" : ".");
    bench_begin("fst", "FST: from the file to bit planes");
#ifdef PC_HAVE_FSTAPI
    made_files(folder);
#else
    printf("  SKIP the reference reader: built without fstapi.c of Verilator's package\n");
#endif
    measured_run(shared ? shared : PC_SHARED_DIR);
    return bench_end();
}
