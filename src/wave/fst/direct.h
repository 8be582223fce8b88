/* SPDX-License-Identifier: MIT */
/*
 * The direct path from chains to blocks of samples, without timestamps in between
 * (docs/adr/012).  A bound stream (a clock and its bits) goes through the time table of a block
 * in *pieces*: the chains of its clock and its condition say in which cycle a change at each
 * time index is seen first, and each wanted chain is then walked along for itself, with
 * that list beside it.  Changes are toggles in the bit planes; a pass over the words of a
 * full block makes levels of them.  The pieces, one after the other, and the chains along each are
 * tasks of a flow (team.h): the last chain of a piece is not waited for.  With several threads a
 * bound stream that is the only one has more sets of planes: while the caller looks at a block, the
 * next ones are filled (docs/adr/012).
 *
 * A piece may end anywhere, also within a timestamp.  Streams that sample what was before
 * an edge see a stamp's changes after all of its edges, and these are known only when the
 * next stamp begins: what a piece leaves open is kept as `later`.
 */
#ifndef PC_WAVE_FST_DIRECT_H
#define PC_WAVE_FST_DIRECT_H

#include "base/bytes.h"
#include "kernel/kernel.h"
#include "wave/fst/chain.h"
#include "wave/wave.h"

#define FST_PIECE        ((uint32_t)1 << 16) /* time indices of a piece, at most */
#define FST_SETS         8                   /* of planes of a bound stream, at most */
#define FST_PIECES       (FST_SETS + 1)
#define FST_STRETCH      ((uint32_t)1 << 10) /* times read at once */
#define FST_PACKED_CLOCK 8192u               /* bytes of a chain */
#define FST_SETS_SIZE    ((size_t)1 << 19) /* bytes of planes, where there are more than two sets */

_Static_assert(WV_BLOCK_CYCLES <= UINT16_MAX, "a cycle of a block is a uint16_t");

/* Contents of a plane of the last block, so that most of them need not be touched again. */
enum fst_plane { FST_PLANE_ZERO, FST_PLANE_ONES, FST_PLANE_MIXED, FST_PLANE_TOGGLES };

/*
 * 64 characters of a value, 64 * word and the following, and the signals of their bits.
 * Bit 63 is the first of them.
 */
struct fst_part {
    uint32_t word;
    uint64_t wanted;
    uint64_t value, unknown;             /* in the cycle to come */
    uint64_t later_value, later_unknown; /* after the stamp that is open */
    uint64_t toggled[2];                 /* planes (value, unknown) with toggles in them */
    uint64_t first[2];                   /* all levels at the begin of the block */
    uint32_t signal[64];
};

/* A value stream on its way into the planes of a bound stream. */
struct fst_track {
    struct fst_walk walk;
    size_t part, parts;
    bool any_unknown[FST_SETS]; /* in the block that was filled last */
};

/* Tracks [begin, end): who takes them is busy for a while. */
struct fst_group {
    size_t begin, end;
    uint64_t pieces; /* that they are after */
    bool busy;       /* with the next */
    bool open;       /* its chains are unpacked; if `status` says why not ... */
    size_t bad;      /* ... that of this track was not */
    bool shares;     /* some of them by groups before it */
    unsigned owner;  /* the worker that took it last */
    enum pc_status status;
    struct pc_error error;
};

/* The clock of a bound stream, or its condition. */
struct fst_role {
    struct fst_walk walk;
    struct fst_cursor c;
    uint32_t code, character;              /* which character of the value */
    struct fst_packed_clock *packed_clock; /* what c is on, NULL: the chain */
    enum wv_level level;
};

/* A clock's chain that repeats its last two bytes (packed_clock.c). */
struct fst_packed_clock {
    uint8_t data[FST_PACKED_CLOCK]; /* its begin, which from `from` on is such */
    uint64_t size, from;
    uint64_t again; /* how many bytes of the chain are still to come */
};

struct fst_times {
    struct fst_cursor c; /* of the table */
    uint64_t chunk;      /* that it is in (table.c) */
    uint64_t clock;      /* the last one read */
    uint64_t begin, end; /* indices of those in time[] */
    bool distinct;       /* each is later than the one before it */
    uint64_t made;       /* chunks that there were when the piece was begun */
    bool broken;         /* ... and no more of them */
    /* If all entries are a byte: where they are, the time before them; sums of 8, 16, ... */
    const uint8_t *delta; /* NULL: time[] has them */
    uint64_t base;
    uint32_t step; /* all entries are this, and there are no sums; 0: they are not */
    uint32_t sum[FST_STRETCH / 8];
    uint64_t time[FST_STRETCH];
};

/* Returns the number at `at` if it has a byte or two and is even: how many; else 0. */
static inline unsigned fst_short_number(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    if (at == end || *at & 1)
        return 0;
    *number = *at & 0x7f;
    if (*at < 0x80)
        return 1;
    if (end - at < 2 || at[1] & 0x80)
        return 0;
    *number |= (uint64_t)at[1] << 7;
    return 2;
}

/* Returns the sum of eight bytes. */
static inline uint32_t fst_sum_8(uint64_t x)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);

    return (uint32_t)(((x & even) + (x >> 8 & even)) * UINT64_C(0x0001000100010001) >> 48);
}

/* Returns the time of an index that is read. */
static inline uint64_t fst_time_at(const struct fst_times *t, uint64_t index)
{
    const size_t i = (size_t)(index - t->begin);

    if (!t->delta)
        return t->time[i];
    if (t->step)
        return t->base + (i + 1) * t->step;
    return t->base + t->sum[i / 8] +
           fst_sum_8(pc_load_low_first(t->delta + i / 8 * 8) << (56 - 8 * (i % 8)));
}

struct fst_piece {
    uint64_t begin, end; /* time indices */
    uint64_t sure;       /* those from here on belong to the stamp that is open */
    bool later_known;    /* the stamp that was open is over; its changes are seen from ... */
    uint32_t later_at;   /* ... this cycle on */
    uint32_t from, to;   /* cycles of the block that were sampled in it */
    uint64_t first_time, last_time;
    struct pc_wave_totals stamps; /* EVERY: those that are over in it */
    /*
     * By time index - begin, the first cycle to see a change there.  If the clock changes at every
     * index, no list of them is needed: (time index - begin + bias) / 2.
     */
    bool regular;
    uint32_t bias;
    uint32_t told; /* of how many that is known so far */
    uint16_t *cycle;
    uint64_t *time;        /* by cycle of the block, if somebody asks for them; or NULL */
    enum pc_status status; /* of making it */
    struct pc_error error;

    uint64_t block; /* of samples, that its cycles are in */
    size_t ended;   /* groups of tracks */
    size_t failed;  /* the first group that did, SIZE_MAX: none */
    enum pc_status walk_status;
    struct pc_error walk_error;
};

/* Returns the cycle of time index begin + offset. */
static inline uint32_t fst_cycle_at(const struct fst_piece *p, uint64_t offset)
{
    return p->regular ? (uint32_t)(offset + p->bias) / 2 : p->cycle[offset];
}

/* Planes of all signals of a bound stream. */
struct fst_planes {
    const struct pc_kernel *kernel;
    const struct fst_loops *loops;
    uint64_t *word;
    const uint64_t **value, **unknown; /* where those of a signal begin */
    uint8_t *has; /* enum fst_plane, value and unknown of each signal in turn */
};

#define FST_ROWS 4096 /* cycles whose changes are turned into planes at once */

/* Changes by cycle, of a thread: all 0 between walks.  Its neighbour is in other cache lines. */
struct fst_rows {
    uint8_t byte[FST_ROWS];
    uint64_t word[64];
    uint64_t apart[16];
};

/* Two signals of a bound stream that are the same bit. */
struct fst_twin {
    uint32_t from, to;
};

struct fst_bound_stream {
    struct wv_stream *stream;
    struct fst *f;
    struct fst_role clock, iff;
    struct fst_track *track;
    size_t tracks, track_capacity;
    struct fst_part *part;
    size_t parts, part_capacity;
    struct fst_twin *twin;
    size_t twins, twin_capacity;
    struct fst_group *group;
    size_t groups;
    struct fst_planes planes[FST_SETS]; /* block n goes into n % sets */
    unsigned sets;
    void *more; /* memory of the other sets' words and pointers */
    size_t signals, more_size;
    uint8_t *still; /* enum pc_wave_still of each, in the block that is handed out */
    uint16_t *cycle_memory;
    uint64_t *time_memory;

    struct fst_times times;
    struct fst_piece piece[FST_PIECES]; /* n is in n % pieces */
    unsigned pieces;
    bool flowing;   /* its tasks are the team's */
    uint64_t given; /* blocks of samples */

    /* of the file's block; what follows, and that of tables, groups and pieces, under the lock */
    uint64_t made, ended;  /* pieces that are made; that are done */
    uint64_t fails;        /* the first piece that a group failed in, UINT64_MAX: none */
    size_t opened;         /* groups that are open, as all before them are */
    uint64_t used;         /* the chunk of the table that the piece to come begins in */
    uint64_t back;         /* blocks of samples that the caller is done with */
    bool making, complete; /* a piece is being made; there is none to come */

    /* of who makes pieces */
    uint64_t block;  /* of samples */
    uint64_t index;  /* where the next one to be prepared begins */
    uint32_t cycles; /* of the block, when that begins */
    uint64_t edges;  /* of the open stamp, not yet sampled */
    uint64_t stamp;  /* its time */
    bool open, gate; /* there is one; its edges count */
    bool over;       /* nothing is left of the file's block */
    bool full;       /* a block of samples is ready */
    bool last;       /* the last block of the file has been read */
    bool every;      /* there is no clock: each stamp is an edge */
    bool untold;     /* ... and the open one is not in the totals yet */
};

struct fst_direct {
    struct pc_wave *wave;
    struct fst_bound_stream *bound;
    unsigned bounds, allocated;
    struct fst_rows *rows; /* one a thread of the team */
    unsigned workers;
    bool ended;                           /* the last block of the file is done */
    struct fst_packed_clock packed_clock; /* of the block's clock, if that has it */
};

/* packed_clock.c: is an LZ4 chain such?  Not all that are. */
bool fst_packed_clock_find(struct fst_packed_clock *t, const struct fst_cursor *packed,
                           uint64_t size);
/* Moves the cursor back to bytes that were read, if there are more like them. */
void fst_packed_clock_back(struct fst_packed_clock *t, struct fst_cursor *c);
/* Returns a cursor on the bytes that are kept, where the walk stands. */
struct fst_cursor fst_packed_clock_cursor(const struct fst *f, const struct fst_walk *w);
/* Sees to it that there are some before the cursor. */
static inline void fst_packed_clock_more(struct fst_packed_clock *t, struct fst_cursor *c)
{
    if (t->again > 0 && fst_left(c) < 2 * FST_STRETCH)
        fst_packed_clock_back(t, c);
}

/*
 * flow.c: until piece l->ended is made and all tracks are past it, or it cannot be; the team
 * goes on with those after it as far as it can, until fst_flow_end().
 */
void fst_flow_piece(struct fst_bound_stream *l);
void fst_flow_end(struct fst_bound_stream *l);
/* Adds a piece that was made. */
void fst_flow_add(struct fst_bound_stream *l);
/* Tracks into groups, for `threads`. */
void fst_flow_groups(struct fst_bound_stream *l, unsigned threads);

/* bind.c: bound streams, tracks and parts of the streams of `wave`. */
enum pc_status fst_bind(struct fst *f, struct pc_wave *wave, struct pc_error *err);
/* Binds the initial values that the frame has left to carry over. */
void fst_bind_frame(struct fst *f);
/* Sets every walk to the begin of its chain in the block that was loaded. */
void fst_bind_block(struct fst *f);

/*
 * table.c: sees to it that the cursor has a whole number before it, if the table has.  LATER:
 * when more of it is unpacked; BROKEN: that cannot be, see f->loaded.table.
 */
enum fst_more { FST_HERE, FST_LATER, FST_BROKEN };
enum fst_more fst_table_more(const struct fst *f, struct fst_times *times);

/* times.c: the next entries of the table. */
enum pc_status fst_times_read(const struct fst *f, struct fst_bound_stream *l,
                              struct pc_error *err);

/* edges.c: the next piece of the block, its status included. */
void fst_make_piece(const struct fst *f, struct fst_bound_stream *l, struct fst_piece *p);
/* Makes a piece after the last block: the edges that were not sampled yet. */
void fst_make_last_piece(struct fst_bound_stream *l, struct fst_piece *p);

/* planes.c: the plane of a signal's values (2 * signal), or of its unknowns (+ 1). */
static inline uint64_t *fst_plane_of(const struct fst_planes *s, size_t plane)
{
    return s->word + plane * WV_PLANE_WORDS;
}
/* Prepares the first toggle of a block in the planes of these bits; which: 0 values, 1 unknowns. */
void fst_begin_toggles(struct fst_planes *s, struct fst_part *p, unsigned which, uint64_t bits);
/* Sets a value from the cycle on. */
void fst_set_part(struct fst_planes *s, struct fst_part *p, uint64_t value, uint64_t unknown,
                  uint32_t cycle);
/*
 * Writes changes of the 64 cycles of a word into the planes of values: row[r] has the bits that
 * differ from cycle r on; all are 0 afterwards. used: which are not 0; any: all of them or-ed, but
 * for bits that are not wanted.
 */
void fst_write_word(struct fst_planes *s, struct fst_part *p, uint64_t row[64], uint64_t used,
                    uint64_t any, size_t word);
/*
 * Places values that are a byte, bits 63 to 56 of the part, in FST_ROWS cycles from those of
 * a word on; used != 0: which words of rows may have toggles, others are 0.  Bits that are
 * not wanted may be anything.
 */
void fst_write_bytes(struct fst_planes *s, struct fst_part *p, uint8_t row[FST_ROWS], uint64_t used,
                     size_t word);
/* Toggles to levels, in a block of `cycles`. */
void fst_track_finish(struct fst_bound_stream *l, struct fst_track *t, unsigned set,
                      uint32_t cycles);

/* track.c: a chain along the piece, and to the end of the block if that is full. */
enum pc_status fst_track_run(const struct fst *f, struct fst_bound_stream *l, struct fst_track *t,
                             const struct fst_piece *p, struct fst_rows *rows,
                             struct pc_error *err);

/* A walk: what its loops have in hand. */
struct fst_along {
    const struct fst *f;
    struct fst_planes *planes;
    struct fst_track *t;
    struct fst_part *part; /* of a value of several bits; each walks for itself */
    const struct fst_piece *piece;
    struct fst_rows *rows;
};

/*
 * The loops that take the time, with the instructions of some CPUs; all do the same.  Records are
 * of 0s and 1s, from *now on, which is one.  It is then the last of them, with `at` after its
 * value.
 */
struct fst_loops {
    const char *name;
    bool (*usable)(void); /* has this CPU the instructions? */
    void (*bit)(const struct fst_along *a, struct fst_place *now);
    /* Walks values of 2 to 8 bits, whose chain has the value in it. */
    void (*bytes)(const struct fst_along *a, struct fst_place *now);
    /* Walks longer values, `bytes` each, whose chain has the value in it and 8 bytes after that. */
    void (*packed)(const struct fst_along *a, struct fst_place *now, size_t bytes);
    /* Columns `any` of the rows, toggles of 64 cycles, into planes that have some already. */
    void (*columns)(const struct fst_planes *s, const struct fst_part *p, const uint64_t row[64],
                    uint64_t any, size_t word);
};

/* two_state.c: all of this build, slowest first, NULL past the end; the best for this CPU. */
const struct fst_loops *fst_loops_at(size_t i);
const struct fst_loops *fst_loops_best(void);
extern const struct fst_loops fst_loops_portable; /* two_state_portable.c */
#if defined(__x86_64__)
extern const struct fst_loops fst_loops_avx2; /* two_state_avx2.c */
#endif
/* planes.c: `columns` of the portable ones. */
void fst_write_columns(const struct fst_planes *s, const struct fst_part *p, const uint64_t row[64],
                       uint64_t any, size_t word);

#endif
