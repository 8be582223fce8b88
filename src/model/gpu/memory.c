/* SPDX-License-Identifier: MIT */
/*
 * The sparse memory for record mode: pages of 4 KiB in a pool that is reserved when
 * the device is created and touched as it fills, found through a hash of page numbers.
 */
#include "base/bytes.h"
#include "model/gpu/gpu.h"

#include <string.h>

static size_t hash(const struct pc_memory *m, uint64_t number)
{
    return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->slots - 1);
}

enum pc_status pc_memory_create(struct pc_memory *m, const struct pc_alloc *alloc, size_t limit)
{
    size_t bytes;

    m->pages = limit / PC_PAGE_BYTES + (limit % PC_PAGE_BYTES != 0);
    m->slots = 2;
    while (m->slots < m->pages * 2)
        m->slots *= 2;
    m->slot = (uint32_t *)pc_calloc(alloc, m->slots, sizeof *m->slot);
    if (!m->slot || !pc_size_mul(m->pages, sizeof *m->pool, &bytes))
        return PC_ENOMEM;
    m->pool = (struct pc_page *)alloc->resize(alloc->ctx, NULL, 0, bytes);
    return m->pool ? PC_OK : PC_ENOMEM;
}

void pc_memory_destroy(struct pc_memory *m, const struct pc_alloc *alloc)
{
    pc_free(alloc, m->pool, m->pages * sizeof *m->pool);
    pc_free(alloc, m->slot, m->slots * sizeof *m->slot);
}

/* Number of the last page: addresses have 40 bits. */
#define LAST_PAGE ((UINT64_C(1) << 40) / PC_PAGE_BYTES)

bool pc_memory_index(const struct pc_memory *m, const uint8_t *pages, size_t size, size_t count,
                     uint32_t *slot)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = pc_load_low_first(pages + i * size);
        if (number == 0 || number > LAST_PAGE)
            return false;
        size_t at = hash(m, number);
        for (; slot[at] != 0; at = (at + 1) & (m->slots - 1))
            if (pc_load_low_first(pages + (slot[at] - 1) * size) == number)
                return false;
        slot[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Returns the page that holds an address, or NULL; *at is where it is or would be. */
static struct pc_page *find_page(const struct pc_memory *m, uint64_t address, size_t *at)
{
    uint64_t number = address / PC_PAGE_BYTES + 1;

    for (*at = hash(m, number); m->slot[*at] != 0; *at = (*at + 1) & (m->slots - 1))
        if (m->pool[m->slot[*at] - 1].number == number)
            return &m->pool[m->slot[*at] - 1];
    return NULL;
}

static struct pc_page *page_for(struct pc_memory *m, uint64_t address)
{
    size_t at;
    struct pc_page *page = find_page(m, address, &at);

    if (page || m->used == m->pages)
        return page;
    page = &m->pool[m->used++];
    memset(page, 0, sizeof *page);
    page->number = address / PC_PAGE_BYTES + 1;
    m->slot[at] = (uint32_t)m->used;
    return page;
}

/* Packets are aligned to 16 bytes, a long one may straddle two pages. */
static enum pc_mem_result write_pages(struct pc_memory *m, uint64_t address, const uint8_t *data,
                                      size_t size)
{
    for (size_t done = 0; done < size; done += 16) {
        struct pc_page *page = page_for(m, address + done);
        if (!page) {
            m->full = true;
            return PC_MEM_OK; /* our limit, not the card's: no VM fault */
        }
        size_t offset = (size_t)((address + done) % PC_PAGE_BYTES);
        memcpy(page->bytes + offset, data + done, 16);
        page->written[offset / 16 / 64] |= UINT64_C(1) << (offset / 16 % 64);
    }
    return PC_MEM_OK;
}

enum pc_mem_result pc_gpu_store(struct pc_gpu *gpu, unsigned domain, uint64_t address,
                                const uint8_t *data, size_t size)
{
    return gpu->mem_write ? gpu->mem_write(gpu->mem_ctx, domain, address, data, size)
                          : write_pages(&gpu->memory, address, data, size);
}

void pc_gpu_memory_read(const struct pc_gpu *gpu, uint64_t address, uint8_t *out, size_t size,
                        bool *written)
{
    bool any = false;

    for (size_t i = 0; i < size; i++) {
        size_t at, offset = (size_t)((address + i) % PC_PAGE_BYTES);
        const struct pc_page *page = find_page(&gpu->memory, address + i, &at);
        out[i] = page ? page->bytes[offset] : 0;
        any |= page && (page->written[offset / 16 / 64] >> (offset / 16 % 64) & 1);
    }
    if (written)
        *written = any;
}
