/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: what registers, quirks and rules are called. */
#include "check_wave.h"

const char *wave_reg_name(unsigned reg, char out[WAVE_NAME])
{
    static const char *const csr[] = { "mcountinhibit", "mcounteren",  "scounteren",
                                       "hcounteren",    "csr_rdata_o", "csr_exception" };

    if (reg == 0 || reg == 2)
        return reg ? "minstret" : "mcycle";
    if (reg == WAVE_RDATA)
        return "data_o";
    if (reg >= WAVE_INHIBIT)
        return csr[reg - WAVE_INHIBIT];
    if (reg < WAVE_SELECTORS)
        snprintf(out, WAVE_NAME, "mhpmcounter%u", reg);
    else
        snprintf(out, WAVE_NAME, "mhpmevent%u", PC_HPM_FIRST + reg - WAVE_SELECTORS);
    return out;
}

/* Which clause and, where there is one, which defect of CVA6 a quirk stands for. */
const char *wave_quirk_reference(uint32_t quirk)
{
    static const struct {
        uint32_t quirk;
        const char *where;
    } rows[] = {
        { PC_HPM_Q_HALF_WRITE_TICKS,
          "riscv-isa-manual#1255; riscv-tests instret_overflow on RV32" },
        { PC_HPM_Q_WRITE_FREEZES_ALL, "perf_counters.sv: !we_i in front of every increment" },
        { PC_HPM_Q_TRAP_FREEZES, "csr_regfile.sv: the strobe of b83..b9f does not see the trap" },
        { PC_HPM_Q_OR_PORTS, "perf_counters.sv: |load_event and its like" },
        { PC_HPM_Q_SHADOW3H_ZERO, "openhwgroup/cva6#3323" },
        { PC_HPM_Q_EVICT_FF, "perf_counters.sv: valid bits compared with 8'hFF" },
        { PC_HPM_Q_RET_ANY_RS1, "perf_counters.sv: return_event does not look at rs1" },
        { PC_HPM_Q_DEBUG_RUNS, "openhwgroup/cva6#2297" },
        { PC_HPM_Q_H_GATE_AND, "openhwgroup/cva6#3055" },
        { PC_HPM_Q_H_TRAP_WRITES, "openhwgroup/cva6#3398" },
        { PC_HPM_Q_H_HIGH_VIRTUAL, "openhwgroup/cva6#3466" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].quirk == quirk)
            return rows[i].where;
    return "";
}

const char *wave_clause_of(const struct pc_hpm_rule *rule)
{
    return rule ? rule->clause : "HPM.RESET.1";
}

const char *wave_about_of(const struct pc_hpm_rule *rule)
{
    return rule ? rule->about : "every register is 0 out of reset";
}
