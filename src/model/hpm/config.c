/* SPDX-License-Identifier: MIT */
/* CVA6's configurations, and the profiles with their quirks: rows, and how they are found. */
#include "model/hpm/hpm.h"

#include <string.h>

#include "base/error.h"
#include "base/near.h"
#include "base/text.h"

static const struct pc_hpm_config configs[] = {
#include "cva6_configs.inc"
};
#define CONFIG_COUNT (sizeof configs / sizeof configs[0])

#define QUIRK(bit, name, spec, rtl, clause, about, reference)                                      \
    {                                                                                              \
        PC_HPM_Q_##bit, name, spec, rtl, clause, about, reference                                  \
    }
static const struct pc_hpm_quirk_info quirks[] = {
    QUIRK(HALF_WRITE_TICKS, "half_write_ticks", false, true, "HPM.HALF.2",
          "XLEN 32: writing one half of mcycle or minstret lets the other half tick",
          "riscv-isa-manual#1255; riscv-tests instret_overflow on RV32"),
    QUIRK(WRITE_FREEZES_ALL, "write_freezes_all", true, true, "HPM.STROBE.1",
          "a write to any event counter or selector holds all six counters for its clock",
          "perf_counters.sv: !we_i in front of every increment"),
    QUIRK(TRAP_FREEZES, "trap_freezes", false, true, "HPM.STROBE.3",
          "XLEN 64: so does a write to b83..b9f, although it traps",
          "csr_regfile.sv: the strobe of b83..b9f does not see the trap"),
    QUIRK(OR_PORTS, "or_ports", false, true, "HPM.PORTS.1",
          "two matching retirements in one clock add 1 instead of 2",
          "perf_counters.sv: |load_event and its like"),
    QUIRK(SHADOW3H_ZERO, "shadow3h_zero", false, true, "HPM.SHADOW.1",
          "XLEN 32: hpmcounter3h reads 0", "openhwgroup/cva6#3323"),
    QUIRK(EVICT_FF, "evict_ff", false, true, "HPM.LINE.18",
          "event 18 compares the valid bits with 0xff, whatever the number of ways",
          "perf_counters.sv: valid bits compared with 8'hFF"),
    QUIRK(RET_ANY_RS1, "ret_any_rs1", false, true, "HPM.LINE.13",
          "event 13 counts every jalr with rd=x0, whatever rs1 is",
          "perf_counters.sv: return_event does not look at rs1"),
    QUIRK(DEBUG_RUNS, "debug_runs", false, false, "HPM.DEBUG.1",
          "counters run on in debug mode, as a dcsr.stopcount of 0 says", "openhwgroup/cva6#2297"),
    QUIRK(U_NEEDS_SCOUNTEREN, "u_needs_scounteren", false, true, "HPM.GATE.3",
          "U-mode without S-mode: reads need the scounteren that does not exist, and trap", ""),
    QUIRK(H_GATE_AND, "h_gate_and", false, true, "HPM.GATE.5",
          "H: reads in U and VU trap only if both mcounteren and scounteren refuse",
          "openhwgroup/cva6#3055"),
    QUIRK(H_TRAP_WRITES, "h_trap_writes", false, true, "HPM.PRIV.4",
          "H: a write of scounteren or hcounteren that raises 22 takes effect",
          "openhwgroup/cva6#3398"),
    QUIRK(
        H_HIGH_VIRTUAL, "h_high_virtual", false, true, "HPM.GATE.6",
        "H: hcounteren raises 22 before it matters that an address is not a register or read-only",
        "openhwgroup/cva6#3466"),
};
#define QUIRK_COUNT (sizeof quirks / sizeof quirks[0])

#define RTL_QUIRKS                                                                                 \
    (PC_HPM_Q_HALF_WRITE_TICKS | PC_HPM_Q_WRITE_FREEZES_ALL | PC_HPM_Q_TRAP_FREEZES |              \
     PC_HPM_Q_OR_PORTS | PC_HPM_Q_SHADOW3H_ZERO | PC_HPM_Q_EVICT_FF | PC_HPM_Q_RET_ANY_RS1 |       \
     PC_HPM_Q_U_NEEDS_SCOUNTEREN | PC_HPM_Q_H_GATE_AND | PC_HPM_Q_H_TRAP_WRITES |                  \
     PC_HPM_Q_H_HIGH_VIRTUAL)
static const struct pc_hpm_profile profiles[] = {
    /* the first is the default */
    { "rtl", RTL_QUIRKS, "bit by bit as the RTL of openhwgroup/cva6 at 6cb200105" },
    { "spec", PC_HPM_Q_WRITE_FREEZES_ALL, "the user manual and the RISC-V manuals" },
};
#define PROFILE_COUNT (sizeof profiles / sizeof profiles[0])

const struct pc_hpm_config *pc_hpm_config_at(size_t i)
{
    return i < CONFIG_COUNT ? &configs[i] : NULL;
}

/* Returns true if `name` is one of "a; b; c". */
static bool among(const char *list, const char *name)
{
    size_t length = strlen(name);

    while (length > 0 && *list) {
        size_t n = strcspn(list, ";");
        if (pc_same_start(list, n, name))
            return true;
        list += n;
        list += strspn(list, "; ");
    }
    return false;
}

const struct pc_hpm_config *pc_hpm_config_find(const char *name)
{
    for (size_t i = 0; name && i < CONFIG_COUNT; i++)
        if (among(configs[i].name, name) || among(configs[i].aliases, name))
            return &configs[i];
    return NULL;
}

enum pc_status pc_hpm_config_get(const char *name, const struct pc_hpm_config **out,
                                 struct pc_error *err)
{
    const struct pc_hpm_config *found = pc_hpm_config_find(name);
    struct pc_near near;
    char names[200];

    if (found) {
        *out = found;
        return PC_OK;
    }
    name = name ? name : "";
    enum pc_status status = pc_fail(err, 1000, "unknown CVA6 configuration \"%s\"", name);
    pc_near_begin(&near, name);
    for (size_t i = 0; i < CONFIG_COUNT; i++)
        pc_near_offer(&near, configs[i].name);
    pc_near_text(&near, names, sizeof names);
    pc_hint(err, names[0] ? "did you mean %s?" : "one of them is %s",
            names[0] ? names : "cv64a6_imafdc_sv39");
    return status;
}

const char *pc_hpm_dcache_name(enum pc_hpm_dcache kind)
{
    static const char *const name[] = {
        [PC_HPM_DCACHE_UNKNOWN] = "unknown",
        [PC_HPM_DCACHE_WT] = "write-through",
        [PC_HPM_DCACHE_WB] = "write-back",
        [PC_HPM_DCACHE_HPD_WT] = "HPDCACHE write-through",
        [PC_HPM_DCACHE_HPD_WB] = "HPDCACHE write-back",
    };

    return (unsigned)kind < sizeof name / sizeof name[0] ? name[kind] : "unknown";
}

const struct pc_hpm_quirk_info *pc_hpm_quirk_at(size_t i)
{
    return i < QUIRK_COUNT ? &quirks[i] : NULL;
}

enum pc_status pc_hpm_quirk_find(const char *name, uint32_t *bit, struct pc_error *err)
{
    struct pc_near near;
    char names[200];

    for (size_t i = 0; i < QUIRK_COUNT; i++)
        if (strcmp(quirks[i].name, name) == 0) {
            *bit = quirks[i].bit;
            return PC_OK;
        }
    enum pc_status status = pc_fail(err, 1002, "CVA6 has no quirk \"%s\"", name);
    pc_near_begin(&near, name);
    for (size_t i = 0; i < QUIRK_COUNT; i++)
        pc_near_offer(&near, quirks[i].name);
    pc_near_text(&near, names, sizeof names);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    return status;
}

const struct pc_hpm_profile *pc_hpm_profile_at(size_t i)
{
    return i < PROFILE_COUNT ? &profiles[i] : NULL;
}

enum pc_status pc_hpm_profile_find(const char *name, const struct pc_hpm_profile **out,
                                   struct pc_error *err)
{
    for (size_t i = 0; name && i < PROFILE_COUNT; i++)
        if (strcmp(profiles[i].name, name) == 0) {
            *out = &profiles[i];
            return PC_OK;
        }
    return pc_fail(err, 1003, "CVA6 has no profile \"%s\"", name ? name : "");
}
