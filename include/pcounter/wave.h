/* SPDX-License-Identifier: MIT */
/* Wave: signals from a waveform file (see pcounter.h) */
#ifndef PCOUNTER_WAVE_H
#define PCOUNTER_WAVE_H

#include "pcounter/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pc_wave;

enum pc_wave_format {
    PC_WAVE_VCD = 1,
    PC_WAVE_EVCD,
    PC_WAVE_FST,
    PC_WAVE_SIGROK,
    PC_WAVE_CSV,
    PC_WAVE_GHW,
    PC_WAVE_TAP /* a running simulation, through a pipe or socket */
};

#define PC_WAVE_WIDTH_MAX UINT32_C(0x4000000) /* 64 Mi bits */

/* Zero means the default in brackets.  Exceeding one is PC_ELIMIT. */
struct pc_wave_limits {
    uint64_t max_vars;        /* [16 Mi] variables */
    uint64_t max_name_bytes;  /* [64 Ki] of one name */
    uint64_t max_names_total; /* [1 Gi] of all names together */
    uint32_t max_depth;       /* [4096] nested scopes */
    uint32_t max_width;       /* [1 Mi] bits of one variable; above PC_WAVE_WIDTH_MAX it is that */
    uint32_t max_ratio;       /* [1000] decompressed : compressed, of blocks above 1 MiB; not of
                                 sigrok's samples, which are never held */
};

/* Members that are 0 take their defaults; only path must be given. */
/* With pc_wave_desc.texts a string has eight bits for each of that many characters, the last one
 * lowest, 0 where there is none; a longer text is unknown. */
#define PC_WAVE_TEXT 32

struct pc_wave_desc {
    const char *path; /* "-" is standard input */
    const struct pc_alloc *alloc;
    struct pc_wave_limits limits;
    unsigned threads; /* that take part in reading, with the caller's; 0: the caller's, and one to
                         decompress large files */
    bool tolerate_time_backwards; /* else an error with its place */
    /*
     * Faults that are otherwise tolerated with a warning are PC_EINPUT.  VCD: also checks the
     * values of unselected signals (undeclared ones), which is slower.
     */
    bool strict;
    /*
     * A pipe whose writer takes its time (VCD and CSV, not compressed): before pc_wave_next()
     * waits for more of it, what was sampled is handed out, in blocks that are not full.
     */
    bool live;
    /* Called now and then while pc_wave_scan() reads, with what pc_wave_progress() would say. */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    /* Strings of a VCD, FST or CSV are vectors: see PC_WAVE_TEXT.  Reading is slower where one is
     * bound, and pc_wave_scan() and pc_wave_listen() always. */
    bool texts;
    /*
     * > 0: a connected socket, to whose other end a tap in a simulator sends (tap.h); it is read in
     * place of the path, which only names it, and stays the caller's.
     */
    int socket;
    bool refuse_oddities; /* what would be a warning, pc_wave_warning(), is PC_EINPUT */
    /*
     * The time unit of files that do not say it, factor * 10^exponent seconds: some GHW, and CSV of
     * samples or whole numbers.  The factor is 1, 10 or 100; 0: it stays unknown, and that of a GHW
     * is taken for 1 fs, with a note.  A file that says its unit keeps it, with a warning.
     */
    uint64_t unit_factor;
    int unit_exponent;
};

/*
 * Opens a waveform, and reads header and hierarchy. The format is detected by content, not by
 * suffix. Compressed data that ends early is read up to there, with a warning (PC_EINPUT if
 * strict). PC_ENOENT, PC_EIO; PC_EINPUT with line and column, or byte; PC_EUNSUP for a format that
 * is known and not read; PC_ELIMIT with the limit's name.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_open(const struct pc_wave_desc *desc,
                                                 struct pc_wave **out, struct pc_error *err);
PC_API void pc_wave_close(struct pc_wave *wave); /* NULL is fine */

struct pc_wave_info {
    enum pc_wave_format format;
    const char *encoding; /* "plain", "gzip", "zstd", "xz", "bzip2"; FST: "lz4", "zlib", "fastlz",
                             "gzip-wrapped",
                             ...; sigrok: "deflate", "stored" */
    const char *date, *version, *comment; /* as the file has them, trimmed; "" if absent */
    /*
     * One time unit is factor * 10^exponent seconds; the factor is 1, 10 or 100, but for
     * captures of a fixed sample rate (`sampled`), where one time unit is one sample: exactly
     * 1 / sample_rate seconds, and factor and exponent are that in whole femtoseconds.
     * Factor 0: not known.  A VCD whose times have fractions has the unit that these need, not
     * that of its $timescale.
     */
    int timescale_exponent;
    uint64_t timescale_factor;
    size_t scopes;        /* declared */
    size_t vars;          /* declared, aliases counted */
    size_t codes;         /* distinct value streams of these */
    bool unfinished;      /* the writer did not finish the file */
    size_t warnings;      /* oddities tolerated; pc_wave_warning() */
    bool sampled;         /* sigrok, and CSV without times */
    uint64_t sample_rate; /* Hz; 0: not sampled, or unknown */
};
/* Gets information whose strings live as long as the waveform. */
PC_API void pc_wave_get_info(const struct pc_wave *wave, struct pc_wave_info *out);
/* Returns one of the warnings; after the first 16, a text with the number of further ones. NULL
 * past the end. */
PC_API const char *pc_wave_warning(const struct pc_wave *wave, size_t i);
/* Returns how a CSV that is not of the plain form was read. Not a warning; more may come until the
 * last row. */
PC_API const char *pc_wave_note(const struct pc_wave *wave, size_t i); /* NULL past the end */

enum pc_var_kind { PC_VAR_BITS, PC_VAR_REAL, PC_VAR_STRING, PC_VAR_EVENT };

struct pc_wave_var {
    const char
        *name; /* full path with dots, without its bit range: "top.dut.count", "top.bus[3]" */
    const char *range; /* as declared: "[7:0]" or ""; a single index is part of the name */
    const char *type;  /* "wire", "reg", "parameter", ... */
    enum pc_var_kind kind;
    uint32_t width;
    int32_t msb, lsb; /* declared bounds; width-1 and 0 if the file gives none */
    uint32_t code;    /* index of the value stream: equal for aliases */
    bool is_signed; /* "integer", "int", "shortint", "longint", "byte", or what an FST says so of */
};
/* Gets a variable, in the order of declaration; PC_END past the last. Strings live as long as the
 * waveform. */
PC_API enum pc_status pc_wave_get_var(const struct pc_wave *wave, size_t i,
                                      struct pc_wave_var *out);

/*
 * Returns the bytes of the variable's name that are the path of its scope, without the dot before
 * its own name, which may have dots ("\\a.b"); 0: it is in no scope.
 */
PC_API size_t pc_wave_scope_length(const struct pc_wave *wave, size_t var);

/*
 * Finds one variable by name: the full path, or a suffix of it at a dot if that is
 * unique ("dut.count", "count").  The name may end in a bit or slice: "count[3:0]",
 * "mem[2][7]", of a packed array ("[1:0][7:0]") in an element, "grid[1]"; a variable of the same
 * scope whose own name ends in brackets wins over a slice.  Backslashes and blanks are ignored,
 * unless full paths differ only in these. *hi and *lo are then bit positions counted from the right
 * (bit 0 is the least significant, whatever the declared bounds); whole variable: width-1 and 0.
 * Signals that have one path are told apart by the order of their declaration: "x#2" is the second,
 * aliases of one value stream count as one; bits come after that: "x#2[3]".
 * Several names of one value stream (ports) are one signal: the first of them is found, unless a
 * bit is asked for and their bounds differ.
 * Errors: PC_ENOENT with similar names, PC_EAMBIG with the matches, PC_EINPUT for a slice out of
 * bounds.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_find(const struct pc_wave *wave, const char *name,
                                                 size_t *var, uint32_t *hi, uint32_t *lo,
                                                 struct pc_error *err);

/*
 * One wire: bit `bit` (from the right) of variable `var`.
 *
 * An event variable has one bit, 0: it is 1 in a cycle before whose edge the event was triggered,
 * after the edge before that one, and as a clock each trigger is an edge.  PC_WAVE_TRIGGERS to
 * PC_WAVE_TRIGGERS + 31 are how often it was, as a number from the lowest bit on.  A real has 64
 * bits that can be compared, PC_WAVE_REAL to PC_WAVE_REAL + 63, as an unsigned number that is less
 * where the real is less; NaN is unknown.  pc_wave_find_value() has numbers in this form.
 */
#define PC_WAVE_REAL     0x80000000u
#define PC_WAVE_TRIGGERS 0x80000000u
struct pc_wave_bit {
    size_t var;
    uint32_t bit;
};

/*
 * Finds the same, and vectors whose bits are variables of their own: "x[2]", "x[1]", "x[0]",
 * declared one after the other in a VCD or FST, are x[2:0], the first one leftmost; and variables
 * of one path with other bounds each, "bus[15:8]" and "bus[7:0]", are pieces of one vector.  Bits
 * from the right, at most `capacity`; *count is how many there are: it may be more, and is 0 for a
 * variable without bits.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_find_bits(const struct pc_wave *wave, const char *name,
                                                      struct pc_wave_bit *bits, size_t capacity,
                                                      size_t *count, struct pc_error *err);

/* Returns true if the name is that of a signed number: a whole signed variable, not a bit or slice
 * of one. */
PC_API bool pc_wave_is_signed(const struct pc_wave *wave, const char *name);

/*
 * Gets the name of the i-th value of a variable's enumeration and its digits ('0' '1' 'x' 'z') from
 * the left, as an FST or GHW has them; PC_END past the last. Strings live as long as the waveform.
 */
PC_API enum pc_status pc_wave_get_value_name(const struct pc_wave *wave, size_t var, size_t i,
                                             const char **name, const char **digits);

/*
 * Finds the bits of the value `word` of the enumeration of the signal `name`, from the lowest on, a
 * byte each, as many as the signal has: for pc_expr_values(), whose context is the waveform. A
 * value whose letters differ only in their case is taken where there is one such. For a real the
 * word is a number after =, "=2.5", and its bits are those of PC_WAVE_REAL. PC_END: the signal has
 * no enumeration, or for a number: it is not a real. PC_ENOENT: no such value, with those that
 * there are.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_find_value(const void *wave, const char *name,
                                                       const char *word, uint8_t *bits,
                                                       size_t capacity, size_t *count,
                                                       bool *is_signed, struct pc_error *err);

/*
 * Gets a vector whose bits are declared one by one, in the order of declaration; PC_END past the
 * last. *out is what it would be if the vector were declared whole (its range is "[7:0]", its code
 * that of its leftmost bit), *first the variable that is its leftmost bit; the others follow.
 * Strings live as long as the waveform.
 */
PC_API enum pc_status pc_wave_get_vector(const struct pc_wave *wave, size_t i,
                                         struct pc_wave_var *out, size_t *first);

/* Returns the unit of 10^exponent seconds: "s", "ms", "us", "ns", "ps", "fs", "as", "zs"; NULL:
 * none. */
PC_API const char *pc_time_unit(int exponent);
/* Finds a unit that people write, "s" to "fs"; false: the text is not one. */
enum { PC_TIME_UNIT_LEAST = -15 };
PC_API bool pc_time_unit_find(const char *text, size_t length, int *exponent);

enum pc_edge {
    PC_EDGE_POS,
    PC_EDGE_NEG,
    PC_EDGE_EVERY, /* every time stamp and its own values: sampled captures */
    /*
     * At the first time stamp, and a period after the edge before, as long as that is before the
     * last time stamp: each edge stands for the period after it, and sees the values of its own
     * time.  A sample of a capture (pc_wave_info.sampled) lasts one time unit, also the last one.
     */
    PC_EDGE_PERIOD
};

struct pc_wave_clock {
    enum pc_edge edge;
    struct pc_wave_bit clock;
    bool has_iff;
    bool iff_low; /* count edges where iff is 0 instead of 1 */
    struct pc_wave_bit iff;
    bool post_edge; /* sample the values of the edge's own time stamp, not those before it */
    /* PERIOD: number of time units, divided by period_per (0: 1); an edge between two units has the
     * time of the first */
    uint64_t period;
    uint32_t period_per;
    bool times; /* blocks also have the time of each edge */
};

/*
 * Parses a period as people write it, "10ns" or "2.5 us" (s, ms, us, ns, ps, fs), exactly, or a
 * whole number of time units, "25": edge, period and period_per of *out. PC_EINPUT with the column
 * where it is not a period, does not fit exactly into 64 bits, or has a unit that the waveform does
 * not have.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_parse_period(const struct pc_wave *wave,
                                                         const char *text, size_t length,
                                                         struct pc_wave_clock *out,
                                                         struct pc_error *err);

/*
 * The parts of a clock as people write it: "clk", "negedge clk", "posedge clk iff !rst", "sample",
 * "every 10ns iff en".  A name may stand in double quotes, and may have blanks before [ and .
 */
struct pc_clock_name {
    const char *text; /* in the text that was parsed; NULL: absent */
    size_t size;
};

struct pc_clock_text {
    enum pc_edge edge;
    struct pc_clock_name clock; /* the signal; of PERIOD the period; of EVERY absent */
    bool has_iff, iff_low;
    struct pc_clock_name iff;       /* the signal after iff, and after its ! or ~ */
    struct pc_clock_name condition; /* all after iff */
    bool is_expression; /* ... which has several words; one without blanks may be an expression as
                           well */
};

/* Parses the parts of a clock; PC_EINPUT with the column where it is not a clock. Names are not
 * looked up. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_parse_clock(const char *text, size_t length,
                                                        struct pc_clock_text *out,
                                                        struct pc_error *err);
/*
 * Parses a clock, finds its signals, and fills in edge, clock, iff and the period of *out.
 * PC_EINPUT or PC_ENOENT with the column, also where iff has an expression: a reader of blocks
 * evaluates that itself (pcounter/expr.h).
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_find_clock(const struct pc_wave *wave, const char *text,
                                                       size_t length, struct pc_wave_clock *out,
                                                       struct pc_error *err);

/*
 * Binds a stream: at each edge of the clock (0 to 1 for POS; unknown to 1 is no edge; several edges
 * at one time stamp count as several) every bit is sampled.  Bind before the first next or step
 * (else PC_EARG).  At most 32 streams (PC_ELIMIT).  PC_EARG for a variable or bit that does not
 * exist, PC_EINPUT for one without bits.  *stream counts from 0.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_bind(struct pc_wave *wave,
                                                 const struct pc_wave_clock *clock,
                                                 const struct pc_wave_bit *bits, size_t count,
                                                 unsigned *stream, struct pc_error *err);

/*
 * A comparison of a whole vector with another of its width, or with a number, as a bit to be bound:
 * of vectors of hundreds of bits it is there much sooner than they are.  The numbers are unsigned.
 * Where a bit is unknown it is taken as 0 for the bit's value, and the comparison is unknown if it
 * depends on it; such a bit can be unknown and 1.
 */
struct pc_wave_comparison {
    bool less;          /* left < right; else left == right */
    bool negated;       /* what is told is the opposite */
    size_t left, right; /* variables; */
    const uint8_t
        *number;  /* if not NULL in the place of `right`, a byte a bit from the lowest on */
    bool swapped; /* it is right < left, or right == left */
};
/*
 * Adds a comparison, which has one bit. Before the first bind, which alone takes such bits, and
 * makes any other an error. PC_EUNFIT: not of this format, or not of these variables; bits will do.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_compare(struct pc_wave *wave,
                                                    const struct pc_wave_comparison *comparison,
                                                    struct pc_wave_bit *out, struct pc_error *err);

#define PC_BLOCK_WORDS 256 /* at most this many 64-cycle words in a block */

/*
 * Samples of one stream.  value[s] and unknown[s] are bit planes: bit t%64 of word
 * t/64 is signal s at cycle first_cycle + t; an unknown bit (x, z) has value 0.
 * Bits at and after `cycles` are 0.  The planes live until the next call.
 */
enum pc_wave_still {
    PC_STILL_UNKNOWN, /* look at the values */
    PC_STILL_0,       /* 0 in all cycles of the block */
    PC_STILL_1        /* 1 in all of them */
};
struct pc_wave_block {
    unsigned stream;
    uint64_t first_cycle;
    uint32_t cycles;
    const uint64_t *const *value;
    const uint64_t *const *unknown;
    bool any_unknown;               /* false: all of `unknown` is 0 */
    uint64_t first_time, last_time; /* of its first and last edge */
    const uint8_t *still;           /* enum pc_wave_still of each signal's values; may be NULL */
    const uint64_t *time; /* of each edge, if the clock's `times` asks for them; or NULL */
};
/*
 * Reads the next block; PC_END after the last block of the last stream. A stream's blocks come in
 * order; without desc.live all but the last are full. PC_EINPUT with its place, PC_EIO, PC_ELIMIT.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_next(struct pc_wave *wave, struct pc_wave_block *out,
                                                 struct pc_error *err);

/* Reads one instant at a time, for all streams together; do not mix with pc_wave_next(). */
struct pc_wave_instant {
    uint64_t time;
    uint32_t streams; /* bit s: stream s has an edge now */
    /* value[s][i/64] bit i%64: bit i of stream s; valid for streams with an edge */
    const uint64_t *const *value;
    const uint64_t *const *unknown;
};
/* Reads the next instant; PC_END and errors as of pc_wave_next(). The planes live until the next
 * call. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_step(struct pc_wave *wave, struct pc_wave_instant *out,
                                                 struct pc_error *err);

/* Reads the whole file once (instead of next or step) and summarises it. */
struct pc_wave_totals {
    bool has_time;
    uint64_t time_first, time_last;
    uint64_t time_stamps; /* distinct, in order */
    uint64_t changes;     /* value change records, initial values included */
    /* the largest time of which all distances between time stamps are multiples; 0: there is none.
     * They are evenly spaced if step * (time_stamps - 1) is time_last - time_first. */
    uint64_t step;
    uint64_t least, most; /* the shortest of these distances that is not 0, and the longest */
};
struct pc_var_activity {
    uint64_t changes;
    uint64_t rises, falls; /* 0 to 1 and 1 to 0, one-bit variables only; an event's triggers */
    uint64_t first_rise, last_rise;  /* times */
    uint64_t min_period, max_period; /* from a rise to the next, not across unknown values or gaps
                                        in the dump; 0 if there is none */
    bool ever_unknown;
};
/* Reads the whole file; activity: one row per value stream (pc_wave_info.codes), or NULL. After an
 * error it has what was read before it. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_scan(struct pc_wave *wave,
                                                 struct pc_wave_totals *totals,
                                                 struct pc_var_activity *activity,
                                                 struct pc_error *err);
/* Scans the time stamps before `until`, and reads no more. */
PC_API PC_MUST_CHECK enum pc_status pc_wave_scan_until(struct pc_wave *wave, uint64_t until,
                                                       struct pc_wave_totals *totals,
                                                       struct pc_var_activity *activity,
                                                       struct pc_error *err);

/*
 * Changes of one value stream, in the order of time.  Bits of a value are words from the right, of
 * (width + 63) / 64 words each: of a bit that is 0 `value` and `unknown` have 0 and 0, of 1 they
 * have 1 and 0, of x 0 and 1, of z 1 and 1.  Bits beyond the width are 0 and 0.
 */
struct pc_wave_changes {
    uint32_t code;
    bool before; /* one value, which stands before the first time stamp: it has no time */
    size_t count;
    const uint64_t *time;
    /* unknown NULL: there is neither x nor z.  Both NULL: triggers of an event variable. */
    const uint64_t *value, *unknown;
};
struct pc_wave_listener {
    const uint8_t *wanted; /* by value stream, 0: not this one; NULL: all.  Only those with bits, */
    bool events;           /* and event variables */
    /*
     * With in_order: reals and events are also reported.  A trigger is a value of one bit, 1.  A
     * real has 64 bits: those of its IEEE 754 double with the sign turned, or where it is negative
     * all of them turned, so that they compare as the reals do; NaN is unknown.
     */
    bool others;
    /*
     * All changes in the order of time.  Else those of one stream are, and several threads (as many
     * as pc_wave_desc.threads) may tell of different streams at once.
     */
    bool in_order;
    /*
     * Value streams whose changes are needed to judge those of the others, or NULL.  The file then
     * comes in sections of whole time stamps.  Of each the changes of these streams are told first,
     * by one thread; then section(ctx, last, false) is called with the time of its last stamp, the
     * changes of the others are told, and section(ctx, last, true) ends it.  Memory does not grow
     * with the length of the file.
     */
    const uint8_t *first;
    void (*section)(void *ctx, uint64_t last, bool over);
    /* With `first` and in_order: returns whether a section ends before this time; NULL: anywhere.
     */
    bool (*cut)(void *ctx, uint64_t time);
    uint64_t until; /* what is at this time and later is not wanted; 0: all is */
    void (*begin)(void *ctx, uint64_t time); /* the first time stamp, before its changes */
    void (*take)(void *ctx, const struct pc_wave_changes *changes);
    /* all that was reported, including begin, is reported again; if !in_order */
    void (*forget)(void *ctx);
    void *ctx;
};
/*
 * Reads the whole file once (instead of next, step or scan), and hands over its changes.  What was
 * told before an error is of no use.  totals: as of pc_wave_scan(); where `until` ended it, that is
 * the last time.
 */
PC_API PC_MUST_CHECK enum pc_status pc_wave_listen(struct pc_wave *wave,
                                                   const struct pc_wave_listener *listener,
                                                   struct pc_wave_totals *totals,
                                                   struct pc_error *err);

/*
 * Gets the time stamps that pc_wave_next() or pc_wave_step() has read so far for a stream of
 * PC_EDGE_EVERY (changes: 0). has_time is false without such a stream, and for a capture, whose
 * samples are evenly spaced.
 */
PC_API void pc_wave_stamps(const struct pc_wave *wave, struct pc_wave_totals *out);
/*
 * Returns, after pc_wave_next() came to PC_END, how often the event that is this signal of the
 * stream was triggered after the last edge, in no cycle; 0 of any other signal.
 */
PC_API uint32_t pc_wave_triggers_left(const struct pc_wave *wave, unsigned stream, size_t signal);

/*
 * Gets the i-th stretch of time in which dumping was off ($dumpoff, blackouts of FST), as far as
 * the file was read; *to is UINT64_MAX if it was never switched on again. PC_END past the last. The
 * first 65536 are kept.
 */
PC_API enum pc_status pc_wave_gap(const struct pc_wave *wave, size_t i, uint64_t *from,
                                  uint64_t *to);

/* Gets the bytes of the input consumed so far and in all (0 if unknown: a pipe); for progress. */
PC_API void pc_wave_progress(const struct pc_wave *wave, uint64_t *done, uint64_t *total);

#ifdef __cplusplus
}
#endif

#endif
