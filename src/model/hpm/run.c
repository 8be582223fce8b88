/* SPDX-License-Identifier: MIT */
/*
 * CVA6's counters over bit planes, 64 clocks a word: between CSR accesses selectors and
 * inhibits stand still, so that every counter is a popcount.  The same as steps; the wide
 * forms of the lines stand beside the narrow ones in rules/hpm_events.h.
 */
#include "model/hpm/hpm.h"

#include <string.h>

#include "kernel/kernel.h"
#include "model/rules/hpm_events.h"

/* Clocks of word w that belong to the block and in which the counters do not stand still. */
static uint64_t running_clocks(const struct pc_hpm *hpm, const struct pc_hpm_block *b, uint64_t w)
{
    const uint64_t end = b->first + b->cycles, start = w * 64;
    uint64_t mask = UINT64_MAX;

    if (b->first > start)
        mask &= UINT64_MAX << (b->first - start);
    if (end < start + 64)
        mask &= (UINT64_C(1) << (end - start)) - 1;
    return pc_hpm_stopped(hpm, true) ? mask & ~pc_hpm_plane(b->debug, (size_t)w) : mask;
}

void pc_hpm_added(const struct pc_hpm *hpm, const struct pc_hpm_block *b, unsigned e, size_t w,
                  uint64_t add[2])
{
    const uint64_t mask = running_clocks(hpm, b, w);
    const bool two = hpm->config.commit_ports > 1;

    add[0] = add[1] = 0;
    if (e == PC_HPM_ADDED_CYCLES) {
        add[0] = mask;
    } else if (e == PC_HPM_ADDED_INSTRET) {
        const uint64_t commit = mask & ~pc_hpm_plane(b->line[PC_HPM_EXCEPTION], w);
        add[0] = commit & pc_hpm_plane(b->port[0].ack, w);
        add[1] = two ? commit & pc_hpm_plane(b->port[1].ack, w) : 0;
    } else if (e < PC_HPM_EVENTS && !(PC_HPM_PORT_EVENTS >> e & 1)) {
        add[0] = mask & pc_hpm_line_wide(b, e, hpm->config.dcache_ways, w, hpm->active);
    } else if (e < PC_HPM_EVENTS) { /* HPM.COUNT.3: others are nothing */
        add[0] = mask & pc_hpm_port_wide(&b->port[0], e, w, hpm->active);
        add[1] = two ? mask & pc_hpm_port_wide(&b->port[1], e, w, hpm->active) : 0;
        if (hpm->active & PC_HPM_Q_OR_PORTS) {
            add[0] |= add[1];
            add[1] = 0;
        }
    }
}

/* ---- many words ---- */

/*
 * The kernels count, a tile at a time.  What they are to compute is asked of pc_hpm_added(), of
 * planes that count from 0 to 15, so that no event's meaning stands here.
 */
enum { HPM_TILE = 1024, FEW_WORDS = 32 /* words that are counted sooner than a kernel begins */ };

/* Planes of a block: a line by its number, and of a port: */
enum { ACK = PC_HPM_LINES, UNIT /* four */ };

/* An event as a table of planes. */
struct tabled {
    uint8_t n, source[4]; /* the planes; none: word by word */
    bool unit;            /* the table is of what retires, which ACK decides, too */
    uint16_t table[2];    /* of each port */
};

/* The words of a tile, and what is made of them. */
struct tile {
    const struct pc_hpm *hpm;
    const struct pc_kernel *kernel;
    struct pc_hpm_block b;
    size_t first, words;
    uint64_t running[HPM_TILE], made[2][HPM_TILE];
};

static uint64_t by_words(struct tile *t, unsigned e)
{
    uint64_t add[2];

    for (size_t i = 0; i < t->words; i++) {
        pc_hpm_added(t->hpm, &t->b, e, t->first + i, add);
        t->made[0][i] = add[0];
        t->made[1][i] = add[1];
    }
    return t->kernel->count(t->made[0], t->words) + t->kernel->count(t->made[1], t->words);
}

static const uint64_t **plane_at(struct pc_hpm_block *b, unsigned port, unsigned source)
{
    if (source < PC_HPM_LINES)
        return &b->line[source];
    return source == ACK ? &b->port[port].ack : &b->port[port].fu[source - UNIT];
}

static const uint64_t *plane(struct tile *t, unsigned port, unsigned source)
{
    static const uint64_t nothing[HPM_TILE] = { 0 };
    const uint64_t *whole = *plane_at(&t->b, port, source);

    return whole ? whole + t->first : nothing;
}

static struct tabled planes_of(unsigned e)
{
    const struct tabled word_by_word = { .n = 0 };

    if (e == PC_HPM_ADDED_INSTRET)
        return (struct tabled){ 2, { PC_HPM_EXCEPTION, ACK }, false, { 0 } };
    if (e >= PC_HPM_EVENTS)
        return word_by_word;
    switch (e) {
    case 10:
        return (struct tabled){ 2, { PC_HPM_RESOLVED, PC_HPM_MISPREDICT }, false, { 0 } };
    case 12: /* calls, returns and evictions look at too many planes */
    case 13:
    case 18:
        return word_by_word;
    case 17:
        return (struct tabled){ 3,
                                { PC_HPM_DCACHE_REQUEST_0, PC_HPM_DCACHE_REQUEST_1,
                                  PC_HPM_DCACHE_REQUEST_2 },
                                false,
                                { 0 } };
    default:
        if (PC_HPM_PORT_EVENTS >> e & 1)
            return (struct tabled){ 4, { UNIT, UNIT + 1, UNIT + 2, UNIT + 3 }, true, { 0 } };
        return (struct tabled){ 1, { (uint8_t)pc_hpm_line_of(e) }, false, { 0 } };
    }
}

static struct tabled tabulate(const struct pc_hpm *hpm, unsigned e)
{
    static const uint64_t always = UINT64_MAX,
                          digit[4] = { UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                       UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00) };
    struct tabled r = planes_of(e);

    for (unsigned p = 0; p < PC_HPM_MAX_PORTS && r.n > 0; p++) {
        struct pc_hpm_block b = { .cycles = 64 };
        uint64_t add[2];
        if (r.unit)
            b.port[p].ack = &always;
        for (unsigned i = 0; i < r.n; i++)
            *plane_at(&b, p, r.source[i]) = &digit[i];
        pc_hpm_added(hpm, &b, e, 0, add);
        r.table[p] = (uint16_t)(r.unit ? add[0] | add[1] : add[p]);
    }
    return r;
}

/* Returns what ports retire: each its own, or both one together. */
static uint64_t retired(struct tile *t, const struct tabled *r)
{
    unsigned ports = 0;
    uint64_t sum = 0;

    for (unsigned p = 0; p < PC_HPM_MAX_PORTS && r->table[p] != 0; p++, ports++) {
        const struct pc_lut_op unit = { r->table[p],
                                        { plane(t, p, UNIT), plane(t, p, UNIT + 1),
                                          plane(t, p, UNIT + 2), plane(t, p, UNIT + 3) } };
        const struct pc_lut_op all = { 0x8080, { t->made[p], t->running, plane(t, p, ACK), NULL } };
        t->kernel->lut(t->made[p], &unit, t->words, 0);
        t->kernel->lut(t->made[p], &all, t->words, 0);
    }
    if (ports > 1 && (t->hpm->active & PC_HPM_Q_OR_PORTS)) {
        const struct pc_lut_op any = { 0xeeee, { t->made[0], t->made[1], NULL, NULL } };
        return t->kernel->count_lut(&any, t->words);
    }
    for (unsigned p = 0; p < ports; p++)
        sum += t->kernel->count(t->made[p], t->words);
    return sum;
}

static uint64_t of_tile(struct tile *t, unsigned e, const struct tabled *r)
{
    uint64_t sum = 0;

    if (e == PC_HPM_ADDED_CYCLES)
        return t->kernel->count(t->running, t->words);
    if (r->n == 0)
        return by_words(t, e);
    if (r->unit)
        return retired(t, r);
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++) {
        struct pc_lut_op op = { (uint16_t)(r->table[p] & 0xff00),
                                { NULL, NULL, NULL, t->running } };
        for (unsigned i = 0; i < r->n; i++)
            op.arg[i] = plane(t, p, r->source[i]);
        if (op.table != 0)
            sum += t->kernel->count_lut(&op, t->words);
    }
    return sum;
}

static void begin_tile(struct tile *t, size_t first, size_t end)
{
    const size_t words = end - first < HPM_TILE ? end - first : (size_t)HPM_TILE;

    t->first = first;
    t->words = words;
    memset(t->running, 0xff, words * sizeof t->running[0]);
    if (t->b.debug && pc_hpm_stopped(t->hpm, true)) {
        const struct pc_lut_op op = { 0x5555, { t->b.debug + first, NULL, NULL, NULL } };
        t->kernel->lut(t->running, &op, words, 0);
    }
    t->running[0] = running_clocks(t->hpm, &t->b, first);
    t->running[words - 1] = running_clocks(t->hpm, &t->b, first + words - 1);
}

/* An event, and what gets its count. */
struct wanted {
    unsigned event;
    uint64_t *sum;
};

static void total(const struct pc_hpm *hpm, const struct pc_hpm_block *b,
                  const struct wanted *wanted, size_t n, const struct pc_kernel *kernel)
{
    const size_t start = (size_t)(b->first / 64), end = (size_t)((b->first + b->cycles + 63) / 64);
    const bool few = end - start < FEW_WORDS;
    struct tabled event[PC_HPM_EVENTS + 2];
    struct tile t;

    t.hpm = hpm;
    t.kernel = kernel;
    t.b = *b;
    memset(event, 0, n * sizeof event[0]); /* word by word */
    for (size_t i = 0; i < n && !few; i++)
        event[i] = tabulate(hpm, wanted[i].event);
    for (size_t first = start; first < end; first += HPM_TILE) {
        begin_tile(&t, first, end);
        for (size_t i = 0; i < n; i++)
            *wanted[i].sum += of_tile(&t, wanted[i].event, &event[i]);
    }
}

void pc_hpm_run_with(struct pc_hpm *hpm, const struct pc_hpm_block *block,
                     const struct pc_kernel *kernel)
{
    struct wanted wanted[PC_HPM_LAST + 1];
    size_t n = 0;

    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        const bool counts =
            c < PC_HPM_FIRST ? c != 1 : hpm->config.perf_counter_en && hpm->s.selector[c] != 0;
        if (counts && !(hpm->s.inhibit >> c & 1))
            wanted[n++] = (struct wanted){ c == 0   ? (unsigned)PC_HPM_ADDED_CYCLES
                                           : c == 2 ? (unsigned)PC_HPM_ADDED_INSTRET
                                                    : (unsigned)hpm->s.selector[c],
                                           &hpm->s.counter[c] };
    }
    if (block->cycles > 0)
        total(hpm, block, wanted, n, kernel);
}

void pc_hpm_run(struct pc_hpm *hpm, const struct pc_hpm_block *block)
{
    pc_hpm_run_with(hpm, block, pc_kernel_best());
}

void pc_hpm_count(const struct pc_hpm *hpm, const struct pc_hpm_block *block,
                  struct pc_hpm_totals *totals)
{
    struct wanted wanted[PC_HPM_EVENTS + 1] = { { PC_HPM_ADDED_CYCLES, &totals->cycles },
                                                { PC_HPM_ADDED_INSTRET, &totals->instret } };

    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        wanted[e + 1] = (struct wanted){ e, &totals->event[e] };
    if (block->cycles > 0)
        total(hpm, block, wanted, sizeof wanted / sizeof wanted[0], pc_kernel_best());
}
