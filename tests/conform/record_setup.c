/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Record mode setup": buffer, limit, the bogus packet and RECORD_RESET.  Where
 * packets go stands in record_address.c, binding and faults in record_fault.c.
 */
#include "record_bench.h"

/* Verifies that RECORD_START keeps bits 4 to 31, acts in the next cycle and moves the position.
 * PC.REC.10, PC.REC.17, PC.REG.8, D-67 */
static void record_start_sets_the_position(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_START, 0xabcdef9f);
    assert_int_equal(rig_read(rig, RECORD_START), 0xabcdef90);
    record_cycle(rig, 0, false);
    assert_int_equal(rig_read(rig, RECORD_STATUS), 0xabcdef90);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packet[0].address, 0xabcdef90);
    assert_int_equal(rig_read(rig, RECORD_STATUS), 0xabcdefb0);
    assert_int_equal(rig_read(rig, RECORD_START), 0xabcdef90);
}

/* Verifies that the position is visible in any mode.  PC.REC.10, PC.REC.17, D-67 */
static void position_is_set_in_any_mode(struct rig *rig)
{
    for (unsigned mode = MODE_SINGLE; mode <= MODE_RECORD; mode++) {
        rig_restart(rig);
        rig_ctrl(rig, (enum mode)mode, SIMPLE, 0);
        rig_write(rig, RECORD_START, 0x2000 + 0x10 * mode);
        rig_step(rig, 1);
        assert_int_equal(record_position(rig), 0x2000 + 0x10 * mode);
    }
}

/* Verifies that RECORD_START in record mode clears all counters, cycles too, before its cycle
 * counts.  PC.REC.11, D-67 */
static void record_start_clears_the_counters(struct rig *rig)
{
    record_start(rig, 0);
    record_cycles(rig, 50, 0xfff);
    rig_write(rig, RECORD_START, BUFFER);
    record_cycle(rig, 0x00f, false);
    record_cycle(rig, 0, true);
    assert_int_equal(packet_cycles(&rig->packet[0]), 2);
    for (unsigned k = 0; k < EVENTS; k++)
        assert_int_equal(packet_event(&rig->packet[0], k), k < 4);
}

/* Verifies that a packet in flight keeps the address it went out with.  PC.REC.11, PC.REC.17, D-67
 */
static void record_start_while_a_packet_is_out(struct rig *rig)
{
    record_start(rig, 0);
    rig->answer = PC_MEM_PENDING;
    record_cycle(rig, 0, true);
    rig->answer = PC_MEM_OK;
    rig_write(rig, RECORD_START, 0x5000);
    record_cycle(rig, 0, true);
    pc_unit_record_done(rig->unit, rig->dom, false);
    record_cycle(rig, 0, false);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(rig->packet[0].address, BUFFER);
    assert_int_equal(rig->packet[1].address, 0x5000);
    assert_int_equal(packet_cycles(&rig->packet[1]), 2);
}

/* Verifies that after power-up the buffer is invalid: packets are dropped and reported.  PC.REC.16,
 * PC.DIAG.3, D-50, D-69 */
static void nothing_is_written_without_a_buffer(struct rig *rig)
{
    record_bind(rig);
    record_wire(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    record_cycle(rig, 0, false);
    assert_false(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_RECORD_LOST);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 0);
    assert_false(record_fault(rig));
    assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_RECORD_LOST);
}

/* Verifies that the packet at the limit is the last, and RECORD_START makes the buffer valid again.
 * PC.REC.14, PC.REC.10, D-69 */
static void packet_at_the_limit_is_the_last(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_LIMIT, BUFFER + 0x40);
    for (unsigned i = 0; i < 6; i++)
        record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 3); /* at 0, 20 and 40 */
    assert_int_equal(rig->packet[2].address, BUFFER + 0x40);
    assert_int_equal(record_position(rig), BUFFER + 0x60);
    rig_write(rig, RECORD_START, BUFFER + 0x40);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 4);
}

/* Verifies that the address of the packet is compared, not its end, at both sides of the limit.
 * PC.REC.14, D-69 */
static void limit_compares_the_packets_address(struct rig *rig)
{
    for (unsigned limit = 0; limit <= 0x60; limit += 0x10) {
        rig_restart(rig);
        record_start(rig, 0);
        rig_write(rig, RECORD_LIMIT, BUFFER + limit);
        for (unsigned i = 0; i < 6; i++)
            record_cycle(rig, 0, true);
        assert_int_equal(rig->packets, (limit + 0x1f) / 0x20 + 1);
    }
}

/* Verifies that one packet is always written, however far beyond the limit the buffer starts.
 * PC.REC.15, D-69 */
static void one_packet_beyond_the_limit(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_LIMIT, 0x1000);
    rig_write(rig, RECORD_START, 0xf0000000);
    for (unsigned i = 0; i < 3; i++)
        record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(rig->packet[0].address, 0xf0000000);
}

/* What signal 0 has counted when a packet goes out again, after six events, a trigger without a
 * valid buffer at the last of them, and three more. */
static uint64_t events_after_a_drop(struct rig *rig, const char *record_invalid)
{
    rig_restart(rig);
    rig_option(rig, "D-68", "off");
    rig_option(rig, "D-69", record_invalid);
    record_start(rig, 0);
    rig_write(rig, RECORD_LIMIT, BUFFER);
    record_cycle(rig, 0, true); /* the only packet */
    record_cycles(rig, 5, 1);
    record_cycle(rig, 1, true);
    record_cycles(rig, 3, 1);
    rig_line(rig, 0, false);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0); /* where RECORD_START clears nothing */
    rig_write(rig, RECORD_START, BUFFER);
    rig_step(rig, 1);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 2);
    return packet_event(&rig->packet[1], 0);
}

/* Verifies that a dropped packet clears the counters as a written one does, and that the switch of
 * D-69 has them go on.  PC.REC.16, D-69 */
static void dropped_packets_clear_the_counters(struct rig *rig)
{
    assert_int_equal(events_after_a_drop(rig, "clear"), 3);
    assert_int_equal(events_after_a_drop(rig, "hold"), 5 + 1 + 3);
}

/* Verifies that one bind serves all domains, before and after they enter record mode.  PC.REC.26,
 * D-71 */
static void one_bind_serves_all_domains(struct rig *rig)
{
    record_bind(rig);
    for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++) {
        rig->packets = 0;
        if (chip_raw_count(rig->chip, rig->dom) < RECORD_SIGNALS)
            continue;
        record_wire(rig);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        rig_step(rig, 1);
        rig_write(rig, RECORD_LIMIT, 0xfffffff0);
        rig_write(rig, RECORD_START, BUFFER);
        record_cycle(rig, 0, true);
        assert_int_equal(rig->packets, 1);
        assert_int_equal(rig->packet[0].domain, rig->dom);
        rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    }
}

/* Quad mode has counted and shown values, and RECORD_START was written there. */
static void prepare_bogus_packet(struct rig *rig)
{
    record_bind(rig);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "psex psex e e w");
    rig_write(rig, RECORD_LIMIT, 0xfffffff0);
    rig_write(rig, RECORD_START, BUFFER);
    rig_play(rig, ".");
}

static bool bogus_seen(const struct rig *rig)
{
    return pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_BOGUS_PACKET;
}

/* Verifies that RECORD_START in another mode leads to one packet in the first cycle of record mode.
 * PC.REC.12, PC.DIAG.3, D-68 */
static void record_start_in_quad_gives_a_bogus_packet(struct rig *rig)
{
    prepare_bogus_packet(rig);
    assert_false(bogus_seen(rig));
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_play(rig, ".");
    assert_int_equal(rig->packets, 1);
    assert_true(bogus_seen(rig));
    assert_int_equal(rig->packet[0].address, BUFFER);
    assert_true(packet_stop(&rig->packet[0]) != 0);
    assert_int_equal(record_position(rig), BUFFER + 0x20);
    rig_play(rig, ". . . .");
    assert_int_equal(rig->packets, 1);
}

/* Verifies its contents: each event counter the low 16 bits of the visible counter of its input,
 * STOP the low 12 bits of CTR_STOP, or 1 where these are 0.  PC.REC.12, D-68 */
static void contents_of_the_bogus_packet(struct rig *rig)
{
    for (unsigned stops = 0; stops < 3; stops++) {
        rig->packets = 0;
        record_bind(rig);
        rig_start_quad(rig, SIMPLE);
        rig_play(rig, "pse pse se e");
        rig_repeat(rig, "x", stops);
        rig_play(rig, "w");
        rig_write(rig, RECORD_START, BUFFER);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        rig_step(rig, 1);
        assert_int_equal(rig->packets, 1);
        assert_int_equal(packet_stop(&rig->packet[0]), stops ? stops : 1);
        for (unsigned k = 0; k < EVENTS; k++)
            assert_int_equal(packet_event(&rig->packet[0], k), 2 + k / 4);
        rig_restart(rig);
    }
}

/* Verifies that periods of single mode lead to one, too, and that one entry is all they lead to.
 * PC.REC.12, D-68 */
static void single_mode_gives_one_bogus_packet(struct rig *rig)
{
    for (unsigned buffer = 0; buffer < 2; buffer++) {
        rig->packets = 0;
        record_bind(rig);
        rig_start_single(rig, 0, 0, 0);
        rig_play(rig, "p s e e x .");
        assert_int_equal(rig_single_state(rig), INACTIVE);
        if (buffer)
            rig_write(rig, RECORD_START, BUFFER);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        rig_step(rig, 1);
        assert_int_equal(rig->packets, buffer);
        rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
        rig_write(rig, RECORD_LIMIT, 0xfffffff0);
        rig_write(rig, RECORD_START, BUFFER);
        rig_step(rig, 1);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        rig_step(rig, 2);
        assert_int_equal(rig->packets, buffer); /* nothing was counted in between */
        rig_restart(rig);
    }
}

/* Verifies that the bogus packet takes the one place for an outgoing packet: a STOP in its cycle
 * waits for the next one, also where a packet is out for no more than its cycle.  PC.REC.7,
 * PC.REC.12, D-66, D-68 */
static void bogus_packet_takes_the_slot(struct rig *rig)
{
    prepare_bogus_packet(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_play(rig, "ex");
    assert_int_equal(rig->packets, 1);
    assert_true(bogus_seen(rig));
    assert_int_equal(record_position(rig), BUFFER + 0x20);
    rig_play(rig, "e");
    assert_int_equal(rig->packets, 2);
    assert_int_equal(rig->packet[1].address, BUFFER + 0x20);
    assert_int_equal(packet_cycles(&rig->packet[1]), 2);
    assert_int_equal(packet_stop(&rig->packet[1]), 1);
    assert_int_equal(packet_event(&rig->packet[1], 8), 2);
}

/* Verifies that cycles run on after a bogus packet, as after any other: RECORD_START in record
 * mode and RECORD_RESET alone clear them.  PC.REC.3, PC.REC.12, D-65, D-68 */
static void bogus_packet_leaves_the_cycles(struct rig *rig)
{
    record_start(rig, 0);
    record_cycles(rig, 10, 0);
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    record_cycles(rig, 3, 0);
    assert_int_equal(rig->packets, 0);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    record_cycle(rig, 0, false);
    assert_int_equal(rig->packets, 1);
    assert_true(bogus_seen(rig));
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(packet_cycles(&rig->packet[1]), 12);
    assert_int_equal(packet_stop(&rig->packet[1]), 1);
}

/* Verifies that entering with an invalid buffer and writing RECORD_START then avoids it. PC.REC.13,
 * D-68 */
static void late_record_start_avoids_the_bogus_packet(struct rig *rig)
{
    record_bind(rig);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "psex psex e e w");
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_play(rig, ".");
    rig_write(rig, RECORD_LIMIT, 0xfffffff0);
    rig_write(rig, RECORD_START, BUFFER);
    rig_play(rig, ". . e");
    assert_int_equal(rig->packets, 0);
    assert_false(bogus_seen(rig));
    rig_play(rig, "x");
    assert_int_equal(rig->packets, 1);
    assert_int_equal(packet_cycles(&rig->packet[0]), 4);
    assert_int_equal(packet_stop(&rig->packet[0]), 1);
    assert_int_equal(packet_event(&rig->packet[0], 8), 1);
}

/* Verifies that RECORD_RESET while entering avoids it.  PC.REC.13, PC.REC.22, D-68, D-72 */
static void record_reset_avoids_the_bogus_packet(struct rig *rig)
{
    prepare_bogus_packet(rig);
    rig_write(rig, GCTRL, RECORD_RESET);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_play(rig, ". .");
    rig_write(rig, GCTRL, 0);
    rig_play(rig, ". .");
    assert_int_equal(rig->packets, 0);
    assert_false(bogus_seen(rig));
    rig_play(rig, "ex");
    assert_int_equal(rig->packets, 1);
    assert_int_equal(rig->packet[0].address, BUFFER);
    assert_int_equal(packet_cycles(&rig->packet[0]), 3);
    assert_int_equal(packet_event(&rig->packet[0], 8), 1);
}

/* Verifies that the quirk can be switched off.  PC.REC.12, D-68, D-94 */
static void bogus_packet_can_be_switched_off(struct rig *rig)
{
    rig_option(rig, "D-68", "off");
    prepare_bogus_packet(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_play(rig, ". . .");
    assert_int_equal(rig->packets, 0);
    assert_false(bogus_seen(rig));
}

/* Verifies that RECORD_RESET holds the counters at 0 as long as it is set, and triggers nothing.
 * PC.REC.22, PC.GCTRL.1, D-72 */
static void record_reset_holds_the_counters(struct rig *rig)
{
    record_start(rig, 0);
    record_cycles(rig, 10, 0xfff);
    rig_write(rig, GCTRL, RECORD_RESET);
    record_cycles(rig, 10, 0xfff);
    record_cycle(rig, 0xfff, true);
    assert_int_equal(rig->packets, 0);
    rig_write(rig, GCTRL, 0);
    record_cycles(rig, 3, 0x001);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(packet_cycles(&rig->packet[0]), 4);
    assert_int_equal(packet_stop(&rig->packet[0]), 1);
    assert_int_equal(packet_event(&rig->packet[0], 0), 3);
    assert_int_equal(packet_event(&rig->packet[0], 5), 0);
}

/* Verifies that RECORD_START in record mode clears the counters, whatever else is written in its
 * gap. PC.REC.11, PC.REG.9, D-17a, D-67 */
static void two_record_starts_in_a_gap(struct rig *rig)
{
    record_start(rig, 0);
    record_cycles(rig, 10, 0xfff);
    rig_write(rig, RECORD_START, BUFFER + 0x100);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_write(rig, RECORD_START, BUFFER + 0x200);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    record_cycle(rig, 0x001, true);
    assert_int_equal(rig->packets, 1);
    assert_int_equal(rig->packet[0].address, BUFFER + 0x200);
    assert_int_equal(packet_cycles(&rig->packet[0]), 1);
    assert_int_equal(packet_event(&rig->packet[0], 0), 1);
    assert_int_equal(packet_event(&rig->packet[0], 1), 0);
}

static void reset_once(struct rig *rig)
{
    rig_write(rig, GCTRL, RECORD_RESET);
    rig_step(rig, 1);
    rig_write(rig, GCTRL, 0);
    rig_step(rig, 1);
}

/* Verifies that RECORD_RESET clears the counters in other modes, too: those of a session before.
 * PC.REC.22, PC.GCTRL.1, D-72 */
static void record_reset_works_in_other_modes(struct rig *rig)
{
    for (unsigned reset = 0; reset < 2; reset++) {
        rig->packets = 0;
        record_start(rig, 0);
        record_cycles(rig, 10, 0xfff);
        rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
        if (reset)
            reset_once(rig);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        record_cycle(rig, 0x001, true);
        assert_int_equal(rig->packets, 1);
        assert_int_equal(packet_cycles(&rig->packet[0]), reset ? 1 : 11);
        assert_int_equal(packet_event(&rig->packet[0], 0), reset ? 1 : 11);
        assert_int_equal(packet_event(&rig->packet[0], 11), reset ? 0 : 10);
        rig_restart(rig);
    }
}

/* Verifies that it avoids the bogus packet also if it is over before record mode is entered.
 * PC.REC.13, PC.REC.22, D-68, D-72 */
static void record_reset_before_record_mode(struct rig *rig)
{
    for (unsigned reset = 0; reset < 2; reset++) {
        rig->packets = 0;
        prepare_bogus_packet(rig);
        rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
        rig_step(rig, 2);
        if (reset)
            reset_once(rig);
        rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
        rig_step(rig, 2);
        assert_int_equal(rig->packets, !reset);
        assert_int_equal(bogus_seen(rig), !reset);
        rig_restart(rig);
    }
}

/* Verifies the same where the other mode counts up to the last cycle of RECORD_RESET.  PC.REC.13,
 * PC.REC.22, D-68, D-72 */
static void record_reset_while_counting(struct rig *rig)
{
    prepare_bogus_packet(rig);
    rig_write(rig, GCTRL, RECORD_RESET);
    rig_step(rig, 2);
    rig_write(rig, GCTRL, 0);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_step(rig, 2);
    assert_int_equal(rig->packets, 0);
    assert_false(bogus_seen(rig));
}

/* Verifies that RECORD_RESET leaves the position and the validity alone.  PC.REC.22, D-72 */
static void record_reset_leaves_the_buffer(struct rig *rig)
{
    record_start(rig, 0);
    record_cycle(rig, 0, true);
    rig_write(rig, GCTRL, RECORD_RESET);
    record_cycle(rig, 0, false);
    rig_write(rig, GCTRL, 0);
    assert_int_equal(record_position(rig), BUFFER + 0x20);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packet[1].address, BUFFER + 0x20);
}

/* Verifies that a unit without a memory callback drops packets but goes on.  PC.REC.17 */
static void memory_is_optional(struct rig *rig)
{
    struct pc_unit_desc desc = { .chip = rig->chip };
    struct pc_error err = { 0 };

    rig_close(rig);
    rig->changed = true;
    test_ok(pc_unit_create(&desc, &rig->unit, &err), &err);
    record_start(rig, 0);
    for (unsigned i = 0; i < 3; i++)
        record_cycle(rig, 0, true);
    assert_int_equal(rig_read(rig, RECORD_STATUS), BUFFER + 0x60);
}

int main(void)
{
    static const struct conform_case cases[] = {
        RECORD(record_start_sets_the_position),
        RECORD(position_is_set_in_any_mode),
        RECORD(record_start_clears_the_counters),
        RECORD(record_start_while_a_packet_is_out),
        RECORD(nothing_is_written_without_a_buffer),
        RECORD(packet_at_the_limit_is_the_last),
        RECORD(limit_compares_the_packets_address),
        RECORD(one_packet_beyond_the_limit),
        RECORD(dropped_packets_clear_the_counters),
        RECORD_ONCE(one_bind_serves_all_domains),
        RECORD(record_start_in_quad_gives_a_bogus_packet),
        RECORD(contents_of_the_bogus_packet),
        RECORD(single_mode_gives_one_bogus_packet),
        RECORD(bogus_packet_takes_the_slot),
        RECORD(bogus_packet_leaves_the_cycles),
        RECORD(late_record_start_avoids_the_bogus_packet),
        RECORD(record_reset_avoids_the_bogus_packet),
        RECORD(bogus_packet_can_be_switched_off),
        RECORD(record_reset_holds_the_counters),
        RECORD(two_record_starts_in_a_gap),
        RECORD(record_reset_works_in_other_modes),
        RECORD(record_reset_before_record_mode),
        RECORD(record_reset_while_counting),
        RECORD(record_reset_leaves_the_buffer),
        RECORD(memory_is_optional),
    };

    return conform_run("record_setup", cases, sizeof cases / sizeof cases[0]);
}
