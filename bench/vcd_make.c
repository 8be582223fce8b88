/* SPDX-License-Identifier: MIT */
#include "vcd_make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { BUFFER = 1 << 20, ROOM = 1 << 16 }; /* a cycle is shorter than ROOM */

struct maker {
    FILE *out;
    const struct vcd_kind *kind;
    char *buffer;
    size_t used;
    char id[VCD_MOST_SIGNALS + 1][4]; /* [0]: the clock */
    uint8_t level[VCD_MOST_SIGNALS];
    uint64_t random;
};

/* As Icarus numbers them: base 94, the first character fastest. */
static void make_ids(struct maker *m, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned n = i, at = 0;
        do {
            m->id[i][at++] = (char)('!' + n % 94);
            n /= 94;
        } while (n-- > 0);
        m->id[i][at] = '\0';
    }
}

static void put(struct maker *m, const char *text, size_t length)
{
    memcpy(m->buffer + m->used, text, length);
    m->used += length;
}

static void put_time(struct maker *m, uint64_t time)
{
    char digits[24];
    size_t at = sizeof digits;

    digits[--at] = '\n';
    do
        digits[--at] = (char)('0' + time % 10);
    while ((time /= 10) > 0);
    digits[--at] = '#';
    put(m, digits + at, sizeof digits - at);
}

static void put_scalar(struct maker *m, char value, const char *id)
{
    char line[6] = { value };
    size_t n = strlen(id);

    memcpy(line + 1, id, n);
    line[n + 1] = '\n';
    put(m, line, n + 2);
}

static void put_vector(struct maker *m, uint32_t value, const char *id)
{
    char line[34];

    line[0] = 'b';
    for (unsigned i = 0; i < 32; i++)
        line[1 + i] = (char)('0' + (value >> (31 - i) & 1));
    line[33] = ' ';
    put(m, line, sizeof line);
    put(m, id, strlen(id));
    put(m, "\n", 1);
}

static void header(struct maker *m)
{
    fputs("$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n", m->out);
    for (unsigned i = 0; i < m->kind->scalars; i++)
        fprintf(m->out, "$var wire 1 %s s%u $end\n", m->id[i + 1], i);
    for (unsigned i = 0; i < m->kind->vectors; i++)
        fprintf(m->out, "$var wire 32 %s v%u [31:0] $end\n", m->id[m->kind->scalars + i + 1], i);
    fputs("$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n0!\n", m->out);
    for (unsigned i = 0; i < m->kind->scalars; i++)
        fprintf(m->out, "0%s\n", m->id[i + 1]);
    for (unsigned i = 0; i < m->kind->vectors; i++)
        fprintf(m->out, "b0 %s\n", m->id[m->kind->scalars + i + 1]);
    fputs("$end\n", m->out);
}

/* A rising edge, what it changes, a falling edge. */
static void cycle(struct maker *m, uint64_t number)
{
    const struct vcd_kind *kind = m->kind;

    put_time(m, 10 * number + 5);
    put_scalar(m, '1', m->id[0]);
    for (unsigned i = 0; i < kind->scalars + kind->vectors; i++) {
        uint64_t random = bench_random(&m->random);
        if ((random & 1023) >= kind->activity)
            continue;
        if (i < kind->scalars)
            put_scalar(m, (char)('0' + (m->level[i] ^= 1)), m->id[i + 1]);
        else
            put_vector(m, (uint32_t)(random >> 32), m->id[i + 1]);
    }
    put_time(m, 10 * number + 10);
    put_scalar(m, '0', m->id[0]);
}

static void flush(struct maker *m, struct vcd_made *made)
{
    fwrite(m->buffer, 1, m->used, m->out);
    made->bytes += m->used;
    m->used = 0;
}

void vcd_make(FILE *out, const struct vcd_kind *kind, uint64_t bytes, struct vcd_made *made)
{
    struct maker m = { .out = out, .kind = kind, .buffer = bench_memory(BUFFER), .random = 1 };

    memset(made, 0, sizeof *made);
    make_ids(&m, kind->scalars + kind->vectors + 1);
    for (unsigned i = 0; i < VCD_SELECTED; i++)
        made->selected[i] = i * kind->scalars / VCD_SELECTED;
    header(&m);
    while (made->bytes < bytes) {
        for (unsigned i = 0; i < VCD_SELECTED; i++)
            made->ones[i] += m.level[made->selected[i]];
        cycle(&m, made->cycles++);
        if (m.used > BUFFER - ROOM)
            flush(&m, made);
    }
    flush(&m, made);
    free(m.buffer);
}
