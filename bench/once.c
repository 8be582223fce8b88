/* SPDX-License-Identifier: MIT */
/*
 * once FD PROGRAM ARGUMENT...: runs it, and writes to that file what it and its processes took:
 * seconds of CPU, seconds that passed, KiB of memory of the largest.  A small program, because a
 * new process counts the memory of the one that it comes from as its own.
 */
#define _DEFAULT_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    const double start = now();
    const pid_t child = argc > 2 ? fork() : -1;

    if (child == 0) {
        close(atoi(argv[1]));
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 126;
    dprintf(atoi(argv[1]), "%.6f %.6f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
            now() - start, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
