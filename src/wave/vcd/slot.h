/* SPDX-License-Identifier: MIT */
/*
 * A slot is where a piece of a file is scanned to (ahead.h), with all the memory that this takes.
 * A thread's slots lie after one another in large pages: of small ones there would be hundreds,
 * and each costs when it is first touched.
 */
#ifndef PC_WAVE_VCD_SLOT_H
#define PC_WAVE_VCD_SLOT_H

#include "wave/vcd/ahead.h"

enum { VCD_SLOTS = 4 }; /* of a thread */

struct vcd_slots {
    struct vcd_slot {
        bool taken;
        struct vcd_piece piece;
        uint8_t *text; /* room + VCD_SCAN_SLACK bytes: of a part that was read, or not cut out */
        struct wv_event *event;
    } slot[VCD_SLOTS];
    void *memory;
    size_t size;
};

/* Creates slots for texts of up to `room` bytes; false: no memory. Either way to be destroyed. */
bool vcd_slots_create(struct vcd_slots *s, const struct pc_alloc *alloc, size_t room,
                      const struct vcd_sets *sets);
void vcd_slots_destroy(struct vcd_slots *s, const struct pc_alloc *alloc);
/* Returns one that is not taken, or NULL. */
struct vcd_slot *vcd_slots_free(struct vcd_slots *s);

#endif
