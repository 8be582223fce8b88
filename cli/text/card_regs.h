/* SPDX-License-Identifier: MIT */
/*
 * Registers of the modelled card around PCOUNTER: PMC, PGRAPH's trigger, unit counts, the PDAEMON
 * idle counters, in the form of pc_reg_at().  Clauses are empty but those of PDAEMON.
 */
#ifndef PC_CLI_CARD_REGS_H
#define PC_CLI_CARD_REGS_H

#include "pcounter/pcounter.h"

/* Finds the register at an address; or of a name with or without what stands before its dot, or
 * I[...].
 */
bool cli_card_at(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out);
bool cli_card_find(const struct pc_chip *chip, const char *name, struct pc_reg_info *out);
/* Finds the register of PDAEMON at an address of its own processor. */
bool cli_card_at_io(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out);
/* That address, as "I[14300]"; "" for a register that has none. */
struct cli_io_address {
    char text[16];
};
struct cli_io_address cli_io_address(const struct pc_chip *chip, const struct pc_reg_info *reg);
/* Reads such an address; false: the text is none. */
bool cli_parse_io(const char *text, uint32_t *address);
/*
 * All registers of the chip by address: those of the unit, and these between them.  From
 * { 0 } on; false after the last one.
 */
struct cli_reg_walk {
    size_t unit;   /* registers of the unit so far */
    uint32_t card; /* address from which on the next one around it is */
};
bool cli_reg_next(const struct pc_chip *chip, struct cli_reg_walk *walk, struct pc_reg_info *out);
/* Returns true if it is one of them. */
bool cli_is_card(const struct pc_reg_info *reg);
/* Returns what a write of the value does besides storing; "" if nothing. */
const char *cli_card_effect(const struct pc_chip *chip, const struct pc_reg_info *reg,
                            uint32_t value);

#endif
