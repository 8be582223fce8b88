/* SPDX-License-Identifier: MIT */
/* What vcd_fast.c keeps. */
#ifndef PC_WAVE_VCD_FAST_H
#define PC_WAVE_VCD_FAST_H

#include "wave/vcd_scan.h"

struct vcd_fast {
    const struct vcd_scan_kernel *kernel;
    struct vcd_sets sets;
    struct vcd_scan scan;
    struct vcd_scan_slot *slot;
    struct vcd_scan_tap *tap;
    struct vcd_scan_key *key;
    uint32_t *slot_of; /* code -> slot + 1 */
    struct vcd_mark *mark;
    struct wv_event *event;
    size_t taps, slots, keys, marks;
    unsigned pause, failures; /* groups to be left to the parser, more after each failure */
};

#endif
