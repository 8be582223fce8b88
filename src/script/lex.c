/* SPDX-License-Identifier: MIT */
/*
 * Words of a line: separated by blanks, up to a `#` outside of quotes.  A word in double
 * quotes may hold blanks and #; there are no escapes in it.
 */
#include "script/script.h"
#include "base/text.h"

#include <string.h>

static uint32_t column_of(const struct sc_cursor *c, const char *at)
{
    return (uint32_t)(at - c->start) + 1; /* a line is at most SC_LINE_MAX long */
}

static bool not_text(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

static enum pc_status bad_byte(const struct sc_cursor *c, const char *at, struct pc_error *err)
{
    return pc_fail_at(err, 818, c->line, column_of(c, at), "byte 0x%02x is not text",
                      (unsigned char)*at);
}

static enum pc_status quoted(struct sc_cursor *c, struct sc_text *out, struct pc_error *err)
{
    const char *from = c->at + 1;
    const char *to = memchr(from, '"', (size_t)(c->end - from));

    out->quoted = true;
    if (!to)
        return pc_fail_at(err, 818, c->line, out->column, "the quotes are not closed on this line");
    for (const char *at = from; at < to; at++)
        if (not_text(*at) && *at != '\t')
            return bad_byte(c, at, err);
    out->at = from;
    out->size = (size_t)(to - from);
    c->at = to + 1;
    if (c->at < c->end && !pc_is_blank(*c->at) && *c->at != '#')
        return pc_fail_at(err, 818, c->line, column_of(c, c->at),
                          "a blank is missing after the closing quotes");
    return PC_OK;
}

enum pc_status sc_word(struct sc_cursor *c, struct sc_text *out, struct pc_error *err)
{
    while (c->at < c->end && pc_is_blank(*c->at))
        c->at++;
    *out = (struct sc_text){ .at = c->at, .column = column_of(c, c->at) };
    if (c->at == c->end || *c->at == '#')
        return PC_END;
    if (*c->at == '"')
        return quoted(c, out, err);
    while (c->at < c->end && !pc_is_blank(*c->at) && *c->at != '#') {
        unsigned char byte = (unsigned char)*c->at;
        if (byte < ' ' || byte == 0x7f)
            return pc_fail_at(err, 818, c->line, column_of(c, c->at), "byte 0x%02x is not text",
                              byte);
        c->at++;
    }
    out->size = (size_t)(c->at - out->at);
    return PC_OK;
}

enum pc_status sc_rest(struct sc_cursor *c, struct sc_text *out, struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_word(c, &word, err);

    *out = (struct sc_text){ .at = word.at - word.quoted, .column = word.column };
    while (status == PC_OK) {
        out->size = (size_t)(c->at - out->at);
        status = sc_word(c, &word, err);
    }
    return status == PC_END ? PC_OK : status;
}

bool sc_is(const struct sc_text *text, const char *word)
{
    return !text->quoted && text->size == strlen(word) && memcmp(text->at, word, text->size) == 0;
}

const char *sc_show(const struct sc_text *text, char *out, size_t size)
{
    size_t n = text->size < size - 1 ? text->size : size - 1;

    for (size_t i = 0; i < n; i++)
        out[i] = not_text(text->at[i]) ? '?' : text->at[i];
    out[n] = '\0';
    return out;
}
