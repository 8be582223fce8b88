/* SPDX-License-Identifier: MIT */
/* The named switches; the rows are in option.c. */
#ifndef PC_MODEL_OPTION_H
#define PC_MODEL_OPTION_H

#include "pcounter/pcounter.h"

/* The struct whose member a switch sets: pc_options, pc_device_options, pc_idle. */
enum pc_option_owner { PC_OPTION_UNIT, PC_OPTION_DEVICE, PC_OPTION_IDLE };

struct pc_option_row {
    enum pc_option_owner owner;
    uint8_t bytes; /* of the member: 1 or 4 */
    size_t at;
    struct pc_option_info info;
};

/* Finds the option and checks its value: *number is the index of a choice, or the number itself. */
enum pc_status pc_option_look_up(const char *name, const char *value,
                                 const struct pc_option_row **row, uint32_t *number,
                                 struct pc_error *err);
/* Sets the row's member of its owner. */
void pc_option_set(const struct pc_option_row *row, void *owner, uint32_t number);

#endif
