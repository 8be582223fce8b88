/* SPDX-License-Identifier: MIT */
/* The unit of a chip that has one, the hub's where there are sets, as it comes out of reset. */
#ifndef MAKE_UNIT_H
#define MAKE_UNIT_H

#include "test.h"

static inline struct pc_unit *make_unit(const struct pc_chip *chip)
{
    struct pc_unit_desc desc = { .chip = chip };
    struct pc_unit *unit;
    struct pc_error err;

    if (chip->layout == PC_LAYOUT_GF100)
        desc.set = PC_SET_HUB;
    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    return unit;
}

#endif
