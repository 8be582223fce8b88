/* SPDX-License-Identifier: MIT */
/*
 * The input is the content of a waveform: signals and their changes.  It is written as VCD, plain
 * and packed by gzip, and as FST, in blocks of several kinds, in one wrapper or not.  What must
 * hold: every file gives the same cycles, values and times at each clock, with one thread or three
 * and with each set of loops, and the same totals and activity of each signal.
 */
#include "content.h"
#include "fuzz.h"

#include <string.h>
#include <zlib.h>

#include "wave/fst/direct.h"
#include "wave/wave.h"

enum { MOST_BITS = 40, WAYS = 5 };

struct reading {
    uint64_t hash, cycles;
    enum pc_status status;
    struct pc_wave_totals totals;
    struct pc_var_activity row[CONTENT_SIGNALS];
};

struct way {
    unsigned threads;
    bool portable; /* FST: the loops that every CPU has */
};

static void mix(struct reading *r, uint64_t word)
{
    r->hash = (r->hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    r->hash ^= r->hash >> 29;
}

static struct pc_wave *open_file(const char *path, const struct way *way, struct pc_alloc *alloc)
{
    const struct pc_wave_desc desc = { .path = path, .alloc = alloc, .threads = way->threads };
    struct pc_wave *wave = NULL;
    struct pc_error err = { 0 };
    const enum pc_status status = pc_wave_open(&desc, &wave, &err);

    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == PC_OK);
    return wave;
}

/* Planes cycle by cycle, since files may be cut into blocks elsewhere. */
static void take_block(struct reading *r, const struct pc_wave_block *b, size_t bits)
{
    FUZZ_CHECK(b->first_cycle == r->cycles);
    r->cycles += b->cycles;
    for (uint32_t n = 0; n < b->cycles; n++) {
        uint64_t values = 0, unknown = 0;
        for (size_t i = 0; i < bits; i++) {
            values = values << 1 | (b->value[i][n / 64] >> n % 64 & 1);
            unknown = unknown << 1 | (b->unknown[i][n / 64] >> n % 64 & 1);
        }
        mix(r, values);
        mix(r, unknown);
        mix(r, b->time ? b->time[n] : 0);
    }
}

static size_t choose_bits(const struct content *c, struct pc_wave_bit bit[MOST_BITS])
{
    size_t bits = 0;

    for (unsigned v = 0; v < c->signals; v++)
        for (uint32_t k = 0; k < c->width[v] && bits < MOST_BITS; k++)
            if (k < 4 || k + 4 > c->width[v])
                bit[bits++] = (struct pc_wave_bit){ v, k };
    return bits;
}

static void read_blocks(const struct content *c, const char *path, const struct way *way,
                        const struct pc_wave_clock *clock, struct reading *r)
{
    struct fuzz_heap heap = { .limit = (size_t)256 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_wave *wave = open_file(path, way, &alloc);
    struct pc_wave_bit bit[MOST_BITS];
    const size_t bits = choose_bits(c, bit);
    struct pc_error err = { 0 };
    struct pc_wave_block b;
    unsigned stream;

    if (way->portable && wave->reader->info.format == PC_WAVE_FST)
        ((struct fst *)wave->reader)->loops = &fst_loops_portable;
    FUZZ_CHECK(pc_wave_bind(wave, clock, bit, bits, &stream, &err) == PC_OK);
    while ((r->status = pc_wave_next(wave, &b, &err)) == PC_OK)
        take_block(r, &b, bits);
    fuzz_check_error(r->status, &err);
    pc_wave_close(wave);
    fuzz_all_returned(&heap);
}

static void read_totals(const char *path, const struct way *way, struct reading *r)
{
    struct fuzz_heap heap = { .limit = (size_t)256 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct pc_wave *wave = open_file(path, way, &alloc);
    struct pc_error err = { 0 };

    r->status = pc_wave_scan(wave, &r->totals, r->row, &err);
    fuzz_check_error(r->status, &err);
    pc_wave_close(wave);
    fuzz_all_returned(&heap);
}

/* What a file gives: at each clock, and in all. */
static void read_all(const struct content *c, const char *path, const struct way *way,
                     struct reading *r)
{
    const struct pc_wave_bit first = { .var = c->clock };
    const struct pc_wave_clock clock[] = {
        { .edge = PC_EDGE_EVERY, .times = true },
        { .edge = PC_EDGE_POS, .clock = first, .times = true },
        { .edge = PC_EDGE_NEG, .clock = first, .times = true, .post_edge = true },
    };

    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < sizeof clock / sizeof clock[0]; i++) {
        r->cycles = 0;
        read_blocks(c, path, way, &clock[i], r);
        FUZZ_CHECK(r->status == PC_END);
        mix(r, r->cycles);
    }
    read_totals(path, way, r);
}

static void same(const struct content *c, const struct reading *a, const struct reading *b)
{
    FUZZ_CHECK(a->hash == b->hash);
    FUZZ_CHECK(a->status == b->status);
    FUZZ_CHECK(a->totals.time_first == b->totals.time_first);
    FUZZ_CHECK(a->totals.time_last == b->totals.time_last);
    FUZZ_CHECK(a->totals.time_stamps == b->totals.time_stamps);
    FUZZ_CHECK(a->totals.step == b->totals.step && a->totals.most == b->totals.most);
    for (unsigned v = 0; v < c->signals; v++) {
        const struct pc_var_activity *x = &a->row[v], *y = &b->row[v];
        FUZZ_CHECK(x->rises == y->rises && x->falls == y->falls);
        FUZZ_CHECK(x->first_rise == y->first_rise && x->last_rise == y->last_rise);
        FUZZ_CHECK(x->min_period == y->min_period && x->max_period == y->max_period);
    }
}

/* One file for `path` at a time: what it gives must be what `want` has. */
static void compare(const struct content *c, const uint8_t *data, size_t size,
                    const struct reading *want)
{
    static const struct way ways[] = { { 1, false }, { 3, false }, { 1, true }, { 3, true } };
    static struct reading got;
    const char *path = fuzz_file_of(1, data, size);

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        read_all(c, path, &ways[i], &got);
        same(c, want, &got);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct content c;
    static struct reading plain;
    const struct way one = { .threads = 1 };
    struct fuzz_bytes in = { data, size };
    struct mk vcd = { 0 }, gz = { 0 }, fst = { 0 }, wrapped = { 0 };

    if (size < 8 || size > 4096)
        return 0;
    content_make(&c, &in);
    content_vcd(&c, &vcd);
    content_fst(&c, &fst);
    mk_pack(&gz, 'G', vcd.data, vcd.used);
    read_all(&c, fuzz_file(vcd.data, vcd.used), &one, &plain);
    fuzz_taken++;
    compare(&c, vcd.data, vcd.used, &plain);
    compare(&c, gz.data, gz.used, &plain);
    compare(&c, fst.data, fst.used, &plain);
    if (c.wrap) {
        mk_wrap(&wrapped, &fst);
        compare(&c, wrapped.data, wrapped.used, &plain);
    }
    mk_free(&vcd);
    mk_free(&gz);
    mk_free(&fst);
    mk_free(&wrapped);
    return 0;
}
