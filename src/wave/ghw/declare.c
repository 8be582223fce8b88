/* SPDX-License-Identifier: MIT */
/* Scopes and signals of a GHW, as variables. */
#include "wave/ghw/ghw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* As the file has them. */
enum {
    END = 0,
    DESIGN = 1,
    BLOCK = 3,
    GENERATE_IF = 4,
    GENERATE_FOR = 5,
    INSTANCE = 6,
    PACKAGE = 7,
    PROCESS = 13,
    GENERIC = 14,
    END_OF_SCOPE = 15,
    SIGNAL = 16,
    PORT_LAST = 21
};

enum { NAME = 1024 }; /* of a signal with its indices; longer ones are an error, not cut short */

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "not enough memory for the signals of a GHW");
}

/* Checks a name that gets indices, or a position, in the room of NAME bytes. */
static enum pc_status check_name(const char *text, struct pc_error *err)
{
    return strlen(text) < NAME - 64
               ? PC_OK
               : pc_fail(err, 511, "a name in a GHW has %d bytes or more", NAME - 64);
}

/* --- value streams --- */

static uint64_t hash(const uint32_t *list, size_t count, uint32_t type)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ type;

    for (size_t i = 0; i < count; i++)
        h = (h ^ list[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static bool same(const struct ghw *g, uint32_t code, const uint32_t *list, size_t count)
{
    const struct ghw_code *c = &g->code[code];

    return c->count == count && memcmp(g->list + c->first, list, count * sizeof *list) == 0;
}

static bool grow_slots(struct ghw *g)
{
    if (2 * (g->codes + 1) <= g->slots)
        return true;
    const size_t slots = g->slots ? 2 * g->slots : 64;
    uint32_t *slot = pc_calloc(&g->alloc, slots, sizeof *slot);
    if (!slot)
        return false;
    if (g->slot)
        pc_free(&g->alloc, g->slot, g->slots * sizeof *g->slot);
    g->slot = slot;
    g->slots = slots;
    for (uint32_t i = 0; i < g->codes; i++) {
        const struct ghw_code *c = &g->code[i];
        size_t at = hash(g->list + c->first, c->count, 0) & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = i + 1;
    }
    return true;
}

/* Notes that the scalar is part of a variable, from bit `bit` on. */
static enum pc_status use(struct ghw *g, uint32_t scalar, uint32_t code, uint32_t bit,
                          struct pc_error *err)
{
    if (!pc_grow(&g->alloc, (void **)&g->use, &g->uses_capacity, g->uses + 1, sizeof *g->use))
        return no_memory(err);
    g->use[g->uses++] = (struct ghw_use){ code, bit, g->scalar[scalar].use };
    g->scalar[scalar].use = (uint32_t)g->uses;
    return PC_OK;
}

/* Finds the value stream of the scalars that end g->list, `count` of them; they stay if it is
 * new. */
static enum pc_status find_code(struct ghw *g, const struct ghw_type *t, size_t count,
                                uint32_t *code, struct pc_error *err)
{
    const size_t first = g->lists - count;
    const uint32_t *list = g->list + first;
    const uint32_t width = t->width * (uint32_t)count;

    if (!grow_slots(g))
        return no_memory(err);
    size_t at = hash(list, count, 0) & (g->slots - 1);
    while (g->slot[at] && !same(g, g->slot[at] - 1, list, count))
        at = (at + 1) & (g->slots - 1);
    if (g->slot[at]) {
        *code = g->slot[at] - 1;
        g->lists = first;
        return PC_OK;
    }
    const enum pc_var_kind kind = t->kind == GHW_REAL ? PC_VAR_REAL : PC_VAR_BITS;
    enum pc_status status = wv_add_code(&g->base.hier, width, kind, code, err);
    if (status)
        return status;
    if (!pc_grow(&g->alloc, (void **)&g->code, &g->codes_capacity, g->codes + 1, sizeof *g->code))
        return no_memory(err);
    if (first > UINT32_MAX - count || g->bits > UINT32_MAX - width)
        return pc_fail(err, 510, "the file declares more than 4 Gi bits");
    g->code[g->codes++] = (struct ghw_code){ .at = (uint32_t)g->bits,
                                             .first = (uint32_t)first,
                                             .count = (uint32_t)count };
    g->bits += width;
    g->slot[at] = *code + 1;
    for (size_t i = 0; i < count && status == PC_OK; i++)
        status = use(g, g->list[first + i], *code, (uint32_t)(i * t->width), err);
    return status;
}

/* --- variables --- */

struct signal {
    struct ghw *g;
    struct pc_error *err;
    char name[NAME];
    size_t used;
};

/* Takes the number of the next scalar of a signal, which then has that type. */
static enum pc_status take_scalar(struct ghw *g, uint32_t type, struct pc_error *err)
{
    uint32_t n = 0;
    const enum pc_status status = ghw_unsigned(g, &n, err);

    if (status)
        return status;
    if (n == 0 || n > g->most)
        return ghw_fail(g, err, "there is no scalar %lu", (unsigned long)n);
    const size_t had = g->scalars;
    if (!pc_grow(&g->alloc, (void **)&g->scalar, &g->scalars_capacity, (size_t)n + 1,
                 sizeof *g->scalar) ||
        !pc_grow(&g->alloc, (void **)&g->list, &g->lists_capacity, g->lists + 1, sizeof *g->list))
        return no_memory(err);
    if (n >= had) {
        memset(g->scalar + had, 0, (n + 1 - had) * sizeof *g->scalar);
        g->scalars = (size_t)n + 1;
    }
    struct ghw_scalar *s = &g->scalar[n];
    if (s->type == 0)
        s->type = type + 1;
    const struct ghw_type *a = &g->type[s->type - 1], *b = &g->type[type];
    if (a->kind != b->kind || a->width != b->width || a->is_bit != b->is_bit)
        return ghw_fail(g, err, "scalar %lu has two types", (unsigned long)n);
    g->list[g->lists++] = n;
    return PC_OK;
}

/* Names the values of an enumeration whose scalar is not a state: their positions as bits; also of
 * boolean.
 */
static enum pc_status name_values(struct ghw *g, struct ghw_type *t, struct pc_error *err)
{
    enum pc_status status = wv_add_enumeration(&g->base.hier, &t->values, err);

    for (uint32_t i = 0; i < t->items && status == PC_OK; i++) {
        const char *name = ghw_text(g, g->item[t->item + i]);
        char digits[9];
        for (uint32_t b = 0; b < t->width; b++)
            digits[b] = i >> (t->width - 1 - b) & 1 ? '1' : '0';
        status = wv_add_literal(&g->base.hier, name, strlen(name), digits, t->width, err);
    }
    return status;
}

static bool has_names(const struct ghw *g, const struct ghw_type *t)
{
    return t->kind == GHW_ENUM && (!t->is_bit || ghw_text(g, g->item[t->item])[0] != '\'');
}

/* Makes a variable of the last `count` scalars. */
static enum pc_status add_variable(struct signal *s, uint32_t number, size_t count,
                                   const struct ghw_range *range)
{
    struct ghw_type *t = &s->g->type[number];
    static const char *const types[] = {
        [GHW_ENUM] = "enum", [GHW_INT32] = "integer", [GHW_INT64] = "longint", [GHW_REAL] = "real"
    };
    const char *type = !t->is_bit ? types[t->kind] : range ? "std_logic_vector" : "std_logic";
    const size_t used = s->used;
    uint32_t code = 0;
    enum pc_status status = find_code(s->g, t, count, &code, s->err);

    if (status)
        return status;
    if (range)
        s->used += (size_t)snprintf(s->name + s->used, NAME - s->used, " [%" PRId64 ":%" PRId64 "]",
                                    range->left, range->right);
    status = wv_add_var(&s->g->base.hier, s->name, s->used, type, strlen(type),
                        t->kind == GHW_REAL ? PC_VAR_REAL : PC_VAR_BITS, t->width * (uint32_t)count,
                        code, s->err);
    s->used = used;
    s->name[used] = '\0';
    if (status == PC_OK && !range && has_names(s->g, t)) {
        if (t->values == 0)
            status = name_values(s->g, t, s->err);
        s->g->base.hier.var[s->g->base.hier.vars - 1].enumeration = t->values;
    }
    return status;
}

static enum pc_status declare(struct signal *s, uint32_t type);

static enum pc_status declare_record(struct signal *s, const struct ghw_type *t)
{
    struct wv_hier *h = &s->g->base.hier;
    const struct ghw_type record = *t;
    enum pc_status status = wv_scope(h, s->name, s->used, s->err);

    if (status)
        return status;
    for (size_t i = 0; i < record.items && status == PC_OK; i++) {
        struct signal field = { .g = s->g, .err = s->err };
        const uint32_t *item = s->g->item + record.item + 2 * i;
        status = check_name(ghw_text(s->g, item[0]), s->err);
        if (status)
            break;
        field.used = (size_t)snprintf(field.name, NAME, "%s", ghw_text(s->g, item[0]));
        status = declare(&field, item[1]);
    }
    wv_upscope(h);
    return status;
}

/* Elements from a dimension on. */
static enum pc_status declare_array(struct signal *s, const struct ghw_type *array, size_t dim)
{
    struct ghw *g = s->g;
    const struct ghw_range r = g->range[array->range + dim];
    const uint64_t length = ghw_length(&r);
    const struct ghw_type *element = &g->type[array->element];
    const bool last = dim + 1 == array->items;
    const size_t used = s->used;
    enum pc_status status = PC_OK;

    if (last && element->kind == GHW_ENUM && element->is_bit) {
        if (length > g->base.hier.limits.max_width)
            return pc_fail(s->err, 514, "a variable is %" PRIu64 " bits wide, more than %lu",
                           length, (unsigned long)g->base.hier.limits.max_width);
        for (uint64_t i = 0; i < length && status == PC_OK; i++)
            status = take_scalar(g, array->element, s->err);
        return status ? status : add_variable(s, array->element, (size_t)length, &r);
    }
    for (uint64_t i = 0; i < length && status == PC_OK; i++) {
        const int64_t index =
            r.down ? (int64_t)((uint64_t)r.left - i) : (int64_t)((uint64_t)r.left + i);
        if (used + 24 >= NAME)
            return pc_fail(s->err, 511, "a name with more than %d indices", NAME / 24);
        s->used += (size_t)snprintf(s->name + used, NAME - used, "[%" PRId64 "]", index);
        status = last ? declare(s, array->element) : declare_array(s, array, dim + 1);
        s->used = used;
        s->name[used] = '\0';
    }
    return status;
}

/* All its scalars follow in the file. */
static enum pc_status declare(struct signal *s, uint32_t type)
{
    const struct ghw_type t = s->g->type[type];

    if (t.scalars == 0)
        return PC_OK;
    if (t.scalars == GHW_UNBOUNDED)
        return ghw_fail(s->g, s->err, "the signal %.60s has a type without bounds", s->name);
    if (t.kind == GHW_RECORD)
        return declare_record(s, &t);
    if (t.kind == GHW_ARRAY)
        return declare_array(s, &t, 0);
    const enum pc_status status = take_scalar(s->g, type, s->err);
    return status ? status : add_variable(s, type, 1, NULL);
}

static enum pc_status take_signal(struct ghw *g, uint32_t name, struct pc_error *err)
{
    struct signal s = { .g = g, .err = err };
    uint32_t type = 0;
    enum pc_status status = ghw_type(g, &type, err);

    if (status == PC_OK)
        status = check_name(ghw_text(g, name), err);
    if (status)
        return status;
    s.used = (size_t)snprintf(s.name, NAME, "%s", ghw_text(g, name));
    return declare(&s, type);
}

/* --- scopes --- */

/* The n-th block of a generate has its value of the loop's variable for an index. */
static enum pc_status take_scope(struct ghw *g, unsigned kind, uint32_t name, struct pc_error *err)
{
    char text[2 * NAME], number[24];
    const char *position = number;
    uint32_t type = 0;
    int64_t value = 0;

    if (kind != GENERATE_FOR)
        return wv_scope(&g->base.hier, ghw_text(g, name), strlen(ghw_text(g, name)), err);
    enum pc_status status = ghw_type(g, &type, err);
    if (status == PC_OK && g->type[type].kind >= GHW_REAL)
        return ghw_fail(g, err, "the range of a generate is not of numbers");
    if (status == PC_OK)
        status = ghw_value(g, &g->type[type], &value, err);
    if (status)
        return status;
    snprintf(number, sizeof number, "%" PRId64, value);
    if (g->type[type].kind == GHW_ENUM)
        position = ghw_text(g, g->item[g->type[type].item + (size_t)value]);
    status = check_name(ghw_text(g, name), err);
    if (status == PC_OK)
        status = check_name(position, err);
    if (status)
        return status;
    const int n = snprintf(text, sizeof text, "%s[%s]", ghw_text(g, name), position);
    return wv_scope(&g->base.hier, text, (size_t)n, err);
}

enum pc_status ghw_hierarchy(struct ghw *g, struct pc_error *err)
{
    uint8_t head[16], kind = 0;
    uint32_t name = 0;
    enum pc_status status = ghw_bytes(g, head, sizeof head, err);

    if (status)
        return status;
    if (g->most > 0)
        return ghw_fail(g, err, "a second section of signals");
    g->most = (size_t)ghw_word(g, head + 12, 4);
    if (g->most > g->base.hier.limits.max_vars)
        return pc_fail(err, 510, "the file has %zu scalars, more than %llu", g->most,
                       (unsigned long long)g->base.hier.limits.max_vars);
    while (status == PC_OK) {
        status = ghw_byte(g, &kind, err);
        if (status || kind == END)
            return status;
        if (kind == END_OF_SCOPE) {
            if (!wv_upscope(&g->base.hier))
                return ghw_fail(g, err, "a scope ends that was not begun");
            continue;
        }
        status = ghw_string(g, &name, err);
        if (status == PC_OK && kind >= SIGNAL && kind <= PORT_LAST)
            status = take_signal(g, name, err);
        else if (status == PC_OK && ((kind >= BLOCK && kind <= PACKAGE) || kind == DESIGN))
            status = take_scope(g, kind, name, err);
        else if (status == PC_OK && kind != PROCESS && kind != GENERIC)
            return ghw_fail(g, err, "an item of kind %u among the signals", kind);
    }
    return status;
}
