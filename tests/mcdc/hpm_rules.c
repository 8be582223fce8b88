/* SPDX-License-Identifier: MIT */
/* Decisions of the rules of CVA6's counters: CSR instructions and event lines. */
#include "test.h"

#include "model/rules/hpm_csr.h"
#include "model/rules/hpm_events.h"

#include "pairs.h"

#define TABLE(name, path, rows)                                                                    \
    const struct mcdc_table name = { path, rows, sizeof rows / sizeof rows[0] }

static char bit(bool value)
{
    return value ? '1' : '0';
}

/* n no trap, i illegal instruction, v virtual instruction */
static char gate(enum pc_hpm_who who, struct pc_hpm_enables e, bool has_s, uint32_t quirks)
{
    const enum pc_hpm_cause cause = pc_hpm_gate(who, e, has_s, quirks);

    return cause == PC_HPM_NO_TRAP ? 'n' : cause == PC_HPM_ILLEGAL ? 'i' : 'v';
}

static char needs_scounteren(const bool *c)
{
    const struct pc_hpm_enables e = { .m = true, .s = c[2] };

    return gate(PC_HPM_U, e, c[0], c[1] ? PC_HPM_Q_U_NEEDS_SCOUNTEREN : 0);
}

static enum pc_hpm_who who(const bool *c)
{
    return c[0] ? PC_HPM_S : c[1] ? PC_HPM_U : c[2] ? PC_HPM_VS : c[3] ? PC_HPM_VU : PC_HPM_M;
}

static char gates_by_mode(const bool *c)
{
    return gate(who(c), (struct pc_hpm_enables){ 0 }, true, 0);
}

static char s_reads(const bool *c)
{
    return gate(PC_HPM_S, (struct pc_hpm_enables){ .m = c[0] }, true, 0);
}

static char u_reads_laxly(const bool *c)
{
    const struct pc_hpm_enables e = { .m = c[1], .s = c[2] };

    return gate(PC_HPM_U, e, true, c[0] ? PC_HPM_Q_H_GATE_AND : 0);
}

static char u_reads(const bool *c)
{
    return gate(PC_HPM_U, (struct pc_hpm_enables){ .m = c[0], .s = c[1] }, true, 0);
}

static char vs_reads(const bool *c)
{
    return gate(PC_HPM_VS, (struct pc_hpm_enables){ .m = c[0], .h = c[1] }, true, 0);
}

static char vu_reads_laxly(const bool *c)
{
    const struct pc_hpm_enables e = { .m = c[1], .s = c[2], .h = c[3] };

    return gate(PC_HPM_VU, e, true, c[0] ? PC_HPM_Q_H_GATE_AND : 0);
}

static char vu_reads(const bool *c)
{
    return gate(PC_HPM_VU, (struct pc_hpm_enables){ .m = c[0], .h = c[1], .s = c[2] }, true, 0);
}

static char level_by_mode(const bool *c)
{
    return (char)('0' + pc_hpm_level(c[0]   ? PC_HPM_S
                                     : c[1] ? PC_HPM_VS
                                     : c[2] ? PC_HPM_U
                                            : PC_HPM_M,
                                     true));
}

static char level_with_h(const bool *c)
{
    return (char)('0' + pc_hpm_level(PC_HPM_S, c[0]));
}

/* c op a, as a digit of 16 */
static char operates(const bool *c)
{
    const enum pc_hpm_csr_op op = c[0]   ? PC_HPM_CSR_WRITE
                                  : c[1] ? PC_HPM_CSR_SET
                                  : c[2] ? PC_HPM_CSR_CLEAR
                                         : PC_HPM_CSR_READ;

    return "0123456789abcdef"[pc_hpm_operate(op, 0xc, 0xa) & 15];
}

/* The value 3 replaces parts of a counter 1:2 (halves): a all, h 3:2, l 1:3 */
static char replaces(bool rv64, bool high)
{
    const uint64_t got = pc_hpm_replace(UINT64_C(0x100000002), 3, rv64 ? 64 : 32, high);

    return got == 3                       ? 'a'
           : got == UINT64_C(0x300000002) ? 'h'
           : got == UINT64_C(0x100000003) ? 'l'
                                          : '?';
}

static char replaces_all(const bool *c)
{
    return replaces(c[0], false);
}

static char replaces_a_half(const bool *c)
{
    return replaces(false, c[0]);
}

static char half(bool rv64, bool high)
{
    const uint64_t got = pc_hpm_half(UINT64_C(0x100000002), rv64 ? 64 : 32, high);

    return got == UINT64_C(0x100000002) ? 'a' : got == 1 ? 'h' : got == 2 ? 'l' : '?';
}

static char reads_all(const bool *c)
{
    return half(c[0], false);
}

static char reads_a_half(const bool *c)
{
    return half(false, c[0]);
}

static char is_held(const bool *c)
{
    return bit(pc_hpm_held(c[0], c[2] ? 4 : 5, 4, c[1] ? PC_HPM_Q_WRITE_FREEZES_ALL : 0));
}

static char other_half_ticks(const bool *c)
{
    return bit(
        pc_hpm_written(0, UINT64_C(1) << 32, 7, 32, false, c[0] ? PC_HPM_Q_HALF_WRITE_TICKS : 0) >>
        32);
}

static const struct mcdc_decision csr_rows[] = {
    { "const bool s = has_s || (quirks & PC_HPM_Q_U_NEEDS_SCOUNTEREN) ? e.s : true;",
      { "has S", "U needs scounteren", "s" },
      needs_scounteren,
      "000=n 100=i 010=i 101=n" },
    { "switch (who)",
      { "S", "U", "VS", "VU" },
      gates_by_mode,
      "0000=n 1000=i 0100=i 0010=i 0001=i" },
    { "return e.m ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL;", { "m" }, s_reads, "0=i 1=n" },
    { "if (lax) return e.m || e.s ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL;",
      { "lax", "m", "s" },
      u_reads_laxly,
      "110=n 010=i 100=i 101=n" },
    { "return e.m && s ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL;",
      { "m", "s" },
      u_reads,
      "11=n 01=i 10=i" },
    { "if (!e.m) return PC_HPM_ILLEGAL; return e.h ? PC_HPM_NO_TRAP : PC_HPM_VIRTUAL;",
      { "m", "h" },
      vs_reads,
      "00=i 10=v 11=n" },
    { "if (lax) return e.m && !e.h ? PC_HPM_VIRTUAL : !e.m && !e.s && e.h ? PC_HPM_ILLEGAL : "
      "PC_HPM_NO_TRAP;",
      { "lax", "m", "s", "h" },
      vu_reads_laxly,
      "1100=v 1101=n 1000=n 1001=i 1011=n 0000=i" },
    { "if (!e.m) return PC_HPM_ILLEGAL; return e.h && e.s ? PC_HPM_NO_TRAP : PC_HPM_VIRTUAL;",
      { "m", "h", "s" },
      vu_reads,
      "000=i 100=v 111=n 101=v 110=v" },
    { "switch (who)", { "S", "VS", "U" }, level_by_mode, "000=3 100=2 010=1 001=0" },
    { "return has_h ? 2 : 1;", { "has H" }, level_with_h, "0=1 1=2" },
    { "switch (op)", { "write", "set", "clear" }, operates, "000=c 100=a 010=e 001=4" },
    { "if (xlen == 64) return value;", { "RV64" }, replaces_all, "0=l 1=a" },
    { "if (high) return (counter & UINT32_MAX) | value << 32;",
      { "high" },
      replaces_a_half,
      "0=l 1=h" },
    { "if (xlen == 64) return counter;", { "RV64" }, reads_all, "0=l 1=a" },
    { "return high ? counter >> 32 : counter & UINT32_MAX;", { "high" }, reads_a_half, "0=l 1=h" },
    { "return strobe && ((quirks & PC_HPM_Q_WRITE_FREEZES_ALL) || written == c);",
      { "strobe", "freezes all", "written" },
      is_held,
      "101=1 001=0 110=1 100=0" },
    { "return pc_hpm_replace(ticks ? ticked : old, value, xlen, high);",
      { "ticks" },
      other_half_ticks,
      "0=0 1=1" },
};
TABLE(mcdc_hpm_csr, "src/model/rules/hpm_csr.h", csr_rows);

static char links(const bool *c)
{
    return bit(pc_hpm_links(c[0] ? 1 : c[1] ? 5 : 2));
}

static char is_no_jump_back(const bool *c)
{
    const struct pc_hpm_port p = { .op = c[0] ? PC_HPM_OP_ADD : PC_HPM_OP_JALR,
                                   .rd = c[1] ? 1 : 0 };

    return bit(!pc_hpm_returns(&p, 0));
}

static char returns(const bool *c)
{
    const struct pc_hpm_port p = { .op = PC_HPM_OP_JALR, .rs1_known = c[1], .rs1 = c[2] ? 1 : 2 };

    return bit(pc_hpm_returns(&p, c[0] ? PC_HPM_Q_RET_ANY_RS1 : 0));
}

static char retires(const bool *c)
{
    const struct pc_hpm_port p = { .ack = c[0], .fu = PC_HPM_FU_LOAD, .op = PC_HPM_OP_OTHER };

    return bit(pc_hpm_port_events(&p, 0) == PC_HPM_BIT(5));
}

static char calls(const bool *c)
{
    const struct pc_hpm_port p = { .ack = true,
                                   .fu = c[0] ? PC_HPM_FU_CTRL_FLOW : PC_HPM_FU_ALU,
                                   .op = c[1] ? PC_HPM_OP_ADD : PC_HPM_OP_OTHER,
                                   .rd = c[2] ? 1 : 2 };

    return bit(pc_hpm_port_events(&p, 0) & PC_HPM_BIT(12));
}

static char is_a_return(const bool *c)
{
    const struct pc_hpm_port p = {
        .ack = true, .fu = PC_HPM_FU_CTRL_FLOW, .op = PC_HPM_OP_JALR, .rd = c[0] ? 0 : 2
    };

    return bit(pc_hpm_port_events(&p, 0) & PC_HPM_BIT(13));
}

static char has_all_ways(const bool *c)
{
    return bit(pc_hpm_set_is_full(UINT32_C(0x7fffffff), c[0] ? 32 : 31, 0));
}

static char compares_with_ff(const bool *c)
{
    return bit(pc_hpm_set_is_full(15, 4, c[0] ? PC_HPM_Q_EVICT_FF : 0));
}

static char evicts(const bool *c)
{
    return bit(pc_hpm_line_events((uint32_t)c[1] << PC_HPM_DCACHE_MISS, c[0]) >> 18 & 1);
}

static char requests(const bool *c)
{
    return bit(pc_hpm_line_events((uint32_t)c[0] << PC_HPM_DCACHE_REQUEST_0 |
                                      (uint32_t)c[1] << PC_HPM_DCACHE_REQUEST_1 |
                                      (uint32_t)c[2] << PC_HPM_DCACHE_REQUEST_2,
                                  false) >>
                   17 &
               1);
}

static char mispredicts(const bool *c)
{
    return bit(
        pc_hpm_line_events((uint32_t)c[0] << PC_HPM_RESOLVED | (uint32_t)c[1] << PC_HPM_MISPREDICT,
                           false) >>
            10 &
        1);
}

static char adds(const bool *c)
{
    return (char)('0' + pc_hpm_increment(PC_HPM_BIT(5) * c[1], PC_HPM_BIT(5) * c[2], 0, 5,
                                         c[0] ? PC_HPM_Q_OR_PORTS : 0));
}

static const struct mcdc_decision event_rows[] = {
    { "return reg == 1 || reg == 5;", { "x1", "x5" }, links, "00=0 10=1 01=1" },
    { "if (p->op != PC_HPM_OP_JALR || p->rd != 0) return false;",
      { "no jalr", "rd" },
      is_no_jump_back,
      "00=0 10=1 01=1" },
    { "return (quirks & PC_HPM_Q_RET_ANY_RS1) || !p->rs1_known || pc_hpm_links(p->rs1);",
      { "any rs1", "rs1 known", "rs1 links" },
      returns,
      "010=0 110=1 000=1 011=1" },
    { "if (!p->ack) return 0;", { "ack" }, retires, "0=0 1=1" },
    { "if (p->fu == PC_HPM_FU_CTRL_FLOW && p->op != PC_HPM_OP_OTHER && pc_hpm_links(p->rd)) events "
      "|= PC_HPM_BIT(12);",
      { "control flow", "jump", "rd links" },
      calls,
      "111=1 011=0 101=0 110=0" },
    { "if (pc_hpm_returns(p, quirks)) events |= PC_HPM_BIT(13);",
      { "returns" },
      is_a_return,
      "0=0 1=1" },
    { "uint32_t mask = ways >= 32 ? UINT32_MAX : (UINT32_C(1) << ways) - 1;",
      { "32 ways" },
      has_all_ways,
      "0=1 1=0" },
    { "return (valid & mask) == (quirks & PC_HPM_Q_EVICT_FF ? 0xff : mask);",
      { "compares with ff" },
      compares_with_ff,
      "0=1 1=0" },
    { "PC_HPM_ON(PC_HPM_DCACHE_REQUEST_0) | PC_HPM_ON(PC_HPM_DCACHE_REQUEST_1) | "
      "PC_HPM_ON(PC_HPM_DCACHE_REQUEST_2);",
      { "request 0", "request 1", "request 2" },
      requests,
      "000=0 100=1 010=1 001=1" },
    { "PC_HPM_ON(PC_HPM_RESOLVED) & PC_HPM_ON(PC_HPM_MISPREDICT);",
      { "resolved", "mispredict" },
      mispredicts,
      "11=1 01=0 10=0" },
    { "(full ? PC_HPM_ON(PC_HPM_DCACHE_MISS) : 0u)", { "full", "miss" }, evicts, "11=1 01=0 10=0" },
    { "return quirks & PC_HPM_Q_OR_PORTS ? a | b : a + b;",
      { "OR of ports", "port 0", "port 1" },
      adds,
      "011=2 111=1 001=1 010=1" },
};
TABLE(mcdc_hpm_events, "src/model/rules/hpm_events.h", event_rows);
