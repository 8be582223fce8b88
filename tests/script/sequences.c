/* SPDX-License-Identifier: MIT */
/*
 * Sequences of real drivers and tools (nouveau, NVIDIA's, envytools), one script each:
 * all their expectations hold, and so does what their comments say of the other reads.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs a sequence whole; every expectation of it must be met. */
static void run_sequence(const char *name, uint64_t expectations, struct outcome *o)
{
    char path[1000];
    static char text[1 << 16];

    if (!test_shared(name, path, sizeof path))
        skip();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_in_range(n, 1, sizeof text - 2);
    text[n] = '\0';
    run_script(text, o);
    if (o->mismatches > 0)
        fail_msg("%s line %u: %s", name, (unsigned)o->mismatch[0].line, o->mismatch[0].text);
    assert_int_equal(o->result.failed, 0);
    assert_int_equal(o->result.expectations, expectations);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nv20_single_clock), cmocka_unit_test(test_g80_nouveau),
        cmocka_unit_test(test_g96_nvidia),        cmocka_unit_test(test_g84_preop_swap),
        cmocka_unit_test(test_g80_mmio_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
