/* SPDX-License-Identifier: MIT */
/*
 * The register lists of GF100+ once more: a row an offset in its block, with the mask of the
 * published bit scans.  A second witness for the rows in src/model/regs, as facts.h.
 */
#ifndef PC_TEST_FACTS_GF100_H
#define PC_TEST_FACTS_GF100_H

#include <stdint.h>

struct gf100_fact {
    uint32_t offset;
    const char *name;
    int index; /* -1: none */
    const char *from;
    const char *access; /* r w rw */
    uint32_t mask;      /* bits that keep what is written */
};

static const struct gf100_fact gf100_domain_facts[] = {
    { 0x000, "SIG_STATUS", 0, "GF100", "r", 0 },
    { 0x004, "SIG_STATUS", 1, "GF100", "r", 0 },
    { 0x008, "SIG_STATUS", 2, "GF100", "r", 0 },
    { 0x00c, "SIG_STATUS", 3, "GF100", "r", 0 },
    { 0x010, "SIG_STATUS", 4, "GF100", "r", 0 },
    { 0x014, "SIG_STATUS", 5, "GF100", "r", 0 },
    { 0x018, "SIG_STATUS", 6, "GF100", "r", 0 },
    { 0x01c, "SIG_STATUS", 7, "GF100", "r", 0 },
    { 0x040, "PRE_SRC", -1, "GF100", "rw", 0xffffffff },
    { 0x044, "PRE_OP", -1, "GF100", "rw", 0x001fffff },
    { 0x048, "START_SRC", -1, "GF100", "rw", 0xffffffff },
    { 0x04c, "START_OP", -1, "GF100", "rw", 0x001fffff },
    { 0x050, "EVENT_SRC", -1, "GF100", "rw", 0xffffffff },
    { 0x054, "EVENT_OP", -1, "GF100", "rw", 0x001fffff },
    { 0x058, "STOP_SRC", -1, "GF100", "rw", 0xffffffff },
    { 0x05c, "STOP_OP", -1, "GF100", "rw", 0x001fffff },
    { 0x060, "SETFLAG_OP", -1, "GF100", "rw", 0x001fffff },
    { 0x064, "CLRFLAG_OP", -1, "GF100", "rw", 0x001fffff },
    { 0x068, "SRC_STATUS", -1, "GF100", "r", 0 },
    { 0x06c, "SWAP_SRC", -1, "GF100", "rw", 0x000000ff },
    { 0x070, "CTR_CYCLES", -1, "GF100", "r", 0 },
    { 0x074, "UNK74", -1, "GF100", "rw", 0xffff0000 },
    { 0x078, "CTR_CYCLES_NEXT_RO", -1, "GF100", "r", 0 },
    { 0x07c, "UNK7C", -1, "GF100", "r", 0 },
    { 0x080, "CTR_EVENT", -1, "GF100", "r", 0 },
    { 0x084, "UNK84", -1, "GF100", "r", 0 },
    { 0x088, "CTR_START", -1, "GF100", "r", 0 },
    { 0x08c, "CTR_PRE", -1, "GF100", "rw", 0xffffffff },
    { 0x090, "CTR_STOP", -1, "GF100", "rw", 0xffffffff },
    { 0x094, "SINGLE_ABORT_TRIGGER", -1, "GF100", "w", 0 },
    { 0x098, "THRESHOLD", -1, "GF100", "rw", 0xffffffff },
    { 0x09c, "CTRL", -1, "GF100", "rw", 0x80fdffff },
    { 0x0a0, "QUAD_ACK_TRIGGER", -1, "GF100", "w", 0 },
    { 0x0a4, "CTR_EVENT_NEXT", -1, "GF100", "rw", 0xffffffff },
    { 0x0a8, "CTR_PRE_NEXT", -1, "GF100", "rw", 0xffffffff },
    { 0x0ac, "CTR_START_NEXT", -1, "GF100", "rw", 0xffffffff },
    { 0x0b0, "CTR_STOP_NEXT", -1, "GF100", "rw", 0xffffffff },
    { 0x0b4, "UNKB4", -1, "GF100", "r", 0 },
    { 0x0b8, "UNKB8", -1, "GF100", "r", 0 },
    { 0x0bc, "CTR_CYCLES_NEXT", -1, "GF100", "rw", 0xffffffff },
    { 0x0c0, "CTR_CYCLES_NEXT_HIGH", -1, "GF100", "rw", 0x000000ff },
    { 0x0c4, "CTR_RECORD_STOP_NEXT", -1, "GF100", "rw", 0x00000fff },
    { 0x0c8, "VSTATUS", -1, "GF100", "rw", 0x00000100 },
    { 0x0cc, "UNKCC", -1, "GF100", "rw", 0x77777777 },
    { 0x0d0, "UNKD0", -1, "GF100", "rw", 0x77777777 },
    { 0x0d4, "UNKD4", -1, "GF100", "rw", 0x80000007 },
    { 0x0d8, "UNKD8", -1, "GF100", "rw", 0xffffffff },
    { 0x0dc, "UNKDC", -1, "GF100", "rw", 0xffffffff },
    { 0x0e0, "SINGLE_BEGIN_TRIGGER", -1, "GF100", "w", 0 },
    { 0x0e4, "STATE", -1, "GF100", "r", 0 },
    { 0x0e8, "UNKE8", -1, "GF100", "r", 0 },
    { 0x0ec, "USER_TRIGGER", -1, "GF100", "rw", 0x000000ff },
    { 0x100, "FILTER", -1, "GF100", "rw", 0xffffffff },
    { 0x104, "UNK104", -1, "GF100", "r", 0 },
    { 0x108, "UNK108", -1, "GF100", "r", 0 },
    { 0x10c, "UNK10C", -1, "GF100", "r", 0 },
};

static const struct gf100_fact gf100_set_facts[] = {
    { 0x000, "DSET_CTRL", -1, "GF100", "rw", 0xa0000031 },
    { 0x010, "DSET_VSTATUS_0", -1, "GF100", "rw", 0x00000100 },
    { 0x014, "DSET_VSTATUS_1", -1, "GF100", "r", 0 },
    { 0x018, "DSET_SLCG", -1, "GK104", "rw", 0xffffffff },
};

#define MAIN_UNK(offset, from)                                                                     \
    {                                                                                              \
        offset, "MAIN_UNK", (offset) / 4, from, "rw", 0xffffffff                                   \
    }
static const struct gf100_fact gf100_main_facts[] = {
    { 0x000, "MAIN_CONTROL", -1, "GF100", "rw", 0x00000005 },
    MAIN_UNK(0x008, "GF100"),
    MAIN_UNK(0x010, "GF100"),
    MAIN_UNK(0x014, "GF100"),
    MAIN_UNK(0x018, "GF100"),
    MAIN_UNK(0x020, "GF100"),
    MAIN_UNK(0x024, "GF100"),
    MAIN_UNK(0x028, "GF100"),
    MAIN_UNK(0x030, "GF100"),
    MAIN_UNK(0x034, "GF100"),
    MAIN_UNK(0x038, "GF100"),
    MAIN_UNK(0x040, "GF100"),
    MAIN_UNK(0x044, "GF100"),
    MAIN_UNK(0x048, "GF100"),
    MAIN_UNK(0x050, "GF100"),
    MAIN_UNK(0x054, "GF100"),
    MAIN_UNK(0x058, "GF100"),
    MAIN_UNK(0x060, "GF100"),
    MAIN_UNK(0x064, "GF100"),
    MAIN_UNK(0x068, "GF100"),
    MAIN_UNK(0x06c, "GF100"),
    { 0x070, "MAIN_RECORD_CHAN", -1, "GF100", "rw", 0xbfffffff },
    { 0x074, "MAIN_RECORD_START", -1, "GF100", "rw", 0xffffffe0 },
    { 0x078, "MAIN_RECORD_ADDRESS_HIGH", -1, "GF100", "rw", 0x000000ff },
    { 0x07c, "MAIN_RECORD_LIMIT", -1, "GF100", "rw", 0xffffffe0 },
    { 0x080, "MAIN_RECORD_POS", -1, "GF100", "r", 0 },
    { 0x084, "MAIN_RECORD_COUNT", -1, "GF100", "r", 0 },
    { 0x088, "MAIN_MEM_BUMP", -1, "GF100", "w", 0 },
    MAIN_UNK(0x08c, "GF100"),
    { 0x0a4, "MAIN_VSTATUS", -1, "GF100", "rw", 0x00000100 },
    MAIN_UNK(0x100, "GF100"),
    MAIN_UNK(0x104, "GF100"),
    MAIN_UNK(0x108, "GF100"),
    MAIN_UNK(0x10c, "GF100"),
    MAIN_UNK(0x110, "GF100"),
    MAIN_UNK(0x114, "GF100"),
    { 0x124, "MAIN_SLCG", -1, "GK104", "rw", 0xffffffff },
};

#endif
