/* SPDX-License-Identifier: MIT */
/* CVA6's 22 events: rows, names, and what they really count in a given configuration. */
#include "model/hpm/hpm.h"

#include <string.h>

#include "base/error.h"
#include "base/near.h"
#include "base/text.h"

static const struct pc_hpm_event events[PC_HPM_EVENTS] = {
#include "cva6_events.inc"
};

const struct pc_hpm_event *pc_hpm_event_at(size_t id)
{
    return id < PC_HPM_EVENTS ? &events[id] : NULL;
}

/* Reads a small number, decimal or after 0x; -1 if the text is none. */
static int small_number(const char *text)
{
    const int base = text[0] == '0' && pc_lower(text[1]) == 'x' ? 16 : 10;
    int value = 0;

    if (base == 16)
        text += 2;
    if (!*text)
        return -1;
    for (; *text; text++) {
        int digit = pc_hex_digit(*text);
        if (digit < 0 || digit >= base || value > 0xffff)
            return -1;
        value = value * base + digit;
    }
    return value;
}

enum pc_status pc_hpm_event_find(const char *text, const struct pc_hpm_event **out,
                                 struct pc_error *err)
{
    const int id = small_number(text);
    struct pc_near near;
    char names[200];

    for (size_t i = 1; i < PC_HPM_EVENTS; i++)
        if (id == (int)i || pc_same_text(text, events[i].name) ||
            pc_same_text(text, events[i].short_name) ||
            (events[i].seed_name[0] && pc_same_text(text, events[i].seed_name))) {
            *out = &events[i];
            return PC_OK;
        }
    if (id == 0)
        return pc_fail(err, 1004, "selector value 0 is not an event: it counts nothing");
    if (id > 22 && id < 32)
        return pc_fail(err, 1004, "selector value %d is reserved: it counts nothing", id);
    enum pc_status status = pc_fail(err, 1004, "CVA6 has no event \"%s\"", text);
    pc_near_begin(&near, text);
    for (size_t i = 1; i < PC_HPM_EVENTS; i++)
        pc_near_offer(&near, events[i].name);
    pc_near_text(&near, names, sizeof names);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    return status;
}

static const char *about_dcache_misses(const struct pc_hpm_event *e, enum pc_hpm_dcache kind)
{
    switch (kind) {
    case PC_HPM_DCACHE_WT:
        return "D-cache read misses that allocate an MSHR, of loads and the page walker, "
               "not of stores";
    case PC_HPM_DCACHE_WB:
        return "D-cache misses of loads, stores and the page walker";
    case PC_HPM_DCACHE_HPD_WT:
    case PC_HPM_DCACHE_HPD_WB:
        return "D-cache read misses as the HPDCACHE reports them, not of stores";
    default:
        return e->about;
    }
}

const char *pc_hpm_event_about(const struct pc_hpm_config *c, unsigned id)
{
    const struct pc_hpm_event *e = pc_hpm_event_at(id);

    if (!e)
        return "nothing: a reserved selector value";
    if (strcmp(e->expression, "l1_dcache_miss_i") == 0) /* which kinds depends on the cache */
        return about_dcache_misses(e, c->dcache);
    return c->shared_tlb && e->about_shared_tlb[0] ? e->about_shared_tlb : e->about;
}

static const char *eviction_never(const struct pc_hpm_config *c, uint32_t quirks)
{
    if (c->dcache == PC_HPM_DCACHE_UNKNOWN)
        return NULL;
    if (c->dcache != PC_HPM_DCACHE_WT)
        return "this D-cache does not report its valid bits";
    if ((quirks & PC_HPM_Q_EVICT_FF) && c->dcache_ways != 8)
        return "the RTL compares with 8 ways, and this D-cache has another number";
    return NULL;
}

const char *pc_hpm_event_never(const struct pc_hpm_config *c, uint32_t quirks, unsigned id)
{
    if (id == 0 || id >= PC_HPM_EVENTS)
        return "no event has this selector value";
    if (!c->perf_counter_en)
        return "this core has no event counters (PerfCounterEn = 0)";
    switch (events[id].need) {
    case PC_HPM_NEEDS_MMU:
        return c->mmu ? NULL : "this core has no MMU";
    case PC_HPM_NEEDS_FPU:
        return c->rvf ? NULL : "this core has no floating-point unit";
    case PC_HPM_NEEDS_MISALIGNED:
        return c->rvc ? "with compressed instructions no branch target is misaligned" : NULL;
    case PC_HPM_NEEDS_VALID_BITS:
        return eviction_never(c, quirks);
    default:
        return NULL;
    }
}
