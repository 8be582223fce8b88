/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE --core NAME: the registers and read data of a simulated core against the
 * description of it that `emit core` makes, which is made in memory, on the ports that the waveform
 * has, and run by the engine of descriptions.  mcycle and minstret are compared where the waveform
 * has them; without csr_regfile their writes are recognised by their address and taken over.
 */
#include "check_wave.h"
#include "process/progress.h"

#include <stdlib.h>
#include <string.h>

#include "text/ones.h"

/* ---- what is looked at beside the registers, 64 clocks at once ---- */

/* Bits of the word of the block that were run, out of reset. */
static uint64_t running(const struct wave_check *k, size_t w, uint64_t cycles)
{
    const uint64_t left = cycles > 64 * w ? cycles - 64 * w : 0;
    const uint64_t some = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;

    return core_out_of_reset(&k->core, w) & some;
}

static uint64_t bits_at(const struct wave_check *k, enum core_port port, uint64_t t)
{
    uint64_t value = 0;

    for (unsigned b = 0; b < CORE_MOST_BITS; b++) {
        const uint64_t *plane = core_plane(&k->core, port, b);
        value |= plane ? (plane[t / 64] >> t % 64 & 1) << b : 0;
    }
    return value;
}

/* Software that takes an event index of the SBI for a selector; 63:62 are OpenSBI's. */
static void find_cut(struct wave_check *k, uint64_t writes, size_t w)
{
    for (; writes && !k->result.cut.any; writes &= writes - 1) {
        const uint64_t t = 64 * w + (unsigned)__builtin_ctzll(writes);
        const unsigned address = (unsigned)bits_at(k, CORE_ADDRESS, t);
        const uint64_t data = bits_at(k, CORE_WDATA, t);
        if (address >= 0x320 + PC_HPM_FIRST && address <= 0x320 + PC_HPM_LAST &&
            (data & 0xffffffffffe0) != 0)
            k->result.cut = (struct wave_write){ true, k->core.block.first_cycle + t, data };
    }
}

/* Does an event counter count in the word: bit 0 or 1 changes, and nothing is written? */
static bool counts(const struct wave_check *k, uint64_t quiet, size_t w)
{
    uint64_t moves = 0;

    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        for (unsigned b = 0; b < 2 && k->outputs >> c & 1; b++) {
            const uint64_t *plane = core_plane(&k->core, wave_port_of(c), b);
            moves |= plane ? (plane[w] ^ plane[w] >> 1) & UINT64_MAX >> 1 : 0;
        }
    return (moves & quiet & quiet >> 1) != 0;
}

/* Event counters that are not shown are taken to count. */
static bool may_count(const struct wave_check *k)
{
    return k->driven && (k->outputs & WAVE_COUNTERS) == 0;
}

static void look_at_words(struct wave_check *k, uint64_t cycles)
{
    const uint64_t *write = core_plane(&k->core, CORE_WRITE, 0);
    struct wave_result *r = &k->result;

    r->counted |= may_count(k);
    for (size_t w = 0; 64 * w < cycles; w++) {
        const uint64_t run = running(k, w, cycles), writes = write ? write[w] & run : 0;
        r->unknown_inputs += cli_ones(core_unknown(&k->core, w) & run);
        if (writes && !r->cut.any)
            find_cut(k, writes, w);
        if (!r->counted)
            r->counted = counts(k, run & ~writes, w);
    }
}

/* ---- the waveform ---- */

static enum pc_status run_block(struct wave_check *k, struct pc_error *err)
{
    const struct pc_core_watch watch = { .differs = wave_differs,
                                         .reset_between = wave_reset_between,
                                         .takes = wave_takes,
                                         .unwatched = true,
                                         .ctx = k };
    const struct pc_wave_block *block = &k->core.block;
    struct pc_core_counts counts;

    wave_take_block(k);
    const enum pc_status status =
        pc_core_run(k->d.core, block->cycles, k->value, k->unknown, &watch, err);
    pc_core_get_counts(k->d.core, &counts);
    look_at_words(k, counts.edges - block->first_cycle);
    wave_keep_last(k);
    return status;
}

static int make_description(struct wave_check *k)
{
    struct pc_error err;
    size_t i = 0;

    if (!wave_make_wires(k))
        return cli_no_memory();
    if (core_counting_open(&k->core, k->result.quirks & ~(uint32_t)PC_HPM_Q_OR_PORTS, &k->counting,
                           &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    for (; pc_hpm_quirk_at(i) && i < WAVE_QUIRKS; i++)
        k->quirk[i] = pc_hpm_quirk_at(i);
    const int code = wave_describe(k, k->result.quirks, &k->d);
    return code == CLI_OK && !wave_index(k) ? cli_no_memory() : code;
}

/* Finds what the waveform has, and whether it suffices for the event counters and the fixed ones.
 */
static void look_at_ports(struct wave_check *k)
{
    const struct core_source *p = k->core.port;
    const bool debug = p[CORE_DEBUG].present || !k->core.options->config->debug;

    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (r != 1 && p[wave_port_of(r)].present)
            k->outputs |= 1u << r;
    if (!p[CORE_INHIBIT].present || !debug)
        k->outputs &= ~5u;
    if (!p[CORE_ACK].present || !p[CORE_EXCEPTION].present)
        k->outputs &= ~4u;
    k->driven = p[CORE_WRITE].present && p[CORE_ADDRESS].present && p[CORE_WDATA].present &&
                p[CORE_INHIBIT].present && debug;
    k->result.undriven = !k->driven;
    if (!k->driven)
        k->outputs &= 5u | WAVE_CSR; /* a write would be missed */
    if (!k->core.options->config->perf_counter_en)
        k->outputs &= 5u | WAVE_CSR; /* there is nothing else */
    k->csr = core_has_csr(&k->core);
    if (!k->csr)
        k->outputs &= ~WAVE_CSR;
    k->result.quirks = core_quirks(k->core.options);
    k->stops = k->core.options->config->debug && !(k->result.quirks & PC_HPM_Q_DEBUG_RUNS);
}

static int nothing_compared(const struct wave_check *k)
{
    static const enum core_port need[] = {
        CORE_COUNTER_3, CORE_SELECTOR_3, CORE_RDATA, CORE_WRITE, CORE_ADDRESS,
        CORE_WDATA,     CORE_INHIBIT,    CORE_DEBUG, CORE_ACK,   CORE_PORTS,
    };
    static const enum core_port fixed[] = { CORE_MCYCLE, CORE_MINSTRET,  CORE_DEBUG,
                                            CORE_ACK,    CORE_EXCEPTION, CORE_PORTS };
    const bool events = k->core.options->config->perf_counter_en;
    char missing[300];
    struct pc_error err;

    if (k->result.edges == 0)
        cli_fail(&err, 1036, "the clock has no edge: nothing was compared");
    else if (core_missing(&k->core, events ? need : fixed, missing, sizeof missing))
        cli_fail(&err, 1036, "nothing was compared; missing: %s", missing);
    else
        cli_fail(&err, 1036, "the core never leaves reset: nothing was compared");
    return cli_error(&err, k->core.options->path, NULL);
}

/* Registers that are compared where data_o reads them have a check each. */
static uint32_t read_by(const struct wave_check *k, size_t check)
{
    const char *name = strrchr(k->d.check[check].name, ' ');
    const unsigned reg = name ? wave_reg_named(name + 1) : WAVE_REGS;

    return reg < WAVE_REGS ? 1u << reg : 0;
}

static void sum_up_checks(struct wave_check *k)
{
    struct wave_result *r = &k->result;
    struct pc_core_figures f;

    for (size_t i = 0; i < k->d.desc.checks; i++) {
        pc_core_get_check(k->d.core, i, &f);
        r->compared[k->check_of[i]] += f.compared;
        r->proofs += strcmp(k->d.check[i].name, "data_o: elsewhere") == 0 ? 0 : f.compared;
        if (k->check_of[i] == WAVE_RDATA && f.compared > 0)
            r->read |= read_by(k, i);
    }
}

static void sum_up(struct wave_check *k)
{
    struct wave_result *r = &k->result;
    struct pc_core_counts counts;
    struct pc_core_figures f;
    struct pc_core_value v;

    pc_core_get_counts(k->d.core, &counts);
    r->edges = counts.edges - r->stopped;
    r->in_reset = counts.in_reset;
    r->between = counts.resets_between - r->assumed;
    r->adopted = counts.adopted;
    r->unasked = k->resets.unasked;
    r->unasked_edge = k->resets.unasked_edge;
    for (size_t i = 0; i < k->d.desc.regs; i++) {
        const unsigned reg = k->reg_of[i];
        if (reg >= WAVE_REGS)
            continue;
        pc_core_get_register(k->d.core, i, &f);
        /* what is taken as a reset is not compared */
        r->compared[reg] = f.compared > r->assumed ? f.compared - r->assumed : 0;
        r->proofs += r->compared[reg];
        pc_core_get_last(k->d.core, i, &v);
        if (!r->stopped)
            r->last[reg] = wave_number_of(&v);
    }
    sum_up_checks(k);
    for (unsigned i = 0; i < WAVE_REGS; i++)
        r->total_compared += r->compared[i];
}

/* The whole waveform; an exit code, after saying what went wrong. */
static int run(struct wave_check *k, const struct core_options *options)
{
    struct pc_error err;
    struct cli_progress progress;
    enum pc_status status = PC_OK;
    int code = core_open(&k->core, options);

    if (code == CLI_OK)
        code = check_goto_wave(k->o, options->path, k->core.wave);
    if (code != CLI_OK)
        return code;
    look_at_ports(k);
    wave_resets_begin(k);
    code = make_description(k);
    if (code != CLI_OK)
        return code;
    cli_progress_begin(&progress);
    while (status == PC_OK && !k->result.stopped) {
        status = core_next(&k->core, &err);
        cli_progress_wave(&progress, k->core.wave, k->core.block.first_cycle);
        if (status == PC_OK)
            status = run_block(k, &err);
    }
    cli_progress_end(&progress);
    if (status != PC_OK && status != PC_END)
        return cli_error(&err, options->path, NULL);
    sum_up(k);
    return CLI_OK;
}

static void destroy(struct wave_check *k)
{
    if (!k)
        return;
    core_counting_close(k->counting);
    core_close(&k->core);
    described_close(&k->d);
    for (unsigned i = 0; i < WAVE_QUIRKS; i++)
        if (k->other[i].tried)
            described_close(&k->other[i].d);
    described_resets_close(&k->resets);
    free(k->text);
    free(k->reg_of);
    free(k->check_of);
    free(k->value);
    free(k->unknown);
    free(k->last);
    free(k->bit);
    free(k->bit_plane);
    free(k);
}

/*
 * The design differs from the profile that was asked for: is it the RTL as it is?  That is seen in
 * a second read, to the end or the first difference.
 */
static bool is_rtl(const struct check_options *o, const struct core_options *options)
{
    struct core_options rtl = *options;
    struct check_options first = *o;
    bool same = false;

    rtl.quirks_on = rtl.quirks_off = 0;
    first.keep_going = false;
    if (cli_read_once(options->path) || pc_hpm_profile_find("rtl", &rtl.profile, NULL) != PC_OK ||
        (rtl.profile == options->profile && !o->quirks_on && !o->quirks_off))
        return false;
    struct wave_check *k = calloc(1, sizeof *k);
    if (k) {
        k->o = &first;
        same = run(k, &rtl) == CLI_OK && k->result.proofs > 0 && k->result.total_differences == 0;
    }
    destroy(k);
    return same;
}

static int tell(struct wave_check *k, const struct core_options *options)
{
    struct wave_result *r = &k->result;

    if (r->proofs == 0 && r->total_differences == 0)
        return nothing_compared(k);
    r->rtl_agrees = r->total_differences > 0 && is_rtl(k->o, options);
    core_warn(&k->core);
    const int code = wave_tell(k->o, &k->core, r);
    if (code != CLI_OK || r->total_differences)
        return code != CLI_OK ? code : CLI_NO;
    return wave_check_need(k->o, &k->core, r);
}

int check_wave(const char *path, const struct check_options *o)
{
    const struct core_options options = { .verb = "check",
                                          .config = o->core,
                                          .read = &o->read,
                                          .profile = core_profile(o->profile),
                                          .quirks_on = o->quirks_on,
                                          .quirks_off = o->quirks_off,
                                          .path = path,
                                          .threads = o->threads,
                                          .scope = o->scope,
                                          .map = o->map };
    struct wave_check *k = calloc(1, sizeof *k);

    if (!k)
        return cli_no_memory();
    k->o = o;
    int code = run(k, &options);
    if (code == CLI_OK)
        code = tell(k, &options);
    destroy(k);
    return code;
}
