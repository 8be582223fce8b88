/* SPDX-License-Identifier: MIT */
/*
 * Real VCD files, of simulators of all kinds, read by the parser, by each kernel of the mask
 * scanner, compressed, and by several threads in parts of many sizes: all blocks are the
 * same.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "texts.h"
#include "vcd_pieces.h"
#include "vcd_sets.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "wave/vcd/vcd.h"
#include "wave/vcd/fast.h"
#include "wave/wave.h"

enum { MOST_BITS = 64, MOST_FILES = 400, MOST_BYTES = 64 << 20 };

struct way {
    const struct vcd_scan_kernel *kernel; /* NULL: the parser */
    unsigned threads;
    size_t part;
};

/* A clock and signals for a file: those that change most. */
struct setup {
    struct pc_wave_clock clock;
    struct pc_wave_bit bit[MOST_BITS];
    size_t bits;
};

struct reading {
    enum pc_status status;
    uint64_t digest, cycles, ahead;
    unsigned code;
    uint32_t line, column;
};

static void add(struct reading *r, uint64_t x)
{
    r->digest = (r->digest ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    r->digest ^= r->digest >> 29;
}

static void add_block(struct reading *r, size_t bits, const struct pc_wave_block *b)
{
    add(r, b->first_cycle);
    add(r, b->first_time);
    add(r, b->last_time);
    r->cycles += b->cycles;
    for (uint32_t i = 0; i < b->cycles; i++)
        add(r, b->time[i]);
    for (size_t i = 0; i < bits; i++) {
        for (size_t w = 0; w < (b->cycles + 63) / 64; w++) {
            add(r, b->value[i][w]);
            add(r, b->unknown[i][w]);
        }
    }
}

static struct reading read_file(const char *path, const struct setup *setup, const struct way *way)
{
    struct pc_wave_desc desc = { .path = path,
                                 .threads = way->threads,
                                 .strict = way->kernel == NULL };
    struct reading r = { 0 };
    struct pc_wave *wave = NULL;
    struct pc_wave_block b;
    struct pc_error err = { 0 };
    unsigned stream;

    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    struct vcd *v = (struct vcd *)wave->reader;
    v->kernel = way->kernel;
    v->part = way->part;
    test_ok(pc_wave_bind(wave, &setup->clock, setup->bit, setup->bits, &stream, &err), &err);
    while ((r.status = pc_wave_next(wave, &b, &err)) == PC_OK)
        add_block(&r, setup->bits, &b);
    if (r.status != PC_END) {
        r.code = err.code;
        r.line = err.line;
        r.column = err.column;
    }
    r.ahead = v->fast ? v->fast->ahead_taken : 0;
    pc_wave_close(wave);
    return r;
}

/* Another round of variables: the busiest first, then any that are left. */
static void choose_bits(const struct pc_wave *wave, struct setup *s)
{
    struct pc_wave_var var;

    for (size_t i = 0; pc_wave_get_var(wave, i, &var) == PC_OK && s->bits < MOST_BITS; i++) {
        if (var.kind != PC_VAR_BITS)
            continue;
        s->bit[s->bits++] = (struct pc_wave_bit){ i, 0 };
        if (var.width > 1 && s->bits < MOST_BITS)
            s->bit[s->bits++] = (struct pc_wave_bit){ i, var.width - 1 };
        if (var.width > 40 && s->bits < MOST_BITS)
            s->bit[s->bits++] = (struct pc_wave_bit){ i, 37 };
    }
}

/* false: nothing rises in it, or it cannot be read. */
static bool make_setup(const char *path, struct setup *s)
{
    struct pc_wave_desc desc = { .path = path };
    struct pc_wave *wave = NULL;
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_wave_var var;
    uint64_t most = 0;

    *s = (struct setup){ .clock = { .edge = PC_EDGE_POS, .times = true } };
    if (pc_wave_open(&desc, &wave, NULL) != PC_OK)
        return false;
    pc_wave_get_info(wave, &info);
    struct pc_var_activity *activity = calloc(info.codes + 1, sizeof *activity);
    assert_non_null(activity);
    bool ok = info.format == PC_WAVE_VCD;
    ok = ok && pc_wave_scan(wave, &totals, activity, NULL) == PC_OK;
    for (size_t i = 0; ok && pc_wave_get_var(wave, i, &var) == PC_OK; i++) {
        if (var.kind == PC_VAR_BITS && var.width == 1 && activity[var.code].rises > most) {
            most = activity[var.code].rises;
            s->clock.clock.var = i;
        }
    }
    choose_bits(wave, s);
    free(activity);
    pc_wave_close(wave);
    return ok && most > 0;
}

static void must_equal(const char *path, const char *how, const struct reading *want,
                       const struct reading *got)
{
    if (want->status != got->status || want->digest != got->digest || want->code != got->code ||
        want->line != got->line || want->column != got->column)
        fail_msg("%s, %s: status %d and %d, %llu and %llu cycles", path, how, want->status,
                 got->status, (unsigned long long)want->cycles, (unsigned long long)got->cycles);
}

struct sums {
    unsigned files;
    uint64_t bytes, ahead, cycles;
    struct pieces pieces;
};

/* `path` is plain. */
static void compare(const char *name, const char *path, size_t size, struct sums *sums)
{
    static const size_t parts[] = { 1u << 17, 20011, 3001 };
    const size_t ways = sizeof parts / sizeof parts[0];
    struct setup setup;
    const struct vcd_scan_kernel *kernel;

    pieces_agree(path, parts[sums->files % ways], false, &sums->pieces);
    if (!make_setup(path, &setup))
        return;
    if (sums->files % 4 == 3)
        setup.clock.edge = PC_EDGE_EVERY;
    const struct reading want = read_file(path, &setup, &(struct way){ NULL, 1, 0 });
    for (size_t i = 0; (kernel = vcd_scan_at(i)) != NULL; i++) {
        if (!kernel->usable())
            continue;
        struct way way = { kernel, 1, 0 };
        struct reading got = read_file(path, &setup, &way);
        must_equal(name, kernel->name, &want, &got);
        way.threads = 2;
        way.part = parts[i % ways];
        got = read_file(path, &setup, &way);
        must_equal(name, kernel->name, &want, &got);
    }
    for (size_t i = 0; i < ways; i++) {
        const unsigned threads = (unsigned)(2 + i);
        const struct way way = { vcd_scan_best(), threads, parts[i] };
        const struct reading got = read_file(path, &setup, &way);
        must_equal(name, "threads", &want, &got);
        sums->ahead += i == 0 ? got.ahead : 0;
    }
    sums->files++;
    sums->bytes += size;
    sums->cycles += want.cycles;
}

/* Unpacks into a temporary file, of which the name lives until the next call; NULL: too large. */
static const char *unpack(const char *path, size_t *size)
{
    uint8_t *bytes = malloc(MOST_BYTES);
    gzFile f = gzopen(path, "rb");

    assert_true(bytes && f);
    const int n = gzread(f, bytes, MOST_BYTES);
    assert_true(n >= 0);
    gzclose(f);
    *size = (size_t)n;
    const char *name = n > 0 && n < MOST_BYTES ? text_file(bytes, *size) : NULL;
    free(bytes);
    return name;
}

static struct {
    char *path[MOST_FILES];
    size_t count;
} found;

static bool ends(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);

    return n >= k && strcmp(text + n - k, end) == 0;
}

static int note(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    if (kind == FTW_F && (ends(path, ".vcd") || ends(path, ".vcd.gz")) && found.count < MOST_FILES)
        found.path[found.count++] = strdup(path);
    return 0;
}

static void all_files(void **state)
{
    struct sums sums = { 0 };
    char path[4096];

    (void)state;
    if (!test_shared("waves", path, sizeof path))
        skip();
    assert_int_equal(nftw(path, note, 16, FTW_PHYS), 0);
    for (size_t i = 0; i < found.count; i++) {
        size_t size;
        const char *name = unpack(found.path[i], &size);
        if (name) {
            compare(found.path[i], name, size, &sums);
            unlink(name);
        }
        free(found.path[i]);
    }
    printf("%u files, %llu bytes, %llu cycles; %llu bytes by pieces\n", sums.files,
           (unsigned long long)sums.bytes, (unsigned long long)sums.cycles,
           (unsigned long long)sums.ahead);
    assert_true(sums.files > 50 && sums.ahead > sums.bytes / 2);
    assert_true(sums.pieces.by_pieces > sums.pieces.all / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_set_is_usable),
                                        cmocka_unit_test(all_files) };

    return cmocka_run_group_tests_name("wave/vcd_waves", tests, NULL, NULL);
}
