/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner: the text of value changes as masks, 64 characters a word.  It takes whole
 * groups (a timestamp and the changes under it) as long as every line of them is provably of
 * one of the shapes
 *     #digits      [01xXzZ]identifier      [bBrRsS]anything identifier      (nothing)
 * with one blank in the third, nothing else, and the clock's own lines alternate.  It stops
 * in front of the first group of which that is not so; the parser of values.c, which
 * knows all of VCD and all errors, takes that one.  What it finds are *events*: the changes
 * of selected signals, each with the number of clock edges before it takes effect.
 *
 * scan_loop.h is the algorithm, scan_*.c instantiate it, one file an instruction set.
 */
#ifndef PC_WAVE_VCD_SCAN_H
#define PC_WAVE_VCD_SCAN_H

#include "wave/reader.h"

#define VCD_SCAN_SLACK       128 /* readable bytes after the text; they mean nothing */
#define VCD_SCAN_CLOCK       8   /* longest identifier of a clock */
#define VCD_SCAN_DIGITS      16  /* of a timestamp */
#define VCD_SCAN_EVENTS      ((size_t)1 << 16) /* of one scan */
#define VCD_SPAN_WORDS       64                /* of 64 characters: what is looked at at once */
#define VCD_SPAN             (64 * VCD_SPAN_WORDS)
#define VCD_LEAST_CUT        128                /* bytes, of lines that are cut out, or digits */
#define VCD_SCAN_WORDS(room) ((room) / 16 + 64) /* room for them, of that many bytes of text */
#define VCD_PAIRS            512 /* words of bits, one for each two characters of 7 bits */

/* A selected value stream and its bits. */
struct vcd_scan_slot {
    uint32_t code, width;
    bool clock;       /* only 0 and 1 are known here */
    bool is_vector;   /* its changes are words of this vector of struct wv_bulk, */
    uint32_t vector;  /* besides: */
    size_t tap, taps; /* in vcd_sets.tap */
};

struct vcd_scan_tap {
    uint32_t bit;    /* from the right */
    uint32_t signal; /* as in struct wv_event */
};

/*
 * Identifiers of up to six characters between any character and what ends the line, as
 * little-endian numbers.  The place is that of the first two characters, or the next free one.
 */
struct vcd_scan_key {
    uint64_t key, mask; /* mask 0: free; then key is not 0 */
    uint32_t slot;
    uint32_t what; /* 4 * signal of the only tap of a scalar, */
    bool direct;   /* if it is one, or free, and the first place of no others */
};

/*
 * Begins of selected identifiers, in eight buckets: bit k of all four tables is set at
 * the nibbles of one in bucket k.  The nibbles are those of the first character, the low one of
 * the second, which may be what ends the line, and `other`: bits other_shift to other_shift + 3
 * of character other_at.  Others pass too; an identifier that passes is looked up.
 */
struct vcd_id_filter {
    uint8_t first_low[16], first_high[16], second_low[16], other[16];
    uint8_t other_at, other_shift;
    uint8_t whole[3][256]; /* the same by the first, second and third character */
};

/* The clock and the signals to look for. */
struct vcd_sets {
    uint8_t end;     /* what ends the last word of a line: newline, or carriage return */
    uint8_t edge;    /* '1' or '0': the clock's value after an edge that counts */
    bool own_values; /* changes take effect at the edges of their own timestamp */
    bool every;      /* there is no clock: timestamps are edges */
    uint8_t clock[VCD_SCAN_CLOCK];
    unsigned clock_length;
    struct vcd_id_filter filter;
    /*
     * Bit c + 256 d, characters of 7 bits: an identifier that begins with c, d may be selected, or
     * there is none.  [0]: of one character and what ends the line; [1]: of more.
     */
    uint64_t wanted[2][VCD_PAIRS];
    bool clock_selected; /* the clock is a signal as well */
    uint32_t last;       /* the greatest signal */
    const struct vcd_scan_slot *slot;
    const struct vcd_scan_tap *tap;
    const struct vcd_scan_key *key;
    uint32_t key_factor;
    unsigned key_shift;        /* 2^(32 - key_shift) keys */
    const struct vcd_ids *ids; /* for longer identifiers */
    const uint32_t *slot_of;   /* code -> slot + 1 */
};

/* Places of characters in a span: word k has its characters 64 k and on. */
struct vcd_marks {
    uint64_t stamps[VCD_SPAN_WORDS];     /* the # of timestamps */
    uint64_t clocks[VCD_SPAN_WORDS];     /* lines of the clock, 0 or 1 */
    uint64_t edges[VCD_SPAN_WORDS];      /* those of them that count */
    uint64_t candidates[VCD_SPAN_WORDS]; /* first characters of identifiers that may be selected */
    uint32_t before[VCD_SPAN_WORDS];     /* edges before word k */
    /* Edges before the first stamp after word k; own_values: before the last one in front. */
    uint32_t beyond[VCD_SPAN_WORDS];       /* only of words with candidates */
    uint32_t outside;                      /* ... of the whole span */
    uint64_t with_stamps, with_candidates; /* bit k: word k has some */
};

/*
 * A cut in front of byte `at` of the text that is left, and all cuts so far: lines, or the digits
 * of a line, which became words.
 */
struct vcd_cut {
    uint32_t at, bytes, lines;
    uint32_t words; /* the place of these in vcd_scan.word, + 1 */
};

enum vcd_scan_clock { VCD_CLOCK_LOW = '0', VCD_CLOCK_HIGH = '1', VCD_CLOCK_ANY = 0 };

struct vcd_scan {
    /*
     * Set by the caller: the text begins with the # of a timestamp.  If there is room, lines that
     * are not needed are cut out of it, and the marks are those of the rest.
     */
    const struct vcd_sets *sets;
    const uint8_t *text;
    size_t size;
    uint8_t *kept; /* the text itself, or room for it, with VCD_SCAN_SLACK; NULL: all stays */
    size_t kept_room;
    struct vcd_cut *cut;
    size_t cuts_room, cuts;
    size_t next_cut; /* the first one that may stand after what is looked at */
    size_t wide;     /* words that were made of what was cut out */
    uint64_t *word;
    size_t words_capacity;
    unsigned cut_pause;                      /* that many scans without */
    bool mostly_cut;                         /* the last text of some size */
    uint64_t gone;                           /* bytes that were cut out, by all scans */
    bool wordy;                              /* the last span had blanks or unknown values */
    unsigned usual_stamps, usual_candidates; /* of 64 bytes, by the last scan */
    uint8_t clock; /* enum vcd_scan_clock: its level before; ANY: whatever suits the text */
    struct vcd_marks *mark;
    size_t spans; /* room in marks; no more of the text is scanned */
    struct wv_event *event;
    size_t events_capacity;
    /* found: whole groups up to text[used], which begins a timestamp again */
    size_t used;
    size_t marked; /* the same place in what is left of the text */
    bool dry;      /* stopped by the end of the text only */
    size_t lines;  /* newlines in what was used */
    size_t events, words;
    uint32_t edges;
    uint8_t clock_first, clock_last; /* ANY: no line of the clock */
    uint64_t last_time, next_time;   /* of the last group, and of the stamp at `used` */
};

struct vcd_scan_kernel {
    const char *name;
    bool (*usable)(void); /* has this CPU the instructions? */
    void (*run)(struct vcd_scan *s);
};

/* Returns the fastest that this CPU has: its features are asked for, never its model. */
const struct vcd_scan_kernel *vcd_scan_best(void);
/* Returns one of this build, slowest first, usable here or not; NULL past the end. */
const struct vcd_scan_kernel *vcd_scan_at(size_t i);
/* Writes the times of the stamps under which edges of a finished scan stand, from that number
 * on. */
void vcd_scan_times(const struct vcd_scan *s, uint32_t edge, uint32_t count, uint64_t *out);
/* Where stamps are edges: how far these are apart, and from the time before. */
void vcd_scan_distances(const struct vcd_scan *s, uint32_t edge, uint32_t count,
                        struct pc_wave_totals *totals);

extern const struct vcd_scan_kernel vcd_scan_u64;
#if defined(__aarch64__)
extern const struct vcd_scan_kernel vcd_scan_neon;
#endif
#if defined(__x86_64__)
extern const struct vcd_scan_kernel vcd_scan_sse2;
extern const struct vcd_scan_kernel vcd_scan_avx2;
extern const struct vcd_scan_kernel vcd_scan_avx512;
#endif

/*
 * Returns the place of byte `at` of what is left in the text that was given; *cut: that of another
 * in front.
 */
static inline size_t vcd_scan_place(const struct vcd_scan *s, size_t at, size_t *cut)
{
    while (*cut < s->cuts && s->cut[*cut].at <= at)
        ++*cut;
    return at + (*cut > 0 ? s->cut[*cut - 1].bytes : 0);
}

/* Returns the # of timestamps among characters 64 k and on. */
static inline uint64_t vcd_stamps(const struct vcd_scan *s, size_t k)
{
    return s->mark[k / VCD_SPAN_WORDS].stamps[k % VCD_SPAN_WORDS];
}

/* Returns the clock lines among them that count. */
static inline uint64_t vcd_edges(const struct vcd_scan *s, size_t k)
{
    return s->mark[k / VCD_SPAN_WORDS].edges[k % VCD_SPAN_WORDS];
}

/* Returns the index of the highest bit of x, which is not 0. */
static inline unsigned vcd_highest(uint64_t x)
{
    return 63 - (unsigned)__builtin_clzll(x);
}

/* Reads the digits of a timestamp; at most VCD_SCAN_DIGITS of them. */
static inline uint64_t vcd_scan_number(const uint8_t *digit, size_t n)
{
    uint64_t t = 0;

    for (size_t i = 0; i < n; i++)
        t = t * 10 + (uint64_t)(digit[i] - '0');
    return t;
}

#endif
