/* SPDX-License-Identifier: MIT */
/*
 * The hierarchy of a waveform: scopes, variables and their value streams, as
 * every reader declares them.  Names live in one arena and are found by offset.  All that
 * a file can make large is held against the limits of the caller (struct pc_wave_limits).
 */
#include "wave/reader.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* IEEE 1364 and 1800, then VHDL's and the formats' own. */
const char *const wv_type_names[] = {
    "unknown",    "event",
    "integer",    "parameter",
    "real",       "real_parameter",
    "realtime",   "reg",
    "supply0",    "supply1",
    "time",       "tri",
    "triand",     "trior",
    "trireg",     "tri0",
    "tri1",       "wand",
    "wire",       "wor",
    "port",       "array",
    "string",     "bit",
    "logic",      "int",
    "shortint",   "longint",
    "byte",       "enum",
    "shortreal",  "boolean",
    "bit_vector", "std_logic",
    "signal",     "std_logic_vector",
    "natural",    "positive",
    "std_ulogic", "std_ulogic_vector",
    "sparray",    "realarray",
    "struct",     "variable",
    "constant",   NULL,
};

/* Returns the index of a type's name; of "unknown" for one that is not. */
static uint8_t type_index(const char *name, size_t length)
{
    for (uint8_t i = 0; wv_type_names[i]; i++)
        if (strlen(wv_type_names[i]) == length && memcmp(wv_type_names[i], name, length) == 0)
            return i;
    return 0;
}

/* Types of SystemVerilog that are signed without a word, and VHDL's integer.  One bit is
 * none of them: it is what a writer left of an integer. */
bool wv_is_signed_type(const char *name)
{
    static const char *const names[] = { "integer", "int", "shortint", "longint", "byte" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

struct pc_wave_limits wv_limits(const struct pc_wave_limits *given)
{
    struct pc_wave_limits l = *given;

    l.max_vars = l.max_vars ? l.max_vars : (uint64_t)16 << 20;
    l.max_name_bytes = l.max_name_bytes ? l.max_name_bytes : (uint64_t)64 << 10;
    l.max_names_total = l.max_names_total ? l.max_names_total : (uint64_t)1 << 30;
    l.max_depth = l.max_depth ? l.max_depth : 4096;
    l.max_width = l.max_width ? l.max_width : (uint32_t)1 << 20;
    l.max_ratio = l.max_ratio ? l.max_ratio : 1000;
    if (l.max_width > PC_WAVE_WIDTH_MAX)
        l.max_width = PC_WAVE_WIDTH_MAX;
    return l;
}

void wv_hier_init(struct wv_hier *h, const struct pc_alloc *alloc,
                  const struct pc_wave_limits *limits)
{
    memset(h, 0, sizeof *h);
    h->alloc = *alloc;
    h->limits = *limits;
}

void wv_hier_free(struct wv_hier *h)
{
    const struct pc_alloc *a = &h->alloc;

    pc_free(a, h->names, h->names_capacity);
    pc_free(a, h->var, h->vars_capacity * sizeof *h->var);
    pc_free(a, h->code, h->codes_capacity * sizeof *h->code);
    pc_free(a, h->path, h->path_capacity);
    pc_free(a, h->scope_end, h->depth_capacity * sizeof *h->scope_end);
    pc_free(a, h->left_out, h->left_out_capacity * sizeof *h->left_out);
    for (size_t i = 0; i < h->warnings; i++)
        pc_free(a, h->warning[i], strlen(h->warning[i]) + 1);
    for (size_t i = 0; i < h->notes; i++)
        pc_free(a, h->note[i], strlen(h->note[i]) + 1);
    pc_free(a, h->gap, h->gaps_capacity * sizeof *h->gap);
    pc_free(a, h->enumeration, h->enumerations_capacity * sizeof *h->enumeration);
    pc_free(a, h->literal, h->literals_capacity * sizeof *h->literal);
    memset(h, 0, sizeof *h);
}

static enum pc_status out_of_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "not enough memory for the names of the waveform");
}

/* Makes room for `more` bytes after the arena's end, within the limit on all names together. */
static enum pc_status reserve_names(struct wv_hier *h, size_t more, struct pc_error *err)
{
    size_t need;

    if (!pc_size_add(h->names_used, more, &need) || need > h->limits.max_names_total)
        return pc_fail(err, 512, "all names together have more than %llu bytes",
                       (unsigned long long)h->limits.max_names_total);
    if (!pc_grow(&h->alloc, (void **)&h->names, &h->names_capacity, need, 1))
        return out_of_memory(err);
    return PC_OK;
}

/* Starts the arena, in which offset 0 is the empty string. */
static enum pc_status start_arena(struct wv_hier *h, struct pc_error *err)
{
    if (h->names_used > 0)
        return PC_OK;
    enum pc_status status = reserve_names(h, 1, err);
    if (status == PC_OK)
        h->names[h->names_used++] = '\0';
    return status;
}

static enum pc_status check_name(const struct wv_hier *h, size_t length, struct pc_error *err)
{
    if (length > h->limits.max_name_bytes)
        return pc_fail(err, 511, "a name has %zu bytes, more than %llu", length,
                       (unsigned long long)h->limits.max_name_bytes);
    return PC_OK;
}

enum pc_status wv_scope(struct wv_hier *h, const char *name, size_t length, struct pc_error *err)
{
    enum pc_status status = check_name(h, length, err);
    size_t need;

    if (status)
        return status;
    if (h->depth >= h->limits.max_depth)
        return pc_fail(err, 513, "scopes are nested deeper than %lu",
                       (unsigned long)h->limits.max_depth);
    if (!pc_size_add(h->path_used, length, &need) || !pc_size_add(need, 1, &need))
        return out_of_memory(err);
    status = check_name(h, need - 1, err);
    if (status)
        return status;
    if (!pc_grow(&h->alloc, (void **)&h->path, &h->path_capacity, need, 1) ||
        !pc_grow(&h->alloc, (void **)&h->scope_end, &h->depth_capacity, h->depth + 1,
                 sizeof *h->scope_end))
        return out_of_memory(err);
    h->scope_end[h->depth++] = h->path_used;
    h->scopes++;
    if (length == 0) /* a nameless scope adds nothing to the paths */
        return PC_OK;
    if (h->path_used > 0)
        h->path[h->path_used++] = '.';
    memcpy(h->path + h->path_used, name, length);
    h->path_used += length;
    return PC_OK;
}

bool wv_upscope(struct wv_hier *h)
{
    if (h->depth == 0)
        return false;
    h->path_used = h->scope_end[--h->depth];
    return true;
}

void wv_hint_width(const struct wv_hier *h, struct pc_error *err)
{
    if (h->limits.max_width == PC_WAVE_WIDTH_MAX)
        pc_hint(err, "no limit is larger than these %lu bits: leave the variable out of the file",
                (unsigned long)PC_WAVE_WIDTH_MAX);
}

static enum pc_status check_width(const struct wv_hier *h, uint32_t width, struct pc_error *err)
{
    if (width <= h->limits.max_width)
        return PC_OK;
    pc_fail(err, 514, "a variable is %lu bits wide, more than %lu", (unsigned long)width,
            (unsigned long)h->limits.max_width);
    wv_hint_width(h, err);
    return PC_ELIMIT;
}

enum pc_status wv_add_code(struct wv_hier *h, uint32_t width, enum pc_var_kind kind, uint32_t *code,
                           struct pc_error *err)
{
    enum pc_status status = check_width(h, width, err);

    if (status)
        return status;
    if (h->codes >= h->limits.max_vars || h->codes >= UINT32_MAX - 1)
        return pc_fail(err, 510, "the file declares more than %llu value streams",
                       (unsigned long long)h->limits.max_vars);
    if (!pc_grow(&h->alloc, (void **)&h->code, &h->codes_capacity, h->codes + 1, sizeof *h->code))
        return out_of_memory(err);
    *code = (uint32_t)h->codes;
    h->code[h->codes++] = (struct wv_code){ .width = width, .kind = (uint8_t)kind };
    return PC_OK;
}

/* A bracket group at the end of a reference. */
enum group { GROUP_NONE, GROUP_INDEX, GROUP_RANGE };

static bool parse_int(const char **at, const char *end, int32_t *out)
{
    const char *p = *at;
    int64_t value = 0;

    while (p < end && pc_is_space(*p))
        p++;
    bool minus = p < end && *p == '-';
    if (minus)
        p++;
    if (p == end || *p < '0' || *p > '9')
        return false;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value > INT32_MAX)
            return false;
    }
    while (p < end && pc_is_space(*p))
        p++;
    *at = p;
    *out = (int32_t)(minus ? -value : value);
    return true;
}

/* Tells what text[..end) ends in and where that begins. */
static enum group last_group(const char *text, size_t end, size_t *begin, int32_t *msb,
                             int32_t *lsb)
{
    size_t b = end;

    if (end == 0 || text[end - 1] != ']')
        return GROUP_NONE;
    while (b > 0 && text[b - 1] != '[')
        b--;
    if (b < 2) /* no bracket, or no name before it */
        return GROUP_NONE;
    const char *p = text + b, *stop = text + end - 1;
    if (!parse_int(&p, stop, msb))
        return GROUP_NONE;
    *begin = b - 1;
    if (p == stop)
        return GROUP_INDEX;
    if (*p++ != ':' || !parse_int(&p, stop, lsb) || p != stop)
        return GROUP_NONE;
    return GROUP_RANGE;
}

/* A reference taken apart: name, and the ranges after it. */
struct split {
    size_t name_end;    /* without blanks at its end */
    size_t range_begin; /* to the end of the text; equal to its length if there is none */
    size_t ranges;
    int32_t msb, lsb; /* of the last (innermost) range */
    bool indexed;     /* the name ends in an index that is not of an escaped identifier */
};

static uint64_t span_of(int32_t msb, int32_t lsb)
{
    int64_t span = (int64_t)msb - lsb;

    return (uint64_t)(span < 0 ? -span : span) + 1;
}

/*
 * Returns how far an escaped identifier reaches: Verilog's to its blank, VHDL's to its second
 * backslash, after which a range may stand without one.
 */
static size_t escaped_end(const char *text, size_t length)
{
    size_t end = 0;

    if (length == 0 || text[0] != '\\')
        return 0;
    for (size_t i = length - 1; i > 1; i--)
        if (text[i] == '[' && text[i - 1] == '\\')
            return i;
        else if (text[i] == '\\')
            break;
    while (end < length && !pc_is_space(text[end]))
        end++;
    return end;
}

/* Takes one range off the end; false if there is none. */
static bool split_range(const char *text, size_t floor, struct split *s, uint64_t *bits)
{
    size_t begin;
    int32_t msb, lsb;

    if (last_group(text, s->name_end, &begin, &msb, &lsb) != GROUP_RANGE || begin < floor)
        return false;
    if (s->ranges++ == 0) {
        s->msb = msb;
        s->lsb = lsb;
    }
    *bits = *bits > UINT32_MAX ? *bits : *bits * span_of(msb, lsb);
    s->range_begin = begin;
    while (begin > 0 && pc_is_space(text[begin - 1]))
        begin--;
    s->name_end = begin;
    return true;
}

/*
 * Splits "count [7:0]", "mem[3] [7:0]", "a [1:0][7:0]": every range at the end goes, an index
 * stays. An escaped identifier keeps whatever brackets it holds; where a writer left its backslash
 * out, the width tells: "a[7:4] [3:0]" of four bits is a[7:4], and "s[7:4]" of one is s[7:4].
 */
static struct split split_reference(const char *text, size_t length, enum pc_var_kind kind,
                                    uint32_t width)
{
    const struct split whole = { .name_end = length, .range_begin = length };
    struct split s = whole;
    size_t floor = escaped_end(text, length), begin;
    uint64_t bits = 1;
    int32_t msb, lsb;

    if (floor == length)
        return s;
    if (split_range(text, floor, &s, &bits)) {
        struct split inner = s;
        while (split_range(text, floor, &s, &bits))
            ;
        if (bits != width && span_of(s.msb, s.lsb) == width)
            s = inner;
        else if (kind == PC_VAR_BITS && width > 0 && bits > width && s.name_end == s.range_begin)
            s = whole;
    } else {
        s.indexed = kind == PC_VAR_BITS && width == 1 &&
                    last_group(text, length, &begin, &msb, &lsb) == GROUP_INDEX && begin >= floor;
    }
    return s;
}

/* Copies without the blanks that stand before a bracket; returns the bytes written. */
static size_t copy_tight(char *to, const char *from, size_t length)
{
    size_t n = 0;

    for (size_t i = 0; i < length; i++) {
        if (from[i] == '[')
            while (n > 0 && pc_is_space(to[n - 1]))
                n--;
        to[n++] = from[i] == '\0' ? ' ' : from[i];
    }
    return n;
}

enum pc_status wv_add_text(struct wv_hier *h, const char *text, size_t length, size_t *offset,
                           struct pc_error *err)
{
    size_t need = 0;
    enum pc_status status = start_arena(h, err);

    if (status == PC_OK && !pc_size_add(length, 1, &need))
        status = out_of_memory(err);
    if (status == PC_OK)
        status = reserve_names(h, need, err);
    if (status)
        return status;
    *offset = h->names_used;
    memcpy(h->names + h->names_used, text, length);
    h->names[h->names_used + length] = '\0';
    h->names_used += need;
    return PC_OK;
}

/* Appends path, dot and name; and the range after it, each with its NUL. */
static enum pc_status store_names(struct wv_hier *h, const char *text, size_t length,
                                  const struct split *s, struct wv_var *v, struct pc_error *err)
{
    size_t need;
    enum pc_status status = start_arena(h, err);

    if (status)
        return status;
    if (!pc_size_add(h->path_used, length, &need) || !pc_size_add(need, 4, &need))
        return out_of_memory(err);
    status = check_name(h, need - 4 + (h->path_used > 0), err);
    if (status == PC_OK)
        status = reserve_names(h, need, err);
    if (status)
        return status;
    v->name = h->names_used;
    v->scope = (uint32_t)h->path_used;
    char *p = h->names + h->names_used;
    if (h->path_used > 0) {
        memcpy(p, h->path, h->path_used);
        p += h->path_used;
        *p++ = '.';
    }
    p += copy_tight(p, text, s->name_end);
    *p++ = '\0';
    v->range = 0;
    if (s->range_begin < length) {
        size_t at = (size_t)(p - h->names);
        if (at > UINT32_MAX)
            return pc_fail(err, 512, "all names together have more than 4 GiB");
        v->range = (uint32_t)at;
        p += copy_tight(p, text + s->range_begin, length - s->range_begin);
        *p++ = '\0';
    }
    h->names_used = (size_t)(p - h->names);
    return PC_OK;
}

enum pc_status wv_add_var(struct wv_hier *h, const char *reference, size_t length, const char *type,
                          size_t type_length, enum pc_var_kind kind, uint32_t width, uint32_t code,
                          struct pc_error *err)
{
    enum pc_status status = check_width(h, width, err);
    struct wv_var v = { .code = code, .width = width, .kind = (uint8_t)kind };

    if (status == PC_OK)
        status = check_name(h, length, err);
    if (status)
        return status;
    if (h->vars >= h->limits.max_vars)
        return pc_fail(err, 510, "the file declares more than %llu variables",
                       (unsigned long long)h->limits.max_vars);
    while (length > 0 && pc_is_space(reference[length - 1]))
        length--;
    while (length > 0 && pc_is_space(reference[0])) {
        reference++;
        length--;
    }
    if (!pc_grow(&h->alloc, (void **)&h->var, &h->vars_capacity, h->vars + 1, sizeof *h->var))
        return out_of_memory(err);
    struct split s = split_reference(reference, length, kind, width);
    status = store_names(h, reference, length, &s, &v, err);
    if (status)
        return status;
    v.type = type_index(type, type_length);
    v.is_signed = kind == PC_VAR_BITS && width > 1 && wv_is_signed_type(wv_type_names[v.type]);
    v.msb = width > 0 ? (int32_t)(width - 1) : 0;
    v.lsb = 0;
    v.indexed = s.indexed;
    /* Bounds that do not fit the width (arrays of vectors) say nothing about its bits. */
    if (s.ranges == 1 && span_of(s.msb, s.lsb) == width) {
        v.msb = s.msb;
        v.lsb = s.lsb;
    }
    h->var[h->vars++] = v;
    return PC_OK;
}
