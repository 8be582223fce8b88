/* SPDX-License-Identifier: MIT */
/*
 * Between the formats and the rest of src/wave: a *reader* parses one format, wave.c
 * gives names, binds clocks and fills blocks.  A reader
 *   1. fills in the hierarchy when it is opened;
 *   2. is told which codes (value streams) are wanted;
 *   3. then hands out one timestamp after the other, with the changes of wanted codes
 *      in the order of the file.  Initial values are changes of the first stamp.
 *
 * Values are 4-state, one byte a bit, most significant first, always exactly `width` of
 * them: '0' '1' 'x' 'z' (VCD's left extension done by the reader; h l u w - become
 * 1 0 x x x).  Reals, strings and events are reported as a change without bits.
 */
#ifndef PC_WAVE_READER_H
#define PC_WAVE_READER_H

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/pcounter.h"

/* A variable.  Names live in one arena: offsets, so that growing never moves a pointer. */
struct wv_var {
    uint64_t name;  /* offset of the full path, dots between scopes, NUL-terminated */
    uint32_t range; /* offset of the declared range, "" if none */
    uint32_t scope; /* bytes of the path before its own name's dot */
    uint32_t code;
    uint32_t width;
    int32_t msb, lsb;
    uint8_t kind;         /* enum pc_var_kind */
    uint8_t type;         /* index into wv_type_names */
    bool is_signed;       /* a number in two's complement */
    bool indexed;         /* one bit, and its name ends in its index: "bit[3]" */
    uint32_t enumeration; /* + 1; 0: it is of none */
};

/* Names of values: the literals `first` to first + count - 1. */
struct wv_enumeration {
    size_t first, count;
};

/* A value of an enumeration: offsets in the arena of its name, and of its digits from the left. */
struct wv_literal {
    size_t name, digits;
};

/* The kind of a value stream. */
enum wv_coding {
    WV_PLAIN,
    WV_CODED_TEXT, /* texts */
    WV_CODED_REAL, /* reals, as wv_put_real() has them */
    WV_CODED_EVENT /* a trigger, which is always 1 */
};

/* One value stream. */
struct wv_code {
    uint32_t width;
    uint8_t kind;
    uint8_t coding; /* enum wv_coding */
};

/* Characters of a text that are bits; a longer one is unknown. */
enum { WV_TEXT = PC_WAVE_TEXT, WV_TEXT_BITS = 8 * WV_TEXT };

/* Returns '0' '1' 'x' 'z' for a bit as it is written, 0 if it is none. */
static inline char wv_state_of(char c)
{
    switch (c) {
    case '0':
    case 'l':
    case 'L':
        return '0';
    case '1':
    case 'h':
    case 'H':
        return '1';
    case 'z':
    case 'Z':
        return 'z';
    case 'x':
    case 'X':
    case 'u':
    case 'U':
    case 'w':
    case 'W':
    case '-':
    case '?':
        return 'x';
    default:
        return '\0';
    }
}

extern const char *const wv_type_names[]; /* "wire", "reg", ...; ends with NULL */

/* Returns true if it is a type of integers below and above 0. */
bool wv_is_signed_type(const char *name);

/* From one time unit to another. */
struct wv_gap {
    uint64_t from, to;
};

struct wv_hier {
    struct pc_alloc alloc;
    struct pc_wave_limits limits; /* never 0 here */
    char *names;                  /* the arena; offset 0 is "" */
    size_t names_used, names_capacity;
    struct wv_var *var;
    size_t vars, vars_capacity;
    struct wv_code *code;
    size_t codes, codes_capacity;
    size_t scopes;
    char *path; /* of the scope being declared */
    size_t path_used, path_capacity;
    size_t *scope_end; /* stack: length of path before each open scope */
    size_t depth, depth_capacity;
    size_t *left_out; /* names of signals that the writer says it left out: offsets in the arena */
    size_t left_outs, left_out_capacity;
    char *warning[16]; /* first few; texts in the arena of their own allocation */
    size_t warnings;
    uint64_t more_warnings; /* beyond those, and what is said of them */
    char more_text[64];
    char *note[8]; /* how the file was read where its form leaves a choice */
    size_t notes;
    struct wv_gap *gap; /* in which dumping was off, in the order of time */
    size_t gaps, gaps_capacity;
    bool is_off; /* the last one has not ended */
    bool texts;  /* strings are bits */
    struct wv_enumeration *enumeration;
    size_t enumerations, enumerations_capacity;
    struct wv_literal *literal;
    size_t literals, literals_capacity;
};

/* Returns the limits of a caller with the defaults in place of zeros. */
struct pc_wave_limits wv_limits(const struct pc_wave_limits *given);
/* After PC-E0514: without a larger limit there is no hint to raise it. */
void wv_hint_width(const struct wv_hier *h, struct pc_error *err);
void wv_hier_init(struct wv_hier *h, const struct pc_alloc *alloc,
                  const struct pc_wave_limits *limits);
void wv_hier_free(struct wv_hier *h);
/* Opens a scope with a name of `length` bytes.  Limits: depth, name bytes. */
enum pc_status wv_scope(struct wv_hier *h, const char *name, size_t length, struct pc_error *err);
/* Closes the innermost; false if none is open. */
bool wv_upscope(struct wv_hier *h);
/* Adds a value stream and gives its number. */
enum pc_status wv_add_code(struct wv_hier *h, uint32_t width, enum pc_var_kind kind, uint32_t *code,
                           struct pc_error *err);
/*
 * Adds a variable in the innermost scope.  `reference` is its name as the file has it,
 * perhaps with a range after a blank ("count [7:0]"): the range is split off, and a
 * single index ("bit [3]") of a variable stays in the name as "bit[3]" (see split_vectors.c).
 */
enum pc_status wv_add_var(struct wv_hier *h, const char *reference, size_t length, const char *type,
                          size_t type_length, enum pc_var_kind kind, uint32_t width, uint32_t code,
                          struct pc_error *err);
/* Adds any other text, kept as long as the hierarchy; h->names + *offset is NUL-terminated. */
enum pc_status wv_add_text(struct wv_hier *h, const char *text, size_t length, size_t *offset,
                           struct pc_error *err);
/* literals.c: begins an enumeration, *number is what wv_var has; and a value of the last one. */
enum pc_status wv_add_enumeration(struct wv_hier *h, uint32_t *number, struct pc_error *err);
enum pc_status wv_add_literal(struct wv_hier *h, const char *name, size_t length,
                              const char *digits, size_t width, struct pc_error *err);
/* reals.c: a real as WV_REAL_BITS digits that compare as it does; NaN is unknown. */
enum { WV_REAL_BITS = 64 };
void wv_put_real(double value, char *digits);
/* Reads a decimal number, inf or nan; false: it is none. */
bool wv_read_real(const char *text, size_t length, double *out);

/*
 * texts.c: a text as WV_TEXT_BITS digits, where `escapes` says so with what follows a backslash as
 * in C; and the character that such a one stands for, *at is then past it.
 */
void wv_put_text(const char *text, size_t length, bool escapes, char *digits);
char wv_escaped(const char **at, const char *end);
/* left_out.c: one more signal that the writer left out; what to do, if `wanted` is of such. */
enum pc_status wv_leave_out(struct wv_hier *h, const char *name, size_t length,
                            struct pc_error *err);
void wv_hint_left_out(const struct wv_hier *h, const char *wanted, struct pc_error *err);
/*
 * Returns true if there is room for one more. For warnings whose text takes time: the place of a
 * line. If there is none it is counted here, and nothing is left to do.
 */
bool wv_warns(struct wv_hier *h);
void wv_warn(struct wv_hier *h, const char *fmt, ...) PC_PRINTF(2, 3);
/* Returns warning number i, and after the last that is kept how many more there were; NULL past the
 * end. */
const char *wv_warning(const struct wv_hier *h, size_t i);
/* gap.c: dumping was switched off, or on again, at that time; once is enough. */
void wv_dump_off(struct wv_hier *h, uint64_t time);
void wv_dump_on(struct wv_hier *h, uint64_t time);
/* Nothing is odd, but people want to know. */
void wv_note(struct wv_hier *h, const char *fmt, ...) PC_PRINTF(2, 3);

struct wv_change {
    uint32_t code;
    uint32_t at; /* offset of its first bit in wv_group.bits; kind BITS only */
};

/* All wanted changes of one timestamp. */
struct wv_group {
    uint64_t time;
    const struct wv_change *change;
    size_t changes;
    const char *bits;
    /*
     * So many further stamps follow, each one time unit after the other, in which nothing
     * wanted changes: the constant stretches of a sampled capture.
     */
    uint64_t repeats;
    /* Records of the file in this stamp, wanted or not, as pc_wave_totals counts them. */
    uint64_t records;
    /*
     * Values that stand before the first timestamp (VCD without a #0): no stamp of its own.
     * The caller of next() clears the group before, so readers without such things leave them.
     */
    bool initial;
};

/* Takes the greatest common divisor of it and a distance between two timestamps; 0 is of no
 * distance. */
static inline void wv_take_step(uint64_t *step, uint64_t distance)
{
    if (distance == *step)
        return;
    while (distance) {
        const uint64_t rest = *step % distance;
        *step = distance;
        distance = rest;
    }
}

/* Takes a distance between two timestamps that follow each other. */
static inline void wv_take_distance(struct pc_wave_totals *t, uint64_t distance)
{
    if (distance == 0)
        return;
    wv_take_step(&t->step, distance);
    if (t->most == 0 || distance < t->least)
        t->least = distance;
    if (distance > t->most)
        t->most = distance;
}

/* Takes the times of a group of changes, and of its repeats. */
static inline void wv_take_times(struct pc_wave_totals *t, const struct wv_group *g)
{
    if (!t->has_time)
        t->time_first = g->time;
    else
        wv_take_distance(t, g->time - t->time_last);
    if (g->repeats)
        wv_take_distance(t, 1);
    t->has_time = true;
    t->time_last = g->time + g->repeats;
    t->time_stamps += 1 + g->repeats;
}

/* Adds the distances of other stamps. */
static inline void wv_add_distances(struct pc_wave_totals *t, const struct pc_wave_totals *more)
{
    const uint64_t step = more->step;

    wv_take_distance(t, more->least);
    wv_take_distance(t, more->most);
    wv_take_step(&t->step, step);
}

/* 4-state value of a wire: 0, 1, or unknown. */
enum wv_level { WV_0, WV_1, WV_X };

/* A bound bit of a value stream: where its values go. */
struct wv_tap {
    uint32_t code;
    uint32_t bit;    /* from the right */
    uint32_t signal; /* of the stream; or its clock or condition */
    uint8_t stream;
};
#define WV_CLOCK UINT32_MAX
#define WV_IFF   (UINT32_MAX - 1)
#define WV_WHOLE (UINT32_MAX - 2) /* comparisons want the value stream */

/*
 * Timestamps in bulk: what one stream with one clock needs of many of them.  A reader that
 * can do this offers plan, stretch, edge_times and edge_distances.
 */
struct wv_bulk {
    uint32_t clock; /* value stream, of one bit */
    bool every;     /* there is no clock: each timestamp is an edge, with its own values */
    bool falling;
    bool own_values;          /* changes take effect at the edges of their own timestamp */
    const struct wv_tap *tap; /* bits to follow; the clock's own taps are not */
    size_t taps;
    const uint32_t *vector; /* value streams of several bits: their changes come as words */
    size_t vectors;
};

/*
 * A change, once `cycle` edges of the stretch have been sampled: of a signal, or of a vector with
 * the level WV_EVENT_WORDS, and then `cycle` of the next one is the place of its words.
 */
struct wv_event {
    uint32_t cycle;
    uint32_t what; /* 4 * signal + level, or 4 * vector + WV_EVENT_WORDS */
};
#define WV_EVENT_WORDS 3
#define WV_EVENT_IFF   (UINT32_MAX / 4) /* the signal that stands for the condition */

/*
 * The words of a value: of its digits from the right, 64 each, the rightmost in bit 63, as text has
 * them.  The first word says how many follow, then that many of digits that are 1, and where a
 * digit is x or z that many of digits that are.  Those further left are 0, or all unknown.
 */
#define WV_WORDS_UNKNOWN    (UINT64_C(1) << 32) /* besides their number: some digits are */
#define WV_WORDS_LEFT       (UINT64_C(1) << 33) /* and so are those that are not there */
#define WV_WORDS_OF(digits) (((size_t)(digits) + 63) / 64)

struct wv_stretch {
    const struct wv_event *event; /* cycles do not decrease */
    size_t events;
    const uint64_t *word;
    uint32_t edges;
    enum wv_level clock; /* after it */
};

/* A scan: where its results go. */
struct wv_scan {
    /* Called now and then, in the caller's thread: about that many changes were looked at. */
    void (*tell)(const struct wv_scan *s, uint64_t changes);
    struct pc_wave *wave; /* scan.c's own */
    uint64_t *work;
    struct pc_wave_totals *totals;
    struct pc_var_activity *activity; /* by value stream; NULL: not wanted */
    uint8_t *was;                     /* the same: activity.h */
};

/* Listening: where changes go, but for their order over all streams. */
struct wv_listen {
    /* Called now and then, in the caller's thread: about that many changes were looked at. */
    void (*tell)(const struct wv_listen *l, uint64_t changes);
    void *ctx; /* listen.c's own */
    const struct pc_wave_listener *listener;
    struct pc_wave_totals *totals;
};

struct wv_reader;
struct wv_reader_ops {
    /* wanted[code] != 0; called once, before the first next. */
    enum pc_status (*select)(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err);
    /*
     * PC_END after the last.  Times do not decrease; the same time does not come twice in a
     * row, but where time running backwards is tolerated.
     */
    enum pc_status (*next)(struct wv_reader *r, struct wv_group *out, struct pc_error *err);
    /*
     * NULL where a format has no shorter way.  Instead of next(): makes the next block of
     * wave->stream[*stream] (wave.h), with planes, cycles and times as play.c would have
     * made them; PC_END after the last.  Only where all streams are bound to a clock, unless
     * fills_every.
     */
    enum pc_status (*fill)(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                           struct pc_error *err);
    bool fills_every;
    /*
     * NULL where a format has no shorter way.  Adds what pc_wave_scan() tells of the next time
     * stamps, none to all that are left; next() goes on after them.  Only where all streams are
     * selected.  What is wrong in a file, or unusual, can so be left to next().
     */
    void (*scan)(struct wv_reader *r, const struct wv_scan *s);
    /*
     * NULL where a format has no shorter way.  Tells all changes of the selected streams up to the
     * listener's `until`, unless it asks for the order of time; false: what was told does not
     * count, and next() begins before the first timestamp.
     */
    bool (*listen)(struct wv_reader *r, const struct wv_listen *l);
    /* Would next() or stretch() wait for a pipe?  NULL: that is not known. */
    bool (*waits)(const struct wv_reader *r);
    /* Ends what goes on in threads of its own, before streams are freed.  NULL: nothing does. */
    void (*stop_threads)(struct wv_reader *r);
    void (*progress)(const struct wv_reader *r, uint64_t *done, uint64_t *total);
    void (*close)(struct wv_reader *r); /* frees the reader, not its hierarchy */
    /* NULL: everything can be bound.  PC_EUNSUP: this cannot, as it is not sampled. */
    enum pc_status (*may_bind)(const struct wv_reader *r, const struct pc_wave_clock *clock,
                               const struct pc_wave_bit *bits, size_t count, struct pc_error *err);
    /* Once, after select: true if stretches can be had.  NULL: never. */
    bool (*plan)(struct wv_reader *r, const struct wv_bulk *bulk);
    /*
     * The next timestamps, as many as go at once; `clock` is its level.  PC_END: none for now,
     * next() has to take at least one.
     */
    enum pc_status (*stretch)(struct wv_reader *r, enum wv_level clock, struct wv_stretch *out,
                              struct pc_error *err);
    /* Times of edges of the present stretch, from that number on. */
    void (*edge_times)(const struct wv_reader *r, uint32_t edge, uint32_t count, uint64_t *out);
    /* Where timestamps are edges (wv_bulk.every): they are added to the totals. */
    void (*edge_distances)(const struct wv_reader *r, uint32_t edge, uint32_t count,
                           struct pc_wave_totals *totals);
};

/* First member of every reader. */
struct wv_reader {
    const struct wv_reader_ops *ops;
    struct wv_hier hier;
    struct pc_wave_info info; /* counts are filled in by wave.c */
    bool tolerate_time_backwards;
    bool dumps_events; /* at the first timestamp all events have a value, which is no trigger */
    bool unit_assumed; /* the file does not say its time unit, and info has the usual one */
    bool edges_only;   /* has samples at edges of clocks, not all changes */
};

struct wv_input; /* input.h */

/*
 * stranger.c: PC-E0503 if the first bytes are of a format that is known and not read; else PC_OK,
 * and PC-E0503 by the name of the file or PC-E0502 once no reader knows them.
 */
enum pc_status wv_refuse_stranger(const uint8_t *p, size_t size, struct pc_error *err);
enum pc_status wv_refuse_unknown(const uint8_t *p, size_t size, const char *path,
                                 struct pc_error *err);

/* rate.c: Parses "24 MHz", "12.5MHz", "16000000" to hertz, which must come out whole, up to
 * 10^15. */
bool wv_parse_rate(const char *text, size_t length, uint64_t *out);
/* One time unit is one sample; rate 0: its length is not known. */
void wv_sampled(struct pc_wave_info *info, uint64_t rate);
/* Takes the time unit that the caller gives, or says that one is assumed. */
void wv_unit(struct wv_reader *r, const struct pc_wave_desc *desc);

/* Each takes over `in` whether it succeeds or not. */
enum pc_status wv_vcd_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err);
enum pc_status wv_fst_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err);
enum pc_status wv_sigrok_open(struct wv_input *in, const struct pc_wave_desc *desc,
                              struct wv_reader **out, struct pc_error *err);
enum pc_status wv_csv_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err);
enum pc_status wv_ghw_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err);
enum pc_status wv_tap_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err);
/* Returns true if the first bytes of a file look like a CSV. */
bool wv_csv_looks(const uint8_t *data, size_t size);
/* Text of instruments that is not read: whose it is, the begin of its line of names or NULL, and
 * how to get what is read or NULL: make a CSV of it. */
struct wv_csv_dialect {
    const char *name, *begin, *how;
};
/* Tells whose text it is; NULL: unknown. */
const struct wv_csv_dialect *wv_csv_dialect(const uint8_t *data, size_t size);
/* Returns true if the first two lines are fields of one separator. */
bool wv_csv_separated(const uint8_t *data, size_t size);

#endif
