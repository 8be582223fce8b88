/* SPDX-License-Identifier: MIT */
/*
 * All at once for two seconds: threads that map and unmap BAR0, that step, that fork, and a timer
 * whose handler accesses it.  Nothing is lost, and nobody waits for ever.
 */
#define _GNU_SOURCE
#include "own.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

enum { OF_HANDLER = KEEPS + 4, OF_CHILDREN = KEEPS + 8 };

static atomic_bool stop;
static atomic_uint wrong;
static unsigned handled, children;

static void add_one(uint32_t address)
{
    __asm__ volatile("lock incl (%0)" : : "r"(bar0 + address) : "memory", "cc");
}

static void handler(int number)
{
    (void)number;
    handled++;
    wrong += *word(0) != BOOT_0;
    add_one(OF_HANDLER);
}

static void *maps(void *arg)
{
    while (!stop) {
        uint8_t *map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar0_file, 0);
        wrong += *(volatile uint32_t *)map != BOOT_0;
        munmap(map + PAGE, 2 * PAGE);
        wrong += *(volatile uint32_t *)map != BOOT_0;
        munmap(map, SIZE);
    }
    return arg;
}

static void *steps(void *arg)
{
    uint8_t bytes[40];
    uint32_t value;

    while (!stop) {
        __asm__ volatile("movd (%1), %%xmm0\n movd %%xmm0, %0"
                         : "=r"(value)
                         : "r"(bar0)
                         : "xmm0", "memory");
        memcpy(bytes, (const void *)(uintptr_t)bar0, 33);
        wrong += value != BOOT_0 || memcmp(bytes, &value, 4) != 0;
    }
    return arg;
}

static void *forks(void *arg)
{
    while (!stop) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0) {
            add_one(OF_CHILDREN);
            _exit(*word(0) != BOOT_0);
        }
        waitpid(child, &status, 0);
        children++;
        wrong += status != 0;
    }
    return arg;
}

int main(void)
{
    static void *(*const work[])(void *) = { maps, steps, forks, maps };
    enum { THREADS = sizeof work / sizeof work[0] };
    struct sigaction on = { .sa_handler = handler, .sa_flags = SA_RESTART };
    struct itimerval time_of = { { 0, 2000 }, { 0, 2000 } };
    pthread_t thread[THREADS];

    open_bar0();
    sigaction(SIGALRM, &on, NULL);
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work[i], NULL) != 0)
            return 1;
    setitimer(ITIMER_REAL, &time_of, NULL);
    for (const time_t end = time(NULL) + 3; time(NULL) < end;)
        __asm__ volatile("movd (%0), %%xmm0" : : "r"(bar0) : "xmm0", "memory");
    stop = true;
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    memset(&time_of, 0, sizeof time_of);
    setitimer(ITIMER_REAL, &time_of, NULL);
    expect("wrong values", wrong, 0);
    expect("handlers", *word(OF_HANDLER), handled);
    expect("children", *word(OF_CHILDREN), children);
    expect("something happened", handled > 10 && children > 0, 1);
    return end();
}
