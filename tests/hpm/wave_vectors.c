/* SPDX-License-Identifier: MIT */
/*
 * `pcounter check` by the name of a core of CVA6 and by the description that `emit core` makes of
 * it, against the model: the clocks of measured vectors, with the registers and answers of the
 * model in one profile, as a waveform.  Both must agree with it, and in the other profile find as
 * many differences of each counter as the model of that one makes, clock by clock.
 */
#include "wave_run.h"

#include "test.h"

#include <pcounter/pcounter.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { FIELDS = 40, MOST = 120, CLOCKS = 8000 };

/* ---- a waveform ---- */

struct signal {
    const char *scope, *part, *name; /* part: a struct in the scope, or NULL */
    unsigned width;
    uint64_t now, told;
};
struct maker {
    FILE *out;
    struct signal signal[MOST];
    unsigned signals, at;
    uint64_t clock;
};

/* The next signal, in the same order each clock. */
static void put(struct maker *m, const char *scope, const char *part, const char *name,
                unsigned width, uint64_t value)
{
    struct signal *s = &m->signal[m->at++];

    assert_true(m->at <= MOST);
    if (m->clock == 0)
        *s = (struct signal){ scope, part, name, width, 0, ~value };
    s->now = width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
    m->signals = m->at;
}

static void declare(const struct maker *m)
{
    fputs("$timescale 1 ns $end\n", m->out);
    for (unsigned i = 0; i < m->signals; i++) {
        const struct signal *s = &m->signal[i];
        fprintf(m->out, "$scope module top $end\n$scope module %s $end\n", s->scope);
        if (i == 0)
            fputs("$var wire 1 ! clk_i $end\n", m->out);
        if (s->part)
            fprintf(m->out, "$scope struct %s $end\n", s->part);
        fprintf(m->out, "$var wire %u v%u %s $end\n%s$upscope $end\n$upscope $end\n", s->width, i,
                s->name, s->part ? "$upscope $end\n" : "");
    }
    fputs("$scope module top $end\n$scope module csr_regfile_i $end\n$var wire 1 ! clk_i $end\n"
          "$upscope $end\n$upscope $end\n$enddefinitions $end\n",
          m->out);
}

static void end_clock(struct maker *m)
{
    if (m->clock == 0)
        declare(m);
    fprintf(m->out, "#%" PRIu64 "\n0!\n", 10 * m->clock);
    for (unsigned i = 0; i < m->signals; i++) {
        struct signal *s = &m->signal[i];
        if (s->now == s->told)
            continue;
        s->told = s->now;
        fputc('b', m->out);
        for (unsigned b = s->width; b-- > 0;)
            fputc('0' + (s->now >> b & 1), m->out);
        fprintf(m->out, " v%u\n", i);
    }
    fprintf(m->out, "#%" PRIu64 "\n1!\n", 10 * m->clock++ + 5);
    m->at = 0;
}

/* ---- one clock of a core ---- */

struct clock {
    bool reset;
    struct pc_hpm_in in;
    struct pc_hpm_strobe strobe;
    struct pc_hpm_state state; /* before it */
    struct pc_hpm_out out;
    uint64_t data_o;
};

static void put_perf(struct maker *m, const struct pc_hpm_config *c, const struct clock *k)
{
    static const struct {
        const char *part, *name;
    } line[PC_HPM_LINES] = {
        { NULL, "l1_icache_miss_i" },
        { NULL, "l1_dcache_miss_i" },
        { NULL, "itlb_miss_i" },
        { NULL, "dtlb_miss_i" },
        { "ex_i", "valid" },
        { NULL, "eret_i" },
        { "resolved_branch_i", "valid" },
        { "resolved_branch_i", "is_mispredict" },
        { "branch_exceptions_i", "valid" },
        { NULL, "sb_full_i" },
        { NULL, "if_empty_i" },
        { "l1_icache_access_i", "req" },
        { "l1_dcache_access_i[0]", "data_req" },
        { "l1_dcache_access_i[1]", "data_req" },
        { "l1_dcache_access_i[2]", "data_req" },
        { NULL, "i_tlb_flush_i" },
        { NULL, "stall_issue_i" },
    };
    static const char *const instr[] = { "commit_instr_i[0]", "commit_instr_i[1]" };
    static const char *const ways[] = { "miss_vld_bits_i[0]", "miss_vld_bits_i[1]",
                                        "miss_vld_bits_i[2]" };
    static const char *const counter[] = { "generic_counter_q[1]", "generic_counter_q[2]",
                                           "generic_counter_q[3]", "generic_counter_q[4]",
                                           "generic_counter_q[5]", "generic_counter_q[6]" };
    static const char *const selector[] = { "mhpmevent_q[1]", "mhpmevent_q[2]", "mhpmevent_q[3]",
                                            "mhpmevent_q[4]", "mhpmevent_q[5]", "mhpmevent_q[6]" };
    const char *p = "perf_counters_i";
    unsigned ack = 0;

    put(m, p, NULL, "rst_ni", 1, !k->reset);
    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        put(m, p, line[i].part, line[i].name, 1, k->in.lines >> i & 1);
    for (unsigned i = 0; i < c->commit_ports; i++) {
        const struct pc_hpm_port *port = &k->in.port[i];
        ack |= (unsigned)port->ack << i;
        put(m, p, instr[i], "fu", 4, port->fu);
        put(m, p, instr[i], "op", 8,
            port->op == PC_HPM_OP_ADD    ? 0
            : port->op == PC_HPM_OP_JALR ? 19
                                         : 3);
        put(m, p, instr[i], "rd", 5, port->rd);
        put(m, p, instr[i], "rs1", 5, port->rs1);
    }
    put(m, p, NULL, "commit_ack_i", c->commit_ports, ack);
    for (unsigned i = 0; i < 3; i++)
        put(m, p, NULL, ways[i], c->dcache_ways, k->in.way_valid[i]);
    put(m, p, NULL, "debug_mode_i", 1, k->in.mode.debug);
    put(m, p, NULL, "we_i", 1, k->strobe.write);
    put(m, p, NULL, "addr_i", 12, k->strobe.address);
    put(m, p, NULL, "data_i", c->xlen, k->strobe.wdata);
    put(m, p, NULL, "data_o", c->xlen, k->data_o);
    put(m, p, NULL, "mcountinhibit_i", 32, k->strobe.inhibit);
    for (unsigned i = 0; i < 6; i++) {
        put(m, p, NULL, counter[i], 64, k->state.counter[3 + i]);
        put(m, p, NULL, selector[i], 5, k->state.selector[3 + i]);
    }
}

static void put_csr(struct maker *m, const struct pc_hpm_config *c, const struct clock *k)
{
    static const uint8_t op[] = { 0, 33, 35, 36, 34 };
    const char *s = "csr_regfile_i";
    unsigned ack = 0;

    for (unsigned i = 0; i < c->commit_ports; i++)
        ack |= (unsigned)k->in.port[i].ack << i;
    put(m, s, NULL, "rst_ni", 1, !k->reset);
    put(m, s, NULL, "commit_ack_i", c->commit_ports, ack);
    put(m, s, "ex_i", "valid", 1, k->in.lines >> PC_HPM_EXCEPTION & 1);
    put(m, s, NULL, "csr_op_i", 8, op[k->in.csr.op]);
    put(m, s, NULL, "csr_addr_i", 12, k->in.csr.address);
    put(m, s, NULL, "csr_wdata_i", c->xlen, k->in.csr.operand);
    put(m, s, NULL, "csr_rdata_o", c->xlen, k->out.rdata);
    put(m, s, "csr_exception_o", "valid", 1, k->out.cause != 0);
    put(m, s, "csr_exception_o", "cause", c->xlen, k->out.cause);
    put(m, s, NULL, "priv_lvl_q", 2, k->in.mode.privilege);
    put(m, s, NULL, "v_q", 1, k->in.mode.virtualised);
    put(m, s, NULL, "debug_mode_q", 1, k->in.mode.debug);
    put(m, s, NULL, "cycle_q", 64, k->state.counter[0]);
    put(m, s, NULL, "instret_q", 64, k->state.counter[2]);
    put(m, s, NULL, "mcountinhibit_q", 9, k->state.inhibit);
    put(m, s, NULL, "mcounteren_q", 32, k->state.mcounteren);
    put(m, s, NULL, "scounteren_q", 32, k->state.scounteren);
    put(m, s, NULL, "hcounteren_q", 32, k->state.hcounteren);
}

/* ---- vectors ---- */

/* Hexadecimal fields after the type of the row. */
static unsigned fields_of(const char *line, uint64_t *f)
{
    unsigned n = 0;
    char *end;

    for (line++; n < FIELDS; line = end) {
        f[n] = strtoull(line, &end, 16);
        if (end == line)
            break;
        n++;
    }
    return n;
}

static void ports_of(const struct pc_hpm_config *c, const uint64_t *f, uint64_t clock,
                     struct pc_hpm_in *in)
{
    for (unsigned i = 0; i < c->commit_ports; i++, f += 4)
        in->port[i] = (struct pc_hpm_port){ .ack = f[0] != 0,
                                            .fu = (uint8_t)f[1],
                                            .op = (uint8_t)f[2],
                                            .rd = (uint8_t)f[3],
                                            .rs1_known = true, /* the files have none */
                                            .rs1 = (uint8_t)(clock % 7) };
}

static void read_perf(const struct pc_hpm_config *c, const uint64_t *f, struct clock *k, uint64_t n)
{
    const uint64_t *after = f + 5 + 4 * c->commit_ports;

    k->in.mode = (struct pc_hpm_mode){ .privilege = 3, .debug = f[0] != 0 };
    k->strobe = (struct pc_hpm_strobe){ f[1] != 0, (uint16_t)f[2], f[3], (uint32_t)f[4] };
    ports_of(c, f + 5, n, &k->in);
    k->in.lines = (uint32_t)after[0];
    for (unsigned i = 0; i < 3; i++)
        k->in.way_valid[i] = (uint32_t)after[1 + i];
}

static void read_csr(const struct pc_hpm_config *c, const uint64_t *f, bool other, struct clock *k,
                     uint64_t n)
{
    const uint64_t *after = f + 6 + 4 * c->commit_ports;
    const uint32_t e = (uint32_t)after[2];

    k->in.mode = (struct pc_hpm_mode){ (uint8_t)f[0], f[1] != 0, f[2] != 0 };
    if (!other)
        k->in.csr = (struct pc_hpm_access){ (enum pc_hpm_csr_op)f[3], (uint16_t)f[4], f[5] };
    ports_of(c, f + 6, n, &k->in);
    k->in.lines = (e & 15) | (after[0] ? 1u << PC_HPM_EXCEPTION : 0) |
                  (after[1] ? 1u << PC_HPM_ERET : 0) | (e >> 4 & 63) << PC_HPM_RESOLVED |
                  (e >> 10 & 3) << PC_HPM_DCACHE_REQUEST_0 | (e >> 12 & 1) << PC_HPM_TLB_FLUSH |
                  (e >> 13 & 1) << PC_HPM_ISSUE_STALL;
}

/*
 * The access as perf_counters sees it: a write that the privilege allows, of an address of the
 * event counters, with what it makes of the old value.  By the model acknowledged, or an exception.
 */
static void strobe_of(struct pc_hpm *hpm, const struct pc_hpm_config *c, struct clock *k)
{
    const struct pc_hpm_access *a = &k->in.csr;
    const unsigned group = a->address & 0xfe0, n = a->address & 31;
    const struct pc_hpm_mode machine = { .privilege = 3 };
    uint64_t old = 0;

    k->strobe.inhibit = k->state.inhibit;
    k->strobe.address = a->address;
    if (a->op == PC_HPM_CSR_NONE)
        return;
    (void)pc_hpm_read_at(hpm, machine, a->address, &old);
    k->strobe.wdata = a->op == PC_HPM_CSR_SET     ? old | a->operand
                      : a->op == PC_HPM_CSR_CLEAR ? old & ~a->operand
                                                  : a->operand;
    k->strobe.write = a->op != PC_HPM_CSR_READ && n >= 3 &&
                      (group == 0xb00 || group == 0xb80 || group == 0x320) &&
                      (k->in.mode.privilege == 3 || !c->rvu || (c->debug && k->in.mode.debug));
    pc_hpm_step(hpm, &k->in, &k->out);
    k->in.port[0].ack = k->out.cause == PC_HPM_NO_TRAP;
    k->in.lines &= ~(1u << PC_HPM_EXCEPTION);
    k->in.lines |= k->out.cause != PC_HPM_NO_TRAP ? 1u << PC_HPM_EXCEPTION : 0;
    assert_int_equal(pc_hpm_set_state(hpm, &k->state, NULL), PC_OK);
}

static void run_clock(struct maker *m, struct pc_hpm *hpm, bool csr, struct clock *k)
{
    const struct pc_hpm_config *c = pc_hpm_get_config(hpm);
    struct pc_hpm_out module;

    pc_hpm_get_state(hpm, &k->state);
    if (csr)
        strobe_of(hpm, c, k);
    pc_hpm_step_module(hpm, &k->in, &k->strobe, &module);
    k->data_o = module.rdata;
    if (csr && !k->reset) {
        assert_int_equal(pc_hpm_set_state(hpm, &k->state, NULL), PC_OK);
        pc_hpm_step(hpm, &k->in, &k->out);
    }
    if (c->perf_counter_en)
        put_perf(m, c, k);
    if (csr)
        put_csr(m, c, k);
    end_clock(m);
}

/* Differences of each counter that a model of the other profile makes. */
static uint64_t wanted[PC_HPM_LAST + 1];

/* What the other model makes of the clock, from the state before it, against `now`, after it. */
static void compare_other(struct pc_hpm *other, const struct clock *k,
                          const struct pc_hpm_state *now, bool csr)
{
    struct pc_hpm_state module, fixed;
    struct pc_hpm_in in = k->in;
    struct pc_hpm_out out;

    assert_int_equal(pc_hpm_set_state(other, &k->state, NULL), PC_OK);
    pc_hpm_step_module(other, &in, &k->strobe, &out);
    pc_hpm_get_state(other, &module);
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        wanted[c] += module.counter[c] != now->counter[c];
    if (!csr)
        return;
    assert_int_equal(pc_hpm_set_state(other, &k->state, NULL), PC_OK);
    pc_hpm_step(other, &in, &out);
    if (out.cause != k->out.cause) { /* the wires say what retires */
        in.csr.op = PC_HPM_CSR_NONE;
        assert_int_equal(pc_hpm_set_state(other, &k->state, NULL), PC_OK);
        pc_hpm_step(other, &in, &out);
    }
    pc_hpm_get_state(other, &fixed);
    for (unsigned c = 0; c <= 2; c += 2)
        wanted[c] += fixed.counter[c] != now->counter[c];
}

static struct pc_hpm *model_of(const struct pc_hpm_config *c, const char *profile)
{
    struct pc_hpm_desc desc = { .config = c };
    struct pc_hpm *hpm;

    assert_int_equal(pc_hpm_profile_find(profile, &desc.profile, NULL), PC_OK);
    assert_int_equal(pc_hpm_create(&desc, &hpm, NULL), PC_OK);
    return hpm;
}

static void make(const char *vectors, const char *core, const char *profile, const char *path)
{
    const struct pc_hpm_config *c = pc_hpm_config_find(core);
    struct maker *m = calloc(1, sizeof *m);
    gzFile in = gzopen(vectors, "rb");
    char line[1000];

    assert_true(m && in && c);
    struct pc_hpm *hpm = model_of(c, profile),
                  *other = model_of(c, strcmp(profile, "rtl") == 0 ? "spec" : "rtl");
    struct pc_hpm_state now;
    memset(wanted, 0, sizeof wanted);
    m->out = fopen(path, "wb");
    assert_non_null(m->out);
    const bool csr = gzgets(in, line, sizeof line) && strncmp(line, "# cva6-csr", 10) == 0;
    for (unsigned i = 0; i < 3; i++) {
        struct clock k = { .reset = true, .in = { .mode = { .privilege = 3 } } };
        run_clock(m, hpm, csr, &k);
        pc_hpm_reset(hpm);
    }
    while (gzgets(in, line, sizeof line) && m->clock < CLOCKS) {
        struct clock k = { .reset = false };
        uint64_t f[FIELDS] = { 0 };
        if (line[0] == 'R')
            pc_hpm_reset(hpm);
        k.reset = line[0] == 'R';
        if (line[0] == 'N' || line[0] == 'X' || line[0] == 'R') {
            fields_of(line, f);
            if (!k.reset && csr)
                read_csr(c, f, line[0] == 'X', &k, m->clock);
            else if (!k.reset)
                read_perf(c, f, &k, m->clock);
            run_clock(m, hpm, csr, &k);
            if (k.reset)
                pc_hpm_reset(hpm);
            pc_hpm_get_state(hpm, &now);
            if (!k.reset)
                compare_other(other, &k, &now, csr);
        }
    }
    fclose(m->out);
    gzclose(in);
    pc_hpm_destroy(hpm);
    pc_hpm_destroy(other);
    free(m);
}

/* ---- two verdicts ---- */

static void check(struct wave_ran *r, const char *core, const char *profile, const char *wave)
{
    wave_run(r, "check", "-q", "-k", "--core", core, profile ? "--profile" : wave,
             profile ? profile : NULL, "--format", "json", wave, NULL);
}

static void describe(struct wave_ran *r, const char *yaml, const char *wave)
{
    wave_run(r, "check", "-q", "-k", "--core", yaml, "--format", "json", wave, NULL);
}

/* The checks of traps, a row each, are looked at and fail as often as the model's csr_exception. */
static void expect_same_traps(const char *what, const struct wave_ran *a, const struct wave_ran *b)
{
    const json_t *one = wave_find(json_object_get(a->json, "registers"), "name", "csr_exception"),
                 *checks = json_object_get(b->json, "checks");
    int64_t looked = 0, failed = 0;

    for (size_t i = 0; one && i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        if (strncmp(wave_text(check, "name"), "trap: ", 6) == 0) {
            looked += wave_number(check, "looked");
            failed += wave_number(check, "failed");
        }
    }
    if (one &&
        (looked != wave_number(one, "compared") || failed != wave_number(one, "differences")))
        fail_msg("%s: traps: %d of %d differ by the model, %d of %d by rows", what,
                 (int)wave_number(one, "differences"), (int)wave_number(one, "compared"),
                 (int)failed, (int)looked);
}

/* Each register has as many values and differences by both. */
static void expect_same(const char *what, const struct wave_ran *a, const struct wave_ran *b)
{
    const json_t *regs = json_object_get(b->json, "registers");
    size_t same = 0;

    if (!a->json || !b->json || a->code != b->code)
        fail_msg("%s: exit %d and %d: %s%s%.3000s", what, a->code, b->code, a->errors, b->errors,
                 b->out);
    for (size_t i = 0; i < json_array_size(regs); i++) {
        const json_t *other = json_array_get(regs, i);
        const char *name = wave_text(other, "name");
        const json_t *one = wave_find(json_object_get(a->json, "registers"), "name", name);
        if (!one)
            continue;
        same++;
        if (wave_number(one, "compared") != wave_number(other, "compared") ||
            wave_number(one, "differences") != wave_number(other, "differences"))
            fail_msg("%s: %s: %d and %d differences", what, name,
                     (int)wave_number(one, "differences"), (int)wave_number(other, "differences"));
    }
    assert_true(same >= 2);
    expect_same_traps(what, a, b);
}

/* As many differences of each counter as the model of the other profile makes. */
static void expect_wanted(const char *what, const struct wave_ran *r)
{
    static const char *const names[] = { "mcycle",       "",
                                         "minstret",     "mhpmcounter3",
                                         "mhpmcounter4", "mhpmcounter5",
                                         "mhpmcounter6", "mhpmcounter7",
                                         "mhpmcounter8" };
    size_t same = 0;

    for (unsigned c = 0; c <= PC_HPM_LAST; c++) {
        const json_t *one = wave_find(json_object_get(r->json, "registers"), "name", names[c]);
        if (!one)
            continue;
        same++;
        if (wave_number(one, "differences") != (int64_t)wanted[c])
            fail_msg("%s: %s: %d differences, and the model makes %d", what, names[c],
                     (int)wave_number(one, "differences"), (int)wanted[c]);
    }
    assert_true(same >= 2);
}

static struct wave_ran model, described;

static void both(const char *vectors, const char *core, const char *profile)
{
    static const char *const profiles[] = { "rtl", "spec" };
    char wave[80], yaml[90], what[300];

    snprintf(wave, sizeof wave, "/tmp/pcounter-vectors-%ld.vcd", (long)getpid());
    snprintf(yaml, sizeof yaml, "%s.yaml", wave);
    make(vectors, core, profile, wave);
    for (unsigned i = 0; i < 2; i++) {
        snprintf(what, sizeof what, "%s of %s, checked as %s", vectors, profile, profiles[i]);
        wave_run(&described, "emit", "core", "--core", core, "--profile", profiles[i], "--wave",
                 wave, "-o", yaml, NULL);
        assert_int_equal(described.code, 0);
        wave_done(&described);
        describe(&described, yaml, wave);
        check(&model, core, profiles[i], wave);
        expect_same(what, &model, &described);
        if (strcmp(profiles[i], profile) != 0)
            expect_wanted(what, &model);
        if (strcmp(profiles[i], profile) == 0 && model.code != 0)
            fail_msg("%s: exit %d: %.3000s%s", what, model.code, model.out, model.errors);
        wave_done(&model);
        wave_done(&described);
    }
    unlink(wave);
    unlink(yaml);
}

/* Verifies that the model of a core and its description agree on vectors, in both profiles. */
static void model_and_description_agree(void **state)
{
    static const struct {
        const char *file, *core;
    } files[] = {
        { "csr-rv32-imac-msu-small.txt.gz", "cv32a6_imac_sv32" },
        { "csr-rv64-imafdch-msuh-small.txt.gz", "cv64a6_imafdch_sv39" },
        { "csr-rv64-imafdc-msu-small.txt.gz", "cv64a6_imafdc_sv39" },
        { "csr-rv32-60x-monly-small.txt.gz", "cv32a60x" },
        { "csr-rv32-fpga-noperf-small.txt.gz", "cv32a6_ima_sv32_fpga" },
        { "perf-rv64p2a8-small.txt.gz", "cv64a6_imafdc_sv39" },
        { "perf-rv32p2a8-small.txt.gz", "cv32a6_imac_sv32" },
    };
    char path[1000], relative[100];

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, PC_SOURCE_DIR "/tests/hpm/vectors/%s", files[i].file);
        snprintf(relative, sizeof relative, "vectors/cva6/%s", files[i].file);
        if (access(path, R_OK) != 0 && !test_shared(relative, path, sizeof path))
            continue;
        both(path, files[i].core, "rtl");
        both(path, files[i].core, "spec");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(model_and_description_agree) };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
