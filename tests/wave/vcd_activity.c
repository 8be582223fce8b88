/* SPDX-License-Identifier: MIT */
/*
 * What a scan tells piece by piece (vcd/activity.c) against the parser, stamp by stamp: the same
 * activity of every stream, totals, warnings and errors with their places, whatever the pieces,
 * windows and threads.  Random files in all the ways that writers have, damaged ones, and plain
 * ones with identifiers of all lengths.  PC_TEST_LONG: twenty times as many.
 */
#include "texts.h"
#include "vcd_pieces.h"
#include "vcd_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void compare(const char *text, size_t size, size_t part, bool tolerate, struct pieces *sums)
{
    const char *path = text_file(text, size);

    pieces_agree(path, part, tolerate, sums);
    unlink(path);
}

/* ---- files of all kinds ---- */

static void random_files(void **state)
{
    static char text[TEXT];
    struct pieces sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(83, &seed) };
    const unsigned files = test_long() ? 12000 : 600;

    (void)state;
    for (unsigned n = 0; n < files; n++) {
        writer_file(&w, 1 + writer_below(&w, writer_below(&w, 10) ? 200 : 4000));
        compare(text, w.out.used, 1 + writer_below(&w, writer_below(&w, 2) ? 300 : 20000),
                writer_below(&w, 4) == 0, &sums);
    }
    printf("%u files, %" PRIu64 " of %" PRIu64 " changes by pieces\n", files, sums.by_pieces,
           sums.all);
    assert_true(sums.by_pieces > sums.all / 8);
}

/* Every place of a short file as its end, and damaged. */
static void every_place(void **state)
{
    static char text[TEXT];
    struct pieces sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(89, &seed), .end = "\n" };

    (void)state;
    writer_header(&w);
    const size_t begin = w.out.used;
    writer_body(&w, 12);
    const size_t size = w.out.used < begin + 1500 ? w.out.used : begin + 1500;
    for (size_t at = begin; at < size; at++) {
        const char was = text[at];
        compare(text, at, 100, false, &sums);
        text[at] = "0 \n#$b~\tx\x7fr"[writer_below(&w, 11)];
        compare(text, size, 1 + writer_below(&w, 200), false, &sums);
        text[at] = was;
    }
}

/* ---- plain files ---- */

enum { STREAMS = 120, ID = 12 };
enum sort { BIT, VECTOR, EVENT, REAL, SORTS };

/* Numbers of one to four digits of 94, either end first, or followed by something: no number. */
static void make_id(unsigned n, unsigned order, char id[ID])
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

/* Writes lines as simulators do; one line in `odd` differs. */
static void plain_file(struct writer *w, unsigned stamps, unsigned odd)
{
    static const char *const declare[SORTS] = { "wire 1", "wire 33", "event 1", "real 64" };
    const unsigned streams = 1 + writer_below(w, STREAMS), order = writer_below(w, 3);
    const unsigned apart = writer_below(w, 2) ? 1 : 8000; /* from one stream's number to the next */
    enum sort sort[STREAMS];
    char id[STREAMS][ID], line[80];
    uint64_t time = writer_below(w, 3);

    w->out.used = 0;
    for (unsigned i = 0; i < streams; i++) {
        sort[i] = writer_below(w, 3) ? BIT : (enum sort)writer_below(w, SORTS);
        make_id(i * apart, order, id[i]);
        snprintf(line, sizeof line, "$var %s %s v%u $end\n", declare[sort[i]], id[i], i);
        writer_put(w, line);
    }
    writer_put(w, "$enddefinitions $end\n");
    for (unsigned n = writer_below(w, 2) * writer_below(w, 9); n > 0; n--) { /* no stamp's */
        const unsigned i = writer_below(w, streams);
        put_value(w, sort[i], id[i]);
    }
    for (unsigned s = 0; s < stamps; s++) {
        snprintf(line, sizeof line, "#%" PRIu64 "\n", time);
        writer_put(w, line);
        time += 1 + writer_below(w, writer_below(w, 8) ? 3 : 100000);
        if (odd && writer_below(w, 4 * odd) == 0)
            time /= 2;
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
    struct pieces sums = { 0 };
    uint64_t seed;
    struct writer w = { .out = { .at = text }, .rng = test_rng_start(97, &seed) };
    const unsigned files = test_long() ? 6000 : 300;
    struct pieces odd = { 0 };

    (void)state;
    for (unsigned n = 0; n < files; n++) {
        plain_file(&w, 1 + writer_below(&w, 3000), 0);
        compare(text, w.out.used, 200 + writer_below(&w, 5000), false, &sums);
    }
    printf("%u files, %" PRIu64 " of %" PRIu64 " changes by pieces\n", files, sums.by_pieces,
           sums.all);
    assert_true(sums.by_pieces > sums.all / 5 * 4);
    for (unsigned n = 0; n < files; n++) {
        plain_file(&w, 1 + writer_below(&w, 300), 50);
        compare(text, w.out.used, 50 + writer_below(&w, 500), writer_below(&w, 2), &odd);
    }
    assert_true(odd.by_pieces > odd.all / 100);
}

/* An identifier with a character that none has is not another one, nor cut off before it. */
static void identifiers_of_odd_characters(void **state)
{
    static const unsigned char odd[] = { ' ', '\t', '\r', 0x1f, 0x7f, 0x80, 0xa1, 0xff };
    static char text[TEXT];
    struct writer w = { .out = { .at = text } };
    struct pieces sums = { 0 };
    char id[ID], line[80];

    (void)state;
    for (unsigned n = 0; n < 2 * sizeof odd; n++) {
        const char c = (char)odd[n / 2];
        w.out.used = 0;
        for (unsigned i = 0; i < 96 * 94; i++) { /* all of one and two characters */
            make_id(i, 0, id);
            snprintf(line, sizeof line, "$var wire 1 %s v%u $end\n", id, i);
            writer_put(&w, line);
        }
        writer_put(&w, "$enddefinitions $end\n");
        for (unsigned s = 0; s < 60; s++) {
            snprintf(line, sizeof line, "#%u\n%u!\n", s, s % 2);
            writer_put(&w, line);
            snprintf(line, sizeof line, n % 2 ? "1%c!\n" : "1!%c\n", c);
            writer_put(&w, s == 30 ? line : "");
        }
        compare(text, w.out.used, 40, false, &sums);
    }
    assert_true(sums.by_pieces > sums.all / 4);
}

/* More than a stamp may have (PC-E0612) is too much for any number of threads. */
static void too_much_at_a_time(void **state)
{
    static char text[TEXT];
    struct writer w = { .out = { .at = text } };
    struct pieces sums = { 0 };
    char line[80];

    (void)state;
    if (!test_long()) {
        test_say_skip("too_much_at_a_time", "PC_TEST_LONG is not set: it takes 1 GB of memory");
        skip();
    }
    writer_put(&w, "$var wire 1048576 ! v $end\n$var wire 1 \" c $end\n$enddefinitions $end\n");
    writer_put(&w, "#0\n0\"\n#1\n");
    for (unsigned n = 0; n < 1100; n++)
        writer_put(&w, "b0 !\n");
    for (unsigned t = 2; t < 2000; t++) {
        snprintf(line, sizeof line, "#%u\n%u\"\n", t, t % 2);
        writer_put(&w, line);
    }
    compare(text, w.out.used, 400, false, &sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_files),       cmocka_unit_test(every_place),
        cmocka_unit_test(plain_files),        cmocka_unit_test(identifiers_of_odd_characters),
        cmocka_unit_test(too_much_at_a_time),
    };

    return cmocka_run_group_tests_name("wave/vcd_activity", tests, NULL, NULL);
}
