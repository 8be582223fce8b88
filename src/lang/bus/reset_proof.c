/* SPDX-License-Identifier: MIT */
/*
 * The reset of a bus.  Names only rank: a reset stands at its inactive level for most of the run,
 * is active for a stretch, and nothing is taken while it is.
 */
#include "lang/bus/beats.h"
#include "lang/bus/proof.h"

#include <stdio.h>
#include <string.h>

enum { MOST_RESETS = 64, MOST_STRETCHES = 4 };

/* How well the name fits: that of another clock's domain is none; general: of all that is around.
 */
enum grade { OTHER_CLOCK, SOMETHING, GENERAL, PLAIN, OF_DOMAIN };

struct look {
    size_t clock; /* of the finder's */
    enum grade grade;
    unsigned distance;
    bool low, in_step, begins;
    uint64_t active, beats; /* edges; of these with a beat */
    enum pc_bus_reset_proof verdict;
};

struct looks {
    struct bus_subject *s;
    const struct bus_class *k;
    uint32_t class;
    struct look look[MOST_RESETS];
    size_t count;
    uint64_t *beats, *value, *unknown; /* planes; of a reset */
    size_t words;
};

/* ---- names ---- */

static enum grade grade_of(const struct looks *l, const struct bus_near *near)
{
    const struct bus_finder *f = &l->s->list->f;
    const char *domain = f->text + f->clock[near->clock].domain;
    static const char general[] = "sys system core top chip board fpga ext external master cpu "
                                  "por pwr soc tb bus user logic";
    bool other = false;

    if (domain[0] == '\0')
        return PLAIN;
    for (size_t i = 0; i < f->clocks; i++) {
        const struct bus_clock *c = &f->clock[i];
        if (c->is_reset || strcmp(f->text + c->domain, domain) != 0)
            continue;
        const uint32_t class = l->s->list->watch.bit[c->bit].class;
        if (class == l->class)
            return OF_DOMAIN;
        other = other || class != BUS_NO_CLASS;
    }
    if (near->fit == 2 && !other)
        return OF_DOMAIN;
    return other ? OTHER_CLOCK : pc_bus_is_one_of(domain, general) ? GENERAL : SOMETHING;
}

static bool add_near(void *ctx, const struct bus_near *near)
{
    struct looks *l = ctx;
    const struct bus_clock *clock = &l->s->list->f.clock[near->clock];

    const struct look now = { .clock = near->clock,
                              .grade = grade_of(l, near),
                              .distance = near->distance,
                              .low = clock->low };
    size_t i = 0;

    while (i < l->count && l->s->list->f.clock[l->look[i].clock].bit != clock->bit)
        i++;
    if (i == MOST_RESETS)
        return false;
    if (i == l->count)
        l->look[l->count++] = now;
    else if (now.grade > l->look[i].grade)
        l->look[i] = now;
    return true;
}

/* ---- what they did ---- */

static uint64_t ones(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t count = 0;

    for (size_t i = 0; i < words; i++)
        count += (uint64_t)__builtin_popcountll(b ? a[i] & b[i] : a[i]);
    return count;
}

/* Stretches of ones. */
static uint64_t stretches(const uint64_t *plane, size_t words)
{
    uint64_t count = 0, before = 0;

    for (size_t i = 0; i < words; before = plane[i++] >> 63)
        count += (uint64_t)__builtin_popcountll(plane[i] & ~(plane[i] << 1 | before));
    return count;
}

/* Drops the first edge of each stretch: what is taken with it the clock does before it is in
 * reset. */
static void drop_firsts(uint64_t *plane, size_t words)
{
    for (size_t i = 0, before = 0; i < words; i++) {
        const uint64_t is = plane[i];
        plane[i] = is & (is << 1 | before);
        before = is >> 63;
    }
}

/* Returns true if it becomes inactive with an edge of the clock, as the output of a register
 * does. */
static bool is_in_step(const struct looks *l, size_t bit, bool low)
{
    const struct bus_watch *w = &l->s->list->watch;

    for (size_t i = w->first[bit] + 1; i < w->first[bit + 1]; i++)
        if (w->change[i].value == (low ? 1u : 0u) && !bus_rises_at(l->k, w->change[i].stamp))
            return false;
    return true;
}

/* Finds the level at which it is active: the one without beats, else the rarer one. */
static bool is_low(const struct look *r, uint64_t one, uint64_t zero, uint64_t beats_at_one,
                   uint64_t beats_at_zero)
{
    if (beats_at_one > 0 && beats_at_zero == 0)
        return true;
    if (beats_at_zero > 0 && beats_at_one == 0)
        return false;
    return one != zero ? zero < one : r->low;
}

static void look_at(const struct looks *l, struct look *r)
{
    const size_t bit = l->s->list->f.clock[r->clock].bit;
    const uint64_t edges = l->k->rises;
    const bool named_low = r->low;

    pc_bus_plane(l->s->list, bit, l->k, l->value, l->unknown);
    const uint64_t one = ones(l->value, NULL, l->words), unknown = ones(l->unknown, NULL, l->words),
                   zero = edges - one - unknown, beats = ones(l->beats, NULL, l->words),
                   at_one = ones(l->beats, l->value, l->words),
                   at_unknown = ones(l->beats, l->unknown, l->words);
    if (one == 0 || zero == 0) {
        const bool rests = (one == 0) != r->low && at_unknown == 0;
        r->verdict = rests ? PC_BUS_RESET_STILL : PC_BUS_RESET_UNMOVED;
        r->active = rests ? unknown : edges;
        return;
    }
    r->low = is_low(r, one, zero, at_one, beats - at_one - at_unknown);
    for (size_t i = 0; i < l->words; i++) {
        const uint64_t there =
            i + 1 < l->words || edges % 64 == 0 ? ~UINT64_C(0) : (UINT64_C(1) << edges % 64) - 1;
        l->value[i] = ((r->low ? ~l->value[i] : l->value[i]) | l->unknown[i]) & there;
    }
    r->active = ones(l->value, NULL, l->words);
    r->begins = l->value[0] & 1;
    r->in_step = is_in_step(l, bit, r->low);
    const uint64_t times = stretches(l->value, l->words);
    drop_firsts(l->value, l->words);
    r->beats = ones(l->beats, l->value, l->words);
    if (r->beats > 0)
        r->verdict = PC_BUS_RESET_TAKES;
    else if (2 * r->active > edges && !(r->begins && r->low == named_low && beats > 0))
        r->verdict = PC_BUS_RESET_LONG;
    else if (times > MOST_STRETCHES + (r->begins ? MOST_STRETCHES : 0))
        r->verdict = PC_BUS_RESET_TOGGLES;
    else
        r->verdict = PC_BUS_RESET_HOLDS;
}

/* ---- planes ---- */

/* Finds where the bus takes something. */
static bool find_beats(struct looks *l)
{
    struct bus_subject *s = l->s;
    const struct pc_alloc *a = &s->list->alloc;
    const size_t room = 2 * s->bits * l->words + 1;
    uint64_t *plane = pc_calloc(a, room, sizeof *plane);
    const uint64_t *value[BUS_SUBJECT_BITS], *unknown[BUS_SUBJECT_BITS];
    uint32_t wire[BUS_SUBJECT_BITS];
    struct pc_bus_desc desc = { .alloc = a, .protocol = s->c->protocol };
    struct pc_bus_role role;
    size_t n = 0;

    if (!plane)
        return false;
    for (size_t i = 0; pc_bus_role_at(s->c->protocol, i, &role); i++) {
        if (s->c->role[i] == SIZE_MAX)
            continue;
        const struct bus_reading *r = &s->list->f.reading[s->c->role[i]];
        const struct pc_bus_signal *signal = &s->list->f.signal[r->signal];
        uint32_t width, first = bus_lane_bit(signal, s->c->lanes, s->entry->lane, &width);
        desc.role[i] = (struct pc_bus_wires){ .width = width, .inverted = r->inverted };
        if (role.most > 4)
            continue;
        desc.role[i].wire = &wire[n];
        for (uint32_t k = 0; k < width && n < BUS_SUBJECT_BITS && n < s->bits; k++, n++) {
            uint64_t *v = plane + 2 * n * l->words, *u = v + l->words;
            pc_bus_plane(s->list, pc_bus_watched(s->list, r->signal, first + k), l->k, v, u);
            value[n] = v;
            unknown[n] = u;
            wire[n] = (uint32_t)n;
        }
    }
    const enum pc_status status = pc_bus_beats(&desc, value, unknown, l->words, l->beats);
    if (status != PC_OK)
        memset(l->beats, 0, l->words * sizeof *l->beats);
    if (l->k->rises % 64)
        l->beats[l->words - 1] &= (UINT64_C(1) << l->k->rises % 64) - 1;
    pc_free(a, plane, room * sizeof *plane);
    return status != PC_ENOMEM;
}

/* ---- the choice ---- */

static bool is_better(const struct look *a, const struct look *b)
{
    if (a->grade != b->grade)
        return a->grade > b->grade;
    if (a->in_step != b->in_step)
        return a->in_step;
    if (a->distance != b->distance)
        return a->distance < b->distance;
    return a->active > b->active;
}

static const struct look *best_of(const struct looks *l, enum pc_bus_reset_proof verdict)
{
    const struct look *best = NULL;

    for (size_t i = 0; i < l->count; i++)
        if (l->look[i].verdict == verdict && l->look[i].grade > OTHER_CLOCK &&
            (!best || is_better(&l->look[i], best)))
            best = &l->look[i];
    return best;
}

static void tell(struct bus_subject *s, const struct look *r)
{
    struct pc_bus_proof *p = &s->entry->proof;

    p->reset = r->verdict;
    p->reset_edges = r->active;
    p->reset_beats = r->beats;
    p->reset_against_name = r->low != s->list->f.clock[r->clock].low;
    s->entry->reset_low = r->low;
}

static void take(struct bus_subject *s, const struct look *r)
{
    tell(s, r);
    s->entry->reset = r->clock;
}

static void refuse(struct bus_subject *s, const struct look *r)
{
    tell(s, r);
    s->entry->refused = r->clock;
}

static void be_unsure(struct bus_subject *s, const struct look *r, const char *why)
{
    tell(s, r);
    s->entry->unsure = why;
    s->entry->proof.unsure_of_reset = true;
    s->entry->pair[0] = r->clock;
    s->entry->pair[1] = SIZE_MAX;
}

static void choose(const struct looks *l)
{
    static const enum pc_bus_reset_proof none[] = { PC_BUS_RESET_TAKES, PC_BUS_RESET_LONG,
                                                    PC_BUS_RESET_TOGGLES, PC_BUS_RESET_UNMOVED };
    const struct look *holds = best_of(l, PC_BUS_RESET_HOLDS),
                      *still = best_of(l, PC_BUS_RESET_STILL),
                      *takes = best_of(l, PC_BUS_RESET_TAKES), *refused = NULL;

    if (holds && holds->grade >= GENERAL) {
        take(l->s, holds);
    } else if (takes && takes->grade >= GENERAL && takes->begins &&
               2 * takes->active < l->k->rises) {
        be_unsure(l->s, takes, "transfers happen while the signal named like its reset is active");
    } else if (still && still->grade >= GENERAL) {
        take(l->s, still);
    } else if (holds) {
        be_unsure(l->s, holds, "what may be its reset is called one of something else");
    } else {
        for (size_t i = 0; !refused && i < sizeof none / sizeof *none; i++)
            refused = best_of(l, none[i]);
        if (refused)
            refuse(l->s, refused);
    }
}

bool pc_bus_prove_reset(struct bus_subject *s, const struct bus_class *k, uint32_t class)
{
    const struct pc_alloc *a = &s->list->alloc;
    struct looks l = { .s = s, .k = k, .class = class, .words = (k->rises + 63) / 64 };
    uint64_t *plane = pc_calloc(a, 3 * l.words + 1, sizeof *plane);

    s->entry->reset = SIZE_MAX;
    pc_bus_each_near(&s->list->f, s->c, true, add_near, &l);
    for (size_t i = s->c->aliases; i != SIZE_MAX; i = s->list->f.candidate[i].alias)
        pc_bus_each_near(&s->list->f, &s->list->f.candidate[i], true, add_near, &l);
    if (!plane)
        return false;
    l.beats = plane;
    l.value = plane + l.words;
    l.unknown = plane + 2 * l.words;
    bool done = l.count == 0 || l.words == 0 || find_beats(&l);
    for (size_t i = 0; i < l.count; i++)
        s->entry->proof.resets += l.look[i].grade > OTHER_CLOCK;
    for (size_t i = 0; done && l.words > 0 && i < l.count; i++)
        look_at(&l, &l.look[i]);
    if (done && l.words > 0)
        choose(&l);
    pc_free(a, plane, (3 * l.words + 1) * sizeof *plane);
    return done;
}
