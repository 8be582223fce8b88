/* SPDX-License-Identifier: MIT */
/*
 * The node "riscv,pmu" that OpenSBI reads.  Every mapped event has a selector row: without
 * one OpenSBI writes the number of the SBI event, of which CVA6 keeps the low five bits.
 */
#include "emit.h"

#include <inttypes.h>

static void write_selectors(const struct emit_request *r, FILE *file)
{
    const struct emit_sbi_row *row;

    fputs("\t\triscv,event-to-mhpmevent =", file);
    for (size_t i = 0; (row = emit_sbi_at(r->config, i)); i++)
        fprintf(file, "%s\n\t\t\t<0x%05" PRIx32 " 0x0 0x%02x>%s /* %s: %s */", "", row->index,
                row->event, emit_sbi_at(r->config, i + 1) ? "," : ";", row->name,
                pc_hpm_event_at(row->event)->name);
    fputs("\n\n", file);
}

/* Stretches of consecutive events become one row each. */
static void write_counters(const struct emit_request *r, FILE *file)
{
    const uint32_t bitmap = emit_hpm_bitmap(r);
    const struct emit_sbi_row *row, *next;
    uint32_t first = 0;
    bool inside = false;

    fprintf(file,
            "\t\triscv,event-to-mhpmcounters =\n"
            "\t\t\t<0x%05x 0x%05x 0x%03x>, /* cycles: mcycle */\n"
            "\t\t\t<0x%05x 0x%05x 0x%03x>",
            EMIT_SBI_CYCLES, EMIT_SBI_CYCLES, EMIT_MCYCLE_BIT, EMIT_SBI_INSTRUCTIONS,
            EMIT_SBI_INSTRUCTIONS, EMIT_MINSTRET_BIT);
    fprintf(file, "%s /* instructions: minstret */", bitmap ? "," : ";");
    for (size_t i = 0; bitmap && (row = emit_sbi_at(r->config, i)); i++) {
        if (!inside)
            first = row->index;
        next = emit_sbi_at(r->config, i + 1);
        inside = next && next->index == row->index + 1;
        if (!inside)
            fprintf(file, "\n\t\t\t<0x%05" PRIx32 " 0x%05" PRIx32 " 0x%03" PRIx32 ">%s", first,
                    row->index, bitmap, next ? "," : ";");
    }
    fputc('\n', file);
}

/* The selectors 0 .. 22 as aligned blocks, each as large as it can be. */
static void write_raw(const struct emit_request *r, FILE *file)
{
    const unsigned end = PC_HPM_EVENTS;

    fputs("\n\t\triscv,raw-event-to-mhpmcounters =", file);
    for (unsigned from = 0, size; from < end; from += size) {
        size = 16;
        while (from % size != 0 || from + size > end)
            size /= 2;
        fprintf(file, "\n\t\t\t<0x0 0x%02x 0xffffffff 0x%08" PRIx32 " 0x%03" PRIx32 ">%s", from,
                ~(uint32_t)(size - 1), emit_hpm_bitmap(r), from + size < end ? "," : ";");
        if (size > 1)
            fprintf(file, " /* %u .. %u */", from, from + size - 1);
        else
            fprintf(file, " /* %u */", from);
    }
    fputc('\n', file);
}

void emit_devicetree(const struct emit_request *r, FILE *file)
{
    fprintf(file,
            "/*\n"
            " * Counters of CVA6, configuration %s, for OpenSBI; include it in the board's\n"
            " * tree, at its head after /dts-v1/.\n"
            " * Counts include what the firmware does: CVA6 cannot filter by privilege.\n",
            r->config->name);
    if (!r->config->perf_counter_en)
        fputs(" * This core has no event counters: mcycle and minstret alone, always running.\n",
              file);
    else if (emit_hpm_bitmap(r) != EMIT_HPM_BITS)
        fputs(
            " * Counter 3 is left out: hpmcounter3h reads 0 in the RTL (--counter3 puts it in).\n",
            file);
    fputs(" */\n/dts-v1/;\n\n/ {\n\tpmu {\n\t\tcompatible = \"riscv,pmu\";\n", file);
    if (r->config->perf_counter_en)
        write_selectors(r, file);
    write_counters(r, file);
    if (r->config->perf_counter_en)
        write_raw(r, file);
    fputs("\t};\n};\n", file);
}
