/* SPDX-License-Identifier: MIT */
/*
 * The one-cycle rules of src/model/rules, exhaustively where that is possible and at their
 * boundaries where it is not: values that no program can reach in reasonable time.
 */
#include "test.h"

#include <string.h>

#include "model/rules/counter.h"
#include "model/rules/flag.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"
#include "model/rules/sync.h"
#include "model/rules/table.h"

/* PC.IN.8: bit #i of the table, for all 65,536 tables and 16 inputs. */
static void lut_is_the_truth_table(void **state)
{
    (void)state;
    for (uint32_t table = 0; table < 0x10000; table++) {
        uint32_t seen = 0;
        for (unsigned i = 0; i < 16; i++)
            seen |= (uint32_t)pc_lut4(table, i & 1, i & 2, i & 4, i & 8) << i;
        assert_int_equal(seen, table);
    }
}

/* PC.IN.3 to 7: which argument each of bits 16-20 replaces, on each generation. */
static void op_bits_replace_their_arguments(void **state)
{
    enum { S = PC_ARG_SRC, L0 = PC_ARG_SRC0_LATE, L1 = PC_ARG_SRC1_LATE, F = PC_ARG_SETFLAG };
    const uint32_t nv10 = PC_F_OWN_FLAG_SRC, nv30 = PC_F_SETFLAG_ARG, g92 = nv30 | PC_F_ARG23_DELAY;
    static const struct {
        unsigned bit;
        bool chained;
        int generation; /* 0 NV10, 1 NV30, 2 G92 */
        uint8_t from[4];
    } rows[] = {
        { 16, false, 0, { L0, S, S, S } }, { 17, false, 0, { S, L1, S, S } },
        { 18, false, 0, { S, S, S, S } },  { 18, true, 0, { S, S, S, S } },
        { 19, true, 0, { S, S, S, S } },   { 20, true, 0, { S, S, S, S } },
        { 16, true, 1, { L0, S, S, S } },  { 17, true, 1, { S, L1, S, S } },
        { 18, true, 1, { S, S, S, F } },   { 18, false, 1, { S, S, S, S } },
        { 19, true, 1, { S, S, S, S } },   { 20, true, 1, { S, S, S, S } },
        { 18, false, 2, { S, S, L0, S } }, { 19, false, 2, { S, S, S, L1 } },
        { 20, false, 2, { S, S, S, S } },  { 18, true, 2, { S, S, S, F } },
        { 19, true, 2, { S, S, L0, S } },  { 20, true, 2, { S, S, S, L1 } },
    };
    const uint32_t features[] = { nv10, nv30, g92 };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct pc_args a =
            pc_op_args(UINT32_C(1) << rows[r].bit, rows[r].chained, features[rows[r].generation]);
        for (unsigned i = 0; i < 4; i++)
            if (a.from[i] != rows[r].from[i])
                fail_msg("row %zu argument %u: %u, expected %u", r, i, a.from[i], rows[r].from[i]);
    }
    /* bit 18 wins over bit 20 */
    struct pc_args both = pc_op_args(UINT32_C(5) << 18, true, g92);
    assert_int_equal(both.from[3], PC_ARG_SETFLAG);
}

/* PC.FLAG: CLRFLAG wins. */
static void flag_priority(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        bool flag = i & 1, set = i & 2, clear = i & 4;
        bool expected = clear ? false : (set || flag);
        assert_int_equal(pc_flag_next(flag, set, clear), expected);
    }
}

/* PC.CTR, D-37: 32-bit counters stop at ffffffff, also when a sum would pass it. */
static void ctr32_saturates(void **state)
{
    (void)state;
    assert_int_equal(pc_ctr32_add(0, 1), 1);
    assert_int_equal(pc_ctr32_add(0xfffffffe, 1), 0xffffffff);
    assert_int_equal(pc_ctr32_add(0xffffffff, 1), 0xffffffff);
    assert_int_equal(pc_ctr32_add(0xffffffff, 0), 0xffffffff);
    assert_int_equal(pc_ctr32_add(0xfffffff0, 15), 0xffffffff);
    assert_int_equal(pc_ctr32_add(0xfffffff0, 63), 0xffffffff);
    assert_false(pc_ctr_lossy(0xfffffffe, 1, false));
    assert_true(pc_ctr_lossy(0xfffffffe, 2, false));
    assert_false(pc_ctr_lossy(0xffffffff, 0, false));
}

/* PC.CTR, D-36: the low 39 bits wrap, bit 39 is sticky. */
static void ctr40_is_sticky(void **state)
{
    const uint64_t top = UINT64_C(1) << 39;

    (void)state;
    assert_true(pc_ctr40_add(UINT64_C(0xffffffffff), 1) == UINT64_C(0x8000000000));
    assert_true(pc_ctr40_add(UINT64_C(0x7fffffffff), 1) == UINT64_C(0x8000000000));
    assert_true(pc_ctr40_add(UINT64_C(0x8000000000), 1) == UINT64_C(0x8000000001));
    assert_true(pc_ctr40_add(UINT64_C(0xffffffff), 1) == UINT64_C(0x100000000));
    assert_true(pc_ctr40_add(UINT64_C(0xfffffffff8), 15) == (top | 7));
    assert_true(pc_ctr40_add(UINT64_C(0x7ffffffff8), 15) == (top | 7));
    assert_true(pc_ctr40_add(5, 0) == 5);
    assert_false(pc_ctr_lossy(UINT64_C(0x7fffffffff), 1, true));
    assert_true(pc_ctr_lossy(UINT64_C(0xffffffffff), 1, true));
}

/* PC.MODE: every mode, every value of the four inputs and the sixteen sources; D-63, D-64. */
static void increments(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1u << 21; i += 3) {
        const struct pc_counted in = { i >> 16 & 1, i >> 17 & 1, i >> 18 & 1, i >> 19 & 1,
                                       i & 0xffff };
        bool gated = i >> 20 & 1;
        uint32_t p = in.src & 15, s = in.src >> 4 & 15, e = in.src >> 8 & 15, t = in.src >> 12;
        uint32_t b6 = s + 16 * (e >> 2 & 1) + 32 * (e >> 3 & 1), b2 = e % 4;
        bool on = !gated || in.start;
        const struct pc_increment expected[] = {
            [PC_CTR_SIMPLE] = { in.event, in.start, in.pre, in.stop, 0 },
            [PC_CTR_EVENT_B4] = { in.event ? s : 0, in.start, in.pre, in.stop, 0 },
            [PC_CTR_EVENT_B6] = { in.event ? b6 : 0, in.start, in.pre, in.stop, 0 },
            [PC_CTR_EXTRA_B4] = { in.event, on ? s : 0, in.pre, in.stop, on ? s : 0 },
            [PC_CTR_EXTRA_B6_EVENT_B2] = { !gated || in.event ? b2 : 0, on ? b6 : 0, in.pre,
                                           in.stop, on ? b6 : 0 },
            [PC_CTR_KEPLER_5] = { in.event ? e + 16 * (s & 3) : 0, 0,
                                  in.pre ? t / 2 + 8 * (p / 2) : 0, 0, 0 },
            [PC_CTR_KEPLER_6] = { in.event, 0, in.pre ? p + 16 * (s & 3) : 0, in.stop, 0 },
            [PC_CTR_KEPLER_7] = { in.start ? e : 0, 0, in.pre, in.stop, 0 },
            [PC_CTR_NONE] = { 0, in.start, in.pre, in.stop, 0 },
        };
        for (unsigned m = 0; m <= PC_CTR_NONE; m++) {
            struct pc_increment got = pc_increment((enum pc_ctr_mode)m, &in, gated);
            if (memcmp(&got, &expected[m], sizeof got) != 0)
                fail_msg("mode %u, inputs %x", m, (unsigned)i);
        }
    }
}

/* PC.PERIODIC: one pulse in X clocks, the first in the X-th, for all eight settings. */
static void periodic_pulses(void **state)
{
    (void)state;
    for (unsigned setting = 0; setting < 8; setting++) {
        uint32_t clocks = setting ? 0x400u << (setting - 1) : 0;
        uint16_t counter = 0;
        for (uint32_t t = 1; t <= 0x20000; t++) {
            bool expected = clocks != 0 && t % clocks == 0;
            assert_int_equal(pc_period_signal(counter, setting, false), expected);
            assert_false(pc_period_signal(counter, setting, true));
            counter = pc_period_next(counter, false);
        }
    }
    assert_int_equal(pc_period_next(77, true), 0);
}

/* PC.SYNC, D-26, D-27: what a destination sees of a source, edge by edge. */
static void synchroniser_delays(void **state)
{
    struct pc_sync s = { { 0 }, { 0 } };
    static const uint8_t level[] = { 1, 0, 0, 1, 1, 0, 0, 0, 0 };
    static const uint8_t seen[] = { 0, 0, 1, 0, 0, 1, 1, 0, 0 };

    (void)state;
    for (unsigned t = 0; t < sizeof level; t++) {
        assert_int_equal(pc_sync_continuous(&s), seen[t]);
        pc_sync_edge(&s, level[t], 0);
    }
    s = (struct pc_sync){ { 0 }, { 0 } };
    static const uint8_t toggle[] = { 1, 1, 1, 1, 0, 0, 0, 0, 0 };
    static const uint8_t pulse[] = { 0, 0, 1, 0, 0, 0, 1, 0, 0 };
    for (unsigned t = 0; t < sizeof toggle; t++) {
        assert_int_equal(pc_sync_pulse(&s), pulse[t]);
        pc_sync_edge(&s, 0, toggle[t]);
    }
}

/* Truth tables, row by row. */
static void tables(void **state)
{
    (void)state;
    for (uint32_t table = 0; table <= UINT16_MAX; table += 7)
        for (unsigned i = 0; i < 4; i++) {
            const unsigned of = pc_table_of(i), low = pc_table_fix((uint16_t)table, i, false),
                           high = pc_table_fix((uint16_t)table, i, true),
                           without = pc_table_without((uint16_t)low, i);
            bool depends = false;
            for (unsigned row = 0; row < 16; row++) {
                const unsigned zero = row & ~(1u << i), one = row | 1u << i;
                const unsigned wider = (row & 7) >> i << (i + 1) | (row & ((1u << i) - 1) & 7);
                depends |= (table >> zero & 1) != (table >> one & 1);
                if ((of >> row & 1) != (row >> i & 1) || (low >> row & 1) != (table >> zero & 1) ||
                    (high >> row & 1) != (table >> one & 1) ||
                    (without >> row & 1) != (table >> wider & 1))
                    fail_msg("table %04x, argument %u, row %u", (unsigned)table, i, row);
            }
            assert_true(pc_table_depends((uint16_t)table, i) == depends);
            assert_false(pc_table_depends((uint16_t)low, i));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lut_is_the_truth_table),
        cmocka_unit_test(op_bits_replace_their_arguments),
        cmocka_unit_test(flag_priority),
        cmocka_unit_test(ctr32_saturates),
        cmocka_unit_test(ctr40_is_sticky),
        cmocka_unit_test(increments),
        cmocka_unit_test(periodic_pulses),
        cmocka_unit_test(synchroniser_delays),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
