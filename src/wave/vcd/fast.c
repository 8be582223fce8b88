/* SPDX-License-Identifier: MIT */
/*
 * The VCD reader's short cut for one stream with one clock, or none: whole groups go through the
 * mask scanner (scan.h) right where they stand in the window.  A group that the scanner does not
 * take is parsed by values.c like any other, and the next stamp is tried again, so sections, odd
 * spellings and errors are what they always were.
 *
 * The scanner does not look up identifiers of signals that are not selected: values
 * of an identifier that no $var declares are noticed only in what is parsed before the first
 * scan, so that a file gives the same warnings however it is cut into pieces.
 * pc_wave_desc.strict has every value parsed.
 *
 * With several threads, pieces of a file are scanned ahead (ahead.h).  One is taken
 * if the reader comes to its first stamp with a level of the clock that it can go on from: all
 * else in it does not depend on what was before.  Whatever stands between is read as usual.
 */
#include "wave/vcd/vcd.h"
#include "wave/vcd/fast.h"

#include <limits.h>
#include <string.h>

#define PIECE      ((size_t)1 << 16)   /* of the window: masks stay in the cache */
#define SHORT      ((size_t)1 << 10)   /* a scan that took less was not worth it */
#define AHEAD_LOSS ((uint64_t)1 << 22) /* bytes ahead of no use, besides as many that were */

static void *array(const struct vcd *v, size_t count, size_t size)
{
    return pc_calloc(&v->alloc, count > 0 ? count : 1, size);
}

/* Allocates the same, but not cleared: pages that are never written take no memory. */
static void *scratch(const struct vcd *v, size_t count, size_t size)
{
    return v->alloc.resize(v->alloc.ctx, NULL, 0, count * size);
}

static void release(const struct vcd *v, const void *p, size_t count, size_t size)
{
    if (p)
        v->alloc.resize(v->alloc.ctx, (void *)(uintptr_t)p, (count > 0 ? count : 1) * size, 0);
}

/* Makes room for them. */
static size_t cuts_of(const struct vcd_fast *f)
{
    return f->spans * (VCD_SPAN / VCD_LEAST_CUT);
}

static size_t words_of(const struct vcd_fast *f)
{
    return VCD_SCAN_WORDS(f->spans * VCD_SPAN);
}

void vcd_fast_free(struct vcd *v)
{
    struct vcd_fast *f = v->fast;

    if (!f)
        return;
    vcd_ahead_stop(f->ahead);
    release(v, f->slot, f->taps, sizeof *f->slot);
    release(v, f->tap, f->taps, sizeof *f->tap);
    release(v, f->key, f->keys, sizeof *f->key);
    release(v, f->slot_of, v->base.hier.codes, sizeof *f->slot_of);
    release(v, f->mark, f->spans, sizeof *f->mark);
    release(v, f->kept, f->spans * VCD_SPAN + VCD_SCAN_SLACK, 1);
    release(v, f->cut, cuts_of(f), sizeof *f->cut);
    release(v, f->event, VCD_SCAN_EVENTS, sizeof *f->event);
    release(v, f->word, words_of(f), sizeof *f->word);
    pc_free(&v->alloc, f, sizeof *f);
    v->fast = NULL;
}

static const struct vcd_id *id_of(const struct vcd *v, uint32_t code)
{
    return &v->ids.id[code];
}

/* Returns the slot of a code, a new one if it has none yet; NULL if its identifier cannot be looked
 * for. */
static struct vcd_scan_slot *slot_for(struct vcd *v, uint32_t code)
{
    struct vcd_fast *f = v->fast;
    const struct vcd_id *id = id_of(v, code);
    const uint8_t *text = (const uint8_t *)v->ids.text + id->text;
    const uint8_t second = id->length > 1 ? text[1] : f->sets.end;

    if (f->slot_of[code])
        return &f->slot[f->slot_of[code] - 1];
    if (text[0] >= 128 || second >= 128)
        return NULL; /* kernels look at ASCII only */
    f->slot_of[code] = (uint32_t)++f->slots;
    struct vcd_scan_slot *slot = &f->slot[f->slots - 1];
    *slot = (struct vcd_scan_slot){ .code = code, .width = v->base.hier.code[code].width };
    return slot;
}

/* Changes of vectors come as words. */
static bool add_vectors(struct vcd *v, const struct wv_bulk *bulk)
{
    for (size_t i = 0; i < bulk->vectors; i++) {
        struct vcd_scan_slot *slot = slot_for(v, bulk->vector[i]);
        if (!slot)
            return false;
        slot->is_vector = true;
        slot->vector = (uint32_t)i;
    }
    return true;
}

/* Returns true if the tap has events of its own. */
static bool has_events(const struct vcd *v, const struct wv_tap *t)
{
    return t->signal == WV_IFF || (t->signal < WV_WHOLE && v->base.hier.code[t->code].width == 1);
}

/* Taps by slot: counted, placed, filled.  The clock has a slot, so that its x and z are seen. */
static bool add_taps(struct vcd *v, const struct wv_bulk *bulk)
{
    struct vcd_fast *f = v->fast;
    struct vcd_scan_slot *clock = bulk->every ? NULL : slot_for(v, bulk->clock);
    size_t at = 0;

    if (!clock && !bulk->every)
        return false;
    if (clock)
        clock->clock = true;
    for (size_t i = 0; i < bulk->taps; i++) {
        if (!has_events(v, &bulk->tap[i]))
            continue;
        struct vcd_scan_slot *slot = slot_for(v, bulk->tap[i].code);
        if (!slot)
            return false;
        slot->taps++;
    }
    f->sets.clock_selected = clock && clock->taps > 0;
    for (size_t i = 0; i < f->slots; i++) {
        f->slot[i].tap = at;
        at += f->slot[i].taps;
        f->slot[i].taps = 0;
    }
    for (size_t i = 0; i < bulk->taps; i++) {
        const struct wv_tap *t = &bulk->tap[i];
        if (!has_events(v, t))
            continue;
        struct vcd_scan_slot *slot = slot_for(v, t->code);
        f->tap[slot->tap + slot->taps++] =
            (struct vcd_scan_tap){ t->bit, t->signal == WV_IFF ? WV_EVENT_IFF : t->signal };
        if (t->signal != WV_IFF && t->signal > f->sets.last)
            f->sets.last = t->signal;
    }
    return true;
}

static bool allocate(struct vcd *v, size_t taps /* and vectors */)
{
    struct vcd_fast *f = pc_calloc(&v->alloc, 1, sizeof *f);
    size_t keys = 64;
    unsigned shift = 26;

    if (!f)
        return false;
    v->fast = f;
    for (; keys < 16 * taps && shift > 8; shift--)
        keys *= 2;
    f->sets.key_shift = shift;
    f->taps = taps;
    f->keys = keys + taps + 1; /* searches never wrap */
    f->spans = (v->text.capacity + VCD_SPAN - 1) / VCD_SPAN;
    f->slot = array(v, taps, sizeof *f->slot);
    f->tap = array(v, taps, sizeof *f->tap);
    f->key = array(v, f->keys, sizeof *f->key);
    f->slot_of = array(v, v->base.hier.codes, sizeof *f->slot_of);
    f->mark = scratch(v, f->spans, sizeof *f->mark);
    f->event = scratch(v, VCD_SCAN_EVENTS, sizeof *f->event);
    f->word = scratch(v, words_of(f), sizeof *f->word);
    f->kept = scratch(v, f->spans * VCD_SPAN + VCD_SCAN_SLACK, 1);
    f->cut = scratch(v, cuts_of(f), sizeof *f->cut);
    return f->slot && f->tap && f->key && f->slot_of && f->mark && f->event && f->word && f->kept &&
           f->cut;
}

/* Lines end in CRLF if the one in front of the window's place does; none: nothing is lost. */
static uint8_t line_end(const struct vcd_text *t)
{
    for (size_t i = t->at; i > 1; i--)
        if (t->buf[i - 1] == '\n')
            return t->buf[i - 2] == '\r' ? '\r' : '\n';
    return '\n';
}

/* Sets which lines are edges; false: not of this identifier. */
static bool set_clock(const struct vcd *v, const struct wv_bulk *bulk, struct vcd_sets *sets)
{
    sets->edge = bulk->falling ? '0' : '1';
    sets->own_values = bulk->own_values;
    sets->every = bulk->every;
    sets->clock_length = 1; /* of a character that no line has */
    if (bulk->every)
        return true;
    const struct vcd_id *id = id_of(v, bulk->clock);
    if (id->length > VCD_SCAN_CLOCK)
        return false;
    sets->clock_length = id->length;
    memcpy(sets->clock, v->ids.text + id->text, id->length);
    return true;
}

/* Where memory is short the parser does without all this. */
bool vcd_plan(struct wv_reader *r, const struct wv_bulk *bulk)
{
    struct vcd *v = (struct vcd *)r;
    size_t taps = 1 + bulk->vectors;

    for (size_t i = 0; i < bulk->taps; i++)
        taps += has_events(v, &bulk->tap[i]);
    if (v->evcd || v->strict || v->places > 0 || taps >= VCD_SCAN_EVENTS)
        return false;
    if (!allocate(v, taps)) {
        vcd_fast_free(v);
        return false;
    }
    struct vcd_fast *f = v->fast;
    f->kernel = v->kernel ? v->kernel : vcd_scan_best();
    f->sets.end = line_end(&v->text);
    f->sets.slot = f->slot;
    f->sets.tap = f->tap;
    f->sets.key = f->key;
    f->sets.ids = &v->ids;
    f->sets.slot_of = f->slot_of;
    f->scan = (struct vcd_scan){
        .sets = &f->sets,
        .mark = f->mark,
        .spans = f->spans,
        .event = f->event,
        .events_capacity = VCD_SCAN_EVENTS,
        .word = f->word,
        .words_capacity = words_of(f),
        .kept = f->kept,
        .kept_room = f->spans * VCD_SPAN,
        .cut = f->cut,
        .cuts_room = cuts_of(f),
    };
    if (!set_clock(v, bulk, &f->sets) || !add_taps(v, bulk) || !add_vectors(v, bulk)) {
        vcd_fast_free(v);
        return false;
    }
    vcd_choose_id_filter(v);
    vcd_choose_keys(v);
    f->present = &f->scan;
    f->ahead_from = v->text.byte + v->text.at;
    f->ahead = vcd_ahead_start(&(struct vcd_ahead_desc){
        .alloc = &v->alloc,
        .in = v->in,
        .threads = v->threads,
        .part = v->part,
        .begin = f->ahead_from,
        .sets = &f->sets,
        .kernel = f->kernel,
    });
    return true;
}

/* Returns the byte of the pending stamp. */
static uint64_t place(const struct vcd *v)
{
    return v->text.byte + v->stamp;
}

/*
 * Scans from the stamp on, as much as is in the window, but no more than `most`; true if
 * something was taken.
 */
static bool scan_window(struct vcd *v, uint8_t clock, uint64_t most)
{
    struct vcd_scan *s = &v->fast->scan;
    size_t left = v->text.end - v->stamp;

    if (left > most)
        left = (size_t)most;
    s->text = v->text.buf + v->stamp;
    s->clock = clock;
    s->size = left < PIECE || s->mostly_cut ? left : PIECE;
    v->fast->kernel->run(s);
    if (s->used == 0 && s->dry && left > PIECE) {
        s->size = left;
        v->fast->kernel->run(s);
    }
    return s->used > 0;
}

/* Commits the times after the last group that was taken, as if the parser had come there. */
static void commit_times(struct vcd *v, const struct vcd_scan *s)
{
    v->fast->scanned += s->used;
    v->fast->present = s;
    v->has_time = true;
    v->time = s->last_time;
    v->next_time = s->next_time;
    v->rest = v->next_rest = 0;
}

static void commit(struct vcd *v)
{
    const struct vcd_scan *s = &v->fast->scan;
    struct vcd_text *t = &v->text;
    size_t from = v->stamp;

    v->stamp += s->used;
    vcd_count(t, from, s->lines, v->stamp);
    t->at = v->stamp + 1;
    while (t->buf[t->at] > ' ')
        t->at++;
    commit_times(v, s);
}

/* The window is full of one group, or the input ended: the parser's. */
static bool can_refill(const struct vcd *v)
{
    return !v->text.eof && (v->stamp > 0 || v->text.end < v->text.capacity);
}

static bool suits(const struct vcd_scan *s, uint8_t clock)
{
    return s->used > 0 && (s->clock_first == VCD_CLOCK_ANY || s->clock_first != clock);
}

/*
 * Takes a piece that was scanned ahead and begins at the pending stamp: taken, *taken becomes true.
 * Otherwise *most says how far the window may be scanned to come to the next one exactly. Where the
 * file is such that few are of use, no more are made.
 */
static enum pc_status take_piece(struct vcd *v, uint8_t clock, bool *taken, uint64_t *most,
                                 struct pc_error *err)
{
    struct vcd_fast *f = v->fast;
    const struct vcd_piece *p = vcd_ahead_piece(f->ahead, place(v));

    if (p && p->begin == place(v) && suits(&p->scan, clock)) {
        vcd_count(&v->text, v->stamp, 0, v->stamp);
        enum pc_status status =
            vcd_move(v, p->begin + p->scan.used, v->text.lines + p->scan.lines, err);
        f->ahead_taken += p->scan.used;
        commit_times(v, &p->scan);
        *taken = true;
        return status;
    }
    if (p && p->begin == place(v))
        p = vcd_ahead_piece(f->ahead, place(v) + 1);
    if (p)
        *most = p->begin - place(v) + p->line;
    if (p && place(v) - f->ahead_from <= 2 * f->ahead_taken + AHEAD_LOSS)
        return PC_OK;
    *most = UINT64_MAX;
    vcd_ahead_stop(f->ahead);
    f->ahead = NULL;
    return wv_input_gather(v->in, err);
}

static enum pc_status scan_stretch(struct vcd *v, uint8_t clock, struct pc_error *err)
{
    struct vcd_fast *f = v->fast;
    uint64_t most = UINT64_MAX;
    enum pc_status status = PC_OK;
    bool taken = false;

    if (f->ahead)
        status = take_piece(v, clock, &taken, &most, err);
    if (status || taken)
        return status;
    if (f->pause > 0) {
        f->pause--;
        return PC_END;
    }
    if (v->away)
        status = vcd_arrive(v, err);
    while (status == PC_OK && !scan_window(v, clock, most)) {
        if (f->scan.dry && v->live && wv_input_waits(v->in))
            return PC_END;
        if (!f->scan.dry || !can_refill(v)) {
            f->pause = f->failures;
            f->failures = f->failures < 32 ? 2 * f->failures + 1 : f->failures;
            return PC_END;
        }
        status = vcd_refill(v, v->stamp, err);
        v->stamp = 0;
    }
    if (status)
        return status;
    if (f->scan.used >= SHORT)
        f->failures = 0;
    commit(v);
    return PC_OK;
}

enum pc_status vcd_stretch(struct wv_reader *r, enum wv_level clock, struct wv_stretch *out,
                           struct pc_error *err)
{
    struct vcd *v = (struct vcd *)r;

    if (v->fast->lost)
        return pc_fail(err, 501, "a timestamp cannot be read again");
    if (!v->pending || v->backwards || clock == WV_X)
        return PC_END;
    v->scanned = true;
    enum pc_status status = scan_stretch(v, clock == WV_1 ? VCD_CLOCK_HIGH : VCD_CLOCK_LOW, err);
    if (status)
        return status;
    const struct vcd_scan *s = v->fast->present;
    *out = (struct wv_stretch){
        .event = s->event,
        .events = s->events,
        .word = s->word,
        .edges = s->edges,
        .clock = s->clock_last == VCD_CLOCK_ANY ? clock
                 : s->clock_last == '1'         ? WV_1
                                                : WV_0,
    };
    return PC_OK;
}

void vcd_edge_times(const struct wv_reader *r, uint32_t edge, uint32_t count, uint64_t *out)
{
    const struct vcd *v = (const struct vcd *)r;

    vcd_scan_times(v->fast->present, edge, count, out);
}

void vcd_edge_distances(const struct wv_reader *r, uint32_t edge, uint32_t count,
                        struct pc_wave_totals *totals)
{
    const struct vcd *v = (const struct vcd *)r;

    vcd_scan_distances(v->fast->present, edge, count, totals);
}
