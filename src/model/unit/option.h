/* SPDX-License-Identifier: MIT */
/* The named switches by number; the rows are in option.c. */
#ifndef PC_MODEL_OPTION_H
#define PC_MODEL_OPTION_H

#include "pcounter/pcounter.h"

enum pc_option_id {
    OPT_IGP_PAIR,
    OPT_FLAG_IMPORT,
    OPT_PERIODIC_RESTART,
    OPT_CTR_MODE_RESERVED,
    OPT_MODE_RESERVED,
    OPT_CTR_WRITE_ABORT,
    OPT_QUAD_ENTRY,
    OPT_QUAD_EXIT,
    OPT_RECORD_LATENCY,
    OPT_RECORD_BOGUS,
    OPT_RECORD_INVALID,
    OPT_RECORD_FAULT,
    OPT_PM_LATENCY,
    OPT_HOST_BUS,
    OPT_GF100_CTR_MODES,
    OPT_GF100_HALTED_FLAG,
    OPT_GF100_STREAM,
    OPT_GCTRL_TRIGGER,
    OPT_IDLE_NOT_ALL,
    OPT_IDLE_OVERFLOW,
    OPT_IDLE_ABSENT
};

/* Finds the option and checks its value: *number is the index of a choice, or the number itself. */
enum pc_status pc_option_look_up(const char *name, const char *value, enum pc_option_id *id,
                                 uint32_t *number, struct pc_error *err);

#endif
