/* SPDX-License-Identifier: MIT */
/*
 * Plays a trace to the model: finds BAR0 and the chip, keeps to the window, makes the
 * accesses and holds what was read against the trace.
 *
 * Time: each write lets one cycle pass, as in scripts, and one of DEBUG_1 as many as the
 * trigger needs; with --clock it is the timestamps that count.  A log that `pcounter run` or
 * `pcounter card` wrote tells in marks what else happened; of a card the stamps are its time.
 */
#include "replay.h"
#include "text/card_regs.h"
#include "text/diag_text.h"
#include "replay_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GAP_MAX     (UINT64_C(1) << 28) /* cycles between two accesses */
#define TRIGGER_MAX 64 /* cycles: the largest pm-trigger-latency, and the pulse's own */

/*
 * The addresses of the counter units, which are replayed unless other ones are asked for.  Single
 * registers count only on chips that have them: others may have anything there.
 */
static const struct {
    uint32_t from, to;
} ranges[] = {
    { 0x000000, 0x000004 },       /* PMC boot id */
    { 0x000200, 0x000204 },       /* PMC.ENABLE */
    { PC_REG_BEGIN, PC_REG_END }, /* PCOUNTER */
    { 0x022210, 0x022214 },       /* PDAEMON's switch, GT215:GF100 */
    { 0x022430, 0x022434 },       /* units of GF100+ .. */
    { 0x022438, 0x02243c },
    { 0x022504, 0x022508 },
    { 0x022548, 0x02254c },
    { 0x022584, 0x022588 },
    { 0x0225c8, 0x0225cc },                   /* .. to here */
    { 0x10a500, 0x10a600 },                   /* PDAEMON counters */
    { PC_REG_GF100_BEGIN, PC_REG_GF100_END }, /* PCOUNTER */
    { 0x400084, 0x400088 },                   /* PGRAPH DEBUG_1: PM_TRIGGER */
};

/* ---- the card ---- */

static int take_pcidev(struct replay *r, const struct pc_trace_event *e)
{
    struct pc_error err;

    if (r->options->has_base || !card_take_pcidev(&r->card, e, &err))
        return CLI_OK;
    return cli_error(&err, r->options->path, NULL);
}

static int take_chip(struct replay *r, const struct pc_chip *chip, const char *by, uint32_t line)
{
    struct pc_error err;

    if (!r->options->card.address || r->options->chip || chip == r->chip)
        return card_take_chip(&r->chip, chip, by, r->options->path, line);
    cli_fail(&err, 1207, "%s is that of %s, and the card %s is a %s", by, chip->name,
             r->hardware.address, r->chip->name);
    snprintf(err.hint, sizeof err.hint, "give the address of a %s, or replay it without --card.",
             chip->name);
    err.line = line;
    return cli_error(&err, r->options->path, NULL);
}

/* A read of the boot id tells the chip, or whether it is the right one. */
static int take_boot_id(struct replay *r, const struct pc_trace_event *e)
{
    const struct pc_chip *chip = card_chip((uint32_t)e->value);
    char by[60];

    r->stepping = (uint32_t)e->value & 0xfffff;
    snprintf(by, sizeof by, "the boot id 0x%08" PRIx32, (uint32_t)e->value);
    if (chip)
        return take_chip(r, chip, by, e->line);
    if (!r->chip)
        return card_fail(r->options->path, PC_ENOENT, 1206, e->line,
                         "%s is of no chip that is known", by);
    return CLI_OK;
}

static int apply_stimulus(struct replay *r)
{
    char *text = NULL;
    size_t size = 0;
    int code = r->options->with ? cli_read_text("replay", r->options->with, &text, &size) : CLI_OK;
    struct pc_script_stimulus desc = { .chip = r->chip, .text = text, .size = size };
    struct pc_error err = { 0 };

    if (code == CLI_OK && text && cli_says_nothing(text, size))
        code =
            cli_usage("replay", "--with %s: it has no command", cli_input_name(r->options->with));
    if (code == CLI_OK && text && pc_script_run_stimulus(&desc, r->gpu, &err))
        code = cli_error(&err, r->options->with, text);
    free(text);
    return code;
}

/* The device, before its first access. */
static int need_gpu(struct replay *r, uint32_t line)
{
    struct pc_error err = { 0 };

    if (r->gpu || r->options->card.address)
        return CLI_OK;
    if (!r->chip)
        return card_fail(r->options->path, PC_ENOENT, 1206, line,
                         "an access before it is known which chip the trace is of");
    const struct pc_gpu_desc desc = { .chip = r->chip,
                                      .memory_limit = r->options->memory,
                                      .stepping = r->stepping,
                                      .ptimer = r->of_card };
    if (pc_gpu_create(&desc, &r->gpu, &err))
        return cli_error(&err, r->options->path, NULL);
    if (r->of_card)
        pc_gpu_latency(r->gpu, 0, 0);
    return apply_stimulus(r);
}

/* ---- marks of our own logs ---- */

static int take_chip_mark(struct replay *r, const char *text, size_t size, bool of_card,
                          uint32_t line)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(size < 60 ? size : 60), text);
    const struct pc_chip *chip = pc_chip_find(name);
    if (!chip)
        return card_fail(r->options->path, PC_ENOENT, 1206, line,
                         "the log names a chip \"%s\" that does not exist", name);
    r->own_log = true;
    r->of_card = of_card;
    if (r->options->clock)
        return cli_usage("replay",
                         "--clock is for traces of cards: this log says itself what time passes");
    return take_chip(r, chip, "the log's chip", line);
}

static int take_mark(struct replay *r, const struct pc_trace_event *e)
{
    const size_t skip = sizeof REPLAY_LOG_MARK - 1;
    struct pc_error err = { 0 };

    if (e->text_size < skip || memcmp(e->text, REPLAY_LOG_MARK, skip) != 0)
        return CLI_OK;
    struct pc_script_stimulus command = { .text = e->text + skip, .size = e->text_size - skip };
    if (replay_log_is("chip", command.text, command.size))
        return take_chip_mark(r, command.text + 5, command.size - 5, false, e->line);
    if (replay_log_is("card", command.text, command.size))
        return take_chip_mark(r, command.text + 5, command.size - 5, true, e->line);
    if (replay_log_is("wave", command.text, command.size) ||
        replay_log_is("bind", command.text, command.size))
        return card_fail(r->options->path, PC_EUNSUP, 1211, e->line,
                         "the logged run took signals from a waveform");
    if (r->options->card.address)
        return replay_pci_mark(r, command.text, command.size, e->line);
    int code = need_gpu(r, e->line);
    if (code)
        return code;
    command.chip = r->chip;
    if (!pc_script_run_stimulus(&command, r->gpu, &err))
        return CLI_OK;
    err.line = e->line;
    err.column = 0;
    return cli_error(&err, r->options->path, NULL);
}

/* ---- accesses ---- */

static bool in_window(const struct replay *r, uint64_t address)
{
    const struct replay_options *o = r->options;
    struct pc_reg_info reg;

    if (o->has_window)
        return address >= o->from && address < o->to;
    if (r->own_log)
        return true;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (address >= ranges[i].from && address < ranges[i].to)
            return ranges[i].to - ranges[i].from > 4 || !r->chip ||
                   cli_card_at(r->chip, ranges[i].from, &reg);
    return false;
}

static int check_generation(const struct replay *r, uint32_t address, uint32_t line)
{
    bool gf100 = r->chip->layout == PC_LAYOUT_GF100;
    bool other = gf100 ? address >= 0xa400 && address < 0xa900
                       : address >= PC_REG_GF100_BEGIN && address < PC_REG_GF100_END;

    if (!other || (r->of_card && !r->options->card.address)) /* a program may look anywhere */
        return CLI_OK;
    return card_fail(r->options->path, PC_EINPUT, 1208, line,
                     "0x%06" PRIx32 " is in the PCOUNTER of %s chips, but this one is %s", address,
                     gf100 ? "earlier" : "GF100 and later", r->chip->name);
}

/* Cycles from the first access to a timestamp, at --clock; UINT64_MAX if too many. */
static uint64_t cycles_until(const struct replay *r, uint64_t ns)
{
    const uint64_t second = 1000000000u;
    uint64_t gone = ns > r->first_ns ? ns - r->first_ns : 0;
    uint64_t seconds = gone / second, hz = r->options->clock;

    if (seconds > (UINT64_C(1) << 62) / hz)
        return UINT64_MAX;
    return seconds * hz + gone % second * hz / second;
}

/* The card's time since the last access of its log. */
static int follow_stamp(struct replay *r, const struct pc_trace_event *e)
{
    const uint64_t gone = e->time_ns > r->stamp_ns ? e->time_ns - r->stamp_ns : 0;
    struct pc_error err = { 0 };

    r->stamp_ns += gone;
    const enum pc_status status = pc_gpu_elapse(r->gpu, gone, &err);
    if (!status || status == PC_ELIMIT) /* full record memory, as the card had it */
        return CLI_OK;
    return cli_error(&err, r->options->path, NULL);
}

static int pass_time(struct replay *r, const struct pc_trace_event *e)
{
    struct pc_gpu_domain_info first;
    struct pc_error err = { 0 };

    if (r->options->card.address)
        return replay_pci_pass(r, e);
    if (r->of_card)
        return follow_stamp(r, e);
    if (!r->options->clock || pc_gpu_domain_count(r->gpu) == 0)
        return CLI_OK;
    if (!r->timed)
        r->first_ns = e->time_ns;
    r->timed = true;
    pc_gpu_get_domain_info(r->gpu, 0, &first);
    uint64_t now = pc_unit_cycle(first.unit, 0), until = cycles_until(r, e->time_ns);
    if (until <= now)
        return CLI_OK;
    if (until - now > GAP_MAX)
        return card_fail(r->options->path, PC_ELIMIT, 1209, e->line,
                         "more than %s cycles before this access at %s Hz", cli_grouped(GAP_MAX),
                         cli_grouped(r->options->clock));
    return pc_gpu_run(r->gpu, 0, until - now, &err) ? cli_error(&err, r->options->path, NULL)
                                                    : CLI_OK;
}

/*
 * PM_TRIGGER takes some cycles to a domain.  A card has had them long before its driver's next
 * access; without --clock they pass here.
 */
static int let_arrive(struct replay *r, const struct replay_access *a)
{
    struct pc_error err = { 0 };

    if (a->address != PGRAPH_DEBUG_1 || r->own_log || r->options->clock ||
        pc_gpu_domain_count(r->gpu) == 0)
        return CLI_OK;
    return pc_gpu_run(r->gpu, 0, TRIGGER_MAX, &err) ? cli_error(&err, r->options->path, NULL)
                                                    : CLI_OK;
}

/* Holds a read against the trace; --expect-reads. */
static void compare(struct replay *r, struct replay_access *a)
{
    if (!r->options->expect)
        return;
    a->mask = replay_mask(r, a);
    if (a->mask == 0)
        return;
    r->counts.compared++;
    a->verdict = (a->value ^ a->model) & a->mask ? REPLAY_DIFFERS : REPLAY_SAME;
    r->counts.differ += a->verdict == REPLAY_DIFFERS;
}

static int access_model(struct replay *r, struct replay_access *a)
{
    if (a->write) {
        pc_gpu_write(r->gpu, a->address, a->size, a->value);
        return let_arrive(r, a);
    }
    a->model = pc_gpu_read(r->gpu, a->address, a->size);
    return CLI_OK;
}

static int make_access(struct replay *r, const struct pc_trace_event *e, uint32_t address)
{
    struct replay_access a = { .line = e->line,
                               .time_ns = e->time_ns,
                               .write = e->kind == PC_TRACE_WRITE,
                               .address = address,
                               .size = e->width,
                               .value = e->value };
    int code = need_gpu(r, e->line);

    if (code == CLI_OK)
        code = check_generation(r, address, e->line);
    if (code == CLI_OK)
        code = pass_time(r, e);
    if (code)
        return code;
    replay_name(r->chip, &a);
    code = r->options->card.address ? replay_pci_access(r, &a) : access_model(r, &a);
    if (code)
        return code;
    r->counts.writes += a.write;
    r->counts.reads += !a.write;
    if (!a.write)
        compare(r, &a);
    replay_report_access(r, &a);
    return CLI_OK;
}

static int take_access(struct replay *r, const struct pc_trace_event *e)
{
    if (!r->card.found)
        return card_not_found(r->options->path, e, NULL);
    if (e->address < r->card.base || e->address - r->card.base >= CARD_REGISTERS) {
        r->counts.elsewhere++;
        return CLI_OK;
    }

    uint32_t address = (uint32_t)(e->address - r->card.base);
    if (e->kind == PC_TRACE_READ && address == PMC_BOOT_ID && e->width == 4) {
        int code = take_boot_id(r, e);
        if (code)
            return code;
    }
    if (r->own_log && !r->mapped)
        return CLI_OK; /* for other tools: the run did not make it */
    if (!in_window(r, address)) {
        r->counts.outside++;
        return CLI_OK;
    }
    if (e->line < r->options->from_line || e->line > r->options->to_line) {
        r->counts.other_lines++;
        return CLI_OK;
    }
    if ((e->width != 4 || address % 4 != 0) && (!r->own_log || r->options->card.address)) {
        r->counts.odd++;
        return CLI_OK;
    }
    return make_access(r, e, address);
}

static int take(struct replay *r, const struct pc_trace_event *e)
{
    switch (e->kind) {
    case PC_TRACE_READ:
    case PC_TRACE_WRITE:
        return take_access(r, e);
    case PC_TRACE_PCIDEV:
        return take_pcidev(r, e);
    case PC_TRACE_MARK:
        return take_mark(r, e);
    case PC_TRACE_MAP:
        r->mapped = true;
        return CLI_OK; /* addresses are those of the bus: it tells nothing new */
    default:
        card_take_gap(&r->gaps, e);
        return CLI_OK;
    }
}

static bool done(const struct replay *r)
{
    return r->counts.differ > 0 && !r->options->keep_going;
}

int replay_drive(struct replay *r)
{
    struct pc_trace_desc desc = { .path = r->options->path, .max_ratio = r->options->max_ratio };
    struct pc_trace *trace = NULL;
    struct pc_trace_event event;
    struct pc_error err = { 0 };
    int code = cli_claim_input("replay", desc.path);

    if (code)
        return code;
    enum pc_status status = pc_trace_open(&desc, &trace, &err);

    if (!r->options->card.address)
        r->chip = r->options->chip;
    r->card = (struct card_place){ r->options->has_base, r->options->base, 0 };
    bool begun = false; /* not before it is known that this is a trace */
    while (!status && code == CLI_OK && !done(r) && rep_is_read(r->rep) && !pci_stopped()) {
        status = pc_trace_next(trace, &event, &err);
        if (!begun && (!status || status == PC_END))
            replay_report_begin(r);
        begun = true;
        if (!status)
            code = take(r, &event);
    }
    if (status && status != PC_END)
        code = cli_error(&err, r->options->path, NULL);
    if (trace)
        r->incomplete = card_tell_gaps(&r->gaps, trace, cli_input_name(r->options->path));
    pc_trace_close(trace);
    if (code == CLI_OK && r->options->expect && r->counts.compared == 0)
        code = card_fail(r->options->path, PC_EINPUT, 1212, 0,
                         "no read was compared: %s read%s in the window, of which none can be",
                         cli_grouped(r->counts.reads), r->counts.reads == 1 ? "" : "s");
    if (r->gpu && code == CLI_OK)
        cli_tell_diagnostics(r->gpu);
    pc_gpu_destroy(r->gpu);
    return code;
}
