/* SPDX-License-Identifier: MIT */
/* Decides by cells where no name does: times grow, and a line of nothing but values has no names.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <string.h>

static bool is_over_one(const struct csv *c, const struct csv_field *f)
{
    const char *p = c->text.buf + f->at;
    bool whole = false;

    for (size_t i = 0; i < f->length && pc_is_digit(p[i]); i++)
        whole = whole || (p[i] != '0' && (p[i] != '1' || f->length > 1));
    return whole;
}

/* Adds a cell to the trend; `before` is that of the row before. */
static bool add_cell(const struct csv *c, struct csv_trend *t, const struct csv_field *before,
                     const struct csv_field *cell)
{
    int exponent, order = 0;
    const enum csv_form form = csv_time_form(c, cell, &exponent);

    if (form == CSV_FORM_NONE)
        return false;
    t->stamps = t->stamps && (form == CSV_FORM_DATE || form == CSV_FORM_UNIT);
    t->fractions = t->fractions || form == CSV_FORM_FRACTION;
    if (t->rows++ > 0) {
        if (!csv_time_order(c, before, cell, &order))
            return false;
        t->grows = t->grows && order <= 0;
        t->strictly = t->strictly && order < 0;
    }
    t->over_one = is_over_one(c, cell);
    return true;
}

enum pc_status csv_trend(struct csv *c, size_t at, size_t field, struct csv_trend *out,
                         struct pc_error *err)
{
    const size_t limit = c->text.at + CSV_FIRST;
    struct csv_field first = { 0 }, before = { 0 };
    enum pc_status status;
    int order;

    *out = (struct csv_trend){ .times = true, .stamps = true, .grows = true, .strictly = true };
    while (out->times && (status = csv_split(c, at, limit, err)) == PC_OK) {
        const struct csv_row *r = &c->row;
        if (field >= r->fields || (r->fields == 1 && r->field[0].length == 0))
            break; /* reading on says what is wrong */
        out->times = add_cell(c, out, &before, &r->field[field]);
        before = r->field[field];
        first = out->rows == 1 ? before : first;
        at = r->next;
    }
    if (out->rows == 0 || !out->times)
        *out = (struct csv_trend){ .rows = 0 };
    else
        out->grows = out->grows && csv_time_order(c, &first, &before, &order) && order < 0;
    out->strictly = out->strictly && out->grows;
    return status == PC_ENOMEM ? status : PC_OK;
}

bool csv_looks_like_row(const struct csv *c)
{
    size_t numbers = 0;
    bool names = false;

    for (size_t i = 0; i < c->row.fields; i++) {
        const struct csv_field *f = &c->row.field[i];
        const char *p = c->text.buf + f->at;
        int exponent;
        const enum csv_form form = f->quoted ? CSV_FORM_NONE : csv_time_form(c, f, &exponent);
        const bool digits =
            f->length > 2 && p[0] == '0' && pc_is_one_of(p[1], "xXbB") && pc_is_hex(p[2]);
        const bool level = f->length == 1 && pc_is_one_of(*p, "01xXzZ");
        if (i == 0 && form > CSV_FORM_WHOLE)
            return true; /* 0.136272 and 2024-01-01T00:00:00 name nothing */
        numbers += form != CSV_FORM_NONE || level || digits;
        if (f->quoted || !(form != CSV_FORM_NONE || level || digits || f->length == 0 ||
                           csv_is_nan(p, f->length) || csv_level_word(p, f->length)))
            names = true;
    }
    return numbers > 0 && !names;
}
