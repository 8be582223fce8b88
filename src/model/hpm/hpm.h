/* SPDX-License-Identifier: MIT */
/* The inside of CVA6's counters: their state, and how an access is decided. */
#ifndef PC_HPM_HPM_H
#define PC_HPM_HPM_H

#include "base/alloc.h"
#include "pcounter/pcounter.h"
#include "model/rules/hpm_csr.h"

struct pc_hpm {
    struct pc_hpm_config config;
    uint32_t quirks; /* as asked for */
    uint32_t active; /* those that mean something in this configuration */
    struct pc_hpm_state s;
    struct pc_alloc alloc;
};

/* Bits of mcountinhibit that keep what is written; HPM.MAP.5. */
#define PC_HPM_INHIBIT_MASK  0x1fdu
#define PC_HPM_SELECTOR_MASK 0x1fu

/* Rules by number; the rows are in rules.def. */
enum pc_hpm_rule_id {
#define HPM_RULE(id, clause, about) HPM_##id,
#include "model/hpm/rules.def"
#undef HPM_RULE
    HPM_RULE_COUNT
};

/* The register at an address of a configuration. */
struct pc_hpm_place {
    bool exists;
    bool user; /* a shadow address, gated by the enables, whether or not it exists */
    enum pc_hpm_reg_kind kind;
    uint8_t index; /* of the counter; address[4:0] where it has one */
    bool live;     /* not a constant 0 */
    uint8_t rule;  /* enum pc_hpm_rule_id: why it exists, or does not */
};
struct pc_hpm_place pc_hpm_place_at(const struct pc_hpm_config *config, unsigned address);

/* The outcome of an access. */
struct pc_hpm_decision {
    enum pc_hpm_cause cause;
    uint8_t rule; /* enum pc_hpm_rule_id */
    bool write;   /* the register is written */
    bool strobe;  /* the event counters see a write; HPM.STROBE.* */
    struct pc_hpm_place place;
};
struct pc_hpm_decision pc_hpm_decide(const struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                     const struct pc_hpm_access *access);
uint64_t pc_hpm_read(const struct pc_hpm *hpm, const struct pc_hpm_place *place);

/* Returns the counter that a write strobe at this place addresses; 0 for a selector and for no
 * register. */
static inline unsigned pc_hpm_addressed(const struct pc_hpm_place *p)
{
    bool counter = p->kind == PC_HPM_REG_COUNTER || p->kind == PC_HPM_REG_COUNTER_HIGH;

    return counter && p->rule != HPM_MAP_ABSENT ? p->index : 0;
}

/* Returns true for a write of the high half of an event counter that this XLEN does not have.
 * HPM.STROBE.3. */
static inline bool pc_hpm_strobe_traps(const struct pc_hpm_place *p)
{
    return p->kind == PC_HPM_REG_COUNTER_HIGH && !p->exists && p->index >= PC_HPM_FIRST;
}

/* Returns true while the counters stand still because of debug mode; HPM.DEBUG.1. */
static inline bool pc_hpm_stopped(const struct pc_hpm *hpm, bool debug)
{
    return debug && hpm->config.debug && !(hpm->active & PC_HPM_Q_DEBUG_RUNS);
}

#endif
