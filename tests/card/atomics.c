/* SPDX-License-Identifier: MIT */
/* Locked instructions of threads on one register: none is lost. */
#include "own.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, EACH = 2000 };

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

int main(void)
{
    pthread_t other[THREADS];

    open_bar0();
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&other[i], NULL, add, NULL) != 0)
            return 1;
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(other[i], NULL);
    expect("lock xadd", *word(KEEPS), THREADS * EACH);
    expect("lock cmpxchg", *word(KEEPS + 4), THREADS * EACH);
    expect("lock inc", *word(KEEPS + 8), THREADS * EACH);
    expect("lock add", *word(KEEPS + 16), THREADS * EACH % 256);
    return end();
}
