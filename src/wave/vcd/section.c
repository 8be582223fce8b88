/* SPDX-License-Identifier: MIT */
/*
 * Sections among the values of a VCD, such as $comment: passed over, but not at the cost of values
 * that a missing $end would make a part of the text.
 */
#include "wave/vcd/records.h"

#include "base/text.h"

#include <string.h>

/* Sections whose text means nothing to values. */
static bool is_known(const char *name)
{
    static const char *const known[] = { "$comment", "$date", "$version", "$vcdclose",
                                         "$timescale" };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

void vcd_begin_section(struct vcd *v, size_t at, size_t length)
{
    struct pc_error place = { 0 };
    struct vcd_section *b = &v->body;

    (void)vcd_fail(v, at, &place, 641, "-");
    *b = (struct vcd_section){ .byte = place.byte, .line = place.line, .column = place.column };
    vcd_quote(b->name, (const char *)v->text.buf + at, length);
    b->known = is_known(b->name);
    b->timescale = strcmp(b->name, "$timescale") == 0;
    b->ends_file = strcmp(b->name, "$vcdclose") == 0; /* holds the time */
}

static enum pc_status never_ends(const struct vcd *v, struct pc_error *err)
{
    const struct vcd_section *b = &v->body;
    enum pc_status status =
        pc_fail_byte(err, 641, b->byte, "%s has no $end before \"%s\" in line %llu", b->name,
                     b->suspect, (unsigned long long)b->suspect_line);

    if (err) {
        err->line = (uint32_t)b->line;
        err->column = (uint32_t)b->column;
    }
    return status;
}

/* "$comment Dump file limit (30000 bytes) exceeded. $end": the text is each simulator's own. */
static bool is_limit(const uint8_t *word, size_t length)
{
    static const char limit[] = "limit";
    size_t i = 0;

    while (i < length && i < sizeof limit - 1 && pc_lower((char)word[i]) == limit[i])
        i++;
    return i == sizeof limit - 1;
}

/* A timestamp or a keyword, where it begins a line. */
static bool is_suspect(const uint8_t *word, size_t length)
{
    return length > 1 && ((word[0] == '#' && pc_is_digit((char)word[1])) || word[0] == '$');
}

/* The last word of the section has been read, up to `at`. */
static enum pc_status end_section(struct vcd *v, size_t at)
{
    const struct vcd_section *b = &v->body;

    v->text.at = at;
    v->limited = b->limit;
    v->limit_time = v->time;
    v->limit_records = v->records;
    if (!b->known)
        vcd_odd_in(v, VCD_ODD_SECTION, b->line, "the section %s among the values is left out",
                   b->name);
    if (b->suspect[0])
        wv_warn(&v->base.hier,
                "line %llu: %s has no $end before \"%s\" in line %llu: the text up to the next "
                "$end is left out",
                (unsigned long long)b->line, b->name, b->suspect,
                (unsigned long long)b->suspect_line);
    return PC_OK;
}

/* Takes the word at `from`; true if the section ends, or fails. */
static bool take_word(struct vcd *v, size_t from, size_t to, enum pc_status *status,
                      struct pc_error *err)
{
    const uint8_t *word = v->text.buf + from;
    struct vcd_section *b = &v->body;
    const size_t length = to - from;
    const bool first = v->text.newline, is_end = length == 4 && memcmp(word, "$end", 4) == 0;

    v->text.newline = false;
    if (is_end || (b->glued && (first || word[0] == '$'))) {
        if (!is_end)
            vcd_odd(v, VCD_ODD_GLUED, from, VCD_GLUED, b->name);
        *status = end_section(v, is_end ? to : from);
        return true;
    }
    b->glued = vcd_is_glued(word, length);
    b->limit = b->limit || is_limit(word, length);
    if (first && b->stamp) { /* a line of its own: that is no text */
        *status = never_ends(v, err);
        return true;
    }
    b->stamp = false;
    if (first && !b->ends_file && is_suspect(word, length)) {
        b->stamp = word[0] == '#';
        if (!b->suspect[0] || b->stamp) {
            vcd_quote(b->suspect, (const char *)word, length);
            b->suspect_line = vcd_line(v, from);
        }
        *status = b->known ? PC_OK : never_ends(v, err);
        return !b->known;
    }
    return false;
}

enum pc_status vcd_skip_section(struct vcd *v, struct pc_error *err)
{
    struct vcd_text *t = &v->text;
    size_t from = t->at;
    enum pc_status status = PC_OK;

    t->newline = false;
    for (;;) {
        const size_t to = vcd_find_word(v, &from);
        if (to < t->end || t->eof) {
            t->at = to;
            if (to == from && v->body.glued) {
                vcd_odd(v, VCD_ODD_GLUED, to, VCD_GLUED, v->body.name);
                return end_section(v, to);
            }
            if (to == from && v->body.suspect[0])
                return never_ends(v, err);
            v->body.open = to == from;
            if (to == from || take_word(v, from, to, &status, err))
                return status;
            from = to;
            continue;
        }
        /* A word of more than a few bytes is not $end: its beginning may go. */
        if (to - from > 64)
            from = to - 61;
        t->at = from;
        status = vcd_refill(v, from, err);
        if (status)
            return status;
        from = 0;
    }
}

/* Handles a word with $ that is not one of the usual keywords. */
static enum vcd_step rare_keyword(struct vcd_records *s, const uint8_t *end)
{
    const uint8_t *next = end;
    const size_t at = vcd_offset(s, s->p), length = (size_t)(end - s->p);
    char quoted[48];

    if (length == 4 && memcmp(s->p, "$var", 4) == 0)
        return vcd_failed(s, vcd_fail(s->v, at, s->err, 613, "a $var comes after $enddefinitions"));
    if (length > 1 && !vcd_next_word(s, &next) && !s->v->text.eof)
        return VCD_STEP_MORE;
    vcd_quote(quoted, (const char *)s->p, length);
    /* what stands alone is no section, nor is what a timestamp follows */
    const bool alone =
        next == s->end || vcd_is_hole(next[0]) || (next[0] == '#' && pc_is_digit((char)next[1]));
    if (length == 1 || (alone && !is_known(quoted))) {
        vcd_odd(s->v, VCD_ODD_DOLLAR, at, "\"%s\" is not a value change; it is left out", quoted);
        s->p = end;
        return VCD_STEP_ON;
    }
    vcd_begin_section(s->v, at, length);
    s->p = end;
    return VCD_STEP_SKIP;
}

/* $dumpvars and its kin hold ordinary changes; other sections are passed over. */
enum vcd_step vcd_keyword(struct vcd_records *s)
{
    const uint8_t *end = vcd_word_end(s->p);
    size_t length = (size_t)(end - s->p);

    if (end == s->end && !s->v->text.eof)
        return VCD_STEP_MORE;
    if (vcd_is_glued(s->p, length)) {
        length -= 4;
        end -= 4;
        vcd_odd(s->v, VCD_ODD_GLUED, vcd_offset(s, s->p), VCD_GLUED_KEYWORD, (int)length, s->p);
    }
    bool bare = (length > 5 && memcmp(s->p, "$dump", 5) == 0) ||
                (length == 4 && memcmp(s->p, "$end", 4) == 0);
    if (!bare)
        return rare_keyword(s, end);
    s->v->dumping = length > 4;
    if (memcmp(end - 3, "off", 3) == 0) { /* $dumpoff, $dumpportsoff */
        s->v->off_time = s->v->offs++ == 0 ? s->v->time : s->v->off_time;
        wv_dump_off(&s->v->base.hier, s->v->time);
    } else if (memcmp(end - 2, "on", 2) == 0) {
        wv_dump_on(&s->v->base.hier, s->v->time);
    }
    s->p = end;
    return VCD_STEP_ON;
}
