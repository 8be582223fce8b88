/* SPDX-License-Identifier: MIT */
/*
 * What the scanner of a VCD finds in random texts, as a digest: each set of instructions of this
 * machine must find the same, and so must other machines (compare.sh).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/vcd/fast.h"

enum { IDS = 24, TEXTS = 300, ROOM = 1 << 16, TAPS = 64, KEYS = 2048, SPANS = ROOM / VCD_SPAN + 2 };

static uint64_t seed = 88172645463325252u;

static uint32_t below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % n;
}

static struct vcd_scan_slot slot[IDS];
static struct vcd_scan_tap tap[TAPS];
static struct vcd_scan_key key[KEYS];
static uint32_t slot_of[IDS], width[IDS];
static struct vcd_marks mark[SPANS];
static struct vcd_cut cut[ROOM / VCD_LEAST_CUT];
static struct wv_event event[VCD_SCAN_EVENTS];
static uint64_t word[VCD_SCAN_WORDS(ROOM)];
static uint8_t text[ROOM + VCD_SCAN_SLACK], room[ROOM + VCD_SCAN_SLACK];
static char name[IDS][4];

/* Every second identifier is selected, and the clock, which is the first one. */
static void select_some(struct vcd *v)
{
    struct vcd_fast *f = v->fast;
    size_t taps = 0;

    for (uint32_t i = 0; i < IDS; i += 2) {
        struct vcd_scan_slot *s = &slot[f->slots];
        *s = (struct vcd_scan_slot){ .code = i, .width = width[i], .clock = i == 0, .tap = taps };
        s->is_vector = width[i] > 1;
        s->vector = (uint32_t)f->slots;
        s->taps = i > 0 && width[i] == 1;
        tap[taps] = (struct vcd_scan_tap){ 0, (uint32_t)taps };
        taps += s->taps;
        slot_of[i] = (uint32_t)++f->slots;
    }
    f->slot = slot;
    f->tap = tap;
    f->key = key;
    f->keys = KEYS;
    f->slot_of = slot_of;
    f->sets.edge = '1';
    f->sets.clock_length = (unsigned)strlen(name[0]);
    memcpy(f->sets.clock, name[0], strlen(name[0]));
    f->sets.slot = slot;
    f->sets.tap = tap;
    f->sets.key = key;
    f->sets.key_shift = 22;
    f->sets.ids = &v->ids;
    f->sets.slot_of = slot_of;
    vcd_choose_id_filter(v);
    vcd_choose_keys(v);
}

static bool declare(struct vcd *v)
{
    struct pc_error err;

    for (uint32_t i = 0; i < IDS; i++) {
        static const uint32_t widths[] = { 1, 1, 1, 5, 64, 300 };
        snprintf(name[i], sizeof name[i], "%c%.*s", (char)('!' + 3 * i), (int)(i % 3), "aZ");
        width[i] = i < 2 ? 1 : widths[below(6)];
        if (vcd_ids_add(&v->ids, &v->alloc, name[i], strlen(name[i]), &err))
            return false;
    }
    return vcd_ids_finish(&v->ids, &v->alloc, &err) == PC_OK;
}

static size_t put_change(uint8_t *to, const char *end)
{
    const uint32_t i = 1 + below(IDS - 1), digits = below(4) ? width[i] : 1 + below(width[i]);
    const bool known = below(4) > 0;
    size_t n = 0;

    if (width[i] > 1)
        to[n++] = 'b';
    for (uint32_t k = 0; k < digits; k++)
        to[n++] = (uint8_t)(known || below(30) ? '0' + (int)below(2) : "xzXZ"[below(4)]);
    if (width[i] > 1)
        to[n++] = ' ';
    return n + (size_t)sprintf((char *)to + n, "%s%s", name[i], end);
}

static size_t make_text(const char *end)
{
    uint64_t time = below(2) ? 5 : 99999000;
    unsigned level = 0;
    size_t n = 0;

    while (n < ROOM - 8192) {
        n += (size_t)sprintf((char *)text + n, "#%llu%s%u%s%s", (unsigned long long)time, end,
                             level ^= 1, name[0], end);
        for (uint32_t k = below(10); k > 0; k--)
            n += put_change(text + n, end);
        time += 1 + below(20);
        if (below(1500) == 0)
            n += (size_t)sprintf((char *)text + n, "%s", &"$comment $end\n"[below(8)]);
    }
    memset(text + n, '\n', VCD_SCAN_SLACK);
    return n;
}

static void add(uint64_t *digest, uint64_t x)
{
    *digest = (*digest ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    *digest ^= *digest >> 29;
}

static uint64_t scan_all(const struct vcd_scan_kernel *kernel, const struct vcd_sets *sets,
                         size_t size)
{
    struct vcd_scan s = { .sets = sets,
                          .mark = mark,
                          .spans = SPANS,
                          .event = event,
                          .events_capacity = VCD_SCAN_EVENTS,
                          .word = word,
                          .words_capacity = VCD_SCAN_WORDS(ROOM),
                          .kept = room,
                          .kept_room = ROOM,
                          .cut = cut,
                          .cuts_room = ROOM / VCD_LEAST_CUT };
    uint64_t digest = 0;

    for (size_t at = 0; at<size; at += s.used> 0 ? s.used : 1) {
        s.text = text + at;
        s.size = size - at;
        s.clock = VCD_CLOCK_ANY;
        kernel->run(&s);
        for (size_t i = 0; i < s.events; i++) {
            add(&digest, (uint64_t)event[i].cycle << 32 | event[i].what);
            if ((event[i].what & 3) != WV_EVENT_WORDS)
                continue;
            const uint64_t *w = word + event[++i].cycle;
            const size_t words = (uint32_t)w[0];
            for (size_t k = 0; k < words * (w[0] & WV_WORDS_UNKNOWN ? 2 : 1) + 1; k++)
                add(&digest, w[k]);
        }
        const uint64_t found[] = { s.used, s.lines, s.edges, s.used ? s.last_time : 0, s.dry };
        for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
            add(&digest, found[i]);
    }
    return digest;
}

int main(void)
{
    static struct vcd_fast fast;
    static struct vcd v = { .fast = &fast };

    v.alloc = pc_alloc_or_libc(NULL);
    if (!declare(&v))
        return 1;
    for (unsigned n = 0; n < TEXTS; n++) {
        const char *end = n % 8 ? "\n" : "\r\n";
        const struct vcd_scan_kernel *kernel;
        uint64_t first = 0;
        fast.slots = 0;
        fast.sets.end = (uint8_t)end[0];
        select_some(&v);
        const size_t size = make_text(end);
        for (size_t i = 0; (kernel = vcd_scan_at(i)) != NULL; i++) {
            const uint64_t digest = kernel->usable() ? scan_all(kernel, &fast.sets, size) : first;
            first = i == 0 ? digest : first;
            if (digest != first) {
                fprintf(stderr, "text %u: %s differs\n", n, kernel->name);
                return 1;
            }
        }
        printf("%u %016llx\n", n, (unsigned long long)first);
    }
    vcd_ids_free(&v.ids, &v.alloc);
    return 0;
}
