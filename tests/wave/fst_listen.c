/* SPDX-License-Identifier: MIT */
/*
 * Changes of an FST handed over chain by chain are those handed over in the order of time: of every
 * stream the same ones, with any number of threads, up to any time; of a damaged file too, or there
 * is the same error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fst_scene.h"
#include "test.h"

enum { CYCLES = 3000, DAMAGED = 300 };

struct heard {
    struct pc_wave *wave;
    uint64_t *hash; /* by stream */
    size_t *words;  /* of a value, the same */
    size_t codes;
    uint64_t first;
    bool begun;
    const uint8_t *of_first; /* streams that come first in each section; NULL: no sections */
    bool others;             /* it is the turn of the others */
    size_t sections;
    enum pc_status status;
    struct pc_error err;
    struct pc_wave_totals totals;
};

static char path[64];

static void stir(uint64_t *hash, uint64_t word)
{
    *hash = (*hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void begin(void *ctx, uint64_t time)
{
    struct heard *h = ctx;

    assert_false(h->begun);
    h->begun = true;
    h->first = time;
}

static void take(void *ctx, const struct pc_wave_changes *c)
{
    const struct heard *h = ctx;
    const size_t words = h->words[c->code];

    if (h->of_first && !c->before)
        assert_int_equal(h->of_first[c->code] == 0, h->others);
    for (size_t i = 0; i < c->count; i++) {
        stir(&h->hash[c->code], c->before ? UINT64_MAX : c->time[i]);
        for (size_t w = 0; w < words; w++) {
            stir(&h->hash[c->code], c->value[i * words + w]);
            stir(&h->hash[c->code], c->unknown ? c->unknown[i * words + w] : 0);
        }
    }
}

static void section(void *ctx, uint64_t last, bool over)
{
    struct heard *h = ctx;

    (void)last;
    assert_int_equal(h->others, over);
    h->others = !over;
    h->sections += over;
}

static void forget(void *ctx)
{
    struct heard *h = ctx;

    h->begun = h->others = false;
    memset(h->hash, 0, (h->codes + 1) * sizeof *h->hash);
}

/* every: each so-many-th stream comes first; 0: there are no sections. */
static struct heard hear(const char *file, unsigned threads, bool in_order, uint64_t until,
                         size_t every)
{
    static uint8_t first[1 << 16];
    const struct pc_wave_desc desc = { .path = file, .threads = threads };
    struct heard h = { .codes = 0 };
    struct pc_wave_info info;
    struct pc_wave_var v;

    h.status = pc_wave_open(&desc, &h.wave, &h.err);
    if (h.status)
        return h;
    pc_wave_get_info(h.wave, &info);
    h.codes = info.codes;
    h.hash = calloc(h.codes + 1, sizeof *h.hash);
    h.words = calloc(h.codes + 1, sizeof *h.words);
    assert_true(h.hash && h.words);
    for (size_t i = 0; pc_wave_get_var(h.wave, i, &v) == PC_OK; i++)
        h.words[v.code] = (v.width + (size_t)63) / 64;
    assert_true(h.codes < sizeof first);
    for (size_t i = 0; i < h.codes && every > 0; i++)
        first[i] = i % every == 0;
    h.of_first = every > 0 ? first : NULL;
    const struct pc_wave_listener listener = { .in_order = in_order,
                                               .until = until,
                                               .first = h.of_first,
                                               .section = section,
                                               .begin = begin,
                                               .take = take,
                                               .forget = forget,
                                               .ctx = &h };
    h.status = pc_wave_listen(h.wave, &listener, &h.totals, &h.err);
    pc_wave_close(h.wave);
    free(h.words);
    return h;
}

static void compare(const char *file, unsigned threads, uint64_t until, size_t every)
{
    struct heard want = hear(file, 1, true, until, 0),
                 got = hear(file, threads, false, until, every);

    if (every > 0 && want.status == PC_OK && want.begun && until == 0)
        assert_true(got.sections > 0);
    assert_int_equal(got.status, want.status);
    if (want.status != PC_OK) {
        assert_string_equal(got.err.text, want.err.text);
    } else {
        assert_int_equal(got.begun, want.begun);
        assert_int_equal(got.first, want.first);
        assert_memory_equal(got.hash, want.hash, want.codes * sizeof *want.hash);
        assert_int_equal(got.totals.time_first, want.totals.time_first);
        assert_int_equal(got.totals.time_last, want.totals.time_last);
        assert_int_equal(got.totals.time_stamps, want.totals.time_stamps);
        assert_int_equal(got.totals.step, want.totals.step);
        assert_int_equal(got.totals.least, want.totals.least);
        assert_int_equal(got.totals.most, want.totals.most);
        assert_int_equal(got.totals.changes, want.totals.changes);
    }
    free(want.hash);
    free(got.hash);
}

static void compare_all(const char *file)
{
    static const uint64_t until[] = { 0, 1, 5, 10, 20001, 1000000 };

    for (unsigned threads = 1; threads <= 3; threads += 2)
        for (size_t i = 0; i < sizeof until / sizeof until[0]; i++)
            for (size_t every = 0; every < 3; every++)
                compare(file, threads, until[i], every);
}

static int setup(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "./listen-%ld.fst", (long)getpid());
    return 0;
}

static int teardown(void **state)
{
    char hierarchy[sizeof path + 8];

    (void)state;
    snprintf(hierarchy, sizeof hierarchy, "%s.hier", path);
    remove(hierarchy);
    remove(path);
    return 0;
}

static void measured_files(void **state)
{
    static const char *const files[] = { "cva6/cva6_median.fst", "bus/axi4_structs.fst",
                                         "bus/lanes.fst", "bus/avalon.fst", "bus/tilelink.fst" };
    char file[4096], relative[128];

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(relative, sizeof relative, "waves/%s", files[i]);
        if (test_shared(relative, file, sizeof file))
            compare_all(file);
    }
}

#ifdef PC_HAVE_FSTAPI
static void written_files(void **state)
{
    static const struct scene_writer how[] = {
        { .name = "zlib", .pack = 0 },
        { .name = "FastLZ", .pack = 1, .flush_every = 37 },
        { .name = "LZ4", .pack = 2, .flush_every = 1000 },
        { .name = "LZ4, wrapped", .pack = 2, .wrap = true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++) {
        scene_write_fst(path, CYCLES, &how[i]);
        compare_all(path);
    }
}

static void damaged_files(void **state)
{
    static uint8_t whole[1 << 20];
    const struct scene_writer how = { .pack = 2, .flush_every = 100 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(4, &seed);

    (void)state;
    scene_write_fst(path, CYCLES / 10, &how);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(whole, 1, sizeof whole, f);
    fclose(f);
    assert_true(size > 1000 && size < sizeof whole);
    for (unsigned i = 0; i < DAMAGED; i++) {
        const size_t at = 400 + test_rand_below(&rng, (uint32_t)size - 400);
        const uint8_t was = whole[at];
        whole[at] ^= (uint8_t)(1 + test_rand_below(&rng, 255));
        f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(whole, 1, size, f), size);
        assert_int_equal(fclose(f), 0);
        compare(path, 1 + i % 3, 0, i % 4);
        whole[at] = was;
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_files),
#ifdef PC_HAVE_FSTAPI
        cmocka_unit_test(written_files),
        cmocka_unit_test(damaged_files),
#endif
    };

#ifndef PC_HAVE_FSTAPI
    test_say_skip("fst_listen", "files of our own: built without fstapi.c of Verilator's package");
#endif
    return cmocka_run_group_tests(tests, setup, teardown);
}
