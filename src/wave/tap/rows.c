/* SPDX-License-Identifier: MIT */
/*
 * Rows of a tap by DPI-C: at an edge of a clock, the bits that are wanted as they were before it.
 * 64 rows of a clock are turned into a word for each bit (reader.h, `fill`), and appended to the
 * planes of the streams that are bound to the clock.
 */
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "kernel/kernel.h"
#include "wave/append.h"
#include "wave/tap/tap.h"
#include "wave/wave.h"

enum { BATCH = 64 };
#define NONE UINT32_MAX

/* A clock whose edges come as rows, and the rows that have come. */
struct tap_clock {
    uint32_t code;
    bool falling;
    uint32_t words; /* of a row */
    struct tap_field {
        uint32_t code, at; /* at: its lowest bit in the row */
    } * field;
    size_t fields, bits;
    /* `words` arrays of BATCH rows each, of values and then of what is unknown; the same turned */
    uint64_t *row, *turned;
    uint64_t time[BATCH];
    unsigned rows;
    bool unknown, turned_unknown; /* in one of them something is */
};

/* A stream that is bound to the clock. */
struct tap_bound {
    size_t clock;
    uint32_t iff;     /* bit of the row; NONE: there is no condition */
    uint32_t *column; /* bit of the row of each signal */
    size_t columns;
    uint64_t edges; /* rows that are turned and not yet taken */
    bool full;
};

void tap_free_clocks(struct tap *t)
{
    const struct pc_alloc *a = &t->alloc;

    for (size_t i = 0; i < t->clocks; i++) {
        struct tap_clock *k = &t->clock[i];
        const size_t size = 2 * (size_t)k->words * BATCH * sizeof *k->row;
        pc_free(a, k->field, k->fields * sizeof *k->field);
        pc_free(a, k->row, size);
        pc_free(a, k->turned, size);
    }
    pc_free(a, t->clock, t->clocks_capacity * sizeof *t->clock);
    for (size_t i = 0; i < t->bounds; i++)
        pc_free(a, t->bound[i].column, t->bound[i].columns * sizeof *t->bound[i].column);
    pc_free(a, t->bound, t->bounds * sizeof *t->bound);
}

/* --- declaring --- */

static enum pc_status take_fields(struct tap *t, struct tap_clock *k, struct pc_error *err)
{
    for (size_t i = 0; i < k->fields; i++) {
        uint32_t code = 0;
        const enum pc_status status = tap_variable(t, &code, err);
        if (status)
            return status;
        const struct wv_code *c = &t->base.hier.code[code];
        k->field[i] = (struct tap_field){ code, (uint32_t)k->bits };
        k->bits += c->width;
        if (c->kind != PC_VAR_BITS || k->bits > TAP_ROW_BITS)
            return tap_fail(t, err, "a row has more than %d bits, or a variable without bits",
                            TAP_ROW_BITS);
    }
    return PC_OK;
}

enum pc_status tap_clock(struct tap *t, struct pc_error *err)
{
    uint32_t code = 0;
    uint64_t falling = 0, count = 0;
    enum pc_status status = tap_variable(t, &code, err);

    if (status == PC_OK)
        status = tap_number(t, &falling, err);
    if (status == PC_OK)
        status = tap_number(t, &count, err);
    if (status)
        return status;
    if (t->clocks == TAP_CLOCKS || count > TAP_ROW_BITS || t->base.hier.code[code].width != 1 ||
        t->base.hier.code[code].kind != PC_VAR_BITS)
        return tap_fail(t, err, "a clock has more than one bit, or there are too many");
    if (!pc_grow(&t->alloc, (void **)&t->clock, &t->clocks_capacity, t->clocks + 1,
                 sizeof *t->clock))
        return pc_fail(err, 100, "not enough memory for the clocks of a tap");
    struct tap_clock *k = &t->clock[t->clocks++];
    *k = (struct tap_clock){ .code = code, .falling = falling != 0 };
    k->field = pc_calloc(&t->alloc, (size_t)count, sizeof *k->field);
    if (count > 0 && !k->field)
        return pc_fail(err, 100, "not enough memory for the rows of a tap");
    k->fields = (size_t)count;
    status = take_fields(t, k, err);
    if (status)
        return status;
    const size_t words = (k->bits + 63) / 64;
    k->row = pc_calloc(&t->alloc, 2 * words * BATCH, sizeof *k->row);
    k->turned = pc_calloc(&t->alloc, 2 * words * BATCH, sizeof *k->turned);
    k->words = (uint32_t)words;
    return words == 0 || (k->row && k->turned)
               ? PC_OK
               : pc_fail(err, 100, "not enough memory for the rows of a tap");
}

/* --- binding --- */

static size_t clock_of(const struct tap *t, const struct pc_wave_clock *clock)
{
    const uint32_t code = t->base.hier.var[clock->clock.var].code;
    size_t i = 0;

    while (i < t->clocks && !(t->clock[i].code == code && !clock->post_edge &&
                              clock->edge == (t->clock[i].falling ? PC_EDGE_NEG : PC_EDGE_POS)))
        i++;
    return i;
}

/* Returns the bit of a variable in the rows of a clock; NONE: they do not have it. */
static uint32_t column_of(const struct tap *t, size_t clock, struct pc_wave_bit bit)
{
    const struct tap_clock *k = &t->clock[clock];
    const uint32_t code = t->base.hier.var[bit.var].code;

    for (size_t i = 0; i < k->fields; i++)
        if (k->field[i].code == code)
            return k->field[i].at + bit.bit;
    return NONE;
}

enum pc_status tap_may_bind(const struct wv_reader *r, const struct pc_wave_clock *clock,
                            const struct pc_wave_bit *bits, size_t count, struct pc_error *err)
{
    const struct tap *t = (const struct tap *)r;
    const struct wv_hier *h = &t->base.hier;

    if (t->clocks == 0)
        return PC_OK;
    const bool edge = clock->edge == PC_EDGE_POS || clock->edge == PC_EDGE_NEG;
    const size_t k = edge ? clock_of(t, clock) : t->clocks;
    if (k == t->clocks) {
        const struct wv_var *first = &h->var[0];
        for (size_t i = 0; i < h->vars; i++)
            if (h->var[i].code == t->clock[0].code)
                first = &h->var[i];
        return pc_fail(err, 792, "the tap has samples before %s edges of %.200s only",
                       t->clock[0].falling ? "falling" : "rising", h->names + first->name);
    }
    for (size_t i = 0; i <= count; i++) {
        const struct pc_wave_bit *bit = i < count ? &bits[i] : &clock->iff;
        if ((i < count || clock->has_iff) && column_of(t, k, *bit) == NONE)
            return pc_fail(err, 792, "the tap does not sample %.200s at this clock",
                           h->names + h->var[bit->var].name);
    }
    return PC_OK;
}

/* Binds the taps of the streams, which tap_may_bind() has let through. */
static enum pc_status bind(struct tap *t, const struct pc_wave *wave, struct pc_error *err)
{
    t->bound = pc_calloc(&t->alloc, wave->streams, sizeof *t->bound);
    if (!t->bound)
        return pc_fail(err, 100, "not enough memory for the streams of a tap");
    t->bounds = wave->streams;
    for (unsigned s = 0; s < wave->streams; s++) {
        struct tap_bound *b = &t->bound[s];
        const struct wv_stream *st = &wave->stream[s];
        b->clock = clock_of(t, &st->clock);
        b->iff = st->clock.has_iff ? column_of(t, b->clock, st->clock.iff) : NONE;
        b->column = pc_calloc(&t->alloc, st->signals, sizeof *b->column);
        if (st->signals > 0 && !b->column)
            return pc_fail(err, 100, "not enough memory for the streams of a tap");
        b->columns = st->signals;
    }
    for (size_t i = 0; i < wave->taps; i++) {
        const struct wv_tap *tap = &wave->tap[i];
        struct tap_bound *b = &t->bound[tap->stream];
        const struct tap_clock *k = &t->clock[b->clock];
        for (size_t f = 0; f < k->fields && tap->signal < b->columns; f++)
            if (k->field[f].code == tap->code)
                b->column[tap->signal] = k->field[f].at + tap->bit;
    }
    return PC_OK;
}

/* --- rows --- */

/* Takes the words of a part of a row, each into the array of its place. */
static enum pc_status take_words(struct tap *t, struct tap_clock *k, uint64_t *to,
                                 struct pc_error *err)
{
    uint8_t bytes[8];

    for (uint32_t i = 0; i < k->words; i++) {
        const enum pc_status status = tap_bytes(t, bytes, sizeof bytes, err);
        if (status)
            return status;
        to[(size_t)i * BATCH + k->rows] = pc_load_low_first(bytes);
    }
    return PC_OK;
}

static enum pc_status take_row(struct tap *t, bool unknown, size_t *clock, struct pc_error *err)
{
    uint64_t number;
    enum pc_status status = tap_number(t, &number, err);

    if (status)
        return status;
    if (number >= t->clocks)
        return tap_fail(t, err, "a row of a clock that was not declared");
    *clock = (size_t)number;
    struct tap_clock *k = &t->clock[*clock];
    uint64_t *not = k->row + (size_t)k->words * BATCH;
    status = tap_later(t, err);
    if (status == PC_OK)
        status = take_words(t, k, k->row, err);
    if (status == PC_OK && unknown)
        status = take_words(t, k, not, err);
    if (status)
        return status;
    for (uint32_t i = 0; i < k->words && !unknown; i++)
        not [(size_t)i * BATCH + k->rows] = 0;
    k->unknown |= unknown;
    k->time[k->rows++] = t->time;
    return PC_OK;
}

/* Returns the first stream with cycles to hand out; t->bounds: none has. */
static size_t first_begun(const struct tap *t, const struct pc_wave *wave)
{
    size_t s = 0;

    while (s < t->bounds && wave->stream[s].cycles == 0)
        s++;
    return s;
}

/* Returns true if there is something to hand out before more of a silent stream is waited for. */
static bool hands_out(const struct tap *t, const struct pc_wave *wave)
{
    bool any = first_begun(t, wave) < t->bounds;

    for (size_t k = 0; k < t->clocks; k++)
        any |= t->clock[k].rows > 0;
    return any && t->at == t->end && wv_input_waits(t->in);
}

/* Takes rows until a clock has all that are turned at once, or there are no more for now
 * (PC_END). */
static enum pc_status take_rows(struct tap *t, const struct pc_wave *wave, size_t *clock,
                                struct pc_error *err)
{
    for (;;) {
        uint8_t what = 0;
        if (t->over || (wave->live && hands_out(t, wave)))
            return PC_END;
        enum pc_status status = tap_byte(t, &what, err);
        if (status == PC_END)
            tap_end(t, false);
        if (status)
            return status;
        if (what != 'T' && what != 't') {
            status = tap_last(t, what, err);
            return status ? status : PC_END;
        }
        status = take_row(t, what == 't', clock, err);
        if (status == PC_END) /* a row that has not arrived whole does not count */
            tap_end(t, false);
        if (status || t->clock[*clock].rows == BATCH)
            return status;
    }
}

/* --- 64 rows --- */

/* Turns rows into columns, and edges of the streams of their clock. */
static void turn(struct tap *t, struct pc_wave *wave, size_t clock)
{
    const struct pc_kernel *kernel = pc_kernel_best();
    struct tap_clock *k = &t->clock[clock];
    const uint64_t all = UINT64_MAX >> (64 - k->rows);

    k->turned_unknown = k->unknown;
    k->unknown = false;
    k->rows = 0;
    for (uint32_t i = 0; i < (k->turned_unknown ? 2 : 1) * k->words; i++)
        kernel->turn(k->turned + (size_t)i * BATCH, k->row + (size_t)i * BATCH, UINT64_MAX);
    for (size_t s = 0; s < t->bounds; s++) {
        struct tap_bound *b = &t->bound[s];
        if (b->clock != clock)
            continue;
        b->edges = all;
        if (b->iff == NONE)
            continue;
        const uint64_t not = k->turned_unknown ? k->turned[(size_t)k->words * BATCH + b->iff] : 0;
        const uint64_t iff = k->turned[b->iff];
        b->edges &= (wave->stream[s].clock.iff_low ? ~iff : iff) & ~not ;
    }
}

static void append(const struct tap_clock *k, const struct tap_bound *b, struct wv_stream *st,
                   uint64_t edges, unsigned count)
{
    struct wv_push p = { .mask = UINT64_MAX };
    const uint64_t *not = k->turned + (size_t)k->words * BATCH;

    if (edges != UINT64_MAX)
        wv_plan_push(&p, edges);
    st->any_unknown |= k->turned_unknown;
    for (size_t i = 0; i < st->signals; i++) {
        uint64_t *plane = st->planes + 2 * i * WV_PLANE_WORDS;
        const uint32_t column = b->column[i];
        const uint64_t x = k->turned_unknown ? not [column] : 0;
        wv_append(plane, st->cycles, wv_push(&p, k->turned[column] & ~x), count);
        if (st->any_unknown)
            wv_append(plane + WV_PLANE_WORDS, st->cycles, wv_push(&p, x), count);
    }
}

/* Takes the edges of the rows, as far as the stream's block has room for them. */
static void take(const struct tap_clock *k, struct tap_bound *b, struct wv_stream *st)
{
    const unsigned room = WV_BLOCK_CYCLES - st->cycles;
    uint64_t edges = b->edges;
    unsigned count = wv_ones(edges);

    if (count > room) {
        for (unsigned i = 0; i < room; i++)
            edges &= edges - 1;
        edges ^= b->edges;
        count = room;
    }
    b->edges ^= edges;
    if (st->cycles == 0)
        st->first_time = k->time[wv_lowest(edges)];
    st->last_time = k->time[wv_highest(edges)];
    if (st->time)
        for (uint64_t left = edges, n = st->cycles; left; left &= left - 1)
            st->time[n++] = k->time[wv_lowest(left)];
    append(k, b, st, edges, count);
    st->cycles += count;
    b->full = st->cycles == WV_BLOCK_CYCLES;
}

/* --- blocks --- */

/* Blocks that were handed out make room. */
static void take_back(struct tap *t, struct pc_wave *wave)
{
    for (size_t s = 0; s < t->bounds; s++) {
        struct wv_stream *st = &wave->stream[s];
        if (!st->given)
            continue;
        st->given = false;
        st->first_cycle += st->cycles;
        st->cycles = 0;
        for (size_t i = 0; i < st->signals && st->any_unknown; i++)
            memset(st->planes + (2 * i + 1) * WV_PLANE_WORDS, 0,
                   WV_PLANE_WORDS * sizeof *st->planes);
        st->any_unknown = false;
    }
}

/* Gives a block, with zeros after its last cycle. */
static enum pc_status give(struct tap *t, struct pc_wave *wave, size_t s, unsigned *stream)
{
    struct wv_stream *st = &wave->stream[s];
    const size_t used = (st->cycles + (size_t)63) / 64;

    for (size_t i = 0; i < 2 * st->signals && used < PC_BLOCK_WORDS; i++)
        memset(st->planes + i * WV_PLANE_WORDS + used, 0,
               (PC_BLOCK_WORDS - used) * sizeof *st->planes);
    t->bound[s].full = false;
    st->given = true;
    *stream = (unsigned)s;
    return PC_OK;
}

/* Takes what is turned; the stream whose block was full first; t->bounds: none is. */
static size_t take_bound(struct tap *t, struct pc_wave *wave)
{
    size_t first = t->bounds;

    for (size_t s = 0; s < t->bounds; s++) {
        struct tap_bound *b = &t->bound[s];
        if (b->edges && !b->full)
            take(&t->clock[b->clock], b, &wave->stream[s]);
        if (b->full &&
            (first == t->bounds || wave->stream[s].last_time < wave->stream[first].last_time))
            first = s;
    }
    return first;
}

/* Clocks with rows that are fewer than are turned at once. */
static bool turn_rest(struct tap *t, struct pc_wave *wave)
{
    bool any = false;

    for (size_t k = 0; k < t->clocks; k++)
        if (t->clock[k].rows > 0) {
            turn(t, wave, k);
            any = true;
        }
    return any;
}

enum pc_status tap_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                        struct pc_error *err)
{
    struct tap *t = (struct tap *)r;
    enum pc_status status = t->bound ? PC_OK : bind(t, wave, err);
    size_t clock = 0;

    if (status)
        return status;
    take_back(t, wave);
    for (;;) {
        const size_t full = take_bound(t, wave);
        if (full < t->bounds)
            return give(t, wave, full, stream);
        status = take_rows(t, wave, &clock, err);
        if (status && status != PC_END)
            return status;
        if (status == PC_OK) {
            turn(t, wave, clock);
            continue;
        }
        if (turn_rest(t, wave))
            continue;
        const size_t begun = first_begun(t, wave);
        return begun < t->bounds ? give(t, wave, begun, stream) : PC_END;
    }
}
