/* SPDX-License-Identifier: MIT */
#include "verb_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static double process_cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run(int out, const struct cli_verb *verb, char **argv)
{
    struct verb_cost c = { .report = UINT64_C(14695981039346656037) };
    char *text = NULL, *remarks = NULL;
    size_t size = 0, more = 0;
    struct rusage usage;
    FILE *report = open_memstream(&text, &size), *notes = open_memstream(&remarks, &more);
    int words = 0;

    if (!report || !notes)
        fail("no memory");
    while (argv[words])
        words++;
    const double thread = bench_cpu(), process = process_cpu();
    cli_redirect(report, notes);
    if (verb->run(words, argv) != CLI_OK)
        fail(argv[0]);
    c.reading = bench_cpu() - thread;
    c.all = process_cpu() - process;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        c.memory = (double)usage.ru_maxrss * 1024;
    fclose(report);
    fclose(notes);
    for (size_t i = 0; i < size; i++)
        c.report = (c.report ^ (unsigned char)text[i]) * 1099511628211u;
    free(text);
    free(remarks);
    if (write(out, &c, sizeof c) != (ssize_t)sizeof c)
        fail("no pipe");
}

struct verb_cost verb_measure(const struct cli_verb *verb, char **argv)
{
    struct verb_cost c = { 0 };
    int ends[2], status;

    fflush(stdout);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
        fail("no process");
    if (child == 0) {
        run(ends[1], verb, argv);
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &c, sizeof c) != (ssize_t)sizeof c || waitpid(child, &status, 0) != child)
        fail("the verb failed");
    close(ends[0]);
    return c;
}

double verb_slower(const struct verb_cost *c)
{
    const double others = c->all - c->reading;

    return c->reading > others ? c->reading : others;
}
