/* SPDX-License-Identifier: MIT */
/*
 * The input is a session of sigrok: a zip archive as it is ("PK"), or else what it holds, put
 * into an archive whose sums are right, since no input would ever get them so:
 *
 *     u8 flags: 1 version 1, 2 deflated, 4 one piece without a number
 *     metadata up to a NUL
 *     pieces: u8 number, u16 size, bytes
 */
#include "fuzz.h"
#include "zip_make.h"

#include <stdio.h>
#include <string.h>

static void make_and_read(const uint8_t *data, size_t size)
{
    struct fuzz_bytes in = { data, size };
    const unsigned flags = fuzz_u8(&in);
    const uint8_t *nul = memchr(in.at, 0, in.left);
    const size_t length = nul ? (size_t)(nul - in.at) : in.left;
    const uint16_t method = flags & 2 ? ZIP_DEFLATED : ZIP_STORED;
    struct zip_made z = { 0 };

    zip_text(&z, "version", flags & 1 ? "1" : "2");
    zip_add(&z, "metadata", in.at, length, method);
    in.at += length;
    in.left -= length;
    (void)fuzz_u8(&in);
    while (in.left > 0 && z.members < 40) {
        char name[32] = "logic-1";
        unsigned number = fuzz_u8(&in);
        size_t bytes = fuzz_u8(&in);
        bytes |= (size_t)fuzz_u8(&in) << 8;
        bytes = bytes < in.left ? bytes : in.left;
        if (!(flags & 4))
            snprintf(name, sizeof name, "logic-1-%u", number);
        zip_add(&z, name, in.at, bytes, method);
        in.at += bytes;
        in.left -= bytes;
    }
    zip_end(&z, 0);
    fuzz_wave_file(z.bytes, z.size);
    zip_free(&z);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 1 << 16)
        return 0;
    if (size > 2 && memcmp(data, "PK", 2) == 0)
        fuzz_wave_file(data, size);
    else
        make_and_read(data, size);
    return 0;
}
