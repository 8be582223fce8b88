/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: the registers of a domain and of a set, where they are and which bits
 * they keep.  The masks are those of the published read/write scans.  Not here: what the
 * registers do, and what surrounds the blocks (gf100_device.c).
 */
#include "gf100.h"

enum { DOMAIN_BLOCK = 0x200 };

struct kept {
    uint32_t offset, mask;
};

/* Bits that keep what is written, at power-up and in MODE 0 to begin with. */
static const struct kept domain_kept[] = {
    { GF_PRE_SRC, 0xffffffff },
    { GF_PRE_OP, 0x001fffff },
    { GF_START_SRC, 0xffffffff },
    { GF_START_OP, 0x001fffff },
    { GF_EVENT_SRC, 0xffffffff },
    { GF_EVENT_OP, 0x001fffff },
    { GF_STOP_SRC, 0xffffffff },
    { GF_STOP_OP, 0x001fffff },
    { GF_SETFLAG_OP, 0x001fffff },
    { GF_CLRFLAG_OP, 0x001fffff },
    { GF_SWAP_SRC, 0x000000ff },
    { GF_UNK74, 0xffff0000 },
    { GF_THRESHOLD, 0xffffffff },
    { GF_CTRL, 0x80fdffff },
    { GF_EVENT_NEXT, 0xffffffff },
    { GF_PRE_NEXT, 0xffffffff },
    { GF_START_NEXT, 0xffffffff },
    { GF_STOP_NEXT, 0xffffffff },
    { GF_CYCLES_NEXT, 0xffffffff },
    { GF_CYCLES_NEXT_HIGH, 0x000000ff },
    { GF_RECORD_STOP_NEXT, 0x00000fff },
    { GF_VSTATUS, 0x00000100 },
    { 0x0cc, 0x77777777 },
    { 0x0d0, 0x77777777 },
    { 0x0d4, 0x80000007 },
    { 0x0d8, 0xffffffff },
    { 0x0dc, 0xffffffff },
    { GF_FILTER, 0xffffffff },
};

static uint32_t mask_of(uint32_t offset)
{
    for (size_t i = 0; i < sizeof domain_kept / sizeof domain_kept[0]; i++)
        if (domain_kept[i].offset == offset)
            return domain_kept[i].mask;
    return 0;
}

/* Bits of CTRL, VSTATUS and USER_TRIGGER that tell the state are not this chapter's. */
static uint32_t looked_at(uint32_t offset)
{
    switch (offset) {
    case GF_CTRL:
        return 0xccffffff;
    case GF_VSTATUS:
        return 0xfffffff8;
    case GF_USER_TRIGGER: /* what a write shows before it acts is not fixed */
    case GF_STATE:
        return 0;
    default:
        return 0xffffffff;
    }
}

static const uint32_t patterns[] = { 0xffffffff, 0x00000000, 0x55555555, 0xaaaaaaaa };

/* Verifies by ones, zeros and stripes which bits every offset of the block keeps; all others
 * read 0, the second half of SIG_STATUS among them.  PC.GF.2, PC.GF.6, PC.GF.7, PC.GF.8, D-05,
 * D-51, D-52 */
static void every_offset_keeps_its_bits(struct gf *gf)
{
    for (uint32_t offset = 0; offset < DOMAIN_BLOCK; offset += 4)
        for (unsigned i = 0; i < 4; i++) {
            uint32_t look = looked_at(offset), want = patterns[i] & mask_of(offset) & look;
            gf_write(gf, offset, patterns[i]);
            uint32_t got = gf_read(gf, offset) & look;
            if (got != want)
                fail_msg("%03" PRIx32 ": wrote %08" PRIx32 ", read %08" PRIx32 ", mask %08" PRIx32,
                         offset, patterns[i], got, mask_of(offset));
        }
}

/* Verifies that each domain, and the set, has its registers for itself.  PC.GF.2 */
static void domains_do_not_share(struct gf *gf)
{
    for (unsigned d = 0; d < gf->chip.domains; d++)
        gf_write_dom(gf, d, GF_THRESHOLD, 0x1000 + d);
    for (unsigned d = 0; d < gf->chip.domains; d++)
        assert_int_equal(gf_read_dom(gf, d, GF_THRESHOLD), 0x1000 + d);
}

/* Verifies the set's registers.  PC.GF.2, PC.GF.6, PC.GF.7, D-52 */
static void set_registers_keep_their_bits(struct gf *gf)
{
    bool slcg = gf->whole->order >= pc_chip_find("GK104")->order;

    for (uint32_t offset = 0; offset < DOMAIN_BLOCK; offset += 4) {
        uint32_t mask = 0, look = 0xffffffff;
        if (offset == GF_DSET_CTRL)
            mask = 0xa0000031;
        else if (offset == GF_DSET_VSTATUS_0)
            mask = 0x00000100, look = 0xfffffff8;
        else if (offset == GF_DSET_VSTATUS_1)
            look = 0x88888888;
        else if (offset == 0x018 && slcg)
            mask = 0xffffffff;
        for (unsigned i = 0; i < 4; i++) {
            gf_write_set(gf, offset, patterns[i]);
            assert_int_equal(gf_read_set(gf, offset) & look, patterns[i] & mask);
        }
    }
}

/* Verifies the power-up values: all 0, SINGLE_STATE INACTIVE, QUAD_STATE EMPTY.  PC.GF.6, D-50 */
static void powers_up_with_zeros(struct gf *gf)
{
    for (uint32_t offset = 0; offset < DOMAIN_BLOCK; offset += 4)
        assert_int_equal(gf_read(gf, offset) & (offset == GF_VSTATUS ? ~7u : ~0u), 0);
    assert_int_equal(gf_read_set(gf, GF_DSET_CTRL), 0);
    assert_int_equal(gf_read_set(gf, GF_DSET_VSTATUS_0) & ~7u, 0);
    assert_int_equal(gf_read_set(gf, GF_DSET_VSTATUS_1) & 0x88888888, 0);
    assert_int_equal(gf_read_set(gf, 0x018), 0);
}

/* Verifies that a reset of the unit brings these back.  PC.GF.6, D-50 */
static void reset_clears_every_register(struct gf *gf)
{
    for (uint32_t offset = 0; offset < DOMAIN_BLOCK; offset += 4)
        gf_write(gf, offset, 0xffffffff);
    gf_write_set(gf, GF_DSET_CTRL, 0xffffffff);
    gf_step_all(gf, 5);
    pc_unit_reset(gf->unit);
    powers_up_with_zeros(gf);
}

/* Verifies that CTR_PRE and CTR_STOP take the initial values and show the current ones, and that
 * the other visible counters ignore writes.  PC.CTR.6, PC.REG.12, D-46 */
static void counters_read_current_values(struct gf *gf)
{
    static const uint32_t counters[] = { GF_CTR_CYCLES, GF_CTR_EVENT, GF_CTR_START, GF_CTR_PRE,
                                         GF_CTR_STOP };

    for (unsigned i = 0; i < 5; i++) {
        gf_write(gf, counters[i], 0x1234 + i);
        assert_int_equal(gf_read(gf, counters[i]), 0);
    }
    gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
    gf_write(gf, GF_SINGLE_BEGIN, 0);
    gf_step(gf, 1);
    gf_expect(gf, 0, 0x1237, 0, 0, 0x1238);
}

/* Verifies that reads have no effect, counters and state included.  PC.REG.10, D-18 */
static void reads_have_no_effect(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "p s e x w");
    for (uint32_t offset = 0; offset < DOMAIN_BLOCK; offset += 4)
        (void)gf_read(gf, offset);
    gf_play(gf, ".");
    gf_expect(gf, 4, 1, 1, 1, 1);
    assert_int_equal(gf_quad_state(gf), GF_VALID);
    assert_int_equal(gf_read(gf, GF_CYCLES_NEXT), 2);
}

/* Verifies that what is stored without known effect has none: counts are as with zeros.
 * PC.GF.7, D-52 */
static void unknown_registers_have_no_effect(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_write(gf, GF_CTRL, 0x801dfe00 | GF_QUAD);
    gf_write(gf, GF_FILTER, 0xffffffff);
    gf_write(gf, GF_UNK74, 0xffffffff);
    for (uint32_t offset = 0x0cc; offset <= 0x0dc; offset += 4)
        gf_write(gf, offset, 0xffffffff);
    gf_write(gf, GF_VSTATUS, 0x100);
    gf_write_set(gf, GF_DSET_CTRL, 0xa0000020);
    gf_write_set(gf, GF_DSET_VSTATUS_0, 0x100);
    gf_write_set(gf, 0x018, 0xffffffff);
    gf_play(gf, "p ps pse psex . w");
    gf_expect(gf, 5, 4, 3, 2, 1);
    assert_int_equal(gf_read(gf, GF_FILTER), 0xffffffff);
    assert_int_equal(gf_read(gf, GF_CTRL) & 0x801dfe00, 0x801dfe00);
}

/* Verifies that the table of registers agrees with the unit: every register that pc_reg_enum()
 * lists for this set keeps exactly its rw_mask.  PC.GF.6 */
static void register_table_agrees(struct gf *gf)
{
    struct pc_reg_info reg;
    unsigned seen = 0;

    for (size_t i = 0; pc_reg_enum(gf->whole, i, &reg) == PC_OK; i++) {
        bool mine =
            reg.set == gf->set && reg.address >> 12 != 0x1b4 && pc_unit_chip(gf->unit) != NULL;
        uint32_t dom = gf_domain_base(gf->set, gf->index, gf->dom);
        if (!mine || reg.address - dom >= DOMAIN_BLOCK)
            continue;
        uint32_t offset = reg.address - dom;
        seen++;
        if (offset != GF_USER_TRIGGER && offset != GF_CTR_PRE && offset != GF_CTR_STOP)
            assert_int_equal(reg.rw_mask, mask_of(offset));
    }
    assert_int_equal(seen, 8 + 48);
}

int main(void)
{
    static const struct gf_case cases[] = {
        GF_CASE(every_offset_keeps_its_bits),
        GF_CASE_SET(domains_do_not_share, 0),
        GF_CASE_SET(set_registers_keep_their_bits, 0),
        GF_CASE(powers_up_with_zeros),
        GF_CASE(reset_clears_every_register),
        GF_CASE(counters_read_current_values),
        GF_CASE(reads_have_no_effect),
        GF_CASE(unknown_registers_have_no_effect),
        GF_CASE(register_table_agrees),
    };

    return gf_run("gf100_registers", cases, sizeof cases / sizeof cases[0]);
}
