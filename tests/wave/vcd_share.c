/* SPDX-License-Identifier: MIT */
/*
 * Ranks that read one VCD together: here in one process, the others first, their messages kept
 * until rank 0 asks.  It sees what one process sees, times of blocks included; a message that is
 * another one's, cut off or changed is an error, and nothing worse.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 100, CYCLES = 30000, RANKS = 4, MESSAGES = 400 };

static char path[64];

/* Vectors that nobody selects, many in a row. */
static void put_run(FILE *f, struct test_rng *rng)
{
    for (unsigned n = test_rand_below(rng, 16); n > 0; n--) {
        fputs("b", f);
        for (unsigned i = 0; i < 16; i++)
            fprintf(f, "%u", test_rand_below(rng, 2));
        fprintf(f, " %c~\n", 'a' + n);
    }
}

/* Random changes, now and then something that only the parser takes. */
static void make_file(void)
{
    struct test_rng rng = test_rng_start(8, NULL);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("$timescale 1 ns $end\n$var wire 1 ! clk $end\n", f);
    for (unsigned s = 0; s < SIGNALS; s++)
        fprintf(f, "$var wire %u %c%c s%u $end\n", s % 10 ? 1 : 8, 'a' + s % 26, 'A' + s / 26, s);
    for (unsigned s = 1; s < 16; s++)
        fprintf(f, "$var wire 16 %c~ bus%u $end\n", 'a' + s, s);
    fputs("$enddefinitions $end\n#0\n0!\n", f);
    for (unsigned t = 1; t < 2 * CYCLES; t++) {
        fprintf(f, "#%u\n%u!\n", 1000000 + 5 * t, t & 1);
        if (test_rand_below(&rng, 3000) == 0)
            fputs("$comment\n#7\n$end\n", f);
        if (t % 4 == 0)
            put_run(f, &rng);
        for (unsigned n = test_rand_below(&rng, 12); n > 0; n--) {
            const unsigned s = test_rand_below(&rng, SIGNALS);
            if (s % 10)
                fprintf(f, "%c", "01x"[test_rand_below(&rng, 40) ? test_rand_below(&rng, 2) : 2]);
            else
                fprintf(f, "b%u%u%u ", test_rand_below(&rng, 2), test_rand_below(&rng, 2), 1u);
            fprintf(f, "%c%c\n", 'a' + s % 26, 'A' + s / 26);
        }
    }
    assert_int_equal(fclose(f), 0);
}

/* --- ranks --- */

struct message {
    void *bytes;
    size_t size;
};

struct post {
    struct message message[RANKS][MESSAGES];
    unsigned sent[RANKS], taken[RANKS];
    unsigned rank, held;
    unsigned fail; /* rank 0: this many are received, then none */
};

static enum pc_status take_in(void *ctx, const void *bytes, size_t size, struct pc_error *err)
{
    struct post *post = ctx;
    struct message *m = &post->message[post->rank][post->sent[post->rank]++];

    (void)err;
    assert_true(post->sent[post->rank] <= MESSAGES);
    m->bytes = malloc(size);
    assert_non_null(m->bytes);
    memcpy(m->bytes, bytes, size);
    m->size = size;
    return PC_OK;
}

static enum pc_status hand_out(void *ctx, unsigned from, const void **bytes, size_t *size,
                               struct pc_error *err)
{
    struct post *post = ctx;

    if (post->fail > 0 && --post->fail == 0) {
        *err = (struct pc_error){ .status = PC_EIO, .code = 903 };
        return PC_EIO;
    }
    assert_true(post->taken[from] < post->sent[from]);
    const struct message *m = &post->message[from][post->taken[from]++];
    void *copy = malloc(m->size > 0 ? m->size : 1);
    assert_non_null(copy);
    memcpy(copy, m->bytes, m->size);
    *bytes = copy;
    *size = m->size;
    post->held++;
    return PC_OK;
}

static void give_back(void *ctx, const void *bytes)
{
    ((struct post *)ctx)->held--;
    free((void *)(uintptr_t)bytes);
}

static bool go_on(void *ctx)
{
    (void)ctx;
    return false;
}

static struct pc_wave *open_as(unsigned rank, unsigned ranks, struct post *post,
                               struct pc_wave_share *share)
{
    *share = (struct pc_wave_share){ rank, ranks, post, take_in, hand_out, give_back, go_on };
    const struct pc_wave_desc desc = { .path = path, .share = ranks > 0 ? share : NULL };
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bit[SIGNALS];
    struct pc_wave *wave;
    struct pc_error err;
    unsigned stream;

    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    for (unsigned s = 0; s < SIGNALS; s++)
        bit[s] = (struct pc_wave_bit){ s + 1, 0 };
    test_ok(pc_wave_bind(wave, &clock, bit, SIGNALS, &stream, &err), &err);
    return wave;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static enum pc_status read_all(struct pc_wave *wave, uint64_t *hash, struct pc_error *err)
{
    struct pc_wave_block b;
    enum pc_status status;

    *hash = 1;
    while ((status = pc_wave_next(wave, &b, err)) == PC_OK) {
        *hash = mix(mix(mix(*hash, b.cycles), b.first_time), b.last_time);
        for (unsigned s = 0; s < SIGNALS; s++)
            for (unsigned w = 0; w < (b.cycles + 63) / 64; w++)
                *hash = mix(mix(*hash, b.value[s][w]), b.unknown[s][w]);
    }
    pc_wave_close(wave);
    return status;
}

static uint64_t alone(void)
{
    struct pc_wave_share share;
    struct pc_error err;
    uint64_t hash;
    struct pc_wave *wave = open_as(0, 0, NULL, &share);

    assert_false(pc_wave_shared(wave));
    assert_int_equal(read_all(wave, &hash, &err), PC_END);
    return hash;
}

/* All ranks but 0. */
static void serve(unsigned ranks, struct post *post)
{
    memset(post, 0, sizeof *post);
    for (post->rank = 1; post->rank < ranks; post->rank++) {
        struct pc_wave_share share;
        struct pc_error err;
        struct pc_wave *wave = open_as(post->rank, ranks, post, &share);
        assert_true(pc_wave_shared(wave));
        test_ok(pc_wave_serve(wave, &err), &err);
        pc_wave_close(wave);
        assert_true(post->sent[post->rank] > 0);
    }
}

static void forget(struct post *post)
{
    for (unsigned r = 0; r < RANKS; r++)
        for (unsigned i = 0; i < post->sent[r]; i++)
            free(post->message[r][i].bytes);
}

static enum pc_status gather(unsigned ranks, struct post *post, uint64_t *hash,
                             struct pc_error *err)
{
    struct pc_wave_share share;
    struct pc_wave *wave = open_as(0, ranks, post, &share);

    memset(post->taken, 0, sizeof post->taken);
    assert_true(pc_wave_shared(wave));
    enum pc_status status = read_all(wave, hash, err);
    assert_int_equal(post->held, 0);
    return status;
}

/* --- tests --- */

static void any_number_of_ranks(void **state)
{
    static struct post post;
    const uint64_t one = alone();
    struct pc_error err;
    uint64_t hash;

    (void)state;
    for (unsigned ranks = 2; ranks <= RANKS; ranks++) {
        serve(ranks, &post);
        assert_int_equal(gather(ranks, &post, &hash, &err), PC_END);
        assert_true(hash == one);
        assert_true(post.taken[1] > 0);
        forget(&post);
    }
}

static void a_rank_fails(void **state)
{
    static struct post post;
    struct pc_error err;
    uint64_t hash;

    (void)state;
    serve(2, &post);
    post.fail = 2;
    assert_int_equal(gather(2, &post, &hash, &err), PC_EIO);
    assert_int_equal(err.code, 903);
    forget(&post);
}

/* Of the third message of rank 1. */
static void broken_messages(void **state)
{
    static struct post post;
    struct test_rng rng = test_rng_start(9, NULL);
    unsigned refused = 0;

    (void)state;
    serve(2, &post);
    struct message *m = &post.message[1][2];
    const struct message whole = *m;
    for (unsigned i = 0; i < 300; i++) {
        struct pc_error err;
        uint64_t hash;
        *m = whole;
        m->bytes = malloc(whole.size);
        assert_non_null(m->bytes);
        memcpy(m->bytes, whole.bytes, whole.size);
        if (i % 3 == 0)
            m->size = test_rand_below(&rng, (uint32_t)whole.size);
        else /* the head, or anything */
            ((uint8_t *)m->bytes)[test_rand_below(&rng, i % 3 == 1 ? 88 : (uint32_t)whole.size)] ^=
                (uint8_t)(1u << test_rand_below(&rng, 8));
        enum pc_status status = gather(2, &post, &hash, &err);
        assert_true(status != PC_OK);
        refused += status != PC_END && err.code == 535;
        free(m->bytes);
    }
    *m = whole;
    post.message[1][2] = post.message[1][1];
    struct pc_error err;
    uint64_t hash;
    assert_int_equal(gather(2, &post, &hash, &err), PC_EINPUT);
    assert_int_equal(err.code, 535);
    assert_true(refused > 100);
    post.message[1][2] = whole;
    forget(&post);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks),
        cmocka_unit_test(a_rank_fails),
        cmocka_unit_test(broken_messages),
    };

    snprintf(path, sizeof path, "./share-%ld.vcd", (long)getpid());
    make_file();
    int failed = cmocka_run_group_tests_name("vcd_share", tests, NULL, NULL);
    remove(path);
    return failed;
}
