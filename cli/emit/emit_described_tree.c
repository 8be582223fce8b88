/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit devicetree --core FILE: the node "riscv,pmu" of a described core.  Events are
 * mapped by their names: those of perf (branch-misses, branch_misses) or of CVA6's event file; all
 * of them are raw events.
 */
#include "emit.h"
#include "emit_described.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* But for case, and - and _. */
static bool same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)(*a == '_' ? '-' : *a)) !=
            tolower((unsigned char)(*b == '_' ? '-' : *b)))
            return false;
    return *a == *b;
}

/* The event that stands for an event of the SBI; false: none is called so. */
static bool find_event(const struct emit_resolved *r, const struct emit_sbi_row *row,
                       struct emit_event *out)
{
    for (size_t i = 0; emit_event_at(r->d, i, out); i++)
        if (same_name(out->name, row->name) ||
            same_name(out->name, pc_hpm_event_at(row->event)->name))
            return emit_counters_of(r, out) != 0;
    return false;
}

/* All rows that there are: this core has what CVA6 has, or more, and the names decide. */
static const struct emit_sbi_row *row_at(size_t i)
{
    return emit_sbi_at(pc_hpm_config_find("cv64a6_imafdc_sv39"), i);
}

static void put_selectors(const struct emit_resolved *r, FILE *file)
{
    const char *before = "\t\triscv,event-to-mhpmevent =\n";
    struct emit_event e;

    for (size_t i = 0; row_at(i); i++) {
        if (!find_event(r, row_at(i), &e))
            continue;
        fprintf(file, "%s\t\t\t<0x%05" PRIx32 " 0x%" PRIx64 " 0x%02" PRIx64 "> /* %s: ", before,
                row_at(i)->index, e.by == EMIT_FIXED ? 0 : e.code >> 32,
                e.by == EMIT_FIXED ? 0 : e.code & UINT32_MAX, row_at(i)->name);
        emit_in_comment(file, e.name);
        fputs(" */", file);
        before = ",\n";
    }
    if (before[0] == ',')
        fputs(";\n\n", file);
}

static void put_counters(const struct emit_resolved *r, FILE *file)
{
    const char *before = "\t\triscv,event-to-mhpmcounters =\n";
    const uint32_t fixed = emit_counters_of(r, NULL);
    struct emit_event e;

    for (unsigned n = 0; n <= 2; n += 2)
        if (fixed >> n & 1) {
            fprintf(file, "%s\t\t\t<0x%05x 0x%05x 0x%x> /* %s */", before,
                    n ? EMIT_SBI_INSTRUCTIONS : EMIT_SBI_CYCLES,
                    n ? EMIT_SBI_INSTRUCTIONS : EMIT_SBI_CYCLES, 1u << n,
                    n ? "instructions: minstret" : "cycles: mcycle");
            before = ",\n";
        }
    for (size_t i = 0; row_at(i); i++)
        if (find_event(r, row_at(i), &e)) {
            fprintf(file, "%s\t\t\t<0x%05" PRIx32 " 0x%05" PRIx32 " 0x%" PRIx32 ">", before,
                    row_at(i)->index, row_at(i)->index, emit_counters_of(r, &e));
            before = ",\n";
        }
    if (before[0] == ',')
        fputs(";\n", file);
}

/* Each event by itself; by mask, any of them together. */
static void put_raw(const struct emit_resolved *r, FILE *file)
{
    const char *before = "\n\t\triscv,raw-event-to-mhpmcounters =\n";
    uint64_t mask = 0;
    uint32_t masked = 0;
    struct emit_event e;

    for (size_t i = 0; emit_event_at(r->d, i, &e); i++) {
        const uint32_t counters = emit_counters_of(r, &e);
        if (counters == 0 || e.by == EMIT_FIXED)
            continue;
        if (e.by == EMIT_BY_MASK) {
            mask |= e.code;
            masked |= counters;
            continue;
        }
        fprintf(file, "%s\t\t\t<0x0 0x%02" PRIx64 " 0xffffffff 0xffffffff 0x%" PRIx32 "> /* ",
                before, e.code, counters);
        emit_in_comment(file, e.name);
        fputs(" */", file);
        before = ",\n";
    }
    if (masked) {
        fprintf(file,
                "%s\t\t\t<0x0 0x0 0x%08" PRIx64 " 0x%08" PRIx64 " 0x%" PRIx32 "> /* any of them */",
                before, ~mask >> 32, ~mask & UINT32_MAX, masked);
        before = ",\n";
    }
    if (before[0] == ',')
        fputs(";\n", file);
}

/* Counters that no event gets to are left out, and said to be. */
static void note_left_out(const struct emit_resolved *r, uint32_t counters)
{
    for (size_t i = 0; i < r->d->desc.regs; i++) {
        const long n = emit_counter_number(r->d->reg[i].name);
        if (n >= 3 && n <= 31 && !(counters >> n & 1))
            cli_note(1304,
                     "%s is left out: neither its rules nor the lets and registers that they name "
                     "look at a vector whose elements have names",
                     r->d->reg[i].name);
    }
}

int emit_described_tree(const struct emit_resolved *r, FILE *file)
{
    const struct described *d = r->d;
    struct emit_event e;
    uint32_t counters = emit_counters_of(r, NULL);

    for (size_t i = 0; emit_event_at(d, i, &e); i++)
        counters |= emit_counters_of(r, &e);
    note_left_out(r, counters);
    if (counters == 0)
        return cli_usage("emit",
                         "%s has no counters of RISC-V: registers called mcycle, minstret, "
                         "mhpmcounter3 or mhpmcounter[3]",
                         d->name);
    fputs("/* Counters of ", file);
    emit_in_comment(file, d->name);
    fputs(", from ", file);
    emit_in_comment(file, d->yaml.path);
    fputs(", for OpenSBI. */\n/dts-v1/;\n\n/ {\n\tpmu {\n\t\tcompatible = \"riscv,pmu\";\n", file);
    put_selectors(r, file);
    put_counters(r, file);
    put_raw(r, file);
    fputs("\t};\n};\n", file);
    return CLI_OK;
}
