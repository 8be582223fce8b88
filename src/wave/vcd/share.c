/* SPDX-License-Identifier: MIT */
/* See share.h; and what the reader is asked about sharing. */
#include "wave/vcd/share.h"

#include <string.h>

struct head {
    uint64_t number, print, begin, line, used, lines, events, edges, last_time, next_time;
    uint32_t clock_first, clock_last;
};

unsigned vcd_share_owner(const struct pc_wave_share *share, uint64_t number)
{
    const unsigned others = share->ranks - 1;
    const uint64_t turn = number % (1 + 2 * (uint64_t)others);

    return turn == 0 ? 0 : 1 + (unsigned)((turn - 1) % others);
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

uint64_t vcd_share_print(const struct wv_input *in, const struct vcd_sets *sets, uint64_t begin)
{
    uint64_t hash = mix(mix(1, wv_input_extent(in)), begin);

    hash = mix(hash, sets->edge | (unsigned)sets->own_values << 8 | sets->clock_length << 16);
    for (unsigned i = 0; i < sets->clock_length; i++)
        hash = mix(hash, sets->clock[i]);
    for (unsigned i = 0; i < 16; i++)
        hash = mix(hash, sets->looks.first_low[i] | (unsigned)sets->looks.first_high[i] << 8 |
                             (unsigned)sets->looks.second_low[i] << 16 |
                             (uint64_t)sets->looks.other[i] << 32);
    return hash;
}

/* --- messages --- */

size_t vcd_share_room(size_t room)
{
    /* the shortest line of an edge has a value, one character and its end */
    return sizeof(struct head) + VCD_SCAN_EVENTS * sizeof(struct wv_event) +
           (room / 3 + 1) * sizeof(uint32_t);
}

/* Where the stamp of each edge stands in the piece. */
static void write_stamps(const struct vcd_scan *s, uint8_t *to)
{
    const size_t last = s->marked / 64;
    size_t stamp = 0, cut = 0;

    for (size_t k = 0; k <= last; k++) {
        const uint64_t inside = k < last ? UINT64_MAX : (UINT64_C(1) << s->marked % 64) - 1;
        const uint64_t stamps = vcd_stamps(s, k) & inside;
        for (uint64_t edges = vcd_edges(s, k) & inside; edges; edges &= edges - 1) {
            const uint64_t before = stamps & ((edges & (0 - edges)) - 1);
            const size_t left = before ? 64 * k + vcd_highest(before) : stamp;
            const uint32_t at = (uint32_t)vcd_scan_place(s, left, &cut);
            memcpy(to, &at, sizeof at);
            to += sizeof at;
        }
        if (stamps)
            stamp = 64 * k + vcd_highest(stamps);
    }
}

size_t vcd_share_pack(const struct vcd_piece *piece, uint64_t number, uint64_t print, void *to)
{
    const struct vcd_scan *s = &piece->scan;
    const bool any = piece->begin != VCD_NOWHERE && s->used > 0;
    const struct head head = {
        .number = number,
        .print = print,
        .begin = piece->begin,
        .line = piece->line,
        .used = any ? s->used : 0,
        .lines = s->lines,
        .events = any ? s->events : 0,
        .edges = any ? s->edges : 0,
        .last_time = s->last_time,
        .next_time = s->next_time,
        .clock_first = s->clock_first,
        .clock_last = s->clock_last,
    };
    uint8_t *at = to;

    memcpy(at, &head, sizeof head);
    at += sizeof head;
    if (any) {
        memcpy(at, s->event, s->events * sizeof *s->event);
        at += s->events * sizeof *s->event;
        write_stamps(s, at);
        at += s->edges * sizeof(uint32_t);
    }
    return (size_t)(at - (uint8_t *)to);
}

/* Events in the order of their cycles, of signals that are selected. */
static bool events_fit(const struct vcd_scan *s)
{
    uint32_t cycle = 0;

    for (size_t i = 0; i < s->events; i++) {
        const uint32_t signal = s->event[i].what >> 2;
        if (s->event[i].cycle < cycle || s->event[i].cycle > s->edges ||
            (s->event[i].what & 3) > 2 || (signal > s->sets->last && signal != WV_EVENT_IFF))
            return false;
        cycle = s->event[i].cycle;
    }
    return true;
}

static bool stamps_fit(const struct vcd_scan *s)
{
    for (uint32_t i = 0; i < s->edges; i++)
        if (s->stamp_of[i] >= s->used)
            return false;
    return true;
}

static bool is_clock(uint32_t c)
{
    return c == VCD_CLOCK_LOW || c == VCD_CLOCK_HIGH || c == VCD_CLOCK_ANY;
}

bool vcd_share_unpack(struct vcd_piece *piece, uint64_t number, uint64_t print, const void *bytes,
                      size_t size)
{
    const struct head *head = bytes;
    struct vcd_scan *s = &piece->scan;

    if (size < sizeof *head || !is_clock(head->clock_first) || !is_clock(head->clock_last) ||
        head->number != number || head->print != print || head->events > VCD_SCAN_EVENTS ||
        head->edges > UINT32_MAX ||
        size != sizeof *head + head->events * sizeof *s->event + head->edges * sizeof(uint32_t))
        return false;
    piece->begin = head->begin;
    piece->line = (size_t)head->line;
    s->used = (size_t)head->used;
    s->lines = (size_t)head->lines;
    s->events = (size_t)head->events;
    s->edges = (uint32_t)head->edges;
    s->last_time = head->last_time;
    s->next_time = head->next_time;
    s->clock_first = (uint8_t)head->clock_first;
    s->clock_last = (uint8_t)head->clock_last;
    s->origin = head->begin;
    s->event = (struct wv_event *)(uintptr_t)(head + 1);
    s->stamp_of = (const uint32_t *)(s->event + s->events);
    return events_fit(s) && stamps_fit(s);
}
