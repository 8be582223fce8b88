/* SPDX-License-Identifier: MIT */
#include "vcd_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t writer_below(struct writer *w, uint32_t n)
{
    return test_rand_below(&w->rng, n);
}

void writer_put(struct writer *w, const char *text)
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
        unsigned n = 1 + writer_below(w, longest);
        for (unsigned k = 0; k < n; k++)
            w->id[i][k] = (char)(writer_below(w, 3) ? '!' + (int)writer_below(w, 94)
                                                    : "01xb#$"[writer_below(w, 6)]);
        w->id[i][n] = '\0';
        again = w->id[i][0] == '$' && n > 1; /* not a keyword */
        for (unsigned k = 0; k < i; k++)
            again |= strcmp(w->id[i], w->id[k]) == 0;
    }
}

void writer_header(struct writer *w)
{
    char line[100];
    unsigned longest = writer_below(w, 3) ? 1 + writer_below(w, 3) : 1 + writer_below(w, 10);

    w->vars = 3 + writer_below(w, MOST_VARS - 2);
    writer_put(w, "$timescale 1ns $end");
    writer_put(w, w->end);
    for (unsigned i = 0; i < w->vars; i++) {
        make_id(w, i, w->vars > 8 && longest == 1 ? 2 : longest);
        w->width[i] = i < 2 || writer_below(w, 3) ? 1 : 1 + writer_below(w, 40);
        if (w->wide && i > 1 && writer_below(w, 16))
            w->width[i] = w->wide;
        snprintf(line, sizeof line, "$var wire %u %s v%u $end", w->width[i], w->id[i], i);
        writer_put(w, line);
        writer_put(w, w->end);
    }
    writer_put(w, "$enddefinitions $end");
    writer_put(w, w->end);
}

static char digit(struct writer *w)
{
    return w->plain || writer_below(w, 8) ? (char)('0' + writer_below(w, 2))
                                          : "xzXZ"[writer_below(w, 4)];
}

static void put_value(struct writer *w, unsigned i)
{
    char line[MOST_DIGITS + 32];
    size_t n = 0;

    if (w->wide && w->width[i] == w->wide && writer_below(w, 100)) {
        line[n++] = 'b';
        for (unsigned k = 0; k < w->wide; k++)
            line[n++] = (char)('0' + writer_below(w, 2));
        if (!w->plain && writer_below(w, 8) == 0)
            line[1 + writer_below(w, w->wide)] = digit(w);
        line[n++] = ' ';
    } else if (w->plain || (w->width[i] == 1 && writer_below(w, 20))) {
        line[n++] = digit(w);
    } else {
        unsigned digits = writer_below(w, 4) ? 1 + writer_below(w, w->width[i]) : w->width[i];
        line[n++] = w->upper ? 'B' : 'b';
        for (unsigned k = 0; k < digits; k++)
            line[n++] = digit(w);
        line[n++] = ' ';
    }
    strcpy(line + n, w->id[i]);
    writer_put(w, line);
    writer_put(w, w->end);
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
        "\x01\x02\x03\n",
        "$\n",
        "$ \t#",
        "$odd\n",
        "$odd 1! $end\n",
        "$comment 1!$end\n",
        "$comment\n$dumpall 1!\n$end\n",
        "$dumpall$end\n",
        "$timescale 1ns $end\n",
        "b\n",
        "b1 \n",
        "b0b10 !\n",
        "b01010101010b1010101010101010101010101010101010 !\n",
        "1\n",
        "#1e+16\n",
        "\xfe!\n",
    };
    unsigned which = writer_below(w, sizeof odd / sizeof odd[0] + 1);

    if (which < sizeof odd / sizeof odd[0])
        writer_put(w, odd[which]);
    else
        put_value(w, writer_below(w, w->vars));
}

static void put_clock(struct writer *w, unsigned level)
{
    char line[16] = { (char)('0' + level) };

    if (writer_below(w, 400) == 0)
        line[0] = digit(w);
    strcpy(line + 1, w->id[0]);
    writer_put(w, line);
    writer_put(w, w->end);
    if (writer_below(w, 300) == 0) { /* a glitch, or the same again */
        line[0] ^= (char)writer_below(w, 2);
        writer_put(w, line);
        writer_put(w, w->end);
    }
}

void writer_body(struct writer *w, unsigned groups)
{
    uint64_t time = writer_below(w, 2) ? 0 : writer_below(w, 2) ? 99990 : UINT64_C(99999999999900);
    char line[32];
    unsigned level = 0, busy = 1 + writer_below(w, 30);

    for (unsigned g = 0; g < groups && w->out.used < TEXT / 2; g++) {
        snprintf(line, sizeof line, "#%" PRIu64, time);
        writer_put(w, line);
        if (w->fractions && writer_below(w, w->fractions) == 0) {
            snprintf(line, sizeof line, ".%u", (unsigned)writer_below(w, 1000));
            writer_put(w, line);
        }
        writer_put(w, w->end);
        time += w->oddity && writer_below(w, w->oddity) == 0 ? writer_below(w, 2)
                                                             : 1 + writer_below(w, 9);
        if (w->oddity && writer_below(w, 40 * w->oddity) == 0)
            time -= time < 3 ? 0 : 3;
        if (!w->clock_last)
            put_clock(w, level ^= 1);
        for (unsigned i = 0; i < w->vars; i++)
            if (i != 0 && writer_below(w, 32) < busy)
                put_value(w, i);
        if (w->clock_last)
            put_clock(w, level ^= 1);
        while (w->oddity && writer_below(w, w->oddity) == 0)
            put_oddity(w);
    }
}

void writer_file(struct writer *w, unsigned groups)
{
    w->out.used = 0;
    w->end = writer_below(w, 4) ? "\n" : "\r\n";
    w->oddity = writer_below(w, 2) ? 0 : 20 + writer_below(w, 200);
    w->fractions = writer_below(w, 8) ? 0 : 1 + writer_below(w, 60);
    w->clock_last = writer_below(w, 2);
    w->upper = writer_below(w, 8) == 0;
    w->plain = writer_below(w, 3) == 0;
    w->wide =
        writer_below(w, 3) ? 0 : 2 + writer_below(w, writer_below(w, 2) ? 100 : MOST_DIGITS - 2);
    writer_header(w);
    writer_body(w, groups);
    switch (writer_below(w, 4)) {
    case 0: /* cut off somewhere */
        w->out.used -= writer_below(w, (uint32_t)(w->out.used / 4));
        break;
    case 1: /* damaged */
        for (unsigned n = writer_below(w, 3); n > 0; n--)
            w->out.at[w->out.used / 2 + writer_below(w, (uint32_t)(w->out.used / 2))] =
                (char)(writer_below(w, 2) ? ' ' + (int)writer_below(w, 95)
                                          : (int)writer_below(w, 256));
        break;
    }
}

void writer_stamps(struct writer *w, unsigned count)
{
    const unsigned digits = 1 + writer_below(w, 17);
    uint64_t ten[18] = { 1 }; /* powers */
    char line[48];

    for (unsigned i = 1; i < 18; i++)
        ten[i] = 10 * ten[i - 1];
    const uint64_t least = ten[digits - 1], room = 9 * least;
    uint64_t time = least + test_rand(&w->rng) % room;
    for (unsigned n = 0; n < count; n++) {
        int length = snprintf(line, sizeof line, "#%" PRIu64, time);
        if (w->oddity && writer_below(w, 40 * w->oddity) == 0)
            line[1 + writer_below(w, (unsigned)length - 1)] = "0.:/x"[writer_below(w, 5)];
        writer_put(w, line);
        writer_put(w, w->end);
        snprintf(line, sizeof line, "%u%s%s", n & 1, w->id[0], w->end);
        writer_put(w, line);
        time += writer_below(w, 20) ? 1 + writer_below(w, 9) : ten[writer_below(w, digits)];
        if (w->oddity && writer_below(w, 10 * w->oddity) == 0)
            time -= time < ten[digits - 1] ? 0 : ten[writer_below(w, digits)];
    }
}
