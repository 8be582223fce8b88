/* SPDX-License-Identifier: MIT */
/*
 * Ports that a waveform has in the scopes around perf_counters only: the clock and the reset by
 * their own names, mcycle and minstret, and the others as the nets that cva6.sv connects to them.
 */
#include "core.h"

#include <string.h>

enum { MOST_NETS = 2 };

static const struct {
    uint16_t port;
    bool inverted;
    const char *net[MOST_NETS];
} around[] = {
    { CORE_CLOCK, false, { "clk_i" } },
    { CORE_RESET, false, { "rst_ni" } },
    { CORE_MCYCLE, false, { "csr_regfile_i.cycle_q", "mcycle" } },
    { CORE_MINSTRET, false, { "csr_regfile_i.instret_q", "minstret" } },
    { CORE_ICACHE_MISS, false, { "icache_miss_cache_perf" } },
    { CORE_DCACHE_MISS, false, { "dcache_miss_cache_perf" } },
    { CORE_ITLB_MISS, false, { "itlb_miss_ex_perf" } },
    { CORE_DTLB_MISS, false, { "dtlb_miss_ex_perf" } },
    { CORE_EXCEPTION, false, { "ex_commit.valid" } },
    { CORE_ERET, false, { "eret" } },
    { CORE_RESOLVED, false, { "resolved_branch.valid" } },
    { CORE_MISPREDICT, false, { "resolved_branch.is_mispredict" } },
    { CORE_BRANCH_EXCEPTION, false, { "flu_exception_ex_id.valid" } },
    { CORE_SCOREBOARD_FULL, false, { "sb_full" } },
    { CORE_FETCH_EMPTY, true, { "fetch_valid_if_id[0]", "fetch_valid_if_id" } },
    { CORE_ICACHE_REQUEST, false, { "icache_dreq_if_cache.req" } },
    { CORE_DCACHE_REQUEST_0, false, { "dcache_req_ports_ex_cache[0].data_req" } },
    { CORE_DCACHE_REQUEST_1, false, { "dcache_req_ports_ex_cache[1].data_req" } },
    { CORE_DCACHE_REQUEST_2, false, { "dcache_req_ports_ex_cache[2].data_req" } },
    { CORE_TLB_FLUSH, false, { "flush_tlb_ctrl_ex" } },
    { CORE_ISSUE_STALL, false, { "stall_issue" } },
    { CORE_DEBUG, false, { "debug_mode" } },
    { CORE_WRITE, false, { "we_csr_perf" } },
    { CORE_ADDRESS, false, { "addr_csr_perf" } },
    { CORE_WDATA, false, { "data_csr_perf" } },
    { CORE_RDATA, false, { "data_perf_csr" } },
    { CORE_INHIBIT, false, { "mcountinhibit_csr_perf", "csr_regfile_i.mcountinhibit_q" } },
    { CORE_ACK, false, { "commit_ack" } },
    { CORE_FU_0, false, { "commit_instr_id_commit[0].fu" } },
    { CORE_OP_0, false, { "commit_instr_id_commit[0].op" } },
    { CORE_RD_0, false, { "commit_instr_id_commit[0].rd" } },
    { CORE_RS1_0, false, { "commit_instr_id_commit[0].rs1" } },
    { CORE_FU_1, false, { "commit_instr_id_commit[1].fu" } },
    { CORE_OP_1, false, { "commit_instr_id_commit[1].op" } },
    { CORE_RD_1, false, { "commit_instr_id_commit[1].rd" } },
    { CORE_RS1_1, false, { "commit_instr_id_commit[1].rs1" } },
    { CORE_WAYS_0, false, { "miss_vld_bits[0]" } },
    { CORE_WAYS_1, false, { "miss_vld_bits[1]" } },
    { CORE_WAYS_2, false, { "miss_vld_bits[2]" } },
    { CORE_CSR_OP, false, { "csr_regfile_i.csr_op_i", "csr_op_commit_csr" } },
    { CORE_CSR_ADDRESS, false, { "csr_regfile_i.csr_addr_i", "csr_addr_ex_csr" } },
    { CORE_CSR_WDATA, false, { "csr_regfile_i.csr_wdata_i", "csr_wdata_commit_csr" } },
    { CORE_CSR_RDATA, false, { "csr_regfile_i.csr_rdata_o", "csr_rdata_csr_commit" } },
    { CORE_CSR_TRAP,
      false,
      { "csr_regfile_i.csr_exception_o.valid", "csr_exception_csr_commit.valid" } },
    { CORE_CSR_CAUSE,
      false,
      { "csr_regfile_i.csr_exception_o.cause", "csr_exception_csr_commit.cause" } },
    { CORE_PRIVILEGE, false, { "csr_regfile_i.priv_lvl_q", "priv_lvl" } },
    { CORE_VIRTUAL, false, { "csr_regfile_i.v_q" } },
    { CORE_MCOUNTINHIBIT, false, { "csr_regfile_i.mcountinhibit_q" } },
    { CORE_MCOUNTEREN, false, { "csr_regfile_i.mcounteren_q" } },
    { CORE_SCOUNTEREN, false, { "csr_regfile_i.scounteren_q" } },
    { CORE_HCOUNTEREN, false, { "csr_regfile_i.hcounteren_q" } },
};

/* From the inside to the outside; true: the port has been found. */
static bool find_net(struct core *c, enum core_port port, const char *const net[MOST_NETS])
{
    size_t length = strlen(c->scope);

    while (length > 0) {
        while (length > 0 && c->scope[--length] != '.')
            ;
        for (size_t i = 0; i < MOST_NETS && net[i] && length > 0; i++)
            if (core_find_in(c, port, length, net[i]) == PC_OK)
                return true;
    }
    return false;
}

void core_find_around(struct core *c)
{
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        const enum core_port port = (enum core_port)around[i].port;
        if (!core_looks_at(c, port) || c->port[port].present || !find_net(c, port, around[i].net))
            continue;
        c->port[port].inverted = around[i].inverted;
        c->port[port].around = true;
    }
}

/* ---- without event counters ---- */

bool core_has_csr(const struct core *c)
{
    static const enum core_port need[] = { CORE_CSR_OP,    CORE_CSR_ADDRESS, CORE_CSR_WDATA,
                                           CORE_PRIVILEGE, CORE_VIRTUAL,     CORE_DEBUG };
    const struct core_source *p = c->port;

    for (size_t i = 0; i < sizeof need / sizeof need[0]; i++)
        if (!p[need[i]].present && core_looks_at(c, need[i]))
            return false;
    return true;
}

bool core_looks_at(const struct core *c, enum core_port port)
{
    const struct pc_hpm_config *config = c->options->config;
    static const uint64_t fixed = UINT64_C(1) << CORE_CLOCK | UINT64_C(1) << CORE_RESET |
                                  UINT64_C(1) << CORE_MCYCLE | UINT64_C(1) << CORE_MINSTRET |
                                  UINT64_C(1) << CORE_ACK | UINT64_C(1) << CORE_EXCEPTION |
                                  UINT64_C(1) << CORE_DEBUG | UINT64_C(1) << CORE_ADDRESS |
                                  UINT64_C(1) << CORE_FU_0 | UINT64_C(1) << CORE_OP_0;

    if (port == CORE_DEBUG && !config->debug)
        return false;
    if (port == CORE_PRIVILEGE || port == CORE_MCOUNTEREN)
        return config->rvu;
    if (port == CORE_SCOUNTEREN)
        return config->rvs;
    if (port == CORE_VIRTUAL || port == CORE_HCOUNTEREN)
        return config->rvh;
    return config->perf_counter_en || port >= CORE_CSR_0 || fixed >> port & 1;
}

/* In csr_regfile, the module that has mcycle and minstret. */
void core_find_fixed(struct core *c)
{
    static const struct {
        enum core_port port;
        const char *name;
    } names[] = { { CORE_CLOCK, "clk_i" },
                  { CORE_RESET, "rst_ni" },
                  { CORE_MCYCLE, "cycle_q" },
                  { CORE_MINSTRET, "instret_q" },
                  { CORE_ACK, "commit_ack_i" },
                  { CORE_EXCEPTION, "ex_i.valid" },
                  { CORE_DEBUG, "debug_mode_q" },
                  { CORE_ADDRESS, "csr_addr_i" },
                  { CORE_FU_0, "commit_instr_i[0].fu" },
                  { CORE_OP_0, "commit_instr_i[0].op" } };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        core_find_in(c, names[i].port, strlen(c->scope), names[i].name);
    for (unsigned p = CORE_CSR_0; p < CORE_PORTS; p++)
        if (core_looks_at(c, (enum core_port)p))
            core_find_in(c, (enum core_port)p, strlen(c->scope), core_port_name((enum core_port)p));
}
