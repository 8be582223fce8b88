/* SPDX-License-Identifier: MIT */
/*
 * The mutator of `ghw`: strings, types, signals and steps (src/wave/ghw/ghw.h).  From where a file
 * does not go on as it should, or has more than fits, the rest is bytes.
 */
#include "mutate.h"

#include <string.h>

enum { STRING = 1, TYPE, ITEM, STEP, CHANGE };
enum { ENUM, NUMBER, REAL, ARRAY, RECORD };
enum { TYPES = 256, ITEMS = 1024, SCALARS = 2048, UNBOUNDED = UINT16_MAX };

struct type {
    unsigned kind, scalars;
    unsigned dims, element; /* ARRAY */
    unsigned first, fields; /* RECORD: types in item[] */
};

struct ghw {
    struct fields *f;
    struct input *in;
    struct type type[TYPES];
    unsigned types, item[ITEMS], items;
    uint8_t scalar[SCALARS]; /* 1 + kind; 0: no signal has it */
    unsigned scalars;
    bool lost; /* the form is not known from here on */
};

static uint64_t leb(struct ghw *g)
{
    return take_number(g->f, g->in, FIELD_LEB);
}

static bool at(const struct ghw *g, const char *tag)
{
    return g->in->end - g->in->at >= 4 && memcmp(g->in->at, tag, 4) == 0;
}

static bool ends(const struct ghw *g)
{
    return g->lost || g->f->full || g->in->short_of || g->in->at == g->in->end;
}

/* --- strings --- */

static void strings(struct ghw *g)
{
    (void)take_bytes(g->f, g->in, 8);
    take_count(g->f, g->in, STRING);
    (void)take_bytes(g->f, g->in, 4);
    while (!ends(g) && !at(g, "EOS")) {
        size_t n = 0;
        const size_t left = (size_t)(g->in->end - g->in->at);
        while (n < left && g->in->at[n] >= 32 && !(g->in->at[n] >= 128 && g->in->at[n] < 160))
            n++;
        take_record(g->f, STRING);
        (void)take_bytes(g->f, g->in, n);
        uint64_t end;
        do
            end = take_number(g->f, g->in, FIELD_U8);
        while (end >= 128 && !ends(g));
    }
    take_record(g->f, 0);
    (void)take_bytes(g->f, g->in, 4);
}

/* --- types --- */

static const struct type *type_of(struct ghw *g, uint64_t number)
{
    static const struct type none = { .kind = NUMBER, .scalars = 1 };

    if (number > 0 && number <= g->types)
        return &g->type[number - 1];
    g->lost = true;
    return &none;
}

static unsigned range(struct ghw *g)
{
    const uint64_t kind = take_number(g->f, g->in, FIELD_U8);
    const bool byte = (kind & 0x7f) == 22 || (kind & 0x7f) == 23;

    if ((kind & 0x7f) == 27) {
        (void)take_bytes(g->f, g->in, 16);
        return 0;
    }
    const int64_t left = (int64_t)take_number(g->f, g->in, byte ? FIELD_U8 : FIELD_SLEB);
    const int64_t right = (int64_t)take_number(g->f, g->in, byte ? FIELD_U8 : FIELD_SLEB);
    const uint64_t more =
        (uint64_t)(kind & 0x80 ? left : right) - (uint64_t)(kind & 0x80 ? right : left);
    return more < SCALARS ? (unsigned)more + 1 : 0;
}

static void bounds(struct ghw *g, struct type *t)
{
    unsigned n = 1;

    for (unsigned i = 0; i < t->dims && !ends(g); i++)
        n *= range(g);
    const unsigned of = type_of(g, t->element)->scalars;
    g->lost |= of == UNBOUNDED || n > SCALARS || n * of > SCALARS;
    t->scalars = g->lost ? 0 : n * of;
}

static void record(struct ghw *g, struct type *t)
{
    const uint64_t fields = leb(g);

    *t = (struct type){ .kind = RECORD, .first = g->items };
    for (; t->fields < fields && !ends(g); t->fields++) {
        (void)leb(g);
        const uint64_t of = leb(g);
        t->scalars += type_of(g, of)->scalars;
        g->lost |= g->items == ITEMS || t->scalars >= UNBOUNDED;
        if (!g->lost)
            g->item[g->items++] = (unsigned)of;
    }
}

static void array(struct ghw *g, struct type *t)
{
    *t = (struct type){ .kind = ARRAY, .scalars = UNBOUNDED, .element = (unsigned)leb(g) };
    const uint64_t dims = leb(g);
    for (; t->dims < dims && !ends(g); t->dims++)
        (void)leb(g);
}

static void units(struct ghw *g)
{
    const uint64_t count = leb(g);

    for (uint64_t i = 0; i < count && !ends(g); i++) {
        (void)leb(g);
        (void)take_number(g->f, g->in, FIELD_SLEB);
    }
}

static void subtype(struct ghw *g, uint64_t kind, struct type *t)
{
    *t = *type_of(g, leb(g));
    if (kind == 34)
        (void)range(g);
    else if (kind == 35)
        bounds(g, t);
    else if (kind == 38 && t->scalars >= UNBOUNDED)
        g->lost = true;
}

static void one_type(struct ghw *g)
{
    struct type t = { .kind = NUMBER, .scalars = 1 };
    const uint64_t kind = take_number(g->f, g->in, FIELD_U8);

    (void)leb(g);
    if (kind == 22 || kind == 23) {
        const uint64_t count = leb(g);
        t.kind = ENUM;
        for (uint64_t i = 0; i < count && !ends(g); i++)
            (void)leb(g);
    } else if (kind == 27) {
        t.kind = REAL;
    } else if (kind == 28 || kind == 29) {
        units(g);
    } else if (kind == 31) {
        array(g, &t);
    } else if (kind == 32) {
        record(g, &t);
    } else if (kind >= 34 && kind <= 39) {
        subtype(g, kind, &t);
    } else if (kind != 25 && kind != 26) {
        g->lost = true;
    }
    g->lost |= g->types == TYPES;
    if (!g->lost)
        g->type[g->types++] = t;
}

static void types(struct ghw *g)
{
    (void)take_bytes(g->f, g->in, 8);
    take_count(g->f, g->in, TYPE);
    while (!ends(g) && *g->in->at != 0) {
        take_record(g->f, TYPE);
        one_type(g);
    }
    take_record(g->f, 0);
    if (!g->lost)
        (void)take_number(g->f, g->in, FIELD_U8);
}

static void known_types(struct ghw *g)
{
    (void)take_bytes(g->f, g->in, 8);
    while (!ends(g) && take_number(g->f, g->in, FIELD_U8) != 0)
        (void)leb(g);
}

/* --- signals --- */

static void scalars(struct ghw *g, const struct type *t, unsigned depth)
{
    if (ends(g) || depth > 8)
        return;
    if (t->kind == RECORD) {
        for (unsigned i = 0; i < t->fields; i++)
            scalars(g, type_of(g, g->item[t->first + i]), depth + 1);
    } else if (t->kind == ARRAY) {
        const struct type *of = type_of(g, t->element);
        for (unsigned i = 0; of->scalars > 0 && i < t->scalars / of->scalars; i++)
            scalars(g, of, depth + 1);
    } else {
        const uint64_t n = leb(g);
        g->lost |= n >= SCALARS;
        if (n < SCALARS && g->scalar[n] == 0)
            g->scalar[n] = (uint8_t)(t->kind + 1);
        if (n < SCALARS && n >= g->scalars)
            g->scalars = (unsigned)n + 1;
    }
}

static void value(struct ghw *g, unsigned kind)
{
    if (kind == REAL)
        (void)take_bytes(g->f, g->in, 8);
    else
        (void)take_number(g->f, g->in, kind == ENUM ? FIELD_U8 : FIELD_SLEB);
}

static void items(struct ghw *g)
{
    uint64_t kind = 1;

    (void)take_bytes(g->f, g->in, 8);
    for (unsigned i = 0; i < 3; i++)
        (void)take_number(g->f, g->in, FIELD_U32);
    while (!ends(g) && kind != 0) {
        take_record(g->f, *g->in->at ? ITEM : 0);
        kind = take_number(g->f, g->in, FIELD_U8);
        if (kind == 0 || kind == 15)
            continue;
        (void)leb(g);
        if (kind >= 16 && kind <= 21)
            scalars(g, type_of(g, leb(g)), 0);
        else if (kind == 5)
            value(g, type_of(g, leb(g))->kind);
    }
    take_record(g->f, 0);
}

/* --- values --- */

static void snapshot(struct ghw *g)
{
    (void)take_bytes(g->f, g->in, 16);
    for (unsigned i = 0; i < g->scalars && !ends(g); i++)
        if (g->scalar[i])
            value(g, g->scalar[i] - 1u);
    (void)take_bytes(g->f, g->in, 4);
}

static void step(struct ghw *g)
{
    unsigned n = 0;

    for (;;) {
        if (ends(g))
            return;
        take_record(g->f, *g->in->at ? CHANGE : 0);
        uint64_t skip = leb(g);
        if (skip == 0 || ends(g))
            return;
        while (skip > 0 && ++n < g->scalars)
            skip -= g->scalar[n] != 0;
        if (skip > 0)
            g->lost = true;
        else
            value(g, g->scalar[n] - 1u);
    }
}

static void cycles(struct ghw *g)
{
    (void)take_bytes(g->f, g->in, 12);
    while (!ends(g)) {
        take_record(g->f, STEP);
        if ((int64_t)take_number(g->f, g->in, FIELD_SLEB) < 0)
            break;
        step(g);
    }
    take_record(g->f, 0);
    (void)take_bytes(g->f, g->in, 4);
}

static bool take(struct fields *f, struct input *in)
{
    static const struct {
        const char *tag;
        void (*take)(struct ghw *g);
    } sections[] = { { "STR", strings }, { "TYP", types },    { "WKT", known_types },
                     { "HIE", items },   { "SNP", snapshot }, { "CYC", cycles } };
    static struct ghw g;

    g = (struct ghw){ .f = f, .in = in };
    if (in->end - in->at < 16 || memcmp(in->at, "GHDLwave\n", 9) != 0)
        return false;
    in->high = in->at[12] == 2;
    (void)take_bytes(f, in, 16);
    while (!ends(&g)) {
        size_t i = 0;
        while (i < sizeof sections / sizeof sections[0] && !at(&g, sections[i].tag))
            i++;
        if (i < sizeof sections / sizeof sections[0])
            sections[i].take(&g);
        else if (at(&g, "EOH"))
            (void)take_bytes(f, in, 4);
        else
            break;
    }
    return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fields_mutate(take, data, size, max_size, seed);
}
