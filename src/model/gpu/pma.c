/* SPDX-License-Identifier: MIT */
/*
 * MAIN of GF100+ (NVIDIA: PMA): the ring that stream-out packets go to (D-75; clauses
 * PC.GF.39 to PC.GF.46).  As documented for GK20A, unverified on Fermi.
 *
 * A packet goes to RECORD_START + head and is unread until software bumps it away; one
 * that does not fit is lost and sets MEMBUF_STATUS.  Everything else is only stored.
 */
#include "model/gpu/gpu.h"

#include <string.h>

#define PACKET 32

void pc_pma_reset(struct pc_pma *p)
{
    memset(p, 0, sizeof *p);
}

static bool has_ring(const struct pc_pma *p)
{
    return p->bound && p->limit >= PACKET;
}

/* The ring has room for so much unread (PC.GF.43, PC.GF.44), if it is bound (PC.GF.45). */
enum pc_mem_result pc_pma_answer(const struct pc_pma *p, uint64_t more, size_t size)
{
    bool fits = p->bytes + more + size <= p->limit;

    return has_ring(p) && fits ? PC_MEM_OK : PC_MEM_FAULT;
}

/* A packet from a unit: into the ring, or lost. */
enum pc_mem_result pc_pma_packet(struct pc_gpu *gpu, unsigned domain, const uint8_t *data,
                                 size_t size)
{
    struct pc_pma *p = &gpu->pma;

    if (pc_pma_answer(p, 0, size) == PC_MEM_FAULT) {
        p->overflow = p->overflow || has_ring(p);
        return PC_MEM_FAULT;
    }
    uint32_t position = p->start + p->head; /* wraps at 4 GiB as on Tesla */
    pc_gpu_store(gpu, domain, (uint64_t)p->high << 32 | position, data, size);
    p->head = (p->head + PACKET) % p->limit;
    p->bytes += (uint32_t)size;
    return PC_MEM_OK;
}

/* Most registers are only stored (PC.GF.39). */
void pc_pma_write(struct pc_pma *p, const struct pc_reg_hit *hit, uint32_t value)
{
    uint32_t kept = value & hit->rw_mask;

    switch (hit->id) {
    case PC_R_MAIN_CONTROL:
        p->control = kept;
        if (PC_GET(value, MAIN_CONTROL, MEMBUF_CLEAR_STATUS))
            p->overflow = false;
        break;
    case PC_R_MAIN_RECORD_CHAN: /* binds, or unbinds; the ring starts anew (U-016) */
        p->chan = kept;
        p->bound = PC_GET(value, MAIN_RECORD_CHAN, VALID);
        p->head = p->bytes = 0;
        break;
    case PC_R_MAIN_RECORD_START:
        p->start = kept;
        break;
    case PC_R_MAIN_RECORD_ADDRESS_HIGH:
        p->high = kept;
        break;
    case PC_R_MAIN_RECORD_LIMIT: /* a size, not an end */
        p->limit = kept;
        p->head = p->bytes = 0;
        break;
    case PC_R_MAIN_MEM_BUMP: {
        uint32_t read = value & ~UINT32_C(15);
        p->bytes -= read < p->bytes ? read : p->bytes;
        break;
    }
    case PC_R_MAIN_VSTATUS:
        p->vstatus = kept;
        break;
    case PC_R_MAIN_SLCG:
        p->slcg = kept;
        break;
    case PC_R_MAIN_UNK:
        p->unknown[hit->index] = kept;
        break;
    default:
        break;
    }
}

/* RBUFEMPTY is 1 while nothing is unread (PC.GF.46). */
uint32_t pc_pma_read(const struct pc_pma *p, const struct pc_reg_hit *hit)
{
    switch (hit->id) {
    case PC_R_MAIN_CONTROL:
        return PC_PUT(p->control, MAIN_CONTROL, MEMBUF_STATUS, p->overflow);
    case PC_R_MAIN_RECORD_CHAN:
        return p->chan;
    case PC_R_MAIN_RECORD_START:
        return p->start;
    case PC_R_MAIN_RECORD_ADDRESS_HIGH:
        return p->high;
    case PC_R_MAIN_RECORD_LIMIT:
        return p->limit;
    case PC_R_MAIN_RECORD_POS:
        return p->start + p->head;
    case PC_R_MAIN_RECORD_COUNT:
        return p->bytes;
    case PC_R_MAIN_VSTATUS:
        return PC_PUT(p->vstatus, MAIN_VSTATUS, RBUFEMPTY, p->bytes == 0);
    case PC_R_MAIN_SLCG:
        return p->slcg;
    case PC_R_MAIN_UNK:
        return p->unknown[hit->index];
    default:
        return 0;
    }
}
