/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE, 64 clocks at once.  Between writes a counter is a sum of what its event
 * adds, so that its planes follow from its value before the word: bit 0 is inverted by what is
 * added, the next one by the carries, and as soon as no carry is left all further planes are
 * constant.  Whatever is not so simple is left to check_wave.c, clock by clock, which also
 * words every difference.
 */
#include "check_wave.h"
#include "ones.h"

static uint64_t word(const uint64_t *plane, size_t w)
{
    return plane ? plane[w] : 0;
}

/* ---- a block ---- */

static bool any_unknown(const struct core *c)
{
    const size_t words = (c->block.cycles + 63) / 64;
    uint64_t any = 0;

    for (size_t i = 0; c->block.any_unknown && i < c->wires && any == 0; i++)
        for (size_t w = 0; w < words; w++)
            any |= c->block.unknown[i][w];
    return any != 0;
}

/* Is the plane all 0 or all 1 in the whole words of the block?  Most that are not show it soon. */
static bool stands_still(const uint64_t *plane, size_t words)
{
    uint64_t moves = plane[0] ^ (0 - (plane[0] & 1));

    for (size_t w = 0; w < words && moves == 0; w += 8)
        for (size_t i = w; i < w + 8 && i < words; i++)
            moves |= plane[i] ^ plane[0];
    return moves == 0;
}

/* What the reader knows of a bit of a port that is in the waveform. */
static enum pc_wave_still known(const struct core *c, enum core_port port, unsigned bit)
{
    const struct core_source *s = &c->port[port];

    return c->block.still && !s->constant ? (enum pc_wave_still)c->block.still[s->wire + bit]
                                          : PC_STILL_UNKNOWN;
}

/* A bit of a port in the whole words of the block; PC_STILL_UNKNOWN: it moves. */
static enum pc_wave_still level_of(const struct core *c, enum core_port port, unsigned bit)
{
    const size_t words = c->block.cycles / 64;
    const uint64_t *plane = core_plane(c, port, bit);
    const enum pc_wave_still still = plane ? known(c, port, bit) : PC_STILL_0;

    if (words == 0 || still != PC_STILL_UNKNOWN)
        return words == 0 ? PC_STILL_UNKNOWN : still;
    if (!stands_still(plane, words))
        return PC_STILL_UNKNOWN;
    return plane[0] & 1 ? PC_STILL_1 : PC_STILL_0;
}

static void look_at_register(struct wave_planes *p, const struct core *c, unsigned reg)
{
    const enum core_port port = wave_port_of(reg);

    p->still[reg] = p->level[reg] = 0;
    for (unsigned b = 0; b < 64; b++) {
        const enum pc_wave_still level = level_of(c, port, b);
        p->out[reg][b] = core_plane(c, port, b);
        p->still[reg] |= (uint64_t)(level != PC_STILL_UNKNOWN) << b;
        p->level[reg] |= (uint64_t)(level == PC_STILL_1) << b;
    }
}

static void note_moves(const uint64_t *plane, size_t words, uint64_t any[PC_BLOCK_WORDS])
{
    for (size_t w = 1; w < words; w++)
        any[w] |= plane[w] ^ (plane[w] << 1 | plane[w - 1] >> 63);
}

/* Where a counter changes, and where its upper bits do. */
static void look_for_moves(struct wave_planes *p, const struct core *c, unsigned reg)
{
    const size_t words = c->block.cycles / 64;
    uint64_t low[PC_BLOCK_WORDS] = { 1 }, high[PC_BLOCK_WORDS] = { 1 };

    for (unsigned b = 0; b < 64; b++)
        if (p->out[reg][b] && !(p->still[reg] >> b & 1))
            note_moves(p->out[reg][b], words, b < WAVE_LOW ? low : high);
    for (size_t w = 0; w < words; w++)
        p->moves[reg][w] =
            (uint8_t)((low[w] != 0) * WAVE_MOVES_LOW + (high[w] != 0) * WAVE_MOVES_HIGH);
}

static void look_at_inhibit(struct wave_planes *p, const struct core *c)
{
    p->inhibit_still = true;
    p->inhibits = 0;
    for (unsigned b = 0; b < 32; b++) {
        const enum pc_wave_still level = level_of(c, CORE_INHIBIT, b);
        p->inhibit[b] = core_plane(c, CORE_INHIBIT, b);
        p->inhibit_still &= level != PC_STILL_UNKNOWN;
        p->inhibits |= (uint32_t)(level == PC_STILL_1) << b;
    }
}

void wave_look_at_block(struct wave_check *k)
{
    const struct core *c = &k->core;
    struct wave_planes *p = &k->planes;

    p->usable = k->driven && c->options->config->perf_counter_en && !any_unknown(c);
    if (!p->usable)
        return;
    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (k->outputs >> r & 1) {
            look_at_register(p, c, r);
            if (r <= PC_HPM_LAST)
                look_for_moves(p, c, r);
        }
    for (unsigned b = 0; b < 12; b++)
        p->address[b] = core_plane(c, CORE_ADDRESS, b);
    look_at_inhibit(p, c);
    p->write = core_plane(c, CORE_WRITE, 0);
}

/* ---- a word ---- */

/* mcountinhibit stands still in the word. */
static bool inhibits(const struct wave_planes *p, size_t w, uint32_t *value)
{
    uint64_t wrong = 0;

    *value = 0;
    for (unsigned b = 0; b < 32; b++) {
        const uint64_t here = word(p->inhibit[b], w);
        *value |= (uint32_t)(here & 1) << b;
        wrong |= here ^ (0 - (here & 1));
    }
    return wrong == 0;
}

/* Bits from `first` on of a register are those of a constant. */
static bool holds(const struct wave_planes *p, unsigned reg, unsigned first, size_t w,
                  uint64_t value)
{
    const uint64_t here = first < 64 ? UINT64_MAX << first : 0;
    const uint64_t moving = here & ~p->still[reg];
    uint64_t wrong = 0;

    for (unsigned b = first; b < 64 && moving >> b != 0; b++)
        if (moving >> b & 1)
            wrong |= word(p->out[reg][b], w) ^ ((uint64_t)0 - (value >> b & 1));
    return wrong == 0 && ((value ^ p->level[reg]) & p->still[reg] & here) == 0;
}

/* What a counter is in clock 0 of word w, what is added, and what it was in the clock before. */
struct course {
    uint64_t value;
    const uint64_t *add;
    const uint64_t *before; /* NULL: not known to agree */
};

/*
 * Bit 0 of a counter differs from one clock to the next where something is added, the next bit
 * where that carries.  Upper bits that do not move go on as they were.
 */
static bool counts(const struct wave_planes *p, unsigned reg, size_t w, const struct course *c)
{
    const uint64_t high = UINT64_MAX << WAVE_LOW;
    const unsigned moves = c->before ? p->moves[reg][w] : WAVE_MOVES_LOW | WAVE_MOVES_HIGH;
    uint64_t carry = c->add[0] ^ c->add[1], twice = c->add[0] & c->add[1], wrong = 0;

    if (moves == 0 && (carry | twice) == 0 && c->value == *c->before)
        return true;
    for (unsigned b = 0; b < 64 && (b < WAVE_LOW || carry != 0); b++) {
        const uint64_t level = word(p->out[reg][b], w);
        wrong |= (level ^ level >> 1 ^ carry) << 1 | ((level ^ c->value >> b) & 1);
        carry = (carry & level) | twice;
        twice = 0;
        if (b >= WAVE_LOW && carry == 0)
            return wrong == 0 && holds(p, reg, b + 1, w, c->value);
    }
    if (wrong != 0 || (!(moves & WAVE_MOVES_HIGH) && ((c->value ^ *c->before) & high) == 0))
        return wrong == 0;
    return holds(p, reg, WAVE_LOW, w, c->value);
}

/* Clocks with an address at which perf_counters could have a register. */
static uint64_t reads(const struct wave_planes *p, size_t w)
{
    static const unsigned HIGH[] = { 0xb00, 0xb80, 0xc00, 0xc80, 0x320 };
    uint64_t a[12], high = 0;

    for (unsigned b = 0; b < 12; b++)
        a[b] = word(p->address[b], w);
    for (unsigned i = 0; i < sizeof HIGH / sizeof HIGH[0]; i++) {
        uint64_t here = UINT64_MAX;
        for (unsigned b = 5; b < 12; b++)
            here &= HIGH[i] >> b & 1 ? a[b] : ~a[b];
        high |= here;
    }
    const uint64_t from_3_to_7 = ~a[3] & (a[2] | (a[1] & a[0])),
                   is_8 = a[3] & ~(a[2] | a[1] | a[0]);
    return high & ~a[4] & (from_3_to_7 | is_8);
}

/* What the models add in the word, and their states before it and after it. */
struct step {
    uint64_t add[PC_HPM_LAST + 1][2];
    uint32_t inhibit;
    struct pc_hpm_state module, fixed;
};

/* All that the step depends on stands still; every counter is known and stays it. */
static bool prepare(struct wave_check *k, size_t w, struct step *s)
{
    const struct wave_planes *p = &k->planes;

    s->inhibit = p->inhibits;
    if (word(p->write, w) != 0 || (!p->inhibit_still && !inhibits(p, w, &s->inhibit)))
        return false;
    pc_hpm_get_state(k->module, &s->module);
    pc_hpm_get_state(k->fixed, &s->fixed);
    if (s->fixed.inhibit != (s->inhibit & 0x1fd))
        return false;
    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        const unsigned e = c == 0   ? PC_HPM_ADDED_CYCLES
                           : c == 2 ? PC_HPM_ADDED_INSTRET
                                    : s->module.selector[c];
        const bool seen = c < PC_HPM_FIRST || e >= PC_HPM_EVENTS || (k->core.events >> e & 1);
        const bool inhibited = s->inhibit >> c & 1;
        s->add[c][0] = s->add[c][1] = 0;
        if (c == 1)
            continue;
        if (!seen && !inhibited)
            return false;
        if (!inhibited)
            pc_hpm_added(k->module, &k->core.in, e, w, s->add[c]);
    }
    return true;
}

static bool counter_agrees(const struct wave_check *k, unsigned reg, size_t w, const struct step *s)
{
    const bool fixed = reg < PC_HPM_FIRST, goes_on = k->owes_before && k->owed_word + 1 == w;
    const struct pc_hpm_state *before = fixed ? &k->before.fixed : &k->before.module;
    const struct course c = { .value = (fixed ? &s->fixed : &s->module)->counter[reg],
                              .add = s->add[reg],
                              .before = goes_on ? &before->counter[reg] : NULL };

    return counts(&k->planes, reg, w, &c);
}

static bool registers_agree(const struct wave_check *k, size_t w, const struct step *s)
{
    const struct wave_planes *p = &k->planes;

    for (unsigned r = 0; r < WAVE_REGS; r++) {
        bool same = true;
        if (!(k->outputs >> r & 1))
            continue;
        if (r < WAVE_SELECTORS)
            same = counter_agrees(k, r, w, s);
        else if (r < WAVE_RDATA)
            same = holds(p, r, 0, w, s->module.selector[PC_HPM_FIRST + r - WAVE_SELECTORS]);
        else
            same = reads(p, w) == 0 && holds(p, r, 0, w, 0);
        if (!same)
            return false;
    }
    return true;
}

/* The states before clock 63 into `before`, the ones after it into the models. */
static void advance(struct wave_check *k, struct step *s)
{
    struct wave_clock *before = &k->before;

    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        struct pc_hpm_state *state = c < PC_HPM_FIRST ? &s->fixed : &s->module;
        state->counter[c] += cli_ones(s->add[c][0]) + cli_ones(s->add[c][1]);
    }
    before->module = s->module;
    before->fixed = s->fixed;
    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        struct pc_hpm_state *state = c < PC_HPM_FIRST ? &before->fixed : &before->module;
        state->counter[c] -= (s->add[c][0] >> 63) + (s->add[c][1] >> 63);
    }
    wave_set_state(k->module, &s->module);
    wave_set_state(k->fixed, &s->fixed);
}

bool wave_agrees(struct wave_check *k, size_t w)
{
    struct wave_result *r = &k->result;
    uint64_t counted = 0;
    struct step s;

    if (!k->planes.usable || (k->known & k->outputs) != k->outputs || !prepare(k, w, &s) ||
        !registers_agree(k, w, &s))
        return false;
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++) {
        if (!(k->known >> c & 1) || !(k->known >> (WAVE_SELECTORS + c - PC_HPM_FIRST) & 1))
            return false;
        counted |= s.add[c][0] | s.add[c][1];
    }
    advance(k, &s);
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (k->outputs >> i & 1 && (i != WAVE_RDATA || k->core.port[CORE_ADDRESS].present)) {
            r->compared[i] += 64;
            r->proofs += i != WAVE_RDATA ? 64 : 0;
        }
    r->counted += cli_ones(counted);
    r->edges += 64;
    k->has_before = k->owes_before = true;
    k->owed_word = w;
    return true;
}

void wave_set_state(struct pc_hpm *hpm, const struct pc_hpm_state *s)
{
    if (pc_hpm_set_state(hpm, s, NULL) != PC_OK)
        pc_hpm_reset(hpm); /* the state is made of values that registers can have */
}

void wave_settle(struct wave_check *k)
{
    struct wave_clock now;
    struct pc_hpm_out out;

    if (!k->owes_before)
        return;
    wave_read_word(&k->core, k->outputs, k->owed_word, &k->word);
    wave_read_clock(&k->word, 63, &now);
    now.module = k->before.module;
    now.fixed = k->before.fixed;
    wave_set_state(k->module, &now.module);
    pc_hpm_step_module(k->module, &now.in, &now.strobe, &out);
    now.events = out.events;
    k->before = now;
    k->owes_before = false;
}
