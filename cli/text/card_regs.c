/* SPDX-License-Identifier: MIT */
/* Registers around PCOUNTER, with their fields: PMC's, PGRAPH's, and those of PDAEMON, which have
 * clauses (docs/hardware/clauses-pdaemon.md). */
#include "text/card_regs.h"

#include "text/regs_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define IDLE_FIRST  0x10a500u
#define COUNTERS    8u /* of PDAEMON, at most */
#define PM_TRIGGER  0x20u
#define COUNT_CLEAR 0x80000000u

/* Effects of a bit of a write */
#define PULSES "a pulse in every domain"
#define CLEARS "the counter goes to 0"

/* --- fields --- */

static const char *const modes[] = { "NEVER", "ALL", "NOT_ALL", "ALWAYS" };
static const char *const mode_notes[] = { "does not count",
                                          "INCR_IF_ALL: all selected engines are idle",
                                          "INCR_IF_NOT_ALL: some selected engine is busy (D-76a)",
                                          "both bits: every clock" };
static const char *const switched[] = { "OFF", "ON" };
static const char *const terms[] = { "COUNTER3_ALL", "COUNTER2_ALL", "COUNTER1_ALL",
                                     "COUNTER0_ALL" };

static struct pc_field_info *add(struct pc_reg_info *reg, const char *name, unsigned shift,
                                 unsigned bits, const char *note)
{
    struct pc_field_info *f = &reg->fields[reg->field_count++];

    *f = (struct pc_field_info){
        .name = name, .shift = shift, .bits = bits, .note = note, .clause = ""
    };
    return f;
}

/* Adds a bit for each engine of the chip. */
static void add_engines(struct pc_reg_info *reg, const struct pc_chip *chip, const char *note)
{
    const struct pc_idle_signal *s;

    for (size_t i = 0; i < PC_MAX_FIELDS && (s = pc_idle_signal_at(chip, i)) != NULL; i++)
        add(reg, s->name, s->bit, 1, note)->writable = reg->writable;
}

static bool has_filter(const struct pc_chip *chip)
{
    return chip->order >= pc_chip_find("GF119")->order;
}

static void add_mode(struct pc_reg_info *reg, const struct pc_chip *chip)
{
    struct pc_field_info *f = add(reg, "MODE", 0, 2, NULL);

    f->writable = true;
    f->values = modes;
    f->value_notes = mode_notes;
    f->value_count = sizeof modes / sizeof modes[0];
    if (has_filter(chip))
        add(reg, "FILTER", 2, 1, "stored; no known effect (D-83)")->writable = true;
    reg->rw_mask = has_filter(chip) ? 7 : 3;
}

/* --- registers --- */

enum kind {
    BOOT_ID,
    ENABLE,
    PDAEMON_ENABLE,
    UNITS,
    DISABLED,
    DEBUG_1,
    SIGNALS,
    MASK,
    COUNT,
    MODE,
    TERMS
};

static const struct row {
    uint32_t address, stride;
    enum kind kind;
    const char *place, *name;
    int rows; /* 0: no index */
    bool readable, writable;
    const char *clause;
} rows[] = {
    { 0x000000, 0, BOOT_ID, "PMC", "BOOT_ID", 0, true, false, "" },
    { 0x000200, 0, ENABLE, "PMC", "ENABLE", 0, true, true, "" },
    { 0x022210, 0, PDAEMON_ENABLE, "", "PDAEMON_ENABLE", 0, true, true, "" },
    { 0x022430, 0, UNITS, "", "GPC_COUNT", 0, true, false, "" },
    { 0x022438, 0, UNITS, "", "PART_COUNT", 0, true, false, "" },
    { 0x022504, 0x80, DISABLED, "", "GPC_DISABLED", 2, true, false, "" },
    { 0x022548, 0x80, DISABLED, "", "PART_DISABLED", 2, true, false, "" },
    { 0x400084, 0, DEBUG_1, "PGRAPH", "DEBUG_1", 0, true, true, "" },
    { IDLE_FIRST, 0, SIGNALS, "PDAEMON", "COUNTER_SIGNALS", 0, true, false, "PD.SIGNALS" },
    { IDLE_FIRST + 4, 16, MASK, "PDAEMON", "COUNTER_MASK", COUNTERS, true, true, "PD.MASK" },
    { IDLE_FIRST + 8, 16, COUNT, "PDAEMON", "COUNTER_COUNT", COUNTERS, true, true, "PD.COUNT" },
    { IDLE_FIRST + 12, 16, MODE, "PDAEMON", "COUNTER_MODE", COUNTERS, true, true, "PD.MODE" },
    { IDLE_FIRST + 0xc8, 0, TERMS, "PDAEMON", "COUNTER_ALL", 0, true, false, "PD.TERMS" },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Returns how many of the row the chip has, and which chips do. */
static int has_row(const struct pc_chip *chip, const struct row *row, const char **range)
{
    const bool gf100 = chip->layout == PC_LAYOUT_GF100;
    const int one = row->rows ? row->rows : 1;

    switch (row->kind) {
    case BOOT_ID:
    case ENABLE:
        *range = "NV10-";
        return one;
    case PDAEMON_ENABLE:
        *range = "GT215:GF100";
        return chip->idle_counters && !gf100 ? one : 0;
    case UNITS:
    case DISABLED:
        *range = "GF100-";
        return gf100 ? one : 0;
    case DEBUG_1:
        *range = "NV10:GF100";
        return gf100 ? 0 : one;
    default:
        *range = "GT215-";
        if (!chip->idle_counters)
            return 0;
        return row->rows ? (int)chip->idle_counters : 1;
    }
}

static void add_switch(struct pc_reg_info *reg, const char *name, unsigned bit, const char *note)
{
    struct pc_field_info *f = add(reg, name, bit, 1, note);

    f->writable = true;
    f->values = switched;
    f->value_count = 2;
}

static void add_fields(struct pc_reg_info *reg, const struct pc_chip *chip, enum kind kind)
{
    switch (kind) {
    case BOOT_ID:
        add(reg, "REVISION", 0, 8, "the chip's stepping");
        add(reg, "CHIP", 20, 9, "ID of `pcounter list chips`");
        break;
    case ENABLE:
        reg->rw_mask = UINT32_MAX;
        if (chip->layout == PC_LAYOUT_GF100) {
            reg->effect =
                "bit 28 cleared: PCOUNTER is reset, and hidden until it is set; bit 13: PDAEMON";
            add_switch(reg, "PDAEMON", PC_PMC_PDAEMON_BIT, "0 hides it and resets it (U-024)");
            add_switch(reg, "PCOUNTER", PC_PMC_PCOUNTER_BIT, "0 hides it and resets it (D-88)");
        }
        break;
    case PDAEMON_ENABLE:
        reg->rw_mask = UINT32_MAX;
        reg->effect = "bit 0 cleared: PDAEMON is reset, and reads 0 until it is set";
        add_switch(reg, "PDAEMON", PC_PDAEMON_ENABLE_BIT, "0 resets it (U-024)");
        break;
    case UNITS:
        add(reg, "UNITS", 0, 32, "how many there are");
        break;
    case DISABLED:
        add(reg, "UNITS", 0, 32, "a bit for each that is disabled");
        break;
    case DEBUG_1:
        reg->rw_mask = pc_gpu_debug1_mask(chip);
        reg->effect = "bit 5 set: " PULSES;
        add(reg, "PM_TRIGGER", 5, 1, "if 1: " PULSES "; never stored")->strobe = true;
        break;
    case SIGNALS:
        add_engines(reg, chip, "1: idle");
        break;
    case MASK:
        reg->rw_mask = UINT32_MAX;
        add_engines(reg, chip, "1: looked at");
        break;
    case COUNT:
        reg->effect = "bit 31 set: " CLEARS;
        add(reg, "COUNT", 0, 31, "clocks");
        add(reg, "CLEAR_TRIGGER", 31, 1, "if 1: " CLEARS)->strobe = true;
        break;
    case MODE:
        add_mode(reg, chip);
        break;
    case TERMS:
        add(reg, "PTIMER", 0, 1, "a rising edge of PTIMER's bit 5; reads 0 here (U-025)");
        for (unsigned i = 0; i < sizeof terms / sizeof terms[0]; i++)
            add(reg, terms[i], i + 1, 1, "1: all engines that its mask selects are idle");
        break;
    }
}

static bool set_register(const struct pc_chip *chip, const struct row *row, int i,
                         struct pc_reg_info *out)
{
    const char *range;

    if (i >= has_row(chip, row, &range))
        return false;
    *out = (struct pc_reg_info){ .name = row->name,
                                 .index = { row->rows ? i : -1, -1 },
                                 .set = PC_SET_ALL,
                                 .domain = -1,
                                 .address = row->address + (uint32_t)i * row->stride,
                                 .readable = row->readable,
                                 .writable = row->writable,
                                 .range = range,
                                 .clause = row->clause,
                                 .effect = "" };
    snprintf(out->place, sizeof out->place, "%s", row->place);
    add_fields(out, chip, row->kind);
    return true;
}

bool cli_card_at(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out)
{
    for (size_t r = 0; r < ROWS; r++) {
        const uint32_t beyond = address - rows[r].address, stride = rows[r].stride;
        if (address < rows[r].address || (stride ? beyond % stride != 0 : beyond != 0))
            continue;
        const uint32_t i = stride ? beyond / stride : 0;
        if (i < COUNTERS && set_register(chip, &rows[r], (int)i, out))
            return true;
    }
    return false;
}

bool cli_card_at_io(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out)
{
    uint32_t host;

    return pc_idle_address(chip, PC_IDLE_IO, address, &host) && cli_card_at(chip, host, out);
}

struct cli_io_address cli_io_address(const struct pc_chip *chip, const struct pc_reg_info *reg)
{
    struct cli_io_address a = { "" };
    uint32_t io;

    if (pc_idle_address(chip, PC_IDLE_HOST, reg->address, &io))
        snprintf(a.text, sizeof a.text, "I[%" PRIx32 "]", io);
    return a;
}

bool cli_parse_io(const char *text, uint32_t *address)
{
    const char *rest;
    uint64_t value;

    if (strncasecmp(text, "I[", 2) != 0 || !cli_read_hex(text + 2, &rest, &value) ||
        value > UINT32_MAX || strcmp(rest, "]") != 0)
        return false;
    *address = (uint32_t)value;
    return true;
}

bool cli_card_find(const struct pc_chip *chip, const char *name, struct pc_reg_info *out)
{
    struct pc_reg_info reg;
    char full[64];
    uint32_t io;

    if (cli_parse_io(name, &io))
        return cli_card_at_io(chip, io, out);
    for (size_t r = 0; r < ROWS; r++) {
        for (int i = 0; set_register(chip, &rows[r], i, &reg); i++) {
            pc_reg_full_name(&reg, full, sizeof full);
            const char *dot = strchr(full, '.');
            if (strcasecmp(name, full) != 0 && (!dot || strcasecmp(name, dot + 1) != 0))
                continue;
            *out = reg;
            return true;
        }
    }
    return false;
}

/* Finds the first one at or beyond an address. */
static bool card_from(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out)
{
    struct pc_reg_info reg;
    bool found = false;

    for (size_t r = 0; r < ROWS; r++)
        for (int i = 0; set_register(chip, &rows[r], i, &reg); i++)
            if (reg.address >= address && (!found || reg.address < out->address)) {
                *out = reg;
                found = true;
            }
    return found;
}

bool cli_reg_next(const struct pc_chip *chip, struct cli_reg_walk *walk, struct pc_reg_info *out)
{
    struct pc_reg_info card;
    const bool unit = pc_reg_enum(chip, walk->unit, out) == PC_OK;

    if (card_from(chip, walk->card, &card) && (!unit || card.address < out->address)) {
        *out = card;
        walk->card = card.address + 1;
        return true;
    }
    walk->unit += unit;
    return unit;
}

bool cli_is_card(const struct pc_reg_info *reg)
{
    for (size_t r = 0; r < ROWS; r++)
        if (reg->name == rows[r].name)
            return true;
    return false;
}

static bool is_off(uint32_t value, unsigned bit)
{
    return !(value >> bit & 1);
}

static const char *pmc_effect(uint32_t value)
{
    static const char *const effects[] = {
        "", "PCOUNTER is reset, and hidden until bit 28 is 1",
        "PDAEMON is reset, and hidden until bit 13 is 1",
        "PCOUNTER and PDAEMON are reset, and hidden until bits 28 and 13 are 1"
    };

    return effects[is_off(value, PC_PMC_PCOUNTER_BIT) + 2 * is_off(value, PC_PMC_PDAEMON_BIT)];
}

const char *cli_card_effect(const struct pc_chip *chip, const struct pc_reg_info *reg,
                            uint32_t value)
{
    if (strcmp(reg->name, "DEBUG_1") == 0)
        return value & PM_TRIGGER ? "PM_TRIGGER: " PULSES : "no trigger";
    if (strcmp(reg->name, "COUNTER_COUNT") == 0)
        return value & COUNT_CLEAR ? CLEARS : "nothing";
    if (strcmp(reg->name, "PDAEMON_ENABLE") == 0 && is_off(value, PC_PDAEMON_ENABLE_BIT))
        return "PDAEMON is reset, and reads 0 until bit 0 is 1";
    if (strcmp(reg->name, "ENABLE") == 0 && chip->layout == PC_LAYOUT_GF100)
        return pmc_effect(value);
    return "";
}
