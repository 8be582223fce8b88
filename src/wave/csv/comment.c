/* SPDX-License-Identifier: MIT */
/*
 * Comments in front of a CSV, lines with ; or #.  sigrok and DSView tell the sample rate there,
 * and sigrok the names of the channels.  The first other comment is taken for the writer's name.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <string.h>

static const char *behind(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);

    return length >= n && memcmp(line, word, n) == 0 ? line + n : NULL;
}

static void skip_blanks(const char **p, size_t *length)
{
    while (*length > 0 && csv_is_blank(**p)) {
        (*p)++;
        (*length)--;
    }
    while (*length > 0 && (csv_is_blank((*p)[*length - 1]) || (*p)[*length - 1] == '\r'))
        (*length)--;
}

/* "; Channels (2/8): CLK, DATA" keeps "CLK, DATA" */
static enum pc_status take_channels(struct csv *c, const char *list, size_t length,
                                    struct pc_error *err)
{
    const char *colon = memchr(list, ':', length);

    if (!colon || c->channels)
        return PC_OK;
    length -= (size_t)(colon + 1 - list);
    list = colon + 1;
    skip_blanks(&list, &length);
    if (length == 0)
        return PC_OK;
    c->channels = pc_calloc(&c->alloc, length, 1);
    if (!c->channels)
        return pc_fail(err, 100, "not enough memory for a list of channels");
    memcpy(c->channels, list, length);
    c->channels_size = length;
    return PC_OK;
}

static enum pc_status take_comment(struct csv *c, const char *line, size_t length,
                                   struct pc_error *err)
{
    static const char *const rates[] = { "Samplerate:", "Sample rate:" };
    const char *p;

    line++; /* the ; or # */
    length--;
    skip_blanks(&line, &length);
    for (size_t i = 0; i < 2; i++) {
        p = behind(line, length, rates[i]);
        size_t left = p ? length - (size_t)(p - line) : 0;
        if (!p)
            continue;
        const uint64_t before = c->rate;
        skip_blanks(&p, &left);
        const bool is_rate = wv_parse_rate(p, left, &c->rate);
        if (is_rate && before && c->rate != before)
            return csv_fail(c, c->text.at, err, 643,
                            "a second sample rate is another than the first");
        if (!is_rate)
            wv_warn(&c->base.hier, "the sample rate \"%.*s\" is not understood",
                    (int)(left < 40 ? left : 40), p);
        return PC_OK;
    }
    p = behind(line, length, "Channels ");
    if (p)
        return take_channels(c, p, length - (size_t)(p - line), err);
    if (c->writer == 0 && length > 0 && length <= 1000)
        return wv_add_text(&c->base.hier, line, length, &c->writer, err);
    return PC_OK;
}

/* "sep=;", which spreadsheets write and look for. */
static bool take_separator(struct csv *c, const char *line, size_t length)
{
    char name[64];

    while (length > 0 && pc_is_one_of(line[length - 1], "\r\""))
        length--;
    if (c->separator || length < 5 || length > 6)
        return false;
    const bool quoted = line[0] == '"';
    line += quoted;
    length -= quoted;
    if (length != 5 || csv_plain(line, 4, name) != 4 || strcmp(name, "sep=") != 0 ||
        !pc_is_one_of(line[4], ",;\t"))
        return false;
    c->separator = line[4];
    wv_note(&c->base.hier, "the first line, sep=, names the separator");
    return true;
}

enum pc_status csv_comments(struct csv *c, struct pc_error *err)
{
    struct csv_text *t = &c->text;
    size_t length;

    for (;;) {
        enum pc_status status = csv_raw_line(c, &length, err);
        if (status == PC_END)
            return csv_fail(c, t->at, err, 760, "the input has no line of names");
        if (status)
            return status;
        const char *line = t->buf + t->at;
        size_t blanks = 0;
        while (blanks < length && (csv_is_blank(line[blanks]) || line[blanks] == '\r'))
            blanks++;
        if (take_separator(c, line, length)) {
            csv_consume(c);
            continue;
        }
        if (blanks < length && line[0] != ';' && line[0] != '#')
            return PC_OK;
        status = blanks < length ? take_comment(c, line, length, err) : PC_OK;
        if (status)
            return status;
        csv_consume(c);
    }
}

/* The n-th name of the list in the comment; false if there is none. */
bool csv_channel(const struct csv *c, size_t n, struct csv_field *out)
{
    for (size_t at = 0; c->channels && at <= c->channels_size; n--) {
        const char *begin = c->channels + at;
        const char *comma = memchr(begin, ',', c->channels_size - at);
        size_t length = comma ? (size_t)(comma - begin) : c->channels_size - at;
        if (n == 0) {
            skip_blanks(&begin, &length);
            *out = (struct csv_field){ (size_t)(begin - c->channels), length, false };
            return true;
        }
        at += length + 1;
    }
    return false;
}

bool csv_add_channel(struct csv *c, const char *name)
{
    const size_t old = c->channels_size, length = strlen(name);
    char *list = c->alloc.resize(c->alloc.ctx, c->channels, old, old + 1 + length);

    if (!list)
        return false;
    list[old] = ',';
    memcpy(list + old + 1, name, length);
    c->channels = list;
    c->channels_size = old + 1 + length;
    return true;
}

size_t csv_channels(const struct csv *c)
{
    size_t n = c->channels != NULL;

    for (size_t i = 0; i < c->channels_size; i++)
        n += c->channels[i] == ',';
    return n;
}
