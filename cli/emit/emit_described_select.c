/* SPDX-License-Identifier: MIT */
/*
 * What a description says of selectors: rules with event[sel] take one event by its number, those
 * with event & mask any of several by a bit each, and event[5] is fixed.
 */
#include "emit_described.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* What follows the name there, without blanks. */
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
            if (d->vector[v].called[k] && i-- == 0) {
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

/* mhpmcounter3, mhpmcounter_q[3], mhpmcounter[3]: 3; mcycle and minstret 0 and 2; else -1. */
static long number_of(const char *name)
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

/* A register that always counts some elements counts those; one with a selector, any. */
static bool takes(const struct described *d, size_t i, long n, const struct emit_event *event)
{
    const enum emit_selection by = look_at_register(d, i, event->vector);

    for (size_t k = 0; k < d->reg[i].rules && by == EMIT_FIXED; k++)
        if (has_element(d->reg[i].rule[k].when, event->vector, event->place) ||
            has_element(d->reg[i].rule[k].value, event->vector, event->place))
            return true;
    return by > EMIT_FIXED && n >= 3;
}

uint32_t emit_counters_of(const struct described *d, const struct emit_event *event)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < d->desc.regs; i++) {
        const long n = number_of(d->reg[i].name);
        if (n >= 0 && n <= 31 && n != 1 && (event ? takes(d, i, n, event) : n < 3))
            bits |= UINT32_C(1) << n;
    }
    return bits;
}
