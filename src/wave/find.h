/* SPDX-License-Identifier: MIT */
/* Signals by their paths: shared by find.c and the files that it calls. */
#ifndef PC_WAVE_FIND_H
#define PC_WAVE_FIND_H

#include "wave/wave.h"

#include <string.h>

/* A piece of text: a name, or what of it stands in front of an index. */
struct wv_piece {
    const char *at;
    size_t length;
};

/* A variable, or a vector of such that have a bit each. */
struct wv_signal {
    size_t var; /* the first */
    const struct wv_split_vector *split;
};

/* Declared indices. */
struct wv_range {
    int64_t left, right;
};

static inline struct wv_piece wv_path_of(const struct wv_hier *h, struct wv_signal s)
{
    const char *name = h->names + h->var[s.var].name;

    return (struct wv_piece){ name, s.split ? s.split->base : strlen(name) };
}

static inline uint32_t wv_width_of(const struct wv_hier *h, struct wv_signal s)
{
    return s.split ? s.split->count : h->var[s.var].width;
}

static inline struct wv_range wv_bounds_of(const struct wv_hier *h, struct wv_signal s)
{
    return s.split ? (struct wv_range){ s.split->left, s.split->right }
                   : (struct wv_range){ h->var[s.var].msb, h->var[s.var].lsb };
}

/* paths.c */

/*
 * Compares from the end: 0 no match, 1 `wanted` is a suffix of `path` at a dot, 2 the same
 * path.  Both without what does not count: blanks, and backslashes unless `exactly`.
 */
int wv_compare_paths(struct wv_piece path, struct wv_piece wanted, bool exactly);
/* Aliases: the same values under another name. */
bool wv_same_stream(const struct wv_hier *h, struct wv_signal a, struct wv_signal b);
/* Returns true if each bit is called the same in both. */
bool wv_same_bounds(const struct wv_hier *h, struct wv_signal a, struct wv_signal b);

/* select.c: bits and slices, "[7:4]" and "[3]". */

#define WV_DIMENSIONS 8 /* more brackets after a name than this are part of it */

/* Cuts off "[7:4]" or "[3]" at the end of a name. */
bool wv_cut_select(struct wv_piece *name, struct wv_range *out);
static inline int64_t wv_length_of(struct wv_range r)
{
    return (r.left >= r.right ? r.left - r.right : r.right - r.left) + 1;
}
/*
 * Reads the dimensions of a signal, the outermost first: those of its range if they make up its
 * width ("[1:0][3:0]" of eight bits), else one.
 */
size_t wv_dimensions(const struct wv_hier *h, struct wv_signal s,
                     struct wv_range out[WV_DIMENSIONS]);
/* Converts declared indices to positions from the right: [7:4], [0:7] and negative bounds; `name`
 * is for errors. */
enum pc_status wv_positions(const char *name, struct wv_range declared, struct wv_range asked,
                            int64_t *hi, int64_t *lo, struct pc_error *err);

/*
 * namesakes.c: signals that have one path, as `first` has it; splits: also vectors whose bits are
 * declared one by one.  The `turn`-th of them, from 1, in the order of declaration, those that are
 * the same to the values and the bounds being one; false: there are fewer.
 */
bool wv_find_turn(const struct pc_wave *wave, struct wv_signal first, uint32_t turn, bool splits,
                  struct wv_signal *out);
/* If they are pieces of one vector, as bus[15:8] and bus[7:0] are: its bounds. */
bool wv_pieces(const struct pc_wave *wave, struct wv_signal first, bool splits,
               struct wv_range *bounds);
/* Finds the bit of that index, if they have just one. */
bool wv_piece_bit(const struct pc_wave *wave, struct wv_signal first, int64_t index, bool splits,
                  struct pc_wave_bit *out);

#endif
