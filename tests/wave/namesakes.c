/* SPDX-License-Identifier: MIT */
/* pc_wave_find: signals of one path, pieces of a vector; hints of other paths; signed numbers. */
#include "texts.h"

#include <string.h>

/* Verifies what is said where no longer path helps. */
static void one_name_twice(void **state)
{
    static const char twice[] =
        "$timescale 1 ns $end $scope module top $end\n"
        "$var wire 1 a x $end $var wire 1 b x $end\n"
        "$var wire 4 c y [3:0] $end $var wire 4 c y [0:3] $end\n"
        "$var wire 2 d z [1:0] $end $var wire 1 e z [1] $end $var wire 1 f z [0] $end\n"
        "$scope module sub $end $var wire 1 g x $end $upscope $end\n"
        "$upscope $end $enddefinitions $end";
    static const char *const rows[][2] = {
        { "top.x",
          "they have one path: write top.x#1 for the one that is declared first, top.x#2 for "
          "the second" },
        { "x", "write more of the path: " },
        { "x#1", "write more of the path: " },
        { "top.y[0]", "top.y#2 for the second; all of their bits are the same" },
        { "z", "write z#1 for" },
    };
    static const struct {
        const char *name;
        uint32_t code, bit; /* of the lowest */
        size_t count;
    } turns[] = {
        { "top.x#1", 0, 0, 1 },    { "top.x#2", 1, 0, 1 }, { "sub.x#1", 6, 0, 1 },
        { "top.y#1[0]", 2, 0, 1 }, { "y#2[0]", 2, 3, 1 },  { "y#2[1:2]", 2, 1, 2 },
        { "z#1", 3, 0, 2 },        { "z#2", 5, 0, 2 },     { "z#2[1]", 4, 0, 1 },
        { "z#1[1]", 3, 1, 1 },
    };
    static const char *const none[] = {
        "top.x#3", "x#0", "#1", "y#2[4]", "y#1[0]#2#1", "z#9999999"
    };
    struct pc_wave *wave = text_open(twice);
    struct pc_error err;
    struct pc_wave_bit bit[4];
    size_t count;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pc_wave_find_bits(wave, rows[i][0], bit, 4, &count, &err), PC_EAMBIG);
        assert_int_equal(err.code, 521);
        if (!strstr(err.hint, rows[i][1]))
            fail_msg("%s: %s", rows[i][0], err.hint);
    }
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        struct pc_wave_var v;
        test_ok(pc_wave_find_bits(wave, turns[i].name, bit, 4, &count, &err), &err);
        assert_int_equal(pc_wave_get_var(wave, bit[0].var, &v), PC_OK);
        if (v.code != turns[i].code || bit[0].bit != turns[i].bit || count != turns[i].count)
            fail_msg("%s: %zu bits, the lowest is %u of %s", turns[i].name, count, bit[0].bit,
                     v.name);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_not_equal(pc_wave_find_bits(wave, none[i], bit, 4, &count, &err), PC_OK);
    assert_int_equal(pc_wave_find_bits(wave, "y", bit, 4, &count, &err), PC_OK);
    assert_int_equal(pc_wave_find_bits(wave, "sub.x", bit, 4, &count, &err), PC_OK);
    pc_wave_close(wave);
}

/* Verifies that pieces of a vector that are declared apart are one. */
static void pieces(void **state)
{
    static const char apart[] =
        "$timescale 1 ns $end $scope module top $end\n"
        "$var wire 4 a bus [7:4] $end $var wire 4 b bus [3:0] $end\n"
        "$var wire 2 c up [0:1] $end $var wire 2 d up [2:3] $end $var wire 1 e up [4:4] $end\n"
        "$var wire 2 f gap [7:6] $end $var wire 2 g gap [1:0] $end\n"
        "$var wire 2 h q [3:2] $end $var wire 1 i q [1] $end $var wire 1 j q [0] $end\n"
        "$var wire 4 a bus [7:4] $end\n"
        "$var wire 2 k both [1:0] $end $var wire 2 l both [0:1] $end\n"
        "$scope module sub $end $var wire 4 m bus [11:8] $end $upscope $end\n"
        "$upscope $end $enddefinitions $end";
    static const struct {
        const char *name, *bits; /* from the left: stream and bit; NULL: an error */
        bool one;                /* it is found as part of one variable */
    } rows[] = {
        { "top.bus[7]", "a3", true },
        { "top.bus[3]", "b3", true },
        { "top.bus[5:2]", "a1a0b3b2", false },
        { "top.bus[6:5]", "a2a1", true },
        { "top.bus", "a3a2a1a0b3b2b1b0", false },
        { "top.bus#2[1]", "b1", true },
        { "sub.bus[8]", "m0", true },
        { "bus[8]", NULL, false },
        { "top.bus[8]", NULL, false },
        { "top.bus[2:5]", NULL, false },
        { "top.bus[2][1]", NULL, false },
        { "up", "c1c0d1d0e0", false },
        { "up[1:2]", "c0d1", false },
        { "up[4]", "e0", true },
        { "gap", NULL, false },
        { "gap[7]", NULL, false },
        { "gap#1[7]", "f1", true },
        { "q[2:1]", "h0i0", false },
        { "q[0]", "j0", true },
        { "q[3:0]", "h1h0i0j0", false },
        { "both[0]", NULL, false },
    };
    struct pc_wave *wave = text_open(apart);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *name = rows[i].name;
        struct pc_wave_bit bit[16];
        struct pc_wave_var v;
        struct pc_error err;
        size_t count, var;
        uint32_t hi, lo;
        const enum pc_status status = pc_wave_find_bits(wave, name, bit, 16, &count, &err);
        if ((status == PC_OK) != (rows[i].bits != NULL))
            fail_msg("%s: %u %s", name, err.code, err.text);
        if ((pc_wave_find(wave, name, &var, &hi, &lo, &err) == PC_OK) != rows[i].one)
            fail_msg("%s: a variable? %u %s", name, err.code, err.text);
        if (status)
            continue;
        assert_int_equal(count, strlen(rows[i].bits) / 2);
        for (size_t b = 0; b < count; b++) {
            const char *want = rows[i].bits + 2 * (count - 1 - b);
            assert_int_equal(pc_wave_get_var(wave, bit[b].var, &v), PC_OK);
            if ((int)v.code != want[0] - 'a' || (int)bit[b].bit != want[1] - '0')
                fail_msg("%s: bit %zu is %u of %s", name, b, bit[b].bit, v.name);
            if (rows[i].one && (bit[b].var != var || bit[b].bit != lo + b || hi + 1 != lo + count))
                fail_msg("%s: bits %u to %u of variable %zu", name, hi, lo, var);
        }
    }
    pc_wave_close(wave);
}

/* Verifies which types are signed numbers, and that only all of their bits are. */
static void signed_types(void **state)
{
    static const char types[] =
        "$timescale 1 ns $end $scope module top $end\n"
        "$var integer 32 a a [31:0] $end $var int 32 b b $end $var shortint 16 c c $end\n"
        "$var longint 64 d d $end $var byte 8 e e $end $var reg 32 f f $end\n"
        "$var integer 1 g g $end $var time 64 h h $end $var wire 32 a w [31:0] $end\n"
        "$upscope $end $enddefinitions $end";
    struct pc_wave *wave = text_open(types);
    struct pc_wave_var v;

    (void)state;
    for (size_t i = 0; pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        assert_int_equal(v.is_signed, i < 5);
        assert_int_equal(pc_wave_is_signed(wave, v.name), i < 5);
        assert_int_equal(pc_wave_is_signed(wave, strrchr(v.name, '.') + 1), i < 5);
    }
    assert_false(pc_wave_is_signed(wave, "a[31:0]"));
    assert_false(pc_wave_is_signed(wave, "b[3]"));
    assert_false(pc_wave_is_signed(wave, "nothing"));
    assert_false(pc_wave_is_signed(wave, NULL));
    assert_false(pc_wave_is_signed(NULL, "a"));
    pc_wave_close(wave);
}

/* Verifies that the last part of a path is enough for a hint. */
static void other_paths(void **state)
{
    static const char deep[] =
        "$timescale 1 ns $end $scope module tb $end $scope module soc $end\n"
        "$scope module core0 $end $var wire 1 a irq $end $upscope $end\n"
        "$scope module core1 $end $var wire 1 b irq $end $var wire 1 b irq $end $upscope $end\n"
        "$upscope $end $scope module uart $end $var wire 1 c irq $end $upscope $end\n"
        "$upscope $end $enddefinitions $end";
    static const char *const rows[][2] = {
        { "chip.cluster.soc.core1.pipeline.irq",
          "tb.soc.core1.irq, tb.soc.core0.irq, tb.uart.irq" },
        { "one.two.three.four.irq[3]", "tb.soc.core0.irq, tb.soc.core1.irq, tb.uart.irq" },
        { "TOP.testbench.uart.irq", "tb.uart.irq" },
    };
    struct pc_wave *wave = text_open(deep);
    struct pc_error err;
    struct pc_wave_bit bit;
    size_t count;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pc_wave_find_bits(wave, rows[i][0], &bit, 1, &count, &err), PC_ENOENT);
        if (strncmp(err.hint, "did you mean: ", 14) != 0 ||
            strncmp(err.hint + 14, rows[i][1], strlen(rows[i][1])) != 0)
            fail_msg("%s: %s", rows[i][0], err.hint);
    }
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_name_twice), cmocka_unit_test(pieces),
                                        cmocka_unit_test(signed_types),
                                        cmocka_unit_test(other_paths) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
