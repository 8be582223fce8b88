/* SPDX-License-Identifier: MIT */
/*
 * The DPI-C entry points of a described core beside its design: each edge is a run of the core of
 * one cycle.  What would explain a difference is not looked for: that takes the edge before it in
 * the same run.
 */
#include "pcounter/pcounter_dpi.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_dpi.h"

enum { ROOM = 16384 };

struct lockstep {
    struct core_text text;
    bool tried;           /* to be ready, which is once */
    struct pc_core *core; /* NULL: not ready */
    struct pc_expr *reset;
    uint32_t wires;
    uint64_t *plane; /* a word a wire: values, then what is unknown */
    const uint64_t **value, **unknown;
    bool since, before; /* a reset since the last edge; before it */
    uint32_t differences;
    size_t length;
    char out[ROOM];
};

void *pcounter_dpi_core_open(void)
{
    return calloc(1, sizeof(struct lockstep));
}

void pcounter_dpi_core_line(void *core, const char *line)
{
    struct lockstep *l = core;

    if (l && line && !l->core)
        core_text_add(&l->text, line);
}

void pcounter_dpi_core_close(void *core)
{
    struct lockstep *l = core;

    if (!l)
        return;
    pc_core_destroy(l->core);
    pc_expr_free(l->reset);
    core_text_drop(&l->text);
    free(l->plane);
    free(l->value);
    free(l->unknown);
    free(l);
}

/* Appends one more piece of what is told; what has no room is left out. */
static PC_PRINTF(2, 3) void tell(struct lockstep *l, const char *format, ...)
{
    const size_t room = sizeof l->out - l->length;
    va_list args;

    va_start(args, format);
    const int n = vsnprintf(l->out + l->length, room, format, args);
    va_end(args);
    l->length = n >= 0 && (size_t)n < room ? l->length + (size_t)n : sizeof l->out - 1;
}

static void begin_text(struct lockstep *l)
{
    l->length = 0;
    l->out[0] = '\0';
    l->differences = 0;
}

/* ---- names ---- */

static enum pc_status fail(struct pc_error *err, const char *why, const char *name)
{
    *err = (struct pc_error){ .status = PC_EINPUT, .code = 1906 };
    snprintf(err->text, sizeof err->text, "%s: %s", name, why);
    return PC_EINPUT;
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, int32_t *low, struct pc_error *err)
{
    const struct lockstep *l = ctx;

    for (size_t i = 0; i < l->text.signals; i++) {
        const struct core_signal *s = &l->text.signal[i];
        if (strcmp(s->name, name) != 0)
            continue;
        for (size_t b = 0; b < s->bits && b < capacity; b++)
            wires[b] = s->first + (uint32_t)b;
        *count = s->bits;
        *low = s->low;
        return PC_OK;
    }
    return fail(err, "no signal of the bind file", name);
}

static enum pc_status look_up_plain(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                                    size_t *count, bool *is_signed, struct pc_error *err)
{
    int32_t low;

    *is_signed = false;
    return look_up(ctx, name, wires, capacity, count, &low, err);
}

void pcounter_dpi_core_size(void *core, uint32_t signal, uint32_t bits, int32_t low)
{
    struct lockstep *l = core;

    if (l && l->text.signal == NULL && !core_text_read(&l->text))
        l->text.failed = true;
    if (!l || signal >= l->text.signals)
        return;
    l->text.signal[signal].bits = bits;
    l->text.signal[signal].low = low;
}

/* Returns the name of what an error's place belongs to. */
static const char *name_of(const struct lockstep *l, const struct pc_core_place *p)
{
    const struct core_text *t = &l->text;

    switch (p->what) {
    case PC_CORE_LET:
        return t->let[p->item].name;
    case PC_CORE_VECTOR:
        return t->vector[p->item].name;
    case PC_CORE_CHECK_WHEN:
    case PC_CORE_CHECK_THAT:
        return t->check[p->item].name;
    case PC_CORE_RESET:
        return "reset";
    case PC_CORE_NOWHERE:
        return "the description";
    default:
        return t->reg[p->item].name;
    }
}

/* A slice has the bits that it says; those of an array would be its elements. */
static bool check_slice(struct lockstep *l, const struct core_signal *s)
{
    const char *open = strrchr(s->name, '['), *colon = open ? strchr(open, ':') : NULL;

    if (!colon || s->name[strlen(s->name) - 1] != ']')
        return true;
    const long from = strtol(open + 1, NULL, 10), to = strtol(colon + 1, NULL, 10);
    const long bits = (from > to ? from - to : to - from) + 1;
    if (bits == (long)s->bits)
        return true;
    tell(l,
         "%s has %" PRIu32 " bits in the design: it is elements there, and bits in the "
         "description",
         s->name, s->bits);
    return false;
}

static bool place_signals(struct lockstep *l)
{
    for (size_t i = 0; i < l->text.signals; i++) {
        struct core_signal *s = &l->text.signal[i];
        s->first = l->wires;
        l->wires += s->bits;
        if (s->bits == 0)
            tell(l, "%s has no bits", s->name);
        if (s->bits == 0 || !check_slice(l, s))
            return false;
    }
    return true;
}

static uint32_t widest(const struct lockstep *l)
{
    uint32_t most = 0;

    for (size_t i = 0; i < l->text.signals; i++)
        if (l->text.signal[i].bits > most)
            most = l->text.signal[i].bits;
    return most;
}

static bool make_planes(struct lockstep *l)
{
    const size_t n = l->wires;

    l->plane = calloc(2 * n, sizeof *l->plane);
    l->value = calloc(n, sizeof *l->value);
    l->unknown = calloc(n, sizeof *l->unknown);
    for (size_t i = 0; l->plane && l->value && l->unknown && i < n; i++) {
        l->value[i] = l->plane + i;
        l->unknown[i] = l->plane + n + i;
    }
    return l->plane && l->value && l->unknown;
}

/* Opens the reset once more, for between the edges. */
static enum pc_status open_reset(struct lockstep *l, struct pc_core_place *place,
                                 struct pc_error *err)
{
    place->what = PC_CORE_RESET;
    enum pc_status status = pc_expr_parse(NULL, l->text.desc.reset, &l->reset, err);

    return status ? status : pc_expr_resolve(l->reset, look_up_plain, l, err);
}

uint32_t pcounter_dpi_core_ready(void *core, uint32_t room)
{
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct lockstep *l = core;
    struct pc_error err = { .status = PC_OK };

    if (!l || l->tried)
        return 0;
    l->tried = true;
    begin_text(l);
    if (l->text.failed || l->text.signals == 0) {
        tell(l, "no memory, or no description");
        return 0;
    }
    if (!place_signals(l))
        return 0;
    if (widest(l) > room)
        return widest(l);
    if (!make_planes(l)) {
        tell(l, "no memory");
        return 0;
    }
    enum pc_status status = pc_core_create(&l->text.desc, &l->core, &place, &err);
    if (status == PC_OK)
        status = pc_core_resolve(l->core, look_up, l, &place, &err);
    if (status == PC_OK && l->text.async && l->text.desc.reset)
        status = open_reset(l, &place, &err);
    if (status == PC_OK)
        return widest(l);
    tell(l, "%s: %s", name_of(l, &place), err.text);
    pc_core_destroy(l->core);
    l->core = NULL;
    return 0;
}

/* ---- edges ---- */

/* aval and bval of 32 bits each, in turns: x and z have bval. */
void pcounter_dpi_core_value(void *core, uint32_t signal, const uint32_t *vector)
{
    struct lockstep *l = core;

    if (!l || !l->core || signal >= l->text.signals)
        return;
    const struct core_signal *s = &l->text.signal[signal];
    for (uint32_t i = 0; i < s->bits; i++) {
        const uint32_t a = vector[i / 32 * 2] >> i % 32 & 1, b = vector[i / 32 * 2 + 1] >> i % 32;
        l->plane[s->first + i] = a & ~b;
        l->plane[l->wires + s->first + i] = b & 1;
    }
}

void pcounter_dpi_core_look(void *core)
{
    struct lockstep *l = core;
    uint64_t active, unknown;

    if (!l || !l->core || !l->reset)
        return;
    pc_expr_eval(l->reset, l->value, l->unknown, 1, 1, &active, &unknown);
    l->since = l->since || ((active | unknown) & 1);
}

/* "0x1f"; a digit with an unknown bit is x. */
static void tell_value(struct lockstep *l, const char *what, const struct pc_core_value *v)
{
    bool any = false;

    tell(l, "\n  %s  0x", what);
    for (uint32_t digit = (v->width + 3) / 4; digit-- > 0;) {
        const unsigned value = v->value[digit / 16] >> digit % 16 * 4 & 15;
        const unsigned unknown = v->unknown[digit / 16] >> digit % 16 * 4 & 15;
        any |= value || unknown || digit == 0;
        if (any)
            tell(l, "%c", unknown ? 'x' : "0123456789abcdef"[value]);
    }
}

static const char *rule_of(const struct lockstep *l, const struct pc_core_difference *d)
{
    const struct core_text *t = &l->text;

    if (d->was_reset)
        return "the value after a reset";
    if (d->rule == PC_CORE_NO_RULE)
        return "no rule held: it keeps its value";
    return t->rule_told[(size_t)(t->reg[d->item].rule - t->rule) + d->rule];
}

static bool differs(void *ctx, const struct pc_core_difference *d)
{
    struct lockstep *l = ctx;
    const struct core_text *t = &l->text;

    tell(l, "%s", l->differences++ ? "\n" : "");
    if (d->of_check) {
        tell(l, "check fails at edge %" PRIu64 ": %s", d->edge, t->check[d->item].name);
        if (d->design.width > 0) {
            tell_value(l, "left  ", &d->design);
            tell_value(l, "right ", &d->model);
        }
        tell(l, "\n  that    %s", t->check_told[d->item]);
        return true;
    }
    tell(l, "difference at edge %" PRIu64 ": %s", d->edge, t->reg[d->item].name);
    tell_value(l, "design", &d->design);
    tell_value(l, "model ", &d->model);
    tell_value(l, "before", &d->before);
    tell(l, "\n  rule    %s", rule_of(l, d));
    return true;
}

/* Returns whether a reset came before this edge: the run has no other. */
static bool reset_between(void *ctx, uint64_t edge)
{
    const struct lockstep *l = ctx;

    (void)edge;
    return l->before;
}

uint32_t pcounter_dpi_core_edge(void *core)
{
    struct lockstep *l = core;
    struct pc_error err;

    if (!l || !l->core)
        return 0;
    const struct pc_core_watch watch = { .differs = differs,
                                         .reset_between = l->reset ? reset_between : NULL,
                                         .ctx = l };
    begin_text(l);
    l->before = l->since;
    l->since = false;
    if (pc_core_run(l->core, 1, l->value, l->unknown, &watch, &err) != PC_OK) {
        tell(l, "%s", err.text);
        l->differences++;
    }
    return l->differences;
}

const char *pcounter_dpi_core_text(void *core)
{
    const struct lockstep *l = core;

    return l ? l->out : "";
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *pcounter_dpi_core_summary(void *core)
{
    struct lockstep *l = core;
    struct pc_core_counts n;

    if (!l || !l->core)
        return "no edge of the clock";
    begin_text(l);
    pc_core_get_counts(l->core, &n);
    tell(l,
         "%" PRIu64 " edge%s (%" PRIu64 " in reset), %" PRIu64 " value%s compared, %" PRIu64
         " difference%s",
         n.edges, plural(n.edges), n.in_reset, n.compared, plural(n.compared), n.differences,
         plural(n.differences));
    if (n.unknown)
        tell(l, ", %" PRIu64 " not compared for unknown inputs", n.unknown);
    if (n.compared == 0)
        tell(l, ": nothing was compared");
    return l->out;
}
