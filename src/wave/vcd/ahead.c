/* SPDX-License-Identifier: MIT */
/*
 * See ahead.h.  Pieces are taken in their order.  A thread scans into slots of its own, which
 * stay in its cache; a slot is free again when the reader is past its piece, so that memory is
 * that of the slots.  The reader's own thread scans too, but only while the piece that it needs
 * is not ready, so the division of the work need not be known.
 *
 * Sleeping and waking take time.  So a thread without a free slot sleeps until half of them
 * are free, and the reader is woken for its piece alone.
 */
#include "wave/vcd/ahead.h"
#include "wave/input.h"
#include "wave/team.h"
#include "wave/vcd/slot.h"

#include <pthread.h>
#include <string.h>

#define PART ((size_t)1 << 18)
#define NEAR ((size_t)1 << 11) /* where the stamp after a part is looked for first */

enum part_state { PART_FREE, PART_TAKEN, PART_READY };

/* A piece that was taken, in the place of its number modulo `slots`. */
struct part {
    enum part_state state;
    struct worker *owner;
    struct vcd_slot *slot; /* of the owner */
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
    const struct vcd_scan_kernel *kernel;
    struct wv_team *team;
    size_t part; /* bytes of the file for one piece */
    size_t room; /* that, one byte in front, and where its last stamp is looked for */
    uint64_t begin;
    uint64_t pieces;  /* UINT64_MAX: none had no text so far */
    uint64_t current; /* the number of the piece that the reader looks at */
    pthread_mutex_t lock;
    pthread_cond_t ready; /* the current piece, for which the reader waits */
    bool waiting;
    uint64_t next; /* the first that is not taken */
    bool stop;
    unsigned workers;
    struct worker worker[WV_TEAM_MAX];
    size_t slots; /* of all of them */
    struct part *parts;
};

/* Returns the place of the first # after a newline, from `at` > 0 on; `size` if there is none. */
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

/* Returns the place after the newline of the line that begins at `at`; 0: it is not whole. */
static size_t line_end(const uint8_t *text, size_t at, size_t size)
{
    const uint8_t *p = at < size ? memchr(text + at, '\n', size - at) : NULL;

    return p ? (size_t)(p - text) + 1 : 0;
}

/* Gets bytes of the file as the part's text; *size is less than wanted at the file's end. */
static bool get_text(const struct vcd_ahead *a, uint64_t from, uint8_t *text, size_t wanted,
                     size_t *size)
{
    size_t rest = 0;

    if (wv_input_read_at(a->in, from + *size, text + *size, wanted - *size, &rest, NULL) != PC_OK)
        return false;
    *size += rest;
    return true;
}

/*
 * Reads the text of a part, from the byte in front of it to the line of the stamp after it, which
 * seldom is far. Returns its size; 0: it cannot be read.
 */
static size_t read_part(const struct vcd_ahead *a, uint64_t from, uint8_t *text)
{
    const size_t part = 1 + a->part, near = a->room < part + NEAR ? a->room : part + NEAR;
    size_t size = 0, end = 0;

    if (get_text(a, from, text, near, &size))
        end = line_end(text, find_stamp(text, part, size), size);
    if (end == 0 && size == near && near < a->room && get_text(a, from, text, a->room, &size))
        end = line_end(text, find_stamp(text, part, size), size);
    if (end > 0)
        size = end;
    memset(text + size, '\n', VCD_SCAN_SLACK);
    return size;
}

/*
 * Scans a part of the file; `from` a place in it on, it comes with the byte in front of it. The
 * stamps at both ends are in. false: the file ends before it.
 */
static bool scan_part(const struct vcd_ahead *a, uint64_t from, struct vcd_slot *s)
{
    struct vcd_piece *piece = &s->piece;
    const uint8_t *text = s->text;

    piece->begin = VCD_NOWHERE;
    piece->scan.used = 0;
    piece->scan.event = s->event;
    const size_t size = read_part(a, from, s->text);
    if (size < 2)
        return false;
    const size_t begin = find_stamp(text, 1, size < 1 + a->part ? size : 1 + a->part);
    const size_t line = line_end(text, begin, size);
    if (begin >= 1 + a->part || line == 0)
        return true;
    piece->begin = from + begin;
    piece->line = line - begin;
    piece->scan.text = text + begin;
    piece->scan.size = size - begin;
    piece->scan.kept = s->text + begin;
    piece->scan.kept_room = size - begin;
    piece->scan.clock = VCD_CLOCK_ANY;
    a->kernel->run(&piece->scan);
    return true;
}

/* Called with the lock, which is open while it scans. */
static void scan_piece(struct vcd_ahead *a, uint64_t number, struct vcd_slot *s)
{
    const uint64_t from = a->begin + number * a->part - 1;

    pthread_mutex_unlock(&a->lock);
    const bool is_there = scan_part(a, from, s);
    pthread_mutex_lock(&a->lock);
    if (!is_there && number < a->pieces)
        a->pieces = number;
}

/*
 * Takes the next piece if the thread has a free slot: called with the lock, which is open while it
 * scans.
 */
static bool take_next(struct vcd_ahead *a, struct worker *w)
{
    struct part *part = &a->parts[a->next % a->slots];
    const uint64_t number = a->next;

    if (number >= a->pieces || part->state != PART_FREE)
        return false;
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

/* The reader is past the current piece; called with the lock. */
static void free_current(struct vcd_ahead *a)
{
    struct part *part = &a->parts[a->current++ % a->slots];

    part->slot->taken = false;
    part->owner->used--;
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

static void release(struct vcd_ahead *a)
{
    struct pc_alloc alloc = a->alloc;

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
    if (!a->team || wv_team_size(a->team) < 2)
        return false;
    a->workers = wv_team_size(a->team);
    a->slots = (size_t)VCD_SLOTS * a->workers;
    a->parts = pc_calloc(&a->alloc, a->slots, sizeof *a->parts);
    for (unsigned i = 0; i < a->workers; i++)
        if (!vcd_slots_create(&a->worker[i].own, &a->alloc, a->room, desc->sets))
            return false;
    return a->parts;
}

/* Counts the pieces; the number of those of a compressed file shows at its end.  false: too few. */
static bool count_pieces(const struct vcd_ahead_desc *desc, size_t part, uint64_t *pieces)
{
    const uint64_t extent = wv_input_extent(desc->in);

    *pieces = UINT64_MAX;
    if (extent == 0)
        return wv_input_spread(desc->in, desc->threads);
    if (extent < desc->begin || extent - desc->begin < 4 * part)
        return false;
    *pieces = (extent - desc->begin + part - 1) / part;
    return true;
}

struct vcd_ahead *vcd_ahead_start(const struct vcd_ahead_desc *desc)
{
    const size_t part = desc->part ? desc->part : PART;
    uint64_t pieces;

    if (desc->threads < 2 || desc->begin == 0 || !count_pieces(desc, part, &pieces))
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
    a->pieces = pieces;
    if (!make_slots(a, desc)) {
        release(a);
        return NULL;
    }
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->ready, NULL);
    for (unsigned i = 0; i < a->workers; i++)
        pthread_cond_init(&a->worker[i].room, NULL);
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

/* Waits until the current piece is ready; called with the lock. */
static void wait_for_current(struct vcd_ahead *a, const struct part *part)
{
    while (a->next <= a->current || part->state == PART_TAKEN) {
        if (take_next(a, &a->worker[0]))
            continue;
        a->waiting = true;
        pthread_cond_wait(&a->ready, &a->lock);
        a->waiting = false;
    }
}

const struct vcd_piece *vcd_ahead_piece(struct vcd_ahead *a, uint64_t at)
{
    const struct vcd_piece *piece = NULL;

    pthread_mutex_lock(&a->lock);
    while (!piece && a->current < a->pieces) {
        const struct part *part = &a->parts[a->current % a->slots];
        wait_for_current(a, part);
        const struct vcd_piece *p = &part->slot->piece;
        if (p->begin != VCD_NOWHERE && p->begin >= at)
            piece = p;
        else
            free_current(a);
    }
    pthread_mutex_unlock(&a->lock);
    return piece;
}
