/* SPDX-License-Identifier: MIT */
/* Where the bytes of a waveform come from. */
#ifndef PC_WAVE_INPUT_H
#define PC_WAVE_INPUT_H

#include "base/error.h"
#include "pcounter/pcounter.h"

struct wv_reader;

/*
 * An input of bytes: a file or a pipe, decompressed on the way if it is gzip, zstd, xz or bzip2.
 * Where compressed data ends early, the bytes before the cut are read as if the file ended there.
 */
struct wv_input;
/* Oddities of its end, once that was reached: kept for who opens it, as readers close their
 * inputs. */
struct wv_input_end {
    struct wv_reader *reader; /* is warned then; NULL: not open yet, or there is none */
    bool cut;                 /* compressed data ends early */
    char text[160];           /* "": nothing is odd */
};
/* `end` starts with zeros and outlives the input; NULL: it is not asked for.  desc->strict: what is
 * odd is an error (PC-E0516). */
enum pc_status wv_input_open(const struct pc_wave_desc *desc, struct wv_input_end *end,
                             struct wv_input **out, struct pc_error *err);
/* Rewinds a reader that has reached the end. */
void wv_input_end_tell(const struct wv_input_end *end);
/* After PC_END: the last line or word may have lost its end. */
bool wv_input_cut(const struct wv_input *in);
void wv_input_close(struct wv_input *in);
/* Gets the first bytes, without consuming them; *size may be less than asked at the end of the
 * input. */
enum pc_status wv_input_peek(struct wv_input *in, const uint8_t **data, size_t want, size_t *size,
                             struct pc_error *err);
/* Returns true if wv_input_read() would wait for a pipe. false where that is not known: what is
 * compressed. */
bool wv_input_waits(const struct wv_input *in);
/* Reads up to `size` bytes, at least 1 unless the input ends (PC_END). */
enum pc_status wv_input_read(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                             struct pc_error *err);
const char *
wv_input_encoding(const struct wv_input *in); /* "plain", "gzip", "zstd", "xz", "bzip2" */
void wv_input_progress(const struct wv_input *in, uint64_t *done, uint64_t *total);
/* Sends bytes back to the writer of a socket that listens; nothing where the input is none. */
enum pc_status wv_input_answer(struct wv_input *in, const uint8_t *data, size_t size,
                               struct pc_error *err);
/*
 * Holds the whole input as memory, up to a limit, for formats that jump about (FST) where it is no
 * plain file. Valid until close.
 */
enum pc_status wv_input_hold(struct wv_input *in, const uint8_t **data, size_t *size,
                             struct pc_error *err);

/* Returns the size of a plain file, parts of which can be read in any order; 0: it is not one. */
uint64_t wv_input_extent(const struct wv_input *in);
/* Returns true if it is a file, compressed or not, that can be opened again by its path. */
bool wv_input_again(const struct wv_input *in);
/* Reads bytes from a place in it, fewer than asked only at its end. For any thread. */
enum pc_status wv_input_read_at(const struct wv_input *in, uint64_t at, uint8_t *to, size_t size,
                                size_t *got, struct pc_error *err);
/* Reads all of them, or fails if the file became shorter since it was opened. */
enum pc_status wv_input_take_at(const struct wv_input *in, uint64_t at, uint8_t *to, size_t size,
                                struct pc_error *err);
/*
 * From here on several threads may read a compressed file at any place, and unpack as they come;
 * its extent is not known.  false: it is not such a file, see input_members.h.
 */
bool wv_input_spread(struct wv_input *in, unsigned threads);
/* Ends that, and no part is sought any more: the caller's thread, or one for it, unpacks. */
enum pc_status wv_input_gather(struct wv_input *in, struct pc_error *err);
/* Sets where the next wv_input_read() begins. */
enum pc_status wv_input_seek(struct wv_input *in, uint64_t at, struct pc_error *err);

#endif
