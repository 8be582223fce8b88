/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* pwrite */
#include "card/qemu.h"

#include <errno.h>
#include <unistd.h>

void qemu_memory_set(struct qemu_memory *m, const struct qemu_region *region, unsigned regions)
{
    for (unsigned i = 0; i < m->regions; i++)
        close(m->region[i].file);
    for (unsigned i = 0; i < regions; i++)
        m->region[i] = region[i];
    m->regions = regions;
}

static const struct qemu_region *region_of(const struct qemu_memory *m, uint64_t address,
                                           size_t size)
{
    for (unsigned i = 0; i < m->regions; i++) {
        const struct qemu_region *r = &m->region[i];
        if (address >= r->first && size <= r->size && address - r->first <= r->size - size)
            return r;
    }
    return NULL;
}

static bool write_all(const struct qemu_region *r, uint64_t address, const uint8_t *data,
                      size_t size)
{
    uint64_t at;
    ssize_t done;

    if (__builtin_add_overflow(r->offset, address - r->first, &at) || at > INT64_MAX - size)
        return false;
    do
        done = pwrite(r->file, data, size, (off_t)at);
    while (done < 0 && errno == EINTR);
    return done == (ssize_t)size;
}

enum pc_mem_result qemu_memory_packet(void *ctx, unsigned domain, uint64_t address,
                                      const uint8_t *data, size_t size)
{
    struct qemu_memory *m = ctx;
    const struct qemu_region *r = region_of(m, address, size);

    (void)domain;
    if (!r || !write_all(r, address, data, size)) {
        m->lost++;
        return PC_MEM_FAULT;
    }
    m->packets++;
    return PC_MEM_OK;
}
