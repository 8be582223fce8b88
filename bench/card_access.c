/* SPDX-License-Identifier: MIT */
/*
 * card_access [after|beside], under pcounter card: ns of a 32-bit read of BAR0, the median of many
 * rounds; of the first process, of one after the first has used the card, or beside another one.
 */
#define _DEFAULT_SOURCE /* MAP_SHARED, fork */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 101, READS = 1000, REGISTER = 0xa400 / 4 };

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const volatile uint32_t *bar)
{
    double ns[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        const double begin = now_ns();
        for (int k = 0; k < READS; k++)
            (void)bar[REGISTER];
        ns[i] = (now_ns() - begin) / READS;
    }
    qsort(ns, ROUNDS, sizeof ns[0], compare);
    printf("%.0f\n", ns[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    const int file = open("/sys/bus/pci/devices/0000:01:00.0/resource0", O_RDWR);
    const volatile uint32_t *bar = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    if (file < 0 || bar == MAP_FAILED)
        return 1;
    (void)bar[0];
    if (!how[0]) {
        measure(bar);
        return 0;
    }
    const pid_t child = fork();
    if (child == 0 && strcmp(how, "after") == 0) {
        measure(bar);
        return 0;
    }
    for (; child == 0;) /* until it is killed */
        (void)bar[REGISTER];
    if (strcmp(how, "beside") == 0) {
        measure(bar);
        kill(child, SIGKILL);
    }
    return waitpid(child, NULL, 0) == child ? 0 : 1;
}
