/* SPDX-License-Identifier: MIT */
/* The words of a section of the header, up to its $end, however that is written. */
#include "wave/vcd/declare.h"

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

bool vcd_is_section(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof known_sections / sizeof known_sections[0]; i++)
        if (vcd_is(word, length, known_sections[i]))
            return true;
    return false;
}

/* Reports an error of the hierarchy that happened at the section just read. */
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

/* "text$end" ends a section if that is the last word of its line, or a section follows; `at` is
 * where the next word is in the text. */
static bool ended_by_glue(struct vcd *v, const struct reading *r, const char *word, size_t length,
                          size_t at)
{
    static const char end[] = "$end";
    const size_t n = sizeof end - 1;

    if (!r->glued || vcd_is(word, length, end) || !(v->text.newline || word[0] == '$'))
        return false;
    if (vcd_is_glued(v->section, v->section_used))
        v->section_used -= n;
    vcd_odd(v, VCD_ODD_GLUED, at, VCD_GLUED, r->name);
    v->text.at -= length;
    return true;
}

static void warn_of_swallowed(struct vcd *v, const struct reading *r)
{
    if (r->swallowed[0] && wv_warns(&v->base.hier))
        wv_warn(&v->base.hier,
                "line %llu: %s has no $end before \"%s\" in line %llu: the text up to the next "
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

/* Reads text that the end of the file cuts off, or ends: "... today$end". */
static enum pc_status read_to_end(struct vcd *v, const struct reading *r, struct pc_error *err)
{
    if (ended_by_glue(v, r, "$", 0, v->text.at))
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
    if (v->text.counted < v->text.at) /* each line is counted once */
        vcd_count(&v->text, v->text.at, 0, v->text.at);
    r.line = vcd_line(v, v->text.at);
    for (bool empty = v->closed; !empty;) {
        const char *word;
        size_t length;
        enum pc_status status = vcd_word(v, &word, &length, err);
        if (status == PC_END)
            return read_to_end(v, &r, err);
        if (status)
            return status;
        const size_t at = (size_t)((const uint8_t *)word - v->text.buf);
        if (vcd_is(word, length, "$end") || ended_by_glue(v, &r, word, length, at))
            break;
        r.glued = vcd_is_glued(word, length);
        if (vcd_is_section(word, length))
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
