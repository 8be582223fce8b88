/* SPDX-License-Identifier: MIT */
/*
 * Events onto counters: the slots PRE, START, EVENT, STOP of each domain in order, in quad
 * event mode; as many passes as needed, groups whole.  Every domain runs on the one clock.
 *
 * What a truth table of four signals cannot compute is computed in front of the counter
 * and comes in as one raw signal, as if the card had a wire for it.
 */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

static const char *const slot_names[STAT_SLOTS] = { "PRE", "START", "EVENT", "STOP" };

#define OP_SRC0 0xaaaau /* ARG[0] as it is */

/* --- pins: raw signals of a domain --- */

/* The n-th raw signal of a domain, or -1. */
static int raw_signal(const struct pc_chip *chip, unsigned domain, size_t n)
{
    for (unsigned s = 0; s < chip->domain[domain].size; s++)
        if (pc_chip_signal(chip, domain, s).kind == PC_SIG_RAW && n-- == 0)
            return (int)s;
    return -1;
}

static const struct stat_pin *find_pin(const struct stat_domain *d, bool derived, uint32_t index)
{
    for (size_t i = 0; i < d->pins; i++)
        if (d->pin[i].derived == derived && d->pin[i].index == index)
            return &d->pin[i];
    return NULL;
}

/* False if the domain has no raw signal left. */
static bool add_pin(const struct pc_chip *chip, unsigned domain, struct stat_domain *d,
                    bool derived, uint32_t index)
{
    if (find_pin(d, derived, index))
        return true;
    int signal = raw_signal(chip, domain, d->pins);
    if (signal < 0)
        return false;
    d->pin[d->pins++] = (struct stat_pin){ (uint8_t)signal, derived, index };
    return true;
}

/* --- placing --- */

/* Fills in e->input for a slot, or finds that the event has to be derived. */
static int place(struct stat_event *e, const struct pc_chip *chip, enum pc_slot slot)
{
    struct pc_error err;

    if (e->derived)
        return CLI_OK;
    enum pc_status status = pc_expr_place(e->expr, chip, slot, &e->input, &err);
    if (status == PC_OK)
        return CLI_OK;
    if (status != PC_EUNFIT)
        return stat_library_error(&err, &e->place);
    e->derived = true;
    e->why = err;
    e->input =
        (struct pc_expr_input){ { PC_NO_WIRE, PC_NO_WIRE, PC_NO_WIRE, PC_NO_WIRE }, OP_SRC0 };
    return CLI_OK;
}

/* Puts event number `n` into a slot; false if the domain has too few raw signals. */
static bool occupy(struct stat_event *e, int n, const struct pc_chip *chip, unsigned domain,
                   enum pc_slot slot, struct stat_domain *d)
{
    struct stat_domain tried = *d;
    bool ok = true;

    if (e->derived)
        ok = add_pin(chip, domain, &tried, true, (uint32_t)n);
    for (unsigned i = 0; i < 4; i++)
        if (ok && e->input.source[i] != PC_NO_WIRE)
            ok = add_pin(chip, domain, &tried, false, e->input.source[i]);
    if (!ok)
        return false;
    tried.event[slot] = n;
    *d = tried;
    return true;
}

static void empty_pass(struct stat_pass *pass)
{
    memset(pass, 0, sizeof *pass);
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++)
        for (unsigned s = 0; s < STAT_SLOTS; s++)
            pass->domain[d].event[s] = -1;
}

/* The first free slot of the pass for one event; *fits tells whether there is one. */
static int place_event(struct stat_options *o, size_t n, struct stat_pass *pass, bool *fits)
{
    struct stat_event *e = &o->event[n];

    *fits = false;
    for (unsigned d = 0; d < o->chip->domains; d++) {
        for (unsigned s = 0; s < STAT_SLOTS; s++) {
            if (pass->domain[d].event[s] >= 0)
                continue;
            int code = place(e, o->chip, (enum pc_slot)s);
            if (code)
                return code;
            if (!occupy(e, (int)n, o->chip, d, (enum pc_slot)s, &pass->domain[d]))
                break;
            e->domain = d;
            e->slot = (enum pc_slot)s;
            pass->edges |= 1u << d;
            *fits = true;
            return CLI_OK;
        }
    }
    return CLI_OK;
}

/* Events first..last-1 into one pass, or none of them. */
static int place_group(struct stat_options *o, size_t first, size_t last, struct stat_pass *pass,
                       bool *fits)
{
    struct stat_pass before = *pass;

    *fits = true;
    for (size_t n = first; n < last && *fits; n++) {
        int code = place_event(o, n, pass, fits);
        if (code)
            return code;
    }
    if (!*fits)
        *pass = before;
    return CLI_OK;
}

static int too_big(const struct stat_options *o, size_t first, size_t last)
{
    return stat_error(334, &o->event[first].place, 1, NULL,
                      "a group of %zu events does not fit into one pass: %s has %u counters",
                      last - first, o->chip->name, STAT_SLOTS * o->chip->domains);
}

/* A group goes into the first pass that has room for it. */
static int plan_group(struct stat_options *o, size_t first, size_t last, struct stat_plan *plan)
{
    for (size_t p = 0;; p++) {
        bool fresh = p == plan->passes, fits;
        if (fresh) {
            void *array = plan->pass;
            if (!stat_grow(&array, &plan->capacity, p + 1, sizeof *plan->pass))
                return stat_no_memory();
            plan->pass = array;
            empty_pass(&plan->pass[p]);
            plan->passes++;
        }
        int code = place_group(o, first, last, &plan->pass[p], &fits);
        if (code)
            return code;
        if (!fits && fresh)
            return too_big(o, first, last);
        if (!fits)
            continue;
        for (size_t n = first; n < last; n++)
            o->event[n].pass = (unsigned)p;
        return CLI_OK;
    }
}

static void note_derived(const struct stat_options *o)
{
    for (size_t n = 0; n < o->events; n++) {
        const struct stat_event *e = &o->event[n];
        if (e->derived)
            cli_note(301, "%s is computed in front of the counter: %s", e->name, e->why.text);
    }
}

static int check_chip(const struct pc_chip *chip)
{
    if (chip->layout == PC_LAYOUT_NONE)
        return stat_error(333, NULL, 0, NULL, "%s has no PCOUNTER", chip->name);
    if (!(chip->features & PC_F_QUAD))
        return stat_error(333, NULL, 0, NULL, "%s has no quad event mode, which counting needs",
                          chip->name);
    if (chip->domains == 0)
        return stat_error(338, NULL, 0, NULL, "the counters of %s are not modelled", chip->name);
    return CLI_OK;
}

int stat_make_plan(struct stat_options *o, struct stat_plan *plan)
{
    int code = check_chip(o->chip);

    if (code)
        return code;
    for (size_t first = 0, last; first < o->events; first = last) {
        for (last = first + 1; last < o->events; last++)
            if (o->event[last].group != o->event[first].group)
                break;
        code = plan_group(o, first, last, plan);
        if (code)
            return code;
    }
    note_derived(o);
    return CLI_OK;
}

/* --- registers --- */

/* A register of a domain by name; the chips with quad mode have all that are asked for. */
static int find_register(const struct pc_chip *chip, const char *name, unsigned domain,
                         struct pc_reg_info *out)
{
    char text[48];
    struct pc_error err;

    snprintf(text, sizeof text, "%s[%u]", name, domain);
    enum pc_status status = pc_reg_find(chip, text, out, &err);
    return status ? cli_error(&err, NULL, NULL) : CLI_OK;
}

/* CTRL and QUAD_ACK_TRIGGER are one for all domains before NV40, with fields DOM0_..., DOM1_... */
static int find_shared(const struct pc_chip *chip, const char *name, unsigned domain,
                       struct pc_reg_info *out)
{
    struct pc_error err;

    if (chip->layout != PC_LAYOUT_NV10)
        return find_register(chip, name, domain, out);
    enum pc_status status = pc_reg_find(chip, name, out, &err);
    return status ? cli_error(&err, NULL, NULL) : CLI_OK;
}

static unsigned field_shift(const struct pc_reg_info *reg, const char *name)
{
    for (size_t i = 0; i < reg->field_count; i++)
        if (strcmp(reg->fields[i].name, name) == 0)
            return reg->fields[i].shift;
    return 0;
}

/* "MODE" of a register of its own, "DOM1_MODE" of a shared one. */
static void field_name(const struct pc_chip *chip, unsigned domain, const char *name, char out[32])
{
    if (chip->layout == PC_LAYOUT_NV10)
        snprintf(out, 32, "DOM%u_%s", domain, name);
    else
        snprintf(out, 32, "%s", name);
}

/* Addresses and bits for the end of a period. */
static int find_addresses(const struct pc_chip *chip, unsigned domain, struct stat_domain *d)
{
    struct pc_reg_info reg;
    char name[32];
    int code;

    for (unsigned s = 0; s < STAT_SLOTS; s++) {
        snprintf(name, sizeof name, "CTR_%s", slot_names[s]);
        code = find_register(chip, name, domain, &reg);
        if (code)
            return code;
        d->counter[s] = reg.address;
    }
    code = find_register(chip, "CTR_CYCLES", domain, &reg);
    if (code)
        return code;
    d->cycles = reg.address;
    code = find_shared(chip, "CTRL", domain, &reg);
    if (code)
        return code;
    d->ctrl = reg.address;
    field_name(chip, domain, "QUAD_STATE", name);
    d->state_shift = field_shift(&reg, name);
    code = find_shared(chip, "QUAD_ACK_TRIGGER", domain, &reg);
    if (code)
        return code;
    d->ack = reg.address;
    d->ack_bit = chip->layout == PC_LAYOUT_NV10 ? 8 * domain : 0;
    return CLI_OK;
}

/* The selector for a source; an argument that does not matter gets the signal that is always 0. */
static uint32_t selector(const struct pc_chip *chip, unsigned domain, const struct stat_domain *d,
                         const struct stat_event *e, unsigned i)
{
    int zero = pc_chip_signal_position(chip, domain, PC_SIG_ZERO, 0);
    const struct stat_pin *pin = NULL;

    if (e && e->derived && i == 0)
        pin = find_pin(d, true, (uint32_t)d->event[e->slot]);
    else if (e && e->input.source[i] != PC_NO_WIRE)
        pin = find_pin(d, false, e->input.source[i]);
    if (pin)
        return pin->signal;
    return zero >= 0 ? (uint32_t)zero : 0;
}

/* *_SRC and *_OP of one slot; a free slot counts nothing. */
static int write_slot(const struct stat_options *o, struct pc_unit *unit, unsigned domain,
                      const struct stat_domain *d, unsigned slot)
{
    const struct stat_event *e = d->event[slot] < 0 ? NULL : &o->event[d->event[slot]];
    struct pc_reg_info reg;
    uint32_t sources = 0;
    char name[32];

    for (unsigned i = 0; i < 4; i++)
        sources |= selector(o->chip, domain, d, e, i) << (8 * i);
    snprintf(name, sizeof name, "%s_SRC", slot_names[slot]);
    int code = find_register(o->chip, name, domain, &reg);
    if (code)
        return code;
    pc_unit_write(unit, reg.address, sources);
    snprintf(name, sizeof name, "%s_OP", slot_names[slot]);
    code = find_register(o->chip, name, domain, &reg);
    if (code)
        return code;
    pc_unit_write(unit, reg.address, e ? e->input.op : 0);
    return CLI_OK;
}

/* MODE of every domain in use, at once: before NV40 they share a register. */
static int write_modes(const struct stat_options *o, struct stat_pass *pass)
{
    bool shared = o->chip->layout == PC_LAYOUT_NV10;

    for (unsigned d = 0; d < o->chip->domains; d++) {
        struct pc_reg_info reg;
        struct pc_error err;
        char field[32];
        int code = find_shared(o->chip, "CTRL", d, &reg);
        if (code)
            return code;
        uint32_t word = shared ? pc_unit_read(pass->unit, reg.address) & reg.rw_mask : 0;
        field_name(o->chip, d, "MODE", field);
        if (pc_reg_set_field(&reg, field, "QUAD", &word, &err))
            return cli_error(&err, NULL, NULL);
        pc_unit_write(pass->unit, reg.address, word);
    }
    return CLI_OK;
}

/*
 * Writing PRE_OP starts a process in single mode and swaps in quad mode, so quad mode comes
 * last, a cycle later: then the first cycle of the waveform is the first that is counted,
 * with all flops at 0.
 */
static int program(const struct stat_options *o, struct stat_pass *pass)
{
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_unit_desc desc = { .chip = o->chip };
    struct pc_error err;

    if (pc_unit_create(&desc, &pass->unit, &err))
        return cli_error(&err, NULL, NULL);
    for (unsigned d = 0; d < o->chip->domains; d++) {
        if (!(pass->edges >> d & 1))
            continue;
        int code = find_addresses(o->chip, d, &pass->domain[d]);
        for (unsigned s = 0; s < STAT_SLOTS && code == CLI_OK; s++)
            code = write_slot(o, pass->unit, d, &pass->domain[d], s);
        if (code)
            return code;
    }
    pc_unit_step(pass->unit, pass->edges, nothing);
    return write_modes(o, pass);
}

int stat_program(const struct stat_options *o, struct stat_plan *plan)
{
    for (size_t p = 0; p < plan->passes; p++) {
        int code = program(o, &plan->pass[p]);
        if (code)
            return code;
    }
    return CLI_OK;
}

void stat_free_plan(struct stat_plan *plan)
{
    for (size_t p = 0; p < plan->passes; p++)
        pc_unit_destroy(plan->pass[p].unit);
    free(plan->pass);
}
