/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of vectors by their words against the same bit by bit, of random files with unknown
 * values: in each cycle both have the same value and are unknown alike.
 */
#include "texts.h"
#include "vcd_writer.h"

#include <stdio.h>
#include <string.h>

#include "wave/vcd/scan.h"
#include "wave/vcd/fast.h"
#include "wave/vcd/vcd.h"
#include "wave/wave.h"

enum { RELATIONS = 9, MOST_WIDE = 200 };

/* a and b are vectors, n a number of their width. */
static const struct {
    const char *text;
    struct pc_wave_comparison is;
    bool number;
} relation[RELATIONS] = {
    { "a == b", { .less = false }, false },
    { "a != b", { .negated = true }, false },
    { "a < b", { .less = true }, false },
    { "a <= b", { .less = true, .negated = true, .swapped = true }, false },
    { "a > b", { .less = true, .swapped = true }, false },
    { "a == n", { .less = false }, true },
    { "a < n", { .less = true }, true },
    { "a > n", { .less = true, .swapped = true }, true },
    { "a >= n", { .less = true, .negated = true }, true },
};

struct setup {
    struct pc_wave_clock clock;
    size_t a, b;
    uint32_t width;
    uint8_t number[MOST_WIDE];
    unsigned threads;
    const struct vcd_scan_kernel *kernel; /* NULL: the parser */
};

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    const struct setup *s = ctx;

    (void)capacity;
    (void)is_signed;
    (void)err;
    for (uint32_t i = 0; i < s->width; i++)
        wires[i] = RELATIONS + i + (name[0] == 'b' ? s->width : 0);
    *count = s->width;
    return PC_OK;
}

/* The expression with the digits of the number. */
static struct pc_expr *expression(const struct setup *s, unsigned r)
{
    char text[MOST_WIDE + 32];
    struct pc_error err;
    struct pc_expr *e;

    snprintf(text, sizeof text, "%s", relation[r].text);
    if (relation[r].number) {
        int n = snprintf(text, sizeof text, "%.*s %u'b", (int)strlen(relation[r].text) - 2,
                         relation[r].text, s->width);
        for (uint32_t i = s->width; i-- > 0;)
            text[n++] = (char)('0' + s->number[i]);
        text[n] = '\0';
    }
    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, look_up, (void *)(uintptr_t)s, &err), &err);
    return e;
}

static void bind(struct pc_wave *wave, const struct setup *s)
{
    struct pc_wave_bit bit[RELATIONS + 2 * MOST_WIDE], again;
    struct pc_error err;
    unsigned stream;

    for (unsigned r = 0; r < RELATIONS; r++) {
        struct pc_wave_comparison is = relation[r].is;
        is.left = s->a;
        is.right = s->b;
        is.number = relation[r].number ? s->number : NULL;
        test_ok(pc_wave_compare(wave, &is, &bit[r], &err), &err);
        test_ok(pc_wave_compare(wave, &is, &again, &err), &err);
        assert_int_equal(again.var, bit[r].var);
    }
    for (uint32_t i = 0; i < 2 * s->width; i++)
        bit[RELATIONS + i] = (struct pc_wave_bit){ i < s->width ? s->a : s->b, i % s->width };
    test_ok(pc_wave_bind(wave, &s->clock, bit, RELATIONS + 2 * s->width, &stream, &err), &err);
    assert_int_equal(pc_wave_bind(wave, &s->clock, bit, 0, &stream, &err), PC_EARG);
}

/* Returns the cycles. */
static uint64_t check(const char *text, size_t size, const struct setup *s)
{
    struct pc_wave_desc desc = { .threads = s->threads, .strict = s->kernel == NULL };
    uint64_t out[PC_BLOCK_WORDS], tainted[PC_BLOCK_WORDS], cycles = 0;
    struct pc_expr *e[RELATIONS];
    struct pc_wave_block b;
    struct pc_error err;
    struct pc_wave *wave = text_try(text, size, &desc, &err);

    if (!wave)
        return 0;
    ((struct vcd *)wave->reader)->kernel = s->kernel;
    ((struct vcd *)wave->reader)->part = 4000;
    bind(wave, s);
    for (unsigned r = 0; r < RELATIONS; r++)
        e[r] = expression(s, r);
    while (pc_wave_next(wave, &b, &err) == PC_OK) {
        const size_t words = (b.cycles + 63) / 64;
        for (unsigned r = 0; r < RELATIONS; r++) {
            pc_expr_eval(e[r], b.value, b.unknown, words, b.cycles, out, tainted);
            if (memcmp(out, b.value[r], words * 8) || memcmp(tainted, b.unknown[r], words * 8))
                fail_msg("%s of %u bits, %s, %u threads", relation[r].text, s->width,
                         s->kernel ? s->kernel->name : "parser", s->threads);
        }
        cycles += b.cycles;
    }
    for (unsigned r = 0; r < RELATIONS; r++)
        pc_expr_free(e[r]);
    pc_wave_close(wave);
    return cycles;
}

/* Two variables of one width; false: there are none. */
static bool choose(struct writer *w, struct setup *s)
{
    s->width = w->wide;
    for (unsigned tries = 0; tries < 100; tries++) {
        s->a = 2 + writer_below(w, w->vars - 2);
        s->b = 2 + writer_below(w, w->vars - 2);
        if (s->a != s->b && w->width[s->a] == s->width && w->width[s->b] == s->width)
            return true;
    }
    return false;
}

static void words_are_bits(void **state)
{
    static char text[TEXT];
    uint64_t seed, cycles = 0;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(31, &seed) };
    const unsigned files = test_long() ? 2000 : 60;

    (void)state;
    for (unsigned n = 0; n < files; n++) {
        struct setup s = { .clock = { .edge = PC_EDGE_POS,
                                      .post_edge = writer_below(&w, 3) == 0 } };
        const struct vcd_scan_kernel *kernel;
        w.out.used = 0;
        w.end = writer_below(&w, 5) ? "\n" : "\r\n";
        w.oddity = writer_below(&w, 2) ? 0 : 100;
        w.plain = writer_below(&w, 3) == 0;
        w.wide = 2 + writer_below(&w, writer_below(&w, 2) ? 8 : MOST_WIDE - 1);
        writer_header(&w);
        writer_body(&w, 300);
        if (!choose(&w, &s))
            continue;
        for (uint32_t i = 0; i < s.width; i++)
            s.number[i] = (uint8_t)writer_below(&w, 2);
        cycles += check(text, w.out.used, &s);
        for (size_t i = 0; (kernel = vcd_scan_at(i)) != NULL; i++) {
            s.kernel = kernel;
            s.threads = i % 2 ? 2 : 1;
            if (kernel->usable())
                cycles += check(text, w.out.used, &s);
        }
    }
    printf("%u files, %llu cycles\n", files, (unsigned long long)cycles);
    assert_true(cycles > files * 100);
}

/* Digits of wide vectors become words before the other passes, in each scan as in the first. */
static void digits_are_cut_out(void **state)
{
    enum { WIDTH = 2048, LINES = 100 };
    static char text[LINES * (WIDTH + 64)];
    struct pc_wave_comparison is = { .left = 1, .right = 2 };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_desc desc = { .threads = 1 };
    struct pc_wave_bit bit;
    struct pc_wave_block b;
    struct pc_error err;
    unsigned stream;
    size_t size;

    (void)state;
    size = (size_t)snprintf(text, sizeof text,
                            "$var wire 1 ! c $end $var wire %d # a $end $var wire %d $ b $end\n"
                            "$enddefinitions $end\n",
                            WIDTH, WIDTH);
    const size_t begin = size;
    for (int i = 0; i < LINES; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "#%d\n1!\nb%0*d %c\n#%d\n0!\n",
                                 1000 + 10 * i, WIDTH, i % 2, i % 3 ? '#' : '$', 1005 + 10 * i);
    struct pc_wave *wave = text_try(text, size, &desc, &err);
    test_ok(pc_wave_compare(wave, &is, &bit, &err), &err);
    test_ok(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err);
    test_ok(pc_wave_next(wave, &b, &err), &err);
    const struct vcd_fast *fast = ((struct vcd *)wave->reader)->fast;
    struct vcd_scan s = fast->scan;
    for (unsigned i = 0; i < 20; i++) {
        s.text = (const uint8_t *)text + begin;
        s.size = size - begin;
        s.clock = VCD_CLOCK_LOW;
        fast->kernel->run(&s);
        assert_int_equal(s.cuts, LINES);
    }
    pc_wave_close(wave);
}

/* What is no vector, of two widths, or bound twice. */
static void what_is_refused(void **state)
{
    static const char text[] = "$var wire 1 ! c $end $var wire 9 # a $end $var wire 8 $ b $end\n"
                               "$enddefinitions $end\n#0\n0!\n#1\n1!\n";
    struct pc_wave_comparison is = { .left = 1, .right = 2 };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bit[2];
    struct pc_wave_desc desc = { .path = NULL };
    struct pc_error err;
    struct pc_wave *wave = text_try(text, sizeof text - 1, &desc, &err);
    unsigned stream;

    (void)state;
    assert_int_equal(pc_wave_compare(wave, &is, bit, NULL), PC_EUNFIT);
    is.left = 0;
    assert_int_equal(pc_wave_compare(wave, &is, bit, NULL), PC_EUNFIT);
    is.left = is.right = 1;
    test_ok(pc_wave_compare(wave, &is, bit, &err), &err);
    bit[1] = bit[0];
    assert_int_equal(pc_wave_bind(wave, &clock, bit, 2, &stream, &err), PC_EARG);
    test_ok(pc_wave_bind(wave, &clock, bit, 1, &stream, &err), &err);
    is.less = true;
    assert_int_equal(pc_wave_compare(wave, &is, bit, &err), PC_EARG);
    assert_int_equal(pc_wave_compare(NULL, &is, bit, &err), PC_EARG);
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_bits),
        cmocka_unit_test(digits_are_cut_out),
        cmocka_unit_test(what_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
