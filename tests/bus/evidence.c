/* SPDX-License-Identifier: MIT */
/* Evidence for clocks and resets: delays after an edge, names, and how much is read. */
#include "test.h"
#include "pcounter/unstable/bus.h"

static void delays(void **state)
{
    struct pc_delays d = { .all = 0 };
    uint64_t delay = 99;

    (void)state;
    assert_int_equal(pc_delays_most(&d, &delay), 0);
    assert_int_equal(delay, 99); /* none is there */
    for (unsigned i = 0; i < 3; i++)
        pc_delays_add(&d, 4, 0);
    pc_delays_add(&d, 5, 0);
    assert_int_equal(pc_delays_most(&d, &delay), 3);
    assert_int_equal(delay, 4);
    assert_int_equal(d.different, 2);
    assert_int_equal(d.all, 4);
    pc_delays_add(&d, 6, 2); /* as long after the edge as 4, in a capture */
    assert_int_equal(pc_delays_most(&d, NULL), 4);
    assert_int_equal(d.different, 2);
    for (unsigned i = 0; i < 3; i++)
        pc_delays_add(&d, 5, 0);
    assert_int_equal(pc_delays_most(&d, &delay), 4);
    assert_int_equal(delay, 4); /* of two that are as frequent the first */
}

/* Verifies that more delays than there is room for count in the sum alone. */
static void many_delays(void **state)
{
    struct pc_delays d = { .all = 0 };

    (void)state;
    for (uint64_t i = 0; i < 2 * PC_DELAYS; i++)
        pc_delays_add(&d, 10 * i, 0);
    assert_int_equal(d.different, PC_DELAYS);
    assert_int_equal(d.all, 2 * PC_DELAYS);
    pc_delays_add(&d, 10, 0);
    assert_int_equal(pc_delays_most(&d, NULL), 2);
}

static void reset_names(void **state)
{
    static const struct {
        const char *path;
        bool is, low;
    } names[] = {
        { "rst", true, false },      { "tb.rst_n", true, true }, { "tb.dut.aresetn", true, true },
        { "tb.reset", true, false }, { "burst", false, false },  { "tb.rst_done", false, false },
        { "clk", false, false },     { "por_b", true, true },    { "rst_n.count", false, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool low = !names[i].low;
        if (pc_bus_is_reset_name(names[i].path, &low) != names[i].is || low != names[i].low)
            fail_msg("%s", names[i].path);
        assert_false(names[i].is && pc_bus_is_clock_name(names[i].path));
    }
}

enum { CLK, DATA, LAST, READY, VALID, SIGNALS };
static const struct pc_bus_signal signals[SIGNALS] = {
    [CLK] = { "t.clk", 1, 0, 0, 0 },       [DATA] = { "t.x_data", 8, 7, 0, 1 },
    [LAST] = { "t.x_last", 1, 0, 0, 2 },   [READY] = { "t.x_ready", 1, 0, 0, 3 },
    [VALID] = { "t.x_valid", 1, 0, 0, 4 },
};

/* Which bits are watched: of payloads two are enough. */
static void watched(void **state)
{
    static const struct pc_bus_bit want[] = { { CLK, 0 },  { DATA, 0 },  { DATA, 1 },
                                              { LAST, 0 }, { READY, 0 }, { VALID, 0 } };
    enum { BITS = sizeof want / sizeof *want };
    struct pc_bus_list *list;
    struct pc_bus_bit bit;
    struct pc_error err;

    (void)state;
    test_ok(pc_bus_find(NULL, signals, SIGNALS, &list, &err), &err);
    for (size_t i = 0; i < BITS; i++) {
        assert_int_equal(pc_bus_list_bit(list, i, &bit), PC_OK);
        assert_int_equal(bit.signal, want[i].signal);
        assert_int_equal(bit.bit, want[i].bit);
    }
    assert_int_equal(pc_bus_list_bit(list, BITS, &bit), PC_END);
    pc_bus_list_destroy(list);
}

/*
 * How much is read: at least 4,096 edges of a clock, and enough is when each handshake has moved 64
 * times. What is not a handshake does not have to move.
 */
static void enough(void **state)
{
    enum { EDGES = 4096, MOVES = 64, CLK_BIT = 0, READY_BIT = 4, VALID_BIT = 5 };
    struct pc_bus_list *list;
    struct pc_error err;
    const uint64_t none = 0;
    unsigned rises = 0, moves = 0;

    (void)state;
    test_ok(pc_bus_find(NULL, signals, SIGNALS, &list, &err), &err);
    for (uint64_t t = 0; moves < MOVES + 2; t++) {
        const unsigned long clk = t % 2, both = moves % 2;
        const uint64_t value = clk << CLK_BIT | both << READY_BIT | both << VALID_BIT;
        enum pc_bus_evidence want = PC_BUS_ENOUGH, got;

        rises += clk == 1;
        if (rises < EDGES)
            want = PC_BUS_TOO_LITTLE;
        else if (moves < MOVES)
            want = PC_BUS_SOME;
        test_ok(pc_bus_watch(list, 5 * t, &value, &none, &got, &err), &err);
        if (got != want)
            fail_msg("after %u edges and %u moves: %d", rises, moves, (int)got);
        moves += rises >= EDGES;
    }
    pc_bus_list_destroy(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays),  cmocka_unit_test(many_delays), cmocka_unit_test(reset_names),
        cmocka_unit_test(watched), cmocka_unit_test(enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
