/* SPDX-License-Identifier: MIT */
/* Changes handed over chain by chain (spans.h), some hundred of a stream at once. */
#include "base/bytes.h"
#include "wave/fst/chain.h"
#include "wave/fst/spans.h"
#include "wave/pack.h"

enum { BATCH = 512 /* changes */ };

/* The changes that a thread has collected. */
struct batch {
    uint64_t *time, *value, *unknown;
    struct pc_wave_changes c;
    size_t words; /* of a value */
    bool any_unknown;
    uint64_t changes; /* handed over, or without bits */
};

struct listening {
    const struct wv_listen *l;
    struct batch *batch; /* by worker */
    size_t batches, words;
};

/* ---- words ---- */

/* Returns `bits` up to 64 from bit `first` on, counted from the top of the first byte. */
static uint64_t bits_at(const uint8_t *from, size_t size, size_t first, unsigned bits)
{
    const size_t byte = first / 8, last = (first + bits + 7) / 8;
    const unsigned odd = first % 8;
    uint64_t x = 0;

    if (byte + 8 <= size && odd + bits <= 64)
        return pc_load_high_first(from + byte) << odd >> (64 - bits);
    for (size_t i = byte; i < last && i < byte + 8; i++)
        x |= (uint64_t)from[i] << (56 - 8 * (i - byte));
    x <<= odd;
    if (odd + bits > 64)
        x |= (uint64_t)from[byte + 8] >> (8 - odd);
    return x >> (64 - bits);
}

static void take_packed(const uint8_t *from, size_t size, uint32_t width, uint64_t *value)
{
    uint32_t left = width;

    for (size_t w = 0; left > 0; w++) {
        const unsigned bits = left < 64 ? left : 64;
        left -= bits;
        value[w] = bits_at(from, size, left, bits);
    }
}

static bool take_characters(const struct fst_stream *s, const uint8_t *from, uint32_t width,
                            uint64_t *value, uint64_t *unknown)
{
    const uint8_t *at = from + width;
    uint64_t any = 0;

    for (size_t w = 0; at > from; w++) {
        const unsigned bits = at - from < 64 ? (unsigned)(at - from) : 64;
        uint64_t v = 0, u = 0;
        at -= bits;
        for (unsigned i = 0; i < bits; i++) {
            const char state = at[i] == '0' || at[i] == '1' ? (char)at[i] : fst_state_of(s, at[i]);
            v = v << 1 | (state == '1' || state == 'z');
            u = u << 1 | (state > '1');
        }
        value[w] = v;
        unknown[w] = u;
        any |= u;
    }
    return any != 0;
}

/* ---- a chain ---- */

static void hand_over(const struct listening *own, struct batch *b)
{
    const struct pc_wave_listener *to = own->l->listener;
    const size_t words = b->c.count * b->words;

    if (b->c.count == 0)
        return;
    b->c.unknown = b->any_unknown ? b->unknown : NULL;
    to->take(to->ctx, &b->c);
    if (b->any_unknown)
        memset(b->unknown, 0, words * sizeof *b->unknown);
    b->any_unknown = false;
    b->changes += b->c.count;
    b->c.count = 0;
}

/* Takes records of 0 and 1, from the present one on, as many as there is room for; *now is then the
 * last of them. */
static void take_known(const struct fst_spans *s, struct batch *b, struct fst_cursor *c,
                       struct fst_place *now)
{
    const uint64_t times = s->f->loaded.now.times;
    struct fst_place place = *now, last;
    size_t n = b->c.count;

    do {
        last = place;
        b->time[n] = s->time[place.next - s->begin];
        b->value[n++] = place.head >> 1 & 1;
        if (n == BATCH || !fst_step(c, 2, times, &place))
            break;
        if (place.next >= s->end) {
            c->at--;
            break;
        }
    } while (true);
    b->c.count = n;
    *now = last;
}

static bool take_bits(const struct fst_spans *s, struct batch *b, struct fst_cursor *c,
                      struct fst_place *now)
{
    const struct listening *own = s->ctx;
    const uint64_t times = s->f->loaded.now.times;

    while (now->next < s->end) {
        if (now->head & 1) {
            const uint8_t state = fst_state_of_head(now->head);
            b->time[b->c.count] = s->time[now->next - s->begin];
            b->value[b->c.count] = state & 1; /* FST_STATES */
            b->unknown[b->c.count++] = state >> 1;
            b->any_unknown |= state > 1;
        } else {
            take_known(s, b, c, now);
        }
        if (b->c.count == BATCH)
            hand_over(own, b);
        if (!fst_read_head(c, true, times, now->next, now))
            return false;
    }
    return true;
}

/* Takes values of up to 64 bits, packed; false: a record ends the chain in it. */
static bool take_known_words(const struct fst_spans *s, uint32_t width, struct batch *b,
                             struct fst_cursor *c, struct fst_place *now)
{
    const uint64_t times = s->f->loaded.now.times;
    const size_t bytes = (width + (size_t)7) / 8;
    struct fst_place place = *now, last;
    size_t n = b->c.count;

    do {
        const size_t left = fst_left(c);
        if (left < bytes)
            return false;
        last = place;
        b->time[n] = s->time[place.next - s->begin];
        b->value[n++] =
            left >= 8 ? pc_load_high_first(c->at) >> (64 - width) : bits_at(c->at, left, 0, width);
        c->at += bytes;
        if (n == BATCH || !fst_step(c, 1, times, &place))
            break;
        if (place.next >= s->end) {
            c->at--;
            break;
        }
    } while (true);
    b->c.count = n;
    *now = last;
    return true;
}

/* Takes any record of several bits, or of what has none. */
static bool take_value(const struct fst_stream *stream, const struct wv_code *code, struct batch *b,
                       uint64_t time, bool characters, struct fst_cursor *c)
{
    const bool has_bits = code->kind == PC_VAR_BITS && code->width > 0;
    const uint64_t length = stream->form == FST_TEXT ? fst_number(c)
                            : characters             ? stream->length
                                                     : (stream->length + (uint64_t)7) / 8;
    const size_t size = fst_left(c), at = b->c.count * b->words;
    const uint8_t *from = fst_take(c, length);

    b->changes += from && !has_bits;
    if (!from || !has_bits)
        return from != NULL;
    if (characters)
        b->any_unknown |=
            take_characters(stream, from, code->width, b->value + at, b->unknown + at);
    else
        take_packed(from, size, code->width, b->value + at);
    b->time[b->c.count++] = time;
    return true;
}

/* Takes records of several bits, or of what has none. */
static bool take_values(const struct fst_spans *s, const struct fst_walk *w, struct batch *b,
                        struct fst_cursor *c, struct fst_place *now)
{
    const struct listening *own = s->ctx;
    const struct wv_code *code = &s->f->reader.hier.code[w->code];
    const struct fst_stream *stream = &s->f->stream[w->code];
    const bool one_word = code->kind == PC_VAR_BITS && stream->form == FST_BITS &&
                          code->width > 0 && code->width <= 64;
    const uint64_t times = s->f->loaded.now.times;
    const size_t most = b->words > BATCH ? 1 : BATCH / b->words;

    while (now->next < s->end) {
        const bool characters = now->head & 1;
        const bool right =
            one_word && !characters
                ? take_known_words(s, code->width, b, c, now)
                : take_value(stream, code, b, s->time[now->next - s->begin], characters, c);
        if (b->c.count == most)
            hand_over(own, b);
        if (!right || !fst_read_head(c, false, times, now->next, now))
            return false;
    }
    return true;
}

/* Takes records of an event variable: their times, but for those of a dump, which are no
 * triggers. */
static bool take_triggers(const struct fst_spans *s, const struct fst_walk *w, struct batch *b,
                          struct fst_cursor *c, struct fst_place *now)
{
    const struct listening *own = s->ctx;
    const struct fst_stream *stream = &s->f->stream[w->code];
    const bool single = stream->form == FST_BIT;
    const uint64_t times = s->f->loaded.now.times;

    while (now->next < s->end) {
        const uint64_t time = s->time[now->next - s->begin];
        const uint64_t length = now->head & 1 ? stream->length : (stream->length + (uint64_t)7) / 8;
        if (!single && !fst_take(c, length))
            return false;
        if (s->f->reader.dumps_events && time == s->totals->time_first)
            b->changes++;
        else
            b->time[b->c.count++] = time;
        if (b->c.count == BATCH)
            hand_over(own, b);
        if (!fst_read_head(c, single, times, now->next, now))
            return false;
    }
    return true;
}

static bool walk(const struct fst_spans *s, unsigned worker, struct fst_walk *w)
{
    const struct listening *own = s->ctx;
    const struct wv_code *code = &s->f->reader.hier.code[w->code];
    struct batch *b = &own->batch[worker];
    struct fst_cursor c = fst_walk_cursor(s->f, w);
    const bool single =
        s->f->stream[w->code].form == FST_BIT && code->kind == PC_VAR_BITS && code->width == 1;
    const bool event = code->kind == PC_VAR_EVENT && own->l->listener->events;

    b->words = code->width > 64 ? (code->width + (size_t)63) / 64 : 1;
    b->c = (struct pc_wave_changes){ .code = w->code,
                                     .time = b->time,
                                     .value = event ? NULL : b->value };
    const bool right = event    ? take_triggers(s, w, b, &c, &w->now)
                       : single ? take_bits(s, b, &c, &w->now)
                                : take_values(s, w, b, &c, &w->now);
    hand_over(own, b);
    return right;
}

/* ---- all of them ---- */

/* Starts with the values before the first time. */
static void start(const struct fst_spans *s)
{
    const struct listening *own = s->ctx;
    const struct pc_wave_listener *to = own->l->listener;
    const struct fst *f = s->f;
    struct batch *b = &own->batch[0];

    for (size_t i = 0; i < f->carried; i++) {
        const struct wv_code *code = &f->reader.hier.code[f->carry[i].code];
        if (code->kind != PC_VAR_BITS || code->width == 0)
            continue;
        const bool any = wv_pack(f->carry_bits + f->carry[i].at, code->width, b->value, b->unknown);
        const struct pc_wave_changes c = { .code = f->carry[i].code,
                                           .before = true,
                                           .count = 1,
                                           .time = &s->totals->time_first,
                                           .value = b->value,
                                           .unknown = any ? b->unknown : NULL };
        to->take(to->ctx, &c);
    }
    memset(b->unknown, 0, own->words * sizeof *b->unknown);
    b->changes += f->carried;
    to->begin(to->ctx, s->totals->time_first);
}

static void tell(const struct fst_spans *s, uint64_t changes)
{
    const struct listening *own = s->ctx;

    own->l->tell(own->l, changes);
}

static void section(const struct fst_spans *s, bool over)
{
    const struct listening *own = s->ctx;
    const struct pc_wave_listener *to = own->l->listener;

    if (s->end > s->begin) /* else all of the span is after `until` */
        to->section(to->ctx, s->time[s->end - s->begin - 1], over);
}

static bool make_batches(const struct fst *f, struct listening *own)
{
    const struct wv_hier *h = &f->reader.hier;

    own->words = BATCH;
    for (size_t i = 0; i < h->codes; i++)
        if ((h->code[i].width + (size_t)63) / 64 > own->words)
            own->words = (h->code[i].width + (size_t)63) / 64;
    own->batches = wv_team_size(f->team);
    own->batch = pc_calloc(&f->alloc, own->batches, sizeof *own->batch);
    for (size_t i = 0; own->batch && i < own->batches; i++) {
        struct batch *b = &own->batch[i];
        b->time = pc_calloc(&f->alloc, BATCH, sizeof *b->time);
        b->value = pc_calloc(&f->alloc, own->words, sizeof *b->value);
        b->unknown = pc_calloc(&f->alloc, own->words, sizeof *b->unknown);
        if (!b->time || !b->value || !b->unknown)
            return false;
    }
    return own->batch != NULL;
}

static void free_batches(const struct fst *f, struct listening *own)
{
    for (size_t i = 0; own->batch && i < own->batches; i++) {
        pc_free(&f->alloc, own->batch[i].time, BATCH * sizeof(uint64_t));
        pc_free(&f->alloc, own->batch[i].value, own->words * sizeof(uint64_t));
        pc_free(&f->alloc, own->batch[i].unknown, own->words * sizeof(uint64_t));
    }
    pc_free(&f->alloc, own->batch, own->batches * sizeof *own->batch);
}

bool fst_listen(struct wv_reader *r, const struct wv_listen *l)
{
    struct fst *f = (struct fst *)r;
    struct listening own = { .l = l };
    struct fst_spans s = { .f = f,
                           .totals = l->totals,
                           .until = l->listener->until,
                           .ctx = &own,
                           .start = start,
                           .walk = walk,
                           .tell = tell,
                           .first = l->listener->first,
                           .section = section };
    const bool right = make_batches(f, &own) && fst_walk_spans(&s);

    for (size_t i = 0; right && i < own.batches; i++)
        l->totals->changes += own.batch[i].changes;
    free_batches(f, &own);
    return right;
}
