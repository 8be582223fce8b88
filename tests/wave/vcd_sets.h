/* SPDX-License-Identifier: MIT */
/* What tests that force each set of the VCD scanner say of those that this CPU lacks. */
#ifndef PC_TESTS_WAVE_VCD_SETS_H
#define PC_TESTS_WAVE_VCD_SETS_H

#include "test.h"
#include "wave/vcd/fast.h"

/* A case for cmocka: all that the test does forces each set of instructions that this CPU has. */
static void every_set_is_usable(void **state)
{
    const struct vcd_scan_kernel *kernel;

    (void)state;
    for (size_t i = 0; (kernel = vcd_scan_at(i)) != NULL; i++) {
        if (!kernel->usable())
            test_say_skip(kernel->name, "this CPU does not have its instructions");
        assert_true(kernel->usable() || kernel != vcd_scan_best());
    }
}

#endif
