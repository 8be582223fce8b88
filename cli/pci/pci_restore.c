/* SPDX-License-Identifier: MIT */
#include "pci/pci.h"

#include "text/card_regs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The register there, if `list registers` has it. */
static bool known(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out)
{
    struct pc_chip_domain domain;

    if (pc_reg_at(chip, address, out, NULL) == PC_OK &&
        (out->domain < 0 || chip->layout == PC_LAYOUT_GF100 ||
         pc_chip_get_domain(chip, (unsigned)out->domain, &domain)))
        return true;
    if (cli_card_at(chip, address, out))
        return true;
    *out = (struct pc_reg_info){ .name = "", .readable = true, .rw_mask = UINT32_MAX };
    return pc_gpu_keeps(chip, address); /* the pair of C51 and MCP73 */
}

static enum pc_status add(struct pci_card *card, const struct pci_saved *s, struct pc_error *err)
{
    const size_t more = card->capacity ? 2 * card->capacity : 64;
    struct pci_saved *grown = card->count < card->capacity
                                  ? card->saved
                                  : realloc(card->saved, more * sizeof *card->saved);

    if (!grown)
        return cli_fail(err, 100, "no memory for the registers of the card");
    card->capacity = card->count < card->capacity ? card->capacity : more;
    card->saved = grown;
    card->saved[card->count++] = *s;
    return PC_OK;
}

enum pc_status pci_save(struct pci_card *card, uint32_t address, struct pc_error *err)
{
    struct pci_saved s = { .address = address, .mask = UINT32_MAX };
    struct pc_reg_info reg;

    for (size_t i = 0; i < card->count; i++)
        if (card->saved[i].address == address)
            return PC_OK;
    if (known(card->chip, address, &reg)) {
        s.mask = reg.readable ? reg.rw_mask : 0;
        s.control = strcmp(reg.name, "CTRL") == 0;
        s.counter = strncmp(reg.name, "CTR_", 4) == 0;
    } else if (!card->options.any_register) {
        const enum pc_status status =
            cli_fail(err, 2107, "0x%06" PRIx32 " is not a register that `list registers -a %s` has",
                     address, card->chip->name);
        snprintf(err->hint, sizeof err->hint, "--any-register writes it all the same");
        return status;
    }
    /* A trigger keeps nothing; it is noted all the same, so as not to be looked up again. */
    const enum pc_status status = s.mask ? pci_read(card, address, &s.value, err) : PC_OK;
    return status ? status : add(card, &s, err);
}

/* CTRL last: it ends what a register that starts something has started again. */
static void put_back(struct pci_card *card, bool control)
{
    struct pc_error err;

    for (size_t i = card->count; i-- > 0;) {
        const struct pci_saved *s = &card->saved[i];
        if (s->mask && s->written && s->control == control &&
            pci_write(card, s->address, 4, s->value & s->mask, &err) == PC_OK)
            card->put_back++;
    }
}

void pci_restore(struct pci_card *card)
{
    struct pc_error err;

    if (card->keep || card->gone || !card->bar)
        return;
    put_back(card, false);
    put_back(card, true);
    for (size_t i = 0; i < card->count && !card->gone; i++) {
        const struct pci_saved *s = &card->saved[i];
        uint32_t value;
        if (s->mask == 0 || !s->written || s->counter)
            continue;
        if (pci_read(card, s->address, &value, &err) == PC_OK && ((value ^ s->value) & s->mask)) {
            card->differs_at = card->differ++ ? card->differs_at : s->address;
        }
    }
    card->count = 0; /* once */
}

void pci_tell(const struct pci_card *card)
{
    char waited[120] = "";

    if (card->cycles)
        snprintf(waited, sizeof waited, "at least %s passed in `run`, at %s Hz by %s; ",
                 cli_count(card->cycles, "cycle"), cli_grouped(pci_hz(card)),
                 card->stands ? "this machine's clock, as PTIMER stands" : "PTIMER");
    if (!card->written && !card->cycles)
        return;
    if (card->gone)
        cli_warning(2102, "card %s: it stopped answering; no register was put back", card->address);
    else if (card->keep)
        cli_note(2101, "card %s (%s): %swhat was written stays (`keep`)", card->address,
                 card->chip->name, waited);
    else
        cli_note(2101, "card %s (%s): %s%s put back", card->address, card->chip->name, waited,
                 cli_count(card->put_back, "register"));
    if (card->differ)
        cli_warning(2103, "card %s: %s %s not have the old value, the first is 0x%06" PRIx32,
                    card->address, cli_count(card->differ, "register"),
                    card->differ == 1 ? "does" : "do", card->differs_at);
}
