/* SPDX-License-Identifier: MIT */
/*
 * Blocks of instants as bit planes, one for each signal that is bound and one for the edges of
 * each domain.  The first blocks after the device was looked at are short, as an access may have
 * left something that takes its cycles one by one (a pulse of the host bus).
 */
#include "script/waves_block.h"

#include <string.h>

enum { WORDS = 256, FIRST = 4, GROWTH = 8, MOST = WORDS * 64, LAST = PC_MAX_SIGNALS / 64 };

/* A domain with edges */
struct rows {
    uint64_t *memory; /* planes of edges and of each signal, of WORDS words */
    const uint8_t *signal;
    size_t signals, first; /* of its stream */
    uint64_t cycles;
    uint64_t last[LAST]; /* samples */
    const uint64_t *plane[PC_MAX_SIGNALS];
};

struct sc_block {
    struct pc_alloc alloc;
    struct pc_gpu *gpu;
    uint64_t instants, most;
    struct rows *rows[PC_GPU_DOMAINS];
    struct pc_run_domain domain[PC_GPU_DOMAINS];
};

static size_t bytes_of(const struct rows *r)
{
    return (1 + r->signals) * WORDS * sizeof *r->memory;
}

enum pc_status sc_block_create(const struct pc_alloc *alloc, struct pc_gpu *gpu,
                               struct sc_block **out, struct pc_error *err)
{
    struct sc_block *b = pc_calloc(alloc, 1, sizeof *b);

    if (!b)
        return pc_fail(err, 100, "no memory for the samples of a wave");
    b->alloc = *alloc;
    b->gpu = gpu;
    b->most = FIRST;
    for (unsigned x = 0; x < PC_GPU_DOMAINS; x++)
        b->domain[x].still = true;
    *out = b;
    return PC_OK;
}

void sc_block_destroy(struct sc_block *b)
{
    if (!b)
        return;
    struct pc_alloc alloc = b->alloc;
    for (unsigned x = 0; x < PC_GPU_DOMAINS; x++)
        if (b->rows[x]) {
            pc_free(&alloc, b->rows[x]->memory, bytes_of(b->rows[x]));
            pc_free(&alloc, b->rows[x], sizeof *b->rows[x]);
        }
    pc_free(&alloc, b, sizeof *b);
}

enum pc_status sc_block_domain(struct sc_block *b, unsigned domain, const uint8_t *signal,
                               size_t signals, size_t first, struct pc_error *err)
{
    struct rows *r = b->rows[domain] = pc_calloc(&b->alloc, 1, sizeof *r);

    if (r)
        r->memory = pc_calloc(&b->alloc, (1 + signals) * WORDS, sizeof *r->memory);
    if (!r || !r->memory)
        return pc_fail(err, 100, "no memory for the samples of %zu signals", signals);
    r->signal = signal;
    r->signals = signals;
    r->first = first;
    for (size_t i = 0; i < signals; i++)
        r->plane[signal[i]] = r->memory + (1 + i) * WORDS;
    b->domain[domain] = (struct pc_run_domain){ .plane = r->plane, .edge = r->memory };
    return PC_OK;
}

/* Returns 64 bits of a stream's samples, as far as there are so many. */
static uint64_t samples(const struct rows *r, const uint64_t *from, size_t w)
{
    size_t at = r->first + 64 * w, end = r->first + r->signals;
    uint64_t bits = from[at / 64] >> at % 64;

    if (at % 64 != 0 && (at / 64 + 1) * 64 < end)
        bits |= from[at / 64 + 1] << (64 - at % 64);
    return bits;
}

void sc_block_cycle(struct sc_block *b, unsigned domain, const uint64_t *value,
                    const uint64_t *unknown)
{
    struct rows *r = b->rows[domain];
    uint64_t *plane = r->memory + WORDS + r->cycles / 64;
    unsigned at = (unsigned)(r->cycles % 64);

    for (size_t w = 0; value && w * 64 < r->signals; w++)
        r->last[w] = samples(r, value, w) & ~samples(r, unknown, w);
    for (size_t i = 0; i < r->signals; i++, plane += WORDS)
        *plane |= (r->last[i / 64] >> i % 64 & 1) << at;
    r->memory[b->instants / 64] |= UINT64_C(1) << (b->instants % 64);
    r->cycles++;
}

static uint64_t longer(uint64_t most)
{
    return most * GROWTH < MOST ? most * GROWTH : MOST;
}

void sc_block_instant(struct sc_block *b)
{
    if (++b->instants < b->most)
        return;
    uint64_t most = longer(b->most);
    sc_block_flush(b);
    b->most = most;
}

/* --- blocks of the wave --- */

/* Cuts a plane of the wave from a cycle on; if that is in the midst of a word, in `copy`. */
static const uint64_t *cut(const uint64_t *plane, uint64_t from, uint64_t cycles, uint64_t *copy)
{
    unsigned shift = (unsigned)(from % 64);

    plane += from / 64;
    if (shift == 0)
        return plane;
    for (uint64_t w = 0; w * 64 < cycles; w++) {
        bool more = cycles - w * 64 > 64 - shift;
        copy[w] = plane[w] >> shift | (more ? plane[w + 1] << (64 - shift) : 0);
    }
    return copy;
}

static void take_rows(struct rows *r, const struct pc_wave_block *wave, uint64_t from,
                      uint64_t cycles)
{
    uint64_t *own = r->memory + WORDS, end = from + cycles - 1;

    for (size_t i = 0; i < r->signals; i++, own += WORDS) {
        const uint64_t *plane = wave->value[r->first + i];
        uint64_t bit = UINT64_C(1) << i % 64;
        r->plane[r->signal[i]] = cut(plane, from, cycles, own);
        r->last[i / 64] &= ~bit;
        r->last[i / 64] |= plane[end / 64] >> end % 64 & 1 ? bit : 0;
    }
}

/* Restores its own planes, which are empty. */
static void empty_rows(struct rows *r, uint64_t cycles)
{
    for (size_t i = 0; i < r->signals; i++) {
        r->plane[r->signal[i]] = r->memory + (1 + i) * WORDS;
        memset(r->memory + (1 + i) * WORDS, 0, (size_t)((cycles + 63) / 64) * sizeof *r->memory);
    }
}

void sc_block_take(struct sc_block *b, const struct pc_wave_block *wave, uint64_t from,
                   uint64_t cycles)
{
    struct pc_run_domain domain[PC_GPU_DOMAINS];

    memcpy(domain, b->domain, sizeof domain);
    for (uint64_t n; cycles > 0; from += n, cycles -= n) {
        n = cycles < b->most ? cycles : b->most;
        for (unsigned x = 0; x < PC_GPU_DOMAINS; x++)
            if (b->rows[x]) {
                domain[x].edge = NULL;
                take_rows(b->rows[x], wave, from, n);
            }
        pc_gpu_edges(b->gpu, n, domain);
        for (unsigned x = 0; x < PC_GPU_DOMAINS; x++)
            if (b->rows[x])
                empty_rows(b->rows[x], n);
        b->most = longer(b->most);
    }
}

/* --- collected --- */

void sc_block_flush(struct sc_block *b)
{
    size_t words = (size_t)((b->instants + 63) / 64);

    b->most = FIRST;
    if (b->instants == 0)
        return;
    pc_gpu_edges(b->gpu, b->instants, b->domain);
    for (unsigned x = 0; x < PC_GPU_DOMAINS; x++) {
        struct rows *r = b->rows[x];
        for (size_t i = 0; r && i < 1 + r->signals; i++)
            memset(r->memory + i * WORDS, 0, words * sizeof *r->memory);
        if (r)
            r->cycles = 0;
    }
    b->instants = 0;
}
