/* SPDX-License-Identifier: MIT */
/* Locked instructions of threads and processes on one register: none is lost. */
#include "own.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { THREADS = 3, EACH = 400 };

static void *add(void *arg)
{
    _Atomic uint32_t *reg = (_Atomic uint32_t *)(uintptr_t)(bar0 + KEEPS);
    uint8_t *bytes = (uint8_t *)(uintptr_t)(bar0 + KEEPS + 8);

    for (unsigned i = 0; i < EACH; i++) {
        atomic_fetch_add(reg, 1);
        uint32_t old = atomic_load(reg + 1);
        while (!atomic_compare_exchange_strong(reg + 1, &old, old + 1))
            ;
        __asm__ volatile("lock incq (%0)" : : "r"(bytes) : "memory", "cc");
        __asm__ volatile("lock addb $1, (%0)" : : "r"(bytes + 8) : "memory", "cc");
    }
    return arg;
}

static void add_all(void)
{
    pthread_t other[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&other[i], NULL, add, NULL) != 0)
            exit(1);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(other[i], NULL);
}

int main(void)
{
    enum { ALL = 2 * THREADS * EACH };

    open_bar0();
    const pid_t child = fork();
    add_all();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    expect("lock xadd", *word(KEEPS), ALL);
    expect("lock cmpxchg", *word(KEEPS + 4), ALL);
    expect("lock inc", *word(KEEPS + 8), ALL);
    expect("lock add", *word(KEEPS + 16), ALL % 256);
    return end();
}
