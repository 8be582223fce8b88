/* SPDX-License-Identifier: MIT */
/* Texts of an event for all formats of `pcounter emit`, and the SBI events that it stands for. */
#include "emit.h"

#include <ctype.h>
#include <string.h>

const char *emit_topic_name(enum pc_hpm_topic topic)
{
    static const char *const name[] = {
        [PC_HPM_MEMORY] = "memory",
        [PC_HPM_INSTRUCTIONS] = "instructions",
        [PC_HPM_MICROARCH] = "microarch",
    };

    return name[topic];
}

bool emit_event_exists(const struct pc_hpm_config *config, unsigned id)
{
    if (id == 0 || id >= PC_HPM_EVENTS || !config->perf_counter_en)
        return false;
    return config->mmu || pc_hpm_event_at(id)->need != PC_HPM_NEEDS_MMU;
}

static bool starts_with_mnemonic(const char *text)
{
    static const char *const names[] = { "mret", "jal", "jalr", "sfence.vma" };
    const size_t length = strcspn(text, " ");

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && strncmp(text, names[i], length) == 0)
            return true;
    return false;
}

void emit_describe(const struct emit_request *r, unsigned id, char *out, size_t size)
{
    const struct pc_hpm_event *event = pc_hpm_event_at(id);
    const char *never = pc_hpm_event_never(r->config, r->profile->quirks, id);
    const bool merges = event->unit == PC_HPM_RETIREMENTS && r->config->commit_ports > 1 &&
                        (r->profile->quirks & PC_HPM_Q_OR_PORTS);

    if (never)
        snprintf(out, size, "Always 0 in this core: %s", never);
    else
        snprintf(out, size, "%s%s", pc_hpm_event_about(r->config, id),
                 merges ? "; two retired in one clock count once" : "");
    if (!starts_with_mnemonic(out))
        out[0] = (char)toupper((unsigned char)out[0]);
}

/*
 * No row for L1D write misses (0x10003): write-through caches and the HPDCACHE do not count
 * them, and a write-back cache counts them together with the others.
 */
static const struct emit_sbi_row sbi_rows[] = {
#define SBI(index, event, name) { index, event, name },
#include "cva6_names.inc"
#undef SBI
};
#define SBI_ROWS (sizeof sbi_rows / sizeof sbi_rows[0])

static bool serves(const struct pc_hpm_config *config, const struct emit_sbi_row *row)
{
    /* a write-back cache counts more than read misses as misses */
    if (row->index == EMIT_SBI_READ_MISSES && config->dcache == PC_HPM_DCACHE_WB)
        return false;
    return emit_event_exists(config, row->event);
}

const struct emit_sbi_row *emit_sbi_at(const struct pc_hpm_config *config, size_t i)
{
    for (size_t k = 0; k < SBI_ROWS; k++)
        if (serves(config, &sbi_rows[k]) && i-- == 0)
            return &sbi_rows[k];
    return NULL;
}

/* hpmcounter3h reads 0 in the RTL, and Linux reads the high half through it. */
static bool lacks_counter3(const struct emit_request *r)
{
    return r->config->xlen == 32 && r->config->perf_counter_en &&
           (r->profile->quirks & PC_HPM_Q_SHADOW3H_ZERO);
}

uint32_t emit_hpm_bitmap(const struct emit_request *r)
{
    if (!r->config->perf_counter_en)
        return 0;
    return lacks_counter3(r) && !r->counter3 ? EMIT_HPM_BITS & ~0x8u : EMIT_HPM_BITS;
}

int emit_check_counter3(const char *verb, const struct emit_request *r)
{
    if (!r->counter3 || lacks_counter3(r))
        return CLI_OK;
    return cli_usage(verb,
                     "--counter3 is about an hpmcounter3h that reads 0: %s has none in profile %s",
                     r->config->name, r->profile->name);
}
