/* SPDX-License-Identifier: MIT */
/* See vcd_pieces.h. */
#include "vcd_pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/vcd/vcd.h"
#include "wave/wave.h"

struct told {
    enum pc_status status;
    struct pc_error err;
    struct pc_wave_totals totals;
    struct pc_var_activity *row;
    size_t rows;
    char warnings[2000];
};

static uint64_t by_pieces; /* changes that were counted so */

static void note_pieces(struct wv_reader *r, const struct wv_scan *s)
{
    const uint64_t before = s->totals->changes;

    vcd_scan_activity(r, s);
    by_pieces += s->totals->changes - before;
}

/* threads 0: stamp by stamp. */
static void scan(const char *path, unsigned threads, size_t part, bool tolerate, struct told *t)
{
    const struct pc_wave_desc desc = { .path = path,
                                       .threads = threads,
                                       .tolerate_time_backwards = tolerate };
    struct pc_wave *wave = NULL;
    struct wv_reader_ops ops;
    struct pc_wave_info info;

    memset(t, 0, sizeof *t);
    t->status = pc_wave_open(&desc, &wave, &t->err);
    if (t->status)
        return;
    ops = *wave->reader->ops;
    ops.scan = threads ? note_pieces : NULL;
    wave->reader->ops = &ops;
    ((struct vcd *)wave->reader)->part = part;
    pc_wave_get_info(wave, &info);
    t->rows = info.codes;
    t->row = calloc(info.codes + 1, sizeof *t->row);
    assert_non_null(t->row);
    t->status = pc_wave_scan(wave, &t->totals, t->row, &t->err);
    for (size_t i = 0; pc_wave_warning(wave, i); i++)
        snprintf(t->warnings + strlen(t->warnings), sizeof t->warnings - strlen(t->warnings),
                 "%s\n", pc_wave_warning(wave, i));
    pc_wave_close(wave);
}

static void must_equal(const struct told *want, const struct told *got, const char *path,
                       unsigned threads, size_t part)
{
    size_t row = 0;

    while (row < want->rows && row < got->rows &&
           memcmp(&want->row[row], &got->row[row], sizeof want->row[row]) == 0)
        row++;
    const bool places = want->err.code == got->err.code && want->err.line == got->err.line &&
                        want->err.column == got->err.column && want->err.byte == got->err.byte;
    const bool activity = row == want->rows && row == got->rows;
    if (want->status == got->status && activity && places &&
        memcmp(&want->totals, &got->totals, sizeof want->totals) == 0 &&
        strcmp(want->warnings, got->warnings) == 0)
        return;
    fail_msg(
        "%s, %u threads, parts of %zu: stream %zu, or totals, warnings (%s, %s), error (%s, %s)",
        path, threads, part, row, want->warnings, got->warnings, want->err.text, got->err.text);
}

void pieces_agree(const char *path, size_t part, bool tolerate, struct pieces *sums)
{
    struct told want, got;

    scan(path, 0, 0, tolerate, &want);
    by_pieces = 0;
    for (unsigned threads = 1; threads <= 3; threads++) {
        scan(path, threads, part, tolerate, &got);
        must_equal(&want, &got, path, threads, part);
        sums->all += got.totals.changes;
        free(got.row);
    }
    sums->by_pieces += by_pieces;
    free(want.row);
}
