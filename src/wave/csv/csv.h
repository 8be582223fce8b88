/* SPDX-License-Identifier: MIT */
/*
 * Inside the CSV reader.
 *
 *     ; comments, as sigrok writes them: Samplerate and Channels are taken from there
 *     time [us],clk,"a name, quoted",count[7:0]      names; the time is optional
 *     0,0,x,17                                        one row a time stamp
 *
 * text.c splits rows of fields (RFC 4180; separators , ; tab), comment.c reads comments,
 * header.c finds the separator, names and the time column, kind.c how many bits each column
 * has, value.c reads values and times, csv.c is the reader as wave.c (one up) sees it, and
 * detect.c tells a CSV from what is none.
 */
#ifndef PC_WAVE_CSV_H
#define PC_WAVE_CSV_H

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
    bool eof;      /* nothing comes behind buf[end - 1] */
    uint64_t line; /* of buf[at], from 1 */
};

enum csv_time {
    CSV_NO_TIME, /* a row is a sample */
    CSV_IGNORED, /* the column says nothing: sigrok's "samples" */
    CSV_TICKS,   /* whole numbers; nobody knows of what */
    CSV_UNIT     /* seconds times a power of ten */
};

struct csv_column {
    uint32_t width;
    uint32_t bits; /* offset of its value in csv.now */
    uint8_t kind;  /* enum pc_var_kind */
};

struct csv {
    struct wv_reader base; /* first */
    struct pc_alloc alloc;
    struct wv_input *in;
    struct csv_text text;
    struct csv_row row;
    char separator;
    bool trailing; /* a separator stands behind the last field of each row */
    enum csv_time time;
    int unit;       /* exponent of seconds */
    bool rounded;   /* a time had more digits than csv_step() has, which was told */
    uint64_t rate;  /* Hz, from a comment */
    char *channels; /* list of names, from a comment */
    size_t channels_size;
    size_t writer; /* offset of the first comment in the hierarchy's names */

    struct csv_column *column; /* signals, without the time */
    size_t columns;
    char *now, *next; /* values of all columns: of the row before, of this one */
    size_t bits;
    uint64_t *sum; /* of texts and reals: a hash tells whether they changed */
    uint8_t *wanted;
    struct wv_change *change;
    uint64_t rows;       /* so far */
    int64_t first, last; /* times, as the file has them */
    uint64_t backwards;  /* rows that were not later than the one before, and tolerated */
};

/* text.c */
enum pc_status csv_text_open(struct csv *c, struct pc_error *err);
/* Brings `want` bytes into the window, unless the input ends before. */
enum pc_status csv_fill(struct csv *c, size_t want, struct pc_error *err);
/* Length of the line at text.at, which csv_consume() then passes; PC_END if there is none. */
enum pc_status csv_raw_line(struct csv *c, size_t *length, struct pc_error *err);
/*
 * Splits the row at `at` into c->row, whole and within the first `limit` bytes; reads on if that
 * is 0.  PC_END if there is none.
 */
enum pc_status csv_split(struct csv *c, size_t at, size_t limit, struct pc_error *err);
/* An error at byte `at` of the row that was split, or of text.at. */
enum pc_status csv_fail(const struct csv *c, size_t at, struct pc_error *err, unsigned code,
                        const char *fmt, ...) PC_PRINTF(5, 6);
/* Goes behind the row. */
void csv_consume(struct csv *c);
bool csv_is_blank(char ch);
/* For texts of errors: at most 40 bytes of the field. */
const char *csv_quote(const struct csv *c, const struct csv_field *f, char out[48]);

/* comment.c: passes comments and empty lines before the names. */
enum pc_status csv_comments(struct csv *c, struct pc_error *err);
/* The list of channels that a comment gave: how many, and the n-th, in c->channels. */
size_t csv_channels(const struct csv *c);
bool csv_channel(const struct csv *c, size_t n, struct csv_field *out);
/* One more at its end; false: no memory. */
bool csv_add_channel(struct csv *c, const char *name);

/* header.c: comments, separator, names; declares the columns.  Stops before the first row. */
enum pc_status csv_header(struct csv *c, struct pc_error *err);

/*
 * kind.c: kind and width of each column, where `width` does not have it from the name
 * (then 0), and what times are, told by the rows from `at` on that lie within CSV_FIRST.
 */
enum pc_status csv_kinds(struct csv *c, size_t at, uint32_t *width, struct pc_error *err);

/* value.c */
enum pc_status csv_value(const struct csv *c, const struct csv_field *f,
                         const struct csv_column *column, char *bits, struct pc_error *err);
/* Times with CSV_UNIT are kept in 10^this seconds: femtoseconds if the file has those. */
int csv_step(const struct csv *c);
const char *csv_step_name(const struct csv *c);
enum pc_status csv_time(struct csv *c, const struct csv_field *f, int64_t *out,
                        struct pc_error *err);

#endif
