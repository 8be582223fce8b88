/* SPDX-License-Identifier: MIT */
#include "emit_rnndb_names.h"

#include "text/regs_text.h"

#include <string.h>

const char *emit_rnndb_register(const char *name, bool in_runs, unsigned run)
{
    if (strcmp(name, "SIG_STATUS") != 0)
        return name;
    return !in_runs ? "STATUS" : run == 0 ? "STATUS_0" : "STATUS_1";
}

/* The first row that fits. */
static const struct emit_rnndb_field rows[] = {
    { "*_SRC", "SRC0", "0", 0, 0, { 0 } },
    { "*_SRC", "SRC1", "1", 0, 0, { 0 } },
    { "*_SRC", "SRC2", "2", 0, 0, { 0 } },
    { "*_SRC", "SRC3", "3", 0, 0, { 0 } },
    { "*_OP", "ARG0_DELAY", "ARG0_DELAY1", 0, 0, { 0 } },
    { "*_OP", "ARG1_DELAY", "ARG1_DELAY1", 0, 0, { 0 } },
    { "*_OP", "ARG2_SRC0D", "ARG2", 0, 2, { "SRC2", "SRC0_DELAY1" } },
    { "*_OP", "ARG3_SETFLAG", "ARG3", 0, 2, { "SRC", "SETFLAG" } },
    { "EVENT_OP", "ARG3_SRC1D", "ARG3_SRC", 0, 2, { "SRC3", "SRC1_DELAY1" } },
    { "STOP_OP", "ARG3_SRC1D", "ARG3_SRC", 0, 2, { "SRC3", "SRC1_DELAY1" } },
    { "*_OP", "ARG3_SRC1D", "ARG3", 0, 2, { "SRC3", "SRC1_DELAY1" } },
    { "SRC_STATUS", "PRE_SRC", "PRE", 0, 0, { 0 } },
    { "SRC_STATUS", "START_SRC", "START", 0, 0, { 0 } },
    { "SRC_STATUS", "EVENT_SRC", "EVENT", 0, 0, { 0 } },
    { "SRC_STATUS", "STOP_SRC", "STOP", 0, 0, { 0 } },
    { "USER_TRIGGER", "USER_0", "VAL_0", 0, 0, { 0 } },
    { "USER_TRIGGER", "USER_1", "VAL_1", 0, 0, { 0 } },
    { "USER_TRIGGER", "USER_0_PULSE", "PULSE_0", 0, 0, { 0 } },
    { "USER_TRIGGER", "USER_1_PULSE", "PULSE_1", 0, 0, { 0 } },
    { "RECORD_STATUS", "POSITION", "POS", 4, 0, { 0 } },
    { "RECORD_*", "ADDRESS", "ADDRESS", 4, 0, { 0 } }, /* of bytes, as for POS */
    { "CTRL",
      "PERIODIC_PERIOD",
      "PERIODIC_PERIOD",
      0,
      8,
      { "DISABLED", "1K", "2K", "4K", "8K", "16K", "32K", "64K" } },
};

const struct emit_rnndb_field *emit_rnndb_field(const char *reg, const char *field)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].field, field) == 0 && cli_matches(rows[i].reg, reg))
            return &rows[i];
    return NULL;
}
