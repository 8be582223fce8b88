/* SPDX-License-Identifier: MIT */
/*
 * The waveform in stretches, longer than its blocks: what a unit has to step at the ends of a
 * run costs less then.  One thread alone takes one after the other.
 *
 * More of them have a ring of stretches.  The reading thread fills the one after `tail`; `next` is
 * the first that is not being worked on, `head` the first that is not taken.  If the ring is full,
 * the reading thread works too, or waits.
 *
 * The result of a thread for a stretch depends on the stretch and its lead alone.
 */
#include "stat_jobs.h"
#include "process/thread.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 1024, /* of a stretch, without its lead: 65,536 cycles; four times that alone */
    BUDGET = 1 << 20   /* bytes of a stretch, unknown values aside, if a block has no more */
};

struct slot {
    struct stat_stretch s;
    uint64_t *planes; /* of every wire: values, then unknowns */
    const uint64_t **value, **unknown;
    uint64_t *time; /* NULL: no times are wanted */
    bool done;
};

struct worker {
    struct stat_jobs *jobs;
    struct stat_hand hand;
    pthread_t thread;
    bool runs;
};

struct stat_jobs {
    struct stat_count *c;
    size_t words; /* of a stretch */
    struct slot *slot;
    size_t slots;
    uint64_t head, next, tail;
    struct worker *worker;
    unsigned workers;
    bool filling; /* the stretch after the tail has begun */
    bool started; /* the workers have */
    bool over;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
};

/* --- bits --- */

/* 64 bits of a plane from a bit on; `end` bits of it exist. */
static uint64_t read_bits(const uint64_t *plane, uint64_t at, uint64_t end)
{
    uint64_t word = plane[at / 64] >> at % 64;

    if (at % 64 && (at / 64 + 1) * 64 < end)
        word |= plane[at / 64 + 1] << (64 - at % 64);
    return word;
}

/* Adds whole words to what is there, shifted up by `to` bits or down by `from`, one of them 0. */
static void add_words(uint64_t *restrict out, unsigned to, const uint64_t *restrict in,
                      unsigned from, size_t words)
{
    if (from) {
        for (size_t i = 0; i < words; i++)
            out[i] |= in[i] >> from | in[i + 1] << (64 - from);
        return;
    }
    out[0] |= in[0] << to;
    for (size_t i = 1; i < words && to; i++)
        out[i] |= in[i] << to | in[i - 1] >> (64 - to);
    for (size_t i = 1; i < words && !to; i++)
        out[i] |= in[i];
    if (to)
        out[words] |= in[words - 1] >> (64 - to);
}

/* Bits [from, from + count) of one plane to `to` of another, on top of what is there. */
static void add_bits(uint64_t *out, uint64_t to, const uint64_t *plane, uint64_t from,
                     uint64_t count)
{
    uint64_t n = 0;

    if ((from % 64 == 0 || to % 64 == 0) && count >= 64) {
        n = count / 64 * 64;
        add_words(out + to / 64, (unsigned)(to % 64), plane + from / 64, (unsigned)(from % 64),
                  n / 64);
    }
    for (; n < count; n += 64) {
        uint64_t word = read_bits(plane, from + n, from + count), left = count - n;
        if (left < 64)
            word &= (UINT64_C(1) << left) - 1;
        out[(to + n) / 64] |= word << (to + n) % 64;
        if ((to + n) % 64 && (left < 64 ? left : 64) > 64 - (to + n) % 64)
            out[(to + n) / 64 + 1] |= word >> (64 - (to + n) % 64);
    }
}

/* Copies bits in the same way where nothing is yet from `to` on. */
static void copy_bits(uint64_t *out, uint64_t to, const uint64_t *plane, uint64_t from,
                      uint64_t count)
{
    const size_t free = (size_t)((to + 63) / 64), end = (size_t)((to + count + 63) / 64);

    if (to % 64 == 0 && from % 64 == 0) {
        memcpy(out + free, plane + from / 64, (end - free) * sizeof *out);
        if (count % 64)
            out[end - 1] &= (UINT64_C(1) << count % 64) - 1;
        return;
    }
    memset(out + free, 0, (end - free) * sizeof *out);
    add_bits(out, to, plane, from, count);
}

/* Are stretches looked at by several? */
static bool several(const struct stat_job *j)
{
    return j->threads > 1;
}

/* --- memory --- */

static bool open_slot(struct stat_jobs *j, struct slot *slot)
{
    const size_t wires = j->c->wires->count, words = j->words + STAT_LEAD;

    slot->planes = malloc((2 * wires + 1) * words * sizeof *slot->planes); /* append() fills */
    slot->value = calloc(wires + 1, sizeof *slot->value);
    slot->unknown = calloc(wires + 1, sizeof *slot->unknown);
    slot->time = j->c->timed ? malloc(64 * j->words * sizeof *slot->time) : NULL;
    if ((j->c->timed && !slot->time) || !slot->planes || !slot->value || !slot->unknown ||
        !stat_stretch_open(&slot->s, j->c->j, j->c->plan->passes, words))
        return false;
    for (size_t i = 0; i < wires; i++) {
        slot->value[i] = slot->planes + i * words;
        slot->unknown[i] = slot->planes + (wires + i) * words;
    }
    return true;
}

/* Whole blocks, as many as the budget has room for. */
static size_t stretch_words(const struct stat_count *c)
{
    const size_t planes = stat_count_planes(c->j), kept = stat_keeps_bits(c->j) ? planes : 0;
    size_t word = (c->wires->count + kept + 1) * sizeof(uint64_t);
    size_t words = BUDGET / word / PC_BLOCK_WORDS * PC_BLOCK_WORDS;

    const size_t most = several(c->j) ? MOST_WORDS : 4 * MOST_WORDS;

    return words > most ? most : words < PC_BLOCK_WORDS ? PC_BLOCK_WORDS : words;
}

void stat_jobs_close(struct stat_jobs *j)
{
    if (!j)
        return;
    pthread_mutex_lock(&j->lock);
    j->over = true;
    pthread_cond_broadcast(&j->work);
    pthread_mutex_unlock(&j->lock);
    for (unsigned i = 0; i < j->workers; i++) {
        if (j->worker[i].runs)
            pthread_join(j->worker[i].thread, NULL);
        stat_hand_close(&j->worker[i].hand, j->c->j);
    }
    for (size_t i = 0; j->slot && i < j->slots; i++) {
        stat_stretch_close(&j->slot[i].s);
        free(j->slot[i].planes);
        free(j->slot[i].value);
        free(j->slot[i].unknown);
        free(j->slot[i].time);
    }
    free(j->slot);
    free(j->worker);
    pthread_mutex_destroy(&j->lock);
    pthread_cond_destroy(&j->work);
    pthread_cond_destroy(&j->done);
    free(j);
}

/* --- work --- */

static void *work(void *ctx)
{
    struct worker *w = ctx;
    struct stat_jobs *j = w->jobs;

    pthread_mutex_lock(&j->lock);
    for (;;) {
        while (j->next == j->tail && !j->over)
            pthread_cond_wait(&j->work, &j->lock);
        if (j->over)
            break;
        struct slot *slot = &j->slot[j->next++ % j->slots];
        if (slot->done)
            continue;
        pthread_mutex_unlock(&j->lock);
        stat_evaluate(&w->hand, j->c->j, &slot->s);
        pthread_mutex_lock(&j->lock);
        slot->done = true;
        pthread_cond_signal(&j->done);
    }
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/*
 * Not before there is work for two; a short trace has none.  Signals are for the reading thread:
 * they end its wait for more of a pipe.
 */
static void start_workers(struct stat_jobs *j)
{
    sigset_t all, old;

    j->started = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (unsigned i = 0; i < j->workers; i++) {
        struct worker *w = &j->worker[i];
        w->jobs = j;
        w->runs = cli_thread(&w->thread, work, w) == 0; /* fewer do as well */
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

int stat_jobs_open(struct stat_count *c, struct stat_jobs **out)
{
    struct stat_jobs *j = calloc(1, sizeof *j);
    bool ok = j != NULL;

    *out = j;
    if (!ok)
        return cli_no_memory();
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->work, NULL);
    pthread_cond_init(&j->done, NULL);
    j->c = c;
    j->words = stretch_words(c);
    j->slots = several(c->j) ? c->j->threads + 1 : 1;
    j->slot = calloc(j->slots, sizeof *j->slot);
    j->worker = calloc(c->j->threads, sizeof *j->worker);
    ok = j->slot && j->worker &&
         stat_count_open(c, j->words + STAT_LEAD); /* its own hand is the reading thread's */
    for (size_t i = 0; ok && i < j->slots; i++)
        ok = open_slot(j, &j->slot[i]);
    for (; ok && j->workers + 1 < c->j->threads; j->workers++)
        ok = stat_hand_open(&j->worker[j->workers].hand, c->j, c->wires, j->words + STAT_LEAD);
    if (!ok)
        return cli_no_memory();
    return CLI_OK;
}

/* --- in order --- */

/* Takes the first stretch, once it is done; works or waits for it meanwhile. */
static int take_first(struct stat_jobs *j)
{
    struct slot *first = &j->slot[j->head % j->slots];

    pthread_mutex_lock(&j->lock);
    while (!first->done) {
        if (j->next == j->tail) {
            pthread_cond_wait(&j->done, &j->lock);
            continue;
        }
        struct slot *slot = &j->slot[j->next++ % j->slots];
        if (slot->done)
            continue;
        pthread_mutex_unlock(&j->lock);
        stat_evaluate(&j->c->hand, j->c->j, &slot->s);
        pthread_mutex_lock(&j->lock);
        slot->done = true;
    }
    pthread_mutex_unlock(&j->lock);
    return stat_take(j->c, &j->slot[j->head++ % j->slots].s);
}

/* --- filling --- */

static uint64_t *plane_of(const struct stat_jobs *j, const struct slot *slot, size_t plane)
{
    return slot->planes + plane * (j->words + STAT_LEAD);
}

/* Words [from, to) of all planes of unknowns. */
static void clear_unknown(const struct stat_jobs *j, const struct slot *slot, size_t from,
                          size_t to)
{
    const size_t wires = j->c->wires->count;

    for (size_t i = 0; i < wires; i++)
        memset(plane_of(j, slot, wires + i) + from, 0, (to - from) * sizeof *slot->planes);
}

/*
 * An empty stretch after the one that was filled last.  That one's end is its lead, unless the
 * same hand goes on with it.
 */
static void begin_stretch(struct stat_jobs *j, struct slot *slot)
{
    const size_t wires = j->c->wires->count;
    const struct slot *last = j->tail ? &j->slot[(j->tail - 1) % j->slots] : NULL;
    const bool leads = last && several(j->c->j);
    struct stat_stretch *s = &slot->s;

    s->value = slot->value;
    s->unknown = slot->unknown;
    s->time = slot->time;
    s->first = last ? last->s.first + last->s.cycles : 0;
    s->cycles = 0;
    s->before = j->c->before;
    s->lead = leads ? STAT_LEAD : 0;
    s->any_unknown = leads && last->s.any_unknown;
    if (!leads)
        return;
    size_t from = last->s.lead + j->words - STAT_LEAD;
    for (size_t i = 0; i < (s->any_unknown ? 2 * wires : wires); i++)
        memcpy(plane_of(j, slot, i), plane_of(j, last, i) + from, STAT_LEAD * sizeof(uint64_t));
}

/* Cycles [from, from + count) of the block after those of the stretch. */
static void append(struct stat_jobs *j, struct slot *slot, const struct pc_wave_block *block,
                   uint64_t from, uint64_t count)
{
    const size_t wires = j->c->wires->count;
    struct stat_stretch *s = &slot->s;
    const bool ones = j->c->j->o->x == OPT_X_ONE;
    const uint64_t to = 64 * s->lead + s->cycles;
    const size_t free = (size_t)((to + 63) / 64), end = (size_t)((to + count + 63) / 64);

    if (block->any_unknown && !ones && !s->any_unknown) {
        clear_unknown(j, slot, 0, free);
        s->any_unknown = true;
    }
    if (s->any_unknown && !block->any_unknown)
        clear_unknown(j, slot, free, end);
    for (size_t i = 0; i < wires; i++) {
        copy_bits(plane_of(j, slot, i), to, block->value[i], from, count);
        if (block->any_unknown && ones)
            add_bits(plane_of(j, slot, i), to, block->unknown[i], from, count);
        else if (block->any_unknown)
            copy_bits(plane_of(j, slot, wires + i), to, block->unknown[i], from, count);
    }
    if (slot->time)
        memcpy(slot->time + s->cycles, block->time + from, count * sizeof *slot->time);
    s->cycles += count;
}

/* The stretch after the tail is whole: to be worked at, and room for the next one. */
static int submit(struct stat_jobs *j)
{
    struct slot *slot = &j->slot[j->tail % j->slots];

    slot->done = false;
    slot->s.evaluated = false;
    pthread_mutex_lock(&j->lock);
    j->tail++;
    pthread_cond_signal(&j->work);
    pthread_mutex_unlock(&j->lock);
    j->filling = false;
    if (!j->started && j->tail > 1)
        start_workers(j);
    return j->tail - j->head == j->slots ? take_first(j) : CLI_OK;
}

void stat_jobs_window(struct stat_jobs *j)
{
    if (j->filling)
        j->slot[j->tail % j->slots].s.before = j->c->before;
}

int stat_jobs_add(struct stat_jobs *j, const struct pc_wave_block *block, uint64_t from,
                  uint64_t to)
{
    int code = CLI_OK;

    while (from < to && code == CLI_OK) {
        struct slot *slot = &j->slot[j->tail % j->slots];
        if (!j->filling)
            begin_stretch(j, slot);
        j->filling = true;
        uint64_t room = 64 * j->words - slot->s.cycles, left = to - from;
        uint64_t count = left < room ? left : room;
        append(j, slot, block, from, count);
        from += count;
        if (count == room)
            code = submit(j);
    }
    return code;
}

int stat_jobs_drain(struct stat_jobs *j)
{
    int code = j->filling ? submit(j) : CLI_OK;

    while (code == CLI_OK && j->head < j->tail)
        code = take_first(j);
    return code;
}
