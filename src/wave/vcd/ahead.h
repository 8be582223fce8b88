/* SPDX-License-Identifier: MIT */
/*
 * Pieces of a file, plain or of many compressed members, that are scanned ahead of the reader, by
 * several threads.  The file is cut at timestamps: a piece begins at the first # after a newline
 * in its part of the file, and ends where the next one begins.  A piece is scanned as if the reader
 * stood in front of its first stamp, whatever the levels are there; whether it really comes there
 * is for the reader to see (fast.c).
 */
#ifndef PC_WAVE_VCD_AHEAD_H
#define PC_WAVE_VCD_AHEAD_H

#include "wave/vcd/scan.h"

#define VCD_NOWHERE UINT64_MAX

struct vcd_piece {
    uint64_t begin; /* byte in the file of its first stamp; VCD_NOWHERE: it has none */
    size_t line;    /* bytes of that stamp's line, its newline included */
    struct vcd_scan scan;
};

struct vcd_ahead;

struct vcd_ahead_desc {
    const struct pc_alloc *alloc;
    struct wv_input *in;
    unsigned threads; /* the caller's included */
    size_t part;      /* bytes of the file for one piece; 0: as many as suit the cache */
    uint64_t begin;   /* where in the file, not 0 */
    const struct vcd_sets *sets;
    const struct vcd_scan_kernel *kernel;
};
/* NULL: there is no thread, no memory, or it is not worth it. */
struct vcd_ahead *vcd_ahead_start(const struct vcd_ahead_desc *desc);
void vcd_ahead_stop(struct vcd_ahead *a); /* NULL is fine */
/*
 * Returns the first piece that begins at or after byte `at`, which never decreases; NULL: there is
 * none. It stays until the next call with a greater `at`.
 */
const struct vcd_piece *vcd_ahead_piece(struct vcd_ahead *a, uint64_t at);

#endif
