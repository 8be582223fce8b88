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

static bool is_reg(unsigned reg)
{
    return reg != 1;
}

/* ---- differences ---- */

static const struct pc_hpm_rule *rule_named(const char *clause)
{
    const struct pc_hpm_rule *rule = NULL;

    for (size_t i = 0; (rule = pc_hpm_rule_at(i)) != NULL && strcmp(rule->clause, clause) != 0; i++)
        ;
    return rule;
}

/* The value that a model makes of the register in the clock. */
static uint64_t replay(struct pc_hpm *hpm, const struct wave_clock *c, unsigned reg,
                       uint64_t fallback)
{
    const bool fixed = reg < PC_HPM_FIRST;
    struct pc_hpm_state s;
    struct pc_hpm_out out;

    if (pc_hpm_set_state(hpm, fixed ? &c->fixed : &c->module, NULL) != PC_OK)
        return fallback;
    if (fixed)
        pc_hpm_step(hpm, &c->in, &out);
    else
        pc_hpm_step_module(hpm, &c->in, &c->strobe, &out);
    pc_hpm_get_state(hpm, &s);
    return reg == WAVE_RDATA       ? out.rdata
           : reg >= WAVE_SELECTORS ? s.selector[PC_HPM_FIRST + reg - WAVE_SELECTORS]
                                   : s.counter[reg];
}

/* The rule that decided, and the quirk whose other setting gives the design's value. */
static void explain(struct wave_check *k, const struct wave_clock *c, struct wave_diff *d)
{
    const bool fixed = d->reg < PC_HPM_FIRST;
    struct pc_hpm *hpm = k->other[0]; /* rules do not depend on a quirk being on or off */

    if (d->reg >= WAVE_SELECTORS && d->reg < WAVE_RDATA)
        d->rule = rule_named("HPM.MAP.9");
    else if (hpm && pc_hpm_set_state(hpm, fixed ? &c->fixed : &c->module, NULL) == PC_OK)
        d->rule = pc_hpm_why(hpm, &c->in, fixed ? NULL : &c->strobe,
                             d->reg == WAVE_RDATA ? PC_HPM_RDATA : PC_HPM_COUNTER + d->reg);
    for (unsigned i = 0; i < WAVE_QUIRKS && k->other[i] && !d->like && !d->unknown; i++)
        if (replay(k->other[i], c, d->reg, d->model) == d->design)
            d->like = k->quirk[i];
}

static void add_to_group(struct wave_result *r, const struct wave_diff *d)
{
    struct wave_group *g = r->group;

    for (; g < r->group + r->groups; g++)
        if (g->rule == d->rule && g->like == d->like)
            break;
    if (g == r->group + WAVE_GROUPS)
        return;
    if (g == r->group + r->groups) {
        r->groups++;
        *g = (struct wave_group){ .rule = d->rule, .like = d->like, .first = d->cycle };
    }
    g->count++;
    g->regs |= 1u << d->reg;
}

/* `c` is the clock that decided, NULL for the first one out of reset. */
static void differ(struct wave_check *k, unsigned reg, uint64_t design, uint64_t model,
                   bool unknown, const struct wave_clock *c)
{
    struct wave_result *r = &k->result;
    struct wave_diff d = { .reg = reg, .design = design, .model = model, .unknown = unknown };

    d.cycle = r->edges;
    if (c) {
        d.inhibit = c->strobe.inhibit;
        d.events = c->events;
        d.address = c->strobe.address;
        if (reg >= PC_HPM_FIRST && reg < WAVE_SELECTORS)
            d.selector = c->module.selector[reg];
        explain(k, c, &d);
    }
    d.written = k->written[reg];
    if (reg >= PC_HPM_FIRST && reg < WAVE_SELECTORS)
        d.selected = k->written[WAVE_SELECTORS + reg - PC_HPM_FIRST];
    r->differences[reg]++;
    r->total_differences++;
    add_to_group(r, &d);
    if (r->shown_count < WAVE_SHOWN)
        r->shown[r->shown_count++] = d;
    r->stopped = !k->o->keep_going;
}

/* ---- a clock ---- */

/*
 * mcycle or minstret was written by the CSR instruction of the clock before, as far as is seen: by
 * its operation, if that is there.
 */
static bool fixed_written(const struct wave_check *k, unsigned reg)
{
    const struct wave_clock *b = &k->before;
    const struct core_source *p = k->core.port;

    return k->has_before && p[CORE_ADDRESS].present && !b->csr_read &&
           (b->strobe.address & ~0x80u) == 0xb00 + reg &&
           (!p[CORE_FU_0].present ||
            (b->in.port[0].fu == PC_HPM_FU_CSR && (!p[CORE_ACK].present || b->in.port[0].ack)));
}

/*
 * What the clock before makes of the register if it wrote what the design has now.  On XLEN 64 that
 * is the design's value; on XLEN 32 the other half is the model's business (HPM.HALF.2).
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
    return replay(k->fixed, b, reg, model); /* k->fixed takes the design's value anyway */
}

/* A register of the design against the model's; true if the model has to take it over. */
static bool compare(struct wave_check *k, unsigned reg, unsigned t, uint64_t model)
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
    differ(k, reg, design, model, unknown, k->has_before ? &k->before : NULL);
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
    k->known = UINT32_MAX;
    k->has_before = false;
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
    for (unsigned r = PC_HPM_FIRST; r <= PC_HPM_LAST && !k->result.stopped; r++) {
        const unsigned s = WAVE_SELECTORS + r - PC_HPM_FIRST;
        if (compare(k, r, t, m->counter[r])) {
            m->counter[r] = k->word.out[r][t];
            changed = true;
        }
        if (!k->result.stopped && compare(k, s, t, m->selector[r])) {
            m->selector[r] = (uint8_t)(k->word.out[s][t] & 31);
            changed = true;
        }
    }
    for (unsigned r = 0; r <= 2 && !k->result.stopped; r += 2)
        if (compare(k, r, t, f->counter[r])) {
            f->counter[r] = k->word.out[r][t];
            fixed_changed = true;
        }
    const uint32_t inhibit = now->strobe.inhibit & 0x1fd;
    if (f->inhibit != inhibit && k->core.options->config->perf_counter_en) {
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

/* Is the model sure of what stands at the address? */
static bool readable(const struct wave_check *k, unsigned address)
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
    pc_hpm_step(k->fixed, &now.in, &fixed);
    pc_hpm_step_module(k->module, &now.in, &now.strobe, &out);
    now.events = out.events;
    k->result.counted += !now.strobe.write && out.changed >> PC_HPM_FIRST != 0;
    if (k->outputs >> WAVE_RDATA & 1 && k->core.port[CORE_ADDRESS].present &&
        readable(k, now.strobe.address)) {
        const bool unknown = k->word.unknown[WAVE_RDATA] >> t & 1;
        k->result.compared[WAVE_RDATA]++;
        k->result.proofs += holds_register(now.strobe.address);
        if (out.rdata != k->word.out[WAVE_RDATA][t] || unknown) {
            differ(k, WAVE_RDATA, k->word.out[WAVE_RDATA][t], out.rdata, unknown, &now);
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

/* What the waveform has, and whether it suffices for the event counters and the fixed ones. */
static void look_at_ports(struct wave_check *k)
{
    const struct core_source *p = k->core.port;
    const bool debug = p[CORE_DEBUG].present || !k->core.options->config->debug;

    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (is_reg(r) && p[wave_port_of(r)].present)
            k->outputs |= 1u << r;
    if (!p[CORE_INHIBIT].present || !debug)
        k->outputs &= ~5u;
    if (!p[CORE_ACK].present || !p[CORE_EXCEPTION].present)
        k->outputs &= ~4u;
    k->driven = p[CORE_WRITE].present && p[CORE_ADDRESS].present && p[CORE_WDATA].present &&
                p[CORE_INHIBIT].present && debug;
    k->result.undriven = !k->driven;
    if (!k->driven)
        k->outputs &= 5u; /* a write would be missed */
}

static int nothing_compared(const struct wave_check *k)
{
    static const enum core_port need[] = {
        CORE_COUNTER_3, CORE_SELECTOR_3, CORE_RDATA, CORE_WRITE, CORE_ADDRESS,
        CORE_WDATA,     CORE_INHIBIT,    CORE_DEBUG, CORE_ACK,   CORE_PORTS,
    };
    char missing[300];
    struct pc_error err;

    if (k->result.edges == 0)
        cli_fail(&err, 1036, "the clock has no edge: nothing was compared");
    else if (core_missing(&k->core, need, missing, sizeof missing))
        cli_fail(&err, 1036, "nothing was compared; missing: %.300s", missing);
    else
        cli_fail(&err, 1036, "the core never leaves reset: nothing was compared");
    return cli_error(&err, k->core.options->path, NULL);
}

static int run(struct wave_check *k)
{
    struct wave_result *r = &k->result;
    struct pc_hpm_state s, f;
    struct pc_error err;
    struct cli_progress progress;
    enum pc_status status = make_models(k, &err);

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
        return cli_error(&err, k->core.options->path, NULL);
    pc_hpm_get_state(k->module, &s);
    pc_hpm_get_state(k->fixed, &f);
    r->quirks = pc_hpm_get_quirks(k->module);
    for (unsigned i = 0; i < WAVE_REGS; i++) {
        r->last[i] = i < PC_HPM_FIRST     ? f.counter[i]
                     : i < WAVE_SELECTORS ? s.counter[i]
                     : i < WAVE_RDATA     ? s.selector[PC_HPM_FIRST + i - WAVE_SELECTORS]
                                          : 0;
        r->total_compared += r->compared[i];
    }
    if (r->proofs == 0 && r->total_differences == 0)
        return nothing_compared(k);
    core_warn(&k->core);
    const int code = wave_tell(k->o, &k->core, r);
    return code ? code : r->total_differences ? CLI_NO : CLI_OK;
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
    struct pc_error err;

    if (!o->core->perf_counter_en) { /* its RTL has no perf_counters to find */
        cli_fail(&err, 1040, "%s has no event counters", o->core->name);
        return cli_error(&err, NULL, NULL);
    }
    struct wave_check *k = calloc(1, sizeof *k);
    if (!k) {
        cli_fail(&err, 100, "no memory to check %s", path);
        return cli_error(&err, path, NULL);
    }
    k->o = o;
    k->most = PC_BLOCK_WORDS;
    int code = core_open(&k->core, &options);
    if (code == CLI_OK)
        code = run(k);
    core_close(&k->core);
    pc_hpm_destroy(k->module);
    pc_hpm_destroy(k->fixed);
    for (unsigned i = 0; i < WAVE_QUIRKS; i++)
        pc_hpm_destroy(k->other[i]);
    wave_close_falls(&k->falls);
    free(k);
    return code;
}
