/* SPDX-License-Identifier: MIT */
/*
 * The registers of a plan: one unit for each pass, programmed and waiting for the first cycle.
 */
#include "stat.h"

#include <string.h>

/* A register of a domain by name; the chips with quad mode have all that are asked for. */
static int find_register(const struct pc_chip *chip, const char *name, unsigned domain,
                         struct pc_reg_info *out)
{
    char text[48];
    struct pc_error err;

    snprintf(text, sizeof text, "%s[%u]", name, domain);
    enum pc_status status = pc_reg_find(chip, text, out, &err);
    return status ? cli_error(&err, NULL, NULL) : CLI_OK;
}

/* CTRL and QUAD_ACK_TRIGGER are one for all domains before NV40, with fields DOM0_..., DOM1_... */
static int find_shared(const struct pc_chip *chip, const char *name, unsigned domain,
                       struct pc_reg_info *out)
{
    struct pc_error err;

    if (chip->layout != PC_LAYOUT_NV10)
        return find_register(chip, name, domain, out);
    enum pc_status status = pc_reg_find(chip, name, out, &err);
    return status ? cli_error(&err, NULL, NULL) : CLI_OK;
}

static unsigned field_shift(const struct pc_reg_info *reg, const char *name)
{
    for (size_t i = 0; i < reg->field_count; i++)
        if (strcmp(reg->fields[i].name, name) == 0)
            return reg->fields[i].shift;
    return 0;
}

/* "MODE" of a register of its own, "DOM1_MODE" of a shared one. */
static void field_name(const struct pc_chip *chip, unsigned domain, const char *name, char out[32])
{
    if (chip->layout == PC_LAYOUT_NV10)
        snprintf(out, 32, "DOM%u_%s", domain, name);
    else
        snprintf(out, 32, "%s", name);
}

/* Addresses and bits for the end of a period. */
static int find_addresses(const struct pc_chip *chip, unsigned domain, struct stat_domain *d)
{
    struct pc_reg_info reg;
    char name[32];
    int code;

    for (unsigned s = 0; s < STAT_SLOTS; s++) {
        snprintf(name, sizeof name, "CTR_%s", pc_input_name((enum pc_input_id)s));
        code = find_register(chip, name, domain, &reg);
        if (code)
            return code;
        d->counter[s] = reg.address;
    }
    code = find_register(chip, "CTR_CYCLES", domain, &reg);
    if (code)
        return code;
    d->cycles = reg.address;
    code = find_shared(chip, "CTRL", domain, &reg);
    if (code)
        return code;
    d->ctrl = reg.address;
    field_name(chip, domain, "QUAD_STATE", name);
    d->state_shift = field_shift(&reg, name);
    code = find_shared(chip, "QUAD_ACK_TRIGGER", domain, &reg);
    if (code)
        return code;
    d->ack = reg.address;
    d->ack_bit = chip->layout == PC_LAYOUT_NV10 ? 8 * domain : 0;
    return CLI_OK;
}

/* The selector for a source; one that does not matter gets the signal that is always 0. */
static uint32_t selector(const struct pc_chip *chip, unsigned domain, const struct stat_domain *d,
                         unsigned slot, unsigned i)
{
    int zero = pc_chip_signal_position(chip, domain, PC_SIG_ZERO, 0);

    if (d->used[slot][i])
        return d->source[slot][i];
    return zero >= 0 ? (uint32_t)zero : 0;
}

static int write_named(const struct stat_job *j, struct pc_unit *unit, unsigned domain,
                       const char *input, const char *suffix, uint32_t value)
{
    struct pc_reg_info reg;
    char name[32];

    snprintf(name, sizeof name, "%s_%s", input, suffix);
    int code = find_register(j->chip, name, domain, &reg);
    if (code == CLI_OK)
        pc_unit_write(unit, reg.address, value);
    return code;
}

/* *_SRC of the four counters, *_OP of all inputs; a free counter counts nothing. */
static int write_domain(const struct stat_job *j, struct pc_unit *unit, unsigned domain,
                        const struct stat_domain *d)
{
    int code = CLI_OK;

    for (unsigned s = 0; s < STAT_SLOTS && code == CLI_OK; s++) {
        uint32_t sources = 0;
        for (unsigned i = 0; i < 4; i++)
            sources |= selector(j->chip, domain, d, s, i) << (8 * i);
        code = write_named(j, unit, domain, pc_input_name((enum pc_input_id)s), "SRC", sources);
    }
    for (unsigned s = 0; s < PC_INPUT_COUNT && code == CLI_OK; s++)
        code = write_named(j, unit, domain, pc_input_name((enum pc_input_id)s), "OP", d->op[s]);
    return code;
}

/* MODE of every domain in use, at once: before NV40 they share a register. */
static int write_modes(const struct stat_job *j, struct stat_pass *pass)
{
    bool shared = j->chip->layout == PC_LAYOUT_NV10;

    for (unsigned d = 0; d < j->chip->domains; d++) {
        struct pc_reg_info reg;
        struct pc_error err;
        char field[32];
        int code = find_shared(j->chip, "CTRL", d, &reg);
        if (code)
            return code;
        uint32_t word = shared ? pc_unit_read(pass->unit, reg.address) & reg.rw_mask : 0;
        field_name(j->chip, d, "MODE", field);
        if (pc_reg_set_field(&reg, field, "QUAD", &word, &err))
            return cli_error(&err, NULL, NULL);
        pc_unit_write(pass->unit, reg.address, word);
    }
    return CLI_OK;
}

/*
 * Writing PRE_OP starts a process in single mode and swaps in quad mode, so quad mode comes
 * last, a cycle later: then the first cycle of the waveform is the first that is counted,
 * with all flops at 0.
 */
static int program(const struct stat_job *j, struct stat_pass *pass)
{
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_unit_desc desc = { .chip = j->chip };
    struct pc_error err;

    if (pc_unit_create(&desc, &pass->unit, &err))
        return cli_error(&err, NULL, NULL);
    for (unsigned d = 0; d < j->chip->domains; d++) {
        if (!(pass->edges >> d & 1))
            continue;
        int code = find_addresses(j->chip, d, &pass->domain[d]);
        if (code == CLI_OK)
            code = write_domain(j, pass->unit, d, &pass->domain[d]);
        if (code)
            return code;
    }
    pc_unit_step(pass->unit, pass->edges, nothing);
    return write_modes(j, pass);
}

int stat_program(const struct stat_job *j, struct stat_plan *plan)
{
    for (size_t p = 0; p < plan->passes; p++) {
        int code = program(j, &plan->pass[p]);
        if (code)
            return code;
    }
    return CLI_OK;
}
