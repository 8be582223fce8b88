/* SPDX-License-Identifier: MIT */
/* Record memory that a script filled, as a file: bytes that were never written are 0. */
#include "run_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK    65536u
#define DUMP_MAX (UINT64_C(1) << 32) /* a buffer of record mode lies within 4 GiB: D-73 */

const char *run_dump_parse(const char *text, struct run_dump *out)
{
    static const char form[] = "ADDR:SIZE=FILE is expected";
    const uint64_t end = UINT64_C(1) << 40; /* of the addresses of record mode */
    char *rest;

    if (strchr("+- \t", text[0]))
        return form;
    errno = 0;
    out->address = strtoull(text, &rest, 16);
    if (*rest != ':' || rest == text)
        return form;
    if (errno || out->address >= end)
        return "addresses of record mode have 40 bits";
    const char *size = rest + 1;
    if (*size < '0' || *size > '9')
        return form;
    bool hex = size[0] == '0' && (size[1] == 'x' || size[1] == 'X');
    out->size = strtoull(size, &rest, hex ? 16 : 10);
    out->path = rest + 1;
    if (*rest != '=' || !rest[1])
        return form;
    if (errno || out->size == 0 || out->size > DUMP_MAX)
        return "SIZE is 1 byte to 4 GiB, as much as a buffer of record mode can have";
    return out->size > end - out->address ? "addresses of record mode have 40 bits" : NULL;
}

int run_dump_write(struct run_dump *dump, const struct pc_gpu *gpu)
{
    uint8_t chunk[CHUNK];
    bool any = false;
    const int code = cli_out_open(&dump->out, dump->path);

    if (code != CLI_OK)
        return code;
    dump->open = true;
    for (uint64_t done = 0; done < dump->size;) {
        size_t n = dump->size - done < CHUNK ? (size_t)(dump->size - done) : CHUNK;
        bool written = false;
        pc_gpu_memory_read(gpu, dump->address + done, chunk, n, &written);
        any |= written;
        if (fwrite(chunk, 1, n, dump->out.file) != n)
            break; /* cli_out_commit() says why */
        done += n;
    }
    if (!any)
        cli_note(803, "the record memory at 0x%" PRIx64 " was never written: %s has zeros",
                 dump->address, dump->path);
    return CLI_OK;
}
