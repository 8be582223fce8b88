/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: the model of CVA6's counters driven, clock by clock, by the wires of
 * a simulated perf_counters, and compared with its registers and its read data.  mcycle and
 * minstret are compared where the waveform has them; their writes do not pass through
 * perf_counters, so that one is recognised by its address and taken over.
 */
#include "check_wave.h"
#include "process/progress.h"

#include <stdlib.h>
#include <string.h>

/* ---- a clock ---- */

/*
 * mcycle or minstret was written by the CSR instruction of the clock before, as far as is seen: by
 * its operation, if that is there.
 */
static bool fixed_written(const struct wave_check *k, unsigned reg)
{
    const struct wave_clock *b = &k->before;
    const struct core_source *p = k->core.port;

    return k->has_before && !k->csr && p[CORE_ADDRESS].present && !b->csr_read &&
           (b->strobe.address & ~0x80u) == 0xb00 + reg &&
           (!p[CORE_FU_0].present ||
            (b->in.port[0].fu == PC_HPM_FU_CSR && (!p[CORE_ACK].present || b->in.port[0].ack)));
}

/*
 * Returns what the clock before makes of the register if it wrote what the design has now.  On XLEN
 * 64 that is the design's value; on XLEN 32 the other half is the model's business (HPM.HALF.2).
 */
static uint64_t after_write(struct wave_check *k, unsigned reg, uint64_t design, uint64_t model)
{
    struct wave_clock *b = &k->before;
    const bool high = b->strobe.address & 0x80;

    if (k->core.options->config->xlen == 64)
        return design;
    b->in.mode.privilege = 3;
    b->in.csr = (struct pc_hpm_access){ .op = PC_HPM_CSR_WRITE,
                                        .address = b->strobe.address,
                                        .operand = high ? design >> 32 : design & UINT32_MAX };
    return wave_replay(k->fixed, b, reg, model); /* k->fixed takes the design's value anyway */
}

bool wave_compare(struct wave_check *k, unsigned reg, unsigned t, uint64_t model)
{
    const uint64_t design = k->word.out[reg][t];
    const bool unknown = k->word.unknown[reg] >> t & 1;

    if (!(k->outputs >> reg & 1))
        return false;
    if (!(k->known >> reg & 1)) {
        k->known |= (uint32_t)!unknown << reg;
        return true;
    }
    if (design == model && !unknown) {
        k->result.compared[reg]++;
        k->result.proofs++;
        return false;
    }
    if (reg < PC_HPM_FIRST && fixed_written(k, reg)) {
        k->result.fixed_writes++;
        model = after_write(k, reg, design, model);
        if (design == model || unknown)
            return true;
    }
    k->result.compared[reg]++;
    wave_differ(k, reg, design, model, unknown, k->has_before ? &k->before : NULL);
    if (unknown)
        k->known &= ~(1u << reg); /* told once: compared again when the design has a value */
    return true;
}

/* Every register is 0 in reset, whatever the trace has before. */
static void reset_models(struct wave_check *k)
{
    pc_hpm_reset(k->module);
    pc_hpm_reset(k->fixed);
    memset(k->written, 0, sizeof k->written);
    memset(k->beyond, 0, sizeof k->beyond);
    k->known = UINT32_MAX;
    k->has_before = false;
}

/* Registers that are seen are 0; what is known of the others stays so. */
static void assume_reset(struct wave_check *k, struct wave_clock *now)
{
    struct pc_hpm_state *m = &now->module, *f = &now->fixed;

    for (unsigned r = 0; r <= PC_HPM_LAST; r++)
        if (k->outputs >> r & 1)
            (r < PC_HPM_FIRST ? f : m)->counter[r] = 0;
    for (unsigned r = PC_HPM_FIRST; r <= PC_HPM_LAST; r++)
        if (k->outputs >> (WAVE_SELECTORS + r - PC_HPM_FIRST) & 1)
            m->selector[r] = 0;
    wave_set_state(k->module, m);
    wave_set_state(k->fixed, f);
    if (k->result.assumed++ == 0)
        k->result.assumed_edge = k->result.edges;
}

/* The state before the clock: compared, and where it differs that of the design from here on. */
static void compare_state(struct wave_check *k, unsigned t, struct wave_clock *now)
{
    struct pc_hpm_state *m = &now->module, *f = &now->fixed;
    bool changed = false, fixed_changed = false;

    pc_hpm_get_state(k->module, m);
    pc_hpm_get_state(k->fixed, f);
    if (wave_reset_between(k, t, now)) {
        k->result.between++;
        reset_models(k);
        pc_hpm_get_state(k->module, m);
        pc_hpm_get_state(k->fixed, f);
    }
    if (wave_reset_assumed(k, t, now)) {
        assume_reset(k, now);
        return;
    }
    for (unsigned r = PC_HPM_FIRST; r <= PC_HPM_LAST && !k->result.stopped; r++) {
        const unsigned s = WAVE_SELECTORS + r - PC_HPM_FIRST;
        if (wave_compare(k, r, t, m->counter[r])) {
            m->counter[r] = k->word.out[r][t];
            changed = true;
        }
        if (!k->result.stopped && wave_compare(k, s, t, m->selector[r])) {
            m->selector[r] = (uint8_t)(k->word.out[s][t] & 31);
            changed = true;
        }
    }
    for (unsigned r = 0; r <= 2 && !k->result.stopped; r += 2)
        if (wave_compare(k, r, t, f->counter[r])) {
            f->counter[r] = k->word.out[r][t];
            fixed_changed = true;
        }
    const uint32_t inhibit = now->strobe.inhibit & 0x1fd;
    if (k->csr) {
        fixed_changed |= wave_compare_csr(k, t, f);
    } else if (f->inhibit != inhibit && k->core.options->config->perf_counter_en) {
        f->inhibit = inhibit; /* an input of perf_counters, so taken as it is */
        fixed_changed = true;
    }
    if (changed)
        wave_set_state(k->module, m);
    if (fixed_changed)
        wave_set_state(k->fixed, f);
}

/* An event counter or selector stands at the address; elsewhere perf_counters answers 0. */
static bool holds_register(unsigned address)
{
    const unsigned index = address & 31, high = address & 0xfe0;

    return index >= PC_HPM_FIRST && index <= PC_HPM_LAST &&
           (high == 0xb00 || high == 0xb80 || high == 0xc00 || high == 0xc80 || high == 0x320);
}

static void note_read(struct wave_check *k, unsigned address)
{
    const unsigned index = address & 31;

    if (holds_register(address))
        k->result.read |=
            1u << ((address & 0xfe0) == 0x320 ? WAVE_SELECTORS + index - PC_HPM_FIRST : index);
}

bool wave_readable(const struct wave_check *k, unsigned address)
{
    const unsigned index = address & 31;

    if (!holds_register(address))
        return true;
    return k->known >>
               ((address & 0xfe0) == 0x320 ? WAVE_SELECTORS + index - PC_HPM_FIRST : index) &
           1;
}

/* A counter whose event cannot be seen is not known after the clock. */
static void forget_counters(struct wave_check *k, const struct wave_clock *now)
{
    const unsigned address = now->strobe.address;

    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++) {
        const unsigned e = now->module.selector[c];
        const bool seen = (k->known >> (WAVE_SELECTORS + c - PC_HPM_FIRST) & 1) &&
                          (e >= PC_HPM_EVENTS || (k->core.events >> e & 1));
        if (!k->driven || (!seen && !(now->strobe.inhibit >> c & 1)))
            k->known &= ~(1u << c);
        if (k->driven && now->strobe.write && k->core.options->config->xlen == 64 &&
            address == 0xb00 + c)
            k->known |= 1u << c;
    }
}

static void note_write(struct wave_check *k, const struct wave_clock *now)
{
    const unsigned address = now->strobe.address, index = address & 31, high = address & 0xfe0;
    const struct wave_write w = { true, k->result.edges, now->strobe.wdata };

    if (!now->strobe.write || index < PC_HPM_FIRST || index > PC_HPM_LAST)
        return;
    if (high == 0xb00 || high == 0xb80)
        k->written[index] = w;
    else if (high == 0x320)
        k->written[WAVE_SELECTORS + index - PC_HPM_FIRST] = w;
    /* software that takes an event index of the SBI for a selector; 63:62 are OpenSBI's */
    if (high == 0x320 && (w.value & 0xffffffffffe0) != 0 && !k->result.cut.any)
        k->result.cut = w;
}

static void run_clock(struct wave_check *k, unsigned t)
{
    struct wave_clock now;
    struct pc_hpm_out out, fixed;

    wave_read_clock(&k->word, t, &now);
    compare_state(k, t, &now);
    if (k->result.stopped)
        return;
    if (now.in.csr.op != PC_HPM_CSR_NONE)
        wave_show_counters(k, &now);
    pc_hpm_step(k->fixed, &now.in, &fixed);
    if (now.in.csr.op != PC_HPM_CSR_NONE)
        wave_compare_access(k, t, &now, &fixed);
    if (k->result.stopped)
        return;
    pc_hpm_step_module(k->module, &now.in, &now.strobe, &out);
    now.events = out.events;
    k->result.counted += !now.strobe.write && out.changed >> PC_HPM_FIRST != 0;
    if (k->outputs >> WAVE_RDATA & 1 && k->core.port[CORE_ADDRESS].present &&
        wave_readable(k, now.strobe.address)) {
        const bool unknown = k->word.unknown[WAVE_RDATA] >> t & 1;
        k->result.compared[WAVE_RDATA]++;
        k->result.proofs += holds_register(now.strobe.address);
        note_read(k, now.strobe.address);
        if (out.rdata != k->word.out[WAVE_RDATA][t] || unknown) {
            wave_differ(k, WAVE_RDATA, k->word.out[WAVE_RDATA][t], out.rdata, unknown, &now);
            if (k->result.stopped)
                return;
        }
    }
    forget_counters(k, &now);
    note_write(k, &now);
    k->before = now;
    k->has_before = true;
}

/* ---- the waveform ---- */

/* Up to 64 clocks, one by one. */
static void run_word(struct wave_check *k, size_t w, uint64_t running, unsigned clocks)
{
    struct wave_result *r = &k->result;
    const uint64_t unknown = core_unknown(&k->core, w);

    wave_settle(k);
    k->word.csr = k->csr;
    wave_read_word(&k->core, k->outputs, w, &k->word);
    for (unsigned t = 0; t < clocks && !r->stopped; t++) {
        if (running >> t & 1) {
            r->adopted |= r->edges == 0;
            r->unknown_inputs += unknown >> t & 1;
            run_clock(k, t);
        } else {
            reset_models(k);
            r->in_reset++;
        }
        r->edges += !r->stopped;
    }
}

static void run_block(struct wave_check *k)
{
    struct wave_result *r = &k->result;
    const size_t cycles = k->core.block.cycles;

    wave_look_at_block(k);
    for (size_t w = 0; 64 * w < cycles && !r->stopped;) {
        const size_t agree = r->edges > 0 ? wave_agree(k, w) : 0;
        if (agree == 0)
            run_word(k, w, core_out_of_reset(&k->core, w),
                     cycles - 64 * w < 64 ? (unsigned)(cycles - 64 * w) : 64);
        w += agree ? agree : 1;
    }
    wave_settle(k);
}

static enum pc_status make_models(struct wave_check *k, struct pc_error *err)
{
    const struct core_options *o = k->core.options;
    struct pc_hpm_desc desc = { .config = o->config,
                                .profile = o->profile,
                                .quirks_on = o->quirks_on,
                                .quirks_off = o->quirks_off };
    enum pc_status status = pc_hpm_create(&desc, &k->module, err);
    unsigned n = 0;

    if (status == PC_OK)
        status = pc_hpm_create(&desc, &k->fixed, err);
    if (status == PC_OK)
        status = core_counting_open(&k->core, core_quirks(o), &k->counting, err);
    k->stops = o->config->debug && !(core_quirks(o) & PC_HPM_Q_DEBUG_RUNS);
    for (size_t i = 0; status == PC_OK && pc_hpm_quirk_at(i) && n < WAVE_QUIRKS; i++) {
        const struct pc_hpm_quirk_info *q = pc_hpm_quirk_at(i);
        const bool on = pc_hpm_get_quirks(k->module) & q->bit;
        desc.quirks_on = on ? o->quirks_on & ~q->bit : o->quirks_on | q->bit;
        desc.quirks_off = on ? o->quirks_off | q->bit : o->quirks_off & ~q->bit;
        k->quirk[n] = q;
        status = pc_hpm_create(&desc, &k->other[n++], err);
    }
    return status;
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

static void sum_up(struct wave_check *k)
{
    struct wave_result *r = &k->result;
    struct pc_hpm_state s, f;

    pc_hpm_get_state(k->module, &s);
    pc_hpm_get_state(k->fixed, &f);
    r->quirks = pc_hpm_get_quirks(k->module);
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        r->last[i] = wave_value_in(&s, &f, i);
        r->total_compared += r->compared[i];
    }
}

/* The whole waveform; an exit code, after saying what went wrong. */
static int run(struct wave_check *k, const struct core_options *options)
{
    struct wave_result *r = &k->result;
    struct pc_error err;
    struct cli_progress progress;
    int code = core_open(&k->core, options);

    if (code == CLI_OK)
        code = check_goto_wave(k->o, options->path, k->core.wave);
    if (code != CLI_OK)
        return code;
    enum pc_status status = make_models(k, &err);
    k->most = PC_BLOCK_WORDS;
    look_at_ports(k);
    cli_progress_begin(&progress);
    while (status == PC_OK && !r->stopped) {
        status = core_next(&k->core, &err);
        cli_progress_wave(&progress, k->core.wave, k->core.block.first_cycle);
        if (status == PC_OK)
            run_block(k);
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
    pc_hpm_destroy(k->module);
    pc_hpm_destroy(k->fixed);
    for (unsigned i = 0; i < WAVE_QUIRKS; i++)
        pc_hpm_destroy(k->other[i]);
    wave_close_falls(&k->falls);
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
