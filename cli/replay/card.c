/* SPDX-License-Identifier: MIT */
/* The card of a trace. */
#include "card.h"

#include <inttypes.h>
#include <stdarg.h>

#define VENDOR 0x10deu

enum pc_status card_take_pcidev(struct card_place *card, const struct pc_trace_event *e,
                                struct pc_error *err)
{
    uint64_t base = e->bar[0] & ~UINT64_C(0xf);

    if (e->vendor != VENDOR || e->bar_size[0] < CARD_REGISTERS)
        return PC_OK;
    if (card->found && card->base != base) {
        *err = (struct pc_error){ .status = PC_EAMBIG, .code = 1205, .line = e->line };
        snprintf(err->text, sizeof err->text,
                 "registers of one card are at 0x%" PRIx64 " (line %" PRIu32
                 "), of another at 0x%" PRIx64,
                 card->base, card->line, base);
        return err->status;
    }
    *card = (struct card_place){ .found = true, .base = base, .line = e->line };
    return PC_OK;
}

void card_take_gap(struct card_gaps *gaps, const struct pc_trace_event *e)
{
    if (e->kind != PC_TRACE_LOST && e->kind != PC_TRACE_UNKNOWN)
        return;
    if (gaps->line == 0)
        gaps->line = e->line;
    gaps->unknown += e->kind == PC_TRACE_UNKNOWN;
    if (e->kind == PC_TRACE_LOST) {
        gaps->lost += e->value ? e->value : 1;
        gaps->more |= e->value == 0;
    }
}

bool card_tell_gaps(const struct card_gaps *gaps, const struct pc_trace *trace, const char *path)
{
    const char *end = pc_trace_warning(trace);
    char lost[80] = "", unknown[80] = "";

    if (gaps->lost)
        snprintf(lost, sizeof lost, "%s%s event%s lost when it was recorded",
                 gaps->more ? "at least " : "", cli_grouped(gaps->lost),
                 gaps->lost == 1 ? " was" : "s were");
    if (gaps->unknown)
        snprintf(unknown, sizeof unknown, "%s access%s UNKNOWN to the kernel",
                 cli_grouped(gaps->unknown), gaps->unknown == 1 ? " was" : "es were");
    if (gaps->line)
        cli_warning(1207,
                    "%s: %s%s%s (first said in line %s): what they did is not known, and "
                    "the report is not complete",
                    path, lost, lost[0] && unknown[0] ? ", " : "", unknown,
                    cli_grouped(gaps->line));
    if (end)
        cli_warning(1208, "%s: %s", path, end);
    return gaps->line || end;
}

const struct pc_chip *card_chip(uint32_t boot_id)
{
    const unsigned id = boot_id >> 20 & 0x1ff;

    for (size_t i = 0; i < pc_chip_count() && id != 0; i++)
        if (pc_chip_at(i)->id == id)
            return pc_chip_at(i);
    return NULL;
}

int card_take_chip(const struct pc_chip **chip, const struct pc_chip *said, const char *by,
                   const char *path, uint32_t line)
{
    if (*chip && *chip != said)
        return card_fail(path, PC_EINPUT, 1207, line, "%s is that of %s, not of %s", by, said->name,
                         (*chip)->name);
    *chip = said;
    return CLI_OK;
}

int card_not_found(const char *path, const struct pc_trace_event *e, const char *hint)
{
    struct pc_error err = { .status = PC_ENOENT, .code = 1204, .line = e->line };

    snprintf(err.text, sizeof err.text,
             "an access at 0x%" PRIx64 " before a line PCIDEV with vendor 10de", e->address);
    if (hint)
        snprintf(err.hint, sizeof err.hint, "%s", hint);
    return cli_error(&err, path, NULL);
}

int card_fail(const char *path, enum pc_status status, unsigned code, uint32_t line,
              const char *fmt, ...)
{
    struct pc_error err = { .status = status, .code = code, .line = line };
    va_list args;

    va_start(args, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, args);
    va_end(args);
    return cli_error(&err, path, NULL);
}
