/* SPDX-License-Identifier: MIT */
#include "wave/vcd/slot.h"

#include "wave/wave.h"

#define LARGE_PAGE ((size_t)2 << 20)
#define LINE       ((size_t)64) /* of the cache: an array begins in one */

static size_t lines(size_t size)
{
    return (size + LINE - 1) / LINE * LINE;
}

/* Bytes of the arrays of a slot, all of which are used again and again. */
struct sizes {
    size_t text, marks, cuts, words;
};

static struct sizes sizes(const struct vcd_scan *scan, size_t room)
{
    return (struct sizes){
        .text = lines(room + VCD_SCAN_SLACK),
        .marks = lines(scan->spans * sizeof *scan->mark),
        .cuts = lines((scan->cuts_room + 1) * sizeof *scan->cut),
        .words = lines(scan->words_capacity * sizeof *scan->word),
    };
}

bool vcd_slots_create(struct vcd_slots *s, const struct pc_alloc *alloc, size_t room,
                      const struct vcd_sets *sets)
{
    const struct vcd_scan scan = { .sets = sets,
                                   .spans = (room + VCD_SPAN - 1) / VCD_SPAN,
                                   .events_capacity = VCD_SCAN_EVENTS,
                                   .words_capacity = VCD_SCAN_WORDS(room),
                                   .cuts_room = room / VCD_LEAST_CUT };
    const struct sizes size = sizes(&scan, room);
    const size_t all = VCD_SLOTS * (size.text + size.marks + size.cuts),
                 events = lines(VCD_SCAN_EVENTS * sizeof(struct wv_event)), /* most stay unused */
        rest = events + size.words;                                         /* and of these */

    s->size = LARGE_PAGE + all + VCD_SLOTS * rest;
    s->memory = alloc->resize(alloc->ctx, NULL, 0, s->size);
    if (!s->memory)
        return false;
    uint8_t *at = (uint8_t *)s->memory + (LARGE_PAGE - (uintptr_t)s->memory % LARGE_PAGE);
    wv_ask_for_large_pages(at, all);
    for (unsigned i = 0; i < VCD_SLOTS; i++) {
        struct vcd_slot *slot = &s->slot[i];
        slot->piece.scan = scan;
        slot->text = at;
        slot->piece.scan.mark = (void *)(at += size.text);
        slot->piece.scan.cut = (void *)(at += size.marks);
        at += size.cuts;
    }
    for (unsigned i = 0; i < VCD_SLOTS; i++, at += rest) {
        s->slot[i].event = (void *)at;
        s->slot[i].piece.scan.word = (void *)(at + events);
    }
    return true;
}

void vcd_slots_destroy(struct vcd_slots *s, const struct pc_alloc *alloc)
{
    pc_free(alloc, s->memory, s->size);
}

struct vcd_slot *vcd_slots_free(struct vcd_slots *s)
{
    for (unsigned i = 0; i < VCD_SLOTS; i++)
        if (!s->slot[i].taken)
            return &s->slot[i];
    return NULL;
}
