/* SPDX-License-Identifier: MIT */
/*
 * The declarations of a VCD (IEEE 1364-2005 clause 18, IEEE 1800 clause 21.7), and what
 * writers really put there: sections of extensions are skipped, references hold blanks,
 * $enddefinitions may be missing, timescales are spelled in many ways.
 */
#include "wave/vcd/declare.h"
#include "wave/vcd/times.h"

#include "base/text.h"

#include <string.h>

#define FREE_TEXT_MAX 4096 /* bytes kept of $date, $version, $comment */

static const char *const known_sections[] = {
    "$comment", "$date", "$enddefinitions", "$scope", "$timescale", "$upscope", "$var", "$version",
};

bool vcd_is(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

static bool is_known_section(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof known_sections / sizeof known_sections[0]; i++)
        if (vcd_is(word, length, known_sections[i]))
            return true;
    return false;
}

/* An error of the hierarchy happened at the section just read. */
enum pc_status vcd_placed(const struct vcd *v, enum pc_status status, struct pc_error *err)
{
    if (status && err && !err->has_byte) {
        uint64_t line = vcd_line(v, v->text.at);
        err->byte = v->text.byte + v->text.at;
        err->has_byte = true;
        err->line = line > UINT32_MAX ? 0 : (uint32_t)line;
    }
    return status;
}

enum pc_status vcd_append_word(struct vcd *v, const char *word, size_t length, size_t limit,
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

static size_t room_for(const struct vcd *v, bool is_free)
{
    const uint64_t longest = v->base.hier.limits.max_name_bytes;

    return is_free                  ? FREE_TEXT_MAX
           : longest > SIZE_MAX / 4 ? SIZE_MAX / 4
                                    : 2 * (size_t)longest + 256;
}

/* A section of the declarations, while it is read. */
struct reading {
    const char *name;
    bool comment; /* which may speak of other sections */
    bool glued;   /* its last word ended in $end */
    char swallowed[48];
    uint64_t line, swallowed_line;
};

/* "text$end" ends a section if that is the last word of its line, or a section follows. */
static bool ended_by_glue(struct vcd *v, const struct reading *r, const char *word, size_t length)
{
    static const char end[] = "$end";
    const size_t n = sizeof end - 1;

    if (!r->glued || vcd_is(word, length, end) || !(v->text.newline || word[0] == '$'))
        return false;
    if (vcd_is_glued(v->section, v->section_used))
        v->section_used -= n;
    vcd_odd(v, VCD_ODD_GLUED, (size_t)((const uint8_t *)word - v->text.buf), VCD_GLUED, r->name);
    v->text.at -= length;
    return true;
}

static void warn_of_swallowed(struct vcd *v, const struct reading *r)
{
    if (r->swallowed[0] && wv_warns(&v->base.hier))
        wv_warn(&v->base.hier,
                "line %llu: %s has no $end before \"%s\" in line %llu: what stands up to the next "
                "$end is left out",
                (unsigned long long)r->line, r->name, r->swallowed,
                (unsigned long long)r->swallowed_line);
}

/* A section begins inside another: an error, but in a comment. */
static enum pc_status inner_section(struct vcd *v, struct reading *r, const char *word,
                                    size_t length, struct pc_error *err)
{
    const size_t at = (size_t)((const uint8_t *)word - v->text.buf);
    char quoted[48];

    vcd_quote(quoted, word, length);
    if (!r->comment)
        return vcd_fail(v, at, err, 603, "%s has no $end before %s", r->name, quoted);
    if (v->text.newline && !r->swallowed[0]) {
        memcpy(r->swallowed, quoted, sizeof quoted);
        r->swallowed_line = vcd_line(v, at);
    }
    return PC_OK;
}

/* Text that the end of the file cuts off, or ends: "... today$end". */
static enum pc_status read_to_end(struct vcd *v, const struct reading *r, struct pc_error *err)
{
    if (ended_by_glue(v, r, "$", 0))
        return PC_OK;
    return vcd_fail(v, v->text.at, err, 602, "the file ends inside %s", r->name);
}

enum pc_status vcd_read_section(struct vcd *v, const char *name, bool is_free, struct pc_error *err)
{
    const size_t limit = room_for(v, is_free);
    struct reading r = { .name = name, .comment = strcmp(name, "$comment") == 0 };

    v->section_used = 0;
    if (!pc_grow(&v->alloc, (void **)&v->section, &v->section_capacity, 1, 1))
        return pc_fail(err, 100, "not enough memory for a declaration"); /* never NULL from here */
    r.line = vcd_line(v, v->text.at);
    for (bool empty = v->closed; !empty;) {
        const char *word;
        size_t length;
        enum pc_status status = vcd_word(v, &word, &length, err);
        if (status == PC_END)
            return read_to_end(v, &r, err);
        if (status)
            return status;
        if (vcd_is(word, length, "$end") || ended_by_glue(v, &r, word, length))
            break;
        r.glued = vcd_is_glued(word, length);
        if (is_known_section(word, length))
            status = inner_section(v, &r, word, length, err);
        if (status)
            return status;
        if (is_free && v->section_used + length >= limit)
            continue;
        status = vcd_append_word(v, word, length, limit, err);
        if (status)
            return vcd_placed(v, status, err);
    }
    warn_of_swallowed(v, &r);
    return PC_OK;
}

static enum pc_status free_text(struct vcd *v, const char *name, size_t *offset,
                                struct pc_error *err)
{
    enum pc_status status = vcd_read_section(v, name, true, err);

    if (status || *offset > 0 || v->section_used == 0)
        return status;
    return vcd_placed(v, wv_add_text(&v->base.hier, v->section, v->section_used, offset, err), err);
}

static enum pc_status comment(struct vcd *v, struct pc_error *err)
{
    static const char left_out[] = " is not handled";
    const size_t size = sizeof left_out - 1;
    enum pc_status status = free_text(v, "$comment", &v->comment, err);

    if (status || v->section_used <= size ||
        memcmp(v->section + v->section_used - size, left_out, size) != 0)
        return status;
    return vcd_placed(v, wv_leave_out(&v->base.hier, v->section, v->section_used - size, err), err);
}

/* 0 if the text is no unit; *capitals: it is one in letters of another case. */
static int unit_exponent(const char *text, size_t length, bool *found, bool *capitals)
{
    static const struct {
        const char *name;
        int exponent;
    } units[] = { { "s", 0 },    { "ms", -3 },  { "us", -6 },  { "ns", -9 },
                  { "ps", -12 }, { "fs", -15 }, { "as", -18 }, { "zs", -21 } };
    char small[3] = "";

    *found = *capitals = false;
    for (size_t i = 0; i < length && i < sizeof small; i++) {
        small[i] = pc_lower(text[i]);
        *capitals |= small[i] != text[i];
    }
    for (size_t i = 0; length < sizeof small && i < sizeof units / sizeof units[0]; i++) {
        if (vcd_is(small, length, units[i].name)) {
            *found = true;
            return units[i].exponent;
        }
    }
    return 0;
}

struct scale {
    uint64_t factor;
    int exponent;
};

/* The number of a timescale, before its unit: 10^*shift times *n; false if there are two points. */
static bool take_number(const char *text, size_t length, size_t *at, uint64_t *n, int *shift)
{
    bool point = false;
    size_t digits = 0;

    for (; *at < length && ((text[*at] >= '0' && text[*at] <= '9') || text[*at] == '.'); ++*at) {
        if (text[*at] == '.') {
            if (point)
                return false;
            point = true;
            continue;
        }
        if (++digits > 12)
            return false;
        *n = *n * 10 + (uint64_t)(text[*at] - '0');
        *shift -= point;
    }
    return true;
}

/*
 * "1ps", "10 ns", "0.1 ps" (100 fs), "244 ns": factor * 10^exponent, exponent in threes.  NULL, or
 * what is wrong with it: then a number or a unit that is sound counts.
 */
static const char *parse_timescale(const char *text, size_t length, struct scale *out)
{
    const char *wrong = NULL;
    size_t i = 0;
    uint64_t n = 0;
    int shift = 0;
    bool found, capitals;

    *out = (struct scale){ 1, -9 };
    if (!take_number(text, length, &i, &n, &shift))
        return "is not a timescale";
    const bool none = i == 0;
    while (i < length && text[i] == ' ')
        i++;
    int unit = unit_exponent(text + i, length - i, &found, &capitals);
    if (!found && i < length)
        return "is not a timescale";
    if (!found)
        unit = -9;
    if (n == 0)
        shift = 0;
    if (!found || n == 0)
        wrong = !found ? "has no unit" : none ? "has no number" : "is a unit of no length";
    else if (capitals)
        wrong = "has its unit in capitals";
    n = n > 0 ? n : 1;
    for (shift += unit; shift % 3 != 0; shift--)
        n *= 10;
    for (; n % 1000 == 0; shift += 3)
        n /= 1000;
    *out = (struct scale){ n, shift };
    return wrong;
}

/* The timescale as people write it, of those that parse_timescale() makes of what is wrong. */
static void warn_of_timescale(struct vcd *v, const char *quoted, const char *wrong,
                              const struct scale *s)
{
    wv_warn(&v->base.hier, "line %llu: the timescale \"%s\" %s; one time unit is taken as %llu %s",
            (unsigned long long)vcd_line(v, v->text.at), quoted, wrong,
            (unsigned long long)s->factor, vcd_unit_name(s->exponent));
}

enum pc_status vcd_timescale(struct vcd *v, struct pc_error *err)
{
    struct pc_wave_info *info = &v->base.info;
    char quoted[48];
    struct scale s;
    enum pc_status status = vcd_read_section(v, "$timescale", false, err);

    if (status)
        return status;
    vcd_quote(quoted, v->section, v->section_used);
    const char *wrong = parse_timescale(v->section, v->section_used, &s);
    if (v->has_timescale && (s.factor != v->declared_factor || s.exponent != v->declared_exponent))
        return vcd_fail(v, v->text.at, err, 642,
                        "a second $timescale, \"%s\", is another than the first", quoted);
    if (v->has_timescale) {
        vcd_odd(v, VCD_ODD_TIMESCALE, v->text.at, "there is a second $timescale, of the same unit");
        return PC_OK;
    }
    if (wrong)
        warn_of_timescale(v, quoted, wrong, &s);
    else if (s.factor != 1 && s.factor != 10 && s.factor != 100)
        wv_warn(&v->base.hier, "the timescale %s is not 1, 10 or 100 units", quoted);
    info->timescale_factor = v->declared_factor = s.factor;
    info->timescale_exponent = v->declared_exponent = s.exponent;
    v->has_timescale = true;
    return PC_OK;
}

/* Takes the next word off the section; an empty one at its end. */
const char *vcd_take(const struct vcd *v, size_t *from, size_t *length)
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
    enum pc_status status = vcd_read_section(v, "$scope", false, err);

    if (status)
        return status;
    if (v->section_used == 0 &&
        wv_warns(&v->base.hier)) /* it is closed by an $upscope, as all are */
        wv_warn(&v->base.hier, "line %llu: $scope has neither type nor name",
                (unsigned long long)vcd_line(v, v->text.at));
    vcd_take(v, &from, &length);
    return vcd_placed(v, wv_scope(&v->base.hier, v->section + from, v->section_used - from, err),
                      err);
}

static enum pc_status upscope(struct vcd *v, struct pc_error *err)
{
    enum pc_status status = vcd_read_section(v, "$upscope", false, err);

    if (status == PC_OK && !wv_upscope(&v->base.hier) && wv_warns(&v->base.hier))
        wv_warn(&v->base.hier, "line %llu: $upscope without an open scope",
                (unsigned long long)vcd_line(v, v->text.at));
    return status;
}

/* $enddefinitions with or without its $end; what follows stays unread. */
static enum pc_status end_definitions(struct vcd *v, struct pc_error *err)
{
    const char *word;
    size_t length;

    if (v->closed) {
        v->closed = false;
        return PC_OK;
    }
    enum pc_status status = vcd_word(v, &word, &length, err);
    if (status == PC_END)
        return PC_OK;
    if (status == PC_OK && !vcd_is(word, length, "$end"))
        v->text.at -= length;
    return status;
}

/* A word with $ and what stands up to its $end; or the word alone, if the next section follows. */
static enum pc_status unknown_section(struct vcd *v, const char *word, size_t length,
                                      struct pc_error *err)
{
    const uint64_t line = vcd_line(v, v->text.at);
    bool alone = length == 1; /* "$" */
    char quoted[48];

    vcd_quote(quoted, word, length);
    if (!alone && !v->closed) {
        enum pc_status status = vcd_word(v, &word, &length, err);
        if (status && status != PC_END)
            return status;
        alone = status == PC_OK && is_known_section(word, length);
        v->text.at -= status == PC_OK ? length : 0;
    }
    if (alone)
        vcd_odd_in(v, VCD_ODD_DOLLAR, line, "\"%s\" begins no section; it is left out", quoted);
    else
        vcd_odd_in(v, VCD_ODD_SECTION, line, "the unknown section %s is left out", quoted);
    return alone ? PC_OK : vcd_read_section(v, quoted, true, err);
}

static enum pc_status section(struct vcd *v, const char *word, size_t length, struct pc_error *err)
{
    char quoted[48];

    if (vcd_is(word, length, "$var"))
        return vcd_var(v, err);
    if (vcd_is(word, length, "$scope"))
        return scope(v, err);
    if (vcd_is(word, length, "$upscope"))
        return upscope(v, err);
    if (vcd_is(word, length, "$timescale"))
        return vcd_timescale(v, err);
    if (vcd_is(word, length, "$date"))
        return free_text(v, "$date", &v->date, err);
    if (vcd_is(word, length, "$version"))
        return free_text(v, "$version", &v->version, err);
    if (vcd_is(word, length, "$comment"))
        return comment(v, err);
    if (vcd_is(word, length, "$end"))
        return PC_OK;
    if (length > 5 && memcmp(word, "$attr", 5) == 0) /* what GTKWave's writers add to variables */
        return vcd_read_section(v, vcd_quote(quoted, word, length), true, err);
    return unknown_section(v, word, length, err);
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
        if (word[0] != '$' || (length > 5 && memcmp(word, "$dump", 5) == 0))
            return unended(v, word, length, err);
        v->closed = vcd_is_glued(word, length);
        if (v->closed) {
            length -= 4;
            vcd_odd(v, VCD_ODD_GLUED, v->text.at, VCD_GLUED_KEYWORD, (int)length, word);
        }
        if (vcd_is(word, length, "$enddefinitions"))
            return end_definitions(v, err);
        status = section(v, word, length, err);
        if (status)
            return status;
    }
}
