/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit core: the counter half of CVA6's csr_regfile, which is beside perf_counters: its
 * registers by what instructions ask for (csr_op_i), not by what the design makes of that, and as
 * checks which accesses trap and what shadows give.
 */
#include "emit.h"

#include <inttypes.h>

#define CSR "csr_regfile_i."

bool emit_has_csr(const struct emit_request *r)
{
    if (r->ports)
        return r->ports->csr;
    return emit_core_sees(r, CSR "csr_op_i") && emit_core_sees(r, CSR "csr_wdata_i") &&
           emit_core_sees(r, CSR "csr_addr_i") && emit_core_sees(r, CSR "cycle_q") &&
           (!r->config->rvu || emit_core_sees(r, CSR "priv_lvl_q")) &&
           (!r->config->rvh || emit_core_sees(r, CSR "v_q"));
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
    if (!c->rvs && emit_core_has(r, PC_HPM_Q_U_NEEDS_SCOUNTEREN)) {
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
    if (emit_core_has(r, PC_HPM_Q_H_GATE_AND))
        fputs(
            "  refused: \"mode == 1 & (virtual ? !(m & h) : !m) | mode == 0 & (virtual ? m & !h | "
            "!m & !s & h : !(m | s))\"\n",
            file);
    else
        fputs("  refused: \"mode == 1 & !(m & (h | !virtual)) | mode == 0 & !(m & s & (h | "
              "!virtual))\"\n",
              file);
}

/* HPM.OP.1: the value that is written to a register whose bits are old[...]. */
static void put_written(FILE *file, const char *old)
{
    fprintf(file, "op == 35 ? %s | data : op == 36 ? %s & ~data : data", old, old);
}

static void put_half(const struct emit_request *r, FILE *file, const char *name, unsigned address,
                     const char *bits, const char *clause, uint32_t quirks)
{
    char old[40];

    snprintf(old, sizeof old, "%s[%s]", name, bits);
    fprintf(file, "      - {when: \"write & addr == 12'h%x\", \"set[%s]\": \"", address, bits);
    put_written(file, old);
    fputc('"', file);
    emit_core_said(r, file, clause, quirks);
}

/* A fixed counter: mcycle counts by 1, minstret by what retires. */
struct fixed {
    const char *name, *is, *amount, *only, *counts, *written;
    unsigned bit;
};

static void put_count(const struct emit_request *r, FILE *file, const struct fixed *f, bool csr,
                      bool go_on)
{
    const char *debug = emit_core_stops(r) ? " & !" CSR "debug_mode_q" : "";
    char inhibit[40] = "1";

    if (r->config->perf_counter_en)
        snprintf(inhibit, sizeof inhibit, "!mcountinhibit%s[%u]", csr ? "" : "_i", f->bit);
    fprintf(file, "      - {when: \"%s%s%s\", add: \"%s\"%s", inhibit, debug, f->only, f->amount,
            go_on ? ", then: go on" : "");
    emit_core_said(r, file, f->counts, 0);
}

/* Writes are those that csr_regfile's wires show. */
static void put_fixed(const struct emit_request *r, FILE *file, const struct fixed *f, bool csr)
{
    const bool wide = r->config->xlen == 64,
               ticks = emit_core_has(r, PC_HPM_Q_HALF_WRITE_TICKS) || wide;

    fprintf(file, "  - name: %s\n    width: 64\n    is: " CSR "%s\n    rules:\n", f->name, f->is);
    if (!csr) {
        put_count(r, file, f, csr, false);
        return;
    }
    if (ticks)
        put_count(r, file, f, csr, true);
    if (wide) {
        put_half(r, file, f->name, 0xb00 + f->bit, "63:0", f->written, 0);
    } else {
        put_half(r, file, f->name, 0xb00 + f->bit, "31:0", "HPM.HALF.2", PC_HPM_Q_HALF_WRITE_TICKS);
        put_half(r, file, f->name, 0xb80 + f->bit, "63:32", "HPM.HALF.2",
                 PC_HPM_Q_HALF_WRITE_TICKS);
    }
    if (!ticks)
        put_count(r, file, f, csr, false);
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
            name, width, emit_core_sees(r, signal) ? signal : "none", address);
    put_written(file, name);
    fprintf(file, ")%s\"", mask);
    emit_core_said(r, file, address == 0x320 ? "HPM.MAP.5" : "HPM.MAP.6", 0);
}

void emit_core_registers(const struct emit_request *r, FILE *file, bool csr)
{
    static const struct fixed
        mcycle = { "mcycle", "cycle_q", "1", "", "HPM.CYCLE.1", "HPM.OP.1", 0 },
        minstret = { "minstret",
                     "instret_q",
                     "countones(" CSR "commit_ack_i)",
                     " & !" CSR "ex_i.valid",
                     "HPM.INSTRET.1",
                     "HPM.INSTRET.3",
                     2 };
    const struct pc_hpm_config *c = r->config;
    const char *low = c->xlen == 64 ? " & 32'hffffffff" : "";

    put_fixed(r, file, &mcycle, csr);
    put_fixed(r, file, &minstret, csr);
    if (!csr)
        return;
    if (c->perf_counter_en)
        put_plain(r, file, "mcountinhibit", 9, 0x320, " & 9'h1fd");
    else if ((r->ports || r->wave) && emit_core_sees(r, CSR "mcountinhibit_q"))
        fputs("  - {name: mcountinhibit, width: 9, is: " CSR "mcountinhibit_q, rules: [{when: "
              "\"write & addr == 12'h320\", set: 0, clause: HPM.MAP.5}]}\n",
              file);
    if (c->rvu)
        put_plain(r, file, "mcounteren", 32, 0x306, low);
    if (c->rvs)
        put_plain(r, file, "scounteren", 32, 0x106, low);
    if (c->rvh)
        put_plain(r, file, "hcounteren", 32, 0x606, low);
}

/* ---- traps ---- */

/* Why an access traps: the first row that holds decides. */
struct trap {
    const char *name, *when, *cause, *clause;
    uint32_t quirks;
};

/* A row: it holds, and none of those before it. */
static void put_trap(const struct emit_request *r, FILE *file, const struct trap *t, bool has_cause,
                     unsigned *rows)
{
    fprintf(file, "  - {name: \"trap: %s\", when: \"owned", t->name);
    if (*rows > 0)
        fprintf(file, " & !why%u", *rows);
    fprintf(file, "%s%s%s\", that: \"", t->when ? " & (" : "", t->when ? t->when : "",
            t->when ? ")" : "");
    if (has_cause)
        fprintf(file, "answer == %s\"", t->cause ? t->cause : "0");
    else /* it is taken for the right one */
        fprintf(file, "(answer ? %s : 0) == %s\"", t->cause ? t->cause : "2",
                t->cause ? t->cause : "0");
    emit_core_said(r, file, t->clause, t->quirks);
    *rows += 1;
}

/* HPM.PRIV.*, .GATE.*, .MAP.*: rows for what the configuration has. */
static size_t traps_of(const struct emit_request *r, struct trap *row)
{
    const struct pc_hpm_config *c = r->config;
    const bool s = c->rvs || emit_core_has(r, PC_HPM_Q_U_NEEDS_SCOUNTEREN), wide = c->xlen == 64;
    struct trap *t = row;

    if (c->rvh && wide && emit_core_has(r, PC_HPM_Q_H_HIGH_VIRTUAL))
        *t++ = (struct trap){ "hcounteren before all else", "shadow & virtual & m & !h", "22",
                              "HPM.GATE.6", PC_HPM_Q_H_HIGH_VIRTUAL };
    if (c->rvh)
        *t++ = (struct trap){ "privilege of a guest", "virtual & addr[9:8] > level",
                              "(addr[9:8] < 3 ? 22 : 2)", "HPM.PRIV.2", 0 };
    if (c->rvu)
        *t++ = (struct trap){ "privilege", "addr[9:8] > level", "2", "HPM.PRIV.1", 0 };
    if (c->rvh)
        *t++ = (struct trap){ "time of a guest",
                              "shadow & number == 1 & !addr[7] & op == 34 & virtual & m & !h", "22",
                              "HPM.GATE.7", 0 };
    *t++ = (struct trap){ "no such counter", "other | (shadow | counter) & number == 1", "2",
                          "HPM.MAP.8", 0 };
    if (!c->rvh)
        *t++ = (struct trap){ "no such enable",
                              c->rvs   ? "addr == 12'h606"
                              : c->rvu ? "addr inside {12'h106, 12'h606}"
                                       : "addr inside {12'h106, 12'h306, 12'h606}",
                              "2", "HPM.MAP.6", 0 };
    if (wide)
        *t++ = (struct trap){ "high half", "(shadow | counter) & addr[7]", "2", "HPM.MAP.4", 0 };
    if (!c->zicntr || !c->zihpm)
        *t++ = (struct trap){ "no shadow", "shadow & hidden", "2", "HPM.MAP.7", 0 };
    *t++ = (struct trap){ "read-only", "shadow & op != 34", "2", "HPM.PRIV.3", 0 };
    if (c->rvh) {
        *t++ = (struct trap){ "enables in VS", "shadow & refused & virtual & mode == 1",
                              "(m ? 22 : 2)", "HPM.GATE.4", 0 };
        *t++ = (struct trap){ "enables in VU", "shadow & refused & virtual", "(m ? 22 : 2)",
                              "HPM.GATE.5", PC_HPM_Q_H_GATE_AND };
    }
    if (c->rvs)
        *t++ =
            (struct trap){ "enables in S", "shadow & refused & mode == 1", "2", "HPM.GATE.2", 0 };
    if (c->rvu)
        *t++ = (struct trap){ "enables in U", "shadow & refused", "2", "HPM.GATE.3",
                              (c->rvh ? PC_HPM_Q_H_GATE_AND : 0u) |
                                  (s && !c->rvs ? PC_HPM_Q_U_NEEDS_SCOUNTEREN : 0u) };
    *t++ = (struct trap){ "none", NULL, NULL, "HPM.GATE.1", 0 };
    return (size_t)(t - row);
}

enum { MOST_TRAPS = 16 };

/* Lets that the rows look at: which accesses are about the counters, what came of one, and whether
 * one of the rows so far holds. */
static void put_trap_lets(const struct emit_request *r, FILE *file)
{
    struct trap row[MOST_TRAPS];
    const size_t rows = traps_of(r, row);

    if (!emit_core_sees(r, CSR "csr_exception_o.valid") && !emit_core_sees(r, CSR "csr_rdata_o"))
        return;
    fputs(
        "  other: \"(addr & 12'hfe0) inside {12'h720, 12'hba0, 12'hca0, 12'hda0} | (addr & "
        "12'hfe0) == 12'h320 & number inside {1, 2}\"\n"
        "  owned: \"access & (shadow | counter | other | (addr & 12'hfe0) == 12'h320 | addr inside "
        "{12'h106, 12'h306, 12'h606})\"\n",
        file);
    if (emit_core_sees(r, CSR "csr_exception_o.cause"))
        fputs("  answer: \"" CSR "csr_exception_o.valid ? " CSR "csr_exception_o.cause : 0\"\n",
              file);
    else if (emit_core_sees(r, CSR "csr_exception_o.valid"))
        fputs("  answer: " CSR "csr_exception_o.valid\n", file);
    for (size_t i = 0; i + 1 < rows; i++) {
        fprintf(file, "  why%zu: \"", i + 1);
        if (i > 0)
            fprintf(file, "why%zu | ", i);
        fprintf(file, "%s\"\n", row[i].when);
    }
    fprintf(file, "  reads: owned & !why%zu%s\n", rows - 1,
            emit_core_sees(r, CSR "csr_exception_o.valid") ? " & !" CSR "csr_exception_o.valid"
                                                           : "");
}

void emit_core_lets(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;
    const char *high = c->xlen == 64 ? " | addr[7]" : "";

    fputs("  op: " CSR "csr_op_i            # 33 writes, 34 reads, 35 sets bits, 36 clears "
          "them\n  addr: " CSR "csr_addr_i\n  data: " CSR "csr_wdata_i\n"
          "  access: op >= 33 & op <= 36\n  number: \"addr[4:0]\"\n",
          file);
    put_modes(c, file);
    fprintf(file, "  write: access & op != 34 & addr[9:8] <= level%s\n",
            c->rvh && emit_core_has(r, PC_HPM_Q_H_TRAP_WRITES)
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
    put_trap_lets(r, file);
}

static void put_traps(const struct emit_request *r, FILE *file)
{
    struct trap row[MOST_TRAPS];
    const size_t count = traps_of(r, row);
    const bool has_cause = emit_core_sees(r, CSR "csr_exception_o.cause");
    unsigned rows = 0;

    for (size_t i = 0; i < count; i++)
        put_trap(r, file, &row[i], has_cause, &rows);
}

/* ---- reads ---- */

static void put_read(const struct emit_request *r, FILE *file, const char *name, const char *when,
                     const char *value, const char *clause, uint32_t quirks)
{
    fprintf(file,
            "  - {name: \"read: %s\", when: \"reads & %s\", that: \"" CSR "csr_rdata_o == %s\"",
            name, when, value);
    emit_core_said(r, file, clause, quirks);
}

/* The selectors and mcountinhibit, which a core without event counters has as zeros; the enables.
 */
static void put_other_reads(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;
    char value[400] = "(";
    size_t n = 1;

    for (unsigned s = PC_HPM_FIRST; s <= PC_HPM_LAST && c->perf_counter_en; s++)
        n += (size_t)snprintf(value + n, sizeof value - n, "number == %u ? mhpmevent%u : ", s, s);
    snprintf(value + n, sizeof value - n, "0)");
    put_read(r, file, "mcountinhibit", "addr == 12'h320",
             c->perf_counter_en ? "mcountinhibit" : "0", "HPM.MAP.5", 0);
    put_read(r, file, "selectors", "(addr & 12'hfe0) == 12'h320 & number >= 3",
             c->perf_counter_en ? value : "0", "HPM.MAP.9", 0);
    if (c->rvu)
        put_read(r, file, "mcounteren", "addr == 12'h306", "mcounteren", "HPM.MAP.6", 0);
    if (c->rvs)
        put_read(r, file, "scounteren", "addr == 12'h106", "scounteren", "HPM.MAP.6", 0);
    if (c->rvh)
        put_read(r, file, "hcounteren", "addr == 12'h606", "hcounteren", "HPM.MAP.6", 0);
}

/* Writes checks of what traps and what is read. */
void emit_core_checks(const struct emit_request *r, FILE *file, bool *begun)
{
    const bool wide = r->config->xlen == 64;

    if (emit_core_sees(r, CSR "csr_exception_o.valid")) {
        emit_core_begin_checks(file, begun);
        put_traps(r, file);
    }
    if (!emit_core_sees(r, CSR "csr_rdata_o"))
        return;
    emit_core_begin_checks(file, begun);
    put_read(r, file, "counters", wide ? "(shadow | counter)" : "(shadow | counter) & !addr[7]",
             wide ? "value" : "value[31:0]", "HPM.READ.1", 0);
    if (!wide) {
        put_read(r, file, "high halves", "(shadow | counter) & addr[7] & addr != 12'hc83",
                 "value[63:32]", "HPM.HALF.1", 0);
        put_read(r, file, "hpmcounter3h", "addr == 12'hc83",
                 emit_core_has(r, PC_HPM_Q_SHADOW3H_ZERO) ? "0" : "value[63:32]", "HPM.SHADOW.1",
                 PC_HPM_Q_SHADOW3H_ZERO);
    }
    put_other_reads(r, file);
}
