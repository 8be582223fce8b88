/* SPDX-License-Identifier: MIT */
/* What programs of these tests have in common: BAR0, and what is expected of it.  One includes it.
 */
#ifndef OWN_H
#define OWN_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 0x1000000, PAGE = 0x1000, BOOT_0 = 0x092000a1, KEEPS = 0xa400 /* 8 words */ };
#define FILE_OF_BAR0 "/sys/bus/pci/devices/0000:01:00.0/resource0"

static int bar0_file;
static volatile uint8_t *bar0;
static int bad;

static volatile uint32_t *word(uint32_t address)
{
    return (volatile uint32_t *)(bar0 + address);
}

static void expect(const char *what, uint64_t have, uint64_t want)
{
    if (have == want)
        return;
    fprintf(stderr, "FAILED: %s: %llx, expected %llx\n", what, (unsigned long long)have,
            (unsigned long long)want);
    bad++;
}

static void open_bar0(void)
{
    bar0_file = open(FILE_OF_BAR0, O_RDWR);
    bar0 = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar0_file, 0);
    if (bar0 == MAP_FAILED) {
        perror("resource0");
        exit(1);
    }
}

static int end(void)
{
    printf("%s\n", bad ? "failed" : "all as expected");
    return bad != 0;
}

/* ---- a fault of the program's own ---- */

static sigjmp_buf back;
static volatile uintptr_t fault_at;
static volatile int fault_number;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    fault_at = (uintptr_t)info->si_addr;
    fault_number = number;
    siglongjmp(back, 1);
}

static void expect_faults(void)
{
    struct sigaction mine = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

    sigaction(SIGSEGV, &mine, NULL);
    sigaction(SIGBUS, &mine, NULL);
}

/* The statement faults at that address by that signal. */
#define FAULTS(what, number, address, ...)                                                         \
    do {                                                                                           \
        if (sigsetjmp(back, 1) == 0) {                                                             \
            __VA_ARGS__;                                                                           \
            expect(what ": no fault", 1, 0);                                                       \
        } else {                                                                                   \
            expect(what ": signal", (uint64_t)fault_number, (number));                             \
            expect(what ": address", fault_at, (uintptr_t)(address));                              \
        }                                                                                          \
    } while (0)

#endif
