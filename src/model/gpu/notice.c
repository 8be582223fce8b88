/* SPDX-License-Identifier: MIT */
/* Puts what the model noticed into words. */
#include "model/gpu/gpu.h"

#include <stdio.h>

#include "model/regs/regs.h"

/* Sentences of conditions that need no number. */
static const struct {
    enum pc_diag what;
    const char *text;
} notice_plain[] = {
    { PC_DIAG_COMB_LOOP,
      "EVENT depends on itself in the same cycle: there it takes the EVENT of the last one "
      "(D-21)" },
    { PC_DIAG_CTR_MODE, "CTR_MODE has a value without a meaning (D-40; option ctr-mode-reserved)" },
    { PC_DIAG_MODE, "MODE has a value that the chip does not have (D-41; option mode-reserved)" },
    { PC_DIAG_RECORD_FAULT,
      "a packet met a fault (D-70a; option record-fault): was a channel bound (RECORD_DMA, "
      "RECORD_CHAN)?" },
    { PC_DIAG_RECORD_LOST, "packets were dropped: the buffer was full or not valid (D-69)" },
    { PC_DIAG_BOGUS_PACKET,
      "record mode began with a packet of what another mode had counted (D-68)" },
    { PC_DIAG_SATURATED, "a counter reached its end: what came after it is not in it" },
};

/* Reports why a signal gives nothing: "its signals end at 5f" */
static void notice_why(const struct pc_chip *chip, unsigned inside, unsigned signal, char *out,
                       size_t size)
{
    const struct pc_signal_info info = pc_chip_signal(chip, inside, signal);

    if (info.kind == PC_SIG_ABSENT)
        snprintf(out, size, "its signals end at %02x", chip->domain[inside].size - 1u);
    else if (info.kind == PC_SIG_RAW)
        snprintf(out, size, "it is an input from the card");
    else
        snprintf(out, size, "it is %s of domain %u, which %s does not have",
                 info.kind == PC_SIG_DOM_FLAG ? "FLAG" : "EVENT", info.index, chip->name);
}

static void notice_signal(const struct pc_unit *unit, unsigned inside, const char *name, char *out)
{
    const struct pc_domain *d = &unit->state.domain[inside];
    char why[80];

    notice_why(unit->chip, inside, d->no_signal, why, sizeof why);
    snprintf(out, PC_NOTICE_TEXT, "domain %s: a selection of signal %02x reads 0: %s", name,
             (unsigned)d->no_signal, why);
}

/* SWAP_SRC may have changed since. */
static void notice_swap(const struct pc_unit *unit, unsigned inside, const char *name, char *out)
{
    const struct pc_slots *slots = &unit->slots[inside];
    const unsigned s = PC_GET(unit->state.domain[inside].spec_src, SPEC_SRC, SWAP);
    char why[80] = "it was another one then";

    if ((slots->raw[s / 64] | slots->none[s / 64]) >> (s % 64) & 1)
        notice_why(unit->chip, inside, s, why, sizeof why);
    snprintf(out, PC_NOTICE_TEXT,
             "domain %s: USER_TRIGGER swapped nothing, so no period has ended: SWAP_SRC is signal "
             "%02x, and %s",
             name, s, why);
}

static void notice_say(const struct pc_gpu *gpu, unsigned domain, enum pc_diag what, char *out)
{
    const struct pc_gpu_domain *x = &gpu->domain[domain];
    const unsigned count = pc_gpu_domain_count(gpu);
    struct pc_chip_domain d = { .name = "?" };

    (void)pc_chip_get_domain(gpu->chip, domain, &d);
    if (what == PC_DIAG_NO_SIGNAL)
        notice_signal(x->unit, x->domain, d.name, out);
    else if (what == PC_DIAG_NO_SWAP)
        notice_swap(x->unit, x->domain, d.name, out);
    else if (what == PC_DIAG_NO_DOMAIN)
        snprintf(out, PC_NOTICE_TEXT, "%s has %u domain%s: what was written to others was dropped",
                 gpu->chip->name, count, count == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof notice_plain / sizeof notice_plain[0]; i++)
        if (notice_plain[i].what == what)
            snprintf(out, PC_NOTICE_TEXT, "domain %s: %s", d.name, notice_plain[i].text);
}

bool pc_gpu_get_notice(const struct pc_gpu *gpu, size_t i, struct pc_gpu_notice *out)
{
    static const enum pc_diag order[] = { PC_DIAG_NO_SIGNAL,   PC_DIAG_NO_SWAP,
                                          PC_DIAG_COMB_LOOP,   PC_DIAG_CTR_MODE,
                                          PC_DIAG_MODE,        PC_DIAG_RECORD_FAULT,
                                          PC_DIAG_RECORD_LOST, PC_DIAG_BOGUS_PACKET,
                                          PC_DIAG_SATURATED,   PC_DIAG_NO_DOMAIN };

    for (unsigned domain = 0; domain < pc_gpu_domain_count(gpu); domain++) {
        const struct pc_gpu_domain *x = &gpu->domain[domain];
        const uint32_t said = pc_unit_diagnostics(x->unit, x->domain);
        for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
            if (said & order[k] && i-- == 0) {
                *out = (struct pc_gpu_notice){ .what = order[k], .domain = domain };
                notice_say(gpu, domain, order[k], out->text);
                return true;
            }
    }
    return false;
}
