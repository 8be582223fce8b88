/* SPDX-License-Identifier: MIT */
/*
 * Real captures, read in every way, against counts that were made without pcounter: of each
 * channel the rises, falls, first rise and samples at 1; of each file the samples.
 * PC_TEST_LONG=1 also counts every sample of the one with 10^9 of them.
 */
#include "test.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHANNELS 64
#define LONG_SAMPLES UINT64_C(200000000)

struct file {
    const char *name;
    char path[4096];
    json_t *truth, *channels;
    size_t count; /* of channels */
    uint64_t samples;
};

static unsigned differing, files, refused;

static void expect(const struct file *f, const char *channel, const char *what, json_t *truth,
                   uint64_t got)
{
    uint64_t want = (uint64_t)json_integer_value(truth);

    if (json_is_integer(truth) && want == got)
        return;
    differing++;
    fprintf(stderr, "%s %s: %s is %" PRIu64 ", the truth says %" PRIu64 "\n", f->name, channel,
            what, got, want);
}

static struct pc_wave *open_file(const struct file *f)
{
    struct pc_wave_desc desc = { .path = f->path };
    struct pc_wave *wave = NULL;
    struct pc_error err;

    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    return wave;
}

static unsigned ones_of(uint64_t w)
{
    unsigned n = 0;

    for (; w; w &= w - 1)
        n++;
    return n;
}

/* The name of channel i, or what it is called without one; found, and it is that channel. */
static void check_name(const struct file *f, const struct pc_wave *wave, size_t i, json_t *row)
{
    const char *want = json_string_value(json_object_get(row, "name"));
    struct pc_wave_var v;
    struct pc_error err;
    char made[32];
    size_t var;
    uint32_t hi, lo;

    snprintf(made, sizeof made, "probe%zu", i + 1);
    assert_int_equal(pc_wave_get_var(wave, i, &v), PC_OK);
    if (strcmp(v.name, want ? want : made) != 0) {
        differing++;
        fprintf(stderr, "%s: probe %zu is called %s\n", f->name, i + 1, v.name);
    }
    test_ok(pc_wave_find(wave, want ? want : made, &var, &hi, &lo, &err), &err);
    assert_int_equal(var, i);
    assert_true(hi == 0 && lo == 0 && v.width == 1);
}

static json_t *channel(const struct file *f, size_t i)
{
    char key[32];

    snprintf(key, sizeof key, "%zu", i + 1);
    return json_object_get(f->channels, key);
}

static uint64_t hertz(const char *text)
{
    char unit[8] = "";
    double n = 0;

    if (!text || sscanf(text, "%lf %7s", &n, unit) != 2)
        return 0;
    return (uint64_t)(n * (unit[0] == 'k' ? 1e3 : unit[0] == 'M' ? 1e6 : 1e9));
}

static void check_info(const struct file *f, const struct pc_wave *wave)
{
    struct pc_wave_info info;
    const char *rate = json_string_value(json_object_get(f->truth, "samplerate"));

    pc_wave_get_info(wave, &info);
    assert_int_equal(info.format, PC_WAVE_SIGROK);
    assert_int_equal(info.vars, f->count);
    assert_int_equal(info.codes, f->count);
    assert_true(info.sampled);
    assert_int_equal(info.sample_rate, hertz(rate));
    assert_true((info.timescale_factor == 0) == (rate == NULL));
}

static void check_totals(const struct file *f)
{
    struct pc_var_activity activity[MAX_CHANNELS];
    struct pc_wave *wave = open_file(f);
    struct pc_wave_totals totals;
    struct pc_error err;

    check_info(f, wave);
    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    expect(f, "", "samples", json_object_get(f->truth, "samples"), totals.time_stamps);
    assert_true(totals.has_time && totals.time_first == 0);
    assert_int_equal(totals.time_last, totals.time_stamps - 1);
    for (size_t i = 0; i < f->count; i++) {
        json_t *row = channel(f, i), *first = json_object_get(row, "first_rise_sample");
        char name[32];
        snprintf(name, sizeof name, "probe %zu", i + 1);
        check_name(f, wave, i, row);
        expect(f, name, "rises", json_object_get(row, "rises"), activity[i].rises);
        expect(f, name, "falls", json_object_get(row, "falls"), activity[i].falls);
        if (!json_is_null(first))
            expect(f, name, "first rise", first, activity[i].first_rise);
    }
    pc_wave_close(wave);
}

/* Every sample of every channel, and beside that the rising edges of each as a clock. */
static void check_samples(const struct file *f)
{
    uint64_t cycles[32] = { 0 }, high[MAX_CHANNELS] = { 0 }, next_time = 0;
    struct pc_wave_bit bit[MAX_CHANNELS];
    struct pc_wave *wave = open_file(f);
    struct pc_wave_block b;
    struct pc_error err;
    enum pc_status status;
    unsigned stream;

    for (size_t i = 0; i < f->count; i++)
        bit[i] = (struct pc_wave_bit){ i, 0 };
    for (size_t s = 0; s <= f->count && s < 32; s++) {
        struct pc_wave_clock clock = { .edge = s ? PC_EDGE_POS : PC_EDGE_EVERY };
        if (s)
            clock.clock = bit[s - 1];
        test_ok(pc_wave_bind(wave, &clock, bit, s ? 0 : f->count, &stream, &err), &err);
    }
    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
        assert_int_equal(b.first_cycle, cycles[b.stream]);
        cycles[b.stream] += b.cycles;
        if (b.stream > 0)
            continue;
        assert_int_equal(b.first_time, next_time);
        assert_int_equal(b.last_time, next_time + b.cycles - 1);
        next_time += b.cycles;
        for (size_t i = 0; i < f->count; i++)
            for (size_t w = 0; w < (b.cycles + 63) / 64; w++)
                high[i] += ones_of(b.value[i][w]);
    }
    assert_int_equal(status, PC_END);
    expect(f, "", "clocks of all samples", json_object_get(f->truth, "samples"), cycles[0]);
    for (size_t i = 0; i < f->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "probe %zu", i + 1);
        expect(f, name, "high samples", json_object_get(channel(f, i), "high_samples"), high[i]);
        if (i + 1 < 32)
            expect(f, name, "edges", json_object_get(channel(f, i), "rises"), cycles[i + 1]);
    }
    pc_wave_close(wave);
}

static void check_file(struct file *f)
{
    files++;
    f->count = json_object_size(f->channels);
    assert_true(f->count <= MAX_CHANNELS);
    if (f->count == 0) { /* analog only */
        struct pc_wave_desc desc = { .path = f->path };
        struct pc_wave *wave = NULL;
        struct pc_error err;
        assert_int_equal(pc_wave_open(&desc, &wave, &err), PC_EUNSUP);
        assert_int_equal(err.code, 724);
        refused++;
        return;
    }
    f->samples = (uint64_t)json_integer_value(json_object_get(f->truth, "samples"));
    check_totals(f);
    if (f->samples <= LONG_SAMPLES || test_long())
        check_samples(f);
}

static void all_captures(void **state)
{
    char path[4096];
    json_error_t error;
    const char *name;
    json_t *row;

    (void)state;
    if (!test_shared("waves/sigrok/truth.json", path, sizeof path))
        skip();
    json_t *truth = json_load_file(path, 0, &error);
    assert_non_null(truth);
    json_object_foreach(truth, name, row)
    {
        struct file f = { .name = name, .truth = row };
        char relative[1024];
        f.channels = json_object_get(row, "channels");
        snprintf(relative, sizeof relative, "waves/sigrok/%s", name);
        assert_non_null(test_shared(relative, f.path, sizeof f.path));
        check_file(&f);
    }
    json_decref(truth);
    assert_int_equal(differing, 0);
    assert_true(files >= 27 && refused == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_captures) };

    return cmocka_run_group_tests_name("wave/sigrok_truth", tests, NULL, NULL);
}
