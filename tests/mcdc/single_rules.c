/* SPDX-License-Identifier: MIT */
/* Decisions of the machine of single event mode: its rule, and the unit's step around it. */
#include "test.h"

#include "model/rules/single.h"
#include "model/unit/state.h"

#include "pairs.h"

#define TABLE(name, path, rows)                                                                    \
    const struct mcdc_table name = { path, rows, sizeof rows / sizeof rows[0] }

/* One cycle from a state; the state after it stays in *state. */
static enum pc_single_cycle next(uint8_t *state, uint64_t *pre, uint64_t *stop, const bool *in)
{
    return pc_single_next(state, pre, stop, in[0], in[1], in[2]);
}

static char name_of(enum pc_single_cycle cycle)
{
    return "rwbce"[cycle];
}

/* With all inputs at 1: what each state is for. */
static char acts_by_state(const bool *c)
{
    uint8_t state = c[0] ? PC_WAIT_PRE : c[1] ? PC_WAIT_START : c[2] ? PC_COUNTING : PC_INACTIVE;
    uint64_t pre = 0, stop = 0;

    return name_of(next(&state, &pre, &stop, (const bool[]){ true, true, true }));
}

/* PC.SINGLE.3 */
static char had_all_pre(const bool *c)
{
    uint8_t state = PC_WAIT_PRE;
    uint64_t pre = c[1] ? 0 : 3, stop = 0;

    next(&state, &pre, &stop, (const bool[]){ c[0], false, false });
    return "IPSC"[state];
}

static char counts_pre_down(const bool *c)
{
    uint8_t state = PC_WAIT_PRE;
    uint64_t pre = 3, stop = 0;

    next(&state, &pre, &stop, (const bool[]){ c[0], false, false });
    return (char)('0' + pre);
}

static char starts(const bool *c)
{
    uint8_t state = PC_WAIT_START;
    uint64_t pre = 0, stop = 0;

    return name_of(next(&state, &pre, &stop, (const bool[]){ true, c[0], true }));
}

static char stops(const bool *c)
{
    uint8_t state = PC_COUNTING;
    uint64_t pre = 0, stop = 0;

    return name_of(next(&state, &pre, &stop, (const bool[]){ true, true, c[0] }));
}

/* PC.SINGLE.7, PC.SINGLE.8 */
static char has_another_period(const bool *c)
{
    uint8_t state = PC_COUNTING;
    uint64_t pre = 0, stop = c[0] ? 2 : 0;

    next(&state, &pre, &stop, (const bool[]){ false, false, true });
    return "IPSC"[state];
}

static const struct mcdc_decision single_rows[] = {
    { "switch ((enum pc_single_state) * state)",
      { "WAIT_PRE", "WAIT_START", "COUNTING" },
      acts_by_state,
      "000=r 100=w 010=b 001=e" },
    { "if (pre_in && *pre == 0)", { "PRE", "no more to come" }, had_all_pre, "11=S 01=P 10=P" },
    { "else if (pre_in) --*pre;", { "PRE" }, counts_pre_down, "1=2 0=3" },
    { "if (!start_in) return PC_SINGLE_WAITS;", { "START" }, starts, "0=w 1=b" },
    { "if (!stop_in) return PC_SINGLE_COUNTS;", { "STOP" }, stops, "0=c 1=e" },
    { "*state = *stop != 0 ? PC_WAIT_START : PC_INACTIVE;",
      { "periods to come" },
      has_another_period,
      "1=S 0=I" },
};
TABLE(mcdc_single, "src/model/rules/single.h", single_rows);

/* A unit of a chip, and its domain 0 with counters that tell what happened to them. */
static struct pc_unit *make(const char *chip, struct pc_domain **d)
{
    struct pc_error err;
    struct pc_unit_desc desc = { .chip = pc_chip_find(chip) };
    struct pc_unit *u = NULL;

    test_ok(pc_unit_create(&desc, &u, &err), &err);
    *d = &u->state.domain[0];
    (*d)->visible = (struct pc_counters){ .cycles = 5, .event = 7, .start = 9 };
    return u;
}

/* PC.SINGLE.5, PC.SINGLE.6: NV10 has no ALL. */
static char keeps_events(const bool *c)
{
    struct pc_domain *d;
    struct pc_unit *u = make(c[0] ? "GT215" : "NV10", &d);

    d->control.period_all = c[1];
    pc_single_begins(u, d);
    char got = d->visible.event == 7 ? '1' : d->visible.event == 0 ? '0' : '?';
    pc_unit_destroy(u);
    return got;
}

/* PC.SINGLE.10 */
static char had_events_enough(const bool *c)
{
    struct pc_domain *d;
    struct pc_unit *u = make("GT215", &d);

    d->threshold = c[0] ? 7 : 8;
    pc_single_ends(u, d);
    char got = d->visible.start == 10 ? '1' : d->visible.start == 9 ? '0' : '?';
    pc_unit_destroy(u);
    return got;
}

/* PC.SINGLE.2: c cleared, f frozen, l listens */
static char obeys_a_start(const bool *c)
{
    struct pc_domain *d;
    struct pc_unit *u = make("GT215", &d);

    d->single_state = c[0] ? PC_INACTIVE : PC_WAIT_PRE;
    d->pending.start = c[1];
    char got = "flc"[pc_single_cycle(u, d)];
    pc_unit_destroy(u);
    return got;
}

/* What the cycle did to CYCLES and START: r nothing and the flag rests, w nothing, b from 0, c a
 * cycle more, e and a period more. */
static char acts(const bool *c)
{
    struct pc_domain *d;
    struct pc_unit *u = make("GT215", &d);

    d->single_state = c[0]           ? PC_WAIT_PRE
                      : c[1]         ? PC_WAIT_START
                      : c[2] || c[3] ? PC_COUNTING
                                     : PC_INACTIVE;
    d->in.start = c[1];
    d->in.stop = c[3];
    bool rests = pc_single_cycle(u, d) == PC_FLAG_FROZEN;
    uint64_t cycles = d->visible.cycles, start = d->visible.start;
    pc_unit_destroy(u);
    return cycles == 6 ? (start == 10 ? 'e' : 'c') : cycles == 0 ? 'b' : rests ? 'r' : 'w';
}

static const struct mcdc_decision unit_rows[] = {
    { "if (!pc_has(u, PC_F_PERIOD_ALL) || !d->control.period_all) d->visible.event = 0;",
      { "chip has ALL", "ALL" },
      keeps_events,
      "11=1 01=0 10=0" },
    { "if (d->visible.event >= d->threshold)",
      { "events >= threshold" },
      had_events_enough,
      "1=1 0=0" },
    { "if (d->single_state == PC_INACTIVE && d->pending.start)",
      { "INACTIVE", "start asked for" },
      obeys_a_start,
      "11=c 01=l 10=f" },
    { "switch (pc_single_next(",
      { "waits", "begins", "counts", "ends" },
      acts,
      "0000=r 1000=w 0100=b 0010=c 0001=e" },
};
TABLE(mcdc_unit_single, "src/model/unit/single.c", unit_rows);
