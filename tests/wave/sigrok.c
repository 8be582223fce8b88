/* SPDX-License-Identifier: MIT */
/*
 * Sessions of sigrok as the test makes them: both versions, what metadata can say, samples in
 * pieces, and long constant stretches read in all ways.
 */
#include "texts.h"
#include "zip_make.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "[global]\nsigrok version=0.6.0\n\n[device 1]\ncapturefile=logic-1\n"

/* A session of one piece. */
static struct zip_made session(const char *metadata, const void *samples, size_t size)
{
    struct zip_made z = { 0 };

    zip_text(&z, "version", "2\n");
    zip_text(&z, "metadata", metadata);
    zip_add(&z, "logic-1-1", samples, size, ZIP_DEFLATED);
    zip_end(&z, 0);
    return z;
}

static struct pc_wave *open_made(struct zip_made *z)
{
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(z->bytes, z->size, NULL, &err);

    test_ok(err.status, &err);
    zip_free(z);
    return wave;
}

static const char *name_of(const struct pc_wave *wave, size_t i)
{
    struct pc_wave_var v;

    return pc_wave_get_var(wave, i, &v) == PC_OK ? v.name : "-";
}

static void version_1(void **state)
{
    static const char metadata[] =
        "[global]\nsigrok version = 0.2.0\n[device 1]\ndriver = fx2lafw\ncapturefile = logic-1\n"
        "unitsize = 1\ntotal probes = 8\nsamplerate = 24 MHz\nprobe1 = A\nprobe3 = \n";
    struct pc_wave_info info;
    struct zip_made z = { 0 };

    (void)state;
    zip_text(&z, "version", "1");
    zip_add(&z, "logic-1", "\0\1\1\0", 4, ZIP_STORED);
    zip_text(&z, "metadata", metadata);
    zip_end(&z, 0);
    struct pc_wave *wave = open_made(&z);
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.format, PC_WAVE_SIGROK);
    assert_string_equal(info.encoding, "stored");
    assert_string_equal(info.version, "sigrok 0.2.0, session version 1");
    assert_string_equal(info.comment, "fx2lafw");
    assert_int_equal(info.vars, 8);
    assert_int_equal(info.sample_rate, 24000000);
    assert_int_equal(info.timescale_factor, 41666667);
    assert_int_equal(info.timescale_exponent, -15);
    assert_int_equal(info.warnings, 0);
    assert_string_equal(name_of(wave, 0), "A");
    assert_string_equal(name_of(wave, 1), "probe2");
    assert_string_equal(name_of(wave, 2), "probe3");
    pc_wave_close(wave);
}

static void rates(void **state)
{
    static const struct {
        const char *text;
        uint64_t rate, factor;
        int exponent;
    } good[] = {
        { "1 MHz", 1000000, 1, -6 },
        { "16 MHz", 16000000, 625, -10 },
        { "500kHz", 500000, 2, -6 },
        { "12.5 MHz", 12500000, 8, -8 },
        { "1 GHz", 1000000000, 1, -9 },
        { "1000000", 1000000, 1, -6 },
        { "7 Hz", 7, 142857142857143, -15 },
        { "2.50 kHz", 2500, 4, -4 },
        { "0 Hz", 0, 0, 0 },
        { "1000 THz", 1000000000000000, 1, -15 },
        { "2 Khz", 2000, 5, -4 },
        { "2\tm", 2000000, 5, -7 },
        { "2gHz", 2000000000, 5, -10 },
        { "2 thZ", 2000000000000, 5, -13 },
    };
    static const char *const bad[] = { "fast",      "",         "2.5 Hz",
                                       "1.2.3 MHz", "-1 MHz",   "1 MHz x",
                                       "1 xHz",     "2000 THz", "1000000000000000000000",
                                       "0.0001 kHz" };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char metadata[300];
        struct pc_wave_info info;
        snprintf(metadata, sizeof metadata, HEAD "unitsize=1\ntotal probes=1\nsamplerate=%s\n",
                 good[i].text);
        struct zip_made z = session(metadata, "\0\1", 2);
        struct pc_wave *wave = open_made(&z);
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.sample_rate, good[i].rate);
        assert_int_equal(info.timescale_factor, good[i].factor);
        assert_int_equal(info.timescale_exponent, good[i].exponent);
        assert_int_equal(info.warnings, good[i].rate == 0);
        pc_wave_close(wave);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char metadata[300];
        struct pc_error err = { 0 };
        snprintf(metadata, sizeof metadata, HEAD "unitsize=1\ntotal probes=1\nsamplerate=%s\n",
                 bad[i]);
        struct zip_made z = session(metadata, "\0\1", 2);
        assert_int_equal(text_read_all(z.bytes, z.size, NULL, &err), PC_EINPUT);
        assert_int_equal(err.code, 722);
        assert_int_equal(err.line, 8);
        assert_int_equal(err.column, 12);
        zip_free(&z);
    }
}

/* Names that are no identifiers, that come twice, that have escapes of the key file. */
static void names(void **state)
{
    static const char metadata[] =
        HEAD "unitsize=1\ntotal probes=8\nsamplerate=1 kHz\nprobe1=0\nprobe2=/M1\nprobe3=INT#\n"
             "probe4=STEP (Y axis)\nprobe5=0\nprobe6=a\\sb\\\\c\nprobe7=D[3]\nprobe9=late\n";
    static const char *const wanted[] = { "0", "/M1", "INT#", "STEP (Y axis)", "D[3]", "probe8" };
    static const size_t index[] = { 0, 1, 2, 3, 6, 7 };
    struct zip_made z = session(metadata, "\0\1", 2);
    struct pc_wave *wave = open_made(&z);
    struct pc_wave_info info;
    struct pc_error err;
    size_t var;
    uint32_t hi, lo;

    (void)state;
    for (size_t i = 0; i < sizeof index / sizeof index[0]; i++) {
        test_ok(pc_wave_find(wave, wanted[i], &var, &hi, &lo, &err), &err);
        assert_int_equal(var, index[i]);
    }
    /* as escaped names in expressions come: without blanks */
    test_ok(pc_wave_find(wave, "STEP(Yaxis)", &var, &hi, &lo, &err), &err);
    assert_int_equal(var, 3);
    assert_string_equal(name_of(wave, 4), "0_probe5");
    assert_string_equal(name_of(wave, 5), "a b\\c");
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.warnings, 2); /* the second 0, and probe9 */
    pc_wave_close(wave);
}

/* Verifies that a name may end with what begins an escape. */
static void name_ends_with_backslash(void **state)
{
    static const char metadata[] =
        HEAD "unitsize=1\ntotal probes=2\nsamplerate=1 kHz\nprobe1=q\\\nprobe2=r\n";
    struct zip_made z = session(metadata, "\0\1", 2);
    struct pc_wave *wave = open_made(&z);

    (void)state;
    assert_string_equal(name_of(wave, 0), "q\\");
    assert_string_equal(name_of(wave, 1), "r");
    pc_wave_close(wave);
}

static void odd_metadata(void **state)
{
    static const struct {
        const char *text;
        size_t vars, warnings;
    } good[] = {
        { HEAD "unitsize=1\ntotal probes=16\nsamplerate=1 Hz\n", 8, 1 },
        { HEAD "unitsize=1\ntotal probes=4294967296\nsamplerate=1 Hz\nprobe9=x\n", 8, 1 },
        { HEAD "unitsize=3\ntotal probes=17\nsamplerate=1 Hz\n", 17, 0 },
        { HEAD "unitsize=1\nsamplerate=1 Hz\n", 8, 0 },
        { HEAD "total probes=8\nsamplerate=1 Hz\n", 8, 1 },
        { HEAD "probe2=x\nsamplerate=1 Hz\n", 2, 1 },
        { "; comment\r\n# other\r\n" HEAD "unitsize = 1 \r\ntotal probes = 2\r\n\r\n", 2, 1 },
        { HEAD "unitsize=1\ntotal probes=1\nsamplerate=1 Hz\n[device 2]\nprobe1=q\nunitsize=2\n", 1,
          1 },
    };
    static const struct {
        const char *text;
        unsigned code, line, column;
    } bad[] = {
        { "", 722, 1, 1 },
        { "[global]\n", 722, 1, 1 },
        { HEAD "unitsize=1\nwhat\n", 722, 7, 1 },
        { HEAD "unitsize=-1\n", 722, 6, 10 },
        { HEAD "unitsize=1\nunitsize=1\nunitsize=2\n", 722, 8, 10 },
        { HEAD "samplerate=1 Hz\nsamplerate=1 MHz\n", 722, 7, 12 },
        { HEAD "unitsize=1x\n", 722, 6, 10 },
        { HEAD "unitsize=\n", 722, 6, 10 },
        { HEAD "total probes=99999999999999999999\n", 722, 6, 14 },
        { HEAD "unitsize=513\n", 723, 0, 0 },
        { HEAD "unitsize=0\n", 724, 0, 0 },
        { "[device 1]\nunitsize=1\ntotal probes=1\n", 724, 0, 0 },
        { "[device 1]\ntotal analog=1\nanalog1=CH1\n", 724, 0, 0 },
        { "[device 1]\ncapturefile=logic-2\nunitsize=1\n", 725, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct zip_made z = session(good[i].text, "\0\1\2\3\4\5", 6);
        struct pc_wave *wave = open_made(&z);
        struct pc_wave_info info;
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.vars, good[i].vars);
        assert_int_equal(info.warnings, good[i].warnings);
        pc_wave_close(wave);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct pc_error err = { 0 };
        struct zip_made z = session(bad[i].text, "\0\1\2\3\4\5", 6);
        assert_true(text_read_all(z.bytes, z.size, NULL, &err) != PC_OK);
        assert_int_equal(err.code, bad[i].code);
        assert_int_equal(err.line, bad[i].line);
        assert_int_equal(err.column, bad[i].column);
        zip_free(&z);
    }
}

/* ---- samples ---- */

struct made {
    uint8_t *samples; /* of `unit` bytes */
    size_t unit, count, channels;
};

/* Long constant stretches, and short ones. */
static struct made make_samples(struct test_rng *rng, size_t unit, size_t channels, size_t count)
{
    struct made m = { calloc(count, unit), unit, count, channels };
    size_t left = 0;

    assert_non_null(m.samples);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            memcpy(m.samples + i * unit, m.samples + (i - 1) * unit, unit);
        if (left-- == 0) {
            m.samples[i * unit + test_rand_below(rng, (uint32_t)unit)] ^=
                (uint8_t)(1u << test_rand_below(rng, 8));
            left = test_rand_below(rng, 4) ? test_rand_below(rng, 20) : test_rand_below(rng, 40000);
        }
    }
    return m;
}

static unsigned level(const struct made *m, size_t i, size_t channel)
{
    return m->samples[i * m->unit + channel / 8] >> channel % 8 & 1;
}

/* In pieces of 1 to 30000 samples, packed and stored, added from the last to the first. */
static struct zip_made in_pieces(struct test_rng *rng, const struct made *m)
{
    struct zip_made z = { 0 };
    size_t end[4096], pieces = 0;
    char text[300];

    snprintf(text, sizeof text, HEAD "unitsize=%zu\ntotal probes=%zu\nsamplerate=1 MHz\n", m->unit,
             m->channels);
    zip_text(&z, "metadata", text);
    for (size_t at = 0; at < m->count; pieces++) {
        assert_true(pieces < 4096);
        at += 1 + test_rand_below(rng, 30000);
        end[pieces] = at < m->count ? at : m->count;
    }
    for (size_t i = pieces; i-- > 0;) {
        size_t begin = i ? end[i - 1] : 0;
        snprintf(text, sizeof text, "logic-1-%zu", i + 1);
        zip_add(&z, text, m->samples + begin * m->unit, (end[i] - begin) * m->unit,
                test_rand_below(rng, 2) ? ZIP_STORED : ZIP_DEFLATED);
    }
    zip_text(&z, "version", "2");
    zip_end(&z, 0);
    return z;
}

/* Streams: all samples; all while the last channel is 1; rising edges of channel 0. */
static void bind(struct pc_wave *wave, const struct made *m)
{
    const struct pc_wave_bit last = { m->channels - 1, 0 };
    const struct pc_wave_clock clock[3] = {
        { .edge = PC_EDGE_EVERY },
        { .edge = PC_EDGE_EVERY, .has_iff = true, .iff = last },
        { .edge = PC_EDGE_POS },
    };
    struct pc_wave_bit bit[64];
    struct pc_error err;
    unsigned stream;

    for (size_t i = 0; i < m->channels; i++)
        bit[i] = (struct pc_wave_bit){ i, 0 };
    for (unsigned s = 0; s < 3; s++)
        test_ok(pc_wave_bind(wave, &clock[s], bit, m->channels, &stream, &err), &err);
}

/* The sample that cycle n of a stream sees, and its time, told without the reader. */
struct cursor {
    size_t at; /* sample of the next edge */
};

static bool next_edge(const struct made *m, unsigned stream, struct cursor *c, size_t *sees)
{
    for (; c->at < m->count; c->at++) {
        size_t i = c->at;
        if (stream == 1 && !level(m, i, m->channels - 1))
            continue;
        if (stream == 2 && (i == 0 || level(m, i - 1, 0) || !level(m, i, 0)))
            continue;
        *sees = stream == 2 ? i - 1 : i;
        c->at++;
        return true;
    }
    return false;
}

static void check_blocks(const struct made *m, struct pc_wave *wave)
{
    struct cursor cursor[3] = { { 0 } };
    struct pc_wave_block b;
    struct pc_error err;
    enum pc_status status;
    size_t sees = 0;

    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
        struct cursor *c = &cursor[b.stream];
        for (uint32_t t = 0; t < b.cycles; t++) {
            assert_true(next_edge(m, b.stream, c, &sees));
            for (size_t i = 0; i < m->channels; i++) {
                assert_int_equal(b.value[i][t / 64] >> t % 64 & 1, level(m, sees, i));
                assert_int_equal(b.unknown[i][t / 64] >> t % 64 & 1, 0);
            }
            if (t == 0)
                assert_int_equal(b.first_time, c->at - 1);
        }
        assert_int_equal(b.last_time, c->at - 1);
    }
    test_ok(status == PC_END ? PC_OK : status, &err);
    for (unsigned s = 0; s < 3; s++)
        assert_false(next_edge(m, s, &cursor[s], &sees));
    pc_wave_close(wave);
}

static void check_steps(const struct made *m, struct pc_wave *wave)
{
    struct cursor cursor[3] = { { 0 } };
    struct pc_wave_instant at;
    struct pc_error err;
    enum pc_status status;
    size_t sees = 0;

    while ((status = pc_wave_step(wave, &at, &err)) == PC_OK) {
        assert_true(at.streams != 0);
        for (unsigned s = 0; s < 3; s++) {
            if (!(at.streams >> s & 1))
                continue;
            assert_true(next_edge(m, s, &cursor[s], &sees));
            assert_int_equal(at.time, cursor[s].at - 1);
            for (size_t i = 0; i < m->channels; i++)
                assert_int_equal(at.value[s][i / 64] >> i % 64 & 1, level(m, sees, i));
        }
    }
    test_ok(status == PC_END ? PC_OK : status, &err);
    for (unsigned s = 0; s < 3; s++)
        assert_false(next_edge(m, s, &cursor[s], &sees));
    pc_wave_close(wave);
}

static void check_totals(const struct made *m, struct pc_wave *wave)
{
    struct pc_var_activity activity[64];
    struct pc_wave_totals totals;
    struct pc_error err;
    uint64_t changes = m->channels;

    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    assert_int_equal(totals.time_stamps, m->count);
    assert_int_equal(totals.time_last, m->count - 1);
    for (size_t k = 0; k < m->channels; k++) {
        uint64_t rises = 0, falls = 0;
        for (size_t i = 1; i < m->count; i++) {
            rises += !level(m, i - 1, k) && level(m, i, k);
            falls += level(m, i - 1, k) && !level(m, i, k);
        }
        assert_int_equal(activity[k].rises, rises);
        assert_int_equal(activity[k].falls, falls);
        changes += rises + falls;
    }
    assert_int_equal(totals.changes, changes);
    pc_wave_close(wave);
}

static void random_samples(void **state)
{
    static const size_t units[] = { 1, 2, 3, 5, 8 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(719, &seed);

    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t channels = 8 * units[i] - test_rand_below(&rng, 8);
        struct made m = make_samples(&rng, units[i], channels, 60000);
        for (int way = 0; way < 3; way++) {
            struct zip_made z = in_pieces(&rng, &m);
            struct pc_wave *wave = open_made(&z);
            if (way == 2) {
                check_totals(&m, wave);
                continue;
            }
            bind(wave, &m);
            (way ? check_steps : check_blocks)(&m, wave);
        }
        free(m.samples);
    }
}

/* 200 million samples in 200 KB: stretches cost nothing, and no limit stands in the way. */
static void idle_capture(void **state)
{
    const size_t piece = 20000000;
    uint8_t *samples = calloc(piece, 1);
    struct zip_made z = { 0 };
    struct test_heap heap = { 0 };
    struct pc_alloc alloc = { test_heap_resize, &heap };
    struct pc_wave_desc desc = { .alloc = &alloc, .limits = { .max_ratio = 10 } };
    struct pc_error err = { 0 };
    struct pc_wave_totals totals;
    char name[32];

    (void)state;
    assert_non_null(samples);
    zip_text(&z, "version", "2");
    zip_text(&z, "metadata", HEAD "unitsize=1\ntotal probes=1\nsamplerate=1 GHz\n");
    for (unsigned i = 1; i <= 10; i++) {
        snprintf(name, sizeof name, "logic-1-%u", i);
        samples[piece - 1] = i == 10;
        zip_add(&z, name, samples, piece, ZIP_DEFLATED);
    }
    zip_end(&z, 0);
    assert_true(z.size < 250000);
    struct pc_wave *wave = text_try(z.bytes, z.size, &desc, &err);
    test_ok(err.status, &err);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_stamps, 10 * piece);
    assert_int_equal(totals.changes, 2);
    assert_true(heap.peak < (size_t)1 << 20);
    pc_wave_close(wave);
    assert_int_equal(heap.live, 0);
    free(samples);
    zip_free(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1),    cmocka_unit_test(rates),
        cmocka_unit_test(names),        cmocka_unit_test(name_ends_with_backslash),
        cmocka_unit_test(odd_metadata), cmocka_unit_test(random_samples),
        cmocka_unit_test(idle_capture),
    };

    return cmocka_run_group_tests_name("wave/sigrok", tests, NULL, NULL);
}
