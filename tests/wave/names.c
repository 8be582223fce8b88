/* SPDX-License-Identifier: MIT */
/* pc_wave_find: paths, suffixes, bits and slices, and what it says when it finds nothing. */
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "$timescale 1 ns $end $scope module top $end\n"
    "$var wire 1 ! clk $end $var wire 8 a count [7:0] $end $var wire 4 b rise [0:3] $end\n"
    "$var wire 4 c upper [7:4] $end $var wire 3 d below [-1:-3] $end\n"
    "$var wire 1 e r_nxt [0] $end $var wire 1 f r_nxt [1] $end\n"
    "$var wire 8 g mem[2] [7:0] $end $var wire 8 h grid [1:0][3:0] $end\n"
    "$scope module dut $end $var wire 1 ! clk $end $var wire 8 i count [7:0] $end\n"
    "$var wire 1 j \\esc[1].x $end $var wire 1 k two words $end\n"
    "$scope struct commit_instr_i[0] $end $var wire 4 l fu $end $upscope $end\n"
    "$scope struct commit_instr_i[1] $end $var wire 4 m fu $end $upscope $end\n"
    "$upscope $end $scope module bus[3] $end $var wire 1 n ready $end $upscope $end\n"
    "$var wire 2 o bus $end $var real 64 p volts $end $var wire 1 q count[3] $end\n"
    "$upscope $end $enddefinitions $end";

struct found {
    const char *name; /* as asked */
    const char *path; /* of the variable found */
    uint32_t hi, lo;
};

static void check(const struct pc_wave *wave, const struct found *f)
{
    struct pc_wave_var var;
    struct pc_error err = { 0 };
    size_t v = 0;
    uint32_t hi = 99, lo = 99;
    enum pc_status status = pc_wave_find(wave, f->name, &v, &hi, &lo, &err);

    if (status)
        fail_msg("%s: PC-E%04u %s (%s)", f->name, err.code, err.text, err.hint);
    assert_int_equal(pc_wave_get_var(wave, v, &var), PC_OK);
    assert_string_equal(var.name, f->path);
    assert_int_equal(hi, f->hi);
    assert_int_equal(lo, f->lo);
}

static void found(void **state)
{
    static const struct found rows[] = {
        { "top.clk", "top.clk", 0, 0 },
        { "top.dut.clk", "top.dut.clk", 0, 0 },
        { "top.count", "top.count", 7, 0 },
        { "dut.count", "top.dut.count", 7, 0 },
        { "dut.count[3]", "top.dut.count", 3, 3 },
        { "dut.count[6:2]", "top.dut.count", 6, 2 },
        { "dut.count [7:0]", "top.dut.count", 7, 0 },
        { "rise[0]", "top.rise", 3, 3 },
        { "rise[1:3]", "top.rise", 2, 0 },
        { "upper[7]", "top.upper", 3, 3 },
        { "upper[5:4]", "top.upper", 1, 0 },
        { "below[-1]", "top.below", 2, 2 },
        { "below[-2:-3]", "top.below", 1, 0 },
        { "top.r_nxt[0]", "top.r_nxt[0]", 0, 0 },
        { "r_nxt [1]", "top.r_nxt[1]", 0, 0 },
        { "mem[2]", "top.mem[2]", 7, 0 },
        { "top.mem[2][6]", "top.mem[2]", 6, 6 },
        { "mem [2] [7:4]", "top.mem[2]", 7, 4 },
        { "grid[1]", "top.grid", 7, 4 }, /* an element of a packed array */
        { "grid[1:0]", "top.grid", 7, 0 },
        { "grid[0]", "top.grid", 3, 0 },
        { "grid[1][2]", "top.grid", 6, 6 },
        { "top.grid[0][3:1]", "top.grid", 3, 1 },
        { "\\esc[1].x", "top.dut.\\esc[1].x", 0, 0 },
        { "dut.esc[1].x", "top.dut.\\esc[1].x", 0, 0 },
        { "top.dut.two words", "top.dut.two words", 0, 0 },
        { "commit_instr_i[1].fu", "top.dut.commit_instr_i[1].fu", 3, 0 },
        { "top.dut.commit_instr_i[0].fu[1:0]", "top.dut.commit_instr_i[0].fu", 1, 0 },
        { "bus[3].ready", "top.bus[3].ready", 0, 0 },
        { "bus[1]", "top.bus", 1, 1 },
        { "top.count[3]", "top.count[3]", 0, 0 }, /* its own name wins over the slice */
        { "top.count[2]", "top.count", 2, 2 },
        { "volts", "top.volts", 63, 0 },
        { "clk", "top.clk", 0, 0 }, /* two names of one value stream */
    };
    struct pc_wave *wave = text_open(text);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(wave, &rows[i]);
    pc_wave_close(wave);
}

static void not_found(void **state)
{
    static const struct {
        const char *name;
        enum pc_status status;
        unsigned code;
        const char *hint; /* part of it */
    } rows[] = {
        { "cluk", PC_ENOENT, 520, "clk" },
        { "top.dut.cnt", PC_ENOENT, 520, "top.dut.clk" },
        { "/top/dut/clk", PC_ENOENT, 520, "has dots between its parts: top.dut.clk" },
        { "dut/count[1]", PC_ENOENT, 520, "dut.count[1]" },
        { "dut/cnt", PC_ENOENT, 520, NULL },
        { "nothing.like.it.at.all", PC_ENOENT, 520, NULL },
        { "", PC_ENOENT, 520, NULL },
        { ".", PC_ENOENT, 520, NULL },
        { "[3]", PC_ENOENT, 520, NULL },
        { "count[3)", PC_ENOENT, 520, NULL },
        { "count[3", PC_ENOENT, 520, NULL },
        { "ut.count", PC_ENOENT, 520, "dut.count" },       /* not at a dot */
        { "r_nxt", PC_ENOENT, 520, "r_nxt[0], r_nxt[1]" }, /* two variables */
        { "grid[2]", PC_EINPUT, 522, "[1:0]" },
        { "grid[1][4]", PC_EINPUT, 522, "[3:0]" },
        { "grid[1:0][2]", PC_ENOENT, 520, NULL },
        { "grid[1][2][0]", PC_ENOENT, 520, NULL },
        { "r_nxt[2]", PC_ENOENT, 520, "r_nxt[0]" },
        { "count", PC_EAMBIG, 521, "top.count, top.dut.count" },
        { "count[1]", PC_EAMBIG, 521, "top.count, top.dut.count" },
        { "fu", PC_EAMBIG, 521, "commit_instr_i[0].fu" },
        { "dut.count[8]", PC_EINPUT, 522, "[7:0]" },
        { "dut.count[-1]", PC_EINPUT, 522, "[7:0]" },
        { "dut.count[99999999999999999999]", PC_EINPUT, 522, "[7:0]" },
        { "upper[3:0]", PC_EINPUT, 522, "[7:4]" },
        { "rise[4]", PC_EINPUT, 522, "[0:3]" },
        { "clk[1]", PC_EINPUT, 522, "[0:0]" },
        { "dut.count[2:5]", PC_EINPUT, 523, "[5:2]" },
        { "rise[3:1]", PC_EINPUT, 523, "[1:3]" },
        { "dut.count[1:]", PC_ENOENT, 520, NULL },
        { "dut.count[:1]", PC_ENOENT, 520, NULL },
        { "dut.count[a]", PC_ENOENT, 520, NULL },
        { "dut.count[1", PC_ENOENT, 520, NULL },
    };
    struct pc_wave *wave = text_open(text);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_error err = { 0 };
        size_t v = 77;
        uint32_t hi = 77, lo = 77;
        enum pc_status status = pc_wave_find(wave, rows[i].name, &v, &hi, &lo, &err);
        if (status != rows[i].status || err.code != rows[i].code ||
            (rows[i].hint && !strstr(err.hint, rows[i].hint)))
            fail_msg("%s: %s PC-E%04u %s (%s)", rows[i].name, pc_status_name(status), err.code,
                     err.text, err.hint);
        /* results stay untouched */
        assert_true(v == 77 && hi == 77 && lo == 77);
        assert_int_equal(pc_wave_find(wave, rows[i].name, &v, &hi, &lo, NULL), status);
    }
    pc_wave_close(wave);
}

/* A list of matches longer than the error's text is cut, not overrun. */
static void many_matches(void **state)
{
    static char big[200000];
    size_t used = (size_t)snprintf(big, sizeof big, "$timescale 1 ns $end ");
    struct pc_error err;
    size_t v;
    uint32_t hi, lo;

    (void)state;
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(big + used, sizeof big - used,
                                 "$scope module a_longer_name_%d $end $var wire 1 n%d valid $end "
                                 "$upscope $end\n",
                                 i, i);
    snprintf(big + used, sizeof big - used, "$enddefinitions $end");
    struct pc_wave *wave = text_open(big);
    assert_int_equal(pc_wave_find(wave, "valid", &v, &hi, &lo, &err), PC_EAMBIG);
    assert_non_null(strstr(err.text, "1000 signals"));
    assert_non_null(strstr(err.hint, "a_longer_name_0.valid"));
    assert_true(strlen(err.hint) < sizeof err.hint);
    assert_int_equal(pc_wave_find(wave, "valod", &v, &hi, &lo, &err), PC_ENOENT);
    assert_string_equal(err.hint, "did you mean: valid");
    assert_int_equal(pc_wave_find(wave, "a_longer_name_999.valid", &v, &hi, &lo, &err), PC_OK);
    assert_int_equal(v, 999);
    pc_wave_close(wave);
}

static const char strange[] =
    "$timescale 1 ns $end $scope module top $end\n"
    /* without the backslash that they have in the source, as Verilator writes them */
    "$var wire 4 ! a[7:4] [3:0] $end $var wire 1 \" s[7:4] $end\n"
    "$var wire 16 # packed [1:0][7:0] $end $var wire 8 $ one [0:0][7:0] $end\n"
    /* VHDL's, with a range after it */
    "$var reg 8 % \\v.w[3]\\[0:7] $end $var reg 4 & \\q x\\[3:0] $end $var reg 1 ' \\x y\\ $end\n"
    /* the same letters */
    "$scope module m $end $var wire 1 ( n $end $upscope $end $var wire 1 ) \\m.n $end\n"
    "$scope module M $end $var wire 1 * n $end $upscope $end\n"
    /* one value stream under bounds that differ */
    "$var wire 8 + bus [7:0] $end $scope module u $end $var wire 8 + bus [0:7] $end $upscope $end\n"
    /* a whole vector here, one bit of it there */
    "$var reg 4 , word [3:0] $end\n"
    "$scope module w $end $var wire 1 - word [2] $end $upscope $end\n"
    "$var wire 0 . nothing $end\n"
    "$upscope $end $enddefinitions $end";

static void strange_names(void **state)
{
    static const struct found rows[] = {
        { "\\a[7:4]", "top.a[7:4]", 3, 0 },
        { "a[7:4][1]", "top.a[7:4]", 1, 1 },
        { "\\s[7:4]", "top.s[7:4]", 0, 0 },
        { "packed[1]", "top.packed", 15, 8 },
        { "one[0]", "top.one", 7, 0 },
        { "one[0][7]", "top.one", 7, 7 },
        { "\\v.w[3]\\ [0]", "top.\\v.w[3]\\", 7, 7 },
        { "\\qx\\ [2:1]", "top.\\q x\\", 2, 1 },
        { "\\xy\\ ", "top.\\x y\\", 0, 0 },
        { "top.m.n", "top.m.n", 0, 0 },
        { "top.\\m.n ", "top.\\m.n", 0, 0 },
        { "M.n", "top.M.n", 0, 0 },
        { "bus", "top.bus", 7, 0 },
        { "top.bus[0]", "top.bus", 0, 0 },
        { "u.bus[0]", "top.u.bus", 7, 7 },
        { "top.word[2]", "top.word", 2, 2 },
        { "w.word[2]", "top.w.word[2]", 0, 0 },
        { "nothing", "top.nothing", 0, 0 },
    };
    static const char *const unclear[] = { "m.n", "bus[0]", "bus[3:0]", "word[2]" };
    struct pc_wave *wave = text_open(strange);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(wave, &rows[i]);
    for (size_t i = 0; i < sizeof unclear / sizeof unclear[0]; i++) {
        struct pc_error err;
        size_t v;
        uint32_t hi, lo;
        if (pc_wave_find(wave, unclear[i], &v, &hi, &lo, &err) != PC_EAMBIG)
            fail_msg("%s is no question", unclear[i]);
        assert_non_null(strstr(err.hint, ", "));
    }
    pc_wave_close(wave);
}

/* Bits that are variables, as the file autocoalesce.vcd of GTKWave has them and more. */
static const char bits_text[] =
    "$timescale 1 ns $end\n"
    "$var wire 1 a v [0] $end $var wire 1 b v [1] $end $var wire 1 c v [2] $end\n"
    "$var wire 1 c w [2] $end $var wire 1 b w [1] $end $var wire 1 a w [0] $end\n"
    "$var wire 1 a \\x[0] $end $var wire 1 b \\x[1] $end\n"
    "$var wire 1 a \\y[0] [1] $end $var wire 1 b \\y[0] [0] $end\n"
    "$scope module mod $end\n"
    "$var wire 1 a v [0] $end $var wire 1 b v [1] $end $var wire 1 c v [2] $end\n"
    "$var wire 1 d neg[-1] $end $var wire 1 e neg[-2] $end $var wire 1 f neg[-3] $end\n"
    "$var wire 1 g gap [3] $end $var wire 1 h gap [1] $end\n"
    "$var wire 1 i turn [0] $end $var wire 1 j turn [1] $end $var wire 1 k turn [0] $end\n"
    "$var wire 1 l lone [5] $end $var wire 8 m mem[0] [7:0] $end $var wire 8 n mem[1] [7:0] $end\n"
    "$var wire 4 o part [3:0] $end\n"
    "$scope module a $end $var wire 1 p part [1] $end $var wire 1 q part [0] $end $upscope $end\n"
    "$scope module b $end $var wire 1 r part [1] $end $var wire 1 q part [0] $end $upscope $end\n"
    "$scope module c $end $var wire 1 p other [1] $end $var wire 1 q other [0] $end $upscope $end\n"
    "$scope module d $end $var wire 1 p other [1] $end $var wire 1 q other [0] $end $upscope $end\n"
    "$upscope $end $enddefinitions $end";

/* codes: identifiers of the bits, from the left; NULL: none of that name, "?": several */
static void check_bits(const struct pc_wave *wave, const char *name, const char *codes)
{
    struct pc_wave_bit bit[16];
    struct pc_wave_var var;
    struct pc_error err = { 0 };
    size_t count = 99;
    enum pc_status status = pc_wave_find_bits(wave, name, bit, 16, &count, &err);

    if (!codes || codes[0] == '?') {
        if (status != (codes ? PC_EAMBIG : PC_ENOENT) || count != 99)
            fail_msg("%s: %s, PC-E%04u %s (%s)", name, pc_status_name(status), err.code, err.text,
                     err.hint);
        return;
    }
    if (status || count != strlen(codes))
        fail_msg("%s: %zu bits; PC-E%04u %s (%s)", name, count, err.code, err.text, err.hint);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pc_wave_get_var(wave, bit[count - 1 - i].var, &var), PC_OK);
        assert_int_equal(bit[count - 1 - i].bit, 0);
        assert_int_equal(var.code, codes[i] - 'a'); /* declared in this order */
    }
    assert_int_equal(pc_wave_find_bits(wave, name, bit, 0, &count, NULL), PC_OK);
    assert_int_equal(count, strlen(codes));
}

static void bits_one_by_one(void **state)
{
    static const char *const rows[][2] = {
        { "v", "abc" },          { "mod.v", "abc" },     { "v[0]", "a" },
        { "v[0:1]", "ab" },      { "v[1:2]", "bc" },     { "mod.v[2:2]", "c" },
        { "w", "cba" },          { "w[1:0]", "ba" },     { "x", NULL },
        { "\\x[1] ", "b" },      { "y[0]", "ab" },       { "\\y[0] [1:0]", "ab" },
        { "neg", "def" },        { "neg[-2:-3]", "ef" }, { "neg[-3]", "f" },
        { "gap", NULL },         { "gap[3]", "g" },      { "gap[3:1]", NULL },
        { "turn", NULL },        { "lone", NULL },       { "lone[5]", "l" },
        { "mem", NULL },         { "a.part", "pq" },     { "part", "?" },
        { "part[1]", "?" },      { "part[1:0]", "?" },   { "mod.a.part[1:0]", "pq" },
        { "b.part", "rq" },      { "a.part[1]", "p" },   { "other", "pq" },
        { "c.other[1:1]", "p" }, { "other[1:0]", "pq" }, { "other[1]", "p" },
        { "lone[5][0]", "l" },
    };
    struct pc_wave *wave = text_open(bits_text);
    struct pc_error err;
    struct pc_wave_bit bit;
    size_t count, v;
    uint32_t hi, lo;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_bits(wave, rows[i][0], rows[i][1]);
    assert_int_equal(pc_wave_find(wave, "w", &v, &hi, &lo, &err), PC_ENOENT); /* no variable */
    assert_int_equal(pc_wave_find_bits(wave, "w[0:1]", &bit, 1, &count, &err), PC_EINPUT);
    assert_int_equal(err.code, 523);
    assert_non_null(strstr(err.hint, "[2:0]"));
    assert_int_equal(pc_wave_find_bits(wave, "othr", &bit, 1, &count, &err), PC_ENOENT);
    assert_string_equal(err.hint, "did you mean: other");
    assert_int_equal(pc_wave_find(wave, "othr[0]", &v, &hi, &lo, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "other[0]"));
    assert_int_equal(pc_wave_find_bits(wave, "othr[0]", &bit, 1, &count, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "other[0]"));
    assert_int_equal(pc_wave_find(wave, "othr", &v, &hi, &lo, &err), PC_ENOENT);
    assert_string_equal(err.hint, ""); /* it finds no vectors */
    assert_int_equal(pc_wave_find_bits(wave, "w[3]", &bit, 1, &count, &err), PC_EINPUT);
    assert_int_equal(err.code, 522);
    assert_int_equal(pc_wave_find_bits(wave, "mem[1]", &bit, 1, &count, &err), PC_OK);
    assert_int_equal(count, 8);
    assert_int_equal(bit.bit, 0);
    assert_int_equal(pc_wave_find_bits(wave, "w", NULL, 1, &count, &err), PC_EARG);
    assert_int_equal(pc_wave_find_bits(wave, "w", &bit, 1, NULL, &err), PC_EARG);
    pc_wave_close(wave);
    wave = text_open(strange);
    assert_int_equal(pc_wave_find_bits(wave, "nothing", NULL, 0, &count, &err), PC_OK);
    assert_int_equal(count, 0);
    pc_wave_close(wave);
    wave = text_open("D[0],D[1],D[2]\n0,1,1\n1,0,0\n"); /* channels of a capture */
    assert_int_equal(pc_wave_find_bits(wave, "D", &bit, 1, &count, &err), PC_ENOENT);
    assert_int_equal(pc_wave_find_bits(wave, "D[1]", &bit, 1, &count, &err), PC_OK);
    assert_int_equal(bit.var, 1);
    pc_wave_close(wave);
}

/* Verifies that a vector may be there again, as an alias or not, and that parts of one may not. */
static void bits_again(void **state)
{
    static const char again[] =
        "$timescale 1 ns $end\n"
        "$var wire 1 a v [2] $end $var wire 1 b v [1] $end $var wire 1 c v [0] $end\n"
        "$var wire 1 a v [2] $end $var wire 1 b v [1] $end $var wire 1 c v [0] $end\n"
        "$var wire 1 a v [2] $end $var wire 1 b v [1] $end $var wire 1 c v [0] $end\n"
        "$var wire 1 d w [0] $end $var wire 1 e w [1] $end\n"
        "$var wire 1 f w [0] $end $var wire 1 e w [1] $end\n"
        "$var wire 1 a part [1] $end $var wire 1 b part [0] $end $var wire 1 a part [1] $end\n"
        "$var wire 1 a back [1] $end $var wire 1 b back [0] $end\n"
        "$var wire 1 b back [0] $end $var wire 1 a back [1] $end\n"
        "$var wire 1 a hole [2] $end $var wire 1 b hole [0] $end\n"
        "$var wire 1 a hole [2] $end $var wire 1 b hole [0] $end\n"
        "$var wire 1 a longer [1] $end $var wire 1 b longer [0] $end\n"
        "$var wire 1 a longer [1] $end $var wire 1 b longer [0] $end $var wire 1 c longer[-1] "
        "$end\n"
        "$var wire 1 a same [0] $end $var wire 1 a same [0] $end\n"
        "$enddefinitions $end";
    static const char *const rows[][2] = {
        { "v", "abc" },     { "v[1:0]", "bc" }, { "v[2]", "a" },    { "w", "?" },
        { "w[0]", "?" },    { "w[1]", "e" },    { "w[0:1]", "?" },  { "part", NULL },
        { "part[1]", "a" }, { "back", NULL },   { "hole", NULL },   { "hole[0]", "b" },
        { "longer", NULL }, { "same", NULL },   { "same[0]", "a" }, { "part[1:0]", NULL },
    };
    struct pc_wave *wave = text_open(again);
    struct pc_wave_var v;
    size_t first;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_bits(wave, rows[i][0], rows[i][1]);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(pc_wave_get_vector(wave, i, &v, &first), PC_OK);
        assert_string_equal(v.name, i < 3 ? "v" : "w");
        assert_string_equal(v.range, i < 3 ? "[2:0]" : "[0:1]");
        assert_int_equal(first, i < 3 ? 3 * i : 9 + 2 * (i - 3));
    }
    assert_int_equal(pc_wave_get_vector(wave, 5, &v, &first), PC_END);
    pc_wave_close(wave);
}

/* Those vectors one by one, each as if it were declared whole. */
static void vectors_in_order(void **state)
{
    static const struct {
        const char *name, *range, *leftmost;
        int32_t msb, lsb;
    } rows[] = {
        { "v", "[0:2]", "v[0]", 0, 2 },
        { "w", "[2:0]", "w[2]", 2, 0 },
        { "\\y[0]", "[1:0]", "\\y[0][1]", 1, 0 },
        { "mod.v", "[0:2]", "mod.v[0]", 0, 2 },
        { "mod.neg", "[-1:-3]", "mod.neg[-1]", -1, -3 },
        { "mod.a.part", "[1:0]", "mod.a.part[1]", 1, 0 },
        { "mod.b.part", "[1:0]", "mod.b.part[1]", 1, 0 },
        { "mod.c.other", "[1:0]", "mod.c.other[1]", 1, 0 },
        { "mod.d.other", "[1:0]", "mod.d.other[1]", 1, 0 },
    };
    const size_t count = sizeof rows / sizeof rows[0];
    struct pc_wave *wave = text_open(bits_text);
    struct pc_wave_var v, left;
    size_t first = 99, before = 0;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pc_wave_get_vector(wave, i, &v, &first), PC_OK);
        assert_string_equal(v.name, rows[i].name);
        assert_string_equal(v.range, rows[i].range);
        assert_string_equal(v.type, "wire");
        assert_int_equal(v.kind, PC_VAR_BITS);
        assert_int_equal(v.msb, rows[i].msb);
        assert_int_equal(v.lsb, rows[i].lsb);
        assert_int_equal(v.width, abs(rows[i].msb - rows[i].lsb) + 1);
        assert_int_equal(pc_wave_get_var(wave, first, &left), PC_OK);
        assert_string_equal(left.name, rows[i].leftmost);
        assert_int_equal(left.code, v.code);
        assert_true(i == 0 || first > before);
        before = first;
    }
    assert_int_equal(pc_wave_get_vector(wave, count, &v, &first), PC_END);
    assert_int_equal(pc_wave_get_vector(wave, 0, NULL, &first), PC_EARG);
    assert_int_equal(pc_wave_get_vector(wave, 0, &v, NULL), PC_EARG);
    assert_int_equal(pc_wave_get_vector(NULL, 0, &v, &first), PC_EARG);
    pc_wave_close(wave);
    wave = text_open("D[0],D[1],D[2]\n0,1,1\n1,0,0\n");
    assert_int_equal(pc_wave_get_vector(wave, 0, &v, &first), PC_END);
    pc_wave_close(wave);
}

static void wrong_calls(void **state)
{
    struct pc_wave *wave = text_open(text);
    struct pc_wave_var var;
    struct pc_error err;
    size_t v;
    uint32_t hi, lo;

    (void)state;
    assert_int_equal(pc_wave_find(NULL, "clk", &v, &hi, &lo, &err), PC_EARG);
    assert_int_equal(pc_wave_find(wave, NULL, &v, &hi, &lo, &err), PC_EARG);
    assert_int_equal(pc_wave_find(wave, "clk", NULL, &hi, &lo, &err), PC_EARG);
    assert_int_equal(pc_wave_get_var(wave, 1000, &var), PC_END);
    assert_null(pc_wave_warning(wave, 1000));
    pc_wave_close(wave);
    pc_wave_close(NULL);
    assert_int_equal(pc_wave_open(NULL, &wave, &err), PC_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found),           cmocka_unit_test(not_found),
        cmocka_unit_test(many_matches),    cmocka_unit_test(strange_names),
        cmocka_unit_test(bits_one_by_one), cmocka_unit_test(vectors_in_order),
        cmocka_unit_test(bits_again),      cmocka_unit_test(wrong_calls),
    };

    return cmocka_run_group_tests_name("wave/names", tests, NULL, NULL);
}
