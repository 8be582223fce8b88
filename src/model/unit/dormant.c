/* SPDX-License-Identifier: MIT */
/*
 * A step of a unit in which most domains stand still.  A cycle that left all of a domain as it was,
 * but for the numbers of cycles, is repeated by the next one as long as nothing is written, no
 * other domain shows anything else, and no signal moves: such a domain is dormant, and its cycles
 * are only numbered.  That the state did not change is looked at, not concluded from registers, so
 * there is no second meaning of a cycle.
 *
 * Only while the mode counts nothing: what record mode sends is more than its state.
 */
#include "model/unit/state.h"

#include <string.h>

#include "model/regs/regs.h"
#include "model/rules/period.h"

/* Returns true if neither its signals nor PERIODIC move in this cycle. */
static bool is_still(const struct pc_unit *u, unsigned x, const uint64_t *raw)
{
    const struct pc_domain *d = &u->state.domain[x];
    uint64_t moved = 0;

    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        moved |= (d->vector[w] ^ raw[w]) & u->slots[x].raw[w];
    return moved == 0 && !pc_period_signal(d->periodic, d->control.periodic, false);
}

static bool counts_nothing(const struct pc_domain *d)
{
    return d->control.mode == PC_MODE_NONE ||
           (d->control.mode == PC_MODE_SINGLE && d->single_state == PC_INACTIVE);
}

static uint32_t dormant_of(const struct pc_unit *u, uint32_t edges,
                           const uint64_t (*raw)[PC_SIG_WORDS])
{
    uint32_t mask = 0;

    for (uint32_t left = edges & u->dormant; left; left &= left - 1) {
        const unsigned x = (unsigned)__builtin_ctz(left);
        mask |= (uint32_t)is_still(u, x, raw[x]) << x;
    }
    return mask;
}

/* Steps 1 to 6.  Of those that may fall asleep by this cycle a copy is kept; their mask. */
static uint32_t begin(struct pc_unit *u, uint32_t mask, const uint64_t (*raw)[PC_SIG_WORDS],
                      struct pc_domain before[PC_MAX_DOMAINS])
{
    uint32_t tried = 0;

    for (; mask; mask &= mask - 1) {
        const unsigned x = (unsigned)__builtin_ctz(mask);
        struct pc_domain *d = &u->state.domain[x];
        if (counts_nothing(d) && is_still(u, x, raw[x])) {
            memcpy(&before[x], d, sizeof *d); /* also the padding */
            tried |= UINT32_C(1) << x;
        }
        pc_effects_cycle(u, d);
        pc_inputs_cycle(u, x, d, raw[x]);
    }
    return tried;
}

static bool same(const struct pc_domain *d, struct pc_domain *before)
{
    before->cycle = d->cycle;
    before->periodic = d->periodic;
    return memcmp(d, before, sizeof *d) == 0;
}

static void number_cycle(const struct pc_unit *u, struct pc_domain *d)
{
    d->periodic = pc_period_next(d->periodic, PC_GET(u->state.gctrl, GCTRL, PERIODIC_RESET));
    d->cycle++;
}

/* The others show something else: all domains that were dormant are no longer, not even those
 * without an edge. */
static bool look_around(struct pc_unit *u)
{
    const struct pc_shown shown = pc_shown_by(u);

    if (memcmp(&shown, &u->beside, sizeof shown) == 0)
        return false;
    u->beside = shown;
    pc_awake(u);
    return true;
}

void pc_unit_pass(struct pc_unit *u, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS])
{
    const uint32_t all = edges & ((UINT32_C(1) << u->chip->domains) - 1);
    struct pc_domain before[PC_MAX_DOMAINS];
    uint32_t awake = all & ~dormant_of(u, all, raw), tried = begin(u, awake, raw, before);

    if ((awake || u->moved) && look_around(u)) {
        tried |= begin(u, all & ~awake, raw, before);
        awake = all;
    }
    for (uint32_t left = awake; left; left &= left - 1)
        pc_domain_sample(&u->state.domain[__builtin_ctz(left)], &u->beside);
    u->moved = awake != 0; /* the next call may be for other domains */
    u->dormant &= ~awake;
    for (uint32_t left = awake; left; left &= left - 1) {
        const unsigned x = (unsigned)__builtin_ctz(left);
        pc_domain_end(u, x);
        if (tried >> x & 1 && same(&u->state.domain[x], &before[x]))
            u->dormant |= UINT32_C(1) << x;
    }
    for (uint32_t left = all & ~awake; left; left &= left - 1)
        number_cycle(u, &u->state.domain[__builtin_ctz(left)]);
}
