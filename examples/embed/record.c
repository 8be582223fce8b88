/* SPDX-License-Identifier: MIT */
/*
 * A live unit (pcounter/live.h) in record mode, on a bus whose memory answers late: a G84 sends a
 * packet with each PM_TRIGGER, the memory finishes it some cycles later, and the last one faults.
 */
#include "pcounter-model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DOMAIN = 1, BUFFER = 0x1000, END = 0x1040, DELAY = 3, PM_TRIGGER = 0xef, COUNTED = 0x10 };

struct memory {
    uint8_t byte[END];
    uint64_t left; /* cycles until the packet is written; 0: none is on its way */
};

/* Takes a packet, which is on its way until pc_live_record_done(). */
static enum pc_mem_result take_packet(void *ctx, unsigned domain, uint64_t address,
                                      const uint8_t *data, size_t size)
{
    struct memory *m = ctx;

    (void)domain;
    if (address + size > sizeof m->byte)
        return PC_MEM_FAULT;
    memcpy(m->byte + address, data, size);
    m->left = DELAY;
    return PC_MEM_PENDING;
}

/* Makes `cycles` clocks with the counted signal at 1. */
static void run(struct pc_live *live, struct memory *m, unsigned cycles)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };

    raw[DOMAIN][COUNTED / 64] = UINT64_C(1) << COUNTED % 64;
    while (cycles-- > 0) {
        pc_live_step(live, 1u << DOMAIN, (const uint64_t(*)[PC_SIG_WORDS])raw);
        if (m->left > 0 && --m->left == 0)
            pc_live_record_done(live, DOMAIN, false);
    }
}

static void program(struct pc_live *live)
{
    static const uint32_t writes[][2] = {
        { 0xa7a8, 1 },          /* GCTRL: RECORD_RESET */
        { 0xa7a4, 0x42 },       /* RECORD_DMA */
        { 0xa7a0, 0x80001234 }, /* RECORD_CHAN binds both */
        { 0xa404, COUNTED },    /* PRE_SRC[1]: counted in event 0 */
        { 0xa4c4, PM_TRIGGER }, /* STOP_SRC[1] */
        { 0xa4e4, 0xaaaa },     /* STOP_OP[1]: its SRC0 */
        { 0xa7c4, 2 },          /* CTRL[1]: MODE = RECORD, packets of 32 bytes */
        { 0xa724, 0xfff0 },     /* RECORD_LIMIT[1] */
        { 0xa764, BUFFER },     /* RECORD_START[1] */
        { 0xa7a8, 0 },          /* counting begins */
    };

    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        pc_live_write(live, writes[i][0], writes[i][1]);
}

static void print_packets(const struct memory *m)
{
    struct pc_packet p;

    for (unsigned at = BUFFER; at < END; at += PC_PACKET_LONG)
        if (pc_packet_decode(m->byte + at, PC_PACKET_LONG, &p))
            printf("packet at %x: cycle %" PRIu64 ", event 0: %u\n", at, p.cycles, p.event[0]);
}

int main(void)
{
    static struct memory memory;
    const struct pc_unit_desc desc = { .chip = pc_chip_find("G84"),
                                       .mem_write = take_packet,
                                       .mem_ctx = &memory };
    struct pc_vm_access who;
    struct pc_unit *unit;
    struct pc_live *live;
    struct pc_error err;

    if (pc_unit_create(&desc, &unit, &err) != PC_OK || pc_live_open(unit, &live, &err) != PC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    program(live);
    for (int i = 0; i < 3; i++) { /* the third packet is beyond the memory */
        run(live, &memory, 10);
        pc_live_pulse(live, PC_PULSE_PM_TRIGGER, 0);
    }
    run(live, &memory, 10);
    print_packets(&memory);
    printf("RECORD_STATUS[1] %08" PRIx32 "\n", pc_live_read(live, 0xa6e4));
    if (pc_unit_diagnostics(pc_live_unit(live), DOMAIN) & PC_DIAG_RECORD_FAULT &&
        pc_chip_vm(desc.chip, &who))
        printf("the VM reports a fault of engine %02x, client %02x, slot %02x\n", who.engine,
               who.client, who.slot);
    pc_live_close(live);
    pc_unit_destroy(unit);
    return 0;
}
