/* SPDX-License-Identifier: MIT */
/* Types of VHDL in a GHW.  A type is made of types before it, so there are no circles. */
#include "wave/ghw/ghw.h"

#include <string.h>

/* As the file has them. */
enum {
    B2 = 22,
    E8 = 23,
    I32 = 25,
    I64 = 26,
    F64 = 27,
    P32 = 28,
    P64 = 29,
    ARRAY = 31,
    RECORD = 32,
    SUB_SCALAR = 34,
    SUB_ARRAY = 35,
    SUB_UNBOUNDED_ARRAY = 37,
    SUB_RECORD = 38,
    SUB_UNBOUNDED_RECORD = 39
};

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "not enough memory for the types of a GHW");
}

enum pc_status ghw_type(struct ghw *g, uint32_t *out, struct pc_error *err)
{
    const enum pc_status status = ghw_unsigned(g, out, err);

    if (status == PC_OK && (*out == 0 || *out > g->numbers))
        return ghw_fail(g, err, "there is no type %lu", (unsigned long)*out);
    if (status == PC_OK)
        *out = g->number[*out - 1];
    return status;
}

static enum pc_status add_item(struct ghw *g, uint32_t value, struct pc_error *err)
{
    if (!pc_grow(&g->alloc, (void **)&g->item, &g->items_capacity, g->items + 1, sizeof *g->item))
        return no_memory(err);
    g->item[g->items++] = value;
    return PC_OK;
}

uint64_t ghw_length(const struct ghw_range *r)
{
    const int64_t low = r->down ? r->right : r->left, high = r->down ? r->left : r->right;

    return low > high ? 0 : (uint64_t)high - (uint64_t)low + 1;
}

/* Reads a bound of a scalar type, as its kind in the file has it. */
static enum pc_status take_bound(struct ghw *g, unsigned kind, int64_t *out, struct pc_error *err)
{
    uint8_t bytes[8];
    enum pc_status status;

    *out = 0;
    switch (kind) {
    case B2:
    case E8:
        status = ghw_byte(g, bytes, err);
        *out = bytes[0];
        return status;
    case I32:
    case I64:
    case P32:
    case P64:
        return ghw_signed(g, out, err);
    case F64:
        return ghw_bytes(g, bytes, sizeof bytes, err);
    default:
        return ghw_fail(g, err, "a range of kind %u", kind);
    }
}

static enum pc_status take_range(struct ghw *g, struct ghw_range *out, struct pc_error *err)
{
    uint8_t kind = 0;
    enum pc_status status = ghw_byte(g, &kind, err);

    out->down = kind & 0x80;
    if (status == PC_OK)
        status = take_bound(g, kind & 0x7f, &out->left, err);
    return status ? status : take_bound(g, kind & 0x7f, &out->right, err);
}

enum pc_status ghw_value(struct ghw *g, const struct ghw_type *t, int64_t *out,
                         struct pc_error *err)
{
    uint8_t bytes[8] = { 0 };
    enum pc_status status;

    switch (t->kind) {
    case GHW_ENUM:
        status = ghw_byte(g, bytes, err);
        *out = bytes[0];
        if (status == PC_OK && bytes[0] >= t->items)
            return ghw_fail(g, err, "an enumeration of %zu values has value %u", t->items,
                            bytes[0]);
        return status;
    case GHW_REAL:
        status = ghw_bytes(g, bytes, sizeof bytes, err);
        *out = (int64_t)ghw_word(g, bytes, 8);
        return status;
    default:
        return ghw_signed(g, out, err);
    }
}

/* --- enumerations --- */

/* 'x' in quotes is the character, boolean's false and true are 0 and 1; else 0. */
static char state_of(const char *literal)
{
    if (literal[0] == '\'' && literal[1] != '\0' && literal[2] == '\'')
        return wv_state_of(literal[1]);
    return strcmp(literal, "false") == 0 ? '0' : strcmp(literal, "true") == 0 ? '1' : '\0';
}

char ghw_state(const struct ghw *g, const struct ghw_type *t, uint32_t literal)
{
    return state_of(ghw_text(g, g->item[t->item + literal]));
}

static enum pc_status take_enum(struct ghw *g, struct ghw_type *t, struct pc_error *err)
{
    uint32_t count = 0, string = 0;
    enum pc_status status = ghw_unsigned(g, &count, err);

    if (status == PC_OK && (count == 0 || count > 256))
        return ghw_fail(g, err, "an enumeration has %lu values", (unsigned long)count);
    t->kind = GHW_ENUM;
    t->is_bit = count >= 2;
    t->item = g->items;
    for (; t->items < count && status == PC_OK; t->items++) {
        status = ghw_string(g, &string, err);
        if (status == PC_OK)
            status = add_item(g, string, err);
        t->is_bit &= status == PC_OK && state_of(ghw_text(g, string)) != '\0';
    }
    for (t->width = 1; !t->is_bit && count > 1u << t->width;)
        t->width++;
    return status;
}

/* --- units of time and the like --- */

/* Returns how many seconds, as a power of ten, a unit of the type time has; 1: none of these. */
static int exponent_of(const char *name)
{
    int exponent;

    if (strcmp(name, "sec") == 0) /* VHDL's name of a second */
        return 0;
    return strcmp(name, "s") != 0 && pc_time_unit_find(name, strlen(name), &exponent) ? exponent
                                                                                      : 1;
}

/*
 * Reads the units of a physical type.  Times of the file are in that unit of the type time of which
 * the others are multiples: 1 ps, and fs is 0, after ghdl -r --time-resolution=ps.
 */
static enum pc_status take_units(struct ghw *g, const char *type, struct pc_error *err)
{
    const bool times = strcmp(type, "time") == 0 && !g->has_unit;
    uint32_t count = 0, string = 0;
    int64_t value = 0;
    enum pc_status status = ghw_unsigned(g, &count, err);

    for (uint32_t i = 0; i < count && status == PC_OK; i++) {
        status = ghw_string(g, &string, err);
        if (status == PC_OK)
            status = ghw_signed(g, &value, err);
        if (status || !times || value != 1 || exponent_of(ghw_text(g, string)) > 0)
            continue;
        g->has_unit = true;
        g->unit = exponent_of(ghw_text(g, string));
    }
    return status;
}

/* --- arrays and records --- */

static uint64_t times(uint64_t a, uint64_t b)
{
    if (a == GHW_UNBOUNDED || b == GHW_UNBOUNDED)
        return GHW_UNBOUNDED;
    return b && a > (GHW_UNBOUNDED - 1) / b ? GHW_UNBOUNDED - 1 : a * b;
}

static enum pc_status take_array(struct ghw *g, struct ghw_type *t, struct pc_error *err)
{
    uint32_t dims = 0, type = 0;
    enum pc_status status = ghw_type(g, &t->element, err);

    if (status == PC_OK)
        status = ghw_unsigned(g, &dims, err);
    t->kind = GHW_ARRAY;
    t->scalars = GHW_UNBOUNDED;
    t->item = g->items;
    for (; t->items < dims && status == PC_OK; t->items++) {
        status = ghw_type(g, &type, err);
        if (status == PC_OK)
            status = add_item(g, type, err);
    }
    return status == PC_OK && dims == 0 ? ghw_fail(g, err, "an array has no dimension") : status;
}

static enum pc_status bound(struct ghw *g, uint32_t of, uint32_t *out, struct pc_error *err);

/* Ranges of the dimensions, and of elements that have no bounds. */
static enum pc_status bound_array(struct ghw *g, struct ghw_type *t, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    t->scalars = 1;
    t->range = g->ranges;
    for (size_t i = 0; i < t->items && status == PC_OK; i++) {
        struct ghw_range r;
        status = take_range(g, &r, err);
        if (status)
            return status;
        if (!pc_grow(&g->alloc, (void **)&g->range, &g->ranges_capacity, g->ranges + 1,
                     sizeof *g->range))
            return no_memory(err);
        g->range[g->ranges++] = r;
        t->scalars = times(t->scalars, ghw_length(&r));
    }
    if (g->type[t->element].scalars == GHW_UNBOUNDED)
        status = bound(g, t->element, &t->element, err);
    if (status == PC_OK)
        t->scalars = times(t->scalars, g->type[t->element].scalars);
    return status;
}

static void sum_record(struct ghw *g, struct ghw_type *t)
{
    t->scalars = 0;
    for (size_t i = 0; i < t->items; i++) {
        const uint64_t n = g->type[g->item[t->item + 2 * i + 1]].scalars;
        if (n == GHW_UNBOUNDED || t->scalars == GHW_UNBOUNDED)
            t->scalars = GHW_UNBOUNDED;
        else
            t->scalars = t->scalars > GHW_UNBOUNDED - 1 - n ? GHW_UNBOUNDED - 1 : t->scalars + n;
    }
}

/* Takes the fields again, with bounds for those that have none. */
static enum pc_status bound_record(struct ghw *g, struct ghw_type *t, struct pc_error *err)
{
    const size_t from = t->item;
    enum pc_status status = PC_OK;
    size_t at = g->items;

    for (size_t i = 0; i < 2 * t->items && status == PC_OK; i++)
        status = add_item(g, g->item[from + i], err);
    t->item = at;
    for (size_t i = 0; i < t->items && status == PC_OK; i++) {
        uint32_t field = g->item[at + 2 * i + 1];
        if (g->type[field].scalars != GHW_UNBOUNDED)
            continue;
        status = bound(g, field, &field, err);
        g->item[at + 2 * i + 1] = field;
    }
    if (status == PC_OK)
        sum_record(g, t);
    return status;
}

static enum pc_status add_type(struct ghw *g, const struct ghw_type *t, struct pc_error *err)
{
    if (!pc_grow(&g->alloc, (void **)&g->type, &g->types_capacity, g->types + 1, sizeof *g->type))
        return no_memory(err);
    g->type[g->types++] = *t;
    return PC_OK;
}

/* A type without a number of its own: one that has no bounds, with bounds. */
static enum pc_status bound(struct ghw *g, uint32_t of, uint32_t *out, struct pc_error *err)
{
    struct ghw_type t = g->type[of];
    const enum pc_status status =
        t.kind == GHW_ARRAY ? bound_array(g, &t, err) : bound_record(g, &t, err);

    *out = (uint32_t)g->types;
    return status ? status : add_type(g, &t, err);
}

static enum pc_status take_record(struct ghw *g, struct ghw_type *t, struct pc_error *err)
{
    uint32_t fields = 0, name = 0, type = 0;
    enum pc_status status = ghw_unsigned(g, &fields, err);

    t->kind = GHW_RECORD;
    t->item = g->items;
    for (; t->items < fields && status == PC_OK; t->items++) {
        status = ghw_string(g, &name, err);
        if (status == PC_OK)
            status = ghw_type(g, &type, err);
        if (status == PC_OK)
            status = add_item(g, name, err);
        if (status == PC_OK)
            status = add_item(g, type, err);
    }
    if (status == PC_OK)
        sum_record(g, t);
    return status;
}

static enum pc_status take_subtype(struct ghw *g, unsigned kind, struct ghw_type *t,
                                   struct pc_error *err)
{
    uint32_t base = 0;
    struct ghw_range range;
    enum pc_status status = ghw_type(g, &base, err);

    if (status)
        return status;
    *t = g->type[base];
    const bool array = kind == SUB_ARRAY || kind == SUB_UNBOUNDED_ARRAY;
    const bool record = kind == SUB_RECORD || kind == SUB_UNBOUNDED_RECORD;
    if (array != (t->kind == GHW_ARRAY) || record != (t->kind == GHW_RECORD))
        return ghw_fail(g, err, "a subtype of kind %u of a type of another kind", kind);
    switch (kind) {
    case SUB_SCALAR:
        return take_range(g, &range, err);
    case SUB_ARRAY:
        return bound_array(g, t, err);
    case SUB_RECORD:
        return bound_record(g, t, err);
    default:
        return PC_OK;
    }
}

static enum pc_status take_type(struct ghw *g, unsigned kind, struct pc_error *err)
{
    struct ghw_type t = { .scalars = 1, .width = 32 };
    uint32_t name = 0;
    enum pc_status status = ghw_string(g, &name, err);

    if (status)
        return status;
    switch (kind) {
    case B2:
    case E8:
        status = take_enum(g, &t, err);
        break;
    case I32:
        t.kind = GHW_INT32;
        break;
    case I64:
        t.kind = GHW_INT64;
        t.width = 64;
        break;
    case F64:
        t.kind = GHW_REAL;
        t.width = 64;
        break;
    case P32:
    case P64:
        t.kind = kind == P32 ? GHW_INT32 : GHW_INT64;
        t.width = kind == P32 ? 32 : 64;
        status = take_units(g, ghw_text(g, name), err);
        break;
    case ARRAY:
        status = take_array(g, &t, err);
        break;
    case RECORD:
        status = take_record(g, &t, err);
        break;
    case SUB_SCALAR:
    case SUB_ARRAY:
    case SUB_UNBOUNDED_ARRAY:
    case SUB_RECORD:
    case SUB_UNBOUNDED_RECORD:
        status = take_subtype(g, kind, &t, err);
        break;
    default:
        return ghw_fail(g, err, "a type of kind %u", kind);
    }
    if (status == PC_OK && !pc_grow(&g->alloc, (void **)&g->number, &g->numbers_capacity,
                                    g->numbers + 1, sizeof *g->number))
        return no_memory(err);
    if (status == PC_OK)
        g->number[g->numbers++] = (uint32_t)g->types;
    return status ? status : add_type(g, &t, err);
}

enum pc_status ghw_types(struct ghw *g, struct pc_error *err)
{
    uint8_t head[8], kind = 0;
    enum pc_status status = ghw_bytes(g, head, sizeof head, err);

    if (status)
        return status;
    const uint64_t count = ghw_word(g, head + 4, 4);
    for (uint64_t i = 0; i < count && status == PC_OK; i++) {
        status = ghw_byte(g, &kind, err);
        if (status == PC_OK)
            status = take_type(g, kind, err);
    }
    if (status == PC_OK)
        status = ghw_byte(g, &kind, err);
    if (status == PC_OK && kind != 0)
        return ghw_fail(g, err, "the types do not end where they should");
    return status;
}
