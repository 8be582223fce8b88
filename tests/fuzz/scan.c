/* SPDX-License-Identifier: MIT */
/*
 * The input is a VCD after a byte that chooses clock and cutting.  What must hold: the parser
 * alone, each mask scanner that this CPU has, and scanners in several threads with small pieces
 * of the file give the same blocks, times, errors and warnings.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "wave/vcd/vcd.h"
#include "wave/vcd/scan.h"
#include "wave/wave.h"

enum { MOST_BITS = 24, MOST_BLOCKS = 20000, WARNINGS = 24 };

struct reading {
    uint64_t hash, cycles;
    bool opened;
    enum pc_status status;
    struct pc_error err;
    char warning[WARNINGS][400];
    size_t warnings;
};

struct how {
    const struct vcd_scan_kernel *kernel; /* NULL: the parser alone */
    unsigned threads;
    size_t part;
};

static void mix(struct reading *r, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;

    for (size_t i = 0; i < size; i++)
        r->hash = (r->hash ^ p[i]) * UINT64_C(0x100000001b3);
}

/* Values that nobody declared are all counted by the parser alone (`strict`). */
static void take_warnings(const struct pc_wave *wave, struct reading *r)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    for (size_t i = 0; i < info.warnings && r->warnings < WARNINGS; i++)
        if (!strstr(pc_wave_warning(wave, i), "which no $var declares"))
            snprintf(r->warning[r->warnings++], sizeof r->warning[0], "%s",
                     pc_wave_warning(wave, i));
}

static unsigned choose_bits(const struct pc_wave *wave, unsigned choice,
                            struct pc_wave_bit bit[MOST_BITS], struct pc_wave_clock *clock)
{
    struct pc_wave_var v;
    unsigned bits = 0, scalars = 0;

    for (size_t i = 0; i < 64 && pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        if (v.kind != PC_VAR_BITS)
            continue;
        if (v.width == 1 && (scalars++ == 0 || scalars == 1 + choice / 4 % 4))
            clock->clock = (struct pc_wave_bit){ i, 0 };
        for (uint32_t k = 0; k < v.width && k < 5 && bits < MOST_BITS && (i + choice) % 3; k++)
            bit[bits++] = (struct pc_wave_bit){ i, k < 4 ? k : v.width - 1 };
    }
    clock->edge = choice & 1 ? PC_EDGE_NEG : PC_EDGE_POS;
    clock->post_edge = choice & 2;
    clock->has_iff = choice & 0x10 && bits > 0;
    clock->iff = bit[0];
    return scalars > 0 ? bits : MOST_BITS + 1;
}

static void read_blocks(struct pc_wave *wave, unsigned bits, struct reading *r)
{
    struct pc_wave_block b;

    for (unsigned n = 0; n < MOST_BLOCKS; n++) {
        r->status = pc_wave_next(wave, &b, &r->err);
        fuzz_check_error(r->status, &r->err);
        if (r->status)
            break;
        const uint64_t numbers[] = { b.first_cycle, b.cycles, b.first_time, b.last_time };
        mix(r, numbers, sizeof numbers);
        r->cycles += b.cycles;
        for (unsigned i = 0; i < bits; i++) {
            mix(r, b.value[i], (b.cycles + 63) / 64 * sizeof(uint64_t));
            mix(r, b.unknown[i], (b.cycles + 63) / 64 * sizeof(uint64_t));
        }
    }
}

static void read_all(const char *path, unsigned choice, const struct how *how, struct reading *r)
{
    struct fuzz_heap heap = { .limit = (size_t)256 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_wave_desc desc = { .path = path,
                                 .alloc = &alloc,
                                 .threads = how->threads,
                                 .strict = how->kernel == NULL,
                                 .tolerate_time_backwards = choice & 0x20 };
    struct pc_wave_bit bit[MOST_BITS] = { { 0 } };
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave *wave = NULL;
    unsigned stream;

    *r = (struct reading){ .status = pc_wave_open(&desc, &wave, &r->err) };
    if (r->status == PC_OK &&
        (wave->reader->info.format == PC_WAVE_VCD || wave->reader->info.format == PC_WAVE_EVCD)) {
        struct vcd *v = (struct vcd *)wave->reader;
        unsigned bits = choose_bits(wave, choice, bit, &clock);
        v->kernel = how->kernel;
        v->part = how->part;
        r->opened = bits <= MOST_BITS;
        if (r->opened) {
            r->status = pc_wave_bind(wave, &clock, bit, bits, &stream, &r->err);
            FUZZ_CHECK(r->status == PC_OK);
            read_blocks(wave, bits, r);
            take_warnings(wave, r);
        }
    }
    pc_wave_close(wave);
    fuzz_all_returned(&heap);
}

static void same(const struct reading *a, const struct reading *b)
{
    FUZZ_CHECK(a->opened == b->opened && a->status == b->status);
    FUZZ_CHECK(a->cycles == b->cycles && a->hash == b->hash);
    FUZZ_CHECK(a->warnings == b->warnings);
    for (size_t i = 0; i < a->warnings; i++)
        FUZZ_CHECK(strcmp(a->warning[i], b->warning[i]) == 0);
    if (a->status == PC_OK || a->status == PC_END)
        return;
    FUZZ_CHECK(a->err.code == b->err.code && a->err.line == b->err.line);
    FUZZ_CHECK(a->err.byte == b->err.byte && strcmp(a->err.text, b->err.text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct reading parser, other;
    const struct vcd_scan_kernel *kernel;

    if (size < 2 || size > 1 << 16 || data[1] == 0)
        return 0;
    const char *path = fuzz_file(data + 1, size - 1);
    const unsigned choice = data[0];
    struct how how = { .threads = 1 };

    read_all(path, choice, &how, &parser);
    for (size_t i = 0; parser.opened && (kernel = vcd_scan_at(i)) != NULL; i++) {
        if (!kernel->usable())
            continue;
        how = (struct how){ .kernel = kernel, .threads = 1 };
        read_all(path, choice, &how, &other);
        same(&parser, &other);
    }
    if (parser.opened) {
        how = (struct how){ vcd_scan_best(), 3, choice & 0x40 ? 64 : 700 };
        read_all(path, choice, &how, &other);
        same(&parser, &other);
    }
    return 0;
}
