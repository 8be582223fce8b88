/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner against the parser: the same file read with every kernel, and with none,
 * gives the same blocks, times, errors and warnings.  Random files, written in all the ways
 * that writers have, cut off and damaged; and the readers' own sample texts.
 */
#include "texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wave/vcd.h"
#include "wave/vcd_fast.h"
#include "wave/wave.h"

enum { MOST_VARS = 40, MOST_BITS = 64, TEXT = 1 << 21, READING = 1 << 22 };

struct text {
    char *at;
    size_t used;
};

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
};

static void say(struct reading *r, const void *bytes, size_t size)
{
    assert_true(r->used + size < READING);
    memcpy(r->text + r->used, bytes, size);
    r->used += size;
}

static void say_block(struct reading *r, const struct setup *setup, const struct pc_wave_block *b)
{
    const uint64_t numbers[] = { b->stream, b->first_cycle, b->cycles, b->first_time,
                                 b->last_time };

    say(r, numbers, sizeof numbers);
    for (size_t i = 0; i < setup->bits; i++) {
        say(r, b->value[i], (b->cycles + 63) / 64 * sizeof(uint64_t));
        say(r, b->unknown[i], (b->cycles + 63) / 64 * sizeof(uint64_t));
    }
}

/* Values that nobody declared are all counted by the parser only: see vcd_fast.c. */
static void say_warning(struct reading *r, const char *text)
{
    if (r->undeclared || !strstr(text, "which no $var declares"))
        say(r, text, strlen(text) + 1);
}

/* Writes the text into a pipe from another process; its number of the reading end. */
static int pipe_of(const char *text, size_t size, size_t piece, pid_t *writer)
{
    int end[2];

    assert_int_equal(pipe(end), 0);
    *writer = fork();
    assert_true(*writer >= 0);
    if (*writer == 0) {
        close(end[0]);
        for (size_t at = 0; at < size; at += piece)
            if (write(end[1], text + at, size - at < piece ? size - at : piece) < 0)
                break;
        _exit(0);
    }
    close(end[1]);
    return end[0];
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
        fd = pipe_of(text, size, setup->piece, &writer);
        snprintf(path, sizeof path, "/dev/fd/%d", fd);
        desc.path = path;
        if (pc_wave_open(&desc, &wave, &err) != PC_OK)
            assert_null(wave); /* told below */
    } else {
        wave = text_try(text, size, &desc, &err);
    }
    r->used = 0;
    r->scanned = r->ahead = 0;
    if (wave) {
        ((struct vcd *)wave->reader)->kernel = kernel;
        ((struct vcd *)wave->reader)->part = setup->part;
        enum pc_status status =
            pc_wave_bind(wave, &setup->clock, setup->bit, setup->bits, &stream, &err);
        while (status == PC_OK && (status = pc_wave_next(wave, &b, &err)) == PC_OK)
            say_block(r, setup, &b);
        say(r, &status, sizeof status);
        const struct vcd_fast *fast = ((struct vcd *)wave->reader)->fast;
        r->scanned = fast ? fast->scanned : 0;
        r->ahead = fast ? fast->ahead_taken : 0;
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
    uint64_t bytes, scanned, ahead;
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
    if (setup->piece || !setup->part)
        return;
    struct setup several = *setup;
    parsed.undeclared = scanned.undeclared = true;
    read_text(text, size, setup, vcd_scan_best(), &parsed);
    for (several.threads = 2; several.threads <= 3; several.threads++) {
        read_text(text, size, &several, vcd_scan_best(), &scanned);
        must_equal(text, size, &several, "threads", &parsed, &scanned);
    }
    sums->ahead += scanned.ahead;
}

/* --- random files --- */

struct writer {
    struct text out;
    struct test_rng rng;
    const char *end; /* of a line */
    unsigned vars;
    char id[MOST_VARS][12];
    unsigned width[MOST_VARS];
    unsigned oddity; /* one in so many lines is odd; 0: none */
    bool clock_last, upper;
    bool plain; /* nothing but 0 and 1 */
};

static uint32_t below(struct writer *w, uint32_t n)
{
    return test_rand_below(&w->rng, n);
}

static void put(struct writer *w, const char *text)
{
    size_t n = strlen(text);

    assert_true(w->out.used + n < TEXT);
    memcpy(w->out.at + w->out.used, text, n);
    w->out.used += n;
}

/* Different from all before it; of one length, or of many. */
static void make_id(struct writer *w, unsigned i, unsigned longest)
{
    for (bool again = true; again;) {
        unsigned n = 1 + below(w, longest);
        for (unsigned k = 0; k < n; k++)
            w->id[i][k] = (char)(below(w, 3) ? '!' + (int)below(w, 94) : "01xb#$"[below(w, 6)]);
        w->id[i][n] = '\0';
        again = w->id[i][0] == '$' && n > 1; /* not a keyword */
        for (unsigned k = 0; k < i; k++)
            again |= strcmp(w->id[i], w->id[k]) == 0;
    }
}

static void header(struct writer *w)
{
    char line[100];
    unsigned longest = below(w, 3) ? 1 + below(w, 3) : 1 + below(w, 10);

    w->vars = 3 + below(w, MOST_VARS - 2);
    put(w, "$timescale 1ns $end");
    put(w, w->end);
    for (unsigned i = 0; i < w->vars; i++) {
        make_id(w, i, w->vars > 8 && longest == 1 ? 2 : longest);
        w->width[i] = i < 2 || below(w, 3) ? 1 : 1 + below(w, 40);
        snprintf(line, sizeof line, "$var wire %u %s v%u $end", w->width[i], w->id[i], i);
        put(w, line);
        put(w, w->end);
    }
    put(w, "$enddefinitions $end");
    put(w, w->end);
}

static char digit(struct writer *w)
{
    return w->plain || below(w, 8) ? (char)('0' + below(w, 2)) : "xzXZ"[below(w, 4)];
}

static void put_value(struct writer *w, unsigned i)
{
    char line[128];
    size_t n = 0;

    if (w->plain || (w->width[i] == 1 && below(w, 20))) {
        line[n++] = digit(w);
    } else {
        unsigned digits = below(w, 4) ? 1 + below(w, w->width[i]) : w->width[i];
        line[n++] = w->upper ? 'B' : 'b';
        for (unsigned k = 0; k < digits; k++)
            line[n++] = digit(w);
        line[n++] = ' ';
    }
    strcpy(line + n, w->id[i]);
    put(w, line);
    put(w, w->end);
}

/* What writers and editors leave in files, and what is wrong. */
static void put_oddity(struct writer *w)
{
    static const char *const odd[] = {
        "$comment 1! 0! \n#5 $end\n",
        "\n",
        "  ",
        "\t",
        "$dumpall\n",
        "$end\n",
        "$dumpoff\n",
        "$dumpon\n$end\n",
        "r1.5 !\n",
        "bU10 !\n",
        "b",
        "#",
        "0",
        "q!\n",
        "sTEXT !\n",
        "1\n!\n",
        "0! 1!\n",
        "#3.5\n",
        "$vcdclose\n#9\n$end\n",
        "\r\n",
        "h!\n",
        "b111111111111111111 !\n",
        "\x80!\n",
        "1\xff\n",
        "pD 6 0 !\n",
        "\x1a",
    };
    unsigned which = below(w, sizeof odd / sizeof odd[0] + 1);

    if (which < sizeof odd / sizeof odd[0])
        put(w, odd[which]);
    else
        put_value(w, below(w, w->vars));
}

static void put_clock(struct writer *w, unsigned level)
{
    char line[16] = { (char)('0' + level) };

    if (below(w, 400) == 0)
        line[0] = digit(w);
    strcpy(line + 1, w->id[0]);
    put(w, line);
    put(w, w->end);
    if (below(w, 300) == 0) { /* a glitch, or the same again */
        line[0] ^= (char)below(w, 2);
        put(w, line);
        put(w, w->end);
    }
}

static void body(struct writer *w, unsigned groups)
{
    uint64_t time = below(w, 2) ? 0 : below(w, 2) ? 99990 : UINT64_C(99999999999900);
    char line[32];
    unsigned level = 0, busy = 1 + below(w, 30);

    for (unsigned g = 0; g < groups; g++) {
        snprintf(line, sizeof line, "#%" PRIu64, time);
        put(w, line);
        put(w, w->end);
        time += w->oddity && below(w, w->oddity) == 0 ? below(w, 2) : 1 + below(w, 9);
        if (w->oddity && below(w, 40 * w->oddity) == 0)
            time -= time < 3 ? 0 : 3;
        if (!w->clock_last)
            put_clock(w, level ^= 1);
        for (unsigned i = 0; i < w->vars; i++)
            if (i != 0 && below(w, 32) < busy)
                put_value(w, i);
        if (w->clock_last)
            put_clock(w, level ^= 1);
        while (w->oddity && below(w, w->oddity) == 0)
            put_oddity(w);
    }
}

static void random_file(struct writer *w, unsigned groups)
{
    w->out.used = 0;
    w->end = below(w, 4) ? "\n" : "\r\n";
    w->oddity = below(w, 2) ? 0 : 20 + below(w, 200);
    w->clock_last = below(w, 2);
    w->upper = below(w, 8) == 0;
    w->plain = below(w, 3) == 0;
    header(w);
    body(w, groups);
    switch (below(w, 4)) {
    case 0: /* cut off somewhere */
        w->out.used -= below(w, (uint32_t)(w->out.used / 4));
        break;
    case 1: /* damaged */
        for (unsigned n = below(w, 3); n > 0; n--)
            w->out.at[w->out.used / 2 + below(w, (uint32_t)(w->out.used / 2))] =
                (char)(below(w, 2) ? ' ' + (int)below(w, 95) : (int)below(w, 256));
        break;
    }
}

static struct setup random_setup(struct writer *w)
{
    struct setup s = {
        .clock = { .edge = below(w, 2) ? PC_EDGE_POS : PC_EDGE_NEG,
                   .has_iff = below(w, 3) == 0,
                   .iff_low = below(w, 2),
                   .iff = { below(w, w->vars), 0 },
                   .post_edge = below(w, 3) == 0 },
        .bits = below(w, below(w, 2) ? 8 : MOST_BITS),
        .piece = below(w, 8) ? 0 : 1 + below(w, 500),
        .tolerate = below(w, 4) == 0,
        .part = 1 + below(w, below(w, 2) ? 300 : 20000),
    };

    for (size_t i = 0; i < s.bits; i++) {
        s.bit[i].var = below(w, w->vars);
        s.bit[i].bit = below(w, w->width[s.bit[i].var]);
    }
    return s;
}

static void random_files(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(7, &seed) };
    const unsigned files = test_long() ? 40000 : 600;

    (void)state;
    for (unsigned n = 0; n < files; n++) {
        random_file(&w, 1 + below(&w, below(&w, 10) ? 200 : 4000));
        struct setup setup = random_setup(&w);
        if (w.out.used > 65536)
            setup.piece *= 64;
        compare(text, w.out.used, &setup, &sums);
    }
    printf("%u files, %" PRIu64 " bytes, %" PRIu64 " of them scanned, %" PRIu64 " ahead\n", files,
           sums.bytes, sums.scanned, sums.ahead);
    assert_true(sums.scanned > sums.bytes / 4 && sums.ahead > sums.bytes / 8);
}

/* Every place of a short file as its end, as the end of what a read brought, and damaged. */
static void every_place(void **state)
{
    static char text[TEXT];
    struct sums sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(11, &seed), .end = "\n" };

    (void)state;
    header(&w);
    size_t begin = w.out.used;
    body(&w, 12);
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

/* The same where one span of what is looked at at once ends and the next begins. */
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
        header(&w);
        const size_t begin = w.out.used;
        body(&w, 1500);
        w.out.used = begin + 6000;
        struct setup setup = random_setup(&w);
        setup.piece = setup.part = 0;
        for (size_t at = begin + 3900; at < begin + 4700; at++) {
            char was = text[at];
            text[at] = "0 \n#$b~\tx1"[below(&w, 10)];
            compare(text, w.out.used, &setup, &sums);
            text[at] = was;
        }
    }
    assert_true(sums.scanned > sums.bytes / 8);
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
        header(&w);
        w.vars = 2; /* the others never change */
        body(&w, 45000);
        struct setup setup = random_setup(&w);
        setup.clock.has_iff = n & 1;
        setup.piece = n == 7 ? 10000 : 0;
        setup.part = 5000;
        compare(text, w.out.used, &setup, &sums);
    }
    assert_true(sums.ahead > sums.bytes / 4); /* clocks have glitches */
}

/*
 * Time stamps of all lengths, in steps of all sizes, so that any of their digits moves while the
 * others go on or back; some are not later, and some are no numbers.
 */
static void stamps(struct writer *w, unsigned count)
{
    const unsigned digits = 1 + below(w, 17);
    uint64_t ten[18] = { 1 }; /* powers */
    char line[48];

    for (unsigned i = 1; i < 18; i++)
        ten[i] = 10 * ten[i - 1];
    const uint64_t least = ten[digits - 1], room = 9 * least;
    uint64_t time = least + test_rand(&w->rng) % room;
    for (unsigned n = 0; n < count; n++) {
        int length = snprintf(line, sizeof line, "#%" PRIu64, time);
        if (w->oddity && below(w, 40 * w->oddity) == 0)
            line[1 + below(w, (unsigned)length - 1)] = "0.:/x"[below(w, 5)];
        put(w, line);
        put(w, w->end);
        snprintf(line, sizeof line, "%u%s%s", n & 1, w->id[0], w->end);
        put(w, line);
        time += below(w, 20) ? 1 + below(w, 9) : ten[below(w, digits)];
        if (w->oddity && below(w, 10 * w->oddity) == 0)
            time -= time < ten[digits - 1] ? 0 : ten[below(w, digits)];
    }
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
        w.oddity = n % 3 ? 0 : 1 + below(&w, 60);
        header(&w);
        stamps(&w, 900);
        struct setup setup = random_setup(&w);
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
    header(&w);
    size_t begin = w.out.used;
    for (unsigned n = 0; n < 4000; n++) {
        char line[64];
        snprintf(line, sizeof line, "#%u\n%u%s\n0%s\n", 10 + 5 * n, n & 1, w.id[0], w.id[1]);
        put(&w, line);
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
        cmocka_unit_test(every_place_of_a_seam), cmocka_unit_test(many_cycles),
        cmocka_unit_test(every_kind_of_stamp),   cmocka_unit_test(nearly_all_is_scanned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
