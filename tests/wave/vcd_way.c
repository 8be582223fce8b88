/* SPDX-License-Identifier: MIT */
/* Which pieces of a file are looked at in a map, and which are read (docs/adr/039). */
#include "test.h"

#include "wave/vcd/way.h"

enum { PART = 1000, THREADS = 2, STRETCH = 8 * PART * THREADS };

/* Both ways in the order of the decision, and nothing is timed in front or behind. */
static void trial(void **state)
{
    static const bool maps[VCD_STRETCHES] = { false, false, true, true, false };
    const struct vcd_way way = vcd_way(VCD_WAY_FASTER, PART, THREADS);

    (void)state;
    for (uint64_t n = 0; n < VCD_STRETCHES; n++)
        for (uint64_t at = n * STRETCH; at < (n + 1) * STRETCH; at += PART - 1) {
            assert_int_equal(vcd_way_maps(&way, at), maps[n]);
            assert_int_equal(vcd_way_times(&way, at), n > 0);
        }
    assert_false(vcd_way_times(&way, (uint64_t)VCD_STRETCHES * STRETCH));
    assert_false(vcd_way_times(&way, UINT64_MAX));
}

/* Of each way, the better stretch decides. */
static void faster(void **state)
{
    static const struct {
        uint64_t ns[4]; /* of a part, in the four stretches that are timed */
        bool maps;
    } rows[] = {
        { { 100, 90, 90, 100 }, true },  { { 100, 110, 110, 100 }, false },
        { { 100, 90, 300, 100 }, true }, { { 100, 300, 90, 100 }, true },
        { { 80, 90, 90, 300 }, false },  { { 300, 90, 90, 80 }, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vcd_way way = vcd_way(VCD_WAY_FASTER, PART, THREADS);
        for (uint64_t at = STRETCH; at < (uint64_t)VCD_STRETCHES * STRETCH; at += PART)
            vcd_way_spent(&way, at, PART, rows[i].ns[at / STRETCH - 1]);
        assert_int_equal(vcd_way_maps(&way, (uint64_t)VCD_STRETCHES * STRETCH), rows[i].maps);
        assert_int_equal(vcd_way_maps(&way, UINT64_MAX), rows[i].maps);
    }
}

/* A rank, or a thread that came late, may have had no piece of one way: then it is read. */
static void untried(void **state)
{
    struct vcd_way way = vcd_way(VCD_WAY_FASTER, PART, THREADS);

    (void)state;
    assert_false(vcd_way_maps(&way, UINT64_MAX));
    vcd_way_spent(&way, STRETCH, PART, 1);
    assert_false(vcd_way_maps(&way, UINT64_MAX));
}

static void chosen(void **state)
{
    const struct vcd_way map = vcd_way(VCD_WAY_MAP, PART, 1), read = vcd_way(VCD_WAY_READ, PART, 1);

    (void)state;
    for (uint64_t at = 0; at < 100 * PART; at += PART) {
        assert_true(vcd_way_maps(&map, at));
        assert_false(vcd_way_maps(&read, at));
        assert_false(vcd_way_times(&map, at) || vcd_way_times(&read, at));
    }
}

/* The thread's own time: it passes while it works. */
static void clock_runs(void **state)
{
    const uint64_t before = vcd_way_now();
    volatile unsigned work = 0;

    (void)state;
    while (vcd_way_now() == before && work < 100000000)
        work++;
    assert_true(vcd_way_now() > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trial),  cmocka_unit_test(faster),     cmocka_unit_test(untried),
        cmocka_unit_test(chosen), cmocka_unit_test(clock_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
