/* SPDX-License-Identifier: MIT */
/* Printing for programs without a library: through HTIF on a RISC-V, else by stdio. */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

#ifdef __riscv
extern volatile uint64_t tohost, fromhost;

static void print(const char *text)
{
    static volatile uint64_t call[8] __attribute__((aligned(64)));
    uint64_t length = 0;

    while (text[length])
        length++;
    call[0] = 64; /* write */
    call[1] = 1;
    call[2] = (uintptr_t)text;
    call[3] = length;
    __sync_synchronize();
    tohost = (uintptr_t)call;
    while (fromhost == 0)
        ;
    fromhost = 0;
}

#define COUNTER(name)                                                                              \
    __extension__({                                                                                \
        unsigned long value_;                                                                      \
        __asm__ volatile("csrr %0, " #name : "=r"(value_));                                        \
        value_;                                                                                    \
    })
#else
#include <stdio.h>
#define print(text)   fputs(text, stdout)
#define COUNTER(name) 0ul
#endif

static inline void print_number(const char *before, uint32_t number, const char *after)
{
    char text[11], *at = text + sizeof text - 1;

    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    print(before);
    print(at);
    print(after);
}

#endif
