/* SPDX-License-Identifier: MIT */
/*
 * Counts by PCOUNTER of ../../rtl from Linux: a unit with LAYOUT "G84", whose registers UIO maps.
 *
 *   pcounter emit c-header -a G84 -o g84_pcounter.h
 *   pcounter compile -a G84 -d 1 -e 'reads=s00, writes=s01' -o program.h
 *   cc -o uio uio.c
 *   ./uio /dev/uio0                    counts for a second
 *   ./uio /dev/uio0 0 0.1              for 100 ms; the second argument is an offset into the file
 *
 * The same works on a card: /sys/bus/pci/devices/.../resource0, offset 0xa000.
 */
#define _POSIX_C_SOURCE 200809L
#include "g84_pcounter.h"
#include "program.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    DOMAIN = 1,     /* of `pcounter compile -d 1` */
    FIRST = 0xa000, /* where the registers begin in the header's addresses */
    SIZE = 0x1000
};

static volatile uint32_t *registers;

static uint32_t read_register(uint32_t address)
{
    return registers[(address - FIRST) / 4];
}

static void write_register(uint32_t address, uint32_t value)
{
    registers[(address - FIRST) / 4] = value;
}

/* Maps the registers; false if that is not possible. */
static int map(const char *path, long offset)
{
    int file = open(path, O_RDWR | O_SYNC);

    if (file < 0)
        return 0;
    void *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    close(file);
    registers = at;
    return at != MAP_FAILED;
}

/* Makes the writes that `pcounter compile` found. */
static void program(void)
{
    for (size_t i = 0; i < sizeof pcounter_writes / sizeof pcounter_writes[0]; i++) {
        uint32_t value = pcounter_writes[i].value, mask = pcounter_writes[i].mask;
        if (mask != 0xffffffff)
            value |= read_register(pcounter_writes[i].address) & ~mask;
        write_register(pcounter_writes[i].address, value);
    }
}

static void wait_for(double seconds)
{
    struct timespec time = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

    nanosleep(&time, NULL);
}

static uint32_t quad_state(void)
{
    return read_register(G84_PCOUNTER_CTRL(DOMAIN)) & G84_PCOUNTER_CTRL_QUAD_STATE_MASK;
}

/* Ends the period that is being counted: any write of PRE_OP swaps the counters in the domain's
 * next cycle. False if its clock does not come. */
static int swap(void)
{
    for (int i = 0; i < 2; i++) /* from OVERFLOW to VALID to EMPTY */
        write_register(G84_PCOUNTER_QUAD_ACK_TRIGGER(DOMAIN), 1);
    write_register(G84_PCOUNTER_PRE_OP(DOMAIN), read_register(G84_PCOUNTER_PRE_OP(DOMAIN)));
    for (int i = 0; i < 100; i++) {
        if (quad_state() == G84_PCOUNTER_CTRL_QUAD_STATE_VALID)
            return 1;
        wait_for(0.001);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: uio DEVICE [OFFSET [SECONDS]]\n");
        return 2;
    }
    if (!map(argv[1], argc > 2 ? strtol(argv[2], NULL, 0) : 0)) {
        perror(argv[1]);
        return 1;
    }
    program();
    int counts = swap();
    wait_for(argc > 3 ? strtod(argv[3], NULL) : 1.0);
    if (!counts || !swap()) {
        fprintf(stderr, "%s: domain %d has no cycles\n", argv[1], DOMAIN);
        return 1;
    }
    printf("cycles %u\n", (unsigned)read_register(G84_PCOUNTER_CTR_CYCLES(DOMAIN)));
    printf("pre    %u\n", (unsigned)read_register(G84_PCOUNTER_CTR_PRE(DOMAIN)));
    printf("start  %u\n", (unsigned)read_register(G84_PCOUNTER_CTR_START(DOMAIN)));
    printf("event  %u\n", (unsigned)read_register(G84_PCOUNTER_CTR_EVENT(DOMAIN)));
    printf("stop   %u\n", (unsigned)read_register(G84_PCOUNTER_CTR_STOP(DOMAIN)));
    return 0;
}
