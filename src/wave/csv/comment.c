/* SPDX-License-Identifier: MIT */
/*
 * Comments in front of a CSV, lines with ; or #.  sigrok and DSView tell the sample rate there,
 * and sigrok the names of the channels; Hantek writes #CLOCK= and #CHANNEL:.  The first other
 * comment is taken for the writer's name, and the last one may hold the names of all columns.
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
    c->channels_size = c->channels_capacity = length;
    c->channels_between = ',';
    return PC_OK;
}

/* Keeps the line, with its mark, in the place of the one before. */
static bool keep_comment(struct csv *c, const char *line, size_t length)
{
    char **to = &c->comment;

    if (length > CSV_FIRST)
        return true; /* too long for names */
    if (!pc_grow(&c->alloc, (void **)to, &c->comment_capacity, length, 1))
        return false;
    memcpy(*to, line, length);
    c->comment_size = length;
    return true;
}

static enum pc_status take_rate(struct csv *c, uint64_t rate, struct pc_error *err)
{
    if (c->rate && c->rate != rate)
        return csv_fail(c, c->text.at, err, 643, "a second sample rate is another than the first");
    c->rate = rate;
    return PC_OK;
}

/* Takes Hantek's "#CLOCK=1.000000uS,,", the time of a sample. */
static enum pc_status take_step(struct csv *c, const char *p, size_t length, struct pc_error *err)
{
    const char *end = memchr(p, ',', length);
    const uint64_t rate = csv_rate_of_step(p, end ? (size_t)(end - p) : length);

    if (rate)
        return take_rate(c, rate, err);
    wv_warn(&c->base.hier, "the time of a sample \"%.*s\" is not understood",
            (int)(length < 40 ? length : 40), p);
    return PC_OK;
}

/* Takes what the lines of Hantek say; *taken tells whether it is one. */
static enum pc_status take_hantek(struct csv *c, const char *line, size_t length, bool *taken,
                                  struct pc_error *err)
{
    static const char *const others[] = { "SIZE=", "UNITS:" };
    const char *p = behind(line, length, "CLOCK=");

    *taken = true;
    if (p)
        return take_step(c, p, length - (size_t)(p - line), err);
    if (behind(line, length, "CHANNEL:"))
        return take_channels(c, line, length, err);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (behind(line, length, others[i]))
            return PC_OK;
    *taken = false;
    return PC_OK;
}

static enum pc_status take_comment(struct csv *c, const char *line, size_t length,
                                   struct pc_error *err)
{
    static const char *const rates[] = { "Samplerate:", "Sample rate:" };
    const char *p;
    bool taken;

    while (length > 0 && line[length - 1] == '\r')
        length--;
    const char *whole = line;
    const size_t size = length;
    c->comment_size = 0;
    c->writer_last = false;
    line++; /* the ; or # */
    length--;
    skip_blanks(&line, &length);
    for (size_t i = 0; i < 2; i++) {
        p = behind(line, length, rates[i]);
        size_t left = p ? length - (size_t)(p - line) : 0;
        if (!p)
            continue;
        uint64_t rate;
        skip_blanks(&p, &left);
        if (wv_parse_rate(p, left, &rate))
            return take_rate(c, rate, err);
        wv_warn(&c->base.hier, "the sample rate \"%.*s\" is not understood",
                (int)(left < 40 ? left : 40), p);
        return PC_OK;
    }
    p = behind(line, length, "Channels ");
    if (p)
        return take_channels(c, p, length - (size_t)(p - line), err);
    const enum pc_status status = take_hantek(c, line, length, &taken, err);
    if (status || taken)
        return status;
    if (!keep_comment(c, whole, size))
        return pc_fail(err, 100, "not enough memory for a comment");
    c->writer_last = c->writer == 0 && length > 0 && length <= 1000;
    if (c->writer_last)
        return wv_add_text(&c->base.hier, line, length, &c->writer, err);
    return PC_OK;
}

/* Takes "sep=;", which spreadsheets write and look for. */
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

/* Gets the n-th name of the list in the comment; false if there is none. */
bool csv_channel(const struct csv *c, size_t n, struct csv_field *out)
{
    for (size_t at = 0; c->channels && at <= c->channels_size; n--) {
        const char *begin = c->channels + at;
        const char *comma = memchr(begin, c->channels_between, c->channels_size - at);
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
    char *list = c->alloc.resize(c->alloc.ctx, c->channels, c->channels_capacity, old + 1 + length);

    if (!list)
        return false;
    list[old] = c->channels_between;
    memcpy(list + old + 1, name, length);
    c->channels = list;
    c->channels_size = c->channels_capacity = old + 1 + length;
    return true;
}

size_t csv_channels(const struct csv *c)
{
    size_t n = c->channels != NULL;

    for (size_t i = 0; i < c->channels_size; i++)
        n += c->channels[i] == c->channels_between;
    return n;
}

/* Tells whether the text has that many cells, none empty, of which the first is not a number. */
static bool has_names(const char *p, size_t length, char separator, size_t cells)
{
    const char *end = p + length;

    if (length == 0 || pc_is_one_of(*p, "0123456789+-."))
        return false;
    for (; cells > 0; cells--) {
        const char *stop = memchr(p, separator, (size_t)(end - p));
        const char *cell = p;
        size_t size = (size_t)((stop ? stop : end) - p);
        skip_blanks(&cell, &size);
        if (size == 0 || (cells == 1) != (stop == NULL))
            return false;
        p = stop ? stop + 1 : end;
    }
    return true;
}

/* "# Time [s],D0" has two cells, "#,Time [s]" as well: there # is a name. */
bool csv_channels_of_comment(struct csv *c, size_t cells)
{
    const char *p = c->comment;
    size_t length = c->comment_size;

    if (length < 2 || cells < 2)
        return false;
    if (p[0] == ';' || p[1] != c->separator) {
        p++;
        length--;
        skip_blanks(&p, &length);
    }
    if (!has_names(p, length, c->separator, cells))
        return false;
    pc_free(&c->alloc, c->channels, c->channels_capacity);
    memmove(c->comment, p, length);
    c->channels = c->comment;
    c->channels_size = length;
    c->channels_capacity = c->comment_capacity;
    c->comment = NULL;
    c->comment_size = c->comment_capacity = 0;
    c->channels_between = c->separator;
    if (c->writer_last)
        c->writer = 0;
    return true;
}
