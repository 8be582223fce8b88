/* SPDX-License-Identifier: MIT */
/* Clocks as people write them: an edge of a signal, `sample` or `every PERIOD`, and an iff. */
#include "base/text.h"
#include "wave/wave.h"

#include <string.h>

enum { MALFORMED = 331, NOT_ONE_BIT = 306, WRONG_CALL = 530 };

/* The rest of the text, and where its next word is. */
struct words {
    const char *text, *end;
    const char *at;
    size_t length; /* 0: no word is left */
};

static enum pc_status fail(const struct words *w, const char *what, struct pc_error *err)
{
    return pc_fail_at(err, MALFORMED, 1, (uint32_t)(w->at - w->text) + 1, "%s", what);
}

static const char *skip_blanks(const struct words *w, const char *at)
{
    while (at < w->end && pc_is_space(*at))
        at++;
    return at;
}

/* Returns the end of the word at `at`: what follows after blanks and begins with [ or . belongs to
 * it ("data [3]"), and quotes end with quotes. */
static const char *word_end(const struct words *w, const char *at)
{
    const char *next = at, *end;

    if (at < w->end && *at == '"') {
        end = memchr(at + 1, '"', (size_t)(w->end - at - 1));
        return end ? end + 1 : w->end;
    }
    do {
        for (end = next; end < w->end && !pc_is_space(*end); end++)
            ;
        next = skip_blanks(w, end);
    } while (next > end && next < w->end && (*next == '[' || *next == '.'));
    return end;
}

static void take_at(struct words *w, const char *at)
{
    w->at = skip_blanks(w, at);
    w->length = (size_t)(word_end(w, w->at) - w->at);
}

static void next_word(struct words *w)
{
    take_at(w, w->at + w->length);
}

static bool is_word(const struct words *w, const char *word)
{
    return strlen(word) == w->length && memcmp(w->at, word, w->length) == 0;
}

/* Makes the current word a name, without its quotes. */
static void take_name(const struct words *w, struct pc_clock_name *out)
{
    const bool quoted = w->at[0] == '"' && w->length > 1 && w->at[w->length - 1] == '"';

    out->text = w->at + quoted;
    out->size = w->length - (quoted ? 2 : 0);
}

/* Takes "iff SIGNAL", "iff !SIGNAL", "iff EXPRESSION", or nothing. */
static enum pc_status take_iff(struct words *w, struct pc_clock_text *out, struct pc_error *err)
{
    if (w->length == 0)
        return PC_OK;
    if (!is_word(w, "iff"))
        return fail(w, "expected iff or the end after the clock", err);
    next_word(w);
    const char *end = w->end;
    while (end > w->at && pc_is_space(end[-1]))
        end--;
    if (end < w->end && memchr(w->at, '\\', (size_t)(end - w->at)))
        end++; /* the blank that ends an escaped name */
    out->condition = (struct pc_clock_name){ w->at, (size_t)(end - w->at) };
    if (w->length > 0 && (*w->at == '!' || *w->at == '~')) {
        out->iff_low = true;
        take_at(w, w->at + 1);
    }
    if (w->length == 0)
        return fail(w, "expected a signal after iff", err);
    out->has_iff = true;
    take_name(w, &out->iff);
    next_word(w);
    out->is_expression = w->length > 0;
    return PC_OK;
}

/* Returns how long the period at `at` is, "10ns", "10 ns" or "10"; 0: no period is there. */
static size_t period_length(const struct words *w, const char *at)
{
    const char *end = at;

    if (at == w->end || !pc_is_digit(*at))
        return 0;
    while (end < w->end && (pc_is_word(*end) || *end == '.'))
        end++;
    struct words unit = *w;
    take_at(&unit, end);
    const bool has_unit = !pc_is_digit(end[-1]); /* right after the number */
    return (size_t)((has_unit || is_word(&unit, "iff") ? end : unit.at + unit.length) - at);
}

enum pc_status pc_wave_parse_clock(const char *text, size_t length, struct pc_clock_text *out,
                                   struct pc_error *err)
{
    if (!text || !out)
        return pc_fail(err, WRONG_CALL, "pc_wave_parse_clock needs a text and a result");
    struct words w = { .text = text, .end = text + length };
    *out = (struct pc_clock_text){ .edge = PC_EDGE_POS };
    take_at(&w, text);
    if (is_word(&w, "sample")) {
        out->edge = PC_EDGE_EVERY;
        next_word(&w);
        return take_iff(&w, out, err);
    }
    if (is_word(&w, "every")) { /* else a signal has that name */
        const char *at = skip_blanks(&w, w.at + w.length);
        const size_t size = period_length(&w, at);
        if (size > 0) {
            out->edge = PC_EDGE_PERIOD;
            out->clock = (struct pc_clock_name){ at, size };
            take_at(&w, at + size);
            return take_iff(&w, out, err);
        }
    }
    if (is_word(&w, "posedge") || is_word(&w, "negedge")) {
        out->edge = w.at[0] == 'p' ? PC_EDGE_POS : PC_EDGE_NEG;
        next_word(&w);
    }
    if (w.length == 0)
        return fail(&w, "expected the signal of the clock", err);
    take_name(&w, &out->clock);
    next_word(&w);
    return take_iff(&w, out, err);
}

/* ---- the signals of a waveform ---- */

struct naming {
    const struct pc_wave *wave;
    const char *text; /* of the clock */
    struct pc_error *err;
};

/* Moves the place of an error from a part of the text to the text. */
static enum pc_status moved(const struct naming *n, const char *part, enum pc_status status)
{
    if (status && n->err) {
        n->err->line = 1;
        n->err->column = (n->err->column ? n->err->column : 1) + (uint32_t)(part - n->text);
    }
    return status;
}

/* Finds the one bit of a name, in which blanks do not count. */
static enum pc_status find_bit(const struct naming *n, const struct pc_clock_name *name,
                               struct pc_wave_bit *out)
{
    enum { LONGEST = 4096 };
    char copy[LONGEST];
    size_t used = 0, bits = 0;

    for (size_t i = 0; i < name->size && used + 1 < LONGEST; i++)
        if (!pc_is_space(name->text[i]))
            copy[used++] = name->text[i];
    copy[used] = '\0';
    enum pc_status status = used + 1 < LONGEST
                                ? pc_wave_find_bits(n->wave, copy, out, 1, &bits, n->err)
                                : pc_fail(n->err, MALFORMED, "the name is too long");
    if (status) {
        if (n->err)
            n->err->column = 1;
    } else if (bits != 1) {
        status =
            pc_fail(n->err, NOT_ONE_BIT, "\"%.100s\" has %zu bits where one is needed", copy, bits);
        if (bits > 1)
            pc_hint(n->err, "name one bit of it: %.100s[0]", copy);
    }
    return moved(n, name->text, status);
}

enum pc_status pc_wave_find_clock(const struct pc_wave *wave, const char *text, size_t length,
                                  struct pc_wave_clock *out, struct pc_error *err)
{
    struct pc_clock_text said;

    if (!wave || !text || !out)
        return pc_fail(err, WRONG_CALL, "pc_wave_find_clock needs a waveform, a text and a result");
    const struct naming n = { wave, text, err };
    enum pc_status status = pc_wave_parse_clock(text, length, &said, err);
    if (status)
        return status;
    out->edge = said.edge;
    out->has_iff = said.has_iff;
    out->iff_low = said.iff_low;
    if (said.edge == PC_EDGE_PERIOD)
        status = moved(&n, said.clock.text,
                       pc_wave_parse_period(wave, said.clock.text, said.clock.size, out, err));
    else if (said.edge != PC_EDGE_EVERY)
        status = find_bit(&n, &said.clock, &out->clock);
    if (status == PC_OK && said.is_expression)
        return moved(&n, said.condition.text,
                     pc_fail_at(err, MALFORMED, 1, (uint32_t)said.iff.size + said.iff_low + 1,
                                "one signal follows iff here, and no expression"));
    if (status == PC_OK && said.has_iff)
        status = find_bit(&n, &said.iff, &out->iff);
    return status;
}
