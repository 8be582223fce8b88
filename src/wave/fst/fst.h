/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parts of the FST reader.  An FST file is a row of blocks
 *
 *     u8 type, u64 length (from its own first byte), content
 *
 * of which the reader wants the header, the hierarchy (names), the geometry (widths) and
 * the value change blocks.  Each of the latter covers a span of time:
 *
 *     frame | chains, one a stream | position table: stream -> chain | time table
 *
 * Who does what, in the order in which a file passes through:
 *     cursor.h  bytes, never outside of a range        fastlz.c  FastLZ
 *     unpack.c  zlib, gzip, LZ4; budgets               file.c    blocks, header
 *     hier.c    hierarchy, geometry                    block.c   one value change block
 *     wanted.c  its chains, read and unpacked          frame.c   initial values
 *     chain.c   one stream's chain of changes          stage.c   into a window of time
 *     window.c  chains sorted by time                  next.c    timestamps
 *     fst.c     the reader's interface
 * past the first of these, where the order of all changes does not matter:
 *     spans.c   chains along spans of time           activity.c what a scan tells of them
 *     listen.c  changes, handed over
 * and past the last two, where blocks of samples are wanted (docs/adr/012):
 *     direct.c  blocks in their order                  edges.c   time index -> cycle
 *     flow.c    what can be done next                  times.c   times of the indices
 *     bind.c    which chains, whose bits               track.c   a chain along its cycles
 *     table.c   time tables in chunks
 *     two_state.c   the loops for 0s and 1s, by CPU        planes.c  toggles and levels
 *     two_state_portable.c, two_state_avx2.c: these          packed_clock.c   a clock that is left
 * packed
 *
 * Big-endian throughout but for doubles, which are in the order of the writer's machine.
 */
#ifndef PC_WAVE_FST_H
#define PC_WAVE_FST_H

#define ZLIB_CONST /* zlib takes its input as const */
#include <zlib.h>

#include "wave/fst/cursor.h"
#include "wave/input.h"
#include "wave/reader.h"
#include "wave/team.h"

enum fst_block_type {
    FST_HEADER = 0,
    FST_CHANGES = 1,
    FST_BLACKOUT = 2,
    FST_GEOMETRY = 3,
    FST_HIERARCHY = 4, /* gzip */
    FST_CHANGES_ALIAS = 5,
    FST_HIERARCHY_LZ4 = 6,
    FST_HIERARCHY_LZ4_TWICE = 7,
    FST_CHANGES_ALIAS2 = 8,
    FST_WRAPPER = 254, /* the whole file, by gzip */
    FST_SKIP = 255     /* still being written */
};

struct fst_block {
    uint64_t at;         /* byte of its content, after type and length */
    uint64_t size;       /* of the content */
    uint64_t begin, end; /* times, of value change blocks */
    uint8_t type;
};

enum fst_form {
    FST_BIT,  /* value inside the record's number */
    FST_BITS, /* packed bits, or one character a bit */
    FST_PORT, /* as FST_BITS: state characters, then their strengths (IEEE 1364 port states) */
    FST_REAL, /* as FST_BITS with 8 "bits": the bytes of a double */
    FST_TEXT  /* length and bytes */
};

/* One value stream, by the geometry and its declaration. */
struct fst_stream {
    uint32_t length; /* characters of one value in the frame and in chains; TEXT: 0 */
    uint8_t form;    /* enum fst_form */
    bool event;
};

enum fst_packing { FST_ZLIB, FST_GZIP, FST_LZ4, FST_FASTLZ };

/* Bytes of the file. */
struct fst_span {
    uint64_t at, size;
};

/* A chain as the block stores it, unpacked when it is first asked for. */
struct fst_chain {
    uint64_t at, stored; /* byte and bytes of the file */
    const uint8_t *from; /* these, of a wanted one */
    const uint8_t *data; /* records; NULL until they are read and unpacked */
    size_t size;
    size_t place; /* of a packed one in fst.unpacked */
    size_t group; /* of tracks that unpacks it on the way, + 1; 0: none */
    bool wanted, measured, packed;
    bool later;       /* only its begin is read yet */
    bool early;       /* unpacked before the first time index is looked at */
    bool left_packed; /* not at all: packed_clock.c */
};

/* A record: its number is read, `at` is after that; `next` is its time index. */
struct fst_place {
    const uint8_t *at;
    uint64_t head;
    uint64_t next; /* FST_NEVER: there is no record any more */
};

/* One wanted stream on its way through the chain of the block. */
struct fst_walk {
    struct fst_place now, was; /* was: where it stood when the window was begun */
    const uint8_t *end;
    uint32_t code;
    uint32_t chain;
};
#define FST_NEVER UINT64_MAX

/* The value change block being read. */
struct fst_now {
    size_t block;           /* index into fst.block */
    uint64_t budget;        /* bytes that may still be unpacked */
    struct fst_span frame;  /* as stored */
    uint64_t frame_size;    /* unpacked */
    uint64_t frame_streams; /* how many have a value in it */
    uint64_t streams;       /* that the position table knows */
    enum fst_packing packing;
    struct fst_span chains; /* from the pack type's byte on: position 1 is the byte after it */
    struct fst_cursor position;
    uint64_t times;         /* entries of the time table */
    uint64_t index;         /* the one to be handed out next; times: none */
    uint64_t clock;         /* its time */
    struct fst_cursor time; /* the table, unpacked, after that entry */
    struct fst_cursor packed_time;
    bool time_packed;
};

/* A time table that is unpacked in chunks (table.c). */
struct fst_table {
    struct fst_cursor packed;
    const uint8_t *at; /* of it: not yet unpacked */
    uint64_t size;     /* unpacked */
    bool whole;        /* it is unpacked at once; then it is here, and there are no chunks */
    uint64_t chunks;   /* 0: the table is not on its way, but here */
    uint64_t made;     /* of them, for all to see (under the lock of the team) */
    uint64_t next;     /* the same, of who makes them */
    bool running;      /* somebody makes some: */
    uint64_t batch;    /* ... that many */
    size_t slot;       /* bytes from one to the next */
    enum pc_status next_status;
    enum pc_status status; /* why chunk `made` cannot be had */
    struct pc_error error;
};
#define FST_CHUNK ((size_t)1 << 15) /* the times of a block of samples, if each takes a byte */
#define FST_SLOTS 16

/* A buffer that grows and is used again. */
struct fst_buffer {
    uint8_t *data;
    size_t capacity;
};

/* Changes of time indices begin..end of the block, sorted by index. */
struct fst_window {
    uint64_t begin, end;
    uint32_t span;   /* how many indices to try next time */
    uint32_t *first; /* first[i]: first change of index begin + i; one more than indices */
    size_t first_capacity;
    struct wv_change *change, *staged; /* sorted; as the chains gave them */
    uint32_t *slot;                    /* index - begin of staged[i] */
    size_t changes, change_capacity, staged_capacity, slot_capacity;
    char *bits;
    size_t bits_used, bits_capacity;
    size_t changes_room, bits_room; /* until more has to be made (stage.c) */
};

struct fst_packed_clock;

/* All that belongs to the value change block being read: what fst_load_block() makes. */
struct fst_loaded {
    struct fst_now now;
    struct fst_table table;
    struct fst_chain *chain; /* [0] means "no changes" */
    size_t chains, chain_capacity;
    uint32_t *chain_of; /* one a code */
    size_t chain_of_capacity;
    uint32_t *packed; /* chains to be unpacked */
    size_t packeds, packed_capacity;
    struct fst_walk *walk; /* by code, ascending */
    size_t walks, walk_capacity;
    struct fst_buffer positions, times, stored; /* as the file has them */
    struct fst_buffer time, unpacked;
};

/* Memory for inflating; threads other than the caller's have memory of their own for it. */
struct libdeflate_decompressor;
struct fst_zlib {
    struct pc_alloc alloc; /* of the caller's, which zlib asks for memory */
    z_stream stream;
    bool ready;
    struct libdeflate_decompressor *whole; /* for what is unpacked at once; NULL: zlib does it */
    uint8_t *arena; /* of another thread's: FST_ARENA bytes, handed out once; NULL */
    size_t used;
};
#define FST_WHOLE_TABLE ((uint64_t)16 << 20) /* bytes; a longer one is unpacked on the way */
#define FST_ARENA       ((size_t)96 << 10)   /* zlib takes about 40 KiB */

struct fst_direct;
struct fst_loops;

struct fst {
    struct wv_reader reader; /* first member */
    struct pc_alloc alloc;
    struct wv_input *in;
    const uint8_t *data; /* the file, unwrapped if it was wrapped; NULL: it is read as needed */
    uint64_t size;
    struct fst_buffer unwrapped;
    bool wrapped;
    char version[129], date[120], comment[256];
    uint64_t start, finish; /* times of the header */
    bool finished;          /* the header was completed by the writer */
    bool big_doubles;       /* doubles begin with their sign */

    struct fst_block *block; /* value change blocks, in the order of the file */
    size_t blocks, block_capacity;
    struct fst_block hierarchy, geometry, blackout; /* type FST_SKIP: there is none */
    uint64_t stop;                                  /* where the row of blocks breaks off */
    const char *stop_why;                           /* NULL: at the end of the file */

    struct fst_stream *stream; /* one a code */
    size_t streams, stream_capacity;

    struct wv_team *team;
    struct fst_zlib *zlib; /* one a thread of the team, and the last for time tables on their way */
    unsigned zlibs;
    struct fst_direct *direct;     /* NULL: not in use */
    const struct fst_loops *loops; /* NULL: the best; tests have others */

    uint32_t *wanted; /* codes, ascending */
    size_t wanteds, wanted_capacity;

    struct fst_loaded loaded;
    uint64_t whole_table; /* FST_WHOLE_TABLE; tests have less */
    bool on_the_way;      /* tables are not unpacked as a whole, chains when their turn comes */
    uint32_t early[2];    /* ... but for those of these codes */
    bool clock_alone;     /* the first of them is of one bit, and not shared */
    struct fst_window window;

    struct wv_change *carry; /* a stamp that may go on in the next window or block */
    size_t carried, carry_capacity;
    char *carry_bits;
    size_t carry_bits_used, carry_bits_capacity;
    uint64_t carry_time;
    bool carrying;
    bool initial; /* `carry` has the values before the first stamp, and they are not taken yet */
    bool any_time;
    uint64_t last_time;
};

static inline uint64_t fst_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Reads bytes that the file has (file.c): where they are if it is in memory, else read, into `room`
 * or a buffer that grows.
 */
enum pc_status fst_read(const struct fst *f, uint64_t at, uint64_t size, uint8_t *room,
                        struct fst_cursor *out, struct pc_error *err);
enum pc_status fst_read_buffer(const struct fst *f, struct fst_span span, struct fst_buffer *buffer,
                               struct fst_cursor *out, struct pc_error *err);
void fst_free_buffer(const struct fst *f, struct fst_buffer *buffer);

/* Makes an error at the cursor: byte of the file, and the place in unpacked data where it is
 * that. */
enum pc_status fst_fail(const struct fst_cursor *c, struct pc_error *err, unsigned code,
                        const char *fmt, ...) PC_PRINTF(4, 5);
/* Returns the cursor's fault as an error, PC_OK if it has none. */
enum pc_status fst_check(const struct fst_cursor *c, struct pc_error *err, const char *what);
enum pc_status fst_no_memory(struct pc_error *err, const char *what);

/*
 * Unpacks all that is left of `from` into exactly `size` bytes at `to`.  fst_room() comes
 * first: it holds the declared size against what the packing can reach at all and against
 * the budget, so that nothing is allocated for a size that is only claimed.
 */
enum pc_status fst_room(const struct fst_cursor *from, enum fst_packing packing, uint64_t size,
                        uint64_t *budget, struct pc_error *err, const char *what);
enum pc_status fst_unpack(struct fst_zlib *z, const struct fst_cursor *from,
                          enum fst_packing packing, uint8_t *to, size_t size, struct pc_error *err,
                          const char *what);
/* Both, in the caller's thread, into a buffer; *out is a cursor on the result. */
enum pc_status fst_unpack_buffer(struct fst *f, const struct fst_cursor *from,
                                 enum fst_packing packing, uint64_t size, uint64_t *budget,
                                 struct fst_buffer *buffer, struct fst_cursor *out,
                                 struct pc_error *err, const char *what);
/* Returns the most that a block of `size` bytes may unpack to: max_ratio times as much, 1 MiB
 * always. */
uint64_t fst_budget(const struct fst *f, uint64_t size);
/*
 * Unpacks zlib in parts, after begin (false: no memory): the next `size` bytes from *at on,
 * `before` of them are out, and those that make it `all` are the last.
 */
bool fst_unpack_begin(struct fst_zlib *z);
/* Unpacks all of it at once, quickly; false: it is to be done in parts, which say what is wrong. */
bool fst_unpack_at_once(struct fst_zlib *z, const struct fst_cursor *from, uint8_t *to,
                        size_t size);
enum pc_status fst_unpack_part(struct fst_zlib *z, const struct fst_cursor *from,
                               const uint8_t **at, uint8_t *to, size_t size, uint64_t before,
                               uint64_t all, struct pc_error *err);
/* Before and after all of it; false: no memory. */
bool fst_unpack_open(struct fst *f, unsigned threads);
void fst_unpack_close(struct fst *f);

/* file.c: from the bytes to f->block and the header's fields. */
enum pc_status fst_load_blocks(struct fst *f, struct pc_error *err);

/* enums.c: tables of enumerations by their numbers, as wv_var has them, and the next variable's. */
struct fst_enums {
    uint32_t *table;
    size_t tables, capacity;
    uint32_t next; /* 0: none */
};
enum { FST_ENUM_VALUES = 1 << 20 }; /* of one table; that many are malformed */
/* Takes the attribute with this text, which may be empty, and number. */
enum pc_status fst_take_enum(struct fst *f, struct fst_enums *e, const char *text, uint64_t handle,
                             struct pc_error *err);
void fst_free_enums(struct fst *f, struct fst_enums *e);

/* hier.c: names and streams.  `path` leads to a hierarchy kept in a file beside. */
enum pc_status fst_load_hierarchy(struct fst *f, const struct pc_wave_desc *desc,
                                  struct pc_error *err);

/* block.c: makes block `block` the one being read; gives what its chains are packed by. */
enum pc_status fst_load_block(struct fst *f, size_t block, struct pc_error *err);
enum pc_status fst_block_packing(const struct fst *f, size_t block, enum fst_packing *out,
                                 struct pc_error *err);
void fst_free_loaded(const struct fst *f, struct fst_loaded *loaded);

/* wanted.c: the chains of wanted streams, and its time table if that is packed. */
enum pc_status fst_load_chains(struct fst *f, struct pc_error *err);
/* Returns true if there are chains that it has left packed. */
static inline bool fst_chains_later(const struct fst *f)
{
    return f->on_the_way && f->loaded.now.times > 0;
}
enum pc_status fst_unpack_chain(struct fst *f, unsigned worker, struct fst_chain *chain,
                                struct pc_error *err);
/* packed_clock.c: of the clock's chain, if it can be left packed. */
bool fst_leave_packed(struct fst *f, const struct fst_cursor *packed, uint64_t size);
enum pc_status fst_begin_packed_clock(struct fst *f, struct fst_walk *w, struct pc_error *err);

/* table.c: a time table that is packed, on its way; makes room. */
enum pc_status fst_table_open(struct fst *f, const struct fst_cursor *packed, uint64_t size,
                              struct pc_error *err);
/* By any thread: all of it, if it is to be and can be had at once. */
void fst_table_unpack(struct fst *f);
/* Then that, or its first chunks; sets f->loaded.now.time. */
enum pc_status fst_table_begin(struct fst *f, struct pc_error *err);
/* Returns true if there are less than `want` chunks from `used`, the first that is needed, on, that
 * could be. */
bool fst_table_low(const struct fst *f, uint64_t used, uint64_t want);
/* Makes one batch more, by one thread at a time; then for all to see. */
void fst_table_make(struct fst *f);
void fst_table_made(struct fst *f);
/* After the last time that is read: the rest has to unpack too. */
enum pc_status fst_table_end(struct fst *f, struct pc_error *err);

/* file.c: the double in eight bytes, in the order of the file. */
double fst_double(const struct fst *f, const uint8_t *bytes);

/* frame.c: the values before the first stamp, as changes. */
enum pc_status fst_load_frame(struct fst *f, struct pc_error *err);
enum pc_status fst_carry(struct fst *f, const struct wv_change *change, size_t changes,
                         const char *bits, struct pc_error *err);

/* chain.c */
enum pc_status fst_walk_begin(struct fst *f, struct fst_walk *w, struct pc_error *err);
void fst_write_states(const struct fst_stream *s, uint32_t width, const uint8_t *from, char *to);
#define FST_STATES "01xz" /* the first bits of every window: values of one bit point there */

/* stage.c: what of a chain comes before the window's end, or as much as may be; *full: it is. */
enum pc_status fst_walk_until(struct fst *f, struct fst_walk *w, bool *full, struct pc_error *err);
#define FST_CHANGES_AIM ((size_t)1 << 18) /* a window with more is tried again, narrower */
#define FST_BITS_AIM    ((size_t)1 << 23)

/* window.c: the changes of the time indices from f->loaded.now.index on. */
enum pc_status fst_load_window(struct fst *f, struct pc_error *err);

/* next.c */
enum pc_status fst_next(struct fst *f, struct wv_group *out, struct pc_error *err);
/* Returns the time of the stamp to come. It may be before the last one only if that is
 * tolerated. */
enum pc_status fst_stamp_time(const struct fst *f, uint64_t *time, struct pc_error *err);

/* activity.c: what a scan tells, chain by chain (reader.h, `scan`). */
void fst_activity(struct wv_reader *r, const struct wv_scan *scan);
/* listen.c: changes, chain by chain (reader.h, `listen`). */
bool fst_listen(struct wv_reader *r, const struct wv_listen *l);

/* direct.c: whole blocks, one stream of values after the other (reader.h, `fill`). */
enum pc_status fst_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                        struct pc_error *err);
void fst_stop_direct(struct fst *f); /* until no other thread writes into planes */
void fst_direct_free(struct fst *f);

#endif
