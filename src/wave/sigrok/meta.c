/* SPDX-License-Identifier: MIT */
/*
 * The metadata of a sigrok session: lines "key=value" (version 1 has blanks around the =) in
 * sections.  Of devices the first is read; sigrok writes no other.  Probes without a name are
 * called probeN, as their keys would be; a name that comes twice gets that appended.
 */
#include "wave/sigrok/sigrok.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct line {
    uint32_t number; /* from 1 */
    struct sr_span key, value;
    bool section; /* "[key]" */
};

struct lines {
    const char *at, *end, *begin;
    struct line line;
};

static struct sr_span trim(const char *begin, const char *end)
{
    while (begin < end && pc_is_blank(*begin))
        begin++;
    while (end > begin && pc_is_blank(end[-1]))
        end--;
    return (struct sr_span){ begin, (size_t)(end - begin) };
}

static bool is(const struct sr_span *s, const char *text)
{
    return s->length == strlen(text) && memcmp(s->at, text, s->length) == 0;
}

/* Reads the next line that says something; PC_END after the last. */
static enum pc_status next_line(struct lines *l, struct pc_error *err)
{
    while (l->at < l->end) {
        const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
        const char *end = stop ? stop : l->end;
        struct sr_span text = trim(l->at, end);
        l->begin = l->at;
        l->at = stop ? stop + 1 : l->end;
        l->line.number++;
        if (text.length == 0 || text.at[0] == '#' || text.at[0] == ';')
            continue;
        if (memchr(text.at, '\0', text.length))
            return pc_fail_at(err, 722, l->line.number, 1, "a line holds a NUL");
        l->line.section = text.at[0] == '[' && text.at[text.length - 1] == ']';
        if (l->line.section) {
            l->line.key = trim(text.at + 1, text.at + text.length - 1);
            return PC_OK;
        }
        const char *equals = memchr(text.at, '=', text.length);
        if (!equals)
            return pc_fail_at(err, 722, l->line.number, (uint32_t)(text.at - l->begin) + 1,
                              "neither [section] nor key=value");
        l->line.key = trim(text.at, equals);
        l->line.value = trim(equals + 1, text.at + text.length);
        return PC_OK;
    }
    return PC_END;
}

/* Reads the next key of the device. */
static enum pc_status next_key(struct lines *l, bool *inside, struct pc_error *err)
{
    for (;;) {
        enum pc_status status = next_line(l, err);
        if (status)
            return status;
        if (l->line.section)
            *inside = is(&l->line.key, "device 1");
        else if (*inside)
            return PC_OK;
    }
}

static bool parse_number(const struct sr_span *s, size_t from, uint64_t *out)
{
    uint64_t n = 0;

    if (from >= s->length || s->length - from > 18)
        return false;
    for (size_t i = from; i < s->length; i++) {
        if (s->at[i] < '0' || s->at[i] > '9')
            return false;
        n = 10 * n + (uint64_t)(s->at[i] - '0');
    }
    *out = n;
    return true;
}

/* "probe12" is 12. */
static bool numbered(const struct sr_span *key, const char *word, uint64_t *out)
{
    size_t length = strlen(word);

    return key->length > length && memcmp(key->at, word, length) == 0 &&
           parse_number(key, length, out) && *out > 0;
}

static enum pc_status fail_value(const struct lines *l, const char *what, struct pc_error *err)
{
    const struct line *line = &l->line;

    return pc_fail_at(err, 722, line->number, (uint32_t)(line->value.at - l->begin) + 1,
                      "%.*s = %.*s: %s", (int)line->key.length, line->key.at,
                      (int)(line->value.length < 60 ? line->value.length : 60), line->value.at,
                      what);
}

/* Two values of one key, of which the reading depends: which of them is meant cannot be told. */
static bool said_otherwise(struct sr_meta *m, const struct line *l)
{
    static const char *const keys[SR_ONCE] = { "samplerate", "unitsize", "total probes",
                                               "total analog", "capturefile" };

    for (size_t i = 0; i < SR_ONCE; i++) {
        struct sr_span *said = &m->once[i];
        if (!is(&l->key, keys[i]))
            continue;
        if (said->at)
            return said->length != l->value.length ||
                   memcmp(said->at, l->value.at, said->length) != 0;
        *said = l->value;
    }
    return false;
}

static enum pc_status take_key(struct sigrok *s, const struct lines *l, struct pc_error *err)
{
    const struct sr_span *key = &l->line.key, *value = &l->line.value;
    struct sr_meta *m = &s->meta;
    uint64_t *number = is(key, "unitsize")       ? &m->unit
                       : is(key, "total probes") ? &m->probes
                       : is(key, "total analog") ? &m->analogs
                                                 : NULL;
    uint64_t n;

    if (said_otherwise(m, &l->line))
        return fail_value(l, "an earlier line says otherwise", err);
    if (number && !parse_number(value, 0, number))
        return fail_value(l, "not a number", err);
    if (is(key, "samplerate") && !wv_parse_rate(value->at, value->length, &m->rate))
        return fail_value(l, "no rate in whole hertz up to 10^15", err);
    if (is(key, "capturefile"))
        m->capture = *value;
    else if (is(key, "driver"))
        m->driver = *value;
    else if (numbered(key, "probe", &n) && n > m->last_probe)
        m->last_probe = n;
    return PC_OK;
}

static enum pc_status take_all(struct sigrok *s, struct pc_error *err)
{
    struct lines l = { .at = s->meta.text, .end = s->meta.text + s->meta.size };
    bool device = false, any = false;
    enum pc_status status;

    while ((status = next_line(&l, err)) == PC_OK) {
        if (l.line.section) {
            device = is(&l.line.key, "device 1");
            any |= device;
            if (!device && l.line.key.length > 7 && memcmp(l.line.key.at, "device ", 7) == 0)
                wv_warn(&s->base.hier, "only the first device of the session is read");
        } else if (device) {
            status = take_key(s, &l, err);
            if (status)
                return status;
        } else if (is(&l.line.key, "sigrok version")) {
            s->meta.version = l.line.value;
        }
    }
    if (status == PC_END && !any)
        return pc_fail_at(err, 722, l.line.number ? l.line.number : 1, 1,
                          "there is no section [device 1]");
    return status == PC_END ? PC_OK : status;
}

/* Settles how many channels there are, and how many bytes a sample has. */
static enum pc_status settle(struct sigrok *s, struct pc_error *err)
{
    struct sr_meta *m = &s->meta;

    if (m->capture.length == 0)
        return pc_fail(err, 724, "the session has no samples of logic channels, %s",
                       m->analogs ? "only analog ones" : "and names none");
    if (m->capture.length > 200)
        return pc_fail(err, 723, "the name of the samples has %zu bytes", m->capture.length);
    if (m->probes == 0)
        m->probes = m->last_probe;
    if (m->unit == 0) {
        m->unit = m->probes / 8 + (m->probes % 8 != 0);
        if (m->unit > 0)
            wv_warn(&s->base.hier, "unitsize is not given; %" PRIu64 " probes make it %" PRIu64,
                    m->probes, m->unit);
    }
    if (m->unit == 0)
        return pc_fail(err, 724, "the session has no logic channels");
    if (m->unit > SR_UNIT_MAX)
        return pc_fail(err, 723, "a sample has %" PRIu64 " bytes, more than %d", m->unit,
                       SR_UNIT_MAX);
    s->unit = (size_t)m->unit;
    s->channels = 8 * s->unit;
    if (m->probes > s->channels)
        wv_warn(&s->base.hier,
                "%" PRIu64 " probes are declared, but a sample of %zu bytes holds %zu: "
                "the others are left out",
                m->probes, s->unit, s->channels);
    else if (m->probes > 0)
        s->channels = (size_t)m->probes;
    if (m->last_probe > s->channels && m->probes <= 8 * s->unit)
        wv_warn(&s->base.hier, "names of probes above %zu are left out", s->channels);
    if (m->analogs > 0)
        wv_warn(&s->base.hier, "%" PRIu64 " analog %s not read", m->analogs,
                m->analogs == 1 ? "channel is" : "channels are");
    if (m->rate == 0)
        wv_warn(&s->base.hier, "the session has no sample rate");
    return PC_OK;
}

enum pc_status sr_parse_meta(struct sigrok *s, struct pc_error *err)
{
    enum pc_status status = take_all(s, err);

    return status ? status : settle(s, err);
}

/* ---- names ---- */

/* Escapes of the key file: \s \t \n \r \\. */
static size_t unescape(const struct sr_span *from, char *to)
{
    size_t n = 0;

    for (size_t i = 0; i < from->length; i++) {
        char c = from->at[i];
        if (c == '\\' && i + 1 < from->length)
            c = pc_is_one_of(from->at[++i], "stnr") ? ' ' : from->at[i];
        to[n++] = c;
    }
    return n;
}

static bool is_taken(const struct wv_hier *h, const char *name, size_t length)
{
    for (size_t i = 0; i < h->vars; i++) {
        const char *other = h->names + h->var[i].name;
        if (strncmp(other, name, length) == 0 && other[length] == '\0')
            return true;
    }
    return false;
}

static enum pc_status declare(struct sigrok *s, size_t channel, const struct sr_span *name,
                              struct pc_error *err)
{
    struct wv_hier *h = &s->base.hier;
    char text[300];
    size_t length = 0;
    uint32_t code;
    enum pc_status status = wv_add_code(h, 1, PC_VAR_BITS, &code, err);

    if (status)
        return status;
    if (name->length > 200)
        return pc_fail(err, 723, "the name of probe %zu has %zu bytes, more than 200", channel + 1,
                       name->length);
    if (name->length > 0)
        length = unescape(name, text);
    if (length == 0 || is_taken(h, text, length)) {
        if (length > 0)
            wv_warn(h,
                    "%.*s is the name of several probes; that of number %zu got probe%zu "
                    "appended",
                    (int)length, text, channel + 1, channel + 1);
        length += (size_t)snprintf(text + length, sizeof text - length, "%sprobe%zu",
                                   length ? "_" : "", channel + 1);
    }
    return wv_add_var(h, text, length, "logic", 5, PC_VAR_BITS, 1, code, err);
}

enum pc_status sr_declare(struct sigrok *s, struct pc_error *err)
{
    struct lines l = { .at = s->meta.text, .end = s->meta.text + s->meta.size };
    struct sr_span *name = pc_calloc(&s->alloc, s->channels, sizeof *name);
    bool inside = false;
    uint64_t n;
    enum pc_status status;

    if (!name)
        return pc_fail(err, 100, "not enough memory for the names of %zu channels", s->channels);
    while ((status = next_key(&l, &inside, err)) == PC_OK)
        if (numbered(&l.line.key, "probe", &n) && n <= s->channels)
            name[n - 1] = l.line.value;
    if (status == PC_END)
        status = PC_OK;
    for (size_t i = 0; status == PC_OK && i < s->channels; i++)
        status = declare(s, i, &name[i], err);
    pc_free(&s->alloc, name, s->channels * sizeof *name);
    return status;
}
