/* SPDX-License-Identifier: MIT */
/*
 * What a scan tells piece by piece (vcd/activity.c) against the parser, stamp by stamp: the same
 * activity of every stream, totals, warnings and errors with their places, whatever the pieces,
 * windows and threads.  Random files in all the ways that writers have, damaged ones, and plain
 * ones with identifiers of all lengths.  PC_TEST_LONG: twenty times as many.
 */
#include "texts.h"
#include "vcd_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/vcd/vcd.h"
#include "wave/wave.h"

struct told {
    enum pc_status status;
    struct pc_error err;
    struct pc_wave_totals totals;
    struct pc_var_activity *row;
    size_t rows;
    char warnings[2000];
};

static uint64_t by_pieces, all; /* changes that were counted so, and all */

static void note_pieces(struct wv_reader *r, const struct wv_scan *s)
{
    const uint64_t before = s->totals->changes;

    vcd_scan_activity(r, s);
    by_pieces += s->totals->changes - before;
}

/* threads 0: stamp by stamp. */
static void scan(const char *text, size_t size, unsigned threads, size_t part, bool tolerate,
                 struct told *t)
{
    const struct pc_wave_desc desc = { .threads = threads, .tolerate_time_backwards = tolerate };
    struct wv_reader_ops ops;
    struct pc_wave_info info;

    memset(t, 0, sizeof *t);
    struct pc_wave *wave = text_try(text, size, &desc, &t->err);
    if (!wave) {
        t->status = PC_EINPUT;
        return;
    }
    ops = *wave->reader->ops;
    ops.scan = threads ? note_pieces : NULL;
    wave->reader->ops = &ops;
    ((struct vcd *)wave->reader)->part = part;
    pc_wave_get_info(wave, &info);
    t->rows = info.codes;
    t->row = calloc(info.codes + 1, sizeof *t->row);
    assert_non_null(t->row);
    t->status = pc_wave_scan(wave, &t->totals, t->row, &t->err);
    for (size_t i = 0; pc_wave_warning(wave, i); i++)
        snprintf(t->warnings + strlen(t->warnings), sizeof t->warnings - strlen(t->warnings),
                 "%s\n", pc_wave_warning(wave, i));
    pc_wave_close(wave);
}

static void must_equal(const struct told *want, const struct told *got, const char *text,
                       size_t size, unsigned threads, size_t part)
{
    size_t row = 0;

    while (row < want->rows && row < got->rows &&
           memcmp(&want->row[row], &got->row[row], sizeof want->row[row]) == 0)
        row++;
    const bool places = want->err.code == got->err.code && want->err.line == got->err.line &&
                        want->err.column == got->err.column && want->err.byte == got->err.byte;
    const bool activity = row == want->rows && row == got->rows;
    if (want->status == got->status && activity && places &&
        memcmp(&want->totals, &got->totals, sizeof want->totals) == 0 &&
        strcmp(want->warnings, got->warnings) == 0)
        return;
    FILE *f = fopen("vcd_activity.failed.vcd", "w");
    assert_non_null(f);
    fwrite(text, 1, size, f);
    fclose(f);
    fail_msg(
        "%u threads, parts of %zu: stream %zu, or totals, warnings (%s, %s), error (%s, %s); see "
        "vcd_activity.failed.vcd",
        threads, part, row, want->warnings, got->warnings, want->err.text, got->err.text);
}

static void compare(const char *text, size_t size, size_t part, bool tolerate)
{
    struct told want, got;

    scan(text, size, 0, 0, tolerate, &want);
    for (unsigned threads = 1; threads <= 3; threads++) {
        scan(text, size, threads, part, tolerate, &got);
        must_equal(&want, &got, text, size, threads, part);
        all += got.totals.changes;
        free(got.row);
    }
    free(want.row);
}

/* ---- files of all kinds ---- */

static void random_files(void **state)
{
    static char text[TEXT];
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(83, &seed) };
    const unsigned files = test_long() ? 12000 : 600;

    (void)state;
    by_pieces = all = 0;
    for (unsigned n = 0; n < files; n++) {
        writer_file(&w, 1 + writer_below(&w, writer_below(&w, 10) ? 200 : 4000));
        compare(text, w.out.used, 1 + writer_below(&w, writer_below(&w, 2) ? 300 : 20000),
                writer_below(&w, 4) == 0);
    }
    printf("%u files, %" PRIu64 " of %" PRIu64 " changes by pieces\n", files, by_pieces, all);
    assert_true(by_pieces > all / 8);
}

/* Every place of a short file as its end, and damaged. */
static void every_place(void **state)
{
    static char text[TEXT];
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(89, &seed), .end = "\n" };

    (void)state;
    writer_header(&w);
    const size_t begin = w.out.used;
    writer_body(&w, 12);
    const size_t size = w.out.used < begin + 1500 ? w.out.used : begin + 1500;
    for (size_t at = begin; at < size; at++) {
        const char was = text[at];
        compare(text, at, 100, false);
        text[at] = "0 \n#$b~\tx\x7fr"[writer_below(&w, 11)];
        compare(text, size, 1 + writer_below(&w, 200), false);
        text[at] = was;
    }
}

/* ---- plain files ---- */

enum { STREAMS = 120 };
enum sort { BIT, VECTOR, EVENT, REAL, SORTS };

/* Numbers of one to four digits of 94, either end first, or followed by something: no number. */
static void make_id(unsigned n, unsigned order, char id[8])
{
    char digit[8];
    unsigned length = 0;

    for (n++; n > 0; n = (n - 1) / 94)
        digit[length++] = (char)('!' + (n - 1) % 94);
    for (unsigned i = 0; i < length; i++)
        id[i] = order == 1 ? digit[length - 1 - i] : digit[i];
    memcpy(id + length, order == 2 ? "_abc" : "", order == 2 ? 5 : 1);
}

static void put_value(struct writer *w, enum sort sort, const char *id)
{
    const char *const states = writer_below(w, 4) ? "01" : "01xzXZ";
    const uint32_t count = (uint32_t)strlen(states);
    char line[80];

    if (sort == BIT) {
        snprintf(line, sizeof line, writer_below(w, 16) ? "%c%s\n" : "b%c %s\n",
                 states[writer_below(w, count)], id);
    } else if (sort == VECTOR) {
        char digits[34];
        const uint32_t length = 1 + writer_below(w, 33);
        for (uint32_t i = 0; i < length; i++)
            digits[i] = states[writer_below(w, count)];
        digits[length] = '\0';
        snprintf(line, sizeof line, "%c%s %s\n", "bB"[writer_below(w, 2)], digits, id);
    } else if (sort == EVENT) {
        snprintf(line, sizeof line, "1%s\n", id);
    } else {
        snprintf(line, sizeof line, "r%u.5e-3 %s\n", (unsigned)writer_below(w, 1000), id);
    }
    writer_put(w, line);
}

/* What is for the parser alone, and looks nearly like the rest. */
static void put_odd(struct writer *w, const char *id)
{
    static const char *const odd[] = { "1 %s\n",    "0%s\x7f\n",
                                       "1%s\xa1\n", "b0 %s \n",
                                       "b %s\n",    "r1 %s\n",
                                       "x%s\t\n",   "b01010101010101010101010101010101011 %s\n",
                                       "1%s\r\n",   "1%s 0%s\n" };
    char line[80];

    snprintf(line, sizeof line, odd[writer_below(w, sizeof odd / sizeof odd[0])], id, id);
    writer_put(w, line);
}

/* As simulators write them; one line in `odd` is another one. */
static void plain_file(struct writer *w, unsigned stamps, unsigned odd)
{
    static const char *const declare[SORTS] = { "wire 1", "wire 33", "event 1", "real 64" };
    const unsigned streams = 1 + writer_below(w, STREAMS), order = writer_below(w, 3);
    const unsigned apart = writer_below(w, 2) ? 1 : 8000; /* from one stream's number to the next */
    enum sort sort[STREAMS];
    char id[STREAMS][8], line[80];
    uint64_t time = writer_below(w, 3);

    w->out.used = 0;
    for (unsigned i = 0; i < streams; i++) {
        sort[i] = writer_below(w, 3) ? BIT : (enum sort)writer_below(w, SORTS);
        make_id(i * apart, order, id[i]);
        snprintf(line, sizeof line, "$var %s %s v%u $end\n", declare[sort[i]], id[i], i);
        writer_put(w, line);
    }
    writer_put(w, "$enddefinitions $end\n");
    for (unsigned s = 0; s < stamps; s++) {
        snprintf(line, sizeof line, "#%" PRIu64 "\n", time);
        writer_put(w, line);
        time += 1 + writer_below(w, writer_below(w, 8) ? 3 : 100000);
        for (unsigned n = writer_below(w, 6); n > 0; n--) {
            const unsigned i = writer_below(w, streams);
            if (odd && writer_below(w, odd) == 0)
                put_odd(w, id[i]);
            else
                put_value(w, sort[i], id[i]);
        }
    }
}

static void plain_files(void **state)
{
    static char text[TEXT];
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(97, &seed) };
    const unsigned files = test_long() ? 6000 : 300;

    (void)state;
    by_pieces = all = 0;
    for (unsigned n = 0; n < files; n++) {
        plain_file(&w, 1 + writer_below(&w, 3000), 0);
        compare(text, w.out.used, 200 + writer_below(&w, 5000), false);
    }
    printf("%u files, %" PRIu64 " of %" PRIu64 " changes by pieces\n", files, by_pieces, all);
    assert_true(by_pieces > all / 10 * 9);
    for (unsigned n = 0; n < files; n++) {
        plain_file(&w, 1 + writer_below(&w, 300), 50);
        compare(text, w.out.used, 50 + writer_below(&w, 500), false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_files),
        cmocka_unit_test(every_place),
        cmocka_unit_test(plain_files),
    };

    return cmocka_run_group_tests_name("wave/vcd_activity", tests, NULL, NULL);
}
