/* SPDX-License-Identifier: MIT */
/*
 * Sequences of real drivers and tools (nouveau, NVIDIA's, envytools), one script each:
 * all their expectations hold, and so does what their comments say of the other reads.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 16)

static void load_sequence(const char *name, char *text)
{
    char path[1000];

    if (!test_shared(name, path, sizeof path))
        skip();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, TEXT_MAX - 1, file);
    fclose(file);
    assert_in_range(n, 1, TEXT_MAX - 2);
    text[n] = '\0';
}

/* Puts text before the line that begins with `line`. */
static void insert_before(char *text, const char *line, const char *insert)
{
    char *at = strstr(text, line);
    size_t n = strlen(insert);

    assert_non_null(at);
    assert_true(strlen(text) + n < TEXT_MAX);
    memmove(at + n, at, strlen(at) + 1);
    memcpy(at, insert, n);
}

static void run_whole(const char *name, const char *text, uint64_t expectations, struct outcome *o)
{
    run_script(text, o);
    if (o->mismatches > 0)
        fail_msg("%s line %u: %s", name, (unsigned)o->mismatch[0].line, o->mismatch[0].text);
    assert_int_equal(o->result.failed, 0);
    assert_int_equal(o->result.expectations, expectations);
}

/* Runs a sequence whole; every expectation of it must be met. */
static void run_sequence(const char *name, uint64_t expectations, struct outcome *o)
{
    static char text[TEXT_MAX];

    load_sequence(name, text);
    run_whole(name, text, expectations, o);
}

/* Verifies that single mode measures the clock: nvatiming's method (D-11, D-43). */
static void test_nv20_single_clock(void **state)
{
    struct outcome o;

    (void)state;
    run_sequence("sequences/seq-01-nv20-single-clock-measure.txt", 2, &o);
    uint32_t alt = read_value(&o, 2, 0xa608);
    /* The write's own cycle and 1000 more, without those of start, PRE and START. */
    assert_int_equal(alt, 1001 - 3);
    assert_int_equal(read_value(&o, 3, 0xa600), alt);
    assert_int_equal(read_value(&o, 4, 0xa610), alt);
    /* Domain 1 was started one write earlier. */
    assert_int_equal(read_value(&o, 5, 0xa708), alt + 1);
}

/* Verifies that nouveau's sampling finds the newest period though nothing is acked (D-55). */
static void test_g80_nouveau(void **state)
{
    struct outcome o;

    (void)state;
    run_sequence("sequences/seq-02-g80-nouveau-two-counters.txt", 0, &o);
    assert_int_equal(read_value(&o, 0, 0xa704), 0); /* no signal was high */
    /* From trigger to trigger: 1000 cycles and the one of the write. */
    assert_int_equal(read_value(&o, 1, 0xa604), 1001);
    assert_int_equal(read_value(&o, 2, 0xa684), 0);
    assert_int_equal(read_value(&o, 3, 0xa604), 1001);
    assert_int_equal(read_value(&o, 4, 0xa7c4), 0x03000001);
}

/* Verifies that NVIDIA's programming of a texture counter reads back as on the card. */
static void test_g96_nvidia(void **state)
{
    struct outcome o;

    (void)state;
    run_sequence("sequences/seq-03-g96-nvidia-tex-cache-hit.txt", 5, &o);
    assert_int_equal(read_value(&o, 4, 0xa708), 0);
}

/* Verifies that a write of PRE_OP swaps, and when (D-54, D-17a). */
static void test_g84_preop_swap(void **state)
{
    struct outcome o;

    (void)state;
    run_sequence("sequences/seq-04-g84-preop-swap-clock.txt", 3, &o);
    for (uint32_t d = 0; d < 8; d++) {
        /* Between the two writes of domain d: 2(7-d) writes of the others and its own cycle,
         * 1000 cycles, then d writes. */
        uint32_t cycles = 2 * (7 - d) + 1 + 1000 + d;
        assert_int_equal(read_value(&o, d, 0xa600 + 4 * d), cycles);
    }
    assert_int_equal(read_value(&o, 8, 0xa700), read_value(&o, 0, 0xa600));
    assert_int_equal(read_value(&o, 9, 0xa7c0), 0x03000001);
    assert_int_equal(read_value(&o, 12, 0xa7c0), 0x00000001);
}

/* Verifies that accesses are counted as bus transactions, each once (D-34). */
static void test_g80_mmio_events(void **state)
{
    struct outcome o;

    (void)state;
    run_sequence("sequences/seq-07-g80-mmio-event-count.txt", 7, &o);
    assert_int_equal(read_value(&o, 7, 0xa700), 1001);
    assert_int_equal(read_value(&o, 8, 0xa6c0), 201);
    assert_int_equal(read_value(&o, 9, 0xa680), 1202);
    assert_int_equal(read_value(&o, 10, 0xa740), 0);
    assert_in_range(read_value(&o, 6, 0xa600), 1202, 2 * 1202);
    assert_in_range(o.result.reads, 1000, 1100); /* a repeat is counted, not printed */
}

/* 51 times 15, once 13, and zeros: a sum of 0x30a, as counted on the card. */
#define ONES_51 "111111111111111111111111111111111111111111111111111"
static const char l2_traffic[] = "set part0.0 12 1\n"
                                 "set part0.0 27 1\n"
                                 "set part0.0 10 1\n"
                                 "play part0.0 0c " ONES_51 "10\n"
                                 "play part0.0 0d " ONES_51 "00\n"
                                 "play part0.0 0e " ONES_51 "10\n"
                                 "play part0.0 0f " ONES_51 "10\n";

/*
 * Verifies that NVIDIA's L2 query works: EVENT_B4 sums START_SRC where EVENT is 1 while CTR_START
 * counts every cycle (D-38), and the swap comes from slot 2d (D-13).  What went through the
 * card's L2 is not in the trace: without it the sum alone differs.
 */
static void test_gk104_nvidia_l2(void **state)
{
    static const char name[] = "sequences/seq-05-gk104-nvidia-l2-b4.txt";
    static char text[TEXT_MAX];
    struct outcome o;

    (void)state;
    load_sequence(name, text);
    run_script(text, &o);
    assert_int_equal(o.mismatches, 1);
    assert_non_null(strstr(o.mismatch[0].text, "part0.0.CTR_EVENT reads 0x00000000"));
    insert_before(text, "run 6355", l2_traffic);
    run_whole(name, text, 15, &o);
    assert_int_equal(read_value(&o, 11, 0x1a0088), 6355);
    assert_int_equal(read_value(&o, 12, 0x1a0080), 0x30a);
    assert_int_equal(read_value(&o, 14, 0x1a0070), 6355);
}

/*
 * Verifies that nouveau's swaps come from USER_0, of one cycle each (D-32), and that its first
 * pulse is wasted: SWAP_SRC selects a signal that the domain does not have (D-86, D-30).
 */
static void test_gf108_nouveau(void **state)
{
    static const char name[] = "sequences/seq-06-gf108-nouveau-user0-swap.txt";
    static char text[TEXT_MAX];
    struct outcome o;

    (void)state;
    load_sequence(name, text);
    insert_before(text, "# sample",
                  "r 18006c 000000e7\nr 18009c 00040002\nrun 9\nr 18009c 00040002\n");
    strncat(text, "\nr 18009c 03040002\n", 40); /* two swaps, nothing acked: D-55 */
    run_whole(name, text, 5, &o);
    assert_int_equal(read_value(&o, 0, 0x022430), 1);
    assert_int_equal(read_value(&o, 3, 0x022438), 1);
    assert_int_equal(read_value(&o, 10, 0x18008c), 0);
    /* The cycle of the first swap, 1000 cycles, and that of writing SWAP_SRC again. */
    assert_int_equal(read_value(&o, 11, 0x180070), 1002);
}

/* Verifies utilisation as nouveau computes it: not all idle over always (D-76, D-78, D-79, D-81).
 */
static void test_gk20a_dvfs(void **state)
{
    struct outcome o;

    (void)state;
    run_sequence("sequences/seq-08-gk20a-pdaemon-dvfs.txt", 0, &o);
    /* Until `idle` all wires were 0, busy: the cycles of the writes that set the modes count. */
    uint32_t busy = read_value(&o, 0, 0x10a508), total = read_value(&o, 1, 0x10a578);
    assert_int_equal(busy, 30000 + 2);
    assert_int_equal(total, 100000 + 1);
    assert_int_equal(busy * 100 / total, 30);
    assert_int_equal(read_value(&o, 2, 0x10a508), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nv20_single_clock), cmocka_unit_test(test_g80_nouveau),
        cmocka_unit_test(test_g96_nvidia),        cmocka_unit_test(test_g84_preop_swap),
        cmocka_unit_test(test_g80_mmio_events),   cmocka_unit_test(test_gk104_nvidia_l2),
        cmocka_unit_test(test_gf108_nouveau),     cmocka_unit_test(test_gk20a_dvfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
