/* SPDX-License-Identifier: MIT */
/* See table.h. */
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

#include "text/cells.h"
#include "text/page.h"

enum { HIDDEN = -1 }; /* the width of a column that is left out */

/* A cell that is kept: where its text begins. */
struct kept {
    size_t at;
    char mark;
    bool rest;
};

struct cli_table {
    FILE *out;
    struct cli_look look;
    bool marked; /* Markdown is wanted as well */
    bool failed; /* no memory */
    struct cli_column *column;
    char *(*copy)[2]; /* of heads */
    int *width;
    size_t columns, room;
    /* of a table that is kept: all rows, and the cells of the last one */
    struct kept *cell;
    size_t cells, cell_room;
    char *text;
    size_t used, text_room;
    /* of the row that is being put */
    size_t next;
    int blanks; /* before the next text */
    char mark;  /* after the last text; '\0': none */
};

/* --- memory --- */

static void *grow(struct cli_table *t, void *array, size_t *room, size_t need, size_t size)
{
    const size_t more = need > 2 * *room ? need : 2 * *room;

    if (need <= *room || t->failed)
        return array;
    void *larger = realloc(array, more * size);
    t->failed = !larger;
    if (!larger)
        return array;
    *room = more;
    return larger;
}

struct cli_table *cli_table_open(FILE *out, const struct cli_look *look)
{
    struct cli_table *t = calloc(1, sizeof *t);

    if (t)
        *t = (struct cli_table){ .out = out, .look = *look, .marked = cli_page_of(out) != NULL };
    return t;
}

static int width_of_head(const struct cli_column *c)
{
    return c->head ? (int)cli_columns(c->head) : 0;
}

static const char *copy(struct cli_table *t, char **copy, const char *head)
{
    *copy = head ? strdup(head) : NULL;
    t->failed |= head && !*copy;
    return *copy;
}

void cli_table_column(struct cli_table *t, const struct cli_column *column)
{
    size_t room[2] = { t ? t->room : 0, t ? t->room : 0 };

    if (!t)
        return;
    t->column = grow(t, t->column, &room[0], t->columns + 1, sizeof *t->column);
    t->copy = grow(t, t->copy, &room[1], t->columns + 1, sizeof *t->copy);
    t->width = grow(t, t->width, &t->room, t->columns + 1, sizeof *t->width);
    if (t->failed)
        return;
    t->column[t->columns] = *column;
    t->width[t->columns] = cli_larger(column->width, t->look.bare ? 0 : width_of_head(column));
    t->column[t->columns].head = copy(t, &t->copy[t->columns][0], column->head);
    t->column[t->columns].named = copy(t, &t->copy[t->columns][1], column->named);
    t->columns++;
}

void cli_table_columns(struct cli_table *t, const struct cli_column *column, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cli_table_column(t, &column[i]);
}

/* --- rows as text, with the marks of a page --- */

static void put_mark(const struct cli_table *t, char mark)
{
    if (t->marked)
        fputc(mark, t->out);
}

static void put_blanks(struct cli_table *t)
{
    if (t->blanks > 0)
        fprintf(t->out, "%*s", t->blanks, "");
    t->blanks = 0;
}

static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text < 0x7f)
        text++;
    return *text == '\0';
}

static void put_text(FILE *out, const char *text)
{
    if (is_plain(text))
        fputs(text, out);
    else
        cli_print_name(out, text);
}

static int columns_of(const char *text)
{
    return is_plain(text) ? (int)strlen(text) : (int)cli_columns(text);
}

static void begin_line(struct cli_table *t)
{
    put_mark(t, CLI_PAGE_ROW);
    t->next = 0;
    t->blanks = 0;
    t->mark = '\0';
}

static void end_line(struct cli_table *t)
{
    if (t->mark)
        fputc(t->mark, t->out);
    t->mark = '\0';
    fputc('\n', t->out);
    t->next = 0;
}

/* A column of a kept table in which there is nothing takes no room. */
static int gap_of(const struct cli_table *t, size_t c)
{
    const int gap = t->column[c].gap ? t->column[c].gap : t->look.gap;

    if (t->width[c] == 0 && !t->look.streams)
        return 0;
    return c == 0 ? t->look.indent : gap;
}

static void put_before(const struct cli_table *t, const char *text)
{
    if (!text)
        return;
    put_mark(t, CLI_PAGE_TEXT);
    fputs(text, t->out);
    put_mark(t, CLI_PAGE_TEXT);
}

/* Puts a cell that the text does not show. */
static void put_unseen(struct cli_table *t, const char *text)
{
    if (!t->marked)
        return;
    put_mark(t, CLI_PAGE_MARKDOWN);
    put_text(t->out, text);
    put_mark(t, CLI_PAGE_MARKDOWN);
}

static void put_aligned(struct cli_table *t, size_t c, const char *before, const char *text,
                        bool left)
{
    const int pad = t->width[c] - columns_of(text) - (before ? (int)strlen(before) : 0);

    t->blanks += gap_of(t, c) + (left ? 0 : cli_larger(pad, 0));
    put_blanks(t);
    put_before(t, before);
    put_text(t->out, text);
    t->blanks = left ? cli_larger(pad, 0) : 0;
}

static bool is_apart(const struct cli_table *t, size_t c, const char *text)
{
    return t->column[c].apart && !t->look.streams && columns_of(text) > t->width[c];
}

static void put_cell(struct cli_table *t, const char *text, char mark, bool rest)
{
    const size_t c = t->next++;
    const struct cli_column *of = &t->column[c];
    const bool marked = t->marked;

    if (t->mark) { /* it is of the cell before */
        fputc(t->mark, t->out);
        t->mark = '\0';
        t->blanks--;
    }
    put_mark(t, of->drawn ? CLI_PAGE_TEXT : CLI_PAGE_CELL);
    t->marked &= !of->drawn;
    if (t->width[c] == HIDDEN && !rest) {
        put_unseen(t, text);
    } else if (!text[0] || is_apart(t, c, text)) {
        put_unseen(t, text);
        t->blanks += gap_of(t, c) + t->width[c];
    } else {
        put_aligned(t, c, of->before, text, of->left || rest);
        t->mark = mark;
    }
    t->marked = marked;
    if (of->drawn)
        put_mark(t, CLI_PAGE_TEXT);
}

/* Puts what Markdown has of the head of a column. */
static void put_named(struct cli_table *t, const struct cli_column *of)
{
    put_mark(t, CLI_PAGE_CELL);
    if (of->left)
        put_mark(t, CLI_PAGE_LEFT);
    put_text(t->out, of->named ? of->named : of->head ? of->head : "");
}

/* Puts the heads of a table that has none in text. */
static void put_bare(struct cli_table *t)
{
    put_mark(t, CLI_PAGE_MARKDOWN);
    put_mark(t, CLI_PAGE_ROW);
    put_mark(t, CLI_PAGE_ROW);
    for (size_t c = 0; c < t->columns; c++)
        if (!t->column[c].drawn)
            put_named(t, &t->column[c]);
    fputc('\n', t->out);
    put_mark(t, CLI_PAGE_MARKDOWN);
}

static void put_head(struct cli_table *t, size_t c)
{
    const struct cli_column *of = &t->column[c];

    if (t->marked && !of->drawn) {
        put_mark(t, CLI_PAGE_MARKDOWN);
        put_named(t, of);
        put_mark(t, CLI_PAGE_MARKDOWN);
    }
    put_mark(t, CLI_PAGE_TEXT);
    if (of->head && t->width[c] != HIDDEN)
        put_aligned(t, c, NULL, of->head, of->left);
    else if (t->width[c] != HIDDEN)
        t->blanks += gap_of(t, c) + t->width[c];
    put_mark(t, CLI_PAGE_TEXT);
}

void cli_table_head(struct cli_table *t)
{
    if (!t || t->failed)
        return;
    if (t->look.bare) {
        if (t->marked)
            put_bare(t);
        return;
    }
    put_mark(t, CLI_PAGE_ROW);
    begin_line(t);
    for (size_t c = 0; c < t->columns; c++)
        put_head(t, c);
    end_line(t);
}

/* --- cells --- */

static void keep_cell(struct cli_table *t, const char *text, char mark, bool rest)
{
    const size_t size = strlen(text) + 1;

    t->cell = grow(t, t->cell, &t->cell_room, t->cells + 1, sizeof *t->cell);
    t->text = grow(t, t->text, &t->text_room, t->used + size, 1);
    if (t->failed)
        return;
    t->cell[t->cells++] = (struct kept){ t->used, mark, rest };
    memcpy(t->text + t->used, text, size);
    t->used += size;
    t->next++;
}

static void take_cell(struct cli_table *t, const char *text, char mark, bool rest)
{
    if (!t || t->failed || t->next == t->columns)
        return;
    if (!t->look.streams) {
        keep_cell(t, text, mark, rest);
        return;
    }
    if (t->next == 0)
        begin_line(t);
    put_cell(t, text, mark, rest);
}

void cli_cell(struct cli_table *t, const char *text)
{
    take_cell(t, text, '\0', false);
}

void cli_cell_marked(struct cli_table *t, const char *text, char mark)
{
    take_cell(t, text, mark == ' ' ? '\0' : mark, false);
}

void cli_cell_count(struct cli_table *t, uint64_t value)
{
    take_cell(t, cli_grouped(value), '\0', false);
}

static void print_cell(struct cli_table *t, const char *fmt, va_list args, bool rest)
{
    char text[256], *longer;
    va_list again;

    va_copy(again, args);
    const int size = vsnprintf(text, sizeof text, fmt, args);
    if (size < (int)sizeof text) {
        take_cell(t, text, '\0', rest);
    } else if ((longer = malloc((size_t)size + 1)) != NULL) {
        vsnprintf(longer, (size_t)size + 1, fmt, again);
        take_cell(t, longer, '\0', rest);
        free(longer);
    } else if (t) {
        t->failed = true;
    }
    va_end(again);
}

void cli_cell_print(struct cli_table *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    print_cell(t, fmt, args, false);
    va_end(args);
}

void cli_cell_rest(struct cli_table *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    print_cell(t, fmt, args, true);
    va_end(args);
}

void cli_row_end(struct cli_table *t)
{
    if (!t || t->failed)
        return;
    if (t->look.streams && t->next == 0)
        begin_line(t);
    while (t->next < t->columns && !t->failed)
        take_cell(t, "", '\0', false);
    if (t->look.streams && !t->failed)
        end_line(t);
    t->next = 0;
}

/* --- a table that was kept --- */

static const char *kept_text(const struct cli_table *t, size_t row, size_t c)
{
    return t->text + t->cell[row * t->columns + c].at;
}

static void find_widths(struct cli_table *t, size_t rows)
{
    for (size_t c = 0; c < t->columns; c++) {
        const struct cli_column *of = &t->column[c];
        const int before = of->before ? (int)strlen(of->before) : 0;
        for (size_t r = 0; r < rows; r++) {
            const int wide = columns_of(kept_text(t, r, c));
            if (wide > 0 && !t->cell[r * t->columns + c].rest &&
                (of->most == 0 || wide <= of->most))
                t->width[c] = cli_larger(t->width[c], wide + before);
        }
        t->column[c].drawn |= !of->head && t->width[c] == 0; /* there is nothing in it */
    }
}

/* Leaves columns out until the table fits: the 1st to go, the 2nd, ... */
static void fit(struct cli_table *t)
{
    const int widest = cli_terminal_width(t->out, t->look.widest);
    int all = 0;

    for (size_t c = 0; c < t->columns; c++)
        all += gap_of(t, c) + t->width[c];
    for (unsigned n = 1; t->look.widest && all > widest && n <= t->columns; n++)
        for (size_t c = 0; c < t->columns; c++)
            if (t->column[c].lost == n) {
                all -= gap_of(t, c) + t->width[c];
                t->width[c] = HIDDEN;
            }
}

static void put_lost(struct cli_table *t)
{
    const char *comma = "not shown (too wide): ";

    for (size_t c = 0; c < t->columns; c++) {
        if (t->width[c] != HIDDEN)
            continue;
        if (comma[0] == 'n')
            put_mark(t, CLI_PAGE_TEXT);
        fprintf(t->out, "%s%s", comma, t->column[c].head);
        comma = ", ";
    }
    if (comma[0] == 'n')
        return;
    fputs(". Use --format json\n", t->out);
    put_mark(t, CLI_PAGE_TEXT);
}

/* Prints the cells that are too wide for the row on lines of their own. */
static void put_apart(struct cli_table *t, size_t row)
{
    for (size_t c = 0; c < t->columns; c++) {
        const char *text = kept_text(t, row, c);
        if (!is_apart(t, c, text))
            continue;
        put_mark(t, CLI_PAGE_TEXT);
        put_text(t->out, text);
        fputc('\n', t->out);
        put_mark(t, CLI_PAGE_TEXT);
    }
}

static void put_rows(struct cli_table *t, size_t rows)
{
    find_widths(t, rows);
    fit(t);
    cli_table_head(t);
    for (size_t r = 0; r < rows; r++) {
        put_apart(t, r);
        begin_line(t);
        for (size_t c = 0; c < t->columns; c++) {
            const struct kept *k = &t->cell[r * t->columns + c];
            put_cell(t, t->text + k->at, k->mark, k->rest);
        }
        end_line(t);
    }
    put_lost(t);
}

int cli_table_close(struct cli_table *t)
{
    if (!t)
        return cli_no_memory();
    const bool failed = t->failed;
    if (!failed && !t->look.streams && t->columns > 0)
        put_rows(t, t->cells / t->columns);
    for (size_t c = 0; c < t->columns; c++) {
        free(t->copy[c][0]);
        free(t->copy[c][1]);
    }
    free(t->column);
    free(t->copy);
    free(t->width);
    free(t->cell);
    free(t->text);
    free(t);
    return failed ? cli_no_memory() : CLI_OK;
}
