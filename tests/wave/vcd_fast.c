/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner against the parser: the same file read with every kernel, and with none,
 * gives the same blocks, times, errors and warnings.  Random files, written in all the ways
 * that writers have, cut off and damaged; and the readers' own sample texts.  PC_TEST_LONG: twenty
 * times as many.
 */
#include "texts.h"
#include "vcd_sets.h"
#include "vcd_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wave/vcd/vcd.h"
#include "wave/vcd/fast.h"
#include "wave/wave.h"

enum { MOST_BITS = 64, READING = 1 << 22 };

struct setup {
    struct pc_wave_clock clock;
    struct pc_wave_bit bit[MOST_BITS];
    size_t bits;
    size_t piece; /* written into a pipe in pieces of at most so many bytes; 0: a file */
    bool tolerate;
    unsigned threads;
    size_t part; /* of the file for a thread at once */
};

/* Everything that a reading says. */
struct reading {
    char *text;
    size_t used;
    bool undeclared;         /* the warnings of those are wanted */
    uint64_t scanned, ahead; /* bytes that went through the scanner, and by other threads */
    uint64_t gone;           /* bytes of vectors that it cut out first */
};

static void say(struct reading *r, const void *bytes, size_t size)
{
    assert_true(r->used + size < READING);
    memcpy(r->text + r->used, bytes, size);
    r->used += size;
}

/* Tests a clock that is every timestamp. */
static void say_stamps(struct reading *r, const struct pc_wave *wave)
{
    struct pc_wave_totals t;

    pc_wave_stamps(wave, &t);
    const uint64_t numbers[] = { t.has_time, t.time_first, t.time_last, t.time_stamps,
                                 t.step,     t.least,      t.most };
    say(r, numbers, sizeof numbers);
}

static void say_block(struct reading *r, const struct setup *setup, const struct pc_wave_block *b)
{
    const uint64_t numbers[] = { b->stream, b->first_cycle, b->cycles, b->first_time,
                                 b->last_time };

    say(r, numbers, sizeof numbers);
    if (setup->clock.times)
        say(r, b->time, b->cycles * sizeof *b->time);
    for (size_t i = 0; i < setup->bits; i++) {
        say(r, b->value[i], (b->cycles + 63) / 64 * sizeof(uint64_t));
        say(r, b->unknown[i], (b->cycles + 63) / 64 * sizeof(uint64_t));
    }
}

/* Values that nobody declared are all counted by the parser only: see vcd/fast.c. */
static void say_warning(struct reading *r, const char *text)
{
    if (r->undeclared || !strstr(text, "which no $var declares"))
        say(r, text, strlen(text) + 1);
}

/* kernel NULL: the parser alone. */
static void read_text(const char *text, size_t size, const struct setup *setup,
                      const struct vcd_scan_kernel *kernel, struct reading *r)
{
    struct pc_wave_desc desc = { .tolerate_time_backwards = setup->tolerate,
                                 .threads = setup->threads,
                                 .strict = kernel == NULL };
    struct pc_error err = { 0 };
    struct pc_wave *wave = NULL;
    struct pc_wave_block b;
    pid_t writer = 0;
    unsigned stream;
    char path[32];
    int fd = -1;

    if (setup->piece) {
        fd = test_pipe(text, size, setup->piece, &writer);
        snprintf(path, sizeof path, "/dev/fd/%d", fd);
        desc.path = path;
        if (pc_wave_open(&desc, &wave, &err) != PC_OK)
            assert_null(wave); /* told below */
    } else {
        wave = text_try(text, size, &desc, &err);
    }
    r->used = 0;
    r->scanned = r->ahead = r->gone = 0;
    if (wave) {
        ((struct vcd *)wave->reader)->kernel = kernel;
        ((struct vcd *)wave->reader)->part = setup->part;
        enum pc_status status =
            pc_wave_bind(wave, &setup->clock, setup->bit, setup->bits, &stream, &err);
        while (status == PC_OK && (status = pc_wave_next(wave, &b, &err)) == PC_OK) {
            say_block(r, setup, &b);
            say_stamps(r, wave);
        }
        say_stamps(r, wave);
        say(r, &status, sizeof status);
        const struct vcd_fast *fast = ((struct vcd *)wave->reader)->fast;
        r->scanned = fast ? fast->scanned : 0;
        r->ahead = fast ? fast->ahead_taken : 0;
        r->gone = fast ? fast->scan.gone : 0;
        for (size_t i = 0; pc_wave_warning(wave, i); i++)
            say_warning(r, pc_wave_warning(wave, i));
    }
    const uint64_t place[] = { err.code, err.line, err.column, err.has_byte ? err.byte : 0 };
    say(r, place, sizeof place);
    say(r, err.text, strlen(err.text));
    pc_wave_close(wave);
    if (fd >= 0) {
        close(fd);
        waitpid(writer, NULL, 0);
    }
}

/* The text, with the blanks made visible, for those who look for the difference. */
static void keep(const char *text, size_t size)
{
    FILE *f = fopen("vcd_fast.failed.vcd", "w");

    assert_non_null(f);
    fwrite(text, 1, size, f);
    fclose(f);
}

static void must_equal(const char *text, size_t size, const struct setup *setup, const char *who,
                       const struct reading *want, const struct reading *got)
{
    size_t at = 0;

    if (want->used == got->used && memcmp(want->text, got->text, want->used) == 0)
        return;
    while (at < want->used && at < got->used && want->text[at] == got->text[at])
        at++;
    keep(text, size);
    fail_msg("%s differs (%zu and %zu bytes, at %zu); see vcd_fast.failed.vcd, edge %d, post %d, "
             "iff %d, %zu bits, pieces of %zu, %u threads, parts of %zu",
             who, got->used, want->used, at, (int)setup->clock.edge, setup->clock.post_edge,
             setup->clock.has_iff, setup->bits, setup->piece, setup->threads, setup->part);
}

struct sums {
    uint64_t bytes, scanned, ahead, gone;
};

/* Reads with everything. */
static void compare(const char *text, size_t size, const struct setup *setup, struct sums *sums)
{
    static char space[2][READING];
    struct reading parsed = { .text = space[0] }, scanned = { .text = space[1] };
    const struct vcd_scan_kernel *kernel;

    read_text(text, size, setup, NULL, &parsed);
    assert_int_equal(parsed.scanned, 0);
    for (size_t i = 0; (kernel = vcd_scan_at(i)) != NULL; i++) {
        if (!kernel->usable())
            continue;
        read_text(text, size, setup, kernel, &scanned);
        must_equal(text, size, setup, kernel->name, &parsed, &scanned);
    }
    sums->bytes += size;
    sums->scanned += scanned.scanned;
    sums->gone += scanned.gone;
    if (setup->piece || !setup->part)
        return;
    struct setup several = *setup;
    parsed.undeclared = scanned.undeclared = true;
    read_text(text, size, setup, vcd_scan_best(), &parsed);
    several.threads = 3;
    read_text(text, size, &several, vcd_scan_best(), &scanned);
    must_equal(text, size, &several, "threads", &parsed, &scanned);
    several.threads = 2;
    for (size_t i = 0; (kernel = vcd_scan_at(i)) != NULL; i++) {
        if (!kernel->usable())
            continue;
        read_text(text, size, &several, kernel, &scanned);
        must_equal(text, size, &several, kernel->name, &parsed, &scanned);
    }
    sums->ahead += scanned.ahead;
}

/* --- random files --- */

static struct setup random_setup(struct writer *w)
{
    struct setup s = {
        .clock = { .edge = (enum pc_edge)(PC_EDGE_POS + writer_below(w, 3)), /* or EVERY */
                   .has_iff = writer_below(w, 3) == 0,
                   .iff_low = writer_below(w, 2),
                   .iff = { writer_below(w, w->vars), 0 },
                   .post_edge = writer_below(w, 3) == 0,
                   .times = writer_below(w, 2) },
        .bits = writer_below(w, writer_below(w, 2) ? 8 : MOST_BITS),
        .piece = writer_below(w, 8) ? 0 : 1 + writer_below(w, 500),
        .tolerate = writer_below(w, 4) == 0,
        .part = 1 + writer_below(w, writer_below(w, 2) ? 300 : 20000),
    };

    if (w->wide && writer_below(w, 4)) /* long runs of lines of no interest */
        s.bits = writer_below(w, 4);
    for (size_t i = 0; i < s.bits; i++) {
        s.bit[i].var = writer_below(w, w->vars);
        s.bit[i].bit = writer_below(w, w->width[s.bit[i].var]);
    }
    return s;
}

static void random_files(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(7, &seed) };
    const unsigned files = test_long() ? 12000 : 250;

    (void)state;
    for (unsigned n = 0; n < files; n++) {
        writer_file(&w, 1 + writer_below(&w, writer_below(&w, 10) ? 200 : 4000));
        struct setup setup = random_setup(&w);
        if (w.out.used > 65536)
            setup.piece *= 64;
        compare(text, w.out.used, &setup, &sums);
    }
    printf("%u files, %" PRIu64 " bytes, %" PRIu64 " of them scanned, %" PRIu64 " ahead, %" PRIu64
           " cut out\n",
           files, sums.bytes, sums.scanned, sums.ahead, sums.gone);
    assert_true(sums.scanned > sums.bytes / 4 && sums.ahead > sums.bytes / 8 &&
                sums.gone > sums.bytes / 256);
}

/* Every place of a short file as its end, as the end of what a read brought, and damaged. */
static void every_place(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(11, &seed), .end = "\n" };

    (void)state;
    writer_header(&w);
    size_t begin = w.out.used;
    writer_body(&w, 12);
    struct setup setup = random_setup(&w);
    size_t size = w.out.used < begin + 1500 ? w.out.used : begin + 1500;
    for (size_t at = begin; at < size; at++) {
        char was = text[at];
        setup.piece = 0;
        compare(text, at, &setup, &sums);
        text[at] = "0 \n#$b~\t"[at % 8];
        compare(text, size, &setup, &sums);
        text[at] = was;
        setup.piece = at;
        if (at % 16 == 0)
            compare(text, size, &setup, &sums);
    }
}

/* Does the same where one span that is scanned at once ends and the next begins. */
static void every_place_of_a_seam(void **state)
{
    static char text[TEXT];
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(19, &seed) };
    struct sums sums = { 0 };

    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        w.out.used = 0;
        w.plain = n == 1;
        w.end = n == 2 ? "\r\n" : "\n";
        writer_header(&w);
        const size_t begin = w.out.used;
        writer_body(&w, 1500);
        w.out.used = begin + 6000;
        struct setup setup = random_setup(&w);
        setup.piece = setup.part = 0;
        for (size_t at = begin + 3900; at < begin + 4700; at++) {
            char was = text[at];
            text[at] = "0 \n#$b~\tx1"[writer_below(&w, 10)];
            compare(text, w.out.used, &setup, &sums);
            text[at] = was;
        }
    }
    assert_true(sums.scanned > sums.bytes / 8);
}

/* Does the same in lines of vectors that are not selected, of all lengths that are cut out, and
 * more. */
static void every_place_of_a_run(void **state)
{
    static char text[TEXT];
    static const unsigned digits[] = { 1,  28, 29, 30,  32,  59,  61,  62,  90,
                                       91, 93, 94, 127, 128, 129, 192, 193, 300 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(29, &seed), .end = "\n" };
    struct sums sums = { 0 };

    (void)state;
    for (size_t n = 0; n < sizeof digits / sizeof digits[0]; n++) {
        w.wide = digits[n];
        do {
            w.out.used = 0;
            writer_header(&w);
        } while (w.vars < 20);
        const size_t begin = w.out.used;
        writer_body(&w, 40);
        struct setup setup = random_setup(&w);
        setup.bits = setup.bits < 3 ? setup.bits : 3;
        setup.piece = 0;
        const size_t size = w.out.used < begin + 3000 ? w.out.used : begin + 3000;
        for (unsigned k = 0; k < 200; k++) {
            const size_t at = begin + writer_below(&w, (uint32_t)(size - begin));
            const char was = text[at];
            text[at] = "01xzb #\n\t\r~\xa1"[writer_below(&w, 12)];
            compare(text, k % 4 ? size : at + 1, &setup, &sums);
            text[at] = was;
        }
    }
    assert_true(sums.gone > sums.bytes / 64);
}

/* Many cycles: blocks end inside of what is scanned at once, with and without a condition. */
static void many_cycles(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(13, &seed), .end = "\n" };

    (void)state;
    for (unsigned n = 0; n < 8; n++) {
        w.out.used = 0;
        writer_header(&w);
        w.vars = 2; /* the others never change */
        writer_body(&w, 45000);
        struct setup setup = random_setup(&w);
        setup.clock.has_iff = n & 1;
        setup.piece = n == 7 ? 10000 : 0;
        setup.part = 5000;
        compare(text, w.out.used, &setup, &sums);
    }
    assert_true(sums.ahead > sums.bytes / 4); /* clocks have glitches */
}

static void every_kind_of_stamp(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(23, &seed) };

    (void)state;
    for (unsigned n = 0; n < 400; n++) {
        w.out.used = 0;
        w.end = n % 8 ? "\n" : "\r\n";
        w.oddity = n % 3 ? 0 : 1 + writer_below(&w, 60);
        writer_header(&w);
        writer_stamps(&w, 900);
        struct setup setup = random_setup(&w);
        compare(text, w.out.used, &setup, &sums);
    }
    assert_true(sums.scanned > sums.bytes / 4);
}

/* One timestamp is far ahead of the next, wherever it stands: at the end of a span as well. */
static void one_stamp_ahead(void **state)
{
    static char text[TEXT];
    const struct setup setup = { .clock = { .edge = PC_EDGE_POS }, .bits = 0 };
    struct sums sums = { 0 };
    struct writer w = { .out = { .at = text } };

    (void)state;
    for (unsigned ahead = 380; ahead < 460; ahead++) {
        w.out.used = 0;
        writer_put(&w, "$var wire 1 ! c $end\n$enddefinitions $end\n");
        for (unsigned n = 0; n < 600; n++) {
            char line[64];
            snprintf(line, sizeof line, "#1%c0000%09u\n%u!\n", n == ahead ? '8' : '0', 5 * n,
                     n & 1);
            writer_put(&w, line);
        }
        compare(text, w.out.used, &setup, &sums);
    }
    assert_true(sums.scanned > sums.bytes / 4);
}

/* Most of a file of the usual kind must not be left to the parser. */
static void nearly_all_is_scanned(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(17, &seed), .end = "\n" };
    struct setup setup = { .clock = { .edge = PC_EDGE_POS }, .bits = 0 };

    (void)state;
    writer_header(&w);
    size_t begin = w.out.used;
    for (unsigned n = 0; n < 4000; n++) {
        char line[64];
        snprintf(line, sizeof line, "#%u\n%u%s\n0%s\n", 10 + 5 * n, n & 1, w.id[0], w.id[1]);
        writer_put(&w, line);
    }
    compare(text, w.out.used, &setup, &sums);
    assert_true(sums.scanned > (w.out.used - begin) * 98 / 100);
    setup.part = 5000;
    compare(text, w.out.used, &setup, &sums);
    assert_true(sums.ahead > (w.out.used - begin) * 80 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_files),          cmocka_unit_test(every_place),
        cmocka_unit_test(every_place_of_a_seam), cmocka_unit_test(every_place_of_a_run),
        cmocka_unit_test(many_cycles),           cmocka_unit_test(every_kind_of_stamp),
        cmocka_unit_test(nearly_all_is_scanned), cmocka_unit_test(one_stamp_ahead),
        cmocka_unit_test(every_set_is_usable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
