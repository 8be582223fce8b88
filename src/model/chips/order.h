/* SPDX-License-Identifier: MIT */
/* Places of the chips in the feature order: PC_ORDER_NV10, ..., PC_ORDER_END. */
#ifndef PC_MODEL_CHIPS_ORDER_H
#define PC_MODEL_CHIPS_ORDER_H

enum {
#include "chip_order.inc"
};

#endif
