/* SPDX-License-Identifier: MIT */
/* GHW of GHDL: rare forms of types and scopes, and what is refused, each with its message. */
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Strings: 1 '0', 2 '1', 3 a, 4 b, 5 t, 6 f */
static const char *const strings[] = { "'0'", "'1'", "a", "b", "t", "f" };

struct file {
    uint8_t byte[8192];
    size_t size;
    bool big;
};

static void put(struct file *f, const void *bytes, size_t size)
{
    assert_true(f->size + size <= sizeof f->byte);
    memcpy(f->byte + f->size, bytes, size);
    f->size += size;
}

static void put_word(struct file *f, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        f->byte[f->size++] = (uint8_t)(word >> 8 * (f->big ? 3 - i : i));
}

static void begin(struct file *f, const char *name_of_a)
{
    const size_t count = sizeof strings / sizeof strings[0];

    put(f, f->big ? "GHDLwave\n\x10\0\x01\x02\x04\x01\0" : "GHDLwave\n\x10\0\x01\x01\x04\x01\0",
        16);
    put(f, "STR\0\0\0\0\0", 8);
    put_word(f, (uint32_t)count);
    put_word(f, 0);
    for (size_t i = 0; i < count; i++) {
        const char *text = i == 2 ? name_of_a : strings[i];
        put(f, text, strlen(text));
        put(f, "", 1);
    }
    put(f, "EOS", 4);
}

static void put_types(struct file *f, unsigned count, const char *types, size_t size)
{
    put(f, "TYP\0\0\0\0\0", 8);
    put_word(f, count);
    put(f, types, size);
    put(f, "", 1);
}

static void put_signals(struct file *f, unsigned most, const char *signals, size_t size)
{
    put(f, "HIE\0\0\0\0\0", 8);
    put_word(f, 1);
    put_word(f, 1);
    put_word(f, most);
    put(f, signals, size);
    put(f, "", 1);
}

/* Types 1: bit, 2: integer; `types` of a case go on from 3. */
#define BIT         "\x16\5\2\1\2"
#define INTEGER     "\x19\5"
#define ARRAY       "\x1f\5\1\1\2" /* 3: of bits */
#define BYTES(text) text, sizeof(text) - 1
enum { MOST = 8 };

static struct file make(const char *name_of_a, unsigned more, const char *types, size_t types_size,
                        const char *signals, size_t signals_size, bool big)
{
    struct file f = { .big = big };
    char all[200] = BIT INTEGER;
    const size_t own = sizeof(BIT INTEGER) - 1;

    assert_true(own + types_size <= sizeof all);
    memcpy(all + own, types, types_size);
    begin(&f, name_of_a);
    put_types(&f, 2 + more, all, own + types_size);
    put_signals(&f, MOST, signals, signals_size);
    return f;
}

/* "a:1 b[2]:8": all variables with their widths. */
static void list(const struct pc_wave *wave, char *out, size_t size)
{
    struct pc_wave_info info;
    struct pc_wave_var var;

    out[0] = '\0';
    pc_wave_get_info(wave, &info);
    for (size_t i = 0; i < info.vars; i++) {
        assert_int_equal(pc_wave_get_var(wave, i, &var), PC_OK);
        snprintf(out + strlen(out), size - strlen(out), "%s%s%s:%u", i ? " " : "", var.name,
                 var.range, (unsigned)var.width);
    }
}

static void declarations(void **state)
{
    static const struct {
        unsigned more;
        const char *types;
        size_t types_size;
        const char *signals;
        size_t signals_size;
        unsigned code;
        const char *says; /* or the variables */
    } cases[] = {
        { 0, BYTES(""), BYTES("\x10\3\1\1\x10\4\2\2"), 0, "a:1 b:32" },
        { 1, BYTES("\x1a\5"), BYTES("\x10\3\3\1"), 0, "a:64" },
        { 1, BYTES("\x1c\5\0"), BYTES("\x10\3\3\1"), 0, "a:32" },
        { 1, BYTES("\x1d\5\1\6\1"), BYTES("\x10\3\3\1"), 0, "a:64" },
        { 2, BYTES(ARRAY "\x23\5\3\x19\2\1"), BYTES("\x10\3\4"), 0, "" }, /* of no elements */
        { 2, BYTES(ARRAY "\x23\5\3\x99\2\1"), BYTES("\x10\3\4\1\2"), 0, "a[2:1]:2" },
        /* of two dimensions: the second one is a vector */
        { 2,
          BYTES("\x1f\5\1\2\2\2"
                "\x23\5\3\x19\1\2\x19\5\6"),
          BYTES("\x10\3\4\1\2\3\4"), 0, "a[1][5:6]:2 a[2][5:6]:2" },
        /* an array of arrays, both without bounds, which the subtype gives */
        { 3,
          BYTES(ARRAY "\x1f\5\3\1\2"
                      "\x23\5\4\x19\1\2\x99\3\2"),
          BYTES("\x10\3\5\1\2\3\4"), 0, "a[1][3:2]:2 a[2][3:2]:2" },
        /* a record of an array without bounds, which its subtype gives */
        { 3,
          BYTES(ARRAY "\x20\5\2\6\3\5\2"
                      "\x26\5\4\x99\1\0"),
          BYTES("\x10\3\5\1\2\3"), 0, "a.f[1:0]:2 a.t:32" },
        { 2, BYTES(ARRAY "\x25\5\3"), BYTES("\x10\3\4"), 780,
          "the signal a has a type without bounds" },
        { 2, BYTES(ARRAY "\x20\5\1\6\3"), BYTES("\x10\3\4"), 780,
          "the signal a has a type without bounds" },
        { 2, BYTES(ARRAY "\x27\5\3"), BYTES(""), 780,
          "a subtype of kind 39 of a type of another kind" },
        { 2, BYTES(ARRAY "\x22\5\3\x19\1\2"), BYTES(""), 780,
          "a subtype of kind 34 of a type of another kind" },
        { 1, BYTES("\x23\5\2\x19\1\2"), BYTES(""), 780,
          "a subtype of kind 35 of a type of another kind" },
        { 1, BYTES("\x22\5\2\x18\1\2"), BYTES(""), 780, "a range of kind 24" },
        { 1, BYTES("\x22\5\2\x19\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), BYTES(""), 780,
          "a number has more than 64 bits" },
        { 1, BYTES("\x22\5\2\x1b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), BYTES("\x10\3\3\1"), 0,
          "a:32" },
        { 1, BYTES("\x16\5\0"), BYTES(""), 780, "an enumeration has 0 values" },
        { 1, BYTES("\x16\5\x81\2"), BYTES(""), 780, "an enumeration has 257 values" },
        { 1, BYTES("\x16\5\1\7"), BYTES(""), 780, "there is no string 7" },
        { 1, BYTES("\x1f\5\1\0"), BYTES(""), 780, "an array has no dimension" },
        { 1, BYTES("\x1f\5\4\1\2"), BYTES(""), 780, "there is no type 4" },
        { 1, BYTES("\x28\5"), BYTES(""), 780, "a type of kind 40" },
        { 0, BYTES("\1"), BYTES(""), 780, "the types do not end where they should" },
        { 2, BYTES(ARRAY "\x23\5\3\x19\0\x80\x80\xc0\0"), BYTES("\x10\3\4"), 514,
          "a variable is 1048577 bits wide, more than 1048576" },
        /* scopes */
        { 0, BYTES(""), BYTES("\3\5\x10\3\1\1\xf\x10\4\1\2"), 0, "t.a:1 b:1" },
        { 0, BYTES(""), BYTES("\5\5\1\1\x10\3\1\1\xf"), 0, "t['1'].a:1" }, /* a generate */
        { 0, BYTES(""), BYTES("\5\5\2\x7e\x10\3\1\1\xf"), 0, "t[-2].a:1" },
        { 0, BYTES(""), BYTES("\5\5\1\2"), 780, "an enumeration of 2 values has value 2" },
        { 1, BYTES("\x1b\5"), BYTES("\5\5\3"), 780, "the range of a generate is not of numbers" },
        { 1, BYTES(ARRAY), BYTES("\5\5\3"), 780, "the range of a generate is not of numbers" },
        { 0, BYTES(""), BYTES("\xf"), 780, "a scope ends that was not begun" },
        { 0, BYTES(""), BYTES("\2\5"), 780, "an item of kind 2 among the signals" },
        { 0, BYTES(""), BYTES("\xd\5\xe\5"), 0, "" }, /* processes and generics have nothing */
        { 0, BYTES(""), BYTES("\x10\3\1\0"), 780, "there is no scalar 0" },
        { 0, BYTES(""), BYTES("\x10\3\1\x9"), 780, "there is no scalar 9" },
        { 0, BYTES(""), BYTES("\x10\3\1\1\x10\4\2\1"), 780, "scalar 1 has two types" },
        { 1, BYTES("\x1a\5"), BYTES("\x10\3\2\1\x10\4\3\1"), 780, "scalar 1 has two types" },
        { 1, BYTES("\x16\5\2\3\4"), BYTES("\x10\3\1\1\x10\4\3\1"), 780, "scalar 1 has two types" },
        { 0, BYTES(""), BYTES("\x10\xff\xff\xff\xff\x1f"), 780, "a number has more than 32 bits" },
        { 0, BYTES(""), BYTES("\x10\xff\xff\xff\xff\xff\1"), 780,
          "a number has more than 32 bits" },
    };

    (void)state;
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
        const size_t k = i / 2;
        struct file f = make("a", cases[k].more, cases[k].types, cases[k].types_size,
                             cases[k].signals, cases[k].signals_size, i % 2 == 1);
        struct pc_error err = { .code = 0 };
        char vars[200] = "";
        put(&f, "EOH", 4);
        struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
        if (wave)
            list(wave, vars, sizeof vars);
        const char *is = wave ? vars : err.text;
        if (err.code != cases[k].code ||
            !(wave ? strcmp(is, cases[k].says) == 0 : strstr(is, cases[k].says) != NULL))
            fail_msg("case %zu: %u %s", k, err.code, is);
        pc_wave_close(wave);
    }
}

/* Names of signals, fields, generates and of what numbers these are whole, or an error. */
static void long_names(void **state)
{
    static const struct {
        unsigned more;
        const char *types;
        size_t types_size;
        const char *signals;
        size_t signals_size;
        const char *before, *after; /* of the name */
    } cases[] = {
        { 0, BYTES(""), BYTES("\x10\3\1\1"), "", "" },
        { 1, BYTES("\x20\5\1\3\1"), BYTES("\x10\4\3\1"), "b.", "" },
        { 0, BYTES(""), BYTES("\5\3\2\7\x10\4\1\1\xf"), "", "[7].b" },
        { 1, BYTES("\x16\5\2\4\3"), BYTES("\5\4\3\1\x10\5\1\1\xf"), "b[", "].t" },
    };
    struct pc_error err;
    char name[1000], full[1100];

    (void)state;
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
        const size_t k = i / 2;
        memset(name, 'n', sizeof name);
        name[959 + i % 2] = '\0';
        struct file f = make(name, cases[k].more, cases[k].types, cases[k].types_size,
                             cases[k].signals, cases[k].signals_size, false);
        put(&f, "EOH", 4);
        struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
        if ((wave ? 0 : err.code) != (i % 2 ? 511 : 0))
            fail_msg("case %zu: %s", i, wave ? "read" : err.text);
        snprintf(full, sizeof full, "%s%s%s", cases[k].before, name, cases[k].after);
        if (wave)
            assert_int_equal(text_find(wave, full), 0);
        pc_wave_close(wave);
    }
    /* indices of dimensions have less room */
    name[950] = '\0';
    struct file f = make(name, 2,
                         BYTES("\x1f\5\2\5\2\2\2\2\2"
                               "\x23\5\3\x19\1\1\x19\1\1\x19\1\1"
                               "\x19\1\1\x19\1\1"),
                         BYTES("\x10\3\4\1"), false);
    put(&f, "EOH", 4);
    struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
    assert_non_null(wave);
    pc_wave_close(wave);
    memset(name, 'n', 959);
    name[959] = '\0';
    char types[200] = "\x1f\5\2\x10"
                      "\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2"
                      "\x23\5\3";
    size_t size = 4 + 16 + 3;
    for (unsigned d = 0; d < 16; d++, size += 3)
        memcpy(types + size, "\x19\1\1", 3);
    f = make(name, 2, types, size, BYTES("\x10\3\4\1"), false);
    put(&f, "EOH", 4);
    assert_null(text_try(f.byte, f.size, NULL, &err));
    assert_int_equal(err.code, 511);
}

static void sections(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        unsigned code;
        const char *says;
    } cases[] = {
        { BYTES("STR\0\0\0\0\0\0\0\0\0\0\0\0\0"), 780, "a second section of strings" },
        { BYTES("HIE\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 780, "a second section of signals" },
        { BYTES("WKT\0\0\0\0\0\1\1\1\2\0EOH"), 0, "" },
        { BYTES("WKT\0\0\0\0\0\1\3"), 780, "there is no type 3" },
        { BYTES("ABC"), 780, "a section that is not known" },
        { BYTES(""), 780, "the file ends before its signals are declared" },
    };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file f = make("a", 0, "", 0, BYTES("\x10\3\1\1"), false);
        put(&f, cases[i].bytes, cases[i].size + (cases[i].size > 0));
        struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
        if ((wave ? 0 : err.code) != cases[i].code || (!wave && !strstr(err.text, cases[i].says)))
            fail_msg("case %zu: %u %s", i, err.code, err.text);
        pc_wave_close(wave);
    }
}

/* How many bytes a string has of the one before: 5 bits after it, and 5 more a byte. */
static void strings_share_bytes(void **state)
{
    static const struct {
        const char *bytes; /* of two strings */
        size_t size;
        const char *says; /* or the names */
    } cases[] = {
        { BYTES("clock\3k2\0"), "clock clok2" },
        { BYTES("clock\5\0"), "clock clock" },
        { BYTES("clock\6\0"), "a string shares more bytes than the one before has" },
        { BYTES("clock\x81\1\0"), "a string shares more bytes than the one before has" },
        { BYTES("clock\x81\x81\x81\x81\x81\x81\0"), "a string is too long" },
        { BYTES("abcdefghijklmnopqrstuvwxyz0123456789\x83\1!\0"),
          "abcdefghijklmnopqrstuvwxyz0123456789 abcdefghijklmnopqrstuvwxyz012345678!" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file f = { .big = false };
        struct pc_error err = { .code = 0 };
        char names[100] = "";
        put(&f, "GHDLwave\n\x10\0\x01\x01\x04\x01\0STR\0\0\0\0\0\2\0\0\0\0\0\0\0", 32);
        put(&f, cases[i].bytes, cases[i].size);
        put(&f, "EOS", 4);
        put_types(&f, 1, BYTES("\x19\0"));
        put_signals(&f, 2, BYTES("\x10\1\1\1\x10\2\1\2"));
        put(&f, "EOH", 4);
        struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
        for (size_t v = 0; wave && v < 2; v++) {
            struct pc_wave_var var;
            assert_int_equal(pc_wave_get_var(wave, v, &var), PC_OK);
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", v ? " " : "",
                     var.name);
        }
        if (wave ? strcmp(names, cases[i].says) != 0 : !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %s", i, wave ? names : err.text);
        pc_wave_close(wave);
    }
}

#define AT(t)  "\0\0\0\0" t "\0\0\0\0\0\0\0"
#define SNP(t) "SNP\0" AT(t)
#define CYC(t) "CYC\0" t "\0\0\0\0\0\0\0"

static void steps(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool tolerate;
        const char *says; /* or the warning */
    } cases[] = {
        { BYTES(SNP("\5") "\0"
                          "ESN\0DIR\0"),
          false, NULL },
        { BYTES(SNP("\5") "\2"), false, "an enumeration of 2 values has value 2" },
        { BYTES(SNP("\5") "\0"
                          "ESM\0"),
          false, "a snapshot does not end where it should" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0"
                          "ABC\0"),
          false, "neither a snapshot nor changes" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0" CYC("\6") "\0\x7f"
                                            "ECX\0"),
          false, "changes do not end where they should" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0" CYC("\6") "\2"),
          false, "a scalar changes that no signal has" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0" CYC("\3") "\1\1\0\x7f"
                                            "ECY\0DIR\0"),
          false, "time 3 comes after 5" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0" CYC("\3") "\1\1\0\x7f"
                                            "ECY\0DIR\0"),
          true, "time 3 comes after 5, and is taken as that" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0" CYC("\6") "\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\0"
                                            "\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\0"),
          false, "a time has more than 64 bits" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0" CYC("\6") "\1"),
          false, "the file ends inside a step of time, which is left out" },
        { BYTES(SNP("\5") "\0"
                          "ESN\0"),
          false, "the file ends without its directory: the simulation did not finish it" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pc_wave_desc desc = { .tolerate_time_backwards = cases[i].tolerate };
        struct file f =
            make("a", 0, "", 0, BYTES("\x10\3\1\2"), false); /* scalar 1 has no signal */
        struct pc_wave_totals totals = { 0 };
        struct pc_error err = { .code = 0 };
        put(&f, "EOH", 4);
        put(&f, cases[i].bytes, cases[i].size);
        struct pc_wave *wave = text_try(f.byte, f.size, &desc, &err);
        assert_non_null(wave);
        const enum pc_status status = pc_wave_scan(wave, &totals, NULL, &err);
        const char *is = status ? err.text : pc_wave_warning(wave, 0);
        if (!is != !cases[i].says || (is && !strstr(is, cases[i].says)))
            fail_msg("case %zu: %s", i, is ? is : "fine");
        if (status == PC_OK)
            assert_int_equal(totals.time_last, 5);
        pc_wave_close(wave);
    }
}

/* More value streams than the first table of them has room for, each also known by a second name.
 */
static void many_signals(void **state)
{
    enum { MANY = 200 };
    struct file f = { .big = false };
    char *signals = calloc(2 * MANY, 5);
    struct pc_wave_info info;
    struct pc_error err;
    size_t size = 0;

    (void)state;
    assert_non_null(signals);
    for (unsigned k = 0; k < 2 * MANY; k++, size += 5)
        memcpy(signals + size,
               (const uint8_t[]){ 16, k < MANY ? 3 : 4, 2,
                                  (uint8_t)(0x80 | ((k % MANY + 1) & 0x7f)),
                                  (uint8_t)((k % MANY + 1) >> 7) },
               5);
    begin(&f, "a");
    put_types(&f, 2, BYTES(BIT INTEGER));
    put_signals(&f, MANY, signals, size);
    put(&f, "EOH", 4);
    struct pc_wave *wave = text_try(f.byte, f.size, NULL, &err);
    assert_non_null(wave);
    pc_wave_get_info(wave, &info);
    assert_int_equal(info.vars, 2 * MANY);
    assert_int_equal(info.codes, MANY);
    pc_wave_close(wave);
    free(signals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations), cmocka_unit_test(long_names),
        cmocka_unit_test(sections),     cmocka_unit_test(strings_share_bytes),
        cmocka_unit_test(steps),        cmocka_unit_test(many_signals),
    };

    return cmocka_run_group_tests_name("wave/ghw_forms", tests, NULL, NULL);
}
