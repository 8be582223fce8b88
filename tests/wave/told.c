/* SPDX-License-Identifier: MIT */
/* See told.h. */
#include "told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/vcd/vcd.h"

void told_scan(const struct pc_wave_desc *desc, size_t part,
               void (*how)(struct wv_reader *r, const struct wv_scan *s), struct told *t)
{
    struct pc_wave *wave = NULL;
    struct wv_reader_ops ops;
    struct pc_wave_info info;

    memset(t, 0, sizeof *t);
    t->status = pc_wave_open(desc, &wave, &t->err);
    if (t->status)
        return;
    ops = *wave->reader->ops;
    ops.scan = how;
    wave->reader->ops = &ops;
    pc_wave_get_info(wave, &info);
    if (part > 0)
        ((struct vcd *)wave->reader)->part = part;
    t->rows = info.codes;
    t->row = calloc(info.codes + 1, sizeof *t->row);
    assert_non_null(t->row);
    t->status = pc_wave_scan(wave, &t->totals, t->row, &t->err);
    for (size_t i = 0; pc_wave_warning(wave, i); i++)
        snprintf(t->warnings + strlen(t->warnings), sizeof t->warnings - strlen(t->warnings),
                 "%s\n", pc_wave_warning(wave, i));
    pc_wave_close(wave);
}

void told_free(struct told *t)
{
    free(t->row);
    t->row = NULL;
}

void told_must_equal(const struct told *want, const struct told *got, const char *what)
{
    const struct pc_error *a = &want->err, *b = &got->err;
    size_t row = 0;

    assert_int_equal(got->rows, want->rows);
    while (row < want->rows && memcmp(&want->row[row], &got->row[row], sizeof want->row[row]) == 0)
        row++;
    if (want->status == got->status && row == want->rows &&
        memcmp(&want->totals, &got->totals, sizeof want->totals) == 0 &&
        strcmp(want->warnings, got->warnings) == 0 && a->code == b->code && a->line == b->line &&
        a->column == b->column && a->byte == b->byte)
        return;
    fail_msg("%s: stream %zu of %zu, or totals, warnings (%s, %s), error (%s, %s)", what, row,
             want->rows, want->warnings, got->warnings, a->text, b->text);
}
