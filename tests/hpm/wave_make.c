/* SPDX-License-Identifier: MIT */
/* Random wires into the tests' own perf_counters, its defects, and VCD of it. */
#include "wave_make.h"
#include "wave_design.h"

#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DCACHE_MISS = 1, EXCEPTION = 4 };

/* ---- random wires ---- */

static unsigned pick(struct test_rng *rng, const unsigned *from, unsigned count)
{
    return from[test_rand_below(rng, count)];
}

static void random_port(struct test_rng *rng, struct design_port *p, unsigned first)
{
    static const unsigned units[] = { 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9 };
    static const unsigned ops[] = { 0, 19, 19, 1, 20, 37 }; /* ADD, JALR */
    static const unsigned regs[] = { 0, 0, 1, 5, 2, 10, 31 };

    p->ack = first && test_rand_below(rng, 3) > 0;
    p->fu = pick(rng, units, sizeof units / sizeof units[0]);
    p->op = pick(rng, ops, sizeof ops / sizeof ops[0]);
    p->rd = pick(rng, regs, sizeof regs / sizeof regs[0]);
    p->rs1 = pick(rng, regs, sizeof regs / sizeof regs[0]);
}

static void random_wires(struct test_rng *rng, struct design_wires *w, unsigned t, unsigned full)
{
    static const unsigned places[] = { 0xb03, 0xb04, 0xb05, 0xb06, 0xb07, 0xb08, 0x323,
                                       0x324, 0x325, 0x326, 0x327, 0x328, 0xb09, 0x329,
                                       0xb83, 0xc05, 0xb84, 0xc83, 0xc83, 0xc88 };

    for (unsigned i = 0; i < 17; i++)
        w->line[i] = test_rand_below(rng, i == EXCEPTION ? 40 : 4) == 0;
    for (unsigned i = 0; i < 3; i++)
        w->ways[i] = test_rand_below(rng, 3) ? test_rand_below(rng, full + 1) : full;
    w->debug = test_rand_below(rng, 30) == 0;
    w->addr = test_rand_below(rng, 4) ? pick(rng, places, 20) : test_rand_below(rng, 4096);
    w->we = w->addr < 0xc00 && test_rand_below(rng, 12) == 0;
    w->wdata = test_rand(rng) >> test_rand_below(rng, 64);
    if (t % 50 == 20)
        w->inhibit = test_rand_below(rng, 2) ? 0 : test_rand_below(rng, 512) & 0x1fd;
    random_port(rng, &w->port[0], 1);
    random_port(rng, &w->port[1], w->port[0].ack);
    if (w->addr == 0xb00 || w->addr == 0xb02 || w->addr == 0xb80 || w->addr == 0xb82)
        w->addr = 0xb01; /* no write of mcycle or minstret */
    /* from early on every counter counts something, the more often used events mostly */
    if (t >= 12 && t < 18) {
        static const unsigned events[] = { 5, 13, 18, 20, 9, 10 };
        w->we = 1;
        w->addr = 0x323 + t - 12;
        w->wdata = events[t - 12];
    } else if (w->we && w->addr >> 5 == 0x320 >> 5) {
        w->wdata = test_rand_below(rng, 25);
    }
}

/* What most designs do most of the time: the wires of clock t as above, but for rare accesses. */
static void calm_wires(struct test_rng *rng, struct design_wires *w, unsigned t, unsigned calm,
                       unsigned inhibit)
{
    if (t < 18 || test_rand_below(rng, calm) == 0)
        return;
    w->we = w->debug = 0;
    w->inhibit = inhibit;
    if (t >> 8 & 1)
        w->addr = 0xb03 + (t >> 4) % 6; /* read again and again */
    else if (test_rand_below(rng, 8))
        w->addr = 0x300;
    for (unsigned i = 0; i < 17; i++) /* some for long */
        w->line[i] &= i == EXCEPTION || t >> 9 & 1 ? test_rand_below(rng, 40) == 0 : 1;
}

/* ---- one clock ---- */

struct made_state {
    const struct wave_plan *plan;
    struct wave_made *made;
    struct design d;
    unsigned t, full;
    bool unknown[6];
};

static void hit(struct made_state *s, unsigned counter)
{
    if (s->made->hit == UINT64_MAX) {
        s->made->hit = s->t;
        s->made->hit_counter = 3 + counter;
    }
}

static bool since(const struct made_state *s, enum wave_defect defect)
{
    return s->plan->defect == defect && s->t >= s->plan->at;
}

/* Where the documents want another increment, and which quirk tells it. */
static void predict(struct made_state *s, const struct design_wires *w, unsigned e)
{
    const unsigned rtl = design_increment(w, e, true, true, 0xff);
    const unsigned spec = design_increment(w, e, false, false, s->full);

    if (rtl == spec)
        return;
    if (design_increment(w, e, true, false, s->full) == rtl)
        s->made->or_ports++;
    else if (design_increment(w, e, false, false, 0xff) == rtl)
        s->made->evict_ff++;
    else if (design_increment(w, e, false, true, s->full) == rtl)
        s->made->ret_any_rs1++;
    else
        s->made->others++;
}

static bool writes(const struct made_state *s, const struct design_wires *w, unsigned counter)
{
    unsigned i;

    return w->we && design_is_counter(&s->d, w->addr, &i) && i == counter;
}

static void count(struct made_state *s, const struct design_wires *w)
{
    const struct design old = s->d;

    for (unsigned i = 0; i < 6; i++) {
        bool debug = w->debug, inhibited = w->inhibit >> (i + 3) & 1, frozen = w->we;
        unsigned n = design_increment(w, old.selector[i], true, true, 0xff);
        bool sound = !debug && !inhibited && !frozen;
        if (since(s, WAVE_DEBUG_COUNTS))
            debug = false;
        if (since(s, WAVE_IGNORE_INHIBIT))
            inhibited = false;
        if (since(s, WAVE_NO_FREEZE))
            frozen = frozen && writes(s, w, i);
        bool runs = !debug && !inhibited && !frozen;
        if (!s->d.rv32 && w->we && w->addr >> 5 == 0xb80 >> 5 && (w->addr & 31) >= 3 && !w->debug &&
            !(w->inhibit >> (i + 3) & 1)) /* by an instruction that traps */
            s->made->trap_freezes +=
                design_increment(w, old.selector[i], false, false, s->full) > 0;
        if (sound)
            predict(s, w, old.selector[i]);
        if (runs)
            s->d.counter[i] += n;
        if (runs != sound && n > 0 && !writes(s, w, i))
            hit(s, i);
    }
    if (!w->debug && !(w->inhibit & 1))
        s->d.mcycle++;
    if (!w->debug && !(w->inhibit & 4) && !w->line[EXCEPTION])
        s->d.minstret += w->port[0].ack + w->port[1].ack;
}

static void write_register(struct made_state *s, const struct design_wires *w)
{
    unsigned i;

    if (!w->we)
        return;
    if (design_is_counter(&s->d, w->addr, &i)) {
        const uint64_t value = design_written(&s->d, i, w->addr, w->wdata);
        if (since(s, WAVE_LOST_WRITE) && s->made->hit == UINT64_MAX && s->d.counter[i] != value)
            hit(s, i);
        else
            s->d.counter[i] = value;
    } else if (i <= 5 && w->addr >> 5 == 0x320 >> 5) {
        s->d.selector[i] = w->wdata & 31;
    }
}

static void once(struct made_state *s)
{
    const unsigned i = s->t % 6;

    if (s->plan->defect != WAVE_LONG_UNKNOWN || s->t == s->plan->at + 100)
        memset(s->unknown, 0, sizeof s->unknown);
    if (s->t != s->plan->at)
        return;
    if (s->plan->defect == WAVE_FLIP)
        s->d.counter[i] ^= UINT64_C(1) << 40;
    else if (s->plan->defect == WAVE_EXTRA)
        s->d.counter[i]++;
    else if (s->plan->defect == WAVE_SELECTOR)
        s->d.selector[i] ^= 1;
    else if (s->plan->defect == WAVE_MCYCLE)
        s->d.mcycle--;
    else if (s->plan->defect == WAVE_UNKNOWN || s->plan->defect == WAVE_LONG_UNKNOWN)
        s->unknown[i] = true;
    else
        return;
    hit(s, i);
}

static void totals(struct made_state *s, const struct design_wires *w)
{
    for (unsigned e = 1; e < 23 && !w->debug; e++) {
        unsigned n = design_increment(w, e, true, true, 0xff);
        s->made->event[e] += n;
        s->made->enabled[e] += w->inhibit ? 0 : n;
    }
    s->made->ways_unknown +=
        s->plan->unknown_ways && s->t >= s->plan->unknown_ways && w->line[DCACHE_MISS];
    s->made->shadow3h += s->d.rv32 && w->addr == 0xc83 && s->d.counter[0] >> 32 != 0;
    if (!w->debug && !w->line[EXCEPTION])
        s->made->instructions += w->port[0].ack + w->port[1].ack;
}

/* ---- VCD ---- */

enum { MOST_SIGNALS = 80 };
struct signal {
    char scope[60], name[40];
    unsigned width;
    uint64_t value, shown;
    bool unknown, was_unknown, ever;
};
struct file {
    FILE *out;
    struct signal s[MOST_SIGNALS];
    unsigned count, at; /* signals; the one that is set next */
};

/* Declares the signal in the first round and sets it in all of them. */
static void put(struct file *f, const struct wave_plan *plan, const char *scope, const char *name,
                unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < 8 && plan->omit[i]; i++) {
        char whole[100];
        snprintf(whole, sizeof whole, "%s%s%s", scope, scope[0] ? "." : "", name);
        if (strcmp(plan->omit[i], whole) == 0)
            return;
    }
    struct signal *s = &f->s[f->at++];
    if (f->at > f->count) {
        assert_true(f->at <= MOST_SIGNALS);
        f->count = f->at;
        *s = (struct signal){ .width = width };
        snprintf(s->scope, sizeof s->scope, "%s", scope);
        snprintf(s->name, sizeof s->name, "%s", name);
    }
    s->value = value;
    s->unknown = false;
}

static void put_indexed(struct file *f, const struct wave_plan *plan, const char *name, unsigned i,
                        unsigned width, uint64_t value, bool unknown)
{
    char whole[40];
    const unsigned before = f->at;

    snprintf(whole, sizeof whole, "%s[%u]", name, i);
    put(f, plan, "", whole, width, value);
    if (f->at > before)
        f->s[before].unknown = unknown;
}

static void put_struct(struct file *f, const struct wave_plan *plan, const char *name, int i,
                       const char *member, unsigned width, uint64_t value)
{
    char scope[60];

    if (i < 0)
        snprintf(scope, sizeof scope, "%s", name);
    else
        snprintf(scope, sizeof scope, "%s[%d]", name, i);
    put(f, plan, scope, member, width, value);
}

static void put_all(struct file *f, const struct made_state *s, const struct design_wires *w)
{
    static const char *const plain[17] = {
        "l1_icache_miss_i",
        "l1_dcache_miss_i",
        "itlb_miss_i",
        "dtlb_miss_i",
        NULL,
        "eret_i",
        NULL,
        NULL,
        NULL,
        "sb_full_i",
        "if_empty_i",
        NULL,
        NULL,
        NULL,
        NULL,
        "i_tlb_flush_i",
        "stall_issue_i",
    };
    const struct wave_plan *p = s->plan;
    const unsigned number = p->wide_registers ? 6 : 5;
    uint64_t data = design_read(&s->d, w->addr);

    f->at = 0;
    put(f, p, "", "rst_ni", 1, s->t >= p->reset);
    for (unsigned i = 0; i < 17; i++)
        if (plain[i])
            put(f, p, "", plain[i], 1, w->line[i]);
    f->s[1].unknown = p->unknown_miss && s->t == p->unknown_miss; /* after rst_ni */
    put_struct(f, p, "ex_i", -1, "valid", 1, w->line[EXCEPTION]);
    put_struct(f, p, "resolved_branch_i", -1, "valid", 1, w->line[6]);
    put_struct(f, p, "resolved_branch_i", -1, "is_mispredict", 1, w->line[7]);
    put_struct(f, p, "branch_exceptions_i", -1, "valid", 1, w->line[8]);
    put_struct(f, p, "l1_icache_access_i", -1, "req", 1, w->line[11]);
    for (int i = 0; i < 3; i++) {
        put_struct(f, p, "l1_dcache_access_i", i, "data_req", 1, w->line[12 + i]);
        put_indexed(f, p, "miss_vld_bits_i", (unsigned)i, p->ways ? p->ways : 8, w->ways[i],
                    i == 1 && p->unknown_ways && s->t >= p->unknown_ways);
    }
    for (int i = 0; i < 2; i++) {
        put_struct(f, p, "commit_instr_i", i, "fu", 4, w->port[i].fu);
        put_struct(f, p, "commit_instr_i", i, "op", 8, w->port[i].op);
        put_struct(f, p, "commit_instr_i", i, "rd", number, w->port[i].rd);
        put_struct(f, p, "commit_instr_i", i, "rs1", number, w->port[i].rs1);
    }
    put(f, p, "", "commit_ack_i", 2, w->port[0].ack | w->port[1].ack << 1);
    put(f, p, "", "debug_mode_i", 1, w->debug);
    put(f, p, "", "we_i", 1, w->we);
    put(f, p, "", "addr_i", 12, w->addr);
    put(f, p, "", "data_i", p->rv32 ? 32 : 64, w->wdata);
    if (p->defect == WAVE_READ && s->t == p->at)
        data ^= 4;
    put(f, p, "", "data_o", p->rv32 ? 32 : 64, data);
    put(f, p, "", "mcountinhibit_i", 32, w->inhibit);
    for (unsigned i = 0; i < 6; i++) {
        put_indexed(f, p, "generic_counter_q", i + 1, 64, s->d.counter[i], s->unknown[i]);
        put_indexed(f, p, "mhpmevent_q", i + 1, 5, s->d.selector[i], false);
    }
    put(f, p, "^", "mcycle", 64, s->d.mcycle); /* beside the instance */
    put(f, p, "^", "minstret", 64, s->d.minstret);
}

static void declare(struct file *f, const struct wave_plan *plan)
{
    const unsigned cores = plan->cores ? plan->cores : 1;

    fputs("$timescale 1 ns $end\n$scope module top $end\n$var wire 1 ! clk_i $end\n", f->out);
    for (unsigned core = 0; core < cores; core++) {
        fprintf(f->out, "$scope module core%u $end\n", core);
        for (unsigned i = 0; i < f->count; i++) {
            const struct signal *s = &f->s[i];
            const bool outside = s->scope[0] == '^', inner = s->scope[0] && !outside;
            if (!outside)
                fprintf(f->out, "$scope module %s $end\n",
                        plan->instance ? plan->instance : "perf_counters_i");
            if (inner)
                fprintf(f->out, "$scope struct %s $end\n", s->scope);
            fprintf(f->out, "$var wire %u v%u %s", s->width, i, s->name);
            if (s->width > 1)
                fprintf(f->out, " [%u:0]", s->width - 1);
            fputs(" $end\n", f->out);
            fputs(inner     ? "$upscope $end\n$upscope $end\n"
                  : outside ? ""
                            : "$upscope $end\n",
                  f->out);
        }
        fprintf(f->out, "$scope module %s $end\n$var wire 1 ! clk_i $end\n$upscope $end\n",
                plan->instance ? plan->instance : "perf_counters_i");
        fputs("$upscope $end\n", f->out);
    }
    fputs("$upscope $end\n$enddefinitions $end\n", f->out);
}

static void change(struct file *f, unsigned i)
{
    struct signal *s = &f->s[i];

    if (s->ever && s->value == s->shown && s->unknown == s->was_unknown)
        return;
    s->ever = true;
    s->shown = s->value;
    s->was_unknown = s->unknown;
    char bits[64 + 1] = { 0 };
    for (unsigned b = 0; b < s->width; b++)
        bits[s->width - 1 - b] =
            (char)(s->unknown && b == 0 ? 'x' : '0' + (int)(s->value >> b & 1));
    fprintf(f->out, s->width > 1 ? "b%s v%u\n" : "%sv%u\n", bits, i);
}

static void show(struct file *f, const struct made_state *s)
{
    if (s->t == 0)
        declare(f, s->plan);
    fprintf(f->out, "#%u\n0!\n", 10 * s->t);
    for (unsigned i = 0; i < f->count; i++)
        change(f, i);
    if (s->plan->pulse && s->t == s->plan->pulse) { /* rst_ni is the first of them */
        unsigned time = 10 * s->t + 1;
        for (const char *by = s->plan->pulse_by ? s->plan->pulse_by : "0"; *by; by++)
            fprintf(f->out, "#%u\n%cv0\n", time++, *by);
        fprintf(f->out, "#%u\n1v0\n", time);
    }
    if (!s->plan->no_changes)
        fprintf(f->out, "#%u\n1!\n", 10 * s->t + 5);
}

static uint64_t written_mcycle(const struct wave_plan *plan, uint64_t ticked)
{
    return plan->mcycle_high ? UINT64_C(0x1234) << 32 | (uint32_t)ticked : 12345678;
}

/* The wires of clock s->t, after those of the one before. */
static void plan_wires(struct test_rng *rng, const struct made_state *s, struct design_wires *w)
{
    const struct wave_plan *plan = s->plan;
    const unsigned inhibit = w->inhibit;

    random_wires(rng, w, s->t, s->full);
    if (plan->calm)
        calm_wires(rng, w, s->t, plan->calm, inhibit);
    if (plan->rv32)
        w->wdata &= UINT32_MAX;
    for (unsigned i = 0; plan->wide_registers && i < 2; i++) {
        w->port[i].rd |= test_rand_below(rng, 3) ? 0 : 32;
        w->port[i].rs1 |= test_rand_below(rng, 3) ? 0 : 32;
    }
    if (plan->wide_selectors && w->addr >> 5 == 0x320 >> 5)
        w->wdata |= 0x10000;
    if (plan->mcycle_write && s->t == plan->mcycle_write) {
        w->port[0] = (struct design_port){ .ack = 1, .fu = 6, .op = plan->mcycle_op }; /* CSR */
        w->addr = plan->mcycle_high ? 0xb80 : 0xb00;
        w->we = 0; /* perf_counters does not see it */
    }
}

void wave_make(const struct wave_plan *plan, struct wave_made *out)
{
    struct test_rng rng = { .state = plan->seed };
    struct made_state s = { .plan = plan, .made = out };
    struct file *f = calloc(1, sizeof *f);
    struct design_wires w = { .debug = 0 };

    *out = (struct wave_made){ .hit = UINT64_MAX };
    s.d.rv32 = plan->rv32;
    s.full = (1u << (plan->ways ? plan->ways : 8)) - 1;
    snprintf(out->path, sizeof out->path, "/tmp/pcounter-wave-XXXXXX");
    int fd = mkstemp(out->path);
    assert_true(fd >= 0 && f);
    f->out = fdopen(fd, "w");
    assert_non_null(f->out);
    if (plan->reset == 0) /* the trace begins in the middle of a run */
        s.d = (struct design){ .counter = { 7, UINT64_MAX, 1, 2, 3, 4 },
                               .mcycle = 1000,
                               .selector = { 5, 13, 20, 22, 1, 9 },
                               .rv32 = plan->rv32 };
    for (s.t = 0; s.t < plan->clocks; s.t++) {
        plan_wires(&rng, &s, &w);
        if (plan->pulse && s.t == plan->pulse && !plan->pulse_ignored)
            s.d = (struct design){ .rv32 = plan->rv32 };
        put_all(f, &s, &w);
        show(f, &s);
        if (s.t >= plan->reset) {
            if (plan->defect == WAVE_READ && s.t == plan->at)
                hit(&s, 12);
            totals(&s, &w);
            count(&s, &w);
            write_register(&s, &w);
            if (plan->mcycle_write && s.t == plan->mcycle_write)
                s.d.mcycle = written_mcycle(plan, s.d.mcycle);
        }
        once(&s); /* the registers after the edge; clears what was x */
    }
    fclose(f->out);
    free(f);
}

void wave_remove(const struct wave_made *made)
{
    unlink(made->path);
}
