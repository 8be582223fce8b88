/* SPDX-License-Identifier: MIT */
/*
 * Events onto the selectors of record mode, and its registers, in the order of
 * examples/scripts/g84-record.pcs.  Record mode counts signals as they are, so what is more than a
 * signal is computed before the counter; STOP has a truth table.
 */
#include "record.h"

#include <string.h>

const struct stat_plan record_pass = { .passes = 1 };

/* Domains with enough signals, up to as many as are wanted; their number. */
static unsigned find_domains(const struct pc_chip *chip, size_t wanted, struct record_plan *plan)
{
    for (unsigned d = 0; d < chip->domains && plan->domains < wanted; d++) {
        struct record_domain *at = &plan->domain[plan->domains];
        if (stat_raw_signal(chip, d, RECORD_PINS - 1) < 0)
            continue;
        at->domain = d;
        for (unsigned i = 0; i < RECORD_PINS; i++)
            at->raw[i] = (uint8_t)stat_raw_signal(chip, d, i);
        plan->edges |= UINT32_C(1) << d;
        plan->domains++;
    }
    return plan->domains;
}

static int check_chip(const struct pc_chip *chip)
{
    if (chip->layout == PC_LAYOUT_NONE)
        return cli_error_at(323, NULL, 0, NULL, "%s has no PCOUNTER", chip->name);
    if (!(chip->features & PC_F_RECORD))
        return cli_error_at(1602, NULL, 0, NULL, "%s has no record mode, which G84:GF100 have",
                            chip->name);
    return CLI_OK;
}

static int too_many(const struct record_options *o, unsigned domains)
{
    const struct cli_place *place = &o->of.event[domains * RECORD_INPUTS].place;

    return cli_error_at(1601, place, 1, NULL, "%s: %s has %s with record mode, %u events in all",
                        cli_count(o->of.events, "event"), o->of.chip->name,
                        cli_count(domains, "domain"), domains * RECORD_INPUTS);
}

/* Writes "a, b and 3 more". */
static void note_derived(const struct record_options *o, const struct record_plan *plan)
{
    enum { SHOWN = 4 };
    char text[200] = "";
    size_t derived = 0, used = 0;

    for (size_t n = 0; n < o->of.events; n++) {
        if (!o->of.event[n].derived || derived++ >= SHOWN || used >= sizeof text)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.40s", used ? ", " : "",
                                 o->of.event[n].name);
    }
    if (derived > SHOWN && used < sizeof text)
        snprintf(text + used, sizeof text - used, " and %zu more", derived - SHOWN);
    if (derived)
        cli_note(301, "%s: computed before the counter, because record mode counts plain signals",
                 text);
    if (plan->stop_derived)
        cli_note(301, "STOP is computed before its input: %s", o->stop.why.text);
}

int record_make_plan(struct record_options *o, struct record_plan *plan)
{
    const size_t events = o->of.events;
    const size_t wanted = events ? (events + RECORD_INPUTS - 1) / RECORD_INPUTS : 1;
    int code = check_chip(o->of.chip);

    if (code == CLI_OK && find_domains(o->of.chip, wanted, plan) < wanted)
        code = too_many(o, plan->domains);
    if (code == CLI_OK && o->dump && wanted > 1)
        code = cli_usage("record",
                         "--dump writes the buffer of one domain, which has up to %d events; these "
                         "are %zu",
                         RECORD_INPUTS, events);
    if (code == CLI_OK && o->spark && o->packets && wanted > 1)
        code = cli_usage("record",
                         "--spark with --packets is for the packets of one domain, which "
                         "has up to %d events; these are %zu",
                         RECORD_INPUTS, events);
    for (size_t i = 0; code == CLI_OK && o->packets && wanted > 1 && i < o->report.outputs; i++)
        if (rep_timeline(&o->report, i) != TIMELINE_NONE)
            code = cli_usage("record",
                             "--format %s with --packets is for the packets of one domain, which "
                             "has up to %d events; these are %zu",
                             timeline_name(rep_timeline(&o->report, i)), RECORD_INPUTS, events);
    if (code)
        return code;
    for (size_t n = 0; n < events; n++) {
        o->of.event[n].domain = plan->domain[n / RECORD_INPUTS].domain;
        o->of.event[n].derived = pc_expr_signal(o->of.event[n].expr) == PC_NO_WIRE;
    }
    enum pc_status status =
        pc_expr_place(o->stop.expr, o->of.chip, PC_SLOT_STOP, &plan->stop, &o->stop.why);
    plan->stop_derived = status == PC_EUNFIT;
    if (status != PC_OK && status != PC_EUNFIT)
        return cli_library_error_at(&o->stop.why, &o->stop.place);
    if (o->has_chip)
        note_derived(o, plan);
    return CLI_OK;
}

/* --- registers --- */

struct writer {
    const struct pc_chip *chip;
    struct pc_unit *unit;
    int code;
};

static int find_register(const struct pc_chip *chip, const char *name, struct pc_reg_info *out)
{
    struct pc_error err;

    return pc_reg_find(chip, name, out, &err) ? cli_error(&err, NULL, NULL) : CLI_OK;
}

/* Writes a register, of a domain if that is not negative, and returns its address. */
static uint32_t put(struct writer *w, const char *name, int domain, uint32_t value)
{
    struct pc_reg_info reg = { .address = 0 };
    char text[48];

    if (w->code)
        return 0;
    if (domain < 0)
        snprintf(text, sizeof text, "%s", name);
    else
        snprintf(text, sizeof text, "%s[%d]", name, domain);
    w->code = find_register(w->chip, text, &reg);
    if (w->code == CLI_OK)
        pc_unit_write(w->unit, reg.address, value);
    return reg.address;
}

static uint32_t selectors(const uint8_t *raw)
{
    return raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
}

static void put_domain(struct writer *w, const struct record_plan *plan, struct record_domain *d)
{
    static const char *const sources[] = { "PRE_SRC", "START_SRC", "EVENT_SRC", "STOP_SRC" };
    const int domain = (int)d->domain;

    for (unsigned i = 0; i < 4; i++)
        put(w, sources[i], domain, selectors(d->raw + 4 * i));
    d->stop_op = put(w, "STOP_OP", domain, plan->stop_derived ? 0xaaaa : plan->stop.op);
    put(w, "CTRL", domain, 2); /* MODE = RECORD, RECORD_FORMAT = LONG */
    put(w, "RECORD_LIMIT", domain, 0xfffffff0);
    put(w, "RECORD_START", domain, 0);
}

/* One cycle in which everything is 0 brings the writes about; RECORD_RESET holds the counters. */
int record_program(const struct record_options *o, struct record_plan *plan, pc_mem_write_fn *write,
                   void *ctx)
{
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];
    const struct pc_unit_desc desc = { .chip = o->of.chip, .mem_write = write, .mem_ctx = ctx };
    struct writer w = { .chip = o->of.chip };
    struct pc_error err;

    if (pc_unit_create(&desc, &plan->unit, &err))
        return cli_error(&err, NULL, NULL);
    w.unit = plan->unit;
    plan->gctrl = put(&w, "GCTRL", -1, 1);
    put(&w, "RECORD_DMA", -1, 1);
    put(&w, "RECORD_CHAN", -1, UINT32_C(1) << 31); /* VALID */
    for (unsigned i = 0; i < plan->domains; i++)
        put_domain(&w, plan, &plan->domain[i]);
    pc_unit_step(plan->unit, plan->edges, nothing);
    return w.code;
}
