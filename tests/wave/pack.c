/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include "test.h"

#include <bzlib.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

const struct pack_way pack_ways[PACK_WAYS] = {
    { "gzip", pack_gzip, 2 },
    { "zstd", pack_zstd, 4 },
    { "xz", pack_xz, 6 },
    { "bzip2", pack_bzip2, 4 },
};

size_t pack_gzip(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    z_stream z = { 0 };

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)from;
    z.avail_in = (uInt)size;
    z.next_out = out + used;
    z.avail_out = (uInt)(capacity - used);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    used = capacity - z.avail_out;
    deflateEnd(&z);
    return used;
}

size_t pack_bgzip(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    enum { BLOCK = 65280 };
    static const uint8_t head[18] = { 0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 'B', 'C', 2 };

    for (size_t at = 0; at < size || at == 0; at += BLOCK) {
        const uint8_t *const block = (const uint8_t *)from + at;
        const uint32_t part = (uint32_t)(size - at < BLOCK ? size - at : BLOCK);
        z_stream z = { 0 };
        assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
        assert_true(capacity - used > sizeof head + part + 100);
        memcpy(out + used, head, sizeof head);
        z.next_in = (Bytef *)(uintptr_t)block;
        z.avail_in = part;
        z.next_out = out + used + sizeof head;
        z.avail_out = (uInt)(capacity - used - sizeof head);
        assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
        const uint32_t packed = (uint32_t)(sizeof head + z.total_out + 8);
        const uint32_t foot[2] = { (uint32_t)crc32(0, block, part), part };
        out[used + 16] = (uint8_t)(packed - 1);
        out[used + 17] = (uint8_t)((packed - 1) >> 8);
        memcpy(out + used + packed - sizeof foot, foot, sizeof foot);
        used += packed;
        deflateEnd(&z);
    }
    return used;
}

size_t pack_zstd(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    size_t n = ZSTD_compress(out + used, capacity - used, from, size, 3);

    assert_false(ZSTD_isError(n));
    return used + n;
}

size_t pack_xz(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    assert_int_equal(
        lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, from, size, out, &used, capacity),
        LZMA_OK);
    return used;
}

size_t pack_bzip2(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    unsigned room = (unsigned)(capacity - used);

    assert_int_equal(BZ2_bzBuffToBuffCompress((char *)out + used, &room, (char *)(uintptr_t)from,
                                              (unsigned)size, 1, 0, 0),
                     BZ_OK);
    return used + room;
}
