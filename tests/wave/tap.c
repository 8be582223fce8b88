/* SPDX-License-Identifier: MIT */
/* Streams of taps: changes, rows of several clocks against what went in, what is cut and damaged.
 */
#include "texts.h"

#include <stdlib.h>
#include <string.h>

#include "pcounter/pcounter.h"

enum { ROOM = 1 << 22 };

struct stream {
    uint8_t *byte;
    size_t size;
};

static void put(struct stream *s, const void *bytes, size_t size)
{
    assert_true(s->size + size <= ROOM);
    memcpy(s->byte + s->size, bytes, size);
    s->size += size;
}

static void put_number(struct stream *s, uint64_t number)
{
    do {
        const uint8_t byte = (uint8_t)((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
        put(s, &byte, 1);
        number >>= 7;
    } while (number);
}

static void put_text(struct stream *s, const char *text)
{
    put_number(s, strlen(text));
    put(s, text, strlen(text));
}

static void put_var(struct stream *s, unsigned width, const char *name)
{
    const uint8_t head[] = { 'V', PC_VAR_BITS, width > 1 ? PC_TAP_RANGE : 0 };

    put(s, head, sizeof head);
    put_text(s, "wire");
    put_number(s, width);
    put_number(s, 2 * (width - 1));
    put_number(s, 0);
    put_text(s, name);
}

static struct stream begin(void)
{
    struct stream s = { calloc(ROOM, 1), 0 };

    assert_non_null(s.byte);
    put(&s, PC_TAP_MAGIC, PC_TAP_HEAD);
    put(&s, "H\x0c", 2);
    put_text(&s, "a test");
    put(&s, "S", 1);
    put_text(&s, "top");
    return s;
}

/* --- changes --- */

static struct stream of_changes(void)
{
    struct stream s = begin();

    put_var(&s, 1, "clk");
    put_var(&s, 10, "v");
    put(&s, "U", 1);
    put(&s, "R", 1);
    put(&s,
        "@\0"
        "0\0"
        "q\1"
        "0101xz0101"
        ".",
        17);
    put(&s,
        "@\5"
        "1\0"
        ".",
        5);
    put(&s,
        "@\5"
        "0\0"
        "b\1\xaa\xc0"
        ".",
        9); /* 1010101011 */
    put(&s, "E\3", 2);
    return s;
}

static void changes(void **state)
{
    const struct stream s = of_changes();
    struct pc_wave_totals totals;
    struct pc_wave_instant now;
    struct pc_wave_info info;
    struct pc_error err;
    unsigned stream;

    (void)state;
    struct pc_wave *wave = text_try(s.byte, s.size, NULL, &err);
    assert_non_null(wave);
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.format, PC_WAVE_TAP);
    assert_string_equal(info.version, "a test");
    assert_int_equal(info.timescale_exponent, -12);
    struct pc_wave_bit bits[10];
    size_t count;
    test_ok(pc_wave_find_bits(wave, "top.v", bits, 10, &count, &err), &err);
    assert_int_equal(count, 10);
    const struct pc_wave_clock clock = { .edge = PC_EDGE_EVERY };
    test_ok(pc_wave_bind(wave, &clock, bits, count, &stream, &err), &err);
    static const uint64_t times[] = { 0, 5, 10, 13 };
    static const uint64_t values[] = { 0x145, 0x145, 0x2ab, 0x2ab };
    for (size_t i = 0; i < 4; i++) {
        test_ok(pc_wave_step(wave, &now, &err), &err);
        assert_int_equal(now.time, times[i]);
        assert_int_equal(now.value[0][0], values[i]);
        assert_int_equal(now.unknown[0][0], i < 2 ? 0x030 : 0);
    }
    assert_int_equal(pc_wave_step(wave, &now, &err), PC_END);
    pc_wave_close(wave);
    wave = text_try(s.byte, s.size, NULL, &err);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.time_stamps, 4);
    assert_int_equal(totals.time_last, 13);
    pc_wave_close(wave);
    free(s.byte);
}

/* --- rows --- */

/* What is sent: two clocks, rows of 3 and of 70 bits in any order. */
enum { EDGES = 40000, CLOCKS = 2 };
struct sent {
    uint64_t time[CLOCKS][EDGES];
    uint64_t value[CLOCKS][EDGES][2], unknown[CLOCKS][EDGES][2];
    size_t edges[CLOCKS];
};
static const unsigned widths[CLOCKS] = { 3, 70 };

static void put_row(struct stream *s, struct sent *sent, unsigned clock, struct test_rng *rng)
{
    const size_t words = (widths[clock] + 63) / 64, n = sent->edges[clock];
    const bool unknown = n % 5000 < 30 && test_rand_below(rng, 3) == 0;
    const uint64_t later = test_rand_below(rng, 3);
    uint64_t last = 0;

    for (unsigned c = 0; c < CLOCKS; c++)
        if (sent->edges[c] > 0 && sent->time[c][sent->edges[c] - 1] > last)
            last = sent->time[c][sent->edges[c] - 1];
    put(s, unknown ? "t" : "T", 1);
    put_number(s, clock);
    put_number(s, later);
    for (size_t w = 0; w < words; w++) {
        const uint64_t all =
            w == 0 && words > 1 ? UINT64_MAX : (UINT64_C(1) << widths[clock] % 64) - 1;
        sent->value[clock][n][w] = test_rand(rng) & all;
        sent->unknown[clock][n][w] = unknown ? test_rand(rng) & test_rand(rng) & all : 0;
    }
    for (unsigned part = 0; part < 1u + unknown; part++)
        for (size_t w = 0; w < words; w++) {
            const uint64_t x = part ? sent->unknown[clock][n][w] : sent->value[clock][n][w];
            for (unsigned b = 0; b < 8; b++)
                put(s, &(uint8_t){ (uint8_t)(x >> 8 * b) }, 1);
        }
    sent->time[clock][n] = last + later;
    sent->edges[clock]++;
}

static struct stream of_rows(struct sent *sent, struct test_rng *rng, size_t rows)
{
    struct stream s = begin();

    put_var(&s, 1, "fast");
    put_var(&s, 1, "slow");
    put_var(&s, 1, "a");
    put_var(&s, 2, "b");
    put_var(&s, 67, "wide");
    put(&s, "K\0\0\2\2\3", 6);   /* fast, rising: a, b */
    put(&s, "K\1\1\3\3\4\2", 7); /* slow, falling: b, wide, a */
    put(&s, "R", 1);
    for (size_t i = 0; i < rows; i++)
        put_row(&s, sent, test_rand_below(rng, 5) == 0, rng);
    put(&s, "E\1", 2);
    return s;
}

static bool bit_of(const uint64_t *words, unsigned bit)
{
    return words[bit / 64] >> bit % 64 & 1;
}

/* The planes of a block against the rows, from `*at` on; only those at which bit `iff` is 1. */
static void compare(const struct pc_wave_block *b, const struct sent *sent, unsigned clock,
                    size_t *at, int iff, const unsigned *bit, size_t bits)
{
    for (uint32_t c = 0; c < b->cycles; c++) {
        while (iff >= 0 && (!bit_of(sent->value[clock][*at], (unsigned)iff) ||
                            bit_of(sent->unknown[clock][*at], (unsigned)iff)))
            ++*at;
        assert_true(*at < sent->edges[clock]);
        assert_int_equal(b->time[c], sent->time[clock][*at]);
        for (size_t i = 0; i < bits; i++) {
            const bool x = bit_of(sent->unknown[clock][*at], bit[i]);
            assert_int_equal(bit_of(b->unknown[i], c), x);
            assert_int_equal(bit_of(b->value[i], c), !x && bit_of(sent->value[clock][*at], bit[i]));
        }
        ++*at;
    }
    for (uint32_t c = b->cycles; c < 64 * PC_BLOCK_WORDS; c++)
        assert_false(bits > 0 && (bit_of(b->value[0], c) || bit_of(b->unknown[0], c)));
}

static struct pc_wave_bit bit_named(const struct pc_wave *wave, const char *name, unsigned bit)
{
    return (struct pc_wave_bit){ text_find(wave, name), bit };
}

static void rows(void **state)
{
    struct sent *sent = calloc(1, sizeof *sent);
    uint64_t seed;
    struct test_rng rng = test_rng_start(54, &seed);
    struct pc_wave_block block;
    struct pc_error err;
    enum pc_status status;
    unsigned stream;

    (void)state;
    assert_non_null(sent);
    const struct stream s = of_rows(sent, &rng, EDGES);
    struct pc_wave *wave = text_try(s.byte, s.size, NULL, &err);
    assert_non_null(wave);
    const struct pc_wave_bit fast[] = { bit_named(wave, "top.b", 1), bit_named(wave, "top.a", 0) };
    const struct pc_wave_bit slow[] = { bit_named(wave, "top.wide", 66),
                                        bit_named(wave, "top.b", 0),
                                        bit_named(wave, "top.wide", 0) };
    const struct pc_wave_clock clock[] = {
        { .edge = PC_EDGE_POS, .clock = bit_named(wave, "top.fast", 0), .times = true },
        { .edge = PC_EDGE_NEG, .clock = bit_named(wave, "top.slow", 0), .times = true },
        { .edge = PC_EDGE_POS,
          .clock = bit_named(wave, "top.fast", 0),
          .times = true,
          .has_iff = true,
          .iff = bit_named(wave, "top.a", 0) },
    };
    test_ok(pc_wave_bind(wave, &clock[0], fast, 2, &stream, &err), &err);
    test_ok(pc_wave_bind(wave, &clock[1], slow, 3, &stream, &err), &err);
    test_ok(pc_wave_bind(wave, &clock[2], fast, 1, &stream, &err), &err);
    size_t at[3] = { 0 };
    while ((status = pc_wave_next(wave, &block, &err)) == PC_OK) {
        if (block.stream == 0)
            compare(&block, sent, 0, &at[0], -1, (const unsigned[]){ 2, 0 }, 2);
        else if (block.stream == 1)
            compare(&block, sent, 1, &at[1], -1, (const unsigned[]){ 68, 0, 2 }, 3);
        else
            compare(&block, sent, 0, &at[2], 0, (const unsigned[]){ 2 }, 1);
    }
    assert_int_equal(status, PC_END);
    assert_int_equal(at[0], sent->edges[0]);
    assert_int_equal(at[1], sent->edges[1]);
    assert_int_equal(pc_wave_warning(wave, 0) != NULL, false);
    pc_wave_close(wave);
    free(s.byte);
    free(sent);
}

/* Rows have samples before the edges of their clocks, and nothing else. */
static void not_in_rows(void **state)
{
    struct sent *sent = calloc(1, sizeof *sent);
    uint64_t seed;
    struct test_rng rng = test_rng_start(55, &seed);
    struct pc_wave_totals totals;
    struct pc_error err;
    unsigned stream;

    (void)state;
    assert_non_null(sent);
    const struct stream s = of_rows(sent, &rng, 100);
    struct pc_wave *wave = text_try(s.byte, s.size, NULL, &err);
    assert_non_null(wave);
    const struct pc_wave_bit fast = bit_named(wave, "top.fast", 0);
    const struct pc_wave_bit wide = bit_named(wave, "top.wide", 3);
    const struct pc_wave_clock bad[] = {
        { .edge = PC_EDGE_NEG, .clock = fast },
        { .edge = PC_EDGE_POS, .clock = fast, .post_edge = true },
        { .edge = PC_EDGE_POS, .clock = bit_named(wave, "top.a", 0) },
        { .edge = PC_EDGE_EVERY },
        { .edge = PC_EDGE_POS, .clock = fast, .has_iff = true, .iff = wide },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(pc_wave_bind(wave, &bad[i], NULL, 0, &stream, &err), PC_EUNSUP);
        assert_int_equal(err.code, 792);
    }
    const struct pc_wave_clock good = { .edge = PC_EDGE_POS, .clock = fast };
    assert_int_equal(pc_wave_bind(wave, &good, &wide, 1, &stream, &err), PC_EUNSUP);
    assert_int_equal(pc_wave_scan(wave, &totals, NULL, &err), PC_EUNSUP);
    assert_int_equal(err.code, 792);
    pc_wave_close(wave);
    free(s.byte);
    free(sent);
}

/* --- damage --- */

static void cut_off(void **state)
{
    const struct stream s = of_changes();
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;

    (void)state;
    for (size_t n = 9; n < s.size; n++) {
        struct pc_wave *wave = text_try(s.byte, n, NULL, &err);
        if (!wave) {
            assert_int_equal(err.code, 790);
            continue;
        }
        test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
        pc_wave_get_info(wave, &info);
        assert_true(info.unfinished);
        assert_int_equal(info.warnings, 1);
        pc_wave_close(wave);
    }
    free(s.byte);
}

static void damaged(void **state)
{
    const struct stream s = of_changes();
    struct pc_error err;

    (void)state;
    for (size_t n = 8; n < s.size; n++)
        for (unsigned v = 0; v < 256; v += 5) {
            const uint8_t was = s.byte[n];
            s.byte[n] = (uint8_t)v;
            (void)!text_read_all(s.byte, s.size, NULL, &err);
            s.byte[n] = was;
        }
    s.byte[5] = 2;
    assert_int_equal(text_read_all(s.byte, s.size, NULL, &err), PC_EUNSUP);
    assert_int_equal(err.code, 793);
    free(s.byte);
}

/* What the keeper of a command sends where no simulator has come. */
static void failed(void **state)
{
    struct stream s = { calloc(ROOM, 1), 0 };
    struct pc_error err;

    (void)state;
    assert_non_null(s.byte);
    put(&s, PC_TAP_MAGIC, PC_TAP_HEAD);
    put(&s, "F\1\4nope", 7);
    assert_null(text_try(s.byte, s.size, NULL, &err));
    assert_int_equal(err.code, 791);
    assert_string_equal(err.text, "nope");
    s.byte[PC_TAP_HEAD + 1] = PC_TAP_NOT_STARTED;
    assert_null(text_try(s.byte, s.size, NULL, &err));
    assert_int_equal(err.code, 794);
    free(s.byte);
}

static void memory(void **state)
{
    const struct stream s = of_changes();
    struct text_bytes bytes = { s.byte, s.size };

    (void)state;
    test_refuse_each(text_read_with, &bytes, 8);
    free(s.byte);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes), cmocka_unit_test(rows),    cmocka_unit_test(not_in_rows),
        cmocka_unit_test(cut_off), cmocka_unit_test(damaged), cmocka_unit_test(failed),
        cmocka_unit_test(memory),
    };

    return cmocka_run_group_tests_name("tap", tests, NULL, NULL);
}
