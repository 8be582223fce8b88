/* SPDX-License-Identifier: MIT */
/*
 * Rows as test results, for what reads JUnit's XML: each row that has a verdict is a test.  How
 * many there were stands before them, so they wait in memory.
 */
#include "report/report_writer.h"
#include "text/warnings.h"

#include <stdlib.h>
#include <string.h>

struct junit {
    struct rep_flat flat;
    struct rep_buffer cases;
    uint64_t tests, failures, skipped;
};

static void open(struct rep *r, struct rep_output *o)
{
    struct junit *j = o->own;

    rep_flat_open(&j->flat, r->def, r->def->test_columns);
}

static const struct rep_cell *cell_of(const struct rep *r, const struct junit *j,
                                      const struct rep_rows *rows, const char *column)
{
    for (size_t c = 0; c < j->flat.columns; c++)
        if (rep_column_is(&j->flat.column[c], column))
            return rep_cell_of(r, &rows->place[c], NULL);
    return NULL;
}

/* Is it a word of the list? */
static bool is_one_of(const char *list, const char *word, size_t n)
{
    for (; list && *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == n && memcmp(list, word, n) == 0)
            return true;
    return false;
}

static bool is_named(const char *list, const struct rep_column *c)
{
    return is_one_of(list, c->name, c->length);
}

/* Writes the name of the test, from all columns that are part of it. */
static void put_test(const struct rep *r, struct junit *j, const struct rep_rows *rows)
{
    const char *blank = "";

    for (size_t c = 0; c < j->flat.columns; c++) {
        if (!is_named(r->def->test, &j->flat.column[c]))
            continue;
        rep_puts(&j->cases, blank);
        rep_put_cell(&j->cases, rep_cell_of(r, &rows->place[c], NULL), rep_escape_xml);
        blank = " ";
    }
}

/* "before 1, after 2": what the row says. */
static void put_values(const struct rep *r, struct junit *j, const struct rep_rows *rows)
{
    const char *comma = "";

    for (size_t c = 0; c < j->flat.columns; c++) {
        const struct rep_column *column = &j->flat.column[c];
        const struct rep_cell *cell = rep_cell_of(r, &rows->place[c], NULL);
        if (column->common || !rep_says(cell) || is_named(r->def->test, column) ||
            rep_column_is(column, r->def->verdict))
            continue;
        rep_puts(&j->cases, comma);
        rep_put(&j->cases, column->name, column->length);
        rep_putc(&j->cases, ' ');
        rep_put_cell(&j->cases, cell, rep_escape_xml);
        comma = ", ";
    }
}

/* Ends a test that passed, with a note if the row has one. */
static void put_passed(const struct rep *r, struct junit *j, const struct rep_rows *rows)
{
    const struct rep_cell *why = cell_of(r, j, rows, "why");

    if (!why || why->what != REP_IS_TEXT || !why->as.text[0]) {
        rep_puts(&j->cases, "\"/>\n");
        return;
    }
    rep_puts(&j->cases, "\">\n      <system-out>");
    rep_put_cell(&j->cases, why, rep_escape_xml);
    rep_puts(&j->cases, "</system-out>\n    </testcase>\n");
}

/* Writes the texts of the whole report. */
static void put_warnings(struct rep_buffer *b)
{
    const char *text;

    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++) {
        rep_puts(b, i ? "\n" : "    <system-err>");
        rep_put_escaped(b, text, rep_escape_xml);
    }
    rep_puts(b, cli_warning_at(0) ? "</system-err>\n" : "");
}

static void begin(struct rep *r, struct rep_output *o)
{
    struct junit *j = o->own;
    const struct rep_rows *rows = rep_rows_of(&j->flat, r->node[r->depth - 1].of);

    if (r->depth == 1 || !rows)
        return;
    const struct rep_cell *verdict = cell_of(r, j, rows, r->def->verdict);
    if (!verdict || verdict->what != REP_IS_TEXT || !verdict->as.text[0])
        return;
    const char *word = verdict->as.text;
    const bool passed = is_one_of(r->def->passed, word, strlen(word));
    const bool skipped = is_one_of(r->def->skipped, word, strlen(word));
    j->tests++;
    j->failures += !passed && !skipped;
    j->skipped += skipped;
    rep_puts(&j->cases, "    <testcase classname=\"");
    rep_put_escaped(&j->cases, r->def->call, rep_escape_xml);
    rep_puts(&j->cases, "\" name=\"");
    put_test(r, j, rows);
    if (passed) {
        put_passed(r, j, rows);
        return;
    }
    rep_puts(&j->cases,
             skipped ? "\">\n      <skipped message=\"" : "\">\n      <failure message=\"");
    rep_put_escaped(&j->cases, word, rep_escape_xml);
    rep_puts(&j->cases, "\">");
    put_values(r, j, rows);
    rep_puts(&j->cases,
             skipped ? "</skipped>\n    </testcase>\n" : "</failure>\n    </testcase>\n");
}

#define BEFORE "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
#define AFTER  "</testsuites>\n"

static void end(struct rep *r, struct rep_output *o)
{
    struct junit *j = o->own;
    struct rep_buffer *b = &o->buffer;

    if (r->depth > 1)
        return;
    rep_put_out(&j->cases);
    b->failed |= j->cases.failed;
    rep_puts(b, r->part ? "" : BEFORE);
    rep_puts(b, "  <testsuite name=\"");
    rep_put_escaped(b, r->def->call, rep_escape_xml);
    rep_puts(b, "\" tests=\"");
    rep_put_count(b, j->tests);
    rep_puts(b, "\" failures=\"");
    rep_put_count(b, j->failures);
    rep_puts(b, "\" skipped=\"");
    rep_put_count(b, j->skipped);
    rep_puts(b, "\">\n");
    rep_put(b, j->cases.text ? j->cases.text : "", j->cases.size);
    put_warnings(b);
    rep_puts(b, "  </testsuite>\n");
    rep_puts(b, r->part ? "" : AFTER);
    free(j->cases.text);
    j->cases.text = NULL;
}

const struct rep_writer rep_junit = { .tests = true,
                                      .before = BEFORE,
                                      .after = AFTER,
                                      .own = sizeof(struct junit),
                                      .open = open,
                                      .begin = begin,
                                      .end = end };
