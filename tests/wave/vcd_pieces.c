/* SPDX-License-Identifier: MIT */
/* See vcd_pieces.h. */
#include "vcd_pieces.h"

#include <stdio.h>

#include "told.h"
#include "wave/vcd/vcd.h"

static uint64_t by_pieces; /* changes that were counted so */

static void note_pieces(struct wv_reader *r, const struct wv_scan *s)
{
    const uint64_t before = s->totals->changes;

    vcd_scan_activity(r, s);
    by_pieces += s->totals->changes - before;
}

void pieces_agree(const char *path, size_t part, bool tolerate, struct pieces *sums)
{
    struct pc_wave_desc desc = { .path = path, .threads = 1, .tolerate_time_backwards = tolerate };
    struct told want, got;
    char what[5000];

    told_scan(&desc, 0, NULL, &want);
    by_pieces = 0;
    for (; desc.threads <= 3; desc.threads++) {
        told_scan(&desc, part, note_pieces, &got);
        snprintf(what, sizeof what, "%s, %u threads, parts of %zu", path, desc.threads, part);
        told_must_equal(&want, &got, what);
        sums->all += got.totals.changes;
        told_free(&got);
    }
    sums->by_pieces += by_pieces;
    told_free(&want);
}
