/* SPDX-License-Identifier: MIT */
/* pc_packet_decode(): every byte of a packet is where PC.REC.1 says, and what the unit sends is
 * read. */
#include "pcounter/pcounter.h"

#include <string.h>

#include "test.h"

static uint64_t field_of(const struct pc_packet *p, unsigned half)
{
    return half < 3    ? p->cycles >> 16 * half & 0xffff
           : half == 3 ? p->stop | (uint64_t)p->unused << 12
                       : p->event[half - 4];
}

/* Each bit of each half word comes out in its field, and in no other. */
static void each_bit(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 256; bit++) {
        uint8_t bytes[PC_PACKET_LONG] = { 0 };
        struct pc_packet p;
        bytes[bit / 8] = (uint8_t)(1u << bit % 8);
        assert_true(pc_packet_decode(bytes, sizeof bytes, &p));
        assert_int_equal(p.events, 12);
        for (unsigned half = 0; half < 16; half++)
            assert_int_equal(field_of(&p, half), half == bit / 16 ? UINT64_C(1) << bit % 16 : 0);
    }
}

static void short_is_the_first_half(void **state)
{
    uint8_t bytes[PC_PACKET_LONG];
    struct pc_packet p, whole;

    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(17 * i + 3);
    assert_true(pc_packet_decode(bytes, PC_PACKET_SHORT, &p));
    assert_true(pc_packet_decode(bytes, PC_PACKET_LONG, &whole));
    assert_int_equal(p.events, 4);
    assert_int_equal(p.cycles, whole.cycles);
    assert_int_equal(p.stop, whole.stop);
    assert_memory_equal(p.event, whole.event, 4 * sizeof p.event[0]);
    for (unsigned i = 4; i < PC_PACKET_EVENTS; i++)
        assert_int_equal(p.event[i], 0);
}

static void other_sizes_are_refused(void **state)
{
    const uint8_t bytes[64] = { 1 };
    struct pc_packet p = { .cycles = 99 };

    (void)state;
    for (size_t size = 0; size <= sizeof bytes; size++)
        if (size != PC_PACKET_SHORT && size != PC_PACKET_LONG)
            assert_false(pc_packet_decode(bytes, size, &p));
    assert_int_equal(p.cycles, 99);
}

static enum pc_mem_result keep(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                               size_t size)
{
    (void)domain;
    (void)address;
    assert_true(pc_packet_decode(data, size, ctx));
    return PC_MEM_OK;
}

/* A unit that counts signals 0 to 11 in so many cycles each, until STOP. */
static void what_the_unit_sends(void **state)
{
    struct pc_packet p = { .cycles = 0 };
    const struct pc_unit_desc desc = { .chip = pc_chip_find("G84"),
                                       .mem_write = keep,
                                       .mem_ctx = &p };
    struct pc_unit *unit;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_unit_create(&desc, &unit, &err), PC_OK);
    pc_unit_write(unit, 0xa7a4, 1);          /* RECORD_DMA */
    pc_unit_write(unit, 0xa7a0, 0x80000000); /* RECORD_CHAN */
    pc_unit_write(unit, 0xa404, 0x03020100); /* PRE_SRC[1] */
    pc_unit_write(unit, 0xa444, 0x07060504);
    pc_unit_write(unit, 0xa484, 0x0b0a0908);
    pc_unit_write(unit, 0xa4c4, 0x0c);   /* STOP_SRC[1] */
    pc_unit_write(unit, 0xa4e4, 0xaaaa); /* STOP_OP[1] */
    pc_unit_write(unit, 0xa724, 0xfffffff0);
    pc_unit_write(unit, 0xa7c4, 2); /* CTRL[1] */
    pc_unit_write(unit, 0xa764, 0); /* RECORD_START[1] */
    for (unsigned t = 0; t < 700; t++) {
        uint64_t raw[8][PC_SIG_WORDS] = { { 0 } };
        for (unsigned i = 0; i < PC_PACKET_EVENTS; i++)
            raw[1][0] |= (uint64_t)(t < 50 * i + 1) << i;
        raw[1][0] |= (uint64_t)(t == 699) << 12;
        pc_unit_step(unit, 2, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
    assert_int_equal(p.cycles, 700);
    assert_int_equal(p.stop, 1);
    assert_int_equal(p.unused, 0);
    for (unsigned i = 0; i < PC_PACKET_EVENTS; i++)
        assert_int_equal(p.event[i], 50 * i + 1);
    pc_unit_destroy(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit),
        cmocka_unit_test(short_is_the_first_half),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(what_the_unit_sends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
