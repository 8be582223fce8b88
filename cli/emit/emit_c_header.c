/* SPDX-License-Identifier: MIT */
/* A header for programs on the core itself: selector values and CSR addresses, C or assembly. */
#include "emit.h"

#include <ctype.h>

static void upper(const char *name, char *out, size_t size)
{
    size_t n = 0;

    for (; name[n] && n + 1 < size; n++)
        out[n] = (char)toupper((unsigned char)name[n]);
    out[n] = '\0';
}

static void write_events(const struct emit_request *r, FILE *file)
{
    fputs("\n/* Selector values for mhpmevent3 .. mhpmevent8; 0 counts nothing. */\n"
          "#define CVA6_EVENT_NONE 0\n",
          file);
    for (unsigned id = 1; id < PC_HPM_EVENTS; id++) {
        char text[400];
        if (!emit_event_exists(r->config, id))
            continue;
        emit_describe(r, id, text, sizeof text);
        fprintf(file, "/* %s */\n#define CVA6_EVENT_%s %u\n", text, pc_hpm_event_at(id)->name, id);
    }
}

/* Registers of this configuration that do something; 9 .. 31 read 0 and are left out. */
static void write_registers(const struct emit_request *r, FILE *file)
{
    struct pc_hpm_reg reg;
    struct pc_error err;
    char name[sizeof reg.name];

    fputs("\n/* Addresses of the counter CSRs. */\n", file);
    for (unsigned address = 0; address < 0x1000; address++) {
        if (!pc_hpm_owns(address) || pc_hpm_reg_at(r->config, address, &reg, &err) != PC_OK)
            continue;
        if (reg.kind != PC_HPM_REG_ENABLE && reg.kind != PC_HPM_REG_INHIBIT &&
            (reg.index > PC_HPM_LAST || (reg.index >= PC_HPM_FIRST && !r->config->perf_counter_en)))
            continue;
        upper(reg.name, name, sizeof name);
        fprintf(file, "#define CVA6_CSR_%s 0x%03x\n", name, address);
    }
}

void emit_c_header(const struct emit_request *r, FILE *file)
{
    const bool any = r->config->perf_counter_en;

    fprintf(file, "/* Performance counters of CVA6, configuration %s. */\n", r->config->name);
    fputs("#ifndef CVA6_HPM_H\n#define CVA6_HPM_H\n\n/*\n", file);
    if (any)
        fputs(" * After reset every counter runs and counts nothing: its selector is 0.  Select "
              "with\n"
              " *   csrw mhpmevent3, CVA6_EVENT_...    csrw mhpmcounter3, 0    csrr rd, "
              "mhpmcounter3\n"
              " * Bit n of mcountinhibit stops counter n.\n",
              file);
    else
        fputs(" * This core has no event counters, and mcountinhibit reads 0 and keeps nothing:\n"
              " * mcycle and minstret always run.\n",
              file);
    if (r->config->rvs)
        fputs(" * U-mode reads a shadow (cycle, instret, hpmcounterN) if its bit is set in "
              "mcounteren\n"
              " * and in scounteren; S-mode needs mcounteren alone.\n",
              file);
    if (r->config->xlen == 32)
        fputs(" * Read high, low, high again: the halves are not latched.\n", file);
    if (r->config->xlen == 32 && r->config->zihpm && any)
        fputs(" * In the RTL hpmcounter3h reads 0; mhpmcounter3h does not.\n", file);
    fprintf(file, " */\n\n#define CVA6_HPM_COUNTERS %d /* event counters */\n",
            any ? PC_HPM_LAST - PC_HPM_FIRST + 1 : 0);
    if (any)
        fprintf(file, "#define CVA6_HPM_FIRST %d\n#define CVA6_HPM_LAST %d\n", PC_HPM_FIRST,
                PC_HPM_LAST);
    if (any)
        write_events(r, file);
    write_registers(r, file);
    fputs("\n#endif\n", file);
}
