/* SPDX-License-Identifier: MIT */
/*
 * The declarations of a VCD (IEEE 1364-2005 clause 18, IEEE 1800 clause 21.7), and what
 * writers really put there: sections of extensions are skipped, references hold blanks,
 * $enddefinitions may be missing, timescales are spelled in many ways.
 */
#include "wave/vcd/vcd.h"

#include <string.h>

#define FREE_TEXT_MAX 4096 /* bytes kept of $date, $version, $comment */

static const char *const known_sections[] = {
    "$comment", "$date", "$enddefinitions", "$scope", "$timescale", "$upscope", "$var", "$version",
};

static bool is(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

static bool is_known_section(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof known_sections / sizeof known_sections[0]; i++)
        if (is(word, length, known_sections[i]))
            return true;
    return false;
}

/* An error of the hierarchy happened at the section just read. */
static enum pc_status placed(const struct vcd *v, enum pc_status status, struct pc_error *err)
{
    if (status && err && !err->has_byte) {
        uint64_t line = vcd_line(v, v->text.at);
        err->byte = v->text.byte + v->text.at;
        err->has_byte = true;
        err->line = line > UINT32_MAX ? 0 : (uint32_t)line;
    }
    return status;
}

static enum pc_status append_word(struct vcd *v, const char *word, size_t length, size_t limit,
                                  struct pc_error *err)
{
    size_t need;

    if (!pc_size_add(v->section_used, length, &need) || !pc_size_add(need, 1, &need) ||
        need > limit)
        return pc_fail(err, 511, "a declaration has more than %zu bytes", limit);
    if (!pc_grow(&v->alloc, (void **)&v->section, &v->section_capacity, need, 1))
        return pc_fail(err, 100, "not enough memory for a declaration");
    if (v->section_used > 0)
        v->section[v->section_used++] = ' ';
    memcpy(v->section + v->section_used, word, length);
    v->section_used += length;
    return PC_OK;
}

/* Reads the words up to $end into v->section, with one blank between them. */
static enum pc_status read_section(struct vcd *v, const char *name, bool is_free,
                                   struct pc_error *err)
{
    uint64_t longest = v->base.hier.limits.max_name_bytes;
    size_t limit = is_free                  ? FREE_TEXT_MAX
                   : longest > SIZE_MAX / 4 ? SIZE_MAX / 4
                                            : 2 * (size_t)longest + 256;

    v->section_used = 0;
    if (!pc_grow(&v->alloc, (void **)&v->section, &v->section_capacity, 1, 1))
        return pc_fail(err, 100, "not enough memory for a declaration"); /* never NULL from here */
    for (;;) {
        const char *word;
        size_t length;
        enum pc_status status = vcd_word(v, &word, &length, err);
        if (status == PC_END)
            return vcd_fail(v, v->text.at, err, 602, "the file ends inside %s", name);
        if (status)
            return status;
        if (is(word, length, "$end"))
            return PC_OK;
        if (!is(name, strlen(name), "$comment") && is_known_section(word, length)) {
            char quoted[48];
            return vcd_fail(v, (size_t)((const uint8_t *)word - v->text.buf), err, 603,
                            "%s has no $end before %s", name, vcd_quote(quoted, word, length));
        }
        if (is_free && v->section_used + length >= limit)
            continue;
        status = append_word(v, word, length, limit, err);
        if (status)
            return placed(v, status, err);
    }
}

static enum pc_status free_text(struct vcd *v, const char *name, size_t *offset,
                                struct pc_error *err)
{
    enum pc_status status = read_section(v, name, true, err);

    if (status || *offset > 0 || v->section_used == 0)
        return status;
    return placed(v, wv_add_text(&v->base.hier, v->section, v->section_used, offset, err), err);
}

static enum pc_status comment(struct vcd *v, struct pc_error *err)
{
    static const char left_out[] = " is not handled";
    const size_t size = sizeof left_out - 1;
    enum pc_status status = free_text(v, "$comment", &v->comment, err);

    if (status || v->section_used <= size ||
        memcmp(v->section + v->section_used - size, left_out, size) != 0)
        return status;
    return placed(v, wv_leave_out(&v->base.hier, v->section, v->section_used - size, err), err);
}

/* 0 if the text is no unit. */
static int unit_exponent(const char *text, size_t length, bool *found)
{
    static const struct {
        const char *name;
        int exponent;
    } units[] = { { "s", 0 },    { "ms", -3 },  { "us", -6 },  { "ns", -9 },
                  { "ps", -12 }, { "fs", -15 }, { "as", -18 }, { "zs", -21 } };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (is(text, length, units[i].name)) {
            *found = true;
            return units[i].exponent;
        }
    }
    *found = false;
    return 0;
}

/* "1ps", "10 ns", "0.1 ps" (100 fs), "244 ns": factor * 10^exponent, exponent in threes. */
static bool parse_timescale(const char *text, size_t length, uint64_t *factor, int *exponent)
{
    size_t i = 0, digits = 0;
    uint64_t n = 0;
    int shift = 0;
    bool point = false, found;

    for (; i < length && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.'); i++) {
        if (text[i] == '.') {
            if (point)
                return false;
            point = true;
            continue;
        }
        if (++digits > 12)
            return false;
        n = n * 10 + (uint64_t)(text[i] - '0');
        shift -= point;
    }
    while (i < length && text[i] == ' ')
        i++;
    int unit = unit_exponent(text + i, length - i, &found);
    if (!found || n == 0)
        return false;
    for (shift += unit; shift % 3 != 0; shift--)
        n *= 10;
    for (; n % 1000 == 0; shift += 3)
        n /= 1000;
    *factor = n;
    *exponent = shift;
    return true;
}

static enum pc_status timescale(struct vcd *v, struct pc_error *err)
{
    char quoted[48];
    uint64_t factor;
    int exponent;
    enum pc_status status = read_section(v, "$timescale", false, err);

    if (status)
        return status;
    vcd_quote(quoted, v->section, v->section_used);
    if (!parse_timescale(v->section, v->section_used, &factor, &exponent))
        return vcd_fail(v, v->text.at, err, 601, "\"%s\" is not a timescale", quoted);
    if (factor != 1 && factor != 10 && factor != 100)
        wv_warn(&v->base.hier, "the timescale %s is not 1, 10 or 100 units", quoted);
    v->base.info.timescale_factor = factor;
    v->base.info.timescale_exponent = exponent;
    v->has_timescale = true;
    return PC_OK;
}

/* Takes the next word off the section; an empty one at its end. */
static const char *take(const struct vcd *v, size_t *from, size_t *length)
{
    size_t begin = *from, end = begin;

    while (end < v->section_used && v->section[end] != ' ')
        end++;
    *length = end - begin;
    *from = end < v->section_used ? end + 1 : end;
    return v->section + begin;
}

static enum pc_status scope(struct vcd *v, struct pc_error *err)
{
    size_t from = 0, length;
    enum pc_status status = read_section(v, "$scope", false, err);

    if (status)
        return status;
    if (v->section_used == 0)
        return vcd_fail(v, v->text.at, err, 604, "$scope has neither type nor name");
    take(v, &from, &length);
    return placed(v, wv_scope(&v->base.hier, v->section + from, v->section_used - from, err), err);
}

static enum pc_status upscope(struct vcd *v, struct pc_error *err)
{
    enum pc_status status = read_section(v, "$upscope", false, err);

    if (status == PC_OK && !wv_upscope(&v->base.hier) && wv_warns(&v->base.hier))
        wv_warn(&v->base.hier, "line %llu: $upscope without an open scope",
                (unsigned long long)vcd_line(v, v->text.at));
    return status;
}

static enum pc_var_kind kind_of(const char *type, size_t length)
{
    static const char *const reals[] = { "real", "realtime", "real_parameter", "shortreal" };

    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        if (is(type, length, reals[i]))
            return PC_VAR_REAL;
    if (is(type, length, "string"))
        return PC_VAR_STRING;
    return is(type, length, "event") ? PC_VAR_EVENT : PC_VAR_BITS;
}

static bool parse_number(const char **at, const char *end, uint64_t *out)
{
    const char *p = *at;

    *out = 0;
    while (p < end && *p >= '0' && *p <= '9') {
        *out = *out * 10 + (uint64_t)(*p++ - '0');
        if (*out > UINT32_MAX)
            *out = UINT32_MAX; /* wider than any limit: refused as such */
    }
    bool some = p > *at;
    *at = p;
    return some;
}

/* A bound, which may be negative. */
static bool parse_bound(const char **at, const char *end, int64_t *out)
{
    const bool minus = *at < end && **at == '-';
    uint64_t n;

    *at += minus;
    if (!parse_number(at, end, &n))
        return false;
    *out = minus ? -(int64_t)n : (int64_t)n;
    return true;
}

/* "8", and in an extended VCD also "[7:0]". */
static bool parse_size(const char *text, size_t length, uint32_t *width)
{
    const char *p = text, *end = text + length;
    uint64_t size;
    int64_t a, b;

    if (length > 0 && *p == '[') {
        p++;
        if (!parse_bound(&p, end, &a))
            return false;
        b = a;
        if (p < end && *p == ':') {
            p++;
            if (!parse_bound(&p, end, &b))
                return false;
        }
        if (p + 1 != end || *p != ']')
            return false;
        size = (uint64_t)(a > b ? a - b : b - a) + 1;
    } else if (!parse_number(&p, end, &size) || p != end) {
        return false;
    }
    *width = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    return true;
}

/* The value stream of an identifier: a new one, or that of an earlier variable. */
static enum pc_status stream_of(struct vcd *v, const char *id, size_t length, uint32_t width,
                                enum pc_var_kind kind, uint32_t *code, struct pc_error *err)
{
    struct wv_hier *h = &v->base.hier;

    *code = vcd_ids_find(&v->ids, id, length);
    if (*code == VCD_NO_CODE) {
        enum pc_status status = wv_add_code(h, width, kind, code, err);
        return status ? status : vcd_ids_add(&v->ids, &v->alloc, id, length, err);
    }
    struct wv_code *c = &h->code[*code];
    if (c->kind == kind && c->width == width)
        return PC_OK;
    char quoted[48];
    if (wv_warns(h))
        wv_warn(h, "line %llu: identifier \"%s\" was declared with %lu bits or another type before",
                (unsigned long long)vcd_line(v, v->text.at), vcd_quote(quoted, id, length),
                (unsigned long)c->width);
    if (width > c->width && width <= h->limits.max_width)
        c->width = width;
    return PC_OK;
}

/* Does what stands behind a type and a size end in "[7:0]"?  An escaped name does not count. */
static bool has_bounds(const struct vcd *v, size_t from)
{
    size_t length, open = v->section_used - 1;

    take(v, &from, &length);
    if (from == v->section_used) /* there is no name */
        return true;
    if (v->section[open] != ']' || v->section[from] == '\\')
        return false;
    while (open > from && v->section[open] != '[')
        open--;
    return memchr(v->section + open, ':', v->section_used - open) != NULL;
}

/*
 * The size of an extended VCD's port may be its bounds, and its name has none then
 * (IEEE 1364-2005, 18.4.3.1): they are put behind it, where a $var has them.
 */
static enum pc_status move_bounds(struct vcd *v, struct pc_error *err)
{
    size_t from = 0, length;
    char bounds[64];

    const char *type = take(v, &from, &length);
    if (!is(type, length, "port"))
        return PC_OK;
    const char *size = take(v, &from, &length);
    if (length > sizeof bounds || !memchr(size, ':', length) || has_bounds(v, from))
        return PC_OK;
    memcpy(bounds, size, length);
    return placed(v, append_word(v, bounds, length, SIZE_MAX, err), err);
}

static enum pc_status var(struct vcd *v, struct pc_error *err)
{
    size_t from = 0, type_length, size_length, id_length;
    char quoted[48];
    uint32_t width, code;
    enum pc_status status = read_section(v, "$var", false, err);

    if (status == PC_OK)
        status = move_bounds(v, err);
    if (status)
        return status;
    const char *type = take(v, &from, &type_length);
    const char *size = take(v, &from, &size_length);
    const char *id = take(v, &from, &id_length);
    if (id_length == 0 || from >= v->section_used)
        return vcd_fail(v, v->text.at, err, 604,
                        "$var needs a type, a size, an identifier and a name; it has \"%s\"",
                        vcd_quote(quoted, v->section, v->section_used));
    if (!parse_size(size, size_length, &width))
        return vcd_fail(v, v->text.at, err, 605, "\"%s\" is not a number of bits",
                        vcd_quote(quoted, size, size_length));
    if (width == UINT32_MAX) { /* perhaps more; it is told as it stands there */
        vcd_fail(v, v->text.at, err, 514, "a variable is %s bits wide, more than %lu",
                 vcd_quote(quoted, size, size_length),
                 (unsigned long)v->base.hier.limits.max_width);
        wv_hint_width(&v->base.hier, err);
        return PC_ELIMIT;
    }
    if (is(type, type_length, "port"))
        v->evcd = true;
    enum pc_var_kind kind = kind_of(type, type_length);
    status = stream_of(v, id, id_length, width, kind, &code, err);
    if (status == PC_OK) {
        kind = (enum pc_var_kind)v->base.hier.code[code].kind;
        status = wv_add_var(&v->base.hier, v->section + from, v->section_used - from, type,
                            type_length, kind, width, code, err);
    }
    return placed(v, status, err);
}

/* $enddefinitions with or without its $end; what follows stays unread. */
static enum pc_status end_definitions(struct vcd *v, struct pc_error *err)
{
    const char *word;
    size_t length;
    enum pc_status status = vcd_word(v, &word, &length, err);

    if (status == PC_END)
        return PC_OK;
    if (status == PC_OK && !is(word, length, "$end"))
        v->text.at -= length;
    return status;
}

static enum pc_status section(struct vcd *v, const char *word, size_t length, struct pc_error *err)
{
    char quoted[48];

    if (is(word, length, "$var"))
        return var(v, err);
    if (is(word, length, "$scope"))
        return scope(v, err);
    if (is(word, length, "$upscope"))
        return upscope(v, err);
    if (is(word, length, "$timescale"))
        return timescale(v, err);
    if (is(word, length, "$date"))
        return free_text(v, "$date", &v->date, err);
    if (is(word, length, "$version"))
        return free_text(v, "$version", &v->version, err);
    if (is(word, length, "$comment"))
        return comment(v, err);
    if (is(word, length, "$end"))
        return PC_OK;
    vcd_quote(quoted, word, length);
    enum pc_status status = vcd_skip_section(v, err);
    if (status == PC_END)
        return vcd_fail(v, v->text.at, err, 602, "the file ends inside %s", quoted);
    return status;
}

/* The file ended, or its values began, without $enddefinitions. */
static enum pc_status unended(struct vcd *v, const char *word, size_t length, struct pc_error *err)
{
    char quoted[48];

    v->text.at -= length;
    if (v->base.hier.vars == 0 && length > 0)
        return vcd_fail(v, v->text.at, err, 600, "\"%s\" stands before any $var",
                        vcd_quote(quoted, word, length));
    if (v->base.hier.vars == 0)
        return vcd_fail(v, v->text.at, err, 602, "the file ends before its first $var");
    v->base.info.unfinished = length == 0;
    wv_warn(&v->base.hier,
            length == 0 ? "the file ends without $enddefinitions" : "$enddefinitions is missing");
    return PC_OK;
}

enum pc_status vcd_header(struct vcd *v, struct pc_error *err)
{
    for (;;) {
        const char *word;
        size_t length;
        enum pc_status status = vcd_word(v, &word, &length, err);
        if (status == PC_END)
            return unended(v, "", 0, err);
        if (status)
            return status;
        if (is(word, length, "$enddefinitions"))
            return end_definitions(v, err);
        if (word[0] != '$' || (length > 5 && memcmp(word, "$dump", 5) == 0))
            return unended(v, word, length, err);
        status = section(v, word, length, err);
        if (status)
            return status;
    }
}
