/* SPDX-License-Identifier: MIT */
#include "text/regs_text.h"
#include "text/card_regs.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct pc_chip *cli_find_chip_at(const char *name, const char *path, uint32_t line)
{
    const struct pc_chip *chip = pc_chip_find(name);
    struct pc_error err = { .status = PC_ENOENT, .code = 207, .line = line };
    char near[200];

    if (chip)
        return chip;
    snprintf(err.text, sizeof err.text, "unknown chip \"%s\"", name);
    pc_chip_near(name, near, sizeof near);
    if (near[0])
        snprintf(err.hint, sizeof err.hint, "did you mean %s?", near);
    cli_error(&err, path, NULL);
    return NULL;
}

const struct pc_chip *cli_find_chip(const char *name)
{
    return cli_find_chip_at(name, NULL, 0);
}

int cli_find_core(const char *name, const struct pc_hpm_config **out)
{
    struct pc_error err;

    return pc_hpm_config_get(name, out, &err) == PC_OK ? CLI_OK : cli_error(&err, NULL, NULL);
}

int cli_find_profile(const char *name, const struct pc_hpm_profile **out)
{
    struct pc_error err;

    return pc_hpm_profile_find(name, out, &err) == PC_OK ? CLI_OK : cli_error(&err, NULL, NULL);
}

int cli_check_registers(const struct pc_chip *chip)
{
    struct pc_reg_info reg;
    struct pc_error err;

    /* the look-up of any name says why */
    if (pc_reg_enum(chip, 0, &reg) != PC_OK && pc_reg_find(chip, "CTRL", &reg, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    return CLI_OK;
}

bool cli_read_number(const char *text, const char **rest, uint64_t *out)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;

    if (!isdigit((unsigned char)text[0]) || (text[0] == '0' && isdigit((unsigned char)text[1])) ||
        (hex && !isxdigit((unsigned char)text[2])))
        return false;
    errno = 0;
    *out = strtoull(text, &end, hex ? 16 : 10);
    *rest = end;
    return errno == 0;
}

bool cli_read_hex(const char *text, const char **rest, uint64_t *out)
{
    char *end;

    if (!isxdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *out = strtoull(text, &end, 16);
    *rest = end;
    return errno == 0;
}

/* A number that was read, if it is all of the text and has 32 bits. */
static bool whole_u32(const char *rest, uint64_t value, uint32_t *out)
{
    if (*rest != '\0' || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

bool cli_parse_u32(const char *text, uint32_t *out)
{
    const char *rest;
    uint64_t value;

    return cli_read_number(text, &rest, &value) && whole_u32(rest, value, out);
}

bool cli_parse_hex32(const char *text, uint32_t *out)
{
    const char *rest;
    uint64_t value;

    return cli_read_hex(text, &rest, &value) && whole_u32(rest, value, out);
}

/* An address of PDAEMON's own processor at which there is nothing. */
static void no_io(const struct pc_chip *chip, uint32_t address, struct pc_error *err)
{
    if (!chip->idle_counters) {
        cli_fail(err, 880, "I[%" PRIx32 "]: %s has no PDAEMON idle counters", address, chip->name);
        snprintf(err->hint, sizeof err->hint,
                 "`pcounter list chips` shows which unit each chip has");
        return;
    }
    cli_fail(err, 880, "I[%" PRIx32 "] is not a register of the idle counters of %s", address,
             chip->name);
    snprintf(err->hint, sizeof err->hint, "`pcounter list registers -a %s 'PDAEMON.*'` shows them",
             chip->name);
}

int cli_find_register(const struct pc_chip *chip, const char *text, struct pc_reg_info *out)
{
    struct pc_error err;
    uint32_t address;

    /* No register's name is made of hexadecimal digits alone. */
    const bool by_address = cli_parse_hex32(text, &address);
    enum pc_status status =
        by_address ? pc_reg_at(chip, address, out, &err) : pc_reg_find(chip, text, out, &err);
    if (status != PC_OK &&
        (by_address ? cli_card_at(chip, address, out) : cli_card_find(chip, text, out)))
        return CLI_OK;
    if (status != PC_OK && cli_parse_io(text, &address))
        no_io(chip, address, &err);
    return status == PC_OK ? CLI_OK : cli_error(&err, NULL, NULL);
}

struct cli_reg_name cli_reg_name(const struct pc_reg_info *reg)
{
    struct cli_reg_name name = { { 0 } };

    pc_reg_full_name(reg, name.text, sizeof name.text);
    return name;
}

uint32_t cli_field_value(const struct pc_field_info *field, uint32_t word)
{
    return (word >> field->shift) & (UINT32_MAX >> (32 - field->bits));
}

uint32_t cli_field(const struct pc_reg_info *reg, const char *name, uint32_t word)
{
    for (size_t i = 0; i < reg->field_count; i++)
        if (strcmp(reg->fields[i].name, name) == 0)
            return cli_field_value(&reg->fields[i], word);
    return 0;
}

const char *cli_set_name(enum pc_set set)
{
    static const char *const names[] = {
        [PC_SET_ALL] = "", [PC_SET_HUB] = "hub", [PC_SET_GPC] = "gpc", [PC_SET_PART] = "part"
    };

    return names[set];
}
