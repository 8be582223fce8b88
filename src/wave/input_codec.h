/* SPDX-License-Identifier: MIT */
/*
 * A compression, for input_decode.c, which has the bytes of the file, members that follow
 * each other, and limits.  Each is a file of this folder: input_gzip.c and so on.
 */
#ifndef PC_WAVE_INPUT_CODEC_H
#define PC_WAVE_INPUT_CODEC_H

#include "wave/input_decode.h"

#define WV_WINDOW_MAX ((uint64_t)128 << 20) /* bytes that a decoder may want to look back on */

struct wv_codec {
    const char *name;
    /* A member begins with the next bytes: makes what it takes, or renews it. */
    enum pc_status (*begin)(struct wv_decoder *d, struct pc_error *err);
    /*
     * One call of the library: takes from d->raw by wv_decoder_took(), gives up to `size` bytes.
     * *over: the member's end was reached.  Neither taken nor given: more bytes are needed.
     */
    enum pc_status (*step)(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err);
    void (*close)(struct wv_decoder *d); /* also of what did not begin */
    const struct wv_apart *apart;        /* NULL: members are not unpacked apart */
};

#define WV_MEMBER_MAX ((uint64_t)32 << 20)

/* Where a member ends in the file, the most bytes that it unpacks to, how far it looks back. */
struct wv_member {
    uint64_t end, most;
    size_t window;
};

/* Members that are unpacked apart from each other, by several threads (input_members.c). */
struct wv_apart {
    /*
     * The member that begins at byte `at`, by its heads alone.  false: they do not tell, or it has
     * more than WV_MEMBER_MAX.
     */
    bool (*find)(const struct wv_file *f, uint64_t at, struct wv_member *m);
    /* Makes d->state with all the memory that unpacking takes. */
    bool (*open)(struct wv_decoder *d, size_t window);
    /* All of d->raw, whole members.  false: they are not sound. */
    bool (*unpack)(struct wv_decoder *d, uint8_t *to, size_t room, size_t *size);
    void (*close)(struct wv_decoder *d); /* also of what did not open */
};

extern const struct wv_codec wv_codec_gzip, wv_codec_zstd, wv_codec_xz, wv_codec_bzip2;

static inline uint8_t *wv_decoder_raw(const struct wv_decoder *d, size_t *size)
{
    *size = d->raw_end - d->raw_at;
    return d->raw + d->raw_at;
}

static inline void wv_decoder_took(struct wv_decoder *d, size_t size)
{
    d->raw_at += size;
    d->bytes_in += size;
}

/* For the libraries, whose context is the decoder: they free without telling a size. */
void *wv_decoder_alloc(void *d, size_t size);
void wv_decoder_free(void *d, void *p);

#endif
