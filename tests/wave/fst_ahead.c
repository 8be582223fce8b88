/* SPDX-License-Identifier: MIT */
/*
 * Files of several blocks in which little changes: with several threads the next block is loaded
 * while others work on the present one.  All that is read is what was written, and what is wrong
 * with a block is told as one thread tells it.
 */
#include <stdlib.h>
#include <string.h>

#include "fst_direct.h"
#include "fst_make.h"
#include "wave/fst.h"
#include "wave/wave.h"

enum { BLOCKS = 6, MOST = BLOCKS * 140000 };

struct made {
    uint64_t *time;
    uint8_t *level; /* of the signal, behind each index */
    size_t times;
    struct mk file;
};

/* One block of them: the clock changes at every index, the signal at one in `rate`, or never. */
static void add_block(struct made *m, struct test_rng *rng, size_t times, uint32_t rate)
{
    const size_t first = m->times;
    struct mk clock = { 0 }, signal = { 0 };
    uint64_t time = first > 0 ? m->time[first - 1] + 5 : 3;
    size_t last = 0;

    for (size_t i = 0; i < times; i++, m->times++) {
        m->time[m->times] = time;
        time += 1 + test_rand_below(rng, 100);
        mk_number(&clock, (i > 0 ? 4u : 0u) | (m->times & 1) << 1);
        m->level[m->times] = m->times > 0 ? m->level[m->times - 1] : 0;
        if (m->times > 0 && (rate == 0 || test_rand_below(rng, rate) > 0))
            continue;
        m->level[m->times] ^= 1;
        mk_number(&signal, (i - last) << 2 | (uint64_t)m->level[m->times] << 1);
        last = i;
    }
    const struct mk_stream stream[] = {
        { .role = MK_CHAIN, .chain = &clock },
        { .role = signal.used > 0 ? MK_CHAIN : MK_NONE, .chain = &signal },
    };
    const struct mk_changes changes = {
        .type = 8,
        .begin = m->time[first],
        .end = m->time[m->times - 1],
        .packing = '4',
        .frame = "xx",
        .frame_size = 2,
        .frame_streams = 2,
        .stream = stream,
        .streams = 2,
        .time = m->time + first,
        .times = times,
        .pack_times = true,
    };
    mk_changes(&m->file, &changes);
    mk_free(&clock);
    mk_free(&signal);
}

static void make(struct made *m, struct test_rng *rng, size_t least, size_t more)
{
    static const uint32_t rate[] = { 300, 0, 2, 60 }, length[] = { 1, 1 };
    struct mk entries = { 0 };

    *m = (struct made){ .times = 0 };
    m->time = calloc(MOST, sizeof *m->time);
    m->level = calloc(MOST, 1);
    assert_true(m->time && m->level);
    mk_header(&m->file, -9);
    for (unsigned i = 0; i < BLOCKS; i++)
        add_block(m, rng, least + test_rand_below(rng, (uint32_t)more),
                  rate[test_rand_below(rng, sizeof rate / sizeof rate[0])]);
    mk_geometry(&m->file, false, length, 2);
    mk_scope(&entries, "top");
    mk_var(&entries, 16, "clk", 1, 0);
    mk_var(&entries, 16, "s", 1, 0);
    mk_upscope(&entries);
    mk_hierarchy(&m->file, 4, &entries);
    mk_free(&entries);
}

static void free_made(struct made *m)
{
    free(m->time);
    free(m->level);
    mk_free(&m->file);
}

/* How many blocks of samples were handed out while another block of the file was there. */
static unsigned check_blocks(const struct made *m, unsigned threads, uint64_t whole)
{
    const struct pc_wave_desc desc = { .path = fst_temp(&m->file, ""), .threads = threads };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    const struct pc_wave_bit bit = { 1, 0 };
    struct pc_wave_block b;
    struct pc_wave *wave = NULL;
    struct pc_error err;
    uint64_t cycles = 0;
    unsigned stream, ahead = 0;
    enum pc_status status = pc_wave_open(&desc, &wave, &err);

    test_ok(status, &err);
    ((struct fst *)wave->reader)->whole_table = whole;
    test_ok(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err);
    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
        ahead += ((const struct fst *)wave->reader)->is_ahead;
        assert_int_equal(b.first_cycle, cycles);
        cycles += b.cycles;
        assert_true(2 * cycles <= m->times);
        assert_int_equal(b.first_time, m->time[2 * b.first_cycle + 1]);
        assert_int_equal(b.last_time, m->time[2 * cycles - 1]);
        for (uint32_t t = 0; t < b.cycles; t++)
            assert_int_equal(b.value[0][t / 64] >> t % 64 & 1, m->level[2 * (b.first_cycle + t)]);
    }
    test_ok(status == PC_END ? PC_OK : status, &err);
    assert_int_equal(cycles, m->times / 2);
    pc_wave_close(wave);
    return ahead;
}

static void as_written(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7131, &seed);
    unsigned ahead = 0;

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        struct made m;
        make(&m, &rng, i < 6 ? 30000 : 1, i < 6 ? 110000 : 3000);
        assert_int_equal(check_blocks(&m, 1, FST_WHOLE_TABLE), 0);
        for (unsigned threads = 2; threads <= 4; threads++)
            ahead += check_blocks(&m, threads, FST_WHOLE_TABLE);
        assert_int_equal(check_blocks(&m, 3, 0), 0); /* tables in chunks are not */
        free_made(&m);
    }
    assert_true(ahead > 0);
}

/* Any byte of the file. */
static void damage(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7132, &seed);
    struct fst_direct_seen seen;
    unsigned failed = 0;
    struct made m;

    (void)state;
    make(&m, &rng, 20000, 40000);
    for (unsigned i = 0; i < 60; i++) {
        const size_t at = test_rand_below(&rng, (uint32_t)m.file.used);
        const uint8_t bit = (uint8_t)(1u << test_rand_below(&rng, 8));
        m.file.data[at] ^= bit;
        fst_read_both(fst_temp(&m.file, ""), NULL, &seen);
        m.file.data[at] ^= bit;
        failed += seen.status != PC_END;
    }
    assert_true(failed > 20);
    free_made(&m);
}

/* Memory that is refused once, and from then on. */
struct refusal {
    unsigned asked, at;
    bool on;
};

static void *refuse(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct refusal *r = ctx;

    (void)old_size;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    r->asked++;
    if (r->asked == r->at || (r->on && r->asked > r->at))
        return NULL;
    return realloc(p, new_size);
}

static void no_memory(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7133, &seed);
    struct fst_direct_seen truth, seen;
    struct made m;

    (void)state;
    make(&m, &rng, 20000, 40000);
    const char *path = fst_temp(&m.file, "");
    fst_read_direct(path, 1, NULL, &truth);
    for (unsigned at = 1, done = 0; done == 0; at++) {
        for (unsigned on = 0; on < 2; on++) {
            struct refusal r = { .at = at, .on = on };
            const struct pc_alloc alloc = { .resize = refuse, .ctx = &r };
            fst_read_direct(path, 2, &alloc, &seen);
            done += r.asked < at;
            if (seen.status != PC_END)
                assert_int_equal(seen.status, PC_ENOMEM);
            else
                assert_int_equal(seen.hash, truth.hash);
        }
    }
    free_made(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_written),
        cmocka_unit_test(damage),
        cmocka_unit_test(no_memory),
    };

    const int failed = cmocka_run_group_tests_name("wave/fst_ahead", tests, NULL, NULL);

    fst_temp_close();
    return failed;
}
