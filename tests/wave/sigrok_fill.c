/* SPDX-License-Identifier: MIT */
/*
 * Blocks of sigrok sessions against the same session instant by instant: samples of any size,
 * probes, clocks, conditions and pieces chosen at random, several streams at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "texts.h"
#include "zip_make.h"

enum { STREAMS_MAX = 4, SIGNALS_MAX = 24 };

struct session {
    uint8_t *samples;
    size_t unit, channels, count;
};

struct choice {
    struct pc_wave_clock clock[STREAMS_MAX];
    struct pc_wave_bit bit[STREAMS_MAX][SIGNALS_MAX];
    size_t signals[STREAMS_MAX];
    unsigned streams;
};

/* Bits that flip with a probability of 1 / pace of the stretch they are in. */
static struct session make_samples(struct test_rng *rng, size_t unit, size_t count)
{
    struct session s = { calloc(count, unit), unit, 8 * unit - test_rand_below(rng, 8), count };
    uint32_t left = 0, pace = 1;

    assert_non_null(s.samples);
    for (size_t i = 1; i < count; i++) {
        if (left-- == 0) {
            left = test_rand_below(rng, 5000);
            pace = 1u << test_rand_below(rng, 12);
        }
        memcpy(s.samples + i * unit, s.samples + (i - 1) * unit, unit);
        if (test_rand_below(rng, pace) == 0)
            for (size_t b = 0; b < unit; b++)
                s.samples[i * unit + b] ^= (uint8_t)(test_rand(rng) & test_rand(rng));
    }
    return s;
}

/* In pieces of any length, packed and stored. */
static struct zip_made pack(struct test_rng *rng, const struct session *s)
{
    struct zip_made z = { 0 };
    char text[300];
    size_t at = 0;

    snprintf(text, sizeof text,
             "[device 1]\ncapturefile=logic-1\nunitsize=%zu\ntotal probes=%zu\n"
             "samplerate=1 MHz\n",
             s->unit, s->channels);
    zip_text(&z, "version", "2");
    zip_text(&z, "metadata", text);
    for (unsigned n = 1; at < s->count; n++) {
        size_t samples = 1 + test_rand_below(rng, test_rand_below(rng, 2) ? 200 : 60000);
        samples = samples < s->count - at ? samples : s->count - at;
        snprintf(text, sizeof text, "logic-1-%u", n);
        zip_add(&z, text, s->samples + at * s->unit, samples * s->unit,
                test_rand_below(rng, 2) ? ZIP_STORED : ZIP_DEFLATED);
        at += samples;
    }
    zip_end(&z, 0);
    return z;
}

static struct pc_wave_bit any_bit(struct test_rng *rng, const struct session *s)
{
    return (struct pc_wave_bit){ test_rand_below(rng, (uint32_t)s->channels), 0 };
}

static struct choice choose(struct test_rng *rng, const struct session *s)
{
    static const enum pc_edge edges[] = { PC_EDGE_EVERY, PC_EDGE_POS, PC_EDGE_NEG };
    struct choice c = { .streams = 1 + test_rand_below(rng, STREAMS_MAX) };

    for (unsigned i = 0; i < c.streams; i++) {
        c.clock[i] = (struct pc_wave_clock){
            .edge = edges[test_rand_below(rng, 3)],
            .clock = any_bit(rng, s),
            .post_edge = test_rand_below(rng, 2),
            .has_iff = test_rand_below(rng, 2),
            .iff = any_bit(rng, s),
            .iff_low = test_rand_below(rng, 2),
            .times = true,
        };
        c.signals[i] = test_rand_below(rng, SIGNALS_MAX + 1);
        for (size_t k = 0; k < c.signals[i]; k++)
            c.bit[i][k] = any_bit(rng, s);
    }
    return c;
}

static struct pc_wave *open_bound(const struct zip_made *z, const struct choice *c,
                                  unsigned threads)
{
    const struct pc_wave_desc desc = { .threads = threads };
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(z->bytes, z->size, &desc, &err);
    unsigned stream;

    test_ok(err.status, &err);
    for (unsigned i = 0; i < c->streams; i++)
        test_ok(pc_wave_bind(wave, &c->clock[i], c->bit[i], c->signals[i], &stream, &err), &err);
    return wave;
}

/* What a stream saw so far: a hash of it all at any number of cycles is asked for by block. */
struct seen {
    uint64_t cycles;
    uint64_t *hash; /* of cycle n: its values and its time */
    uint64_t *time;
};

static uint64_t mix(uint64_t hash, uint64_t x)
{
    return (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static void see_instants(const struct session *s, const struct choice *c, struct pc_wave *wave,
                         struct seen seen[STREAMS_MAX])
{
    struct pc_wave_instant at;
    struct pc_error err;
    enum pc_status status;

    for (unsigned i = 0; i < c->streams; i++) {
        seen[i].hash = calloc(s->count, sizeof *seen[i].hash);
        seen[i].time = calloc(s->count, sizeof *seen[i].time);
        assert_true(seen[i].hash && seen[i].time);
    }
    while ((status = pc_wave_step(wave, &at, &err)) == PC_OK)
        for (unsigned i = 0; i < c->streams; i++) {
            uint64_t hash = 1;
            if (!(at.streams >> i & 1))
                continue;
            assert_true(seen[i].cycles < s->count);
            for (size_t k = 0; k < c->signals[i]; k++) {
                hash = mix(hash, at.value[i][k / 64] >> k % 64 & 1);
                assert_int_equal(at.unknown[i][k / 64] >> k % 64 & 1, 0);
            }
            seen[i].time[seen[i].cycles] = at.time;
            seen[i].hash[seen[i].cycles++] = hash;
        }
    test_ok(status == PC_END ? PC_OK : status, &err);
    pc_wave_close(wave);
}

static void check_block(const struct choice *c, const struct pc_wave_block *b,
                        const struct seen *seen)
{
    for (uint32_t t = 0; t < b->cycles; t++) {
        uint64_t hash = 1;
        for (size_t k = 0; k < c->signals[b->stream]; k++)
            hash = mix(hash, b->value[k][t / 64] >> t % 64 & 1);
        assert_int_equal(hash, seen->hash[b->first_cycle + t]);
    }
    for (size_t k = 0; k < c->signals[b->stream]; k++) {
        for (size_t t = b->cycles; t < (size_t)64 * PC_BLOCK_WORDS; t++)
            assert_int_equal(b->value[k][t / 64] >> t % 64 & 1, 0);
        for (size_t w = 0; w < PC_BLOCK_WORDS; w++)
            assert_int_equal(b->unknown[k][w], 0);
    }
    assert_false(b->any_unknown);
    assert_memory_equal(b->time, seen->time + b->first_cycle, b->cycles * sizeof *b->time);
    assert_int_equal(b->first_time, seen->time[b->first_cycle]);
    assert_int_equal(b->last_time, seen->time[b->first_cycle + b->cycles - 1]);
}

/* Full blocks come in the order in which they end, the last ones in that of the streams. */
static void check_blocks(const struct choice *c, struct pc_wave *wave,
                         const struct seen seen[STREAMS_MAX])
{
    const size_t full = (size_t)64 * PC_BLOCK_WORDS;
    uint64_t cycles[STREAMS_MAX] = { 0 };
    struct pc_wave_block b, last = { .cycles = full };
    struct pc_error err;
    enum pc_status status;

    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
        assert_int_equal(b.first_cycle, cycles[b.stream]);
        assert_true(b.cycles > 0 && b.first_cycle + b.cycles <= seen[b.stream].cycles);
        if (b.cycles == full)
            assert_true(last.cycles == full && b.last_time >= last.last_time);
        else
            assert_true(last.cycles == full || b.stream > last.stream);
        check_block(c, &b, &seen[b.stream]);
        cycles[b.stream] += b.cycles;
        last = b;
    }
    test_ok(status == PC_END ? PC_OK : status, &err);
    assert_int_equal(pc_wave_next(wave, &b, &err), PC_END);
    for (unsigned i = 0; i < c->streams; i++)
        assert_int_equal(cycles[i], seen[i].cycles);
    pc_wave_close(wave);
}

static void one_session(struct test_rng *rng, size_t unit, size_t count, unsigned choices)
{
    struct session s = make_samples(rng, unit, count);
    struct zip_made z = pack(rng, &s);

    for (unsigned i = 0; i < choices; i++) {
        const struct choice c = choose(rng, &s);
        struct seen seen[STREAMS_MAX] = { { 0 } };
        see_instants(&s, &c, open_bound(&z, &c, i), seen);
        for (unsigned threads = 1; threads <= 4; threads++)
            check_blocks(&c, open_bound(&z, &c, threads), seen);
        for (unsigned k = 0; k < c.streams; k++) {
            free(seen[k].hash);
            free(seen[k].time);
        }
    }
    zip_free(&z);
    free(s.samples);
}

/* Units of all kinds: a byte, parts of 8 bytes, more of them, the largest. */
static void blocks_are_instants(void **state)
{
    static const size_t units[] = { 1, 2, 3, 4, 7, 8, 9, 16, 33, 512 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(7190, &seed);

    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        one_session(&rng, units[i], units[i] > 16 ? 3000 : 1 + test_rand_below(&rng, 40000), 3);
    one_session(&rng, 1, 1, 2);
    one_session(&rng, 2, 64, 2);
}

/* More than a block of every sample, and of edges. */
static void several_blocks(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7191, &seed);

    (void)state;
    for (size_t unit = 1; unit <= 2; unit++)
        one_session(&rng, unit, 150000 + test_rand_below(&rng, 200000), 3);
}

/* All of what a session gives, and how it ends. */
struct ending {
    enum pc_status status;
    struct pc_error err;
    uint64_t hash;
};

static struct ending read_all(const struct zip_made *z, unsigned threads)
{
    const struct pc_wave_desc desc = { .threads = threads };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_EVERY };
    const struct pc_wave_bit bit = { 0, 0 };
    struct ending end = { .hash = 1 };
    struct pc_wave *wave = text_try(z->bytes, z->size, &desc, &end.err);
    struct pc_wave_block b;
    unsigned stream;

    end.status = end.err.status;
    if (!wave)
        return end;
    end.status = pc_wave_bind(wave, &clock, &bit, 1, &stream, &end.err);
    while (end.status == PC_OK) {
        end.status = pc_wave_next(wave, &b, &end.err);
        for (size_t w = 0; end.status == PC_OK && w < (b.cycles + (size_t)63) / 64; w++)
            end.hash = mix(end.hash, b.value[0][w]);
    }
    pc_wave_close(wave);
    return end;
}

/* Any bit of the archive is another one: the same blocks, and the same error after them. */
static void damage(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7192, &seed);
    struct session s = make_samples(&rng, 1, 300000);
    unsigned failed = 0;

    (void)state;
    for (unsigned i = 0; i < 40; i++) {
        struct zip_made z = pack(&rng, &s);
        z.bytes[test_rand_below(&rng, (uint32_t)z.size)] ^=
            (uint8_t)(1u << test_rand_below(&rng, 8));
        const struct ending one = read_all(&z, 1), three = read_all(&z, 3);
        assert_int_equal(one.status, three.status);
        assert_int_equal(one.hash, three.hash);
        if (one.status != PC_END) {
            assert_int_equal(one.err.code, three.err.code);
            assert_string_equal(one.err.text, three.err.text);
            failed++;
        }
        zip_free(&z);
    }
    assert_true(failed > 20);
    free(s.samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_instants),
        cmocka_unit_test(several_blocks),
        cmocka_unit_test(damage),
    };

    return cmocka_run_group_tests_name("wave/sigrok_fill", tests, NULL, NULL);
}
