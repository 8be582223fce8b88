/* SPDX-License-Identifier: MIT */
/*
 * Long time tables with numbers of any length, which are unpacked on the way through them: the
 * blocks of one clock have the cycles, times and values that were written, and damage anywhere in
 * a table is seen alike by any number of threads.
 */
#include "fst_direct.h"
#include "fst_two.h"
#include "wave/fst/fst.h"

/* The file and its chains. */
struct made {
    struct fst_two two;
    struct mk clock, signal;
};

static void make(struct made *made, struct test_rng *rng, size_t times, unsigned bytes)
{
    struct fst_two *m = &made->two;
    uint64_t time = 3, last = 0;

    *made = (struct made){ .two.times = 0 };
    fst_two_open(m, times);
    m->times = times;
    for (size_t i = 0; i < times; i++) {
        m->time[i] = time;
        time += 1 + test_rand_below(rng, 1u << 7 * test_rand_below(rng, bytes));
        mk_number(&made->clock, (i > 0 ? 4u : 0u) | (i & 1) << 1);
        if (i > 0)
            m->level[i] = m->level[i - 1];
        if (i > 0 && test_rand_below(rng, 3) > 0)
            continue;
        m->level[i] ^= 1;
        mk_number(&made->signal, (i - last) << 2 | (uint64_t)m->level[i] << 1);
        last = i;
    }
}

/* claim: bytes that the table says it unpacks to, 0 for the truth. */
static void write_file(struct made *m, bool pack, uint64_t claim)
{
    m->two.file.used = 0;
    mk_header(&m->two.file, -9);
    fst_two_block(&m->two, 0, &m->clock, &m->signal, pack, claim);
    fst_two_end(&m->two);
}

static void free_made(struct made *m)
{
    fst_two_free(&m->two);
    mk_free(&m->clock);
    mk_free(&m->signal);
}

static void long_tables(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7121, &seed);

    (void)state;
    for (unsigned bytes = 1; bytes <= 4; bytes++) {
        struct made m;
        make(&m, &rng, 400000 + test_rand_below(&rng, 300000), bytes);
        for (unsigned pack = 0; pack < 2; pack++) {
            write_file(&m, pack, 0);
            for (unsigned threads = 1; threads <= 3; threads++) {
                fst_two_check(&m.two, threads, 0);
                fst_two_check(&m.two, threads, FST_WHOLE_TABLE);
            }
        }
        free_made(&m);
    }
}

/* Any byte of the table, which is stored with the chains before it and its sizes after it. */
static void damage(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7122, &seed);
    struct fst_direct_seen seen;
    struct made m;
    unsigned failed = 0;

    (void)state;
    make(&m, &rng, 150000, 3);
    for (unsigned i = 0; i < 24; i++) {
        write_file(&m, true, 0);
        const size_t at =
            m.two.file.used / 2 + test_rand_below(&rng, (uint32_t)m.two.file.used / 2);
        m.two.file.data[at] ^= (uint8_t)(1u << test_rand_below(&rng, 8));
        fst_read_both(fst_temp(&m.two.file, ""), NULL, &seen);
        failed += seen.status != PC_END;
    }
    assert_true(failed > 12); /* adler32 and sizes see to that */
    free_made(&m);
}

static void wrong_sizes(void **state)
{
    static const int off[] = { -1, 1, -40000, 40000 };
    uint64_t seed, bytes = 0;
    struct test_rng rng = test_rng_start(7123, &seed);
    struct fst_direct_seen seen;
    struct made m;

    (void)state;
    make(&m, &rng, 200000, 3);
    for (size_t i = 0; i < m.two.times; i++) {
        uint64_t delta = m.two.time[i] - (i ? m.two.time[i - 1] : 0);
        for (; delta > 0; delta >>= 7)
            bytes++;
    }
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        write_file(&m, true, (uint64_t)((int64_t)bytes + off[i]));
        fst_read_both(fst_temp(&m.two.file, ""), NULL, &seen);
        assert_int_equal(seen.status, PC_EINPUT);
        assert_int_equal(seen.err.code, 706);
    }
    free_made(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_tables),
        cmocka_unit_test(damage),
        cmocka_unit_test(wrong_sizes),
    };

    const int failed = cmocka_run_group_tests_name("wave/fst_table", tests, NULL, NULL);

    fst_temp_close();
    return failed;
}
