/* SPDX-License-Identifier: MIT */
/*
 * Configurations from an mmiotrace: writes of four bytes to the registers of the card, which
 * is found as `pcounter replay` finds it.  A read of a counter, or a PM_TRIGGER, says that the
 * domains were used as they are.
 */
#include "decode_inputs.h"
#include "text/regs_text.h"
#include "replay/card.h"
#include "replay/replay_log.h"

#include <inttypes.h>
#include <string.h>

struct card {
    struct decode_inputs *in;
    const char *path;
    struct card_place place;
    struct card_gaps gaps;
};

static int take_pcidev(struct card *c, const struct pc_trace_event *e)
{
    struct pc_error err;

    return card_take_pcidev(&c->place, e, &err) ? cli_error(&err, c->path, NULL) : CLI_OK;
}

/* The boot id, or the mark of our own log, says which chip it is; -a, of one that is not known. */
static int take_boot_id(struct card *c, const struct pc_trace_event *e)
{
    const struct pc_chip *chip = card_chip((uint32_t)e->value);
    char by[60];

    snprintf(by, sizeof by, "the boot id 0x%08" PRIx32, (uint32_t)e->value);
    if (chip)
        return card_take_chip(&c->in->chip, chip, by, c->path, e->line);
    if (!c->in->chip)
        return card_fail(c->path, PC_ENOENT, 1206, e->line, "%s is of no chip that is known", by);
    return CLI_OK;
}

static int take_mark(struct card *c, const struct pc_trace_event *e)
{
    static const char chip[] = REPLAY_LOG_MARK "chip ", run[] = REPLAY_LOG_MARK "run ";
    char name[64];

    if (e->text_size >= sizeof run - 1 && memcmp(e->text, run, sizeof run - 1) == 0)
        decode_inputs_used(c->in);
    if (e->text_size < sizeof chip - 1 || memcmp(e->text, chip, sizeof chip - 1) != 0)
        return CLI_OK;
    size_t size = e->text_size - (sizeof chip - 1);
    snprintf(name, sizeof name, "%.*s", (int)(size < 60 ? size : 60), e->text + sizeof chip - 1);
    const struct pc_chip *said = cli_find_chip_at(name, c->path, e->line);
    return said ? card_take_chip(&c->in->chip, said, "the log's chip", c->path, e->line)
                : CLI_INPUT;
}

static int take_access(struct card *c, const struct pc_trace_event *e)
{
    struct pc_reg_info reg;

    if (!c->place.found)
        return card_not_found(c->path, e, "keep the lines PCIDEV at the beginning of the trace");
    if (e->address < c->place.base || e->address - c->place.base >= CARD_REGISTERS || e->width != 4)
        return CLI_OK;
    uint32_t address = (uint32_t)(e->address - c->place.base);
    if (e->kind == PC_TRACE_READ && address == PMC_BOOT_ID)
        return take_boot_id(c, e);
    if (address == PGRAPH_DEBUG_1 && e->kind == PC_TRACE_WRITE)
        decode_inputs_used(c->in);
    bool counters = (address >= PC_REG_BEGIN && address < PC_REG_END) ||
                    (address >= PC_REG_GF100_BEGIN && address < PC_REG_GF100_END);
    if (!counters)
        return CLI_OK;
    if (!c->in->chip)
        return card_fail(c->path, PC_ENOENT, 1206, e->line,
                         "an access before it is known which chip the trace is of: say it with -a");
    if (pc_reg_at(c->in->chip, address, &reg, NULL) != PC_OK)
        return CLI_OK;
    if (e->kind == PC_TRACE_WRITE)
        decode_inputs_add(c->in, &reg, (uint32_t)e->value, UINT32_MAX, e->line);
    else if (strncmp(reg.name, "CTR_", 4) == 0)
        decode_inputs_used(c->in);
    return CLI_OK;
}

static int take(struct card *c, const struct pc_trace_event *e)
{
    switch (e->kind) {
    case PC_TRACE_READ:
    case PC_TRACE_WRITE:
        return take_access(c, e);
    case PC_TRACE_PCIDEV:
        return take_pcidev(c, e);
    case PC_TRACE_MARK:
        return take_mark(c, e);
    default:
        card_take_gap(&c->gaps, e);
        return CLI_OK;
    }
}

int decode_trace_read(struct decode_inputs *in, const char *file, const char *path)
{
    struct card card = { .in = in, .path = path };
    struct pc_trace_desc desc = { .path = file, .max_ratio = in->max_ratio };
    struct pc_trace *trace = NULL;
    struct pc_trace_event event;
    struct pc_error err = { 0 };
    enum pc_status status = pc_trace_open(&desc, &trace, &err);
    int code = CLI_OK;

    while (!status && code == CLI_OK) {
        status = pc_trace_next(trace, &event, &err);
        if (!status)
            code = take(&card, &event);
    }
    if (status && status != PC_END)
        code = cli_error(&err, path, NULL);
    if (trace)
        card_tell_gaps(&card.gaps, trace, path);
    pc_trace_close(trace);
    if (code == CLI_OK && !in->chip)
        code = decode_nothing(path);
    return code == CLI_OK ? decode_inputs_end(in) : code;
}
