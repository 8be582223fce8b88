/* SPDX-License-Identifier: MIT */
/*
 * Pieces that another process scans.  Every rank numbers them alike, as they hang on the file's
 * size and on where its header ends; piece n belongs to one rank.  What is found travels as one
 * message in the machine's own byte order: the head, the events, for each edge where its stamp
 * stands.
 */
#ifndef PC_WAVE_VCD_SHARE_H
#define PC_WAVE_VCD_SHARE_H

#include "wave/vcd/ahead.h"

/* Of which rank piece `number` is: rank 0, which plays them all, scans half as many as others. */
unsigned vcd_share_owner(const struct pc_wave_share *share, uint64_t number);

/* What tells that two ranks look at the same file for the same signals. */
uint64_t vcd_share_print(const struct wv_input *in, const struct vcd_sets *sets, uint64_t begin);

/* Bytes of the message of a piece whose text has at most `room` bytes. */
size_t vcd_share_room(size_t room);
/* Writes the message; returns its size. */
size_t vcd_share_pack(const struct vcd_piece *piece, uint64_t number, uint64_t print, void *to);
/*
 * The other way, by piece->scan.sets; the piece points into the message.  False: it is not of this
 * piece, or broken: what it says is in order, and of signals that there are.
 */
bool vcd_share_unpack(struct vcd_piece *piece, uint64_t number, uint64_t print, const void *bytes,
                      size_t size);

#endif
