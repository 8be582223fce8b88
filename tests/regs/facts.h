/* SPDX-License-Identifier: MIT */
/*
 * The register lists of the document once more, in its own shape: one row an address
 * formula and a mask.  A second witness for the rows in src/model/regs, written from the lists
 * and from published bit scans, not from those rows.
 */
#ifndef PC_TEST_FACTS_H
#define PC_TEST_FACTS_H

#include <stdint.h>

struct fact {
    const char *name;
    uint32_t offset; /* of domain 0, from 0xa000 */
    uint32_t stride; /* between domains; 0: one register for all */
    unsigned places;
    unsigned word; /* second index of SIG_STATUS */
    const char *from, *to;
    const char *access; /* r w rw */
    uint32_t mask;      /* bits that keep what is written */
};

#define NV10_PAIR(name, offset, from, to, access, mask)                                            \
    {                                                                                              \
        name, offset, 0x100, 2, 0, from, to, access, mask                                          \
    }
static const struct fact nv10_facts[] = {
    NV10_PAIR("PRE_SRC", 0x400, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("PRE_OP", 0x404, "NV10", "NV40", "rw", 0x0003ffff),
    NV10_PAIR("START_SRC", 0x408, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("START_OP", 0x40c, "NV10", "NV40", "rw", 0x0003ffff),
    NV10_PAIR("EVENT_SRC", 0x410, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("EVENT_OP", 0x414, "NV10", "NV30", "rw", 0x0003ffff),
    NV10_PAIR("EVENT_OP", 0x414, "NV30", "NV40", "rw", 0x0007ffff),
    NV10_PAIR("STOP_SRC", 0x418, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("STOP_OP", 0x41c, "NV10", "NV30", "rw", 0x0003ffff),
    NV10_PAIR("STOP_OP", 0x41c, "NV30", "NV40", "rw", 0x0007ffff),
    NV10_PAIR("SETFLAG_SRC", 0x420, "NV10", "NV30", "rw", 0xffffffff),
    NV10_PAIR("SETFLAG_OP", 0x424, "NV10", "NV40", "rw", 0x0003ffff),
    NV10_PAIR("CLRFLAG_SRC", 0x428, "NV10", "NV30", "rw", 0xffffffff),
    NV10_PAIR("CLRFLAG_OP", 0x42c, "NV10", "NV40", "rw", 0x0003ffff),
    NV10_PAIR("CTR_CYCLES", 0x600, "NV10", "NV40", "r", 0),
    NV10_PAIR("CTR_CYCLES_HI", 0x604, "NV10", "NV30", "r", 0),
    NV10_PAIR("CTR_CYCLES_ALT", 0x608, "NV10", "NV40", "r", 0),
    NV10_PAIR("CTR_CYCLES_ALT_HI", 0x60c, "NV10", "NV30", "r", 0),
    NV10_PAIR("CTR_EVENT", 0x610, "NV10", "NV40", "r", 0),
    NV10_PAIR("CTR_EVENT_HI", 0x614, "NV10", "NV30", "r", 0),
    NV10_PAIR("CTR_START", 0x618, "NV10", "NV40", "r", 0),
    NV10_PAIR("CTR_START_HI", 0x61c, "NV10", "NV30", "r", 0),
    NV10_PAIR("CTR_PRE", 0x620, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("CTR_STOP", 0x624, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("THRESHOLD", 0x628, "NV10", "NV40", "rw", 0xffffffff),
    NV10_PAIR("THRESHOLD_HI", 0x62c, "NV10", "NV30", "rw", 0x000000ff),
    { "SIG_STATUS", 0x430, 0x100, 2, 0, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x434, 0x100, 2, 1, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x438, 0x100, 2, 2, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x43c, 0x100, 2, 3, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x630, 0x100, 2, 4, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x634, 0x100, 2, 5, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x638, 0x100, 1, 6, "NV10", "NV40", "r", 0 },
    { "SIG_STATUS", 0x63c, 0x100, 1, 7, "NV10", "NV40", "r", 0 },
    { "QUAD_ACK_TRIGGER", 0x738, 0, 1, 0, "NV30", "NV40", "w", 0 },
    { "CTRL", 0x73c, 0, 1, 0, "NV10", "NV15", "rw", 0x00000007 },
    { "CTRL", 0x73c, 0, 1, 0, "NV15", "NV20", "rw", 0x00000107 },
    { "CTRL", 0x73c, 0, 1, 0, "NV20", "NV30", "rw", 0x00000307 },
    { "CTRL", 0x73c, 0, 1, 0, "NV30", "NV40", "rw", 0x00050307 },
};

#define NV40_EIGHT(name, offset, from, access, mask)                                               \
    {                                                                                              \
        name, offset, 4, 8, 0, from, "GF100", access, mask                                         \
    }
#define NV40_UNTIL(name, offset, from, to, access, mask)                                           \
    {                                                                                              \
        name, offset, 4, 8, 0, from, to, access, mask                                              \
    }
static const struct fact nv40_facts[] = {
    NV40_EIGHT("PRE_SRC", 0x400, "NV40", "rw", 0xffffffff),
    NV40_UNTIL("PRE_OP", 0x420, "NV40", "G92", "rw", 0x0003ffff),
    NV40_EIGHT("PRE_OP", 0x420, "G92", "rw", 0x000fffff),
    NV40_EIGHT("START_SRC", 0x440, "NV40", "rw", 0xffffffff),
    NV40_UNTIL("START_OP", 0x460, "NV40", "G92", "rw", 0x0003ffff),
    NV40_EIGHT("START_OP", 0x460, "G92", "rw", 0x000fffff),
    NV40_EIGHT("EVENT_SRC", 0x480, "NV40", "rw", 0xffffffff),
    NV40_UNTIL("EVENT_OP", 0x4a0, "NV40", "G92", "rw", 0x0007ffff),
    NV40_EIGHT("EVENT_OP", 0x4a0, "G92", "rw", 0x001fffff),
    NV40_EIGHT("STOP_SRC", 0x4c0, "NV40", "rw", 0xffffffff),
    NV40_UNTIL("STOP_OP", 0x4e0, "NV40", "G92", "rw", 0x0007ffff),
    NV40_EIGHT("STOP_OP", 0x4e0, "G92", "rw", 0x001fffff),
    NV40_UNTIL("SETFLAG_OP", 0x500, "NV40", "G92", "rw", 0x0003ffff),
    NV40_EIGHT("SETFLAG_OP", 0x500, "G92", "rw", 0x000fffff),
    NV40_UNTIL("CLRFLAG_OP", 0x520, "NV40", "G92", "rw", 0x0003ffff),
    NV40_EIGHT("CLRFLAG_OP", 0x520, "G92", "rw", 0x000fffff),
    NV40_EIGHT("SRC_STATUS", 0x540, "NV40", "r", 0),
    NV40_EIGHT("SPEC_SRC", 0x560, "G84", "rw", 0x0000ffff),
    NV40_EIGHT("USER_TRIGGER", 0x580, "GT215", "w", 0),
    NV40_EIGHT("CTR_CYCLES", 0x600, "NV40", "r", 0),
    NV40_EIGHT("CTR_CYCLES_ALT", 0x640, "NV40", "r", 0),
    NV40_EIGHT("CTR_EVENT", 0x680, "NV40", "r", 0),
    NV40_EIGHT("RECORD_ADDRESS_HIGH", 0x6a0, "G92", "rw", 0x000000ff),
    NV40_EIGHT("CTR_START", 0x6c0, "NV40", "r", 0),
    NV40_EIGHT("RECORD_STATUS", 0x6e0, "G84", "r", 0),
    NV40_EIGHT("CTR_PRE", 0x700, "NV40", "rw", 0xffffffff),
    NV40_EIGHT("RECORD_LIMIT", 0x720, "G84", "rw", 0xfffffff0),
    NV40_EIGHT("CTR_STOP", 0x740, "NV40", "rw", 0xffffffff),
    NV40_EIGHT("RECORD_START", 0x760, "G84", "rw", 0xfffffff0),
    NV40_EIGHT("THRESHOLD", 0x780, "NV40", "rw", 0xffffffff),
    { "RECORD_CHAN", 0x7a0, 0, 1, 0, "G84", "GF100", "rw", 0xbfffffff },
    { "RECORD_DMA", 0x7a4, 0, 1, 0, "G84", "GF100", "rw", 0x0000ffff },
    { "GCTRL", 0x7a8, 0, 1, 0, "G84", "GF100", "rw", 0x00000011 },
    NV40_UNTIL("CTRL", 0x7c0, "NV40", "G84", "rw", 0x00012973),
    NV40_UNTIL("CTRL", 0x7c0, "G84", "G92", "rw", 0x00f12973),
    NV40_EIGHT("CTRL", 0x7c0, "G92", "rw", 0x40f12973),
    NV40_EIGHT("QUAD_ACK_TRIGGER", 0x7e0, "NV40", "w", 0),
    { "SIG_STATUS", 0x800, 0x20, 8, 0, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x804, 0x20, 8, 1, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x808, 0x20, 8, 2, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x80c, 0x20, 8, 3, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x810, 0x20, 8, 4, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x814, 0x20, 8, 5, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x818, 0x20, 8, 6, "NV40", "GF100", "r", 0 },
    { "SIG_STATUS", 0x81c, 0x20, 8, 7, "NV40", "GF100", "r", 0 },
};

#endif
