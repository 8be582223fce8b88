/* SPDX-License-Identifier: MIT */
/*
 * The clock of a bound stream: for each time index of a piece, the first cycle that sees a change
 * there.  A timestamp is taken in this order (play.c does the same, stamp by stamp): the
 * edges are counted from the clock's own records, a glitch inside the stamp included; the
 * condition holds for all of them or for none, and is its value before the stamp, or with
 * post_edge the one after it.  Indices of the same time are one stamp.  Where every stamp is an
 * edge, there is no clock, and values are those of the stamp.
 */
#include "wave/fst/direct.h"

/* ---- the clock and the condition ---- */

/* Takes the level of the record that the role stands at, and goes on to the next one. */
static bool take_role(const struct fst *f, struct fst_role *r, enum wv_level *level)
{
    const struct fst_stream *s = &f->stream[r->walk.code];
    const uint64_t head = r->walk.now.head, index = r->walk.now.next;
    const bool single = s->form == FST_BIT;

    if (single) {
        uint8_t state = fst_state_of_head(head);
        *level = state > WV_1 ? WV_X : (enum wv_level)state;
    } else if (head & 1) {
        const uint8_t *from = fst_take(&r->c, s->length);
        if (!from)
            return false;
        *level = wv_level_of(fst_state_of(s, from[r->character]));
    } else {
        const uint8_t *from = fst_take(&r->c, (s->length + (uint64_t)7) / 8);
        if (!from)
            return false;
        *level = from[r->character >> 3] >> (7 - (r->character & 7)) & 1 ? WV_1 : WV_0;
    }
    if (r->packed_clock)
        fst_packed_clock_more(r->packed_clock, &r->c);
    return fst_read_head(&r->c, single, f->loaded.now.times, index, &r->walk.now);
}

/* Takes edges that the clock has at an index. */
static bool take_clock(const struct fst *f, struct fst_bound_stream *l, uint64_t index,
                       uint64_t *edges)
{
    const bool rising = l->stream->clock.edge == PC_EDGE_POS;
    struct fst_role *r = &l->clock;
    enum wv_level level;

    while (r->walk.now.next == index) {
        if (!take_role(f, r, &level))
            return false;
        *edges += r->level == (rising ? WV_0 : WV_1) && level == (rising ? WV_1 : WV_0);
        r->level = level;
    }
    return true;
}

static bool take_iff(const struct fst *f, struct fst_bound_stream *l, uint64_t index)
{
    struct fst_role *r = &l->iff;

    while (r->walk.now.next == index)
        if (!take_role(f, r, &r->level))
            return false;
    return true;
}

static enum pc_status bad_role(const struct fst *f, const struct fst_role *r, uint64_t index,
                               struct pc_error *err)
{
    return fst_bad_record(f, &r->walk, &r->c, index, err);
}

static bool is_open(const struct fst_bound_stream *l)
{
    const struct pc_wave_clock *c = &l->stream->clock;

    return !c->has_iff || l->iff.level == (c->iff_low ? WV_0 : WV_1);
}

/* Samples the edges of the open stamp, as far as the block has room. */
static void sample(struct fst_bound_stream *l, struct fst_piece *p)
{
    uint32_t room = WV_BLOCK_CYCLES - l->cycles;
    uint32_t n = l->edges < room ? (uint32_t)l->edges : room;

    if (n == 0)
        return;
    if (l->cycles == 0)
        p->first_time = l->stamp;
    p->last_time = l->stamp;
    for (uint32_t i = 0; p->time && i < n; i++)
        p->time[l->cycles + i] = l->stamp;
    l->cycles += n;
    l->edges -= n;
}

/* ---- pieces ---- */

/* A time index; what the loop over them keeps. */
struct run {
    struct fst_bound_stream *l;
    struct fst_piece *p;
    uint64_t at;   /* the index */
    uint64_t mine; /* the first index of the open stamp in this piece */
};

/* From here on there is a list. */
static void make_list(struct fst_piece *p)
{
    for (uint32_t i = 0; p->regular && i < p->told; i++)
        p->cycle[i] = (uint16_t)((i + p->bias) / 2);
    p->regular = false;
}

/* The first two say where a clock that changes at every index would stand. */
static bool is_regular(struct fst_piece *p, uint32_t offset, uint32_t cycle)
{
    if (offset == 0 && p->told == 0)
        p->bias = 2 * cycle;
    else if (offset == 1 && p->told == 1)
        p->bias += cycle > p->bias / 2;
    return offset <= p->told && (offset + p->bias) / 2 == cycle;
}

static inline void set_cycle(struct fst_piece *p, uint64_t index, uint32_t cycle)
{
    const uint32_t offset = (uint32_t)(index - p->begin);

    if (p->regular && !is_regular(p, offset, cycle))
        make_list(p);
    if (!p->regular)
        p->cycle[offset] = (uint16_t)cycle;
    else if (p->told == offset)
        p->told = offset + 1;
}

static void set_cycles(struct fst_piece *p, uint64_t from, uint64_t to, uint32_t cycle)
{
    for (uint64_t i = from; i < to; i++)
        set_cycle(p, i, cycle);
}

/* Begins a stamp, which may be an edge by itself. */
static void open_edge(struct fst_bound_stream *l)
{
    l->edges += l->every;
    l->untold = l->every;
}

/* Ends a stamp, whose values are then known. */
static void take_over(struct fst_bound_stream *l, struct fst_piece *p)
{
    if (l->untold)
        wv_take_times(&p->stamps, &(struct wv_group){ .time = l->stamp });
    l->untold = false;
    if (!is_open(l))
        l->edges = 0;
}

/*
 * Begins a stamp at the index: the one before it is over. false if that filled the block, and the
 * index is still to come.
 */
static bool begin_stamp(struct run *r, uint64_t time)
{
    struct fst_bound_stream *l = r->l;
    struct fst_piece *p = r->p;

    if (l->stream->own_values) {
        take_over(l, p);
        if (l->edges > 0) {
            sample(l, p);
            if (l->cycles == WV_BLOCK_CYCLES)
                return false;
        }
    } else {
        set_cycles(p, r->mine, r->at, l->cycles);
        if (!p->later_known)
            p->later_at = l->cycles;
        p->later_known = true;
        l->gate = is_open(l);
    }
    r->mine = r->at;
    l->stamp = time;
    open_edge(l);
    return true;
}

static enum pc_status take_index(const struct fst *f, struct run *r, struct pc_error *err)
{
    struct fst_bound_stream *l = r->l;

    if (!take_clock(f, l, r->at, &l->edges))
        return bad_role(f, &l->clock, r->at, err);
    if (l->stream->clock.has_iff && !take_iff(f, l, r->at))
        return bad_role(f, &l->iff, r->at, err);
    if (!l->stream->own_values && l->edges > 0) {
        if (!l->gate)
            l->edges = 0;
        sample(l, r->p);
    }
    return PC_OK;
}

/*
 * Walks what nearly all files have: no condition, a clock of one bit or none, every index a stamp
 * of its own.  The stamp of the index before r->at is open, and what was left open before it known.
 */
static bool is_plain(const struct fst *f, const struct run *r)
{
    const struct fst_bound_stream *l = r->l;

    return l->open && r->p->later_known && l->times.distinct && r->at > l->times.begin &&
           !l->stream->clock.has_iff && (l->every || f->stream[l->clock.code].form == FST_BIT);
}

/* Counts how many times in a row the 8 bytes are there, of at most that many. */
static uint32_t count_eights(const uint8_t *at, uint64_t pattern, uint32_t most)
{
    uint32_t n = 0;

    if (most > 1 && pc_load_low_first(at) == pattern &&
        memcmp(at, at + 8, 8 * ((size_t)most - 1)) == 0)
        return most;
    while (n < most && pc_load_low_first(at + 8 * (size_t)n) == pattern)
        n++;
    return n;
}

/*
 * Takes a clock that changes at every index, written as two bytes in turn. The record at index `at`
 * is an edge; eight of them at a time, before `end` and before the block is full.
 */
static uint64_t take_regular(struct fst_bound_stream *l, struct fst_piece *p, uint64_t at,
                             uint64_t end)
{
    static const uint8_t rising[8] = { 4, 6, 4, 6, 4, 6, 4, 6 },
                         falling[8] = { 6, 4, 6, 4, 6, 4, 6, 4 };
    const bool pos = l->stream->clock.edge == PC_EDGE_POS;
    const uint64_t pattern = pc_load_low_first(pos ? rising : falling);
    const uint32_t late = l->stream->own_values ? 1 : 2;
    struct fst_role *r = &l->clock;
    const uint32_t offset = (uint32_t)(at - p->begin);
    uint32_t cycles = l->cycles, n = 0;

    if (p->regular && p->told < 2)
        return 0; /* it is not yet known how */
    if (cycles == 0 || r->level != (pos ? WV_0 : WV_1) || (r->walk.now.head & 3) != (pos ? 2 : 0))
        return 0;
    if (p->regular && (!is_regular(p, offset, cycles + late / 2) ||
                       (offset + 1 + p->bias) / 2 != cycles + (1 + late) / 2))
        make_list(p);
    if (r->packed_clock)
        fst_packed_clock_more(r->packed_clock, &r->c);
    const uint64_t most = fst_least(fst_least((end - at - 1) / 8, fst_left(&r->c) / 8),
                                    (WV_BLOCK_CYCLES - cycles - 1) / 4);
    n = 8 * count_eights(r->c.at, pattern, (uint32_t)most);
    for (uint32_t i = 0; i < n && !p->regular; i++)
        p->cycle[offset + i] = (uint16_t)(cycles + (i + late) / 2);
    for (uint32_t i = 0; p->time && i < n / 2; i++)
        p->time[cycles + i] = fst_time_at(&l->times, at + 2 * (uint64_t)i);
    cycles += n / 2;
    r->c.at += n;
    if (n == 0)
        return 0;
    l->cycles = cycles;
    p->told += p->regular ? n : 0;
    p->last_time = fst_time_at(&l->times, at + n - 2);
    r->walk.now = (struct fst_place){ r->c.at, *(r->c.at - 1), at + n };
    return n;
}

static enum pc_status take_plain(const struct fst *f, struct run *r, uint64_t end,
                                 struct pc_error *err)
{
    struct fst_bound_stream *l = r->l;
    struct fst_piece *p = r->p;
    const bool own = l->stream->own_values;

    if (!own)
        set_cycles(p, r->mine, r->at, l->cycles);
    while (r->at < end && l->cycles < WV_BLOCK_CYCLES) {
        if (own && l->edges > 0) {
            l->stamp = fst_time_at(&l->times, r->at - 1);
            sample(l, p);
            if (l->cycles == WV_BLOCK_CYCLES)
                break;
        }
        const uint64_t next = l->clock.walk.now.next < end ? l->clock.walk.now.next : end;
        set_cycles(p, r->at, next, l->cycles);
        r->at = next;
        if (next == end)
            break;
        const uint64_t regular = take_regular(l, p, next, end);
        r->at += regular;
        if (regular > 0)
            continue;
        if (own)
            set_cycle(p, next, l->cycles);
        if (!take_clock(f, l, next, &l->edges))
            return bad_role(f, &l->clock, next, err);
        l->stamp = fst_time_at(&l->times, next);
        if (!own) {
            sample(l, p);
            set_cycle(p, next, l->cycles);
        }
        r->at++;
    }
    r->mine = r->at - 1;
    l->stamp = fst_time_at(&l->times, r->mine);
    return PC_OK;
}

/* How far stamps are apart, which are over: `n` from an index on. */
static void take_stamps(const struct fst_bound_stream *l, struct fst_piece *p, uint64_t from,
                        uint32_t n)
{
    const struct fst_times *t = &l->times;
    const size_t first = (size_t)(from - t->begin);
    uint64_t like = 0;

    wv_take_times(&p->stamps, &(struct wv_group){ .time = fst_time_at(t, from) });
    for (size_t i = first + 1; i < first + n; i++) {
        const uint64_t distance = t->delta ? t->delta[i] : t->time[i] - t->time[i - 1];
        if (distance != like)
            wv_take_distance(&p->stamps, distance);
        like = distance;
        if (t->delta && t->step)
            break;
    }
    p->stamps.time_stamps += n - 1;
    p->stamps.time_last = fst_time_at(t, from + n - 1);
}

/* Stamps one index each, which are edges.  That of the index before r->at is open. */
static void take_every(struct run *r, uint64_t end)
{
    struct fst_bound_stream *l = r->l;
    struct fst_piece *p = r->p;

    make_list(p);
    while (r->at < end && begin_stamp(r, fst_time_at(&l->times, r->at))) {
        set_cycle(p, r->at++, l->cycles);
        /* and many at once, but the last of the block */
        const uint32_t room = WV_BLOCK_CYCLES - 1 - l->cycles;
        const uint32_t n = (uint32_t)fst_least(end - r->at, room);
        if (n == 0 || l->cycles == 0)
            continue;
        take_stamps(l, p, r->at - 1, n);
        for (uint32_t i = 0; i < n; i++)
            p->cycle[r->at - p->begin + i] = (uint16_t)(l->cycles + 1 + i);
        for (uint32_t i = 0; p->time && i < n; i++)
            p->time[l->cycles + i] = fst_time_at(&l->times, r->at - 1 + i);
        l->cycles += n;
        r->at += n;
        p->last_time = fst_time_at(&l->times, r->at - 2);
        l->stamp = fst_time_at(&l->times, r->at - 1);
    }
}

/* Indices one by one, as far as times are read. */
static enum pc_status take_stretch(const struct fst *f, struct run *r, uint64_t end,
                                   struct pc_error *err)
{
    struct fst_bound_stream *l = r->l;
    enum pc_status status = PC_OK;

    for (; r->at < end && l->cycles < WV_BLOCK_CYCLES && status == PC_OK; r->at++) {
        if (is_plain(f, r) && l->every) {
            take_every(r, end);
            return PC_OK;
        }
        if (is_plain(f, r))
            return take_plain(f, r, end, err);
        const uint64_t time = fst_time_at(&l->times, r->at);
        if (!l->open) {
            l->open = true;
            l->stamp = time;
            open_edge(l);
            l->gate = is_open(l); /* as the frame has the condition, if it does */
        } else if (time != l->stamp && !begin_stamp(r, time)) {
            break;
        }
        if (l->stream->own_values)
            set_cycle(r->p, r->at, l->cycles);
        status = take_index(f, r, err);
    }
    return status;
}

static enum pc_status make(const struct fst *f, struct run *r, struct pc_error *err)
{
    struct fst_bound_stream *l = r->l;
    uint64_t most = f->loaded.now.times - l->index;
    uint64_t end = l->index + (most < FST_PIECE ? most : FST_PIECE);
    enum pc_status status = PC_OK;

    while (r->at < end && l->cycles < WV_BLOCK_CYCLES && status == PC_OK) {
        if (r->at == l->times.end)
            status = fst_times_read(f, l, err);
        uint64_t before = r->at;
        if (status == PC_OK)
            status = take_stretch(f, r, end < l->times.end ? end : l->times.end, err);
        if (r->at == before)
            break; /* a stamp before it has filled the block */
    }
    return status;
}

static void begin(struct fst_bound_stream *l, struct fst_piece *p)
{
    if (l->cycles == WV_BLOCK_CYCLES) {
        l->cycles = 0;
        l->block++;
    }
    p->block = l->block;
    p->begin = p->end = p->sure = l->index;
    p->from = l->cycles;
    p->later_known = l->stream->own_values;
    p->later_at = l->cycles;
    p->status = PC_OK;
    p->regular = true;
    p->told = 0;
    p->stamps = (struct pc_wave_totals){ .has_time = false };
    if (!l->stream->own_values)
        sample(l, p); /* what the block before had no room for */
}

void fst_make_piece(const struct fst *f, struct fst_bound_stream *l, struct fst_piece *p)
{
    struct run r = { l, p, l->index, l->index };

    begin(l, p);
    p->status = make(f, &r, &p->error);
    p->end = r.at;
    p->sure = l->stream->own_values ? r.at : r.mine;
    p->to = l->cycles;
    l->index = r.at;
}

void fst_make_last_piece(struct fst_bound_stream *l, struct fst_piece *p)
{
    begin(l, p);
    if (l->stream->own_values) {
        take_over(l, p);
        sample(l, p);
    }
    p->to = l->cycles;
}
