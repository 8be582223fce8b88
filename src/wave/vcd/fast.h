/* SPDX-License-Identifier: MIT */
/* The memory of fast.c. */
#ifndef PC_WAVE_VCD_FAST_H
#define PC_WAVE_VCD_FAST_H

#include "wave/vcd/vcd.h"
#include "wave/vcd/ahead.h"

struct vcd_fast {
    const struct vcd_scan_kernel *kernel;
    struct vcd_sets sets;
    struct vcd_scan scan;
    struct vcd_scan_slot *slot;
    struct vcd_scan_tap *tap;
    struct vcd_scan_key *key;
    uint32_t *slot_of; /* code -> slot + 1 */
    struct vcd_marks *mark;
    uint8_t *kept;
    struct vcd_cut *cut;
    struct wv_event *event;
    uint64_t *word;
    size_t taps, slots, keys, spans;
    uint64_t scanned;                 /* bytes, in all */
    const struct vcd_scan *present;   /* of the stretch that was given last */
    struct vcd_ahead *ahead;          /* NULL: the reader's thread is alone */
    uint64_t ahead_from, ahead_taken; /* where it began, and bytes that came of it */
    bool lost;                        /* a time could not be read where another process saw it */
    unsigned pause, failures;         /* groups to be left to the parser, more after each failure */
};

/* id_filter.c: how the scanner finds the identifiers of the slots. */
void vcd_choose_id_filter(struct vcd *v);
void vcd_choose_keys(struct vcd *v);

#endif
