/* SPDX-License-Identifier: MIT */
/*
 * Small helpers of the second witness: growing text, files, and the address table of the
 * documents ("MMIO registers", layouts NV10, NV40 and GF100), kept apart from the library's own.
 */
#include "rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rtl_die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void rtl_add_bytes(struct rtl_text *text, const char *data, size_t size)
{
    if (text->capacity - text->size <= size) {
        size_t capacity = (text->capacity + size + 1) * 2;
        char *grown = realloc(text->data, capacity);
        if (!grown)
            rtl_die("no memory for %zu bytes of text", capacity);
        text->data = grown;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void rtl_add(struct rtl_text *text, const char *format, ...)
{
    char line[256];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line)
        rtl_die("a line of the stimulus is too long");
    rtl_add_bytes(text, line, (size_t)n);
}

void rtl_free(struct rtl_text *text)
{
    free(text->data);
    *text = (struct rtl_text){ 0 };
}

void rtl_load(struct rtl_text *text, const char *path)
{
    char block[65536];
    size_t n;
    FILE *file = fopen(path, "rb");

    if (!file)
        rtl_die("%s: cannot be opened", path);
    rtl_add_bytes(text, "", 0);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        rtl_add_bytes(text, block, n);
    fclose(file);
}

void rtl_save(const struct rtl_text *text, const char *path)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(text->data, 1, text->size, file) != text->size || fclose(file) != 0)
        rtl_die("%s: cannot be written", path);
}

unsigned rtl_generation(const struct pc_chip *chip)
{
    static const char *const ranges[] = { "NV10:NV15", "NV15:NV20", "NV20:NV30", "NV30:NV40",
                                          "NV40:G84",  "G84:G92",   "G92:GT215", "GT215:GF100" };

    if (chip->layout == PC_LAYOUT_GF100)
        return chip->order >= pc_chip_find("GK104")->order ? RTL_GK104 : RTL_GF100;
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (strcmp(chip->range, ranges[i]) == 0)
            return i;
    rtl_die("%s: range %s is not restated in Verilog", chip->name, chip->range);
}

/* Offsets from MMIO 0, on GF100- in the block of a domain; 0 where there is no such register. */
#define AT(reg, nv10, nv40, gf100) [RTL_##reg] = { #reg, nv10, nv40, gf100 }
static const struct {
    const char *name;
    uint16_t nv10, nv40, gf100;
} places[RTL_REG_COUNT] = {
    AT(PRE_SRC, 0xa400, 0xa400, 0x040),
    AT(START_SRC, 0xa408, 0xa440, 0x048),
    AT(EVENT_SRC, 0xa410, 0xa480, 0x050),
    AT(STOP_SRC, 0xa418, 0xa4c0, 0x058),
    AT(SETFLAG_SRC, 0xa420, 0, 0),
    AT(CLRFLAG_SRC, 0xa428, 0, 0),
    AT(PRE_OP, 0xa404, 0xa420, 0x044),
    AT(START_OP, 0xa40c, 0xa460, 0x04c),
    AT(EVENT_OP, 0xa414, 0xa4a0, 0x054),
    AT(STOP_OP, 0xa41c, 0xa4e0, 0x05c),
    AT(SETFLAG_OP, 0xa424, 0xa500, 0x060),
    AT(CLRFLAG_OP, 0xa42c, 0xa520, 0x064),
    AT(SPEC_SRC, 0, 0xa560, 0x06c),
    AT(USER_TRIGGER, 0, 0xa580, 0x0ec),
    AT(SRC_STATUS, 0, 0xa540, 0x068),
    AT(CTR_CYCLES, 0xa600, 0xa600, 0x070),
    AT(CTR_CYCLES_HI, 0xa604, 0, 0),
    AT(CTR_CYCLES_ALT, 0xa608, 0xa640, 0),
    AT(CTR_EVENT, 0xa610, 0xa680, 0x080),
    AT(CTR_EVENT_HI, 0xa614, 0, 0),
    AT(CTR_START, 0xa618, 0xa6c0, 0x088),
    AT(CTR_START_HI, 0xa61c, 0, 0),
    AT(CTR_PRE, 0xa620, 0xa700, 0x08c),
    AT(CTR_STOP, 0xa624, 0xa740, 0x090),
    AT(THRESHOLD, 0xa628, 0xa780, 0x098),
    AT(THRESHOLD_HI, 0xa62c, 0, 0),
    AT(CTRL, 0xa73c, 0xa7c0, 0x09c),
    AT(QUAD_ACK, 0xa738, 0xa7e0, 0x0a0),
    AT(RECORD_HIGH, 0, 0xa6a0, 0),
    AT(RECORD_LIMIT, 0, 0xa720, 0),
    AT(RECORD_START, 0, 0xa760, 0),
    AT(RECORD_STATUS, 0, 0xa6e0, 0),
    AT(SIG_STATUS, 0xa430, 0xa800, 0x000),
    AT(SINGLE_BEGIN, 0, 0, 0x0e0),
    AT(SINGLE_ABORT, 0, 0, 0x094),
    AT(CYCLES_NEXT, 0, 0, 0x0bc),
    AT(EVENT_NEXT, 0, 0, 0x0a4),
    AT(START_NEXT, 0, 0, 0x0ac),
    AT(PRE_NEXT, 0, 0, 0x0a8),
    AT(STOP_NEXT, 0, 0, 0x0b0),
    AT(CYCLES_NEXT_HIGH, 0, 0, 0x0c0),
    AT(UNK74, 0, 0, 0x074),
    AT(FILTER, 0, 0, 0x100),
    AT(UNKD8, 0, 0, 0x0d8),
};
#undef AT

uint32_t rtl_address(const struct pc_chip *chip, enum rtl_reg reg, unsigned domain)
{
    if (chip->layout == PC_LAYOUT_GF100)
        return places[reg].gf100 == 0 && reg != RTL_SIG_STATUS
                   ? 0
                   : places[reg].gf100 + 0x200u * domain;
    if (chip->layout == PC_LAYOUT_NV10) {
        if (reg == RTL_CTRL || reg == RTL_QUAD_ACK)
            return places[reg].nv10; /* shared by both domains */
        return places[reg].nv10 == 0 ? 0 : places[reg].nv10 + 0x100u * domain;
    }
    if (reg == RTL_SIG_STATUS)
        return places[reg].nv40 + 0x20u * domain;
    return places[reg].nv40 == 0 ? 0 : places[reg].nv40 + 4u * domain;
}

uint32_t rtl_gctrl(const struct pc_chip *chip)
{
    return chip->layout == PC_LAYOUT_GF100 ? 0x8000 : 0xa7a8;
}

enum pc_set rtl_set(const struct pc_chip *chip)
{
    if (chip->layout != PC_LAYOUT_GF100)
        return PC_SET_ALL;
    return rtl_generation(chip) == RTL_GF100 ? PC_SET_HUB : PC_SET_GPC;
}

bool rtl_chip(const char *name, struct pc_chip *out)
{
    const struct pc_chip *chip = pc_chip_find(name);
    struct pc_error err;

    return chip && pc_chip_of_set(chip, rtl_set(chip), out, &err) == PC_OK;
}

const char *rtl_name(const struct pc_chip *chip, uint32_t address)
{
    for (unsigned d = 0; d < chip->domains; d++)
        for (unsigned r = 0; r < RTL_REG_COUNT; r++)
            if (rtl_address(chip, (enum rtl_reg)r, d) == address)
                return places[r].name;
    return "";
}
