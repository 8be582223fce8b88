/* SPDX-License-Identifier: MIT */
/*
 * VCD as whole processes: `pcounter stat` counting 16 of some 200 signals in files made here,
 * against tools that read the same files, by CPU time with one thread, and by elapsed time as a
 * user calls it, without -j.  The counts of ours and of awk are
 * compared with those of the maker in every run, what sigrok-cli writes once a file; the others
 * must end well.  sigrok-cli writes samples of all channels up to the last one that is wanted, and
 * counts nothing.  Peers that are not installed are said to be absent.  Slow peers get a smaller
 * file of the same kind.
 *
 * The page cache keeps a file in pieces as large as those it was written or read in.  Here that is
 * some 1 MB, as for one that comes from a disk; one that was written 4 KB at a time, as Icarus
 * Verilog does, costs more to read, and has a row of its own.
 *
 * PC_BENCH_PIPE=1 also makes 20 GB, pipes them into `pcounter stat -`, and prints its memory;
 * PC_BENCH_PIPE=only does nothing else.
 */
#define _DEFAULT_SOURCE 1 /* wait4 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "vcd_make.h"
#include "vcd_sigrok.h"
#include "vcd_threads.h"

#define LARGE ((uint64_t)400 << 20)
#define SMALL ((uint64_t)60 << 20)
#define PIPED ((uint64_t)20 << 30)

enum { MOST_ROUNDS = BENCH_MAX_ROUNDS, TEXT = 4096 };

static const struct vcd_kind kinds[] = {
    { "dense", 200, 0, 256 },
    { "sparse", 200, 0, 2 },
    { "vectors", 139, 140, 170 },
};
static const double goals[] = { 2, 3.5, 5 };

struct made {
    char path[32];
    struct vcd_made of;
    char events[TEXT]; /* for -e */
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void make(struct made *m, const struct vcd_kind *kind, uint64_t bytes)
{
    size_t used = 0;

    snprintf(m->path, sizeof m->path, "bench-vcd-%s-%u.vcd", kind->name, bytes > SMALL);
    FILE *f = fopen(m->path, "w");
    if (!f)
        die(m->path);
    vcd_make(f, kind, bytes, &m->of);
    if (fclose(f) != 0)
        die(m->path);
    for (unsigned i = 0; i < VCD_SELECTED; i++)
        used += (size_t)snprintf(m->events + used, sizeof m->events - used, "%ss%u", i ? "," : "",
                                 m->of.selected[i]);
}

/* The same text, written 4 KB at a time. */
static void write_small(const struct made *m)
{
    static char piece[4096];
    char other[40];
    size_t n;

    snprintf(other, sizeof other, "%s.small", m->path);
    FILE *in = fopen(m->path, "r");
    const int out = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (!in || out < 0)
        die(other);
    while ((n = fread(piece, 1, sizeof piece, in)) > 0)
        if (write(out, piece, n) != (ssize_t)n)
            die(other);
    fclose(in);
    if (close(out) != 0 || rename(other, m->path) != 0)
        die(other);
}

/* --- processes --- */

struct run {
    double cpu;  /* seconds, system included */
    double wall; /* seconds */
    long peak;   /* KiB */
    char out[1 << 16];
};

/* The child's side: never returns. */
static void become(char *const *argv, int in, int out)
{
    const int null = open("/dev/null", O_RDWR);

    dup2(in >= 0 ? in : null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execvp(argv[0], argv);
    _exit(127);
}

static void collect(int fd, struct run *r)
{
    size_t used = 0;
    char rest[4096];
    ssize_t n;

    while ((n = read(fd, used < sizeof r->out - 1 ? r->out + used : rest,
                     used < sizeof r->out - 1 ? sizeof r->out - 1 - used : sizeof rest)) > 0)
        used += used < sizeof r->out - 1 ? (size_t)n : 0;
    r->out[used] = '\0';
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Runs to the end; false if it could not be started or failed. */
static bool run(char *const *argv, int in, struct run *r)
{
    struct rusage usage;
    int end[2], status;

    if (pipe(end) != 0)
        die("pipe");
    fcntl(end[0], F_SETFD, FD_CLOEXEC);
    const double start = bench_wall();
    const pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0)
        become(argv, in, end[1]);
    close(end[1]);
    if (in >= 0)
        close(in);
    collect(end[0], r);
    close(end[0]);
    if (wait4(pid, &status, 0, &usage) != pid)
        die("wait4");
    r->wall = bench_wall() - start;
    r->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    r->peak = usage.ru_maxrss;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- results --- */

/* Ours, as CSV: what stands behind the name, in the rows below the first. */
static uint64_t count_of(const char *csv, const char *name)
{
    const char *rows = strchr(csv, '\n');
    char key[32];

    snprintf(key, sizeof key, ",%s,", name);
    const char *row = rows ? strstr(rows, key) : NULL;
    return row ? strtoull(row + strlen(key), NULL, 10) : UINT64_MAX;
}

static bool ours_is_right(const struct made *m, const char *out)
{
    char name[16];
    bool ok = count_of(out, "cycles") == m->of.cycles;

    for (unsigned i = 0; i < VCD_SELECTED; i++) {
        snprintf(name, sizeof name, "s%u", m->of.selected[i]);
        ok = ok && count_of(out, name) == m->of.ones[i];
    }
    return ok;
}

static bool awk_is_right(const struct made *m, const char *out)
{
    char *at = NULL;
    bool ok = strtoull(out, &at, 10) == m->of.cycles;

    for (unsigned i = 0; i < VCD_SELECTED; i++)
        ok = ok && strtoull(at, &at, 10) == m->of.ones[i];
    return ok;
}

/* Two stamps a cycle, and one before the first. */
static bool info_is_right(const struct made *m, const char *out)
{
    static const char key[] = "\ntime_stamps,,";
    const char *row = strstr(out, key);

    return row && strtoull(row + strlen(key), NULL, 10) == 2 * m->of.cycles + 1;
}

static bool wc_is_right(const struct made *m, const char *out)
{
    (void)m;
    return strtoull(out, NULL, 10) > 0;
}

/* --- programs --- */

struct program {
    const char *name;
    char *argv[16];
    bool (*right)(const struct made *m, const char *out); /* NULL: it ends well */
    double cpu[MOST_ROUNDS], wall[MOST_ROUNDS];
    long peak;
    bool absent;
};

static void time_program(struct program *p, const struct made *m, unsigned round)
{
    static struct run r;

    if (p->absent)
        return;
    if (!run(p->argv, -1, &r)) {
        p->absent = true;
        return;
    }
    if (p->right && !p->right(m, r.out)) {
        fprintf(stderr, "%s counted something else in %s:\n%.2000s\n", p->name, m->path, r.out);
        exit(1);
    }
    p->cpu[round] = r.cpu;
    p->wall[round] = r.wall;
    p->peak = r.peak;
}

static unsigned rounds(struct program *p, size_t n, const struct made *m, unsigned count)
{
    for (size_t i = 0; i < n; i++)
        time_program(&p[i], m, 0); /* warms up; overwritten */
    for (unsigned round = 0; round < count; round++)
        for (size_t i = 0; i < n; i++)
            time_program(&p[i], m, round);
    return count;
}

/* Of each round; `a` and `b` are times of two programs. */
static double ratio(const double *a, const double *b, unsigned count)
{
    double r[MOST_ROUNDS];

    for (unsigned i = 0; i < count; i++)
        r[i] = a[i] / b[i];
    return bench_median(r, count);
}

static double median(const double *times, unsigned count)
{
    double t[MOST_ROUNDS];

    memcpy(t, times, count * sizeof *t);
    return bench_median(t, count);
}

#define OURS(m, threads)                                                                           \
    {                                                                                              \
        PC_BENCH_PROGRAM, "stat", "-q", "-j", threads, "--format", "csv", "--clock", "clk", "-e",  \
            (m)->events, (m)->path                                                                 \
    }
/* As a user calls it: with as many threads as the program takes by itself. */
#define OURS_PLAIN(m)                                                                              \
    {                                                                                              \
        PC_BENCH_PROGRAM, "stat", "-q", "--format", "csv", "--clock", "clk", "-e", (m)->events,    \
            (m)->path                                                                              \
    }

static void fast_rows(const struct vcd_kind *kind, double goal, struct made *m)
{
    struct program p[] = {
        { .name = "ours", .argv = OURS(m, "1"), .right = ours_is_right },
        { .name = "wc -l", .argv = { "wc", "-l", m->path }, .right = wc_is_right },
        { .name = "-j2", .argv = OURS(m, "2"), .right = ours_is_right },
        { .name = "without -j", .argv = OURS_PLAIN(m), .right = ours_is_right },
    };
    const unsigned count = rounds(p, 4, m, bench_round_count());
    char what[100];

    snprintf(what, sizeof what, "VCD, whole process, %s", kind->name);
    bench_row(what, (double)m->of.bytes / median(p[0].cpu, count) / 1e9, "GB/s", goal, false);
    snprintf(what, sizeof what, "VCD, whole process, without -j, elapsed, %s", kind->name);
    bench_row(what, (double)m->of.bytes / median(p[3].wall, count) / 1e9, "GB/s", goal, false);
    snprintf(what, sizeof what, "CPU time of `wc -l`, %s", kind->name);
    bench_row(what, ratio(p[0].cpu, p[1].cpu, count), "x", 3.5, true);
    snprintf(what, sizeof what, "CPU time of `wc -l`, without -j, %s", kind->name);
    bench_row(what, ratio(p[3].cpu, p[1].cpu, count), "x", 3.5, true);
    snprintf(what, sizeof what, "peak memory, %s", kind->name);
    bench_row(what, (double)p[0].peak / 1024, "MiB", 0, false);
    snprintf(what, sizeof what, "-j2, peak memory of -j1, %s", kind->name);
    bench_row(what, (double)p[2].peak / (double)p[0].peak, "x", 2, true);
}

static void small_pieces_row(const struct vcd_kind *kind, struct made *m)
{
    struct program p = { .name = "ours", .argv = OURS(m, "1"), .right = ours_is_right };
    const unsigned count = rounds(&p, 1, m, bench_round_count());
    char what[100];

    snprintf(what, sizeof what, "VCD, whole process, file written 4 KB at a time, %s", kind->name);
    bench_row(what, (double)m->of.bytes / median(p.cpu, count) / 1e9, "GB/s", 0, false);
}

/* --- peers --- */

static const char *awk_program(const struct made *m)
{
    static char text[TEXT];
    size_t used = 0;

    used += (size_t)snprintf(text, sizeof text, "BEGIN {");
    for (unsigned i = 0; i < VCD_SELECTED; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " n[%u] = \"s%u\";", i,
                                 m->of.selected[i]);
    snprintf(text + used, sizeof text - used,
             " for (i = 0; i < %d; i++) at[n[i]] = i; was = \"x\" }\n"
             "/^\\$var/ { if ($5 in at) id[$4] = at[$5]; if ($5 == \"clk\") clk = $4; next }\n"
             "/^#/ { for (k in new) { now[k] = new[k]; delete new[k] } next }\n"
             "/^[01]/ { v = substr($0, 1, 1); k = substr($0, 2);\n"
             "  if (k == clk) { if (v == \"1\" && was == \"0\") { edges++; for (i = 0; i < %d; "
             "i++) c[i] += now[i] }\n"
             "    was = v } else if (k in id) new[id[k]] = v }\n"
             "END { printf \"%%d\", edges; for (i = 0; i < %d; i++) printf \" %%d\", c[i] }\n",
             VCD_SELECTED, VCD_SELECTED, VCD_SELECTED);
    return text;
}

static void first_line(const char *name, char *const *argv)
{
    static struct run r;

    (void)run(argv, -1, &r);
    r.out[strcspn(r.out, "\n")] = '\0';
    bench_fact(name, r.out[0] ? r.out : "absent");
}

static void versions(void)
{
    first_line("wc", (char *[]){ "wc", "--version", NULL });
    first_line("awk", (char *[]){ "sh", "-c", "awk -W version 2>&1 </dev/null", NULL });
    first_line("vcd2fst", (char *[]){ "sh", "-c", "dpkg-query -W gtkwave 2>/dev/null", NULL });
    first_line("sigrok-cli", (char *[]){ "sigrok-cli", "--version", NULL });
}

/* ours: with -j1, and without -j. */
static void peer_row(const struct program ours[2], const struct program *peer, unsigned count,
                     const char *kind, double goal)
{
    char what[100];

    snprintf(what, sizeof what, "faster than %s, %s, 60 MB", peer->name, kind);
    if (peer->absent) {
        bench_fact(what, "not installed, or it failed");
        return;
    }
    bench_row(what, ratio(peer->cpu, ours[0].cpu, count), "x", goal, false);
    snprintf(what, sizeof what, "faster than %s, elapsed, without -j, %s", peer->name, kind);
    bench_row(what, ratio(peer->wall, ours[1].wall, count), "x", goal, false);
}

/* Every value of every signal is looked at: with -j1, and without -j. */
static void info_rows(const struct program info[2], const struct program *vcd2fst, unsigned count,
                      const char *kind, const struct made *m)
{
    const double bytes = (double)m->of.bytes / 1e9;
    char what[100];

    snprintf(what, sizeof what, "info, whole process, %s, 60 MB", kind);
    bench_row(what, bytes / median(info[0].cpu, count), "GB/s", 0, false);
    snprintf(what, sizeof what, "info, whole process, without -j, elapsed, %s, 60 MB", kind);
    bench_row(what, bytes / median(info[1].wall, count), "GB/s", 0, false);
    snprintf(what, sizeof what, "info, faster than vcd2fst, %s, 60 MB", kind);
    if (vcd2fst)
        bench_row(what, ratio(vcd2fst->cpu, info[0].cpu, count), "x", 0, false);
}

static void slow_rows(const struct vcd_kind *kind, struct made *m)
{
    char *path = m->path;
    char *script = (char *)(uintptr_t)awk_program(m);
    char channels[VCD_SIGROK_TEXT];
    struct program p[] = {
        { .name = "ours", .argv = OURS(m, "1"), .right = ours_is_right },
        { .name = "without -j", .argv = OURS_PLAIN(m), .right = ours_is_right },
        { .name = "awk", .argv = { "awk", script, path }, .right = awk_is_right },
        { .name = "vcd2fst", .argv = { "vcd2fst", path, "bench-vcd.fst" } },
        { .name = "sigrok-cli",
          .argv = { "sigrok-cli", "-i", path, "-I", channels, "-O", "binary", "-o", "/dev/null" } },
        { .name = "info -j1",
          .argv = { PC_BENCH_PROGRAM, "info", "-j1", "--format", "csv", path },
          .right = info_is_right },
        { .name = "info",
          .argv = { PC_BENCH_PROGRAM, "info", "--format", "csv", path },
          .right = info_is_right },
    };

    vcd_sigrok_channels(&m->of, channels);
    const unsigned count = rounds(p, 7, m, bench_round_count() < 3 ? bench_round_count() : 3);
    if (!kind->vectors && !p[4].absent && !vcd_sigrok_is_right(m->path, &m->of)) {
        fprintf(stderr, "sigrok-cli sees something else in %s\n", m->path);
        exit(1);
    }
    info_rows(p + 5, p[3].absent ? NULL : &p[3], count, kind->name, m);
    peer_row(p, &p[3], count, kind->name, 25);
    peer_row(p, &p[4], count, kind->name, kind->vectors ? 0 : 200);
    peer_row(p, &p[2], count, kind->name, 100);
    unlink("bench-vcd.fst");
}

/* --- threads --- */

/* CPU time of the slower of two threads is measured in the process: the library, not the program.
 */
static void thread_rows(const struct vcd_kind *kind, const struct made *m)
{
    struct vcd_threads one = { m->path, 1, &m->of, 0 }, two = { m->path, 2, &m->of, 0 };
    double gain[MOST_ROUNDS];
    const unsigned count = bench_round_count();
    char what[100];

    vcd_read_threads(&one);
    for (unsigned i = 0; i < count; i++) {
        vcd_read_threads(&one);
        vcd_read_threads(&two);
        gain[i] = one.slowest / two.slowest;
    }
    snprintf(what, sizeof what, "-j2, less CPU time on the slower thread, %s", kind->name);
    bench_row(what, bench_median(gain, count), "x", 1.9, false);
}

/* --- 20 GB through a pipe --- */

static void piped_row(void)
{
    static struct run r;
    struct made m = { .events = "" };
    int end[2], ready[2];
    size_t used = 0;

    if (pipe(end) != 0 || pipe(ready) != 0)
        die("pipe");
    const pid_t maker = fork();
    if (maker < 0)
        die("fork");
    if (maker == 0) {
        FILE *f = fdopen(end[1], "w");
        close(end[0]);
        if (!f)
            _exit(1);
        vcd_make(f, &kinds[0], PIPED, &m.of);
        fclose(f);
        _exit(write(ready[1], &m.of, sizeof m.of) == (ssize_t)sizeof m.of ? 0 : 1);
    }
    close(end[1]);
    for (unsigned i = 0; i < VCD_SELECTED; i++)
        used += (size_t)snprintf(m.events + used, sizeof m.events - used, "%ss%u", i ? "," : "",
                                 i * kinds[0].scalars / VCD_SELECTED);
    snprintf(m.path, sizeof m.path, "-");
    char *argv[] = OURS(&m, "1");
    char *arguments[16] = { NULL };
    memcpy(arguments, argv, sizeof argv);
    const bool ok = run(arguments, end[0], &r);
    if (read(ready[0], &m.of, sizeof m.of) != (ssize_t)sizeof m.of || !ok ||
        !ours_is_right(&m, r.out)) {
        fprintf(stderr, "the piped VCD was counted wrongly:\n%.2000s\n", r.out);
        exit(1);
    }
    waitpid(maker, NULL, 0);
    bench_row("20 GB piped into `pcounter stat -`, peak memory", (double)r.peak / 1024, "MiB", 64,
              true);
    bench_row("the same, CPU time", (double)m.of.bytes / r.cpu / 1e9, "GB/s", 0, false);
}

static void file_rows(const struct vcd_kind *kind, double goal)
{
    struct made made;

    make(&made, kind, LARGE);
    fast_rows(kind, goal, &made);
    thread_rows(kind, &made);
    write_small(&made);
    small_pieces_row(kind, &made);
    unlink(made.path);
    make(&made, kind, SMALL);
    slow_rows(kind, &made);
    unlink(made.path);
}

int main(void)
{
    const char *pipe_too = getenv("PC_BENCH_PIPE");
    const bool only = pipe_too && strcmp(pipe_too, "only") == 0;

    bench_begin("vcd", "VCD, 16 of 200 signals, whole processes");
    bench_machine();
    versions();
    for (size_t i = 0; !only && i < sizeof kinds / sizeof kinds[0]; i++)
        file_rows(&kinds[i], goals[i]);
    if (only || (pipe_too && strcmp(pipe_too, "1") == 0))
        piped_row();
    else
        bench_fact("20 GB through a pipe", "with PC_BENCH_PIPE=1");
    return bench_end();
}
