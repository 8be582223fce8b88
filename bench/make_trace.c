/* SPDX-License-Identifier: MIT */
/*
 * make_trace KIND CYCLES: a VCD as simulators write them, to standard output.
 *   cpu     registers, buses and states of a processor, two counters of 64 bits: some 20 lines and
 *           600 bytes a cycle
 *   tiles   256 small processors in scopes of their own: 9 KB a cycle
 *   two     a clock and two signals
 *   wN      two vectors of N bits, `a` with a new bit in each cycle, `b` often the same
 * Vectors have all of their digits, as Verilator writes them.  `probes` is no VCD: samples of
 * eight probes, a byte each.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { ROOM = 1 << 20, CYCLE_ROOM = 1 << 16, MOST_SIGNALS = 4096, MOST_BITS = 4096 };

struct signal {
    char id[4];
    unsigned width, rate; /* changes in 256 cycles */
    bool counts;          /* its new value is one more */
    uint64_t value;
};

static struct signal signals[MOST_SIGNALS];
static unsigned count;
static char buffer[ROOM], digits[256][8];
static size_t used;
static uint64_t random_state = 1;

static void flush(void)
{
    if (fwrite(buffer, 1, used, stdout) != used) {
        perror("make_trace");
        exit(1);
    }
    used = 0;
}

static void put(const char *text, size_t size)
{
    memcpy(buffer + used, text, size);
    used += size;
}

/* As Icarus Verilog and Verilator number them: the first character fastest. */
static void declare(const char *name, unsigned width, unsigned rate, bool counts)
{
    struct signal *s = &signals[count];
    unsigned n = count++, at = 0;

    *s = (struct signal){ .width = width, .rate = rate, .counts = counts };
    do
        s->id[at++] = (char)('!' + n % 94);
    while ((n /= 94) && n--);
    printf("$var wire %u %s %s", width, s->id, name);
    if (width > 1)
        printf(" [%u:0]", width - 1);
    printf(" $end\n");
}

static void many(const char *name, unsigned n, unsigned width, const unsigned *rates,
                 unsigned kinds)
{
    char text[32];

    for (unsigned i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%s%u", name, i);
        declare(text, width, rates[i % kinds], false);
    }
}

static void put_time(uint64_t time)
{
    char text[24];

    put(text, (size_t)snprintf(text, sizeof text, "#%" PRIu64 "\n", time));
}

static void put_value(const struct signal *s)
{
    const size_t bytes = (s->width + 7) / 8;

    if (s->width == 1) {
        buffer[used++] = (char)('0' + (s->value & 1));
    } else {
        buffer[used++] = 'b';
        for (size_t i = bytes; i-- > 0;)
            put(digits[s->value >> 8 * i & 255], 8);
        buffer[used++] = ' ';
    }
    put(s->id, strlen(s->id));
    buffer[used++] = '\n';
}

static void change(struct signal *s)
{
    const uint64_t random = bench_random(&random_state);

    if ((random >> 50 & 255) >= s->rate)
        return;
    s->value = s->counts ? s->value + 1 : s->width == 1 ? s->value ^ 1 : random & UINT32_MAX;
    put_value(s);
}

static void begin_cycles(void)
{
    printf("$upscope $end\n$enddefinitions $end\n");
    put_time(0);
    for (unsigned i = 0; i < count; i++)
        put_value(&signals[i]);
}

static void clock_level(uint64_t time, char level)
{
    put_time(time);
    put((char[]){ level, '!', '\n' }, 3);
}

static void cycles(uint64_t n)
{
    begin_cycles();
    for (uint64_t c = 0; c < n; c++) {
        clock_level(10 * c + 5, '1');
        for (unsigned i = 1; i < count; i++)
            change(&signals[i]);
        clock_level(10 * c + 10, '0');
        if (used > ROOM - CYCLE_ROOM)
            flush();
    }
    flush();
}

static void cpu(uint64_t n)
{
    static const unsigned data[] = { 96, 64, 48, 24, 12, 8, 4, 1 }, flags[] = { 120, 60, 24, 8, 2 };

    declare("cycle", 64, 256, true);
    declare("instret", 64, 160, true);
    declare("pc", 32, 160, false);
    many("data", 48, 32, data, 8);
    many("flag", 60, 1, flags, 5);
    cycles(n);
}

static void tiles(uint64_t n)
{
    static const unsigned data[] = { 96, 24, 8, 2 }, flags[] = { 128, 60, 24, 8, 2, 1 };

    for (unsigned i = 0; i < 256; i++) {
        printf("$scope module tile%u $end\n", i);
        many("data", 4, 32, data, 4);
        many("flag", 6, 1, flags, 6);
        printf("$upscope $end\n");
    }
    cycles(n);
}

static void wide(unsigned bits, uint64_t n)
{
    static char text[2][MOST_BITS + 1];

    declare("a", bits, 256, false);
    declare("b", bits, 128, false);
    memset(text, '0', sizeof text);
    for (unsigned i = 0; i < 2; i++)
        text[i][bits] = '\0';
    printf("$upscope $end\n$enddefinitions $end\n#0\n0!\nb%s \"\nb%s #\n", text[0], text[1]);
    for (uint64_t c = 0; c < n; c++) {
        const uint64_t random = bench_random(&random_state);

        clock_level(10 * c + 5, '1');
        text[0][(random >> 8) % bits] ^= 1;
        used += (size_t)snprintf(buffer + used, ROOM - used, "b%s \"\n", text[0]);
        if (random & UINT64_C(1) << 30) {
            if (random & UINT64_C(1) << 31)
                memcpy(text[1], text[0], bits);
            else
                text[1][(random >> 40) % bits] ^= 1;
            used += (size_t)snprintf(buffer + used, ROOM - used, "b%s #\n", text[1]);
        }
        clock_level(10 * c + 10, '0');
        if (used > ROOM - CYCLE_ROOM)
            flush();
    }
    flush();
}

static void probes(uint64_t n)
{
    unsigned level = 0;

    for (uint64_t i = 0; i < n; i++) {
        const uint64_t random = bench_random(&random_state);
        for (unsigned p = 0; p < 8; p++)
            level ^= (random >> 8 * p & 255) < p + 1 ? 1u << p : 0;
        buffer[used++] = (char)level;
        if (used == ROOM)
            flush();
    }
    flush();
}

int main(int argc, char **argv)
{
    const char *kind = argc == 3 ? argv[1] : "";
    const uint64_t n = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    static const unsigned rates[] = { 1, 100 };

    for (unsigned i = 0; i < 256; i++)
        for (unsigned b = 0; b < 8; b++)
            digits[i][b] = (char)('0' + (i >> (7 - b) & 1));
    if (strcmp(kind, "probes") == 0) {
        probes(n);
        return 0;
    }
    printf("$timescale 1ns $end\n$scope module top $end\n");
    declare("clk", 1, 0, false);
    if (strcmp(kind, "cpu") == 0) {
        cpu(n);
    } else if (strcmp(kind, "tiles") == 0) {
        tiles(n);
    } else if (strcmp(kind, "two") == 0) {
        many("flag", 2, 1, rates, 2);
        cycles(n);
    } else if (kind[0] == 'w' && strtoul(kind + 1, NULL, 10) <= MOST_BITS) {
        wide((unsigned)strtoul(kind + 1, NULL, 10), n);
    } else {
        fprintf(stderr, "usage: make_trace cpu|tiles|two|w512|w4096|probes CYCLES\n");
        return 2;
    }
    return 0;
}
