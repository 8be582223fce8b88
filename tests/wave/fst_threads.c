/* SPDX-License-Identifier: MIT */
/*
 * Files of several blocks in which little changes, read by several threads.  All that is read is
 * what was written, and what is wrong with a block is reported as one thread reports it.
 */
#include <stdlib.h>

#include "fst_direct.h"
#include "fst_two.h"
#include "wave/fst/fst.h"

enum { BLOCKS = 6, MOST = BLOCKS * 140000 };

/* One block of them: the clock changes at every index, the signal at one in `rate`, or never. */
static void add_block(struct fst_two *m, struct test_rng *rng, size_t times, uint32_t rate)
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
    fst_two_block(m, first, &clock, signal.used > 0 ? &signal : NULL, true, 0);
    mk_free(&clock);
    mk_free(&signal);
}

static void make(struct fst_two *m, struct test_rng *rng, size_t least, size_t more)
{
    static const uint32_t rate[] = { 300, 0, 2, 60 };

    fst_two_open(m, MOST);
    for (unsigned i = 0; i < BLOCKS; i++)
        add_block(m, rng, least + test_rand_below(rng, (uint32_t)more),
                  rate[test_rand_below(rng, sizeof rate / sizeof rate[0])]);
    fst_two_end(m);
}

static void as_written(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7131, &seed);

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        struct fst_two m;
        make(&m, &rng, i < 6 ? 30000 : 1, i < 6 ? 110000 : 3000);
        for (unsigned threads = 1; threads <= 4; threads++)
            fst_two_check(&m, threads, FST_WHOLE_TABLE);
        fst_two_check(&m, 3, 0);
        fst_two_free(&m);
    }
}

/* Any byte of the file. */
static void damage(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7132, &seed);
    struct fst_direct_seen seen;
    unsigned failed = 0;
    struct fst_two m;

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
    fst_two_free(&m);
}

static void no_memory(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7133, &seed);
    struct fst_direct_seen truth, seen;
    struct fst_two m;

    (void)state;
    make(&m, &rng, 20000, 40000);
    const char *path = fst_temp(&m.file, "");
    fst_read_direct(path, 1, NULL, &truth);
    for (unsigned at = 1, done = 0; done == 0; at++) {
        for (unsigned on = 0; on < 2; on++) {
            struct test_heap heap = { .fail_at = at, .fail_on = on };
            const struct pc_alloc alloc = { .resize = test_heap_resize, .ctx = &heap };
            fst_read_direct(path, 2, &alloc, &seen);
            assert_int_equal(heap.live, 0);
            done += heap.calls < at;
            if (seen.status != PC_END)
                assert_int_equal(seen.status, PC_ENOMEM);
            else
                assert_int_equal(seen.hash, truth.hash);
        }
    }
    fst_two_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_written),
        cmocka_unit_test(damage),
        cmocka_unit_test(no_memory),
    };

    const int failed = cmocka_run_group_tests_name("wave/fst_threads", tests, NULL, NULL);

    fst_temp_close();
    return failed;
}
