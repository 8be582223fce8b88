/* SPDX-License-Identifier: MIT */
/* Every member of a report that merges says how it adds (enum rep_adds, cli/report/report.h). */
#include "merge/merge.h"

#include <stdio.h>
#include <string.h>

static int failures, members;

static void fail(const char *path, const char *what)
{
    printf("FAILED: %s: %s\n", path, what);
    failures++;
}

static bool is_number(const struct rep_field *f)
{
    return f->kind == REP_COUNT || f->kind == REP_INT || f->kind == REP_NUMBER;
}

/* Checks that the rule is one for what the member is. */
static void check_rule(const char *path, const struct rep_field *f)
{
    const bool list = f->kind == REP_LIST || f->kind == REP_MAP;

    switch (f->adds) {
    case REP_NO_RULE:
        if (f->kind != REP_OBJECT)
            fail(path, "it has no rule of how it adds");
        break;
    case REP_SUM:
    case REP_LEAST:
    case REP_GREATEST:
    case REP_LAST:
        if (!is_number(f))
            fail(path, "its rule is one for numbers");
        break;
    case REP_LONGER:
        if (f->kind != REP_OBJECT)
            fail(path, "its rule is one for objects");
        break;
    case REP_EACH:
    case REP_ANY:
    case REP_ROWS:
        if (!list)
            fail(path, "its rule is one for lists and maps");
        break;
    case REP_ONCE:
    case REP_COMMON:
    case REP_DOWN:
        if (f->kind != REP_LIST || !f->value)
            fail(path, "its rule is one for lists of values");
        break;
    default:
        break;
    }
    if ((f->compares != REP_BY_RULE || f->unit) && !is_number(f) && f->kind != REP_OBJECT)
        fail(path, "only numbers compare, and have a unit");
}

static bool has_key(const struct rep_field *f)
{
    for (; f->name; f++)
        if (f->adds == REP_KEY)
            return true;
    return false;
}

static void walk(const char *path, const struct rep_field *f)
{
    char name[200];

    for (; f->name; f++) {
        snprintf(name, sizeof name, "%s.%s", path, f->name);
        if (f->flags & REP_NO_JSON || f->refused)
            continue;
        members++;
        check_rule(name, f);
        if (f->kind == REP_LIST && (f->adds == REP_EACH || f->adds == REP_ANY) &&
            !(f->field && has_key(f->field)))
            fail(name, "its items have no key");
        if (f->field && f->adds != REP_FOLLOWS && f->adds != REP_LONGER && f->adds != REP_ROWS)
            walk(name, f->field);
    }
}

int main(void)
{
    for (unsigned k = 0; k < MERGE_KINDS; k++)
        walk(merge_defs[k]->schema, merge_defs[k]->field);
    printf("%d members\n", members);
    return failures > 0 || members < 200;
}
