/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Record mode": what triggers a packet, what is in it, and what happens while one
 * is on its way.  Addresses and limits stand in record_setup.c, faults in record_fault.c.  The wrap
 * of the cycles at 48 bits is out of reach by stepping; its carries into the middle half word are
 * checked.
 */
#include "record_bench.h"

#include <string.h>

/* Verifies a LONG packet byte by byte.  PC.REC.1, PC.REC.3, PC.REC.4, PC.REC.5, D-65 */
static void long_packet_byte_by_byte(struct rig *rig)
{
    uint8_t expected[32] = { 0 };

    record_start(rig, 0);
    for (unsigned t = 0; t < 300; t++) { /* event k is 1 in 20 k + 3 cycles */
        unsigned events = 0;
        for (unsigned k = 0; k < EVENTS; k++)
            events |= t < 20 * k + 3 ? 1u << k : 0;
        record_cycle(rig, events, t == 299);
    }
    expected[0] = 300 & 0xff;
    expected[1] = 300 >> 8;
    expected[6] = 1;
    for (unsigned k = 0; k < EVENTS; k++)
        expected[8 + 2 * k] = (uint8_t)(20 * k + 3);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(rig->packet[0].size, 32);
    assert_int_equal(rig->packet[0].domain, rig->dom);
    assert_int_equal(rig->packet[0].address, BUFFER);
    assert_memory_equal(rig->packet[0].data, expected, 32);
}

/* Verifies that a SHORT packet is the first half of the LONG one.  PC.REC.2 */
static void short_packet_byte_by_byte(struct rig *rig)
{
    static const uint8_t expected[16] = { 0x02, 0x01, 0,    0, 0,    0,    1, 0,
                                          0x02, 0x01, 0x01, 0, 0x02, 0x01, 0, 0 };

    record_start(rig, CTRL_SHORT);
    record_cycles(rig, 0x100, 0xff5); /* PRE_SRC0, PRE_SRC2 and all of the others */
    record_cycle(rig, 0xff5, false);
    record_cycle(rig, 0xff7, true);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(rig->packet[0].size, 16);
    assert_memory_equal(rig->packet[0].data, expected, 16);
}

/* Verifies that events in the STOP cycle belong to the packet, and only they.  PC.REC.5, PC.REC.4,
 * D-65 */
static void events_of_the_stop_cycle_belong_to_the_packet(struct rig *rig)
{
    record_start(rig, 0);
    record_cycle(rig, 0x001, true);
    record_cycle(rig, 0x800, true);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(packet_stop(&rig->packet[i]), 1);
        assert_int_equal(packet_event(&rig->packet[i], 0), i == 0);
        assert_int_equal(packet_event(&rig->packet[i], 11), i == 1);
    }
}

/* Verifies that packets clear the events and not the cycles.  PC.REC.3, PC.REC.4 */
static void cycles_run_on_through_packets(struct rig *rig)
{
    record_start(rig, 0);
    for (unsigned i = 1; i <= 4; i++) {
        record_cycles(rig, 9 * i, 0x010);
        record_cycle(rig, 0, true);
    }
    assert_int_equal(rig->packets, 4);
    unsigned total = 0;
    for (unsigned i = 1; i <= 4; i++) {
        total += 9 * i + 1;
        assert_int_equal(packet_cycles(&rig->packet[i - 1]), total);
        assert_int_equal(packet_event(&rig->packet[i - 1], 4), 9 * i);
    }
}

/* Verifies that events count their raw source, whatever the operations are.  PC.REC.4 */
static void events_are_raw_sources(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, START_OP, OP_ONE);
    rig_write(rig, EVENT_OP, OP_ONE | 3u << 16);
    rig_write(rig, PRE_OP, OP_ONE | 3u << 16);
    record_cycle(rig, 0, false);
    record_cycle(rig, 0xa5a, false);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    for (unsigned k = 0; k < EVENTS; k++)
        assert_int_equal(packet_event(&rig->packet[0], k), 0xa5a >> k & 1);
}

/* Verifies that STOP is an operation: its table, its delay and SETFLAG apply.  PC.REC.7, PC.IN.3,
 * PC.IN.7 */
static void stop_is_an_operation(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, STOP_OP, OP_ARG0 | 1u << 16);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 0);
    record_cycle(rig, 0, false);
    assert_int_equal(rig->packets, 1);
    rig_write(rig, SETFLAG_OP, OP_ONE);
    rig_write(rig, STOP_OP, OP_ARG3 | 1u << 18);
    record_cycle(rig, 0, false);
    assert_int_equal(rig->packets, 2);
}

/* Verifies that an event counter triggers at f000, not before, with STOP 0.
 * PC.REC.6, PC.REC.3, D-65 */
static void event_counter_triggers_at_f000(struct rig *rig)
{
    static const unsigned counters[] = { 0, 6, 11 };

    for (unsigned i = 0; i < 3; i++) {
        unsigned k = counters[i];
        rig_restart(rig);
        record_start(rig, 0);
        record_cycles(rig, 0xefff, 1u << k);
        assert_int_equal(rig->packets, 0);
        rig_step(rig, 1);
        assert_int_equal(rig->packets, 1);
        assert_int_equal(packet_stop(&rig->packet[0]), 0);
        assert_int_equal(packet_event(&rig->packet[0], k), 0xf000);
        assert_int_equal(packet_cycles(&rig->packet[0]), 0xf000);
    }
    rig_step(rig, 0xf000);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(packet_event(&rig->packet[1], 11), 0xf000);
    assert_int_equal(packet_cycles(&rig->packet[1]), 0x1e000);
}

/* Verifies that in SHORT format a counter that does not show triggers at f000, too.  PC.REC.2,
 * PC.REC.6, D-65 */
static void hidden_counters_trigger_in_short_format(struct rig *rig)
{
    record_start(rig, CTRL_SHORT);
    record_cycles(rig, 0xeffe, 0xff8); /* nothing but PRE_SRC0..2 stays after */
    record_cycle(rig, 0x800, false);   /* EVENT_SRC3 goes on alone */
    assert_int_equal(rig->packets, 0);
    record_cycle(rig, 0x800, false);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(packet_stop(&rig->packet[0]), 0);
    assert_int_equal(packet_event(&rig->packet[0], 3), 0xeffe);
    assert_int_equal(packet_event(&rig->packet[0], 0), 0);
}

/* Verifies that with a free slot STOP held at 1 gives a packet a cycle.  PC.REC.7, D-66 */
static void stop_held_gives_a_packet_a_cycle(struct rig *rig)
{
    record_start(rig, 0);
    for (unsigned i = 0; i < 5; i++) {
        record_cycle(rig, 1, true);
        assert_int_equal(rig->packets, i + 1);
        assert_int_equal(packet_stop(&rig->packet[i]), 1);
        assert_int_equal(packet_event(&rig->packet[i], 0), 1);
        assert_int_equal(packet_cycles(&rig->packet[i]), i + 1);
    }
}

/* Verifies that a slot busy for L cycles collects what comes meanwhile.  PC.REC.7, D-66 */
static void busy_slot_collects(struct rig *rig)
{
    const struct pc_chip *chip = rig->chip;
    unsigned dom = rig->dom;

    for (unsigned latency = 1; latency <= 5; latency += 2) {
        rig_close(rig);
        rig_open(rig, chip, dom, latency);
        record_start(rig, 0);
        for (unsigned i = 0; i < 3 * (latency + 1) + 1; i++)
            record_cycle(rig, 2, true);
        assert_int_equal(rig->packets, 4);
        for (unsigned i = 0; i < 4; i++) {
            unsigned stops = i == 0 ? 1 : latency + 1;
            assert_int_equal(packet_stop(&rig->packet[i]), stops);
            assert_int_equal(packet_event(&rig->packet[i], 1), stops);
            assert_int_equal(packet_cycles(&rig->packet[i]), i * (latency + 1) + 1);
        }
    }
}

/* Verifies that one STOP while the slot is busy goes out as soon as it is free.  PC.REC.7, D-66 */
static void late_packet_goes_out_when_the_slot_is_free(struct rig *rig)
{
    const struct pc_chip *chip = rig->chip;
    unsigned dom = rig->dom;

    rig_close(rig);
    rig_open(rig, chip, dom, 4);
    record_start(rig, 0);
    record_cycle(rig, 0, true);
    record_cycle(rig, 1, true);
    record_cycles(rig, 3, 1);
    assert_int_equal(rig->packets, 1);
    record_cycle(rig, 1, false); /* fifth after the first packet: free */
    assert_int_equal(rig->packets, 2);
    assert_int_equal(packet_stop(&rig->packet[1]), 1);
    assert_int_equal(packet_event(&rig->packet[1], 0), 5);
}

/* Verifies that the slot's time passes in cycles of other modes, too.  D-66, PC.REC.7 */
static void slot_gets_free_in_other_modes(struct rig *rig)
{
    static const uint32_t other[] = { MODE_QUAD, MODE_SINGLE, 3 };
    const struct pc_chip *chip = rig->chip;
    unsigned dom = rig->dom;

    for (unsigned m = 0; m < 3; m++) {
        rig_close(rig);
        rig_open(rig, chip, dom, 10);
        record_start(rig, 0);
        record_cycle(rig, 0, true);
        rig_ctrl(rig, other[m], SIMPLE, 0);
        rig_step(rig, 6);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        for (unsigned i = 0; i < 4; i++)
            record_cycle(rig, 0, true);
        assert_int_equal(rig->packets, 1);
        record_cycle(rig, 0, true); /* eleventh after the first packet: free */
        assert_int_equal(rig->packets, 2);
        assert_int_equal(packet_stop(&rig->packet[1]), 5);
    }
}

/* Verifies that a pending write keeps the slot until it is reported done.  PC.REC.7, D-66 */
static void pending_write_keeps_the_slot(struct rig *rig)
{
    record_start(rig, 0);
    rig->answer = PC_MEM_PENDING;
    record_cycle(rig, 0, true);
    for (unsigned i = 0; i < 9; i++)
        record_cycle(rig, 4, true);
    assert_int_equal(rig->packets, 1);
    rig->answer = PC_MEM_OK;
    pc_unit_record_done(rig->unit, rig->dom, false);
    record_cycle(rig, 4, false);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(packet_stop(&rig->packet[1]), 9);
    assert_int_equal(packet_event(&rig->packet[1], 2), 10);
    assert_int_equal(packet_cycles(&rig->packet[1]), 11);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 3);
}

/* Verifies that events stop at ffff and STOP at fff while the slot is busy, and count anew
 * afterwards.  PC.REC.8, D-66 */
static void counters_saturate_while_busy(struct rig *rig)
{
    record_start(rig, 0);
    rig->answer = PC_MEM_PENDING;
    record_cycle(rig, 0, true);
    record_cycles(rig, 0x10, 0x401);
    record_cycle(rig, 0x401, true);
    rig_step(rig, 0xffee); /* event 0 and 10 up to ffff */
    record_cycle(rig, 0x001, true);
    rig_step(rig, 99);
    rig->answer = PC_MEM_OK;
    pc_unit_record_done(rig->unit, rig->dom, false);
    record_cycle(rig, 0x001, false);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(packet_stop(&rig->packet[1]), 0xfff);
    assert_int_equal(packet_event(&rig->packet[1], 0), 0xffff);
    assert_int_equal(packet_event(&rig->packet[1], 10), 0xffff);
    assert_int_equal(packet_cycles(&rig->packet[1]), 1 + 0x10 + 1 + 0xffee + 100 + 1);
    assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_SATURATED); /* PC.DIAG.5 */
    record_cycle(rig, 0x001, true);
    assert_int_equal(packet_event(&rig->packet[2], 0), 1);
    assert_int_equal(packet_stop(&rig->packet[2]), 1);
}

/* Verifies that STOP counts 4094 and 4095 exactly and then stays.  PC.REC.8 */
static void stop_counter_ends_at_fff(struct rig *rig)
{
    static const unsigned stops[] = { 0xffe, 0xfff, 0x1000, 0x1801 };

    for (unsigned i = 0; i < 4; i++) {
        rig_restart(rig);
        record_start(rig, 0);
        rig->answer = PC_MEM_PENDING;
        record_cycle(rig, 0, true);
        rig_step(rig, stops[i]);
        rig->answer = PC_MEM_OK;
        pc_unit_record_done(rig->unit, rig->dom, false);
        record_cycle(rig, 0, false);
        assert_int_equal(packet_stop(&rig->packet[1]), stops[i] > 0xfff ? 0xfff : stops[i]);
    }
}

/* Verifies that the format is looked at for each packet.  PC.REC.23, PC.REC.18, D-74 */
static void format_is_sampled_per_packet(struct rig *rig)
{
    record_start(rig, 0);
    record_cycle(rig, 0, true);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, CTRL_SHORT);
    record_cycle(rig, 0, true);
    record_cycle(rig, 0, true);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    record_cycle(rig, 0, true);
    static const unsigned offset[] = { 0, 0x20, 0x30, 0x40 };
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(rig->packet[i].address, BUFFER + offset[i]);
        assert_int_equal(rig->packet[i].size, i == 1 || i == 2 ? 16 : 32);
    }
    assert_int_equal(record_position(rig), BUFFER + 0x60);
}

/* Verifies that domains record side by side, each into its own buffer.  PC.REC.10, PC.REC.7 */
static void domains_record_side_by_side(struct rig *rig)
{
    for (rig->dom = 0; rig->dom < 2; rig->dom++) {
        record_start(rig, 0);
        rig_write(rig, RECORD_START, BUFFER + 0x1000 * rig->dom);
        rig_line(rig, 2 + rig->dom, true);
        rig_line(rig, STOP_LINE, true);
    }
    rig_step_all(rig, 3);
    assert_int_equal(rig->packets, 6);
    for (unsigned i = 0; i < 6; i++) {
        const struct packet *p = &rig->packet[i];
        assert_in_range(p->domain, 0, 1);
        assert_int_equal(p->address & ~0xfffu, BUFFER + 0x1000 * p->domain);
        assert_int_equal(packet_event(p, 2), p->domain == 0);
        assert_int_equal(packet_event(p, 3), p->domain == 1);
    }
}

/* Verifies that writing PRE_OP neither writes a packet nor clears anything.  PC.REC.24, D-44 */
static void pre_op_does_nothing(struct rig *rig)
{
    record_start(rig, 0);
    record_cycles(rig, 5, 1);
    rig_write(rig, PRE_OP, OP_ONE);
    record_cycle(rig, 1, false);
    assert_int_equal(rig->packets, 0);
    assert_int_equal(rig_single_state(rig), INACTIVE);
    assert_int_equal(rig_quad_state(rig), EMPTY);
    record_cycle(rig, 0, true);
    assert_int_equal(packet_event(&rig->packet[0], 0), 6);
    assert_int_equal(packet_cycles(&rig->packet[0]), 7);
}

int main(void)
{
    static const struct conform_case cases[] = {
        RECORD(long_packet_byte_by_byte),
        RECORD(short_packet_byte_by_byte),
        RECORD(events_of_the_stop_cycle_belong_to_the_packet),
        RECORD(cycles_run_on_through_packets),
        RECORD(events_are_raw_sources),
        RECORD(stop_is_an_operation),
        RECORD_ONCE(event_counter_triggers_at_f000),
        RECORD_ONCE(hidden_counters_trigger_in_short_format),
        RECORD(stop_held_gives_a_packet_a_cycle),
        RECORD(busy_slot_collects),
        RECORD(late_packet_goes_out_when_the_slot_is_free),
        RECORD(slot_gets_free_in_other_modes),
        RECORD(pending_write_keeps_the_slot),
        RECORD_ONCE(counters_saturate_while_busy),
        RECORD_ONCE(stop_counter_ends_at_fff),
        RECORD(format_is_sampled_per_packet),
        RECORD_ONCE(domains_record_side_by_side),
        RECORD(pre_op_does_nothing),
    };

    return conform_run("record", cases, sizeof cases / sizeof cases[0]);
}
