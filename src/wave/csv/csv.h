/* SPDX-License-Identifier: MIT */
/*
 * Inside the CSV reader.
 *
 *     ; comments, as sigrok writes them: Samplerate and Channels are taken from there
 *     time [us],clk,"a name, quoted",count[7:0]      names; the time is optional
 *     0,0,x,17                                        one row a timestamp
 *
 * Instruments put a row of units below the names, or say sep=; in the first line.
 *
 * text.c splits rows of fields (RFC 4180; separators , ; tab), comment.c reads comments,
 * header.c finds the separator and the names, nameless.c names the columns of a file that has no
 * line of names, find_time.c finds the time column, by its name (named_time.c) and by its cells
 * (trend.c), units.c a row of units, kind.c how many bits each column has, value.c reads values,
 * time.c times, csv.c is the reader as wave.c (one up) sees it, and detect.c tells a CSV from what
 * is none.
 */
#ifndef PC_WAVE_CSV_H
#define PC_WAVE_CSV_H

#include "wave/input.h"
#include "wave/reader.h"

#define CSV_WINDOW ((size_t)1 << 18)
#define CSV_FIRST  ((size_t)1 << 16) /* bytes that tell what the columns hold */

/* A field of the row, without its quotes and the blanks around it. */
struct csv_field {
    size_t at; /* in text.buf */
    size_t length;
    bool quoted;
};

/* A row: fields, and where the next one begins. */
struct csv_row {
    struct csv_field *field;
    size_t fields, capacity;
    size_t begin, next;
};

struct csv_text {
    char *buf; /* CSV_WINDOW bytes */
    size_t at, end;
    bool eof;      /* nothing comes after buf[end - 1] */
    uint64_t line; /* of buf[at], from 1 */
};

enum csv_time {
    CSV_NO_TIME, /* a row is a sample */
    CSV_IGNORED, /* the column says nothing: sigrok's "samples" */
    CSV_TICKS,   /* whole numbers of an unknown unit */
    CSV_UNIT,    /* seconds times a power of ten, or the unit in the cell */
    CSV_DATE     /* ISO 8601, counted from the first row */
};

struct csv_column {
    uint32_t width;
    uint32_t bits; /* offset of its value in csv.now */
    uint8_t kind;  /* enum pc_var_kind */
    bool text;     /* BITS, of a text */
    bool analog;   /* its unit is one of analog values, like volts */
    uint8_t radix; /* of digits without a prefix, from a row of units; 0: value.c tells */
};
#define CSV_ASCII 1 /* a radix: characters */

/* A cell of a row of units. */
struct csv_unit {
    enum {
        CSV_UNIT_END, /* there is no such cell */
        CSV_UNIT_NONE,
        CSV_UNIT_EMPTY,
        CSV_UNIT_TIME,
        CSV_UNIT_RADIX,
        CSV_UNIT_SEQUENCE, /* Rigol: rows are numbered */
        CSV_UNIT_LEVEL,    /* flags */
        CSV_UNIT_OTHER     /* volts */
    } what;
    int exponent; /* TIME: of seconds */
    uint8_t radix;
};

/* Forms of a cell of a time. */
enum csv_form {
    CSV_FORM_NONE,
    CSV_FORM_WHOLE,
    CSV_FORM_FRACTION, /* a point or an exponent */
    CSV_FORM_UNIT,     /* a unit after it */
    CSV_FORM_DATE
};

struct csv {
    struct wv_reader base; /* first */
    struct pc_alloc alloc;
    struct wv_input *in;
    struct csv_text text;
    struct csv_row row;
    char separator;
    bool trailing; /* a separator comes after the last name, and perhaps in each row */
    enum csv_time time;
    size_t time_at; /* its field */
    size_t extra;   /* fields after those of signals, with settings: they are ignored */
    int unit;       /* exponent of seconds */
    bool fine;      /* a cell has femtoseconds */
    int64_t epoch;  /* CSV_DATE: seconds of the first row */
    bool rounded;   /* a time had more digits than csv_step() has, which was told */
    uint64_t rate;  /* Hz, from a comment */
    char *channels; /* list of names, from a comment */
    size_t channels_size, channels_capacity;
    char channels_between; /* what separates them */
    char *comment;         /* the last one, with its mark */
    size_t comment_size, comment_capacity;
    bool writer_last; /* the last comment is the writer's name */
    size_t writer;    /* offset of the first comment in the hierarchy's names */

    struct csv_column *column; /* signals, without the time */
    size_t columns;
    char *now, *next; /* values of all columns: of the row before, of this one */
    size_t bits;
    uint64_t *sum; /* of texts and reals: a hash tells whether they changed */
    uint8_t *wanted;
    struct wv_change *change;
    uint64_t rows;       /* so far */
    int64_t first, last; /* times, as the file has them */
    uint64_t backwards;  /* rows that were earlier than the one before, and tolerated */
    uint64_t same;       /* rows of the same time as the one before */
};

/* text.c */
enum pc_status csv_text_open(struct csv *c, struct pc_error *err);
/* Brings `want` bytes into the window, unless the input ends before. */
enum pc_status csv_fill(struct csv *c, size_t want, struct pc_error *err);
/* Finds the length of the line at text.at, which csv_consume() then passes; PC_END if there is
 * none. */
enum pc_status csv_raw_line(struct csv *c, size_t *length, struct pc_error *err);
/*
 * Splits the row at `at` into c->row, whole and within the first `limit` bytes; reads on if that
 * is 0.  PC_END if there is none.
 */
enum pc_status csv_split(struct csv *c, size_t at, size_t limit, struct pc_error *err);
/* Makes an error at byte `at` of the row that was split, or of text.at. */
enum pc_status csv_fail(const struct csv *c, size_t at, struct pc_error *err, unsigned code,
                        const char *fmt, ...) PC_PRINTF(5, 6);
/* Moves past the row. */
void csv_consume(struct csv *c);
bool csv_is_blank(char ch);
/* Quotes for texts of errors: at most 40 bytes of the field. */
const char *csv_quote(const struct csv *c, const struct csv_field *f, char out[48]);

/* comment.c: passes comments and empty lines before the names. */
enum pc_status csv_comments(struct csv *c, struct pc_error *err);
/* Reads the list of channels that a comment gave: how many, and the n-th, in c->channels. */
size_t csv_channels(const struct csv *c);
bool csv_channel(const struct csv *c, size_t n, struct csv_field *out);
/* Adds one more at its end; false: no memory. */
bool csv_add_channel(struct csv *c, const char *name);
/* Makes the last comment the list of channels if it has `cells` cells, at least two, none empty. */
bool csv_channels_of_comment(struct csv *c, size_t cells);

/* named_time.c */
enum csv_time_name {
    CSV_NAME_OTHER,
    CSV_NAME_TIME,   /* c->time is set, and c->unit if it has one */
    CSV_NAME_NUMBER, /* of samples: c->time is set, but another column may be the time */
    CSV_NAME_LIKELY, /* "Second": c->time and c->unit are set; the cells have to grow */
    CSV_NAME_UNKNOWN /* "Time (min)" */
};
/* Tells whether the name of the first column is that of a time. */
enum csv_time_name csv_time_name(struct csv *c, const char *p, size_t length);
/* Tells it of another column, with its first cell (NULL: there is none); sets c->time then. */
bool csv_is_later_time(struct csv *c, const char *p, size_t length, const struct csv_field *cell);
/* Takes whole numbers in c->time's column as steps of the sample rate, or of an unknown length. */
void csv_unit_of_rate(struct csv *c);

/* The line that has the names of the columns. */
struct csv_names {
    struct csv_field *field;
    size_t count, capacity;
    const char *text; /* that the fields lie in */
    bool has_line;    /* the file has a line of names */
    /* a row of units after it, in the window: 0 bytes if there is none */
    const char *units;
    size_t units_length;
    bool slashes; /* between scopes: Vivado */
    size_t rows;  /* where the rows of values begin */
};

/* trend.c: how the cells of a column go, in the rows from `at` on that lie within CSV_FIRST. */
struct csv_trend {
    size_t rows;
    bool times;     /* each is a number, a date, or a number with a unit of time */
    bool stamps;    /* each is a date, or has a unit */
    bool fractions; /* some are */
    bool grows;     /* none is less than the one before, and the last one is more than the first */
    bool strictly;  /* and none is equal to it */
    bool over_one;  /* the last one is more than 1 */
};
enum pc_status csv_trend(struct csv *c, size_t at, size_t field, struct csv_trend *out,
                         struct pc_error *err);
/* Tells whether the first line, in c->row, is one of values instead of names. */
bool csv_looks_like_row(const struct csv *c);

/* find_time.c: which of the columns is the time; sets c->time and c->time_at. */
enum pc_status csv_find_time(struct csv *c, struct csv_names *n, struct pc_error *err);
struct csv_unit csv_unit_of(const struct csv *c, const struct csv_names *n, size_t field);
/* Takes the fields of the time, and of settings, out of the names. */
void csv_drop_fields(struct csv *c, struct csv_names *n);

/* nameless.c: names of columns without a line of names; the time is found, and dropped. */
enum pc_status csv_nameless(struct csv *c, struct csv_names *n, struct pc_error *err);

/* header.c: comments, separator, names; declares the columns.  Stops before the first row. */
enum pc_status csv_header(struct csv *c, struct pc_error *err);

/*
 * kind.c: kind and width of each column, where `width` does not have it from the name
 * (then 0), and what times are, told by the rows from `at` on that lie within CSV_FIRST.
 */
enum pc_status csv_kinds(struct csv *c, size_t at, uint32_t *width, struct pc_error *err);

/* units.c: is there a row of units at `text`?  Its length, and where the first row of values is. */
bool csv_units(const char *text, size_t size, char separator, size_t *length, size_t *behind);
struct csv_unit csv_unit_at(const char *line, size_t length, char separator, size_t n);
/* Returns a number of seconds in it as a rate; 0: that is no whole one. */
uint64_t csv_rate_at(const char *line, size_t length, char separator, size_t n);

/* value.c */
enum pc_status csv_value(const struct csv *c, const struct csv_field *f,
                         const struct csv_column *column, char *bits, struct pc_error *err);
/* Tells whether a cell is NaN, in any case. */
bool csv_is_nan(const char *p, size_t length);
/* Returns '0' or '1' of 0.0, 1.00, 1e+00 and so on; 0: another number, or none. */
char csv_level_number(const char *p, size_t length);
/* Returns '0' or '1' of low, high, false, true, off, on in any case; 0: none of them. */
char csv_level_word(const char *p, size_t length);

/* time.c: lower case, without blanks, u for a micro sign; 0: longer than 63 bytes, or empty. */
size_t csv_plain(const char *p, size_t length, char out[64]);
bool csv_time_unit(const char *name, int *exponent);
/* Returns a time of a sample as a rate, in seconds or with its unit; 0: not a whole rate. */
uint64_t csv_rate_of_step(const char *p, size_t length);
uint64_t csv_rate_of(const char *p, size_t length, bool comma);
enum csv_form csv_time_form(const struct csv *c, const struct csv_field *f, int *exponent);
/* Compares two cells of times: *order is below, at or above 0; false if one is not a time. */
bool csv_time_order(const struct csv *c, const struct csv_field *a, const struct csv_field *b,
                    int *order);
/* Times with CSV_UNIT are kept in 10^this seconds: femtoseconds if the file has those. */
int csv_step(const struct csv *c);
const char *csv_step_name(const struct csv *c);
enum pc_status csv_time(struct csv *c, const struct csv_field *f, int64_t *out,
                        struct pc_error *err);

/* Returns the field of the i-th signal. */
static inline size_t csv_field_of(const struct csv *c, size_t i)
{
    return i + (c->time != CSV_NO_TIME && i >= c->time_at);
}
/* Returns true if the row has as many fields as the line of names. */
static inline size_t csv_fields(const struct csv *c)
{
    return c->columns + c->extra + (c->time != CSV_NO_TIME) + c->trailing;
}
static inline bool csv_fields_fit(const struct csv *c)
{
    return c->row.fields == csv_fields(c) || (c->trailing && c->row.fields + 1 == csv_fields(c));
}

#endif
