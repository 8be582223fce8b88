/* SPDX-License-Identifier: MIT */
/*
 * Reports for programs.  A report is a tree of fields: a verb opens it, hands over its members and
 * rows as cells, and closes it.  What comes of that in a format is known to the writer of the
 * format alone, one file each; the schema of the JSON comes from the tree as well.
 *
 *   report.c           which outputs there are, and the nodes that are open
 *   report_formats.c   the table of formats, and -o and --format
 *   report_page.c      text for people, on its way into text and
 *   report_md.c        ... Markdown
 *   report_flat.c      the tree as rows of columns, for
 *   report_csv.c       ... CSV,
 *   report_html.c      ... a page of tables,
 *   report_junit.c     ... test results
 *   report_json.c      JSON, in one piece or by lines
 *   report_schema.c    JSON Schemas
 *   report_tree.c      the tree in memory, for printers (report_tree.h),
 *   report_figures.c   ... and its numbers by their names
 *   report_dist.c      a distribution: its members and their cells
 *   report_parts.c     members that reports of several verbs have
 *   report_buffer.c    text on its way into a file
 *
 * Text for people is the verbs' own: people want other columns than programs.  So are the viewers
 * of timelines (timeline/).
 */
#ifndef PC_CLI_REPORT_H
#define PC_CLI_REPORT_H

#include "cli.h"
#include "opt/opt.h"
#include "timeline/timeline.h"

/* --- cells --- */

__extension__ typedef __int128 tree_int; /* sums of 64-bit values */

/* A value, of 16 bytes.  A text stays the caller's until its node ends, of the report until it is
 * closed. */
struct rep_cell {
    unsigned char what, digits;
    union {
        const char *text;
        uint64_t count;
        double number;
        const tree_int *wide;
    } as;
};
enum {
    REP_ABSENT,
    REP_IS_NULL,
    REP_IS_TEXT,
    REP_IS_COUNT,
    REP_IS_MINUS,
    REP_IS_NUMBER,
    REP_IS_FIXED,
    REP_IS_BOOL,
    REP_IS_HEX,
    REP_IS_DIGITS,
    REP_IS_WIDE,
    REP_IS_EMPTY
};

/* A member that is not there. */
static inline struct rep_cell rep_absent(void)
{
    return (struct rep_cell){ .what = REP_ABSENT };
}

static inline struct rep_cell rep_null(void)
{
    return (struct rep_cell){ .what = REP_IS_NULL };
}

/* NULL: null */
static inline struct rep_cell rep_text(const char *text)
{
    return (struct rep_cell){ .what = text ? REP_IS_TEXT : REP_IS_NULL, .as.text = text };
}

static inline struct rep_cell rep_count(uint64_t count)
{
    return (struct rep_cell){ .what = REP_IS_COUNT, .as.count = count };
}

/* -count; of 0 it is 0. */
static inline struct rep_cell rep_minus(uint64_t count)
{
    return (struct rep_cell){ .what = count ? REP_IS_MINUS : REP_IS_COUNT, .as.count = count };
}

static inline struct rep_cell rep_int(int64_t value)
{
    return value < 0 ? rep_minus(-(uint64_t)value) : rep_count((uint64_t)value);
}

/* A number with that many digits; one that is not finite is null. */
static inline struct rep_cell rep_number(double number, int digits)
{
    return (struct rep_cell){ .what = REP_IS_NUMBER,
                              .digits = (unsigned char)digits,
                              .as.number = number };
}

/* A number with as few digits as make it the same number again. */
struct rep_cell rep_exact(double number);

/* count * 10^-decimals, with all of its decimals */
static inline struct rep_cell rep_fixed(uint64_t count, int decimals)
{
    return (struct rep_cell){ .what = REP_IS_FIXED,
                              .digits = (unsigned char)decimals,
                              .as.count = count };
}

static inline struct rep_cell rep_bool(bool value)
{
    return (struct rep_cell){ .what = REP_IS_BOOL, .as.count = value };
}

/* "0x0000002a", of that many digits */
static inline struct rep_cell rep_hex(uint64_t value, int digits)
{
    return (
        struct rep_cell){ .what = REP_IS_HEX, .digits = (unsigned char)digits, .as.count = value };
}

/* A number as its decimal digits, for those that no other type holds; like a text it stays the
 * caller's. */
static inline struct rep_cell rep_digits(const char *digits)
{
    return (struct rep_cell){ .what = REP_IS_DIGITS, .as.text = digits };
}

/* The same of an integer that stays the caller's. */
static inline struct rep_cell rep_wide(const tree_int *wide)
{
    return (struct rep_cell){ .what = REP_IS_WIDE, .as.wide = wide };
}

/* A list that is REP_MAYBE and is there, even if it has no item. */
static inline struct rep_cell rep_empty(void)
{
    return (struct rep_cell){ .what = REP_IS_EMPTY };
}

/* --- trees --- */

enum rep_kind {
    REP_TEXT,
    REP_WORD, /* one of .words */
    REP_BOOL,
    REP_COUNT,  /* an integer from .least to .most (0: any) */
    REP_INT,    /* an integer, of any sign */
    REP_NUMBER, /* a number */
    REP_HEX,    /* a text of .digits hexadecimal digits, after 0x */
    REP_OBJECT, /* of members */
    REP_MAP,    /* an object whose members have names of their own: a list of values, or of
                   objects, with names */
    REP_LIST    /* of objects, or of values */
};

enum {
    REP_NULL = 1 << 0,     /* can be null */
    REP_MAYBE = 1 << 1,    /* can be absent from JSON */
    REP_NO_JSON = 1 << 2,  /* is for the rows alone */
    REP_NO_CSV = 1 << 3,   /* is no column, though there is one of its name */
    REP_NO_LINES = 1 << 4, /* not in JSON lines */
    REP_ROW = 1 << 5,      /* each one is a row of the columns */
    REP_STREAM = 1 << 6,   /* a list of the report: each item is a line of JSON lines */
    REP_SOME = 1 << 7,     /* a list that is never empty */
    REP_TOTAL = 1 << 8,    /* a column of rep_total_row() alone */
    REP_TEST = 1 << 9,     /* rows that are test results, and in no other format */
    REP_BAR = 1 << 10,     /* a share of 1, which a page draws */
    REP_BARE = 1 << 11,    /* an object whose name is not in those of its figures */
};

/*
 * How a member adds, for `merge`.  Objects need no rule, their members have them; nor does a member
 * of REP_NO_JSON.
 */
enum rep_adds {
    REP_NO_RULE,
    REP_SUM,
    REP_LEAST,
    REP_GREATEST,
    REP_FIRST,
    REP_LAST,
    REP_SAME, /* it has to be the same, else the reports do not add */
    REP_SAME_OR_NULL,
    REP_SAME_OR_NONE, /* what differs is left out */
    REP_KEY,          /* by it an item of a list is found in the other report */
    REP_FOLLOWS,      /* it is computed from others again, where there is more than one report */
    REP_WORST,        /* a state */
    REP_BOTH,         /* a truth value: true if both are */
    REP_NAMES,        /* a text: "a.vcd + b.vcd" */
    REP_LONGER,       /* an object: the one of two that took longer */
    REP_EACH,         /* items of a list or map that are in both */
    REP_ANY,          /* ... that need not be in both */
    REP_ONCE,         /* values of a list, each once */
    REP_COMMON,       /* ... those in both */
    REP_DOWN,         /* ... all of them, the largest first */
    REP_ROWS /* rows of cycles (first_cycle, cycles), of both, in the order of their ends */
};
/* How a number compares, for `diff`. */
enum rep_compares {
    REP_BY_RULE, /* a REP_COUNT that is a REP_SUM as a count, other numbers that add or follow as
                    a value; what is the same, or a key, not */
    REP_NOT
};

struct rep_field {
    const char *name; /* NULL ends the members */
    enum rep_kind kind;
    enum rep_adds adds;
    enum rep_compares compares;
    const char *refused; /* the option with which a report has it, and does not add */
    const char *unit;    /* of a number, "cycles"; of an object: of its numbers that have none */
    const char *about;   /* what it is, for the schema */
    unsigned flags;
    const char *csv;               /* its column, if that has another name */
    const char *const *words;      /* REP_WORD, or names of a REP_MAP; NULL at the end */
    const char *pattern;           /* REP_TEXT: what it looks like, NULL: any; REP_MAP: its names */
    uint64_t least, most;          /* REP_COUNT */
    int digits;                    /* REP_HEX */
    const struct rep_field *field; /* members of an object, or of items of a list or map */
    const struct rep_field *value; /* of a list of values, or a map: what one is */
    const char *item;              /* what an item of a list is, for the schema */
    const char *one;               /* REP_STREAM: what a line calls an item */
    const char *fixed;             /* REP_ROW: columns that are the same in all: "kind=warning" */
};

/* The parts of a merged report, where its other members do not say so. */
extern const struct rep_field rep_parts_of_stat[], rep_parts_of_bus[], rep_parts_of_activity[];
/* clang-format off: a row */
#define REP_PARTS(fields)                                                                          \
    {                                                                                              \
        "parts", REP_LIST,                                                                         \
            .adds = REP_FOLLOWS, .field = fields, .item = "a part of a waveform",                  \
            .about =                                                                               \
                "of a sum: the parts of waveforms that are in it; absent: all that is said above", \
            .flags = REP_MAYBE | REP_NO_CSV                                                        \
    }
/* clang-format on */

/* Formats that are one verb's */
enum {
    REP_SAIF = 1 << 8,
    REP_PROGRAM = 1 << 9,  /* a script of accesses, and C */
    REP_COMMANDS = 1 << 10 /* command lines */
};

struct rep_def {
    const char *schema; /* "pcounter-diff-2" */
    const char *lines;  /* that of JSON lines, if a list streams */
    const char *line; /* no list streams: all of it is one line, of this type; NULL: it has none */
    const char *call; /* what prints it: "pcounter diff" */
    const char *about;
    const struct rep_field *field;
    const char *columns;        /* of CSV, in order, with commas; NULL: those of its list */
    const char *total;          /* columns of rep_total_row() that are the same in all */
    const char *test, *verdict; /* columns of rows that are tests: what they are called, with
                                   commas, and how they ended; NULL: it has none */
    const char *test_columns;   /* of test results, if they are not those of CSV */
    const char *skipped;        /* verdicts of tests that were not made, with commas */
    const char *passed;         /* verdicts that are no failures, with commas */
    bool series;                /* the verb draws timelines of it: html, vcd, perfetto */
    bool page;                  /* the verb draws a page of it: html, by rep_own() */
    bool tables;                /* html: a page of tables, as of a series that has no intervals */
    unsigned own;               /* formats that the verb itself writes of it, by rep_own() */
    bool bare;                  /* its JSON does not say which tool made it */
    bool plain;                 /* its rows say all that it says of itself: pages have them alone */
};

enum { REP_FIELDS = 64, REP_DEPTH = 7, REP_COLUMNS = 64, REP_OUTPUTS = 8 };

/* --- what a call wants (report_formats.c) --- */

struct rep_format;
struct rep_wanted {
    const char *path; /* NULL, "-": standard output */
    const struct rep_format *format;
};
struct rep_request {
    struct rep_wanted output[REP_OUTPUTS];
    size_t outputs;
    const struct rep_format *format; /* --format */
    bool part;                       /* it is one of several reports in one output */
    bool more;                       /* ... and not the first: rows have their head already */
    bool csv_safe;                   /* CSV has no text that a spreadsheet would calculate */
};

/* The words of --format that a report has; NULL past the end. */
const char *rep_format_at(const struct rep_def *def, size_t i);
/* Suffixes of files that choose one of them: ".csv, .json and .md" */
void rep_suffixes(const struct rep_def *def, char *out, size_t size);
/* Returns a format that is wanted and that the report does not have; NULL: it has all. */
const char *rep_lacks(const struct rep_def *def, const struct rep_request *wanted);
/* Is output i of that format? */
bool rep_is(const struct rep_request *wanted, size_t i, const char *format);
/* Returns the timeline of output i; TIMELINE_NONE: none, or there is no such output. */
enum timeline_format rep_timeline(const struct rep_request *wanted, size_t i);

/*
 * Reports that are parts, of the first output: what stands before one of them, where that many have
 * been told, and after the last one.  rep_before() says how many bytes at the end of the part are
 * not to be there.
 */
size_t rep_before(const struct rep_request *wanted, const struct rep_def *def, size_t told,
                  FILE *out);
void rep_after(const struct rep_request *wanted, const struct rep_def *def, size_t told, FILE *out);

extern const struct opt_kind rep_opt_output, rep_opt_format, rep_opt_csv_safe;
#define REP_OPTIONS(S, member, def_)                                                               \
    { .letter = 'o',                                                                               \
      .name = "output",                                                                            \
      OPT_OF(rep_opt_output, S, struct rep_request, member),                                       \
      .of = (def_),                                                                                \
      .flags = OPT_LETTER },                                                                       \
        { .name = "format", OPT_OF(rep_opt_format, S, struct rep_request, member), .of = (def_) }, \
    {                                                                                              \
        .name = "csv-safe", OPT_OF(rep_opt_csv_safe, S, struct rep_request, member), .of = (def_), \
        .flags = OPT_RARE                                                                          \
    }

/* --- a report --- */

struct rep;

/*
 * Does the work with the one output that is wanted open already, so that what is wrong with it is
 * told before the work; with several, the work opens them.  An exit code.
 */
int rep_into(struct rep_request *wanted, int (*work)(void *ctx), void *ctx);
/* The outputs are opened; an exit code. */
int rep_open(struct rep **out, const struct rep_def *def, const struct rep_request *wanted);
/*
 * Where the text for people goes; NULL: not wanted.  And the timeline of number i:
 * TIMELINE_NONE past the last.
 */
FILE *rep_page(const struct rep *r);
/* The output of a format that the verb itself writes; NULL: not wanted. */
FILE *rep_own(const struct rep *r, const char *format);
enum timeline_format rep_view(const struct rep *r, size_t i, FILE **out);
/* Prints the page, if somebody wants it, on what cli_stdout() is then. */
void rep_print(const struct rep *r, void (*print)(void *ctx), void *ctx);
/* Does anybody want cells? */
bool rep_has_rows(const struct rep *r);

/* Cells of a node's members, by number; those that are not there are absent. */
struct rep_cells {
    const struct rep_cell *cell;
    size_t count;
};
#define REP_CELLS(...)                                                                             \
    ((struct rep_cells){ (const struct rep_cell[]){ __VA_ARGS__ },                                 \
                         sizeof((const struct rep_cell[]){ __VA_ARGS__ }) /                        \
                             sizeof(struct rep_cell) })
#define REP_NO_CELLS ((struct rep_cells){ NULL, 0 })

/* The report itself: before all that is below. */
void rep_root(struct rep *r, struct rep_cells cells);
/*
 * A member of the open node that is an object, or an item of its list, up to rep_end().  Members
 * come in the order of the tree.  rep_row(): both at once.
 */
void rep_begin(struct rep *r, unsigned field, struct rep_cells cells);
void rep_end(struct rep *r);
void rep_row(struct rep *r, unsigned field, struct rep_cells cells);
/* Begins a member of a map of objects, by its name, which stays the caller's. */
void rep_begin_named(struct rep *r, unsigned field, const char *name, struct rep_cells cells);
/* An item of a list of values; rep_named(): of a map. */
void rep_item(struct rep *r, unsigned field, struct rep_cell cell);
void rep_named(struct rep *r, unsigned field, const char *name, struct rep_cell cell);
/* A member of the open node that is known late. */
void rep_set(struct rep *r, unsigned field, struct rep_cell cell);
/* A row of what the report itself says. */
void rep_total_row(struct rep *r);
/* Before what follows the last row: was all counted? */
void rep_totals(struct rep *r, bool partial);
/* A drawing after what there is so far: a page has it, other formats have nothing of it. */
void rep_draw(struct rep *r, void (*draw)(FILE *out, const void *ctx), const void *ctx);
/* The warnings that were kept, as items. */
void rep_warnings(struct rep *r, unsigned field);
/* Writes what there is so far; and do rows still go out? */
void rep_flush(struct rep *r);
bool rep_is_read(const struct rep *r);
/*
 * The exit code, or one that says that the outputs are not there.  What was begun ends; the outputs
 * get their names if the code is CLI_OK or CLI_NO.  r may be NULL.
 */
int rep_close(struct rep *r, int code);
/*
 * Closes in steps, for callers with other outputs beside these.  What was begun ends, and the
 * outputs are told, which have to be committed or aborted; how many there are.  Then all is freed.
 */
size_t rep_finish(struct rep *r, struct cli_out *out[REP_OUTPUTS]);
/* Was there no memory for one of them, after rep_finish()?  Then all are to be aborted. */
bool rep_has_failed(const struct rep *r);
void rep_free(struct rep *r);
/* Is none of the outputs one that is read while it is written? */
bool rep_is_hidden(const struct rep *r);
/* Writes the text that would complete the JSON on standard output if the report ended here; "" if
 * none is needed. */
void rep_tail(struct rep *r, char *out, size_t size);

/* --- report_schema.c --- */

/* The schema of its JSON, or of a line. */
void rep_schema(FILE *out, const struct rep_def *def, bool lines);

#endif
