/* SPDX-License-Identifier: MIT */
/*
 * Members that follow each other are units of about a megabyte, or one member that is larger.  A
 * unit is unpacked whole, into one of a few buffers, by the first thread that comes for its bytes;
 * who comes while that goes on unpacks one of the units after it.  How long a unit is, and so where
 * the next one begins among the unpacked bytes, is known when it is unpacked.
 */
#include "wave/input_members.h"

#include "wave/input_codec.h"
#include "wave/team.h"

#include <pthread.h>
#include <string.h>

#define UNIT_LEAST  ((uint64_t)1 << 20)
#define UNITS_WORTH 16 /* for each buffer: to touch fresh memory takes as long as to unpack */
#define MEMORY_MOST ((size_t)256 << 20) /* bytes of units, packed and unpacked */
#define UNKNOWN     UINT64_MAX

struct unit {
    uint64_t byte;  /* of the file, where it begins */
    uint64_t place; /* of the unpacked bytes; UNKNOWN: not all units before it are unpacked */
    uint64_t size;  /* unpacked; UNKNOWN: not yet */
};

/* An unpacker for one thread at a time: a decoder whose raw bytes are a unit's. */
struct lane {
    struct wv_decoder decoder;
    bool busy;
};

enum state { EMPTY, BUSY, READY };

struct buffer {
    enum state state;
    size_t unit; /* unless it is empty */
    unsigned readers;
    uint8_t *bytes; /* `room` of them */
};

struct wv_members {
    struct pc_alloc alloc;
    const struct wv_file *file;
    const struct wv_apart *apart;
    uint32_t max_ratio;
    struct unit *unit; /* and one after the last, where the decoder goes on */
    size_t units, capacity;
    size_t room, packed; /* bytes of the largest unit */
    size_t window;
    struct lane *lane;
    struct buffer *buffer; /* unit n is in buffer n modulo `buffers` */
    size_t lanes, buffers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t known; /* the last unit whose place is */
};

/* ---- what there is ---- */

static bool add_unit(struct wv_members *m, uint64_t byte)
{
    if (m->units + 1 > m->capacity &&
        !pc_grow(&m->alloc, (void **)&m->unit, &m->capacity, m->units + 1, sizeof *m->unit))
        return false;
    m->unit[m->units] = (struct unit){ byte, m->units == 0 ? 0 : UNKNOWN, UNKNOWN };
    m->units++;
    return true;
}

/* Units from the begin of the file to its end, or to the first member that does not tell its own.
 */
static bool find_units(struct wv_members *m, const struct wv_file *f)
{
    uint64_t at = 0, unit = 0;
    bool more = add_unit(m, 0);
    struct wv_member next;

    while (more && at < f->size && m->apart->find(f, at, &next) && next.end <= f->size) {
        at = next.end;
        unit += next.most;
        const uint64_t packed = at - m->unit[m->units - 1].byte;
        m->window = next.window > m->window ? next.window : m->window;
        m->room = unit > m->room ? (size_t)unit : m->room;
        m->packed = packed > m->packed ? (size_t)packed : m->packed;
        if (unit < UNIT_LEAST && at < f->size)
            continue;
        more = add_unit(m, at);
        unit = 0;
    }
    m->units -= m->units > 0;
    return more;
}

/* ---- memory, which is all made before threads come ---- */

static bool make_lanes(struct wv_members *m, unsigned threads)
{
    m->lane = pc_calloc(&m->alloc, threads, sizeof *m->lane);
    m->lanes = m->lane ? threads : 0;
    for (size_t i = 0; i < m->lanes; i++) {
        struct wv_decoder *d = &m->lane[i].decoder;
        d->alloc = m->alloc;
        d->raw = m->alloc.resize(m->alloc.ctx, NULL, 0, m->packed);
        if (!d->raw || !m->apart->open(d, m->window))
            return false;
    }
    return m->lane;
}

static bool make_buffers(struct wv_members *m, unsigned threads)
{
    const size_t raw = threads * (m->packed + m->window),
                 fit = m->room > 0 && raw < MEMORY_MOST ? (MEMORY_MOST - raw) / m->room : 0;
    const size_t buffers = threads + 1 < fit ? threads + 1 : fit;

    if (buffers < 2 || m->units < UNITS_WORTH * buffers)
        return false;
    m->buffer = pc_calloc(&m->alloc, buffers, sizeof *m->buffer);
    m->buffers = m->buffer ? buffers : 0;
    for (size_t i = 0; i < m->buffers; i++) {
        m->buffer[i].bytes = m->alloc.resize(m->alloc.ctx, NULL, 0, m->room);
        if (!m->buffer[i].bytes)
            return false;
    }
    return m->buffer;
}

struct wv_members *wv_members_open(const struct wv_decoder *d, const struct pc_alloc *alloc,
                                   unsigned threads)
{
    if (!d->codec || !d->codec->apart || !wv_file_has_places(d->file))
        return NULL;
    struct wv_members *m = pc_calloc(alloc, 1, sizeof *m);
    if (!m)
        return NULL;
    m->alloc = *alloc;
    m->file = d->file;
    m->apart = d->codec->apart;
    m->max_ratio = d->max_ratio;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->changed, NULL);
    if (find_units(m, d->file) && make_buffers(m, threads) && make_lanes(m, threads))
        return m;
    wv_members_close(m);
    return NULL;
}

void wv_members_close(struct wv_members *m)
{
    if (!m)
        return;
    const struct pc_alloc alloc = m->alloc;
    for (size_t i = 0; i < m->lanes; i++) {
        struct wv_decoder *d = &m->lane[i].decoder;
        m->apart->close(d);
        pc_free(&alloc, d->raw, m->packed);
    }
    pc_free(&alloc, m->lane, m->lanes * sizeof *m->lane);
    for (size_t i = 0; i < m->buffers; i++)
        pc_free(&alloc, m->buffer[i].bytes, m->room);
    pc_free(&alloc, m->buffer, m->buffers * sizeof *m->buffer);
    pc_free(&alloc, m->unit, m->capacity * sizeof *m->unit);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    pc_free(&alloc, m, sizeof *m);
}

/* ---- unpacking ---- */

/* Unpacks all of a unit; false: not cleanly. */
static bool unpack(const struct wv_members *m, struct lane *l, size_t n, struct buffer *b,
                   size_t *size)
{
    const struct unit *u = &m->unit[n];
    struct wv_decoder *d = &l->decoder;

    d->raw_at = 0;
    d->raw_end = (size_t)(u[1].byte - u->byte);
    return wv_file_take_at(m->file, u->byte, d->raw, d->raw_end, NULL) == PC_OK &&
           m->apart->unpack(d, b->bytes, m->room, size);
}

/* Places the units that are known now. Where all has grown too much, the decoder shall say so. */
static void place_units(struct wv_members *m)
{
    while (m->known < m->units && m->unit[m->known].size != UNKNOWN) {
        struct unit *u = &m->unit[m->known];
        const uint64_t next = u->place + u->size;
        if (next / m->max_ratio > (m->known > 0 ? u->byte : u[1].byte)) {
            m->units = m->known;
            break;
        }
        u[1].place = next;
        m->known++;
    }
}

/* Called with the lock, which is open meanwhile.  false: no decoder is free. */
static bool unpack_unit(struct wv_members *m, size_t n, struct buffer *b)
{
    struct lane *l = m->lane;
    struct unit *u = &m->unit[n];
    size_t size;

    while (l < m->lane + m->lanes && l->busy)
        l++;
    if (l == m->lane + m->lanes)
        return false;
    l->busy = true;
    b->state = BUSY;
    b->unit = n;
    pthread_mutex_unlock(&m->lock);
    const bool clean = unpack(m, l, n, b, &size);
    pthread_mutex_lock(&m->lock);
    l->busy = false;
    b->state = clean ? READY : EMPTY;
    if (clean)
        u->size = size;
    else if (n < m->units)
        m->units = n;
    place_units(m);
    pthread_cond_broadcast(&m->changed);
    return true;
}

static bool is_free(const struct buffer *b)
{
    return b->state == EMPTY || (b->state == READY && b->readers == 0);
}

static bool holds(const struct buffer *b, size_t unit)
{
    return b->state != EMPTY && b->unit == unit;
}

/* While another thread unpacks unit n: one of those after it, in the place of those before. */
static bool unpack_next(struct wv_members *m, size_t n)
{
    for (size_t next = n + 1; next < n + m->buffers && next < m->units; next++) {
        struct buffer *b = &m->buffer[next % m->buffers];
        if (!holds(b, next) && is_free(b) && (b->state == EMPTY || b->unit < n))
            return unpack_unit(m, next, b);
    }
    return false;
}

/* Returns the unit of a place, or the last one that is known. */
static size_t unit_at(const struct wv_members *m, uint64_t at)
{
    size_t low = 0, high = m->known;

    while (low < high) {
        const size_t middle = high - (high - low) / 2;
        if (m->unit[middle].place <= at)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Returns the buffer that has a place, which stays while it has readers; NULL: none will. */
static struct buffer *hold(struct wv_members *m, uint64_t at)
{
    for (;;) {
        const size_t n = unit_at(m, at);
        struct buffer *b = &m->buffer[n % m->buffers];
        if (n >= m->units)
            return NULL;
        if (holds(b, n) && b->state == READY) {
            b->readers++;
            return b;
        }
        const bool went_on = holds(b, n) ? unpack_next(m, n) : is_free(b) && unpack_unit(m, n, b);
        if (!went_on)
            pthread_cond_wait(&m->changed, &m->lock);
    }
}

size_t wv_members_read(struct wv_members *m, uint64_t at, uint8_t *to, size_t size)
{
    pthread_mutex_lock(&m->lock);
    struct buffer *b = hold(m, at);
    const struct unit u = b ? m->unit[b->unit] : (struct unit){ 0 };
    pthread_mutex_unlock(&m->lock);
    if (!b)
        return 0;
    const uint64_t left = u.place + u.size - at;
    const size_t n = size < left ? size : (size_t)left;
    memcpy(to, b->bytes + (at - u.place), n);
    pthread_mutex_lock(&m->lock);
    if (--b->readers == 0)
        pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    return n;
}

void wv_members_before(struct wv_members *m, uint64_t at, uint64_t *byte, uint64_t *place)
{
    pthread_mutex_lock(&m->lock);
    const struct unit *u = &m->unit[unit_at(m, at)];
    *byte = u->byte;
    *place = u->place;
    pthread_mutex_unlock(&m->lock);
}
