/* SPDX-License-Identifier: MIT */
/*
 * A waveform read in the three ways of the interface: blocks, instants, totals.  What must
 * hold for any bytes: planes are clean past their cycles, unknown bits have value 0, blocks
 * of a stream follow one another, and instants see as many edges as blocks do.  Without a
 * stream of every timestamp readers have a shorter way to their blocks, with one thread or
 * more: the same blocks; and totals have one, with the same result.
 */
#include "fuzz.h"

#include <string.h>

#include "wave/vcd/vcd.h"
#include "wave/wave.h"

#define MAX_BITS    32
#define STREAMS     3
#define MAX_READS   20000 /* blocks or instants of one file */
#define MEMORY_MAX  ((size_t)256 << 20)
#define NAMES_TRIED 16
#define PIECE       100 /* bytes of a VCD */

struct session {
    struct fuzz_heap heap;
    struct pc_alloc alloc;
    struct pc_wave *wave;
    size_t bits;
    struct pc_wave_bit bit[MAX_BITS];
    bool has_scalar;
    struct pc_wave_bit scalar; /* the first variable of one bit */
};

static bool open_file(struct session *s, const char *path, bool tolerate, unsigned threads)
{
    struct pc_wave_desc desc = {
        .path = path,
        .threads = threads,
        .alloc = &s->alloc,
        .limits = { .max_vars = 100000, .max_names_total = 1 << 24, .max_width = 65536 },
        .tolerate_time_backwards = tolerate,
    };
    struct pc_error err = { 0 };

    *s = (struct session){ .heap.limit = MEMORY_MAX };
    s->alloc = fuzz_alloc(&s->heap);
    enum pc_status status = pc_wave_open(&desc, &s->wave, &err);
    FUZZ_CHECK((status == PC_OK) == (s->wave != NULL));
    FUZZ_CHECK(status != PC_ENOMEM);
    fuzz_check_error(status, &err);
    if (status)
        fuzz_all_returned(&s->heap);
    return status == PC_OK;
}

static void close_file(struct session *s)
{
    pc_wave_close(s->wave);
    fuzz_all_returned(&s->heap);
}

static void choose_bits(struct session *s)
{
    struct pc_wave_var v;

    for (size_t i = 0; pc_wave_get_var(s->wave, i, &v) == PC_OK && s->bits < MAX_BITS; i++) {
        if (v.kind != PC_VAR_BITS)
            continue;
        if (v.width == 1 && !s->has_scalar) {
            s->scalar = (struct pc_wave_bit){ .var = i };
            s->has_scalar = true;
        }
        for (uint32_t k = 0; k < v.width && k < 8 && s->bits < MAX_BITS; k++) {
            uint32_t bit = k < 4 ? k : v.width - 1 - (k - 4); /* some at each end */
            if (bit < v.width)
                s->bit[s->bits++] = (struct pc_wave_bit){ i, bit };
        }
    }
}

/* Every timestamp; rising edges; falling edges while the scalar itself is 1, sampled after. */
static unsigned bind_streams(struct session *s, unsigned first)
{
    struct pc_wave_clock clock[STREAMS] = {
        { .edge = PC_EDGE_EVERY },
        { .edge = PC_EDGE_POS, .clock = s->scalar },
        { .edge = PC_EDGE_NEG,
          .clock = s->scalar,
          .has_iff = true,
          .iff = s->scalar,
          .post_edge = true },
    };
    unsigned count = s->has_scalar ? STREAMS : 1;

    for (unsigned i = first; i < count; i++) {
        struct pc_error err = { 0 };
        unsigned stream = 99;
        enum pc_status status = pc_wave_bind(s->wave, &clock[i], s->bit, s->bits, &stream, &err);
        fuzz_check_error(status, &err);
        FUZZ_CHECK(status == PC_OK && stream == i - first);
    }
    return count - first;
}

/* What blocks were of a stream. */
struct blocks {
    uint64_t cycles, hash;
};

static void check_block(const struct session *s, const struct pc_wave_block *b, struct blocks *seen)
{
    FUZZ_CHECK(b->cycles > 0 && b->cycles <= 64 * PC_BLOCK_WORDS);
    FUZZ_CHECK(b->first_time <= b->last_time);
    FUZZ_CHECK(b->first_cycle == seen->cycles);
    seen->cycles += b->cycles;
    for (size_t i = 0; i < s->bits; i++) {
        for (uint32_t w = 0; w < (b->cycles + 63) / 64; w++) {
            uint32_t left = b->cycles - 64 * w;
            uint64_t past = left < 64 ? ~((UINT64_C(1) << left) - 1) : 0;
            FUZZ_CHECK((b->value[i][w] & b->unknown[i][w]) == 0);
            FUZZ_CHECK(((b->value[i][w] | b->unknown[i][w]) & past) == 0);
            FUZZ_CHECK(b->any_unknown || b->unknown[i][w] == 0);
            seen->hash = (seen->hash ^ b->value[i][w]) * UINT64_C(0x9e3779b97f4a7c15);
            seen->hash = (seen->hash ^ b->unknown[i][w]) * UINT64_C(0x9e3779b97f4a7c15);
        }
    }
}

/* Streams from `first` on; whether the file was read to its end. */
static bool read_blocks(const char *path, unsigned first, unsigned threads,
                        struct blocks seen[STREAMS])
{
    struct session s;
    struct pc_wave_block b;
    struct pc_error err = { 0 };
    enum pc_status status = PC_OK;

    if (!open_file(&s, path, false, threads))
        return false;
    choose_bits(&s);
    unsigned streams = s.has_scalar || first == 0 ? bind_streams(&s, first) : 0;
    for (unsigned n = 0; streams > 0 && n < MAX_READS; n++) {
        status = pc_wave_next(s.wave, &b, &err);
        fuzz_check_error(status, &err);
        if (status)
            break;
        FUZZ_CHECK(b.stream < streams);
        check_block(&s, &b, &seen[first + b.stream]);
    }
    FUZZ_CHECK(status != PC_ENOMEM);
    close_file(&s);
    return status == PC_END;
}

static bool read_instants(const char *path, uint64_t cycles[STREAMS])
{
    struct session s;
    struct pc_wave_instant at;
    struct pc_error err = { 0 };
    enum pc_status status = PC_OK;
    uint64_t before = 0;

    if (!open_file(&s, path, false, 1))
        return false;
    fuzz_taken++;
    choose_bits(&s);
    unsigned streams = bind_streams(&s, 0);
    for (unsigned n = 0; n < MAX_READS; n++) {
        status = pc_wave_step(s.wave, &at, &err);
        fuzz_check_error(status, &err);
        if (status)
            break;
        FUZZ_CHECK(at.streams != 0 && at.streams >> streams == 0);
        FUZZ_CHECK(at.time >= before);
        before = at.time;
        for (unsigned i = 0; i < streams; i++)
            cycles[i] += at.streams >> i & 1;
        for (size_t w = 0; w < (s.bits + 63) / 64; w++)
            for (unsigned i = 0; i < streams; i++)
                if (at.streams >> i & 1)
                    FUZZ_CHECK((at.value[i][w] & at.unknown[i][w]) == 0);
    }
    close_file(&s);
    return status == PC_END;
}

/* The full name of a variable finds it, one of the same name, or several. */
static void look_up_names(const struct pc_wave *wave)
{
    struct pc_wave_var v, found;
    struct pc_error err = { 0 };
    uint32_t hi, lo;
    size_t at;

    for (size_t i = 0; i < NAMES_TRIED && pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        FUZZ_CHECK(strlen(v.range) < 64 && v.type != NULL);
        enum pc_status status = pc_wave_find(wave, v.name, &at, &hi, &lo, &err);
        fuzz_check_error(status, &err);
        FUZZ_CHECK(status == PC_OK || status == PC_EAMBIG);
        if (status)
            continue;
        FUZZ_CHECK(pc_wave_get_var(wave, at, &found) == PC_OK);
        FUZZ_CHECK(found.code == v.code && lo <= hi);
    }
}

/* Vectors of single bits do not overlap; the full name of one finds it, or there are several. */
static void look_up_vectors(const struct pc_wave *wave, size_t vars)
{
    struct pc_wave_bit bit;
    struct pc_wave_var v, left;
    struct pc_error err = { 0 };
    size_t first, count, end = 0;

    for (size_t i = 0; pc_wave_get_vector(wave, i, &v, &first) == PC_OK; i++) {
        FUZZ_CHECK(first >= end && v.width > 1 && v.width <= vars - first);
        end = first + v.width;
        FUZZ_CHECK(pc_wave_get_var(wave, first, &left) == PC_OK && left.code == v.code);
        FUZZ_CHECK(v.kind == PC_VAR_BITS && strncmp(left.name, v.name, strlen(v.name)) == 0);
        if (i >= NAMES_TRIED)
            continue;
        enum pc_status status = pc_wave_find_bits(wave, v.name, &bit, 1, &count, &err);
        fuzz_check_error(status, &err);
        FUZZ_CHECK(status == PC_OK || status == PC_EAMBIG);
    }
}

enum { ROWS = 256 };

struct told {
    enum pc_status status;
    unsigned code;
    struct pc_wave_totals totals;
    struct pc_var_activity row[ROWS];
};

/* short_way: pieces and chains by threads, if the format has that; false: stamp by stamp. */
static void scan(const char *path, bool short_way, struct told *t)
{
    struct wv_reader_ops ops;
    struct pc_wave_info info;
    struct session s;
    struct pc_error err = { 0 };

    *t = (struct told){ 0 };
    if (!open_file(&s, path, true, short_way ? 3 : 1))
        return;
    pc_wave_get_info(s.wave, &info);
    FUZZ_CHECK(info.codes <= info.vars);
    for (size_t i = 0; i < info.warnings && i < 8; i++)
        FUZZ_CHECK(pc_wave_warning(s.wave, i) != NULL);
    look_up_names(s.wave);
    look_up_vectors(s.wave, info.vars);
    ops = *s.wave->reader->ops;
    ops.scan = short_way ? ops.scan : NULL;
    s.wave->reader->ops = &ops;
    if (short_way && (info.format == PC_WAVE_VCD || info.format == PC_WAVE_EVCD))
        ((struct vcd *)s.wave->reader)->part = PIECE;
    t->status = pc_wave_scan(s.wave, &t->totals, info.codes <= ROWS ? t->row : NULL, &err);
    t->code = err.code;
    fuzz_check_error(t->status, &err);
    FUZZ_CHECK(t->status != PC_ENOMEM);
    if (t->status == PC_OK && t->totals.has_time) {
        FUZZ_CHECK(t->totals.time_first <= t->totals.time_last);
        FUZZ_CHECK(t->totals.time_stamps > 0);
    }
    close_file(&s);
}

/* Both ways tell the same; of an FST the short one has no limit of changes at a time (718). */
static void scans(const char *path)
{
    static struct told stamps, pieces;

    scan(path, false, &stamps);
    scan(path, true, &pieces);
    if (stamps.code == 718)
        return;
    FUZZ_CHECK(stamps.status == pieces.status && stamps.code == pieces.code);
    FUZZ_CHECK(memcmp(&stamps.totals, &pieces.totals, sizeof stamps.totals) == 0);
    FUZZ_CHECK(memcmp(stamps.row, pieces.row, sizeof stamps.row) == 0);
}

void fuzz_wave_file(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct blocks every[STREAMS] = { 0 }, one[STREAMS] = { 0 }, three[STREAMS] = { 0 };
    struct blocks every_three[STREAMS] = { 0 };
    uint64_t instants[STREAMS] = { 0 };
    const bool ended = read_blocks(path, 0, 1, every);
    const bool one_ended = read_blocks(path, 1, 1, one);

    FUZZ_CHECK(read_blocks(path, 1, 3, three) == one_ended);
    FUZZ_CHECK(memcmp(one, three, sizeof one) == 0);
    FUZZ_CHECK(read_blocks(path, 0, 3, every_three) == ended);
    FUZZ_CHECK(memcmp(every, every_three, sizeof every) == 0);
    if (ended && one_ended)
        FUZZ_CHECK(memcmp(every + 1, one + 1, (STREAMS - 1) * sizeof one[0]) == 0);
    if (read_instants(path, instants) && ended)
        for (unsigned i = 0; i < STREAMS; i++)
            FUZZ_CHECK(instants[i] == every[i].cycles);
    scans(path);
}
