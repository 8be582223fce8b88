/* SPDX-License-Identifier: MIT */
/*
 * Is there any encoding?  Gone through in a way of its own: all sources, all late bits, and,
 * for SETFLAG as an argument, all its 65,536 tables.
 */
#ifndef PC_TEST_EXHAUSTIVE_H
#define PC_TEST_EXHAUSTIVE_H

#include "want.h"

enum { EXHAUSTIVE_SIGNALS = 4 };

/*
 * One input without SETFLAG: signals 0 to 3 from position `first` on.  arg23: ARG2, ARG3 can
 * be late (G92 and later).
 */
bool exhaustive_plain(const struct cm_func *f, unsigned first, bool arg23);

/* EVENT or STOP with SETFLAG as ARG3; f has up to five atoms, all of which matter. */
bool exhaustive_chain(const struct cm_func *f, bool arg23);

#endif
