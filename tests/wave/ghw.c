/* SPDX-License-Identifier: MIT */
/* GHW of GHDL: a small file made here, what is refused, files that are damaged, and cut off. */
#include "texts.h"

#include <stdio.h>
#include <string.h>

/* Strings: 1 '0', 2 '1', 3 'X', 4 std_logic, 5 vec, 6 integer, 7 state, 8 idle, 9 run, 10 tb, 11
 * clk, 12 v, 13 n, 14 st, 15 pair, 16 rec, 17 boolean, 18 false, 19 true, 20 nums, 21 g, 22 time,
 * 23 fs, 24 ps, 25 ns */
static const char *const strings[] = { "'0'",     "'1'",     "'X'",   "std_logic", "vec",
                                       "integer", "state",   "idle",  "run",       "tb",
                                       "clk",     "v",       "n",     "st",        "pair",
                                       "rec",     "boolean", "false", "true",      "nums",
                                       "g",       "time",    "fs",    "ps",        "ns" };

struct file {
    uint8_t byte[2048];
    size_t size;
};

static void put(struct file *f, const void *bytes, size_t size)
{
    memcpy(f->byte + f->size, bytes, size);
    f->size += size;
}

static void put_word(struct file *f, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        f->byte[f->size++] = (uint8_t)(word >> 8 * i);
}

#define PUT(f, ...)                                                                                \
    do {                                                                                           \
        const uint8_t bytes_[] = { __VA_ARGS__ };                                                  \
        put(f, bytes_, sizeof bytes_);                                                             \
    } while (0)

static void put_strings(struct file *f)
{
    const size_t count = sizeof strings / sizeof strings[0];

    put(f, "GHDLwave\n\x10\0\x01\x01\x04\x01\0STR\0\0\0\0\0", 24);
    put_word(f, (uint32_t)count);
    put_word(f, 0);
    for (size_t i = 0; i < count; i++) {
        put(f, strings[i], strlen(strings[i]));
        PUT(f, 0);
    }
    put(f, "EOS", 4);
}

/* Types: 1 std_logic, 2 vec of it, 3 vec(3 downto 0), 4 integer, 5 state, 6 rec, 7 boolean,
 * 8 array of integer, 9 that of (1 to 2), and perhaps 10 time, whose unit 1 is that of times */
static void put_types(struct file *f, int unit)
{
    put(f, "TYP\0\0\0\0\0", 8);
    put_word(f, unit < 0 ? 9 : 10);
    PUT(f, 23, 4, 3, 1, 2, 3);
    PUT(f, 31, 5, 1, 1, 4 - 3);
    PUT(f, 35, 5, 2, 0x99, 3, 0);
    PUT(f, 25, 6);
    PUT(f, 23, 7, 2, 8, 9);
    PUT(f, 32, 15, 2, 14, 5, 11, 1);
    PUT(f, 22, 17, 2, 18, 19);
    PUT(f, 31, 20, 4, 1, 4);
    PUT(f, 35, 20, 8, 0x19, 1, 2);
    if (unit >= 0)
        PUT(f, 29, 22, 3);
    for (int i = 0; i < 3 && unit >= 0; i++) {
        PUT(f, (uint8_t)(23 + i));
        if (i <= unit)
            PUT(f, i == unit);
        else
            PUT(f, 0xe8, 7); /* 1000 */
    }
    PUT(f, 0);
    put(f, "WKT\0\0\0\0\0\1\7\3\1\0", 13);
}

static void put_signals(struct file *f)
{
    put(f, "HIE\0\0\0\0\0", 8);
    put_word(f, 2);
    put_word(f, 6);
    put_word(f, 11);
    PUT(f, 6, 10);
    PUT(f, 16, 11, 1, 1);
    PUT(f, 16, 12, 3, 2, 3, 4, 5);
    PUT(f, 16, 13, 4, 6);
    PUT(f, 16, 16, 6, 7, 1);
    PUT(f, 16, 20, 9, 9, 10);
    PUT(f, 5, 21, 4, 3);
    PUT(f, 17, 12, 3, 2, 3, 4, 5);
    PUT(f, 16, 17, 7, 8);
    PUT(f, 15, 13, 9, 15, 0);
    put(f, "EOH", 4);
}

static struct file make_with(int unit)
{
    struct file f = { .size = 0 };

    put_strings(&f);
    put_types(&f, unit);
    put_signals(&f);
    put(&f, "SNP\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    PUT(&f, 2, 0, 1, 0, 1, 0x7b, 0, 0, 1, 2); /* clk v n st bool nums */
    put(&f, "ESN", 4);
    put(&f, "CYC\0\0\0\0\0\0\0\0\0", 12);
    PUT(&f, 1, 0, 0);          /* clk 0 at 0 */
    PUT(&f, 5, 1, 1, 5, 7, 0); /* 5: clk 1, n 7 */
    PUT(&f, 5, 1, 0, 1, 2, 0); /* 10: clk 0, v[3] x */
    PUT(&f, 2, 7, 1, 1, 1, 0); /* 12: st run, bool true */
    PUT(&f, 0x7f);
    put(&f, "ECY\0DIR", 8);
    return f;
}

static struct file make(void)
{
    return make_with(-1);
}

static void values(void **state)
{
    static const struct {
        const char *name, *at[4]; /* at 0, 5, 10, 12; from the left */
    } cases[] = { { "tb.clk", { "0", "1", "0", "0" } },
                  { "tb.v", { "0101", "0101", "x101", "x101" } },
                  { "tb.g[3].v", { "0101", "0101", "x101", "x101" } },
                  { "tb.rec.st", { "0", "0", "0", "1" } },
                  { "tb.g[3].boolean", { "0", "0", "0", "1" } } };
    const struct file f = make();
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
        struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
        assert_non_null(wave);
        struct pc_wave_bit bits[8];
        struct pc_wave_instant now;
        size_t count;
        unsigned stream;
        test_ok(pc_wave_find_bits(wave, cases[i].name, bits, 8, &count, &err), &err);
        test_ok(pc_wave_bind(wave, &every, bits, count, &stream, &err), &err);
        for (unsigned k = 0; k < 4; k++) {
            test_ok(pc_wave_step(wave, &now, &err), &err);
            for (size_t b = 0; b < count; b++) {
                const char want = cases[i].at[k][count - 1 - b];
                assert_int_equal(now.unknown[0][b / 64] >> b % 64 & 1, want == 'x');
                assert_int_equal(now.value[0][b / 64] >> b % 64 & 1, want == '1');
            }
        }
        assert_int_equal(pc_wave_step(wave, &now, &err), PC_END);
        pc_wave_close(wave);
    }
}

static void declared(void **state)
{
    const struct file f = make();
    struct pc_error err;
    struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
    struct pc_wave_info info;
    struct pc_wave_var var;

    (void)state;
    assert_non_null(wave);
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.format, PC_WAVE_GHW);
    assert_int_equal(info.timescale_exponent, -15);
    assert_int_equal(info.vars, 9);
    assert_int_equal(info.codes, 7); /* two ports are the signal above, and rec.clk is clk */
    test_ok(pc_wave_get_var(wave, text_find(wave, "tb.n"), &var), &err);
    assert_true(var.is_signed);
    assert_int_equal(var.width, 32);
    test_ok(pc_wave_get_var(wave, text_find(wave, "tb.v"), &var), &err);
    assert_string_equal(var.range, "[3:0]");
    test_ok(pc_wave_get_var(wave, text_find(wave, "tb.nums[2]"), &var), &err);
    assert_true(var.is_signed);
    pc_wave_close(wave);
}

/* The unit is that of the type time; without one 1 fs is assumed and said, or another is given. */
static void units(void **state)
{
    static const struct {
        int unit;
        uint64_t factor; /* given */
        int exponent;
        int want;
        const char *warning, *note;
    } cases[] = {
        { -1, 0, 0, -15, NULL, "1 fs is assumed" },
        { -1, 1, -12, -12, NULL, NULL },
        { 0, 0, 0, -15, NULL, NULL },
        { 1, 0, 0, -12, NULL, NULL },
        { 2, 0, 0, -9, NULL, NULL },
        { 1, 1, -12, -12, NULL, NULL },
        { 1, 1, -9, -12, "the file says its time unit", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct file f = make_with(cases[i].unit);
        const struct pc_wave_desc desc = { .unit_factor = cases[i].factor,
                                           .unit_exponent = cases[i].exponent };
        struct pc_wave_info info;
        struct pc_error err;
        struct pc_wave *wave = text_try(f.byte, f.size, &desc, &err);
        assert_non_null(wave);
        pc_wave_get_info(wave, &info);
        assert_int_equal(info.timescale_factor, 1);
        assert_int_equal(info.timescale_exponent, cases[i].want);
        const char *warning = pc_wave_warning(wave, 0), *note = pc_wave_note(wave, 0);
        assert_int_equal(warning != NULL, cases[i].warning != NULL);
        assert_true(!warning || strstr(warning, cases[i].warning));
        assert_int_equal(note != NULL, cases[i].note != NULL);
        assert_true(!note || strstr(note, cases[i].note));
        pc_wave_close(wave);
    }
}

/* Values of enumerations by their names, in any case; a boolean's, and none of a std_logic. */
static void named(void **state)
{
    static const struct {
        const char *signal, *word;
        enum pc_status status;
        unsigned value;
    } cases[] = { { "tb.rec.st", "idle", PC_OK, 0 },
                  { "tb.rec.st", "RUN", PC_OK, 1 },
                  { "tb.rec.st", "stop", PC_ENOENT, 0 },
                  { "tb.g[3].boolean", "true", PC_OK, 1 },
                  { "tb.g(3).boolean", "x", PC_ENOENT, 0 },
                  { "tb.clk", "'1'", PC_END, 0 },
                  { "tb.n", "idle", PC_END, 0 } };
    const struct file f = make();
    struct pc_error err;
    struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);

    (void)state;
    assert_non_null(wave);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bit = 0;
        size_t count = 0;
        bool is_signed = false;
        const enum pc_status status = pc_wave_find_value(wave, cases[i].signal, cases[i].word, &bit,
                                                         1, &count, &is_signed, &err);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(count, status == PC_OK);
        assert_int_equal(bit, cases[i].value);
    }
    pc_wave_close(wave);
}

/* Any prefix is read up to its end, or refused; no byte that is wrong does harm. */
static void damaged(void **state)
{
    const struct file whole = make();
    struct pc_error err;

    (void)state;
    for (size_t n = 9; n < whole.size; n++) {
        const enum pc_status status = text_read_all(whole.byte, n, NULL, &err);
        if (status != PC_OK)
            assert_int_equal(err.code, 780);
    }
    for (size_t n = 9; n < whole.size; n++)
        for (unsigned v = 0; v < 4; v++) {
            static const uint8_t bytes[] = { 0, 0x7f, 0x80, 0xff };
            struct file f = whole;
            f.byte[n] = bytes[v];
            (void)!text_read_all(f.byte, f.size, NULL, &err);
        }
}

static void cut_off(void **state)
{
    const struct file f = make();
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;
    struct pc_wave *wave = text_try(f.byte, f.size - 15, NULL, &err);

    (void)state;
    assert_non_null(wave);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    pc_wave_get_info(wave, &info);
    assert_true(info.unfinished);
    assert_int_equal(info.warnings, 1);
    assert_int_equal(totals.time_last, 10);
    pc_wave_close(wave);
}

static void refused(void **state)
{
    struct file f = make();
    struct pc_error err;

    (void)state;
    f.byte[11] = 2;
    assert_int_equal(text_read_all(f.byte, f.size, NULL, &err), PC_EUNSUP);
    assert_int_equal(err.code, 781);
    f = make();
    f.byte[16] = 'Q';
    assert_int_equal(text_read_all(f.byte, f.size, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 780);
}

static void memory(void **state)
{
    struct file f = make_with(1);
    struct text_bytes bytes = { f.byte, f.size };

    (void)state;
    test_refuse_each(text_read_with, &bytes, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),  cmocka_unit_test(declared), cmocka_unit_test(units),
        cmocka_unit_test(named),   cmocka_unit_test(damaged),  cmocka_unit_test(cut_off),
        cmocka_unit_test(refused), cmocka_unit_test(memory),
    };

    return cmocka_run_group_tests_name("wave/ghw", tests, NULL, NULL);
}
