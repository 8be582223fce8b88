/* SPDX-License-Identifier: MIT */
/* An open waveform, which wave.c, find.c, bind.c, play.c and scan.c share. */
#ifndef PC_WAVE_WAVE_H
#define PC_WAVE_WAVE_H

#include "wave/input.h"
#include "wave/reader.h"

#define WV_STREAMS 32
/*
 * From one plane to the next: a cache line more than a plane is long, so that the same word of
 * many planes, which belong together, does not fall into one set of the cache.
 */
#define WV_PLANE_WORDS  ((size_t)PC_BLOCK_WORDS + 8)
#define WV_BLOCK_CYCLES (PC_BLOCK_WORDS * 64)

/* pages.c: for what is long, before it is touched: page by page that takes its time. */
void wv_ask_for_large_pages(void *memory, size_t size);

/* The first plane in memory of WV_PLANE_ALIGN bytes more than planes need. */
#define WV_PLANE_ALIGN 64
static inline uint64_t *wv_align_planes(void *p)
{
    uintptr_t odd = (uintptr_t)p % WV_PLANE_ALIGN;

    return (uint64_t *)((char *)p + (odd ? WV_PLANE_ALIGN - odd : 0));
}

/* The taps of one code in pc_wave.tap: first clocks and conditions, then signals. */
struct wv_slot {
    size_t begin, signals, end;
};

/* An event that a stream follows: its triggers before the next edge. */
struct wv_triggers {
    bool is_event;
    uint32_t bit;   /* as struct pc_wave_bit has it */
    uint32_t count; /* since the edge before `cycle`; of steps, since the last one */
    uint64_t cycle;
};

struct wv_stream {
    struct pc_wave_clock clock;
    bool own_values; /* samples the values of the edge's own timestamp */
    size_t signals;
    uint8_t *level; /* enum wv_level of each signal, as the next edge samples it */
    uint8_t *began; /* the same of the block's first cycle: bit 0 value, bit 1 unknown */
    uint8_t *dirty; /* planes that hold a 1 */
    void *memory;   /* of all planes, before alignment */
    size_t memory_size;
    uint64_t *planes; /* value and unknown of each signal in turn */
    const uint64_t **value, **unknown;
    const uint64_t *const *told_value, *const *told_unknown; /* of a block that is handed out */
    const uint8_t *told_still;                               /* NULL: nothing is known */
    uint64_t *time;  /* of each edge of the block; NULL: not asked for */
    uint32_t cycles; /* in the block */
    uint64_t first_cycle, first_time, last_time;
    bool any_unknown;                     /* of a block that the reader has filled */
    bool given;                           /* the block was handed out: a new one begins */
    bool triggered;                       /* steps: one of its events, since its last edge */
    enum wv_level clock_level, iff_level; /* after the records seen so far */
    enum wv_level iff_before;             /* before this timestamp */
    uint64_t edges;                       /* of this timestamp, not yet sampled */
    uint64_t sampled;                     /* of these; EVERY and PERIOD only */
    uint64_t first_edge, next_edge; /* PERIOD: numbers of the first of these, and after them */
    struct wv_triggers *triggers;   /* by signal; NULL: none is an event */
    uint64_t *now;                  /* for steps: value, then unknown, bit i is signal i */
};

/* vectors.c: a value stream of several bits, some of which are followed, as words. */
struct wv_vector {
    size_t words;
    uint64_t *value, *unknown; /* of the last change, as in struct wv_stretch */
    uint64_t *followed;        /* the bits that are */
    uint64_t last;             /* the digits of the leftmost word that are there */
    uint32_t *first;           /* by bit: the first of its taps in pc_wave.tap */
    bool compared, signals;    /* signals follow it */
    bool known;                /* nothing of it is unknown */
    bool fresh;                /* value and unknown are what the signals have */
};

/* compare.c: a comparison of vectors, and the signal that it is. */
struct wv_compare {
    struct pc_wave_comparison is;
    uint64_t *number; /* words */
    size_t words;
    uint32_t signal; /* of the first stream; UINT32_MAX: of none */
    size_t side[2];  /* vectors */
};

struct wv_vectors {
    struct wv_vector *vector;
    uint32_t *code;
    size_t count, capacity; /* capacity: as allocated */
    uint32_t *next;         /* by tap: the next of the same bit + 1 */
    size_t taps;
    uint64_t *word; /* of all of them */
    size_t words;
    uint32_t *first;
    size_t firsts;
};

/* Playing stretches instead of timestamps (bulk_play.c). */
struct wv_bulk_state {
    bool on;
    struct wv_vectors vectors;
    bool busy; /* `stretch` is not yet played to its end */
    struct wv_stretch stretch;
    size_t at;     /* next event */
    uint32_t done; /* edges */
    uint32_t last; /* edge that was sampled last + 1; 0: none yet */
};

enum { WV_OWN_VALUES = 1, WV_EARLIER_VALUES = 2, WV_EVERY = 4, WV_PERIOD_EDGES = 8 };
enum wv_mode { WV_IDLE, WV_NEXT, WV_STEP, WV_SCAN, WV_LISTEN };
enum wv_phase { WV_READ, WV_EDGES, WV_FLUSH };

/* A vector whose bits are variables one after the other (split_vectors.c). */
struct wv_split_vector {
    uint32_t first, count; /* variables */
    uint32_t base;         /* bytes of a name in front of its index */
    size_t name, range;    /* of all of it, in pc_wave.split_text */
    int32_t left, right;   /* bounds: indices of the first and of the last */
    uint32_t next;         /* of its hash + 1 */
};

struct pc_wave {
    struct pc_alloc alloc;
    struct wv_reader *reader;
    struct wv_input_end end;                                    /* of its input */
    void (*progress)(void *ctx, uint64_t done, uint64_t total); /* NULL: not asked for */
    void *progress_ctx;
    bool live, refuses;
    bool any_stamp, first_stamp; /* one was read; the present one is the first */
    bool coded;          /* a text, real or event is wanted: only next() of a reader has them */
    uint32_t *name_head; /* hash of the last part of a path -> variable + 1 */
    uint32_t *name_next; /* by variable */
    size_t name_heads;   /* a power of two */
    uint32_t *path_head; /* the same of the whole path, where many have one last part; else NULL */
    uint32_t *path_next;
    struct wv_split_vector *split;
    size_t splits, splits_capacity;
    char *split_text;
    size_t split_text_size;
    uint32_t *split_head; /* hash of the name in front of the index -> split + 1 */
    size_t split_heads;   /* a power of two, or 0 */

    struct wv_stream stream[WV_STREAMS];
    unsigned streams;
    unsigned kinds;     /* of streams: WV_OWN_VALUES and so on, or-ed */
    struct wv_tap *tap; /* by slot */
    size_t taps;
    uint32_t *slot_of; /* code -> slot + 1; 0: not wanted */
    struct wv_slot *slot;
    size_t slots;
    uint8_t *wanted; /* by code */

    enum wv_mode mode;
    enum wv_phase phase;
    enum pc_status failure; /* a reading that failed fails again */
    struct pc_error error;
    struct wv_group group;
    struct pc_wave_totals stamps; /* pc_wave_stamps(); times also where there are periods */
    bool ended;                   /* PC_END was read, and edges up to the end are told */
    struct wv_bulk_state bulk;
    struct wv_compare *compare;
    size_t compares, compares_capacity;
    uint32_t stepped; /* streams of the last step */
    const uint64_t *step_value[WV_STREAMS], *step_unknown[WV_STREAMS];
};

static inline const struct wv_hier *wv_hier_of(const struct pc_wave *wave)
{
    return &wave->reader->hier;
}
/* Returns the result of a reader: with pc_wave_desc.refuse_oddities a warning is an error, kept as
 * others.
 */
enum pc_status wv_judge(struct pc_wave *wave, enum pc_status status);
/* Reads the reader's next group into wave->group; an error is kept. */
enum pc_status wv_read_group(struct pc_wave *wave, struct pc_error *err);
/* Returns the first stream that has cycles to hand out; the number of streams: none has. */
unsigned wv_first_begun(const struct pc_wave *wave);
/* Has one, and would reading on wait for a pipe? */
bool wv_waits(const struct pc_wave *wave);
/* Returns error 533 if another way of reading has begun, or the file was read as a whole. */
enum pc_status wv_may_begin(struct pc_wave *wave, enum wv_mode mode, struct pc_error *err);

/* bulk_play.c: asks the reader for stretches if there is one stream that they suit. */
void wv_bulk_plan(struct pc_wave *wave);
/* Plays stretches until a block is to be handed out (*full), or the next timestamp is to be read
 * alone. */
enum pc_status wv_bulk_play(struct pc_wave *wave, bool *full, struct pc_error *err);

/* Vectors among the taps, for stretches; false: no memory.  Either way to be freed. */
bool wv_vectors_make(struct pc_wave *wave);
void wv_vectors_free(struct pc_wave *wave);
/* Forgets the vectors, as others than wv_take_words() have changed the signals. */
void wv_vectors_forget(struct pc_wave *wave);
/* Takes a value as text: of vectors that are compared, whose words must always be right. */
void wv_take_digits(struct pc_wave *wave, uint32_t code, const char *bits);
/* Takes the words of a vector: what differs takes place from this cycle of the block on. */
void wv_take_words(struct pc_wave *wave, uint32_t vector, const uint64_t *word, uint32_t cycle);

/* compare.c: is it the bit of a comparison? */
static inline bool wv_is_compare(const struct pc_wave *wave, struct pc_wave_bit bit)
{
    return bit.var >= wv_hier_of(wave)->vars && bit.var - wv_hier_of(wave)->vars < wave->compares &&
           bit.bit == 0;
}
/* The vectors are there: finds those of each comparison, and what it is while they are unknown. */
void wv_compares_begin(struct pc_wave *wave);
/* Comparisons of vectors that changed, as signals, from this cycle of the block on. */
void wv_compare_at(struct pc_wave *wave, uint32_t vector, uint32_t cycle);
/* Returns the level of a comparison: bit 0 its value, bit 1 unknown. */
uint8_t wv_compare_level(const struct pc_wave *wave, const struct wv_compare *c);
void wv_compares_free(struct pc_wave *wave);

/* paths.c: hash of the last part of a path, blind to blanks and backslashes. */
uint32_t wv_name_hash(const char *path, size_t length);
uint32_t wv_path_hash(const char *path, size_t length); /* of all of it */
/* Variables that may have this path: the first one + 1, and the next. */
static inline uint32_t wv_first_of_path(const struct pc_wave *wave, const char *path, size_t length)
{
    const size_t heads = wave->name_heads - 1;

    return wave->path_head ? wave->path_head[wv_path_hash(path, length) & heads]
                           : wave->name_head[wv_name_hash(path, length) & heads];
}
static inline uint32_t wv_next_of_path(const struct pc_wave *wave, uint32_t at)
{
    return wave->path_head ? wave->path_next[at - 1] : wave->name_next[at - 1];
}
/* near_names.c: names like `wanted`, if there are some; splits: also of vectors whose bits are
 * declared one by one. */
void wv_hint_near(const struct pc_wave *wave, const char *wanted, bool splits,
                  struct pc_error *err);

/* split_vectors.c: finds the splits; false if there is no memory. */
bool wv_find_split_vectors(struct pc_wave *wave);
void wv_free_split_vectors(struct pc_wave *wave);
/* Returns the first split of a hash. Only where there are splits. */
static inline uint32_t *wv_split_head(const struct pc_wave *wave, const char *base, size_t length)
{
    return &wave->split_head[wv_name_hash(base, length) & (wave->split_heads - 1)];
}

/* period.c: the edges of periodic clocks up to `end`, that one not, become edges of their streams;
 * is there one? */
bool wv_period_edges(struct pc_wave *wave, uint64_t end);
/* Returns the time unit of the stream's edge of that number. */
uint64_t wv_period_time(const struct pc_wave *wave, const struct wv_stream *st, uint64_t edge);
/* Steps: streams with the earliest of the edges that are left, one each, and its time; 0: none. */
uint32_t wv_period_step(struct pc_wave *wave, uint64_t *time);

/* bind.c: has the reader make bits of the variable if it is a real or an event. */
void wv_code_other(struct wv_hier *h, size_t var);
void wv_bind_free(struct pc_wave *wave);

static inline enum wv_level wv_level_of(char bit)
{
    return bit == '0' ? WV_0 : bit == '1' ? WV_1 : WV_X;
}

#endif
