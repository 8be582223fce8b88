/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE, at the beginning of a block: which planes stand still in it, and in which
 * clocks something happens that is not looked at 64 clocks at once.
 */
#include "check_wave.h"

/* Is the plane all 0 or all 1 in these words?  Most that are not show it soon. */
static bool stands_still(const uint64_t *plane, size_t words)
{
    uint64_t moves = plane[0] ^ (0 - (plane[0] & 1));

    for (size_t w = 0; w < words && moves == 0; w += 8)
        for (size_t i = w; i < w + 8 && i < words; i++)
            moves |= plane[i] ^ plane[0];
    return moves == 0;
}

static void look_at_port(const struct core *c, enum core_port port, struct wave_bits *out)
{
    const struct core_source *s = &c->port[port];
    const bool waves = s->present && !s->constant;
    const size_t words = c->block.cycles / 64;

    *out = (struct wave_bits){ .level = s->present && s->constant ? s->value : 0 };
    if (!waves)
        return;
    out->plane = c->block.value + s->wire;
    for (unsigned b = 0; b < s->bits; b++) {
        const uint8_t known = c->block.still ? c->block.still[s->wire + b] : PC_STILL_UNKNOWN;
        const bool moves = known == PC_STILL_UNKNOWN && !stands_still(out->plane[b], words);
        out->moves |= (uint64_t)moves << b;
        out->level |= (uint64_t)(known == PC_STILL_UNKNOWN ? !moves && (out->plane[b][0] & 1)
                                                           : known == PC_STILL_1)
                      << b;
    }
}

const uint64_t *wave_plane(const struct core *c, enum core_port port, unsigned bit)
{
    static const uint64_t zeros[PC_BLOCK_WORDS];
    const uint64_t *plane = core_plane(c, port, bit);

    return plane ? plane : zeros;
}

uint64_t wave_value(const struct wave_bits *bits, size_t w, unsigned t)
{
    uint64_t value = bits->level;

    for (unsigned b = 0; b < 64 && bits->moves >> b != 0; b++)
        if (bits->moves >> b & 1)
            value |= (bits->plane[b][w] >> t & 1) << b;
    return value;
}

/* ---- what is not taken 64 clocks at once ---- */

static void add_unknown(const struct core *c, uint64_t single[PC_BLOCK_WORDS])
{
    const size_t words = c->block.cycles / 64;

    for (size_t i = 0; c->block.any_unknown && i < c->wires; i++)
        for (size_t w = 0; w < words; w++)
            single[w] |= c->block.unknown[i][w];
}

/* Clocks with an address at which perf_counters has a register. */
static void find_reads(const struct core *c, size_t words, uint64_t *restrict reads)
{
    const uint64_t *a[12];

    for (unsigned b = 0; b < 12; b++)
        a[b] = wave_plane(c, CORE_ADDRESS, b);
    for (size_t w = 0; w < words; w++) {
        const uint64_t from_3_to_7 = ~a[3][w] & (a[2][w] | (a[1][w] & a[0][w])),
                       is_8 = a[3][w] & ~(a[2][w] | a[1][w] | a[0][w]);
        reads[w] = ~a[4][w] & (from_3_to_7 | is_8);
    }
    for (size_t w = 0; w < words; w++) {
        const uint64_t m = a[11][w] & ~a[10][w] & a[9][w] & a[8][w], /* b00, b80 */
            u = a[11][w] & a[10][w] & ~a[9][w] & ~a[8][w],           /* c00, c80 */
            selector = ~a[11][w] & ~a[10][w] & a[9][w] & a[8][w] & ~a[7][w];
        reads[w] &= ~a[6][w] & (((m | u) & ~a[5][w]) | (selector & a[5][w]));
    }
}

static void add_accesses(struct wave_check *k, size_t words)
{
    const bool all = (k->outputs & WAVE_COUNTERS) == WAVE_COUNTERS;
    const uint64_t *write = core_plane(&k->core, CORE_WRITE, 0);
    struct wave_planes *p = &k->planes;
    uint64_t any = 0;

    for (size_t w = 0; w < words && write; w++)
        p->single[w] |= write[w];
    if (k->outputs >> WAVE_RDATA & 1) {
        find_reads(&k->core, words, p->reads);
        for (size_t w = 0; w < words; w++) {
            any |= p->reads[w];
            p->single[w] |= all ? 0 : p->reads[w];
        }
    }
    p->any_read = any != 0;
}

/* Clocks with another mcountinhibit than the one before in the word. */
static void add_changes(const struct wave_bits *inhibit, size_t words,
                        uint64_t single[PC_BLOCK_WORDS])
{
    for (unsigned b = 0; b < 64 && inhibit->moves >> b != 0; b++)
        for (size_t w = 0; w < words && inhibit->moves >> b & 1; w++)
            single[w] |=
                inhibit->plane[b][w] ^ (inhibit->plane[b][w] << 1 | (inhibit->plane[b][w] & 1));
}

void wave_look_at_block(struct wave_check *k)
{
    const struct core *c = &k->core;
    struct wave_planes *p = &k->planes;
    const size_t words = c->block.cycles / 64;

    k->differs_at = SIZE_MAX;
    p->usable = words > 0 && k->driven && c->options->config->perf_counter_en && !k->o->stepwise;
    if (!p->usable)
        return;
    for (size_t w = 0; w < words; w++)
        p->single[w] = ~core_out_of_reset(c, w);
    add_unknown(c, p->single);
    look_at_port(c, CORE_ADDRESS, &p->address);
    add_accesses(k, words);
    if (k->csr)
        wave_add_accesses(c, words, p->single);
    look_at_port(c, CORE_INHIBIT, &p->inhibit);
    add_changes(&p->inhibit, words, p->single);
    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (k->outputs >> r & 1)
            look_at_port(c, wave_port_of(r), &p->out[r]);
}
