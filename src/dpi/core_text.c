/* SPDX-License-Identifier: MIT */
/* The lines of a description, as pcounter_dpi_core_line() has them, as a pc_core_desc. */
#include "core_dpi.h"

#include <stdlib.h>
#include <string.h>

enum kind { RESET, LET, VECTOR, ELEMENT, REGISTER, RULE, CHECK, SIGNAL, KINDS };
enum { FIELDS = 8 };
static const char *const kinds[KINDS] = { "reset",    "let",  "vector", "element",
                                          "register", "rule", "check",  "signal" };

void core_text_add(struct core_text *t, const char *line)
{
    const size_t n = strlen(line) + 1; /* with a newline */

    if (t->failed)
        return;
    if (t->length + n + 1 > t->capacity) {
        const size_t capacity = 2 * (t->length + n + 1);
        char *larger = realloc(t->lines, capacity);
        if (!larger) {
            t->failed = true;
            return;
        }
        t->lines = larger;
        t->capacity = capacity;
    }
    memcpy(t->lines + t->length, line, n - 1);
    t->length += n;
    t->lines[t->length - 1] = '\n';
    t->lines[t->length] = '\0';
}

static enum kind kind_of(const char *line)
{
    enum kind k = RESET;

    for (; k < KINDS; k++) {
        const size_t n = strlen(kinds[k]);
        if (strncmp(line, kinds[k], n) == 0 && line[n] == '\t')
            break;
    }
    return k;
}

/* Returns false where a line is none of a description, or has no register or vector before it. */
static bool count(const struct core_text *t, size_t counts[KINDS])
{
    for (const char *at = t->lines; *at; at = strchr(at, '\n') + 1) {
        const enum kind k = kind_of(at);
        if (k == KINDS || (k == RULE && counts[REGISTER] == 0) ||
            (k == ELEMENT && counts[VECTOR] == 0))
            return false;
        counts[k]++;
    }
    return true;
}

static void *array(struct core_text *t, size_t members, size_t size)
{
    void *made = calloc(members ? members : 1, size);

    t->failed |= !made;
    return made;
}

static bool make(struct core_text *t, const size_t n[KINDS])
{
    t->let = array(t, n[LET], sizeof *t->let);
    t->vector = array(t, n[VECTOR], sizeof *t->vector);
    t->element = array(t, n[ELEMENT], sizeof *t->element);
    t->called = array(t, n[ELEMENT], sizeof *t->called);
    t->reg = array(t, n[REGISTER], sizeof *t->reg);
    t->rule = array(t, n[RULE], sizeof *t->rule);
    t->rule_told = array(t, n[RULE], sizeof *t->rule_told);
    t->check = array(t, n[CHECK], sizeof *t->check);
    t->check_told = array(t, n[CHECK], sizeof *t->check_told);
    t->signal = array(t, n[SIGNAL], sizeof *t->signal);
    return !t->failed;
}

/* Returns the fields of a line after its kind, ended by NULs; those that are not there are "". */
static char *split(char *line, const char *field[FIELDS])
{
    char *end = strchr(line, '\n'), *at = strchr(line, '\t');

    for (size_t i = 0; i < FIELDS; i++)
        field[i] = end;
    *end = '\0';
    for (size_t i = 0; at && i < FIELDS; i++) {
        *at++ = '\0';
        field[i] = at;
        at = strchr(at, '\t');
    }
    return end + 1;
}

static const char *some(const char *text)
{
    return *text ? text : NULL;
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

static void take_rule(struct core_text *t, const char *const f[FIELDS], size_t rules)
{
    t->rule[rules] = (struct pc_core_rule){ .action = (enum pc_core_action)number(f[0]),
                                            .sliced = *f[1] != '\0',
                                            .hi = number(f[1]),
                                            .lo = number(f[2]),
                                            .go_on = number(f[3]) != 0,
                                            .when = some(f[4]),
                                            .value = some(f[5]) };
    t->rule_told[rules] = f[6];
    t->reg[t->desc.regs - 1].rules++;
}

static void take(struct core_text *t, enum kind kind, const char *const f[FIELDS], size_t n)
{
    switch (kind) {
    case RESET:
        t->async = number(f[0]) != 0;
        t->desc.reset = some(f[1]);
        break;
    case LET:
        t->let[t->desc.lets++] = (struct pc_core_let){ f[0], f[1] };
        break;
    case VECTOR:
        t->vector[t->desc.vectors++] =
            (struct pc_core_vector){ .name = f[0], .element = t->element, .called = t->called };
        break;
    case ELEMENT:
        t->called[n] = some(f[0]);
        t->element[n] = f[1];
        t->vector[t->desc.vectors - 1].elements++;
        break;
    case REGISTER:
        t->reg[t->desc.regs++] = (struct pc_core_register){
            .name = f[0], .width = number(f[1]), .is = some(f[2]), .reset = some(f[3])
        };
        break;
    case RULE:
        take_rule(t, f, n);
        break;
    case CHECK:
        t->check_told[t->desc.checks] = f[3];
        t->check[t->desc.checks++] = (struct pc_core_check){ f[0], some(f[1]), f[2] };
        break;
    default:
        t->signal[t->signals++].name = f[0];
    }
}

/* Elements and rules stand in one array each. */
static void point(struct core_text *t)
{
    size_t elements = 0, rules = 0;

    for (size_t i = 0; i < t->desc.vectors; i++) {
        t->vector[i].element = t->element + elements;
        t->vector[i].called = t->called + elements;
        elements += t->vector[i].elements;
    }
    for (size_t i = 0; i < t->desc.regs; i++) {
        t->reg[i].rule = t->rule + rules;
        rules += t->reg[i].rules;
    }
    t->desc.let = t->let;
    t->desc.vector = t->vector;
    t->desc.reg = t->reg;
    t->desc.check = t->check;
}

bool core_text_read(struct core_text *t)
{
    size_t counts[KINDS] = { 0 }, taken[KINDS] = { 0 };

    if (t->failed || !t->lines || !count(t, counts) || !make(t, counts))
        return false;
    for (char *at = t->lines; *at;) {
        const char *field[FIELDS];
        const enum kind kind = kind_of(at);
        at = split(at, field);
        take(t, kind, field, taken[kind]++);
    }
    point(t);
    return true;
}

void core_text_drop(struct core_text *t)
{
    free(t->lines);
    free(t->let);
    free(t->vector);
    free(t->element);
    free(t->called);
    free(t->reg);
    free(t->rule);
    free(t->rule_told);
    free(t->check);
    free(t->check_told);
    free(t->signal);
}
