/* SPDX-License-Identifier: MIT */
/*
 * Reads a $var.  One that cannot be understood is left out with a warning: the others of
 * the file are sound.
 */
#include "wave/vcd/declare.h"

#include <string.h>

static enum pc_var_kind kind_of(const char *type, size_t length)
{
    static const char *const reals[] = { "real", "realtime", "real_parameter", "shortreal" };

    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        if (vcd_is(type, length, reals[i]))
            return PC_VAR_REAL;
    if (vcd_is(type, length, "string"))
        return PC_VAR_STRING;
    return vcd_is(type, length, "event") ? PC_VAR_EVENT : PC_VAR_BITS;
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

/* Parses a bound, which may be negative. */
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

/* Parses "8", and in an extended VCD also "[7:0]". */
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

/* Finds the value stream of an identifier: a new one, or that of an earlier variable. */
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

/* Returns true if what stands after a type and a size ends in "[7:0]". An escaped name does not
 * count. */
static bool has_bounds(const struct vcd *v, size_t from)
{
    size_t length, open = v->section_used - 1;

    vcd_take(v, &from, &length);
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
 * (IEEE 1364-2005, 18.4.3.1): they are put after it, where a $var has them.
 */
static enum pc_status move_bounds(struct vcd *v, struct pc_error *err)
{
    size_t from = 0, length;
    char bounds[64];

    const char *type = vcd_take(v, &from, &length);
    if (!vcd_is(type, length, "port"))
        return PC_OK;
    const char *size = vcd_take(v, &from, &length);
    if (length > sizeof bounds || !memchr(size, ':', length) || has_bounds(v, from))
        return PC_OK;
    memcpy(bounds, size, length);
    return vcd_placed(v, vcd_append_word(v, bounds, length, SIZE_MAX, err), err);
}

/* The words of a $var, and where its name begins in the section. */
struct words {
    const char *type, *size, *id;
    size_t type_length, size_length, id_length, name;
};

static struct words take_words(const struct vcd *v)
{
    struct words w = { .name = 0 };

    w.type = vcd_take(v, &w.name, &w.type_length);
    w.size = vcd_take(v, &w.name, &w.size_length);
    w.id = vcd_take(v, &w.name, &w.id_length);
    return w;
}

/*
 * "wire 1! a": the size and the identifier are one word, as Scopy writes them.  What stands in the
 * place of the identifier is the name then, and nothing follows it but its bounds.
 */
static bool is_run_together(const struct vcd *v, const struct words *w)
{
    size_t digits = 0;

    while (digits < w->size_length && w->size[digits] >= '0' && w->size[digits] <= '9')
        digits++;
    return digits > 0 && digits < w->size_length && w->id_length > 0 &&
           (w->name >= v->section_used || v->section[w->name] == '[');
}

static void part(struct vcd *v, struct words *w)
{
    char quoted[48];
    size_t digits = 0;

    while (w->size[digits] >= '0' && w->size[digits] <= '9')
        digits++;
    w->name = (size_t)(w->id - v->section);
    w->id = w->size + digits;
    w->id_length = w->size_length - digits;
    w->size_length = digits;
    if (wv_warns(&v->base.hier))
        wv_warn(&v->base.hier,
                "line %llu: $var \"%s\": the size and the identifier are not set apart",
                (unsigned long long)vcd_line(v, v->text.at),
                vcd_quote(quoted, v->section, v->section_used));
}

/* Leaves out one that cannot be understood. */
static enum pc_status leave_out(struct vcd *v, const char *why)
{
    char quoted[48];

    if (wv_warns(&v->base.hier))
        wv_warn(&v->base.hier, "line %llu: $var \"%s\" is left out: %s",
                (unsigned long long)vcd_line(v, v->text.at),
                vcd_quote(quoted, v->section, v->section_used), why);
    return PC_OK;
}

static enum pc_status too_wide(const struct vcd *v, const struct words *w, struct pc_error *err)
{
    char quoted[48];

    /* perhaps more; it is told as it stands there */
    vcd_fail(v, v->text.at, err, 514, "a variable is %s bits wide, more than %lu",
             vcd_quote(quoted, w->size, w->size_length),
             (unsigned long)v->base.hier.limits.max_width);
    wv_hint_width(&v->base.hier, err);
    return PC_ELIMIT;
}

enum pc_status vcd_var(struct vcd *v, struct pc_error *err)
{
    uint32_t width, code;
    enum pc_status status = vcd_read_section(v, "$var", false, err);

    if (status == PC_OK)
        status = move_bounds(v, err);
    if (status)
        return status;
    struct words w = take_words(v);
    if (is_run_together(v, &w))
        part(v, &w);
    if (w.id_length == 0 || w.name >= v->section_used)
        return leave_out(v, "it needs a type, a size, an identifier and a name");
    if (!parse_size(w.size, w.size_length, &width))
        return leave_out(v, "its second word is not a number of bits");
    if (width == UINT32_MAX)
        return too_wide(v, &w, err);
    if (vcd_is(w.type, w.type_length, "port"))
        v->evcd = true;
    enum pc_var_kind kind = kind_of(w.type, w.type_length);
    const bool text = kind == PC_VAR_STRING && v->base.hier.texts;
    if (text) {
        kind = PC_VAR_BITS;
        width = WV_TEXT_BITS;
    }
    status = stream_of(v, w.id, w.id_length, width, kind, &code, err);
    if (status == PC_OK) {
        if (text && v->base.hier.code[code].width == width)
            v->base.hier.code[code].coding = WV_CODED_TEXT;
        kind = (enum pc_var_kind)v->base.hier.code[code].kind;
        status = wv_add_var(&v->base.hier, v->section + w.name, v->section_used - w.name, w.type,
                            w.type_length, kind, width, code, err);
    }
    return vcd_placed(v, status, err);
}
