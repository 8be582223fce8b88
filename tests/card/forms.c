/* SPDX-License-Identifier: MIT */
/*
 * Instructions that compilers make of accesses, and that they do not: each must be so many reads
 * and writes of the card, with the right result.  START_OP of domain 1 keeps 16 bits that are
 * written; a counter of the card (PRE, of domain 0) counts reads or writes.
 *   forms READS WRITES    the numbers of the signals that tell of them
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REG = 0xa464, SIZE = 0x1000000 };
static volatile uint8_t *bar0;
static int bad;
static unsigned signals[2];

static volatile uint32_t *word(uint32_t address)
{
    return (volatile uint32_t *)(bar0 + address);
}

static void swap(void)
{
    *word(0x400084) = 0x20;
}

/* Counts of the period since the last call, less that of the swap itself: a write */
static uint32_t counted(unsigned which)
{
    swap();
    return which ? *word(0xa6c0) - 1 : *word(0xa700);
}

static void start(void)
{
    *word(0xa7c0) = 1;
    *word(0xa400) = signals[0];
    *word(0xa440) = signals[1];
    *word(0xa420) = *word(0xa460) = 0xaaaa;
}

static void expect(const char *what, uint64_t have, uint64_t want)
{
    if (have == want)
        return;
    fprintf(stderr, "FAILED: %s: %llx, expected %llx\n", what, (unsigned long long)have,
            (unsigned long long)want);
    bad++;
}

/* The form, what the register has before and after, a result, and the accesses. */
#define FORM(text, before, after, reads, writes, ...)                                              \
    do {                                                                                           \
        volatile uint32_t *p = word(REG);                                                          \
        uint64_t r = 0;                                                                            \
        *p = (before);                                                                             \
        swap();                                                                                    \
        __VA_ARGS__;                                                                               \
        swap();                                                                                    \
        const uint32_t got_reads = *word(0xa700), got_writes = *word(0xa6c0);                      \
        expect(text ": reads", got_reads, (reads));                                                \
        expect(text ": writes", got_writes, (writes) + 1);                                         \
        expect(text ": after", *p, (after));                                                       \
        (void)r;                                                                                   \
    } while (0)

static void forms(void)
{
    static volatile uint64_t memory[4];
    static volatile uint8_t bytes[64];

    FORM("read", 0x1234, 0x1234, 1, 0, r = *p; expect("read", r, 0x1234));
    FORM("write", 0, 0x4321, 0, 1, *p = 0x4321);
    FORM("byte", 0x1234, 0x1256, 0, 1, *(volatile uint8_t *)p = 0x56);
    FORM("high byte", 0x12f4, 0x12f4, 1, 0, r = ((volatile uint8_t *)p)[1];
         expect("byte", r, 0x12));
    FORM("signed", 0x80, 0x80, 1, 0, r = (uint64_t)(int64_t) * (volatile int8_t *)p;
         expect("signed", r, UINT64_MAX - 0x7f));
    FORM("16 bits", 0x8000, 0x8000, 1, 0, r = (uint64_t) * (volatile int16_t *)p;
         expect("16 bits", r, (uint64_t)INT64_C(-0x8000)));
    FORM("64 bits", 0x55, 0x55, 1, 0, r = *(volatile uint64_t *)p; expect("64", r & 0xffff, 0x55));
    FORM("or", 0x10, 0x15, 1, 1, *p |= 5);
    FORM("orl", 0x10, 0x15, 1, 1, __asm__ volatile("orl $5, (%0)" : : "r"(p) : "memory", "cc"));
    FORM("add", 0x10, 0x30, 1, 1,
         __asm__ volatile("addl %1, (%0)"
                          :
                          : "r"(p), "r"(0x20)
                          : "memory", "cc"));
    FORM("inc", 0x10, 0x11, 1, 1, __asm__ volatile("lock incl (%0)" : : "r"(p) : "memory", "cc"));
    FORM("test", 0x10, 0x10, 1, 0,
         __asm__ volatile("testl $0x10, (%1)\n setne %b0"
                          : "+r"(r)
                          : "r"(p)
                          : "memory", "cc");
         expect("test", r, 1));
    FORM("cmp", 0x10, 0x10, 1, 0,
         __asm__ volatile("cmpl $0x10, (%1)\n sete %b0"
                          : "+r"(r)
                          : "r"(p)
                          : "memory", "cc");
         expect("cmp", r, 1));
    FORM("xchg", 0x10, 0x77, 1, 1, r = 0x77; __asm__ volatile("xchgl %k0, (%1)"
                                                              : "+r"(r)
                                                              : "r"(p)
                                                              : "memory");
         expect("xchg", r, 0x10));
    FORM("xadd", 0x10, 0x15, 1, 1, r = 5; __asm__ volatile("lock xaddl %k0, (%1)"
                                                           : "+r"(r)
                                                           : "r"(p)
                                                           : "memory", "cc");
         expect("xadd", r, 0x10));
    FORM("cmpxchg", 0x10, 0x99, 1, 1, r = 0x10; __asm__ volatile("lock cmpxchgl %2, (%1)"
                                                                 : "+a"(r)
                                                                 : "r"(p), "r"(0x99)
                                                                 : "memory", "cc"));
    FORM("push", 0x33, 0x33, 1, 0,
         __asm__ volatile("sub $128, %%rsp\n pushq (%1)\n popq %0\n add $128, %%rsp"
                          : "=r"(r)
                          : "r"(p)
                          : "memory", "cc");
         expect("push", r & 0xffff, 0x33));
    FORM("movs", 0x44, 0x44, 2, 0, const volatile void *from = p; volatile void *to = memory;
         uint64_t n = 2; __asm__ volatile("rep movsl"
                                          : "+S"(from), "+D"(to), "+c"(n)
                                          :
                                          : "memory");
         expect("movs", memory[0] & 0xffff, 0x44);
         expect("movs moved", (uintptr_t)from, (uintptr_t)p + 8));
    FORM("stos", 0x44, 0x66, 0, 1, volatile void *to = p; uint64_t n = 1;
         __asm__ volatile("rep stosl"
                          : "+D"(to), "+c"(n)
                          : "a"(0x66)
                          : "memory"));
    FORM("lods", 0x44, 0x44, 1, 0, const volatile void *from = p;
         __asm__ volatile("lodsl"
                          : "+S"(from), "+a"(r)
                          :
                          : "memory");
         expect("lods", r, 0x44));
    FORM("sse", 0x44, 0x44, 1, 0,
         __asm__ volatile("movd (%0), %%xmm0\n movd %%xmm0, %1"
                          :
                          : "r"(p), "m"(*(volatile uint32_t *)bytes)
                          : "xmm0", "memory");
         expect("sse", bytes[0], 0x44));
    FORM("sse store", 0x44, 0, 0, 1,
         __asm__ volatile("pxor %%xmm0, %%xmm0\n movd %%xmm0, (%0)"
                          :
                          : "r"(p)
                          : "xmm0", "memory"));
    FORM("16 bytes", 0x44, 0x44, 2, 0,
         __asm__ volatile("movdqu (%0), %%xmm0\n movdqu %%xmm0, (%1)"
                          :
                          : "r"(p), "r"(bytes)
                          : "xmm0", "memory");
         expect("16 bytes", bytes[0], 0x44));
    FORM("load its own address", 0x44, 0x44, 1, 0, r = (uintptr_t)p;
         __asm__ volatile("movl (%0), %k0"
                          : "+r"(r)
                          :
                          : "memory");
         expect("own", r, 0x44));
    FORM("index", 0x44, 0x45, 1, 1,
         __asm__ volatile("incl 4(%0, %1, 4)"
                          :
                          : "r"(p), "r"(INT64_C(-1))
                          : "memory", "cc"));
}

/* ---- threads ---- */

enum { EACH = 2000 };

static void *reader(void *arg)
{
    uint32_t sum = 0;

    (void)arg;
    for (unsigned i = 0; i < EACH; i++)
        if (i % 8)
            sum += *word(REG);
        else
            __asm__ volatile("addl (%1), %0" : "+r"(sum) : "r"(word(REG)) : "memory", "cc");
    return (void *)(uintptr_t)sum;
}

static void threads(void)
{
    pthread_t other;
    void *sum;

    *word(REG) = 3;
    swap();
    if (pthread_create(&other, NULL, reader, NULL) != 0)
        exit(1);
    expect("sum here", (uintptr_t)reader(NULL), 3 * EACH);
    pthread_join(other, &sum);
    expect("sum there", (uintptr_t)sum, 3 * EACH);
    expect("reads of two threads", counted(0), 2 * EACH);
}

/* ---- the program's own faults ---- */

static sigjmp_buf back;
static volatile uintptr_t at;

static void own(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    at = (uintptr_t)info->si_addr;
    siglongjmp(back, 1);
}

static void faults(void)
{
    struct sigaction mine = { .sa_sigaction = own, .sa_flags = SA_SIGINFO }, old;
    sigset_t all;
    void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    sigaction(SIGSEGV, &mine, NULL);
    sigaction(SIGSEGV, NULL, &old);
    expect("the handler", old.sa_sigaction == own, 1);
    *word(REG) = 0x11;
    for (unsigned i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0) {
            *(volatile char *)page = 1;
            expect("a fault", 0, 1);
        } else {
            expect("its address", at, (uintptr_t)page);
        }
    /* in the midst of an instruction that reads the card */
    if (sigsetjmp(back, 1) == 0)
        __asm__ volatile("movsl" : : "S"(word(REG)), "D"(page) : "memory");
    else
        expect("its address", at, (uintptr_t)page);
    expect("the card goes on", *word(REG), 0x11);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    expect("all signals blocked", *word(REG), 0x11);
}

int main(int argc, char **argv)
{
    const int file = open("/sys/bus/pci/devices/0000:01:00.0/resource0", O_RDWR);

    if (argc != 3 || file < 0)
        return 1;
    signals[0] = (unsigned)strtoul(argv[1], NULL, 16);
    signals[1] = (unsigned)strtoul(argv[2], NULL, 16);
    bar0 = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bar0 == MAP_FAILED)
        return 1;
    start();
    forms();
    threads();
    faults();
    printf("%s\n", bad ? "failed" : "all as expected");
    return bad != 0;
}
