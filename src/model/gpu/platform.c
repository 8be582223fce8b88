/* SPDX-License-Identifier: MIT */
/*
 * Registers of the device that are only stored: those outside of the units whose values drivers
 * check, and the pair of C51 and MCP73 at 00a7f4 and 00a7f8 (D-09), whose use is not known (U-010).
 * On MCP73 they stand where the layout has QUAD_ACK_TRIGGER of two domains that the chip lacks.
 */
#include "model/gpu/gpu.h"

#include <assert.h>
#include <string.h>

#define PAIR_FIRST UINT32_C(0x00a7f4)
#define PAIR_LAST  UINT32_C(0x00a7f8)

struct platform_row {
    const char *chip;
    uint32_t address, value;
};
static const struct platform_row platform_rows[] = {
#include "platform.inc"
};
#define ROWS (sizeof platform_rows / sizeof platform_rows[0])
static_assert(ROWS <= sizeof((struct pc_gpu *)0)->platform / sizeof(uint32_t), "room for each row");

static int row_at(const struct pc_chip *chip, uint32_t address)
{
    for (size_t i = 0; i < ROWS; i++)
        if (platform_rows[i].address == address && strcmp(platform_rows[i].chip, chip->name) == 0)
            return (int)i;
    return -1;
}

/* C51 and MCP73 have a pair of registers (PC.CHIP.2), unless the option says no. */
int pc_platform_at(const struct pc_gpu *gpu, uint32_t address)
{
    bool pair = address == PAIR_FIRST || address == PAIR_LAST;

    return pair && gpu->options.no_pair ? -1 : row_at(gpu->chip, address);
}

void pc_platform_reset(struct pc_gpu *gpu)
{
    for (size_t i = 0; i < ROWS; i++)
        gpu->platform[i] = platform_rows[i].value;
}

bool pc_gpu_keeps(const struct pc_chip *chip, uint32_t address)
{
    return row_at(chip, address) >= 0;
}

bool pc_gpu_possible(const struct pc_chip *chip)
{
    return chip->layout != PC_LAYOUT_NONE || row_at(chip, PAIR_FIRST) >= 0;
}
