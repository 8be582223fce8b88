/* SPDX-License-Identifier: MIT */
/*
 * The tree as rows of columns: which cell is in which column is looked up once.  A column is taken
 * from the innermost open node that has a field of its name.
 */
#include "report/report_writer.h"

#include <string.h>

bool rep_column_is(const struct rep_column *c, const char *name)
{
    return strlen(name) == c->length && memcmp(name, c->name, c->length) == 0;
}

/* Without columns of its own a report has those of its one list. */
static void take_columns(struct rep_flat *f, const struct rep_field *members)
{
    for (; members->name && !(members->flags & REP_ROW); members++)
        ;
    for (members = members->field; members && members->name; members++)
        if (!(members->flags & REP_NO_CSV) && f->columns < REP_COLUMNS)
            f->column[f->columns++] =
                (struct rep_column){ members->name, strlen(members->name), .common = false };
}

static void name_columns(struct rep_flat *f, const char *text, bool of_tests)
{
    while (*text && f->columns < REP_COLUMNS) {
        const size_t n = strcspn(text, ",");
        f->column[f->columns++] = (struct rep_column){ text, n, .of_tests = of_tests };
        text += n + (text[n] == ',');
    }
}

/* "kind=warning,verdict=before": what it says of the column. */
static void find_fixed(const struct rep_column *c, const char *fixed, struct rep_place *out)
{
    while (fixed && *fixed) {
        const size_t n = strcspn(fixed, "="), end = strcspn(fixed, ",");
        if (n == c->length && memcmp(fixed, c->name, n) == 0 && end - n - 1 < REP_FIXED) {
            memcpy(out->fixed, fixed + n + 1, end - n - 1);
            out->cell = rep_text(out->fixed);
            return;
        }
        fixed += end + (fixed[end] == ',');
    }
}

/* Columns of tests are members by their own names. */
static bool is_column(const struct rep_field *f, const struct rep_column *c, unsigned hidden)
{
    return !(f->flags & hidden) && f->kind != REP_LIST && f->kind != REP_OBJECT &&
           f->kind != REP_MAP &&
           (rep_column_is(c, f->csv ? f->csv : f->name) ||
            (c->of_tests && rep_column_is(c, f->name)));
}

static void find_place(const struct rep_field *const *path, unsigned depth,
                       const struct rep_field *of, const struct rep_column *c,
                       struct rep_place *out)
{
    const unsigned hidden = REP_NO_CSV | (of ? REP_TOTAL : 0u);

    if (of && of->value && is_column(of->value, c, hidden)) {
        out->item = true;
        return;
    }
    for (unsigned d = depth; d > 0; d--)
        for (unsigned i = 0; path[d - 1][i].name; i++)
            if (is_column(&path[d - 1][i], c, hidden)) {
                out->depth = d;
                out->field = i;
                return;
            }
}

static void add_rows(struct rep_flat *f, const struct rep_field *const *path, unsigned depth,
                     const struct rep_field *of, const char *fixed)
{
    if (f->kinds == REP_ROW_KINDS)
        return;
    struct rep_rows *rows = &f->rows[f->kinds++];
    rows->of = of;
    for (size_t c = 0; c < f->columns; c++) {
        find_fixed(&f->column[c], fixed, &rows->place[c]);
        if (rows->place[c].cell.what == REP_ABSENT)
            find_place(path, depth, of, &f->column[c], &rows->place[c]);
    }
}

/* path: members of the nodes that are open; the last of `depth` are those to look at. */
static void walk(struct rep_flat *f, const struct rep_field **path, unsigned depth)
{
    for (const struct rep_field *m = path[depth - 1]; m->name; m++) {
        const unsigned inside = depth + (m->field != NULL);
        if (m->field && depth < REP_DEPTH)
            path[depth] = m->field;
        if (m->flags & REP_ROW)
            add_rows(f, path, inside, m, m->fixed);
        if (m->field && depth < REP_DEPTH)
            walk(f, path, inside);
    }
}

void rep_flat_open(struct rep_flat *f, const struct rep_def *def, const char *columns)
{
    const struct rep_field *path[REP_DEPTH + 1] = { def->field };

    if (columns || def->columns)
        name_columns(f, columns ? columns : def->columns, columns != NULL);
    else
        take_columns(f, def->field);
    for (size_t c = 0; c < f->columns; c++)
        for (const struct rep_field *m = def->field; m->name; m++)
            f->column[c].common |= is_column(m, &f->column[c], REP_NO_CSV | REP_TOTAL);
    if (def->total)
        add_rows(f, path, 1, NULL, def->total);
    walk(f, path, 1);
}

const struct rep_rows *rep_rows_of(const struct rep_flat *f, const struct rep_field *of)
{
    for (size_t i = 0; i < f->kinds; i++)
        if (f->rows[i].of == of)
            return &f->rows[i];
    return NULL;
}
