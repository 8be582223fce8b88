/* SPDX-License-Identifier: MIT */
/*
 * Hierarchy and geometry of an FST file.  The hierarchy is a row of tagged entries:
 *
 *     254 u8 type, name, component       open a scope          255  close it
 *     252 u8, u8, name, number           attribute             253  its end
 *     0.. u8 direction, name, number length, number alias      a variable of that type
 *
 * Names end in NUL.  A variable whose alias is 0 has a value stream of its own, numbered
 * by its turn from 0; otherwise alias - 1 is the number of a stream declared before.  The
 * geometry is the length of each stream by number: 0 a real, 2^32 - 1 a text of any
 * length.  A file that was not finished has no geometry, and its hierarchy lies unpacked
 * in a file of its own beside it: the lengths are then those of the declarations.
 *
 * Reads attributes: enumerations are kept (enums.c), VHDL's type of the variable that follows is
 * looked at, which says whether it is signed, and the first comment is kept; the others (array
 * shapes, source lines) carry nothing that counting needs.
 */
#include "wave/fst/fst.h"

#include <stdio.h>

enum { ATTRIBUTE = 252, ATTRIBUTE_END, SCOPE, UPSCOPE };
enum {
    TYPE_EVENT = 0,
    TYPE_REAL = 3,
    TYPE_REAL_PARAMETER = 4,
    TYPE_PORT = 18,
    TYPE_REALTIME = 20,
    TYPE_STRING = 21,
    TYPE_SHORTREAL = 29
};
#define ANY_LENGTH UINT32_MAX
/* Attributes "misc", and what VHDL calls the next variable's type (fstapi.h: FST_SDT_...). */
enum {
    MISC = 0,
    MISC_COMMENT = 0,
    MISC_TYPE = 2,
    MISC_ENUM = 7,
    VHDL_SIGNED = 9,
    VHDL_INTEGER = 10
};
#define VHDL_TYPES UINT64_C(0x3ff)

static const char *const type_name[] = {
    "event",   "integer",   "parameter", "real",   "real_parameter", "reg",     "supply0",
    "supply1", "time",      "tri",       "triand", "trior",          "trireg",  "tri0",
    "tri1",    "wand",      "wire",      "wor",    "port",           "sparray", "realtime",
    "string",  "bit",       "logic",     "int",    "shortint",       "longint", "byte",
    "enum",    "shortreal",
};
#define TYPES (sizeof type_name / sizeof type_name[0])

/* The geometry while the hierarchy is read: one number a stream. */
struct geometry {
    bool present;
    struct fst_cursor lengths;
    uint64_t count;
    struct fst_buffer stored, buffer;
    bool is_signed;       /* the next variable, as an attribute says */
    size_t cut, cut_name; /* integers of one bit; the first one's path */
    struct fst_enums enums;
};

static enum pc_status load_geometry(struct fst *f, struct geometry *g, struct pc_error *err)
{
    const struct fst_span span = { f->geometry.at, f->geometry.size };
    struct fst_cursor c;

    g->present = f->geometry.type != FST_SKIP;
    if (!g->present)
        return PC_OK;
    enum pc_status status = fst_read_buffer(f, span, &g->stored, &c, err);
    if (status)
        return status;
    uint64_t size = fst_u64(&c);
    g->count = fst_u64(&c);
    status = fst_check(&c, err, "geometry");
    if (status)
        return status;
    g->lengths = c;
    g->lengths.begin = c.at;
    g->lengths.origin = f->geometry.at + 16;
    if (size != fst_left(&c)) {
        uint64_t budget = fst_budget(f, f->geometry.size);
        status = fst_unpack_buffer(f, &c, FST_ZLIB, size, &budget, &g->buffer, &g->lengths, err,
                                   "geometry");
        if (status)
            return status;
    }
    return PC_OK;
}

static bool is_real(unsigned type)
{
    return type == TYPE_REAL || type == TYPE_REAL_PARAMETER || type == TYPE_REALTIME ||
           type == TYPE_SHORTREAL;
}

/* Returns the length of the next stream, from the geometry if there is one. */
static enum pc_status stream_length(struct fst *f, struct geometry *g, unsigned type,
                                    uint64_t declared, const struct fst_cursor *where,
                                    uint32_t *length, struct pc_error *err)
{
    uint64_t n = is_real(type) ? 0 : type == TYPE_STRING || declared == 0 ? ANY_LENGTH : declared;

    if (g->present) {
        if (f->streams >= g->count)
            return fst_fail(where, err, 710, "value stream %zu is declared, the geometry has %llu",
                            f->streams + 1, (unsigned long long)g->count);
        n = fst_number(&g->lengths);
        if (g->lengths.fault)
            return fst_check(&g->lengths, err, "geometry");
    }
    if (n > UINT32_MAX)
        return fst_fail(where, err, 710, "value stream %zu has a length of %llu", f->streams + 1,
                        (unsigned long long)n);
    *length = (uint32_t)n;
    return PC_OK;
}

static enum pc_status add_stream(struct fst *f, unsigned type, uint32_t length,
                                 const struct fst_cursor *where, struct pc_error *err)
{
    struct fst_stream s = { .length = length, .form = FST_BITS, .event = type == TYPE_EVENT };
    enum pc_var_kind kind = type == TYPE_EVENT    ? PC_VAR_EVENT
                            : type == TYPE_STRING ? PC_VAR_STRING
                                                  : PC_VAR_BITS;
    uint32_t width = length, code;

    if (length == 0) {
        s = (struct fst_stream){ .length = 8, .form = FST_REAL };
        kind = PC_VAR_REAL;
        width = 64;
    } else if (length == ANY_LENGTH) {
        s = (struct fst_stream){ .form = FST_TEXT };
        kind = f->reader.hier.texts ? PC_VAR_BITS : PC_VAR_STRING;
        width = f->reader.hier.texts ? WV_TEXT_BITS : 0;
    } else if (type == TYPE_PORT) { /* states, blank, strengths of 0, blank, strengths of 1 */
        if (length < 5 || length % 3 != 2)
            return fst_fail(where, err, 710, "a port has values of %lu characters",
                            (unsigned long)length);
        s.form = FST_PORT;
        width = (length - 2) / 3;
    } else if (length == 1) {
        s.form = FST_BIT;
    }
    if (!pc_grow(&f->alloc, (void **)&f->stream, &f->stream_capacity, f->streams + 1,
                 sizeof *f->stream))
        return fst_no_memory(err, "the streams");
    enum pc_status status = wv_add_code(&f->reader.hier, width, kind, &code, err);
    if (status == PC_OK)
        f->reader.hier.code[code].coding =
            s.form == FST_TEXT && f->reader.hier.texts ? WV_CODED_TEXT : WV_PLAIN;
    if (status == PC_OK)
        f->stream[f->streams++] = s; /* codes are numbered as streams are: by their turn */
    return status;
}

/* Is it signed, by an attribute that stands before it; is it an integer that was cut to a bit? */
static void note_type(struct geometry *g, struct wv_var *v)
{
    v->is_signed = v->is_signed || (g->is_signed && v->kind == PC_VAR_BITS && v->width > 1);
    g->is_signed = false;
    v->enumeration = v->kind == PC_VAR_BITS ? g->enums.next : 0;
    g->enums.next = 0;
    if (v->kind != PC_VAR_BITS || v->width != 1 || !wv_is_signed_type(wv_type_names[v->type]))
        return;
    if (g->cut++ == 0)
        g->cut_name = v->name;
}

static enum pc_status read_variable(struct fst *f, struct geometry *g, struct fst_cursor *c,
                                    unsigned type, struct pc_error *err)
{
    const struct fst_cursor start = *c;
    struct wv_hier *h = &f->reader.hier;
    size_t name_length = 0;

    fst_u8(c); /* direction */
    const char *name = fst_text(c, &name_length);
    uint64_t declared = fst_number(c), alias = fst_number(c);
    enum pc_status status = fst_check(c, err, "hierarchy");
    if (status)
        return status;
    if (alias > f->streams)
        return fst_fail(&start, err, 712, "alias of value stream %llu, %zu are declared so far",
                        (unsigned long long)alias, f->streams);
    if (alias == 0) {
        uint32_t length = 0;
        status = stream_length(f, g, type, declared, &start, &length, err);
        if (status == PC_OK)
            status = add_stream(f, type, length, &start, err);
        if (status)
            return status;
        alias = f->streams;
    }
    uint32_t code = (uint32_t)(alias - 1);
    status = wv_add_var(h, name, name_length, type_name[type], strlen(type_name[type]),
                        (enum pc_var_kind)h->code[code].kind, h->code[code].width, code, err);
    if (status == PC_OK)
        note_type(g, &h->var[h->vars - 1]);
    return status;
}

static enum pc_status read_attribute(struct fst *f, struct geometry *g, struct fst_cursor *c,
                                     struct pc_error *err)
{
    size_t length = 0;
    uint8_t type = fst_u8(c), subtype = fst_u8(c);
    const char *text = fst_text(c, &length);

    const uint64_t argument = fst_number(c), number = argument & VHDL_TYPES;
    enum pc_status status = fst_check(c, err, "hierarchy");
    if (type == MISC && subtype == MISC_TYPE)
        g->is_signed = number == VHDL_SIGNED || number == VHDL_INTEGER;
    if (status == PC_OK && type == MISC && subtype == MISC_ENUM)
        status = fst_take_enum(f, &g->enums, text, argument, err);
    if (status == PC_OK && type == MISC && subtype == MISC_COMMENT && f->comment[0] == '\0')
        snprintf(f->comment, sizeof f->comment, "%s", text);
    return status;
}

static enum pc_status read_scope(struct fst *f, struct fst_cursor *c, struct pc_error *err)
{
    size_t length = 0, ignored = 0;

    fst_u8(c); /* module, function, record ...: all are steps of a path */
    const char *name = fst_text(c, &length);
    fst_text(c, &ignored); /* the module's own name */
    enum pc_status status = fst_check(c, err, "hierarchy");
    return status ? status : wv_scope(&f->reader.hier, name, length, err);
}

static enum pc_status read_entries(struct fst *f, struct geometry *g, struct fst_cursor *c,
                                   struct pc_error *err)
{
    enum pc_status status = PC_OK;

    while (status == PC_OK && fst_left(c) > 0) {
        const struct fst_cursor start = *c;
        uint8_t tag = fst_u8(c);
        if (tag == SCOPE)
            status = read_scope(f, c, err);
        else if (tag == UPSCOPE && !wv_upscope(&f->reader.hier))
            status = fst_fail(&start, err, 708, "a scope is closed where none is open");
        else if (tag == ATTRIBUTE)
            status = read_attribute(f, g, c, err);
        else if (tag < TYPES)
            status = read_variable(f, g, c, tag, err);
        else if (tag != UPSCOPE && tag != ATTRIBUTE_END)
            status = fst_fail(&start, err, 708, "tag %u starts no entry of a hierarchy", tag);
        if (status == PC_ELIMIT && err && !err->has_byte) { /* limits know no files */
            err->has_byte = true;
            err->byte =
                start.packed ? start.origin : start.origin + (uint64_t)(start.at - start.begin);
        }
    }
    if (status == PC_OK && g->present && f->streams != g->count)
        status = fst_fail(&g->lengths, err, 710,
                          "the geometry has %llu value streams, the hierarchy declares %zu",
                          (unsigned long long)g->count, f->streams);
    return status;
}

/* Packed twice: the outer layer, then the inner one. */
static enum pc_status unpack_twice(struct fst *f, struct fst_cursor *c, uint64_t size,
                                   uint64_t *budget, struct fst_buffer *to, struct fst_cursor *out,
                                   struct pc_error *err)
{
    struct fst_buffer outer = { 0 };
    struct fst_cursor once;
    uint64_t size_once = fst_number(c);

    enum pc_status status = fst_check(c, err, "hierarchy");
    if (status == PC_OK)
        status = fst_unpack_buffer(f, c, FST_LZ4, size_once, budget, &outer, &once, err,
                                   "hierarchy, outer packing");
    if (status == PC_OK)
        status = fst_unpack_buffer(f, &once, FST_LZ4, size, budget, to, out, err,
                                   "hierarchy, inner packing");
    fst_free_buffer(f, &outer);
    if (status == PC_OK)
        out->origin = f->hierarchy.at;
    return status;
}

static enum pc_status read_block(struct fst *f, struct geometry *g, struct pc_error *err)
{
    const struct fst_span span = { f->hierarchy.at, f->hierarchy.size };
    struct fst_buffer stored = { 0 }, buffer = { 0 };
    uint64_t budget = fst_budget(f, span.size), size = 0;
    struct fst_cursor c, entries;

    enum pc_status status = fst_read_buffer(f, span, &stored, &c, err);
    if (status == PC_OK) {
        size = fst_u64(&c);
        status = fst_check(&c, err, "hierarchy");
    }
    if (status == PC_OK && f->hierarchy.type == FST_HIERARCHY_LZ4_TWICE)
        status = unpack_twice(f, &c, size, &budget, &buffer, &entries, err);
    else if (status == PC_OK)
        status = fst_unpack_buffer(f, &c, f->hierarchy.type == FST_HIERARCHY ? FST_GZIP : FST_LZ4,
                                   size, &budget, &buffer, &entries, err, "hierarchy");
    fst_free_buffer(f, &stored);
    if (status == PC_OK)
        status = read_entries(f, g, &entries, err);
    fst_free_buffer(f, &buffer);
    return status;
}

static enum pc_status no_hierarchy(const struct fst *f, struct pc_error *err)
{
    enum pc_status status =
        f->stop_why ? pc_fail_byte(err, 709, f->stop, "no hierarchy up to byte %llu, where %s",
                                   (unsigned long long)f->stop, f->stop_why)
                    : pc_fail_byte(err, 709, f->size, "no hierarchy up to the end of the file");
    return status;
}

/* "x.fst.hier", which the writer keeps beside "x.fst" until it finishes that. */
static enum pc_status read_side_file(struct fst *f, struct geometry *g,
                                     const struct pc_wave_desc *desc, struct pc_error *err)
{
    size_t size = 0, length = desc->path ? strlen(desc->path) + sizeof ".hier" : 0;
    struct pc_wave_desc side = *desc;
    struct wv_input *in = NULL;
    const uint8_t *data = NULL;

    if (length == 0 || strcmp(desc->path, "-") == 0)
        return no_hierarchy(f, err);
    char *path = pc_calloc(&f->alloc, length, 1);
    if (!path)
        return fst_no_memory(err, "a path");
    snprintf(path, length, "%s.hier", desc->path);
    side.path = path;
    enum pc_status status = wv_input_open(&side, NULL, &in, err);
    if (status == PC_OK)
        status = wv_input_hold(in, &data, &size, err);
    if (status) {
        status = no_hierarchy(f, err);
        pc_hint(err, "a simulation that still runs keeps it in %s", path);
    } else {
        struct fst_cursor c = fst_cursor_on(data, size, 0);
        status = read_entries(f, g, &c, err);
        if (status && err)
            pc_hint(err, "the place is one of %s", path);
    }
    wv_input_close(in);
    pc_free(&f->alloc, path, length);
    return status;
}

/* Where dumping was off, values stay what they were: worth a word. */
static enum pc_status read_blackouts(struct fst *f, struct pc_error *err)
{
    const struct fst_span span = { f->blackout.at, f->blackout.size };
    uint64_t time = 0, first = 0, offs = 0;
    struct fst_buffer stored = { 0 };
    struct fst_cursor c;

    enum pc_status status = fst_read_buffer(f, span, &stored, &c, err);
    if (status)
        return status;
    const uint64_t count = fst_number(&c);
    for (uint64_t i = 0; i < count && c.fault == FST_NO_FAULT; i++) {
        bool on = fst_u8(&c) != 0;
        time += fst_number(&c);
        if (!on && offs++ == 0)
            first = time;
        if (on)
            wv_dump_on(&f->reader.hier, time);
        else
            wv_dump_off(&f->reader.hier, time);
    }
    if (offs > 0 && c.fault == FST_NO_FAULT)
        wv_warn(&f->reader.hier, "dumping was switched off %llu time%s, first at time %llu",
                (unsigned long long)offs, offs == 1 ? "" : "s", (unsigned long long)first);
    status = fst_check(&c, err, "blackouts");
    fst_free_buffer(f, &stored);
    return status;
}

static void warn_of_cut(struct fst *f, const struct geometry *g)
{
    struct wv_hier *h = &f->reader.hier;

    if (g->cut > 0)
        wv_warn(h,
                "%zu variable%s of a type of integers with one bit, the first \"%.100s\": the "
                "writer left the other bits out, as GHDL 2 does; have it write a VCD",
                g->cut, g->cut == 1 ? " is" : "s are", h->names + g->cut_name);
}

enum pc_status fst_load_hierarchy(struct fst *f, const struct pc_wave_desc *desc,
                                  struct pc_error *err)
{
    struct geometry g = { 0 };
    enum pc_status status = load_geometry(f, &g, err);

    if (status == PC_OK)
        status = f->hierarchy.type == FST_SKIP ? read_side_file(f, &g, desc, err)
                                               : read_block(f, &g, err);
    if (status == PC_OK)
        warn_of_cut(f, &g);
    if (status == PC_OK && f->blackout.type != FST_SKIP)
        status = read_blackouts(f, err);
    fst_free_buffer(f, &g.stored);
    fst_free_buffer(f, &g.buffer);
    fst_free_enums(f, &g.enums);
    return status;
}
