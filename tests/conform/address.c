/* SPDX-License-Identifier: MIT */
/*
 * Where the document puts the registers, typed a second time from its tables so that a
 * wrong row in the library cannot hide: clauses PC.REG.2 and PC.REG.3, decisions D-03,
 * D-04 and D-07.
 */
#include "support.h"

enum { BASE = 0xa000, NONE = 0 };

struct place {
    const char *name;
    uint16_t nv10, nv40; /* offset of domain 0; NONE: not in this layout */
    uint32_t need;       /* features */
    bool global;         /* one for all domains, in the layouts where it is */
};

static const struct place places[REG_COUNT] = {
    [PRE_SRC] = { "PRE_SRC", 0x400, 0x400, 0, false },
    [PRE_OP] = { "PRE_OP", 0x404, 0x420, 0, false },
    [START_SRC] = { "START_SRC", 0x408, 0x440, 0, false },
    [START_OP] = { "START_OP", 0x40c, 0x460, 0, false },
    [EVENT_SRC] = { "EVENT_SRC", 0x410, 0x480, 0, false },
    [EVENT_OP] = { "EVENT_OP", 0x414, 0x4a0, 0, false },
    [STOP_SRC] = { "STOP_SRC", 0x418, 0x4c0, 0, false },
    [STOP_OP] = { "STOP_OP", 0x41c, 0x4e0, 0, false },
    [SETFLAG_SRC] = { "SETFLAG_SRC", 0x420, NONE, PC_F_OWN_FLAG_SRC, false },
    [SETFLAG_OP] = { "SETFLAG_OP", 0x424, 0x500, 0, false },
    [CLRFLAG_SRC] = { "CLRFLAG_SRC", 0x428, NONE, PC_F_OWN_FLAG_SRC, false },
    [CLRFLAG_OP] = { "CLRFLAG_OP", 0x42c, 0x520, 0, false },
    [SRC_STATUS] = { "SRC_STATUS", NONE, 0x540, 0, false },
    [SPEC_SRC] = { "SPEC_SRC", NONE, 0x560, PC_F_SWAP_SRC, false },
    [USER_TRIGGER] = { "USER_TRIGGER", NONE, 0x580, PC_F_USER, false },
    [CTR_CYCLES] = { "CTR_CYCLES", 0x600, 0x600, 0, false },
    [CTR_CYCLES_HI] = { "CTR_CYCLES_HI", 0x604, NONE, PC_F_CTR40, false },
    [CTR_CYCLES_ALT] = { "CTR_CYCLES_ALT", 0x608, 0x640, 0, false },
    [CTR_CYCLES_ALT_HI] = { "CTR_CYCLES_ALT_HI", 0x60c, NONE, PC_F_CTR40, false },
    [CTR_EVENT] = { "CTR_EVENT", 0x610, 0x680, 0, false },
    [CTR_EVENT_HI] = { "CTR_EVENT_HI", 0x614, NONE, PC_F_CTR40, false },
    [CTR_START] = { "CTR_START", 0x618, 0x6c0, 0, false },
    [CTR_START_HI] = { "CTR_START_HI", 0x61c, NONE, PC_F_CTR40, false },
    [CTR_PRE] = { "CTR_PRE", 0x620, 0x700, 0, false },
    [CTR_STOP] = { "CTR_STOP", 0x624, 0x740, 0, false },
    [THRESHOLD] = { "THRESHOLD", 0x628, 0x780, 0, false },
    [THRESHOLD_HI] = { "THRESHOLD_HI", 0x62c, NONE, PC_F_CTR40, false },
    [RECORD_ADDRESS_HIGH] = { "RECORD_ADDRESS_HIGH", NONE, 0x6a0, PC_F_RECORD_HIGH, false },
    [RECORD_STATUS] = { "RECORD_STATUS", NONE, 0x6e0, PC_F_RECORD, false },
    [RECORD_LIMIT] = { "RECORD_LIMIT", NONE, 0x720, PC_F_RECORD, false },
    [RECORD_START] = { "RECORD_START", NONE, 0x760, PC_F_RECORD, false },
    [RECORD_CHAN] = { "RECORD_CHAN", NONE, 0x7a0, PC_F_RECORD, true },
    [RECORD_DMA] = { "RECORD_DMA", NONE, 0x7a4, PC_F_RECORD, true },
    [GCTRL] = { "GCTRL", NONE, 0x7a8, PC_F_RECORD, true },
    [CTRL] = { "CTRL", 0x73c, 0x7c0, 0, false },
    [QUAD_ACK_TRIGGER] = { "QUAD_ACK_TRIGGER", 0x738, 0x7e0, PC_F_QUAD, false },
};

const char *reg_name(enum reg reg)
{
    return places[reg].name;
}

bool chip_has(const struct pc_chip *chip, uint32_t features)
{
    return (chip->features & features) == features;
}

/* On nv10 both domains share CTRL and QUAD_ACK_TRIGGER. */
bool reg_per_domain(const struct pc_chip *chip, enum reg reg)
{
    if (chip->layout == PC_LAYOUT_NV10 && (reg == CTRL || reg == QUAD_ACK_TRIGGER))
        return false;
    return !places[reg].global;
}

uint32_t reg_address(const struct pc_chip *chip, enum reg reg, unsigned dom)
{
    const struct place *p = &places[reg];
    bool nv10 = chip->layout == PC_LAYOUT_NV10;
    uint32_t offset = nv10 ? p->nv10 : p->nv40;

    if (offset == NONE || !chip_has(chip, p->need) || dom >= chip->domains)
        return 0;
    if (reg_per_domain(chip, reg))
        offset += dom * (nv10 ? 0x100u : 4u);
    return BASE + offset;
}

uint32_t sig_status_address(const struct pc_chip *chip, unsigned dom, unsigned i)
{
    if (dom >= chip->domains || i >= 8)
        return 0;
    if (chip->layout == PC_LAYOUT_NV40)
        return BASE + 0x800 + dom * 0x20 + i * 4;
    if (dom == 1 && i >= 6) /* D-04: QUAD_ACK_TRIGGER and CTRL are there */
        return 0;
    return BASE + 0x430 + dom * 0x100 + (i / 4) * 0x200 + (i % 4) * 4;
}
