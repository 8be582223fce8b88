/* SPDX-License-Identifier: MIT */
/*
 * State of CVA6's counters for tools and snapshots.  A snapshot is 100 bytes, little-endian:
 *
 *    0   8  "PCHPM1", two zeros
 *    8   1  XLEN            9  1  commit ports
 *   10   2  bits: perf_counter_en zicntr zihpm rvs rvu rvh debug, from 0
 *   12   4  quirks
 *   16  64  mcycle, minstret, mhpmcounter3..8
 *   80   6  mhpmevent3..8  86  2  mcountinhibit
 *   88  12  mcounteren, scounteren, hcounteren
 */
#include "model/hpm/hpm.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"

static const uint8_t magic[8] = "PCHPM1";
static const uint8_t counters[8] = { 0, 2, 3, 4, 5, 6, 7, 8 };

void pc_hpm_get_state(const struct pc_hpm *hpm, struct pc_hpm_state *out)
{
    *out = hpm->s;
}

static enum pc_status check_state(const struct pc_hpm *hpm, const struct pc_hpm_state *s,
                                  struct pc_error *err)
{
    const struct pc_hpm_config *c = &hpm->config;
    const uint32_t inhibit = c->perf_counter_en ? PC_HPM_INHIBIT_MASK : 0;

    if (s->counter[1] != 0)
        return pc_fail(err, 1007, "there is no counter 1");
    for (unsigned i = 0; i <= PC_HPM_LAST; i++) {
        bool event = i >= PC_HPM_FIRST && c->perf_counter_en;
        if (i >= PC_HPM_FIRST && !event && s->counter[i] != 0)
            return pc_fail(err, 1007, "mhpmcounter%u is constant 0 in this configuration", i);
        if (s->selector[i] > (event ? PC_HPM_SELECTOR_MASK : 0))
            return pc_fail(err, 1007, "mhpmevent%u cannot be 0x%x", i, (unsigned)s->selector[i]);
    }
    if (s->inhibit & ~inhibit)
        return pc_fail(err, 1007, "mcountinhibit 0x%x has bits outside 0x%x", (unsigned)s->inhibit,
                       (unsigned)inhibit);
    if ((s->mcounteren && !c->rvu) || (s->scounteren && !c->rvs) || (s->hcounteren && !c->rvh))
        return pc_fail(err, 1007, "an enable register is set that this configuration lacks");
    return PC_OK;
}

enum pc_status pc_hpm_set_state(struct pc_hpm *hpm, const struct pc_hpm_state *state,
                                struct pc_error *err)
{
    enum pc_status status = check_state(hpm, state, err);

    if (status == PC_OK)
        hpm->s = *state;
    return status;
}

/* Bytes 0 to 15: whose state it is. */
static void head(const struct pc_hpm *hpm, uint8_t *p)
{
    const struct pc_hpm_config *c = &hpm->config;
    unsigned bits = (unsigned)c->perf_counter_en | (unsigned)c->zicntr << 1 |
                    (unsigned)c->zihpm << 2 | (unsigned)c->rvs << 3 | (unsigned)c->rvu << 4 |
                    (unsigned)c->rvh << 5 | (unsigned)c->debug << 6;

    memcpy(p, magic, sizeof magic);
    p[8] = c->xlen;
    p[9] = c->commit_ports;
    pc_put_bytes(p + 10, 2, bits);
    pc_put_bytes(p + 12, 4, hpm->quirks);
}

void pc_hpm_save(const struct pc_hpm *hpm, uint8_t bytes[PC_HPM_STATE_SIZE])
{
    head(hpm, bytes);
    for (size_t i = 0; i < 8; i++)
        pc_put_bytes(bytes + 16 + 8 * i, 8, hpm->s.counter[counters[i]]);
    for (size_t i = 0; i < 6; i++)
        bytes[80 + i] = hpm->s.selector[PC_HPM_FIRST + i];
    pc_put_bytes(bytes + 86, 2, hpm->s.inhibit);
    pc_put_bytes(bytes + 88, 4, hpm->s.mcounteren);
    pc_put_bytes(bytes + 92, 4, hpm->s.scounteren);
    pc_put_bytes(bytes + 96, 4, hpm->s.hcounteren);
}

enum pc_status pc_hpm_load(struct pc_hpm *hpm, const void *bytes, size_t size, struct pc_error *err)
{
    const uint8_t *p = (const uint8_t *)bytes;
    struct pc_hpm_state s = { .inhibit = 0 };
    uint8_t mine[16];

    if (size != PC_HPM_STATE_SIZE)
        return pc_fail(err, 1008, "a snapshot has %d bytes, not %zu", PC_HPM_STATE_SIZE, size);
    head(hpm, mine);
    if (memcmp(p, mine, sizeof magic) != 0)
        return pc_fail_byte(err, 1008, 0, "the bytes do not start with the mark of a snapshot");
    if (memcmp(p, mine, sizeof mine) != 0)
        return pc_fail_byte(err, 1008, 8,
                            "the snapshot is of another configuration or set of quirks");
    for (size_t i = 0; i < 8; i++)
        s.counter[counters[i]] = pc_get_bytes(p + 16 + 8 * i, 8);
    for (size_t i = 0; i < 6; i++)
        s.selector[PC_HPM_FIRST + i] = p[80 + i];
    s.inhibit = (uint32_t)pc_get_bytes(p + 86, 2);
    s.mcounteren = (uint32_t)pc_get_bytes(p + 88, 4);
    s.scounteren = (uint32_t)pc_get_bytes(p + 92, 4);
    s.hcounteren = (uint32_t)pc_get_bytes(p + 96, 4);
    return pc_hpm_set_state(hpm, &s, err);
}
