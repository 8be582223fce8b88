/* SPDX-License-Identifier: MIT */
/*
 * Inside the VCD reader: text.c and lines.c (a window over the input, words, places), ids.c
 * (identifier -> value stream), header.c and words.c (sections up to $enddefinitions) and
 * var.c (what a $var says), values.c (value changes), section.c (sections among them), times.c
 * (timestamps that are no plain number), odd.c and report.c (warnings, on the way and at the end)
 * and vcd.c (the reader as wave.c sees it).  What a scan tells goes past values.c by activity.c
 * (lines: line_counts.c).  The short cut for counts is fast.c (fast.h), scanners of masks scan*.c
 * (scan.h), pieces ahead of the reader ahead.c (ahead.h).
 */
#ifndef PC_WAVE_VCD_H
#define PC_WAVE_VCD_H

#include "wave/input.h"
#include "wave/reader.h"

/* Limits of one timestamp: changes, besides four of each stream, and bits. */
#define VCD_GROUP_CHANGES ((size_t)1 << 24)
#define VCD_GROUP_BITS    ((size_t)1 << 30)

#define VCD_WINDOW ((size_t)1 << 18)
#define VCD_SLACK  128 /* bytes after the window that may be read, and mean nothing */

/*
 * A window over the input.  buf[end] is always a blank (newline), so loops that look for
 * the end of a word need no other bound; bytes <= ' ' are blanks, NUL included.
 */
struct vcd_text {
    uint8_t *buf; /* capacity + VCD_SLACK bytes */
    size_t capacity, at, end;
    bool eof;        /* nothing will come after buf[end - 1] */
    uint64_t byte;   /* offset in the file of buf[0] */
    uint64_t column; /* bytes of its line in front of buf[0] */
    size_t counted;  /* newlines before buf[counted] are counted: */
    uint64_t lines;
    bool newline; /* the last word is the first of its line; section.c */
};

/* How identifiers are looked up: as numbers in base 94 (either end first), or by hash. */
enum vcd_order { VCD_HASH, VCD_LOW_FIRST, VCD_HIGH_FIRST };

struct vcd_id {
    size_t text; /* offset into vcd_ids.text */
    uint32_t length;
    uint32_t hash : 31, hashed : 1; /* of one that is in the hash table */
};

struct vcd_ids {
    char *text;
    size_t text_used, text_capacity;
    struct vcd_id *id; /* by code */
    size_t count, capacity;
    uint32_t *slot; /* hash table of code + 1 */
    size_t slots;   /* a power of two */
    size_t hashed;
    uint32_t *brief; /* code + 1 of those of few characters, while many are declared; or NULL */
    uint64_t seed;   /* of the hash */
    enum vcd_order order;
    uint32_t *direct; /* code + 1 by number; 0: undeclared */
    size_t directs;
};

/* Oddities that are read as they are meant, with one warning. */
enum vcd_oddity {
    VCD_ODD_HOLE,      /* control characters that no text has */
    VCD_ODD_GLUED,     /* "text$end" */
    VCD_ODD_DOLLAR,    /* a word with $ that is no keyword */
    VCD_ODD_SECTION,   /* an unknown section */
    VCD_ODD_NO_ID,     /* a value and no identifier */
    VCD_ODD_SPLIT,     /* a value, and its identifier on the next line */
    VCD_ODD_NO_DIGITS, /* b and no digit */
    VCD_ODD_PREFIX,    /* b and 0b */
    VCD_ODD_WIDE,      /* more digits than bits */
    VCD_ODD_KIND,      /* a real or a text for bits */
    VCD_ODD_BYTE,      /* a value that is no character */
    VCD_ODD_FRACTION,  /* times with a fraction */
    VCD_ODD_FINER,     /* and finer than the unit that was chosen */
    VCD_ODD_POWER,     /* times like 1e+06 */
    VCD_ODD_TIMESCALE, /* the same $timescale twice */
};

/* A section among the values. */
struct vcd_section {
    char name[48];
    uint64_t byte, line, column; /* where it begins */
    bool known;                  /* what it holds is text */
    bool timescale;              /* it is one */
    bool ends_file;              /* it is $vcdclose */
    bool open;                   /* the file ended in it */
    bool stamp;                  /* the last word began a line as a timestamp does */
    bool glued;                  /* the last word ended in $end: */
    bool limit;                  /* a word says that a limit was reached */
    char suspect[48]; /* what stands in it that no text begins a line with; "": nothing */
    uint64_t suspect_line;
};

struct vcd_activity;
struct vcd_fast;
struct vcd_scan_kernel;

struct vcd {
    struct wv_reader base; /* first */
    struct pc_alloc alloc;
    struct wv_input *in;
    struct vcd_text text;
    struct vcd_ids ids;
    char *section; /* words of the section being read, one blank between them */
    size_t section_used, section_capacity;
    size_t date, version, comment; /* offsets into the hierarchy's names */
    bool has_timescale, evcd;
    bool closed;              /* the word of the section that begins has its $end glued to it */
    uint64_t declared_factor; /* of the $timescale */
    int declared_exponent;

    uint8_t *wanted; /* by code */
    struct wv_change *change;
    size_t changes, changes_capacity;
    char *bits;
    size_t bits_used, bits_capacity;
    uint64_t records;
    uint64_t time, next_time; /* in units of 1 / scale = 10^-places of those that are written */
    uint64_t rest, next_rest; /* what a unit is too coarse for: units of 10^-18 of one */
    uint64_t scale;
    unsigned places;
    bool has_time; /* `time` is that of a stamp, not of values before the first */
    bool pending;  /* next_time has been read and waits for the group before it */
    size_t stamp;  /* where it stands in the window, until the window moves */
    bool dumping;  /* inside $dumpvars and its kin, where an event is no trigger */
    bool skipping; /* inside `body`, a section that means nothing here */
    struct vcd_section body;
    bool away; /* the window is empty and has to be filled before it is looked at: vcd_arrive() */
    bool scanned; /* some groups were left to the scanner, or could have been */
    bool finished;
    unsigned threads;
    bool strict;                          /* every record is to be parsed */
    bool live;                            /* a pipe is not waited for while there is a group */
    struct vcd_fast *fast;                /* NULL: every record is parsed */
    struct vcd_activity *activity;        /* NULL: not begun, or */
    bool no_activity;                     /* there was not the memory */
    const struct vcd_scan_kernel *kernel; /* NULL: the best; tests choose one */
    size_t part;   /* of the file, for threads; 0: what suits them; tests choose small ones */
    uint64_t hole; /* byte of the last one, + 1; 0: none */
    uint32_t odd;  /* bits by enum vcd_oddity: what has been told */
    uint64_t undeclared, backwards, offs; /* offs: $dumpoff */
    uint64_t off_time;                    /* of the first */
    bool limited; /* the last section told of a limit, at this time and after that many records: */
    uint64_t limit_time, limit_records;
    uint64_t undeclared_line;
    char undeclared_id[32];
};

/* text.c */
enum pc_status vcd_text_open(struct vcd *v, size_t capacity, struct pc_error *err);
/*
 * Drops what stands before `keep` and reads on.  Sets eof, or brings at least one byte.
 * If the window is full from `keep` on, that is error 611.
 */
enum pc_status vcd_refill(struct vcd *v, size_t keep, struct pc_error *err);
/* Returns true if it is a character that no text has. It is between words, as blanks are. */
static inline bool vcd_is_hole(uint8_t c)
{
    return c < '\t' || (c > '\r' && c < ' ');
}
/* Finds the next word from *from on, which begins at *from and ends at what is returned, or past
 * the window. */
size_t vcd_find_word(struct vcd *v, size_t *from);
/* Returns true if a word of more than $end ends in it. */
bool vcd_is_glued(const void *word, size_t length);
/* Reads the next word of any length up to the window's; PC_END at the end of the input. */
enum pc_status vcd_word(struct vcd *v, const char **word, size_t *length, struct pc_error *err);
/* Makes error `code` at buf[at], with line, column and byte. */
enum pc_status vcd_fail(const struct vcd *v, size_t at, struct pc_error *err, unsigned code,
                        const char *fmt, ...) PC_PRINTF(5, 6);
/*
 * Moves the window to byte `place` of a plain file, which begins a timestamp and line `lines` + 1.
 * What is there is read by vcd_arrive(); text.at is after the stamp then.
 */
enum pc_status vcd_move(struct vcd *v, uint64_t place, uint64_t lines, struct pc_error *err);
enum pc_status vcd_arrive(struct vcd *v, struct pc_error *err);
uint64_t vcd_line(const struct vcd *v, size_t at);
/* Newlines before buf[at], of which `lines` are known to follow what is counted, are counted. */
void vcd_count(struct vcd_text *t, size_t from, size_t lines, size_t at);
/* Quotes a word for people: at most 40 bytes of it, NUL-terminated in `out`. */
const char *vcd_quote(char out[48], const char *word, size_t length);

/* ids.c */
void vcd_ids_free(struct vcd_ids *ids, const struct pc_alloc *alloc);
#define VCD_NO_CODE UINT32_MAX
uint32_t vcd_ids_find(const struct vcd_ids *ids, const char *id, size_t length);
/* Adds the identifier of value stream `code`; codes come in order. */
enum pc_status vcd_ids_add(struct vcd_ids *ids, const struct pc_alloc *alloc, const char *id,
                           size_t length, struct pc_error *err);
/* After the last one: chooses the fastest lookup. */
enum pc_status vcd_ids_finish(struct vcd_ids *ids, const struct pc_alloc *alloc,
                              struct pc_error *err);

/* odd.c: at buf[at], or in a line of the file */
void vcd_odd(struct vcd *v, enum vcd_oddity kind, size_t at, const char *fmt, ...) PC_PRINTF(4, 5);
void vcd_odd_in(struct vcd *v, enum vcd_oddity kind, uint64_t line, const char *fmt, ...)
    PC_PRINTF(4, 5);
void vcd_hole(struct vcd *v, size_t at);

/* A section whose $end stands in the word before, without a blank; a keyword with its own $end. */
#define VCD_GLUED         "the $end of the %s that ends here is not set apart by a blank"
#define VCD_GLUED_KEYWORD "the $end of %.*s is not set apart by a blank"

/* section.c: `length` characters at buf[at] begin a section among the values, */
void vcd_begin_section(struct vcd *v, size_t at, size_t length);
/* which is passed over: what it holds may be of any length.  Sets body.open. */
enum pc_status vcd_skip_section(struct vcd *v, struct pc_error *err);

/* times.c: the unit of times, before the first is given out */
enum pc_status vcd_find_unit(struct vcd *v, const struct pc_wave_desc *desc, struct pc_error *err);

/* report.c: at the end of the file, warns once of all that has been tolerated. */
void vcd_report(struct vcd *v, bool cut);

/* activity.c: what a scan tells of the next megabytes; as in struct wv_reader_ops. */
void vcd_scan_activity(struct wv_reader *r, const struct wv_scan *s);
void vcd_activity_free(struct vcd *v);

/* fast.c: groups through the mask scanner; the members of struct wv_reader_ops. */
bool vcd_plan(struct wv_reader *r, const struct wv_bulk *bulk);
enum pc_status vcd_stretch(struct wv_reader *r, enum wv_level clock, struct wv_stretch *out,
                           struct pc_error *err);
void vcd_edge_times(const struct wv_reader *r, uint32_t edge, uint32_t count, uint64_t *out);
void vcd_edge_distances(const struct wv_reader *r, uint32_t edge, uint32_t count,
                        struct pc_wave_totals *totals);
void vcd_fast_free(struct vcd *v);

/* header.c */
enum pc_status vcd_header(struct vcd *v, struct pc_error *err);
/* After the word $timescale; a second one must say the same. */
enum pc_status vcd_timescale(struct vcd *v, struct pc_error *err);

/* values.c */
enum pc_status vcd_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err);

#endif
