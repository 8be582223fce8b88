/* SPDX-License-Identifier: MIT */
/*
 * See ahead.h.  Pieces are taken in their order.  A thread scans into slots of its own, which
 * stay in its cache; a slot is free again when the reader is past its piece, so that memory is
 * that of the slots.  The reader's own thread scans too, but only while the piece that it needs
 * is not ready: nobody has to know how the work divides.
 *
 * To sleep and to be woken takes time.  So a thread without a free slot sleeps until half of them
 * are free, and the reader is woken for its piece alone.
 *
 * A piece of a mapped file is looked at where it stands, or read, as is faster (way.h).
 *
 * Of pieces that belong to other processes (share.h) the reader's thread takes what they send.
 */
#include "wave/vcd/ahead.h"
#include "wave/team.h"
#include "wave/vcd/share.h"
#include "wave/vcd/slot.h"

#include <pthread.h>
#include <string.h>

#define PART ((size_t)1 << 18)
#define NEAR ((size_t)1 << 11) /* where the stamp behind a part is looked for first */

enum part_state { PART_FREE, PART_TAKEN, PART_AWAY, PART_READY };

/* A piece that was taken, in the place of its number modulo `slots`. */
struct part {
    enum part_state state;
    struct worker *owner;
    struct vcd_slot *slot; /* of the owner; NULL: it is scanned elsewhere, and this: */
    struct vcd_piece away;
    const void *message; /* of another process, which `away` points into */
};

/* A thread of the team. */
struct worker {
    struct vcd_slots own;
    pthread_cond_t room; /* half of its slots are free */
    unsigned used;       /* of them */
    bool asleep;
};

struct vcd_ahead {
    struct pc_alloc alloc;
    struct wv_input *in;
    const uint8_t *map; /* of the whole file; NULL: it is read */
    struct vcd_way way; /* in which a file that has one is looked at */
    const struct vcd_scan_kernel *kernel;
    struct wv_team *team;
    const struct pc_wave_share *share; /* NULL: no other process */
    uint64_t print;                    /* as all ranks must have it */
    size_t part;                       /* bytes of the file for one piece */
    size_t room; /* that, one byte in front, and where its last stamp is looked for */
    uint64_t begin, pieces;
    uint64_t current; /* the number of the piece that the reader looks at */
    pthread_mutex_t lock;
    pthread_cond_t ready; /* the current piece, for which the reader waits */
    bool waiting;
    uint64_t next; /* the first that nobody has taken */
    bool stop;
    unsigned workers;
    struct worker worker[WV_TEAM_MAX];
    size_t slots; /* of all of them */
    struct part *parts;
};

/* The place of the first # behind a newline, from `at` > 0 on; `size` if there is none. */
static size_t find_stamp(const uint8_t *text, size_t at, size_t size)
{
    while (at < size) {
        const uint8_t *p = memchr(text + at, '#', size - at);
        if (!p)
            return size;
        at = (size_t)(p - text);
        if (text[at - 1] == '\n')
            return at;
        at++;
    }
    return size;
}

/* Behind the newline of the line that begins at `at`; 0: it is not whole. */
static size_t line_end(const uint8_t *text, size_t at, size_t size)
{
    const uint8_t *p = at < size ? memchr(text + at, '\n', size - at) : NULL;

    return p ? (size_t)(p - text) + 1 : 0;
}

/* Where a part may be seen in the map: all that is read behind it, too, is in the file. */
static const uint8_t *in_map(const struct vcd_ahead *a, uint64_t from)
{
    const uint64_t left = wv_input_extent(a->in) - from;

    return a->map && left >= a->room + VCD_SCAN_SLACK && !wv_input_gone(a->in) ? a->map + from
                                                                               : NULL;
}

/* Bytes of the file as the part's text; *size is less than wanted at the file's end. */
static bool get_text(const struct vcd_ahead *a, uint64_t from, const uint8_t *mapped, uint8_t *text,
                     size_t wanted, size_t *size)
{
    size_t rest = 0;

    if (mapped) {
        *size = wanted;
        return true;
    }
    if (wv_input_read_at(a->in, from + *size, text + *size, wanted - *size, &rest, NULL) != PC_OK)
        return false;
    *size += rest;
    return true;
}

/*
 * The text of a part, from the byte in front of it to the line of the stamp behind it, which
 * seldom is far; *size 0: it cannot be read.
 */
static const uint8_t *part_text(const struct vcd_ahead *a, uint64_t from, bool maps, uint8_t *room,
                                size_t *size)
{
    const size_t part = 1 + a->part, near = a->room < part + NEAR ? a->room : part + NEAR;
    const uint8_t *mapped = maps ? in_map(a, from) : NULL, *text = mapped ? mapped : room;
    size_t end = 0;

    *size = 0;
    if (get_text(a, from, mapped, room, near, size))
        end = line_end(text, find_stamp(text, part, *size), *size);
    if (end == 0 && *size == near && near < a->room &&
        get_text(a, from, mapped, room, a->room, size))
        end = line_end(text, find_stamp(text, part, *size), *size);
    if (end > 0)
        *size = end;
    if (!mapped)
        memset(room + *size, '\n', VCD_SCAN_SLACK);
    return text;
}

/*
 * A part of the file, `from` a place in it on, comes with the byte in front of it.  The stamps at
 * both ends are in.
 */
static void scan_part(const struct vcd_ahead *a, uint64_t from, bool maps, struct vcd_slot *s)
{
    struct vcd_piece *piece = &s->piece;
    size_t size;

    piece->begin = VCD_NOWHERE;
    piece->scan.used = 0;
    piece->scan.event = s->event;
    piece->scan.stamp_of = NULL;
    const uint8_t *text = part_text(a, from, maps, s->text, &size);
    if (size < 2)
        return;
    const size_t begin = find_stamp(text, 1, size < 1 + a->part ? size : 1 + a->part);
    const size_t line = line_end(text, begin, size);
    if (begin >= 1 + a->part || line == 0)
        return;
    piece->begin = from + begin;
    piece->line = line - begin;
    piece->scan.text = text + begin;
    piece->scan.size = size - begin;
    piece->scan.kept = s->text + begin;
    piece->scan.kept_room = size - begin;
    piece->scan.clock = VCD_CLOCK_ANY;
    a->kernel->run(&piece->scan);
    if (text != s->text && wv_input_gone(a->in)) { /* some of it was zeros: the reader's */
        piece->begin = VCD_NOWHERE;
        piece->scan.used = 0;
    }
}

/* Called with the lock, which is open while it scans. */
static void scan_piece(struct vcd_ahead *a, uint64_t number, struct vcd_slot *s)
{
    const uint64_t from = a->begin + number * a->part - 1;
    const bool maps = a->map && vcd_way_maps(&a->way, from);
    const bool timed = a->map && vcd_way_times(&a->way, from);

    pthread_mutex_unlock(&a->lock);
    const uint64_t before = timed ? vcd_way_now() : 0;
    scan_part(a, from, maps, s);
    const uint64_t spent = timed ? vcd_way_now() - before : 0;
    pthread_mutex_lock(&a->lock);
    if (timed)
        vcd_way_spent(&a->way, from, a->part, spent);
}

static bool is_mine(const struct vcd_ahead *a, uint64_t number)
{
    return !a->share || vcd_share_owner(a->share, number) == a->share->rank;
}

/*
 * Takes the next piece if the thread has a free slot: called with the lock, which is open while it
 * scans.  One that is scanned elsewhere is only noted.
 */
static bool take_next(struct vcd_ahead *a, struct worker *w)
{
    struct part *part = &a->parts[a->next % a->slots];
    const uint64_t number = a->next;

    if (number == a->pieces || part->state != PART_FREE)
        return false;
    if (!is_mine(a, number)) {
        a->next++;
        part->state = PART_AWAY;
        return true;
    }
    struct vcd_slot *s = vcd_slots_free(&w->own);
    if (!s)
        return false;
    a->next++;
    w->used++;
    s->taken = true;
    part->owner = w;
    part->slot = s;
    part->state = PART_TAKEN;
    scan_piece(a, number, s);
    part->state = PART_READY;
    if (a->waiting && number == a->current)
        pthread_cond_signal(&a->ready);
    return true;
}

static void give_back(const struct vcd_ahead *a, struct part *part)
{
    if (part->message)
        a->share->release(a->share->ctx, part->message);
    part->message = NULL;
}

/* The reader is past the current piece; called with the lock. */
static void free_current(struct vcd_ahead *a)
{
    struct part *part = &a->parts[a->current++ % a->slots];

    if (part->slot) {
        part->slot->taken = false;
        part->owner->used--;
    }
    give_back(a, part);
    part->slot = NULL;
    part->state = PART_FREE;
    for (unsigned i = 0; i < a->workers; i++) {
        struct worker *w = &a->worker[i];
        if (w->asleep && w->used <= VCD_SLOTS / 2) {
            w->asleep = false;
            pthread_cond_signal(&w->room);
        }
    }
}

static enum pc_status scan_pieces(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    struct vcd_ahead *a = ctx;
    struct worker *w = &a->worker[worker];

    (void)task;
    (void)err;
    pthread_mutex_lock(&a->lock);
    while (!a->stop && a->next < a->pieces) {
        if (take_next(a, w))
            continue;
        for (w->asleep = true; w->asleep;)
            pthread_cond_wait(&w->room, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return PC_OK;
}

static void *bytes(const struct vcd_ahead *a, size_t size)
{
    return a->alloc.resize(a->alloc.ctx, NULL, 0, size);
}

static void free_bytes(const struct vcd_ahead *a, void *p, size_t size)
{
    if (p)
        pc_free(&a->alloc, p, size);
}

static void release(struct vcd_ahead *a)
{
    struct pc_alloc alloc = a->alloc;

    for (size_t i = 0; a->parts && i < a->slots; i++)
        give_back(a, &a->parts[i]);
    if (a->parts)
        pc_free(&alloc, a->parts, a->slots * sizeof *a->parts);
    for (unsigned i = 0; i < a->workers; i++)
        vcd_slots_destroy(&a->worker[i].own, &alloc);
    wv_team_destroy(a->team);
    pc_free(&alloc, a, sizeof *a);
}

static bool make_slots(struct vcd_ahead *a, const struct vcd_ahead_desc *desc)
{
    a->team = wv_team_create(&a->alloc, desc->threads);
    if (!a->team || (wv_team_size(a->team) < 2 && !a->share && !a->map))
        return false;
    a->workers = wv_team_size(a->team);
    a->slots = (size_t)VCD_SLOTS * a->workers;
    a->parts = pc_calloc(&a->alloc, a->slots, sizeof *a->parts);
    for (size_t i = 0; a->parts && i < a->slots; i++)
        a->parts[i].away.scan.sets = desc->sets;
    for (unsigned i = 0; i < a->workers; i++)
        if (!vcd_slots_create(&a->worker[i].own, &a->alloc, a->room, desc->sets))
            return false;
    return a->parts;
}

struct vcd_ahead *vcd_ahead_start(const struct vcd_ahead_desc *desc)
{
    const uint64_t extent = wv_input_extent(desc->in);
    const size_t part = desc->part ? desc->part : PART;
    const struct pc_wave_share *share = desc->share && desc->share->ranks > 1 ? desc->share : NULL;

    if (desc->begin == 0 || extent < desc->begin || extent - desc->begin < 4 * part)
        return NULL;
    const uint8_t *map = wv_input_map(desc->in);
    if (desc->threads < 2 && !share && !map)
        return NULL;
    struct vcd_ahead *a = pc_calloc(desc->alloc, 1, sizeof *a);
    if (!a)
        return NULL;
    a->alloc = *desc->alloc;
    a->in = desc->in;
    a->map = map;
    a->kernel = desc->kernel;
    a->part = part;
    a->room = 1 + part + part / 4;
    a->begin = desc->begin;
    a->pieces = (extent - desc->begin + part - 1) / part;
    a->share = share;
    a->print = share ? vcd_share_print(desc->in, desc->sets, desc->begin) : 0;
    if (!make_slots(a, desc)) {
        release(a);
        return NULL;
    }
    a->way = vcd_way(desc->ways, part, a->workers);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->ready, NULL);
    for (unsigned i = 0; i < a->workers; i++)
        pthread_cond_init(&a->worker[i].room, NULL);
    if (!share || share->rank == 0) /* elsewhere all is done in vcd_ahead_serve() */
        wv_team_begin(a->team, scan_pieces, a);
    return a;
}

void vcd_ahead_stop(struct vcd_ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    for (unsigned i = 0; i < a->workers; i++) {
        a->worker[i].asleep = false;
        pthread_cond_signal(&a->worker[i].room);
    }
    pthread_mutex_unlock(&a->lock);
    wv_team_end(a->team);
    for (unsigned i = 0; i < a->workers; i++)
        pthread_cond_destroy(&a->worker[i].room);
    pthread_cond_destroy(&a->ready);
    pthread_mutex_destroy(&a->lock);
    release(a);
}

/* On the reader's thread: what the rank that has the piece found. */
static enum pc_status fetch(struct vcd_ahead *a, struct part *part, struct pc_error *err)
{
    const unsigned from = vcd_share_owner(a->share, a->current);
    size_t size;
    enum pc_status status = a->share->receive(a->share->ctx, from, &part->message, &size, err);

    if (status) {
        part->message = NULL;
        return status;
    }
    if (vcd_share_unpack(&part->away, a->current, a->print, part->message, size) &&
        part->away.scan.used <= a->room && part->away.line <= a->room)
        return PC_OK;
    return pc_fail(err, 535, "rank %u sent what is not piece %llu of this file", from,
                   (unsigned long long)a->current);
}

/* Until the current piece is ready; called with the lock. */
static enum pc_status wait_for_current(struct vcd_ahead *a, struct part *part, struct pc_error *err)
{
    while (a->next <= a->current || part->state == PART_TAKEN) {
        if (take_next(a, &a->worker[0]))
            continue;
        a->waiting = true;
        pthread_cond_wait(&a->ready, &a->lock);
        a->waiting = false;
    }
    if (part->state == PART_READY)
        return PC_OK;
    pthread_mutex_unlock(&a->lock);
    const enum pc_status status = fetch(a, part, err);
    pthread_mutex_lock(&a->lock);
    if (status == PC_OK)
        part->state = PART_READY;
    return status;
}

enum pc_status vcd_ahead_piece(struct vcd_ahead *a, uint64_t at, const struct vcd_piece **piece,
                               struct pc_error *err)
{
    enum pc_status status = PC_OK;

    *piece = NULL;
    pthread_mutex_lock(&a->lock);
    while (!*piece && a->current < a->pieces) {
        struct part *part = &a->parts[a->current % a->slots];
        status = wait_for_current(a, part, err);
        if (status)
            break;
        const struct vcd_piece *p = part->slot ? &part->slot->piece : &part->away;
        if (p->begin != VCD_NOWHERE && p->begin >= at)
            *piece = p;
        else
            free_current(a);
    }
    pthread_mutex_unlock(&a->lock);
    wv_input_past(a->in, a->begin + a->current * a->part - 1);
    return status;
}

enum pc_status vcd_ahead_serve(struct vcd_ahead *a, struct pc_error *err)
{
    const struct pc_wave_share *share = a->share;
    struct vcd_slots *own = &a->worker[0].own;
    const size_t room = vcd_share_room(a->room);
    void *message = bytes(a, room);
    enum pc_status status = PC_OK;

    if (!message)
        return pc_fail(err, 100, "not enough memory for a message of %zu bytes", room);
    for (uint64_t n = 0; n < a->pieces && status == PC_OK && !share->stopped(share->ctx); n++) {
        if (!is_mine(a, n))
            continue;
        pthread_mutex_lock(&a->lock);
        scan_piece(a, n, &own->slot[0]);
        pthread_mutex_unlock(&a->lock);
        status = share->send(share->ctx, message,
                             vcd_share_pack(&own->slot[0].piece, n, a->print, message), err);
        wv_input_past(a->in, a->begin + n * a->part - 1);
    }
    free_bytes(a, message, room);
    return status;
}
