/* SPDX-License-Identifier: MIT */
#include "text/diag_text.h"

#include "cli.h"

#include <inttypes.h>

/*
 * What a domain can notice, a sentence each.  Not here: a period that was lost, which QUAD_STATE
 * shows, and writes that hit nothing, which are noted by their address.
 */
static const struct {
    enum pc_diag bit;
    unsigned code;
    const char *text;
} rows[] = {
    { PC_DIAG_COMB_LOOP, 811,
      "EVENT depends on itself in the same cycle: there it takes the EVENT of the last one "
      "(D-21)" },
    { PC_DIAG_CTR_MODE, 811,
      "CTR_MODE has a value without a meaning (D-40; option "
      "ctr-mode-reserved)" },
    { PC_DIAG_MODE, 811,
      "MODE has a value that the chip does not have (D-41; option "
      "mode-reserved)" },
    { PC_DIAG_RECORD_FAULT, 812,
      "a packet met a fault (D-70a; option record-fault): was a channel "
      "bound (RECORD_DMA, RECORD_CHAN)?" },
    { PC_DIAG_RECORD_LOST, 812, "packets were dropped: the buffer was full or not valid (D-69)" },
    { PC_DIAG_BOGUS_PACKET, 812,
      "record mode began with a packet of what another mode had counted "
      "(D-68)" },
    { PC_DIAG_SATURATED, 813, "a counter reached its end: what came after it is not in it" },
};

static void tell_signal(const struct pc_unit *unit, unsigned inside, const char *name)
{
    const struct pc_chip *chip = pc_unit_chip(unit);
    const int signal = pc_unit_no_signal(unit, inside);
    struct pc_signal_info info;

    if (signal < 0)
        return;
    info = pc_chip_signal(chip, inside, (unsigned)signal);
    if (info.kind == PC_SIG_ABSENT)
        cli_note(810, "domain %s: a selection of signal %02x reads 0: its signals end at %02x",
                 name, (unsigned)signal, chip->domain[inside].size - 1u);
    else
        cli_note(810,
                 "domain %s: a selection of signal %02x reads 0: it is %s of domain %u, which "
                 "%s does not have",
                 name, (unsigned)signal, info.kind == PC_SIG_DOM_FLAG ? "FLAG" : "EVENT",
                 info.index, chip->name);
}

static void tell_domain(const struct pc_gpu *gpu, unsigned domain)
{
    struct pc_gpu_domain_info info;
    struct pc_chip_domain d;
    uint32_t said;

    pc_gpu_domain_info(gpu, domain, &info);
    said = pc_unit_diagnostics(info.unit, info.domain);
    if (!said || !pc_chip_domain(pc_gpu_chip(gpu), domain, &d))
        return;
    tell_signal(info.unit, info.domain, d.name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (said & rows[i].bit)
            cli_note(rows[i].code, "domain %s: %s", d.name, rows[i].text);
    if (said & PC_DIAG_NO_DOMAIN)
        cli_note(201, "%s has %u domain%s: what was written to others was dropped",
                 pc_gpu_chip(gpu)->name, pc_gpu_domain_count(gpu),
                 pc_gpu_domain_count(gpu) == 1 ? "" : "s");
}

void cli_tell_diagnostics(const struct pc_gpu *gpu)
{
    for (unsigned x = 0; x < pc_gpu_domain_count(gpu); x++)
        tell_domain(gpu, x);
}

void cli_tell_undecoded(struct pc_gpu *gpu)
{
    uint32_t address;

    if (pc_gpu_undecoded(gpu, &address))
        cli_note(802,
                 "0x%06" PRIx32 " is not a register of this model (the first such access): it "
                 "reads 0x%" PRIx32 " and forgets what is written",
                 address, pc_gpu_read32(gpu, address));
}
