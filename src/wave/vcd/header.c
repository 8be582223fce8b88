/* SPDX-License-Identifier: MIT */
/*
 * The declarations of a VCD (IEEE 1364-2005 clause 18, IEEE 1800 clause 21.7), and what
 * writers really put there: sections of extensions are skipped, references hold blanks,
 * $enddefinitions may be missing, timescales are spelled in many ways.
 */
#include "wave/vcd/declare.h"
#include "wave/vcd/times.h"

#include "base/decimal.h"
#include "base/text.h"

#include <string.h>
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

/* Returns the exponent of a unit, 0 if the text is none; *capitals: it is one in letters of another
 * case. */
static int unit_exponent(const char *text, size_t length, bool *found, bool *capitals)
{
    char small[3] = "";

    *found = *capitals = false;
    for (size_t i = 0; i < length && i < sizeof small; i++) {
        small[i] = pc_lower(text[i]);
        *capitals |= small[i] != text[i];
    }
    for (int e = 0; length < sizeof small && pc_time_unit(e); e -= 3) {
        if (vcd_is(small, length, pc_time_unit(e))) {
            *found = true;
            return e;
        }
    }
    return 0;
}

struct scale {
    uint64_t factor;
    int exponent;
};

/* Reads the number of a timescale, before its unit: *n * 10^*shift, with up to 12 digits. */
static bool take_number(const char *text, size_t length, size_t *at, uint64_t *n, int *shift)
{
    struct pc_digits d;

    if (length == 0 || !(pc_is_digit(text[0]) || text[0] == '.'))
        return true;
    const char *end = pc_digits_read(text, text + length, false, &d);
    if (!end || d.digits > 12 || !pc_digits_number(&d, n, shift))
        return false;
    *at = (size_t)(end - text);
    return true;
}

/*
 * Parses "1ps", "10 ns", "0.1 ps" (100 fs), "244 ns": factor * 10^exponent, exponent in threes.
 * NULL, or what is wrong with it: then a number or a unit that is sound counts.
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
        alone = status == PC_OK && vcd_is_section(word, length);
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
        return vcd_fail(v, v->text.at, err, 600, "\"%s\" comes before any $var",
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
