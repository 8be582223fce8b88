/* SPDX-License-Identifier: MIT */
/* Inside of reports: what a format is. */
#ifndef PC_CLI_REPORT_WRITER_H
#define PC_CLI_REPORT_WRITER_H

#include "report/report.h"
#include "text/page.h"

#include <string.h>

/* --- report_buffer.c: text on its way --- */

/* No call of stdio a field: a piece of this size at a time. */
enum { REP_ROOM = 1 << 15 };
struct rep_buffer {
    FILE *file; /* NULL: it grows, and has all */
    char *text; /* of a buffer that grows; else NULL */
    size_t size;
    size_t used;
    bool failed; /* no memory */
    bool live;   /* somebody may read it while it is written: line by line, where there are any */
    char room[REP_ROOM];
};

void rep_put_long(struct rep_buffer *b, const char *text, size_t size);
void rep_put_count(struct rep_buffer *b, uint64_t value);
/* Numbers as JSON and CSV have them; false: it is no number that they have. */
bool rep_put_number(struct rep_buffer *b, const struct rep_cell *cell);
void rep_put_out(struct rep_buffer *b);

static inline void rep_putc(struct rep_buffer *b, char c)
{
    if (b->used == REP_ROOM)
        rep_put_out(b);
    b->room[b->used++] = c;
}

static inline void rep_put(struct rep_buffer *b, const char *text, size_t size)
{
    if (size > REP_ROOM - b->used) {
        rep_put_long(b, text, size);
        return;
    }
    memcpy(b->room + b->used, text, size);
    b->used += size;
}

static inline void rep_puts(struct rep_buffer *b, const char *text)
{
    rep_put(b, text, strlen(text));
}

/* Writes text by the rules of a format: escape() returns the replacement of a character, or NULL
 * for the character itself if cli_character() lets it be shown; `hidden` replaces the others
 * (cli_hidden(), cli_hidden_json()). */
void rep_put_hiding(struct rep_buffer *b, const char *text, const char *(*escape)(char c),
                    size_t (*hidden)(const char *text, char out[CLI_HIDDEN]));
/* Writes the same with cli_hidden(). */
void rep_put_escaped(struct rep_buffer *b, const char *text, const char *(*escape)(char c));
/* Writes any cell that is a value in the same way; a boolean as "yes" or "no", or as 1 or 0 if
 * `escape` is NULL. */
void rep_put_cell(struct rep_buffer *b, const struct rep_cell *cell, const char *(*escape)(char c));
/* &lt; &gt; &amp; &quot; */
const char *rep_escape_xml(char c);

/* --- report.c: what is open --- */

struct rep_node {
    const struct rep_field *of;    /* NULL: the report */
    const char *name;              /* of a member of a map */
    const struct rep_field *field; /* its members */
    unsigned fields;
    struct rep_cell cell[REP_FIELDS];
};

struct rep_output {
    const struct rep_format *format;
    struct cli_out out;
    bool open;
    struct rep_buffer buffer;
    void *own; /* the writer's */
};

struct rep {
    const struct rep_def *def;
    struct rep_node node[REP_DEPTH];
    unsigned depth; /* nodes that are open */
    bool begun, partial, part, more, csv_safe;
    size_t outputs;
    struct rep_output output[REP_OUTPUTS];
    struct rep_keep *keep; /* report_tree.c; NULL: nothing is kept */
    struct cli_page page;  /* report_page.c; no file: only the text is made from it */
};

struct rep_writer {
    bool tree;  /* it has what REP_NO_JSON leaves out of JSON not either */
    bool tests; /* it has rows that are REP_TEST */
    size_t own; /* bytes that it wants, zeroed */
    /* around and between reports that are parts, NULL: nothing; what stands for none at all */
    const char *before, *between, *after, *none;
    size_t cut; /* bytes at the end of a part that go */
    void (*open)(struct rep *r, struct rep_output *o);
    void (*begin)(struct rep *r,
                  struct rep_output *o);              /* the node at the top; depth 1: the report */
    void (*end)(struct rep *r, struct rep_output *o); /* it is about to be closed */
    /* of a list of values, or a map (name: else NULL) of the node at the top */
    void (*item)(struct rep *r, struct rep_output *o, const struct rep_field *field,
                 const char *name, const struct rep_cell *cell);
    void (*total)(struct rep *r, struct rep_output *o);
    void (*draws)(struct rep *r, struct rep_output *o); /* NULL: no drawings; before one */
    /* It is made of the text for people alone: of whole lines with their marks (text/page.h);
     * `all`: these are the last. */
    void (*page)(struct rep *r, struct rep_output *o, const char *text, size_t size, bool all);
};

/* --- report_formats.c --- */

enum {
    REP_NEEDS_STREAM = 1,
    REP_NEEDS_TESTS = 2,
    REP_NEEDS_SERIES = 4,
    REP_NEEDS_PAGE = 8
}; /* or of rep_def.own */
struct rep_format {
    const char *name;
    const char *suffix, *other;      /* of files; NULL: none */
    const struct rep_writer *writer; /* NULL: the verb's own */
    unsigned needs;
    enum timeline_format timeline; /* of a series */
};

#define F(writer, word, suffix, other, needs, timeline) extern const struct rep_writer rep_##writer;
#define V(word, suffix, other, needs, timeline)
#include "report/formats.def"
#undef F
#undef V

/* Returns the format of a call that names none. */
const struct rep_format *rep_text_format(void);
/* Who writes this report: NULL where the verb does. */
const struct rep_writer *rep_writer_of(const struct rep_format *f, const struct rep_def *def);

/* --- report_page.c: the text for people, for several formats --- */

/* Collects it where it is wanted as something else than text; false: no memory. */
bool rep_page_open(struct rep *r);
/* Hands over what there is so far, up to the end of a line; `all`: there is no more. */
void rep_page_hand_over(struct rep *r, bool all);

/* --- report_flat.c: rows of columns --- */

struct rep_column {
    const char *name; /* up to a comma or the end */
    size_t length;
    bool common; /* the report itself has it: it is the same in all rows */
    bool of_tests;
};

/* Where a column's cell is. */
enum { REP_FIXED = 24 };
struct rep_place {
    char fixed[REP_FIXED];
    struct rep_cell cell; /* of the fixed text, if there is one */
    unsigned depth;       /* else: of the node, from 1; 0: there is none */
    unsigned field;
    bool item; /* it is the item of a list of values */
};

struct rep_rows {
    const struct rep_field *of; /* NULL: rep_total_row() */
    struct rep_place place[REP_COLUMNS];
};

enum { REP_ROW_KINDS = 12 };
struct rep_flat {
    struct rep_column column[REP_COLUMNS];
    size_t columns;
    struct rep_rows rows[REP_ROW_KINDS];
    size_t kinds;
};

/* columns: NULL, those of CSV. */
void rep_flat_open(struct rep_flat *f, const struct rep_def *def, const char *columns);
/* NULL: it is no row. */
const struct rep_rows *rep_rows_of(const struct rep_flat *f, const struct rep_field *of);
/* The cell of a column; item: of a list of values, or NULL. */
static inline const struct rep_cell *rep_cell_of(const struct rep *r, const struct rep_place *place,
                                                 const struct rep_cell *item)
{
    static const struct rep_cell none = { .what = REP_ABSENT };

    if (place->item)
        return item ? item : &none;
    if (place->cell.what != REP_ABSENT)
        return &place->cell;
    return place->depth > 0 && place->depth <= r->depth
               ? &r->node[place->depth - 1].cell[place->field]
               : &none;
}
/* Is there anything to say?  Not of null, and of an empty text. */
static inline bool rep_says(const struct rep_cell *cell)
{
    return cell->what != REP_ABSENT && cell->what != REP_IS_NULL && cell->what != REP_IS_EMPTY &&
           (cell->what != REP_IS_TEXT || cell->as.text[0]);
}
bool rep_column_is(const struct rep_column *c, const char *name);

#endif
