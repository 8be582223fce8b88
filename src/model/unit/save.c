/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: a head, the rows of the unit, then those of each domain that it has.  A state that
 * comes from outside is checked before anything is changed.
 */
#include "model/unit/state.h"

#include "base/saved.h"
#include "model/rules/counter.h"

enum { UNIT_VERSION = 1 }; /* of all rows */

#define UNIT(member, width)        PC_ROW(pc_state, member, width, 1, PC_ANY)
#define ROW(member, width)         PC_ROW(pc_domain, member, width, 1, PC_ANY)
#define ROWS(member, width, count) PC_ROW(pc_domain, member, width, count, PC_ANY)
#define UPTO(member, width, last)  PC_ROW(pc_domain, member, width, 1, last)
#define BOOL(member)               PC_ROW(pc_domain, member, 1, 1, 1)
#define BOOLS(member, count)       PC_ROW(pc_domain, member, 1, count, 1)

static const struct pc_row unit_rows[] = {
    UNIT(ctrl_nv10, 4),
    UNIT(gctrl, 4),
    UNIT(record_chan, 4),
    UNIT(record_dma, 4),
    UNIT(dset_vstatus, 4),
    UNIT(dset_slcg, 4),
    PC_ROW(pc_state, has_dma, 1, 1, 1),
    PC_ROW(pc_state, bound, 1, 1, 1),
};

static const struct pc_row domain_rows[] = {
    ROWS(src, 4, PC_INPUTS),
    ROWS(op, 4, PC_INPUTS),
    ROW(spec_src, 4),
    ROW(ctrl, 4),
    ROW(threshold, 8),
    ROW(pre_init, 4),
    ROW(stop_init, 4),
    ROW(record_high, 4),
    ROW(record_limit, 4),
    ROW(record_start, 4),
    ROWS(stored, 4, PC_STORED),
    UPTO(control.mode, 1, PC_MODE_NONE),
    UPTO(control.ctr_mode, 1, PC_CTR_NONE),
    BOOL(control.period_all),
    BOOL(control.event_pulse),
    BOOL(control.flag_pulse),
    BOOL(control.record_short),
    UPTO(control.periodic, 1, 7),
    BOOL(pending.abort),
    BOOL(pending.init),
    BOOL(pending.start),
    BOOL(pending.swap),
    UPTO(pending.acks, 1, 2),
    BOOL(pending.fault_clear),
    BOOL(pending.record_start),
    BOOL(pending.record_start_clear),
    BOOL(pending.record_entry),
    BOOL(pending.quad_entry),
    BOOL(pending.quad_exit),
    BOOL(pending.periodic_restart),
    ROW(visible.cycles, 8),
    ROW(visible.event, 8),
    ROW(visible.start, 8),
    UPTO(visible.pre, 8, PC_CTR32_MAX),
    UPTO(visible.stop, 8, PC_CTR32_MAX),
    ROW(shadow.cycles, 8),
    ROW(shadow.event, 8),
    ROW(shadow.start, 8),
    UPTO(shadow.pre, 8, PC_CTR32_MAX),
    UPTO(shadow.stop, 8, PC_CTR32_MAX),
    UPTO(record.cycles, 8, PC_RECORD_CYCLES_MASK),
    ROWS(record.event, 2, 12),
    UPTO(record.stop, 2, PC_RECORD_STOP_MAX),
    ROW(record.position, 4),
    BOOL(record.valid),
    BOOL(record.fault),
    BOOL(record.wedged),
    BOOL(record.pending),
    ROW(record.busy, 4),
    BOOL(record.dirty),
    UPTO(single_state, 1, PC_COUNTING),
    UPTO(quad_state, 1, PC_OVERFLOW),
    BOOL(flag_next),
    BOOL(flag_cur),
    BOOLS(user, 4),
    BOOLS(user_pulse, 4),
    ROW(periodic, 2),
    ROWS(pulse, 8, 2),
    ROW(late, 4),
    BOOL(last_flag),
    BOOL(last_event),
    BOOL(event_toggle),
    BOOL(flag_toggle),
    ROWS(event_sync.level, 1, 2),
    ROWS(event_sync.toggle, 1, 3),
    ROWS(flag_sync.level, 1, 2),
    ROWS(flag_sync.toggle, 1, 3),
    ROWS(vector, 8, PC_SIG_WORDS),
    ROW(selected, 4),
    BOOL(in.pre),
    BOOL(in.start),
    BOOL(in.event),
    BOOL(in.stop),
    BOOL(in.setflag),
    BOOL(in.clrflag),
    BOOL(in.swap),
    BOOL(in.unk8),
    BOOL(in.flag),
    ROW(in.src, 2),
    ROW(cycle, 8),
    ROW(diagnostics, 4),
    ROW(no_signal, 1),
};

static struct pc_saved head_of_unit(const struct pc_unit *u)
{
    return (struct pc_saved){ .magic = "PCUNIT",
                              .of = "a unit",
                              .version = UNIT_VERSION,
                              .part = (uint32_t)u->set,
                              .chip = u->chip->name };
}

size_t pc_unit_state_size(const struct pc_unit *u)
{
    return PC_SAVED_HEAD + pc_rows_size(PC_ROWS(unit_rows)) +
           u->chip->domains * pc_rows_size(PC_ROWS(domain_rows));
}

void pc_unit_save(const struct pc_unit *u, void *out)
{
    const struct pc_saved head = head_of_unit(u);
    uint8_t *to = pc_rows_put(PC_ROWS(unit_rows), &u->state, pc_saved_put(&head, (uint8_t *)out));

    for (unsigned x = 0; x < u->chip->domains; x++)
        to = pc_rows_put(PC_ROWS(domain_rows), &u->state.domain[x], to);
}

/* Returns what is wrong with values that no row checks; NULL: nothing. */
static const char *damage(const struct pc_unit *u, const struct pc_domain *d)
{
    uint64_t wide = (u->chip->features & PC_F_CTR40) ? (PC_CTR40_TOP << 1) - 1 : PC_CTR32_MAX;

    for (int i = 0; i < 2; i++) {
        const struct pc_counters *c = i ? &d->shadow : &d->visible;
        if (c->cycles > wide || c->event > wide || c->start > wide)
            return "a counter";
    }
    if (d->threshold > wide)
        return "threshold";
    if (d->quad_state == 2)
        return "quad_state";
    if ((d->record.position | d->record_start | d->record_limit) % 16 != 0)
        return "an address of record mode";
    return NULL;
}

enum pc_status pc_unit_check_state(const struct pc_unit *u, const void *state, size_t size,
                                   struct pc_state *out, struct pc_error *err)
{
    const struct pc_saved head = head_of_unit(u);
    const uint8_t *from = (const uint8_t *)state;
    enum pc_status status = pc_saved_check(&head, from, size, err);

    if (status)
        return status;
    if (size != pc_unit_state_size(u))
        return pc_fail(err, 406, "the state has %zu bytes, %zu were expected", size,
                       pc_unit_state_size(u));
    *out = u->state;
    from += PC_SAVED_HEAD;
    const struct pc_row *bad = pc_rows_take(PC_ROWS(unit_rows), from, out);
    if (bad)
        return pc_fail(err, 406, "the state is damaged: %s", bad->member);
    from += pc_rows_size(PC_ROWS(unit_rows));
    for (unsigned x = 0; x < u->chip->domains; x++, from += pc_rows_size(PC_ROWS(domain_rows))) {
        bad = pc_rows_take(PC_ROWS(domain_rows), from, &out->domain[x]);
        const char *what = bad ? bad->member : damage(u, &out->domain[x]);
        if (what)
            return pc_fail(err, 406, "the state of domain %u is damaged: %s", x, what);
    }
    return PC_OK;
}

enum pc_status pc_unit_load(struct pc_unit *u, const void *state, size_t size, struct pc_error *err)
{
    struct pc_state loaded;
    enum pc_status status = pc_unit_check_state(u, state, size, &loaded, err);

    if (status == PC_OK) {
        u->state = loaded;
        pc_awake(u);
    }
    return status;
}
