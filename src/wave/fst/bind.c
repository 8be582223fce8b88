/* SPDX-License-Identifier: MIT */
/*
 * Which chains a bound stream walks along, and which bits of them go where: from the taps of
 * bind.c, once; and where the chains are, in each block.
 */
#include "wave/fst/direct.h"

/* Makes room for one more. */
static bool grow(const struct fst *f, void **array, size_t *capacity, size_t count, size_t size)
{
    return pc_grow(&f->alloc, array, capacity, count + 1, size);
}

static void bind_role(const struct fst *f, struct fst_bound_stream *l, const struct wv_tap *t)
{
    struct fst_role *r = t->signal == WV_IFF ? &l->iff : &l->clock;

    r->code = t->code;
    r->character = f->reader.hier.code[t->code].width - 1 - t->bit;
}

/* Returns the track's part that has character `k`; most taps come in the order of their bits. */
static struct fst_part *part_of(const struct fst *f, struct fst_bound_stream *l,
                                struct fst_track *t, uint32_t k)
{
    for (size_t i = t->parts; i-- > 0;)
        if (l->part[t->part + i].word == k / 64)
            return &l->part[t->part + i];
    if (!grow(f, (void **)&l->part, &l->part_capacity, l->parts, sizeof *l->part))
        return NULL;
    struct fst_part *p = &l->part[l->parts++];
    *p = (struct fst_part){ .word = k / 64 };
    t->parts++;
    return p;
}

static bool bind_signal(const struct fst *f, struct fst_bound_stream *l, struct fst_track *t,
                        const struct wv_tap *tap)
{
    uint32_t k = f->reader.hier.code[tap->code].width - 1 - tap->bit;
    unsigned bit = 63 - k % 64;
    struct fst_part *p = part_of(f, l, t, k);

    if (!p)
        return false;
    if (p->wanted >> bit & 1) {
        if (!grow(f, (void **)&l->twin, &l->twin_capacity, l->twins, sizeof *l->twin))
            return false;
        l->twin[l->twins++] = (struct fst_twin){ p->signal[bit], tap->signal };
        return true;
    }
    p->wanted |= UINT64_C(1) << bit;
    p->unknown = p->later_unknown = p->first[1] = p->wanted; /* until its first value */
    p->signal[bit] = tap->signal;
    return true;
}

/* Binds the taps of one code that belong to the bound stream. */
static bool bind_slot(const struct fst *f, const struct pc_wave *wave, struct fst_bound_stream *l,
                      const struct wv_slot *slot)
{
    const ptrdiff_t stream = l->stream - wave->stream;
    struct fst_track *t = NULL;

    for (size_t i = slot->begin; i < slot->end; i++) {
        const struct wv_tap *tap = &wave->tap[i];
        if (tap->stream != stream)
            continue;
        if (i < slot->signals) {
            bind_role(f, l, tap);
            continue;
        }
        if (!t) {
            if (!grow(f, (void **)&l->track, &l->track_capacity, l->tracks, sizeof *l->track))
                return false;
            t = &l->track[l->tracks++];
            *t = (struct fst_track){ .walk.code = tap->code, .part = l->parts };
        }
        if (!bind_signal(f, l, t, tap))
            return false;
    }
    return true;
}

/* Binds those of the stream. */
static bool bind_planes(const struct fst *f, struct fst_bound_stream *l)
{
    struct wv_stream *st = l->stream;

    l->planes[0] = (struct fst_planes){ .kernel = pc_kernel_best(),
                                        .loops = f->loops ? f->loops : fst_loops_best(),
                                        .word = st->planes,
                                        .value = st->value,
                                        .unknown = st->unknown };
    l->planes[0].has = pc_calloc(&f->alloc, l->signals, 2);
    return l->planes[0].has != NULL;
}

/* Places the pointers of a set, then its words. */
static void place_planes(const struct fst_bound_stream *l, struct fst_planes *p, void *memory)
{
    const size_t n = l->signals;

    p->kernel = l->planes[0].kernel;
    p->loops = l->planes[0].loops;
    memset(p->has, FST_PLANE_MIXED, 2 * n); /* of whatever: they are cleared as they are used */
    p->value = memory;
    p->unknown = p->value + n;
    p->word = wv_align_planes(p->unknown + n);
    for (size_t i = 0; i < n; i++) {
        p->value[i] = p->word + 2 * i * WV_PLANE_WORDS;
        p->unknown[i] = p->value[i] + WV_PLANE_WORDS;
    }
}

/* Returns the bytes of a set; false: more than there can be. */
static bool set_size(size_t signals, size_t *size)
{
    size_t words, pointers;

    return pc_size_mul(signals, 2 * WV_PLANE_WORDS * sizeof(uint64_t), &words) &&
           pc_size_mul(signals, 2 * sizeof(uint64_t *), &pointers) &&
           pc_size_add(words, pointers + WV_PLANE_ALIGN, size);
}

/* Counts as many sets as stay in a cache. */
static unsigned count_sets(size_t signals)
{
    size_t size;

    if (!set_size(signals, &size) || size > FST_SETS_SIZE / FST_SETS)
        return 2;
    return FST_SETS;
}

/* Binds the other sets. */
static bool bind_more_planes(const struct fst *f, struct fst_bound_stream *l)
{
    const size_t more = l->sets - 1;
    size_t size;

    if (!set_size(l->signals, &size) || !pc_size_mul(size, more, &l->more_size))
        return false;
    l->more = f->alloc.resize(f->alloc.ctx, NULL, 0, l->more_size);
    if (!l->more)
        return false;
    wv_ask_for_large_pages(l->more, l->more_size);
    for (size_t i = 0; i < more; i++) {
        struct fst_planes *p = &l->planes[1 + i];
        p->has = pc_calloc(&f->alloc, l->signals, 2);
        if (!p->has)
            return false;
        place_planes(l, p, (uint8_t *)l->more + i * size);
    }
    return true;
}

/* Returns the bytes for the times of all pieces. */
static size_t times_size(const struct fst_bound_stream *l)
{
    return (size_t)l->pieces * WV_BLOCK_CYCLES * sizeof *l->time_memory;
}

static bool bind_stream(struct fst *f, const struct pc_wave *wave, struct fst_bound_stream *l)
{
    const size_t signals = l->stream->signals;
    const bool alone = wv_team_size(f->team) == 1;

    l->f = f;
    l->every = l->stream->clock.edge == PC_EDGE_EVERY;
    l->sets = alone || wave->streams > 1 ? 1 : count_sets(signals);
    l->pieces = alone ? 1 : l->sets > 2 ? FST_PIECES : 3;
    l->clock.level = l->iff.level = WV_X;
    l->over = true;
    for (size_t i = 0; i < wave->slots; i++)
        if (!bind_slot(f, wave, l, &wave->slot[i]))
            return false;
    const size_t lists = (size_t)l->pieces * FST_PIECE * sizeof *l->cycle_memory;
    l->cycle_memory = f->alloc.resize(f->alloc.ctx, NULL, 0, lists); /* not all of it is used */
    l->group = pc_calloc(&f->alloc, l->tracks, sizeof *l->group);
    if (!l->cycle_memory || (l->tracks > 0 && !l->group))
        return false;
    if (l->stream->time) {
        l->time_memory = f->alloc.resize(f->alloc.ctx, NULL, 0, times_size(l));
        if (!l->time_memory)
            return false;
    }
    for (unsigned i = 0; i < l->pieces; i++) {
        l->piece[i].cycle = l->cycle_memory + (size_t)i * FST_PIECE;
        l->piece[i].time = l->time_memory ? l->time_memory + (size_t)i * WV_BLOCK_CYCLES : NULL;
    }
    l->signals = signals;
    l->still = pc_calloc(&f->alloc, signals, 1);
    l->stream->told_still = l->still;
    if (signals > 0 && !l->still)
        return false;
    return signals == 0 || (bind_planes(f, l) && (l->sets == 1 || bind_more_planes(f, l)));
}

/* Returns true if there is a clock, of one bit, and that is all that is asked of it. */
static bool is_alone(const struct fst *f, const struct fst_bound_stream *l)
{
    bool other = l->every || (l->stream->clock.has_iff && l->iff.code == l->clock.code);

    for (size_t i = 0; i < l->tracks; i++)
        other |= l->track[i].walk.code == l->clock.code;
    return f->on_the_way && !other && f->stream[l->clock.code].form == FST_BIT;
}

enum pc_status fst_bind(struct fst *f, struct pc_wave *wave, struct pc_error *err)
{
    struct fst_direct *d = pc_calloc(&f->alloc, 1, sizeof *d);

    f->direct = d;
    if (!d)
        return fst_no_memory(err, "streams");
    d->wave = wave;
    f->on_the_way = wave->streams == 1; /* others may be far apart */
    d->bound = pc_calloc(&f->alloc, wave->streams, sizeof *d->bound);
    d->allocated = d->bound ? wave->streams : 0;
    d->workers = wv_team_size(f->team);
    d->rows = pc_calloc(&f->alloc, d->workers, sizeof *d->rows);
    if (!d->bound || !d->rows)
        return fst_no_memory(err, "streams");
    for (; d->bounds < wave->streams; d->bounds++) {
        struct fst_bound_stream *l = &d->bound[d->bounds];
        l->stream = &wave->stream[d->bounds];
        if (!bind_stream(f, wave, l)) {
            d->bounds++; /* what it has is to be freed */
            return fst_no_memory(err, "streams");
        }
    }
    f->early[0] = d->bound[0].every ? UINT32_MAX : d->bound[0].clock.code;
    f->early[1] = d->bound[0].stream->clock.has_iff ? d->bound[0].iff.code : f->early[0];
    f->clock_alone = is_alone(f, &d->bound[0]);
    return PC_OK;
}

void fst_direct_free(struct fst *f)
{
    const struct pc_alloc *a = &f->alloc;
    struct fst_direct *d = f->direct;

    if (!d)
        return;
    for (unsigned i = 0; i < d->bounds; i++) {
        struct fst_bound_stream *l = &d->bound[i];
        pc_free(a, l->track, l->track_capacity * sizeof *l->track);
        pc_free(a, l->part, l->part_capacity * sizeof *l->part);
        pc_free(a, l->twin, l->twin_capacity * sizeof *l->twin);
        pc_free(a, l->still, l->signals);
        pc_free(a, l->group, l->tracks * sizeof *l->group);
        for (unsigned k = 0; k < FST_SETS; k++)
            pc_free(a, l->planes[k].has, 2 * l->signals);
        pc_free(a, l->more, l->more_size);
        pc_free(a, l->cycle_memory, (size_t)l->pieces * FST_PIECE * sizeof *l->cycle_memory);
        pc_free(a, l->time_memory, times_size(l));
    }
    pc_free(a, d->bound, d->allocated * sizeof *d->bound);
    pc_free(a, d->rows, d->workers * sizeof *d->rows);
    pc_free(a, d, sizeof *d);
    f->direct = NULL;
}

/* ---- initial values ---- */

/* Sets a track's values before the first timestamp. */
static void set_first(const struct fst *f, struct fst_bound_stream *l, const struct fst_track *t,
                      const char *bits)
{
    uint32_t width = f->reader.hier.code[t->walk.code].width;

    for (size_t i = 0; i < t->parts; i++) {
        struct fst_part *p = &l->part[t->part + i];
        p->value = p->unknown = 0;
        for (uint32_t k = 64 * p->word; k < width && k / 64 == p->word; k++) {
            enum wv_level level = wv_level_of(bits[k]);
            p->value |= (uint64_t)(level == WV_1) << (63 - k % 64);
            p->unknown |= (uint64_t)(level == WV_X) << (63 - k % 64);
        }
        p->later_value = p->first[0] = p->value &= p->wanted;
        p->later_unknown = p->first[1] = p->unknown &= p->wanted;
    }
}

static void frame_value(const struct fst *f, struct fst_bound_stream *l, uint32_t code,
                        const char *bits)
{
    if (l->clock.code == code)
        l->clock.level = wv_level_of(bits[l->clock.character]);
    if (l->stream->clock.has_iff && l->iff.code == code)
        l->iff.level = wv_level_of(bits[l->iff.character]);
    for (size_t i = 0; i < l->tracks; i++)
        if (l->track[i].walk.code == code)
            set_first(f, l, &l->track[i], bits);
}

void fst_bind_frame(struct fst *f)
{
    for (unsigned i = 0; i < f->direct->bounds; i++)
        for (size_t k = 0; k < f->carried; k++)
            frame_value(f, &f->direct->bound[i], f->carry[k].code, f->carry_bits + f->carry[k].at);
    f->carried = f->carry_bits_used = 0;
    f->initial = false;
}

/* ---- blocks ---- */

/* Finds where the loaded block has the chain of a code; its first record is read if it is
 * unpacked. */
static void find_walk(const struct fst *f, uint32_t code, struct fst_walk *out)
{
    size_t low = 0, high = f->loaded.walks;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (f->loaded.walk[mid].code < code)
            low = mid + 1;
        else
            high = mid;
    }
    *out = (struct fst_walk){ .code = code, .now.next = FST_NEVER };
    if (low == f->loaded.walks || f->loaded.walk[low].code != code)
        return;
    *out = f->loaded.walk[low];
    if (f->loaded.chain[out->chain].data)
        out->end = f->loaded.chain[out->chain].data + f->loaded.chain[out->chain].size;
}

static void begin_role(struct fst *f, struct fst_role *r)
{
    find_walk(f, r->code, &r->walk);
    r->packed_clock = f->loaded.chain[r->walk.chain].left_packed ? &f->direct->packed_clock : NULL;
    if (r->packed_clock)
        r->c = fst_packed_clock_cursor(f, &r->walk);
    else if (r->walk.now.next != FST_NEVER)
        r->c = fst_walk_cursor(f, &r->walk);
}

void fst_bind_block(struct fst *f)
{
    for (unsigned i = 0; i < f->direct->bounds; i++) {
        struct fst_bound_stream *l = &f->direct->bound[i];
        if (l->every)
            l->clock.walk.now.next = FST_NEVER;
        else
            begin_role(f, &l->clock);
        if (l->stream->clock.has_iff)
            begin_role(f, &l->iff);
        for (size_t k = 0; k < l->tracks; k++)
            find_walk(f, l->track[k].walk.code, &l->track[k].walk);
        l->times.c = f->loaded.now.time;
        l->times.chunk = 0;
        l->times.clock = f->loaded.now.clock;
        l->times.begin = l->times.end = 0;
        l->index = 0;
        l->made = l->ended = 0;
        l->fails = UINT64_MAX;
        l->used = 0;
        l->over = l->complete = f->loaded.now.times == 0;
        fst_flow_groups(l, wv_team_size(f->team));
    }
}
