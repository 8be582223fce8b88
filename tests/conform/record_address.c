/* SPDX-License-Identifier: MIT */
/* Conformance, "Record mode setup": where packets go, at 4 GiB too. */
#include "record_bench.h"

/* Verifies that LONG and SHORT packets move the position by their size.  PC.REC.18, PC.REC.17, D-74
 */
static void position_steps_by_the_packets_size(struct rig *rig)
{
    for (unsigned s = 0; s < 2; s++) {
        rig_restart(rig);
        record_start(rig, s ? CTRL_SHORT : 0);
        rig_write(rig, RECORD_START, BUFFER + 0x10);
        for (unsigned i = 0; i < 4; i++) {
            record_cycle(rig, 0, true);
            assert_int_equal(rig->packet[i].address, BUFFER + 0x10 + i * (s ? 0x10 : 0x20));
            assert_int_equal(record_position(rig), BUFFER + 0x10 + (i + 1) * (s ? 0x10 : 0x20));
        }
    }
}

/* Verifies that the position wraps at 4 GiB and does not carry into bit 32.  PC.REC.18, D-73 */
static void position_wraps_at_4_gib(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_START, 0xffffffe0);
    record_cycle(rig, 0, true); /* below the limit of fffffff0 */
    assert_int_equal(record_position(rig), 0);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(rig->packet[0].address, 0xffffffe0);
    assert_int_equal(rig->packet[1].address, 0);
    assert_int_equal(record_position(rig), 0x20);
}

/* Verifies that a long packet in the last 16 bytes of a block of 4 GiB has its second half in the
 * first ones of the same block, and that the position goes on after it.  PC.REC.25, PC.REC.18,
 * D-74a */
static void packet_wraps_at_4_gib(struct rig *rig)
{
    const bool high = rig->chip->features & PC_F_RECORD_HIGH;
    const uint64_t block = high ? UINT64_C(0xab00000000) : 0;

    record_start(rig, 0);
    if (high)
        rig_write(rig, RECORD_ADDRESS_HIGH, 0xab);
    rig_write(rig, RECORD_START, 0xfffffff0);
    record_cycle(rig, 0xff0, true); /* START_SRC and EVENT_SRC: the second half */
    assert_int_equal(rig->packets, 2);
    assert_true(rig->packet[0].address == (block | 0xfffffff0) && rig->packet[0].size == 16);
    assert_true(rig->packet[1].address == block && rig->packet[1].size == 16);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(rig->packet[1].data[2 * i], 1);
    assert_int_equal(record_position(rig), 0x10);
    record_cycle(rig, 0, true); /* the limit was reached */
    assert_int_equal(rig->packets, 2);
}

/* Verifies that both halves must arrive.  PC.REC.25, PC.REC.20, D-74a */
static void either_half_may_fault(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_START, 0xfffffff0);
    rig->answer = PC_MEM_FAULT;
    record_cycle(rig, 0, true);
    assert_true(record_fault(rig));
    assert_int_equal(rig->packets, 1);
    assert_int_equal(record_position(rig), 0xfffffff0);
}

/* Verifies that it is a fault of the packet if only the second half does not arrive. */
static void second_half_may_fault(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_START, 0xfffffff0);
    rig->answer = PC_MEM_FAULT;
    rig->before = 1;
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 2);
    assert_true(record_fault(rig));
    assert_int_equal(record_position(rig), 0xfffffff0);
}

/* Verifies that a short packet has room there.  PC.REC.25, D-74a */
static void short_packet_at_4_gib(struct rig *rig)
{
    record_start(rig, CTRL_SHORT);
    rig_write(rig, RECORD_START, 0xfffffff0);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(rig->packet[0].size, 16);
    assert_int_equal(record_position(rig), 0);
}

/* Verifies that the high address comes from its register, per packet, and is not changed by a wrap.
 * PC.REC.19, PC.REC.18, D-73 */
static void address_high_is_sampled_per_packet(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_ADDRESS_HIGH, 0xab);
    rig_write(rig, RECORD_START, 0xffffffe0);
    record_cycle(rig, 0, true);
    record_cycle(rig, 0, true);
    rig_write(rig, RECORD_ADDRESS_HIGH, 0xff);
    record_cycle(rig, 0, true);
    assert_true(rig->packet[0].address == UINT64_C(0xabffffffe0));
    assert_true(rig->packet[1].address == UINT64_C(0xab00000000));
    assert_true(rig->packet[2].address == UINT64_C(0xff00000020));
}

/* Verifies that G84:G92 write below 4 GiB whatever is written at the later register's place.
 * PC.REC.19, PC.REG.5, D-73 */
static void address_high_is_absent_before_g92(struct rig *rig)
{
    record_start(rig, 0);
    pc_unit_write(rig->unit, 0xa6a0 + 4 * rig->dom, 0xab);
    record_cycle(rig, 0, true);
    assert_true(rig->packet[0].address == BUFFER);
}

int main(void)
{
    static const struct conform_case cases[] = {
        RECORD(position_steps_by_the_packets_size),
        RECORD(position_wraps_at_4_gib),
        RECORD(packet_wraps_at_4_gib),
        RECORD(either_half_may_fault),
        RECORD(second_half_may_fault),
        RECORD(short_packet_at_4_gib),
        { .name = "address_high_is_sampled_per_packet",
          .run = address_high_is_sampled_per_packet,
          .need = PC_F_RECORD_HIGH,
          .signals = RECORD_SIGNALS },
        { .name = "address_high_is_absent_before_g92",
          .run = address_high_is_absent_before_g92,
          .need = PC_F_RECORD,
          .lack = PC_F_RECORD_HIGH,
          .signals = RECORD_SIGNALS },
    };

    return conform_run("record_address", cases, sizeof cases / sizeof cases[0]);
}
