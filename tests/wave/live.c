/* SPDX-License-Identifier: MIT */
/*
 * A pipe whose writer takes its time: what was written whole is handed out before more is waited
 * for, and all blocks together are those of the same text as a file.
 */
#include "texts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More cycles than a block has.  PATIENCE: seconds, after which a reader waits for nothing. */
enum {
    STAMPS = 40000,
    TEXT = STAMPS * 40,
    SIGNALS = 4,
    WORDS = STAMPS / 128 + 2,
    HEAD = 4096,
    PATIENCE = 20
};

struct dump {
    char text[TEXT];
    size_t size;
    size_t group[STAMPS];      /* where each begins */
    uint64_t edges[2][STAMPS]; /* before it: of clk, and of those at which `en` was 1 */
};

static void put(struct dump *d, const char *fmt, ...) PC_PRINTF(2, 3);
static void put(struct dump *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    d->size += (size_t)vsnprintf(d->text + d->size, sizeof d->text - d->size, fmt, args);
    va_end(args);
    assert_true(d->size < sizeof d->text);
}

/* The clock moves in each stamp, with some of the signals; `odd`: some groups are the parser's. */
static void make(struct dump *d, struct test_rng *rng, bool odd)
{
    uint64_t edges = 0, gated = 0;

    put(d, "$comment %*s $end\n", HEAD, "what tells a format is wanted at once");
    put(d, "$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 en en $end\n"
           "$var wire 4 v v [3:0] $end\n$enddefinitions $end\n");
    for (unsigned i = 0, en = 0; i < STAMPS; i++) {
        d->group[i] = d->size;
        d->edges[0][i] = edges;
        d->edges[1][i] = gated;
        edges += i % 2;
        gated += i % 2 && en;
        put(d, "#%u\n%u!\n", 5 * i, i % 2);
        if (i == 0 || test_rand_below(rng, 4) == 0)
            put(d, "b%u%u%ux v\n", test_rand_below(rng, 2), test_rand_below(rng, 2),
                test_rand_below(rng, 2));
        if (i == 0 || test_rand_below(rng, 5) == 0) {
            en = test_rand_below(rng, 2);
            put(d, "%uen\n", en);
        }
        if (odd && test_rand_below(rng, 9) == 0)
            put(d, "$comment # $end\n");
    }
}

/* What a reader saw: planes of values and unknowns, from cycle 0. */
struct seen {
    uint64_t plane[2 * SIGNALS][WORDS];
    uint64_t cycles;
};

static void take(struct seen *s, const struct pc_wave_block *b)
{
    assert_int_equal(b->first_cycle, s->cycles);
    assert_true(b->cycles > 0 && s->cycles + b->cycles <= 64 * WORDS);
    for (uint32_t t = 0; t < b->cycles; t++, s->cycles++)
        for (unsigned i = 0; i < SIGNALS; i++) {
            s->plane[2 * i][s->cycles / 64] |= (b->value[i][t / 64] >> t % 64 & 1)
                                               << s->cycles % 64;
            s->plane[2 * i + 1][s->cycles / 64] |= (b->unknown[i][t / 64] >> t % 64 & 1)
                                                   << s->cycles % 64;
        }
}

static void bind(struct pc_wave *wave, bool gated, unsigned streams)
{
    const struct pc_wave_clock clock = { .clock = { text_find(wave, "clk"), 0 },
                                         .has_iff = gated,
                                         .iff = { text_find(wave, "en"), 0 } };
    const size_t v = text_find(wave, "v");
    const struct pc_wave_bit bits[SIGNALS] = { { v, 0 }, { v, 1 }, { v, 2 }, { v, 3 } };
    struct pc_error err;
    unsigned stream;

    for (unsigned s = 0; s < streams; s++)
        test_ok(pc_wave_bind(wave, &clock, bits, SIGNALS, &stream, &err), &err);
}

/* Blocks until each stream has `cycles`, or all; to wait for what was not written ends the test. */
static void read_until(struct pc_wave *wave, struct seen *seen, unsigned streams, uint64_t cycles)
{
    struct pc_wave_block b;
    struct pc_error err = { 0 };
    enum pc_status status = PC_OK;

    while (seen[0].cycles < cycles || seen[streams - 1].cycles < cycles) {
        alarm(PATIENCE);
        status = pc_wave_next(wave, &b, &err);
        alarm(0);
        if (status == PC_END)
            break;
        test_ok(status, &err);
        take(&seen[b.stream], &b);
    }
}

static void read_file(const struct dump *d, bool gated, struct seen *seen)
{
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(d->text, d->size, NULL, &err);

    test_ok(err.status, &err);
    bind(wave, gated, 1);
    read_until(wave, seen, 1, UINT64_MAX);
    pc_wave_close(wave);
}

static void write_all(int fd, const char *text, size_t size)
{
    assert_int_equal(write(fd, text, size), size);
}

/* Where a piece ends: after the line of stamp g, so that the group before it is known to be whole.
 */
static size_t end_of_piece(const struct dump *d, unsigned g)
{
    return g < STAMPS ? (size_t)(strchr(d->text + d->group[g], '\n') + 1 - d->text) : d->size;
}

/* Each piece is written when all of the one before was handed out; with `gated` as soon as it may
 * be. */
static void trickle(const struct dump *d, struct test_rng *rng, bool gated, unsigned streams)
{
    struct seen *whole = calloc(1, sizeof *whole), *seen = calloc(2, sizeof *seen);
    char path[] = "live-test-XXXXXX";
    const struct pc_wave_desc desc = { .path = path, .live = true };
    struct pc_wave *wave = NULL;
    struct pc_error err = { 0 };
    size_t done = 0;

    assert_true(whole && seen);
    read_file(d, gated, whole);
    close(mkstemp(path));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    const int fd = open(path, O_RDWR | O_CLOEXEC); /* a reader can open it, too, before it is */
    assert_true(fd >= 0);
    for (unsigned g = 0; g < STAMPS;) {
        g += 1 + test_rand_below(rng, wave ? 1u << test_rand_below(rng, 12) : 2);
        g = g < STAMPS ? g : STAMPS;
        write_all(fd, d->text + done, end_of_piece(d, g) - done);
        done = end_of_piece(d, g);
        if (!wave) {
            test_ok(pc_wave_open(&desc, &wave, &err), &err);
            bind(wave, gated, streams);
        }
        if (g == STAMPS)
            break;
        const uint64_t edges = d->edges[gated][g];
        read_until(wave, seen, streams, edges);
        assert_true(seen[0].cycles == edges && seen[streams - 1].cycles == edges);
    }
    close(fd);
    read_until(wave, seen, streams, UINT64_MAX);
    for (unsigned s = 0; s < streams; s++)
        assert_memory_equal(&seen[s], whole, sizeof *whole);
    pc_wave_close(wave);
    unlink(path);
    free(whole);
    free(seen);
}

static void piece_by_piece(void **state)
{
    struct test_rng rng = test_rng_start(2311, NULL);
    struct dump *d = calloc(1, sizeof *d);

    (void)state;
    assert_true(d);
    for (unsigned odd = 0; odd < 2; odd++) {
        d->size = 0;
        make(d, &rng, odd);
        for (unsigned way = 0; way < 4; way++)
            trickle(d, &rng, way & 1, 1 + way / 2);
    }
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(piece_by_piece) };

    return cmocka_run_group_tests_name("wave_live", tests, NULL, NULL);
}
