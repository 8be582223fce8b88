/* SPDX-License-Identifier: MIT */
/*
 * A timeline as a waveform: the values of each row from its begin to that of the next one, beside
 * the design's own signals in a viewer.
 */
#include "text/chars.h"
#include "text/vcd.h"
#include "text/warnings.h"
#include "timeline_writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_BITS = 64 };

/*
 * Marks columns that have the name of an earlier one, which is the same event asked for twice: a
 * waveform cannot have two variables of one path.
 */
static bool open(struct timeline *t)
{
    const struct timeline_desc *d = &t->desc;
    bool *again = calloc(d->columns + 1, sizeof *again);

    for (size_t i = 0; again && i < d->columns; i++)
        for (size_t before = 0; before < i && !again[i]; before++)
            again[i] = d->column[i].kind == d->column[before].kind &&
                       strcmp(d->column[i].name, d->column[before].name) == 0;
    t->own = again;
    return again != NULL;
}

static void close(struct timeline *t)
{
    free(t->own);
}

/* Is it a name of Verilog's as it is? */
static bool is_plain(const char *name)
{
    const char *p = name;

    while (cli_is_word(*p))
        p++;
    return p > name && *p == '\0' && !cli_is_digit(*name);
}

/* As it is, or with a backslash before it. */
static void put_name(FILE *out, const char *name)
{
    if (!is_plain(name))
        fputc('\\', out);
    vcd_put_name(out, name);
}

static void declare(FILE *out, const char *type, int bits, size_t number, const char *name)
{
    fprintf(out, "$var %s %d ", type, bits);
    vcd_put_code(out, number);
    fputc(' ', out);
    put_name(out, name);
    fputs(" $end\n", out);
}

/* A VCD has no place for units but comments. */
static void tell_unit(FILE *out, const struct timeline_column *c)
{
    fputs("$comment ", out);
    put_name(out, c->name);
    fprintf(out, " is in %s $end\n", c->unit);
}

static void open_scope(FILE *out, const char *name)
{
    fprintf(out, "$scope module %s $end\n", name);
}

static void close_scope(FILE *out)
{
    fputs("$upscope $end\n", out);
}

static void begin(struct timeline *t)
{
    const struct timeline_desc *d = &t->desc;
    const bool *again = t->own;
    size_t mark = d->columns;

    fprintf(d->out, "$version pcounter %s $end\n", pc_version());
    vcd_put_timescale(d->out, d->axis.exponent);
    for (size_t i = 0; i < d->columns; i++)
        if (d->column[i].kind == TIMELINE_METRIC && !again[i])
            tell_unit(d->out, &d->column[i]);
    open_scope(d->out, "pcounter");
    for (size_t i = 0; i < d->columns; i++) {
        const bool real = d->column[i].kind == TIMELINE_METRIC;
        if (!again[i])
            declare(d->out, real ? "real" : "integer", COUNT_BITS, i, d->column[i].name);
    }
    open_scope(d->out, "inexact");
    for (size_t i = 0; i < d->columns; i++)
        if (d->column[i].marked && !again[i])
            declare(d->out, "wire", 1, mark++, d->column[i].name);
    close_scope(d->out);
    close_scope(d->out);
    fputs("$enddefinitions $end\n", d->out);
}

static void put_count(FILE *out, uint64_t value, size_t number)
{
    int bit = 63;

    while (bit > 0 && !(value >> bit & 1))
        bit--;
    fputc('b', out);
    for (; bit >= 0; bit--)
        fputc('0' + (int)(value >> bit & 1), out);
    fputc(' ', out);
    vcd_put_code(out, number);
    fputc('\n', out);
}

/* A count that was not measured is unknown, a number that was not is none. */
static void put_value(FILE *out, const struct timeline_column *c, const struct timeline_value *v,
                      size_t number)
{
    const bool measured = timeline_measured(c, v);

    if (c->kind != TIMELINE_METRIC && measured) {
        put_count(out, v->count, number);
        return;
    }
    if (c->kind != TIMELINE_METRIC)
        fputs("bx ", out);
    else if (measured)
        fprintf(out, "r%.16g ", v->number);
    else
        fputs("rnan ", out);
    vcd_put_code(out, number);
    fputc('\n', out);
}

static void add(struct timeline *t, const struct timeline_row *row)
{
    const struct timeline_desc *d = &t->desc;
    const bool *again = t->own;
    size_t mark = d->columns;

    fprintf(d->out, "#%" PRIu64 "\n", row->begin.whole);
    for (size_t i = 0; i < d->columns; i++) {
        if (again[i])
            continue;
        put_value(d->out, &d->column[i], &row->value[i], i);
        if (d->column[i].marked) {
            fputc(row->value[i].state == PC_VALUE_EXACT ? '0' : '1', d->out);
            vcd_put_code(d->out, mark++);
            fputc('\n', d->out);
        }
    }
}

static void end(struct timeline *t, const struct timeline_summary *summary)
{
    const char *warning;

    fprintf(t->desc.out, "#%" PRIu64 "\n", t->end.whole);
    if (summary->facts->cut)
        fprintf(t->desc.out, "$comment partial: %s $end\n", summary->facts->cut);
    for (size_t i = 0; (warning = cli_warning_at(i)) != NULL; i++) {
        fputs("$comment warning: ", t->desc.out);
        vcd_put_comment(t->desc.out, warning);
        fputs(" $end\n", t->desc.out);
    }
}

const struct timeline_writer timeline_vcd = {
    .name = "vcd", .open = open, .begin = begin, .add = add, .end = end, .close = close
};
