/* SPDX-License-Identifier: MIT */
/*
 * Timestamps of a VCD with fractions and exponents: as numbers, the unit that they need, and
 * stamps that are finer than a unit that was chosen too early.
 */
#include "texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wave/vcd/scan.h"
#include "wave/vcd/times.h"
#include "wave/wave.h"

#define HEAD "$timescale 1ns $end $var wire 1 ! a $end $var wire 1 \" b $end $enddefinitions $end\n"

static void decimals(void **state)
{
    static const struct {
        const char *text;
        enum vcd_decimal_kind kind;
        uint64_t digits;
        int shift;
        unsigned places;
        uint64_t units, rest; /* units 0 and rest 1: more than 64 bits */
    } rows[] = {
        { "0", VCD_DECIMAL, 0, 0, 0, 0, 0 },
        { "0.000", VCD_DECIMAL, 0, 0, 3, 0, 0 },
        { "12.", VCD_DECIMAL, 12, 0, 2, 1200, 0 },
        { "12.50", VCD_DECIMAL, 125, -1, 0, 12, UINT64_C(500000000000000000) },
        { "12.50", VCD_DECIMAL, 125, -1, 1, 125, 0 },
        { "1e+06", VCD_DECIMAL, 1, 6, 0, 1000000, 0 },
        { "2.00001E+06", VCD_DECIMAL, 200001, 1, 0, 2000010, 0 },
        { "1.5e-03", VCD_DECIMAL, 15, -4, 2, 0, UINT64_C(150000000000000000) },
        { "15e1", VCD_DECIMAL, 15, 1, 1, 1500, 0 },
        { "1000e-3", VCD_DECIMAL, 1, 0, 0, 1, 0 },
        { "0e99999999", VCD_DECIMAL, 0, 0, 0, 0, 0 },
        { "1e19", VCD_DECIMAL, 1, 19, 0, UINT64_C(10000000000000000000), 0 },
        { "1e20", VCD_DECIMAL, 1, 20, 0, 0, 1 },
        { "1e19", VCD_DECIMAL, 1, 19, 1, 0, 1 },
        { "1e999999999999", VCD_DECIMAL, 1, 99999, 0, 0, 1 },
        { "1e-30", VCD_DECIMAL, 1, -30, 0, 0, 0 },
        { "1e-18", VCD_DECIMAL, 1, -18, 0, 0, 1 },
        { "0.30000000000000004", VCD_DECIMAL, 30000000000000004, -17, 1, 3, 40 / 10 * 100 },
        { "1.99999999999999999999999", VCD_DECIMAL, UINT64_C(1999999999999999999), -18, 0, 1,
          UINT64_C(999999999999999999) },
        { "18446744073709551615", VCD_DECIMAL, UINT64_MAX, 0, 0, UINT64_MAX, 0 },
        { "18446744073709551616", VCD_DECIMAL_LARGE, 0, 0, 0, 0, 0 },
        { "1e", VCD_DECIMAL_CUT, 0, 0, 0, 0, 0 },
        { "1.5e-", VCD_DECIMAL_CUT, 0, 0, 0, 0, 0 },
        { "", VCD_NO_DECIMAL, 0, 0, 0, 0, 0 },
        { ".5", VCD_NO_DECIMAL, 0, 0, 0, 0, 0 },
        { "1.5.1", VCD_NO_DECIMAL, 0, 0, 0, 0, 0 },
        { "1e5e", VCD_NO_DECIMAL, 0, 0, 0, 0, 0 },
        { "1e+-5", VCD_NO_DECIMAL, 0, 0, 0, 0, 0 },
        { "-1", VCD_NO_DECIMAL, 0, 0, 0, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint8_t *text = (const uint8_t *)rows[i].text;
        struct vcd_decimal d;
        uint64_t units, rest;
        const enum vcd_decimal_kind kind = vcd_decimal(text, text + strlen(rows[i].text), &d);
        if (kind != rows[i].kind)
            fail_msg("%s: kind %d", rows[i].text, (int)kind);
        if (kind != VCD_DECIMAL)
            continue;
        if (d.digits != rows[i].digits || (d.shift != rows[i].shift && d.shift < 9999))
            fail_msg("%s: %" PRIu64 " times 10^%d", rows[i].text, d.digits, d.shift);
        const bool fits = vcd_decimal_units(&d, rows[i].places, &units, &rest);
        const bool large = d.shift >= 0 && rows[i].units == 0 && rows[i].rest == 1;
        if (fits == large || (fits && (units != rows[i].units || rest != rows[i].rest)))
            fail_msg("%s: %d, %" PRIu64 " and %" PRIu64, rows[i].text, fits, units, rest);
    }
}

static void unit_of(const char *text, uint64_t factor, int exponent, size_t warnings)
{
    struct pc_wave *wave = text_open(text);
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    struct pc_error err;

    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    pc_wave_get_info(wave, &info);
    if (info.timescale_factor != factor || info.timescale_exponent != exponent ||
        info.warnings != warnings)
        fail_msg("%" PRIu64 "e%d, %zu warnings: %s", info.timescale_factor, info.timescale_exponent,
                 info.warnings, text);
    pc_wave_close(wave);
}

static void units(void **state)
{
    (void)state;
    unit_of(HEAD "#0\n0!\n#10\n1!\n", 1, -9, 0);
    unit_of(HEAD "#0.0\n0!\n#10.000\n1!\n", 1, -9, 0);
    unit_of(HEAD "#0\n0!\n#10.5\n1!\n", 100, -12, 1);
    unit_of(HEAD "#0\n0!\n#10.25\n1!\n#11.125\n0!\n", 1, -12, 1);
    unit_of(HEAD "#0\n0!\n#1.5e-2\n1!\n", 1, -12, 2);
    unit_of(HEAD "#1e3\n1!\n", 1, -9, 1);
    /* there is no room for more: 12 places down to zeptoseconds, and fewer of large numbers */
    unit_of(HEAD "#0\n0!\n#0.12345678901234\n1!\n", 1, -21, 2);
    unit_of(HEAD "#0\n0!\n#1000000000000.12345678\n1!\n", 1, -15, 2);
}

static void histories(void **state)
{
    (void)state;
    assert_string_equal(text_history(HEAD "#0.5\n0!\n#1\n1!\n#1.5\n0!\n", "a"), "5:0 10:1 15:0");
    assert_string_equal(text_history(HEAD "#1e1\n0!\n#1.5e+01\n1!\n", "a"), "10:0 15:1");
    /* the same time, written in two ways, is one stamp */
    assert_string_equal(text_history(HEAD "#0.5\n0!\n#5e-1\n1!\n#1.0\n0!\n#1\nx!\n", "a"),
                        "5:1 10:x");
    text_refused(HEAD "#0.5\n0!\n#0.25\n1!\n", 610, 4);
}

/* ---- fractions that come late ---- */

enum { TEXT = 1 << 22 };

struct told {
    uint64_t cycles, high, last;
    char warnings[1000];
};

/* Edges of a, values of b at them. */
static void count(const struct pc_wave_desc *desc, const struct vcd_scan_kernel *kernel,
                  struct told *t)
{
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    const struct pc_wave_bit bit = { 1, 0 };
    struct pc_wave *wave = NULL;
    struct pc_wave_block b;
    struct pc_error err;
    enum pc_status status;
    unsigned stream;

    memset(t, 0, sizeof *t);
    test_ok(pc_wave_open(desc, &wave, &err), &err);
    ((struct vcd *)wave->reader)->kernel = kernel;
    ((struct vcd *)wave->reader)->part = 4096;
    test_ok(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err);
    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK) {
        t->cycles += b.cycles;
        t->last = b.last_time;
        for (uint32_t i = 0; i < b.cycles; i++)
            t->high += b.value[0][i / 64] >> i % 64 & 1;
    }
    if (status != PC_END)
        test_ok(status, &err);
    for (size_t i = 0; pc_wave_warning(wave, i); i++)
        snprintf(t->warnings + strlen(t->warnings), sizeof t->warnings - strlen(t->warnings),
                 "%s\n", pc_wave_warning(wave, i));
    pc_wave_close(wave);
}

static void same(const struct told *a, const struct told *b, const char *what)
{
    if (a->cycles != b->cycles || a->high != b->high || a->last != b->last ||
        strcmp(a->warnings, b->warnings) != 0)
        fail_msg("%s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %s, not %" PRIu64 " %" PRIu64 " %" PRIu64
                 " %s",
                 what, b->cycles, b->high, b->last, b->warnings, a->cycles, a->high, a->last,
                 a->warnings);
}

/* Whole times, and one step of quarters after each `every` of them. */
static size_t write_late(char *text, unsigned steps, unsigned from, unsigned to, unsigned every)
{
    size_t used = (size_t)sprintf(text, "%s", HEAD);

    for (unsigned i = 0; i < steps; i++) {
        const bool fine = i >= from && i < to && i % every == 0;
        used += (size_t)sprintf(text + used, "#%u\n%u!\n%u\"\n", i, i & 1, i / 2 & 1);
        if (fine)
            used += (size_t)sprintf(text + used, "#%u.25\n%u!\n#%u.5\n%u!\n", i, ~i & 1, i, i & 1);
    }
    assert_true(used < TEXT);
    return used;
}

/* In a file and in a pipe, with each scanner, in threads and by the parser alone. */
static void late_fractions(void **state)
{
    static const struct {
        unsigned from, to, every, places; /* of the unit in a file */
    } rows[] = {
        { 0, 60000, 7, 2 },       /* everywhere */
        { 20000, 60000, 100, 2 }, /* from the middle on */
        { 59990, 60000, 1, 2 },   /* at the end */
        { 12000, 12300, 1, 0 },   /* where it is not looked at */
    };
    char *text = malloc(TEXT);

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = write_late(text, 60000, rows[i].from, rows[i].to, rows[i].every);
        const struct vcd_scan_kernel *kernel;
        const char *path = text_file(text, size);
        struct pc_wave_desc desc = { .path = path, .strict = true };
        struct told want, got;
        char name[32];
        pid_t writer;
        count(&desc, NULL, &want);
        assert_true(want.cycles > 30000);
        assert_int_equal(want.last / 59999, rows[i].places == 2 ? 100 : 1);
        assert_non_null(strstr(want.warnings, rows[i].places ? "10 ps" : "stay distinct"));
        desc.strict = false;
        for (size_t k = 0; (kernel = vcd_scan_at(k)) != NULL; k++)
            for (desc.threads = 1; kernel->usable() && desc.threads <= 3; desc.threads++) {
                count(&desc, kernel, &got);
                same(&want, &got, kernel->name);
            }
        unlink(path);
        const int fd = test_pipe(text, size, 1000, &writer);
        snprintf(name, sizeof name, "/dev/fd/%d", fd);
        desc.path = name;
        count(&desc, NULL, &got);
        close(fd);
        waitpid(writer, NULL, 0);
        assert_int_equal(got.cycles, want.cycles);
        assert_int_equal(got.high, want.high);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals),
        cmocka_unit_test(units),
        cmocka_unit_test(histories),
        cmocka_unit_test(late_fractions),
    };

    return cmocka_run_group_tests_name("wave/vcd_times", tests, NULL, NULL);
}
