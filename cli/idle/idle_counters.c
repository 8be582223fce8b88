/* SPDX-License-Identifier: MIT */
/*
 * Meters onto hardware counters (decisions D-76 to D-85).
 *
 * A pass is one set of a chip's idle counters.  The first has those of the user (or of
 * nouveau's gk20a); engines fill what is free, and more passes if that is not enough.
 * Each pass has a time base of its own, as a client that measures one pass after the other
 * would need; here all passes see the same clocks.
 *
 * A poll does what a driver does: it reads COUNT, and writes its bit 31, which zeroes the
 * counter in the next clock and loses that clock's own increment (D-81).  The hardware
 * does not tell that 31 bits were not enough (D-80); the model side looks at each counter
 * before it can go round, and knows.
 */
#include "idle.h"

#include <string.h>

#define COUNT_MASK    UINT32_C(0x7fffffff)
#define CLEAR_TRIGGER UINT32_C(0x80000000)
#define HOST_BASE     UINT32_C(0x10a500)

static uint32_t address(unsigned counter, unsigned offset)
{
    return HOST_BASE + 0x10 * counter + offset;
}

/* --- plan --- */

static struct idle_meter *add_meter(struct idle_plan *plan, unsigned pass, unsigned counter,
                                    uint32_t mask, enum pc_idle_mode mode)
{
    struct idle_meter *m = &plan->meter[plan->meters++];

    *m = (struct idle_meter){
        .engine = -1, .pass = pass, .counter = counter, .mask = mask, .mode = mode
    };
    snprintf(m->name, sizeof m->name, "C%u", counter);
    if (pass >= plan->passes)
        plan->passes = pass + 1;
    return m;
}

/* Returns the signals that nouveau's gk20a looks at, as far as the chip has them. */
static uint32_t driver_mask(const struct pc_chip *chip)
{
    uint32_t mask = 0;

    if (pc_idle_mask(chip, "GR|PCOPY2", &mask, NULL) != PC_OK &&
        pc_idle_mask(chip, "GR", &mask, NULL) != PC_OK)
        return 0;
    return mask;
}

/* nouveau's gk20a: 0 counts GR or copy engine 2 busy, the last one every clock. */
static void use_default(struct idle_options *o)
{
    uint32_t mask = driver_mask(o->chip) & o->mapped;

    o->counter[0] = (struct idle_counter){ true, mask ? mask : o->mapped, PC_IDLE_NOT_ALL };
    o->counter[o->chip->idle_counters - 1] = (struct idle_counter){ true, 0, PC_IDLE_ALWAYS };
}

/* Counters of the first pass; busy and total are as the driver takes them. */
static void add_own(struct idle_options *o, struct idle_plan *plan)
{
    for (unsigned i = 0; i < o->chip->idle_counters; i++) {
        const struct idle_counter *c = &o->counter[i];
        if (!c->used)
            continue;
        if (c->mode == PC_IDLE_NOT_ALL && plan->busy < 0)
            plan->busy = (int)plan->meters;
        if (c->mode == PC_IDLE_ALWAYS)
            plan->total = plan->base[0] = (int)plan->meters;
        add_meter(plan, 0, i, c->mask, c->mode);
    }
}

struct slots {
    unsigned pass;
    uint32_t free; /* counters of that pass */
};

/* The next pass; its highest counter is the time base. */
static void open_pass(const struct idle_options *o, struct idle_plan *plan, struct slots *s)
{
    unsigned base = o->chip->idle_counters - 1;

    s->pass++;
    s->free = (UINT32_C(1) << base) - 1;
    plan->base[s->pass] = (int)plan->meters;
    snprintf(add_meter(plan, s->pass, base, 0, PC_IDLE_ALWAYS)->name, sizeof plan->meter[0].name,
             "total");
}

/* A time base for the first pass, if the user gave none. */
static void add_base(const struct idle_options *o, struct idle_plan *plan, struct slots *s)
{
    unsigned i = o->chip->idle_counters;

    if (plan->total >= 0)
        return;
    while (i > 0 && !(s->free >> (i - 1) & 1))
        i--;
    plan->total = (int)plan->meters;
    if (i == 0) {
        open_pass(o, plan, s);
        return;
    }
    s->free &= ~(UINT32_C(1) << (i - 1));
    plan->base[0] = plan->total;
    add_meter(plan, 0, i - 1, 0, PC_IDLE_ALWAYS);
}

static void add_engine(const struct idle_options *o, struct idle_plan *plan, struct slots *s,
                       int engine)
{
    unsigned i = 0;

    if (s->free == 0)
        open_pass(o, plan, s);
    while (!(s->free >> i & 1))
        i++;
    s->free &= ~(UINT32_C(1) << i);
    struct idle_meter *m =
        add_meter(plan, s->pass, i, UINT32_C(1) << o->engine[engine].bit, PC_IDLE_NOT_ALL);
    m->engine = engine;
    snprintf(m->name, sizeof m->name, "%s", o->engine[engine].name);
}

/* Wires of a mask that nothing drives, and masks that two readings of mode 2 see differently. */
static void note_mask(const struct idle_options *o, const struct idle_meter *m)
{
    char text[200];
    uint32_t open = m->mask & ~o->mapped;

    if (m->mode != PC_IDLE_ALL && m->mode != PC_IDLE_NOT_ALL)
        return;
    if (open) {
        idle_mask_text(o->chip, open, text, sizeof text);
        cli_note(1102,
                 "counter %u uses %s, which has no map: it reads %u, %s; --option idle-absent=%s "
                 "changes that",
                 m->counter, text, o->absent_idle, o->absent_idle ? "idle" : "busy",
                 o->absent_idle ? "busy" : "idle");
    }
    if (m->mode == PC_IDLE_NOT_ALL && m->mask & (m->mask - 1)) {
        idle_mask_text(o->chip, m->mask, text, sizeof text);
        cli_note(1101,
                 "counter %u has mode not-all (INCR_IF_NOT_ALL) and several wires, %s: it counts "
                 "while %s busy (D-76a); --option idle-not-all=%s is the other reading",
                 m->counter, text, o->cleared_rule ? "all of them are" : "any of them is",
                 o->cleared_rule ? "any" : "cleared");
    }
}

void idle_note_plan(const struct idle_options *o, const struct idle_plan *plan)
{
    char has[200], wants[200];
    uint32_t wanted = driver_mask(o->chip);

    if (!o->own_counters && o->counter[0].mask != wanted) {
        idle_mask_text(o->chip, o->counter[0].mask, has, sizeof has);
        idle_mask_text(o->chip, wanted, wants, sizeof wants);
        cli_note(1103, "counter 0 uses %s; the driver's uses %s, and not all of these are mapped",
                 has, wants);
    }
    for (size_t i = 0; i < plan->meters; i++)
        note_mask(o, &plan->meter[i]);
    if (plan->passes > 1)
        cli_note(1104, "%zu counters are needed and %s has %u: %u passes over the same clocks",
                 plan->meters, o->chip->name, o->chip->idle_counters, plan->passes);
}

int idle_make_plan(struct idle_options *o, struct idle_plan *plan)
{
    struct slots s = { .pass = 0 };

    *plan = (struct idle_plan){ .busy = -1, .total = -1 };
    for (unsigned p = 0; p < IDLE_PASSES; p++)
        plan->base[p] = -1;
    if (!o->own_counters)
        use_default(o);
    for (unsigned i = 0; i < o->chip->idle_counters; i++)
        if (!o->counter[i].used)
            s.free |= UINT32_C(1) << i;
    add_own(o, plan);
    if (o->governed && plan->busy < 0)
        return idle_fail(1113, NULL, 0, NULL,
                         "no counter has mode not-all, which counts busy clocks");
    add_base(o, plan, &s);
    for (size_t i = 0; i < o->engines; i++)
        add_engine(o, plan, &s, (int)i);
    if (plan->busy >= 0)
        snprintf(plan->meter[plan->busy].name, sizeof plan->meter[0].name, "busy");
    snprintf(plan->meter[plan->total].name, sizeof plan->meter[0].name, "total");
    return CLI_OK;
}

const struct idle_meter *idle_total_of(const struct idle_plan *plan, const struct idle_meter *m)
{
    int base = plan->base[m->pass];

    return &plan->meter[base >= 0 ? base : plan->total];
}

/* --- hardware --- */

static void write_register(struct idle_plan *plan, const struct idle_meter *m, unsigned offset,
                           uint32_t value)
{
    pc_idle_write(plan->unit[m->pass], PC_IDLE_HOST, address(m->counter, offset), value);
}

static uint32_t read_count(const struct idle_plan *plan, const struct idle_meter *m)
{
    uint32_t value;

    pc_idle_read(plan->unit[m->pass], PC_IDLE_HOST, address(m->counter, 8), &value);
    return value;
}

static int set_options(const struct idle_options *o, struct pc_idle *idle)
{
    const char *text;

    for (size_t i = 0; (text = idle_option_at(o, i)) != NULL; i++) {
        struct idle_place place = { .label = "--option", .text = text, .line = 1 };
        const char *equals = strchr(text, '=');
        struct pc_error err;
        char name[80];
        if (!equals)
            return cli_usage("idle", "--option %s: NAME=VALUE is expected", text);
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (pc_idle_option(idle, name, equals + 1, &err))
            return idle_library_error(&err, &place);
    }
    return CLI_OK;
}

int idle_create(const struct idle_options *o, struct idle_plan *plan)
{
    struct pc_idle_desc desc = { .chip = o->chip };
    struct pc_error err;

    for (unsigned p = 0; p < plan->passes; p++) {
        if (pc_idle_create(&desc, &plan->unit[p], &err))
            return cli_error(&err, NULL, NULL);
        int code = set_options(o, plan->unit[p]);
        if (code)
            return code;
    }
    for (size_t i = 0; i < plan->meters; i++) {
        write_register(plan, &plan->meter[i], 4, plan->meter[i].mask);
        write_register(plan, &plan->meter[i], 0xc, (uint32_t)plan->meter[i].mode);
    }
    return CLI_OK;
}

void idle_destroy(struct idle_plan *plan)
{
    for (unsigned p = 0; p < plan->passes; p++)
        pc_idle_destroy(plan->unit[p]);
}

static void run_units(struct idle_plan *plan, uint32_t word, uint64_t clocks)
{
    for (unsigned p = 0; p < plan->passes; p++)
        pc_idle_run(plan->unit[p], word, clocks);
    plan->unsampled += clocks;
}

static void sample(struct idle_plan *plan)
{
    for (size_t i = 0; i < plan->meters && plan->unsampled > 0; i++) {
        struct idle_meter *m = &plan->meter[i];
        uint32_t now = read_count(plan, m);
        m->clocks += (now - m->last) & COUNT_MASK;
        m->last = now;
    }
    plan->unsampled = 0;
}

/*
 * A stretch that could take a counter round is one clock, which tells whether the
 * counter counts, and the rest of the stretch.
 */
static void advance_far(struct idle_plan *plan, uint32_t word, uint64_t clocks)
{
    uint64_t before[IDLE_METERS] = { 0 };

    sample(plan);
    run_units(plan, word, 1); /* takes what the last clear loses */
    sample(plan);
    for (size_t i = 0; i < plan->meters; i++)
        before[i] = plan->meter[i].clocks;
    run_units(plan, word, 1);
    sample(plan);
    run_units(plan, word, clocks - 2);
    for (size_t i = 0; i < plan->meters; i++) {
        struct idle_meter *m = &plan->meter[i];
        if (m->clocks != before[i])
            m->clocks += clocks - 2;
        m->last = read_count(plan, m);
    }
    plan->unsampled = 0;
}

void idle_advance(struct idle_plan *plan, uint32_t word, uint64_t clocks)
{
    const uint64_t far = UINT64_C(1) << 30;

    if (clocks >= far) {
        advance_far(plan, word, clocks);
        return;
    }
    if (plan->unsampled >= far)
        sample(plan);
    if (clocks > 0)
        run_units(plan, word, clocks);
}

static enum idle_state state_of(const struct idle_options *o, const struct idle_meter *m)
{
    if (o->saturate)
        return m->last == COUNT_MASK ? IDLE_SATURATED : m->tainted ? IDLE_TAINTED : IDLE_EXACT;
    return m->clocks > COUNT_MASK ? IDLE_WRAPPED : m->tainted ? IDLE_TAINTED : IDLE_EXACT;
}

void idle_poll(const struct idle_options *o, struct idle_plan *plan)
{
    sample(plan);
    for (size_t i = 0; i < plan->meters; i++) {
        struct idle_meter *m = &plan->meter[i];
        uint32_t count = read_count(plan, m);
        m->value = (count - m->base) & COUNT_MASK;
        m->state = state_of(o, m);
        m->sum += m->value;
        m->base = m->last = o->exact ? count : 0;
        if (!o->exact)
            write_register(plan, m, 8, CLEAR_TRIGGER);
    }
}
