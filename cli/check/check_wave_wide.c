/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE, many words of 64 clocks at once.  Between writes a counter is a sum of what
 * its event adds, so that its planes follow from its value before: bit 0 changes where 1 is
 * added, each further bit where the one before it changes to 0; as soon as none does, all
 * further planes are constant.  So the planes are gone through bit by bit, each along all words
 * of the run.  Whatever is not so simple is left to check_wave.c, clock by clock, which also words
 * every difference.
 */
#include "check_wave.h"

#include <string.h>

/* ---- registers against the model ---- */

/* Bits from `first` on of a register are those of a constant. */
static void hold(struct wave_run *r, const struct wave_bits *bits, unsigned first, uint64_t value)
{
    const uint64_t here = first < 64 ? UINT64_MAX << first : 0;
    const uint64_t moving = here & bits->moves;

    if ((value ^ bits->level) & ~bits->moves & here)
        r->wrong[0] = UINT64_MAX;
    for (unsigned b = first; b < 64 && moving >> b != 0; b++) {
        const uint64_t level = 0 - (value >> b & 1);
        for (size_t i = 0; i < r->words && moving >> b & 1; i++)
            r->wrong[i] |= bits->plane[b][r->word + i] ^ level;
    }
}

/*
 * A bit that is `first` in the clock before the run, and changes where `moves` says; these are
 * then the changes of the next bit.  Are there any?
 */
static bool follow(const uint64_t *restrict plane, uint64_t first, size_t words,
                   uint64_t *restrict moves, uint64_t *restrict wrong)
{
    uint64_t any = moves[0] & ~plane[0];

    wrong[0] |= plane[0] ^ (plane[0] << 1 | first) ^ moves[0];
    moves[0] = any;
    for (size_t i = 1; i < words; i++) {
        const uint64_t before = plane[i] << 1 | plane[i - 1] >> 63, next = moves[i] & ~plane[i];
        wrong[i] |= plane[i] ^ before ^ moves[i];
        moves[i] = next;
        any |= next;
    }
    return any != 0;
}

/* Bit 0 changes in the clock after one in which 1 is added. */
static bool begin_moves(struct wave_run *r, unsigned reg)
{
    const uint64_t *one = r->add[reg][0], *other = r->add[reg][1];
    uint64_t any = one[0] ^ other[0];

    r->moves[0] = any << 1;
    for (size_t i = 1; i < r->words; i++) {
        r->moves[i] = (one[i] ^ other[i]) << 1 | (one[i - 1] ^ other[i - 1]) >> 63;
        any |= one[i] ^ other[i];
    }
    return any != 0;
}

/* Bit 1 changes also after one in which 2 are added. */
static bool add_moves(struct wave_run *r, unsigned reg)
{
    const uint64_t *one = r->add[reg][0], *other = r->add[reg][1];
    uint64_t any = one[0] & other[0];

    r->moves[0] |= any << 1;
    for (size_t i = 1; i < r->words; i++) {
        r->moves[i] |= (one[i] & other[i]) << 1 | (one[i - 1] & other[i - 1]) >> 63;
        any |= one[i] & other[i];
    }
    return any != 0;
}

static void compare_counter(const struct wave_check *k, struct wave_run *r, unsigned reg)
{
    const uint64_t value = (reg < PC_HPM_FIRST ? &r->fixed : &r->module)->counter[reg];
    unsigned b = 0;

    for (bool any = r->adds >> reg & 1 && begin_moves(r, reg); b < 64 && any; b++) {
        any = follow(wave_plane(&k->core, wave_port_of(reg), b) + r->word, value >> b & 1, r->words,
                     r->moves, r->wrong);
        any |= b == 0 && r->twice >> reg & 1 && add_moves(r, reg);
    }
    hold(r, &k->planes.out[reg], b, value);
}

/* Clocks of a word in which a bit of the port is not what it was in the clock before. */
static uint64_t changes(const struct wave_bits *bits, size_t w)
{
    uint64_t any = 0;

    for (unsigned b = 0; b < 64 && bits->moves >> b != 0; b++)
        if (bits->moves >> b & 1)
            any |= bits->plane[b][w] ^ bits->plane[b][w] << 1;
    return any;
}

/* ... in which a read may have another answer: another address, or a counter has counted. */
static uint64_t new_answers(const struct wave_planes *p, const struct wave_run *r, size_t i)
{
    const size_t w = r->word + i;
    uint64_t any = 1 | ~(p->reads[w] << 1) | changes(&p->address, w);

    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        if (r->adds >> c & 1)
            any |= (r->add[c][0][i] | r->add[c][1][i]) << 1;
    return any;
}

/*
 * data_o where a register is read: what the model answers in the state that the design has there,
 * which is the model's if the word agrees.
 */
static void compare_reads(const struct wave_check *k, struct wave_run *r, size_t i)
{
    static const struct pc_hpm_in nothing;
    const struct wave_planes *p = &k->planes;
    const struct wave_bits *data = &p->out[WAVE_RDATA];
    const size_t w = r->word + i;
    const uint64_t asked = p->reads[w] & new_answers(p, r, i);
    struct pc_hpm_state s = r->module;
    struct pc_hpm_out out;

    r->wrong[i] |= changes(data, w) & p->reads[w] & ~asked;
    for (unsigned t = 0; t < 64; t++) {
        if (!(asked >> t & 1))
            continue;
        const struct pc_hpm_strobe read = { .address = (uint16_t)wave_value(&p->address, w, t) };
        for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
            s.counter[c] = wave_value(&p->out[c], w, t);
        wave_set_state(k->module, &s);
        pc_hpm_step_module(k->module, &nothing, &read, &out);
        r->wrong[i] |= (uint64_t)(out.rdata != wave_value(data, w, t)) << t;
    }
}

/* Elsewhere data_o is 0. */
static void compare_data(const struct wave_check *k, struct wave_run *r)
{
    const struct wave_planes *p = &k->planes;
    const struct wave_bits *data = &p->out[WAVE_RDATA];

    if (!p->any_read) {
        hold(r, data, 0, 0);
        return;
    }
    for (size_t i = 0; i < r->words; i++) {
        const uint64_t read = p->reads[r->word + i];
        uint64_t any = data->level ? UINT64_MAX : 0;
        for (unsigned b = 0; b < 64 && data->moves >> b != 0; b++)
            any |= data->moves >> b & 1 ? data->plane[b][r->word + i] : 0;
        r->wrong[i] |= any & ~read;
        if (read && r->wrong[i] == 0)
            compare_reads(k, r, i);
    }
    wave_set_state(k->module, &r->module);
}

static void compare_registers(const struct wave_check *k, struct wave_run *r)
{
    const struct wave_planes *p = &k->planes;

    memset(r->wrong, 0, r->words * sizeof *r->wrong);
    for (unsigned reg = 0; reg < WAVE_REGS; reg++) {
        if (!((k->outputs & ~WAVE_ANSWERS) >> reg & 1))
            continue;
        if (reg < WAVE_SELECTORS)
            compare_counter(k, r, reg);
        else
            hold(r, &p->out[reg], 0, wave_value_in(&r->module, &r->fixed, reg) | k->beyond[reg]);
    }
    if (k->outputs >> WAVE_RDATA & 1)
        compare_data(k, r);
}

/* ---- a run ---- */

/* Words from w on in which all stands still that the step depends on. */
static size_t quiet_words(const struct wave_check *k, size_t w, uint32_t *inhibit)
{
    const struct wave_planes *p = &k->planes;
    const size_t all = k->core.block.cycles / 64, end = all - w < k->most ? all : w + k->most;
    size_t to = w;

    *inhibit = (uint32_t)wave_value(&p->inhibit, w, 0);
    while (to < end && p->single[to] == 0 &&
           (p->inhibit.moves == 0 || wave_value(&p->inhibit, to, 0) == *inhibit))
        to++;
    return to - w;
}

/* Every counter and selector is known, and what the counters count can be seen. */
static bool is_sure(const struct wave_check *k, const struct wave_run *r)
{
    const uint32_t selectors = (1u << WAVE_RDATA) - (1u << WAVE_SELECTORS),
                   need = WAVE_COUNTERS | selectors | (k->outputs & ~WAVE_ANSWERS);

    if ((k->known & need) != need || r->fixed.inhibit != (r->inhibit & 0x1fd))
        return false;
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++) {
        const unsigned e = r->module.selector[c];
        const bool seen = e >= PC_HPM_EVENTS || (k->core.events >> e & 1);
        if (!seen && !(r->inhibit >> c & 1))
            return false;
    }
    return true;
}

/* false: no memory; the clocks go one by one. */
static bool find_adds(const struct wave_check *k, struct wave_run *r, unsigned reg)
{
    const unsigned e = reg == 2 ? (unsigned)CORE_INSTRUCTIONS : r->module.selector[reg];
    const uint64_t *plane[2] = { NULL, NULL }, *debug = core_plane(&k->core, CORE_DEBUG, 0);
    uint64_t any = 0, twice = 0;

    if (reg != 0 && (reg == 2 || e < PC_HPM_EVENTS) && /* HPM.COUNT.3: others are nothing */
        !core_counting_planes(k->counting, e, plane))
        return false;
    for (size_t i = 0; i < r->words && !(r->inhibit >> reg & 1); i++) {
        const size_t w = r->word + i;
        const uint64_t runs = k->stops && debug ? ~debug[w] : UINT64_MAX;
        r->add[reg][0][i] = reg == 0 ? runs : plane[0] ? runs & plane[0][w] : 0;
        r->add[reg][1][i] = plane[1] ? runs & plane[1][w] : 0;
        any |= r->add[reg][0][i] | r->add[reg][1][i];
        twice |= r->add[reg][1][i];
    }
    r->adds |= (uint32_t)(any != 0) << reg;
    r->twice |= (uint32_t)(twice != 0) << reg;
    return true;
}

static bool begin_run(struct wave_check *k, size_t w)
{
    struct wave_run *r = &k->run;

    r->word = w;
    r->words = quiet_words(k, w, &r->inhibit);
    r->adds = r->twice = 0;
    if (r->words == 0)
        return false;
    pc_hpm_get_state(k->module, &r->module);
    pc_hpm_get_state(k->fixed, &r->fixed);
    if (!is_sure(k, r))
        return false;
    for (unsigned c = 0; c <= PC_HPM_LAST; c++)
        if (c != 1 && !find_adds(k, r, c))
            return false;
    return true;
}

/* ---- after it ---- */

/* Clocks of the first words in which an event counter counts. */
static uint64_t counted(struct wave_run *r, size_t words)
{
    memset(r->moves, 0, words * sizeof *r->moves);
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        for (size_t i = 0; i < words && r->adds >> c & 1; i++)
            r->moves[i] |= r->add[c][0][i] | r->add[c][1][i];
    return pc_plane_ones(r->moves, words);
}

/* The states before the last clock of the words into `before`, the ones after it into the models.
 */
static void advance(struct wave_check *k, struct wave_run *r, size_t words)
{
    struct wave_clock *before = &k->before;

    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        struct pc_hpm_state *state = c < PC_HPM_FIRST ? &r->fixed : &r->module;
        if (r->adds >> c & 1)
            state->counter[c] += pc_plane_ones(r->add[c][0], words);
        if (r->twice >> c & 1)
            state->counter[c] += pc_plane_ones(r->add[c][1], words);
    }
    before->module = r->module;
    before->fixed = r->fixed;
    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        struct pc_hpm_state *state = c < PC_HPM_FIRST ? &before->fixed : &before->module;
        if (r->adds >> c & 1)
            state->counter[c] -= (r->add[c][0][words - 1] >> 63) + (r->add[c][1][words - 1] >> 63);
    }
    wave_set_state(k->module, &r->module);
    wave_set_state(k->fixed, &r->fixed);
}

static void note_agreement(struct wave_check *k, struct wave_run *r, size_t words)
{
    struct wave_result *result = &k->result;

    for (unsigned i = 0; i < WAVE_REGS; i++)
        if ((k->outputs & ~(WAVE_CSR & WAVE_ANSWERS)) >> i & 1) {
            result->compared[i] += 64 * words;
            result->proofs += i != WAVE_RDATA ? 64 * words : 0;
        }
    if (k->outputs >> WAVE_RDATA & 1 && k->planes.any_read)
        result->proofs += pc_plane_ones(k->planes.reads + r->word, words);
    result->counted += counted(r, words);
    result->edges += 64 * words;
    k->has_before = k->owes_before = true;
    k->owed_word = r->word + words - 1;
}

size_t wave_agree(struct wave_check *k, size_t w)
{
    struct wave_run *r = &k->run;
    size_t words = 0;

    if (!k->planes.usable || w >= k->core.block.cycles / 64 || w == k->differs_at ||
        !begin_run(k, w))
        return 0;
    compare_registers(k, r);
    while (words < r->words && r->wrong[words] == 0)
        words++;
    if (words < r->words) {
        k->differs_at = w + words;
        k->most = 1;
    } else {
        k->most = 2 * k->most < PC_BLOCK_WORDS ? 2 * k->most : PC_BLOCK_WORDS;
    }
    if (words > 0) {
        advance(k, r, words);
        note_agreement(k, r, words);
    }
    return words;
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
    wave_read_last(&k->core, k->owed_word, &now);
    now.module = k->before.module;
    now.fixed = k->before.fixed;
    wave_set_state(k->module, &now.module);
    pc_hpm_step_module(k->module, &now.in, &now.strobe, &out);
    now.events = out.events;
    k->before = now;
    k->owes_before = false;
}
