/* SPDX-License-Identifier: MIT */
#include "run_trace.h"

#include <inttypes.h>
#include <stdio.h>

#include "text/card_regs.h"
#include "cli.h"

static void print_fields(const struct pc_reg_info *reg, uint32_t value)
{
    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *f = &reg->fields[i];
        uint32_t part = value >> f->shift;
        if (f->bits < 32)
            part &= (UINT32_C(1) << f->bits) - 1;
        if (part == 0 || f->bits >= 32 || (!f->writable && !f->strobe))
            continue;
        if (f->values && part < f->value_count && f->values[part] && f->values[part][0])
            fprintf(stderr, " %s=%s", f->name, f->values[part]);
        else
            fprintf(stderr, " %s=0x%" PRIx32, f->name, part);
    }
}

void run_trace_write(const char *path, const struct pc_chip *chip,
                     const struct pc_script_access *access)
{
    struct pc_reg_info reg;

    if (!access->write)
        return;
    cli_print_name(stderr, path);
    const char *verb = access->size == 4 ? "w" : access->size == 2 ? "w16" : "w8";
    fprintf(stderr,
            access->io ? ":%" PRIu32 ": %s I[%" PRIx32 "] %0*" PRIx32
                       : ":%" PRIu32 ": %s %06" PRIx32 " %0*" PRIx32,
            access->line, verb, access->address, 2 * (int)access->size, access->value);
    if (access->count > 1)
        fprintf(stderr, " (%" PRIu64 " times)", access->count);
    if (access->io ? cli_card_at_io(chip, access->address, &reg)
                   : pc_reg_at(chip, access->address, &reg, NULL) == PC_OK ||
                         cli_card_at(chip, access->address, &reg)) {
        char name[64];
        pc_reg_full_name(&reg, name, sizeof name);
        fprintf(stderr, "  %s", name);
        print_fields(&reg, access->value);
    }
    fputc('\n', stderr);
}
