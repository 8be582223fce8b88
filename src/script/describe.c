/* SPDX-License-Identifier: MIT */
/* Describes a read that differs from the script's expectation: the register, and the fields that
 * differ. */
#include "script/script.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct line {
    char *at;
    size_t size, used;
};

static void add(struct line *l, const char *fmt, ...) PC_PRINTF(2, 3);
static void add(struct line *l, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(l->at + l->used, l->size - l->used, fmt, args);
    va_end(args);
    if (n > 0)
        l->used = (size_t)n < l->size - l->used ? l->used + (size_t)n : l->size - 1;
}

static uint32_t field_of(const struct pc_field_info *f, uint32_t word)
{
    return f->bits >= 32 ? word : word >> f->shift & ((1u << f->bits) - 1);
}

static void add_value(struct line *l, const struct pc_field_info *f, uint32_t value)
{
    if (f->values && value < f->value_count && f->values[value] && f->values[value][0])
        add(l, "%s", f->values[value]);
    else
        add(l, "0x%" PRIx32, value);
}

/* Describes "QUAD_STATE is OVERFLOW, expected VALID; ..." */
static void describe_fields(const struct pc_reg_info *reg, const struct sc_command *cmd,
                            uint32_t value, char *out, size_t size)
{
    struct line l = { .at = out, .size = size };

    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *f = &reg->fields[i];
        uint32_t got = field_of(f, value), expected = field_of(f, cmd->value);
        if (f->bits >= 32 || ((got ^ expected) & field_of(f, cmd->mask)) == 0)
            continue;
        add(&l, "%s%s is ", l.used ? "; " : "", f->name);
        add_value(&l, f, got);
        add(&l, ", expected ");
        add_value(&l, f, expected);
    }
}

void sc_describe_mismatch(const struct pc_chip *chip, const struct sc_command *cmd, uint32_t value,
                          struct pc_error *out)
{
    struct pc_reg_info reg;
    char text[200];
    struct line l = { .at = text, .size = sizeof text };
    bool known = !cmd->io && pc_reg_at(chip, cmd->address, &reg, NULL) == PC_OK;

    add(&l, cmd->io ? "I[%" PRIx32 "]" : "0x%06" PRIx32, cmd->address);
    if (known) {
        char name[64];
        pc_reg_full_name(&reg, name, sizeof name);
        add(&l, " %s", name);
    }
    add(&l, " reads 0x%08" PRIx32 ", expected 0x%08" PRIx32, value, cmd->value);
    if (cmd->mask != UINT32_MAX)
        add(&l, " in the bits 0x%08" PRIx32, cmd->mask);
    if (cmd->repeated)
        add(&l, " (first difference of this repeat)");
    pc_fail_at(out, 821, cmd->line, cmd->text.column, "%s", text);
    if (known)
        describe_fields(&reg, cmd, value, out->hint, sizeof out->hint);
}
