/* SPDX-License-Identifier: MIT */
/*
 * `pcounter check` and `pcounter stat` on measured runs of CVA6, as users start them: CPU time of
 * the whole process, user and system, from the waveform to the table.  The run that is checked
 * has all ports and registers of perf_counters and is recorded 18 times in a row, each time from
 * reset on, so that what a process costs by itself does not count.  Beside it the reader alone,
 * with the same signals.  Then the same by two threads, which counts by the CPU time of the one
 * that had more of it, and again beside the reader alone.  Files come from
 * PC_SHARED (../shared); without them there is nothing to measure.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "bench_two.h"
#include "pcounter/pcounter.h"
#include "verb_cost.h"
#ifdef PC_HAVE_FSTAPI
#include "peer_fst.h"
#endif

enum { TIMES = 18, PERIOD = 2538660, EDGES = TIMES * 253865, LONG_EDGES = 4485133, ROUNDS = 5 };

#define CORE  "cv64a6_imafdc_sv39"
#define SCOPE "TOP.cva6_wave_top.i_ariane.i_cva6.gen_perf_counter.perf_counters_i."

extern char **environ;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* ---- the program ---- */

struct command {
    const char *const *words; /* NULL ends them */
    const char *says;         /* a line of its output has to have that in it */
};

/* Its output is read to the end, so that it is right while it is timed. */
static bool says(FILE *output, const char *what)
{
    char line[1024];
    bool found = false;

    while (fgets(line, sizeof line, output))
        found |= strstr(line, what) != NULL;
    return found;
}

/* CPU seconds of all processes that were waited for. */
static double children(void)
{
    struct rusage r;

    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* CPU seconds of one run. */
static double run_once(const struct command *c)
{
    posix_spawn_file_actions_t actions;
    char *words[16] = { NULL };
    int pipes[2], result = 0;
    const double before = children();
    pid_t child = 0;

    for (unsigned i = 0; c->words[i] && i < 15; i++)
        words[i] = strdup(c->words[i]);
    if (pipe(pipes) != 0 || posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1) != 0 ||
        posix_spawn_file_actions_addclose(&actions, pipes[0]) != 0 ||
        posix_spawn(&child, words[0], &actions, NULL, words, environ) != 0)
        die(words[0], "cannot be started");
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    FILE *output = fdopen(pipes[0], "r");
    const bool right = output && says(output, c->says);
    fclose(output);
    if (waitpid(child, &result, 0) != child || result != 0 || !right)
        die(words[1], "did not say what it has to");
    for (unsigned i = 0; words[i]; i++)
        free(words[i]);
    return children() - before;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double seconds[ROUNDS])
{
    qsort(seconds, ROUNDS, sizeof *seconds, by_value);
    return seconds[ROUNDS / 2];
}

/* ---- the reader alone ---- */

static const char *const ports[] = {
#define CORE_PORT(id, name, bits) name,
#include "core/core_ports.def"
#undef CORE_PORT
};
enum { PORTS = sizeof ports / sizeof ports[0], MAX_BITS = 64 * PORTS };

/* As the verb has it: of what stands for another port that is there, it reads nothing. */
static bool is_read(const char *port)
{
    static const char suffix[] = "_event";
    const size_t length = strlen(port);

    return length < sizeof suffix || strcmp(port + length - (sizeof suffix - 1), suffix) != 0;
}

/* The first is the clock. */
static size_t find_bits(struct pc_wave *wave, struct pc_wave_bit *bits)
{
    struct pc_error err;
    uint32_t hi, lo;
    char name[200];
    size_t var, n = 0;

    for (size_t i = 0; i < PORTS; i++) {
        const bool outside = strcmp(ports[i], "mcycle") == 0 || strcmp(ports[i], "minstret") == 0;
        snprintf(name, sizeof name, "%s%s", outside ? "TOP.cva6_wave_top." : SCOPE, ports[i]);
        if (!is_read(ports[i]) || pc_wave_find(wave, name, &var, &hi, &lo, &err) != PC_OK)
            continue;
        for (uint32_t b = lo; b <= hi; b++)
            bits[n++] = (struct pc_wave_bit){ var, b };
    }
    return n;
}

/* Reads all that is compared. */
static void read_all(const char *path, unsigned threads)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads };
    static struct pc_wave_bit bits[MAX_BITS];
    struct pc_wave *wave = NULL;
    struct pc_wave_block block;
    struct pc_error err;
    uint64_t edges = 0;
    unsigned stream;
    enum pc_status status = pc_wave_open(&desc, &wave, &err);

    if (status == PC_OK) {
        const size_t n = find_bits(wave, bits);
        const struct pc_wave_clock clock = { .edge = PC_EDGE_POS, .clock = bits[0] };
        status = pc_wave_bind(wave, &clock, bits + 1, n - 1, &stream, &err);
    }
    while (status == PC_OK) {
        status = pc_wave_next(wave, &block, &err);
        edges += status == PC_OK ? block.cycles : 0;
    }
    if (status != PC_END)
        die(path, err.text);
    if (edges != EDGES)
        die(path, "has another number of edges");
    pc_wave_close(wave);
}

/* CPU seconds of it. */
static double read_once(const char *path)
{
    const double start = bench_cpu();

    read_all(path, 1);
    return bench_cpu() - start;
}

/* The same in the shape of a verb: how much less one of two threads has to do. */
static int read_as_verb(int words, char **argv)
{
    read_all(argv[words - 1], strcmp(argv[1], "-j2") == 0 ? 2 : 1);
    return CLI_OK;
}

/* ---- rows ---- */

static void row(const char *what, double edges, double seconds, double goal)
{
    bench_row(what, edges / seconds * 1e-6, "Medge/s", goal, false);
}

static void long_events(const char *shared, const char *program)
{
    char path[4200];
    struct stat st;
    double plain[ROUNDS];

    snprintf(path, sizeof path, "%s/waves/cva6/cva6_dhrystone_long_events.fst", shared);
    if (stat(path, &st) != 0) {
        printf("  SKIP stat: %s is not there\n", path);
        return;
    }
    const char *const words[] = { program,
                                  "stat",
                                  "--clock",
                                  "TOP.clk_i",
                                  "-e",
                                  "ev_branch_valid,ev_stall_issue,ev_icache_req,ev_if_empty,"
                                  "ev_l1_icache_miss",
                                  path,
                                  NULL };
    const struct command count = { words, "872,401  ev_branch_valid" };
    for (unsigned i = 0; i < ROUNDS; i++)
        plain[i] = run_once(&count);
    row("stat, 5 events, long dhrystone (4,485,133 edges)", LONG_EDGES, median(plain), 50);
}

#ifdef PC_HAVE_FSTAPI
/* `check -j2` against `check -j1`, within the rounds. */
static void two_threads(char *path)
{
    char verb[] = "check", one_job[] = "-j1", two_jobs[] = "-j2", option[] = "--core",
         core[] = CORE;
    char *by_one[] = { verb, one_job, option, core, path, NULL },
         *by_two[] = { verb, two_jobs, option, core, path, NULL };
    const struct cli_verb reader = { .name = "read", .run = read_as_verb };
    double less[ROUNDS], memory[ROUNDS], slower[ROUNDS], machine[ROUNDS], alone[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct verb_cost one = verb_measure(&cli_verb_check, by_one),
                               two = verb_measure(&cli_verb_check, by_two);
        if (one.report != two.report)
            die(path, "-j2 prints something else");
        slower[i] = verb_slower(&two);
        less[i] = one.all / slower[i];
        memory[i] = two.memory / one.memory;
        const struct verb_cost read_one = verb_measure(&reader, by_one),
                               read_two = verb_measure(&reader, by_two);
        alone[i] = read_one.all / verb_slower(&read_two);
        machine[i] = bench_two_arithmetic();
    }
    row("check -j2, the same run, by the slower thread's CPU time", EDGES, median(slower), 50);
    bench_row("check -j2, less CPU time on the slower thread", median(less), "x", 1.9, false);
    bench_row("... the same of the reader alone, in the same rounds", median(alone), "x", 0, false);
    bench_row("... the same of arithmetic in registers, in the same rounds", median(machine), "x",
              0, false);
    bench_row("check -j2, memory of -j1", median(memory), "x", 2, true);
}

static void check_runs(const char *shared, const char *folder, const char *program)
{
    char from[4200], path[4200];
    struct stat st;
    double check[ROUNDS], all[ROUNDS], reader[ROUNDS], share[ROUNDS];

    snprintf(from, sizeof from, "%s/waves/cva6/cva6_dhrystone.fst", shared);
    snprintf(path, sizeof path, "%s/bench_check_%u.fst", folder, (unsigned)TIMES);
    if (stat(from, &st) != 0) {
        printf("  SKIP check: %s is not there\n", from);
        return;
    }
    if (stat(path, &st) != 0 && !peer_fst_repeat(from, path, TIMES, PERIOD))
        die(path, "cannot be written");
    const char *const check_words[] = { program, "check", "-j1", "--core", CORE, path, NULL };
    const char *const stat_words[] = { program, "stat", "-j1", "--core", CORE,
                                       "-e",    "all",  path,  NULL };
    const struct command one = { check_words, "values compared, no differences" };
    const struct command two = { stat_words, "37,872  BRANCH_MISPREDICTS" };
    for (unsigned i = 0; i < ROUNDS; i++) {
        check[i] = run_once(&one);
        all[i] = run_once(&two);
        reader[i] = read_once(path);
        share[i] = check[i] / reader[i];
    }
    row("check, dhrystone (4,569,570 edges, 15 registers)", EDGES, median(check), 50);
    row("the reader alone, the same signals", EDGES, median(reader), 0);
    bench_row("check, time of the reader alone", median(share), "x", 1.5, true);
    row("stat, all 22 events, the same run", EDGES, median(all), 0);
    two_threads(path);
}
#endif

int main(int argc, char **argv)
{
    const char *shared = getenv("PC_SHARED");
    char folder[4096];

    (void)argc;
    snprintf(folder, sizeof folder, "%s", argv[0]);
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, sizeof folder - (size_t)(slash ? slash - folder : 0), "%s",
             slash ? "" : ".");
    if (!shared)
        shared = PC_SHARED_DIR;
    bench_begin("check", "pcounter check and stat, whole processes");
#ifdef PC_HAVE_FSTAPI
    check_runs(shared, folder, PC_PROGRAM);
#else
    printf("  SKIP check: built without fstapi.c of Verilator's package\n");
#endif
    long_events(shared, PC_PROGRAM);
    return bench_end();
}
