/* SPDX-License-Identifier: MIT */
/*
 * Decompression for the FST reader.  Sizes come from the file and are not believed: a
 * declared size must be within what the packing can reach (zlib 1032 : 1, LZ4 255 : 1 and
 * so on), within the budget of its block, and be met to the byte.  libdeflate does what zlib would,
 * at once; what it does not take is zlib's, which says how far it came (docs/adr/006).
 */
#include "wave/fst/fst.h"

#include <libdeflate.h>
#include <limits.h>
#include <lz4.h>
#include <stdarg.h>
#include <stdio.h>

#include "wave/fst/fastlz.h"

#define FREE_SIZE ((uint64_t)1 << 20) /* max_ratio speaks of what is larger */
#define SLACK     64u                 /* headers and the first bytes of a match */

enum pc_status fst_fail(const struct fst_cursor *c, struct pc_error *err, unsigned code,
                        const char *fmt, ...)
{
    char text[300], place[80] = "";
    uint64_t offset = c->skipped + (uint64_t)(c->at - c->begin);
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (c->packed)
        snprintf(place, sizeof place, " (byte %llu of what is packed here)",
                 (unsigned long long)offset);
    return pc_fail_byte(err, code, c->packed ? c->origin : c->origin + offset, "%s%s", text, place);
}

enum pc_status fst_check(const struct fst_cursor *c, struct pc_error *err, const char *what)
{
    if (c->fault == FST_NO_FAULT)
        return PC_OK;
    if (c->fault == FST_LONG_NUMBER)
        return fst_fail(c, err, 702, "%s: a number goes on for more than 64 bits", what);
    return fst_fail(c, err, 701, "%s: the data ends here", what);
}

enum pc_status fst_no_memory(struct pc_error *err, const char *what)
{
    return pc_fail(err, 100, "not enough memory for %s of the FST file", what);
}

/* zlib asks for memory by count and frees without a size: the size is kept in front. */
union prefix {
    size_t size;
    long double align;
    void *pointer;
};

static voidpf zlib_alloc(voidpf opaque, uInt items, uInt size)
{
    struct fst_zlib *z = opaque;
    const struct pc_alloc *a = &z->alloc;
    size_t bytes;

    if (!pc_size_mul(items, size, &bytes) || !pc_size_add(bytes, sizeof(union prefix), &bytes))
        return NULL;
    if (z->arena) {
        bytes = (bytes + sizeof(union prefix) - 1) / sizeof(union prefix) * sizeof(union prefix);
        if (bytes > FST_ARENA - z->used)
            return NULL;
        z->used += bytes;
        return z->arena + z->used - bytes;
    }
    union prefix *p = a->resize(a->ctx, NULL, 0, bytes);
    if (!p)
        return NULL;
    p->size = bytes;
    return p + 1;
}

static void zlib_free(voidpf opaque, voidpf address)
{
    struct fst_zlib *z = opaque;
    union prefix *p = (union prefix *)address - 1;

    if (!z->arena)
        pc_free(&z->alloc, p, p->size);
}

/* 15 window bits; + 32 tells zlib and gzip apart by their first bytes. */
static bool zlib_start(struct fst_zlib *z)
{
    if (z->ready)
        return inflateReset(&z->stream) == Z_OK;
    memset(&z->stream, 0, sizeof z->stream);
    z->stream.zalloc = zlib_alloc;
    z->stream.zfree = zlib_free;
    z->stream.opaque = z;
    z->used = 0;
    z->ready = inflateInit2(&z->stream, 15 + 32) == Z_OK;
    return z->ready;
}

bool fst_unpack_open(struct fst *f, unsigned threads)
{
    f->zlib = pc_calloc(&f->alloc, (size_t)threads + 1, sizeof *f->zlib);
    if (!f->zlib)
        return false;
    f->zlibs = threads + 1;
    f->zlib[0].alloc = f->alloc;
    for (unsigned i = 0; i < f->zlibs; i++)
        f->zlib[i].whole = libdeflate_alloc_decompressor();
    for (unsigned i = 1; i < f->zlibs; i++)
        if (!(f->zlib[i].arena = f->alloc.resize(f->alloc.ctx, NULL, 0, FST_ARENA)))
            return false;
    return true;
}

void fst_unpack_close(struct fst *f)
{
    for (unsigned i = 0; i < f->zlibs; i++) {
        if (f->zlib[i].ready)
            inflateEnd(&f->zlib[i].stream);
        libdeflate_free_decompressor(f->zlib[i].whole);
        pc_free(&f->alloc, f->zlib[i].arena, FST_ARENA);
    }
    pc_free(&f->alloc, f->zlib, f->zlibs * sizeof *f->zlib);
}

bool fst_unpack_at_once(struct fst_zlib *z, const struct fst_cursor *from, uint8_t *to, size_t size)
{
    const size_t length = fst_left(from);
    const bool gzip = length >= 2 && from->at[0] == 0x1f && from->at[1] == 0x8b;
    size_t used;

    if (!z->whole)
        return false;
    return (gzip ? libdeflate_gzip_decompress_ex(z->whole, from->at, length, to, size, &used, NULL)
                 : libdeflate_zlib_decompress_ex(z->whole, from->at, length, to, size, &used,
                                                 NULL)) == LIBDEFLATE_SUCCESS;
}

static uInt chunk(size_t size)
{
    return size > UINT_MAX / 2 ? UINT_MAX / 2 : (uInt)size;
}

/*
 * Goes on at *from, makes at most `size` bytes and tells how many.  last: the stream has to end
 * with them, and size + 1 is told if it does not.  Gives zlib's last word: Z_STREAM_END if the
 * stream ends properly, its check sum included.
 */
static int unzip(z_stream *z, const uint8_t **from, const uint8_t *end, uint8_t *to, size_t size,
                 bool last, size_t *made)
{
    uint8_t beyond = 0; /* a byte past the declared size, if the stream has one */
    int status = Z_OK;
    size_t out = 0;

    while (status == Z_OK && (last ? out <= size : out < size)) {
        bool full = out == size;
        uInt give = chunk((size_t)(end - *from)), room = full ? 1 : chunk(size - out);
        z->next_in = *from;
        z->avail_in = give;
        z->next_out = full ? &beyond : to + out;
        z->avail_out = room;
        status = inflate(z, Z_NO_FLUSH);
        *from += give - z->avail_in;
        out += room - z->avail_out;
        if (status == Z_OK && z->avail_in == give && z->avail_out == room)
            status = Z_BUF_ERROR;
    }
    *made = out;
    return status;
}

static uint64_t reach(enum fst_packing packing)
{
    switch (packing) {
    case FST_LZ4:
        return 255;
    case FST_FASTLZ:
        return 256; /* level 2: runs grow by 255 a byte */
    case FST_ZLIB:
    case FST_GZIP:
        break;
    }
    return 1032; /* deflate: 258 bytes from two bits */
}

uint64_t fst_budget(const struct fst *f, uint64_t size)
{
    uint64_t ratio = f->reader.hier.limits.max_ratio;
    uint64_t budget = size > UINT64_MAX / ratio ? UINT64_MAX : size * ratio;

    return budget < FREE_SIZE ? FREE_SIZE : budget;
}

enum pc_status fst_room(const struct fst_cursor *from, enum fst_packing packing, uint64_t size,
                        uint64_t *budget, struct pc_error *err, const char *what)
{
    uint64_t length = fst_left(from);
    uint64_t most = (length + SLACK) * reach(packing); /* length is of memory: no overflow */

    if (size > most)
        return fst_fail(from, err, 706, "%s: %llu bytes cannot unpack to the declared %llu", what,
                        (unsigned long long)length, (unsigned long long)size);
    if (size > *budget)
        return fst_fail(from, err, 707, "%s: unpacks to %llu bytes, %llu are left for its block",
                        what, (unsigned long long)size, (unsigned long long)*budget);
    if (size > SIZE_MAX / 2)
        return fst_no_memory(err, what);
    *budget -= size;
    return PC_OK;
}

/* made: bytes, or one more than declared; fine: as far as the packing goes. */
static enum pc_status fail_unpack(const struct fst_cursor *from, bool fine, size_t made,
                                  size_t size, struct pc_error *err, const char *what)
{
    if (made > size)
        return fst_fail(from, err, 706, "%s: unpacks to more than the declared %zu bytes", what,
                        size);
    if (fine)
        return fst_fail(from, err, 706, "%s: unpacks to %zu bytes, not to the declared %zu", what,
                        made, size);
    return fst_fail(from, err, 705, "%s: %zu packed bytes do not unpack to the declared %zu", what,
                    fst_left(from), size);
}

enum pc_status fst_unpack(struct fst_zlib *z, const struct fst_cursor *from,
                          enum fst_packing packing, uint8_t *to, size_t size, struct pc_error *err,
                          const char *what)
{
    size_t length = fst_left(from), made = 0;
    const uint8_t *at = from->at;
    int zlib = Z_STREAM_END;
    bool fine = true;

    switch (packing) {
    case FST_ZLIB:
    case FST_GZIP:
        if (fst_unpack_at_once(z, from, to, size))
            return PC_OK;
        zlib =
            zlib_start(z) ? unzip(&z->stream, &at, from->end, to, size, true, &made) : Z_MEM_ERROR;
        if (zlib == Z_MEM_ERROR)
            return fst_no_memory(err, "unpacking");
        fine = zlib == Z_STREAM_END;
        break;
    case FST_LZ4:
        fine = length <= INT_MAX && size <= INT_MAX;
        if (fine) {
            int n = LZ4_decompress_safe((const char *)from->at, (char *)to, (int)length, (int)size);
            made = n > 0 ? (size_t)n : 0;
            fine = n >= 0;
        }
        break;
    case FST_FASTLZ:
        fine = fst_fastlz_unpack(from->at, length, to, size);
        made = fine ? size : 0;
        break;
    }
    return fine && made == size ? PC_OK : fail_unpack(from, fine, made, size, err, what);
}

bool fst_unpack_begin(struct fst_zlib *z)
{
    return zlib_start(z);
}

enum pc_status fst_unpack_part(struct fst_zlib *z, const struct fst_cursor *from,
                               const uint8_t **at, uint8_t *to, size_t size, uint64_t before,
                               uint64_t all, struct pc_error *err)
{
    const bool last = before + size == all;
    size_t made = 0;
    int zlib = unzip(&z->stream, at, from->end, to, size, last, &made);

    if (zlib == Z_MEM_ERROR)
        return fst_no_memory(err, "unpacking");
    const bool fine = zlib == Z_STREAM_END || (zlib == Z_OK && (!last || made > size));
    return fine && made == size
               ? PC_OK
               : fail_unpack(from, fine, (size_t)before + made, (size_t)all, err, "time table");
}

enum pc_status fst_unpack_buffer(struct fst *f, const struct fst_cursor *from,
                                 enum fst_packing packing, uint64_t size, uint64_t *budget,
                                 struct fst_buffer *buffer, struct fst_cursor *out,
                                 struct pc_error *err, const char *what)
{
    enum pc_status status = fst_room(from, packing, size, budget, err, what);

    if (status)
        return status;
    if (!pc_grow(&f->alloc, (void **)&buffer->data, &buffer->capacity, (size_t)size + 1, 1))
        return fst_no_memory(err, what);
    status = fst_unpack(&f->zlib[0], from, packing, buffer->data, (size_t)size, err, what);
    if (status)
        return status;
    *out = fst_cursor_on(buffer->data, (size_t)size,
                         from->origin + (uint64_t)(from->at - from->begin));
    out->packed = true;
    return PC_OK;
}
