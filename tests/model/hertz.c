/* SPDX-License-Identifier: MIT */
/*
 * Clocks in Hz and time in ns: many short times are exactly one long, each clock keeps its
 * frequency, and PTIMER shows the time.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { NS_PER_SECOND = 1000000000, TIME_LOW = 0x9400, TIME_HIGH = 0x9410, FACTOR = 0x9210 };

static struct pc_gpu *open_card(const char *chip)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(chip), .ptimer = true };
    struct pc_gpu *gpu;
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    pc_gpu_latency(gpu, 0, 0);
    return gpu;
}

static void clock_hz(struct pc_gpu *gpu, unsigned domain, uint64_t hz)
{
    struct pc_error err;

    test_ok(pc_gpu_clock_hz(gpu, domain, hz, &err), &err);
}

static void elapse(struct pc_gpu *gpu, uint64_t ns)
{
    struct pc_error err;

    test_ok(pc_gpu_elapse(gpu, ns, &err), &err);
}

static uint64_t cycles(struct pc_gpu *gpu, unsigned domain)
{
    struct pc_gpu_domain_info of;

    pc_gpu_get_domain_info(gpu, domain, &of);
    return pc_unit_cycle(of.unit, of.domain);
}

/* Verifies that all domains of every family have 500 MHz at first, and that CTR_CYCLES counts it.
 */
static void begins_with_500_mhz(void **state)
{
    static const char *const chips[] = { "NV10", "NV40", "G80", "GT215", "GF100", "GK104" };

    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        struct pc_gpu *gpu = open_card(chips[c]);
        elapse(gpu, 12345);
        for (unsigned x = 0; x < pc_gpu_domain_count(gpu); x++)
            assert_int_equal(cycles(gpu, x), 6172); /* 12344 ns; one more for the next half */
        elapse(gpu, 1);
        assert_int_equal(cycles(gpu, 0), 6173);
        pc_gpu_destroy(gpu);
    }
    struct pc_gpu *gpu = open_card("G80");
    pc_gpu_write32(gpu, 0xa7c4, 1);
    for (unsigned i = 0; i < 2; i++) {
        pc_gpu_write32(gpu, 0x400084, 0x20);
        elapse(gpu, 1000);
    }
    assert_int_equal(pc_gpu_read32(gpu, 0xa604), 500);
    pc_gpu_destroy(gpu);
}

/* Verifies that a second has just as many cycles as the frequency says, in whatever pieces it
 * passes, and that a period that a snapshot interrupts is whole. */
static void nothing_is_lost(void **state)
{
    static const uint64_t hz[] = { 27000, 1000003, 405000 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(411, &seed);
    struct pc_gpu *gpu = open_card("G80");
    struct pc_error err;

    (void)state;
    clock_hz(gpu, PC_DOM_EVERY, hz[2]);
    clock_hz(gpu, 0, hz[0]);
    clock_hz(gpu, 1, hz[1]);
    for (uint64_t left = NS_PER_SECOND, ns; left > 0; left -= ns) {
        ns = 1 + test_rand_below(&rng, 3000000);
        ns = ns < left ? ns : left;
        elapse(gpu, ns);
        const size_t size = pc_gpu_state_size(gpu);
        void *saved = malloc(size);
        pc_gpu_save(gpu, saved);
        pc_gpu_destroy(gpu);
        gpu = open_card("G80");
        test_ok(pc_gpu_load(gpu, saved, size, &err), &err);
        free(saved);
    }
    for (unsigned x = 0; x < pc_gpu_domain_count(gpu); x++)
        assert_int_equal(cycles(gpu, x), hz[x < 2 ? x : 2]);
    assert_int_equal(pc_gpu_now_ns(gpu), NS_PER_SECOND);
    pc_gpu_destroy(gpu);
}

/* Verifies that a domain has no edge before its time, and none too few: of unlike clocks, after
 * every ns.  The unit of 300 and 200 kHz is 600 kHz; edges are at multiples of 2 and 3 of it. */
static void edges_come_in_time(void **state)
{
    struct pc_gpu *gpu = open_card("NV34");

    (void)state;
    clock_hz(gpu, PC_DOM_EVERY, 300000);
    clock_hz(gpu, 1, 200000);
    for (uint64_t ns = 1; ns <= 20000; ns++) {
        elapse(gpu, 1);
        const uint64_t instants = ns * 600000 / NS_PER_SECOND;
        assert_int_equal(cycles(gpu, 0), (instants + 1) / 2);
        assert_int_equal(cycles(gpu, 1), (instants + 2) / 3);
    }
    pc_gpu_destroy(gpu);
}

/* Verifies that a change of one clock leaves the frequencies of the others, those of
 * pc_gpu_clock() too, and the time that has passed. */
static void others_keep_their_clock(void **state)
{
    struct pc_gpu *gpu = open_card("GT215");
    struct pc_error err;
    uint32_t total = 0;

    (void)state;
    test_ok(pc_gpu_clock(gpu, 2, 3, 0, &err), &err); /* 500/3 MHz */
    clock_hz(gpu, PC_DOM_PDAEMON, 225000000);
    assert_true(pc_idle_write(pc_gpu_idle(gpu), PC_IDLE_HOST, 0x10a50c, 3));
    elapse(gpu, 3000);
    clock_hz(gpu, 1, 1404000000);
    elapse(gpu, 3000);
    clock_hz(gpu, 1, 675000000);
    elapse(gpu, 4000);
    assert_int_equal(pc_gpu_now_ns(gpu), 10000);
    assert_int_equal(cycles(gpu, 0), 5000);
    assert_int_equal(cycles(gpu, 1), 1500 + 4212 + 2700);
    assert_int_equal(cycles(gpu, 2), 500 + 500 + 667); /* the last of 666 2/3 has its edge */
    assert_true(pc_idle_read(pc_gpu_idle(gpu), PC_IDLE_HOST, 0x10a508, &total));
    assert_int_equal(total, 675 + 675 + 900);
    pc_gpu_destroy(gpu);
}

/* Verifies what is refused, and that nothing has changed then. */
static void refuses(void **state)
{
    static const struct {
        unsigned domain;
        uint64_t hz;
        enum pc_status status;
        unsigned code;
    } cases[] = { { 2, 1000, PC_ENOENT, 407 },
                  { PC_DOM_PDAEMON, 1000, PC_ENOENT, 407 },
                  { 0, 0, PC_EARG, 409 },
                  { PC_DOM_EVERY, 0, PC_EARG, 409 },
                  { 0, UINT64_C(1) << 32, PC_EARG, 409 },
                  { 1, 2147483659, PC_EARG, 409 } }; /* a period of more than 2^32 */
    struct pc_gpu *gpu = open_card("NV34");
    struct pc_error err;

    (void)state;
    clock_hz(gpu, PC_DOM_EVERY, 268435399);
    test_ok(pc_gpu_clock(gpu, 0, 2, 0, &err), &err);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(pc_gpu_clock_hz(gpu, cases[i].domain, cases[i].hz, &err), cases[i].status);
        assert_int_equal(err.code, cases[i].code);
    }
    elapse(gpu, 1000);
    assert_int_equal(cycles(gpu, 1), 268);
    assert_int_equal(cycles(gpu, 0), 134);
    pc_gpu_destroy(gpu);
    gpu = open_card("G80"); /* a unit of less than 2^-60 s */
    clock_hz(gpu, PC_DOM_EVERY, UINT64_C(4294967291));
    assert_int_equal(pc_gpu_clock_hz(gpu, 0, UINT64_C(4294967279), &err), PC_EARG);
    assert_int_equal(err.code, 409);
    assert_int_equal(pc_gpu_elapse(gpu, UINT64_MAX, &err), PC_ELIMIT);
    assert_int_equal(err.code, 418);
    assert_int_equal(cycles(gpu, 1), 0);
    pc_gpu_destroy(gpu);
}

static enum pc_status no_time(void *ctx, int domain, uint64_t count, struct pc_error *err)
{
    (void)ctx;
    (void)domain;
    (void)count;
    (void)err;
    return PC_END;
}

static void not_with_time_from_outside(void **state)
{
    struct pc_gpu *gpu = open_card("NV34");
    struct pc_error err;

    (void)state;
    pc_gpu_external_time(gpu, no_time, NULL);
    assert_int_equal(pc_gpu_elapse(gpu, 1, &err), PC_EARG);
    assert_int_equal(err.code, 419);
    pc_gpu_destroy(gpu);
}

/* ---- PTIMER ---- */

static uint64_t timer(struct pc_gpu *gpu)
{
    const uint64_t high = pc_gpu_read32(gpu, TIME_HIGH);

    return high << 32 | pc_gpu_read32(gpu, TIME_LOW);
}

/* Verifies that it shows ns in steps of 32, goes on from what is written, stands while the factor
 * is 0, and that a change of clocks and a reset do not stop it. */
static void shows_the_time(void **state)
{
    struct pc_gpu *gpu = open_card("GF100");

    (void)state;
    clock_hz(gpu, PC_DOM_EVERY, 1000000000);
    elapse(gpu, 1000);
    assert_int_equal(timer(gpu), 992);
    pc_gpu_write32(gpu, TIME_HIGH, UINT32_MAX);
    pc_gpu_write32(gpu, TIME_LOW, UINT32_MAX);
    assert_int_equal(pc_gpu_read32(gpu, TIME_HIGH), 0x1fffffff);
    assert_int_equal(pc_gpu_read32(gpu, TIME_LOW), 0xffffffe0);
    pc_gpu_write32(gpu, TIME_HIGH, 5);
    pc_gpu_write32(gpu, FACTOR, 0);
    elapse(gpu, 5000);
    assert_int_equal(timer(gpu), UINT64_C(0x5ffffffe0));
    pc_gpu_write32(gpu, FACTOR, 8);
    assert_int_equal(pc_gpu_read32(gpu, FACTOR), 8);
    elapse(gpu, 31);
    assert_int_equal(timer(gpu), UINT64_C(0x5ffffffe0));
    elapse(gpu, 1);
    clock_hz(gpu, 0, 27000000);
    assert_int_equal(timer(gpu), UINT64_C(0x600000000));
    pc_gpu_reset(gpu);
    assert_int_equal(pc_gpu_read32(gpu, FACTOR), 1);
    assert_int_equal(timer(gpu), 0);
    elapse(gpu, 64);
    assert_int_equal(timer(gpu), 64);
    pc_gpu_destroy(gpu);
}

/* Returns for how many cycles a signal was 1, by a quad counter of the first domain. */
static uint32_t count_bit(struct pc_gpu *gpu, unsigned signal, uint64_t ns)
{
    pc_gpu_write32(gpu, 0xa7c0, 1);
    pc_gpu_write32(gpu, 0xa400, signal);
    pc_gpu_write32(gpu, 0xa420, 0xaaaa);
    elapse(gpu, ns);
    pc_gpu_write32(gpu, 0x400084, 0x20);
    elapse(gpu, 1000);
    return pc_gpu_read32(gpu, 0xa700);
}

/* Verifies that bit 12 of its steps of 32 ns is the signal of the documents, also when time was
 * forced with the clock stopped, after what was leapt over, and in a copy. */
static void bit_12_is_a_signal(void **state)
{
    enum { SIGNAL = 0x34, HALF = 1 << 17, STATUS = 0xa800 + 4 * (SIGNAL / 32) };
    struct pc_gpu *gpu = open_card("G92");
    struct pc_error err;

    (void)state;
    clock_hz(gpu, PC_DOM_EVERY, 100000000);
    assert_int_equal(pc_gpu_set(gpu, 0, SIGNAL, true, &err), PC_EARG);
    assert_int_equal(err.code, 408);
    for (unsigned i = 0; i < 9; i++) { /* nobody looks */
        elapse(gpu, 100);
        assert_int_equal(pc_gpu_read32(gpu, STATUS) >> (SIGNAL % 32) & 1, i & 1);
        elapse(gpu, HALF - 100);
    }
    elapse(gpu, UINT64_C(1000) * HALF + 100);
    assert_int_equal(pc_gpu_read32(gpu, STATUS) >> (SIGNAL % 32) & 1, 1);
    elapse(gpu, HALF - 100);
    const uint32_t ones = count_bit(gpu, SIGNAL, UINT64_C(10) * HALF);
    assert_in_range(ones, 5 * HALF / 10 - 8, 5 * HALF / 10 + 8);
    pc_gpu_write32(gpu, FACTOR, 0);
    pc_gpu_write32(gpu, TIME_LOW, HALF);
    assert_in_range(count_bit(gpu, SIGNAL, 10000), 1000 - 8, 1200);
    pc_gpu_write32(gpu, TIME_LOW, 2 * HALF);
    elapse(gpu, 100);
    assert_int_equal(pc_gpu_read32(gpu, STATUS) >> (SIGNAL % 32) & 1, 0);
    pc_gpu_write32(gpu, FACTOR, 1);
    elapse(gpu, HALF - 1000);
    uint8_t *saved = malloc(pc_gpu_state_size(gpu));
    assert_non_null(saved);
    pc_gpu_save(gpu, saved);
    test_ok(pc_gpu_load(gpu, saved, pc_gpu_state_size(gpu), &err), &err);
    free(saved);
    elapse(gpu, 2000);
    assert_int_equal(pc_gpu_read32(gpu, STATUS) >> (SIGNAL % 32) & 1, 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that it is only there if it was asked for. */
static void is_asked_for(void **state)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find("G92") };
    struct pc_gpu *gpu = open_card("G92");
    struct pc_error err;

    (void)state;
    assert_true(pc_gpu_decodes(gpu, TIME_LOW));
    pc_gpu_destroy(gpu);
    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    assert_false(pc_gpu_decodes(gpu, TIME_LOW));
    assert_int_equal(pc_gpu_read32(gpu, FACTOR), 0);
    assert_true(pc_gpu_undecoded(gpu, NULL));
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_500_mhz),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(edges_come_in_time),
        cmocka_unit_test(others_keep_their_clock),
        cmocka_unit_test(refuses),
        cmocka_unit_test(not_with_time_from_outside),
        cmocka_unit_test(shows_the_time),
        cmocka_unit_test(bit_12_is_a_signal),
        cmocka_unit_test(is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
