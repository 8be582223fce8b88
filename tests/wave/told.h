/* SPDX-License-Identifier: MIT */
/* Everything that a scan tells of a waveform, to be compared with what another one tells. */
#ifndef PC_TESTS_WAVE_TOLD_H
#define PC_TESTS_WAVE_TOLD_H

#include "test.h"
#include "wave/wave.h"

struct told {
    enum pc_status status; /* of opening or of the scan */
    struct pc_error err;
    struct pc_wave_totals totals;
    struct pc_var_activity *row; /* by value stream */
    size_t rows;
    char warnings[2000];
};

/*
 * `how` takes the place of the format's own short way (reader.h); NULL: stamp by stamp.  part:
 * bytes of the pieces of a VCD; 0: as it is.
 */
void told_scan(const struct pc_wave_desc *desc, size_t part,
               void (*how)(struct wv_reader *r, const struct wv_scan *s), struct told *t);
void told_free(struct told *t);
/* Fails the test, and says `what`, unless both are the same, errors with their places included. */
void told_must_equal(const struct told *want, const struct told *got, const char *what);

#endif
