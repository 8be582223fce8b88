/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit core: the counter half of CVA6's csr_regfile, which is beside perf_counters: its
 * registers by what instructions ask for (csr_op_i), not by what the design makes of that, and as
 * checks which accesses trap and what shadows give.
 */
#include "emit.h"

#include <inttypes.h>

#define CSR "csr_regfile_i."

static bool has(const struct emit_request *r, enum pc_hpm_quirk quirk)
{
    return (r->profile->quirks & quirk) != 0;
}

static bool has_signal(const struct emit_request *r, const char *name)
{
    size_t var;
    uint32_t hi, lo;

    return !r->wave || pc_wave_find(r->wave, name, &var, &hi, &lo, NULL) != PC_ENOENT;
}

bool emit_has_csr(const struct emit_request *r)
{
    return has_signal(r, CSR "csr_op_i") && has_signal(r, CSR "csr_wdata_i") &&
           has_signal(r, CSR "csr_addr_i") && has_signal(r, CSR "cycle_q") &&
           (!r->config->rvu || has_signal(r, CSR "priv_lvl_q")) &&
           (!r->config->rvh || has_signal(r, CSR "v_q"));
}

/* HPM.PRIV.1: who it is, and up to which CSRs. */
static void put_modes(const struct pc_hpm_config *c, FILE *file)
{
    const char *own = c->rvu ? CSR "priv_lvl_q" : "2'd3";

    if (c->debug)
        fprintf(file, "  mode: \"" CSR "debug_mode_q ? 2'd3 : %s\"\n", own);
    else
        fprintf(file, "  mode: \"%s\"\n", own);
    if (c->rvh)
        fputs("  virtual: mode != 3 & " CSR "v_q\n"
              "  level: \"mode == 3 ? 2'd3 : mode == 0 ? 2'd0 : virtual ? 2'd1 : 2'd2\"\n",
              file);
    else
        fputs("  level: mode\n", file);
}

/* HPM.GATE.1 to .5: what refuses a shadow that is there. */
static void put_refused(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;
    const char *s = c->rvs ? " & scounteren[number]" : "";

    if (!c->rvu) {
        fputs("  refused: 1'b0\n", file);
        return;
    }
    if (!c->rvs && has(r, PC_HPM_Q_U_NEEDS_SCOUNTEREN)) {
        fputs("  refused: \"mode != 3\"\n", file);
        return;
    }
    if (!c->rvh) {
        fprintf(file,
                "  refused: \"mode == 1 & !mcounteren[number] | mode == 0 & "
                "!(mcounteren[number]%s)\"\n",
                s);
        return;
    }
    fputs("  m: mcounteren[number]\n  s: scounteren[number]\n  h: hcounteren[number]\n", file);
    if (has(r, PC_HPM_Q_H_GATE_AND))
        fputs(
            "  refused: \"mode == 1 & (virtual ? !(m & h) : !m) | mode == 0 & (virtual ? m & !h | "
            "!m & !s & h : !(m | s))\"\n",
            file);
    else
        fputs("  refused: \"mode == 1 & !(m & (h | !virtual)) | mode == 0 & !(m & s & (h | "
              "!virtual))\"\n",
              file);
}

void emit_core_lets(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;
    const char *high = c->xlen == 64 ? " | addr[7]" : "";

    fputs("let:\n  op: " CSR "csr_op_i            # 33 writes, 34 reads, 35 sets bits, 36 clears "
          "them\n  addr: " CSR "csr_addr_i\n  data: " CSR "csr_wdata_i\n"
          "  access: op >= 33 & op <= 36\n  number: \"addr[4:0]\"\n",
          file);
    put_modes(c, file);
    fprintf(file, "  write: access & op != 34 & addr[9:8] <= level%s\n",
            c->rvh && has(r, PC_HPM_Q_H_TRAP_WRITES)
                ? " | access & op != 34 & virtual & addr[9:8] != 3"
                : "");
    fputs("  shadow: \"(addr & 12'hf60) == 12'hc00\"\n"
          "  counter: \"(addr & 12'hf60) == 12'hb00\"\n",
          file);
    fprintf(file, "  absent: \"number == 1%s\"\n", high);
    if (c->zicntr == c->zihpm)
        fprintf(file, "  hidden: \"1'b%d\"\n", !c->zicntr);
    else
        fprintf(file, "  hidden: \"number < 3 ? 1'b%d : 1'b%d\"\n", !c->zicntr, !c->zihpm);
    put_refused(r, file);
    fputs("  value: \"number == 0 ? mcycle : number == 2 ? minstret", file);
    for (unsigned n = PC_HPM_FIRST; n <= PC_HPM_LAST && c->perf_counter_en; n++)
        fprintf(file, " : number == %u ? mhpmcounter%u", n, n);
    fputs(" : 64'd0\"\n", file);
}

/* HPM.OP.1: the value that is written to a register whose bits are old[...]. */
static void put_written(FILE *file, const char *old)
{
    fprintf(file, "op == 35 ? %s | data : op == 36 ? %s & ~data : data", old, old);
}

static void put_half(FILE *file, const char *name, unsigned address, const char *bits)
{
    char old[40];

    snprintf(old, sizeof old, "%s[%s]", name, bits);
    fprintf(file, "      - {when: \"write & addr == 12'h%x\", \"set[%s]\": \"", address, bits);
    put_written(file, old);
    fputs("\"}\n", file);
}

static void put_fixed(const struct emit_request *r, FILE *file, const char *name, const char *is,
                      unsigned bit, const char *amount, const char *only)
{
    const bool wide = r->config->xlen == 64, ticks = has(r, PC_HPM_Q_HALF_WRITE_TICKS) || wide;
    const char *debug = emit_core_stops(r) ? " & !" CSR "debug_mode_q" : "";
    char inhibit[40] = "1";

    if (r->config->perf_counter_en)
        snprintf(inhibit, sizeof inhibit, "!mcountinhibit[%u]", bit);
    fprintf(file, "  - name: %s\n    width: 64\n    is: " CSR "%s\n    rules:\n", name, is);
    if (ticks)
        fprintf(file, "      - {when: \"%s%s%s\", add: \"%s\", then: go on}\n", inhibit, debug,
                only, amount);
    put_half(file, name, 0xb00 + bit, wide ? "63:0" : "31:0");
    if (!wide)
        put_half(file, name, 0xb80 + bit, "63:32");
    if (!ticks)
        fprintf(file, "      - {when: \"%s%s%s\", add: \"%s\"}\n", inhibit, debug, only, amount);
}

/* HPM.MAP.5, .6 */
static void put_plain(const struct emit_request *r, FILE *file, const char *name, unsigned width,
                      unsigned address, const char *mask)
{
    char signal[60];

    snprintf(signal, sizeof signal, CSR "%s_q", name);
    fprintf(file,
            "  - name: %s\n    width: %u\n    is: %s\n    rules:\n"
            "      - {when: \"write & addr == 12'h%x\", set: \"(",
            name, width, has_signal(r, signal) ? signal : "none", address);
    put_written(file, name);
    fprintf(file, ")%s\"}\n", mask);
}

void emit_core_registers(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;

    put_fixed(r, file, "mcycle", "cycle_q", 0, "1", "");
    put_fixed(r, file, "minstret", "instret_q", 2, "countones(" CSR "commit_ack_i)",
              " & !" CSR "ex_i.valid");
    if (c->perf_counter_en)
        put_plain(r, file, "mcountinhibit", 9, 0x320, " & 9'h1fd");
    if (c->rvu)
        put_plain(r, file, "mcounteren", 32, 0x306, "");
    if (c->rvs)
        put_plain(r, file, "scounteren", 32, 0x106, "");
    if (c->rvh)
        put_plain(r, file, "hcounteren", 32, 0x606, "");
}

/* Writes checks of what traps and what is read; selectors and the enables are like the counters. */
void emit_core_checks(const struct emit_request *r, FILE *file)
{
    const bool wide = r->config->xlen == 64;
    const char *read = wide ? "value" : "(addr[7] ? value[63:32] : value[31:0])";

    if (!has_signal(r, CSR "csr_exception_o.valid"))
        return;
    fputs("\nchecks:\n"
          "  - name: shadows trap\n    when: access & shadow\n"
          "    that: \"" CSR "csr_exception_o.valid == (absent | hidden | refused | op != 34)\"\n"
          "  - name: counters trap\n    when: access & counter\n"
          "    that: \"" CSR "csr_exception_o.valid == (absent | level != 3)\"\n"
          "  - name: selectors and mcountinhibit trap\n    when: \"access & (addr & 12'hfe0) == "
          "12'h320 & !(number inside {1, 2})\"\n"
          "    that: \"" CSR "csr_exception_o.valid == (level != 3)\"\n",
          file);
    if (r->config->rvu)
        fprintf(file,
                "  - name: enables trap\n    when: \"access & addr inside {12'h306%s%s}\"\n"
                "    that: \"" CSR "csr_exception_o.valid == (addr[9:8] > level)\"\n",
                r->config->rvs ? ", 12'h106" : "", r->config->rvh ? ", 12'h606" : "");
    if (!has_signal(r, CSR "csr_rdata_o"))
        return;
    fputs("  - name: shadows read\n    when: \"access & shadow & op == 34 & !(absent | hidden | "
          "refused)",
          file);
    if (!wide)
        fputs(" & addr != 12'hc83", file);
    fprintf(file, "\"\n    that: \"" CSR "csr_rdata_o == %s\"\n", read);
    if (!wide)
        fprintf(file,
                "  - name: hpmcounter3h reads\n    when: \"access & addr == 12'hc83 & op == 34 & "
                "!(hidden | refused)\"\n"
                "    that: \"" CSR "csr_rdata_o == %s\"\n",
                has(r, PC_HPM_Q_SHADOW3H_ZERO) ? "0" : "value[63:32]");
    fprintf(file,
            "  - name: counters read\n    when: access & counter & level == 3 & !absent\n"
            "    that: \"" CSR "csr_rdata_o == %s\"\n",
            read);
}
