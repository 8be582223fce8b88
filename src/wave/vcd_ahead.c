/* SPDX-License-Identifier: MIT */
/*
 * See vcd_ahead.h.  Pieces are taken in their order, each into a slot; a slot is free again
 * when the reader is past its piece, so that memory is that of the slots.  The reader's own
 * thread scans too, but only while the piece that it needs is not ready: nobody has to know
 * how the work divides.
 *
 * Of pieces that belong to other processes (vcd_share.h) the reader's thread takes what they send.
 */
#include "wave/vcd_ahead.h"
#include "wave/team.h"
#include "wave/vcd_share.h"

#include <pthread.h>
#include <string.h>

#define PART ((size_t)1 << 18)
#define NEAR ((size_t)1 << 11) /* where the stamp behind a part is looked for first */

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_AWAY, SLOT_READY };

struct slot {
    enum slot_state state;
    struct vcd_piece piece;
    uint8_t *text; /* room + VCD_SCAN_SLACK bytes */
    struct wv_event *event;
    const void *message; /* of another process, which the piece points into */
};

struct vcd_ahead {
    struct pc_alloc alloc;
    const struct wv_input *in;
    const struct vcd_scan_kernel *kernel;
    struct wv_team *team;
    const struct pc_wave_share *share; /* NULL: no other process */
    uint64_t print;                    /* as all ranks must have it */
    size_t part;                       /* bytes of the file for one piece */
    size_t room; /* that, one byte in front, and where its last stamp is looked for */
    uint64_t begin, pieces;
    uint64_t current; /* the number of the piece that the reader looks at */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* what follows */
    uint64_t next;          /* the first that nobody has taken */
    bool stop;
    size_t slots;
    struct slot *slot;
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

/*
 * The text of a part, from the byte in front of it to the line of the stamp behind it, which
 * seldom is far; *size 0: it cannot be read.
 */
static void read_part(const struct vcd_ahead *a, uint64_t from, uint8_t *text, size_t *size)
{
    const size_t part = 1 + a->part, more = a->room < part + NEAR ? a->room : part + NEAR;
    size_t end = 0, rest;

    if (wv_input_read_at(a->in, from, text, more, size, NULL) != PC_OK)
        *size = 0;
    end = line_end(text, find_stamp(text, part, *size), *size);
    if (end == 0 && *size == more && more < a->room &&
        wv_input_read_at(a->in, from + more, text + more, a->room - more, &rest, NULL) == PC_OK) {
        *size += rest;
        end = line_end(text, find_stamp(text, part, *size), *size);
    }
    if (end > 0)
        *size = end;
}

/* A part of the file is read with the byte in front of it.  The stamps at both ends are in. */
static void scan_piece(const struct vcd_ahead *a, uint64_t number, struct slot *s)
{
    struct vcd_piece *piece = &s->piece;
    const uint64_t from = a->begin + number * a->part - 1;
    size_t size;

    piece->begin = VCD_NOWHERE;
    piece->scan.used = 0;
    piece->scan.event = s->event;
    piece->scan.stamp_of = NULL;
    read_part(a, from, s->text, &size);
    if (size < 2)
        return;
    const size_t begin = find_stamp(s->text, 1, size < 1 + a->part ? size : 1 + a->part);
    const size_t line = line_end(s->text, begin, size);
    if (begin >= 1 + a->part || line == 0)
        return;
    memset(s->text + size, '\n', VCD_SCAN_SLACK);
    piece->begin = from + begin;
    piece->line = line - begin;
    piece->scan.text = s->text + begin;
    piece->scan.size = size - begin;
    piece->scan.kept = s->text + begin;
    piece->scan.kept_room = size - begin;
    piece->scan.clock = VCD_CLOCK_ANY;
    a->kernel->run(&piece->scan);
}

static bool is_mine(const struct vcd_ahead *a, uint64_t number)
{
    return !a->share || vcd_share_owner(a->share, number) == a->share->rank;
}

/*
 * Takes the next piece if its slot is free: called with the lock, which is open while it scans.
 * One that is scanned elsewhere is only noted.
 */
static bool take_next(struct vcd_ahead *a)
{
    struct slot *s = &a->slot[a->next % a->slots];

    if (a->next == a->pieces || s->state != SLOT_FREE)
        return false;
    const uint64_t number = a->next++;
    if (!is_mine(a, number)) {
        s->state = SLOT_AWAY;
        return true;
    }
    s->state = SLOT_TAKEN;
    pthread_mutex_unlock(&a->lock);
    scan_piece(a, number, s);
    pthread_mutex_lock(&a->lock);
    s->state = SLOT_READY;
    pthread_cond_broadcast(&a->changed);
    return true;
}

static enum pc_status scan_pieces(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    struct vcd_ahead *a = ctx;

    (void)worker;
    (void)task;
    (void)err;
    pthread_mutex_lock(&a->lock);
    while (!a->stop && a->next < a->pieces)
        if (!take_next(a))
            pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    return PC_OK;
}

static void *bytes(const struct vcd_ahead *a, size_t size)
{
    return a->alloc.resize(a->alloc.ctx, NULL, 0, size);
}

static bool make_slot(const struct vcd_ahead *a, struct slot *s, const struct vcd_sets *sets)
{
    struct vcd_scan *scan = &s->piece.scan;

    scan->sets = sets;
    scan->spans = (a->room + VCD_SPAN - 1) / VCD_SPAN;
    scan->events_capacity = VCD_SCAN_EVENTS;
    scan->mark = bytes(a, scan->spans * sizeof *scan->mark);
    scan->cuts_room = a->room / VCD_LEAST_CUT;
    scan->cut = bytes(a, (scan->cuts_room + 1) * sizeof *scan->cut);
    s->event = bytes(a, VCD_SCAN_EVENTS * sizeof *s->event);
    s->text = bytes(a, a->room + VCD_SCAN_SLACK);
    return scan->mark && scan->cut && s->event && s->text;
}

static void free_bytes(const struct vcd_ahead *a, void *p, size_t size)
{
    if (p)
        pc_free(&a->alloc, p, size);
}

static void give_back(const struct vcd_ahead *a, struct slot *s)
{
    if (s->message)
        a->share->release(a->share->ctx, s->message);
    s->message = NULL;
}

static void release(struct vcd_ahead *a)
{
    struct pc_alloc alloc = a->alloc;

    for (size_t i = 0; a->slot && i < a->slots; i++) {
        const struct vcd_scan *scan = &a->slot[i].piece.scan;
        free_bytes(a, scan->mark, scan->spans * sizeof *scan->mark);
        free_bytes(a, scan->cut, (scan->cuts_room + 1) * sizeof *scan->cut);
        give_back(a, &a->slot[i]);
        free_bytes(a, a->slot[i].event, VCD_SCAN_EVENTS * sizeof *a->slot[i].event);
        free_bytes(a, a->slot[i].text, a->room + VCD_SCAN_SLACK);
    }
    if (a->slot)
        pc_free(&alloc, a->slot, a->slots * sizeof *a->slot);
    wv_team_destroy(a->team);
    pc_free(&alloc, a, sizeof *a);
}

static bool make_slots(struct vcd_ahead *a, const struct vcd_ahead_desc *desc)
{
    a->team = wv_team_create(&a->alloc, desc->threads);
    if (!a->team || (wv_team_size(a->team) < 2 && !a->share))
        return false;
    a->slots = 2 * (size_t)(wv_team_size(a->team) > 1 ? wv_team_size(a->team) : 2);
    a->slot = pc_calloc(&a->alloc, a->slots, sizeof *a->slot);
    for (size_t i = 0; a->slot && i < a->slots; i++)
        if (!make_slot(a, &a->slot[i], desc->sets))
            return false;
    return a->slot != NULL;
}

struct vcd_ahead *vcd_ahead_start(const struct vcd_ahead_desc *desc)
{
    const uint64_t extent = wv_input_extent(desc->in);
    const size_t part = desc->part ? desc->part : PART;
    const struct pc_wave_share *share = desc->share && desc->share->ranks > 1 ? desc->share : NULL;

    if ((desc->threads < 2 && !share) || desc->begin == 0 || extent < desc->begin ||
        extent - desc->begin < 4 * part)
        return NULL;
    struct vcd_ahead *a = pc_calloc(desc->alloc, 1, sizeof *a);
    if (!a)
        return NULL;
    a->alloc = *desc->alloc;
    a->in = desc->in;
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
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
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
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    wv_team_end(a->team);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    release(a);
}

/* On the reader's thread: what the rank that has the piece found. */
static enum pc_status fetch(struct vcd_ahead *a, struct slot *s, struct pc_error *err)
{
    const unsigned from = vcd_share_owner(a->share, a->current);
    size_t size;
    enum pc_status status = a->share->receive(a->share->ctx, from, &s->message, &size, err);

    if (status) {
        s->message = NULL;
        return status;
    }
    if (vcd_share_unpack(&s->piece, a->current, a->print, s->message, size) &&
        s->piece.scan.used <= a->room && s->piece.line <= a->room)
        return PC_OK;
    return pc_fail(err, 535, "rank %u sent what is not piece %llu of this file", from,
                   (unsigned long long)a->current);
}

/* The slot of the current piece, when it is ready; called with the lock. */
static enum pc_status wait_for_current(struct vcd_ahead *a, struct slot *s, struct pc_error *err)
{
    while (a->next <= a->current || (s->state != SLOT_READY && s->state != SLOT_AWAY))
        if (!take_next(a))
            pthread_cond_wait(&a->changed, &a->lock);
    if (s->state == SLOT_READY)
        return PC_OK;
    pthread_mutex_unlock(&a->lock);
    const enum pc_status status = fetch(a, s, err);
    pthread_mutex_lock(&a->lock);
    if (status == PC_OK)
        s->state = SLOT_READY;
    return status;
}

enum pc_status vcd_ahead_piece(struct vcd_ahead *a, uint64_t at, const struct vcd_piece **piece,
                               struct pc_error *err)
{
    enum pc_status status = PC_OK;

    *piece = NULL;
    pthread_mutex_lock(&a->lock);
    while (!*piece && a->current < a->pieces) {
        struct slot *s = &a->slot[a->current % a->slots];
        status = wait_for_current(a, s, err);
        if (status)
            break;
        if (s->piece.begin != VCD_NOWHERE && s->piece.begin >= at) {
            *piece = &s->piece;
        } else {
            give_back(a, s);
            s->state = SLOT_FREE;
            a->current++;
            pthread_cond_broadcast(&a->changed);
        }
    }
    pthread_mutex_unlock(&a->lock);
    return status;
}

enum pc_status vcd_ahead_serve(struct vcd_ahead *a, struct pc_error *err)
{
    const struct pc_wave_share *share = a->share;
    const size_t room = vcd_share_room(a->room);
    void *message = bytes(a, room);
    enum pc_status status = PC_OK;

    if (!message)
        return pc_fail(err, 100, "not enough memory for a message of %zu bytes", room);
    for (uint64_t n = 0; n < a->pieces && status == PC_OK && !share->stopped(share->ctx); n++) {
        if (!is_mine(a, n))
            continue;
        scan_piece(a, n, &a->slot[0]);
        status = share->send(share->ctx, message,
                             vcd_share_pack(&a->slot[0].piece, n, a->print, message), err);
    }
    free_bytes(a, message, room);
    return status;
}
