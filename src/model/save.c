/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: the flat state behind a head that names chip, set and, by a digest of the headers
 * that declare it, the layout of the struct.  A state that comes from outside is checked before
 * anything is changed.
 */
#include "model/state.h"

#include <string.h>

#include "rules/counter.h"

struct head {
    char magic[8];
    uint32_t layout;
    uint16_t chip, set;
};
static const char magic[8] = "pcstate2";
static const uint32_t layout =
#include "state_layout.inc"
    ;

size_t pc_unit_state_size(const struct pc_unit *u)
{
    return sizeof(struct head) + sizeof u->state;
}

void pc_unit_save(const struct pc_unit *u, void *out)
{
    struct head head = { .layout = layout,
                         .chip = (uint16_t)u->chip->order,
                         .set = (uint16_t)u->set };

    memcpy(head.magic, magic, sizeof magic);
    memcpy(out, &head, sizeof head);
    memcpy((char *)out + sizeof head, &u->state, sizeof u->state);
}

static bool bool_ok(const bool *b)
{
    uint8_t byte;

    memcpy(&byte, b, 1);
    return byte <= 1;
}

static bool bools_ok(const struct pc_domain *d)
{
    const bool *bools[] = { &d->control.period_all,
                            &d->control.event_pulse,
                            &d->control.flag_pulse,
                            &d->control.record_short,
                            &d->pending.abort,
                            &d->pending.init,
                            &d->pending.start,
                            &d->pending.swap,
                            &d->pending.fault_clear,
                            &d->pending.record_start,
                            &d->pending.record_start_clear,
                            &d->pending.record_entry,
                            &d->pending.quad_entry,
                            &d->pending.quad_exit,
                            &d->pending.periodic_restart,
                            &d->record.valid,
                            &d->record.fault,
                            &d->record.wedged,
                            &d->record.pending,
                            &d->record.dirty,
                            &d->flag_next,
                            &d->flag_cur,
                            &d->user[0],
                            &d->user[1],
                            &d->user[2],
                            &d->user[3],
                            &d->user_pulse[2],
                            &d->user_pulse[3],
                            &d->user_pulse[0],
                            &d->user_pulse[1],
                            &d->last_flag,
                            &d->last_event,
                            &d->event_toggle,
                            &d->flag_toggle,
                            &d->in.pre,
                            &d->in.start,
                            &d->in.event,
                            &d->in.stop,
                            &d->in.setflag,
                            &d->in.clrflag,
                            &d->in.swap,
                            &d->in.unk8,
                            &d->in.flag };

    for (size_t i = 0; i < sizeof bools / sizeof bools[0]; i++)
        if (!bool_ok(bools[i]))
            return false;
    return true;
}

/* Every value that the model later uses as an enum, a bool or a bounded number. */
static bool domain_ok(const struct pc_unit *u, const struct pc_domain *d)
{
    uint64_t wide = (u->chip->features & PC_F_CTR40) ? (PC_CTR40_TOP << 1) - 1 : PC_CTR32_MAX;

    if (!bools_ok(d))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct pc_counters *c = i ? &d->shadow : &d->visible;
        if (c->cycles > wide || c->event > wide || c->start > wide || c->pre > PC_CTR32_MAX ||
            c->stop > PC_CTR32_MAX)
            return false;
    }
    return d->control.mode <= PC_MODE_NONE && d->control.ctr_mode <= PC_CTR_NONE &&
           d->control.periodic <= 7 && d->single_state <= PC_COUNTING &&
           d->quad_state <= PC_OVERFLOW && d->quad_state != 2 && d->pending.acks <= 2 &&
           d->record.cycles >> 48 == 0 && d->record.stop <= 0xfff && d->threshold <= wide &&
           (d->record.position | d->record_start | d->record_limit) % 16 == 0;
}

enum pc_status pc_unit_check_state(const struct pc_unit *u, const void *state, size_t size,
                                   struct pc_state *out, struct pc_error *err)
{
    struct head head;

    if (size != pc_unit_state_size(u))
        return pc_fail(err, 406, "the state has %zu bytes, %zu were expected", size,
                       pc_unit_state_size(u));
    memcpy(&head, state, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.layout != layout)
        return pc_fail(err, 406, "this is not a state of this version of the program");
    if (head.chip != u->chip->order)
        return pc_fail(err, 406, "the state was saved for another chip than %s", u->chip->name);
    if (head.set != u->set)
        return pc_fail(err, 406, "the state was saved for another set of %s's domains",
                       u->chip->name);
    memcpy(out, (const char *)state + sizeof head, sizeof *out);
    if (!bool_ok(&out->bound) || !bool_ok(&out->has_dma))
        return pc_fail(err, 406, "the state is damaged");
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        if (!domain_ok(u, &out->domain[x]))
            return pc_fail(err, 406, "the state of domain %u is damaged", x);
    return PC_OK;
}

enum pc_status pc_unit_load(struct pc_unit *u, const void *state, size_t size, struct pc_error *err)
{
    struct pc_state loaded;
    enum pc_status status = pc_unit_check_state(u, state, size, &loaded, err);

    if (status == PC_OK)
        u->state = loaded;
    return status;
}
