/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "MMIO registers": where registers are, which bits they keep, what is absent.
 * The masks are those of the field lists and of the read/write scans in the register reference.
 * Not here: what writing does (the chapters of the modes) and a7f4, a7f8 of MCP73 (D-09).
 */
#include "support.h"

#include <string.h>

enum { FIRST = 0xa000, PAST = 0xb000 };

static uint32_t op_mask(const struct pc_chip *chip, enum reg reg)
{
    bool chained = reg == EVENT_OP || reg == STOP_OP;
    uint32_t mask = 0x0003ffff;

    if (chip_has(chip, PC_F_ARG23_DELAY))
        mask = chained ? 0x001fffff : 0x000fffff;
    else if (chip_has(chip, PC_F_SETFLAG_ARG) && chained)
        mask = 0x0007ffff;
    return mask;
}

static uint32_t ctrl_mask(const struct pc_chip *chip)
{
    if (chip->layout == PC_LAYOUT_NV10) {
        if (chip_has(chip, PC_F_QUAD))
            return 0x00050307;
        if (chip_has(chip, PC_F_DOM_FLAGS))
            return 0x00000307;
        return chip_has(chip, PC_F_PERIOD_ALL) ? 0x00000107 : 0x00000007;
    }
    if (chip_has(chip, PC_F_CTRL30))
        return 0x40f12973;
    return chip_has(chip, PC_F_RECORD) ? 0x00f12973 : 0x00012973;
}

/* Bits that keep what is written. */
static uint32_t kept(const struct pc_chip *chip, enum reg reg)
{
    switch (reg) {
    case PRE_SRC:
    case START_SRC:
    case EVENT_SRC:
    case STOP_SRC:
    case SETFLAG_SRC:
    case CLRFLAG_SRC:
    case THRESHOLD:
        return 0xffffffff;
    case PRE_OP:
    case START_OP:
    case EVENT_OP:
    case STOP_OP:
    case SETFLAG_OP:
    case CLRFLAG_OP:
        return op_mask(chip, reg);
    case SPEC_SRC:
    case RECORD_DMA:
        return 0x0000ffff;
    case THRESHOLD_HI:
    case RECORD_ADDRESS_HIGH:
        return 0x000000ff;
    case RECORD_LIMIT:
    case RECORD_START:
        return 0xfffffff0;
    case RECORD_CHAN:
        return 0xbfffffff;
    case GCTRL:
        return 0x00000011;
    case CTRL:
        return ctrl_mask(chip);
    default: /* counters, status, strobes */
        return 0;
    }
}

/* Which register the document has at the address; REG_COUNT if none that keeps anything. */
static enum reg reg_of(const struct pc_chip *chip, uint32_t address)
{
    for (unsigned r = 0; r < REG_COUNT; r++)
        for (unsigned d = 0; d < chip->domains; d++)
            if (reg_address(chip, (enum reg)r, d) == address)
                return (enum reg)r;
    return REG_COUNT;
}

static uint32_t kept_at(const struct pc_chip *chip, uint32_t address)
{
    enum reg reg = reg_of(chip, address);

    return reg == REG_COUNT ? 0 : kept(chip, reg);
}

static bool is_disputed(const struct pc_chip *chip, uint32_t address)
{
    return strcmp(chip->name, "MCP73") == 0 && (address == 0xa7f4 || address == 0xa7f8);
}

/* Verifies by ones, zeros and stripes which bits every address keeps.  PC.REG.1, PC.REG.2,
 * PC.REG.3, PC.REG.4, PC.REG.5, PC.REG.11, PC.REG.12, PC.IN.17, PC.GCTRL.1, D-51, D-52, D-60, D-90
 */
static void every_address_keeps_its_bits(struct rig *rig)
{
    static const uint32_t pattern[] = { 0xffffffff, 0x00000000, 0x55555555, 0xaaaaaaaa };

    for (uint32_t address = FIRST; address < PAST; address += 4) {
        uint32_t mask = kept_at(rig->chip, address);
        if (is_disputed(rig->chip, address))
            continue;
        for (unsigned i = 0; i < 4; i++) {
            pc_unit_write(rig->unit, address, pattern[i]);
            uint32_t got = pc_unit_read(rig->unit, address);
            if (got != (pattern[i] & mask))
                fail_msg("%06" PRIx32 ": wrote %08" PRIx32 ", read %08" PRIx32 ", mask %08" PRIx32,
                         address, pattern[i], got, mask);
        }
    }
}

static uint32_t label(uint32_t address)
{
    return address * 0x9e3779b1u ^ 0x5a5a5a5au;
}

/* Verifies that no two addresses share storage, also after the writes have acted.  PC.REG.2,
 * PC.REG.3, PC.REG.8, D-03, D-17a */
static void no_two_addresses_share_storage(struct rig *rig)
{
    const struct pc_chip *chip = rig->chip;

    for (uint32_t address = FIRST; address < PAST; address += 4)
        pc_unit_write(rig->unit, address, label(address));
    for (unsigned cycle = 0; cycle < 2; cycle++) {
        for (uint32_t address = FIRST; address < PAST; address += 4) {
            uint32_t mask = kept_at(chip, address);
            uint32_t got = pc_unit_read(rig->unit, address) & mask;
            if (mask && got != (label(address) & mask))
                fail_msg("%06" PRIx32 " (%s) holds %08" PRIx32, address,
                         reg_name(reg_of(chip, address)), got);
        }
        rig_step_all(rig, 1);
    }
}

/* Verifies the power-up values, and that reset brings them back.  PC.REG.6, D-33, D-50 */
static void power_up_values(struct rig *rig)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        for (uint32_t address = FIRST; address < PAST; address += 4) {
            uint32_t expected = 0;
            for (unsigned d = 0; d < rig->chip->domains; d++)
                if (reg_address(rig->chip, SPEC_SRC, d) == address && address)
                    expected = rig->chip->domain[d].trailer_base + 0x0fu;
            uint32_t got = pc_unit_read(rig->unit, address);
            if (got != expected && !is_disputed(rig->chip, address))
                fail_msg("%06" PRIx32 " is %08" PRIx32 " at power-up", address, got);
        }
        if (turn == 0) {
            rig_start_single(rig, 3, 3, 0);
            rig_repeat(rig, "psefxw", 9);
            rig_restart(rig);
        }
    }
}

/* Verifies that counters keep nothing of a write.  PC.REG.12 */
static void counters_ignore_writes(struct rig *rig)
{
    static const enum reg counter[] = { CTR_CYCLES, CTR_CYCLES_ALT, CTR_EVENT, CTR_START };

    rig_start_single(rig, 0, 0, CTRL_ALL);
    rig_play(rig, "p s e ex");
    for (unsigned i = 0; i < 4; i++)
        rig_write(rig, counter[i], 0xdeadbeef);
    rig_play(rig, ".");
    assert_int_equal(rig_count(rig, CTR_CYCLES), 2);
    assert_int_equal(rig_count(rig, CTR_CYCLES_ALT), 2);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_START), 1);
}

/* Verifies that status registers ignore writes.  PC.REG.12 */
static void status_ignores_writes(struct rig *rig)
{
    rig_set(rig, rig->dom, rig_raw(rig, 1), true);
    rig_step(rig, 1);
    uint32_t status = sig_status_address(rig->chip, rig->dom, 0);
    uint32_t before = pc_unit_read(rig->unit, status);
    pc_unit_write(rig->unit, status, ~before);
    assert_int_equal(pc_unit_read(rig->unit, status), before);
    rig_step(rig, 1);
    assert_int_equal(pc_unit_read(rig->unit, status), before);
}

/* Verifies that 738 and 73c of domain 1 are the acknowledge and CTRL, not signals.  PC.REG.7, D-04
 */
static void status_of_domain_1_ends_before_the_ack(struct rig *rig)
{
    memset(rig->raw, 0xff, sizeof rig->raw);
    rig_step_all(rig, 1);
    assert_int_equal(pc_unit_read(rig->unit, 0xa738), 0);
    assert_int_equal(pc_unit_read(rig->unit, 0xa73c), 0);
    pc_unit_write(rig->unit, 0xa73c, 4);
    assert_int_equal(pc_unit_read(rig->unit, 0xa73c), 4);
    assert_int_equal(pc_unit_read(rig->unit, 0xa730), 0); /* SIG_STATUS[1][4]: beyond 40 signals */
    assert_int_equal(pc_unit_read(rig->unit, 0xa734), 0);
}

/* Verifies that a written register reads back before any cycle and acts in the next one.  PC.REG.8,
 * D-17a */
static void writes_store_at_once_and_act_in_the_next_cycle(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ARG0);
    assert_int_equal(rig_read(rig, PRE_OP), OP_ARG0);
    assert_int_equal(rig_single_state(rig), INACTIVE);
    rig_step(rig, 1);
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
    rig_write(rig, THRESHOLD, 5);
    assert_int_equal(rig_read(rig, THRESHOLD), 5);
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
    rig_step(rig, 1);
    assert_int_equal(rig_single_state(rig), INACTIVE);
}

/* Verifies that reading every address changes nothing.  PC.REG.10, D-18 */
static void reads_have_no_effect(struct rig *rig)
{
    rig_start_single(rig, 1, 1, 0);
    rig_play(rig, "p p s e");
    for (uint32_t address = FIRST; address < PAST; address += 4)
        (void)pc_unit_read(rig->unit, address);
    assert_int_equal(rig_single_state(rig), COUNTING);
    rig_play(rig, "e x");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
}

/* Verifies that reading does not acknowledge a swap.  PC.REG.10, PC.QUAD.9 */
static void reads_do_not_acknowledge(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e w");
    for (uint32_t address = FIRST; address < PAST; address += 4)
        (void)pc_unit_read(rig->unit, address);
    rig_play(rig, ".");
    assert_int_equal(rig_quad_state(rig), VALID);
    assert_int_equal(rig_count(rig, CTR_EVENT), 1);
}

/* What strobes do in a domain that is in quad mode, as software sees it. */
struct strobed {
    unsigned user, quad_state;
    uint32_t position;
};

static struct strobed look(const struct rig *rig)
{
    const int16_t *user = rig->chip->domain[rig->dom].user;
    struct strobed s = { .quad_state = rig_quad_state(rig) };

    for (unsigned i = 0; i < 2 && user[i] >= 0; i++)
        s.user |= (unsigned)rig_signal(rig, rig->dom, (unsigned)user[i]) << i;
    if (chip_has(rig->chip, PC_F_RECORD))
        s.position = rig_read(rig, RECORD_STATUS);
    return s;
}

/* Quad mode with a set of counters to be read, both USER signals 1 where there are some. */
static void prepare_strobes(struct rig *rig)
{
    rig_restart(rig);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "w");
    if (reg_address(rig->chip, USER_TRIGGER, rig->dom))
        rig_write(rig, USER_TRIGGER, 3);
    rig_play(rig, ".");
}

/* Verifies that a strobe acts where it is written and nowhere else: USER_TRIGGER, QUAD_ACK_TRIGGER,
 * RECORD_START.  PC.USER.1, PC.QUAD.9, PC.REC.10 */
static void strobes_act_at_their_own_address(struct rig *rig)
{
    const uint32_t trigger = reg_address(rig->chip, USER_TRIGGER, rig->dom),
                   ack = reg_address(rig->chip, QUAD_ACK_TRIGGER, rig->dom),
                   start = reg_address(rig->chip, RECORD_START, rig->dom),
                   pre_op = reg_address(rig->chip, PRE_OP, rig->dom), /* which may swap */
        spec_src = reg_address(rig->chip, SPEC_SRC, rig->dom);

    for (uint32_t address = FIRST; address < PAST; address += 4)
        for (unsigned i = 0; i < 2; i++) {
            prepare_strobes(rig);
            const struct strobed before = look(rig);
            pc_unit_write(rig->unit, address, i ? 0x1011 : 0x1010); /* USER signals to 0, or one */
            rig_step(rig, 1);
            const struct strobed after = look(rig);
            if (address != trigger)
                assert_int_equal(after.user, before.user);
            if (address != ack && address != pre_op && address != spec_src)
                assert_int_equal(after.quad_state, before.quad_state);
            if (address != start)
                assert_int_equal(after.position, before.position);
        }
}

/* Verifies that a write beside all registers is reported and harmless.  PC.DIAG.4, PC.REG.5, D-51
 */
static void undecoded_writes_are_reported(struct rig *rig)
{
    uint32_t seen = 0;

    for (unsigned d = 0; d < rig->chip->domains; d++)
        assert_false(pc_unit_diagnostics(rig->unit, d) & PC_DIAG_UNDECODED);
    pc_unit_write(rig->unit, 0xa000, 0xffffffff);
    for (unsigned d = 0; d < rig->chip->domains; d++)
        seen |= pc_unit_diagnostics(rig->unit, d);
    assert_true(seen & PC_DIAG_UNDECODED);
    assert_int_equal(pc_unit_read(rig->unit, 0xa000), 0);
}

int main(void)
{
    static const struct conform_case cases[] = {
        { .name = "every_address_keeps_its_bits",
          .run = every_address_keeps_its_bits,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "no_two_addresses_share_storage",
          .run = no_two_addresses_share_storage,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "power_up_values",
          .run = power_up_values,
          .flags = CASE_UNIT | CASE_EVERY_CHIP | CASE_FRESH },
        CASE(counters_ignore_writes),
        CASE(status_ignores_writes),
        { .name = "status_of_domain_1_ends_before_the_ack",
          .run = status_of_domain_1_ends_before_the_ack,
          .need = PC_F_DOM_FLAGS,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        CASE(writes_store_at_once_and_act_in_the_next_cycle),
        CASE(reads_have_no_effect),
        CASE_ON(reads_do_not_acknowledge, PC_F_QUAD),
        CASE_ON(strobes_act_at_their_own_address, PC_F_QUAD),
        { .name = "undecoded_writes_are_reported",
          .run = undecoded_writes_are_reported,
          .flags = CASE_UNIT },
    };

    return conform_run("registers", cases, sizeof cases / sizeof cases[0]);
}
