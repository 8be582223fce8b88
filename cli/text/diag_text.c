/* SPDX-License-Identifier: MIT */
#include "text/diag_text.h"

#include "cli.h"

#include <inttypes.h>

static unsigned code_of(enum pc_diag what)
{
    switch (what) {
    case PC_DIAG_NO_DOMAIN:
        return 201;
    case PC_DIAG_NO_SIGNAL:
        return 810;
    case PC_DIAG_NO_SWAP:
        return 814;
    case PC_DIAG_SATURATED:
        return 813;
    case PC_DIAG_RECORD_FAULT:
    case PC_DIAG_RECORD_LOST:
    case PC_DIAG_BOGUS_PACKET:
        return 812;
    default:
        return 811;
    }
}

void cli_tell_diagnostics(const struct pc_gpu *gpu)
{
    struct pc_gpu_notice notice;

    for (size_t i = 0; pc_gpu_get_notice(gpu, i, &notice); i++)
        cli_note(code_of(notice.what), "%s", notice.text);
}

void cli_tell_undecoded(struct pc_gpu *gpu)
{
    uint32_t address;

    if (pc_gpu_undecoded(gpu, &address))
        cli_note(802,
                 "0x%06" PRIx32
                 " is not a register of this model (the first such access): it reads 0x%" PRIx32
                 " and ignores writes",
                 address, pc_gpu_read32(gpu, address));
}
