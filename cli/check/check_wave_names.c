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

const char *wave_clause_of(const struct pc_hpm_rule *rule)
{
    return rule ? rule->clause : "HPM.RESET.1";
}

const char *wave_about_of(const struct pc_hpm_rule *rule)
{
    return rule ? rule->about : "every register is 0 out of reset";
}
