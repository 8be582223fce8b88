/* SPDX-License-Identifier: MIT */
/* Describes what a write of a register does. */
#ifndef PC_CLI_WRITTEN_TEXT_H
#define PC_CLI_WRITTEN_TEXT_H

#include "cli.h"

void cli_written_text(const struct pc_chip *chip, const struct pc_reg_info *reg, uint32_t value,
                      char *out, size_t size);

/* A word that MCP73 keeps where the layout has a register of a domain that it lacks (D-09). */
bool cli_is_opaque(const struct pc_chip *chip, const struct pc_reg_info *reg);

#endif
