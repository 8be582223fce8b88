/* SPDX-License-Identifier: MIT */
/* The form of an input of `mmio`, for the target and its mutator. */
#ifndef PC_FUZZ_MMIO_H
#define PC_FUZZ_MMIO_H

enum { MMIO_HEAD = 4, MMIO_ACTION = 16 };

#endif
