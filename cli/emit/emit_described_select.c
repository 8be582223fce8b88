/* SPDX-License-Identifier: MIT */
/*
 * Reads the selectors of a description: rules with event[sel] take one event by its number, those
 * with event & mask any of several by a bit each, and event[5] is fixed.
 */
#include "emit_described.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "wave/event_list.h"

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Where the text, NULL or a part of it from `from` on, has the vector's whole name; else NULL. */
static const char *find(const char *text, const char *from, const char *vector)
{
    const size_t n = strlen(vector);

    for (const char *p = from; p && (p = strstr(p, vector)) != NULL; p += n)
        if ((p == text || !is_part(p[-1])) && !is_part(p[n]))
            return p;
    return NULL;
}

/* Returns what follows the name there, without blanks. */
static const char *after(const char *name, const char *vector)
{
    name += strlen(vector);
    return name + strspn(name, " ");
}

/* How the text looks at the vector; later ones win: FIXED, MASK, ID. */
static enum emit_selection look(const char *text, const char *vector)
{
    enum emit_selection found = EMIT_NOT;

    for (const char *p = text; (p = find(text, p, vector)) != NULL; p++) {
        const char *before = p, *next = after(p, vector);
        while (before > text && (before[-1] == ' ' || before[-1] == '('))
            before--;
        enum emit_selection one = EMIT_NOT;
        if (*next == '[')
            one = next[1 + strspn(next + 1, " 0123456789")] == ']' ? EMIT_FIXED : EMIT_BY_ID;
        else if (*next == '&' || (before > text && before[-1] == '&'))
            one = EMIT_BY_MASK;
        found = one > found ? one : found;
    }
    return found;
}

/* Has the text this element of the vector, event[5]? */
static bool has_element(const char *text, const char *vector, size_t place)
{
    for (const char *p = text; (p = find(text, p, vector)) != NULL; p++) {
        const char *next = after(p, vector);
        char *end;
        if (*next == '[' && strtoull(next + 1, &end, 10) == place && end[strspn(end, " ")] == ']')
            return true;
    }
    return false;
}

static enum emit_selection look_at_register(const struct described *d, size_t i, const char *vector)
{
    enum emit_selection found = EMIT_NOT;

    for (size_t k = 0; k < d->reg[i].rules; k++) {
        const struct pc_core_rule *rule = &d->reg[i].rule[k];
        const enum emit_selection a = look(rule->when, vector), b = look(rule->value, vector);
        found = a > found ? a : found;
        found = b > found ? b : found;
    }
    return found;
}

enum emit_selection emit_selection_of(const struct described *d, const char *vector)
{
    enum emit_selection found = EMIT_NOT;

    for (size_t i = 0; i < d->desc.lets; i++) {
        const enum emit_selection one = look(d->let[i].value, vector);
        found = one > found ? one : found;
    }
    for (size_t i = 0; i < d->desc.regs; i++) {
        const enum emit_selection one = look_at_register(d, i, vector);
        found = one > found ? one : found;
    }
    return found;
}

bool emit_event_at(const struct described *d, size_t i, struct emit_event *out)
{
    for (size_t v = 0; v < d->desc.vectors; v++)
        for (size_t k = 0; k < d->vector[v].elements; k++)
            if (d->vector[v].called && d->vector[v].called[k] && i-- == 0) {
                *out = (struct emit_event){ .name = d->vector[v].called[k],
                                            .vector = d->vector[v].name,
                                            .value = d->vector[v].element[k],
                                            .place = k,
                                            .by = emit_selection_of(d, d->vector[v].name) };
                out->code = out->by != EMIT_BY_MASK ? k : k < 64 ? UINT64_C(1) << k : 0;
                return true;
            }
    return false;
}

long emit_counter_number(const char *name)
{
    static const char prefix[] = "mhpmcounter";

    if (strcmp(name, "mcycle") == 0)
        return 0;
    if (strcmp(name, "minstret") == 0)
        return 2;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return -1;
    name += strcspn(name, "0123456789");
    return *name ? strtol(name, NULL, 10) : -1;
}

/* ---- what a counter depends on ---- */

struct follower {
    const struct described *d;
    struct emit_texts *out;
    bool *let, *reg; /* those that are in it */
};

static bool add_text(struct emit_texts *t, const char *text)
{
    void *array = t->text;

    if (!text)
        return true;
    if (!cli_grow(&array, &t->capacity, t->count + 1, sizeof *t->text))
        return false;
    t->text = array;
    t->text[t->count++] = text;
    return true;
}

static bool add_rules(struct follower *f, size_t reg)
{
    f->reg[reg] = true;
    for (size_t k = 0; k < f->d->reg[reg].rules; k++)
        if (!add_text(f->out, f->d->reg[reg].rule[k].when) ||
            !add_text(f->out, f->d->reg[reg].rule[k].value))
            return false;
    return true;
}

/* The lets and registers that the text names, but for other counters. */
static bool follow(struct follower *f, const char *text)
{
    for (size_t i = 0; i < f->d->desc.lets; i++)
        if (!f->let[i] && find(text, text, f->d->let[i].name)) {
            f->let[i] = true;
            if (!add_text(f->out, f->d->let[i].value))
                return false;
        }
    for (size_t i = 0; i < f->d->desc.regs; i++)
        if (!f->reg[i] && emit_counter_number(f->d->reg[i].name) < 0 &&
            find(text, text, f->d->reg[i].name) && !add_rules(f, i))
            return false;
    return true;
}

static bool find_texts(const struct described *d, size_t reg, struct emit_texts *out)
{
    struct follower f = { .d = d,
                          .out = out,
                          .let = calloc(d->desc.lets + 1, sizeof *f.let),
                          .reg = calloc(d->desc.regs + 1, sizeof *f.reg) };
    bool ok = f.let && f.reg && add_rules(&f, reg);

    for (size_t i = 0; ok && i < out->count; i++)
        ok = follow(&f, out->text[i]);
    free(f.let);
    free(f.reg);
    return ok;
}

int emit_resolve(struct emit_resolved *r, const struct described *d)
{
    *r = (struct emit_resolved){ .d = d, .of = calloc(d->desc.regs + 1, sizeof *r->of) };
    bool ok = r->of != NULL;

    for (size_t i = 0; ok && i < d->desc.regs; i++)
        if (emit_counter_number(d->reg[i].name) >= 0)
            ok = find_texts(d, i, &r->of[i]);
    return ok ? CLI_OK : cli_no_memory();
}

void emit_resolved_drop(struct emit_resolved *r)
{
    for (size_t i = 0; r->of && i < r->d->desc.regs; i++)
        free(r->of[i].text);
    free(r->of);
    r->of = NULL;
}

/* A register that always counts some elements counts those; one with a selector, any. */
static bool takes(const struct emit_texts *t, long n, const struct emit_event *event)
{
    enum emit_selection by = EMIT_NOT;

    for (size_t i = 0; i < t->count; i++) {
        const enum emit_selection one = look(t->text[i], event->vector);
        by = one > by ? one : by;
    }
    for (size_t i = 0; i < t->count && by == EMIT_FIXED; i++)
        if (has_element(t->text[i], event->vector, event->place))
            return true;
    return by > EMIT_FIXED && n >= 3;
}

uint32_t emit_counters_of(const struct emit_resolved *r, const struct emit_event *event)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < r->d->desc.regs; i++) {
        const long n = emit_counter_number(r->d->reg[i].name);
        if (n >= 0 && n <= 31 && n != 1 && (event ? takes(&r->of[i], n, event) : n < 3))
            bits |= UINT32_C(1) << n;
    }
    return bits;
}
