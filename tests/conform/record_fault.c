/* SPDX-License-Identifier: MIT */
/* Conformance, "Record mode setup": binding the channel, and what a fault of the memory does. */
#include "record_bench.h"

/* Packets do not arrive and the fault bit is set. */
static void expect_fault(struct rig *rig)
{
    record_wire(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_step(rig, 1);
    rig_write(rig, RECORD_LIMIT, 0xfffffff0);
    rig_write(rig, RECORD_START, BUFFER);
    record_cycle(rig, 0, false);
    assert_false(record_fault(rig));
    record_cycle(rig, 0, true);
    assert_true(record_fault(rig));
    assert_int_equal(rig->packets, 0);
    assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_RECORD_FAULT);
}

/* Verifies that without a bind, with RECORD_DMA alone, or with VALID 0, a packet faults.  PC.REC.9,
 * PC.REC.17, PC.DIAG.3, D-71 */
static void unbound_packets_fault(struct rig *rig)
{
    expect_fault(rig);
    rig_restart(rig);
    rig_write(rig, RECORD_DMA, 0x1234);
    expect_fault(rig);
    rig_restart(rig);
    rig_write(rig, RECORD_DMA, 0x1234);
    rig_write(rig, RECORD_CHAN, 5);
    expect_fault(rig);
}

/* Verifies that RECORD_CHAN must be written after RECORD_DMA for a successful bind.  PC.REC.9,
 * D-71 */
static void channel_before_the_object_does_not_bind(struct rig *rig)
{
    rig_write(rig, RECORD_CHAN, CHAN_VALID | 5);
    rig_write(rig, RECORD_DMA, 0x1234);
    assert_int_equal(rig_read(rig, RECORD_CHAN), CHAN_VALID | 5);
    expect_fault(rig);
    rig_restart(rig);
    rig_write(rig, RECORD_CHAN, CHAN_VALID | 5);
    rig_write(rig, RECORD_DMA, 0x1234);
    record_start(rig, 0); /* the object, and the channel once more */
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    assert_false(record_fault(rig));
}

/* Verifies that a reset ends the bind.  PC.REC.9, PC.REG.6, D-50, D-71 */
static void reset_unbinds(struct rig *rig)
{
    record_start(rig, 0);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    rig->packets = 0;
    rig_restart(rig);
    expect_fault(rig);
    rig_restart(rig);
    rig_write(rig, RECORD_CHAN, CHAN_VALID | 5); /* and the object is forgotten */
    expect_fault(rig);
}

/* Verifies that a later RECORD_CHAN without VALID is stored and keeps the bind.  PC.REC.9, D-71 */
static void chan_without_valid_keeps_the_bind(struct rig *rig)
{
    record_start(rig, 0);
    rig_write(rig, RECORD_CHAN, 7);
    assert_int_equal(rig_read(rig, RECORD_CHAN), 7);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    assert_false(record_fault(rig));
}

/* Brings the domain into a fault by the memory's answer. */
static void start_and_fault(struct rig *rig)
{
    record_start(rig, 0);
    rig->answer = PC_MEM_FAULT;
    record_cycle(rig, 0, true);
    rig->answer = PC_MEM_OK;
    assert_int_equal(rig->packets, 1);
    assert_true(record_fault(rig));
}

/* Clearing the bit, a new buffer or leaving the mode do not help. */
static void expect_no_packets(struct rig *rig)
{
    for (unsigned i = 0; i < 5; i++)
        record_cycle(rig, 1, true);
    assert_int_equal(rig->packets, 1);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, CTRL_FAULT_CLEAR);
    assert_int_equal(rig_read(rig, CTRL) & CTRL_FAULT_CLEAR, 0);
    record_cycle(rig, 0, true);
    assert_false(record_fault(rig));
    rig_write(rig, RECORD_START, BUFFER);
    record_cycle(rig, 0, true);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    record_cycle(rig, 0, true);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_write(rig, RECORD_START, BUFFER);
    for (unsigned i = 0; i < 5; i++)
        record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
    assert_false(record_fault(rig));
}

/* Verifies that a fault ends record mode for good, by default and where it is all that ends; and
 * that it does not where only the packet is lost.  PC.REC.20, PC.REC.17, D-70a */
static void fault_ends_record_mode(struct rig *rig)
{
    start_and_fault(rig);
    expect_no_packets(rig);
    rig_restart(rig);
    rig_option(rig, "D-70a", "wedge");
    start_and_fault(rig);
    expect_no_packets(rig);
    rig_restart(rig);
    rig_option(rig, "D-70a", "drop");
    start_and_fault(rig);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 2);
}

/* Verifies that reset frees the domain.  PC.REC.20, PC.REG.6, D-50, D-70a */
static void reset_frees_a_hanging_domain(struct rig *rig)
{
    start_and_fault(rig);
    rig_restart(rig);
    assert_false(record_fault(rig));
    record_start(rig, 0);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 1);
}

/* Verifies that the fault bit stays without FAULT_CLEAR.  PC.REC.20, PC.REC.17 */
static void fault_bit_stays(struct rig *rig)
{
    start_and_fault(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    record_cycles(rig, 5, 0);
    assert_true(record_fault(rig));
}

/* Events that single mode and then quad mode count after a fault. */
static void count_behind_a_fault(struct rig *rig, unsigned expected)
{
    start_and_fault(rig);
    rig_set(rig, rig->dom, rig_raw(rig, STOP_LINE), false);
    rig_wire(rig);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ". p s e ex");
    assert_int_equal(rig_count(rig, CTR_EVENT), expected);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e w");
    assert_int_equal(rig_count(rig, CTR_EVENT), expected);
}

/* Verifies that a domain that hangs counts in no mode, and that with the switch a domain whose
 * record mode is dead still counts in the others.  PC.REC.21, D-70a */
static void a_hanging_domain_counts_in_no_mode(struct rig *rig)
{
    count_behind_a_fault(rig, 0);
    rig_restart(rig);
    rig_option(rig, "D-70a", "wedge");
    count_behind_a_fault(rig, 2);
}

/* Verifies that it neither starts nor swaps, that its FLAG is frozen and its cycles go on, and that
 * the registers can be written as before.  PC.REC.21, D-70a */
static void a_hanging_domain_stands_still(struct rig *rig)
{
    start_and_fault(rig);
    rig_wire(rig);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ". p");
    assert_int_equal(rig_single_state(rig), INACTIVE);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e w");
    assert_int_equal(rig_quad_state(rig), EMPTY);
    rig_write(rig, SETFLAG_OP, OP_ONE);
    uint64_t before = pc_unit_cycle(rig->unit, rig->dom);
    rig_play(rig, ". . .");
    assert_false(rig_flag(rig));
    assert_int_equal(pc_unit_cycle(rig->unit, rig->dom), before + 3);
    assert_int_equal(rig_read(rig, SETFLAG_OP), OP_ONE);
}

/* Verifies that other domains go on recording.  PC.REC.21, D-70a */
static void fault_stays_in_its_domain(struct rig *rig)
{
    rig->dom = 0;
    start_and_fault(rig);
    rig->dom = 1;
    record_start(rig, 0);
    record_cycle(rig, 0, true);
    assert_int_equal(rig->packets, 2);
    assert_int_equal(rig->packet[1].domain, 1);
    assert_false(record_fault(rig));
}

/* Verifies that a pending write may fault late.  PC.REC.17, PC.REC.20, D-70a */
static void pending_write_may_fault(struct rig *rig)
{
    record_start(rig, 0);
    rig->answer = PC_MEM_PENDING;
    record_cycle(rig, 0, true);
    assert_false(record_fault(rig));
    rig->answer = PC_MEM_OK;
    pc_unit_record_done(rig->unit, rig->dom, true);
    for (unsigned i = 0; i < 3; i++)
        record_cycle(rig, 0, true);
    assert_true(record_fault(rig));
    assert_int_equal(rig->packets, 1);
}

int main(void)
{
    static const struct conform_case cases[] = {
        RECORD(unbound_packets_fault),
        RECORD(reset_unbinds),
        RECORD(channel_before_the_object_does_not_bind),
        RECORD(chan_without_valid_keeps_the_bind),
        RECORD(fault_ends_record_mode),
        RECORD(reset_frees_a_hanging_domain),
        RECORD(fault_bit_stays),
        RECORD(a_hanging_domain_counts_in_no_mode),
        RECORD(a_hanging_domain_stands_still),
        RECORD_ONCE(fault_stays_in_its_domain),
        RECORD(pending_write_may_fault),
    };

    return conform_run("record_fault", cases, sizeof cases / sizeof cases[0]);
}
