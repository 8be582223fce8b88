/* SPDX-License-Identifier: MIT */
/*
 * The feature table: what each generation of PCOUNTER added and removed, one row a
 * chip.  Code asks for features; where a chip decides that no feature stands for, it compares the
 * place in the order of the chips (docs/ARCHITECTURE.md lists where).
 *
 * Clauses: introduction of the document ("There are two major revisions ..."),
 * "Trailer signals", D-08, D-10, D-15 (sizes that no document has: U-009).  Rows come from
 * data/chips.csv and data/trailers.csv at build time (D-13: offsets 2d and 2f of GF100; D-29: what
 * NV10:NV40 lacks).
 *
 * GF100+ chips have 0 domains of their own: these are in their sets (data/gf100_sets.csv).
 */
#include "pcounter/pcounter.h"
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"
#include "model/chips/order.h"

#include <string.h>

/* PC.CHIP.6: what each range adds and removes */
enum {
    F_NV10 = PC_F_OWN_FLAG_SRC | PC_F_CTR40,
    F_NV15 = F_NV10 | PC_F_PERIOD_ALL, /* added one period / all periods switch */
    F_NV20 = F_NV15 | PC_F_DOM_FLAGS,  /* added second domain */
    F_NV30 = (F_NV20 & ~(PC_F_OWN_FLAG_SRC | PC_F_CTR40)) | PC_F_QUAD | PC_F_SETFLAG_ARG,
    F_NV40 = F_NV30 | PC_F_WIDE_MODES | PC_F_DOM_EVENTS | PC_F_PULSE_IMPORT,
    F_G84 = F_NV40 | PC_F_RECORD | PC_F_SWAP_SRC | PC_F_PREOP_SWAP | PC_F_PERIODIC,
    F_G92 = F_G84 | PC_F_ARG23_DELAY | PC_F_RECORD_HIGH | PC_F_CTRL30,
    F_GT215 = F_G92 | PC_F_USER,
    F_GF100 =
        (F_GT215 & ~(PC_F_RECORD | PC_F_PREOP_SWAP | PC_F_RECORD_HIGH | PC_F_CTRL30)) | PC_F_GF100
};

/* How many domains each has is in its row (PC.CHIP.4). */
static const struct pc_chip chips[] = {
#include "chips.inc"
};

struct trailer {
    uint8_t from, to; /* half-open range of chips, by order: PC.CHIP.3 */
    uint8_t offset;   /* from the domain's trailer base */
    enum pc_signal_kind kind;
    unsigned index;
};
static const struct trailer trailers[] = {
#include "trailers.inc"
};

struct set_row {
    const char *chip;
    struct pc_set_info info;
};
static const struct set_row sets[] = {
#include "gf100_sets.inc"
};

size_t pc_chip_count(void)
{
    return sizeof chips / sizeof chips[0];
}

const struct pc_chip *pc_chip_at(size_t i)
{
    return i < pc_chip_count() ? &chips[i] : NULL;
}

/* Does the list "NVA0; GT200" hold the name? */
static bool in_list(const char *name, const char *list)
{
    while (*list) {
        size_t n = strcspn(list, ";");
        if (n > 0 && pc_same_start(list, n, name))
            return true;
        list += n;
        list += strspn(list, "; ");
    }
    return false;
}

const struct pc_chip *pc_chip_find(const char *name)
{
    if (!name)
        return NULL;
    for (size_t i = 0; i < pc_chip_count(); i++)
        if (pc_same_text(name, chips[i].name))
            return &chips[i];
    for (size_t i = 0; i < pc_chip_count(); i++)
        if (in_list(name, chips[i].aliases))
            return &chips[i];
    return NULL;
}

void pc_chip_near(const char *name, char *out, size_t size)
{
    struct pc_near near;

    pc_near_begin(&near, name);
    for (size_t i = 0; i < pc_chip_count(); i++)
        pc_near_offer(&near, chips[i].name);
    pc_near_text(&near, out, size);
}

static bool trailer_applies(const struct trailer *t, const struct pc_chip *chip)
{
    return chip->order >= t->from && chip->order < t->to;
}

/*
 * Finds what drives a signal of the trailer: the positions are rows of data/trailers.csv
 * (PC.TRAIL.1 PC.TRAIL.2 PC.TRAIL.3 PC.TRAIL.4 PC.TRAIL.5 PC.TRAIL.6 PC.TRAIL.7 PC.TRAIL.8
 * PC.TRAIL.9 PC.SIG.5).
 */
struct pc_signal_info pc_chip_signal(const struct pc_chip *chip, unsigned domain, unsigned signal)
{
    struct pc_signal_info raw = { PC_SIG_RAW, 0 };

    if (domain >= chip->domains || signal >= chip->domain[domain].size)
        return (struct pc_signal_info){ PC_SIG_ABSENT, 0 }; /* D-30 */

    const struct pc_domain_info *d = &chip->domain[domain];
    for (unsigned u = 0; u < 2; u++)
        if (d->user[u] == (int)signal)
            return (struct pc_signal_info){ PC_SIG_USER, u };
    if (chip->pm_trigger_raw == (int)signal)
        return (struct pc_signal_info){ PC_SIG_PM_TRIGGER, 0 };
    if ((int)signal < d->trailer_base) /* most are, and starting up asks for all signals */
        return raw;
    for (size_t i = 0; i < sizeof trailers / sizeof trailers[0]; i++)
        if (d->trailer_base + trailers[i].offset == (int)signal &&
            trailer_applies(&trailers[i], chip))
            return (struct pc_signal_info){ trailers[i].kind, trailers[i].index };
    return raw;
}

/* Engine, client and DMA slot of packets: PC.REC.27 before GF100, PC.GF.48 from there on. */
bool pc_chip_vm(const struct pc_chip *chip, struct pc_vm_access *out)
{
    if (chip->layout == PC_LAYOUT_GF100)
        *out = (struct pc_vm_access){ 0x13, 0x11, 0 };
    else
        *out = (struct pc_vm_access){ 0xb, 0xf, 0 };
    return chip->layout == PC_LAYOUT_GF100 || chip->features & PC_F_RECORD;
}

const struct pc_set_info *pc_chip_set(const struct pc_chip *chip, size_t i)
{
    for (size_t r = 0; r < sizeof sets / sizeof sets[0]; r++)
        if (strcmp(sets[r].chip, chip->name) == 0 && i-- == 0)
            return &sets[r].info;
    return NULL;
}

enum pc_status pc_chip_of_set(const struct pc_chip *chip, enum pc_set set, struct pc_chip *out,
                              struct pc_error *err)
{
    const struct pc_set_info *info;

    if (set == PC_SET_ALL && chip->layout != PC_LAYOUT_GF100) {
        *out = *chip;
        return PC_OK;
    }
    for (size_t i = 0; (info = pc_chip_set(chip, i)) != NULL; i++) {
        if (info->set == set) {
            *out = *chip;
            out->domains = info->domains;
            memcpy(out->domain, info->domain, sizeof out->domain);
            return PC_OK;
        }
    }
    return pc_fail(err, 413, "%s has no such domain set", chip->name);
}

int pc_chip_signal_position(const struct pc_chip *chip, unsigned domain, enum pc_signal_kind kind,
                            unsigned index)
{
    if (domain >= chip->domains)
        return -1;

    const struct pc_domain_info *d = &chip->domain[domain];
    if (kind == PC_SIG_USER && index < 2 && d->user[index] >= 0)
        return d->user[index];
    if (kind == PC_SIG_PM_TRIGGER && chip->pm_trigger_raw >= 0)
        return chip->pm_trigger_raw;
    for (size_t i = 0; i < sizeof trailers / sizeof trailers[0]; i++) {
        const struct trailer *t = &trailers[i];
        if (t->kind == kind && t->index == index && trailer_applies(t, chip) &&
            d->trailer_base + t->offset < d->size)
            return d->trailer_base + t->offset;
    }
    return -1;
}
